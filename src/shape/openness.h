// shape/openness.h: how much of each cell face solids leave open.
#ifndef GY_OPENNESS_H
#define GY_OPENNESS_H

#include "gyre/grid.h"
#include "shape/shape.h"

/// Openness is stored in 16 bits: 0 shut, GY_OPEN open.
enum { GY_OPEN = 16384 };

/// The open part of each face across `axis` in one row of cells, by the union of `count` solids:
/// out[i] for the lower face of cell (i, j, k). Faces of axis 0: i = 0 .. n[0]; of axis 1: j = 0 ..
/// n[1], i < n[0]; of axis 2 likewise in k. The sides of the domain are treated as any other face.
///
/// The part is that of the linear interpolation of the signed distance between the face's corners;
/// less than 1 % is none. A face on a solid's surface is shut. A cell whose middle is inside and
/// whose corners outside do not hang together along its edges has all faces shut: no wall of one
/// cell's thickness (h) or more leaks, at any place and in any direction. A wall thinner than h
/// can be missed by the corners: shape/thin.h sees to those.
void gy_openness_row(const gyre_grid *grid, const gy_solid *solids, int count, int axis, int j,
                     int k, uint16_t *out);

/// Faces along x that are made together: what solids leave of one depends on those near its block.
enum { GY_OPENNESS_BLOCK = 16 };

/// Which corners of cells are inside the union of solids, a bit each: corner (i, j, k) is at origin
/// + h (i, j, k), i, j, k from -1 to n + 1 (in 2D k is 0 alone). Shared by all the faces round it.
typedef struct gy_corners {
    gyre_grid grid;
    uint64_t *bits; // gy_corners_bytes, aligned to 8, zeroed
    int words;      // of a row
} gy_corners;

size_t gy_corners_bytes(const gyre_grid *grid);
gy_corners gy_corners_of(const gyre_grid *grid, uint64_t *bits);

/// Makes those of row (j, k) from corner `from` to before corner `to`, which are 0.
void gy_corners_row(const gy_corners *corners, const gy_solid *solids, int count, int j, int k,
                    int from, int to);

/// Distances at corners that faces share, as far as they are remembered: of one solid, where no
/// other is near. For faces of rows beside each other, by one thread.
enum { GY_CORNER_MEMO = 256 };
typedef struct gy_corner_memo {
    struct gy_corner_noted {
        const gy_solid *solid; // NULL: nothing
        int32_t corner[3];
        double distance;
    } at[GY_CORNER_MEMO];
} gy_corner_memo;

/// gy_openness_row for the faces from `from`, a multiple of GY_OPENNESS_BLOCK, to before `to`,
/// which is one, too, or past the last face: the same bits, from corners that are made at least one
/// further on each side. Faces between corners that are all inside or all outside cost next to
/// nothing, the others about 100 ns, or with a memo (zeroed, then of the same solids and grid;
/// NULL: none) half of that.
void gy_openness_part(const gy_corners *corners, const gy_solid *solids, int count, int axis, int j,
                      int k, int from, int to, gy_corner_memo *memo, uint16_t *out);

/// The part of each cell of a row that is inside, 0 to 1, from the distances at its corners: exact
/// for a plane. What is thinner than a cell and lies between them (shape/thin.h) counts by 64
/// points of the cell. out[i] for i < n[0].
void gy_solid_fraction_row(const gyre_grid *grid, const gy_solid *solids, int count, int j, int k,
                           float *out);

/// Signed distance to the union of solids; 1e12 when there are none.
double gy_union_distance(const gy_solid *solids, int count, const double point[3]);

#endif
