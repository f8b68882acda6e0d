// scene/timeline.c: lists of timed changes, applied through the models' own verbs.
#include "gyre/property_table.h"
#include "scene/scene.h"

#include "gyre/pose.h"

#include <stdlib.h>
#include <string.h>

static const char *const interpolation_names[] = {"hold", "linear", NULL};

#define ENTRY(kind, ...) GYRE_PROPERTY_##kind(gy_entry, __VA_ARGS__)
const gyre_property gy_entry_properties[] = {
    ENTRY(DOUBLE, time, "s", 0, 1e6, "when it happens"),
    ENTRY(STRING, path,
          "the property, such as gas.emitters.jet.enabled or camera.position; a list, such as "
          "gas.solids, to add an element; an element, such as gas.solids.rock, to remove it"),
    ENTRY(ENUM, interpolation, interpolation_names,
          "on the way to the next entry of the same path: hold the value, or go there linearly (an "
          "orientation: along the shortest arc)",
          .initial = {GY_HOLD}),
    GYRE_PROPERTY_END,
};

gyre_value gy_value_open(const gy_value *value)
{
    gyre_value open = {.kind = value->kind, .count = value->count};
    memcpy(open.number, value->number, sizeof open.number);
    snprintf(open.string, sizeof open.string, "%s", value->string ? value->string : "");
    return open;
}

bool gy_value_keep(gyre_scene *scene, const gyre_value *value, gy_value *kept)
{
    *kept = (gy_value){.kind = value->kind, .count = value->count};
    memcpy(kept->number, value->number, sizeof kept->number);
    if (value->kind == GYRE_STRING || value->kind == GYRE_ENUM) {
        kept->string = gy_scene_text(scene, value->string);
        return kept->string != NULL;
    }
    return true;
}

typedef struct path_order {
    const char *path;
    int key;
} path_order;

static int by_path(const void *a, const void *b)
{
    const path_order *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order ? order : x->key - y->key;
}

static void reset(gy_timeline *t)
{
    t->due = 0;
    for (int i = 0; i < t->count; i++) {
        t->active[i] = -1;
    }
}

gyre_result gy_timeline_link(gyre_scene *scene, gy_timeline *t)
{
    size_t count = (size_t)t->count;
    if (count == 0) {
        return GYRE_OK;
    }
    t->active = gy_scene_allocate(scene, count * sizeof *t->active);
    path_order *order = malloc(count * sizeof *order);
    if (!t->active || !order) {
        free(order);
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the timeline", scene->file);
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (path_order){t->keys[i].path, (int)i};
    }
    qsort(order, count, sizeof *order, by_path);
    for (size_t i = 0; i < count; i++) {
        gy_key *key = &t->keys[order[i].key];
        bool first = i == 0 || strcmp(order[i].path, order[i - 1].path) != 0;
        bool last = i + 1 == count || strcmp(order[i].path, order[i + 1].path) != 0;
        key->track = first ? order[i].key : t->keys[order[i - 1].key].track;
        key->next = last ? -1 : order[i + 1].key;
        t->moves = t->moves || key->interpolation == GY_LINEAR;
    }
    free(order);
    reset(t);
    return GYRE_OK;
}

double gy_timeline_before(const gyre_scene *scene, double time)
{
    double dt = (double)gyre_scene_dt(scene), steps = time / dt - 1e-3;
    int64_t whole = (int64_t)steps;
    whole += (double)whole < steps;
    return ((double)whole - 1) * dt + 1e-3 * dt;
}

static gyre_result add(gyre_scene *scene, gy_key *key)
{
    const gyre_property *pool;
    const char *element;
    int model;
    if (!gy_scene_pool(scene, key->path, &model, &pool, &element)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: is no list", key->path);
    }
    key->id = gy_live_add(scene, model, pool, key->element);
    return gy_scene_in_model(scene, model, key->id ? GYRE_OK : GYRE_ERROR_ARGUMENT);
}

static gyre_result take_away(gyre_scene *scene, const gy_key *key)
{
    const gyre_property *property;
    const char *element;
    int model;
    if (!gy_scene_pool(scene, key->path, &model, &property, &element)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: is no element of a list", key->path);
    }
    const gyre_pool *pool =
        (const void *)((const char *)gy_live_def(scene, model) + property->offset);
    int index = gy_pool_find(property, pool, element);
    if (index < 0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: there is no such element now", key->path);
    }
    gyre_id id = gy_live_id(scene, model, property, index);
    return gy_scene_in_model(scene, model, gy_live_remove(scene, model, id));
}

gyre_result gy_key_apply(gyre_scene *scene, gy_key *key, const gyre_value *value)
{
    switch (key->change) {
    case GY_ADD:
        return add(scene, key);
    case GY_REMOVE:
        return take_away(scene, key);
    default:
        return gy_scene_write(scene, key->path, value);
    }
}

static void turn_to(gyre_value *value, const double to[4], double part)
{
    float from[4], next[4], now[4];
    for (int i = 0; i < 4; i++) {
        from[i] = (float)value->number[i];
        next[i] = (float)to[i];
    }
    gyre_quaternion_between(from, next, part, now);
    for (int i = 0; i < 4; i++) {
        value->number[i] = (double)now[i];
    }
}

gyre_value gy_timeline_value(const gy_timeline *t, const gy_key *key, double time)
{
    gyre_value value = gy_value_open(&key->value);
    if (key->interpolation == GY_LINEAR && key->next >= 0) {
        const gy_key *next = &t->keys[key->next];
        double span = next->time - key->time;
        double part = span > 0 ? (time - key->time) / span : 1;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        if (key->turns) {
            turn_to(&value, next->value.number, part);
            return value;
        }
        for (int i = 0; i < value.count && i < 4; i++) {
            value.number[i] += part * (next->value.number[i] - value.number[i]);
        }
    }
    return value;
}

static double time_of(const gyre_scene *scene, const gy_key *key)
{
    int model = key->model < 0 || key->model == GY_BODIES ? 0 : key->model;
    return gyre_model_time(scene->models[model].model);
}

// What the scene's own timeline changes may have been removed by what was put in.
static bool has_element(gyre_scene *scene, const gy_key *key)
{
    return key->model < 0 || gy_element_is_there(scene, key, gy_live_def(scene, key->model));
}

// What goes linearly, on its way.
static gyre_result move(gyre_scene *scene, const gy_timeline *t)
{
    for (int track = 0; track < t->due && t->moves; track++) {
        if (t->keys[track].track != track) {
            continue;
        }
        const gy_key *key = &t->keys[t->active[track]];
        if (key->change == GY_SET && key->interpolation == GY_LINEAR && key->next >= 0 &&
            has_element(scene, key)) {
            double lead = gy_scene_bodies_lead(scene, key) ? (double)gyre_scene_dt(scene) : 0.0;
            gyre_value value = gy_timeline_value(t, key, time_of(scene, key) + lead);
            gyre_result result = gy_scene_write(scene, key->path, &value);
            if (result) {
                return result;
            }
        }
    }
    return GYRE_OK;
}

static gyre_result apply(gyre_scene *scene, gy_timeline *t)
{
    // Sums of steps miss a round time by a little: a thousandth of a step is no time.
    double nearly = 1e-3 * (double)gyre_scene_dt(scene);
    for (; t->due < t->count; t->due++) {
        gy_key *key = &t->keys[t->due];
        double time = time_of(scene, key);
        if (key->time > time + nearly) {
            break;
        }
        if (t == &scene->replay || has_element(scene, key)) {
            gyre_value value = gy_timeline_value(t, key, time);
            gyre_result result = gy_key_apply(scene, key, &value);
            if (result) {
                return result;
            }
        }
        t->active[key->track] = t->due;
    }
    return move(scene, t);
}

gyre_result gy_timeline_apply(gyre_scene *scene)
{
    gyre_result result = apply(scene, &scene->replay);
    return result ? result : apply(scene, &scene->timeline);
}

static gyre_result resume(gyre_scene *scene, gy_timeline *t)
{
    double dt = (double)gyre_scene_dt(scene), nearly = 1e-3 * dt;
    reset(t);
    // What was due at the beginning of the last step that the state has seen.
    for (; t->due < t->count &&
           t->keys[t->due].time <= time_of(scene, &t->keys[t->due]) - dt + nearly;
         t->due++) {
        const gy_key *key = &t->keys[t->due];
        t->active[key->track] = t->due;
        gyre_value value = gy_value_open(&key->value);
        gyre_result result = key->model < 0 ? gy_scene_write(scene, key->path, &value) : GYRE_OK;
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

gyre_result gy_timeline_resume(gyre_scene *scene)
{
    gyre_result result = resume(scene, &scene->replay);
    return result ? result : resume(scene, &scene->timeline);
}
