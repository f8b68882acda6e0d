// scene/scene.c: a scene's life: loaded, changed by path, created, stepped.
#include "scene/scene.h"

#include "gyre/property_table.h"
#include "io/system.h"

#include <stdlib.h>
#include <string.h>

#define TIME(kind, ...) GYRE_PROPERTY_##kind(gyre_scene_time, __VA_ARGS__)
static const gyre_property time_properties[] = {
    TIME(FLOAT, fps, "1/s", 0.01, 10000, "frames per second of the fluid's time", .initial = {30}),
    TIME(INT, frames, "1", 0, 1e9, "frames of a whole run", .initial = {240}),
    TIME(INT, steps_per_frame, "1", 1, 1000, "steps of the models per frame", .initial = {1}),
    TIME(INT, seed, "1", 0, 2147483647, "added to the seed of every model that has one"),
    GYRE_PROPERTY_END,
};

#define OUTPUT(kind, ...) GYRE_PROPERTY_##kind(gyre_scene_output, __VA_ARGS__)
static const gyre_property output_properties[] = {
    OUTPUT(INT, width, "1", 16, 8192, "width of pictures in pixels", .initial = {640}),
    OUTPUT(INT, height, "1", 16, 8192, "height of pictures in pixels", .initial = {480}),
    OUTPUT(FLOAT, fps, "1/s", 0, 240,
           "frames per second of videos: less than time.fps is slow motion; 0: time.fps"),
    GYRE_PROPERTY_END,
};

static const char *const ups[] = {"own", "y", "z", NULL};

#define COUPLING(kind, ...) GYRE_PROPERTY_##kind(gyre_coupling, __VA_ARGS__)
static const gyre_property coupling_properties[] = {
    COUPLING(STRING, name, "for paths", .flags = GYRE_NAME),
    COUPLING(BOOL, enabled, "whether it acts", .initial = {1}),
    COUPLING(STRING, element, "what is moved: \"air.emitters.steam\""),
    COUPLING(STRING, surface, "the model on whose surface it is kept: \"pool\""),
    COUPLING(FLOAT, offset, "m", -1e5, 1e5, "above the surface"),
    COUPLING(STRING, body,
             "in place of a surface, the body in whose own frame the element's shape is: \"boat\""),
    COUPLING(STRING, air, "in place of an element, the gas whose floor is that surface: \"air\""),
    COUPLING(STRING, nest,
             "in place of an element, the water that is nested in a coarser one: \"harbour\""),
    COUPLING(STRING, in, "the water that it is nested in: \"sea\""),
    COUPLING(FLOAT, drag, "1", 0, 10, "of the wind on the water, by the speed right above it"),
    COUPLING(STRING, window, "in place of an element, water that is joined to `sea`: \"bay\""),
    COUPLING(STRING, sea, "the ocean that it is a window of: \"ocean\""),
    GYRE_PROPERTY_END,
};

#define KNOWN_VALUE(kind, ...) GYRE_PROPERTY_##kind(gyre_known_value, __VA_ARGS__)
#define KNOWN_OTHER(kind, ...) GYRE_PROPERTY_##kind(gyre_known_other, __VA_ARGS__)
#define KNOWN(kind, ...) GYRE_PROPERTY_##kind(gyre_known, __VA_ARGS__)
static const char *const known_kinds[] = {"relative", "absolute", "at_least",
                                          "at_most",  "order",    NULL};

static const gyre_property known_value_properties[] = {
    KNOWN_VALUE(STRING, name, "what the measure calls it", .flags = GYRE_NAME),
    KNOWN_VALUE(ENUM, kind, known_kinds, "what its error is"),
    KNOWN_VALUE(INT, cells, "1", 0, 8192, "along x, of the grid that it holds of; 0: the finest"),
    KNOWN_VALUE(DOUBLE, value, "1", 0, 0, "what is known, in the measure's unit"),
    KNOWN_VALUE(DOUBLE, tolerance, "1", 0, 1e30, "the greatest error"),
    KNOWN_VALUE(BOOL, quick, "whether a quick run's grids must have it, too"),
    KNOWN_VALUE(STRING, by, "of whom it is asked: \"gas, cubic\"; empty: of the scene as it is"),
    KNOWN_VALUE(STRING, source, "where it comes from; empty: as all of it"),
    GYRE_PROPERTY_END,
};

static const gyre_property known_other_properties[] = {
    KNOWN_OTHER(STRING, name, "what the measure calls it", .flags = GYRE_NAME),
    KNOWN_OTHER(STRING, by, "who has come to it"),
    KNOWN_OTHER(INT, cells, "1", 0, 8192, "along x"),
    KNOWN_OTHER(DOUBLE, value, "1", 0, 0, "in the measure's unit"),
    KNOWN_OTHER(STRING, source, "where that is said"),
    GYRE_PROPERTY_END,
};

static const char *const known_runs[] = {"quick", "full", "overnight", NULL};

static const gyre_property known_grid_properties[] = {
    GYRE_PROPERTY_INT(gyre_known_grid, cells, "1", 1, 8192, "along x", .initial = {64}),
    GYRE_PROPERTY_ENUM(gyre_known_grid, run, known_runs, "of which run it is", .initial = {1}),
    GYRE_PROPERTY_END,
};

static const gyre_property known_picture_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_known_picture, at, "s", 0, 1e9, "from the start of the run"),
    GYRE_PROPERTY_STRING(gyre_known_picture, of, "what it shows"),
    GYRE_PROPERTY_END,
};

static const gyre_property known_number_properties[] = {
    GYRE_PROPERTY_FLOAT(gyre_amount, amount, "1", 0, 0, "in the measure's unit"),
    GYRE_PROPERTY_END,
};

static const gyre_property known_properties[] = {
    KNOWN(STRING, measure, "what gyre validate measures: see gyre validate --measures"),
    KNOWN(STRING, source, "where what is known comes from"),
    KNOWN(POOL, grids, gyre_known_grid, 24, known_grid_properties,
          "what it is measured on, the coarse ones of a run first"),
    KNOWN(FLOAT, courant, "1", 0, 100, "steps of so many cells at that speed; 0: the scene's own"),
    KNOWN(FLOAT, speed, "m/s", 1e-6, 1e6, "for the length of steps", .initial = {1}),
    KNOWN(AMOUNTS, with, known_number_properties, "numbers that the measure asks for, by name"),
    KNOWN(POOL, values, gyre_known_value, 64, known_value_properties, "what it must come to"),
    KNOWN(POOL, others, gyre_known_other, 64, known_other_properties,
          "what others are said to have come to"),
    KNOWN(POOL, pictures, gyre_known_picture, 4, known_picture_properties,
          "what the page shows of its finest grid; none: its end"),
    GYRE_PROPERTY_END,
};

#define SCENE(kind, ...) GYRE_PROPERTY_##kind(gyre_scene_settings, __VA_ARGS__)
const gyre_property gyre_scene_properties[] = {
    SCENE(STRING, title, "what the scene is called"),
    SCENE(STRING, doc, "what it shows, in a sentence"),
    SCENE(STRING, device,
          "what computes it: cpu, vulkan, or vulkan:NAME with an index or part of a name; empty: "
          "cpu"),
    SCENE(ENUM, up, ups,
          "the axis that points up, which defaults follow (gravity, camera, light); own: y in a "
          "gas, z of water",
          .flags = GYRE_FIXED),
    SCENE(POOL, couplings, gyre_coupling, 64, coupling_properties,
          "what ties models together, in each step after the timeline and before the models",
          .flags = GYRE_FIXED),
    SCENE(POOL, bodies, gyre_body, GY_SCENE_BODIES, gyre_body_properties,
          "what every model is handed that takes bodies: floats, keeps smoke out, is drawn once"),
    SCENE(STRUCT, time, time_properties, "frames and steps"),
    SCENE(STRUCT, camera, gyre_camera_properties, "where the scene is seen from"),
    SCENE(STRUCT, light, gyre_light_properties, "what lights it"),
    SCENE(STRUCT, view, gyre_view_properties, "how fields are shown"),
    SCENE(STRUCT, output, output_properties, "size of pictures"),
    SCENE(STRUCT, known, known_properties, "what gyre validate holds it against"),
    GYRE_PROPERTY_END,
};

// ---- memory

void *gy_scene_allocate(gyre_scene *scene, size_t size)
{
    if (scene->memory_count == scene->memory_room) {
        int room = scene->memory_room ? 2 * scene->memory_room : 16;
        void **more = realloc(scene->memory, (size_t)room * sizeof *more);
        if (!more) {
            gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the scene", scene->file);
            return NULL;
        }
        scene->memory = more;
        scene->memory_room = room;
    }
    void *memory = calloc(1, size);
    if (!memory) {
        gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the scene", scene->file);
        return NULL;
    }
    scene->memory[scene->memory_count++] = memory;
    return memory;
}

const char *gy_scene_text(gyre_scene *scene, const char *text)
{
    size_t length = strlen(text);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    const char **known = &scene->texts[hash % (sizeof scene->texts / sizeof *scene->texts)];
    if (!*known || strcmp(*known, text) != 0) {
        char *copy = gy_scene_allocate(scene, length + 1);
        if (!copy) {
            return NULL;
        }
        memcpy(copy, text, length);
        *known = copy;
    }
    return *known;
}

bool gy_scene_grow(const gyre_scene *scene, void **array, int count, int *room, size_t size)
{
    if (count < *room) {
        return true;
    }
    int more = *room ? 2 * *room : 64;
    void *moved = realloc(*array, (size_t)more * size);
    if (!moved) {
        gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the scene", scene->file);
        return false;
    }
    *array = moved;
    *room = more;
    return true;
}

// FNV-1a over words: an array is large, and this tells two apart, no more.
static uint64_t hash_of(const gyre_volume *volume)
{
    size_t count = (size_t)volume->n[0] * (size_t)volume->n[1] * (size_t)volume->n[2];
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, volume->data + i, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

static char *keep_text(gyre_scene *scene, const char *text)
{
    char *copy = gy_scene_allocate(scene, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

gyre_result gy_scene_keep_volume(gyre_scene *scene, gyre_volume *kept, const char *name,
                                 const char *file)
{
    gyre_volume volume = *kept;
    if (scene->volume_count == scene->volume_room) {
        int room = scene->volume_room ? 2 * scene->volume_room : 8;
        gyre_volume *more = realloc(scene->volumes, (size_t)room * sizeof *more);
        scene->volumes = more ? more : scene->volumes;
        char **names = realloc(scene->volume_names, (size_t)room * sizeof *names);
        scene->volume_names = names ? names : scene->volume_names;
        char **files = realloc(scene->volume_files, (size_t)room * sizeof *files);
        scene->volume_files = files ? files : scene->volume_files;
        uint64_t *hashes = realloc(scene->volume_hashes, (size_t)room * sizeof *hashes);
        scene->volume_hashes = hashes ? hashes : scene->volume_hashes;
        if (!more || !names || !files || !hashes) {
            gyre_volume_free(&volume);
            return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the scene", scene->file);
        }
        scene->volume_room = room;
    }
    char *copy = keep_text(scene, name), *copy_file = keep_text(scene, file);
    if (!copy || !copy_file) {
        gyre_volume_free(&volume);
        return GYRE_ERROR_MEMORY;
    }
    scene->volume_names[scene->volume_count] = copy;
    scene->volume_files[scene->volume_count] = copy_file;
    scene->volume_hashes[scene->volume_count] = hash_of(&volume);
    volume.key = copy;
    scene->volumes[scene->volume_count++] = volume;
    *kept = volume;
    return GYRE_OK;
}

const char *gy_scene_volume_name(const gyre_scene *scene, const gyre_volume *volume)
{
    for (int i = 0; i < scene->volume_count; i++) {
        if (scene->volumes[i].data == volume->data) {
            return scene->volume_names[i];
        }
    }
    return NULL;
}

uint64_t gy_scene_volume_hash(const gyre_scene *scene, const gyre_volume *volume)
{
    for (int i = 0; i < scene->volume_count; i++) {
        if (scene->volumes[i].data == volume->data) {
            return scene->volume_hashes[i];
        }
    }
    return 0;
}

void gyre_scene_destroy(gyre_scene *scene)
{
    if (!scene) {
        return;
    }
    for (int i = 0; i < scene->model_count; i++) {
        gyre_model_destroy(scene->models[i].model);
    }
    gy_scene_bodies_destroy(scene);
    gy_start_free(scene);
    gy_given_free(scene);
    for (int i = 0; i < scene->volume_count; i++) {
        gyre_volume_free(&scene->volumes[i]);
    }
    for (int i = 0; i < scene->memory_count; i++) {
        free(scene->memory[i]);
    }
    gyre_render_memory_destroy(scene->drawn);
    gy_scene_texels_free(scene);
    free(scene->record);
    free(scene->sets);
    free(scene->live);
    free(scene->volume_names);
    free(scene->volume_files);
    free(scene->volume_hashes);
    free(scene->volumes);
    free(scene->memory);
    free(scene->file);
    free(scene);
}

// ---- loading

gyre_result gyre_scene_parse(const char *text, size_t size, const char *name, gyre_scene **scene)
{
    if (GY_MISSING("scene_parse", text) || GY_MISSING("scene_parse", name) ||
        GY_MISSING("scene_parse", scene)) {
        return GYRE_ERROR_ARGUMENT;
    }
    // A byte-order mark says nothing in UTF-8, and some editors write one.
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    gyre_scene *made = calloc(1, sizeof *made);
    size_t length = strlen(name);
    char *file = malloc(length + 1);
    if (!made || !file) {
        free(made);
        free(file);
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the scene", name);
    }
    memcpy(file, name, length + 1);
    made->file = file;
    gyre_property_defaults(gyre_scene_properties, &made->settings, sizeof made->settings);
    gy_scene_bodies_begin(made);
    gyre_result result = size <= GY_SCENE_FILE ? gy_scene_read(made, text, size)
                                               : gyre_fail(GYRE_ERROR_FILE,
                                                           "%.200s: found %zu bytes, expected at "
                                                           "most %d",
                                                           name, size, (int)GY_SCENE_FILE);
    if (result) {
        gyre_scene_destroy(made);
        return result;
    }
    *scene = made;
    return GYRE_OK;
}

gyre_result gyre_scene_load(const char *path, gyre_scene **scene)
{
    if (GY_MISSING("scene_load", path) || GY_MISSING("scene_load", scene)) {
        return GYRE_ERROR_ARGUMENT;
    }
    FILE *stream;
    uint64_t size;
    gyre_result result = gy_io_open(path, &stream, &size);
    if (result) {
        return result;
    }
    if (size > GY_SCENE_FILE) {
        fclose(stream);
        return gyre_fail(GYRE_ERROR_FILE, "%.200s: found %llu bytes, expected at most %d", path,
                         (unsigned long long)size, (int)GY_SCENE_FILE);
    }
    char *text = malloc((size_t)size + 1);
    size_t got = text ? fread(text, 1, (size_t)size, stream) : 0;
    fclose(stream);
    if (!text) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory for the scene", path);
    }
    result = got == size ? gyre_scene_parse(text, got, path, scene)
                         : gyre_fail(GYRE_ERROR_FILE, "%.200s: could not be read", path);
    free(text);
    return result;
}

// ---- paths

// The model whose name the path begins with; -1 when there is none. *rest is what follows.
int gy_scene_model_of(const gyre_scene *scene, const char *path, const char **rest)
{
    size_t length = strcspn(path, ".");
    for (int i = 0; i < scene->model_count; i++) {
        if (strlen(scene->models[i].name) == length &&
            memcmp(scene->models[i].name, path, length) == 0) {
            *rest = path[length] ? path + length + 1 : path + length;
            return i;
        }
    }
    if (length == strlen("bodies") && memcmp(path, "bodies", length) == 0) {
        *rest = path;
        return GY_BODIES;
    }
    return -1;
}

static const char *top_name(const void *list, int i)
{
    const gyre_scene *scene = list;
    return i < scene->model_count ? scene->models[i].name
                                  : gyre_scene_properties[i - scene->model_count].name;
}

gyre_result gy_scene_in_model(const gyre_scene *scene, int model, gyre_result result)
{
    if (result == GYRE_OK || model == GY_BODIES) {
        return result;
    }
    char message[900];
    snprintf(message, sizeof message, "%.899s", gyre_message());
    return gyre_fail(result, "%s.%s", scene->models[model].name, message);
}

/// gyre_property_walk() or one like it.
typedef gyre_result follow_path(const gyre_property *table, void *def, const char *path,
                                const gyre_property **property, void **address);

static gyre_result find_line(const gyre_property *table, void *def, const char *path,
                             const gyre_property **property, void **address)
{
    *address = NULL;
    return gyre_property_line(table, def, path, property);
}

static gyre_result walk(gyre_scene *scene, const char *path, follow_path *follow,
                        const gyre_property **property, void **address, int *model,
                        const char **rest)
{
    const char *below = path;
    *model = gy_scene_model_of(scene, path, &below);
    if (rest) {
        *rest = below;
    }
    if (*model >= 0) {
        gy_scene_model *m = &scene->models[*model];
        return gy_scene_in_model(scene, *model,
                                 follow(m->properties, m->def, below, property, address));
    }
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(path, "."), path);
    if (!gyre_property_find(gyre_scene_properties, first)) {
        int count = scene->model_count;
        while (gyre_scene_properties[count - scene->model_count].kind != GYRE_END) {
            count++;
        }
        const char *nearest = gyre_name_nearest(first, count, top_name, scene);
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.100s: unknown model or section \"%s\", %s\"%s\"%s",
                         path, first, nearest ? "did you mean " : "expected one such as ",
                         nearest ? nearest : scene->models[0].name, nearest ? "?" : "");
    }
    return follow(gyre_scene_properties, &scene->settings, path, property, address);
}

gyre_result gy_scene_walk(gyre_scene *scene, const char *path, const gyre_property **property,
                          void **address, int *model, const char **rest)
{
    return walk(scene, path, gyre_property_walk, property, address, model, rest);
}

gyre_result gy_scene_reach(gyre_scene *scene, const char *path, const gyre_property **property,
                           void **address, int *model, const char **rest)
{
    return walk(scene, path, gyre_property_reach, property, address, model, rest);
}

bool gy_scene_is_fixed(const gyre_property *table, const char *path)
{
    while (table && *path) {
        char part[128];
        size_t length = strcspn(path, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        const gyre_property *p = gyre_property_find(table, part);
        if (!p || (p->flags & (GYRE_FIXED | GYRE_NAME))) {
            return p != NULL;
        }
        path += length + (path[length] == '.');
        table = p->properties;
        if (p->kind == GYRE_POOL) {
            path += strcspn(path, ".");
            path += *path == '.';
        }
    }
    return false;
}

bool gy_scene_is_set_at_start(const gyre_scene *scene, const char *path, int model,
                              const char *rest)
{
    return model < 0 ? strncmp(path, "time.", 5) == 0 || strncmp(path, "output.", 7) == 0 ||
                           !strchr(path, '.')
                     : gy_scene_is_fixed(scene->models[model].properties, rest);
}

gyre_result gy_scene_write(gyre_scene *scene, const char *path, const gyre_value *value)
{
    const char *rest;
    int model = gy_scene_model_of(scene, path, &rest);
    if (model >= 0 && (scene->models[model].model || (model == GY_BODIES && scene->bodies))) {
        return gy_scene_in_model(scene, model, gy_live_set(scene, model, rest, value));
    }
    const gyre_property *property;
    void *address;
    gyre_result result = gy_scene_reach(scene, path, &property, &address, &model, NULL);
    return result ? result : gyre_property_set(property, address, value);
}

// What is set before the run begins belongs to its record.
static gyre_result record_set(gyre_scene *scene, const char *path, const char *text)
{
    size_t size = strlen(path) + strlen(text) + 2;
    char *copy = gy_scene_allocate(scene, size);
    void *sets = scene->sets;
    if (!copy ||
        !gy_scene_grow(scene, &sets, scene->set_count, &scene->set_room, sizeof *scene->sets)) {
        return GYRE_ERROR_MEMORY;
    }
    snprintf(copy, size, "%s=%s", path, text);
    scene->sets = sets;
    scene->sets[scene->set_count++] = copy;
    return GYRE_OK;
}

gyre_result gyre_scene_set(gyre_scene *scene, const char *path, const char *text)
{
    if (GY_MISSING("scene_set", scene) || GY_MISSING("scene_set", path) ||
        GY_MISSING("scene_set", text)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gyre_property *property;
    void *address;
    int model;
    // The def is walked for the property's line also where the model is live: its shape is the same
    // and the model's own pools are asked next.
    gyre_result result = walk(scene, path, find_line, &property, &address, &model, NULL);
    if (result) {
        return result;
    }
    gyre_value value;
    if (model < 0 && (property->flags & GYRE_FIXED)) {
        return gyre_fail(GYRE_ERROR_STATE,
                         "%.100s: defaults have followed from it when the scene was read; say it "
                         "in the file",
                         path);
    }
    result = gyre_property_parse(property, text, &value);
    if (result == GYRE_OK && scene->created) {
        return gy_scene_write(scene, path, &value);
    }
    result = result ? result : gy_scene_write(scene, path, &value);
    if (result) {
        char message[900];
        snprintf(message, sizeof message, "%.899s", gyre_message());
        const char *colon = strstr(message, ": ");
        return gyre_fail(result, "%.100s: %s", path, colon ? colon + 2 : message);
    }
    return record_set(scene, path, text);
}

gyre_result gyre_scene_assign(gyre_scene *scene, const char *assignment)
{
    if (GY_MISSING("scene_assign", scene) || GY_MISSING("scene_assign", assignment)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const char *equals = strchr(assignment, '=');
    char path[256];
    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof path) {
        const gyre_property *p = scene->models[0].properties;
        while (p->kind != GYRE_END && (p->kind != GYRE_FLOAT || p->count != 1)) {
            p++;
        }
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "found \"%.100s\", expected a path, = and a value, such as \"%s.%s=1\"",
                         assignment, scene->models[0].name, p->name ? p->name : "property");
    }
    memcpy(path, assignment, (size_t)(equals - assignment));
    path[equals - assignment] = 0;
    return gyre_scene_set(scene, path, equals + 1);
}

gyre_result gyre_scene_get(const gyre_scene *scene, const char *path, gyre_value *value)
{
    if (GY_MISSING("scene_get", scene) || GY_MISSING("scene_get", path) ||
        GY_MISSING("scene_get", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const char *rest;
    int model = gy_scene_model_of(scene, path, &rest);
    if (model >= 0 && scene->models[model].model) {
        return gy_scene_in_model(scene, model,
                                 gyre_model_get(scene->models[model].model, rest, value));
    }
    gyre_scene *own = (gyre_scene *)(uintptr_t)scene; // walking takes what can be written to
    if (model == GY_BODIES && scene->bodies) {
        return gy_scene_bodies_get(own, rest, value);
    }
    const gyre_property *property;
    void *address;
    gyre_result result = gy_scene_walk(own, path, &property, &address, &model, NULL);
    return result ? result : gyre_property_read(property, address, value);
}

// ---- models

// Adds the scene's seed to the model's own; *before is the model's.
static void add_seed(const gyre_scene *scene, const gy_scene_model *m, int32_t *before,
                     int32_t **seed)
{
    const gyre_property *p = gyre_property_find(m->properties, "seed");
    *seed = NULL;
    if (p && p->kind == GYRE_INT && p->count == 1) {
        *seed = (int32_t *)(void *)((char *)m->def + p->offset);
        *before = **seed;
        uint32_t sum = (uint32_t) * *seed + (uint32_t)scene->settings.time.seed;
        **seed = (int32_t)(sum & 0x7fffffffu);
    }
}

static void destroy_models(gyre_scene *scene, int count)
{
    while (count-- > 0) {
        gyre_model_destroy(scene->models[count].model);
        scene->models[count].model = NULL;
    }
}

gyre_result gyre_scene_create(gyre_scene *scene, gyre_device *device)
{
    if (GY_MISSING("scene_create", scene) || GY_MISSING("scene_create", device)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are created already", scene->file);
    }
    for (int i = 0; i < scene->model_count; i++) {
        gy_scene_model *m = &scene->models[i];
        int32_t before = 0, *seed;
        add_seed(scene, m, &before, &seed);
        gyre_result result = gyre_model_create(device, m->type, m->def, &m->model);
        if (result) {
            char message[800];
            snprintf(message, sizeof message, "%.799s", gyre_message());
            if (seed) {
                *seed = before;
            }
            m->model = NULL;
            destroy_models(scene, i);
            return gyre_fail(result, "%.200s: %s: %s", scene->file, m->name, message);
        }
    }
    gyre_result shown = gy_scene_check_shown(scene);
    shown = shown ? shown : gy_scene_check_texture(scene);
    shown = shown ? shown : gy_up_check(scene);
    shown = shown ? shown : gy_couplings_check(scene);
    shown = shown ? shown : gy_start_apply(scene);
    shown = shown ? shown : gy_given_apply(scene);
    shown = shown ? shown : gy_nested_create(scene);
    shown = shown ? shown : gy_scene_bodies_create(scene);
    if (shown) {
        destroy_models(scene, scene->model_count);
        gy_scene_bodies_destroy(scene);
        return shown;
    }
    scene->created = true;
    scene->steps = 0;
    return gy_follow_begin(scene);
}

float gyre_scene_dt(const gyre_scene *scene)
{
    if (GY_MISSING("scene_dt", scene)) {
        return 0.0f;
    }
    const gyre_scene_time *time = &scene->settings.time;
    return (float)(1.0 / ((double)time->fps * time->steps_per_frame));
}

gyre_result gyre_scene_step(gyre_scene *scene)
{
    if (GY_MISSING("scene_step", scene)) {
        return GYRE_ERROR_ARGUMENT;
    }
    if (!scene->created) {
        return gyre_fail(GYRE_ERROR_STATE, "%.200s: its models are not created", scene->file);
    }
    gyre_result result = gy_timeline_apply(scene);
    result = result ? result : gy_couplings_act(scene);
    result = result ? result : gy_unseen_act(scene);
    for (int i = 0; i < scene->model_count && result == GYRE_OK; i++) {
        result = gyre_model_step(scene->models[i].model, gyre_scene_dt(scene));
    }
    result = result ? result : gy_scene_bodies_step(scene);
    scene->steps += result == GYRE_OK;
    return result;
}

gyre_result gyre_scene_step_frame(gyre_scene *scene)
{
    if (GY_MISSING("scene_step_frame", scene)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result result = GYRE_OK;
    for (int i = 0; i < scene->settings.time.steps_per_frame && result == GYRE_OK; i++) {
        result = gyre_scene_step(scene);
    }
    return result;
}

int64_t gyre_scene_frame(const gyre_scene *scene)
{
    if (GY_MISSING("scene_frame", scene)) {
        return 0;
    }
    return scene->steps / scene->settings.time.steps_per_frame;
}

double gyre_scene_seconds(const gyre_scene *scene)
{
    if (GY_MISSING("scene_seconds", scene)) {
        return 0.0;
    }
    // Models are stepped together, so that any of them tells.
    return scene->created ? gyre_model_time(scene->models[0].model) : 0.0;
}

static const gy_scene_model *get(const gyre_scene *scene, int i)
{
    return !GY_MISSING("scene_model", scene) && i >= 0 && i < scene->model_count ? &scene->models[i]
                                                                                 : NULL;
}

int gyre_scene_model_count(const gyre_scene *scene)
{
    if (GY_MISSING("scene_model_count", scene)) {
        return 0;
    }
    return scene->model_count;
}

const char *gyre_scene_model_name(const gyre_scene *scene, int i)
{
    return get(scene, i) ? get(scene, i)->name : NULL;
}

const char *gyre_scene_model_type(const gyre_scene *scene, int i)
{
    return get(scene, i) ? get(scene, i)->type : NULL;
}

gyre_model *gyre_scene_model(const gyre_scene *scene, int i)
{
    return get(scene, i) ? get(scene, i)->model : NULL;
}

const void *gyre_scene_model_def(const gyre_scene *scene, int i)
{
    return get(scene, i) ? get(scene, i)->def : NULL;
}

const char *gyre_scene_file(const gyre_scene *scene, int i)
{
    if (GY_MISSING("scene_file", scene)) {
        return NULL;
    }
    return i == 0                                  ? scene->file
           : i >= 1 && i - 1 < scene->volume_count ? scene->volume_files[i - 1]
                                                   : NULL;
}

const gyre_scene_settings *gyre_scene_get_settings(const gyre_scene *scene)
{
    if (GY_MISSING("scene_get_settings", scene)) {
        return NULL;
    }
    return &scene->settings;
}

uint64_t gyre_scene_hash(const gyre_scene *scene)
{
    if (GY_MISSING("scene_hash", scene)) {
        return 0;
    }
    uint64_t hash = 0;
    for (int i = 0; i < scene->model_count && scene->created; i++) {
        // One model's hash is the scene's, so that both can be compared.
        hash = hash * 0x9e3779b97f4a7c15u + gyre_model_hash(scene->models[i].model);
    }
    uint64_t bodies = scene->bodies ? gyre_bodies_hash(scene->bodies) : 0;
    return bodies ? hash * 0x9e3779b97f4a7c15u + bodies : hash;
}
