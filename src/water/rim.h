// water/rim.h: cells of a rim that are relaxed towards a state outside: see water/rim.c.
#ifndef GY_WATER_RIM_H
#define GY_WATER_RIM_H

#include "water/water.h"

/// What a cell of a rim is relaxed to.
typedef struct gy_rim_state {
    float depth, q[2]; // m, m^2/s
} gy_rim_state;

/// Relaxes `count` cells towards `targets`, one each, over dt. Returns what of depth that brought,
/// m, summed over the cells.
double gy_rim_relax(gyre_water *water, const gy_layer_cell *cells, const gy_rim_state *targets,
                    int count, float dt);

#endif
