// labels: small
// Scalars where there is nothing of them: sweeps pass over windows of cells that are +0, to the
// bit. Density and temperature are the same disk, and what is +0 in temperature is made -0 before
// each step, so that nothing of it is passed over: both must stay alike, to the bit.
#include "test/gas_rig.h"

typedef struct empty_case {
    const char *name;
    int dim, n[3], rule;
    bool solid;
} empty_case;

static double disk(const double x[3], const void *data)
{
    (void)data;
    double a = x[0] - 0.3, b = x[1] - 0.25;
    return a * a + b * b < 0.01 && x[2] < 0.4 ? 1.0 + a : 0.0;
}

/// A fan that blows the disk about, and slowly all else.
static gyre_gas_emitter fan_of(int dim)
{
    gyre_gas_emitter fan = gyre_gas_default_emitter();
    fan.push = true;
    fan.shape.kind = GYRE_SHAPE_SPHERE;
    for (int a = 0; a < dim; a++)
        fan.shape.as.sphere.centre[a] = 0.35f;
    fan.shape.as.sphere.radius = 0.12f;
    fan.velocity[0] = 0.8f;
    fan.velocity[1] = 0.5f;
    fan.velocity[2] = dim == 3 ? 0.4f : 0.0f;
    return fan;
}

/// How many cells of a field are +0; they become -0.
static int turn_signs(gyre_gas *gas, int field)
{
    const int *n = gas->extent.n;
    int count = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                float *x = sample(gas, field, i, j, k);
                if (*x == 0.0f) {
                    *x = -0.0f;
                    count++;
                }
            }
    return count;
}

static void run_empty(const empty_case *c)
{
    gyre_gas_emitter fan = fan_of(c->dim);
    gyre_gas_solid ball = sphere(0.55, 0.6, 0.4, 0.1);
    gyre_gas_def def = still_def(c->dim, c->n[0], c->n[1], c->n[2], 1.0f / (float)c->n[0], c->rule);
    def.emitters = (gyre_pool){&fan, 1, 1};
    if (c->solid)
        def.solids = (gyre_pool){&ball, 1, 1};
    gyre_gas *gas = make(&def);
    const int *n = gas->extent.n, density = gas->velocities, temperature = density + 1;
    const int cells = n[0] * n[1] * n[2];
    set_field(gas, density, disk, NULL);
    set_field(gas, temperature, disk, NULL);
    int least = cells, most = 0;
    for (int s = 0; s < 12; s++) {
        int nothing = turn_signs(gas, temperature);
        least = nothing < least ? nothing : least;
        most = nothing > most ? nothing : most;
        // From half a cell to three of the way.
        assert_int_equal(gyre_gas_step(gas, (0.6f + 0.3f * (float)s) * def.grid.h), GYRE_OK);
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    float a = *sample(gas, density, i, j, k),
                          b = *sample(gas, temperature, i, j, k);
                    if (memcmp(&a, &b, sizeof a) != 0)
                        fail_msg("%s, step %d: %g is %g in cell %d %d %d", c->name, s, (double)b,
                                 (double)a, i, j, k);
                }
    }
    // There is much to pass over, and the disk comes into more of it.
    if (least == most || 2 * least < cells)
        fail_msg("%s: %d to %d of %d cells are empty", c->name, least, most, cells);
    gyre_gas_destroy(gas);
}

static void what_is_passed_over_is_as_what_is_swept(void **state)
{
    (void)state;
    const empty_case cases[] = {{"walls", 2, {170, 140, 1}, GYRE_GAS_SIDE_SLIP, false},
                                {"open", 2, {131, 150, 1}, GYRE_GAS_SIDE_OPEN, true},
                                {"periodic", 2, {128, 128, 1}, GYRE_GAS_SIDE_PERIODIC, false},
                                {"3D", 3, {70, 64, 40}, GYRE_GAS_SIDE_SLIP, true},
                                {"3D, periodic", 3, {64, 66, 40}, GYRE_GAS_SIDE_PERIODIC, false}};
    for (int c = 0; c < GY_COUNT(cases); c++)
        run_empty(&cases[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_passed_over_is_as_what_is_swept),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
