// What a multigrid cycle costs: nanoseconds and bytes per cell, and how near that comes to copying.
#include "bench/solvers.h"

#include <math.h>

static const solvers_column columns[] = {
    {"size", -7, 0},    {"threads", 7, 3},        {"ns_per_cell", 11, 4},
    {"aim", 5, 3},      {"stretch", 7, 3},        {"bytes_per_cell", 14, 4},
    {"gb_per_s", 8, 4}, {"copy_gb_per_s", 13, 4}, {"of_copy", 7, 3},
};

/// Bytes that a V(2,2)-cycle and the check of its residual must move per cell of the finest level
/// in a box, where no coefficients are read: what src/ops/ says of its ops, each array counted once
/// for each pass over it.
static double bytes_of_cycle(int dim)
{
    double sweep = 12;                   // x and b read, x written
    double residual = 0.5 * (4 + 4 + 4); // of one colour: x of both, b
    double coarse = 4.0 / (dim == 3 ? 8 : 4);
    double level = 4 * sweep + residual + coarse // sweeps; the residual, summed into coarse b
                   + coarse + 8;                 // coarse x read, added to x
    double smaller = dim == 3 ? 8.0 / 7 : 4.0 / 3;
    return level * smaller + residual;
}

int solvers_cycle(const solvers_options *o, solvers_report *report)
{
    static const struct size {
        const char *name;
        int dim, n;
        double aim, stretch;
    } sizes[] = {{"1024^2", 2, 1024, 7, 4}, {"128^3", 3, 128, 12, 8}};
    enum { CYCLES = 8, ROUNDS = 9 };
    solvers_table(report, "cycle",
                  "a V(2,2)-cycle with the check of its residual, white noise in a box", columns,
                  sizeof columns / sizeof *columns);
    for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++) {
        size_t count = solvers_cells(sizes[q].dim, sizes[q].n);
        float *b = bench_allocate(count * sizeof(float));
        solvers_noise(b, count);
        for (int t = 0; t < o->thread_counts; t++) {
            gyre_solver_def def = solvers_def(GYRE_SOLVER_MULTIGRID, 0, CYCLES);
            solvers_run run;
            double copy = 0;
            bool solved = solvers_make(&run, o->devices[t], sizes[q].dim, sizes[q].n, 0, &def);
            for (int round = 0; round < (o->quick ? 3 : ROUNDS) && solved; round++) {
                copy = fmax(copy, bench_copy_rate(o->devices[t], o->threads[t]));
                solved = solvers_once(&run, b, NULL);
            }
            if (!solved) {
                fprintf(stderr, "gyre bench: multigrid: %s\n", gyre_message());
                solvers_free(&run);
                bench_release(b);
                return 1;
            }
            double seconds = run.best / run.stats.cycles / (double)count;
            double bytes = bytes_of_cycle(sizes[q].dim);
            const solvers_cell cells[] = {{sizes[q].name, 0},
                                          {NULL, o->threads[t]},
                                          {NULL, seconds * 1e9},
                                          {NULL, sizes[q].aim},
                                          {NULL, sizes[q].stretch},
                                          {NULL, bytes},
                                          {NULL, bytes / seconds * 1e-9},
                                          {NULL, copy * 1e-9},
                                          {NULL, bytes / seconds / copy}};
            solvers_row(report, cells);
            solvers_free(&run);
        }
        bench_release(b);
    }
    solvers_say(report,
                "Aims are for one thread. More than all of the copy's rate is the caches'.");
    return 0;
}
