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

/// The start of one colour of one row of a vector.
GY_INLINE float *row_of(uint64_t base, const gy_level *l, uint32_t vector, int c, int j, int k)
{
    return gy_at(base, vector) + (ptrdiff_t)c * l->colour_step + gy_level_row(l, j, k);
}

GY_INLINE void mask_row(int dim, const gy_grid_level *g, int c, int j, int k)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    for (int group = 0; group < r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP && !r.flags[group]; i += VW) {
            vf d;
            gy_couple(dim, &r, i, &d);
            vf x = gy_live(&r, i, gy_load(r.x + i));
            gy_store(r.x + i, (vf)((vi)x & (vi)(d > 1e-20f)));
        }
    }
}

/// x = 0 where a cell is held at 0, has neither an open face nor a shift, or is beyond its row.
/// Reads 4 bytes per cell and 6 to 12 of coefficients, writes 4, where coefficients are not all 1.
void GY_BODY(mask)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (g.l->dim == 3) {
                    mask_row(3, &g, c, j, k);
                } else {
                    mask_row(2, &g, c, j, k);
                }
            }
        }
    }
}

GY_INLINE double apply_row(int dim, const gy_grid_level *g, const gy_vector_args *a, int c, int j,
                           int k)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    float *y = row_of(a->base, g->l, a->y, c, j, k);
    const float *z = a->first ? row_of(a->base, g->l, a->z, c, j, k) : NULL;
    gy_sum sum = gy_sum_zero();
    for (int group = 0; group < r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf x = gy_load(r.x + i), t;
            if (r.flags[group]) {
                t = r.diagonal * x - gy_couple_uniform(dim, &r, g->l->scale, i);
            } else {
                vf d, s = gy_couple(dim, &r, i, &d);
                t = gy_live(&r, i, d * x - s);
            }
            if (z) {
                x = t = gy_load(z + i) - t;
            }
            gy_store(y + i, t);
            gy_sum_add(&sum, i, x * t);
        }
    }
    return gy_sum_fold(&sum);
}

/// y = A x, partial[0] = x.y, or y = z - A x and y.y. z is 0 where there is no unknown. Reads 4
/// bytes per cell (8 with z) and 6 to 12 of coefficients where they are not all 1, writes 4.
void GY_BODY(apply)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                sum += g.l->dim == 3 ? apply_row(3, &g, a, c, j, k) : apply_row(2, &g, a, c, j, k);
            }
        }
    }
    partial[0] = sum;
}

/// x = y + factor x, and 0 beyond the ends of rows; y counts as 0 at offset 0. Reads 8 bytes per
/// cell, writes 4.
void GY_BODY(direct)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                float *x = row_of(a->base, g.l, a->x, c, j, k);
                const float *y = a->y ? row_of(a->base, g.l, a->y, c, j, k) : NULL;
                int cells = (g.l->n[0] - ((j + k + c) & 1) + 1) / 2;
                for (int i = 0; i < g.groups * GY_GROUP; i += VW) {
                    vf t = y ? gy_load(y + i) : gy_splat(0.0f);
                    if (!a->first) {
                        t += a->factor * gy_load(x + i);
                    }
                    gy_store(x + i, (vf)((vi)t & (vi)(gy_iota(i) < cells)));
                }
            }
        }
    }
}

/// x += factor y, z -= factor w, partial[0] = z.z. Reads 16 bytes per cell, writes 8.
void GY_BODY(descend)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                float *x = row_of(a->base, g.l, a->x, c, j, k);
                float *z = row_of(a->base, g.l, a->z, c, j, k);
                const float *y = row_of(a->base, g.l, a->y, c, j, k);
                const float *w = row_of(a->base, g.l, a->w, c, j, k);
                gy_sum row = gy_sum_zero();
                for (int i = 0; i < g.groups * GY_GROUP; i += VW) {
                    vf r = gy_load(z + i) - a->factor * gy_load(w + i);
                    gy_store(x + i, gy_load(x + i) + a->factor * gy_load(y + i));
                    gy_store(z + i, r);
                    gy_sum_add(&row, i, r * r);
                }
                sum += gy_sum_fold(&row);
            }
        }
    }
    partial[0] = sum;
}

/// partial[0] = x.y, [1] = x.z over slots; y and z are 0 where there is no cell. Reads 12 bytes per
/// cell.
void GY_BODY(dots)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum[2] = {0.0, 0.0};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                const float *x = row_of(a->base, g.l, a->x, c, j, k);
                const float *y = row_of(a->base, g.l, a->y, c, j, k);
                const float *z = row_of(a->base, g.l, a->z, c, j, k);
                gy_sum row[2] = {gy_sum_zero(), gy_sum_zero()};
                for (int i = 0; i < g.groups * GY_GROUP; i += VW) {
                    vf t = gy_load(x + i);
                    gy_sum_add(&row[0], i, t * gy_load(y + i));
                    gy_sum_add(&row[1], i, t * gy_load(z + i));
                }
                sum[0] += gy_sum_fold(&row[0]);
                sum[1] += gy_sum_fold(&row[1]);
            }
        }
    }
    partial[0] = sum[0];
    partial[1] = sum[1];
}
