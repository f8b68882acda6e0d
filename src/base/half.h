// base/half.h: IEEE binary16, as arrays on devices may have it. Normal numbers and zero alone:
// what a twin stores (to_half in ops/row/common.glsl) is what gy_to_half gives, bit by bit.
#ifndef GY_HALF_H
#define GY_HALF_H

#include <string.h>

#include "base/base.h"

/// The greatest finite one.
#define GY_HALF_MOST 65504.0f

/// The nearest, of two the even one. Beyond the greatest finite one: that; below the least normal
/// one, 2^-14: 0.
GY_INLINE uint16_t gy_to_half(float x)
{
    uint32_t bits, size;
    memcpy(&bits, &x, sizeof bits);
    size = bits & 0x7fffffffu;
    if (size < 0x38800000u) {
        return 0;
    }
    size = size > 0x477fe000u ? 0x477fe000u : size;
    size = ((size + 0xfffu + (size >> 13 & 1u)) >> 13) - (112u << 10);
    return (uint16_t)((bits >> 16 & 0x8000u) | size);
}

/// The float that a normal one or zero is.
GY_INLINE float gy_from_half(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7fffu) << 13;
    float x;
    bits = bits ? bits + (112u << 23) : 0;
    bits |= (uint32_t)(half & 0x8000u) << 16;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
