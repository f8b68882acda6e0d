// model/drift.h: points that are carried along: tracers in a gas, dust on water. What both have:
// their attributes and where they come from.
#ifndef GY_DRIFT_H
#define GY_DRIFT_H

#include "model/particle.h"
#include "shape/shape.h"

/// All have the first ones; those with mass a velocity; plates have them all.
enum {
    GY_DRIFT_POSITION,
    GY_DRIFT_AGE,
    GY_DRIFT_ID,
    GY_DRIFT_ATTRIBUTES,
    GY_DRIFT_VELOCITY = GY_DRIFT_ATTRIBUTES,
    GY_DRIFT_HEAVY,
    GY_DRIFT_ORIENTATION = GY_DRIFT_HEAVY,
    GY_DRIFT_SPIN,
    GY_DRIFT_PLATES
};

extern const gyre_attribute_info gy_drift_table[GY_DRIFT_PLATES];

/// Where points are to be put: in a box, and in a shape where there is one.
typedef struct gy_drift_place {
    const gy_solid *shape;
    double low[3], high[3];
    float velocity[3], scatter; // m/s: with what those with mass begin, and what each differs by at
                                // most, in any direction
} gy_drift_place;

/// Whether a model has a place for a point, whose z it may set.
typedef bool gy_drift_accepts(const void *model, double point[3]);

/// The box from `low` to `high`; as large as need be where both are alike.
gy_drift_place gy_drift_box(const float low[3], const float high[3]);
/// All of a shape.
gy_drift_place gy_drift_shape(const gy_solid *shape);

/// Puts `count` points at random places, by a seed and the number that each of them has for good:
/// the same def gives the same points.
void gy_drift_seed(gyre_device *device, gy_particles *set, gy_drift_place place, uint64_t seed,
                   int64_t count, gy_drift_accepts *accepts, const void *model);

#endif
