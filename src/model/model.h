// model/model.h: what every model is made of, and what is written once for all of them over the
// field table and the property table: set and get, pools and ids, windows, hash, save and load,
// probes.
#ifndef GY_MODEL_H
#define GY_MODEL_H

#include "device/device.h"
#include "gyre/model.h"
#include "model/particle.h"

/// What stands in a query's way.
typedef struct gy_around {
    uint32_t periodic; // bits of the axes along which what leaves comes in on the other side
    bool walls;        // some cell holds no fluid, or some face is shut
    bool beside;       // probe_beside() may find something
    // NULL, or in place of holds() and shut(): a bit for each cell that holds fluid, and for each
    // low face across an axis that is open; bit i % 64 of word i / 64 of a row, of which fluid has
    // n[1] a plane and open n[1] + 1. All of open is less than 2^31 words.
    const uint64_t *fluid, *open[3];
    int words;        // of a row
    uint64_t own[24]; // the model's, so that it looks things up once
} gy_around;

/// Samples of a field that lie together: (i, j) of low <= (i, j) < high is at
/// data + (i - low[0]) + stride (j - low[1]), in one allocation with all other cutouts.
typedef struct gy_cutout {
    const float *data;
    ptrdiff_t stride;
    int low[2], high[2];
} gy_cutout;

/// A part of what a model keeps beside: the first `size` bytes of its room hold something.
typedef struct gy_extra_part {
    void *at;
    size_t size, room;
} gy_extra_part;

enum { GY_EXTRA_PARTS = 12 };

typedef struct gy_model_type {
    const char *name;
    const gyre_property *properties; // of the def
    size_t def_size;
    const gyre_property *stats;
    void (*default_def)(int dim, void *def);
    size_t (*size)(const void *def);
    gyre_result (*create)(gyre_device *device, const void *def, gyre_model **model);
    void (*destroy)(gyre_model *model);
    gyre_result (*step)(gyre_model *model, float dt);
    /// Of a model whose fields do not lie in windows (else NULL): makes the window of a field that
    /// is to be mapped; takes what was written into it back, in place of written(), so that what is
    /// as it was stays so; copies one row of a field of the state out of the model or into it.
    gyre_result (*map)(gyre_model *model, int field);
    gyre_result (*unmap)(gyre_model *model, int field);
    void (*read_row)(const gyre_model *model, int field, int j, int k, float *row);
    void (*write_row)(gyre_model *model, int field, int j, int k, const float *row);
    /// Of such a model: how many of the first rows several threads may read (`out`) or write at a
    /// time, in bands of 64; the others go one after the other.
    int (*shared_rows)(const gyre_model *model, int field, bool out);
    /// Of such a model: one sample of any field, a derived one, too; after fetch().
    float (*read_sample)(const gyre_model *model, int field, int i, int j, int k);
    /// Of a window: what is read at a point next to which a sample must not be seen from there;
    /// false: none is such, and a probe reads between all samples round it. May be NULL.
    bool (*probe_beside)(const gyre_model *model, int field, const gyre_field_view *view,
                         const float *point, float *value);
    /// NULL, or of a model whose fields do not lie in windows, a plane of them: which samples round
    /// (i, j) lie together; false: it alone.
    bool (*cutout)(const gyre_model *model, int field, int i, int j, gy_cutout *cutout);
    /// All NULL, or: what stands in a query's way, as the model was when it was last stepped or
    /// looked at; whether all cells of a box hold fluid (false: perhaps not); which of `count`
    /// cells of a row do (-1, else 0), from `first` on; whether nothing passes the low face across
    /// an axis of a cell.
    gy_around (*around)(const gyre_model *model);
    bool (*clear)(const gyre_model *model, const gy_around *around, const gy_box *box);
    void (*holds)(const gyre_model *model, const gy_around *around, int j, int k, int first,
                  int count, int32_t *holds);
    bool (*shut)(const gyre_model *model, const gy_around *around, int axis, const int cell[3]);
    /// A window on a field's own samples, without checks.
    void (*window)(const gyre_model *model, int field, gyre_field_view *view);
    /// Of a model on a device with memory of its own (else NULL): before the host reads a window.
    void (*fetch)(const gyre_model *model, int field);
    /// Of a model that maps its fields by gathering them (else NULL), on a device with memory of
    /// its own: makes a window of a field there, which is good until the same is asked for again.
    gyre_result (*gather)(gyre_model *model, int field, const void **at);
    /// Of a model whose windows are not what the device has (else NULL): where the device has
    /// sample (0, 0, 0) of a field, and the bytes of a sample: 4, floats, or 2, binary16.
    const void *(*place)(const gyre_model *model, int field, int *bytes);
    /// Of such a model: where the device has the field's samples as floats, with the window's
    /// strides, until it is asked for more.
    const void *(*floats)(gyre_model *model, int field);
    /// Computes a derived field, so that window() shows it. Before that, NULL or: whether it can be
    /// had of the model as it is; fails with what it lacks.
    void (*derive)(gyre_model *model, int field);
    gyre_result (*derives)(const gyre_model *model, int field);
    /// Samples of the field were written from outside.
    void (*written)(gyre_model *model, int field);
    /// A property of the def was written, or elements came or went. `pool` names the list, or is
    /// NULL. When it fails (for want of memory) the def is put back as it was and changed() is
    /// called again, which must then need nothing new.
    gyre_result (*changed)(gyre_model *model, const char *pool);
    /// NULL, or: whether changed() may wait until the model is stepped or looked at, after values
    /// of elements of a pool have changed. Nothing but want of memory may make it fail then.
    bool (*waits)(const gyre_model *model, const char *pool);
    /// Whether the def as it now is can be run; a failed check takes the change back.
    gyre_result (*check)(const void *def);
    gyre_result (*splat)(gyre_model *model, int field, const float centre[3], float radius,
                         float amount);
    /// NULL, or: moves its grid by whole cells, which has been found right: model->place and grid
    /// with it. changed() brings it in line with model->place, too, after a load.
    gyre_result (*shift)(gyre_model *model, const int cells[3]);
    double (*total)(const gyre_model *model, int field);
    const void *(*get_stats)(gyre_model *model);
    /// NULL, or: before `extra` is read, and after a load has written it.
    void (*keep)(gyre_model *model);
    void (*regain)(gyre_model *model);
    /// NULL, or of a model whose `extra` has room that may be empty: all of it in parts.
    int (*extra_parts)(const gyre_model *model, gy_extra_part parts[GY_EXTRA_PARTS]);
    /// Of a model with `more`: copies it out, or in. It is floats. What comes in may have the other
    /// size: what is not there is zeros, what is not wanted is left.
    void (*copy_more)(gyre_model *model, char *bytes, size_t size, bool out);
    /// NULL, or: whether element `index` of a pool stands in the domain and is too small to be seen
    /// there.
    bool (*misses)(const gyre_model *model, const char *pool, int index);
    /// What there is to tell of element `index` of a pool as it is now: a table, and through
    /// `report` the struct it describes, until the model's next call. Index -1: the table alone.
    /// NULL: nothing of this pool; a model without such pools has none.
    const gyre_property *(*report)(const gyre_model *model, const char *pool, int index,
                                   const void **report);
    /// NULL, or: the surface of a body of the set where the model has it elsewhere; `own` says so.
    gyre_result (*body_mesh)(gyre_model *model, int index, gyre_mesh *mesh, bool *own);
    /// Both NULL, or: hands it the bodies of a set, or with NULL takes them away; before it is
    /// stepped or looked at, while it has a set (may be NULL): brings it in line with where those
    /// bodies are.
    gyre_result (*use_bodies)(gyre_model *model, gyre_bodies *bodies);
    gyre_result (*meet_bodies)(gyre_model *model);
    /// NULL, or: fills in what it has of a texture's coordinates, if any; the rest was done.
    void (*texture)(const gyre_model *model, gyre_texture *texture);
    /// Solids to draw; both NULL where there are none.
    int (*mesh_count)(const gyre_model *model);
    gyre_result (*mesh)(const gyre_model *model, int index, gyre_mesh *mesh);
    /// Walls without thickness to draw; both NULL where there are none.
    int (*sheet_count)(const gyre_model *model);
    gyre_result (*sheet)(gyre_model *model, int index, gyre_mesh *mesh);
    /// Fluid that is in no field; NULL: there is none.
    gyre_result (*overhang)(gyre_model *model, gyre_mesh *mesh);
} gy_model_type;

enum {
    GY_MOST_SAMPLES = 4097, // along a row
    GY_MOST_MOVED = 1 << 20 // cells that a grid is moved from its def's place at most
};

/// A list of elements of the def: its line of the property table, and the elements' numbers, which
/// ascend: a number is not used again. What the caller sees of one is a gyre_id, see gy_id_of.
typedef struct gy_model_pool {
    const gyre_property *property;
    uint64_t *ids;
    bool stale; // elements have changed since changed() was called for them
} gy_model_pool;

/// extra.c: see there. The version of what is saved; a check fails with what is wrong.
uint32_t gy_extra_version(const gyre_model *model);
uint64_t gy_extra_hash(const gyre_model *model, uint64_t hash);
size_t gy_extra_save_size(const gyre_model *model, bool most);
void gy_extra_save(const gyre_model *model, char *bytes);
gyre_result gy_extra_check(const gyre_model *model, uint32_t version, const char *bytes,
                           size_t size);
void gy_extra_load(gyre_model *model, const char *bytes);

/// Where a grid is, and what it took to come there: saved and hashed as far as it is not 0.
typedef struct gy_grid_place {
    int32_t moved[3]; // cells that it stands from where the def has it
    int32_t based[3]; // cells of these that the world's origin went along: gyre_water_rebase()
    double brought;   // of water: m of depth, summed over cells, that moving has brought
    double due;       // of water with `every`: s that wait to be stepped, below 0: that are ahead
} gy_grid_place;

/// The head of every model.
struct gyre_model {
    const gy_model_type *type;
    gyre_device *device;
    void *def; // the model's own copy; pools have room for their capacity
    const gyre_grid *grid;
    gy_grid_place place;
    const gyre_field_info *fields;
    int field_count;
    double time;
    int64_t steps;
    bool loads; // written() is told of a saved state, which brings all that the model keeps beside
    gy_model_pool *pools; // as many as the property table has
    int pool_count;
    uint64_t next_id;
    uint32_t tag;      // of the model among those of this process, 1 to 65535; no part of the state
    int derived;       // the derived field that is open, or -1
    uint64_t open;     // fields with an open window; a bit each
    uint64_t writing;  // those of them that are open for writing
    uint64_t seen[64]; // a hash of the samples of each of these: to write nothing changes nothing
    gy_particles *particles; // the table of its sets
    int particle_sets;
    gyre_bodies *bodies;                        // a set that it was handed, or NULL
    uint32_t particles_open, particles_writing; // as open and writing, a bit for each set
    void *extra; // state that is neither a field nor a property; see model/extra.c
    size_t extra_size;
    // Bytes of state beside that, not hashed: now, and the two sizes that they have. What is beyond
    // the lesser is there or not as the def and its arrays are, and begins with zeros.
    size_t more_size, more_least, more_most;
};

/// Makes a model of this type: what every create does.
gyre_result gy_model_create(const gy_model_type *type, gyre_device *device, const void *def,
                            gyre_model **model);

/// Fails where there is no such field, for every verb that takes an index: of -1 with the name that
/// this thread has just asked for in vain.
gyre_result gy_model_check_field(const char *call, const gyre_model *model, int field);

/// The fields stem_x, stem_y and, where there is one, stem_z: how many; 0 with a message where the
/// first two are not there.
int gy_model_vector(const char *call, const gyre_model *model, const char *stem, int fields[3]);

/// Fails where a window is open: before what changes the state, or takes it as a whole.
gyre_result gy_model_still(const gyre_model *model, const char *call);

/// Fails where a window is open for writing: before what reads the state.
gyre_result gy_model_whole(const gyre_model *model, const char *call);

/// Makes a derived field of a fresh model, or fails where it cannot be had.
gyre_result gy_model_derive(gyre_model *model, int field);

/// Before a model is stepped, looked at or changed otherwise: calls changed() for the pools for
/// which that has waited, and brings it in line with the bodies it was handed. After a failure they
/// wait on.
gyre_result gy_model_fresh(gyre_model *model);

/// The same before what is no result but a value.
static inline bool gy_model_is_fresh(const gyre_model *model)
{
    return gy_model_fresh((gyre_model *)(uintptr_t)model) == GYRE_OK;
}

/// The def's grid, so many cells from where the def has it; whether the model's is not 0; fails
/// where the model cannot have it there.
gyre_grid gy_model_grid_at(const gyre_model *model, const int32_t moved[3]);
bool gy_model_has_moved(const gyre_model *model);
/// Bytes of `place` that are to be saved and hashed; 0: it is where the def has it.
size_t gy_model_place_size(const gyre_model *model);
gyre_result gy_model_check_place(const char *call, const gyre_model *model, const int32_t moved[3]);

/// A tag for a new model.
uint32_t gy_model_tag(void);

/// The number of element `index` of a pool, which is part of the state; 0 where there is none.
uint64_t gy_model_number(const gyre_model *model, const char *pool, int index);

/// The place of the element that an id names: its pool's number among the model's, and its index.
/// GYRE_ERROR_ARGUMENT says what is wrong with the id. `call` begins the message. With `pool` not
/// NULL, the id must be of that pool.
gyre_result gy_model_locate(const gyre_model *model, const char *call, const char *pool, gyre_id id,
                            int *p, int *index);

/// gyre_model_update and gyre_model_read of ids of one pool alone: what typed calls are made of.
gyre_result gy_model_update_in(gyre_model *model, const char *pool, gyre_id id,
                               const void *element);
gyre_result gy_model_read_in(const gyre_model *model, const char *pool, gyre_id id, void *element);

/// A window that the host may read.
void gy_model_window(const gyre_model *model, int field, gyre_field_view *view);

/// Bytes of the head's own lists: the def's copy, the list of its pools, these and their ids.
size_t gy_model_head_size(const gy_model_type *type, const void *def);

/// Fills the head in: copies the def into `memory` (gy_model_head_size bytes, aligned to 64).
void gy_model_head(gyre_model *model, const gy_model_type *type, gyre_device *device,
                   const void *def, void *memory);

/// Room that a pool of a def asks for.
int gy_pool_capacity(const gyre_pool *pool);

/// The list of types, and names of those that this build is made without; ended by NULL
/// (models/types.c).
extern const gy_model_type *const gy_model_types[];
extern const char *const gy_models_apart[];

#endif
