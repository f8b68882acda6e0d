// dilate.comp: the twin of dilate in gas/ops/dilate.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint wind[3];
    uint velocity[3];
    uint level;
    uint partial;
    gy_extent extent;
    float scale;
    uint periodic;
    uint open_sides;
    uint given;
};
#include "ops/row/push.glsl"
#include "gas/ops/flux.glsl"
#include "ops/row/pieces.glsl"

void main()
{
    gy_extent e = args.extent;
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    gy_piece p = gy_piece_own();
    double sum = 0.0lf;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < e.n[0]; i += COLUMNS_AT_ONCE) {
            ivec3 cell = ivec3(i, row);
            int o = i + row.x * e.sy + row.y * e.sz;
            precise float x = 0.0, squares = 0.0;
            for (int a = 0; a < 3; a++) {
                if (a >= e.dim) {
                    break;
                }
                int step = a == 0 ? 1 : a == 1 ? e.sy : e.sz;
                float from = floats(at(args.base, args.velocity[a]), o).v;
                float to = floats(at(args.base, args.velocity[a]), o + step).v;
                x = x + (gy_flux(g, args.scale, a, beside(a, cell, 1)) -
                         gy_flux(g, args.scale, a, cell));
                squares = squares + 0.5 * (from * from + to * to);
            }
            x = max(x, 0.0);
            precise float own = squares * (x * (1.0 + x));
            sum += double(own);
        }
    }
    gy_piece_put(at(args.base, args.partial), 0, gy_piece_sum(sum));
    for (int q = 1; q < 4; q++) {
        gy_piece_put(at(args.base, args.partial), q, 0.0lf);
    }
}
