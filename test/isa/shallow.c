// The kernel of shallow water, compiled once per instruction set as the ops are.
#include "water/ops/shallow.h"
#include "ops/row/body.h"

#define TEST_SHALLOW(isa) GY_JOIN(test_shallow, isa)

void TEST_SHALLOW(GY_ISA)(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,
                          gy_flow_result *told);
void TEST_SHALLOW(GY_ISA)(const gy_shallow *s, gy_patch *p, float *depth, float *qx, float *qy,
                          gy_flow_result *told)
{
    gy_shallow_step(s, p, depth, qx, qy, told);
}
