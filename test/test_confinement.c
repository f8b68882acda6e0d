// labels: small threads
// Vorticity confinement against what it is in the continuum: dw/dt = -div(v N w), whatever the
// cells; beside walls and solids, mirrored, and over long runs.
#include "gas/forces.h"
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static gyre_gas_force confinement(float speed, float size)
{
    gyre_gas_force f = gyre_gas_default_force(GYRE_GAS_CONFINEMENT);
    f.everywhere = true;
    f.action.as.confinement.speed = speed;
    f.action.as.confinement.size = size;
    return f;
}

static gyre_gas *with(gyre_gas_def *def, gyre_gas_force *f, int count)
{
    def->forces = (gyre_pool){f, count, count};
    return make(def);
}

static void near(const char *what, double x, double expected, double slack)
{
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s: %.9g, expected %.9g: off by %.1e, at most %.1e\n", what, x, expected,
                      fabs(x - expected), slack);
    if (!(fabs(x - expected) <= slack))
        fail_msg("%s: %.9g, expected %.9g within %.1e", what, x, expected, slack);
}

/// A round whirl about a line along `axis` through the middle: w = exp(-r^2 / a^2) / s.
typedef struct whirl {
    int axis, component;
    double a, low[3];
} whirl;

static double whirl_at(const double x[3], const void *data)
{
    const whirl *w = data;
    int b = (w->axis + 1) % 3, c = (w->axis + 2) % 3;
    double p = x[b] - 0.5, q = x[c] - 0.5, r2 = p * p + q * q, s = w->a * w->a;
    double turn = r2 > 1e-12 ? 0.5 * s * (1.0 - exp(-r2 / s)) / r2 : 0.5;
    return w->component == b ? -turn * q : w->component == c ? turn * p : 0.0;
}

static void set_whirl(gyre_gas *gas, int axis, double a)
{
    for (int q = 0; q < gas->extent.dim; q++) {
        whirl w = {.axis = axis, .component = q, .a = a};
        set_field(gas, q, whirl_at, &w);
    }
}

static float u_at(gyre_gas *gas, int axis, const int p[3])
{
    return *sample(gas, axis, p[0], p[1], p[2]);
}

/// Half the mean square of the vorticity along an axis within the middle, times the area.
static double enstrophy(gyre_gas *gas, int axis)
{
    const int *n = gas->extent.n;
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double h = (double)gas->grid.h, sum = 0.0;
    int p[3] = {0, 0, 0}, layers = gas->extent.dim == 3 ? n[axis] : 1;
    for (int l = 0; l < layers; l++)
        for (int i = 2; i < n[b] - 1; i++)
            for (int j = 2; j < n[c] - 1; j++) {
                int q[3], r[3];
                p[axis] = l, p[b] = i, p[c] = j;
                memcpy(q, p, sizeof q), memcpy(r, p, sizeof r);
                q[b]--, r[c]--;
                double w = ((double)u_at(gas, c, p) - (double)u_at(gas, c, q) -
                            (double)u_at(gas, b, p) + (double)u_at(gas, b, r)) /
                           h;
                sum += 0.5 * w * w;
            }
    return sum * h * h / layers;
}

/// How fast a first instant of confinement makes enstrophy.
static double rate(int dim, int n, int axis, double a, float size)
{
    gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
    gyre_gas_force f = confinement(0.2f, size);
    gyre_gas *gas = with(&def, &f, 1);
    set_whirl(gas, axis, a);
    double before = enstrophy(gas, axis);
    gy_gas_weigh_forces(gas);
    gy_gas_drive(gas, 1e-3f, 0.0, false);
    double after = enstrophy(gas, axis);
    gyre_gas_destroy(gas);
    return (after - before) / (1e-3 * 0.2);
}

// d/dt of the integral of w^2 / 2 is v times that of |w| |grad w| g / (g + 1 / size), with
// g = |grad W| / W of what spreads by size / 4, here 2 r / (a^2 + size^2 / 8): whirls wider than
// `size` are drawn together less.
static void gathers_at_its_speed(void **state)
{
    (void)state;
    static const double sizes[2] = {0.3, 0.08};
    for (int s = 0; s < 2; s++) {
        double a = 0.15, sum = 0.0, step = 1e-4;
        for (double r = 0.5 * step; r < 0.5; r += step) {
            double w = exp(-r * r / (a * a)), steep = 2.0 * r / (a * a);
            double g = 2.0 * r / (a * a + sizes[s] * sizes[s] / 8.0);
            sum += w * w * steep * g / (g + 1.0 / sizes[s]) * 2.0 * pi * r * step;
        }
        for (int q = 0; q < 3; q++) {
            double found = rate(2, 32 << q, 2, a, (float)sizes[s]);
            near("enstrophy's rate, plane", found / sum, 1.0, q == 0 ? 0.08 : 0.02);
        }
        for (int axis = 0; axis < 3; axis++)
            near("enstrophy's rate, a tube", rate(3, 40, axis, a, (float)sizes[s]) / sum, 1.0,
                 0.06);
    }
}

/// Energy after a time, with and without.
static double spun(int n, float speed, double *squares)
{
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
    gyre_gas_force f = confinement(speed, 0.1f);
    def.pressure.tolerance = 1e-6f;
    gyre_gas *gas = with(&def, &f, 1);
    set_whirl(gas, 2, 0.2);
    for (int s = 0; s < n / 4; s++)
        must(gyre_gas_step(gas, 2.0f / (float)n));
    *squares = enstrophy(gas, 2);
    double energy = gyre_gas_get_stats(gas).kinetic_energy;
    assert_int_equal(gyre_gas_get_stats(gas).gained, 0);
    gyre_gas_destroy(gas);
    return energy;
}

// What half a second does to a whirl is the same at n, 2 n and 4 n.
static void cells_do_not_count(void **state)
{
    (void)state;
    double won[3], more[3];
    for (int q = 0; q < 3; q++) {
        double with_it, without, squares[2];
        with_it = spun(48 << q, 0.1f, &squares[0]);
        without = spun(48 << q, 0.0f, &squares[1]);
        won[q] = with_it - without;
        more[q] = squares[0] - squares[1];
        if (getenv("GYRE_TEST_PRINT"))
            print_message("energy %.6g without, %.6g more with it, enstrophy %.6g and %.6g\n",
                          without, won[q], squares[1], more[q]);
        assert_true(more[q] > 0.1 * squares[1]);
    }
    for (int q = 0; q < 2; q++) {
        near("energy won at twice the cells", won[q + 1] / won[q], 1.0, q ? 0.005 : 0.015);
        near("enstrophy won at twice the cells", more[q + 1] / more[q], 1.0, q ? 0.08 : 0.12);
    }
}

/// Two whirls that go round each other, over a time in so many steps.
static double pair_at(const double x[3], const void *data)
{
    const double left[3] = {x[0] + 0.15, x[1], x[2]}, right[3] = {x[0] - 0.12, x[1], x[2]};
    return whirl_at(left, data) + 0.7 * whirl_at(right, data);
}

static gyre_gas *pair(int steps)
{
    gyre_gas_def def = still_def(2, 40, 40, 1, 1.0f / 40, GYRE_GAS_SIDE_SLIP);
    gyre_gas_force f = confinement(0.3f, 0.1f);
    def.pressure.tolerance = 1e-6f;
    gyre_gas *gas = with(&def, &f, 1);
    for (int q = 0; q < 2; q++) {
        whirl w = {.axis = 2, .component = q, .a = 0.12};
        set_field(gas, q, pair_at, &w);
    }
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, 0.2f / (float)steps));
    return gas;
}

// The push alone, over a time, with the pair of a step's halves: of second order in dt.
static void second_order_in_time(void **state)
{
    (void)state;
    double differ[2] = {0.0, 0.0};
    gyre_gas *gas[3];
    for (int q = 0; q < 3; q++) {
        int steps = 8 << q;
        gas[q] = pair(0);
        gy_gas_weigh_forces(gas[q]);
        for (int s = 0; s < steps; s++)
            for (int half = 0; half < 2; half++)
                gy_gas_drive(gas[q], 0.1f / (float)steps, 0.0, half);
    }
    for (int q = 0; q < 2; q++)
        for (int j = 8; j < 32; j++)
            for (int i = 8; i < 32; i++)
                differ[q] += pow((double)*sample(gas[q], 0, i, j, 0) -
                                     (double)*sample(gas[q + 1], 0, i, j, 0),
                                 2.0);
    for (int q = 0; q < 3; q++)
        gyre_gas_destroy(gas[q]);
    double order = 0.5 * log2(differ[0] / differ[1]);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("confinement: order in time %.2f\n", order);
    assert_true(order > 1.8);
}

static double wave_at(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    double c = x[(axis + 1) % 3], d = x[(axis + 2) % 3];
    return sin(5.0 * c + 0.3) * cos(3.0 * d + 0.2 * axis) + 0.3 * sin(7.0 * x[axis]);
}

/// What one instant pushes with, everywhere.
static gyre_gas *pushed(int dim, const int n[3], int rule, gyre_gas_solid *solid, gyre_gas_force *f)
{
    gyre_gas_def def = still_def(dim, n[0], n[1], n[2], 1.0f / 36, rule);
    def.solids = (gyre_pool){solid, solid ? 1 : 0, 1};
    gyre_gas *gas = with(&def, f, 1);
    for (int q = 0; q < dim; q++)
        set_field(gas, q, wave_at, &q);
    gy_gas_weigh_forces(gas);
    gy_gas_confine(gas, f, gas->forces->list, 0.0f, false);
    return gas;
}

// Turned over, the velocities are pushed the other way round to the bit: lanes, ends of rows and
// cells beside solids alike.
static double mirrored_wave(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    double over[3] = {38.0 / 36 - x[0], x[1], x[2]};
    return (axis == 0 ? -1.0 : 1.0) * wave_at(over, data);
}

static void mirrored_to_the_bit(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int with_solid = 0; with_solid < 2; with_solid++) {
            const int n[3] = {38, 20, dim == 3 ? 12 : 1};
            gyre_gas_solid ball = sphere(19.0 / 36, 0.3, 0.15, 0.1);
            gyre_gas_force f = confinement(0.3f, 0.1f);
            gyre_gas *gas[2];
            for (int q = 0; q < 2; q++)
                gas[q] = pushed(dim, n, GYRE_GAS_SIDE_SLIP, with_solid ? &ball : NULL, &f);
            for (int q = 0; q < dim; q++)
                set_field(gas[1], q, mirrored_wave, &q);
            for (int q = 0; q < dim; q++)
                for (int k = 0; k < n[2]; k++)
                    for (int j = 0; j < n[1]; j++)
                        for (int i = 0; i < n[0] + (q == 0); i++)
                            *sample(gas[1], q, n[0] - i - (q != 0), j, k) =
                                (q == 0 ? -1.0f : 1.0f) * *sample(gas[0], q, i, j, k);
            gy_gas_confine(gas[1], &f, gas[1]->forces->list, 0.0f, false);
            int moved = 0;
            for (int q = 0; q < dim; q++) {
                const float *a = gy_gas_felt_push(gas[0], q), *b = gy_gas_felt_push(gas[1], q);
                for (int k = 0; k < n[2]; k++)
                    for (int j = 0; j < n[1]; j++)
                        for (int i = 0; i < n[0] + (q == 0); i++) {
                            ptrdiff_t row = j * gas[0]->extent.sy + k * gas[0]->extent.sz;
                            float x = a[row + i], y = b[row + n[0] - i - (q != 0)];
                            if (x != (q == 0 ? -y : y))
                                fail_msg("%dD, axis %d, %d %d %d: %g, and mirrored %g", dim, q, i,
                                         j, k, (double)x, (double)y);
                            moved += x != 0.0f;
                        }
            }
            assert_true(moved > 500);
            for (int q = 0; q < 2; q++)
                gyre_gas_destroy(gas[q]);
        }
}

// Lanes push as cells one by one do: a shape that covers all is gone through one by one.
static void lanes_are_cells(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int rule = GYRE_GAS_SIDE_SLIP; rule <= GYRE_GAS_SIDE_PERIODIC; rule++) {
            const int n[3] = {70, 21, dim == 3 ? 9 : 1};
            gyre_gas_solid ball = sphere(0.9, 0.3, 0.1, 0.08);
            gyre_gas_force f[2] = {confinement(0.3f, 0.1f), confinement(0.3f, 0.1f)};
            f[1].everywhere = false;
            f[1].shape = gas_sphere(1.0f, 0.3f, 0.1f, 100.0f);
            gyre_gas *gas[2];
            for (int q = 0; q < 2; q++)
                gas[q] = pushed(dim, n, rule, &ball, &f[q]);
            for (int q = 0; q < dim; q++)
                for (int k = 0; k < n[2]; k++)
                    for (int j = 0; j < n[1]; j++) {
                        ptrdiff_t row = j * gas[0]->extent.sy + k * gas[0]->extent.sz;
                        assert_memory_equal(gy_gas_felt_push(gas[0], q) + row,
                                            gy_gas_felt_push(gas[1], q) + row,
                                            (size_t)n[0] * sizeof(float));
                    }
            for (int q = 0; q < 2; q++)
                gyre_gas_destroy(gas[q]);
        }
}

// Whole rows, to their ends and beside every side, push as cells one by one do: which is what is
// done where the level does not say that nothing is shut.
static void rows_are_cells(void **state)
{
    (void)state;
    for (int q = 0; q < 16; q++) {
        int dim = q & 1 ? 3 : 2, rule = q >> 1 & 3, shaped = q >> 3;
        const int n[3] = {q & 2 ? 36 : 21, 18, dim == 3 ? 17 : 1};
        static const int rules[4] = {GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_OPEN,
                                     GYRE_GAS_SIDE_NO_SLIP};
        gyre_gas_force f = confinement(0.3f, 0.2f);
        f.everywhere = !shaped;
        f.shape = gas_sphere(0.2f, 0.3f, 0.2f, 0.15f);
        gyre_gas *gas[2];
        for (int way = 0; way < 2; way++) {
            gas[way] = pushed(dim, n, rules[rule], NULL, &f);
            gy_grid_level g =
                gy_grid_level_at(gas[way]->base, gy_system_offset(&gas[way]->pressure, 0));
            assert_true(g.l->whole);
            ((gy_level *)(uintptr_t)g.l)->whole = way == 0;
            gy_gas_confine(gas[way], &f, gas[way]->forces->list, 0.02f, true);
        }
        for (int a = 0; a < dim; a++)
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++) {
                    ptrdiff_t row = j * gas[0]->extent.sy + k * gas[0]->extent.sz;
                    assert_memory_equal(gy_gas_felt_push(gas[0], a) + row,
                                        gy_gas_felt_push(gas[1], a) + row,
                                        (size_t)n[0] * sizeof(float));
                }
        for (int way = 0; way < 2; way++)
            gyre_gas_destroy(gas[way]);
    }
}

// One in a shape adds nothing of what another has left in the arrays.
static void each_adds_its_own(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = still_def(2, 40, 48, 1, 1.0f / 40, GYRE_GAS_SIDE_SLIP);
        gyre_gas_force f[2] = {confinement(0.3f, 0.3f), confinement(0.0f, 0.1f)};
        f[1].everywhere = false;
        f[1].shape = gas_sphere(0.5f, 0.2f, 0, 0.1f);
        if (q == 2) {
            gyre_gas_force first = f[0];
            f[0] = f[1];
            f[1] = first;
        }
        gyre_gas *gas = with(&def, f, q == 0 ? 1 : 2);
        set_whirl(gas, 2, 0.2);
        for (int s = 0; s < 3; s++)
            must(gyre_gas_step(gas, 0.03f));
        hash[q] = gyre_gas_hash(gas);
        gyre_gas_destroy(gas);
    }
    assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
}

static double beside_wall(const double x[3], const void *data)
{
    return x[0] < 0.5 ? wave_at(x, data) : 0.0;
}

// What stands still behind a wall is not pushed, and what is before it does not ask how wild it is
// behind.
static void not_across_walls(void **state)
{
    (void)state;
    for (int open = 0; open < 2; open++) {
        gyre_gas *gas[2];
        for (int q = 0; q < 2; q++) {
            gyre_gas_def def = still_def(2, 36, 20, 1, 1.0f / 36, GYRE_GAS_SIDE_SLIP);
            // As thick as a cell, between two columns of faces: shuts the one within.
            gyre_gas_solid board = wall(0, 17.3 / 36, 18.7 / 36);
            gyre_gas_force f = confinement(0.3f, 0.1f);
            def.solids = (gyre_pool){&board, open ? 0 : 1, 1};
            gas[q] = with(&def, &f, 1);
            for (int a = 0; a < 2; a++)
                set_field(gas[q], a, q ? wave_at : beside_wall, &a);
            gy_gas_confine(gas[q], &f, gas[q]->forces->list, 0.0f, false);
        }
        int apart = 0, behind = 0;
        for (int a = 0; a < 2; a++)
            for (int j = 0; j < 20; j++)
                for (int i = 0; i < 36; i++) {
                    ptrdiff_t o = i + j * gas[0]->extent.sy;
                    float x = gy_gas_felt_push(gas[0], a)[o], y = gy_gas_felt_push(gas[1], a)[o];
                    apart += i < 18 && x != y;
                    behind += i >= 18 + (a == 0) && x != 0.0f;
                }
        if (open)
            assert_true(apart > 10 && behind > 10);
        else if (apart || behind)
            fail_msg("across a wall: %d before it, %d behind it", apart, behind);
        for (int q = 0; q < 2; q++)
            gyre_gas_destroy(gas[q]);
    }
}

// Inside its shape alone.
static void inside_its_shape(void **state)
{
    (void)state;
    const int n[3] = {40, 36, 1};
    gyre_gas_force f[2] = {confinement(0.3f, 0.1f), confinement(0.3f, 0.1f)};
    f[1].everywhere = false;
    f[1].shape = gas_sphere(0.6f, 0.5f, 0.0f, 0.2f);
    gyre_gas *gas[2] = {pushed(2, n, GYRE_GAS_SIDE_OPEN, NULL, &f[0]),
                        pushed(2, n, GYRE_GAS_SIDE_OPEN, NULL, &f[1])};
    int inside = 0;
    for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < n[0]; i++) {
            double r = hypot(i / 36.0 - 0.6, (j + 0.5) / 36.0 - 0.5);
            ptrdiff_t o = i + j * gas[0]->extent.sy;
            float all = *(gy_gas_felt_push(gas[0], 0) + o),
                  own = *(gy_gas_felt_push(gas[1], 0) + o);
            if (r < 0.2 - 0.6 / 36) {
                assert_true(all == own);
                inside += own != 0.0f;
            } else if (r > 0.2 + 0.6 / 36 && fabs(j / 36.0 - 0.5) < 0.2) {
                assert_true(own == 0.0f);
            }
        }
    assert_true(inside > 50);
    for (int q = 0; q < 2; q++)
        gyre_gas_destroy(gas[q]);
}

// Ten times as long as the whirls take to meet: no gain is told, and energy stays bounded.
static void long_runs(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 3 ? 14 : 32;
        gyre_gas_def def =
            still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
        gyre_gas_force f = confinement(0.1f, 0.1f);
        gyre_gas *gas = with(&def, &f, 1);
        for (int q = 0; q < dim; q++)
            set_field(gas, q, wave_at, &q);
        must(gyre_gas_step(gas, 1e-3f));
        double first = gyre_gas_get_stats(gas).kinetic_energy, most = 0.0;
        for (int s = 0; s < (dim == 3 ? 120 : 600); s++) {
            must(gyre_gas_step(gas, 1.0f / (float)n));
            most = fmax(most, gyre_gas_get_stats(gas).kinetic_energy);
        }
        gyre_gas_stats stats = gyre_gas_get_stats(gas);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("%dD: energy %.4g at first, at most %.4g, %.4g at last; governed %d, "
                          "gained %d\n",
                          dim, first, most, stats.kinetic_energy, (int)stats.governed,
                          (int)stats.gained);
        assert_int_equal(stats.gained, 0);
        assert_true(most < 4.0 * first);
        finite_everywhere(gas);
        gyre_gas_destroy(gas);
    }
}

static uint64_t hash_of(int threads, const char *isa)
{
    gyre_device_def own = gyre_default_device_def();
    gyre_device *device;
    gyre_gas *gas;
    own.threads = threads;
    own.isa = isa;
    must(gyre_device_create(&own, &device));
    uint64_t hash = 0;
    for (int with_solid = 0; with_solid < 2; with_solid++) {
        gyre_gas_def def = still_def(3, 36, 17, 12, 1.0f / 36, GYRE_GAS_SIDE_OPEN);
        gyre_gas_solid ball = sphere(0.6, 0.2, 0.15, 0.1);
        gyre_gas_emitter e = gyre_gas_default_emitter();
        gyre_gas_force f = confinement(0.2f, 0.1f);
        e.shape = gas_sphere(0.3f, 0.2f, 0.15f, 0.08f);
        e.push = true;
        e.velocity[0] = 1.0f;
        def.emitters = (gyre_pool){&e, 1, 1};
        def.solids = (gyre_pool){&ball, with_solid, 1};
        def.forces = (gyre_pool){&f, 1, 1};
        must(gyre_gas_create(device, &def, &gas));
        for (int s = 0; s < 5; s++)
            must(gyre_gas_step(gas, 0.03f));
        finite_everywhere(gas);
        hash = 3 * hash + gyre_gas_hash(gas);
        gyre_gas_destroy(gas);
    }
    gyre_device_destroy(device);
    return hash;
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t first = hash_of(1, NULL);
    assert_true(first == hash_of(2, NULL));
    assert_true(first == hash_of(3, NULL));
    assert_true(first == hash_of(1, "baseline"));
    if (getenv("GYRE_TEST_PRINT"))
        print_message("hash %016llx\n", (unsigned long long)first);
    assert_int_equal(first, UINT64_C(0xd691fec0264aa674));
}

static void comes_and_goes(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(3, 12, 12, 12, 1.0f / 12, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas_force f = confinement(0.2f, 0.1f), wind = gyre_gas_default_force(GYRE_GAS_WIND);
    def.forces.capacity = 2;
    gyre_gas *gas = make(&def);
    gyre_id id = gyre_gas_add_force(gas, &f);
    assert_true(id != 0 && gas->forces->felt);
    must(gyre_gas_step(gas, 0.1f));
    must(gyre_gas_set(gas, "forces.0.action.confinement.speed", gyre_number(0.4)));
    must(gyre_gas_step(gas, 0.1f));
    must(gyre_gas_update_force(gas, id, &wind));
    assert_null(gas->forces->felt);
    must(gyre_gas_step(gas, 0.1f));
    must(gyre_gas_remove(gas, id));
    f.action.as.confinement.size = 0.0f;
    assert_int_equal(gyre_gas_add_force(gas, &f), 0);
    assert_non_null(strstr(gyre_message(), "confinement.size"));
    f = confinement(NAN, 0.1f);
    assert_int_equal(gyre_gas_add_force(gas, &f), 0);
    one_line();
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathers_at_its_speed), cmocka_unit_test(cells_do_not_count),
        cmocka_unit_test(second_order_in_time), cmocka_unit_test(mirrored_to_the_bit),
        cmocka_unit_test(lanes_are_cells),      cmocka_unit_test(not_across_walls),
        cmocka_unit_test(inside_its_shape),     cmocka_unit_test(long_runs),
        cmocka_unit_test(same_bits_everywhere), cmocka_unit_test(comes_and_goes),
        cmocka_unit_test(rows_are_cells),       cmocka_unit_test(each_adds_its_own),
    };
    WATCH_THREADS_IN(same_bits_everywhere);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
