// base/simd_avx512.h: AVX-512 F, VL, DQ, BW; 16 lanes.
#include <immintrin.h>
#define VW 16
typedef float vf __attribute__((vector_size(64)));
typedef int32_t vi __attribute__((vector_size(64)));
GY_INLINE vf gy_min(vf a, vf b)
{
    return (vf)_mm512_min_ps((__m512)a, (__m512)b);
}
GY_INLINE vf gy_max(vf a, vf b)
{
    return (vf)_mm512_max_ps((__m512)a, (__m512)b);
}
/// a where the mask's lane is -1, b where it is 0.
GY_INLINE vf gy_select(vi mask, vf a, vf b)
{
    return (vf)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)mask), (__m512)b, (__m512)a);
}
GY_INLINE vf gy_gather(const float *p, vi index)
{
    return (vf)_mm512_i32gather_ps((__m512i)index, p, 4);
}
/// a = p[index], b = p[index + 1], by loads of both at once.
GY_INLINE void gy_gather_pair(const float *p, vi index, vf *a, vf *b)
{
    // Four gathers of 256 bits: on processors that split the wide ones up they take half as long.
    __m512i i = (__m512i)index;
    const double *q = (const void *)p;
    __m256d x0 = _mm256_i32gather_pd(q, _mm512_castsi512_si128(i), 4);
    __m256d x1 = _mm256_i32gather_pd(q, _mm512_extracti32x4_epi32(i, 1), 4);
    __m256d x2 = _mm256_i32gather_pd(q, _mm512_extracti32x4_epi32(i, 2), 4);
    __m256d x3 = _mm256_i32gather_pd(q, _mm512_extracti32x4_epi32(i, 3), 4);
    vf low = (vf)_mm512_insertf64x4(_mm512_castpd256_pd512(x0), x1, 1);
    vf high = (vf)_mm512_insertf64x4(_mm512_castpd256_pd512(x2), x3, 1);
    *a = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                 30);
    *b = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29,
                                 31);
}
GY_INLINE vf gy_load_u16(const uint16_t *p)
{
    return (vf)_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)p)));
}
GY_INLINE bool gy_any(vi mask)
{
    return _mm512_movepi32_mask((__m512i)mask) != 0;
}
GY_INLINE vf gy_sqrt(vf x)
{
    return (vf)_mm512_sqrt_ps((__m512)x);
}
