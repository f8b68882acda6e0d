// solve/direct.c: elimination in double precision: `direct` of a band, `dense` of the whole matrix.
//
// direct numbers the unknowns along the shorter axes first, so that neighbours are no further apart
// than the product of the numbers of cells along all axes but the longest; round a periodic axis
// the order is 0, n - 1, 1, n - 2, ..., which brings its ends together and doubles that. Within the
// band nearly all fills in: n unknowns and a band of w take n w^2 / 2 multiplications to factor
// (n^2 in 2D, n^(7/3) in 3D), n w numbers to keep, and twice as many multiplications to solve.
// dense pays n^3 / 3 and n^2, as the books do; its partial pivoting never has anything to do, for
// the diagonal is the largest of its column and stays so.
//
// Factors are made by the first solve after coefficients or the shift have changed.
//
// A region that nothing holds has a matrix with a zero pivot, the last. What holds it is the sum of
// its rows (shift, and coefficients towards open sides and held cells); where that is below
// 16 eps times the sum of its diagonals, rounding would hide it, and nothing does. There the last
// unknown is set to 0, after the mean of b over the region was taken off, and then the mean of x
// over it is. Any other pivot below 4 eps times the diagonal counts as 0, too, with its unknown.
#include "ops/system/level.h"
#include "solve/solvers.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DENSE = 4096 };
static const double most_bytes = 1073741824.0;
static const double eps = 2.220446049250313e-16;

/// How unknowns are numbered, and what is kept of them.
typedef struct plan {
    bool dense;
    int n[3], dim;
    uint32_t periodic;
    bool folded[3];
    int64_t stride[3], cells;
    int64_t padded; // to a multiple of GY_MATRIX_TILE
    int64_t reach;  // in tiles
    double bytes;   // of the matrix; may be more than any memory has
} plan;

/// The head of the memory that is kept; arrays follow.
typedef struct factor {
    float shift;
    bool made;
    double *matrix, *inverse, *vector, *sum, *count, *scratch;
    int32_t *root;  // per unknown: the last one of its region; -1 where it has no equation
    int32_t *order; // dense: where rows came from
} factor;

/// Numbers along axes in the given order; returns how far apart neighbours are at most.
static int64_t number(plan *p, const int axes[3])
{
    int64_t stride = 1, width = 0;
    for (int q = 0; q < 3; q++) {
        int a = axes[q];
        int64_t apart = p->folded[a] && p->n[a] > 2 ? 2 * stride : stride;
        p->stride[a] = stride;
        width = p->n[a] > 1 ? GY_MAX(width, apart) : width;
        stride *= p->n[a];
    }
    p->cells = stride;
    return width;
}

static plan plan_of(const gyre_grid *grid, uint32_t periodic, bool dense)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    plan p = {.dense = dense, .dim = grid->dim, .periodic = periodic};
    int best = 0;
    int64_t width = 0;
    for (int a = 0; a < 3; a++) {
        p.n[a] = grid->n[a];
        p.folded[a] = !dense && (periodic >> a & 1u);
    }
    for (int q = 0; q < GY_COUNT(orders) && !dense; q++) {
        int64_t w = number(&p, orders[q]);
        best = q == 0 || w < width ? q : best;
        width = q == 0 ? w : GY_MIN(w, width);
    }
    number(&p, orders[best]);
    p.padded = (p.cells + GY_MATRIX_TILE - 1) / GY_MATRIX_TILE * GY_MATRIX_TILE;
    p.reach = dense ? 0 : (width + GY_MATRIX_TILE - 1) / GY_MATRIX_TILE;
    p.bytes = 8.0 * (double)p.padded * (double)(dense ? p.padded : (p.reach + 1) * GY_MATRIX_TILE);
    return p;
}

static int64_t place_of(const plan *p, const int cell[3])
{
    int64_t at = 0;
    for (int a = 0; a < 3; a++) {
        int i = cell[a], n = p->n[a];
        at += p->stride[a] * (!p->folded[a] ? i : 2 * i < n ? 2 * i : 2 * (n - 1 - i) + 1);
    }
    return at;
}

static double *entry(const plan *p, const factor *f, int64_t row, int64_t column)
{
    if (p->dense) {
        return f->matrix + row * p->padded + column;
    }
    int64_t K = column / GY_MATRIX_TILE, tile = K * (p->reach + 1) + row / GY_MATRIX_TILE - K;
    return f->matrix + (tile * GY_MATRIX_TILE + column % GY_MATRIX_TILE) * GY_MATRIX_TILE +
           row % GY_MATRIX_TILE;
}

static int32_t root_of(int32_t *root, int32_t i)
{
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

static void join(int32_t *root, int32_t i, int32_t j)
{
    i = root_of(root, i);
    j = root_of(root, j);
    root[GY_MIN(i, j)] = GY_MAX(i, j);
}

static bool held(const gy_grid_level *g, const int c[3])
{
    int colour = (c[0] + c[1] + c[2]) & 1;
    return g->pin[colour] && g->pin[colour][gy_level_row(g->l, c[1], c[2]) + (c[0] >> 1)];
}

/// The row of one cell: its diagonal, and what is left of each row below it. `sum` gets the part of
/// the diagonal that holds it.
static void assemble_cell(const plan *p, factor *f, const gy_grid_level *g, const int cell[3])
{
    const gy_level *l = g->l;
    int64_t me = place_of(p, cell);
    double diagonal = (double)l->shift, hold = (double)l->shift;
    bool is_held = held(g, cell);
    for (int way = 0; way < 2 * l->dim && !is_held; way++) {
        int axis = way / 2, n = p->n[axis], next[3], face[3];
        memcpy(next, cell, sizeof next);
        memcpy(face, cell, sizeof face);
        face[axis] += way & 1;
        next[axis] += way & 1 ? 1 : -1;
        double a = (double)l->scale[axis] *
                   (double)*gy_coefficient(g, axis, face[0], face[1], face[2]) / (double)GY_UNIT;
        bool inside = next[axis] >= 0 && next[axis] < n;
        diagonal += a;
        if (!inside && (l->periodic >> axis & 1u)) {
            next[axis] = (next[axis] + n) % n;
            inside = true;
        }
        if (!inside || held(g, next)) {
            hold += a;
        } else if (a > 0.0) {
            int64_t other = place_of(p, next);
            if (p->dense || other < me) {
                *entry(p, f, me, other) -= a;
            }
            join(f->root, (int32_t)me, (int32_t)other);
        }
    }
    bool solvable = !is_held && diagonal > 1e-20;
    *entry(p, f, me, me) += solvable ? diagonal : 1.0;
    f->count[me] = solvable ? diagonal : 0.0;
    f->sum[me] = solvable ? hold : 0.0;
}

/// Fills the matrix; finds the regions, and the floors of pivots.
static void assemble(const plan *p, factor *f, const gy_system *s)
{
    gy_grid_level g = gy_grid_level_at(s->base, gy_system_offset(s, 0));
    memset(f->matrix, 0, (size_t)p->bytes);
    for (int32_t i = 0; i < p->padded; i++) {
        f->root[i] = f->order[i] = i;
    }
    for (int k = 0; k < p->n[2]; k++) {
        for (int j = 0; j < p->n[1]; j++) {
            for (int i = 0; i < p->n[0]; i++) {
                assemble_cell(p, f, &g, (const int[3]){i, j, k});
            }
        }
    }
    for (int32_t i = 0; i < p->padded; i++) {
        if (i >= p->cells) {
            *entry(p, f, i, i) = 1.0;
            f->root[i] = -1;
        } else {
            int32_t r = root_of(f->root, i);
            f->inverse[i] = 4.0 * eps * f->count[i];
            f->root[i] = r;
            if (r != i) {
                f->sum[r] += f->sum[i];
                f->count[r] += f->count[i];
            }
        }
    }
    for (int32_t i = 0; i < p->cells; i++) {
        if (f->count[i] == 0.0) {
            f->root[i] = -1;
        } else if (f->root[i] == i && f->sum[i] <= 16.0 * eps * f->count[i]) {
            f->inverse[i] = 1e300;
        }
    }
}

static gy_factor_args args_of(const plan *p, const factor *f)
{
    return (gy_factor_args){.matrix = (uint64_t)(uintptr_t)f->matrix,
                            .inverse = (uint64_t)(uintptr_t)f->inverse,
                            .order = (uint64_t)(uintptr_t)f->order,
                            .unknowns = (int32_t)(p->dense ? p->cells : p->padded),
                            .reach = (int32_t)p->reach};
}

static void make(const plan *p, factor *f, const gy_system *s)
{
    gy_factor_args a = args_of(p, f);
    assemble(p, f, s);
    a.vector = (uint64_t)(uintptr_t)f->scratch;
    gy_run(s->device, p->dense ? GY_OP_factor_dense : GY_OP_factor_band, &a, gy_box_make(1, 1, 1));
    f->shift = s->shift;
    f->made = true;
}

/// Takes the mean off regions whose last pivot is 0.
static void level_regions(const plan *p, factor *f)
{
    size_t bytes = (size_t)p->cells * sizeof(double);
    memset(f->sum, 0, bytes);
    memset(f->count, 0, bytes);
    for (int64_t i = 0; i < p->cells; i++) {
        int32_t r = f->root[i];
        if (r >= 0 && f->inverse[r] == 0.0) {
            f->sum[r] += f->vector[i];
            f->count[r] += 1.0;
        }
    }
    for (int64_t i = 0; i < p->cells; i++) {
        int32_t r = f->root[i];
        if (r >= 0 && f->inverse[r] == 0.0) {
            f->vector[i] -= f->sum[r] / f->count[r];
        }
    }
}

/// Between a field of floats and the vector, in its order. In: 0 where there is no equation.
static void move(const plan *p, factor *f, const gy_system *s, bool in)
{
    gy_grid_level g = gy_grid_level_at(s->base, gy_system_offset(s, 0));
    for (int k = 0; k < p->n[2]; k++) {
        for (int j = 0; j < p->n[1]; j++) {
            ptrdiff_t o = gy_level_row(g.l, j, k);
            for (int i = 0; i < p->n[0]; i++) {
                int64_t at = place_of(p, (const int[3]){i, j, k});
                int colour = (i + j + k) & 1;
                if (in) {
                    f->vector[at] = f->root[at] >= 0 ? (double)g.b[colour][o + (i >> 1)] : 0.0;
                } else {
                    g.x[colour][o + (i >> 1)] = (float)f->vector[at];
                }
            }
        }
    }
}

/// L U x = b with the rows of b in the order of L's.
static void solve_dense(const plan *p, factor *f)
{
    double *x = f->scratch;
    for (int64_t i = 0; i < p->cells; i++) {
        x[i] = f->vector[f->order[i]];
        for (int64_t j = 0; j < i; j++) {
            x[i] -= f->matrix[i * p->padded + j] * x[j];
        }
    }
    for (int64_t i = p->cells - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < p->cells; j++) {
            x[i] -= f->matrix[i * p->padded + j] * x[j];
        }
        x[i] *= f->inverse[i];
    }
    memcpy(f->vector, x, (size_t)p->cells * sizeof(double));
}

static gy_solve_result solve(gy_system *s, const gy_solve_task *task, bool dense)
{
    gy_solve_result r = {0, 0.0};
    factor *f = s->own[GY_OWN_FACTOR].data;
    plan p = plan_of(&s->grid, s->periodic, dense);
    gy_clear(s, 0, 0, task->zero);
    if (task->reference > 0.0 && task->max_cycles > 0) {
        if (!f->made || f->shift != s->shift) {
            make(&p, f, s);
        }
        move(&p, f, s, true);
        level_regions(&p, f);
        if (dense) {
            solve_dense(&p, f);
        } else {
            gy_factor_args a = args_of(&p, f);
            a.vector = (uint64_t)(uintptr_t)f->vector;
            memset(f->vector + p.cells, 0, (size_t)(p.padded - p.cells) * sizeof(double));
            gy_run(s->device, GY_OP_solve_band, &a, gy_box_make(1, 1, 1));
        }
        level_regions(&p, f);
        move(&p, f, s, false);
        r.cycles = 1;
    }
    gy_vector_wrap(s, 0);
    if (r.cycles > 0) {
        r.residual = __builtin_sqrt(gy_residual_all(s) / task->reference);
        gy_note(task, 0, r.residual);
    }
    return r;
}

static double *part(char **at, int64_t numbers, size_t size)
{
    double *here = (double *)(void *)*at;
    *at += ((size_t)numbers * size + 63) / 64 * 64;
    return here;
}

static gyre_result prepare(gy_system *s, bool dense)
{
    plan p = plan_of(&s->grid, s->periodic, dense);
    size_t each = (size_t)p.padded, tiles = (size_t)p.reach * GY_MATRIX_TILE * GY_MATRIX_TILE;
    size_t scratch = GY_MAX(each, tiles);
    size_t bytes = (size_t)p.bytes + (4 * each + scratch) * sizeof(double) +
                   2 * each * sizeof(int32_t) + (8 + 2) * 64;
    if (!gy_system_own(s, GY_OWN_FACTOR, bytes)) {
        return GYRE_ERROR_MEMORY;
    }
    factor *f = s->own[GY_OWN_FACTOR].data;
    char *at = (char *)f;
    part(&at, 1, sizeof(factor));
    *f = (factor){.matrix = part(&at, (int64_t)(p.bytes / 8.0), sizeof(double)),
                  .inverse = part(&at, p.padded, sizeof(double)),
                  .vector = part(&at, p.padded, sizeof(double)),
                  .sum = part(&at, p.padded, sizeof(double)),
                  .count = part(&at, p.padded, sizeof(double)),
                  .scratch = part(&at, (int64_t)scratch, sizeof(double))};
    f->root = (int32_t *)(void *)part(&at, p.padded, sizeof(int32_t));
    f->order = (int32_t *)(void *)part(&at, p.padded, sizeof(int32_t));
    return GYRE_OK;
}

static bool takes_band(const gy_system_def *def, char *why, size_t size)
{
    plan p = plan_of(&def->grid, def->periodic, false);
    snprintf(why, size, "would keep %.0f bytes of factors, and %.0f are the most", p.bytes,
             most_bytes);
    return p.bytes <= most_bytes;
}

static bool takes_dense(const gy_system_def *def, char *why, size_t size)
{
    plan p = plan_of(&def->grid, def->periodic, true);
    snprintf(why, size, "takes %d unknowns at most, and here are %lld", MOST_DENSE,
             (long long)p.cells);
    return p.cells <= MOST_DENSE;
}

static gyre_result prepare_band(gy_system *s)
{
    return prepare(s, false);
}

static gyre_result prepare_dense(gy_system *s)
{
    return prepare(s, true);
}

static gy_solve_result solve_band(gy_system *s, const gy_solve_task *task)
{
    return solve(s, task, false);
}

static gy_solve_result solve_whole(gy_system *s, const gy_solve_task *task)
{
    return solve(s, task, true);
}

const gy_solver gy_solver_direct = {
    .name = "direct",
    .doc = "L D L^T of a band, in double precision; the first solve makes the factor",
    .takes = takes_band,
    .prepare = prepare_band,
    .solve = solve_band,
    .ops = GY_OPS(GY_OP_factor_band, GY_OP_solve_band),
};

const gy_solver gy_solver_dense = {
    .name = "dense",
    .doc = "Gaussian elimination of the whole matrix, in double precision; for the lesson",
    .takes = takes_dense,
    .prepare = prepare_dense,
    .solve = solve_whole,
    .ops = GY_OPS(GY_OP_factor_dense),
};
