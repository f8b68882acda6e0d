// particle_settle.comp: the twin of particle_settle in ops/particle/particle.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/particle/particle_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"

layout(local_size_x = 256) in; // GY_MAX_TASKS

shared uint any_gone;

void main()
{
    int own = int(gl_LocalInvocationIndex);
    Uint gone = uints(at(args.base, args.gone), own);
    if (own == 0) {
        any_gone = 0u;
    }
    barrier();
    if (gone.v != 0u) {
        any_gone = 1u;
    }
    gone.v = 0u;
    barrier();
    if (own == 0) {
        bool settled = args.always == 0 && any_gone == 0u;
        uints(at(args.base, args.now), SETTLED).v = uint(settled);
    }
}
