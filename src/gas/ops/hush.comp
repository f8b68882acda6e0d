// hush.comp: the twin of hush in gas/ops/hush.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/hush.glsl"

#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    int part = part_of(g, cell), place = cell_at(g.l, cell.x, cell.y, cell.z);
    if (part < 0 || uint(bytes(args.loud, part).v) != 0u) {
        return;
    }
    floats(g.x, place).v = 0.0;
    if (args.low != 0u) {
        floats(at(args.base, args.low), place).v = 0.0;
    }
}
