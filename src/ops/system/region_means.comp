#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint64_t regions;
    uint64_t parts;
    uint report;
    uint partial;
    int tasks;
    int region_count, part_count;
    double cells;
    double free;
};
#include "ops/system/region_part.glsl"
#include "ops/row/push.glsl"
#include "ops/system/report.glsl"
#include "ops/row/tasks.glsl"

// region_means: PIECES, of which there is one: see ops/system/region.c.
shared double some[STRETCHES], main_mean;
shared bool changes[STRETCHES];

double mean_of(Region r, double rms)
{
    precise double mean = r.sum / double(r.cells);
    return r.held != 0u ? 0.0lf : gy_worth(mean, rms);
}

/// Each stretch of regions: its sum, and whether a mean in it is to be taken off.
void add_regions(int own, double rms)
{
    double all = 0.0lf;
    bool any = false;
    for (int r = stretch(args.region_count, own); r < stretch(args.region_count, own + 1); r++) {
        Region region = region_at(args.regions, r);
        all += region.sum;
        any = any || mean_of(region, rms) != 0.0lf;
    }
    some[own] = all;
    changes[own] = any;
    barrier();
}

void find_main(double rms)
{
    double listed = 0.0lf;
    bool any = false;
    for (int q = 0; q < STRETCHES; q++) {
        listed += some[q];
        any = any || changes[q];
    }
    precise double mean = 0.0lf;
    if (args.free > 0.0lf) {
        mean = (sum[0] - listed) / args.free;
        mean = gy_worth(mean, rms);
    }
    main_mean = mean;
    set_means(Report(at(args.base, args.report)), mean, any || mean != 0.0lf, sum);
}

void main()
{
    int own = int(gl_LocalInvocationIndex);
    add_tasks(at(args.base, args.partial), args.tasks, false);
    precise double rms = sqrt(sum[1] / args.cells);
    add_regions(own, rms);
    if (own == 0) {
        find_main(rms);
    }
    barrier();
    for (int p = own; p < args.part_count; p += STRETCHES) {
        RegionPart part = region_part(args.parts, p);
        precise double amount =
            mean_of(region_at(args.regions, int(part.region)), rms) - main_mean;
        part.amount = float(amount);
    }
}
