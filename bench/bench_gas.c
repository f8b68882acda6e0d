// gyre bench gas: the gas's step beside the one before it (advection "maccormack"), the founding
// texts' own programs and this machine's floors, interleaved in one run, so that the ratios hold on
// a machine that other people use too. And what no clock is needed for: memory, divergence left,
// residuals, cycles.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 32, ROUNDS = 15, QUICK_ROUNDS = 5, WARM_UP = 3, UNTIMED = 3 };

typedef struct options {
    bool json, offline, quick, gate, untimed;
    int threads[BENCH_THREADS], thread_counts;
    const char *isa, *only, *feature;
} options;

static const struct bench_case {
    const char *name;
    int dim, n;
    bool quick;
    double bytes; // per cell at most; 0: no gate
} cases[] = {
    {"2d_512", 2, 512, true, 0},
    {"2d_1024", 2, 1024, false, 72},
    {"3d_64", 3, 64, true, 0},
    {"3d_128", 3, 128, false, 92},
};

static const bench_read reads[] = {
    {"density", "density", NULL, GYRE_COPY_FLOAT, true},
    {"velocity_x", "velocity_x", NULL, GYRE_COPY_FLOAT, true},
    {"density as half", "density", NULL, GYRE_COPY_HALF, false},
    {"density as bytes", "density", NULL, GYRE_COPY_BYTE, false},
    {"velocity at centres", NULL, "velocity", GYRE_COPY_FLOAT, false},
};
enum { READS = sizeof reads / sizeof *reads, READ_CELLS = 64 };

static const double courants[2] = {0.9, 4.0};
/// Of the default step's time at each Courant number over that of the step by MacCormack alone.
static const double dearer[2] = {1.35, 1.6};

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

static double last(const series *s)
{
    return s->count > 0 ? s->value[s->count - 1] : 0;
}

/// One gas that is stepped at one Courant number on one device.
typedef struct runner {
    gyre_gas *gas;
    int threads;
    double courant, h, div_ratio, residual; // the largest
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
        if (field < 0 || gyre_gas_map(gas, field, GYRE_WRITE, &view) != GYRE_OK)
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

static int runner_of(runner *r, gyre_device *device, const bench_flow *flow, int threads,
                     double courant, const gyre_gas_def *def)
{
    *r = (runner){.threads = threads, .courant = courant, .h = (double)def->grid.h};
    if (gyre_gas_create(device, def, &r->gas) != GYRE_OK)
        return fail("the gas");
    return bench_gas_fill(r->gas, flow, &r->speed);
}

static int runner_make(runner *r, gyre_device *device, const bench_flow *flow, int threads,
                       double courant)
{
    gyre_gas_def def = def_of(flow->dim, flow->n);
    return runner_of(r, device, flow, threads, courant, &def);
}

/// One step; adds its time to *seconds (NULL: it does not count).
static int runner_step(runner *r, double *seconds)
{
    float dt = (float)(r->courant * r->h / fmax((double)r->speed, 1e-6));
    double start = bench_now_on(r->threads);
    if (gyre_gas_step(r->gas, dt) != GYRE_OK)
        return fail("step");
    double end = bench_now_on(r->threads);
    gyre_gas_stats stats = gyre_gas_get_stats(r->gas);
    r->speed = stats.max_speed;
    if (seconds) {
        *seconds += end - start;
        r->cycles += stats.cycles;
        r->residual = fmax(r->residual, (double)stats.residual);
        r->steps++;
    }
    return 0;
}

/// A step that does not count, so that caches and wide vector units are awake, and those that do:
/// of small grids several.
static int runner_turn(runner *r, double cells)
{
    int steps = cells < 1e6 ? 4 : 1;
    double seconds = 0;
    if (runner_step(r, NULL))
        return 1;
    for (int s = 0; s < steps; s++)
        if (runner_step(r, &seconds))
            return 1;
    put(&r->seconds, seconds / steps);
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
        if (field < 0 || gyre_gas_map(r->gas, field, GYRE_READ, &v) != GYRE_OK)
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
    bool paired;     // the default step is not the one by MacCormack alone, which is beside it:
    runner plain[2]; // on the first number of threads, at each Courant number,
    series ratio[2]; // and the default's time over its
    runner sphere;   // where no clock is needed
    double read_ns[READS], read_ratio[READS]; // of cases that are gated for it; else 0
    series classic, classic_4;                // per step; classic_4: the cube with 4 sweeps
    double classic_div[2]; // root mean squares before and after the last projection
    series lookup[BENCH_THREADS], copy[BENCH_THREADS];
    size_t bytes; // of the gas
} measured;

static double ns_per_cell(const measured *m, const series *s)
{
    return median(s) / m->cells * 1e9;
}

/// The default step and the plain one, one right after the other, in turn the one and the other
/// first.
static int run_pair(measured *m, int c, bool plain_first)
{
    runner *pair[2] = {&m->runners[c], &m->plain[c]};
    if (runner_turn(pair[plain_first], m->cells) || runner_turn(pair[!plain_first], m->cells))
        return 1;
    put(&m->ratio[c], last(&pair[0]->seconds) / last(&pair[1]->seconds));
    return 0;
}

/// One round: everything once, so that a slow moment of the machine slows all of it.
static int run_round(measured *m, const options *o, gyre_device **devices, bench_lookup *lookup,
                     bench_classic *classic, int round)
{
    double h = 1.0 / m->what->n;
    for (int t = 0; t < o->thread_counts; t++)
        put(&m->copy[t], bench_copy_rate(devices[t], o->threads[t]));
    for (int t = 0; t < o->thread_counts; t++)
        put(&m->lookup[t], bench_lookup_time(lookup, devices[t], o->threads[t]));
    for (int r = 0; r < m->runner_count; r++)
        if (m->paired && r < 2 ? run_pair(m, r, round % 2 != 0)
                               : runner_turn(&m->runners[r], m->cells))
            return 1;
    float dt = (float)(courants[0] * h / (double)bench_classic_speed(classic));
    double start = bench_now_on(1);
    bench_classic_step(classic, dt, 20);
    double between = bench_now_on(1);
    put(&m->classic, between - start);
    if (m->what->dim == 3) {
        bench_classic_step(classic, dt, 4);
        put(&m->classic_4, bench_now_on(1) - between);
    }
    return 0;
}

static int make_runners(measured *m, const options *o, gyre_device **devices,
                        const bench_flow *flow)
{
    gyre_gas_def plain = def_of(flow->dim, flow->n);
    int status = 0;
    m->paired = plain.advection != GYRE_GAS_MACCORMACK && !o->untimed;
    plain.advection = GYRE_GAS_MACCORMACK;
    for (int t = 0; t < o->thread_counts && !status; t++)
        for (int c = 0; c < 2 && !status; c++)
            status = runner_make(&m->runners[m->runner_count++], devices[t], flow, o->threads[t],
                                 courants[c]);
    for (int c = 0; c < 2 && m->paired && !status; c++)
        status = runner_of(&m->plain[c], devices[0], flow, o->threads[0], courants[c], &plain);
    for (int step = 0; step < WARM_UP && !status; step++) {
        for (int r = 0; r < m->runner_count && !status; r++)
            status = runner_step(&m->runners[r], NULL);
        for (int c = 0; c < 2 && m->paired && !status; c++)
            status = runner_step(&m->plain[c], NULL);
    }
    return status;
}

/// Of the gas and of the classic after the steps that they have made.
static int measure_end(measured *m, bench_classic *classic, bool timed)
{
    int dim = m->what->dim, n = m->what->n, status = 0;
    for (int r = 0; r < m->runner_count && !status; r++)
        status = measure_divergence(&m->runners[r], dim, n);
    bool read = dim == 3 && n == READ_CELLS && timed;
    for (int r = 0; r < READS && read && !status; r++)
        m->read_ratio[r] = bench_reading(gyre_gas_model(m->runners[0].gas), &reads[r],
                                         m->runners[0].threads, &m->read_ns[r]);
    if (!status)
        bench_classic_divergence(classic,
                                 (float)(courants[0] / n / (double)bench_classic_speed(classic)),
                                 20, m->classic_div);
    return status;
}

static void measured_free(measured *m)
{
    for (int r = 0; r < m->runner_count; r++)
        gyre_gas_destroy(m->runners[r].gas);
    for (int c = 0; c < 2; c++)
        gyre_gas_destroy(m->plain[c].gas);
}

static void measured_begin(measured *m, const struct bench_case *what)
{
    gyre_gas_def def = def_of(what->dim, what->n);
    *m = (measured){.what = what, .cells = pow(what->n, what->dim), .bytes = gyre_gas_size(&def)};
}

static int run_case(measured *m, const options *o, gyre_device **devices)
{
    int dim = m->what->dim, n = m->what->n, rounds = o->quick ? QUICK_ROUNDS : ROUNDS;
    bench_flow flow = bench_flow_make(dim, n);
    bench_lookup lookup = bench_lookup_make(dim, n);
    bench_classic classic = bench_classic_make(&flow);
    int status = make_runners(m, o, devices, &flow);
    for (int round = 0; round < rounds && !status; round++)
        status = run_round(m, o, devices, &lookup, &classic, round);
    if (!status)
        status = measure_end(m, &classic, true);
    measured_free(m);
    bench_classic_free(&classic);
    bench_lookup_free(&lookup);
    bench_flow_free(&flow);
    return status;
}

// ---------------------------------------------------------------- results

/// What is printed of one gas.
typedef struct line {
    double ns, times_classic, times_lookup, times_copy, classic_div_ratio, cycles;
    double plain_ns, ratio; // of the plain step, and the default's time over its; 0: not measured
    double gain, copy_gain; // over one thread; 0 when one thread was not measured
    bool quiet;             // the copies that the gains are judged by were as fast in each round
} line;

static double cycles_of(const runner *r)
{
    return r->steps > 0 ? (double)r->cycles / (double)r->steps : 0;
}

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
    l.cycles = cycles_of(run);
    if (m->paired && r < 2) {
        l.plain_ns = ns_per_cell(m, &m->plain[r].seconds);
        l.ratio = median(&m->ratio[r]);
    }
    for (int q = 0; q < o->thread_counts; q++)
        if (o->threads[q] == 1)
            one = q;
    if (one >= 0 && run->threads > 1) {
        l.gain = median(&m->runners[2 * one + r % 2].seconds) / median(&run->seconds);
        l.copy_gain = median(&m->copy[t]) / median(&m->copy[one]);
        l.quiet = bench_steady(m->copy[t].value, m->copy[t].count) &&
                  bench_steady(m->copy[one].value, m->copy[one].count);
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
    printf(" threads\n  %-8s %7s %7s %8s %8s %6s %8s %9s %7s %7s %10s %10s %6s\n", "isa", "threads",
           "courant", "ns/cell", "plain ns", "ratio", "classic", "look-ups", "copies", "cycles",
           "div", "classic's", "gain");
    for (int r = 0; r < m->runner_count; r++) {
        line l = line_of(m, o, r);
        printf("  %-8s %7d %7.1f %8.2f", isa, m->runners[r].threads, m->runners[r].courant, l.ns);
        if (l.ratio > 0)
            printf(" %8.2f %6.3f", l.plain_ns, l.ratio);
        else
            printf(" %8s %6s", "-", "-");
        printf(" %7.1fx %8.2fx %6.2fx %7.1f %10.2e %10.2e", l.times_classic, l.times_lookup,
               l.times_copy, l.cycles, m->runners[r].div_ratio, l.classic_div_ratio);
        if (l.gain > 0 && !l.quiet)
            printf(" %s\n", bench_noise);
        else
            printf(l.gain > 0 ? " %5.2fx\n" : "      -\n", l.gain);
    }
    for (int r = 0; r < READS && m->read_ratio[0] > 0; r++)
        printf("  copy 64^3 %-20s %6.3f ns/cell %6.2f x memcpy\n", reads[r].what, m->read_ns[r],
               m->read_ratio[r]);
    fflush(stdout);
}

static void print_json(const measured *m, const options *o, const char *isa, bool *first)
{
    for (int r = 0; r < m->runner_count; r++) {
        line l = line_of(m, o, r);
        const runner *run = &m->runners[r];
        printf("%s  {\"case\": \"%s\", \"threads\": %d, \"isa\": \"%s\", \"courant\": %g, ",
               *first ? "" : ",\n", m->what->name, run->threads, isa, run->courant);
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
        if (l.ratio > 0)
            printf(", \"plain_ns_per_cell\": %.4g, \"times_plain\": %.4g", l.plain_ns, l.ratio);
        if (l.gain > 0 && l.quiet)
            printf(", \"gain\": %.4g, \"copy_gain\": %.4g", l.gain, l.copy_gain);
        else if (l.gain > 0)
            printf(", \"gain\": \"%s\"", bench_noise);
        for (int q = 0; q < READS && r == 0 && m->read_ratio[q] > 0; q++)
            printf(", \"copy %s\": %.4g", reads[q].what, m->read_ratio[q]);
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

/// Those that need no clock. Returns how many were not reached.
static int check_untimed(const measured *m, const options *o, FILE *out)
{
    const gyre_gas_def def = def_of(m->what->dim, m->what->n);
    int missed = 0;
    for (int r = 0; r < m->runner_count && r < 2; r++) {
        const runner *run = &m->runners[r];
        line l = line_of(m, o, r);
        char what[64];
        snprintf(what, sizeof what, "residual at Courant %g", run->courant);
        missed +=
            gate(out, m->what->name, what, run->residual, (double)def.pressure.tolerance, true);
        double lower = run->div_ratio > 0 ? l.classic_div_ratio / run->div_ratio : 0;
        if (run->courant <= 1)
            missed += gate(out, m->what->name, "times less divergence left than by the classic",
                           lower, 100, false);
    }
    if (m->sphere.steps > 0) {
        missed += gate(out, m->what->name, "residual with a sphere", m->sphere.residual,
                       (double)def.pressure.tolerance, true);
        missed += gate(out, m->what->name, "cycles with a sphere", cycles_of(&m->sphere), 5, true);
    }
    if (m->what->bytes > 0)
        missed += gate(out, m->what->name, "bytes per cell", (double)m->bytes / m->cells,
                       m->what->bytes, true);
    return missed;
}

/// Returns how many were not reached.
static int check_gates(const measured *m, const options *o, FILE *out)
{
    int missed = check_untimed(m, o, out), dim = m->what->dim;
    const char *name = m->what->name;
    for (int r = 0; r < m->runner_count; r++) {
        const runner *run = &m->runners[r];
        line l = line_of(m, o, r);
        if (l.ratio > 0) {
            char what[64];
            snprintf(what, sizeof what, "times the plain step's time at Courant %g", run->courant);
            missed += gate(out, name, what, l.ratio, dearer[r], true);
        }
        if (run->courant > 1)
            continue;
        if (run->threads == 1) {
            missed += gate(out, name, "times the look-up floor", l.times_lookup, 2.5, true);
            missed += gate(out, name, "times less than the classic's time", l.times_classic,
                           dim == 2 ? 20 : 10, false);
        } else if (run->threads == 2 && l.gain > 0 && !l.quiet) {
            fprintf(out, "---- %s: gain of two threads %s\n", name, bench_noise);
        } else if (run->threads == 2 && l.gain > 0) {
            missed +=
                gate(out, name, "gain of two threads", l.gain, fmin(0.9 * l.copy_gain, 1.8), false);
        }
    }
    for (int r = 0; r < READS && m->read_ratio[r] > 0; r++) {
        char what[64];
        snprintf(what, sizeof what, "copy 64^3 %s, x memcpy", reads[r].what);
        if (reads[r].gated)
            missed += gate(out, name, what, m->read_ratio[r], bench_reading_most, true);
    }
    if (!m->paired)
        fprintf(out, "---- %s: the default step is the plain one: no ratio\n", name);
    return missed;
}

// ---------------------------------------------------------------- without a clock

/// A few steps of a gas with a sphere in the middle: no box, so that multigrid solves.
static int run_sphere(runner *r, const struct bench_case *what, gyre_device *device,
                      const bench_flow *flow)
{
    gyre_gas_def def = def_of(what->dim, what->n);
    gyre_gas_solid solid = gyre_gas_default_solid();
    for (int a = 0; a < 3; a++)
        solid.shape.as.sphere.centre[a] = 0.5f;
    solid.shape.kind = GYRE_SHAPE_SPHERE;
    solid.shape.as.sphere.radius = 0.2f;
    def.solids = (gyre_pool){.items = &solid, .count = 1};
    int status = runner_of(r, device, flow, 1, courants[0], &def);
    double unused = 0;
    for (int step = 0; step < UNTIMED && !status; step++)
        status = runner_step(r, &unused);
    gyre_gas_destroy(r->gas);
    return status;
}

/// A few steps of what a case compares.
static int run_steps(measured *m, const options *o, gyre_device **devices)
{
    bench_flow flow = bench_flow_make(m->what->dim, m->what->n);
    bench_classic classic = bench_classic_make(&flow);
    int status = make_runners(m, o, devices, &flow);
    for (int step = 0; step < UNTIMED && !status; step++) {
        float speed = bench_classic_speed(&classic);
        double unused = 0;
        for (int r = 0; r < m->runner_count && !status; r++)
            status = runner_step(&m->runners[r], &unused);
        bench_classic_step(&classic, (float)(courants[0] / m->what->n / (double)speed), 20);
    }
    if (!status)
        status = measure_end(m, &classic, false);
    if (!status)
        status = run_sphere(&m->sphere, m->what, devices[0], &flow);
    measured_free(m);
    bench_classic_free(&classic);
    bench_flow_free(&flow);
    return status;
}

/// Memory, and, but for the large sizes that were not asked for, what a few steps leave.
static int run_untimed(measured *m, const options *o, gyre_device **devices)
{
    int status = o->only || m->what->quick ? run_steps(m, o, devices) : 0;
    printf("\n%s: %.1f bytes per cell\n", m->what->name, (double)m->bytes / m->cells);
    for (int r = 0; r < m->runner_count && !status; r++) {
        line l = line_of(m, o, r);
        printf("  Courant %g: %.1f cycles, residual %.2e; %.2e of the divergence left, by the "
               "classic %.2e\n",
               m->runners[r].courant, l.cycles, m->runners[r].residual, m->runners[r].div_ratio,
               l.classic_div_ratio);
    }
    if (m->sphere.steps > 0)
        printf("  with a sphere: %.1f cycles, residual %.2e\n", cycles_of(&m->sphere),
               m->sphere.residual);
    return status;
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
    int status = runner_make(&r, device, &flow, threads, courants[0]);
    for (int f = 0; f < frames && !status; f++) {
        double seconds = 0;
        status = runner_step(&r, &seconds);
        put(&r.seconds, seconds);
        if (!status && !o->json)
            printf("frame %d: %.2f s\n", f + 1, seconds);
        fflush(stdout);
    }
    double seconds = median(&r.seconds), cells = pow(n, 3);
    if (!status && o->json)
        printf("[{\"case\": \"offline_%d\", \"threads\": %d, \"isa\": \"%s\", \"courant\": %g, "
               "\"seconds_per_frame\": %.4g, \"ns_per_cell\": %.4g, \"bytes\": %.0f, "
               "\"bytes_per_cell\": %.4g}]\n",
               n, threads, gyre_device_isa(device), r.courant, seconds, seconds / cells * 1e9, need,
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
    fprintf(stderr, "usage: " BENCH_GAS_USAGE "       " BENCH_GAS_DEVICE_USAGE);
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
        bool takes = !strcmp(word, "--threads") || !strcmp(word, "--isa") ||
                     !strcmp(word, "--case") || !strcmp(word, "--feature");
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
        else if (!strcmp(word, "--untimed"))
            o->untimed = true;
        else if (!strcmp(word, "--isa"))
            o->isa = value;
        else if (!strcmp(word, "--case"))
            o->only = value;
        else if (!strcmp(word, "--feature"))
            o->feature = value;
        else if (!takes)
            return usage("unknown option ", word);
        else if (parse_threads(o, value))
            return 2;
    }
    if (o->feature && (o->json || o->offline || o->untimed || o->only))
        return usage("--feature goes with --threads, --isa and --quick alone", "");
    if (o->untimed) {
        if (o->json || o->offline)
            return usage("--untimed goes with neither --json nor --offline", "");
        // Results are the same for any number of them.
        o->threads[0] = 1;
        o->thread_counts = 1;
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
        bool large = o->quick && !o->untimed && !cases[c].quick;
        if (o->only ? strcmp(o->only, cases[c].name) != 0 : large)
            continue;
        measured_begin(m, &cases[c]);
        status = o->untimed ? run_untimed(m, o, devices) : run_case(m, o, devices);
        if (status)
            break;
        if (o->untimed) {
            missed += check_untimed(m, o, stdout);
            continue;
        }
        const char *isa = gyre_device_isa(devices[0]);
        if (o->json)
            print_json(m, o, isa, &first);
        else
            print_table(m, o, isa);
        missed += check_gates(m, o, o->json ? stderr : stdout);
        if (!strcmp(cases[c].name, "3d_64"))
            missed += bench_moved(devices[0], o->json ? stderr : stdout) +
                      bench_tracers(o->isa, o->quick, o->json ? stderr : stdout);
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
    if (!status && o.feature)
        status = strcmp(o.feature, "tracers") == 0 ? bench_tracers(o.isa, o.quick, stdout)
                 : strcmp(o.feature, "plates") == 0
                     ? bench_plates(o.isa, o.quick, stdout)
                     : bench_features(devices[0], o.feature, o.quick, stdout);
    else if (!status && o.offline)
        status = run_offline(&o, devices[o.thread_counts - 1], o.threads[o.thread_counts - 1]);
    else if (!status)
        status = run_cases(&o, devices);
    for (int t = 0; t < o.thread_counts; t++)
        gyre_device_destroy(devices[t]);
    return status;
}
