// One table per instruction set: see model/isa.h.
#include "model/isa/isa.h"

#define GY_STRING_(x) #x
#define GY_STRING(x) GY_STRING_(x)

const gy_asked GY_ASKED(gy_asked) = {
    .name = GY_STRING(GY_ISA),
    .look = GY_ASKED(gy_look),
    .means = GY_ASKED(gy_means_of),
};
