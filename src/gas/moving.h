// gas/moving.h: solids that move, and the faces through which they meet the gas. There only while
// some solid moves, or a body of a set is free.
#ifndef GY_GAS_MOVING_H
#define GY_GAS_MOVING_H

#include "gas/gas.h"

/// A solid as it moves: the same order as gas->made; then sheets.
typedef struct gy_mover {
    int32_t body;       // its index in the set; -1: it is a solid of the gas
    int32_t solid;      // its index among those; -1: it is a body
    int32_t moves;      // whether its velocity or spin is not 0
    int32_t slip;       // whether the gas slides along it
    int32_t deforms;    // whether it did in the set's last step
    int32_t sheet;      // its index among those of the gas; -1: it is none
    int32_t floor;      // whether it is the floor of heights
    double shift[3];    // m, from where its set says that it is: across periodic sides
    double centre[3];   // m, a point of its own
    double velocity[3]; // m/s, of that point
    double spin[3];     // rad/s
} gy_mover;

/// What the gas did to a solid: by its pressure, in the step so far (impulses) and in the last
/// one, for air of 1 kg/m^3.
typedef struct gy_gas_push {
    double impulse[3], twist[3];
    double force[3], torque[3];
} gy_gas_push;

/// A face that a solid shuts, wholly or in part.
typedef struct gy_gas_face {
    uint32_t sample;      // of the velocity across it, from sample (0, 0, 0)
    int32_t below, above; // its cells in vectors of the pressure's finest level; -1: no gas
    uint32_t cell[2];     // the same two as samples
    uint16_t mover, axis;
    int32_t run;        // the first face after it of another solid or axis
    float shut;         // part of the face: 0 to 1
    float velocity;     // m/s, of the solid across it
    float dragged;      // m/s, of that what viscosity sees
    float arm[2];       // m, from the solid's centre, along the two axes that come after `axis`
    uint16_t weight[6]; // of the samples beside it in what viscosity solves: -x +x -y ...; 0: none
} gy_gas_face;

struct gy_gas_moving {
    gy_mover *movers;
    gy_gas_push *pushes;
    int room, count; // of those
    bool active;     // whether faces are listed
    bool any;        // whether any moves
    bool viscous;    // whether faces know what viscosity sees
    bool mixed;      // whether the gas slides along some otherwise than its def says
    gy_gas_face *faces;
    int face_count;
    size_t face_room;
    uint64_t *fluid; // which cells held gas before the solids moved
    size_t fluid_bytes;
    double squeezed; // what movers take from the gas, in velocities times faces
    double passed;   // the sum of its amounts
};

/// A solid's velocity at a point of the world; of one that deforms without that.
void gy_mover_velocity(const gy_mover *mover, const double point[3], double velocity[3]);
/// The same with it: what is nearest of the surface carries along. Takes a search for that.
void gy_gas_solid_velocity(const gyre_gas *gas, const gy_mover *mover, const double point[3],
                           double velocity[3]);

/// Whether a face is of a solid that moves and drags the gas along by viscosity.
bool gy_gas_is_dragged(const gy_gas_moving *moving, const gy_gas_face *face);

#endif
