#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint64_t faces;
    uint64_t ranges;
    uint64_t sums;
    uint field;
    uint level;
    gy_extent extent;
    uint periodic;
    int work;
    int axis;
    double factor;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/beside.glsl"
#include "ops/row/pieces.glsl"

// push: PIECES: the twin of push in gas/ops/meet.c, a workgroup per solid at a time: the same sums
// in another order.
const int POTENTIAL = 0, STRESS = 1; // gy_push_work; CUT is what is left
const uint SHEET = 1u;               // gy_face_kind

double by_potential(int w)
{
    uint64_t p = at(args.base, args.field);
    int below = ints(args.faces, w + 1).v, above = ints(args.faces, w + 2).v;
    double lower = below >= 0 ? double(floats(p, below).v) : 0.0lf;
    double upper = above >= 0 ? double(floats(p, above).v) : 0.0lf;
    return double(floats(args.faces, w + 6).v) * (lower - upper);
}

double by_viscosity(int w)
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    int own = int(uints(args.faces, w).v);
    double dragged = double(floats(args.faces, w + 8).v), push = 0.0lf;
    for (int way = 0; way < 6; way++) {
        uint weight = uint(shorts(args.faces, 2 * (w + 11) + way).v);
        if (weight > 0u) {
            ivec3 p = gy_face_beside(args.extent, args.periodic, own, way);
            double there = double(floats(g.x, cell_at(g.l, p.x, p.y, p.z)).v);
            push += double(weight) / double(UNIT) * (there - dragged);
        }
    }
    return push;
}

/// What pushes at a face, but for the factor.
double push_of(int w)
{
    if (args.work == POTENTIAL) {
        return by_potential(w);
    }
    float shut = floats(args.faces, w + 6).v;
    bool wall = shut >= 1.0;
    if (gy_face_axis(args.faces, w) != args.axis || wall != (args.work == STRESS)) {
        return 0.0lf;
    }
    if (wall) {
        return by_viscosity(w);
    }
    uint64_t u = at(args.base, args.field);
    bool sheet = (gy_face_kind(args.faces, w) & SHEET) != 0u;
    return sheet ? 0.0lf : double(shut) * double(floats(u, int(uints(args.faces, w).v)).v);
}

void main()
{
    for (int m = low.x + int(gl_WorkGroupID.x); m < high.x; m += int(gl_NumWorkGroups.x)) {
        uint first = uints(args.ranges, 2 * m).v, count = uints(args.ranges, 2 * m + 1).v;
        double force[3] = double[3](0.0lf, 0.0lf, 0.0lf);
        double twist[3] = double[3](0.0lf, 0.0lf, 0.0lf);
        for (uint q = gl_LocalInvocationIndex; q < count; q += uint(COLUMNS_AT_ONCE * ROWS_AT_ONCE)) {
            int w = int(first + q) * FACE_WORDS;
            int axis = gy_face_axis(args.faces, w);
            double push = args.factor * push_of(w);
            force[axis] += push;
            twist[(axis + 1) % 3] += double(floats(args.faces, w + 10).v) * push;
            twist[(axis + 2) % 3] -= double(floats(args.faces, w + 9).v) * push;
        }
        for (int a = 0; a < 3; a++) {
            double whole = gy_piece_sum(force[a]), turn = gy_piece_sum(twist[a]);
            if (gl_LocalInvocationIndex == 0u) {
                doubles(args.sums, 6 * m + a).v += whole;
                doubles(args.sums, 6 * m + 3 + a).v += turn;
            }
        }
    }
}
