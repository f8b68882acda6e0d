// ops/system/extra.c: a cycle's steps for unknowns beside those of the grid. Per row and half-sweep
// about 16 bytes and 12 for each link, in no order.
#include "ops/system/extra.h"

void GY_BODY(extra_relax)(const void *args, const gy_box *box, int task)
{
    const gy_extra_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    gy_extra_relax_rows(&g, a->zero != 0, box->low[0], box->high[0]);
}

void GY_BODY(extra_restrict)(const void *args, const gy_box *box, int task)
{
    const gy_extra_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    gy_extra_restrict_targets(&f, &c, box->low[0], box->high[0]);
}

void GY_BODY(extra_save)(const void *args, const gy_box *box, int task)
{
    const gy_extra_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    gy_extra_save_moves(&f, &c, box->low[0], box->high[0]);
}

void GY_BODY(extra_put)(const void *args, const gy_box *box, int task)
{
    const gy_extra_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level);
    (void)task;
    gy_extra_put_moves(&f, box->low[0], box->high[0]);
}

void GY_JOIN(gy_extra_solve, GY_ISA)(const gy_grid_level *g)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    const gy_extra_factor *f = &e->factor;
    gy_places p = gy_places_of(g);
    for (int i = 0; i < f->count; i++) {
        const double *row = f->value + f->entry[i] - f->begin[i];
        double t = (double)*gy_extra_at(p.b, e->row[f->row[i]].place);
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
        *gy_extra_at(p.x, e->row[f->row[i]].place) = (float)f->x[i];
    }
}

/// A vector of a level by place.
typedef struct vector {
    float *grid, *extra;
} vector;

static vector x_of(const gy_grid_level *g)
{
    gy_places p = gy_places_of(g);
    return (vector){p.x[0], p.x[1]};
}

static vector b_of(const gy_grid_level *g)
{
    gy_places p = gy_places_of(g);
    return (vector){p.b[0], p.b[1]};
}

static vector own_vector(const gy_grid_level *g, float *at)
{
    return (vector){at, at + 2 * (ptrdiff_t)g->l->colour_step};
}

/// Where a row of a colour starts.
static ptrdiff_t row_at(const gy_grid_level *g, int c, int j, int k)
{
    return gy_place_origin(g->l) + c * (ptrdiff_t)g->l->colour_step + gy_level_row(g->l, j, k);
}

GY_INLINE void image_row(int dim, const gy_grid_level *g, int c, int j, int k, float *to)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    for (int group = 0; group < r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf x = gy_load(r.x + i), d, sum;
            if (r.flags[group]) {
                gy_store(to + i, r.diagonal * x - gy_couple_uniform(dim, &r, g->l->scale, i));
            } else {
                sum = gy_couple(dim, &r, i, &d);
                gy_store(to + i, gy_live(&r, i, d * x - sum));
            }
        }
    }
}

/// to = A x.
static void image(const gy_grid_level *g, vector to)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    gy_places p = gy_places_of(g);
    for (int k = 0; k < g->l->n[2]; k++) {
        for (int j = 0; j < g->l->n[1]; j++) {
            for (int c = 0; c < 2; c++) {
                if (gy_is_3d(g->l->dim)) {
                    image_row(3, g, c, j, k, to.grid + row_at(g, c, j, k));
                } else {
                    image_row(2, g, c, j, k, to.grid + row_at(g, c, j, k));
                }
            }
        }
    }
    for (int r = 0; r < e->rows[2]; r++) {
        int32_t place = e->row[r].place;
        float d, sum = gy_extra_couple(e, &p, r, g->l->shift, &d);
        *(place >= 0 ? to.grid + place : to.extra + ~place) = d * *gy_extra_at(p.x, place) - sum;
    }
}

static double dot(const gy_grid_level *g, vector p, vector q)
{
    double total = 0.0;
    for (int k = 0; k < g->l->n[2]; k++) {
        for (int j = 0; j < g->l->n[1]; j++) {
            for (int c = 0; c < 2; c++) {
                ptrdiff_t o = row_at(g, c, j, k);
                int cells = (g->l->n[0] - ((j + k + c) & 1) + 1) / 2;
                gy_sum sum = gy_sum_zero();
                for (int i = 0; i < g->groups * GY_GROUP; i += VW) {
                    vf t = gy_load(p.grid + o + i) * gy_load(q.grid + o + i);
                    gy_sum_add(&sum, i, (vf)((vi)t & (vi)(gy_iota(i) < cells)));
                }
                total += gy_sum_fold(&sum);
            }
        }
    }
    for (int q0 = 0; q0 < gy_extra_of(g->l)->extras; q0++) {
        total += (double)p.extra[q0] * (double)q.extra[q0];
    }
    return total;
}

/// to = s p + t q, on rows of slots and extras.
static void combine(const gy_grid_level *g, vector to, float s, vector p, float t, vector q)
{
    for (int k = 0; k < g->l->n[2]; k++) {
        for (int j = 0; j < g->l->n[1]; j++) {
            for (int c = 0; c < 2; c++) {
                ptrdiff_t o = row_at(g, c, j, k);
                for (int i = 0; i < g->groups * GY_GROUP; i += VW) {
                    gy_store(to.grid + o + i,
                             s * gy_load(p.grid + o + i) + t * gy_load(q.grid + o + i));
                }
            }
        }
    }
    for (int n = 0; n < gy_extra_of(g->l)->extras; n++) {
        to.extra[n] = s * p.extra[n] + t * q.extra[n];
    }
}

bool GY_JOIN(gy_extra_first, GY_ISA)(const gy_grid_level *g, double *whole, double *left)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    vector x = x_of(g), b = b_of(g), v = own_vector(g, e->image), step = own_vector(g, e->step);
    image(g, v);
    double xv = dot(g, x, v), xb = dot(g, x, b);
    *whole = dot(g, b, b);
    *left = 0.0;
    if (!(xv > 0.0) || !(xb > 0.0)) {
        return false;
    }
    float length = (float)GY_MIN(xb / xv, 2.0);
    combine(g, x, length, x, 0.0f, x);
    combine(g, step, 1.0f, x, 0.0f, x);
    combine(g, v, length, v, 0.0f, v);
    combine(g, b, 1.0f, b, -1.0f, v);
    *left = dot(g, b, b);
    return true;
}

void GY_JOIN(gy_extra_second, GY_ISA)(const gy_grid_level *g)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    vector x = x_of(g), b = b_of(g), v = own_vector(g, e->image), step = own_vector(g, e->step);
    vector w = own_vector(g, e->work);
    image(g, w);
    double sv = dot(g, step, v), xv = dot(g, x, v), xw = dot(g, x, w), xb = dot(g, x, b);
    // x less its part along the first step, in the sense of A. Where little is left, or x calls for
    // much more than itself, b is but rounding that the sums over regions have gathered.
    double along = xv / sv, rest = xw - xv * along;
    double length = rest > 0.1 * xw && xb > 0.0 ? GY_MIN(xb / rest, 2.0) : 0.0;
    combine(g, x, (float)(1.0 - length * along), step, (float)length, x);
}
