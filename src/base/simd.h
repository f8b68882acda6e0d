// base/simd.h: the vector types and the dozen primitives that hot bodies are written in. vf and vi
// hold VW floats or ints; VW depends on the instruction set that this file is compiled for, results
// do not: every primitive acts lane by lane, and min, max and select are defined by comparison so
// that signed zeros come out alike everywhere. gy_any alone looks at all lanes, and may only let
// work be left out that every lane would come out of as it went in: which lanes stand together
// depends on VW.
#ifndef GY_SIMD_H
#define GY_SIMD_H

#include "base/base.h"
#include <string.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "base/simd_avx512.h"
#elif defined(__AVX2__)
#include "base/simd_avx2.h"
#elif defined(__SSE2__)
#include "base/simd_sse2.h"
#elif defined(__wasm_simd128__)
#include "base/simd_wasm.h"
#elif defined(__ARM_NEON)
#include "base/simd_neon.h"
#else
#error "no vector header for this processor: write base/simd_*.h beside the others"
#endif

#ifndef GY_PERMUTES
/// Whether a vector's lanes can be picked at no more than a few loads' cost.
#define GY_PERMUTES 0
GY_INLINE vf gy_permute(vf x, vi index)
{
    vf y = x;
    for (int l = 0; l < VW; l++) {
        y[l] = x[index[l]];
    }
    return y;
}
#endif

typedef float gy_vf_loose __attribute__((vector_size(VW * 4), aligned(4), may_alias));
typedef int32_t gy_vi_loose __attribute__((vector_size(VW * 4), aligned(4), may_alias));

GY_INLINE vf gy_load(const float *p)
{
    return *(const gy_vf_loose *)p;
}
GY_INLINE void gy_store(float *p, vf x)
{
    *(gy_vf_loose *)p = x;
}
GY_INLINE vf gy_splat(float x)
{
    return (vf){0} + x;
}
GY_INLINE vi gy_splat_int(int x)
{
    return (vi){0} + x;
}
GY_INLINE vf gy_to_float(vi x)
{
    return __builtin_convertvector(x, vf);
}
/// Towards zero; |x| must be below 2^31.
GY_INLINE vi gy_to_int(vf x)
{
    return __builtin_convertvector(x, vi);
}
/// Largest integer not above x; |x| must be below 2^31.
GY_INLINE vi gy_floor_int(vf x)
{
    vi k = gy_to_int(x);
    return k + (vi)(x < gy_to_float(k)); // true is -1
}
GY_INLINE vf gy_clamp(vf x, vf low, vf high)
{
    return gy_min(gy_max(x, low), high);
}
GY_INLINE vf gy_abs(vf x)
{
    return (vf)((vi)x & 0x7fffffff);
}
/// What is closer to zero than 1e-30 becomes zero, so that decaying fields never reach denormal
/// numbers.
GY_INLINE vf gy_flush(vf x)
{
    return (vf)((vi)x & (vi)(gy_abs(x) >= 1e-30f));
}
/// first, first + 1, ...
GY_INLINE vi gy_iota(int first)
{
    static const int32_t count[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return *(const gy_vi_loose *)count + first;
}

#if VW == 16
#define GY_EVEN 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define GY_ODD 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define GY_ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define GY_ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif VW == 8
#define GY_EVEN 0, 2, 4, 6, 8, 10, 12, 14
#define GY_ODD 1, 3, 5, 7, 9, 11, 13, 15
#define GY_ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define GY_ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define GY_EVEN 0, 2, 4, 6
#define GY_ODD 1, 3, 5, 7
#define GY_ZIP_LOW 0, 4, 1, 5
#define GY_ZIP_HIGH 2, 6, 3, 7
#endif
/// The even and the odd elements of the 2 VW floats in a and b, and the way back.
GY_INLINE vf gy_even(vf a, vf b)
{
    return __builtin_shufflevector(a, b, GY_EVEN);
}
GY_INLINE vf gy_odd(vf a, vf b)
{
    return __builtin_shufflevector(a, b, GY_ODD);
}
GY_INLINE vf gy_zip_low(vf even, vf odd)
{
    return __builtin_shufflevector(even, odd, GY_ZIP_LOW);
}
GY_INLINE vf gy_zip_high(vf even, vf odd)
{
    return __builtin_shufflevector(even, odd, GY_ZIP_HIGH);
}

#if VW == 16
#define GY_FROM_LAST 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define GY_FROM_SECOND 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#elif VW == 8
#define GY_FROM_LAST 7, 8, 9, 10, 11, 12, 13, 14
#define GY_FROM_SECOND 1, 2, 3, 4, 5, 6, 7, 8
#else
#define GY_FROM_LAST 3, 4, 5, 6
#define GY_FROM_SECOND 1, 2, 3, 4
#endif
/// The left neighbours of x's lanes, `left` being what comes before it; the right neighbours.
GY_INLINE vf gy_lefts(vf left, vf x)
{
    return __builtin_shufflevector(left, x, GY_FROM_LAST);
}
GY_INLINE vf gy_rights(vf x, vf right)
{
    return __builtin_shufflevector(x, right, GY_FROM_SECOND);
}

/// Smallest and largest lane. Exact but for the sign of a zero, so the order does not matter.
GY_INLINE float gy_lane_min(vf x)
{
#if VW == 16
    x = gy_min(x,
               __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    x = gy_min(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3));
    x = gy_min(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1));
    x = gy_min(x, __builtin_shufflevector(x, x, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0));
#elif VW == 8
    x = gy_min(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
    x = gy_min(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 2, 3, 0, 1));
    x = gy_min(x, __builtin_shufflevector(x, x, 1, 0, 1, 0, 1, 0, 1, 0));
#else
    x = gy_min(x, __builtin_shufflevector(x, x, 2, 3, 0, 1));
    x = gy_min(x, __builtin_shufflevector(x, x, 1, 0, 1, 0));
#endif
    return x[0];
}
GY_INLINE float gy_lane_max(vf x)
{
    return -gy_lane_min(-x);
}

/// A sum over 16 lanes whatever VW is: lane l takes the samples whose index along x is l modulo 16.
/// Meant for one row; rows are added up in double.
typedef struct gy_sum {
    vf part[16 / VW];
} gy_sum;

GY_INLINE gy_sum gy_sum_zero(void)
{
    gy_sum s;
    for (int q = 0; q < 16 / VW; q++) {
        s.part[q] = gy_splat(0.0f);
    }
    return s;
}
GY_INLINE void gy_sum_add(gy_sum *s, int i, vf x)
{
    s->part[(i / VW) % (16 / VW)] += x;
}
GY_INLINE double gy_sum_fold(const gy_sum *s)
{
    float f[16];
    memcpy(f, s->part, sizeof f);
    double a[8];
    for (int q = 0; q < 8; q++) {
        a[q] = (double)f[q] + (double)f[q + 8];
    }
    return ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
}

#endif
