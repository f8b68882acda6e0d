// render/points.h: points that are drawn over a picture.
#ifndef GY_RENDER_POINTS_H
#define GY_RENDER_POINTS_H

#include "render/render.h"

/// How a picture is seen in which points are drawn.
typedef struct gy_points_view {
    gyre_device *device;
    const gyre_render_input *input;
    gyre_image *image;
    bool flat;              // a map: the first two coordinates are pixels already, sizes too
    vec corner;             // m, of what follows; also of a map
    float unit;             // m: lengths below are in it
    vec eye;                // coordinates are (position - corner) / unit
    vec forward, right, up; // of a picture that is 1 high and stands 1 away
    vec light;              // unit, towards the light
    vec sun, sky;           // brightness
    float shift[2];         // of a map: units at the picture's left and bottom edge
    float cells;            // of a map: units per pixel
    /// The share of light that goes from one place to the other; NULL: all of it.
    float (*passes)(const void *scene, vec from, vec to);
    /// The same from a place to the distant light; NULL: all of it.
    float (*lit)(const void *scene, vec from);
    /// The share of the sky's light that comes to a place; NULL: all of it.
    float (*open)(const void *scene, vec at);
    const void *scene;
} gy_points_view;

/// Draws input->points over the image, where there are any.
gyre_result gy_draw_points(const gy_points_view *view);

#endif
