#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/extra_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/extra.glsl"

// extra_restrict: ITEMS: coarse right-hand sides that the grid's own restriction does not make.
layout(local_size_x = 256) in;

void main()
{
    int q = low.x + int(gl_GlobalInvocationID.x);
    if (q < high.x) {
        gy_grid_level f = gy_grid_level_at(args.base, args.level);
        gy_grid_level c = gy_grid_level_at(args.base, args.coarse);
        gy_extra_restrict_target(f, c, gy_extra_of(f.l), q);
    }
}
