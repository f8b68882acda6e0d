// particle_scatter.comp: the twin of particle_scatter in ops/particle/particle.c.
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
    int own = int(gl_LocalInvocationIndex), task = int(gl_WorkGroupID.x);
    int first = task * per_piece, last = min(first + per_piece, high.x);
    uint64_t from = at(args.base, args.from), to = at(args.base, args.to);
    gy_next[own] = uints(at(args.base, args.counts), task * BUCKETS + own).v;
    gy_ranks_begin(own);
    for (int i = first; i < last; i += WIDTH) {
        uint key = NOWHERE;
        if (i + own < last) {
            key = uints(at(args.base, args.keys), i + own).v;
        }
        bool some = key != NOWHERE;
        uint place = gy_rank(some ? key >> uint(args.shift) : uint(BUCKETS), own);
        if (some) {
            uints(at(args.base, args.sorted), int(place)).v = key;
            gy_move(from, to, args.step, args.arrays, i + own, int(place));
        }
    }
}
