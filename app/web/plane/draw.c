// web/plane/draw.c: in place of what draws space, surfaces and particles: a frame of gases in 2D
// has none of these.
#include "view/draw/parts.h"

void view_own_light_free(view_draw *draw)
{
    (void)draw;
}

void view_take_points(view_draw *draw, const view_frame *frame)
{
    (void)draw;
    (void)frame;
}

void view_paint_points(view_draw *draw, const view_look *look)
{
    (void)draw;
    (void)look;
}

void view_points_free(view_draw *draw)
{
    (void)draw;
}

void view_take_bodies(view_moment *moment, const view_frame *frame)
{
    (void)moment;
    (void)frame;
}

void view_take_overhang(view_draw *draw, const view_frame *frame)
{
    (void)draw;
    (void)frame;
}

bool view_paint_surface(view_draw *draw, const view_look *look)
{
    (void)draw;
    (void)look;
    return false;
}

void view_surface_free(view_draw *draw)
{
    (void)draw;
}

void view_paint_volume(view_draw *draw, const view_look *look)
{
    (void)draw;
    (void)look;
}
