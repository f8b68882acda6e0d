// The bodies of one instruction set, by op.
#include "ops/body.h"

#define GY_STRING_(text) #text
#define GY_STRING(text) GY_STRING_(text)

extern const gy_isa_table GY_PER_ISA(isa);

const gy_isa_table GY_PER_ISA(isa) = {
    .name = GY_STRING(GY_ISA),
    .body =
        {
#define GY_ENTRY(name, kind) [GY_OP_##name] = GY_BODY(name),
            GY_OP_LIST(GY_ENTRY)
#undef GY_ENTRY
        },
};
