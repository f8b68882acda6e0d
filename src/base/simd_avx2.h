// base/simd_avx2.h: AVX2; 8 lanes.
#include <immintrin.h>
#define VW 8
typedef float vf __attribute__((vector_size(32)));
typedef int32_t vi __attribute__((vector_size(32)));
GY_INLINE vf gy_min(vf a, vf b)
{
    return (vf)_mm256_min_ps((__m256)a, (__m256)b);
}
GY_INLINE vf gy_max(vf a, vf b)
{
    return (vf)_mm256_max_ps((__m256)a, (__m256)b);
}
GY_INLINE vf gy_select(vi mask, vf a, vf b)
{
    return (vf)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
}
GY_INLINE vf gy_gather(const float *p, vi index)
{
    return (vf)_mm256_i32gather_ps(p, (__m256i)index, 4);
}
/// a = p[index], b = p[index + 1], by loads of both at once.
GY_INLINE void gy_gather_pair(const float *p, vi index, vf *a, vf *b)
{
    __m256i i = (__m256i)index;
    vf low = (vf)_mm256_i32gather_pd((const void *)p, _mm256_castsi256_si128(i), 4);
    vf high = (vf)_mm256_i32gather_pd((const void *)p, _mm256_extracti128_si256(i, 1), 4);
    *a = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    *b = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
GY_INLINE vf gy_load_u16(const uint16_t *p)
{
    return (vf)_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)p)));
}
GY_INLINE bool gy_any(vi mask)
{
    return _mm256_movemask_ps((__m256)mask) != 0;
}
GY_INLINE vf gy_sqrt(vf x)
{
    return (vf)_mm256_sqrt_ps((__m256)x);
}
