// shape/cross.h: which faces of a grid a surface without thickness crosses, exactly.
//
// A face is crossed where the segment between the centres of its two cells passes through a facet:
// a piece of a line in 2D, a triangle in 3D. Corners are rounded to 2^-12 of a cell, once each, so
// that facets that share one go on sharing it; all signs are those of whole numbers of 128 bits. A
// tie (a centre on a facet, an edge that meets a segment) is settled as if all centres were shifted
// by (e, e^2, e^3), e > 0 as small as one likes: one shift for all facets, axes and faces. So a
// surface that is closed parts the cells within from those without, whatever passes through
// whatever (H. Edelsbrunner, E. P. Muecke, Simulation of Simplicity, ACM Trans. Graph. 9, 66,
// 1990, for the ties; D. Cohen-Or, A. Kaufman, Fundamentals of Surface Voxelization, Graph. Models
// Image Process. 57, 453, 1995, for what parts what).
//
// Cost: 30 to 130 ns a face in 2D, 140 to 260 in 3D, straight and inclined.
#ifndef GY_CROSS_H
#define GY_CROSS_H

#include "base/base.h"

#define GY_CROSS_UNIT 4096        // to a cell
#define GY_CROSS_MOST (1LL << 40) // units that a corner may be away from the grid's

/// Rounds a place, in cells from the grid's corner: the centre of cell 0 is 1/2. False: it is too
/// far away, or no number.
bool gy_cross_round(double cells, int64_t *units);

/// A face by the cell above it, at[axis] from 0 to n; of a periodic axis to n - 1.
typedef struct gy_crossed {
    int16_t at[3];
    int16_t axis;
} gy_crossed;

/// Where faces go that are found. Those that find no room are counted alone.
typedef struct gy_crossings {
    gy_crossed *faces;
    int64_t room, count;
} gy_crossings;

/// Adds the faces that a facet crosses, each once: dim corners of three coordinates, in units. n:
/// the cells of the grid; what lies beyond a periodic axis (bits) comes in again at its other end.
/// A face of a side counts with the cell that would lie beyond it.
void gy_cross(int dim, const int n[3], uint32_t periodic, const int64_t *const corners[3],
              gy_crossings *found);

#endif
