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
    gyre_result result;
    if (m) {
        result = gyre_property_walk(m->properties, (void *)(uintptr_t)gyre_model_def(m->model),
                                    rest, &property, &address);
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
    return gy_read_leaf(r, place, property, json, &copy, &key->value);
}

/// The scene's own defs follow, so that they can be written.
static gyre_result follow(gyre_scene *scene, const gy_key *key)
{
    const gyre_property *property;
    const char *element;
    void *address;
    int model;
    if (key->change == GY_SET) {
        // An element that the timeline has added is not among the defs.
        if (key->model >= 0 &&
            gy_scene_walk(scene, key->path, &property, &address, &model, NULL) == GYRE_OK) {
            gyre_property_write(property, address, &key->value);
        }
        return GYRE_OK;
    }
    gy_scene_pool(scene, key->path, &model, &property, &element);
    gyre_pool *pool = (void *)((char *)scene->models[model].def + property->offset);
    if (key->change == GY_ADD) {
        return gy_pool_append(scene, property, pool, key->element);
    }
    int index = gy_pool_find(property, pool, element);
    if (index >= 0) {
        gy_pool_remove(property, pool, index);
    }
    return GYRE_OK;
}

static bool make_room(gyre_scene *scene)
{
    if (scene->record_count < scene->record_room) {
        return true;
    }
    int room = scene->record_room ? 2 * scene->record_room : 256;
    gy_key *more = realloc(scene->record, (size_t)room * sizeof *more);
    if (!more) {
        gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory to record what is put in", scene->file);
        return false;
    }
    scene->record = more;
    scene->record_room = room;
    return true;
}

gyre_result gyre_scene_input(gyre_scene *scene, const char *path, const char *text)
{
    gy_key key = {.model = -1};
    if (!scene->created) {
        return too_early(scene);
    }
    if (strlen(path) >= sizeof key.path) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.60s...: a path of %zu bytes, expected less than %zu", path,
                         strlen(path), sizeof key.path);
    }
    strcpy(key.path, path);
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
    key.time = gyre_model_time(scene->models[key.model < 0 ? 0 : key.model].model);
    if (!make_room(scene)) {
        return GYRE_ERROR_MEMORY;
    }
    result = gy_key_apply(scene, &key, &key.value);
    if (result == GYRE_OK) {
        scene->record[scene->record_count++] = key;
        result = follow(scene, &key);
    }
    return result;
}
