// web/native/inner.h: what the files of the module share.
#ifndef WEB_INNER_H
#define WEB_INNER_H

#include "view/session/inner.h"
#include "web/native/web.h"

#include <jansson.h>

#ifdef __EMSCRIPTEN__
#include <emscripten/emscripten.h>
#define WEB_CALL EMSCRIPTEN_KEEPALIVE
#else
#define WEB_CALL
#endif

typedef struct web_hand web_hand;
typedef struct web_picture web_picture;

struct web_scene {
    session_variant variant; // the scene, and what was put in since its start
    gyre_device *device;
    char *text, *name;
    size_t size;
    char **sets; // ended by NULL; NULL: none
    char *lines; // that they lie in
    web_limits limits;
    web_hand *hand;       // NULL: no pointer has come yet
    web_picture *picture; // NULL: it has no canvas
};

// ---- json.c: property tables, JSON and structs

/// A float as the shortest decimal that brings it back.
json_t *web_json_float(float x);
/// A value of that property.
json_t *web_json_value(const gyre_property *property, const gyre_value *value);
/// All that a struct says, by its table; arrays as their key and size. NULL: no memory.
json_t *web_json_struct(const gyre_property *table, const void *def);
/// What stands at a path below a struct: a value, a struct or a list; NULL with a message.
json_t *web_json_at(const gyre_property *table, const void *def, const char *path);
/// Sets the members of a struct that an object names; `path` is put before names in messages.
gyre_result web_json_read(const gyre_property *table, void *def, const json_t *object,
                          const char *path);
/// Reads a text; NULL with a message that has line and column.
json_t *web_json_parse(const char *text, const char *what);
/// Its text, and frees it; NULL with a message. `root` NULL: no memory.
char *web_json_text(json_t *root);
/// What a property is: a line of web_tables().
json_t *web_json_property(const gyre_property *property);
json_t *web_json_table(const gyre_property *table);

// ---- describe.c

/// A model, as web_describe() has it. NULL: no memory.
json_t *web_json_model(const gyre_model *model, const char *name);
json_t *web_json_stats(gyre_model *model);

// ---- field.c

gyre_result web_field_map(gyre_model *model, const char *field, int write, int layout[6]);
gyre_result web_field_unmap(gyre_model *model, const char *field);
gyre_result web_field_splat(gyre_model *model, const char *field, const float centre[3],
                            float radius, const float *amount, int components);
gyre_result web_field_probe(gyre_model *model, const char *field, const float *points, int count,
                            float *values);

// ---- scene.c

/// Bytes that a scene's models take.
double web_scene_bytes(const gyre_scene *scene);

#endif
