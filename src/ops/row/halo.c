// ops/row/halo.c: what lies beyond a field's own samples x_0 .. x_m along an axis, and plain fills.
//
//     copy: x_-1 = x_0        value: x_-1 = v        mirror: x_-1 = 2 v - x_0
//     face: x_0 = x_-1 = v    wrap: x_-1 = x_m       inward: as gy_inward turns x_0
//
// and likewise at the high end. halo reads and writes the samples of two planes per axis and field.
#include "ops/row/row.h"

static void copy_row(float *to, const float *from, ptrdiff_t floats)
{
    memcpy(to, from, (size_t)floats * sizeof(float));
}

/// One row beyond an end: from the row `nearest` by the rule.
static void row_beyond(float *to, const float *nearest, ptrdiff_t floats, int32_t rule, float value,
                       int end)
{
    for (ptrdiff_t i = 0; i < floats; i++) {
        to[i] = rule == GY_EDGE_VALUE    ? value
                : rule == GY_EDGE_MIRROR ? 2.0f * value - nearest[i]
                : rule == GY_EDGE_INWARD ? gy_inward(nearest[i], end)
                                         : nearest[i];
    }
}

/// Axis 1 of one plane, or axis 2: `lines` are rows or planes `step` apart, `floats` long each, the
/// first starting `before` floats ahead of sample 0.
static void ends(float *field, int n, ptrdiff_t step, ptrdiff_t before, ptrdiff_t floats,
                 const gy_edge *edge)
{
    float *line0 = field - before;
    if (edge->rule[0] == GY_EDGE_WRAP) {
        copy_row(line0 - step, line0 + (n - 1) * step, floats);
        copy_row(line0 + n * step, line0, floats);
        return;
    }
    if (edge->rule[0] == GY_EDGE_FACE) {
        row_beyond(line0, line0, floats, GY_EDGE_VALUE, edge->value[0], 0);
    }
    row_beyond(line0 - step, line0, floats, edge->rule[0], edge->value[0], 0);
    if (edge->rule[1] == GY_EDGE_FACE) {
        row_beyond(line0 + n * step, line0, floats, GY_EDGE_VALUE, edge->value[1], 1);
    } else if (edge->samples == n) {
        row_beyond(line0 + n * step, line0 + (n - 1) * step, floats, edge->rule[1], edge->value[1],
                   1);
    }
}

void GY_BODY(halo)(const void *args, const gy_box *box, int task)
{
    const gy_halo_args *a = args;
    const gy_extent *e = &a->extent;
    const gy_field *fields = (const void *)gy_at(a->base, a->fields);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int y = box->low[1]; y < box->high[1]; y++) {
            const gy_field *f = &fields[a->first + y / a->rows];
            const gy_edge *edge = &f->edge[a->axis];
            float *plane =
                gy_at(a->base, a->predicted ? f->predicted : f->now) + (ptrdiff_t)k * e->sz;
            int j = y % a->rows;
            if (a->axis < 2 && k >= f->edge[2].samples) {
                continue;
            }
            if (a->axis == 0 && j < f->edge[1].samples) {
                gy_row_finish(plane + (ptrdiff_t)j * e->sy, e->n[0], edge);
            } else if (a->axis == 1) {
                ends(plane, e->n[1], e->sy, GY_PAD / 2, e->sy, edge);
            } else if (a->axis == 2) {
                // Row j - 1 of every plane, so that the halo along y is taken along.
                ends(plane + (ptrdiff_t)(j - 1) * e->sy, e->n[2], e->sz, GY_PAD / 2, e->sy, edge);
            }
        }
    }
}

void GY_BODY(fill)(const void *args, const gy_box *box, int task)
{
    const gy_fill_args *a = args;
    const gy_extent *e = &a->extent;
    float *field = gy_at(a->base, a->field);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)(j - 1) * e->sy +
                         (gy_is_3d(e->dim) ? (ptrdiff_t)(k - 1) * e->sz : 0) - GY_PAD / 2;
            for (int i = 0; i < e->sy; i++) {
                row[i] = a->value;
            }
        }
    }
}
