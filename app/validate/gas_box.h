// validate/gas_box.h: boxes of gas in which no force acts, and what they start with; for the cases
// that watch energy, order and totals.
#ifndef VALIDATE_GAS_BOX_H
#define VALIDATE_GAS_BOX_H

#include "validate/validate.h"

/// A box of cells, 1 m wide along x, without gravity, whose pressure is solved to 1e-6.
typedef struct gas_box {
    int dim, n[3];
    const char *sides; ///< two for each axis: p(eriodic), c(losed: slip), o(pen); "" is all p
    double width;      ///< m along x; 0: 1 m
    bool ball;         ///< a ball (in 2D a disk) at rest, a fifth of the least width in radius
    bool starved;      ///< the pressure is not solved: one sweep of Jacobi's method
} gas_box;

/// What a gas of that box is made from, but for the ball, which validate_gas_open() adds.
gyre_gas_def validate_gas_def(const gas_box *box);
gyre_model *validate_gas_open(validate_run *run, const gas_box *box);

/// What the flow starts from. All are free of divergence on the grid, for they are differences of a
/// potential on edges (in 2D on nodes).
typedef enum gas_start {
    GAS_RANDOM,       ///< a smoothed random potential
    GAS_TAYLOR_GREEN, ///< 3D: sin x cos y cos z, -cos x sin y cos z, 0; 2D: one wave along each
                      ///< axis
    GAS_ABC           ///< Arnold, Beltrami and Childress with a thousandth of random flow
} gas_start;

/// Writes a start and makes it fit what is in its way, by a step of no length. The greatest
/// component is about 1 m/s.
void validate_gas_start(validate_run *run, const gas_box *box, gas_start start, int seed);

/// Twelve round vortices of random places, strengths and widths in a square 1 m wide, as a stream
/// function on its nodes.
double *validate_gas_vortices(validate_run *run, int cells, uint64_t seed);

/// Writes one component from packed samples, x fastest.
void validate_gas_put(validate_run *run, int field, const double *samples);
/// Writes the differences of a potential on the nodes of a 2D box, (n[0] + 1) x (n[1] + 1).
void validate_gas_put_stream(validate_run *run, const gas_box *box, const double *psi);

/// Calls for every sample of a field, read by asking for values at their places: a window would
/// count as a write.
void validate_gas_visit(validate_run *run, int field,
                        void visit(void *argument, const int at[3], double value), void *argument);

/// Sum of u^2/2 times volume over the faces, those on the sides by half. The statistic counts
/// cells' lower faces whole, which is the same where nothing passes the sides.
double validate_gas_energy(validate_run *run, const gas_box *box);

enum { GAS_LOOKS = 51 };

/// What became of the energy of a run.
typedef struct gas_energy {
    double most;            ///< greatest, over the start
    double rise;            ///< greatest rise over the last low, as a share of that low
    double bounded;         ///< the same of bounded_energy, as a share of its start
    double look[GAS_LOOKS]; ///< at even distances from start to end, over the start
} gas_energy;

/// Takes steps of a length; energy is looked at after each.
gas_energy validate_gas_watch(validate_run *run, const gas_box *box, double dt, int steps);

/// A number in 0 to 1 by counting: the same on every machine.
double validate_random(uint32_t seed, uint32_t index);

#endif
