// labels: vulkan
// Clouds on the CPU and on a Vulkan device, step for step, in 2D and 3D, along y and along z, dry,
// without rain and with it, among solids: fields and budgets.
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
#include <stdio.h>
#include <string.h>

static double apart(gyre_gas *const gas[2], int field, double *most, double *mean)
{
    gyre_field_view v[2];
    double worst = 0.0;
    *most = *mean = 0.0;
    for (int d = 0; d < 2; d++)
        must(gyre_gas_map(gas[d], field, GYRE_READ, &v[d]));
    for (int k = 0; k < v[0].n[2]; k++)
        for (int j = 0; j < v[0].n[1]; j++)
            for (int i = 0; i < v[0].n[0]; i++) {
                double a = (double)v[0].data[i + j * v[0].stride[1] + k * v[0].stride[2]];
                double b = (double)v[1].data[i + j * v[1].stride[1] + k * v[1].stride[2]];
                assert_true(isfinite(a) && isfinite(b));
                worst = fmax(worst, fabs(a - b));
                *mean += fabs(a - b) / (v[0].n[0] * v[0].n[1] * v[0].n[2]);
                *most = fmax(*most, fabs(a));
            }
    for (int d = 0; d < 2; d++)
        must(gyre_gas_unmap(gas[d], field));
    return worst;
}

enum { DRY, CLOUDS, RAINS };

static void compare(int dim, int up, int what, bool blocked)
{
    gyre_gas *gas[2];
    gyre_gas_def def = sized(dim, dim == 3 ? 18 : 37, dim == 3 ? 17 : 30, dim == 3 ? 20 : 1);
    gyre_gas_channel channels[3] = {{.name = "vapour"}, {.name = "cloud"}, {.name = "rain"}};
    float wide = 1800.0f, low = up == 1 ? 400.0f : 900.0f, high = up == 2 ? 400.0f : 900.0f;
    def.grid.h = wide / (float)def.grid.n[0];
    gyre_gas_emitter e = ball(900.0f, low, high, 350.0f);
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape = gyre_sphere((const float[3]){1000.0f, low + (up == 1 ? 500.0f : 0.0f),
                                               high + (up == 2 ? 500.0f : 0.0f)},
                              250.0f);
    e.temperature = 0.02f;
    if (what != DRY) {
        strcpy(e.feeds[0].name, "vapour");
        e.feeds[0].amount = 4e-5f;
        strcpy(def.atmosphere.vapour, "vapour");
        strcpy(def.atmosphere.water, "cloud");
        strcpy(def.atmosphere.rain, what == RAINS ? "rain" : "");
        def.channels = (gyre_pool){channels, 3, 3};
    }
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.gravity[1] = up == 1 ? -9.81f : 0.0f;
    def.gravity[2] = up == 2 ? -9.81f : 0.0f;
    def.emitters = (gyre_pool){&e, 1, 1};
    def.solids = (gyre_pool){&solid, blocked, blocked};
    def.atmosphere.layered = true;
    def.atmosphere.least = 0.0f;
    def.atmosphere.growth = 0.02f;
    def.atmosphere.humidity = def.atmosphere.aloft = 0.9f;
    must(gyre_gas_create(the_cpu, &def, &gas[0]));
    must(gyre_gas_create(the_gpu, &def, &gas[1]));
    for (int s = 0; s < 16; s++)
        for (int d = 0; d < 2; d++)
            must(gyre_gas_step(gas[d], 10.0f));
    int scalars = what == DRY ? 2 : what == CLOUDS ? 4 : 5;
    for (int f = 0; f < dim + scalars; f++) {
        double most, mean, worst = apart(gas, f, &most, &mean);
        if (f == dim)
            continue;
        printf("    %dD along %c, field %d: to %.3g, apart by %.2g of that\n", dim,
               up == 1 ? 'y' : 'z', f, most, worst / most);
        // Where a limiter turns over a cell is apart, and drops grow by what is there.
        assert_true(most > 1e-6 && worst <= 5e-3 * most && mean <= 1e-4 * most);
        if (f < dim)
            continue;
        gyre_gas_budget b[2] = {gyre_gas_get_budget(gas[0], f), gyre_gas_get_budget(gas[1], f)};
        double size = fabs(b[0].turned) + fabs(b[0].risen) + fabs(b[0].emitted);
        assert_true(size > 0.0 && fabs(b[0].turned - b[1].turned) <= 1e-4 * size);
        assert_true(fabs(b[0].risen - b[1].risen) <= 1e-4 * size);
        assert_true(fabs(b[0].rained - b[1].rained) <= 1e-4 * size);
        assert_true(f < dim + 4 || b[0].rained > 0.0);
        double off = b[1].total - (b[1].emitted + b[1].turned + b[1].risen + b[1].rounding);
        assert_true(fabs(off + b[1].left + b[1].rained) < 1e-5 * size);
    }
    for (int d = 0; d < 2; d++)
        gyre_gas_destroy(gas[d]);
}

static void step_for_step(void **state)
{
    (void)state;
    compare(2, 1, DRY, false);
    compare(2, 1, CLOUDS, true);
    compare(2, 1, RAINS, true);
    compare(3, 1, RAINS, false);
    compare(3, 2, RAINS, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_for_step),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
