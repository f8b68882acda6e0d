// gas/ops/dilate.c: what carrying adds to the squares of velocities where the gas expands. A value
// that is carried along a wind w with div w > 0 comes to fill as much more room, and the sum over
// cells of its square grows as
//
//     d/dt sum |u|^2 = sum |u|^2 div w
//
// which is the work of what swells and none that comes from nothing. Over a step at most e^x - 1, x
// = dt div w, of it; per task the sum of |u|^2 x (1 + x) over cells where x is above 0, |u|^2 at a
// cell being the mean of its faces'. Where gas shrinks the sum falls by itself. Reads 8 d bytes a
// cell.
#include "gas/ops/flux.h"

enum { STRIP = 128 };

/// What a row of cells adds.
static double row_sum(const gy_dilate_args *a, const gy_flux *f, int j, int k)
{
    const ptrdiff_t step[3] = {1, a->extent.sy, a->extent.sz};
    const int n = a->extent.n[0], end = gy_round_up(n, GY_LANES);
    gy_sum sum = gy_sum_zero();
    for (int i0 = 0; i0 < end; i0 += STRIP) {
        float low[STRIP + 2 * GY_FLUX_SLACK], high[STRIP + 2 * GY_FLUX_SLACK];
        float net[STRIP + 2 * GY_FLUX_SLACK], squares[STRIP + 2 * GY_FLUX_SLACK];
        int lanes = GY_MIN(STRIP, end - i0);
        for (int axis = 0; axis < a->extent.dim; axis++) {
            const float *u =
                (const float *)gy_at(a->base, a->velocity[axis]) + gy_flux_place(f, j, k) + i0;
            gy_flux_row(f, axis, j, k, i0, lanes + (axis == 0), low);
            if (axis > 0) {
                gy_flux_row(f, axis, j + (axis == 1), k + (axis == 2), i0, lanes, high);
            }
            for (int i = 0; i < lanes; i += VW) {
                vf l = gy_load(low + i), h = axis == 0 ? gy_load(low + i + 1) : gy_load(high + i);
                vf from = gy_load(u + i), to = gy_load(u + i + step[axis]);
                vf x = axis == 0 ? gy_splat(0.0f) : gy_load(net + i);
                vf s = axis == 0 ? gy_splat(0.0f) : gy_load(squares + i);
                gy_store(net + i, x + (h - l));
                gy_store(squares + i, s + 0.5f * (from * from + to * to));
            }
        }
        for (int i = 0; i < lanes; i += VW) {
            vf x = gy_max(gy_load(net + i), gy_splat(0.0f));
            vf own = gy_load(squares + i) * (x * (1.0f + x));
            gy_sum_add(&sum, i0 + i, (vf)((vi)own & (gy_iota(i0 + i) < n)));
        }
    }
    return gy_sum_fold(&sum);
}

void GY_BODY(dilate)(const void *args, const gy_box *box, int task)
{
    const gy_dilate_args *a = args;
    gy_flux f = gy_flux_make(a->base, a->wind, a->level, &a->extent, a->periodic, a->open_sides,
                             a->given, a->scale);
    double sum = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            sum += row_sum(a, &f, j, k);
        }
    }
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    partial[0] = sum;
    partial[1] = partial[2] = partial[3] = 0.0;
}
