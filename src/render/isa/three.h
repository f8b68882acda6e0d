// render/isa/three.h: eight vectors (or colours) at once, rays among them, and noise.
#ifndef GY_RENDER_THREE_H
#define GY_RENDER_THREE_H

#include "render/isa/lanes.h"

typedef uint32_t u8w __attribute__((vector_size(32)));
typedef gy_colours gy_three;

GY_VEC_INLINE gy_three three_add(gy_three a, gy_three b)
{
    return (gy_three){{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
}

GY_VEC_INLINE gy_three three_scale(gy_three a, v8 s)
{
    return (gy_three){{a.c[0] * s, a.c[1] * s, a.c[2] * s}};
}

GY_VEC_INLINE gy_three three_times(gy_three a, gy_three b)
{
    return (gy_three){{a.c[0] * b.c[0], a.c[1] * b.c[1], a.c[2] * b.c[2]}};
}

/// a + b * s
GY_VEC_INLINE gy_three three_along(gy_three a, gy_three b, v8 s)
{
    return (gy_three){{a.c[0] + b.c[0] * s, a.c[1] + b.c[1] * s, a.c[2] + b.c[2] * s}};
}

GY_VEC_INLINE gy_three three_mix(gy_three a, gy_three b, v8 t)
{
    return (gy_three){
        {v8_mix(a.c[0], b.c[0], t), v8_mix(a.c[1], b.c[1], t), v8_mix(a.c[2], b.c[2], t)}};
}

GY_VEC_INLINE gy_three three_select(w8 mask, gy_three a, gy_three b)
{
    return (gy_three){{v8_select(mask, a.c[0], b.c[0]), v8_select(mask, a.c[1], b.c[1]),
                       v8_select(mask, a.c[2], b.c[2])}};
}

GY_VEC_INLINE v8 three_dot(gy_three a, gy_three b)
{
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

GY_VEC_INLINE gy_three three_cross(gy_three a, gy_three b)
{
    return (gy_three){{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2],
                       a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
}

/// Of unit length; vectors of no length stay.
GY_VEC_INLINE gy_three three_unit(gy_three a)
{
    v8 length = v8_max(v8_sqrt(three_dot(a, a)), v8_all(1e-20f));

    return three_scale(a, v8_all(1.0f) / length);
}

/// 1 / x, of what is near 0 as large as may be without spoiling a sum.
GY_VEC_INLINE v8 v8_inverse(v8 x)
{
    v8 sign = (v8)(((w8)x & w8_all((int32_t)0x80000000u)) | (w8)v8_all(1e-9f));

    return v8_all(1.0f) / v8_select(v8_less(v8_abs(x), v8_all(1e-9f)), sign, x);
}

GY_VEC_INLINE v8 v8_lattice(u8w h)
{
    h ^= h >> 13;
    h *= 0x5bd1e995u;
    h ^= h >> 15;
    return v8_float((w8)(h & 0xffffffu)) * v8_all(1.0f / 16777216.0f);
}

/// gy_value_noise() of eight.
GY_VEC_INLINE v8 v8_value_noise(v8 x, v8 y)
{
    v8 fx = v8_floor(x), fy = v8_floor(y);
    u8w i = (u8w)v8_int(fx) * 0x8da6b343u, j = (u8w)v8_int(fy) * 0xd8163841u;
    u8w right = i + 0x8da6b343u, up = j + 0xd8163841u;

    x -= fx;
    y -= fy;
    x = x * x * (v8_all(3.0f) - v8_all(2.0f) * x);
    y = y * y * (v8_all(3.0f) - v8_all(2.0f) * y);
    return v8_mix(v8_mix(v8_lattice(i ^ j), v8_lattice(right ^ j), x),
                  v8_mix(v8_lattice(i ^ up), v8_lattice(right ^ up), x), y);
}

/// gy_noise() of eight.
GY_VEC_INLINE v8 v8_noise(v8 x, v8 y)
{
    v8 sum = v8_all(0.0f);
    float weight = 8.0f / 15.0f;

    for (int octave = 0; octave < 4; octave++) {
        v8 turned = v8_all(1.6f) * x + v8_all(1.2f) * y;

        sum += v8_all(weight) * v8_value_noise(x, y);
        weight *= 0.5f;
        y = v8_all(1.6f) * y - v8_all(1.2f) * x;
        x = turned;
    }
    return sum;
}

/// Eight by eight numbers, rows to columns.
GY_VEC_INLINE void turn_eight(v8 out[8])
{
    v8 a[8], b[8];

    for (int i = 0; i < 4; i++) {
        a[2 * i] = __builtin_shufflevector(out[2 * i], out[2 * i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[2 * i + 1] =
            __builtin_shufflevector(out[2 * i], out[2 * i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            v8 p0 = a[4 * i + k], p1 = a[4 * i + 2 + k];

            b[4 * i + 2 * k] = __builtin_shufflevector(p0, p1, 0, 1, 8, 9, 4, 5, 12, 13);
            b[4 * i + 2 * k + 1] = __builtin_shufflevector(p0, p1, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int i = 0; i < 4; i++) {
        out[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        out[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#endif
