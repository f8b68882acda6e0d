// One table per instruction set: this file is compiled as often as the ops are. Of the ops in
// device/op_lists.inc a build may have some only (op_bodies.inc): the device lacks the others.
#include "ops/row/body.h"

#define GY_STRING_(x) #x
#define GY_STRING(x) GY_STRING_(x)

extern const gy_isa_table GY_JOIN(gy_isa, GY_ISA);
const gy_isa_table GY_JOIN(gy_isa, GY_ISA) = {
    .name = GY_STRING(GY_ISA),
    .body =
        {
#define GY_OP(name, kind) [GY_OP_##name] = GY_BODY(name),
#include "device/op_bodies.inc"
#undef GY_OP
        },
};
