// gas/ops/tracer.h: what ops that carry particles through a gas have in common: which way walls
// leave open, and the wind at points. Places are in cells.
#ifndef GY_GAS_TRACER_H
#define GY_GAS_TRACER_H

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
        if (gy_is_3d(dim) && next[2] < next[a]) {
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
    for (int z = 0; z < (gy_is_3d(dim) ? 2 : 1); z++) {
        vf plane = gy_splat(0.0f);
        for (int y = 0; y < 2; y++) {
            vf s0, s1;
            gy_gather_pair(p, o + (y * stride[1] + z * stride[2]), &s0, &s1);
            vf row = (1.0f - f[0]) * s0 + f[0] * s1;
            plane = y ? plane + f[1] * row : (1.0f - f[1]) * row;
        }
        sum = !gy_is_3d(dim) ? plane : z ? sum + f[2] * plane : (1.0f - f[2]) * plane;
    }
    return sum;
}

/// The same, and how it grows along each axis a cell, times `by`.
GY_INLINE vf sample_slope(const tracer *t, int dim, int axis, const vf c[3], float by, vf slope[3])
{
    const int stride[3] = {1, t->a->extent.sy, t->a->extent.sz};
    vi o = gy_splat_int(0);
    vf f[3], v[2], sx[2], sy[2];
    for (int a = 0; a < dim; a++) {
        vf x = a == axis ? c[a] : c[a] - 0.5f;
        vi k = gy_floor_int(x);
        k = a == axis ? k + (vi)(k >= t->n[a]) : k;
        f[a] = x - gy_to_float(k);
        o += k * stride[a];
    }
    for (int z = 0; z < (gy_is_3d(dim) ? 2 : 1); z++) {
        vf a0, b0, a1, b1;
        gy_gather_pair(t->velocity[axis], o + z * stride[2], &a0, &b0);
        gy_gather_pair(t->velocity[axis], o + (stride[1] + z * stride[2]), &a1, &b1);
        vf low = (1.0f - f[0]) * a0 + f[0] * b0, high = (1.0f - f[0]) * a1 + f[0] * b1;
        v[z] = (1.0f - f[1]) * low + f[1] * high;
        sx[z] = (1.0f - f[1]) * (b0 - a0) + f[1] * (b1 - a1);
        sy[z] = high - low;
    }
    if (!gy_is_3d(dim)) {
        slope[0] = sx[0] * by;
        slope[1] = sy[0] * by;
        return v[0];
    }
    slope[0] = ((1.0f - f[2]) * sx[0] + f[2] * sx[1]) * by;
    slope[1] = ((1.0f - f[2]) * sy[0] + f[2] * sy[1]) * by;
    slope[2] = (v[1] - v[0]) * by;
    return (1.0f - f[2]) * v[0] + f[2] * v[1];
}

#endif
