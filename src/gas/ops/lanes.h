// gas/ops/lanes.h: interpolation of one run of lanes, whatever its displacements: hats, or gathers.
#ifndef GY_LANES_H
#define GY_LANES_H

#include "gas/ops/sample.h"

#define GY_LINEAR_BODY(dim, X, Y, Z)                                                               \
    do {                                                                                           \
        const int taps[3] = {X, Y, Z};                                                             \
        for (int i = 0; i < r->lanes; i += VW) {                                                   \
            gy_hat h;                                                                              \
            gy_hat_at(dim, taps, r, i, &h);                                                        \
            gy_store(out + i, gy_hat_sum(dim, taps, r->source + i, r->sy, r->sz, &h));             \
        }                                                                                          \
    } while (0)

#define GY_RANGE_BODY(dim, X, Y, Z)                                                                \
    do {                                                                                           \
        const int taps[3] = {X, Y, Z};                                                             \
        for (int i = 0; i < r->lanes; i += VW) {                                                   \
            gy_hat h;                                                                              \
            for (int a = 0; a < dim; a++) {                                                        \
                h.x[a] = gy_displacement(r->d[a] + i, r->mean) - (float)r->k0[a];                  \
            }                                                                                      \
            vf low, high;                                                                          \
            gy_hat_range(dim, taps, r->source + i, r->sy, r->sz, &h, &low, &high);                 \
            gy_store(out + i, gy_clamp(gy_load(out + i), low, high));                              \
        }                                                                                          \
    } while (0)

static GY_NOINLINE void linear_2d(const gy_run_lanes *r, float *out)
{
    GY_TAPS_2D(GY_LINEAR_BODY, r->taps)
}
static GY_NOINLINE void linear_3d(const gy_run_lanes *r, float *out)
{
    GY_TAPS_3D(GY_LINEAR_BODY, r->taps)
}
static GY_NOINLINE void linear_gather(int dim, const gy_run_lanes *r, const gy_wrap *w, float *out)
{
    for (int i = 0; i < r->lanes; i += VW) {
        gy_corner c;
        if (gy_is_3d(dim)) {
            gy_corner_at(3, r, w, i, &c);
            gy_store(out + i, gy_corner_sum(3, r, &c, i, NULL, NULL));
        } else {
            gy_corner_at(2, r, w, i, &c);
            gy_store(out + i, gy_corner_sum(2, r, &c, i, NULL, NULL));
        }
    }
}

GY_INLINE void gy_widen(vf x, vf *low, vf *high)
{
    *low = gy_min(*low, x);
    *high = gy_max(*high, x);
}

/// The range of displacements over a run of lanes, exactly.
GY_INLINE void gy_lane_range(int dim, const gy_run_lanes *r, float *low, float *high)
{
    for (int a = 0; a < dim; a++) {
        vf l = gy_displacement(r->d[a], r->mean), h = l;
        for (int i = VW; i < r->lanes; i += VW) {
            gy_widen(gy_displacement(r->d[a] + i, r->mean), &l, &h);
        }
        low[a] = gy_lane_min(l);
        high[a] = gy_lane_max(h);
    }
}

/// What is done with a run once its taps are known to fit, or not.
typedef void gy_run_fit(int dim, const gy_run_lanes *r, void *data, int first);
typedef void gy_run_gather(int dim, const gy_run_lanes *r, const gy_wrap *w, void *data, int first);

/// Tries the block, then its runs of 16 lanes. `low`, `high`: bounds of the displacements over the
/// block.
GY_INLINE void gy_each_run(int dim, const gy_run_lanes *block, const gy_wrap *wrap,
                           const float *low, const float *high, gy_run_fit *fit,
                           gy_run_gather *gather, void *data)
{
    gy_run_lanes r = *block;
    if (gy_taps_fit(dim, low, high, wrap, r.lanes, r.k0, r.taps)) {
        r.source += gy_taps_shift(dim, &r);
        fit(dim, &r, data, 0);
        return;
    }
    for (int first = 0; first < block->lanes; first += GY_LANES) {
        gy_run_lanes s = *block;
        gy_wrap w = *wrap;
        float l[3], h[3];
        s.source += first;
        for (int a = 0; a < dim; a++) {
            s.d[a] += first;
        }
        s.lanes = GY_LANES;
        w.at[0] += first;
        gy_lane_range(dim, &s, l, h);
        if (gy_taps_fit(dim, l, h, &w, GY_LANES, s.k0, s.taps)) {
            s.source += gy_taps_shift(dim, &s);
            fit(dim, &s, data, first);
        } else {
            gather(dim, &s, &w, data, first);
        }
    }
}

GY_INLINE void gy_linear_fit(int dim, const gy_run_lanes *r, void *data, int first)
{
    float *out = (float *)data + first;
    if (gy_is_3d(dim)) {
        linear_3d(r, out);
    } else {
        linear_2d(r, out);
    }
}
GY_INLINE void gy_linear_gather(int dim, const gy_run_lanes *r, const gy_wrap *w, void *data,
                                int first)
{
    linear_gather(dim, r, w, (float *)data + first);
}

#endif
