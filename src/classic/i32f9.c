// classic/i32f9.c: the solver in fixed point, 32 bits with 9 behind the point.
#define GYRE_CLASSIC_BITS 32
#define GYRE_CLASSIC_FRACTION 9
#include "classic/solver.c"
