// labels: vulkan
// Whole gases on the CPU and on a Vulkan device, step for step: every field must agree, and what a
// host can hand in must do to the one what it does to the other.
//
// How close: both run the same cycles of the same arithmetic, but for divisions (2.5 ulp on a GPU),
// denormals and the order of sums, and both stop solving at a residual of 1e-5 of what there was.
// So they part by some 1e-6 of a field's greatest value in a step, and by what 50 steps of a flow
// make of it: `bound`. Of divergence the projection leaves a residual alone; there the greatest
// speed over the cell's edge counts, of whose differences it is made.
//
// One thing jumps: MacCormack's clamp takes its range from the cell in which a path ends. Where
// speeds along an axis are nothing but rounding, it is rounding that chooses that cell; such a gas
// is carried by semi-Lagrangian here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include "device/vulkan/vulkan.h"
#include "gas/gas.h"
#include "window_rules.h"

enum { STEPS = 50 };

typedef struct pair {
    const char *name;
    gyre_gas *gas[2]; // on the CPU, on the GPU
} pair;

static void sides(gyre_gas_def *def, int xl, int xh, int yl, int yh, int zl, int zh)
{
    const int rule[6] = {xl, xh, yl, yh, zl, zh};
    gyre_gas_side *side = &def->sides.x_low;
    for (int s = 0; s < 2 * def->grid.dim; s++)
        side[s].rule = rule[s];
}

static pair make(const char *name, const gyre_gas_def *def)
{
    pair p = {.name = name};
    must(gyre_gas_create(the_cpu, def, &p.gas[0]));
    must(gyre_gas_create(the_gpu, def, &p.gas[1]));
    return p;
}

static void drop(pair *p)
{
    gyre_gas_destroy(p->gas[0]);
    gyre_gas_destroy(p->gas[1]);
}

static void step(const pair *p, float dt)
{
    for (int d = 0; d < 2; d++)
        must(gyre_gas_step(p->gas[d], dt));
}

static void set(const pair *p, const char *path, double value)
{
    for (int d = 0; d < 2; d++)
        must(gyre_gas_set(p->gas[d], path, gyre_number(value)));
}

static void choose(const pair *p, const char *path, const char *name)
{
    gyre_value value = {.kind = *name ? GYRE_ENUM : GYRE_BOOL, .count = 1};
    snprintf(value.string, sizeof value.string, "%s", name);
    for (int d = 0; d < 2; d++)
        must(gyre_gas_set(p->gas[d], path, value));
}

static void add_source(const pair *p, const char *field, float x, float y, float z, float radius,
                       float amount)
{
    const float centre[3] = {x, y, z};
    for (int d = 0; d < 2; d++)
        must(gyre_gas_splat(p->gas[d], gyre_gas_field(p->gas[d], field), centre, radius, amount));
}

/// id[d]: of the emitter in gas d.
static void add_emitter(const pair *p, const gyre_gas_emitter *emitter, gyre_id id[2])
{
    for (int d = 0; d < 2; d++) {
        id[d] = gyre_gas_add_emitter(p->gas[d], emitter);
        if (!id[d])
            fail_msg("%s", gyre_message());
    }
}

typedef double visitor(double a, double b);

static double greatest(const gyre_field_view v[2], visitor *visit)
{
    double most = 0.0;
    for (int k = 0; k < v[0].n[2]; k++) {
        for (int j = 0; j < v[0].n[1]; j++) {
            for (int i = 0; i < v[0].n[0]; i++) {
                double a = (double)v[0].data[i + j * v[0].stride[1] + k * v[0].stride[2]];
                double b = (double)v[1].data[i + j * v[1].stride[1] + k * v[1].stride[2]];
                assert_true(isfinite(a) && isfinite(b));
                most = fmax(most, visit(a, b));
            }
        }
    }
    return most;
}

static double difference(double a, double b)
{
    return fabs(a - b);
}

static double size(double a, double b)
{
    (void)b;
    return fabs(a);
}

/// Some ten times what lavapipe shows.
static const double bound = 2e-5;

/// Compares every field, derived ones too, and says how far they are apart.
static void agree(const pair *p)
{
    int count;
    const gyre_field_info *fields = gyre_gas_fields(p->gas[0], &count);
    double worst = 0.0, moved = 0.0;
    const char *where = "";
    for (int f = 0; f < count; f++) {
        gyre_field_view v[2];
        gyre_result r[2];
        for (int d = 0; d < 2; d++)
            r[d] = gyre_gas_map(p->gas[d], f, GYRE_READ, &v[d]);
        if (r[0] == GYRE_ERROR_UNSUPPORTED && r[1] == r[0])
            continue; // the pressure, by older schemes
        must(r[0]);
        must(r[1]);
        double scale = greatest(v, size), apart = greatest(v, difference);
        if (strcmp(fields[f].name, "divergence") == 0)
            scale = moved / (double)p->gas[0]->def->grid.h;
        if (apart > 0.0)
            apart /= scale;
        for (int d = 0; d < 2; d++)
            must(gyre_gas_unmap(p->gas[d], f));
        if (apart > worst)
            where = fields[f].name;
        worst = fmax(worst, apart);
        moved = f < p->gas[0]->velocities ? fmax(moved, scale) : moved;
        if (!(apart <= bound))
            fail_msg("%s: %s: %g of %g apart, at most %g", p->name, fields[f].name, apart, scale,
                     bound);
    }
    printf("    %s: speeds to %.3g, apart by %.2g of the greatest value at most (%s)\n", p->name,
           moved, worst, where);
    assert_true(moved > 1e-3); // else there was nothing to compare
    assert_int_equal(p->gas[0]->model.steps, p->gas[1]->model.steps);
}

/// An open top, buoyancy of heat and weight of smoke, noise, fading.
static void plume_in_2d(void **state)
{
    (void)state;
    gyre_gas_def def = sized(2, 37, 45, 1);
    gyre_gas_emitter e = ball(0.45f, 0.15f, 0.0f, 0.1f);
    e.noise = 0.7f;
    def.seed = 3;
    def.density_weight = 0.02f;
    def.density.dissipation = 0.4f;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    sides(&def, GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_OPEN,
          0, 0);
    pair p = make("a plume", &def);
    for (int i = 0; i < rig_steps(STEPS); i++)
        step(&p, 0.02f);
    agree(&p);
    drop(&p);
}

/// Moving walls, a periodic axis, channels, viscosity and diffusion, an emitter that holds.
static void channel_in_2d(void **state)
{
    (void)state;
    gyre_gas_def def = sized(2, 34, 21, 1);
    gyre_gas_channel channels[2] = {{.name = "dye", .diffusivity = 2e-3f},
                                    {.name = "ash", .dissipation = 1.0f}};
    gyre_gas_emitter e = gyre_gas_default_emitter();
    e.shape = (gyre_shape){.kind = GYRE_SHAPE_BOX,
                           .as.box = {.centre = {0.3f, 0.3f, 0.0f},
                                      .size = {0.2f, 0.15f, 1.0f},
                                      .rotation = {0.0f, 0.0f, 30.0f}}};
    e.mode = GYRE_GAS_EMIT_SET;
    e.push = true;
    e.velocity[0] = 0.8f;
    e.velocity[1] = 0.3f;
    strcpy(e.channel, "dye");
    e.channel_amount = 2.0f;
    e.density = 1.0f;
    def.channels = (gyre_pool){.items = channels, .count = 2};
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.viscosity = 1e-3f;
    def.density.diffusivity = 1e-3f;
    def.advection = GYRE_GAS_SEMI_LAGRANGIAN;
    sides(&def, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_NO_SLIP,
          GYRE_GAS_SIDE_NO_SLIP, 0, 0);
    def.sides.y_low.velocity[0] = -0.5f;
    def.sides.y_high.velocity[0] = 1.0f;
    pair p = make("a channel", &def);
    for (int i = 0; i < rig_steps(STEPS); i++) {
        if (i == 5)
            add_source(&p, "ash", 0.6f, 0.3f, 0.0f, 0.2f, 3.0f);
        step(&p, 0.02f);
    }
    agree(&p);
    drop(&p);
}

/// A shut box in 3D with substeps, heat that spreads, gravity along every axis, a capsule.
static void substeps_in_3d(void **state)
{
    (void)state;
    gyre_gas_def def = sized(3, 19, 14, 11);
    gyre_gas_emitter e = ball(0, 0, 0, 0);
    e.shape = (gyre_shape){.kind = GYRE_SHAPE_CAPSULE,
                           .as.capsule = {{0.3f, 0.2f, 0.2f}, {0.6f, 0.2f, 0.4f}, 0.12f}};
    e.noise = 0.4f;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.temperature.diffusivity = 5e-4f;
    def.gravity[0] = 2.0f;
    def.gravity[2] = -3.0f;
    def.courant = 0.12f;
    def.max_substeps = 4;
    pair p = make("a box with substeps", &def);
    int most = 0;
    for (int i = 0; i < rig_steps(STEPS); i++) {
        step(&p, 0.03f);
        int count = gyre_gas_get_stats(p.gas[0]).substeps;
        assert_int_equal(count, gyre_gas_get_stats(p.gas[1]).substeps);
        most = GY_MAX(most, count);
    }
    assert_true(most > 1);
    agree(&p);
    drop(&p);
}

/// Open and sticking sides and a periodic axis in 3D, viscosity.
static void sides_in_3d(void **state)
{
    (void)state;
    gyre_gas_def def = sized(3, 17, 12, 10);
    gyre_gas_emitter e = ball(0.3f, 0.25f, 0.3f, 0.15f);
    e.push = true;
    e.velocity[0] = 0.6f;
    e.velocity[2] = 0.4f;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.viscosity = 2e-3f;
    sides(&def, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_OPEN,
          GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_PERIODIC);
    def.sides.y_low.velocity[2] = 0.5f;
    pair p = make("open sides", &def);
    for (int i = 0; i < rig_steps(STEPS); i++)
        step(&p, 0.03f);
    agree(&p);
    drop(&p);
}

static float picture[3][24 * 16 * 5];

static void draw_picture(int which, int n0, int n1, int n2)
{
    for (int k = 0; k < n2; k++) {
        for (int j = 0; j < n1; j++) {
            for (int i = 0; i < n0; i++)
                picture[which][i + n0 * (j + n1 * k)] =
                    (float)((i * 5 + j * 3 + k * 7 + which) % 11) / 10.0f;
        }
    }
}

static gyre_gas_emitter shaped(int which, int dim)
{
    gyre_gas_emitter e = gyre_gas_default_emitter();
    int n[3] = {24, 16, dim == 3 ? 5 : 1};
    draw_picture(which, n[0], n[1], n[2]);
    e.shape = (gyre_shape){.kind = GYRE_SHAPE_VOLUME,
                           .as.volume = {.data = {picture[which], {n[0], n[1], n[2]}, NULL},
                                         .low = {0.2f, 0.1f, 0.1f},
                                         .size = {0.5f, 0.4f, 0.3f},
                                         .threshold = 0.45f}};
    e.density = 2.0f;
    e.temperature = 30.0f;
    return e;
}

/// Emitters shaped by arrays, of which some come, change, share an array and go meanwhile.
static void arrays_are_seen(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = sized(dim, 21, 18, dim == 3 ? 9 : 1);
        gyre_gas_emitter e[2] = {shaped(0, dim), shaped(0, dim)};
        e[1].shape.as.volume.low[0] = 0.4f;
        e[1].mode = GYRE_GAS_EMIT_SET;
        def.emitters = (gyre_pool){.items = e, .count = 2, .capacity = 5};
        pair p = make("emitters of arrays", &def);
        assert_int_equal(p.gas[1]->array_count, 1);
        gyre_id id[2][2] = {{0}};
        for (int i = 0; i < 36; i++) {
            if (i == 8)
                add_emitter(&p, e, id[0]);
            if (i == 10) {
                gyre_gas_emitter other = shaped(1, dim);
                add_emitter(&p, &other, id[1]);
                assert_int_equal(p.gas[1]->array_count, 2);
            }
            if (i == 14)
                set(&p, "emitters.0.shape.volume.threshold", 0.7);
            if (i == 20) {
                for (int d = 0; d < 2; d++)
                    must(gyre_gas_remove(p.gas[d], id[1][d]));
                assert_int_equal(p.gas[1]->array_count, 1);
                assert_int_equal(p.gas[0]->array_count, 0); // the CPU reads the array itself
            }
            if (i == 30) {
                for (int d = 0; d < 2; d++)
                    must(gyre_gas_remove(p.gas[d], id[0][d]));
            }
            step(&p, 0.02f);
        }
        agree(&p);
        drop(&p);
    }
}

static void fill_rates(const gyre_gas *gas, int field, float *rates, int round)
{
    int n[3];
    gyre_grid_samples(&gas->def->grid, gas->fields[field].location, n);
    for (int i = 0; i < n[0] * n[1] * n[2]; i++)
        rates[i] = (float)((i * 7 + round * 3 + field) % 13 - 6) * (field == 0 ? 2.0f : 20.0f);
    rates[5 + round % 3] = NAN;
    rates[11] = -INFINITY;
}

/// Whole-field sources, filled anew before each step, handed over and ended meanwhile.
static void sources_are_seen(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        static float rates[2][24 * 16 * 10];
        gyre_gas_def def = sized(dim, 20, 13, dim == 3 ? 8 : 1);
        sides(&def, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_OPEN,
              0, 0);
        // Nothing but rounding moves along z: see above.
        def.advection = GYRE_GAS_SEMI_LAGRANGIAN;
        def.courant = 1.0f;
        pair p = make("whole-field sources", &def);
        for (int i = 0; i < STEPS; i++) {
            int density = p.gas[0]->velocities;
            fill_rates(p.gas[0], 0, rates[0], i);
            fill_rates(p.gas[0], density + 1, rates[1], i);
            for (int d = 0; d < 2; d++) {
                if (i == 0)
                    must(gyre_gas_set_source(p.gas[d], 0, rates[0]));
                if (i == 0 || i == 40)
                    must(gyre_gas_set_source(p.gas[d], density + 1, rates[1]));
                if (i == 30)
                    must(gyre_gas_set_source(p.gas[d], density + 1, NULL));
            }
            step(&p, 0.02f);
            // What is asked for is done with the array as it was: a step has it for itself.
            memset(rates, 0, sizeof rates);
        }
        agree(&p);
        drop(&p);
    }
}

static void edit(gyre_gas *gas, const char *name, float value)
{
    int field = gyre_gas_field(gas, name);
    gyre_field_view v;
    must(gyre_gas_map(gas, field, GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 2; j < v.n[1] - 2; j++) {
            for (int i = 3; i < v.n[0] - 4; i++)
                v.data[i + j * v.stride[1] + k * v.stride[2]] +=
                    value * (float)((i * 3 + j * 5 + k) % 7 - 3);
        }
    }
    must(gyre_gas_unmap(gas, field));
}

/// Settings that change as a timeline changes them, brushes, and edits through windows.
static void changes_meanwhile(void **state)
{
    (void)state;
    gyre_gas_def def = sized(2, 31, 26, 1);
    gyre_gas_emitter e = ball(0.5f, 0.2f, 0.0f, 0.12f);
    strcpy(e.name, "fire");
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    sides(&def, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_SLIP,
          GYRE_GAS_SIDE_OPEN, 0, 0);
    pair p = make("changes", &def);
    for (int i = 0; i < STEPS; i++) {
        if (i == 6)
            set(&p, "viscosity", 2e-3);
        if (i == 12)
            set(&p, "emitters.fire.temperature", 150.0);
        if (i >= 15 && i < 25)
            set(&p, "emitters.fire.shape.sphere.radius", 0.12 + 0.004 * (i - 15));
        if (i == 18)
            choose(&p, "advection", "semi_lagrangian");
        if (i == 30)
            choose(&p, "advection", "bfecc");
        if (i == 38)
            choose(&p, "advection", "cubic");
        if (i == 22)
            set(&p, "speed_cap", 0.5);
        if (i == 26)
            set(&p, "viscosity", 0.0);
        if (i == 28)
            choose(&p, "emitters.fire.enabled", "");
        if (i % 9 == 4)
            add_source(&p, "velocity_x", 0.3f, 0.5f, 0.0f, 0.2f, 0.4f);
        for (int d = 0; d < 2 && i % 11 == 7; d++) {
            edit(p.gas[d], "velocity_y", 0.02f);
            edit(p.gas[d], "temperature", 3.0f);
        }
        step(&p, 0.02f);
    }
    agree(&p);
    gyre_gas_stats s[2] = {gyre_gas_get_stats(p.gas[0]), gyre_gas_get_stats(p.gas[1])};
    assert_true(fabs(s[0].kinetic_energy - s[1].kinetic_energy) <= 1e-3 * s[0].kinetic_energy);
    assert_true(fabsf(s[0].div_rms_before - s[1].div_rms_before) <= 1e-3f * s[0].div_rms_before);
    assert_true(fabsf(s[0].max_speed - s[1].max_speed) <= 1e-3f * s[0].max_speed);
    drop(&p);
}

/// What was saved on one device goes on, on the other, as if it had been there all the time.
static void saved_here_loaded_there(void **state)
{
    (void)state;
    gyre_gas_def def = sized(3, 15, 12, 9);
    gyre_gas_emitter e[2] = {ball(0.4f, 0.2f, 0.3f, 0.15f), shaped(2, 3)};
    e[0].noise = 0.5f;
    def.emitters = (gyre_pool){.items = e, .count = 2};
    def.viscosity = 1e-3f;
    pair p = make("saved and loaded", &def);
    size_t bytes = gyre_gas_save_size(p.gas[0]);
    assert_int_equal(bytes, gyre_gas_save_size(p.gas[1]));
    char *saved[2] = {calloc(1, bytes), calloc(1, bytes)};
    for (int i = 0, steps = rig_steps(STEPS); i < steps; i++) {
        if (i == steps / 2) {
            for (int d = 0; d < 2; d++)
                must(gyre_gas_save(p.gas[d], saved[d], bytes, NULL));
            for (int d = 0; d < 2; d++)
                must(gyre_gas_load(p.gas[d], saved[1 - d], bytes));
            // Loading is exact, both ways.
            char *again = calloc(1, bytes);
            for (int d = 0; d < 2; d++) {
                must(gyre_gas_save(p.gas[d], again, bytes, NULL));
                assert_memory_equal(again, saved[1 - d], bytes);
            }
            free(again);
        }
        step(&p, 0.02f);
    }
    agree(&p);
    free(saved[0]);
    free(saved[1]);
    drop(&p);
}

/// What a host writes that is no number is refused as on the CPU, and leaves the same behind.
static void no_nan_comes_in(void **state)
{
    (void)state;
    gyre_gas_def def = sized(2, 19, 14, 1);
    pair p = make("after NaN", &def);
    for (int f = 0; f < p.gas[0]->states; f++) {
        for (int d = 0; d < 2; d++) {
            gyre_field_view v;
            must(gyre_gas_map(p.gas[d], f, GYRE_WRITE, &v));
            v.data[3] = NAN;
            v.data[4] = -INFINITY;
            v.data[5 + v.stride[1]] = 0.25f;
            assert_int_equal(gyre_gas_unmap(p.gas[d], f), GYRE_ERROR_ARGUMENT);
            says("2 samples were not finite");
        }
    }
    // Halos hold what follows from it, too: the steps see no NaN.
    for (int f = 0; f < p.gas[0]->states; f++) {
        float value[2], point[3] = {4.2f * def.grid.h, 1.1f * def.grid.h, 0.0f};
        for (int d = 0; d < 2; d++)
            must(gyre_gas_probe(p.gas[d], f, point, 1, &value[d]));
        assert_true(value[0] == value[1]);
    }
    // An unmap too many, or a step too early, puts no old samples in the place of new ones.
    for (int d = 0; d < 2; d++) {
        gyre_field_view v;
        must(gyre_gas_map(p.gas[d], 0, GYRE_WRITE, &v));
        assert_int_equal(gyre_gas_step(p.gas[d], 0.01f), GYRE_ERROR_STATE);
        must(gyre_gas_unmap(p.gas[d], 0));
        must(gyre_gas_step(p.gas[d], 0.01f));
        assert_int_equal(gyre_gas_unmap(p.gas[d], 0), GYRE_ERROR_STATE);
    }
    agree(&p);
    const float nowhere[3] = {NAN, 0.0f, 0.0f};
    for (int d = 0; d < 2; d++) {
        assert_int_equal(gyre_gas_splat(p.gas[d], 0, nowhere, 1.0f, 1.0f), GYRE_ERROR_ARGUMENT);
        assert_int_equal(gyre_gas_step(p.gas[d], NAN), GYRE_ERROR_ARGUMENT);
        assert_int_equal(gyre_gas_set(p.gas[d], "viscosity", gyre_number((double)NAN)),
                         GYRE_ERROR_ARGUMENT);
    }
    drop(&p);
}

static void windows_are_held_to_their_rules(void **state)
{
    (void)state;
    gyre_gas_def def = sized(2, 19, 14, 1);
    pair p = make("windows", &def);
    const float centre[3] = {3.0f * def.grid.h, 5.0f * def.grid.h, 0.0f};
    for (int d = 0; d < 2; d++) {
        must(gyre_gas_splat(p.gas[d], 3, centre, 4.0f * def.grid.h, 1.0f));
        must(gyre_gas_step(p.gas[d], 0.1f));
        window_rules(gyre_gas_model(p.gas[d]), false);
    }
    agree(&p);
    drop(&p);
}

static void is_finite(const gyre_gas *gas)
{
    int count;
    const gyre_field_info *fields = gyre_gas_fields(gas, &count);
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
        must(gyre_gas_map((gyre_gas *)(uintptr_t)gas, f, GYRE_READ, &v));
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                if (!isfinite(v.data[i + j * v.stride[1]]))
                    fail_msg("%s holds %g", fields[f].name, (double)v.data[i + j * v.stride[1]]);
            }
        }
        must(gyre_gas_unmap((gyre_gas *)(uintptr_t)gas, f));
    }
}

/// The greatest numbers that are taken, and any step: every field stays finite.
static void nothing_breaks_it(void **state)
{
    (void)state;
    static const float steps[] = {0.0f, 1e-30f, 0.1f, 1e10f, 3e38f, 0.02f};
    gyre_gas_def def = sized(2, 22, 17, 1);
    gyre_gas_emitter e = ball(0.5f, 0.3f, 0.0f, 0.2f);
    e.noise = 1.0f;
    e.temperature = 1e6f;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.viscosity = 1e-2f;
    def.density.diffusivity = 1.0f;
    def.density_weight = 100.0f;
    sides(&def, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_OPEN,
          0, 0);
    gyre_gas *gas = NULL;
    must(gyre_gas_create(the_gpu, &def, &gas));
    for (int i = 0; i < 2 * GY_COUNT(steps); i++) {
        const float middle[3] = {0.4f, 0.4f, 0.0f};
        for (int f = 0; f < gas->states; f++)
            must(gyre_gas_splat(gas, f, middle, i & 1 ? 3e38f : 0.2f, f & 1 ? -3e38f : 3e38f));
        must(gyre_gas_step(gas, steps[i % GY_COUNT(steps)]));
        is_finite(gas);
    }
    gyre_gas_destroy(gas);
}

// ---- what does not work says so -----------------------------------------------------------------

static void solvers_without_twins(void **state)
{
    (void)state;
    static const struct {
        int solver, preconditioner;
        const char *says;
    } wrong[] = {{GYRE_SOLVER_FFT, 0, "fft"},
                 {GYRE_SOLVER_CYCLIC_REDUCTION, 0, "cyclic_reduction"},
                 {GYRE_SOLVER_DIRECT, 0, "direct"},
                 {GYRE_SOLVER_DENSE, 0, "dense"},
                 {GYRE_SOLVER_PCG, GYRE_PRECONDITION_MIC, "mic"},
                 {GYRE_SOLVER_GAUSS_SEIDEL, 0, "gauss_seidel"}};
    for (int i = 0; i < GY_COUNT(wrong); i++) {
        gyre_gas_def def = sized(2, 12, 9, 1);
        gyre_gas *gas = NULL;
        def.pressure.solver = wrong[i].solver;
        def.pressure.preconditioner = wrong[i].preconditioner;
        assert_int_equal(gyre_gas_create(the_gpu, &def, &gas), GYRE_ERROR_UNSUPPORTED);
        assert_null(gas);
        says(wrong[i].says);
        must(gyre_gas_create(the_cpu, &def, &gas));
        gyre_gas_destroy(gas);
    }
    assert_int_equal(gy_device_status(the_gpu), GYRE_OK);
}

static void models_without_twins(void **state)
{
    (void)state;
    static const char *const types[] = {"classic"};
    for (int i = 0; i < GY_COUNT(types); i++) {
        size_t bytes;
        assert_non_null(gyre_model_type_properties(types[i], &bytes));
        void *def = calloc(1, bytes);
        gyre_model *model = NULL;
        must(gyre_model_default_def(types[i], 2, def, bytes));
        assert_int_equal(gyre_model_create(the_gpu, types[i], def, &model), GYRE_ERROR_UNSUPPORTED);
        assert_null(model);
        says(types[i]);
        says(gyre_device_name(the_gpu));
        free(def);
    }
}

static void too_little_memory(void **state)
{
    (void)state;
    gyre_gas_def def = sized(3, 1024, 1024, 1024);
    gyre_gas *gas = NULL;
    gyre_result r = gyre_gas_create(the_gpu, &def, &gas);
    gyre_gas_destroy(gas); // of a device that has so much
    if (r == GYRE_OK)
        skip();
    assert_int_equal(r, GYRE_ERROR_MEMORY);
    says("1024 x 1024 x 1024");
    says("bytes are needed");
    assert_int_equal(gy_device_status(the_gpu), GYRE_OK);
}

typedef struct purse {
    int left; // allocations until there is no more
    int64_t out;
} purse;

static void *spend(void *user, size_t bytes, size_t alignment)
{
    purse *p = user;
    if (p->left == 0)
        return NULL;
    p->left--;
    p->out++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void give(void *user, void *memory, size_t bytes)
{
    (void)bytes;
    ((purse *)user)->out--;
    free(memory);
}

/// No memory for a copy of a caller's array: the gas goes on as it was.
static void no_memory_for_copies(void **state)
{
    (void)state;
    static float rates[21 * 18];
    purse p = {.left = -1};
    gyre_device_def device_def = rig_gpu_def();
    gyre_device *device = NULL;
    device_def.host = (gyre_host){.allocate = spend, .release = give, .user = &p};
    must(gyre_device_create(&device_def, &device));
    gyre_gas_def def = sized(2, 21, 18, 1);
    gyre_gas_emitter e = shaped(0, 2), other = shaped(1, 2);
    def.emitters = (gyre_pool){.items = &e, .count = 1, .capacity = 3};
    for (p.left = 0; p.left < 100; p.left++) {
        int tried = p.left;
        gyre_gas *none = NULL;
        gyre_result r = gyre_gas_create(device, &def, &none);
        if (r == GYRE_OK) {
            gyre_gas_destroy(none);
            assert_true(tried > 1);
            break;
        }
        assert_int_equal(r, GYRE_ERROR_MEMORY);
        assert_null(none);
        p.left = tried;
    }
    p.left = -1;
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, &def, &gas));
    must(gyre_gas_step(gas, 0.02f));
    size_t bytes = gyre_gas_save_size(gas);
    char *before = malloc(bytes), *after = malloc(bytes);
    must(gyre_gas_save(gas, before, bytes, NULL));
    p.left = 0;
    assert_true(gyre_gas_add_emitter(gas, &other) == 0);
    says("the array of a shape");
    assert_int_equal(gyre_gas_set_source(gas, 0, rates), GYRE_ERROR_MEMORY);
    says("set_source");
    assert_int_equal(gas->array_count, 1);
    must(gyre_gas_step(gas, 0.0f)); // a step asks for none
    must(gyre_gas_save(gas, after, bytes, NULL));
    p.left = -1;
    assert_true(gyre_gas_add_emitter(gas, &other) != 0);
    must(gyre_gas_set_source(gas, gas->velocities, rates));
    must(gyre_gas_set_source(gas, gas->velocities, rates));
    must(gyre_gas_step(gas, 0.02f));
    assert_int_equal(gas->def->emitters.count, 2);
    gyre_gas_destroy(gas);
    assert_int_equal(device->complaints, 0);
    gyre_device_destroy(device);
    assert_int_equal(p.out, 0);
    free(before);
    free(after);
}

static VKAPI_ATTR VkResult VKAPI_CALL is_lost(VkQueue queue, uint32_t count,
                                              const VkSubmitInfo *submits, VkFence fence)
{
    (void)queue, (void)count, (void)submits, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

/// Whatever needs the device says that it was lost; nothing hands out what the host had before.
static void a_lost_device(void **state)
{
    (void)state;
    gyre_device_def device_def = rig_gpu_def();
    gyre_device *device = NULL;
    device_def.host.log = NULL;
    must(gyre_device_create(&device_def, &device));
    gyre_gas_def def = sized(2, 20, 15, 1);
    gyre_gas *gas = NULL, *other = NULL;
    must(gyre_gas_create(device, &def, &gas));
    must(gyre_gas_step(gas, 0.02f));
    size_t bytes = gyre_gas_save_size(gas);
    char *saved = malloc(bytes);
    must(gyre_gas_save(gas, saved, bytes, NULL));
    ((gy_vulkan *)device->state)->call.vkQueueSubmit = is_lost;
    const float point[3] = {0.5f, 0.5f, 0.0f};
    float value;
    gyre_field_view v;
    gyre_gas_emitter e = shaped(0, 2);
    // In its midst: no call before it has found out.
    assert_int_equal(gyre_gas_map(gas, 0, GYRE_READ, &v), GYRE_ERROR_DEVICE);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_ERROR_DEVICE);
        says("was lost");
        assert_int_equal(gyre_gas_probe(gas, 0, point, 1, &value), GYRE_ERROR_DEVICE);
        assert_int_equal(gyre_gas_save(gas, saved, bytes, NULL), GYRE_ERROR_DEVICE);
        assert_int_equal(gyre_gas_map(gas, gas->states, GYRE_READ, &v), GYRE_ERROR_DEVICE);
        assert_true(gyre_gas_add_emitter(gas, &e) == 0);
        assert_int_equal(gyre_gas_create(device, &def, &other), GYRE_ERROR_DEVICE);
        assert_int_equal(gyre_gas_set_source(gas, 0, picture[0]), GYRE_ERROR_DEVICE);
        says("was lost");
    }
    free(saved);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plume_in_2d),          cmocka_unit_test(channel_in_2d),
        cmocka_unit_test(substeps_in_3d),       cmocka_unit_test(sides_in_3d),
        cmocka_unit_test(arrays_are_seen),      cmocka_unit_test(sources_are_seen),
        cmocka_unit_test(changes_meanwhile),    cmocka_unit_test(saved_here_loaded_there),
        cmocka_unit_test(no_nan_comes_in),      cmocka_unit_test(windows_are_held_to_their_rules),
        cmocka_unit_test(nothing_breaks_it),    cmocka_unit_test(solvers_without_twins),
        cmocka_unit_test(models_without_twins), cmocka_unit_test(too_little_memory),
        cmocka_unit_test(no_memory_for_copies), cmocka_unit_test(a_lost_device),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
