#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint velocity[3];
    uint level;
    uint partial;
    gy_extent extent;
    float cap;
    gy_edge edge[3];
    uint low;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"
#include "ops/row/row.glsl"

// gradient: PIECES: velocity -= difference of x, shut faces 0, cut to +-cap; then the ends of rows.
// partial: the largest speed, and how many were cut.
gy_grid_level g;
uint64_t rest; // what is to be added to x, like it; 0: nothing
float most = 0.0;
double cut = 0.0;

/// x at a place less x at another. The rest would be lost in x itself.
float difference(int place, int below)
{
    precise float d = x_at(g, place) - x_at(g, below);
    if (rest != 0ul) {
        d += floats(rest, place).v - floats(rest, below).v;
    }
    return d;
}

float x_and_rest(int place)
{
    precise float x = x_at(g, place);
    if (rest != 0ul) {
        x = x + floats(rest, place).v;
    }
    return x;
}

/// The face across an axis below cell (i, j, k), which is a row's own.
void push_face(int axis, int i, int j, int k, float factor, bool whole)
{
    gy_level l = g.l;
    int place = cell_at(l, i, j, k);
    int below = cell_at(l, i - int(axis == 0), j - int(axis == 1), k - int(axis == 2));
    Float face = floats(at(args.base, args.velocity[axis]),
                        i + j * args.extent.sy + k * args.extent.sz);
    precise float old = face.v;
    precise float u = old - factor * difference(place, below);
    bool shut = !whole && shorts(g.open[axis], place).v == 0us;
    u = shut ? 0.0 : u;
    cut += abs(u) > args.cap ? 1.0 : 0.0;
    u = min(max(u, -args.cap), args.cap);
    u = abs(u) >= 1e-30 ? u : 0.0;
    most = max(most, abs(u));
    if (axis == 0 && i == 0 && (l.open_sides & 1u) != 0) {
        u = shorts(g.open[0], place).v != 0us ? old - 2.0 * x_and_rest(place) : 0.0;
        u = min(max(u, -args.cap), args.cap);
        most = max(most, abs(u));
    }
    face.v = u;
}

/// The face at the upper open side along x, which lies beyond the row's cells.
void push_last(int j, int k)
{
    int n = g.l.n[0];
    Float face = floats(at(args.base, args.velocity[0]),
                        n + j * args.extent.sy + k * args.extent.sz);
    precise float u = face.v + 2.0 * x_and_rest(cell_at(g.l, n - 1, j, k));
    u = shorts(g.open[0], cell_at(g.l, n, j, k)).v != 0us ? u : 0.0;
    u = min(max(u, -args.cap), args.cap);
    most = max(most, abs(u));
    face.v = u;
}

void push_row(int j, int k)
{
    gy_level l = g.l;
    bool in_y = j < l.n[1], in_z = k < l.n[2];
    float fy = (j == 0 && (l.open_sides & 4u) != 0) || !in_y ? 2.0 : 1.0;
    float fz = (k == 0 && (l.open_sides & 16u) != 0) || !in_z ? 2.0 : 1.0;
    for (int i = int(gl_LocalInvocationID.x); i < l.n[0]; i += COLUMNS_AT_ONCE) {
        bool whole = in_y && in_z && gy_uniform(g, i >> 1, j, k);
        if (in_y && in_z) {
            push_face(0, i, j, k, 1.0, whole);
        }
        if (in_z) {
            push_face(1, i, j, k, fy, whole);
        }
        if (l.dim == 3 && in_y) {
            push_face(2, i, j, k, fz, whole);
        }
        if (i == l.n[0] - 1 && (l.open_sides & 2u) != 0 && in_y && in_z) {
            push_last(j, k);
        }
    }
}

void finish_row(int j, int k)
{
    int n = g.l.n[0], f = j * args.extent.sy + k * args.extent.sz;
    bool in_y = j < g.l.n[1], in_z = k < g.l.n[2];
    for (int axis = 0; axis < g.l.dim; axis++) {
        bool has = (in_y || axis == 1) && (in_z || axis == 2);
        int parts = has ? gy_row_beyond(n, args.edge[axis]) : 0;
        for (int q = int(gl_LocalInvocationID.x); q < parts; q += COLUMNS_AT_ONCE) {
            gy_row_finish_part(float_samples(args.base, args.velocity[axis]), f, n, args.edge[axis],
                               q);
        }
    }
}

void main()
{
    g = gy_grid_level_at(args.base, args.level);
    rest = args.low != 0 ? at(args.base, args.low) : 0ul;
    gy_piece p = gy_piece_own();
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        push_row(row.x, row.y);
    }
    memoryBarrierBuffer();
    barrier();
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        finish_row(row.x, row.y);
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_max(double(most)));
    gy_piece_put(partial, 1, gy_piece_sum(cut));
}
