// ocean_columns.comp: the twin of ocean_columns in ocean/ops/ocean.c: a workgroup for each block of 16
// rows, row after row, field after field.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

#include "ocean/ops/ocean.glsl"

// Cosine and sine of a phase in units of 2^-32 turns: ocean/ops/phase.h.
vec2 turned(uint phase)
{
    uint quarter = (phase + 0x20000000u) >> 30;
    float x = float(int(phase - (quarter << 30))) * 1.46291807926715968e-9, z = x * x;
    float s = x + x * z * (-1.6666654611e-1 + z * (8.3321608736e-3 + z * -1.9515295891e-4));
    float c = 1.0 - 0.5 * z +
              z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
    vec2 t = (quarter & 1u) != 0u ? vec2(s, c) : vec2(c, s);
    t.x = ((quarter + 1u) & 2u) != 0u ? -t.x : t.x;
    t.y = (quarter & 2u) != 0u ? -t.y : t.y;
    return t;
}

// Field `field` of the wave of column `i`, -n / 2 < i < n / 2, of a row.
vec2 wave(int row, int i, int field)
{
    int column = abs(i), block = row / OCEAN_LANES, lane = row % OCEAN_LANES, half_way = args.n / 2;
    int at = (block * half_way + column) * NUMBERS * OCEAN_LANES + lane;
    int own_numbers = at + (i < 0 ? 4 * OCEAN_LANES : 0);
    vec2 c = vec2(number(args.waves, own_numbers), number(args.waves, own_numbers + OCEAN_LANES));
    vec2 d = vec2(number(args.waves, own_numbers + 2 * OCEAN_LANES),
                  number(args.waves, own_numbers + 3 * OCEAN_LANES));
    uint low_half = floatBitsToUint(number(args.waves, at + 10 * OCEAN_LANES));
    uint high_half = floatBitsToUint(number(args.waves, at + 11 * OCEAN_LANES));
    uint64_t rate = uint64_t(high_half) << 32 | uint64_t(low_half);
    uint64_t ticks = uint64_t(args.time[1]) << 32 | uint64_t(args.time[0]);
    vec2 t = turned(uint(rate * ticks >> 32)), h;
    if (args.motion != 0) {
        float speed = (float(high_half) * (1.0 / 256.0) +
                       float(low_half >> 8) * (1.0 / 4294967296.0)) * 6.28318530717958648;
        h = speed * vec2(d.y * t.x - c.x * t.y, -(c.y * t.y) - d.x * t.x);
    } else {
        h = vec2(c.x * t.x + d.y * t.y, c.y * t.x - d.x * t.y);
    }
    if (args.spline != 0) {
        h *= number(args.sharpen, column) * number(args.sharpen, row);
    }
    if (args.deep != 0) {
        h *= number(args.fade, ((block * half_way + column) * 2 + (field > 0 ? 1 : 0)) * OCEAN_LANES +
                                   lane);
    }
    if (field == 0) {
        return h;
    }
    float along = number(args.waves, at + (7 + field) * OCEAN_LANES);
    along = field == 1 && i < 0 ? -along : along;
    return along * vec2(-h.y, h.x);
}

void main()
{
    int block = low.x + int(gl_WorkGroupID.x), half_way = args.n / 2, stride = args.n + OCEAN_PAD;
    for (int lane = 0; lane < OCEAN_LANES; lane++) {
        int row = block * OCEAN_LANES + lane;
        for (int field = 0; field < 3; field++) {
            barrier();
            for (int i = own(); i < args.n; i += AT_ONCE) {
                line[i] = i == half_way ? vec2(0.0) : wave(row, i < half_way ? i : i - args.n, field);
            }
            int from = transformed(), to = (field * args.rows + row) * 2 * stride;
            for (int i = own(); i < args.n; i += AT_ONCE) {
                store(args.middle, to + i, line[from + i].x);
                store(args.middle, to + stride + i, line[from + i].y);
            }
        }
    }
}
