// halo.comp: the twin of halo in ops/row/halo.c. An invocation has both ends of one line of samples;
// along x, where more than one lies beyond an end, some samples of one row.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint fields;
    int first, rows;
    int predicted;
    int axis;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "ops/row/ends.glsl"

#include "ops/row/cells.glsl"

/// Two ends of one line of n samples `step` apart, from o on.
void ends(gy_samples field, gy_edge edge, int o, int n, int step)
{
    float first = sample_at(field, o), last = sample_at(field, o + (n - 1) * step);
    if (edge.rule[0] == EDGE_WRAP) {
        set_sample(field, o - step, last);
        set_sample(field, o + n * step, first);
        return;
    }
    set_sample(field, o - step, gy_beyond(edge, 0, first));
    if (edge.rule[0] == EDGE_FACE) {
        set_sample(field, o, edge.value[0]);
        // Of a single sample the upper end takes what the lower one has become.
        last = n == 1 ? edge.value[0] : last;
    }
    if (edge.rule[1] == EDGE_FACE || edge.samples == n) {
        set_sample(field, o + n * step, gy_beyond(edge, 1, last));
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
    gy_samples field =
        samples_at(args.base, args.predicted != 0 ? f.v.predicted : f.v.now, f.v.halves);
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
