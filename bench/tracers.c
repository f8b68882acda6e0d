// What a million tracers cost a gas in 3D beside its step: the time of their ops, carrying and
// sorting, over whole rounds of steps between two sorts.
#include "bench/parts.h"

#include <math.h>
#include <stdio.h>

enum { COUNT = 1000000, STEPS = 8, ROUNDS = 7 };

static const double most = 25.0; // ns a tracer and step, on one thread

static const char *const ops[] = {"tracer", "particle_key", "particle_starts", "particle_scatter",
                                  "particle_order"};
enum { OPS = sizeof ops / sizeof *ops };

static int seconds_of(gyre_device *device, double seconds[OPS])
{
    int status = 0;
    for (int i = 0; i < OPS; i++)
        status |= gyre_device_op_time(device, ops[i], &seconds[i], NULL) != GYRE_OK;
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

static int run(gyre_device *device, int n, double carry[ROUNDS], double sort[ROUNDS])
{
    gyre_gas_def def = gyre_gas_default_def(3);
    bench_flow flow = bench_flow_make(3, n);
    gyre_gas *gas = NULL;
    float speed = 1;
    for (int a = 0; a < 3; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    def.tracers.capacity = def.tracers.start = COUNT;
    int status =
        gyre_gas_create(device, &def, &gas) != GYRE_OK || bench_gas_fill(gas, &flow, &speed);
    for (int r = -1; r < ROUNDS && !status; r++) {
        double before[OPS], after[OPS];
        status = seconds_of(device, before);
        for (int s = 0; s < STEPS && !status; s++) {
            float dt = 0.9f * def.grid.h / fmaxf(speed, 1e-6f);
            status = gyre_gas_step(gas, dt) != GYRE_OK;
            speed = gyre_gas_get_stats(gas).max_speed;
        }
        status = status || seconds_of(device, after);
        for (int i = 0; i < OPS && r >= 0 && !status; i++)
            *(i == 0 ? &carry[r] : &sort[r]) +=
                (after[i] - before[i]) * 1e9 / ((double)STEPS * COUNT);
    }
    if (!status && gyre_gas_get_stats(gas).tracers != COUNT)
        status = 1;
    gyre_gas_destroy(gas);
    bench_flow_free(&flow);
    return status;
}

int bench_tracers(const char *isa, bool quick, FILE *out)
{
    double carry[ROUNDS] = {0}, sort[ROUNDS] = {0};
    gyre_device *device = timed(isa);
    int n = quick ? 64 : 128;
    if (!device || run(device, n, carry, sort)) {
        fprintf(stderr, "gyre bench: tracers: %s\n", gyre_message());
        gyre_device_destroy(device);
        return 1;
    }
    double a = bench_median(carry, ROUNDS), b = bench_median(sort, ROUNDS);
    fprintf(
        out,
        "\na million tracers in %d^3 cells at Courant 0.9, %s, one thread: %.1f ns a tracer and "
        "step, carrying %.1f, sorting every %d steps %.1f\n",
        n, gyre_device_isa(device), a + b, a, STEPS, b);
    gyre_device_destroy(device);
    bool reached = a + b <= most;
    fprintf(out, "%s tracers: ns a tracer and step %.3g (at most %.3g)\n",
            reached ? "pass" : "FAIL", a + b, most);
    return reached ? 0 : 1;
}
