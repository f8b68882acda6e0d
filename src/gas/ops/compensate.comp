// compensate.comp: the twin of compensate in gas/ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

/// old + (old - what was carried there traced back) / 2.
float compensated(gy_extent e, gy_field f, ivec3 cell, int o, vec3 forward)
{
    gy_corner c = gy_corner_at(e, args.periodic, cell, forward);
    float again = gy_linear(e.dim, samples_of(f, f.now), o, c);
    float old = sample_at(samples_of(f, f.old), o);
    precise float x = old + 0.5 * (old - again);
    return x;
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
        gy_paths paths = paths_at(args.forward, o);
        for (int q = 0; q < args.count; q++) {
            gy_field f = field_of(q);
            if (is_own(f, cell)) {
                float x = compensated(e, f, cell, o, displacement(paths, f.location));
                gy_put(samples_of(f, f.predicted), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
