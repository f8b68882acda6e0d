#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// wrap: CELLS, where x goes over a row of slots. What a periodic axis needs beyond its ends.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (cell.y >= high.y) {
        return;
    }
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    int x = int(gl_GlobalInvocationID.x), step = int(gl_WorkGroupSize.x * gl_NumWorkGroups.x);
    if (args.axis == 0) {
        if (x == 0) {
            gy_row_wrap(g, cell.y, cell.z);
        }
        return;
    }
    for (int i = x; i < g.groups * GROUP; i += step) {
        gy_wrap_slot(g, args.axis, args.axis == 1 ? cell.z : cell.y, i);
    }
}
