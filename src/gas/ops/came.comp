// came.comp: the twin of came in gas/ops/rim.c: PIECES, of which there is one.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint rims;
    uint given;
    uint wind[3];
    uint carriage;
    uint came;
    int scalars;
    uint periodic;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/carriage.glsl"
#include "gas/ops/rim.glsl"

/// What comes in through a side of a scalar, as far as this invocation goes.
double side_sum(gy_rim_place p, int plane)
{
    gy_extent e = args.extent;
    int step = p.axis == 0 ? 1 : p.axis == 1 ? e.sy : e.sz;
    int right = p.axis == 0 ? e.sy : 1, up = p.axis == 2 ? e.sy : e.sz;
    int first = (p.side & 1) != 0 ? rim_cells(p.axis) * step : 0;
    precise double sum = 0.0lf;
    for (int q = int(gl_LocalInvocationIndex); q < p.n.x * p.n.y;
         q += COLUMNS_AT_ONCE * ROWS_AT_ONCE) {
        int a = q % p.n.x, b = q / p.n.x;
        double u = double(
            floats(at(args.base, args.wind[p.axis]), first + a * right + b * up).v);
        u = (p.side & 1) != 0 ? -u : u;
        if (floats(p.first, q).v != 0.0 && u > 0.0lf) {
            sum += u * double(floats(p.first, plane * p.step + q).v);
        }
    }
    return sum;
}

void main()
{
    Carriage c = Carriage(at(args.base, args.carriage));
    precise double scale = double(c.scale) * double(c.count);
    for (int s = 0; s < args.scalars; s++) {
        double sum = 0.0lf;
        for (int side = 0; side < 2 * args.extent.dim; side++) {
            if ((args.given >> side & 1u) != 0u) {
                sum += side_sum(rim_place(side), 1 + 2 * args.extent.dim + s);
            }
        }
        double all = gy_piece_sum(sum);
        if (gl_LocalInvocationIndex == 0u) {
            Double came = doubles(at(args.base, args.came), s);
            precise double more = came.v + scale * all;
            came.v = more;
        }
    }
}
