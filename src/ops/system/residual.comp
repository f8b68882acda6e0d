#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// residual: PIECES: sum of squares of one colour's residual, and the largest.
void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    gy_piece p = gy_piece_own();
    double sum = 0.0;
    float most = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        gy_colour_row r = gy_colour_row_at(g, args.colour, row.x, row.y);
        for (int i = int(gl_LocalInvocationID.x); i < r.cells; i += COLUMNS_AT_ONCE) {
            float x = gy_residual_at(g, r, i);
            sum += double(x) * double(x);
            most = max(most, abs(x));
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(sum));
    gy_piece_put(partial, 1, gy_piece_max(double(most)));
}
