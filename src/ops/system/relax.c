// ops/system/relax.c: red-black Gauss-Seidel and the steps of multigrid cycles.
//
// Solves shift x + sum a (x - x_neighbour) = b on levels that halve every axis with more than one
// cell; the coarse coefficient of a face is the sum of the fine ones over the ratio of distances.
// An odd last cell stands alone on the coarse level, or goes with the pair before it where alone it
// would become thin: thin cells are stiff, and their coefficients leave the range of 16 bits. Where
// x is held beyond it, it goes with the pair, too, by the part that a straight line to the held
// value gives it.
// Restriction adds up, prolongation injects, and post-smoothing runs the colours in reverse, so
// that the cycle is symmetric and fit for conjugate gradients. After black was swept its residual
// is 0 and every pair of cells along x has one red cell: restriction and prolongation are of stride
// one. A periodic axis with an odd number of cells has a seam, where cells of one colour are
// neighbours: there a sweep takes the values from before it, and both colours take part in
// restriction and prolongation. Cells beside those of the grid: ops/system/extra.h.
#include "ops/system/extra.h"

GY_INLINE int step_of(const gy_level *fine, int axis)
{
    return fine->n[axis] > 1 ? 2 : 1;
}

/// Whether the last cell along an axis has no coarse cell of its own.
GY_INLINE bool alone(const gy_level *fine, int axis)
{
    return fine->last[axis] > 0.0f;
}

/// The part of its coarse cell that a fine cell takes and gives.
GY_INLINE float part(const gy_level *fine, int axis, int i)
{
    return alone(fine, axis) && i == fine->n[axis] - 1 ? fine->last[axis] : 1.0f;
}

/// One past the last fine cell of a coarse one along an axis, where there are `count` of those.
GY_INLINE int fine_end(const gy_level *fine, int axis, int coarse, int count)
{
    return coarse == count - 1 ? fine->n[axis] : (coarse + 1) * step_of(fine, axis);
}

#define RELAX(name, dim, kind)                                                                     \
    static GY_NOINLINE void name(const gy_grid_level *g, float omega, int c, int j, int k)         \
    {                                                                                              \
        gy_relax_row(dim, kind, omega, g, c, j, k);                                                \
    }
RELAX(relax_2d, 2, GY_RELAX)
RELAX(relax_3d, 3, GY_RELAX)
RELAX(first_2d, 2, GY_RELAX_FIRST)
RELAX(first_3d, 3, GY_RELAX_FIRST)
RELAX(over_2d, 2, GY_RELAX_OVER)
RELAX(over_3d, 3, GY_RELAX_OVER)

static void relax_box(const gy_grid_level *g, int c, gy_relax_kind kind, float omega,
                      const gy_box *box)
{
    static void (*const rows[2][3])(const gy_grid_level *, float, int, int, int) = {
        {relax_2d, first_2d, over_2d}, {relax_3d, first_3d, over_3d}};
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            rows[gy_is_3d(g->l->dim)][kind](g, omega, c, j, k);
        }
    }
}

/// Adds the residuals of one colour of one row to `sum`, slot by slot.
GY_INLINE void residual_row(int dim, const gy_grid_level *g, int c, int j, int k, float weight,
                            float *sum)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    for (int group = 0; group < r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf x = gy_residual_at(dim, &r, g->l->scale, r.flags[group], i);
            gy_store(sum + i, gy_load(sum + i) + weight * x);
        }
    }
}
static GY_NOINLINE void residual_2d(const gy_grid_level *g, int c, int j, int k, float weight,
                                    float *sum)
{
    residual_row(2, g, c, j, k, weight, sum);
}
static GY_NOINLINE void residual_3d(const gy_grid_level *g, int c, int j, int k, float weight,
                                    float *sum)
{
    residual_row(3, g, c, j, k, weight, sum);
}

/// b of the coarse row (J, K) = sum of the residuals of its fine cells: after a sweep red has all
/// of it, but for a seam. `both`: black was not swept.
static void restrict_row(const gy_grid_level *f, const gy_grid_level *c, bool both, int J, int K)
{
    float sum[GY_BLOCK * 34];
    const gy_level *l = f->l;
    int my = step_of(l, 1), mz = step_of(l, 2);
    int slots = gy_round_up((c->l->n[0] + 1) / 2, GY_LANES);
    memset(sum, 0, sizeof(float) * (size_t)GY_MAX(2 * slots, f->groups * GY_GROUP));
    for (int k = K * mz; k < fine_end(l, 2, K, c->l->n[2]); k++) {
        for (int j = J * my; j < fine_end(l, 1, J, c->l->n[1]); j++) {
            float weight = part(l, 1, j) * part(l, 2, k);
            for (int colour = 0; colour <= (both || gy_has_seam(l)); colour++) {
                if (gy_is_3d(l->dim)) {
                    residual_3d(f, colour, j, k, weight, sum);
                } else {
                    residual_2d(f, colour, j, k, weight, sum);
                }
            }
        }
    }
    if (alone(l, 0)) {
        sum[l->n[0] / 2 - 1] += l->last[0] * sum[l->n[0] / 2];
    }
    ptrdiff_t o = gy_level_row(c->l, J, K);
    float *even = c->b[(J + K) & 1] + o, *odd = c->b[(J + K + 1) & 1] + o;
    for (int i = 0; i < slots; i += VW) {
        vf low = gy_load(sum + 2 * i), high = gy_load(sum + 2 * i + VW);
        gy_store(even + i, gy_even(low, high));
        gy_store(odd + i, gy_odd(low, high));
    }
}

static float *cell_of(const gy_grid_level *g, const int at[3])
{
    return &g->x[(at[0] + at[1] + at[2]) & 1][gy_level_row(g->l, at[1], at[2]) + (at[0] >> 1)];
}

/// As prolong_colour, onto a level from a line of cells: linear along it. On a line every red cell
/// is the lower of its pair, and what injection gives would be the answer moved by half a cell; in
/// more dimensions red is the lower and the upper by turns, and that cancels.
static void prolong_line(const gy_grid_level *f, const gy_grid_level *c, int axis, int colour,
                         int j, int k)
{
    const gy_level *l = f->l;
    for (int i = (j + k + colour) & 1; i < l->n[0]; i += 2) {
        const int at[3] = {i, j, k};
        int low[3], next[3], face[3];
        float weight = 1.0f;
        for (int a = 0; a < 3; a++) {
            low[a] = GY_MIN(at[a] / step_of(l, a), c->l->n[a] - 1);
            next[a] = face[a] = low[a];
            weight *= part(l, a, at[a]);
        }
        float x = *cell_of(c, low);
        if (at[axis] != l->n[axis] - 1 || l->n[axis] % 2 == 0) {
            int up = at[axis] & 1;
            next[axis] += up ? 1 : -1;
            face[axis] += up;
            x += (0.25f / GY_UNIT) * (float)*gy_coefficient(c, axis, face[0], face[1], face[2]) *
                 (*cell_of(c, next) - x);
        }
        *cell_of(f, at) += weight * x;
    }
    if ((l->periodic & 1u) && l->n[0] % 2 == 0) {
        gy_row_wrap_colour(f, colour, j, k);
    }
}

/// Adds the coarse unknown to the cells of one colour of the fine row (j, k).
static void prolong_colour(const gy_grid_level *f, const gy_grid_level *c, int colour, int j, int k)
{
    int J = GY_MIN(j / step_of(f->l, 1), c->l->n[1] - 1);
    int K = GY_MIN(k / step_of(f->l, 2), c->l->n[2] - 1);
    float weight = part(f->l, 1, j) * part(f->l, 2, k);
    ptrdiff_t o = gy_level_row(c->l, J, K);
    const float *even = c->x[(J + K) & 1] + o, *odd = c->x[(J + K + 1) & 1] + o;
    float *x = f->x[colour] + gy_level_row(f->l, j, k);
    int slots = (f->l->n[0] + 1) / 2;
    float last = x[slots - 1];
    for (int i = 0; i < slots; i += 2 * VW) {
        vf a = weight * gy_load(even + i / 2), b = weight * gy_load(odd + i / 2);
        gy_store(x + i, gy_load(x + i) + gy_zip_low(a, b));
        // Slots come in sixteens, so the second half is there unless the vector is that long.
        if (VW < 16 || i + VW < slots) {
            gy_store(x + i + VW, gy_load(x + i + VW) + gy_zip_high(a, b));
        }
    }
    if (alone(f->l, 0)) {
        int i = slots - 2;
        x[slots - 1] = last + weight * f->l->last[0] * (i & 1 ? odd : even)[i >> 1];
    }
    // An odd row's last slot may hold no cell of this colour but the place beyond the side, whose
    // 0 counts at open sides.
    if ((f->l->n[0] & 1) && ((j + k + colour) & 1)) {
        x[slots - 1] = 0.0f;
    }
    if ((f->l->periodic & 1u) && f->l->n[0] % 2 == 0) {
        gy_row_wrap_colour(f, colour, j, k);
    }
}

/// Black is swept next and needs nothing, but for a seam.
static void prolong_row(const gy_grid_level *f, const gy_grid_level *c, int j, int k)
{
    int line = gy_line_of(c->l);
    for (int colour = 0; colour <= gy_has_seam(f->l); colour++) {
        if (line >= 0) {
            prolong_line(f, c, line, colour, j, k);
        } else {
            prolong_colour(f, c, colour, j, k);
        }
    }
}

/// Whether a fine cell lies below (-1) or above (1) the middle of its coarse one along an axis, or
/// is the last and alone (0).
static int way_of(const gy_level *fine, int axis, int i)
{
    bool middle = fine->n[axis] == 1 || (i == fine->n[axis] - 1 && fine->n[axis] % 2 != 0);
    return middle ? 0 : i & 1 ? 1 : -1;
}

/// A row of coarse unknowns, its even cells and its odd ones, with room for the places -1 and n.
typedef struct coarse_row {
    float cells[2][GY_BLOCK * 18];
} coarse_row;

enum { FIRST = GY_LANES }; // cell 0's place, and cell 1's

/// A row moved by a quarter of the way to the next plane: x + a / 4 (x_N - x).
GY_INLINE void move_along_z(int dim, const gy_grid_level *c, int way, int J, int K, coarse_row *to)
{
    for (int odd = 0; odd < 2; odd++) {
        gy_colour_row r = gy_colour_row_at(c, (J + K + odd) & 1, J, K);
        for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
            vf x = gy_load(r.x + i);
            if (gy_is_3d(dim) && way != 0) {
                vf a = gy_load_u16((way > 0 ? r.z1 : r.z0) + i);
                x += 0.25f / GY_UNIT * a * (gy_load(r.q + i + way * r.sz) - x);
            }
            gy_store(to->cells[odd] + FIRST + i, x);
        }
    }
}

/// The same in y, from there.
GY_INLINE void move_along_y(int dim, const gy_grid_level *c, const int way[3], int J, int K,
                            coarse_row *row)
{
    coarse_row next;
    int n = c->l->n[1], N = J + way[1];
    if (N < 0 || N == n) {
        N = c->l->periodic & 2u ? (N + n) % n : -1;
    }
    if (N >= 0) {
        move_along_z(dim, c, way[2], N, K, &next);
    }
    for (int odd = 0; odd < 2; odd++) {
        gy_colour_row r = gy_colour_row_at(c, (J + K + odd) & 1, J, K);
        for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
            vf x = gy_load(row->cells[odd] + FIRST + i);
            vf y = N >= 0 ? gy_load(next.cells[odd] + FIRST + i) : gy_splat(0.0f);
            vf a = gy_load_u16((way[1] > 0 ? r.y1 : r.y0) + i);
            gy_store(row->cells[odd] + FIRST + i, x + 0.25f / GY_UNIT * a * (y - x));
        }
    }
}

/// The same in x, down and up: to the two halves of each coarse cell.
GY_INLINE void move_along_x(const gy_grid_level *c, int J, int K, coarse_row *row, float *low,
                            float *high)
{
    int n = c->l->n[0];
    bool round = c->l->periodic & 1u;
    float *even = row->cells[0] + FIRST, *odd = row->cells[1] + FIRST;
    odd[-1] = round ? row->cells[(n - 1) & 1][FIRST + ((n - 1) >> 1)] : 0.0f;
    row->cells[n & 1][FIRST + (n >> 1)] = round ? even[0] : 0.0f;
    const gy_colour_row r = gy_colour_row_at(c, (J + K) & 1, J, K);
    const gy_colour_row s = gy_colour_row_at(c, (J + K + 1) & 1, J, K);
    for (int i = 0; i < r.groups * GY_GROUP; i += VW) {
        const float quarter = 0.25f / GY_UNIT;
        vf x = gy_load(even + i), y = gy_load(odd + i);
        vf x0 = x + quarter * gy_load_u16(r.x0 + i) * (gy_load(odd + i - 1) - x);
        vf x1 = x + quarter * gy_load_u16(r.x1 + i) * (y - x);
        vf y0 = y + quarter * gy_load_u16(s.x0 + i) * (x - y);
        vf y1 = y + quarter * gy_load_u16(s.x1 + i) * (gy_load(even + i + 1) - y);
        gy_store(low + 2 * i, gy_zip_low(x0, y0));
        gy_store(low + 2 * i + VW, gy_zip_high(x0, y0));
        gy_store(high + 2 * i, gy_zip_low(x1, y1));
        gy_store(high + 2 * i + VW, gy_zip_high(x1, y1));
    }
}

/// Adds what lies between the coarse unknowns to the fine row (j, k), axis by axis: a quarter of
/// the way to the nearest coarse neighbour, weighted by the coefficient towards it. As that is
/// inverse to the distance, it is linear whatever the neighbour's width, 0 on an open side's face
/// where there is no neighbour, and flat against what is shut. Black alone but for a seam: red is
/// swept next.
GY_INLINE void interpolate_row(int dim, const gy_grid_level *f, const gy_grid_level *c, int j,
                               int k)
{
    coarse_row row;
    float low[GY_BLOCK * 34], high[GY_BLOCK * 34];
    const gy_level *l = f->l;
    const int way[3] = {0, way_of(l, 1, j), way_of(l, 2, k)};
    int J = GY_MIN(j / step_of(l, 1), c->l->n[1] - 1);
    int K = GY_MIN(k / step_of(l, 2), c->l->n[2] - 1);
    int last = (l->n[0] - 1) / 2, from = alone(l, 0) ? last - 1 : last;
    move_along_z(dim, c, way[2], J, K, &row);
    if (way[1] != 0) {
        move_along_y(dim, c, way, J, K, &row);
    }
    float end = part(l, 0, l->n[0] - 1) * row.cells[from & 1][FIRST + (from >> 1)];
    // The fine row may have a group of slots more, for a last cell without a coarse one.
    memset(low + 2 * c->groups * GY_GROUP, 0, GY_GROUP * sizeof(float));
    memset(high + 2 * c->groups * GY_GROUP, 0, GY_GROUP * sizeof(float));
    move_along_x(c, J, K, &row, low, high);
    if (l->n[0] & 1) {
        low[last] = end;
    }
    vf weight = gy_splat(part(l, 1, j) * part(l, 2, k));
    for (int colour = gy_has_seam(l) ? 0 : 1; colour < 2; colour++) {
        gy_colour_row r = gy_colour_row_at(f, colour, j, k);
        const float *add = r.e ? high : low;
        for (int i = 0; i < f->groups * GY_GROUP; i += VW) {
            gy_store(r.x + i, gy_load(r.x + i) + gy_live(&r, i, weight * gy_load(add + i)));
        }
    }
}
static GY_NOINLINE void interpolate_2d(const gy_grid_level *f, const gy_grid_level *c, int j, int k)
{
    interpolate_row(2, f, c, j, k);
}
static GY_NOINLINE void interpolate_3d(const gy_grid_level *f, const gy_grid_level *c, int j, int k)
{
    interpolate_row(3, f, c, j, k);
}

/// What a periodic axis needs beyond its ends, for both colours: every axis but x, and x too where
/// the number of cells is odd. With an odd number of cells the neighbour across the seam has the
/// same parity, so the arrays change places.
static void wrap_axis(const gy_grid_level *g, int axis, int line)
{
    const gy_level *l = g->l;
    int n = l->n[axis];
    ptrdiff_t step = axis == 1 ? l->sy : l->sz, o = (ptrdiff_t)line * (axis == 1 ? l->sz : l->sy);
    for (int c = 0; c < 2; c++) {
        int d = (n & 1) ? 1 - c : c;
        // The slots alone: the pad before a row is also what lies beyond the end of the row before
        // it.
        size_t bytes = (size_t)g->groups * GY_GROUP * sizeof(float);
        memcpy(g->x[c] + o - step, g->x[d] + o + (n - 1) * step, bytes);
        memcpy(g->x[c] + o + n * step, g->x[d] + o, bytes);
    }
}

void GY_BODY(relax)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level g = gy_grid_level_at(a->base, a->level);
    (void)task;
    relax_box(&g, a->colour, (gy_relax_kind)a->kind, a->omega, box);
}

void GY_BODY(restrict)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            restrict_row(&f, &c, a->both != 0, j, k);
        }
    }
}

void GY_BODY(prolong)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            prolong_row(&f, &c, j, k);
        }
    }
}

/// The way up in full multigrid: see interpolate_row. The halo of the coarse x must be valid.
void GY_BODY(interpolate)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level f = gy_grid_level_at(a->base, a->level), c = gy_grid_level_at(a->base, a->coarse);
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            if (gy_is_3d(f.l->dim)) {
                interpolate_3d(&f, &c, j, k);
            } else {
                interpolate_2d(&f, &c, j, k);
            }
        }
    }
}

/// Zeroes x beyond its cells: the pads between rows, and the rows and planes round the level; with
/// `zero` the cells, too. Row and plane indices of the box are one higher than the level's.
void GY_BODY(clear)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    const gy_level *l = g.l;
    (void)task;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            int z = gy_is_3d(l->dim) ? k - 1 : 0, y = j - 1;
            bool inside = !a->zero && y >= 0 && y < l->n[1] && z >= 0 && z < l->n[2];
            size_t floats = inside ? GY_LEVEL_PAD : (size_t)l->sy;
            for (int c = 0; c < 2; c++) {
                memset(g.x[c] + gy_level_row(l, y, z) - GY_LEVEL_PAD, 0, floats * sizeof(float));
            }
        }
    }
}

void GY_BODY(wrap)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    (void)task;
    if (a->axis == 0) {
        for (int k = box->low[2]; k < box->high[2]; k++) {
            for (int j = box->low[1]; j < box->high[1]; j++) {
                gy_row_wrap(&g, j, k);
            }
        }
    } else if (a->axis == 1) {
        for (int k = box->low[2]; k < box->high[2]; k++) {
            wrap_axis(&g, 1, k);
        }
    } else {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            wrap_axis(&g, 2, j);
        }
    }
}

GY_INLINE double residual_squares(int dim, const gy_grid_level *g, int c, int j, int k,
                                  float *largest)
{
    gy_colour_row r = gy_colour_row_at(g, c, j, k);
    gy_sum sum = gy_sum_zero();
    vf most = gy_splat(0.0f);
    for (int group = 0; group < r.groups; group++) {
        for (int i = group * GY_GROUP; i < (group + 1) * GY_GROUP; i += VW) {
            vf x = gy_residual_at(dim, &r, g->l->scale, r.flags[group], i);
            gy_sum_add(&sum, i, x * x);
            most = gy_max(most, gy_abs(x));
        }
    }
    float m = gy_lane_max(most);
    *largest = m > *largest ? m : *largest;
    return gy_sum_fold(&sum);
}

/// partial[0] = sum of the squares of one colour's residual, [1] = the largest.
void GY_BODY(residual)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    gy_grid_level g = gy_grid_level_with(a->base, a->level, a->x);
    double *partial = (double *)(void *)gy_at(a->base, a->partial) + 4 * task;
    double sum = 0.0;
    float largest = 0.0f;
    for (int k = box->low[2]; k < box->high[2]; k++) {
        for (int j = box->low[1]; j < box->high[1]; j++) {
            sum += gy_is_3d(g.l->dim) ? residual_squares(3, &g, a->colour, j, k, &largest)
                                      : residual_squares(2, &g, a->colour, j, k, &largest);
        }
    }
    partial[0] = sum;
    partial[1] = (double)largest;
}

static void wrap_all(const gy_grid_level *g)
{
    const gy_level *l = g->l;
    if ((l->periodic & 1u) && l->n[0] % 2 != 0) {
        for (int k = 0; k < l->n[2]; k++) {
            for (int j = 0; j < l->n[1]; j++) {
                gy_row_wrap(g, j, k);
            }
        }
    }
    if (l->periodic & 2u) {
        for (int k = 0; k < l->n[2]; k++) {
            wrap_axis(g, 1, k);
        }
    }
    if (gy_is_3d(l->dim) && (l->periodic & 4u)) {
        for (int j = 0; j < l->n[1]; j++) {
            wrap_axis(g, 2, j);
        }
    }
}

/// After the list has changed cells of the grid: the ends of an even x axis, which the grid's own
/// steps have seen to, too early.
static void wrap_ends(const gy_grid_level *g)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    for (int k = 0; e && e->ends && k < g->l->n[2]; k++) {
        for (int j = 0; j < g->l->n[1]; j++) {
            gy_row_wrap(g, j, k);
        }
    }
}

static void relax_all(const gy_grid_level *g, int c, gy_relax_kind kind, float omega)
{
    gy_box box = gy_box_make(g->l->n[0], g->l->n[1], g->l->n[2]);
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    relax_box(g, c, kind, omega, &box);
    if (e) {
        gy_extra_relax_rows(g, kind == GY_RELAX_FIRST, e->rows[c], e->rows[c + 1]);
        wrap_ends(g);
    }
    wrap_all(g);
}

static void sweep_all(const gy_grid_level *g, int sweeps, bool zero)
{
    float omega = gy_cycle_omega(g->l);
    for (int s = 0; s < sweeps; s++) {
        bool first = s == 0, last = s + 1 == sweeps;
        relax_all(g, 0, first ? (zero ? GY_RELAX_FIRST : GY_RELAX) : GY_RELAX_OVER,
                  first ? 1.0f : omega);
        relax_all(g, 1, last || (zero && first) ? GY_RELAX : GY_RELAX_OVER, last ? 1.0f : omega);
    }
}

static void sweep_back(const gy_grid_level *g, int sweeps)
{
    float omega = gy_cycle_omega(g->l);
    for (int s = 0; s < sweeps; s++) {
        bool first = s == 0, last = s + 1 == sweeps;
        relax_all(g, 1, first ? GY_RELAX : GY_RELAX_OVER, first ? 1.0f : omega);
        relax_all(g, 0, last ? GY_RELAX : GY_RELAX_OVER, last ? 1.0f : omega);
    }
}

/// Whether a level is the coarsest in use, if not the last one.
static bool has_factor(const gy_grid_level *g)
{
    const gy_extra_unknowns *e = gy_extra_of(g->l);
    return e && e->factor.count > 0;
}

/// The coarsest level: by its factor where it has one, or swept until it is solved.
static void solve_all(const gy_grid_level *g, int sweeps, bool zero)
{
    if (has_factor(g)) {
        // The cells that are no unknowns of the factor have no open face.
        sweep_all(g, 1, true);
        GY_JOIN(gy_extra_solve, GY_ISA)(g);
        wrap_ends(g);
        wrap_all(g);
        return;
    }
    // A single cell is solved by one sweep; with others beside it in a list it takes more.
    sweeps = g->l->extras ? 4 * sweeps : sweeps;
    sweep_all(g, sweeps, zero);
    sweep_back(g, sweeps);
}

static void restrict_all(const gy_grid_level *f, const gy_grid_level *c)
{
    for (int K = 0; K < c->l->n[2]; K++) {
        for (int J = 0; J < c->l->n[1]; J++) {
            restrict_row(f, c, false, J, K);
        }
    }
    if (f->l->extras) {
        gy_extra_restrict_targets(f, c, 0, gy_extra_of(f->l)->targets);
    }
}

static void prolong_all(const gy_grid_level *f, const gy_grid_level *c)
{
    const gy_extra_unknowns *e = gy_extra_of(f->l);
    if (e) {
        gy_extra_save_moves(f, c, 0, e->moves);
    }
    for (int k = 0; k < f->l->n[2]; k++) {
        for (int j = 0; j < f->l->n[1]; j++) {
            prolong_row(f, c, j, k);
        }
    }
    if (e) {
        gy_extra_put_moves(f, 0, e->moves);
        wrap_ends(f);
    }
    wrap_all(f);
}

static void cycle(uint64_t base, uint32_t level, const gy_relax_args *a, int levels, int shape,
                  bool zero);

/// Two steps of conjugate gradients over the cycle from one level down, from x = 0, or one where
/// that has done enough (Notay and Vassilevski, Recursive Krylov-based multigrid cycles, 2008).
/// Where extras are many, a coarse level's matrix is a poor likeness of the finer one's, and each
/// level of a V adds to that; the steps find the right length. b is lost.
static void krylov(uint64_t base, uint32_t level, const gy_relax_args *a, int levels)
{
    gy_grid_level g = gy_grid_level_at(base, level);
    const gy_extra_unknowns *e = gy_extra_of(g.l);
    cycle(base, level, a, levels, GY_SHAPE_K, true);
    if (levels == 1 || has_factor(&g) || !e || !e->image) {
        return;
    }
    double whole, left;
    if (GY_JOIN(gy_extra_first, GY_ISA)(&g, &whole, &left) && left > 0.0625 * whole) {
        cycle(base, level, a, levels, GY_SHAPE_K, true);
        GY_JOIN(gy_extra_second, GY_ISA)(&g);
    }
    if (g.l->periodic & 1u) {
        for (int k = 0; k < g.l->n[2]; k++) {
            for (int j = 0; j < g.l->n[1]; j++) {
                gy_row_wrap(&g, j, k);
            }
        }
    }
    wrap_all(&g);
}

/// The rest of a cycle from one level down, as one task: below some ten thousand cells the waking
/// of threads costs more than the work. `zero`: from x = 0.
static void cycle(uint64_t base, uint32_t level, const gy_relax_args *a, int levels, int shape,
                  bool zero)
{
    gy_grid_level f = gy_grid_level_at(base, level);
    if (levels == 1 || has_factor(&f)) {
        solve_all(&f, a->sweeps, zero);
        return;
    }
    int sweeps = gy_coarse_sweeps(f.l, a->sweeps);
    uint32_t below = level + GY_LEVEL_STEP;
    gy_grid_level c = gy_grid_level_at(base, below);
    sweep_all(&f, sweeps, zero);
    restrict_all(&f, &c);
    if (shape == GY_SHAPE_K) {
        krylov(base, below, a, levels - 1);
    } else {
        cycle(base, below, a, levels - 1, shape, true);
        if (shape != GY_SHAPE_V && levels > 2) {
            cycle(base, below, a, levels - 1, gy_shape_again(shape), false);
        }
    }
    prolong_all(&f, &c);
    sweep_back(&f, sweeps);
}

void GY_BODY(cycle)(const void *args, const gy_box *box, int task)
{
    const gy_relax_args *a = args;
    (void)box;
    (void)task;
    if (a->shape == GY_SHAPE_K) {
        krylov(a->base, a->level, a, a->levels);
    } else {
        cycle(a->base, a->level, a, a->levels, a->shape, a->zero != 0);
    }
}

/// The same: an op of its own, for a twin that knows lists is a large one.
void GY_BODY(extra_cycle)(const void *args, const gy_box *box, int task)
{
    GY_BODY(cycle)(args, box, task);
}
