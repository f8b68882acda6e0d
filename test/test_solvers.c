// labels: small threads
// Every solver of gyre/solve.h on the same problems: manufactured solutions of Poisson and
// Helmholtz equations for every kind of sides, whose error falls as h^2; the residual each reports
// against the one by an operator written anew in double; and what a refusal says.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gyre/solve.h"
#include "sanitized.h"

static const double pi = 3.14159265358979323846;

/// What the two sides of an axis are.
typedef enum ends { SHUT_SHUT, OPEN_OPEN, SHUT_OPEN, OPEN_SHUT, JOINED, ENDS } ends;

static const int side_of[ENDS][2] = {
    {GYRE_POISSON_SHUT, GYRE_POISSON_SHUT},         {GYRE_POISSON_OPEN, GYRE_POISSON_OPEN},
    {GYRE_POISSON_SHUT, GYRE_POISSON_OPEN},         {GYRE_POISSON_OPEN, GYRE_POISSON_SHUT},
    {GYRE_POISSON_PERIODIC, GYRE_POISSON_PERIODIC},
};

/// The m-th (0, 1) function of x in 0 .. 1 that meets the ends' conditions, and its wave number.
static double mode(ends e, int m, double x, double *wave)
{
    switch (e) {
    case SHUT_SHUT:
        *wave = pi * (m + 1);
        return cos(*wave * x);
    case OPEN_OPEN:
        *wave = pi * (m + 1);
        return sin(*wave * x);
    case SHUT_OPEN:
        *wave = pi * (m + 0.5);
        return cos(*wave * x);
    case OPEN_SHUT:
        *wave = pi * (m + 0.5);
        return sin(*wave * x);
    default:
        *wave = 2 * pi;
        return m ? sin(*wave * x) : cos(*wave * x);
    }
}

typedef struct problem {
    int dim, n[3];
    ends e[3];
    double shift; // of the equation  shift u - laplace u = f
    size_t cells;
    float *b;
    double *exact;
} problem;

static problem problem_make(int dim, const int n[3], const ends e[3], double shift)
{
    problem p = {.dim = dim, .n = {n[0], n[1], dim == 3 ? n[2] : 1}, .shift = shift};
    memcpy(p.e, e, sizeof p.e);
    p.cells = (size_t)p.n[0] * (size_t)p.n[1] * (size_t)p.n[2];
    p.b = malloc(p.cells * sizeof *p.b);
    p.exact = malloc(p.cells * sizeof *p.exact);
    // Cells are cubes, so that a grid longer along an axis is a longer domain.
    double h = 1.0 / n[0];
    for (int k = 0; k < p.n[2]; k++) {
        for (int j = 0; j < p.n[1]; j++) {
            for (int i = 0; i < p.n[0]; i++) {
                const int at[3] = {i, j, k};
                double u = 0, f = 0;
                for (int m = 0; m < 2; m++) {
                    double product = m ? 0.5 : 1.0, square = 0;
                    for (int a = 0; a < dim; a++) {
                        double wave, length = p.n[a] * h;
                        product *= mode(e[a], m, (at[a] + 0.5) / p.n[a], &wave);
                        square += wave * wave / (length * length);
                    }
                    u += product;
                    f += (square + shift) * product;
                }
                size_t o = (size_t)i + (size_t)p.n[0] * ((size_t)j + (size_t)p.n[1] * (size_t)k);
                p.exact[o] = u;
                p.b[o] = (float)(h * h * f);
            }
        }
    }
    return p;
}

static void problem_free(problem *p)
{
    free(p->b);
    free(p->exact);
}

static gyre_poisson_def def_of(const problem *p, int solver)
{
    gyre_poisson_def def = gyre_poisson_default_def(p->dim);
    double h = 1.0 / p->n[0];
    memcpy(def.grid.n, p->n, sizeof def.grid.n);
    for (int a = 0; a < p->dim; a++) {
        def.sides[2 * a] = side_of[p->e[a]][0];
        def.sides[2 * a + 1] = side_of[p->e[a]][1];
    }
    def.shift = (float)(p->shift * h * h);
    def.solver.solver = solver;
    def.solver.tolerance = 3e-6f;
    def.solver.max_cycles = 20000;
    return def;
}

/// The largest coefficient-weighted residual's rms over that of b, in double.
static double true_residual(const problem *p, const float *x)
{
    double sum = 0, all = 0, h = 1.0 / p->n[0];
    for (int k = 0; k < p->n[2]; k++) {
        for (int j = 0; j < p->n[1]; j++) {
            for (int i = 0; i < p->n[0]; i++) {
                const int at[3] = {i, j, k}, *n = p->n;
                const size_t step[3] = {1, (size_t)n[0], (size_t)n[0] * (size_t)n[1]};
                size_t o = (size_t)i + step[1] * (size_t)j + step[2] * (size_t)k;
                double r = (double)p->b[o] - p->shift * h * h * (double)x[o];
                for (int a = 0; a < p->dim; a++) {
                    for (int up = 0; up < 2; up++) {
                        int to = at[a] + (up ? 1 : -1);
                        bool out = to < 0 || to >= n[a];
                        int side = side_of[p->e[a]][up];
                        size_t other = out ? o - (size_t)at[a] * step[a] +
                                                 (size_t)((to + n[a]) % n[a]) * step[a]
                                           : (up ? o + step[a] : o - step[a]);
                        if (!out || side == GYRE_POISSON_PERIODIC) {
                            r -= (double)x[o] - (double)x[other];
                        } else if (side == GYRE_POISSON_OPEN) {
                            r -= 2 * (double)x[o];
                        }
                    }
                }
                sum += r * r;
                all += (double)p->b[o] * (double)p->b[o];
            }
        }
    }
    return sqrt(sum / all);
}

/// The largest error against the manufactured solution, both less their means where nothing holds
/// them.
static double error_of(const problem *p, const float *x)
{
    bool held = p->shift > 0;
    double mean = 0, most = 0;
    for (int a = 0; a < p->dim; a++) {
        held = held || (p->e[a] != SHUT_SHUT && p->e[a] != JOINED);
    }
    for (size_t o = 0; o < p->cells && !held; o++) {
        mean += ((double)x[o] - p->exact[o]) / (double)p->cells;
    }
    for (size_t o = 0; o < p->cells; o++) {
        most = fmax(most, fabs((double)x[o] - mean - p->exact[o]));
    }
    return most;
}

static gyre_device *device_of(int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = threads;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

/// Solves and returns the error; checks what the solver reports.
static double solve(gyre_device *device, const problem *p, int solver)
{
    gyre_poisson_def def = def_of(p, solver);
    gyre_poisson *poisson;
    gyre_poisson_stats stats;
    if (gyre_poisson_create(device, &def, &poisson) != GYRE_OK) {
        fail_msg("%s: %s", gyre_solver_names[solver], gyre_message());
    }
    float *x = malloc(p->cells * sizeof *x);
    gyre_poisson_set_b(poisson, p->b);
    assert_int_equal(gyre_poisson_solve(poisson, true, &stats), GYRE_OK);
    gyre_poisson_get_x(poisson, x, NULL);
    double residual = true_residual(p, x), error = error_of(p, x);
    if (!(residual < 3e-5) || !(fabs(residual - stats.residual) < 1e-5)) {
        fail_msg("%s, %d x %d x %d, sides %d %d %d, shift %g: residual %.2e, reported %.2e after "
                 "%d cycles",
                 gyre_solver_names[solver], p->n[0], p->n[1], p->n[2], (int)p->e[0], (int)p->e[1],
                 (int)p->e[2], p->shift, residual, stats.residual, stats.cycles);
    }
    assert_true(stats.cycles >= 1);
    assert_true(solver == GYRE_SOLVER_AUTO ? stats.solver != GYRE_SOLVER_AUTO
                                           : stats.solver == solver);
    free(x);
    gyre_poisson_destroy(poisson);
    return error;
}

/// The error of every solver on n and 2 n cells falls by four, or nearly.
static void check_order(gyre_device *device, int dim, const ends e[3], double shift)
{
    const int coarse[3] = {8, 12, 8}, fine[3] = {16, 24, 16};
    problem p = problem_make(dim, coarse, e, shift), q = problem_make(dim, fine, e, shift);
    for (int s = 0; s < GYRE_SOLVER_COUNT; s++) {
        if (s == GYRE_SOLVER_DENSE && dim == 3) {
            continue; // 6144 unknowns are beyond it
        }
        double first = solve(device, &p, s), second = solve(device, &q, s);
        if (!(first / second > 3.3 && first / second < 4.7)) {
            fail_msg("%s, %dD, sides %d %d %d, shift %g: error %.3e, then %.3e",
                     gyre_solver_names[s], dim, (int)e[0], (int)e[1], (int)e[2], shift, first,
                     second);
        }
    }
    problem_free(&p);
    problem_free(&q);
}

static void test_order_2d(void **state)
{
    gyre_device *device = device_of(2);
    (void)state;
    for (int x = 0; x < ENDS; x++) {
        // Where threads are watched, sides change nothing.
        for (int y = in_short() && THREADS_WATCHED ? ENDS - 1 : 0; y < ENDS; y++) {
            const ends e[3] = {(ends)x, (ends)y, SHUT_SHUT};
            check_order(device, 2, e, (x + y) % 2 ? 7.0 : 0.0);
        }
    }
    gyre_device_destroy(device);
}

static void test_order_3d(void **state)
{
    gyre_device *device = device_of(2);
    (void)state;
    for (int q = 0; q < ENDS; q++) {
        const ends e[3] = {(ends)q, (ends)((q + 1) % ENDS), (ends)((q + 3) % ENDS)};
        check_order(device, 3, e, q % 2 ? 7.0 : 0.0);
    }
    const ends shut[3] = {SHUT_SHUT, SHUT_SHUT, SHUT_SHUT}, round[3] = {JOINED, JOINED, JOINED};
    check_order(device, 3, shut, 0.0);
    check_order(device, 3, round, 0.0);
    gyre_device_destroy(device);
}

/// b = 0 gives x = 0, from zero and from elsewhere when something holds x.
static void test_nothing(void **state)
{
    gyre_device *device = device_of(1);
    const ends e[3] = {OPEN_OPEN, SHUT_SHUT, JOINED};
    const int n[3] = {6, 5, 4};
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        problem p = problem_make(dim, n, e, 0.0);
        memset(p.b, 0, p.cells * sizeof *p.b);
        for (int s = 0; s < GYRE_SOLVER_COUNT; s++) {
            gyre_poisson_def def = def_of(&p, s);
            gyre_poisson *poisson;
            float x[120];
            assert_int_equal(gyre_poisson_create(device, &def, &poisson), GYRE_OK);
            for (size_t o = 0; o < p.cells; o++) {
                x[o] = (float)o;
            }
            gyre_poisson_set_x(poisson, x);
            gyre_poisson_set_b(poisson, p.b);
            assert_int_equal(gyre_poisson_solve(poisson, true, NULL), GYRE_OK);
            gyre_poisson_get_x(poisson, x, NULL);
            for (size_t o = 0; o < p.cells; o++) {
                if (x[o] != 0.0f) {
                    fail_msg("%s: x is %g where b is 0", gyre_solver_names[s], (double)x[o]);
                }
            }
            gyre_poisson_destroy(poisson);
        }
        problem_free(&p);
    }
    gyre_device_destroy(device);
}

/// A solver takes a system with a solid in it, or says why not and names one that does.
static void test_refusals(void **state)
{
    gyre_device *device = device_of(1);
    static float open[9 * 8];
    int refused = 0;
    (void)state;
    for (int o = 0; o < 9 * 8; o++) {
        open[o] = o % 9 == 4 ? 0.0f : 1.0f;
    }
    for (int s = 0; s < GYRE_SOLVER_COUNT; s++) {
        gyre_poisson_def def = gyre_poisson_default_def(2);
        gyre_poisson *poisson = NULL;
        def.grid.n[0] = def.grid.n[1] = 8;
        def.open[0] = open;
        def.solver.solver = s;
        gyre_result r = gyre_poisson_create(device, &def, &poisson);
        bool boxes = s == GYRE_SOLVER_FFT || s == GYRE_SOLVER_CYCLIC_REDUCTION;
        assert_int_equal(r, boxes ? GYRE_ERROR_ARGUMENT : GYRE_OK);
        if (boxes) {
            assert_non_null(strstr(gyre_message(), gyre_solver_names[s]));
            assert_non_null(strstr(gyre_message(), "solids"));
            assert_non_null(strstr(gyre_message(), "\"multigrid\" can"));
            assert_null(poisson);
            refused++;
        }
        gyre_poisson_destroy(poisson);
    }
    assert_int_equal(refused, 2);
    gyre_device_destroy(device);
}

/// Bits do not depend on threads.
static void test_threads(void **state)
{
    gyre_device *one = device_of(1), *two = device_of(2);
    const ends e[3] = {SHUT_OPEN, JOINED, SHUT_SHUT};
    const int n[3] = {40, 48, 1};
    (void)state;
    problem p = problem_make(2, n, e, 0.0);
    float *x = malloc(2 * p.cells * sizeof *x);
    for (int s = 0; s < GYRE_SOLVER_COUNT; s++) {
        for (int t = 0; t < 2; t++) {
            gyre_poisson_def def = def_of(&p, s);
            gyre_poisson *poisson;
            def.solver.max_cycles = 50;
            assert_int_equal(gyre_poisson_create(t ? two : one, &def, &poisson), GYRE_OK);
            gyre_poisson_set_b(poisson, p.b);
            assert_int_equal(gyre_poisson_solve(poisson, true, NULL), GYRE_OK);
            gyre_poisson_get_x(poisson, x + (size_t)t * p.cells, NULL);
            gyre_poisson_destroy(poisson);
        }
        if (memcmp(x, x + p.cells, p.cells * sizeof *x) != 0) {
            fail_msg("%s: other bits on two threads", gyre_solver_names[s]);
        }
    }
    free(x);
    problem_free(&p);
    gyre_device_destroy(one);
    gyre_device_destroy(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_2d), cmocka_unit_test(test_order_3d),
        cmocka_unit_test(test_nothing),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
