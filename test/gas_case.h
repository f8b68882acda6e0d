// test/gas_case.h: small gases that between them use every part of a step; for tests that ask for
// equal bits: golden hashes, saved states, fuzzing.
#ifndef GYRE_TEST_GAS_CASE_H
#define GYRE_TEST_GAS_CASE_H

#include "gyre/gyre.h"
#include <stddef.h>
#include <string.h>

typedef struct gas_case {
    const char *name;
    int steps;
    float dt;
    void (*fill)(gyre_gas_def *def);
    void (*start)(gyre_gas *gas); // after create; may be NULL
} gas_case;

// Lists that defs point to while a gas is made from them; volumes must live on.
typedef struct gas_case_lists {
    gyre_gas_channel channels[3];
    gyre_gas_emitter emitters[6];
    gyre_gas_solid solids[3];
} gas_case_lists;
static gas_case_lists gas_lists;
static float gas_volume[5 * 4 * 3];
static float gas_rate[40 * 30];

static inline void gas_case_size(gyre_gas_def *def, int x, int y, int z, float width)
{
    def->grid.n[0] = x;
    def->grid.n[1] = y;
    def->grid.n[2] = z;
    def->grid.h = width / (float)x;
}

static inline gyre_gas_emitter *gas_case_emitter(gyre_gas_def *def)
{
    def->emitters.items = gas_lists.emitters;
    gyre_gas_emitter *e = &gas_lists.emitters[def->emitters.count++];
    *e = gyre_gas_default_emitter();
    return e;
}

static inline gyre_gas_solid *gas_case_solid(gyre_gas_def *def)
{
    def->solids.items = gas_lists.solids;
    gyre_gas_solid *s = &gas_lists.solids[def->solids.count++];
    *s = gyre_gas_default_solid();
    return s;
}

static inline gyre_shape gas_sphere(float x, float y, float z, float radius)
{
    gyre_shape s = {.kind = GYRE_SHAPE_SPHERE};
    s.as.sphere.centre[0] = x;
    s.as.sphere.centre[1] = y;
    s.as.sphere.centre[2] = z;
    s.as.sphere.radius = radius;
    return s;
}

static inline gyre_shape gas_box(float x, float y, float z, float a, float b, float c, float turn)
{
    gyre_shape s = {.kind = GYRE_SHAPE_BOX};
    const float v[9] = {x, y, z, a, b, c, 0.5f * turn, 0.0f, turn};
    memcpy(s.as.box.centre, v, sizeof v);
    return s;
}

static inline gyre_shape gas_capsule(float x, float y, float z, float a, float b, float c, float r)
{
    gyre_shape s = {.kind = GYRE_SHAPE_CAPSULE};
    const float v[7] = {x, y, z, a, b, c, r};
    memcpy(s.as.capsule.from, v, sizeof v);
    return s;
}

static inline gyre_shape gas_image(float x, float y, float z, float size)
{
    for (int i = 0; i < 60; i++) {
        gas_volume[i] = (float)(i * 37 % 60) / 60.0f;
    }
    gyre_shape s = {.kind = GYRE_SHAPE_VOLUME};
    s.as.volume.data = (gyre_volume){gas_volume, {5, 4, 3}, NULL};
    const float v[7] = {x, y, z, size, size, size, 0.4f};
    memcpy(s.as.volume.low, v, sizeof v);
    return s;
}

static inline void fill_plume(gyre_gas_def *def)
{
    gas_case_size(def, 20, 28, 18, 1.0f);
    def->sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    def->density_weight = 0.05f;
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(0.5f, 0.15f, 0.45f, 0.12f);
    e->density = 3.0f;
    e->temperature = 400.0f;
    e->noise = 0.5f;
    gas_case_solid(def)->shape = gas_sphere(0.52f, 0.7f, 0.45f, 0.17f);
}

static inline void fill_wide_plume(gyre_gas_def *def)
{
    // Large enough that ops are cut into several tasks.
    fill_plume(def);
    gas_case_size(def, 48, 44, 30, 1.0f);
}

static inline void fill_shear(gyre_gas_def *def)
{
    gas_case_size(def, 33, 27, 1, 1.0f);
    for (gyre_gas_side *s = &def->sides.x_low; s <= &def->sides.y_high; s++) {
        s->rule = GYRE_GAS_SIDE_PERIODIC;
    }
}

static inline void fill_wide_shear(gyre_gas_def *def)
{
    fill_shear(def);
    gas_case_size(def, 257, 131, 1, 1.0f);
}

/// Two streams past each other, with a bump, from rational numbers alone.
static inline void start_shear(gyre_gas *gas)
{
    for (int f = 0; f < 3; f++) {
        gyre_field_view v;
        gyre_gas_map(gas, f, GYRE_WRITE, &v);
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                float y = (float)j / (float)v.grid.n[1], x = (float)i / (float)v.grid.n[0];
                float bump = 16.0f * x * (1.0f - x) * y * (1.0f - y);
                float stream = y > 0.25f && y < 0.75f ? 1.0f : -1.0f;
                v.data[i + j * v.stride[1]] = f == 0   ? stream
                                              : f == 1 ? 0.2f * bump * (x - 0.4f)
                                                       : 0.5f + 0.5f * stream;
            }
        }
        gyre_gas_unmap(gas, f);
    }
}

static inline void fill_cavity(gyre_gas_def *def)
{
    gas_case_size(def, 31, 24, 1, 1.0f);
    for (gyre_gas_side *s = &def->sides.x_low; s <= &def->sides.y_high; s++) {
        s->rule = GYRE_GAS_SIDE_NO_SLIP;
    }
    def->sides.y_high.velocity[0] = 1.0f;
    def->viscosity = 0.01f;
    def->density.diffusivity = 0.002f;
    def->temperature.diffusivity = 1.0f;
    def->temperature.dissipation = 0.5f;
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_box(0.3f, 0.3f, 0, 0.25f, 0.1f, 1, 30.0f);
    e->density = 1.0f;
    e->temperature = 20.0f;
}

static inline void fill_shapes(gyre_gas_def *def)
{
    gas_case_size(def, 17, 19, 23, 1.0f);
    def->sides.z_low.rule = def->sides.z_high.rule = def->sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def->gravity[2] = 2.0f;
    def->solid_slip = false;
    def->viscosity = 1e-3f;
    def->seed = 7;
    def->channels = (gyre_pool){gas_lists.channels, 2, 0};
    gas_lists.channels[0] = (gyre_gas_channel){"fuel", 1e-3f, 0.0f};
    gas_lists.channels[1] = (gyre_gas_channel){"soot", 0.0f, 2.0f};
    const gyre_shape shapes[5] = {
        gas_sphere(0.2f, 0.2f, 0.2f, 0.1f),
        gas_box(0.7f, 0.3f, 0.4f, 0.2f, 0.3f, 0.1f, 40.0f),
        gas_capsule(0.2f, 0.7f, 0.9f, 0.5f, 0.9f, 1.1f, 0.08f),
        {.kind = GYRE_SHAPE_HALF_SPACE, .as.half_space = {{0.1f, 0.1f, 0.1f}, {1.0f, 2.0f, 1.5f}}},
        gas_image(0.5f, 0.5f, 0.6f, 0.4f)};
    for (int i = 0; i < 5; i++) {
        gyre_gas_emitter *e = gas_case_emitter(def);
        e->shape = shapes[i];
        e->mode = i % 2;
        e->density = 1.0f + (float)i;
        e->temperature = 50.0f * (float)(2 - i);
        strcpy(e->channel, i % 2 ? "fuel" : "soot");
        e->channel_amount = 0.5f * (float)(i + 1);
        e->push = i != 2;
        e->velocity[0] = 1.0f - 0.5f * (float)i;
        e->velocity[2] = 0.75f;
        e->noise = 0.25f * (float)i;
    }
    gas_case_solid(def)->shape = gas_box(0.5f, 0.6f, 0.5f, 0.3f, 0.2f, 0.3f, 25.0f);
    gas_case_solid(def)->shape = gas_image(0.1f, 0.6f, 0.3f, 0.3f);
    gas_case_solid(def)->shape = gas_sphere(0.8f, 0.8f, 0.9f, 0.15f);
    gas_lists.solids[2].enabled = false;
}

static inline void fill_substeps(gyre_gas_def *def)
{
    gas_case_size(def, 70, 40, 1, 1.0f);
    def->advection = GYRE_GAS_SEMI_LAGRANGIAN;
    def->courant = 1.0f;
    def->max_substeps = 6;
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_capsule(0.2f, 0.2f, 0, 0.25f, 0.3f, 0, 0.05f);
    e->density = 2.0f;
    e->push = true;
    e->velocity[0] = 1.5f;
}

static inline void fill_fast(gyre_gas_def *def)
{
    // Courant numbers about 5, round a solid, into every side.
    gas_case_size(def, 66, 37, 1, 1.0f);
    def->sides.x_high.rule = def->sides.y_low.rule = GYRE_GAS_SIDE_OPEN;
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->mode = GYRE_GAS_EMIT_SET;
    e->shape = gas_sphere(0.2f, 0.3f, 0, 0.09f);
    e->density = 1.0f;
    e->push = true;
    e->velocity[0] = 2.5f;
    e->velocity[1] = -1.0f;
    gas_case_solid(def)->shape = gas_capsule(0.5f, 0.1f, 0, 0.6f, 0.35f, 0, 0.06f);
}

static inline void fill_channel(gyre_gas_def *def)
{
    gas_case_size(def, 21, 14, 12, 1.0f);
    def->sides.x_low.rule = def->sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    def->sides.z_low.rule = def->sides.z_high.rule = GYRE_GAS_SIDE_NO_SLIP;
    def->sides.z_high.velocity[0] = 2.0f;
    def->sides.z_low.velocity[1] = -1.0f;
    def->viscosity = 0.05f;
    def->solid_slip = false;
    gas_case_solid(def)->shape = gas_sphere(0.02f, 0.3f, 0.25f, 0.12f);
}

static inline void fill_sources(gyre_gas_def *def)
{
    gas_case_size(def, 32, 30, 1, 1.0f);
    for (gyre_gas_side *s = &def->sides.x_low; s <= &def->sides.y_high; s++) {
        s->rule = GYRE_GAS_SIDE_OPEN;
    }
    def->pressure.solver = GYRE_SOLVER_RED_BLACK;
    def->pressure.omega = 1.0f;
    def->pressure.max_cycles = 30;
    def->density.dissipation = 1.0f;
    def->speed_cap = 0.3f;
}

static inline void start_sources(gyre_gas *gas)
{
    for (int i = 0; i < 40 * 30; i++) {
        gas_rate[i] = (float)(i * 53 % 97) - 48.0f;
    }
    gyre_gas_set_source(gas, 0, gas_rate);
    gyre_gas_set_source(gas, 2, gas_rate + 17);
    const float centre[3] = {0.4f, 0.45f, 0.0f};
    gyre_gas_splat(gas, 3, centre, 0.3f, 90.0f);
    gyre_gas_splat(gas, 1, centre, 0.2f, -0.4f);
}

enum { GAS_CASES = 10 };
static const gas_case gas_cases[GAS_CASES] = {
    {"plume", 6, 0.05f, fill_plume, NULL},
    {"shear", 8, 0.05f, fill_shear, start_shear},
    {"cavity", 8, 0.05f, fill_cavity, NULL},
    {"shapes", 5, 0.04f, fill_shapes, NULL},
    {"substeps", 5, 0.1f, fill_substeps, NULL},
    {"fast", 6, 0.03f, fill_fast, NULL},
    {"channel", 5, 0.05f, fill_channel, NULL},
    {"sources", 6, 0.02f, fill_sources, start_sources},
    {"wide_plume", 2, 0.05f, fill_wide_plume, NULL},
    {"wide_shear", 3, 0.02f, fill_wide_shear, start_shear},
};

/// A case's gas before its first step; NULL with a message on failure.
static inline gyre_gas *gas_case_make(const gas_case *c, gyre_device *on)
{
    // 3D where the case fills a third axis.
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas *gas = NULL;
    c->fill(&def);
    def.grid.dim = def.grid.n[2] > 1 ? 3 : 2;
    if (gyre_gas_create(on, &def, &gas) == GYRE_OK && c->start) {
        c->start(gas);
    }
    return gas;
}

static inline gyre_device *gas_case_device(int threads, const char *isa)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *made = NULL;
    def.threads = threads;
    def.isa = isa;
    return gyre_device_create(&def, &made) == GYRE_OK ? made : NULL;
}

#endif
