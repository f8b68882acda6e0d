// water/derived.c: the derived fields of water, made on the host from tiles when they are asked
// for: derived.inc has an entry for each. In mode wave discharges are those of a depth of level +
// height - bed and lie on faces: a cell's is the mean of its two.
#include "base/maths.h"
#include "water/traces.h"

#define GY_DERIVED(name, unit, view, role, doc, how)                                               \
    {#name, unit, GYRE_CENTRE, GYRE_VIEW_##view, true, false, doc, GYRE_ROLE_##role},
const gyre_field_info gy_water_derived_list[GY_FIELDS - GY_FIELD_STATES] = {
#include "water/derived.inc"
};
#undef GY_DERIVED

static float held(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/// What the water's discharge counts as depth.
static float flowing_depth(const gyre_water *w, int i, int j)
{
    float depth = *gy_water_sample(w, GY_FIELD_DEPTH, i, j);
    return w->def->mode == GYRE_WATER_WAVE
               ? w->def->level + depth - *gy_water_sample(w, GY_FIELD_BED, i, j)
               : depth;
}

/// What the sea adds there, see gy_water_sea.
static float sea_at(const gyre_water *w, int what, int i, int j)
{
    const float *const *sea = gy_water_sea_arrays(w);
    return sea ? sea[what][i + (ptrdiff_t)w->tiles.n[0] * j] : 0.0f;
}

static float velocity_at(const gyre_water *w, int axis, int i, int j)
{
    const float *q = gy_water_sample(w, GY_FIELD_QX + axis, i, j);
    if (!q) {
        return 0.0f;
    }
    float d = flowing_depth(w, i, j), flow = *q;
    if (w->def->mode == GYRE_WATER_WAVE) {
        const float *next =
            gy_water_sample(w, GY_FIELD_QX + axis, i + (axis == 0), j + (axis == 1));
        flow = 0.5f * (flow + (next ? *next : 0.0f));
    }
    if (!(d > w->def->dry_depth)) {
        return 0.0f;
    }
    float own = flow / d;
    return held(w->sea ? own + sea_at(w, GY_SEA_U + axis, i, j) : own, w->def->speed_cap);
}

static float speed_at(const gyre_water *w, int i, int j)
{
    float u = velocity_at(w, 0, i, j), v = velocity_at(w, 1, i, j);
    return gy_sqrtf(u * u + v * v);
}

static float vorticity_at(const gyre_water *w, int i, int j)
{
    int x = i ? i - 1 : i, y = j ? j - 1 : j;
    int x2 = i + 1 < w->tiles.n[0] ? i + 1 : i, y2 = j + 1 < w->tiles.n[1] ? j + 1 : j;
    float h = w->grid.h, u = 0.0f, v = 0.0f;
    if (x2 > x) {
        u = (velocity_at(w, 1, x2, j) - velocity_at(w, 1, x, j)) / ((float)(x2 - x) * h);
    }
    if (y2 > y) {
        v = (velocity_at(w, 0, i, y2) - velocity_at(w, 0, i, y)) / ((float)(y2 - y) * h);
    }
    return u - v;
}

static float froude_at(const gyre_water *w, int i, int j)
{
    float speed = speed_at(w, i, j);
    if (speed == 0.0f) {
        return 0.0f;
    }
    float wave = w->def->mode == GYRE_WATER_WAVE
                     ? w->def->wave_speed
                     : gy_sqrtf(w->def->gravity * flowing_depth(w, i, j));
    return wave > 0.0f ? held(speed / wave, 1e6f) : 1e6f;
}

static float surface_at(const gyre_water *w, int i, int j)
{
    const float *depth = gy_water_sample(w, GY_FIELD_DEPTH, i, j);
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (!depth) {
        return gy_water_bed_at(w, i, j);
    }
    float bed = *gy_water_sample(w, GY_FIELD_BED, i, j), s = w->def->level + *depth;
    if (w->def->mode != GYRE_WATER_WAVE) {
        s = bed + *depth;
        return w->sea ? GY_MAX(s + sea_at(w, GY_SEA_HEIGHT, i, j), bed) : s;
    }
    s = w->sea ? s + sea_at(w, GY_SEA_HEIGHT, i, j) : s;
    return gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_OUT ? bed : GY_MAX(s, bed);
}

static float awake_at(const gyre_water *w, int i, int j)
{
    int slot = w->tiles.slot[(i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT)];
    return slot >= 0 && w->stepping[slot] ? 1.0f : 0.0f;
}

float gy_water_derived(const gyre_water *w, int field, int i, int j)
{
    switch (field) {
#define GY_DERIVED(name, unit, view, role, doc, how)                                               \
    case GY_FIELD_##name:                                                                          \
        return how;
#include "water/derived.inc"
#undef GY_DERIVED
    default:
        return 0.0f;
    }
}

typedef struct derive_job {
    const gyre_water *water;
    int field;
} derive_job;

static void derive_row(void *argument, int j)
{
    const derive_job *d = argument;
    const gyre_water *w = d->water;
    float *row = (float *)w->stage[d->field].items + (ptrdiff_t)j * w->tiles.n[0];
    for (int i = 0; i < w->tiles.n[0]; i++) {
        row[i] = gy_water_derived(w, d->field, i, j);
    }
}

void gy_water_derive(gyre_model *model, int field)
{
    derive_job job = {(gyre_water *)model, field};
    if (gy_is_trace(field)) {
        gy_traces_cover((gyre_water *)model);
        return;
    }
    gy_water_fetch(job.water);
    gyre_device_parallel_for(model->device, job.water->tiles.n[1], derive_row, &job);
}
