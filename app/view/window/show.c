// view/window/show.c: frames from the session to the window: which are taken, how they are looked
// at, and how large the ray-march's inner image may be.
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
    return app->show.look.mode == VIEW_MAP || app->show.look.mode == VIEW_CELLS ||
           app->show.look.mode == VIEW_LIC;
}

void show_model_area(const view_app *app, int model, int *x, int *y, int *width, int *height)
{
    int all = app->window.width - app->window.left, count = app->show.pane_count + 1;
    bool beside = all >= app->window.height;
    int whole = beside ? all : app->window.height;
    int begin = whole * model / count, size = whole * (model + 1) / count - begin;
    *x = app->window.left + (beside ? begin : 0);
    *y = beside ? 0 : app->window.height - begin - size;
    *width = beside ? size : all;
    *height = beside ? app->window.height : size;
}

int show_model_at(const view_app *app, float x, float y)
{
    for (int m = 0; m <= app->show.pane_count; m++) {
        int left, bottom, width, height;
        show_model_area(app, m, &left, &bottom, &width, &height);
        float up = (float)app->window.height - y - (float)bottom, right = x - (float)left;
        if (right >= 0.0f && right < (float)width && up >= 0.0f && up < (float)height) {
            return m;
        }
    }
    return app->show.model;
}

void show_area(const view_app *app, int variant, int *x, int *y, int *width, int *height)
{
    if (app->show.pane_count > 0) {
        show_model_area(app, app->show.model, x, y, width, height);
        return;
    }
    int all = app->window.width - app->window.left, half = app->show.variants > 1 ? all / 2 : all;
    *x = app->window.left + (variant == VIEW_B ? half : 0);
    *y = 0;
    *width = variant == VIEW_B ? all - half : half;
    *height = app->window.height;
}

int show_variant(const view_app *app, float x)
{
    return app->show.variants > 1 &&
                   x >= (float)(app->window.left + (app->window.width - app->window.left) / 2)
               ? VIEW_B
               : VIEW_A;
}

view_aim show_aim(view_app *app, float at, float *x, float *y)
{
    int left, bottom;
    view_aim aim = {.look = &app->show.look, .frame = app->show.frame[VIEW_A]};
    show_area(app, show_variant(app, at), &left, &bottom, &aim.width, &aim.height);
    memcpy(aim.through, app->hand.through, sizeof aim.through);
    *x -= (float)left;
    *y = (float)(app->window.height - bottom) - *y;
    return aim;
}

bool show_pick(view_app *app, float x, float y, float point[3])
{
    if (app->show.pane_count > 0 && show_model_at(app, x, y) != app->show.model) {
        return false;
    }
    view_aim aim = show_aim(app, x, &x, &y);
    return aim_pick(&aim, x, y, point);
}

bool show_place(view_app *app, float x, float y, float point[3])
{
    view_aim aim = show_aim(app, x, &x, &y);
    return aim_place(&aim, x, y, point);
}

float show_scale(view_app *app, float x, float y)
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
    bool flat = app->show.frame[0] && app->show.frame[0]->grid.dim == 2;
    if (flat && (mode == VIEW_VOLUME || mode == VIEW_STACK)) {
        app_note(app, true, "%s is for scenes in 3D", show_mode_name(mode));
        return;
    }
    if ((mode == VIEW_SURFACE || mode == VIEW_BARS) && app->show.frame[0] &&
        !view_frame_has_surface(app->show.frame[0])) {
        app_note(app, true, "%s is for scenes with a surface", show_mode_name(mode));
        return;
    }
    app->show.look.mode = mode;
}

void show_field(view_app *app, const char *name)
{
    gyre_view_settings *s = &app->show.look.settings;
    if (strcmp(name, app->show.look.field) == 0) {
        return;
    }
    if (strcmp(app->show.look.field, app->show.meant) == 0) {
        app->show.meant_map = s->map;
        memcpy(app->show.meant_range, s->range, sizeof s->range);
    }
    bool meant = strcmp(name, app->show.meant) == 0;
    app->show.look.mixed = meant && app->show.meant_mixed;
    app->show.look.textured = meant;
    s->map = meant ? app->show.meant_map : GYRE_MAP_AUTO;
    s->range[0] = meant ? app->show.meant_range[0] : 0.0f;
    s->range[1] = meant ? app->show.meant_range[1] : 0.0f;
    snprintf(app->show.look.field, sizeof app->show.look.field, "%s", name);
}

void show_next_field(view_app *app, int way)
{
    const view_frame *f = app->show.frame[0];
    if (f && f->field_count > 0) {
        int i = view_frame_find(f, app->show.look.field);
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
    app->show.look.settings.map = (app->show.look.settings.map + 1) % count;
    app_note(app, false, "colours: %s", p->names[app->show.look.settings.map]);
}

// ---- frames

static void first_look(view_app *app, const view_frame *frame)
{
    app->show.look = view_look_make(&app->show.settings, &frame->grid);
    app->show.look.legend = true;
    view_look_dyes(&app->show.look, frame);
    app->show.has_look = true;
    if (view_frame_has_surface(frame) && app->show.settings.view.mode == GYRE_MODE_AUTO &&
        !app->show.settings.view.field[0] && !app->options.field) {
        app->show.look.mode = VIEW_SURFACE;
    }
    for (int i = 0; app->options.mode && i < VIEW_MODES; i++) {
        if (strcmp(app->options.mode, show_mode_name(i)) == 0) {
            show_mode(app, i);
        }
    }
    if (view_frame_find(frame, app->show.look.field) < 0 && frame->field_count > 0) {
        int i = frame->density >= 0 ? frame->density : 0;
        snprintf(app->show.look.field, sizeof app->show.look.field, "%s", frame->fields[i].name);
    }
    snprintf(app->show.meant, sizeof app->show.meant, "%s", app->show.look.field);
    app->show.meant_mixed = app->show.look.mixed = !app->show.settings.view.field[0];
    if (app->options.field && view_frame_find(frame, app->options.field) >= 0) {
        show_field(app, app->options.field);
    }
}

// The timeline of a scene may move its camera: what it changes counts, also over what the hand did.
static void adopt_settings(view_app *app)
{
    gyre_scene_settings now;
    view_session_get_settings(app->show.session, &now);
    if (app->show.has_look &&
        memcmp(&now.camera, &app->show.settings.camera, sizeof now.camera) != 0) {
        app->show.look.camera = now.camera;
    }
    if (app->show.has_look &&
        memcmp(&now.light, &app->show.settings.light, sizeof now.light) != 0) {
        app->show.look.light = now.light;
    }
    if (app->show.has_look && memcmp(&now.view, &app->show.settings.view, sizeof now.view) != 0) {
        char field[32];
        snprintf(field, sizeof field, "%s", app->show.look.field);
        show_field(app, app->show.meant);
        app->show.look.settings = now.view;
        show_field(app, field);
    }
    app->show.settings = now;
}

// The others are looked at as the scene says, from the same eye.
static void take_others(view_app *app, const view_frame *frame)
{
    view_show *s = &app->show;
    int count = 0;
    for (const view_frame *f = frame->next; f && count < VIEW_MODELS - 1; f = f->next) {
        view_pane *p = &s->panes[count++];
        if (count > s->pane_count || p->model != f->model) {
            p->model = f->model;
            p->look = view_look_make(&s->settings, &f->grid);
            view_look_dyes(&p->look, f);
            p->look.mode = view_frame_has_surface(f) && s->settings.view.mode == GYRE_MODE_AUTO
                               ? VIEW_SURFACE
                               : p->look.mode;
            if (view_frame_find(f, p->look.field) < 0) {
                snprintf(p->look.field, sizeof p->look.field, "%s",
                         f->fields[f->density >= 0 ? f->density : 0].name);
            }
        }
        p->draw = p->draw ? p->draw : view_draw_create();
        view_frame_heights(f, p->look.heights);
        if (p->draw && !view_draw_push(p->draw, f)) {
            view_session_copy(s->session, gyre_message());
        }
    }
    s->pane_count = count;
}

static void take(view_app *app, int variant)
{
    const view_frame *frame = view_session_take_variant(app->show.session, variant);
    if (!frame) {
        return;
    }
    app->show.frame[variant] = frame;
    // Another model is of another size and has other fields.
    if (variant == VIEW_A && app->show.has_look && frame->model != app->show.model) {
        app->show.has_look = false;
        const gyre_scene *scene = view_session_lock(app->show.session);
        if (scene) {
            brush_prepare(app, scene, frame->model);
        }
        view_session_unlock(app->show.session);
    }
    if (variant == VIEW_A && !app->show.has_look) {
        app->show.model = frame->model;
        first_look(app, frame);
        memcpy(app->show.dyes, frame->dyes, sizeof frame->dyes);
    }
    // As with the camera: what the timeline changes counts.
    if (variant == VIEW_A && memcmp(app->show.dyes, frame->dyes, sizeof frame->dyes) != 0) {
        view_look_dyes(&app->show.look, frame);
        memcpy(app->show.dyes, frame->dyes, sizeof frame->dyes);
    }
    if (variant == VIEW_A) {
        take_others(app, frame);
    }
    if (!app->show.draw[variant]) {
        app->show.draw[variant] = view_draw_create();
    }
    if (app->show.draw[variant]) {
        if (variant == VIEW_A) {
            view_frame_heights(frame, app->show.look.heights);
        }
        if (frame->shared && view_look_lights_smoke(&app->show.look)) {
            view_session_copy(app->show.session,
                              "view.glow_scatter is worked out on the processor");
        }
        if (!view_draw_push(app->show.draw[variant], frame)) {
            view_session_copy(app->show.session, gyre_message());
        }
    } else {
        app_note(app, true, "%s", gyre_message());
    }
}

// The field that is chosen and, where scalars are mixed, each of these.
static void want_fields(view_app *app)
{
    const view_look *look = &app->show.look;
    static const char *const flowing[] = {"wet",         "speed",       "texture_0_x",
                                          "texture_0_y", "texture_1_x", "texture_1_y",
                                          "texture_2_x", "texture_2_y"};
    const char *wanted[3 + sizeof flowing / sizeof *flowing + VIEW_FIELDS];
    int count = 0;
    if (look->settings.flame[0]) {
        wanted[count++] = look->settings.flame;
    }
    if (look->field[0]) {
        wanted[count++] = look->field;
    }
    if (look->settings.foam > 0.0f && view_look_is_surface(look)) {
        wanted[count++] = "foam";
    }
    for (size_t i = 0; i < sizeof flowing / sizeof *flowing && view_look_is_surface(look); i++) {
        wanted[count++] = flowing[i];
    }
    for (int i = 0; i < look->dye_count && look->mixed; i++) {
        if (look->dyes[i].look.shown) {
            wanted[count++] = look->dyes[i].look.name;
        }
    }
    view_session_want(app->show.session, wanted, count);
}

void show_update(view_app *app)
{
    char refusal[512];
    if (!app->show.session) {
        return;
    }
    view_session_get_stats(app->show.session, &app->show.stats);
    int variants = view_session_variants(app->show.session);
    if (variants != app->show.variants) {
        app->show.variants = variants;
        app->show.frame[VIEW_B] = NULL;
    }
    adopt_settings(app);
    view_session_show_all(app->show.session, variants == 1 && !app->show.one);
    want_fields(app);
    Uint64 begin = SDL_GetPerformanceCounter();
    for (int i = 0; i < app->show.variants; i++) {
        take(app, i);
    }
    float ms =
        1e3f * (float)(SDL_GetPerformanceCounter() - begin) / (float)SDL_GetPerformanceFrequency();
    app->clock.upload_ms += 0.1f * (ms - app->clock.upload_ms);
    view_session_refusal(app->show.session, refusal, sizeof refusal);
    if (refusal[0]) {
        app_note(app, true, "%s", refusal);
    }
    app->show.look.blend = view_session_blend(app->show.session);
}

// ---- painting

// Of the inner image: that many pixels there are always.
enum { INNER_PIXELS = 240 * 135 };

// What may be drawn smaller and enlarged.
static bool is_costly(const view_app *app)
{
    return app->show.look.mode == VIEW_VOLUME || app->show.look.mode == VIEW_SURFACE;
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
    float scale = fmaxf(app->show.inner_scale, smallest_scale(app));
    bool smaller = is_costly(app) && scale < 1.0f;
    app->show.look.inner_width = smaller ? (int)(scale * (float)width) : 0;
    app->show.look.inner_height = smaller ? (int)(scale * (float)height) : 0;
}

// Larger where there is time, smaller where there is none: between 14 and 25 ms of drawing.
static void adapt(view_app *app)
{
    static const float scales[] = {1.0f, 0.75f, 0.5f, 0.375f, 0.25f, 0.1f};
    enum { COUNT = sizeof scales / sizeof scales[0] };
    int at = 0;
    while (at + 1 < COUNT && scales[at] > app->show.inner_scale + 0.01f) {
        at++;
    }
    if (!is_costly(app) || app->clock.now - app->show.scale_at < 0.3) {
        return;
    }
    float smallest = smallest_scale(app), now = fmaxf(scales[at], smallest);
    float larger = at > 0 ? scales[at - 1] / now : 1.0f;
    if (app->clock.draw_ms > 25.0f && at + 1 < COUNT && scales[at] > smallest) {
        at++;
    } else if (at > 0 && app->clock.draw_ms * larger * larger < 14.0f) {
        at--;
    } else {
        return;
    }
    app->show.inner_scale = scales[at];
    app->show.scale_at = app->clock.now;
}

void show_paint(view_app *app)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, app->window.width, app->window.height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.06f, 0.07f, 0.09f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    Uint64 begin = SDL_GetPerformanceCounter();
    for (int i = 0; i < app->show.variants && app->show.session; i++) {
        int x, y, width, height;
        show_area(app, i, &x, &y, &width, &height);
        if (app->show.frame[i] && app->show.draw[i] && app->show.has_look) {
            set_inner(app, width, height);
            view_draw_paint(app->show.draw[i], &app->show.look, x, y, width, height);
        }
    }
    for (int i = 0; i < app->show.pane_count && app->show.session && app->show.has_look; i++) {
        view_pane *p = &app->show.panes[i];
        int x, y, width, height;
        show_model_area(app, p->model, &x, &y, &width, &height);
        p->look.camera = app->show.look.camera;
        p->look.light = app->show.look.light;
        p->look.blend = app->show.look.blend;
        p->look.inner_width = (int)(app->show.inner_scale * (float)width);
        p->look.inner_height = (int)(app->show.inner_scale * (float)height);
        if (p->draw) {
            view_draw_paint(p->draw, &p->look, x, y, width, height);
        }
    }
    // To know what drawing costs; a software renderer works only when it is waited for.
    glFinish();
    float ms =
        1e3f * (float)(SDL_GetPerformanceCounter() - begin) / (float)SDL_GetPerformanceFrequency();
    app->clock.draw_ms += 0.2f * (ms - app->clock.draw_ms);
    adapt(app);
}
