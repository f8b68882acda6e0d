// gas/ops/momentum.h: velocities carried so that no energy comes from nothing.
//
// MacCormack's correction e = (old - predicted traced back) / 2 with three changes:
// - it counts by t, how far the ways back and forth agree: above a Courant number of about 1 they
//   may lead elsewhere, and e would be an error of something else;
// - new -= (1/4) sum over axes a of t (dt/h) (d_a u_a) (q[+a] - 2 q + q[-a]). As dt -> 0 MacCormack
//   is the centred advective form, which makes energy wherever the flow compresses what it carries;
//   with this term it is Harlow and Welch's flux form (1965), which keeps it. Where the flow widens
//   (d_a u_a > 0) the term steepens, there an axis along which q has an extremum is left out, for
//   it would build waves of two cells;
// - beyond open sides the air is at rest: what is sampled there fades over a cell to 0, and where a
//   way ends there nothing is corrected.
#ifndef GY_MOMENTUM_H
#define GY_MOMENTUM_H

#include "gas/ops/carrier.h"

/// predicted + t e, and t, by how far apart the two ways end beside how long they are.
GY_INLINE void add_trusted(const carrier *c, int dim, ptrdiff_t o, int lanes, const float *again,
                           float *trust, float *out)
{
    const float *predicted = c->predicted + o, *old = c->source + o, *back[3], *forward[3];
    ptrdiff_t mean = c->mean;
    for (int a = 0; a < dim; a++) {
        back[a] = c->back[a] + o;
        forward[a] = c->forward[a] + o;
    }
    for (int i = 0; i < lanes; i += VW) {
        vf apart = gy_splat(0.0f), all = gy_splat(1e-20f), t = gy_splat(1.0f);
        for (int a = 0; a < dim; a++) {
            vf b = gy_displacement(back[a] + i, mean);
            vf f = gy_displacement(forward[a] + i, mean), s = b + f;
            apart += s * s;
            all += b * b + f * f;
        }
        // 1 up to a part of 0.04, which is the rule, 0 from 0.16 on.
        vi doubt = (vi)(apart > 0.04f * all);
        if (gy_any(doubt)) {
            vf part = gy_clamp((0.16f * all - apart) / (0.12f * all), gy_splat(0.0f), t);
            t = gy_select(doubt, part, t);
        }
        gy_store(trust + i, t);
        gy_store(out + i,
                 gy_load(predicted + i) + (0.5f * t) * (gy_load(old + i) - gy_load(again + i)));
    }
}

/// The term that makes it the flux form.
GY_INLINE void add_stretch(const carrier *c, int dim, ptrdiff_t o, int lanes, const float *trust,
                           float *out)
{
    const gy_extent *e = &c->a->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    ptrdiff_t own = step[gy_face_axis(c->f->location)];
    float scale = 0.5f * c->a->scale;
    const float *q = c->source + o, *flow[3];
    for (int a = 0; a < dim; a++) {
        flow[a] = c->flow[a] + o;
    }
    for (int i = 0; i < lanes; i += VW) {
        vf sum = gy_splat(0.0f), by = scale * gy_load(trust + i), middle = gy_load(q + i);
        for (int a = 0; a < dim; a++) {
            ptrdiff_t s = step[a];
            const float *u = flow[a] + i;
            // Over the two cells that the face lies between.
            vf t = (gy_load(u + s) - gy_load(u)) + (gy_load(u + s - own) - gy_load(u - own));
            t = gy_clamp(t * by, gy_splat(-0.5f), gy_splat(0.5f));
            vf low = gy_load(q + i - s) - middle, high = gy_load(q + i + s) - middle;
            vi steepens = (vi)(t > 0.0f) & (vi)(low * high > 0.0f);
            sum += gy_select(steepens, gy_splat(0.0f), t * (low + high));
        }
        gy_store(out + i, gy_flush(gy_load(out + i) - 0.25f * sum));
    }
}

/// The least distance from an open upper side at which paths across it are left to end.
GY_INLINE float side_hair(int n)
{
    return 0x1p-20f * (float)(1 + n);
}

/// Whether a path of the block may end beyond the last sample at an open side, or a hair before it.
GY_INLINE bool may_leave(const carrier *c, int dim, const gy_wrap *w, int lanes, const float *low,
                         const float *high)
{
    bool leaves = false;
    for (int a = 0; a < dim; a++) {
        float first = (float)w->at[a],
              top = (float)(w->n[a] - 1 + (a == gy_face_axis(c->f->location)));
        float last = (float)(w->at[a] + (a == 0 ? lanes - 1 : 0));
        last = last < top ? last : top;
        leaves = leaves || ((c->a->open_sides >> (2 * a) & 1u) && first + low[a] < 0.0f);
        leaves = leaves || ((c->a->open_sides >> (2 * a + 1) & 1u) &&
                            high[a] > (top - last) - side_hair(w->n[a]));
    }
    return leaves;
}

/// How much of what is sampled counts.
GY_INLINE vf inside(const carrier *c, int dim, const float *const d[3], const gy_wrap *w,
                    ptrdiff_t o, int i)
{
    vf part = gy_splat(1.0f), zero = gy_splat(0.0f), one = part;
    for (int a = 0; a < dim; a++) {
        vf x = gy_displacement(d[a] + o + i, c->mean);
        x += a == 0 ? gy_to_float(gy_iota(w->at[0] + i)) : gy_splat((float)w->at[a]);
        float top = (float)(w->n[a] - 1 + (a == gy_face_axis(c->f->location)));
        if (c->a->open_sides >> (2 * a) & 1u) {
            part *= gy_clamp(1.0f + x, zero, one);
        }
        if (c->a->open_sides >> (2 * a + 1) & 1u) {
            part *= gy_clamp(1.0f - (x - top), zero, one);
        }
    }
    return part;
}

/// Displacements that were changed.
typedef struct held_paths {
    float d[3][GY_BLOCK];
} held_paths;

/// Faces across y or z have no sample beyond an open upper side's: paths end there, a hair before.
GY_INLINE void hold_paths(const carrier *c, int dim, gy_run_lanes *r, const gy_wrap *w, float *low,
                          float *high, held_paths *h)
{
    int axis = gy_face_axis(c->f->location);
    if (axis != 1 && axis != 2) {
        return;
    }
    float most = (float)(w->n[axis] - w->at[axis]) - side_hair(w->n[axis]);
    if (high[axis] <= most || !(c->a->open_sides >> (2 * axis + 1) & 1u)) {
        return;
    }
    for (int a = 0; a < dim; a++) {
        for (int i = 0; i < r->lanes; i += VW) {
            vf x = gy_displacement(r->d[a] + i, r->mean);
            gy_store(h->d[a] + i, a == axis ? gy_min(x, gy_splat(most)) : x);
        }
        r->d[a] = h->d[a];
    }
    r->mean = 0;
    high[axis] = most;
    low[axis] = GY_MIN(low[axis], most);
}

/// The faces on open sides themselves have no face beyond them: nothing is known of their stretch.
/// They lie in blocks from which paths may leave.
GY_INLINE void keep_side_faces(const carrier *c, const gy_wrap *w, int lanes, const float *plain,
                               float *out)
{
    int axis = gy_face_axis(c->f->location);
    for (int i = 0; i < lanes; i += VW) {
        vi at = axis == 0 ? gy_iota(w->at[0] + i) : gy_splat_int(w->at[axis]);
        vi side = (vi)(at == 0) & -(int)(c->a->open_sides >> (2 * axis) & 1u);
        side |= (vi)(at == w->n[axis]) & -(int)(c->a->open_sides >> (2 * axis + 1) & 1u);
        gy_store(out + i, gy_select(side, gy_load(plain + i), gy_load(out + i)));
    }
}

/// A block near open sides, where paths may end outside. (Apart from the others, which are faster
/// for it.)
GY_INLINE void side_block(const carrier *c, int dim, int correct, const gy_wrap *w, ptrdiff_t o,
                          int lanes, float *out)
{
    float low[3], high[3];
    int ib = w->at[0] / GY_BLOCK;
    held_paths held_back, held_forward;
    gy_run_lanes back = run_make(c, dim, c->source, c->back, o, lanes);
    block_bounds(c, dim, ib, w->at[1], w->at[2], 0, low, high);
    hold_paths(c, dim, &back, w, low, high, &held_back);
    if (!correct) {
        gy_each_run(dim, &back, w, low, high, gy_linear_fit, gy_linear_gather, out);
        for (int i = 0; i < lanes; i += VW) {
            vf part = inside(c, dim, c->back, w, o, i), x = part * gy_load(out + i);
            gy_store(out + i, gy_select((vi)(part > 0.0f), gy_flush(x), gy_splat(0.0f)));
        }
        return;
    }
    float again[GY_BLOCK], trust[GY_BLOCK], forward_low[3], forward_high[3];
    gy_run_lanes forward = run_make(c, dim, c->predicted, c->forward, o, lanes);
    block_bounds(c, dim, ib, w->at[1], w->at[2], 6, forward_low, forward_high);
    hold_paths(c, dim, &forward, w, forward_low, forward_high, &held_forward);
    gy_each_run(dim, &forward, w, forward_low, forward_high, gy_linear_fit, gy_linear_gather,
                again);
    add_trusted(c, dim, o, lanes, again, trust, out);
    gy_each_run(dim, &back, w, low, high, range_fit, range_gather, out);
    float plain[GY_BLOCK];
    for (int i = 0; i < lanes; i += VW) {
        vf part = inside(c, dim, c->back, w, o, i) * inside(c, dim, c->forward, w, o, i);
        vi whole = (vi)(part >= 1.0f);
        vf x = gy_select(whole, gy_load(out + i), gy_load(c->predicted + o + i));
        gy_store(out + i, x);
        gy_store(plain + i, gy_flush(x));
    }
    add_stretch(c, dim, o, lanes, trust, out);
    keep_side_faces(c, w, lanes, plain, out);
}
static GY_NOINLINE void side_block_2d(const carrier *c, int correct, const gy_wrap *w, ptrdiff_t o,
                                      int lanes, float *out)
{
    side_block(c, 2, correct, w, o, lanes, out);
}
static GY_NOINLINE void side_block_3d(const carrier *c, int correct, const gy_wrap *w, ptrdiff_t o,
                                      int lanes, float *out)
{
    side_block(c, 3, correct, w, o, lanes, out);
}

static GY_NOINLINE void stretch_2d(const carrier *c, ptrdiff_t o, int lanes, const float *trust,
                                   float *out)
{
    add_stretch(c, 2, o, lanes, trust, out);
}
static GY_NOINLINE void stretch_3d(const carrier *c, ptrdiff_t o, int lanes, const float *trust,
                                   float *out)
{
    add_stretch(c, 3, o, lanes, trust, out);
}

/// One block of a velocity that keeps its energy.
GY_INLINE void momentum_block(const carrier *c, int dim, int correct, const gy_wrap *w, ptrdiff_t o,
                              int lanes, float *out)
{
    float low[3], high[3], forward_low[3], forward_high[3];
    int ib = w->at[0] / GY_BLOCK;
    gy_run_lanes back = run_make(c, dim, c->source, c->back, o, lanes);
    block_bounds(c, dim, ib, w->at[1], w->at[2], 0, low, high);
    if (correct || c->a->open_sides) {
        block_bounds(c, dim, ib, w->at[1], w->at[2], 6, forward_low, forward_high);
    }
    if (c->a->open_sides && (may_leave(c, dim, w, lanes, low, high) ||
                             (correct && may_leave(c, dim, w, lanes, forward_low, forward_high)))) {
        if (gy_is_3d(dim)) {
            side_block_3d(c, correct, w, o, lanes, out);
        } else {
            side_block_2d(c, correct, w, o, lanes, out);
        }
        return;
    }
    if (!correct) {
        gy_each_run(dim, &back, w, low, high, gy_linear_fit, gy_linear_gather, out);
        for (int i = 0; i < lanes; i += VW) {
            gy_store(out + i, gy_flush(gy_load(out + i)));
        }
        return;
    }
    float again[GY_BLOCK], trust[GY_BLOCK];
    gy_run_lanes forward = run_make(c, dim, c->predicted, c->forward, o, lanes);
    gy_each_run(dim, &forward, w, forward_low, forward_high, gy_linear_fit, gy_linear_gather,
                again);
    add_trusted(c, dim, o, lanes, again, trust, out);
    gy_each_run(dim, &back, w, low, high, range_fit, range_gather, out);
    if (gy_is_3d(dim)) {
        stretch_3d(c, o, lanes, trust, out);
    } else {
        stretch_2d(c, o, lanes, trust, out);
    }
}

#endif
