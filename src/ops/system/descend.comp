#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/vector_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"
#include "ops/system/vector_cg.glsl"

// descend: PIECES: x (or x + low) += factor y, z -= factor (w - mean) where w is not 0; partial:
// z.z, the sum of z, y.z; z at offset 0: nothing of the kind.

/// x + low += t, by Knuth's sum without loss; x is the pair's sum rounded afterwards.
void add_to_pair(Float x, Float low_of_x, float t)
{
    precise float a = x.v, sum = a + t, part = sum - a;
    precise float lost = (a - (sum - part)) + (t - part), rest = low_of_x.v + lost;
    precise float whole = sum + rest, left = rest - (whole - sum);
    x.v = whole;
    low_of_x.v = left;
}

void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    uint64_t ys = at(args.base, args.y), zs = at(args.base, args.z), ws = at(args.base, args.w);
    float factor = factor_own(), mean = mean_own();
    gy_piece p = gy_piece_own();
    double squares = 0.0, sum = 0.0, dot = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < 2 * GROUP * g.groups; i += COLUMNS_AT_ONCE) {
            int place = cell_at(g.l, i, row.x, row.y);
            float d = i < g.l.n[0] ? floats(ys, place).v : 0.0;
            precise float t = factor * d, x, z;
            if (args.low != 0) {
                add_to_pair(floats(g.x, place), floats(at(args.base, args.low), place), t);
            } else {
                x = x_at(g, place) + t;
                floats(g.x, place).v = x;
            }
            if (args.z != 0) {
                float w = floats(ws, place).v;
                z = floats(zs, place).v - factor * (w - (w != 0.0 ? mean : 0.0));
                floats(zs, place).v = z;
                squares += double(z) * double(z);
                sum += double(z);
                dot += double(d) * double(z);
            }
        }
    }
    uint64_t partial = at(args.base, args.partial);
    gy_piece_put(partial, 0, gy_piece_sum(squares));
    gy_piece_put(partial, 1, gy_piece_sum(sum));
    gy_piece_put(partial, 2, gy_piece_sum(dot));
}
