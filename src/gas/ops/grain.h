// gas/ops/grain.h: what grain (gas/ops/grain.c) and its plates (gas/ops/plate.h) have in common: a
// vector of particles on its way, and the step that is exact for a rate that is held.
#ifndef GY_GAS_GRAIN_H
#define GY_GAS_GRAIN_H

#include "gas/ops/tracer.h"

typedef struct grain {
    tracer t;
    const gy_grain_args *a;
    const gy_grain_law *law;
    float *v[3];
    const int32_t *id;
    const float *distance, *motion[3]; // on corners of cells; NULL: there are no solids, none moves
    float *q[4], *spin[3];             // of plates
} grain;

/// A vector of particles on its way: in cells and in m/s.
typedef struct flight {
    vf from[3], to[3], was[3], v[3], pull[3]; // pull: m/s^2 over the step
    vi gone, still;                           // still: it stood at the start of the step
    vf gained[3];                             // m/s that the drag has given it
    // Of plates: as it stood, its normal then, how it turns and by what, in radians, in the step.
    vf q[4], n[3], spin[3], way[3];
} flight;

/// p and q of z >= 0, to a few roundings.
GY_INLINE void decay(vf z, vf *p, vf *q)
{
    static const float series[] = {-1.0f / 362880, 1.0f / 40320, -1.0f / 5040, 1.0f / 720,
                                   -1.0f / 120,    1.0f / 24,    -1.0f / 6,    0.5f};
    static const float e[] = {1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
    vf one = gy_splat(1.0f), s = gy_min(z, one), sum = gy_splat(1.0f / 3628800);
    for (int i = 0; i < (int)GY_COUNT(series); i++) {
        sum = sum * s + series[i];
    }
    vf x = gy_clamp(z, one, gy_splat(80.0f)), power = gy_splat(1.0f / 720);
    vi n = gy_to_int(x * 1.44269504f + 0.5f);
    vf r = (gy_to_float(n) * 0.693145752f - x) + gy_to_float(n) * 1.42860677e-6f;
    for (int i = 0; i < (int)GY_COUNT(e); i++) {
        power = power * r + e[i];
    }
    power = power * (vf)((127 - n) << 23);
    vf large = gy_max(z, one), first = (1.0f - power) / large;
    *p = gy_select(z < 1.0f, 1.0f - s * sum, first);
    *q = gy_select(z < 1.0f, sum, (1.0f - first) / large);
}

GY_INLINE vf dot(int dim, const vf a[3], const vf b[3])
{
    vf sum = a[0] * b[0] + a[1] * b[1];
    return gy_is_3d(dim) ? sum + a[2] * b[2] : sum;
}

#endif
