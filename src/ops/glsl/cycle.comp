#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "relax_args.glsl"
#include "push.glsl"
#include "level.glsl"
#include "transfer.glsl"

// cycle: ALONE: the rest of a cycle from one level down; see cycle in ops/relax.c. One workgroup
// goes over a level's slots, 1024 at once, and meets after each step. It does not know unknowns
// beside those of the grid (ops/extra.h): without them a K-cycle is a V-cycle from x = 0.
layout(local_size_x = 1024) in;

const int AT_ONCE = 1024;
const int SHAPE_V = 0, SHAPE_F = 2, SHAPE_K = 3; // gy_relax_args.shape
const int LEVEL_STEP = 2;

gy_grid_level f, c; // the level that the cycle stands on, and the next coarser one

int own()
{
    return int(gl_LocalInvocationIndex);
}

/// What one invocation has written all see.
void meet()
{
    memoryBarrierBuffer();
    barrier();
}

void wrap_axis(int axis)
{
    int width = f.groups * GROUP;
    for (int q = own(); q < width * f.l.n[3 - axis]; q += AT_ONCE) {
        gy_wrap_slot(f, axis, q / width, q % width);
    }
    meet();
}

void wrap_all()
{
    ivec3 n = ivec3(f.l.n[0], f.l.n[1], f.l.n[2]);
    if ((f.l.periodic & 1u) != 0 && n.x % 2 != 0) {
        for (int row = own(); row < n.y * n.z; row += AT_ONCE) {
            gy_row_wrap(f, row % n.y, row / n.y);
        }
        meet();
    }
    if ((f.l.periodic & 2u) != 0) {
        wrap_axis(1);
    }
    if (f.l.dim == 3 && (f.l.periodic & 4u) != 0) {
        wrap_axis(2);
    }
}

void relax_place(int colour, int kind, float omega, int q)
{
    int width = f.groups * GROUP, row = q / width;
    gy_colour_row r = gy_colour_row_at(f, colour, row % f.l.n[1], row / f.l.n[1]);
    gy_relax_slot(f, r, kind, omega, q % width);
}

/// Most levels need no loop: lavapipe ends an invocation's loops after 65536 rounds in all.
void relax_all(int colour, int kind, float omega)
{
    int count = f.groups * GROUP * f.l.n[1] * f.l.n[2];
    if (own() < count) {
        relax_place(colour, kind, omega, own());
    }
    for (int q = own() + AT_ONCE; q < count; q += AT_ONCE) {
        relax_place(colour, kind, omega, q);
    }
    meet();
    wrap_all();
}

/// sweep_all and, with `back`, sweep_back; see gy_cycle_omega.
void sweep(int sweeps, bool zero, bool back)
{
    float over = f.l.dim == 3 ? 1.07 : 1.25;
    for (int half_sweep = 0; half_sweep < 2 * sweeps; half_sweep++) {
        bool first = half_sweep == 0, last = half_sweep + 1 == 2 * sweeps;
        bool from_zero = zero && !back;
        bool plain = first || last || (from_zero && half_sweep == 1);
        int kind = first && from_zero ? RELAX_FIRST : plain ? RELAX : RELAX_OVER;
        relax_all((half_sweep + int(back)) & 1, kind, first || last ? 1.0 : over);
    }
}

/// gy_coarse_sweeps.
int coarse_sweeps()
{
    bool odd = false;
    for (int a = 0; a < 3; a++) {
        odd = odd || (f.l.n[a] > 1 && f.l.n[a] % 2 != 0);
    }
    return gy_line_of(f.l) >= 0 ? 3 * args.sweeps : odd ? args.sweeps + 1 : args.sweeps;
}

void restrict_all()
{
    bool both = gy_has_seam(f.l);
    int width = c.groups * 2 * GROUP;
    for (int q = own(); q < width * c.l.n[1] * c.l.n[2]; q += AT_ONCE) {
        int row = q / width;
        restrict_cell(f, c, both, q % width, row % c.l.n[1], row / c.l.n[1]);
    }
    meet();
}

void prolong_all()
{
    int line = gy_line_of(c.l);
    bool seam = gy_has_seam(f.l);
    int width = f.groups * GROUP;
    for (int q = own(); q < width * f.l.n[1] * f.l.n[2]; q += AT_ONCE) {
        int row = q / width, j = row % f.l.n[1], k = row / f.l.n[1];
        prolong_slot(f, c, line, 0, q % width, j, k);
        if (seam) {
            prolong_slot(f, c, line, 1, q % width, j, k);
        }
    }
    meet();
    wrap_all();
}

void stand_on(int depth)
{
    f = gy_grid_level_at(args.base, args.level + depth * LEVEL_STEP);
    if (depth + 1 < args.levels) {
        c = gy_grid_level_at(args.base, args.level + (depth + 1) * LEVEL_STEP);
    }
}

void main()
{
    int depth = 0, shape = args.shape == SHAPE_K ? SHAPE_V : args.shape;
    bool zero = args.zero != 0 || args.shape == SHAPE_K, up = false;
    uint shapes = 0u; // two bits per depth
    uint again = 0u;  // bit per depth: it has been below a second time
    for (;;) {
        bool coarsest = depth + 1 == args.levels;
        stand_on(depth);
        if (up && !coarsest) {
            prolong_all();
        }
        sweep(coarsest ? args.sweeps : coarse_sweeps(), zero, up);
        if (!up) {
            shapes = bitfieldInsert(shapes, uint(shape), 2 * depth, 2);
            up = coarsest;
            if (!coarsest) {
                restrict_all();
                again &= ~(1u << depth);
                zero = true;
                depth++;
            }
            continue;
        }
        if (depth == 0) {
            return;
        }
        depth--;
        shape = int(bitfieldExtract(shapes, 2 * depth, 2));
        if (shape != SHAPE_V && args.levels - depth > 2 && (again >> depth & 1u) == 0) {
            again |= 1u << depth;
            shape = shape == SHAPE_F ? SHAPE_V : shape;
            zero = false;
            up = false;
            depth++;
        }
    }
}
