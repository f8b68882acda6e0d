// view/hand/aim.c: what lies under a pixel, and what the hand does to the view: turn, move, come
// nearer.
#include "view/hand/aim.h"

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

// The height of the surface at a place of the frame.
static float level_at(const view_frame *frame, const float point[3])
{
    const gyre_grid *g = &frame->grid;
    const view_field *surface = &frame->fields[view_frame_shown_as(frame, GYRE_VIEW_SURFACE)];
    int at[2];
    for (int a = 0; a < 2; a++) {
        float cell = (point[a] - g->origin[a]) / g->h;
        at[a] = cell > 0.0f ? (cell < (float)g->n[a] ? (int)cell : g->n[a] - 1) : 0;
    }
    return surface->present ? surface->data[at[0] + (ptrdiff_t)at[1] * g->n[0]] : point[2];
}

typedef bool picker(const view_look *look, const gyre_grid *grid, int width, int height, float px,
                    float py, const float through[3], float point[3]);

static bool pick_by(picker *pick, const view_aim *aim, float x, float y, float point[3])
{
    const view_frame *frame = aim->frame;
    float through[3];
    if (!frame) {
        return false;
    }
    memcpy(through, aim->through, sizeof through);
    bool waves = view_look_is_surface(aim->look) && view_frame_has_surface(frame);
    // The level that the ray meets is the one at the place where it meets it.
    for (int round = 0; waves && round < 6; round++) {
        if (round == 0) {
            through[2] = 0.5f * (aim->look->heights[0] + aim->look->heights[1]);
        }
        if (!view_draw_place(aim->look, &frame->grid, aim->width, aim->height, x, y, through,
                             point)) {
            return false;
        }
        through[2] += 0.7f * (level_at(frame, point) - through[2]);
    }
    return pick(aim->look, &frame->grid, aim->width, aim->height, x, y, through, point);
}

bool aim_pick(const view_aim *aim, float x, float y, float point[3])
{
    return pick_by(view_draw_pick, aim, x, y, point);
}

bool aim_place(const view_aim *aim, float x, float y, float point[3])
{
    return pick_by(view_draw_place, aim, x, y, point);
}

bool aim_is_flat(const view_aim *aim)
{
    return !aim->frame || (aim->frame->grid.dim == 2 && !view_look_is_surface(aim->look));
}

// The camera that frames the whole domain is worked out when it is drawn; to be moved it must stand
// somewhere.
static gyre_camera *camera(const view_aim *aim)
{
    aim->look->camera = view_look_camera(aim->look, &aim->frame->grid, aim->width, aim->height);
    return &aim->look->camera;
}

void aim_orbit(const view_aim *aim, float dx, float dy)
{
    float arm[3], up[3], right[3];
    if (aim_is_flat(aim)) {
        return;
    }
    gyre_camera *c = camera(aim);
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
    float speed = 3.0f / (float)(aim->height > 0 ? aim->height : 1);
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

void aim_pan(const view_aim *aim, float x0, float y0, float x1, float y1)
{
    float a[3], b[3];
    if (!aim_place(aim, x0, y0, a) || !aim_place(aim, x1, y1, b)) {
        return;
    }
    if (aim_is_flat(aim)) {
        aim->look->centre[0] += a[0] - b[0];
        aim->look->centre[1] += a[1] - b[1];
        return;
    }
    gyre_camera *c = camera(aim);
    for (int i = 0; i < 3; i++) {
        c->position[i] += a[i] - b[i];
        c->target[i] += a[i] - b[i];
    }
}

void aim_zoom(const view_aim *aim, float x, float y, float factor)
{
    float before[3], after[3];
    bool over = aim_place(aim, x, y, before);
    if (aim_is_flat(aim)) {
        float zoom = aim->look->zoom * factor;
        aim->look->zoom = fmaxf(0.05f, fminf(2000.0f, zoom));
        if (over && aim_place(aim, x, y, after)) {
            aim->look->centre[0] += before[0] - after[0];
            aim->look->centre[1] += before[1] - after[1];
        }
        return;
    }
    gyre_camera *c = camera(aim);
    float arm[3];
    subtract(c->position, c->target, arm);
    const gyre_grid *g = &aim->frame->grid;
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
