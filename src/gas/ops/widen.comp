// widen.comp: the twin of widen in ops/row/halo.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint from, to;
    gy_extent extent;
};
#include "ops/row/push.glsl"

#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    float x = sample_at(samples_at(args.base, args.from, e.halves), o);
    set_sample(float_samples(args.base, args.to), o, x);
}
