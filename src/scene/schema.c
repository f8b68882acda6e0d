// scene/schema.c: the JSON Schema of scene files, made from the property tables alone.
#include "scene/scene.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *object_schema(const gyre_property *table);

// An allocation that fails makes a NULL somewhere; jansson's *_new functions pass that on, and the
// caller sees it at the root.
static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *text(const char *string)
{
    return json_string(string);
}

static json_t *typed(const char *type)
{
    return json_pack("{s:s}", "type", type);
}

static bool is_whole(const gyre_property *p)
{
    return p->kind == GYRE_INT || p->kind == GYRE_INT64;
}

static json_t *number(const gyre_property *p, double x)
{
    return is_whole(p) ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *number_schema(const gyre_property *p)
{
    json_t *one = typed(is_whole(p) ? "integer" : "number");
    if (p->min != 0 || p->max != 0) {
        put(one, "minimum", number(p, p->min));
        put(one, "maximum", number(p, p->max));
    }
    if (p->count <= 1) {
        put(one, "default", number(p, p->initial[0]));
        return one;
    }
    json_t *list = typed("array"), *initial = json_array();
    for (int i = 0; i < p->count && i < 4; i++) {
        json_array_append_new(initial, number(p, p->initial[i]));
    }
    put(list, "items", one);
    put(list, "minItems", json_integer(p->count));
    put(list, "maxItems", json_integer(p->count));
    put(list, "default", initial);
    return list;
}

static json_t *union_schema(const gyre_property *p)
{
    // Not "oneOf": a mistake inside an alternative is one there, and no sign that none matches.
    json_t *schema = typed("object"), *members = json_object();
    for (const gyre_property *q = p->properties; q->kind != GYRE_END; q++) {
        json_t *inner = object_schema(q->properties);
        put(inner, "description", text(q->doc ? q->doc : ""));
        put(members, q->name, inner);
    }
    put(schema, "properties", members);
    put(schema, "minProperties", json_integer(1));
    put(schema, "maxProperties", json_integer(1));
    put(schema, "additionalProperties", json_false());
    return schema;
}

static json_t *property_schema(const gyre_property *p)
{
    json_t *schema = NULL;
    switch (p->kind) {
    case GYRE_BOOL:
        schema = typed("boolean");
        put(schema, "default", json_boolean(p->initial[0] != 0));
        break;
    case GYRE_INT:
    case GYRE_FLOAT:
    case GYRE_INT64:
    case GYRE_DOUBLE:
        schema = number_schema(p);
        break;
    case GYRE_ENUM: {
        json_t *names = json_array();
        for (int i = 0; p->names[i]; i++) {
            json_array_append_new(names, text(p->names[i]));
        }
        schema = json_object();
        put(schema, "enum", names);
        put(schema, "default", text(p->names[(int)p->initial[0]]));
        break;
    }
    case GYRE_STRING:
        schema = typed("string");
        put(schema, "maxLength", json_integer((json_int_t)p->size - 1));
        break;
    case GYRE_STRUCT:
        schema = object_schema(p->properties);
        break;
    case GYRE_UNION:
        schema = union_schema(p);
        break;
    case GYRE_POOL:
        schema = typed("array");
        put(schema, "items", object_schema(p->properties));
        put(schema, "maxItems",
            json_integer(p->max > 0 ? (json_int_t)p->max : (json_int_t)GY_SCENE_ELEMENTS));
        break;
    case GYRE_AMOUNTS:
        schema = typed("object");
        put(schema, "additionalProperties", property_schema(p->properties));
        put(schema, "maxProperties", json_integer((json_int_t)(p->size / sizeof(gyre_amount))));
        break;
    case GYRE_VOLUME:
        schema = typed("string");
        // Of a mesh also a part of a file of a modelling program.
        put(schema, "pattern",
            text("\\.([nN][pP][yY]|[pP][nN][gG]|([oO][bB][jJ]|[pP][lL][yY]|[sS][tT][lL])"
                 "#(points|triangles))$"));
        break;
    case GYRE_END:
        break;
    }
    bool unit = p->unit && p->unit[0] && strcmp(p->unit, "1") != 0;
    put(schema, "description",
        json_sprintf("%s%s%s%s", p->doc ? p->doc : p->name, unit ? " (" : "", unit ? p->unit : "",
                     unit ? ")" : ""));
    return schema;
}

static json_t *object_schema(const gyre_property *table)
{
    json_t *schema = typed("object"), *members = json_object(), *required = json_array();
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        put(members, p->name, property_schema(p));
        if (p->kind == GYRE_VOLUME && !(p->flags & GYRE_OPTIONAL)) {
            json_array_append_new(required, text(p->name));
        }
    }
    put(schema, "properties", members);
    if (json_array_size(required)) {
        json_object_set(schema, "required", required);
    }
    json_decref(required);
    put(schema, "additionalProperties", json_false());
    return schema;
}

/// Of how many dimensions a type of model takes grids: tried, for no table says it.
static void narrow_dimensions(const char *type, size_t size, json_t *model)
{
    json_t *at = json_object_get(json_object_get(model, "properties"), "grid");
    json_t *dim = json_object_get(json_object_get(at, "properties"), "dim");
    const gyre_property *grid = gyre_property_find(gyre_model_type_properties(type, &size), "grid");
    char *def = dim && grid ? malloc(size) : NULL;
    int low = 3, high = 2, initial = 3;
    for (int d = 2; def && d <= 3; d++) {
        gyre_grid *g = (void *)(def + grid->offset);
        if (gyre_model_default_def(type, d, def, size) == GYRE_OK) {
            initial = d == 3 ? g->dim : initial;
            g->dim = d;
            bool taken = gyre_model_def_size(type, def) > 0;
            low = taken && d < low ? d : low;
            high = taken && d > high ? d : high;
        }
    }
    if (def) {
        put(dim, "minimum", json_integer(low));
        put(dim, "maximum", json_integer(high));
        put(dim, "default", json_integer(initial));
    }
    free(def);
}

// "if" the member "type" says so "then" this schema.
static json_t *if_type(const char *type)
{
    return json_pack("{s:{s:{s:{s:s}}, s:[s]}, s:{s:o}}", "if", "properties", "type", "const", type,
                     "required", "type", "then", "$ref", json_sprintf("#/$defs/%s", type));
}

/// A model of some name: its member "type" says what it is; without one (`own`) it is what it is
/// called. Not "anyOf": a mistake in it is told where it is.
static json_t *model_schema(const char *own)
{
    json_t *schema = typed("object"), *all = json_array(), *types = json_array(),
           *members = json_object();
    for (int i = 0; gyre_model_type_name(i); i++) {
        json_array_append_new(types, text(gyre_model_type_name(i)));
        json_array_append_new(all, if_type(gyre_model_type_name(i)));
    }
    if (own) {
        json_array_append_new(all,
                              json_pack("{s:{s:{s:[s]}}, s:{s:o}}", "if", "not", "required", "type",
                                        "then", "$ref", json_sprintf("#/$defs/%s", own)));
    } else {
        put(schema, "required", json_pack("[s]", "type"));
    }
    put(members, "type", json_pack("{s:o}", "enum", types));
    put(schema, "properties", members);
    put(schema, "allOf", all);
    return schema;
}

static json_t *models_schema(json_t *defs)
{
    json_t *schema = typed("object"), *members = json_object();
    for (int i = 0; gyre_model_type_name(i); i++) {
        const char *type = gyre_model_type_name(i);
        size_t size;
        json_t *model = object_schema(gyre_model_type_properties(type, &size));
        put(json_object_get(model, "properties"), "type", json_pack("{s:s}", "const", type));
        narrow_dimensions(type, size, model);
        put(defs, type, model);
        put(members, type, model_schema(type));
    }
    put(schema, "description", text("the fluids, by name"));
    put(schema, "minProperties", json_integer(1));
    put(schema, "maxProperties", json_integer(GY_SCENE_MODELS));
    put(schema, "properties", members);
    put(schema, "additionalProperties", model_schema(NULL));
    return schema;
}

static json_t *timeline_schema(void)
{
    json_t *entry = object_schema(gy_entry_properties), *schema = typed("array");
    json_t *number_list = json_pack("{s:s, s:{s:s}, s:i, s:i}", "type", "array", "items", "type",
                                    "number", "minItems", 1, "maxItems", 4);
    json_t *value =
        json_pack("{s:[{s:s}, {s:s}, {s:s}, {s:s}, {s:s}, o]}", "anyOf", "type", "number", "type",
                  "boolean", "type", "string", "type", "object", "type", "null", number_list);
    put(value, "description",
        text(
            "what the property becomes; an object: an element that is added; null: it is removed"));
    put(json_object_get(entry, "properties"), "value", value);
    put(entry, "required", json_pack("[s, s, s]", "time", "path", "value"));
    put(schema, "description", text("values that change with time"));
    put(schema, "items", entry);
    put(schema, "maxItems", json_integer(GY_SCENE_KEYS));
    return schema;
}

static json_t *start_schema(void)
{
    json_t *schema = typed("object");
    put(schema, "description",
        text("how fields begin: a number, a formula of x, y and z, or the name of a .npy or .png "
             "file"));
    put(schema, "additionalProperties", json_pack("{s:[s, s]}", "type", "number", "string"));
    return schema;
}

static json_t *given_schema(void)
{
    json_t *schema = typed("object");
    put(schema, "description",
        text("velocities of gases that are given: a number or a formula of x, y, z and t"));
    put(schema, "additionalProperties", json_pack("{s:[s, s]}", "type", "number", "string"));
    return schema;
}

gyre_result gyre_scene_schema(FILE *stream)
{
    if (GY_MISSING("scene_schema", stream)) {
        return GYRE_ERROR_ARGUMENT;
    }
    json_t *defs = json_object(), *root = json_object();
    json_t *scene = object_schema(gyre_scene_properties);
    json_t *members = json_object_get(scene, "properties");
    put(members, "$schema", typed("string"));
    put(members, "models", models_schema(defs));
    put(members, "start", start_schema());
    put(members, "given", given_schema());
    put(members, "timeline", timeline_schema());
    put(root, "$schema", text("https://json-schema.org/draft/2020-12/schema"));
    put(root, "title", text("gyre scene"));
    put(root, "description", json_sprintf("Scene files of gyre %s", gyre_version()));
    put(scene, "required", json_pack("[s]", "models"));
    json_object_update(root, scene);
    put(root, "$defs", defs);
    json_decref(scene);
    int failed = json_dumpf(root, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    failed |= fputc('\n', stream) == EOF || fflush(stream) != 0;
    json_decref(root);
    return failed ? gyre_fail(GYRE_ERROR_FILE, "the schema could not be written") : GYRE_OK;
}
