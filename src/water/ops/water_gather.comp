// water_gather.comp: the twin of water_gather in water/ops/water.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t memory;
    uint64_t slot;
    uint64_t current;
    uint64_t to;
    ivec2 n;
    ivec2 tn;
    int slot_bytes, array_step;
    int kind;
    int array;
    float level;
};
#include "ops/row/push.glsl"

#include "ops/row/cells.glsl"

// As in water/ops/tiles.h.
const int T = 64, STATE = 3, BED = 6, ARRAYS = 8;
const uint OUT = 4u;
const int GATHER_STATE = 0, GATHER_ARRAY = 1, GATHER_SURFACE = 2; // gy_gather_kind

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    int slot = ints(args.slot, cell.x / T + args.tn.x * (cell.y / T)).v;
    int place = cell.x % T + T * (cell.y % T);
    uint64_t memory = args.memory + uint64_t(slot) * uint64_t(args.slot_bytes);
    uint64_t step = uint64_t(args.array_step) * 4ul;
    int state = int(bytes(args.current, slot).v) * STATE;
    int array = args.kind == GATHER_ARRAY ? args.array
                : args.kind == GATHER_STATE ? state + args.array
                                            : state;
    precise float x = floats(memory + uint64_t(array) * step, place).v;
    if (args.kind > GATHER_ARRAY) {
        float bed = floats(memory + uint64_t(BED) * step, place).v;
        if (args.kind > GATHER_SURFACE) {
            floats(args.to, cell.x + args.n.x * cell.y).v = bed + x;
            return;
        }
        x = args.level + x;
        bool out_of = (uint(bytes(memory + uint64_t(ARRAYS) * step, place).v) & OUT) != 0u;
        x = out_of || bed > x ? bed : x;
    }
    floats(args.to, cell.x + args.n.x * cell.y).v = x;
}
