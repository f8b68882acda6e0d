// grid/layout.h: how a field lies in memory.
#ifndef GY_LAYOUT_H
#define GY_LAYOUT_H

#include "base/base.h"
#include "gyre/grid.h"

/// Constants of the design, never of an instruction set.
enum {
    GY_BLOCK = 64,   // cells along x that are handled together
    GY_LANES = 16,   // rows are padded to this; lanes of a reduction
    GY_PAD = 16,     // floats between the padded end of a row and the start of the next
    GY_LEVEL_PAD = 8 // the same of one colour of a level (ops/system/level.h)
};

/// Every float field of a grid has this one layout, whatever its location: rows -1 .. n and planes
/// -1 .. n, so that a cell field has one halo cell on each side and a face field has its n + 1
/// samples and a lower halo. The halo along x lives in the pad between rows: its right half belongs
/// to the row before (sample n of a face field and what follows it), its left half to the row
/// after. What lies one further out is readable, finite, and must have no weight.
typedef struct gy_layout {
    int dim;
    int n[3];
    ptrdiff_t sy, sz; // floats from row to row, plane to plane; sz is 0 in 2D
    ptrdiff_t origin; // floats from the start of the slot to sample (0, 0, 0); a multiple of 16
    ptrdiff_t floats; // of one slot; a multiple of 16
    ptrdiff_t slack;  // floats that must be readable before the first slot and after the last
} gy_layout;

/// The faces across an axis: 0, 1, 2.
GY_INLINE gyre_location gy_faces(int axis)
{
    return (gyre_location)((int)GYRE_FACE_X + axis);
}

/// The axis that faces lie across; below 0 where a location is no face: GYRE_CENTRE.
GY_INLINE int gy_face_axis(int location)
{
    return location - (int)GYRE_FACE_X;
}

gy_layout gy_layout_make(const gyre_grid *grid);

GY_INLINE int gy_round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

#endif
