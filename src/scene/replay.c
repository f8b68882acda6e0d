// scene/replay.c: what was put in while a scene ran, as a file, and from there into another run.
#include "io/system.h"
#include "scene/read.h"
#include "scene/write.h"

#include <stdlib.h>
#include <string.h>

static const gyre_pool *pool_of(const gy_scene_model *model, const gyre_property *property)
{
    return (const void *)((const char *)model->def + property->offset);
}

// What lists have room for: what was put in while the run went on found some.
static json_t *write_rooms(const gyre_scene *scene)
{
    json_t *rooms = json_object();
    for (int i = 0; i <= scene->model_count; i++) {
        const gy_scene_model *m = gy_scene_at(scene, i);
        for (const gyre_property *p = m->properties; p->kind != GYRE_END; p++) {
            char path[160];
            if (p->kind == GYRE_POOL && pool_of(m, p)->capacity > 0) {
                snprintf(path, sizeof path, "%s%s%s", m->name, m->name[0] ? "." : "", p->name);
                json_object_set_new(rooms, path, json_integer(pool_of(m, p)->capacity));
            }
        }
    }
    return rooms;
}

gyre_result gyre_replay_write(const gyre_scene *scene, const char *path)
{
    if (GY_MISSING("replay_write", scene) || GY_MISSING("replay_write", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (scene->loaded) {
        return gyre_fail(
            GYRE_ERROR_STATE,
            "%.200s: not written: the run has gone on from a saved state, and what was "
            "before is not recorded",
            path);
    }
    if (scene->record_full) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "%.200s: not written: more than the %d changes were put in that a replay "
                         "can hold",
                         path, (int)GY_REPLAY_KEYS);
    }
    char hash[24], *file = gy_io_absolute(scene->file);
    if (!file) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory to write it", path);
    }
    // Beside the scene its name is enough, and both can be moved.
    const char *slash = strrchr(file, '/');
    size_t folder = slash ? (size_t)(slash - file) : 0;
    char *place = gy_io_absolute_folder(path);
    bool beside = slash && place && strlen(place) == folder && strncmp(file, place, folder) == 0;
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)gyre_scene_hash(scene));
    json_t *root = json_object(), *sets = json_array();
    bool failed = json_object_set_new(root, "scene", json_string(beside ? slash + 1 : file)) != 0;
    for (int i = 0; i < scene->set_count; i++) {
        failed = json_array_append_new(sets, json_string(scene->sets[i])) != 0 || failed;
    }
    failed = (scene->set_count && json_object_set(root, "set", sets) != 0) || failed;
    failed = json_object_set_new(root, "steps", json_integer(scene->steps)) != 0 || failed;
    failed = json_object_set_new(root, "hash", json_string(hash)) != 0 || failed;
    failed = json_object_set_new(root, "room", write_rooms(scene)) != 0 || failed;
    json_t *keys = gy_write_keys(scene, scene->record, scene->record_count);
    failed = json_object_set_new(root, "timeline", keys) != 0 || failed;
    json_decref(sets);
    free(file);
    free(place);
    if (failed) {
        json_decref(root);
        root = NULL;
    }
    return gy_write_file(root, path);
}

/// A replay's text and what stands in it.
typedef struct replay {
    char *text;
    gy_reader reader;
    json_t *root;
    const char *scene;
    int64_t steps;
    uint64_t hash;
} replay;

static gyre_result read_text(const char *path, char **text, size_t *size)
{
    FILE *stream;
    uint64_t length;
    gyre_result result = gy_io_open(path, &stream, &length);
    if (result) {
        return result;
    }
    *text = length <= GY_REPLAY_FILE ? malloc((size_t)length + 1) : NULL;
    *size = *text ? fread(*text, 1, (size_t)length, stream) : 0;
    fclose(stream);
    if (*text && *size == length) {
        return GYRE_OK;
    }
    free(*text);
    *text = NULL;
    return length > GY_REPLAY_FILE
               ? gyre_fail(GYRE_ERROR_FILE, "%.200s: found %llu bytes, expected at most %d", path,
                           (unsigned long long)length, (int)GY_REPLAY_FILE)
               : gyre_fail(GYRE_ERROR_FILE, "%.200s: could not be read", path);
}

static gyre_result read_members(replay *p)
{
    static const char *const known[] = {"scene", "set", "steps", "hash", "room", "timeline"};
    const gy_reader *r = &p->reader;
    const char *key;
    json_t *member;
    if (!json_is_object(p->root)) {
        return gy_read_fail(r, NULL, false, "found no object, expected a replay");
    }
    json_object_foreach(p->root, key, member)
    {
        bool fits = false;
        for (int i = 0; i < 6; i++) {
            fits = fits || strcmp(key, known[i]) == 0;
        }
        gy_place place = {NULL, key};
        if (!fits) {
            return gy_read_fail(r, &place, true,
                                "unknown member \"%.60s\", expected one of \"scene\", \"set\", "
                                "\"steps\", \"hash\", \"room\", \"timeline\"",
                                key);
        }
    }
    json_t *steps = json_object_get(p->root, "steps"), *hash = json_object_get(p->root, "hash");
    gy_place at_scene = {NULL, "scene"}, at_steps = {NULL, "steps"}, at_hash = {NULL, "hash"};
    p->scene = json_string_value(json_object_get(p->root, "scene"));
    if (!p->scene || !*p->scene) {
        return gy_read_fail(r, &at_scene, false, "expected the name of a scene file");
    }
    p->steps = json_integer_value(steps);
    if (!json_is_integer(steps) || p->steps < 0 || p->steps > (int64_t)1 << 40) {
        return gy_read_fail(r, &at_steps, false, "expected the number of steps that were taken");
    }
    const char *digits = json_string_value(hash);
    if (!digits || strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16) {
        return gy_read_fail(r, &at_hash, false, "expected a hash: 16 hexadecimal digits");
    }
    p->hash = strtoull(digits, NULL, 16);
    return GYRE_OK;
}

static void replay_close(replay *p)
{
    json_decref(p->root);
    free(p->text);
}

static gyre_result replay_open(replay *p, gyre_scene *scene, const char *path)
{
    *p = (replay){0};
    size_t size = 0;
    gyre_result result = read_text(path, &p->text, &size);
    p->reader = (gy_reader){scene, path, p->text, size};
    result = result ? result : gy_read_json(&p->reader, 0, &p->root);
    result = result ? result : read_members(p);
    if (result) {
        replay_close(p);
    }
    return result;
}

gyre_result gyre_replay_scene(const char *path, char *scene, size_t size)
{
    if (GY_MISSING("replay_scene", path) || GY_MISSING("replay_scene", scene)) {
        return GYRE_ERROR_ARGUMENT;
    }
    replay p;
    gyre_result result = replay_open(&p, NULL, path);
    if (result) {
        return result;
    }
    const char *slash = strrchr(path, '/');
    int folder = p.scene[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    int length = snprintf(scene, size, "%.*s%s", folder, path, p.scene);
    replay_close(&p);
    return length >= 0 && (size_t)length < size
               ? GYRE_OK
               : gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s: its scene has too long a name", path);
}

// What was set before the recorded run began.
static gyre_result read_sets(const replay *p)
{
    const json_t *sets = json_object_get(p->root, "set");
    gy_place at = {NULL, "set"};
    if (sets && !json_is_array(sets)) {
        return gy_read_fail(&p->reader, &at, false, "expected a list of settings");
    }
    for (size_t i = 0; i < json_array_size(sets); i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        gy_place inner = {&at, index};
        const char *text = json_string_value(json_array_get(sets, i));
        if (!text) {
            return gy_read_fail(&p->reader, &inner, false,
                                "expected a path, = and a value in one text");
        }
        if (gyre_scene_assign(p->reader.scene, text)) {
            char message[900];
            snprintf(message, sizeof message, "%.899s", gyre_message());
            return gy_read_fail(&p->reader, &inner, false, "%s", message);
        }
    }
    return GYRE_OK;
}

// As much room in every list as the recorded run had.
static gyre_result read_rooms(const replay *p)
{
    json_t *rooms = json_object_get(p->root, "room"), *room;
    gyre_scene *scene = p->reader.scene;
    gy_place at = {NULL, "room"};
    const char *path;
    if (rooms && !json_is_object(rooms)) {
        return gy_read_fail(&p->reader, &at, false, "expected an object of numbers");
    }
    json_object_foreach(rooms, path, room)
    {
        const gyre_property *property;
        const char *element;
        int model;
        gy_place inner = {&at, path};
        if (!gy_scene_pool(scene, path, &model, &property, &element) || *element) {
            return gy_read_fail(&p->reader, &inner, false, "the scene has no such list");
        }
        const gyre_pool *pool = pool_of(&scene->models[model], property);
        int64_t now = pool->capacity > 0 ? pool->capacity : pool->count + 8;
        int64_t more = json_integer_value(room) - now;
        if (!json_is_integer(room) || more > INT32_MAX ||
            (more > 0 && gyre_scene_reserve(scene, path, (int)more))) {
            return gy_read_fail(&p->reader, &inner, false,
                                "expected how many elements a list of the scene has room for");
        }
    }
    return GYRE_OK;
}

gyre_result gyre_replay_load(gyre_scene *scene, const char *path, int64_t *steps, uint64_t *hash)
{
    if (GY_MISSING("replay_load", scene) || GY_MISSING("replay_load", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    replay p;
    if (scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are created already", scene->file);
    }
    gyre_result result = replay_open(&p, scene, path);
    if (result) {
        return result;
    }
    result = read_sets(&p);
    result = result ? result : gy_timeline_read(&p.reader, p.root, &scene->replay);
    result = result ? result : read_rooms(&p);
    if (steps) {
        *steps = p.steps;
    }
    if (hash) {
        *hash = p.hash;
    }
    replay_close(&p);
    return result;
}
