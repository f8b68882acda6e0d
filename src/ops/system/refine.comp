#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/vector_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// refine: PIECES: y = z - A (x + low) in double until it is rounded at last; partial: y.y.

struct pair {
    uint64_t x, low;
};

double pair_at(pair p, int place)
{
    precise double sum = double(floats(p.x, place).v) + double(floats(p.low, place).v);
    return sum;
}

/// A (x + low) where every coefficient is 1.
double apply_uniform(gy_grid_level g, gy_colour_row r, pair p, int i)
{
    int q = r.q + i, sy = g.l.sy, sz = g.l.sz;
    double s0 = double(g.l.scale[0]), s1 = double(g.l.scale[1]), s2 = 0.0;
    precise double sum = s0 * (pair_at(p, q + r.e - 1) + pair_at(p, q + r.e));
    sum += s1 * (pair_at(p, q - sy) + pair_at(p, q + sy));
    if (g.l.dim == 3) {
        s2 = double(g.l.scale[2]);
        sum += s2 * (pair_at(p, q - sz) + pair_at(p, q + sz));
    }
    precise double most = 2.0 * (s0 + s1 + s2);
    sum = (double(g.l.shift) + most) * pair_at(p, r.o + i) - sum;
    return sum;
}

/// a0 x0 + a1 x1, and a0 + a1 added to the diagonal, of the two neighbours along an axis.
double couple(double a0, double a1, double x0, double x1, double s, inout double diagonal)
{
    precise double d = diagonal + s * (a0 + a1), sum = s * (a0 * x0 + a1 * x1);
    diagonal = d;
    return sum;
}

double apply_at(gy_grid_level g, gy_colour_row r, pair p, int i)
{
    int o = r.o + i, q = r.q + i, sy = g.l.sy, sz = g.l.sz;
    double d = 0.0;
    precise double sum = couple(double(open_at(g, 0, o)), double(open_at(g, 0, q + r.e)),
                                pair_at(p, q + r.e - 1), pair_at(p, q + r.e), double(r.s[0]), d);
    sum += couple(double(open_at(g, 1, o)), double(open_at(g, 1, q + sy)), pair_at(p, q - sy),
                  pair_at(p, q + sy), double(r.s[1]), d);
    if (g.l.dim == 3) {
        sum += couple(double(open_at(g, 2, o)), double(open_at(g, 2, q + sz)), pair_at(p, q - sz),
                      pair_at(p, q + sz), double(r.s[2]), d);
    }
    double x = pair_at(p, o);
    sum = (double(g.l.shift) * x + d * x) - sum;
    return sum;
}

void main()
{
    gy_grid_level g = gy_grid_level_with(args.base, args.level, args.x);
    uint64_t to = at(args.base, args.y), from = at(args.base, args.z);
    pair whole = pair(g.x, at(args.base, args.low));
    gy_piece p = gy_piece_own();
    double squares = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        gy_colour_row r = gy_colour_row_own(g, row);
        for (int i = int(gl_LocalInvocationID.x) / 2; i < GROUP * g.groups; i += COLUMNS_AT_ONCE / 2) {
            precise double t = double(floats(from, r.o + i).v);
            float left = 0.0;
            if (gy_uniform(g, i, r.j, r.k)) {
                t = t - apply_uniform(g, r, whole, i);
                left = float(t);
            } else if (gy_live(g, r, i)) {
                t = t - apply_at(g, r, whole, i);
                left = float(t);
            }
            floats(to, r.o + i).v = left;
            squares += double(left) * double(left);
        }
    }
    gy_piece_put(at(args.base, args.partial), 0, gy_piece_sum(squares));
}
