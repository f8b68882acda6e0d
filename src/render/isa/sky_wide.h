// render/isa/sky_wide.h: the sky in eight directions.
#ifndef GY_RENDER_SKY_WIDE_H
#define GY_RENDER_SKY_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// gy_sky() of eight.
static gy_three sky(const gy_surface *s, const gy_three *along)
{
    const gyre_view_settings *set = &s->input->settings;
    gy_three horizon = gy_colours_all(vec_make(set->sky_horizon)), colour, low;
    v8 z = along->c[2], root = v8_sqrt(v8_max(z, v8_all(0.0f)));
    v8 towards = v8_max(three_dot(*along, gy_colours_all(s->light)), v8_all(0.0f));
    w8 up = v8_less(v8_all(0.0f), z);

    colour = three_mix(horizon, gy_colours_all(vec_make(set->sky_top)), root);
    if (set->clouds > 0.0f && w8_any(up)) {
        v8 wide = v8_all(1.3f) / (v8_max(z, v8_all(0.0f)) + v8_all(0.12f));
        v8 cloud = v8_noise(along->c[0] * wide + v8_all(7.3f), along->c[1] * wide + v8_all(2.9f));

        cloud = v8_smooth(v8_all(0.78f - 0.5f * set->clouds), v8_all(1.0f - 0.35f * set->clouds),
                          cloud);
        cloud *= v8_smooth(v8_all(0.0f), v8_all(0.3f), z) * v8_all(0.9f);
        for (int c = 0; c < 3; c++)
            colour.c[c] = v8_mix(colour.c[c], v8_all(0.35f) + horizon.c[c] * v8_all(0.9f), cloud);
    }
    v8 deep = v8_clamp01(z * v8_all(-1.25f));

    low = three_scale(horizon, v8_all(1.0f) - v8_all(0.45f) * v8_sqrt(deep));
    colour = three_select(up, colour, low);
    v8 glow = towards * towards;

    glow *= glow;
    glow *= glow;                        // 8
    v8 halo = glow * glow * glow * glow; // 32
    v8 disc = halo * halo * halo * halo; // 128

    disc *= disc;
    disc *= disc; // 512
    glow = v8_all(0.03f) * glow + v8_all(0.12f) * halo + v8_all(9.0f) * disc;
    glow = v8_select(v8_less(v8_all(-0.05f), z), glow, v8_all(0.0f));
    return three_along(colour, gy_colours_all(s->sun), glow);
}

#endif
