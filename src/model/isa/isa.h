// model/isa/isa.h: names of what is compiled for GY_ISA.
#ifndef GY_MODEL_ISA_ISA_H
#define GY_MODEL_ISA_ISA_H

#include "model/isa.h"

#define GY_ASKED_JOIN(name, isa) name##_##isa
#define GY_ASKED_NAME(name, isa) GY_ASKED_JOIN(name, isa)
/// The name of a function or table of this instruction set.
#define GY_ASKED(name) GY_ASKED_NAME(name, GY_ISA)

extern const gy_asked GY_ASKED(gy_asked);
void GY_ASKED(gy_run_walls)(struct gy_sight *sight);
void GY_ASKED(gy_run_integrals)(struct gy_sight *sight);

#endif
