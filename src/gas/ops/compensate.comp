// compensate.comp: the twin of compensate in gas/ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"

#include "ops/row/cells.glsl"

/// old + (old - what was carried there traced back) / 2.
float compensated(gy_extent e, gy_field f, ivec3 cell, int o, vec3 forward)
{
    gy_corner c = gy_corner_at(e, args.periodic, cell, forward);
    float again = gy_linear(e.dim, samples_of(f, f.now), o, c);
    float old = sample_at(samples_of(f, f.old), o);
    precise float x = old + 0.5 * (old - again);
    return x;
}

/// The same near sheets.
float near_compensated(gy_extent e, gy_field f, near_sample s, int o, vec3 forward)
{
    vec2 range;
    precise float again = near_read(net_of(e), s, samples_of(f, f.now), forward, range);
    float old = sample_at(samples_of(f, f.old), o);
    precise float x = old + 0.5 * (old - again);
    return near_shut(net_of(e), s) ? 0.0 : x;
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
        gy_paths paths = paths_at(args.forward, o), back = paths;
        if (LINKED) {
            back = paths_at(args.back, o);
        }
        for (int q = 0; q < args.count; q++) {
            gy_field f = field_of(q);
            if (is_own(f, cell)) {
                float x;
                vec3 d = displacement(paths, f.location);
                near_sample s;
                if (is_near(e, f, cell, displacement(back, f.location), d, 0, s)) {
                    x = near_compensated(e, f, s, o, d);
                } else {
                    x = compensated(e, f, cell, o, d);
                }
                gy_put(samples_of(f, f.predicted), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
