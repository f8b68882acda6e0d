// drift.comp: the twin of gas/ops/drift.c, which adds up rows in floats, this in doubles.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint velocity[3];
    uint partial;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "ops/row/pieces.glsl"

void main()
{
    gy_extent e = args.extent;
    gy_piece piece = gy_piece_own();
    uint64_t partial = at(args.base, args.partial);
    for (int c = 0; c < 3; c++) {
        precise double sum = 0.0lf;
        if (c < e.dim) {
            uint64_t field = at(args.base, args.velocity[c]);
            for (int q = int(gl_LocalInvocationID.y); q < piece.rows; q += ROWS_AT_ONCE) {
                ivec2 place = gy_piece_row(piece, q);
                int row = place.x * e.sy + place.y * e.sz;
                for (int i = int(gl_LocalInvocationID.x); i < e.n[0]; i += COLUMNS_AT_ONCE) {
                    sum += double(floats(field, row + i).v);
                }
            }
        }
        gy_piece_put(partial, c, gy_piece_sum(sum));
    }
}
