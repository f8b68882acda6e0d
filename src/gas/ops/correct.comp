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

/// The term of momentum.glsl near sheets: what is beyond does not count.
float near_stretch(gy_extent e, gy_field f, gy_net net, near_sample s, int o, float by)
{
    uint64_t q = at(args.base, f.old);
    int own = f.location == FACE_X ? 1 : f.location == FACE_Y ? e.sy : e.sz;
    uint link = gy_net_link(net, s.cell[0]) | gy_net_link(net, s.cell[1]);
    precise float sum = 0.0, middle = floats(q, o).v;
    for (int a = 0; a < 3; a++) {
        if (a == e.dim) {
            break;
        }
        uint64_t u = at(args.base, args.flow[a]);
        int step = a == 0 ? 1 : a == 1 ? e.sy : e.sz;
        precise float t = (floats(u, o + step).v - floats(u, o).v) +
                          (floats(u, o + step - own).v - floats(u, o - own).v);
        t = clamp(t * by, -0.5, 0.5);
        precise float wall = net.slip ? 0.0 : -2.0 * middle;
        bool is_own = a == s.axis;
        precise float below = floats(q, o - step).v - middle, above = floats(q, o + step).v - middle;
        below = is_own || gy_net_open(link, a, -1) ? below : wall;
        above = is_own || gy_net_open(link, a, 1) ? above : wall;
        precise float product = below * above;
        bool steepens = t > 0.0 && product > 0.0;
        precise float term = t * (below + above);
        sum = sum + (steepens ? 0.0 : term);
    }
    precise float all = 0.25 * sum;
    return all;
}

/// The same near sheets, of all kinds of fields.
float near_corrected(gy_extent e, gy_field f, ivec3 cell, near_sample s, int o, vec3 back,
                     vec3 forward)
{
    gy_net net = net_of(e);
    gy_samples old = samples_of(f, f.old), predicted = samples_of(f, f.predicted);
    bool flows = args.flow[0] != 0;
    vec2 range, ignored;
    precise float again = near_read(net, s, predicted, forward, ignored);
    near_read(net, s, old, back, range);
    precise float t = flows ? trust(e.dim, back, forward) : 1.0;
    precise float first = sample_at(predicted, o);
    precise float x = first + (0.5 * t) * (sample_at(old, o) - again);
    x = clamp(x, range.x, range.y);
    if (flows) {
        precise float part = inside(e, f.location, cell, back);
        part = part * inside(e, f.location, cell, forward);
        x = part >= 1.0 ? x : first;
        if (s.cells == 2) {
            precise float by = (0.5 * args.scale) * t;
            x = x - near_stretch(e, f, net, s, o, by);
        }
    }
    return near_shut(net, s) ? 0.0 : x;
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
                near_sample s;
                if (is_near(e, f, cell, from, to, 0, s)) {
                    x = near_corrected(e, f, cell, s, o, from, to);
                } else if (args.flow[0] != 0) {
                    x = kept(e, f, cell, o, from, to);
                } else {
                    x = corrected(e, f, cell, o, from, to);
                }
                gy_put(samples_of(f, f.now), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
