// gas/ops/column.h: what remap does to columns of cells, each in its lane: see gas/ops/remap.c for
// the equations. On its way up a column all that is known of the cells below stays in registers.
#ifndef GY_COLUMN_H
#define GY_COLUMN_H

#include "base/simd_double.h"
#include "gas/ops/gas_row.h"

enum {
    WIDE = 2 * GY_LANES, // columns of a block
    TALL = 32,           // cells of a column between two sums, and volumes worked out at once
    FEW = 6,             // that are no window of their own
    MOST_FIELDS = 4      // of a sweep
};

typedef struct sweep {
    const gy_remap_args *a;
    gy_flux f;
    int dim, axis, n;
    bool first, last;
    double *partial;
    float *swelling;
    const uint8_t *plain; // NULL: not known
} sweep;

/// All bits where a face across `axis` lets something through, as gy_flux_row counts faces; in rows
/// that are. False: everywhere, and nothing is written.
static GY_NOINLINE bool gy_open_row(const gy_flux *f, int axis, int j, int k, int i0, int count,
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

/// Whether of a group of cells of row (j, k), which is one of the domain, all faces are whole, but
/// for those on sides.
GY_INLINE bool is_plain(const sweep *s, int j, int k, int i0)
{
    const uint8_t *flags = gy_flux_flags(&s->f, j, k, i0);
    return *flags || (s->plain && s->plain[flags - s->f.g.flags]);
}

// ---- what is the same for all fields ------------------------------------------------------------

/// Of a block of columns: the volumes of TALL faces and of the cells before them. Row r is face
/// a + r, and cell a + r - 1.
typedef struct window {
    const sweep *s;
    int lanes, valid; // that are worked out; that are columns of the field
    int row[3];       // i, j and k of the block's first column; that along the axis is 0
    float u[TALL + 2][WIDE];
    float e[TALL + 2][WIDE]; // left over before the sweep; after `weigh`, but in the last sweep,
                             // 1 / the volume after it
    float slack[GY_FLUX_SLACK + GY_LANES];
    float slope[TALL][WIDE], bow[TALL][WIDE]; // what passes of a cell's slope and of its bow
    float open[TALL + 3][WIDE], gas[TALL + 1][WIDE], beyond[2 * GY_FLUX_SLACK];
    bool mixed; // some face before rows a + 2 ... is shut, or some cell holds no gas
    int32_t
        known[2 * TALL]; // by rows' last digits (along x: groups'), one: plus 1; less: not plain
} window;

/// From volumes in rows `from` ... of u and e: with c half of the part of a cell that leaves,
/// slope = |u| (1/2 - c), bow = u (1/2 - c) (1 - 4 c).
static GY_NOINLINE void weigh(window *w, int from, int steps)
{
    bool first = w->s->first, last = w->s->last;
    int lanes = w->lanes;
    for (int r = from; r < from + steps; r++) {
        const float *u = w->u[r + 1], *before = w->u[r], *above = w->e[r + 1];
        float *below = w->e[r], *slope = w->slope[r], *bow = w->bow[r];
        for (int i = 0; i < lanes; i += VW) {
            vf v = gy_load(u + i), size = gy_abs(v), c = 0.5f * size, e = gy_splat(0.0f);
            if (!first) {
                e = gy_load(below + i);
                c /= 1.0f + gy_select((vi)(v > 0.0f), e, gy_load(above + i));
            }
            vf rest = 0.5f - c;
            gy_store(slope + i, size * rest);
            gy_store(bow + i, (v * rest) * (1.0f - 4.0f * c));
            if (!last) {
                vf more = gy_load(before + i) - v;
                gy_store(below + i, 1.0f / (1.0f + (first ? more : e + more)));
            }
        }
    }
}

// ---- columns of a field -------------------------------------------------------------------------

/// What is known of columns on the way up, before the face below cell p: of cells p - 1, p and
/// p + 1 the samples, of faces p and p + 1 the differences d across them, of cells p - 1 and p the
/// differences b of those, of cell p its edge below, of cell p - 1 the slope and bow of its
/// parabola (the difference of its edges; their sum less twice the mean), and what passes face
/// p - 1.
typedef struct strand {
    float q0[WIDE], q1[WIDE], q2[WIDE], d1[WIDE], d2[WIDE], b0[WIDE], b1[WIDE];
    float m1[WIDE], m2[WIDE]; // all bits where face p, face p + 1 is open
    float edge[WIDE], slope[WIDE], bow[WIDE], flux[WIDE];
    double sum[WIDE], total, left;
    float *from, *to;
    const float *rim[2]; // what comes in by the ends of the axis; NULL: nothing
    float factor, limit;
} strand;

/// What a field's columns are read from and written to.
typedef struct lift {
    const float *in; // cells p + 2
    ptrdiff_t in_step;
    float *out; // cells p - 1
    ptrdiff_t out_step;
    int row, steps; // of the window
} lift;

typedef enum kind { FIRST, MIDDLE, LAST } kind;

/// The smaller of two of one sign, else 0.
GY_INLINE vf within(vf x, vf y)
{
    vf zero = gy_splat(0.0f);
    return gy_clamp(x, gy_min(y, zero), gy_max(y, zero));
}

GY_INLINE vf masked(const float (*mask)[WIDE], int r, int i, vf x)
{
    return mask ? (vf)((vi)x & (vi)gy_load(mask[r] + i)) : x;
}

/// The edges of a cell less its mean, from what they would be, the differences across its faces,
/// and differences of differences of the cells below and above.
GY_INLINE void limit_edges(vf *low, vf *high, vf a, vf b, vf whole, vf b0, vf b2)
{
    // A jump: second differences turn over and exceed 0.45 of the first one over two cells.
    vi jump = (vi)(gy_max(b0 * b2, whole * (0.45f * whole - (b0 - b2))) < 0.0f);
    vf l = gy_select(jump, a, *low), h = gy_select(jump, b, *high);
    // No extremum inside; where the cell is one itself, both are of opposite signs and become 0.
    *low = within(l, h + h);
    *high = within(h, l + l);
}

/// Adds the lanes' lower half and their upper one.
GY_INLINE void add_up(vd *low, vd *high, vf x)
{
    *low += gy_double_low(x);
    *high += gy_double_high(x);
}

/// Climbs lanes l ... of a field's columns.
GY_INLINE void climb_as(const window *w, strand *x, const lift *t, int l, kind k, bool mixed)
{
    const float c12 = 1.0f / 12.0f;
    const float(*open)[WIDE] = mixed ? w->open : NULL, (*holds)[WIDE] = mixed ? w->gas : NULL;
    const float *in = t->in + l, *u = w->u[t->row] + l, *slopes = w->slope[t->row] + l,
                *bows = w->bow[t->row] + l, *cell = w->e[t->row] + l;
    float *out = t->out + l;
    ptrdiff_t in_step = t->in_step, out_step = t->out_step;
    int steps = t->steps, row = t->row;
    float factor = x->factor, limit = x->limit;
    vf zero = gy_splat(0.0f), q0 = gy_load(x->q0 + l), q1 = gy_load(x->q1 + l),
       q2 = gy_load(x->q2 + l), d1 = gy_load(x->d1 + l), d2 = gy_load(x->d2 + l),
       b0 = gy_load(x->b0 + l), b1 = gy_load(x->b1 + l), low = gy_load(x->edge + l),
       slope0 = gy_load(x->slope + l), bow0 = gy_load(x->bow + l), flux0 = gy_load(x->flux + l);
    vd sum0 = gy_load_double(x->sum + l), sum1 = gy_load_double(x->sum + l + VW / 2);
    vf n2 = gy_min(d2, zero), p2 = gy_max(d2, zero), whole = d1 + d2, u0 = gy_load(u);
    vi m1 = {0}, m2 = {0};
    if (mixed) {
        m1 = (vi)gy_load(x->m1 + l), m2 = (vi)gy_load(x->m2 + l);
    }
    for (int r = 0; r < steps; r++) {
        __builtin_prefetch(in + WIDE);
        vf q3 = gy_load(in), d3 = masked(open, row + r, l, q3 - q2), n3 = gy_min(d3, zero),
           p3 = gy_max(d3, zero), wider = d2 + d3, b2 = d3 - d2;
        // The edges at face p + 1, of cell p above and of cell p + 1 below.
        vf even = 0.5f * d2, odd = c12 * (d1 - d3);
        vf high = gy_clamp(even + odd, n2, p2), next = gy_clamp(even - odd, n2, p2);
        if (mixed) {
            // What lies beyond a shut face is not looked at.
            limit_edges(&low, &high, d1, d2, whole, (vf)((vi)b0 & m1), (vf)((vi)b2 & m2));
            m1 = m2, m2 = (vi)gy_load(open[row + r] + l);
        } else {
            limit_edges(&low, &high, d1, d2, whole, b0, b2);
        }
        vf slope = high + low, bow = high - low, v = gy_load(u + WIDE);
        // Where the volume goes up it is the cell below's.
        vi up = (vi)(v > 0.0f);
        vf flux = v * gy_select(up, q0, q1) + (gy_load(slopes) * gy_select(up, slope0, slope) +
                                               gy_load(bows) * gy_select(up, bow0, bow));
        vf net = flux0 - flux, y, e = gy_load(cell);
        if (k == LAST) {
            y = factor * (q0 + (net + q0 * e));
            y = gy_flush(gy_clamp(y, gy_splat(-limit), gy_splat(limit)));
            add_up(&sum0, &sum1, masked(holds, row + r, l, y));
        } else {
            y = q0 + (net - q0 * (u0 - v)) * e;
            if (k == FIRST) {
                add_up(&sum0, &sum1, masked(holds, row + r, l, q0));
            }
        }
        gy_store(out, y);
        __builtin_prefetch(out + WIDE, 1);
        q0 = q1, q1 = q2, q2 = q3, d1 = d2, d2 = d3, n2 = n3, p2 = p3, b0 = b1, b1 = b2;
        low = next, slope0 = slope, bow0 = bow, flux0 = flux, u0 = v;
        whole = wider;
        in += in_step, out += out_step, u += WIDE, slopes += WIDE, bows += WIDE, cell += WIDE;
    }
    gy_store(x->q0 + l, q0), gy_store(x->q1 + l, q1), gy_store(x->q2 + l, q2);
    gy_store(x->d1 + l, d1), gy_store(x->d2 + l, d2), gy_store(x->edge + l, low);
    gy_store(x->b0 + l, b0), gy_store(x->b1 + l, b1);
    gy_store(x->slope + l, slope0), gy_store(x->bow + l, bow0);
    gy_store(x->flux + l, flux0);
    if (mixed) {
        gy_store(x->m1 + l, (vf)m1), gy_store(x->m2 + l, (vf)m2);
    }
    gy_store_double(x->sum + l, sum0), gy_store_double(x->sum + l + VW / 2, sum1);
}

static GY_NOINLINE void climb_first(const window *w, strand *x, const lift *t)
{
    for (int l = 0; l < w->lanes; l += VW) {
        climb_as(w, x, t, l, FIRST, false);
    }
}
static GY_NOINLINE void climb_middle(const window *w, strand *x, const lift *t)
{
    for (int l = 0; l < w->lanes; l += VW) {
        climb_as(w, x, t, l, MIDDLE, false);
    }
}
static GY_NOINLINE void climb_last(const window *w, strand *x, const lift *t)
{
    for (int l = 0; l < w->lanes; l += VW) {
        climb_as(w, x, t, l, LAST, false);
    }
}
static GY_NOINLINE void climb_mixed(const window *w, strand *x, const lift *t, kind k)
{
    for (int l = 0; l < w->lanes; l += VW) {
        if (k == FIRST) {
            climb_as(w, x, t, l, FIRST, true);
        } else if (k == LAST) {
            climb_as(w, x, t, l, LAST, true);
        } else {
            climb_as(w, x, t, l, MIDDLE, true);
        }
    }
}

/// Whether all that is known of columns on the way up is zero, the bits of it.
static GY_NOINLINE bool is_idle(const strand *x, int lanes)
{
    const float *const parts[] = {x->q1, x->q2,   x->q0,    x->d1,  x->d2,  x->b0,
                                  x->b1, x->edge, x->slope, x->bow, x->flux};
    for (int p = 0; p < GY_COUNT(parts); p++) {
        vi any = {0};
        for (int l = 0; l < lanes; l += VW) {
            any |= (vi)gy_load(parts[p] + l);
        }
        if (gy_any(any != 0)) {
            return false;
        }
    }
    return true;
}

/// Whether `lanes` samples of all of these rows are zero, the bits of them.
static GY_NOINLINE bool rows_empty(const float *row, ptrdiff_t step, int rows, int lanes)
{
    for (int r = 0; r < rows; r++, row += step) {
        __builtin_prefetch(row + WIDE);
        vi any = {0};
        for (int l = 0; l < lanes; l += VW) {
            any |= (vi)gy_load(row + l);
        }
        if (gy_any(any != 0)) {
            return false;
        }
    }
    return true;
}

static void climb(const window *w, strand *x, const lift *t, kind k)
{
    if (t->steps <= 0) {
        return;
    }
    // Where there is nothing nothing passes: what comes out is zero, and so is what is known.
    if (!w->mixed && is_idle(x, w->lanes) && rows_empty(t->in, t->in_step, t->steps, w->lanes)) {
        for (int r = 0; r < t->steps; r++) {
            memset(t->out + r * t->out_step, 0, (size_t)w->lanes * sizeof *t->out);
        }
        return;
    }
    if (w->mixed) {
        climb_mixed(w, x, t, k);
        return;
    }
    if (w->s->f.solids) {
        memset(x->m1, 0xff, sizeof x->m1), memset(x->m2, 0xff, sizeof x->m2);
    }
    if (k == FIRST) {
        climb_first(w, x, t);
    } else if (k == LAST) {
        climb_last(w, x, t);
    } else {
        climb_middle(w, x, t);
    }
}

/// Before the face below cell low - 1: from cells low - 3 ... low.
static void start(const window *w, strand *x, const float *const q[4])
{
    const float(*open)[WIDE] = w->mixed ? w->open : NULL;
    for (int l = 0; l < w->lanes; l += VW) {
        vf zero = gy_splat(0.0f), c[4], d[3], n[3], p[3];
        for (int r = 0; r < 4; r++) {
            c[r] = gy_load(q[r] + l);
        }
        for (int r = 0; r < 3; r++) {
            d[r] = masked(open, r, l, c[r + 1] - c[r]);
            n[r] = gy_min(d[r], zero);
            p[r] = gy_max(d[r], zero);
        }
        gy_store(x->q0 + l, c[1]), gy_store(x->q1 + l, c[2]), gy_store(x->q2 + l, c[3]);
        gy_store(x->d1 + l, d[1]), gy_store(x->d2 + l, d[2]);
        gy_store(x->b0 + l, d[1] - d[0]), gy_store(x->b1 + l, d[2] - d[1]);
        for (int r = 0; r < 2; r++) {
            float *to = (r == 0 ? x->m1 : x->m2) + l;
            gy_store(to, open ? gy_load(open[1 + r] + l) : (vf)(vi)(zero == zero));
        }
        vf edge = 0.5f * d[1] - (1.0f / 12.0f) * (d[0] - d[2]);
        gy_store(x->edge + l, gy_clamp(edge, n[1], p[1]));
        gy_store(x->slope + l, zero), gy_store(x->bow + l, zero), gy_store(x->flux + l, zero);
    }
}

// ---- rows that become columns -------------------------------------------------------------------

/// Exchanges rows and columns of VW rows.
GY_INLINE void turn(vf *x)
{
    for (int n = 1; n < VW; n *= 2) {
        vf y[VW];
        for (int r = 0; r < VW / 2; r++) {
            y[2 * r] = gy_zip_low(x[r], x[r + VW / 2]);
            y[2 * r + 1] = gy_zip_high(x[r], x[r + VW / 2]);
        }
        for (int r = 0; r < VW; r++) {
            x[r] = y[r];
        }
    }
}

/// `count` lanes of rows `step` apart become as many rows, and up to VW - 1 more.
static GY_NOINLINE void turn_in(const window *w, const float *from, ptrdiff_t step, int count,
                                float (*to)[WIDE])
{
    int valid = w->valid, lanes = w->lanes;
    for (int l = 0; l < lanes; l += VW) {
        for (int c = 0; c < count; c += VW) {
            vf x[VW];
            const float *row = from + c + l * step;
            for (int r = 0; r < VW; r++) {
                x[r] = gy_load(row);
                __builtin_prefetch(row + TALL);
                row += l + r + 1 < valid ? step : 0; // the last one once more
            }
            turn(x);
            for (int r = 0; r < VW; r++) {
                gy_store(to[c + r] + l, x[r]);
            }
        }
    }
}

static GY_NOINLINE void turn_out(const window *w, float (*from)[WIDE], int count, float *to,
                                 ptrdiff_t step)
{
    int valid = w->valid, lanes = w->lanes;
    for (int l = 0; l < lanes; l += VW) {
        for (int c = 0; c < count; c += VW) {
            vf x[VW];
            for (int r = 0; r < VW; r++) {
                x[r] = gy_load(from[c + r] + l);
            }
            turn(x);
            for (int r = 0; r < VW && l + r < valid; r++) {
                gy_store(to + c + (l + r) * step, x[r]);
            }
        }
    }
}

#endif
