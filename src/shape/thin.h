// shape/thin.h: solids thinner than a cell, which can lie between the corners that openness is made
// from. Such a one shuts each face whose two cells' centres it comes between: where the segment
// between them meets it anywhere, or passes within 2^-10 of a cell of it. So a wall is one however
// thin it is and wherever it lies. Thicker solids are what their corners say, as ever.
//
// Along a line of centres distances say how far to go before the solid can be met (J. C. Hart,
// Sphere Tracing, Visual Computer 12, 527, 1996); arrays, whose distances are none, are asked every
// half of their cells, but for places that those asked before have told about.
#ifndef GY_THIN_H
#define GY_THIN_H

#include "gyre/grid.h"
#include "shape/shape.h"

/// Whether some part of a solid may be thinner than h.
bool gy_solid_is_thin(const gy_solid *solid, double h);

/// Faces and lines that may be met, by the cells above them: from low to high, along `axis` faces.
/// Empty where some high is below its low.
void gy_thin_range(const gy_solid *solid, const gyre_grid *grid, int axis, int low[3], int high[3]);

/// Whether a line is asked at the same places from whichever face on: then faces that are shut
/// already need not be asked about.
bool gy_thin_is_even(const gy_solid *solid, const gyre_grid *grid);

/// The first of the faces at[axis] to `last` across an axis that the solid shuts on a line of
/// centres, at[axis] being among 0 to n; last + 1: none. *through: up to which face it is known to
/// shut those that follow, too.
int gy_thin_next(const gy_solid *solid, const gyre_grid *grid, int axis, const int at[3], int last,
                 int *through);

#endif
