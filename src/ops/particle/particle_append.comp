// particle_append.comp: the twin of particle_append in ops/particle/particle.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/particle/particle_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"

layout(local_size_x = 256) in;

void main()
{
    int i = low.x + int(gl_GlobalInvocationID.x);
    if (i >= high.x) {
        return;
    }
    int count = int(uints(at(args.base, args.now), COUNT).v);
    for (int q = 0; q < args.arrays; q++) {
        uint skip = uint(q) * args.step;
        uints(at(args.base, args.from + skip), count + i).v =
            uints(at(args.base, args.to + skip), i).v;
    }
}
