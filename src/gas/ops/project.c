// gas/ops/project.c: the two ends of the projection u' = u - grad p, div u' = 0, on the staggered
// grid, in units of velocity and cells: b = -(sum of openness times velocity out of the cell), u -=
// p - p_below.
//
// A shut face carries nothing; on an open side p is 0 half a cell outside, which doubles the
// coefficient of that face but not its area. Bytes per cell: divergence reads 4 d and writes 4;
// gradient reads 4 d + 4 and writes 4 d; 6 more of openness where it is not all 1.
#include "gas/ops/energy.h"
#include "ops/row/row.h"

/// Velocities of the even and odd cells' low and high faces at cells 2 i ..., unit stride by
/// deinterleaving.
GY_INLINE void even_odd(const float *p, vf *even, vf *odd)
{
    vf low = gy_load(p), high = gy_load(p + VW);
    *even = gy_even(low, high);
    *odd = gy_odd(low, high);
}

/// The same, each face times its openness (in units of GY_UNIT).
GY_INLINE void even_odd_open(const float *p, const uint16_t *open_even, const uint16_t *open_odd,
                             vf *even, vf *odd)
{
    even_odd(p, even, odd);
    *even *= gy_load_u16(open_even) * (1.0f / GY_UNIT);
    *odd *= gy_load_u16(open_odd) * (1.0f / GY_UNIT);
}

typedef struct flux_row {
    const float *u, *v, *v1, *w, *w1;
    const uint16_t *ox[2], *oy[2], *oy1[2], *oz[2], *oz1[2]; // [0]: even cells
    float fv, fv1, fw, fw1; // 1/2 at an open side, whose coefficient is doubled
    int cells[2];
} flux_row;

GY_INLINE flux_row flux_row_at(const gy_grid_level *g, const gy_extent *e, const float *const u[3],
                               int j, int k)
{
    const gy_level *l = g->l;
    ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz, s = gy_level_row(l, j, k);
    int c = (j + k) & 1;
    flux_row r = {.u = u[0] + o, .v = u[1] + o, .v1 = u[1] + o + e->sy};
    r.w = gy_is_3d(e->dim) ? u[2] + o : NULL;
    r.w1 = gy_is_3d(e->dim) ? u[2] + o + e->sz : NULL;
    for (int p = 0; p < 2; p++) {
        int d = p ? 1 - c : c;
        r.ox[p] = g->open[0][d] + s;
        r.oy[p] = g->open[1][d] + s;
        r.oy1[p] = g->open[1][1 - d] + s + l->sy;
        r.oz[p] = g->open[2][d] + s;
        r.oz1[p] = g->open[2][1 - d] + s + l->sz;
        r.cells[p] = (l->n[0] - p + 1) / 2;
    }
    r.fv = j == 0 && (l->open_sides & 4u) ? 0.5f : 1.0f;
    r.fv1 = j == l->n[1] - 1 && (l->open_sides & 8u) ? 0.5f : 1.0f;
    r.fw = k == 0 && (l->open_sides & 16u) ? 0.5f : 1.0f;
    r.fw1 = k == l->n[2] - 1 && (l->open_sides & 32u) ? 0.5f : 1.0f;
    return r;
}

/// Net outflow of the even and the odd cells at slots i ...
GY_INLINE void outflow(int dim, bool uniform, const flux_row *r, int i, vf out[2])
{
    vf a, b, c, d;
    if (uniform) {
        even_odd(r->u + 2 * i, &a, &b);
        even_odd(r->u + 2 * i + 2, &c, &d);
        out[0] = b - a;
        out[1] = c - b;
        even_odd(r->v + 2 * i, &a, &b);
        even_odd(r->v1 + 2 * i, &c, &d);
        out[0] += c - a;
        out[1] += d - b;
        if (gy_is_3d(dim)) {
            even_odd(r->w + 2 * i, &a, &b);
            even_odd(r->w1 + 2 * i, &c, &d);
            out[0] += c - a;
            out[1] += d - b;
        }
        return;
    }
    even_odd_open(r->u + 2 * i, r->ox[0] + i, r->ox[1] + i, &a, &b);
    even_odd_open(r->u + 2 * i + 2, r->ox[0] + i + 1, r->ox[1] + i + 1, &c, &d);
    out[0] = b - a;
    out[1] = c - b;
    even_odd_open(r->v + 2 * i, r->oy[0] + i, r->oy[1] + i, &a, &b);
    even_odd_open(r->v1 + 2 * i, r->oy1[0] + i, r->oy1[1] + i, &c, &d);
    out[0] += r->fv1 * c - r->fv * a;
    out[1] += r->fv1 * d - r->fv * b;
    if (gy_is_3d(dim)) {
        even_odd_open(r->w + 2 * i, r->oz[0] + i, r->oz[1] + i, &a, &b);
        even_odd_open(r->w1 + 2 * i, r->oz1[0] + i, r->oz1[1] + i, &c, &d);
        out[0] += r->fw1 * c - r->fw * a;
        out[1] += r->fw1 * d - r->fw * b;
    }
    for (int p = 0; p < 2; p++) {
        out[p] = (vf)((vi)out[p] & (gy_iota(i) < r->cells[p]));
    }
}

/// Outflow of a whole row into two buffers of slots, the open sides along x put right.
GY_INLINE void outflow_row(int dim, const gy_grid_level *g, const flux_row *r, int j, int k,
                           float *even, float *odd)
{
    const uint8_t *flags = gy_level_flags(g, j, k);
    int n = g->l->n[0];
    for (int group = 0; group < g->groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf out[2];
            outflow(dim, flags[group], r, i, out);
            gy_store(even + i, gy_flush(out[0]));
            gy_store(odd + i, gy_flush(out[1]));
        }
    }
    if (g->l->open_sides & 1u) {
        even[0] += 0.5f * (float)r->ox[0][0] * (1.0f / GY_UNIT) * r->u[0];
    }
    if (g->l->open_sides & 2u) {
        float *last = (n & 1) ? even : odd;
        last[(n - 1) >> 1] -= 0.5f * (float)r->ox[n & 1][n >> 1] * (1.0f / GY_UNIT) * r->u[n];
    }
}

/// Adds what leaves by sides whose velocities are given, but for the windows in them.
static GY_NOINLINE void add_given(const gy_divergence_args *a, const gy_grid_level *g,
                                  const flux_row *r, int j, int k, float *even, float *odd)
{
    const int *n = g->l->n;
    const float *rows[4] = {r->v, r->v1, r->w, r->w1};
    const uint16_t *const *open[4] = {r->oy, r->oy1, r->oz, r->oz1};
    const bool on[4] = {j == 0, j == n[1] - 1, k == 0, k == n[2] - 1};
    for (int q = 0; q < 2 * g->l->dim - 2; q++) {
        float sign = (q & 1) ? 1.0f : -1.0f;
        for (int i = 0; i < n[0] && on[q] && (a->given >> (2 + q) & 1u); i++) {
            float u = open[q][i & 1][i >> 1] == 0 ? rows[q][i] : 0.0f;
            ((i & 1) ? odd : even)[i >> 1] += sign * u;
        }
    }
    if ((a->given & 1u) && r->ox[0][0] == 0) {
        even[0] -= r->u[0];
    }
    if ((a->given & 2u) && r->ox[n[0] & 1][n[0] >> 1] == 0) {
        (((n[0] - 1) & 1) ? odd : even)[(n[0] - 1) >> 1] += r->u[n[0]];
    }
}

/// What is to flow out of cells has flown already, as far as they go on.
static GY_NOINLINE void let_out(const gy_divergence_args *a, const gy_grid_level *g,
                                const flux_row *r, int j, int k, float *even, float *odd)
{
    const float *swelling = (const float *)(uintptr_t)a->swelling + (ptrdiff_t)j * a->extent.sy +
                            (ptrdiff_t)k * a->extent.sz;
    for (int i = 0; i < g->groups * GY_GROUP; i += VW) {
        vf e, o;
        even_odd(swelling + 2 * i, &e, &o);
        e = (vf)((vi)(a->let * e) & (gy_iota(i) < r->cells[0]));
        o = (vf)((vi)(a->let * o) & (gy_iota(i) < r->cells[1]));
        gy_store(even + i, gy_load(even + i) - e);
        gy_store(odd + i, gy_load(odd + i) - o);
    }
}

GY_INLINE void divergence_rows(int dim, const gy_divergence_args *a, const gy_box *box, int task)
{
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const float *u[3] = {gy_at(a->base, a->velocity[0]), gy_at(a->base, a->velocity[1]),
                         gy_at(a->base, a->velocity[2])};
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task, sum = 0.0,
           energy = 0.0;
    vf most = gy_splat(0.0f);
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float even[GY_BLOCK * 33], odd[GY_BLOCK * 33];
            flux_row r = flux_row_at(&g, &a->extent, u, j, k);
            outflow_row(dim, &g, &r, j, k, even, odd);
            if (a->given) {
                add_given(a, &g, &r, j, k, even, odd);
            }
            if (a->swelling) {
                let_out(a, &g, &r, j, k, even, odd);
            }
            ptrdiff_t s = gy_level_row(g.l, j, k);
            float *be = g.b[(j + k) & 1] + s, *bo = g.b[(j + k + 1) & 1] + s;
            gy_sum row = gy_sum_zero();
            for (int i = 0; i < g.groups * GY_GROUP; i += VW) {
                vf x = gy_load(even + i), y = gy_load(odd + i);
                gy_sum_add(&row, i, x * x + y * y);
                most = gy_max(most, gy_max(gy_abs(x), gy_abs(y)));
                if (a->write) {
                    gy_store(be + i, -x);
                    gy_store(bo + i, -y);
                }
            }
            sum += gy_sum_fold(&row);
            if (a->energy) {
                energy += gy_cells_squares(&g, &a->extent, u, j, k);
            }
        }
    }
    partial[0] = sum;
    partial[1] = (double)gy_lane_max(most);
    partial[2] = energy;
}

void GY_BODY(divergence)(const void *args, const gy_box *box, int task)
{
    const gy_divergence_args *a = args;
    if (gy_is_3d(a->extent.dim)) {
        divergence_rows(3, a, box, task);
    } else {
        divergence_rows(2, a, box, task);
    }
}

typedef struct push {
    vf cap, most, cut;
    ptrdiff_t low; // floats from x to what is to be added to it; 0: nothing
} push;

/// The difference of x, and that of what is to be added to it, which would be lost in x itself.
GY_INLINE vf difference(const push *s, const float *p, const float *below)
{
    vf d = gy_load(p) - gy_load(below);
    if (s->low) {
        d += gy_load(p + s->low) - gy_load(below + s->low);
    }
    return d;
}

/// One component of one row: u -= factor * (p - p below), shut faces 0, cut to the cap. `below` are
/// the unknowns below the even and the odd faces' own; for x they are the left neighbours.
GY_INLINE void push_row(push *s, float *u, const float *const p[2], const float *const below[2],
                        const uint16_t *const open[2], const uint8_t *flags, int groups, int n,
                        float factor)
{
    for (int group = 0; group < groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf ge = factor * difference(s, p[0] + i, below[0] + i);
            vf go = factor * difference(s, p[1] + i, below[1] + i);
            vf low = gy_load(u + 2 * i) - gy_zip_low(ge, go);
            vf high = gy_load(u + 2 * i + VW) - gy_zip_high(ge, go);
            if (!flags || !flags[group]) {
                vf oe = gy_load_u16(open[0] + i), oo = gy_load_u16(open[1] + i);
                low = (vf)((vi)low & (vi)(gy_zip_low(oe, oo) > 0.0f) & (gy_iota(2 * i) < n));
                high =
                    (vf)((vi)high & (vi)(gy_zip_high(oe, oo) > 0.0f) & (gy_iota(2 * i + VW) < n));
            }
            s->cut -= gy_to_float((vi)(gy_abs(low) > s->cap) + (vi)(gy_abs(high) > s->cap));
            low = gy_flush(gy_clamp(low, -s->cap, s->cap));
            high = gy_flush(gy_clamp(high, -s->cap, s->cap));
            s->most = gy_max(s->most, gy_max(gy_abs(low), gy_abs(high)));
            gy_store(u + 2 * i, low);
            gy_store(u + 2 * i + VW, high);
        }
    }
}

/// An open side's face along x: half the distance, and the face n lies beyond the row's cells.
GY_INLINE void push_x_sides(push *s, const gy_grid_level *g, float *u, float u0, float un,
                            const flux_row *r, const float *even, const float *odd)
{
    int n = g->l->n[0];
    float cap = s->cap[0];
    if (g->l->open_sides & 1u) {
        float p = s->low ? even[0] + even[s->low] : even[0];
        float x = r->ox[0][0] ? u0 - 2.0f * p : 0.0f;
        u[0] = x > cap ? cap : x < -cap ? -cap : x;
        s->most = gy_max(s->most, gy_splat(u[0] < 0.0f ? -u[0] : u[0]));
    }
    if (g->l->open_sides & 2u) {
        const float *end = ((n & 1) ? even : odd) + ((n - 1) >> 1);
        float last = s->low ? *end + end[s->low] : *end;
        float x = r->ox[n & 1][n >> 1] ? un + 2.0f * last : 0.0f;
        u[n] = x > cap ? cap : x < -cap ? -cap : x;
        s->most = gy_max(s->most, gy_splat(u[n] < 0.0f ? -u[n] : u[n]));
    }
}

/// Rows are staged through a buffer, since sixteen slots may reach into the next row's halo.
GY_INLINE void push_staged(push *s, float *u, float *staged, const float *const p[2],
                           const float *const below[2], const uint16_t *const open[2],
                           const uint8_t *flags, int groups, int n, float factor)
{
    int cells = gy_round_up(n, GY_LANES);
    if (cells == groups * 2 * GY_GROUP) {
        push_row(s, u, p, below, open, flags, groups, n, factor);
        return;
    }
    memcpy(staged, u, (size_t)cells * sizeof(float));
    memset(staged + cells, 0, 2 * GY_GROUP * sizeof(float));
    push_row(s, staged, p, below, open, flags, groups, n, factor);
    memcpy(u, staged, (size_t)cells * sizeof(float));
}

GY_INLINE void gradient_rows(int dim, const gy_gradient_args *a, const gy_box *box, int task)
{
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const gy_level *l = g.l;
    const gy_extent *e = &a->extent;
    float *u[3] = {gy_at(a->base, a->velocity[0]), gy_at(a->base, a->velocity[1]),
                   gy_at(a->base, a->velocity[2])};
    const float *const cu[3] = {u[0], u[1], u[2]};
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    push s = {gy_splat(a->cap), gy_splat(0.0f), gy_splat(0.0f), 0};
    s.low = a->low ? gy_at(a->base, a->low) - gy_at(a->base, l->x) : 0;
    float staged[GY_BLOCK * 65];
    int n = l->n[0];
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            int c = (j + k) & 1;
            bool in_y = j < l->n[1], in_z = k < l->n[2];
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz, q = gy_level_row(l, j, k);
            flux_row r = flux_row_at(&g, e, cu, j, k);
            const float *even = g.x[c] + q, *odd = g.x[1 - c] + q;
            const float *const p[2] = {even, odd};
            const uint8_t *flags = in_y && in_z ? gy_level_flags(&g, j, k) : NULL;
            if (in_y && in_z) {
                float u0 = u[0][o], un = u[0][o + n];
                const float *const below[2] = {odd - 1, even};
                push_staged(&s, u[0] + o, staged, p, below, r.ox, flags, g.groups, n, 1.0f);
                push_x_sides(&s, &g, u[0] + o, u0, un, &r, even, odd);
                gy_row_finish(u[0] + o, n, &a->edge[0]);
            }
            if (in_z) {
                float factor = (j == 0 && (l->open_sides & 4u)) || !in_y ? 2.0f : 1.0f;
                const float *const below[2] = {g.x[1 - c] + q - l->sy, g.x[c] + q - l->sy};
                push_staged(&s, u[1] + o, staged, p, below, r.oy, flags, g.groups, n, factor);
                gy_row_finish(u[1] + o, n, &a->edge[1]);
            }
            if (gy_is_3d(dim) && in_y) {
                float factor = (k == 0 && (l->open_sides & 16u)) || !in_z ? 2.0f : 1.0f;
                const float *const below[2] = {g.x[1 - c] + q - l->sz, g.x[c] + q - l->sz};
                push_staged(&s, u[2] + o, staged, p, below, r.oz, flags, g.groups, n, factor);
                gy_row_finish(u[2] + o, n, &a->edge[2]);
            }
        }
    }
    float cut = 0.0f;
    for (int lane = 0; lane < VW; lane++) {
        cut += s.cut[lane];
    }
    partial[0] = (double)gy_lane_max(s.most);
    partial[1] = (double)cut;
}

void GY_BODY(gradient)(const void *args, const gy_box *box, int task)
{
    const gy_gradient_args *a = args;
    if (gy_is_3d(a->extent.dim)) {
        gradient_rows(3, a, box, task);
    } else {
        gradient_rows(2, a, box, task);
    }
}
