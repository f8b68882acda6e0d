// render/compose.h: several models in one picture.
//
// Along each ray lies what is solid of all models, the nearest counts; volumes end there and lie
// over it, the farthest first. Distances are in metres from the eye.
#ifndef GY_RENDER_COMPOSE_H
#define GY_RENDER_COMPOSE_H

#include "render/march.h"
#include "render/surface.h"

enum {
    GY_MET_SOLID = 1 << 20 // a solid of volume 0; those of others count on
};

/// Rays through places of the picture, and what comes along them.
typedef struct gy_rays {
    int count;
    float x[GY_RAYS + 8], y[GY_RAYS + 8], noise[GY_RAYS + 8]; // pixels; where samples begin
    float colour[3][GY_RAYS + 8];                             // linear
    float met[GY_RAYS + 8];                                   // what is seen behind all smoke
    float far[GY_RAYS + 8];                                   // how far away that is
    float through[GY_RAYS + 8];                               // what of its light passes all smoke
} gy_rays;

/// Rays at a surface: all of them, `far` in cells of its relief.
typedef struct gy_surface_look {
    const gy_surface *surface;
    gy_rays *rays;
} gy_surface_look;

/// Rays at a volume: eight from 8 * task on.
typedef struct gy_march_look {
    const gy_march_view *view;
    int which; // of the volumes
    gy_rays *rays;
} gy_march_look;

/// A picture of several models.
typedef struct gy_composed {
    gyre_image *image;
    float exposure;
    gy_surface *surfaces;
    int surface_count;
    gy_march_view *views; // of volumes, the farthest first
    int view_count;
    const gy_march_view *ground; // of which background and floor are; NULL: there is a surface
    // Display colours through each pixel's middle: of all, and of what is behind smoke, with what
    // that is and what of it passes; so many entries a row.
    float *seen[3], *behind[5];
    ptrdiff_t row;
} gy_composed;

#endif
