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
#include "gas/ops/args.h"
#include "gas/ops/link.h"
#include "ops/particle/particle.h"
#include "ops/row/body.h"
#include "ops/system/level.h"

/// How far from a wall a particle is held, in cells.
#define HAIR 0x1p-8f

typedef struct tracer {
    const gy_tracer_args *a;
    const float *velocity[3];
    float *x[3], *age;
    const uint8_t *near;
    gy_grid_level level;
    int n[3], blocks;
    gy_net net; // near sheets
} tracer;

// ---- at walls, one particle at a time

static int wrapped(const tracer *t, int axis, int i)
{
    if (t->a->periodic >> axis & 1u) {
        i %= t->n[axis];
        i += i < 0 ? t->n[axis] : 0;
    }
    return i;
}

static bool is_open(const tracer *t, int axis, const int cell[3], int face)
{
    int at[3] = {cell[0], cell[1], cell[2]};
    at[axis] = wrapped(t, axis, face);
    return *gy_coefficient(&t->level, axis, at[0], at[1], at[2]) != 0;
}

static bool is_solid(const tracer *t, int dim, const int cell[3])
{
    for (int a = 0; a < dim; a++) {
        if (is_open(t, a, cell, cell[a]) || is_open(t, a, cell, cell[a] + 1)) {
            return false;
        }
    }
    return true;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/// When a straight path from `from` to `to` meets a face ahead of cell `at`; above 1: it does not.
static float meets(float from, float to, int at)
{
    float d = to - from, way = to > from ? (float)(at + 1) - from : (float)at - from;
    bool ahead = d > 0.0f ? to >= (float)(at + 1) : d < 0.0f && to < (float)at;
    return ahead ? way / d : 2.0f;
}

/// Walks the cells from one point to the other (Amanatides and Woo 1987) and holds `to` before the
/// first shut face across each axis: the particle slides along it. Returns whether it is inside a
/// solid.
static GY_NOINLINE bool walk(const tracer *t, int dim, const float from[3], float to[3])
{
    int at[3] = {0, 0, 0}, left = 2;
    float next[3] = {2.0f, 2.0f, 2.0f};
    for (int a = 0; a < dim; a++) {
        at[a] = clamped((int)from[a], t->n[a]);
        float d = to[a] - from[a];
        left += (int)(d < 0.0f ? -d : d) + 2;
    }
    if (is_solid(t, dim, at)) {
        return true;
    }
    int cell[3] = {at[0], at[1], at[2]}; // in the domain; `at` goes on beyond periodic sides
    for (int a = 0; a < dim; a++) {
        next[a] = meets(from[a], to[a], at[a]);
    }
    for (; left > 0; left--) {
        int a = next[0] <= next[1] ? 0 : 1;
        if (dim == 3 && next[2] < next[a]) {
            a = 2;
        }
        if (next[a] > 1.0f) {
            break;
        }
        bool up = to[a] > from[a], wraps = t->a->periodic >> a & 1u;
        int face = cell[a] + up;
        if (!wraps && (face <= 0 || face >= t->n[a])) {
            // The domain's own sides are looked at afterwards, but for what is shut beside windows.
            if ((t->a->open_sides >> (8 + 2 * a + up) & 1u) && !is_open(t, a, cell, face)) {
                to[a] = up ? (float)(at[a] + 1) - HAIR : (float)at[a] + HAIR;
            }
            next[a] = 2.0f;
        } else if (!is_open(t, a, cell, face)) {
            to[a] = up ? (float)(at[a] + 1) - HAIR : (float)at[a] + HAIR;
            next[a] = 2.0f;
        } else {
            at[a] += up ? 1 : -1;
            cell[a] = wrapped(t, a, cell[a] + (up ? 1 : -1));
            next[a] = meets(from[a], to[a], at[a]);
        }
    }
    return false;
}

static bool is_near(const tracer *t, int dim, const float c[3], const float to[3])
{
    int at[3] = {0, 0, 0};
    bool far = false;
    for (int a = 0; a < dim; a++) {
        at[a] = clamped((int)c[a], t->n[a]);
        float d = to[a] - c[a];
        far = far || d > (float)(GY_NEAR - 1) || d < -(float)(GY_NEAR - 1);
    }
    return far || t->near[((size_t)at[2] * (size_t)t->n[1] + (size_t)at[1]) * (size_t)t->blocks +
                          (size_t)(at[0] / GY_BLOCK)];
}

/// The same for some lanes; sets those that are gone.
static GY_NOINLINE vi walls(const tracer *t, int dim, const vf c[3], vf to[3])
{
    vi gone = gy_splat_int(0);
    for (int l = 0; l < VW; l++) {
        float from[3] = {0, 0, 0}, end[3] = {0, 0, 0};
        for (int a = 0; a < dim; a++) {
            from[a] = c[a][l];
            end[a] = to[a][l];
        }
        if (!is_near(t, dim, from, end)) {
            continue;
        }
        gone[l] = walk(t, dim, from, end) ? -1 : 0;
        for (int a = 0; a < dim; a++) {
            to[a][l] = end[a];
        }
    }
    return gone;
}

// ---- anywhere

/// A point round the periodic sides, and within the others.
GY_INLINE vf within(const tracer *t, int axis, vf c)
{
    vf n = gy_splat((float)t->n[axis]);
    if (t->a->periodic >> axis & 1u) {
        c = c + (vf)((vi)n & (vi)(c < 0.0f));
        c = c - (vf)((vi)n & (vi)(c >= n));
    }
    return gy_clamp(c, gy_splat(0.0f), n);
}

/// The component across `axis` at points of the domain, in cells.
GY_INLINE vf sample(const tracer *t, int dim, int axis, const vf c[3])
{
    const int stride[3] = {1, t->a->extent.sy, t->a->extent.sz};
    vi o = gy_splat_int(0);
    vf f[3];
    for (int a = 0; a < dim; a++) {
        vf x = a == axis ? c[a] : c[a] - 0.5f;
        vi k = gy_floor_int(x);
        // A point on the last face lies between it and the one before.
        k = a == axis ? k + (vi)(k >= t->n[a]) : k;
        f[a] = x - gy_to_float(k);
        o += k * stride[a];
    }
    const float *p = t->velocity[axis];
    vf sum = gy_splat(0.0f);
    for (int z = 0; z < (dim == 3 ? 2 : 1); z++) {
        vf plane = gy_splat(0.0f);
        for (int y = 0; y < 2; y++) {
            vf s0, s1;
            gy_gather_pair(p, o + (y * stride[1] + z * stride[2]), &s0, &s1);
            vf row = (1.0f - f[0]) * s0 + f[0] * s1;
            plane = y ? plane + f[1] * row : (1.0f - f[1]) * row;
        }
        sum = dim == 2 ? plane : z ? sum + f[2] * plane : (1.0f - f[2]) * plane;
    }
    return sum;
}

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
    if (a->extent.dim == 3) {
        carry_3d(a, box, task);
    } else {
        carry_2d(a, box, task);
    }
}
