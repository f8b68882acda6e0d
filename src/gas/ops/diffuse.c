// gas/ops/diffuse.c: round the solves of diffusion (gas/project.c has the method),
//   (1 - r lap) x = q,  written as  (1/r) x + sum a (x - x_neighbour) = (1/r) q  plus walls,
// with r a part of nu dt / h^2; and round any solve on a level. Split moves 12 bytes a cell the
// first time and the second, merge 8, or 12 with blend or add.
#include "gas/ops/args.h"
#include "ops/row/row.h"
#include "ops/system/level.h"

#include <string.h>

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
        const int face[3] = {i + (high && a->axis == 0), j + (high && a->axis == 1),
                             k + (high && a->axis == 2)};
        // Beside windows what is shut stays so: the face next to it is held there.
        bool lid = (a->ends >> (2 + high) & 1u) &&
                   *gy_coefficient(g, a->axis, face[0], face[1], face[2]) != 0;
        if (!g->pin[c][o] && !lid) {
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

/// Cells 2 i ... of a row: the even ones and the odd ones.
GY_INLINE void load_pairs(const float *row, int i, vf q[2])
{
    vf low = gy_load(row + 2 * i), high = gy_load(row + 2 * i + VW);
    q[0] = gy_even(low, high);
    q[1] = gy_odd(low, high);
}

/// Which slots from i on have an unknown, of the even or odd cells of a row at place o.
GY_INLINE vi live_slots(const gy_grid_level *g, int c, int odd, ptrdiff_t o, int i)
{
    vi live = gy_iota(i) < (g->l->n[0] - odd + 1) / 2;
    if (g->pin[c]) {
        live &= (vi)(gy_load_u16(g->pin[c] + o + i) == 0.0f);
    }
    return live;
}

static void split_row(const gy_split_args *a, const gy_grid_level *g, const float *row, int j,
                      int k)
{
    ptrdiff_t o = gy_level_row(g->l, j, k);
    for (int i = 0; i < GY_GROUP * g->groups; i += VW) {
        vf q[2];
        load_pairs(row, i, q);
        for (int odd = 0; odd < 2; odd++) {
            int c = (odd + j + k) & 1;
            vi live = live_slots(g, c, odd, o, i);
            float *x = g->x[c] + o + i;
            vf b = q[odd];
            if (a->blend == 0.0f) {
                gy_store(x, (vf)((vi)b & live));
            } else {
                b += a->blend * (gy_load(x) - b);
            }
            gy_store(g->b[c] + o + i, (vf)((vi)(b * a->scale) & live));
        }
    }
}

/// What walls add to a row of b.
static void add_walls(const gy_split_args *a, const gy_grid_level *g, int j, int k)
{
    const int *n = g->l->n;
    bool side = j == 0 || j == n[1] - 1 || (gy_is_3d(g->l->dim) && (k == 0 || k == n[2] - 1));
    ptrdiff_t o = gy_level_row(g->l, j, k);
    for (int i = 0; i < n[0]; i += side ? 1 : GY_MAX(n[0] - 1, 1)) {
        int c = (i + j + k) & 1;
        const int cell[3] = {i, j, k};
        if (!(g->pin[c] && g->pin[c][o + (i >> 1)])) {
            g->b[c][o + (i >> 1)] += wall_terms(a, g, cell);
        }
    }
}

void GY_BODY(split)(const void *args, const gy_box *box, int task)
{
    const gy_split_args *a = args;
    const gy_extent *e = &a->extent;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    const float *field = gy_at(a->base, a->field);
    bool walls = false;
    for (int side = 0; side < 6; side++) {
        walls = walls || a->wall[side] != 0.0f;
    }
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            split_row(a, &g, field + (ptrdiff_t)j * e->sy + (ptrdiff_t)k * e->sz, j, k);
            if (walls) {
                add_walls(a, &g, j, k);
            }
            if (a->blend != 0.0f) {
                move_ends(a, &g, 1, j, k);
            }
        }
    }
}

/// A solve that did not converge must not leave what the field may not hold.
GY_INLINE vf held(vf x, float limit)
{
    x = gy_clamp(x, gy_splat(-limit), gy_splat(limit));
    return gy_flush((vf)((vi)x & (vi)(x == x)));
}

static void merge_row(const gy_split_args *a, const gy_grid_level *g, float *row, int j, int k)
{
    ptrdiff_t o = gy_level_row(g->l, j, k);
    int n = g->l->n[0];
    for (int i = 0; 2 * i < n; i += VW) {
        vf q[2];
        load_pairs(row, i, q);
        for (int odd = 0; odd < 2; odd++) {
            int c = (odd + j + k) & 1;
            vi live = live_slots(g, c, odd, o, i);
            vf x = gy_load((a->add ? g->b[c] : g->x[c]) + o + i);
            x = a->add             ? q[odd] + a->blend * x
                : a->blend != 0.0f ? q[odd] + a->blend * (x - q[odd])
                                   : x;
            x = held(x, a->limit);
            q[odd] = (vf)(((vi)x & live) | ((vi)q[odd] & ~live));
        }
        if (2 * (i + VW) <= n) {
            gy_store(row + 2 * i, gy_zip_low(q[0], q[1]));
            gy_store(row + 2 * i + VW, gy_zip_high(q[0], q[1]));
            continue;
        }
        // What lies beyond the row is in part the next one's.
        for (int lane = 0; 2 * i + lane < n; lane++) {
            row[2 * i + lane] = q[lane & 1][lane >> 1];
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
            merge_row(a, &g, row, j, k);
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

/// Whether a sheet lies between faces of the component at a cell and at the one below it along
/// another axis: it shuts what joins the cells on either side of them.
static bool is_apart(const viscous_place *v, int axis, const int cell[3])
{
    const gy_level *l = v->p.l;
    int below[3] = {cell[0], cell[1], cell[2]}, own = v->a->axis;
    below[own] = cell[own] > 0 ? cell[own] - 1 : l->n[own] - 1;
    return *gy_coefficient(&v->p, axis, cell[0], cell[1], cell[2]) == 0 &&
           *gy_coefficient(&v->p, axis, below[0], below[1], below[2]) == 0;
}

/// That of a component at a side with windows: its sample lies between two faces of the side, and
/// sticks to those that are shut.
static float beside_windows(const viscous_place *v, int axis, const int face[3])
{
    const gy_level *l = v->p.l;
    int before[3] = {face[0], face[1], face[2]}, own = v->a->axis;
    before[own] = face[own] > 0 ? face[own] - 1 : l->n[own] - 1;
    return (*gy_coefficient(&v->p, axis, face[0], face[1], face[2]) == 0 ? 1.0f : 0.0f) +
           (*gy_coefficient(&v->p, axis, before[0], before[1], before[2]) == 0 ? 1.0f : 0.0f);
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
            bool sticks = (v->a->stick & side) && live(v, low ? at : below);
            return !sticks ? 0.0f : v->a->stick >> 8 & side ? beside_windows(v, axis, at) : 2.0f;
        }
        // A shut boundary face itself has a given value; below the lower one there is nothing.
        return high && !open(v, at) && live(v, below) ? 1.0f : 0.0f;
    }
    at[axis] = high ? 0 : at[axis];
    below[axis] = low ? l->n[axis] - 1 : below[axis];
    bool here = live(v, at), there = live(v, below);
    if (here == there) {
        bool apart = here && axis != v->a->axis && (v->a->stick & 128u) && is_apart(v, axis, at);
        return here && !apart ? 1.0f : 0.0f;
    }
    if (axis == v->a->axis) {
        return open(v, here ? below : at) ? 0.0f : 1.0f;
    }
    return (v->a->stick & 64u) ? 2.0f : 0.0f;
}

enum { RUN = 16 }; // cells

/// Whether a run of cells and their neighbours below along every axis are unknowns: coefficients
/// are 1 then, but for those of the row's first two cells.
static bool all_live(const viscous_place *v, int i, int j, int k)
{
    const gy_level *l = v->p.l;
    const int axis = v->a->axis, at[3] = {i, j, k};
    bool all = i + RUN <= l->n[0] && j < l->n[1] && (!gy_is_3d(l->dim) || k < l->n[2]);
    for (int below = 0; below < l->dim && all; below++) {
        const int row[3] = {i, j - (below == 1), k - (below == 2)};
        // No unknown is the first along the own axis.
        all = below == 0 || at[below] >= (below == axis ? 2 : 1);
        for (int c = 0; c < 2 && all; c++) {
            const uint16_t *open = v->p.open[axis][c] + gy_level_row(l, row[1], row[2]) + i / 2;
            for (int q = 0; q < RUN / 2; q++) {
                all &= open[q] != 0;
            }
        }
    }
    if (all && (v->a->stick & 128u)) {
        // Where the cells on either side of the faces have whole faces alone.
        int group = i / (2 * GY_GROUP), before = (i - (axis == 0)) / (2 * GY_GROUP);
        int dj = axis == 1, dk = axis == 2;
        all = gy_level_flags(&v->p, j, k)[group] && i - (axis == 0) >= 0 &&
              gy_level_flags(&v->p, j - dj, k - dk)[before];
    }
    const int left[3] = {i - 1, j, k};
    return all && (i == 0 || open(v, left));
}

static void set_live(const gy_grid_level *g, int i, int j, int k)
{
    ptrdiff_t o = gy_level_row(g->l, j, k) + i / 2;
    for (int c = 0; c < 2; c++) {
        for (int a = 0; a < g->l->dim; a++) {
            for (int q = 0; q < RUN / 2; q++) {
                g->open[a][c][o + q] = (uint16_t)GY_UNIT;
            }
        }
        memset(g->pin[c] + o, 0, RUN / 2 * sizeof g->pin[c][0]);
    }
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
            int done = 0;
            for (int i = box->low[0]; i < box->high[0]; i++) {
                if (i % RUN == 0 && all_live(&v, i, j, k)) {
                    set_live(&g, i, j, k);
                    done = i + RUN;
                }
                if (i < done && i > 1) {
                    continue;
                }
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
