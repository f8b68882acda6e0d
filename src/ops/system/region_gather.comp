#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/region_args.glsl"
#include "ops/row/push.glsl"

// region_gather: a workgroup per region at a time, however many there are: the sum of those of its
// parts, in stretches.
layout(local_size_x = 256) in;

shared double some[STRETCHES];

void main()
{
    int own = int(gl_LocalInvocationIndex);
    for (int r = low.x + int(gl_WorkGroupID.x); r < high.x; r += int(gl_NumWorkGroups.x)) {
        Region region = region_at(args.regions, r);
        int first = int(region.first), count = int(region.parts);
        double sum = 0.0lf;
        for (int p = stretch(count, own); p < stretch(count, own + 1); p++) {
            sum += region_part(args.parts, first + p).sum;
        }
        barrier();
        some[own] = sum;
        barrier();
        if (own == 0) {
            double all = 0.0lf;
            for (int q = 0; q < STRETCHES; q++) {
                all += some[q];
            }
            region.sum = all;
        }
    }
}
