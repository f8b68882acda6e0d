// deliver.comp: the twin of deliver in gas/ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

/// What was made ready where it comes from, limited to the old samples round that place.
float delivered(gy_extent e, gy_field f, ivec3 cell, int o, vec3 back)
{
    vec2 range;
    gy_corner c = gy_corner_at(e, args.periodic, cell, back);
    float x = gy_linear(e.dim, samples_of(f, f.predicted), o, c);
    gy_corner_sum(e.dim, samples_of(f, f.old), o, c, range);
    return min(max(x, range.x), range.y);
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    int row = cell.y * e.sy + cell.z * e.sz;
    for (int last = cell.x + samples_along_x(cell.x); cell.x < last; cell.x++) {
        int o = row + cell.x;
        gy_paths paths = paths_at(args.back, o);
        for (int q = 0; q < args.count; q++) {
            gy_field f = field_of(q);
            if (is_own(f, cell)) {
                float x = delivered(e, f, cell, o, displacement(paths, f.location));
                gy_put(samples_of(f, f.now), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
