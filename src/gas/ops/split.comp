#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "gas/ops/split_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/open_ends.glsl"

// split: GROUPS: a field into x and, times scale, into b; or, between two solves, what the second
// starts from into b alone. See gas/ops/diffuse.c.
#include "ops/row/cells.glsl"

/// What walls with a velocity of their own add to the right-hand side of a cell.
float wall_terms(gy_grid_level g, ivec3 cell)
{
    precise float sum = 0.0;
    for (int side = 0; side < 2 * g.l.dim; side++) {
        int axis = side / 2;
        if (cell[axis] == (side % 2 != 0 ? g.l.n[axis] - 1 : 0) && args.wall[side] != 0.0) {
            ivec3 face = cell;
            face[axis] += side % 2;
            float a = open_at(g, axis, cell_at(g.l, face.x, face.y, face.z));
            sum += a * (1.0 / UNIT) * g.l.scale[axis] * args.wall[side];
        }
    }
    return sum;
}

/// A face on an open side, a step from this one, goes with it: see gas/ops/diffuse.c.
void move_end(gy_samples field, int end, float next)
{
    float q = sample_at(field, end);
    float x = end_moved(q, next);
    set_sample(field, end, abs(x) < 1e-30 ? 0.0 : x);
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    if (cell.x >= 2 * GROUP * g.groups || cell.y >= high.y) {
        return;
    }
    int place = cell_at(g.l, cell.x, cell.y, cell.z);
    precise float q = 0.0, b = 0.0;
    if (cell.x < args.extent.n[0] && !gy_pinned(g, place)) {
        gy_extent e = args.extent;
        gy_samples field = samples_at(args.base, args.field, e.halves);
        int own = cell.x + cell.y * e.sy + cell.z * e.sz, axis = args.axis;
        q = sample_at(field, own);
        b = q;
        if (args.blend != 0.0) {
            float x = x_at(g, place);
            int step = axis == 0 ? 1 : axis == 1 ? e.sy : e.sz;
            b = q + args.blend * (x - q);
            if ((args.ends & 1u) != 0 && cell[axis] == 1 && !gy_lid(g, cell, 0)) {
                move_end(field, own - step, x);
            }
            if ((args.ends & 2u) != 0 && cell[axis] == e.n[axis] - 1 && !gy_lid(g, cell, 1)) {
                move_end(field, own + step, x);
            }
        }
        b = b * args.scale + wall_terms(g, cell);
    }
    if (args.blend == 0.0) {
        floats(g.x, place).v = q;
    }
    floats(g.b, place).v = b;
}
