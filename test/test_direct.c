// labels: small
// The direct solvers: their answers against elimination written anew, on every mix of sides, with
// cut cells, parts that nothing joins, and shifts; the order of the discretisation; what they
// refuse; bits.
#include "poisson_case.h"

enum { TINY = 3000 };
static double b[TINY], x[TINY], right[TINY];

static void check_answer(gyre_device *device, problem *p, bool dense)
{
    find_regions(p);
    assert_true(p->cells <= TINY);
    random_b(p, 3, b);
    eliminate(p, b, right);
    for (int q = 0; q <= (int)dense; q++) {
        gyre_poisson_def def = def_of(p, q ? GYRE_SOLVER_DENSE : GYRE_SOLVER_DIRECT);
        gyre_poisson_stats s = solve_with(device, &def, p->cells, b, x);
        level_regions(p, x);
        assert_true(apart(p, x, right) <= 1e-6);
        assert_true(fabs(s.residual - residual_of(p, b, x)) <= rounding_of(p, b, x));
        bool any = false;
        for (int c = 0; c < p->cells; c++)
            any = any || b[c] != 0.0;
        assert_int_equal(s.cycles, any ? 1 : 0);
        assert_int_equal(s.solver, def.solver.solver);
    }
    problem_free(p);
}

static void test_answers(void **state)
{
    static const int flat[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1},  {3, 5, 1},
                                  {7, 4, 1}, {9, 9, 1}, {1, 11, 1}, {13, 2, 1}};
    static const int solid[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 4, 5}, {5, 3, 1}, {2, 1, 7}};
    static const float shifts[] = {0.0f, 0.0f, 1e-3f, 2.5f};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    int turn = 0;
    for (int dim = 2; dim <= 3; dim++) {
        for (int q = 0; q < (dim == 2 ? 25 : 125); q++) {
            for (int m = 0; m < (dim == 2 ? 8 : 5); m++, turn++) {
                int sides[6];
                const int *n = dim == 2 ? flat[m] : solid[m];
                mix_sides(q, dim, sides);
                problem p = problem_make(dim, n[0], n[1], n[2], sides, shifts[turn % 4]);
                if (turn / 4 % 3 > 0)
                    random_openness(&p, (uint32_t)turn, turn / 4 % 3 == 1 ? 0.0f : 0.4f, 0.01f);
                check_answer(device, &p, true);
            }
        }
    }
    gyre_device_destroy(device);
}

// Larger than a tile of the band, odd, in both orders of axes.
static void test_bands(void **state)
{
    static const int boxes[][4] = {
        {2, 37, 41, 1}, {2, 70, 9, 1}, {2, 3, 200, 1}, {3, 9, 7, 11}, {3, 12, 11, 5}};
    static const int mixes[] = {0, 3, 18, 93, 124, 41};
    (void)state;
    gyre_device *device = device_of(NULL, 2);
    for (int q = 0; q < 5; q++) {
        for (int m = 0; m < 6; m++) {
            int sides[6];
            const int *n = boxes[q] + 1;
            mix_sides(mixes[m], boxes[q][0], sides);
            problem p = problem_make(boxes[q][0], n[0], n[1], n[2], sides, m == 4 ? 1e-2f : 0.0f);
            if (m > 1)
                random_openness(&p, 77, m == 3 ? 0.55f : 0.1f, 0.01f);
            check_answer(device, &p, m == 2 && p.cells < 800);
        }
    }
    gyre_device_destroy(device);
}

// One region is held, another is not; a shift so small that only double precision knows of it.
static void test_parts(void **state)
{
    static const int sides[6] = {SHUT, OPEN, SHUT, SHUT, SHUT, SHUT};
    static const float shifts[] = {0.0f, 1e-7f};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < 2; q++) {
        problem p = problem_make(2, 12, 10, 1, sides, shifts[q]);
        random_openness(&p, 1, 0.0f, 1.0f);
        for (int j = 0; j < 10; j++)
            p.open[0][j * 13 + 5] = 0.0f;
        // A cell apart, and one with no open face but 0.009, which counts as shut.
        for (int d = 0; d < 2; d++) {
            p.open[0][3 * 13 + 8 + d] = p.open[1][(3 + d) * 12 + 8] = 0.009f;
            p.open[0][7 * 13 + 1 + d] = p.open[1][(7 + d) * 12 + 1] = 0.0f;
        }
        check_answer(device, &p, true);
    }
    gyre_device_destroy(device);
}

/// The factor follows the shift, and a solve from what x holds is none the worse for it.
static void test_shift_changes(void **state)
{
    static const int sides[6] = {ROUND, ROUND, SHUT, OPEN, SHUT, SHUT};
    static const float shifts[] = {0.5f, 0.0f, 3.0f};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int kind = GYRE_SOLVER_DIRECT; kind <= GYRE_SOLVER_DENSE; kind++) {
        problem p = problem_make(2, 11, 8, 1, sides, 0.0f);
        float f[88];
        find_regions(&p);
        gyre_poisson_def def = def_of(&p, kind);
        gyre_poisson *poisson = NULL;
        assert_int_equal(gyre_poisson_create(device, &def, &poisson), GYRE_OK);
        random_b(&p, 9, b);
        for (int q = 0; q < 3; q++) {
            for (int c = 0; c < p.cells; c++)
                f[c] = (float)b[c];
            gyre_poisson_set_b(poisson, f);
            assert_int_equal(gyre_poisson_set_shift(poisson, shifts[q]), GYRE_OK);
            assert_int_equal(gyre_poisson_solve(poisson, q == 0, NULL), GYRE_OK);
            gyre_poisson_get_x(poisson, f, NULL);
            for (int c = 0; c < p.cells; c++)
                x[c] = (double)f[c];
            p.shift = shifts[q];
            eliminate(&p, b, right);
            assert_true(apart(&p, x, right) < 1e-6);
        }
        const double *history;
        assert_int_equal(gyre_poisson_history(poisson, &history), 1);
        assert_true(history[0] < 1e-5);
        // b = 0 gives 0.
        memset(f, 0, sizeof f);
        gyre_poisson_set_b(poisson, f);
        gyre_poisson_stats s;
        assert_int_equal(gyre_poisson_solve(poisson, true, &s), GYRE_OK);
        gyre_poisson_get_x(poisson, f, NULL);
        for (int c = 0; c < p.cells; c++)
            assert_true(f[c] == 0.0f);
        assert_true(s.cycles == 0 && s.residual == 0.0);
        gyre_poisson_destroy(poisson);
        problem_free(&p);
    }
    gyre_device_destroy(device);
}

static void test_order(void **state)
{
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    gyre_solver_def direct = gyre_poisson_default_def(2).solver, dense;
    direct.solver = GYRE_SOLVER_DIRECT;
    dense = direct;
    dense.solver = GYRE_SOLVER_DENSE;
    check_order(device, &direct, 2, 8, 64);
    check_order(device, &direct, 3, 8, 16);
    check_order(device, &dense, 2, 8, 16);
    gyre_device_destroy(device);
}

static void refuse(gyre_device *device, int dim, int nx, int ny, int nz, int kind, const char *says)
{
    static const int sides[6] = {SHUT, SHUT, SHUT, SHUT, SHUT, SHUT};
    problem p = {.dim = dim, .n = {nx, ny, nz}};
    memcpy(p.sides, sides, sizeof sides);
    gyre_poisson_def def = def_of(&p, kind);
    gyre_poisson *poisson = NULL;
    assert_int_equal(gyre_poisson_create(device, &def, &poisson), GYRE_ERROR_ARGUMENT);
    assert_null(poisson);
    if (!strstr(gyre_message(), says))
        print_message("%s\n", gyre_message());
    assert_non_null(strstr(gyre_message(), says));
}

static void test_refusals(void **state)
{
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    // 1024^2 unknowns, a band of 1024 in 32 tiles and the one on the diagonal: 2^20 * 33 * 32 * 8.
    refuse(device, 2, 1024, 1024, 1, GYRE_SOLVER_DIRECT,
           "\"direct\" would keep 8858370048 bytes of factors, and 1073741824 are the most; ");
    refuse(device, 3, 4096, 4096, 4096, GYRE_SOLVER_DIRECT, "\"direct\" would keep ");
    refuse(device, 2, 65, 64, 1, GYRE_SOLVER_DENSE,
           "\"dense\" takes 4096 unknowns at most, and here are 4160; \"multigrid\" can");
    gyre_device_destroy(device);
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int q = 0; q < 3; q++) {
        int sides[6];
        mix_sides(q == 0 ? 13 : 38, q == 2 ? 3 : 2, sides);
        problem p = q == 2 ? problem_make(3, 11, 9, 13, sides, 0.0f)
                           : problem_make(2, 53, 37 - 20 * q, 1, sides, 0.0f);
        random_openness(&p, 8, 0.1f, 0.01f);
        find_regions(&p);
        gyre_poisson_def def = def_of(&p, q == 1 ? GYRE_SOLVER_DENSE : GYRE_SOLVER_DIRECT);
        check_same_bits(&p, &def);
        problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),   cmocka_unit_test(test_bands),
        cmocka_unit_test(test_parts),     cmocka_unit_test(test_shift_changes),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests_name("direct", tests, NULL, NULL);
}
