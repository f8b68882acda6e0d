#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/vector_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// dots: PIECES: partial: x.y and x.z; all are 0 where there is no cell.
void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    uint64_t ys = at(args.base, args.y), zs = at(args.base, args.z);
    gy_piece p = gy_piece_own();
    double xy = 0.0, xz = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < g.l.n[0]; i += COLUMNS_AT_ONCE) {
            int place = cell_at(g.l, i, row.x, row.y);
            double x = double(x_at(g, place));
            xy += x * double(floats(ys, place).v);
            xz += x * double(floats(zs, place).v);
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(xy));
    gy_piece_put(partial, 1, gy_piece_sum(xz));
}
