// view/hand/grab.c: bodies taken by the hand and pulled along the level at which they were taken.
// What is held moves by timed settings of its place and velocity, so that a recorded session
// replays it; let go it keeps its velocity.
#include "view/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float c[3])
{
    for (int i = 0; i < 3; i++) {
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

// How far along a ray a triangle lies (Moeller and Trumbore); below 0: the ray misses it.
static float meet(const view_mesh *mesh, int triangle, const float from[3], const float along[3])
{
    const int32_t *p = mesh->triangles + 3 * (ptrdiff_t)triangle;
    const float *a = mesh->points + 3 * (ptrdiff_t)p[0];
    const float *b = mesh->points + 3 * (ptrdiff_t)p[1];
    const float *c = mesh->points + 3 * (ptrdiff_t)p[2];
    float u[3], v[3], to[3], across[3], up[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
        to[i] = from[i] - a[i];
    }
    cross(along, v, across);
    float facing = dot(u, across);
    if (fabsf(facing) < 1e-20f) {
        return -1.0f;
    }
    cross(to, u, up);
    float s = dot(to, across) / facing, t = dot(along, up) / facing;
    return s < 0.0f || t < 0.0f || s + t > 1.0f ? -1.0f : dot(v, up) / facing;
}

// The body under a pixel and the place on it; -1: none.
static int body_at(const view_app *app, float x, float y, float point[3])
{
    int left, bottom, width, height, found = -1;
    int variant = show_variant(app, x);
    const view_frame *frame =
        app->show.frame[variant] ? app->show.frame[variant] : app->show.frame[VIEW_A];
    show_area(app, variant, &left, &bottom, &width, &height);
    if (width < 1 || height < 1) {
        return -1;
    }
    view_eye eye = view_eye_make(&app->show.look, &frame->grid, width, height);
    float along[3], nearest = 3e38f;
    float right = (x - (float)left - 0.5f * (float)width) / (float)height;
    float up = ((float)app->window.height - y - 0.5f * (float)height) / (float)height;
    for (int i = 0; i < 3; i++) {
        along[i] = eye.forward[i] + eye.right[i] * right + eye.up[i] * up;
    }
    for (int m = 0; m < frame->mesh_count; m++) {
        for (int t = 0; t < frame->meshes[m].triangle_count; t++) {
            float at = meet(&frame->meshes[m], t, eye.at, along);
            if (at > 0.0f && at < nearest) {
                nearest = at;
                found = m;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        point[i] = eye.at[i] + along[i] * nearest;
    }
    return found;
}

static void send(view_app *app, const char *member, const char *format, ...) GYRE_PRINTF(3, 4);

static void send(view_app *app, const char *member, const char *format, ...)
{
    char path[256], json[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(json, sizeof json, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s.%s", app->hand.grab.path, member);
    view_session_input(app->show.session, path, json);
}

static void send_vector(view_app *app, const char *member, const float v[3])
{
    send(app, member, "[%.9g, %.9g, %.9g]", (double)v[0], (double)v[1], (double)v[2]);
}

// By its name, which stays when others are taken away; by its number where it has none.
static bool read_body(const gyre_scene *scene, const char *pool, int number, view_grab *g)
{
    char path[256];
    gyre_value value;
    snprintf(path, sizeof path, "%s.%d.name", pool, number);
    bool named = gyre_scene_get(scene, path, &value) == GYRE_OK && value.string[0];
    snprintf(g->path, sizeof g->path, "%s.%d", pool, number);
    if (named) {
        snprintf(g->path, sizeof g->path, "%s.%.48s", pool, value.string);
    }
    snprintf(path, sizeof path, "%s.position", g->path);
    if (gyre_scene_get(scene, path, &value)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        g->start[i] = (float)value.number[i];
    }
    snprintf(path, sizeof path, "%s.held", g->path);
    g->was_held = gyre_scene_get(scene, path, &value) == GYRE_OK && value.number[0] != 0.0;
    return true;
}

bool grab_begin(view_app *app, float x, float y)
{
    view_grab *g = &app->hand.grab;
    *g = (view_grab){0};
    if (!app->show.session || !app->show.frame[VIEW_A] || !app->hand.brush.bodies[0] ||
        !view_look_is_surface(&app->show.look)) {
        return false;
    }
    int body = body_at(app, x, y, g->from);
    if (body < 0) {
        return false;
    }
    const gyre_scene *scene = view_session_lock(app->show.session);
    g->held = scene && read_body(scene, app->hand.brush.bodies, body, g);
    view_session_unlock(app->show.session);
    if (!g->held) {
        return false;
    }
    memcpy(g->hand, g->from, sizeof g->hand);
    send(app, app->hand.brush.hold, "true");
    send_vector(app, "velocity", g->velocity);
    app_note(app, false, "%s", g->path);
    return true;
}

void grab_move(view_app *app, float x, float y)
{
    view_grab *g = &app->hand.grab;
    int left, bottom, width, height;
    float point[3], place[3];
    show_area(app, show_variant(app, x), &left, &bottom, &width, &height);
    if (!view_draw_pick(&app->show.look, &app->show.frame[VIEW_A]->grid, width, height,
                        x - (float)left, (float)app->window.height - y, g->from, point)) {
        return;
    }
    const gyre_grid *grid = &app->show.frame[VIEW_A]->grid;
    float passed = (float)fmax(app->clock.frame_seconds, 1e-3);
    for (int i = 0; i < 3; i++) {
        float low = i < 2 ? grid->origin[i] : point[i];
        float high = i < 2 ? low + grid->h * (float)grid->n[i] : point[i];
        point[i] = fmaxf(low, fminf(high, point[i]));
        place[i] = g->start[i] + point[i] - g->from[i];
        // The pointer comes in jumps: a mean over some frames is its speed.
        float v = fmaxf(-50.0f, fminf(50.0f, (point[i] - g->hand[i]) / passed));
        g->velocity[i] += 0.5f * (v - g->velocity[i]);
        g->velocity[i] = fabsf(g->velocity[i]) > 1e-4f ? g->velocity[i] : 0.0f;
        g->hand[i] = point[i];
    }
    send_vector(app, "position", place);
    send_vector(app, "velocity", g->velocity);
}

void grab_end(view_app *app)
{
    view_grab *g = &app->hand.grab;
    if (g->held && app->show.session) {
        if (!g->was_held) {
            send(app, app->hand.brush.hold, "false");
        } else {
            send_vector(app, "velocity", (const float[3]){0.0f, 0.0f, 0.0f});
        }
    }
    g->held = false;
}
