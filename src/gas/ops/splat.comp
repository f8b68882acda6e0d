// splat.comp: the twin of splat in gas/ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field;
    int location;
    gy_extent extent;
    float centre[3];
    float radius;
    float amount, limit;
    uint level;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"

#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    precise float x = float(cell.x) - args.centre[0], y = float(cell.y) - args.centre[1],
                  z = e.dim == 3 ? float(cell.z) - args.centre[2] : 0.0;
    precise float w = 1.0 - (x * x + (y * y + z * z)) / (args.radius * args.radius);
    if (!(w > 0.0) ||
        !within_gas(gy_grid_level_at(args.base, args.level), args.location, cell)) {
        return;
    }
    gy_samples field = samples_at(args.base, args.field, e.halves);
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    precise float add = args.amount * (w * w);
    precise float sum = sample_at(field, o) + limited(add, args.limit);
    set_sample(field, o, limited(sum, args.limit));
}
