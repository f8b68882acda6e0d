// gas/texture.c: texture coordinates that flow with the gas (Max and Becker, Flow visualization
// using moving textures, 1995; Stam, Real-time fluid dynamics for games, 2003, "liquid textures").
//
// Where the gas at x was when phase p began is X_p = x + d_p, and
//
//     X_t + (u . grad) X = 0,    d'(x) = d(x + s) + s,    s the displacement back over dt
//
// d and not X is carried: it is 0 at first, goes on evenly beyond sides, round periodic ones, too,
// and what interpolation loses it loses of d, never of x. d(x + s) is MacCormack's (gas/ops/
// advect.c): second order in space and time; a shift and a turn, whose d are linear, are exact but
// for the order of s. One phase is drawn out without end; two or three, each of which begins
// anew, d = 0, once in a period T and a share of T after the one before, with the weights
//
//     w_p = sin^2(pi a_p / T),    a_p = (t + T p / P) mod T its age
//
// (Neyret, Advected textures, 2003; Yu, Neyret, Bruneton and Holzschuch, Lagrangian texture
// advection, 2011), show detail of one age: w is 0, and flat, where a phase begins anew; the sum of
// three, and that of their squares, never changes. src/render/texture.c blends.
//
// Ages follow from the clock alone, so that nothing beside d is state. Cost of a step: for each of
// P dim fields that of MacCormack's two carriages, and 12 bytes per cell to add s; `gyre bench gas
// --feature texture` measures it. P dim arrays of memory.
#include "gas/texture.h"
#include "base/maths.h"
#include "gas/flow.h"
#include "gas/ops/displace.h"
#include "model/phases.h"
#include <stdio.h>
#include <string.h>

int gy_gas_texture_count(const gyre_gas_def *def)
{
    return def->texture.phases * def->grid.dim;
}

size_t gy_gas_texture_bytes(const gyre_gas_def *def)
{
    return def->texture.phases > 0 ? (sizeof(gy_gas_texture) + 63) / 64 * 64 : 0;
}

gyre_result gy_gas_require_texture(gyre_device *device)
{
    static const gy_op ops[] = {GY_OP_displace};
    return gy_device_require(device, "texture", ops, GY_COUNT(ops));
}

void gy_gas_list_textures(gyre_gas *gas, const gyre_gas_def *def)
{
    gy_gas_texture *t = gas->texture;
    if (!t) {
        return;
    }
    t->first = gas->model.field_count;
    t->count = gy_gas_texture_count(def);
    memcpy(t->fields, gas->fields, (size_t)t->first * sizeof *t->fields);
    for (int q = 0; q < t->count; q++) {
        int axis = q % def->grid.dim;
        snprintf(t->names[q], sizeof t->names[q], "texture_%d_%c", q / def->grid.dim, "xyz"[axis]);
        t->fields[t->first + q] = (gyre_field_info){.name = t->names[q],
                                                    .unit = "m",
                                                    .location = GYRE_CENTRE,
                                                    .view = GYRE_VIEW_SIGNED,
                                                    .doc = "from a cell to where its gas was",
                                                    .role = GYRE_ROLE_TEXTURE};
    }
    gas->model.fields = t->fields;
    gas->model.field_count = t->first + t->count;
}

gy_edge gy_gas_texture_edge(const gyre_gas *gas, int axis)
{
    int32_t rule = gas->periodic >> axis & 1u ? GY_EDGE_WRAP : GY_EDGE_COPY;
    return (gy_edge){.rule = {rule, rule}, .samples = gas->extent.n[axis]};
}

static gy_box cells(const gyre_gas *gas)
{
    return gy_box_make(gas->extent.n[0], gas->extent.n[1], gas->extent.n[2]);
}

static gy_box all_rows(const gyre_gas *gas)
{
    const int *n = gas->extent.n;
    return gy_box_make(n[0], n[1] + 2, gy_is_3d(gas->extent.dim) ? n[2] + 2 : 1);
}

/// A phase begins anew.
static void clear(gyre_gas *gas, int phase)
{
    int dim = gas->extent.dim;
    for (int a = 0; a < dim; a++) {
        gy_fill_args fill = {
            .base = gas->base, .field = gas->texture->slot[phase * dim + a], .extent = gas->extent};
        gy_run(gas->model.device, GY_OP_fill, &fill, all_rows(gas));
    }
}

void gy_gas_begin_textures(gyre_gas *gas)
{
    for (int p = 0; gas->texture && p < gas->def->texture.phases; p++) {
        clear(gas, p);
    }
}

/// Into spare slots, as step.c's prepare() does it.
static void prepare(gyre_gas *gas, int first, int count)
{
    gy_gas_texture *t = gas->texture;
    int at = gy_gas_listed(gas, t->first + first);
    gy_field *list = (gy_field *)(void *)gy_at(gas->base, gas->listed) + at;
    for (int q = 0; q < count; q++) {
        list[q].old = t->slot[first + q];
        list[q].predicted = gas->predicted[q];
        t->slot[first + q] = gas->spare[q];
        gas->spare[q] = list[q].old;
    }
    gy_gas_list_fields(gas);
}

/// d += s.
static void add_paths(gyre_gas *gas, float dt, const uint32_t *wind, int first, int count)
{
    gy_displace_args a = {.base = gas->base,
                          .count = count,
                          .sides = gas->open_sides | gas->given,
                          .scale = gy_gas_pace(gas, dt),
                          .h = gas->grid.h,
                          .extent = gas->extent};
    for (int q = 0; q < count; q++) {
        int axis = (first + q) % gas->extent.dim;
        a.axis[q] = axis;
        a.field[q] = gas->texture->slot[first + q];
        a.back[q] = gas->back[axis];
        a.velocity[q] = wind[axis];
    }
    gy_run(gas->model.device, GY_OP_displace, &a, cells(gas));
}

static void carry_some(gyre_gas *gas, float dt, const uint32_t *wind, int first, int count)
{
    const gy_gas_texture *t = gas->texture;
    int at = gy_gas_listed(gas, t->first + first);
    prepare(gas, first, count);
    gy_advect_args a = gy_gas_carry_args(gas, at, count);
    gy_run(gas->model.device, GY_OP_advect, &a, cells(gas));
    gy_gas_halo(gas, at, count, true, false);
    gy_run(gas->model.device, GY_OP_correct, &a, cells(gas));
    add_paths(gas, dt, wind, first, count);
    for (int q = 0; q < count; q++) {
        gy_gas_extend(gas, t->first + first + q);
    }
    gy_gas_halo(gas, at, count, false, true);
}

void gy_gas_carry_textures(gyre_gas *gas, float dt, const uint32_t *wind)
{
    int count = gas->texture ? gas->texture->count : 0;
    int group = GY_MIN(gas->float_spares, gas->extent.dim);
    for (int first = 0; first < count; first += group) {
        carry_some(gas, dt, wind, first, GY_MIN(group, count - first));
    }
}

// ---- ages

void gy_gas_renew_textures(gyre_gas *gas, double before)
{
    const gyre_gas_texture *t = &gas->def->texture;
    double since;
    for (int p = 0; gas->texture && t->phases > 1 && p < t->phases; p++) {
        if (gy_phase_turns(t->phases, t->period, p, before, &since) !=
            gy_phase_turns(t->phases, t->period, p, gas->model.time, &since)) {
            clear(gas, p);
        }
    }
}

void gy_gas_tell_texture(const gyre_model *model, gyre_texture *texture)
{
    const gyre_gas *gas = (const gyre_gas *)model;
    const gyre_gas_texture *t = &gas->def->texture;
    int dim = gas->extent.dim;
    if (!gas->texture) {
        return;
    }
    texture->phases = t->phases;
    for (int p = 0; p < t->phases; p++) {
        double since;
        int64_t turns = gy_phase_turns(t->phases, t->period, p, model->time, &since);
        // A place of its own for each beginning; so many that none is seen to come again.
        float place = (float)((turns * t->phases + p) % 64);
        float half = gy_sinf((float)(3.14159265358979323846 * since));
        texture->weight[p] = t->phases == 1 ? 1.0f : half * half;
        texture->age[p] = t->phases == 1 ? model->time : since * (double)t->period;
        for (int a = 0; a < dim; a++) {
            texture->field[p][a] = gas->texture->first + p * dim + a;
            texture->offset[p][a] = t->phases == 1 ? 0.0f : place * t->offset[a];
        }
    }
}
