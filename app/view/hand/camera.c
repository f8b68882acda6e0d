// view/hand/camera.c: aim.h for the window: what the mouse does to the view.
#include "view/app.h"

#include <string.h>

void camera_reset(view_app *app)
{
    if (app->show.frame[0]) {
        view_look fresh = view_look_make(&app->show.settings, &app->show.frame[0]->grid);
        app->show.look.camera = fresh.camera;
        app->show.look.zoom = fresh.zoom;
        memcpy(app->show.look.centre, fresh.centre, sizeof fresh.centre);
    }
}

void camera_orbit(view_app *app, float dx, float dy)
{
    float x = (float)app->window.left, y = 0.0f;
    view_aim aim = show_aim(app, x, &x, &y);
    // As far for a way over the window, however much of that the picture is.
    float part = app->window.height > 0 ? (float)aim.height / (float)app->window.height : 1.0f;
    aim_orbit(&aim, part * dx, part * dy);
}

void camera_pan(view_app *app, float x0, float y0, float x1, float y1)
{
    view_aim aim = show_aim(app, x0, &x0, &y0);
    show_aim(app, x1, &x1, &y1);
    aim_pan(&aim, x0, y0, x1, y1);
}

void camera_zoom(view_app *app, float x, float y, float factor)
{
    view_aim aim = show_aim(app, x, &x, &y);
    aim_zoom(&aim, x, y, factor);
}
