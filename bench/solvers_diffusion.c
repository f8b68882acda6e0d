// An aside of the paper, measured: whether conjugate gradients are worth it in diffuse.
//
// Diffusion by backward Euler solves x - k laplace(x) = x0 with k = nu dt / h^2, lengths in cells:
// the system of gyre/solve.h with shift 1 / k and b = x0 / k. Every solver starts from x0.
#include "bench/solvers.h"

#include <math.h>
#include <string.h>

static const struct entry {
    const char *name;
    int kind;
    float omega;
} entries[] = {
    {"gauss_seidel", GYRE_SOLVER_GAUSS_SEIDEL, 1},
    {"red_black", GYRE_SOLVER_RED_BLACK, 1},
    {"cg", GYRE_SOLVER_CG, 0},
    {"pcg mic0", GYRE_SOLVER_PCG, 0},
    {"multigrid", GYRE_SOLVER_MULTIGRID, 0},
};

enum { ENTRIES = sizeof entries / sizeof *entries, RED_BLACK = 1, CG = 2, MULTIGRID = 4, KS = 8 };

static const double ks[KS] = {0.01, 0.04, 0.1, 0.4, 1, 4, 10, 100};

static const solvers_column columns[] = {
    {"k", 6, 3},         {"tolerance", 9, 3}, {"gauss_seidel", 12, 4},
    {"red_black", 9, 4}, {"cg", 6, 4},        {"pcg", 6, 4},
    {"multigrid", 9, 4}, {"gs_ms", 9, 3},     {"red_black_ms", 12, 3},
    {"cg_ms", 9, 3},     {"pcg_ms", 9, 3},    {"multigrid_ms", 12, 3},
};

/// Cycles and seconds (the thread's own) of one solver for one k; NaN where it does not take the
/// system or needs more than 10000 sweeps.
static bool measure(const solvers_options *o, const struct entry *e, int n, double k,
                    double tolerance, const float *x0, double *cycles, double *seconds)
{
    size_t count = solvers_cells(2, n);
    gyre_solver_def def = solvers_def(e->kind, tolerance, 10000);
    def.omega = e->omega;
    solvers_run run;
    *cycles = *seconds = (double)NAN;
    if (!solvers_make(&run, o->one, 2, n, (float)(1 / k), &def))
        return true;
    float *b = bench_allocate(count * sizeof(float));
    for (size_t c = 0; c < count; c++)
        b[c] = x0[c] / (float)k;
    bool solved = solvers_often(&run, b, x0, o->quick ? 0.002 : 0.02);
    if (solved && run.stats.residual <= 1.01 * tolerance) {
        *cycles = run.stats.cycles;
        *seconds = run.own;
    }
    bench_release(b);
    solvers_free(&run);
    return solved;
}

/// Says from which k on one solver is quicker than another wherever both come to the end, between
/// two that were measured.
static void say_crossing(solvers_report *report, double tolerance, const char *slow_name,
                         const double *slow, const char *quick_name, const double *quick)
{
    int from = KS;
    for (int q = KS - 1; q >= 0 && !(quick[q] >= slow[q]); q--)
        from = quick[q] < slow[q] ? q : from;
    if (from == KS)
        solvers_say(report, "To %g %s is nowhere quicker than %s.", tolerance, quick_name,
                    slow_name);
    else
        solvers_say(report, "To %g %s is quicker than %s from k = %.2g on.", tolerance, quick_name,
                    slow_name, from > 0 ? sqrt(ks[from - 1] * ks[from]) : ks[0]);
}

int solvers_diffusion(const solvers_options *o, solvers_report *report)
{
    static const double tolerances[] = {1e-3, 1e-5};
    int n = o->quick ? 128 : 512;
    size_t count = solvers_cells(2, n);
    float *x0 = bench_allocate(count * sizeof(float));
    int status = 0;
    solvers_noise(x0, count);
    solvers_add_wave(x0, 2, n, 0.1);
    solvers_table(report, "diffusion",
                  "sweeps, iterations or cycles, and milliseconds, in 2D on one thread", columns,
                  sizeof columns / sizeof *columns);
    for (int t = 0; t < 2 && !status; t++) {
        double seconds[ENTRIES][KS], cycles[ENTRIES];
        for (int q = 0; q < KS && !status; q++) {
            solvers_cell cells[2 + 2 * ENTRIES] = {{NULL, ks[q]}, {NULL, tolerances[t]}};
            for (int e = 0; e < ENTRIES && !status; e++) {
                status = !measure(o, &entries[e], n, ks[q], tolerances[t], x0, &cycles[e],
                                  &seconds[e][q]);
                cells[2 + e].number = cycles[e];
                cells[2 + ENTRIES + e].number = seconds[e][q] * 1e3;
            }
            if (status)
                fprintf(stderr, "gyre bench: diffusion: %s\n", gyre_message());
            else
                solvers_row(report, cells);
        }
        if (status)
            break;
        say_crossing(report, tolerances[t], "red_black", seconds[RED_BLACK], "cg", seconds[CG]);
        say_crossing(report, tolerances[t], "cg", seconds[CG], "multigrid", seconds[MULTIGRID]);
        say_crossing(report, tolerances[t], "red_black", seconds[RED_BLACK], "multigrid",
                     seconds[MULTIGRID]);
    }
    bench_release(x0);
    return status;
}
