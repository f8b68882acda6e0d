// ops/diffuse.c: round the solves of diffusion (gas/project.c has the method),
//   (1 - r lap) x = q,  written as  (1/r) x + sum a (x - x_neighbour) = (1/r) q  plus walls,
// with r a part of nu dt / h^2; and round any solve on a level. Split moves 12 bytes a cell the
// first time and the second, merge 8, or 12 with blend or add.
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

/// Where a velocity's face on an open side goes. It is no unknown (the upper one lies beyond the
/// cells), but goes with the face next to it, which feels no stress from there:
/// q' = (q + r q'_next) / (1 + r), or, for `add`, q' = q + r (q_next - q).
static float end_moved(const gy_split_args *a, float q, float next)
{
    if (a->add) {
        return q + a->blend * (next - q);
    }
    float moved = (a->scale * q + next) / (a->scale + 1.0f);
    return a->blend != 0.0f ? q + a->blend * (moved - q) : moved;
}

/// Those whose next faces are `first` to `last` of row (j, k).
static void move_end(const gy_split_args *a, const gy_grid_level *g, int high, int first, int last,
                     int j, int k)
{
    const gy_extent *e = &a->extent;
    const ptrdiff_t step[3] = {1, e->sy, e->sz};
    float *field = gy_at(a->base, a->field);
    for (int i = first; i <= last; i++) {
        int c = (i + j + k) & 1;
        ptrdiff_t o = gy_level_row(g->l, j, k) + (i >> 1);
        ptrdiff_t f = i + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz;
        float *end = field + f + (high ? step[a->axis] : -step[a->axis]);
        if (!g->pin[c][o]) {
            float x = end_moved(a, *end, g->x[c][o]);
            *end = x < 1e-30f && x > -1e-30f ? 0.0f : x;
        }
    }
}

/// Those that row (j, k) sees to: the last one along the velocity's own axis to the upper ones, the
/// `low` one to the lower ones, which go with row 1.
static void move_ends(const gy_split_args *a, const gy_grid_level *g, int low, int j, int k)
{
    const int at[3] = {0, j, k}, *n = a->extent.n;
    for (int high = 0; high < 2 && n[a->axis] > 1; high++) {
        int next[3] = {0, j, k}, first = 0, last = n[0] - 1;
        if (!(a->ends >> high & 1u)) {
            continue;
        }
        if (a->axis == 0) {
            first = last = high ? n[0] - 1 : 1;
        } else if (at[a->axis] != (high ? n[a->axis] - 1 : low)) {
            continue;
        } else {
            next[a->axis] = high ? n[a->axis] - 1 : 1;
        }
        move_end(a, g, high, first, last, next[1], next[2]);
    }
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
                float q = live ? row[i] : 0.0f, *x = g.x[c] + o + (i >> 1);
                if (a->blend == 0.0f) {
                    *x = q;
                } else if (live) {
                    q += a->blend * (*x - q);
                }
                g.b[c][o + (i >> 1)] = live ? q * a->scale + wall_terms(a, &g, cell) : 0.0f;
            }
            if (a->blend != 0.0f) {
                move_ends(a, &g, 1, j, k);
            }
        }
    }
}

static float merged(const gy_split_args *a, const gy_grid_level *g, int c, ptrdiff_t place, float q)
{
    float x = g->x[c][place];
    if (a->add) {
        return q + a->blend * g->b[c][place];
    }
    return a->blend != 0.0f ? q + a->blend * (x - q) : x;
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
                if (!(g.pin[c] && g.pin[c][o + (i >> 1)])) {
                    float x = merged(a, &g, c, o + (i >> 1), row[i]);
                    // A solve that did not converge must not leave what the field may not hold.
                    x = x > a->limit ? a->limit : x < -a->limit ? -a->limit : x;
                    row[i] = (x < 1e-30f && x > -1e-30f) || !gy_is_finite(x) ? 0.0f : x;
                }
            }
            move_ends(a, &g, 0, j, k);
            gy_row_finish(row, e->n[0], &a->edge);
        }
    }
}

typedef struct viscous_place {
    const gy_viscous_args *a;
    gy_grid_level p;
} viscous_place;

/// Whether a face of the component lets gas through.
static bool open(const viscous_place *v, const int cell[3])
{
    return *gy_coefficient(&v->p, v->a->axis, cell[0], cell[1], cell[2]) != 0;
}

/// Whether it is an unknown: those on open sides are not, see merge_end.
static bool live(const viscous_place *v, const int cell[3])
{
    bool side = cell[v->a->axis] == 0 && !(v->p.l->periodic >> v->a->axis & 1u);
    return !side && open(v, cell);
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
            return (v->a->stick & side) && live(v, low ? at : below) ? 2.0f : 0.0f;
        }
        // A shut boundary face itself has a given value; below the lower one there is nothing.
        return high && !open(v, at) && live(v, below) ? 1.0f : 0.0f;
    }
    at[axis] = high ? 0 : at[axis];
    below[axis] = low ? l->n[axis] - 1 : below[axis];
    bool here = live(v, at), there = live(v, below);
    if (here == there) {
        return here ? 1.0f : 0.0f;
    }
    if (axis == v->a->axis) {
        return open(v, here ? below : at) ? 0.0f : 1.0f;
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
                        live(&v, cell) ? 0 : 1;
                }
            }
        }
    }
}
