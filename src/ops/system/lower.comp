#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/balance_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/report.glsl"

// lower: CELLS: takes an amount off a vector in cells with an open face.
#include "ops/row/cells.glsl"

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.vector);
    int c = (cell.x + cell.y + cell.z) & 1, i = cell.x >> 1;
    gy_colour_row r = gy_colour_row_at(g, c, cell.y, cell.z);
    if (gy_joined(g, r, i)) {
        float amount =
            args.report != 0 ? Report(at(args.base, args.report)).amount : args.amount;
        precise float x = x_at(g, r.o + i) - amount;
        floats(g.x, r.o + i).v = x;
    }
}
