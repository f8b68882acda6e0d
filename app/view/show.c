// view/show.c: frames from the session to the window: which are taken, how they are looked at, and
// how large the ray-march's inner image may be.
#include "view/app.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

const char *show_mode_name(int mode)
{
    static const char *const names[] = {"map",   "cells",   "streaks", "volume",
                                        "stack", "surface", "bars"};
    return mode >= 0 && mode < VIEW_MODES ? names[mode] : NULL;
}

bool show_is_map(const view_app *app)
{
    return app->look.mode == VIEW_MAP || app->look.mode == VIEW_CELLS || app->look.mode == VIEW_LIC;
}

void show_area(const view_app *app, int variant, int *x, int *y, int *width, int *height)
{
    int all = app->width - app->left, half = app->variants > 1 ? all / 2 : all;
    *x = app->left + (variant == VIEW_B ? half : 0);
    *y = 0;
    *width = variant == VIEW_B ? all - half : half;
    *height = app->height;
}

int show_variant(const view_app *app, float x)
{
    return app->variants > 1 && x >= (float)(app->left + (app->width - app->left) / 2) ? VIEW_B
                                                                                       : VIEW_A;
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

static bool pick_by(picker *pick, const view_app *app, float x, float y, float point[3])
{
    int left, bottom, width, height;
    if (!app->frame[VIEW_A]) {
        return false;
    }
    show_area(app, show_variant(app, x), &left, &bottom, &width, &height);
    const view_frame *frame = app->frame[VIEW_A];
    float through[3], px = x - (float)left, py = (float)app->height - y;
    memcpy(through, app->through, sizeof through);
    bool waves = view_look_is_surface(&app->look) && view_frame_has_surface(frame);
    // The level that the ray meets is the one at the place where it meets it.
    for (int round = 0; waves && round < 6; round++) {
        if (round == 0) {
            through[2] = 0.5f * (app->look.heights[0] + app->look.heights[1]);
        }
        if (!view_draw_place(&app->look, &frame->grid, width, height, px, py, through, point)) {
            return false;
        }
        through[2] += 0.7f * (level_at(frame, point) - through[2]);
    }
    return pick(&app->look, &frame->grid, width, height, px, py, through, point);
}

bool show_pick(const view_app *app, float x, float y, float point[3])
{
    return pick_by(view_draw_pick, app, x, y, point);
}

bool show_place(const view_app *app, float x, float y, float point[3])
{
    return pick_by(view_draw_place, app, x, y, point);
}

float show_scale(const view_app *app, float x, float y)
{
    float a[3], b[3], sum = 0;
    // Both on the same half of a split window.
    float step = show_variant(app, x + 10.0f) == show_variant(app, x) ? 10.0f : -10.0f;
    if (!show_place(app, x, y, a) || !show_place(app, x + step, y, b)) {
        return 0.0f;
    }
    for (int i = 0; i < 3; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sum > 0.0f ? 10.0f / sqrtf(sum) : 0.0f;
}

void show_mode(view_app *app, int mode)
{
    bool flat = app->frame[0] && app->frame[0]->grid.dim == 2;
    if (flat && (mode == VIEW_VOLUME || mode == VIEW_STACK)) {
        app_note(app, true, "%s is for scenes in 3D", show_mode_name(mode));
        return;
    }
    if ((mode == VIEW_SURFACE || mode == VIEW_BARS) && app->frame[0] &&
        !view_frame_has_surface(app->frame[0])) {
        app_note(app, true, "%s is for scenes with a surface", show_mode_name(mode));
        return;
    }
    app->look.mode = mode;
}

void show_field(view_app *app, const char *name)
{
    gyre_view_settings *s = &app->look.settings;
    if (strcmp(name, app->look.field) == 0) {
        return;
    }
    if (strcmp(app->look.field, app->meant) == 0) {
        app->meant_map = s->map;
        memcpy(app->meant_range, s->range, sizeof s->range);
    }
    bool meant = strcmp(name, app->meant) == 0;
    s->map = meant ? app->meant_map : GYRE_MAP_AUTO;
    s->range[0] = meant ? app->meant_range[0] : 0.0f;
    s->range[1] = meant ? app->meant_range[1] : 0.0f;
    snprintf(app->look.field, sizeof app->look.field, "%s", name);
}

void show_next_field(view_app *app, int way)
{
    const view_frame *f = app->frame[0];
    if (f && f->field_count > 0) {
        int i = view_frame_find(f, app->look.field);
        i = (i < 0 ? 0 : i + way + f->field_count) % f->field_count;
        show_field(app, f->fields[i].name);
        app_note(app, false, "%s (%s)", f->fields[i].name, f->fields[i].unit);
    }
}

void show_next_map(view_app *app)
{
    const gyre_property *p = gyre_property_find(gyre_view_properties, "map");
    int count = 0;
    while (p->names[count]) {
        count++;
    }
    app->look.settings.map = (app->look.settings.map + 1) % count;
    app_note(app, false, "colours: %s", p->names[app->look.settings.map]);
}

// ---- frames

static void first_look(view_app *app, const view_frame *frame)
{
    app->look = view_look_make(&app->settings, &frame->grid);
    app->look.legend = true;
    app->has_look = true;
    if (view_frame_has_surface(frame) && app->settings.view.mode == GYRE_MODE_AUTO &&
        !app->settings.view.field[0] && !app->options.field) {
        app->look.mode = VIEW_SURFACE;
    }
    for (int i = 0; app->options.mode && i < VIEW_MODES; i++) {
        if (strcmp(app->options.mode, show_mode_name(i)) == 0) {
            show_mode(app, i);
        }
    }
    if (view_frame_find(frame, app->look.field) < 0 && frame->field_count > 0) {
        int i = frame->density >= 0 ? frame->density : 0;
        snprintf(app->look.field, sizeof app->look.field, "%s", frame->fields[i].name);
    }
    snprintf(app->meant, sizeof app->meant, "%s", app->look.field);
    if (app->options.field && view_frame_find(frame, app->options.field) >= 0) {
        show_field(app, app->options.field);
    }
}

// The timeline of a scene may move its camera: what it changes counts, also over what the hand did.
static void adopt_settings(view_app *app)
{
    gyre_scene_settings now;
    view_session_get_settings(app->session, &now);
    if (app->has_look && memcmp(&now.camera, &app->settings.camera, sizeof now.camera) != 0) {
        app->look.camera = now.camera;
    }
    if (app->has_look && memcmp(&now.light, &app->settings.light, sizeof now.light) != 0) {
        app->look.light = now.light;
    }
    if (app->has_look && memcmp(&now.view, &app->settings.view, sizeof now.view) != 0) {
        char field[32];
        snprintf(field, sizeof field, "%s", app->look.field);
        show_field(app, app->meant);
        app->look.settings = now.view;
        show_field(app, field);
    }
    app->settings = now;
}

static void take(view_app *app, int variant)
{
    const view_frame *frame = view_session_take_variant(app->session, variant);
    if (!frame) {
        return;
    }
    app->frame[variant] = frame;
    // Another model is of another size and has other fields.
    if (variant == VIEW_A && app->has_look && frame->model != app->model) {
        app->has_look = false;
        const gyre_scene *scene = view_session_lock(app->session);
        if (scene) {
            brush_prepare(app, scene, frame->model);
        }
        view_session_unlock(app->session);
    }
    if (variant == VIEW_A && !app->has_look) {
        first_look(app, frame);
    }
    if (!app->draw[variant]) {
        app->draw[variant] = view_draw_create();
    }
    if (app->draw[variant]) {
        if (variant == VIEW_A) {
            view_frame_heights(frame, app->look.heights);
        }
        if (!view_draw_push(app->draw[variant], frame)) {
            view_session_copy(app->session, gyre_message());
        }
    } else {
        app_note(app, true, "%s", gyre_message());
    }
}

void show_update(view_app *app)
{
    char refusal[512];
    if (!app->session) {
        return;
    }
    view_session_get_stats(app->session, &app->stats);
    int variants = view_session_variants(app->session);
    if (variants != app->variants) {
        app->variants = variants;
        app->frame[VIEW_B] = NULL;
    }
    adopt_settings(app);
    const char *wanted[1] = {app->look.field};
    view_session_want(app->session, wanted, app->look.field[0] ? 1 : 0);
    Uint64 begin = SDL_GetPerformanceCounter();
    for (int i = 0; i < app->variants; i++) {
        take(app, i);
    }
    float ms =
        1e3f * (float)(SDL_GetPerformanceCounter() - begin) / (float)SDL_GetPerformanceFrequency();
    app->upload_ms += 0.1f * (ms - app->upload_ms);
    view_session_refusal(app->session, refusal, sizeof refusal);
    if (refusal[0]) {
        app_note(app, true, "%s", refusal);
    }
    app->look.blend = view_session_blend(app->session);
}

// ---- painting

// Of the inner image: that many pixels there are always.
enum { INNER_PIXELS = 240 * 135 };

// What may be drawn smaller and enlarged.
static bool is_costly(const view_app *app)
{
    return app->look.mode == VIEW_VOLUME || app->look.mode == VIEW_SURFACE;
}

static float smallest_scale(const view_app *app)
{
    int x, y, width, height;
    show_area(app, VIEW_A, &x, &y, &width, &height);
    float pixels = (float)width * (float)height;
    return pixels > INNER_PIXELS ? sqrtf(INNER_PIXELS / pixels) : 1.0f;
}

static void set_inner(view_app *app, int width, int height)
{
    float scale = fmaxf(app->inner_scale, smallest_scale(app));
    bool smaller = is_costly(app) && scale < 1.0f;
    app->look.inner_width = smaller ? (int)(scale * (float)width) : 0;
    app->look.inner_height = smaller ? (int)(scale * (float)height) : 0;
}

// Larger where there is time, smaller where there is none: between 14 and 25 ms of drawing.
static void adapt(view_app *app)
{
    static const float scales[] = {1.0f, 0.75f, 0.5f, 0.375f, 0.25f, 0.1f};
    enum { COUNT = sizeof scales / sizeof scales[0] };
    int at = 0;
    while (at + 1 < COUNT && scales[at] > app->inner_scale + 0.01f) {
        at++;
    }
    if (!is_costly(app) || app->now - app->scale_at < 0.3) {
        return;
    }
    float smallest = smallest_scale(app), now = fmaxf(scales[at], smallest);
    float larger = at > 0 ? scales[at - 1] / now : 1.0f;
    if (app->draw_ms > 25.0f && at + 1 < COUNT && scales[at] > smallest) {
        at++;
    } else if (at > 0 && app->draw_ms * larger * larger < 14.0f) {
        at--;
    } else {
        return;
    }
    app->inner_scale = scales[at];
    app->scale_at = app->now;
}

void show_paint(view_app *app)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, app->width, app->height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.06f, 0.07f, 0.09f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    Uint64 begin = SDL_GetPerformanceCounter();
    for (int i = 0; i < app->variants && app->session; i++) {
        int x, y, width, height;
        show_area(app, i, &x, &y, &width, &height);
        if (app->frame[i] && app->draw[i] && app->has_look) {
            set_inner(app, width, height);
            view_draw_paint(app->draw[i], &app->look, x, y, width, height);
        }
    }
    // To know what drawing costs; a software renderer works only when it is waited for.
    glFinish();
    float ms =
        1e3f * (float)(SDL_GetPerformanceCounter() - begin) / (float)SDL_GetPerformanceFrequency();
    app->draw_ms += 0.2f * (ms - app->draw_ms);
    adapt(app);
}
