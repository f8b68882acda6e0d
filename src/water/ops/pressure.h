// water/ops/pressure.h: what the ops of the pressure that is not hydrostatic share; see
// water/pressure.c for the equations. Arrays are dense: n[0] x n[1] floats, `stride` floats from
// row to row, GY_PRESSURE_PAD before the first and behind the last.
#ifndef GY_OPS_PRESSURE_H
#define GY_OPS_PRESSURE_H

#include "water/ops/tiles.h"

enum {
    GY_PRESSURE_PAD = 16,
    GY_PRESSURE_MARGIN = 8 // cells along open sides and inflows that have none
};

typedef struct gy_pressure {
    const gy_tiles *tiles;
    const uint8_t *plain; // of a tile: no flag is set in it
    int n[2], stride;
    bool round[2]; // the sides of an axis are joined
    float h, dry;  // less water than `dry` has none
    float gravity, dt;
    float wide;   // of waves: what speeds of short ones are fitted by, see water/pressure.c
    float weight; // of an iteration
    int from, to; // of sum[2], in an iteration
    float *depth, *bed, *qx, *qy;
    float *open[2]; // of low faces 1, or 0 where they are shut
    float *broken;  // cells that break, and some near them: above 0
    float *face[2]; // of low faces: wide / (d h^2)
    float *right, *inverse;
    float *sum[2];       // the pressure, summed over a column: m^3/s^2
    float *least;        // of a row: the least eigenvalue's bound
    const float *zeros;  // a row
    const float *margin; // by column: above 0 within the margin of a side; then by row
} gy_pressure;

GY_INLINE int gy_pressure_row(const gy_pressure *d, int j)
{
    int n = d->n[1];
    return j < 0 ? (d->round[1] ? j + n : 0) : j >= n ? (d->round[1] ? j - n : n - 1) : j;
}

#endif
