// source.comp: the twin of source in gas/ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t rate;
    uint field;
    int samples[2];
    float dt, limit;
    gy_extent extent;
    int location;
    uint level;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"

#include "ops/row/cells.glsl"

bool is_finite(float x)
{
    return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    gy_samples field = samples_at(args.base, args.field, e.halves);
    int64_t line = int64_t(cell.z) * args.samples[1] + cell.y;
    float rate = Float(args.rate + uint64_t(4l * (line * args.samples[0] + cell.x))).v;
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    bool taken = is_finite(rate) && within_gas(g, args.location, cell);
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    precise float s = taken ? rate * args.dt : 0.0;
    precise float sum = sample_at(field, o) + limited(s, args.limit);
    set_sample(field, o, limited(sum, args.limit));
}
