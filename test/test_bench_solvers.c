// What the solvers' bench judges by does what its texts say.
#define GYRE_CLASSIC_BITS 32
#define GYRE_CLASSIC_FRACTION 16
#include "bench/system.c"
// (first, for it asks for more of the system's headers)
#include "bench/solvers_fixed.c"
#include "bench/solvers_system.c"

// (the table of the file above is not printed here)
void solvers_table(solvers_report *report, const char *part, const char *title,
                   const solvers_column *columns_, int count)
{
    (void)report, (void)part, (void)title, (void)columns_, (void)count;
}

void solvers_row(solvers_report *report, const solvers_cell *cells)
{
    (void)report, (void)cells;
}

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_exponent(void **state)
{
    (void)state;
    double x[8], y[8];
    for (int p = -4; p <= 12; p++) {
        for (int i = 0; i < 8; i++) {
            x[i] = 3 * pow(1.7, i);
            y[i] = 0.02 * pow(x[i], 0.25 * p);
        }
        assert_true(fabs(solvers_exponent(x, y, 8) - 0.25 * p) < 1e-12);
        assert_true(fabs(solvers_exponent(x, y, 2) - 0.25 * p) < 1e-12);
    }
    // (1, 1), (e, 1), (e^2, e^3): the least squares' slope of 0, 0, 3 over 0, 1, 2 is 3/2.
    double u[] = {1, exp(1), exp(2)}, v[] = {1, 1, exp(3)};
    assert_true(fabs(solvers_exponent(u, v, 3) - 1.5) < 1e-12);
    assert_true(isnan(solvers_exponent(u, v, 1)));
    assert_true(isnan(solvers_exponent((double[]){2, 2}, v, 2)));
}

/// Against the eigenvectors of the matrix: A x = (shift + sum of 4 sin^2) x for x = cos cos cos.
static void test_residual(void **state)
{
    (void)state;
    enum { M = 7 };
    float b[M * M * M];
    double x[M * M * M], pi = acos(-1.0);
    for (int dim = 2; dim <= 3; dim++)
        for (int mode = 0; mode < M; mode++)
            for (int q = 0; q < 2; q++) {
                double shift = q * 0.3, value = shift;
                size_t count = solvers_cells(dim, M);
                const int waves[3] = {mode, M - 1 - mode, 2};
                for (int a = 0; a < dim; a++)
                    value += 4 * pow(sin(0.5 * pi * waves[a] / M), 2);
                for (size_t c = 0; c < count; c++) {
                    size_t at[3] = {c % M, c / M % M, c / M / M};
                    x[c] = 1;
                    for (int a = 0; a < dim; a++)
                        x[c] *= cos(pi * waves[a] * ((double)at[a] + 0.5) / M);
                    b[c] = (float)(value * x[c]) + (q == 0 ? 2.5f : 0.0f);
                }
                assert_true(solvers_residual(dim, M, shift, b, x) < 1e-6);
                // Of x = 0 all is left; of x / 2 half.
                for (size_t c = 0; c < count; c++)
                    x[c] *= 0.5;
                assert_true(fabs(solvers_residual(dim, M, shift, b, x) - 0.5) < 1e-6);
                memset(x, 0, sizeof x);
                assert_true(fabs(solvers_residual(dim, M, shift, b, x) - 1) < 1e-12);
            }
}

static void test_noise(void **state)
{
    (void)state;
    enum { COUNT = 4096 };
    static float b[COUNT], again[COUNT];
    double mean = 0, square = 0, beside = 0;
    solvers_noise(b, COUNT);
    solvers_noise(again, COUNT);
    assert_memory_equal(b, again, sizeof b);
    for (int i = 0; i < COUNT; i++) {
        mean += (double)b[i] / COUNT;
        square += (double)b[i] * (double)b[i] / COUNT;
        beside += (double)b[i] * (double)b[(i + 1) % COUNT] / COUNT;
    }
    // Even between -1 and 1: mean square 1/3; neighbours have nothing to do with each other.
    assert_true(fabs(mean) < 1e-8);
    assert_true(fabs(square - 1.0 / 3) < 0.02);
    assert_true(fabs(beside) < 0.02);
}

static void test_run(void **state)
{
    (void)state;
    enum { M = 24 };
    static float b[M * M];
    static double x[M * M];
    gyre_device *device;
    solvers_run run;
    gyre_solver_def def = solvers_def(GYRE_SOLVER_MULTIGRID, 1e-4, 50);
    assert_int_equal(gyre_device_create(NULL, &device), GYRE_OK);
    solvers_noise(b, M * M);
    assert_true(solvers_make(&run, device, 2, M, 0, &def));
    assert_true(solvers_often(&run, b, NULL, 0));
    solvers_answer(&run, M * M, x);
    assert_true(run.best > 0 && run.best < INFINITY && run.stats.cycles > 0);
    assert_true(solvers_residual(2, M, 0, b, x) < 1.01e-4);
    solvers_free(&run);
    gyre_device_destroy(device);
}

/// The sweep in Q16.16 is the classic solver's own, bit for bit.
static void test_fixed_sweep(void **state)
{
    (void)state;
    static double b[CELLS], answer[CELLS], x[CELLS];
    static gyre_classic_real own_x[CELLS], own_b[CELLS];
    const format *f = &formats[1];
    gyre_classic_box box = gyre_classic_default_box(2, N);
    box.sweeps = 7;
    problem(b, 0.1);
    answer_of(b, answer);
    for (int c = 0; c < CELLS; c++) {
        b[c] = from(f, b[c]);
        own_b[c] = (gyre_classic_real)b[c];
    }
    for (int sweeps = 0; sweeps < box.sweeps; sweeps++)
        sweep(f, x, b);
    assert_int_equal(gyre_classic_lin_solve(&box, GYRE_CLASSIC_PRESSURE, own_x, own_b,
                                            GYRE_CLASSIC_REAL(1), GYRE_CLASSIC_REAL(4)),
                     GYRE_OK);
    for (int c = 0; c < N * N; c++)
        assert_true((double)own_x[cell(c)] == x[cell(c)]);
    // The answer solves the equations: its error is 0, and that of 0 is all of it.
    for (int c = 0; c < N * N; c++) {
        int at = cell(c);
        x[at] = answer[at];
    }
    set_sides(x);
    problem(b, 0.1);
    for (int c = 0; c < N * N; c++)
        assert_true(fabs(4 * x[cell(c)] - neighbours(x, cell(c)) - b[cell(c)]) < 1e-10);
    assert_true(error_of(&formats[0], x, answer) < 1e-12);
    memset(x, 0, sizeof x);
    assert_true(fabs(error_of(&formats[0], x, answer) - 1) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exponent),    cmocka_unit_test(test_residual),
        cmocka_unit_test(test_noise),       cmocka_unit_test(test_run),
        cmocka_unit_test(test_fixed_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
