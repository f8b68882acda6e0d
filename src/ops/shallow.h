#ifndef GY_SHALLOW_H
#define GY_SHALLOW_H
#include "ops/patch.h"
GY_INLINE void gy_shallow_step(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,
                               gy_shallow_told *told)
{
    (void)s;
    (void)p;
    (void)depth;
    (void)qx;
    (void)qy;
    (void)told;
}
#endif
