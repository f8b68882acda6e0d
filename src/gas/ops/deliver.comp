// deliver.comp: the twin of deliver in gas/ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"

#include "ops/row/cells.glsl"

/// What was made ready where it comes from, limited to the old samples round that place.
float delivered(gy_extent e, gy_field f, ivec3 cell, int o, vec3 back)
{
    vec2 range;
    gy_corner c = gy_corner_at(e, args.periodic, cell, back);
    float x = gy_linear(e.dim, samples_of(f, f.predicted), o, c);
    gy_corner_sum(e.dim, samples_of(f, f.old), o, c, range);
    return min(max(x, range.x), range.y);
}

/// The same near sheets.
float near_delivered(gy_extent e, gy_field f, near_sample s, vec3 back)
{
    vec2 range, ignored;
    float x = near_read(net_of(e), s, samples_of(f, f.predicted), back, ignored);
    near_read(net_of(e), s, samples_of(f, f.old), back, range);
    return near_shut(net_of(e), s) ? 0.0 : clamp(x, range.x, range.y);
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
        gy_paths paths = paths_at(args.back, o), forward = paths;
        if (LINKED) {
            forward = paths_at(args.forward, o);
        }
        for (int q = 0; q < args.count; q++) {
            gy_field f = field_of(q);
            if (is_own(f, cell)) {
                float x;
                vec3 d = displacement(paths, f.location);
                near_sample s;
                if (is_near(e, f, cell, d, displacement(forward, f.location), 0, s)) {
                    x = near_delivered(e, f, s, d);
                } else {
                    x = delivered(e, f, cell, o, d);
                }
                gy_put(samples_of(f, f.now), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
