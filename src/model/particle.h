// model/particle.h: what every set of particles is made of, and what is written once for all of
// them over their tables: memory, order, windows, hash, save and load, statistics.
//
// Particles are gathered from fields, so they are kept near one another in memory as in space: they
// are sorted by cell (ops/particle/particle.c) every few steps of the model, and whenever some are
// gone, which takes those away. Between sorts they stand in the order of the last one, new ones
// behind them as they came. Their order is a part of the state and depends on it alone.
//
// How many there are stands in the device's memory, where ops look for it. On a device that works
// for itself the host knows what came, but of what went only when it asks (gy_particles_collect):
// until then it holds the set for as large as it can be. So steps wait for nothing, but where what
// is to come may find no room.
#ifndef GY_PARTICLE_H
#define GY_PARTICLE_H

#include "device/device.h"
#include "gyre/model.h"

enum { GY_PARTICLE_ATTRIBUTES = 8, GY_PARTICLE_EVERY = 8 };

/// Of a set; saved and hashed. The counts are as in gyre_particle_stats; where the set is `late`,
/// they are those without what is gone since.
typedef struct gy_particle_state {
    int64_t count, seeded, lost, refused;
} gy_particle_state;

typedef struct gy_particles {
    gyre_particle_info info;
    gyre_attribute_info attributes[GY_PARTICLE_ATTRIBUTES];
    const gyre_grid *grid;
    uint64_t base; // of its memory, which begins with its arrays
    size_t bytes;
    uint32_t step; // from an array to the next, in units of 64 bytes
    uint32_t spare, keys, sorted, counts, starts, bins;
    uint32_t gone; // -> per task: how many a carrying op has found gone since the last sort
    uint32_t now;  // -> gy_particle_now
    int shift, coarse;
    bool late;  // some may be gone that the state counts as there
    bool noted; // a device has been asked ahead for how many there are
    gy_particle_state state;
    uint64_t seen; // a hash of what a window for writing was opened on
} gy_particles;

/// Lays a set of `capacity` particles with these attributes out, for cells of a grid. Returns the
/// bytes of memory it needs (set->bytes), aligned to 64; set->base is to be set to it. `table` and
/// `grid` live on.
size_t gy_particles_plan(gy_particles *set, const char *name, const char *doc,
                         const gyre_attribute_info *table, int attributes, int capacity,
                         const gyre_grid *grid);

/// Whether a device has the ops of all sets, and the one that carries these.
gyre_result gy_particles_require(gyre_device *device, const char *what, gy_op carries);

/// Of component `component` of an attribute: its array.
void *gy_particles_array(const gy_particles *set, int attribute, int component);

/// The box of an op over all of them; it must end where gy_particle_now says.
gy_box gy_particles_box(const gy_particles *set);

/// Before the host looks at a set's state: on a device that works for itself this may wait.
void gy_particles_collect(const gyre_device *device, const gy_particles *set);

/// After ops have carried them: takes away what is gone, and sorts every GY_PARTICLE_EVERY steps.
void gy_particles_settle(gyre_device *device, gy_particles *set, int64_t step);

/// At the end of a step: asks ahead for how many there are.
void gy_particles_end(gyre_device *device, gy_particles *set);

/// The set's grid stands elsewhere: takes away what is not in it any more, and goes round its
/// periodic axes (a bit each) with what is there.
void gy_particles_keep_in(gyre_device *device, gy_particles *set, uint32_t periodic);

/// Room for `count` more: how many there is room for. What there is none for is counted as refused.
int gy_particles_room(gyre_device *device, gy_particles *set, int64_t count);

/// Where those that come are to be written, after gy_particles_room: as gy_particles_array.
void *gy_particles_new(const gyre_device *device, const gy_particles *set, int attribute,
                       int component);

/// Has taken `count` of them, after they were written there.
void gy_particles_add(gyre_device *device, gy_particles *set, int count);

/// How many are to be seeded between two times at a rate; the same over a span however it is cut.
int64_t gy_particles_due(double rate, double from, double to);

/// A number in 0..1 (without 1) that depends on these alone.
float gy_particles_random(uint64_t seed, uint64_t number, uint32_t which);

// ---- of a model's sets; see model/save.c, model/window.c

uint64_t gy_particles_hash(const gyre_device *device, const gy_particles *set, uint64_t hash);
size_t gy_particles_save_size(const gyre_device *device, const gy_particles *set, bool most);
void gy_particles_save(gyre_device *device, const gy_particles *set, char *bytes);
/// Whether what was saved can be taken.
gyre_result gy_particles_check(const gy_particles *set, const char *bytes, size_t size);
void gy_particles_load(gyre_device *device, gy_particles *set, const char *bytes);

/// One of a model's sets that has an open window (for writing); NULL: none has.
gy_particles *gy_model_open_particles(const gyre_model *model, bool writing);

#endif
