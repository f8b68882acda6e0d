#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// clear: CELLS, where x goes over a row of slots. Zeroes the pads between rows and the rows and
// planes round the level; with zero the cells, too.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (cell.y >= high.y) {
        return;
    }
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    gy_level l = g.l;
    int j = cell.y - 1, k = l.dim == 3 ? cell.z - 1 : 0;
    bool inside = args.zero == 0 && j >= 0 && j < l.n[1] && k >= 0 && k < l.n[2];
    int first = gy_level_row(l, j, k) - LEVEL_PAD, count = inside ? LEVEL_PAD : l.sy;
    int step = int(gl_WorkGroupSize.x * gl_NumWorkGroups.x);
    for (int i = int(gl_GlobalInvocationID.x); i < count; i += step) {
        floats(g.x, first + i).v = 0.0;
        floats(g.x, first + i + l.colour_step).v = 0.0;
    }
}
