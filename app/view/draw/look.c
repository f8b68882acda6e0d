// view/draw/look.c: where things are: looks, the camera, and what lies under a pixel.
#include "view/draw/parts.h"

#include <math.h>
#include <string.h>

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void scale(float a[3], float by)
{
    for (int i = 0; i < 3; i++)
        a[i] *= by;
}

// False: no direction.
static bool unit(float a[3])
{
    float length = sqrtf(dot(a, a));

    if (!(length > 1e-18f && length < 1e18f))
        return false;
    scale(a, 1.0f / length);
    return true;
}

view_look view_look_make(const gyre_scene_settings *settings, const gyre_grid *grid)
{
    view_look look = {.solids = true, .zoom = 1.0f, .blend = 1.0f, .mixed = true, .textured = true};
    bool slice = settings->view.mode == GYRE_MODE_SLICE;

    look.mode = grid->dim == 3 && !slice                   ? VIEW_VOLUME
                : settings->view.mode == GYRE_MODE_SURFACE ? VIEW_SURFACE
                : settings->view.mode == GYRE_MODE_BARS    ? VIEW_BARS
                                                           : VIEW_MAP;
    memcpy(look.field, settings->view.field, sizeof look.field);
    look.legend = settings->view.legend;
    look.settings = settings->view;
    look.camera = settings->camera;
    look.light = settings->light;
    for (int axis = 0; axis < 2; axis++)
        look.centre[axis] = grid->origin[axis] + 0.5f * grid->h * (float)grid->n[axis];
    return look;
}

bool view_look_is_surface(const view_look *look)
{
    return look->mode == VIEW_SURFACE || look->mode == VIEW_BARS;
}

void view_frame_heights(const view_frame *frame, float heights[2])
{
    int surface = view_frame_shown_as(frame, GYRE_VIEW_SURFACE);
    int ground = view_frame_shown_as(frame, GYRE_VIEW_BED);

    heights[0] = heights[1] = 0.0f;
    if (!view_frame_has_surface(frame) || !frame->fields[surface].present ||
        !frame->fields[ground].present)
        return;
    const gyre_grid *g = &frame->grid;
    const float *water = frame->fields[surface].data, *bed = frame->fields[ground].data;
    size_t count = (size_t)g->n[0] * (size_t)g->n[1];
    float longest = g->h * (float)(g->n[0] > g->n[1] ? g->n[0] : g->n[1]);
    float low = bed[0], high = bed[0];
    double sum = 0.0;

    for (size_t c = 0; c < count; c++) {
        low = bed[c] < low ? bed[c] : low;
        high = bed[c] > high ? bed[c] : high;
        sum += (double)(water[c] > bed[c] ? water[c] : bed[c]);
    }
    heights[0] = low - 0.04f * longest;
    heights[1] = fmaxf((float)(sum / (double)count) + 0.06f * longest, high);
}

// As the offline renderer frames water, from a little above; see src/render/surface_draw.c.
static void frame_surface(const view_look *look, const gyre_grid *grid, float aspect,
                          gyre_camera *camera)
{
    float size[3] = {grid->h * (float)grid->n[0], grid->h * (float)grid->n[1],
                     look->heights[1] - look->heights[0]};
    float back[3] = {0.42f, -1.0f, 0.62f}, up[3] = {0.0f, 0.0f, 1.0f}, right[3], centre[3];

    if (grid->n[1] == 1)
        size[1] = fmaxf(size[0] / 8.0f, grid->h);
    if (size[0] > 5.0f * size[1])
        memcpy(back, (float[3]){0.12f, -1.0f, 0.3f}, sizeof back);
    unit(back);
    cross(up, back, right);
    unit(right);
    cross(back, right, up);
    float tall = tanf(camera->field_of_view * 0.00872664626f), wide = tall * aspect;
    float away = 2.0f * fmaxf(size[0], size[1]) / fminf(tall, wide), over[2] = {0.0f, 0.0f};

    for (int round = 0; round < 12; round++) {
        float low[2] = {1e30f, 1e30f}, high[2] = {-1e30f, -1e30f};

        for (int corner = 0; corner < 8; corner++) {
            float to[3];

            for (int axis = 0; axis < 3; axis++)
                to[axis] = (corner >> axis & 1 ? 0.5f : -0.5f) * size[axis];
            float depth = fmaxf(away - dot(to, back), 0.1f * away);
            float at[2] = {(dot(to, right) - over[0]) / (depth * wide),
                           (dot(to, up) - over[1]) / (depth * tall)};

            for (int i = 0; i < 2; i++) {
                low[i] = fminf(low[i], at[i]);
                high[i] = fmaxf(high[i], at[i]);
            }
        }
        over[0] += 0.5f * (low[0] + high[0]) * away * wide;
        over[1] += 0.5f * (low[1] + high[1]) * away * tall;
        away *= 0.5f * fmaxf(high[0] - low[0], high[1] - low[1]) * 1.06f;
    }
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = axis < 2 ? grid->origin[axis] + 0.5f * grid->h * (float)grid->n[axis]
                                : 0.5f * (look->heights[0] + look->heights[1]);
        camera->target[axis] = centre[axis] + right[axis] * over[0] + up[axis] * over[1];
        camera->position[axis] = camera->target[axis] + back[axis] * away;
    }
}

// As the offline renderer frames a domain: all of it seen, a little from above and from the right.
gyre_camera view_look_camera(const view_look *look, const gyre_grid *grid, int width, int height)
{
    gyre_camera camera = look->camera;
    float half[3], centre[3], back[3] = {0.32f, 0.16f, 1.0f}, up[3], right[3], away = 0.0f;

    if (!(camera.field_of_view >= 1.0f && camera.field_of_view <= 150.0f))
        camera.field_of_view = 30.0f;
    if (view_look_is_surface(look)) {
        const gyre_camera initial = gyre_default_camera();

        // There z is up.
        if (memcmp(camera.up, initial.up, sizeof camera.up) == 0)
            memcpy(camera.up, (float[3]){0.0f, 0.0f, 1.0f}, sizeof camera.up);
        if (memcmp(camera.position, camera.target, sizeof camera.position) == 0)
            frame_surface(look, grid, (float)width / (float)height, &camera);
        return camera;
    }
    if (memcmp(camera.position, camera.target, sizeof camera.position) != 0)
        return camera;
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = 0.5f * grid->h * (float)grid->n[axis];
        centre[axis] = grid->origin[axis] + half[axis];
    }
    memcpy(up, camera.up, sizeof up);
    if (!unit(up))
        memcpy(up, (float[3]){0.0f, 1.0f, 0.0f}, sizeof up);
    if (fabsf(up[2]) > fabsf(up[1]))
        memcpy(back, (float[3]){0.32f, -1.0f, 0.16f}, sizeof back);
    unit(back);
    cross(up, back, right);
    if (dot(right, right) < 1e-8f) { // seen from above
        memcpy(back, (float[3]){1.0f, 0.16f, 0.32f}, sizeof back);
        unit(back);
        cross(up, back, right);
    }
    unit(right);
    cross(back, right, up);
    float tall = tanf(camera.field_of_view * 0.00872664626f);
    float wide = tall * (float)width / (float)height;

    for (int corner = 0; corner < 8; corner++) {
        float to[3];

        for (int axis = 0; axis < 3; axis++)
            to[axis] = corner >> axis & 1 ? half[axis] : -half[axis];
        float depth = dot(to, back);

        away = fmaxf(away, depth + fabsf(dot(to, right)) / wide);
        away = fmaxf(away, depth + fabsf(dot(to, up)) / tall);
    }
    for (int axis = 0; axis < 3; axis++) {
        camera.target[axis] = centre[axis];
        camera.position[axis] = centre[axis] + back[axis] * 1.02f * away;
    }
    return camera;
}

view_eye view_eye_make(const view_look *look, const gyre_grid *grid, int width, int height)
{
    gyre_camera camera = view_look_camera(look, grid, width, height);
    float tall = 2.0f * tanf(camera.field_of_view * 0.00872664626f);
    view_eye eye;

    for (int axis = 0; axis < 3; axis++) {
        eye.at[axis] = camera.position[axis];
        eye.forward[axis] = camera.target[axis] - camera.position[axis];
    }
    if (!unit(eye.forward))
        memcpy(eye.forward, (float[3]){0.0f, 0.0f, -1.0f}, sizeof eye.forward);
    cross(eye.forward, camera.up, eye.right);
    // "Up" along the line of sight says nothing: any other will do.
    for (int axis = 0; dot(eye.right, eye.right) <= 1e-10f * dot(camera.up, camera.up) && axis < 3;
         axis++) {
        memset(camera.up, 0, sizeof camera.up);
        camera.up[2 - axis] = 1.0f;
        cross(eye.forward, camera.up, eye.right);
    }
    unit(eye.right);
    cross(eye.right, eye.forward, eye.up);
    scale(eye.right, tall);
    scale(eye.up, tall);
    return eye;
}

float view_plane_scale(const view_look *look, const gyre_grid *grid, int width, int height,
                       float shift[2])
{
    float zoom = look->zoom > 1e-6f && look->zoom < 1e6f ? look->zoom : 1.0f;
    float across = (float)grid->n[0] / (float)width, up = (float)grid->n[1] / (float)height;
    float cells = (across > up ? across : up) / zoom;
    int size[2] = {width, height};

    for (int axis = 0; axis < 2; axis++) {
        float middle = (look->centre[axis] - grid->origin[axis]) / grid->h;

        shift[axis] = middle - 0.5f * cells * (float)size[axis];
    }
    return cells;
}

void view_plane_axes(const view_look *look, const gyre_grid *grid, int axes[3])
{
    int across = grid->dim == 2 ? 2 : look->settings.slice_axis;

    across = across >= 0 && across < 3 ? across : 2;
    axes[0] = across == 0 ? 2 : 0;
    axes[1] = across == 1 ? 2 : 1;
    axes[2] = across;
}

float view_slice_at(const view_look *look, const gyre_grid *grid)
{
    int axes[3];
    float at = look->settings.slice_position;

    view_plane_axes(look, grid, axes);
    at = at > 0.0f ? (at < 1.0f ? at : 1.0f) : 0.0f;
    return at * (float)grid->n[axes[2]];
}

bool view_draw_place(const view_look *look, const gyre_grid *grid, int width, int height, float px,
                     float py, const float through[3], float point[3])
{
    if (width < 1 || height < 1)
        return false;
    if (grid->dim == 2 && !view_look_is_surface(look)) {
        float shift[2], cells = view_plane_scale(look, grid, width, height, shift);

        point[0] = grid->origin[0] + grid->h * (shift[0] + px * cells);
        point[1] = grid->origin[1] + grid->h * (shift[1] + py * cells);
        point[2] = grid->origin[2];
        return isfinite(point[0]) && isfinite(point[1]);
    }
    view_eye eye = view_eye_make(look, grid, width, height);
    float along[3], normal[3], to[3];

    for (int axis = 0; axis < 3; axis++) {
        along[axis] = eye.forward[axis] +
                      eye.right[axis] * ((px - 0.5f * (float)width) / (float)height) +
                      eye.up[axis] * ((py - 0.5f * (float)height) / (float)height);
        to[axis] = through[axis] - eye.at[axis];
    }
    memcpy(normal, eye.forward, sizeof normal);
    if (view_look_is_surface(look))
        memcpy(normal, (float[3]){0.0f, 0.0f, 1.0f}, sizeof normal);
    if (look->mode == VIEW_MAP || look->mode == VIEW_CELLS || look->mode == VIEW_LIC) {
        int axes[3];

        view_plane_axes(look, grid, axes);
        memset(normal, 0, sizeof normal);
        normal[axes[2]] = 1.0f;
        to[axes[2]] = grid->origin[axes[2]] + grid->h * view_slice_at(look, grid) - eye.at[axes[2]];
    }
    float ahead = dot(along, normal), t = dot(to, normal) / ahead;

    if (!(fabsf(ahead) > 1e-6f) || !(t > 0.0f) || !isfinite(t))
        return false;
    for (int axis = 0; axis < 3; axis++)
        point[axis] = eye.at[axis] + along[axis] * t;
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

bool view_draw_pick(const view_look *look, const gyre_grid *grid, int width, int height, float px,
                    float py, const float through[3], float point[3])
{
    if (!view_draw_place(look, grid, width, height, px, py, through, point))
        return false;
    for (int axis = 0; axis < grid->dim; axis++) {
        float low = grid->origin[axis], high = low + grid->h * (float)grid->n[axis];
        float rounding = 1e-3f * grid->h;

        if (point[axis] < low - rounding || point[axis] > high + rounding)
            return false;
        point[axis] = fmaxf(low, fminf(high, point[axis]));
    }
    return true;
}
