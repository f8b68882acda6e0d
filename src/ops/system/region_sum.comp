#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/region_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/row/pieces.glsl"

// region_sum: a workgroup per part at a time, however many there are: the sum of a vector over the
// part's cells.
void main()
{
    gy_level l = Level(at(args.base, args.level)).v;
    uint64_t x = at(args.base, args.vector != 0 ? args.vector : l.x);
    int first_place = -(LEVEL_PAD + l.sy + l.sz);
    for (int p = low.x + int(gl_WorkGroupID.x); p < high.x; p += int(gl_NumWorkGroups.x)) {
        RegionPart part = region_part(args.parts, p);
        double sum = 0.0;
        for (uint q = gl_LocalInvocationIndex; q < part.count; q += uint(COLUMNS_AT_ONCE * ROWS_AT_ONCE)) {
            int cell = int(uints(args.cells, int(part.first + q)).v);
            sum += double(floats(x, first_place + cell).v);
        }
        sum = gy_piece_sum(sum);
        if (gl_LocalInvocationIndex == 0u) {
            part.sum = sum;
        }
    }
}
