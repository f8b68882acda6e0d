// water/ops/water_wave.c: a step of the linear wave equation on one tile.
//
//     dq/dt = -c^2 grad u,   du/dt = -div q        (so that u_tt = c^2 (u_xx + u_yy))
//
// q sits on the faces, u at the centres; symplectic Euler: q by the old heights, then u by the new
// q. In u alone this is the talk's scheme, v = -div q being its vertical velocity; the second order
// of leapfrog, stable for c dt / h <= 1/sqrt(2) in 2D and 1 in 1D, and exact in 1D at the limit.
// Written in fluxes, what leaves a cell enters another. 12 bytes read, 12 written per cell.
#include "ops/row/body.h"
#include "water/ops/water.h"
#include <string.h>

enum { T = GY_WATER_TILE, ROW = T + 32, FIRST = 16 };

/// A tile in its older state.
typedef struct wave_tile {
    const gy_water_job *job;
    int slot, x, y, columns, rows;
    const float *ahead; // the state of the tile that is stepped next, or NULL
    const float *u, *qx, *qy;
    float *next_u, *next_x, *next_y; // -> the new state; in place the same
    const uint8_t *flags;
    bool plain;
} wave_tile;

/// What a row needs of the tiles left and right: heights, and the discharge of the face between.
typedef struct ends {
    float left, right, right_q;
    bool has_left, has_right;
} ends;

/// The columns next to the tile, from its first row up; NULL where nothing is stepped.
typedef struct flanks {
    const float *left, *right, *right_q;
    ptrdiff_t step; // from row to row
} flanks;

/// Rows as the loop reads them: in the tile itself, or copies with their ends filled in.
typedef struct row {
    const float *u, *q;     // of this row; q across low x faces
    const float *up, *up_q; // of the row above; up_q across its low y faces
    const float *low;       // new discharges across this row's low y faces
    float *next_u, *next_x; // -> the new state
    float *next_up;         // -> new discharges across the low y faces of the row above
    int32_t shut_left[T], shut_right[T], shut_up[T]; // all bits where nothing passes
} row;

/// What lies next to the tile of the state of the one that holds cell (i, j): in that state, or in
/// its borders; NULL where nothing is stepped.
static const float *beside(const wave_tile *t, int i, int j, int array, int border)
{
    const gy_tiles *tiles = &t->job->tiles;
    int place, slot = gy_stepping_slot(t->job, i, j, &place);
    if (slot < 0) {
        return NULL;
    }
    return t->job->in_place ? gy_tile_border(tiles, slot, tiles->border[slot], border)
                            : gy_tile_state(tiles, slot, array) + place;
}

static flanks find_flanks(const wave_tile *t)
{
    int left = t->x * T - 1, right = t->x * T + t->columns, y = t->y * T;
    return (flanks){.left = beside(t, left, y, GY_WATER_DEPTH, GY_BORDER_RIGHT),
                    .right = beside(t, right, y, GY_WATER_DEPTH, GY_BORDER_LEFT),
                    .right_q = beside(t, right, y, GY_WATER_QX, GY_BORDER_LEFT_QX),
                    .step = t->job->in_place ? 1 : T};
}

static ends find_ends(const flanks *c, int j)
{
    ends e = {.has_left = c->left, .has_right = c->right};
    ptrdiff_t at = (ptrdiff_t)j * c->step;
    e.left = c->left ? c->left[at] : 0.0f;
    e.right = c->right ? c->right[at] : 0.0f;
    e.right_q = c->right ? c->right_q[at] : 0.0f;
    return e;
}

/// Tiles are short for a processor that looks ahead along streams: the rows of the next one are
/// asked for while this one's are worked on.
GY_INLINE void fetch_next(const wave_tile *t, int j)
{
    enum { LINE = 16 }; // floats
    for (int a = 0; a < GY_WATER_STATE && t->ahead; a++) {
        const float *lines = t->ahead + a * GY_ARRAY_STEP + j * T;
        for (int i = 0; i < T; i += LINE) {
            __builtin_prefetch(lines + i, 0, 3);
        }
    }
}

/// Stores past the caches where a step's tiles do not fit them, so that lines that are wholly
/// written need not be read.
GY_INLINE void put(float *p, vf x, bool stream)
{
    if (stream) {
        gy_stream(p, x);
    } else {
        gy_store(p, x);
    }
}

GY_INLINE vf held(vf x, vf q)
{
    vf wide = q * 2097152.0f, big = q * 12582912.0f; // 1.5 * 2^23
    return (gy_clamp(x, -wide, wide) + big) - big;
}

/// One row of cells: new discharges across its low x faces and the low y faces of the row above,
/// then new heights. With `plain` nothing is shut and rows are read where they lie, their ends by
/// lane; else they are copies with an end on each side, and masks say what is shut.
GY_INLINE vf step_row(const gy_water_job *job, const row *r, const ends *e, bool plain, bool exact)
{
    vf keep = gy_splat(job->keep), pull = gy_splat(job->pull), share = gy_splat(job->share);
    vf limit = gy_splat(job->limit), most = gy_splat(0.0f), q = gy_splat(job->quantum);
    for (int i = 0; i < T; i += VW) {
        vf here = gy_load(r->u + i), left = gy_load(r->u + i - 1), right = gy_load(r->u + i + 1);
        vf in = gy_load(r->q + i), out = gy_load(r->q + i + 1);
        if (plain && i == 0) {
            left[0] = e->left;
        }
        if (plain && i == T - VW) {
            right[VW - 1] = e->right;
            out[VW - 1] = e->right_q;
        }
        vf a = keep * (in - pull * (here - left)), b = keep * (out - pull * (right - here));
        vf d = keep * (gy_load(r->up_q + i) - pull * (gy_load(r->up + i) - here));
        if (!plain) {
            a = gy_select(*(const gy_vi_loose *)(r->shut_left + i), gy_splat(0.0f), a);
            b = gy_select(*(const gy_vi_loose *)(r->shut_right + i), gy_splat(0.0f), b);
            d = gy_select(*(const gy_vi_loose *)(r->shut_up + i), gy_splat(0.0f), d);
        }
        vf c = gy_load(r->low + i);
        gy_store(r->next_x + i, a);
        gy_store(r->next_up + i, d);
        c = share * c;
        a = share * a;
        b = share * b;
        d = share * d;
        if (exact) {
            a = held(a, q);
            b = held(b, q);
            c = held(c, q);
            d = held(d, q);
        }
        vf now = here - ((b - a) + (d - c));
        now = gy_clamp(now, -limit, limit);
        most = gy_max(most, gy_abs(now - here));
        gy_store(r->next_u + i, now);
    }
    return most;
}

/// A copy of a row with room for the ends on both sides.
typedef struct copy {
    _Alignas(64) float at[ROW];
} copy;

static const float *copy_row(copy *to, const float *from)
{
    memset(to->at + FIRST + T, 0, sizeof(float) * 16);
    memcpy(to->at + FIRST, from, sizeof(float) * T);
    return to->at + FIRST;
}

/// The masks of a row: what its flags shut, and ends that are not there.
static void find_masks(const wave_tile *t, int j, bool has_up, const ends *e, row *r)
{
    const uint8_t *flags = t->flags + (ptrdiff_t)j * T;
    for (int i = 0; i < T; i++) {
        r->shut_left[i] = flags[i] & GY_CELL_SHUT_X ? -1 : 0;
        r->shut_right[i] = flags[i] & GY_CELL_SHUT_HIGH_X ? -1 : 0;
        r->shut_up[i] = !has_up || (flags[i] & GY_CELL_SHUT_HIGH_Y) ? -1 : 0;
    }
    r->shut_left[0] |= e->has_left ? 0 : -1;
    r->shut_right[t->columns - 1] |= e->has_right ? 0 : -1;
}

/// Discharges across the low y faces of the tile's first row.
static void across_bottom(const wave_tile *t, float *next)
{
    const gy_water_job *job = t->job;
    const float *found = beside(t, t->x * T, t->y * T - 1, GY_WATER_DEPTH, GY_BORDER_TOP);
    const float *below = found ? found : t->u;
    vf keep = gy_splat(job->keep), pull = gy_splat(job->pull);
    for (int i = 0; i < T; i += VW) {
        vf d = gy_load(t->u + i) - gy_load(below + i);
        gy_store(next + i, keep * (gy_load(t->qy + i) - pull * d));
    }
    for (int i = 0; i < T; i++) {
        if (!found || (t->flags[i] & GY_CELL_SHUT_Y)) {
            next[i] = 0.0f;
        }
    }
}

/// How a whole tile without a wall is stepped when nobody asks how much heights have changed: the
/// same sums as in step_row, with what the next row and the next lanes need again kept at hand.
typedef struct plain_tile {
    const wave_tile *t;
    flanks sides;
    const float *above, *above_q; // the first row of the tile above
} plain_tile;

enum { RUN = T / VW };

GY_INLINE void plain_row(const plain_tile *p, int j, vf *here, vf *low, bool stream)
{
    const gy_water_job *job = p->t->job;
    vf keep = gy_splat(job->keep), pull = gy_splat(job->pull), share = gy_splat(job->share);
    ptrdiff_t at = (ptrdiff_t)j * T;
    bool last = j == T - 1;
    const float *up = last ? p->above : p->t->u + at + T;
    const float *up_q = last ? p->above_q : p->t->qy + at + T, *q = p->t->qx + at;
    ptrdiff_t side = (ptrdiff_t)j * p->sides.step;
    vf left = gy_splat(p->sides.left[side]), right = gy_splat(p->sides.right[side]);
    // Across the low face of the first cell of the tile to the right.
    vf end =
        keep * (gy_splat(p->sides.right_q[side]) - pull * (right - gy_splat(p->t->u[at + T - 1])));
    vf a = keep * (gy_load(q) - pull * (here[0] - gy_lefts(left, here[0])));
#pragma GCC unroll 4
    for (int v = 0; v < RUN; v++) {
        vf b = end, above = gy_load(up + v * VW);
        if (v + 1 < RUN) {
            vf rise = here[v + 1] - gy_lefts(here[v], here[v + 1]);
            b = keep * (gy_load(q + (v + 1) * VW) - pull * rise);
        }
        put(p->t->next_x + at + v * VW, a, stream);
        vf d = keep * (gy_load(up_q + v * VW) - pull * (above - here[v]));
        if (!last) {
            put(p->t->next_y + at + T + v * VW, d, stream);
        }
        d = share * d;
        vf across = share * gy_rights(a, b) - share * a;
        put(p->t->next_u + at + v * VW, here[v] - (across + (d - low[v])), stream);
        here[v] = above;
        low[v] = d;
        a = b;
    }
}

GY_INLINE void plain_rows(const plain_tile *p, const float *low_q, bool stream)
{
    vf share = gy_splat(p->t->job->share), here[RUN], low[RUN];
    for (int v = 0; v < RUN; v++) {
        vf q = gy_load(low_q + v * VW);
        here[v] = gy_load(p->t->u + v * VW);
        low[v] = share * q;
        put(p->t->next_y + v * VW, q, stream);
    }
    for (int j = 0; j < T; j++) {
        fetch_next(p->t, j);
        plain_row(p, j, here, low, stream);
    }
}

/// False: the tile is not of that kind.
static bool step_plain(const wave_tile *t, float *low)
{
    const gy_water_job *job = t->job;
    int over = t->y * T + t->rows;
    plain_tile p = {.t = t,
                    .sides = find_flanks(t),
                    .above = beside(t, t->x * T, over, GY_WATER_DEPTH, GY_BORDER_BOTTOM),
                    .above_q = beside(t, t->x * T, over, GY_WATER_QY, GY_BORDER_BOTTOM_QY)};
    bool whole = t->columns == T && t->rows == T;
    if (!t->plain || !job->lean || job->quantum > 0.0f || !whole || !p.above || !p.sides.left ||
        !p.sides.right) {
        return false;
    }
    across_bottom(t, low);
    if (job->stream) {
        plain_rows(&p, low, true);
        gy_stream_end();
    } else {
        plain_rows(&p, low, false);
    }
    job->result[t->slot].flow.change = 0.0f;
    job->result[t->slot].flow.capped = 0;
    return true;
}

static void step_tile(const wave_tile *t)
{
    const gy_water_job *job = t->job;
    gy_flow_result *result = &job->result[t->slot].flow;
    _Alignas(64) float beyond[T]; // across the high y faces: the tile above stores them
    int over = t->y * T + t->rows;
    const float *above = beside(t, t->x * T, over, GY_WATER_DEPTH, GY_BORDER_BOTTOM);
    const float *above_q = beside(t, t->x * T, over, GY_WATER_QY, GY_BORDER_BOTTOM_QY);
    vf most = gy_splat(0.0f);
    flanks sides = find_flanks(t);
    copy u, q;
    row r;
    memset(&u, 0, sizeof u);
    memset(&q, 0, sizeof q);
    across_bottom(t, t->next_y);
    for (int j = 0; j < t->rows; j++) {
        ptrdiff_t at = (ptrdiff_t)j * T;
        bool last = j + 1 == t->rows, has_up = !last || above;
        ends e = find_ends(&sides, j);
        fetch_next(t, j);
        bool plain = t->plain && has_up && e.has_left && e.has_right;
        r.u = t->u + at;
        r.q = t->qx + at;
        r.up = !last ? t->u + at + T : has_up ? above : r.u;
        r.up_q = !last ? t->qy + at + T : has_up ? above_q : r.u;
        r.low = t->next_y + at;
        r.next_u = t->next_u + at;
        r.next_x = t->next_x + at;
        r.next_up = last ? beyond : t->next_y + at + T;
        if (!plain) {
            find_masks(t, j, has_up, &e, &r);
        }
        // In place a row is overwritten from its low end, which its high end still asks for.
        if (!plain || job->in_place) {
            r.u = copy_row(&u, r.u);
            r.q = copy_row(&q, r.q);
            u.at[FIRST - 1] = e.left;
            u.at[FIRST + t->columns] = e.right;
            q.at[FIRST + t->columns] = e.right_q;
        }
        vf change = job->quantum > 0.0f ? step_row(job, &r, &e, plain, true)
                    : plain             ? step_row(job, &r, &e, true, false)
                                        : step_row(job, &r, &e, false, false);
        most = gy_max(most, change);
        if (t->columns < T) {
            memset(r.next_u + t->columns, 0, sizeof(float) * (size_t)(T - t->columns));
        }
    }
    result->change = gy_lane_max(most);
    result->capped = 0;
}

static void step_any(const wave_tile *t)
{
    const gy_tiles *tiles = &t->job->tiles;
    _Alignas(64) float low[T];
    if (!step_plain(t, low)) {
        step_tile(t);
    }
    if (t->job->in_place) {
        gy_tile_save_borders(tiles, t->slot, 1 - tiles->border[t->slot], t->columns, t->rows);
    }
}

void GY_BODY(water_wave)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_wave_args *)args)->job;
    const gy_tiles *tiles = &job->tiles;
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k], tile = tiles->tile[slot];
        wave_tile t = {.job = job,
                       .slot = slot,
                       .ahead =
                           k + 1 < box->high[0] ? gy_tile_state(tiles, job->list[k + 1], 0) : NULL,
                       .x = tile % tiles->tn[0],
                       .y = tile / tiles->tn[0],
                       .u = gy_tile_state(tiles, slot, GY_WATER_DEPTH),
                       .qx = gy_tile_state(tiles, slot, GY_WATER_QX),
                       .qy = gy_tile_state(tiles, slot, GY_WATER_QY),
                       .flags = gy_tile_flags(tiles, slot),
                       .plain = job->plain[tile]};
        t.columns = GY_MIN(T, tiles->n[0] - t.x * T);
        t.rows = GY_MIN(T, tiles->n[1] - t.y * T);
        int which = tiles->current[slot] ^ !job->in_place;
        t.next_u = gy_tile_array(tiles, slot, which * GY_WATER_STATE + GY_WATER_DEPTH);
        t.next_x = gy_tile_array(tiles, slot, which * GY_WATER_STATE + GY_WATER_QX);
        t.next_y = gy_tile_array(tiles, slot, which * GY_WATER_STATE + GY_WATER_QY);
        step_any(&t);
    }
}

static float bounded(float x, float limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

/// The talk's clamping of slopes, as volume that moves across faces: where two neighbours differ
/// by more than may stand, an eighth of the excess goes from the higher to the lower (more would
/// turn a chessboard round, and waves would feed on it), never more than a quarter of what is
/// there.
static float spill(const gy_water_job *job, float a, float a_depth, float b, float b_depth)
{
    float over = a - b, most = job->most;
    float moved = over > most    ? 0.125f * (over - most)
                  : over < -most ? 0.125f * (over + most)
                                 : 0.0f;
    if (!job->wave) {
        float a_most = 0.25f * a_depth, b_most = 0.25f * b_depth;
        moved = moved > a_most ? a_most : moved < -b_most ? -b_most : moved;
    }
    return gy_quantize(bounded(moved, 1e6f), job->quantum);
}

static float spill_from(const gy_water_job *job, int x, int y, float depth, float surface)
{
    int place, slot = gy_stepping_slot(job, x, y, &place);
    // Beyond an edge with a rule lies a ghost's state in a cell that is cut out: as beyond a side,
    // nothing is given to it, nor taken.
    if (slot < 0 || (gy_tile_flags(&job->tiles, slot)[place] & GY_CELL_OUT)) {
        return 0.0f;
    }
    float d = gy_tile_state(&job->tiles, slot, GY_WATER_DEPTH)[place];
    float bed = job->wave ? 0.0f : gy_tile_array(&job->tiles, slot, GY_WATER_BED)[place];
    return -spill(job, surface, depth, bed + d, d);
}

void GY_BODY(water_slope)(const void *args, const gy_box *box, int task)
{
    const gy_water_job *job = (const void *)(uintptr_t)((const gy_wave_args *)args)->job;
    const gy_tiles *tiles = &job->tiles;
    (void)task;
    for (int k = box->low[0]; k < box->high[0]; k++) {
        int slot = job->list[k], tile = tiles->tile[slot];
        int x = tile % tiles->tn[0] * T, y = tile / tiles->tn[0] * T;
        int columns = GY_MIN(T, tiles->n[0] - x), rows = GY_MIN(T, tiles->n[1] - y);
        const float *u = gy_tile_state(tiles, slot, GY_WATER_DEPTH);
        const float *bed = gy_tile_array(tiles, slot, GY_WATER_BED);
        const uint8_t *flags = gy_tile_flags(tiles, slot);
        for (int a = 0; a < GY_WATER_STATE; a++) {
            memcpy(gy_tile_next(tiles, slot, a), gy_tile_state(tiles, slot, a),
                   sizeof(float) * GY_TILE_AREA);
        }
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
