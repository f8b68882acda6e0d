// render/light.h: what light is swept through.
#ifndef GY_RENDER_LIGHT_H
#define GY_RENDER_LIGHT_H

#include "render/render.h"

/// Entries beside a line of light that repeat its ends, on each side.
enum { GY_LIGHT_EDGE = 8 };

/// A sweep of the sun's light. Light of two kinds leaves a plane: in lines along u, of so many
/// entries with their ends, one for each v; all of the first kind, then all of the second.
typedef struct gy_sweep {
    gy_volume *volume;
    int axis, u, v;        // along the sweep, and the other two
    ptrdiff_t step[3];     // strides of the padded grid
    int plane;             // padded index along the axis
    float du, dv;          // cells to where the ray came through the plane before
    float length;          // of the ray from plane to plane, in cells
    ptrdiff_t line, kind;  // entries of a line; from one kind to the other
    float *before, *after; // light leaving the planes
} gy_sweep;

/// Sweeps of the sky's.
typedef struct gy_skies {
    gy_volume *volume;
    int n[3];                // of the coarse grid with a margin
    float *depth;            // extinction per coarse cell
    float *arrived[GY_SKY];  // light per direction
    float *plane[GY_SKY][2]; // scratch: lines as above
} gy_skies;

#endif
