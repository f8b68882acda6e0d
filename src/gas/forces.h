// gas/forces.h: the forces of a gas made ready, for the files that work them out.
#ifndef GY_GAS_FORCES_H
#define GY_GAS_FORCES_H

#include "gas/gas.h"
#include "gas/ops/drive.h"

typedef struct gy_wave gy_wave;

struct gy_gas_forces {
    size_t bytes; // of the whole block
    int count;
    bool weighed;      // fans know the faces
    uint32_t openness; // that they know
    double clock;      // s
    gy_force *list;
    gy_wave *waves; // of all turbulences, in order
    float *tables;
    size_t tables_bytes;
    gy_force field; // what is worked out into arrays
    float *felt;    // sample (0, 0, 0) of the first of those; NULL: no force needs them
    ptrdiff_t felt_step;
    int felt_count;
    gy_framing frame;
};

// felt.c: forces that ask how the gas moves
/// How many arrays they need, as large as a field each.
int gy_gas_felt_arrays(const gyre_gas *gas);
/// The last of those: what faces across an axis are pushed by, m/s^2.
float *gy_gas_felt_push(const gyre_gas *gas, int axis);
/// Works out what a confinement pushes with, over `ahead` seconds; back: as it is at their end.
void gy_gas_confine(gyre_gas *gas, const gyre_gas_force *def, const gy_force *f, float ahead,
                    bool back);
/// Works out what the frame pushes with.
void gy_gas_feel_frame(gyre_gas *gas, float ahead, bool back);

struct gy_gas_called {
    size_t bytes; // of the whole block
    gyre_gas_row_call *call;
    void *user;
    gy_force field; // what it has answered
    float *arrays;  // sample (0, 0, 0) of the first component's, m/s^2
    ptrdiff_t step; // from one to the next
    float *rows;    // of velocities, for each piece
    int row;        // floats of one
};

// forces.c
/// Adds what gy_gas_felt_push has, times `gain`.
void gy_gas_add_felt(gyre_gas *gas, float gain);

#endif
