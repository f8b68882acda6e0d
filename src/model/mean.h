// model/mean.h: what the means over regions are made of; isa/regions.c is compiled for each
// instruction set.
#ifndef GY_MEAN_H
#define GY_MEAN_H

#include "model/source.h"

enum { GY_COLUMNS = 16 };

typedef struct gy_mean_job {
    gy_source source;
    gy_around around;
    const gyre_grid *grid;
    gyre_location location;
    gy_cutout cutout; // the last
    bool some;        // of the region's cells may hold no fluid, or lie outside
    // of the region at hand:
    double sum, part, rim_sum, rim_part; // of all cells with fluid, and of those with less than 1
    double all, rim;                     // the parts, also without fluid
    // of a row:
    float value[GY_COLUMNS];
} gy_mean_job;

#endif
