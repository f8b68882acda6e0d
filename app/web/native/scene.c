// web/native/scene.c: a scene from text, within bounds; stepped, set, read, kept.
#define _POSIX_C_SOURCE 200809L
#include "web/native/inner.h"

#include "web/native/hand.h"
#include "web/native/picture.h"

#include <stdlib.h>
#include <string.h>

// What fits a browser's page where nobody says otherwise.
static const web_limits own_limits = {
    .cells = 1 << 22, .bytes = 1 << 30, .particles = 1 << 21, .text = 1 << 22};

// ---- bounds

// Numbers of a def by which particles are asked for: any "capacity", and the patches of sheets.
static double particles_of(const gyre_property *table, const char *def)
{
    double sum = 0.0;
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *at = def + p->offset;
        if (p->kind == GYRE_STRUCT) {
            sum += particles_of(p->properties, at);
        } else if (p->kind == GYRE_INT &&
                   (strcmp(p->name, "capacity") == 0 || strcmp(p->name, "patches") == 0)) {
            sum += *(const int32_t *)(const void *)at;
        }
    }
    return sum;
}

static double cells_of(const gyre_property *table, const char *def)
{
    const gyre_property *p = gyre_property_find(table, "grid");
    if (!p) {
        return 0.0;
    }
    const gyre_grid *g = (const void *)(def + p->offset);
    return (double)g->n[0] * g->n[1] * g->n[2];
}

static gyre_result over(const char *what, double has, double most)
{
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "this scene asks for %.0f %s; more than %.0f are not allowed here", has, what,
                     most);
}

static gyre_result allow(void *context, const gyre_scene *scene)
{
    const web_limits *most = context;
    double cells = 0.0, particles = 0.0, bytes = 0.0;
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        const char *type = gyre_scene_model_type(scene, i);
        const gyre_property *table = gyre_model_type_properties(type, NULL);
        const void *def = gyre_scene_model_def(scene, i);
        cells += cells_of(table, def);
        particles += particles_of(table, def);
    }
    if (cells > most->cells) {
        return over("cells", cells, most->cells);
    }
    if (particles > most->particles) {
        return over("particles", particles, most->particles);
    }
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        size_t size =
            gyre_model_def_size(gyre_scene_model_type(scene, i), gyre_scene_model_def(scene, i));
        if (size == 0) {
            return GYRE_ERROR_ARGUMENT; // the message says what is wrong with the def
        }
        bytes += (double)size;
    }
    return bytes > most->bytes ? over("bytes", bytes, most->bytes) : GYRE_OK;
}

static web_limits limits_of(const web_limits *asked)
{
    web_limits l = asked ? *asked : own_limits;
    l.cells = l.cells > 0.0 ? l.cells : own_limits.cells;
    l.bytes = l.bytes > 0.0 ? l.bytes : own_limits.bytes;
    l.particles = l.particles > 0.0 ? l.particles : own_limits.particles;
    l.text = l.text > 0.0 ? l.text : own_limits.text;
    return l;
}

double web_scene_bytes(const gyre_scene *scene)
{
    double bytes = 0.0;
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        const gyre_model *model = gyre_scene_model(scene, i);
        bytes += (double)gyre_model_def_size(gyre_model_type(model), gyre_model_def(model));
    }
    return bytes;
}

// ---- to and fro

// Lines PATH=VALUE as a list that ends with NULL; the text is cut up.
static char **lines_of(char *text)
{
    size_t count = 1;
    for (const char *c = text; *c; c++) {
        count += *c == '\n';
    }
    char **lines = calloc(count + 1, sizeof *lines), *rest = NULL;
    size_t used = 0;
    for (char *line = strtok_r(text, "\r\n", &rest); lines && line;
         line = strtok_r(NULL, "\r\n", &rest)) {
        lines[used++] = line;
    }
    return lines;
}

static gyre_result load(web_scene *w)
{
    view_session_def def = {.scene = w->name,
                            .text = w->text,
                            .size = w->size,
                            .sets = (const char *const *)w->sets,
                            .allow = allow,
                            .context = &w->limits};
    gyre_result result = session_variant_load(&w->variant, &def, w->device);
    if (result == GYRE_OK && w->picture) {
        result = web_picture_reset(w->picture, w->variant.scene);
    }
    return result;
}

static gyre_result fill(web_scene *w, const char *text, const char *name, const char *sets)
{
    w->size = strlen(text);
    if ((double)w->size > w->limits.text) {
        return over("bytes of text", (double)w->size, w->limits.text);
    }
    w->text = strdup(text);
    w->name = strdup(name && name[0] ? name : "scene.json");
    w->lines = sets ? strdup(sets) : NULL;
    w->sets = w->lines ? lines_of(w->lines) : NULL;
    return w->text && w->name && (!sets || w->sets)
               ? GYRE_OK
               : gyre_fail(GYRE_ERROR_MEMORY, "no memory for a scene's text");
}

#ifdef __EMSCRIPTEN__
// Of a module that was linked with threads; one compile serves both.
EM_JS(int, idle_workers, (void),
      { return typeof PThread == "object" ? PThread.unusedWorkers.length : 0; })
#else
static int idle_workers(void)
{
    return 0;
}
#endif

// So many as were asked for and can be had: a device's first thread is the caller, others are
// workers that stand by; waiting for one that is still to be made would never end.
static int threads_of(int asked)
{
    int most = 1 + idle_workers();
    return asked > 0 && asked < most ? asked : most;
}

WEB_CALL int web_open(const char *text, const char *name, const char *sets, int threads,
                      const web_limits *limits, web_scene **scene)
{
    *scene = NULL;
    if (!text) {
        return (int)gyre_fail(GYRE_ERROR_ARGUMENT, "there is no text of a scene");
    }
    web_scene *w = calloc(1, sizeof *w);
    if (!w) {
        return (int)gyre_fail(GYRE_ERROR_MEMORY, "no memory for a scene");
    }
    w->limits = limits_of(limits);
    gyre_result result = fill(w, text, name, sets);
    gyre_device_def device = gyre_default_device_def();
    device.threads = threads_of(threads);
    result = result ? result : gyre_device_create(&device, &w->device);
    result = result ? result : load(w);
    if (result) {
        web_close(w);
        return (int)result;
    }
    *scene = w;
    return GYRE_OK;
}

WEB_CALL void web_close(web_scene *w)
{
    if (!w) {
        return;
    }
    web_hand_free(w->hand);
    web_picture_free(w->picture);
    gyre_scene_destroy(w->variant.scene);
    session_log_clear(&w->variant.log);
    gyre_device_destroy(w->device);
    free(w->sets);
    free(w->lines);
    free(w->text);
    free(w->name);
    free(w);
}

WEB_CALL int web_reset(web_scene *w, int keep)
{
    web_hand_forget(w->hand, keep != 0);
    if (!keep) {
        session_log_clear(&w->variant.log);
    }
    return (int)load(w);
}

// After a start that failed nothing is there to be worked on.
static gyre_result missing(const web_scene *w)
{
    return w && w->variant.scene ? GYRE_OK
                                 : gyre_fail(GYRE_ERROR_STATE, "the scene could not be started");
}

WEB_CALL int web_step(web_scene *w, int steps)
{
    gyre_result result = missing(w);
    for (int i = 0; i < steps && !result; i++) {
        web_hand_before_step(w);
        result = gyre_scene_step(w->variant.scene);
    }
    return (int)result;
}

WEB_CALL int web_set(web_scene *w, const char *path, const char *json)
{
    gyre_result result = missing(w);
    return (int)(result ? result : session_variant_input(&w->variant, path, json));
}

// A model's own part of a path: "gas.emitters" is "emitters" of "gas".
static int model_of(const gyre_scene *scene, const char *path, const char **rest)
{
    size_t length = strcspn(path, ".");
    for (int i = 0; i < gyre_scene_model_count(scene); i++) {
        const char *name = gyre_scene_model_name(scene, i);
        if (strlen(name) == length && strncmp(name, path, length) == 0) {
            *rest = path + length + (path[length] == '.');
            return i;
        }
    }
    return -1;
}

WEB_CALL char *web_get(web_scene *w, const char *path)
{
    const char *rest = path;
    if (missing(w)) {
        return NULL;
    }
    const gyre_scene *scene = w->variant.scene;
    int m = model_of(scene, path, &rest);
    const gyre_model *model = gyre_scene_model(scene, m);
    const gyre_property *table =
        m < 0 ? gyre_scene_properties : gyre_model_type_properties(gyre_model_type(model), NULL);
    const void *def = m < 0 ? (const void *)gyre_scene_get_settings(scene) : gyre_model_def(model);
    const gyre_property *line = NULL;
    gyre_value value;
    // Where bodies are now the scene knows, not the def.
    if (gyre_scene_get(scene, path, &value) == GYRE_OK &&
        gyre_property_line(table, def, rest, &line) == GYRE_OK) {
        return web_json_text(web_json_value(line, &value));
    }
    json_t *found = web_json_at(table, def, rest);
    return found ? web_json_text(found) : NULL;
}

WEB_CALL char *web_hash(web_scene *w)
{
    if (missing(w)) {
        return NULL;
    }
    char *text = malloc(17);
    if (text) {
        snprintf(text, 17, "%016llx", (unsigned long long)gyre_scene_hash(w->variant.scene));
    }
    return text;
}

// ---- files, which lie in memory

static gyre_result read_file(const char *path, char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    *size = length >= 0 ? (size_t)length : 0;
    bool whole = *bytes && fseek(file, 0, SEEK_SET) == 0 && fread(*bytes, 1, *size, file) == *size;
    if (file) {
        fclose(file);
    }
    remove(path);
    if (!whole) {
        free(*bytes);
        *bytes = NULL;
        return gyre_fail(GYRE_ERROR_FILE, "%s: cannot be read back", path);
    }
    (*bytes)[*size] = 0;
    return GYRE_OK;
}

// A name beside the scene, so that files it names keep their names.
static void beside(const web_scene *w, const char *ending, char *path, size_t size)
{
    snprintf(path, size, "%.200s.%s", w->name, ending);
}

typedef gyre_result writer(const gyre_scene *scene, const char *path);

static char *written(web_scene *w, writer *write)
{
    char path[256], *text = NULL;
    size_t size;
    beside(w, "written", path, sizeof path);
    if (missing(w) || write(w->variant.scene, path) || read_file(path, &text, &size)) {
        return NULL;
    }
    return text;
}

WEB_CALL char *web_scene_file(web_scene *w)
{
    return written(w, gyre_scene_write);
}

WEB_CALL char *web_replay(web_scene *w)
{
    return written(w, gyre_replay_write);
}

WEB_CALL int web_save(web_scene *w, void **bytes, int *size)
{
    char path[256], *text = NULL;
    size_t length = 0;
    *bytes = NULL;
    *size = 0;
    beside(w, "saved", path, sizeof path);
    gyre_result result = missing(w);
    result = result ? result : gyre_scene_save_file(w->variant.scene, path);
    result = result ? result : read_file(path, &text, &length);
    if (result == GYRE_OK) {
        *bytes = text;
        *size = (int)length;
    }
    return (int)result;
}

WEB_CALL int web_load(web_scene *w, const void *bytes, int size)
{
    char path[256];
    beside(w, "saved", path, sizeof path);
    gyre_result result = missing(w);
    FILE *file = result ? NULL : fopen(path, "wb");
    bool whole = file && size >= 0 && fwrite(bytes, 1, (size_t)size, file) == (size_t)size;
    if (file && fclose(file) != 0) {
        whole = false;
    }
    if (!result && !whole) {
        result = gyre_fail(GYRE_ERROR_FILE, "%s: cannot be written", path);
    }
    result = result ? result : gyre_scene_load_file(w->variant.scene, path);
    remove(path);
    return (int)result;
}

// ---- fields

static gyre_model *model_at(web_scene *w, int model)
{
    gyre_model *found = missing(w) ? NULL : gyre_scene_model(w->variant.scene, model);
    if (!found && w && w->variant.scene) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "there is no model %d in a scene of %d", model,
                  gyre_scene_model_count(w->variant.scene));
    }
    return found;
}

WEB_CALL int web_map(web_scene *w, int model, const char *field, int write, int layout[6])
{
    gyre_model *m = model_at(w, model);
    return (int)(m ? web_field_map(m, field, write, layout) : GYRE_ERROR_ARGUMENT);
}

WEB_CALL int web_unmap(web_scene *w, int model, const char *field)
{
    gyre_model *m = model_at(w, model);
    return (int)(m ? web_field_unmap(m, field) : GYRE_ERROR_ARGUMENT);
}

WEB_CALL int web_splat(web_scene *w, int model, const char *field, const float centre[3],
                       float radius, const float *amount, int components)
{
    gyre_model *m = model_at(w, model);
    return (int)(m ? web_field_splat(m, field, centre, radius, amount, components)
                   : GYRE_ERROR_ARGUMENT);
}

WEB_CALL int web_probe(web_scene *w, int model, const char *field, const float *points, int count,
                       float *values)
{
    gyre_model *m = model_at(w, model);
    return (int)(m ? web_field_probe(m, field, points, count, values) : GYRE_ERROR_ARGUMENT);
}
