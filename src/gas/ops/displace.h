// gas/ops/displace.h: what displace is told.
#ifndef GY_DISPLACE_H
#define GY_DISPLACE_H

#include "gas/ops/args.h"

/// displace: adds to displacements, in m, along `axis` of each the path that a trace has found, in
/// cells. Box: (n0, n1, n2).
typedef struct gy_displace_args {
    uint64_t base;
    uint32_t field[3], back[3];
    uint32_t velocity[3]; // -> along the same axis
    int32_t axis[3];
    int32_t count;
    uint32_t sides; // bits x low, x high, ...: those that gas passes
    float scale;    // dt / h
    float h;
    gy_extent extent;
} gy_displace_args;

GY_FITS(gy_displace_args);

#endif
