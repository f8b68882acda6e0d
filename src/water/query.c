// water/query.c: questions about the surface. They are answered from the state itself, or, where
// def.queries is set, from a copy of it as of the last finished step: there are two of these, a
// step writes the one that nobody reads and then hands it out.
#include "base/maths.h"
#include "water/water.h"
#include <stdatomic.h>
#include <string.h>

/// A cell as questions see it: one load of 16 bytes.
typedef struct gy_answer {
    float surface, depth, u, v;
} gy_answer;

/// The sea's part of that, where the water carries the difference from one.
typedef struct gy_answer_sea {
    float u, v, rise;
} gy_answer_sea;

typedef struct snapshot {
    gy_answer *cells;   // by slot
    gy_answer_sea *sea; // by slot, or NULL
    int32_t *slot;      // of a tile
    uint32_t *version;  // of a slot, when it was copied
    atomic_int readers;
} snapshot;

struct gy_snapshots {
    snapshot copy[2];
    uint32_t *version; // of a slot now
    atomic_int front;
};

static size_t sea_size(const gyre_water *w)
{
    return w->def->sea.carries == GYRE_WATER_DIFFERENCE ? sizeof(gy_answer_sea) : 0;
}

size_t gy_snapshots_size(const gyre_water *w, int slots)
{
    size_t tiles = (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1], s = (size_t)slots;
    size_t one = s * GY_TILE_AREA * (sizeof(gy_answer) + sea_size(w)) + tiles * sizeof(int32_t) +
                 s * sizeof(uint32_t);
    return (sizeof(struct gy_snapshots) + 127) / 64 * 64 + 2 * one + s * sizeof(uint32_t);
}

void gy_snapshots_make(gyre_water *w, void *memory)
{
    size_t tiles = (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1];
    size_t slots = (size_t)w->tiles.slots;
    char *at = memory;
    w->snapshots = (void *)at;
    at += (sizeof(struct gy_snapshots) + 127) / 64 * 64;
    for (int c = 0; c < 2; c++) {
        snapshot *s = &w->snapshots->copy[c];
        s->cells = (void *)at;
        at += slots * GY_TILE_AREA * sizeof(gy_answer);
        s->sea = sea_size(w) ? (void *)at : NULL;
        at += slots * GY_TILE_AREA * sea_size(w);
        s->slot = (void *)at;
        at += tiles * sizeof(int32_t);
        s->version = (void *)at;
        at += slots * sizeof(uint32_t);
        memset(s->slot, 0xff, tiles * sizeof(int32_t));
        atomic_init(&s->readers, 0);
    }
    w->snapshots->version = (void *)at;
    atomic_init(&w->snapshots->front, 0);
    for (size_t s = 0; s < slots; s++) {
        w->snapshots->version[s] = 1;
    }
}

/// The number of a slot's cell among the grid's.
static size_t cell_of(const gyre_water *w, int slot, int place)
{
    int tile = w->tiles.tile[slot], x = tile % w->tiles.tn[0], y = tile / w->tiles.tn[0];
    int i = x * GY_WATER_TILE + place % GY_WATER_TILE,
        j = y * GY_WATER_TILE + place / GY_WATER_TILE;
    return (size_t)GY_MIN(i, w->tiles.n[0] - 1) +
           (size_t)w->tiles.n[0] * (size_t)GY_MIN(j, w->tiles.n[1] - 1);
}

/// Whether the sides of an axis are joined, and there is more than a row between them.
static bool joined(const gyre_water *w, int axis)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    return sides[2 * axis].rule == GYRE_WATER_PERIODIC && w->tiles.n[axis] > 1;
}

static gy_answer answer_of(const gyre_water *w, int slot, int place)
{
    const gy_tiles *t = &w->tiles;
    float depth = gy_tile_state(t, slot, GY_WATER_DEPTH)[place];
    float bed = gy_tile_array(t, slot, GY_WATER_BED)[place];
    float q[2] = {gy_tile_state(t, slot, GY_WATER_QX)[place],
                  gy_tile_state(t, slot, GY_WATER_QY)[place]};
    bool out = gy_tile_flags(t, slot)[place] & GY_CELL_OUT;
    if (w->def->mode == GYRE_WATER_WAVE) {
        // The mean of both faces; the high one may be the next tile's or the side's.
        int tile = t->tile[slot], i = tile % t->tn[0] * GY_WATER_TILE + place % GY_WATER_TILE;
        int j = tile / t->tn[0] * GY_WATER_TILE + place / GY_WATER_TILE, other;
        for (int a = 0; a < 2; a++) {
            int x = i + (a == 0), y = j + (a == 1);
            x = joined(w, 0) && x == t->n[0] ? 0 : x;
            y = joined(w, 1) && y == t->n[1] ? 0 : y;
            int next = gy_tiles_find(t, x, y, &other);
            float high = next >= 0 ? gy_tile_state(t, next, GY_WATER_QX + a)[other] : 0.0f;
            q[a] = 0.5f * (q[a] + high);
        }
        depth = w->def->level + depth - bed;
    }
    bool wet = depth > w->def->dry_depth && !out;
    float most = w->def->speed_cap;
    gy_answer answer = {bed + (wet ? depth : 0.0f), wet ? depth : 0.0f, 0.0f, 0.0f};
    const float *const *sea = gy_water_sea_arrays(w);
    if (wet) {
        float u = q[0] / depth, v = q[1] / depth;
        if (sea) {
            size_t at = cell_of(w, slot, place);
            answer.surface += sea[GY_SEA_HEIGHT][at];
            answer.depth += sea[GY_SEA_HEIGHT][at];
            u += sea[GY_SEA_U][at];
            v += sea[GY_SEA_V][at];
        }
        answer.u = u > most ? most : u < -most ? -most : u;
        answer.v = v > most ? most : v < -most ? -most : v;
    }
    return answer;
}

static gy_answer_sea sea_of(const gyre_water *w, size_t at)
{
    const float *const *sea = gy_water_sea_arrays(w);
    return sea ? (gy_answer_sea){sea[GY_SEA_U][at], sea[GY_SEA_V][at], sea[GY_SEA_RISE][at]}
               : (gy_answer_sea){0};
}

void gy_snapshots_note(gyre_water *w, int slot)
{
    if (w->snapshots) {
        w->snapshots->version[slot]++;
    }
}

typedef struct copy_job {
    const gyre_water *water;
    snapshot *to;
} copy_job;

static void copy_slot(void *argument, int slot)
{
    const copy_job *job = argument;
    const uint32_t *now = job->water->snapshots->version;
    gy_answer *to = job->to->cells + (size_t)slot * GY_TILE_AREA;
    if (job->to->version[slot] == now[slot]) {
        return;
    }
    for (int place = 0; place < GY_TILE_AREA; place++) {
        to[place] = answer_of(job->water, slot, place);
        if (job->to->sea) {
            job->to->sea[(size_t)slot * GY_TILE_AREA + (size_t)place] =
                sea_of(job->water, cell_of(job->water, slot, place));
        }
    }
    job->to->version[slot] = now[slot];
}

void gy_snapshots_publish(gyre_water *w)
{
    struct gy_snapshots *s = w->snapshots;
    if (!s) {
        return;
    }
    int back = 1 - atomic_load(&s->front);
    // Somebody who has been reading since before the last step: the answers stay a step behind.
    if (atomic_load(&s->copy[back].readers) != 0) {
        return;
    }
    gy_water_fetch(w);
    copy_job job = {w, &s->copy[back]};
    memcpy(job.to->slot, w->tiles.slot,
           (size_t)w->tiles.tn[0] * (size_t)w->tiles.tn[1] * sizeof(int32_t));
    gyre_device_parallel_for(w->model.device, w->tiles.used, copy_slot, &job);
    atomic_store(&s->front, back);
}

static snapshot *take(const gyre_water *w)
{
    struct gy_snapshots *s = w->snapshots;
    if (!s && w->device.is) {
        gy_device_enter(w->model.device);
        gy_water_fetch(w);
        gy_device_leave(w->model.device);
    }
    while (s) {
        int front = atomic_load(&s->front);
        atomic_fetch_add(&s->copy[front].readers, 1);
        // A step may have begun to write it between the two lines above.
        if (atomic_load(&s->front) == front) {
            return &s->copy[front];
        }
        atomic_fetch_sub(&s->copy[front].readers, 1);
    }
    return NULL;
}

static void give_back(snapshot *s)
{
    if (s) {
        atomic_fetch_sub(&s->readers, 1);
    }
}

static gy_answer cell_at(const gyre_water *w, const snapshot *s, int i, int j)
{
    int tile = (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT);
    int place = (j & GY_TILE_MASK) * GY_WATER_TILE + (i & GY_TILE_MASK);
    int slot = s ? s->slot[tile] : w->tiles.slot[tile];
    if (slot < 0) {
        return (gy_answer){gy_water_bed_at(w, i, j), 0.0f, 0.0f, 0.0f};
    }
    return s ? s->cells[(size_t)slot * GY_TILE_AREA + (size_t)place] : answer_of(w, slot, place);
}

/// The sea's velocity at a point, between the cells round it.
static gy_answer_sea sea_at(const gyre_water *w, const snapshot *s, const int low[2],
                            const float f[2])
{
    gy_answer_sea sum = {0};
    for (int q = 0; q < 4; q++) {
        int i = GY_MIN(low[0] + (q & 1), w->grid.n[0] - 1);
        int j = GY_MIN(low[1] + (q >> 1), w->grid.n[1] - 1);
        int tile = (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT);
        int slot = s ? s->slot[tile] : 0;
        size_t place = (size_t)((j & GY_TILE_MASK) * GY_WATER_TILE + (i & GY_TILE_MASK));
        float share = (q & 1 ? f[0] : 1.0f - f[0]) * (q >> 1 ? f[1] : 1.0f - f[1]);
        gy_answer_sea one = !s          ? sea_of(w, (size_t)i + (size_t)w->tiles.n[0] * (size_t)j)
                            : slot >= 0 ? s->sea[(size_t)slot * GY_TILE_AREA + place]
                                        : (gy_answer_sea){0};
        sum.u += share * one.u;
        sum.v += share * one.v;
        sum.rise += share * one.rise;
    }
    return sum;
}

/// The four cells from one on, to the next along each axis. Dry ones that rise over the water count
/// as water at the height of the wet ones, so that the surface meets the shore level.
static void take_corners(const gyre_water *w, const snapshot *s, const int low[2],
                         const int next[2], gy_answer cell[4])
{
    const gyre_grid *g = &w->grid;
    int wet = 0;
    float sum = 0.0f;
    for (int q = 0; q < 4; q++) {
        int i = GY_MIN(low[0] + (q & 1 ? next[0] : 0), g->n[0] - 1);
        int j = GY_MIN(low[1] + (q >> 1 ? next[1] : 0), g->n[1] - 1);
        cell[q] = cell_at(w, s, i, j);
        if (cell[q].depth > 0.0f) {
            sum += cell[q].surface;
            wet++;
        }
    }
    for (int q = 0; q < 4 && wet > 0 && wet < 4; q++) {
        float level = sum / (float)wet;
        if (!(cell[q].depth > 0.0f) && cell[q].surface > level) {
            cell[q].depth = level - cell[q].surface;
            cell[q].surface = level;
        }
    }
}

/// The four cells round a point.
static void corners(const gyre_water *w, const snapshot *s, float x, float y, gy_answer cell[4],
                    float f[2], int low[2])
{
    const gyre_grid *g = &w->grid;
    float at[2] = {(x - g->origin[0]) / g->h - 0.5f, (y - g->origin[1]) / g->h - 0.5f};
    int next[2];
    for (int a = 0; a < 2; a++) {
        float top = (float)(g->n[a] - 1), n = (float)g->n[a];
        next[a] = 1;
        if (joined(w, a)) {
            at[a] -= at[a] < 0.0f || at[a] >= n ? n * gy_floorf(at[a] / n) : 0.0f;
            at[a] = at[a] >= 0.0f && at[a] < n ? at[a] : 0.0f; // as rounded
            low[a] = (int)at[a];
            f[a] = at[a] - (float)low[a];
            next[a] = low[a] == g->n[a] - 1 ? -low[a] : 1;
            continue;
        }
        at[a] = at[a] > 0.0f ? at[a] : 0.0f; // also what is not a number
        at[a] = at[a] < top ? at[a] : top;
        low[a] = GY_MIN((int)at[a], GY_MAX(g->n[a] - 2, 0));
        f[a] = at[a] - (float)low[a];
    }
    take_corners(w, s, low, next, cell);
}

void gy_water_square(const gyre_water *w, int i, int j, float surface[4], float depth[4])
{
    int from[2] = {i, j}, low[2], next[2], own[2][2]; // own: which of both corners stands where
    gy_answer cell[4];
    for (int a = 0; a < 2; a++) {
        int n = w->grid.n[a];
        bool round = joined(w, a);
        low[a] = round ? (from[a] % n + n) % n : GY_MIN(GY_MAX(from[a], 0), GY_MAX(n - 2, 0));
        next[a] = round && low[a] == n - 1 ? -low[a] : 1;
        own[a][0] = !round && from[a] > low[a];
        own[a][1] = round || from[a] >= low[a];
    }
    take_corners(w, NULL, low, next, cell);
    for (int q = 0; q < 4; q++) {
        int at = own[0][q & 1] + 2 * own[1][q >> 1];
        surface[q] = cell[at].surface;
        depth[q] = cell[at].depth;
    }
}

static float mix(float a, float b, float c, float d, const float f[2])
{
    float low = a + (b - a) * f[0], high = c + (d - c) * f[0];
    return low + (high - low) * f[1];
}

static gyre_water_sample sample_at(const gyre_water *w, const snapshot *s, float x, float y)
{
    gy_answer c[4];
    gyre_water_sample answer = {0};
    float f[2], h = w->grid.h;
    int low[2];
    corners(w, s, x, y, c, f, low);
    answer.height = mix(c[0].surface, c[1].surface, c[2].surface, c[3].surface, f);
    answer.depth = mix(c[0].depth, c[1].depth, c[2].depth, c[3].depth, f);
    answer.velocity[0] = mix(c[0].u, c[1].u, c[2].u, c[3].u, f);
    answer.velocity[1] = mix(c[0].v, c[1].v, c[2].v, c[3].v, f);
    float dx[2] = {c[1].surface - c[0].surface, c[3].surface - c[2].surface};
    float dy[2] = {c[2].surface - c[0].surface, c[3].surface - c[1].surface};
    float sx = (dx[0] + (dx[1] - dx[0]) * f[1]) / h, sy = (dy[0] + (dy[1] - dy[0]) * f[0]) / h;
    if (!(answer.depth > 0.0f)) {
        answer.height -= answer.depth; // the bed, where the level of the shore lies below it
        answer.depth = 0.0f;
        answer.velocity[0] = answer.velocity[1] = 0.0f;
    }
    float length = gy_sqrtf(1.0f + (sx * sx + sy * sy));
    answer.normal[0] = -sx / length;
    answer.normal[1] = -sy / length;
    answer.normal[2] = 1.0f / length;
    // The surface is a streamline: what runs along it rises with it.
    answer.velocity[2] = answer.velocity[0] * sx + answer.velocity[1] * sy;
    if (gy_water_sea_arrays(w) && answer.depth > 0.0f) {
        gy_answer_sea sea = sea_at(w, s, low, f); // whose own water rises as it says
        answer.velocity[2] += sea.rise - (sea.u * sx + sea.v * sy);
    }
    return answer;
}

/// Of the water itself or the finest that is nested in it there.
static gyre_water_sample finest_at(const gyre_water *w, const snapshot *s, const float at[2])
{
    const gyre_water *own = gy_nest_finest(w, at);
    if (own == w) {
        return sample_at(w, s, at[0], at[1]);
    }
    snapshot *other = take(own);
    gyre_water_sample answer = sample_at(own, other, at[0], at[1]);
    give_back(other);
    return answer;
}

gyre_result gyre_water_query(const gyre_water *w, const float *points, int count,
                             gyre_water_sample *samples)
{
    if (GY_MISSING("query", w) ||
        (count > 0 && (GY_MISSING("query", points) || GY_MISSING("query", samples)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int p = 0; p < 2 * count; p++) {
        if (!gy_is_finite(points[p])) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "query: point %d is not finite", p / 2);
        }
    }
    snapshot *s = take(w);
    for (int p = 0; p < count; p++) {
        samples[p] = finest_at(w, s, points + 2 * p);
    }
    give_back(s);
    return GYRE_OK;
}

/// Volume of a sphere of radius r below a plane that passes `over` above its centre.
static float cap_volume(float r, float over)
{
    float depth = over + r;
    depth = depth < 0.0f ? 0.0f : depth > 2.0f * r ? 2.0f * r : depth;
    return 3.14159265f * depth * depth * (r - depth / 3.0f);
}

gyre_result gyre_water_submerged(const gyre_water *w, const float *spheres, int count,
                                 float *volumes)
{
    if (GY_MISSING("submerged", w) ||
        (count > 0 && (GY_MISSING("submerged", spheres) || GY_MISSING("submerged", volumes)))) {
        return GYRE_ERROR_ARGUMENT;
    }
    for (int p = 0; p < 4 * count; p++) {
        if (!gy_is_finite(spheres[p]) || (p % 4 == 3 && spheres[p] < 0.0f)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "submerged: sphere %d is not finite or has a negative radius", p / 4);
        }
    }
    snapshot *s = take(w);
    for (int p = 0; p < count; p++) {
        const float *c = spheres + 4 * p;
        gyre_water_sample at = finest_at(w, s, c);
        // Over the tangent plane of the surface: its distance from the centre.
        float over = (at.height - c[2]) * at.normal[2];
        volumes[p] = at.depth > 0.0f ? cap_volume(c[3], over) : 0.0f;
    }
    give_back(s);
    return GYRE_OK;
}
