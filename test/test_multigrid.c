// labels: small threads
// The solvers of src/solve: how fast a V(2,2)-cycle converges on every kind of box, that what it
// converges to is the answer (by an operator written anew here, in double precision), and that bits
// do not depend on threads or instruction sets.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/maths.h"
#include "ops/system/level.h"
#include "sanitized.h"
#include "shape/openness.h"
#include "solve/solve.h"

static const double pi = 3.14159265358979323846;

enum { X_LOW = 1, X_HIGH = 2, Y_LOW = 4, Y_HIGH = 8, Z_LOW = 16, Z_HIGH = 32, ALL_SIDES = 63 };

/// A system with its memory.
typedef struct rig {
    gyre_device *device;
    gy_system system;
    void *memory;
    gy_level *l;
    gy_grid_level g;
    int n[3], dim;
    int64_t cells;
} rig;

static gyre_device *device_of(const char *isa, int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.isa = isa;
    def.threads = threads;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static int open_part(const gy_solid *solids, int count, const gyre_grid *grid, int axis, int i,
                     int j, int k)
{
    static uint16_t row[4098];
    if (count == 0)
        return 16384;
    gy_openness_row(grid, solids, count, axis, j, k, row);
    return row[i];
}

static void paint(rig *r, const gyre_grid *grid, uint32_t periodic, uint32_t open,
                  const gy_solid *solids, int count)
{
    for (int axis = 0; axis < r->dim; axis++) {
        int end[3] = {r->n[0], r->n[1], r->n[2]};
        end[axis]++;
        for (int k = 0; k < end[2]; k++) {
            for (int j = 0; j < end[1]; j++) {
                for (int i = 0; i < end[0]; i++) {
                    int at[3] = {i, j, k}, p = at[axis], n = r->n[axis], q;
                    q = open_part(solids, count, grid, axis, i, j, k);
                    if (p == 0 || p == n) {
                        int side = 2 * axis + (p == n);
                        if (periodic >> axis & 1u) {
                            int other[3] = {i, j, k};
                            other[axis] = n - p;
                            int o =
                                open_part(solids, count, grid, axis, other[0], other[1], other[2]);
                            q = q < o ? q : o;
                        } else {
                            q = open >> side & 1u ? 2 * q : 0;
                        }
                    }
                    *gy_coefficient(&r->g, axis, i, j, k) = (uint16_t)q;
                }
            }
        }
    }
}

static rig rig_make(gyre_device *device, int dim, int nx, int ny, int nz, uint32_t periodic,
                    uint32_t open, bool pin, const gy_solid *solids, int count)
{
    rig r = {.device = device, .n = {nx, ny, nz}, .dim = dim};
    gyre_grid grid = {.dim = dim, .n = {nx, ny, nz}, .h = 1.0f};
    gy_arena counted = {0};
    r.cells = (int64_t)nx * ny * nz;
    gy_system_def def = {.grid = grid,
                         .periodic = periodic,
                         .open_sides = open,
                         .pin = pin,
                         .solids = true,
                         .solver = {.solver = GYRE_SOLVER_MULTIGRID, .sweeps = 2}};
    gy_system_plan(&r.system, device, &def, &counted, &counted);
    size_t bytes = ((size_t)counted.used + 2) * 64;
    r.memory = aligned_alloc(64, bytes);
    assert_non_null(r.memory);
    memset(r.memory, 0, bytes);
    gy_arena arena = {.base = (uint64_t)(uintptr_t)r.memory};
    gy_system_plan(&r.system, device, &def, &arena, &arena);
    r.l = gy_system_level(&r.system, 0);
    r.g = gy_grid_level_at(r.system.base, gy_system_offset(&r.system, 0));
    paint(&r, &grid, periodic, open, solids, count);
    gy_system_coarsen(&r.system);
    return r;
}

static void rig_free(rig *r)
{
    free(r->memory);
}

static float *place(float *const colours[2], const rig *r, int i, int j, int k)
{
    return &colours[(i + j + k) & 1][gy_level_row(r->l, j, k) + (i >> 1)];
}

static float *x_at(const rig *r, int i, int j, int k)
{
    return place(r->g.x, r, i, j, k);
}

static float *b_at(const rig *r, int i, int j, int k)
{
    return place(r->g.b, r, i, j, k);
}

static bool pinned(const rig *r, int i, int j, int k)
{
    return r->g.pin[0] && r->g.pin[(i + j + k) & 1][gy_level_row(r->l, j, k) + (i >> 1)];
}

/// The neighbour of a cell, and the coefficient towards it; false: beyond a side, where x is 0.
static bool neighbour(const rig *r, const int cell[3], int way, int to[3], double *a)
{
    int axis = way / 2, face[3] = {cell[0], cell[1], cell[2]};
    memcpy(to, cell, 3 * sizeof(int));
    face[axis] += way & 1;
    to[axis] += way & 1 ? 1 : -1;
    *a = (double)*gy_coefficient(&r->g, axis, face[0], face[1], face[2]) / 16384.0;
    if (to[axis] >= 0 && to[axis] < r->n[axis])
        return true;
    if (!(r->l->periodic >> axis & 1u))
        return false;
    to[axis] = (to[axis] + r->n[axis]) % r->n[axis];
    return true;
}

/// The operator applied to x, in double.
static double apply(const rig *r, int i, int j, int k)
{
    const int cell[3] = {i, j, k};
    double x = (double)*x_at(r, i, j, k), sum = (double)r->l->shift * x;
    for (int way = 0; way < 2 * r->dim; way++) {
        int to[3];
        double a;
        bool inside = neighbour(r, cell, way, to, &a);
        sum += a * (x - (inside ? (double)*x_at(r, to[0], to[1], to[2]) : 0.0));
    }
    return sum;
}

#define EACH_CELL(r)                                                                               \
    for (int k = 0; k < (r)->n[2]; k++)                                                            \
        for (int j = 0; j < (r)->n[1]; j++)                                                        \
            for (int i = 0; i < (r)->n[0]; i++)

static double residual(const rig *r)
{
    double sum = 0.0;
    EACH_CELL(r)
    {
        if (pinned(r, i, j, k))
            continue;
        double d = (double)*b_at(r, i, j, k) - apply(r, i, j, k);
        assert_true(isfinite(d));
        sum += d * d;
    }
    return sqrt(sum / (double)r->cells);
}

/// What rounding x to float leaves of the residual, about.
static double float_floor(const rig *r)
{
    double most = 0.0;
    EACH_CELL(r)
    {
        most = fmax(most, fabs((double)*x_at(r, i, j, k)));
    }
    return most * 6e-8 * 4.0 * r->dim;
}

static double norm_b(const rig *r)
{
    double sum = 0.0;
    EACH_CELL(r)
    {
        sum += (double)*b_at(r, i, j, k) * (double)*b_at(r, i, j, k);
    }
    return sqrt(sum / (double)r->cells);
}

/// Takes the mean of b off every connected part that nothing holds (no open side, no pin, no
/// shift): there the system has an answer only then. Cells with no open face get 0.
static void make_solvable(const rig *r)
{
    if (r->l->shift > 0.0f)
        return;
    uint8_t *seen = calloc((size_t)r->cells, 1);
    int *stack = malloc((size_t)r->cells * sizeof(int));
    assert_true(seen && stack);
    for (int first = 0; first < (int)r->cells; first++) {
        if (seen[first])
            continue;
        // Twice over the part: find it and sum b; `stack` keeps the cells.
        int count = 0;
        double sum = 0.0;
        bool held = false;
        stack[count++] = first;
        seen[first] = 1;
        for (int q = 0; q < count; q++) {
            int c = stack[q], cell[3] = {c % r->n[0], c / r->n[0] % r->n[1], c / r->n[0] / r->n[1]};
            sum += (double)*b_at(r, cell[0], cell[1], cell[2]);
            held = held || pinned(r, cell[0], cell[1], cell[2]);
            for (int way = 0; way < 2 * r->dim; way++) {
                int to[3];
                double a;
                if (!neighbour(r, cell, way, to, &a)) {
                    held = held || a > 0.0;
                } else if (a > 0.0) {
                    int t = (to[2] * r->n[1] + to[1]) * r->n[0] + to[0];
                    if (!seen[t]) {
                        seen[t] = 1;
                        stack[count++] = t;
                    }
                }
            }
        }
        for (int q = 0; q < count && !held; q++) {
            int c = stack[q];
            *b_at(r, c % r->n[0], c / r->n[0] % r->n[1], c / r->n[0] / r->n[1]) -=
                (float)(sum / count);
        }
    }
    free(seen);
    free(stack);
}

static void random_b(const rig *r, uint32_t seed)
{
    uint32_t q = 0;
    EACH_CELL(r)
    {
        *b_at(r, i, j, k) = pinned(r, i, j, k) ? 0.0f : gy_random_unit(seed, q) - 0.5f;
        q++;
    }
    make_solvable(r);
}

/// Rubbish where the solver must not look: unknowns, pads, halo, all but b and the coefficients.
static void spoil_x(const rig *r)
{
    const gy_level *l = r->l;
    for (int c = 0; c < 2; c++) {
        float *x = r->g.x[c] - GY_LEVEL_PAD - l->sy - l->sz;
        ptrdiff_t floats =
            GY_LEVEL_PAD + (ptrdiff_t)l->sy * (l->n[1] + 2) * (l->dim == 3 ? l->n[2] + 2 : 1);
        for (ptrdiff_t i = 0; i < floats; i++)
            x[i] = 1e3f * (gy_random_unit(99, (uint32_t)i) - 0.5f);
    }
}

static gy_solve_result cycles(rig *r, const gy_solver *solver, int count, bool zero)
{
    gy_solve_task task = {.tolerance = 0.0, .reference = 1.0, .max_cycles = count, .zero = zero};
    return solver->solve(&r->system, &task);
}

typedef struct speed {
    double factor; // residual per cycle, geometric mean from the second cycle on
    double worst;  // of one cycle
} speed;

/// Random b from zero, a cycle at a time, until float's own floor is near.
static speed converge(rig *r)
{
    random_b(r, 7);
    spoil_x(r);
    double b = norm_b(r), last = b, first = 0.0;
    speed s = {0.0, 0.0};
    int count = 0;
    if (!(b > 0.0))
        return s;
    for (int q = 0; q < 9; q++) {
        cycles(r, gy_solvers[GYRE_SOLVER_MULTIGRID], 1, q == 0);
        double now = residual(r);
        if (now < fmax(1e-6 * b, 4.0 * float_floor(r)))
            break;
        if (q > 0) {
            count++;
            s.worst = fmax(s.worst, now / last);
            s.factor = pow(now / first, 1.0 / count);
        } else {
            first = now;
        }
        last = now;
    }
    return s;
}

typedef struct box_case {
    int dim, n[3];
    uint32_t periodic, open;
} box_case;

static void check_factor(const box_case *c, const gy_solid *solids, int count, double gate)
{
    gyre_device *device = device_of(NULL, 1);
    rig r = rig_make(device, c->dim, c->n[0], c->n[1], c->n[2], c->periodic, c->open, false, solids,
                     count);
    speed s = converge(&r);
    if (getenv("GYRE_TEST_PRINT") || s.factor > gate)
        print_message("%dD %dx%dx%d periodic %x open %x solids %d: factor %.4f worst %.4f\n",
                      c->dim, c->n[0], c->n[1], c->n[2], c->periodic, c->open, count, s.factor,
                      s.worst);
    if (!getenv("GYRE_TEST_PRINT"))
        assert_true(s.factor <= gate);
    rig_free(&r);
    gyre_device_destroy(device);
}

// The gates are those the project promises: 0.15 on boxes, 0.25 with a solid sphere.
static void test_boxes(void **state)
{
    static const int flat[][3] = {
        {64, 64, 1}, {128, 128, 1}, {97, 61, 1},   {127, 65, 1}, {7, 300, 1},  {130, 2, 1},
        {2, 130, 1}, {33, 33, 1},   {100, 1, 1},   {1, 100, 1},  {1, 1, 1},    {2, 1, 1},
        {2, 2, 1},   {3, 3, 1},     {3, 1, 1},     {31, 32, 1},  {32, 31, 1},  {16, 48, 1},
        {15, 17, 1}, {300, 300, 1}, {257, 129, 1}, {5, 9, 1},    {512, 64, 1}, {4, 1000, 1}};
    static const int solid[][3] = {{32, 32, 32}, {24, 210, 36}, {33, 17, 49}, {31, 37, 29},
                                   {65, 33, 65}, {64, 1, 64},   {64, 64, 1},  {1, 40, 40},
                                   {1, 1, 50},   {2, 2, 2},     {3, 3, 3},    {1, 1, 1},
                                   {2, 40, 3},   {7, 7, 90},    {16, 16, 48}, {40, 24, 40}};
    (void)state;
    for (int q = 0; q < GY_COUNT(flat) + GY_COUNT(solid); q++) {
        bool is_flat = q < GY_COUNT(flat);
        const int *n = is_flat ? flat[q] : solid[q - GY_COUNT(flat)];
        int dim = is_flat ? 2 : 3;
        uint32_t all = is_flat ? 15 : 63, axes = is_flat ? 3 : 7;
        const uint32_t sides[][2] = {{0, 0},     {0, Y_HIGH}, {0, X_HIGH}, {0, X_LOW},
                                     {0, all},   {axes, 0},   {1, Y_LOW},  {2, X_HIGH | X_LOW},
                                     {4, X_HIGH}};
        for (int s = 0; s < GY_COUNT(sides) - is_flat; s++) {
            box_case c = {dim, {n[0], n[1], n[2]}, sides[s][0], sides[s][1]};
            check_factor(&c, NULL, 0, 0.15);
        }
    }
}

static gy_solid ball(int dim, double x, double y, double z, double radius)
{
    gyre_shape s = {.kind = GYRE_SHAPE_SPHERE};
    s.as.sphere.centre[0] = (float)x;
    s.as.sphere.centre[1] = (float)y;
    s.as.sphere.centre[2] = (float)z;
    s.as.sphere.radius = (float)radius;
    return gy_solid_make(&s, dim);
}

static void test_sphere(void **state)
{
    static const box_case boxes[] = {
        {3, {48, 48, 48}, 0, 0},      {3, {32, 48, 32}, 0, Y_HIGH},    {3, {33, 45, 31}, 0, Y_HIGH},
        {3, {32, 32, 32}, 7, 0},      {3, {40, 24, 40}, 1, ALL_SIDES}, {2, {128, 128, 1}, 0, 0},
        {2, {97, 130, 1}, 0, Y_HIGH}, {2, {96, 64, 1}, 3, 0},          {2, {65, 65, 1}, 1, Y_LOW}};
    // Centre and radius in parts of the box and of its least extent; the last crosses a side.
    static const double balls[][4] = {{0.5, 0.5, 0.5, 0.25},
                                      {0.31, 0.62, 0.44, 0.2},
                                      {0.5, 0.3, 0.5, 0.13},
                                      {0.02, 0.5, 0.5, 0.3}};
    (void)state;
    for (int q = 0; q < GY_COUNT(boxes); q++) {
        const int *n = boxes[q].n;
        double least = fmin(n[0], fmin(n[1], boxes[q].dim == 3 ? n[2] : n[1]));
        for (int s = 0; s < GY_COUNT(balls); s++) {
            gy_solid solid = ball(boxes[q].dim, balls[s][0] * n[0], balls[s][1] * n[1],
                                  balls[s][2] * n[2], balls[s][3] * least);
            check_factor(&boxes[q], &solid, 1, 0.25);
        }
    }
}

/// 30 % of the cells solid: shut on all faces. Cycles must not blow up, and must go on converging.
static void test_random_solids(void **state)
{
    static const int boxes[][4] = {
        {2, 96, 80, 1}, {2, 65, 127, 1}, {3, 24, 32, 20}, {3, 33, 17, 25}};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < GY_COUNT(boxes); q++) {
        const int *n = boxes[q] + 1;
        rig r =
            rig_make(device, boxes[q][0], n[0], n[1], n[2], 0, q % 2 ? Y_HIGH : 0, false, NULL, 0);
        uint32_t at = 0;
        EACH_CELL(&r)
        {
            if (gy_random_unit(5, at++) < 0.3f) {
                for (int axis = 0; axis < r.dim; axis++) {
                    *gy_coefficient(&r.g, axis, i, j, k) = 0;
                    *gy_coefficient(&r.g, axis, i + (axis == 0), j + (axis == 1), k + (axis == 2)) =
                        0;
                }
            }
        }
        gy_system_coarsen(&r.system);
        random_b(&r, 7);
        spoil_x(&r);
        double b = norm_b(&r), last = b;
        for (int cycle = 0; cycle < 20; cycle++) {
            cycles(&r, gy_solvers[GYRE_SOLVER_MULTIGRID], 1, cycle == 0);
            double now = residual(&r);
            if (now < 8.0 * float_floor(&r))
                break;
            assert_true(now < last);
            last = now;
        }
        // Piecewise constant coarse cells do not see which of their cells hang together; 0.75 in
        // 2D, 0.53 in 3D per cycle were measured before. 20 cycles at 0.8 would give 0.012.
        assert_true(last < 0.012 * b);
        rig_free(&r);
    }
    gyre_device_destroy(device);
}

/// Red-black alone comes to the same answer, slowly.
static void test_red_black(void **state)
{
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < 3; q++) {
        uint32_t periodic = q == 1 ? 1 : 0;
        rig r = rig_make(device, 2, 21, 18, 1, periodic, q == 2 ? 0 : Y_HIGH, false, NULL, 0);
        random_b(&r, 3);
        gy_solve_result m = cycles(&r, gy_solvers[GYRE_SOLVER_MULTIGRID], 20, true);
        float *found = malloc((size_t)r.cells * sizeof(float));
        double mean[2] = {0, 0}, far = 0.0, size = 0.0;
        int at = 0;
        EACH_CELL(&r)
        {
            found[at] = *x_at(&r, i, j, k);
            mean[0] += (double)found[at++];
        }
        gy_solve_result g = cycles(&r, gy_solvers[GYRE_SOLVER_RED_BLACK], 6000, true);
        assert_int_equal(m.cycles, 20);
        assert_int_equal(g.cycles, 6000);
        EACH_CELL(&r)
        {
            mean[1] += (double)*x_at(&r, i, j, k);
        }
        // Where nothing is held the answer is free by a constant.
        double shift = q == 2 ? (mean[1] - mean[0]) / (double)r.cells : 0.0;
        at = 0;
        EACH_CELL(&r)
        {
            far = fmax(far, fabs((double)*x_at(&r, i, j, k) - (double)found[at] - shift));
            size = fmax(size, fabs((double)found[at++]));
        }
        // Both stop at float's floor; the inverse of the operator enlarges it by some hundreds.
        assert_true(far < 3e-5 * size);
        free(found);
        rig_free(&r);
    }
    gyre_device_destroy(device);
}

/// Largest error against a known solution on n cells; `open`: 0 at all sides, else none through
/// them.
static double manufactured_error(gyre_device *device, int dim, int n, bool open)
{
    rig r = rig_make(device, dim, n, n, dim == 3 ? n : 1, 0, open ? ALL_SIDES : 0, false, NULL, 0);
    double (*f)(double) = open ? sin : cos;
    double h = 1.0 / n, far = 0.0;
    EACH_CELL(&r)
    {
        double p = f(pi * (i + 0.5) * h) * f(2.0 * pi * (j + 0.5) * h), squares = 5.0;
        if (dim == 3) {
            p *= f(pi * (k + 0.5) * h);
            squares = 6.0;
        }
        // The average over the cell is not the value at its centre: order 2 allows either.
        *b_at(&r, i, j, k) = (float)(squares * pi * pi * h * h * p);
    }
    make_solvable(&r);
    cycles(&r, gy_solvers[GYRE_SOLVER_MULTIGRID], 10, true);
    double mean = 0.0;
    EACH_CELL(&r)
    {
        mean += (double)*x_at(&r, i, j, k) / (double)r.cells;
    }
    EACH_CELL(&r)
    {
        double p = f(pi * (i + 0.5) * h) * f(2.0 * pi * (j + 0.5) * h);
        p *= dim == 3 ? f(pi * (k + 0.5) * h) : 1.0;
        far = fmax(far, fabs((double)*x_at(&r, i, j, k) - p - (open ? 0.0 : mean)));
    }
    rig_free(&r);
    return far;
}

// Central differences: second order. With 0 on the open side itself, half a cell beyond the last
// centre, the ghost value is minus the last: first order in the cell beside it alone, which leaves
// the solution second order. Halving h takes the error down by 4; 3.6 allows for the next order.
static void test_manufactured(void **state)
{
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < 4; q++) {
        int dim = q < 2 ? 2 : 3, n = dim == 2 ? 20 : 11;
        double coarse = manufactured_error(device, dim, n, q % 2);
        double fine = manufactured_error(device, dim, 2 * n, q % 2);
        assert_true(coarse / fine > 3.6 && coarse / fine < 4.6);
        assert_true(coarse < 0.05);
    }
    gyre_device_destroy(device);
}

/// Pinned cells stay at 0 and hold their neighbours; a shift needs no side.
static void test_pins_and_shift(void **state)
{
    static const float shifts[] = {0.0f, 1e-3f, 0.3f, 10.0f};
    static const int sizes[][3] = {{48, 40, 1}, {65, 33, 1}, {31, 24, 17}, {130, 2, 1}};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < GY_COUNT(sizes) * GY_COUNT(shifts) * 3; q++) {
        const int *n = sizes[q % GY_COUNT(sizes)];
        float shift = shifts[q / GY_COUNT(sizes) % GY_COUNT(shifts)];
        int kind = q / GY_COUNT(sizes) / GY_COUNT(shifts);
        bool pins = kind == 0;
        if (!pins && shift == 0.0f)
            continue;
        rig r = rig_make(device, n[2] > 1 ? 3 : 2, n[0], n[1], n[2], kind == 2 ? 7 : 0, 0, pins,
                         NULL, 0);
        EACH_CELL(&r)
        {
            bool pin = pins && (i - 9) * (i - 9) + (j - 12) * (j - 12) < 30;
            if (pin)
                r.g.pin[(i + j + k) & 1][gy_level_row(r.l, j, k) + (i >> 1)] = 1;
        }
        gy_system_coarsen(&r.system);
        gy_system_shift(&r.system, shift);
        random_b(&r, 11);
        spoil_x(&r);
        double b = norm_b(&r);
        cycles(&r, gy_solvers[GYRE_SOLVER_MULTIGRID], 5, true);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("shift %g kind %d %dx%dx%d: %g\n", (double)shift, kind, n[0], n[1], n[2],
                          residual(&r) / b);
        // Five cycles at 0.35 (0.25 was measured round the held disk), or float's floor.
        assert_true(residual(&r) < fmax(5e-3 * b, 4.0 * float_floor(&r)));
        EACH_CELL(&r)
        {
            if (pinned(&r, i, j, k))
                assert_true(*x_at(&r, i, j, k) == 0.0f);
        }
        rig_free(&r);
    }
    gyre_device_destroy(device);
}

/// What the solver reports is the residual of b - A x by the operator of this file, and a goal that
/// was reached ends it.
static void test_report(void **state)
{
    static const box_case boxes[] = {{2, {64, 48, 1}, 0, 0},
                                     {2, {33, 27, 1}, 3, 0},
                                     {3, {17, 20, 12}, 5, Y_HIGH},
                                     {2, {32, 64, 1}, 3, 0}};
    (void)state;
    gyre_device *device = device_of(NULL, 1);
    for (int q = 0; q < GY_COUNT(boxes); q++) {
        const int *n = boxes[q].n;
        rig r = rig_make(device, boxes[q].dim, n[0], n[1], n[2], boxes[q].periodic, boxes[q].open,
                         false, NULL, 0);
        random_b(&r, 13);
        double b = norm_b(&r);
        gy_solve_task task = {.tolerance = 1e-3,
                              .reference = b * b * (double)r.cells,
                              .max_cycles = 20,
                              .zero = true};
        gy_solve_result s = gy_solvers[GYRE_SOLVER_MULTIGRID]->solve(&r.system, &task);
        assert_true(s.cycles <= 4 && s.residual <= 1e-3);
        assert_true(fabs(s.residual - residual(&r) / b) < 0.01 * s.residual);
        rig_free(&r);
    }
    gyre_device_destroy(device);
}

static void solve_bits(gyre_device *device, const box_case *c, uint64_t *hash)
{
    const int *n = c->n;
    rig r = rig_make(device, c->dim, n[0], n[1], n[2], c->periodic, c->open, false, NULL, 0);
    random_b(&r, 17);
    spoil_x(&r);
    gy_solve_result s = cycles(&r, gy_solvers[GYRE_SOLVER_MULTIGRID], 3, true);
    *hash = gy_hash(&s.residual, sizeof s.residual, *hash);
    EACH_CELL(&r)
    {
        float x = *x_at(&r, i, j, k) + 0.0f;
        *hash = gy_hash(&x, sizeof x, *hash);
    }
    rig_free(&r);
}

static void test_same_bits(void **state)
{
    static const box_case boxes[] = {{2, {515, 130, 1}, 0, Y_HIGH},
                                     {2, {300, 225, 1}, 3, 0},
                                     {3, {33, 48, 29}, 1, Y_HIGH},
                                     {3, {7, 9, 200}, 0, 0}};
    static const int threads[] = {1, 2, 3, 8};
    (void)state;
    uint64_t first = 0;
    bool have = false;
    for (int isa = 0; gyre_isa_name(isa); isa++) {
        for (int t = 0; t < GY_COUNT(threads); t++) {
            uint64_t hash = 0;
            if (!takes_turn(isa, t, GY_COUNT(threads))) {
                continue;
            }
            gyre_device *device = device_of(gyre_isa_name(isa), threads[t]);
            for (int q = 0; q < GY_COUNT(boxes); q++)
                solve_bits(device, &boxes[q], &hash);
            gyre_device_destroy(device);
            if (have)
                assert_true(hash == first);
            first = hash;
            have = true;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),         cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_random_solids), cmocka_unit_test(test_red_black),
        cmocka_unit_test(test_manufactured),  cmocka_unit_test(test_pins_and_shift),
        cmocka_unit_test(test_report),        cmocka_unit_test(test_same_bits),
    };
    WATCH_THREADS_IN(test_same_bits);
    return cmocka_run_group_tests_name("multigrid", tests, NULL, NULL);
}
