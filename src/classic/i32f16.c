// classic/i32f16.c: the solver in fixed point, 32 bits with 16 behind the point.
#define GYRE_CLASSIC_BITS 32
#define GYRE_CLASSIC_FRACTION 16
#include "classic/solver.c"
