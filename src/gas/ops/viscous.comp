#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args
{
    uint64_t base;
    uint pressure;
    uint level;
    int axis;
    uint stick;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"

// viscous: CELLS: coefficients of the system for one velocity component on its faces; see
// gas/ops/diffuse.c.
#include "ops/row/cells.glsl"

gy_grid_level p;

bool periodic_along(int axis)
{
    return (p.l.periodic >> axis & 1u) != 0;
}

/// Whether a face of the component lets gas through.
bool open(ivec3 cell)
{
    return gy_coefficient(p, args.axis, cell.x, cell.y, cell.z).v != 0us;
}

/// Whether it is an unknown: those on open sides are not.
bool live(ivec3 cell)
{
    bool side = cell[args.axis] == 0 && !periodic_along(args.axis);
    return !side && open(cell);
}

/// Whether a sheet lies between faces of the component at a cell and at the one below it along
/// another axis: it shuts what joins the cells on either side of them.
bool is_apart(int axis, ivec3 cell)
{
    ivec3 below = cell;
    below[args.axis] = cell[args.axis] > 0 ? cell[args.axis] - 1 : p.l.n[args.axis] - 1;
    return gy_coefficient(p, axis, cell.x, cell.y, cell.z).v == 0us &&
           gy_coefficient(p, axis, below.x, below.y, below.z).v == 0us;
}

/// That of a component at a side with windows, see gas/ops/diffuse.c.
float beside_windows(int axis, ivec3 face)
{
    ivec3 before = face;
    before[args.axis] = face[args.axis] > 0 ? face[args.axis] - 1 : p.l.n[args.axis] - 1;
    return (gy_coefficient(p, axis, face.x, face.y, face.z).v == 0us ? 1.0 : 0.0) +
           (gy_coefficient(p, axis, before.x, before.y, before.z).v == 0us ? 1.0 : 0.0);
}

/// The coefficient between a component's samples at cell and one below along axis.
float viscous_coefficient(int axis, ivec3 cell)
{
    int n = p.l.n[axis];
    ivec3 here = cell, below = cell;
    bool first = cell[axis] == 0, last = cell[axis] == n;
    below[axis]--;
    if ((first || last) && !periodic_along(axis)) {
        uint side = 1u << (2 * axis + int(last));
        if (axis != args.axis) {
            bool sticks = (args.stick & side) != 0 && live(first ? here : below);
            bool windows = (args.stick >> 8 & side) != 0;
            return !sticks ? 0.0 : windows ? beside_windows(axis, here) : 2.0;
        }
        // A shut boundary face itself has a given value; below the lower one there is nothing.
        return last && !open(here) && live(below) ? 1.0 : 0.0;
    }
    here[axis] = last ? 0 : here[axis];
    below[axis] = first ? n - 1 : below[axis];
    bool live_here = live(here), live_below = live(below);
    if (live_here == live_below) {
        bool sheets = (args.stick & 128u) != 0 && axis != args.axis;
        return live_here && !(sheets && is_apart(axis, here)) ? 1.0 : 0.0;
    }
    if (axis == args.axis) {
        return open(live_here ? below : here) ? 0.0 : 1.0;
    }
    return (args.stick & 64u) != 0 ? 2.0 : 0.0;
}

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    p = gy_grid_level_at(args.base, args.pressure);
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    int beyond = 0, place = cell_at(g.l, cell.x, cell.y, cell.z);
    for (int a = 0; a < 3; a++) {
        beyond += int(cell[a] == g.l.n[a]);
    }
    for (int axis = 0; axis < g.l.dim; axis++) {
        if (beyond == 0 || (beyond == 1 && cell[axis] == g.l.n[axis])) {
            shorts(g.open[axis], place).v =
                uint16_t(uint(viscous_coefficient(axis, cell) * UNIT));
        }
    }
    if (beyond == 0) {
        shorts(g.pin, place).v = live(cell) ? 0us : 1us;
    }
}
