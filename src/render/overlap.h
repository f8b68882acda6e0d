// render/overlap.h: which volumes one picture cannot hold.
#ifndef GY_RENDER_OVERLAP_H
#define GY_RENDER_OVERLAP_H

#include "gyre/grid.h"

#include <stdbool.h>

/// Whether two volumes share room, so that neither lies before the other. Boxes that touch do not:
/// a thousandth of a cell is rounding.
bool gy_volumes_overlap(const gyre_grid *p, const gyre_grid *q);

#endif
