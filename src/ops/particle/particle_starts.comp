// particle_starts.comp: the twin of particle_starts in ops/particle/particle.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/particle/particle_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"
#include "ops/particle/ranks.glsl"

layout(local_size_x = 256) in;

void main()
{
    int own = int(gl_LocalInvocationIndex);
    uint64_t counts = at(args.base, args.counts), starts = at(args.base, args.starts);
    uint sum = 0u;
    for (int t = 0; t < args.tasks; t++) {
        sum += uints(counts, t * BUCKETS + own).v;
    }
    gy_next[own] = sum;
    uint first = gy_ranks_first(0u, own), place = first;
    for (int t = 0; t < args.tasks; t++) {
        Uint count = uints(counts, t * BUCKETS + own);
        uint c = count.v;
        count.v = place;
        place += c;
    }
    uints(starts, own).v = first;
    if (own == BUCKETS - 1) {
        uints(starts, BUCKETS).v = place;
        uints(at(args.base, args.now), COUNT).v = place;
    }
}
