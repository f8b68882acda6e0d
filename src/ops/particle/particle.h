// ops/particle/particle.h: arguments of the ops of particles. A set's components lie in arrays of
// 32-bit words, one after the other, a fixed step apart.
#ifndef GY_OPS_PARTICLE_H
#define GY_OPS_PARTICLE_H

#include "ops/row/args.h"

enum {
    GY_PARTICLE_BUCKETS = 256,    // that particles are sorted into first
    GY_PARTICLE_COUNTS = 256,     // counts of a task
    GY_PARTICLE_MOST_BINS = 32768 // of one bucket
};

/// What a particle that is gone has for x, until the next sort takes it away.
#define GY_PARTICLE_GONE 1e30f

/// A word of an array, whatever it holds.
typedef uint32_t __attribute__((may_alias)) gy_word;

/// What ops know of a set's size. On a device that works for itself the host learns of losses only
/// when it asks: its box may then be longer than `count`, and ops leave out what lies beyond.
typedef struct gy_particle_now {
    uint32_t settled; // 1: there is nothing to sort, and nothing to take away; a gate
    uint32_t count;
} gy_particle_now;

/// particle_append: copies particles of `to`, from the first on, behind those that there are.
/// Box: (how many, 1, 1).
/// particle_grow: counts `more` of them.
/// particle_settle: whether nothing is to be sorted; forgets what ops have found gone.
/// particle_key: of particles `from` the bin that each lies in (all bits: it is gone, or beyond the
/// last), and per task how many lie in each bucket. Box: (count or more, 1, 1), as of
/// particle_scatter.
/// particle_starts: from those counts the places of each task's particles in each bucket, and how
/// many particles are left.
/// particle_scatter: copies the particles into `to`, bucket by bucket, in the order they had.
/// particle_order: copies those of each bucket from `to` back into `from`, bin by bin, in the order
/// they had. Box: (GY_PARTICLE_BUCKETS, 1, 1).
/// A bin is 2^coarse cells along x (1 wherever the grid has no more than 2^23 cells), a bucket
/// 2^shift bins.
typedef struct gy_particle_args {
    uint64_t base;
    uint32_t from, to; // -> the first array
    uint32_t step;     // from an array to the next, in units of 64 bytes
    uint32_t keys;     // -> of each particle
    uint32_t sorted;   // -> the same in `to`
    uint32_t counts;   // -> per task: GY_PARTICLE_COUNTS
    uint32_t starts;   // -> of each bucket, and of the end
    uint32_t bins;     // -> per task of particle_order: 2^shift; twins do without
    uint32_t now;      // -> gy_particle_now
    uint32_t gone;     // -> per task of a carrying op: how many it has found gone
    int32_t more;
    int32_t always; // 1: sort, even if none is gone
    int32_t arrays, tasks;
    int32_t shift, coarse;
    int32_t n[3], dim;
    float origin[3];
    float inverse; // 1 / h
} gy_particle_args;

GY_FITS(gy_particle_args);

#endif
