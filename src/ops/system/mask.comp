#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/vector_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"
#include "ops/system/vector_cg.glsl"

// mask: PIECES: x -= mean, and 0 where there is no unknown. partial: the sum of x, and the number
// of unknowns.
gy_grid_level g;

bool unknown_at(gy_colour_row r, int i)
{
    if (gy_uniform(g, i, r.j, r.k)) {
        return true;
    }
    float d = 0.0;
    if (gy_live(g, r, i)) {
        gy_couple(g, r, i, d);
    }
    return d > 1e-20;
}

void main()
{
    g = gy_grid_level_with(args.base, args.level, args.x);
    float mean = mean_own();
    gy_piece p = gy_piece_own();
    double sum = 0.0, unknowns = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        gy_colour_row r = gy_colour_row_own(g, row);
        for (int i = int(gl_LocalInvocationID.x) / 2; i < GROUP * g.groups; i += COLUMNS_AT_ONCE / 2) {
            bool unknown = unknown_at(r, i);
            precise float x = x_at(g, r.o + i) - mean;
            x = unknown ? x : 0.0;
            floats(g.x, r.o + i).v = x;
            sum += double(x);
            unknowns += unknown ? 1.0 : 0.0;
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(sum));
    gy_piece_put(partial, 1, gy_piece_sum(unknowns));
}
