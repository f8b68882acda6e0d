// model/isa/isa.h: names of what is compiled for GY_ISA.
#ifndef GY_MODEL_ISA_ISA_H
#define GY_MODEL_ISA_ISA_H

#include "model/isa.h"

#define GY_ASKED_JOIN(name, isa) name##_##isa
#define GY_ASKED_NAME(name, isa) GY_ASKED_JOIN(name, isa)
/// The name of a function or table of this instruction set.
#define GY_ASKED(name) GY_ASKED_NAME(name, GY_ISA)

extern const gy_asked GY_ASKED(gy_asked);
gyre_result GY_ASKED(gy_look)(struct gy_sight *sight, const float *segments, int count,
                              gyre_sight *sights);
/// Of the legs that there are: t of the first wall into their segments, and the integrals.
void GY_ASKED(gy_run_walls)(struct gy_sight *sight);
void GY_ASKED(gy_run_integrals)(struct gy_sight *sight);
gyre_result GY_ASKED(gy_means_of)(struct gy_mean_job *job, const gyre_shape *regions, int count,
                                  gyre_mean *means);

#endif
