// gas/ops/link_lanes.h: gy_net_walk and gy_net_read_as of gas/ops/link.h for lanes at once: the
// same operations in the same order in each lane, so the same bits. Lanes that have to crawl are
// left to gy_net_walk. Cost: of the order of 10 ns a walk and its reads.
#ifndef GY_LINK_LANES_H
#define GY_LINK_LANES_H

#include "gas/ops/link.h"

/// Cells of lanes of a row: their numbers, where in a field their samples are, and where they are.
typedef struct gy_spots {
    vi cell, place, x;
    int y, z;
} gy_spots;

GY_INLINE vi gy_lanes_all(bool whether)
{
    return gy_splat_int(-(int)whether);
}

GY_INLINE vi gy_spots_links(const gy_net *t, vi cell)
{
    return (vi)gy_gather((const float *)(const void *)t->link, cell);
}

/// Whether the link has a bit set.
GY_INLINE vi gy_spots_linked(vi link, vi bit)
{
    return -((link >> bit) & 1);
}

/// Those lanes of `in` that end in a linked cell next to their own go there; f: where they go to
/// from their cells' centres, then from the centres of those that they are in. Returns the lanes
/// that would have to crawl, which stay at their centres.
GY_INLINE vi gy_spots_walk(const gy_net *t, int dim, vi in, gy_spots *p, vf f[3])
{
    vi near[3], far = gy_lanes_all(false), bit = gy_splat_int(13), moves = far;
    vi cell = p->cell, place = p->place;
    const int to[3] = {1, 3, 9};
    const int rows[3] = {1, t->n[0], t->n[0] * t->n[1]};
    for (int a = 0; a < dim; a++) {
        vf x = f[a];
        near[a] = -(vi)(x > 0.5f) + (vi)(x < -0.5f);
        far |= (vi)(x > 1.5f) | (vi)(x < -1.5f);
        f[a] = x - gy_to_float(near[a]);
        bit += near[a] * to[a];
        moves |= (vi)(near[a] != 0);
    }
    if (gy_any(moves & in)) {
        far |= moves & ~gy_spots_linked(gy_spots_links(t, cell), bit);
        for (int a = 0; a < dim; a++) {
            vi e = a == 0 ? p->x : gy_splat_int(a == 1 ? p->y : p->z);
            vi beyond = (vi)(e + near[a] < 0) | (vi)(e + near[a] >= t->n[a]);
            vi turn = near[a] * t->n[a] & beyond;
            // Paths do not cross other sides.
            far |= (t->periodic >> a & 1u) ? gy_lanes_all(false) : beyond;
            cell += (near[a] - turn) * rows[a];
            place += (near[a] - turn) * (int)t->step[a];
        }
    }
    vi slow = far & in, good = in & ~far;
    p->cell = (cell & good) | (p->cell & ~good);
    p->place = (place & good) | (p->place & ~good);
    for (int a = 0; a < dim; a++) {
        f[a] = gy_select(good, f[a], gy_splat(0.0f));
    }
    return slow;
}

/// As gy_net_read_as, at places f from the centres of cells.
GY_INLINE vf gy_spots_read(const gy_net *t, int dim, const float *q, int axis, const gy_spots *p,
                           const vf f[3], vf *low, vf *high)
{
    vi link = gy_spots_links(t, p->cell), dropped = gy_lanes_all(false), step[3];
    vf x[3], sum = gy_splat(0.0f), weight = sum, least = sum, most = sum, own = sum;
    vf part = axis >= 0 ? f[axis] + 0.5f : sum;
    for (int a = 0; a < dim; a++) {
        x[a] = gy_select((vi)(f[a] < 0.0f), -f[a], f[a]);
        step[a] = 1 + 2 * (vi)(f[a] < 0.0f);
    }
    for (int m = 0; m < 1 << dim; m++) {
        const int to[3] = {1, 3, 9};
        vi o = p->place, bit = gy_splat_int(13);
        vf w = gy_splat(1.0f);
        if (axis >= 0 && (m >> axis & 1)) {
            continue;
        }
        for (int a = 0; a < dim; a++) {
            if (a == axis) {
                continue;
            }
            if (m >> a & 1) {
                o += step[a] * (int)t->step[a];
                bit += step[a] * to[a];
                w *= x[a];
            } else {
                w *= 1.0f - x[a];
            }
        }
        vi linked = gy_spots_linked(link, bit);
        vf v = gy_gather(q, o), l = v, h = v;
        if (axis >= 0) {
            vf above = gy_gather(q + t->step[axis], o);
            l = gy_min(v, above);
            h = gy_max(v, above);
            v = (1.0f - part) * v + part * above;
        }
        if (m == 0) {
            own = v;
            least = l;
            most = h;
            sum += w * v;
            weight += w;
            continue;
        }
        dropped |= ~linked;
        if (axis >= 0 && !t->slip) {
            sum = gy_select(linked, sum + w * v, sum - w * own);
            weight += w;
            vf zero = gy_splat(0.0f);
            least = gy_select(linked, gy_min(l, least), gy_min(least, zero));
            most = gy_select(linked, gy_max(h, most), gy_max(most, zero));
        } else {
            sum = gy_select(linked, sum + w * v, sum);
            weight = gy_select(linked, weight + w, weight);
            least = gy_select(linked, gy_min(l, least), least);
            most = gy_select(linked, gy_max(h, most), most);
        }
    }
    vf y = gy_select(dropped, sum / weight, sum);
    *low = least;
    *high = most;
    return gy_select((vi)(y < least), least, gy_select((vi)(y > most), most, y));
}

#endif
