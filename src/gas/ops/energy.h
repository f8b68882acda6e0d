// gas/ops/energy.h: the squares of velocities on faces, as the projection weighs them: each face by
// its openness, those of open sides by half, shut ones not at all. Half the sum, times the volume
// of a cell, is the kinetic energy, and what projects in this product leaves less of it.
#ifndef GY_ENERGY_H
#define GY_ENERGY_H

#include "gas/ops/args.h"
#include "ops/system/level.h"

/// The weight of a row of faces across y or z beside that of its coefficients: those on an open
/// side have doubled ones.
GY_INLINE float gy_row_weight(const gy_level *l, int axis, int j, int k)
{
    int at = axis == 1 ? j : k;
    bool side = axis > 0 && !(l->periodic >> axis & 1u) && (at == 0 || at == l->n[axis]);
    return (side ? 0.25f : 1.0f) * (1.0f / GY_UNIT);
}

/// The first face of a row that counts among the others: along x those on the sides are apart.
GY_INLINE int gy_row_first(const gy_level *l, int axis)
{
    return axis == 0 && !(l->periodic & 1u) ? 1 : 0;
}

/// Those, across x: open ones by half, their coefficients being doubled.
GY_INLINE double gy_row_sides(const gy_grid_level *g, const float *row, int j, int k)
{
    int n = g->l->n[0];
    if (!(g->l->open_sides & 3u)) {
        return 0.0;
    }
    float low = (float)*gy_coefficient(g, 0, 0, j, k) * (0.25f / GY_UNIT),
          high = (float)*gy_coefficient(g, 0, n, j, k) * (0.25f / GY_UNIT);
    return (double)(low * (row[0] * row[0])) + (double)(high * (row[n] * row[n]));
}

/// Whether a row of faces across y or z lies on a side of the domain, not on a seam.
GY_INLINE bool gy_row_on_side(const gy_level *l, int axis, int j, int k)
{
    int at = axis == 1 ? j : k;
    return axis > 0 && !(l->periodic >> axis & 1u) && (at == 0 || at == l->n[axis]);
}

/// What all faces of a row count where there are no solids: 0 on a shut side, half on an open one.
GY_INLINE float gy_whole_weight(const gy_level *l, int axis, int j, int k)
{
    if (!gy_row_on_side(l, axis, j, k)) {
        return 1.0f;
    }
    int high = (axis == 1 ? j : k) != 0;
    return l->open_sides >> (2 * axis + high) & 1u ? 0.5f : 0.0f;
}

GY_INLINE double gy_whole_squares(const gy_level *l, int axis, const float *row, float weight)
{
    int n = l->n[0], first = gy_row_first(l, axis);
    gy_sum sum = gy_sum_zero();
    for (int i = 0; i < n; i += VW) {
        vf x = gy_load(row + i);
        vi counts = (gy_iota(i) < n) & (gy_iota(i) >= first);
        gy_sum_add(&sum, i, (vf)((vi)(weight * (x * x)) & counts));
    }
    return gy_sum_fold(&sum);
}

GY_INLINE double gy_open_squares(const gy_grid_level *g, int axis, const float *row, int j, int k)
{
    const gy_level *l = g->l;
    ptrdiff_t s = gy_level_row(l, j, k);
    int c = (j + k) & 1, n = l->n[0], end = gy_round_up(n, GY_LANES);
    int first = gy_row_first(l, axis);
    const uint16_t *even = g->open[axis][c] + s, *odd = g->open[axis][1 - c] + s;
    const uint8_t *flags = j < l->n[1] && k < l->n[2] ? gy_level_flags(g, j, k) : NULL;
    float weight = gy_row_weight(l, axis, j, k);
    gy_sum sum = gy_sum_zero();
    for (int group = 0; group < g->groups; group++) {
        bool uniform = flags && flags[group];
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP && 2 * i < end; i += VW) {
            vf low = gy_load(row + 2 * i), high = gy_load(row + 2 * i + VW);
            vi place = gy_iota(2 * i), above = gy_iota(2 * i + VW);
            low = (vf)((vi)(low * low) & (place < n) & (place >= first));
            high = (vf)((vi)(high * high) & (above < n));
            if (!uniform) {
                vf oe = gy_load_u16(even + i), oo = gy_load_u16(odd + i);
                low *= weight * gy_zip_low(oe, oo);
                high *= weight * gy_zip_high(oe, oo);
            }
            gy_sum_add(&sum, 2 * i, low);
            gy_sum_add(&sum, 2 * i + VW, high);
        }
    }
    return gy_sum_fold(&sum);
}

/// The sum over one row of faces across `axis`.
GY_INLINE double gy_row_squares(const gy_grid_level *g, int axis, const float *row, int j, int k)
{
    double sum = 0.0;
    if (!g->l->whole) {
        sum = gy_open_squares(g, axis, row, j, k);
    } else {
        float weight = gy_whole_weight(g->l, axis, j, k);
        sum = weight > 0.0f ? gy_whole_squares(g->l, axis, row, weight) : 0.0;
    }
    return sum + (axis == 0 ? gy_row_sides(g, row, j, k) : 0.0);
}

/// The same of all faces that a row of cells owns: its lower ones, and where it is the last before
/// an open side the ones there.
GY_INLINE double gy_cells_squares(const gy_grid_level *g, const gy_extent *e,
                                  const float *const u[3], int j, int k)
{
    ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
    const int at[3] = {0, j, k};
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    double sum = 0.0;
    for (int a = 0; a < e->dim; a++) {
        sum += gy_row_squares(g, a, u[a] + o, j, k);
        if (a > 0 && at[a] == e->n[a] - 1 && (g->l->open_sides >> (2 * a + 1) & 1u)) {
            sum += gy_row_squares(g, a, u[a] + o + step[a], j + (a == 1), k + (a == 2));
        }
    }
    return sum;
}

#endif
