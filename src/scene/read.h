// scene/read.h: JSON to defs, for the files of this room that read some.
#ifndef GY_READ_H
#define GY_READ_H

#include "scene/scene.h"

#include <jansson.h>

/// A text that is being read, and what messages call it.
typedef struct gy_reader {
    gyre_scene *scene;
    const char *file;
    const char *text;
    size_t size;
} gy_reader;

/// Parses the text. Failing it names line and column.
gyre_result gy_read_json(const gy_reader *reader, size_t flags, json_t **root);

/// FILE:LINE:COLUMN: PATH: what `format` says. `key`: the member's name is meant, not its value.
gyre_result gy_read_fail(const gy_reader *reader, const gy_place *place, bool key,
                         const char *format, ...) GYRE_PRINTF(4, 5);

/// The kind and a glimpse of what stands there.
void gy_read_describe(const json_t *json, char *text, size_t size);

/// One value, checked and written to `address`.
gyre_result gy_read_leaf(const gy_reader *reader, const gy_place *place,
                         const gyre_property *property, const json_t *json, void *address,
                         gyre_value *value);

/// An object by a table into `def`, which holds the defaults. `skipped` (may be NULL) is a key that
/// belongs to the caller.
gyre_result gy_read_object(const gy_reader *reader, const gy_place *place,
                           const gyre_property *table, char *def, json_t *json,
                           const char *skipped);

/// An element of a pool that the scene keeps.
gyre_result gy_read_element(const gy_reader *reader, const gy_place *place,
                            const gyre_property *pool, json_t *json, void **element);

/// The path of a file that a scene names, relative to the scene's; false: it is too long.
bool gy_scene_beside(const gyre_scene *scene, const char *name, char *path, size_t size);

/// An array's file, named relative to the scene's folder; the scene keeps it.
gyre_result gy_read_array(const gy_reader *reader, const gy_place *place, const char *name,
                          gyre_volume *volume);

/// Turns what `root` does not say of camera and light, after it was read.
void gy_up_look(const gy_reader *reader, const json_t *root);

/// The member "start" of `root`: how fields begin.
gyre_result gy_start_read(const gy_reader *reader, json_t *root);
/// Velocities that are given, given.c.
gyre_result gy_given_read(const gy_reader *reader, json_t *root);

/// The member "timeline" of `root`, checked in the order of time, elements that come and go
/// included; makes room for what it adds.
gyre_result gy_timeline_read(const gy_reader *reader, json_t *root, gy_timeline *timeline);

#endif
