// ops/vector.c: vectors like the unknowns of a level: two colours, apart.
#include "ops/level.h"

GY_INLINE double dot_row(const gy_grid_level *p, const gy_grid_level *q, int c, int j, int k)
{
    const gy_level *l = p->l;
    ptrdiff_t o = gy_level_row(l, j, k);
    int e = (j + k + c) & 1, cells = (l->n[0] - e + 1) / 2;
    const float *x = p->x[c] + o, *y = q->x[c] + o;
    gy_sum sum = gy_sum_zero();
    for (int i = 0; i < p->groups * GY_GROUP; i += VW) {
        vf t = gy_load(x + i) * gy_load(y + i);
        gy_sum_add(&sum, i, (vf)((vi)t & (vi)(gy_iota(i) < cells)));
    }
    return gy_sum_fold(&sum);
}

/// partial[0] = sum over cells of the product of two vectors. Reads 8 bytes per cell.
void GY_BODY(dot)(const void *args, const gy_box *box, int task)
{
    const gy_dot_args *a = args;
    gy_grid_level p = gy_grid_level_with(a->base, a->level, a->x),
                  q = gy_grid_level_with(a->base, a->level, a->y);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                sum += dot_row(&p, &q, c, j, k);
            }
        }
    }
    partial[0] = sum;
}
