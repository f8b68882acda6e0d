#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint level;
    uint coarse;
    int axis;
    float factor[4];
    float inner, held;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// coarsen: CELLS: coefficients across one axis of a coarse level; see ops/system/coarsen.c.
#include "ops/row/cells.glsl"

gy_grid_level f, c;

/// The fine cells of a coarse one: the first, and one past the last.
void fine_cells(ivec3 coarse, out ivec3 first, out ivec3 end)
{
    for (int a = 0; a < 3; a++) {
        int step = f.l.n[a] > 1 ? 2 : 1;
        first[a] = coarse[a] * step;
        end[a] = coarse[a] >= c.l.n[a] - 1 ? f.l.n[a] : first[a] + step;
    }
}

float face_sum(ivec3 coarse)
{
    ivec3 first, end, unit = ivec3(0);
    int axis = args.axis;
    bool top = coarse[axis] == c.l.n[axis], both = top && args.held > 0.0;
    fine_cells(coarse, first, end);
    first[axis] = top ? f.l.n[axis] - int(both) : first[axis];
    end[axis] = first[axis] + 1;
    unit[axis] = 1;
    precise float sum = 0.0;
    for (int k = first.z; k < end.z; k++) {
        for (int j = first.y; j < end.y; j++) {
            for (int i = first.x; i < end.x; i++) {
                precise float q = open_at(f, axis, cell_at(f.l, i, j, k));
                if (both) {
                    int place = cell_at(f.l, i + unit.x, j + unit.y, k + unit.z);
                    precise float outer = args.held * open_at(f, axis, place);
                    q = args.inner * q;
                    q = min(q, outer);
                }
                sum += q;
            }
        }
    }
    return sum;
}

bool any_pinned(ivec3 coarse)
{
    ivec3 first, end;
    fine_cells(coarse, first, end);
    for (int k = first.z; k < end.z; k++) {
        for (int j = first.y; j < end.y; j++) {
            for (int i = first.x; i < end.x; i++) {
                if (gy_pinned(f, cell_at(f.l, i, j, k))) {
                    return true;
                }
            }
        }
    }
    return false;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    f = gy_grid_level_at(args.base, args.level);
    c = gy_grid_level_at(args.base, args.coarse);
    int p = cell[args.axis], n = c.l.n[args.axis], place = cell_at(c.l, cell.x, cell.y, cell.z);
    int which = p == n ? 3 : p == 0 ? 1 : p == n - 1 ? 2 : 0;
    precise float q = face_sum(cell) * args.factor[which] + 0.5;
    shorts(c.open[args.axis], place).v = uint16_t(uint(min(q, 65535.0)));
    if (args.axis == 0 && c.pin != 0ul && cell.x < c.l.n[0]) {
        shorts(c.pin, place).v = any_pinned(cell) ? 1us : 0us;
    }
}
