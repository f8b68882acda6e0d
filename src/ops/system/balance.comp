#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/balance_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// balance: PIECES: over cells with an open face the sum of a vector and of its squares; the squares
// of the others, which become 0.
void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.vector);
    gy_piece p = gy_piece_own();
    double sum = 0.0, squares = 0.0, others = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        gy_colour_row r = gy_colour_row_own(g, row);
        for (int i = int(gl_LocalInvocationID.x) / 2; i < GROUP * g.groups; i += COLUMNS_AT_ONCE / 2) {
            double b = double(x_at(g, r.o + i));
            if (gy_joined(g, r, i)) {
                sum += b;
                squares += b * b;
            } else {
                others += i < r.cells ? b * b : 0.0;
                floats(g.x, r.o + i).v = 0.0;
            }
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(sum));
    gy_piece_put(partial, 1, gy_piece_sum(squares));
    gy_piece_put(partial, 2, gy_piece_sum(others));
}
