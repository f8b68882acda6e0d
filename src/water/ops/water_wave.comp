// water_wave.comp: the twin of water_wave in water/ops/water_wave.c. It reads one copy of the states and
// writes the other, whatever the C body does, and limits all heights, which the C body leaves out
// where they stay far below. Every cell finds the discharges of its four faces for itself.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

#include "water/ops/wave_args.glsl"
#include "ops/row/push.glsl"
#include "water/ops/wave.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

shared float part[T * ROWS];

float across(float q, float rise)
{
    precise float passes = args.keep * (q - args.pull * rise);
    return passes;
}

float held(float x)
{
    precise float wide = args.quantum * 2097152.0, big = args.quantum * 12582912.0; // 1.5 * 2^23
    precise float sum = min(max(x, -wide), wide) + big;
    precise float whole = sum - big;
    return whole;
}

// What heights know of a discharge.
float shared_out(float q)
{
    precise float x = args.share * q;
    return args.quantum > 0.0 ? held(x) : x;
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
    // The last column of the tile on the left, the last row of the one below.
    int left_end = first.x > 0 ? T - 1 : (n.x - 1) % T;
    int below_end = first.y > 0 ? T - 1 : (n.y - 1) % T;
    uint64_t u = state_of(slot, 0), qx = state_of(slot, 1), qy = state_of(slot, 2);
    uint64_t flags = array_of(slot, ARRAYS);
    int next = int(uint(bytes(args.current, slot).v) ^ args.turned ^ 1u) * STATE;
    float most = 0.0;
    for (int j = int(gl_LocalInvocationID.y); j < rows && i < columns; j += ROWS) {
        int at = j * T + i;
        float here = floats(u, at).v;
        uint shut = uint(bytes(flags, at).v);
        precise float a = 0.0, b = 0.0, c = 0.0, d = 0.0; // low x, high x, low y, high y
        if ((shut & SHUT_X) == 0u) {
            if (i > 0) {
                a = across(floats(qx, at).v, here - floats(u, at - 1).v);
            } else if (left >= 0) {
                float beside = floats(state_of(left, 0), j * T + left_end).v;
                a = across(floats(qx, at).v, here - beside);
            }
        }
        if ((shut & SHUT_HIGH_X) == 0u) {
            if (i < columns - 1) {
                b = across(floats(qx, at + 1).v, floats(u, at + 1).v - here);
            } else if (right >= 0) {
                float beside = floats(state_of(right, 0), j * T).v;
                b = across(floats(state_of(right, 1), j * T).v, beside - here);
            }
        }
        // Inside a tile the flag of the row below decides on the face between.
        if (j > 0) {
            if ((uint(bytes(flags, at - T).v) & SHUT_HIGH_Y) == 0u) {
                c = across(floats(qy, at).v, here - floats(u, at - T).v);
            }
        } else if (below >= 0 && (shut & SHUT_Y) == 0u) {
            float beside = floats(state_of(below, 0), below_end * T + i).v;
            c = across(floats(qy, at).v, here - beside);
        }
        if ((shut & SHUT_HIGH_Y) == 0u) {
            if (j < rows - 1) {
                d = across(floats(qy, at + T).v, floats(u, at + T).v - here);
            } else if (above >= 0) {
                float beside = floats(state_of(above, 0), i).v;
                d = across(floats(state_of(above, 2), i).v, beside - here);
            }
        }
        floats(array_of(slot, next + 1), at).v = a;
        floats(array_of(slot, next + 2), at).v = c;
        a = shared_out(a);
        b = shared_out(b);
        c = shared_out(c);
        d = shared_out(d);
        precise float now = here - ((b - a) + (d - c));
        now = min(max(now, -args.limit), args.limit);
        floats(array_of(slot, next), at).v = now;
        precise float moved = now - here;
        most = max(most, abs(moved));
    }
    if (args.watched == 0u) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    part[lane] = most;
    for (uint step = uint(T * ROWS) / 2u; step > 0u; step /= 2u) {
        barrier();
        if (lane < step) {
            part[lane] = max(part[lane], part[lane + step]);
        }
    }
    if (lane == 0u) {
        floats(args.change, slot).v = part[0];
    }
}
