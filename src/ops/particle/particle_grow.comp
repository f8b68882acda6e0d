// particle_grow.comp: the twin of particle_grow in ops/particle/particle.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/particle/particle_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"

layout(local_size_x = 256) in;

void main()
{
    if (gl_LocalInvocationIndex == 0u) {
        Uint count = uints(at(args.base, args.now), COUNT);
        count.v = count.v + uint(args.more);
    }
}
