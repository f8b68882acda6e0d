// scene/input.c: what is put in while a scene runs: applied, recorded, kept for writing the scene.
#include "scene/read.h"

#include <stdlib.h>
#include <string.h>

/// The name under which messages speak of the text that was put in.
static const char input_name[] = "input";

static gyre_result too_early(const gyre_scene *scene)
{
    return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
}

/// "input:1:14: value.shape: ..." as a plain sentence about `path`.
static gyre_result retell(gyre_result result, const char *path)
{
    char message[900];
    const char *at = message;
    snprintf(message, sizeof message, "%.899s", gyre_message());
    if (strncmp(message, "input:", 6) == 0) {
        at = strstr(message, ": ");
        at = at ? at + 2 : message;
        at += strncmp(at, "value: ", 7) == 0 ? 7 : 0;
        return gyre_fail(result, "%.200s: %s", path, at);
    }
    return gyre_fail(result, "%s", message);
}

static gyre_result read_element_change(const gy_reader *r, const gy_place *place, json_t *json,
                                       gy_key *key)
{
    const gyre_property *pool = NULL;
    const char *element = "";
    bool found = gy_scene_pool(r->scene, key->path, &key->model, &pool, &element);
    key->change = json_is_object(json) ? GY_ADD : GY_REMOVE;
    if (!found || (key->change == GY_ADD) != (*element == 0)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: expected the path of %s", key->path,
                         key->change == GY_ADD ? "a list that the object is to be added to"
                                               : "an element of a list that null removes");
    }
    return key->change == GY_ADD ? gy_read_element(r, place, pool, json, &key->element) : GYRE_OK;
}

static gyre_result read_value(const gy_reader *r, const gy_place *place, json_t *json, gy_key *key)
{
    gyre_scene *scene = r->scene;
    const gyre_property *property;
    void *address;
    const char *rest = NULL;
    gy_scene_model *m = NULL;
    // The live def knows elements that came since the models were created.
    for (int i = 0; i < scene->model_count && !m; i++) {
        size_t length = strlen(scene->models[i].name);
        if (strncmp(key->path, scene->models[i].name, length) == 0 && key->path[length] == '.') {
            m = &scene->models[i];
            key->model = i;
            rest = key->path + length + 1;
        }
    }
    if (!m && strncmp(key->path, "bodies.", 7) == 0 && scene->bodies) {
        m = &scene->models[GY_BODIES];
        key->model = GY_BODIES;
        rest = key->path;
    }
    gyre_result result;
    if (m) {
        result = gyre_property_line(m->properties, gy_live_def(scene, key->model), rest, &property);
        result = gy_scene_in_model(scene, key->model, result);
    } else {
        result = gy_scene_walk(scene, key->path, &property, &address, &key->model, &rest);
    }
    if (result) {
        return result;
    }
    if (gy_scene_is_set_at_start(scene, key->path, key->model, rest)) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: is fixed when the run begins", key->path);
    }
    union {
        char bytes[512];
        double aligned;
    } copy;
    gyre_value value;
    result = gy_read_leaf(r, place, property, json, &copy, &value);
    return result || gy_value_keep(scene, &value, &key->value) ? result : GYRE_ERROR_MEMORY;
}

// Elements that the timeline brings find room, however many are put in.
static gyre_result check_room(gyre_scene *scene, const gy_key *key)
{
    const gyre_property *property;
    const char *element;
    int model;
    if (key->change != GY_ADD || !gy_scene_pool(scene, key->path, &model, &property, &element)) {
        return GYRE_OK;
    }
    const gyre_pool *pool =
        (const void *)((const char *)gy_live_def(scene, model) + property->offset);
    int coming = gy_shadow_coming(scene, model, property);
    if (coming < 0) {
        return GYRE_ERROR_MEMORY;
    }
    return pool->count + coming < pool->capacity
               ? GYRE_OK
               : gyre_fail(GYRE_ERROR_STATE,
                           "%.200s: full: found %d elements and %d that the timeline adds, "
                           "expected less than %d",
                           key->path, pool->count, coming, pool->capacity);
}

static gyre_result record(gyre_scene *scene, const gy_key *key)
{
    void *keys = scene->record;
    if (scene->record_count == GY_REPLAY_KEYS) {
        scene->record_full = true;
        return GYRE_OK;
    }
    if (!gy_scene_grow(scene, &keys, scene->record_count, &scene->record_room, sizeof *key)) {
        return GYRE_ERROR_MEMORY;
    }
    scene->record = keys;
    scene->record[scene->record_count++] = *key;
    return GYRE_OK;
}

// Applied, then recorded, both or neither.
static gyre_result put_in_room(gyre_scene *scene, gy_key *key)
{
    gyre_result result = check_room(scene, key);
    gyre_value value = gy_value_open(&key->value);
    gyre_id id = key->model < 0 ? 0 : gy_follow_id(scene, key->model, key->path);
    int count = scene->record_count;
    bool full = scene->record_full;
    result = result ? result : record(scene, key);
    if (result) {
        return result;
    }
    result = gy_key_apply(scene, key, &value);
    if (result) {
        scene->record_count = count;
        scene->record_full = full;
        return result;
    }
    return gy_follow(scene, key, id);
}

// The first body of a scene that had none brings the set along.
static gyre_result put_in(gyre_scene *scene, gy_key *key)
{
    bool made = false, first = key->change == GY_ADD && key->model == GY_BODIES;
    gyre_result result = first ? gy_scene_bodies_want(scene, &made) : GYRE_OK;
    result = result ? result : put_in_room(scene, key);
    if (result && made) {
        char message[800];
        snprintf(message, sizeof message, "%.799s", gyre_message());
        gy_scene_bodies_drop(scene);
        gyre_fail(result, "%s", message);
    }
    return result;
}

gyre_result gyre_scene_input(gyre_scene *scene, const char *path, const char *text)
{
    if (GY_MISSING("scene_input", scene) || GY_MISSING("scene_input", path) ||
        GY_MISSING("scene_input", text)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!scene->created) {
        return too_early(scene);
    }
    if (strlen(path) >= sizeof((gy_entry *)0)->path) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.60s...: a path of %zu bytes, expected less than %zu", path,
                         strlen(path), sizeof((gy_entry *)0)->path);
    }
    gy_key key = {.model = -1, .path = gy_scene_text(scene, path)};
    if (!key.path) {
        return GYRE_ERROR_MEMORY;
    }
    gy_reader r = {scene, input_name, text, strlen(text)};
    gy_place place = {NULL, "value"};
    json_t *json;
    gyre_result result = gy_read_json(&r, JSON_DECODE_ANY, &json);
    if (result) {
        return retell(result, path);
    }
    result = json_is_object(json) || json_is_null(json)
                 ? read_element_change(&r, &place, json, &key)
                 : read_value(&r, &place, json, &key);
    json_decref(json);
    if (result) {
        return retell(result, path);
    }
    key.time = gyre_scene_seconds(scene);
    return put_in(scene, &key);
}
