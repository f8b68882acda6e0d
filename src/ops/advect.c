// ops/advect.c: carries fields along. u_t + (u . grad) q = 0.
//
// advect:  q^(x) = q(x + d-)                      semi-Lagrangian, first order in time error terms,
// monotone correct: q'(x) = q^(x) + (q(x) - q^(x + d+)) / 2  MacCormack (Selle et al. 2008), second
// order in space and
//          time, then limited to the samples round x + d-, so that no new extrema appear.
// What is below 1e-30 becomes 0. Bytes per cell and field: advect reads 4 (d + 1) and writes 4;
// correct reads 4 (2 d + 2) and writes 4. (The twin reads the displacements, 4 d and 8 d of these,
// once for all fields.)
#include "ops/lanes.h"
#include "ops/row.h"

typedef struct carrier {
    const gy_advect_args *a;
    const gy_field *f;
    const float *source, *hat;
    float *target;
    const float *back[3], *forward[3];
    const float *bounds;
    ptrdiff_t mean;
    int blocks;
} carrier;

/// Whether a block of a field on faces across `axis` has a face of the domain's sides that is
/// carried.
GY_INLINE bool on_side(const carrier *c, int axis, int ib, int j, int k)
{
    if (c->a->periodic >> axis & 1u) {
        return false;
    }
    if (axis == 0) {
        return (ib == 0 && c->f->edge[0].rule[0] == GY_EDGE_COPY) ||
               (ib >= c->blocks - 1 && c->f->edge[0].samples > c->a->extent.n[0]);
    }
    int p = axis == 1 ? j : k;
    return p == 0 || p == c->a->extent.n[axis];
}

/// The bounds of the displacements that a block of samples uses: its own block's, and for a face
/// that of the neighbour block whose displacement is averaged in.
GY_INLINE void block_bounds(const carrier *c, int dim, int ib, int j, int k, int part, float *low,
                            float *high)
{
    const gy_extent *e = &c->a->extent;
    int at[3] = {ib, j, k}, count[3] = {c->blocks, e->n[1], e->n[2]}, other[3];
    for (int a = 0; a < 3; a++) {
        at[a] = GY_MIN(at[a], count[a] - 1);
        other[a] = at[a];
    }
    int axis = c->f->location;
    if (axis < 3) {
        int p = (axis == 0 ? ib : axis == 1 ? j : k) - 1;
        other[axis] = p >= 0 ? p : (c->a->periodic >> axis & 1u) ? count[axis] - 1 : 0;
    }
    const float *b0 =
        c->bounds + (((ptrdiff_t)at[2] * e->n[1] + at[1]) * c->blocks + at[0]) * 12 + part;
    const float *b1 =
        c->bounds + (((ptrdiff_t)other[2] * e->n[1] + other[1]) * c->blocks + other[0]) * 12 + part;
    for (int a = 0; a < dim; a++) {
        low[a] = GY_MIN(b0[a], b1[a]);
        high[a] = GY_MAX(b0[3 + a], b1[3 + a]);
    }
    if (axis < 3 && on_side(c, axis, ib, j, k)) {
        // A boundary face's displacement is turned inwards, by a hair at least: see gy_inward.
        low[axis] = GY_MIN(low[axis], -0x1p-22f);
        high[axis] = GY_MAX(high[axis], 0x1p-22f);
    }
}

GY_INLINE void range_fit(int dim, const gy_run_lanes *r, void *data, int first);

static GY_NOINLINE void range_2d(const gy_run_lanes *r, float *out)
{
    GY_TAPS_2D(GY_RANGE_BODY, r->taps)
}
static GY_NOINLINE void range_3d(const gy_run_lanes *r,
                                 float *out){GY_TAPS_3D(GY_RANGE_BODY, r->taps)}

GY_INLINE void range_fit(int dim, const gy_run_lanes *r, void *data, int first)
{
    float *out = (float *)data + first;
    if (dim == 3) {
        range_3d(r, out);
    } else {
        range_2d(r, out);
    }
}

GY_INLINE void range_corners(int dim, const gy_run_lanes *r, const gy_wrap *w, float *out)
{
    for (int i = 0; i < r->lanes; i += VW) {
        gy_corner c;
        vf low, high;
        gy_corner_at(dim, r, w, i, &c);
        gy_corner_sum(dim, r, &c, i, &low, &high);
        gy_store(out + i, gy_clamp(gy_load(out + i), low, high));
    }
}
static GY_NOINLINE void range_gather_2d(const gy_run_lanes *r, const gy_wrap *w, float *out)
{
    range_corners(2, r, w, out);
}
static GY_NOINLINE void range_gather_3d(const gy_run_lanes *r, const gy_wrap *w, float *out)
{
    range_corners(3, r, w, out);
}
GY_INLINE void range_gather(int dim, const gy_run_lanes *r, const gy_wrap *w, void *data, int first)
{
    if (dim == 3) {
        range_gather_3d(r, w, (float *)data + first);
    } else {
        range_gather_2d(r, w, (float *)data + first);
    }
}

GY_INLINE gy_run_lanes run_make(const carrier *c, int dim, const float *field,
                                const float *const d[3], ptrdiff_t o, int lanes)
{
    gy_run_lanes r = {.source = field + o,
                      .mean = c->mean,
                      .sy = c->a->extent.sy,
                      .sz = c->a->extent.sz,
                      .lanes = lanes};
    for (int a = 0; a < dim; a++) {
        r.d[a] = d[a] + o;
    }
    return r;
}

/// hat + (old - hat traced back) / 2.
GY_INLINE void add_correction(const carrier *c, ptrdiff_t o, int lanes, const float *again,
                              float *out)
{
    const float *hat = c->hat + o, *old = c->source + o;
    for (int i = 0; i < lanes; i += VW) {
        gy_store(out + i, gy_load(hat + i) + 0.5f * (gy_load(old + i) - gy_load(again + i)));
    }
}

GY_INLINE void advect_block(const carrier *c, int dim, int correct, const gy_wrap *w, ptrdiff_t o,
                            int lanes, float *out)
{
    float low[3], high[3];
    int ib = w->at[0] / GY_BLOCK;
    gy_run_lanes back = run_make(c, dim, c->source, c->back, o, lanes);
    block_bounds(c, dim, ib, w->at[1], w->at[2], 0, low, high);
    if (!correct) {
        gy_each_run(dim, &back, w, low, high, gy_linear_fit, gy_linear_gather, out);
    } else {
        float again[GY_BLOCK], flow[3], fhigh[3];
        gy_run_lanes forward = run_make(c, dim, c->hat, c->forward, o, lanes);
        block_bounds(c, dim, ib, w->at[1], w->at[2], 6, flow, fhigh);
        gy_each_run(dim, &forward, w, flow, fhigh, gy_linear_fit, gy_linear_gather, again);
        add_correction(c, o, lanes, again, out);
        gy_each_run(dim, &back, w, low, high, range_fit, range_gather, out);
    }
    for (int i = 0; i < lanes; i += VW) {
        gy_store(out + i, gy_flush(gy_load(out + i)));
    }
}

GY_INLINE void advect_rows(int dim, int correct, const gy_advect_args *a, const gy_field *f,
                           const gy_box *box)
{
    const gy_extent *e = &a->extent;
    const ptrdiff_t step[4] = {1, e->sy, e->sz, 0};
    carrier c = {.a = a, .f = f, .bounds = gy_at(a->base, a->bounds), .mean = -step[f->location]};
    c.source = gy_at(a->base, f->old);
    c.target = gy_at(a->base, correct ? f->now : f->hat);
    c.hat = correct ? gy_at(a->base, f->hat) : NULL;
    for (int d = 0; d < dim; d++) {
        c.back[d] = gy_at(a->base, a->back[d]);
        c.forward[d] = gy_at(a->base, a->forward[d]);
    }
    c.blocks = (e->n[0] + GY_BLOCK - 1) / GY_BLOCK;
    int end = gy_round_up(e->n[0], GY_LANES);
    gy_wrap w = {.periodic = a->periodic, .n = {e->n[0], e->n[1], e->n[2]}};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int i0 = 0; i0 < end; i0 += GY_BLOCK) {
                w.at[0] = i0;
                w.at[1] = j;
                w.at[2] = k;
                advect_block(&c, dim, correct, &w, o + i0, GY_MIN(GY_BLOCK, end - i0),
                             c.target + o + i0);
            }
            if (f->edge[0].samples > end) {
                // A live upper boundary face beyond the padded end: its lanes would reach into the
                // next row's halo, so they are written aside.
                float aside[GY_LANES];
                w.at[0] = end;
                advect_block(&c, dim, correct, &w, o + end, GY_LANES, aside);
                c.target[o + end] = aside[0];
            }
            gy_row_finish(c.target + o, e->n[0], &f->edge[0]);
        }
    }
}

static GY_NOINLINE void advect_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    advect_rows(2, 0, a, f, b);
}
static GY_NOINLINE void advect_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    advect_rows(3, 0, a, f, b);
}
static GY_NOINLINE void correct_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    advect_rows(2, 1, a, f, b);
}
static GY_NOINLINE void correct_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    advect_rows(3, 1, a, f, b);
}

/// Field by field, each in its own samples of the box.
static void each_field(const gy_advect_args *a, const gy_box *box,
                       void rows(const gy_advect_args *a, const gy_field *f, const gy_box *b))
{
    const gy_field *fields = (const void *)gy_at(a->base, a->fields);
    for (int q = a->first; q < a->first + a->count; q++) {
        gy_box own = *box;
        for (int axis = 1; axis < 3; axis++) {
            own.high[axis] = GY_MIN(own.high[axis], fields[q].edge[axis].samples);
        }
        rows(a, &fields[q], &own);
    }
}

void GY_BODY(advect)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    (void)task;
    each_field(a, box, a->extent.dim == 3 ? advect_3d : advect_2d);
}

void GY_BODY(correct)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    (void)task;
    each_field(a, box, a->extent.dim == 3 ? correct_3d : correct_2d);
}
