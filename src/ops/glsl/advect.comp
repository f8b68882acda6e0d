// advect.comp: the twin of advect in ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "advect.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    gy_edge edge = args.edge;
    uint64_t source = at(args.base, args.source), target = at(args.base, args.target);
    int row = cell.y * e.sy + cell.z * e.sz;
    for (int end = gy_own_end(cell.x, e.n[0], edge); cell.x < end; cell.x++) {
        int o = row + cell.x;
        gy_corner c = gy_corner_at(e, args.periodic, cell, displacement(args.back, o));
        gy_put(target, row, cell.x, e.n[0], edge, gy_flush(gy_linear(e.dim, source, o, c)));
    }
}
