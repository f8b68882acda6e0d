// press.comp: the twin of press in gas/ops/rim.c: an invocation a face of the side.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint rims;
    int side;
    uint level;
    int axis;
    int next;
    uint periodic;
    gy_extent extent;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/rim.glsl"

#include "ops/row/cells.glsl"

void main()
{
    ivec3 place = low + ivec3(gl_GlobalInvocationID);
    gy_rim_place p = rim_place(args.side);
    bool high_end = (args.side & 1) != 0, across = p.axis == args.axis;
    int n = rim_cells(p.axis), cell = high_end ? n - 1 : int(across);
    if (any(greaterThanEqual(place, high)) || cell >= n || (!across && !p.stick)) {
        return;
    }
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    ivec3 own = p.axis == 0   ? ivec3(cell, place.x, place.y)
                : p.axis == 1 ? ivec3(place.x, cell, place.y)
                              : ivec3(place.x, place.y, cell);
    int o = cell_at(g.l, own.x, own.y, own.z);
    float value;
    if (gy_pinned(g, o) || !rim_sample(p, args.axis, args.next != 0, place.x, place.y, value)) {
        return;
    }
    ivec3 face = own;
    face[p.axis] += int(high_end);
    float open = open_at(g, p.axis, cell_at(g.l, face.x, face.y, face.z));
    precise float b = floats(g.b, o).v;
    b += open * (1.0 / UNIT) * g.l.scale[p.axis] * value;
    floats(g.b, o).v = b;
}
