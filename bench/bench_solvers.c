// gyre bench solvers: how the time of every linear solver grows, what a multigrid cycle costs, how
// both stand beside other libraries, and the two remarks on conjugate gradients in the paper; and
// what no clock is needed for.
#include "bench/solvers.h"

#include <stdlib.h>
#include <string.h>

typedef int part_function(const solvers_options *options, solvers_report *report);

static const struct part {
    const char *name;
    part_function *run[2]; // the second may be missing
} parts[] = {
    {"complexity", {solvers_complexity}},
    {"speed", {solvers_speed}},
    {"cycle", {solvers_cycle}},
    {"asides", {solvers_fixed, solvers_diffusion}},
};

enum { PARTS = sizeof parts / sizeof *parts };

typedef struct arguments {
    bool json, gate, untimed;
    const char *part, *points;
} arguments;

static int usage(const char *what, const char *word)
{
    fprintf(stderr, "gyre bench: %s%s\n", what, word);
    fprintf(stderr, "usage: " BENCH_SOLVERS_USAGE);
    return 2;
}

static int parse_threads(solvers_options *o, const char *text)
{
    const char *wrong = bench_threads(text, o->threads, BENCH_THREADS, &o->thread_counts);
    return wrong ? usage(wrong, text) : 0;
}

static int parse(solvers_options *o, arguments *a, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool takes = !strcmp(word, "--threads") || !strcmp(word, "--part") ||
                     !strcmp(word, "--points") || !strcmp(word, "--solver");
        if (takes && !value)
            return usage("a value is missing after ", word);
        i += takes;
        if (!strcmp(word, "--json"))
            a->json = true;
        else if (!strcmp(word, "--quick"))
            o->quick = true;
        else if (!strcmp(word, "--gate"))
            a->gate = true;
        else if (!strcmp(word, "--untimed"))
            a->untimed = true;
        else if (!strcmp(word, "--part"))
            a->part = value;
        else if (!strcmp(word, "--points"))
            a->points = value;
        else if (!strcmp(word, "--solver"))
            o->only = value;
        else if (!takes)
            return usage("unknown option ", word);
        else if (parse_threads(o, value))
            return 2;
    }
    if (a->untimed && (a->part || a->points))
        return usage("--untimed goes with neither --part nor --points", "");
    bool part = !a->part, solver = !o->only;
    for (int p = 0; p < PARTS; p++)
        part = part || !strcmp(a->part, parts[p].name);
    for (int s = 1; s < GYRE_SOLVER_COUNT; s++)
        solver = solver || !strcmp(o->only, gyre_solver_names[s]);
    if (!part)
        return usage("--part takes complexity, speed, cycle or asides, not ", a->part);
    return solver ? 0 : usage("--solver takes the name of a solver, not ", o->only);
}

static int run_parts(const solvers_options *o, const arguments *a, solvers_report *report)
{
    int status = 0;
    if (a->json)
        printf("[\n");
    if (a->untimed)
        status = solvers_untimed(o, report);
    for (int p = 0; p < PARTS && !a->untimed; p++)
        for (int q = 0; q < 2 && parts[p].run[q] && !status; q++)
            if (!a->part || !strcmp(a->part, parts[p].name))
                status = parts[p].run[q](o, report);
    if (a->json)
        printf("\n]\n");
    return status;
}

static int make_device(int threads, gyre_device **device)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    if (gyre_device_create(&def, device) == GYRE_OK)
        return 0;
    fprintf(stderr, "gyre bench: the device: %s\n", gyre_message());
    return 1;
}

int bench_solvers(int argc, char **argv)
{
    solvers_options o = {.threads = {1, 2}, .thread_counts = 2};
    arguments a = {0};
    int status = parse(&o, &a, argc, argv);
    if (status)
        return status;
    solvers_report report = {.json = a.json};
    if (a.points && !(o.points = fopen(a.points, "w"))) {
        fprintf(stderr, "gyre bench: %s: cannot be written\n", a.points);
        return 1;
    }
    status = make_device(1, &o.one);
    for (int t = 0; t < o.thread_counts && !status; t++)
        status = make_device(o.threads[t], &o.devices[t]);
    if (!status)
        status = run_parts(&o, &a, &report);
    for (int t = 0; t < o.thread_counts; t++)
        gyre_device_destroy(o.devices[t]);
    gyre_device_destroy(o.one);
    if (o.points && fclose(o.points) && !status) {
        fprintf(stderr, "gyre bench: %s: cannot be written\n", a.points);
        status = 1;
    }
    return status ? status : a.gate && report.missed > 0;
}
