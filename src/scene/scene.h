// scene/scene.h: what the files of this room share.
#ifndef GY_SCENE_H
#define GY_SCENE_H

#include "gyre/io.h"
#include "gyre/scene.h"

enum {
    GY_SCENE_MODELS = 16,
    GY_SCENE_ELEMENTS = 4096,    // of one pool
    GY_SCENE_KEYS = 65536,       // of the timeline
    GY_SCENE_FILE = 16 * 1048576 // bytes
};

typedef enum gy_interpolation { GY_HOLD, GY_LINEAR } gy_interpolation;

/// One entry of the timeline. From its time on the property has the value; linear: on the way to
/// the next entry of the same path.
typedef struct gy_key {
    double time;
    char path[256];
    int32_t interpolation;
    gyre_value value;
    int model; // whose property it is; -1: the scene's own settings
    int track; // the first key of the same path
    int next;  // the next key of the same path, -1 at the last
} gy_key;

/// Where the reader stands: a chain of keys and indices from the root of the file.
typedef struct gy_place {
    const struct gy_place *up;
    const char *name;
} gy_place;

typedef struct gy_scene_model {
    char name[64];
    char type[32];
    const gyre_property *properties;
    void *def;
    size_t def_size;
    gyre_model *model;
} gy_scene_model;

struct gyre_scene {
    char *file; // the name for messages
    gyre_scene_settings settings;
    int model_count;
    gy_scene_model models[GY_SCENE_MODELS];
    int key_count;
    gy_key *keys; // sorted by time
    int *active;  // per track (index of its first key): the key last applied, -1 before
    bool created;
    int64_t steps; // since create
    void **memory; // what is freed with the scene
    int memory_count, memory_room;
    gyre_volume *volumes;
    int volume_count, volume_room;
};

/// Members of the timeline's entries beside "value".
extern const gyre_property gy_key_properties[];

/// Zeroed memory that is freed with the scene; NULL with a message.
void *gy_scene_allocate(gyre_scene *scene, size_t size);
/// Hands a volume over to the scene, to be freed with it.
gyre_result gy_scene_keep_volume(gyre_scene *scene, gyre_volume volume);

/// Line and column, from 1, of the member that `place` names (its key, or its value), or of the
/// deepest part of it that is there. `text` is valid JSON. Columns count characters.
void gy_scene_locate(const char *text, size_t size, const gy_place *place, bool key, int *line,
                     int *column);

/// Reads the JSON text into a scene made by the caller, who destroys it on failure.
gyre_result gy_scene_read(gyre_scene *scene, const char *text, size_t size);

/// Finds the leaf that a path means before the models are created. `rest` (may be NULL) gets the
/// path below the model, `model` the model's index or -1 for the scene's own settings.
gyre_result gy_scene_walk(gyre_scene *scene, const char *path, const gyre_property **property,
                          void **address, int *model, const char **rest);

/// Whether a model's path leads to something that is fixed at create.
bool gy_scene_is_fixed(const gyre_property *table, const char *path);

/// Writes a value to a live model or to the settings.
gyre_result gy_scene_write(gyre_scene *scene, const char *path, const gyre_value *value);

/// Sorts the keys by time and links those of one path.
gyre_result gy_timeline_prepare(gyre_scene *scene);
/// Applies what is due at the scene's time.
gyre_result gy_timeline_apply(gyre_scene *scene);
/// Forgets what was applied, after a load.
void gy_timeline_reset(gyre_scene *scene);

#endif
