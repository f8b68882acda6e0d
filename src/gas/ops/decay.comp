// decay.comp: the twin of decay in gas/ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field;
    float factor;
    gy_extent extent;
    uint level;
    uint partial;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/sample.glsl"

void main()
{
    gy_extent e = args.extent;
    gy_piece p = gy_piece_own();
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    gy_samples field = samples_at(args.base, args.field, e.halves);
    float factor = args.factor;
    double won = 0.0lf;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 place = gy_piece_row(p, q);
        // A row with both halos fills its stride.
        int row = place.x * e.sy + place.y * e.sz;
        for (int i = int(gl_LocalInvocationID.x) - PAD / 2; i < e.sy - PAD / 2; i += COLUMNS_AT_ONCE) {
            float x = sample_at(field, row + i);
            precise float y = x * factor;
            set_sample(field, row + i, gy_flush(y));
            bool gas = i >= 0 && i < e.n.x;
            if (gas && args.level != 0u) {
                gas = gy_uniform(g, i >> 1, place.x, place.y) ||
                      gy_level_fluid(g, i, place.x, place.y);
            }
            won += gas ? double(sample_at(field, row + i)) - double(x) : 0.0lf;
        }
    }
    if (args.partial != 0u) {
        gy_piece_put(at(args.base, args.partial), 0, gy_piece_sum(won));
    }
}
