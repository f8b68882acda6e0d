// water/ops/shallow.h: one step of shallow water on a patch.
//
//   d_t + div q = 0,   q_t + div (q q / d) = -g d grad (bed + d) - friction
//
// MUSCL-Hancock, unsplit: limited slopes of surface, depth and velocity (monotonised central;
// minmod where the bed falls by more than the depth from cell to cell); half a step ahead by
// the equations in primitive form; one Riemann problem per face (HLL for depth and normal momentum,
// the transverse velocity from upwind as in HLLC). Second order in space and time where the flow is
// smooth, first at fronts, extrema and shores.
//
// The bed enters by hydrostatic reconstruction (Audusse et al. 2004) in difference form. With E the
// surface left of a face less that right of it, the depths that meet there are
//     dL* = max(0, min(dL, dR + E)),   dR* = max(0, min(dR, dL - E)),
// and what a face does to its left cell is the momentum flux less g dL*^2 / 2, to its right cell
// less g dR*^2 / 2; what is left of pressure and bed inside of a cell is g d times its slope of
// surface. All of these are multiples of differences that a lake at rest does not have, so it stays
// at rest to the last bit where bed + depth is the same float everywhere, and no large numbers
// cancel where it is not.
//
// A cell of less than dry_depth does not flow: its velocity is zero and nothing leaves it; momentum
// that came in with water in this step is kept for the next. From any other a step takes at most
// its depth: all that leaves it is scaled by one factor. That factor is why a pass needs three
// cells on either side: four faces of the upwind cell, whose states need the neighbours'
// neighbours.
//
// Mirrored or transposed input gives mirrored or transposed output to the bit: every sum is ordered
// so. Cost per cell: 5 square roots, 5 divisions and some 300 further operations, in vector lanes;
// rows roll through 32 KiB of memory.
#ifndef GY_SHALLOW_H
#define GY_SHALLOW_H

#include "base/simd.h"
#include "water/ops/patch.h"
#include "water/ops/water.h"

/// A row of a patch, and the same row kept a few rows long.
typedef struct gy_water_row {
    _Alignas(64) float x[GY_PATCH_STRIDE];
} gy_water_row;

/// A side of a face: depth, surface less that at the cell's centre before the step, velocity across
/// the face, velocity along it.
typedef struct gy_water_side {
    gy_water_row d, e, n, t;
} gy_water_side;

/// What faces do: metres that pass towards the higher index; change of momentum of the cell on the
/// lower and on the higher side; velocity along the face of what passes, then momentum of it.
typedef struct gy_water_faces {
    gy_water_row pass, low, high, along;
} gy_water_faces;

enum { GY_WATER_RING = 4 };

typedef struct gy_water_work {
    gy_water_row d[GY_WATER_RING], u[GY_WATER_RING], v[GY_WATER_RING];
    // Difference of surface across low faces: as it is, and as slopes shall see it.
    gy_water_row step_x, rise_x, step_y[GY_WATER_RING], rise_y[GY_WATER_RING];
    gy_water_side high_x, low_x, high_y[2], low_y;
    gy_water_row force_x[GY_WATER_RING], force_y[GY_WATER_RING]; // times dt, in m^2/s
    gy_water_faces faces_x[GY_WATER_RING], faces_y[GY_WATER_RING];
    gy_water_row share[GY_WATER_RING]; // of what would leave a cell, that does
} gy_water_work;

/// What the stages share. They are handed `open`, `flat` (one-dimensional) and `exact` as
/// constants.
typedef struct gy_shallow_shared {
    const gy_shallow *s;
    gy_patch *p;
    gy_water_work *w;
    float ratio, gravity, dry, cap; // dt / h, ...
    float loose;                    // of what damps a jump of speed, the share that slow flow lacks
    float kick[2];                  // of the frame: dt times its acceleration
    float tilt[2];                  // rise per cell of water at rest in that frame
    vf wave, change, speed;         // speed: squared
    vi capped;
} gy_shallow_shared;

GY_INLINE vf gy_keep(vi mask, vf x)
{
    return (vf)((vi)x & mask);
}

GY_INLINE int gy_ring(int row)
{
    return row & (GY_WATER_RING - 1);
}

/// Slope per cell from the differences to both neighbours: their mean, but not more than `most` of
/// the smaller.
GY_INLINE vf gy_limit(vf a, vf b, vf most)
{
    vf low = most * gy_min(a, b), high = most * gy_max(a, b), mean = 0.5f * (a + b);
    vf zero = gy_splat(0.0f);
    return gy_max(zero, gy_min(low, mean)) + gy_min(zero, gy_max(high, mean));
}

// ---- stages, each of one row --------------------------------------------------------------------

/// Depth and velocity.
GY_INLINE void gy_water_primitive(const gy_shallow_shared *c, int j)
{
    int r = gy_ring(j), o = gy_patch_at(0, j) - GY_PATCH_FIRST;
    float *d = c->w->d[r].x, *u = c->w->u[r].x, *v = c->w->v[r].x;
    vf fast = gy_splat(GY_SHALLOW_FAST);
    for (int x = GY_PATCH_FIRST - 3; x < GY_PATCH_FIRST + 67; x += VW) {
        vf depth = gy_min(gy_load(c->p->depth + o + x), gy_splat(GY_SHALLOW_HIGH));
        vi wet = (vi)(depth >= c->dry);
        vf inverse = 1.0f / gy_max(depth, gy_splat(c->dry));
        vf across = gy_load(c->p->qx + o + x) * inverse,
           along = gy_load(c->p->qy + o + x) * inverse;
        gy_store(d + x, depth);
        gy_store(u + x, gy_keep(wet, gy_clamp(across, -fast, fast)));
        gy_store(v + x, gy_keep(wet, gy_clamp(along, -fast, fast)));
    }
}

GY_INLINE vi gy_water_shut(const gy_patch *p, int place, int bit)
{
    return (vi)((*(const gy_vi_loose *)(p->shut + place) & bit) != 0);
}

/// Differences of surface across low faces: of `step`, as they are; of `rise`, for slopes: there is
/// none to a cell that is dry and higher, and at a shut face it is that of water at rest.
GY_INLINE void gy_water_differ(const gy_shallow_shared *c, bool open, int axis, int j)
{
    int o = gy_patch_at(0, j) - GY_PATCH_FIRST, back = axis ? GY_PATCH_STRIDE : 1;
    const float *db = c->w->d[gy_ring(j)].x;
    const float *da = axis ? c->w->d[gy_ring(j - 1)].x : db - 1;
    float *step = axis ? c->w->step_y[gy_ring(j)].x : c->w->step_x.x;
    float *rise = axis ? c->w->rise_y[gy_ring(j)].x : c->w->rise_x.x;
    vf high = gy_splat(GY_SHALLOW_HIGH);
    for (int x = GY_PATCH_FIRST - 2; x < GY_PATCH_FIRST + 67; x += VW) {
        vf a = gy_load(da + x), b = gy_load(db + x);
        vf za = gy_load(c->p->bed + o + x - back), zb = gy_load(c->p->bed + o + x);
        vi level = (vi)(za + a == zb + b);
        vf e = gy_keep(~level, gy_clamp((zb - za) + (b - a), -high, high));
        vi shore = ((vi)(e > 0.0f) & (vi)(b < c->dry)) | ((vi)(e < 0.0f) & (vi)(a < c->dry));
        vf seen = gy_keep(~shore, e);
        if (!open) {
            vi shut = gy_water_shut(c->p, o + x, axis ? GY_SHUT_Y : GY_SHUT_X);
            seen = gy_select(shut, gy_splat(c->tilt[axis]), seen);
        }
        gy_store(step + x, e);
        gy_store(rise + x, seen);
    }
}

/// Slopes per cell along one axis, of depth, surface, velocity across and along the faces.
typedef struct gy_water_slopes {
    vf d, e, n, t;
} gy_water_slopes;

/// What stands round a cell along one axis.
typedef struct gy_water_line {
    const float *d[3], *n[3], *t[3], *rise[2];
} gy_water_line;

/// Beyond a shut face stands the cell's mirror image. Cells that are dry have no slopes.
GY_INLINE gy_water_slopes gy_water_slope(const gy_water_line *l, int x, vi wet, bool open,
                                         vi shut_low, vi shut_high)
{
    vf d = gy_load(l->d[1] + x), n = gy_load(l->n[1] + x), t = gy_load(l->t[1] + x);
    vf da = d - gy_load(l->d[0] + x), db = gy_load(l->d[2] + x) - d;
    vf na = n - gy_load(l->n[0] + x), nb = gy_load(l->n[2] + x) - n;
    vf ta = t - gy_load(l->t[0] + x), tb = gy_load(l->t[2] + x) - t;
    if (!open) {
        da = gy_keep(~shut_low, da);
        db = gy_keep(~shut_high, db);
        na = gy_select(shut_low, 2.0f * n, na);
        nb = gy_select(shut_high, -2.0f * n, nb);
        ta = gy_keep(~shut_low, ta);
        tb = gy_keep(~shut_high, tb);
    }
    vf ea = gy_load(l->rise[0] + x), eb = gy_load(l->rise[1] + x);
    // Where the surface falls by more than the depth, twice the smaller difference is too much:
    // thin water on steep ground then runs faster than it can have fallen.
    vi steep = (vi)(gy_max(gy_abs(ea - da), gy_abs(eb - db)) > d);
    vf most = gy_select(steep, gy_splat(1.0f), gy_splat(2.0f));
    return (gy_water_slopes){.d = gy_keep(wet, gy_limit(da, db, most)),
                             .e = gy_keep(wet, gy_limit(ea, eb, most)),
                             .n = gy_keep(wet, gy_limit(na, nb, most)),
                             .t = gy_keep(wet, gy_limit(ta, tb, most))};
}

/// The states on both sides of a cell, half a step ahead: `low` beside its low face, `high` beside
/// its high one.
GY_INLINE void gy_water_sides(gy_water_side *low, gy_water_side *high, int x,
                              const gy_water_slopes *s, vf d, vf gain, vf n, vf t)
{
    vf zero = gy_splat(0.0f);
    gy_store(low->d.x + x, gy_max(d - 0.5f * s->d, zero));
    gy_store(high->d.x + x, gy_max(d + 0.5f * s->d, zero));
    gy_store(low->e.x + x, gain - 0.5f * s->e);
    gy_store(high->e.x + x, gain + 0.5f * s->e);
    gy_store(low->n.x + x, n - 0.5f * s->n);
    gy_store(high->n.x + x, n + 0.5f * s->n);
    gy_store(low->t.x + x, t - 0.5f * s->t);
    gy_store(high->t.x + x, t + 0.5f * s->t);
}

GY_INLINE void gy_water_reconstruct(const gy_shallow_shared *c, bool open, bool flat, int j)
{
    gy_water_work *w = c->w;
    int r = gy_ring(j), below = gy_ring(j - 1), above = gy_ring(j + 1);
    int o = gy_patch_at(0, j) - GY_PATCH_FIRST;
    const float *d_row = w->d[r].x, *u_row = w->u[r].x, *v_row = w->v[r].x;
    gy_water_line along_x = {.d = {d_row - 1, d_row, d_row + 1},
                             .n = {u_row - 1, u_row, u_row + 1},
                             .t = {v_row - 1, v_row, v_row + 1},
                             .rise = {w->rise_x.x, w->rise_x.x + 1}};
    gy_water_line along_y = {.d = {w->d[below].x, d_row, w->d[above].x},
                             .n = {w->v[below].x, v_row, w->v[above].x},
                             .t = {w->u[below].x, u_row, w->u[above].x},
                             .rise = {w->rise_y[r].x, w->rise_y[above].x}};
    vf fast = gy_splat(GY_SHALLOW_FAST);
    float half = 0.5f * c->ratio, push_x = 0.5f * c->kick[0], push_y = 0.5f * c->kick[1];
    for (int x = GY_PATCH_FIRST - 2; x < GY_PATCH_FIRST + 66; x += VW) {
        vf d = gy_load(d_row + x), u = gy_load(u_row + x), v = gy_load(v_row + x);
        vi wet = (vi)(d >= c->dry), shut[4] = {{0}, {0}, {0}, {0}};
        if (!open) {
            shut[0] = gy_water_shut(c->p, o + x, GY_SHUT_X);
            shut[1] = gy_water_shut(c->p, o + x + 1, GY_SHUT_X);
            shut[2] = gy_water_shut(c->p, o + x, GY_SHUT_Y);
            shut[3] = gy_water_shut(c->p, o + x + GY_PATCH_STRIDE, GY_SHUT_Y);
        }
        gy_water_slopes a = gy_water_slope(&along_x, x, wet, open, shut[0], shut[1]);
        vf gain = u * a.d + d * a.n;
        vf du = u * a.n, dv = u * a.t;
        gy_water_slopes b;
        if (!flat) {
            b = gy_water_slope(&along_y, x, wet, open, shut[2], shut[3]);
            gain += v * b.d + d * b.n;
            du += v * b.t;
            dv += v * b.n;
            dv += c->gravity * b.e;
        }
        du += c->gravity * a.e;
        gain = gy_clamp(-half * gain, -d, d);
        vf dm = d + gain;
        vf um = gy_keep(wet, gy_clamp(u - (half * du + push_x), -fast, fast));
        vf vm = gy_keep(wet, gy_clamp(v - (half * dv + push_y), -fast, fast));
        gy_water_sides(&w->low_x, &w->high_x, x, &a, dm, gain, um, vm);
        gy_store(w->force_x[r].x + x, dm * ((c->gravity * c->ratio) * a.e + c->kick[0]));
        gy_store(w->force_y[r].x + x, dm * c->kick[1]);
        if (!flat) {
            gy_water_sides(&w->low_y, &w->high_y[j & 1], x, &b, dm, gain, vm, um);
            gy_store(w->force_y[r].x + x, dm * ((c->gravity * c->ratio) * b.e + c->kick[1]));
        }
    }
}

/// What happens at faces, of which `a` is the side on the lower cell, b that on the higher.
GY_INLINE void gy_water_riemann(const gy_shallow_shared *c, bool open, int bit,
                                const gy_water_side *a, ptrdiff_t shift, const gy_water_side *b,
                                const float *step, int place, int x, gy_water_faces *f)
{
    vf zero = gy_splat(0.0f);
    vf da = gy_load(a->d.x + x + shift), db = gy_load(b->d.x + x);
    vf e = (gy_load(a->e.x + x + shift) - gy_load(b->e.x + x)) - gy_load(step + x);
    vf dl = gy_max(zero, gy_min(da, db + e)), dr = gy_max(zero, gy_min(db, da - e));
    vi shut = {0};
    if (!open) {
        shut = gy_water_shut(c->p, place + x, bit);
        dl = gy_select(shut, da, dl);
        dr = gy_select(shut, db, dr);
    }
    vf nl = gy_load(a->n.x + x + shift), nr = gy_load(b->n.x + x);
    vf cl = gy_sqrt(c->gravity * dl), cr = gy_sqrt(c->gravity * dr);
    // Into a side without water it runs with the speed of a front, which also makes the two speeds
    // of rarefactions below the right ones.
    vf ul = gy_select((vi)(dl <= 0.0f), nr - 2.0f * cr, nl);
    vf ur = gy_select((vi)(dr <= 0.0f), nl + 2.0f * cl, nr);
    vf um = 0.5f * (ul + ur) + (cl - cr), cm = 0.5f * (cl + cr) + 0.25f * (ul - ur);
    vf sl = gy_min(gy_min(ul - cl, um - cm), zero), sr = gy_max(gy_max(ur + cr, um + cm), zero);
    vf scale = c->ratio / gy_max(sr - sl, gy_splat(1e-12f));
    vf ql = dl * ul, qr = dr * ur, both = sl * sr, jump = dr - dl;
    vf pass = ((sr * ql - sl * qr) + both * jump) * scale;
    vf carried = (sr * (ql * ul) - sl * (qr * ur)) + both * (qr - ql);
    vf tl = gy_load(a->t.x + x + shift), tr = gy_load(b->t.x + x);
    if (c->loose > 0.0f) {
        // What damps u's jump goes with the speed of waves, however slow the flow.
        vf fast = gy_max(gy_max(gy_abs(nl), gy_abs(nr)), gy_max(gy_abs(tl), gy_abs(tr)));
        vf slow = gy_max(zero, 1.0f - 4.0f * fast / gy_max(gy_min(cl, cr), gy_splat(1e-12f)));
        carried -= both * (c->loose * slow * 0.5f) * (dl + dr) * (ur - ul);
    }
    vf pressed = (0.5f * c->gravity) * (dl + dr) * jump;
    vf low = (carried - sl * pressed) * scale, high = (carried - sr * pressed) * scale;
    if (!open) {
        // The same against the mirror image.
        pass = gy_keep(~shut, pass);
        low = gy_select(shut, c->ratio * (dl * nl) * (nl + (gy_abs(nl) + cl)), low);
        high = gy_select(shut, c->ratio * (dr * nr) * (nr - (gy_abs(nr) + cr)), high);
    }
    gy_store(f->pass.x + x, pass);
    gy_store(f->low.x + x, low);
    gy_store(f->high.x + x, high);
    gy_store(f->along.x + x, gy_select((vi)(pass > 0.0f), tl, tr));
}

GY_INLINE void gy_water_faces_of(const gy_shallow_shared *c, bool open, bool flat, int j)
{
    gy_water_work *w = c->w;
    int r = gy_ring(j), o = gy_patch_at(0, j) - GY_PATCH_FIRST;
    for (int x = GY_PATCH_FIRST - 1; x < GY_PATCH_FIRST + 66; x += VW) {
        gy_water_riemann(c, open, GY_SHUT_X, &w->high_x, -1, &w->low_x, w->step_x.x, o, x,
                         &w->faces_x[r]);
    }
    if (flat) {
        return;
    }
    for (int x = GY_PATCH_FIRST - 1; x < GY_PATCH_FIRST + 65; x += VW) {
        gy_water_riemann(c, open, GY_SHUT_Y, &w->high_y[(j - 1) & 1], 0, &w->low_y, w->step_y[r].x,
                         o, x, &w->faces_y[r]);
    }
}

/// How much of what would leave a cell does.
GY_INLINE void gy_water_share(const gy_shallow_shared *c, bool flat, int j)
{
    gy_water_work *w = c->w;
    int r = gy_ring(j), o = gy_patch_at(0, j) - GY_PATCH_FIRST;
    const float *px = w->faces_x[r].pass.x;
    const float *py = w->faces_y[r].pass.x, *qy = w->faces_y[gy_ring(j + 1)].pass.x;
    vf zero = gy_splat(0.0f), one = gy_splat(1.0f), tiny = gy_splat(1e-30f);
    for (int x = GY_PATCH_FIRST - 1; x < GY_PATCH_FIRST + 65; x += VW) {
        vf out = gy_max(gy_load(px + x + 1), zero) + gy_max(-gy_load(px + x), zero);
        if (!flat) {
            out += gy_max(gy_load(qy + x), zero) + gy_max(-gy_load(py + x), zero);
        }
        vf d = gy_load(c->p->depth + o + x);
        vf share = gy_min(d * (1.0f - 1e-6f) / gy_max(out, tiny), one);
        gy_store(w->share[r].x + x, gy_keep((vi)(d >= c->dry), share));
    }
}

/// Scales and rounds what passes faces; `share` is that of the higher cells, `other` of the lower.
GY_INLINE void gy_water_settle(const gy_shallow_shared *c, bool exact, gy_water_faces *f,
                               const float *other, const float *share, float *pass, int end)
{
    float quantum = c->s->quantum, inverse = exact ? 1.0f / quantum : 0.0f;
    vf most = gy_splat(4194303.0f); // quanta
    for (int x = GY_PATCH_FIRST; x < end; x += VW) {
        vf m = gy_load(f->pass.x + x);
        vf part = gy_select((vi)(m < 0.0f), gy_load(share + x), gy_splat(1.0f));
        part = gy_select((vi)(m > 0.0f), gy_load(other + x), part);
        m *= part;
        if (exact) {
            m = quantum * gy_to_float(gy_to_int(gy_clamp(m * inverse, -most, most)));
        }
        gy_store(pass + x, m);
        gy_store(f->pass.x + x, m);
        gy_store(f->low.x + x, gy_load(f->low.x + x) * part);
        gy_store(f->high.x + x, gy_load(f->high.x + x) * part);
        gy_store(f->along.x + x, gy_load(f->along.x + x) * m);
    }
}

/// The share of row j, and with it the faces between it and those before.
GY_INLINE void gy_water_drain(const gy_shallow_shared *c, bool flat, bool exact, int j, bool inside)
{
    gy_water_work *w = c->w;
    int r = gy_ring(j), o = gy_patch_at(0, j) - GY_PATCH_FIRST;
    const float *share = w->share[r].x;
    gy_water_share(c, flat, j);
    if (inside) {
        gy_water_settle(c, exact, &w->faces_x[r], share - 1, share, c->p->pass_x + o,
                        GY_PATCH_FIRST + 65);
    }
    if (!flat) {
        gy_water_settle(c, exact, &w->faces_y[r], w->share[gy_ring(j - 1)].x, share,
                        c->p->pass_y + o, GY_PATCH_FIRST + 64);
    }
}

/// d^(-4/3), to some ulp, for 1e-20 < d < 1e20.
GY_INLINE vf gy_water_shallowness(vf d)
{
    // The exponent times -1/3 for a start, four of Newton's steps for 1 / r^3 = d.
    vi bits = 0x54a21d2a - gy_to_int(gy_to_float((vi)d) * (1.0f / 3.0f));
    vf r = (vf)bits;
    for (int q = 0; q < 4; q++) {
        r *= (4.0f / 3.0f) - (d * (1.0f / 3.0f)) * (r * r * r);
    }
    return (r * r) * (r * r);
}

/// What the bed, the air and the cap leave of a velocity, of which `square` is the square.
GY_INLINE vf gy_water_brake(gy_shallow_shared *c, vf d, vf square)
{
    const gy_shallow *s = c->s;
    vf factor = gy_splat(s->damping);
    if (s->manning > 0.0f || s->friction > 0.0f) {
        // Implicit Euler of u_t = -friction u - k |u| u, solved for u: right when friction and
        // slope are in balance, whatever dt is.
        float linear = 1.0f + s->dt * s->friction;
        vf k = gy_splat(0.0f);
        if (s->manning > 0.0f) {
            vf depth = gy_clamp(d, gy_splat(1e-12f), gy_splat(GY_SHALLOW_HIGH));
            k = (4.0f * s->dt * c->gravity * s->manning * s->manning) * gy_water_shallowness(depth);
            k = gy_min(k, gy_splat(1e15f)) * gy_sqrt(square);
        }
        factor *= 2.0f / (linear + gy_sqrt(linear * linear + k));
    }
    square *= factor * factor;
    vi over = (vi)(square > c->cap * c->cap);
    if (gy_any(over)) {
        factor = gy_select(over, factor * (c->cap / gy_sqrt(square)), factor);
        c->capped -= over;
    }
    return factor;
}

/// The new state of row j.
GY_INLINE void gy_water_update(gy_shallow_shared *c, bool flat, int j, float *depth, float *qx,
                               float *qy)
{
    const gy_water_work *w = c->w;
    int r = gy_ring(j), o = gy_patch_at(0, j) - GY_PATCH_FIRST;
    const gy_water_faces *fx = &w->faces_x[r], *fy = &w->faces_y[r];
    const gy_water_faces *gy = &w->faces_y[gy_ring(j + 1)];
    vf huge = gy_splat(1e15f);
    bool brake = c->s->damping != 1.0f || c->s->manning > 0.0f || c->s->friction > 0.0f;
    for (int x = GY_PATCH_FIRST; x < GY_PATCH_FIRST + 64; x += VW) {
        vf d = gy_load(c->p->depth + o + x);
        vf net = gy_load(fx->pass.x + x) - gy_load(fx->pass.x + x + 1);
        vf mx = gy_load(fx->low.x + x + 1) - gy_load(fx->high.x + x);
        vf my = gy_load(fx->along.x + x + 1) - gy_load(fx->along.x + x);
        if (!flat) {
            net += gy_load(fy->pass.x + x) - gy_load(gy->pass.x + x);
            mx += gy_load(gy->along.x + x) - gy_load(fy->along.x + x);
            my += gy_load(gy->low.x + x) - gy_load(fy->high.x + x);
        }
        mx += gy_load(w->force_x[r].x + x);
        my += gy_load(w->force_y[r].x + x);
        // Water that comes into a dry cell brings its momentum, for when there is enough to flow.
        vf dn = d + net;
        vi wet = (vi)(dn >= c->dry), some = wet | (vi)(net > 0.0f);
        vf ux = gy_keep(some, gy_clamp(gy_load(c->p->qx + o + x), -huge, huge) - mx);
        vf uy = gy_keep(some, gy_clamp(gy_load(c->p->qy + o + x), -huge, huge) - my);
        vf inverse = gy_keep(wet, 1.0f / gy_max(dn, gy_splat(c->dry)));
        vf u = gy_clamp(ux * inverse, -huge, huge), v = gy_clamp(uy * inverse, -huge, huge);
        vf square = u * u + v * v;
        vi over = (vi)(square > c->cap * c->cap);
        if (brake || gy_any(over)) {
            vf factor = gy_water_brake(c, dn, square);
            u *= factor;
            v *= factor;
            // A lane that nothing slows keeps its discharge to the bit, whatever its neighbours
            // do: how many of them there are depends on the instruction set.
            vi slowed = brake ? wet : over;
            ux = gy_select(slowed, dn * u, ux * factor);
            uy = gy_select(slowed, dn * v, uy * factor);
            square = u * u + v * v;
        }
        int to = (x - GY_PATCH_FIRST) + GY_WATER_TILE * j;
        gy_store(depth + to, dn);
        gy_store(qx + to, ux);
        gy_store(qy + to, uy);
        vf root = gy_sqrt(c->gravity * gy_min(dn, gy_splat(GY_SHALLOW_HIGH)));
        vf wave = gy_keep(wet, gy_max(gy_abs(u), gy_abs(v)) + root);
        c->wave = gy_max(c->wave, wave);
        c->speed = gy_max(c->speed, square);
        c->change = gy_max(c->change, gy_abs(dn - d));
    }
}

// ---- the step -----------------------------------------------------------------------------------

/// Rows from *first to *last are all that can change; *first > *last where nothing can.
GY_INLINE void gy_water_extent(const gy_shallow_shared *c, int rows, int *first, int *last)
{
    *first = rows;
    *last = -1;
    for (int j = -1; j <= rows; j++) {
        const float *d = c->p->depth + gy_patch_at(0, j) - GY_PATCH_FIRST;
        vf most = gy_splat(0.0f);
        // From cell -1 to 64; both ends by themselves.
        for (int x = GY_PATCH_FIRST; x < GY_PATCH_FIRST + 64; x += VW) {
            most = gy_max(most, gy_load(d + x));
        }
        if (gy_any((vi)(most >= c->dry)) || d[GY_PATCH_FIRST - 1] >= c->dry ||
            d[GY_PATCH_FIRST + 64] >= c->dry) {
            *first = GY_MIN(*first, GY_MAX(j - 1, 0));
            *last = GY_MIN(j + 1, rows - 1);
        }
    }
}

/// Rows of a tile that stay as they are, and nothing passes between them.
GY_INLINE void gy_water_leave(const gy_shallow_shared *c, int from, int to, float *depth, float *qx,
                              float *qy)
{
    for (int j = from; j < to; j++) {
        int o = gy_patch_at(0, j), at = GY_WATER_TILE * j;
        memcpy(depth + at, c->p->depth + o, GY_WATER_TILE * sizeof *depth);
        memset(qx + at, 0, GY_WATER_TILE * sizeof *qx);
        memset(qy + at, 0, GY_WATER_TILE * sizeof *qy);
    }
}

GY_INLINE void gy_water_still(float *pass, int from, int to)
{
    for (int j = from; j < to; j++) {
        memset(pass + gy_patch_at(0, j), 0, (GY_WATER_TILE + 1) * sizeof *pass);
    }
}

GY_INLINE void gy_water_roll(gy_shallow_shared *c, bool open, bool flat, int first, int last,
                             float *depth, float *qx, float *qy)
{
    bool exact = c->s->quantum > 0.0f;
    if (flat) {
        gy_water_primitive(c, 0);
        gy_water_differ(c, open, 0, 0);
        gy_water_reconstruct(c, open, true, 0);
        gy_water_faces_of(c, open, true, 0);
        gy_water_drain(c, true, exact, 0, true);
        gy_water_update(c, true, 0, depth, qx, qy);
        return;
    }
    gy_water_primitive(c, first - 3);
    gy_water_primitive(c, first - 2);
    gy_water_differ(c, open, 1, first - 2);
    for (int j = first - 2; j <= last + 2; j++) {
        gy_water_primitive(c, j + 1);
        gy_water_differ(c, open, 0, j);
        gy_water_differ(c, open, 1, j + 1);
        gy_water_reconstruct(c, open, false, j);
        gy_water_faces_of(c, open, false, j);
        if (j > first - 1) {
            gy_water_drain(c, false, exact, j - 1, j > first && j <= last + 1);
        }
        if (j > first + 1) {
            gy_water_update(c, false, j - 2, depth, qx, qy);
        }
    }
}

/// One step of the tile in `p`. The new state goes to `depth`, `qx` and `qy`, of 64 x 64 cells
/// each; rows beyond those of the domain are written as dry. A quantum must be a power of two.
GY_INLINE void gy_shallow_step(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,
                               gy_flow_result *result)
{
    gy_water_work work;
    memset(&work, 0, sizeof work);
    const float most = GY_SHALLOW_FAST, zero = 0.0f;
    gy_shallow_shared c = {.s = s, .p = p, .w = &work};
    c.ratio = GY_MIN(s->dt / s->h, most);
    c.gravity = GY_MAX(GY_MIN(s->gravity, most), zero);
    c.dry = GY_MAX(s->dry_depth, 1e-12f);
    c.cap = GY_MIN(s->speed_cap, most);
    c.loose = s->loose;
    for (int a = 0; a < 2; a++) {
        c.kick[a] = GY_MAX(GY_MIN(s->dt * s->acceleration[a], most), -most);
        c.tilt[a] = -s->acceleration[a] * s->h / GY_MAX(c.gravity, 1e-12f);
        c.tilt[a] = GY_MAX(GY_MIN(c.tilt[a], GY_SHALLOW_HIGH), -GY_SHALLOW_HIGH);
    }
    bool flat = s->one_dimensional != 0;
    int rows = flat ? 1 : s->rows, first, last;
    gy_water_extent(&c, rows, &first, &last);
    bool any = first <= last;
    if (any && flat && p->open) {
        gy_water_roll(&c, true, true, first, last, depth, qx, qy);
    } else if (any && flat) {
        gy_water_roll(&c, false, true, first, last, depth, qx, qy);
    } else if (any && p->open) {
        gy_water_roll(&c, true, false, first, last, depth, qx, qy);
    } else if (any) {
        gy_water_roll(&c, false, false, first, last, depth, qx, qy);
    }
    int before = any ? first : rows, after = any ? last + 1 : rows;
    gy_water_leave(&c, 0, before, depth, qx, qy);
    gy_water_leave(&c, after, rows, depth, qx, qy);
    gy_water_still(p->pass_x, 0, before);
    gy_water_still(p->pass_x, after, GY_WATER_TILE);
    gy_water_still(p->pass_y, 0, any && !flat ? first : GY_WATER_TILE + 1);
    if (any && !flat) {
        gy_water_still(p->pass_y, last + 2, GY_WATER_TILE + 1);
    }
    size_t beyond = (size_t)(GY_WATER_TILE - rows) * GY_WATER_TILE * sizeof(float);
    memset(depth + rows * GY_WATER_TILE, 0, beyond);
    memset(qx + rows * GY_WATER_TILE, 0, beyond);
    memset(qy + rows * GY_WATER_TILE, 0, beyond);

    int32_t lane[VW];
    memcpy(lane, &c.capped, sizeof lane);
    result->capped = 0;
    for (int l = 0; l < VW; l++) {
        result->capped += lane[l];
    }
    result->wave_speed = gy_lane_max(c.wave);
    result->change = gy_lane_max(c.change);
    result->speed = gy_sqrt(gy_splat(gy_lane_max(c.speed)))[0];
}

#endif
