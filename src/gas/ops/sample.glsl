// sample.glsl: gas/ops/sample.h for twins: linear interpolation at displaced points, always in its
// gather form; the one by hats differs from it in rounding alone.

/// What lies round a point: offsets from its own sample, in floats, and the part of the upper.
struct gy_corner {
    ivec3 lower, upper;
    vec3 f;
};

/// Round the point d away from a sample. A periodic axis wraps; displacements there are at most its
/// length.
gy_corner gy_corner_at(gy_extent e, uint periodic, ivec3 cell, vec3 d)
{
    gy_corner c;
    precise vec3 whole = floor(d);
    precise vec3 f = d - whole;
    c.f = f;
    c.lower = ivec3(whole);
    c.upper = c.lower + 1;
    for (int a = 0; a < 3; a++) {
        if ((periodic >> a & 1u) != 0) {
            int n = e.n[a], at = cell[a];
            for (int turn = 0; turn < 2; turn++) {
                c.lower[a] += at + c.lower[a] < 0 ? n : 0;
                c.lower[a] -= at + c.lower[a] >= n ? n : 0;
                c.upper[a] += at + c.upper[a] < 0 ? n : 0;
                c.upper[a] -= at + c.upper[a] >= n ? n : 0;
            }
        }
    }
    ivec3 step = ivec3(1, e.sy, e.sz);
    c.lower *= step;
    c.upper *= step;
    return c;
}

/// Interpolates the samples round `o`, and finds their range.
float gy_corner_sum_of(int dim, gy_samples source, int o, gy_corner c, out vec2 range)
{
    precise float sum = 0.0;
    // The ends of loops are constants, here and in other twins, so that they can be unrolled.
    for (int z = 0; z < 2; z++) {
        if (z == 1 && dim == 2) {
            break;
        }
        int oz = dim == 3 ? (z != 0 ? c.upper.z : c.lower.z) : 0;
        precise float plane = 0.0;
        for (int y = 0; y < 2; y++) {
            int p = o + oz + (y != 0 ? c.upper.y : c.lower.y);
            float s0 = sample_at(source, p + c.lower.x), s1 = sample_at(source, p + c.upper.x);
            precise float row = (1.0 - c.f.x) * s0 + c.f.x * s1;
            precise float t = (y != 0 ? c.f.y : 1.0 - c.f.y) * row;
            plane = y != 0 ? plane + t : t;
            vec2 pair = vec2(min(s0, s1), max(s0, s1));
            bool first = y == 0 && z == 0;
            range.x = first ? pair.x : min(range.x, pair.x);
            range.y = first ? pair.y : max(range.y, pair.y);
        }
        if (dim == 3) {
            precise float t = (z != 0 ? c.f.z : 1.0 - c.f.z) * plane;
            sum = z != 0 ? sum + t : t;
        } else {
            sum = plane;
        }
    }
    return sum;
}

/// The same, which asks for the format once and not at every sample.
float gy_corner_sum(int dim, gy_samples source, int o, gy_corner c, out vec2 range)
{
    if (source.halves) {
        return gy_corner_sum_of(dim, gy_samples(source.at, true), o, c, range);
    }
    return gy_corner_sum_of(dim, gy_samples(source.at, false), o, c, range);
}

float gy_linear(int dim, gy_samples source, int o, gy_corner c)
{
    vec2 range;
    return gy_corner_sum(dim, source, o, c, range);
}

/// What is closer to zero than 1e-30 becomes zero.
float gy_flush(float x)
{
    return abs(x) >= 1e-30 ? x : 0.0;
}
