// ops/parabola.h: the edges of a cell's parabola (Colella & Woodward, The piecewise parabolic
// method, 1984), limited, from the differences to its neighbours.
#ifndef GY_PARABOLA_H
#define GY_PARABOLA_H

#include "ops/body.h"

/// The smaller of two of one sign, else 0.
GY_INLINE vf within(vf x, vf y)
{
    vf zero = gy_splat(0.0f);
    return gy_min(gy_max(x, gy_min(y, zero)), gy_max(y, zero));
}

/// Half a cell's limited slope, from the differences across its two faces.
GY_INLINE vf half_slope(vf a, vf b)
{
    return within(within(0.25f * (a + b), a), b);
}

/// The edges of a cell's parabola less its mean, from the differences across the faces before,
/// below, above and after, and the half slopes of the cells below and above.
GY_INLINE void edges(vf aa, vf a, vf b, vf bb, vf below, vf above, vf *low, vf *high)
{
    const float c12 = 1.0f / 12.0f;
    vf el = 0.5f * a - c12 * (aa - b), er = 0.5f * b + c12 * (a - bb);
    // A jump: second differences turn over and exceed 0.45 of the first one over two cells.
    vf l2 = a - aa, r2 = bb - b, whole = a + b;
    vi jump = (vi)(l2 * r2 < 0.0f) & (vi)((l2 - r2) * whole > 0.45f * (whole * whole));
    el = within(gy_select(jump, a - below, el), a);
    er = within(gy_select(jump, b - above, er), b);
    // No extremum inside; where the cell is one itself, both are of opposite signs and become 0.
    *low = -within(el, 2.0f * er);
    *high = within(er, 2.0f * el);
}

#endif
