#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
#include "ops/system/relax_args.glsl"
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "ops/system/transfer.glsl"

// interpolate: SLOTS: the way up in full multigrid; see interpolate_row in ops/system/relax.c.
#include "ops/row/cells.glsl"

const float QUARTER = 0.25 / UNIT;
gy_grid_level f, c;

/// Whether a fine cell lies below (-1) or above (1) the middle of its coarse one along an axis, or
/// is the last and alone (0).
int way_of(int axis, int i)
{
    int n = f.l.n[axis];
    bool middle = n == 1 || (i == n - 1 && n % 2 != 0);
    return middle ? 0 : (i & 1) != 0 ? 1 : -1;
}

/// A coarse unknown, a quarter of the way to the next plane.
float along_z(ivec3 at, int way)
{
    precise float x = x_at(c, cell_at(c.l, at.x, at.y, at.z));
    if (c.l.dim == 3 && way != 0) {
        float a = open_at(c, 2, cell_at(c.l, at.x, at.y, way > 0 ? at.z + 1 : at.z));
        x += QUARTER * a * (x_at(c, cell_at(c.l, at.x, at.y, at.z + way)) - x);
    }
    return x;
}

/// And from there to the next row.
float along_y(ivec3 at, ivec2 way)
{
    precise float x = along_z(at, way.y), y = 0.0;
    if (way.x == 0) {
        return x;
    }
    int n = c.l.n[1], next = at.y + way.x;
    bool round = (c.l.periodic & 2u) != 0;
    if ((next >= 0 && next < n) || round) {
        y = along_z(ivec3(at.x, (next + n) % n, at.z), way.y);
    }
    float a = open_at(c, 1, cell_at(c.l, at.x, way.x > 0 ? at.y + 1 : at.y, at.z));
    x += QUARTER * a * (y - x);
    return x;
}

/// And along x.
float along_x(ivec3 at, int up, ivec2 way)
{
    int n = c.l.n[0], next = at.x + (up != 0 ? 1 : -1);
    bool round = (c.l.periodic & 1u) != 0;
    precise float x = along_y(at, way), y = 0.0;
    if ((next >= 0 && next < n) || round) {
        y = along_y(ivec3((next + n) % n, at.y, at.z), way);
    }
    x += QUARTER * open_at(c, 0, cell_at(c.l, at.x + up, at.y, at.z)) * (y - x);
    return x;
}

void interpolate_slot(int colour, int i, int j, int k)
{
    gy_colour_row r = gy_colour_row_at(f, colour, j, k);
    if (!gy_live(f, r, i)) {
        return;
    }
    ivec3 at = ivec3(i, min(j / step_of(f.l, 1), c.l.n[1] - 1),
                     min(k / step_of(f.l, 2), c.l.n[2] - 1));
    ivec2 way = ivec2(way_of(1, j), way_of(2, k));
    precise float add, weight = part(f.l, 1, j) * part(f.l, 2, k), x;
    int n = f.l.n[0];
    if (n % 2 != 0 && 2 * i + r.e == n - 1) {
        at.x = alone(f.l, 0) ? i - 1 : i;
        add = part(f.l, 0, n - 1) * along_y(at, way);
    } else {
        add = along_x(at, r.e, way);
    }
    x = x_at(f, r.o + i) + weight * add;
    floats(f.x, r.o + i).v = x;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    f = gy_grid_level_at(args.base, args.level);
    c = gy_grid_level_at(args.base, args.coarse);
    if (cell.x < f.groups * GROUP && cell.y < high.y) {
        for (int colour = gy_has_seam(f.l) ? 0 : 1; colour < 2; colour++) {
            interpolate_slot(colour, cell.x, cell.y, cell.z);
        }
    }
}
