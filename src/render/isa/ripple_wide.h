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

/// What flows, at eight places: how far off the water there was when each phase began, m; how fast
/// it is, m/s.
typedef struct flow_here {
    v8 d[GYRE_TEXTURE_PHASES][2], speed;
} flow_here;

static void flow_at(const gy_surface *s, const gy_three *at, flow_here *flow)
{
    cell_place p = cells_at(&s->relief, s->input->grid->n, at);
    w8 wide = w8_all(s->input->grid->n[0]);
    w8 low = p.j[0] * wide, high = p.j[1] * wide, place[4];
    v8 out[8];

    for (int k = 0; k < 4; k++)
        place[k] = (k < 2 ? low : high) + p.i[k & 1];
    for (int i = 0; i < GY_WIDE; i++) {
        v8 corner[4], x = v8_all(p.x[i]);

        for (int k = 0; k < 4; k++)
            corner[k] = v8_load(s->flow_texel + 8 * (ptrdiff_t)place[k][i]);
        out[i] = v8_mix(v8_mix(corner[0], corner[1], x), v8_mix(corner[2], corner[3], x),
                        v8_all(p.y[i]));
    }
    turn_eight(out);
    for (int k = 0; k < 2 * GYRE_TEXTURE_PHASES; k++)
        flow->d[k / 2][k & 1] = out[k];
    flow->speed = out[GY_FLOW_SPEED];
}

/// sin(2 pi t) within 3e-4, of |t| < 2^21: a polynomial (least largest error) of how far t is from
/// the nearest whole number, which adding and taking away 1.5 * 2^23 gives.
GY_VEC_INLINE v8 v8_sin_turns(v8 t)
{
    v8 large = v8_all(12582912.0f), q = t - ((t + large) - large), s = q * q;

    return q * (v8_all(0.25f) - s) *
           (v8_all(25.1122740f) + s * (v8_all(-63.8357876f) + s * v8_all(55.5226456f)));
}

/// The slopes of ripples at places, of each of both lengths.
typedef struct ripple_sum {
    v8 x[GYRE_TEXTURE_PHASES], y[GYRE_TEXTURE_PHASES];
} ripple_sum;

/// Sums up waves at d, metres, of so many phases, of which every other one is `bend` turns ahead,
/// the rest as far behind. What is finer than pixels is not there on the mean: `across` and
/// `longer` say how wide they are.
GY_VEC_INLINE void sum_waves(const gy_surface *s, int phases, v8 (*d)[2], const v8 *bend,
                             const gy_three *along, v8 across, v8 longer, ripple_sum *sum)
{
    v8 one = v8_all(1.0f), zero = v8_all(0.0f);

    for (int p = 0; p < phases; p++)
        sum->x[p] = sum->y[p] = zero;
    for (int i = 0; i < GYRE_RIPPLES; i++) {
        const gy_ripple *w = &s->waves[i];
        v8 kx = v8_all(w->turns[0]), ky = v8_all(w->turns[1]);
        v8 cross = kx * along->c[0] + ky * along->c[1];
        v8 left = v8_max(one - across * (v8_all(w->square) + cross * cross * longer), zero);

        if (!w8_any(v8_less(zero, left)))
            continue;
        left *= left;
        left *= left;
        v8 x = left * v8_all(w->slope[0]), y = left * v8_all(w->slope[1]);

        for (int p = 0; p < phases; p++) {
            v8 ahead = v8_all(w->phase[p]) + (i & 1 ? bend[p] : -bend[p]);
            v8 wave = v8_sin_turns(kx * d[p][0] + ky * d[p][1] + ahead);

            sum->x[p] += x * wave;
            sum->y[p] += y * wave;
        }
    }
}

/// Adds the slopes of ripples to those of texels; `along`: of the rays from the eye; `part`: of
/// them that there is, and with the flow's share that is returned.
static v8 add_ripples(const gy_surface *s, const flow_here *flow, const gy_three *at,
                      const gy_three *along, v8 part, v8 t[8])
{
    const gyre_ripples *r = &s->ripples;
    const gy_relief *relief = &s->relief;
    v8 unit = v8_all(relief->unit), one = v8_all(1.0f), d[GYRE_TEXTURE_PHASES][2];
    gy_three to = three_along(*at, gy_colours_all(s->eye), v8_all(-1.0f));
    float pixel = relief->unit * s->pixel * 6.28318531f;
    // (2 pi w)^2 / 48, w in metres of a pixel across the ray; along it as much more.
    v8 across = three_dot(to, to) * v8_all(pixel * pixel / 48.0f);
    v8 sink = v8_max(v8_abs(along->c[2]), v8_all(0.03f)), longer = one / (sink * sink) - one;
    v8 level = v8_max(along->c[0] * along->c[0] + along->c[1] * along->c[1], v8_all(1e-12f));
    float speed = s->input->settings.ripple_speed;
    v8 per = v8_all(1.0f / r->gust), finer = per * v8_all(4.0f), bend[GYRE_TEXTURE_PHASES];
    v8 gust[GYRE_TEXTURE_PHASES];
    ripple_sum sum;

    longer /= level;
    if (s->input->speed != NULL && speed > 0.0f) {
        v8 v = v8_max(flow->speed, v8_all(0.0f));

        part *= v / (v + v8_all(speed));
    }
    for (int p = 0; p < r->phases; p++) {
        v8 x = d[p][0] = flow->d[p][0] + at->c[0] * unit;
        v8 y = d[p][1] = flow->d[p][1] + at->c[1] * unit;

        x += v8_all(r->place[p][0]);
        y += v8_all(r->place[p][1]);
        gust[p] = v8_value_noise(x * per, y * per);
        bend[p] = v8_all(2.0f) * v8_value_noise((v8_all(0.8f) * x + v8_all(0.6f) * y) * finer,
                                                (v8_all(0.8f) * y - v8_all(0.6f) * x) * finer);
    }
    if (r->phases == 2)
        sum_waves(s, 2, d, bend, along, across, longer, &sum);
    else
        sum_waves(s, r->phases, d, bend, along, across, longer, &sum);
    for (int p = 0; p < r->phases; p++) {
        v8 by = (v8_all(0.2f) + v8_all(1.6f) * gust[p]) * v8_all(r->weight[p]) * part;

        t[GY_TEXEL_SLOPE_X] += sum.x[p] * by;
        t[GY_TEXEL_SLOPE_Y] += sum.y[p] * by;
    }
    return part;
}

/// What pixels leave of lace: of the amplitude of each octave of its noise, and the square of how
/// far the rest would have strayed, as lace is told. Of noise with a value at each whole place,
/// smooth between them, the mean over a length w keeps 1 / sqrt(1 + 0.55 w^2) of the variance (to
/// 3 % where w is small, exactly where it is large), over w by l the product of both. `facing`: of
/// the rays, on the way of (-slopes, 1); seen from above a pixel is as much longer.
typedef struct lace_left {
    v8 part[4], lost;
} lace_left;

static lace_left keep_lace(const gy_surface *s, const gy_three *at, v8 facing, v8 per)
{
    gy_three to = three_along(*at, gy_colours_all(s->eye), v8_all(-1.0f));
    v8 one = v8_all(1.0f), zero = v8_all(0.0f), least = v8_all(0.125f);
    v8 wide = three_dot(to, to) * per * per * v8_all(0.55f * s->pixel * s->pixel);
    v8 deep = wide / (facing * facing);
    lace_left left = {.lost = zero};
    // Of all the first octave's: 0.743^2 / 12, by (8 / 15 / 0.6)^2.
    float variance = 0.03634f;

    for (int octave = 0; octave < 4; octave++) {
        v8 kept = one / v8_sqrt(v8_sqrt((one + wide) * (one + deep)));

        // What is nearly gone is gone, and costs nothing.
        kept = v8_max(kept - least, zero) * v8_all(8.0f / 7.0f);
        left.part[octave] = kept;
        left.lost += v8_all(variance) * (one - kept * kept);
        variance *= 0.25f;
        wide *= v8_all(4.0f);
        deep *= v8_all(4.0f);
    }
    return left;
}

/// Noise less its mean, of what pixels leave of it.
GY_VEC_INLINE v8 lace_noise(const lace_left *left, v8 x, v8 y)
{
    v8 sum = v8_all(0.0f), half = v8_all(0.5f);
    float weight = 8.0f / 15.0f;

    for (int octave = 0; octave < 4 && w8_any(v8_less(v8_all(0.0f), left->part[octave]));
         octave++) {
        v8 turned = v8_all(1.6f) * x + v8_all(1.2f) * y;

        sum += v8_all(weight) * left->part[octave] * (v8_value_noise(x, y) - half);
        weight *= 0.5f;
        y = v8_all(1.6f) * y - v8_all(1.2f) * x;
        x = turned;
    }
    return sum;
}

/// What white water hides: lace where there is little, all where there is much. What of the lace is
/// finer than pixels is there on the mean: whether a place is white is told the more softly for it.
static v8 foam_cover(const gy_surface *s, const flow_here *flow, const gy_three *at, v8 facing,
                     v8 foam)
{
    const gy_relief *r = &s->relief;
    v8 one = v8_all(1.0f), zero = v8_all(0.0f), half = v8_all(0.5f);
    v8 per = v8_all(1.3f / (float)r->fine), lace = zero;

    if (!w8_any(v8_less(zero, foam)))
        return zero;
    lace_left left = keep_lace(s, at, facing, per);

    if (s->flow == NULL || s->flow->phases == 0)
        lace = lace_noise(&left, at->c[0] * per, at->c[1] * per);
    for (int p = 0; s->flow != NULL && s->flow->phases > 0 && p < s->ripples.phases; p++) {
        v8 d[2];

        for (int a = 0; a < 2; a++)
            d[a] = at->c[a] +
                   (flow->d[p][a] + v8_all(s->ripples.place[p][a])) * v8_all(1.0f / r->unit);
        lace += v8_all(s->ripples.weight[p]) * lace_noise(&left, d[0] * per, d[1] * per);
    }
    // The noise stays within 0.2 and 0.8. The step's own variance is 0.3^2 / 5.
    lace = v8_clamp01(lace * v8_all(1.0f / 0.6f) + half);
    v8 part = v8_sqrt(v8_all(0.09f) + v8_all(5.0f) * left.lost);

    return v8_smooth(one - foam - part, one - foam + part, lace) * v8_clamp01(foam * v8_all(5.0f));
}

#endif
