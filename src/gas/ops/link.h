// gas/ops/link.h: what is read and carried near sheets, which shut faces between cells that both
// hold gas. One question serves all: is this face open?
//
// LINK  A cell within one of a cell along every axis is linked to it where a path of steps through
//       open faces leads there, along each axis at most once. Cells that halos stand for are linked
//       as the cells before the side are that they are made of.
// WALK  A path that ends in a linked cell next to its own goes there; another goes from cell to
//       cell: axes whose faces are met at the same time step together where the cell there is
//       linked; else those that are shut there stop (the gas slides), or all where none is.
// READ  In a cell, from it and the linked ones of the 2^dim round the point; the weights of the
//       others are dropped and the sum of the rest divided by. Of a component of velocity those
//       cells give their low and high faces. Where the gas sticks, what is dropped is the wall's
//       velocity twice less the cell's own. Limits see what is kept alone.
//
// A face's path starts in the cell that it comes from. A shut face has 0, and is not carried. So
// each new value is a function of those that can be reached by way of open faces, to the bit.
// Lanes that need it are made again after the fast ones: those no further from a cell that is not
// linked to all round it than their path is long. Cost: of the order of 100 ns for each of those.
#ifndef GY_LINK_H
#define GY_LINK_H

#include "gas/ops/args.h"
#include "ops/row/body.h"

/// Round a cell: bit (dx + 1) + 3 (dy + 1) + 9 (dz + 1) says whether that one is linked.
typedef struct gy_net {
    const uint32_t *link;
    const uint8_t *away, *least;
    int n[3], dim, blocks;
    uint32_t periodic;
    bool slip;
    ptrdiff_t step[3]; // in floats of a field
} gy_net;

GY_INLINE gy_net gy_net_make(uint64_t links, const gy_extent *e, uint32_t periodic)
{
    gy_net t = {.link = NULL};
    const gy_links *l = (const gy_links *)(uintptr_t)links;
    if (l) {
        t.link = (const uint32_t *)(uintptr_t)l->link;
        t.away = (const uint8_t *)(uintptr_t)l->away;
        t.least = (const uint8_t *)(uintptr_t)l->least;
        t.slip = l->slip != 0;
        t.periodic = periodic;
        t.dim = e->dim;
        t.step[0] = 1;
        t.step[1] = e->sy;
        t.step[2] = e->sz;
        for (int a = 0; a < 3; a++) {
            t.n[a] = e->n[a];
        }
        t.blocks = (e->n[0] + GY_BLOCK - 1) / GY_BLOCK;
    }
    return t;
}

GY_INLINE size_t gy_net_cell(const gy_net *t, const int c[3])
{
    return ((size_t)c[2] * (size_t)t->n[1] + (size_t)c[1]) * (size_t)t->n[0] + (size_t)c[0];
}

/// How far paths lead at most, as cells' distances count: displacements lie within low ... high.
GY_INLINE int gy_net_reach(int dim, const float *low, const float *high)
{
    float most = 0.0f;
    for (int a = 0; a < dim; a++) {
        most = GY_MAX(most, GY_MAX(high[a], -low[a]));
    }
    return most < (float)GY_FAR_AWAY ? (int)(most + 0.5f) : GY_FAR_AWAY;
}

GY_INLINE int gy_net_length(int dim, const float *d)
{
    return gy_net_reach(dim, d, d);
}

/// The least of a block of cells of a row.
GY_INLINE int gy_net_least(const gy_net *t, int ib, int j, int k)
{
    return t->least[((size_t)k * (size_t)t->n[1] + (size_t)j) * (size_t)t->blocks + (size_t)ib];
}

/// A place: in cell e, f from its centre, |f| <= 1/2.
typedef struct gy_spot {
    int e[3];
    float f[3];
} gy_spot;

GY_INLINE int gy_link_bit(int dx, int dy, int dz)
{
    return (dx + 1) + 3 * (dy + 1) + 9 * (dz + 1);
}

GY_INLINE bool gy_linked(uint32_t link, const int d[3])
{
    return link >> gy_link_bit(d[0], d[1], d[2]) & 1u;
}

GY_INLINE void gy_net_go(const gy_net *t, int axis, int by, int e[3])
{
    e[axis] += by;
    if (e[axis] < 0 || e[axis] >= t->n[axis]) {
        // Paths do not cross other sides.
        bool wraps = t->periodic >> axis & 1u;
        int n = t->n[axis];
        e[axis] = wraps ? (e[axis] < 0 ? e[axis] + n : e[axis] - n) : e[axis] < 0 ? 0 : n - 1;
    }
}

/// Whether a face next to a cell is open: of `way` -1 the low one.
GY_INLINE bool gy_net_open(uint32_t link, int axis, int way)
{
    int d[3] = {0, 0, 0};
    d[axis] = way;
    return gy_linked(link, d);
}

/// From f of cell p->e by d, cell by cell.
static GY_NOINLINE void gy_net_crawl(const gy_net *t, const float d[3], gy_spot *p)
{
    float next[3] = {9.0f, 9.0f, 9.0f}, pace[3] = {0.0f, 0.0f, 0.0f};
    bool stopped[3] = {false, false, false};
    int moved[3] = {0, 0, 0};
    for (int a = 0; a < t->dim; a++) {
        float length = d[a] < 0.0f ? -d[a] : d[a];
        if (length > 0.0f) {
            pace[a] = 1.0f / length;
            next[a] = (d[a] > 0.0f ? 0.5f - p->f[a] : 0.5f + p->f[a]) * pace[a];
        }
    }
    for (;;) {
        float time = GY_MIN(next[0], GY_MIN(next[1], next[2]));
        int step[3] = {0, 0, 0};
        if (!(time < 1.0f)) {
            break;
        }
        for (int a = 0; a < t->dim; a++) {
            step[a] = next[a] == time ? (d[a] > 0.0f ? 1 : -1) : 0;
            int to = p->e[a] + step[a];
            if (step[a] && (to < 0 || to >= t->n[a]) && !(t->periodic >> a & 1u)) {
                // At a side, by rounding.
                stopped[a] = true;
                next[a] = 9.0f;
                step[a] = 0;
            }
        }
        if (!step[0] && !step[1] && !step[2]) {
            continue;
        }
        uint32_t link = t->link[gy_net_cell(t, p->e)];
        if (gy_linked(link, step)) {
            for (int a = 0; a < t->dim; a++) {
                if (step[a]) {
                    gy_net_go(t, a, step[a], p->e);
                    moved[a] += step[a];
                    next[a] += pace[a];
                }
            }
            continue;
        }
        bool any = false;
        for (int a = 0; a < t->dim; a++) {
            any = any || (step[a] && !gy_net_open(link, a, step[a]));
        }
        for (int a = 0; a < t->dim; a++) {
            if (step[a] && (!any || !gy_net_open(link, a, step[a]))) {
                stopped[a] = true;
                next[a] = 9.0f;
            }
        }
    }
    for (int a = 0; a < t->dim; a++) {
        float f = (p->f[a] + d[a]) - (float)moved[a];
        f = stopped[a] ? (d[a] > 0.0f ? 0.5f : -0.5f) : f;
        p->f[a] = f < -0.5f ? -0.5f : f > 0.5f ? 0.5f : f;
    }
}

GY_INLINE void gy_net_walk(const gy_net *t, const float d[3], gy_spot *p)
{
    int near[3] = {0, 0, 0};
    bool far = false;
    for (int a = 0; a < t->dim; a++) {
        float x = p->f[a] + d[a];
        near[a] = x > 0.5f ? 1 : x < -0.5f ? -1 : 0;
        int to = p->e[a] + near[a];
        bool beyond = (to < 0 || to >= t->n[a]) && !(t->periodic >> a & 1u);
        far = far || x > 1.5f || x < -1.5f || beyond;
    }
    if (far || !gy_linked(t->link[gy_net_cell(t, p->e)], near)) {
        gy_net_crawl(t, d, p);
        return;
    }
    for (int a = 0; a < t->dim; a++) {
        p->f[a] = (p->f[a] + d[a]) - (float)near[a];
        if (near[a]) {
            gy_net_go(t, a, near[a], p->e);
        }
    }
}

/// What is read of a field on the faces across `axis` (-1: at centres), and the range of what was.
GY_INLINE float gy_net_read_as(const gy_net *t, int dim, const float *q, int axis, const gy_spot *p,
                               float *low, float *high)
{
    uint32_t link = t->link[gy_net_cell(t, p->e)];
    const float *at = q + p->e[0] + p->e[1] * t->step[1] + p->e[2] * t->step[2];
    float sum = 0.0f, weight = 0.0f, least = 0.0f, most = 0.0f, own = 0.0f;
    float part = axis >= 0 ? p->f[axis] + 0.5f : 0.0f;
    ptrdiff_t up = axis >= 0 ? t->step[axis] : 0;
    bool dropped = false;
    for (int m = 0; m < 1 << dim; m++) {
        int step[3] = {0, 0, 0};
        ptrdiff_t o = 0;
        float w = 1.0f;
        if (axis >= 0 && (m >> axis & 1)) {
            continue;
        }
        for (int a = 0; a < dim; a++) {
            float x = p->f[a] < 0.0f ? -p->f[a] : p->f[a];
            if (a == axis) {
                continue;
            }
            if (m >> a & 1) {
                step[a] = p->f[a] < 0.0f ? -1 : 1;
                o += step[a] * t->step[a];
                w *= x;
            } else {
                w *= 1.0f - x;
            }
        }
        if (!gy_linked(link, step)) {
            dropped = true;
            if (axis >= 0 && !t->slip) {
                sum -= w * own;
                weight += w;
                least = GY_MIN(least, 0.0f);
                most = GY_MAX(most, 0.0f);
            }
            continue;
        }
        float v = at[o], l = v, h = v;
        if (axis >= 0) {
            float above = at[o + up];
            l = GY_MIN(v, above);
            h = GY_MAX(v, above);
            v = (1.0f - part) * v + part * above;
        }
        own = m == 0 ? v : own;
        least = m == 0 || l < least ? l : least;
        most = m == 0 || h > most ? h : most;
        sum += w * v;
        weight += w;
    }
    // No less than 2^-dim: the cell's own.
    float x = dropped ? sum / weight : sum;
    *low = least;
    *high = most;
    return x < least ? least : x > most ? most : x;
}

static GY_NOINLINE float gy_net_read_2d(const gy_net *t, const float *q, int axis, const gy_spot *p,
                                        float *low, float *high)
{
    return gy_net_read_as(t, 2, q, axis, p, low, high);
}
static GY_NOINLINE float gy_net_read_3d(const gy_net *t, const float *q, int axis, const gy_spot *p,
                                        float *low, float *high)
{
    return gy_net_read_as(t, 3, q, axis, p, low, high);
}

GY_INLINE float gy_net_read(const gy_net *t, const float *q, int axis, const gy_spot *p, float *low,
                            float *high)
{
    return gy_is_3d(t->dim) ? gy_net_read_3d(t, q, axis, p, low, high)
                            : gy_net_read_2d(t, q, axis, p, low, high);
}

#endif
