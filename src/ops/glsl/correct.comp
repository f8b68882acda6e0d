// correct.comp: the twin of correct in ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "advect.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

/// hat + (old - hat traced back) / 2, limited to the samples round the back-traced point.
float corrected(gy_extent e, ivec3 cell, int o)
{
    uint64_t source = at(args.base, args.source), hat = at(args.base, args.hat);
    gy_corner c = gy_corner_at(e, args.periodic, cell, displacement(args.forward, o));
    float again = gy_linear(e.dim, hat, o, c);
    precise float x = floats(hat, o).v + 0.5 * (floats(source, o).v - again);
    vec2 range;
    c = gy_corner_at(e, args.periodic, cell, displacement(args.back, o));
    gy_corner_sum(e.dim, source, o, c, range);
    return min(max(x, range.x), range.y);
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    gy_edge edge = args.edge;
    uint64_t target = at(args.base, args.target);
    int row = cell.y * e.sy + cell.z * e.sz;
    for (int end = gy_own_end(cell.x, e.n[0], edge); cell.x < end; cell.x++) {
        float x = corrected(e, cell, row + cell.x);
        gy_put(target, row, cell.x, e.n[0], edge, gy_flush(x));
    }
}
