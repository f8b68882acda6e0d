// flux.glsl: gas/ops/flux.h for twins: the volume that passes a face in a substep, in cells. The twin's
// args have wind, level, extent, periodic, open_sides and given.
#include "gas/ops/fluid.glsl"

/// The number of cells along an axis. (lavapipe of LLVM 15 gives the first one where a vector of
/// push constants is indexed by a variable.)
int cells_along(int axis)
{
    ivec3 n = args.extent.n;
    return axis == 0 ? n.x : axis == 1 ? n.y : n.z;
}

bool wraps(int axis)
{
    return (args.periodic >> axis & 1u) != 0u;
}

/// Whether a face across `axis`, the low one of a cell that may be one beyond the last, lies on a
/// side that is not joined to the other.
bool on_side(int axis, ivec3 cell)
{
    return !wraps(axis) && (cell[axis] == 0 || cell[axis] == cells_along(axis));
}

/// Whether that face lets anything through, as far as solids go.
bool gy_open(gy_grid_level g, int axis, ivec3 cell)
{
    return args.level == 0u || gy_coefficient(g, axis, cell.x, cell.y, cell.z).v != 0us;
}

float gy_flux(gy_grid_level g, float scale, int axis, ivec3 cell)
{
    gy_extent e = args.extent;
    int n = cells_along(axis);
    cell[axis] = wraps(axis) && cell[axis] == n ? 0 : cell[axis];
    precise float own = scale;
    bool given = false;
    if (on_side(axis, cell)) {
        if ((args.open_sides >> (2 * axis + int(cell[axis] == n)) & 1u) == 0u) {
            return 0.0;
        }
        // A window in such a side has its openness.
        given = (args.level == 0u || !gy_open(g, axis, cell)) && (args.given >> (2 * axis + int(cell[axis] == n)) & 1u) != 0u;
        own = args.level != 0u && !given ? 0.5 * scale : scale;
    }
    precise float u =
        floats(at(args.base, args.wind[axis]), cell.x + cell.y * e.sy + cell.z * e.sz).v;
    if (args.level != 0u && !given) {
        u = u * (float(gy_coefficient(g, axis, cell.x, cell.y, cell.z).v) * (1.0 / UNIT));
    }
    u = u * own;
    return u;
}

ivec3 beside(int axis, ivec3 cell, int step)
{
    cell[axis] += step;
    return cell;
}
