// model/sight.h: segments on their way through a grid, and what of them is compiled for each
// instruction set: isa/legs.c.
#ifndef GY_SIGHT_H
#define GY_SIGHT_H

#include "model/source.h"

enum { GY_LEGS = 64, GY_SEGMENTS = 32 };

/// Further than any leg: they go from 0 to 1.
static const float gy_never = 4.0f;

/// What of a segment is in the domain, in cells: from + t by, t of 0 to 1.
typedef struct gy_segment {
    double from[3], by[3];
    double length, start; // of the whole segment and of what is before that, in metres
    double inside;        // metres of it in the domain
    double wall, sum;     // t of the first wall, above 1: there is none; the integral over t
    bool any;
} gy_segment;

/// Legs of segments, a lane each, through a lattice of unit cells.
typedef struct gy_legs {
    float off[3][GY_LEGS];    // where it begins in its first cell
    float by[3][GY_LEGS];     // and how far it goes, in cells
    int32_t cell[3][GY_LEGS]; // the first
    int32_t last[3][GY_LEGS];
    float out[GY_LEGS];                     // the integral over t, or t of the first wall
    double start[GY_LEGS], share[GY_LEGS];  // of the segment, both in its t
    int32_t owner[GY_LEGS], inner[GY_LEGS]; // its segment; whether all of it has samples round it
    int used;
} gy_legs;

typedef struct gy_sight {
    gy_source source;
    gy_around around;
    const gyre_grid *grid;
    const struct gy_asked *kernels;
    double place[3]; // of sample (0, 0, 0), in cells
    float absorption;
    bool walls;
    gy_segment list[GY_SEGMENTS];
    gy_legs legs;
} gy_sight;

#endif
