// What a million tracers cost a gas in 3D, without mass, with (heavy) and as plates, and a million
// grains of dust shallow water and linear waves, beside their step: the time of their ops, carrying
// and sorting, over whole rounds of steps between two sorts.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>

enum { COUNT = 1000000, STEPS = 8, ROUNDS = 7 };

// ns of processor time a particle and step, on one thread.
static const double most_tracer = 25.0, most_heavy = 40.0, most_plate = 40.0, most_grain = 30.0;

/// Ops of particles; the first carries them.
enum { OPS = 5 };

typedef struct crowd {
    const char *what, *carrying; // "tracer", its op
    gyre_device *device;
    void *model;
    gyre_result (*step)(void *crowd_model, float dt);
    double carry[ROUNDS], sort[ROUNDS]; // ns a particle and step
    double wall, own;                   // s of its steps, by the clock and of the processor's own
} crowd;

static int seconds_of(const crowd *c, double seconds[OPS])
{
    const char *const ops[OPS] = {c->carrying, "particle_key", "particle_starts",
                                  "particle_scatter", "particle_order"};
    int status = 0;
    for (int i = 0; i < OPS; i++)
        status |= gyre_device_op_time(c->device, ops[i], &seconds[i], NULL) != GYRE_OK;
    return status;
}

/// A device whose ops are timed.
static gyre_device *timed(const char *isa)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.threads = 1;
    def.isa = isa;
    def.time_ops = true;
    return gyre_device_create(&def, &device) == GYRE_OK ? device : NULL;
}

/// Steps in rounds, of which the first is not counted; dt_of: of the next step.
static int run(crowd *c, float (*dt_of)(void *model))
{
    int status = 0;
    for (int r = -1; r < ROUNDS && !status; r++) {
        double before[OPS], after[OPS];
        status = seconds_of(c, before);
        double wall = bench_now(), own = bench_processor_now();
        for (int s = 0; s < STEPS && !status; s++)
            status = c->step(c->model, dt_of(c->model)) != GYRE_OK;
        c->wall += r >= 0 ? bench_now() - wall : 0.0;
        c->own += r >= 0 ? bench_processor_now() - own : 0.0;
        status = status || seconds_of(c, after);
        for (int i = 0; i < OPS && r >= 0 && !status; i++)
            *(i == 0 ? &c->carry[r] : &c->sort[r]) +=
                (after[i] - before[i]) * 1e9 / ((double)STEPS * COUNT);
    }
    return status;
}

/// Prints what they cost and returns whether that is more than it may be.
static int tell(crowd *c, const char *where, double most, FILE *out)
{
    double a = bench_median(c->carry, ROUNDS), b = bench_median(c->sort, ROUNDS);
    fprintf(out,
            "\na million %ss in %s, %s, one thread: %.1f ns a %s and step, carrying %.1f, sorting "
            "every %d steps %.1f\n",
            c->what, where, gyre_device_isa(c->device), a + b, c->what, a, STEPS, b);
    // On a machine that others use, too, the clock goes on while the processor is theirs: what is
    // judged is the processor's own time.
    double own = (a + b) * c->own / c->wall;
    fprintf(out, "the processor was ours for %.0f %% of that: %.1f ns of its own time\n",
            100.0 * c->own / c->wall, own);
    bool reached = own <= most;
    fprintf(out, "%s %ss: ns a %s and step, of processor time %.3g (at most %.3g)\n",
            reached ? "pass" : "FAIL", c->what, c->what, own, most);
    return reached ? 0 : 1;
}

static int failed(crowd *c)
{
    fprintf(stderr, "gyre bench: %ss: %s\n", c->what, gyre_message());
    gyre_device_destroy(c->device);
    return 1;
}

// ---- tracers in a gas

static gyre_result step_gas(void *gas, float dt)
{
    return gyre_gas_step(gas, dt);
}

/// A Courant number of 0.9.
static float gas_dt(void *gas)
{
    float speed = gyre_gas_get_stats(gas).max_speed;
    return 0.9f * gyre_model_grid(gyre_gas_model(gas))->h / fmaxf(speed, 1e-6f);
}

typedef enum mass { LIGHT, HEAVY, PLATE } mass;

static int tracers_in(const char *isa, bool quick, mass kind, FILE *out)
{
    static const char *const names[] = {"tracer", "heavy tracer", "plate"};
    static const double *const most[] = {&most_tracer, &most_heavy, &most_plate};
    bool inertia = kind != LIGHT;
    crowd c = {.what = names[kind],
               .carrying = inertia ? "grain" : "tracer",
               .device = timed(isa),
               .step = step_gas};
    gyre_gas_def def = gyre_gas_default_def(3);
    int n = quick ? 64 : 128;
    bench_flow flow = bench_flow_make(3, n);
    gyre_gas *gas = NULL;
    float speed;
    char where[64];
    for (int a = 0; a < 3; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    def.tracers.capacity = def.tracers.start = COUNT;
    def.tracers.inertia = inertia;
    def.tracers.diameter = kind == PLATE ? 1e-2f : 1e-4f;
    def.tracers.thickness = kind == PLATE ? 1e-4f : 0.0f; // leaves
    int status = !c.device || gyre_gas_create(c.device, &def, &gas) != GYRE_OK ||
                 bench_gas_fill(gas, &flow, &speed);
    c.model = gas;
    status = status || run(&c, gas_dt) || gyre_gas_get_stats(gas).tracers != COUNT;
    gyre_gas_destroy(gas);
    bench_flow_free(&flow);
    if (status)
        return failed(&c);
    snprintf(where, sizeof where, "%d^3 cells at Courant 0.9", n);
    status = tell(&c, where, *most[kind], out);
    gyre_device_destroy(c.device);
    return status;
}

int bench_tracers(const char *isa, bool quick, FILE *out)
{
    int status = tracers_in(isa, quick, LIGHT, out);
    return tracers_in(isa, quick, HEAVY, out) || status;
}

int bench_plates(const char *isa, bool quick, FILE *out)
{
    return tracers_in(isa, quick, PLATE, out);
}

// ---- dust on water

static gyre_result step_water(void *water, float dt)
{
    return gyre_water_step(water, dt);
}

static float water_dt(void *water)
{
    (void)water;
    return 0.04f;
}

/// A current of a metre a second across waves: dust moves by about a sixth of a cell in a step, and
/// one in six grains from one cell to the next.
static int stir(gyre_water *water)
{
    int field = gyre_water_field(water, "discharge_x"), status = 0;
    gyre_field_view view;
    for (int i = 0; i < 9; i++) {
        const float at[3] = {14.0f * (float)(1 + i % 3 * 3), 14.0f * (float)(1 + i / 3 * 3), 0.0f};
        status |= gyre_model_splat(gyre_water_model(water), 0, at, 8.0f, 0.3f) != GYRE_OK;
    }
    if (status || gyre_water_map(water, field, GYRE_WRITE, &view) != GYRE_OK)
        return 1;
    for (int j = 0; j < view.n[1]; j++)
        for (int i = 0; i < view.n[0]; i++)
            view.data[i + j * view.stride[1]] = 1.0f;
    return gyre_water_unmap(water, field) != GYRE_OK;
}

static int dust_in(const char *isa, int mode, int n, FILE *out)
{
    crowd c = {.what = "grain", .carrying = "dust", .device = timed(isa), .step = step_water};
    gyre_water_def def = bench_lake(mode, n);
    gyre_water *water = NULL;
    char where[64];
    def.dust.capacity = def.dust.start = COUNT;
    int status = !c.device || gyre_water_create(c.device, &def, &water) != GYRE_OK || stir(water);
    c.model = water;
    status = status || run(&c, water_dt) || gyre_water_get_stats(water).dust != COUNT;
    gyre_water_destroy(water);
    if (status)
        return failed(&c);
    snprintf(where, sizeof where, "%d^2 cells of %s", n,
             mode == GYRE_WATER_WAVE ? "linear waves" : "shallow water");
    status = tell(&c, where, most_grain, out);
    gyre_device_destroy(c.device);
    return status;
}

int bench_dust(const char *isa, bool quick, FILE *out)
{
    int n = quick ? 256 : 512;
    int status = dust_in(isa, GYRE_WATER_SHALLOW, n, out);
    return dust_in(isa, GYRE_WATER_WAVE, n, out) || status;
}
