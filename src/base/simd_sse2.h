// base/simd_sse2.h: SSE2, the baseline of x86-64; 4 lanes.
#include <emmintrin.h>
#define VW 4
typedef float vf __attribute__((vector_size(16)));
typedef int32_t vi __attribute__((vector_size(16)));
GY_INLINE vf gy_min(vf a, vf b)
{
    return (vf)_mm_min_ps((__m128)a, (__m128)b);
}
GY_INLINE vf gy_max(vf a, vf b)
{
    return (vf)_mm_max_ps((__m128)a, (__m128)b);
}
GY_INLINE vf gy_select(vi mask, vf a, vf b)
{
    return (vf)((mask & (vi)a) | (~mask & (vi)b));
}
GY_INLINE vf gy_gather(const float *p, vi index)
{
    return (vf){p[index[0]], p[index[1]], p[index[2]], p[index[3]]};
}
/// a = p[index], b = p[index + 1], by loads of both at once.
GY_INLINE void gy_gather_pair(const float *p, vi index, vf *a, vf *b)
{
    const __m64 *q[4];
    for (int l = 0; l < 4; l++) {
        q[l] = (const void *)(p + index[l]);
    }
    vf low = (vf)_mm_loadh_pi(_mm_loadl_pi(_mm_setzero_ps(), q[0]), q[1]);
    vf high = (vf)_mm_loadh_pi(_mm_loadl_pi(_mm_setzero_ps(), q[2]), q[3]);
    *a = __builtin_shufflevector(low, high, 0, 2, 4, 6);
    *b = __builtin_shufflevector(low, high, 1, 3, 5, 7);
}
GY_INLINE vf gy_load_u16(const uint16_t *p)
{
    __m128i x = _mm_loadl_epi64((const void *)p);
    return (vf)_mm_cvtepi32_ps(_mm_unpacklo_epi16(x, _mm_setzero_si128()));
}
GY_INLINE bool gy_any(vi mask)
{
    return _mm_movemask_ps((__m128)mask) != 0;
}
GY_INLINE vf gy_sqrt(vf x)
{
    return (vf)_mm_sqrt_ps((__m128)x);
}
/// Past the caches; p is aligned to a vector. Others see it after gy_stream_end().
GY_INLINE void gy_stream(float *p, vf x)
{
    _mm_stream_ps(p, (__m128)x);
}
GY_INLINE void gy_stream_end(void)
{
    _mm_sfence();
}
