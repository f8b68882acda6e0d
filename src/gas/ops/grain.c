// gas/ops/grain.c: particles with mass in a gas: drag, weight, bounces.
//
//     v' = k(|u - v|) (u - v) + g,    x' = v
//
// k is the rate of the drag of a ball, by Stokes's law times 1 + 0.15 Re^0.687 up to Re = 1000
// (L. Schiller and A. Naumann, Z. VDI 77, 1935), above by a drag coefficient of 0.44; g the weight
// less the buoyancy. A step holds k and the wind u and is exact for those:
//
//     v + a dt p(k dt),  x + v dt + a dt^2 q(k dt),  a = k (u - v) + g,
//     p(z) = (1 - e^-z) / z,  q(z) = (1 - p) / z,
//
// stable for any dt. k is the geometric mean of those at both ends of a step by the first one: the
// one mean by which a fall in Newton's regime comes to its terminal speed at once, however long the
// step, where k of the start alone would jump about it for good. u is read half a step ahead on the
// particle's own way: where k dt is large that is the midpoint rule of tracers. Second order in dt.
//
// What meets a surface comes off it by `bounce` of the speed at the moment that it met it and loses
// `friction` times the change of that along the surface (Coulomb); what could not leave it by as
// much as its weight brings it back in a step rests. Surfaces: closed sides; solids, by distances
// on the corners of cells (gas/grains.c); shut faces, of whatever. Costs d 2^(d-1) loads of two
// neighbours a particle, 2^(d-1) more where there are solids; bytes: 4 (2 d + 1) read and written,
// and of sorted particles each sample of the velocities once.
#include "gas/ops/grain.h"
#include "gas/ops/plate.h"

typedef uint32_t vu __attribute__((vector_size(VW * 4)));

/// The rate of the drag at a speed against the gas.
GY_INLINE vf drag(const gy_grain_law *l, vf speed)
{
    vf re = gy_min(speed * l->reynolds, gy_splat(1e30f));
    vf half = gy_sqrt(re), fourth = gy_sqrt(half), eighth = gy_sqrt(fourth);
    // Re^0.687: roots make 0.6875 of it, its logarithm (from its bits, to 0.09) the rest, to 3e-5.
    vf two = gy_to_float((vi)re - 0x3f800000) * 0x1p-23f;
    vf power = half * eighth * gy_sqrt(eighth) * (1.0f - 0.00034657359f * two);
    vf k = gy_select(re < 1000.0f, l->slow * (1.0f + 0.15f * power), l->fast * speed);
    return gy_min(k, gy_splat(1e18f));
}

/// As the function of base/maths.c.
GY_INLINE vu pcg(vu x)
{
    vu state = x * 747796405u + 2891336453u;
    vu word = (state >> ((state >> 28) + 4u) ^ state) * 277803737u;
    return word >> 22 ^ word;
}

/// The wind's own gusts: of each particle, step and axis one of even chance, of no mean.
GY_INLINE void gusts(const grain *g, int dim, int i, vf u[3])
{
    vu draw = pcg((vu) * (const gy_vi_loose *)(const void *)(g->id + i)) + g->a->draw;
    for (int d = 0; d < dim; d++) {
        draw = pcg(draw);
        u[d] = u[d] + g->a->gust * (gy_to_float((vi)(draw >> 8)) * 0x1p-23f - 1.0f);
    }
}

/// What a surface does to those that are `deep` cells, above 0, behind where it holds them.
/// `normal` points away from it; `motion`: how its material moves, NULL: it does not.
GY_INLINE void meet_lanes(const grain *g, int dim, const vf normal[3], vf deep, const vf *motion,
                          flight *f)
{
    const gy_grain_law *l = g->law;
    vi hit = (vi)(deep > 0.0f) & ~f->gone;
    if (!gy_any(hit)) {
        return;
    }
    vf zero = gy_splat(0.0f), dt = gy_splat(g->a->dt), along[3], moves = zero;
    vf pace = motion ? dot(dim, motion, normal) : zero;
    vf into = pace - dot(dim, f->v, normal), press = gy_max(-dot(dim, f->pull, normal), zero);
    vi coming = hit & (vi)(into > 0.0f);
    // When it met the surface, and how fast.
    vf since = gy_min(deep * l->h / gy_max(into, gy_splat(1e-20f)), dt);
    vf back = l->bounce * gy_max(into - press * since, zero);
    back = gy_select(back > press * dt, back, zero);
    vf out = gy_max(back - press * since, zero);
    // Along the surface, against its material.
    for (int d = 0; d < dim; d++) {
        along[d] = f->v[d] + into * normal[d];
        if (motion) {
            along[d] = along[d] - motion[d];
            moves = moves + gy_abs(motion[d]);
        }
    }
    vf slide = gy_sqrt(dot(dim, along, along));
    vf lost = l->friction * (into + out);
    vf kept = gy_select(lost < slide, 1.0f - lost / gy_max(slide, gy_splat(1e-20f)), zero);
    vi rests = coming & f->still & (vi)(kept == 0.0f) & (vi)(out == 0.0f) & (vi)(moves == 0.0f);
    vf way = gy_select(coming, deep + (back - 0.5f * press * since) * since * l->inverse, deep);
    way = gy_max(way, deep);
    for (int d = 0; d < dim; d++) {
        vf v = normal[d] * out + along[d] * kept;
        v = motion ? v + motion[d] : v;
        f->v[d] = gy_select(coming, gy_select(rests, zero, v), f->v[d]);
        f->to[d] = gy_select(hit, f->to[d] + normal[d] * way, f->to[d]);
        f->to[d] = gy_select(rests, f->from[d], f->to[d]);
    }
    if (l->plate.is) {
        lie(g, dim, normal, coming, f);
    }
}

static GY_NOINLINE void meet_2d(const grain *g, const vf normal[3], vf deep, const vf *motion,
                                flight *f)
{
    meet_lanes(g, 2, normal, deep, motion, f);
}
static GY_NOINLINE void meet_3d(const grain *g, const vf normal[3], vf deep, const vf *motion,
                                flight *f)
{
    meet_lanes(g, 3, normal, deep, motion, f);
}
/// (A function by itself: there are a dozen kinds of surfaces.)
GY_INLINE void meet(const grain *g, int dim, const vf normal[3], vf deep, const vf *motion,
                    flight *f)
{
    (gy_is_3d(dim) ? meet_3d : meet_2d)(g, normal, deep, motion, f);
}

/// Of an array on corners of cells its value at a place of the domain; `slope`, where asked for,
/// takes what it grows by a cell.
GY_INLINE vf corner_lanes(const grain *g, int dim, const float *array, const vf c[3], vf slope[3])
{
    const int *n = g->t.n;
    const int stride[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
    vi o = gy_splat_int(0);
    vf f[3], v[2][2], x[2][2], w[2];
    for (int a = 0; a < dim; a++) {
        vi k = gy_to_int(gy_clamp(c[a], gy_splat(0.0f), gy_splat((float)n[a] - 0.5f)));
        f[a] = c[a] - gy_to_float(k);
        o += k * stride[a];
    }
    int planes = gy_is_3d(dim) ? 2 : 1;
    for (int z = 0; z < planes; z++) {
        for (int y = 0; y < 2; y++) {
            vf a, b;
            gy_gather_pair(array, o + (y * stride[1] + z * stride[2]), &a, &b);
            x[z][y] = b - a;
            v[z][y] = a + f[0] * x[z][y];
        }
        w[z] = v[z][0] + f[1] * (v[z][1] - v[z][0]);
    }
    if (slope) {
        vf sx[2], sy[2];
        for (int z = 0; z < planes; z++) {
            sx[z] = x[z][0] + f[1] * (x[z][1] - x[z][0]);
            sy[z] = v[z][1] - v[z][0];
        }
        slope[0] = gy_is_3d(dim) ? sx[0] + f[2] * (sx[1] - sx[0]) : sx[0];
        slope[1] = gy_is_3d(dim) ? sy[0] + f[2] * (sy[1] - sy[0]) : sy[0];
        slope[2] = gy_is_3d(dim) ? w[1] - w[0] : gy_splat(0.0f);
    }
    return gy_is_3d(dim) ? w[0] + f[2] * (w[1] - w[0]) : w[0];
}

static GY_NOINLINE vf corners_2d(const grain *g, const float *array, const vf c[3], vf slope[3])
{
    return corner_lanes(g, 2, array, c, slope);
}
static GY_NOINLINE vf corners_3d(const grain *g, const float *array, const vf c[3], vf slope[3])
{
    return corner_lanes(g, 3, array, c, slope);
}
GY_INLINE vf corners(const grain *g, int dim, const float *array, const vf c[3], vf slope[3])
{
    return (gy_is_3d(dim) ? corners_3d : corners_2d)(g, array, c, slope);
}

/// How the material of the solid near a place moves, in m/s.
GY_INLINE void moving(const grain *g, int dim, const vf c[3], vf motion[3])
{
    for (int d = 0; d < dim; d++) {
        motion[d] = g->motion[0] ? corners(g, dim, g->motion[d], c, NULL) : gy_splat(0.0f);
    }
}

/// The most of reach_of.
GY_INLINE float most_hold(const grain *g)
{
    const gy_plate_law *l = &g->law->plate;
    return l->is ? GY_MIN(l->wide + l->thick, 2.0f) + 0x1p-8f : g->law->hold;
}

/// Solids, by how far they are.
GY_INLINE void solids(const grain *g, int dim, flight *f)
{
    vf at[3], normal[3];
    for (int d = 0; d < dim; d++) {
        at[d] = within(&g->t, d, f->to[d]);
    }
    vf away = corners(g, dim, g->distance, at, normal);
    // What is deeper is in something that was put there.
    vi hit = (vi)(away < most_hold(g)) & (vi)(away > -GY_GRAIN_DEEP);
    vf size = gy_sqrt(dot(dim, normal, normal));
    hit = hit & (vi)(size > 1e-6f);
    if (!gy_any(hit)) {
        return;
    }
    for (int d = 0; d < dim; d++) {
        normal[d] = normal[d] / gy_max(size, gy_splat(1e-6f));
    }
    vf deep = reach_of(g, dim, normal, f) - away, motion[3];
    moving(g, dim, at, motion);
    meet(g, dim, normal, gy_select(hit, deep, gy_splat(0.0f)), g->motion[0] ? motion : NULL, f);
}

/// Shut faces between cells, whatever shuts them: nothing passes those.
GY_INLINE void faces(const grain *g, int dim, flight *f)
{
    vf end[3], zero = gy_splat(0.0f);
    for (int d = 0; d < dim; d++) {
        end[d] = f->to[d];
    }
    vi inside = walls(&g->t, dim, f->from, end), moved = inside;
    if (g->distance) {
        // One that a solid has just been pushed over is brought out by how far it is.
        vf away = corners(g, dim, g->distance, f->from, NULL);
        inside = inside & (vi)(away <= -GY_GRAIN_DEEP);
    }
    f->gone |= inside;
    for (int d = 0; d < dim; d++) {
        vf normal[3] = {zero, zero, zero}, over = end[d] - f->to[d];
        moved |= (vi)(over != 0.0f);
        normal[d] = gy_select(over > 0.0f, gy_splat(1.0f), gy_splat(-1.0f));
        meet(g, dim, normal, gy_abs(over), NULL, f);
    }
    if (gy_any(moved)) {
        // Where it has bounced to; and out of what a cell before a shut face holds of a solid. Of
        // these lanes alone: a second look at a solid may move what the first one did.
        flight again = *f;
        walls(&g->t, dim, again.from, again.to);
        if (g->distance) {
            solids(g, dim, &again);
        }
        for (int d = 0; d < dim; d++) {
            f->to[d] = gy_select(moved, again.to[d], f->to[d]);
            f->v[d] = gy_select(moved, again.v[d], f->v[d]);
        }
        for (int c = 0; c < 3 && g->law->plate.is; c++) {
            f->way[c] = gy_select(moved, again.way[c], f->way[c]);
            f->spin[c] = gy_select(moved, again.spin[c], f->spin[c]);
        }
    }
}

/// The sides of the domain across an axis.
GY_INLINE void ends(const grain *g, int dim, int axis, flight *f)
{
    const gy_grain_args *a = g->a;
    vf n = gy_splat((float)g->t.n[axis]), zero = gy_splat(0.0f);
    if (a->periodic >> axis & 1u) {
        f->to[axis] = within(&g->t, axis, f->to[axis]);
        return;
    }
    for (int high = 0; high < 2; high++) {
        vf beyond = high ? f->to[axis] - n : -f->to[axis];
        if (a->open_sides >> (2 * axis + high) & 1u) {
            f->gone |= (vi)(beyond > 0.0f);
        } else {
            vf normal[3] = {zero, zero, zero};
            normal[axis] = gy_splat(high ? -1.0f : 1.0f);
            meet(g, dim, normal, beyond + reach_of(g, dim, normal, f), NULL, f);
        }
    }
    f->to[axis] = gy_clamp(f->to[axis], zero, n);
}

/// Of those that stick: which stand on a surface that does not move.
GY_INLINE vi stuck(const grain *g, int dim, const flight *f)
{
    vi touching = gy_splat_int(0);
    for (int d = 0; d < dim; d++) {
        vf normal[3] = {gy_splat(0.0f), gy_splat(0.0f), gy_splat(0.0f)};
        normal[d] = gy_splat(1.0f);
        vf reach = reach_of(g, dim, normal, f) + HAIR;
        bool round = g->a->periodic >> d & 1u;
        uint32_t open = g->a->open_sides >> (2 * d);
        vf n = gy_splat((float)g->t.n[d]);
        touching |= round || (open & 1u) ? gy_splat_int(0) : (vi)(f->from[d] <= reach);
        touching |= round || (open & 2u) ? gy_splat_int(0) : (vi)(n - f->from[d] <= reach);
    }
    if (g->distance) {
        touching |=
            (vi)(corners(g, dim, g->distance, f->from, NULL) <= gy_splat(most_hold(g) + HAIR));
    }
    return touching & f->still;
}

/// The same of solids that move: what is as near as that, and in a step moves against them by less
/// than a sixteenth of a cell, goes along, where their surface is after the step.
GY_INLINE vi ridden(const grain *g, int dim, flight *f)
{
    vf motion[3], to[3], normal[3], against = gy_splat(0.0f), away, size;
    moving(g, dim, f->from, motion);
    for (int d = 0; d < dim; d++) {
        vf way = (f->was[d] - motion[d]) * (g->a->dt * g->law->inverse);
        against = against + way * way;
        to[d] = within(&g->t, d, f->from[d] + motion[d] * (g->a->dt * g->law->inverse));
    }
    away = corners(g, dim, g->distance, to, normal);
    size = gy_sqrt(dot(dim, normal, normal));
    vf over = away - most_hold(g);
    vi rides = (vi)(over <= 0.0625f) & (vi)(over > -GY_GRAIN_DEEP) & (vi)(against < 0x1p-8f) &
               (vi)(size > 1e-6f) & ~f->still;
    for (int d = 0; d < dim; d++) {
        vf end = f->from[d] + motion[d] * (g->a->dt * g->law->inverse) -
                 gy_max(over, gy_splat(0.0f)) * normal[d] / gy_max(size, gy_splat(1e-6f));
        f->to[d] = gy_select(rides, end, f->to[d]);
        f->v[d] = gy_select(rides, motion[d], f->v[d]);
    }
    return rides;
}

/// Keeps what sticks where it is, or on what moves.
GY_INLINE void cling(const grain *g, int dim, flight *f)
{
    vf zero = gy_splat(0.0f);
    vi held = stuck(g, dim, f), all = held;
    if (g->motion[0]) {
        all |= ridden(g, dim, f);
    }
    for (int d = 0; d < dim; d++) {
        f->to[d] = gy_select(held, f->from[d], f->to[d]);
        f->v[d] = gy_select(held, zero, f->v[d]);
    }
    for (int c = 0; c < 3 && g->law->plate.is; c++) {
        f->way[c] = gy_select(all, zero, f->way[c]);
        f->spin[c] = gy_select(all, zero, f->spin[c]);
    }
}

/// The wind at one point as far from another as `way`, beside sheets; false: there are none near.
static bool wind_near(const tracer *t, int dim, const float c[3], const float way[3], float u[3])
{
    float least, most;
    gy_spot p = {.e = {0, 0, 0}};
    for (int a = 0; a < dim; a++) {
        p.e[a] = clamped((int)c[a], t->n[a]);
        p.f[a] = c[a] - (float)p.e[a] - 0.5f;
    }
    // A path of less than a cell may end in the next one.
    int reach = GY_MIN(gy_net_length(dim, way) + 1, (int)GY_FAR_AWAY);
    if (t->net.away[gy_net_cell(&t->net, p.e)] > reach) {
        return false;
    }
    gy_net_walk(&t->net, way, &p);
    for (int a = 0; a < dim; a++) {
        u[a] = gy_net_read(&t->net, t->velocity[a], a, &p, &least, &most);
    }
    return true;
}

/// Makes again what particles near sheets read: see READ in gas/ops/link.h. There nothing is known
/// of slopes.
static GY_NOINLINE void sheets(const tracer *t, int dim, const vf c[3], const vf way[3], vf u[3],
                               vf slope[3][3])
{
    for (int l = 0; l < VW; l++) {
        float from[3] = {0, 0, 0}, by[3] = {0, 0, 0}, wind[3];
        for (int a = 0; a < dim; a++) {
            from[a] = c[a][l];
            by[a] = way[a][l];
        }
        if (wind_near(t, dim, from, by, wind)) {
            for (int a = 0; a < dim; a++) {
                u[a][l] = wind[a];
                for (int b = 0; b < dim; b++) {
                    slope[a][b][l] = 0.0f;
                }
            }
        }
    }
}

/// Flies for a step as if there was nothing but the wind.
GY_INLINE void fly(const grain *g, int dim, int i, flight *f)
{
    const gy_grain_law *l = g->law;
    float dt = g->a->dt;
    vf zero = gy_splat(0.0f), ahead[3], half[3], u[3], w[3] = {zero, zero, zero}, p, q;
    vf slope[3][3] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    for (int d = 0; d < dim; d++) {
        float n = (float)g->t.n[d];
        half[d] = gy_clamp((0.5f * dt * l->inverse) * f->was[d], gy_splat(-n), gy_splat(n));
        ahead[d] = within(&g->t, d, f->from[d] + half[d]);
    }
    for (int d = 0; d < dim; d++) {
        u[d] = l->plate.is ? sample_slope(&g->t, dim, d, ahead, l->inverse, slope[d])
                           : sample(&g->t, dim, d, ahead);
    }
    if (g->t.net.link) {
        sheets(&g->t, dim, f->from, half, u, slope);
    }
    if (g->a->gust > 0.0f) {
        gusts(g, dim, i, u);
    }
    for (int d = 0; d < dim; d++) {
        w[d] = u[d] - f->was[d];
    }
    if (l->plate.is) {
        glide(g, dim, w, slope, f);
        return;
    }
    vf k = drag(l, gy_sqrt(dot(dim, w, w)));
    decay(k * dt, &p, &q);
    vf end[3];
    for (int d = 0; d < dim; d++) {
        end[d] = w[d] - (k * w[d] + l->pull[d]) * (dt * p);
    }
    k = gy_sqrt(k * drag(l, gy_sqrt(dot(dim, end, end))));
    decay(k * dt, &p, &q);
    for (int d = 0; d < dim; d++) {
        float n = (float)g->t.n[d];
        vf a = k * w[d] + l->pull[d];
        vf way = f->was[d] * dt + a * (dt * dt) * q;
        f->v[d] = f->was[d] + a * (dt * p);
        f->pull[d] = a * p;
        f->to[d] = f->from[d] + gy_clamp(way * l->inverse, gy_splat(-n), gy_splat(n));
        f->gained[d] = (f->v[d] - f->was[d]) - l->pull[d] * dt;
    }
}

/// What the gas is to lose.
GY_INLINE void give(const grain *g, int dim, int i, const flight *f)
{
    for (int d = 0; d < dim; d++) {
        uint32_t at = g->a->given + (uint32_t)d * g->a->step;
        gy_store((float *)gy_at(g->a->particles, at) + i,
                 gy_select(f->gone, gy_splat(0.0f), f->gained[d]));
        gy_store((float *)gy_at(g->a->particles, at + 3u * g->a->step) + i, f->from[d]);
    }
}

/// VW particles; returns which of them are gone.
GY_INLINE vi carry(const grain *g, int dim, int i)
{
    const gy_grain_law *l = g->law;
    flight f = {.still = gy_splat_int(-1)};
    vf x[3], start[3];
    for (int d = 0; d < dim; d++) {
        x[d] = gy_load(g->t.x[d] + i);
        start[d] = (x[d] - l->origin[d]) * l->inverse;
        // Of lanes beyond the last particle this makes points of the domain, too.
        f.from[d] = gy_clamp(start[d], gy_splat(0.0f), gy_splat((float)g->t.n[d]));
        f.was[d] = gy_clamp(gy_load(g->v[d] + i), gy_splat(-1e6f), gy_splat(1e6f));
        f.still &= (vi)(f.was[d] == 0.0f);
    }
    f.gone = (vi)(x[0] >= GY_PARTICLE_GONE); // in a substep before
    if (l->plate.is) {
        stand(g, dim, i, &f);
    }
    fly(g, dim, i, &f);
    if (g->a->given) {
        give(g, dim, i, &f);
    }
    if (l->stick) {
        cling(g, dim, &f);
    }
    if (g->distance) {
        solids(g, dim, &f);
    }
    if (g->t.near) {
        faces(g, dim, &f);
    }
    for (int d = 0; d < dim; d++) {
        ends(g, dim, d, &f);
    }
    vf age = gy_load(g->t.age + i) + g->a->dt;
    if (l->life > 0.0f) {
        f.gone |= (vi)(age >= l->life);
    }
    gy_store(g->t.age + i, age);
    for (int d = 0; d < dim; d++) {
        vf y = x[d] + (f.to[d] - start[d]) * l->h;
        gy_store(g->t.x[d] + i, d == 0 ? gy_select(f.gone, gy_splat(GY_PARTICLE_GONE), y) : y);
        gy_store(g->v[d] + i, f.v[d]);
    }
    if (l->plate.is) {
        turned(&f);
        for (int c = 0; c < 4; c++) {
            gy_store(g->q[c] + i, f.q[c]);
        }
        for (int c = 0; c < 3; c++) {
            gy_store(g->spin[c] + i, f.spin[c]);
        }
    }
    return f.gone;
}

/// What the functions of tracers ask for.
static gy_tracer_args common(const gy_grain_args *a)
{
    return (gy_tracer_args){
        .base = a->base, .extent = a->extent, .periodic = a->periodic, .open_sides = a->open_sides};
}

GY_INLINE void carry_range(int dim, const gy_grain_args *a, const gy_box *box, int task)
{
    gy_tracer_args args = common(a);
    const gy_grain_law *law = (const void *)gy_at(a->particles, a->law);
    grain g = {.t = {.a = &args, .n = {a->extent.n[0], a->extent.n[1], a->extent.n[2]}},
               .a = a,
               .law = law};
    g.t.blocks = (g.t.n[0] + GY_BLOCK - 1) / GY_BLOCK;
    g.t.level = gy_grid_level_at(a->base, a->level);
    g.t.near = a->near ? (const uint8_t *)(const void *)gy_at(a->base, a->near) : NULL;
    g.distance = law->distance ? gy_at(a->particles, law->distance) : NULL;
    g.t.net = gy_net_make(a->links, &a->extent, a->periodic);
    for (int c = 0; c < 4 && law->plate.is; c++) {
        g.q[c] = gy_at(a->particles, (uint32_t)(8 + c) * a->step);
        g.spin[GY_MIN(c, 2)] = gy_at(a->particles, (uint32_t)(12 + GY_MIN(c, 2)) * a->step);
    }
    for (int d = 0; d < 3; d++) {
        g.motion[d] = law->motion && d < dim
                          ? gy_at(a->particles, law->motion + (uint32_t)d * law->motions)
                          : NULL;
        g.t.velocity[d] = gy_at(a->base, a->velocity[d]);
        g.t.x[d] = gy_at(a->particles, (uint32_t)d * a->step);
        g.v[d] = gy_at(a->particles, (uint32_t)(5 + d) * a->step);
    }
    g.t.age = gy_at(a->particles, 3u * a->step);
    g.id = (const int32_t *)(const void *)gy_at(a->particles, 4u * a->step);
    const gy_particle_now *now = (const void *)gy_at(a->particles, a->now);
    int last = GY_MIN(box->high[0], (int)now->count);
    uint32_t gone = 0;
    for (int i = box->low[0]; i < last; i += VW) {
        vi which = carry(&g, dim, i);
        if (gy_any(which)) {
            for (int l = 0; l < VW && i + l < last; l++) {
                gone += which[l] != 0;
            }
        }
    }
    ((gy_word *)(void *)gy_at(a->particles, a->gone))[task] += gone;
}

static GY_NOINLINE void carry_2d(const gy_grain_args *a, const gy_box *box, int task)
{
    carry_range(2, a, box, task);
}
static GY_NOINLINE void carry_3d(const gy_grain_args *a, const gy_box *box, int task)
{
    carry_range(3, a, box, task);
}

void GY_BODY(grain)(const void *args, const gy_box *box, int task)
{
    const gy_grain_args *a = args;
    if (gy_is_3d(a->extent.dim)) {
        carry_3d(a, box, task);
    } else {
        carry_2d(a, box, task);
    }
}
