// displace.comp: the twin of displace in gas/ops/displace.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field[3], back[3], velocity[3];
    int axis[3];
    int count;
    uint sides;
    float scale, h;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "gas/ops/sample.glsl"

#include "ops/row/cells.glsl"

/// A path, with what a side adds to it.
float whole_path(ivec3 cell, int axis, uint velocity, float path)
{
    gy_extent e = args.extent;
    for (int end = 0; end < 2; end++) {
        if ((args.sides >> (2 * axis + end) & 1u) == 0) {
            continue;
        }
        ivec3 face = cell;
        face[axis] = end != 0 ? e.n[axis] : 0;
        int o = face.x + face.y * e.sy + face.z * e.sz;
        precise float far = sample_at(float_samples(args.base, velocity), o) * -args.scale;
        precise float place = float(cell[axis]) + far;
        bool leaves = end != 0 ? place > float(e.n[axis] - 1) && far > path
                               : place < 0.0 && far < path;
        path = leaves ? far : path;
    }
    return path;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    gy_extent e = args.extent;
    int o = cell.x + cell.y * e.sy + cell.z * e.sz;
    for (int q = 0; q < 3; q++) {
        if (q == args.count) {
            break;
        }
        gy_samples d = float_samples(args.base, args.field[q]);
        float path = sample_at(float_samples(args.base, args.back[q]), o);
        precise float further = args.h * whole_path(cell, args.axis[q], args.velocity[q], path);
        precise float sum = sample_at(d, o) + further;
        set_sample(d, o, gy_flush(sum));
    }
}
