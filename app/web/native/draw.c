// web/native/draw.c: a scene's pictures, drawn by what draws the viewer's. Of several models each
// has a part of the canvas, as the viewer shows them.
#include "web/native/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

web_picture *web_picture_of(web_scene *w)
{
    if (!w->picture) {
        w->picture = calloc(1, sizeof *w->picture);
        if (!w->picture) {
            gyre_fail(GYRE_ERROR_MEMORY, "no memory for a picture");
            return NULL;
        }
        w->picture->shown = -1;
        w->picture->scale = 1.0f;
        w->picture->width = w->picture->height = 512;
    }
    return w->picture;
}

static void close_draws(web_picture *p)
{
    for (int i = 0; i < VIEW_MODELS; i++) {
        view_draw_destroy(p->panes[i].draw);
        p->panes[i].draw = NULL;
    }
    p->opened = false;
}

static void free_frames(web_picture *p)
{
    view_frame *f = p->frame.next;
    session_frame_free(&p->frame);
    while (f) {
        view_frame *next = f->next;
        session_frame_free(f);
        free(f);
        f = next;
    }
    p->frame = (view_frame){0};
}

void web_picture_free(web_picture *p)
{
    if (p) {
        close_draws(p);
        free_frames(p);
        free(p);
    }
}

void web_picture_area(const web_picture *p, int pane, int *x, int *y, int *width, int *height)
{
    bool beside = p->width >= p->height;
    int whole = beside ? p->width : p->height, count = p->count > 0 ? p->count : 1;
    int begin = whole * pane / count, size = whole * (pane + 1) / count - begin;
    *x = beside ? begin : 0;
    *y = beside ? 0 : p->height - begin - size;
    *width = beside ? size : p->width;
    *height = beside ? p->height : size;
}

// ---- how it is looked at

void web_picture_field(web_pane *pane, const char *name)
{
    gyre_view_settings *s = &pane->look.settings;
    if (strcmp(name, pane->look.field) == 0) {
        return;
    }
    if (strcmp(pane->look.field, pane->meant) == 0) {
        pane->meant_map = s->map;
        memcpy(pane->meant_range, s->range, sizeof s->range);
    }
    bool meant = strcmp(name, pane->meant) == 0;
    pane->look.mixed = meant && pane->meant_mixed;
    pane->look.textured = meant;
    s->map = meant ? pane->meant_map : GYRE_MAP_AUTO;
    s->range[0] = meant ? pane->meant_range[0] : 0.0f;
    s->range[1] = meant ? pane->meant_range[1] : 0.0f;
    snprintf(pane->look.field, sizeof pane->look.field, "%s", name);
}

static void first_look(web_pane *pane, const gyre_scene_settings *settings, const view_frame *frame)
{
    pane->model = frame->model;
    pane->look = view_look_make(settings, &frame->grid);
    view_look_dyes(&pane->look, frame);
    if (view_frame_has_surface(frame) && settings->view.mode == GYRE_MODE_AUTO &&
        !settings->view.field[0]) {
        pane->look.mode = VIEW_SURFACE;
    }
    if (view_frame_find(frame, pane->look.field) < 0 && frame->field_count > 0) {
        int i = frame->density >= 0 ? frame->density : 0;
        snprintf(pane->look.field, sizeof pane->look.field, "%s", frame->fields[i].name);
    }
    memcpy(pane->meant, pane->look.field, sizeof pane->meant);
    pane->meant_mixed = pane->look.mixed = !settings->view.field[0];
}

// The timeline of a scene may move its camera: what it changes counts, also over what was chosen.
static void adopt_settings(web_picture *p, const gyre_scene *scene)
{
    gyre_scene_settings now = *gyre_scene_get_settings(scene);
    for (int i = 0; i < p->count; i++) {
        web_pane *pane = &p->panes[i];
        if (memcmp(&now.camera, &p->settings.camera, sizeof now.camera) != 0) {
            pane->look.camera = now.camera;
        }
        if (memcmp(&now.light, &p->settings.light, sizeof now.light) != 0) {
            pane->look.light = now.light;
        }
        if (memcmp(&now.view, &p->settings.view, sizeof now.view) != 0) {
            char field[32];
            memcpy(field, pane->look.field, sizeof field);
            web_picture_field(pane, pane->meant);
            pane->look.settings = now.view;
            web_picture_field(pane, field);
        }
    }
    p->settings = now;
}

// The field that is chosen and, where scalars are mixed, each of these.
static int wanted_fields(const web_picture *p, char names[SESSION_NAMES][32])
{
    int count = 0;
    for (int m = 0; m < p->count; m++) {
        const view_look *look = &p->panes[m].look;
        const char *own[2] = {look->settings.flame, look->field};
        for (int i = 0; i < 2 && count < SESSION_NAMES; i++) {
            if (own[i][0]) {
                snprintf(names[count++], 32, "%s", own[i]);
            }
        }
        for (int i = 0; i < look->dye_count && look->mixed && count < SESSION_NAMES; i++) {
            if (look->dyes[i].look.shown) {
                snprintf(names[count++], 32, "%.31s", look->dyes[i].look.name);
            }
        }
    }
    return count;
}

// ---- frames

static gyre_result open_pane(web_picture *p, web_pane *pane)
{
    if (p->opened && !pane->draw) {
        pane->draw = view_draw_create();
        return pane->draw ? GYRE_OK : GYRE_ERROR_STATE;
    }
    return GYRE_OK;
}

static gyre_result take(web_picture *p)
{
    gyre_result result = GYRE_OK;
    int count = 0;
    for (const view_frame *f = &p->frame; f && count < VIEW_MODELS && !result; f = f->next) {
        web_pane *pane = &p->panes[count++];
        pane->frame = f;
        if (count > p->count || pane->model != f->model) {
            first_look(pane, &p->settings, f);
        }
        view_frame_heights(f, pane->look.heights);
        result = open_pane(p, pane);
        if (!result && pane->draw && !view_draw_push(pane->draw, f)) {
            result = GYRE_ERROR_STATE;
        }
    }
    p->count = count;
    const view_frame *first = &p->frame;
    if (memcmp(p->dyes, first->dyes, sizeof first->dyes) != 0) {
        view_look_dyes(&p->panes[0].look, first);
        memcpy(p->dyes, first->dyes, sizeof first->dyes);
    }
    return result;
}

// What is looked at decides which fields are brought: those that a first look finds out of come in
// a second round.
static gyre_result show(web_picture *p, gyre_scene *scene)
{
    char names[SESSION_NAMES][32];
    bool first = p->count == 0;
    adopt_settings(p, scene);
    int count = wanted_fields(p, names);
    gyre_result result =
        session_frame_fill_all(&p->frame, scene, p->shown, names, count, false, !p->alone);
    if (result || !first) {
        return result ? result : take(p);
    }
    bool opened = p->opened;
    p->opened = false;
    result = take(p);
    p->opened = opened;
    return result ? result : show(p, scene);
}

gyre_result web_picture_reset(web_picture *p, gyre_scene *scene)
{
    return p->count > 0 ? show(p, scene) : GYRE_OK;
}

WEB_CALL int web_show(web_scene *w)
{
    web_picture *p = web_picture_of(w);
    if (!p || !w->variant.scene) {
        return p ? (int)gyre_fail(GYRE_ERROR_STATE, "the scene could not be started")
                 : (int)GYRE_ERROR_MEMORY;
    }
    return (int)show(p, w->variant.scene);
}

// ---- drawing

WEB_CALL int web_draw_open(web_scene *w)
{
    web_picture *p = web_picture_of(w);
    if (!p) {
        return GYRE_ERROR_MEMORY;
    }
    close_draws(p);
    p->opened = true;
    gyre_result result = open_pane(p, &p->panes[0]);
    if (result) {
        close_draws(p);
        return (int)result;
    }
    return p->count > 0 ? (int)take(p) : GYRE_OK;
}

WEB_CALL void web_draw_close(web_scene *w, int lost)
{
    // Of a context that was lost nothing is left to be deleted; the calls that try do no harm.
    (void)lost;
    if (w && w->picture) {
        close_draws(w->picture);
    }
}

static void set_inner(const web_picture *p, view_look *look, int width, int height)
{
    bool costly = look->mode == VIEW_VOLUME || look->mode == VIEW_SURFACE;
    bool smaller = costly && p->scale < 1.0f;
    look->inner_width = smaller ? (int)fmaxf(1.0f, p->scale * (float)width) : 0;
    look->inner_height = smaller ? (int)fmaxf(1.0f, p->scale * (float)height) : 0;
}

WEB_CALL int web_draw(web_scene *w, int width, int height, float blend)
{
    web_picture *p = web_picture_of(w);
    if (!p) {
        return GYRE_ERROR_MEMORY;
    }
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT,
                              "a picture of %d x %d pixels, expected 1 to 16384", width, height);
    }
    p->width = width;
    p->height = height;
    if (!p->opened) {
        return (int)gyre_fail(GYRE_ERROR_STATE,
                              "there is nothing to draw with: web_draw_open() first");
    }
    if (p->count == 0) {
        return (int)gyre_fail(GYRE_ERROR_STATE, "there is nothing to draw: web_show() first");
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    if (p->transparent) {
        glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    } else {
        glClearColor(0.06f, 0.07f, 0.09f, 1.0f);
    }
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    for (int i = 0; i < p->count; i++) {
        web_pane *pane = &p->panes[i];
        int x, y, wide, tall;
        web_picture_area(p, i, &x, &y, &wide, &tall);
        if (i > 0) { // from the same eye
            pane->look.camera = p->panes[0].look.camera;
            pane->look.light = p->panes[0].look.light;
        }
        pane->look.blend = blend;
        pane->look.transparent = p->transparent;
        set_inner(p, &pane->look, wide, tall);
        if (pane->draw) {
            view_draw_paint(pane->draw, &pane->look, x, y, wide, tall);
        }
    }
    return GYRE_OK;
}

WEB_CALL int web_flow(web_scene *w, int width, int height, const unsigned char *rgba)
{
    web_picture *p = web_picture_of(w);
    if (!p) {
        return GYRE_ERROR_MEMORY;
    }
    if (width < 1 || height < 1 || width > 2048 || height > 2048 || !rgba) {
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT,
                              "a picture that flows of %d x %d pixels, expected 1 to 2048", width,
                              height);
    }
    view_draw *draw = p->count > 0 ? p->panes[0].draw : NULL;
    if (!draw || !view_draw_picture(draw, width, height, rgba)) {
        return (int)gyre_fail(GYRE_ERROR_STATE,
                              "no image flows in this scene: view.texture names one, and the gas "
                              "has texture.phases");
    }
    return GYRE_OK;
}
