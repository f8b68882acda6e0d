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
    // Sixteen loads of 64 bits: faster than gather instructions, which take several steps per lane.
    int32_t at[16];
    vf half[2];
    _mm512_storeu_si512(at, (__m512i)index);
    for (int q = 0; q < 2; q++) {
        const int32_t *i = at + 8 * q;
        __m128 x[4];
        for (int l = 0; l < 4; l++) {
            __m128 y = (__m128)_mm_loadl_epi64((const void *)(p + i[2 * l]));
            x[l] = _mm_loadh_pi(y, (const void *)(p + i[2 * l + 1]));
        }
        __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(x[0]), x[1], 1);
        __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(x[2]), x[3], 1);
        half[q] = (vf)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
    }
    vf low = half[0], high = half[1];
    *a = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28,
                                 30);
    *b = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29,
                                 31);
}
/// x[index], index within it.
#define GY_PERMUTES 1
GY_INLINE vf gy_permute(vf x, vi index)
{
    return (vf)_mm512_permutexvar_ps((__m512i)index, (__m512)x);
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
/// Past the caches; p is aligned to a vector. Others see it after gy_stream_end().
GY_INLINE void gy_stream(float *p, vf x)
{
    _mm512_stream_ps(p, (__m512)x);
}
GY_INLINE void gy_stream_end(void)
{
    _mm_sfence();
}
