// labels: vulkan
// A gas whose velocity is given, on the CPU and on a Vulkan device, step for step.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include <math.h>

#include "gas/gas.h"

static void turning(void *user, const gyre_gas_row *row, float *values)
{
    (void)user;
    for (int i = 0; i < row->count; i++) {
        float x = row->place[0] + row->step * (float)i;
        values[i] = row->axis == 0 ? 0.4f - row->place[1] : row->axis == 1 ? x - 0.5f : 0.1f;
    }
}

/// Carries smoke from a ball round a solid; all fields agree to 2e-5 of their greatest.
static void compare(gyre_gas_def *def, int scheme)
{
    gyre_gas *gas[2];
    gyre_gas_emitter e = ball(0.3f, 0.4f, 0.3f, 0.15f);
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape = gyre_sphere((const float[3]){0.6f, 0.5f, 0.3f}, 0.2f);
    def->advection = scheme;
    def->density.diffusivity = 1e-3f;
    def->emitters = (gyre_pool){&e, 1, 0};
    def->solids = (gyre_pool){&solid, 1, 0};
    must(gyre_gas_create(the_cpu, def, &gas[0]));
    must(gyre_gas_create(the_gpu, def, &gas[1]));
    for (int d = 0; d < 2; d++)
        must(gyre_gas_set_velocity_rows(gas[d], turning, NULL));
    for (int s = 0; s < 5; s++)
        for (int d = 0; d < 2; d++)
            must(gyre_gas_step(gas[d], 0.06f));
    for (int f = 0; f < gas[0]->states; f++) {
        gyre_field_view v[2];
        double worst = 0.0, most = 0.0;
        for (int d = 0; d < 2; d++)
            must(gyre_gas_map(gas[d], f, GYRE_READ, &v[d]));
        for (int k = 0; k < v[0].n[2]; k++)
            for (int j = 0; j < v[0].n[1]; j++)
                for (int i = 0; i < v[0].n[0]; i++) {
                    double a = (double)v[0].data[i + j * v[0].stride[1] + k * v[0].stride[2]];
                    double b = (double)v[1].data[i + j * v[1].stride[1] + k * v[1].stride[2]];
                    worst = fmax(worst, fabs(a - b));
                    most = fmax(most, fabs(a));
                }
        for (int d = 0; d < 2; d++)
            must(gyre_gas_unmap(gas[d], f));
        assert_true(most > 0.05);
        if (!(worst <= 2e-5 * most))
            fail_msg("%s, scheme %d: %g of %g apart", gas[0]->fields[f].name, scheme, worst, most);
    }
    gyre_gas_stats stats[2] = {gyre_gas_get_stats(gas[0]), gyre_gas_get_stats(gas[1])};
    assert_true(fabsf(stats[0].max_speed - stats[1].max_speed) < 1e-6f);
    assert_true(fabsf(stats[0].courant - stats[1].courant) < 1e-5f);
    for (int d = 0; d < 2; d++)
        gyre_gas_destroy(gas[d]);
}

static void given_on_both(void **state)
{
    (void)state;
    static const int schemes[] = {GYRE_GAS_CONSERVATIVE, GYRE_GAS_MACCORMACK, GYRE_GAS_CUBIC};
    for (int dim = 2; dim <= 3; dim++)
        for (int q = 0; q < 3; q++) {
            gyre_gas_def def = sized(dim, 18, 15, dim == 3 ? 12 : 1);
            def.velocity = q == 1 ? GYRE_GAS_ROWS : GYRE_GAS_NOISE;
            def.sides.x_low.rule = def.sides.x_high.rule =
                q == 2 ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_SLIP;
            compare(&def, schemes[q]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_on_both),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
