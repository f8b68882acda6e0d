// halo.comp: the twin of halo in ops/halo.c. Axis 0: the box is of rows, a workgroup takes four;
// axis 1: of planes, one; axis 2: of rows again, each of all planes.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint field;
    int axis;
    gy_extent extent;
    gy_edge edge;
};
#include "push.glsl"
#include "ends.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

/// Two ends of one line of n samples `step` apart, from o on.
void ends(uint64_t field, int o, int n, int step)
{
    gy_edge edge = args.edge;
    float first = floats(field, o).v, last = floats(field, o + (n - 1) * step).v;
    if (edge.rule[0] == EDGE_WRAP) {
        floats(field, o - step).v = last;
        floats(field, o + n * step).v = first;
        return;
    }
    floats(field, o - step).v = gy_beyond(edge, 0, first);
    if (edge.rule[0] == EDGE_FACE) {
        floats(field, o).v = edge.value[0];
        // Of a single sample the upper end takes what the lower one has become.
        last = n == 1 ? edge.value[0] : last;
    }
    if (edge.rule[1] == EDGE_FACE || edge.samples == n) {
        floats(field, o + n * step).v = gy_beyond(edge, 1, last);
    }
}

void main()
{
    gy_extent e = args.extent;
    uint64_t field = at(args.base, args.field);
    int j = low.y + int(gl_GlobalInvocationID.y), k = low.z + int(gl_GlobalInvocationID.z);
    if (args.axis == 1) {
        for (int i = int(gl_LocalInvocationIndex); i < e.sy; i += 256) {
            ends(field, k * e.sz - PAD / 2 + i, e.n[1], e.sy);
        }
        return;
    }
    if (j >= high.y) {
        return;
    }
    int x = int(gl_LocalInvocationID.x);
    if (args.axis == 0) {
        gy_edge edge = args.edge;
        for (int q = x; q < gy_row_beyond(e.n[0], edge); q += 64) {
            gy_row_finish_part(field, j * e.sy + k * e.sz, e.n[0], edge, q);
        }
        return;
    }
    for (int i = x; i < e.sy; i += 64) {
        ends(field, (j - 1) * e.sy - PAD / 2 + i, e.n[2], e.sz);
    }
}
