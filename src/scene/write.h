// scene/write.h: JSON out, for the files of this room that write some.
#ifndef GY_WRITE_H
#define GY_WRITE_H

#include "scene/scene.h"

#include <jansson.h>

/// A timeline's entries, sorted as they are. NULL: no memory.
json_t *gy_write_keys(const gyre_scene *scene, const gy_key *keys, int count);

/// A def with all that it says, defaults too; arrays as text that tells them apart. NULL: no
/// memory.
json_t *gy_write_def(const gyre_scene *scene, const gyre_property *table, const void *def);

/// Writes `root` (which it takes over; NULL: no memory) as a file that is whole or not there.
/// Numbers get as few digits as bring the same bits back.
gyre_result gy_write_file(json_t *root, const char *path);

/// The member "start" of a scene; `name_of` says what the file calls an array.
json_t *gy_start_write(const gyre_scene *scene, json_t *name_of(void *, const gyre_volume *),
                       void *context);
/// Velocities that are given, given.c.
json_t *gy_given_write(const gyre_scene *scene);

#endif
