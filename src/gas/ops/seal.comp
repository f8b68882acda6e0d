// seal.comp: the twin of seal in gas/ops/wall.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint pressure;
    uint level;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_grid_level p = gy_grid_level_at(args.base, args.pressure);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    int beyond = 0, place = cell_at(g.l, cell.x, cell.y, cell.z);
    for (int a = 0; a < 3; a++) {
        beyond += int(cell[a] == g.l.n[a]);
    }
    for (int axis = 0; axis < g.l.dim; axis++) {
        if (beyond == 0 || (beyond == 1 && cell[axis] == g.l.n[axis])) {
            shorts(g.open[axis], place).v = gy_coefficient(p, axis, cell.x, cell.y, cell.z).v;
        }
    }
    if (beyond == 0) {
        bool fluid = p.l.whole != 0 || gy_level_fluid(p, cell.x, cell.y, cell.z);
        shorts(g.pin, place).v = fluid ? 0us : 1us;
    }
}
