// ops/parabola.h: the edges of a cell's parabola (Colella & Woodward, The piecewise parabolic
// method, 1984), limited, from the differences to its neighbours.
#ifndef GY_PARABOLA_H
#define GY_PARABOLA_H

#include "ops/body.h"

/// Whether jumps are seen. Without, a scalar costs about four fifths, and shapes blur: the L1
/// error of Zalesak's disk is 0.23 for 0.17, of the reversed vortex 0.70 for 0.37 (the twin has the
/// same constant).
enum { GY_SEE_JUMPS = 1 };

/// The smaller of two of one sign, else 0.
GY_INLINE vf within(vf x, vf y)
{
    vf zero = gy_splat(0.0f);
    return gy_min(gy_max(x, gy_min(y, zero)), gy_max(y, zero));
}

/// The edges of a cell's parabola less its mean, from the differences across the faces before,
/// below, above and after.
GY_INLINE void edges(vf aa, vf a, vf b, vf bb, vf *low, vf *high)
{
    const float c12 = 1.0f / 12.0f;
    vf el = 0.5f * a - c12 * (aa - b), er = 0.5f * b + c12 * (a - bb);
    if (GY_SEE_JUMPS) {
        // A jump: second differences turn over and exceed 0.45 of the first one over two cells.
        // There the edges are the neighbours' means (with their limited slopes, as there, the
        // L1 errors are 0.17 and 0.39 for 0.165 and 0.37, and it takes a quarter longer).
        vf l2 = a - aa, r2 = bb - b, whole = a + b;
        vi jump = (vi)(l2 * r2 < 0.0f) & (vi)((l2 - r2) * whole > 0.45f * (whole * whole));
        el = gy_select(jump, a, el);
        er = gy_select(jump, b, er);
    }
    el = within(el, a);
    er = within(er, b);
    // No extremum inside; where the cell is one itself, both are of opposite signs and become 0.
    *low = -within(el, 2.0f * er);
    *high = within(er, 2.0f * el);
}

#endif
