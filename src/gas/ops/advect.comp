// advect.comp: the twin of advect in gas/ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"
#include "gas/ops/momentum.glsl"

#include "ops/row/cells.glsl"

/// The same near sheets.
float near_carried(gy_extent e, gy_field f, ivec3 cell, near_sample s, vec3 d)
{
    vec2 range;
    precise float x = near_read(net_of(e), s, samples_of(f, f.old), d, range);
    if (args.flow[0] != 0) {
        x = inside(e, f.location, cell, d) * x;
    }
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
        gy_paths back = paths_at(args.back, o), forward = back;
        if (LINKED) {
            forward = paths_at(args.forward, o);
        }
        for (int q = 0; q < args.count; q++) {
            gy_field f = field_of(q);
            if (is_own(f, cell)) {
                vec3 d = displacement(back, f.location);
                float x;
                near_sample s;
                if (is_near(e, f, cell, d, displacement(forward, f.location), 0, s)) {
                    x = near_carried(e, f, cell, s, d);
                } else if (args.flow[0] != 0) {
                    x = carried(e, f, cell, o, d);
                } else {
                    gy_corner c = gy_corner_at(e, args.periodic, cell, d);
                    x = gy_linear(e.dim, samples_of(f, f.old), o, c);
                }
                gy_put(samples_of(f, args.ahead != 0 ? f.now : f.predicted), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
