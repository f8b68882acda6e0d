#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint level;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// flags: CELLS, where x counts groups of slots: marks those that need no coefficients.
#include "ops/row/cells.glsl"

bool whole(gy_grid_level g, int axis, int i, int j, int k)
{
    return gy_coefficient(g, axis, i, j, k).v == 16384us;
}

bool group_uniform(gy_grid_level g, int group, int j, int k)
{
    int first = group * 2 * GROUP, end = first + 2 * GROUP;
    if (end > g.l.n[0]) {
        return false;
    }
    for (int i = first; i < end; i++) {
        bool same = whole(g, 0, i, j, k) && whole(g, 0, i + 1, j, k) && whole(g, 1, i, j, k) &&
                    whole(g, 1, i, j + 1, k);
        if (g.l.dim == 3) {
            same = same && whole(g, 2, i, j, k) && whole(g, 2, i, j, k + 1);
        }
        if (!same || gy_pinned(g, cell_at(g.l, i, j, k))) {
            return false;
        }
    }
    return true;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    if (cell.x < g.groups && cell.y < high.y) {
        bytes(g.flags, (cell.z * g.l.n[1] + cell.y) * g.groups + cell.x).v =
            group_uniform(g, cell.x, cell.y, cell.z) ? uint8_t(1) : uint8_t(0);
    }
}
