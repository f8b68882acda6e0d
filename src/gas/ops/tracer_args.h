// gas/ops/tracer_args.h: arguments of the ops that carry particles through a gas.
#ifndef GY_GAS_TRACER_ARGS_H
#define GY_GAS_TRACER_ARGS_H

#include "ops/row/args.h"

/// tracer: carries particles by the velocities across the faces of a gas: see gas/ops/tracer.c.
typedef struct gy_tracer_args {
    uint64_t base;      // of the gas
    uint64_t particles; // -> the first array: x, y, z, age
    uint32_t step;      // from an array to the next, in units of 64 bytes
    uint32_t gone;      // -> per task: how many are gone since the sort before (a twin: whether
                        // any is, in the first); of `particles`
    uint32_t now;       // -> gy_particle_now; of `particles`
    uint32_t velocity[3];
    uint32_t near;  // as in gy_trace_args
    uint32_t level; // -> gy_level with the openness of faces
    gy_extent extent;
    uint32_t periodic, open_sides; // as in gy_trace_args
    float origin[3];
    float h, inverse; // 1 / h
    float scale;      // dt / h
    float dt;
    float life;     // s; 0: they do not grow too old
    uint64_t links; // const gy_links *; 0: there are no sheets
} gy_tracer_args;

/// What grain knows of plates: see gas/ops/plate.h.
typedef struct gy_plate_law {
    int32_t is;      // 0: they are balls, and what follows is 0
    float thick;     // cells: half of it
    float wide;      // cells: half of the diameter
    float ease;      // its mass by that with what it takes along broadside on
    float across[2]; // broadside on: 1/s, 1/m: the rate of drag, and by speed
    float along[3];  // edge on: 1/s, 1/sqrt(m s), 1/m: the same, by the root of speed, by speed
    float turn[3];   // about a diameter: 1/s, 1/m, 1: the rate of drag, by speed, by spin
    float roll;      // 1/s: about its axis
    float lever;     // 1/m^2: how fast pressure turns it
    float lift;      // 1: what spin gives across the wind, by spin and wind
    float form;      // Jeffery's (r^2 - 1) / (r^2 + 1), r thickness by diameter
} gy_plate_law;

/// What grain knows of all particles of a set alike.
typedef struct gy_grain_law {
    float origin[3];
    float h, inverse;  // 1 / h
    float life;        // s; 0: they do not grow too old
    float pull[3];     // m/s^2: weight less buoyancy, by mass
    float slow;        // 1/s: the rate of Stokes's drag
    float reynolds;    // s/m: Reynolds number by speed
    float fast;        // 1/m: the rate of drag by speed above Re = 1000
    float hold;        // cells: how near to surfaces they come
    float bounce;      // of speed, that is left after one
    float friction;    // of Coulomb
    int32_t stick;     // 1: what meets a surface stays
    uint32_t distance; // -> cells from solids, on corners of cells; 0: there are none
    uint32_t motion;   // -> m/s of their surfaces, an array of each axis; 0: none moves
    uint32_t motions;  // from one of those arrays to the next, in units of 64 bytes
    gy_plate_law plate;
} gy_grain_law;

/// How deep in a solid a particle is not brought out any more, in cells.
#define GY_GRAIN_DEEP 3.0f

/// grain: carries particles with mass through a gas: see gas/ops/grain.c.
typedef struct gy_grain_args {
    uint64_t base; // of the gas
    uint64_t
        particles; // -> the first array: x, y, z, age, id, velocity; of plates orientation, spin
    uint32_t step, gone, now, velocity[3], near, level; // as in gy_tracer_args
    gy_extent extent;
    uint32_t periodic, open_sides;
    uint32_t law;  // -> gy_grain_law; of `particles`
    uint32_t draw; // random: of this step
    float dt;
    float gust;     // m/s: the most of the wind's own gusts
    uint32_t given; // -> of each, in arrays as of attributes: m/s that the drag has given it, and
                    // where it was, in cells; of `particles`; 0: nobody asks
    uint64_t links; // const gy_links *; 0: there are no sheets
} gy_grain_args;

/// unload: adds what particles give a component of the gas's velocity to its sums; unloaded: adds
/// those to the component and begins them anew. See gas/ops/unload.c.
typedef struct gy_unload_args {
    uint64_t base;      // of the gas
    uint64_t particles; // of the set
    uint32_t step, now; // as in gy_tracer_args
    uint32_t given;     // as in gy_grain_args
    uint32_t sums;      // -> int64_t of each sample of a field, in 2^-40 m/s; of `particles`
    uint32_t velocity;  // -> of the component; of `base`
    gy_extent extent;
    uint32_t periodic;
    int32_t axis;
    float each; // what the gas of a cell gains by 1 m/s of one of them
} gy_unload_args;

GY_FITS(gy_unload_args);
GY_FITS(gy_tracer_args);
GY_FITS(gy_grain_args);

#endif
