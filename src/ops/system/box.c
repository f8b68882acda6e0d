// ops/system/box.c: the residual r = b - (shift x + sum (x - x_neighbour)) of a box, by its sides
// alone: beyond a shut side stands x itself, beyond an open one -x. Reads x and b, 8 bytes a cell,
// and no coefficients.
#include "ops/system/level.h"

/// Where a row's neighbours across y or z lie, and what they are multiplied by: beyond a shut side
/// the cells themselves (nothing passes), beyond an open one minus that (0 half way).
typedef struct neighbours {
    const float *x[4];
    float sign[4];
} neighbours;

/// What stands for x beyond a side: x times this.
GY_INLINE float mirror(const gy_level *l, int side)
{
    return l->open_sides >> side & 1u ? -1.0f : 1.0f;
}

GY_INLINE neighbours neighbours_of(const gy_grid_level *g, const gy_colour_row *r, int j, int k)
{
    const gy_level *l = g->l;
    const int at[2] = {j, k};
    const ptrdiff_t step[2] = {l->sy, l->sz};
    neighbours m = {.sign = {1.0f, 1.0f, 1.0f, 1.0f}};
    for (int q = 0; q < 4; q++) {
        int axis = q / 2 + 1, end = q & 1;
        bool beyond = at[q / 2] == (end ? l->n[axis] - 1 : 0) && !(l->periodic >> axis & 1u);
        m.x[q] = beyond ? r->x : end ? r->q + step[q / 2] : r->q - step[q / 2];
        m.sign[q] = beyond ? mirror(l, 2 * axis + end) : 1.0f;
    }
    return m;
}

GY_INLINE double row_squares(int dim, const gy_grid_level *g, int c, int j, int k)
{
    const gy_level *l = g->l;
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    neighbours m = neighbours_of(g, &r, j, k);
    bool ends = !(l->periodic & 1u);
    // The slots of the first and of the last cell, where they are of this colour.
    int first = ends && r.e == 0 ? 0 : -1,
        last = ends && ((l->n[0] - 1) & 1) == r.e ? (l->n[0] - 1) >> 1 : -1;
    float diagonal = 2.0f * (float)dim + l->shift;
    gy_sum sum = gy_sum_zero();
    for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
        vf x = gy_load(r.x + i), t = gy_load(r.q + i + r.e - 1) + gy_load(r.q + i + r.e);
        for (int q = 0; q < 2 * dim - 2; q++) {
            t += m.sign[q] * gy_load(m.x[q] + i);
        }
        if (i == 0 && first == 0) {
            t += (vf)((vi)(mirror(l, 0) * x) & (vi)(gy_iota(0) == 0));
        }
        if (last >= i && last < i + VW) {
            t += (vf)((vi)(mirror(l, 1) * x) & (vi)(gy_iota(i) == last));
        }
        t = gy_live(&r, i, gy_load(r.b + i) + (t - diagonal * x));
        gy_sum_add(&sum, i, t * t);
    }
    return gy_sum_fold(&sum);
}

/// partial[0] = sum of the squares of the residual. What lies beyond the ends of x must be 0, or
/// wrapped where an axis is periodic. Reads 8 bytes per cell.
void GY_BODY(box_residual)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                sum +=
                    gy_is_3d(g.l->dim) ? row_squares(3, &g, c, j, k) : row_squares(2, &g, c, j, k);
            }
        }
    }
    partial[0] = sum;
}
