// gas/ops/measure.c: over the cells that hold gas the sum of q, of q^2 and the largest |q|; and q
// (1 + part) with that part for which the sum is again what it was. Reads 4 bytes a cell; mend
// writes 4.
#include "base/maths.h"
#include "gas/ops/args.h"
#include "ops/system/level.h"

void GY_BODY(measure)(const void *args, const gy_box *box, int task)
{
    const gy_measure_args *a = args;
    const gy_extent *e = &a->extent;
    const float *field = gy_at(a->base, a->field);
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0, squares = 0.0, most = 0.0;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            const float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            const uint8_t *flags = gy_level_flags(&g, j, k);
            for (int i = 0; i < e->n[0]; i++) {
                if (flags[i / (2 * GY_GROUP)] || gy_level_fluid(&g, i, j, k)) {
                    double x = (double)row[i], m = x < 0.0 ? -x : x;
                    sum += x;
                    squares += x * x;
                    most = m > most ? m : most;
                }
            }
        }
    }
    partial[0] = sum;
    partial[1] = squares;
    partial[2] = most;
}

static double task_sum(uint64_t base, uint32_t partial, int tasks, int which)
{
    const double *p = (const double *)(const void *)gy_at(base, partial);
    double sum = 0.0;
    for (int t = 0; t < tasks; t++) {
        sum += p[4 * t + which];
    }
    return sum;
}

/// x (1 + part x), rounded up or down by chance in the ratio that makes the mean right: what is
/// wanting is often less than half of what a float can tell. The chance is Weyl's sequence over
/// cells, of which few in a row are already even.
static float mended(float x, float part, int i, int j, int k)
{
    union {
        float f;
        uint32_t u;
    } unit = {x};
    unit.u &= 0x7f800000u;
    uint32_t place =
        (uint32_t)i * 0x9e3779b9u + (uint32_t)j * 0x85ebca6bu + (uint32_t)k * 0xc2b2ae35u;
    float chance = (float)(int32_t)(place >> 8) * 0x1p-24f;
    float steps = part * x * (x / (unit.f * 0x1p-23f)) + chance;
    // More than that is not for rounding to mend.
    steps = steps > 1e6f ? 1e6f : steps < -1e6f ? -1e6f : steps;
    int32_t whole = (int32_t)steps;
    whole -= (float)whole > steps;
    return x + (float)whole * (unit.f * 0x1p-23f);
}

/// Adds to a field of which solvers have left too much or too little, over cells with fluid,
/// x -> x + (before - after) x^2 / (sum of x^2): nothing where there was nothing. Reads and writes
/// 4 bytes a cell.
void GY_BODY(mend)(const void *args, const gy_box *box, int task)
{
    const gy_mend_args *a = args;
    const gy_extent *e = &a->extent;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    double squares = task_sum(a->base, a->after, a->tasks, 1);
    double wanting = task_sum(a->base, a->before, a->tasks, 0);
    wanting -= task_sum(a->base, a->after, a->tasks, 0);
    float part = squares > 0.0 ? (float)(wanting / squares) : 0.0f;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = gy_at(a->base, a->field) + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            const uint8_t *flags = gy_level_flags(&g, j, k);
            for (int i = 0; i < e->n[0]; i++) {
                bool fluid = flags[i / (2 * GY_GROUP)] || gy_level_fluid(&g, i, j, k);
                if (fluid && (row[i] > 1e-30f || row[i] < -1e-30f)) {
                    row[i] = mended(row[i], part, i, j, k);
                }
            }
        }
    }
}
