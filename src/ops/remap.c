// ops/remap.c: the conservative transport of scalars, one axis at a time:
//
//     (1 + e') q' = (1 + e) q + F_low - F_high,    e' = e + U_low - U_high,
//
// U being the volume that passes a face in a substep and F what it takes along: the integral of the
// parabola of the cell it comes from over the part that leaves (Colella & Woodward, The piecewise
// parabolic method, 1984), whose edges are limited so that it has no extremum of its own, and at
// jumps are the neighbours' means (their discontinuity detection as a switch). e
// is the volume that the sweeps before have left over: each sweep makes convex combinations and an
// even field stays even; after the last one the volume counts as 1 again, since U is free of
// divergence. All is a function of the fields: what passes a face is worked out alike by whoever
// asks. Third order in smooth flow along an axis, second over the split ones.
//
// Bytes per cell and field of a sweep: reads 4, writes 4; of the sweep reads 4 per axis done so
// far and its own. About 60 operations a cell and field.
#include "ops/gas_row.h"
#include "ops/parabola.h"

enum {
    STRIP = 128,     // lanes that are swept together across rows
    MOST_FIELDS = 4, // of a sweep
    ROW = 4096 + 64, // lanes of a row with what lies beyond
    STRETCH = 1024,  // lanes that are swept together along rows
    MARGIN = 32,     // of those before its first cell
    ROWS_ADDED = 8   // whose sums are floats before they are added up in double
};

// ---- a sweep ------------------------------------------------------------------------------------

typedef struct sweep {
    const gy_remap_args *a;
    gy_flux f;
    int dim, axis, n;
    bool first, last;
    double *partial;
    float *swelling;
} sweep;

static sweep sweep_make(const gy_remap_args *a, int task)
{
    const gy_carriage *c = (const gy_carriage *)(const void *)gy_at(a->base, a->carriage);
    sweep s = {.a = a, .dim = a->extent.dim, .axis = a->axis, .n = a->extent.n[a->axis]};
    s.f =
        gy_flux_make(a->base, a->wind, a->level, &a->extent, a->periodic, a->open_sides, c->scale);
    s.first = a->place == 0;
    s.last = a->place == s.dim - 1;
    s.partial = (double *)(void *)gy_at(a->base, a->partial) + 2 * a->count * task;
    s.swelling = s.last ? (float *)(uintptr_t)a->swelling : NULL;
    return s;
}

static float *place_of(const sweep *s, int field, int which)
{
    const gy_field *f =
        (const gy_field *)(const void *)gy_at(s->a->base, s->a->fields) + s->a->first + field;
    return gy_at(s->a->base, which == 0 ? f->old : which == 1 ? f->hat : f->now);
}

static float factor_of(const sweep *s, int field)
{
    return ((const gy_ledger *)(const void *)gy_at(s->a->base, s->a->ledgers) + field)->factor;
}

/// Fluxes of a row of faces as they lie in memory, where that is all they are; else NULL.
GY_INLINE const float *plain_row(const sweep *s, int axis, int j, int k, int i0)
{
    int at = axis == 1 ? j : k;
    bool wraps = s->f.periodic >> axis & 1u;
    if (at == s->f.e.n[axis] && wraps) {
        j = axis == 1 ? 0 : j;
        k = axis == 2 ? 0 : k;
    } else if (!wraps && (at == 0 || at == s->f.e.n[axis])) {
        return NULL;
    }
    return s->f.u[axis] + gy_flux_place(&s->f, j, k) + i0;
}

/// The flux through a face across x, ends included.
static float face_across_x(const sweep *s, int i, int j, int k)
{
    int n = s->f.e.n[0];
    bool wraps = s->f.periodic & 1u;
    float flux = gy_flux_face(&s->f, wraps && i == n ? 0 : i, j, k);
    return wraps || (i > 0 && i < n) ? flux : gy_flux_end(&s->f, i == n, flux);
}

/// error_row where no face inside is other than whole, and all fluxes lie as they are. False: not
/// so.
static GY_NOINLINE bool error_row_plain(const sweep *s, int j, int k, int i0, int count, float *e)
{
    const float *low[2] = {NULL, NULL}, *high[2] = {NULL, NULL};
    float scale = s->f.scale;
    int place = s->a->place, x = -1;
    for (int q = 0; q < place; q++) {
        int axis = s->a->turned ? s->dim - 1 - q : q;
        if (axis == 0) {
            low[q] = s->f.u[0] + gy_flux_place(&s->f, j, k) + i0;
            high[q] = low[q] + 1;
            x = q;
        } else {
            low[q] = plain_row(s, axis, j, k, i0);
            high[q] = plain_row(s, axis, j + (axis == 1), k + (axis == 2), i0);
        }
        if (!low[q] || !high[q]) {
            return false;
        }
    }
    const float *l0 = low[0], *h0 = high[0], *l1 = low[1], *h1 = high[1];
    if (place == 1) {
        for (int i = 0; i < count; i += VW) {
            gy_store(e + i, gy_load(l0 + i) * scale - gy_load(h0 + i) * scale);
        }
    } else {
        for (int i = 0; i < count; i += VW) {
            vf v = gy_load(l0 + i) * scale - gy_load(h0 + i) * scale;
            gy_store(e + i, v + (gy_load(l1 + i) * scale - gy_load(h1 + i) * scale));
        }
    }
    const int ends[2] = {0, s->f.e.n[0] - 1};
    for (int end = 0; end < 2 && x >= 0; end++) {
        int i = ends[end] - i0;
        if (i < 0 || i >= count) {
            continue;
        }
        for (int q = 0; q < place; q++) {
            float v = q == x ? face_across_x(s, i + i0, j, k) - face_across_x(s, i + i0 + 1, j, k)
                             : low[q][i] * scale - high[q][i] * scale;
            e[i] = q == 0 ? v : e[i] + v;
        }
    }
    return true;
}

/// The volume left over in the cells of a row by the sweeps before this one.
static void error_row(const sweep *s, int j, int k, int i0, int count, float *e)
{
    float low[STRIP + 2 * GY_FLUX_SLACK], high[STRIP + 2 * GY_FLUX_SLACK];
    if (!s->f.solids && error_row_plain(s, j, k, i0, count, e)) {
        return;
    }
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

/// Sums of a field over cells, as floats over a few rows, then as doubles.
typedef struct total {
    gy_sum rows;
    int count;
    double sum;
} total;

static void total_fold(total *t)
{
    t->sum += gy_sum_fold(&t->rows);
    t->rows = gy_sum_zero();
    t->count = 0;
}

/// Adds a row; gas: bits of its cells, or NULL.
GY_INLINE void total_row(total *t, const float *q, const float *gas, int count)
{
    for (int i = 0; i < count; i += VW) {
        vf x = gy_load(q + i);
        gy_sum_add(&t->rows, i, gas ? (vf)((vi)x & (vi)gy_load(gas + i)) : x);
    }
    if (++t->count == ROWS_ADDED) {
        total_fold(t);
    }
}

// ---- what passes faces, and what becomes of cells: rows of lanes
// ----------------------------------

/// What leaves a cell below and one above through the face between: where the volume goes up it is
/// the cell below's. half: half of the part of that cell's volume which leaves.
typedef struct passing {
    const float *u, *half;
    const float *below, *below_low, *below_high;
    const float *above, *above_low, *above_high;
} passing;

GY_INLINE void pass_row(const passing *p, int from, int to, float *flux)
{
    const float *u = p->u, *half = p->half, *b = p->below, *bl = p->below_low, *bh = p->below_high,
                *a = p->above, *al = p->above_low, *ah = p->above_high;
    for (int i = from; i < to; i += VW) {
        vf v = gy_load(u + i), c = gy_load(half + i);
        vi up = (vi)(v > 0.0f);
        vf q = gy_select(up, gy_load(b + i), gy_load(a + i));
        vf near = gy_select(up, gy_load(bh + i), gy_load(al + i)); // the edge at the face
        vf far = gy_select(up, gy_load(bl + i), gy_load(ah + i));
        vf x = (near - far) + (3.0f - 4.0f * c) * (near + far);
        gy_store(flux + i, v * (q + (near - c * x)));
    }
}

/// Half of the part of the cell's volume that leaves through faces. e: of the cells below and
/// above; NULL: 0.
GY_INLINE void half_row(const float *u, const float *below, const float *above, int from, int to,
                        float *half)
{
    for (int i = from; i < to; i += VW) {
        vf v = gy_load(u + i), c = 0.5f * gy_abs(v);
        if (below) {
            c /= 1.0f + gy_select((vi)(v > 0.0f), gy_load(below + i), gy_load(above + i));
        }
        gy_store(half + i, c);
    }
}

/// What becomes of cells: the volumes and amounts that pass their two faces, and e before.
typedef struct gain {
    const float *q, *low, *high, *u_low, *u_high, *e, *inverse;
    float factor, limit;
} gain;

/// 1 / the volume of cells after the sweep.
GY_INLINE void inverse_row(const float *u_low, const float *u_high, const float *e, int to,
                           float *inverse)
{
    for (int i = 0; i < to; i += VW) {
        vf v = gy_load(u_low + i) - gy_load(u_high + i);
        gy_store(inverse + i, 1.0f / (1.0f + (e ? gy_load(e + i) + v : v)));
    }
}

GY_INLINE void gain_row(const gain *g, bool last, int to, float *out)
{
    const float *q = g->q, *low = g->low, *high = g->high, *ul = g->u_low, *uh = g->u_high,
                *e = g->e, *inverse = g->inverse;
    float factor = g->factor, limit = g->limit;
    for (int i = 0; i < to; i += VW) {
        vf x = gy_load(q + i), net = gy_load(low + i) - gy_load(high + i);
        if (last) {
            vf y = factor * (x + (net + x * gy_load(e + i)));
            gy_store(out + i, gy_flush(gy_clamp(y, gy_splat(-limit), gy_splat(limit))));
        } else {
            vf v = gy_load(ul + i) - gy_load(uh + i);
            gy_store(out + i, x + (net - x * v) * gy_load(inverse + i));
        }
    }
}

static void swell_row(float *swelling, const float *u_low, const float *u_high, const float *e,
                      int to)
{
    for (int i = 0; i < to; i += VW) {
        vf v = gy_load(e + i) + (gy_load(u_low + i) - gy_load(u_high + i));
        gy_store(swelling + i, gy_load(swelling + i) + v);
    }
}

/// All bits where a face across `axis` lets something through, as gy_flux_row counts faces; in rows
/// that are. False: everywhere, and nothing is written.
static GY_NOINLINE bool open_row(const gy_flux *f, int axis, int j, int k, int i0, int count,
                                 float *out)
{
    const uint8_t *flags = gy_flux_flags(f, j, k, i0);
    int groups = flags ? gy_flux_groups(f, i0) : 0;
    bool whole = true;
    for (int i = 0; i < count && whole; i += 2 * GY_GROUP) {
        whole = i / (2 * GY_GROUP) < groups && flags[i / (2 * GY_GROUP)];
    }
    for (int i = 0; i < count && !whole; i += 2 * VW) {
        vf low, high;
        gy_openness(f, axis, j, k, i0 + i, &low, &high);
        gy_store(out + i, (vf)(vi)(low > 0.0f));
        gy_store(out + i + VW, (vf)(vi)(high > 0.0f));
    }
    return !whole;
}

// ---- along y and z: strips of lanes, row after row
// -------------------------------------------------

/// Of one field: what is known of the last rows of a strip; a row's place in a ring is its number
/// modulo the ring's length.
typedef struct strand {
    float d[4][STRIP], low[2][STRIP], high[2][STRIP], flux[2][STRIP];
    const float *from;
    float *to;
    float factor;
    total sum;
    double left;
} strand;

typedef struct strip {
    const sweep *s;
    int across, i0, lanes;
    ptrdiff_t base, step; // floats to row 0, and from row to row
    float u[2][STRIP + GY_FLUX_SLACK], e[2][STRIP + GY_FLUX_SLACK], half[STRIP], inverse[STRIP];
    float gas[STRIP + GY_FLUX_SLACK], open[STRIP + GY_FLUX_SLACK];
} strip;

/// The row that stands for row p.
GY_INLINE int row_of(const sweep *s, int p)
{
    if (s->a->periodic >> s->axis & 1u) {
        return p >= 0 && p < s->n ? p : (p % s->n + s->n) % s->n;
    }
    return p < 0 ? 0 : p >= s->n ? s->n - 1 : p;
}

GY_INLINE const float *cells_of(const strip *t, const strand *x, int p)
{
    return x->from + t->base + row_of(t->s, p) * t->step;
}

GY_INLINE int ring(int p, int length)
{
    return (p + 3 * length) % length;
}

/// j and k of row p of a strip.
GY_INLINE int j_of(const strip *t, int p)
{
    return t->s->axis == 1 ? p : t->across;
}
GY_INLINE int k_of(const strip *t, int p)
{
    return t->s->axis == 1 ? t->across : p;
}

/// Which faces before row p let something through; NULL: all, or it does not matter.
static const float *open_of(strip *t, int p)
{
    int row = row_of(t->s, p);
    bool open = t->s->f.solids && open_row(&t->s->f, t->s->axis, j_of(t, row), k_of(t, row), t->i0,
                                           t->lanes, t->open);
    return open ? t->open : NULL;
}

GY_INLINE vf across(const float *q, const float *below, const float *open, int i)
{
    vf d = gy_load(q + i) - gy_load(below + i);
    return open ? (vf)((vi)d & (vi)gy_load(open + i)) : d;
}

/// Differences across the faces before row p.
static void begin_row(const strip *t, strand *x, int p, const float *open)
{
    const float *q = cells_of(t, x, p), *below = cells_of(t, x, p - 1);
    float *d = x->d[ring(p, 4)];
    for (int i = 0; i < t->lanes; i += VW) {
        gy_store(d + i, across(q, below, open, i));
    }
}

/// The same of row p + 2, and the edges of row p.
GY_INLINE void edge_row_as(const strip *t, strand *x, int p, const float *open)
{
    const float *q = cells_of(t, x, p + 2), *below = cells_of(t, x, p + 1);
    const float *d0 = x->d[ring(p - 1, 4)], *d1 = x->d[ring(p, 4)], *d2 = x->d[ring(p + 1, 4)];
    float *d3 = x->d[ring(p + 2, 4)], *low = x->low[p & 1], *high = x->high[p & 1];
    for (int i = 0; i < t->lanes; i += VW) {
        vf bb = across(q, below, open, i), l, h;
        edges(gy_load(d0 + i), gy_load(d1 + i), gy_load(d2 + i), bb, &l, &h);
        gy_store(d3 + i, bb);
        gy_store(low + i, l);
        gy_store(high + i, h);
    }
}
static GY_NOINLINE void edge_row(const strip *t, strand *x, int p, const float *open)
{
    if (open) {
        edge_row_as(t, x, p, open);
    } else {
        edge_row_as(t, x, p, NULL);
    }
}

/// What passes the faces before row p.
static GY_NOINLINE void flux_row(const strip *t, strand *x, int p)
{
    static const float none[STRIP];
    bool ends = !(t->s->a->periodic >> t->s->axis & 1u);
    passing w = {.u = t->u[p & 1],
                 .half = t->half,
                 // Outside there is nothing to come in.
                 .below = ends && p == 0 ? none : cells_of(t, x, p - 1),
                 .below_low = x->low[(p - 1) & 1],
                 .below_high = x->high[(p - 1) & 1],
                 .above = ends && p == t->s->n ? none : cells_of(t, x, p),
                 .above_low = x->low[p & 1],
                 .above_high = x->high[p & 1]};
    pass_row(&w, 0, t->lanes, x->flux[p & 1]);
}

/// What becomes of row p.
static GY_NOINLINE void end_row(const strip *t, strand *x, int p, const float *gas)
{
    gain g = {.q = cells_of(t, x, p),
              .low = x->flux[p & 1],
              .high = x->flux[(p + 1) & 1],
              .u_low = t->u[p & 1],
              .u_high = t->u[(p + 1) & 1],
              .e = t->e[p & 1],
              .inverse = t->inverse,
              .factor = x->factor,
              .limit = t->s->a->limit};
    float *out = x->to + t->base + p * t->step;
    if (t->s->last) {
        gain_row(&g, true, t->lanes, out);
        total_row(&x->sum, out, gas, t->lanes);
    } else {
        gain_row(&g, false, t->lanes, out);
    }
    if (t->s->first) {
        total_row(&x->sum, g.q, gas, t->lanes);
    }
}

/// What leaves through the faces before row p, at a side.
static void leave_row(const strip *t, strand *x, int p)
{
    gy_sum sum = gy_sum_zero();
    for (int i = 0; i < t->lanes; i += VW) {
        gy_sum_add(&sum, i, gy_load(x->flux[p & 1] + i));
    }
    x->left += p == 0 ? -gy_sum_fold(&sum) : gy_sum_fold(&sum);
}

/// Rows low ... high - 1 of a strip.
static void run_strip(strip *t, strand *x, int fields, int low, int high)
{
    const sweep *s = t->s;
    bool ends = !(s->a->periodic >> s->axis & 1u);
    for (int p = low - 2; p <= low; p++) {
        const float *open = open_of(t, p);
        for (int q = 0; q < fields; q++) {
            begin_row(t, &x[q], p, open);
        }
    }
    for (int p = low - 1; p <= high; p++) {
        const float *open = open_of(t, p + 2);
        for (int q = 0; q < fields; q++) {
            edge_row(t, &x[q], p, open);
        }
        if (!s->first) {
            int row = row_of(s, p);
            error_row(s, j_of(t, row), k_of(t, row), t->i0, t->lanes, t->e[p & 1]);
        }
        if (p < low) {
            continue;
        }
        gy_flux_row(&s->f, s->axis, j_of(t, p), k_of(t, p), t->i0, t->lanes, t->u[p & 1]);
        half_row(t->u[p & 1], s->first ? NULL : t->e[(p - 1) & 1], t->e[p & 1], 0, t->lanes,
                 t->half);
        for (int q = 0; q < fields; q++) {
            flux_row(t, &x[q], p);
            if (ends && (p == 0 || p == s->n)) {
                leave_row(t, &x[q], p);
            }
        }
        if (p == low) {
            continue;
        }
        int r = p - 1;
        const float *gas = NULL, *ul = t->u[r & 1], *uh = t->u[p & 1];
        if (s->first || s->last) {
            gas = gy_gas_row(&s->f, j_of(t, r), k_of(t, r), t->i0, t->lanes, t->gas);
        }
        if (!s->last) {
            inverse_row(ul, uh, s->first ? NULL : t->e[r & 1], t->lanes, t->inverse);
        }
        if (s->swelling) {
            swell_row(s->swelling + t->base + r * t->step, ul, uh, t->e[r & 1], t->lanes);
        }
        for (int q = 0; q < fields; q++) {
            end_row(t, &x[q], r, gas);
        }
    }
}

static void finish(const sweep *s, int field, total *sum, double left)
{
    total_fold(sum);
    s->partial[2 * field] = sum->sum;
    s->partial[2 * field + 1] = left;
}

static GY_NOINLINE void sweep_rows(const sweep *s, const gy_box *box)
{
    const gy_extent *e = &s->a->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    int fields = s->a->count, end = gy_round_up(e->n[0], GY_LANES);
    strand x[MOST_FIELDS];
    strip t = {.s = s, .step = step[s->axis]};
    for (int q = 0; q < fields; q++) {
        x[q].from = place_of(s, q, s->a->from);
        x[q].to = place_of(s, q, s->a->to);
        x[q].factor = factor_of(s, q);
        x[q].sum = (total){.rows = gy_sum_zero()};
        x[q].left = 0.0;
    }
    for (t.across = box->low[2]; t.across < box->high[2]; t.across++) {
        for (t.i0 = 0; t.i0 < end; t.i0 += STRIP) {
            t.lanes = GY_MIN(STRIP, end - t.i0);
            t.base = t.i0 + t.across * step[3 - s->axis];
            run_strip(&t, x, fields, box->low[1], box->high[1]);
        }
    }
    for (int q = 0; q < fields; q++) {
        finish(s, q, &x[q].sum, x[q].left);
    }
}

// ---- along x: a row after the other
// ----------------------------------------------------------------

/// A row, and what lies beyond its ends: four lanes that count, others that are read.
typedef struct line {
    const sweep *s;
    int j, k, n;
    bool wraps;
    ptrdiff_t base;
    float u[ROW], cells[MARGIN + ROW], open[MARGIN + ROW];
    float e[MARGIN + ROW]; // before the last sweep; in the first 1 / the volume after it
    bool shut;             // some face is: open counts
} line;

/// What is worked out of a stretch of a row, with a margin on both sides.
typedef struct stretch {
    float d[STRETCH + 4 * GY_LANES], low[STRETCH + 4 * GY_LANES], high[STRETCH + 4 * GY_LANES];
    float flux[STRETCH + 2 * GY_LANES], half[STRETCH + 2 * GY_LANES], gas[STRETCH + GY_FLUX_SLACK];
} stretch;

/// What stands for the lanes beyond the ends of a row.
static void row_ends(float *row, int n, bool wraps)
{
    memset(row - MARGIN, 0, MARGIN * sizeof *row);
    for (int q = 1; q <= 4; q++) {
        row[-q] = wraps ? row[((-q) % n + n) % n] : row[0];
    }
    float last = row[n - 1];
    for (int q = 0; q < 4; q++) {
        row[n + q] = wraps ? row[q % n] : last;
    }
}

/// Lanes before the first and after the n-th of what is known of a whole row.
static void whole_ends(float *x, int n, bool wraps, int after)
{
    x[-1] = wraps ? x[n - 1] : 0.0f;
    for (int q = 0; q < after; q++) {
        x[n + q] = wraps ? x[q % n] : 0.0f;
    }
}

/// Differences and edges of all cells of a row, which lie from q on.
static GY_NOINLINE void whole_edges(const line *l, stretch *t, const float *q, int lanes)
{
    const float *open = l->open + MARGIN;
    float *d = t->d + 2 * GY_LANES, *low = t->low + 2 * GY_LANES, *high = t->high + 2 * GY_LANES;
    int n = l->n;
    if (l->shut) {
        for (int i = 0; i < lanes; i += VW) {
            gy_store(d + i, across(q + i, q + i - 1, open + i, 0));
        }
    } else {
        for (int i = 0; i < lanes; i += VW) {
            gy_store(d + i, gy_load(q + i) - gy_load(q + i - 1));
        }
    }
    d[0] = l->wraps && !(l->shut && open[0] == 0.0f) ? q[0] - q[n - 1] : 0.0f;
    whole_ends(d, n, l->wraps, 3);
    for (int i = 0; i < lanes; i += VW) {
        vf a, b;
        edges(gy_load(d + i - 1), gy_load(d + i), gy_load(d + i + 1), gy_load(d + i + 2), &a, &b);
        gy_store(low + i, a);
        gy_store(high + i, b);
    }
    whole_ends(low, n, l->wraps, 1);
    whole_ends(high, n, l->wraps, 1);
}

/// Differences and edges of the cells from i0 - 1 to i0 + lanes.
static GY_NOINLINE void stretch_edges(const line *l, stretch *t, int i0, int lanes)
{
    const float *q = l->cells + MARGIN + i0, *open = l->open + MARGIN + i0;
    float *d = t->d + 2 * GY_LANES, *low = t->low + 2 * GY_LANES, *high = t->high + 2 * GY_LANES;
    for (int i = -VW; i < lanes + VW; i += VW) {
        gy_store(d + i, across(q + i, q + i - 1, l->shut ? open + i : NULL, 0));
    }
    d[-VW - 1] = d[lanes + VW] = d[lanes + VW + 1] = 0.0f;
    for (int i = -VW; i < lanes + VW; i += VW) {
        vf a, b;
        edges(gy_load(d + i - 1), gy_load(d + i), gy_load(d + i + 1), gy_load(d + i + 2), &a, &b);
        gy_store(low + i, a);
        gy_store(high + i, b);
    }
}

/// What passes faces from i0 to i0 + lanes.
static GY_NOINLINE void stretch_flux(const line *l, stretch *t, const float *q, int i0, int lanes)
{
    const float *e = l->e + MARGIN + i0;
    const float *low = t->low + 2 * GY_LANES, *high = t->high + 2 * GY_LANES;
    half_row(l->u + i0, l->s->first ? NULL : e - 1, e, 0, lanes + 1, t->half);
    passing p = {.u = l->u + i0,
                 .half = t->half,
                 .below = q - 1,
                 .below_low = low - 1,
                 .below_high = high - 1,
                 .above = q,
                 .above_low = low,
                 .above_high = high};
    pass_row(&p, 0, lanes + 1, t->flux);
}

static GY_NOINLINE void stretch_end(const line *l, stretch *t, const float *q, int i0, int lanes,
                                    float *out, float factor, total *sum)
{
    const sweep *s = l->s;
    gain g = {.q = q,
              .low = t->flux,
              .high = t->flux + 1,
              .u_low = l->u + i0,
              .u_high = l->u + i0 + 1,
              .e = l->e + MARGIN + i0,
              .inverse = l->e + MARGIN + i0,
              .factor = factor,
              .limit = s->a->limit};
    const float *gas = gy_gas_row(&s->f, l->j, l->k, i0, lanes, t->gas);
    if (s->last) {
        gain_row(&g, true, lanes, out);
        total_row(sum, out, gas, lanes);
    } else {
        // Before they are written over.
        total_row(sum, g.q, gas, lanes);
        gain_row(&g, false, lanes, out);
    }
}

/// What of a row is the same for all fields.
static void line_begin(line *l, int j, int k, int end)
{
    const sweep *s = l->s;
    l->j = j;
    l->k = k;
    l->base = gy_flux_place(&s->f, j, k);
    gy_flux_row(&s->f, 0, j, k, 0, l->n + 1, l->u);
    l->shut = s->f.solids && open_row(&s->f, 0, j, k, 0, l->n, l->open + MARGIN);
    if (l->shut) {
        row_ends(l->open + MARGIN, l->n, l->wraps);
    }
    float *e = l->e + MARGIN;
    if (s->first) {
        inverse_row(l->u, l->u + 1, NULL, end, e);
        return;
    }
    for (int i0 = 0; i0 < end; i0 += STRIP) {
        error_row(s, j, k, i0, GY_MIN(STRIP, end - i0), e + i0);
    }
    if (s->swelling) {
        swell_row(s->swelling + l->base, l->u, l->u + 1, e, end);
    }
    row_ends(e, l->n, l->wraps);
}

/// What passes the two ends of a row.
static void line_ends(const line *l, stretch *t, const float *q, int i0, int lanes, double *left)
{
    int last = l->n - i0;
    if (i0 == 0 && l->wraps && q != l->cells + MARGIN) {
        // The first cell's neighbour is not beside it, and the last one's neither.
        float pair[2][3] = {{q[l->n - 1], t->low[2 * GY_LANES - 1], t->high[2 * GY_LANES - 1]},
                            {q[0], t->low[2 * GY_LANES], t->high[2 * GY_LANES]}};
        float v = l->u[0], c = t->half[0], near = v > 0.0f ? pair[0][2] : pair[1][1],
              far = v > 0.0f ? pair[0][1] : pair[1][2];
        float x = (near - far) + (3.0f - 4.0f * c) * (near + far);
        t->flux[0] = v * (pair[v > 0.0f ? 0 : 1][0] + (near - c * x));
        t->flux[last] = t->flux[0];
    }
    // Outside there is nothing to come in.
    if (i0 == 0 && !l->wraps) {
        t->flux[0] = l->u[0] < 0.0f ? t->flux[0] : 0.0f;
        *left -= (double)t->flux[0];
    }
    if (last <= lanes && !l->wraps) {
        t->flux[last] = l->u[l->n] > 0.0f ? t->flux[last] : 0.0f;
        *left += (double)t->flux[last];
    }
}

static void line_field(line *l, int field, int end, total *sum, double *left)
{
    const sweep *s = l->s;
    const float *q = place_of(s, field, s->a->from) + l->base;
    float *to = place_of(s, field, s->a->to) + l->base;
    stretch t;
    if (end > STRETCH) {
        // The next stretch needs what the one before has written over.
        memcpy(l->cells + MARGIN, q, (size_t)(end + GY_PAD / 2) * sizeof *q);
        q = l->cells + MARGIN;
        row_ends(l->cells + MARGIN, l->n, l->wraps);
    }
    for (int i0 = 0; i0 < end; i0 += STRETCH) {
        int lanes = GY_MIN(STRETCH, end - i0);
        if (end > STRETCH) {
            stretch_edges(l, &t, i0, lanes);
        } else {
            whole_edges(l, &t, q, lanes);
        }
        stretch_flux(l, &t, q + i0, i0, lanes);
        line_ends(l, &t, q, i0, lanes, left);
        stretch_end(l, &t, q + i0, i0, lanes, to + i0, factor_of(s, field), sum);
    }
}

static GY_NOINLINE void sweep_lines(const sweep *s, const gy_box *box)
{
    int end = gy_round_up(s->n, GY_LANES);
    line l = {.s = s, .n = s->n, .wraps = s->a->periodic & 1u};
    total sum[MOST_FIELDS];
    double left[MOST_FIELDS] = {0};
    for (int q = 0; q < s->a->count; q++) {
        sum[q] = (total){.rows = gy_sum_zero()};
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            line_begin(&l, j, k, end);
            for (int q = 0; q < s->a->count; q++) {
                line_field(&l, q, end, &sum[q], &left[q]);
            }
        }
    }
    for (int q = 0; q < s->a->count; q++) {
        finish(s, q, &sum[q], left[q]);
    }
}

void GY_BODY(remap)(const void *args, const gy_box *box, int task)
{
    const gy_remap_args *a = args;
    sweep s = sweep_make(a, task);
    if (a->axis == 0) {
        sweep_lines(&s, box);
    } else {
        sweep_rows(&s, box);
    }
}
