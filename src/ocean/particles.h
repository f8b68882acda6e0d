// ocean/particles.h: wave particles: what of them is kept, and what they add at a point.
#ifndef GY_OCEAN_PARTICLES_H
#define GY_OCEAN_PARTICLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An arc of a circle that widens, on which 3^l particles stand at equal angles: one that a body
/// has shed and all that it has become. Saved and hashed with those that there are: no gaps.
typedef struct gy_ocean_family {
    double from[2];         // m, the circle's middle
    int64_t born;           // ticks
    uint32_t middle, width; // of the arc, 2^-32 turns
    float begun;            // m, the circle's radius at birth
    float amplitude;        // m, of all together at birth
    float radius, speed;    // m, m/s
    float life;             // s
    float spare;
} gy_ocean_family;

/// What is kept of a body between the times when it sheds. No gaps.
typedef struct gy_ocean_shedder {
    uint64_t number;   // the body's; 0: none
    int64_t at;        // ticks, when it last shed
    double turn[3][3]; // its pose then
    double place[3];
    double surface; // m, of the sea there then
} gy_ocean_shedder;

/// State beside fields and properties; behind it families, then shedders.
typedef struct gy_ocean_shed {
    int32_t count, next; // families that are kept; where the next goes
    int64_t made, cut,
        thrown; // families ever made; of these, cut short; bodies that were moved at once
} gy_ocean_shed;

enum {
    GY_OCEAN_BINS = 64,  // along an axis, at most
    GY_OCEAN_LISTED = 16 // squares that list a family, on average, at most
};

/// Which families may reach into a square.
typedef struct gy_ocean_bins {
    bool made;
    uint64_t emissions; // of what
    double low[2], per_side;
    int n[2];
    int32_t *first, *last; // of a square's list, one more than squares; scratch
    int32_t *list;
} gy_ocean_bins;

/// What particles add at a point.
typedef struct gy_ocean_lift {
    float height, rise;
    float slope[2];
    float move[2], jacobian[2][2]; // m sideways; d move[i] / d x[j]
    float drift[2];                // m/s, of that
    float flow[2];                 // m^2/s, that carries the height along
} gy_ocean_lift;

#endif
