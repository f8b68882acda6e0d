// front.comp: the twin of front in gas/ops/front.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint fuel, burnt;
    uint to;
    uint level;
    uint periodic;
    gy_extent extent;
    float speed;
    float swells;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "gas/ops/sample.glsl"
#include "ops/row/cells.glsl"

const float STEEP = 1.0, TRACE = 1e-4;
const int ROUNDS = 4;

float burnt_of(int o)
{
    return max(floats(at(args.base, args.burnt), o).v, 0.0);
}

float burnt_at(int o)
{
    float b = burnt_of(o);
    precise float all = max(floats(at(args.base, args.fuel), o).v, 0.0) + b + TRACE;
    precise float c = b / all;
    return c;
}

/// Whether the low face of a cell, which may be one beyond the last, lets the flame through.
bool open(gy_grid_level g, int axis, ivec3 cell, int n)
{
    if (args.level == 0u) {
        return true;
    }
    cell[axis] = (args.periodic >> axis & 1u) != 0u && cell[axis] == n ? 0 : cell[axis];
    return gy_coefficient(g, axis, cell.x, cell.y, cell.z).v != 0us;
}

float slope(gy_grid_level g, int axis, ivec3 cell, int n, int o, int step, float c)
{
    ivec3 next = cell;
    next[axis] += 1;
    precise float before = open(g, axis, cell, n) ? burnt_at(o - step) - c : 0.0;
    precise float after = open(g, axis, next, n) ? burnt_at(o + step) - c : 0.0;
    precise float d = max(max(before, after), 0.0);
    d = d * (1.0 + STEEP * (c + 0.5 * d - 0.5));
    d = d * d;
    return d;
}

void main()
{
    gy_extent e = args.extent;
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    float f = max(floats(at(args.base, args.fuel), o).v, 0.0), b = burnt_of(o);
    float near = max(b, max(burnt_of(o - 1), burnt_of(o + 1)));
    near = max(near, max(burnt_of(o - e.sy), burnt_of(o + e.sy)));
    if (e.dim == 3) {
        near = max(near, max(burnt_of(o - e.sz), burnt_of(o + e.sz)));
    }
    if (!(f > 0.0 && near > 0.0)) {
        floats(at(args.base, args.to), o).v = 0.0;
        return;
    }
    float c = burnt_at(o);
    precise float sum = slope(g, 0, cell, e.n.x, o, 1, c);
    sum = sum + slope(g, 1, cell, e.n.y, o, e.sy, c);
    if (e.dim == 3) {
        sum = sum + slope(g, 2, cell, e.n.z, o, e.sz, c);
    }
    precise float m = f + b;
    if (args.swells > 0.0) {
        precise float both = m;
        m = 1.0;
        for (int q = 0; q < ROUNDS; q++) {
            m = min(both * (1.0 + args.swells * (m * c)), 1.0);
        }
    }
    precise float passed = args.speed * sqrt(sum) * m;
    floats(at(args.base, args.to), o).v = gy_flush(min(passed, f));
}
