// What a gas's scalars hold is what came in less what went out, whatever meets: sides, solids in
// cut cells at rest and on the move, emitters, fading, solvers, step lengths. Each pair of choices
// comes up in some of the draws.
// labels: small
#include "test/gas_rig.h"

enum { CHOICES = 7, DRAWS = 24, STEPS = 24 };

/// How many there are of each: 2D or 3D; sides; solids; emitters; fading; Courant number; solver.
static const int counts[CHOICES] = {2, 4, 3, 3, 2, 3, 2};

typedef struct draw {
    int of[CHOICES];
} draw;

/// By how many pairs of choices that no draw had before this one has.
static int news(const draw *all, int count, const draw *d)
{
    int sum = 0;
    for (int a = 0; a < CHOICES; a++)
        for (int b = 0; b < a; b++) {
            bool seen = false;
            for (int q = 0; q < count; q++)
                seen = seen || (all[q].of[a] == d->of[a] && all[q].of[b] == d->of[b]);
            sum += !seen;
        }
    return sum;
}

/// The best of some random draws, one after the other.
static void make_draws(draw all[DRAWS])
{
    uint32_t at = 0;
    int pairs = 0, covered = 0;
    for (int a = 0; a < CHOICES; a++)
        for (int b = 0; b < a; b++)
            pairs += counts[a] * counts[b];
    for (int q = 0; q < DRAWS; q++) {
        int best = -1;
        for (int trial = 0; trial < 60; trial++) {
            draw d;
            for (int c = 0; c < CHOICES; c++)
                d.of[c] = (int)(gy_random_unit(17, at++) * (float)counts[c]) % counts[c];
            int value = news(all, q, &d);
            all[q] = value > best ? d : all[q];
            best = value > best ? value : best;
        }
        covered += best;
    }
    assert_int_equal(covered, pairs);
}

static double whirled(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    return axis == 0   ? sin(2.0 * pi * x[0]) * cos(2.0 * pi * x[1])
           : axis == 1 ? -cos(2.0 * pi * x[0]) * sin(2.0 * pi * x[1])
                       : 0.3 * sin(2.0 * pi * x[0]);
}

static double patchy(const double x[3], const void *data)
{
    (void)data;
    return hypot(x[0] - 0.45, x[1] - 0.5) < 0.25 ? 1.0 + x[1] : 0.0;
}

static void check(const draw *d)
{
    static const int rules[4] = {GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_SIDE_OPEN,
                                 GYRE_GAS_SIDE_NO_SLIP};
    static const float courants[3] = {0.3f, 1.1f, 3.0f};
    int dim = 2 + d->of[0], n = dim == 3 ? 16 : 29;
    gyre_gas_def def =
        still_def(dim, n, n - 3, dim == 3 ? n - 5 : 1, 1.0f / (float)n, rules[d->of[1]]);
    gyre_gas_solid ball = sphere(0.52, 0.31, 0.33, 0.17);
    gyre_gas_emitter e = gyre_gas_default_emitter();
    gyre_id id = 0;
    float dt = courants[d->of[5]] / (float)n;
    e.shape = gyre_sphere((const float[3]){0.3f, 0.62f, 0.3f}, 0.11f);
    e.density = 2.0f;
    e.mode = d->of[3] == 2 ? GYRE_GAS_EMIT_SET : GYRE_GAS_EMIT_RATE;
    def.emitters = (gyre_pool){&e, d->of[3] > 0, d->of[3] > 0};
    def.density.dissipation = d->of[4] ? 1.5f : 0.0f;
    def.pressure.solver = d->of[6] ? GYRE_SOLVER_MULTIGRID : GYRE_SOLVER_AUTO;
    def.solid_slip = d->of[6];
    def.viscosity = d->of[1] == 3 ? 1e-2f : 0.0f;
    gyre_gas *gas = make(&def);
    if (d->of[2] > 0)
        id = gyre_gas_add_solid(gas, &ball);
    for (int a = 0; a < dim; a++)
        set_field(gas, a, whirled, &a);
    int density = gyre_gas_field(gas, "density");
    set_field(gas, density, patchy, NULL);
    for (int s = 0; s < STEPS; s++) {
        if (d->of[2] == 2) {
            ball.pose.velocity[0] = 0.3f;
            ball.pose.velocity[1] = 0.5f;
            ball.pose.position[0] += 0.3f * dt * (d->of[5] == 2 ? 0.5f : 1.0f);
            ball.pose.position[1] += 0.5f * dt * (d->of[5] == 2 ? 0.5f : 1.0f);
            must(gyre_gas_update_solid(gas, id, &ball));
        }
        must(gyre_gas_step(gas, dt));
    }
    gyre_gas_budget b = gyre_gas_get_budget(gas, density);
    double is = gyre_model_total(gyre_gas_model(gas), density);
    double came = b.emitted + b.added + b.edited + b.came, went = b.faded + b.left;
    double off = (is - (came - went)) / (fabs(came) + fabs(went));
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%d %d %d %d %d %d %d: total %g, came %g, went %g: off by %.1e\n", d->of[0],
                      d->of[1], d->of[2], d->of[3], d->of[4], d->of[5], d->of[6], is, came, went,
                      off);
    if (!(fabs(off) < 1e-5))
        fail_msg("%d %d %d %d %d %d %d: total %g, came %g, went %g: off by %.1e", d->of[0],
                 d->of[1], d->of[2], d->of[3], d->of[4], d->of[5], d->of[6], is, came, went, off);
    assert_true(is > 0.0);
    gyre_gas_destroy(gas);
}

static void budgets_close_whatever_meets(void **state)
{
    (void)state;
    draw all[DRAWS] = {0};
    make_draws(all);
    for (int q = 0; q < DRAWS; q++)
        check(&all[q]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(budgets_close_whatever_meets)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
