// ops/shallow.h: one step of shallow water on a patch (see ops/patch.h).
//
//     d_t + div q = 0,   q_t + div (q q / d) + g d grad (b + d) = sources
//
// Finite volumes, unsplit, second order in space and time (MUSCL-Hancock): slopes of surface, depth
// and velocity limited by the generalised minmod; half a step of the primitive equations in each
// cell; hydrostatic reconstruction at the faces (Audusse et al. 2004); HLL for depth and normal
// momentum, the upwind velocity along the face. Pressure is kept as differences: what a face does
// to a cell is its momentum flux less g d^2 / 2 of the cell's own reconstructed depth, and inside
// the cell g d times the slope of the surface is left. Both are 0 to the bit where the surface is
// level and the water at rest, whatever the bed.
//
// Depth stays positive: where more would leave a cell than is in it, all that leaves is scaled by
// one factor, which both sides of a face find alike. About 300 operations per cell.
#ifndef GY_SHALLOW_H
#define GY_SHALLOW_H

#include "base/simd.h"
#include "ops/patch.h"

enum {
    GY_SHALLOW_LOW = -VW,                 // lanes of a row that are worked on: whole vectors that
    GY_SHALLOW_HIGH = GY_WATER_TILE + VW, // hold -2 to 65
    GY_ROW = GY_PATCH_STRIDE
};

/// Half a step on, at the centres of a row of cells, and the limited differences from one side of
/// a cell to the other along both axes.
typedef struct gy_shallow_row {
    _Alignas(64) float depth[GY_ROW], surface[GY_ROW], u[GY_ROW], v[GY_ROW];
    float x[4][GY_ROW], y[4][GY_ROW]; // of depth, surface, u, v
} gy_shallow_row;

/// What faces do: momentum for the cells on the low and the high side, and along the face.
typedef struct gy_shallow_faces {
    _Alignas(64) float low[GY_PATCH_SIZE], high[GY_PATCH_SIZE], along[GY_PATCH_SIZE];
} gy_shallow_faces;

typedef struct gy_shallow_scratch {
    gy_shallow_row row[2];
    gy_shallow_faces x, y;
    _Alignas(64) float u[GY_PATCH_SIZE], v[GY_PATCH_SIZE]; // velocities now
    float slope_x[GY_PATCH_SIZE], slope_y[GY_PATCH_SIZE];  // g d times the surface's slope
    float part[GY_PATCH_SIZE];                             // of what would leave a cell, what does
} gy_shallow_scratch;

GY_INLINE vi gy_bits(const int32_t *p)
{
    return *(const gy_vi_loose *)p;
}

/// The generalised minmod of the differences to both sides, 1.5 times at most.
GY_INLINE vf gy_limit(vf a, vf b)
{
    vf mean = 0.5f * (a + b), size = gy_min(1.5f * gy_min(gy_abs(a), gy_abs(b)), gy_abs(mean));
    vf s = gy_select(mean < 0.0f, -size, size);
    return gy_select(a * b > 0.0f, s, gy_splat(0.0f));
}

/// Velocities of a row of cells.
GY_INLINE void gy_shallow_velocity(const gy_shallow *s, const gy_patch *p, gy_shallow_scratch *w,
                                   int j)
{
    vf dry = gy_splat(s->dry_depth), zero = gy_splat(0.0f);
    for (int i = GY_SHALLOW_LOW; i < GY_SHALLOW_HIGH; i += VW) {
        int at = gy_patch_at(i, j);
        vf d = gy_load(p->depth + at), inverse = 1.0f / gy_max(d, dry);
        vi wet = d > dry;
        gy_store(w->u + at, gy_select(wet, gy_load(p->qx + at) * inverse, zero));
        gy_store(w->v + at, gy_select(wet, gy_load(p->qy + at) * inverse, zero));
    }
}

/// Limited differences along one axis of depth, surface and both velocities. `normal` is the
/// velocity that a wall turns round.
GY_INLINE void gy_shallow_slopes(const gy_patch *p, const gy_shallow_scratch *w, int at, int step,
                                 int bit, int normal, vf dry, vf slope[4])
{
    const float *const velocity[2] = {w->u, w->v};
    vf d = gy_load(p->depth + at), low = gy_load(p->depth + at - step);
    vf high = gy_load(p->depth + at + step), b = gy_load(p->bed + at);
    vf b_low = gy_load(p->bed + at - step), b_high = gy_load(p->bed + at + step);
    vf zero = gy_splat(0.0f);
    vi shut_low = (vi){0}, shut_high = (vi){0};
    vi wet = (d > dry) & (low > dry) & (high > dry);
    if (!p->open) {
        shut_low = (gy_bits(p->shut + at) & bit) != 0;
        shut_high = (gy_bits(p->shut + at + step) & bit) != 0;
        wet = (d > dry) & ((low > dry) | shut_low) & ((high > dry) | shut_high);
    }
    vf a = d - low, c = high - d, ea = (d + b) - (low + b_low), ec = (high + b_high) - (d + b);
    if (!p->open) {
        a = gy_select(shut_low, zero, a);
        c = gy_select(shut_high, zero, c);
        ea = gy_select(shut_low, zero, ea);
        ec = gy_select(shut_high, zero, ec);
    }
    slope[0] = gy_select(wet, gy_limit(a, c), zero);
    slope[1] = gy_select(wet, gy_limit(ea, ec), zero);
    for (int k = 0; k < 2; k++) {
        vf here = gy_load(velocity[k] + at);
        a = here - gy_load(velocity[k] + at - step);
        c = gy_load(velocity[k] + at + step) - here;
        if (!p->open) {
            a = gy_select(shut_low, k == normal ? here + here : zero, a);
            c = gy_select(shut_high, k == normal ? -(here + here) : zero, c);
        }
        slope[2 + k] = gy_select(wet, gy_limit(a, c), zero);
    }
}

/// Half a step of the primitive equations.
GY_INLINE void gy_shallow_predict(const gy_shallow *s, const gy_patch *p, gy_shallow_scratch *w,
                                  int j)
{
    gy_shallow_row *r = &w->row[j & 1];
    vf half = gy_splat(0.5f * s->dt / s->h), g = gy_splat(s->gravity), dry = gy_splat(s->dry_depth);
    vf zero = gy_splat(0.0f);
    for (int i = GY_SHALLOW_LOW; i < GY_SHALLOW_HIGH; i += VW) {
        int at = gy_patch_at(i, j), to = GY_PATCH_FIRST + i;
        vf x[4], y[4] = {zero, zero, zero, zero};
        gy_shallow_slopes(p, w, at, 1, GY_SHUT_X, 0, dry, x);
        if (!s->one_dimensional) {
            gy_shallow_slopes(p, w, at, GY_PATCH_STRIDE, GY_SHUT_Y, 1, dry, y);
        }
        vf d = gy_load(p->depth + at), b = gy_load(p->bed + at);
        vf u = gy_load(w->u + at), v = gy_load(w->v + at);
        vf grow = (d * x[2] + u * x[0]) + (d * y[3] + v * y[0]);
        vf deep = gy_max(d - half * grow, zero);
        vf change = deep - d;
        vf u_half = u - half * ((u * x[2] + v * y[2]) + g * x[1]);
        vf v_half = v - half * ((u * x[3] + v * y[3]) + g * y[1]);
        gy_store(r->depth + to, deep);
        gy_store(r->surface + to, (d + b) + change);
        gy_store(r->u + to, u_half);
        gy_store(r->v + to, v_half);
        for (int k = 0; k < 4; k++) {
            gy_store(r->x[k] + to, 0.5f * x[k]);
            gy_store(r->y[k] + to, 0.5f * y[k]);
        }
        gy_store(w->slope_x + at, g * deep * x[1]);
        gy_store(w->slope_y + at, g * deep * y[1]);
    }
}

/// The state on one side of a face: u across it, v along it.
typedef struct gy_shallow_side {
    vf depth, surface, u, v;
} gy_shallow_side;

GY_INLINE gy_shallow_side gy_shallow_edge(const gy_shallow_row *r, const float (*slope)[GY_ROW],
                                          int at, bool high, bool along_y)
{
    const float *u = along_y ? r->v : r->u, *v = along_y ? r->u : r->v;
    int across = along_y ? 3 : 2, along = along_y ? 2 : 3;
    gy_shallow_side s;
    if (high) {
        s.depth = gy_load(r->depth + at) + gy_load(slope[0] + at);
        s.surface = gy_load(r->surface + at) + gy_load(slope[1] + at);
        s.u = gy_load(u + at) + gy_load(slope[across] + at);
        s.v = gy_load(v + at) + gy_load(slope[along] + at);
    } else {
        s.depth = gy_load(r->depth + at) - gy_load(slope[0] + at);
        s.surface = gy_load(r->surface + at) - gy_load(slope[1] + at);
        s.u = gy_load(u + at) - gy_load(slope[across] + at);
        s.v = gy_load(v + at) - gy_load(slope[along] + at);
    }
    s.depth = gy_max(s.depth, gy_splat(0.0f));
    return s;
}

/// One face: what passes, in metres of a cell's depth, and the momentum for both its cells.
GY_INLINE void gy_shallow_face(const gy_shallow *s, gy_shallow_side l, gy_shallow_side r, vi shut,
                               bool open, float *pass, float *low, float *high, float *along)
{
    vf zero = gy_splat(0.0f), g = gy_splat(s->gravity), share = gy_splat(s->dt / s->h);
    vf bed = gy_max(l.surface - l.depth, r.surface - r.depth);
    vf dl = gy_min(gy_max(l.surface - bed, zero), l.depth);
    vf dr = gy_min(gy_max(r.surface - bed, zero), r.depth);
    vf cl = gy_sqrt(g * dl), cr = gy_sqrt(g * dr);
    vf sl = gy_min(l.u - cl, r.u - cr), sr = gy_max(l.u + cl, r.u + cr);
    sl = gy_select(dl > 0.0f, sl, r.u - 2.0f * cr);
    sr = gy_select(dl > 0.0f, sr, r.u + cr);
    sr = gy_select(dr > 0.0f, sr, l.u + 2.0f * cl);
    sl = gy_select(dr > 0.0f, sl, l.u - cl);
    sl = gy_min(sl, zero);
    sr = gy_max(sr, zero);
    vf wide = sr - sl,
       inverse = gy_select(wide > 1e-20f, 1.0f / gy_max(wide, gy_splat(1e-20f)), zero);
    inverse = gy_select((dl > 0.0f) | (dr > 0.0f), inverse, zero);
    vf ql = dl * l.u, qr = dr * r.u;
    vf mass = ((sr * ql - sl * qr) + (sl * sr) * (dr - dl)) * inverse;
    vf carried = (sr * (ql * l.u) - sl * (qr * r.u)) + (sl * sr) * (qr - ql);
    vf drop = 0.5f * g * ((dr - dl) * (dr + dl));
    vf m_low = (carried - sl * drop) * inverse, m_high = (carried - sr * drop) * inverse;
    vf m_along = mass * gy_select(mass > 0.0f, l.v, r.v);
    if (!open) {
        // A wall: the mirrored state beyond it.
        vf wl = gy_abs(l.u) + gy_sqrt(g * l.depth), wr = gy_abs(r.u) + gy_sqrt(g * r.depth);
        m_low = gy_select(shut, (l.depth * l.u) * (l.u + wl), m_low);
        m_high = gy_select(shut, (r.depth * r.u) * (r.u - wr), m_high);
        mass = gy_select(shut, zero, mass);
        m_along = gy_select(shut, zero, m_along);
    }
    gy_store(pass, share * mass);
    gy_store(low, share * m_low);
    gy_store(high, share * m_high);
    gy_store(along, share * m_along);
}

GY_INLINE void gy_shallow_across_x(const gy_shallow *s, gy_patch *p, gy_shallow_scratch *w, int j)
{
    const gy_shallow_row *r = &w->row[j & 1];
    for (int i = GY_SHALLOW_LOW; i < GY_SHALLOW_HIGH; i += VW) {
        int at = gy_patch_at(i, j), to = GY_PATCH_FIRST + i;
        gy_shallow_side low = gy_shallow_edge(r, r->x, to - 1, true, false);
        gy_shallow_side high = gy_shallow_edge(r, r->x, to, false, false);
        vi shut = (gy_bits(p->shut + at) & GY_SHUT_X) != 0;
        gy_shallow_face(s, low, high, shut, p->open, p->pass_x + at, w->x.low + at, w->x.high + at,
                        w->x.along + at);
    }
}

GY_INLINE void gy_shallow_across_y(const gy_shallow *s, gy_patch *p, gy_shallow_scratch *w, int j)
{
    const gy_shallow_row *r = &w->row[j & 1], *below = &w->row[~j & 1];
    for (int i = GY_SHALLOW_LOW; i < GY_SHALLOW_HIGH; i += VW) {
        int at = gy_patch_at(i, j), to = GY_PATCH_FIRST + i;
        gy_shallow_side low = gy_shallow_edge(below, below->y, to, true, true);
        gy_shallow_side high = gy_shallow_edge(r, r->y, to, false, true);
        vi shut = (gy_bits(p->shut + at) & GY_SHUT_Y) != 0;
        gy_shallow_face(s, low, high, shut, p->open, p->pass_y + at, w->y.low + at, w->y.high + at,
                        w->y.along + at);
    }
}

/// Of what would leave each cell of a row, how much can. Returns the least.
GY_INLINE vf gy_shallow_part(const gy_patch *p, gy_shallow_scratch *w, int j, bool flat)
{
    vf zero = gy_splat(0.0f), least = gy_splat(1.0f);
    for (int i = GY_SHALLOW_LOW; i < GY_SHALLOW_HIGH; i += VW) {
        int at = gy_patch_at(i, j);
        vf x = gy_max(gy_load(p->pass_x + at + 1), zero) - gy_min(gy_load(p->pass_x + at), zero);
        vf y = zero;
        if (!flat) {
            y = gy_max(gy_load(p->pass_y + at + GY_PATCH_STRIDE), zero) -
                gy_min(gy_load(p->pass_y + at), zero);
        }
        vf out = x + y, there = gy_load(p->depth + at) * (1.0f - 1e-6f);
        vf part = gy_select(out > there, there / gy_max(out, gy_splat(1e-30f)), gy_splat(1.0f));
        gy_store(w->part + at, part);
        least = gy_min(least, part);
    }
    return least;
}

GY_INLINE void gy_shallow_scale(float *pass, gy_shallow_faces *f, const float *part, int at,
                                int step)
{
    vf mass = gy_load(pass + at);
    vf k = gy_select(mass > 0.0f, gy_load(part + at - step), gy_load(part + at));
    gy_store(pass + at, k * mass);
    gy_store(f->low + at, k * gy_load(f->low + at));
    gy_store(f->high + at, k * gy_load(f->high + at));
    gy_store(f->along + at, k * gy_load(f->along + at));
}

/// Whole multiples of the quantum, towards zero.
GY_INLINE void gy_shallow_count(const gy_shallow *s, float *pass)
{
    vf q = gy_splat(s->quantum), inverse = gy_splat(1.0f / s->quantum), most = gy_splat(4194304.0f);
    gy_store(pass, q * gy_to_float(gy_to_int(gy_clamp(gy_load(pass) * inverse, -most, most))));
}

/// Manning's friction: g n^2 |u| / d^(4/3), d^(-1/3) by Newton's steps from a guess by the bits.
GY_INLINE vf gy_shallow_friction(const gy_shallow *s, vf d, vf speed)
{
    vf y = (vf)(gy_splat_int(0x548c2b4b) - gy_to_int(gy_to_float((vi)d) * (1.0f / 3.0f)));
    for (int n = 0; n < 4; n++) {
        y = y * ((4.0f - d * ((y * y) * y)) * (1.0f / 3.0f));
    }
    vf rate = (s->gravity * s->manning * s->manning) * speed * ((y * y) * (y * y));
    return 1.0f / (1.0f + s->dt * rate);
}

/// New depths and discharges of a row.
GY_INLINE void gy_shallow_settle(const gy_shallow *s, const gy_patch *p,
                                 const gy_shallow_scratch *w, int j, float *depth, float *qx,
                                 float *qy, vf told[3], vi *capped)
{
    vf zero = gy_splat(0.0f), dry = gy_splat(s->dry_depth), share = gy_splat(s->dt / s->h);
    vf cap = gy_splat(s->speed_cap), keep = gy_splat(s->damping);
    vf ax = gy_splat(s->acceleration[0] * s->dt), ay = gy_splat(s->acceleration[1] * s->dt);
    for (int i = 0; i < GY_WATER_TILE; i += VW) {
        int at = gy_patch_at(i, j), x = at + 1, y = at + GY_PATCH_STRIDE;
        vf old = gy_load(p->depth + at);
        vf more_x = gy_load(p->pass_x + x) - gy_load(p->pass_x + at);
        vf mx =
            (gy_load(w->x.low + x) - gy_load(w->x.high + at)) + share * gy_load(w->slope_x + at);
        vf my = gy_load(w->x.along + x) - gy_load(w->x.along + at), more_y = zero;
        if (!s->one_dimensional) {
            more_y = gy_load(p->pass_y + y) - gy_load(p->pass_y + at);
            mx = mx + (gy_load(w->y.along + y) - gy_load(w->y.along + at));
            my = my + ((gy_load(w->y.low + y) - gy_load(w->y.high + at)) +
                       share * gy_load(w->slope_y + at));
        }
        vf d = gy_max(old - (more_x + more_y), zero);
        vf a = keep * ((gy_load(p->qx + at) - mx) - d * ax);
        vf b = keep * ((gy_load(p->qy + at) - my) - d * ay);
        vi wet = d > dry;
        vf inverse = 1.0f / gy_max(d, dry);
        vf u = gy_select(wet, a * inverse, zero), v = gy_select(wet, b * inverse, zero);
        if (s->manning > 0.0f) {
            vf slow = gy_shallow_friction(s, gy_max(d, dry), gy_sqrt(u * u + v * v));
            u = u * slow;
            v = v * slow;
        }
        vf cu = gy_clamp(u, -cap, cap), cv = gy_clamp(v, -cap, cap);
        *capped -= (cu != u) | (cv != v);
        gy_store(depth + i, d);
        gy_store(qx + i, gy_flush(d * cu));
        gy_store(qy + i, gy_flush(d * cv));
        vf fast = gy_max(gy_abs(cu), gy_abs(cv));
        told[0] = gy_max(told[0], fast + gy_sqrt(s->gravity * d));
        told[1] = gy_max(told[1], gy_abs(d - old));
        told[2] = gy_max(told[2], fast);
    }
}

/// The two passes over a patch's rows that make it new: what crosses its faces, and what comes of
/// it. `depth`, `qx` and `qy` are the tile's next state, 64 x 64.
GY_INLINE void gy_shallow_step(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,
                               gy_shallow_told *told)
{
    gy_shallow_scratch w;
    bool flat = s->one_dimensional;
    int rows = s->rows, low = flat ? 0 : -1, high = flat ? 1 : rows + 1;
    vf least = gy_splat(1.0f), most[3] = {gy_splat(0.0f), gy_splat(0.0f), gy_splat(0.0f)};
    vi capped = gy_splat_int(0);
    for (int j = flat ? 0 : -GY_WATER_HALO; j < (flat ? 1 : rows + GY_WATER_HALO); j++) {
        gy_shallow_velocity(s, p, &w, j);
    }
    for (int j = flat ? 0 : low - 1; j < (flat ? 1 : high + 1); j++) {
        gy_shallow_predict(s, p, &w, j);
        if (j >= low && j < high) {
            gy_shallow_across_x(s, p, &w, j);
        }
        if (!flat && j >= low) {
            gy_shallow_across_y(s, p, &w, j);
        }
    }
    for (int j = low; j < high; j++) {
        least = gy_min(least, gy_shallow_part(p, &w, j, flat));
    }
    bool scaled = gy_lane_min(least) < 1.0f;
    for (int j = 0; j < (flat ? 1 : rows + 1); j++) {
        for (int i = GY_SHALLOW_LOW + VW; i < GY_SHALLOW_HIGH; i += VW) {
            int at = gy_patch_at(i, j);
            if (scaled) {
                gy_shallow_scale(p->pass_x, &w.x, w.part, at, 1);
            }
            if (scaled && !flat) {
                gy_shallow_scale(p->pass_y, &w.y, w.part, at, GY_PATCH_STRIDE);
            }
            if (s->quantum > 0.0f) {
                gy_shallow_count(s, p->pass_x + at);
                gy_shallow_count(s, p->pass_y + at);
            }
        }
    }
    for (int j = 0; j < rows; j++) {
        ptrdiff_t to = (ptrdiff_t)j * GY_WATER_TILE;
        gy_shallow_settle(s, p, &w, j, depth + to, qx + to, qy + to, most, &capped);
    }
    told->wave_speed = gy_lane_max(most[0]);
    told->change = gy_lane_max(most[1]);
    told->speed = gy_lane_max(most[2]);
    told->capped = 0;
    for (int l = 0; l < VW; l++) {
        told->capped += capped[l];
    }
}

#endif
