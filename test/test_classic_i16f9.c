// The solver in fixed point, 16 bits with 9 behind the point, a format that the library does not
// carry.
// labels: golden small
#define GYRE_CLASSIC_BITS 16
#define GYRE_CLASSIC_FRACTION 9
#define GOLDEN 0x44519fbfu
#define NEAR 0.2
#define DRIFT 0.3
#include "classic/solver.c"
#include "test/classic_fixed.h"
