// burn.comp: the twin of burn in gas/ops/burn.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint64_t swelling;
    uint fuel, temperature, density;
    uint spent;
    uint level;
    uint partial;
    uint more;
    gy_extent extent;
    float part;
    float ignition;
    float heat, soot, air;
    float per_air;
    float cool;
    float expand;
    uint burnt;
    uint lit;
    uint passed;
};
#include "ops/row/push.glsl"
#include "gas/ops/fluid.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/sample.glsl"

const float MOST = 11.0;
const float HOTTEST = 1e8, LIMIT = 1e20, BURST = 10.0;

float root(float x)
{
    int guess = 0x54a2fa8c - int(float(floatBitsToInt(x)) * (1.0 / 3.0));
    precise float y = intBitsToFloat(guess);
    for (int q = 0; q < 4; q++) {
        precise float next = y * ((4.0 - x * (y * (y * y))) * (1.0 / 3.0));
        y = next;
    }
    return y;
}

float hot(float t)
{
    precise float x = t / max(1.0 - args.expand * t, 1.0 / MOST);
    return x;
}

float cooled(float t)
{
    float h = hot(t), c = clamp(h, 0.0, HOTTEST);
    precise float grown = args.cool * (c * (c * c));
    precise float left = h * root(1.0 + grown);
    precise float field = min(left / min(1.0 + args.expand * left, MOST), t);
    return grown > 1e-7 ? field : t;
}

/// A cell where there is a front; adds what it wins to the sums.
void front_cell(int o, inout double sum[7])
{
    float t = floats(at(args.base, args.temperature), o).v;
    float goes = floats(at(args.base, args.passed), o).v;
    float l = args.lit != 0u ? floats(at(args.base, args.lit), o).v : 0.0;
    if (!(t > 0.0 || goes > 0.0 || l > 0.0)) {
        return;
    }
    float f = floats(at(args.base, args.fuel), o).v;
    float r = floats(at(args.base, args.density), o).v;
    float p = floats(at(args.base, args.burnt), o).v;
    precise float rest = t - args.heat * (p - l);
    float most = max(f, 0.0);
    precise float lights = args.part * most;
    goes = min(max(goes, hot(rest) >= args.ignition ? lights : 0.0), most);
    precise float waits = l + goes;
    precise float gives = args.part * max(waits, 0.0);
    gives = args.lit != 0u ? gives : goes;
    precise float fuel = f - goes;
    precise float burnt = min(p + goes, LIMIT);
    precise float still = min(waits - gives, LIMIT);
    precise float warm = min(t + args.heat * gives, LIMIT);
    warm = gy_flush(warm);
    float left = gy_flush(cooled(warm));
    precise float smoke = min(r + args.soot * gives, LIMIT);
    precise float volume = clamp(args.expand * (left - t), -BURST, BURST);
    floats(at(args.base, args.fuel), o).v = gy_flush(fuel);
    floats(at(args.base, args.burnt), o).v = gy_flush(burnt);
    floats(at(args.base, args.temperature), o).v = left;
    floats(at(args.base, args.density), o).v = gy_flush(smoke);
    sum[0] += double(gy_flush(fuel)) - double(f);
    sum[1] += double(warm) - double(t);
    sum[2] += double(left) - double(warm);
    sum[3] += double(gy_flush(smoke)) - double(r);
    sum[4] += double(gy_flush(burnt)) - double(p);
    if (args.lit != 0u) {
        floats(at(args.base, args.lit), o).v = gy_flush(still);
        sum[5] += double(gy_flush(still)) - double(l);
    }
    if (args.spent != 0u) {
        float s = floats(at(args.base, args.spent), o).v;
        precise float lacks = clamp(s + (args.air * goes + volume), -LIMIT, LIMIT);
        floats(at(args.base, args.spent), o).v = gy_flush(lacks);
        sum[6] += double(gy_flush(lacks)) - double(s);
    }
    if (args.swelling != 0ul) {
        precise float swollen = floats(args.swelling, o).v + volume;
        floats(args.swelling, o).v = swollen;
    }
}

void main()
{
    gy_extent e = args.extent;
    gy_piece p = gy_piece_own();
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    double sum[7] = double[7](0.0lf, 0.0lf, 0.0lf, 0.0lf, 0.0lf, 0.0lf, 0.0lf);
    for (int q = int(gl_LocalInvocationID.y); q < p.rows; q += ROWS_AT_ONCE) {
        ivec2 place = gy_piece_row(p, q);
        int row = place.x * e.sy + place.y * e.sz;
        for (int i = int(gl_LocalInvocationID.x); i < e.n.x; i += COLUMNS_AT_ONCE) {
            bool gas = args.level == 0u || gy_uniform(g, i >> 1, place.x, place.y) ||
                       gy_level_fluid(g, i, place.x, place.y);
            int o = row + i;
            if (gas && args.burnt != 0u) {
                front_cell(o, sum);
                continue;
            }
            float t = floats(at(args.base, args.temperature), o).v;
            if (!gas || !(t > 0.0)) {
                continue;
            }
            float f = floats(at(args.base, args.fuel), o).v;
            float r = floats(at(args.base, args.density), o).v;
            float s = args.spent != 0u ? floats(at(args.base, args.spent), o).v : 0.0;
            precise float burns = args.part * f;
            if (args.spent != 0u) {
                precise float room = (1.0 - s) * args.per_air;
                burns = min(burns, room);
            }
            burns = hot(t) >= args.ignition ? max(burns, 0.0) : 0.0;
            precise float fuel = f - burns;
            precise float lit = min(t + args.heat * burns, LIMIT);
            lit = gy_flush(lit);
            float left = gy_flush(cooled(lit));
            precise float smoke = min(r + args.soot * burns, LIMIT);
            precise float volume = clamp(args.expand * (left - t), -BURST, BURST);
            precise float lacks = clamp(s + (args.air * burns + volume), -LIMIT, LIMIT);
            floats(at(args.base, args.fuel), o).v = gy_flush(fuel);
            floats(at(args.base, args.temperature), o).v = left;
            floats(at(args.base, args.density), o).v = gy_flush(smoke);
            sum[0] += double(gy_flush(fuel)) - double(f);
            sum[1] += double(lit) - double(t);
            sum[2] += double(left) - double(lit);
            sum[3] += double(gy_flush(smoke)) - double(r);
            if (args.spent != 0u) {
                floats(at(args.base, args.spent), o).v = gy_flush(lacks);
                sum[4] += double(gy_flush(lacks)) - double(s);
            }
            if (args.swelling != 0ul) {
                precise float swollen = floats(args.swelling, o).v + volume;
                floats(args.swelling, o).v = swollen;
            }
        }
    }
    for (int q = 0; q < 4; q++) {
        gy_piece_put(at(args.base, args.partial), q, gy_piece_sum(sum[q]));
    }
    gy_piece_put(at(args.base, args.more), 0, gy_piece_sum(sum[4]));
    gy_piece_put(at(args.base, args.more), 1, gy_piece_sum(sum[5]));
    gy_piece_put(at(args.base, args.more), 2, gy_piece_sum(sum[6]));
    gy_piece_put(at(args.base, args.more), 3, 0.0lf);
}
