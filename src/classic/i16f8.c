// classic/i16f8.c: the solver in fixed point, 16 bits with 8 behind the point.
#define GYRE_CLASSIC_BITS 16
#define GYRE_CLASSIC_FRACTION 8
#include "classic/solver.c"
