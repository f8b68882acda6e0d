// share.comp: the twin of share in gas/ops/share.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint wind[3];
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

float share_of(gy_grid_level g, ivec3 cell)
{
    int dim = args.extent.dim;
    precise float gives[3], net[3];
    for (int a = 0; a < 3; a++) {
        gives[a] = net[a] = 0.0;
        if (a < dim) {
            float low = gy_flux(g, args.scale, a, cell);
            float high = gy_flux(g, args.scale, a, beside(a, cell, 1));
            gives[a] = max(high, 0.0) + max(-low, 0.0);
            net[a] = high - low;
        }
    }
    bool deep = dim == 3;
    precise float up = net[0], down = deep ? net[2] : net[1], most = max(gives[0], gives[1]);
    most = max(most, gives[2]);
    most = max(most, gives[1] + up);
    most = max(most, (deep ? gives[1] : gives[0]) + down);
    if (deep) {
        up += net[1];
        down += net[1];
        most = max(most, max(gives[2] + up, gives[0] + down));
    }
    return most;
}

void main()
{
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    gy_piece p = gy_piece_own();
    float most = 0.0;
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(p, q);
        for (int i = int(gl_LocalInvocationID.x); i < args.extent.n[0]; i += COLUMNS_AT_ONCE) {
            most = max(most, share_of(g, ivec3(i, row)));
        }
    }
    gy_piece_put(at(args.base, args.partial), 0, gy_piece_max(double(most)));
}
