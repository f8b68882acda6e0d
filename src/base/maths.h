// base/maths.h: transcendental functions that give the same bits on every machine and compiler
// (only IEEE +, -, *, / and sqrt inside; contraction is off for the whole library).
#ifndef GY_MATHS_H
#define GY_MATHS_H

#include "base/base.h"

float gy_sqrtf(float x);         // correctly rounded
float gy_floorf(float x);        // exact
float gy_expf(float x);          // <= 2 ulp; 0 below -87, FLT_MAX above 88
float gy_logf(float x);          // <= 2 ulp; x > 0 (-FLT_MAX at and below 0)
float gy_powf(float x, float y); // x > 0; kept between 0 and FLT_MAX as gy_expf
float gy_sinf(float x);          // <= 2 ulp for |x| <= 8192; 0 from 2^30 on
float gy_cosf(float x);
float gy_acosf(float x); // x is cut to -1 .. 1
float gy_atan2f(float y, float x);
float gy_tanhf(float x);

/// Counter-based random numbers: the i-th 32-bit word of the stream `seed` (PCG hash). No state.
uint32_t gy_random(uint32_t seed, uint32_t i);
/// In [0, 1).
float gy_random_unit(uint32_t seed, uint32_t i);

#endif
