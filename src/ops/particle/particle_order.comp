// particle_order.comp: the twin of particle_order in ops/particle/particle.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "ops/row/common.glsl"
#include "ops/particle/particle_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"
#include "ops/particle/ranks.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

// particle_order: a workgroup for each bucket. It sorts by the lower eight bits of bins, and then,
// where there are more, by the upper: both keep the order that was, so that the result is that of
// the C body, which has a count for each bin. Between the passes stands in `keys` which particle
// lies where.

/// One of the two digits of the bin of the i-th particle.
uint digit_of(int i, int digit)
{
    uint bin = uints(at(args.base, args.sorted), i).v & ((1u << uint(args.shift)) - 1u);
    return digit == 0 ? bin & 255u : bin >> 8;
}

/// The particle at place i before a pass.
int particle_at(int i, int digit)
{
    return digit == 0 ? i : int(uints(at(args.base, args.keys), i).v);
}

/// One digit; `last`: the last one, after which particles are moved.
void pass(int first, int end, int digit, bool last, int own)
{
    uint64_t from = at(args.base, args.from), to = at(args.base, args.to);
    gy_next[own] = 0u;
    barrier();
    for (int i = first + own; i < end; i += WIDTH) {
        atomicAdd(gy_next[digit_of(i, digit)], 1u);
    }
    barrier();
    gy_ranks_first(uint(first), own);
    for (int i = first; i < end; i += WIDTH) {
        int mine = i + own < end ? particle_at(i + own, digit) : 0;
        uint bucket = i + own < end ? digit_of(mine, digit) : uint(BUCKETS);
        int place = int(gy_rank(bucket, own));
        if (i + own < end && last) {
            gy_move(to, from, args.step, args.arrays, mine, place);
        } else if (i + own < end) {
            uints(at(args.base, args.keys), place).v = uint(mine);
        }
    }
    memoryBarrierBuffer();
    barrier();
}

void main()
{
    int own = int(gl_LocalInvocationIndex), bucket = int(gl_WorkGroupID.x);
    uint64_t starts = at(args.base, args.starts);
    int first = int(uints(starts, bucket).v), end = int(uints(starts, bucket + 1).v);
    bool twice = args.shift > 8;
    if (first == end) {
        return;
    }
    gy_ranks_begin(own);
    pass(first, end, 0, !twice, own);
    if (twice) {
        pass(first, end, 1, true, own);
    }
}
