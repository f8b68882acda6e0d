// labels: small
// Jacobi, Gauss-Seidel in the order of the text, and red-black: their very iterates against the
// text's loops in double precision; how fast they converge against theory; the order of the
// discretisation; what they say of themselves; bits.
#include "poisson_case.h"

enum { MOST = 5000 };
static double b[MOST], x[MOST], right[MOST], other[MOST];

/// x of a cell once its own equation is solved, or 0 where there is none.
static double solved(const problem *p, const double *from, int cell)
{
    double d, sum = row(p, from, cell, &d);
    return d > 0.0 ? (b[cell] - sum) / d : 0.0;
}

static double weigh(const problem *p, const double *from, int cell, double omega)
{
    return p->region[cell] < 0 ? 0.0 : from[cell] + omega * (solved(p, from, cell) - from[cell]);
}

/// One sweep of the text. Red-black: black is first; plain sweeps take all of a colour at once,
/// which differs where an odd number of cells goes round, and over-relaxed ones one cell after the
/// other.
static void text_sweep(const problem *p, int solver, double omega[2])
{
    if (solver == GYRE_SOLVER_GAUSS_SEIDEL) {
        for (int c = 0; c < p->cells; c++)
            right[c] = weigh(p, right, c, omega[0]);
        return;
    }
    for (int half = 0; half < (solver == GYRE_SOLVER_JACOBI ? 1 : 2); half++) {
        memcpy(other, right, (size_t)p->cells * sizeof(double));
        bool at_once = solver == GYRE_SOLVER_JACOBI || (omega[0] == 1.0 && omega[1] == 1.0);
        for (int c = 0; c < p->cells; c++) {
            int sum = c % p->n[0] + c / p->n[0] % p->n[1] + c / p->n[0] / p->n[1];
            if (solver == GYRE_SOLVER_JACOBI || (sum & 1) != half)
                right[c] = weigh(p, at_once ? other : right, c, omega[half]);
        }
    }
}

/// 1 - rho of a box with these sides by the Rayleigh quotient of its slowest mode: constant where a
/// shift alone holds it.
static double slowest(const problem *like)
{
    problem box = *like, *p = &box;
    memset(box.open, 0, sizeof box.open);
    double least = 1.0;
    bool sides = false;
    for (int s = 0; s < 2 * p->dim; s++)
        sides = sides || p->sides[s] == OPEN;
    for (int moving = 0; moving < p->dim; moving++) {
        double top = 0.0, bottom = 0.0;
        bool holds = sides || p->shift > 0.0f;
        if (!holds && p->n[moving] == 1)
            continue;
        for (int c = 0; c < p->cells; c++) {
            int at[3] = {c % p->n[0], c / p->n[0] % p->n[1], c / p->n[0] / p->n[1]};
            other[c] = 1.0;
            for (int a = 0; a < p->dim; a++) {
                bool open = p->sides[2 * a] == OPEN || p->sides[2 * a + 1] == OPEN;
                if (open || (!holds && a == moving))
                    other[c] *= smooth_along(p, a, at[a], 1.0);
            }
        }
        for (int c = 0; c < p->cells; c++) {
            double d, sum = row(p, other, c, &d);
            top += other[c] * (sum + d * other[c]);
            bottom += other[c] * d * other[c];
        }
        least = fmin(least, top / bottom);
    }
    return least;
}

static void check_iterates(gyre_device *device, problem *p, int solver, float given, int sweeps)
{
    find_regions(p);
    random_b(p, 5, b);
    memset(right, 0, sizeof right);
    double e = slowest(p), rho2 = (1.0 - e) * (1.0 - e), next = 1.0;
    bool holds = p->shift > 0.0f && !p->open[0];
    for (int s = 0; s < 6; s++)
        holds = holds || (p->sides[s] == OPEN && !p->open[0]);
    for (int q = 0; q < sweeps; q++) {
        double omega[2] = {(double)given, (double)given};
        for (int half = 0; half < 2 && given == 0.0f; half++) {
            omega[half] = next;
            if (solver == GYRE_SOLVER_RED_BLACK)
                next = q + half == 0 ? 1.0 / (1.0 - 0.5 * rho2) : 1.0 / (1.0 - 0.25 * rho2 * next);
            else if (solver == GYRE_SOLVER_GAUSS_SEIDEL)
                omega[half] = 2.0 / (1.0 + sqrt(1.0 - rho2));
            else
                omega[half] = 0.95;
        }
        text_sweep(p, solver, omega);
    }
    gyre_poisson_def def = def_of(p, solver);
    def.solver.max_cycles = sweeps;
    def.solver.tolerance = 0.0f;
    def.solver.omega = given;
    gyre_poisson_stats s = solve_with(device, &def, p->cells, b, x);
    double far = apart(p, x, right), left = residual_of(p, b, right);
    bool any = false;
    for (int c = 0; c < p->cells; c++)
        any = any || b[c] != 0.0;
    if (far > 2e-5)
        print_message("%s omega %g, %dD %dx%dx%d sides %d%d%d%d%d%d shift %g open %d: %.2e\n",
                      gyre_solver_names[solver], (double)given, p->dim, p->n[0], p->n[1], p->n[2],
                      p->sides[0], p->sides[1], p->sides[2], p->sides[3], p->sides[4], p->sides[5],
                      (double)p->shift, p->open[0] != 0, far);
    // Rounding of a dozen sweeps.
    assert_true(far <= 2e-5);
    // Solved to the last bit, it stops.
    assert_true(s.cycles == (any ? sweeps : 0) || (any && s.residual == 0.0));
    assert_true(!any || fabs(s.residual - left) < 1e-4 + 1e-3 * left);
    problem_free(p);
}

static void test_iterates(void **state)
{
    static const int flat[][3] = {{1, 1, 1}, {2, 1, 1}, {3, 5, 1},
                                  {8, 6, 1}, {1, 9, 1}, {40, 35, 1}};
    static const int solid[][3] = {{2, 2, 2}, {5, 4, 3}, {1, 5, 7}, {6, 3, 5}, {36, 5, 7}};
    static const struct {
        int solver;
        float omega;
    } methods[] = {{GYRE_SOLVER_JACOBI, 0.0f},       {GYRE_SOLVER_JACOBI, 0.7f},
                   {GYRE_SOLVER_GAUSS_SEIDEL, 1.0f}, {GYRE_SOLVER_GAUSS_SEIDEL, 0.0f},
                   {GYRE_SOLVER_RED_BLACK, 1.0f},    {GYRE_SOLVER_RED_BLACK, 0.0f},
                   {GYRE_SOLVER_RED_BLACK, 1.6f}};
    static const float shifts[] = {0.0f, 0.0f, 0.05f};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    int turn = 0;
    for (int dim = 2; dim <= 3; dim++) {
        for (int q = 0; q < (dim == 2 ? 25 : 125); q++) {
            for (int m = 0; m < (dim == 2 ? 6 : 5); m++) {
                for (int method = 0; method < 7; method++, turn++) {
                    int sides[6];
                    const int *n = dim == 2 ? flat[m] : solid[m];
                    mix_sides(q, dim, sides);
                    problem p = problem_make(dim, n[0], n[1], n[2], sides, shifts[turn % 3]);
                    if (turn / 3 % 2)
                        random_openness(&p, (uint32_t)turn, 0.2f, 0.01f);
                    check_iterates(device, &p, methods[method].solver, methods[method].omega,
                                   turn % 5 == 0 ? 11 : 3);
                }
            }
        }
    }
    gyre_device_destroy(device);
}

/// The slowest mode as the error: its length after `sweeps` sweeps.
static double length_after(gyre_device *device, const problem *p, int solver, float omega,
                           int sweeps)
{
    double sum = 0.0;
    for (int c = 0; c < p->cells; c++) {
        int at[3] = {c % p->n[0], c / p->n[0] % p->n[1], c / p->n[0] / p->n[1]};
        right[c] = 1.0;
        for (int a = 0; a < p->dim; a++) {
            if (p->sides[2 * a] == OPEN || p->sides[2 * a + 1] == OPEN || a == 0)
                right[c] *= smooth_along(p, a, at[a], 1.0);
        }
    }
    for (int c = 0; c < p->cells; c++)
        b[c] = apply(p, right, c);
    gyre_poisson_def def = def_of(p, solver);
    def.solver.max_cycles = sweeps;
    def.solver.tolerance = 0.0f;
    def.solver.omega = omega;
    solve_with(device, &def, p->cells, b, x);
    for (int c = 0; c < p->cells; c++)
        other[c] = x[c] - right[c];
    level_regions(p, other);
    for (int c = 0; c < p->cells; c++)
        sum += other[c] * other[c];
    return sqrt(sum);
}

static double factor_of(gyre_device *device, const problem *p, int solver, float omega, int from,
                        int to)
{
    double before = length_after(device, p, solver, omega, from);
    return pow(length_after(device, p, solver, omega, to) / before, 1.0 / (to - from));
}

// With n cells and x = 0 at both ends of each axis (or one period of 2 n cells) Jacobi's slowest
// mode falls by cos(pi / n) a sweep: at open sides, where the diagonal is larger, that mode is all
// but 0. Gauss-Seidel takes its square, SOR the best omega less 1.
static void test_factors(void **state)
{
    enum { N = 24 };
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < 4; q++) {
        static const int kinds[] = {2, 3, 0, 1};
        int dim = q == 2 ? 3 : 2, sides[6], n = dim == 3 ? 12 : N;
        // Alike on all axes.
        mix_sides(kinds[q] * (dim == 2 ? 6 : 31), dim, sides);
        problem p = problem_make(dim, n, n, dim == 3 ? n : 1, sides, 0.0f);
        find_regions(&p);
        double rho = q == 0   ? cos(pi / n)
                     : q == 1 ? 0.5 * (1.0 + cos(2.0 * pi / n))
                     : q == 3 ? cos(pi / (2 * n))
                              : 0.0;
        if (q > 1) {
            // At shut sides the diagonal is smaller: the largest eigenvalue below 1 by powers of
            // Jacobi's matrix, from the slowest mode of the continuous problem.
            double length = 0.0;
            for (int c = 0; c < p.cells; c++)
                right[c] = q == 3
                               ? smooth_along(&p, 0, c % n, 1.0) * smooth_along(&p, 1, c / n, 1.0)
                               : smooth_along(&p, 0, c % n, 1.0);
            for (int turn = 0; turn < 200; turn++) {
                double sum = 0.0;
                for (int c = 0; c < p.cells; c++) {
                    double d, s = row(&p, right, c, &d);
                    other[c] = 0.5 * (right[c] - s / d);
                    sum += other[c] * other[c];
                }
                rho = 2.0 * sqrt(sum / (turn ? length : sum)) - 1.0;
                length = sum;
                memcpy(right, other, sizeof right);
            }
        }
        double omega = 2.0 / (1.0 + sqrt(1.0 - rho * rho));
        double jacobi = factor_of(device, &p, GYRE_SOLVER_JACOBI, 1.0f, 40, 80);
        double seidel = factor_of(device, &p, GYRE_SOLVER_GAUSS_SEIDEL, 1.0f, 40, 80);
        double plain = factor_of(device, &p, GYRE_SOLVER_RED_BLACK, 1.0f, 40, 80);
        // Where two eigenvalues meet, as they do at the best omega, errors fall as k (omega - 1)^k.
        int from = q == 3 ? 40 : 20, to = q == 3 ? 70 : 36;
        double text = factor_of(device, &p, GYRE_SOLVER_GAUSS_SEIDEL, 0.0f, from, to);
        double best = factor_of(device, &p, GYRE_SOLVER_RED_BLACK, 0.0f, from, to);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("sides %d: rho %.5f: %.5f; rho^2 %.5f: %.5f %.5f; omega - 1 %.5f: %.5f "
                          "%.5f\n",
                          kinds[q], rho, jacobi, rho * rho, seidel, plain, omega - 1.0, text, best);
        assert_true(fabs((1.0 - jacobi) / (1.0 - rho) - 1.0) < 0.02);
        assert_true(fabs((1.0 - seidel) / (1.0 - rho * rho) - 1.0) < 0.03);
        assert_true(fabs((1.0 - plain) / (1.0 - rho * rho) - 1.0) < 0.03);
        if (q != 1) {
            // Periodic axes are no longer in the order that the theory of the text's sweep needs.
            assert_true(text > 0.96 * (omega - 1.0) && text < 1.08 * (omega - 1.0));
        }
        assert_true(best > 0.96 * (omega - 1.0) && best < 1.08 * (omega - 1.0));
        problem_free(&p);
    }
    gyre_device_destroy(device);
}

// Everything converges: odd axes that go round, parts that nothing joins, any omega.
static void test_converges(void **state)
{
    static const float omegas[] = {0.0f, 1.0f, 1.9f, 2.0f};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int solver = GYRE_SOLVER_RED_BLACK; solver <= GYRE_SOLVER_JACOBI; solver++) {
        for (int q = 0; q < 4 * 4; q++) {
            int sides[6], dim = q / 4 == 3 ? 3 : 2;
            mix_sides(q / 4 == 0 ? 18 : q / 4 == 1 ? 0 : q / 4 == 2 ? 11 : 93, dim, sides);
            problem p = problem_make(dim, 7, 9, dim == 3 ? 5 : 1, sides, 0.0f);
            if (q / 4 == 2)
                random_openness(&p, 12, 0.2f, 0.1f);
            find_regions(&p);
            random_b(&p, 4, b);
            gyre_poisson_def def = def_of(&p, solver);
            def.solver.omega = omegas[q % 4];
            def.solver.max_cycles = 6000;
            def.solver.tolerance = 2e-6f;
            gyre_poisson_stats s = solve_with(device, &def, p.cells, b, x);
            double left = residual_of(&p, b, x);
            // Jacobi's plain sweep keeps the mode of alternate signs where nothing holds x, and 2
            // takes no error away: they stay bounded, no more.
            bool may_stay =
                omegas[q % 4] == 2.0f || (solver == GYRE_SOLVER_JACOBI && omegas[q % 4] >= 1.0f);
            if (left > 1e-5 && !may_stay)
                print_message("%s omega %g case %d: %.2e said %.2e, %d\n",
                              gyre_solver_names[solver], (double)omegas[q % 4], q / 4, left,
                              s.residual, s.cycles);
            assert_true(left < (may_stay ? 100.0 : 1e-5));
            assert_true(fabs(s.residual - left) < 1e-5 + 1e-3 * left);
            if (!may_stay) {
                eliminate(&p, b, right);
                level_regions(&p, x);
                assert_true(apart(&p, x, right) < 1e-3);
            }
            problem_free(&p);
        }
    }
    gyre_device_destroy(device);
}

// The history has what was measured, and the number of cycles is that of the sweeps done.
static void test_history(void **state)
{
    static const int sides[6] = {OPEN, OPEN, OPEN, OPEN, SHUT, SHUT};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    problem p = problem_make(2, 14, 13, 1, sides, 0.0f);
    find_regions(&p);
    random_b(&p, 4, b);
    for (int solver = GYRE_SOLVER_RED_BLACK; solver <= GYRE_SOLVER_JACOBI; solver++) {
        float f[14 * 13];
        const double *history;
        gyre_poisson_def def = def_of(&p, solver);
        gyre_poisson *poisson = NULL;
        gyre_poisson_stats s;
        def.solver.max_cycles = 1000;
        def.solver.tolerance = 1e-3f;
        def.solver.omega = 1.0f;
        assert_int_equal(gyre_poisson_create(device, &def, &poisson), GYRE_OK);
        for (int c = 0; c < p.cells; c++)
            f[c] = (float)b[c];
        gyre_poisson_set_b(poisson, f);
        assert_int_equal(gyre_poisson_solve(poisson, true, &s), GYRE_OK);
        assert_true(s.residual <= 1e-3 && s.cycles < 1000 && s.cycles % 8 == 0);
        assert_int_equal(gyre_poisson_history(poisson, &history), s.cycles);
        assert_true(history[s.cycles - 1] == s.residual && history[s.cycles - 9] > 1e-3);
        memset(right, 0, sizeof right);
        for (int q = 0; q < s.cycles; q++) {
            double omega[2] = {1.0, 1.0};
            text_sweep(&p, solver, omega);
            if (q < 8 || q % 8 == 7)
                assert_true(fabs(history[q] - residual_of(&p, b, right)) < 1e-5);
            else
                assert_true(history[q] == history[q - 1]);
        }
        gyre_poisson_destroy(poisson);
    }
    problem_free(&p);
    gyre_device_destroy(device);
}

static void test_order(void **state)
{
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    gyre_solver_def like = gyre_poisson_default_def(2).solver;
    like.tolerance = 3e-6f;
    like.max_cycles = 20000;
    for (int solver = GYRE_SOLVER_RED_BLACK; solver <= GYRE_SOLVER_JACOBI; solver++) {
        like.solver = solver;
        check_order(device, &like, 2, 8, solver == GYRE_SOLVER_JACOBI ? 32 : 64);
        check_order(device, &like, 3, 8, 16);
    }
    gyre_device_destroy(device);
}

static void test_same_bits(void **state)
{
    (void)state;
    for (int solver = GYRE_SOLVER_RED_BLACK; solver <= GYRE_SOLVER_JACOBI; solver++) {
        for (int q = 0; q < 3; q++) {
            int sides[6], dim = q == 2 ? 3 : 2;
            mix_sides(q == 2 ? 93 : q == 1 ? 18 : 11, dim, sides);
            problem p = problem_make(dim, 67, 61, dim == 3 ? 15 : 1, sides, 0.0f);
            if (q == 1)
                random_openness(&p, 8, 0.1f, 0.01f);
            find_regions(&p);
            gyre_poisson_def def = def_of(&p, solver);
            def.solver.max_cycles = 9;
            def.solver.tolerance = 0.0f;
            check_same_bits(&p, &def);
            problem_free(&p);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iterates),  cmocka_unit_test(test_factors),
        cmocka_unit_test(test_converges), cmocka_unit_test(test_history),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests_name("relaxation", tests, NULL, NULL);
}
