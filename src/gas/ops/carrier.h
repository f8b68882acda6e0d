// gas/ops/carrier.h: one field on its way along the displacements, block by block: which
// displacements a block of its samples uses, what lies round the points they lead to.
#ifndef GY_CARRIER_H
#define GY_CARRIER_H

#include "gas/ops/lanes.h"
#include "ops/row/row.h"

typedef struct carrier {
    const gy_advect_args *a;
    const gy_field *f;
    const float *source, *predicted;
    float *target;
    const float *back[3], *forward[3];
    const float *bounds;
    ptrdiff_t mean;
    int blocks;
    const float *flow[3]; // of velocities that keep their energy
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
    int axis = gy_face_axis(c->f->location);
    if (axis >= 0) {
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
    if (axis >= 0 && on_side(c, axis, ib, j, k)) {
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
    if (gy_is_3d(dim)) {
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
    if (gy_is_3d(dim)) {
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

/// predicted + (old - predicted traced back) / 2.
GY_INLINE void add_correction(const carrier *c, ptrdiff_t o, int lanes, const float *again,
                              float *out)
{
    const float *predicted = c->predicted + o, *old = c->source + o;
    for (int i = 0; i < lanes; i += VW) {
        gy_store(out + i, gy_load(predicted + i) + 0.5f * (gy_load(old + i) - gy_load(again + i)));
    }
}

#endif
