// labels: small
// Diffusion of scalars and of velocity: order, decay, walls that stick, slide and move.
#include "test/gas_rig.h"
#include "test/sanitized.h"

typedef struct flow {
    int axis;
    double mirror;
} flow;

// ---- diffusion ---------------------------------------------------------------------------------

static void diffuse(gyre_gas *gas, double dt)
{
    for (int half = 0; half < 2; half++)
        assert_int_equal(gy_gas_diffuse(gas, (float)dt, half), GYRE_OK);
}

static void diffuse_for(gyre_gas *gas, double time, int steps)
{
    for (int q = 0; q < steps; q++)
        diffuse(gas, time / steps);
}

static double sine(const double x[3], const void *data)
{
    (void)data;
    return sin(2.0 * pi * x[0]) * cos(2.0 * pi * x[1]);
}

/// What is left of a sine after half a second.
static double sine_left(int n, int steps, bool scalar)
{
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
    def.density.diffusivity = def.viscosity = 0.02f;
    gyre_gas *gas = make(&def);
    int field = scalar ? gyre_gas_field(gas, "density") : 0;
    set_field(gas, field, sine, NULL);
    diffuse_for(gas, 0.5, steps);
    double sum = 0.0, squares = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x[3] = {(i + 0.5 * scalar) / n, (j + 0.5) / n, 0.0};
            sum += (double)*sample(gas, field, i, j, 0) * sine(x, NULL);
            squares += sine(x, NULL) * sine(x, NULL);
        }
    gyre_gas_destroy(gas);
    return sum / squares;
}

/// What one step leaves of a mode with z = -nu dt times its eigenvalue.
static double step_leaves(double z, double k, bool scalar)
{
    double s = 8.0 * k, g = 1.0 - sqrt(0.5);
    if (s <= 2.0)
        return (1.0 + 0.5 * z) / (1.0 - 0.5 * z);
    if (s > 1.0 + sqrt(2.0))
        g = scalar ? 0.5 - 0.5 / s : 1.0 + sqrt(0.5);
    return (1.0 + (1.0 - 2.0 * g) * z) / ((1.0 - g * z) * (1.0 - g * z));
}

// What the methods leave of a mode at any dt; by 1.9 and more of second order for velocities, and
// for scalars where waves of two cells do not vanish.
static void test_diffusion_order(void **state)
{
    (void)state;
    static const int sizes[] = {32, 33, 20, 12};
    for (int q = 0; q < 2 * GY_COUNT(sizes); q++) {
        int n = sizes[q / 2];
        double s = 2.0 * n * sin(pi / n), k2 = 2.0 * s * s;
        for (int steps = 1; steps <= 16; steps *= 2) {
            double dt = 0.5 / steps,
                   leaves = step_leaves(-0.02 * k2 * dt, 0.02 * dt * n * n, q % 2);
            assert_true(fabs(sine_left(n, steps, q % 2) - pow(leaves, steps)) < 2e-5);
        }
    }
    for (int scalar = 0; scalar < 2; scalar++) {
        // Of scalars the steps must be short, of velocities the order is seen in long ones, too.
        int n = scalar ? 12 : 48, steps = scalar ? 6 : 20;
        double s = 2.0 * n * sin(pi / n), exact = exp(-0.02 * 2.0 * s * s * 0.5);
        double error[2] = {sine_left(n, steps, scalar) - exact,
                           sine_left(n, 2 * steps, scalar) - exact};
        double order = log2(fabs(error[0] / error[1]));
        print_message("order in dt of a mode: %.3f\n", order);
        assert_true(order > 1.9 && fabs(error[0]) < 0.003);
    }
}

static double hump(const double x[3], const void *data)
{
    double r = 0.0;
    (void)data;
    for (int a = 0; a < 2; a++)
        r += (x[a] - 0.45) * (x[a] - 0.45);
    return exp(-r / 0.02);
}

// A blob of smoke beside a ball in a closed box: errors against sixteen times as many steps.
static void test_splat_order(void **state)
{
    enum { N = 32, KINDS = 4 };
    static double left[KINDS][N * N];
    double error[2] = {0.0, 0.0};
    (void)state;
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = still_def(2, N, N, 1, 1.0f / N, GYRE_GAS_SIDE_SLIP);
        def.density.diffusivity = 1e-2f;
        gyre_gas *gas = make(&def);
        gyre_gas_solid ball = sphere(0.7, 0.6, 0.0, 0.15);
        assert_true(gyre_gas_add_solid(gas, &ball));
        int field = gyre_gas_field(gas, "density");
        set_field(gas, field, hump, NULL);
        diffuse_for(gas, 0.4, q == 2 ? 640 : 20 << q);
        for (int c = 0; c < N * N; c++)
            left[q][c] = (double)*sample(gas, field, c % N, c / N, 0);
        gyre_gas_destroy(gas);
    }
    for (int q = 0; q < 2; q++)
        for (int c = 0; c < N * N; c++)
            error[q] += (left[q][c] - left[2][c]) * (left[q][c] - left[2][c]);
    double order = 0.5 * log2(error[0] / error[1]);
    print_message("order in dt of a blob: %.3f, of %.3g\n", order, sqrt(error[0]) / N);
    assert_true(order > 1.9);
}

static double chessboard(const double x[3], const void *data)
{
    int sum = 0;
    (void)data;
    for (int a = 0; a < 3; a++)
        sum += (int)floor(x[a] + 0.25);
    return sum % 2 ? -1.0 : 1.0;
}

// Waves of two cells fade and never turn over, at any k; those of 1e4 are gone at once, and with
// them all that is not even.
static void test_no_ringing(void **state)
{
    (void)state;
    for (int q = 0; q < 2 * 28; q++) {
        int dim = 2 + q % 2;
        double k = 1e-3 * pow(10.0, q / 2 / 3.0);
        gyre_gas_def def = still_def(dim, 16, 16, dim == 3 ? 16 : 1, 1.0f, GYRE_GAS_SIDE_PERIODIC);
        def.density.diffusivity = def.viscosity = (float)k;
        gyre_gas *gas = make(&def);
        const int fields[2] = {0, gyre_gas_field(gas, "density")};
        for (int f = 0; f < 2; f++)
            set_field(gas, fields[f], chessboard, NULL);
        for (int half = 0; half < 2; half++) {
            assert_int_equal(gy_gas_diffuse(gas, 1.0f, half), GYRE_OK);
            for (int f = 0; f < 2; f++) {
                double a = (double)*sample(gas, fields[f], 4, 6, 0);
                double b = (double)*sample(gas, fields[f], 7, 4, 0);
                assert_true(a > -1e-4 && a < 1.0 && fabs(a + b) < 1e-4);
                assert_true(k < 9e3 || !half || a < 1e-4);
            }
        }
        for (int f = 0; f < 2; f++)
            set_field(gas, fields[f], noise, gas);
        diffuse(gas, 1.0);
        for (int f = 0; f < 2; f++) {
            double least = 1.0, most = -1.0;
            for (int c = 0; c < 256; c++) {
                double v = (double)*sample(gas, fields[f], c % 16, c / 16, 0);
                least = fmin(least, v), most = fmax(most, v);
            }
            assert_true(k < 9e3 || most - least < 1e-3);
        }
        gyre_gas_destroy(gas);
    }
}

typedef struct patch {
    int kind, n, dim;
} patch;

/// A spike, a step, a corner, a ball, a chessboard.
static double patched(const double x[3], const void *data)
{
    const patch *p = data;
    int m = p->n / 2, in = 1, here = 1, sum = 0;
    double r = 0.0;
    for (int a = 0; a < p->dim; a++) {
        int i = (int)floor(x[a]);
        in &= i < m;
        here &= i == m;
        sum += i;
        r += (x[a] - m) * (x[a] - m);
    }
    const int kinds[] = {here, x[0] < m, in, r < p->n * p->n / 36.0, sum & 1};
    return (double)kinds[p->kind];
}

static gyre_gas *patched_gas(const patch *p, double k, bool solid)
{
    int n = p->n;
    gyre_gas_def def = still_def(p->dim, n, n, p->dim == 3 ? n : 1, 1.0f, GYRE_GAS_SIDE_SLIP);
    def.density.diffusivity = (float)k;
    gyre_gas *gas = make(&def);
    gyre_gas_solid ball = sphere(0.4 * n, 0.45 * n, p->dim == 3 ? 0.5 * n : 0.0, 0.17 * n);
    if (solid)
        assert_true(gyre_gas_add_solid(gas, &ball));
    set_field(gas, gyre_gas_field(gas, "density"), patched, p);
    return gas;
}

// No k makes a scalar leave the range of what was put in.
static void test_range(void **state)
{
    static const double numbers[] = {0.01, 0.1, 0.17, 0.2, 0.25, 0.26, 0.3, 0.31,
                                     0.5,  1,   3,    10,  30,   100,  1e3, 1e4};
    double worst = 0.0;
    (void)state;
    for (int q = 0; q < 2 * 2 * 5 * GY_COUNT(numbers); q += SANITIZED ? 7 : 1) {
        patch p = {.kind = q / 4 % 5, .dim = 2 + q % 2, .n = q % 2 ? 20 : 40};
        gyre_gas *gas = patched_gas(&p, numbers[q / 20], q / 2 % 2);
        int field = gyre_gas_field(gas, "density"), cells = p.n * p.n * (p.dim == 3 ? p.n : 1);
        for (int step = 0; step < 3; step++) {
            diffuse(gas, 1.0);
            for (int c = 0; c < cells; c++) {
                double v = (double)*sample(gas, field, c % p.n, c / p.n % p.n, c / p.n / p.n);
                worst = fmax(worst, fmax(-v, v - 1.0));
            }
        }
        gyre_gas_destroy(gas);
    }
    print_message("furthest out of range: %.3g\n", worst);
    assert_true(worst < 1e-5);
}

// Its sum stays in closed and periodic boxes, among solids too, however little a solver is asked.
static void test_sum_stays(void **state)
{
    static const double numbers[] = {0.01, 0.1, 0.2, 0.4, 1, 10, 100, 1e4};
    const int steps = in_full() ? 1000 : SANITIZED ? 30 : 250;
    double worst = 0.0;
    (void)state;
    for (int q = 0; q < 2 * 2 * GY_COUNT(numbers); q++) {
        patch p = {.kind = 3, .dim = 2 + q % 2, .n = q % 2 ? 14 : 32};
        gyre_gas *gas = patched_gas(&p, numbers[q / 4], q / 2 % 2);
        int field = gyre_gas_field(gas, "density");
        double before = gy_gas_total(&gas->model, field);
        diffuse_for(gas, (double)steps, steps);
        double after = gy_gas_total(&gas->model, field);
        if (getenv("GYRE_TEST_PRINT"))
            print_message("dim %d k %g: %.3g\n", p.dim, numbers[q / 4], after / before - 1.0);
        worst = fmax(worst, fabs(after / before - 1.0));
        gyre_gas_destroy(gas);
    }
    print_message("a sum is off by %.3g at most\n", worst);
    assert_true(worst < 1e-6);
}

// What does not diffuse is not touched.
static void test_untouched(void **state)
{
    (void)state;
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = still_def(2, 33, 20, 1, 1.0f, GYRE_GAS_SIDE_OPEN);
        def.temperature.diffusivity = 1.0f;
        gyre_gas *gas = make(&def);
        set_field(gas, 0, noise, gas);
        set_field(gas, 2, noise, gas);
        uint64_t before = gyre_gas_hash(gas);
        diffuse(gas, q ? 1.0 : 0.0); // there is no temperature
        assert_true(gyre_gas_hash(gas) == before);
        gyre_gas_destroy(gas);
    }
}

/// A channel between walls at y = 0 and 1, periodic along x; n cells across.
static gyre_gas_def channel(int n, int low, int high)
{
    gyre_gas_def def = still_def(2, 24, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
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
        gyre_gas_def def = channel(n, GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_NO_SLIP);
        gyre_gas_side *moving = q % 2 ? &def.sides.y_low : &def.sides.y_high;
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

static double bent(const double x[3], const void *data)
{
    (void)data;
    return x[1] + 0.5 * sin(pi * x[1]);
}

// A wall that moves, on the way to Couette's flow: on the grid y + exp(-lambda nu t) sin(pi y) / 2,
// lambda = (2 n sin(pi / 2 n))^2. To second order in time by either method.
static void test_wall_order(void **state)
{
    static const int sizes[] = {8, 32}, least[] = {26, 16};
    (void)state;
    for (int q = 0; q < 2; q++) {
        double error[2] = {0.0, 0.0}, n = sizes[q], s = 2.0 * n * sin(0.5 * pi / n);
        for (int m = 0; m < 2; m++) {
            gyre_gas_def def = channel(sizes[q], GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_NO_SLIP);
            def.sides.y_high.velocity[0] = 1.0f;
            gyre_gas *gas = make(&def);
            set_field(gas, 0, bent, NULL);
            diffuse_for(gas, 0.1, least[q] << m);
            for (int j = 0; j < sizes[q]; j++) {
                double y = (j + 0.5) / n, u = y + 0.5 * exp(-0.1 * s * s) * sin(pi * y);
                error[m] = fmax(error[m], fabs((double)*sample(gas, 0, 9, j, 0) - u));
            }
            gyre_gas_destroy(gas);
        }
        double order = log2(error[0] / error[1]);
        print_message("order in dt beside a wall: %.3f, of %.3g\n", order, error[0]);
        assert_true(order > 1.9 && error[0] < 2e-3);
    }
}

// Poiseuille, driven by gravity on smoke: u = f (y (1 - y) + h^2 / 4) / (2 nu) on the grid. Gravity
// acts along a periodic axis here.
static void test_poiseuille(void **state)
{
    (void)state;
    for (int n = 15; n <= 16; n++) {
        gyre_gas_def def = channel(n, GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_NO_SLIP);
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
        int rule = q ? GYRE_GAS_SIDE_NO_SLIP : GYRE_GAS_SIDE_SLIP;
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
            assert_true(fabs(middle[1] / middle[0] - exp(-0.1 * pi * pi)) < 0.003 * exp(-0.987));
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
    static const int rules[] = {GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_NO_SLIP, GYRE_GAS_SIDE_SLIP};
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
            diffuse(gas[m], 0.2);
        }
        for (int a = 0; a < dim; a++) {
            int end[3] = {n[0], n[1], n[2]};
            end[a] += rule == GYRE_GAS_SIDE_OPEN;
            for (int k = 0; k < end[2]; k++)
                for (int j = 0; j < end[1]; j++)
                    for (int i = 0; i < end[0]; i++) {
                        int at[3] = {i, j, k};
                        // Shut faces have nothing to mirror.
                        if (rule != GYRE_GAS_SIDE_OPEN && at[a] == 0)
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
        cmocka_unit_test(test_diffusion_order),   cmocka_unit_test(test_splat_order),
        cmocka_unit_test(test_no_ringing),        cmocka_unit_test(test_range),
        cmocka_unit_test(test_sum_stays),         cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_couette),           cmocka_unit_test(test_wall_order),
        cmocka_unit_test(test_poiseuille),        cmocka_unit_test(test_slip_and_stick),
        cmocka_unit_test(test_viscosity_mirrors),
    };
    return cmocka_run_group_tests_name("diffusion", tests, open_device, close_device);
}
