// water/dispersive_parts.h: waters apart, in mode dispersive: see dispersive_parts.c.
#ifndef GY_WATER_DISPERSIVE_PARTS_H
#define GY_WATER_DISPERSIVE_PARTS_H

#include "water/ops/dispersive.h"

enum {
    GY_DISPERSIVE_PARTS = 64, // waters that are told apart
    GY_DISPERSIVE_GROUPS = 8  // transforms of them
};

/// Writes into `part` by which transform each cell's water is answered, -1 by none. Returns how
/// many there are; 0: all water is one, and nothing is written. Overwrites out_re and out_im.
int gy_dispersive_find_parts(const gy_dispersive *job);

#endif
