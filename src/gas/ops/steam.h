// gas/ops/steam.h: what is known of moist air, in vectors.
//
//     e = 611.2 Pa exp(17.67 (T - 273.15) / (T - 29.65))     saturation over water, T in K
//     q = 0.622 e / (p - e)                                  as a mixing ratio, kg/kg
//     L = 2.501e6 - 2370 (T - 273.15)                        J/kg, of condensing
//
// D. Bolton, The computation of equivalent potential temperature (Mon. Weather Rev. 108, 1980),
// equations 10 and 2. Exponentials and powers are polynomials of their own (exp after S. Moshier's
// Cephes), so that bits are the same everywhere: exp and log to 2 ulp.
#ifndef GY_STEAM_H
#define GY_STEAM_H

#include "base/simd.h"
#include "gas/ops/condense.h"

/// x from -80 to 80; beyond as at the ends.
GY_INLINE vf gy_steam_exp(vf x)
{
    x = gy_clamp(x, gy_splat(-80.0f), gy_splat(80.0f));
    vi whole = gy_floor_int(x * 1.44269504f + 0.5f);
    vf n = gy_to_float(whole), r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    vf p = 1.9875691500e-4f * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    return (p * (r * r) + r + 1.0f) * (vf)((whole + 127) << 23);
}

/// x > 0, no denormal.
GY_INLINE vf gy_steam_log(vf x)
{
    vi whole = ((vi)x - 0x3f3504f3) >> 23;
    vf m = (vf)((vi)x - (whole << 23)), s = (m - 1.0f) / (m + 1.0f), s2 = s * s;
    vf p = (1.0f / 9.0f) * s2 + 1.0f / 7.0f;
    p = p * s2 + 1.0f / 5.0f;
    p = p * s2 + 1.0f / 3.0f;
    return gy_to_float(whole) * 0.69314718f + (2.0f * s + (2.0f * s) * (s2 * p));
}

/// x^y of x >= 0: 0 below 1e-20.
GY_INLINE vf gy_steam_power(vf x, float y)
{
    vf some = gy_max(x, gy_splat(1e-20f));
    return gy_select((vi)(x > 1e-20f), gy_steam_exp(y * gy_steam_log(some)), gy_splat(0.0f));
}

/// The mixing ratio of saturation, and its slope over the temperature. What is asked for is kept
/// between 150 and 350 K, and e below half of the pressure, so that it is always a number.
GY_INLINE vf gy_steam_most(vf kelvin, float pressure, vf *slope)
{
    vf t = gy_clamp(kelvin, gy_splat(150.0f), gy_splat(350.0f)), over = 1.0f / (t - 29.65f);
    vf e =
        gy_min(611.2f * gy_steam_exp((17.67f * (t - 273.15f)) * over), gy_splat(0.5f * pressure));
    vf dry = 1.0f / (pressure - e), q = (0.622f * e) * dry;
    *slope = (q * (pressure * dry)) * ((17.67f * 243.5f) * (over * over));
    return q;
}

#endif
