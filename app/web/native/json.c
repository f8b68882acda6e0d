// web/native/json.c: structs to JSON and back through their property tables.
#include "web/native/inner.h"

#include <stdlib.h>
#include <string.h>

// Of an allocation that fails a NULL comes, which jansson's *_new functions take and refuse: a
// member is then missing, and the root tells.
static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

json_t *web_json_float(float x)
{
    char text[40];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x) {
            break;
        }
    }
    return json_real(strtod(text, NULL));
}

static json_t *number(const gyre_property *p, double x)
{
    return p->kind == GYRE_INT || p->kind == GYRE_INT64 ? json_integer((json_int_t)x)
           : p->kind == GYRE_DOUBLE                     ? json_real(x)
                                                        : web_json_float((float)x);
}

static json_t *numbers(const gyre_property *p, const double *x, int count)
{
    if (count <= 1) {
        return number(p, x[0]);
    }
    json_t *list = json_array();
    for (int i = 0; i < count && i < 4; i++) {
        json_array_append_new(list, number(p, x[i]));
    }
    return list;
}

json_t *web_json_value(const gyre_property *p, const gyre_value *value)
{
    switch (value->kind) {
    case GYRE_BOOL:
        return json_boolean(value->number[0] != 0);
    case GYRE_ENUM:
    case GYRE_STRING:
        return json_string(value->string);
    default:
        return numbers(p, value->number, value->count);
    }
}

// ---- structs

static json_t *pool(const gyre_property *p, const gyre_pool *list)
{
    json_t *made = json_array();
    for (int i = 0; i < list->count; i++) {
        const char *element = (const char *)list->items + (size_t)i * p->size;
        json_array_append_new(made, web_json_struct(p->properties, element));
    }
    return made;
}

static json_t *amounts(const gyre_property *p, const gyre_amount *list)
{
    json_t *made = json_object();
    for (size_t i = 0; i < p->size / sizeof *list && list[i].name[0]; i++) {
        put(made, list[i].name, web_json_float(list[i].amount));
    }
    return made;
}

static json_t *volume(const gyre_volume *v)
{
    return v->data ? json_pack("{s:s, s:[i,i,i]}", "file", v->key ? v->key : "", "n", v->n[0],
                               v->n[1], v->n[2])
                   : json_null();
}

// The alternative that a union holds.
static const gyre_property *chosen(const gyre_property *p, const char *at)
{
    int32_t tag;
    memcpy(&tag, at, sizeof tag);
    return &p->properties[tag];
}

static json_t *member(const gyre_property *p, const char *at)
{
    gyre_value value;
    switch (p->kind) {
    case GYRE_STRUCT:
        return web_json_struct(p->properties, at);
    case GYRE_UNION: {
        const gyre_property *as = chosen(p, at);
        return json_pack("{s:o}", as->name, web_json_struct(as->properties, at + as->offset));
    }
    case GYRE_POOL:
        return pool(p, (const gyre_pool *)(const void *)at);
    case GYRE_AMOUNTS:
        return amounts(p, (const gyre_amount *)(const void *)at);
    case GYRE_VOLUME:
        return volume((const gyre_volume *)(const void *)at);
    case GYRE_INT64:
        return json_integer((json_int_t) * (const int64_t *)(const void *)at);
    case GYRE_DOUBLE:
        return json_real(*(const double *)(const void *)at);
    default:
        return gyre_property_read(p, at, &value) == GYRE_OK ? web_json_value(p, &value)
                                                            : json_null();
    }
}

json_t *web_json_struct(const gyre_property *table, const void *def)
{
    json_t *made = json_object();
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        put(made, p->name, member(p, (const char *)def + p->offset));
    }
    return made;
}

// ---- paths

static json_t *no_such(const gyre_property *table, const char *path, const char *part)
{
    const char *near = table ? gyre_property_nearest(table, part) : NULL;
    gyre_fail(GYRE_ERROR_ARGUMENT, "%s: there is no \"%s\"%s%s%s", path, part,
              near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return NULL;
}

// The element of a list by its name or number; NULL: there is none.
static const char *element_of(const gyre_property *p, const gyre_pool *list, const char *part)
{
    const gyre_property *name = p->properties;
    while (name->kind != GYRE_END && !(name->flags & GYRE_NAME)) {
        name++;
    }
    char *end;
    long number = strtol(part, &end, 10);
    for (int i = 0; i < list->count; i++) {
        const char *element = (const char *)list->items + (size_t)i * p->size;
        bool named = name->kind != GYRE_END && strcmp(element + name->offset, part) == 0;
        if (named || (end != part && *end == 0 && number == i)) {
            return element;
        }
    }
    return NULL;
}

json_t *web_json_at(const gyre_property *table, const void *def, const char *path)
{
    const char *at = def, *rest = path;
    const gyre_property *p = NULL, *inner = table;
    char part[128];
    while (*rest) {
        size_t length = strcspn(rest, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, rest);
        rest += length + (rest[length] == '.');
        if (p && p->kind == GYRE_POOL) {
            at = element_of(p, (const gyre_pool *)(const void *)at, part);
            if (!at) {
                return no_such(NULL, path, part);
            }
            inner = p->properties;
            p = NULL;
            continue;
        }
        const gyre_property *found = inner ? gyre_property_find(inner, part) : NULL;
        if (!found || (p && p->kind == GYRE_UNION && found != chosen(p, at))) {
            return no_such(inner, path, part);
        }
        at += found->offset;
        p = found;
        bool has = p->kind == GYRE_STRUCT || p->kind == GYRE_UNION;
        inner = has ? p->properties : NULL;
    }
    return p ? member(p, at) : web_json_struct(inner, at);
}

// ---- JSON to structs

static gyre_result to_value(const gyre_property *p, const json_t *json, const char *path,
                            gyre_value *value)
{
    char expected[200];
    *value = (gyre_value){.kind = p->kind, .count = 1};
    if (p->kind == GYRE_BOOL && json_is_boolean(json)) {
        *value = gyre_bool(json_is_true(json));
    } else if ((p->kind == GYRE_ENUM || p->kind == GYRE_STRING) && json_is_string(json)) {
        *value = gyre_string(json_string_value(json));
    } else if (p->count == 1 && json_is_number(json)) {
        *value = gyre_number(json_number_value(json));
    } else if (p->count > 1 && json_is_array(json) && json_array_size(json) == (size_t)p->count) {
        value->kind = GYRE_FLOAT;
        value->count = p->count;
        for (int i = 0; i < p->count; i++) {
            const json_t *one = json_array_get(json, (size_t)i);
            value->number[i] = json_number_value(one);
            value->count = json_is_number(one) ? value->count : -1;
        }
    } else {
        value->count = -1;
    }
    if (value->count < 0) {
        gyre_property_describe(p, expected, sizeof expected);
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: expected %s", path, expected);
    }
    return GYRE_OK;
}

gyre_result web_json_read(const gyre_property *table, void *def, const json_t *object,
                          const char *path)
{
    const char *key;
    json_t *json;
    if (!json_is_object(object)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: expected an object", path);
    }
    json_object_foreach((json_t *)(uintptr_t)object, key, json)
    {
        char whole[256];
        gyre_value value;
        const gyre_property *p = gyre_property_find(table, key);
        snprintf(whole, sizeof whole, "%s%s%.100s", path, path[0] ? "." : "", key);
        if (!p) {
            no_such(table, whole, key);
            return GYRE_ERROR_ARGUMENT;
        }
        void *at = (char *)def + p->offset;
        gyre_result result =
            p->kind == GYRE_STRUCT ? web_json_read(p->properties, at, json, whole) : GYRE_OK;
        if (p->kind != GYRE_STRUCT) {
            result = to_value(p, json, whole, &value);
            result = result ? result : gyre_property_write(p, at, &value);
        }
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

// ---- text

json_t *web_json_parse(const char *text, const char *what)
{
    json_error_t error;
    json_t *root = text ? json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error) : NULL;
    if (!root) {
        gyre_fail(GYRE_ERROR_FORMAT, "%s:%d:%d: %s", what, text ? error.line : 0,
                  text ? error.column : 0, text ? error.text : "there is no text");
    }
    return root;
}

char *web_json_text(json_t *root)
{
    char *text = root ? json_dumps(root, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    json_decref(root);
    if (!text) {
        gyre_fail(GYRE_ERROR_MEMORY, "no memory to write JSON");
    }
    return text;
}

// ---- tables

static const char *kind_name(gyre_kind kind)
{
    static const char *const names[] = {"end",    "bool",   "int",    "float", "enum",
                                        "string", "struct", "union",  "pool",  "volume",
                                        "int64",  "double", "amounts"};
    return names[kind];
}

static const char *role_name(int role)
{
    static const char *const names[] = {NULL,        "feed",  "feed_named",  "feed_many",
                                        "discharge", "push",  "enable_push", "choose_mode",
                                        "hold",      "block", "raise"};
    return role >= 0 && role < (int)(sizeof names / sizeof *names) ? names[role] : NULL;
}

static json_t *initial_of(const gyre_property *p)
{
    switch (p->kind) {
    case GYRE_BOOL:
        return json_boolean(p->initial[0] != 0);
    case GYRE_ENUM:
        return json_string(p->names[(int)p->initial[0]]);
    case GYRE_UNION:
        return json_string(p->properties[(int)p->initial[0]].name);
    case GYRE_STRING:
        return json_string("");
    default:
        return numbers(p, p->initial, p->count);
    }
}

static void put_numbers(json_t *made, const gyre_property *p)
{
    bool ranged = p->min != 0 || p->max != 0;
    put(made, "count", json_integer(p->count));
    put(made, "unit", json_string(p->unit ? p->unit : "1"));
    if (p->kind == GYRE_POOL) {
        put(made, "most", json_integer((json_int_t)p->max));
    } else if (ranged && p->kind != GYRE_BOOL && p->kind != GYRE_ENUM) {
        put(made, "low", number(p, p->min));
        put(made, "high", number(p, p->max));
    }
    bool leaf = p->kind != GYRE_STRUCT && p->kind != GYRE_POOL && p->kind != GYRE_VOLUME &&
                p->kind != GYRE_AMOUNTS;
    if (leaf) {
        put(made, "default", initial_of(p));
    }
}

json_t *web_json_property(const gyre_property *p)
{
    json_t *made = json_object();
    put(made, "name", json_string(p->name));
    put(made, "kind", json_string(kind_name(p->kind)));
    put_numbers(made, p);
    put(made, "doc", json_string(p->doc ? p->doc : ""));
    if (p->kind == GYRE_ENUM || (p->kind == GYRE_STRING && p->names)) {
        json_t *names = json_array();
        for (int i = 0; p->names[i]; i++) {
            json_array_append_new(names, json_string(p->names[i]));
        }
        put(made, "names", names);
    }
    static const struct {
        unsigned flag;
        const char *name;
    } flags[] = {{GYRE_FIXED, "fixed"},
                 {GYRE_NAME, "is_name"},
                 {GYRE_OPTIONAL, "optional"},
                 {GYRE_IGNORED, "ignored"},
                 {GYRE_FILE, "file"},
                 {GYRE_UPWARD, "upward"},
                 {GYRE_ORIENTATION, "orientation"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (p->flags & flags[i].flag) {
            put(made, flags[i].name, json_true());
        }
    }
    const char *const texts[][2] = {{"role", role_name(p->role)},
                                    {"feeds", p->feeds},
                                    {"needs", p->needs},
                                    {"caveat", p->caveat},
                                    {"formerly", p->formerly}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i][1]) {
            put(made, texts[i][0], json_string(texts[i][1]));
        }
    }
    if (p->properties) {
        put(made, "members", web_json_table(p->properties));
    }
    return made;
}

json_t *web_json_table(const gyre_property *table)
{
    json_t *made = json_array();
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        json_array_append_new(made, web_json_property(p));
    }
    return made;
}
