#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/vector_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// apply: PIECES: y = A x, partial: x.y; or y = z - A x, partial: y.y; then the sum of y, and how
// many of y are not 0.
void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    uint64_t to = at(args.base, args.y), from = at(args.base, args.z);
    gy_piece p = gy_piece_own();
    double dot = 0.0, sum = 0.0, others = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        gy_colour_row r = gy_colour_row_own(g, row);
        for (int i = int(gl_LocalInvocationID.x) / 2; i < GROUP * g.groups; i += COLUMNS_AT_ONCE / 2) {
            precise float y = gy_image_at(g, r, i), x = y;
            if (args.z != 0) {
                y = floats(from, r.o + i).v - y;
                x = y;
            } else {
                x = x_at(g, r.o + i);
            }
            floats(to, r.o + i).v = y;
            dot += double(x) * double(y);
            sum += double(y);
            others += y != 0.0 ? 1.0 : 0.0;
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(dot));
    gy_piece_put(partial, 1, gy_piece_sum(sum));
    gy_piece_put(partial, 2, gy_piece_sum(others));
}
