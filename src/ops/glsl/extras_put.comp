#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "extras_args.glsl"
#include "push.glsl"
#include "level.glsl"
#include "extra.glsl"

// extras_put: ITEMS: what extras_save has kept for them.
layout(local_size_x = 256) in;

void main()
{
    int q = low.x + int(gl_GlobalInvocationID.x);
    if (q < high.x) {
        gy_grid_level f = gy_grid_level_at(args.base, args.level);
        gy_extras_put_move(f, gy_extras_of(f.l), q);
    }
}
