// water_turn.comp: the twin of water_turn in water/ops/water_turn.c for linear waves, whose
// discharges lie on faces: a pass each for the pull and for the two shears. The pass at centres is
// shallow water's, which has no twins.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t memory;
    uint64_t list;
    uint64_t slot;
    uint64_t tile;
    uint64_t stepping;
    uint64_t current;
    uvec2 job; // of the host
    ivec2 n;
    ivec2 tn;
    int slot_bytes, array_step;
    uint turned;
    uint periodic;
    int pass; // 1: pull, 2: shear of x, 3: of y
    uint once;
    float coriolis, beta, y, dt, h, pull;
};
#include "ops/row/push.glsl"
#include "water/ops/wave.glsl"

layout(local_size_x = 64, local_size_y = 4) in;

// base/maths.c has the same polynomials, in doubles. |x| <= 1.
float sine(float x, bool cosine)
{
    double angle = double(x);
    precise double quarters = angle * (2.0lf / 3.14159265358979323846lf);
    int n = int(quarters + (angle < 0.0lf ? -0.5lf : 0.5lf));
    precise double r = angle - double(n) * 1.57079632673412561417lf;
    r = r - double(n) * 6.07710050650619224932e-11lf;
    precise double square = r * r, sum;
    int quarter = (n + (cosine ? 1 : 0)) & 3;
    if ((quarter & 1) != 0) {
        sum = 1.0lf / 479001600.0lf;
        sum = sum * square + -1.0lf / 3628800.0lf;
        sum = sum * square + 1.0lf / 40320.0lf;
        sum = sum * square + -1.0lf / 720.0lf;
        sum = sum * square + 1.0lf / 24.0lf;
        sum = sum * square + -1.0lf / 2.0lf;
        sum = sum * square + 1.0lf;
    } else {
        sum = 1.0lf / 6227020800.0lf;
        sum = sum * square + -1.0lf / 39916800.0lf;
        sum = sum * square + 1.0lf / 362880.0lf;
        sum = sum * square + -1.0lf / 5040.0lf;
        sum = sum * square + 1.0lf / 120.0lf;
        sum = sum * square + -1.0lf / 6.0lf;
        sum = sum * square + 1.0lf;
        sum = r * sum;
    }
    return float((quarter & 2) != 0 ? -sum : sum);
}

// A quarter of what the faces of a row of the domain are sheared by.
float quarter_of(int row)
{
    ivec2 n = args.n; // as a whole: llvmpipe reads one member alone as a byte
    if (row < 0) {    // the one below the lowest
        row = (args.periodic & 2u) != 0u ? n.y - 1 : 0;
    }
    precise float up = (float(row) + 0.5) * args.h;
    precise float from_south = args.y + up;
    precise float more = args.beta * from_south;
    precise float f = args.coriolis + more;
    precise float turned = f * args.dt;
    float a = min(max(turned, -1.0), 1.0);
    if (args.once != 0u) {
        return 0.25 * sine(a, false);
    }
    precise float half_angle = 0.5 * a;
    // Rounded as a quotient of floats is.
    double tangent = double(sine(half_angle, false)) / double(sine(half_angle, true));
    return 0.25 * float(tangent);
}

// A sample at a cell of the domain or one beyond: 0 where nothing is stepped, or where a flag shuts
// it.
float sample_at(ivec2 cell, int array, uint shut)
{
    ivec2 n = args.n;
    bvec2 out_of = bvec2(cell.x < 0 || cell.x >= n.x, cell.y < 0 || cell.y >= n.y);
    if ((out_of.x && (args.periodic & 1u) == 0u) || (out_of.y && (args.periodic & 2u) == 0u)) {
        return 0.0;
    }
    cell = ivec2((cell.x + n.x) % n.x, (cell.y + n.y) % n.y);
    int slot = stepping_slot(cell / T), at = cell.y % T * T + cell.x % T;
    if (slot < 0 || (uint(bytes(array_of(slot, ARRAYS), at).v) & shut) != 0u) {
        return 0.0;
    }
    return floats(state_of(slot, array), at).v;
}

// Whether there is something stepped on the other side of a tile's low edge.
bool beside(ivec2 cell)
{
    ivec2 n = args.n;
    if ((cell.x < 0 && (args.periodic & 1u) == 0u) || (cell.y < 0 && (args.periodic & 2u) == 0u)) {
        return false;
    }
    return stepping_slot(ivec2((cell.x + n.x) % n.x, (cell.y + n.y) % n.y) / T) >= 0;
}

void add(int slot, int array, int at, float what)
{
    precise float sum = floats(state_of(slot, array), at).v + what;
    floats(state_of(slot, array), at).v = sum;
}

void main()
{
    int slot = ints(args.list, low.x + int(gl_WorkGroupID.x)).v;
    int tile = ints(args.tile, slot).v, i = int(gl_LocalInvocationID.x);
    ivec2 count = args.tn;
    ivec2 first = ivec2(tile % count.x, tile / count.x) * T;
    ivec2 n = args.n;
    int columns = min(T, n.x - first.x), rows = min(T, n.y - first.y);
    for (int j = int(gl_LocalInvocationID.y); j < rows && i < columns; j += ROWS) {
        int at = j * T + i;
        ivec2 cell = first + ivec2(i, j);
        uint shut = uint(bytes(array_of(slot, ARRAYS), at).v);
        bool x_open = (shut & SHUT_X) == 0u && (i > 0 || beside(cell - ivec2(1, 0)));
        bool y_open = (shut & SHUT_Y) == 0u && (j > 0 || beside(cell - ivec2(0, 1)));
        if (args.pass == 1) {
            float here = floats(state_of(slot, 0), at).v;
            precise float dx = here - sample_at(cell - ivec2(1, 0), 0, 0u);
            precise float dy = here - sample_at(cell - ivec2(0, 1), 0, 0u);
            precise float px = args.pull * dx, py = args.pull * dy;
            add(slot, 1, at, x_open ? -px : -0.0);
            add(slot, 2, at, y_open ? -py : -0.0);
        } else if (args.pass == 2 && x_open) {
            ivec2 up = ivec2(0, 1), left = ivec2(1, 0);
            precise float a = sample_at(cell - left, 2, SHUT_Y) + sample_at(cell - left + up, 2, SHUT_Y);
            precise float b = sample_at(cell, 2, SHUT_Y) + sample_at(cell + up, 2, SHUT_Y);
            precise float sum = a + b;
            precise float by = quarter_of(cell.y) * sum;
            add(slot, 1, at, by);
        } else if (args.pass == 3 && y_open) {
            ivec2 down = ivec2(0, 1), right = ivec2(1, 0);
            precise float high_sum = sample_at(cell, 1, SHUT_X) + sample_at(cell + right, 1, SHUT_X);
            precise float low_sum =
                sample_at(cell - down, 1, SHUT_X) + sample_at(cell - down + right, 1, SHUT_X);
            precise float above = quarter_of(cell.y) * high_sum;
            precise float below = quarter_of(cell.y - 1) * low_sum;
            precise float by = above + below;
            add(slot, 2, at, -by);
        }
    }
}
