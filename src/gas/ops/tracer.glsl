// tracer.glsl: what twins that carry particles through a gas have in common, as gas/ops/tracer.h; after
// their Args and drift.glsl.
#include "ops/system/level.glsl"

const int BLOCK = 64;   // GY_BLOCK
const float NEAR = 3.0; // GY_NEAR

/// Copied first: Mesa 22's software driver takes a wrong component where a vector in memory is
/// indexed by a variable.
int cells_along(int axis)
{
    ivec3 n = args.extent.n;
    return n[axis];
}

bool periodic_along(int axis)
{
    return (args.periodic >> axis & 1u) != 0;
}

// ---- at walls

int wrapped(int axis, int i)
{
    if (periodic_along(axis)) {
        int n = cells_along(axis);
        i %= n;
        i += i < 0 ? n : 0;
    }
    return i;
}

bool is_open(gy_grid_level g, int axis, ivec3 cell, int face)
{
    cell[axis] = wrapped(axis, face);
    return gy_coefficient(g, axis, cell.x, cell.y, cell.z).v != 0us;
}

bool is_solid(gy_grid_level g, int dim, ivec3 cell)
{
    for (int a = 0; a < dim; a++) {
        if (is_open(g, a, cell, cell[a]) || is_open(g, a, cell, cell[a] + 1)) {
            return false;
        }
    }
    return true;
}

/// When a straight path from `from` to `to` meets a face ahead of cell `at`; above 1: it does not.
float meets(float from, float to, int cell)
{
    precise float d = to - from;
    precise float way = to > from ? float(cell + 1) - from : float(cell) - from;
    bool ahead = d > 0.0 ? to >= float(cell + 1) : d < 0.0 && to < float(cell);
    precise float when = ahead ? way / d : 2.0;
    return when;
}

/// Walks the cells from one point to the other and holds `to` before the first shut face across
/// each axis. Returns whether the particle is inside a solid.
bool walk(gy_grid_level g, int dim, vec3 from, inout vec3 to)
{
    ivec3 now = ivec3(0);
    int left = 2;
    precise vec3 next = vec3(2.0);
    for (int a = 0; a < dim; a++) {
        now[a] = min(max(int(from[a]), 0), cells_along(a) - 1);
        left += int(abs(to[a] - from[a])) + 2;
    }
    if (is_solid(g, dim, now)) {
        return true;
    }
    ivec3 cell = now; // in the domain; `now` goes on beyond periodic sides
    for (int a = 0; a < dim; a++) {
        next[a] = meets(from[a], to[a], now[a]);
    }
    for (; left > 0; left--) {
        int a = next[0] <= next[1] ? 0 : 1;
        if (dim == 3 && next[2] < next[a]) {
            a = 2;
        }
        if (next[a] > 1.0) {
            break;
        }
        bool up = to[a] > from[a];
        int face = cell[a] + int(up);
        if (!periodic_along(a) && (face <= 0 || face >= cells_along(a))) {
            // The domain's own sides are looked at afterwards, but for what is shut beside windows.
            if ((args.open_sides >> (8 + 2 * a + int(up)) & 1u) != 0 &&
                !is_open(g, a, cell, face)) {
                to[a] = up ? float(now[a] + 1) - HAIR : float(now[a]) + HAIR;
            }
            next[a] = 2.0;
        } else if (!is_open(g, a, cell, face)) {
            to[a] = up ? float(now[a] + 1) - HAIR : float(now[a]) + HAIR;
            next[a] = 2.0;
        } else {
            now[a] += up ? 1 : -1;
            cell[a] = wrapped(a, cell[a] + (up ? 1 : -1));
            next[a] = meets(from[a], to[a], now[a]);
        }
    }
    return false;
}

bool is_near(int dim, vec3 c, vec3 to)
{
    ivec3 cell = ivec3(0), n = args.extent.n;
    bool far = false;
    for (int a = 0; a < dim; a++) {
        cell[a] = min(max(int(c[a]), 0), n[a] - 1);
        far = far || abs(to[a] - c[a]) > NEAR - 1.0;
    }
    int blocks = (n.x + BLOCK - 1) / BLOCK;
    return far || bytes(at(args.base, args.near),
                        (cell.z * n.y + cell.y) * blocks + cell.x / BLOCK).v != 0us;
}

// ---- anywhere

/// A place round the periodic sides of an axis of n cells, and within the others.
float within(float c, float n, bool periodic)
{
    precise float x = c;
    if (periodic) {
        x = x < 0.0 ? x + n : x;
        x = x >= n ? x - n : x;
    }
    return between(x, 0.0, n);
}

/// The component across `axis` at a point of the domain, in cells.
float sample_of(int dim, int axis, vec3 c)
{
    ivec3 stride = ivec3(1, args.extent.sy, args.extent.sz);
    int o = 0;
    precise vec3 f = vec3(0.0);
    for (int a = 0; a < dim; a++) {
        precise float x = a == axis ? c[a] : c[a] - 0.5;
        int k = int(floor(x));
        // A point on the last face lies between it and the one before.
        k = a == axis && k >= cells_along(a) ? k - 1 : k;
        f[a] = x - float(k);
        o += k * stride[a];
    }
    uint64_t p = at(args.base, args.velocity[axis]);
    precise float sum = 0.0;
    // The ends of loops are constants, so that they can be unrolled.
    for (int z = 0; z < 2; z++) {
        if (z == 1 && dim == 2) {
            break;
        }
        precise float plane = 0.0;
        for (int y = 0; y < 2; y++) {
            int i = o + y * stride.y + z * stride.z;
            float s0 = floats(p, i).v, s1 = floats(p, i + 1).v;
            precise float row = (1.0 - f.x) * s0 + f.x * s1;
            precise float t = (y != 0 ? f.y : 1.0 - f.y) * row;
            plane = y != 0 ? plane + t : t;
        }
        if (dim == 2) {
            sum = plane;
        } else {
            precise float t = (z != 0 ? f.z : 1.0 - f.z) * plane;
            sum = z != 0 ? sum + t : t;
        }
    }
    return sum;
}
