// water_weather.comp: the twin of water_weather in water/ops/water.c. What came and what went is
// added up in another order than there.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t memory;
    uint64_t list;
    uint64_t tile;
    uint64_t current;
    uint64_t sums;
    uvec2 job; // of the host
    ivec2 n;
    ivec2 tn;
    int slot_bytes, array_step;
    uint turned;
    int wave;
    float rain, evaporation;
};
#include "ops/row/push.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

// As in water/ops/tiles.h.
const int T = 64, ROWS = 4, STATE = 3, DISPLACED = 7, ARRAYS = 8;
const uint OUT = 4u;

shared double came[T * ROWS], went[T * ROWS];

void main()
{
    int slot = ints(args.list, low.x + int(gl_WorkGroupID.x)).v;
    int tile = ints(args.tile, slot).v, i = int(gl_LocalInvocationID.x);
    ivec2 count = args.tn, n = args.n, first = ivec2(tile % count.x, tile / count.x) * T;
    int columns = min(T, n.x - first.x), rows = min(T, n.y - first.y);
    uint64_t memory = args.memory + uint64_t(slot) * uint64_t(args.slot_bytes);
    uint64_t step = uint64_t(args.array_step) * 4ul, flags = memory + uint64_t(ARRAYS) * step;
    uint which = uint(bytes(args.current, slot).v) ^ args.turned;
    uint64_t u = memory + uint64_t(which * uint(STATE)) * step;
    precise double rain = 0.0lf, dry = 0.0lf;
    for (int j = int(gl_LocalInvocationID.y); j < rows && i < columns; j += ROWS) {
        int at = j * T + i;
        if ((uint(bytes(flags, at).v) & OUT) != 0u) {
            continue;
        }
        float here = floats(u, at).v;
        precise float wet = here + args.rain;
        precise float dried = wet - args.evaporation;
        if (args.wave == 0) {
            precise float most = wet - floats(memory + uint64_t(DISPLACED) * step, at).v;
            precise float rest = wet - most;
            dried = most > args.evaporation ? dried : most > 0.0 ? rest : wet;
        }
        rain += double(wet) - double(here);
        dry += double(wet) - double(dried);
        floats(u, at).v = dried;
    }
    uint lane = gl_LocalInvocationIndex;
    came[lane] = rain;
    went[lane] = dry;
    for (uint half_of = uint(T * ROWS) / 2u; half_of > 0u; half_of /= 2u) {
        barrier();
        if (lane < half_of) {
            came[lane] += came[lane + half_of];
            went[lane] += went[lane + half_of];
        }
    }
    if (lane == 0u) {
        doubles(args.sums, 2 * slot).v = came[0];
        doubles(args.sums, 2 * slot + 1).v = went[0];
    }
}
