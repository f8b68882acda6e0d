// labels: vulkan
// A floor of heights under a gas, on the CPU and on a Vulkan device, step for step: it rises and
// falls, drags along and moves along, in 2D and 3D. Fields and what the floor was given are the
// same, smoke stays, and a step is one submission that waits for nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/water.h"
#include "gyre/wind.h"
#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include <math.h>
#include <stdio.h>

#include "device/vulkan/vulkan.h"
#include "gas/gas.h"

enum { MOST = 512 };
static const float dt = 0.03f;

typedef struct trial {
    const char *name;
    int dim, sides, advection;
    float high, drag; // of waves, m; 0: none
    float spread;     // m^2/s, diffusivity of smoke
} trial;

static const trial trials[] = {
    {"2D, rises", 2, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_CONSERVATIVE, 0.12f, 0.0f, 0.0f},
    {"2D, drags", 2, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_CONSERVATIVE, 0.0f, 0.05f, 0.0f},
    {"2D, both, closed", 2, GYRE_GAS_SIDE_SLIP, GYRE_GAS_CONSERVATIVE, 0.1f, 0.05f, 0.0f},
    {"2D, both, by values", 2, GYRE_GAS_SIDE_SLIP, GYRE_GAS_MACCORMACK, 0.1f, 0.05f, 0.0f},
    {"2D, both, by values, round", 2, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_MACCORMACK, 0.1f, 0.05f,
     0.0f},
    {"2D, spreads, by values, round", 2, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SEMI_LAGRANGIAN, 0.1f,
     0.0f, 0.02f},
    {"3D, both, by values, round", 3, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_MACCORMACK, 0.1f, 0.05f,
     0.0f},
    {"3D, both", 3, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_CONSERVATIVE, 0.1f, 0.05f, 0.0f},
    {"3D, both, closed", 3, GYRE_GAS_SIDE_SLIP, GYRE_GAS_CONSERVATIVE, 0.05f, 0.1f, 0.0f},
};

typedef struct pond {
    const trial *t;
    gyre_gas *gas;
    int steps;
    double push[2][MOST];
} pond;

static int columns(const trial *t)
{
    return t->dim == 3 ? 9 * 7 : 16;
}

/// A wind and smoke that are random.
static void fill(gyre_gas *gas)
{
    rig_seed = 5;
    for (int f = 0; f < gas->velocities + 2; f++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    bool along = f < gas->extent.dim - 1;
                    float low = along ? 1.0f : 0.0f, high = f < gas->velocities ? 2.0f : 1.0f;
                    float x = rig_float(low, f == gas->extent.dim - 1 ? 0.0f : high);
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = x;
                }
        must(gyre_gas_unmap(gas, f));
    }
}

static pond start(gyre_device *device, const trial *t)
{
    pond p = {.t = t};
    bool deep = t->dim == 3;
    gyre_gas_def def = sized(t->dim, deep ? 9 : 16, deep ? 7 : 12, deep ? 8 : 1);
    def.grid.h = 0.1f;
    def.floor = true;
    def.courant = 0.0f;
    def.advection = t->advection;
    def.density.diffusivity = t->spread;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0.0f;
    def.sides.x_low.rule = def.sides.x_high.rule = t->sides;
    must(gyre_gas_create(device, &def, &p.gas));
    fill(p.gas);
    return p;
}

/// What the floor was given since, added up.
static void take(pond *p)
{
    float x[MOST], y[MOST];
    must(gyre_gas_take_push(p->gas, x, p->t->dim == 3 ? y : NULL));
    for (int q = 0; q < columns(p->t); q++) {
        p->push[0][q] += (double)x[q];
        p->push[1][q] += p->t->dim == 3 ? (double)y[q] : 0.0;
    }
}

/// Waves along x (in 3D askew) that go on, and are told of; then a step.
static void go(pond *p)
{
    static float height[MOST], drag[MOST], along[2][MOST];
    const trial *t = p->t;
    int n = t->dim == 3 ? 9 : 16;
    for (int q = 0; q < columns(t); q++) {
        double x = 6.2831853 * (q % n) / n + 0.7 * (q / n), now = 0.4 * p->steps;
        height[q] = 0.33f + t->high * (float)cos(x - now);
        // Dry at one place.
        drag[q] = q % n == 2 ? 0.0f : t->drag;
        along[0][q] = 0.3f * (float)sin(x);
        along[1][q] = 0.2f * (float)cos(x);
    }
    gyre_gas_floor f = {.height = height, .dt = dt, .drag = t->drag > 0.0f ? drag : NULL};
    f.velocity[0] = along[0];
    f.velocity[1] = t->dim == 3 ? along[1] : NULL;
    must(gyre_gas_set_floor(p->gas, &f));
    must(gyre_gas_step(p->gas, dt));
    p->steps++;
}

/// How far the worst sample is apart, of the most that a velocity or a scalar is.
static double apart(const pond *a, const pond *b)
{
    double off = 0.0;
    for (int f = 0; f < a->gas->velocities + 2; f++) {
        gyre_field_view v, w;
        double size = 1.0, worst = 0.0;
        must(gyre_gas_map(a->gas, f, GYRE_READ, &v));
        must(gyre_gas_map(b->gas, f, GYRE_READ, &w));
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                    double y = (double)w.data[i + j * w.stride[1] + k * w.stride[2]];
                    assert_true(isfinite(x) && isfinite(y));
                    size = fmax(size, fabs(x));
                    worst = fmax(worst, fabs(x - y));
                }
        must(gyre_gas_unmap(a->gas, f));
        must(gyre_gas_unmap(b->gas, f));
        off = fmax(off, worst / size);
    }
    return off;
}

static double pushes_apart(const pond *a, const pond *b)
{
    double worst = 0.0, size = 0.0;
    for (int c = 0; c < 2 * MOST; c++) {
        double x = a->push[c / MOST][c % MOST], y = b->push[c / MOST][c % MOST];
        size = fmax(size, fabs(x));
        worst = fmax(worst, fabs(x - y));
    }
    assert_true((size > 0.0) == (a->t->drag > 0.0f));
    return size > 0.0 ? worst / size : worst;
}

static void step_for_step(void **state)
{
    (void)state;
    for (int q = 0; q < GY_COUNT(trials); q++) {
        const trial *t = &trials[q];
        pond cpu = start(the_cpu, t), gpu = start(the_gpu, t);
        double smoke = 0.0;
        for (int s = 0; s < (t->dim == 3 ? rig_steps(6) : 6); s++) {
            must(gyre_device_wait(the_gpu));
            uint64_t before = the_gpu->submissions, waited = the_gpu->waits;
            go(&gpu);
            before = the_gpu->submissions - before;
            waited = the_gpu->waits - waited;
            // Lists that outgrow those before give back what was there.
            if (s > 1 && (before != 1 || waited != 0))
                fail_msg("%s, step %d: %d submissions, %d waits", t->name, s, (int)before,
                         (int)waited);
            go(&cpu);
            if (s % 2 == 1) {
                take(&cpu);
                take(&gpu);
            }
            smoke = s == 0 ? gyre_model_total(gyre_gas_model(gpu.gas), t->dim) : smoke;
        }
        take(&cpu);
        take(&gpu);
        double worst = apart(&cpu, &gpu), push = pushes_apart(&cpu, &gpu);
        double off = gyre_model_total(gyre_gas_model(gpu.gas), t->dim) / smoke - 1.0;
        printf("    %s: apart by %.2g, what it was given by %.2g, smoke off by %.2g\n", t->name,
               worst, push, off);
        assert_true(worst <= 2e-5 && push <= 2e-5);
        assert_true(t->advection != GYRE_GAS_CONSERVATIVE || fabs(off) < 1e-5);
        gyre_gas_destroy(cpu.gas);
        gyre_gas_destroy(gpu.gas);
    }
}

/// A state saved on one device goes on, on the other, as on its own; what was given and not taken,
/// too.
static void saved_across_devices(void **state)
{
    (void)state;
    static char bytes[1 << 20];
    gyre_device *const both[2] = {the_cpu, the_gpu};
    for (int way = 0; way < 4; way++) {
        const trial *t = &trials[way < 2 ? 7 : 4];
        int from = way % 2;
        pond p = start(both[from], t), q = start(both[1 - from], t);
        size_t written;
        for (int s = 0; s < 2; s++)
            go(&p);
        must(gyre_gas_save(p.gas, bytes, sizeof bytes, &written));
        must(gyre_gas_load(q.gas, bytes, written));
        q.steps = p.steps;
        for (int s = 0; s < 2; s++) {
            go(&p);
            go(&q);
        }
        take(&p);
        take(&q);
        double worst = apart(&p, &q), push = pushes_apart(&p, &q);
        printf("    %s, saved on %s: apart by %.2g, what was given by %.2g\n", t->name,
               from ? "the GPU" : "the CPU", worst, push);
        assert_true(worst <= 2e-5 && push <= 2e-5);
        gyre_gas_destroy(p.gas);
        gyre_gas_destroy(q.gas);
    }
}

/// Air on the GPU over water on the CPU: what the one loses along x the other gets.
static void wind_over_water(void **state)
{
    (void)state;
    trial t = trials[1];
    pond p = start(the_gpu, &t);
    gyre_water *water;
    gyre_water_def sea = gyre_water_default_def(1);
    sea.grid.n[0] = 16;
    sea.grid.h = 0.1f;
    sea.level = 0.33f;
    sea.mode = GYRE_WATER_SHALLOW;
    sea.sides.x_low.rule = sea.sides.x_high.rule = GYRE_WATER_PERIODIC;
    must(gyre_water_create(the_cpu, &sea, &water));
    gyre_model *below = gyre_water_model(water);
    int flow = gyre_water_field(water, "discharge_x");
    double before = gyre_model_total(below, flow), given = 0.0;
    for (int s = 0; s < 8; s++) {
        must(gyre_wind_blow(gyre_gas_model(p.gas), below, 0.05f, dt));
        must(gyre_water_step(water, dt));
        must(gyre_gas_step(p.gas, dt));
    }
    must(gyre_wind_blow(gyre_gas_model(p.gas), below, 0.05f, dt));
    double won = (gyre_model_total(below, flow) - before) * 1000.0 / 0.1;
    // The same wind over a floor that stands still and has as little speed.
    pond q = start(the_cpu, &t);
    gyre_water *other;
    must(gyre_water_create(the_cpu, &sea, &other));
    int still = gyre_water_field(other, "discharge_x");
    for (int s = 0; s < 9; s++) {
        must(gyre_wind_blow(gyre_gas_model(q.gas), gyre_water_model(other), 0.05f, dt));
        if (s < 8) {
            must(gyre_water_step(other, dt));
            must(gyre_gas_step(q.gas, dt));
        }
    }
    given = gyre_model_total(gyre_water_model(other), still) * 1000.0 / 0.1;
    printf("    water won %.6g kg m/s, of a gas on the CPU %.6g\n", won, given);
    assert_true(given > 0.01 && fabs(won / given - 1.0) < 1e-4 && apart(&q, &p) < 2e-5);
    gyre_gas_destroy(p.gas);
    gyre_gas_destroy(q.gas);
    gyre_water_destroy(water);
    gyre_water_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_for_step),
        cmocka_unit_test(saved_across_devices),
        cmocka_unit_test(wind_over_water),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
