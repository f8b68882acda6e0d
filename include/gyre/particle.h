/// @file gyre/particle.h
/// Particles that a model keeps beside its fields: tables of their attributes and windows on them.
#ifndef GYRE_PARTICLE_H
#define GYRE_PARTICLE_H

#include "gyre/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the components of an attribute are.
typedef enum gyre_attribute_kind {
    GYRE_ATTRIBUTE_FLOAT, ///< float
    GYRE_ATTRIBUTE_INT    ///< int32_t
} gyre_attribute_kind;

/// One line of a particle set's table. The first line of each is "position", 3 floats in metres.
typedef struct gyre_attribute_info {
    const char *name;         ///< "position", "age", ...
    const char *unit;         ///< "m", "s", "1"
    int components;           ///< 1 to 4
    gyre_attribute_kind kind; ///< of each component
    gyre_view view;           ///< how it is best shown
    const char *doc;          ///< one line
    int array;                ///< of its first component, among the set's arrays; set by the model
} gyre_attribute_info;

/// The most arrays of a set: one for each component of each attribute.
enum { GYRE_PARTICLE_ARRAYS = 16 };

/// A set of particles: its name, its table and the room it has.
typedef struct gyre_particle_info {
    const char *name;                      ///< "tracers", "dust"
    const char *doc;                       ///< one line
    const gyre_attribute_info *attributes; ///< its table
    int attribute_count;                   ///< lines of it
    int arrays;                            ///< of all attributes together
    int capacity;                          ///< the most particles; fixed at create
    bool overhang; ///< seen as what gyre_model_overhang() gives, where that is drawn
} gyre_particle_info;

/// A window on a set: component c of attribute a of particle i is element i of
/// data[attributes[a].array + c], an array of floats or of int32_t as the attribute's kind says.
typedef struct gyre_particle_view {
    int count;                        ///< particles that there are
    int capacity;                     ///< elements that each array has room for
    void *data[GYRE_PARTICLE_ARRAYS]; ///< NULL beyond the set's arrays
} gyre_particle_view;

/// What there is to tell of a set.
typedef struct gyre_particle_stats {
    int64_t count;   ///< particles that there are
    int64_t seeded;  ///< that there have been since create
    int64_t lost;    ///< of those that are gone: outside, inside solids, on dry land, too old
    int64_t refused; ///< that were to be seeded and found no room, or no place
} gyre_particle_stats;

#ifdef __cplusplus
}
#endif
#endif
