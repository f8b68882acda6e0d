// ops/system/fft.c: transforms along an axis, and the division by eigenvalues between them.
//
// A Fourier transform of n complex numbers by decimation in frequency: a stage of radix f makes f
// parts of n / f, part r of which leads to the frequencies r modulo f; the way back undoes the
// stages in reverse order, decimation in time. Coefficients of cosine and sine transforms come from
// it by Makhoul's order (even cells upwards, then odd ones downwards) and a turn; see
// solve/transform.c for the tables of each kind.
//
// Cost: for n = 1024, about 15 additions and 7 multiplications per cell and transform. Bytes per
// cell: 8 for each pass, the solving one included.
#include "ops/system/stages.h"

/// What all blocks of a task share.
typedef struct work {
    const gy_transform_args *args;
    const gy_level *l;
    const gy_fft_axis *axes;
    float *from, *x, *buffer;
} work;

static void transform_rows(const work *w, int first, int end, float *from)
{
    const gy_fft_axis *t = &w->axes[0];
    int way = w->args->way;
    gy_rows to = gy_rows_of(w->l, w->x, first, end);
    if (way == GY_TRANSFORM_FORWARD) {
        gy_rows source = gy_rows_of(w->l, from, first, end);
        gy_rows_load(&source, t->n, t->element, w->buffer);
        GY_STAGED(outer)(true, t, NULL, t->before, w->buffer);
        GY_STAGED(middle)(way, t, w->buffer, NULL);
        gy_rows_store(&to, t->n, NULL, w->buffer);
    } else {
        gy_rows_load(&to, t->n, NULL, w->buffer);
        GY_STAGED(middle)(way, t, w->buffer, NULL);
        GY_STAGED(outer)(false, t, NULL, t->before, w->buffer);
        gy_rows_store(&to, t->n, t->element, w->buffer);
    }
}

static void transform_columns(const work *w, int axis, int block, float *from)
{
    const gy_fft_axis *t = &w->axes[axis];
    int way = w->args->way, at[3];
    gy_columns_at(w->l, axis, block, at);
    gy_columns elements = gy_columns_of(w->l, w->x, at, t->at_element);
    gy_columns places = gy_columns_of(w->l, w->x, at, t->at_place);
    float values[GY_LINES] = {0};
    if (way == GY_TRANSFORM_SOLVE) {
        gy_columns_values(w->l, w->axes, w->args->other, at, values);
    }
    if (way == GY_TRANSFORM_BACK) {
        gy_columns_load(&places, t->n, w->buffer);
    } else {
        gy_columns source = gy_columns_of(w->l, from, at, t->at_element);
        GY_STAGED(outer)(true, t, &source, t->before, w->buffer);
    }
    GY_STAGED(middle)(way, t, w->buffer, values);
    if (way == GY_TRANSFORM_FORWARD) {
        gy_columns_store(&places, t->n, w->buffer);
    } else {
        GY_STAGED(outer)(false, t, &elements, t->before, w->buffer);
    }
}

/// Blocks `first` to `end` - 1 of the lines along an axis; rows are counted from `row` on.
static void transform_blocks(const work *w, int axis, int first, int end, int row, int rows,
                             float *from)
{
    for (int block = first; block < end; block++) {
        if (axis == 0) {
            transform_rows(w, row + block * GY_LINES, rows, from);
        } else {
            transform_columns(w, axis, block, from);
        }
    }
}

void GY_BODY(transform)(const void *args, const gy_box *box, int task)
{
    const gy_transform_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    int which, rows = g.l->n[1];
    (void)task;
    work w = {.args = a,
              .l = g.l,
              .axes = (const gy_fft_axis *)(uintptr_t)a->axes,
              .from = gy_at(a->base, a->from),
              .x = g.x[0],
              .buffer = gy_scratch_claim(a->scratch, &which)};
    if (!a->planes) {
        transform_blocks(&w, a->axis, box->low[0], box->high[0], 0, rows * g.l->n[2], w.from);
    }
    for (int k = box->low[0]; k < box->high[0] && a->planes; k++) {
        int blocks[2] = {gy_line_blocks(g.l, 0, true), gy_line_blocks(g.l, 1, true)};
        bool forwards = a->way == GY_TRANSFORM_FORWARD;
        for (int q = 0; q < 2; q++) {
            int axis = forwards ? q : 1 - q, first = axis == 1 ? k * blocks[1] : 0;
            transform_blocks(&w, axis, first, first + blocks[axis], k * rows, (k + 1) * rows,
                             q == 0 ? w.from : w.x);
        }
    }
    gy_scratch_release(a->scratch, which);
}
