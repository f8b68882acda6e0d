// decay.comp: the twin of decay in ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field;
    float factor;
    gy_extent extent;
};
#include "push.glsl"
#include "sample.glsl"

const int PAD = 16; // GY_PAD of grid/layout.h

layout(local_size_x = 64, local_size_y = 4) in;

void main()
{
    gy_extent e = args.extent;
    int j = low.y + int(gl_GlobalInvocationID.y), k = low.z + int(gl_GlobalInvocationID.z);
    if (j >= high.y || k >= high.z) {
        return;
    }
    gy_samples field = samples_at(args.base, args.field, e.halves);
    float factor = args.factor;
    // A row with both halos fills its stride, and more than the invocations of the box.
    int row = j * e.sy + k * e.sz - PAD / 2, step = 64 * int(gl_NumWorkGroups.x);
    for (int i = int(gl_GlobalInvocationID.x); i < e.sy; i += step) {
        precise float x = sample_at(field, row + i) * factor;
        set_sample(field, row + i, gy_flush(x));
    }
}
