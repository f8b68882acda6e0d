// halo.comp: the twin of halo in ops/halo.c. An invocation has both ends of one line of samples;
// along x, where more than one lies beyond an end, some samples of one row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint fields;
    int first, rows;
    int hat;
    int axis;
    gy_extent extent;
};
#include "push.glsl"
#include "ends.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

/// Two ends of one line of n samples `step` apart, from o on.
void ends(uint64_t field, gy_edge edge, int o, int n, int step)
{
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
    ivec3 place = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(place, high))) {
        return;
    }
    gy_extent e = args.extent;
    int axis = args.axis, i = place.x, j = place.y % args.rows, k = place.z;
    Field f = field_at(at(args.base, args.fields), args.first + place.y / args.rows);
    uint64_t field = at(args.base, args.hat != 0 ? f.v.hat : f.v.now);
    gy_edge edge = f.v.edge[axis];
    if (axis == 2) {
        ends(field, edge, (j - 1) * e.sy - PAD / 2 + i, e.n[2], e.sz);
    } else if (k >= f.v.edge[2].samples) {
        return;
    } else if (axis == 1) {
        ends(field, edge, k * e.sz - PAD / 2 + i, e.n[1], e.sy);
    } else if (j < f.v.edge[1].samples) {
        for (int q = i; q < gy_row_beyond(e.n[0], edge); q += 64) {
            gy_row_finish_part(field, j * e.sy + k * e.sz, e.n[0], edge, q);
        }
    }
}
