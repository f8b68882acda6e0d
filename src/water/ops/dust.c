// water/ops/dust.c: particles afloat on water.
//
//     x' = x + dt u(x + dt/2 u(x))
//
// the midpoint rule (RK2), u the velocity q / depth of cells, linear between their centres, 0 where
// it is dry; a step carries half of dt by the flow before and half by the flow after it, which is
// second order in dt. z is the surface's height there. Walls and faces that are shut hold a
// particle, which slides along them; periodic sides wrap it; it is gone beyond other sides, where
// it is dry, and when it is too old (GY_PARTICLE_GONE). Costs eight looks at a cell.
#include "water/ops/dust.h"
#include "ops/row/body.h"

#define HAIR 0x1p-8f

static int along(const gy_dust_job *a, int axis, int i)
{
    int n = a->tiles.n[axis];
    if (a->periodic >> axis & 1u) {
        i %= n;
        return i < 0 ? i + n : i;
    }
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/// What a cell tells of the flow.
typedef struct flow_cell {
    float velocity[2], surface;
    bool wet;
    uint8_t flags;
} flow_cell;

static float held(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/// The discharge across the high face of a cell in mode wave.
static float high_face(const gy_dust_job *a, int axis, int i, int j)
{
    int place, slot = gy_tiles_find(&a->tiles, along(a, 0, i + (axis == 0)),
                                    along(a, 1, j + (axis == 1)), &place);
    bool inside = (axis == 0 ? i : j) + 1 < a->tiles.n[axis] || (a->periodic >> axis & 1u);
    return slot >= 0 && inside ? gy_tile_state(&a->tiles, slot, GY_WATER_QX + axis)[place] : 0.0f;
}

static flow_cell look(const gy_dust_job *a, int i, int j)
{
    int place, slot = gy_tiles_find(&a->tiles, i, j, &place);
    flow_cell c = {.flags = GY_CELL_OUT};
    if (slot < 0) {
        return c;
    }
    float depth = gy_tile_state(&a->tiles, slot, GY_WATER_DEPTH)[place];
    float bed = gy_tile_array(&a->tiles, slot, GY_WATER_BED)[place];
    c.flags = gy_tile_flags(&a->tiles, slot)[place];
    depth = a->wave ? a->level + depth - bed : depth;
    c.surface = bed + depth;
    c.wet = depth > a->dry && !(c.flags & GY_CELL_OUT);
    for (int d = 0; d < 2 && c.wet; d++) {
        float q = gy_tile_state(&a->tiles, slot, GY_WATER_QX + d)[place];
        q = a->wave ? 0.5f * (q + high_face(a, d, i, j)) : q;
        c.velocity[d] = held(q / depth, a->cap);
    }
    return c;
}

/// The same of four cells of one tile in mode shallow, from (i, j) on; false: they are not.
static bool look_at_four(const gy_dust_job *a, int i, int j, flow_cell c[4])
{
    int last = GY_TILE_MASK, place;
    if (a->wave || i < 0 || j < 0 || i + 1 >= a->tiles.n[0] || j + 1 >= a->tiles.n[1] ||
        (i & last) == last || (j & last) == last) {
        return false;
    }
    int slot = gy_tiles_find(&a->tiles, i, j, &place);
    if (slot < 0) {
        return false;
    }
    const float *depth = gy_tile_state(&a->tiles, slot, GY_WATER_DEPTH);
    const float *qx = depth + GY_ARRAY_STEP, *qy = qx + GY_ARRAY_STEP;
    const float *bed = gy_tile_array(&a->tiles, slot, GY_WATER_BED);
    const uint8_t *flags = gy_tile_flags(&a->tiles, slot);
    for (int q = 0; q < 4; q++) {
        int at = place + (q & 1) + (q >> 1) * GY_WATER_TILE;
        float d = depth[at];
        c[q].flags = flags[at];
        c[q].surface = bed[at] + d;
        c[q].wet = d > a->dry && !(flags[at] & GY_CELL_OUT);
        c[q].velocity[0] = c[q].wet ? held(qx[at] / d, a->cap) : 0.0f;
        c[q].velocity[1] = c[q].wet ? held(qy[at] / d, a->cap) : 0.0f;
    }
    return true;
}

/// The velocity at a point in cells, and the height of the surface by the wet cells round it.
static void sample(const gy_dust_job *a, const float c[2], float velocity[2], float *surface)
{
    int k[2];
    float f[2], weight = 0.0f;
    for (int d = 0; d < 2; d++) {
        float x = c[d] - 0.5f;
        k[d] = (int)x - (x < (float)(int)x);
        f[d] = x - (float)k[d];
    }
    velocity[0] = velocity[1] = *surface = 0.0f;
    flow_cell round[4];
    bool four = look_at_four(a, k[0], k[1], round);
    for (int q = 0; q < 4; q++) {
        int dx = q & 1, dy = q >> 1;
        float w = (dx ? f[0] : 1.0f - f[0]) * (dy ? f[1] : 1.0f - f[1]);
        flow_cell cell = four ? round[q] : look(a, along(a, 0, k[0] + dx), along(a, 1, k[1] + dy));
        if (cell.wet) {
            velocity[0] += w * cell.velocity[0];
            velocity[1] += w * cell.velocity[1];
            *surface += w * cell.surface;
            weight += w;
        }
    }
    *surface = weight > 0.0f ? *surface / weight : 0.0f;
}

/// A point round the periodic sides, and within the others.
static float within(const gy_dust_job *a, int axis, float c)
{
    float n = (float)a->tiles.n[axis];
    if (a->periodic >> axis & 1u) {
        c = c < 0.0f ? c + n : c >= n ? c - n : c;
    }
    return c < 0.0f ? 0.0f : c > n ? n : c;
}

/// Whether nothing passes the low (high) face of a cell.
static bool is_shut(const gy_dust_job *a, int axis, const int cell[2], bool high)
{
    int at[2] = {cell[0], cell[1]}, other[2] = {cell[0], cell[1]};
    other[axis] = along(a, axis, cell[axis] + (high ? 1 : -1));
    const int *upper = high ? other : at;
    flow_cell there = look(a, other[0], other[1]), owner = look(a, upper[0], upper[1]);
    uint8_t shut = axis == 0 ? GY_CELL_SHUT_X : GY_CELL_SHUT_Y;
    return (owner.flags & shut) || (there.flags & GY_CELL_OUT);
}

/// Holds `to` before the first shut face on the way, axis by axis.
static void hold(const gy_dust_job *a, const float from[2], float to[2])
{
    int cell[2] = {along(a, 0, (int)from[0]), along(a, 1, (int)from[1])};
    for (int d = 0; d < 2; d++) {
        int at = cell[d], n = a->tiles.n[d];
        bool wraps = a->periodic >> d & 1u, up = to[d] > from[d];
        for (int left = n; left > 0; left--) {
            if (up ? to[d] < (float)(at + 1) : to[d] >= (float)at) {
                break;
            }
            int face = cell[d] + up;
            if (!wraps && (face <= 0 || face >= n)) {
                break; // the domain's own sides are looked at afterwards
            }
            if (is_shut(a, d, cell, up)) {
                to[d] = up ? (float)(at + 1) - HAIR : (float)at + HAIR;
                break;
            }
            at += up ? 1 : -1;
            cell[d] = along(a, d, cell[d] + (up ? 1 : -1));
        }
    }
}

/// What the sides of the domain do to a point; whether it is gone.
static bool sides(const gy_dust_job *a, int axis, float *c)
{
    float n = (float)a->tiles.n[axis];
    if (a->periodic >> axis & 1u) {
        *c = within(a, axis, *c);
        return false;
    }
    bool low = a->open_sides >> (2 * axis) & 1u, high = a->open_sides >> (2 * axis + 1) & 1u;
    bool gone = (low && *c < 0.0f) || (high && *c > n);
    float least = low ? 0.0f : HAIR, most = high ? n : n - HAIR;
    *c = *c < least ? least : *c > most ? most : *c;
    return gone;
}

static bool carry(const gy_dust_job *a, float *const x[3], float *age, int i)
{
    float c[2], middle[2], to[2], start[2], u[2], surface;
    bool moves = false;
    for (int d = 0; d < 2; d++) {
        start[d] = (x[d][i] - a->origin[d]) * a->inverse;
        c[d] = within(a, d, start[d]);
    }
    sample(a, c, u, &surface);
    for (int d = 0; d < 2; d++) {
        float n = (float)a->tiles.n[d];
        middle[d] = within(a, d, c[d] + held(0.5f * a->scale * u[d], n));
    }
    sample(a, middle, u, &surface);
    for (int d = 0; d < 2; d++) {
        to[d] = c[d] + held(a->scale * u[d], (float)a->tiles.n[d]);
        moves = moves || to[d] < (float)(int)c[d] || to[d] >= (float)((int)c[d] + 1);
    }
    if (moves) {
        hold(a, c, to); // it leaves its cell
    }
    bool gone = false;
    for (int d = 0; d < 2; d++) {
        gone = sides(a, d, &to[d]) || gone;
        x[d][i] += (to[d] - start[d]) * a->h;
    }
    gone = gone || !look(a, along(a, 0, (int)to[0]), along(a, 1, (int)to[1])).wet;
    age[i] += a->dt;
    gone = gone || (a->life > 0.0f && age[i] >= a->life);
    if (a->last) {
        sample(a, to, u, &surface);
        x[2][i] = surface;
    }
    if (gone) {
        x[0][i] = GY_PARTICLE_GONE;
    }
    return gone;
}

void GY_BODY(dust)(const void *args, const gy_box *box, int task)
{
    const gy_dust_job *a = (const void *)(uintptr_t)((const gy_dust_args *)args)->job;
    float *x[3], *age = gy_at(a->particles, 3u * a->step);
    uint32_t gone = 0;
    for (int d = 0; d < 3; d++) {
        x[d] = gy_at(a->particles, (uint32_t)d * a->step);
    }
    for (int i = box->low[0]; i < box->high[0]; i++) {
        if (x[0][i] < GY_PARTICLE_GONE) {
            gone += carry(a, x, age, i);
        }
    }
    ((gy_word *)(void *)gy_at(a->particles, a->gone))[task] += gone;
}
