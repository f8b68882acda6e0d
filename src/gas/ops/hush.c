// gas/ops/hush.c: parts of a gas that sheets keep apart, in linear systems. Coarse levels of some
// solvers know no sheets, so a part where b is 0 everywhere gets something of the others'; its x is
// 0. And what sheets that the gas sticks to take of a component of velocity beside them: a wall
// half a cell away.
//
// hear:  loud[part] = 1 where b is not 0, in any order
// hush:  x = 0 in parts that are not loud
// cling: u *= factor[walls beside it - 1]
//
// Bytes per cell: hear reads 8, hush reads 4 and writes 4 in quiet parts.
#include "gas/ops/args.h"
#include "ops/row/body.h"
#include "ops/system/level.h"

GY_INLINE const int32_t *parts_of(const gy_hush_args *a, const gy_level *l, int j, int k)
{
    return (const int32_t *)(uintptr_t)a->part + ((ptrdiff_t)k * l->n[1] + j) * (ptrdiff_t)l->n[0];
}

void GY_BODY(hear)(const void *args, const gy_box *box, int task)
{
    const gy_hush_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    uint8_t *loud = (uint8_t *)(uintptr_t)a->loud;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            const int32_t *part = parts_of(a, g.l, j, k);
            ptrdiff_t row = gy_level_row(g.l, j, k);
            for (int i = box->low[0]; i < box->high[0]; i++) {
                if (part[i] >= 0 && g.b[(i + j + k) & 1][row + (i >> 1)] != 0.0f) {
                    // Whoever comes first: all write the same.
                    __atomic_store_n(&loud[part[i]], 1, __ATOMIC_RELAXED);
                }
            }
        }
    }
}

void GY_BODY(hush)(const void *args, const gy_box *box, int task)
{
    const gy_hush_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const uint8_t *loud = (const uint8_t *)(uintptr_t)a->loud;
    ptrdiff_t low = a->low ? gy_at(a->base, a->low) - gy_at(a->base, g.l->x) : 0;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            const int32_t *part = parts_of(a, g.l, j, k);
            ptrdiff_t row = gy_level_row(g.l, j, k);
            for (int i = box->low[0]; i < box->high[0]; i++) {
                float *x = &g.x[(i + j + k) & 1][row + (i >> 1)];
                if (part[i] >= 0 && !loud[part[i]]) {
                    x[0] = x[low] = 0.0f;
                }
            }
        }
    }
}

void GY_BODY(cling)(const void *args, const gy_box *box, int task)
{
    const gy_cling_args *a = args;
    const uint32_t *items = (const uint32_t *)(uintptr_t)a->items;
    float *u = gy_at(a->base, a->field);
    (void)task;
    for (int q = box->low[0]; q < box->high[0]; q++) {
        u[(int32_t)items[2 * q]] *= a->factor[items[2 * q + 1] - 1];
    }
}
