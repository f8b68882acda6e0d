// device/vulkan/twin.h: the GLSL twins of ops, as the build leaves them; see embed/embed.c.
#ifndef GY_TWIN_H
#define GY_TWIN_H

#include "device/device.h"

/// How an op's box becomes workgroups; twins.txt says what each means to a shader.
typedef enum gy_dispatch {
    GY_DISPATCH_CELLS,
    GY_DISPATCH_GROUPS,
    GY_DISPATCH_SLOTS,
    GY_DISPATCH_ITEMS,
    GY_DISPATCH_PIECES,
    GY_DISPATCH_TILES,
    GY_DISPATCH_ALONE
} gy_dispatch;

enum {
    GY_GROUP_CELLS = 32, // of a group of slots of both colours: 2 GY_GROUP
    GY_MAX_ADDRESSES = 8,
    GY_ARGS_BYTES = 128 // a place in the ring of arguments
};

typedef struct gy_twin {
    const uint32_t *words; // SPIR-V; NULL: the op has no twin
    uint32_t bytes;        // of the words
    uint32_t args;         // size of its struct of arguments
    uint32_t halves;       // where in it an extent says that there may be halves; 0: nowhere
    gy_dispatch dispatch;
    int addresses;
    uint32_t address[GY_MAX_ADDRESSES]; // offsets of members that are host addresses
} gy_twin;

extern const gy_twin gy_twins[GY_OP_COUNT];

/// The push constants: the same as in ops/row/push.glsl.
typedef struct gy_push {
    uint64_t args;
    int32_t low[3], high[3];
    int32_t per_piece, parts, count;
    int32_t spare;
    uint64_t gate; // the device's address
} gy_push;

#endif
