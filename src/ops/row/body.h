// ops/row/body.h: what every op body is written with. A file of ops/ is compiled once per
// instruction set with GY_ISA naming it; GY_BODY gives its bodies that set's names.
#ifndef GY_OPS_BODY_H
#define GY_OPS_BODY_H

#include "base/simd.h"
#include "device/device.h"
#include "grid/layout.h"
#include "ops/row/args.h"

#define GY_JOIN_(a, b) a##_##b
#define GY_JOIN(a, b) GY_JOIN_(a, b)
#define GY_BODY(name) GY_JOIN(gy_body_##name, GY_ISA)

#define GY_OP(name, kind) void GY_BODY(name)(const void *args, const gy_box *box, int task);
#include "device/op_lists.inc"
#undef GY_OP

#endif
