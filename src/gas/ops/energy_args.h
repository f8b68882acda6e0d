// gas/ops/energy_args.h: what is known of a gas's energy and mean velocity within a step, and the
// arguments of the ops that find it.
#ifndef GY_GAS_ENERGY_ARGS_H
#define GY_GAS_ENERGY_ARGS_H

#include "ops/system/args.h"

/// The energy of a gas on its way through a step, as sums of squares of velocity; see gas/flow.c.
/// decide_energy makes it, or the host where it is near.
typedef struct gy_energy {
    gy_cg_state lag;   // its factor: how much of the lagged pressure counts
    double kinetic;    // as the last step began
    double begun;      // and with what the lagged pressure may give back
    double given;      // with this step's forces: what carrying must not exceed
    double carried;    // what it made of that
    double work;       // done on the gas by forces, sources and walls since it began
    double first_gain; // s, when energy first rose without work
    int32_t governed;  // steps in which carrying was held back
    int32_t gained;    // steps whose energy rose without work
    float factor;      // that held it back
    uint32_t calm;     // gates: there was nothing to hold back
    uint32_t slow;     // gates: the Courant number is at most 1
    float swells;      // what carrying may add where the gas expands
} gy_energy;

/// The mean velocity of a gas that nothing passes, along axes that are periodic: carrying it
/// changes nothing of that.
typedef struct gy_means {
    double owed[3]; // m/s, what carrying has taken and has not been given back: little. Saved, the
                    // others not
    double held[3]; // sums of the velocities before they are carried
    double left[3]; // after it
    float add[3];   // m/s, what blend gives back
    uint32_t reserved;
} gy_means;

/// drift: sums of velocities over the lower faces of all cells.
typedef struct gy_drift_args {
    uint64_t base;
    uint32_t velocity[3]; // in 2D the third is the second
    uint32_t partial;     // -> per task: 4 doubles, of which one of each component
    gy_extent extent;
} gy_drift_args;

/// What decide_energy makes of partial sums.
typedef enum gy_energy_kind {
    GY_ENERGY_PACE, ///< nothing: whether the report at `partial` tells of a Courant number above 1
    GY_ENERGY_TAME, ///< kick that only measures: how much of the lagged pressure counts
    GY_ENERGY_KICK, ///< kick: a step begins; `first`: nothing is known of the one before
    GY_ENERGY_CARRIED, ///< correct: one field more; `first`, `last` of them. Or divergence: all
    GY_ENERGY_ARRIVED, ///< divergence: after forces and sources; `first`: before, `last`: after
                       ///< pushes
    GY_ENERGY_DRIVEN,  ///< divergence: after the first half of what a gas is driven by
    GY_ENERGY_PRESSED, ///< nothing: what comes in through sides, `time` of squares
    GY_ENERGY_HELD,    ///< drift: before it is carried
    GY_ENERGY_KEPT,    ///< drift: after it; `which`: bits, the axes along which the mean is kept,
                       ///< `time`: how many cells there are
    GY_ENERGY_DILATED  ///< dilate: what carrying may add
} gy_energy_kind;

/// decide_energy: adds up what an op has left per task, in order, and notes what follows for the
/// energy.
typedef struct gy_energy_args {
    uint64_t base;
    uint32_t energy;  // -> gy_energy
    uint32_t partial; // -> per task: 4 doubles; PACE: -> gy_report
    int32_t tasks;
    int32_t kind;  // gy_energy_kind
    int32_t which; // CARRIED: of the 4
    int32_t first, last;
    float pace;     // PACE: dt / h
    uint32_t means; // -> gy_means: HELD, KEPT
    uint32_t reserved;
    double time; // KICK: s, of the model; PRESSED: a sum of squares
} gy_energy_args;

GY_FITS(gy_drift_args);
GY_FITS(gy_energy_args);

#endif
