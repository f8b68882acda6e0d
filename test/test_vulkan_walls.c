// labels: vulkan
// Walls and solids that hold scalars or give the gas of them, on the CPU and on a Vulkan device,
// step for step, in 2D and 3D, by small steps and by large ones.
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

#include "gas/gas.h"

static void name(gyre_amount *to, const char *field, float amount)
{
    snprintf(to->name, sizeof to->name, "%s", field);
    to->amount = amount;
}

static double apart(gyre_gas *const gas[2], int field, double *most)
{
    gyre_field_view v[2];
    double worst = 0.0;
    *most = 0.0;
    for (int d = 0; d < 2; d++)
        must(gyre_gas_map(gas[d], field, GYRE_READ, &v[d]));
    for (int k = 0; k < v[0].n[2]; k++)
        for (int j = 0; j < v[0].n[1]; j++)
            for (int i = 0; i < v[0].n[0]; i++) {
                double a = (double)v[0].data[i + j * v[0].stride[1] + k * v[0].stride[2]];
                double b = (double)v[1].data[i + j * v[1].stride[1] + k * v[1].stride[2]];
                assert_true(isfinite(a) && isfinite(b));
                worst = fmax(worst, fabs(a - b));
                *most = fmax(*most, fabs(a));
            }
    for (int d = 0; d < 2; d++)
        must(gyre_gas_unmap(gas[d], field));
    return worst;
}

static void compare(int dim, float dt)
{
    gyre_gas *gas[2];
    gyre_gas_def def = sized(dim, dim == 3 ? 18 : 37, dim == 3 ? 15 : 30, dim == 3 ? 12 : 1);
    gyre_gas_solid solids[2] = {gyre_gas_default_solid(), gyre_gas_default_solid()};
    gyre_gas_patch patch = gyre_gas_default_patch();
    solids[0].shape = gyre_sphere((const float[3]){0.3f, 0.45f, 0.3f}, 0.13f);
    solids[1].shape = gyre_sphere((const float[3]){0.7f, 0.5f, 0.3f}, 0.12f);
    name(&solids[0].holds[0], "temperature", 12.0f);
    name(&solids[1].gives[0], "temperature", 0.5f);
    name(&solids[1].holds[0], "density", 0.5f);
    patch.side = 0;
    patch.shape = gyre_box((const float[3]){0.0f, 0.4f, 0.3f}, (const float[3]){0.1f, 0.3f, 0.3f});
    name(&patch.holds[0], "temperature", -8.0f);
    name(&def.sides.y_low.gives[0], "density", 0.1f);
    name(&def.sides.y_low.holds[0], "temperature", 4.0f);
    def.sides.x_low.rule = def.sides.y_low.rule = GYRE_GAS_SIDE_SLIP;
    def.temperature.diffusivity = 4e-3f;
    def.density.diffusivity = 1e-3f;
    def.diffusion.tolerance = 1e-6f;
    def.solids = (gyre_pool){solids, 2, 2};
    def.patches = (gyre_pool){&patch, 1, 1};
    must(gyre_gas_create(the_cpu, &def, &gas[0]));
    must(gyre_gas_create(the_gpu, &def, &gas[1]));
    for (int s = 0; s < 8; s++)
        for (int d = 0; d < 2; d++) {
            must(gyre_gas_set(gas[d], "patches.0.holds.temperature", gyre_number(-8.0 - s)));
            must(gyre_gas_step(gas[d], dt));
        }
    for (int f = dim; f < dim + 2; f++) {
        double most, worst = apart(gas, f, &most);
        gyre_gas_budget b[2] = {gyre_gas_get_budget(gas[0], f), gyre_gas_get_budget(gas[1], f)};
        printf("    %dD, dt %g, scalar %d: to %.3g, apart by %.2g of that; walls gave %.6g, %.6g\n",
               dim, (double)dt, f - dim, most, worst / most, b[0].walls, b[1].walls);
        assert_true(most > 0.1 && worst <= 1e-4 * most);
        assert_true(fabs(b[0].walls - b[1].walls) <= 1e-4 * fabs(b[0].walls));
        double off = b[1].total - b[1].walls - b[1].rounding + b[1].left;
        assert_true(fabs(off) < 1e-5 * (fabs(b[1].walls) + fabs(b[1].total)));
    }
    for (int d = 0; d < 2; d++)
        gyre_gas_destroy(gas[d]);
}

static void step_for_step(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        compare(dim, 0.01f);
        compare(dim, 0.5f);
    }
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
