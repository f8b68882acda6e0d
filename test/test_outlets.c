// labels: small
// Open sides: what leaves through them leaves, held against a domain that goes on behind them.
#include "test/gas_rig.h"

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

typedef struct pair {
    int component;
    double gamma, core, at, apart;
} pair;

// Two vortices that turn against each other and carry themselves along x, free of divergence in
// the domain by the first projection.
static double pair_velocity(const double x[3], const void *data)
{
    const pair *p = data;
    double sum = 0.0;
    for (int s = -1; s <= 1; s += 2) {
        double dx = x[0] - p->at, dy = x[1] - 0.5 - s * 0.5 * p->apart;
        double r2 = dx * dx + dy * dy + 1e-12;
        double w = s * p->gamma / (2 * pi * r2) * (1 - exp(-r2 / (p->core * p->core)));
        sum += p->component == 0 ? -w * dy : w * dx;
    }
    return sum;
}

static double pair_smoke(const double x[3], const void *data)
{
    const pair *p = data;
    double dx = x[0] - p->at, dy = fabs(x[1] - 0.5) - 0.5 * p->apart;
    return exp(-(dx * dx + dy * dy) / (p->core * p->core));
}

// Kinetic energy and smoke in the first `cells` along x.
static void inside(gyre_gas *gas, int cells, double *energy, double *smoke)
{
    const int *n = gas->extent.n;
    *energy = *smoke = 0.0;
    for (int j = 0; j < n[1]; j++)
        for (int i = 0; i < cells; i++) {
            double u = 0.5 * (double)(*sample(gas, 0, i, j, 0) + *sample(gas, 0, i + 1, j, 0));
            double v = 0.5 * (double)(*sample(gas, 1, i, j, 0) + *sample(gas, 1, i, j + 1, 0));
            *energy += 0.5 * (u * u + v * v) / (n[1] * n[1]);
            *smoke += (double)*sample(gas, 2, i, j, 0) / (n[1] * n[1]);
        }
}

static double fastest_out(gyre_gas *gas)
{
    double most = 0.0;
    for (int j = 0; j < gas->extent.n[1]; j++)
        most = fmax(most, (double)*sample(gas, 0, gas->extent.n[0], j, 0));
    return most;
}

// A pair of vortices that leaves is gone: what stays of its energy and its smoke. Some of the smoke
// is left standing, where behind an open side there is nothing that would draw it along.
static void a_vortex_pair_leaves(void **state)
{
    (void)state;
    for (int c = 0; c < 2; c++) {
        int n = 48;
        double left[2][2], first[2];
        for (int twice = 0; twice < 2; twice++) {
            gyre_gas_def def = still_def(2, n * (1 + twice), n, 1, 1.0f / (float)n, 0);
            pair p = {.gamma = 0.6, .core = 0.07, .at = 0.5, .apart = 0.24};
            def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
            gyre_gas *gas = make(&def);
            for (p.component = 0; p.component < 2; p.component++)
                set_field(gas, p.component, pair_velocity, &p);
            set_field(gas, 2, pair_smoke, &p);
            must(gyre_gas_step(gas, 0.0f));
            if (!twice)
                inside(gas, n, &first[0], &first[1]);
            double dt = c ? 0.05 : 0.0125;
            for (int s = 0; s * dt < 3.0; s++)
                must(gyre_gas_step(gas, (float)dt));
            inside(gas, n, &left[twice][0], &left[twice][1]);
            gyre_gas_stats st = gyre_gas_get_stats(gas);
            assert_true(st.gained == 0);
            // What stays was never out: the side brings nothing back, and lets out what it counts.
            gyre_gas_budget b = gyre_gas_get_budget(gas, 2);
            if (loud())
                print_message("%d: left %.6g, came %g, speed left at the side %.3f\n", twice,
                              b.left / b.edited, b.came, fastest_out(gas));
            assert_true(b.came == 0.0 && fabs((b.total + b.left) / b.edited - 1.0) < 1e-6);
            gyre_gas_destroy(gas);
        }
        if (loud())
            print_message("vortex pair, case %d: energy left %.4f, twice as long %.4f; smoke %.4f, "
                          "%.4f\n",
                          c, left[0][0] / first[0], left[1][0] / first[0], left[0][1] / first[1],
                          left[1][1] / first[1]);
        assert_true(left[0][0] < 0.02 * first[0] && left[0][1] < 0.25 * first[1]);
        assert_true(left[1][1] < 0.01 * first[1]);
    }
}

// A street of vortices behind a ball: the half in front of the open side is as it is where the
// domain goes on, and what comes back in through it is little.
static void a_street_leaves(void **state)
{
    (void)state;
    int n = 32;
    double mean[2][2] = {{0}}, back = 0.0, most = 0.0;
    for (int twice = 0; twice < 2; twice++) {
        gyre_gas_def def = still_def(2, 2 * n * (1 + twice), n, 1, 1.0f / (float)n, 0);
        gyre_gas_solid ball = sphere(0.5, 0.52, 0.0, 0.12);
        def.sides.x_low = (gyre_gas_side){.rule = GYRE_GAS_SIDE_INFLOW, .velocity = {1, 0, 0}};
        def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
        def.solid_slip = false;
        def.viscosity = 5e-4f;
        def.solids = (gyre_pool){&ball, 1, 1};
        gyre_gas *gas = make(&def);
        int steps = 900, counted = 0;
        for (int s = 0; s < steps; s++) {
            must(gyre_gas_step(gas, 0.02f));
            if (s < steps / 2)
                continue;
            double energy, smoke;
            inside(gas, 2 * n, &energy, &smoke);
            mean[twice][0] += energy;
            counted++;
            for (int j = 0; j < n && !twice; j++) {
                double u = (double)*sample(gas, 0, 2 * n, j, 0);
                back = fmax(back, -u);
                most = fmax(most, u);
            }
            for (int j = 0; j < n; j++) {
                double v = (double)*sample(gas, 1, 2 * n - n / 4, j, 0);
                mean[twice][1] += v * v / n;
            }
        }
        for (int q = 0; q < 2; q++)
            mean[twice][q] /= counted;
        gyre_gas_stats st = gyre_gas_get_stats(gas);
        assert_true(st.max_speed < 4.0f);
        gyre_gas_destroy(gas);
    }
    if (loud())
        print_message(
            "street: energy %.4f, twice as long %.4f; v^2 a quarter before the side %.4f, "
            "%.4f; speed at the side %.3f out, %.3f in\n",
            mean[0][0], mean[1][0], mean[0][1], mean[1][1], most, back);
    assert_true(fabs(mean[0][0] / mean[1][0] - 1.0) < 0.01);
    assert_true(fabs(mean[0][1] / mean[1][1] - 1.0) < 0.05 && mean[0][1] > 0.03);
    assert_true(back < 0.1 && most < 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vortex_pair_leaves),
        cmocka_unit_test(a_street_leaves),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
