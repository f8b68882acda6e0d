// device/op_list.h: the one list of ops: X(name, kind). Adding an op is a line here, a struct of
// arguments in ops/args.h and a body in a file of ops/.
#ifndef GY_OP_LIST_H
#define GY_OP_LIST_H

#define GY_OP_LIST(X)                                                                              \
    X(halo, GY_ROWS)                                                                               \
    X(fill, GY_ROWS)

typedef enum gy_op {
#define GY_OP_ENUM(name, kind) GY_OP_##name,
    GY_OP_LIST(GY_OP_ENUM)
#undef GY_OP_ENUM
        GY_OP_COUNT
} gy_op;

#endif
