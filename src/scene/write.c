// scene/write.c: a scene as a file, through the property tables: what differs from the defaults.
#include "scene/write.h"

#include "io/system.h"

#include <stdlib.h>
#include <string.h>

/// What is written, and where it will lie.
typedef struct output {
    const gyre_scene *scene;
    const char *folder;   // of the scene's file, where the written one lies in another; else NULL
    bool failed;          // no memory
    bool whole;           // defaults too, and arrays with what is in them
    const char *too_long; // a property whose file's name does not fit into it from there; or NULL
} output;

// Puts a member in, unless there is no memory for either.
static void put_member(output *out, json_t *object, const char *name, json_t *member)
{
    out->failed = json_object_set_new(object, name, member) != 0 || out->failed;
}

static void put_item(output *out, json_t *list, json_t *item)
{
    out->failed = json_array_append_new(list, item) != 0 || out->failed;
}

// ---- values

/// A float as the shortest decimal that brings the same float back.
static json_t *number_of(float x)
{
    char text[40];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x) {
            break;
        }
    }
    return json_real(strtod(text, NULL));
}

static json_t *list_of(int count, json_t *(*one)(const void *, int), const void *from)
{
    if (count <= 1) {
        return one(from, 0);
    }
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(list, one(from, i));
    }
    return list;
}

static json_t *float_at(const void *from, int i)
{
    return number_of(((const float *)from)[i]);
}

static json_t *int_at(const void *from, int i)
{
    return json_integer(((const int32_t *)from)[i]);
}

static json_t *double_at(const void *from, int i)
{
    return json_real(((const double *)from)[i]);
}

static json_t *object_of(output *out, const gyre_property *table, const char *def,
                         const char *defaults);

static json_t *element_of(output *out, const gyre_property *table, const char *element, size_t size)
{
    char *defaults = calloc(1, size);
    if (!defaults) {
        return NULL;
    }
    gyre_property_defaults(table, defaults, size);
    json_t *made = object_of(out, table, element, defaults);
    free(defaults);
    return made;
}

static json_t *union_of(output *out, const gyre_property *p, const char *at)
{
    int32_t tag;
    memcpy(&tag, at, sizeof tag);
    const gyre_property *chosen = &p->properties[tag];
    json_t *made = json_object();
    put_member(out, made, chosen->name,
               element_of(out, chosen->properties, at + chosen->offset, chosen->size));
    return made;
}

static json_t *pool_of(output *out, const gyre_property *p, const gyre_pool *pool)
{
    json_t *list = json_array();
    for (int i = 0; i < pool->count; i++) {
        const char *element = (const char *)pool->items + (size_t)i * p->size;
        put_item(out, list, element_of(out, p->properties, element, p->size));
    }
    return list;
}

static json_t *amounts_of(output *out, const gyre_property *p, const gyre_amount *list)
{
    json_t *made = json_object();
    size_t room = p->size / sizeof *list;
    for (size_t i = 0; i < room && list[i].name[0]; i++) {
        put_member(out, made, list[i].name, number_of(list[i].amount));
    }
    return made;
}

// Files are named relative to the scene's folder.
static json_t *volume_of(const output *out, const gyre_volume *volume)
{
    const char *name = gy_scene_volume_name(out->scene, volume);
    if (out->whole) {
        return json_sprintf("%s %d x %d x %d %016llx", name ? name : "", volume->n[0], volume->n[1],
                            volume->n[2],
                            (unsigned long long)gy_scene_volume_hash(out->scene, volume));
    }
    return !name                           ? NULL
           : out->folder && name[0] != '/' ? json_sprintf("%s/%s", out->folder, name)
                                           : json_string(name);
}

// A string; where it names a file, as volumes are named.
static json_t *string_of(output *out, const gyre_property *p, const char *text)
{
    bool word = !p || !(p->flags & GYRE_FILE) || !text[0] || text[0] == '/';
    for (int i = 0; !word && p->names && p->names[i]; i++) {
        word = strcmp(text, p->names[i]) == 0;
    }
    if (word || !out->folder) {
        return json_string(text);
    }
    if (strlen(out->folder) + 1 + strlen(text) >= p->size) {
        out->too_long = p->name;
    }
    return json_sprintf("%s/%s", out->folder, text);
}

static json_t *leaf_of(output *out, const gyre_property *p, const char *at)
{
    const void *value = at;
    switch (p->kind) {
    case GYRE_BOOL:
        return json_boolean(*(const bool *)value);
    case GYRE_INT:
        return list_of(p->count, int_at, value);
    case GYRE_FLOAT:
        return list_of(p->count, float_at, value);
    case GYRE_DOUBLE:
        return list_of(p->count, double_at, value);
    case GYRE_INT64:
        return json_integer(*(const int64_t *)value);
    case GYRE_ENUM:
        return json_string(p->names[*(const int32_t *)value]);
    case GYRE_STRING:
        return string_of(out, p, at);
    case GYRE_AMOUNTS:
        return amounts_of(out, p, value);
    case GYRE_VOLUME:
        return volume_of(out, value);
    default:
        return NULL;
    }
}

static size_t leaf_size(const gyre_property *p)
{
    switch (p->kind) {
    case GYRE_BOOL:
        return sizeof(bool);
    case GYRE_INT:
        return sizeof(int32_t) * (size_t)p->count;
    case GYRE_FLOAT:
        return sizeof(float) * (size_t)p->count;
    case GYRE_DOUBLE:
        return sizeof(double) * (size_t)p->count;
    case GYRE_INT64:
        return sizeof(int64_t);
    case GYRE_ENUM:
        return sizeof(int32_t);
    default:
        return 0;
    }
}

static bool is_default(const gyre_property *p, const char *at, const char *other)
{
    if (p->kind == GYRE_STRING) {
        return strcmp(at, other) == 0;
    }
    if (p->kind == GYRE_VOLUME) {
        return (p->flags & GYRE_OPTIONAL) && !((const gyre_volume *)(const void *)at)->data;
    }
    return leaf_size(p) > 0 && memcmp(at, other, leaf_size(p)) == 0;
}

static json_t *object_of(output *out, const gyre_property *table, const char *def,
                         const char *defaults)
{
    json_t *made = json_object();
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *at = def + p->offset, *other = defaults + p->offset;
        json_t *member = NULL;
        if (p->kind == GYRE_STRUCT) {
            member = object_of(out, p->properties, at, other);
        } else if (p->kind == GYRE_UNION) {
            member = union_of(out, p, at);
        } else if (p->kind == GYRE_POOL) {
            member = pool_of(out, p, (const gyre_pool *)(const void *)at);
        } else if (out->whole || !is_default(p, at, other)) {
            member = leaf_of(out, p, at);
        }
        bool written = p->kind == GYRE_STRUCT || p->kind == GYRE_UNION || p->kind == GYRE_POOL ||
                       !is_default(p, at, other);
        written = written || out->whole;
        bool empty = !out->whole && ((json_is_object(member) && json_object_size(member) == 0) ||
                                     (p->kind == GYRE_POOL && json_array_size(member) == 0));
        if (written && !empty) {
            put_member(out, made, p->name, member);
        } else {
            json_decref(member);
        }
    }
    return made;
}

// ---- a scene

static json_t *model_of(output *out, const gy_scene_model *m)
{
    const gyre_scene *scene = out->scene;
    const gyre_property *grid = gyre_property_find(m->properties, "grid");
    char *def = malloc(m->def_size), *defaults = malloc(m->def_size);
    json_t *made = NULL;
    const gyre_grid *g = grid ? (const void *)((const char *)m->def + grid->offset) : NULL;
    int dim = g ? g->dim : 3;
    if (def && defaults && gyre_model_default_def(m->type, dim, defaults, m->def_size) == GYRE_OK) {
        memcpy(def, m->def, m->def_size);
        const gyre_property *seed = gyre_property_find(m->properties, "seed");
        if (scene->created && seed && seed->kind == GYRE_INT && seed->count == 1) {
            // gyre_scene_create has added the scene's seed.
            int32_t *at = (void *)(def + seed->offset);
            *at = (int32_t)(((uint32_t)*at - (uint32_t)scene->settings.time.seed) & 0x7fffffffu);
        }
        made = object_of(out, m->properties, def, defaults);
        if (grid) {
            // The other defaults hang on it.
            json_t *object = json_object_get(made, "grid");
            if (!object) {
                object = json_object();
                put_member(out, made, "grid", object);
            }
            put_member(out, object, "dim", json_integer(dim));
        }
        if (strcmp(m->type, m->name) != 0) {
            put_member(out, made, "type", json_string(m->type));
        }
    }
    free(def);
    free(defaults);
    return made;
}

static json_t *value_of(output *out, const gy_key *key)
{
    if (key->change == GY_ADD) {
        const gyre_property *pool;
        const char *element;
        int model;
        return gy_scene_pool(out->scene, key->path, &model, &pool, &element)
                   ? element_of(out, pool->properties, key->element, pool->size)
                   : NULL;
    }
    const gy_value *v = &key->value;
    if (key->change == GY_REMOVE) {
        return json_null();
    }
    if (v->kind == GYRE_STRING) {
        const gyre_property *p = NULL;
        bool own = gyre_property_line(gyre_scene_properties, &out->scene->settings, key->path,
                                      &p) == GYRE_OK;
        return string_of(out, own ? p : NULL, v->string);
    }
    if (v->kind == GYRE_ENUM) {
        return json_string(v->string);
    }
    return v->kind == GYRE_BOOL ? json_boolean(v->number[0] != 0)
                                : list_of(v->count, double_at, v->number);
}

static json_t *key_of(output *out, const gy_key *key)
{
    json_t *entry = json_object();
    put_member(out, entry, "time", json_real(key->time));
    put_member(out, entry, "path", json_string(key->path));
    put_member(out, entry, "value", value_of(out, key));
    if (key->interpolation == GY_LINEAR) {
        put_member(out, entry, "interpolation", json_string("linear"));
    }
    return entry;
}

json_t *gy_write_keys(const gyre_scene *scene, const gy_key *keys, int count)
{
    output out = {scene, NULL, false, false, NULL};
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        put_item(&out, list, key_of(&out, &keys[i]));
    }
    if (out.failed) {
        json_decref(list);
    }
    return out.failed ? NULL : list;
}

json_t *gy_write_def(const gyre_scene *scene, const gyre_property *table, const void *def)
{
    output out = {scene, NULL, false, true, NULL};
    json_t *made = object_of(&out, table, def, def);
    if (out.failed) {
        json_decref(made);
    }
    return out.failed ? NULL : made;
}

// The timeline without the elements that were removed by what was put in.
static gyre_result put_timeline(output *out, json_t *root)
{
    gyre_scene *scene = (gyre_scene *)(uintptr_t)out->scene; // its defs come back
    const gy_timeline *t = &scene->timeline;
    gy_shadow shadow;
    if (t->count == 0) {
        return GYRE_OK;
    }
    json_t *list = json_array();
    int room = 0;
    for (int k = 0; k < t->count; k++) {
        room += t->keys[k].change == GY_ADD;
    }
    gyre_result result = gy_shadow_begin(&shadow, scene, false, room);
    for (int k = 0; k < t->count && result == GYRE_OK; k++) {
        if (!t->keys[k].gone && gy_shadow_apply(scene, &t->keys[k])) {
            put_item(out, list, key_of(out, &t->keys[k]));
        }
    }
    if (result == GYRE_OK) {
        gy_shadow_end(&shadow, false);
    }
    put_member(out, root, "timeline", list);
    return result;
}

static json_t *volume_named(void *out, const gyre_volume *volume)
{
    return volume_of(out, volume);
}

static gyre_result put_scene(output *out, json_t *root)
{
    json_t *models = json_object();
    for (int i = 0; i < out->scene->model_count; i++) {
        const gy_scene_model *m = &out->scene->models[i];
        put_member(out, models, m->name, model_of(out, m));
    }
    put_member(out, root, "models", models);
    if (out->scene->start_count > 0) {
        put_member(out, root, "start", gy_start_write(out->scene, volume_named, out));
    }
    if (out->scene->given_count > 0) {
        put_member(out, root, "given", gy_given_write(out->scene));
    }
    return put_timeline(out, root);
}

gyre_result gyre_scene_write(const gyre_scene *scene, const char *path)
{
    if (GY_MISSING("scene_write", scene) || GY_MISSING("scene_write", path)) {
        return GYRE_ERROR_ARGUMENT;
    }
    const gyre_scene_settings *s = &scene->settings;
    char *own = gy_io_absolute_folder(scene->file), *folder = gy_io_absolute_folder(path);
    output out = {scene, own && folder && strcmp(own, folder) != 0 ? own : NULL, !own || !folder,
                  false, NULL};
    json_t *root = element_of(&out, gyre_scene_properties, (const char *)s, sizeof *s);
    gyre_result result = put_scene(&out, root);
    free(own);
    free(folder);
    if (!result && out.too_long) {
        result = gyre_fail(GYRE_ERROR_ARGUMENT,
                           "%.200s: %s: the file's name is too long from there: put the scene "
                           "beside %.200s",
                           path, out.too_long, scene->file);
    }
    if (result || out.failed) {
        json_decref(root);
        root = NULL;
    }
    return result ? result : gy_write_file(root, path);
}

// ---- text

typedef struct writer {
    gy_io_file *file;
    gyre_result result;
} writer;

static void put(writer *w, const char *text)
{
    w->result = w->result ? w->result : gy_io_write(w->file, text, strlen(text));
}

static void put_real(writer *w, double x)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    if (strcmp(text, "-0") == 0) {
        strcpy(text, "-0.0"); // without a point it is an integer, which has no such thing
    }
    // Some locales write a comma.
    char *comma = strchr(text, ',');
    if (comma) {
        *comma = '.';
    }
    put(w, text);
}

static void put_json(writer *w, const json_t *json, int depth);

static void put_inner(writer *w, int depth, bool first, bool broken)
{
    put(w, first ? "" : broken ? "," : ", ");
    if (broken) {
        put(w, "\n");
        for (int i = 0; i <= depth; i++) {
            put(w, "  ");
        }
    }
}

static void put_end(writer *w, int depth, const char *end, bool broken)
{
    if (broken) {
        put(w, "\n");
        for (int i = 0; i < depth; i++) {
            put(w, "  ");
        }
    }
    put(w, end);
}

static void put_scalar(writer *w, const json_t *json)
{
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    if (!text) {
        w->result = w->result ? w->result : gyre_fail(GYRE_ERROR_MEMORY, "no memory to write JSON");
        return;
    }
    put(w, text);
    free(text);
}

/// Objects and lists of them are broken into lines down to some depth, entries of a timeline and
/// what lies deeper stay on one.
static void put_json(writer *w, const json_t *json, int depth)
{
    bool first = true;
    if (json_is_object(json)) {
        bool broken = depth < 4 && !json_object_get(json, "path");
        const char *key;
        json_t *member;
        put(w, "{");
        json_object_foreach((json_t *)(uintptr_t)json, key, member)
        {
            json_t *name = json_string(key);
            put_inner(w, depth, first, broken);
            put_scalar(w, name);
            json_decref(name);
            put(w, ": ");
            put_json(w, member, broken ? depth + 1 : 99);
            first = false;
        }
        put_end(w, depth, "}", broken);
    } else if (json_is_array(json)) {
        bool broken = depth < 4 && json_is_object(json_array_get(json, 0));
        put(w, "[");
        for (size_t i = 0; i < json_array_size(json); i++) {
            put_inner(w, depth, i == 0, broken);
            put_json(w, json_array_get(json, i), broken ? depth + 1 : 99);
        }
        put_end(w, depth, "]", broken);
    } else if (json_is_real(json)) {
        put_real(w, json_real_value(json));
    } else {
        put_scalar(w, json);
    }
}

gyre_result gy_write_file(json_t *root, const char *path)
{
    writer w = {NULL, GYRE_OK};
    if (!root) {
        return gyre_fail(GYRE_ERROR_MEMORY, "%.200s: no memory to write it", path);
    }
    gyre_result result = gy_io_create(path, &w.file);
    if (result == GYRE_OK) {
        put_json(&w, root, 0);
        put(&w, "\n");
        result = w.result;
        if (result) {
            gy_io_discard(w.file);
        } else {
            result = gy_io_commit(w.file);
        }
    }
    json_decref(root);
    return result;
}
