// trace.comp: the twin of trace in gas/ops/trace.c. `bounds` is not filled: the twins of advect and
// correct do without.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint velocity[3];
    uint back[3];
    uint forward[3];
    uint bounds;
    uint near;
    uint level;
    gy_extent extent;
    float scale;
    uint periodic;
    uint open_sides;
    uint64_t links;
};
#include "ops/row/push.glsl"
#include "gas/ops/sample.glsl"
#include "ops/row/ends.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/link.glsl"

#include "ops/row/cells.glsl"

const int BLOCK = 64;      // GY_BLOCK
const float NEAR = 3.0;    // GY_NEAR
const float HAIR = 9.5367431640625e-07; // 2^-20

bool periodic_along(int axis)
{
    return (args.periodic >> axis & 1u) != 0;
}

/// Copied first: Mesa 22's software driver takes a wrong component where a vector in memory is
/// indexed by a variable.
int cells_along(int axis)
{
    ivec3 n = args.extent.n;
    return n[axis];
}

int wrapped(int axis, int i)
{
    int n = cells_along(axis);
    if (periodic_along(axis)) {
        // Paths are at most a period long.
        i += i < 0 ? n : 0;
        i -= i >= n ? n : 0;
    }
    return i;
}

/// Whether a face is one of the domain's own sides.
bool is_side(int axis, int face)
{
    return !periodic_along(axis) && (face <= 0 || face >= cells_along(axis));
}

/// Whether the face `up` or below the cell `from` is shut.
bool is_shut(gy_grid_level g, int axis, ivec3 from, bool up)
{
    from[axis] = wrapped(axis, from[axis] + int(up));
    return gy_coefficient(g, axis, from.x, from.y, from.z).v == 0us;
}

/// Whether the face ahead of a cell on a side ends paths at the centre before, see trace.c.
bool is_lid(gy_grid_level g, int axis, ivec3 from, bool up)
{
    from[axis] += int(up);
    return (args.open_sides >> (8 + 2 * axis + int(up)) & 1u) != 0 &&
           gy_coefficient(g, axis, from.x, from.y, from.z).v == 0us;
}

/// Where a path ends that a wall ahead stops: at the last centre, and a hair back.
float before_wall(int moved, float ahead)
{
    precise float hair = HAIR * float(1 + abs(moved));
    precise float end = ahead > 0.0 ? float(moved) - hair : float(moved) + hair;
    return end;
}

/// Walks the cells along d from the centre of a cell and cuts d short before the first shut face.
vec3 clip(gy_grid_level g, int dim, ivec3 cell, vec3 d)
{
    ivec3 now = cell, moved = ivec3(0);
    precise vec3 next = vec3(2.0), pace = vec3(0.0);
    bvec3 shut = bvec3(false);
    int left = 2;
    for (int a = 0; a < dim; a++) {
        float length = abs(d[a]);
        if (length > 0.5) {
            pace[a] = 1.0 / length;
            next[a] = 0.5 * pace[a];
        }
        left += int(length) + 1;
    }
    for (; left > 0; left--) {
        int a = next[0] <= next[1] ? 0 : 1;
        if (dim == 3 && next[2] < next[a]) {
            a = 2;
        }
        if (next[a] > 1.0) {
            break;
        }
        bool up = d[a] > 0.0;
        if (is_side(a, now[a] + int(up))) {
            if (is_lid(g, a, now, up)) {
                d[a] = before_wall(moved[a], d[a]);
                shut[a] = true;
            }
            next[a] = 2.0;
        } else if (is_shut(g, a, now, up)) {
            // Stop this axis at the last centre and let the others go on: the gas slides.
            d[a] = before_wall(moved[a], d[a]);
            shut[a] = true;
            next[a] = 2.0;
        } else {
            moved[a] += up ? 1 : -1;
            now[a] = wrapped(a, now[a] + (up ? 1 : -1));
            next[a] += pace[a];
        }
    }
    // A component that never leaves the cell still must not lean towards a shut face.
    for (int a = 0; a < dim; a++) {
        precise float rest = d[a] - float(moved[a]);
        bool up = rest > 0.0;
        bool side = is_side(a, now[a] + int(up));
        if (!shut[a] && rest != 0.0 &&
            (side ? is_lid(g, a, now, up) : is_shut(g, a, now, up))) {
            d[a] = before_wall(moved[a], rest);
        }
    }
    return d;
}

bool solid_cell(gy_grid_level g, int dim, ivec3 cell)
{
    for (int a = 0; a < dim; a++) {
        if (!is_shut(g, a, cell, false) || !is_shut(g, a, cell, true)) {
            return false;
        }
    }
    return true;
}

/// Cuts what may meet a solid.
void clip_both(gy_extent e, ivec3 cell, inout vec3 back, inout vec3 forward)
{
    if (args.near == 0) {
        return;
    }
    int blocks = (e.n[0] + BLOCK - 1) / BLOCK;
    bool near = bytes(at(args.base, args.near),
                      (cell.z * e.n[1] + cell.y) * blocks + cell.x / BLOCK).v != 0us;
    vec3 most = max(abs(back), abs(forward));
    if (!near && max(most.x, max(most.y, most.z)) <= NEAR - 1.0) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    bool solid = solid_cell(g, e.dim, cell);
    back = solid ? vec3(0.0) : clip(g, e.dim, cell, back);
    forward = solid ? vec3(0.0) : clip(g, e.dim, cell, forward);
}

/// How far a path may go along an axis: to half a cell beyond the outermost centres, or one period.
vec2 reach(int axis, int i)
{
    precise float n = float(cells_along(axis)), x = float(i);
    precise vec2 r = periodic_along(axis) ? vec2(-n, n) : vec2(-0.5 - x, n - 0.5 - x);
    return r;
}

/// The same where air outside an open side is air: to a hair less than a cell beyond the outermost
/// centre.
vec2 reach_out(int axis, int i)
{
    const float more = 0.4990234375; // 1/2 - 2^-10
    precise vec2 r = reach(axis, i);
    r.x -= (args.open_sides >> (2 * axis) & 1u) != 0 ? more : 0.0;
    r.y += (args.open_sides >> (2 * axis + 1) & 1u) != 0 ? more : 0.0;
    return r;
}

float cut(float x, vec2 range)
{
    return min(max(x, range.x), range.y);
}

/// The paths of a cell near sheets; middle: half of the way back.
void trace_near(gy_extent e, ivec3 cell, vec3 middle, vec3 centre, inout vec3 back,
                inout vec3 forward)
{
    gy_net net = gy_net_make(args.links, e, args.periodic);
    int length = max(gy_net_length(middle), max(gy_net_length(back), gy_net_length(forward)));
    if (!gy_net_near(net, cell, length)) {
        return;
    }
    gy_spot p = gy_spot(cell, vec3(0.0));
    precise float scale = args.scale, twice = 2.0 * scale;
    gy_net_walk(net, middle, p);
    for (int a = 0; a < 3; a++) {
        if (a == e.dim) {
            break;
        }
        vec2 range;
        precise float b = gy_net_read(net, float_samples(args.base, args.velocity[a]), a, p, range);
        b = b * -scale;
        precise float f = b + twice * centre[a];
        back[a] = cut(b, reach_out(a, cell[a]));
        forward[a] = cut(f, reach_out(a, cell[a]));
    }
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    int row = cell.y * e.sy + cell.z * e.sz, o = row + cell.x;
    ivec3 step = ivec3(1, e.sy, e.sz);
    precise float scale = args.scale, half_back = -0.5 * scale, twice = 2.0 * scale;
    precise vec3 centre = vec3(0.0), middle = vec3(0.0), back = vec3(0.0), forward = vec3(0.0);
    for (int a = 0; a < 3; a++) {
        if (a == e.dim) {
            break;
        }
        uint64_t u = at(args.base, args.velocity[a]);
        centre[a] = 0.5 * (floats(u, o).v + floats(u, o + step[a]).v);
        precise float m = centre[a] * half_back;
        middle[a] = cut(m, reach(a, cell[a]));
    }
    for (int a = 0; a < 3; a++) {
        if (a == e.dim) {
            break;
        }
        // A centre sits half a cell above its low face.
        precise vec3 d = middle;
        d[a] = d[a] + 0.5;
        gy_corner c = gy_corner_at(e, args.periodic, cell, d);
        gy_samples u = float_samples(args.base, args.velocity[a]);
        precise float b = gy_linear(e.dim, u, o, c) * -scale;
        precise float f = b + twice * centre[a];
        back[a] = cut(b, reach_out(a, cell[a]));
        forward[a] = cut(f, reach_out(a, cell[a]));
    }
    clip_both(e, cell, back, forward);
    if (LINKED) {
        vec3 b = back, f = forward;
        trace_near(e, cell, middle, centre, b, f);
        back = b;
        forward = f;
    }
    int n = e.n[0];
    gy_edge edge;
    edge.value[0] = edge.value[1] = 0.0;
    edge.samples = n;
    for (int a = 0; a < 3; a++) {
        if (a == e.dim) {
            break;
        }
        for (int end = 0; end < 2; end++) {
            bool inward = a == 0 && (args.open_sides >> end & 1u) == 0;
            edge.rule[end] = periodic_along(0) ? EDGE_WRAP : inward ? EDGE_INWARD : EDGE_COPY;
        }
        gy_put(float_samples(args.base, args.back[a]), row, cell.x, n, edge, back[a]);
        gy_put(float_samples(args.base, args.forward[a]), row, cell.x, n, edge, forward[a]);
    }
}
