// render/march.h: what rays through smoke are drawn from.
#ifndef GY_RENDER_MARCH_H
#define GY_RENDER_MARCH_H

#include "render/render.h"

/// A picture of a volume.
typedef struct gy_march_view {
    gy_volume *volume;
    gyre_image *image;
    vec eye;                // in cells
    vec forward, right, up; // of a picture that is 1 high and stands 1 away
    float *hits;            // distance to a solid through each pixel's centre; NULL: no solids
    ptrdiff_t row;          // entries of a row of those
    vec sun, sky;           // light, albedo included
} gy_march_view;

#endif
