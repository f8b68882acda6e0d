// How the time of every solver grows with the number of unknowns N.
//
// The right-hand side is white noise and, fainter, the longest wave of the box, which relaxation
// and conjugate gradients find hardest. What is faint in b is strong in x, and what one float
// leaves of its residual grows as n^2: so the wave fades beyond 192 cells a side, and solvers whose
// cycles grow with N stop there.
#include "bench/solvers.h"

#include <math.h>
#include <string.h>

static const struct method {
    const char *name; // in the tables
    int kind;
    float omega;
    bool factors, grows; // the first solve makes factors; its cycles grow with N
    const char *talk;    // the talk's column: 2D, dense elimination
    double exponent[2];  // of this form in theory, in 2D and 3D
    const char *form[2]; // the same in letters
} methods[] = {
    {"dense", GYRE_SOLVER_DENSE, 0, true, false, "N^3", {3, 3}, {"N^3", "N^3"}},
    {"direct", GYRE_SOLVER_DIRECT, 0, true, false, "-", {2, 7.0 / 3}, {"N^2", "N^2.33"}},
    // At 1 a chessboard pattern would never die between shut sides.
    {"jacobi", GYRE_SOLVER_JACOBI, 0.9f, false, true, "-", {2, 5.0 / 3}, {"N^2", "N^1.67"}},
    {"gauss_seidel",
     GYRE_SOLVER_GAUSS_SEIDEL,
     1,
     false,
     true,
     "N^2",
     {2, 5.0 / 3},
     {"N^2", "N^1.67"}},
    {"gauss_seidel sor",
     GYRE_SOLVER_GAUSS_SEIDEL,
     0,
     false,
     true,
     "-",
     {1.5, 4.0 / 3},
     {"N^1.5", "N^1.33"}},
    {"red_black sor",
     GYRE_SOLVER_RED_BLACK,
     0,
     false,
     true,
     "-",
     {1.5, 4.0 / 3},
     {"N^1.5", "N^1.33"}},
    {"cg", GYRE_SOLVER_CG, 0, false, true, "N^1.5", {1.5, 4.0 / 3}, {"N^1.5", "N^1.33"}},
    {"pcg mic0", GYRE_SOLVER_PCG, 0, false, true, "-", {1.25, 7.0 / 6}, {"N^1.25", "N^1.17"}},
    {"cyclic_reduction",
     GYRE_SOLVER_CYCLIC_REDUCTION,
     0,
     false,
     false,
     "N log N",
     {1, 1},
     {"N log N", "N log N"}},
    {"fft", GYRE_SOLVER_FFT, 0, false, false, "N log N", {1, 1}, {"N log N", "N log N"}},
    {"multigrid", GYRE_SOLVER_MULTIGRID, 0, false, false, "N", {1, 1}, {"N", "N"}},
    {"mgpcg", GYRE_SOLVER_MGPCG, 0, false, false, "-", {1, 1}, {"N", "N"}},
};

enum { METHODS = sizeof methods / sizeof *methods, MAX_SIZES = 28, MOST = 192 };

static const int sizes[2][MAX_SIZES] = {
    {8,   10,  12,  16,  20,  24,  32,  40,  48,  56,   64,   80,  96,
     112, 128, 160, 192, 256, 320, 384, 512, 768, 1024, 1536, 2048},
    {4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 160, 192},
};

static const solvers_column columns[] = {
    {"solver", -17, 0},
    {"dim", 3, 1},
    {"n_low", 5, 4},
    {"n_high", 6, 4},
    {"talk", -8, 0},
    {"theory", -8, 0},
    {"work", 6, 3},
    {"time", 6, 3},
    {"cycles", 6, 6},
    {"ms", 9, 4},
    {"ns_per_unknown", 14, 4},
    {"residual", 9, 3},
};

/// What was measured of one solver in 2D or 3D.
typedef struct growth {
    double unknowns[MAX_SIZES], seconds[MAX_SIZES], work[MAX_SIZES];
    int n[MAX_SIZES], cycles[MAX_SIZES], count;
    double residual; // at the last size
} growth;

static void right_hand_side(float *b, int dim, int n)
{
    double fade = fmin(1, MOST / (double)n);
    solvers_noise(b, solvers_cells(dim, n));
    solvers_add_wave(b, dim, n, 0.03 * fade * fade);
}

/// Solves for some time. What makes factors is made anew each time, since only its first solve
/// does all the work. 1: solved; 0: the solver does not take the system; -1: it failed.
static int solve(solvers_run *run, const solvers_options *o, const struct method *m, int dim, int n,
                 const float *b)
{
    gyre_solver_def def = solvers_def(m->kind, 1e-4, 1000000);
    double enough = o->quick ? 0.002 : 0.02, best = INFINITY, start = bench_now();
    def.omega = m->omega;
    if (!solvers_make(run, o->one, dim, n, 0, &def))
        return 0;
    if (!m->factors)
        return solvers_often(run, b, NULL, enough) ? 1 : -1;
    for (;;) {
        if (!solvers_once(run, b, NULL))
            return -1;
        best = fmin(best, run->first);
        if (bench_now() - start > enough)
            break;
        solvers_free(run);
        if (!solvers_make(run, o->one, dim, n, 0, &def))
            return -1;
    }
    run->own = best;
    return 1;
}

/// Measures one size; returns as solve() does.
static int measure(growth *g, const solvers_options *o, const struct method *m, int dim, int n)
{
    size_t count = solvers_cells(dim, n);
    float *b = bench_allocate(count * sizeof(float));
    solvers_run run;
    right_hand_side(b, dim, n);
    int found = solve(&run, o, m, dim, n, b);
    if (found == 1) {
        int q = g->count++;
        g->n[q] = n;
        g->unknowns[q] = (double)count;
        g->seconds[q] = run.own;
        g->cycles[q] = run.stats.cycles;
        g->work[q] = (double)run.stats.cycles * (double)count;
        double *x = bench_allocate(count * sizeof(double));
        solvers_answer(&run, count, x);
        g->residual = solvers_residual(dim, n, 0, b, x);
        bench_release(x);
    }
    solvers_free(&run);
    bench_release(b);
    return found;
}

/// Of the larger half of the sizes.
static double exponent(const growth *g, const double *y)
{
    int half = g->count / 2;
    return solvers_exponent(g->unknowns + half, y + half, g->count - half);
}

static void print(const growth *g, const struct method *m, int dim, solvers_report *report)
{
    int last = g->count - 1, half = g->count / 2;
    const solvers_cell cells[] = {
        {m->name, 0},
        {NULL, dim},
        {NULL, g->n[half]},
        {NULL, g->n[last]},
        {m->talk, 0},
        {m->form[dim - 2], 0},
        {NULL, m->grows ? exponent(g, g->work) : (double)NAN},
        {NULL, exponent(g, g->seconds)},
        {NULL, g->cycles[last]},
        {NULL, g->seconds[last] * 1e3},
        {NULL, g->seconds[last] / g->unknowns[last] * 1e9},
        {NULL, g->residual},
    };
    solvers_row(report, cells);
}

static void leave_points(const growth *g, const struct method *m, int dim, FILE *file)
{
    for (int q = 0; q < g->count && file; q++)
        fprintf(file, "%s\t%d\t%d\t%.0f\t%.6g\t%d\t%.4g\n", m->name, dim, g->n[q], g->unknowns[q],
                g->seconds[q], g->cycles[q], m->exponent[dim - 2]);
}

static int grow(const solvers_options *o, solvers_report *report, const struct method *m, int dim)
{
    // A solve that took this long is the last.
    double enough = o->quick ? 0.02 : 0.4;
    growth g = {.count = 0};
    for (int q = 0; q < MAX_SIZES && sizes[dim - 2][q]; q++) {
        int n = sizes[dim - 2][q];
        if (m->grows && n > MOST)
            break;
        int found = measure(&g, o, m, dim, n);
        if (found < 0) {
            fprintf(stderr, "gyre bench: %s: %s\n", m->name, gyre_message());
            return 1;
        }
        if (found == 0 || g.seconds[g.count - 1] > enough)
            break;
    }
    if (g.count == 0) {
        solvers_say(report, "%s in %dD: %s", m->name, dim, gyre_message());
        return 0;
    }
    print(&g, m, dim, report);
    leave_points(&g, m, dim, o->points);
    return 0;
}

int solvers_complexity(const solvers_options *o, solvers_report *report)
{
    solvers_table(
        report, "complexity",
        "to a relative residual of 1e-4; exponents of N over the larger half of the sizes", columns,
        sizeof columns / sizeof *columns);
    if (o->points)
        fprintf(o->points, "# solver\tdim\tn\tN\tseconds\tcycles\texponent in theory\n");
    for (int dim = 2; dim <= 3; dim++)
        for (int q = 0; q < METHODS; q++)
            if ((!o->only || !strcmp(o->only, gyre_solver_names[methods[q].kind])) &&
                grow(o, report, &methods[q], dim))
                return 1;
    solvers_say(report,
                "work: exponent of cycles times N, where cycles grow; time: of the thread's own "
                "seconds, caches included.");
    solvers_say(report, "The talk's column is for 2D, its first line for dense elimination. dense "
                        "and direct: with the elimination.");
    return 0;
}
