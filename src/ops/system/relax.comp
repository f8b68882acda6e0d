#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// relax: SLOTS: one half-sweep of red-black Gauss-Seidel.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    if (cell.x >= g.groups * GROUP || cell.y >= high.y) {
        return;
    }
    gy_colour_row r = gy_colour_row_at(g, args.colour, cell.y, cell.z);
    gy_relax_slot(g, r, args.kind, args.omega, cell.x);
}
