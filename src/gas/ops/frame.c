// gas/ops/frame.c: what gas feels in a frame that is accelerated by a and spins by w, at faces:
//
//     f = (1 + b) (-a - w x (w x r)) - 2 w x u,   b = weight density + heat temperature,
//
// r from the spin's centre; or, where w is what the spin has grown by, f = -w x r: a change of
// velocity, all at once. A face takes the mean of the four velocities along another axis that lie
// round it, and these its own back with the same weight: turning the flow costs no energy. Shut
// faces count as at rest, faces beyond a side not at all.
// Bytes a cell: reads 4 dim + 8, as many again with `ahead`, writes 4 dim.
#include "gas/ops/args.h"
#include "ops/system/level.h"

typedef struct framed {
    const gy_frame_args *a;
    const gy_framing *f;
    const float *u[3], *from[3], *density, *temperature;
    float *to[3];
    gy_grid_level g;
    ptrdiff_t step[3];
    int dim;
} framed;

/// A place within the grid; false: there is none.
static bool find(const framed *d, int at[3], int faces)
{
    const int *n = d->a->extent.n;
    for (int q = 0; q < d->dim; q++) {
        if (d->a->periodic >> q & 1u) {
            at[q] = at[q] < 0 ? at[q] + n[q] : at[q] >= n[q] ? at[q] - n[q] : at[q];
        } else if (at[q] < 0 || at[q] >= n[q] + (q == faces)) {
            return false;
        }
    }
    return true;
}

GY_INLINE ptrdiff_t offset(const framed *d, const int at[3])
{
    return at[0] + at[1] * d->step[1] + at[2] * d->step[2];
}

/// The mean velocity along b at a face across axis.
static float mean_one(const framed *d, int axis, int b, const int p[3])
{
    float u[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    int count = 0;
    for (int q = 0; q < 4; q++) {
        int at[3] = {p[0], p[1], p[2]};
        at[axis] -= q >> 1;
        at[b] += q & 1;
        if (find(d, at, b)) {
            ptrdiff_t o = offset(d, at);
            u[q] = d->u[b][o];
            u[q] = d->a->ahead != 0.0f ? u[q] + d->a->ahead * d->from[b][o] : u[q];
            count++;
        }
    }
    float sum = (u[0] + u[1]) + (u[2] + u[3]);
    return count > 0 ? sum / (float)count : 0.0f;
}

/// 1 + b.
static float weight_one(const framed *d, int axis, const int p[3])
{
    float sum = 0.0f;
    int count = 0;
    for (int q = 0; q < 2; q++) {
        int at[3] = {p[0], p[1], p[2]};
        at[axis] -= q;
        if (find(d, at, 3)) {
            ptrdiff_t o = offset(d, at);
            sum += d->f->weight * d->density[o] + d->f->heat * d->temperature[o];
            count++;
        }
    }
    return 1.0f + (count > 0 ? sum / (float)count : 0.0f);
}

/// What does not ask for the flow: the pull at r, or, turned, the change.
GY_INLINE float still_at(const framed *d, int axis, const float r[3])
{
    const float *w = d->f->spin;
    int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
    if (d->a->turn == GY_FRAME_TURN) {
        return -(w[b] * r[c] - w[c] * r[b]);
    }
    float out = (w[b] * w[b] + w[c] * w[c]) * r[axis];
    return d->f->pull[axis] + (out - w[axis] * (w[b] * r[b] + w[c] * r[c]));
}

static void place_of(const framed *d, int axis, const int p[3], float r[3])
{
    for (int q = 0; q < 3; q++) {
        float part = (float)p[q] + (q == axis ? 0.0f : 0.5f);
        r[q] = q < d->dim ? d->f->place[q] + d->a->h * part : 0.0f;
    }
}

static float frame_one(const framed *d, int axis, const int p[3])
{
    int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1, at[3] = {p[0], p[1], p[2]};
    float r[3];
    place_of(d, axis, p, r);
    if (!find(d, at, axis) || !*gy_coefficient(&d->g, axis, at[0], at[1], at[2])) {
        return 0.0f;
    }
    float f = still_at(d, axis, r);
    if (d->a->turn == GY_FRAME_TURN) {
        return f;
    }
    const float *w = d->f->spin;
    f *= weight_one(d, axis, p);
    if (d->a->turn == GY_FRAME_STILL) {
        return f;
    }
    float ub = b < d->dim && w[c] != 0.0f ? mean_one(d, axis, b, p) : 0.0f;
    float uc = c < d->dim && w[b] != 0.0f ? mean_one(d, axis, c, p) : 0.0f;
    return f + 2.0f * (w[c] * ub - w[b] * uc);
}

GY_INLINE vf flow_at(const framed *d, int axis, ptrdiff_t o)
{
    vf u = gy_load(d->u[axis] + o);
    return d->a->ahead != 0.0f ? u + d->a->ahead * gy_load(d->from[axis] + o) : u;
}

GY_INLINE vf mean_lanes(const framed *d, int axis, int b, ptrdiff_t o)
{
    ptrdiff_t low = o - d->step[axis];
    vf here = flow_at(d, b, o) + flow_at(d, b, o + d->step[b]);
    return 0.25f * (here + (flow_at(d, b, low) + flow_at(d, b, low + d->step[b])));
}

/// As still_at, of faces side by side.
GY_INLINE vf still_lanes(const framed *d, int axis, const vf r[3])
{
    const float *w = d->f->spin;
    int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
    if (d->a->turn == GY_FRAME_TURN) {
        return -(w[b] * r[c] - w[c] * r[b]);
    }
    vf out = (w[b] * w[b] + w[c] * w[c]) * r[axis];
    return d->f->pull[axis] + (out - w[axis] * (w[b] * r[b] + w[c] * r[c]));
}

/// Faces from (i, j, k) on whose neighbours all lie in the grid.
GY_INLINE void frame_lanes(const framed *d, int dim, int axis, const int p[3])
{
    int b = axis == 2 ? 0 : axis + 1, c = axis == 0 ? 2 : axis - 1;
    const float *w = d->f->spin;
    float first[3];
    vf r[3];
    ptrdiff_t o = offset(d, p), low = o - d->step[axis];
    place_of(d, axis, p, first);
    r[1] = gy_splat(first[1]);
    r[2] = gy_splat(first[2]);
    bool turns = d->a->turn == GY_FRAME_TURN, alone = d->a->turn == GY_FRAME_STILL;
    bool by_b = b < dim && w[c] != 0.0f && !alone, by_c = c < dim && w[b] != 0.0f && !alone;
    for (int l = 0; l < GY_LANES; l += VW, o += VW, low += VW) {
        vf part = gy_to_float(gy_iota(p[0] + l)) + (axis == 0 ? 0.0f : 0.5f);
        r[0] = d->f->place[0] + d->a->h * part;
        vf f = still_lanes(d, axis, r);
        if (!turns) {
            vf here =
                d->f->weight * gy_load(d->density + o) + d->f->heat * gy_load(d->temperature + o);
            vf there = d->f->weight * gy_load(d->density + low) +
                       d->f->heat * gy_load(d->temperature + low);
            vf zero = gy_splat(0.0f);
            f *= 1.0f + 0.5f * (here + there);
            vf ub = by_b ? mean_lanes(d, axis, b, o) : zero;
            vf uc = by_c ? mean_lanes(d, axis, c, o) : zero;
            f += 2.0f * (w[c] * ub - w[b] * uc);
        }
        gy_store(d->to[axis] + o, f);
    }
    float *to = d->to[axis] + offset(d, p);
    for (int l = 0; l < GY_LANES && !d->g.l->whole; l++) {
        to[l] = *gy_coefficient(&d->g, axis, p[0] + l, p[1], p[2]) ? to[l] : 0.0f;
    }
}

/// Faces across `axis` of a row, all of them by whole lanes whose neighbours lie in the grid: the
/// last lanes overlap the ones before, and both write the same.
GY_INLINE void frame_row(const framed *d, int dim, int axis, int j, int k, int end)
{
    const int *n = d->a->extent.n, at[3] = {0, j, k};
    int low[3] = {0, 0, 0}, high[3] = {n[0], n[1], n[2]};
    for (int q = 0; q < dim; q++) {
        low[q] = q == axis ? 1 : 0;
        high[q] -= q != axis && (d->a->periodic >> q & 1u) ? 1 : 0;
    }
    bool inside = high[0] - low[0] >= GY_LANES;
    for (int q = 1; q < dim; q++) {
        inside = inside && at[q] >= low[q] && at[q] < high[q];
    }
    for (int i = 0; i < end;) {
        if (inside && i >= low[0] && i < high[0]) {
            const int p[3] = {GY_MIN(i, high[0] - GY_LANES), j, k};
            frame_lanes(d, dim, axis, p);
            i = p[0] + GY_LANES;
        } else {
            const int p[3] = {i, j, k};
            d->to[axis][offset(d, p)] = frame_one(d, axis, p);
            i++;
        }
    }
}

static GY_NOINLINE void frame_2d(const framed *d, int j, int end)
{
    frame_row(d, 2, 0, j, 0, end);
    frame_row(d, 2, 1, j, 0, end);
}
static GY_NOINLINE void frame_3d(const framed *d, int j, int k, int end)
{
    frame_row(d, 3, 0, j, k, end);
    frame_row(d, 3, 1, j, k, end);
    frame_row(d, 3, 2, j, k, end);
}

void GY_BODY(frame)(const void *args, const gy_box *box, int task)
{
    const gy_frame_args *a = args;
    framed d = {.a = a,
                .f = (const gy_framing *)(uintptr_t)a->frame,
                .density = gy_at(a->base, a->density),
                .temperature = gy_at(a->base, a->temperature),
                .step = {1, a->extent.sy, a->extent.sz},
                .g = gy_grid_level_at(a->base, a->level),
                .dim = a->extent.dim};
    (void)task;
    for (int q = 0; q < d.dim; q++) {
        d.u[q] = gy_at(a->base, a->velocity[q]);
        d.from[q] =
            (const float *)(uintptr_t)a->arrays + (ptrdiff_t)(a->from + q) * (ptrdiff_t)a->stride;
        d.to[q] = (float *)(uintptr_t)a->arrays + (ptrdiff_t)(a->to + q) * (ptrdiff_t)a->stride;
    }
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            if (gy_is_3d(d.dim)) {
                frame_3d(&d, j, k, box->high[0]);
            } else {
                frame_2d(&d, j, box->high[0]);
            }
        }
    }
}
