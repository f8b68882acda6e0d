// remap.comp: the twin of remap in gas/ops/remap.c. Each invocation works out what passes the two faces
// of its cell.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t swelling;
    uint fields;
    int first, count;
    uint wind[3];
    uint level;
    uint carriage;
    uint ledgers;
    uint partial;
    gy_extent extent;
    int axis, from, to;
    int place;
    int turned;
    uint periodic, open_sides;
    float limit;
    uint given, rims;
};
#include "ops/row/push.glsl"
#include "gas/ops/flux.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/carriage.glsl"

const int MOST_FIELDS = 4;

/// What passes a face, as far as it is the same for all fields.
struct gy_passing {
    float u, part;  // volume; half of the part of the cell's volume that it is
    int upward;     // 1: up
    ivec3 cell;     // that it comes from
    bvec4 open;     // faces before, below, above and after that cell
    bool something; // there is such a cell
    int side;       // that it comes in by; -1: it comes from within
};

float within(float x, float y)
{
    return min(max(x, min(y, 0.0)), max(y, 0.0));
}

/// The cell that stands for one which may be up to three beyond an end.
ivec3 nearest(ivec3 cell)
{
    int n = cells_along(args.axis), p = cell[args.axis];
    cell[args.axis] = wraps(args.axis) ? (p % n + n) % n : clamp(p, 0, n - 1);
    return cell;
}

int place_of(ivec3 cell)
{
    return cell.x + cell.y * args.extent.sy + cell.z * args.extent.sz;
}

/// The volume left over in a cell by the sweeps before.
float error_of(gy_grid_level g, float scale, ivec3 cell)
{
    precise float e = 0.0;
    for (int q = 0; q < args.place; q++) {
        int axis = args.turned != 0 ? args.extent.dim - 1 - q : q;
        precise float x = gy_flux(g, scale, axis, cell) -
                          gy_flux(g, scale, axis, beside(axis, cell, 1));
        e = q == 0 ? x : e + x;
    }
    return e;
}

gy_passing passing_of(gy_grid_level g, float scale, ivec3 face)
{
    gy_passing p;
    int n = cells_along(args.axis);
    p.u = gy_flux(g, scale, args.axis, face);
    p.upward = int(p.u > 0.0);
    ivec3 from = beside(args.axis, face, -p.upward);
    p.something = p.u != 0.0 && (wraps(args.axis) || (from[args.axis] >= 0 && from[args.axis] < n));
    p.cell = nearest(from);
    p.side = -1;
    if (p.u != 0.0 && !p.something && args.rims != 0u) {
        p.side = 2 * args.axis + 1 - p.upward;
    }
    p.open = bvec4(true);
    p.part = 0.0;
    if (p.something) {
        precise float part = 0.5 * abs(p.u);
        if (args.place > 0) {
            part = part / (1.0 + error_of(g, scale, p.cell));
        }
        p.part = part;
        for (int q = 0; q < 4 && args.level != 0u; q++) {
            p.open[q] = gy_open(g, args.axis, nearest(beside(args.axis, p.cell, q - 1)));
        }
    }
    return p;
}

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Rim
{
    uint first, step, stick, windows;
};

/// What comes in of a field by a side; velocities come first in the list of fields.
float brought_by(gy_passing p, int which)
{
    Rim own = Rim(at(args.base, args.rims)) + p.side;
    if (own.first == 0u) {
        return 0.0;
    }
    ivec3 n = args.extent.n, c = p.cell;
    int plane = 1 + 2 * args.extent.dim + args.first + which - args.extent.dim;
    int face = args.axis == 0   ? c.y + c.z * n.y
               : args.axis == 1 ? c.x + c.z * n.x
                                : c.x + c.y * n.x;
    precise float flux =
        p.u * floats(at(args.base, own.first + uint(plane) * own.step), face).v;
    return flux;
}

/// What it takes along of a field.
float flux_of(gy_samples field, gy_passing p, int which)
{
    if (!p.something) {
        return p.side >= 0 ? brought_by(p, which) : 0.0;
    }
    float s[5];
    for (int q = 0; q < 5; q++) {
        s[q] = sample_at(field, place_of(nearest(beside(args.axis, p.cell, q - 2))));
    }
    precise float aa = p.open.x ? s[1] - s[0] : 0.0, a = p.open.y ? s[2] - s[1] : 0.0;
    precise float b = p.open.z ? s[3] - s[2] : 0.0, bb = p.open.w ? s[4] - s[3] : 0.0;
    const float c12 = 1.0 / 12.0;
    precise float el = 0.5 * a - c12 * (aa - b), er = 0.5 * b + c12 * (a - bb);
    precise float l2 = a - aa, r2 = bb - b, all = a + b;
    el = within(el, a);
    er = within(er, b);
    // The same products as in gas/ops/column.h, so that jumps are the same ones.
    precise float turn = l2 * r2, gap = all * (0.45 * all - (l2 - r2));
    if (turn < 0.0 && gap < 0.0) {
        el = a;
        er = b;
    }
    float low = within(el, er + er), high = within(er, el + el);
    precise float slope = high + low, bow = high - low, rest = 0.5 - p.part;
    precise float by_slope = abs(p.u) * rest, by_bow = (p.u * rest) * (1.0 - 4.0 * p.part);
    precise float flux = p.u * s[2] + (by_slope * slope + by_bow * bow);
    return flux;
}

gy_samples samples_of(int field, int which)
{
    gy_field f = field_at(at(args.base, args.fields), args.first + field).v;
    // What lies between sweeps are floats always.
    return samples_at(args.base, which == 0 ? f.old : which == 1 ? f.predicted : f.now,
                      which == 0 ? f.halves : 0);
}

bool holds_gas(gy_grid_level g, ivec3 cell)
{
    return args.level == 0u || gy_uniform(g, cell.x >> 1, cell.y, cell.z) ||
           gy_level_fluid(g, cell.x, cell.y, cell.z);
}

void main()
{
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    gy_piece piece = gy_piece_own();
    float scale = Carriage(at(args.base, args.carriage)).scale;
    int n = cells_along(args.axis);
    bool first = args.place == 0, last = args.place == args.extent.dim - 1;
    double sum[MOST_FIELDS], left[MOST_FIELDS];
    for (int f = 0; f < MOST_FIELDS; f++) {
        sum[f] = left[f] = 0.0lf;
    }
    for (int q = int(gl_LocalInvocationID.y); q < piece.rows; q += ROWS_AT_ONCE) {
        ivec2 row = gy_piece_row(piece, q);
        for (int i = int(gl_LocalInvocationID.x); i < args.extent.n[0]; i += COLUMNS_AT_ONCE) {
            ivec3 cell = args.axis == 2 ? ivec3(i, row.y, row.x) : ivec3(i, row);
            int o = place_of(cell);
            gy_passing low_face = passing_of(g, scale, cell);
            gy_passing high_face = passing_of(g, scale, beside(args.axis, cell, 1));
            precise float v = low_face.u - high_face.u, e = error_of(g, scale, cell);
            bool gas = holds_gas(g, cell);
            for (int f = 0; f < MOST_FIELDS; f++) {
                if (f >= args.count) {
                    break;
                }
                gy_samples from = samples_of(f, args.from);
                float x = sample_at(from, o);
                float below = flux_of(from, low_face, f), above = flux_of(from, high_face, f);
                precise float net = below - above, y;
                if (last) {
                    float factor = Ledger(at(args.base, args.ledgers + uint(f))).factor;
                    y = factor * (x + (net + x * e));
                    y = min(max(y, -args.limit), args.limit);
                    y = abs(y) >= 1e-30 ? y : 0.0;
                } else {
                    precise float inverse = 1.0 / (1.0 + (first ? v : e + v));
                    y = x + (net - x * v) * inverse;
                }
                gy_samples to = samples_of(f, args.to);
                set_sample(to, o, y);
                y = last ? sample_at(to, o) : y;
                sum[f] += gas && (first || last) ? double(first ? x : y) : 0.0lf;
                if (on_side(args.axis, cell)) {
                    left[f] -= double(below);
                }
                if (!wraps(args.axis) && cell[args.axis] == n - 1) {
                    left[f] += double(above);
                }
            }
            if (last && args.swelling != 0ul) {
                precise float more = floats(args.swelling, o).v + (e + v);
                floats(args.swelling, o).v = more;
            }
        }
    }
    uint64_t partial = at(args.base, args.partial);
    for (int f = 0; f < MOST_FIELDS; f++) {
        if (f >= args.count) {
            break;
        }
        double all = gy_piece_sum(sum[f]), gone = gy_piece_sum(left[f]);
        if (gl_LocalInvocationIndex == 0u) {
            int own = 2 * (int(gl_WorkGroupID.x) * args.count + f);
            doubles(partial, own).v = all;
            doubles(partial, own + 1).v = gone;
        }
    }
}
