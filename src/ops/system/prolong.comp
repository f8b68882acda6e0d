#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/transfer.glsl"

// prolong: SLOTS: adds the coarse unknown to its red fine cells: black is swept next and needs
// nothing, but for a seam.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    gy_grid_level f = gy_grid_level_at(args.base, args.level);
    gy_grid_level c = gy_grid_level_at(args.base, args.coarse);
    if (cell.x >= f.groups * GROUP || cell.y >= high.y) {
        return;
    }
    int line = gy_line_of(c.l);
    for (int colour = 0; colour <= int(gy_has_seam(f.l)); colour++) {
        prolong_slot(f, c, line, colour, cell.x, cell.y, cell.z);
    }
}
