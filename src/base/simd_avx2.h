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
    // Loads of 64 bits: faster than gather instructions, which take several steps per lane.
    int32_t at[8];
    vf half[2];
    _mm256_storeu_si256((void *)at, (__m256i)index);
    for (int q = 0; q < 2; q++) {
        const int32_t *i = at + 4 * q;
        __m128 x[2];
        for (int l = 0; l < 2; l++) {
            __m128 y = (__m128)_mm_loadl_epi64((const void *)(p + i[2 * l]));
            x[l] = _mm_loadh_pi(y, (const void *)(p + i[2 * l + 1]));
        }
        half[q] = (vf)_mm256_insertf128_ps(_mm256_castps128_ps256(x[0]), x[1], 1);
    }
    vf low = half[0], high = half[1];
    *a = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    *b = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
/// x[index], index within it.
#define GY_PERMUTES 1
GY_INLINE vf gy_permute(vf x, vi index)
{
    return (vf)_mm256_permutevar8x32_ps((__m256)x, (__m256i)index);
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
/// Past the caches; p is aligned to a vector. Others see it after gy_stream_end().
GY_INLINE void gy_stream(float *p, vf x)
{
    _mm256_stream_ps(p, (__m256)x);
}
GY_INLINE void gy_stream_end(void)
{
    _mm_sfence();
}
