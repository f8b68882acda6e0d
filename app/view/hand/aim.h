// view/hand/aim.h: what lies under a pixel of a picture, and how the view is turned and moved from
// there. Knows of no window: pixels count from the picture's lower left corner.
#ifndef VIEW_AIM_H
#define VIEW_AIM_H

#include "view/draw/draw.h"

/// A picture that is aimed at.
typedef struct view_aim {
    view_look *look;
    const view_frame *frame;
    int width, height; // pixels
    float through[3];  // m: the plane of what is done in 3D goes through it
} view_aim;

/// The place in the domain under a pixel. False: none.
bool aim_pick(const view_aim *aim, float x, float y, float point[3]);
/// The same, also outside of the domain.
bool aim_place(const view_aim *aim, float x, float y, float point[3]);
/// Whether it is looked at straight on, a map or a slice of two dimensions.
bool aim_is_flat(const view_aim *aim);
/// Turns the eye about what it looks at, by so many pixels.
void aim_orbit(const view_aim *aim, float dx, float dy);
/// Moves it so that what was under one pixel is under another.
void aim_pan(const view_aim *aim, float x0, float y0, float x1, float y1);
/// factor > 1: nearer, about a pixel.
void aim_zoom(const view_aim *aim, float x, float y, float factor);

#endif
