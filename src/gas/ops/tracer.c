// gas/ops/tracer.c: particles that a gas carries along.
//
//     x' = x + dt u(x + dt/2 u(x))
//
// the midpoint rule (RK2), second order in dt for the wind u in the middle of the step; u is the
// linear interpolant of the face velocities. Closed sides of the domain and shut faces hold a
// particle, which slides along them; periodic sides wrap it. It is gone beyond an open side, in a
// cell whose faces are all shut, and when it is too old; x then says so (GY_PARTICLE_GONE). Costs
// 2 d 2^(d-1) loads of two neighbours a particle; bytes: 4 (d + 1) read and written, and of sorted
// particles each sample of the velocities once.
#include "gas/ops/tracer.h"

/// Makes again where one particle at c goes to, whose first half step was `half`, if that may come
/// near a sheet.
static void carry_near(const tracer *t, int dim, const float c[3], float half[3], float to[3])
{
    float least, most;
    gy_spot p = {.e = {0, 0, 0}};
    for (int a = 0; a < dim; a++) {
        p.e[a] = clamped((int)c[a], t->n[a]);
        p.f[a] = c[a] - (float)p.e[a] - 0.5f;
    }
    int away = t->net.away[gy_net_cell(&t->net, p.e)];
    for (int a = 0; a < dim && away == 0; a++) {
        float n = (float)t->n[a], u = gy_net_read(&t->net, t->velocity[a], a, &p, &least, &most);
        float d = 0.5f * t->a->scale * u;
        half[a] = d < -n ? -n : d > n ? n : d;
    }
    // A path of less than a cell may end in the next one.
    if (away > GY_MIN(gy_net_length(dim, half) + 1, (int)GY_FAR_AWAY)) {
        return;
    }
    gy_net_walk(&t->net, half, &p);
    for (int a = 0; a < dim; a++) {
        float n = (float)t->n[a], u = gy_net_read(&t->net, t->velocity[a], a, &p, &least, &most);
        float d = t->a->scale * u;
        to[a] = c[a] + (d < -n ? -n : d > n ? n : d);
    }
}

static GY_NOINLINE void sheets(const tracer *t, int dim, const vf c[3], const vf half[3], vf to[3])
{
    for (int l = 0; l < VW; l++) {
        float from[3] = {0, 0, 0}, first[3] = {0, 0, 0}, end[3] = {0, 0, 0};
        for (int a = 0; a < dim; a++) {
            from[a] = c[a][l];
            first[a] = half[a][l];
            end[a] = to[a][l];
        }
        carry_near(t, dim, from, first, end);
        for (int a = 0; a < dim; a++) {
            to[a][l] = end[a];
        }
    }
}

/// What the sides of the domain do to a point: returns where it is gone.
GY_INLINE vi sides(const tracer *t, int axis, vf *c)
{
    vf n = gy_splat((float)t->n[axis]);
    if (t->a->periodic >> axis & 1u) {
        *c = within(t, axis, *c);
        return gy_splat_int(0);
    }
    bool low = t->a->open_sides >> (2 * axis) & 1u, high = t->a->open_sides >> (2 * axis + 1) & 1u;
    vi gone = (low ? (vi)(*c < 0.0f) : gy_splat_int(0)) | (high ? (vi)(*c > n) : gy_splat_int(0));
    *c = gy_clamp(*c, gy_splat(low ? 0.0f : HAIR), high ? n : n - HAIR);
    return gone;
}

/// VW particles; returns which of them are gone.
GY_INLINE vi carry(const tracer *t, int dim, int i)
{
    const gy_tracer_args *a = t->a;
    vf x[3], c[3], half[3], middle[3], to[3], start[3];
    for (int d = 0; d < dim; d++) {
        x[d] = gy_load(t->x[d] + i);
        // Of lanes beyond the last particle this makes points of the domain, too.
        start[d] = (x[d] - a->origin[d]) * a->inverse;
        c[d] = gy_clamp(start[d], gy_splat(0.0f), gy_splat((float)t->n[d]));
    }
    vi gone = (vi)(x[0] >= GY_PARTICLE_GONE); // in a substep before
    for (int d = 0; d < dim; d++) {
        float n = (float)t->n[d];
        half[d] = gy_clamp((0.5f * a->scale) * sample(t, dim, d, c), gy_splat(-n), gy_splat(n));
        middle[d] = within(t, d, c[d] + half[d]);
    }
    for (int d = 0; d < dim; d++) {
        float n = (float)t->n[d];
        to[d] = c[d] + gy_clamp(a->scale * sample(t, dim, d, middle), gy_splat(-n), gy_splat(n));
    }
    if (t->net.link) {
        sheets(t, dim, c, half, to);
    }
    if (t->near) {
        gone |= walls(t, dim, c, to);
    }
    for (int d = 0; d < dim; d++) {
        gone |= sides(t, d, &to[d]);
    }
    vf age = gy_load(t->age + i) + a->dt;
    if (a->life > 0.0f) {
        gone |= (vi)(age >= a->life);
    }
    gy_store(t->age + i, age);
    for (int d = 0; d < dim; d++) {
        vf y = x[d] + (to[d] - start[d]) * a->h;
        gy_store(t->x[d] + i, d == 0 ? gy_select(gone, gy_splat(GY_PARTICLE_GONE), y) : y);
    }
    return gone;
}

GY_INLINE void carry_range(int dim, const gy_tracer_args *a, const gy_box *box, int task)
{
    tracer t = {.a = a, .n = {a->extent.n[0], a->extent.n[1], a->extent.n[2]}};
    t.blocks = (t.n[0] + GY_BLOCK - 1) / GY_BLOCK;
    t.level = gy_grid_level_at(a->base, a->level);
    t.net = gy_net_make(a->links, &a->extent, a->periodic);
    t.near = a->near ? (const uint8_t *)(const void *)gy_at(a->base, a->near) : NULL;
    for (int d = 0; d < 3; d++) {
        t.velocity[d] = gy_at(a->base, a->velocity[d]);
        t.x[d] = gy_at(a->particles, (uint32_t)d * a->step);
    }
    t.age = gy_at(a->particles, 3u * a->step);
    const gy_particle_now *now = (const void *)gy_at(a->particles, a->now);
    int last = GY_MIN(box->high[0], (int)now->count);
    uint32_t gone = 0;
    for (int i = box->low[0]; i < last; i += VW) {
        vi which = carry(&t, dim, i);
        if (gy_any(which)) {
            for (int l = 0; l < VW && i + l < last; l++) {
                gone += which[l] != 0;
            }
        }
    }
    ((gy_word *)(void *)gy_at(a->particles, a->gone))[task] += gone;
}

static GY_NOINLINE void carry_2d(const gy_tracer_args *a, const gy_box *box, int task)
{
    carry_range(2, a, box, task);
}
static GY_NOINLINE void carry_3d(const gy_tracer_args *a, const gy_box *box, int task)
{
    carry_range(3, a, box, task);
}

void GY_BODY(tracer)(const void *args, const gy_box *box, int task)
{
    const gy_tracer_args *a = args;
    if (gy_is_3d(a->extent.dim)) {
        carry_3d(a, box, task);
    } else {
        carry_2d(a, box, task);
    }
}
