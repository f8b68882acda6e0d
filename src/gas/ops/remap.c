// gas/ops/remap.c: the conservative transport of scalars, one axis at a time:
//
//     (1 + e') q' = (1 + e) q + F_low - F_high,    e' = e + U_low - U_high,
//
// U being the volume that passes a face in a substep and F what it takes along: the integral of the
// parabola of the cell it comes from over the part that leaves (Colella & Woodward, The piecewise
// parabolic method, 1984), whose edges are limited so that it has no extremum of its own, and at
// jumps are the neighbours' means (their discontinuity detection as a switch); e is the volume that
// the sweeps before have left over: each sweep makes convex combinations and an even field stays
// even; after the last one the volume counts as 1 again, since U is free of divergence. All is a
// function of the fields: what passes a face is worked out alike by whoever asks. Third order in
// smooth flow along an axis, second over the split ones.
//
// Bytes per cell and field of a sweep: reads 4, writes 4; of the sweep reads 4 per axis done so
// far and its own. About 60 operations a cell and field.
//
// Windows of 32 x 32 cells in which a field is nothing, to the bit, are passed over: the formulas
// give nothing there, and smoke, dyes and warmth are nothing in most cells.
//
// Cells are swept in columns that stand side by side, one in each lane: along y and z the lanes are
// cells of a row, along x they are rows, whose cells change places with them in blocks.
#include "gas/ops/column.h"

// ---- a sweep ------------------------------------------------------------------------------------

static sweep sweep_make(const gy_remap_args *a, int task)
{
    const gy_carriage *c = (const gy_carriage *)(const void *)gy_at(a->base, a->carriage);
    sweep s = {.a = a, .dim = a->extent.dim, .axis = a->axis, .n = a->extent.n[a->axis]};
    s.f = gy_flux_make(a->base, a->wind, a->level, &a->extent, a->periodic, a->open_sides, a->given,
                       c->scale);
    s.first = a->place == 0;
    s.last = a->place == s.dim - 1;
    s.partial = (double *)(void *)gy_at(a->base, a->partial) + 2 * a->count * task;
    s.plain = (const uint8_t *)(uintptr_t)c->plain;
    s.swelling = s.last ? (float *)(uintptr_t)a->swelling : NULL;
    return s;
}

static float *place_of(const sweep *s, int field, int which)
{
    const gy_field *f =
        (const gy_field *)(const void *)gy_at(s->a->base, s->a->fields) + s->a->first + field;
    return gy_at(s->a->base, which == 0 ? f->old : which == 1 ? f->predicted : f->now);
}

/// What comes in of a field by the ends of the axis; NULL: nothing.
static void find_rims(const sweep *s, int field, const float *rim[2])
{
    const gy_rim *rims = (const gy_rim *)(const void *)gy_at(s->a->base, s->a->rims);
    for (int end = 0; end < 2; end++) {
        const gy_rim *own = rims + 2 * s->axis + end;
        // Velocities come first in the list of fields.
        uint32_t plane = 1u + 2u * (uint32_t)s->dim + (uint32_t)(s->a->first + field - s->dim);
        bool there = s->a->rims && own->first;
        rim[end] = there ? gy_at(s->a->base, own->first + plane * own->step) : NULL;
    }
}

static float factor_of(const sweep *s, int field)
{
    return ((const gy_ledger *)(const void *)gy_at(s->a->base, s->a->ledgers) + field)->factor;
}

/// The flux through a face across x, ends included.
static float face_across_x(const sweep *s, int i, int j, int k)
{
    int n = s->f.e.n[0];
    bool wraps = s->f.periodic & 1u;
    return wraps || (i > 0 && i < n) ? gy_flux_face(&s->f, wraps && i == n ? 0 : i, j, k)
                                     : gy_flux_end(&s->f, i == n, j, k);
}

/// The volume left over in the cells of a row by the sweeps before this one.
static void error_row(const sweep *s, int j, int k, int i0, int count, float *e)
{
    float low[WIDE + 2 * GY_FLUX_SLACK], high[WIDE + 2 * GY_FLUX_SLACK];
    for (int q = 0; q < s->a->place; q++) {
        int axis = s->a->turned ? s->dim - 1 - q : q;
        const float *above = high;
        if (axis == 0) {
            gy_flux_row(&s->f, 0, j, k, i0, count + 1, low);
            above = low + 1;
        } else {
            gy_flux_row(&s->f, axis, j, k, i0, count, low);
            gy_flux_row(&s->f, axis, j + (axis == 1), k + (axis == 2), i0, count, high);
        }
        for (int i = 0; i < count; i += VW) {
            vf x = gy_load(low + i) - gy_load(above + i);
            gy_store(e + i, q == 0 ? x : gy_load(e + i) + x);
        }
    }
}

// ---- blocks of columns --------------------------------------------------------------------------

/// Takes over what a block's columns add up to.
static void total_block(const window *w, strand *x)
{
    for (int i = 0; i < w->valid; i++) {
        x->total += x->sum[i];
    }
    memset(x->sum, 0, sizeof x->sum);
}

GY_INLINE kind kind_of(const sweep *s)
{
    return s->first ? FIRST : s->last ? LAST : MIDDLE;
}

GY_INLINE bool wraps_along(const sweep *s)
{
    return s->f.periodic >> s->axis & 1u;
}

/// What leaves through the face that was passed last, at a side.
static void leave(const window *w, strand *x, int side)
{
    double sum = 0.0;
    for (int i = 0; i < w->valid && (w->s->f.open_sides >> (2 * w->s->axis + side) & 1u); i++) {
        sum += (double)x->flux[i];
    }
    x->left += side ? sum : -sum;
}

/// What stands beyond a side, for what comes in there.
static void beyond(const window *w, const strand *x, int end, float *q)
{
    const sweep *s = w->s;
    const int *n = s->f.e.n;
    memset(q, 0, WIDE * sizeof *q);
    if (x->rim[end]) {
        const float *from = x->rim[end];
        from +=
            s->axis == 0 ? w->row[1] + w->row[2] * n[1] : w->row[0] + w->row[3 - s->axis] * n[0];
        memcpy(q, from, (size_t)w->valid * sizeof *q);
    }
}

/// Climbs a window's rows; where the last one is face n, what comes in there is given.
static void climb_to(const window *w, strand *x, lift t, kind k, bool side)
{
    t.steps -= side;
    climb(w, x, &t, k);
    if (side) {
        beyond(w, x, 1, x->q1);
        t.in += t.steps * t.in_step;
        t.out += t.steps * t.out_step;
        t.row += t.steps;
        t.steps = 1;
        climb(w, x, &t, k);
        leave(w, x, 1);
    }
}

/// The row that stands for row p.
GY_INLINE int row_of(const sweep *s, int p)
{
    if (wraps_along(s)) {
        return p >= 0 && p < s->n ? p : (p % s->n + s->n) % s->n;
    }
    return p < 0 ? 0 : p >= s->n ? s->n - 1 : p;
}

static void fill_ones(float *row)
{
    memset(row, 0xff, WIDE * sizeof *row);
}

// ---- along y and z ------------------------------------------------------------------------------

GY_INLINE int j_of(const window *w, int p)
{
    return w->s->axis == 1 ? p : w->row[1];
}
GY_INLINE int k_of(const window *w, int p)
{
    return w->s->axis == 1 ? w->row[2] : p;
}

/// Whether all faces of the cells of row p in the window's columns are whole, but for sides.
GY_INLINE bool row_is_plain(const window *w, int p)
{
    int row = row_of(w->s, p);
    return is_plain(w->s, j_of(w, row), k_of(w, row), w->row[0]);
}

/// How many of `count` rows from p on go together: those before the first that is not plain, or,
/// where that is at hand, those that see one. (What is plain needs no look at faces: it is faster.)
static int rows_alike(window *w, int p, int count)
{
    int plain = 0, until = 0, last = -4;
    if (!w->s->f.solids) {
        w->mixed = false;
        return count;
    }
    for (int r = -3; r < count; r++) {
        bool other = !row_is_plain(w, p + r);
        if (other && last == -4 && r >= FEW) {
            plain = r;
            break;
        }
        last = other ? r : last;
        until = last + 4;
        if (last > -4 && r >= until + FEW - 1) {
            break;
        }
    }
    w->mixed = last > -4;
    return plain > 0 ? plain : last > -4 && until + FEW <= count ? GY_MAX(until, 1) : count;
}

/// Which faces before rows p ... let something through, and which cells of rows p - 3 ... hold gas.
static void look_at_rows(window *w, int p, int count)
{
    const sweep *s = w->s;
    int i0 = w->row[0];
    for (int r = 0; r < count && w->mixed; r++) {
        int row = row_of(s, p + r), cell = row_of(s, p + r - 3);
        if (!gy_open_row(&s->f, s->axis, j_of(w, row), k_of(w, row), i0, w->lanes, w->open[r])) {
            fill_ones(w->open[r]);
        }
        gy_gas_row(&s->f, j_of(w, cell), k_of(w, cell), i0, w->lanes, w->gas[r]);
    }
}

/// The same of all of these rows.
static void rows_mixed(window *w, int p, int count)
{
    w->mixed = false;
    for (int r = -3; r < count && w->s->f.solids && !w->mixed; r++) {
        w->mixed = !row_is_plain(w, p + r);
    }
    look_at_rows(w, p, count);
}

/// Volumes of faces and cells p ..., from row r of the window on.
static void rows_volumes(window *w, int p, int r, int count)
{
    const sweep *s = w->s;
    for (int q = 0; q < count; q++) {
        int row = row_of(s, p + q);
        gy_flux_row(&s->f, s->axis, j_of(w, p + q), k_of(w, p + q), w->row[0], w->lanes,
                    w->u[r + q]);
        if (!s->first) {
            error_row(s, j_of(w, row), k_of(w, row), w->row[0], w->lanes, w->e[r + q]);
        }
    }
}

static void swell_rows(const window *w, float *swelling, ptrdiff_t step, int steps)
{
    for (int r = 0; r < steps; r++, swelling += step) {
        for (int i = 0; i < w->lanes; i += VW) {
            vf v = gy_load(w->e[r] + i) + (gy_load(w->u[r] + i) - gy_load(w->u[r + 1] + i));
            gy_store(swelling + i, gy_load(swelling + i) + v);
        }
    }
}

/// The faces across an axis that was swept before, of cells of a row: where they lie, and in which
/// lanes something else stands for the low and the high ones.
typedef struct layer {
    const float *low, *high, *end;
    ptrdiff_t step;
    int first, last; // lanes; the first one passes nothing, the last one what `end` says
} layer;

static const float nothing[TALL + GY_LANES];

/// Of rows from p on; no solids.
static layer layer_of(const window *w, int q, int p)
{
    const sweep *s = w->s;
    const gy_flux *f = &s->f;
    const ptrdiff_t steps[3] = {1, f->e.sy, f->e.sz};
    int axis = s->a->turned ? s->dim - 1 - q : q, at = w->row[axis], n = f->e.n[axis];
    bool wraps = f->periodic >> axis & 1u;
    const float *u = f->u[axis] + gy_flux_place(f, j_of(w, p), k_of(w, p)) + w->row[0];
    layer c = {u, u + steps[axis], nothing, steps[s->axis], -1, -1};
    if (axis == 0) {
        c.first = !wraps && !(f->open_sides & 1u) ? -at : -1;
        c.last = wraps || !(f->open_sides & 2u) ? n - 1 - at : -1;
        c.end = wraps ? u - at : nothing;
        return c;
    }
    if (!wraps && at == 0 && !(f->open_sides >> (2 * axis) & 1u)) {
        c.low = NULL;
    }
    if (at == n - 1 && wraps) {
        c.high = u - at * steps[axis];
    } else if (at == n - 1 && !(f->open_sides >> (2 * axis + 1) & 1u)) {
        c.high = NULL;
    }
    return c;
}

/// What the faces of a layer leave over in a row of cells.
GY_INLINE vf left_over(const layer *c, bool whole, int r, int i, float scale)
{
    ptrdiff_t o = r * c->step + i;
    if (whole) {
        return gy_load(c->low + o) * scale - gy_load(c->high + o) * scale;
    }
    vf low = c->low ? gy_load(c->low + o) : gy_splat(0.0f);
    vf high = c->high ? gy_load(c->high + o) : gy_splat(0.0f);
    low = gy_select((vi)(gy_iota(i) == c->first), gy_splat(0.0f), low);
    if (c->last >= 0) {
        float end = c->end == nothing ? 0.0f : c->end[r * c->step];
        high = gy_select((vi)(gy_iota(i) == c->last), gy_splat(end), high);
    }
    return low * scale - high * scale;
}

/// Volumes, and what passes by them, of rows p ... that lie one after the other, from row r on: u
/// is where the faces are.
GY_INLINE void weigh_as(window *w, const float *u, ptrdiff_t step, const layer *c, int place,
                        bool whole, bool last, int r, int count)
{
    float scale = w->s->f.scale;
    int lanes = w->lanes;
    layer c0 = c[0], c1 = c[1];
    for (int i = 0; i < lanes; i += VW) {
        vf v0 = gy_load(w->u[r] + i), e0 = gy_load(w->e[r] + i), one = gy_splat(1.0f);
        for (int q = 0; q < count; q++) {
            __builtin_prefetch(u + q * step + i + WIDE);
            vf v = gy_load(u + q * step + i) * scale, size = gy_abs(v), half = 0.5f * size;
            vf e = gy_splat(0.0f);
            if (place > 0) {
                e = left_over(&c0, whole, q, i, scale);
                e = place > 1 ? e + left_over(&c1, whole, q, i, scale) : e;
                half /= one + gy_select((vi)(v > 0.0f), e0, e);
            }
            vf rest = 0.5f - half;
            gy_store(w->u[r + q + 1] + i, v);
            gy_store(w->slope[r + q] + i, size * rest);
            gy_store(w->bow[r + q] + i, (v * rest) * (1.0f - 4.0f * half));
            gy_store(w->e[r + q] + i, last ? e0 : one / (one + (place ? e0 + (v0 - v) : v0 - v)));
            v0 = v;
            e0 = e;
        }
        gy_store(w->e[r + count] + i, e0);
    }
}

static GY_NOINLINE void weigh_rows(window *w, const float *u, ptrdiff_t step, int p, int r,
                                   int count)
{
    const sweep *s = w->s;
    layer c[2] = {{0}};
    for (int q = 0; q < s->a->place; q++) {
        c[q] = layer_of(w, q, p);
    }
    bool whole = true;
    for (int q = 0; q < s->a->place; q++) {
        whole = whole && c[q].low && c[q].high && c[q].first != 0 &&
                (c[q].last < 0 || c[q].last >= WIDE);
    }
    if (s->a->place == 0) {
        weigh_as(w, u, step, c, 0, true, false, r, count);
    } else if (!gy_is_3d(s->dim) && whole) {
        weigh_as(w, u, step, c, 1, true, true, r, count);
    } else if (!gy_is_3d(s->dim)) {
        weigh_as(w, u, step, c, 1, false, true, r, count);
    } else if (s->a->place == 1 && whole) {
        weigh_as(w, u, step, c, 1, true, false, r, count);
    } else if (s->a->place == 1) {
        weigh_as(w, u, step, c, 1, false, false, r, count);
    } else {
        weigh_as(w, u, step, c, 2, false, true, r, count);
    }
}

/// Volumes of faces and cells p ..., from row r of the window on, and what passes by them; after
/// rows_mixed. still: nothing passes.
static void rows_weigh(window *w, int p, int r, int count, bool still)
{
    const sweep *s = w->s;
    const gy_flux *f = &s->f;
    if (w->mixed) {
        rows_volumes(w, p, r + 1, count);
        if (still) {
            memset(w->u[r + 1], 0, sizeof w->u[0]);
        }
        weigh(w, r, count);
        return;
    }
    const ptrdiff_t steps[3] = {1, f->e.sy, f->e.sz};
    ptrdiff_t step = steps[s->axis];
    while (count > 0) {
        bool side = p <= 0 || p >= s->n;
        int row = row_of(s, p), now = side ? 1 : GY_MIN(count, s->n - p);
        bool shut = side && !wraps_along(s) && !(f->open_sides >> (2 * s->axis + (p >= s->n)) & 1u);
        const float *u = f->u[s->axis] + gy_flux_place(f, j_of(w, row), k_of(w, row)) + w->row[0];
        u += p >= s->n && !wraps_along(s) ? step : 0;
        weigh_rows(w, shut || still ? nothing : u, step, row, r, now);
        p += now;
        r += now;
        count -= now;
    }
}

/// Up to before face low + 1.
static void rows_start(window *w, strand *x, int fields, ptrdiff_t base, ptrdiff_t step, int low)
{
    const sweep *s = w->s;
    float nowhere[WIDE];
    rows_mixed(w, low - 2, 3);
    for (int f = 0; f < fields; f++) {
        const float *q[4];
        for (int r = 0; r < 4; r++) {
            q[r] = x[f].from + base + row_of(s, low - 3 + r) * step;
        }
        start(w, &x[f], q);
    }
    rows_mixed(w, low + 1, 2);
    memset(w->u[0], 0, sizeof w->u[0]);
    memset(w->e[0], 0, sizeof w->e[0]);
    rows_weigh(w, low - 1, 0, 1, true);
    rows_weigh(w, low, 1, 1, false);
    for (int f = 0; f < fields; f++) {
        for (int r = 0; r < 2; r++) {
            lift t = {.in = x[f].from + base + row_of(s, low + 1 + r) * step,
                      .out = nowhere,
                      .row = r,
                      .steps = 1};
            if (r == 1 && low == 0 && !wraps_along(s)) {
                beyond(w, &x[f], 0, x[f].q0);
            }
            climb(w, &x[f], &t, MIDDLE);
        }
        if (low == 0 && !wraps_along(s)) {
            leave(w, &x[f], 0);
        }
    }
    memcpy(w->u[0], w->u[2], sizeof w->u[0]);
    memcpy(w->e[0], w->e[2], sizeof w->e[0]);
}

/// A window's rows of one field: faces a ...
static void rows_climb(const window *w, strand *x, ptrdiff_t base, ptrdiff_t step, int a, int steps)
{
    const sweep *s = w->s;
    int plain = GY_MAX(0, GY_MIN(s->n - 2 - a, steps));
    kind k = kind_of(s);
    lift t = {.in = x->from + base + (a + 2) * step,
              .in_step = step,
              .out = x->to + base + (a - 1) * step,
              .out_step = step,
              .steps = plain};
    climb(w, x, &t, k);
    for (int r = plain; r < steps; r++) {
        lift one = {.in = x->from + base + row_of(s, a + r + 2) * step,
                    .out = x->to + base + (a + r - 1) * step,
                    .row = r,
                    .steps = 1};
        climb_to(w, x, one, k, a + r == s->n && !wraps_along(s));
    }
}

static GY_NOINLINE void sweep_rows(const sweep *s, const gy_box *box, window *w, strand *x)
{
    const gy_extent *e = &s->a->extent;
    const ptrdiff_t steps[3] = {1, e->sy, e->sz};
    ptrdiff_t step = steps[s->axis];
    int fields = s->a->count, end = gy_round_up(e->n[0], GY_LANES), low = box->low[1];
    for (int across = box->low[2]; across < box->high[2]; across++) {
        w->row[3 - s->axis] = across;
        for (int i0 = 0; i0 < end; i0 += WIDE) {
            ptrdiff_t base = i0 + across * steps[3 - s->axis];
            w->row[0] = i0;
            w->lanes = GY_MIN(WIDE, end - i0);
            w->valid = GY_MIN(WIDE, e->n[0] - i0);
            rows_start(w, x, fields, base, step, low);
            for (int a = low + 1, count; a <= box->high[1]; a += count) {
                count = GY_MIN(TALL, box->high[1] + 1 - a);
                count = rows_alike(w, a + 2, count);
                look_at_rows(w, a + 2, count);
                rows_weigh(w, a, 0, count, false);
                if (s->swelling) {
                    swell_rows(w, s->swelling + base + (a - 1) * step, step, count);
                }
                for (int f = 0; f < fields; f++) {
                    rows_climb(w, &x[f], base, step, a, count);
                }
                memcpy(w->u[0], w->u[count], sizeof w->u[0]);
                memcpy(w->e[0], w->e[count], sizeof w->e[0]);
            }
            for (int f = 0; f < fields; f++) {
                total_block(w, &x[f]);
            }
        }
    }
}

// ---- along x: the lanes are rows ----------------------------------------------------------------

/// Rows of a block become columns and back, and what stands beyond the ends.
typedef struct lines {
    float cells[TALL + GY_LANES][WIDE], out[TALL][WIDE];
    float head[MOST_FIELDS][3][WIDE], tail[3][WIDE], u0[WIDE], e0[WIDE];
    float flat[WIDE][TALL + 4 * GY_LANES + 2 * GY_FLUX_SLACK];
} lines;

/// Lanes i0 ... of what the sweeps before have left over in cells of rows; no solids.
static GY_NOINLINE void turn_left_over(const window *w, int i0, int count, float (*to)[WIDE])
{
    const sweep *s = w->s;
    const gy_flux *f = &s->f;
    float scale = f->scale;
    for (int l = 0; l < w->lanes; l += VW) {
        for (int c = 0; c < count; c += VW) {
            vf x[VW];
            for (int r = 0; r < VW; r++) {
                int at[3] = {0, w->row[1] + GY_MIN(l + r, w->valid - 1), w->row[2]};
                for (int q = 0; q < s->a->place; q++) {
                    int axis = s->a->turned ? s->dim - 1 - q : q, n = f->e.n[axis];
                    ptrdiff_t step = axis == 1 ? f->e.sy : f->e.sz;
                    bool wraps = f->periodic >> axis & 1u;
                    const float *u = f->u[axis] + gy_flux_place(f, at[1], at[2]) + i0 + c, *h;
                    h = wraps && at[axis] == n - 1 ? u - at[axis] * step : u + step;
                    uint32_t shut = wraps ? 0 : ~f->open_sides >> (2 * axis);
                    u = at[axis] == 0 && (shut & 1u) ? nothing : u;
                    h = at[axis] == n - 1 && (shut & 2u) ? nothing : h;
                    vf e = gy_load(u) * scale - gy_load(h) * scale;
                    __builtin_prefetch(u + TALL);
                    x[r] = q == 0 ? e : x[r] + e;
                }
            }
            turn(x);
            for (int r = 0; r < VW; r++) {
                gy_store(to[c + r] + l, x[r]);
            }
        }
    }
}

/// Volumes of faces and cells a - 1 ... of the rows; after lines_mixed.
static void lines_volumes(window *w, lines *b, int a, int steps)
{
    const sweep *s = w->s;
    const gy_flux *f = &s->f;
    ptrdiff_t flat = sizeof b->flat[0] / sizeof(float);
    int i0 = a - 1, cells = GY_MIN(steps + 1, s->n - i0);
    if (a == 1) {
        memcpy(w->u[0], b->u0, sizeof b->u0);
        memcpy(w->e[0], b->e0, sizeof b->e0);
    }
    if (!w->mixed) {
        turn_in(w, f->u[0] + gy_flux_place(f, w->row[1], w->row[2]) + a, f->e.sy, steps, w->u + 1);
        for (int r = 1; r <= steps; r++) {
            for (int l = 0; l < w->lanes; l += VW) {
                gy_store(w->u[r] + l, gy_load(w->u[r] + l) * f->scale);
            }
        }
        if (i0 + steps == s->n && wraps_along(s)) {
            memcpy(w->u[steps], b->u0, sizeof b->u0);
        } else if (i0 + steps == s->n && !(f->open_sides & 2u)) {
            memset(w->u[steps], 0, sizeof b->u0);
        }
        if (!s->first) {
            turn_left_over(w, a, steps, w->e + 1);
        }
    } else {
        for (int r = 0; r < w->valid; r++) {
            gy_flux_row(f, 0, w->row[1] + r, w->row[2], i0, steps + 1, b->flat[r]);
        }
        turn_in(w, b->flat[0] + 1, flat, steps, w->u + 1);
        for (int r = 0; r < w->valid && !s->first; r++) {
            error_row(s, w->row[1] + r, w->row[2], i0, cells, b->flat[r]);
        }
        if (!s->first) {
            turn_in(w, b->flat[0] + 1, flat, steps, w->e + 1);
        }
    }
    if (i0 + steps == s->n) {
        memcpy(w->e[steps], b->e0, sizeof b->e0);
    }
}

/// Whether faces across x before lanes i let something through.
static void mask_faces(const window *w, int i, float *open)
{
    int32_t whole[WIDE] = {0};
    for (int r = 0; r < w->valid; r++) {
        int at = row_of(w->s, i);
        whole[r] = -(*gy_coefficient(&w->s->f.g, 0, at, w->row[1] + r, w->row[2]) > 0);
    }
    memcpy(open, whole, sizeof whole);
}

/// As rows_mixed; p - 3 is a multiple of WIDE.
static void lines_mixed(window *w, lines *b, int p, int count)
{
    _Static_assert(WIDE == 2 * GY_GROUP, "a window's cells are those of a flag");
    const sweep *s = w->s;
    const gy_flux *f = &s->f;
    int i0 = p - 3, n = s->n, j = w->row[1], k = w->row[2];
    ptrdiff_t step = sizeof b->flat[0] / sizeof(float);
    w->mixed = f->solids && wraps_along(s) && i0 + WIDE >= n;
    for (int r = 0; r < w->valid && f->solids && !w->mixed; r++) {
        w->mixed = !is_plain(s, j + r, k, i0) || (i0 > 0 && !is_plain(s, j + r, k, i0 - WIDE)) ||
                   (gy_flux_groups(f, i0) > 1 && !is_plain(s, j + r, k, i0 + WIDE));
    }
    if (!w->mixed) {
        return;
    }
    for (int r = 0; r < w->valid; r++) {
        if (!gy_open_row(f, 0, j + r, k, i0, GY_MIN(count + 3, n - i0), b->flat[r])) {
            memset(b->flat[r], 0xff, sizeof b->flat[r]);
        }
    }
    turn_in(w, b->flat[0] + 3, step, GY_MIN(count, n - p), w->open);
    for (int r = GY_MAX(n - p, 0); r < count; r++) {
        mask_faces(w, p + r, w->open[r]);
    }
    for (int r = 0; r < w->valid; r++) {
        gy_gas_row(f, j + r, k, i0, GY_MIN(count, n - i0), b->flat[r]);
    }
    turn_in(w, b->flat[0], step, count, w->gas);
}

/// Up to before face 1.
static void lines_start(window *w, lines *b, strand *x, int fields, ptrdiff_t base)
{
    const sweep *s = w->s;
    int n = s->n, last = (n - 1) / WIDE * WIDE, j = w->row[1], k = w->row[2];
    bool wraps = wraps_along(s), passes = wraps || (s->f.open_sides & 1u);
    ptrdiff_t step = s->a->extent.sy;
    float nowhere[WIDE];
    memset(w->u, 0, 3 * sizeof w->u[0]);
    memset(w->e, 0, 3 * sizeof w->e[0]);
    for (int r = 0; r < w->valid; r++) {
        w->u[2][r] = passes ? face_across_x(s, 0, j + r, k) : 0.0f;
        if (!s->first && s->f.solids) {
            error_row(s, j + r, k, 0, 1, b->flat[0]);
            w->e[2][r] = b->flat[0][0];
            error_row(s, j + r, k, last, n - last, b->flat[0]);
            w->e[1][r] = b->flat[0][n - 1 - last];
        }
    }
    if (!s->first && !s->f.solids) {
        turn_left_over(w, n - 1, 1, w->e + 1);
        turn_left_over(w, 0, 1, w->e + 2);
    }
    memcpy(b->u0, w->u[2], sizeof b->u0);
    memcpy(b->e0, w->e[2], sizeof b->e0);
    weigh(w, 0, 2);
    w->mixed = s->f.solids;
    for (int f = 0; f < fields; f++) {
        const float *from = x[f].from + base;
        turn_in(w, from, step, 3, b->cells);
        for (int c = 0; c < 3; c++) {
            memcpy(b->head[f][c], b->cells[row_of(s, c)], sizeof b->e0);
            for (int r = 0; r < WIDE; r++) {
                b->tail[c][r] = wraps ? from[GY_MIN(r, w->valid - 1) * step + row_of(s, c - 3)]
                                      : b->head[f][0][r];
            }
        }
        const float *q[4] = {b->tail[0], b->tail[1], b->tail[2], b->head[f][0]};
        for (int r = 0; r < 3 && w->mixed; r++) {
            mask_faces(w, r - 2, w->open[r]);
        }
        start(w, &x[f], q);
        for (int r = 0; r < 2; r++) {
            lift t = {.in = b->head[f][1 + r], .out = nowhere, .row = r, .steps = 1};
            if (w->mixed) {
                mask_faces(w, 1 + r, w->open[r]);
            }
            if (r == 1 && !wraps) {
                beyond(w, &x[f], 0, x[f].q0);
            }
            climb(w, &x[f], &t, MIDDLE);
        }
        if (!wraps) {
            leave(w, &x[f], 0);
        }
    }
}

/// Whether a window's rows hold nothing, as `climb` finds it; then what comes out is written.
static bool lines_empty(const window *w, const strand *x, ptrdiff_t base, int a, int steps)
{
    ptrdiff_t step = w->s->a->extent.sy;
    const float *in = x->from + base + a + 2;
    if (w->mixed || !is_idle(x, w->lanes) || !rows_empty(in, step, w->valid, steps)) {
        return false;
    }
    for (int r = 0; r < w->valid && x->to != x->from; r++) {
        memset(x->to + base + a - 1 + r * step, 0, (size_t)steps * sizeof *x->to);
    }
    return true;
}

/// A window's rows of one field: faces a ...
static void lines_climb(const window *w, lines *b, strand *x, int field, ptrdiff_t base, int a,
                        int steps)
{
    const sweep *s = w->s;
    int n = s->n, plain = GY_MAX(0, GY_MIN(n - 2 - a, steps));
    bool wraps = wraps_along(s);
    ptrdiff_t step = s->a->extent.sy;
    kind k = kind_of(s);
    if (plain == steps && lines_empty(w, x, base, a, steps)) {
        return;
    }
    if (plain > 0) {
        turn_in(w, x->from + base + a + 2, step, plain, b->cells);
    }
    for (int r = plain; r < steps; r++) {
        const float *nearest = r > 0 ? b->cells[r - 1] : x->q2;
        memcpy(b->cells[r], wraps ? b->head[field][(a + r + 2) % n] : nearest, sizeof b->e0);
    }
    lift t = {
        .in = b->cells[0], .in_step = WIDE, .out = b->out[0], .out_step = WIDE, .steps = steps};
    climb_to(w, x, t, k, a + steps - 1 == n && !wraps);
    int whole = gy_round_up(steps, GY_LANES);
    memset(b->out[steps], 0, (size_t)(whole - steps) * sizeof b->out[0]);
    turn_out(w, b->out, whole, x->to + base + a - 1, step);
}

static void swell_lines(const window *w, lines *b, float *swelling, int steps)
{
    ptrdiff_t step = w->s->a->extent.sy;
    for (int r = 0; r < steps; r++) {
        for (int l = 0; l < w->lanes; l += VW) {
            gy_store(b->out[r] + l,
                     gy_load(w->e[r] + l) + (gy_load(w->u[r] + l) - gy_load(w->u[r + 1] + l)));
        }
    }
    for (int r = 0; r < w->valid; r++) {
        for (int i = 0; i < steps; i++) {
            swelling[r * step + i] += b->out[i][r];
        }
    }
}

static GY_NOINLINE void sweep_lines(const sweep *s, const gy_box *box, window *w, strand *x)
{
    int fields = s->a->count, n = s->n;
    lines b;
    for (w->row[2] = box->low[2]; w->row[2] < box->high[2]; w->row[2]++) {
        for (w->row[1] = box->low[1]; w->row[1] < box->high[1]; w->row[1] += WIDE) {
            ptrdiff_t base = gy_flux_place(&s->f, w->row[1], w->row[2]);
            w->valid = GY_MIN(WIDE, box->high[1] - w->row[1]);
            w->lanes = gy_round_up(w->valid, VW);
            lines_start(w, &b, x, fields, base);
            for (int a = 1, count; a <= n; a += count) {
                count = GY_MIN(TALL, n + 1 - a);
                lines_mixed(w, &b, a + 2, count);
                lines_volumes(w, &b, a, count);
                if (s->swelling) {
                    swell_lines(w, &b, s->swelling + base + a - 1, count);
                }
                weigh(w, 0, count);
                for (int f = 0; f < fields; f++) {
                    lines_climb(w, &b, &x[f], f, base, a, count);
                }
                memcpy(w->u[0], w->u[count], sizeof w->u[0]);
                memcpy(w->e[0], w->e[count], sizeof w->e[0]);
            }
            for (int f = 0; f < fields; f++) {
                total_block(w, &x[f]);
            }
        }
    }
}

void GY_BODY(remap)(const void *args, const gy_box *box, int task)
{
    const gy_remap_args *a = args;
    sweep s = sweep_make(a, task);
    window w;
    strand x[MOST_FIELDS];
    w.s = &s;
    for (int q = 0; q < a->count; q++) {
        x[q].from = place_of(&s, q, a->from);
        x[q].to = place_of(&s, q, a->to);
        x[q].factor = factor_of(&s, q);
        find_rims(&s, q, x[q].rim);
        x[q].limit = a->limit;
        x[q].total = x[q].left = 0.0;
        memset(x[q].sum, 0, sizeof x[q].sum);
    }
    if (a->axis == 0) {
        sweep_lines(&s, box, &w, x);
    } else {
        sweep_rows(&s, box, &w, x);
    }
    for (int q = 0; q < a->count; q++) {
        s.partial[2 * q] = x[q].total;
        s.partial[2 * q + 1] = x[q].left;
    }
}
