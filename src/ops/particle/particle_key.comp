// particle_key.comp: the twin of particle_key in ops/particle/particle.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/particle/particle_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"

layout(local_size_x = 256) in;

shared uint counted[BUCKETS];

/// The bin that a particle lies in.
uint bin_of(int i)
{
    int stride[3] = int[3](1, args.n[0], args.n[0] * args.n[1]);
    int cell = 0;
    bool out_of = false;
    for (int d = 0; d < 3; d++) {
        if (d < args.dim) {
            precise float n = float(args.n[d]);
            precise float x = floats(at(args.base, args.from + uint(d) * args.step), i).v;
            precise float c = (x - args.origin[d]) * args.inverse;
            // What rounding has led a hair outside is taken for inside.
            out_of = out_of || c < -0.5 || c > n + 0.5;
            // In this form what is no number is 0, as in C.
            c = c > 0.0 ? c : 0.0;
            c = c < n - 1.0 ? c : n - 1.0;
            cell += int(c) * stride[d];
        }
    }
    return out_of ? NOWHERE : uint(cell >> args.coarse);
}

void main()
{
    int own = int(gl_LocalInvocationIndex), task = int(gl_WorkGroupID.x);
    int first = task * per_piece, last = min(first + per_piece, high.x);
    int count = int(uints(at(args.base, args.now), COUNT).v);
    uint64_t keys = at(args.base, args.keys);
    counted[own] = 0u;
    barrier();
    for (int i = first + own; i < last; i += 256) {
        uint key = NOWHERE;
        if (i < count) {
            key = bin_of(i);
        }
        uints(keys, i).v = key;
        if (key != NOWHERE) {
            atomicAdd(counted[key >> uint(args.shift)], 1u);
        }
    }
    barrier();
    uints(at(args.base, args.counts), task * BUCKETS + own).v = counted[own];
}
