// view/hand/camera.c: what the hand does to the view: turn, move, come nearer.
#include "view/app.h"

#include <math.h>
#include <string.h>

static void subtract(const float a[3], const float b[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3])
{
    float c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static float length(const float a[3])
{
    return sqrtf(dot(a, a));
}

// Turns v about the unit vector `axis`.
static void turn(float v[3], const float axis[3], float angle)
{
    float c = cosf(angle), s = sinf(angle), across[3], along = dot(axis, v) * (1.0f - c);
    cross(axis, v, across);
    for (int i = 0; i < 3; i++) {
        v[i] = v[i] * c + across[i] * s + axis[i] * along;
    }
}

static bool is_flat(const view_app *app)
{
    return !app->show.frame[0] ||
           (app->show.frame[0]->grid.dim == 2 && !view_look_is_surface(&app->show.look));
}

// The camera that frames the whole domain is worked out when it is drawn; to be moved it must stand
// somewhere.
static gyre_camera *camera(view_app *app)
{
    int x, y, width, height;
    show_area(app, VIEW_A, &x, &y, &width, &height);
    app->show.look.camera =
        view_look_camera(&app->show.look, &app->show.frame[0]->grid, width, height);
    return &app->show.look.camera;
}

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
    float arm[3], up[3], right[3];
    if (is_flat(app)) {
        return;
    }
    gyre_camera *c = camera(app);
    subtract(c->position, c->target, arm);
    memcpy(up, c->up, sizeof up);
    float distance = length(arm), size = length(up);
    if (distance <= 0.0f) {
        return;
    }
    if (size <= 0.0f) {
        memcpy(up, (float[3]){0.0f, 1.0f, 0.0f}, sizeof up);
        memcpy(c->up, up, sizeof up);
        size = 1.0f;
    }
    for (int i = 0; i < 3; i++) {
        up[i] /= size;
    }
    float speed = 3.0f / (float)(app->window.height > 0 ? app->window.height : 1);
    turn(arm, up, -dx * speed);
    cross(up, arm, right);
    float across = length(right);
    // The pole itself is kept off: there the picture would roll over.
    float height = asinf(fmaxf(-1.0f, fminf(1.0f, dot(arm, up) / distance)));
    float to = fmaxf(-1.5f, fminf(1.5f, height + dy * speed));
    if (across > 1e-6f * distance) {
        for (int i = 0; i < 3; i++) {
            right[i] /= across;
        }
        turn(arm, right, height - to);
    }
    for (int i = 0; i < 3; i++) {
        c->position[i] = c->target[i] + arm[i];
    }
}

void camera_pan(view_app *app, float x0, float y0, float x1, float y1)
{
    float a[3], b[3];
    if (!show_place(app, x0, y0, a) || !show_place(app, x1, y1, b)) {
        return;
    }
    if (is_flat(app)) {
        app->show.look.centre[0] += a[0] - b[0];
        app->show.look.centre[1] += a[1] - b[1];
        return;
    }
    gyre_camera *c = camera(app);
    for (int i = 0; i < 3; i++) {
        c->position[i] += a[i] - b[i];
        c->target[i] += a[i] - b[i];
    }
}

void camera_zoom(view_app *app, float x, float y, float factor)
{
    float before[3], after[3];
    bool over = show_place(app, x, y, before);
    if (is_flat(app)) {
        float zoom = app->show.look.zoom * factor;
        app->show.look.zoom = fmaxf(0.05f, fminf(2000.0f, zoom));
        if (over && show_place(app, x, y, after)) {
            app->show.look.centre[0] += before[0] - after[0];
            app->show.look.centre[1] += before[1] - after[1];
        }
        return;
    }
    gyre_camera *c = camera(app);
    float arm[3];
    subtract(c->position, c->target, arm);
    const gyre_grid *g = &app->show.frame[0]->grid;
    float reach = g->h * (float)(g->n[0] + g->n[1] + g->n[2]), now = length(arm);
    if (!over || now <= 0.0f || (now / factor < 2.0f * g->h && factor > 1.0f) ||
        (now / factor > 20.0f * reach && factor < 1.0f)) {
        return;
    }
    // Position and target shrink towards the place under the pointer, which so stays there.
    for (int i = 0; i < 3; i++) {
        c->position[i] = before[i] + (c->position[i] - before[i]) / factor;
        c->target[i] = before[i] + (c->target[i] - before[i]) / factor;
    }
}
