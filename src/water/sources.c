// water/sources.c: rain, evaporation, springs and sinks, and a bed that moves.
#include "shape/shape.h"
#include "water/water.h"

float gy_water_round(const gyre_water *w, double amount)
{
    double q = (double)w->quantum, steps = amount / q;
    int64_t whole = (int64_t)(steps + (steps < 0.0 ? -0.5 : 0.5));
    return (float)((double)whole * q);
}

/// As much of what is due as can be given now: in mode exact a whole multiple of the quantum.
static float take_due(const gyre_water *w, double *due)
{
    double give = *due;
    if (w->def->exact) {
        int64_t whole = (int64_t)(give / (double)w->quantum);
        give = (double)whole * (double)w->quantum;
    }
    float given = (float)give;
    *due -= w->def->exact ? (double)given : give;
    return given;
}

void gy_water_weather(gyre_water *w, const gy_water_job *given, float dt)
{
    gy_water_job job = *given;
    if (!(w->def->rain > 0.0f) && !(w->def->evaporation > 0.0f)) {
        return;
    }
    w->extra->rain_due += (double)w->def->rain * (double)dt;
    w->extra->evaporation_due += (double)w->def->evaporation * (double)dt;
    bool drops = w->def->drops.size > 0.0f && w->def->rain > 0.0f;
    if (drops) {
        gy_water_drops(w);
    }
    job.rain = drops ? 0.0f : take_due(w, &w->extra->rain_due);
    if (drops && !(w->def->evaporation > 0.0f)) {
        return;
    }
    job.evaporation = take_due(w, &w->extra->evaporation_due);
    int listed = w->listed;
    w->listed = 0;
    for (int tile = 0; tile < w->tiles.tn[0] * w->tiles.tn[1]; tile++) {
        int slot = w->def->rain > 0.0f ? gy_water_slot(w, tile) : w->tiles.slot[tile];
        if (slot >= 0) {
            w->list[w->listed++] = slot;
        }
    }
    job.tiles = w->tiles;
    gy_water_run_weather(w, &job);
    for (int k = 0; k < w->listed; k++) {
        const gy_tile_result *result = &w->result[w->list[k]];
        gy_water_book(w, GY_LINE_RAIN, result->in);
        gy_water_book(w, GY_LINE_EVAPORATION, -result->out);
        if (result->in != 0.0 || result->out != 0.0) {
            gy_water_touch(w, w->list[k]);
        }
    }
    w->listed = listed;
}

typedef struct area {
    int low[2], high[2];
    gy_solid solid;
} area;

static area area_of(const gyre_water *w, const gyre_shape *shape)
{
    area a = {.solid = gy_solid_make(shape, 2)};
    const gyre_grid *g = &w->grid;
    for (int d = 0; d < 2; d++) {
        double low = (a.solid.low[d] - (double)g->origin[d]) / (double)g->h - 1.0;
        double high = (a.solid.high[d] - (double)g->origin[d]) / (double)g->h + 1.0;
        int n = g->n[d];
        a.low[d] = low < 0.0 ? 0 : low > n ? n : (int)low;
        a.high[d] = high < 0.0 ? 0 : high > n ? n : (int)high;
    }
    return a;
}

static bool inside(const gyre_water *w, const area *a, int i, int j)
{
    const gyre_grid *g = &w->grid;
    double point[3] = {(double)g->origin[0] + (i + 0.5) * (double)g->h,
                       (double)g->origin[1] + (j + 0.5) * (double)g->h, 0.0};
    return gy_solid_distance(&a->solid, point) < 0.0;
}

/// The cell of water at (i, j), with a slot for its tile; NULL where it is cut out.
static float *water_cell(gyre_water *w, int i, int j, int *slot, int *place)
{
    gy_water_slot(w, (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT));
    *slot = gy_tiles_find(&w->tiles, i, j, place);
    if (*slot < 0 || (gy_tile_flags(&w->tiles, *slot)[*place] & GY_CELL_OUT)) {
        return NULL;
    }
    return &gy_tile_edit(&w->tiles, *slot, GY_WATER_DEPTH)[*place];
}

void gy_water_sources(gyre_water *w, float dt)
{
    const gyre_water_source *sources = w->def->sources.items;
    double h = (double)w->grid.h;
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    for (int s = 0; s < w->def->sources.count; s++) {
        if (!sources[s].enabled || sources[s].discharge == 0.0f) {
            continue;
        }
        gy_water_fetch(w);
        area a = area_of(w, &sources[s].shape);
        int count = 0, slot, place;
        for (int j = a.low[1]; j < a.high[1]; j++) {
            for (int i = a.low[0]; i < a.high[0]; i++) {
                count += inside(w, &a, i, j) && water_cell(w, i, j, &slot, &place);
            }
        }
        if (count == 0) {
            continue;
        }
        gy_water_entry *entry = &w->sources[s];
        entry->due += (double)sources[s].discharge * (double)dt / (h * h * count);
        float amount = take_due(w, &entry->due);
        for (int j = a.low[1]; j < a.high[1] && amount != 0.0f; j++) {
            for (int i = a.low[0]; i < a.high[0]; i++) {
                float *depth = inside(w, &a, i, j) ? water_cell(w, i, j, &slot, &place) : NULL;
                if (!depth) {
                    continue;
                }
                float displaced = gy_tile_array(&w->tiles, slot, GY_WATER_DISPLACED)[place];
                float old = *depth, free = GY_MAX(old - displaced, 0.0f);
                *depth += wave || amount > -free ? amount : -free;
                *depth = GY_MIN(*depth, 1e5f);
                entry->line += (double)*depth - (double)old;
                gy_water_touch(w, slot);
            }
        }
    }
}

/// A cell whose bed can be moved: of linear waves also land.
static bool bed_cell(gyre_water *w, int i, int j, int *slot, int *place)
{
    if (water_cell(w, i, j, slot, place)) {
        return true;
    }
    return *slot >= 0 && gy_water_is_land(w, i, j) && !gy_water_is_cut(w, i, j);
}

/// The bed under linear waves has moved: the water on it is lifted or sinks, and is known as a
/// raised surface; the level at rest loses what the bed has taken. True: it has crossed the level.
static bool lift_wave(gyre_water *w, int slot, int place, float was, float by)
{
    float level = w->def->level, bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
    float *depth = &gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place], old = *depth;
    if (!(gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT)) {
        *depth = w->def->exact ? gy_water_round(w, (double)old + (double)by) : old + by;
        gy_water_book(w, GY_LINE_EDITS, (double)*depth - (double)old);
    }
    return (was < level) != (bed < level);
}

/// Digs and heaps, by `most` metres; 0 where the speed is 0: all at once. Where the bed already is
/// as it shall be nothing is touched, so that tiles may sleep over it. True: land has become water
/// or water land, to linear waves.
static bool grade(gyre_water *w, const gyre_water_uplift *uplift, const area *a, float most)
{
    bool crossed = false, wave = w->def->mode == GYRE_WATER_WAVE;
    float to = gy_water_round(w, (double)uplift->height);
    if (wave && w->def->exact) {
        // Of whole quanta, as the surface that moves along; of one at least, or it stood still.
        most = GY_MAX(gy_water_round(w, (double)most), w->quantum);
    }
    most = uplift->speed == 0.0f ? 1e6f : most;
    for (int j = a->low[1]; j < a->high[1]; j++) {
        for (int i = a->low[0]; i < a->high[0]; i++) {
            int slot, place;
            if (!inside(w, a, i, j) || !bed_cell(w, i, j, &slot, &place)) {
                continue;
            }
            float *bed = &gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place], was = *bed;
            if (was > to && uplift->work != GYRE_WATER_HEAP) {
                *bed = GY_MAX(was - most, to);
            } else if (was < to && uplift->work != GYRE_WATER_DIG) {
                *bed = GY_MIN(was + most, to);
            }
            if (*bed != was) {
                crossed |= wave && lift_wave(w, slot, place, was, *bed - was);
                gy_water_touch(w, slot);
            }
        }
    }
    return crossed;
}

gyre_result gy_water_uplifts(gyre_water *w, float dt)
{
    bool crossed = false;
    const gyre_water_uplift *uplifts = w->def->uplifts.items;
    for (int u = 0; u < w->def->uplifts.count; u++) {
        bool lift = uplifts[u].work == GYRE_WATER_LIFT;
        if (!uplifts[u].enabled || (lift && uplifts[u].speed == 0.0f)) {
            continue;
        }
        gy_water_fetch(w);
        area a = area_of(w, &uplifts[u].shape);
        float rise = uplifts[u].speed * dt;
        if (!lift) {
            crossed |= grade(w, &uplifts[u], &a, rise < 0.0f ? -rise : rise);
            continue;
        }
        for (int j = a.low[1]; j < a.high[1]; j++) {
            for (int i = a.low[0]; i < a.high[0]; i++) {
                int slot, place;
                if (!inside(w, &a, i, j) || !bed_cell(w, i, j, &slot, &place)) {
                    continue;
                }
                float *bed = &gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
                float was = *bed, top = *bed + rise;
                *bed = top > 1e5f ? 1e5f : top < -1e5f ? -1e5f : top;
                if (w->def->mode == GYRE_WATER_WAVE) {
                    crossed |= lift_wave(w, slot, place, was, rise);
                }
                gy_water_touch(w, slot);
            }
        }
    }
    return crossed ? gy_water_outline(w) : GYRE_OK;
}
