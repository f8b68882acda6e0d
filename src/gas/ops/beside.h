// gas/ops/beside.h: the samples of a component beside a face of a solid that moves.
#ifndef GY_GAS_OPS_BESIDE_H
#define GY_GAS_OPS_BESIDE_H

#include "gas/ops/args.h"
#include "ops/row/row.h"

/// The sample one way or the other, round a periodic axis; it may lie outside.
GY_INLINE void gy_face_beside(const gy_extent *e, uint32_t periodic, const gy_gas_face *f, int way,
                              int at[3])
{
    int axis = way / 2, s = (int)f->sample;
    at[2] = gy_is_3d(e->dim) ? s / (int)e->sz : 0;
    s -= at[2] * (int)e->sz;
    at[1] = s / (int)e->sy;
    at[0] = s - at[1] * (int)e->sy;
    at[axis] += way & 1 ? 1 : -1;
    if (periodic >> axis & 1u) {
        at[axis] = (at[axis] + e->n[axis]) % e->n[axis];
    }
}

#endif
