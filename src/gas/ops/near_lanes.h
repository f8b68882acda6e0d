// gas/ops/near_lanes.h: what gas/ops/near.h does to samples near sheets, to lanes of a row at once.
// The same operations in the same order in each lane, so the same bits; lanes whose paths lead
// further than to a linked cell next to their own are left to the slow way, one by one. Cost: about
// 20 ns a sample where a processor gathers 16 at once.
#ifndef GY_NEAR_LANES_H
#define GY_NEAR_LANES_H

#include "gas/ops/link_lanes.h"
#include "gas/ops/near.h"

/// Lanes of samples, and the two cells of each: above the face and below it; at centres the first.
typedef struct near_lanes {
    int axis, at[3]; // of the first lane
    ptrdiff_t o;     // of the first lane
    vi wanted;       // lanes that are to be made
    vi there[2];     // whether there is such a cell
    vi cell[2];      // its number
    vi place[2];     // where its samples are
    vi x[2];         // its place along x
    int y[2], z[2];  // and along the others
    vi slow;         // lanes that this cannot do
} near_lanes;

/// The cells of lanes i ... of a block.
GY_INLINE void near_lanes_at(const gy_net *t, int axis, const gy_wrap *w, ptrdiff_t o, int i,
                             vi wanted, near_lanes *l)
{
    l->axis = axis;
    l->o = o + i;
    l->at[0] = w->at[0] + i;
    l->at[1] = w->at[1];
    l->at[2] = w->at[2];
    l->wanted = wanted;
    l->slow = gy_lanes_all(false);
    for (int below = 0; below < (axis >= 0 ? 2 : 1); below++) {
        vi x = gy_iota(l->at[0]);
        int c[3] = {0, l->at[1], l->at[2]};
        l->there[below] = gy_lanes_all(true);
        if (axis == 0) {
            x -= below;
            bool wraps = t->periodic & 1u;
            x = wraps ? x + ((vi)(x < 0) & t->n[0]) : x;
            l->there[below] = (vi)(x >= 0) & (vi)(x < t->n[0]);
        } else if (axis > 0) {
            c[axis] -= below;
            c[axis] = c[axis] < 0 && (t->periodic >> axis & 1u) ? t->n[axis] - 1 : c[axis];
            l->there[below] = gy_lanes_all(c[axis] >= 0 && c[axis] < t->n[axis]);
        }
        // Cells of lanes that nobody looks at are any.
        vi in = l->there[below] & wanted;
        l->x[below] = x & in;
        bool inside = c[1] >= 0 && c[1] < t->n[1] && c[2] >= 0 && c[2] < t->n[2];
        l->y[below] = inside ? c[1] : 0;
        l->z[below] = inside ? c[2] : 0;
        int row = (int)gy_net_cell(t, (const int[3]){0, l->y[below], l->z[below]});
        l->cell[below] = l->x[below] + row;
        l->place[below] = l->x[below] + (int)(l->y[below] * t->step[1] + l->z[below] * t->step[2]);
    }
    if (axis < 0) {
        l->there[1] = gy_lanes_all(false);
        l->cell[1] = l->cell[0];
        l->place[1] = l->place[0];
        l->x[1] = l->x[0];
        l->y[1] = l->y[0];
        l->z[1] = l->z[0];
    }
}

/// As near_read, from one of the two cells; lanes that have to crawl there become slow. (A function
/// by itself for each number of axes: all stages call it, from both cells.)
GY_INLINE vf near_read_from(const gy_net *t, int dim, near_lanes *l, int below, vi in,
                            const float *q, const vf d[3], vf *low, vf *high)
{
    vf f[3];
    gy_spots p = {l->cell[below], l->place[below], l->x[below], l->y[below], l->z[below]};
    for (int a = 0; a < dim; a++) {
        f[a] = a == l->axis ? (below ? 0.5f : -0.5f) + d[a] : 0.0f + d[a];
    }
    l->slow |= gy_spots_walk(t, dim, in, &p, f);
    return gy_spots_read(t, dim, q, l->axis, &p, f, low, high);
}
static GY_NOINLINE vf near_read_from_2d(const gy_net *t, near_lanes *l, int below, vi in,
                                        const float *q, const vf d[3], vf *low, vf *high)
{
    return near_read_from(t, 2, l, below, in, q, d, low, high);
}
static GY_NOINLINE vf near_read_from_3d(const gy_net *t, near_lanes *l, int below, vi in,
                                        const float *q, const vf d[3], vf *low, vf *high)
{
    return near_read_from(t, 3, l, below, in, q, d, low, high);
}

/// As near_read.
GY_INLINE vf near_lanes_read(const gy_net *t, int dim, near_lanes *l, const float *q, const vf d[3],
                             vf *low, vf *high)
{
    vi use[2] = {l->there[0] & l->wanted, l->there[1] & l->wanted};
    vf x = gy_splat(0.0f);
    *low = *high = x;
    if (l->axis >= 0) {
        vi two = use[0] & use[1];
        vi down = two & (vi)(d[l->axis] < 0.0f), up = two & (vi)(d[l->axis] > 0.0f);
        use[0] &= ~down;
        use[1] &= ~up;
    }
    vf (*const from)(const gy_net *, near_lanes *, int, vi, const float *, const vf *, vf *, vf *) =
        gy_is_3d(dim) ? near_read_from_3d : near_read_from_2d;
    if (gy_any(use[0])) {
        x = from(t, l, 0, use[0], q, d, low, high);
    }
    if (gy_any(use[1])) {
        vf lowest, highest, y = from(t, l, 1, use[1], q, d, &lowest, &highest);
        vi both = use[0] & use[1];
        *low = gy_select(both, gy_min(*low, lowest), gy_select(use[1], lowest, *low));
        *high = gy_select(both, gy_max(*high, highest), gy_select(use[1], highest, *high));
        x = gy_select(both, 0.5f * (x + y), gy_select(use[1], y, x));
    }
    return x;
}

/// As near_inside.
GY_INLINE vf near_lanes_inside(const carrier *c, const gy_net *t, int dim, const near_lanes *l,
                               const vf d[3])
{
    vf part = gy_splat(1.0f), zero = gy_splat(0.0f), one = part;
    for (int a = 0; a < dim; a++) {
        vf at = a == 0 ? gy_to_float(gy_iota(l->at[0])) : gy_splat((float)l->at[a]);
        vf x = at + d[a];
        float top = (float)(t->n[a] - 1 + (a == l->axis));
        if (c->a->open_sides >> (2 * a) & 1u) {
            part *= gy_clamp(1.0f + x, zero, one);
        }
        if (c->a->open_sides >> (2 * a + 1) & 1u) {
            part *= gy_clamp(1.0f - (x - top), zero, one);
        }
    }
    return part;
}

/// As near_trust.
GY_INLINE vf near_lanes_trust(int dim, const vf back[3], const vf forward[3])
{
    vf apart = gy_splat(0.0f), all = gy_splat(1e-20f), one = gy_splat(1.0f);
    for (int a = 0; a < dim; a++) {
        vf b = back[a], f = forward[a], sum = b + f;
        apart += sum * sum;
        all += b * b + f * f;
    }
    vf part = gy_clamp((0.16f * all - apart) / (0.12f * all), gy_splat(0.0f), one);
    return gy_select((vi)(apart > 0.04f * all), part, one);
}

/// As near_stretch.
GY_INLINE vf near_lanes_stretch(const carrier *c, const gy_net *t, int dim, const near_lanes *l,
                                vf trust)
{
    const int to[3] = {1, 3, 9};
    const float *q = c->source + l->o;
    vf by = 0.5f * c->a->scale * trust, sum = gy_splat(0.0f), middle = gy_load(q);
    ptrdiff_t own = t->step[l->axis];
    vi link = gy_spots_links(t, l->cell[0]) | gy_spots_links(t, l->cell[1]);
    for (int a = 0; a < dim; a++) {
        ptrdiff_t step = t->step[a];
        const float *u = c->flow[a] + l->o;
        vf x =
            ((gy_load(u + step) - gy_load(u)) + (gy_load(u + step - own) - gy_load(u - own))) * by;
        vf side[2];
        x = gy_clamp(x, gy_splat(-0.5f), gy_splat(0.5f));
        for (int way = 0; way < 2; way++) {
            vi linked = gy_spots_linked(link, gy_splat_int(13 + (way ? to[a] : -to[a])));
            vf open = gy_load(q + (way ? step : -step)) - middle;
            vf shut = t->slip ? gy_splat(0.0f) : -2.0f * middle;
            side[way] = a == l->axis ? open : gy_select(linked, open, shut);
        }
        vi steepens = (vi)(x > 0.0f) & (vi)(side[0] * side[1] > 0.0f);
        sum += gy_select(steepens, gy_splat(0.0f), x * (side[0] + side[1]));
    }
    return 0.25f * sum;
}

GY_INLINE vf near_between(vf x, vf low, vf high)
{
    return gy_select((vi)(x < low), low, gy_select((vi)(x > high), high, x));
}

/// As near_corrected.
GY_INLINE vf near_lanes_corrected(const carrier *c, const gy_net *t, int dim, near_lanes *l,
                                  const vf back[3], const vf forward[3])
{
    vf low, high, ignored[2], one = gy_splat(1.0f);
    vf predicted = gy_load(c->predicted + l->o), old = gy_load(c->source + l->o);
    vf again = near_lanes_read(t, dim, l, c->predicted, forward, &ignored[0], &ignored[1]);
    near_lanes_read(t, dim, l, c->source, back, &low, &high);
    vf trust = c->flow[0] ? near_lanes_trust(dim, back, forward) : one;
    vf x = near_between(predicted + (0.5f * trust) * (old - again), low, high);
    if (c->flow[0]) {
        vf part = near_lanes_inside(c, t, dim, l, back) * near_lanes_inside(c, t, dim, l, forward);
        x = gy_select((vi)(part >= 1.0f), x, predicted);
        vf less = x - near_lanes_stretch(c, t, dim, l, trust);
        x = gy_select(l->there[0] & l->there[1], less, x);
    }
    return x;
}

/// What a stage makes of lanes.
GY_INLINE vf near_lanes_made(const carrier *c, const gy_net *t, int dim, int stage, near_lanes *l,
                             const vf back[3], const vf forward[3])
{
    vf low, high, ignored[2];
    if (stage == CORRECT) {
        return near_lanes_corrected(c, t, dim, l, back, forward);
    }
    if (stage == COMPENSATE) {
        vf old = gy_load(c->source + l->o);
        vf x = near_lanes_read(t, dim, l, c->predicted, forward, &low, &high);
        return old + 0.5f * (old - x);
    }
    if (stage == DELIVER) {
        vf x = near_lanes_read(t, dim, l, c->predicted, back, &ignored[0], &ignored[1]);
        near_lanes_read(t, dim, l, c->source, back, &low, &high);
        return near_between(x, low, high);
    }
    vf x = near_lanes_read(t, dim, l, c->source, back, &low, &high);
    return c->flow[0] ? near_lanes_inside(c, t, dim, l, back) * x : x;
}

/// Makes lanes i ... again; returns those that have to be made the slow way.
GY_INLINE vi near_lanes_make(const carrier *c, const gy_net *t, int dim, int stage, int axis,
                             const gy_wrap *w, ptrdiff_t o, int i, vi away, float *out)
{
    near_lanes l;
    vf back[3], forward[3], longest = gy_splat(0.0f);
    for (int a = 0; a < dim; a++) {
        back[a] = gy_displacement(c->back[a] + o + i, axis >= 0 ? c->mean : 0);
        forward[a] = gy_displacement(c->forward[a] + o + i, axis >= 0 ? c->mean : 0);
        longest = gy_max(longest, gy_max(gy_abs(back[a]), gy_abs(forward[a])));
    }
    int more = stage == CUBIC;
    // As whole numbers: away <= (int)(longest + 1/2) + more, or any where that is far.
    vi wanted = (vi)(gy_to_float(away - more) <= longest + 0.5f);
    wanted &= (vi)(away <= GY_FAR_AWAY);
    if (!gy_any(wanted)) {
        return wanted;
    }
    near_lanes_at(t, axis, w, o, i, wanted, &l);
    l.wanted &= l.there[0] | l.there[1];
    vf x = gy_flush(near_lanes_made(c, t, dim, stage, &l, back, forward));
    if (axis >= 0) {
        const int to[3] = {1, 3, 9};
        vi open = gy_spots_linked(gy_spots_links(t, l.cell[0]), gy_splat_int(13 - to[axis]));
        vi shut = l.there[0] & l.there[1] & ~open;
        x = gy_select(shut, gy_splat(0.0f), x);
        l.slow &= ~shut;
    }
    gy_store(out + i, gy_select(l.wanted & ~l.slow, x, gy_load(out + i)));
    return l.slow & l.wanted;
}

static GY_NOINLINE vi near_make_2d(const carrier *c, const gy_net *t, int stage, int axis,
                                   const gy_wrap *w, ptrdiff_t o, int i, vi away, float *out)
{
    return near_lanes_make(c, t, 2, stage, axis, w, o, i, away, out);
}
static GY_NOINLINE vi near_make_3d(const carrier *c, const gy_net *t, int stage, int axis,
                                   const gy_wrap *w, ptrdiff_t o, int i, vi away, float *out)
{
    return near_lanes_make(c, t, 3, stage, axis, w, o, i, away, out);
}

/// Makes those samples of a block again that are near sheets; cubics are lines there.
static GY_NOINLINE void near_block(const carrier *c, const gy_net *t, int stage, int reach,
                                   const gy_wrap *w, ptrdiff_t o, int lanes, float *out)
{
    uint8_t away[GY_BLOCK];
    int axis = gy_face_axis(c->f->location);
    int end = GY_MIN(lanes, t->n[0] + (axis == 0) - w->at[0]);
    near_row(t, axis, w, end, away);
    // As many at once as there are lanes, from one that is near on; those before it have been.
    for (int first = 0; first < end;) {
        if (away[first] > reach) {
            first++;
            continue;
        }
        const int i = GY_MIN(first, GY_BLOCK - VW);
        vi far = gy_lanes_all(false);
        for (int q = 0; q < VW; q++) {
            bool due = i + q >= first && i + q < end && away[i + q] <= reach;
            far[q] = due ? away[i + q] : GY_FAR_AWAY + 1;
        }
        first = i + VW;
        vi slow = gy_is_3d(t->dim) ? near_make_3d(c, t, stage, axis, w, o, i, far, out)
                                   : near_make_2d(c, t, stage, axis, w, o, i, far, out);
        for (int q = 0; gy_any(slow) && q < VW; q++) {
            if (slow[q]) {
                near_one(c, t, stage, axis, w, o, i + q, out);
            }
        }
    }
}

#endif
