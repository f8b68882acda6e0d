// ocean/ops/phase.h: sines and cosines of phases that are whole numbers of 2^-32 turns, for one and
// for a vector of them, the same bits. |error| < 2e-7: the series of Cephes' sinf and cosf on an
// eighth of a turn to either side.
#ifndef GY_OCEAN_PHASE_H
#define GY_OCEAN_PHASE_H

#include "base/base.h"
#include <string.h>

#define GY_PHASE_UNIT 1.46291807926715968e-9f // 2 pi / 2^32

#define GY_PHASE_SINE(x, z)                                                                        \
    ((x) + (x) * (z) * (-1.6666654611e-1f + (z) * (8.3321608736e-3f + (z) * (-1.9515295891e-4f))))
#define GY_PHASE_COSINE(z)                                                                         \
    (1.0f - 0.5f * (z) +                                                                           \
     (z) * (z) *                                                                                   \
         (4.166664568298827e-2f + (z) * (-1.388731625493765e-3f + (z)*2.443315711809948e-5f)))

GY_INLINE void gy_phase(uint32_t phase, float *cosine, float *sine)
{
    uint32_t quarter = (phase + 0x20000000u) >> 30;
    float x = (float)(int32_t)(phase - (quarter << 30)) * GY_PHASE_UNIT, z = x * x;
    float s = GY_PHASE_SINE(x, z), c = GY_PHASE_COSINE(z);
    float a = quarter & 1 ? s : c, b = quarter & 1 ? c : s;
    *cosine = (quarter + 1) & 2 ? -a : a;
    *sine = quarter & 2 ? -b : b;
}

/// A double's share of a turn as such a number; |turns| < 2^52.
GY_INLINE uint32_t gy_phase_of(double turns)
{
    double whole = (double)(int64_t)turns, part = turns - whole; // -1 .. 1
    return (uint32_t)(int64_t)(part * 4294967296.0);
}

#endif
