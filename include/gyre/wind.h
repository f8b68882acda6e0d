/// @file gyre/wind.h
/// Air over water: a gas whose floor is the surface of a height field, and the wind's stress on it.
#ifndef GYRE_WIND_H
#define GYRE_WIND_H

#include "gyre/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Ties a gas to the water under it for one step. Once a step, before both are stepped by the same
/// dt (in either order):
///
///     gyre_wind_blow(gas, water, 0.0013f, dt);
///     gyre_model_step(water, dt);
///     gyre_model_step(gas, dt);
///
/// The water's surface, as it stands, becomes the gas's floor, which rises as fast as the surface
/// has since the last call (gyre_gas_set_floor()). Where there is water of at least its dry_depth
/// under the gas, the gas is held back by a stress of rho c |u - u_s| (u - u_s), with rho the gas's
/// air_density, c = `drag` (0 to 10; 0.001 to 0.002 of a wind 10 m over open water), u the gas's
/// velocity in the lowest cells and u_s the water's. What the gas has lost in its last step the
/// water gets now, as discharge: to rounding as much, by its water_density.
///
/// The gas's def has `floor`; it stands over the water, which reaches as far in x and y, and is to
/// reach down to the lowest surface: where that is below it, it has no floor. A gas in 3D goes over
/// water in 2D, one in 2D, whose y is the height, over a flume (n[1] 1), along whose x it lies.
/// Cells need not be of one size. GYRE_ERROR_UNSUPPORTED: other models or dimensions, drag with
/// water of mode wave, which no stress drives; GYRE_ERROR_ARGUMENT: water that does not reach as
/// far, a drag or dt out of range; else as gyre_gas_set_floor() and gyre_model_map().
GYRE_API gyre_result gyre_wind_blow(gyre_model *gas, gyre_model *water, float drag, float dt);

#ifdef __cplusplus
}
#endif
#endif
