// confine.comp: the twin of confine in gas/ops/confine.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t arrays;
    uint64_t force;
    uint64_t volume;
    uint velocity[3];
    uint level;
    uint stride;
    int stage;
    gy_extent extent;
    float origin[3];
    float h;
    float part;
    float rate;
    float even;
    int way, from, to;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "gas/ops/shapes.glsl"

#include "ops/row/cells.glsl"

const int CURL = 0, SIZE = 1, EVEN = 2; // gy_confine_stage

// gas/ops/drive.h
const uint64_t SHAPE_PLACE = uint64_t(80 + 24 * 24);
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Force {
    int form;
    int everywhere;
    float vector[3];
    float thick;
};

int edges()
{
    return args.extent.dim == 3 ? 3 : 1;
}

/// The arrays: of the edges along an axis, of sizes, of the push along one.
uint64_t array(int q)
{
    return args.arrays + uint64_t(q) * uint64_t(args.stride) * 4ul;
}
uint64_t edge_array(int axis)
{
    return array(args.extent.dim == 3 ? axis : 0);
}

int offset(ivec3 p)
{
    return p.x + p.y * args.extent.sy + p.z * args.extent.sz;
}

ivec3 along(int axis)
{
    return ivec3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
}

ivec3 wrapped(gy_grid_level g, ivec3 p)
{
    for (int q = 0; q < args.extent.dim; q++) {
        if ((g.l.periodic >> q & 1u) != 0u) {
            p[q] += p[q] < 0 ? g.l.n[q] : p[q] >= g.l.n[q] ? -g.l.n[q] : 0;
        }
    }
    return p;
}

bool is_open(gy_grid_level g, int axis, ivec3 p)
{
    p = wrapped(g, p);
    bool side = (g.l.periodic >> axis & 1u) == 0u && (p[axis] <= 0 || p[axis] >= g.l.n[axis]);
    for (int q = 0; q < args.extent.dim; q++) {
        side = side || p[q] < 0 || p[q] >= g.l.n[q];
    }
    return !side && gy_coefficient(g, axis, p.x, p.y, p.z).v != 0us;
}

bool is_whole(gy_grid_level g, int axis, ivec3 p)
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    return is_open(g, b, p) && is_open(g, d, p) && is_open(g, d, p - along(b)) &&
           is_open(g, b, p - along(d));
}

float velocity_at(gy_grid_level g, int axis, ivec3 p)
{
    int o = offset(wrapped(g, p));
    float u = floats(at(args.base, args.velocity[axis]), o).v;
    if (args.part != 0.0) {
        precise float further = u + args.part * floats(array(edges() + 1 + axis), o).v;
        return further;
    }
    return u;
}

void curl_one(gy_grid_level g, int axis, ivec3 p)
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    precise float w = 0.0;
    if (is_whole(g, axis, p)) {
        w = (velocity_at(g, d, p) - velocity_at(g, d, p - along(b))) -
            (velocity_at(g, b, p) - velocity_at(g, b, p - along(d)));
    }
    floats(edge_array(axis), offset(p)).v = w;
}

float square_one(gy_grid_level g, int axis, ivec3 p)
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3, count = 0;
    precise float s[4];
    for (int q = 0; q < 4; q++) {
        ivec3 place = p + (q & 1) * along(b) + (q >> 1) * along(d);
        float w = floats(edge_array(axis), offset(place)).v;
        s[q] = w * w;
        count += is_whole(g, axis, place) ? 1 : 0;
    }
    precise float sum = (s[0] + s[1]) + (s[2] + s[3]);
    return count > 0 ? sum / float(count) : 0.0;
}

bool is_reached(gy_grid_level g, ivec3 p, int way)
{
    for (int s = 1; s <= (args.way >> 2); s++) {
        if (!is_open(g, (args.way & 3), p + (way > 0 ? s : 1 - s) * along((args.way & 3)))) {
            return false;
        }
    }
    return true;
}

void spread_one(gy_grid_level g, ivec3 p)
{
    float x = floats(array(args.from), offset(p)).v;
    precise float part[2] = {0.0, 0.0};
    for (int q = 0; q < 2; q++) {
        int way = q == 0 ? -1 : 1;
        if (is_reached(g, p, way)) {
            ivec3 far = wrapped(g, p + way * (args.way >> 2) * along((args.way & 3)));
            part[q] = floats(array(args.from), offset(far)).v - x;
        }
    }
    precise float y = x + args.part * (part[0] + part[1]);
    floats(array(args.to), offset(p)).v = y;
}

float size_at(gy_grid_level g, ivec3 p)
{
    return floats(array(edges()), offset(wrapped(g, p))).v;
}

float slope_one(gy_grid_level g, int axis, int to, ivec3 p)
{
    precise float d[4];
    int count = 0;
    for (int q = 0; q < 4; q++) {
        ivec3 high_one = p - (q >> 1) * along(axis) + (q & 1) * along(to);
        d[q] = 0.0;
        if (is_open(g, to, high_one)) {
            d[q] = size_at(g, high_one) - size_at(g, high_one - along(to));
            count++;
        }
    }
    precise float sum = (d[0] + d[1]) + (d[2] + d[3]);
    return count > 0 ? sum / float(count) : 0.0;
}

float turn_one(gy_grid_level g, int axis, int to, ivec3 p)
{
    ivec3 other = p + along(to);
    precise float sum =
        floats(edge_array(axis), offset(p)).v + floats(edge_array(axis), offset(other)).v;
    return is_whole(g, axis, p) && is_whole(g, axis, other) ? 0.5 * sum : sum;
}

float cover_of(int axis, ivec3 p)
{
    Force f = Force(args.force);
    if (f.everywhere != 0) {
        return 1.0;
    }
    precise vec3 point;
    for (int a = 0; a < 3; a++) {
        point[a] = args.origin[a] + args.h * (float(p[a]) + (a == axis ? 0.0 : 0.5));
    }
    point.z = args.extent.dim == 2 ? 0.0 : point.z;
    double place[3] = {double(point.x), double(point.y), double(point.z)};
    precise float covered =
        0.5 - float(gy_solid_distance(Solid(args.force + SHAPE_PLACE), args.volume, place)) / f.thick;
    return clamp(covered, 0.0, 1.0);
}

float push_one(gy_grid_level g, int axis, ivec3 p)
{
    int b = (axis + 1) % 3, d = (axis + 2) % 3, dim = args.extent.dim;
    if (!is_open(g, axis, p)) {
        return 0.0;
    }
    float covered = cover_of(axis, p);
    if (!(covered > 0.0)) {
        return 0.0;
    }
    precise float here = size_at(g, p), there = size_at(g, p - along(axis));
    precise float gb = 0.0, gd = 0.0, wb = 0.0, wd = 0.0, ga = here - there;
    if (b < dim) {
        gb = slope_one(g, axis, b, p);
        wd = turn_one(g, d, b, p);
    }
    if (d < dim) {
        gd = slope_one(g, axis, d, p);
        wb = turn_one(g, b, d, p);
    }
    precise float size = sqrt(ga * ga + (gb * gb + gd * gd)) + args.even * (0.5 * (here + there));
    precise float push = covered * (args.rate * (gb * wd - gd * wb) / size);
    return size > 1e-20 ? push : 0.0;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    int dim = args.extent.dim;
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    bool own = cell.x < g.l.n[0] && cell.y < g.l.n[1] && cell.z < g.l.n[2];
    if (args.stage == CURL) {
        for (int axis = dim == 3 ? 0 : 2; axis < 3; axis++) {
            curl_one(g, axis, cell);
        }
    } else if (args.stage == EVEN) {
        if (own) {
            spread_one(g, cell);
        }
    } else if (args.stage == SIZE) {
        if (own) {
            precise float sum = square_one(g, 2, cell);
            if (dim == 3) {
                sum += square_one(g, 0, cell) + square_one(g, 1, cell);
            }
            floats(array(edges()), offset(cell)).v = sqrt(sum);
        }
    } else {
        for (int axis = 0; axis < dim; axis++) {
            floats(array(edges() + 1 + axis), offset(cell)).v = push_one(g, axis, cell);
        }
    }
}
