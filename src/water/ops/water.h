// water/ops/water.h: what the ops of water share: the tiles to step and what lies round them.
#ifndef GY_OPS_WATER_H
#define GY_OPS_WATER_H

#include "water/ops/args.h"
#include "water/ops/patch.h"
#include "water/ops/tiles.h"

/// A face between water and what is not an inner cell: a side of the domain or the edge of a piece
/// that is cut out, with a rule other than wall. Sorted by tile.
typedef struct gy_water_face {
    int32_t tile;    // of the water cell
    int16_t i, j;    // its place in the tile
    int16_t rule;    // 0 to 3: sides x low, x high, y low, y high; 4 + e: edges[e]
    int16_t towards; // of the water cell: face x low, x high, y low, y high
    float pass;      // what entered by it in this step, metres of a cell's depth
} gy_water_face;

enum { GY_FACE_X_LOW, GY_FACE_X_HIGH, GY_FACE_Y_LOW, GY_FACE_Y_HIGH };

/// Faces between inner cells that somebody wants to know the passes of, sorted by tile.
typedef struct gy_water_join {
    const struct gy_water_join *next;
    gy_water_face *faces;
    int32_t *first_face; // by tile, one more at the end
} gy_water_join;

/// What a step tells about a tile.
typedef struct gy_tile_result {
    gy_flow_result flow;
    double in, out; // weather: depth that came and went, metres summed over cells
} gy_tile_result;

/// Ghost cells along one side of the domain, one array of the state after the other and the bed
/// last, each `length` long and `deep` rows of that, outwards; NULL for a wall or a periodic side.
typedef struct gy_water_ghost {
    float *values;
    int length;
    int deep; // 1: one row stands for all; or GY_WATER_HALO
} gy_water_ghost;

/// The Earth's rotation, see water_turn.c.
typedef struct gy_earth {
    int32_t pass;         // GY_TURN_...
    float coriolis, beta; // 1/s at y = 0; 1/(m s)
    float y;              // m, of the domain's low side
    float dt;             // s
    bool once;            // the axis is sheared once in the turn, the other one twice
} gy_earth;

enum { GY_TURN_CENTRES, GY_TURN_PULL, GY_TURN_SHEAR_X, GY_TURN_SHEAR_Y };

typedef struct gy_water_job {
    gy_tiles tiles;
    const int32_t *list;     // slots to step
    const uint8_t *stepping; // of a slot: whether it is in the list
    const uint8_t *plain;    // of a tile: no flag is set in it
    gy_tile_result *result;  // by slot
    gy_water_face *faces;
    const int32_t *first_face; // by tile, one more at the end
    const gy_water_join *joins;
    gy_water_ghost ghost[4];
    bool periodic[2];
    gy_shallow shallow;
    // wave
    float pull;  // c^2 dt / h: discharge per difference of height
    float share; // dt / h: height per difference of discharge
    float keep;  // factor of discharges
    float limit; // of heights
    float quantum;
    bool stream;   // past the caches: the tiles do not fit them
    bool lean;     // nobody asks how much heights have changed, and they stay within limits
    bool in_place; // lean alone: states are written where they are read, see water/ops/tiles.h
    // slope
    float most; // difference of height between neighbours that may stand, m
    float level;
    bool wave;
    // weather, m
    float rain, evaporation;
    gy_earth turn; // `pull` is half of the step's where linear waves turn
} gy_water_job;

/// Tiles away from tile `at` along an axis, round a periodic domain; -1 outside.
GY_INLINE int gy_tile_along(const gy_water_job *job, int axis, int at)
{
    int count = job->tiles.tn[axis];
    if (at >= 0 && at < count) {
        return at;
    }
    return job->periodic[axis] ? (at + count) % count : -1;
}

/// A cell along an axis, round a periodic domain; -1 outside.
GY_INLINE int gy_cell_along(const gy_water_job *job, int axis, int at)
{
    int count = job->tiles.n[axis];
    if (at >= 0 && at < count) {
        return at;
    }
    return job->periodic[axis] ? ((at % count) + count) % count : -1;
}

/// The slot of a cell that may lie round a periodic domain, if its tile is stepped; else -1.
GY_INLINE int gy_stepping_slot(const gy_water_job *job, int i, int j, int *place)
{
    int x = gy_cell_along(job, 0, i), y = gy_cell_along(job, 1, j);
    *place = 0;
    if (x < 0 || y < 0) {
        return -1;
    }
    int slot = gy_tiles_find(&job->tiles, x, y, place);
    return slot >= 0 && job->stepping[slot] ? slot : -1;
}

/// What the ops of a job are asked for with.
GY_INLINE gy_wave_args gy_wave_args_make(const gy_water_job *job)
{
    const gy_tiles *t = &job->tiles;
    return (gy_wave_args){.memory = (uint64_t)(uintptr_t)t->memory,
                          .list = (uint64_t)(uintptr_t)job->list,
                          .slot = (uint64_t)(uintptr_t)t->slot,
                          .tile = (uint64_t)(uintptr_t)t->tile,
                          .stepping = (uint64_t)(uintptr_t)job->stepping,
                          .current = (uint64_t)(uintptr_t)t->current,
                          .job = (uint64_t)(uintptr_t)job,
                          .n = {t->n[0], t->n[1]},
                          .tn = {t->tn[0], t->tn[1]},
                          .slot_bytes = GY_SLOT_BYTES,
                          .array_step = GY_ARRAY_STEP,
                          .periodic = (job->periodic[0] ? 1u : 0u) | (job->periodic[1] ? 2u : 0u),
                          .watched = job->lean ? 0 : 1,
                          .pull = job->pull,
                          .share = job->share,
                          .keep = job->keep,
                          .limit = job->limit,
                          .quantum = job->quantum,
                          .most = job->most};
}

GY_INLINE gy_turn_args gy_turn_args_make(const gy_water_job *job)
{
    const gy_tiles *t = &job->tiles;
    const gy_earth *e = &job->turn;
    return (gy_turn_args){.memory = (uint64_t)(uintptr_t)t->memory,
                          .list = (uint64_t)(uintptr_t)job->list,
                          .slot = (uint64_t)(uintptr_t)t->slot,
                          .tile = (uint64_t)(uintptr_t)t->tile,
                          .stepping = (uint64_t)(uintptr_t)job->stepping,
                          .current = (uint64_t)(uintptr_t)t->current,
                          .job = (uint64_t)(uintptr_t)job,
                          .n = {t->n[0], t->n[1]},
                          .tn = {t->tn[0], t->tn[1]},
                          .slot_bytes = GY_SLOT_BYTES,
                          .array_step = GY_ARRAY_STEP,
                          .periodic = (job->periodic[0] ? 1u : 0u) | (job->periodic[1] ? 2u : 0u),
                          .pass = e->pass,
                          .once = e->once ? 1 : 0,
                          .coriolis = e->coriolis,
                          .beta = e->beta,
                          .y = e->y,
                          .dt = e->dt,
                          .h = job->shallow.h,
                          .pull = job->pull};
}

GY_INLINE gy_weather_args gy_weather_args_make(const gy_water_job *job)
{
    const gy_tiles *t = &job->tiles;
    return (gy_weather_args){.memory = (uint64_t)(uintptr_t)t->memory,
                             .list = (uint64_t)(uintptr_t)job->list,
                             .tile = (uint64_t)(uintptr_t)t->tile,
                             .current = (uint64_t)(uintptr_t)t->current,
                             .job = (uint64_t)(uintptr_t)job,
                             .n = {t->n[0], t->n[1]},
                             .tn = {t->tn[0], t->tn[1]},
                             .slot_bytes = GY_SLOT_BYTES,
                             .array_step = GY_ARRAY_STEP,
                             .rain = job->rain,
                             .wave = job->wave ? 1 : 0,
                             .evaporation = job->evaporation};
}

/// Larger numbers than these are cut where they enter shallow water, so that nothing can overflow:
/// of depth and differences of height, of velocity, of dt / h.
#define GY_SHALLOW_HIGH 1e9f
#define GY_SHALLOW_FAST 1e6f

GY_INLINE gy_shallow_args gy_shallow_args_make(const gy_water_job *job)
{
    const gy_tiles *t = &job->tiles;
    const gy_shallow *s = &job->shallow;
    const float most = GY_SHALLOW_FAST;
    gy_shallow_args a = {.memory = (uint64_t)(uintptr_t)t->memory,
                         .job = (uint64_t)(uintptr_t)job,
                         .n = {t->n[0], t->n[1]},
                         .tn = {t->tn[0], t->tn[1]},
                         .slot_bytes = GY_SLOT_BYTES,
                         .array_step = GY_ARRAY_STEP,
                         .periodic = (job->periodic[0] ? 1u : 0u) | (job->periodic[1] ? 2u : 0u),
                         .ratio = GY_MIN(s->dt / s->h, most),
                         .gravity = GY_MAX(GY_MIN(s->gravity, most), 0.0f),
                         .dry = GY_MAX(s->dry_depth, 1e-12f),
                         .cap = GY_MIN(s->speed_cap, most),
                         .dt = s->dt,
                         .damping = s->damping};
    for (int axis = 0; axis < 2; axis++) {
        a.kick[axis] = GY_MAX(GY_MIN(s->dt * s->acceleration[axis], most), -most);
    }
    return a;
}

/// Without faces.
GY_INLINE gy_shallow_rules gy_shallow_rules_make(const gy_water_job *job)
{
    const gy_shallow *s = &job->shallow;
    const float high = GY_SHALLOW_HIGH, gravity = gy_shallow_args_make(job).gravity;
    gy_shallow_rules r = {.ghost_at = {-1, -1, -1, -1},
                          .one_row = s->one_dimensional,
                          .manning = s->manning,
                          .friction = s->friction,
                          .quantum = s->quantum};
    for (int axis = 0; axis < 2; axis++) {
        r.tilt[axis] = -s->acceleration[axis] * s->h / GY_MAX(gravity, 1e-12f);
        r.tilt[axis] = GY_MAX(GY_MIN(r.tilt[axis], high), -high);
    }
    return r;
}

/// x rounded to a whole multiple of q (q > 0, |x| < 2^22 q); x itself for q = 0.
GY_INLINE float gy_quantize(float x, float q)
{
    volatile float big = 12582912.0f * q; // 1.5 * 2^23
    float sum = x + big;
    return q > 0.0f ? sum - big : x;
}

#endif
