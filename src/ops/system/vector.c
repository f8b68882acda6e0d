// ops/system/vector.c: products and sums of vectors like the unknowns of a level, two colours one
// behind the other: y = A x, x = y + a x, x.y. Bytes per cell: 4 for each vector read or written,
// and for A coefficients where they are not all 1.
#include "ops/system/level.h"

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

/// The args, factor and mean being those of the CG state where there is one.
static gy_vector_args on_state(const gy_vector_args *a)
{
    gy_vector_args own = *a;
    if (a->cg) {
        const gy_cg_state *c = (const gy_cg_state *)(const void *)gy_at(a->base, a->cg);
        own.factor = c->factor;
        own.mean = c->mean;
    }
    return own;
}

/// The start of one colour of one row of a vector.
GY_INLINE float *row_of(uint64_t base, const gy_level *l, uint32_t vector, int c, int j, int k)
{
    return gy_at(base, vector) + (ptrdiff_t)c * l->colour_step + gy_level_row(l, j, k);
}

/// Adds to sum: x, and the number of cells that have one.
GY_INLINE void mask_row(int dim, const gy_grid_level *g, float mean, int c, int j, int k,
                        double sum[2])
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    gy_sum row[2] = {gy_sum_zero(), gy_sum_zero()};
    for (int group = 0; group < r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf d = gy_splat(1.0f), one = d;
            if (!r.flags[group]) {
                gy_couple(dim, &r, i, &d);
                d = gy_live(&r, i, d);
            }
            vi live = (vi)(d > 1e-20f);
            vf x = (vf)((vi)(gy_load(r.x + i) - mean) & live);
            gy_store(r.x + i, x);
            gy_sum_add(&row[0], i, x);
            gy_sum_add(&row[1], i, (vf)((vi)one & live));
        }
    }
    for (int q = 0; q < 2; q++) {
        sum[q] += gy_sum_fold(&row[q]);
    }
}

/// x -= mean, and 0 where a cell is held at 0, has neither an open face nor a shift, or is beyond
/// its row; partial[0] = the sum of x, [1] = the number of the other cells. Reads 4 bytes per cell
/// and 6 to 12 of coefficients where they are not all 1, writes 4.
void GY_BODY(mask)(const void *args, const gy_box *box, int task)
{
    gy_vector_args own = on_state(args), *a = &own;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum[2] = {0.0, 0.0};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (gy_is_3d(g.l->dim)) {
                    mask_row(3, &g, a->mean, c, j, k, sum);
                } else {
                    mask_row(2, &g, a->mean, c, j, k, sum);
                }
            }
        }
    }
    memcpy(partial, sum, sizeof sum);
}

/// x where y is not 0, else 0.
GY_INLINE vf not_zero(vf y, vf x)
{
    return (vf)((vi)x & (vi)(y != 0.0f));
}

/// Adds to sum: x.y or y.y, the sum of y, and how many of y are not 0.
GY_INLINE void apply_row(int dim, const gy_grid_level *g, const gy_vector_args *a, int c, int j,
                         int k, double sum[3])
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    float *y = row_of(a->base, g->l, a->y, c, j, k);
    const float *z = a->z ? row_of(a->base, g->l, a->z, c, j, k) : NULL;
    gy_sum row[3] = {gy_sum_zero(), gy_sum_zero(), gy_sum_zero()};
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
            gy_sum_add(&row[0], i, x * t);
            gy_sum_add(&row[1], i, t);
            gy_sum_add(&row[2], i, not_zero(t, gy_splat(1.0f)));
        }
    }
    for (int q = 0; q < 3; q++) {
        sum[q] += gy_sum_fold(&row[q]);
    }
}

/// y = A x, partial[0] = x.y, or y = z - A x and y.y; [1] = the sum of y, [2] = how many of y are
/// not 0. z is 0 where there is no unknown. Reads 4 bytes per cell (8 with z) and 6 to 12 of
/// coefficients where they are not all 1, writes 4.
void GY_BODY(apply)(const void *args, const gy_box *box, int task)
{
    const gy_vector_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (gy_is_3d(g.l->dim)) {
                    apply_row(3, &g, a, c, j, k, sum);
                } else {
                    apply_row(2, &g, a, c, j, k, sum);
                }
            }
        }
    }
    memcpy(partial, sum, sizeof sum);
}

/// x = y + factor x, and 0 beyond the ends of rows; y counts as 0 at offset 0. Reads 8 bytes per
/// cell, writes 4.
void GY_BODY(direct)(const void *args, const gy_box *box, int task)
{
    gy_vector_args own = on_state(args), *a = &own;
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

/// x + low += t, by Knuth's sum without loss; x is the pair's sum rounded afterwards.
GY_INLINE void add_to_pair(float *x, float *low, vf t)
{
    vf a = gy_load(x), sum = a + t, part = sum - a;
    vf lost = (a - (sum - part)) + (t - part), rest = gy_load(low) + lost;
    a = sum + rest;
    gy_store(x, a);
    gy_store(low, rest - (a - sum));
}

/// Adds to sum: z.z, the sum of z, and y.z.
GY_INLINE void descend_row(bool pair, const gy_grid_level *g, const gy_vector_args *a, int c, int j,
                           int k, double sum[3])
{
    float *x = row_of(a->base, g->l, a->x, c, j, k);
    float *low = pair ? row_of(a->base, g->l, a->low, c, j, k) : NULL;
    float *z = a->z ? row_of(a->base, g->l, a->z, c, j, k) : NULL;
    const float *y = row_of(a->base, g->l, a->y, c, j, k);
    const float *w = z ? row_of(a->base, g->l, a->w, c, j, k) : NULL;
    int cells = (g->l->n[0] - ((j + k + c) & 1) + 1) / 2;
    vf mean = gy_splat(a->mean);
    gy_sum row[3] = {gy_sum_zero(), gy_sum_zero(), gy_sum_zero()};
    for (int i = 0; i < g->groups * GY_GROUP; i += VW) {
        vf d = (vf)((vi)gy_load(y + i) & (vi)(gy_iota(i) < cells)), t = a->factor * d;
        if (pair) {
            add_to_pair(x + i, low + i, t);
        } else {
            gy_store(x + i, gy_load(x + i) + t);
        }
        if (z) {
            vf q = gy_load(w + i);
            vf r = gy_load(z + i) - a->factor * (q - not_zero(q, mean));
            gy_store(z + i, r);
            gy_sum_add(&row[0], i, r * r);
            gy_sum_add(&row[1], i, r);
            gy_sum_add(&row[2], i, d * r);
        }
    }
    for (int q = 0; q < 3; q++) {
        sum[q] += gy_sum_fold(&row[q]);
    }
}

/// x (or x + low) += factor y in cells, z -= factor (w - mean) where w is not 0, partial[0] = z.z,
/// [1] = the sum of z, [2] = y.z; z at offset 0: nothing of the kind. Reads 16 bytes per cell,
/// writes 8; 4 more of each with low.
void GY_BODY(descend)(const void *args, const gy_box *box, int task)
{
    gy_vector_args own = on_state(args), *a = &own;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (a->low) {
                    descend_row(true, &g, a, c, j, k, sum);
                } else {
                    descend_row(false, &g, a, c, j, k, sum);
                }
            }
        }
    }
    memcpy(partial, sum, sizeof sum);
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
    memcpy(partial, sum, sizeof sum);
}
