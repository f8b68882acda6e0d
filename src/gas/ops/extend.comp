// extend.comp: the twin of extend in gas/ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t list;
    uint field;
    gy_extent extent;
};
#include "ops/row/push.glsl"

layout(local_size_x = 256) in;

void main()
{
    int item = low.x + int(gl_GlobalInvocationID.x);
    if (item >= high.x) {
        return;
    }
    gy_extent e = args.extent;
    gy_samples field = samples_at(args.base, args.field, e.halves);
    int o = int(uints(args.list, 2 * item).v);
    uint mask = uints(args.list, 2 * item + 1).v;
    precise float sum = 0.0;
    int count = 0;
    for (int d = 0; d < 6; d++) {
        if ((mask >> d & 1u) != 0) {
            int step = d < 2 ? 1 : d < 4 ? e.sy : e.sz;
            sum += sample_at(field, o + ((d & 1) != 0 ? step : -step));
            count++;
        }
    }
    set_sample(field, o, count > 0 ? sum / float(count) : 0.0);
}
