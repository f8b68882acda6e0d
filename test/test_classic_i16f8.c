// The solver in fixed point, 16 bits with 8 behind the point: the talk's.
// labels: golden small web
#define GYRE_CLASSIC_BITS 16
#define GYRE_CLASSIC_FRACTION 8
#define GOLDEN 0x526bee51u
#define NEAR 0.2
#define DRIFT 0.1
#include "test/classic_fixed.h"
