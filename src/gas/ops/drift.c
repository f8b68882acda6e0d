// gas/ops/drift.c: the sum of each component of the velocity over the lower faces of all cells:
// what the gas as a whole does along axes that are periodic. Reads 4 d bytes a cell.
#include "gas/ops/args.h"
#include "ops/row/body.h"

static double row_sum(const float *row, int n)
{
    gy_sum sum = gy_sum_zero();
    for (int i = 0; i < n; i += VW) {
        gy_sum_add(&sum, i, (vf)((vi)gy_load(row + i) & (gy_iota(i) < n)));
    }
    return gy_sum_fold(&sum);
}

void GY_BODY(drift)(const void *args, const gy_box *box, int task)
{
    const gy_drift_args *a = args;
    const gy_extent *e = &a->extent;
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int c = 0; c < e->dim; c++) {
                sum[c] += row_sum(gy_at(a->base, a->velocity[c]) + o, e->n[0]);
            }
        }
    }
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    for (int c = 0; c < 3; c++) {
        partial[c] = sum[c];
    }
}
