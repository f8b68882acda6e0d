// test/solve_rig.h: a linear system with its memory, and its matrix written anew as lists in
// double: what tests of solvers share. Include it after cmocka.
#ifndef GYRE_TEST_SOLVE_RIG_H
#define GYRE_TEST_SOLVE_RIG_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/maths.h"
#include "ops/system/level.h"
#include "shape/openness.h"
#include "solve/solvers.h"

enum { RIG_BALL = -1 };

typedef struct rig_def {
    int dim, n[3];
    uint32_t periodic, open; // bits of axes, of sides
    int solids;              // RIG_BALL, or percent of cells that are solid
    float shift;
    bool pin; // a disk of cells is held at 0
    gyre_solver_def solver;
} rig_def;

typedef struct rig {
    gyre_device *device;
    gy_system system;
    void *memory;
    gy_level *l;
    gy_grid_level g;
    rig_def def;
    int cells;
    int *to;            // 6 per cell: the neighbour, or -1
    double *a;          // 6 per cell: what couples it
    double *diagonal;   // 0 where there is no unknown
    int *region, parts; // per cell; -1: no unknown
    bool *held;         // per region
    double *b;          // what was handed over last
} rig;

static inline gyre_device *rig_device(const char *isa, int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.isa = isa;
    def.threads = threads;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static inline void *rig_take(size_t count, size_t size)
{
    void *p = calloc(count, size);
    assert_non_null(p);
    return p;
}

static inline void rig_place(const rig *r, int cell, int at[3])
{
    at[0] = cell % r->def.n[0];
    at[1] = cell / r->def.n[0] % r->def.n[1];
    at[2] = cell / r->def.n[0] / r->def.n[1];
}

static inline int rig_cell(const rig *r, const int at[3])
{
    return (at[2] * r->def.n[1] + at[1]) * r->def.n[0] + at[0];
}

/// A cell in a vector of the system's: offset 0: x.
static inline float *rig_float(const rig *r, uint32_t vector, int cell)
{
    int at[3];
    rig_place(r, cell, at);
    float *v = gy_at(r->system.base, vector ? vector : r->l->x);
    ptrdiff_t colour = (ptrdiff_t)((at[0] + at[1] + at[2]) & 1) * r->l->colour_step;
    return &v[colour + gy_level_row(r->l, at[1], at[2]) + (at[0] >> 1)];
}

static inline bool rig_solid(const rig *r, const int at[3])
{
    uint32_t cell = (uint32_t)rig_cell(r, at);
    return r->def.solids > 0 && gy_random_unit(5, cell) < 0.01f * (float)r->def.solids;
}

/// The 16-bit openness of the face below `at` across an axis, whether on a side or not.
static inline int rig_open(const rig *r, int axis, const int at[3])
{
    static uint16_t row[4098];
    static int made[7];
    const int *n = r->def.n, wanted[7] = {r->def.dim, n[0], n[1], n[2], axis, at[1], at[2]};
    if (r->def.solids == RIG_BALL && memcmp(made, wanted, sizeof made) != 0) {
        memcpy(made, wanted, sizeof made);
        gyre_shape s = {.kind = GYRE_SHAPE_SPHERE};
        gyre_grid grid = {.dim = r->def.dim, .n = {n[0], n[1], n[2]}, .h = 1.0f};
        for (int a = 0; a < 3; a++) {
            s.as.sphere.centre[a] = 0.47f * (float)n[a];
        }
        s.as.sphere.radius = 0.26f * (float)GY_MIN(n[0], n[1]);
        gy_solid solid = gy_solid_make(&s, r->def.dim);
        gy_openness_row(&grid, &solid, 1, axis, at[1], at[2], row);
    }
    if (r->def.solids == RIG_BALL) {
        return row[at[0]];
    }
    int below[3] = {at[0], at[1], at[2]};
    below[axis]--;
    bool shut = (at[axis] < n[axis] && rig_solid(r, at)) || (at[axis] > 0 && rig_solid(r, below));
    return shut ? 0 : 16384;
}

static inline void rig_paint(rig *r)
{
    for (int axis = 0; axis < r->def.dim; axis++) {
        int end[3] = {r->def.n[0], r->def.n[1], r->def.n[2]}, n = r->def.n[axis];
        end[axis]++;
        for (int q = 0; q < end[0] * end[1] * end[2]; q++) {
            int at[3] = {q % end[0], q / end[0] % end[1], q / end[0] / end[1]};
            int c = rig_open(r, axis, at), p = at[axis];
            if ((p == 0 || p == n) && (r->def.periodic >> axis & 1u)) {
                int other[3] = {at[0], at[1], at[2]};
                other[axis] = n - p;
                c = GY_MIN(c, rig_open(r, axis, other));
            } else if (p == 0 || p == n) {
                c = r->def.open >> (2 * axis + (p == n)) & 1u ? 2 * c : 0;
            }
            *gy_coefficient(&r->g, axis, at[0], at[1], at[2]) = (uint16_t)c;
        }
    }
    for (int cell = 0; cell < r->cells && r->def.pin; cell++) {
        int at[3];
        rig_place(r, cell, at);
        bool pin = (at[0] - 9) * (at[0] - 9) + (at[1] - 6) * (at[1] - 6) < 12;
        r->g.pin[(at[0] + at[1] + at[2]) & 1][gy_level_row(r->l, at[1], at[2]) + (at[0] >> 1)] =
            pin;
    }
}

static inline bool rig_pinned(const rig *r, const int at[3])
{
    const uint16_t *pin = r->g.pin[(at[0] + at[1] + at[2]) & 1];
    return pin && pin[gy_level_row(r->l, at[1], at[2]) + (at[0] >> 1)];
}

/// The matrix as lists. Cells held at 0 are left out, but count in their neighbours' diagonals.
static inline void rig_list(rig *r)
{
    for (int cell = 0; cell < r->cells; cell++) {
        int at[3];
        rig_place(r, cell, at);
        double sum = (double)r->def.shift;
        for (int way = 0; way < 6; way++) {
            r->to[6 * cell + way] = -1;
        }
        for (int way = 0; way < 2 * r->def.dim; way++) {
            int axis = way / 2, next[3] = {at[0], at[1], at[2]}, face[3] = {at[0], at[1], at[2]};
            int n = r->def.n[axis];
            face[axis] += way & 1;
            next[axis] += way & 1 ? 1 : -1;
            double a = (double)*gy_coefficient(&r->g, axis, face[0], face[1], face[2]) / 16384.0;
            bool inside = next[axis] >= 0 && next[axis] < n;
            if (!inside && (r->def.periodic >> axis & 1u)) {
                next[axis] = (next[axis] + n) % n;
                inside = true;
                // A single cell round an axis is its own neighbour.
                a = n == 1 ? 0.0 : a;
            }
            sum += a;
            if (inside && a > 0.0 && !rig_pinned(r, next)) {
                r->to[6 * cell + way] = rig_cell(r, next);
                r->a[6 * cell + way] = a;
            }
        }
        r->diagonal[cell] = rig_pinned(r, at) ? 0.0 : sum;
    }
}

static inline void rig_regions(rig *r)
{
    int *stack = rig_take((size_t)r->cells, sizeof(int));
    for (int cell = 0; cell < r->cells; cell++) {
        r->region[cell] = -1;
    }
    for (int first = 0; first < r->cells; first++) {
        if (r->region[first] >= 0 || r->diagonal[first] == 0.0) {
            continue;
        }
        int count = 1, part = r->parts++;
        stack[0] = first;
        r->region[first] = part;
        for (int q = 0; q < count; q++) {
            double sum = 0.0;
            for (int way = 0; way < 6; way++) {
                int to = r->to[6 * stack[q] + way];
                sum += to >= 0 ? r->a[6 * stack[q] + way] : 0.0;
                if (to >= 0 && r->region[to] < 0) {
                    r->region[to] = part;
                    stack[count++] = to;
                }
            }
            r->held[part] = r->held[part] || r->diagonal[stack[q]] > sum * (1.0 + 1e-12);
        }
    }
    free(stack);
}

static inline rig rig_make(gyre_device *device, const rig_def *def)
{
    rig r = {.device = device, .def = *def};
    for (int a = 0; a < 3; a++) {
        // A side that is joined to the other is not open.
        r.def.open &= ~(def->periodic >> a & 1u ? 3u << (2 * a) : 0u);
    }
    r.cells = def->n[0] * def->n[1] * def->n[2];
    gy_system_def system = {
        .grid = {.dim = def->dim, .n = {def->n[0], def->n[1], def->n[2]}, .h = 1.0f},
        .periodic = def->periodic,
        .open_sides = r.def.open,
        .pin = def->pin,
        .solids = def->solids != 0,
        .solver = def->solver};
    gy_arena counted = {0};
    gy_system_plan(&r.system, device, &system, &counted, &counted);
    size_t bytes = ((size_t)counted.used + 2) * 64;
    r.memory = aligned_alloc(64, bytes);
    assert_non_null(r.memory);
    memset(r.memory, 0, bytes);
    gy_arena arena = {.base = (uint64_t)(uintptr_t)r.memory};
    gy_system_plan(&r.system, device, &system, &arena, &arena);
    r.l = gy_system_level(&r.system, 0);
    r.g = gy_grid_level_at(r.system.base, gy_system_offset(&r.system, 0));
    rig_paint(&r);
    assert_int_equal(gy_system_update(&r.system), GYRE_OK);
    gy_system_shift(&r.system, def->shift);
    size_t n = (size_t)r.cells;
    r.to = rig_take(6 * n, sizeof(int));
    r.a = rig_take(6 * n, sizeof(double));
    r.diagonal = rig_take(n, sizeof(double));
    r.region = rig_take(n, sizeof(int));
    r.held = rig_take(n + 1, sizeof(bool));
    r.b = rig_take(n, sizeof(double));
    rig_list(&r);
    rig_regions(&r);
    return r;
}

static inline void rig_free(rig *r)
{
    gy_system_release(&r->system);
    free(r->memory);
    free(r->to);
    free(r->a);
    free(r->diagonal);
    free(r->region);
    free(r->held);
    free(r->b);
}

/// y = A x.
static inline void rig_apply(const rig *r, const double *x, double *y)
{
    for (int cell = 0; cell < r->cells; cell++) {
        double sum = r->diagonal[cell] * x[cell];
        for (int way = 0; way < 6 && r->diagonal[cell] > 0.0; way++) {
            int to = r->to[6 * cell + way];
            sum -= to >= 0 ? r->a[6 * cell + way] * x[to] : 0.0;
        }
        y[cell] = sum;
    }
}

/// Takes the mean off v over each region that nothing holds; 0 where there is no unknown.
static inline void rig_balance(const rig *r, double *v)
{
    double *sum = rig_take((size_t)r->parts + 1, 2 * sizeof(double));
    for (int cell = 0; cell < r->cells; cell++) {
        if (r->region[cell] >= 0) {
            sum[2 * r->region[cell]] += v[cell];
            sum[2 * r->region[cell] + 1] += 1.0;
        }
    }
    for (int cell = 0; cell < r->cells; cell++) {
        int part = r->region[cell];
        v[cell] -= part < 0 ? v[cell] : r->held[part] ? 0.0 : sum[2 * part] / sum[2 * part + 1];
    }
    free(sum);
}

static inline double rig_dot(const rig *r, const double *x, const double *y)
{
    double sum = 0.0;
    for (int cell = 0; cell < r->cells; cell++) {
        sum += x[cell] * y[cell];
    }
    return sum;
}

static inline void rig_set_b(rig *r, const double *b)
{
    for (int cell = 0; cell < r->cells; cell++) {
        float f = (float)b[cell];
        *rig_float(r, r->l->b, cell) = f;
        r->b[cell] = (double)f;
    }
}

static inline void rig_random(const rig *r, uint32_t seed, double *v)
{
    for (int cell = 0; cell < r->cells; cell++) {
        v[cell] = (double)gy_random_unit(seed, (uint32_t)cell) - 0.5;
    }
    rig_balance(r, v);
}

/// White noise that has an answer.
static inline void rig_random_b(rig *r, uint32_t seed)
{
    double *b = rig_take((size_t)r->cells, sizeof(double));
    rig_random(r, seed, b);
    rig_set_b(r, b);
    free(b);
}

/// Rubbish where a solver that starts from 0 must not look: all of x, its pads and halo too, and of
/// the solver's own vectors.
static inline void rig_spoil(const rig *r)
{
    const gy_level *l = r->l;
    uint32_t vectors[GY_VECTORS + 1] = {l->x};
    memcpy(vectors + 1, r->system.vector, sizeof r->system.vector);
    for (int v = 0; v <= GY_VECTORS; v++) {
        for (int c = 0; c < 2 && vectors[v]; c++) {
            float *x = gy_at(r->system.base, vectors[v]) + (ptrdiff_t)c * l->colour_step -
                       GY_LEVEL_PAD - l->sy - l->sz;
            ptrdiff_t floats =
                GY_LEVEL_PAD + (ptrdiff_t)l->sy * (l->n[1] + 2) * (l->dim == 3 ? l->n[2] + 2 : 1);
            for (ptrdiff_t i = 0; i < floats; i++) {
                x[i] = v == 0 ? 1e3f * (gy_random_unit(99, (uint32_t)i) - 0.5f) : NAN;
            }
        }
    }
}

/// |b - A (x + low)| / |b|, over cells with an unknown.
static inline double rig_residual(const rig *r)
{
    long double left = 0.0L, all = 0.0L;
    for (int cell = 0; cell < r->cells; cell++) {
        if (r->diagonal[cell] == 0.0) {
            assert_true(*rig_float(r, 0, cell) == 0.0f);
            continue;
        }
        long double t = (long double)r->b[cell];
        for (int way = -1; way < 6; way++) {
            int to = way < 0 ? cell : r->to[6 * cell + way];
            long double a =
                way < 0 ? -(long double)r->diagonal[cell] : (long double)r->a[6 * cell + way];
            if (to >= 0) {
                long double x = (long double)*rig_float(r, 0, to);
                x += r->system.low ? (long double)*rig_float(r, r->system.low, to) : 0.0L;
                t += a * x;
            }
        }
        assert_true(isfinite((double)t));
        left += t * t;
        all += (long double)r->b[cell] * (long double)r->b[cell];
    }
    return all > 0.0L ? (double)sqrtl(left / all) : (double)sqrtl(left);
}

static inline gy_solve_result rig_solve(rig *r, double tolerance, int most, bool zero,
                                        double *history, int size)
{
    gy_solve_task task = {.tolerance = tolerance,
                          .reference = rig_dot(r, r->b, r->b),
                          .max_cycles = most,
                          .zero = zero,
                          .history = history,
                          .history_size = size};
    return gy_system_solve(&r->system, &task);
}

#endif
