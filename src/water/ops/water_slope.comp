// water_slope.comp: the twin of water_slope in water/ops/water_wave.c, for linear waves: there a surface is
// a height, and no cell runs dry.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

#include "water/ops/wave_args.glsl"
#include "ops/row/push.glsl"
#include "water/ops/wave.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

// What a cell of height u gets from one beside it.
float spill(float u, float beside)
{
    precise float over = u - beside, moved = 0.0;
    if (over > args.most) {
        moved = 0.125 * (over - args.most);
    } else if (over < -args.most) {
        moved = 0.125 * (over + args.most);
    }
    moved = min(max(moved, -1e6), 1e6);
    precise float big = 12582912.0 * args.quantum; // 1.5 * 2^23
    precise float sum = moved + big;
    precise float whole = sum - big;
    return args.quantum > 0.0 ? -whole : -moved;
}

// The same from the cell at a place of a slot: nothing, where there is none or it is cut out.
float spill_from(int slot, int place, float u)
{
    if (slot < 0 || (uint(bytes(array_of(slot, ARRAYS), place).v) & OUT) != 0u) {
        return 0.0;
    }
    return spill(u, floats(state_of(slot, 0), place).v);
}

void main()
{
    int slot = ints(args.list, low.x + int(gl_WorkGroupID.x)).v;
    int tile = ints(args.tile, slot).v, i = int(gl_LocalInvocationID.x);
    ivec2 count = args.tn, n = args.n, at_tile = ivec2(tile % count.x, tile / count.x);
    ivec2 first = at_tile * T;
    int columns = min(T, n.x - first.x), rows = min(T, n.y - first.y);
    int left = stepping_slot(at_tile - ivec2(1, 0)), right = stepping_slot(at_tile + ivec2(1, 0));
    int below = stepping_slot(at_tile - ivec2(0, 1)), above = stepping_slot(at_tile + ivec2(0, 1));
    int left_end = first.x > 0 ? T - 1 : (n.x - 1) % T;
    int below_end = first.y > 0 ? T - 1 : (n.y - 1) % T;
    uint64_t u = state_of(slot, 0), flags = array_of(slot, ARRAYS);
    int next = int(uint(bytes(args.current, slot).v) ^ args.turned ^ 1u) * STATE;
    for (int j = int(gl_LocalInvocationID.y); j < rows && i < columns; j += ROWS) {
        int at = j * T + i;
        float here = floats(u, at).v;
        uint shut = uint(bytes(flags, at).v);
        bool open = (shut & OUT) == 0u;
        precise float x = 0.0, y = 0.0;
        if (open && (shut & SHUT_X) == 0u) {
            x = spill_from(i > 0 ? slot : left, i > 0 ? at - 1 : j * T + left_end, here);
        }
        if (open && (shut & SHUT_HIGH_X) == 0u) {
            bool inside = i < columns - 1;
            x += spill_from(inside ? slot : right, inside ? at + 1 : j * T, here);
        }
        if (open && (shut & SHUT_Y) == 0u) {
            y = spill_from(j > 0 ? slot : below, j > 0 ? at - T : below_end * T + i, here);
        }
        if (open && (shut & SHUT_HIGH_Y) == 0u) {
            bool inside = j < rows - 1;
            y += spill_from(inside ? slot : above, inside ? at + T : i, here);
        }
        precise float now = here + (x + y);
        floats(array_of(slot, next), at).v = now;
        floats(array_of(slot, next + 1), at).v = floats(state_of(slot, 1), at).v;
        floats(array_of(slot, next + 2), at).v = floats(state_of(slot, 2), at).v;
    }
}
