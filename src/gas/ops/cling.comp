// cling.comp: the twin of cling in gas/ops/hush.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t items;
    uint field;
    float factor[4];
};
#include "ops/row/push.glsl"

layout(local_size_x = 256) in;

void main()
{
    int q = low.x + int(gl_GlobalInvocationID.x);
    if (q >= high.x) {
        return;
    }
    int o = ints(args.items, 2 * q).v;
    uint walls = uints(args.items, 2 * q + 1).v;
    Float u = floats(at(args.base, args.field), o);
    u.v = u.v * args.factor[walls - 1u];
}
