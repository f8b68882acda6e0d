// gas/tracers.c: points without mass that the gas carries along: see ops/tracer.c for how.
//
// They come from the def, evenly spread over a box, and from emitters, evenly over their shapes:
// random places, by a number that each of them has for good, so that the same def gives the same
// tracers. Where there is no gas no tracer is put. A tracer costs 28 bytes of memory twice, what it
// costs a step `gyre bench gas` prints.
#include "gas/gas.h"
#include "ops/level.h"
#include "ops/particle.h"

enum { POSITION, AGE, ID, ATTRIBUTES, MOST_TRIES = 64 };

static const gyre_attribute_info table[ATTRIBUTES] = {
    [POSITION] = {"position", "m", 3, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_SIGNED, "where it is", 0},
    [AGE] = {"age", "s", 1, GYRE_ATTRIBUTE_FLOAT, GYRE_VIEW_DENSITY, "since it was seeded", 0},
    [ID] = {"id", "1", 1, GYRE_ATTRIBUTE_INT, GYRE_VIEW_DENSITY, "numbers it, from 0 on", 0},
};

size_t gy_gas_plan_tracers(gyre_gas *gas, const gyre_gas_def *def)
{
    gas->model.particle_sets = def->tracers.capacity > 0;
    gas->model.particles = &gas->tracers;
    return gas->model.particle_sets
               ? gy_particles_plan(&gas->tracers, "tracers", "points that the gas carries along",
                                   table, ATTRIBUTES, def->tracers.capacity, &def->grid)
               : 0;
}

// ---- where they come from

/// Where tracers are to be put.
typedef struct place {
    const gy_solid *shape; // NULL: all of the box
    double low[3], high[3];
} place;

/// The part of a box that is in the domain.
static bool cut_place(const gyre_gas *gas, place *p)
{
    const gyre_grid *g = &gas->def->grid;
    bool some = true;
    for (int a = 0; a < 3; a++) {
        double low = (double)g->origin[a], high = low + (double)g->n[a] * (double)g->h;
        p->low[a] = GY_MAX(p->low[a], low);
        p->high[a] = GY_MIN(p->high[a], high);
        some = some && (a >= g->dim || p->low[a] < p->high[a]);
    }
    return some;
}

static bool is_gas(const gyre_gas *gas, const gy_grid_level *level, const double x[3])
{
    const gyre_grid *g = &gas->def->grid;
    int at[3] = {0, 0, 0};
    for (int a = 0; a < g->dim; a++) {
        int i = (int)((x[a] - (double)g->origin[a]) / (double)g->h);
        at[a] = GY_MAX(0, GY_MIN(i, g->n[a] - 1));
    }
    return gas->made_count == 0 || gy_level_fluid(level, at[0], at[1], at[2]);
}

/// A random point of a place for the tracer of this number; false: none was found.
static bool find_point(const gyre_gas *gas, const gy_grid_level *level, const place *p,
                       uint64_t number, double x[3])
{
    const gyre_grid *g = &gas->def->grid;
    for (uint32_t attempt = 0; attempt < MOST_TRIES; attempt++) {
        x[2] = (double)g->origin[2] + 0.5 * (double)g->h;
        for (uint32_t a = 0; a < (uint32_t)g->dim; a++) {
            double r =
                (double)gy_particles_random((uint64_t)gas->def->seed, number, 3u * attempt + a);
            x[a] = p->low[a] + r * (p->high[a] - p->low[a]);
        }
        if ((!p->shape || gy_solid_distance(p->shape, x) <= 0.0) && is_gas(gas, level, x)) {
            return true;
        }
    }
    return false;
}

static void seed(gyre_gas *gas, place p, int64_t count)
{
    gy_particles *set = &gas->tracers;
    gy_grid_level level = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    bool some = cut_place(gas, &p);
    int room = gy_particles_room(set, count), added = 0;
    for (int i = 0; i < room; i++) {
        uint64_t number = (uint64_t)(set->state.seeded + added);
        int64_t at = set->state.count + added;
        double x[3];
        if (!some || !find_point(gas, &level, &p, number, x)) {
            // The same would be tried for the next one: a place without gas has room for none.
            set->state.refused += room - i;
            break;
        }
        for (int a = 0; a < 3; a++) {
            ((float *)gy_particles_array(set, POSITION, a))[at] = (float)x[a];
        }
        ((float *)gy_particles_array(set, AGE, 0))[at] = 0.0f;
        ((int32_t *)gy_particles_array(set, ID, 0))[at] = (int32_t)(number & 0x7fffffff);
        added++;
    }
    gy_particles_add(gas->model.device, set, added);
}

void gy_gas_start_tracers(gyre_gas *gas)
{
    const gyre_gas_tracers *t = &gas->def->tracers;
    place p = {0};
    bool all = true;
    if (gas->model.particle_sets == 0 || t->start == 0) {
        return;
    }
    for (int a = 0; a < gas->extent.dim; a++) {
        all = all && t->low[a] == t->high[a];
    }
    for (int a = 0; a < 3; a++) {
        p.low[a] = all ? -1e30 : (double)t->low[a];
        p.high[a] = all ? 1e30 : (double)t->high[a];
    }
    seed(gas, p, t->start);
}

static void emit(gyre_gas *gas, double from, double to)
{
    const gyre_gas_emitter *list = gas->def->emitters.items;
    for (int i = 0; i < gas->def->emitters.count; i++) {
        int64_t due = gy_particles_due((double)list[i].tracers, from, to);
        if (!list[i].enabled || due <= 0) {
            continue;
        }
        place p = {.shape = &gas->emitters[i]};
        for (int a = 0; a < 3; a++) {
            p.low[a] = p.shape->low[a];
            p.high[a] = p.shape->high[a];
        }
        seed(gas, p, due);
    }
}

// ---- a step

void gy_gas_carry_tracers(gyre_gas *gas, float dt, const uint32_t wind[3])
{
    const gy_particles *set = &gas->tracers;
    if (gas->model.particle_sets == 0 || !(dt > 0.0f)) {
        return;
    }
    const gyre_grid *grid = &gas->def->grid;
    gy_tracer_args a = {.base = gas->base,
                        .particles = set->base,
                        .step = set->step,
                        .gone = set->gone,
                        .near = gas->made_count > 0 ? gas->near : 0,
                        .level = gy_system_offset(&gas->pressure, 0),
                        .extent = gas->extent,
                        .periodic = gas->periodic,
                        .open_sides = gas->open_sides,
                        .origin = {grid->origin[0], grid->origin[1], grid->origin[2]},
                        .h = grid->h,
                        .inverse = 1.0f / grid->h,
                        .scale = gy_gas_pace(gas, dt),
                        .dt = dt,
                        .life = gas->def->tracers.life};
    for (int d = 0; d < 3; d++) {
        a.velocity[d] = wind[GY_MIN(d, gas->extent.dim - 1)];
    }
    gy_run(gas->model.device, GY_OP_tracer, &a, gy_particles_box(set));
}

void gy_gas_end_tracers(gyre_gas *gas, double before)
{
    if (gas->model.particle_sets > 0) {
        gy_particles_settle(gas->model.device, &gas->tracers, gas->model.steps);
        emit(gas, before, gas->model.time);
    }
}
