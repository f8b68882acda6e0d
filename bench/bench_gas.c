// gyre bench gas: the gas's step beside the founding texts' own programs and this machine's floors,
// interleaved in one run, so that the ratios hold on a machine that other people use too.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 32, WARM_UP = 3 };

typedef struct options {
    bool json, offline, quick, gate;
    int threads[BENCH_THREADS], thread_counts;
    const char *isa, *only;
} options;

static const struct bench_case {
    const char *name;
    int dim, n;
    bool quick;
} cases[] = {
    {"2d_512", 2, 512, true},
    {"2d_1024", 2, 1024, false},
    {"3d_64", 3, 64, true},
    {"3d_128", 3, 128, false},
};

static const double courant[2] = {0.9, 4.0};

typedef struct series {
    double value[MAX_ROUNDS];
    int count;
} series;

static void put(series *s, double value)
{
    if (s->count < MAX_ROUNDS)
        s->value[s->count++] = value;
}

static double median(const series *s)
{
    series copy = *s;
    return bench_median(copy.value, copy.count);
}

/// One gas that is stepped at one Courant number on one device.
typedef struct runner {
    gyre_gas *gas;
    int threads;
    double cfl, h, div_ratio;
    float speed;
    int64_t cycles, steps;
    series seconds;
} runner;

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench: %s: %s\n", what, gyre_message());
    return 1;
}

// ---------------------------------------------------------------- one gas

int bench_gas_fill(gyre_gas *gas, const bench_flow *flow, float *speed)
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z", "density",
                                        "temperature"};
    *speed = 0;
    for (int f = 0; f < 5; f++) {
        if (f == 2 && flow->dim == 2)
            continue;
        gyre_field_view view;
        int field = gyre_gas_field(gas, names[f]);
        if (field < 0 || gyre_gas_map(gas, field, &view) != GYRE_OK)
            return fail(names[f]);
        for (int k = 0; k < view.n[2]; k++)
            for (int j = 0; j < view.n[1]; j++) {
                float *row = view.data + j * view.stride[1] + k * view.stride[2];
                if (f >= 3) {
                    bench_scalar_row(flow, j, k, row);
                    continue;
                }
                bench_flow_row(flow, f, j, k, row);
                for (int i = 0; i < view.n[0]; i++)
                    *speed = fmaxf(*speed, fabsf(row[i]));
            }
        if (gyre_gas_unmap(gas, field) != GYRE_OK)
            return fail(names[f]);
    }
    return 0;
}

static gyre_gas_def def_of(int dim, int n)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    return def;
}

static int runner_make(runner *r, gyre_device *device, const bench_flow *flow, int threads,
                       double cfl)
{
    gyre_gas_def def = def_of(flow->dim, flow->n);
    *r = (runner){.threads = threads, .cfl = cfl, .h = (double)def.grid.h};
    if (gyre_gas_create(device, &def, &r->gas) != GYRE_OK)
        return fail("the gas");
    return bench_gas_fill(r->gas, flow, &r->speed);
}

static int runner_step(runner *r, bool count)
{
    float dt = (float)(r->cfl * r->h / fmax((double)r->speed, 1e-6));
    double start = bench_now();
    if (gyre_gas_step(r->gas, dt) != GYRE_OK)
        return fail("step");
    double seconds = bench_now() - start;
    gyre_gas_stats stats = gyre_gas_get_stats(r->gas);
    r->speed = stats.max_speed;
    if (count) {
        put(&r->seconds, seconds);
        r->cycles += stats.cycles;
        r->steps++;
    }
    return 0;
}

/// Root mean square of the divergence after the last step, by face differences, over that before
/// its projection.
static int measure_divergence(runner *r, int dim, int n)
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    size_t count = (size_t)n * (size_t)n * (size_t)(dim == 3 ? n : 1);
    float *sum = bench_allocate(count * sizeof(float));
    for (int axis = 0; axis < dim; axis++) {
        gyre_field_view v;
        int field = gyre_gas_field(r->gas, names[axis]);
        if (field < 0 || gyre_gas_map(r->gas, field, &v) != GYRE_OK)
            return fail(names[axis]);
        for (size_t c = 0; c < count; c++) {
            ptrdiff_t i = (ptrdiff_t)c % n, j = (ptrdiff_t)c / n % n, k = (ptrdiff_t)c / n / n;
            const float *at = v.data + i + j * v.stride[1] + k * v.stride[2];
            sum[c] += at[v.stride[axis]] - at[0];
        }
        if (gyre_gas_unmap(r->gas, field) != GYRE_OK)
            return fail(names[axis]);
    }
    double square = 0;
    for (size_t c = 0; c < count; c++)
        square += (double)sum[c] * (double)sum[c];
    bench_release(sum);
    double before = gyre_gas_get_stats(r->gas).div_rms_before;
    r->div_ratio = before > 0 ? sqrt(square / (double)count) / r->h / before : 0;
    return 0;
}

// ---------------------------------------------------------------- one case

/// All that is measured for one case, in seconds, bytes per second.
typedef struct measured {
    const struct bench_case *what;
    double cells;
    runner runners[2 * BENCH_THREADS];
    int runner_count;
    series classic, classic_4; // per step; classic_4: the cube with 4 sweeps
    double classic_div[2];     // root mean squares before and after the last projection
    series lookup[BENCH_THREADS], copy[BENCH_THREADS];
    size_t bytes; // of the gas
} measured;

static double ns_per_cell(const measured *m, const series *s)
{
    return median(s) / m->cells * 1e9;
}

/// One round: everything once, so that a slow moment of the machine slows all of it.
static int run_round(measured *m, const options *o, gyre_device **devices, bench_lookup *lookup,
                     bench_classic *classic)
{
    double h = 1.0 / m->what->n;
    for (int t = 0; t < o->thread_counts; t++)
        put(&m->copy[t], bench_copy_rate(devices[t], o->threads[t]));
    for (int t = 0; t < o->thread_counts; t++)
        put(&m->lookup[t], bench_lookup_time(lookup, devices[t], o->threads[t]));
    // The second of two steps counts: as for the look-ups, caches and wide vector units are awake.
    for (int r = 0; r < m->runner_count; r++)
        if (runner_step(&m->runners[r], false) || runner_step(&m->runners[r], true))
            return 1;
    float dt = (float)(courant[0] * h / (double)bench_classic_speed(classic));
    double start = bench_now();
    bench_classic_step(classic, dt, 20);
    double between = bench_now();
    put(&m->classic, between - start);
    if (m->what->dim == 3) {
        bench_classic_step(classic, dt, 4);
        put(&m->classic_4, bench_now() - between);
    }
    return 0;
}

static int run_case(measured *m, const options *o, gyre_device **devices)
{
    int dim = m->what->dim, n = m->what->n;
    int rounds = o->quick ? 3 : dim == 2 ? 9 : 7, status = 0;
    m->cells = pow(n, dim);
    gyre_gas_def def = def_of(dim, n);
    m->bytes = gyre_gas_size(&def);
    bench_flow flow = bench_flow_make(dim, n);
    bench_lookup lookup = bench_lookup_make(dim, n);
    bench_classic classic = bench_classic_make(&flow);
    for (int t = 0; t < o->thread_counts && !status; t++)
        for (int c = 0; c < 2 && !status; c++)
            status = runner_make(&m->runners[m->runner_count++], devices[t], &flow, o->threads[t],
                                 courant[c]);
    for (int step = 0; step < WARM_UP && !status; step++)
        for (int r = 0; r < m->runner_count && !status; r++)
            status = runner_step(&m->runners[r], false);
    for (int round = 0; round < rounds && !status; round++)
        status = run_round(m, o, devices, &lookup, &classic);
    for (int r = 0; r < m->runner_count && !status; r++)
        status = measure_divergence(&m->runners[r], dim, n);
    if (!status)
        bench_classic_divergence(&classic,
                                 (float)(courant[0] / n / (double)bench_classic_speed(&classic)),
                                 20, m->classic_div);
    for (int r = 0; r < m->runner_count; r++)
        gyre_gas_destroy(m->runners[r].gas);
    bench_classic_free(&classic);
    bench_lookup_free(&lookup);
    bench_flow_free(&flow);
    return status;
}

// ---------------------------------------------------------------- results

/// What is printed of one gas.
typedef struct line {
    double ns, times_classic, times_lookup, times_copy, classic_div_ratio, cycles;
    double gain, copy_gain; // over one thread; 0 when one thread was not measured
} line;

static line line_of(const measured *m, const options *o, int r)
{
    const runner *run = &m->runners[r];
    int t = r / 2, d = m->what->dim, one = -1;
    line l = {.ns = ns_per_cell(m, &run->seconds)};
    l.times_classic = ns_per_cell(m, &m->classic) / l.ns;
    l.times_lookup = l.ns / ((d == 2 ? 8 : 10) * median(&m->lookup[t]) * 1e9);
    // At the least each of d + 2 fields is read once and written once.
    l.times_copy = l.ns / (2.0 * 4.0 * (d + 2) / median(&m->copy[t]) * 1e9);
    l.classic_div_ratio = m->classic_div[0] > 0 ? m->classic_div[1] / m->classic_div[0] : 0;
    l.cycles = run->steps > 0 ? (double)run->cycles / (double)run->steps : 0;
    for (int q = 0; q < o->thread_counts; q++)
        if (o->threads[q] == 1)
            one = q;
    if (one >= 0 && run->threads > 1) {
        l.gain = median(&m->runners[2 * one + r % 2].seconds) / median(&run->seconds);
        l.copy_gain = median(&m->copy[t]) / median(&m->copy[one]);
    }
    return l;
}

static void print_table(const measured *m, const options *o, const char *isa)
{
    double classic = ns_per_cell(m, &m->classic);
    printf("\n%s: %.1f bytes per cell; the %s takes %.0f ns per cell and step", m->what->name,
           (double)m->bytes / m->cells,
           m->what->dim == 2 ? "paper (velocity and 1 scalar)"
                             : "cube of 20 sweeps (velocity and 1 scalar)",
           classic);
    if (m->what->dim == 3)
        printf(", of 4 sweeps %.0f", ns_per_cell(m, &m->classic_4));
    printf("\n  look-up (%s)", bench_lookup_isa());
    for (int t = 0; t < o->thread_counts; t++)
        printf(" %.2f ns on %d", median(&m->lookup[t]) * 1e9, o->threads[t]);
    printf("; copy");
    for (int t = 0; t < o->thread_counts; t++)
        printf(" %.1f GB/s on %d", median(&m->copy[t]) * 1e-9, o->threads[t]);
    printf(" threads\n  %-8s %7s %5s %8s %8s %9s %7s %7s %10s %10s %6s\n", "isa", "threads", "cfl",
           "ns/cell", "classic", "look-ups", "copies", "cycles", "div", "classic's", "gain");
    for (int r = 0; r < m->runner_count; r++) {
        line l = line_of(m, o, r);
        printf("  %-8s %7d %5.1f %8.2f %7.1fx %8.2fx %6.2fx %7.1f %10.2e %10.2e", isa,
               m->runners[r].threads, m->runners[r].cfl, l.ns, l.times_classic, l.times_lookup,
               l.times_copy, l.cycles, m->runners[r].div_ratio, l.classic_div_ratio);
        printf(l.gain > 0 ? " %5.2fx\n" : "      -\n", l.gain);
    }
    fflush(stdout);
}

static void print_json(const measured *m, const options *o, const char *isa, bool *first)
{
    for (int r = 0; r < m->runner_count; r++) {
        line l = line_of(m, o, r);
        const runner *run = &m->runners[r];
        printf("%s  {\"case\": \"%s\", \"threads\": %d, \"isa\": \"%s\", \"cfl\": %g, ",
               *first ? "" : ",\n", m->what->name, run->threads, isa, run->cfl);
        printf("\"ns_per_cell\": %.4g, \"times_classic\": %.4g, \"times_lookup_floor\": %.4g, ",
               l.ns, l.times_classic, l.times_lookup);
        printf("\"times_copy_floor\": %.4g, \"div_ratio\": %.4g, \"classic_div_ratio\": %.4g, ",
               l.times_copy, run->div_ratio, l.classic_div_ratio);
        printf("\"cycles\": %.3g, \"bytes_per_cell\": %.4g, \"classic_ns_per_cell\": %.4g, ",
               l.cycles, (double)m->bytes / m->cells, ns_per_cell(m, &m->classic));
        if (m->what->dim == 3)
            printf("\"classic_4_sweeps_ns_per_cell\": %.4g, ", ns_per_cell(m, &m->classic_4));
        printf("\"lookup_ns\": %.4g, \"lookup_isa\": \"%s\", \"copy_gb_per_s\": %.4g",
               median(&m->lookup[r / 2]) * 1e9, bench_lookup_isa(), median(&m->copy[r / 2]) * 1e-9);
        if (l.gain > 0)
            printf(", \"gain\": %.4g, \"copy_gain\": %.4g", l.gain, l.copy_gain);
        printf("}");
        *first = false;
    }
    fflush(stdout);
}

static int gate(FILE *out, const char *name, const char *what, double value, double bound,
                bool at_most)
{
    bool reached = at_most ? value <= bound : value >= bound;
    fprintf(out, "%s %s: %s %.3g (%s %.3g)\n", reached ? "pass" : "FAIL", name, what, value,
            at_most ? "at most" : "at least", bound);
    return reached ? 0 : 1;
}

/// The gates hold at a Courant number of at most 1. Returns how many were not reached.
static int check_gates(const measured *m, const options *o, FILE *out)
{
    int missed = 0, dim = m->what->dim;
    const char *name = m->what->name;
    for (int r = 0; r < m->runner_count; r++) {
        const runner *run = &m->runners[r];
        line l = line_of(m, o, r);
        if (run->cfl > 1)
            continue;
        if (run->threads == 1) {
            missed += gate(out, name, "times the look-up floor", l.times_lookup, 2.5, true);
            missed += gate(out, name, "times less than the classic's time", l.times_classic,
                           dim == 2 ? 20 : 10, false);
            double lower = run->div_ratio > 0 ? l.classic_div_ratio / run->div_ratio : 0;
            missed += gate(out, name, "times less divergence left than by the classic", lower, 100,
                           false);
        } else if (run->threads == 2 && l.gain > 0) {
            missed +=
                gate(out, name, "gain of two threads", l.gain, fmin(0.9 * l.copy_gain, 1.8), false);
        }
    }
    if (dim == 3 && m->what->n == 128)
        missed += gate(out, name, "bytes per cell", (double)m->bytes / m->cells, 80, true);
    return missed;
}

// ---------------------------------------------------------------- the off-line size

static int run_offline(const options *o, gyre_device *device, int threads)
{
    const int n = o->quick ? 128 : 512, frames = 3;
    gyre_gas_def def = def_of(3, n);
    double need = (double)gyre_gas_size(&def), left = (double)bench_memory_left();
    double gib = 1.0 / (1 << 30);
    if (need == 0)
        return fail("the gas");
    if (left > 0 && need * 1.02 + 64e6 > left) {
        fprintf(stderr,
                "gyre bench: %d^3 cells need %.1f GiB of memory; %.1f GiB are left on this "
                "machine\n",
                n, need * gib, left * gib);
        return 1;
    }
    bench_flow flow = bench_flow_make(3, n);
    runner r = {0};
    int status = runner_make(&r, device, &flow, threads, courant[0]);
    for (int f = 0; f < frames && !status; f++) {
        status = runner_step(&r, true);
        if (!status && !o->json)
            printf("frame %d: %.2f s\n", f + 1, r.seconds.value[f]);
        fflush(stdout);
    }
    double seconds = median(&r.seconds), cells = pow(n, 3);
    if (!status && o->json)
        printf("[{\"case\": \"offline_%d\", \"threads\": %d, \"isa\": \"%s\", \"cfl\": %g, "
               "\"seconds_per_frame\": %.4g, \"ns_per_cell\": %.4g, \"bytes\": %.0f, "
               "\"bytes_per_cell\": %.4g}]\n",
               n, threads, gyre_device_isa(device), r.cfl, seconds, seconds / cells * 1e9, need,
               need / cells);
    else if (!status)
        printf("%d^3 cells on %d threads (%s): %.2f s per frame, %.1f ns per cell; %.2f GiB, %.1f "
               "bytes per cell\n",
               n, threads, gyre_device_isa(device), seconds, seconds / cells * 1e9, need * gib,
               need / cells);
    gyre_gas_destroy(r.gas);
    bench_flow_free(&flow);
    return status;
}

// ---------------------------------------------------------------- the command

static int usage(const char *what, const char *word)
{
    fprintf(stderr, "gyre bench: %s%s\n", what, word);
    fprintf(stderr, "usage: gyre bench gas [--json] [--offline] [--threads LIST] [--isa NAME]"
                    " [--quick] [--case NAME] [--gate]\n"
                    "       gyre bench gas --device WHICH [--case 2d_N|3d_N] [--steps N] "
                    "[--scalars 32|16]\n");
    return 2;
}

static int parse_threads(options *o, const char *text)
{
    const char *wrong = bench_threads(text, o->threads, BENCH_THREADS, &o->thread_counts);
    return wrong ? usage(wrong, text) : 0;
}

static int parse(options *o, int argc, char **argv)
{
    *o = (options){.threads = {1, 2}, .thread_counts = 2};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool takes =
            !strcmp(word, "--threads") || !strcmp(word, "--isa") || !strcmp(word, "--case");
        if (takes && !value)
            return usage("a value is missing after ", word);
        i += takes;
        if (!strcmp(word, "--json"))
            o->json = true;
        else if (!strcmp(word, "--offline"))
            o->offline = true;
        else if (!strcmp(word, "--quick"))
            o->quick = true;
        else if (!strcmp(word, "--gate"))
            o->gate = true;
        else if (!strcmp(word, "--isa"))
            o->isa = value;
        else if (!strcmp(word, "--case"))
            o->only = value;
        else if (!takes)
            return usage("unknown option ", word);
        else if (parse_threads(o, value))
            return 2;
    }
    int known = !o->only;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        known |= o->only && !strcmp(o->only, cases[c].name);
    return known ? 0 : usage("--case takes 2d_512, 2d_1024, 3d_64 or 3d_128, not ", o->only);
}

static int run_cases(const options *o, gyre_device **devices)
{
    int missed = 0, status = 0;
    bool first = true;
    measured *m = malloc(sizeof *m);
    if (!m)
        return 1;
    if (o->json)
        printf("[\n");
    for (size_t c = 0; c < sizeof cases / sizeof *cases && !status; c++) {
        if (o->only ? strcmp(o->only, cases[c].name) != 0 : o->quick && !cases[c].quick)
            continue;
        memset(m, 0, sizeof *m);
        m->what = &cases[c];
        status = run_case(m, o, devices);
        if (status)
            break;
        const char *isa = gyre_device_isa(devices[0]);
        if (o->json)
            print_json(m, o, isa, &first);
        else
            print_table(m, o, isa);
        missed += check_gates(m, o, o->json ? stderr : stdout);
    }
    if (o->json)
        printf("\n]\n");
    free(m);
    return status ? status : missed > 0 && o->gate;
}

int bench_gas(int argc, char **argv)
{
    options o;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--device"))
            return bench_device(false, argc, argv);
    }
    int status = parse(&o, argc, argv);
    if (status)
        return status;
    gyre_device *devices[BENCH_THREADS] = {NULL};
    for (int t = 0; t < o.thread_counts && !status; t++) {
        gyre_device_def def = gyre_default_device_def();
        def.threads = o.threads[t];
        def.isa = o.isa;
        if (gyre_device_create(&def, &devices[t]) != GYRE_OK)
            status = fail("the device");
    }
    if (!status && o.offline)
        status = run_offline(&o, devices[o.thread_counts - 1], o.threads[o.thread_counts - 1]);
    else if (!status)
        status = run_cases(&o, devices);
    for (int t = 0; t < o.thread_counts; t++)
        gyre_device_destroy(devices[t]);
    return status;
}
