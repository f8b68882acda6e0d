// rain.comp: the twin of rain in gas/ops/rain.c: an invocation for each column.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint rain;
    uint levels, level;
    uint partial;
    gy_extent extent;
    int axis;
    float pace;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/sample.glsl"
#include "gas/ops/steam.glsl"

float of_level(int k, int what)
{
    return floats(at(args.base, args.levels), (k + 1) * LEVEL_FLOATS + what).v;
}

void main()
{
    gy_extent e = args.extent;
    gy_piece p = gy_piece_own();
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    int n = args.axis == 1 ? e.n.y : e.n.z;
    double down = 0.0lf;
    for (int row = int(gl_LocalInvocationID.y); row < p.rows; row += ROWS_AT_ONCE) {
        int q = gy_piece_row(p, row).x;
        for (int i = int(gl_LocalInvocationID.x); i < e.n.x; i += COLUMNS_AT_ONCE) {
            precise float falls = 0.0;
            for (int up = n - 1; up >= 0; up--) {
                int j = args.axis == 1 ? up : q, k = args.axis == 1 ? q : up;
                bool plain = args.level == 0u || gy_uniform(g, i >> 1, j, k);
                if (!plain && !gy_level_fluid(g, i, j, k)) {
                    // What stands there lets nothing through: it has come down above.
                    precise float opens =
                        up == 0 ? 0.0
                                : float(gy_coefficient(g, args.axis, i, j, k).v) * (1.0 / UNIT);
                    precise float on = falls * min(opens, 1.0);
                    down += double(falls - on);
                    falls = on;
                    continue;
                }
                int o = i + j * e.sy + k * e.sz;
                precise float all = floats(at(args.base, args.rain), o).v + falls;
                precise float weight = 1e-3 * of_level(up, LEVEL_WEIGHT);
                precise float by = (36.34 * of_level(up, LEVEL_FALL) * args.pace) *
                                   steam_power(weight * max(all, 0.0), 0.1346);
                precise float stays = all > 0.0 ? gy_flush(all / (1.0 + by)) : all;
                precise float goes = all - stays;
                precise float open =
                    up == 0 ? 0.0
                    : plain ? 1.0
                            : min(float(gy_coefficient(g, args.axis, i, j, k).v) * (1.0 / UNIT), 1.0);
                precise float on = goes * open;
                floats(at(args.base, args.rain), o).v = stays;
                down += double(goes - on);
                falls = on;
            }
        }
    }
    gy_piece_put(at(args.base, args.partial), 0, gy_piece_sum(down));
    for (int q = 1; q < 4; q++) {
        gy_piece_put(at(args.base, args.partial), q, 0.0lf);
    }
}
