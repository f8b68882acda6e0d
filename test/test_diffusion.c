// labels: small
// Diffusion of scalars and of velocity: order, decay, walls that stick, slide and move.
#include "test/gas_rig.h"

typedef struct flow {
    int axis;
    double mirror;
} flow;

// ---- diffusion ---------------------------------------------------------------------------------

static double sine(const double x[3], const void *data)
{
    (void)data;
    return sin(2.0 * pi * x[0]) * cos(2.0 * pi * x[1]);
}

static double sine_left(int n, int steps)
{
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_SIDE_PERIODIC);
    def.density.diffusivity = 0.02f;
    gyre_gas *gas = make(&def);
    int density = gyre_gas_field(gas, "density");
    set_field(gas, density, sine, NULL);
    for (int q = 0; q < steps; q++)
        assert_int_equal(gyre_gas_step(gas, 0.5f / (float)steps), GYRE_OK);
    double sum = 0.0, squares = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x[3] = {(i + 0.5) / n, (j + 0.5) / n, 0.0};
            sum += (double)*sample(gas, density, i, j, 0) * sine(x, NULL);
            squares += sine(x, NULL) * sine(x, NULL);
        }
    gyre_gas_destroy(gas);
    return sum / squares;
}

// Implicit Euler: (1 + nu dt k^2)^-steps with the grid's own k^2, first order in dt and second in h
// against exp(-nu k^2 t).
static void test_diffusion_order(void **state)
{
    (void)state;
    static const int sizes[] = {32, 33, 20};
    for (int q = 0; q < GY_COUNT(sizes); q++) {
        int n = sizes[q];
        double s = 2.0 * n * sin(pi / n), k2 = 2.0 * s * s;
        for (int steps = 1; steps <= 4; steps *= 2) {
            double found = sine_left(n, steps);
            double discrete = pow(1.0 + 0.02 * k2 * 0.5 / steps, -steps);
            assert_true(fabs(found - discrete) < 2e-5);
        }
    }
    double exact = exp(-0.02 * 8.0 * pi * pi * 0.5);
    double one = sine_left(64, 16) - exact, two = sine_left(64, 32) - exact;
    assert_true(one / two > 1.85 && one / two < 2.15);
}

/// A channel between walls at y = 0 and 1, periodic along x; n cells across.
static gyre_gas_def channel(int n, int low, int high)
{
    gyre_gas_def def = still_def(2, 24, n, 1, 1.0f / (float)n, GYRE_SIDE_PERIODIC);
    def.sides.y_low.rule = low;
    def.sides.y_high.rule = high;
    def.viscosity = 1.0f;
    return def;
}

// Couette: the steady flow between a wall at rest and one that moves is a straight line, which the
// scheme has exactly.
static void test_couette(void **state)
{
    static const int sizes[] = {16, 17, 33, 40};
    (void)state;
    for (int q = 0; q < 2 * GY_COUNT(sizes); q++) {
        int n = sizes[q / 2];
        gyre_gas_def def = channel(n, GYRE_SIDE_NO_SLIP, GYRE_SIDE_NO_SLIP);
        gyre_side *moving = q % 2 ? &def.sides.y_low : &def.sides.y_high;
        moving->velocity[0] = 0.5f;
        gyre_gas *gas = make(&def);
        for (int step = 0; step < 20; step++)
            assert_int_equal(gyre_gas_step(gas, 0.2f), GYRE_OK);
        for (int j = 0; j < n; j++) {
            double y = (j + 0.5) / n, u = 0.5 * (q % 2 ? 1.0 - y : y);
            if (getenv("GYRE_TEST_PRINT") && fabs((double)*sample(gas, 0, 9, j, 0) - u) > 2e-4)
                print_message("couette n %d j %d: %g, not %g\n", n, j,
                              (double)*sample(gas, 0, 9, j, 0), u);
            assert_true(fabs((double)*sample(gas, 0, 9, j, 0) - u) < 2e-4);
        }
        gyre_gas_destroy(gas);
    }
}

// Poiseuille, driven by gravity on smoke: u = f (y (1 - y) + h^2 / 4) / (2 nu) on the grid. Gravity
// acts along a periodic axis here.
static void test_poiseuille(void **state)
{
    (void)state;
    for (int n = 15; n <= 16; n++) {
        gyre_gas_def def = channel(n, GYRE_SIDE_NO_SLIP, GYRE_SIDE_NO_SLIP);
        def.gravity[0] = 2.0f;
        def.density_weight = 1.0f;
        gyre_gas *gas = make(&def);
        set_constant(gas, gyre_gas_field(gas, "density"), 1.0);
        for (int step = 0; step < 30; step++)
            assert_int_equal(gyre_gas_step(gas, 0.2f), GYRE_OK);
        for (int j = 0; j < n; j++) {
            double y = (j + 0.5) / n, u = y * (1.0 - y) + 0.25 / (n * n);
            assert_true(fabs((double)*sample(gas, 0, 9, j, 0) - u) < 1e-3 * 0.25);
        }
        gyre_gas_destroy(gas);
    }
}

// Walls that the gas slides along leave a uniform flow alone; walls that it sticks to stop it at
// the rate of the slowest mode, exp(-nu pi^2 t).
static void test_slip_and_stick(void **state)
{
    (void)state;
    for (int q = 0; q < 2; q++) {
        int rule = q ? GYRE_SIDE_NO_SLIP : GYRE_SIDE_SLIP;
        gyre_gas_def def = channel(32, rule, rule);
        def.viscosity = 0.1f;
        gyre_gas *gas = make(&def);
        set_constant(gas, 0, 1.0);
        double middle[2];
        for (int step = 0; step < 100; step++) {
            assert_int_equal(gyre_gas_step(gas, 0.02f), GYRE_OK);
            middle[0] = step == 49 ? (double)*sample(gas, 0, 9, 16, 0) : middle[0];
        }
        middle[1] = (double)*sample(gas, 0, 9, 16, 0);
        if (q == 0) {
            assert_true(fabs(middle[1] - 1.0) < 1e-5);
            assert_true(fabs((double)*sample(gas, 0, 9, 0, 0) - 1.0) < 1e-5);
        } else {
            // Implicit Euler, half as long a time again: within 3 % of the exponential.
            assert_true(fabs(middle[1] / middle[0] - exp(-0.1 * pi * pi)) < 0.03 * exp(-0.987));
            assert_true((double)*sample(gas, 0, 9, 0, 0) < 0.1 * middle[1]);
        }
        gyre_gas_destroy(gas);
    }
}

static double mirrored(const double x[3], const void *data)
{
    const flow *s = data;
    double y[3] = {x[0], x[1], x[2]};
    y[(int)s->mirror] *= -1.0;
    double v = sin(1.3 * y[0] + 0.4) * cos(0.7 * y[1] + s->axis) + 0.3 * sin(y[2] + y[0]);
    return (int)s->mirror == s->axis ? -v : v;
}

static double plain(const double x[3], const void *data)
{
    const flow *s = data;
    return sin(1.3 * x[0] + 0.4) * cos(0.7 * x[1] + s->axis) + 0.3 * sin(x[2] + x[0]);
}

// Viscosity does the same at both ends of an axis, whatever the sides are.
static void test_viscosity_mirrors(void **state)
{
    static const int rules[] = {GYRE_SIDE_OPEN, GYRE_SIDE_NO_SLIP, GYRE_SIDE_SLIP};
    (void)state;
    for (int q = 0; q < 2 * 3 * 3; q++) {
        int dim = 2 + q % 2, axis = q / 2 % 3, rule = rules[q / 6];
        if (axis >= dim)
            continue;
        int n[3] = {20, 17, dim == 3 ? 12 : 1};
        gyre_gas_def def = still_def(dim, n[0], n[1], n[2], 0.25f, rule);
        gyre_gas *gas[2];
        def.viscosity = 0.3f;
        for (int a = 0; a < dim; a++)
            def.grid.origin[a] = -0.125f * (float)n[a];
        for (int m = 0; m < 2; m++) {
            gas[m] = make(&def);
            for (int a = 0; a < dim; a++) {
                flow s = {a, axis};
                set_field(gas[m], a, m ? mirrored : plain, &s);
            }
            for (int half = 0; half < 2; half++)
                assert_int_equal(gy_gas_diffuse(gas[m], 0.2f, half), GYRE_OK);
        }
        for (int a = 0; a < dim; a++) {
            int end[3] = {n[0], n[1], n[2]};
            end[a] += rule == GYRE_SIDE_OPEN;
            for (int k = 0; k < end[2]; k++)
                for (int j = 0; j < end[1]; j++)
                    for (int i = 0; i < end[0]; i++) {
                        int at[3] = {i, j, k};
                        // Shut faces have nothing to mirror.
                        if (rule != GYRE_SIDE_OPEN && at[a] == 0)
                            continue;
                        at[axis] = (a == axis ? n[axis] : n[axis] - 1) - at[axis];
                        double u = (double)*sample(gas[0], a, i, j, k);
                        double v = (double)*sample(gas[1], a, at[0], at[1], at[2]);
                        assert_true(fabs(u - (a == axis ? -v : v)) < 1e-4);
                    }
        }
        gyre_gas_destroy(gas[0]);
        gyre_gas_destroy(gas[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diffusion_order),   cmocka_unit_test(test_couette),
        cmocka_unit_test(test_poiseuille),        cmocka_unit_test(test_slip_and_stick),
        cmocka_unit_test(test_viscosity_mirrors),
    };
    return cmocka_run_group_tests_name("diffusion", tests, open_device, close_device);
}
