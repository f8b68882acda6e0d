// A system of gyre/solve.h written anew in double precision: its operator, its regions, its answer
// by elimination, and random openness.
#ifndef POISSON_CASE_H
#define POISSON_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/maths.h"
#include "gyre/device.h"
#include "gyre/solve.h"
#include "sanitized.h"

static const double pi = 3.14159265358979323846;

enum { SHUT = GYRE_POISSON_SHUT, OPEN = GYRE_POISSON_OPEN, ROUND = GYRE_POISSON_PERIODIC };

typedef struct problem {
    int dim, n[3], cells;
    int sides[6];
    float shift;
    float *open[3]; // NULL: whole
    int *region;    // per cell; -1: no open face
    bool *held;     // per region: by a side, or a shift
    int regions;
} problem;

/// Zeroed memory; free() it.
static inline void *room(int count, size_t size)
{
    void *memory = calloc((size_t)(uint32_t)count, size);
    assert_non_null(memory);
    return memory;
}

static inline int cell_at(const problem *p, int i, int j, int k)
{
    return (k * p->n[1] + j) * p->n[0] + i;
}

static inline double openness(const problem *p, int axis, const int at[3])
{
    if (!p->open[axis])
        return 1.0;
    int sx = p->n[0] + (axis == 0), sy = p->n[1] + (axis == 1);
    float a = p->open[axis][(at[2] * sy + at[1]) * sx + at[0]];
    return a >= 0.01f ? floor((double)a * 16384.0 + 0.5) / 16384.0 : 0.0;
}

/// The coefficient from a cell in one of 2 dim ways, and the cell there: -1 beyond a side.
static inline double couple(const problem *p, int cell, int way, int *to)
{
    int at[3] = {cell % p->n[0], cell / p->n[0] % p->n[1], cell / p->n[0] / p->n[1]};
    int axis = way / 2, n = p->n[axis], next[3] = {at[0], at[1], at[2]};
    at[axis] += way & 1;
    next[axis] += way & 1 ? 1 : -1;
    double a = openness(p, axis, at);
    *to = -1;
    if (next[axis] < 0 || next[axis] >= n) {
        int side = p->sides[2 * axis + (way & 1)];
        if (side != ROUND)
            return side == OPEN ? 2.0 * a : 0.0;
        at[axis] = n - at[axis];
        a = fmin(a, openness(p, axis, at));
        next[axis] = (next[axis] + n) % n;
    }
    *to = cell_at(p, next[0], next[1], next[2]);
    return *to == cell ? 0.0 : a;
}

/// A x of one cell but for its diagonal; the diagonal apart.
static inline double row(const problem *p, const double *x, int cell, double *diagonal)
{
    double sum = 0.0;
    *diagonal = (double)p->shift;
    for (int way = 0; way < 2 * p->dim; way++) {
        int to;
        double a = couple(p, cell, way, &to);
        *diagonal += a;
        sum -= to >= 0 ? a * x[to] : 0.0;
    }
    return sum;
}

static inline double apply(const problem *p, const double *x, int cell)
{
    double d, sum = row(p, x, cell, &d);
    return sum + d * x[cell];
}

static inline void find_regions(problem *p)
{
    int *stack = room(p->cells, sizeof(int));
    p->region = room(p->cells, sizeof(int));
    p->held = room(p->cells, sizeof(bool));
    for (int c = 0; c < p->cells; c++)
        p->region[c] = -2;
    p->regions = 0;
    for (int first = 0; first < p->cells; first++) {
        if (p->region[first] != -2)
            continue;
        double any = (double)p->shift;
        int count = 0, r = p->regions;
        stack[count++] = first;
        p->region[first] = r;
        p->held[r] = p->shift > 0.0f;
        for (int q = 0; q < count; q++) {
            for (int way = 0; way < 2 * p->dim; way++) {
                int to;
                double a = couple(p, stack[q], way, &to);
                any += a;
                p->held[r] = p->held[r] || (to < 0 && a > 0.0);
                if (to >= 0 && a > 0.0 && p->region[to] == -2) {
                    p->region[to] = r;
                    stack[count++] = to;
                }
            }
        }
        if (any > 0.0)
            p->regions++;
        else
            p->region[first] = -1;
    }
    free(stack);
}

/// Takes the mean over each region that nothing holds off x; 0 where there is no equation.
static inline void level_regions(const problem *p, double *x)
{
    double *sum = room(p->cells, sizeof(double));
    int *count = room(p->cells, sizeof(int));
    for (int c = 0; c < p->cells; c++) {
        if (p->region[c] >= 0) {
            sum[p->region[c]] += x[c];
            count[p->region[c]]++;
        } else {
            x[c] = 0.0;
        }
    }
    for (int c = 0; c < p->cells; c++) {
        int r = p->region[c];
        if (r >= 0 && !p->held[r])
            x[c] -= sum[r] / count[r];
    }
    free(sum);
    free(count);
}

static inline problem problem_make(int dim, int nx, int ny, int nz, const int sides[6], float shift)
{
    problem p = {.dim = dim, .n = {nx, ny, nz}, .cells = nx * ny * nz, .shift = shift};
    memcpy(p.sides, sides, sizeof p.sides);
    return p;
}

/// Openness of every face: `shut` of them 0, the others between `least` and 1.
static inline void random_openness(problem *p, uint32_t seed, float shut, float least)
{
    for (int a = 0; a < p->dim; a++) {
        int count = (p->n[0] + (a == 0)) * (p->n[1] + (a == 1)) * (p->n[2] + (a == 2));
        p->open[a] = room(count, sizeof(float));
        for (int q = 0; q < count; q++) {
            uint32_t at = (uint32_t)(2 * (3 * q + a));
            float whole = gy_random_unit(seed, at + 1);
            p->open[a][q] = gy_random_unit(seed, at) < shut ? 0.0f : least + (1.0f - least) * whole;
        }
    }
}

static inline void problem_free(problem *p)
{
    for (int a = 0; a < 3; a++)
        free(p->open[a]);
    free(p->region);
    free(p->held);
}

static inline gyre_device *device_of(const char *isa, int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.isa = isa;
    def.threads = threads;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static inline gyre_poisson_def def_of(const problem *p, int solver)
{
    gyre_poisson_def def = gyre_poisson_default_def(p->dim);
    for (int a = 0; a < 3; a++) {
        def.grid.n[a] = p->n[a];
        def.open[a] = p->open[a];
    }
    for (int s = 0; s < 2 * p->dim; s++)
        def.sides[s] = p->sides[s];
    def.shift = p->shift;
    def.solver.solver = solver;
    return def;
}

/// Solves with b, from zero, into x (floats as doubles).
static inline gyre_poisson_stats solve_with(gyre_device *device, const gyre_poisson_def *def,
                                            int cells, const double *b, double *x)
{
    gyre_poisson *poisson = NULL;
    gyre_poisson_stats stats;
    float *f = room(cells, sizeof(float));
    gyre_result made = gyre_poisson_create(device, def, &poisson);
    if (made != GYRE_OK)
        print_message("%s\n", gyre_message());
    assert_int_equal(made, GYRE_OK);
    for (int c = 0; c < cells; c++)
        f[c] = (float)b[c];
    gyre_poisson_set_b(poisson, f);
    assert_int_equal(gyre_poisson_solve(poisson, true, &stats), GYRE_OK);
    gyre_poisson_get_x(poisson, f, NULL);
    for (int c = 0; c < cells; c++) {
        x[c] = (double)f[c];
        assert_true(isfinite(x[c]));
    }
    gyre_poisson_destroy(poisson);
    free(f);
    return stats;
}

/// White noise as a float holds it; its mean over regions that nothing holds is 0.
static inline void random_b(const problem *p, uint32_t seed, double *b)
{
    for (int c = 0; c < p->cells; c++)
        b[c] = (double)gy_random_unit(seed, (uint32_t)c) - 0.5;
    level_regions(p, b);
    for (int c = 0; c < p->cells; c++)
        b[c] = (double)(float)b[c];
}

/// The answer by Gaussian elimination; regions that nothing holds have mean 0.
static inline void eliminate(const problem *p, const double *right, double *x)
{
    int n = p->cells;
    double *m = room(n * n, sizeof(double));
    bool *seen = room(n, sizeof(bool));
    memcpy(x, right, (size_t)n * sizeof(double));
    level_regions(p, x);
    for (int c = 0; c < n; c++) {
        int r = p->region[c];
        double *to = m + (size_t)c * (size_t)n;
        to[c] = r < 0 ? 1.0 : (double)p->shift;
        for (int way = 0; way < 2 * p->dim; way++) {
            int other;
            double a = couple(p, c, way, &other);
            to[c] += a;
            if (other >= 0)
                to[other] -= a;
        }
        // Any value will do for the first cell of a region that nothing holds: 0, as the rows of
        // such a region add up to 0.
        if (r >= 0 && !p->held[r] && !seen[r]) {
            seen[r] = true;
            to[c] += 1.0;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            double f = m[(size_t)i * (size_t)n + (size_t)k] / m[(size_t)k * (size_t)n + (size_t)k];
            for (int j = k; j < n && f != 0.0; j++)
                m[(size_t)i * (size_t)n + (size_t)j] -= f * m[(size_t)k * (size_t)n + (size_t)j];
            x[i] -= f * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++)
            x[k] -= m[(size_t)k * (size_t)n + (size_t)j] * x[j];
        x[k] /= m[(size_t)k * (size_t)n + (size_t)k];
    }
    level_regions(p, x);
    free(m);
    free(seen);
}

/// Largest difference over the largest value.
static inline double apart(const problem *p, const double *x, const double *y)
{
    double far = 0.0, size = 1e-30;
    for (int c = 0; c < p->cells; c++) {
        far = fmax(far, fabs(x[c] - y[c]));
        size = fmax(size, fabs(y[c]));
    }
    return far / size;
}

/// Root mean square of b - A x over that of b; cells without an equation left out.
static inline double residual_of(const problem *p, const double *b, const double *x)
{
    double sum = 0.0, all = 1e-300;
    for (int c = 0; c < p->cells; c++) {
        if (p->region[c] >= 0) {
            double d = b[c] - apply(p, x, c);
            sum += d * d;
            all += b[c] * b[c];
        }
    }
    return sqrt(sum / all);
}

/// What floats may make of that: each of a row's terms rounded, a float's 6e-8 of the largest x.
static inline double rounding_of(const problem *p, const double *b, const double *x)
{
    double size = 0.0, squares = 1e-300;
    for (int c = 0; c < p->cells; c++) {
        size = fmax(size, fabs(x[c]));
        squares += b[c] * b[c] / p->cells;
    }
    return 6e-8 * 4.0 * p->dim * size / sqrt(squares);
}

/// The kinds of sides of one axis.
static const int axis_sides[][2] = {
    {SHUT, SHUT}, {SHUT, OPEN}, {OPEN, OPEN}, {ROUND, ROUND}, {OPEN, SHUT}};

/// The q-th mix of kinds over axes, of 5^dim.
static inline void mix_sides(int q, int dim, int sides[6])
{
    for (int a = 0; a < 3; a++) {
        const int *kind = axis_sides[a < dim ? q % 5 : 0];
        sides[2 * a] = kind[0];
        sides[2 * a + 1] = kind[1];
        q /= 5;
    }
}

static inline double smooth_along(const problem *p, int axis, int i, double waves)
{
    double t = (i + 0.5) / p->n[axis];
    int low = p->sides[2 * axis], high = p->sides[2 * axis + 1];
    if (low == ROUND)
        return sin(2.0 * pi * waves * t + 0.3);
    if (low == high)
        return low == OPEN ? sin(pi * waves * t) : cos(pi * waves * t);
    return low == OPEN ? sin(pi * (waves - 0.5) * t) : cos(pi * (waves - 0.5) * t);
}

static inline double wave_number(const problem *p, int axis, double waves)
{
    int low = p->sides[2 * axis], high = p->sides[2 * axis + 1];
    return low == ROUND ? 2.0 * pi * waves : low == high ? pi * waves : pi * (waves - 0.5);
}

/// A smooth function that keeps to the sides, of one wave along x and z and two along y, and minus
/// its Laplacian times h^2 (plus shift), for cells of side h = 1 / n.
static inline void manufacture(const problem *p, double *u, double *b)
{
    for (int c = 0; c < p->cells; c++) {
        int at[3] = {c % p->n[0], c / p->n[0] % p->n[1], c / p->n[0] / p->n[1]};
        double squares = (double)p->shift, value = 1.0;
        for (int a = 0; a < p->dim; a++) {
            double waves = a == 1 ? 2.0 : 1.0, w = wave_number(p, a, waves) / p->n[a];
            value *= smooth_along(p, a, at[a], waves);
            squares += w * w;
        }
        u[c] = value;
        b[c] = squares * value;
    }
    level_regions(p, b);
}

/// Largest error of the answer to a manufactured problem.
static inline double manufactured_error(gyre_device *device, const problem *p,
                                        const gyre_poisson_def *def)
{
    double *u = room(p->cells, sizeof(double)), far = 0.0;
    double *b = room(p->cells, sizeof(double));
    double *x = room(p->cells, sizeof(double));
    manufacture(p, u, b);
    solve_with(device, def, p->cells, b, x);
    level_regions(p, u);
    level_regions(p, x);
    for (int c = 0; c < p->cells; c++)
        far = fmax(far, fabs(x[c] - u[c]));
    free(u);
    free(b);
    free(x);
    return far;
}

/// That halving h quarters the error of a solver's answers, for every kind of side, alike on all
/// axes or mixed; the settings are those of `like`.
static inline void check_order(gyre_device *device, const gyre_solver_def *like, int dim, int first,
                               int last)
{
    for (int q = 0; q < 6; q++) {
        int sides[6];
        double before = 0.0;
        // All axes alike, or each of another kind.
        mix_sides(q < 5 ? q * (dim == 2 ? 6 : 31) : dim == 2 ? 13 : 38, dim, sides);
        for (int n = first; n <= last; n *= 2) {
            problem p = problem_make(dim, n, n, dim == 3 ? n : 1, sides, 0.0f);
            find_regions(&p);
            gyre_poisson_def def = def_of(&p, like->solver);
            def.solver = *like;
            double error = manufactured_error(device, &p, &def);
            if (getenv("GYRE_TEST_PRINT"))
                print_message("%s %dD %d sides %d: %.3e ratio %.2f\n",
                              gyre_solver_names[like->solver], dim, n, q, error, before / error);
            // 4 but for the next order, h^2 beside 1.
            if (n > first)
                assert_true(before / error > 3.5 && before / error < 4.6);
            before = error;
            problem_free(&p);
        }
        assert_true(before < 1.0 / (last * last) * 40.0);
    }
}

/// A hash of the answers to a problem on every instruction set and several numbers of threads: the
/// same.
static inline void check_same_bits(const problem *p, const gyre_poisson_def *def)
{
    static const int threads[] = {1, 2, 5};
    double *b = room(p->cells, sizeof(double));
    double *x = room(p->cells, sizeof(double));
    double *first = room(p->cells, sizeof(double)), residual = -1.0;
    random_b(p, 5, b);
    for (int isa = 0; gyre_isa_name(isa); isa++) {
        for (int t = 0; t < 3; t++) {
            if (!takes_turn(isa, t, 3)) {
                continue;
            }
            gyre_device *device = device_of(gyre_isa_name(isa), threads[t]);
            gyre_poisson_stats s = solve_with(device, def, p->cells, b, x);
            if (residual < 0.0) {
                memcpy(first, x, (size_t)p->cells * sizeof(double));
                residual = s.residual;
            }
            assert_memory_equal(x, first, (size_t)p->cells * sizeof(double));
            assert_memory_equal(&residual, &s.residual, sizeof residual);
            gyre_device_destroy(device);
        }
    }
    free(b);
    free(x);
    free(first);
}

#endif
