// water/tiles.h: see water/ops/tiles.h.
#include "water/ops/tiles.h"
