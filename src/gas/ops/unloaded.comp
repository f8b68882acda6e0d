// unloaded.comp: the twin of unloaded in gas/ops/unload.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/unload_args.glsl"
#include "ops/row/push.glsl"
#include "ops/row/cells.glsl"

void main()
{
    ivec3 c = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(c, high))) {
        return;
    }
    int o = c.x + c.y * args.extent.sy + c.z * args.extent.sz;
    Uint low_part = uints(at(args.particles, args.sums), 2 * o);
    Uint high_part = uints(at(args.particles, args.sums), 2 * o + 1);
    if (low_part.v == 0u && high_part.v == 0u) {
        return;
    }
    int64_t sum = int64_t(uint64_t(low_part.v) | uint64_t(high_part.v) << 32);
    low_part.v = high_part.v = 0u;
    precise float upper = float(sum >> 24), lower = float(uint(uint64_t(sum) & 0xfffffful));
    Float u = floats(at(args.base, args.velocity), o);
    precise float by = upper * 1.52587890625e-5 + lower * 9.094947017729282e-13;
    precise float after = u.v + by;
    u.v = after;
}
