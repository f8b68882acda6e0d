#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint64_t swelling;
    uint velocity[3];
    uint level;
    uint partial;
    gy_extent extent;
    int write;
    int energy;
    float let;
    uint given;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/energy.glsl"
#include "ops/row/pieces.glsl"

// divergence: PIECES: b = -(sum of openness times velocity out of the cell), the sum of its squares
// and the largest; where asked for, of the velocities' squares. On an open side the coefficient is
// doubled, the face's area is not.

/// A face's share: its velocity, at place f, times its openness.
float flux(gy_grid_level g, int axis, int f, int place, bool whole)
{
    precise float u = floats(at(args.base, args.velocity[axis]), f).v;
    if (!whole) {
        u = u * (open_at(g, axis, place) * (1.0 / UNIT));
    }
    return u;
}

float half_at(bool side, uint bit, gy_level l)
{
    return side && (l.open_sides & bit) != 0 ? 0.5 : 1.0;
}

/// Adds what leaves by sides whose velocities are given: y, z, then x.
float add_given(gy_grid_level g, ivec3 cell, int f, float sum)
{
    gy_level l = g.l;
    precise float all = sum;
    for (int q = 2; q < 2 * l.dim + 2; q++) {
        int side = q < 2 * l.dim ? q : q - 2 * l.dim, axis = side / 2;
        int n = axis == 0 ? l.n[0] : axis == 1 ? l.n[1] : l.n[2];
        int own = axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
        if ((args.given >> side & 1u) == 0u || own != ((side & 1) != 0 ? n - 1 : 0)) {
            continue;
        }
        ivec3 face = cell;
        face[axis] += side & 1;
        if (gy_coefficient(g, axis, face.x, face.y, face.z).v != 0us) {
            continue; // a window
        }
        int step = axis == 0 ? 1 : axis == 1 ? args.extent.sy : args.extent.sz;
        float u = floats(at(args.base, args.velocity[axis]), (side & 1) != 0 ? f + step : f).v;
        all = (side & 1) != 0 ? all + u : all - u;
    }
    return all;
}

float outflow(gy_grid_level g, int i, int j, int k)
{
    gy_level l = g.l;
    int f = i + j * args.extent.sy + k * args.extent.sz;
    bool whole = gy_uniform(g, i >> 1, j, k);
    precise float sum = flux(g, 0, f + 1, cell_at(l, i + 1, j, k), whole) -
                        flux(g, 0, f, cell_at(l, i, j, k), whole);
    sum += half_at(j == l.n[1] - 1, 8u, l) *
               flux(g, 1, f + args.extent.sy, cell_at(l, i, j + 1, k), whole) -
           half_at(j == 0, 4u, l) * flux(g, 1, f, cell_at(l, i, j, k), whole);
    if (l.dim == 3) {
        sum += half_at(k == l.n[2] - 1, 32u, l) *
                   flux(g, 2, f + args.extent.sz, cell_at(l, i, j, k + 1), whole) -
               half_at(k == 0, 16u, l) * flux(g, 2, f, cell_at(l, i, j, k), whole);
    }
    sum = abs(sum) >= 1e-30 ? sum : 0.0;
    if (i == 0 && (l.open_sides & 1u) != 0) {
        sum += 0.5 * open_at(g, 0, cell_at(l, 0, j, k)) * (1.0 / UNIT) *
               floats(at(args.base, args.velocity[0]), f).v;
    }
    if (i == l.n[0] - 1 && (l.open_sides & 2u) != 0) {
        sum -= 0.5 * open_at(g, 0, cell_at(l, i + 1, j, k)) * (1.0 / UNIT) *
               floats(at(args.base, args.velocity[0]), f + 1).v;
    }
    if (args.given != 0u) {
        sum = add_given(g, ivec3(i, j, k), f, sum);
    }
    if (args.swelling != 0ul) {
        precise float out_already = args.let * floats(args.swelling, f).v;
        sum = sum - out_already;
    }
    return sum;
}

/// The square of the velocity of the face across an axis below cell (i, j, k).
double square_at(gy_grid_level g, int axis, int i, int j, int k, bool whole)
{
    int f = i + j * args.extent.sy + k * args.extent.sz;
    return gy_face_square(gy_face_weight(g, axis, i, j, k, whole),
                          floats(at(args.base, args.velocity[axis]), f).v);
}

/// Of all faces that a cell owns: its lower ones, and where it is the last before an open side the
/// one there.
double squares_at(gy_grid_level g, int i, int j, int k)
{
    gy_level l = g.l;
    bool whole = gy_uniform(g, i >> 1, j, k);
    precise double sum = 0.0lf;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == l.dim) {
            break;
        }
        sum += square_at(g, axis, i, j, k, whole);
        ivec3 next = ivec3(i, j, k) + ivec3(axis == 0, axis == 1, axis == 2);
        int end = axis == 0 ? next.x - l.n[0] : axis == 1 ? next.y - l.n[1] : next.z - l.n[2];
        if (end == 0 && (l.open_sides >> (2 * axis + 1) & 1u) != 0) {
            sum += square_at(g, axis, next.x, next.y, next.z, false);
        }
    }
    return sum;
}

void main()
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    gy_piece p = gy_piece_own();
    double sum = 0.0, energy = 0.0;
    float most = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < 2 * GROUP * g.groups; i += COLUMNS_AT_ONCE) {
            float x = i < g.l.n[0] ? outflow(g, i, row.x, row.y) : 0.0;
            sum += double(x) * double(x);
            most = max(most, abs(x));
            if (args.energy != 0 && i < g.l.n[0]) {
                energy += squares_at(g, i, row.x, row.y);
            }
            if (args.write != 0) {
                floats(g.b, cell_at(g.l, i, row.x, row.y)).v = -x;
            }
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(sum));
    gy_piece_put(partial, 1, gy_piece_max(double(most)));
    if (args.energy != 0) {
        gy_piece_put(partial, 2, gy_piece_sum(energy));
    }
}
