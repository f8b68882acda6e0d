// What no clock is needed for: cycles, and residuals in double precision, of every linear solver.
#include "bench/solvers.h"

#include <string.h>

/// One system per solver; its right-hand side is white noise and a long wave, which fades as n^2:
/// so it is as strong in x for any n, and a float has digits enough for the residual.
static const struct entry {
    const char *name;
    int kind;
    float omega;
    double tolerance;
    struct {
        int n, cycles; // cells a side, and cycles at most
    } of[2];           // in 2D and 3D
} entries[] = {
    {"multigrid", GYRE_SOLVER_MULTIGRID, 0, 1e-4, {{512, 3}, {64, 3}}},
    {"multigrid refined", GYRE_SOLVER_MULTIGRID, 0, 1e-6, {{512, 5}, {64, 5}}},
    {"mgpcg", GYRE_SOLVER_MGPCG, 0, 1e-4, {{512, 3}, {64, 3}}},
    {"pcg mic0", GYRE_SOLVER_PCG, 0, 1e-4, {{128, 48}, {32, 24}}},
    {"cg", GYRE_SOLVER_CG, 0, 1e-4, {{128, 350}, {32, 125}}},
    {"red_black sor", GYRE_SOLVER_RED_BLACK, 0, 1e-4, {{64, 168}, {24, 80}}},
    {"gauss_seidel sor", GYRE_SOLVER_GAUSS_SEIDEL, 0, 1e-4, {{64, 176}, {24, 80}}},
    {"gauss_seidel", GYRE_SOLVER_GAUSS_SEIDEL, 1, 1e-4, {{32, 1280}, {16, 416}}},
    {"jacobi", GYRE_SOLVER_JACOBI, 0.9f, 1e-4, {{32, 2800}, {16, 928}}},
    {"cyclic_reduction", GYRE_SOLVER_CYCLIC_REDUCTION, 0, 1e-4, {{512, 1}, {64, 1}}},
    {"fft", GYRE_SOLVER_FFT, 0, 1e-4, {{512, 1}, {64, 1}}},
    {"direct", GYRE_SOLVER_DIRECT, 0, 1e-4, {{64, 1}, {12, 1}}},
    {"dense", GYRE_SOLVER_DENSE, 0, 1e-4, {{24, 1}, {8, 1}}},
};

static const solvers_column columns[] = {
    {"solver", -17, 0}, {"dim", 3, 1},  {"n", 4, 4},        {"tolerance", 9, 3},
    {"cycles", 6, 6},   {"most", 6, 6}, {"residual", 9, 3},
};

static int measure(const solvers_options *o, solvers_report *report, const struct entry *e, int dim)
{
    int n = e->of[dim - 2].n, most = e->of[dim - 2].cycles;
    size_t count = solvers_cells(dim, n);
    gyre_solver_def def = solvers_def(e->kind, e->tolerance, 10000);
    def.omega = e->omega;
    def.refine = e->tolerance < 1e-5;
    float *b = bench_allocate(count * sizeof(float));
    double *x = bench_allocate(count * sizeof(double));
    solvers_run run;
    solvers_noise(b, count);
    solvers_add_wave(b, dim, n, 100.0 / n / n);
    bool solved = solvers_make(&run, o->one, dim, n, 0, &def) && solvers_once(&run, b, NULL);
    if (solved) {
        char what[96];
        solvers_answer(&run, count, x);
        double residual = solvers_residual(dim, n, 0, b, x);
        const solvers_cell cells[] = {
            {e->name, 0},
            {NULL, dim},
            {NULL, n},
            {NULL, e->tolerance},
            {NULL, run.stats.cycles},
            {NULL, most},
            {NULL, residual},
        };
        solvers_row(report, cells);
        // A float's tolerance is not exactly the double's, nor is the residual that a float solve
        // measures.
        snprintf(what, sizeof what, "%s in %dD: residual", e->name, dim);
        solvers_gate(report, what, residual, 1.05 * e->tolerance, true);
        snprintf(what, sizeof what, "%s in %dD: cycles", e->name, dim);
        solvers_gate(report, what, run.stats.cycles, most, true);
    } else {
        fprintf(stderr, "gyre bench: %s in %dD: %s\n", e->name, dim, gyre_message());
    }
    solvers_free(&run);
    bench_release(x);
    bench_release(b);
    return solved ? 0 : 1;
}

int solvers_untimed(const solvers_options *o, solvers_report *report)
{
    solvers_table(report, "untimed", "white noise and a long wave in a box of shut sides", columns,
                  sizeof columns / sizeof *columns);
    for (size_t q = 0; q < sizeof entries / sizeof *entries; q++)
        for (int dim = 2; dim <= 3; dim++)
            if ((!o->only || !strcmp(o->only, gyre_solver_names[entries[q].kind])) &&
                measure(o, report, &entries[q], dim))
                return 1;
    return 0;
}
