// render/isa/ripple_wide.h: what flows with the water: ripples finer than cells, and the lace of
// white water, for eight places. src/render/ripples.c has the formula.
#ifndef GY_RENDER_RIPPLE_WIDE_H
#define GY_RENDER_RIPPLE_WIDE_H

#include "render/surface.h"

#include "render/isa/three.h"

/// A place between cells' middles.
typedef struct cell_place {
    w8 i[2], j[2];
    v8 x, y;
} cell_place;

GY_VEC_INLINE cell_place cells_at(const gy_relief *r, const int n[3], const gy_three *at)
{
    v8 zero = v8_all(0.0f), half = v8_all(0.5f), per = v8_all(1.0f / (float)r->fine);
    v8 nx = v8_all((float)(n[0] - 1)), ny = v8_all((float)(n[1] - 1)), one = v8_all(1.0f);
    v8 x = v8_clamp(at->c[0] * per - half, zero, nx), y = v8_clamp(at->c[1] * per - half, zero, ny);
    v8 i = v8_floor(x), j = v8_floor(y);

    return (cell_place){{v8_int(i), v8_int(v8_min(i + one, nx))},
                        {v8_int(j), v8_int(v8_min(j + one, ny))},
                        x - i,
                        y - j};
}

GY_VEC_INLINE v8 cells_between(const gyre_field_view *f, const cell_place *p)
{
    w8 low = p->j[0] * w8_all((int32_t)f->stride[1]),
       high = p->j[1] * w8_all((int32_t)f->stride[1]);

    return v8_mix(
        v8_mix(v8_gather(f->data, low + p->i[0]), v8_gather(f->data, low + p->i[1]), p->x),
        v8_mix(v8_gather(f->data, high + p->i[0]), v8_gather(f->data, high + p->i[1]), p->x), p->y);
}

/// How far off the water there was when phase p began, m.
GY_VEC_INLINE void shifts_at(const gyre_render_flow *f, int p, const cell_place *place, v8 d[2])
{
    for (int a = 0; a < 2; a++)
        d[a] = p < f->phases ? cells_between(f->shift[p][a], place) : v8_all(0.0f);
}

/// sin(x) within 1e-5, of |x| < 1e5.
GY_VEC_INLINE v8 v8_sin(v8 x)
{
    v8 t = x * v8_all(0.15915494f); // turns
    v8 q = t - v8_floor(t + v8_all(0.5f));
    v8 mirrored = v8_select(v8_less(q, v8_all(0.0f)), v8_all(-0.5f), v8_all(0.5f)) - q;

    q = v8_select(v8_less(v8_all(0.25f), v8_abs(q)), mirrored, q) * v8_all(6.28318531f);
    v8 s = q * q, p = v8_all(2.7557319e-6f);

    p = p * s - v8_all(1.9841270e-4f);
    p = p * s + v8_all(8.3333333e-3f);
    p = p * s - v8_all(1.6666667e-1f);
    return q + q * s * p;
}

/// Adds the slopes of ripples to those of texels; `along`: of the rays from the eye; `part`: of
/// them that there is.
static void add_ripples(const gy_surface *s, const gy_three *at, const gy_three *along, v8 part,
                        v8 t[8])
{
    const gyre_ripples *r = &s->ripples;
    const gy_relief *relief = &s->relief;
    cell_place place = cells_at(relief, s->input->grid->n, at);
    v8 unit = v8_all(relief->unit), one = v8_all(1.0f), slope[2] = {v8_all(0.0f), v8_all(0.0f)};
    gy_three to = three_along(*at, gy_colours_all(s->eye), v8_all(-1.0f));
    v8 wide = v8_sqrt(three_dot(to, to)) * unit * v8_all(s->pixel); // m, of a pixel across the ray
    v8 sink = v8_max(v8_abs(along->c[2]), v8_all(0.03f)), longer = one / (sink * sink) - one;
    v8 level = v8_max(along->c[0] * along->c[0] + along->c[1] * along->c[1], v8_all(1e-12f));
    float speed = s->input->settings.ripple_speed;

    longer /= level;
    if (s->input->speed != NULL && speed > 0.0f) {
        v8 v = v8_max(cells_between(s->input->speed, &place), v8_all(0.0f));

        part *= v / (v + v8_all(speed));
    }
    for (int p = 0; p < r->phases; p++) {
        v8 d[2], sum[2] = {v8_all(0.0f), v8_all(0.0f)}, per = v8_all(1.0f / r->gust);

        if (r->weight[p] == 0.0f)
            continue;
        shifts_at(s->flow, p, &place, d);
        for (int a = 0; a < 2; a++)
            d[a] += at->c[a] * unit;
        v8 gust = v8_value_noise((d[0] + v8_all(r->place[p][0])) * per,
                                 (d[1] + v8_all(r->place[p][1])) * per);

        for (int i = 0; i < GYRE_RIPPLES; i++) {
            v8 kx = v8_all(r->k[i][0]), ky = v8_all(r->k[i][1]);
            v8 cross = kx * along->c[0] + ky * along->c[1], square = kx * kx + ky * ky;
            // What is finer than pixels is not there on the mean.
            v8 fade = wide * wide * (square + cross * cross * longer) * v8_all(-1.0f / 12.0f);
            v8 wave = v8_exp(fade) * v8_all(r->slope[i]) / v8_sqrt(square) *
                      v8_sin(kx * d[0] + ky * d[1] + v8_all(r->phase[p][i]));

            sum[0] += kx * wave;
            sum[1] += ky * wave;
        }
        gust = (v8_all(0.2f) + v8_all(1.6f) * gust) * v8_all(r->weight[p]) * part;
        slope[0] += sum[0] * gust;
        slope[1] += sum[1] * gust;
    }
    t[GY_TEXEL_SLOPE_X] += slope[0];
    t[GY_TEXEL_SLOPE_Y] += slope[1];
}

/// What white water hides: lace where there is little, all where there is much.
static v8 foam_cover(const gy_surface *s, const gy_three *at, v8 foam)
{
    const gy_relief *r = &s->relief;
    v8 one = v8_all(1.0f), part = v8_all(0.3f), zero = v8_all(0.0f), half = v8_all(0.5f);
    v8 per = v8_all(1.3f / (float)r->fine), lace;

    if (!w8_any(v8_less(zero, foam)))
        return zero;
    if (s->flow == NULL || s->flow->phases == 0) {
        lace = v8_noise(at->c[0] * per, at->c[1] * per);
    } else {
        cell_place place = cells_at(r, s->input->grid->n, at);

        lace = half;
        for (int p = 0; p < s->ripples.phases; p++) {
            v8 d[2];

            shifts_at(s->flow, p, &place, d);
            for (int a = 0; a < 2; a++)
                d[a] = at->c[a] + (d[a] + v8_all(s->ripples.place[p][a])) * v8_all(1.0f / r->unit);
            lace += v8_all(s->ripples.weight[p]) * (v8_noise(d[0] * per, d[1] * per) - half);
        }
    }
    // The noise stays within 0.2 and 0.8.
    lace = v8_clamp01((lace - v8_all(0.2f)) * v8_all(1.0f / 0.6f));
    return v8_smooth(one - foam - part, one - foam + part, lace) * v8_clamp01(foam * v8_all(5.0f));
}

#endif
