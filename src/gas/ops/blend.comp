// blend.comp: the twin of blend in ops/row/halo.c. The box is of rows, whose workgroups share them out.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint to[3], x[3], y[3];
    int count;
    float by, also;
    uint energy;
    uint means;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "gas/ops/gas_energy.glsl"
#include "gas/ops/sample.glsl"

#include "ops/row/cells.glsl"


/// One row of one field.
void blend_row(int row, uint to_field, uint x_field, uint y_field, float by, float add)
{
    gy_extent e = args.extent;
    gy_samples to = float_samples(args.base, to_field),
               x = samples_at(args.base, x_field, e.halves),
               y = samples_at(args.base, y_field, e.halves);
    float also = args.also;
    int step = int(gl_WorkGroupSize.x * gl_NumWorkGroups.x);
    for (int i = int(gl_GlobalInvocationID.x); i < e.sy; i += step) {
        precise float t = by * sample_at(x, row + i);
        if (y_field != 0) {
            t = t + also * sample_at(y, row + i);
        }
        if (args.means != 0) {
            t = t + add;
        }
        set_sample(to, row + i, gy_flush(t));
    }
}

void main()
{
    gy_extent e = args.extent;
    int j = low.y + int(gl_GlobalInvocationID.y), k = low.z + int(gl_GlobalInvocationID.z);
    if (j >= high.y || k >= high.z) {
        return;
    }
    precise float by = args.by;
    if (args.energy != 0) {
        by = by * Energy(at(args.base, args.energy)).factor;
    }
    int row = (j - 1) * e.sy + (e.dim == 3 ? (k - 1) * e.sz : 0) - PAD / 2;
    for (int f = 0; f < 3; f++) {
        if (f == args.count) {
            break;
        }
        float add = args.means != 0 ? Means(at(args.base, args.means)).add[f] : 0.0;
        blend_row(row, args.to[f], args.x[f], args.y[f], by, add);
    }
}
