// water/tiles.h: see ops/tiles.h.
#include "ops/tiles.h"
