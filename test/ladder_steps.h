// test/ladder_steps.h: the two small solvers of the ladder's foot, each with its own main put
// aside.
#ifndef LADDER_STEPS_H
#define LADDER_STEPS_H

enum { LADDER_N = 64, LADDER_SIZE = 66 * 66 };

/// 00_hundred.c: one step from u, v, dens with the sources behind them, in fields[6]: u, v, u_prev,
/// v_prev, dens, dens_prev.
void hundred_step(float *const fields[6], float visc, float diff, float dt);
/// 00_smallest.c: the same.
void smallest_step(float *const fields[6], float visc, float diff, float dt);

#endif
