// ops/diffuse.c: round the implicit diffusion solve  q' - nu dt lap q' = q, written as
// (1/k) x + sum a (x - x_neighbour) = (1/k) q with k = nu dt / h^2; and round any solve on a level.
#include "ops/level.h"
#include "ops/row.h"

static float coefficient(const gy_grid_level *g, int axis, int i, int j, int k)
{
    return (float)*gy_coefficient(g, axis, i, j, k) * (1.0f / GY_UNIT);
}

/// What walls with a velocity of their own add to the right-hand side of a cell.
static float wall_terms(const gy_split_args *a, const gy_grid_level *g, const int cell[3])
{
    float sum = 0.0f;
    for (int side = 0; side < 2 * g->l->dim; side++) {
        int axis = side / 2, at[3] = {cell[0], cell[1], cell[2]};
        if (cell[axis] == ((side & 1) ? g->l->n[axis] - 1 : 0) && a->wall[side] != 0.0f) {
            at[axis] += side & 1;
            sum += coefficient(g, axis, at[0], at[1], at[2]) * g->l->scale[axis] * a->wall[side];
        }
    }
    return sum;
}

void GY_BODY(split)(const void *args, const gy_box *box, int task)
{
    const gy_split_args *a = args;
    const gy_extent *e = &a->extent;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const float *field = gy_at(a->base, a->field);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            const float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            ptrdiff_t o = gy_level_row(g.l, j, k);
            for (int i = 0; i < 2 * GY_GROUP * g.groups; i++) {
                int c = (i + j + k) & 1;
                bool live = i < e->n[0] && !(g.pin[c] && g.pin[c][o + (i >> 1)]);
                const int cell[3] = {i, j, k};
                g.x[c][o + (i >> 1)] = live ? row[i] : 0.0f;
                g.b[c][o + (i >> 1)] = live ? row[i] * a->scale + wall_terms(a, &g, cell) : 0.0f;
            }
        }
    }
}

void GY_BODY(merge)(const void *args, const gy_box *box, int task)
{
    const gy_split_args *a = args;
    const gy_extent *e = &a->extent;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    float *field = gy_at(a->base, a->field);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            float *row = field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
            ptrdiff_t o = gy_level_row(g.l, j, k);
            for (int i = 0; i < e->n[0]; i++) {
                int c = (i + j + k) & 1;
                float x = g.x[c][o + (i >> 1)];
                if (!(g.pin[c] && g.pin[c][o + (i >> 1)])) {
                    // A solve that did not converge must not leave what the field may not hold.
                    x = x > a->limit ? a->limit : x < -a->limit ? -a->limit : x;
                    row[i] = (x < 1e-30f && x > -1e-30f) || !gy_is_finite(x) ? 0.0f : x;
                }
            }
            gy_row_finish(row, e->n[0], &a->edge);
        }
    }
}

typedef struct viscous_place {
    const gy_viscous_args *a;
    gy_grid_level p;
} viscous_place;

static bool live(const viscous_place *v, const int cell[3])
{
    return *gy_coefficient(&v->p, v->a->axis, cell[0], cell[1], cell[2]) != 0;
}

/// Whether the face is that of the lower side of the component's own axis, and open. It keeps its
/// value, as that of an open upper side does, which is no unknown at all.
static bool kept(const viscous_place *v, const int cell[3])
{
    int axis = v->a->axis;
    return cell[axis] == 0 && (v->a->open_sides >> (2 * axis) & 1u);
}

/// The coefficient between a component's samples at `cell` and one below along `axis`.
static float viscous_coefficient(const viscous_place *v, int axis, const int cell[3])
{
    const gy_level *l = v->p.l;
    int at[3] = {cell[0], cell[1], cell[2]}, below[3] = {cell[0], cell[1], cell[2]};
    bool low = cell[axis] == 0, high = cell[axis] == l->n[axis];
    bool periodic = l->periodic >> axis & 1u;
    below[axis]--;
    if ((low || high) && !periodic) {
        unsigned side = 1u << (2 * axis + (high ? 1 : 0));
        if (axis != v->a->axis) {
            const int *inner = low ? at : below;
            return (v->a->stick & side) && live(v, inner) && !kept(v, inner) ? 2.0f : 0.0f;
        }
        // The upper boundary face itself has a given value; below the lower one there is nothing.
        return high && !(v->a->open_sides & side) && live(v, below) ? 1.0f : 0.0f;
    }
    at[axis] = high ? 0 : at[axis];
    below[axis] = low ? l->n[axis] - 1 : below[axis];
    if (kept(v, at) || kept(v, below)) {
        return 0.0f;
    }
    bool here = live(v, at), there = live(v, below);
    if (here == there) {
        return here ? 1.0f : 0.0f;
    }
    if (axis == v->a->axis) {
        return 1.0f;
    }
    return (v->a->stick & 64u) ? 2.0f : 0.0f;
}

void GY_BODY(viscous)(const void *args, const gy_box *box, int task)
{
    const gy_viscous_args *a = args;
    viscous_place v = {a, gy_grid_level_at(a->base, a->pressure)};
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const gy_level *l = g.l;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            for (int i = box->low[0]; i < box->high[0]; i++) {
                const int cell[3] = {i, j, k};
                int beyond = (i == l->n[0]) + (j == l->n[1]) + (k == l->n[2]);
                for (int axis = 0; axis < l->dim; axis++) {
                    if (beyond == 0 || (beyond == 1 && cell[axis] == l->n[axis])) {
                        *gy_coefficient(&g, axis, i, j, k) =
                            (uint16_t)(viscous_coefficient(&v, axis, cell) * GY_UNIT);
                    }
                }
                if (beyond == 0) {
                    g.pin[(i + j + k) & 1][gy_level_row(l, j, k) + (i >> 1)] =
                        live(&v, cell) && !kept(&v, cell) ? 0 : 1;
                }
            }
        }
    }
}
