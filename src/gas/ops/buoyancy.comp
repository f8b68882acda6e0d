// buoyancy.comp: the twin of buoyancy in gas/ops/force.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint velocity;
    uint temperature;
    uint density;
    uint count;
    gy_extent extent;
    int axis;
    float heat, weight, cap;
    gy_edge edge;
};
#include "ops/row/push.glsl"
#include "ops/row/ends.glsl"
#include "ops/row/pieces.glsl"

/// The velocity with the forces on the sample at o, not cut yet.
float pushed(gy_samples velocity, gy_samples temperature, gy_samples density, int o, int below)
{
    precise float heat = 0.5 * args.heat, weight = 0.5 * args.weight;
    precise float f = heat * (sample_at(temperature, o) + sample_at(temperature, below)) +
                      weight * (sample_at(density, o) + sample_at(density, below));
    precise float u = sample_at(velocity, o) + f;
    return u;
}

void main()
{
    gy_extent e = args.extent;
    gy_edge edge = args.edge;
    gy_piece piece = gy_piece_own();
    gy_samples velocity = float_samples(args.base, args.velocity),
             density = samples_at(args.base, args.density, e.halves),
             temperature = samples_at(args.base, args.temperature, e.halves);
    int n = e.n[0], step = args.axis == 0 ? 1 : args.axis == 1 ? e.sy : e.sz;
    float cap = args.cap;
    uint cuts = 0u;
    for (int q = int(gl_LocalInvocationID.y); q < piece.rows; q += ROWS_AT_ONCE) {
        ivec2 place = gy_piece_row(piece, q);
        int row = place.x * e.sy + place.y * e.sz;
        // A boundary face that the edge gives counts here, too, as it does on the host.
        for (int i = int(gl_LocalInvocationID.x); i < gy_row_end(n, edge); i += COLUMNS_AT_ONCE) {
            float u = pushed(velocity, temperature, density, row + i, row + i - step);
            cuts += uint(i < n && abs(u) > cap);
            gy_put(velocity, row, i, n, edge, min(max(u, -cap), cap));
        }
    }
    double sum = gy_piece_sum(double(cuts));
    if (gl_LocalInvocationIndex == 0u) {
        floats(at(args.base, args.count), int(gl_WorkGroupID.x)).v = float(sum);
    }
}
