// water/pressure.h: pressure that is not hydrostatic; see pressure.c.
#ifndef GY_WATER_PRESSURE_H
#define GY_WATER_PRESSURE_H

#include "gyre/water.h"

/// What it cannot be had with.
gyre_result gy_pressure_check(const gyre_water_def *def);
/// Bytes that it needs (gyre_water.pressure, aligned to 64); 0: it is off.
size_t gy_pressure_size(const gyre_water_def *def);
void gy_pressure_make(gyre_water *water);
/// After a substep of dt: what it does to the discharge.
void gy_pressure_push(gyre_water *water, float dt);

#endif
