// gas/tracers.c: points without mass that the gas carries along: see gas/ops/tracer.c for how; and
// those that have mass, in gas/grains.c.
//
// They come from the def, evenly spread over a box, and from emitters, evenly over their shapes
// (model/drift.h); where there is no gas no tracer is put. A tracer takes 48 bytes of memory; what
// it costs a step `gyre bench gas` prints.
#include "gas/tracers.h"
#include "gas/flow.h"
#include "model/drift.h"
#include "ops/particle/particle.h"
#include "ops/system/level.h"
#include <string.h>

size_t gy_gas_plan_tracers(gyre_gas *gas, const gyre_gas_def *def)
{
    gas->model.particle_sets = def->tracers.capacity > 0;
    gas->model.particles = &gas->tracers;
    if (gas->model.particle_sets == 0) {
        return 0;
    }
    bool mass = def->tracers.inertia;
    bool plates = mass && def->tracers.thickness > 0.0f;
    size_t bytes = gy_particles_plan(&gas->tracers, "tracers",
                                     plates ? "plates that fly in the gas"
                                     : mass ? "particles that fly in the gas"
                                            : "points that the gas carries along",
                                     gy_drift_table,
                                     plates ? GY_DRIFT_PLATES
                                     : mass ? GY_DRIFT_HEAVY
                                            : GY_DRIFT_ATTRIBUTES,
                                     def->tracers.capacity, &gas->grid);
    return bytes + (mass ? gy_gas_plan_grains(gas, def) : 0);
}

static bool is_gas(const void *model, double point[3])
{
    const gyre_gas *gas = model;
    const gyre_grid *g = &gas->grid;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    int at[3] = {0, 0, 0};
    for (int a = 0; a < g->dim; a++) {
        int i = (int)((point[a] - (double)g->origin[a]) / (double)g->h);
        at[a] = GY_MAX(0, GY_MIN(i, g->n[a] - 1));
    }
    return !gy_gas_is_blocked(gas) || gy_level_fluid(&level, at[0], at[1], at[2]);
}

static void seed(gyre_gas *gas, gy_drift_place place, int64_t count)
{
    gy_drift_seed(gas->model.device, &gas->tracers, place, (uint64_t)gas->def->seed, count, is_gas,
                  gas);
}

void gy_gas_start_tracers(gyre_gas *gas)
{
    const gyre_gas_tracers *t = &gas->def->tracers;
    if (gas->model.particle_sets > 0) {
        gy_gas_begin_grains(gas);
    }
    if (gas->model.particle_sets > 0 && t->start > 0) {
        seed(gas, gy_drift_box(t->low, t->high), t->start);
    }
}

static void emit(gyre_gas *gas, double from, double to)
{
    const gyre_gas_emitter *list = gas->def->emitters.items;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        int64_t due = gy_particles_due((double)list[i].tracers, from, to);
        if (list[i].enabled && due > 0) {
            gy_drift_place place = gy_drift_shape(&gas->emitters[i]);
            memcpy(place.velocity, list[i].tracers_velocity, sizeof place.velocity);
            place.scatter = list[i].tracers_scatter;
            seed(gas, place, due);
        }
    }
}

void gy_gas_carry_tracers(gyre_gas *gas, float dt, const uint32_t wind[3])
{
    const gy_particles *set = &gas->tracers;
    if (gas->model.particle_sets == 0 || !(dt > 0.0f)) {
        return;
    }
    if (gas->def->tracers.inertia) {
        gy_gas_carry_grains(gas, dt, wind);
        return;
    }
    const gyre_grid *grid = &gas->grid;
    gy_tracer_args a = {.base = gas->base,
                        .particles = set->base,
                        .step = set->step,
                        .gone = set->gone,
                        .now = set->now,
                        .near = gy_gas_is_blocked(gas) ? gas->near : 0,
                        .level = gy_system_offset(&gas->pressure, 0),
                        .extent = gas->extent,
                        .periodic = gas->periodic,
                        .open_sides =
                            gas->open_sides | gy_gas_carried(gas->def) | gas->windowed << 8,
                        .origin = {grid->origin[0], grid->origin[1], grid->origin[2]},
                        .h = grid->h,
                        .inverse = 1.0f / grid->h,
                        .scale = gy_gas_pace(gas, dt),
                        .dt = dt,
                        .life = gas->def->tracers.life,
                        .links = gy_gas_net(gas)};
    a.extent.halves = a.links ? GY_LINKED : 0;
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = wind[GY_MIN(d, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_tracer, &a, gy_particles_box(set));
}

void gy_gas_leave_tracers(gyre_gas *gas)
{
    if (gas->model.particle_sets > 0) {
        gy_particles_keep_in(gas->model.device, &gas->tracers, gas->periodic);
    }
}

void gy_gas_end_tracers(gyre_gas *gas, double before)
{
    if (gas->model.particle_sets > 0) {
        gy_particles_settle(gas->model.device, &gas->tracers, gas->model.steps);
        emit(gas, before, gas->model.time);
        gy_particles_end(gas->model.device, &gas->tracers);
        if (gas->def->tracers.inertia) {
            gy_gas_end_grains(gas);
        }
    }
}
