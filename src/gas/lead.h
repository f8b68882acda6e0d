// gas/lead.h: what leads a gas whose velocity is given, for the files that work it out.
#ifndef GY_GAS_LEAD_H
#define GY_GAS_LEAD_H

#include "gas/gas.h"
#include "gas/ops/drive.h"

/// A wave of a noise: of each component of its potential.
typedef struct gy_lead_wave {
    double turns[3]; // of its phase at index 0, at t = 0
    double rate;     // turns per second
    float amount[3]; // m^2/s
} gy_lead_wave;

struct gy_gas_lead {
    size_t bytes;  // of the whole block
    int32_t which; // gyre_gas_velocity that it has room for
    bool made;     // waves and ramps are those of what follows
    gyre_gas_noise noise;
    gyre_grid grid;
    int32_t seed;
    uint32_t openness;
    bool ramped; // something is shut
    gy_lead_wave waves[GY_WAVES];
    float *tables; // cosines of all waves along an axis, then sines; of each axis
    int place[3], step[3];
    float *potential[3], *ramp[3]; // of each component: at the middles of edges along its axis
    ptrdiff_t sy, sz;              // of those
    float *staged[2][3];           // RECORDED, ROWS: a step's middle and its end, at sample
                                   // (0, 0, 0) of each component
};

#endif
