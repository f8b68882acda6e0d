// labels: small threads
// Gas in a frame that is accelerated or spins: rest stays rest, inertial circles at twice the spin,
// spin-up, the gravity of the frame.
#include "gas/forces.h"
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static void near(const char *what, double x, double expected, double slack)
{
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s: %.9g, expected %.9g: off by %.1e, at most %.1e\n", what, x, expected,
                      fabs(x - expected), slack);
    if (!(fabs(x - expected) <= slack))
        fail_msg("%s: %.9g, expected %.9g within %.1e", what, x, expected, slack);
}

static gyre_gas_def box(int dim, int n, int rule)
{
    gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, rule);
    def.pressure.tolerance = 1e-6f;
    return def;
}

/// The greatest difference of two gases' velocities, and the greatest velocity.
static double apart(gyre_gas *a, gyre_gas *b, double *most)
{
    double worst = 0.0;
    *most = 0.0;
    for (int q = 0; q < a->extent.dim; q++)
        for (int k = 0; k < a->extent.n[2]; k++)
            for (int j = 0; j < a->extent.n[1]; j++)
                for (int i = 0; i < a->extent.n[0]; i++) {
                    double x = (double)*sample(a, q, i, j, k),
                           y = b ? (double)*sample(b, q, i, j, k) : 0.0;
                    worst = fmax(worst, fabs(x - y));
                    *most = fmax(*most, fabs(x));
                }
    return worst;
}

// Even gas in a closed box is held by its pressure: what a frame does to it is a gradient.
static void rest_stays_rest(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int with_solid = 0; with_solid < 2; with_solid++) {
            gyre_gas_def def = box(dim, dim == 3 ? 20 : 37, GYRE_GAS_SIDE_SLIP);
            gyre_gas_solid ball = sphere(0.6, 0.4, 0.5, 0.15);
            def.frame = (gyre_gas_frame){{3.0f, -2.0f, 1.0f}, {0.5f, 1.0f, 2.0f}, {0.2f, 0.1f, 0}};
            def.solids = (gyre_pool){&ball, with_solid, 1};
            gyre_gas *gas = make(&def);
            double most, worst = 0.0;
            for (int s = 0; s < 40; s++) {
                must(gyre_gas_step(gas, 0.02f));
                apart(gas, NULL, &most);
                worst = fmax(worst, most);
            }
            // In 0.8 s air that is free would reach 3 m/s.
            near("speed at rest", worst, 0.0, 5e-6);
            assert_int_equal(gyre_gas_get_stats(gas).gained, 0);
            gyre_gas_destroy(gas);
        }
}

// Through open sides, and round periodic ones, it is left behind: u = -a t. What comes in through
// an open side comes in at rest.
static void left_behind(void **state)
{
    (void)state;
    for (int rule = GYRE_GAS_SIDE_OPEN; rule <= GYRE_GAS_SIDE_PERIODIC; rule++) {
        gyre_gas_def def = box(2, 24, rule);
        def.frame.acceleration[0] = 0.5f;
        gyre_gas *gas = make(&def);
        for (int s = 0; s < 20; s++)
            must(gyre_gas_step(gas, 0.02f));
        for (int i = 4; i < 20; i += 3)
            near("left behind", (double)*sample(gas, 0, i, 12, 0), -0.2,
                 rule == GYRE_GAS_SIDE_OPEN ? 5e-3 : 2e-6);
        assert_int_equal(gyre_gas_get_stats(gas).gained, 0);
        gyre_gas_destroy(gas);
    }
}

/// An even flow in a spinning frame after a time, which ends where it began after pi / spin.
static void circle(int dim, int steps, double time, double u[2], double *energy)
{
    int n = 16;
    gyre_gas_def def = box(dim, n, GYRE_GAS_SIDE_PERIODIC);
    def.frame.spin[2] = 2.0f;
    // Faces lie half a cell off the middle: about here what pulls outwards is even.
    def.frame.centre[0] = def.frame.centre[1] = 0.5f - 0.5f / (float)n;
    gyre_gas *gas = make(&def);
    set_constant(gas, 0, 0.3);
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, (float)(time / steps)));
    u[0] = u[1] = 0.0;
    for (int q = 0; q < 2; q++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                u[q] += (double)*sample(gas, q, i, j, 0) / (n * n);
    *energy = u[0] * u[0] + u[1] * u[1];
    assert_int_equal(gyre_gas_get_stats(gas).gained, 0);
    gyre_gas_destroy(gas);
}

static void inertial_circles(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double time = 1.3, error[3], energy;
        for (int q = 0; q < 3; q++) {
            double u[2], turned = 2.0 * 2.0 * time;
            circle(dim, 32 << q, time, u, &energy);
            error[q] = hypot(u[0] - 0.3 * cos(turned), u[1] + 0.3 * sin(turned)) / 0.3;
            near("energy of an inertial circle", energy / 0.09, 1.0, 0.03 / (double)(1 << 2 * q));
        }
        double order[2] = {log2(error[0] / error[1]), log2(error[1] / error[2])};
        if (getenv("GYRE_TEST_PRINT"))
            print_message("inertial circle, %dD: off by %.2g %.2g %.2g of its speed, orders %.2f "
                          "%.2f\n",
                          dim, error[0], error[1], error[2], order[0], order[1]);
        assert_true(order[0] > 1.8 && order[1] > 1.8);
    }
}

/// How far one step of gas that has just been made is off many that make up for it; what pulls it
/// outwards is uneven where it is heavy.
static double first_step(int dim, double dt)
{
    gyre_gas *gas[2];
    int n = dim == 3 ? 12 : 16;
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = box(dim, n, dim == 3 ? GYRE_GAS_SIDE_SLIP : GYRE_GAS_SIDE_PERIODIC);
        def.frame.spin[2] = 2.0f;
        def.frame.centre[0] = def.frame.centre[1] = 0.5f - 0.5f / (float)n;
        def.density_weight = dim == 3 ? 1.0f : 0.0f;
        gas[q] = make(&def);
        if (dim == 2)
            set_constant(gas[q], 0, 0.3);
        else
            must(gyre_gas_splat(gas[q], 3, (const float[3]){0.7f, 0.4f, 0.3f}, 0.3f, 1.0f));
        for (int s = 0; s < (q ? 32 : 1); s++)
            must(gyre_gas_step(gas[q], (float)(q ? dt / 32 : dt)));
        assert_int_equal(gyre_gas_get_stats(gas[q]).gained, 0);
    }
    double most, worst = apart(gas[0], gas[1], &most);
    for (int q = 0; q < 2; q++)
        gyre_gas_destroy(gas[q]);
    return worst / most;
}

// A first step is of second order, too: off by dt^3, of gas at rest that begins to move by dt^2 of
// its speed. (By dt^2 and dt if it knew nothing of what the frame's pressure is.)
static void the_first_step(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double error[3];
        for (int q = 0; q < 3; q++)
            error[q] = first_step(dim, 0.1 / (1 << q));
        double order[2] = {log2(error[0] / error[1]), log2(error[1] / error[2])};
        if (getenv("GYRE_TEST_PRINT"))
            print_message("first step, %dD: off by %.2g %.2g %.2g of the speed, orders %.2f %.2f\n",
                          dim, error[0], error[1], error[2], order[0], order[1]);
        assert_true(order[0] > (dim == 3 ? 1.7 : 2.7) && order[1] > (dim == 3 ? 1.7 : 2.7));
    }
}

static double cells_of(const double x[3], const void *axis)
{
    bool along = *(const int *)axis == 0;
    double a = pi * x[0], b = pi * x[1];
    return along ? 0.5 * sin(a) * cos(b) + 0.2 * sin(2.0 * a) * cos(2.0 * b)
                 : -0.5 * cos(a) * sin(b) - 0.2 * cos(2.0 * a) * sin(2.0 * b);
}

// In the plane what turns an incompressible flow is a gradient: closed, it goes as if at rest.
static void no_work_in_the_plane(void **state)
{
    (void)state;
    gyre_gas *gas[2];
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = box(2, 48, GYRE_GAS_SIDE_SLIP);
        def.frame.spin[2] = q ? 3.0f : 0.0f;
        gas[q] = make(&def);
        for (int a = 0; a < 2; a++)
            set_field(gas[q], a, cells_of, &a);
        for (int s = 0; s < 50; s++)
            must(gyre_gas_step(gas[q], 0.01f));
    }
    double most, worst = apart(gas[0], gas[1], &most);
    near("a plane flow that is turned", worst / most, 0.0, 0.02);
    near("and its energy",
         gyre_gas_get_stats(gas[1]).kinetic_energy / gyre_gas_get_stats(gas[0]).kinetic_energy, 1.0,
         0.01);
    assert_int_equal(gyre_gas_get_stats(gas[1]).gained, 0);
    for (int q = 0; q < 2; q++)
        gyre_gas_destroy(gas[q]);
}

// A box that begins to spin leaves the gas behind: vorticity -2 spin everywhere, at once and in one
// step, however long; and one that stops gives it back.
static void spin_up(void **state)
{
    (void)state;
    const float spins[3] = {1.5f, 0.7f, 0.0f};
    gyre_gas_def def = box(2, 32, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = make(&def);
    for (int s = 0; s < 3; s++) {
        const float spin[3] = {0.0f, 0.0f, spins[s]};
        must(gyre_gas_set(gas, "frame.spin", gyre_vector(3, spin)));
        must(gyre_gas_step(gas, 1e-4f));
        must(gyre_gas_step(gas, 1e-4f));
        for (int i = 6; i < 32; i += 7) {
            double w =
                32.0 * ((double)*sample(gas, 1, i, 9, 0) - (double)*sample(gas, 1, i - 1, 9, 0) -
                        (double)*sample(gas, 0, i, 9, 0) + (double)*sample(gas, 0, i, 8, 0));
            near("vorticity after a change of spin", w, -2.0 * (double)spins[s], 2e-3);
        }
        assert_int_equal(gyre_gas_get_stats(gas).gained, 0);
    }
    gyre_gas_destroy(gas);
}

// A frame that is accelerated upwards at g is one at rest with the gravity g.
static void gravity_of_the_frame(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas[2];
        for (int q = 0; q < 2; q++) {
            gyre_gas_def def = box(dim, dim == 3 ? 20 : 40, GYRE_GAS_SIDE_SLIP);
            if (q)
                def.frame.acceleration[1] = 9.81f;
            else
                def.gravity[1] = -9.81f;
            def.density_weight = 0.4f;
            gas[q] = make(&def);
            must(gyre_gas_splat(gas[q], dim, (const float[3]){0.4f, 0.5f, 0.5f}, 0.2f, 1.0f));
            must(gyre_gas_splat(gas[q], dim + 1, (const float[3]){0.6f, 0.3f, 0.5f}, 0.2f, 30.0f));
            for (int s = 0; s < 20; s++)
                must(gyre_gas_step(gas[q], 0.01f));
        }
        double most, worst = apart(gas[0], gas[1], &most);
        assert_true(most > 0.02);
        near("gravity of the frame", worst / most, 0.0, 6e-3);
        for (int q = 0; q < 2; q++)
            gyre_gas_destroy(gas[q]);
    }
}

// A spinning box is a centrifuge: what is heavy is pulled outwards, b w^2 r.
static void centrifuge(void **state)
{
    (void)state;
    gyre_gas_def def = box(2, 64, GYRE_GAS_SIDE_SLIP);
    def.density_weight = 0.5f;
    def.frame = (gyre_gas_frame){{0}, {0.0f, 0.0f, 4.0f}, {0.5f, 0.5f, 0.0f}};
    gyre_gas *gas = make(&def);
    set_constant(gas, 2, 0.2);
    gy_gas_weigh_forces(gas);
    gy_gas_drive(gas, 1e-2f, 0.0, false);
    near("a centrifuge", (double)*sample(gas, 0, 50, 20, 0), 1.1 * 16.0 * (50.0 / 64 - 0.5) * 1e-2,
         1e-6);
    gyre_gas_destroy(gas);
}

static uint64_t hash_of(int threads, const char *isa)
{
    gyre_device_def own = gyre_default_device_def();
    gyre_device *device;
    own.threads = threads;
    own.isa = isa;
    must(gyre_device_create(&own, &device));
    uint64_t hash = 0;
    for (int rule = GYRE_GAS_SIDE_OPEN; rule <= GYRE_GAS_SIDE_PERIODIC; rule++) {
        gyre_gas_def def = still_def(3, 37, 14, 12, 1.0f / 36, rule);
        gyre_gas_solid ball = sphere(0.6, 0.2, 0.15, 0.1);
        gyre_gas *gas;
        def.frame = (gyre_gas_frame){{0.3f, 0.2f, -0.1f}, {0.5f, 1.0f, 2.0f}, {0.4f, 0.2f, 0.1f}};
        def.density_weight = 0.5f;
        def.solids = (gyre_pool){&ball, 1, 1};
        must(gyre_gas_create(device, &def, &gas));
        must(gyre_gas_splat(gas, 3, (const float[3]){0.3f, 0.2f, 0.2f}, 0.15f, 1.0f));
        const float spin[3] = {0.5f, 1.5f, 2.0f};
        for (int s = 0; s < 5; s++) {
            if (s == 3)
                must(gyre_gas_set(gas, "frame.spin", gyre_vector(3, spin)));
            must(gyre_gas_step(gas, 0.03f));
        }
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
    assert_int_equal(first, UINT64_C(0xb3fda950a3fe1b27));
}

// What the spin was is a part of the state: a change after a load counts from there.
static void a_state_goes_on(void **state)
{
    (void)state;
    gyre_gas_def def = box(2, 20, GYRE_GAS_SIDE_SLIP);
    const float one[3] = {0.0f, 0.0f, 1.0f}, none[3] = {0};
    gyre_gas *gas[2] = {make(&def), make(&def)};
    must(gyre_gas_set(gas[0], "frame.spin", gyre_vector(3, one)));
    for (int s = 0; s < 3; s++)
        must(gyre_gas_step(gas[0], 0.02f));
    size_t bytes = gyre_gas_save_size(gas[0]);
    void *saved = malloc(bytes);
    must(gyre_gas_save(gas[0], saved, bytes, NULL));
    must(gyre_gas_load(gas[1], saved, bytes));
    for (int q = 0; q < 2; q++) {
        must(gyre_gas_set(gas[q], "frame.spin", gyre_vector(3, none)));
        for (int s = 0; s < 3; s++)
            must(gyre_gas_step(gas[q], 0.02f));
    }
    assert_true(gyre_gas_hash(gas[0]) == gyre_gas_hash(gas[1]));
    gyre_value bad = gyre_vector(3, (const float[3]){NAN, 0, 0});
    assert_int_equal(gyre_gas_set(gas[0], "frame.spin", bad), GYRE_ERROR_ARGUMENT);
    one_line();
    free(saved);
    for (int q = 0; q < 2; q++)
        gyre_gas_destroy(gas[q]);
}

// At rest it takes nothing.
static void nothing_at_rest(void **state)
{
    (void)state;
    gyre_gas_def def = box(2, 16, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = make(&def);
    assert_null(gas->forces);
    const float a[3] = {1.0f, 0.0f, 0.0f};
    must(gyre_gas_set(gas, "frame.acceleration", gyre_vector(3, a)));
    assert_non_null(gas->forces);
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_stays_rest),      cmocka_unit_test(left_behind),
        cmocka_unit_test(inertial_circles),     cmocka_unit_test(the_first_step),
        cmocka_unit_test(no_work_in_the_plane), cmocka_unit_test(spin_up),
        cmocka_unit_test(gravity_of_the_frame), cmocka_unit_test(centrifuge),
        cmocka_unit_test(same_bits_everywhere), cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(nothing_at_rest),
    };
    WATCH_THREADS_IN(same_bits_everywhere);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
