// water/ops/dust.c: particles afloat on water.
//
//     x' = x + dt u(x + dt/2 u(x))
//
// the midpoint rule (RK2), u the velocity q / depth of cells, linear between their centres, 0 where
// it is dry; a step carries half of dt by the flow before and half by the flow after it, which is
// second order in dt. z is the surface's height there. Walls and faces that are shut hold a
// particle, which slides along them; periodic sides wrap it; it is gone beyond other sides, where
// it is dry, and when it is too old (GY_PARTICLE_GONE). Costs twelve looks at a cell.
//
// VW particles go together. As they are sorted by cell, what they look at lies in a few rows of VW
// cells as a rule: those are worked out once, and each lane picks its own. Where a row crosses from
// tile to tile it is copied together first; where the points lie further apart their cells are
// gathered. All of these are the same numbers. A lane that leaves its cell is looked at by itself
// where a face may be shut: in tiles that have a flag set, and from tile to tile.
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
    float depth, q[2], bed;
    uint8_t flags;
} flow_cell;

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
    c.bed = gy_tile_array(&a->tiles, slot, GY_WATER_BED)[place];
    c.flags = gy_tile_flags(&a->tiles, slot)[place];
    c.depth = gy_tile_state(&a->tiles, slot, GY_WATER_DEPTH)[place];
    c.depth = a->wave ? a->level + c.depth - c.bed : c.depth;
    for (int d = 0; d < 2; d++) {
        float q = gy_tile_state(&a->tiles, slot, GY_WATER_QX + d)[place];
        c.q[d] = a->wave ? 0.5f * (q + high_face(a, d, i, j)) : q;
    }
    return c;
}

// ---- at shut faces, one particle at a time

static uint8_t flags_at(const gy_dust_job *a, const int cell[2])
{
    int place, slot = gy_tiles_find(&a->tiles, cell[0], cell[1], &place);
    return slot < 0 ? GY_CELL_OUT : gy_tile_flags(&a->tiles, slot)[place];
}

/// Whether nothing passes the low (high) face of a cell.
static bool is_shut(const gy_dust_job *a, int axis, const int cell[2], bool high)
{
    int at[2] = {cell[0], cell[1]}, other[2] = {cell[0], cell[1]};
    other[axis] = along(a, axis, cell[axis] + (high ? 1 : -1));
    uint8_t shut = axis == 0 ? GY_CELL_SHUT_X : GY_CELL_SHUT_Y;
    uint8_t there = flags_at(a, other), owner = high ? there : flags_at(a, at);
    return (owner & shut) || (there & GY_CELL_OUT);
}

/// Holds `to` before the first shut face on the way, axis by axis.
static GY_NOINLINE void hold(const gy_dust_job *a, const float from[2], float to[2])
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

// ---- what cells tell of VW points

enum { SEEN = 64 };

typedef uint8_t bytes_of_row __attribute__((vector_size(VW)));

typedef struct dust {
    const gy_dust_job *a;
    float *x[3], *age;
    int seen[SEEN]; // slot + 1 of a tile whose flags have been looked through
    bool plain[SEEN];
} dust;

/// What is asked of a cell: its velocity, or its surface and all bits where it is wet; 0 where it
/// is dry.
typedef struct answer {
    vf first, second;
} answer;

GY_INLINE answer answer_of(const gy_dust_job *a, bool heights, vf depth, const vf q[2], vf bed,
                           vi out)
{
    vi wet = (vi)(depth > a->dry) & ~out;
    if (heights) {
        return (answer){(vf)(wet & (vi)(bed + depth)), (vf)wet};
    }
    vf speed[2], divisor = gy_select(wet, depth, gy_splat(1.0f));
    for (int d = 0; d < 2; d++) {
        speed[d] = gy_clamp(q[d] / divisor, gy_splat(-a->cap), gy_splat(a->cap));
        speed[d] = (vf)(wet & (vi)speed[d]);
    }
    return (answer){speed[0], speed[1]};
}

/// Whether no cell of a tile has a flag.
static GY_NOINLINE bool look_through(dust *t, int slot)
{
    const uint8_t *flags = gy_tile_flags(&t->a->tiles, slot);
    uint64_t all = 0;
    for (int i = 0; i < GY_TILE_AREA; i += 8) {
        uint64_t eight;
        memcpy(&eight, flags + i, sizeof eight);
        all |= eight;
    }
    t->seen[slot % SEEN] = slot + 1;
    t->plain[slot % SEEN] = all == 0;
    return all == 0;
}

GY_INLINE bool is_plain(dust *t, int slot)
{
    return t->seen[slot % SEEN] == slot + 1 ? t->plain[slot % SEEN] : look_through(t, slot);
}

/// The tiles that hold cells k to k + reach of each lane, inside the domain.
typedef struct homes {
    const float *memory; // of all lanes: a slot, or the first
    vi slot, fixed;      // of each lane; what of it does not change: floats beyond `memory`
    vi state;            // the same of the newer state
    vi odd;              // in no one tile, or without memory: cell 0 of a slot stands for it
    bool plain;          // all of them are
} homes;

enum { SLOT_FLOATS = GY_SLOT_BYTES / 4, STATE_FLOATS = GY_WATER_STATE * GY_ARRAY_STEP };

/// Lane by lane.
static GY_NOINLINE void find_each(dust *t, const vi k[2], int reach, homes *h)
{
    const gy_tiles *s = &t->a->tiles;
    h->plain = true;
    for (int l = 0; l < VW; l++) {
        int i = k[0][l], j = k[1][l], place;
        bool whole = i >= 0 && j >= 0 && i + reach < s->n[0] && j + reach < s->n[1] &&
                     ((i ^ (i + reach)) | (j ^ (j + reach))) < GY_WATER_TILE;
        int slot = whole ? gy_tiles_find(s, i, j, &place) : -1;
        // Beyond so many slots an int does not reach.
        slot = slot < INT32_MAX / SLOT_FLOATS ? slot : -1;
        h->odd[l] = slot < 0 ? -1 : 0;
        h->slot[l] = slot;
        h->fixed[l] = slot < 0 ? 0 : slot * SLOT_FLOATS;
        h->state[l] = slot < 0 ? 0 : h->fixed[l] + s->current[slot] * STATE_FLOATS;
        h->plain = h->plain && (slot < 0 || is_plain(t, slot));
    }
    h->memory = (const float *)(const void *)s->memory;
}

/// The slot of the tile that holds them all; -1 where there is none.
GY_INLINE int find_one(const dust *t, const vi k[2], int reach)
{
    const gy_tiles *s = &t->a->tiles;
    int at[2] = {k[0][0] >> GY_TILE_SHIFT, k[1][0] >> GY_TILE_SHIFT};
    vi other = gy_splat_int(0);
    for (int d = 0; d < 2; d++) {
        int low = at[d] * GY_WATER_TILE, high = low + GY_TILE_MASK;
        high = (high < s->n[d] ? high : s->n[d] - 1) - reach;
        other |= (vi)(k[d] < low) | (vi)(k[d] > high);
    }
    bool one = !gy_any(other) && at[0] >= 0 && at[1] >= 0;
    return one ? s->slot[at[0] + s->tn[0] * at[1]] : -1;
}

GY_INLINE homes find(dust *t, const vi k[2], int reach)
{
    const gy_tiles *s = &t->a->tiles;
    int slot = find_one(t, k, reach);
    homes h;
    if (slot < 0) {
        homes each;
        find_each(t, k, reach, &each);
        h = each;
    } else {
        h.memory = gy_tile_array(s, slot, 0);
        h.slot = gy_splat_int(slot);
        h.fixed = h.odd = gy_splat_int(0);
        h.state = gy_splat_int(s->current[slot] * STATE_FLOATS);
        h.plain = is_plain(t, slot);
    }
    return h;
}

/// The places of cells in each array of their tiles; 0 of odd lanes.
GY_INLINE vi place_of(const homes *h, const vi k[2])
{
    return ((k[1] & GY_TILE_MASK) * GY_WATER_TILE + (k[0] & GY_TILE_MASK)) & ~h->odd;
}

/// Where cells are out of the domain.
static GY_NOINLINE vi out_in(const float *memory, vi fixed, vi place)
{
    vi out = gy_splat_int(0);
    for (int l = 0; l < VW; l++) {
        const float *flags = memory + fixed[l] + GY_WATER_ARRAYS * GY_ARRAY_STEP;
        out[l] = ((const uint8_t *)flags)[place[l]] & GY_CELL_OUT ? -1 : 0;
    }
    return out;
}

/// Of one of the four cells round each point, q: 1 is the next along x, 2 along y.
typedef struct raw {
    vf depth, q[2], bed;
    vi out;
} raw;

/// Cell by cell, wherever they are.
static GY_NOINLINE void fetch(const dust *t, const vi k[2], vi odd, int q, raw *r)
{
    for (int l = 0; l < VW; l++) {
        if (odd[l]) {
            int i = along(t->a, 0, k[0][l] + (q & 1)), j = along(t->a, 1, k[1][l] + (q >> 1));
            flow_cell cell = look(t->a, i, j);
            r->depth[l] = cell.depth;
            r->q[0][l] = cell.q[0];
            r->q[1][l] = cell.q[1];
            r->bed[l] = cell.bed;
            r->out[l] = cell.flags & GY_CELL_OUT ? -1 : 0;
        }
    }
}

/// Of two neighbours along x, the second `row` rows up, by the arrays of tiles.
GY_INLINE void gather(const gy_dust_job *a, const homes *h, const vi k[2], int row, raw r[2])
{
    const float *depth = h->memory, *bed = depth + GY_WATER_BED * GY_ARRAY_STEP;
    const float *qx = depth + GY_ARRAY_STEP, *qy = qx + GY_ARRAY_STEP;
    vi place = place_of(h, k) + row * GY_WATER_TILE, at = place + h->state;
    vf last, up[2];
    gy_gather_pair(depth, at, &r[0].depth, &r[1].depth);
    gy_gather_pair(bed, place + h->fixed, &r[0].bed, &r[1].bed);
    gy_gather_pair(qx, at, &r[0].q[0], &r[1].q[0]);
    gy_gather_pair(qy, at, &r[0].q[1], &r[1].q[1]);
    if (a->wave) {
        last = gy_gather(qx, at + 2);
        gy_gather_pair(qy, at + GY_WATER_TILE, &up[0], &up[1]);
        r[0].q[0] = 0.5f * (r[0].q[0] + r[1].q[0]);
        r[1].q[0] = 0.5f * (r[1].q[0] + last);
    }
    for (int c = 0; c < 2; c++) {
        if (a->wave) {
            r[c].q[1] = 0.5f * (r[c].q[1] + up[c]);
            r[c].depth = a->level + r[c].depth - r[c].bed;
        }
        r[c].out = h->plain ? gy_splat_int(0) : out_in(h->memory, h->fixed, place + c);
    }
}

/// VW cells of a row. `of`: their depth, bed, discharge along x and that of their higher faces, the
/// same along y; flags: NULL where none has any.
GY_INLINE answer ask_row(const gy_dust_job *a, bool wave, bool heights, const float *const of[6],
                         const uint8_t *flags)
{
    vf q[2] = {gy_splat(0.0f), gy_splat(0.0f)}, bed = q[0], depth = gy_load(of[0]);
    vi out = gy_splat_int(0);
    if (wave || heights) {
        bed = gy_load(of[1]);
    }
    if (wave) {
        depth = a->level + depth - bed;
    }
    for (int d = 0; d < 2 && !heights; d++) {
        q[d] = gy_load(of[2 + 2 * d]);
        if (wave) {
            q[d] = 0.5f * (q[d] + gy_load(of[3 + 2 * d]));
        }
    }
    if (flags) {
        bytes_of_row bytes;
        memcpy(&bytes, flags, sizeof bytes);
        out = (vi)((__builtin_convertvector(bytes, vi) & GY_CELL_OUT) != 0);
    }
    return answer_of(a, heights, depth, q, bed, out);
}

/// A row of VW cells anywhere, as arrays of a tile have it: the higher faces of its cells stand in
/// `high`.
typedef struct strip {
    float depth[VW], q[2][VW], high[2][VW], bed[VW];
    uint8_t flags[VW];
} strip;

/// Copies cells i to i + VW - 1 of row j out of their tiles.
static void copy_row(const gy_dust_job *a, int first, int row, strip *r)
{
    const gy_tiles *s = &a->tiles;
    int j = along(a, 1, row), run;
    memset(r, 0, sizeof *r);
    for (int c = 0; c < VW; c += run) {
        int i = along(a, 0, first + c), place, slot = gy_tiles_find(s, i, j, &place);
        int here = first + c, left = GY_MIN(GY_WATER_TILE - (i & GY_TILE_MASK), s->n[0] - i);
        // Beyond a side that is not periodic stands the last cell, again and again.
        bool repeats = !(a->periodic & 1u) && (here < 0 || here >= s->n[0]);
        run = repeats ? 1 : GY_MIN(left, VW - c);
        if (slot < 0) {
            memset(r->flags + c, GY_CELL_OUT, (size_t)run);
            continue;
        }
        size_t bytes = (size_t)run * sizeof(float);
        memcpy(r->depth + c, gy_tile_state(s, slot, GY_WATER_DEPTH) + place, bytes);
        memcpy(r->bed + c, gy_tile_array(s, slot, GY_WATER_BED) + place, bytes);
        memcpy(r->flags + c, gy_tile_flags(s, slot) + place, (size_t)run);
        for (int d = 0; d < 2; d++) {
            memcpy(r->q[d] + c, gy_tile_state(s, slot, GY_WATER_QX + d) + place, bytes);
        }
        if (a->wave) {
            memcpy(r->high[0] + c, r->q[0] + c + 1, bytes - sizeof(float));
            r->high[0][c + run - 1] = high_face(a, 0, i + run - 1, j);
            bool inside = j + 1 < s->n[1] || (a->periodic & 2u);
            slot = inside ? gy_tiles_find(s, i, along(a, 1, j + 1), &place) : -1;
            if (slot >= 0) {
                memcpy(r->high[1] + c, gy_tile_state(s, slot, GY_WATER_QY) + place, bytes);
            }
        }
    }
}

/// Cells to the left of the first lane's that are looked at, too.
enum { LEFT = VW == 16 ? 4 : 2 };

/// The first of VW columns that hold cells k and k + 1 of all lanes, which lie in three rows: -1, 0
/// and 1 of the first lane's; INT32_MIN: they do not.
GY_INLINE int columns_of(const vi k[2])
{
    int start = k[0][0] - LEFT;
    vi column = k[0] - start, row = k[1] - k[1][0];
    vi beyond = (vi)(column < 0) | (vi)(column > VW - 2) | (vi)(row < -1) | (vi)(row > 1);
    return GY_PERMUTES && !gy_any(beyond) ? start : INT32_MIN;
}

/// The cells round points that lie so: of each row that they lie in all VW cells are asked, of
/// which each lane picks two. From the arrays of a tile, or, without a slot, copied together.
GY_INLINE void ask_rows(dust *t, bool wave, bool heights, int slot, int start, const vi k[2],
                        answer to[4])
{
    const gy_tiles *s = &t->a->tiles;
    int middle = k[1][0];
    vi column = k[0] - start, row = k[1] - middle;
    int low = gy_any((vi)(row < 0)) ? -1 : 0, high = gy_any((vi)(row > 0)) ? 2 : 1;
    for (int q = 0; q < 4; q++) {
        to[q] = (answer){gy_splat(0.0f), gy_splat(0.0f)};
    }
    for (int r = low; r <= high; r++) {
        answer all;
        if (slot >= 0) {
            int at = ((middle + r) & GY_TILE_MASK) * GY_WATER_TILE + (start & GY_TILE_MASK);
            const float *state = gy_tile_state(s, slot, GY_WATER_DEPTH) + at;
            const float *x = state + GY_ARRAY_STEP, *y = x + GY_ARRAY_STEP;
            const float *of[] = {
                state, gy_tile_array(s, slot, GY_WATER_BED) + at, x, x + 1, y, y + GY_WATER_TILE};
            all = ask_row(t->a, wave, heights, of,
                          is_plain(t, slot) ? NULL : gy_tile_flags(s, slot) + at);
        } else {
            strip copy;
            copy_row(t->a, start, middle + r, &copy);
            const float *of[] = {copy.depth,   copy.bed,  copy.q[0],
                                 copy.high[0], copy.q[1], copy.high[1]};
            all = ask_row(t->a, wave, heights, of, copy.flags);
        }
        vi mine[2] = {(vi)(row == r), (vi)(row == r - 1)};
        for (int c = 0; c < 2; c++) {
            vf first = gy_permute(all.first, column + c);
            vf second = gy_permute(all.second, column + c);
            for (int q = c; q < 4; q += 2) {
                to[q].first = gy_select(mine[q >> 1], first, to[q].first);
                to[q].second = gy_select(mine[q >> 1], second, to[q].second);
            }
        }
    }
}

/// The cells round points that may lie anywhere.
static GY_NOINLINE void ask_apart(dust *t, bool heights, const vi k[2], answer to[4])
{
    int start = columns_of(k);
    if (start != INT32_MIN) {
        ask_rows(t, t->a->wave, heights, -1, start, k, to);
        return;
    }
    homes h = find(t, k, t->a->wave ? 2 : 1);
    for (int row = 0; row < 2; row++) {
        raw r[2];
        gather(t->a, &h, k, row, r);
        for (int c = 0; c < 2; c++) {
            int q = 2 * row + c;
            if (gy_any(h.odd)) {
                fetch(t, k, h.odd, q, &r[c]);
            }
            to[q] = answer_of(t->a, heights, r[c].depth, r[c].q, r[c].bed, r[c].out);
        }
    }
}

GY_INLINE void ask(dust *t, bool wave, bool heights, const vi k[2], answer to[4])
{
    int slot = find_one(t, k, wave ? 2 : 1), start = columns_of(k);
    // Not from the row before.
    start = start < 0 || (start & GY_TILE_MASK) > (k[0][0] & GY_TILE_MASK) ? -1 : start;
    if (slot >= 0 && start >= 0) {
        ask_rows(t, wave, heights, slot, start, k, to);
    } else {
        answer apart[4]; // so that `to` need not be in memory
        ask_apart(t, heights, k, apart);
        memcpy(to, apart, sizeof apart);
    }
}

/// The cell low of a point's, and how far the point is from its centre.
GY_INLINE void corner_of(const vf c[2], vi k[2], vf f[2])
{
    for (int d = 0; d < 2; d++) {
        vf x = c[d] - 0.5f;
        k[d] = gy_floor_int(x);
        f[d] = x - gy_to_float(k[d]);
    }
}

GY_INLINE vf weight_of(const vf f[2], int q)
{
    return (q & 1 ? f[0] : 1.0f - f[0]) * (q >> 1 ? f[1] : 1.0f - f[1]);
}

/// The velocity at points in cells.
GY_INLINE void velocity_at(dust *t, bool wave, const vf c[2], vf u[2])
{
    vi k[2];
    vf f[2];
    answer r[4];
    corner_of(c, k, f);
    ask(t, wave, false, k, r);
    u[0] = u[1] = gy_splat(0.0f);
    for (int q = 0; q < 4; q++) {
        vf w = weight_of(f, q);
        u[0] += w * r[q].first;
        u[1] += w * r[q].second;
    }
}

/// The height of the surface at points in cells, by the wet cells round them; where the cell that
/// a point lies in is dry.
GY_INLINE vf height_at(dust *t, bool wave, const vf c[2], vi *dry)
{
    vi k[2];
    vf f[2], sum = gy_splat(0.0f), weight = sum;
    answer r[4];
    corner_of(c, k, f);
    ask(t, wave, true, k, r);
    vi right = (vi)(gy_to_int(c[0]) > k[0]), up = (vi)(gy_to_int(c[1]) > k[1]);
    vf row[2] = {gy_select(right, r[1].second, r[0].second),
                 gy_select(right, r[3].second, r[2].second)};
    *dry = ~(vi)gy_select(up, row[1], row[0]);
    for (int q = 0; q < 4; q++) {
        vf w = weight_of(f, q);
        sum += w * r[q].first;
        weight += (vf)((vi)r[q].second & (vi)w);
    }
    vi some = (vi)(weight > 0.0f);
    return (vf)(some & (vi)(sum / gy_select(some, weight, gy_splat(1.0f))));
}

// ---- on their way

/// Points round the periodic sides, and within the others.
GY_INLINE vf within(const gy_dust_job *a, int axis, vf c)
{
    vf n = gy_splat((float)a->tiles.n[axis]);
    if (a->periodic >> axis & 1u) {
        c = gy_select((vi)(c < 0.0f), c + n, gy_select((vi)(c >= n), c - n, c));
    }
    return gy_clamp(c, gy_splat(0.0f), n);
}

/// Whether a face on the way from one cell to another may be shut.
static bool may_be_held(dust *t, int i, int j, int to_i, int to_j)
{
    int place, slot = gy_tiles_find(&t->a->tiles, i, j, &place);
    return slot < 0 || slot != gy_tiles_find(&t->a->tiles, to_i, to_j, &place) ||
           !is_plain(t, slot);
}

/// Holds those lanes before shut faces that come to another cell where one may be shut.
GY_INLINE void hold_some(dust *t, int lanes, const vf c[2], vf to[2])
{
    vi moves = gy_splat_int(0), from[2], end[2];
    for (int d = 0; d < 2; d++) {
        from[d] = gy_to_int(c[d]);
        end[d] = gy_floor_int(to[d]);
        moves |= (vi)(from[d] != end[d]);
    }
    if (!gy_any(moves)) {
        return;
    }
    int slot = find_one(t, from, 0);
    if (slot >= 0 && slot == find_one(t, end, 0) && is_plain(t, slot)) {
        return;
    }
    for (int l = 0; l < lanes; l++) {
        const float low[2] = {c[0][l], c[1][l]};
        float high[2] = {to[0][l], to[1][l]};
        if (moves[l] && may_be_held(t, from[0][l], from[1][l], end[0][l], end[1][l])) {
            hold(t->a, low, high);
            to[0][l] = high[0];
            to[1][l] = high[1];
        }
    }
}

/// What the sides of the domain do to points: returns which of them are gone.
GY_INLINE vi sides(const gy_dust_job *a, int axis, vf *c)
{
    vf n = gy_splat((float)a->tiles.n[axis]);
    if (a->periodic >> axis & 1u) {
        *c = within(a, axis, *c);
        return gy_splat_int(0);
    }
    bool low = a->open_sides >> (2 * axis) & 1u, high = a->open_sides >> (2 * axis + 1) & 1u;
    vi gone = (low ? (vi)(*c < 0.0f) : gy_splat_int(0)) | (high ? (vi)(*c > n) : gy_splat_int(0));
    *c = gy_clamp(*c, gy_splat(low ? 0.0f : HAIR), high ? n : n - HAIR);
    return gone;
}

/// VW particles from i on, of which `lanes` are there; returns which of them are gone now.
GY_INLINE vi carry(dust *t, bool wave, int i, int lanes)
{
    const gy_dust_job *a = t->a;
    vf x[3], c[2], middle[2], to[2], start[2], u[2];
    x[0] = gy_load(t->x[0] + i);
    vi here = (vi)(x[0] < GY_PARTICLE_GONE); // not gone before
    for (int d = 0; d < 2; d++) {
        x[d] = gy_load(t->x[d] + i);
        start[d] = (x[d] - a->origin[d]) * a->inverse;
        c[d] = within(a, d, start[d]);
    }
    velocity_at(t, wave, c, u);
    for (int d = 0; d < 2; d++) {
        vf n = gy_splat((float)a->tiles.n[d]);
        middle[d] = within(a, d, c[d] + gy_clamp((0.5f * a->scale) * u[d], -n, n));
    }
    velocity_at(t, wave, middle, u);
    for (int d = 0; d < 2; d++) {
        vf n = gy_splat((float)a->tiles.n[d]);
        to[d] = c[d] + gy_clamp(a->scale * u[d], -n, n);
    }
    hold_some(t, lanes, c, to);
    vi gone = gy_splat_int(0);
    for (int d = 0; d < 2; d++) {
        gone |= sides(a, d, &to[d]);
        x[d] = gy_select(here, x[d] + (to[d] - start[d]) * a->h, x[d]);
    }
    vi dry;
    vf height = height_at(t, wave, to, &dry);
    gone |= dry;
    vf age = gy_load(t->age + i), older = age + a->dt;
    gy_store(t->age + i, gy_select(here, older, age));
    if (a->life > 0.0f) {
        gone |= (vi)(older >= a->life);
    }
    if (a->last) {
        gy_store(t->x[2] + i, gy_select(here, height, gy_load(t->x[2] + i)));
    }
    gone &= here;
    gy_store(t->x[0] + i, gy_select(gone, gy_splat(GY_PARTICLE_GONE), x[0]));
    gy_store(t->x[1] + i, x[1]);
    return gone;
}

GY_INLINE uint32_t carry_range(bool wave, dust *t, const gy_box *box)
{
    const gy_particle_now *now = (const void *)gy_at(t->a->particles, t->a->now);
    int last = GY_MIN(box->high[0], (int)now->count);
    uint32_t gone = 0;
    for (int i = box->low[0]; i < last; i += VW) {
        int lanes = GY_MIN(VW, last - i);
        vi which = carry(t, wave, i, lanes);
        if (gy_any(which)) {
            for (int l = 0; l < lanes; l++) {
                gone += which[l] != 0;
            }
        }
    }
    return gone;
}

static GY_NOINLINE uint32_t carry_shallow(dust *t, const gy_box *box)
{
    return carry_range(false, t, box);
}
static GY_NOINLINE uint32_t carry_waves(dust *t, const gy_box *box)
{
    return carry_range(true, t, box);
}

void GY_BODY(dust)(const void *args, const gy_box *box, int task)
{
    const gy_dust_job *a = (const void *)(uintptr_t)((const gy_dust_args *)args)->job;
    dust t = {.a = a, .age = gy_at(a->particles, 3u * a->step)};
    for (int d = 0; d < 3; d++) {
        t.x[d] = gy_at(a->particles, (uint32_t)d * a->step);
    }
    ((gy_word *)(void *)gy_at(a->particles, a->gone))[task] +=
        a->wave ? carry_waves(&t, box) : carry_shallow(&t, box);
}
