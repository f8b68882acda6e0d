// gyre bench gas --device WHICH, gyre bench water --device WHICH: milliseconds per step of a gas,
// or of linear waves, on one device, and where they go, op by op, beside the rate at which the
// device copies its own memory.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPS = 128, MOST_STEPS = 200, WARM_UP = 3, COPY_BYTES = 256 << 20 };

typedef struct options {
    const char *device, *only;
    int steps;
    bool waves;  // and no gas
    bool halves; // scalars in 16 bits
} options;

typedef struct op_times {
    double seconds[MOST_OPS];
    uint64_t count[MOST_OPS];
    int ops;
} op_times;

typedef struct measured {
    double ms[MOST_STEPS];
    int steps;
    op_times times;
} measured;

static int fail(const char *what)
{
    fprintf(stderr, "gyre bench: %s: %s\n", what, gyre_message());
    return 1;
}

static int usage(const char *what, const char *word)
{
    fprintf(stderr, "gyre bench: %s%s\n", what, word);
    fprintf(stderr, "usage: " BENCH_GAS_DEVICE_USAGE "       " BENCH_WATER_DEVICE_USAGE);
    return 2;
}

static int parse(options *o, bool waves, int argc, char **argv)
{
    *o = (options){.steps = 10, .waves = waves};
    for (int i = 1; i < argc; i += 2) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!value)
            return usage("a value is missing after ", word);
        if (!strcmp(word, "--device"))
            o->device = value;
        else if (!strcmp(word, "--case"))
            o->only = value;
        else if (!strcmp(word, "--steps"))
            o->steps = atoi(value);
        else if (!strcmp(word, "--scalars") && !waves &&
                 (!strcmp(value, "16") || !strcmp(value, "32")))
            o->halves = value[0] == '1';
        else if (!strcmp(word, "--scalars") && !waves)
            return usage("--scalars takes their bits, 32 or 16, not ", value);
        else
            return usage("with --device there is no option ", word);
    }
    if (o->steps < 1 || o->steps > MOST_STEPS)
        return usage("--steps takes a number from 1 to ", "200");
    return 0;
}

/// "3d_128": 3 and 128; "wave_1024": 2 and 1024. False: another text.
static int parse_case(const options *o, const char *text, int *dim, int *n)
{
    char end;
    if (o->waves) {
        *dim = 2;
        return sscanf(text, "wave_%d%c", n, &end) == 1 && *n >= 8 && *n <= 32768;
    }
    return sscanf(text, "%dd_%d%c", dim, n, &end) == 2 && (*dim == 2 || *dim == 3) && *n >= 8 &&
           *n <= (*dim == 2 ? 16384 : 1024);
}

/// The times of all ops so far, or since `since`.
static int read_times(gyre_device *device, const op_times *since, op_times *t)
{
    t->ops = 0;
    for (const char *name; t->ops < MOST_OPS && (name = gyre_op_name(t->ops)); t->ops++) {
        int i = t->ops;
        if (gyre_device_op_time(device, name, &t->seconds[i], &t->count[i]) != GYRE_OK)
            return fail("times of ops");
        t->seconds[i] -= since ? since->seconds[i] : 0.0;
        t->count[i] -= since ? since->count[i] : 0;
    }
    return 0;
}

static int step(gyre_device *device, gyre_model *model, float dt, double *ms)
{
    double start = bench_now();
    if (gyre_model_step(model, dt) != GYRE_OK || gyre_device_wait(device) != GYRE_OK)
        return fail("step");
    *ms = 1e3 * (bench_now() - start);
    return 0;
}

static int measure(gyre_device *device, gyre_model *model, float dt, int steps, measured *m)
{
    double unused;
    op_times before;
    *m = (measured){.steps = steps};
    int status = 0;
    for (int i = 0; i < WARM_UP && !status; i++)
        status = step(device, model, dt, &unused);
    status = status ? status : read_times(device, NULL, &before);
    for (int i = 0; i < steps && !status; i++)
        status = step(device, model, dt, &m->ms[i]);
    return status ? status : read_times(device, &before, &m->times);
}

static void print_ops(const measured *m)
{
    double sum = 0.0;
    bool done[MOST_OPS] = {false};
    for (int i = 0; i < m->times.ops; i++)
        sum += m->times.seconds[i];
    printf("  %-16s %10s %10s %7s\n", "op", "per step", "ms/step", "part");
    // Dearest first.
    for (;;) {
        int next = -1;
        for (int i = 0; i < m->times.ops; i++) {
            if (!done[i] && m->times.count[i] > 0 &&
                (next < 0 || m->times.seconds[i] > m->times.seconds[next]))
                next = i;
        }
        if (next < 0)
            break;
        done[next] = true;
        printf("  %-16s %10.1f %10.4f %6.1f%%\n", gyre_op_name(next),
               (double)m->times.count[next] / m->steps, 1e3 * m->times.seconds[next] / m->steps,
               sum > 0.0 ? 100.0 * m->times.seconds[next] / sum : 0.0);
    }
    printf("  %-16s %10s %10.4f\n", "all ops", "", 1e3 * sum / m->steps);
}

/// What a step must move, per cell, where the fields are carried at once: see the table of bytes in
/// doc/device.md, whose first cycle and those after it are told apart here.
static double bytes_per_cell(int dim, int cycles, bool halves)
{
    double rest = dim == 3 ? 236.0 : 180.0, first = dim == 3 ? 78.0 : 91.3;
    return rest + first * cycles + 4.0 * (cycles > 1 ? cycles - 1 : 0) - (halves ? 24.0 : 0.0);
}

static void print_bytes(double cell, double cells, double ms, double rate)
{
    double bytes = cell * cells;
    double reached = bytes / (1e-3 * ms);
    printf("  moves %.0f bytes a cell, %.3g GB a step: %.1f GB/s, %.1f %% of the copies' rate\n",
           cell, 1e-9 * bytes, 1e-9 * reached, 100.0 * reached / rate);
}

static int run_gas(gyre_device *device, int dim, int n, const options *o, double rate)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas *gas = NULL;
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    def.half_scalars = o->halves;
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK)
        return fail("the gas");
    bench_flow flow = bench_flow_make(dim, n);
    float speed = 0.0f;
    int status = bench_gas_fill(gas, &flow, &speed);
    bench_flow_free(&flow);
    measured m;
    float dt = 0.9f * def.grid.h / fmaxf(speed, 1e-6f);
    status = status ? status : measure(device, gyre_gas_model(gas), dt, o->steps, &m);
    gyre_gas_stats stats = gyre_gas_get_stats(gas);
    gyre_gas_destroy(gas);
    if (status)
        return status;
    double median = bench_median(m.ms, m.steps); // sorts them
    printf("\n%dd_%d: %.3f ms per step (best %.3f), %d cycles, divergence %.2e before, %.2e after "
           "(1 in %.0f)\n",
           dim, n, median, m.ms[0], stats.cycles, (double)stats.div_rms_before,
           (double)stats.div_rms_after,
           (double)stats.div_rms_before / fmax((double)stats.div_rms_after, 1e-30));
    if (stats.solver == GYRE_SOLVER_MULTIGRID)
        print_bytes(bytes_per_cell(dim, stats.cycles, o->halves), pow(n, dim), median, rate);
    print_ops(&m);
    return 0;
}

/// A drop in a periodic domain; a step reads the state and the flags and writes the state.
static int run_waves(gyre_device *device, int n, const options *o, double rate)
{
    gyre_water_def def = bench_lake(GYRE_WATER_WAVE, n);
    gyre_water *water = NULL;
    measured m;
    int status = gyre_water_create(device, &def, &water) == GYRE_OK ? 0 : fail("the water");
    if (!status && gyre_model_splat(gyre_water_model(water), 0, (const float[3]){1, 1, 0}, 0.5f,
                                    0.3f) != GYRE_OK)
        status = fail("a drop");
    float dt = 0.5f * def.grid.h / def.wave_speed;
    status = status ? status : measure(device, gyre_water_model(water), dt, o->steps, &m);
    gyre_water_destroy(water);
    if (status)
        return status;
    double median = bench_median(m.ms, m.steps);
    printf("\nwave_%d: %.3f ms per step (best %.3f)\n", n, median, m.ms[0]);
    print_bytes(25.0, pow(n, 2), median, rate);
    print_ops(&m);
    return 0;
}

static int run_case(gyre_device *device, const char *text, const options *o, double rate)
{
    int dim = 0, n = 0;
    parse_case(o, text, &dim, &n);
    return o->waves ? run_waves(device, n, o, rate) : run_gas(device, dim, n, o, rate);
}

int bench_device(bool waves, int argc, char **argv)
{
    static const char *const gases[] = {"2d_512", "3d_64", "3d_128", NULL};
    static const char *const waters[] = {"wave_1024", "wave_4096", NULL};
    const char *const *usual = waves ? waters : gases;
    options o;
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    int dim, n, status = parse(&o, waves, argc, argv);
    if (status)
        return status;
    if (gyre_device_parse(o.device, &def) != GYRE_OK)
        return usage("--device: ", gyre_message());
    if (o.only && !parse_case(&o, o.only, &dim, &n))
        return usage(waves ? "--case takes a text such as wave_4096, not "
                           : "--case takes a text such as 2d_4096 or 3d_512, not ",
                     o.only);
    def.time_ops = true;
    if (gyre_device_create(&def, &device) != GYRE_OK)
        return fail("the device");
    double rate = 0.0;
    printf("on %s%s\n", def.kind == GYRE_DEVICE_VULKAN ? "vulkan, " : "", gyre_device_name(device));
    if (gyre_device_copy_rate(device, COPY_BYTES, &rate) == GYRE_ERROR_UNSUPPORTED)
        rate = bench_copy_rate(device, gyre_device_threads(device));
    printf("copies: %.1f GB/s read and written\n", rate * 1e-9);
    if (o.only)
        status = run_case(device, o.only, &o, rate);
    for (int i = 0; !o.only && !status && usual[i]; i++)
        status = run_case(device, usual[i], &o, rate);
    gyre_device_destroy(device);
    return status;
}
