// cubic.comp: the twin of cubic in gas/ops/advect.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/advect.glsl"

#include "ops/row/cells.glsl"

/// gas/ops/cubic.h's weights of the four samples along an axis.
vec4 cubic_weights(float f)
{
    precise float g = 1.0 - f, ff = f * f, gg = g * g;
    precise vec4 w = vec4(-0.5 * (f * gg), 1.0 + ff * (1.5 * f - 2.5), 1.0 + gg * (1.5 * g - 2.5),
                          -0.5 * (g * ff));
    return w;
}

/// Offsets of those four from the sample at `at`.
ivec4 cubic_places(gy_extent e, int axis, int at, int below)
{
    int n = e.n[axis];
    ivec4 place = ivec4(-1, 0, 1, 2) + (at + below);
    for (int t = 0; t < 4; t++) {
        if ((args.periodic >> axis & 1u) != 0) {
            for (int turn = 0; turn < 4; turn++) {
                place[t] += place[t] < 0 ? n : 0;
                place[t] -= place[t] >= n ? n : 0;
            }
        } else {
            place[t] = axis == 0 ? clamp(place[t], -2, n + 2) : clamp(place[t], -1, n);
        }
    }
    return (place - at) * (axis == 0 ? 1 : axis == 1 ? e.sy : e.sz);
}

float cubic_row(gy_samples source, int p, ivec4 x, vec4 w)
{
    precise float row = w.x * sample_at(source, p + x.x);
    row += w.y * sample_at(source, p + x.y);
    row += w.z * sample_at(source, p + x.z);
    row += w.w * sample_at(source, p + x.w);
    return row;
}

float cubic_of(gy_extent e, gy_samples source, ivec3 cell, int o, vec3 d)
{
    precise vec3 whole = floor(d), f = d - whole;
    ivec3 below = ivec3(whole);
    ivec4 x = cubic_places(e, 0, cell.x, below.x), y = cubic_places(e, 1, cell.y, below.y);
    ivec4 z = e.dim == 3 ? cubic_places(e, 2, cell.z, below.z) : ivec4(0);
    vec4 wx = cubic_weights(f.x), wy = cubic_weights(f.y), wz = cubic_weights(f.z);
    precise float sum = 0.0;
    for (int c = 0; c < 4; c++) {
        if (c == 1 && e.dim == 2) {
            break;
        }
        precise float plane = 0.0;
        for (int b = 0; b < 4; b++) {
            precise float part = wy[b] * cubic_row(source, o + z[c] + y[b], x, wx);
            plane = b > 0 ? plane + part : part;
        }
        precise float part = wz[c] * plane;
        sum = e.dim == 2 ? plane : c > 0 ? sum + part : part;
    }
    return sum;
}

/// By cubics where it comes from, limited to the samples round that place.
float read(gy_extent e, gy_field f, ivec3 cell, int o, vec3 back)
{
    vec2 range;
    gy_samples old = samples_of(f, f.old);
    gy_corner c = gy_corner_at(e, args.periodic, cell, back);
    gy_corner_sum(e.dim, old, o, c, range);
    return min(max(cubic_of(e, old, cell, o, back), range.x), range.y);
}

/// The same near sheets, by lines.
float near_lines(gy_extent e, gy_field f, near_sample s, vec3 back)
{
    vec2 range;
    float x = near_read(net_of(e), s, samples_of(f, f.old), back, range);
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
                if (is_near(e, f, cell, d, displacement(forward, f.location), 1, s)) {
                    x = near_lines(e, f, s, d);
                } else {
                    x = read(e, f, cell, o, d);
                }
                gy_put(samples_of(f, f.now), row, cell.x, e.n[0], f.edge[0], gy_flush(x));
            }
        }
    }
}
