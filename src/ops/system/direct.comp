#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/vector_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/vector_cg.glsl"

// direct: GROUPS: x = y + factor x, and 0 beyond the ends of rows; y counts as 0 at offset 0.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    if (cell.x >= 2 * GROUP * g.groups || cell.y >= high.y) {
        return;
    }
    int place = cell_at(g.l, cell.x, cell.y, cell.z);
    precise float t = args.y != 0 ? floats(at(args.base, args.y), place).v : 0.0;
    if (args.first == 0) {
        t = t + factor_own() * x_at(g, place);
    }
    floats(g.x, place).v = cell.x < g.l.n[0] ? t : 0.0;
}
