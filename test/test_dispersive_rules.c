// Mode dispersive: what damps waves, what steep ones lose, gravity and steps that change, waves on
// a current, what edges refuse.
// labels: small
#include "water/water.h"
#include "water_case.h"

enum { N = 64 };
static const double PI = 3.141592653589793;
static double height, number, current, phase_speed;
static int axis;

static double wave(double x, double y)
{
    return 8.0 + height * cos(number * (axis ? y : x));
}

static double flow(double x, double y)
{
    double eta = height * cos(number * (axis ? y : x));
    return current * (8.0 + eta) + phase_speed * eta;
}

static gyre_water_def sea(void)
{
    gyre_water_def def = pool(GYRE_WATER_DISPERSIVE, axis ? 8 : N, axis ? N : 8, 1.0f);
    def.bed.flat = -8.0f;
    def.max_substeps = 1000;
    periodic(&def);
    return def;
}

static double energy(gyre_water *water)
{
    gyre_water_stats s = gyre_water_get_stats(water);
    return s.kinetic_energy + s.potential_energy;
}

/// Standing waves of 16 cells in 8 m: what is left of their energy, kinetic of the mean flow, after
/// `steps` of 0.05 s.
static double left_after(const gyre_water_def *def, double high, int steps)
{
    gyre_water *water = make(def);
    double rest = energy(water);
    height = high;
    number = 2.0 * PI / 16.0;
    put(water, "depth", wave);
    double first = energy(water) - rest, volume = gyre_water_get_stats(water).volume;
    run(water, steps, 0.05f);
    double left = (energy(water) - rest) / first;
    assert_true(fabs(gyre_water_get_stats(water).volume / volume - 1.0) < 1e-6);
    gyre_water_destroy(water);
    return left;
}

/// Damping, friction and the scale of velocities take what they say: exp(-s t) of the energy.
static void test_damping(void **state)
{
    (void)state;
    double left[4];
    for (int k = 0; k < 4; k++) {
        axis = 0;
        gyre_water_def def = sea();
        def.damping = k == 1 ? 0.1f : 0.0f;
        def.friction = k == 2 ? 0.1f : 0.0f;
        def.velocity_scale = k == 3 ? 0.995f : 1.0f;
        left[k] = left_after(&def, 0.05, 200);
    }
    for (int k = 1; k < 4; k++) {
        double known = exp(k == 3 ? 200.0 * log(0.995) : -0.1 * 10.0);
        printf("damped: %.4f of the energy is left, %.4f known\n", left[k] / left[0], known);
        assert_true(fabs(left[k] / left[0] / known - 1.0) < 0.05);
    }
}

/// Waves that are steeper than 0.35 lose what is above that, others nearly nothing.
static void test_steep(void **state)
{
    (void)state;
    axis = 0;
    gyre_water_def def = sea();
    double low = left_after(&def, 0.5, 60), high = left_after(&def, 2.0, 60);
    printf("steep: of waves of 0.20 %.3f is left after 3 s, of 0.79 %.3f\n", low, high);
    assert_true(low > 0.85 && high < low - 0.05);
}

/// Gravity and a step that are changed are felt by the next step, as by a water that never had
/// others.
static void test_gravity(void **state)
{
    (void)state;
    uint64_t hash[3];
    axis = 0;
    for (int k = 0; k < 3; k++) {
        int n[2];
        gyre_water_def def = sea();
        def.gravity = k == 1 ? 9.81f : 2.5f;
        gyre_water *water = make(&def);
        run(water, 1, k == 2 ? 0.02f : 0.05f);
        water->def->gravity = 2.5f;
        height = 0.05;
        number = 2.0 * PI / 16.0;
        put(water, "depth", wave);
        run(water, 20, 0.05f);
        float *d = get(water, "depth", n);
        hash[k] = 14695981039346656037u;
        for (int i = 0; i < n[0] * n[1]; i++) {
            uint32_t bits;
            memcpy(&bits, &d[i], sizeof bits);
            hash[k] = (hash[k] ^ bits) * 1099511628211u;
        }
        free(d);
        gyre_water_destroy(water);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/// Waves that run on a current are as much faster, along either axis.
static void test_current(void **state)
{
    (void)state;
    for (axis = 0; axis < 2; axis++) {
        for (int against = 0; against < 2; against++) {
            gyre_water_def def = sea();
            gyre_water *water = make(&def);
            int n[2];
            double sums[2] = {0.0, 0.0}, time = 2.0;
            height = 0.05;
            number = 2.0 * PI / 16.0;
            current = against ? -1.0 : 1.0;
            phase_speed = sqrt(9.81 / number * tanh(8.0 * number));
            put(water, "depth", wave);
            put(water, axis ? "discharge_y" : "discharge_x", flow);
            run(water, 40, 0.05f);
            float *d = get(water, "depth", n);
            for (int k = 0; k < N; k++) {
                double eta = (double)d[axis ? 8 * k : k] - 8.0;
                sums[0] += eta * cos(number * (k + 0.5));
                sums[1] += eta * sin(number * (k + 0.5));
            }
            free(d);
            double wanted = number * (phase_speed + current) * time;
            double off = remainder(atan2(sums[1], sums[0]) - wanted, 2.0 * PI);
            printf("on a current of %.0f m/s along %c: %.3f m/s too fast, of %.3f\n", current,
                   axis ? 'y' : 'x', off / number / time, phase_speed + current);
            assert_true(fabs(off / number / time) < 0.2);
            gyre_water_destroy(water);
        }
    }
}

/// Waves of edges must be some cells long, too.
static void test_edge(void **state)
{
    (void)state;
    gyre_water *water = NULL;
    axis = 0;
    gyre_water_def def = sea();
    gyre_water_edge edge = gyre_water_default_edge();
    snprintf(edge.name, sizeof edge.name, "quay");
    edge.side.rule = GYRE_WATER_INFLOW;
    edge.side.period = 1.0f;
    def.edges = (gyre_pool){&edge, 1, 1};
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "edges.quay.side.period: found 1 s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damping), cmocka_unit_test(test_steep),
        cmocka_unit_test(test_gravity), cmocka_unit_test(test_current),
        cmocka_unit_test(test_edge),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
