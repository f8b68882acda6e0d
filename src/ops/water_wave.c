// ops/water_wave.c: a step of the linear wave equation on one tile.
//
//     dq/dt = -c^2 grad u,   du/dt = -div q        (so that u_tt = c^2 (u_xx + u_yy))
//
// q sits on the faces, u at the centres; symplectic Euler: q by the old heights, then u by the new
// q. In u alone this is the talk's scheme, v = -div q being its vertical velocity; the second order
// of leapfrog, stable for c dt / h <= 1/sqrt(2) in 2D and 1 in 1D, and exact in 1D at the limit.
// Written in fluxes, what leaves a cell enters another. 12 bytes read, 12 written per cell.
#include "ops/body.h"
#include "ops/water.h"
#include <string.h>

enum { T = GY_WATER_TILE, ROW = T + 32, FIRST = 16 };

/// The tile and its neighbours to the right and above, old state.
typedef struct wave_tile {
    const gy_water_job *job;
    int slot, x, y, columns, rows;
    const float *u, *qx, *qy;
    const uint8_t *flags;
    bool plain;
} wave_tile;

typedef struct row {
    _Alignas(64) float at[ROW];
} row;

/// Height at a cell given by its place from the tile's corner; 0 and false where nothing is.
static bool height(const wave_tile *t, int i, int j, float *u)
{
    int place, slot = gy_stepping_slot(t->job, t->x * T + i, t->y * T + j, &place);
    *u = slot >= 0 ? gy_tile_state(&t->job->tiles, slot, GY_WATER_DEPTH)[place] : 0.0f;
    return slot >= 0;
}

/// The row of heights j with its neighbours left and right; the flags of its outer faces.
static void heights(const wave_tile *t, int j, row *r, bool *left, bool *right)
{
    memcpy(r->at + FIRST, t->u + (ptrdiff_t)j * T, sizeof(float) * T);
    *left = height(t, -1, j, &r->at[FIRST - 1]);
    *right = height(t, t->columns, j, &r->at[FIRST + t->columns]);
}

static float bounded(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/// The new discharge across a face that belongs to the tile beyond.
static float beyond(const wave_tile *t, int axis, int i, int j, float difference)
{
    int place, slot = gy_stepping_slot(t->job, t->x * T + i, t->y * T + j, &place);
    float q = gy_tile_state(&t->job->tiles, slot, GY_WATER_QX + axis)[place];
    return t->job->keep * (q - t->job->pull * difference);
}

/// New discharges across the low x faces 0 to columns of row j, into f, and into the next state.
static void across_x(const wave_tile *t, int j, const row *u, bool left, bool right, row *f,
                     float *next)
{
    const gy_water_job *job = t->job;
    const float *q = t->qx + (ptrdiff_t)j * T;
    const uint8_t *flags = t->flags + (ptrdiff_t)j * T;
    vf keep = gy_splat(job->keep), pull = gy_splat(job->pull);
    for (int i = 0; i < T; i += VW) {
        vf d = gy_load(u->at + FIRST + i) - gy_load(u->at + FIRST + i - 1);
        gy_store(f->at + FIRST + i, keep * (gy_load(q + i) - pull * d));
    }
    int last = t->columns - 1;
    bool open = right && !(flags[last] & GY_CELL_SHUT_HIGH_X);
    float *end = &f->at[FIRST + t->columns];
    if (!t->plain) {
        for (int i = 0; i < T; i++) {
            if (flags[i] & GY_CELL_SHUT_X) {
                f->at[FIRST + i] = 0.0f;
            }
        }
    }
    if (!left) {
        f->at[FIRST] = 0.0f;
    }
    memcpy(next, f->at + FIRST, sizeof(float) * T);
    *end = 0.0f;
    if (open) {
        *end =
            beyond(t, 0, t->columns, j, u->at[FIRST + t->columns] - u->at[FIRST + t->columns - 1]);
    }
}

/// The same across the low y faces of row j (0 to rows), where `u` and `below` are the heights on
/// both sides.
static void across_y(const wave_tile *t, int j, const row *u, const row *below, float *g,
                     float *next)
{
    const gy_water_job *job = t->job;
    vf keep = gy_splat(job->keep), pull = gy_splat(job->pull);
    const float *q = t->qy + (ptrdiff_t)j * T;
    const uint8_t *flags = t->flags + (ptrdiff_t)j * T;
    for (int i = 0; i < T; i += VW) {
        vf d = gy_load(u->at + FIRST + i) - gy_load(below->at + FIRST + i);
        gy_store(g + i, keep * (gy_load(q + i) - pull * d));
    }
    if (!t->plain) {
        for (int i = 0; i < T; i++) {
            if (flags[i] & GY_CELL_SHUT_Y) {
                g[i] = 0.0f;
            }
        }
    }
    memcpy(next, g, sizeof(float) * T);
}

/// What crosses the upper side of the tile's last row: the faces are those of the tile above.
static void across_top(const wave_tile *t, const row *u, float *g)
{
    const gy_water_job *job = t->job;
    int place, slot = gy_stepping_slot(job, t->x * T, t->y * T + t->rows, &place);
    memset(g, 0, sizeof(float) * T);
    if (slot < 0) {
        return;
    }
    const float *q = gy_tile_state(&job->tiles, slot, GY_WATER_QY) + place;
    const float *above = gy_tile_state(&job->tiles, slot, GY_WATER_DEPTH) + place;
    const uint8_t *flags = t->flags + (ptrdiff_t)(t->rows - 1) * T;
    for (int i = 0; i < T; i++) {
        bool shut = i >= t->columns || (flags[i] & GY_CELL_SHUT_HIGH_Y);
        float d = above[i] - u->at[FIRST + i];
        g[i] = shut ? 0.0f : job->keep * (q[i] - job->pull * d);
    }
}

/// New heights of a row by what crosses its faces.
static void settle_row(const gy_water_job *job, const row *u, const row *f, const float *low,
                       const float *high, float *next, gy_shallow_told *told)
{
    vf share = gy_splat(job->share), limit = gy_splat(job->limit), most = gy_splat(0.0f);
    vf q = gy_splat(job->quantum), big = gy_splat(12582912.0f * job->quantum);
    for (int i = 0; i < T; i += VW) {
        vf a = share * gy_load(f->at + FIRST + i), b = share * gy_load(f->at + FIRST + i + 1);
        vf c = share * gy_load(low + i), d = share * gy_load(high + i);
        if (job->quantum > 0.0f) {
            vf wide = q * 2097152.0f;
            a = (gy_clamp(a, -wide, wide) + big) - big;
            b = (gy_clamp(b, -wide, wide) + big) - big;
            c = (gy_clamp(c, -wide, wide) + big) - big;
            d = (gy_clamp(d, -wide, wide) + big) - big;
        }
        vf old = gy_load(u->at + FIRST + i);
        vf now = gy_clamp(old - ((b - a) + (d - c)), -limit, limit);
        most = gy_max(most, gy_abs(now - old));
        gy_store(next + i, now);
    }
    float change = gy_lane_max(most);
    told->change = told->change > change ? told->change : change;
}

static void step_tile(const wave_tile *t)
{
    const gy_water_job *job = t->job;
    gy_shallow_told *told = &job->told[t->slot].flow;
    float *next_u = gy_tile_next(&job->tiles, t->slot, GY_WATER_DEPTH);
    float *next_x = gy_tile_next(&job->tiles, t->slot, GY_WATER_QX);
    float *next_y = gy_tile_next(&job->tiles, t->slot, GY_WATER_QY);
    row u[2], f;
    _Alignas(64) float g[2][T];
    bool left, right;
    memset(u, 0, sizeof u);
    memset(&f, 0, sizeof f);
    // The row below the tile.
    int place, slot = gy_stepping_slot(job, t->x * T, t->y * T - 1, &place);
    if (slot >= 0) {
        memcpy(u[1].at + FIRST,
               gy_tile_state(&job->tiles, slot, GY_WATER_DEPTH) + (place & ~GY_TILE_MASK),
               sizeof(float) * T);
    }
    heights(t, 0, &u[0], &left, &right);
    across_y(t, 0, &u[0], &u[1], g[0], next_y);
    if (slot < 0) {
        memset(g[0], 0, sizeof g[0]);
        memset(next_y, 0, sizeof(float) * T);
    }
    told->change = 0.0f;
    told->capped = 0;
    for (int j = 0; j < t->rows; j++) {
        row *now = &u[j & 1], *above = &u[~j & 1];
        float *low = g[j & 1], *high = g[~j & 1];
        across_x(t, j, now, left, right, &f, next_x + (ptrdiff_t)j * T);
        if (j + 1 < t->rows) {
            heights(t, j + 1, above, &left, &right);
            across_y(t, j + 1, above, now, high, next_y + (ptrdiff_t)(j + 1) * T);
        } else {
            across_top(t, now, high);
        }
        settle_row(job, now, &f, low, high, next_u + (ptrdiff_t)j * T, told);
        memset(next_u + (ptrdiff_t)j * T + t->columns, 0, sizeof(float) * (size_t)(T - t->columns));
    }
}

void GY_BODY(water_wave)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_water_args *)args)->job;
    const gy_tiles *tiles = &job->tiles;
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k], tile = tiles->tile[slot];
        wave_tile t = {.job = job,
                       .slot = slot,
                       .x = tile % tiles->tn[0],
                       .y = tile / tiles->tn[0],
                       .u = gy_tile_state(tiles, slot, GY_WATER_DEPTH),
                       .qx = gy_tile_state(tiles, slot, GY_WATER_QX),
                       .qy = gy_tile_state(tiles, slot, GY_WATER_QY),
                       .flags = gy_tile_flags(tiles, slot),
                       .plain = job->plain[tile]};
        t.columns = GY_MIN(T, tiles->n[0] - t.x * T);
        t.rows = GY_MIN(T, tiles->n[1] - t.y * T);
        step_tile(&t);
    }
}

/// The talk's clamping of slopes, as volume that moves across faces: where two neighbours differ
/// by more than may stand, a quarter of the excess goes from the higher to the lower, never more
/// than a quarter of what is there.
static float spill(const gy_water_job *job, float a, float a_depth, float b, float b_depth)
{
    float over = a - b, most = job->most;
    float moved = over > most ? 0.25f * (over - most) : over < -most ? 0.25f * (over + most) : 0.0f;
    if (!job->wave) {
        float a_most = 0.25f * a_depth, b_most = 0.25f * b_depth;
        moved = moved > a_most ? a_most : moved < -b_most ? -b_most : moved;
    }
    return gy_quantize(bounded(moved, 1e6f), job->quantum);
}

static float spill_from(const gy_water_job *job, int x, int y, float depth, float surface)
{
    int place, slot = gy_stepping_slot(job, x, y, &place);
    if (slot < 0) {
        return 0.0f;
    }
    float d = gy_tile_state(&job->tiles, slot, GY_WATER_DEPTH)[place];
    float bed = job->wave ? 0.0f : gy_tile_array(&job->tiles, slot, GY_WATER_BED)[place];
    return -spill(job, surface, depth, bed + d, d);
}

void GY_BODY(water_slope)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_water_args *)args)->job;
    const gy_tiles *tiles = &job->tiles;
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k], tile = tiles->tile[slot];
        int x = tile % tiles->tn[0] * T, y = tile / tiles->tn[0] * T;
        int columns = GY_MIN(T, tiles->n[0] - x), rows = GY_MIN(T, tiles->n[1] - y);
        const float *u = gy_tile_state(tiles, slot, GY_WATER_DEPTH);
        const float *bed = gy_tile_array(tiles, slot, GY_WATER_BED);
        const uint8_t *flags = gy_tile_flags(tiles, slot);
        memcpy(gy_tile_next(tiles, slot, GY_WATER_DEPTH), u,
               sizeof(float) * (size_t)GY_TILE_AREA * GY_WATER_STATE);
        float *next = gy_tile_next(tiles, slot, GY_WATER_DEPTH);
        for (int j = 0; j < rows; j++) {
            for (int i = 0; i < columns; i++) {
                int at = j * T + i;
                float s = job->wave ? u[at] : bed[at] + u[at];
                bool out = flags[at] & GY_CELL_OUT;
                float sx = 0.0f, sy = 0.0f;
                if (!out && !(flags[at] & GY_CELL_SHUT_X)) {
                    sx = spill_from(job, x + i - 1, y + j, u[at], s);
                }
                if (!out && !(flags[at] & GY_CELL_SHUT_HIGH_X)) {
                    sx += spill_from(job, x + i + 1, y + j, u[at], s);
                }
                if (!out && !(flags[at] & GY_CELL_SHUT_Y)) {
                    sy = spill_from(job, x + i, y + j - 1, u[at], s);
                }
                if (!out && !(flags[at] & GY_CELL_SHUT_HIGH_Y)) {
                    sy += spill_from(job, x + i, y + j + 1, u[at], s);
                }
                next[at] = u[at] + (sx + sy);
            }
        }
    }
}
