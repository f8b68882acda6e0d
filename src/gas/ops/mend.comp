#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint field;
    uint level;
    uint before, after;
    int tasks;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "ops/row/tasks.glsl"

// mend: PIECES: makes a field's sum again what it was, see gas/ops/measure.c.
float mended(float x, float part, ivec3 cell)
{
    float unit = uintBitsToFloat(floatBitsToUint(x) & 0x7f800000u) * 1.1920928955078125e-07;
    uint place = uint(cell.x) * 0x9e3779b9u + uint(cell.y) * 0x85ebca6bu + uint(cell.z) * 0xc2b2ae35u;
    float chance = float(int(place >> 8)) * 5.9604644775390625e-08;
    precise float steps = part * x * (x / unit) + chance;
    steps = clamp(steps, -1e6, 1e6);
    precise float mended = x + floor(steps) * unit;
    return mended;
}

void main()
{
    add_tasks(at(args.base, args.before), args.tasks, false);
    double wanting = sum[0];
    barrier();
    add_tasks(at(args.base, args.after), args.tasks, false);
    wanting -= sum[0];
    float part = sum[1] > 0.0lf ? float(wanting / sum[1]) : 0.0;
    gy_samples field = samples_at(args.base, args.field, args.extent.halves);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    ivec3 first, last;
    piece_of(int(gl_WorkGroupID.x), first, last);
    for (int k = first.z; k < last.z; k++) {
        for (int j = first.y; j < last.y; j++) {
            for (int i = int(gl_LocalInvocationIndex); i < args.extent.n[0]; i += 256) {
                int own = i + j * args.extent.sy + k * args.extent.sz;
                float x = sample_at(field, own);
                bool fluid = gy_uniform(g, i >> 1, j, k) || gy_level_fluid(g, i, j, k);
                if (fluid && abs(x) > 1e-30) {
                    set_sample(field, own, mended(x, part, ivec3(i, j, k)));
                }
            }
        }
    }
}
