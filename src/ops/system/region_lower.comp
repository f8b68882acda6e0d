#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/region_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// region_lower: a workgroup per part at a time, however many there are: takes the part's amount
// off.
layout(local_size_x = 256) in;

void main()
{
    gy_level l = Level(at(args.base, args.level)).v;
    uint64_t x = at(args.base, args.vector != 0 ? args.vector : l.x);
    int first_place = -(LEVEL_PAD + l.sy + l.sz);
    for (int p = low.x + int(gl_WorkGroupID.x); p < high.x; p += int(gl_NumWorkGroups.x)) {
        RegionPart part = region_part(args.parts, p);
        for (uint q = gl_LocalInvocationIndex; q < part.count; q += 256u) {
            int cell = int(uints(args.cells, int(part.first + q)).v);
            precise float lowered = floats(x, first_place + cell).v - part.amount;
            floats(x, first_place + cell).v = lowered;
        }
    }
}
