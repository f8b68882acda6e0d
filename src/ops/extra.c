// ops/extra.c: a cycle's steps for unknowns beside those of the grid. Per row and half-sweep about
// 16 bytes and 12 for each link, in no order.
#include "ops/extra.h"

void GY_BODY(extras_relax)(const void *args, const gy_box *box, int task)
{
    const gy_extras_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    gy_extras_relax_rows(&g, a->zero != 0, box->low[0], box->high[0]);
}

void GY_BODY(extras_restrict)(const void *args, const gy_box *box, int task)
{
    const gy_extras_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    gy_extras_restrict_targets(&f, &c, box->low[0], box->high[0]);
}

void GY_BODY(extras_save)(const void *args, const gy_box *box, int task)
{
    const gy_extras_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    gy_extras_save_moves(&f, &c, box->low[0], box->high[0]);
}

void GY_BODY(extras_put)(const void *args, const gy_box *box, int task)
{
    const gy_extras_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level);
    (void)task;
    gy_extras_put_moves(&f, box->low[0], box->high[0]);
}

/// The matrix of all rows into the envelope; returns the diagonal in `inverse`.
static void assemble(const gy_extras *e, float shift)
{
    const gy_extra_factor *f = &e->factor;
    memset(f->value, 0, (size_t)f->entry[f->count] * sizeof(double));
    for (int i = 0; i < f->count; i++) {
        const gy_extra_row *row = &e->row[f->row[i]];
        double d = (double)row->side + (double)shift * (double)row->volume;
        for (int q = row->first; q < row[1].first; q++) {
            double a = (double)e->link[q].a;
            int j = f->position[q];
            if (j < i) {
                f->value[f->entry[i] + (j - f->begin[i])] -= a;
            }
            d += a;
        }
        f->inverse[i] = d;
    }
}

/// LDL^T row by row. A pivot that elimination has brought down to rounding belongs to a region that
/// nothing holds: the last unknown of each counts as 0.
static void factor(const gy_extras *e)
{
    const gy_extra_factor *f = &e->factor;
    for (int i = 0; i < f->count; i++) {
        double *row = f->value + f->entry[i] - f->begin[i], d = f->inverse[i], whole = d;
        for (int j = f->begin[i]; j < i; j++) {
            const double *other = f->value + f->entry[j] - f->begin[j];
            double t = row[j];
            for (int k = GY_MAX(f->begin[i], f->begin[j]); k < j; k++) {
                t -= row[k] * other[k];
            }
            row[j] = t;
        }
        for (int j = f->begin[i]; j < i; j++) {
            double t = row[j];
            row[j] = t * f->inverse[j];
            d -= t * row[j];
        }
        f->inverse[i] = d > 1e-10 * whole && d > 1e-20 ? 1.0 / d : 0.0;
    }
}

void GY_JOIN(gy_extras_solve, GY_ISA)(const gy_grid_level *g)
{
    gy_extras *e = gy_extras_of(g->l);
    gy_extra_factor *f = &e->factor;
    gy_places p = gy_places_of(g);
    if (!f->made || f->shift != g->l->shift) {
        assemble(e, g->l->shift);
        factor(e);
        f->shift = g->l->shift;
        f->made = true;
    }
    for (int i = 0; i < f->count; i++) {
        const double *row = f->value + f->entry[i] - f->begin[i];
        double t = (double)*gy_place_b(&p, e->row[f->row[i]].place);
        for (int j = f->begin[i]; j < i; j++) {
            t -= row[j] * f->x[j];
        }
        f->x[i] = t;
    }
    for (int i = 0; i < f->count; i++) {
        f->x[i] *= f->inverse[i];
    }
    for (int i = f->count - 1; i >= 0; i--) {
        const double *row = f->value + f->entry[i] - f->begin[i];
        for (int j = f->begin[i]; j < i; j++) {
            f->x[j] -= row[j] * f->x[i];
        }
        *gy_place_x(&p, e->row[f->row[i]].place) = (float)f->x[i];
    }
}
