// render/isa/caustic_wide.h: the light that waves gather, and tiles that it falls on, at eight
// places.
#ifndef GY_RENDER_CAUSTIC_WIDE_H
#define GY_RENDER_CAUSTIC_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// What a map holds at places.
GY_VEC_INLINE v8 map_at(const gy_caustics *c, const float *map, v8 x, v8 y)
{
    v8 nx = v8_all((float)(c->relief->n[0] - 1)), ny = v8_all((float)(c->relief->n[1] - 1));
    v8 zero = v8_all(0.0f), half = v8_all(0.5f);

    x = v8_clamp(x - half, zero, nx);
    y = v8_clamp(y - half, zero, ny);
    w8 i = v8_int(v8_min(x, nx - half)), j = v8_int(v8_min(y, ny - half));
    w8 right = w8_select(i < w8_all(c->relief->n[0] - 1), w8_all(1), w8_all(0));
    w8 up = w8_select(j < w8_all(c->relief->n[1] - 1), w8_all((int32_t)c->map_row), w8_all(0));
    w8 at = i + j * w8_all((int32_t)c->map_row);

    x -= v8_float(i);
    y -= v8_float(j);
    return v8_mix(v8_mix(v8_gather(map, at), v8_gather(map, at + right), x),
                  v8_mix(v8_gather(map, at + up), v8_gather(map, at + up + right), x), y);
}

/// By what the sun's light on places under water, as even water bends it, is multiplied. On the bed
/// the map says what comes to it; in between what passes a level plane.
static v8 gathered(const gy_surface *s, const gy_three *at, const gy_three *normal, v8 depth,
                   w8 active, bool on_bed)
{
    const gy_caustics *c = &s->caustics;
    v8 one = v8_all(1.0f), least = v8_all(0.05f), m = one, factor;

    if (on_bed) {
        v8 lambert = v8_max(three_dot(*normal, gy_colours_all(s->below)), least);

        factor = map_at(c, c->map[0], at->c[0], at->c[1]) * normal->c[2] / lambert;
    } else if (c->planes > 0 && w8_any(active)) {
        v8 k =
            v8_clamp((at->c[2] - v8_all(c->low)) / v8_all(c->step), one, v8_all((float)c->planes));

        m = v8_all(0.0f);
        // The planes are few: each is looked at where it counts.
        for (int p = 1; p <= c->planes; p++) {
            v8 weight = v8_max(one - v8_abs(k - v8_all((float)p)), v8_all(0.0f));

            if (w8_any(active & v8_less(v8_all(0.0f), weight)))
                m += weight * map_at(c, c->map[p], at->c[0], at->c[1]);
        }
        factor = m / v8_all(s->below[2]);
    } else {
        factor = one;
    }
    return v8_mix(one, factor,
                  v8_smooth(v8_all(0.0f), v8_all(0.5f * (float)s->relief.fine), depth));
}

/// The tone of square tiles, one of four shades each, with dark joints.
GY_VEC_INLINE v8 tiles(const gy_surface *s, v8 x, v8 y)
{
    v8 per = v8_all(s->relief.unit / s->input->settings.bed_tiles), half = v8_all(0.5f);
    v8 corner[2] = {v8_all(s->relief.corner[0]), v8_all(s->relief.corner[1])};
    v8 size = v8_all(s->input->settings.bed_tiles), tone;

    x = x * per + corner[0] / size;
    y = y * per + corner[1] / size;
    u8w i = (u8w)v8_int(v8_floor(x)) * 0x8da6b343u, j = (u8w)v8_int(v8_floor(y)) * 0xd8163841u;

    tone = v8_all(0.92f) + v8_all(0.14f) * v8_lattice(i ^ j);
    v8 to = v8_min(half - v8_abs(x - v8_floor(x) - half), half - v8_abs(y - v8_floor(y) - half));

    return tone * v8_mix(v8_all(0.55f), v8_all(1.0f), v8_smooth(v8_all(0.02f), v8_all(0.045f), to));
}

#endif
