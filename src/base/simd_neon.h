// base/simd_neon.h: NEON on aarch64; 4 lanes. vminq and vmaxq treat NaN and signed zeros unlike
// x86, so min and max are written by comparison.
#include <arm_neon.h>
#define VW 4
typedef float vf __attribute__((vector_size(16)));
typedef int32_t vi __attribute__((vector_size(16)));
GY_INLINE vf gy_select(vi mask, vf a, vf b)
{
    return (vf)((mask & (vi)a) | (~mask & (vi)b));
}
GY_INLINE vf gy_min(vf a, vf b)
{
    return gy_select((vi)(a < b), a, b);
}
GY_INLINE vf gy_max(vf a, vf b)
{
    return gy_select((vi)(a > b), a, b);
}
GY_INLINE vf gy_gather(const float *p, vi index)
{
    return (vf){p[index[0]], p[index[1]], p[index[2]], p[index[3]]};
}
/// a = p[index], b = p[index + 1], by loads of both at once.
GY_INLINE void gy_gather_pair(const float *p, vi index, vf *a, vf *b)
{
    vf low = (vf)vcombine_f32(vld1_f32(p + index[0]), vld1_f32(p + index[1]));
    vf high = (vf)vcombine_f32(vld1_f32(p + index[2]), vld1_f32(p + index[3]));
    *a = __builtin_shufflevector(low, high, 0, 2, 4, 6);
    *b = __builtin_shufflevector(low, high, 1, 3, 5, 7);
}
GY_INLINE vf gy_load_u16(const uint16_t *p)
{
    return (vf)vcvtq_f32_u32(vmovl_u16(vld1_u16(p)));
}
GY_INLINE bool gy_any(vi mask)
{
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}
GY_INLINE vf gy_sqrt(vf x)
{
    return (vf)vsqrtq_f32((float32x4_t)x);
}
GY_INLINE void gy_stream(float *p, vf x)
{
    __builtin_memcpy(p, &x, sizeof x);
}
GY_INLINE void gy_stream_end(void) {}
