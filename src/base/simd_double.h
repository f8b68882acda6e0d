// base/simd_double.h: vectors of doubles beside base/simd.h's of floats: a vd has half as many
// lanes as a vf, those of its lower half or of its upper one. Written by hand, since compilers take
// the lanes apart for what is one instruction.
#ifndef GY_SIMD_DOUBLE_H
#define GY_SIMD_DOUBLE_H

#include "base/simd.h"

typedef double vd __attribute__((vector_size(VW * 4)));
typedef double gy_vd_loose __attribute__((vector_size(VW * 4), aligned(8), may_alias));

GY_INLINE vd gy_load_double(const double *p)
{
    return *(const gy_vd_loose *)p;
}
GY_INLINE void gy_store_double(double *p, vd x)
{
    *(gy_vd_loose *)p = x;
}

/// The lanes of x's lower half and of its upper one.
#if VW == 16
GY_INLINE vd gy_double_low(vf x)
{
    return (vd)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x));
}
GY_INLINE vd gy_double_high(vf x)
{
    return (vd)_mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)x, 1));
}
#elif VW == 8
GY_INLINE vd gy_double_low(vf x)
{
    return (vd)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)x));
}
GY_INLINE vd gy_double_high(vf x)
{
    return (vd)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)x, 1));
}
#elif defined(__SSE2__)
GY_INLINE vd gy_double_low(vf x)
{
    return (vd)_mm_cvtps_pd((__m128)x);
}
GY_INLINE vd gy_double_high(vf x)
{
    return (vd)_mm_cvtps_pd(_mm_movehl_ps((__m128)x, (__m128)x));
}
#elif defined(__wasm_simd128__)
GY_INLINE vd gy_double_low(vf x)
{
    return (vd)wasm_f64x2_promote_low_f32x4((v128_t)x);
}
GY_INLINE vd gy_double_high(vf x)
{
    return (vd)wasm_f64x2_promote_low_f32x4(wasm_i64x2_shuffle((v128_t)x, (v128_t)x, 1, 1));
}
#else
GY_INLINE vd gy_double_low(vf x)
{
    return (vd)vcvt_f64_f32(vget_low_f32((float32x4_t)x));
}
GY_INLINE vd gy_double_high(vf x)
{
    return (vd)vcvt_high_f64_f32((float32x4_t)x);
}
#endif

#endif
