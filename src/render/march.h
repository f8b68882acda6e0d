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
    int across;             // axis across the polygons of cells; -1: smoke is drawn smooth
} gy_march_view;

/// Aims the camera of the input; with its light and its look.
gyre_result gy_march_aim(gy_march_view *view);
/// The light that passes on a way through a volume, from a place in it or outside.
float gy_march_passes(const gy_volume *volume, vec from, vec along, float far);
/// The share of the sky's light that comes to a place in cells; all of it outside of the volume.
float gy_march_sky(const gy_volume *volume, vec at);

#endif
