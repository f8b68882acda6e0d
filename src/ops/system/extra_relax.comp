#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/extra_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/extra.glsl"

// extra_relax: ITEMS: half a sweep over rows of the list.
layout(local_size_x = 256) in;

void main()
{
    int q = low.x + int(gl_GlobalInvocationID.x);
    if (q < high.x) {
        gy_grid_level f = gy_grid_level_at(args.base, args.level);
        gy_extra_relax_row(f, gy_extra_of(f.l), args.zero != 0, q);
    }
}
