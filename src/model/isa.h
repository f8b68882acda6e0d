// model/isa.h: what of queries is compiled for each instruction set.
#ifndef GY_MODEL_ISA_H
#define GY_MODEL_ISA_H

#include "gyre/model.h"

struct gy_sight;
struct gy_mean_job;

enum { GY_MOST_LANES = 16 };

typedef struct gy_asked {
    const char *name;
    /// What is along up to GY_SEGMENTS segments: model/sight.c.
    gyre_result (*look)(struct gy_sight *sight, const float *segments, int count,
                        gyre_sight *sights);
    /// Means over regions: model/mean.c.
    gyre_result (*means)(struct gy_mean_job *job, const gyre_shape *regions, int count,
                         gyre_mean *means);
} gy_asked;

/// Those for the instruction set that a device runs on, else for the best of this machine.
const gy_asked *gy_asked_of(const gyre_device *device);

#endif
