// scene/read.c: JSON to defs, through the property tables.
#include "scene/read.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// "gas.emitters.0.rate": what the messages call a place. Paths of models begin at their name.
static void write_path(const gy_place *place, char *path, size_t size)
{
    if (!place || (!place->up && strcmp(place->name, "models") == 0)) {
        path[0] = 0;
        return;
    }
    write_path(place->up, path, size);
    size_t used = strlen(path);
    snprintf(path + used, size - used, "%s%s", used ? "." : "", place->name);
}

gyre_result gy_read_fail(const gy_reader *r, const gy_place *place, bool key, const char *format,
                         ...)
{
    char what[768], path[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    write_path(place, path, sizeof path);
    int line, column;
    gy_scene_locate(r->text, r->size, place, key, &line, &column);
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%.200s:%d:%d: %s%s%s", r->file, line, column, path,
                     path[0] ? ": " : "", what);
}

// What a check further down said, "PATH: SENTENCE", at the place that its path means. The path
// begins with the model's name, or with a member of `table`; a sentence without one stays whole.
static gyre_result fail_below(const gy_reader *r, const gy_place *top, const gyre_property *table)
{
    char message[1024], first[128];
    snprintf(message, sizeof message, "%s", gyre_message());
    char *colon = strstr(message, ": ");
    snprintf(first, sizeof first, "%.*s", (int)strcspn(message, ".:"), message);
    if (table && !gyre_property_find(table, first)) {
        colon = NULL;
    }
    enum { DEPTH = 16 };
    gy_place chain[DEPTH];
    const gy_place *place = top;
    if (colon) {
        *colon = 0;
        char *part = message;
        for (int i = 0; part && i < DEPTH; i++) {
            char *dot = strchr(part, '.');
            if (dot) {
                *dot = 0;
            }
            if (i > 0 || table) {
                chain[i] = (gy_place){place, part};
                place = &chain[i];
            }
            part = dot ? dot + 1 : NULL;
        }
        return gy_read_fail(r, place, false, "%s", colon + 2);
    }
    return gy_read_fail(r, top, false, "%s", message);
}

// The kind and a glimpse of what stands in the file.
void gy_read_describe(const json_t *json, char *text, size_t size)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        snprintf(text, size, "an object");
        break;
    case JSON_ARRAY:
        snprintf(text, size, "a list of %zu", json_array_size(json));
        break;
    case JSON_STRING:
        snprintf(text, size, "the text \"%.60s\"", json_string_value(json));
        break;
    case JSON_INTEGER:
        snprintf(text, size, "%lld", (long long)json_integer_value(json));
        break;
    case JSON_REAL:
        snprintf(text, size, "%.9g", json_real_value(json));
        break;
    case JSON_TRUE:
        snprintf(text, size, "true");
        break;
    case JSON_FALSE:
        snprintf(text, size, "false");
        break;
    case JSON_NULL:
        snprintf(text, size, "null");
        break;
    }
}

static gyre_result wrong(const gy_reader *r, const gy_place *place, const gyre_property *property,
                         const json_t *json)
{
    char found[128], expected[256];
    gy_read_describe(json, found, sizeof found);
    gyre_property_describe(property, expected, sizeof expected);
    return gy_read_fail(r, place, false, "found %s, expected %s", found, expected);
}

static bool to_numbers(const gyre_property *property, const json_t *json, gyre_value *value)
{
    value->kind = GYRE_FLOAT;
    value->count = property->count > 1 ? property->count : 1;
    if (property->count <= 1) {
        value->number[0] = json_number_value(json);
        return json_is_number(json);
    }
    if (!json_is_array(json) || json_array_size(json) != (size_t)property->count) {
        return false;
    }
    for (int i = 0; i < property->count && i < 4; i++) {
        const json_t *one = json_array_get(json, (size_t)i);
        if (!json_is_number(one)) {
            return false;
        }
        value->number[i] = json_number_value(one);
    }
    return true;
}

// False when the JSON type does not fit the property's kind.
static bool to_value(const gyre_property *property, const json_t *json, gyre_value *value)
{
    *value = (gyre_value){.count = 1};
    switch (property->kind) {
    case GYRE_BOOL:
        *value = gyre_bool(json_is_true(json));
        return json_is_boolean(json);
    case GYRE_INT:
    case GYRE_FLOAT:
    case GYRE_INT64:
    case GYRE_DOUBLE:
        return to_numbers(property, json, value);
    case GYRE_ENUM:
    case GYRE_STRING:
        if (!json_is_string(json) || json_string_length(json) >= sizeof value->string) {
            return false;
        }
        *value = gyre_string(json_string_value(json));
        return true;
    default:
        return false;
    }
}

gyre_result gy_read_leaf(const gy_reader *r, const gy_place *place, const gyre_property *property,
                         const json_t *json, void *address, gyre_value *value)
{
    if (!to_value(property, json, value)) {
        return wrong(r, place, property, json);
    }
    if (gyre_property_write(property, address, value)) {
        char message[1024];
        snprintf(message, sizeof message, "%s", gyre_message());
        const char *colon = strstr(message, ": ");
        return gy_read_fail(r, place, false, "%s", colon ? colon + 2 : message);
    }
    return GYRE_OK;
}

bool gy_scene_beside(const gyre_scene *scene, const char *name, char *path, size_t size)
{
    const char *slash = strrchr(scene->file, '/');
    int folder = name[0] == '/' || !slash ? 0 : (int)(slash - scene->file) + 1;
    int length = snprintf(path, size, "%.*s%s", folder, scene->file, name);
    return length >= 0 && (size_t)length < size;
}

gyre_result gy_read_array(const gy_reader *r, const gy_place *place, const char *name,
                          gyre_volume *volume)
{
    char path[4096];
    if (!gy_scene_beside(r->scene, name, path, sizeof path)) {
        return gy_read_fail(r, place, false,
                            "found a file name of %zu bytes, expected a shorter one", strlen(name));
    }
    gyre_volume loaded = {0};
    gyre_result result = gyre_read_volume(path, &loaded);
    if (result) {
        char message[1024];
        snprintf(message, sizeof message, "%s", gyre_message());
        gy_read_fail(r, place, false, "%s", message);
        return result;
    }
    result = gy_scene_keep_volume(r->scene, &loaded, name, path);
    if (result == GYRE_OK) {
        *volume = loaded;
    }
    return result;
}

static gyre_result read_volume(const gy_reader *r, const gy_place *place,
                               const gyre_property *property, const json_t *json,
                               gyre_volume *volume)
{
    const char *name = json_string_value(json);
    return name && name[0] ? gy_read_array(r, place, name, volume)
                           : wrong(r, place, property, json);
}

static gyre_result read_union(const gy_reader *r, const gy_place *place,
                              const gyre_property *property, char *at, json_t *json)
{
    if (!json_is_object(json) || json_object_size(json) != 1) {
        return json_is_object(json)
                   ? gy_read_fail(r, place, false,
                                  "found %zu members, expected exactly one of them",
                                  json_object_size(json))
                   : wrong(r, place, property, json);
    }
    void *member = json_object_iter(json);
    gy_place inner = {place, json_object_iter_key(member)};
    const gyre_property *chosen = gyre_property_find(property->properties, inner.name);
    if (!chosen) {
        const char *now = gyre_property_renamed(property->properties, inner.name);
        if (now) {
            return gy_read_fail(r, &inner, true, "\"%.60s\" is called \"%s\" now", inner.name, now);
        }
        char expected[256];
        gyre_property_describe(property, expected, sizeof expected);
        const char *nearest = gyre_property_nearest(property->properties, inner.name);
        return gy_read_fail(r, &inner, true, "unknown alternative \"%.60s\", %s%s%s%s", inner.name,
                            nearest ? "did you mean \"" : "", nearest ? nearest : "",
                            nearest ? "\"? Expected " : "expected ", expected);
    }
    int32_t tag = (int32_t)(chosen - property->properties);
    memset(at, 0, property->size);
    gyre_property_defaults(chosen->properties, at + chosen->offset, chosen->size);
    memcpy(at, &tag, sizeof tag);
    return gy_read_object(r, &inner, chosen->properties, at + chosen->offset,
                          json_object_iter_value(member), NULL);
}

static gyre_result read_pool(const gy_reader *r, const gy_place *place,
                             const gyre_property *property, gyre_pool *pool, const json_t *json)
{
    if (!json_is_array(json)) {
        return wrong(r, place, property, json);
    }
    size_t count = json_array_size(json);
    size_t most = property->max > 0 ? (size_t)property->max : GY_SCENE_ELEMENTS;
    if (count > most) {
        return gy_read_fail(r, place, false, "found a list of %zu, expected at most %zu elements",
                            count, most);
    }
    // One element at least, so that an empty list is no failed allocation.
    pool->items = gy_scene_allocate(r->scene, (count + 1) * property->size);
    if (!pool->items) {
        return GYRE_ERROR_MEMORY;
    }
    pool->count = (int)count;
    for (size_t i = 0; i < count; i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        gy_place inner = {place, index};
        char *element = (char *)pool->items + i * property->size;
        gyre_property_defaults(property->properties, element, property->size);
        gyre_result result =
            gy_read_object(r, &inner, property->properties, element, json_array_get(json, i), NULL);
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

static gyre_result read_amounts(const gy_reader *r, const gy_place *place,
                                const gyre_property *property, char *at, json_t *json)
{
    const char *key;
    json_t *member;
    if (!json_is_object(json)) {
        return wrong(r, place, property, json);
    }
    json_object_foreach(json, key, member)
    {
        gy_place inner = {place, key};
        gyre_value value;
        gyre_amount *amount = gyre_property_enter(property, at, key);
        if (!amount) {
            char message[600];
            snprintf(message, sizeof message, "%.599s", gyre_message());
            const char *colon = strstr(message, ": ");
            return gy_read_fail(r, &inner, true, "%s", colon ? colon + 2 : message);
        }
        gyre_result result =
            gy_read_leaf(r, &inner, property->properties, member, &amount->amount, &value);
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

static gyre_result read_member(const gy_reader *r, const gy_place *place,
                               const gyre_property *property, char *at, json_t *json)
{
    gyre_value value;
    switch (property->kind) {
    case GYRE_STRUCT:
        return gy_read_object(r, place, property->properties, at, json, NULL);
    case GYRE_UNION:
        return read_union(r, place, property, at, json);
    case GYRE_POOL:
        return read_pool(r, place, property, (gyre_pool *)(void *)at, json);
    case GYRE_AMOUNTS:
        return read_amounts(r, place, property, at, json);
    case GYRE_VOLUME:
        return read_volume(r, place, property, json, (gyre_volume *)(void *)at);
    default:
        return gy_read_leaf(r, place, property, json, at, &value);
    }
}

static gyre_result unknown_key(const gy_reader *r, const gy_place *place,
                               const gyre_property *table)
{
    const char *now = gyre_property_renamed(table, place->name);
    if (now) {
        return gy_read_fail(r, place, true, "\"%.60s\" is called \"%s\" now", place->name, now);
    }
    const char *nearest = gyre_property_nearest(table, place->name);
    if (nearest) {
        return gy_read_fail(r, place, true, "unknown property \"%.60s\", did you mean \"%s\"?",
                            place->name, nearest);
    }
    char names[512] = "";
    size_t used = 0;
    for (const gyre_property *p = table; p && p->kind != GYRE_END && used < sizeof names; p++) {
        int n = snprintf(names + used, sizeof names - used, "%s \"%s\"", p == table ? "" : ",",
                         p->name);
        used += n > 0 ? (size_t)n : 0;
    }
    return gy_read_fail(r, place, true, "unknown property \"%.60s\", expected one of%s",
                        place->name, names);
}

// `skipped` is a key that belongs to the reader and not to the table.
gyre_result gy_read_object(const gy_reader *r, const gy_place *place, const gyre_property *table,
                           char *def, json_t *json, const char *skipped)
{
    if (!json_is_object(json)) {
        char found[128];
        gy_read_describe(json, found, sizeof found);
        return gy_read_fail(r, place, false, "found %s, expected an object", found);
    }
    const char *key;
    json_t *member;
    json_object_foreach(json, key, member)
    {
        gy_place inner = {place, key};
        if (skipped && strcmp(key, skipped) == 0) {
            continue;
        }
        const gyre_property *property = gyre_property_find(table, key);
        gyre_result result = property
                                 ? read_member(r, &inner, property, def + property->offset, member)
                                 : unknown_key(r, &inner, table);
        if (result) {
            return result;
        }
    }
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_VOLUME && !(p->flags & GYRE_OPTIONAL) &&
            !json_object_get(json, p->name)) {
            char expected[256];
            gyre_property_describe(p, expected, sizeof expected);
            return gy_read_fail(r, place, false, "found no \"%s\", expected %s", p->name, expected);
        }
    }
    return GYRE_OK;
}

static const char *type_name(const void *list, int i)
{
    (void)list;
    return gyre_model_type_name(i);
}

static gyre_result read_type(const gy_reader *r, const gy_place *place, const json_t *json,
                             gy_scene_model *model)
{
    const json_t *given = json_object_get(json, "type");
    gy_place type = {place, "type"};
    if (given && !json_is_string(given)) {
        char found[128];
        gy_read_describe(given, found, sizeof found);
        return gy_read_fail(r, &type, false, "found %s, expected the name of a model type", found);
    }
    const char *name = given ? json_string_value(given) : place->name;
    if (gyre_model_type_find(name) == GYRE_ERROR_UNSUPPORTED) {
        return GYRE_ERROR_UNSUPPORTED; // the message says that this build has been made without
    }
    model->properties = gyre_model_type_properties(name, &model->def_size);
    if (!model->properties || strlen(name) >= sizeof model->type) {
        int count = 0;
        while (gyre_model_type_name(count)) {
            count++;
        }
        const char *nearest = gyre_name_nearest(name, count, type_name, NULL);
        return gy_read_fail(r, given ? &type : place, !given,
                            "unknown model type \"%.60s\", %s\"%s\"%s", name,
                            nearest ? "did you mean " : "expected a member \"type\" such as ",
                            nearest ? nearest : gyre_model_type_name(0), nearest ? "?" : "");
    }
    strcpy(model->type, name);
    return GYRE_OK;
}

static gyre_result read_model(const gy_reader *r, const gy_place *place, json_t *json)
{
    gyre_scene *scene = r->scene;
    gy_scene_model *model = &scene->models[scene->model_count];
    if (!json_is_object(json)) {
        char found[128];
        gy_read_describe(json, found, sizeof found);
        return gy_read_fail(r, place, false, "found %s, expected an object", found);
    }
    size_t length = strlen(place->name);
    if (length == 0 || length >= sizeof model->name || strchr(place->name, '.') ||
        gyre_property_find(gyre_scene_properties, place->name)) {
        return gy_read_fail(
            r, place, true,
            "found a model named \"%.60s\", expected a name of 1 to %zu bytes without dots "
            "that is no section of the scene",
            place->name, sizeof model->name - 1);
    }
    strcpy(model->name, place->name);
    gyre_result result = read_type(r, place, json, model);
    if (result) {
        return result;
    }
    model->def = gy_scene_allocate(scene, model->def_size);
    if (!model->def) {
        return GYRE_ERROR_MEMORY;
    }
    // Some defaults differ between 2D and 3D, so the number of dimensions is looked at first.
    const json_t *dim = json_object_get(json_object_get(json, "grid"), "dim");
    result = gyre_model_default_def(model->type,
                                    json_is_integer(dim) && json_integer_value(dim) == 2 ? 2 : 3,
                                    model->def, model->def_size);
    if (result) {
        return fail_below(r, place, model->properties);
    }
    gy_up_turn(scene, model->properties, model->def);
    // A table may have a property of that name: then it is the table's.
    bool own_type = !gyre_property_find(model->properties, "type");
    result =
        gy_read_object(r, place, model->properties, model->def, json, own_type ? "type" : NULL);
    if (result) {
        return result;
    }
    scene->model_count++;
    if (gyre_property_check(model->properties, model->def, model->name)) {
        return fail_below(r, place, NULL);
    }
    if (gyre_model_def_size(model->type, model->def) == 0) {
        return fail_below(r, place, model->properties);
    }
    return GYRE_OK;
}

static gyre_result read_models(const gy_reader *r, json_t *root)
{
    gy_place place = {NULL, "models"};
    json_t *models = json_object_get(root, "models");
    if (!models) {
        return gy_read_fail(r, NULL, false, "found no \"models\", expected an object of models");
    }
    if (!json_is_object(models) || json_object_size(models) < 1 ||
        json_object_size(models) > GY_SCENE_MODELS) {
        char found[128];
        gy_read_describe(models, found, sizeof found);
        if (json_is_object(models)) {
            snprintf(found, sizeof found, "%zu models", json_object_size(models));
        }
        return gy_read_fail(r, &place, false,
                            "models: found %s, expected an object of 1 to %d models", found,
                            GY_SCENE_MODELS);
    }
    const char *key;
    json_t *member;
    json_object_foreach(models, key, member)
    {
        gy_place inner = {&place, key};
        gyre_result result = read_model(r, &inner, member);
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

enum { ROOT_OTHERS = 4 }; // sections that are not of the table

static const char *root_name(const void *list, int i)
{
    (void)list;
    static const char *const others[ROOT_OTHERS] = {"models", "timeline", "start", "given"};
    return i < ROOT_OTHERS ? others[i] : gyre_scene_properties[i - ROOT_OTHERS].name;
}

// What a set of bodies has against one: a path without keys, a mesh that is open and floats.
static gyre_result check_bodies(const gy_reader *r)
{
    const gyre_pool *bodies = &r->scene->settings.bodies;
    gy_place place = {NULL, "bodies"};
    for (int i = 0; i < bodies->count; i++) {
        char index[24], message[900];
        snprintf(index, sizeof index, "%d", i);
        gy_place inner = {&place, index};
        if (gy_scene_bodies_check(bodies, i)) {
            snprintf(message, sizeof message, "%.899s", gyre_message());
            return gy_read_fail(r, &inner, false, "%s", message);
        }
    }
    return GYRE_OK;
}

static gyre_result read_root(const gy_reader *r, json_t *root)
{
    if (!json_is_object(root)) {
        char found[128];
        gy_read_describe(root, found, sizeof found);
        return gy_read_fail(r, NULL, false, "found %s, expected an object", found);
    }
    const char *key;
    json_t *member;
    json_object_foreach(root, key, member)
    {
        gy_place place = {NULL, key};
        // An editor's hint which schema to use.
        if (strcmp(key, "models") == 0 || strcmp(key, "timeline") == 0 ||
            strcmp(key, "start") == 0 || strcmp(key, "given") == 0 || strcmp(key, "$schema") == 0) {
            continue;
        }
        const gyre_property *property = gyre_property_find(gyre_scene_properties, key);
        if (!property) {
            int count = ROOT_OTHERS;
            while (gyre_scene_properties[count - ROOT_OTHERS].kind != GYRE_END) {
                count++;
            }
            const char *nearest = gyre_name_nearest(key, count, root_name, NULL);
            return gy_read_fail(r, &place, true, "unknown section \"%.60s\", %s%s%s", key,
                                nearest
                                    ? "did you mean \""
                                    : "expected one of \"models\", \"time\", "
                                      "\"start\", \"given\", \"timeline\", \"camera\", \"light\", "
                                      "\"view\", \"output\", \"up\", \"couplings\", \"bodies\", "
                                      "\"title\", \"doc\", \"known\"",
                                nearest ? nearest : "", nearest ? "\"?" : "");
        }
        gyre_result result = read_member(r, &place, property,
                                         (char *)&r->scene->settings + property->offset, member);
        if (result) {
            return result;
        }
    }
    gy_up_look(r, root);
    gyre_result result = check_bodies(r);
    result = result ? result : read_models(r, root);
    result = result ? result : gy_start_read(r, root);
    result = result ? result : gy_given_read(r, root);
    return result ? result : gy_timeline_read(r, root, &r->scene->timeline);
}

gyre_result gy_read_json(const gy_reader *r, size_t flags, json_t **root)
{
    json_error_t error;
    *root = json_loadb(r->text, r->size, JSON_REJECT_DUPLICATES | flags, &error);
    if (*root) {
        return GYRE_OK;
    }
    return gyre_fail(json_error_code(&error) == json_error_out_of_memory ? GYRE_ERROR_MEMORY
                                                                         : GYRE_ERROR_FORMAT,
                     "%.200s:%d:%d: not JSON: %s", r->file, error.line > 0 ? error.line : 1,
                     error.column > 0 ? error.column : 1, error.text);
}

gyre_result gy_scene_read(gyre_scene *scene, const char *text, size_t size)
{
    gy_reader r = {scene, scene->file, text, size};
    json_t *root;
    gyre_result result = gy_read_json(&r, 0, &root);
    if (result == GYRE_OK) {
        result = read_root(&r, root);
        json_decref(root);
    }
    return result;
}
