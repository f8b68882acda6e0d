// labels: small threads
// The solver cyclic_reduction against the operator, for every mix of sides and any size along the
// axis that is reduced.
#include "box_rig.h"
#include "sanitized.h"

static void test_flat(void **state)
{
    static const int sizes[][2] = {{1, 1},   {2, 1},   {1, 2},   {3, 5},   {11, 1},   {1, 13},
                                   {4, 6},   {17, 10}, {12, 19}, {15, 16}, {22, 8},   {32, 23},
                                   {64, 97}, {101, 7}, {7, 127}, {131, 3}, {257, 256}};
    (void)state;
    box_check_flat(GYRE_SOLVER_CYCLIC_REDUCTION, sizes, GY_COUNT(sizes));
}

static void test_solid(void **state)
{
    static const int sizes[][3] = {{1, 1, 1},    {2, 3, 1},   {1, 4, 11},  {13, 1, 2},
                                   {6, 5, 4},    {9, 10, 17}, {14, 37, 3}, {31, 24, 16},
                                   {20, 48, 22}, {3, 61, 7},  {48, 2, 34}};
    (void)state;
    box_check_solid(GYRE_SOLVER_CYCLIC_REDUCTION, sizes, GY_COUNT(sizes));
}

/// Many levels of reduction, where the excess of the diagonal is far below what a float that held
/// the diagonal itself could show.
static void test_long(void **state)
{
    static const int sizes[][3] = {{4096, 3, 1}, {3, 4095, 1}, {4093, 2, 1},
                                   {2, 2049, 1}, {3001, 1, 1}, {1, 1, 4001}};
    static const float shifts[] = {0.0f, 1e-9f, 1e-3f, 1e3f};
    (void)state;
    gyre_device *device = box_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * 5 * GY_COUNT(shifts); q++) {
        const int *n = sizes[q / 5 % GY_COUNT(sizes)], rules[3] = {q % 5, q % 5, q % 5};
        gyre_poisson_def def = box_def(GYRE_SOLVER_CYCLIC_REDUCTION, n[2] > 1 ? 3 : 2, n, rules,
                                       shifts[q / 5 / GY_COUNT(sizes)]);
        box_check(device, &def, 2);
    }
    gyre_device_destroy(device);
}

static void test_order(void **state)
{
    (void)state;
    box_check_order(GYRE_SOLVER_CYCLIC_REDUCTION);
}

static void test_same_bits(void **state)
{
    static const int sizes[][3] = {{241, 70, 1}, {63, 128, 1}, {24, 35, 40},
                                   {22, 12, 9},  {20, 53, 50}, {1, 512, 1}};
    (void)state;
    box_check_bits(GYRE_SOLVER_CYCLIC_REDUCTION, sizes, GY_COUNT(sizes));
}

static void test_extremes(void **state)
{
    (void)state;
    box_check_extremes(GYRE_SOLVER_CYCLIC_REDUCTION);
}

static void test_refusals(void **state)
{
    const int n[3] = {26, 20, 22}, rules[3] = {0, 0, 0};
    (void)state;
    gyre_poisson_def def = box_def(GYRE_SOLVER_CYCLIC_REDUCTION, 3, n, rules, 0.0f);
    box_check_refusal(&def,
                      "solver: \"cyclic_reduction\" takes one size with other factors than 2, 3, 5 "
                      "and 7, and n[0] is 26 and n[2] is 22; \"multigrid\" can solve this");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),      cmocka_unit_test(test_solid),
        cmocka_unit_test(test_long),      cmocka_unit_test(test_order),
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_refusals),
    };
    WATCH_THREADS_IN(test_same_bits);
    return cmocka_run_group_tests_name("cyclic", tests, NULL, NULL);
}
