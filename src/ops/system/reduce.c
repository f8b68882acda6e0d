// ops/system/reduce.c: cyclic reduction of the equations along one axis, 32 lines at a time.
//
//     d[i] x[i] - e (x[i - 1] + x[i + 1]) = b[i],   d[i] = z[i] + (sum of the e of its faces)
//
// Half a level's unknowns, the odd ones, are put in terms of their neighbours and leave a system of
// the same form in the even ones; and so on until one is left (R. Hockney, 1965). Any n: the first
// unknown always stays, and the last is one of its own. Along a periodic axis the last and the
// first are neighbours by g.
//
// Why it is stable: what is kept is not the diagonal but the excess z of a row, its sum, which is
// positive or 0. With r = e / d,
//
//     e' = e r,   z' = z + 2 r z,   b' = b[i] + r (b[i - 1] + b[i + 1]),   d = z + 2 e,
//
// are sums and products of positive numbers: nothing cancels, every coefficient keeps all its
// digits however small z is beside e, and r < 1/2 lets no rounding error grow. (Reduction of the
// unscaled equations, d' = d^2 - 2, squares d at each level, which overflows, and loses d - 2.)
//
// Cost: 5 operations and about 12 bytes per cell in the cache; 8 bytes per cell to memory.
#include "ops/system/transform.h"

enum { LEVELS = 16 };

/// One level's part in the system.
typedef struct row_sums {
    vf e, g, first, inner, last; // e, g; z of the first row, of those inside, of the last
} row_sums;

/// What the eliminated rows of a level are multiplied by: e / d, 1 / d; the last row: e / d, g / d,
/// 1 / d.
typedef struct ratios {
    float r[GY_LINES], inverse[GY_LINES];
    float last[GY_LINES], seam[GY_LINES], last_inverse[GY_LINES];
} ratios;

/// e / d; what is too small to count is 0, so that no product of it is denormal.
GY_INLINE vf ratio(vf e, vf d)
{
    vf r = e / d;
    return (vf)((vi)r & (vi)(r > 1e-20f));
}

/// From a level of `count` rows to the next.
GY_INLINE void next_level(row_sums *s, int count, int lane, ratios *t)
{
    vf zero = gy_splat(0.0f), d = s->inner + 2.0f * s->e, r = zero, last = zero, seam = zero;
    if (count > 2) {
        r = ratio(s->e, d);
        gy_store(t->inverse + lane, 1.0f / d);
    }
    gy_store(t->r + lane, r);
    vf through = r * s->inner, first = s->first, end = s->last;
    first += count > 2 ? through : zero;
    if (count % 2 == 0) {
        vf d_last = s->last + (s->e + s->g);
        last = ratio(s->e, d_last);
        seam = ratio(s->g, d_last);
        gy_store(t->last_inverse + lane, 1.0f / d_last);
        first += seam * s->last;
        if (count == 2) {
            first += last * s->last;
        }
        end = (s->inner + through) + last * s->last;
        s->g = last * s->g;
    } else {
        end += through;
    }
    gy_store(t->last + lane, last);
    gy_store(t->seam + lane, seam);
    s->first = first;
    s->inner += 2.0f * through;
    s->last = end;
    s->e *= r;
}

GY_INLINE float *at(float *buffer, int i, int step)
{
    return buffer + (ptrdiff_t)i * step * GY_LINES;
}

/// Right-hand sides of the even rows, `step` elements apart from row to row.
static void reduce(float *buffer, int count, int step, const ratios *t)
{
    for (int i = 0; i < count; i += 2) {
        bool before_last = i + 1 == count - 1;
        const float *up = at(buffer, i + 1 < count ? i + 1 : i, step);
        const float *down = at(buffer, i > 0 ? i - 1 : 0, step);
        float *here = at(buffer, i, step);
        for (int lane = 0; lane < GY_LINES; lane += VW) {
            vf r = gy_load(t->r + lane), b = gy_load(here + lane);
            if (i > 0 && i + 1 < count && !before_last) {
                b += r * (gy_load(down + lane) + gy_load(up + lane));
            } else {
                b += i > 0 ? r * gy_load(down + lane) : gy_splat(0.0f);
                if (i + 1 < count) {
                    b += (before_last ? gy_load(t->last + lane) : r) * gy_load(up + lane);
                }
            }
            gy_store(here + lane, b);
        }
    }
    if (count % 2 == 0) {
        const float *last = at(buffer, count - 1, step);
        for (int lane = 0; lane < GY_LINES; lane += VW) {
            gy_store(buffer + lane,
                     gy_load(buffer + lane) + gy_load(t->seam + lane) * gy_load(last + lane));
        }
    }
}

/// The odd rows' unknowns from the even ones'.
static void substitute(float *buffer, int count, int step, const ratios *t)
{
    for (int i = 1; i + 1 < count; i += 2) {
        float *here = at(buffer, i, step);
        const float *down = at(buffer, i - 1, step), *up = at(buffer, i + 1, step);
        for (int lane = 0; lane < GY_LINES; lane += VW) {
            vf x = gy_load(here + lane) * gy_load(t->inverse + lane);
            x += gy_load(t->r + lane) * (gy_load(down + lane) + gy_load(up + lane));
            gy_store(here + lane, x);
        }
    }
    if (count % 2 == 0) {
        float *here = at(buffer, count - 1, step);
        const float *down = at(buffer, count - 2, step);
        for (int lane = 0; lane < GY_LINES; lane += VW) {
            vf x = gy_load(here + lane) * gy_load(t->last_inverse + lane);
            x += gy_load(t->last + lane) * gy_load(down + lane);
            x += gy_load(t->seam + lane) * gy_load(buffer + lane);
            gy_store(here + lane, x);
        }
    }
}

/// Solves along the 32 lines in a buffer. `values`: what the other axes and the shift add to the
/// diagonal.
static void solve(const gy_fft_axis *t, float *buffer, const float *values)
{
    ratios levels[LEVELS];
    int count[LEVELS], l = 0;
    row_sums sums[GY_LINES / VW];
    for (int q = 0; q < GY_LINES / VW; q++) {
        vf z = gy_load(values + q * VW);
        bool one = t->n == 1;
        sums[q] = (row_sums){.e = gy_splat(1.0f),
                             .g = gy_splat(t->periodic ? 1.0f : 0.0f),
                             .first = z + (t->end[0] + (one ? t->end[1] : 0.0f)),
                             .inner = z,
                             .last = z + t->end[1]};
    }
    for (count[0] = t->n; count[l] > 1; l++) {
        for (int q = 0; q < GY_LINES / VW; q++) {
            next_level(&sums[q], count[l], q * VW, &levels[l]);
        }
        reduce(buffer, count[l], 1 << l, &levels[l]);
        count[l + 1] = (count[l] + 1) / 2;
    }
    for (int q = 0; q < GY_LINES / VW; q++) {
        gy_store(buffer + q * VW, gy_held(gy_load(buffer + q * VW), sums[q].first));
    }
    while (l-- > 0) {
        substitute(buffer, count[l], 1 << l, &levels[l]);
    }
}

void GY_BODY(reduce)(const void *args, const gy_box *box, int task)
{
    const gy_transform_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const gy_level *l = g.l;
    const gy_fft_axis *axes = (const gy_fft_axis *)(uintptr_t)a->axes, *t = &axes[a->axis];
    int which, rows = l->n[1] * l->n[2];
    float *buffer = gy_scratch_claim(a->scratch, &which), values[GY_LINES];
    (void)task;
    for (int block = box->low[0]; block < box->high[0]; block++) {
        if (a->axis == 0) {
            gy_rows lines = gy_rows_of(l, g.x[0], block * GY_LINES, rows);
            gy_rows_values(l, axes, block * GY_LINES, rows, values);
            gy_rows_load(&lines, t->n, NULL, buffer);
            solve(t, buffer, values);
            gy_rows_store(&lines, t->n, NULL, buffer);
        } else {
            int foot[3];
            gy_columns_at(l, a->axis, block, foot);
            gy_columns lines = gy_columns_of(l, g.x[0], foot, t->at_place);
            gy_columns_values(l, axes, a->other, foot, values);
            gy_columns_load(&lines, t->n, buffer);
            solve(t, buffer, values);
            gy_columns_store(&lines, t->n, buffer);
        }
    }
    gy_scratch_release(a->scratch, which);
}
