// gyre's multigrid beside hypre's and its transforms beside FFTW's: the same systems, the same
// right-hand side, in turns within one run. Every answer is judged by the same residual in double
// precision.
#include "bench/rival.h"
#include "bench/solvers.h"

#include <math.h>
#include <string.h>

enum { MAX_ROUNDS = 5, MAX_ENTRIES = 8 };

static const struct size {
    const char *name;
    int dim, n, rounds;
    bool quick;
} sizes[] = {
    {"512^2", 2, 512, 3, true},
    {"64^3", 3, 64, 3, true},
    {"1024^2", 2, 1024, MAX_ROUNDS, false},
    {"2048^2", 2, 2048, 3, false},
    {"128^3", 3, 128, MAX_ROUNDS, false},
    {"256^3", 3, 256, 3, false},
};

static const solvers_column columns[] = {
    {"size", -7, 0},   {"solver", -22, 0},     {"threads", 7, 3},      {"tolerance", 9, 3},
    {"cycles", 6, 4},  {"ms", 8, 4},           {"ns_per_cell", 11, 4}, {"residual", 9, 3},
    {"make_ms", 8, 4}, {"times_rival", 11, 4},
};

/// One solver at one size: gyre's, or where rival is set another's.
typedef struct entry {
    char name[64];
    const bench_rival *rival;
    void *solver; // the rival's
    solvers_run run;
    int threads, cycles;
    double residual;
} entry;

/// Entries that are to be compared: gyre's first.
typedef struct contest {
    const struct size *size;
    double tolerance;
    size_t cells;
    float *b;
    double *x;
    entry entries[MAX_ENTRIES];
    int count;
} contest;

static const bench_rival *open_rival(const char *name, const char *packages,
                                     const solvers_report *report)
{
    char why[4352];
    void *symbol = bench_module(name, "bench_rival_of_module", why, sizeof why);
    bench_rival_function *function;
    if (!symbol) {
        solvers_say(report,
                    "Nothing to compare with from %s: %s. apt-get install %s and building anew "
                    "would bring it.",
                    name, why, packages);
        return NULL;
    }
    memcpy(&function, &symbol, sizeof function);
    return function();
}

// ---------------------------------------------------------------- a contest

static bool add_gyre(contest *c, const solvers_options *o, int t, const gyre_solver_def *def)
{
    entry *e = &c->entries[c->count];
    *e = (entry){.threads = o->threads[t]};
    snprintf(e->name, sizeof e->name, "%s%s", gyre_solver_names[def->solver],
             def->refine ? " refined" : "");
    if (!solvers_make(&e->run, o->devices[t], c->size->dim, c->size->n, 0, def))
        return false;
    c->count++;
    return true;
}

static void add_rival(contest *c, const bench_rival *rival, int threads,
                      const solvers_report *report)
{
    // hypre in double precision: the matrix, its coarse ones and a dozen vectors.
    double left = (double)bench_memory_left();
    if (left > 0 && left < 300.0 * (double)c->cells) {
        solvers_say(report, "%s is left out at %s: memory is short.", rival->name, c->size->name);
        return;
    }
    for (int method = 0; rival->methods[method] && c->count < MAX_ENTRIES; method++) {
        entry *e = &c->entries[c->count];
        double start = bench_now();
        *e = (entry){.rival = rival, .threads = threads, .run.best = INFINITY};
        snprintf(e->name, sizeof e->name, "%s %s", rival->name, rival->methods[method]);
        e->solver = rival->make(method, c->size->dim, c->size->n, threads, c->tolerance);
        e->run.make = bench_now() - start;
        c->count += e->solver != NULL;
    }
}

static bool run_once(contest *c, entry *e)
{
    if (!e->rival) {
        if (!solvers_once(&e->run, c->b, NULL))
            return false;
        e->cycles = e->run.stats.cycles;
        return true;
    }
    e->rival->set_b(e->solver, c->b);
    double start = bench_now();
    e->cycles = e->rival->solve(e->solver);
    e->run.best = fmin(e->run.best, bench_now() - start);
    return e->cycles >= 0;
}

static bool run_all(contest *c)
{
    for (int round = 0; round < c->size->rounds; round++)
        for (int q = 0; q < c->count; q++)
            if (!run_once(c, &c->entries[q]))
                return false;
    for (int q = 0; q < c->count; q++) {
        entry *e = &c->entries[q];
        if (e->rival)
            e->rival->get_x(e->solver, c->x);
        else
            solvers_answer(&e->run, c->cells, c->x);
        e->residual = solvers_residual(c->size->dim, c->size->n, 0, c->b, c->x);
    }
    return true;
}

static void finish(contest *c)
{
    for (int q = 0; q < c->count; q++) {
        entry *e = &c->entries[q];
        if (e->rival)
            e->rival->free(e->solver);
        else
            solvers_free(&e->run);
    }
    c->count = 0;
}

/// The time of the quickest rival that reached the tolerance, on as many threads or on as many as
/// it can use, over an entry's; NaN for rivals and where there is none.
static double times_rival(const contest *c, const entry *e)
{
    double best = INFINITY;
    for (int q = 0; q < c->count && !e->rival; q++) {
        const entry *other = &c->entries[q];
        bool there = c->tolerance == 0 || other->residual <= 1.05 * c->tolerance;
        bool fair =
            other->threads == e->threads || (other->rival && other->rival->threads < e->threads);
        if (other->rival && there && fair)
            best = fmin(best, other->run.best);
    }
    return isfinite(best) ? best / e->run.best : (double)NAN;
}

static void print(const contest *c, solvers_report *report)
{
    for (int q = 0; q < c->count; q++) {
        const entry *e = &c->entries[q];
        double ms = e->run.best * 1e3;
        const solvers_cell cells[] = {{c->size->name, 0},
                                      {e->name, 0},
                                      {NULL, e->threads},
                                      {NULL, c->tolerance > 0 ? c->tolerance : (double)NAN},
                                      {NULL, e->cycles},
                                      {NULL, ms},
                                      {NULL, ms * 1e6 / (double)c->cells},
                                      {NULL, e->residual},
                                      {NULL, e->run.make * 1e3},
                                      {NULL, times_rival(c, e)}};
        solvers_row(report, cells);
    }
}

// ---------------------------------------------------------------- gates

/// The bounds are meant for one thread.
static void gates(const contest *c, solvers_report *report)
{
    char what[128];
    for (int q = 0; q < c->count; q++) {
        const entry *e = &c->entries[q];
        double times = times_rival(c, e);
        if (e->rival || e->threads != 1)
            continue;
        if (c->tolerance > 0) {
            snprintf(what, sizeof what, "%s %s to %g: residual", c->size->name, e->name,
                     c->tolerance);
            // A float's tolerance is not exactly the double's, nor is the residual that a float
            // solve measures.
            solvers_gate(report, what, e->residual, 1.05 * c->tolerance, true);
        }
        if (isnan(times))
            continue;
        if (c->tolerance > 0) {
            snprintf(what, sizeof what, "%s %s to %g: times faster than hypre", c->size->name,
                     e->name, c->tolerance);
            solvers_gate(report, what, times, 5, false);
        } else {
            snprintf(what, sizeof what, "%s %s: times FFTW's time", c->size->name, e->name);
            solvers_gate(report, what, 1 / times, 1.25, true);
        }
    }
}

// ---------------------------------------------------------------- sizes

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench: %s: %s\n", what, gyre_message());
    return 1;
}

/// Multigrid to one tolerance, in plain float or refined.
static int race_multigrid(contest *c, const solvers_options *o, solvers_report *report,
                          const bench_rival *hypre, double tolerance)
{
    gyre_solver_def def = solvers_def(GYRE_SOLVER_MULTIGRID, tolerance, 50);
    def.refine = tolerance < 1e-5;
    c->tolerance = tolerance;
    bool made = true;
    for (int t = 0; t < o->thread_counts && made; t++)
        made = add_gyre(c, o, t, &def);
    if (hypre && made)
        add_rival(c, hypre, 1, report);
    int status = made && run_all(c) ? 0 : fail("multigrid");
    if (!status) {
        print(c, report);
        gates(c, report);
    }
    finish(c);
    return status;
}

static int race_transforms(contest *c, const solvers_options *o, solvers_report *report,
                           const bench_rival *fftw)
{
    gyre_solver_def def = solvers_def(GYRE_SOLVER_FFT, 1e-4, 1);
    c->tolerance = 0;
    bool made = true;
    for (int t = 0; t < o->thread_counts && made; t++)
        made = add_gyre(c, o, t, &def);
    for (int t = 0; t < o->thread_counts && fftw && made; t++)
        add_rival(c, fftw, o->threads[t], report);
    int status = made && run_all(c) ? 0 : fail("fft");
    if (!status) {
        print(c, report);
        gates(c, report);
    }
    finish(c);
    return status;
}

int solvers_speed(const solvers_options *o, solvers_report *report)
{
    const bench_rival *hypre = open_rival("bench_hypre", "libhypre-dev libopenmpi-dev", report);
    const bench_rival *fftw = open_rival("bench_fftw", "libfftw3-dev", report);
    solvers_table(report, "speed",
                  "white noise in a box of shut sides; the residual is measured in double", columns,
                  sizeof columns / sizeof *columns);
    int status = 0;
    for (size_t q = 0; q < sizeof sizes / sizeof *sizes && !status; q++) {
        if (sizes[q].quick != o->quick)
            continue;
        size_t count = solvers_cells(sizes[q].dim, sizes[q].n);
        contest c = {.size = &sizes[q],
                     .cells = count,
                     .b = bench_allocate(count * sizeof(float)),
                     .x = bench_allocate(count * sizeof(double))};
        solvers_noise(c.b, count);
        status = race_multigrid(&c, o, report, hypre, 1e-4);
        if (!status)
            status = race_multigrid(&c, o, report, hypre, 1e-6);
        if (!status)
            status = race_transforms(&c, o, report, fftw);
        bench_release(c.b);
        bench_release(c.x);
    }
    if (hypre)
        solvers_say(report, "hypre runs on one process here; a gyre on more threads is held "
                            "against that.");
    return status;
}
