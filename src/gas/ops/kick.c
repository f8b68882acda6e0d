// gas/ops/kick.c: what a step carries along: the velocities with half of the step's forces and half
// of the pressure that the last steps have shown,
//
//     v = u - c G P + pull (f + f below) / 2,
//
// so that what acts along a path acts at its start as well as at its end: second order in time. The
// other half is taken by the projection. G has the factor 2 at open sides; shut faces become 0.
// Bytes per cell: reads 4 d + 4, 4 more with a force, writes 4 d.
#include "gas/ops/energy.h"
#include "ops/row/row.h"

/// One component of one row.
typedef struct kicker {
    const gy_grid_level *g;
    const float *u, *force;       // force: NULL: there is none
    float *to;                    // NULL: only the sums are wanted
    const float *p[2], *below[2]; // of the even and the odd faces
    const uint16_t *open[2];
    const uint8_t *flags; // NULL: coefficients are to be read
    ptrdiff_t step;       // from a cell to the one below, in floats of the force
    float amount, pull, weight, cap;
    float whole; // what a face counts where there are no solids
    int n, first;
} kicker;

/// Sums of squares of the velocities as they were, without the force and with it.
typedef struct kicked {
    double squares[3];
} kicked;

/// Faces i ... of a row; own: those that are; counts: those that are added up with the others.
GY_INLINE vf kick_faces(const kicker *c, bool forced, int i, vf difference, vf weight, vi own,
                        vi counts, gy_sum sums[3])
{
    vf cap = gy_splat(c->cap), u = (vf)((vi)gy_load(c->u + i) & own);
    vf v = gy_clamp(u - (vf)((vi)(c->amount * difference) & own), -cap, cap);
    gy_sum_add(&sums[0], i, (vf)((vi)(weight * (u * u)) & counts));
    gy_sum_add(&sums[1], i, (vf)((vi)(weight * (v * v)) & counts));
    if (forced) {
        vf f = (0.5f * c->pull) * (gy_load(c->force + i) + gy_load(c->force + i - c->step));
        v = gy_clamp(v + (vf)((vi)f & own), -cap, cap);
        gy_sum_add(&sums[2], i, (vf)((vi)(weight * (v * v)) & counts));
    }
    return gy_flush(v);
}

/// The same of one group of slots. whole: every face is open, by the row's weight.
GY_INLINE void kick_group(const kicker *c, bool forced, bool whole, int group, int end,
                          gy_sum sums[3])
{
    const float *p0 = c->p[0], *p1 = c->p[1], *b0 = c->below[0], *b1 = c->below[1];
    float *to = c->to;
    for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP && 2 * i < end; i += VW) {
        vf ge = gy_load(p0 + i) - gy_load(b0 + i), go = gy_load(p1 + i) - gy_load(b1 + i);
        vf wl = gy_splat(c->whole), wh = wl;
        vi place = gy_iota(2 * i), above = gy_iota(2 * i + VW);
        vi low = place < c->n, high = above < c->n;
        if (!whole) {
            vf oe = gy_load_u16(c->open[0] + i), oo = gy_load_u16(c->open[1] + i);
            wl = c->weight * gy_zip_low(oe, oo);
            wh = c->weight * gy_zip_high(oe, oo);
            low &= (vi)(wl > 0.0f);
            high &= (vi)(wh > 0.0f);
        }
        vf v = kick_faces(c, forced, 2 * i, gy_zip_low(ge, go), wl, low, low & (place >= c->first),
                          sums);
        if (to) {
            gy_store(to + 2 * i, v);
        }
        if (2 * i + VW < end) {
            v = kick_faces(c, forced, 2 * i + VW, gy_zip_high(ge, go), wh, high, high, sums);
            if (to) {
                gy_store(to + 2 * i + VW, v);
            }
        }
    }
}

/// A row of a shut side.
static void shut_row(const kicker *c)
{
    if (c->to) {
        memset(c->to, 0, (size_t)gy_round_up(c->n, GY_LANES) * sizeof(float));
    }
}

GY_INLINE void kick_row(kicker c, bool forced, kicked *k)
{
    gy_sum sums[3] = {gy_sum_zero(), gy_sum_zero(), gy_sum_zero()};
    int end = gy_round_up(c.n, GY_LANES), groups = c.g->groups;
    bool all = c.g->l->whole;
    for (int group = 0; group < groups; group++) {
        if (all || (c.flags && c.flags[group])) {
            kick_group(&c, forced, true, group, end, sums);
        } else {
            kick_group(&c, forced, false, group, end, sums);
        }
    }
    for (int q = 0; q < 3; q++) {
        // Without a force the velocities with it are those without it.
        k->squares[q] += gy_sum_fold(&sums[q == 2 && !forced ? 1 : q]);
    }
}
static GY_NOINLINE void kick_plainly(const kicker *c, kicked *k)
{
    kick_row(*c, false, k);
}
static GY_NOINLINE void kick_forced(const kicker *c, kicked *k)
{
    kick_row(*c, true, k);
}

static float limited(float x, float cap)
{
    return x > cap ? cap : x < -cap ? -cap : x;
}

/// The faces of the sides along x: shut, or open at half the distance, so with twice the gradient.
static GY_NOINLINE void kick_x_sides(const kicker *c, kicked *k, int j, int at_k)
{
    const gy_level *l = c->g->l;
    int n = l->n[0];
    float cap = c->cap;
    for (int end = 0; end < 2; end++) {
        int i = end ? n : 0;
        float open = (float)*gy_coefficient(c->g, 0, i, j, at_k) * (1.0f / GY_UNIT);
        if (!(l->open_sides >> end & 1u)) {
            continue;
        }
        if (open == 0.0f) {
            if (c->to) {
                c->to[i] = 0.0f;
            }
            continue;
        }
        int cell = end ? n - 1 : 0;
        float p = c->p[cell & 1][cell >> 1], u = c->u[i];
        float v = limited(u + (end ? 2.0f : -2.0f) * c->amount * p, cap);
        float f = c->force ? (0.5f * c->pull) * (c->force[i] + c->force[i - 1]) : 0.0f;
        float w = limited(v + f, cap);
        const float now[3] = {u, v, w};
        for (int q = 0; q < 3; q++) {
            k->squares[q] += 0.25 * (double)(open * (now[q] * now[q]));
        }
        if (c->to) {
            c->to[i] = w;
        }
    }
}

GY_INLINE void kick_rows(int dim, const gy_kick_args *a, const gy_box *box, int task)
{
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->lag);
    const gy_level *l = g.l;
    const gy_extent *e = &a->extent;
    const gy_field *fields = (const void *)gy_at(a->base, a->fields);
    const ptrdiff_t step[3] = {1, e->sy, e->sz}, slot[3] = {0, l->sy, l->sz};
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    kicked sum = {{0.0, 0.0, 0.0}};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            const int at[3] = {0, j, k};
            int c = (j + k) & 1;
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz, s = gy_level_row(l, j, k);
            bool inside = j < l->n[1] && k < l->n[2];
            for (int axis = 0; axis < dim; axis++) {
                // Beyond the last cells across an axis its own faces alone may be live.
                if ((j == l->n[1] && axis != 1) || (k == l->n[2] && axis != 2)) {
                    continue;
                }
                bool side = axis > 0 && ((at[axis] == 0 && (l->open_sides >> (2 * axis) & 1u)) ||
                                         at[axis] == l->n[axis]);
                kicker own = {.g = &g,
                              .u = gy_at(a->base, a->velocity[axis]) + o,
                              .to = a->to[0] ? gy_at(a->base, a->to[axis]) + o : NULL,
                              .flags = inside ? gy_level_flags(&g, j, k) : NULL,
                              .step = step[axis],
                              .amount = (side ? 2.0f : 1.0f) * a->amount,
                              .pull = a->pull[axis],
                              .weight = gy_row_weight(l, axis, j, k),
                              .cap = a->cap,
                              .whole = gy_whole_weight(l, axis, j, k),
                              .first = gy_row_first(l, axis),
                              .n = l->n[0]};
                own.force = a->force && own.pull != 0.0f ? gy_at(a->base, a->force) + o : NULL;
                for (int q = 0; q < 2; q++) {
                    int d = q ? 1 - c : c;
                    own.p[q] = g.x[d] + s;
                    own.below[q] = axis > 0 ? g.x[1 - d] + s - slot[axis]
                                   : q      ? g.x[c] + s
                                            : g.x[1 - c] + s - 1;
                    own.open[q] = g.open[axis][d] + s;
                }
                if (l->whole && own.whole == 0.0f) {
                    shut_row(&own);
                } else if (own.force) {
                    kick_forced(&own, &sum);
                } else {
                    kick_plainly(&own, &sum);
                }
                if (own.first > 0) {
                    kick_x_sides(&own, &sum, j, k);
                }
                if (own.to) {
                    gy_row_finish(own.to, l->n[0], &fields[axis].edge[0]);
                }
            }
        }
    }
    for (int q = 0; q < 3; q++) {
        partial[q] = sum.squares[q];
    }
}

static GY_NOINLINE void kick_2d(const gy_kick_args *a, const gy_box *box, int task)
{
    kick_rows(2, a, box, task);
}
static GY_NOINLINE void kick_3d(const gy_kick_args *a, const gy_box *box, int task)
{
    kick_rows(3, a, box, task);
}

void GY_BODY(kick)(const void *args, const gy_box *box, int task)
{
    const gy_kick_args *a = args;
    if (gy_is_3d(a->extent.dim)) {
        kick_3d(a, box, task);
    } else {
        kick_2d(a, box, task);
    }
}
