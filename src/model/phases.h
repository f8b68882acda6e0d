// model/phases.h: when texture coordinates that flow along begin anew: of gas and water alike.
#ifndef GY_MODEL_PHASES_H
#define GY_MODEL_PHASES_H

#include <stdint.h>

/// How often one of so many phases has begun anew by a time, s, and the share of its period, s,
/// since.
static inline int64_t gy_phase_turns(int phases, float period, int phase, double time,
                                     double *since)
{
    double turns = time / (double)period + (double)phase / (double)phases;
    // Beyond this a double knows no share of a turn.
    int64_t whole = turns < 1e15 ? (int64_t)turns : (int64_t)1e15;
    *since = turns < 1e15 ? turns - (double)whole : 0.0;
    return whole;
}

#endif
