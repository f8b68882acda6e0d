// water/ops/dispersive_lines.c: what mode dispersive does along whole lines: the low-pass that
// parts bulk from surface, 32 lines at a time, and Fourier transforms, 16 pairs at a time.
//
// The low-pass of a line x is one implicit step of diffusion, y = x + d with
//
//     (1 + K) d = -K x,   (K x)_i = w_i (x_i - x_(i-1)) - w_(i+1) (x_(i+1) - x_i)
//
// w the widths squared of faces, in cells. It acts on a wave as 1 / (1 + w k^2), keeps sums, and is
// written in differences that constants do not have: these stay as they are to the bit. The
// factors of elimination are sums of what is positive,
//
//     s_i = 1 + w_i s_(i-1) / (s_(i-1) + w_i),   pivot_i = s_i + w_(i+1)
//
// so that however wide the filter is, the 1 is not lost. A periodic line is the open one plus a
// multiple of its answer to a pair of sources at its ends (Sherman and Morrison). What of flow
// across walls is a mirror image of the other sign adds 2 w to the diagonal there.
//
// Cost: three factorisations and six solves a line, each 5 to 10 operations and 1 division per
// cell; each cell waits for the one before, so all 32 lines go forward together. Transforms as in
// ops/system/fft.c.
#include "ops/row/body.h"
#include "ops/system/stages.h"
#include "water/ops/args.h"
#include "water/ops/dispersive.h"

enum { L = GY_DISPERSIVE_LINES, VECTORS = L / VW };

/// Lines from `first` on along an axis, `lines` of them, into a buffer: element `order[i]` (i) from
/// cell i; `step` floats from one to the next.
GY_INLINE void load_some(const gy_dispersive *d, int axis, const float *from, int first, int lines,
                         float *to, int step, const int32_t *order)
{
    int n = d->n[axis];
    if (axis == 1) {
        for (int i = 0; i < n; i++) {
            float *at = to + (ptrdiff_t)step * (order ? order[i] : i);
            for (int l = 0; l < lines; l += VW) {
                gy_store(at + l, gy_load(from + (ptrdiff_t)i * d->stride + first + l));
            }
        }
        return;
    }
    for (int i = 0; i < n; i += VW) {
        for (int l = 0; l < lines; l += VW) {
            vf t[VW];
            for (int q = 0; q < VW; q++) {
                int row = GY_MIN(first + l + q, d->n[1] - 1);
                t[q] = gy_load(from + (ptrdiff_t)row * d->stride + i);
            }
            gy_transpose(t);
            for (int q = 0; q < VW && i + q < n; q++) {
                gy_store(to + (ptrdiff_t)step * (order ? order[i + q] : i + q) + l, t[q]);
            }
        }
    }
}

/// The way back. Beyond the cells rows get 0.
GY_INLINE void store_some(const gy_dispersive *d, int axis, float *to, int first, int lines,
                          const float *from, int step, const int32_t *order)
{
    int n = d->n[axis];
    if (axis == 1) {
        for (int i = 0; i < n; i++) {
            const float *at = from + (ptrdiff_t)step * (order ? order[i] : i);
            for (int l = 0; l < lines; l += VW) {
                gy_store(to + (ptrdiff_t)i * d->stride + first + l, gy_load(at + l));
            }
        }
        return;
    }
    for (int i = 0; i < n; i += VW) {
        for (int l = 0; l < lines && first + l < d->n[1]; l += VW) {
            vf t[VW];
            for (int q = 0; q < VW; q++) {
                t[q] = gy_splat(0.0f);
                if (i + q < n) {
                    t[q] = gy_load(from + (ptrdiff_t)step * (order ? order[i + q] : i + q) + l);
                }
            }
            gy_transpose(t);
            for (int q = 0; q < VW && first + l + q < d->n[1]; q++) {
                gy_store(to + (ptrdiff_t)(first + l + q) * d->stride + i, t[q]);
            }
        }
    }
}

/// The same of the low-pass.
static void load_lines(const gy_dispersive *d, int axis, const float *from, int first, float *to)
{
    load_some(d, axis, from, first, L, to, L, NULL);
}

static void store_lines(const gy_dispersive *d, int axis, float *to, int first, const float *from)
{
    store_some(d, axis, to, first, L, from, L, NULL);
}

// ---- low-pass

/// The lines of a task: L floats per cell each.
typedef struct lines {
    int n;
    bool periodic;
    float *width;        // n + 1, of faces; below 0: a wall
    const float *weight; // of cells; NULL: 1
    float *pivot;        // 1 / pivot
    float *x, *y, *ends;
} lines;

GY_INLINE vf width_of(vf w)
{
    return gy_max(w, gy_splat(0.0f));
}

/// What walls add to the diagonal of a cell, for flow across them.
GY_INLINE vf wall_of(vf low, vf high)
{
    vf zero = gy_splat(0.0f);
    return 2.0f * (gy_max(-low, zero) + gy_max(-high, zero));
}

static void factorise(const lines *t, bool across)
{
    vf before[VECTORS], low[VECTORS], one = gy_splat(1.0f);
    for (int v = 0; v < VECTORS; v++) {
        before[v] = one;
        low[v] = gy_splat(0.0f);
    }
    for (int i = 0; i < t->n; i++) {
        for (int v = 0; v < VECTORS; v++) {
            ptrdiff_t at = (ptrdiff_t)L * i + v * VW;
            vf face = gy_load(t->width + at), next = gy_load(t->width + at + L);
            vf base = t->weight ? gy_load(t->weight + at) : one;
            if (across) {
                base += wall_of(face, next);
            }
            vf high = i + 1 < t->n ? width_of(next) : gy_splat(0.0f);
            vf s = base + low[v] * (before[v] / (before[v] + low[v]));
            gy_store(t->pivot + at, 1.0f / (s + high));
            before[v] = s;
            low[v] = high;
        }
    }
}

/// In place, from right side to solution.
static void solve(const lines *t, float *y)
{
    vf u[VECTORS];
    for (int v = 0; v < VECTORS; v++) {
        u[v] = gy_splat(0.0f);
    }
    for (int i = 0; i < t->n; i++) {
        for (int v = 0; v < VECTORS; v++) {
            ptrdiff_t at = (ptrdiff_t)L * i + v * VW;
            vf low = i > 0 ? width_of(gy_load(t->width + at)) : gy_splat(0.0f);
            u[v] = gy_flush((gy_load(y + at) + low * u[v]) * gy_load(t->pivot + at));
            gy_store(y + at, u[v]);
        }
    }
    for (int i = t->n - 2; i >= 0; i--) {
        for (int v = 0; v < VECTORS; v++) {
            ptrdiff_t at = (ptrdiff_t)L * i + v * VW;
            vf high = width_of(gy_load(t->width + at + L)) * gy_load(t->pivot + at);
            u[v] = gy_flush(gy_load(y + at) + high * u[v]);
            gy_store(y + at, u[v]);
        }
    }
}

/// The answer to +1 in the first cell and -1 in the last.
static void answer_ends(const lines *t)
{
    for (int i = 0; i < t->n; i++) {
        float source = (i == 0 ? 1.0f : 0.0f) - (i == t->n - 1 ? 1.0f : 0.0f);
        for (int l = 0; l < L; l += VW) {
            gy_store(t->ends + (ptrdiff_t)L * i + l, gy_splat(source));
        }
    }
    solve(t, t->ends);
}

/// y: what the low-pass adds to x.
static void filter(const lines *t, bool across)
{
    ptrdiff_t last = (ptrdiff_t)L * (t->n - 1);
    for (int l = 0; l < L; l += VW) {
        vf first = gy_load(t->x + l), end = gy_load(t->x + last + l);
        vf round = t->periodic ? width_of(gy_load(t->width + l)) : gy_splat(0.0f);
        vf flow = round * (first - end);
        vf low = flow, here = first;
        for (int i = 0; i < t->n; i++) {
            ptrdiff_t at = (ptrdiff_t)L * i + l;
            vf next = here, high = flow;
            if (i + 1 < t->n) {
                next = gy_load(t->x + at + L);
                high = width_of(gy_load(t->width + at + L)) * (next - here);
            }
            vf right = high - low;
            if (across) {
                right -= wall_of(gy_load(t->width + at), gy_load(t->width + at + L)) * here;
            }
            gy_store(t->y + at, right);
            low = high;
            here = next;
        }
    }
    solve(t, t->y);
    for (int l = 0; l < L && t->periodic; l += VW) {
        vf round = width_of(gy_load(t->width + l));
        vf gap = gy_load(t->y + l) - gy_load(t->y + last + l);
        vf own = gy_load(t->ends + l) - gy_load(t->ends + last + l);
        vf share = round * gap / (1.0f + round * own);
        for (int i = 0; i < t->n; i++) {
            ptrdiff_t at = (ptrdiff_t)L * i + l;
            gy_store(t->y + at, gy_load(t->y + at) - share * gy_load(t->ends + at));
        }
    }
}

/// Depths, from dry_depth on, and the widths of faces times the lesser depth at them.
static void weigh(const gy_dispersive *d, const lines *t, float *depth, float *width)
{
    vf least = gy_splat(d->dry);
    for (ptrdiff_t at = 0; at < (ptrdiff_t)L * t->n; at += VW) {
        gy_store(depth + at, gy_max(gy_load(depth + at), least));
    }
    for (int i = 0; i <= t->n; i++) {
        ptrdiff_t here = (ptrdiff_t)L * (i < t->n ? i : t->periodic ? 0 : t->n - 1);
        ptrdiff_t before = (ptrdiff_t)L * (i > 0 ? i - 1 : t->periodic ? t->n - 1 : 0);
        for (int l = 0; l < L; l += VW) {
            vf a = gy_load(depth + before + l), b = gy_load(depth + here + l);
            ptrdiff_t at = (ptrdiff_t)L * i + l;
            vf w = gy_load(t->width + at);
            gy_store(width + at, w * gy_select((vi)(w > 0.0f * w), gy_min(a, b), gy_max(a, b)));
        }
    }
}

/// `sweeps` of the low-pass one after the other, while the lines are here.
static void smooth_surface(const gy_dispersive *d, const lines *t, int first, int sweeps)
{
    load_lines(d, d->axis, d->surface, first, t->x);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        filter(t, false);
        for (ptrdiff_t at = 0; at < (ptrdiff_t)L * t->n; at += VW) {
            gy_store(t->x + at, gy_load(t->x + at) + gy_load(t->y + at));
        }
    }
    store_lines(d, d->axis, d->surface, first, t->x);
}

/// Of the discharge along axis a the velocity, weighted by depth.
static void smooth_flow(const gy_dispersive *d, const lines *t, int first, int a, float *other)
{
    int axis = d->axis;
    float *flow = a == 0 ? d->qx : d->qy, *rest = a == 0 ? d->tx : d->ty;
    ptrdiff_t size = (ptrdiff_t)L * t->n;
    load_lines(d, axis, flow, first, t->x);
    load_lines(d, axis, rest, first, other);
    for (ptrdiff_t at = 0; at < size; at += VW) {
        gy_store(t->x + at, gy_load(t->x + at) / gy_load(t->weight + at));
    }
    for (int sweep = 0; sweep < 2; sweep++) {
        filter(t, a == axis);
        for (ptrdiff_t at = 0; at < size; at += VW) {
            vf y = gy_load(t->y + at);
            gy_store(t->x + at, gy_load(t->x + at) + y);
            gy_store(other + at, gy_load(other + at) - y * gy_load(t->weight + at));
        }
    }
    for (ptrdiff_t at = 0; at < size; at += VW) {
        gy_store(t->x + at, gy_load(t->x + at) * gy_load(t->weight + at));
    }
    store_lines(d, axis, flow, first, t->x);
    store_lines(d, axis, rest, first, other);
}

static void smooth(const gy_dispersive *d, int first, float *scratch)
{
    int axis = d->axis, n = d->n[axis];
    bool all = d->way == 0;
    ptrdiff_t size = (ptrdiff_t)L * (n + 1);
    lines t = {n,
               d->end[axis][0] == GY_END_PERIODIC,
               scratch,
               NULL,
               scratch + size,
               scratch + 2 * size,
               scratch + 3 * size,
               scratch + 4 * size};
    float *other = scratch + 5 * size, *depth = other + size, *width = depth + size;
    load_lines(d, axis, d->width[axis], first, t.width);
    for (int l = 0; l < L; l++) {
        int line = GY_MIN(first + l, d->n[1 - axis] - 1);
        t.width[(ptrdiff_t)L * n + l] = t.periodic ? t.width[l] : d->last[axis][line];
    }
    if (all) {
        load_lines(d, axis, d->out_re, first, depth);
        weigh(d, &t, depth, width);
    }
    for (int kind = 0; kind < (all ? 3 : 1); kind++) {
        t.width = kind == 0 ? t.width : width;
        t.weight = kind == 0 ? NULL : depth;
        factorise(&t, kind == 2);
        if (t.periodic) {
            answer_ends(&t);
        }
        if (kind == 0) {
            smooth_surface(d, &t, first, all ? 2 : 1);
        } else {
            smooth_flow(d, &t, first, kind == 2 ? axis : 1 - axis, other);
        }
    }
}

void GY_BODY(dispersive_smooth)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = (const void *)(uintptr_t)((const gy_water_args *)args)->job;
    for (int block = box->low[0]; block < box->high[0]; block++) {
        smooth(d, block * L, d->scratch + (size_t)task * d->scratch_step);
    }
}

// ---- transforms

/// Whether somebody looks at what comes back in some rows.
static bool wanted(const gy_dispersive *d, int first)
{
    bool any = false;
    for (int j = first; j < GY_MIN(first + GY_LANES, d->n[1]); j++) {
        any = any || gy_dispersive_uses(d, gy_dispersive_before(d, j)) ||
              gy_dispersive_uses(d, j) || gy_dispersive_uses(d, gy_dispersive_next(d, j));
    }
    return any;
}

void GY_BODY(dispersive_transform)(const void *args, const gy_box *box, int task)
{
    const gy_dispersive *d = (const void *)(uintptr_t)((const gy_water_args *)args)->job;
    const gy_fft_axis *t = d->line[d->axis];
    float *buffer = d->scratch + (size_t)task * d->scratch_step;
    bool forwards = d->way == GY_TRANSFORM_FORWARD;
    for (int block = box->low[0]; block < box->high[0]; block++) {
        // Along x comes last on the way back.
        if (!forwards && d->axis == 0 && !wanted(d, block * GY_LANES)) {
            continue;
        }
        for (int part = 0; part < 2; part++) {
            load_some(d, d->axis, d->from[part], block * GY_LANES, GY_LANES,
                      buffer + part * GY_LANES, GY_LINES, forwards ? t->element : NULL);
        }
        if (forwards) {
            GY_STAGED(outer)(true, t, NULL, NULL, buffer);
            GY_STAGED(middle)(GY_TRANSFORM_FORWARD, t, buffer, NULL);
        } else {
            GY_STAGED(middle)(GY_TRANSFORM_BACK, t, buffer, NULL);
            GY_STAGED(outer)(false, t, NULL, NULL, buffer);
        }
        for (int part = 0; part < 2; part++) {
            store_some(d, d->axis, d->to[part], block * GY_LANES, GY_LANES,
                       buffer + part * GY_LANES, GY_LINES, forwards ? NULL : t->element);
        }
    }
}
