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
    bool json;
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
        if (!strcmp(word, "--json")) {
            o->json = true;
            i--;
            continue;
        }
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

/// "3d_128": 3 and 128; "wave_1024", "shallow_1024": 2 and 1024. False: another text.
static int parse_case(const options *o, const char *text, int *dim, int *n)
{
    char end;
    if (o->waves) {
        *dim = 2;
        return (sscanf(text, "wave_%d%c", n, &end) == 1 ||
                sscanf(text, "shallow_%d%c", n, &end) == 1) &&
               *n >= 8 && *n <= 32768;
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

/// What an op must move in a step, per cell, where the fields are carried at once: every field that
/// it names counts once. See the table of bytes in doc/device.md.
typedef struct moved {
    const char *op;
    double bytes[2];  // 2D, 3D
    double halves[2]; // of them less where scalars are halves
} moved;

/// Of the default scheme, with density and temperature, gravity along one axis, in a box, at a
/// Courant number of at most 1 and with one substep of the scalars.
static const moved gas_moves[] = {
    {"blend", {36, 48}, {4, 4}},   {"kick", {24, 32}, {0, 0}},     {"share", {8, 12}, {0, 0}},
    {"remap", {44, 72}, {16, 24}}, {"trace", {24, 36}, {0, 0}},    {"advect", {24, 36}, {0, 0}},
    {"correct", {48, 72}, {0, 0}}, {"buoyancy", {16, 16}, {4, 4}}, {"divergence", {20, 28}, {0, 0}},
    {"balance", {4, 4}, {0, 0}},   {"gradient", {20, 28}, {0, 0}}, {"direct", {12, 12}, {0, 0}},
};

/// A state and a bed that are read, a state that is written: the rims of blocks come from a cache.
static const moved wave_moves[] = {{"water_wave", {25, 25}, {0, 0}},
                                   {"water_shallow", {28, 28}, {0, 0}}};

enum { WAVE_MOVES = sizeof wave_moves / sizeof wave_moves[0] };

/// The ops of a multigrid cycle. They run on all levels, so what each moves is not told apart.
static const char *const cycle_ops[] = {"relax", "residual", "restrict", "prolong", "cycle"};

enum { GAS_MOVES = sizeof gas_moves / sizeof gas_moves[0] };

/// A case: what a step of it is, and what it took.
typedef struct result {
    char name[32];
    measured m;
    double ms, cells, rate;
    int dim, cycles; // cycles: 0: no multigrid, so what the solver moves is not known
    bool halves, waves;
} result;

static double cycle_bytes(int dim, int cycles)
{
    double first = dim == 3 ? 78.0 : 91.3;
    return first * cycles + 4.0 * (cycles > 1 ? cycles - 1 : 0);
}

/// Bytes a cell of an op in a step; 0: not told.
static double op_bytes(const result *r, const char *op)
{
    const moved *list = r->waves ? wave_moves : gas_moves;
    int count = r->waves ? WAVE_MOVES : GAS_MOVES;
    for (int i = 0; i < count; i++) {
        if (!strcmp(list[i].op, op))
            return list[i].bytes[r->dim == 3] - (r->halves ? list[i].halves[r->dim == 3] : 0.0);
    }
    return 0.0;
}

static bool is_of_cycle(const char *op)
{
    for (size_t i = 0; i < sizeof cycle_ops / sizeof cycle_ops[0]; i++) {
        if (!strcmp(cycle_ops[i], op))
            return true;
    }
    return false;
}

static double step_bytes(const result *r)
{
    double sum = r->waves ? 0.0 : cycle_bytes(r->dim, r->cycles);
    bool shallow = strncmp(r->name, "shallow", 7) == 0;
    if (r->waves)
        return op_bytes(r, wave_moves[shallow].op);
    for (int i = 0; i < GAS_MOVES; i++)
        sum += op_bytes(r, gas_moves[i].op);
    return sum;
}

/// One line of the table. bytes: a cell's; 0: not told.
static void print_row(const result *r, const char *name, double runs, double ms, double all,
                      double bytes)
{
    double part = all > 0.0 ? 100.0 * ms / all : 0.0;
    double reached = ms > 0.0 ? bytes * r->cells / (1e-3 * ms) : 0.0;
    printf("  %-16s %8.1f %10.4f %6.1f%%", name, runs, ms, part);
    if (bytes > 0.0)
        printf(" %10.0f %8.1f %6.1f%%", bytes, 1e-9 * reached, 100.0 * reached / r->rate);
    printf("\n");
}

static void json_row(const result *r, const char *name, double runs, double ms, double bytes)
{
    double reached = ms > 0.0 ? bytes * r->cells / (1e-3 * ms) : 0.0;
    printf("{\"op\": \"%s\", \"runs\": %.6g, \"ms\": %.6g", name, runs, ms);
    if (bytes > 0.0)
        printf(", \"bytes_per_cell\": %.6g, \"gb_per_s\": %.6g, \"of_copies\": %.6g", bytes,
               1e-9 * reached, reached / r->rate);
    printf("}");
}

/// The op that took longest of those not done; -1: none is left.
static int next_op(const op_times *t, const bool *done)
{
    int next = -1;
    for (int i = 0; i < t->ops; i++) {
        if (!done[i] && t->count[i] > 0 && (next < 0 || t->seconds[i] > t->seconds[next]))
            next = i;
    }
    return next;
}

/// All ops, dearest first, and the cycles' together.
static void print_ops(const result *r, bool json)
{
    const op_times *t = &r->m.times;
    double all = 0.0, cycle = 0.0, steps = r->m.steps;
    bool done[MOST_OPS] = {false};
    for (int i = 0; i < t->ops; i++) {
        all += 1e3 * t->seconds[i] / steps;
        cycle += is_of_cycle(gyre_op_name(i)) ? 1e3 * t->seconds[i] / steps : 0.0;
    }
    for (int i = next_op(t, done), first = 1; i >= 0; i = next_op(t, done), first = 0) {
        const char *name = gyre_op_name(i);
        double runs = (double)t->count[i] / steps, ms = 1e3 * t->seconds[i] / steps;
        done[i] = true;
        if (json) {
            printf("%s", first ? "" : ", ");
            json_row(r, name, runs, ms, op_bytes(r, name));
        } else {
            print_row(r, name, runs, ms, all, op_bytes(r, name));
        }
    }
    if (json && r->cycles > 0) {
        printf(", ");
        json_row(r, "multigrid", r->cycles, cycle, cycle_bytes(r->dim, r->cycles));
    } else if (!json) {
        if (r->cycles > 0)
            print_row(r, "all of multigrid", r->cycles, cycle, all, cycle_bytes(r->dim, r->cycles));
        printf("  %-16s %8s %10.4f\n", "all ops", "", all);
    }
}

static void print_result(const result *r, const options *o, const char *remark)
{
    double cell = r->cycles > 0 || r->waves ? step_bytes(r) : 0.0;
    double bytes = cell * r->cells, reached = bytes / (1e-3 * r->ms);
    if (o->json) {
        printf("{\"case\": \"%s\", \"ms\": %.6g, \"best_ms\": %.6g", r->name, r->ms, r->m.ms[0]);
        if (cell > 0.0)
            printf(", \"bytes_per_cell\": %.6g, \"gb_per_s\": %.6g, \"of_copies\": %.6g", cell,
                   1e-9 * reached, reached / r->rate);
        printf(", \"ops\": [");
        print_ops(r, true);
        printf("]}");
        return;
    }
    printf("\n%s: %.3f ms per step (best %.3f)%s\n", r->name, r->ms, r->m.ms[0], remark);
    if (cell > 0.0)
        printf(
            "  moves %.0f bytes a cell, %.3g GB a step: %.1f GB/s, %.1f %% of the copies' rate\n",
            cell, 1e-9 * bytes, 1e-9 * reached, 100.0 * reached / r->rate);
    printf("  %-16s %8s %10s %7s %10s %8s %7s\n", "op", "per step", "ms/step", "part", "bytes/cell",
           "GB/s", "copies");
    print_ops(r, false);
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
    result r = {.m = m, .cells = pow(n, dim), .rate = rate, .dim = dim, .halves = o->halves};
    r.ms = bench_median(r.m.ms, r.m.steps); // sorts them
    r.cycles = stats.solver == GYRE_SOLVER_MULTIGRID ? stats.cycles : 0;
    snprintf(r.name, sizeof r.name, "%dd_%d", dim, n);
    char remark[128];
    snprintf(remark, sizeof remark, ", %d cycles, divergence %.2e before, %.2e after (1 in %.0f)",
             stats.cycles, (double)stats.div_rms_before, (double)stats.div_rms_after,
             (double)stats.div_rms_before / fmax((double)stats.div_rms_after, 1e-30));
    print_result(&r, o, remark);
    return 0;
}

/// A drop in a periodic domain; a step reads the state and the flags and writes the state. Shallow
/// water has dry ground on half of it.
static int run_waves(gyre_device *device, int n, bool shallow, const options *o, double rate)
{
    gyre_water_def def = bench_lake(shallow ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE, n);
    gyre_water *water = NULL;
    measured m;
    if (shallow)
        def.bed.slope[0] = 2.0f / ((float)n * def.grid.h);
    int status = gyre_water_create(device, &def, &water) == GYRE_OK ? 0 : fail("the water");
    if (!status && gyre_model_splat(gyre_water_model(water), 0, (const float[3]){1, 1, 0}, 0.5f,
                                    0.3f) != GYRE_OK)
        status = fail("a drop");
    float dt = 0.5f * def.grid.h / def.wave_speed;
    if (shallow)
        dt = 0.02f * def.grid.h; // one substep
    status = status ? status : measure(device, gyre_water_model(water), dt, o->steps, &m);
    gyre_water_destroy(water);
    if (status)
        return status;
    result r = {.m = m, .cells = pow(n, 2), .rate = rate, .dim = 2, .waves = true};
    r.ms = bench_median(r.m.ms, r.m.steps);
    snprintf(r.name, sizeof r.name, "%s_%d", shallow ? "shallow" : "wave", n);
    print_result(&r, o, "");
    return 0;
}

static int run_case(gyre_device *device, const char *text, const options *o, double rate)
{
    int dim = 0, n = 0;
    parse_case(o, text, &dim, &n);
    bool shallow = strncmp(text, "shallow", 7) == 0;
    return o->waves ? run_waves(device, n, shallow, o, rate) : run_gas(device, dim, n, o, rate);
}

int bench_device(bool waves, int argc, char **argv)
{
    static const char *const gases[] = {"2d_512", "3d_64", "3d_128", NULL};
    static const char *const waters[] = {"wave_1024", "wave_4096", "shallow_1024", NULL};
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
        return usage(waves ? "--case takes a text such as wave_4096 or shallow_1024, not "
                           : "--case takes a text such as 2d_4096 or 3d_512, not ",
                     o.only);
    def.time_ops = true;
    if (gyre_device_create(&def, &device) != GYRE_OK)
        return fail("the device");
    double rate = 0.0;
    if (gyre_device_copy_rate(device, COPY_BYTES, &rate) == GYRE_ERROR_UNSUPPORTED)
        rate = bench_copy_rate(device, gyre_device_threads(device));
    const char *kind = def.kind == GYRE_DEVICE_VULKAN ? "vulkan, " : "";
    if (o.json)
        printf("{\"device\": \"%s%s\", \"copies_gb_per_s\": %.6g, \"cases\": [", kind,
               gyre_device_name(device), rate * 1e-9);
    else
        printf("on %s%s\ncopies: %.1f GB/s read and written\n", kind, gyre_device_name(device),
               rate * 1e-9);
    if (o.only)
        status = run_case(device, o.only, &o, rate);
    for (int i = 0; !o.only && !status && usual[i]; i++) {
        printf("%s", o.json && i > 0 ? ", " : "");
        status = run_case(device, usual[i], &o, rate);
    }
    printf("%s", o.json ? "]}\n" : "");
    gyre_device_destroy(device);
    return status;
}
