// gas/waves.h: random waves, of turbulence and of noise.
#ifndef GY_GAS_WAVES_H
#define GY_GAS_WAVES_H

#include "gas/gas.h"

/// Turns that are a whole number less, so that an angle is small.
float gy_wave_angle(double turns);
/// The next random number of a seed, 0 to 1.
double gy_wave_draw(uint32_t seed, uint32_t *at);
/// A random vector of length 1.
void gy_wave_direction(uint32_t seed, uint32_t *at, int dim, double v[3]);
/// Waves per metre along each axis of one of a length, no shorter than four cells, and on a
/// periodic axis a whole number of them.
void gy_wave_choose(const gyre_gas *gas, double length, const double direction[3], double k[3]);

#endif
