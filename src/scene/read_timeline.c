// scene/read_timeline.c: entries of timelines, checked before the first step.
#include "scene/read.h"

#include <stdlib.h>
#include <string.h>

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
        gyre_result result = gy_read_element(r, &at_value, pool, given, &key->element);
        if (result) {
            return result;
        }
        gy_shadow_add(pool, now, key->element);
        // What the model itself has against it: a shape without a size, a solver for boxes.
        if (gyre_property_check(pool->properties, key->element, pool->name) ||
            !gy_def_is_right(r->scene, key->model)) {
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
    gyre_result walked = gy_scene_reach(r->scene, key->path, &property, &address, &model, &rest);
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
    gyre_value value;
    gyre_result result = gy_read_leaf(r, &at_value, property, given, &copy, &value);
    if (result) {
        return result;
    }
    if (!gy_value_keep(r->scene, &value, &key->value)) {
        return GYRE_ERROR_MEMORY;
    }
    // What the model has against it: a channel that is not there, a turn out of the plane. Other
    // numbers have been held against their range; a replay may have a million of them.
    key->turns = (property->flags & GYRE_ORIENTATION) != 0;
    bool word = value.kind == GYRE_STRING || value.kind == GYRE_ENUM || value.kind == GYRE_BOOL;
    if (model >= 0 && gyre_property_set(property, address, &value) == GYRE_OK &&
        (word || key->turns)) {
        if (!gy_def_is_right(r->scene, model)) {
            char message[900];
            snprintf(message, sizeof message, "%.899s", gyre_message());
            return gy_read_fail(r, &at_value, false, "%s", message);
        }
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
    gy_entry read;
    gyre_property_defaults(gy_entry_properties, &read, sizeof read);
    gyre_result result =
        gy_read_object(r, place, gy_entry_properties, (char *)&read, json, "value");
    for (int k = 0; k < 3 && result == GYRE_OK; k++) {
        if (!json_object_get(json, required[k])) {
            result =
                k < 2 ? gy_read_fail(r, place, false, "found no \"%s\", expected one", required[k])
                      : gy_read_fail(r, place, false, "found no \"value\", expected a value for %s",
                                     read.path);
        }
    }
    if (result) {
        return result;
    }
    e->key = (gy_key){.time = read.time,
                      .path = gy_scene_text(r->scene, read.path),
                      .interpolation = read.interpolation};
    e->value = json_object_get(json, "value");
    return e->key.path ? GYRE_OK : GYRE_ERROR_MEMORY;
}

// Entries in the order of time, each against the defs as they are then. A replay goes over what the
// scene's own timeline adds and removes, which was checked before.
static gyre_result read_values(const gy_reader *r, entry *entries, size_t count)
{
    gy_place place = {NULL, "timeline"};
    const gy_timeline *own = &r->scene->timeline;
    int room = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        room += json_is_object(entries[i].value);
    }
    for (int i = 0; i < own->count; i++) {
        room += own->keys[i].change == GY_ADD;
    }
    gy_shadow shadow;
    gyre_result result = gy_shadow_begin(&shadow, r->scene, false, room);
    if (result) {
        return result;
    }
    for (size_t i = 0; i < count && result == GYRE_OK; i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", entries[i].index);
        gy_place inner = {&place, index};
        for (; k < own->count &&
               own->keys[k].time <= gy_timeline_before(r->scene, entries[i].key.time);
             k++) {
            gy_shadow_apply(r->scene, &own->keys[k]);
        }
        result = read_key_value(r, &inner, entries[i].value, &entries[i].key);
    }
    for (; k < own->count; k++) {
        gy_shadow_apply(r->scene, &own->keys[k]);
    }
    if (result) {
        gy_shadow_end(&shadow, false);
        return result;
    }
    if (gy_shadow_end(&shadow, true)) {
        char message[900];
        snprintf(message, sizeof message, "%.899s", gyre_message());
        return gy_read_fail(r, &place, false, "%s", message);
    }
    return GYRE_OK;
}

static gyre_result read_entries(const gy_reader *r, json_t *list, entry *entries)
{
    gy_place place = {NULL, "timeline"};
    size_t count = json_array_size(list);
    gyre_result result = GYRE_OK;
    for (size_t i = 0; i < count && result == GYRE_OK; i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        gy_place inner = {&place, index};
        result = read_entry(r, &inner, json_array_get(list, i), &entries[i]);
        entries[i].index = i;
    }
    if (result) {
        return result;
    }
    qsort(entries, count, sizeof *entries, by_time);
    return read_values(r, entries, count);
}

gyre_result gy_timeline_read(const gy_reader *r, json_t *root, gy_timeline *timeline)
{
    gyre_scene *scene = r->scene;
    gy_place place = {NULL, "timeline"};
    json_t *list = json_object_get(root, "timeline");
    int most = timeline == &scene->replay ? GY_REPLAY_KEYS : GY_SCENE_KEYS;
    if (!list) {
        return GYRE_OK;
    }
    if (!json_is_array(list) || json_array_size(list) > (size_t)most) {
        char found[128];
        gy_read_describe(list, found, sizeof found);
        return gy_read_fail(r, &place, false, "found %s, expected a list of at most %d entries",
                            found, most);
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
    return gy_timeline_link(scene, timeline);
}
