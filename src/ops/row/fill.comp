// fill.comp: the twin of fill in ops/row/halo.c. The box is of rows: a workgroup takes four.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field;
    float value;
    gy_extent extent;
};
#include "ops/row/push.glsl"

#include "ops/row/cells.glsl"


void main()
{
    gy_extent e = args.extent;
    int j = low.y + int(gl_GlobalInvocationID.y), k = low.z + int(gl_GlobalInvocationID.z);
    if (j >= high.y || k >= high.z)
        return;
    gy_samples field = samples_at(args.base, args.field, e.halves);
    int row = (j - 1) * e.sy + (e.dim == 3 ? (k - 1) * e.sz : 0) - PAD / 2;
    float value = args.value;
    for (int i = int(gl_GlobalInvocationID.x); i < e.sy;
         i += int(gl_WorkGroupSize.x * gl_NumWorkGroups.x))
        set_sample(field, row + i, value);
}
