// test/box_rig.h: what the tests of solvers of boxes share: a system made through the public
// interface, its operator written anew in double precision, and what every such solver must do.
#ifndef GYRE_BOX_RIG_H
#define GYRE_BOX_RIG_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/maths.h"
#include "gyre/gyre.h"

enum { SHUT = GYRE_POISSON_SHUT, OPEN = GYRE_POISSON_OPEN, PERIODIC = GYRE_POISSON_PERIODIC };

/// The five rules that an axis can have.
static const int box_rules[5][2] = {
    {SHUT, SHUT}, {OPEN, OPEN}, {SHUT, OPEN}, {OPEN, SHUT}, {PERIODIC, PERIODIC}};

GY_INLINE gyre_device *box_device(const char *isa, int threads)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.isa = isa;
    def.threads = threads;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

/// `rules`: which of box_rules each axis has.
GY_INLINE gyre_poisson_def box_def(int solver, int dim, const int n[3], const int rules[3],
                                   float shift)
{
    gyre_poisson_def def = gyre_poisson_default_def(dim);
    def.solver.solver = solver;
    def.shift = shift;
    for (int a = 0; a < dim; a++) {
        def.grid.n[a] = n[a];
        def.sides[2 * a] = box_rules[rules[a]][0];
        def.sides[2 * a + 1] = box_rules[rules[a]][1];
    }
    return def;
}

GY_INLINE size_t box_cells(const gyre_poisson_def *def)
{
    return (size_t)def->grid.n[0] * (size_t)def->grid.n[1] * (size_t)def->grid.n[2];
}

GY_INLINE size_t box_at(const gyre_poisson_def *def, const int cell[3])
{
    return ((size_t)cell[2] * (size_t)def->grid.n[1] + (size_t)cell[1]) * (size_t)def->grid.n[0] +
           (size_t)cell[0];
}

/// Whether a constant is a solution for b = 0.
GY_INLINE bool box_singular(const gyre_poisson_def *def)
{
    for (int q = 0; q < 2 * def->grid.dim; q++) {
        if (def->sides[q] == OPEN) {
            return false;
        }
    }
    return !(def->shift > 0.0f);
}

/// Random numbers, without a mean where there may be none.
GY_INLINE float *box_random(const gyre_poisson_def *def, uint32_t seed)
{
    size_t count = box_cells(def);
    float *b = malloc(count * sizeof *b);
    double sum = 0.0;
    assert_non_null(b);
    for (size_t i = 0; i < count; i++) {
        b[i] = gy_random_unit(seed, (uint32_t)i) - 0.5f;
        sum += (double)b[i];
    }
    for (size_t i = 0; i < count && box_singular(def); i++) {
        b[i] -= (float)(sum / (double)count);
    }
    return b;
}

/// The operator on x at a cell.
GY_INLINE double box_apply(const gyre_poisson_def *def, const float *x, const int cell[3])
{
    double here = (double)x[box_at(def, cell)], sum = (double)def->shift * here;
    for (int way = 0; way < 2 * def->grid.dim; way++) {
        int axis = way / 2, n = def->grid.n[axis], to[3] = {cell[0], cell[1], cell[2]};
        to[axis] += way % 2 ? 1 : -1;
        if (to[axis] >= 0 && to[axis] < n) {
            sum += here - (double)x[box_at(def, to)];
        } else if (def->sides[way] == PERIODIC) {
            to[axis] = (to[axis] + n) % n;
            sum += here - (double)x[box_at(def, to)];
        } else if (def->sides[way] == OPEN) {
            sum += 2.0 * here;
        }
    }
    return sum;
}

#define EACH_BOX_CELL(def, cell)                                                                   \
    for (cell[2] = 0; cell[2] < (def)->grid.n[2]; cell[2]++)                                       \
        for (cell[1] = 0; cell[1] < (def)->grid.n[1]; cell[1]++)                                   \
            for (cell[0] = 0; cell[0] < (def)->grid.n[0]; cell[0]++)

/// Root mean square of b - A x.
GY_INLINE double box_residual(const gyre_poisson_def *def, const float *x, const float *b)
{
    double sum = 0.0;
    int cell[3];
    EACH_BOX_CELL(def, cell)
    {
        double d = (double)b[box_at(def, cell)] - box_apply(def, x, cell);
        assert_true(isfinite(d));
        sum += d * d;
    }
    return sqrt(sum / (double)box_cells(def));
}

GY_INLINE double box_rms(const float *x, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sqrt(sum / (double)count);
}

/// Solves, and gives x.
GY_INLINE float *box_solve(gyre_device *device, const gyre_poisson_def *def, const float *b,
                           gyre_poisson_stats *stats)
{
    gyre_poisson *p = NULL;
    float *x = malloc(box_cells(def) * sizeof *x);
    gyre_result r = gyre_poisson_create(device, def, &p);
    if (r != GYRE_OK) {
        print_message("%s\n", gyre_message());
    }
    assert_int_equal(r, GYRE_OK);
    assert_non_null(x);
    gyre_poisson_set_b(p, b);
    assert_int_equal(gyre_poisson_solve(p, true, stats), GYRE_OK);
    gyre_poisson_get_x(p, x, NULL);
    gyre_poisson_destroy(p);
    return x;
}

/// Solves for random numbers; the residual must be what rounding x and the transforms' coefficients
/// to float leaves: some units of float's last place of |A| |x|.
GY_INLINE void box_check(gyre_device *device, const gyre_poisson_def *def, uint32_t seed)
{
    gyre_poisson_stats stats;
    float *b = box_random(def, seed), *x = box_solve(device, def, b, &stats);
    size_t count = box_cells(def);
    double rms = box_rms(b, count), left = box_residual(def, x, b);
    double size = (4.0 * def->grid.dim + (double)def->shift) * box_rms(x, count) + rms;
    if (getenv("GYRE_TEST_PRINT") || !(left <= 3e-7 * size)) {
        print_message("%d x %d x %d sides %d%d %d%d %d%d shift %g: %.2e of %.2e, ratio %.2e\n",
                      def->grid.n[0], def->grid.n[1], def->grid.n[2], def->sides[0], def->sides[1],
                      def->sides[2], def->sides[3], def->sides[4], def->sides[5],
                      (double)def->shift, left, rms, left / size);
    }
    assert_true(left <= 3e-7 * size);
    assert_int_equal(stats.cycles, 1);
    assert_int_equal(stats.solver, def->solver.solver);
    // What was measured in float is the residual, up to what measuring rounds off itself.
    assert_true(fabs(stats.residual * rms - left) <= 3e-7 * size);
    free(b);
    free(x);
}

/// Every mix of rules in 2D for each of these sizes, without and with a shift.
GY_INLINE void box_check_flat(int solver, const int sizes[][2], int count)
{
    gyre_device *device = box_device(NULL, 1);
    for (int q = 0; q < count * 25 * 2; q++) {
        const int n[3] = {sizes[q / 50][0], sizes[q / 50][1], 1};
        const int rules[3] = {q % 5, q / 5 % 5, 0};
        gyre_poisson_def def = box_def(solver, 2, n, rules, q / 25 % 2 ? 0.3f : 0.0f);
        box_check(device, &def, (uint32_t)q);
    }
    gyre_device_destroy(device);
}

/// And in 3D.
GY_INLINE void box_check_solid(int solver, const int sizes[][3], int count)
{
    gyre_device *device = box_device(NULL, 1);
    for (int q = 0; q < count * 125; q++) {
        const int rules[3] = {q % 5, q / 5 % 5, q / 25 % 5};
        gyre_poisson_def def = box_def(solver, 3, sizes[q / 125], rules, q % 3 ? 0.0f : 0.01f);
        box_check(device, &def, (uint32_t)q);
    }
    gyre_device_destroy(device);
}

/// A function of 0 .. 1 that keeps each rule, and minus its second derivative; none is an
/// eigenvector.
GY_INLINE double box_wave(int rule, double s, double *curve)
{
    const double pi = 3.14159265358979323846, r = 1.0 - s, e = exp(s), w = 2.0 * pi;
    double u = exp(0.5 * sin(w * s));
    *curve = w * w * u * (0.5 * sin(w * s) - 0.25 * cos(w * s) * cos(w * s));
    if (rule == 0) {
        u = s * s * (3.0 - 2.0 * s);
        *curve = 12.0 * s - 6.0;
    } else if (rule == 1) {
        u = s * r * e;
        *curve = e * s * (s + 3.0);
    } else if (rule == 2) {
        u = 1.0 - s * s * s * s;
        *curve = 12.0 * s * s;
    } else if (rule == 3) {
        u = 1.0 - r * r * r * r;
        *curve = 12.0 * r * r;
    }
    return u;
}

/// Largest error against the product of such functions, the mean of the error taken off where it
/// is free; `shift` is that of the equation, in physical lengths.
GY_INLINE double box_wave_error(gyre_device *device, int solver, int dim, int n, const int rules[3],
                                double shift)
{
    const int size[3] = {n, n, dim == 3 ? n : 1};
    double h = 1.0 / n, mean = 0.0, far = 0.0;
    gyre_poisson_def def = box_def(solver, dim, size, rules, (float)(shift * h * h));
    size_t count = box_cells(&def);
    float *b = malloc(count * sizeof *b);
    double *exact = malloc(count * sizeof *exact);
    assert_true(b && exact);
    int cell[3];
    EACH_BOX_CELL(&def, cell)
    {
        double u[3] = {1.0, 1.0, 1.0}, c[3] = {0.0, 0.0, 0.0};
        for (int a = 0; a < dim; a++) {
            u[a] = box_wave(rules[a], (cell[a] + 0.5) * h, &c[a]);
        }
        exact[box_at(&def, cell)] = u[0] * u[1] * u[2];
        b[box_at(&def, cell)] = (float)(h * h *
                                        (c[0] * u[1] * u[2] + u[0] * c[1] * u[2] +
                                         u[0] * u[1] * c[2] + shift * u[0] * u[1] * u[2]));
        mean += (double)b[box_at(&def, cell)] / (double)count;
    }
    for (size_t i = 0; i < count && box_singular(&def); i++) {
        b[i] -= (float)mean;
    }
    float *x = box_solve(device, &def, b, NULL);
    mean = 0.0;
    for (size_t i = 0; i < count && box_singular(&def); i++) {
        mean += ((double)x[i] - exact[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        far = fmax(far, fabs((double)x[i] - exact[i] - mean));
    }
    free(b);
    free(exact);
    free(x);
    return far;
}

/// Central differences, and 0 half a cell outside by a ghost value: second order, for every mix of
/// rules.
GY_INLINE void box_check_order(int solver)
{
    gyre_device *device = box_device(NULL, 1);
    for (int q = 0; q < 25 + 125; q++) {
        const int rules[3] = {q % 5, q / 5 % 5, q < 25 ? 0 : (q - 25) / 25};
        int dim = q < 25 ? 2 : 3, n = dim == 2 ? 24 : 12;
        double shift = q % 2 ? 0.0 : 2.0;
        double coarse = box_wave_error(device, solver, dim, n, rules, shift);
        double fine = box_wave_error(device, solver, dim, 2 * n, rules, shift);
        if (getenv("GYRE_TEST_PRINT") || !(coarse / fine > 3.5 && coarse / fine < 4.8)) {
            print_message("%dD rules %d %d %d: errors %g %g, ratio %g\n", dim, rules[0], rules[1],
                          rules[2], coarse, fine, coarse / fine);
        }
        assert_true(coarse / fine > 3.5 && coarse / fine < 4.8);
        assert_true(coarse < 0.15);
    }
    gyre_device_destroy(device);
}

/// The same bits for every instruction set and number of threads.
GY_INLINE void box_check_bits(int solver, const int sizes[][3], int count)
{
    static const int threads[] = {1, 2, 3, 8};
    for (int q = 0; q < count; q++) {
        const int *n = sizes[q], rules[3] = {q % 5, (q + 1) % 5, (q + 3) % 5};
        gyre_poisson_def def = box_def(solver, n[2] > 1 ? 3 : 2, n, rules, q % 2 ? 0.0f : 0.2f);
        float *b = box_random(&def, 5), *first = NULL;
        for (int isa = 0; gyre_isa_name(isa); isa++) {
            for (int t = 0; t < GY_COUNT(threads); t++) {
                gyre_device *device = box_device(gyre_isa_name(isa), threads[t]);
                float *x = box_solve(device, &def, b, NULL);
                if (!first) {
                    first = x;
                } else {
                    assert_memory_equal(x, first, box_cells(&def) * sizeof *x);
                    free(x);
                }
                gyre_device_destroy(device);
            }
        }
        free(first);
        free(b);
    }
}

/// No b, no x; shifts of any size, changed after the system was made; b of any size.
GY_INLINE void box_check_extremes(int solver)
{
    static const float shifts[] = {0.0f, 1e-38f, 1e-12f, 1.0f, 1e12f, 9e29f},
                       sizes[] = {0.0f, 1e-30f, 1.0f, 9e17f};
    const int n[3] = {12, 15, 1}, rules[3] = {0, 4, 0};
    gyre_device *device = box_device(NULL, 1);
    gyre_poisson *p = NULL;
    gyre_poisson_def def = box_def(solver, 2, n, rules, 0.0f);
    assert_int_equal(gyre_poisson_create(device, &def, &p), GYRE_OK);
    float b[180], x[180];
    for (int q = 0; q < GY_COUNT(shifts) * GY_COUNT(sizes); q++) {
        gyre_poisson_stats stats;
        float size = sizes[q / GY_COUNT(shifts)];
        def.shift = shifts[q % GY_COUNT(shifts)];
        for (int i = 0; i < 180; i++) {
            b[i] = size * (gy_random_unit(1, (uint32_t)i) - (def.shift > 0.0f ? 0.0f : 0.5f));
        }
        assert_int_equal(gyre_poisson_set_shift(p, def.shift), GYRE_OK);
        gyre_poisson_set_b(p, b);
        assert_int_equal(gyre_poisson_solve(p, q % 2, &stats), GYRE_OK);
        gyre_poisson_get_x(p, x, NULL);
        for (int i = 0; i < 180; i++) {
            assert_true(isfinite(x[i]) && isfinite(stats.residual));
            assert_true(size > 0.0f || x[i] == 0.0f);
        }
        if (def.shift >= 1.0f && size == 1.0f) {
            assert_true(box_residual(&def, x, b) < 1e-6);
        }
    }
    gyre_poisson_destroy(p);
    gyre_device_destroy(device);
}

/// What is said of a def that is refused.
GY_INLINE void box_check_refusal(const gyre_poisson_def *def, const char *said)
{
    gyre_device *device = box_device(NULL, 1);
    gyre_poisson *p = NULL;
    assert_int_equal(gyre_poisson_create(device, def, &p), GYRE_ERROR_ARGUMENT);
    assert_null(p);
    assert_string_equal(gyre_message(), said);
    gyre_device_destroy(device);
}

#endif
