// gas/ops/blend.c: to = by x + also y: velocities in time, what weight and warmth pull together,
// what is held back of velocities and given back to their mean (to = by x + add);
// and samples of 16 bits as floats. Reads and writes every sample once.
#include "gas/ops/args.h"
#include "ops/row/body.h"

void GY_BODY(blend)(const void *args, const gy_box *box, int task)
{
    const gy_blend_args *a = args;
    const gy_extent *e = &a->extent;
    float by = a->by;
    if (a->energy) {
        by *= ((const gy_energy *)(const void *)gy_at(a->base, a->energy))->factor;
    }
    const gy_means *m = a->means ? (const void *)gy_at(a->base, a->means) : NULL;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)(j - 1) * e->sy +
                          (gy_is_3d(e->dim) ? (ptrdiff_t)(k - 1) * e->sz : 0) - GY_PAD / 2;
            for (int f = 0; f < a->count; f++) {
                const float *x = gy_at(a->base, a->x[f]) + o;
                const float *y = a->y[f] ? gy_at(a->base, a->y[f]) + o : NULL;
                float *to = gy_at(a->base, a->to[f]) + o;
                float add = m ? m->add[f] : 0.0f;
                for (int i = 0; i < e->sy; i += VW) {
                    vf t = by * gy_load(x + i);
                    t = y ? t + a->also * gy_load(y + i) : t;
                    gy_store(to + i, gy_flush(m ? t + add : t));
                }
            }
        }
    }
}

void GY_BODY(widen)(const void *args, const gy_box *box, int task)
{
    const gy_widen_args *a = args;
    const gy_extent *e = &a->extent;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int i = 0; i < box->high[0]; i += VW) {
                gy_store(gy_at(a->base, a->to) + o + i, gy_load(gy_at(a->base, a->from) + o + i));
            }
        }
    }
}
