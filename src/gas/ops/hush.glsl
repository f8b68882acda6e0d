// hush.glsl: what the twins of hear and hush share.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t part;
    uint64_t loud;
    uint level;
    uint low;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

/// Which of those that hang together a cell is of; -1: it holds no gas.
int part_of(gy_grid_level g, ivec3 cell)
{
    return ints(args.part, (cell.z * g.l.n[1] + cell.y) * g.l.n[0] + cell.x).v;
}
