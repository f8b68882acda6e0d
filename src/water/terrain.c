// water/terrain.c: the bed and the outline of the water: which cells are cut out, which faces are
// shut, where the rules of sides and edges apply; and the slots of tiles.
#include "base/maths.h"
#include "shape/shape.h"
#include "water/water.h"
#include <string.h>

/// What a cell is: water may be there, a wall, or beyond an open or inflow face (the rule's index).
enum { CELL_WATER = -1, CELL_WALL = -2 };

/// Half of a strip that makes waves, in cells.
enum { MAKER = 8 };

static float round_to(double x, float quantum)
{
    double q = (double)quantum, steps = x / q;
    int64_t whole = (int64_t)(steps + (steps < 0.0 ? -0.5 : 0.5));
    return (float)((double)whole * q);
}

float gy_water_level_at(const gyre_water *w)
{
    return round_to((double)w->def->level, w->quantum);
}

static double sample(const gyre_volume *v, double x, double y)
{
    double at[2] = {x, y}, f[2];
    int low[2], high[2];
    for (int a = 0; a < 2; a++) {
        double top = v->n[a] - 1;
        at[a] = at[a] < 0.0 ? 0.0 : at[a] > top ? top : at[a];
        low[a] = GY_MIN((int)at[a], GY_MAX(v->n[a] - 2, 0));
        high[a] = GY_MIN(low[a] + 1, v->n[a] - 1);
        f[a] = at[a] - low[a];
    }
    const float *d = v->data;
    ptrdiff_t n = v->n[0];
    double a = (double)d[low[0] + n * low[1]], b = (double)d[high[0] + n * low[1]];
    double c = (double)d[low[0] + n * high[1]], e = (double)d[high[0] + n * high[1]];
    a += (b - a) * f[0];
    c += (e - c) * f[0];
    return a + (c - a) * f[1];
}

/// A cell of the world along an axis as the def counts them, of a grid that may have moved: round a
/// periodic axis one of the domain's; else `clamp` holds it there.
static int in_def(const gyre_water *w, int axis, int i, bool clamp)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    int n = w->tiles.n[axis], at = i + w->model.place.moved[axis];
    if (at >= 0 && at < n) {
        return at;
    }
    if (sides[2 * axis].rule == GYRE_WATER_PERIODIC) {
        return (at % n + n) % n;
    }
    return clamp ? GY_MAX(0, GY_MIN(at, n - 1)) : at;
}

static double bed_of(const gyre_water *w, int x, int y)
{
    const gyre_water_def *def = w->def;
    const gyre_water_bed *bed = &def->bed;
    const int *n = def->grid.n;
    double h = (double)def->grid.h, height = (double)bed->flat;
    int i = in_def(w, 0, x, false), j = in_def(w, 1, y, false);
    if (bed->data.data && bed->size[0] > 0.0f) {
        double at[2] = {i - w->model.place.based[0] + 0.5, j - w->model.place.based[1] + 0.5};
        for (int a = 0; a < 2; a++) {
            double place = (double)def->grid.origin[a] + at[a] * h - (double)bed->corner[a];
            at[a] = place / (double)bed->size[a] * bed->data.n[a] - 0.5;
        }
        double z = sample(&bed->data, at[0], at[1]);
        height = (double)bed->low + ((double)bed->high - (double)bed->low) * z;
    } else if (bed->data.data) {
        const int *m = bed->data.n;
        double low = (double)bed->low, z;
        z = m[0] == n[0] && m[1] == n[1]
                ? (double)bed->data
                      .data[in_def(w, 0, x, true) + (ptrdiff_t)m[0] * in_def(w, 1, y, true)]
                : sample(&bed->data, (i + 0.5) / n[0] * m[0] - 0.5, (j + 0.5) / n[1] * m[1] - 0.5);
        height = low + ((double)bed->high - low) * z;
    }
    double slope = (double)bed->slope[0] * (i + 0.5) * h + (double)bed->slope[1] * (j + 0.5) * h;
    return height + slope;
}

float gy_water_bed_at(const gyre_water *w, int i, int j)
{
    return round_to(bed_of(w, i, j), w->quantum);
}

static void centre(const gyre_water *w, int i, int j, double point[3])
{
    point[0] = (double)w->grid.origin[0] + (i + 0.5) * (double)w->grid.h;
    point[1] = (double)w->grid.origin[1] + (j + 0.5) * (double)w->grid.h;
    point[2] = 0.0;
}

bool gy_water_is_land(const gyre_water *w, int i, int j)
{
    if (w->def->mode != GYRE_WATER_WAVE) {
        return false;
    }
    // There are no slots yet while it is reckoned how many there shall be.
    int place = 0, slot = w->tiles.slot ? gy_tiles_find(&w->tiles, i, j, &place) : -1;
    if (slot >= 0 && !(gy_tile_flags(&w->tiles, slot)[place] & GY_CELL_CUT)) {
        float bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
        if (bed != gy_water_bed_at(w, i, j)) {
            return bed >= w->def->level; // it was dug, heaped up or written
        }
    }
    return bed_of(w, i, j) >= (double)w->def->level;
}

/// What a mask and edges make of a cell of the domain.
static int kind_cut(const gyre_water *w, int i, int j)
{
    const gyre_water_def *def = w->def;
    const gyre_water_edge *edges = def->edges.items;
    double point[3];
    if (def->mask.data &&
        def->mask.data[in_def(w, 0, i, true) + (ptrdiff_t)def->mask.n[0] * in_def(w, 1, j, true)] <
            0.5f) {
        return CELL_WALL;
    }
    if (def->edges.count > 0) {
        centre(w, i, j, point);
    }
    for (int e = 0; e < def->edges.count; e++) {
        if (edges[e].enabled) {
            gy_solid solid = gy_solid_make(&edges[e].shape, 2);
            if (gy_solid_distance(&solid, point) < 0.0) {
                return edges[e].side.rule >= GYRE_WATER_OPEN ? GY_WATER_SIDES + e : CELL_WALL;
            }
        }
    }
    return CELL_WATER;
}

bool gy_water_is_cut(const gyre_water *w, int i, int j)
{
    return kind_cut(w, i, j) != CELL_WATER;
}

/// What a cell of the domain is.
static int kind_inside(const gyre_water *w, int i, int j)
{
    int kind = kind_cut(w, i, j);
    return kind == CELL_WATER && gy_water_is_land(w, i, j) ? CELL_WALL : kind;
}

/// Whether land may be dug some time.
static bool digs(const gyre_water_def *def)
{
    const gyre_water_uplift *uplifts = def->uplifts.items;
    bool some = false;
    for (int u = 0; u < def->uplifts.count && def->mode == GYRE_WATER_WAVE; u++) {
        int work = uplifts[u].work;
        some = some || work == GYRE_WATER_DIG || work == GYRE_WATER_GRADE ||
               (work == GYRE_WATER_LIFT && uplifts[u].speed < 0.0f);
    }
    return some;
}

bool gy_water_tile_live(const gyre_water *w, int tile)
{
    const gy_tiles *t = &w->tiles;
    bool dug = digs(w->def);
    int x = tile % t->tn[0] * GY_WATER_TILE, y = tile / t->tn[0] * GY_WATER_TILE;
    for (int j = y; j < GY_MIN(y + GY_WATER_TILE, t->n[1]); j++) {
        for (int i = x; i < GY_MIN(x + GY_WATER_TILE, t->n[0]); i++) {
            if ((dug ? kind_cut(w, i, j) : kind_inside(w, i, j)) != CELL_WALL) {
                return true;
            }
        }
    }
    return false;
}

/// What a cell is that may lie beyond the domain.
static int kind_of(const gyre_water *w, int i, int j)
{
    const gyre_water_side *sides = &w->def->sides.x_low;
    int at[2] = {i, j};
    for (int a = 0; a < 2; a++) {
        int n = w->tiles.n[a], side = 2 * a + (at[a] >= n);
        if (at[a] >= 0 && at[a] < n) {
            continue;
        }
        if (sides[side].rule == GYRE_WATER_PERIODIC) {
            at[a] = (at[a] + n) % n;
        } else if (gy_nest_joins(w, side)) {
            return gy_nest_is_open(w, i, j) ? side : CELL_WALL;
        } else {
            return sides[side].rule >= GYRE_WATER_OPEN ? side : CELL_WALL;
        }
    }
    return kind_inside(w, at[0], at[1]);
}

static bool face_is_shut(const gyre_water *w, int a, int b)
{
    if (a == CELL_WATER && b == CELL_WATER) {
        return false;
    }
    // Shallow water meets ghost cells beyond a face with a rule; of linear waves such faces are
    // stepped by themselves.
    return (a != CELL_WATER && b != CELL_WATER) || a == CELL_WALL || b == CELL_WALL ||
           w->def->mode == GYRE_WATER_WAVE;
}

/// Kinds of a tile's cells and of one row round it, so that each is asked for once.
typedef struct kinds {
    int16_t at[GY_WATER_TILE + 2][GY_WATER_TILE + 2];
} kinds;

static void find_kinds(const gyre_water *w, int x, int y, int columns, int rows, kinds *k)
{
    const int *n = w->tiles.n;
    // Nothing is cut out.
    bool whole = !w->def->mask.data && w->def->edges.count == 0 && w->def->mode != GYRE_WATER_WAVE;
    for (int j = -1; j <= rows; j++) {
        for (int i = -1; i <= columns; i++) {
            bool corner = (i < 0 || i == columns) && (j < 0 || j == rows);
            bool inside = x + i >= 0 && y + j >= 0 && x + i < n[0] && y + j < n[1];
            if (whole && inside && !corner) {
                k->at[j + 1][i + 1] = CELL_WATER;
                continue;
            }
            k->at[j + 1][i + 1] = corner ? CELL_WALL : (int16_t)kind_of(w, x + i, y + j);
        }
    }
}

/// What is cut out by a wall stands a little above the level, so that it is seen as one; where the
/// wall is taken away the bed is what it was made as.
static void show_wall(const gyre_water *w, int slot, int i, int j, int kind, int was)
{
    int place = (j & GY_TILE_MASK) * GY_WATER_TILE + (i & GY_TILE_MASK);
    float *bed = &gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place], level = w->def->level;
    if (kind == CELL_WALL && *bed < level) {
        *bed = level + 0.2f * (level - *bed);
    } else if (kind == CELL_WATER && (was & GY_CELL_OUT) &&
               (w->def->mode != GYRE_WATER_WAVE || (was & GY_CELL_CUT))) {
        *bed = gy_water_bed_at(w, i, j);
    }
}

static void flag_tile(gyre_water *w, int slot)
{
    kinds k;
    const gy_tiles *t = &w->tiles;
    int tile = t->tile[slot], x = tile % t->tn[0] * GY_WATER_TILE;
    int y = tile / t->tn[0] * GY_WATER_TILE;
    t->edited[slot] |= GY_TILE_COPY;
    int columns = GY_MIN(GY_WATER_TILE, t->n[0] - x), rows = GY_MIN(GY_WATER_TILE, t->n[1] - y);
    uint8_t *flags = gy_tile_flags(t, slot);
    find_kinds(w, x, y, columns, rows, &k);
    uint8_t was[GY_TILE_AREA];
    memcpy(was, flags, sizeof was);
    memset(flags,
           GY_CELL_OUT | GY_CELL_SHUT_X | GY_CELL_SHUT_Y | GY_CELL_SHUT_HIGH_X |
               GY_CELL_SHUT_HIGH_Y,
           GY_TILE_AREA);
    bool plain = columns == GY_WATER_TILE && rows == GY_WATER_TILE;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            int here = k.at[j + 1][i + 1], f = here == CELL_WATER ? 0 : GY_CELL_OUT;
            f |= face_is_shut(w, k.at[j + 1][i], here) ? GY_CELL_SHUT_X : 0;
            f |= face_is_shut(w, here, k.at[j + 1][i + 2]) ? GY_CELL_SHUT_HIGH_X : 0;
            f |= face_is_shut(w, k.at[j][i + 1], here) ? GY_CELL_SHUT_Y : 0;
            f |= face_is_shut(w, here, k.at[j + 2][i + 1]) ? GY_CELL_SHUT_HIGH_Y : 0;
            bool asks = here != CELL_WATER && w->def->mode == GYRE_WATER_WAVE;
            f |= asks && gy_water_is_cut(w, x + i, y + j) ? GY_CELL_CUT : 0;
            show_wall(w, slot, x + i, y + j, here, was[j * GY_WATER_TILE + i]);
            flags[j * GY_WATER_TILE + i] = (uint8_t)f;
            plain = plain && f == 0;
        }
    }
    w->plain[tile] = plain;
}

static void shut_face(gyre_water *w, int axis, int i, int j)
{
    int place, slot = gy_tiles_find(&w->tiles, i, j, &place);
    if (slot >= 0) {
        gy_tile_flags(&w->tiles, slot)[place] |= axis ? GY_CELL_SHUT_Y : GY_CELL_SHUT_X;
        w->plain[w->tiles.tile[slot]] = 0;
    }
    slot = gy_tiles_find(&w->tiles, i - (axis == 0), j - (axis == 1), &place);
    if (slot >= 0) {
        gy_tile_flags(&w->tiles, slot)[place] |= axis ? GY_CELL_SHUT_HIGH_Y : GY_CELL_SHUT_HIGH_X;
        w->plain[w->tiles.tile[slot]] = 0;
    }
}

/// Whether a gate's face does not touch a tile.
static bool gates_apart(const gy_tiles *t, int tile, const gy_gate_face *face)
{
    int i = face->i, j = face->j, x = i - (face->axis == 0), y = j - (face->axis == 1);
    return (i >> GY_TILE_SHIFT) + t->tn[0] * (j >> GY_TILE_SHIFT) != tile &&
           (x >> GY_TILE_SHIFT) + t->tn[0] * (y >> GY_TILE_SHIFT) != tile;
}

int gy_water_slot(gyre_water *w, int tile)
{
    gy_tiles *t = &w->tiles;
    if (t->slot[tile] >= 0 || !w->live[tile] || t->used == t->slots) {
        return t->slot[tile];
    }
    gy_water_fetch(w);
    int slot = t->used++, x = tile % t->tn[0] * GY_WATER_TILE;
    int y = tile / t->tn[0] * GY_WATER_TILE;
    t->slot[tile] = slot;
    t->tile[slot] = tile;
    t->current[slot] = t->border[slot] = 0;
    t->edited[slot] = GY_TILE_EDITED;
    w->stepping[slot] = 0;
    w->touched[slot] = 0;
    float *bed = gy_tile_array(t, slot, GY_WATER_BED);
    for (int j = 0; j < GY_WATER_TILE; j++) {
        for (int i = 0; i < GY_WATER_TILE; i++) {
            int a = GY_MIN(x + i, t->n[0] - 1), b = GY_MIN(y + j, t->n[1] - 1);
            bed[j * GY_WATER_TILE + i] = gy_water_bed_at(w, a, b);
        }
    }
    flag_tile(w, slot);
    const gy_gate_face *gates = w->gates.items;
    for (int g = 0; g < w->gates.count; g++) {
        if (!gates_apart(t, tile, &gates[g])) {
            shut_face(w, gates[g].axis, gates[g].i, gates[g].j);
        }
    }
    return slot;
}

/// Pours water into a cell: up to `level`.
static void pour(const gyre_water *w, int slot, int place, float level)
{
    float bed = gy_tile_array(&w->tiles, slot, GY_WATER_BED)[place];
    float *depth = &gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place];
    float more = round_to((double)level, w->quantum) - bed;
    *depth = GY_MAX(*depth, more);
}

/// Fills the lake round a point: a flood over cells that lie below its level.
static void fill_lake(gyre_water *w, const gyre_water_lake *lake, int32_t *queue, uint8_t *seen)
{
    const gyre_grid *g = &w->grid;
    int nx = w->tiles.n[0], ny = w->tiles.n[1], head = 0, tail = 0;
    double x = ((double)lake->point[0] - (double)g->origin[0]) / (double)g->h;
    double y = ((double)lake->point[1] - (double)g->origin[1]) / (double)g->h;
    if (!(x >= 0.0 && y >= 0.0 && x < nx && y < ny)) {
        return;
    }
    memset(seen, 0, (size_t)nx * (size_t)ny);
    queue[tail++] = (int)x + nx * (int)y;
    seen[queue[0]] = 1;
    while (head < tail) {
        int at = queue[head++], i = at % nx, j = at / nx, place;
        if (kind_inside(w, i, j) != CELL_WATER || bed_of(w, i, j) >= (double)lake->level) {
            continue;
        }
        int tile = (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT);
        if (gy_water_slot(w, tile) >= 0) {
            int slot = gy_tiles_find(&w->tiles, i, j, &place);
            pour(w, slot, place, lake->level);
        }
        const int to[4][2] = {{i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}};
        for (int q = 0; q < 4; q++) {
            int a = to[q][0], b = to[q][1];
            if (a >= 0 && b >= 0 && a < nx && b < ny && !seen[a + nx * b]) {
                seen[a + nx * b] = 1;
                queue[tail++] = a + nx * b;
            }
        }
    }
}

static gyre_result fill_lakes(gyre_water *w)
{
    const gyre_water_lake *lakes = w->def->lakes.items;
    size_t cells = (size_t)w->tiles.n[0] * (size_t)w->tiles.n[1];
    if (w->def->lakes.count == 0 || w->def->mode == GYRE_WATER_WAVE) {
        return GYRE_OK;
    }
    char *memory = gy_allocate(&w->host, cells * 5, 64);
    if (!memory) {
        return gyre_fail(GYRE_ERROR_MEMORY, "water: %zu bytes to fill lakes are not there",
                         cells * 5);
    }
    for (int i = 0; i < w->def->lakes.count; i++) {
        fill_lake(w, &lakes[i], (int32_t *)(void *)memory, (uint8_t *)memory + cells * 4);
    }
    gy_release(&w->host, memory, cells * 5);
    return GYRE_OK;
}

/// Fills the cells inside a shape to its level; of linear waves the surface stands there.
static void fill_block(gyre_water *w, const gyre_water_block *block)
{
    gy_solid solid = gy_solid_make(&block->shape, 2);
    bool wave = w->def->mode == GYRE_WATER_WAVE;
    for (int j = 0; j < w->tiles.n[1]; j++) {
        for (int i = 0; i < w->tiles.n[0]; i++) {
            double point[3];
            int place;
            centre(w, i, j, point);
            if (gy_solid_distance(&solid, point) >= 0.0 || kind_inside(w, i, j) != CELL_WATER ||
                (!wave && bed_of(w, i, j) >= (double)block->level)) {
                continue;
            }
            gy_water_slot(w, (i >> GY_TILE_SHIFT) + w->tiles.tn[0] * (j >> GY_TILE_SHIFT));
            int slot = gy_tiles_find(&w->tiles, i, j, &place);
            if (slot >= 0 && wave) {
                gy_tile_edit(&w->tiles, slot, GY_WATER_DEPTH)[place] =
                    round_to((double)block->level - (double)w->def->level, w->quantum);
            } else if (slot >= 0) {
                pour(w, slot, place, block->level);
            }
        }
    }
}

gyre_result gy_water_fill(gyre_water *w)
{
    const gyre_water_def *def = w->def;
    const gy_tiles *t = &w->tiles;
    bool wave = def->mode == GYRE_WATER_WAVE;
    for (int tile = 0; tile < t->tn[0] * t->tn[1]; tile++) {
        int x = tile % t->tn[0] * GY_WATER_TILE, y = tile / t->tn[0] * GY_WATER_TILE;
        bool wet = wave || def->tiles == 0;
        if (!w->live[tile] || (!def->fill && !wave && def->lakes.count == 0 && def->tiles > 0)) {
            continue;
        }
        for (int j = y; j < GY_MIN(y + GY_WATER_TILE, t->n[1]) && !wet; j++) {
            for (int i = x; i < GY_MIN(x + GY_WATER_TILE, t->n[0]) && !wet; i++) {
                wet = def->fill && bed_of(w, i, j) < (double)def->level;
            }
        }
        int slot = wet ? gy_water_slot(w, tile) : -1;
        if (slot < 0 || wave || !def->fill) {
            continue;
        }
        const uint8_t *flags = gy_tile_flags(t, slot);
        for (int at = 0; at < GY_TILE_AREA; at++) {
            if (!(flags[at] & GY_CELL_OUT)) {
                pour(w, slot, at, def->level);
            }
        }
    }
    const gyre_water_block *blocks = def->blocks.items;
    for (int b = 0; b < def->blocks.count; b++) {
        fill_block(w, &blocks[b]);
    }
    return fill_lakes(w);
}

// ---- what is stepped by itself

static gyre_result add_faces(gyre_water *w, int tile, const kinds *k, int columns, int rows)
{
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            const int round[4] = {k->at[j + 1][i], k->at[j + 1][i + 2], k->at[j][i + 1],
                                  k->at[j + 2][i + 1]};
            for (int q = 0; q < 4 && k->at[j + 1][i + 1] == CELL_WATER; q++) {
                if (round[q] < 0) {
                    continue;
                }
                gyre_result r =
                    gy_list_reserve(w, &w->faces, w->faces.count + 1, sizeof(gy_water_face));
                if (r != GYRE_OK) {
                    return r;
                }
                ((gy_water_face *)w->faces.items)[w->faces.count++] =
                    (gy_water_face){tile, (int16_t)i, (int16_t)j, (int16_t)round[q], (int16_t)q, 0};
            }
        }
    }
    return GYRE_OK;
}

static gyre_result find_faces(gyre_water *w)
{
    const gy_tiles *t = &w->tiles;
    gyre_result r = GYRE_OK;
    w->faces.count = 0;
    bool any = w->def->edges.count > 0;
    for (int tile = 0; tile < t->tn[0] * t->tn[1]; tile++) {
        kinds k;
        int x = tile % t->tn[0] * GY_WATER_TILE, y = tile / t->tn[0] * GY_WATER_TILE;
        int columns = GY_MIN(GY_WATER_TILE, t->n[0] - x), rows = GY_MIN(GY_WATER_TILE, t->n[1] - y);
        w->first_face[tile] = w->faces.count;
        bool rim = x == 0 || y == 0 || x + columns == t->n[0] || y + rows == t->n[1];
        if (r == GYRE_OK && w->live[tile] && (any || rim)) {
            find_kinds(w, x, y, columns, rows, &k);
            r = add_faces(w, tile, &k, columns, rows);
        }
    }
    w->first_face[t->tn[0] * t->tn[1]] = w->faces.count;
    return r == GYRE_OK ? gy_water_device_rules(w) : r;
}

static gyre_result add_gate_face(gyre_water *w, int gate, int axis, int i, int j)
{
    if (i < (axis == 0) || j < (axis == 1) || i >= w->tiles.n[0] || j >= w->tiles.n[1] ||
        kind_of(w, i, j) != CELL_WATER ||
        kind_of(w, i - (axis == 0), j - (axis == 1)) != CELL_WATER) {
        return GYRE_OK;
    }
    gyre_result r = gy_list_reserve(w, &w->gates, w->gates.count + 1, sizeof(gy_gate_face));
    if (r == GYRE_OK) {
        ((gy_gate_face *)w->gates.items)[w->gates.count++] = (gy_gate_face){gate, i, j, axis};
        shut_face(w, axis, i, j);
    }
    return r;
}

/// The corners of cells from the one nearest to `from` to the one nearest to `to`, step by step
/// along the sides of cells.
static gyre_result find_gate(gyre_water *w, int index, const gyre_water_gate *gate)
{
    const gyre_grid *g = &w->grid;
    int at[2], end[2], step[2];
    double start[2], slope[2];
    for (int a = 0; a < 2; a++) {
        double from = ((double)gate->from[a] - (double)g->origin[a]) / (double)g->h;
        double to = ((double)gate->to[a] - (double)g->origin[a]) / (double)g->h;
        from = from < -1.0 ? -1.0 : from > g->n[a] + 1.0 ? g->n[a] + 1.0 : from;
        to = to < -1.0 ? -1.0 : to > g->n[a] + 1.0 ? g->n[a] + 1.0 : to;
        at[a] = (int)(from + 1.5) - 1;
        end[a] = (int)(to + 1.5) - 1;
        start[a] = at[a];
        slope[a] = end[a] - at[a];
        step[a] = end[a] > at[a] ? 1 : -1;
    }
    gyre_result r = GYRE_OK;
    while ((at[0] != end[0] || at[1] != end[1]) && r == GYRE_OK) {
        // The one of both steps that stays nearer to the line.
        double off[2];
        for (int a = 0; a < 2; a++) {
            double p[2] = {at[0] - start[0], at[1] - start[1]};
            p[a] += step[a];
            double cross = p[0] * slope[1] - p[1] * slope[0];
            off[a] = at[a] == end[a] ? 1e30 : cross < 0.0 ? -cross : cross;
        }
        int a = off[0] <= off[1] ? 0 : 1;
        int low = step[a] > 0 ? at[a] : at[a] - 1;
        r = a == 0 ? add_gate_face(w, index, 1, low, at[1])
                   : add_gate_face(w, index, 0, at[0], low);
        at[a] += step[a];
    }
    return r;
}

/// How strongly a cell at distance d from the end of an absorbing layer of width `layer` is
/// damped: a cubic profile that leaves 1e-4 of a wave that goes through it and back.
static float layer_rate(double d, double layer, double speed)
{
    double x = 1.0 - d / layer;
    return d < layer && layer > 0.0 ? (float)(4.0 * 9.2 / (2.0 * layer) * speed * x * x * x) : 0.0f;
}

static gyre_result add_layer(gyre_water *w, int i, int j, int rule, float rate)
{
    gyre_result r = gy_list_reserve(w, &w->layers, w->layers.count + 1, sizeof(gy_layer_cell));
    if (r == GYRE_OK) {
        ((gy_layer_cell *)w->layers.items)[w->layers.count++] = (gy_layer_cell){i, j, rule, rate};
    }
    return r;
}

static gyre_result add_maker(gyre_water *w, const gy_maker_cell *cell)
{
    gyre_result r = gy_list_reserve(w, &w->makers, w->makers.count + 1, sizeof(gy_maker_cell));
    if (r == GYRE_OK) {
        ((gy_maker_cell *)w->makers.items)[w->makers.count++] = *cell;
    }
    return r;
}

/// The way in from a side, or from an edge, of which `solid` is the shape.
static void inwards(int rule, const gy_solid *solid, const double point[3], double h, float to[2])
{
    double by[2] = {0.0, 0.0};
    for (int a = 0; a < 2 && rule >= GY_WATER_SIDES; a++) {
        double low[3] = {point[0], point[1], point[2]}, high[3] = {point[0], point[1], point[2]};
        low[a] -= 0.5 * h;
        high[a] += 0.5 * h;
        by[a] = gy_solid_distance(solid, high) - gy_solid_distance(solid, low);
    }
    double size = __builtin_sqrt(by[0] * by[0] + by[1] * by[1]);
    for (int a = 0; a < 2; a++) {
        double side = rule / 2 == a ? (rule % 2 ? -1.0 : 1.0) : 0.0;
        to[a] = (float)(rule < GY_WATER_SIDES ? side : size > 0.0 ? by[a] / size : 0.0);
    }
}

/// The deepest that water at rest can be in some cells. What the def says of the bed where it is
/// flat, so that a slope or rounding changes nothing.
static float deepest(const gyre_water *w, const int low[2], const int high[2])
{
    const gyre_water_def *def = w->def;
    float bed = def->bed.flat;
    if (def->bed.data.data) {
        bed = 1e30f;
        for (int j = low[1]; j < high[1]; j++) {
            for (int i = low[0]; i < high[0]; i++) {
                bed = GY_MIN(bed, gy_water_bed_at(w, i, j));
            }
        }
    }
    return GY_MAX(def->level - bed, 0.1f);
}

static gyre_result find_layer(gyre_water *w, int rule)
{
    const gyre_water_def *def = w->def;
    const gyre_water_side *side = gy_water_rule(w, rule);
    bool dispersive = def->mode == GYRE_WATER_DISPERSIVE;
    bool makes = dispersive && side->rule == GYRE_WATER_INFLOW && side->inflow == GYRE_WATER_WAVES;
    bool open = side->rule == GYRE_WATER_OPEN && (side->absorber == GYRE_WATER_LAYER || dispersive);
    if (!open && !makes) {
        return GYRE_OK;
    }
    double layer = (double)side->layer, h = (double)def->grid.h, speed = (double)def->wave_speed;
    if (dispersive) {
        // Its short waves know no other way out. The speed is that of waves as long as the layer.
        layer = layer > 16.0 * h ? layer : 16.0 * h;
        speed = (double)gy_sqrtf(def->gravity * (float)layer * 0.15915494f);
    }
    gy_solid solid = {0};
    if (rule >= GY_WATER_SIDES) {
        const gyre_water_edge *edges = def->edges.items;
        solid = gy_solid_make(&edges[rule - GY_WATER_SIDES].shape, 2);
    }
    int low[2] = {0, 0}, high[2] = {w->tiles.n[0], w->tiles.n[1]}, reach = (int)(layer / h) + 1;
    reach += makes ? 2 * MAKER : 0;
    if (rule < GY_WATER_SIDES) {
        int a = rule / 2, n = w->tiles.n[a];
        low[a] = rule % 2 ? GY_MAX(n - reach, 0) : 0;
        high[a] = rule % 2 ? n : GY_MIN(reach, n);
    }
    if (def->mode == GYRE_WATER_SHALLOW) {
        speed = (double)gy_sqrtf(def->gravity * deepest(w, low, high));
    }
    gyre_result r = GYRE_OK;
    for (int j = low[1]; j < high[1] && r == GYRE_OK; j++) {
        for (int i = low[0]; i < high[0] && r == GYRE_OK; i++) {
            double point[3], d;
            centre(w, i, j, point);
            int at = rule / 2 ? j : i, n = w->tiles.n[rule < GY_WATER_SIDES ? rule / 2 : 0];
            d = rule >= GY_WATER_SIDES ? gy_solid_distance(&solid, point)
                                       : (rule % 2 ? n - 1 - at + 0.5 : at + 0.5) * h;
            float rate = layer_rate(d, layer, speed);
            if (rate > 0.0f && d > 0.0 && kind_inside(w, i, j) == CELL_WATER) {
                r = add_layer(w, i, j, rule, rate);
            }
            if (makes && d >= layer && d < layer + 2 * MAKER * h &&
                kind_inside(w, i, j) == CELL_WATER) {
                gy_maker_cell cell = {.i = i, .j = j, .rule = rule};
                cell.middle = (float)(layer + MAKER * h);
                cell.at = (float)(d - layer - MAKER * h);
                inwards(rule, &solid, point, h, cell.in);
                r = add_maker(w, &cell);
            }
        }
    }
    return r;
}

gyre_result gy_water_shape(gyre_water *w)
{
    const gyre_water_def *def = w->def;
    const gyre_water_gate *gates = def->gates.items;
    const gyre_water_edge *edges = def->edges.items;
    gyre_result r = GYRE_OK;
    gy_water_fetch(w);
    for (int slot = 0; slot < w->tiles.used; slot++) {
        flag_tile(w, slot);
        gy_water_touch(w, slot);
    }
    r = find_faces(w);
    w->gates.count = w->layers.count = w->makers.count = 0;
    for (int g = 0; g < def->gates.count && r == GYRE_OK; g++) {
        r = gates[g].enabled ? find_gate(w, g, &gates[g]) : GYRE_OK;
    }
    for (int rule = 0; rule < GY_WATER_SIDES + def->edges.count && r == GYRE_OK; rule++) {
        bool counts = rule < GY_WATER_SIDES || edges[rule - GY_WATER_SIDES].enabled;
        r = counts ? find_layer(w, rule) : GYRE_OK;
    }
    const gyre_water_side *sides = &def->sides.x_low;
    float *at = w->ghosts;
    gy_water_join_bodies(w);
    for (int q = 0; q < GY_WATER_SIDES; q++) {
        int length = w->tiles.n[1 - q / 2];
        bool has = sides[q].rule >= GYRE_WATER_OPEN && def->mode != GYRE_WATER_WAVE;
        w->ghost[q] = gy_nest_joins(w, q) ? gy_nest_ghost(w, q)
                                          : (gy_water_ghost){has ? at : NULL, length, 1};
        at += 4 * length;
    }
    return r;
}
