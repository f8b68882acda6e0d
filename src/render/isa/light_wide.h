// render/isa/light_wide.h: the light that falls on eight places, in air or under water.
#ifndef GY_RENDER_LIGHT_WIDE_H
#define GY_RENDER_LIGHT_WIDE_H

#include "render/surface.h"

#include "render/isa/caustic_wide.h"
#include "render/isa/hulls_wide.h"
#include "render/isa/overhang_wide.h"
#include "render/isa/smoke_wide.h"

// Shares of the light from over there that reach places: 1, or 0 where a body stands between, up
// to `far`.
static v8 past_bodies(const gy_surface *s, const gy_hull_shade *shade, const gy_three *from, v8 far,
                      w8 active)
{
    if (s->bodies.box_count == 0 || !w8_any(active))
        return v8_all(1.0f);
    return v8_select(hulls_hide(&s->bodies, shade, from, far, active), v8_all(0.0f), v8_all(1.0f));
}

// Shares of the sun's light that ground, bodies and smoke let through to places in air; `t`: the
// water's texels there.
static v8 open_to_sun(const gy_surface *s, const gy_three *at, const v8 t[8], w8 active)
{
    const gy_relief *r = &s->relief;
    v8 none = v8_all(0.0f), open = v8_all(1.0f);

    if (!(s->light[2] > 0.0f) || !s->input->settings.shadow)
        return open;
    w8 outside = v8_less(at->c[0], none) | v8_less(at->c[1], none) |
                 v8_less(v8_all((float)r->n[0]), at->c[0]) |
                 v8_less(v8_all((float)r->n[1]), at->c[1]);

    open = v8_select(~outside & v8_less(at->c[2], t[GY_TEXEL_SHADE]), none, open);
    open *= past_bodies(s, &s->bodies.shade[0], at, v8_all(GY_NEVER), active & v8_less(none, open));
    for (int i = 0; i < s->smoke_count; i++)
        open *= past_smoke(s, &s->smoke[i], at);
    return open;
}

/// What falls on places in air or under water.
typedef struct light_at {
    gy_three sun, sky; // what is left of the sun's light and of the sky's
    gy_three from;     // towards the sun
} light_at;

// `depth`: of water above the places; none where it is not above 0.
static void light_on(const gy_surface *s, const gy_three *at, const gy_three *normal, v8 depth,
                     w8 active, bool on_bed, light_at *light)
{
    const gy_relief *r = &s->relief;
    w8 wet = v8_less(v8_all(0.0f), depth);
    gy_three sun = gy_colours_all(s->light), below = gy_colours_all(s->below);
    v8 over = v8_all(lift * (float)r->fine), open = v8_all(1.0f), none = v8_all(0.0f);
    v8 length = v8_select(wet, depth / below.c[2], none);
    gy_three top = three_along(*at, below, length), start, texel_at;

    light->from = three_select(wet, below, sun);
    light->sun = light->sky = gy_colours_all(vec_all(1.0f));
    if (w8_any(wet & active)) {
        light->sun = absorbed(s, length);
        light->sky = absorbed(s, v8_max(v8_all(1.2f) * depth, none));
    }
    // Above the ground or, from under water, above the water straight towards the sun's image.
    for (int c = 0; c < 3; c++)
        texel_at.c[c] = v8_select(wet, top.c[c] + over * (sun.c[c] + v8_all(c == 2 ? 1.0f : 0.0f)),
                                  at->c[c] + over * (normal->c[c] + sun.c[c]));
    v8 t[8];

    texels_at(r, r->water_texel, texel_at.c[0], texel_at.c[1], t);
    if (s->light[2] > 0.0f && s->input->settings.shadow) {
        open = open_to_sun(s, &texel_at, t, active);
        wet &= active & v8_less(none, open);
        start = three_along(*at, three_add(*normal, below), over);
        open =
            v8_select(wet, past_bodies(s, &s->bodies.shade[1], &start, length, wet) * open, open);
    }
    wet = v8_less(none, depth);
    float w = 2.0f * (float)r->fine;
    v8 a = v8_max(depth, none) * v8_all(0.25f / (w * w)), one = v8_all(1.0f);
    v8 xy = a * t[GY_TEXEL_XY];
    v8 area = v8_abs((one + a * t[GY_TEXEL_XX]) * (one + a * t[GY_TEXEL_YY]) - xy * xy);
    v8 focus = one / v8_max(area, v8_all(0.3f));

    focus = v8_mix(one, focus, v8_smooth(none, v8_all(0.5f * (float)r->fine), depth));
    if (s->caustics.memory != NULL)
        focus = gathered(s, at, normal, depth, wet & active, on_bed);
    open = v8_select(wet, s->light[2] > 0.0f ? open * focus : none, open);
    light->sun = three_scale(three_times(light->sun, gy_colours_all(s->sun)), open);
    light->sky = three_times(light->sky, gy_colours_all(s->ambient));
}

// What of it a surface sends back.
GY_VEC_INLINE gy_three lit(const light_at *light, const gy_three *albedo, const gy_three *normal)
{
    v8 lambert = v8_max(three_dot(*normal, light->from), v8_all(0.0f));
    v8 sky = v8_all(1.5f) + v8_all(0.5f) * normal->c[2];

    return three_times(*albedo,
                       three_add(three_scale(light->sun, lambert), three_scale(light->sky, sky)));
}

#endif
