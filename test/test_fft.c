// labels: small threads
// The solver fft: each transform against its definition in double precision, and the solver
// against the operator for every mix of sides.
#include "box_rig.h"

#include "base/turn.h"
#include "ops/system/transform.h"
#include "solve/transform.h"

static const double pi = 3.14159265358979323846;

static void test_turns(void **state)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 8, 12, 100, 1024, 4095, 32768, 1 << 28};
    (void)state;
    for (int q = 0; q < GY_COUNT(sizes); q++) {
        int64_t n = sizes[q], step = n < 5000 ? 1 : n / 4097 + 1;
        for (int64_t k = 0; k < 2 * n; k += step) {
            gy_turn t = gy_turn_of(k, n);
            long double a = 2.0L * 3.14159265358979323846264338327950288L * (long double)(k % n) /
                            (long double)n;
            assert_true(fabsl((long double)t.c - cosl(a)) < 2e-16L);
            assert_true(fabsl((long double)t.s - sinl(a)) < 2e-16L);
        }
    }
    assert_true(gy_turn_of(1, 4).c == 0.0 && gy_turn_of(3, 6).s == 0.0);
    assert_true(gy_turn_of(1, 6).s == -gy_turn_of(5, 6).s);
}

/// A system with nothing but vectors in it.
typedef struct rig {
    gyre_device *device;
    gy_system system;
    void *memory;
    gy_grid_level x;
} rig;

static rig rig_make(int dim, const int n[3], int axis, int rule)
{
    rig r = {.device = box_device(NULL, 1)};
    gy_system_def def = {.grid = {.dim = dim, .n = {n[0], n[1], n[2]}, .h = 1.0f},
                         .solver = {.solver = GYRE_SOLVER_FFT}};
    for (int end = 0; end < 2; end++) {
        def.open_sides |= box_rules[rule][end] == OPEN ? 1u << (2 * axis + end) : 0;
    }
    def.periodic = box_rules[rule][0] == PERIODIC ? 1u << axis : 0;
    gy_arena counted = {0};
    gy_system_plan(&r.system, r.device, &def, &counted, &counted);
    size_t bytes = ((size_t)counted.used + 2) * 64;
    r.memory = aligned_alloc(64, bytes);
    assert_non_null(r.memory);
    memset(r.memory, 0, bytes);
    gy_arena arena = {.base = (uint64_t)(uintptr_t)r.memory};
    gy_system_plan(&r.system, r.device, &def, &arena, &arena);
    r.x = gy_grid_level_at(r.system.base, gy_system_offset(&r.system, 0));
    // The scale of all transforms is put on an axis that this test leaves alone.
    assert_int_equal(gy_transform_prepare(&r.system, -1, axis == 0 ? 1 : 0), GYRE_OK);
    return r;
}

static void rig_free(rig *r)
{
    gy_system_release(&r->system);
    free(r->memory);
    gyre_device_destroy(r->device);
}

static float *x_at(const rig *r, const int at[3])
{
    ptrdiff_t o = gy_level_row(r->x.l, at[1], at[2]) + (at[0] >> 1);
    return &r->x.x[(at[0] + at[1] + at[2]) & 1][o];
}

/// Sums of x times the eigenvectors of a frequency: of a periodic axis cosines, then sines.
static double sum_of(const double *x, int n, int rule, int k, bool sines)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double s = (i + 0.5) / n, a = 0.0;
        if (rule == 4) {
            a = 2.0 * pi * (double)((int64_t)i * k % n) / n;
        } else {
            a = pi * s * (rule == 0 ? k : rule == 1 ? k + 1 : k + 0.5);
        }
        sum += x[i] * (rule == 1 || rule == 3 || sines ? sin(a) : cos(a));
    }
    return 2.0 * sum;
}

/// The frequency whose eigenvalue, in double, is the one that the tables have.
static int frequency(int n, int rule, double value)
{
    int found = -1;
    for (int k = 0; k < n && found < 0; k++) {
        double half = rule == 4   ? pi * k / n
                      : rule == 0 ? pi * k / (2.0 * n)
                      : rule == 1 ? pi * (k + 1) / (2.0 * n)
                                  : pi * (k + 0.5) / (2.0 * n);
        double exact = 4.0 * sin(half) * sin(half);
        found = fabs(exact - value) <= 2e-7 * exact + 1e-30 ? k : -1;
    }
    return found;
}

/// One line's coefficients against the definition; signs are free. `seen` counts frequencies.
static void check_line(const gy_fft_axis *t, int axis, int rule, const double *x, const double *y)
{
    int n = t->n, seen[400] = {0}, slots = gy_round_up((n + 1) / 2, GY_GROUP);
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        norm += x[i] * x[i];
    }
    // Some units of the last place of the coefficients' root mean square, which is sqrt(2 n) x's.
    double near = 1e-6 * sqrt(2.0 * norm);
    for (int p = 0; p < n; p++) {
        double value = (double)(axis == 0 ? t->value[(p & 1) * slots + p / 2] : t->value[p]);
        int k = frequency(n, rule, value);
        assert_true(k >= 0);
        double a = fabs(sum_of(x, n, rule, k, false)), b = fabs(sum_of(x, n, rule, k, true));
        bool is_a = fabs(fabs(y[p]) - a) < near * 1.5, is_b = fabs(fabs(y[p]) - b) < near * 1.5;
        bool twice = rule == 4 && k > 0 && 2 * k != n;
        if (!(is_a || (twice && is_b))) {
            print_message("n %d axis %d rule %d place %d frequency %d: %g, expected %g\n", n, axis,
                          rule, p, k, y[p], a);
        }
        assert_true(is_a || (twice && is_b));
        // Cosines count 1, sines 2: both must be there.
        seen[k] += is_a ? 1 : 2;
        assert_true(seen[k] <= (twice ? 3 : 1));
    }
    for (int p = 0; p < n; p++) {
        int k = rule == 4 ? GY_MIN(p, n - p) : p;
        assert_int_equal(seen[k], rule == 4 && k > 0 && 2 * k != n ? 3 : 1);
    }
}

/// The cells of every line along an axis, line after line; `random`: after setting them.
static void lines_of(const rig *r, int axis, bool random, double *x)
{
    const int *n = r->x.l->n;
    int at[3], other = (axis + 1) % 3, third = (axis + 2) % 3;
    uint32_t q = 0;
    for (at[third] = 0; at[third] < n[third]; at[third]++) {
        for (at[other] = 0; at[other] < n[other]; at[other]++) {
            for (at[axis] = 0; at[axis] < n[axis]; at[axis]++, q++) {
                if (random) {
                    *x_at(r, at) = gy_random_unit(3, q) - 0.5f;
                }
                x[q] = (double)*x_at(r, at);
            }
        }
    }
}

static void check_transform(int dim, int axis, int n, int rule)
{
    int size[3] = {dim == 2 ? 4 : 2, 3, dim == 2 ? 1 : 5};
    size[axis] = n;
    size_t count = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    rig r = rig_make(dim, size, axis, rule);
    const gy_fft_axis *t = (const gy_fft_axis *)r.system.own[GY_OWN_TABLES].data + axis;
    double *x = malloc(3 * count * sizeof *x), *y = x + count, *z = y + count;
    assert_non_null(x);
    lines_of(&r, axis, true, x);
    gy_transform_run(&r.system, GY_OP_transform, GY_TRANSFORM_FORWARD, axis, r.x.l->x);
    lines_of(&r, axis, false, y);
    gy_transform_run(&r.system, GY_OP_transform, GY_TRANSFORM_BACK, axis, r.x.l->x);
    lines_of(&r, axis, false, z);
    for (size_t line = 0; line < count; line += (size_t)n) {
        check_line(t, axis, rule, x + line, y + line);
    }
    for (size_t i = 0; i < count; i++) {
        // Forward and back is 2 n times what was there.
        assert_true(fabs(z[i] / (2.0 * n) - x[i]) < 1e-6);
    }
    free(x);
    rig_free(&r);
}

static void test_transforms(void **state)
{
    static const int sizes[] = {1,  2,   3,  4,   5,   6,   7,   8,   9,   10,  12,  14,  15,  16,
                                18, 20,  21, 24,  25,  27,  32,  35,  48,  49,  50,  60,  64,  75,
                                96, 100, 98, 105, 112, 120, 125, 128, 147, 210, 243, 256, 343, 360};
    (void)state;
    for (int q = 0; q < GY_COUNT(sizes) * 5; q++) {
        int n = sizes[q / 5], rule = q % 5;
        check_transform(2, 0, n, rule);
        check_transform(2, 1, n, rule);
        check_transform(3, 2, n, rule);
        if (n < 40) {
            check_transform(3, 0, n, rule);
            check_transform(3, 1, n, rule);
        }
    }
}

static const int flat[][2] = {{1, 1},   {2, 1},    {1, 2},    {3, 5},   {7, 1},   {1, 35},
                              {4, 6},   {9, 10},   {12, 14},  {15, 16}, {21, 8},  {32, 20},
                              {64, 49}, {96, 105}, {35, 128}, {210, 3}, {2, 243}, {256, 256}};
static const int solid[][3] = {{1, 1, 1},    {2, 3, 1},   {1, 4, 5},   {7, 1, 2},
                               {6, 5, 4},    {9, 10, 12}, {14, 35, 3}, {33 - 1, 33 - 3, 16},
                               {20, 48, 21}, {3, 64, 7},  {48, 2, 32}};

static void test_flat(void **state)
{
    (void)state;
    box_check_flat(GYRE_SOLVER_FFT, flat, GY_COUNT(flat));
}

static void test_solid(void **state)
{
    (void)state;
    box_check_solid(GYRE_SOLVER_FFT, solid, GY_COUNT(solid));
}

/// Long lines, for the tables of many stages.
static void test_long(void **state)
{
    static const int sizes[][3] = {{4096, 3, 1}, {3, 4096, 1}, {2401, 2, 1},
                                   {2, 2187, 1}, {3125, 1, 1}, {1, 1, 4000}};
    (void)state;
    gyre_device *device = box_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * 5; q++) {
        const int *n = sizes[q / 5], rules[3] = {q % 5, q % 5, q % 5};
        gyre_poisson_def def = box_def(GYRE_SOLVER_FFT, n[2] > 1 ? 3 : 2, n, rules, 1e-3f);
        box_check(device, &def, 2);
    }
    gyre_device_destroy(device);
}

static void test_order(void **state)
{
    (void)state;
    box_check_order(GYRE_SOLVER_FFT);
}

static void test_same_bits(void **state)
{
    static const int sizes[][3] = {{240, 70, 1}, {63, 128, 1}, {24, 35, 40},
                                   {20, 12, 50}, {100, 81, 1}, {1, 512, 1}};
    (void)state;
    box_check_bits(GYRE_SOLVER_FFT, sizes, GY_COUNT(sizes));
}

/// A job system that runs tasks from the last to the first.
static void backwards(void *user, int count, gyre_task *task, void *argument)
{
    (*(int *)user)++;
    while (count-- > 0) {
        task(argument, count);
    }
}

/// Where the host brings the threads nobody knows how many there are.
static void test_host_threads(void **state)
{
    const int n[3] = {40, 70, 1}, rules[3] = {0, 1, 0};
    int runs = 0;
    (void)state;
    gyre_device_def device_def = gyre_default_device_def();
    device_def.host.parallel_for = backwards;
    device_def.host.user = &runs;
    gyre_device *own = NULL, *other = box_device(NULL, 1);
    assert_int_equal(gyre_device_create(&device_def, &own), GYRE_OK);
    gyre_poisson_def def = box_def(GYRE_SOLVER_FFT, 2, n, rules, 0.0f);
    float *b = box_random(&def, 1);
    float *x = box_solve(own, &def, b, NULL), *y = box_solve(other, &def, b, NULL);
    assert_memory_equal(x, y, box_cells(&def) * sizeof *x);
    assert_true(runs > 0);
    free(b);
    free(x);
    free(y);
    gyre_device_destroy(own);
    gyre_device_destroy(other);
}

static void test_extremes(void **state)
{
    (void)state;
    box_check_extremes(GYRE_SOLVER_FFT);
}

static void test_refusals(void **state)
{
    const int n[3] = {16, 22, 1}, good[3] = {16, 20, 1}, rules[3] = {0, 0, 0};
    (void)state;
    gyre_poisson_def def = box_def(GYRE_SOLVER_FFT, 2, n, rules, 0.0f);
    box_check_refusal(&def, "solver: \"fft\" takes sizes with the factors 2, 3, 5 and 7, and n[1] "
                            "is 22; \"multigrid\" can solve this");
    def = box_def(GYRE_SOLVER_FFT, 2, good, rules, 0.0f);
    float open[17 * 20];
    for (int i = 0; i < GY_COUNT(open); i++) {
        open[i] = 1.0f;
    }
    def.open[0] = open;
    box_check_refusal(&def, "solver: \"fft\" takes boxes only, and there are solids in this one; "
                            "\"multigrid\" can solve this");
    // What no def of a system on its own can ask for.
    char why[200];
    gy_system_def system = {.grid = def.grid, .pin = true};
    assert_false(gy_solvers[GYRE_SOLVER_FFT]->takes(&system, why, sizeof why));
    assert_string_equal(why, "takes boxes only, and cells of this one may be held at 0");
    const float held[3] = {0.5f, 1.0f, 0.0f};
    system = (gy_system_def){.grid = def.grid, .open_sides = 10, .held = held};
    assert_false(gy_solvers[GYRE_SOLVER_FFT]->takes(&system, why, sizeof why));
    assert_string_equal(why, "takes zeros half a cell outside only, and one across y is elsewhere");
}

/// auto takes it for boxes that fit, and says so.
static void test_auto(void **state)
{
    static const int sizes[][3] = {{30, 16, 1}, {30, 22, 1}, {12, 8, 10}, {13, 8, 10}};
    const int rules[3] = {0, 1, 4};
    (void)state;
    gyre_device *device = box_device(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes); q++) {
        gyre_poisson_stats stats;
        int dim = sizes[q][2] > 1 ? 3 : 2;
        gyre_poisson_def def = box_def(GYRE_SOLVER_AUTO, dim, sizes[q], rules, 0.0f);
        float *b = box_random(&def, 1), *x = box_solve(device, &def, b, &stats);
        assert_int_equal(stats.solver, q % 2 ? GYRE_SOLVER_MULTIGRID : GYRE_SOLVER_FFT);
        free(b);
        free(x);
    }
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_flat),         cmocka_unit_test(test_solid),
        cmocka_unit_test(test_long),         cmocka_unit_test(test_order),
        cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_auto),
        cmocka_unit_test(test_host_threads),
    };
    return cmocka_run_group_tests_name("fft", tests, NULL, NULL);
}
