// scene/read_timeline.c: entries of timelines, checked before the first step.
#include "scene/read.h"

#include <stdlib.h>
#include <string.h>

/// The defs as they will be while the timeline is played: copies whose pools have room.
typedef struct shadow {
    gyre_scene *scene;
    void *kept[GY_SCENE_MODELS];
    int count;
} shadow;

static void free_def(const gy_scene_model *m)
{
    for (const gyre_property *p = m->properties; p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_POOL) {
            free(((gyre_pool *)(void *)((char *)m->def + p->offset))->items);
        }
    }
    free(m->def);
}

static void *copy_def(const gy_scene_model *m, int room)
{
    char *def = malloc(m->def_size);
    bool whole = def != NULL;
    if (def) {
        memcpy(def, m->def, m->def_size);
    }
    for (const gyre_property *p = m->properties; def && p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_POOL) {
            gyre_pool *pool = (void *)(def + p->offset);
            const void *items = pool->items;
            pool->items = malloc(((size_t)(pool->count + room) + 1) * p->size);
            whole = whole && pool->items;
            if (pool->items && pool->count > 0) {
                memcpy(pool->items, items, (size_t)pool->count * p->size);
            }
        }
    }
    if (def && !whole) {
        gy_scene_model half = *m;
        half.def = def;
        free_def(&half);
    }
    return whole ? def : NULL;
}

static void shadow_end(shadow *s)
{
    for (int i = 0; i < s->count; i++) {
        free_def(&s->scene->models[i]);
        s->scene->models[i].def = s->kept[i];
    }
    s->count = 0;
}

static gyre_result shadow_begin(shadow *s, gyre_scene *scene, int room)
{
    *s = (shadow){.scene = scene};
    for (int i = 0; i < scene->model_count; i++) {
        void *def = copy_def(&scene->models[i], room);
        if (!def) {
            shadow_end(s);
            return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the timeline", scene->file);
        }
        s->kept[i] = scene->models[i].def;
        scene->models[i].def = def;
        s->count++;
    }
    return GYRE_OK;
}

gyre_result gy_read_element(const gy_reader *r, const gy_place *place, const gyre_property *pool,
                            json_t *json, void **element)
{
    *element = gy_scene_allocate(r->scene, pool->size);
    if (!*element) {
        return GYRE_ERROR_MEMORY;
    }
    gyre_property_defaults(pool->properties, *element, pool->size);
    return gy_read_object(r, place, pool->properties, *element, json, NULL);
}

/// An object comes into a list, null takes an element away.
static gyre_result read_change(const gy_reader *r, const gy_place *place, json_t *given,
                               gy_key *key)
{
    gy_place at_path = {place, "path"}, at_value = {place, "value"};
    const gyre_property *pool = NULL;
    const char *element = "";
    bool found = gy_scene_pool(r->scene, key->path, &key->model, &pool, &element);
    key->change = json_is_object(given) ? GY_ADD : GY_REMOVE;
    if (!found || (key->change == GY_ADD) != (*element == 0) || (pool->flags & GYRE_FIXED)) {
        return gy_read_fail(r, &at_path, false, "found %s, expected the path of %s",
                            key->path[0] ? key->path : "nothing",
                            key->change == GY_ADD ? "a list that the object is to be added to"
                                                  : "an element of a list that null removes");
    }
    gyre_pool *now = (void *)((char *)r->scene->models[key->model].def + pool->offset);
    if (key->change == GY_ADD) {
        const gy_scene_model *m = &r->scene->models[key->model];
        gyre_result result = gy_read_element(r, &at_value, pool, given, &key->element);
        if (result) {
            return result;
        }
        memcpy((char *)now->items + (size_t)now->count * pool->size, key->element, pool->size);
        now->count++;
        // What the model itself has against it: a shape without a size, a solver for boxes.
        if (gyre_property_check(pool->properties, key->element, pool->name) ||
            gyre_model_def_size(m->type, m->def) == 0) {
            char message[900];
            snprintf(message, sizeof message, "%.899s", gyre_message());
            return gy_read_fail(r, &at_value, false, "%s", message);
        }
        return GYRE_OK;
    }
    int index = gy_pool_find(pool, now, element);
    if (index < 0) {
        return gy_read_fail(r, &at_path, false, "found %s, expected an element that is there then",
                            key->path);
    }
    gy_pool_remove(pool, now, index);
    return GYRE_OK;
}

// The value is tried on a copy of the leaf, so that a timeline with a mistake in its last second is
// refused before the first step.
static gyre_result read_key_value(const gy_reader *r, const gy_place *place, json_t *given,
                                  gy_key *key)
{
    gy_place at_path = {place, "path"}, at_value = {place, "value"};
    const gyre_property *property;
    void *address;
    int model;
    const char *rest;
    if (json_is_object(given) || json_is_null(given)) {
        return read_change(r, place, given, key);
    }
    gyre_result walked = gy_scene_walk(r->scene, key->path, &property, &address, &model, &rest);
    key->model = model;
    if (walked) {
        char message[1024];
        snprintf(message, sizeof message, "%s", gyre_message());
        return gy_read_fail(r, &at_path, false, "%s", message);
    }
    if (gy_scene_is_set_at_start(r->scene, key->path, model, rest)) {
        return gy_read_fail(
            r, &at_path, false,
            "found %s, which is fixed when the run begins, expected one that can change",
            key->path);
    }
    union {
        char bytes[512];
        double aligned;
    } copy;
    gyre_result result = gy_read_leaf(r, &at_value, property, given, &copy, &key->value);
    if (result) {
        return result;
    }
    if (key->interpolation == GY_LINEAR && property->kind != GYRE_FLOAT) {
        gy_place at_kind = {place, "interpolation"};
        return gy_read_fail(
            r, &at_kind, false,
            "found \"linear\" for %s, which is no number with a fraction, expected \"hold\"",
            key->path);
    }
    return GYRE_OK;
}

/// An entry with its place in the file.
typedef struct entry {
    gy_key key;
    json_t *value;
    size_t index;
} entry;

static int by_time(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->key.time != y->key.time) {
        return x->key.time < y->key.time ? -1 : 1;
    }
    return x->index < y->index ? -1 : 1;
}

static gyre_result read_entry(const gy_reader *r, const gy_place *place, json_t *json, entry *e)
{
    static const char *const required[] = {"time", "path", "value"};
    gyre_property_defaults(gy_key_properties, &e->key, sizeof e->key);
    gyre_result result =
        gy_read_object(r, place, gy_key_properties, (char *)&e->key, json, "value");
    for (int k = 0; k < 3 && result == GYRE_OK; k++) {
        if (!json_object_get(json, required[k])) {
            result =
                k < 2 ? gy_read_fail(r, place, false, "found no \"%s\", expected one", required[k])
                      : gy_read_fail(r, place, false, "found no \"value\", expected a value for %s",
                                     e->key.path);
        }
    }
    e->value = result == GYRE_OK ? json_object_get(json, "value") : NULL;
    return result;
}

static gyre_result read_entries(const gy_reader *r, json_t *list, entry *entries)
{
    gy_place place = {NULL, "timeline"};
    size_t count = json_array_size(list);
    char index[24];
    gyre_result result = GYRE_OK;
    for (size_t i = 0; i < count && result == GYRE_OK; i++) {
        snprintf(index, sizeof index, "%zu", i);
        gy_place inner = {&place, index};
        result = read_entry(r, &inner, json_array_get(list, i), &entries[i]);
        entries[i].index = i;
    }
    if (result) {
        return result;
    }
    qsort(entries, count, sizeof *entries, by_time);
    shadow s;
    result = shadow_begin(&s, r->scene, (int)count + r->scene->timeline.count);
    // A replay goes over what the scene's own timeline adds and removes, which was checked before.
    int own = 0;
    for (size_t i = 0; i < count && result == GYRE_OK; i++) {
        own = gy_timeline_shadow(r->scene, own, entries[i].key.time);
        snprintf(index, sizeof index, "%zu", entries[i].index);
        gy_place inner = {&place, index};
        result = read_key_value(r, &inner, entries[i].value, &entries[i].key);
    }
    shadow_end(&s);
    return result;
}

/// Room in the models for all that a timeline adds.
static gyre_result reserve(const gy_reader *r, const gy_timeline *t)
{
    gy_place place = {NULL, "timeline"};
    gyre_result result = GYRE_OK;
    for (int i = 0; i < t->count && result == GYRE_OK; i++) {
        int same = 0;
        bool first = t->keys[i].change == GY_ADD && t->keys[i].track == i;
        for (int k = i; first && k >= 0; k = t->keys[k].next) {
            same += t->keys[k].change == GY_ADD;
        }
        result = same > 0 ? gyre_scene_reserve(r->scene, t->keys[i].path, same) : GYRE_OK;
    }
    if (result) {
        char message[900];
        snprintf(message, sizeof message, "%.899s", gyre_message());
        return gy_read_fail(r, &place, false, "%s", message);
    }
    return GYRE_OK;
}

gyre_result gy_timeline_read(const gy_reader *r, json_t *root, gy_timeline *timeline)
{
    gyre_scene *scene = r->scene;
    gy_place place = {NULL, "timeline"};
    json_t *list = json_object_get(root, "timeline");
    if (!list) {
        return GYRE_OK;
    }
    if (!json_is_array(list) || json_array_size(list) > GY_SCENE_KEYS) {
        char found[128];
        gy_read_describe(list, found, sizeof found);
        return gy_read_fail(r, &place, false, "found %s, expected a list of at most %d entries",
                            found, GY_SCENE_KEYS);
    }
    size_t count = json_array_size(list);
    entry *entries = calloc(count + 1, sizeof *entries);
    gy_key *keys = gy_scene_allocate(scene, (count + 1) * sizeof *keys);
    if (!entries || !keys) {
        free(entries);
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the timeline", r->file);
    }
    gyre_result result = read_entries(r, list, entries);
    for (size_t i = 0; i < count; i++) {
        keys[i] = entries[i].key;
    }
    free(entries);
    if (result) {
        return result;
    }
    *timeline = (gy_timeline){.keys = keys, .count = (int)count};
    result = gy_timeline_link(scene, timeline);
    return result ? result : reserve(r, timeline);
}
