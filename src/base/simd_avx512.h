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
