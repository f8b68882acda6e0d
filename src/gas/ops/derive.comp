// derive.comp: the twin of gas/ops/derive.c, with the formulas of derived.inc.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint velocity[3];
    uint target;
    uint level;
    gy_extent extent;
    int kind;
    float scale;
    uint64_t links;
};
#include "ops/row/push.glsl"
#include "ops/system/level.glsl"
#include "gas/ops/link.glsl"

#include "ops/row/cells.glsl"

int step_along(int axis)
{
    return axis == 0 ? 1 : axis == 1 ? args.extent.sy : args.extent.sz;
}

float velocity(int axis, int o)
{
    return floats(at(args.base, args.velocity[axis]), o).v;
}

float open_face(gy_grid_level g, int axis, ivec3 face)
{
    precise float q = float(gy_coefficient(g, axis, face.x, face.y, face.z).v) * (1.0 / UNIT);
    // An open side's coefficient is doubled.
    bool low_side = face[axis] == 0 && (g.l.open_sides >> (2 * axis) & 1u) != 0;
    bool high_side =
        face[axis] == g.l.n[axis] && (g.l.open_sides >> (2 * axis + 1) & 1u) != 0;
    return low_side || high_side ? 0.5 * q : q;
}

float outflow_at(ivec3 cell, int o)
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    precise float sum = 0.0;
    for (int a = 0; a < args.extent.dim; a++) {
        ivec3 above = cell;
        above[a]++;
        sum += open_face(g, a, above) * velocity(a, o + step_along(a)) -
               open_face(g, a, cell) * velocity(a, o);
    }
    return sum;
}

float middle_at(int a, int o)
{
    precise float m = 0.5 * (velocity(a, o) + velocity(a, o + step_along(a)));
    return m;
}

float stretch_at(int a, int o)
{
    precise float s = velocity(a, o + step_along(a)) - velocity(a, o);
    return s;
}

bool slides; // near sheets
uint link;   // of the cell

float slope_at(int a, int b, int o)
{
    int own = step_along(a), along = step_along(b);
    precise float lower = velocity(a, o - along) + velocity(a, o - along + own);
    precise float upper = velocity(a, o + along) + velocity(a, o + along + own);
    if (LINKED) {
        precise float beyond = velocity(a, o) + velocity(a, o + own);
        beyond = slides ? beyond : -beyond;
        lower = gy_net_open(link, b, -1) ? lower : beyond;
        upper = gy_net_open(link, b, 1) ? upper : beyond;
    }
    precise float s = 0.25 * (upper - lower);
    return s;
}

float curl_at(int a, int o)
{
    int b = (a + 1) % 3, c = (a + 2) % 3;
    precise float s = slope_at(c, b, o) - slope_at(b, c, o);
    return s;
}

float potential_at(ivec3 cell)
{
    gy_grid_level g = gy_grid_level_at(args.base, args.level);
    return x_at(g, cell_at(g.l, cell.x, cell.y, cell.z));
}

// What formulas say.
#define outflow() outflow_at(cell, o)
#define middle(a) middle_at(a, o)
#define stretch(a) stretch_at(a, o)
#define slope(a, b) slope_at(a, b, o)
#define curl(a) curl_at(a, o)
#define potential() potential_at(cell)
#define plane() (args.extent.dim == 2)
#define root(x) sqrt(x)

void main()
{
    ivec3 cell = low + ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, high))) {
        return;
    }
    int o = cell.x + cell.y * args.extent.sy + cell.z * args.extent.sz, kind = 0;
    precise float x = 0.0;
    if (LINKED) {
        gy_net net = gy_net_make(args.links, args.extent, 0u);
        slides = net.slip;
        link = gy_net_link(net, cell);
    }
#define GY_DERIVED(name, unit, view, role, dims, power, doc, formula)                              \
    if (args.kind == kind++) {                                                                     \
        x = formula;                                                                               \
    }
#include "gas/ops/derived.inc"
    precise float scaled = x * args.scale;
    floats(at(args.base, args.target), o).v = abs(scaled) < 1e-30 ? 0.0 : scaled;
}
