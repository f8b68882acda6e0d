// gas/ops/plate.h: round plates in a gas, how they turn and what drags them: leaves, snow flakes,
// paper. Of a plate of normal n that moves by v and turns by o in a wind u, with w = u - v:
//
//     v' = k_n (w . n) n + k_t (w - (w . n) n) + g - b o x w,    x' = v
//     o' = k_o (J - o) - l |w| (w . n) (w x n) / (4 |w| + pi |w . n|),    J = R + c n x (E n)
//
// k: rates of drag, gas/grains.c says whose; k_n is far the greater one, so that a plate aslant
// glides.
// R and E are the wind's rotation and strain at it, c = (r^2 - 1) / (r^2 + 1), r thickness by
// diameter: where the gas is thick it turns as G. B. Jeffery's spheroid does (Proc. R. Soc. A 102,
// 1922). The last term is the pressure on a plate in fast air, which acts before its middle by
// 3/2 a cos(alpha) / (4 + pi sin(alpha)) (Lord Rayleigh, Phil. Mag. 2, 1876), alpha the angle of
// the
// wind with it: it turns a plate broadside on. o x w is the lift of a plate that turns: it keeps
// heavy ones tumbling, over and over, and light ones fluttering, to and fro. About n a plate turns
// against Stokes's drag alone.
//
// A step is that of gas/ops/grain.c along n and across it, and the same again for o, of the normal
// half a step ahead; the pull of pressure and the lift are divided by 1 + their stiffness dt^2, so
// that any dt is stable. Second order in dt in thick air, where rates are constant, first order in
// fast air. It turns by at most 2 radians in a step. Costs besides grain's 2 d (d -
// 1) roundings of slopes and 28 bytes read and written. Near sheets no slope of the wind is
// known: R = E = 0.
#ifndef GY_GAS_PLATE_H
#define GY_GAS_PLATE_H

#include "gas/ops/grain.h"

GY_INLINE void cross(const vf a[3], const vf b[3], vf to[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

GY_INLINE vf dot3(const vf a[3], const vf b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// Where the y axis is turned to.
GY_INLINE void normal_of(const vf q[4], vf n[3])
{
    n[0] = 2.0f * (q[0] * q[1] - q[3] * q[2]);
    n[1] = 1.0f - 2.0f * (q[0] * q[0] + q[2] * q[2]);
    n[2] = 2.0f * (q[1] * q[2] + q[3] * q[0]);
}

/// Of unit length; of none: as it was made.
GY_INLINE void made_unit(vf q[4])
{
    vf square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    vi some = (vi)(square > 1e-12f);
    vf by = 1.0f / gy_sqrt(gy_max(square, gy_splat(1e-12f)));
    for (int c = 0; c < 4; c++) {
        q[c] = gy_select(some, q[c] * by, gy_splat(c == 3 ? 1.0f : 0.0f));
    }
}

/// How the particles stand at the start of a step.
GY_INLINE void stand(const grain *g, int dim, int i, flight *f)
{
    const vf one = gy_splat(1.0f);
    for (int c = 0; c < 4; c++) {
        f->q[c] = gy_clamp(gy_load(g->q[c] + i), -one, one);
        f->q[c] = !gy_is_3d(dim) && c < 2 ? gy_splat(0.0f) : f->q[c];
    }
    // What the caller has written; what a step has is left as it is, to the bit.
    vf square = (f->q[0] * f->q[0] + f->q[1] * f->q[1]) + (f->q[2] * f->q[2] + f->q[3] * f->q[3]);
    vi off = (vi)(gy_abs(square - 1.0f) > 1e-5f);
    vf q[4] = {f->q[0], f->q[1], f->q[2], f->q[3]};
    made_unit(q);
    for (int c = 0; c < 4; c++) {
        f->q[c] = gy_select(off, q[c], f->q[c]);
    }
    for (int c = 0; c < 3; c++) {
        f->spin[c] = gy_clamp(gy_load(g->spin[c] + i), gy_splat(-1e6f), gy_splat(1e6f));
        f->spin[c] = !gy_is_3d(dim) && c < 2 ? gy_splat(0.0f) : f->spin[c];
        f->way[c] = gy_splat(0.0f);
    }
    normal_of(f->q, f->n);
}

/// How near to a surface of that normal its middle comes, in cells.
GY_INLINE vf reach_of(const grain *g, int dim, const vf normal[3], const flight *f)
{
    const gy_plate_law *l = &g->law->plate;
    if (!l->is) {
        return gy_splat(g->law->hold);
    }
    vf along = gy_abs(dot(dim, normal, f->n)), one = gy_splat(1.0f);
    vf edge = gy_sqrt(gy_max(one - along * along, gy_splat(0.0f)));
    return gy_clamp(l->wide * edge + l->thick * along, gy_splat(0x1p-8f), gy_splat(2.0f));
}

/// What touches a surface lies down on it, some 8 times a second.
GY_INLINE void lie(const grain *g, int dim, const vf normal[3], vi where, flight *f)
{
    vf zero = gy_splat(0.0f), up[3] = {zero, zero, zero}, turn[3];
    vf share = gy_splat(GY_MIN(8.0f * g->a->dt, 1.0f));
    vf side = gy_select(dot(dim, normal, f->n) < 0.0f, gy_splat(-1.0f), gy_splat(1.0f));
    for (int d = 0; d < dim; d++) {
        up[d] = normal[d] * side;
    }
    cross(f->n, up, turn);
    // Flat, to a thousandth: it rests, to the bit. What sticks stays as it came.
    vi flat = (vi)(dot3(turn, turn) < 1e-6f) | gy_splat_int(g->law->stick ? -1 : 0);
    for (int c = 0; c < 3; c++) {
        vf way = gy_select(flat, zero, turn[c] * share);
        f->way[c] = gy_select(where, way, f->way[c]);
        f->spin[c] = gy_select(where, way * (1.0f / g->a->dt), f->spin[c]);
    }
}

/// The rates of drag along the normal and across it.
GY_INLINE void rates(const gy_plate_law *l, vf all, vf side, vf *across, vf *along)
{
    vf most = gy_splat(1e18f);
    *across = gy_min(l->across[0] + l->across[1] * all, most);
    *along = gy_min(l->along[0] + l->along[1] * gy_sqrt(side) + l->along[2] * side, most);
}

/// Turns for a step in a wind `w` against it; slopes are in 1/s.
GY_INLINE void spin(const grain *g, const vf n[3], const vf w[3], vf slope[3][3], flight *f)
{
    const gy_plate_law *l = &g->law->plate;
    float dt = g->a->dt;
    vf round[3], strain[3], jeffery[3], lag[3], pull[3], p, q;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        round[a] = 0.5f * (slope[c][b] - slope[b][c]);
        strain[a] = gy_splat(0.0f);
        for (int d = 0; d < 3; d++) {
            strain[a] = strain[a] + 0.5f * (slope[a][d] + slope[d][a]) * n[d];
        }
    }
    cross(n, strain, jeffery);
    vf along = dot3(w, n), all = gy_sqrt(dot3(w, w)), roll = gy_splat(0.0f);
    for (int a = 0; a < 3; a++) {
        lag[a] = round[a] + l->form * jeffery[a] - f->spin[a];
        roll = roll + lag[a] * n[a];
    }
    // Of a lag about the normal and about diameters.
    vf across[3], square = gy_splat(0.0f);
    for (int a = 0; a < 3; a++) {
        across[a] = lag[a] - roll * n[a];
        square = square + across[a] * across[a];
    }
    vf most = gy_splat(1e18f);
    vf k = gy_min(l->turn[0] + l->turn[1] * all + l->turn[2] * gy_sqrt(square), most);
    cross(w, n, pull);
    vf lever = gy_select(all > 0.0f,
                         l->lever * all /
                             gy_max(4.0f * all + 3.14159265f * gy_abs(along), gy_splat(1e-30f)),
                         gy_splat(0.0f));
    vf stiff = 1.0f + (dt * dt) * gy_min(lever * all * all, most);
    lever = lever * along / stiff;
    decay(k * dt, &p, &q);
    vf own_p, own_q;
    decay(gy_splat(GY_MIN(l->roll * dt, 1e18f)), &own_p, &own_q);
    for (int a = 0; a < 3; a++) {
        vf turn = k * across[a] - lever * pull[a], own = l->roll * roll * n[a];
        f->way[a] = f->spin[a] * dt + (dt * dt) * (turn * q + own * own_q);
        f->spin[a] = f->spin[a] + dt * (turn * p + own * own_p);
    }
}

/// Flies for a step; `w`: the wind against it at first, the gusts with it. In 2D z is 0.
GY_INLINE void glide(const grain *g, int dim, const vf w[3], vf slope[3][3], flight *f)
{
    const gy_plate_law *l = &g->law->plate;
    float dt = g->a->dt, inverse = g->law->inverse;
    vf n[3], zero = gy_splat(0.0f), end[3] = {zero, zero, zero};
    // The normal half a step ahead.
    cross(f->spin, f->n, n);
    vf bend = gy_splat(0.0f);
    for (int d = 0; d < 3; d++) {
        bend = bend + n[d] * n[d];
    }
    vf half = gy_splat(0.5f * dt);
    half = gy_min(half, 1.0f / gy_sqrt(gy_max(bend, gy_splat(1e-20f))));
    bend = zero;
    for (int d = 0; d < 3; d++) {
        n[d] = f->n[d] + half * n[d];
        bend = bend + n[d] * n[d];
    }
    bend = 1.0f / gy_sqrt(gy_max(bend, gy_splat(1e-20f)));
    vf pull = zero, along = zero, roll = zero, k[2], after[2], p[2], q[2];
    for (int d = 0; d < 3; d++) {
        n[d] = n[d] * bend;
        along = along + w[d] * n[d];
        roll = roll + f->spin[d] * n[d];
    }
    vf side[3], all = gy_sqrt(dot3(w, w)), weight[3], lift[3], turn[3];
    for (int d = 0; d < 3; d++) {
        turn[d] = f->spin[d] - roll * n[d];
    }
    cross(w, turn, lift);
    vf fast = gy_min((l->lift * dt) * (l->lift * dt) * dot3(turn, turn), gy_splat(1e18f));
    for (int d = 0; d < 3; d++) {
        lift[d] = d < dim ? l->lift * lift[d] / (1.0f + fast) : zero;
        weight[d] = (d < dim ? g->law->pull[d] : 0.0f) + lift[d];
        pull = pull + weight[d] * n[d];
    }
    for (int d = 0; d < 3; d++) {
        side[d] = w[d] - along * n[d];
        weight[d] = weight[d] - pull * n[d];
    }
    pull = pull * l->ease;
    rates(l, all, gy_sqrt(dot3(side, side)), &k[0], &k[1]);
    decay(k[0] * dt, &p[0], &q[0]);
    decay(k[1] * dt, &p[1], &q[1]);
    vf at_end = along - (k[0] * along + pull) * (dt * p[0]), square = zero;
    for (int d = 0; d < 3; d++) {
        end[d] = side[d] - (k[1] * side[d] + weight[d]) * (dt * p[1]);
        square = square + end[d] * end[d];
    }
    rates(l, gy_sqrt(square + at_end * at_end), gy_sqrt(square), &after[0], &after[1]);
    for (int c = 0; c < 2; c++) {
        k[c] = gy_sqrt(k[c] * after[c]);
        decay(k[c] * dt, &p[c], &q[c]);
    }
    for (int d = 0; d < dim; d++) {
        float most = (float)g->t.n[d];
        vf a[2] = {(k[0] * along + pull) * n[d], k[1] * side[d] + weight[d]};
        vf way = f->was[d] * dt + (dt * dt) * (a[0] * q[0] + a[1] * q[1]);
        f->pull[d] = a[0] * p[0] + a[1] * p[1];
        f->v[d] = f->was[d] + dt * f->pull[d];
        f->to[d] = f->from[d] + gy_clamp(way * inverse, gy_splat(-most), gy_splat(most));
        f->gained[d] = dt * ((a[0] * p[0] - pull * n[d]) * (1.0f / l->ease) +
                             (a[1] * p[1] - weight[d]) + lift[d]);
    }
    spin(g, n, w, slope, f);
}

/// Where it has turned to.
GY_INLINE void turned(flight *f)
{
    vf square = dot3(f->way, f->way), t[3], q[4], c[3];
    vf most = gy_sqrt(gy_max(square * 0.25f, gy_splat(1.0f))); // 2 radians
    square = gy_min(square, gy_splat(4.0f));
    // tan(x / 2) / x to x^6
    vf by = (0.5f + square * (1.0f / 24 + square * (1.0f / 240 + square * (17.0f / 40320)))) / most;
    for (int a = 0; a < 3; a++) {
        t[a] = f->way[a] * by;
    }
    cross(t, f->q, c);
    for (int a = 0; a < 3; a++) {
        q[a] = (f->q[a] + f->q[3] * t[a]) + c[a];
    }
    q[3] = f->q[3] - dot3(t, f->q);
    made_unit(q);
    vi moves = (vi)(square > 0.0f);
    for (int a = 0; a < 4; a++) {
        f->q[a] = gy_select(moves, q[a], f->q[a]);
    }
}

#endif
