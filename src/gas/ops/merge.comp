#version 460
#extension GL_GOOGLE_include_directive : require
#define TOGETHER coherent
#include "ops/row/common.glsl"
#include "gas/ops/split_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/open_ends.glsl"
#include "ops/row/pieces.glsl"
#include "ops/row/row.glsl"

// merge: PIECES: x back into a field, cut to the limit; faces on open sides; then the ends of rows.
gy_grid_level g;
gy_samples field;

float finite_or_zero(float x)
{
    bool finite = (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u;
    return abs(x) < 1e-30 || !finite ? 0.0 : x;
}

void merge_cell(ivec3 cell)
{
    int place = cell_at(g.l, cell.x, cell.y, cell.z);
    if (!gy_pinned(g, place)) {
        int own = cell.x + cell.y * args.extent.sy + cell.z * args.extent.sz;
        precise float x = x_at(g, place);
        if (args.add != 0) {
            x = sample_at(field, own) + args.blend * floats(g.b, place).v;
        } else if (args.blend != 0.0) {
            float q = sample_at(field, own);
            x = q + args.blend * (x - q);
        }
        x = x > args.limit ? args.limit : x < -args.limit ? -args.limit : x;
        set_sample(field, own, finite_or_zero(x));
    }
}

/// A face on an open side, a step from the face next to it, goes with that: see gas/ops/diffuse.c.
void merge_end(ivec3 next, int step)
{
    int place = cell_at(g.l, next.x, next.y, next.z);
    int end = next.x + next.y * args.extent.sy + next.z * args.extent.sz + step;
    if (!gy_pinned(g, place) && !gy_lid(g, next, int(step > 0))) {
        float x = end_moved(sample_at(field, end), x_at(g, place));
        set_sample(field, end, abs(x) < 1e-30 ? 0.0 : x);
    }
}

/// The faces on open sides that this cell or its neighbour above decides. The lower one is the
/// cell's own, which the same invocation has merged.
void merge_ends(ivec3 cell)
{
    int axis = args.axis, n = args.extent.n[axis];
    int step = axis == 0 ? 1 : axis == 1 ? args.extent.sy : args.extent.sz;
    if (n > 1 && (args.ends & 1u) != 0 && cell[axis] == 0) {
        ivec3 next = cell;
        next[axis] = 1;
        merge_end(next, -step);
    }
    if (n > 1 && (args.ends & 2u) != 0 && cell[axis] == n - 1) {
        merge_end(cell, step);
    }
}

void main()
{
    g = gy_grid_level_at(args.base, args.level);
    field = samples_at(args.base, args.field, args.extent.halves);
    gy_piece p = gy_piece_own();
    int n = args.extent.n[0];
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < n; i += COLUMNS_AT_ONCE) {
            merge_cell(ivec3(i, row));
            merge_ends(ivec3(i, row));
        }
    }
    memoryBarrierBuffer();
    barrier();
    int parts = gy_row_beyond(n, args.edge);
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        int f = row.x * args.extent.sy + row.y * args.extent.sz;
        for (int part = int(gl_LocalInvocationID.x); part < parts; part += COLUMNS_AT_ONCE) {
            gy_row_finish_part(field, f, n, args.edge, part);
        }
    }
}
