// gas/ops/advect.c: carries fields along. u_t + (u . grad) q = 0.
//
// advect:  q^(x) = q(x + d-)
//          semi-Lagrangian: first order in time, monotone;
// correct: q'(x) = q^(x) + (q(x) - q^(x + d+)) / 2
//          MacCormack (Selle et al. 2008): second order in space and time, then limited to the
//          samples round x + d-, so that no new extrema appear;
// compensate: q*(x) = q(x) + (q(x) - q^(x + d+)) / 2,  deliver: q'(x) = q*(x + d-)
//          BFECC, back and forth error compensation and correction (Dupont and Liu 2003; Kim et al.
//          2005): of the order of MacCormack, for one more carriage, with the same limiter;
// cubic:   q'(x) = q(x + d-)
//          semi-Lagrangian by limited cubics, see gas/ops/cubic.h: first order in time, third in
//          space where nothing is limited.
//
// What is below 1e-30 becomes 0. Bytes per cell and field: each writes 4, advect and cubic read
// 4 (d + 1), correct 4 (2 d + 2), compensate and deliver 4 (d + 2). (A twin reads displacements
// once for all fields: 4 d, correct 8 d.)
//
// With a flow the fields are velocities that keep their energy: see gas/ops/momentum.h.
#include "gas/ops/cubic.h"
#include "gas/ops/energy.h"
#include "gas/ops/momentum.h"
#include "gas/ops/near_lanes.h"

/// old + (old - what was carried there traced back) / 2.
GY_INLINE void compensate_block(const carrier *c, int dim, const gy_wrap *w, ptrdiff_t o, int lanes,
                                float *out)
{
    float low[3], high[3];
    gy_run_lanes forward = run_make(c, dim, c->predicted, c->forward, o, lanes);
    block_bounds(c, dim, w->at[0] / GY_BLOCK, w->at[1], w->at[2], 6, low, high);
    gy_each_run(dim, &forward, w, low, high, gy_linear_fit, gy_linear_gather, out);
    for (int i = 0; i < lanes; i += VW) {
        vf old = gy_load(c->source + o + i);
        gy_store(out + i, gy_flush(old + 0.5f * (old - gy_load(out + i))));
    }
}

/// What was made ready, or by cubics what there was, where it comes from; limited to what lies
/// there of the old samples.
GY_INLINE void limited_block(const carrier *c, int dim, int stage, const gy_wrap *w, ptrdiff_t o,
                             int lanes, float *out)
{
    float low[3], high[3];
    gy_run_lanes old = run_make(c, dim, c->source, c->back, o, lanes);
    block_bounds(c, dim, w->at[0] / GY_BLOCK, w->at[1], w->at[2], 0, low, high);
    if (stage == CUBIC) {
        cubic_block(dim, &old, w, low, high, out);
    } else {
        gy_run_lanes ready = run_make(c, dim, c->predicted, c->back, o, lanes);
        gy_each_run(dim, &ready, w, low, high, gy_linear_fit, gy_linear_gather, out);
    }
    gy_each_run(dim, &old, w, low, high, range_fit, range_gather, out);
    for (int i = 0; i < lanes; i += VW) {
        gy_store(out + i, gy_flush(gy_load(out + i)));
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
        gy_run_lanes forward = run_make(c, dim, c->predicted, c->forward, o, lanes);
        block_bounds(c, dim, ib, w->at[1], w->at[2], 6, flow, fhigh);
        gy_each_run(dim, &forward, w, flow, fhigh, gy_linear_fit, gy_linear_gather, again);
        add_correction(c, o, lanes, again, out);
        gy_each_run(dim, &back, w, low, high, range_fit, range_gather, out);
    }
    for (int i = 0; i < lanes; i += VW) {
        gy_store(out + i, gy_flush(gy_load(out + i)));
    }
}

GY_INLINE void carry_block(const carrier *c, int dim, int stage, const gy_wrap *w, ptrdiff_t o,
                           int lanes, float *out)
{
    if (stage == COMPENSATE) {
        compensate_block(c, dim, w, o, lanes, out);
    } else if (stage > COMPENSATE) {
        limited_block(c, dim, stage, w, o, lanes, out);
    } else if (c->flow[0]) {
        momentum_block(c, dim, stage == CORRECT, w, o, lanes, out);
    } else {
        advect_block(c, dim, stage == CORRECT, w, o, lanes, out);
    }
}

/// Which of a field's three is made.
GY_INLINE uint32_t made_by(int stage, const gy_advect_args *a, const gy_field *f)
{
    bool predicts = stage == COMPENSATE || (stage == ADVECT && !a->ahead);
    return predicts ? f->predicted : f->now;
}

/// Returns the sum of squares of what correct makes of velocities that keep their energy.
GY_INLINE double advect_rows(int dim, int stage, const gy_advect_args *a, const gy_field *f,
                             const gy_box *box)
{
    const gy_extent *e = &a->extent;
    const ptrdiff_t step[4] = {0, 1, e->sy, e->sz}; // by gyre_location
    carrier c = {.a = a, .f = f, .bounds = gy_at(a->base, a->bounds), .mean = -step[f->location]};
    c.source = gy_at(a->base, f->old);
    c.target = gy_at(a->base, made_by(stage, a, f));
    c.predicted = stage == CORRECT || stage == DELIVER ? gy_at(a->base, f->predicted)
                  : stage == COMPENSATE                ? gy_at(a->base, f->now)
                                                       : NULL;
    for (int d = 0; d < dim; d++) {
        c.back[d] = gy_at(a->base, a->back[d]);
        c.forward[d] = gy_at(a->base, a->forward[d]);
        c.flow[d] = a->flow[0] ? gy_at(a->base, a->flow[d]) : NULL;
    }
    gy_grid_level g = {0};
    bool summed = stage == CORRECT && a->flow[0];
    if (summed) {
        g = gy_grid_level_at(a->base, a->level);
    }
    gy_net net = gy_net_make(a->links, e, a->periodic);
    double squares = 0.0;
    c.blocks = (e->n[0] + GY_BLOCK - 1) / GY_BLOCK;
    int end = gy_round_up(e->n[0], GY_LANES);
    bool beyond = f->edge[0].samples > end;
    gy_wrap w = {.periodic = a->periodic, .n = {e->n[0], e->n[1], e->n[2]}};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            // A live upper boundary face beyond the padded end is a block of its own: its lanes
            // would reach into the next row's halo, so they are written aside.
            float aside[GY_LANES];
            for (int i0 = 0; i0 < end + beyond;) {
                bool apart = i0 == end;
                int lanes = apart ? GY_LANES : GY_MIN(GY_BLOCK, end - i0);
                float *out = apart ? aside : c.target + o + i0;
                w.at[0] = i0;
                w.at[1] = j;
                w.at[2] = k;
                carry_block(&c, dim, stage, &w, o + i0, lanes, out);
                int reach = net.link ? near_reach(&c, &net, dim, stage, &w) : -1;
                if (reach >= 0) {
                    near_block(&c, &net, stage, reach, &w, o + i0, apart ? 1 : lanes, out);
                }
                i0 += lanes;
            }
            if (beyond) {
                c.target[o + end] = aside[0];
            }
            gy_row_finish(c.target + o, e->n[0], &f->edge[0]);
            if (summed) {
                squares += gy_row_squares(&g, gy_face_axis(f->location), c.target + o, j, k);
            }
        }
    }
    return squares;
}

typedef double carry_rows(const gy_advect_args *a, const gy_field *f, const gy_box *b);

static GY_NOINLINE double advect_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(2, ADVECT, a, f, b);
}
static GY_NOINLINE double advect_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(3, ADVECT, a, f, b);
}
static GY_NOINLINE double correct_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(2, CORRECT, a, f, b);
}
static GY_NOINLINE double correct_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(3, CORRECT, a, f, b);
}
static GY_NOINLINE double compensate_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(2, COMPENSATE, a, f, b);
}
static GY_NOINLINE double compensate_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(3, COMPENSATE, a, f, b);
}
static GY_NOINLINE double deliver_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(2, DELIVER, a, f, b);
}
static GY_NOINLINE double deliver_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(3, DELIVER, a, f, b);
}
static GY_NOINLINE double cubic_2d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(2, CUBIC, a, f, b);
}
static GY_NOINLINE double cubic_3d(const gy_advect_args *a, const gy_field *f, const gy_box *b)
{
    return advect_rows(3, CUBIC, a, f, b);
}

/// Field by field, each in its own samples of the box.
static double each_field(const gy_advect_args *a, const gy_box *box, carry_rows *rows)
{
    const gy_field *fields = (const void *)gy_at(a->base, a->fields);
    double squares = 0.0;
    for (int q = a->first; q < a->first + a->count; q++) {
        gy_box own = *box;
        for (int axis = 1; axis < 3; axis++) {
            own.high[axis] = GY_MIN(own.high[axis], fields[q].edge[axis].samples);
        }
        squares += rows(a, &fields[q], &own);
    }
    return squares;
}

void GY_BODY(advect)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    (void)task;
    each_field(a, box, gy_is_3d(a->extent.dim) ? advect_3d : advect_2d);
}

void GY_BODY(correct)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    double squares = each_field(a, box, gy_is_3d(a->extent.dim) ? correct_3d : correct_2d);
    if (a->flow[0]) {
        double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
        partial[0] = squares;
    }
}

void GY_BODY(compensate)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    (void)task;
    each_field(a, box, gy_is_3d(a->extent.dim) ? compensate_3d : compensate_2d);
}

void GY_BODY(deliver)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    (void)task;
    each_field(a, box, gy_is_3d(a->extent.dim) ? deliver_3d : deliver_2d);
}

void GY_BODY(cubic)(const void *args, const gy_box *box, int task)
{
    const gy_advect_args *a = args;
    (void)task;
    each_field(a, box, gy_is_3d(a->extent.dim) ? cubic_3d : cubic_2d);
}
