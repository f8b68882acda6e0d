// The solver in fixed point, 32 bits with 16 behind the point: the one to recommend.
// labels: golden small
#define GYRE_CLASSIC_BITS 32
#define GYRE_CLASSIC_FRACTION 16
#define GOLDEN 0x1d84ec70u
#define NEAR 4e-3
#define DRIFT 2e-3
#include "test/classic_fixed.h"
