// view/hand/stroke.c: pouring, pushing, digging. The brush is two emitters of the scene that follow
// the pointer, moved by timed settings like any slider, so that a recorded session replays it; over
// ground that can be moved two elements of that list, which sink and raise it.
//
// Which properties of an emitter pour and push say their roles in the property tables.
#include "view/hand/stroke.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DYE, PUSH, SINK, RISE, NAME_ROOM = 24 };

// What an element of the brush is called: those of further pointers have a number behind.
static const char *name_of(const view_brush *b, int which, char name[NAME_ROOM])
{
    static const char *const names[] = {"brush_dye", "brush_push", "brush_dig", "brush_heap"};
    snprintf(name, NAME_ROOM, b->number > 0 ? "%s_%d" : "%s", names[which], b->number);
    return name;
}

static const char *list_of(const view_brush *b, int which)
{
    return which >= SINK ? b->ground : b->emitters;
}

// ---- what the scene has

static bool is_shape(const gyre_property *p)
{
    return p->kind == GYRE_UNION && p->properties == gyre_shape_properties;
}

static const gyre_property *that_does(const gyre_property *table, gyre_property_role role)
{
    const gyre_property *p = table;
    while (p->kind != GYRE_END && p->role != (int)role) {
        p++;
    }
    return p->kind == GYRE_END ? NULL : p;
}

// What feeds a field by itself.
static const gyre_property *that_feeds(const gyre_property *table, const char *field)
{
    const gyre_property *p = table;
    while (p->kind != GYRE_END &&
           !(p->role == GYRE_DOES_FEED && p->feeds && strcmp(p->feeds, field) == 0)) {
        p++;
    }
    return p->kind == GYRE_END ? NULL : p;
}

static void copy_name(char *to, size_t size, const gyre_property *p)
{
    snprintf(to, size, "%s", p ? p->name : "");
}

// What an emitter of the scene gives, so that the brush pours alike: per second or, where emitters
// hold the field at a value, that value in a fifth of a second.
static float reference(const view_brush *b, const gyre_scene *scene, const char *pool,
                       const char *name)
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
            snprintf(path, sizeof path, "%s.%d.%s", pool, i, b->mode);
            bool holds = b->mode[0] && gyre_scene_get(scene, path, &value) == GYRE_OK &&
                         strcmp(value.string, b->set) == 0;
            factor = holds ? 5.0f : 1.0f;
        }
    }
    return factor * most;
}

static void add_amount(view_brush *b, const gyre_scene *scene, const gyre_property *p,
                       const char *pool, const char *name, bool heat)
{
    if (b->amount_count == AMOUNTS_MOST) {
        return;
    }
    brush_amount *a = &b->amounts[b->amount_count++];
    float given = reference(b, scene, pool, p->name);
    snprintf(a->name, sizeof a->name, "%s", name);
    copy_name(a->member, sizeof a->member, p);
    snprintf(a->unit, sizeof a->unit, "%s", p->unit ? p->unit : "1");
    a->extra = p->role == GYRE_DOES_FEED_NAMED;
    a->value = given != 0.0f ? given : heat ? 100.0f : 5.0f;
    a->on = b->amount_count == 1;
}

static void find_amounts(view_brush *b, const gyre_scene *scene, const gyre_model *model,
                         const gyre_property *pool, const char *path)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (int i = 0; i < count; i++) {
        const gyre_property *p = that_feeds(pool->properties, info[i].name);
        if (p) {
            add_amount(b, scene, p, path, info[i].name, info[i].role == GYRE_ROLE_HEAT);
        }
    }
    // One more that a property names.
    const gyre_property *named = that_does(pool->properties, GYRE_DOES_FEED_NAMED);
    for (int i = 0; i < count && named; i++) {
        if (info[i].total && !that_feeds(pool->properties, info[i].name)) {
            snprintf(b->extra, sizeof b->extra, "%s", named->feeds);
            copy_name(b->extra_amount, sizeof b->extra_amount, named);
            add_amount(b, scene, named, path, info[i].name, false);
        }
    }
}

static bool is_vector(const gyre_property *table, const char *name)
{
    const gyre_property *p = gyre_property_find(table, name);
    return p && p->kind == GYRE_FLOAT && p->count == 3;
}

// Whether elements of a pool are bodies that a hand can hold.
static bool can_be_held(const gyre_property *pool)
{
    return that_does(pool->properties, GYRE_DOES_HOLD) && is_vector(pool->properties, "position") &&
           is_vector(pool->properties, "velocity");
}

static void find_members(view_brush *b, const gyre_scene *scene, const gyre_model *model,
                         const gyre_property *pool, const char *path)
{
    const gyre_property *mode = that_does(pool->properties, GYRE_DOES_CHOOSE_MODE);
    const gyre_property *way = that_does(pool->properties, GYRE_DOES_PUSH);
    const gyre_property *discharge = that_does(pool->properties, GYRE_DOES_DISCHARGE);
    snprintf(b->emitters, sizeof b->emitters, "%s", path);
    copy_name(b->mode, sizeof b->mode, mode);
    snprintf(b->rate, sizeof b->rate, "%s", mode ? mode->names[0] : "");
    snprintf(b->set, sizeof b->set, "%s", mode ? mode->names[1] : "");
    copy_name(b->push_switch, sizeof b->push_switch,
              that_does(pool->properties, GYRE_DOES_ENABLE_PUSH));
    copy_name(b->push_name, sizeof b->push_name, way);
    b->push_is_force = way && strcmp(way->unit, "m/s") != 0;
    copy_name(b->discharge, sizeof b->discharge, discharge);
    find_amounts(b, scene, model, pool, path);
    b->drains = b->amount_count == 0 && discharge;
    if (b->drains) {
        add_amount(b, scene, discharge, path, discharge->name, false);
    }
}

static void find_pools(view_brush *b, const gyre_scene *scene, int i)
{
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
            copy_name(b->hold, sizeof b->hold, that_does(p->properties, GYRE_DOES_HOLD));
        }
        if (!shape || !is_shape(shape) || !on || on->kind != GYRE_BOOL) {
            continue;
        }
        bool pours = that_does(p->properties, GYRE_DOES_FEED) ||
                     that_does(p->properties, GYRE_DOES_DISCHARGE);
        if (pours && !b->emitters[0]) {
            find_members(b, scene, model, p, path);
        } else if (p->role == GYRE_DOES_BLOCK && !b->solids[0]) {
            snprintf(b->solids, sizeof b->solids, "%s", path);
        } else if (that_does(p->properties, GYRE_DOES_RAISE) && !b->ground[0]) {
            snprintf(b->ground, sizeof b->ground, "%s", path);
            copy_name(b->raise, sizeof b->raise, that_does(p->properties, GYRE_DOES_RAISE));
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

void stroke_prepare(view_brush *b, const gyre_scene *scene, int model, int number)
{
    char name[NAME_ROOM];
    *b = (view_brush){.strength = 1.0f, .number = number};
    find_pools(b, scene, model);
    const gyre_grid *g = gyre_model_grid(gyre_scene_model(scene, model));
    int least = g->n[0] < g->n[1] ? g->n[0] : g->n[1];
    least = g->dim == 3 && g->n[2] < least ? g->n[2] : least;
    b->radius = fmaxf(0.05f * g->h * (float)least, 1.5f * g->h);
    if (b->drains) {
        // The surface rises by about its radius in half a second.
        b->amounts[0].value = 6.0f * b->radius * b->radius * b->radius;
    }
    // A scene saved here has the emitters already.
    b->dye.exists = b->emitters[0] && was_there(scene, b->emitters, name_of(b, DYE, name));
    b->push.exists = b->emitters[0] && was_there(scene, b->emitters, name_of(b, PUSH, name));
    b->sink.exists = b->ground[0] && was_there(scene, b->ground, name_of(b, SINK, name));
    b->rise.exists = b->ground[0] && was_there(scene, b->ground, name_of(b, RISE, name));
    b->dig = b->radius; // a pit as deep as the brush is wide in two seconds
}

void stroke_forget(view_brush *b)
{
    b->dye = (brush_emitter){0};
    b->push = b->sink = b->rise = (brush_emitter){0};
    b->painted_count = 0;
}

// ---- what is sent

static void send(const view_brush *b, const view_touch *touch, int which, const char *member,
                 const char *format, ...) GYRE_PRINTF(5, 6);

static void send(const view_brush *b, const view_touch *touch, int which, const char *member,
                 const char *format, ...)
{
    char path[256], json[160], name[NAME_ROOM];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(json, sizeof json, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s.%s.%s", list_of(b, which), name_of(b, which, name), member);
    touch->input(touch->context, path, json);
}

static void send_vector(const view_brush *b, const view_touch *touch, int which, const char *member,
                        const float v[3])
{
    send(b, touch, which, member, "[%.9g, %.9g, %.9g]", (double)v[0], (double)v[1], (double)v[2]);
}

static void add_emitter(const view_brush *b, const view_touch *touch, int which,
                        const brush_emitter *e)
{
    char json[640], mode[64] = "", push[64] = "", name[NAME_ROOM];
    if (b->mode[0] && which < SINK) {
        snprintf(mode, sizeof mode, ", \"%s\": \"%s\"", b->mode, b->rate);
    }
    if (b->push_switch[0] && which == PUSH) {
        snprintf(push, sizeof push, ", \"%s\": true", b->push_switch);
    }
    snprintf(
        json, sizeof json,
        "{\"name\": \"%s\", \"enabled\": false%s%s, \"shape\": {\"capsule\": {\"from\": [%.9g, "
        "%.9g, %.9g], \"to\": [%.9g, %.9g, %.9g], \"radius\": %.9g}}}",
        name_of(b, which, name), mode, push, (double)e->from[0], (double)e->from[1],
        (double)e->from[2], (double)e->to[0], (double)e->to[1], (double)e->to[2],
        (double)e->radius);
    touch->input(touch->context, list_of(b, which), json);
}

static void send_amounts(const view_brush *b, const view_touch *touch)
{
    int extra = -1;
    for (int i = 0; i < b->amount_count; i++) {
        const brush_amount *a = &b->amounts[i];
        if (a->extra) {
            extra = a->on ? i : extra;
        } else {
            send(b, touch, DYE, a->member, "%.9g", a->on ? (double)a->value : 0.0);
        }
    }
    if (b->extra[0]) {
        send(b, touch, DYE, b->extra, "\"%s\"", extra >= 0 ? b->amounts[extra].name : "");
        send(b, touch, DYE, b->extra_amount, "%.9g",
             extra >= 0 ? (double)b->amounts[extra].value : 0.0);
    }
}

// Where the emitter stands: from where it was at the last step to where the pointer is.
static void place(view_brush *b, const view_touch *touch, int which, brush_emitter *e,
                  const float point[3], bool start)
{
    if (start) {
        memcpy(e->from, point, sizeof e->from);
    } else if (touch->step != b->step) {
        memcpy(e->from, e->to, sizeof e->from);
    }
    memcpy(e->to, point, sizeof e->to);
    e->radius = b->radius;
    if (!e->exists) {
        add_emitter(b, touch, which, e);
        e->exists = true;
    }
    send_vector(b, touch, which, "shape.capsule.from", e->from);
    send_vector(b, touch, which, "shape.capsule.to", e->to);
    send(b, touch, which, "shape.capsule.radius", "%.9g", (double)e->radius);
}

static void switch_on(const view_brush *b, const view_touch *touch, int which, brush_emitter *e)
{
    e->wanted = true;
    if (!e->enabled) {
        send(b, touch, which, "enabled", "true");
        e->enabled = true;
        e->since = touch->step;
    }
}

void stroke_pour(view_brush *b, const view_touch *touch, const float point[3], bool start)
{
    if (b->amount_count == 0) {
        touch->note(touch->context, true, "this scene has no list of emitters to pour with");
        return;
    }
    place(b, touch, DYE, &b->dye, point, start);
    if (start) {
        send_amounts(b, touch);
    }
    switch_on(b, touch, DYE, &b->dye);
}

void stroke_push(view_brush *b, const view_touch *touch, const float point[3], bool start)
{
    if (b->drains) {
        place(b, touch, PUSH, &b->push, point, start);
        if (start) {
            send(b, touch, PUSH, b->discharge, "%.9g", -(double)b->amounts[0].value);
        }
        switch_on(b, touch, PUSH, &b->push);
        return;
    }
    if (!b->push_name[0]) {
        touch->note(touch->context, true, "this scene has no emitters that push");
        return;
    }
    double passed = fmax(touch->passed, 1e-3);
    float moved = 0;
    for (int a = 0; a < 3; a++) {
        float v = start ? 0.0f : (point[a] - b->push.to[a]) / (float)passed;
        // The pointer comes in jumps: a mean over some frames is its speed.
        b->velocity[a] = start ? 0.0f : b->velocity[a] + 0.5f * (v - b->velocity[a]);
        moved += b->velocity[a] * b->velocity[a];
    }
    place(b, touch, PUSH, &b->push, point, start);
    // A force acts for about a tenth of a second.
    float way[3], factor = b->strength * (b->push_is_force ? 10.0f : 1.0f);
    for (int a = 0; a < 3; a++) {
        way[a] = fmaxf(-1e3f, fminf(1e3f, factor * b->velocity[a]));
    }
    send_vector(b, touch, PUSH, b->push_name, way);
    // A hand that rests does not hold the fluid.
    if (moved > 1e-8f) {
        switch_on(b, touch, PUSH, &b->push);
    } else {
        b->push.wanted = false;
    }
}

bool stroke_can_dig(const view_brush *b, const view_touch *touch)
{
    if (!b->ground[0]) {
        touch->note(touch->context, true, "this scene has no ground to dig");
    }
    return b->ground[0] != '\0';
}

void stroke_dig(view_brush *b, const view_touch *touch, const float point[3], bool start, bool heap)
{
    if (!stroke_can_dig(b, touch)) {
        return;
    }
    int which = heap ? RISE : SINK;
    brush_emitter *e = heap ? &b->rise : &b->sink;
    place(b, touch, which, e, point, start);
    if (start) {
        send(b, touch, which, b->raise, "%.9g", heap ? (double)b->dig : -(double)b->dig);
    }
    switch_on(b, touch, which, e);
}

void stroke_lift(view_brush *b)
{
    b->dye.wanted = b->push.wanted = b->sink.wanted = b->rise.wanted = false;
}

// A click is shorter than a step: what was switched on stays on until a step has seen it. While it
// runs the step that is under way does not count.
static void switch_off(const view_brush *b, const view_touch *touch, int which, brush_emitter *e)
{
    int64_t steps = touch->paused ? 1 : 2;
    if (e->enabled && !e->wanted && touch->step >= e->since + steps) {
        send(b, touch, which, "enabled", "false");
        e->enabled = false;
    }
}

void stroke_update(view_brush *b, const view_touch *touch)
{
    switch_off(b, touch, DYE, &b->dye);
    switch_off(b, touch, PUSH, &b->push);
    switch_off(b, touch, SINK, &b->sink);
    switch_off(b, touch, RISE, &b->rise);
    b->step = touch->step;
}
