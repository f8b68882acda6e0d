// gas/ops/condense.c: what clouds do, in each cell that holds gas, over a step. Fields are what is
// there beside the surroundings of the level: t and v of heat (potential temperature) and vapour;
// c of cloud and r of rain, of which there is none outside. With the surroundings' theta and q,
// T = exner (theta + t), L / cp = l, and s(T) the mixing ratio of saturation (gas/ops/steam.h):
//
//     t -= sum over both faces across the upward axis of U (change of theta across it) / 2
//     v -= the same of q                       U = volume that passes: rising in what is outside
//     d: q + v - d = s(T + l d), d >= -c        saturation, by Newton's method
//     v -= d,  c += d,  t += l d / exner
//     a = (1 - exp(-k1 dt)) max(c - c0, 0)      drops grow together
//     b = (c - a) x / (1 + x), x = k2 dt r^0.875   and collect
//     c -= a + b,  r += a + b
//     e = min(r, s - q - v over 1 + l s', dt E) evaporate, where air is not saturated
//     r -= e,  v += e,  t -= l e / exner
//
// E after E. Kessler (Meteorol. Monogr. 10, 1969) as J. Klemp and R. Wilhelmson have it (J. Atmos.
// Sci. 35, 1978, 2.14), as are k1, c0 and k2. With a change that is even, what rises loses as much
// as buoyancy on the same faces gives it: an oscillation keeps its energy.
//
// Bytes per cell: reads 24 and writes 16. About 40 operations where air is dry, 400 where it is
// saturated; groups of cells that are neither near saturation nor hold drops are left after one
// look.
#include "gas/ops/condense.h"
#include "gas/ops/flux.h"
#include "gas/ops/gas_row.h"
#include "gas/ops/steam.h"

enum { NEWTON = 5 };
/// Fields are cut to this.
#define LIMIT 1e20f

enum { HEAT, VAPOUR, WATER, RAIN, LIFTED, RAISED, SUMS };

typedef struct cloud {
    const gy_condense_args *a;
    gy_flux f;
    double sum[SUMS];
} cloud;

/// `after` where the cell holds gas; adds what that has won.
GY_INLINE vf take(vi gas, vf before, vf after, gy_sum *sum, int i)
{
    after = gy_clamp(after, gy_splat(-LIMIT), gy_splat(LIMIT));
    after = gy_select(gas, gy_flush(after), before);
    gy_sum_add(sum, i, after - before);
    return after;
}

/// Air and what is in it.
typedef struct moist {
    vf t, v, c, r;
} moist;

/// To saturation: returns what condenses.
GY_INLINE vf settle(const float *level, const moist *m, vf *latent, vf *kelvin)
{
    float exner = level[GY_LEVEL_EXNER], pressure = level[GY_LEVEL_PRESS];
    *kelvin = exner * (level[GY_LEVEL_WARM] + m->t);
    vf t = gy_clamp(*kelvin, gy_splat(150.0f), gy_splat(350.0f));
    *latent = (2.501e6f - 2370.0f * (t - 273.15f)) * (1.0f / GY_AIR_HEAT);
    vf q = level[GY_LEVEL_VAPOUR] + m->v, d = gy_splat(0.0f), slope;
    for (int n = 0; n < NEWTON; n++) {
        vf s = gy_steam_most(*kelvin + *latent * d, pressure, &slope);
        d += ((q - d) - s) / (1.0f + *latent * slope);
    }
    return gy_max(d, -gy_max(m->c, gy_splat(0.0f)));
}

/// Rain: what drops take of the cloud, and lose where air is dry. Kelvin: after settling.
GY_INLINE void drop(const gy_condense_args *a, const float *level, moist *m, vf kelvin, vf latent,
                    vf *evaporated)
{
    vf none = gy_splat(0.0f), c = gy_max(m->c, none), r = gy_max(m->r, none), slope;
    vf grows = a->part * gy_max(c - a->least, none);
    vf x = a->collect * gy_steam_power(r, 0.875f), more = (c - grows) * (x / (1.0f + x));
    m->c -= grows + more;
    m->r += grows + more;
    float pressure = level[GY_LEVEL_PRESS], weight = 1e-3f * level[GY_LEVEL_WEIGHT];
    vf s = gy_steam_most(kelvin, pressure, &slope), q = level[GY_LEVEL_VAPOUR] + m->v;
    vf wet = weight * gy_max(m->r, none), lacks = gy_max(s - q, none);
    vf airs = 1.6f + 124.9f * gy_steam_power(wet, 0.2046f);
    vf speed = ((lacks / s) * (airs * gy_steam_power(wet, 0.525f))) /
               (weight * (5.4e5f + 2.55e6f / (0.01f * pressure * s)));
    *evaporated =
        gy_min(a->dry * speed, gy_min(lacks / (1.0f + latent * slope), gy_max(m->r, none)));
}

/// A block of a row from sample o on; in: where it holds gas, NULL: everywhere.
static void block(const cloud *w, const float *level, const float *in, ptrdiff_t o, int i0,
                  int lanes, const float *low, const float *high, gy_sum sum[SUMS])
{
    const gy_condense_args *a = w->a;
    float *heat = gy_at(a->base, a->temperature) + o;
    float *vapour = a->vapour ? gy_at(a->base, a->vapour) + o : NULL;
    float *water = gy_at(a->base, a->water) + o,
          *rain = a->rain ? gy_at(a->base, a->rain) + o : NULL;
    const float *above = level + GY_LEVEL_FLOATS;
    float exner = 1.0f / level[GY_LEVEL_EXNER];
    for (int i = 0; i < lanes; i += VW) {
        vi gas = in ? (vi)gy_load(in + i) : gy_splat_int(-1);
        vf t = gy_load(heat + i), below = gy_load(low + i), up = gy_load(high + i);
        vf lifts = below * level[GY_LEVEL_HEAT_UP] + up * above[GY_LEVEL_HEAT_UP];
        t = take(gas, t, t - lifts, &sum[LIFTED], i0 + i);
        if (!vapour) {
            gy_store(heat + i, t);
            continue;
        }
        vf v = gy_load(vapour + i),
           raises = below * level[GY_LEVEL_DAMP_UP] + up * above[GY_LEVEL_DAMP_UP];
        v = take(gas, v, v - raises, &sum[RAISED], i0 + i);
        moist m = {t, v, gy_load(water + i), rain ? gy_load(rain + i) : gy_splat(0.0f)}, was = m;
        vf latent, kelvin, d = settle(level, &m, &latent, &kelvin), e = gy_splat(0.0f);
        // No lane may decide for another: where nothing turns to anything all stays as it was.
        if (gy_any((vi)(d != 0.0f) | (vi)(m.r > 0.0f) | (vi)(m.c > 0.0f))) {
            m.c += d;
            if (rain) {
                m.v -= d;
                drop(a, level, &m, kelvin + latent * d, latent, &e);
                m.r -= e;
                gy_store(rain + i, take(gas, was.r, m.r, &sum[RAIN], i0 + i));
            }
            gy_store(water + i, take(gas, was.c, m.c, &sum[WATER], i0 + i));
            v = take(gas, v, v - (d - e), &sum[VAPOUR], i0 + i);
            t = take(gas, t, t + (latent * (d - e)) * exner, &sum[HEAT], i0 + i);
        }
        gy_store(vapour + i, v);
        gy_store(heat + i, t);
    }
}

void GY_BODY(condense)(const void *args, const gy_box *box, int task)
{
    const gy_condense_args *a = args;
    const gy_extent *e = &a->extent;
    cloud w = {.a = a,
               .f = gy_flux_make(a->base, a->wind, a->level, e, a->periodic, a->open_sides,
                                 a->given, a->pace)};
    int end = gy_round_up(e->n[0], GY_LANES);
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            gy_sum sum[SUMS];
            float gas[GY_BLOCK + GY_FLUX_SLACK], low[GY_BLOCK + GY_FLUX_SLACK],
                high[GY_BLOCK + GY_FLUX_SLACK];
            const float *level = gy_at(a->base, a->levels) +
                                 (ptrdiff_t)((a->axis == 1 ? j : k) + 1) * GY_LEVEL_FLOATS;
            for (int q = 0; q < SUMS; q++) {
                sum[q] = gy_sum_zero();
            }
            for (int i0 = 0; i0 < end; i0 += GY_BLOCK) {
                int lanes = GY_MIN(GY_BLOCK, end - i0);
                const float *in = gy_gas_row(&w.f, j, k, i0, lanes, gas);
                gy_flux_row(&w.f, a->axis, j, k, i0, lanes, low);
                gy_flux_row(&w.f, a->axis, j + (a->axis == 1), k + (a->axis == 2), i0, lanes, high);
                block(&w, level, in, (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz + i0, i0, lanes,
                      low, high, sum);
            }
            for (int q = 0; q < SUMS; q++) {
                w.sum[q] += gy_sum_fold(&sum[q]);
            }
        }
    }
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task,
           *more = (double *)(void *)gy_at(a->base, a->more) + 4 * task;
    for (int q = 0; q < 4; q++) {
        partial[q] = w.sum[q];
        more[q] = q < 2 ? w.sum[LIFTED + q] : 0.0;
    }
}
