// scene/checkpoint.c: the whole state of a run: the step counter and every model's saved state.
//
// Layout, little-endian: magic (8), u32 version, u32 models, u64 steps, u32 bits of fps, u32 steps
// per frame; u64 length and bytes of what the scene has said of the models up to then (JSON, see
// edits.c); for each model u32 length and bytes of its name, the same of its type, u64 size and
// bytes of its state; of a scene with bodies (version 3, or 4 where the first of them came while it
// ran, else 2) u64 size and bytes of theirs; u64 checksum (FNV-1a) of all before it.
#include "io/system.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 2, WITH_BODIES = 3, BODIES_CAME = 4, MAGIC = 8 };

static const char magic[MAGIC + 1] = "GYRERUN\n";

static uint64_t checksum(const unsigned char *bytes, size_t size, uint64_t sum)
{
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    }
    return sum;
}

typedef struct saver {
    gy_io_file *file;
    uint64_t sum;
} saver;

static gyre_result put(saver *s, const void *bytes, size_t size)
{
    s->sum = checksum(bytes, size, s->sum);
    return gy_io_write(s->file, bytes, size);
}

static gyre_result put_number(saver *s, uint64_t number, int size)
{
    unsigned char bytes[8];
    for (int i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(number >> (8 * i));
    }
    return put(s, bytes, (size_t)size);
}

static gyre_result put_text(saver *s, const char *text)
{
    gyre_result result = put_number(s, strlen(text), 4);
    return result ? result : put(s, text, strlen(text));
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static gyre_result put_model(saver *s, const gy_scene_model *m)
{
    size_t size = gyre_model_save_size(m->model);
    unsigned char *state = malloc(size ? size : 1);
    if (!state) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a checkpoint of %zu bytes", size);
    }
    gyre_result result = gyre_model_save(m->model, state, size, &size);
    result = result ? result : put_text(s, m->name);
    result = result ? result : put_text(s, m->type);
    result = result ? result : put_number(s, size, 8);
    result = result ? result : put(s, state, size);
    free(state);
    return result;
}

static uint32_t version_of(const gyre_scene *scene)
{
    return gy_scene_bodies_are(scene) ? WITH_BODIES : scene->bodies ? BODIES_CAME : VERSION;
}

static gyre_result put_bodies(saver *s, const gyre_scene *scene)
{
    if (!scene->bodies) {
        return GYRE_OK;
    }
    size_t size = gyre_bodies_save_size(scene->bodies);
    unsigned char *state = malloc(size ? size : 1);
    if (!state) {
        return gyre_fail(GYRE_ERROR_MEMORY, "no memory for a checkpoint of %zu bytes", size);
    }
    gyre_result result = gyre_bodies_save(scene->bodies, state, size, &size);
    result = result ? result : put_number(s, size, 8);
    result = result ? result : put(s, state, size);
    free(state);
    return result;
}

static gyre_result put_said(saver *s, gyre_scene *scene)
{
    char *said = gy_edits_write(scene);
    if (!said) {
        return GYRE_ERROR_STATE;
    }
    gyre_result result = put_number(s, strlen(said), 8);
    result = result ? result : put(s, said, strlen(said));
    free(said);
    return result;
}

gyre_result gyre_scene_save_file(const gyre_scene *scene, const char *path)
{
    if (GY_MISSING("scene_save_file", scene) || GY_MISSING("scene_save_file", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    saver s = {NULL, 0xcbf29ce484222325u};
    gyre_result result = gy_io_create(path, &s.file);
    if (result) {
        return result;
    }
    const gyre_scene_time *time = &scene->settings.time;
    result = put(&s, magic, MAGIC);
    result = result ? result : put_number(&s, version_of(scene), 4);
    result = result ? result : put_number(&s, (uint64_t)scene->model_count, 4);
    result = result ? result : put_number(&s, (uint64_t)scene->steps, 8);
    result = result ? result : put_number(&s, bits_of(time->fps), 4);
    result = result ? result : put_number(&s, (uint64_t)time->steps_per_frame, 4);
    result = result ? result : put_said(&s, (gyre_scene *)(uintptr_t)scene); // its defs come back
    for (int i = 0; i < scene->model_count && result == GYRE_OK; i++) {
        result = put_model(&s, &scene->models[i]);
    }
    result = result ? result : put_bodies(&s, scene);
    result = result ? result : put_number(&s, s.sum, 8);
    if (result) {
        gy_io_discard(s.file);
        return result;
    }
    return gy_io_commit(s.file);
}

typedef struct loader {
    const char *path;
    const unsigned char *at, *end;
    bool bodies; // they are in it
} loader;

static gyre_result refuse(const loader *l, const char *why)
{
    return gyre_fail(GYRE_ERROR_FORMAT, "%.200s: %s", l->path, why);
}

static bool take(loader *l, size_t size, const unsigned char **bytes)
{
    if ((size_t)(l->end - l->at) < size) {
        return false;
    }
    *bytes = l->at;
    l->at += size;
    return true;
}

static bool take_number(loader *l, int size, uint64_t *number)
{
    const unsigned char *bytes;
    if (!take(l, (size_t)size, &bytes)) {
        return false;
    }
    *number = 0;
    for (int i = 0; i < size; i++) {
        *number |= (uint64_t)bytes[i] << (8 * i);
    }
    return true;
}

static bool take_text(loader *l, const char *expected)
{
    uint64_t length;
    const unsigned char *bytes;
    return take_number(l, 4, &length) && length == strlen(expected) &&
           take(l, (size_t)length, &bytes) && memcmp(bytes, expected, (size_t)length) == 0;
}

static gyre_result take_header(loader *l, const gyre_scene *scene, int64_t *steps)
{
    const unsigned char *bytes;
    uint64_t version, models, step, fps, per_frame;
    if (!take(l, MAGIC, &bytes) || memcmp(bytes, magic, MAGIC) != 0) {
        return refuse(l, "found no checkpoint of a run, expected one made by --checkpoint");
    }
    if (!take_number(l, 4, &version) || version < VERSION || version > BODIES_CAME) {
        return refuse(l, "found a checkpoint of another version, expected version 2 to 4");
    }
    if ((version == WITH_BODIES) != gy_scene_bodies_are(scene)) {
        return refuse(l, version != WITH_BODIES
                             ? "found a checkpoint of a scene without bodies"
                             : "found a checkpoint of a scene with bodies, expected none");
    }
    l->bodies = version != VERSION;
    const unsigned char *start = l->at - MAGIC - 4;
    if (l->end - l->at < 24 + 8) {
        return refuse(l, "found a checkpoint that is cut short");
    }
    loader sum = {.path = l->path, .at = l->end - 8, .end = l->end};
    uint64_t saved = 0;
    take_number(&sum, 8, &saved);
    l->end -= 8;
    if (checksum(start, (size_t)(l->end - start), 0xcbf29ce484222325u) != saved) {
        return refuse(l, "found a damaged checkpoint: its checksum does not fit");
    }
    if (!take_number(l, 4, &models) || !take_number(l, 8, &step) || !take_number(l, 4, &fps) ||
        !take_number(l, 4, &per_frame) || step > INT64_MAX) {
        return refuse(l, "found a checkpoint that is cut short");
    }
    const gyre_scene_time *time = &scene->settings.time;
    if (fps != bits_of(time->fps) || per_frame != (uint64_t)time->steps_per_frame) {
        return refuse(l, "found a checkpoint of another frame rate or number of steps per frame");
    }
    if (models != (uint64_t)scene->model_count) {
        return refuse(l, "found a checkpoint of another scene: it has other models");
    }
    *steps = (int64_t)step;
    return GYRE_OK;
}

// Models meet them as they are when they go on: they come first, though they stand behind.
static gyre_result load_bodies(const loader *models, gyre_scene *scene)
{
    loader l = *models;
    const unsigned char *bytes;
    uint64_t size = 0, length;
    bool whole = true;
    for (int i = 0; i < scene->model_count && whole; i++) {
        for (int text = 0; text < 2; text++) { // name and type
            whole = whole && take_number(&l, 4, &length) && length <= (uint64_t)(l.end - l.at) &&
                    take(&l, (size_t)length, &bytes);
        }
        whole = whole && take_number(&l, 8, &size) && size <= (uint64_t)(l.end - l.at) &&
                take(&l, (size_t)size, &bytes);
    }
    if (!whole || !take_number(&l, 8, &size) || size != (uint64_t)(l.end - l.at)) {
        return refuse(&l, "found a checkpoint that is cut short");
    }
    gyre_result result = gyre_bodies_load(scene->bodies, l.at, (size_t)size);
    if (result) {
        char message[700];
        snprintf(message, sizeof message, "%.699s", gyre_message());
        return gyre_fail(result, "%.200s: %s", l.path, message);
    }
    return GYRE_OK;
}

static gyre_result load_models(loader *l, gyre_scene *scene)
{
    gyre_result bodies = GYRE_OK;
    if (l->bodies) {
        bool made;
        bodies = gy_scene_bodies_want(scene, &made);
        bodies = bodies ? bodies : load_bodies(l, scene);
        if (bodies && made) {
            gy_scene_bodies_drop(scene);
        }
    } else {
        gy_scene_bodies_drop(scene); // they came later
    }
    if (bodies) {
        return bodies;
    }
    for (int i = 0; i < scene->model_count; i++) {
        gy_scene_model *m = &scene->models[i];
        uint64_t size;
        const unsigned char *bytes;
        if (!take_text(l, m->name) || !take_text(l, m->type)) {
            return refuse(l, "found a checkpoint of another scene: it has other models");
        }
        if (!take_number(l, 8, &size) || size > (uint64_t)(l->end - l->at) ||
            !take(l, (size_t)size, &bytes)) {
            return refuse(l, "found a checkpoint that is cut short");
        }
        gyre_result result = gyre_model_load(m->model, bytes, (size_t)size);
        if (result) {
            char message[700];
            snprintf(message, sizeof message, "%.699s", gyre_message());
            return gyre_fail(result, "%.200s: %s: %s", l->path, m->name, message);
        }
    }
    return l->at == l->end || scene->bodies ? GYRE_OK
                                            : refuse(l, "found more than the models of this scene");
}

/// A checkpoint's bytes, and what stands before its models.
typedef struct checkpoint {
    unsigned char *bytes;
    loader rest;
    int64_t steps;
    const char *said;
    size_t said_size;
} checkpoint;

static gyre_result read_bytes(const char *path, checkpoint *c)
{
    FILE *stream;
    uint64_t size;
    gyre_result result = gy_io_open(path, &stream, &size);
    if (result) {
        return result;
    }
    c->bytes = size < SIZE_MAX / 2 ? malloc((size_t)size + 1) : NULL;
    size_t got = c->bytes ? fread(c->bytes, 1, (size_t)size, stream) : 0;
    fclose(stream);
    if (!c->bytes) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for its %llu bytes", path,
                         (unsigned long long)size);
    }
    c->rest = (loader){.path = path, .at = c->bytes, .end = c->bytes + size};
    return got == size ? GYRE_OK : gyre_fail(GYRE_ERROR_FILE, "%.200s: could not be read", path);
}

static gyre_result read_checkpoint(const char *path, const gyre_scene *scene, checkpoint *c)
{
    uint64_t size = 0;
    const unsigned char *said = NULL;
    *c = (checkpoint){0};
    gyre_result result = read_bytes(path, c);
    result = result ? result : take_header(&c->rest, scene, &c->steps);
    if (!result &&
        (!take_number(&c->rest, 8, &size) || size > (uint64_t)(c->rest.end - c->rest.at) ||
         !take(&c->rest, (size_t)size, &said))) {
        result = refuse(&c->rest, "found a checkpoint that is cut short");
    }
    if (result) {
        free(c->bytes);
        return result;
    }
    c->said = (const char *)said;
    c->said_size = (size_t)size;
    return GYRE_OK;
}

static gyre_result load_state(checkpoint *c, gyre_scene *scene)
{
    gyre_result result = load_models(&c->rest, scene);
    if (result == GYRE_OK) {
        scene->steps = c->steps;
        scene->loaded = true;
        result = gy_timeline_resume(scene);
    }
    return result;
}

gyre_result gyre_scene_load_file(gyre_scene *scene, const char *path)
{
    checkpoint c;
    if (GY_MISSING("scene_load_file", scene) || GY_MISSING("scene_load_file", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    gyre_result result = read_checkpoint(path, scene, &c);
    if (result == GYRE_OK) {
        result = load_state(&c, scene);
        free(c.bytes);
    }
    return result;
}

gyre_result gyre_scene_resume(gyre_scene *scene, gyre_device *device, const char *path,
                              gyre_tell *tell, void *context)
{
    checkpoint c;
    gy_edits *edits = NULL;
    if (GY_MISSING("scene_resume", scene) || GY_MISSING("scene_resume", device) ||
        GY_MISSING("scene_resume", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are created already", scene->file);
    }
    gyre_result result = read_checkpoint(path, scene, &c);
    if (result) {
        return result;
    }
    result = gy_edits_read(scene, path, c.said, c.said_size, &edits);
    result = result ? result : gy_edits_prepare(edits);
    result = result ? result : gyre_scene_create(scene, device);
    result = result ? result : load_state(&c, scene);
    result = result ? result : gy_edits_take(edits, tell, context);
    gy_edits_free(edits);
    free(c.bytes);
    return result;
}
