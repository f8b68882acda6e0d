// solve/transform.h: what the solvers that transform share: which boxes they take, their tables.
#ifndef GY_TRANSFORM_H
#define GY_TRANSFORM_H

#include "solve/solvers.h"

/// Whether n has no prime factor above 7.
bool gy_transform_length(int n);

/// What both solvers refuse: pins, solids, held values elsewhere than half a cell outside.
bool gy_transform_box(const gy_system_def *def, char *why, size_t size);

/// Makes the tables of every axis, and buffers for tasks. `line`: the axis that is not transformed;
/// -1: all are. `scaled`: a transformed axis, whose tables take the scale of all.
gyre_result gy_transform_prepare(gy_system *system, int line, int scaled);

/// The tables of one axis by itself, for lines of plain arrays: of a periodic axis, or one whose
/// ends are shut. Forward and back again is the identity. `memory`: as many bytes as the first
/// says, aligned to 64; `angle`: of each place of the transform, its frequency in radians per cell.
/// n as gy_transform_length takes it.
struct gy_fft_axis;
size_t gy_transform_line_size(int n, bool periodic);
void gy_transform_line(struct gy_fft_axis *axis, int n, bool periodic, void *memory, float *angle);

/// Runs an op over all lines along `axis`: GY_OP_transform in one of its ways, or GY_OP_reduce.
/// From the vector `from` to x.
void gy_transform_run(const gy_system *system, gy_op op, int way, int axis, uint32_t from);

/// Transforms along all axes but `line`: forward from b to x, or x back. Along x and y plane by
/// plane, while a plane is in the cache, where that can be.
void gy_transform_others(const gy_system *system, int way, int line);

/// What ends a solve: halos, and the residual that is left.
gy_solve_result gy_transform_finish(gy_system *system, const gy_solve_task *task);

#endif
