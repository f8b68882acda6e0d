// kick.comp: the twin of kick in gas/ops/kick.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint fields;
    uint velocity[3], to[3];
    uint level;
    uint lag;
    uint force;
    uint partial;
    gy_extent extent;
    float amount;
    float pull[3];
    float cap;
};
#include "ops/row/push.glsl"
#include "ops/row/ends.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/energy.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/sample.glsl"

// PIECES. partial: sums of squares of the velocities, of those without the force, of `to`.
gy_grid_level g; // x: the lagged pressure
double squares[3];

float cut(float x)
{
    return min(max(x, -args.cap), args.cap);
}

/// The pressure's difference across the face below cell (i, j, k), and what it counts: twice on open
/// sides. Those along x have nothing beyond them.
float difference(int axis, int i, int j, int k, bool side)
{
    gy_level l = g.l;
    float here = 0.0, below = 0.0;
    if (!side || axis != 0 || i == 0) {
        here = x_at(g, cell_at(l, i, j, k));
    }
    if (!side || axis != 0 || i > 0) {
        below =
            x_at(g, cell_at(l, i - int(axis == 0), j - int(axis == 1), k - int(axis == 2)));
    }
    precise float d = here - below;
    return d;
}

/// Kicks a face that is a row's own, and counts it.
void kick_face(int axis, int i, int j, int k, bool whole, gy_edge edge)
{
    gy_level l = g.l;
    int at_axis = axis == 0 ? i : axis == 1 ? j : k;
    int n_axis = axis == 0 ? l.n[0] : axis == 1 ? l.n[1] : l.n[2];
    bool side = at_axis == n_axis || (at_axis == 0 && (l.open_sides >> (2 * axis) & 1u) != 0);
    int row = j * args.extent.sy + k * args.extent.sz, o = row + i;
    double weight = gy_face_weight(g, axis, i, j, k, whole);
    float now[3];
    now[0] = now[1] = now[2] = 0.0;
    if (weight > 0.0lf) {
        precise float amount = (side ? 2.0 : 1.0) * args.amount;
        precise float u = floats(at(args.base, args.velocity[axis]), o).v;
        precise float v = u - amount * difference(axis, i, j, k, side);
        v = cut(v);
        now[0] = u;
        now[1] = v;
        float pull = args.pull[axis];
        if (args.force != 0 && pull != 0.0) {
            uint64_t force = at(args.base, args.force);
            int step = axis == 0 ? 1 : axis == 1 ? args.extent.sy : args.extent.sz;
            precise float f = (0.5 * pull) * (floats(force, o).v + floats(force, o - step).v);
            v = v + f;
            v = cut(v);
        }
        now[2] = v;
    }
    for (int q = 0; q < 3; q++) {
        precise double sum = squares[q] + gy_face_square(weight, now[q]);
        squares[q] = sum;
    }
    if (args.to[0] != 0) {
        bool kept = side && axis == 0; // as the CPU does
        gy_put(float_samples(args.base, args.to[axis]), row, i, l.n[0], edge,
               kept ? now[2] : gy_flush(now[2]));
    }
}

void kick_row(int axis, int j, int k)
{
    gy_level l = g.l;
    gy_edge edge = field_at(at(args.base, args.fields), axis).v.edge[0];
    bool inside = j < l.n[1] && k < l.n[2];
    for (int i = int(gl_LocalInvocationID.x); i < l.n[0]; i += COLUMNS_AT_ONCE) {
        bool whole = inside && gy_uniform(g, i >> 1, j, k);
        kick_face(axis, i, j, k, whole, edge);
        // The face on an open side is its last cell's, too.
        if (axis == 0 && i == l.n[0] - 1 && (l.open_sides & 2u) != 0) {
            kick_face(0, i + 1, j, k, false, edge);
        }
    }
}

void main()
{
    g = gy_grid_level_with(args.base, args.level, args.lag);
    squares[0] = squares[1] = squares[2] = 0.0lf;
    gy_piece p = gy_piece_own();
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int axis = 0; axis < 3; axis++) {
            // Beyond the last cells across an axis its own faces alone may be live.
            if (axis < g.l.dim && (row.x < g.l.n[1] || axis == 1) &&
                (row.y < g.l.n[2] || axis == 2)) {
                kick_row(axis, row.x, row.y);
            }
        }
    }
    uint64_t partial = at(args.base, args.partial);
    for (int q = 0; q < 3; q++) {
        gy_piece_put(partial, q, gy_piece_sum(squares[q]));
    }
}
