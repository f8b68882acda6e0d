// water/dust.c: points that float on the water: see water/ops/dust.c for how they are carried.
//
// They come from the def, evenly spread over the wet part of a box, and from sources, over the wet
// part of their shapes (model/drift.h). A point takes 48 bytes of memory.
#include "water/ops/dust.h"
#include "model/drift.h"
#include "water/water.h"

size_t gy_water_plan_dust(gyre_water *w, const gyre_water_def *def)
{
    w->dust = &w->own_dust;
    w->model.particle_sets = def->dust.capacity > 0;
    w->model.particles = w->dust;
    return w->model.particle_sets > 0
               ? gy_particles_plan(w->dust, "dust", "points that float on the water",
                                   gy_drift_table, GY_DRIFT_ATTRIBUTES, def->dust.capacity,
                                   &def->grid)
               : 0;
}

static bool is_wet(const void *model, double point[3])
{
    const gyre_water *w = model;
    const gyre_grid *g = &w->grid;
    int at[2], place;
    for (int a = 0; a < 2; a++) {
        int i = (int)((point[a] - (double)g->origin[a]) / (double)g->h);
        at[a] = GY_MAX(0, GY_MIN(i, g->n[a] - 1));
    }
    int slot = gy_tiles_find(&w->tiles, at[0], at[1], &place);
    if (slot < 0 || (gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
        return false;
    }
    float depth = gy_tile_state(&w->tiles, slot, GY_WATER_DEPTH)[place];
    float bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
    depth = w->def->mode == GYRE_WATER_WAVE ? w->def->level + depth - bed : depth;
    point[2] = (double)(bed + depth);
    return depth > w->def->dry_depth;
}

static void seed(gyre_water *w, gy_drift_place place, int64_t count)
{
    gy_drift_seed(w->model.device, w->dust, place, (uint64_t)w->def->dust.seed, count, is_wet, w);
}

void gy_water_start_dust(gyre_water *w)
{
    const gyre_water_dust *d = &w->def->dust;
    w->dust->grid = &w->grid;
    if (d->capacity > 0 && d->start > 0) {
        seed(w,
             gy_drift_box((const float[3]){d->low[0], d->low[1], 0.0f},
                          (const float[3]){d->high[0], d->high[1], 0.0f}),
             d->start);
    }
}

void gy_water_carry_dust(gyre_water *w, float dt, bool last)
{
    const gyre_water_def *def = w->def;
    const gyre_water_side *sides = &def->sides.x_low;
    const gy_particles *set = w->dust;
    if (def->dust.capacity == 0 || !(dt > 0.0f)) {
        return;
    }
    float pace = dt / def->grid.h;
    gy_dust_job job = {.tiles = w->tiles,
                       .particles = set->base,
                       .step = set->step,
                       .gone = set->gone,
                       .now = set->now,
                       .origin = {w->grid.origin[0], w->grid.origin[1]},
                       .h = def->grid.h,
                       .inverse = 1.0f / def->grid.h,
                       .scale = pace < 1e12f ? pace : 1e12f,
                       .dt = dt,
                       .life = def->dust.life,
                       .dry = def->dry_depth,
                       .cap = def->speed_cap,
                       .level = def->level,
                       .wave = def->mode == GYRE_WATER_WAVE,
                       .last = last};
    for (int s = 0; s < GY_WATER_SIDES; s++) {
        if (sides[s].rule == GYRE_WATER_PERIODIC) {
            job.periodic |= 1u << (s / 2);
        } else if (sides[s].rule != GYRE_WATER_WALL) {
            job.open_sides |= 1u << s;
        }
    }
    gy_water_run_dust(w, &job);
}

void gy_water_end_dust(gyre_water *w, double before)
{
    const gyre_water_source *list = w->def->sources.items;
    if (w->def->dust.capacity == 0) {
        return;
    }
    gy_particles_settle(w->model.device, w->dust, w->model.steps);
    for (int i = 0; i < w->def->sources.count; i++) {
        int64_t due = gy_particles_due((double)list[i].dust, before, w->model.time);
        if (list[i].enabled && due > 0) {
            gy_water_fetch(w); // to know where it is wet
            gy_solid shape = gy_solid_make(&list[i].shape, 2);
            seed(w, gy_drift_shape(&shape), due);
        }
    }
    gy_particles_end(w->model.device, w->dust);
}
