// rim.comp: the twin of rim in gas/ops/rim.c. An invocation has one sample of one field on a side: its
// place along the first axis of the side (across x: y), then the second; the field.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint rims, fields;
    int first, count;
    int predicted;
    int side;
    int turn;
    uint periodic;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "ops/row/ends.glsl"
#include "gas/ops/rim.glsl"

#include "ops/row/cells.glsl"

/// What the fields will have is what they have from here on, at one face; this op reads what they
/// will have.
void turn(gy_rim_place p, int a, int b)
{
    for (int c = 0; c < args.extent.dim && a < p.n.x && b >= 0 && b < p.n.y; c++) {
        floats(p.first, (1 + c) * p.step + a + b * p.n.x).v =
            rim_number(p, 1 + args.extent.dim + c, a, b);
    }
}

/// Row j of plane k of a field along a side across x.
void rim_x(gy_rim_place p, int c, gy_samples field, int row, int j, int k)
{
    int n = args.extent.n.x;
    bool high_end = (p.side & 1) != 0;
    float value;
    if (j >= p.n.x || !rim_held(p, c, args.turn != 0, j, k, value)) {
        return;
    }
    precise float beyond = value;
    if (c != 0) {
        beyond = 2.0 * value - sample_at(field, row + (high_end ? n - 1 : 0));
    } else if (!high_end) {
        set_sample(field, row, value);
    }
    int end = (n + LANES - 1) / LANES * LANES + PAD / 2;
    for (int i = high_end ? n : -PAD / 2; i < (high_end ? end : 0); i++) {
        set_sample(field, row + i, beyond);
    }
}

/// Sample i of a row of a field on a side across y or z, at b along the other axis; the ends of the
/// row are made anew by its first and its last samples, whether they are given or not.
void rim_row(gy_rim_place p, int c, gy_samples field, gy_edge edge, int i, int b)
{
    gy_extent e = args.extent;
    int step = p.axis == 1 ? e.sy : e.sz, n = e.n.x;
    int o = e.dim == 3 ? b * (p.axis == 1 ? e.sz : e.sy) : 0;
    bool high_end = (p.side & 1) != 0;
    int on = o + rim_cells(p.axis) * (high_end ? step : 0);
    int beyond = high_end ? on : on - step, nearest = high_end ? on - step : on;
    float value;
    bool given = i < n && rim_held(p, c, args.turn != 0, i, b, value);
    if (i >= max(n, gy_row_end(n, edge))) {
        return;
    }
    precise float x = sample_at(field, beyond + i);
    if (given) {
        x = value;
        if (c != p.axis) {
            x = 2.0 * value - sample_at(field, nearest + i);
        }
    }
    gy_put(field, beyond, i, n, edge, x);
    if (c == p.axis && on != beyond) {
        gy_put(field, on, i, n, edge, given ? value : sample_at(field, on + i));
    }
}

void main()
{
    ivec3 place = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(place, high))) {
        return;
    }
    gy_rim_place p = rim_place(args.side);
    int a = place.x, b = place.y - int(p.axis == 2);
    if (args.turn != 0 && place.z == 0) {
        turn(p, a, b);
    }
    Field f = field_at(at(args.base, args.fields), args.first + place.z);
    int c = f.v.location - FACE_X;
    if (c < 0 || c >= args.extent.dim || (c != p.axis && !p.stick)) {
        return;
    }
    gy_samples field = float_samples(args.base, args.predicted != 0 ? f.v.predicted : f.v.now);
    if (p.axis == 0) {
        rim_x(p, c, field, a * args.extent.sy + b * args.extent.sz, a, b);
    } else {
        rim_row(p, c, field, f.v.edge[0], a, b);
    }
}
