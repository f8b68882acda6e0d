// gas/ops/displace.c: coordinates that flow with the gas, d' += h s: see gas/texture.c.
//
// s is the path back over the step, which a trace ends where the grid ends, or a cell further. What
// has come in through a side came on as fast outside, from where d goes on evenly: there s is the
// whole way, -(dt / h) u of the side's face in the same row, wherever that leads out and further.
// Exact for a wind that is the same everywhere, first order in time else, in the cells that are
// reached in one step. Bytes per cell and component: reads 8, writes 4.
#include "gas/ops/displace.h"
#include "ops/row/body.h"

/// The path of a row's lanes from i on, with what a side adds to it.
GY_INLINE vf whole_path(const gy_displace_args *a, int q, int i, int j, int k, vf path)
{
    const gy_extent *e = &a->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    int axis = a->axis[q], at[3] = {0, j, k};
    ptrdiff_t row = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
    vf place = axis == 0 ? gy_to_float(gy_iota(i)) : gy_splat((float)at[axis]);
    for (int end = 0; end < 2; end++) {
        if (!(a->sides >> (2 * axis + end) & 1u)) {
            continue;
        }
        const float *face =
            gy_at(a->base, a->velocity[q]) + row + ((end ? e->n[axis] : 0) - at[axis]) * step[axis];
        vf far = (axis == 0 ? gy_splat(face[0]) : gy_load(face + i)) * -a->scale;
        if (end) {
            vi out = (vi)(place + far > (float)(e->n[axis] - 1)) & (vi)(far > path);
            path = gy_select(out, far, path);
        } else {
            vi out = (vi)(place + far < 0.0f) & (vi)(far < path);
            path = gy_select(out, far, path);
        }
    }
    return path;
}

void GY_BODY(displace)(const void *args, const gy_box *box, int task)
{
    const gy_displace_args *a = args;
    const gy_extent *e = &a->extent;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            ptrdiff_t o = (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            for (int q = 0; q < a->count; q++) {
                float *d = gy_at(a->base, a->field[q]) + o;
                const float *back = gy_at(a->base, a->back[q]) + o;
                for (int i = 0; i < e->n[0]; i += VW) {
                    vf path = whole_path(a, q, i, j, k, gy_load(back + i));
                    gy_store(d + i, gy_flush(gy_load(d + i) + a->h * path));
                }
            }
        }
    }
}
