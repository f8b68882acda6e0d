// unload.comp: the twin of unload in gas/ops/unload.c: an invocation a particle. A sum of 64 bits is
// made of two of 32, the lower of which hands on what goes over: in any order the same.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/unload_args.glsl"
#include "ops/row/push.glsl"
#include "ops/particle/now.glsl"

layout(local_size_x = 256) in;

void add(int i, float x)
{
    precise float most = x > 65536.0 ? 65536.0 : x < -65536.0 ? -65536.0 : x;
    precise float all = most * 1099511627776.0;
    precise float near = all + (all < 0.0 ? -0.5 : 0.5);
    int64_t by = int64_t(near);
    if (by == 0l) {
        return;
    }
    uint64_t sums = at(args.particles, args.sums);
    uint low_part = uint(uint64_t(by) & 0xfffffffful), high_part = uint(uint64_t(by) >> 32);
    uint before = atomicAdd(uints(sums, 2 * i).v, low_part);
    high_part += before + low_part < before ? 1u : 0u;
    atomicAdd(uints(sums, 2 * i + 1).v, high_part);
}

void main()
{
    int i = low.x + int(gl_GlobalInvocationID.x), dim = args.extent.dim;
    if (i >= high.x || i >= int(uints(at(args.particles, args.now), COUNT).v)) {
        return;
    }
    float given = floats(at(args.particles, args.given + uint(args.axis) * args.step), i).v;
    if (given == 0.0) {
        return;
    }
    ivec3 n = args.extent.n, stride = ivec3(1, args.extent.sy, args.extent.sz);
    ivec2 place[3] = {ivec2(0), ivec2(0), ivec2(0)};
    precise vec2 share[3] = {vec2(1.0, 0.0), vec2(1.0, 0.0), vec2(1.0, 0.0)};
    for (int d = 0; d < dim; d++) {
        bool own = d == args.axis, wraps = (args.periodic >> d & 1u) != 0u;
        float c = floats(at(args.particles, args.given + (3u + uint(d)) * args.step), i).v;
        precise float x = own ? c : c - 0.5;
        int k = int(x) - int(x < 0.0);
        k = own && k >= n[d] ? n[d] - 1 : k;
        for (int s = 0; s < 2; s++) {
            int j = k + s;
            j = wraps ? (j < 0 ? j + n[d] : j >= n[d] ? j - n[d] : j)
                      : clamp(j, 0, own ? n[d] : n[d] - 1);
            place[d][s] = j * stride[d];
        }
        precise float up = x - float(k);
        precise float down = 1.0 - up;
        share[d] = vec2(down, up);
    }
    precise float amount = args.each * given;
    for (int q = 0; q < 1 << dim; q++) {
        int x = q & 1, y = q >> 1 & 1, z = q >> 2;
        precise float part = ((share[0][x] * share[1][y]) * share[2][z]) * amount;
        add(place[0][x] + place[1][y] + place[2][z], part);
    }
}
