// ops/system/stages.h: the stages of a transform of 32 lines in a buffer, for ops that transform.
#ifndef GY_STAGES_H
#define GY_STAGES_H

#include "ops/row/body.h"
#include "ops/system/transform.h"

/// One of each for every instruction set.
#define GY_STAGED(name) GY_JOIN(gy_stages_##name, GY_ISA)

/// The outermost stage, forward (the first) or back (the last): reads (writes) columns where there
/// are any; `before`: turns of the elements before it, NULL: none.
void GY_STAGED(outer)(bool forwards, const gy_fft_axis *t, const gy_columns *c, const float *before,
                      float *buffer);
/// Everything between: the other stages, and what becomes of the coefficients. `values`: of the
/// other axes, where `way` solves.
void GY_STAGED(middle)(int way, const gy_fft_axis *t, float *buffer, const float *values);

#endif
