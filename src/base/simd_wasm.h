// base/simd_wasm.h: WebAssembly's 128-bit vectors; 4 lanes. Its pmin(a, b) is b < a ? b : a, so
// that with the operands exchanged it is min by comparison, in one instruction of x86-64 as well.
#include <wasm_simd128.h>
#define VW 4
typedef float vf __attribute__((vector_size(16)));
typedef int32_t vi __attribute__((vector_size(16)));
GY_INLINE vf gy_min(vf a, vf b)
{
    return (vf)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}
GY_INLINE vf gy_max(vf a, vf b)
{
    return (vf)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
}
GY_INLINE vf gy_select(vi mask, vf a, vf b)
{
    return (vf)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)mask);
}
GY_INLINE vf gy_gather(const float *p, vi index)
{
    return (vf){p[index[0]], p[index[1]], p[index[2]], p[index[3]]};
}
/// a = p[index], b = p[index + 1], by loads of both at once.
GY_INLINE void gy_gather_pair(const float *p, vi index, vf *a, vf *b)
{
    v128_t low = wasm_v128_load64_zero(p + index[0]);
    low = wasm_v128_load64_lane(p + index[1], low, 1);
    v128_t high = wasm_v128_load64_zero(p + index[2]);
    high = wasm_v128_load64_lane(p + index[3], high, 1);
    *a = (vf)wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
    *b = (vf)wasm_i32x4_shuffle(low, high, 1, 3, 5, 7);
}
/// As the low bits of 2^23 + x, which is exact. A conversion LLVM makes one of 16-bit numbers, for
/// which WebAssembly has no instruction, and takes the lanes apart.
GY_INLINE vf gy_load_u16(const uint16_t *p)
{
    v128_t bits = wasm_v128_or(wasm_u32x4_load16x4(p), wasm_i32x4_splat(0x4b000000));
    return (vf)bits - 8388608.0f;
}
GY_INLINE bool gy_any(vi mask)
{
    return wasm_v128_any_true((v128_t)mask);
}
GY_INLINE vf gy_sqrt(vf x)
{
    return (vf)wasm_f32x4_sqrt((v128_t)x);
}
GY_INLINE void gy_stream(float *p, vf x)
{
    __builtin_memcpy(p, &x, sizeof x);
}
GY_INLINE void gy_stream_end(void) {}
