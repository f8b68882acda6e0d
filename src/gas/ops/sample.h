// gas/ops/sample.h: linear interpolation at displaced points, without gathers wherever the
// displacement varies by less than a cell or so over a run of lanes.
//
// With k0 = floor(min d) over a run and floor(max d) - k0 <= 1, x = d - k0 lies in [0, 2) and a
// sample is a sum over the contiguous taps k0, k0 + 1, k0 + 2 with hat weights
//     w0 = max(0, 1 - x), w2 = max(0, x - 1), w1 = (1 - w0) - w2,
// two taps only on an axis where floor(d) is constant. Runs are a block of 64 lanes, then 16 lanes,
// then a gather: constants of the design, so that all instruction sets round alike.
#ifndef GY_SAMPLE_H
#define GY_SAMPLE_H

#include "gas/ops/args.h"
#include "ops/row/body.h"

/// One run of lanes of one field at one place of the grid.
typedef struct gy_run_lanes {
    const float *source; // the sample at the run's first lane
    const float *d[3];   // displacements at the run's first lane
    ptrdiff_t mean;      // from a lane to its neighbour whose displacement is averaged in; 0: none
    ptrdiff_t sy, sz;
    int lanes; // a multiple of 16
    int k0[3], taps[3];
} gy_run_lanes;

typedef struct gy_hat {
    vf x[3];
    vf w[3][3];
} gy_hat;

GY_INLINE vf gy_displacement(const float *d, ptrdiff_t mean)
{
    vf x = gy_load(d);
    if (mean != 0) {
        x = 0.5f * (x + gy_load(d + mean));
    }
    return x;
}

GY_INLINE void gy_hat_at(int dim, const int taps[3], const gy_run_lanes *r, int i, gy_hat *h)
{
    for (int a = 0; a < dim; a++) {
        vf x = gy_displacement(r->d[a] + i, r->mean) - (float)r->k0[a];
        h->x[a] = x;
        if (taps[a] == 2) {
            h->w[a][0] = 1.0f - x;
            h->w[a][1] = x;
        } else {
            vf w0 = gy_max(1.0f - x, gy_splat(0.0f)), w2 = gy_max(x - 1.0f, gy_splat(0.0f));
            h->w[a][0] = w0;
            h->w[a][1] = (1.0f - w0) - w2;
            h->w[a][2] = w2;
        }
    }
}

GY_INLINE vf gy_hat_sum(int dim, const int taps[3], const float *p, ptrdiff_t sy, ptrdiff_t sz,
                        const gy_hat *h)
{
    vf sum = gy_splat(0.0f);
    for (int c = 0; c < (gy_is_3d(dim) ? taps[2] : 1); c++) {
        vf plane = gy_splat(0.0f);
        for (int b = 0; b < taps[1]; b++) {
            const float *q = p + c * sz + b * sy;
            vf row = h->w[0][0] * gy_load(q) + h->w[0][1] * gy_load(q + 1);
            if (taps[0] == 3) {
                row += h->w[0][2] * gy_load(q + 2);
            }
            vf t = h->w[1][b] * row;
            plane = b > 0 ? plane + t : t;
        }
        if (gy_is_3d(dim)) {
            vf t = h->w[2][c] * plane;
            sum = c > 0 ? sum + t : t;
        } else {
            sum = plane;
        }
    }
    return sum;
}

/// Smallest and largest of the 2^dim samples round the point.
GY_INLINE void gy_hat_range(int dim, const int taps[3], const float *p, ptrdiff_t sy, ptrdiff_t sz,
                            const gy_hat *h, vf *low, vf *high)
{
    vi upper[3];
    for (int a = 0; a < dim; a++) {
        upper[a] = (vi)(h->x[a] >= 1.0f);
    }
    vf lz[3], hz[3];
    for (int c = 0; c < (gy_is_3d(dim) ? taps[2] : 1); c++) {
        vf ly[3], hy[3];
        for (int b = 0; b < taps[1]; b++) {
            const float *q = p + c * sz + b * sy;
            vf end = gy_load(q), middle = gy_load(q + 1);
            if (taps[0] == 3) {
                end = gy_select(upper[0], gy_load(q + 2), end);
            }
            ly[b] = gy_min(middle, end);
            hy[b] = gy_max(middle, end);
        }
        vf el = ly[0], eh = hy[0];
        if (taps[1] == 3) {
            el = gy_select(upper[1], ly[2], el);
            eh = gy_select(upper[1], hy[2], eh);
        }
        lz[c] = gy_min(ly[1], el);
        hz[c] = gy_max(hy[1], eh);
    }
    *low = lz[0];
    *high = hz[0];
    if (gy_is_3d(dim)) {
        vf el = lz[0], eh = hz[0];
        if (taps[2] == 3) {
            el = gy_select(upper[2], lz[2], el);
            eh = gy_select(upper[2], hz[2], eh);
        }
        *low = gy_min(lz[1], el);
        *high = gy_max(hz[1], eh);
    }
}

/// The gather form for a vector of lanes: corner offsets and fractions. A periodic axis wraps.
typedef struct gy_corner {
    vi o[3][2]; // offset of the lower and the upper sample along each axis, in floats
    vf f[3];
    bool beside; // along x the upper sample is always next to the lower
} gy_corner;

typedef struct gy_wrap {
    uint32_t periodic;
    int n[3];
    int at[3]; // index of the run's first lane
} gy_wrap;

GY_INLINE void gy_corner_at(int dim, const gy_run_lanes *r, const gy_wrap *w, int i, gy_corner *c)
{
    const ptrdiff_t stride[3] = {1, r->sy, r->sz};
    c->beside = !(w->periodic & 1u);
    for (int a = 0; a < dim; a++) {
        vf d = gy_displacement(r->d[a] + i, r->mean);
        vi k = gy_floor_int(d);
        c->f[a] = d - gy_to_float(k);
        vi lower = k, upper = k + 1;
        if (w->periodic >> a & 1u) {
            vi at = a == 0 ? gy_iota(w->at[0] + i) : gy_splat_int(w->at[a]);
            int n = w->n[a];
            // Displacements are at most n cells, so one turn either way is enough; a lane beyond
            // the end of the row may need the second.
            for (int turn = 0; turn < 2; turn++) {
                lower += (vi)(at + lower < 0) & n;
                lower -= (vi)(at + lower >= n) & n;
                upper += (vi)(at + upper < 0) & n;
                upper -= (vi)(at + upper >= n) & n;
            }
        }
        c->o[a][0] = lower * (int)stride[a];
        c->o[a][1] = upper * (int)stride[a];
    }
}

/// Interpolates and, where low is given, finds the range of the corners.
GY_INLINE vf gy_corner_sum(int dim, const gy_run_lanes *r, const gy_corner *c, int i, vf *low,
                           vf *high)
{
    const float *p = r->source;
    vi lane = gy_iota(i);
    vf sum = gy_splat(0.0f);
    if (low) {
        *low = *high = sum;
    }
    for (int z = 0; z < (gy_is_3d(dim) ? 2 : 1); z++) {
        vf plane = gy_splat(0.0f);
        for (int y = 0; y < 2; y++) {
            vi o = lane + c->o[1][y];
            if (gy_is_3d(dim)) {
                o += c->o[2][z];
            }
            vf s0, s1;
            if (c->beside) {
                gy_gather_pair(p, o + c->o[0][0], &s0, &s1);
            } else {
                s0 = gy_gather(p, o + c->o[0][0]);
                s1 = gy_gather(p, o + c->o[0][1]);
            }
            vf row = (1.0f - c->f[0]) * s0 + c->f[0] * s1;
            vf t = (y ? c->f[1] : 1.0f - c->f[1]) * row;
            plane = y ? plane + t : t;
            if (low) {
                vf mn = gy_min(s0, s1), mx = gy_max(s0, s1);
                *low = y || z ? gy_min(*low, mn) : mn;
                *high = y || z ? gy_max(*high, mx) : mx;
            }
        }
        if (gy_is_3d(dim)) {
            vf t = (z ? c->f[2] : 1.0f - c->f[2]) * plane;
            sum = z ? sum + t : t;
        } else {
            sum = plane;
        }
    }
    return sum;
}

GY_INLINE int gy_floor(float x)
{
    int k = (int)x;
    return k - (x < (float)k);
}

/// Sets k0 and taps from the range of displacements; false when the run needs gathers. On a
/// periodic axis the taps must stay within the halo (one row or plane; eight samples along x).
GY_INLINE bool gy_taps_fit(int dim, const float *low, const float *high, const gy_wrap *w,
                           int lanes, int k0[3], int taps[3])
{
    for (int a = 0; a < dim; a++) {
        int l = gy_floor(low[a]), u = gy_floor(high[a]);
        if (u - l > 1) {
            return false;
        }
        k0[a] = l;
        taps[a] = u - l + 2;
        if (w->periodic >> a & 1u) {
            if (a == 0) {
                int end = w->at[0] + lanes < w->n[0] ? w->at[0] + lanes : w->n[0];
                if (w->at[0] + l < -8 || end + u > w->n[0] + 7) {
                    return false;
                }
            } else if (w->at[a] + l < -1 || w->at[a] + u + 1 > w->n[a]) {
                return false;
            }
        }
    }
    return true;
}

GY_INLINE ptrdiff_t gy_taps_shift(int dim, const gy_run_lanes *r)
{
    return r->k0[0] + r->k0[1] * r->sy + (gy_is_3d(dim) ? r->k0[2] * r->sz : 0);
}

/// Calls K(dim, x taps, y taps, z taps) with constants.
#define GY_TAPS_2D(K, t)                                                                           \
    switch ((t)[0] * 2 + (t)[1] - 6) {                                                             \
    case 0:                                                                                        \
        K(2, 2, 2, 2);                                                                             \
        break;                                                                                     \
    case 1:                                                                                        \
        K(2, 2, 3, 2);                                                                             \
        break;                                                                                     \
    case 2:                                                                                        \
        K(2, 3, 2, 2);                                                                             \
        break;                                                                                     \
    default:                                                                                       \
        K(2, 3, 3, 2);                                                                             \
    }
#define GY_TAPS_3D(K, t)                                                                           \
    switch ((t)[0] * 4 + (t)[1] * 2 + (t)[2] - 14) {                                               \
    case 0:                                                                                        \
        K(3, 2, 2, 2);                                                                             \
        break;                                                                                     \
    case 1:                                                                                        \
        K(3, 2, 2, 3);                                                                             \
        break;                                                                                     \
    case 2:                                                                                        \
        K(3, 2, 3, 2);                                                                             \
        break;                                                                                     \
    case 3:                                                                                        \
        K(3, 2, 3, 3);                                                                             \
        break;                                                                                     \
    case 4:                                                                                        \
        K(3, 3, 2, 2);                                                                             \
        break;                                                                                     \
    case 5:                                                                                        \
        K(3, 3, 2, 3);                                                                             \
        break;                                                                                     \
    case 6:                                                                                        \
        K(3, 3, 3, 2);                                                                             \
        break;                                                                                     \
    default:                                                                                       \
        K(3, 3, 3, 3);                                                                             \
    }

#endif
