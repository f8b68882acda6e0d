// render/vec.h: four floats at once, in the vector types that gcc and clang share.
#ifndef GY_RENDER_VEC_H
#define GY_RENDER_VEC_H

#include <math.h>
#include <stdint.h>

#define GY_VEC_INLINE static inline __attribute__((always_inline))

typedef float vec __attribute__((vector_size(16)));
typedef int32_t ivec __attribute__((vector_size(16)));

GY_VEC_INLINE vec vec_all(float x)
{
    return (vec){x, x, x, x};
}

GY_VEC_INLINE vec vec_make(const float a[3])
{
    return (vec){a[0], a[1], a[2], 0.0f};
}

GY_VEC_INLINE float vec_dot(vec a, vec b)
{
    vec p = a * b;

    return p[0] + p[1] + p[2];
}

GY_VEC_INLINE vec vec_cross(vec a, vec b)
{
    return (vec){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
                 0.0f};
}

/// Of unit length; x axis for a vector of no length.
GY_VEC_INLINE vec vec_unit(vec a)
{
    float length = sqrtf(vec_dot(a, a));

    return length > 1e-20f ? a * vec_all(1.0f / length) : (vec){1.0f, 0.0f, 0.0f, 0.0f};
}

/// Lane by lane: a where the mask is set, else b.
GY_VEC_INLINE vec vec_select(ivec mask, vec a, vec b)
{
    return (vec)((mask & (ivec)a) | (~mask & (ivec)b));
}

GY_VEC_INLINE vec vec_min(vec a, vec b)
{
    return vec_select(a < b, a, b);
}

GY_VEC_INLINE vec vec_max(vec a, vec b)
{
    return vec_select(a > b, a, b);
}

GY_VEC_INLINE float clamp01(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

GY_VEC_INLINE float mixf(float a, float b, float t)
{
    return a + (b - a) * t;
}

/// 0 below a, 1 above b, smooth between.
GY_VEC_INLINE float smooth(float a, float b, float x)
{
    float t = clamp01((x - a) / (b - a));

    return t * t * (3.0f - 2.0f * t);
}

/// exp(-x) for x >= 0, within 2 % up to x = 2 and falling to 0 as it should.
GY_VEC_INLINE float fade(float x)
{
    float a = 1.0f + x * (0.125f + x * (1.0f / 128.0f));

    a *= a;
    a *= a;
    return 1.0f / (a * a);
}

#endif
