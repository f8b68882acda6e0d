// correct.comp: the twin of correct in gas/ops/advect.c. `partial` is not filled: so that each cell has an
// invocation of its own, and not a piece a workgroup, whoever needs the sum of squares lets
// divergence make it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"
#include "gas/ops/momentum.glsl"

#include "ops/row/cells.glsl"

/// predicted + (old - predicted traced back) / 2, limited to the samples round the back-traced point.
float corrected(gy_extent e, gy_field f, ivec3 cell, int o, vec3 back, vec3 forward)
{
    gy_samples old = samples_of(f, f.old), predicted = samples_of(f, f.predicted);
    gy_corner c = gy_corner_at(e, args.periodic, cell, forward);
    float again = gy_linear(e.dim, predicted, o, c);
    precise float x = sample_at(predicted, o) + 0.5 * (sample_at(old, o) - again);
    vec2 range;
    c = gy_corner_at(e, args.periodic, cell, back);
    gy_corner_sum(e.dim, old, o, c, range);
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
        gy_paths back = paths_at(args.back, o), forward = paths_at(args.forward, o);
        for (int q = 0; q < args.count; q++) {
            gy_field f = field_of(q);
            if (is_own(f, cell)) {
                vec3 from = displacement(back, f.location), to = displacement(forward, f.location);
                float x;
                if (args.flow[0] != 0) {
                    x = kept(e, f, cell, o, from, to);
                } else {
                    x = corrected(e, f, cell, o, from, to);
                }
                gy_put(samples_of(f, f.now), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
