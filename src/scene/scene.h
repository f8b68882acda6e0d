// scene/scene.h: what the files of this room share.
#ifndef GY_SCENE_H
#define GY_SCENE_H

#include "gyre/io.h"
#include "gyre/scene.h"

/// Whether a pointer that a call needs is NULL; the message then names the call and the pointer.
#define GY_MISSING(call, pointer)                                                                  \
    (!(pointer) && gyre_fail(GYRE_ERROR_ARGUMENT, "%s: " #pointer " is NULL", call) != GYRE_OK)

enum {
    GY_SCENE_MODELS = 16,
    GY_BODIES = GY_SCENE_MODELS, // in place of a model's index: the scene's bodies
    GY_SCENE_BODIES = 1024,
    GY_SCENE_ELEMENTS = 4096,      // of one pool
    GY_SCENE_KEYS = 262144,        // of a timeline
    GY_SCENE_FILE = 16 * 1048576,  // bytes
    GY_REPLAY_KEYS = 1048576,      // an hour of drawing with the hand
    GY_REPLAY_FILE = 256 * 1048576 // bytes
};

typedef enum gy_interpolation { GY_HOLD, GY_LINEAR } gy_interpolation;

typedef enum gy_change {
    GY_SET,   // a property gets a value
    GY_ADD,   // a pool gets an element
    GY_REMOVE // a pool loses one
} gy_change;

/// A gyre_value in less room: a session may record a million of them.
typedef struct gy_value {
    gyre_kind kind;
    int count;
    double number[4];
    const char *string; // kept by the scene
} gy_value;

/// What an entry says beside its value, as it is read.
typedef struct gy_entry {
    double time;
    char path[256];
    int32_t interpolation;
} gy_entry;

/// One entry of a timeline. From its time on the property has the value; linear: on the way to the
/// next entry of the same path. Elements come and go once.
typedef struct gy_key {
    double time;
    const char *path; // kept by the scene
    int32_t interpolation;
    bool turns; // a quaternion, whose way to the next is along the shortest arc
    gy_change change;
    gy_value value; // set
    void *element;  // add
    gyre_id id;     // add: what the model calls the element, once it is there
    bool gone;      // add: the element was removed by what was put in
    int model;      // whose property it is; -1: the scene's own settings; or GY_BODIES
    int track;      // the first key of the same path
    int next;       // the next key of the same path, -1 at the last
} gy_key;

/// Entries sorted by time.
typedef struct gy_timeline {
    gy_key *keys;
    int count;
    int *active; // per track (index of its first key): the key last applied, -1 before
    int due;     // the first key that is not applied yet
    bool moves;  // whether any key is linear
} gy_timeline;

/// Where the reader stands: a chain of keys and indices from the root of the file.
typedef struct gy_place {
    const struct gy_place *up;
    const char *name;
} gy_place;

/// An element of a model's def that is live: the n-th of a pool is the n-th of the def's pool.
typedef struct gy_live_element {
    int model;
    const gyre_property *pool;
    gyre_id id;
} gy_live_element;

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
    gyre_render_memory *drawn;      // what pictures are drawn in; NULL before the first
    struct gy_scene_texels *texels; // of view.texture; NULL: it was not asked for
    int model_count;
    gy_scene_model models[GY_SCENE_MODELS + 1]; // the last stands for the bodies: it has no name
    gyre_bodies *bodies;                        // once they are made, where there are any
    bool with_bodies;                           // it was created with them
    gyre_pool bodies_now;                       // of gyre_body: copies of them as they are
    struct gy_target *targets;                  // where driven ones go in this step
    int target_count;
    struct gy_start *starts; // how fields begin, start.c
    int start_count;
    struct gy_given *givens; // velocities that are given, given.c
    int given_count;
    gy_timeline timeline; // the scene's own
    gy_timeline replay;   // what is put in as it was recorded; of two entries that are due at one
                          // step the replay's comes first, as it did when it was put in
    gy_key *record;       // what was put in since create
    int record_count, record_room;
    bool record_full;  // more was put in than a replay can hold
    bool loaded;       // a saved state, whose past was not recorded
    const char **sets; // "PATH=VALUE", what was set before create
    int set_count, set_room;
    gy_live_element *live;
    int live_count, live_room;
    bool created;
    int64_t steps;         // since create
    const char *texts[64]; // kept lately, by their hashes
    void **memory;         // what is freed with the scene
    int memory_count, memory_room;
    gyre_volume *volumes;
    char **volume_names;     // as the file has them
    char **volume_files;     // where they were read from
    uint64_t *volume_hashes; // of what is in them
    int volume_count, volume_room;
};

/// Members of the timeline's entries beside "value": the table of gy_entry.
extern const gyre_property gy_entry_properties[];

/// Zeroed memory that is freed with the scene; NULL with a message.
void *gy_scene_allocate(gyre_scene *scene, size_t size);
/// A copy of a text that is freed with the scene; one copy for many in a row. NULL with a message.
const char *gy_scene_text(gyre_scene *scene, const char *text);
/// Makes room for one more element of a growing array of the scene; false with a message.
bool gy_scene_grow(const gyre_scene *scene, void **array, int count, int *room, size_t size);
/// Hands a volume over to the scene, to be freed with it. `name`: what the file calls it; `file`:
/// what it was read from. *volume gets the name as its key.
gyre_result gy_scene_keep_volume(gyre_scene *scene, gyre_volume *volume, const char *name,
                                 const char *file);
/// What the file calls a volume; NULL: none of the scene's.
const char *gy_scene_volume_name(const gyre_scene *scene, const gyre_volume *volume);

/// Of an array's numbers; 0: none of the scene's.
uint64_t gy_scene_volume_hash(const gyre_scene *scene, const gyre_volume *volume);

/// Line and column, from 1, of the member that `place` names (its key, or its value), or of the
/// deepest part of it that is there. `text` is valid JSON. Columns count characters.
void gy_scene_locate(const char *text, size_t size, const gy_place *place, bool key, int *line,
                     int *column);

/// Reads the JSON text into a scene made by the caller, who destroys it on failure.
gyre_result gy_scene_read(gyre_scene *scene, const char *text, size_t size);

/// Finds the leaf that a path means before the models are created. `rest` (may be NULL) gets the
/// path below the model, `model` the model's index or -1 for the scene's own settings.
/// Amounts that are not there are put in by gy_scene_reach().
gyre_result gy_scene_reach(gyre_scene *scene, const char *path, const gyre_property **property,
                           void **address, int *model, const char **rest);
gyre_result gy_scene_walk(gyre_scene *scene, const char *path, const gyre_property **property,
                          void **address, int *model, const char **rest);

/// Puts the model's name before what it said of its own path.
gyre_result gy_scene_in_model(const gyre_scene *scene, int model, gyre_result result);
/// The model that a path or a field's name begins with, and what follows its dot; -1: with none.
int gy_scene_model_of(const gyre_scene *scene, const char *path, const char **rest);
/// Whether the fields to be shown, now and by the timelines, are there and can be shown.
gyre_result gy_scene_check_shown(const gyre_scene *scene);
/// Fails where view.texture is no picture, or nothing flows that it could be drawn by.
gyre_result gy_scene_check_texture(gyre_scene *scene);
void gy_scene_texels_free(gyre_scene *scene);

/// Whether a model's path leads to something that is fixed at create.
bool gy_scene_is_fixed(const gyre_property *table, const char *path);

/// Whether a path means something that stays as it is once the run has begun.
bool gy_scene_is_set_at_start(const gyre_scene *scene, const char *path, int model,
                              const char *rest);

/// Writes a value to a live model or to the settings.
gyre_result gy_scene_write(gyre_scene *scene, const char *path, const gyre_value *value);

// ---- elements of pools, element.c

/// What "gas.solids" or "gas.solids.rock" means: the model, its pool's line, and "" or "rock".
/// False when it is neither.
bool gy_scene_pool(const gyre_scene *scene, const char *path, int *model,
                   const gyre_property **pool, const char **element);
/// The element of a pool by index or name; -1.
int gy_pool_find(const gyre_property *property, const gyre_pool *pool, const char *element);
/// Appends a copy to a pool of a def that the scene keeps.
gyre_result gy_pool_append(gyre_scene *scene, const gyre_property *property, gyre_pool *pool,
                           const void *element);
void gy_pool_remove(const gyre_property *property, gyre_pool *pool, int index);
/// Splits a model's path that leads to an element of a pool or into one: the pool's line, the
/// element, and what follows it. False when it does not.
bool gy_element_split(const gy_scene_model *model, const char *rest, const gyre_property **pool,
                      char element[128], const char **below);
/// Whether the element that an entry sets or removes is in a def; true when it means none.
bool gy_element_is_there(const gyre_scene *scene, const gy_key *key, const void *def);

// ---- what is put in is kept among the scene's defs too, follow.c

/// After create: which elements of the models are those of the defs.
gyre_result gy_follow_begin(gyre_scene *scene);
/// The id of the live element that a path means or leads into; 0.
gyre_id gy_follow_id(gyre_scene *scene, int model, const char *path);
/// After a change of the live scene: the same in the def, or in the entry of the timeline that has
/// brought the element. `id`: what gy_follow_id() said before the change.
gyre_result gy_follow(gyre_scene *scene, const gy_key *key, gyre_id id);

// ---- defs as they will be at some time, shadow.c

/// The scene's defs as they will be while a timeline is played: copies whose pools have room.
typedef struct gy_shadow {
    gyre_scene *scene;
    void *kept[GY_SCENE_MODELS + 1];
    int count;
} gy_shadow;

/// Puts copies with room for that many more elements in the place of the scene's defs: of the defs
/// themselves, or of the live models' defs.
gyre_result gy_shadow_begin(gy_shadow *shadow, gyre_scene *scene, bool live, int room);
/// Puts the defs back. `reserve`: with room for all that was there at one time.
gyre_result gy_shadow_end(gy_shadow *shadow, bool reserve);
void gy_shadow_add(const gyre_property *property, gyre_pool *pool, const void *element);
/// Adds or removes what a key does. False when it means an element that is not there.
bool gy_shadow_apply(gyre_scene *scene, const gy_key *key);
/// How many elements more than now the scene's timeline will make of a pool; -1: no memory.
int gy_shadow_coming(gyre_scene *scene, int model, const gyre_property *property);

// ---- what a run has been made from and what it goes on from, edits.c

/// All that the scene has said of its models up to now, as JSON; made by malloc. NULL with a
/// message.
char *gy_edits_write(gyre_scene *scene);
/// What was written, read again; free it with gy_edits_free().
typedef struct gy_edits gy_edits;
gyre_result gy_edits_read(gyre_scene *scene, const char *file, const char *text, size_t size,
                          gy_edits **edits);
void gy_edits_free(gy_edits *edits);
/// Before the models are created: refuses what cannot be taken, makes room for the elements that
/// the saved state has.
gyre_result gy_edits_prepare(const gy_edits *edits);
/// After the state is loaded: takes what the scene says otherwise now, and tells it.
gyre_result gy_edits_take(const gy_edits *edits, gyre_tell *tell, void *context);

// ---- which axis points up, up.c

/// Turns the defaults of a model that has just been given them.
void gy_up_turn(const gyre_scene *scene, const gyre_property *table, void *def);
/// Refuses models whose own axis is another one than the scene's.
gyre_result gy_up_check(const gyre_scene *scene);

// ---- bodies, bodies.c

/// Where a driven body goes.
typedef struct gy_target {
    gyre_id id;
    gyre_pose pose;
} gy_target;

/// Of a scene that was just made: their place among the models.
void gy_scene_bodies_begin(gyre_scene *scene);
/// Whether the scene has bodies, or will have, by what it says when it is created.
bool gy_scene_bodies_are(const gyre_scene *scene);
/// Refuses the index-th of a list that no set would take.
gyre_result gy_scene_bodies_check(const gyre_pool *bodies, int index);
/// Makes the set and hands it to the models, which are there.
gyre_result gy_scene_bodies_create(gyre_scene *scene);
void gy_scene_bodies_destroy(gyre_scene *scene);
/// Before a body is put in while the scene runs: makes the set where there is none yet (`made`).
gyre_result gy_scene_bodies_want(gyre_scene *scene, bool *made);
/// Takes a set that was made so away again.
void gy_scene_bodies_drop(gyre_scene *scene);
/// Once a step, after the models.
gyre_result gy_scene_bodies_step(gyre_scene *scene);
/// Whether an entry says where a driven body is at the end of a step, not at its beginning.
bool gy_scene_bodies_lead(gyre_scene *scene, const gy_key *key);
/// Meshes of those that are drawn; `count` is how many. The next call takes the one before.
gyre_result gy_scene_bodies_mesh(gyre_scene *scene, int index, gyre_mesh *mesh);
int gy_scene_bodies_mesh_count(const gyre_scene *scene);

/// A model of the scene by index; after the last of them the bodies.
gy_scene_model *gy_scene_at(const gyre_scene *scene, int i);
/// What of a path is below a model, or all of it for the bodies.
const char *gy_below_model(const gyre_scene *scene, int model, const char *path);
/// What is live of a model or the bodies: the def, an element's id, one that comes or goes, a
/// property.
const void *gy_live_def(gyre_scene *scene, int model);
gyre_id gy_live_id(const gyre_scene *scene, int model, const gyre_property *pool, int index);
gyre_id gy_live_add(gyre_scene *scene, int model, const gyre_property *pool, const void *element);
gyre_result gy_live_remove(gyre_scene *scene, int model, gyre_id id);
gyre_result gy_live_set(gyre_scene *scene, int model, const char *rest, const gyre_value *value);
/// A property of a body as it is now.
gyre_result gy_scene_bodies_get(gyre_scene *scene, const char *path, gyre_value *value);
/// Whether a def as it now is can be run.
bool gy_def_is_right(const gyre_scene *scene, int model);

// ---- what ties models together, couple.c

/// Refuses couplings of what the models do not have.
gyre_result gy_couplings_check(const gyre_scene *scene);
/// Lets waters that the camera does not see be stepped more seldom, unseen.c.
gyre_result gy_unseen_act(gyre_scene *scene);

// ---- waters that are nested, nested.c

/// Whether a coupling nests one water in another; fails where it does not.
gyre_result gy_nested_check(const gyre_scene *scene, int i, const gyre_coupling *coupling);
/// Nests them, once their fields begin.
gyre_result gy_nested_create(gyre_scene *scene);
/// Whether another water is nested in a model.
bool gy_nested_holds(const gyre_scene *scene, int model);
/// Whether it lies in another one.
bool gy_nested_lies(const gyre_scene *scene, int model);
/// Whether a picture shows all models by one water's heights.
bool gy_nested_is_one(const gyre_scene *scene);

/// Lets them act, once a step.
gyre_result gy_couplings_act(gyre_scene *scene);

// ---- how fields begin, start.c

/// Writes what the scene says into the fields of models that were just made.
gyre_result gy_start_apply(gyre_scene *scene);
void gy_start_free(gyre_scene *scene);

// ---- velocities that are given, given.c

/// Hands them over to models that were just made.
gyre_result gy_given_apply(gyre_scene *scene);
void gy_given_free(gyre_scene *scene);

// ---- timelines, timeline.c

/// Links the keys, which are sorted by time, of one path.
gyre_result gy_timeline_link(gyre_scene *scene, gy_timeline *timeline);
/// The latest time of an entry of one timeline that has been applied before the step in which one
/// of this time in the other is.
double gy_timeline_before(const gyre_scene *scene, double time);
/// What a key's property has at some time, on its way to the next one where it goes linearly.
gyre_value gy_timeline_value(const gy_timeline *t, const gy_key *key, double time);
/// Applies what is due at the scene's time.
gyre_result gy_timeline_apply(gyre_scene *scene);
/// After a load: what was due before the state was saved is in it already, but for the scene's own
/// settings, which are applied again.
gyre_result gy_timeline_resume(gyre_scene *scene);
/// Applies one change to the live scene; an element that comes gets its id.
gyre_result gy_key_apply(gyre_scene *scene, gy_key *key, const gyre_value *value);

gyre_value gy_value_open(const gy_value *value);
/// False with a message when there is no memory.
bool gy_value_keep(gyre_scene *scene, const gyre_value *value, gy_value *kept);

#endif
