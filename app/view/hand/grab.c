// view/hand/grab.c: bodies taken by the hand and pulled along the level at which they were taken.
// What is held moves by timed settings of its place and velocity, so that a recorded session
// replays it; let go it keeps its velocity.
#include "view/hand/stroke.h"

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
static int body_at(const view_aim *aim, float x, float y, float point[3])
{
    const view_frame *frame = aim->frame;
    int found = -1;
    if (aim->width < 1 || aim->height < 1) {
        return -1;
    }
    view_eye eye = view_eye_make(aim->look, &frame->grid, aim->width, aim->height);
    float along[3], nearest = 3e38f;
    float right = (x - 0.5f * (float)aim->width) / (float)aim->height;
    float up = (y - 0.5f * (float)aim->height) / (float)aim->height;
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

static void send(const view_grab *g, const view_touch *touch, const char *member,
                 const char *format, ...) GYRE_PRINTF(4, 5);

static void send(const view_grab *g, const view_touch *touch, const char *member,
                 const char *format, ...)
{
    char path[256], json[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(json, sizeof json, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s.%s", g->path, member);
    touch->input(touch->context, path, json);
}

static void send_vector(const view_grab *g, const view_touch *touch, const char *member,
                        const float v[3])
{
    send(g, touch, member, "[%.9g, %.9g, %.9g]", (double)v[0], (double)v[1], (double)v[2]);
}

// By its name, which stays when others are taken away; by its number where it has none.
bool stroke_read_body(const gyre_scene *scene, const char *pool, int number, view_grab *g)
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

bool stroke_grab(view_grab *g, const view_brush *brush, const view_touch *touch,
                 const view_aim *aim, float x, float y,
                 bool (*read)(void *context, const char *pool, int number, view_grab *grab))
{
    *g = (view_grab){0};
    if (!brush->bodies[0] || !view_look_is_surface(aim->look)) {
        return false;
    }
    int body = body_at(aim, x, y, g->from);
    g->held = body >= 0 && read(touch->context, brush->bodies, body, g);
    if (!g->held) {
        return false;
    }
    memcpy(g->hand, g->from, sizeof g->hand);
    send(g, touch, brush->hold, "true");
    send_vector(g, touch, "velocity", g->velocity);
    touch->note(touch->context, false, g->path);
    return true;
}

void stroke_carry(view_grab *g, const view_touch *touch, const view_aim *aim, float x, float y)
{
    const gyre_grid *grid = &aim->frame->grid;
    float point[3], place[3];
    if (!view_draw_pick(aim->look, grid, aim->width, aim->height, x, y, g->from, point)) {
        return;
    }
    float passed = (float)fmax(touch->passed, 1e-3);
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
    send_vector(g, touch, "position", place);
    send_vector(g, touch, "velocity", g->velocity);
}

void stroke_let_go(view_grab *g, const view_brush *brush, const view_touch *touch)
{
    if (g->held && !g->was_held) {
        send(g, touch, brush->hold, "false");
    } else if (g->held) {
        send_vector(g, touch, "velocity", (const float[3]){0.0f, 0.0f, 0.0f});
    }
    g->held = false;
}
