/// @file gyre/sea.h
/// A window of simulated water in a procedural sea: gyre/water.h joined to gyre/ocean.h.
#ifndef GYRE_SEA_H
#define GYRE_SEA_H

#include "gyre/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Joins a model of type "water", whose def says `sea.carries`, to one of type "ocean" by
/// gyre_water_join(), which says what that does. Once, after create; then step both by the same dt,
/// in either order: the sea is asked at the water's own time, so that both are to have the same.
///
///     gyre_sea_join(water, ocean);
///     for (;;)
///         gyre_model_step(ocean, dt), gyre_model_step(water, dt);
///
/// The ocean must be there until the water is parted from it (`ocean` NULL) or gone. What changes
/// in the ocean's def the water sees at its next step.
///
/// A water of `difference` sees the ocean's surface as gyre_ocean_query() does, and has its water's
/// velocity there. One of `whole` takes in linear theory's heights and discharges at its places:
/// without `choppiness` and `steepness`, whose sharper crests are no free waves.
///
/// GYRE_ERROR_UNSUPPORTED: other models; an ocean whose depth is not that of a `whole` window's
/// open sides (where they are deep for its waves, half as long as four times the depth, any); else
/// as gyre_water_join(). GYRE_ERROR_ARGUMENT, too: their times differ.
GYRE_API gyre_result gyre_sea_join(gyre_model *water, gyre_model *ocean);

#ifdef __cplusplus
}
#endif
#endif
