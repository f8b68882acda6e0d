// The solver in fixed point, 32 bits with 9 behind the point: the paper's.
// labels: golden small
#define GYRE_CLASSIC_BITS 32
#define GYRE_CLASSIC_FRACTION 9
#define GOLDEN 0x1de3b80cu
#define NEAR 0.1
#define DRIFT 0.3
#include "test/classic_fixed.h"
