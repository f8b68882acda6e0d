// condense.comp: the twin of condense in gas/ops/condense.c.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "ops/row/common.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {
    uint64_t base;
    uint wind[3];
    uint temperature;
    uint vapour, water, rain;
    uint levels;
    uint level;
    uint partial;
    uint more;
    gy_extent extent;
    uint periodic, open_sides, given;
    int axis;
    float pace;
    float part;
    float least;
    float collect, dry;
};
#include "ops/row/push.glsl"
#include "gas/ops/flux.glsl"
#include "ops/row/pieces.glsl"
#include "gas/ops/sample.glsl"
#include "gas/ops/steam.glsl"

const float LIMIT = 1e20;
const int NEWTON = 5;

struct moist {
    float t, v, c, r;
};

float of_level(int k, int what)
{
    return floats(at(args.base, args.levels), (k + 1) * LEVEL_FLOATS + what).v;
}

float settle(int k, moist m, out float latent, out float kelvin)
{
    float pressure = of_level(k, LEVEL_PRESS);
    precise float own = of_level(k, LEVEL_EXNER) * (of_level(k, LEVEL_WARM) + m.t);
    precise float heat = (2.501e6 - 2370.0 * (clamp(own, 150.0, 350.0) - 273.15)) * (1.0 / AIR_HEAT);
    precise float q = of_level(k, LEVEL_VAPOUR) + m.v;
    precise float d = 0.0;
    for (int n = 0; n < NEWTON; n++) {
        float slope;
        precise float s = steam_most(own + heat * d, pressure, slope);
        precise float next = d + ((q - d) - s) / (1.0 + heat * slope);
        d = next;
    }
    kelvin = own;
    latent = heat;
    return max(d, -max(m.c, 0.0));
}

void drop(int k, inout moist m, float kelvin, float latent, out float evaporated)
{
    float c = max(m.c, 0.0), r = max(m.r, 0.0), slope;
    precise float grows = args.part * max(c - args.least, 0.0);
    precise float x = args.collect * steam_power(r, 0.875);
    precise float more = (c - grows) * (x / (1.0 + x));
    precise float less = m.c - (grows + more), rain = m.r + (grows + more);
    m.c = less;
    m.r = rain;
    float pressure = of_level(k, LEVEL_PRESS);
    precise float weight = 1e-3 * of_level(k, LEVEL_WEIGHT);
    precise float s = steam_most(kelvin, pressure, slope), q = of_level(k, LEVEL_VAPOUR) + m.v;
    precise float wet = weight * max(m.r, 0.0), lacks = max(s - q, 0.0);
    precise float airs = 1.6 + 124.9 * steam_power(wet, 0.2046);
    precise float speed = ((lacks / s) * (airs * steam_power(wet, 0.525))) /
                          (weight * (5.4e5 + 2.55e6 / (0.01 * pressure * s)));
    precise float dries = min(args.dry * speed, min(lacks / (1.0 + latent * slope), max(m.r, 0.0)));
    evaporated = dries;
}

float cut(float x)
{
    return gy_flush(clamp(x, -LIMIT, LIMIT));
}

void main()
{
    gy_extent e = args.extent;
    gy_piece p = gy_piece_own();
    gy_grid_level g;
    if (args.level != 0u) {
        g = gy_grid_level_at(args.base, args.level);
    }
    double sum[6] = double[6](0.0lf, 0.0lf, 0.0lf, 0.0lf, 0.0lf, 0.0lf);
    for (int row = int(gl_LocalInvocationID.y); row < p.rows; row += ROWS_AT_ONCE) {
        ivec2 place = gy_piece_row(p, row);
        int k = args.axis == 1 ? place.x : place.y;
        for (int i = int(gl_LocalInvocationID.x); i < e.n.x; i += COLUMNS_AT_ONCE) {
            ivec3 cell = ivec3(i, place.x, place.y);
            if (args.level != 0u && !gy_uniform(g, i >> 1, place.x, place.y) &&
                !gy_level_fluid(g, i, place.x, place.y)) {
                continue;
            }
            int o = i + place.x * e.sy + place.y * e.sz;
            precise float below = gy_flux(g, args.pace, args.axis, cell);
            precise float up = gy_flux(g, args.pace, args.axis, beside(args.axis, cell, 1));
            precise float t = floats(at(args.base, args.temperature), o).v;
            precise float lifts =
                below * of_level(k, LEVEL_HEAT_UP) + up * of_level(k + 1, LEVEL_HEAT_UP);
            float lifted = cut(t - lifts);
            sum[4] += double(lifted) - double(t);
            if (args.vapour == 0u) {
                floats(at(args.base, args.temperature), o).v = lifted;
                continue;
            }
            precise float v = floats(at(args.base, args.vapour), o).v;
            precise float raises =
                below * of_level(k, LEVEL_DAMP_UP) + up * of_level(k + 1, LEVEL_DAMP_UP);
            float raised = cut(v - raises);
            sum[5] += double(raised) - double(v);
            moist m = moist(lifted, raised, floats(at(args.base, args.water), o).v,
                            args.rain != 0u ? floats(at(args.base, args.rain), o).v : 0.0);
            moist was = m;
            float latent, kelvin, dries = 0.0;
            precise float d = settle(k, m, latent, kelvin);
            precise float wetter = m.c + d;
            m.c = wetter;
            if (args.rain != 0u) {
                precise float drier = m.v - d, warmer = kelvin + latent * d;
                m.v = drier;
                drop(k, m, warmer, latent, dries);
                precise float left = cut(m.r - dries);
                floats(at(args.base, args.rain), o).v = left;
                sum[3] += double(left) - double(was.r);
            }
            float water = cut(m.c);
            precise float damp = raised - (d - dries);
            precise float warm = lifted + (latent * (d - dries)) * (1.0 / of_level(k, LEVEL_EXNER));
            floats(at(args.base, args.water), o).v = water;
            floats(at(args.base, args.vapour), o).v = cut(damp);
            floats(at(args.base, args.temperature), o).v = cut(warm);
            sum[2] += double(water) - double(was.c);
            sum[1] += double(cut(damp)) - double(raised);
            sum[0] += double(cut(warm)) - double(lifted);
        }
    }
    for (int q = 0; q < 4; q++) {
        gy_piece_put(at(args.base, args.partial), q, gy_piece_sum(sum[q]));
    }
    for (int q = 0; q < 4; q++) {
        gy_piece_put(at(args.base, args.more), q, q < 2 ? gy_piece_sum(sum[4 + q]) : 0.0lf);
    }
}
