// test/solve_case.h: a linear system with solids, made through gyre/solve.h, and its operator
// written anew in double precision.
#ifndef SOLVE_CASE_H
#define SOLVE_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "base/maths.h"
#include "gyre/gyre.h"

typedef struct solve_case {
    gyre_poisson_def def;
    gyre_device *device;
    gyre_poisson *poisson;
    float *open[3];
    float *b, *x, *low;
    size_t cells;
} solve_case;

static size_t case_cell(const solve_case *c, int i, int j, int k)
{
    const int *n = c->def.grid.n;
    return (size_t)i + (size_t)n[0] * ((size_t)j + (size_t)n[1] * (size_t)k);
}

static float *case_face(const solve_case *c, int axis, int i, int j, int k)
{
    size_t sx = (size_t)c->def.grid.n[0] + (axis == 0), sy = (size_t)c->def.grid.n[1] + (axis == 1);
    return &c->open[axis][(size_t)i + sx * ((size_t)j + sy * (size_t)k)];
}

static inline gyre_device *case_device(const char *isa, int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.isa = isa;
    def.threads = threads;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

/// All faces whole, shut sides, mgpcg with refinement to 1e-6.
static solve_case case_make(gyre_device *device, int nx, int ny, int nz)
{
    solve_case c = {.device = device, .def = gyre_poisson_default_def(nz > 0 ? 3 : 2)};
    c.def.grid.n[0] = nx;
    c.def.grid.n[1] = ny;
    c.def.grid.n[2] = nz > 0 ? nz : 1;
    c.def.solver.solver = GYRE_SOLVER_MGPCG;
    c.def.solver.tolerance = 1e-6f;
    c.def.solver.max_cycles = 100;
    c.def.solver.refine = true;
    const int *n = c.def.grid.n;
    c.cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    c.b = calloc(c.cells, sizeof(float));
    c.x = calloc(c.cells, sizeof(float));
    c.low = calloc(c.cells, sizeof(float));
    for (int a = 0; a < c.def.grid.dim; a++) {
        size_t faces =
            (size_t)(n[0] + (a == 0)) * (size_t)(n[1] + (a == 1)) * (size_t)(n[2] + (a == 2));
        c.open[a] = malloc(faces * sizeof(float));
        for (size_t q = 0; q < faces; q++)
            c.open[a][q] = 1.0f;
        c.def.open[a] = c.open[a];
    }
    return c;
}

static void case_free(solve_case *c)
{
    gyre_poisson_destroy(c->poisson);
    for (int a = 0; a < 3; a++)
        free(c->open[a]);
    free(c->b);
    free(c->x);
    free(c->low);
}

#define EACH_CASE_CELL(c)                                                                          \
    for (int k = 0; k < (c)->def.grid.n[2]; k++)                                                   \
        for (int j = 0; j < (c)->def.grid.n[1]; j++)                                               \
            for (int i = 0; i < (c)->def.grid.n[0]; i++)

/// Shuts every face of a cell.
static void case_solid(solve_case *c, int i, int j, int k)
{
    for (int a = 0; a < c->def.grid.dim; a++) {
        *case_face(c, a, i, j, k) = 0.0f;
        *case_face(c, a, i + (a == 0), j + (a == 1), k + (a == 2)) = 0.0f;
    }
}

static void case_random_solids(solve_case *c, float part, uint32_t seed)
{
    uint32_t q = 0;
    EACH_CASE_CELL(c)
    {
        if (gy_random_unit(seed, q++) < part)
            case_solid(c, i, j, k);
    }
}

static void case_random_b(solve_case *c, uint32_t seed)
{
    for (size_t q = 0; q < c->cells; q++)
        c->b[q] = gy_random_unit(seed, (uint32_t)q) - 0.5f;
}

static void case_create(solve_case *c)
{
    assert_int_equal(gyre_poisson_create(c->device, &c->def, &c->poisson), GYRE_OK);
}

static gyre_poisson_stats case_solve(solve_case *c, bool from_zero)
{
    gyre_poisson_stats stats;
    gyre_poisson_set_b(c->poisson, c->b);
    assert_int_equal(gyre_poisson_solve(c->poisson, from_zero, &stats), GYRE_OK);
    gyre_poisson_get_x(c->poisson, c->x, c->low);
    return stats;
}

/// What is kept of openness: nothing below 1/100, else to 1/16384.
static double case_kept(float open)
{
    return open < 0.01f ? 0.0 : floor((double)open * 16384.0 + 0.5) / 16384.0;
}

/// The coefficient of a face towards a neighbour, and which cell that is; -1: beyond a side.
static double case_joint(const solve_case *c, const int at[3], int way, long *to)
{
    const int *n = c->def.grid.n;
    int a = way / 2, p = at[a] + (way & 1), face[3] = {at[0], at[1], at[2]};
    int cell[3] = {at[0], at[1], at[2]};
    face[a] = p;
    cell[a] += (way & 1) ? 1 : -1;
    float open = *case_face(c, a, face[0], face[1], face[2]);
    *to = -1;
    if (cell[a] < 0 || cell[a] >= n[a]) {
        if (c->def.sides[2 * a] == GYRE_POISSON_PERIODIC) {
            face[a] = n[a] - p;
            open = fminf(open, *case_face(c, a, face[0], face[1], face[2]));
            cell[a] = (cell[a] + n[a]) % n[a];
        } else {
            double side = c->def.sides[2 * a + (p == n[a])] == GYRE_POISSON_OPEN ? 2.0 : 0.0;
            return side * case_kept(open);
        }
    }
    *to = (long)case_cell(c, cell[0], cell[1], cell[2]);
    return case_kept(open);
}

/// Numbers the regions (-1: a cell with no open face) and says which are held; returns how many.
/// `region` and `held` have a place for every cell.
static int case_regions(const solve_case *c, int *region, bool *held)
{
    const int *n = c->def.grid.n;
    int count = 0;
    int *stack = malloc(c->cells * sizeof(int));
    for (size_t q = 0; q < c->cells; q++)
        region[q] = -1;
    for (size_t first = 0; first < c->cells; first++) {
        if (region[first] >= 0)
            continue;
        int filled = 0, joints = 0;
        stack[filled++] = (int)first;
        region[first] = count;
        held[count] = false;
        for (int q = 0; q < filled; q++) {
            int cell = stack[q], at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
            for (int way = 0; way < 2 * c->def.grid.dim; way++) {
                long to;
                double a = case_joint(c, at, way, &to);
                if (!(a > 0.0) || to == cell)
                    continue;
                joints++;
                held[count] = held[count] || to < 0;
                if (to >= 0 && region[to] < 0) {
                    region[to] = count;
                    stack[filled++] = (int)to;
                }
            }
        }
        if (joints == 0)
            region[first] = -1;
        count += joints > 0;
    }
    free(stack);
    return count;
}

/// Relative rms of b - A (x + low), where b has lost the mean of every region that nothing holds.
static double case_residual(const solve_case *c)
{
    const int *n = c->def.grid.n;
    int *region = malloc(c->cells * sizeof(int));
    bool *held = malloc(c->cells * sizeof(bool));
    double *mean = calloc(c->cells, sizeof(double)), *size = calloc(c->cells, sizeof(double));
    double left = 0.0, whole = 0.0;
    case_regions(c, region, held);
    for (size_t q = 0; q < c->cells; q++) {
        if (region[q] >= 0) {
            mean[region[q]] += (double)c->b[q];
            size[region[q]] += 1.0;
        }
    }
    for (size_t q = 0; q < c->cells; q++) {
        int at[3] = {(int)q % n[0], (int)q / n[0] % n[1], (int)q / n[0] / n[1]}, r = region[q];
        bool loose = r >= 0 && !held[r] && c->def.shift == 0.0f;
        if (r < 0 && c->def.shift == 0.0f)
            continue;
        double b = (double)c->b[q] - (loose ? mean[r] / size[r] : 0.0);
        double x = (double)c->x[q] + (double)c->low[q], d = b - (double)c->def.shift * x;
        for (int way = 0; way < 2 * c->def.grid.dim; way++) {
            long to;
            double a = case_joint(c, at, way, &to);
            d -= a * (x - (to >= 0 ? (double)c->x[to] + (double)c->low[to] : 0.0));
        }
        assert_true(isfinite(d));
        left += d * d;
        whole += b * b;
    }
    free(region);
    free(held);
    free(mean);
    free(size);
    return whole > 0.0 ? sqrt(left / whole) : 0.0;
}

#endif
