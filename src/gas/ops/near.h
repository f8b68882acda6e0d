// gas/ops/near.h: samples near sheets, carried again by the rules of gas/ops/link.h: what
// gas/ops/carrier.h and gas/ops/momentum.h do, one by one.
#ifndef GY_NEAR_H
#define GY_NEAR_H

#include "gas/ops/carrier.h"
#include "gas/ops/link.h"

/// What is done in one go over the fields; see gas/ops/advect.c.
enum { ADVECT, CORRECT, COMPENSATE, DELIVER, CUBIC };

/// A sample: its place, the cells that it belongs to (a face: the one above and the one below it)
/// and, where its path starts in either, half a cell from their centres.
typedef struct near_sample {
    int at[3], axis;
    ptrdiff_t o;
    int cells, cell[2][3];
    float offset[2]; // along the axis
    float back[3], forward[3];
} near_sample;

static float near_flushed(float x)
{
    return x < 1e-30f && x > -1e-30f ? 0.0f : x;
}

/// False: the fast one will do. A cubic takes samples from one cell further than a line does.
GY_INLINE bool near_find(const carrier *c, const gy_net *t, int stage, near_sample *s)
{
    int axis = s->axis, away = GY_FAR_AWAY, more = stage == CUBIC;
    s->cells = 0;
    for (int below = 0; below < (axis >= 0 ? 2 : 1); below++) {
        int *cell = s->cell[s->cells];
        memcpy(cell, s->at, sizeof s->at);
        if (axis >= 0) {
            cell[axis] -= below;
            if (cell[axis] < 0 && (t->periodic >> axis & 1u)) {
                cell[axis] = t->n[axis] - 1;
            }
            if (cell[axis] < 0 || cell[axis] >= t->n[axis]) {
                continue;
            }
            s->offset[s->cells] = below ? 0.5f : -0.5f;
        }
        away = GY_MIN(away, t->away[gy_net_cell(t, cell)]);
        s->cells++;
    }
    for (int a = 0; a < t->dim; a++) {
        const float *back = c->back[a] + s->o, *forward = c->forward[a] + s->o;
        s->back[a] = axis >= 0 ? 0.5f * (back[0] + back[c->mean]) : back[0];
        s->forward[a] = axis >= 0 ? 0.5f * (forward[0] + forward[c->mean]) : forward[0];
    }
    return s->cells > 0 &&
           away <= GY_MAX(gy_net_length(t->dim, s->back), gy_net_length(t->dim, s->forward)) + more;
}

/// What is read of a field where a way from the sample leads.
static float near_read(const gy_net *t, const near_sample *s, const float *q, const float d[3],
                       float *low, float *high)
{
    float value[2] = {0.0f, 0.0f}, range[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
    int axis = s->axis, count = 0;
    for (int c = 0; c < s->cells; c++) {
        gy_spot p = {.e = {s->cell[c][0], s->cell[c][1], s->cell[c][2]}};
        bool away =
            axis >= 0 && s->cells == 2 && (s->offset[c] < 0.0f ? d[axis] < 0.0f : d[axis] > 0.0f);
        if (away) {
            continue;
        }
        if (axis >= 0) {
            p.f[axis] = s->offset[c];
        }
        gy_net_walk(t, d, &p);
        value[count] = gy_net_read(t, q, axis, &p, &range[count][0], &range[count][1]);
        count++;
    }
    *low = range[0][0];
    *high = range[0][1];
    if (count < 2) {
        return value[0];
    }
    *low = GY_MIN(*low, range[1][0]);
    *high = GY_MAX(*high, range[1][1]);
    return 0.5f * (value[0] + value[1]);
}

/// How much of what is read counts: beyond open sides the air is at rest.
static float near_inside(const carrier *c, const gy_net *t, const near_sample *s, const float d[3])
{
    float part = 1.0f;
    for (int a = 0; a < t->dim; a++) {
        float x = (float)s->at[a] + d[a], top = (float)(t->n[a] - 1 + (a == s->axis));
        float low = 1.0f + x, high = 1.0f - (x - top);
        if (c->a->open_sides >> (2 * a) & 1u) {
            part *= low < 0.0f ? 0.0f : low > 1.0f ? 1.0f : low;
        }
        if (c->a->open_sides >> (2 * a + 1) & 1u) {
            part *= high < 0.0f ? 0.0f : high > 1.0f ? 1.0f : high;
        }
    }
    return part;
}

/// As add_trusted.
static float near_trust(int dim, const near_sample *s)
{
    float apart = 0.0f, all = 1e-20f;
    for (int a = 0; a < dim; a++) {
        float b = s->back[a], f = s->forward[a], sum = b + f;
        apart += sum * sum;
        all += b * b + f * f;
    }
    float part = (0.16f * all - apart) / (0.12f * all);
    part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
    return apart > 0.04f * all ? part : 1.0f;
}

/// As add_stretch.
static float near_stretch(const carrier *c, const gy_net *t, const near_sample *s, float trust)
{
    const float *q = c->source + s->o;
    float by = 0.5f * c->a->scale * trust, sum = 0.0f;
    ptrdiff_t own = t->step[s->axis];
    uint32_t link = t->link[gy_net_cell(t, s->cell[0])] | t->link[gy_net_cell(t, s->cell[1])];
    for (int a = 0; a < t->dim; a++) {
        ptrdiff_t step = t->step[a];
        const float *u = c->flow[a] + s->o;
        float x = ((u[step] - u[0]) + (u[step - own] - u[-own])) * by, to[2];
        x = x < -0.5f ? -0.5f : x > 0.5f ? 0.5f : x;
        for (int way = 0; way < 2; way++) {
            bool linked = a == s->axis || gy_net_open(link, a, way ? 1 : -1);
            to[way] = linked ? q[way ? step : -step] - q[0] : t->slip ? 0.0f : -2.0f * q[0];
        }
        bool steepens = x > 0.0f && to[0] * to[1] > 0.0f;
        sum += steepens ? 0.0f : x * (to[0] + to[1]);
    }
    return 0.25f * sum;
}

/// What correct makes of a sample.
static float near_corrected(const carrier *c, const gy_net *t, const near_sample *s)
{
    float low, high, ignored[2], predicted = c->predicted[s->o], old = c->source[s->o];
    float again = near_read(t, s, c->predicted, s->forward, &ignored[0], &ignored[1]);
    near_read(t, s, c->source, s->back, &low, &high);
    float trust = c->flow[0] ? near_trust(t->dim, s) : 1.0f;
    float x = predicted + (0.5f * trust) * (old - again);
    x = x < low ? low : x > high ? high : x;
    if (c->flow[0]) {
        bool whole = near_inside(c, t, s, s->back) * near_inside(c, t, s, s->forward) >= 1.0f;
        x = whole ? x : predicted;
        x -= s->cells == 2 ? near_stretch(c, t, s, trust) : 0.0f;
    }
    return near_flushed(x);
}

/// What compensate makes of a sample, where predicted is what is now.
static float near_compensated(const carrier *c, const gy_net *t, const near_sample *s)
{
    float low, high, old = c->source[s->o];
    return near_flushed(old +
                        0.5f * (old - near_read(t, s, c->predicted, s->forward, &low, &high)));
}

/// What deliver makes of it.
static float near_delivered(const carrier *c, const gy_net *t, const near_sample *s)
{
    float low, high, ignored[2];
    float x = near_read(t, s, c->predicted, s->back, &ignored[0], &ignored[1]);
    near_read(t, s, c->source, s->back, &low, &high);
    return near_flushed(x < low ? low : x > high ? high : x);
}

/// How far ways from the samples of a block lead at most, as cells' distances count; -1: none can
/// be near sheets.
GY_INLINE int near_reach(const carrier *c, const gy_net *t, int dim, int stage, const gy_wrap *w)
{
    float low[2][3], high[2][3];
    int ib = w->at[0] / GY_BLOCK, j = w->at[1], k = w->at[2];
    int axis = gy_face_axis(c->f->location);
    block_bounds(c, dim, ib, j, k, 0, low[0], high[0]);
    block_bounds(c, dim, ib, j, k, 6, low[1], high[1]);
    int reach = GY_MAX(gy_net_reach(dim, low[0], high[0]), gy_net_reach(dim, low[1], high[1]));
    reach = GY_MIN(reach + (stage == CUBIC), GY_FAR_AWAY);
    int at[3] = {GY_MIN(ib, t->blocks - 1), GY_MIN(j, t->n[1] - 1), GY_MIN(k, t->n[2] - 1)};
    const int count[3] = {t->blocks, t->n[1], t->n[2]};
    int least = gy_net_least(t, at[0], at[1], at[2]);
    if (axis >= 0) {
        at[axis] = (axis == 0 ? ib : axis == 1 ? j : k) - 1;
        at[axis] = at[axis] < 0 ? count[axis] - 1 : at[axis];
        least = GY_MIN(least, gy_net_least(t, at[0], at[1], at[2]));
    }
    return least <= reach ? reach : -1;
}

/// How far the cells are that the samples of a block belong to; behind `end` far away.
GY_INLINE void near_row(const gy_net *t, int axis, const gy_wrap *w, int end, uint8_t *away)
{
    int i0 = w->at[0], below[3] = {i0, w->at[1], w->at[2]}, at[3] = {i0, w->at[1], w->at[2]};
    memset(away, GY_FAR_AWAY + 1, GY_BLOCK);
    for (int a = 1; a < t->dim; a++) {
        below[a] -= a == axis;
        below[a] = below[a] < 0 ? ((t->periodic >> a & 1u) ? t->n[a] - 1 : 0) : below[a];
        at[a] = GY_MIN(at[a], t->n[a] - 1);
    }
    const uint8_t *own = t->away + gy_net_cell(t, at), *other = t->away + gy_net_cell(t, below);
    int cells = GY_MIN(end, t->n[0] - i0);
    for (int i = 0; i < cells; i++) {
        away[i] = GY_MIN(own[i], other[i]);
    }
    if (axis == 0) {
        // Those on their left, and where the last face is one beyond the cells.
        for (int i = end - 1; i > 0; i--) {
            away[i] = GY_MIN(away[i], own[i - 1]);
        }
        if (i0 > 0) {
            away[0] = GY_MIN(away[0], own[-1]);
        } else if (t->periodic & 1u) {
            away[0] = GY_MIN(away[0], own[t->n[0] - 1]);
        }
    }
}

/// Makes a sample of a block again where it is near sheets; cubics are lines there.
static GY_NOINLINE void near_one(const carrier *c, const gy_net *t, int stage, int axis,
                                 const gy_wrap *w, ptrdiff_t o, int i, float *out)
{
    near_sample s = {.at = {w->at[0] + i, w->at[1], w->at[2]}, .axis = axis, .o = o + i};
    float low, high;
    if (!near_find(c, t, stage, &s)) {
        return;
    }
    if (s.cells == 2 && !gy_net_open(t->link[gy_net_cell(t, s.cell[0])], s.axis, -1)) {
        out[i] = 0.0f;
    } else if (stage == CORRECT) {
        out[i] = near_corrected(c, t, &s);
    } else if (stage == COMPENSATE) {
        out[i] = near_compensated(c, t, &s);
    } else if (stage == DELIVER) {
        out[i] = near_delivered(c, t, &s);
    } else {
        float x = near_read(t, &s, c->source, s.back, &low, &high);
        out[i] = near_flushed(c->flow[0] ? near_inside(c, t, &s, s.back) * x : x);
    }
}

#endif
