// render/ripples.c: ripples finer than cells, which flow with the water.
//
// A sea of 16 plane waves, the longest L, the others down to L / 4.6, in directions within 60
// degrees of the one that is asked for, each of the same mean slope; each runs by itself, by
//
//     omega^2 = g k + (sigma / rho) k^3,    g = 9.81 m/s^2, sigma / rho = 7.28e-5 m^3/s^2
//
// (capillary-gravity waves: Lamb, Hydrodynamics, art. 266), in coordinates that the water carries
// along (Neyret, Advected textures, 2003: gyre_model_texture()). Lengths and directions follow
// golden ratios, so that no two are in a whole ratio and the pattern never comes again; noise over
// eight lengths makes them wax and wane, noise over two bends their crests, by two turns at most,
// every other wave's the other way: far off only the longest are left, and would make a lattice.
// The i-th wave of phase p is 5 i p / 16 turns ahead, so that of two phases sum cos = 0 over the
// waves and their variances add up: what is blended by w / sqrt(sum w^2) is as steep as one. (Where
// phases have come apart the sum is only near 0.) Offsets move the lace of white water alone: waves
// run on by themselves. A wave of which a pixel is wider than half its length fades by
// (1 - (k w)^2 / 48)^4, which is 0 from some point on, so that far away most cost nothing:
// render/isa/ripple_wide.h.
#include "render/surface.h"

#include <math.h>

static double share(double x)
{
    return x - floor(x);
}

void gyre_ripples_make(const gyre_view_settings *settings, const gyre_grid *grid,
                       const gyre_render_flow *flow, gyre_ripples *r)
{
    if (GY_MISSING("ripples_make", settings) || GY_MISSING("ripples_make", grid) ||
        GY_MISSING("ripples_make", flow) || GY_MISSING("ripples_make", r))
        return;
    const double turn = 6.283185307179586;
    double length = (double)settings->ripple_length, sum = 0.0;
    double towards = (double)settings->ripple_direction / 360.0;

    *r = (gyre_ripples){.phases = flow->phases < 1 ? 1 : flow->phases};
    length = length > 0.0 ? length : 1.5 * (double)grid->h;
    r->gust = (float)(8.0 * length);
    for (int p = 0; p < r->phases; p++) {
        double w = flow->phases < 1 ? 1.0 : (double)flow->weight[p];

        sum += w * w;
        r->weight[p] = (float)w;
        for (int a = 0; a < 2; a++) {
            float offset = flow->phases < 1 ? 0.0f : flow->offset[p][a];

            r->place[p][a] = (float)fmod((double)(offset) + (double)grid->origin[a] +
                                             (double)p * (a == 0 ? 37.7 : 51.3) * (double)r->gust,
                                         1000.0 * (double)r->gust);
        }
    }
    for (int p = 0; p < r->phases; p++)
        r->weight[p] = sum > 0.0 ? (float)((double)r->weight[p] / sqrt(sum)) : 0.0f;
    for (int i = 0; i < GYRE_RIPPLES; i++) {
        double along = (i + 0.5) / GYRE_RIPPLES;
        double k = turn / length * pow(4.6, share(along + 0.31 * share(i * 0.618033989)));
        double angle = turn * (towards + 60.0 / 180.0 * (share(i * 0.754877666 + 0.3) - 0.5));
        double omega = sqrt(9.81 * k + 7.28e-5 * k * k * k);

        r->k[i][0] = (float)(k * cos(angle));
        r->k[i][1] = (float)(k * sin(angle));
        r->slope[i] = settings->ripples * sqrtf(2.0f / GYRE_RIPPLES);
        for (int p = 0; p < r->phases; p++) {
            double at = turn * share(i * 0.569840291 + p * i * 5.0 / GYRE_RIPPLES);

            for (int a = 0; a < 2; a++)
                at += (double)r->k[i][a] * (double)grid->origin[a];
            r->phase[p][i] = (float)(turn * share((at - omega * flow->time) / turn));
        }
    }
}

void gy_ripples_ready(const gyre_ripples *r, gy_ripple waves[GYRE_RIPPLES])
{
    const float turn = 0.15915494f;

    for (int i = 0; i < GYRE_RIPPLES; i++) {
        gy_ripple *w = &waves[i];

        w->square = 0.0f;
        for (int a = 0; a < 2; a++) {
            w->turns[a] = r->k[i][a] * turn;
            w->square += w->turns[a] * w->turns[a];
        }
        for (int a = 0; a < 2; a++)
            w->slope[a] = r->slope[i] * w->turns[a] / sqrtf(w->square);
        for (int p = 0; p < r->phases; p++)
            w->phase[p] = r->phase[p][i] * turn;
    }
}
