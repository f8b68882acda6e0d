#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/transfer.glsl"

// restrict: GROUPS of the coarse level: b = sum of the residuals of its fine cells. After a sweep
// red has all of it, but for a seam.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    gy_grid_level f = gy_grid_level_at(args.base, args.level);
    gy_grid_level c = gy_grid_level_at(args.base, args.coarse);
    if (cell.x < 2 * GROUP * c.groups && cell.y < high.y) {
        restrict_cell(f, c, args.both != 0 || gy_has_seam(f.l), cell.x, cell.y, cell.z);
    }
}
