// view/brush.c: pouring and pushing. The brush is two emitters of the scene that follow the
// pointer, moved by timed settings like any slider, so that a recorded session replays it.
//
// Which properties of an emitter pour is told by names alone: a number that is called as a field
// whose total is worth following pours into that field, "discharge" pours water; "velocity" or
// "force" pushes.
#include "view/app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"brush_dye", "brush_push"};
enum { DYE, PUSH };

// ---- what the scene has

static bool is_shape(const gyre_property *p)
{
    return p->kind == GYRE_UNION && p->properties == gyre_shape_properties;
}

static bool has_total(const gyre_model *model, const char *name)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count; i++) {
        if (info[i].total && strcmp(info[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// What an emitter of the scene gives, so that the brush pours alike: per second or, where emitters
// hold the field at a value, that value in a fifth of a second.
static float reference(const gyre_scene *scene, const char *pool, const char *name)
{
    float most = 0, factor = 1;
    for (int i = 0; i < 64; i++) {
        char path[256];
        gyre_value value;
        snprintf(path, sizeof path, "%s.%d.%s", pool, i, name);
        if (gyre_scene_get(scene, path, &value)) {
            break;
        }
        if (fabs(value.number[0]) > fabs((double)most)) {
            most = (float)value.number[0];
            snprintf(path, sizeof path, "%s.%d.mode", pool, i);
            bool holds =
                gyre_scene_get(scene, path, &value) == GYRE_OK && strcmp(value.string, "set") == 0;
            factor = holds ? 5.0f : 1.0f;
        }
    }
    return factor * most;
}

static void add_amount(view_app *app, const gyre_scene *scene, const gyre_property *p,
                       const char *pool, const char *name, gyre_view view)
{
    view_brush *b = &app->brush;
    if (b->amount_count == AMOUNTS_MOST) {
        return;
    }
    brush_amount *a = &b->amounts[b->amount_count++];
    float given = reference(scene, pool, p->name);
    snprintf(a->name, sizeof a->name, "%s", name);
    snprintf(a->unit, sizeof a->unit, "%s", p->unit ? p->unit : "1");
    a->extra = strcmp(p->name, name) != 0;
    a->value = given != 0.0f ? given : view == GYRE_VIEW_TEMPERATURE ? 100.0f : 5.0f;
    a->on = b->amount_count == 1;
}

static void find_amounts(view_app *app, const gyre_scene *scene, const gyre_model *model,
                         const gyre_property *pool, const char *path)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    view_brush *b = &app->brush;
    for (int i = 0; i < count; i++) {
        const gyre_property *p = gyre_property_find(pool->properties, info[i].name);
        if (info[i].total && p && p->kind == GYRE_FLOAT && p->count == 1) {
            add_amount(app, scene, p, path, info[i].name, info[i].view);
        }
    }
    // Extra channels are named by a property of their own.
    const gyre_property *channel = gyre_property_find(pool->properties, "channel");
    const gyre_property *amount = gyre_property_find(pool->properties, "channel_amount");
    bool extra = channel && channel->kind == GYRE_STRING && amount && amount->kind == GYRE_FLOAT;
    for (int i = 0; i < count && extra; i++) {
        if (info[i].total && !gyre_property_find(pool->properties, info[i].name)) {
            snprintf(b->extra, sizeof b->extra, "%s", channel->name);
            add_amount(app, scene, amount, path, info[i].name, info[i].view);
        }
    }
}

static bool pours(const gyre_model *model, const gyre_property *pool)
{
    for (const gyre_property *p = pool->properties; p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_FLOAT && p->count == 1 && has_total(model, p->name)) {
            return true;
        }
    }
    return false;
}

static bool has_discharge(const gyre_property *pool)
{
    const gyre_property *p = gyre_property_find(pool->properties, "discharge");
    return p && p->kind == GYRE_FLOAT && p->count == 1;
}

static bool is_vector(const gyre_property *table, const char *name)
{
    const gyre_property *p = gyre_property_find(table, name);
    return p && p->kind == GYRE_FLOAT && p->count == 3;
}

// Whether elements of a pool are bodies that a hand can hold.
static bool can_be_held(const gyre_property *pool)
{
    const gyre_property *held = gyre_property_find(pool->properties, "held");
    return held && held->kind == GYRE_BOOL && is_vector(pool->properties, "position") &&
           is_vector(pool->properties, "velocity");
}

static void find_pools(view_app *app, const gyre_scene *scene, int i)
{
    view_brush *b = &app->brush;
    const gyre_model *model = gyre_scene_model(scene, i);
    size_t size;
    const gyre_property *p = gyre_model_type_properties(gyre_scene_model_type(scene, i), &size);
    for (; p && p->kind != GYRE_END; p++) {
        if (p->kind != GYRE_POOL || (p->flags & GYRE_FIXED)) {
            continue;
        }
        const gyre_property *shape = gyre_property_find(p->properties, "shape");
        const gyre_property *on = gyre_property_find(p->properties, "enabled");
        char path[128];
        snprintf(path, sizeof path, "%.60s.%.60s", gyre_scene_model_name(scene, i), p->name);
        if (!b->bodies[0] && can_be_held(p)) {
            snprintf(b->bodies, sizeof b->bodies, "%s", path);
        }
        if (!shape || !is_shape(shape) || !on || on->kind != GYRE_BOOL) {
            continue;
        }
        if ((pours(model, p) || has_discharge(p)) && !b->emitters[0]) {
            snprintf(b->emitters, sizeof b->emitters, "%s", path);
            const gyre_property *mode = gyre_property_find(p->properties, "mode");
            const gyre_property *push = gyre_property_find(p->properties, "push");
            const gyre_property *way = gyre_property_find(p->properties, "velocity");
            way = way ? way : gyre_property_find(p->properties, "force");
            b->has_mode = mode && mode->kind == GYRE_ENUM;
            b->has_push = push && push->kind == GYRE_BOOL;
            snprintf(b->push_name, sizeof b->push_name, "%s",
                     way && way->kind == GYRE_FLOAT && way->count == 3 ? way->name : "");
            find_amounts(app, scene, model, p, path);
            b->drains = b->amount_count == 0 && has_discharge(p);
            if (b->drains) {
                add_amount(app, scene, gyre_property_find(p->properties, "discharge"), path,
                           "discharge", GYRE_VIEW_DENSITY);
            }
        } else if (strcmp(p->name, "solids") == 0 && !b->solids[0]) {
            snprintf(b->solids, sizeof b->solids, "%s", path);
        }
    }
}

static bool was_there(const gyre_scene *scene, const char *pool, const char *name)
{
    char path[256];
    gyre_value value;
    snprintf(path, sizeof path, "%s.%s.shape.capsule.radius", pool, name);
    return gyre_scene_get(scene, path, &value) == GYRE_OK;
}

void brush_prepare(view_app *app, const gyre_scene *scene, int model)
{
    view_brush *b = &app->brush;
    paint_free(app);
    *b = (view_brush){.strength = 1.0f};
    app->model = model;
    find_pools(app, scene, model);
    const gyre_grid *g = gyre_model_grid(gyre_scene_model(scene, model));
    int least = g->n[0] < g->n[1] ? g->n[0] : g->n[1];
    least = g->dim == 3 && g->n[2] < least ? g->n[2] : least;
    b->radius = fmaxf(0.05f * g->h * (float)least, 1.5f * g->h);
    if (b->drains) {
        // The surface rises by about its radius in half a second.
        b->amounts[0].value = 6.0f * b->radius * b->radius * b->radius;
    }
    // A scene saved here has the emitters already.
    b->dye.exists = b->emitters[0] && was_there(scene, b->emitters, names[DYE]);
    b->push.exists = b->emitters[0] && was_there(scene, b->emitters, names[PUSH]);
    for (int a = 0; a < 3; a++) {
        app->through[a] = g->origin[a] + 0.5f * g->h * (float)g->n[a];
    }
}

void brush_forget(view_app *app)
{
    view_brush *b = &app->brush;
    b->dye = (brush_emitter){0};
    b->push = (brush_emitter){0};
    b->painted_count = 0;
}

// ---- what is sent

static void send(view_app *app, int which, const char *member, const char *format, ...)
    GYRE_PRINTF(4, 5);

static void send(view_app *app, int which, const char *member, const char *format, ...)
{
    char path[256], json[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(json, sizeof json, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s.%s.%s", app->brush.emitters, names[which], member);
    view_session_input(app->session, path, json);
}

static void send_vector(view_app *app, int which, const char *member, const float v[3])
{
    send(app, which, member, "[%.9g, %.9g, %.9g]", (double)v[0], (double)v[1], (double)v[2]);
}

static void add_emitter(view_app *app, int which, const brush_emitter *e)
{
    const view_brush *b = &app->brush;
    char json[640];
    snprintf(
        json, sizeof json,
        "{\"name\": \"%s\", \"enabled\": false%s%s, \"shape\": {\"capsule\": {\"from\": [%.9g, "
        "%.9g, %.9g], \"to\": [%.9g, %.9g, %.9g], \"radius\": %.9g}}}",
        names[which], b->has_mode ? ", \"mode\": \"rate\"" : "",
        b->has_push && which == PUSH ? ", \"push\": true" : "", (double)e->from[0],
        (double)e->from[1], (double)e->from[2], (double)e->to[0], (double)e->to[1],
        (double)e->to[2], (double)e->radius);
    view_session_input(app->session, b->emitters, json);
}

static void send_amounts(view_app *app)
{
    const view_brush *b = &app->brush;
    int extra = -1;
    for (int i = 0; i < b->amount_count; i++) {
        const brush_amount *a = &b->amounts[i];
        if (a->extra) {
            extra = a->on ? i : extra;
        } else {
            send(app, DYE, a->name, "%.9g", a->on ? (double)a->value : 0.0);
        }
    }
    if (b->extra[0]) {
        send(app, DYE, b->extra, "\"%s\"", extra >= 0 ? b->amounts[extra].name : "");
        send(app, DYE, "channel_amount", "%.9g",
             extra >= 0 ? (double)b->amounts[extra].value : 0.0);
    }
}

// Where the emitter stands: from where it was at the last step to where the pointer is.
static void place(view_app *app, int which, brush_emitter *e, const float point[3], bool start)
{
    view_brush *b = &app->brush;
    if (start) {
        memcpy(e->from, point, sizeof e->from);
    } else if (app->stats.step != b->step) {
        memcpy(e->from, e->to, sizeof e->from);
    }
    memcpy(e->to, point, sizeof e->to);
    e->radius = b->radius;
    if (!e->exists) {
        add_emitter(app, which, e);
        e->exists = true;
    }
    send_vector(app, which, "shape.capsule.from", e->from);
    send_vector(app, which, "shape.capsule.to", e->to);
    send(app, which, "shape.capsule.radius", "%.9g", (double)e->radius);
}

static void switch_on(view_app *app, int which, brush_emitter *e)
{
    e->wanted = true;
    if (!e->enabled) {
        send(app, which, "enabled", "true");
        e->enabled = true;
        e->since = app->stats.step;
    }
}

void brush_pour(view_app *app, const float point[3], bool start)
{
    view_brush *b = &app->brush;
    if (b->amount_count == 0) {
        app_note(app, true, "this scene has no list of emitters to pour with");
        return;
    }
    place(app, DYE, &b->dye, point, start);
    if (start) {
        send_amounts(app);
    }
    switch_on(app, DYE, &b->dye);
}

void brush_push(view_app *app, const float point[3], bool start)
{
    view_brush *b = &app->brush;
    if (b->drains) {
        place(app, PUSH, &b->push, point, start);
        if (start) {
            send(app, PUSH, "discharge", "%.9g", -(double)b->amounts[0].value);
        }
        switch_on(app, PUSH, &b->push);
        return;
    }
    if (!b->push_name[0]) {
        app_note(app, true, "this scene has no emitters that push");
        return;
    }
    double passed = fmax(app->frame_seconds, 1e-3);
    float moved = 0;
    for (int a = 0; a < 3; a++) {
        float v = start ? 0.0f : (point[a] - b->push.to[a]) / (float)passed;
        // The pointer comes in jumps: a mean over some frames is its speed.
        b->velocity[a] = start ? 0.0f : b->velocity[a] + 0.5f * (v - b->velocity[a]);
        moved += b->velocity[a] * b->velocity[a];
    }
    place(app, PUSH, &b->push, point, start);
    // A force acts for about a tenth of a second.
    bool force = strcmp(b->push_name, "force") == 0;
    float way[3], factor = b->strength * (force ? 10.0f : 1.0f);
    for (int a = 0; a < 3; a++) {
        way[a] = fmaxf(-1e3f, fminf(1e3f, factor * b->velocity[a]));
    }
    send_vector(app, PUSH, b->push_name, way);
    // A hand that rests does not hold the fluid.
    if (moved > 1e-8f) {
        switch_on(app, PUSH, &b->push);
    } else {
        b->push.wanted = false;
    }
}

void brush_lift(view_app *app)
{
    app->brush.dye.wanted = app->brush.push.wanted = false;
}

// A click is shorter than a step: what was switched on stays on until a step has seen it. While it
// runs the step that is under way does not count.
static void switch_off(view_app *app, int which, brush_emitter *e)
{
    int64_t steps = view_session_paused(app->session) ? 1 : 2;
    if (e->enabled && !e->wanted && app->stats.step >= e->since + steps) {
        send(app, which, "enabled", "false");
        e->enabled = false;
    }
}

void brush_update(view_app *app)
{
    view_brush *b = &app->brush;
    switch_off(app, DYE, &b->dye);
    switch_off(app, PUSH, &b->push);
    b->step = app->stats.step;
}

void brush_size(view_app *app, float factor)
{
    if (app->frame[0]) {
        const gyre_grid *g = &app->frame[0]->grid;
        float most = 0.5f * g->h * (float)(g->n[0] > g->n[1] ? g->n[0] : g->n[1]);
        app->brush.radius = fmaxf(g->h, fminf(most, app->brush.radius * factor));
    }
}
