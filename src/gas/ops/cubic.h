// gas/ops/cubic.h: samples at displaced points by cubics, those of Catmull and Rom: along each axis
//   -f g^2/2,  1 + f^2 (3 f - 5)/2,  1 + g^2 (3 g - 5)/2,  -g f^2/2,   g = 1 - f,
// of the samples before, below, above and after the point, f the part of a cell that it lies above
// the second. Third order where a field is smooth; who carries by it limits what comes out to the
// 2^d samples nearest to the point, so that no new extrema appear.
//
// As in gas/ops/sample.h a run of lanes whose displacements differ by less than a cell or so reads
// four or five contiguous samples along x; there are as many rows as it needs, round a periodic
// axis those of its other end, beyond a side the outermost row for any further out. Other runs
// gather. 16 samples in 2D, 64 in 3D.
#ifndef GY_CUBIC_H
#define GY_CUBIC_H

#include "gas/ops/lanes.h"

/// The weights of the four samples.
GY_INLINE void cubic_weights(vf f, vf w[4])
{
    vf g = 1.0f - f, ff = f * f, gg = g * g;
    w[0] = -0.5f * (f * gg);
    w[1] = 1.0f + ff * (1.5f * f - 2.5f);
    w[2] = 1.0f + gg * (1.5f * g - 2.5f);
    w[3] = -0.5f * (g * ff);
}

/// Of which row the sample of row `at` is: see above.
GY_INLINE int cubic_row(const gy_wrap *w, int axis, int at)
{
    int n = w->n[axis];
    if (w->periodic >> axis & 1u) {
        at %= n;
        return at < 0 ? at + n : at;
    }
    return at < -1 ? -1 : at > n ? n : at;
}

/// The rows of a run, from its own, and how many taps there are along each axis: one more than of
/// four where the run's points lie in two cells.
typedef struct cubic_rows {
    ptrdiff_t row[3][5];
    int taps[3];
    int first; // along x
} cubic_rows;

GY_INLINE bool cubic_fit(int dim, const gy_run_lanes *r, const gy_wrap *w, const float *low,
                         const float *high, cubic_rows *rows)
{
    const ptrdiff_t step[3] = {1, r->sy, r->sz};
    for (int a = 0; a < dim; a++) {
        int l = gy_floor(low[a]), u = gy_floor(high[a]);
        if (u - l > 1) {
            return false;
        }
        rows->taps[a] = u - l + 4;
        for (int t = 0; t < rows->taps[a] && a > 0; t++) {
            rows->row[a][t] = (cubic_row(w, a, w->at[a] + l - 1 + t) - w->at[a]) * step[a];
        }
        rows->first = a == 0 ? l - 1 : rows->first;
    }
    // Along x what lies beyond the ends is there for eight samples.
    int end = w->at[0] + r->lanes < w->n[0] ? w->at[0] + r->lanes : w->n[0];
    return !(w->periodic & 1u) ||
           (w->at[0] + rows->first >= -8 && end + rows->first + rows->taps[0] <= w->n[0] + 9);
}

/// Weights of a run's taps: of five the first or the last is 0.
GY_INLINE void cubic_taps(const gy_run_lanes *r, int axis, int first, int taps, int i, vf w[5])
{
    vf x = gy_displacement(r->d[axis] + i, r->mean) - (float)first, c[4];
    if (taps == 4) {
        cubic_weights(x, w);
        return;
    }
    vi upper = (vi)(x >= 1.0f);
    vf zero = gy_splat(0.0f);
    cubic_weights(gy_select(upper, x - 1.0f, x), c);
    w[0] = gy_select(upper, zero, c[0]);
    for (int t = 1; t < 4; t++) {
        w[t] = gy_select(upper, c[t - 1], c[t]);
    }
    w[4] = gy_select(upper, c[3], zero);
}

GY_INLINE void cubic_run(int dim, int taps_x, const gy_run_lanes *r, const cubic_rows *rows,
                         const int k0[3], float *out)
{
    for (int i = 0; i < r->lanes; i += VW) {
        vf w[3][5], sum = gy_splat(0.0f);
        const float *p = r->source + i + rows->first;
        for (int a = 0; a < dim; a++) {
            cubic_taps(r, a, k0[a], a == 0 ? taps_x : rows->taps[a], i, w[a]);
        }
        for (int c = 0; c < (gy_is_3d(dim) ? rows->taps[2] : 1); c++) {
            vf plane = gy_splat(0.0f);
            const float *base = p + (gy_is_3d(dim) ? rows->row[2][c] : 0);
            for (int b = 0; b < rows->taps[1]; b++) {
                const float *q = base + rows->row[1][b];
                vf row = w[0][0] * gy_load(q);
                for (int t = 1; t < taps_x; t++) {
                    row += w[0][t] * gy_load(q + t);
                }
                vf part = w[1][b] * row;
                plane = b > 0 ? plane + part : part;
            }
            if (gy_is_3d(dim)) {
                vf part = w[2][c] * plane;
                sum = c > 0 ? sum + part : part;
            } else {
                sum = plane;
            }
        }
        gy_store(out + i, sum);
    }
}

/// Offsets, from a lane's own sample, of the four samples along an axis.
GY_INLINE void cubic_places(const gy_run_lanes *r, const gy_wrap *w, int axis, int i, vi below,
                            vi o[4])
{
    const ptrdiff_t step[3] = {1, r->sy, r->sz};
    int n = w->n[axis];
    vi at = axis == 0 ? gy_iota(w->at[0] + i) : gy_splat_int(w->at[axis]);
    for (int t = 0; t < 4; t++) {
        vi place = at + below + (t - 1);
        if (w->periodic >> axis & 1u) {
            // As far as n cells and two samples more; of an axis of one cell that is four turns.
            for (int turn = 0; turn < 4; turn++) {
                place += (vi)(place < 0) & n;
                place -= (vi)(place >= n) & n;
            }
        } else {
            // Lanes beyond the end of the row must not look further.
            int low = axis == 0 ? -2 : -1, high = axis == 0 ? n + 2 : n;
            vi under = (vi)(place < low), over = (vi)(place > high);
            place = (place & ~under) | (under & low);
            place = (place & ~over) | (over & high);
        }
        o[t] = (place - at) * (int)step[axis];
    }
}

GY_INLINE void cubic_gathered(int dim, const gy_run_lanes *r, const gy_wrap *wrap, float *out)
{
    for (int i = 0; i < r->lanes; i += VW) {
        vi o[3][4], lane = gy_iota(i);
        vf w[3][4], sum = gy_splat(0.0f);
        for (int a = 0; a < dim; a++) {
            vf d = gy_displacement(r->d[a] + i, r->mean);
            vi below = gy_floor_int(d);
            cubic_weights(d - gy_to_float(below), w[a]);
            cubic_places(r, wrap, a, i, below, o[a]);
        }
        for (int c = 0; c < (gy_is_3d(dim) ? 4 : 1); c++) {
            vf plane = gy_splat(0.0f);
            for (int b = 0; b < 4; b++) {
                vi at = lane + o[1][b];
                if (gy_is_3d(dim)) {
                    at += o[2][c];
                }
                vf row = w[0][0] * gy_gather(r->source, at + o[0][0]);
                for (int t = 1; t < 4; t++) {
                    row += w[0][t] * gy_gather(r->source, at + o[0][t]);
                }
                vf part = w[1][b] * row;
                plane = b > 0 ? plane + part : part;
            }
            if (gy_is_3d(dim)) {
                vf part = w[2][c] * plane;
                sum = c > 0 ? sum + part : part;
            } else {
                sum = plane;
            }
        }
        gy_store(out + i, sum);
    }
}

static GY_NOINLINE void cubic_fit_2d(const gy_run_lanes *r, const cubic_rows *rows, const int k0[3],
                                     float *out)
{
    if (rows->taps[0] == 4) {
        cubic_run(2, 4, r, rows, k0, out);
    } else {
        cubic_run(2, 5, r, rows, k0, out);
    }
}
static GY_NOINLINE void cubic_fit_3d(const gy_run_lanes *r, const cubic_rows *rows, const int k0[3],
                                     float *out)
{
    if (rows->taps[0] == 4) {
        cubic_run(3, 4, r, rows, k0, out);
    } else {
        cubic_run(3, 5, r, rows, k0, out);
    }
}
static GY_NOINLINE void cubic_gather_2d(const gy_run_lanes *r, const gy_wrap *w, float *out)
{
    cubic_gathered(2, r, w, out);
}
static GY_NOINLINE void cubic_gather_3d(const gy_run_lanes *r, const gy_wrap *w, float *out)
{
    cubic_gathered(3, r, w, out);
}

/// One run, where it fits.
GY_INLINE bool cubic_try(int dim, const gy_run_lanes *r, const gy_wrap *w, const float *low,
                         const float *high, float *out)
{
    cubic_rows rows = {.first = 0};
    int k0[3] = {0, 0, 0};
    if (!cubic_fit(dim, r, w, low, high, &rows)) {
        return false;
    }
    for (int a = 0; a < dim; a++) {
        k0[a] = gy_floor(low[a]);
    }
    if (gy_is_3d(dim)) {
        cubic_fit_3d(r, &rows, k0, out);
    } else {
        cubic_fit_2d(r, &rows, k0, out);
    }
    return true;
}

/// A block of lanes, or its runs of 16; low, high: bounds of its displacements. Not limited yet.
GY_INLINE void cubic_block(int dim, const gy_run_lanes *block, const gy_wrap *wrap,
                           const float *low, const float *high, float *out)
{
    if (cubic_try(dim, block, wrap, low, high, out)) {
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
        if (!cubic_try(dim, &s, &w, l, h, out + first)) {
            if (gy_is_3d(dim)) {
                cubic_gather_3d(&s, &w, out + first);
            } else {
                cubic_gather_2d(&s, &w, out + first);
            }
        }
    }
}

#endif
