// view/hand/brush.c: stroke.h for the window: the mouse's brush and hand in the scene shown.
#include "view/app.h"

#include <math.h>
#include <string.h>

static void send(void *app, const char *path, const char *json)
{
    view_session_input(((view_app *)app)->show.session, path, json);
}

static void note(void *app, bool bad, const char *text)
{
    app_note(app, bad, "%s", text);
}

static view_touch touch(view_app *app)
{
    return (view_touch){.input = send,
                        .note = note,
                        .context = app,
                        .step = app->show.stats.step,
                        .paused = app->show.session && view_session_paused(app->show.session),
                        .passed = app->clock.frame_seconds};
}

void brush_prepare(view_app *app, const gyre_scene *scene, int model)
{
    paint_free(app);
    stroke_prepare(&app->hand.brush, scene, model, 0);
    app->show.model = model;
    const gyre_grid *g = gyre_model_grid(gyre_scene_model(scene, model));
    for (int a = 0; a < 3; a++) {
        app->hand.through[a] = g->origin[a] + 0.5f * g->h * (float)g->n[a];
    }
}

void brush_forget(view_app *app)
{
    stroke_forget(&app->hand.brush);
}

void brush_pour(view_app *app, const float point[3], bool start)
{
    view_touch t = touch(app);
    stroke_pour(&app->hand.brush, &t, point, start);
}

void brush_push(view_app *app, const float point[3], bool start)
{
    view_touch t = touch(app);
    stroke_push(&app->hand.brush, &t, point, start);
}

bool brush_can_dig(view_app *app)
{
    view_touch t = touch(app);
    return stroke_can_dig(&app->hand.brush, &t);
}

void brush_dig(view_app *app, const float point[3], bool start, bool heap)
{
    view_touch t = touch(app);
    stroke_dig(&app->hand.brush, &t, point, start, heap);
}

void brush_lift(view_app *app)
{
    stroke_lift(&app->hand.brush);
}

void brush_update(view_app *app)
{
    view_touch t = touch(app);
    stroke_update(&app->hand.brush, &t);
}

void brush_size(view_app *app, float factor)
{
    if (app->show.frame[0]) {
        const gyre_grid *g = &app->show.frame[0]->grid;
        float most = 0.5f * g->h * (float)(g->n[0] > g->n[1] ? g->n[0] : g->n[1]);
        app->hand.brush.radius = fmaxf(g->h, fminf(most, app->hand.brush.radius * factor));
    }
}

// ---- bodies

static bool read_body(void *context, const char *pool, int number, view_grab *grab)
{
    view_app *app = context;
    const gyre_scene *scene = view_session_lock(app->show.session);
    bool read = scene && stroke_read_body(scene, pool, number, grab);
    view_session_unlock(app->show.session);
    return read;
}

bool grab_begin(view_app *app, float x, float y)
{
    int variant = show_variant(app, x);
    app->hand.grab = (view_grab){0};
    if (!app->show.session || !app->show.frame[VIEW_A]) {
        return false;
    }
    view_touch t = touch(app);
    view_aim aim = show_aim(app, x, &x, &y);
    aim.frame = app->show.frame[variant] ? app->show.frame[variant] : aim.frame;
    return stroke_grab(&app->hand.grab, &app->hand.brush, &t, &aim, x, y, read_body);
}

void grab_move(view_app *app, float x, float y)
{
    view_touch t = touch(app);
    view_aim aim = show_aim(app, x, &x, &y);
    stroke_carry(&app->hand.grab, &t, &aim, x, y);
}

void grab_end(view_app *app)
{
    view_touch t = touch(app);
    if (app->show.session) {
        stroke_let_go(&app->hand.grab, &app->hand.brush, &t);
    }
    app->hand.grab.held = false;
}
