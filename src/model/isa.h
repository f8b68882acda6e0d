// model/isa.h: what of queries is compiled for each instruction set.
#ifndef GY_MODEL_ISA_H
#define GY_MODEL_ISA_H

#include "gyre/device.h"

struct gy_sight;

enum { GY_MOST_LANES = 16 };

typedef struct gy_asked {
    const char *name;
    /// Of the legs that there are: into out t of the first wall; into the segments' sums.
    void (*walls)(struct gy_sight *sight);
    void (*integrals)(struct gy_sight *sight);
} gy_asked;

/// Those for the instruction set that a device runs on, else for the best of this machine.
const gy_asked *gy_asked_of(const gyre_device *device);

#endif
