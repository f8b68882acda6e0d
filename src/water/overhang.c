// water/overhang.c: water in the air as it is seen: sheets as closed surfaces.
//
// A particle of a sheet is a tile between its neighbours along the front (place) and in time (row).
// Tiles that hang together share corners; a corner X is the mean of what its tiles tell,
//
//     x + (U, -U) / 2 + (V, -V) / 2,   U, V: from neighbour to neighbour,
//
// and has the thickness t = sum of volumes / sum of |U x V|. The surface is X + t/2 N above and
// X - t/2 N below, N along the sum of U x V, with upright bands where a tile has no neighbour,
// thinner there: so every edge has two triangles whatever is torn. Tiles that have parted by more
// than 2.5 times their size hang together no more, nor does a row that has come past the one before
// it. All t of a piece are scaled until the piece has its particles' volume above the water, to
// 1e-4 of it; one that would have to be more than 4 times as thick for that, crushed or twisted,
// falls apart into its tiles. A row that is yet to be thrown goes before the last one of each
// front, as tiles inside of the wave: where a sheet leaves the water is neither gap nor crack.
// Cost: some 3 us a triangle, on all threads, in memory that is kept. Changes nothing of the water.
#include "base/maths.h"
#include "water/breaking.h"
#include <string.h>

enum { RIGHT, YOUNGER, LEFT, OLDER, WAYS }; // neighbours; RIGHT + 2 is back from there

typedef struct tile {
    float at[3], fast[2];      // m; m/s
    float side[2][3];          // U, V
    float up[3], area, volume; // U x V, m^2, m^3
    float scale;               // to begin with
    int32_t first, end;        // its triangles
    int32_t sheet, row, place;
    int32_t next[WAYS];    // tiles; -1: none
    bool root, alone, off; // off: no part of the surface
    bool kept;             // its piece fits, and has not been touched since
} tile;

typedef struct corner {
    double at[3], up[3], area, volume;
    double off[3];              // from the middle to the point above, of thicknesses as they come
    int32_t tiles, ends, piece; // ends: of its tiles' edges here, without a neighbour
} corner;

enum { TASK = 16, MOST_TRIANGLES = 12 }; // tiles that are a task; of a tile

/// Tiles that hang together.
typedef struct piece {
    double volume, wanted; // m^3 above the water: as measured; of its particles
    double low, high;      // scales: of too little and too much; 0: not known
    double last, off;      // the scale before, and what it had too much, m^3
    float scale;           // of all its thicknesses
    bool fits, torn;       // torn: it cannot
} piece;

static const double BOUND = 1e-4, MOST_SCALE = 4.0; // of a piece's volume; of its thicknesses

typedef struct sheets {
    gyre_water *w;
    int count;
    tile *tiles;
    int32_t *order, *spare;
    int32_t *of;     // 4 a tile: the corner, first as a forest
    int32_t *piece;  // of each tile, likewise
    corner *corners; // as many
    piece *pieces;   // by their first tile
    float *points;
    int32_t *triangles;
    gy_square *squares; // of the water below: GY_SQUARES a task
    double *above;      // of each triangle: what it has above the water
    int corner_count, triangle_count;
} sheets;

// ---- tiles

static void cross(const float a[3], const float b[3], float c[3])
{
    for (int i = 0; i < 3; i++) {
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static float length(const float a[3])
{
    return gy_sqrtf(a[0] * a[0] + (a[1] * a[1] + a[2] * a[2]));
}

/// The water's surface at a place over the grid.
static float surface_at(const sheets *s, const float at[2])
{
    const gyre_grid *g = &s->w->grid;
    float surface[4], depth[4], f[2];
    int low[2];
    for (int a = 0; a < 2; a++) {
        float off = (at[a] - g->origin[a]) / g->h - 0.5f, whole = gy_floorf(off);
        low[a] = (int)whole;
        f[a] = off - whole;
    }
    gy_water_square(s->w, low[0], low[1], surface, depth);
    float near = surface[0] + (surface[1] - surface[0]) * f[0];
    float far = surface[2] + (surface[3] - surface[2]) * f[0];
    return near + (far - near) * f[1];
}

static void take_particles(sheets *s)
{
    const gy_particles *p = &s->w->breaking->sets[GY_SET_PATCHES];
    const float *amount = gy_particles_array(p, GY_AIR_AMOUNT, 0);
    const int32_t *sheet = gy_particles_array(p, GY_AIR_SHEET, 0);
    const int32_t *row = gy_particles_array(p, GY_AIR_ROW, 0);
    const int32_t *place = gy_particles_array(p, GY_AIR_PLACE, 0);
    float area = s->w->grid.h * s->w->grid.h;
    for (int64_t k = 0; k < p->state.count; k++) {
        tile *t = &s->tiles[s->count++];
        *t = (tile){.volume = amount[k] * area,
                    .scale = 1.0f,
                    .sheet = sheet[k],
                    .row = row[k],
                    .place = place[k],
                    .next = {-1, -1, -1, -1}};
        for (int a = 0; a < 3; a++) {
            t->at[a] = ((const float *)gy_particles_array(p, GY_AIR_POSITION, a))[k];
        }
        // Between cells' middles it may be below the water already, or still.
        t->at[2] = GY_MAX(t->at[2], surface_at(s, t->at));
        for (int a = 0; a < 2; a++) {
            t->fast[a] = ((const float *)gy_particles_array(p, GY_AIR_VELOCITY, a))[k];
        }
    }
}

/// The rows that fronts would throw now, a cell back: inside of the wave.
static void take_roots(sheets *s)
{
    const gyre_water *w = s->w;
    const gy_breaking *b = w->breaking;
    for (int f = 0; f < b->state->front_count; f++) {
        const gy_front *front = &b->fronts[f];
        for (int p = front->first; front->steep == 1.0f && p < front->first + front->count; p++) {
            gy_thrown thrown;
            if (!gy_front_launch(w, front, &b->points[p], &thrown)) {
                continue;
            }
            tile *t = &s->tiles[s->count++];
            *t = (tile){.scale = 1.0f,
                        .sheet = thrown.sheet,
                        .row = thrown.row,
                        .place = thrown.place,
                        .next = {-1, -1, -1, -1},
                        .root = true};
            memcpy(t->at, thrown.at, sizeof t->at);
            memcpy(t->fast, thrown.velocity, sizeof t->fast);
            t->at[front->axis] -= front->normal[front->axis] < 0.0f ? -w->grid.h : w->grid.h;
            t->at[2] -= 0.5f * w->def->breaking.thickness;
        }
    }
}

static int compare(const tile *a, const tile *b)
{
    return a->sheet != b->sheet ? (a->sheet < b->sheet ? -1 : 1)
           : a->row != b->row   ? (a->row < b->row ? -1 : 1)
                                : (a->place > b->place) - (a->place < b->place);
}

/// By sheet, row and place; those that are alike stay as they are: by merging.
static void sort(sheets *s)
{
    for (int k = 0; k < s->count; k++) {
        s->order[k] = k;
    }
    for (int wide = 1; wide < s->count; wide *= 2) {
        for (int low = 0; low < s->count; low += 2 * wide) {
            int middle = GY_MIN(low + wide, s->count), high = GY_MIN(low + 2 * wide, s->count);
            for (int k = low, a = low, b = middle; k < high; k++) {
                bool first = a < middle && (b >= high || compare(&s->tiles[s->order[a]],
                                                                 &s->tiles[s->order[b]]) <= 0);
                s->spare[k] = first ? s->order[a++] : s->order[b++];
            }
        }
        int32_t *order = s->order;
        s->order = s->spare;
        s->spare = order;
    }
}

/// The tile of a sheet, row and place; -1: there is none.
static int find(const sheets *s, int32_t sheet, int32_t row, int32_t place)
{
    const tile wanted = {.sheet = sheet, .row = row, .place = place};
    int low = 0, high = s->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare(&s->tiles[s->order[middle]], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < s->count && compare(&s->tiles[s->order[low]], &wanted) == 0 ? s->order[low] : -1;
}

static void join(sheets *s, int k, int way, int other)
{
    s->tiles[k].next[way] = other;
    s->tiles[other].next[way + 2] = k;
}

/// How far a tile's neighbour may be.
static float reach(const sheets *s, const tile *t)
{
    float h = s->w->grid.h, size = t->volume / (s->w->def->breaking.thickness * h);
    return 2.5f * GY_MAX(h, size);
}

/// The neighbour that has the number for it, however far; -1: none.
static int beside(const sheets *s, int k, int way)
{
    const tile *t = &s->tiles[k];
    int32_t one = way == RIGHT;
    if (t->off || t->alone || t->row == INT32_MAX || t->place == INT32_MAX) {
        return -1;
    }
    int other = find(s, t->sheet, t->row + 1 - one, t->place + one);
    return other < 0 || s->tiles[other].off ? -1 : other;
}

/// Whether a row has come past the one before it, so that the sheet would lie folded.
static bool past(const tile *t, const tile *younger)
{
    float way[2] = {t->fast[0] + younger->fast[0], t->fast[1] + younger->fast[1]}, ahead = 0.0f;
    for (int a = 0; a < 2; a++) {
        ahead += (younger->at[a] - t->at[a]) * way[a];
    }
    return ahead >= 0.0f && (way[0] != 0.0f || way[1] != 0.0f);
}

static void link(sheets *s, int way)
{
    for (int k = 0; k < s->count; k++) {
        int other = beside(s, k, way);
        if (other < 0) {
            continue;
        }
        const tile *t = &s->tiles[k], *o = &s->tiles[other];
        float off[3] = {o->at[0] - t->at[0], o->at[1] - t->at[1], o->at[2] - t->at[2]};
        if (length(off) < GY_MAX(reach(s, t), reach(s, o)) && !(way == YOUNGER && past(t, o))) {
            join(s, k, way, other);
        }
    }
}

/// Of several with the same numbers, which no front throws, only the first hangs together with
/// others; roots of nothing are none.
static void sort_out(sheets *s)
{
    for (int k = 1; k < s->count; k++) {
        const tile *last = &s->tiles[s->order[k - 1]];
        tile *own = &s->tiles[s->order[k]];
        if (compare(last, own) == 0) {
            own->off = own->root;
            own->alone = true;
        }
    }
    link(s, YOUNGER);
    for (int k = 0; k < s->count; k++) {
        tile *t = &s->tiles[k];
        t->off = t->off || (t->root && t->next[OLDER] < 0);
    }
    link(s, RIGHT);
}

/// Fronts are told by cells, so rows are thrown unevenly: tiles go towards the middle between
/// neighbours, three times; those inside of the wave stay.
static void ease(sheets *s)
{
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < s->count; k++) {
            tile *t = &s->tiles[k];
            memcpy(t->up, t->at, sizeof t->up);
            for (int q = 0; q < 2 && !t->root; q++) {
                int ahead = t->next[q], back = t->next[q + 2];
                for (int a = 0; a < 3 && ahead >= 0 && back >= 0; a++) {
                    float middle = 0.5f * (s->tiles[ahead].at[a] + s->tiles[back].at[a]);
                    t->up[a] += 0.4f * (middle - t->at[a]);
                }
            }
        }
        for (int k = 0; k < s->count; k++) {
            memcpy(s->tiles[k].at, s->tiles[k].up, sizeof s->tiles[k].at);
        }
    }
}

/// U and V of a tile and what follows from them.
static void spread(const sheets *s, tile *t)
{
    float h = s->w->grid.h;
    for (int q = 0; q < 2; q++) {
        const int ahead = t->next[q], back = t->next[q + 2];
        const float *to = ahead < 0 ? t->at : s->tiles[ahead].at;
        const float *from = back < 0 ? t->at : s->tiles[back].at;
        float half = ahead >= 0 && back >= 0 ? 0.5f : 1.0f;
        for (int a = 0; a < 3; a++) {
            t->side[q][a] = half * (to[a] - from[a]);
        }
    }
    float speed = gy_sqrtf(t->fast[0] * t->fast[0] + t->fast[1] * t->fast[1]);
    float along[2] = {speed > 0.0f ? t->fast[0] / speed : 1.0f,
                      speed > 0.0f ? t->fast[1] / speed : 0.0f};
    float thick = s->w->def->breaking.thickness, size = t->volume / thick;
    // Whose neighbours are gone is as wide as it was thrown.
    if (t->next[RIGHT] < 0 && t->next[LEFT] < 0) {
        float wide = t->next[YOUNGER] < 0 && t->next[OLDER] < 0 ? GY_MIN(gy_sqrtf(size), h) : h;
        t->side[0][0] = -along[1] * wide;
        t->side[0][1] = along[0] * wide;
    }
    if (t->next[YOUNGER] < 0 && t->next[OLDER] < 0) {
        float wide = GY_MAX(length(t->side[0]), 1e-3f * h);
        float long_ = GY_MIN(size / wide, 2.0f * h);
        t->side[1][0] = -along[0] * long_;
        t->side[1][1] = -along[1] * long_;
    }
    cross(t->side[0], t->side[1], t->up);
    t->area = length(t->up);
}

static void spread_all(sheets *s)
{
    for (int k = 0; k < s->count; k++) {
        spread(s, &s->tiles[k]);
    }
    for (int k = 0; k < s->count; k++) {
        tile *t = &s->tiles[k];
        if (t->root && !t->off) {
            const tile *o = &s->tiles[t->next[OLDER]];
            t->volume = o->area > 0.0f ? o->volume / o->area * t->area : 0.0f;
        }
    }
}

// ---- corners

static int32_t root_of(int32_t *forest, int32_t k)
{
    while (forest[k] != k) {
        forest[k] = forest[forest[k]];
        k = forest[k];
    }
    return k;
}

static void unite(int32_t *forest, int32_t a, int32_t b)
{
    a = root_of(forest, a);
    b = root_of(forest, b);
    forest[GY_MAX(a, b)] = GY_MIN(a, b);
}

// Corners of a tile go round as U, V do: back of both, ahead along U, ahead along both, along V.
static const int first_corner[2] = {1, 2}, second_corner[2] = {2, 3}; // of the edge to a neighbour
static const int first_back[2] = {0, 1}, second_back[2] = {3, 0};     // the same of the neighbour

static void unite_edge(sheets *s, int k, int way)
{
    int other = s->tiles[k].next[way];
    unite(s->of, 4 * k + first_corner[way], 4 * other + first_back[way]);
    unite(s->of, 4 * k + second_corner[way], 4 * other + second_back[way]);
    unite(s->piece, k, other);
}

/// Joins tiles that share both corners of an edge although nothing joins them; false: none did.
static bool mend(sheets *s)
{
    bool found = false;
    for (int k = 0; k < s->count; k++) {
        for (int way = 0; way < 2; way++) {
            int other = s->tiles[k].next[way] < 0 ? beside(s, k, way) : -1;
            if (other >= 0 &&
                root_of(s->of, 4 * k + first_corner[way]) ==
                    root_of(s->of, 4 * other + first_back[way]) &&
                root_of(s->of, 4 * k + second_corner[way]) ==
                    root_of(s->of, 4 * other + second_back[way])) {
                join(s, k, way, other);
                unite_edge(s, k, way);
                found = true;
            }
        }
    }
    return found;
}

/// Tiles share the corners of the edges between them. Two that share both although nothing joins
/// them do hang together: a tear goes on from edge to edge.
static void make_corners(sheets *s)
{
    for (int k = 0; k < 4 * s->count; k++) {
        s->of[k] = k;
    }
    for (int k = 0; k < s->count; k++) {
        s->piece[k] = k;
    }
    for (int k = 0; k < s->count; k++) {
        for (int way = 0; way < 2; way++) {
            if (s->tiles[k].next[way] >= 0) {
                unite_edge(s, k, way);
            }
        }
    }
    while (mend(s)) {
    }
    // From here on they are numbers. A root comes before what hangs on it.
    for (int k = 0; k < 4 * s->count; k++) {
        if (s->tiles[k / 4].off) {
            s->of[k] = -1;
        } else if (s->of[k] == k) {
            s->of[k] = -2 - s->corner_count++;
        } else {
            int32_t r = s->of[k];
            while (r >= 0) {
                r = s->of[r];
            }
            s->of[k] = r;
        }
    }
    for (int k = 0; k < 4 * s->count; k++) {
        s->of[k] = -2 - s->of[k];
    }
    for (int k = 0; k < s->count; k++) {
        s->piece[k] = root_of(s->piece, k);
    }
}

static void sum_corners(sheets *s)
{
    static const float sign[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
    memset(s->corners, 0, (size_t)s->corner_count * sizeof *s->corners);
    for (int k = 0; k < s->count; k++) {
        const tile *t = &s->tiles[k];
        for (int c = 0; c < 4 && !t->off; c++) {
            corner *to = &s->corners[s->of[4 * k + c]];
            for (int a = 0; a < 3; a++) {
                to->at[a] +=
                    (double)(t->at[a] + (sign[c][0] * t->side[0][a] + sign[c][1] * t->side[1][a]));
                to->up[a] += (double)t->up[a];
            }
            to->area += (double)t->area;
            to->volume += (double)t->volume;
            to->tiles++;
        }
        for (int q = 0; q < WAYS && !t->off; q++) {
            // The edge towards a neighbour: corners 1 2, 2 3, 3 0, 0 1.
            if (t->next[q] < 0) {
                s->corners[s->of[4 * k + (q + 1) % 4]].ends++;
                s->corners[s->of[4 * k + (q + 2) % 4]].ends++;
            }
        }
    }
}

// ---- the surface

/// How thick corners are before any scale, and where to.
static void aim_corners(sheets *s)
{
    for (int k = 0; k < 4 * s->count; k++) {
        if (s->of[k] >= 0) {
            s->corners[s->of[k]].piece = s->piece[k / 4];
        }
    }
    for (int k = 0; k < s->corner_count; k++) {
        corner *c = &s->corners[k];
        const double *up = c->up;
        double size = (double)gy_sqrtf((float)(up[0] * up[0] + (up[1] * up[1] + up[2] * up[2])));
        double mean = c->volume / c->tiles, thick = size > 0.0 ? c->volume / size : 0.0;
        // Tiles that are crushed are no towers.
        double most = 1.2 * (double)gy_powf((float)mean, 1.0f / 3.0f);
        thick = GY_MIN(thick, most) * (c->ends > 0 ? 0.6 : 1.0) * 0.5;
        for (int a = 0; a < 3; a++) {
            c->off[a] = size > 0.0 ? thick * up[a] / size : a == 2 ? thick : 0.0;
            c->at[a] /= c->tiles;
        }
    }
}

/// Points 2 k above and 2 k + 1 below corner k, of a thickness times its piece's scale.
static void place_points(sheets *s)
{
    for (int k = 0; k < s->corner_count; k++) {
        const corner *c = &s->corners[k];
        double scale = (double)s->pieces[c->piece].scale;
        for (int a = 0; a < 3; a++) {
            s->points[6 * k + a] = (float)(c->at[a] + scale * c->off[a]);
            s->points[6 * k + 3 + a] = (float)(c->at[a] - scale * c->off[a]);
        }
    }
}

static void triangle(sheets *s, int a, int b, int c)
{
    int32_t *to = &s->triangles[3 * s->triangle_count++];
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

/// The triangles of a tile; `top`: twice its corners.
static void cover(sheets *s, const tile *t, const int32_t *of)
{
    int32_t top[4];
    for (int c = 0; c < 4; c++) {
        top[c] = 2 * of[c];
    }
    triangle(s, top[0], top[1], top[2]);
    triangle(s, top[0], top[2], top[3]);
    triangle(s, top[0] + 1, top[2] + 1, top[1] + 1);
    triangle(s, top[0] + 1, top[3] + 1, top[2] + 1);
    for (int q = 0; q < WAYS; q++) {
        int from = top[(q + 1) % 4], to = top[(q + 2) % 4];
        if (t->next[q] < 0) {
            triangle(s, to, from, from + 1);
            triangle(s, to, from + 1, to + 1);
        }
    }
}

/// What the triangles of some tiles have above the water, if their pieces are not fitted yet.
static void measure_tiles(void *argument, int task)
{
    sheets *s = argument;
    int end = GY_MIN((task + 1) * TASK, s->count);
    for (int k = task * TASK; k < end; k++) {
        const tile *t = &s->tiles[k];
        if (t->off || s->pieces[s->piece[k]].fits) {
            continue;
        }
        for (int q = t->first; q < t->end; q++) {
            const float *p[3];
            for (int c = 0; c < 3; c++) {
                p[c] = &s->points[(size_t)3 * (size_t)s->triangles[3 * q + c]];
            }
            s->above[q] = gy_water_volume_above(s->w, (const float *const *)p,
                                                s->squares + (size_t)task * GY_SQUARES);
        }
    }
}

/// What each piece that is not fitted yet has above the water: summed up in the order of tiles.
static void measure(sheets *s)
{
    place_points(s);
    gyre_device_parallel_for(s->w->model.device, (s->count + TASK - 1) / TASK, measure_tiles, s);
    for (int k = 0; k < s->count; k++) {
        const tile *t = &s->tiles[k];
        piece *own = &s->pieces[s->piece[k]];
        for (int q = t->first; q < t->end && !t->off && !own->fits; q++) {
            own->volume += s->above[q];
        }
    }
}

static void cover_all(sheets *s)
{
    s->triangle_count = 0;
    for (int k = 0; k < s->count; k++) {
        tile *t = &s->tiles[k];
        t->first = s->triangle_count;
        if (!t->off) {
            cover(s, t, &s->of[4 * k]);
        }
        t->end = s->triangle_count;
    }
}

/// The next scale of a piece: by the line through the last two, as long as that stays between what
/// is known to be too little and too much.
static void rescale(piece *p, double most)
{
    double scale = (double)p->scale, off = p->volume - p->wanted, next;
    double share = p->volume > 0.0 ? p->wanted / p->volume : 2.0;
    p->fits = off < BOUND * p->wanted && off > -BOUND * p->wanted;
    if (p->fits) {
        return;
    }
    *(off < 0.0 ? &p->low : &p->high) = scale;
    bool line = p->last > 0.0 && (off - p->off) * (scale - p->last) > 0.0;
    next = line ? scale - off * (scale - p->last) / (off - p->off) : scale * share;
    next = GY_MIN(GY_MAX(next, 0.4 * scale), 2.5 * scale);
    if (p->high > 0.0 && !(next > p->low && next < p->high)) {
        next = 0.5 * (p->low + p->high);
    } else if (next <= p->low) {
        next = 1.5 * scale;
    }
    p->last = scale;
    p->off = off;
    p->torn = next > most && off < 0.0;
    p->fits = p->torn;
    p->scale = (float)GY_MIN(next, most);
}

/// Triangles with the thicknesses that give each piece its volume above the water; false: some
/// would have to be more than `most` times as thick.
static bool fit(sheets *s, double most)
{
    enum { ROUNDS = 40 };
    bool fits = false, whole = true;
    for (int k = 0; k < s->count; k++) {
        s->pieces[k] = (piece){.scale = s->tiles[k].scale, .fits = s->tiles[k].kept};
    }
    for (int k = 0; k < s->count; k++) {
        const tile *t = &s->tiles[k];
        s->pieces[s->piece[k]].wanted += t->off || t->root ? 0.0 : (double)t->volume;
    }
    for (int k = 0; k < s->count; k++) {
        s->pieces[k].fits = s->pieces[k].fits || !(s->pieces[k].wanted > 0.0);
    }
    for (int round = 0; round < ROUNDS && !fits; round++) {
        for (int k = 0; k < s->count; k++) {
            s->pieces[k].volume = s->pieces[k].fits ? s->pieces[k].volume : 0.0;
        }
        measure(s);
        fits = true;
        for (int k = 0; k < s->count; k++) {
            piece *p = &s->pieces[k];
            if (!p->fits) {
                rescale(p, most);
                fits = fits && p->fits;
                whole = whole && !p->torn;
            }
        }
    }
    place_points(s);
    return whole;
}

/// Pieces that cannot hold their water, as their tiles are crushed or twisted, fall apart: each of
/// their tiles lies level by itself, on the water at the least.
static void tear(sheets *s)
{
    for (int k = 0; k < s->count; k++) {
        tile *t = &s->tiles[k];
        const piece *p = &s->pieces[s->piece[k]];
        t->scale = p->torn ? 1.0f : p->scale;
        t->kept = p->fits && !p->torn;
        if (p->torn) {
            t->alone = true;
            t->off = t->off || t->root;
            t->at[2] = GY_MAX(t->at[2], surface_at(s, t->at));
            for (int q = 0; q < WAYS; q++) {
                t->next[q] = -1;
            }
        }
    }
}

/// Corners and triangles of what hangs together.
static bool build(sheets *s, double most)
{
    s->corner_count = 0;
    make_corners(s);
    spread_all(s);
    sum_corners(s);
    aim_corners(s);
    cover_all(s);
    return fit(s, most);
}

static size_t round64(size_t size)
{
    return (size + 63) / 64 * 64;
}

/// Bytes of everything, laid out from `base` on where there is one.
static size_t lay_out(sheets *s, size_t most, char *base)
{
    enum { PARTS = 10 };
    size_t tasks = (most + TASK - 1) / TASK;
    const size_t sizes[PARTS] = {most * sizeof *s->tiles,
                                 most * sizeof *s->order,
                                 most * sizeof *s->spare,
                                 4 * most * sizeof *s->of,
                                 most * sizeof *s->piece,
                                 4 * most * sizeof *s->corners,
                                 most * sizeof *s->pieces,
                                 24 * most * sizeof *s->points,
                                 GY_SQUARES * tasks * sizeof *s->squares,
                                 MOST_TRIANGLES * most * sizeof *s->above};
    void *at[PARTS];
    size_t used = 0;
    for (int k = 0; k < PARTS; k++) {
        at[k] = base ? base + used : NULL;
        used += round64(sizes[k]);
    }
    s->tiles = at[0];
    s->order = at[1];
    s->spare = at[2];
    s->of = at[3];
    s->piece = at[4];
    s->corners = at[5];
    s->pieces = at[6];
    s->points = at[7];
    s->squares = at[8];
    s->above = at[9];
    s->triangles = base ? (int32_t *)(void *)(base + used) : NULL;
    return used + round64(36 * most * sizeof *s->triangles);
}

gyre_result gy_water_overhang(gyre_model *model, gyre_mesh *mesh)
{
    gyre_water *w = (gyre_water *)model;
    sheets s = {.w = w};
    if (!w->breaking || w->breaking->sets[GY_SET_PATCHES].state.count == 0) {
        return GYRE_OK;
    }
    size_t most = (size_t)w->breaking->sets[GY_SET_PATCHES].state.count +
                  (size_t)w->breaking->state->point_count;
    // Indices are of 32 bits.
    if (most > INT32_MAX / 64) {
        return gyre_fail(GYRE_ERROR_MEMORY, "overhang: a surface of %zu particles", most);
    }
    gyre_result r = gy_list_reserve(w, &w->overhang, 1, lay_out(&s, most, NULL));
    if (r != GYRE_OK) {
        return r;
    }
    lay_out(&s, most, w->overhang.items);
    memset(s.squares, 0, GY_SQUARES * ((most + TASK - 1) / TASK) * sizeof *s.squares);
    take_particles(&s);
    take_roots(&s);
    sort(&s);
    sort_out(&s);
    ease(&s);
    if (!build(&s, MOST_SCALE)) {
        tear(&s);
        build(&s, 1e6);
    }
    *mesh = (gyre_mesh){s.points, 2 * s.corner_count, s.triangles, s.triangle_count};
    return GYRE_OK;
}
