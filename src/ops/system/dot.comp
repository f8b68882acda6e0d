#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint level;
    uint x, y;
    uint partial;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// dot: PIECES: the sum over cells of the product of two vectors.
void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    uint64_t y = at(args.base, args.y != 0 ? args.y : g.l.x);
    gy_piece p = gy_piece_own();
    double sum = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < g.l.n[0]; i += COLUMNS_AT_ONCE) {
            int place = cell_at(g.l, i, row.x, row.y);
            sum += double(x_at(g, place)) * double(floats(y, place).v);
        }
    }
    gy_piece_put(at(args.base, args.partial), 0, gy_piece_sum(sum));
}
