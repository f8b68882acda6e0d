// measure.comp: the twin of measure in gas/ops/measure.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field;
    uint level;
    uint partial;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "ops/row/pieces.glsl"

void main()
{
    gy_extent e = args.extent;
    gy_piece piece = gy_piece_own();
    gy_samples field = samples_at(args.base, args.field, e.halves);
    uint64_t partial = at(args.base, args.partial);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    precise double sum = 0.0, squares = 0.0;
    float most = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < piece.rows; q += ROWS_AT_ONCE) {
        ivec2 place = gy_piece_row(piece, q);
        int row = place.x * e.sy + place.y * e.sz;
        for (int i = int(gl_LocalInvocationID.x); i < e.n[0]; i += COLUMNS_AT_ONCE) {
            if (gy_uniform(g, i >> 1, place.x, place.y) ||
                gy_level_fluid(g, i, place.x, place.y)) {
                float x = sample_at(field, row + i);
                sum += double(x);
                squares += double(x) * double(x);
                most = max(most, abs(x));
            }
        }
    }
    gy_piece_put(partial, 0, gy_piece_sum(sum));
    gy_piece_put(partial, 1, gy_piece_sum(squares));
    gy_piece_put(partial, 2, gy_piece_max(double(most)));
}
