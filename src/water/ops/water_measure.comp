// water_measure.comp: the twin of water_measure in water/ops/water.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

#include "water/ops/shallow_args.glsl"
#include "ops/row/push.glsl"
#include "water/ops/wave.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

shared uint most_wave, most_speed; // bits of floats that are not negative

void main()
{
    int slot = ints(LIST, low.x + int(gl_WorkGroupID.x)).v, i = int(gl_LocalInvocationID.x);
    uint64_t u = state_of(slot, 0), qx = state_of(slot, 1), qy = state_of(slot, 2);
    if (gl_LocalInvocationIndex == 0u) {
        most_wave = most_speed = 0u;
    }
    barrier();
    precise float wave = 0.0, speed = 0.0;
    for (int j = int(gl_LocalInvocationID.y); j < T; j += ROWS) {
        int at = j * T + i;
        precise float depth = max(floats(u, at).v, 0.0);
        precise float most = max(abs(floats(qx, at).v), abs(floats(qy, at).v));
        precise float flow = min(most / max(depth, args.dry), args.cap);
        flow = depth > args.dry ? flow : 0.0;
        precise float fast = flow + sqrt(args.gravity * depth);
        speed = max(speed, flow);
        wave = max(wave, fast);
    }
    atomicMax(most_wave, floatBitsToUint(wave));
    atomicMax(most_speed, floatBitsToUint(speed));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        uints(args.told, 4 * slot).v = most_wave;
        uints(args.told, 4 * slot + 2).v = most_speed;
    }
}
