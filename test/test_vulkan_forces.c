// labels: vulkan
// Forces of a gas on the CPU and on a Vulkan device, step for step: every kind, everywhere and in
// shapes, round solids, in 2D and 3D, by every scheme.
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

enum { KINDS = GYRE_GAS_CONFINEMENT + 1 };

static void fill(gyre_gas_force *f, int dim)
{
    for (int kind = 0; kind < KINDS; kind++) {
        f[kind] = gyre_gas_default_force(kind);
        f[kind].shape = gyre_sphere((const float[3]){0.45f, 0.4f, 0.3f}, 0.25f);
        f[kind].soft = 0.1f;
        f[kind].amount = 0.9f;
    }
    f[0].shape = gyre_box((const float[3]){0.5f, 0.5f, 0.3f}, (const float[3]){0.3f, 0.7f, 0.4f});
    f[0].shape.as.box.rotation[2] = 20.0f;
    f[0].action.as.wind.velocity[1] = 0.6f;
    f[1].action.as.fan.thrust = dim == 3 ? 0.02f : 0.05f;
    f[1].action.as.fan.direction[1] = 0.5f;
    f[1].action.as.fan.direction[2] =
        -0.3f; // else rounding alone moves along z: see test_vulkan_gas
    f[2].everywhere = true;
    f[2].action.as.vortex.circulation = 0.8f;
    f[3].action.as.attractor.axis[dim == 3 ? 1 : 0] = 1.0f;
    f[3].action.as.attractor.falloff = 2;
    f[3].action.as.attractor.strength = -2.0f;
    f[4].everywhere = true;
    f[4].action.as.turbulence.strength = 2.0f;
    f[5].action.as.confinement.speed = 0.3f;
    f[5].action.as.confinement.size = 0.15f;
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

/// The same on both; velocities agree to 2e-5 of the greatest.
static void compare(const char *name, const gyre_gas_def *def, float dt)
{
    gyre_gas *gas[2];
    must(gyre_gas_create(the_cpu, def, &gas[0]));
    must(gyre_gas_create(the_gpu, def, &gas[1]));
    for (int s = 0; s < rig_steps(10); s++)
        for (int d = 0; d < 2; d++)
            must(gyre_gas_step(gas[d], dt));
    double worst = 0.0, most = 0.0, size;
    for (int a = 0; a < def->grid.dim; a++) {
        worst = fmax(worst, apart(gas, a, &size));
        most = fmax(most, size);
    }
    gyre_gas_stats stats[2] = {gyre_gas_get_stats(gas[0]), gyre_gas_get_stats(gas[1])};
    printf("    %s: speeds to %.3g, apart by %.2g of that\n", name, most, worst / most);
    assert_true(most > 0.05);
    if (!(worst <= 2e-5 * most))
        fail_msg("%s: %g of %g apart", name, worst, most);
    assert_int_equal(stats[0].gained, stats[1].gained);
    assert_int_equal(stats[0].capped, stats[1].capped);
    for (int d = 0; d < 2; d++)
        gyre_gas_destroy(gas[d]);
}

static void each_kind_alone(void **state)
{
    (void)state;
    static const char *const names[KINDS] = {"wind",      "fan",        "vortex",
                                             "attractor", "turbulence", "confinement"};
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_force f[KINDS];
        fill(f, dim);
        for (int kind = 0; kind < KINDS; kind++) {
            gyre_gas_def def =
                sized(dim, dim == 3 ? 18 : 37, dim == 3 ? 15 : 30, dim == 3 ? 12 : 1);
            // A confinement pushes what moves.
            f[0] = kind == GYRE_GAS_CONFINEMENT ? f[2] : f[0];
            f[1] = f[kind];
            bool alone = kind != GYRE_GAS_CONFINEMENT;
            def.forces = (gyre_pool){alone ? &f[kind] : f, alone ? 1 : 2, 2};
            compare(names[kind], &def, 0.06f);
        }
    }
}

static void all_round_a_solid(void **state)
{
    (void)state;
    for (int scheme = GYRE_GAS_SEMI_LAGRANGIAN; scheme <= GYRE_GAS_CONSERVATIVE; scheme += 2)
        for (int dim = 2; dim <= 3; dim++) {
            gyre_gas_force f[KINDS];
            gyre_gas_def def =
                sized(dim, dim == 3 ? 18 : 37, dim == 3 ? 15 : 30, dim == 3 ? 12 : 1);
            gyre_gas_solid solid = gyre_gas_default_solid();
            solid.shape = gyre_sphere((const float[3]){0.55f, 0.45f, 0.3f}, 0.12f);
            fill(f, dim);
            def.advection = scheme;
            def.courant = 2.0f;
            def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
            def.solids = (gyre_pool){&solid, 1, 1};
            def.forces = (gyre_pool){f, KINDS, KINDS};
            compare(scheme ? "all of them" : "all of them, semi-Lagrangian", &def, 0.06f);
        }
}

static void framed(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = sized(dim, dim == 3 ? 18 : 37, dim == 3 ? 15 : 30, dim == 3 ? 12 : 1);
        gyre_gas_force f[KINDS];
        fill(f, dim);
        def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
        def.frame = (gyre_gas_frame){{0.5f, 0.3f, 0.2f}, {0.5f, 1.0f, 2.0f}, {0.4f, 0.3f, 0.1f}};
        def.forces = (gyre_pool){&f[2], 1, 1};
        compare("a frame", &def, 0.06f);
    }
}

static void cut_alike(void **state)
{
    (void)state;
    gyre_gas_force f[KINDS];
    gyre_gas_def def = sized(2, 24, 20, 1);
    fill(f, 2);
    f[1].action.as.fan.thrust = 1e5f;
    def.speed_cap = 3.0f;
    def.advection = GYRE_GAS_SEMI_LAGRANGIAN;
    def.forces = (gyre_pool){&f[1], 1, 1};
    gyre_gas *gas[2];
    must(gyre_gas_create(the_cpu, &def, &gas[0]));
    must(gyre_gas_create(the_gpu, &def, &gas[1]));
    for (int d = 0; d < 2; d++)
        must(gyre_gas_step(gas[d], 0.01f));
    assert_true(gyre_gas_get_stats(gas[0]).capped > 10);
    assert_int_equal(gyre_gas_get_stats(gas[0]).capped, gyre_gas_get_stats(gas[1]).capped);
    for (int d = 0; d < 2; d++)
        gyre_gas_destroy(gas[d]);
}

/// Shaped by an array, which comes, is replaced and goes; what has no twin is refused by name.
static void by_arrays(void **state)
{
    (void)state;
    static const float samples[4] = {0.0f, 1.0f, 1.0f, 0.0f};
    gyre_gas_def def = sized(2, 24, 20, 1);
    gyre_gas_force f[2] = {gyre_gas_default_force(GYRE_GAS_WIND),
                           gyre_gas_default_force(GYRE_GAS_FAN)};
    for (int q = 0; q < 2; q++)
        f[q].shape = gyre_volume_shape((gyre_volume){samples, {2, 2, 1}, NULL}, (const float[3]){0},
                                       (const float[3]){1.0f, 1.0f, 1.0f}, 0.5f);
    f[0].action.as.wind.velocity[0] = 0.7f;
    f[1].action.as.fan.thrust = 0.3f;
    f[1].action.as.fan.direction[1] = 0.5f;
    def.forces = (gyre_pool){f, 2, 2};
    compare("by an array", &def, 0.06f);
    gyre_gas *gas = NULL;
    def.forces = (gyre_pool){f, 1, 2};
    must(gyre_gas_create(the_gpu, &def, &gas));
    gyre_id id = gyre_gas_add_force(gas, &f[1]);
    must(gyre_gas_step(gas, 0.05f));
    f[1].shape = gyre_sphere((const float[3]){0.5f, 0.5f, 0.0f}, 0.2f);
    must(gyre_gas_update_force(gas, id, &f[1]));
    must(gyre_gas_step(gas, 0.05f));
    must(gyre_gas_remove(gas, id));
    must(gyre_gas_step(gas, 0.05f));
    gyre_gas_destroy(gas);
    // What a confinement pushes is stirred by a vortex.
    gyre_gas_force stirred[2] = {gyre_gas_default_force(GYRE_GAS_VORTEX), f[0]};
    stirred[0].everywhere = true;
    stirred[1].action = gyre_gas_default_force(GYRE_GAS_CONFINEMENT).action;
    stirred[1].action.as.confinement.speed = 1.0f;
    def.forces = (gyre_pool){stirred, 2, 2};
    compare("a confinement by an array", &def, 0.06f);
}

static void by_place(void *user, const gyre_gas_row *row, float *values)
{
    const float *push = user;
    for (int i = 0; i < row->count; i++)
        values[i] =
            push[row->axis] * (row->place[1] - 0.5f * (row->place[0] + row->step * (float)i));
}

// A force of the caller's, put to the device once a step; one that looks is refused.
static void of_the_caller(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        float push[3] = {1.0f, 0.5f, 0.0f};
        gyre_gas_def def = sized(dim, 18, 15, dim == 3 ? 12 : 1);
        gyre_gas *gas[2];
        must(gyre_gas_create(the_cpu, &def, &gas[0]));
        must(gyre_gas_create(the_gpu, &def, &gas[1]));
        for (int d = 0; d < 2; d++)
            must(gyre_gas_set_force_rows(gas[d], by_place, push, false));
        for (int s = 0; s < 6; s++)
            for (int d = 0; d < 2; d++) {
                push[2] = 0.5f * (float)s;
                must(gyre_gas_step(gas[d], 0.06f));
            }
        double worst = 0.0, most = 0.0, size;
        for (int a = 0; a < dim; a++) {
            worst = fmax(worst, apart(gas, a, &size));
            most = fmax(most, size);
        }
        printf("    of the caller: speeds to %.3g, apart by %.2g of that\n", most, worst / most);
        assert_true(most > 0.05 && worst <= 2e-5 * most);
        assert_int_equal(gyre_gas_set_force_rows(gas[1], by_place, push, true),
                         GYRE_ERROR_UNSUPPORTED);
        must(gyre_gas_step(gas[1], 0.06f));
        for (int d = 0; d < 2; d++)
            gyre_gas_destroy(gas[d]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_arrays),     cmocka_unit_test(each_kind_alone),
        cmocka_unit_test(of_the_caller), cmocka_unit_test(all_round_a_solid),
        cmocka_unit_test(framed),        cmocka_unit_test(cut_alike),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
