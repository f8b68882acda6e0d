// water/dispersive.h: mode dispersive; see dispersive.c.
#ifndef GY_WATER_DISPERSIVE_H
#define GY_WATER_DISPERSIVE_H

#include "gyre/water.h"

/// What this mode does not take.
gyre_result gy_dispersive_check(const gyre_water_def *def);
/// Bytes that it needs, and what it keeps in them (gyre_water.dispersive, aligned to 64).
size_t gy_dispersive_size(const gyre_water_def *def);
void gy_dispersive_make(gyre_water *water);
/// Before a step of dt: leaves the bulk in the tiles.
void gy_dispersive_part(gyre_water *water, float dt);
/// After the bulk's step of dt: the waves', and the whole into the tiles.
void gy_dispersive_join(gyre_water *water, float dt);

/// Puts the waves of inflows into a step of dt: see maker.c.
void gy_maker_step(gyre_water *water, float dt);
/// The wave number, 1/m, of waves of a period over a depth.
float gy_maker_number(float period, float depth, float gravity);

#endif
