#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint64_t faces;
    uint64_t ranges;
    uint64_t sums;
    uint potential;
    uint velocity[3];
    gy_extent extent;
    uint periodic;
    double factor;
};
#include "ops/row/push.glsl"
#include "ops/row/pieces.glsl"

// push: PIECES: the twin of push in gas/ops/meet.c, a workgroup per solid at a time: the same sums
// in another order.
const int WORDS = 12; // of a gy_gas_face, see there
const uint SLIPS = 64u;

float beside(int sample_place, uint velocity, int way)
{
    gy_extent e = args.extent;
    ivec3 p, n = e.n;
    int axis = way / 2;
    p.z = e.dim == 3 ? sample_place / e.sz : 0;
    p.y = (sample_place - p.z * e.sz) / e.sy;
    p.x = sample_place - p.z * e.sz - p.y * e.sy;
    p[axis] += (way & 1) != 0 ? 1 : -1;
    if ((args.periodic >> axis & 1u) != 0) {
        p[axis] = (p[axis] + n[axis]) % n[axis];
    }
    return floats(at(args.base, velocity), p.x + p.y * e.sy + p.z * e.sz).v;
}

double by_potential(int w)
{
    uint64_t p = at(args.base, args.potential);
    int below = ints(args.faces, w + 1).v, above = ints(args.faces, w + 2).v;
    double lower = below >= 0 ? double(floats(p, below).v) : 0.0lf;
    double upper = above >= 0 ? double(floats(p, above).v) : 0.0lf;
    return double(floats(args.faces, w + 6).v) * (lower - upper);
}

double by_viscosity(int w, int axis)
{
    int own = int(uints(args.faces, w).v);
    uint ways = uints(args.faces, w + 11).v;
    double dragged = double(floats(args.faces, w + 8).v), push = 0.0lf;
    for (int way = 0; way < 6; way++) {
        if ((ways >> way & 1u) != 0u) {
            double weight = way / 2 == axis ? 1.0lf : (ways & SLIPS) != 0u ? 0.0lf : 2.0lf;
            push += weight * (double(beside(own, args.velocity[axis], way)) - dragged);
        }
    }
    return push;
}

void main()
{
    for (int m = low.x + int(gl_WorkGroupID.x); m < high.x; m += int(gl_NumWorkGroups.x)) {
        uint first = uints(args.ranges, 2 * m).v, count = uints(args.ranges, 2 * m + 1).v;
        double force[3] = double[3](0.0lf, 0.0lf, 0.0lf);
        double twist[3] = double[3](0.0lf, 0.0lf, 0.0lf);
        for (uint q = gl_LocalInvocationIndex; q < count; q += uint(COLUMNS_AT_ONCE * ROWS_AT_ONCE)) {
            int w = int(first + q) * WORDS;
            int axis = int(uints(args.faces, w + 5).v >> 16);
            double push = args.factor * (args.potential != 0u ? by_potential(w) : by_viscosity(w, axis));
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
