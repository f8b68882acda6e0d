// device/op_list.h: the ops, each with its kind. A folder of ops lists its own in list.inc, a line
// for each: GY_OP(name, kind). The build puts one include for every such folder that there is into
// device/op_lists.inc (see CMakeLists.txt), so that a folder's ops come and go with it.
#ifndef GY_OP_LIST_H
#define GY_OP_LIST_H

typedef enum gy_op {
#define GY_OP(name, kind) GY_OP_##name,
#include "device/op_lists.inc"
#undef GY_OP
    GY_OP_COUNT
} gy_op;

#endif
