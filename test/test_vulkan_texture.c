// labels: vulkan
// Texture coordinates on the CPU and on a Vulkan device: the twin of displace on random fields, and
// gases that carry them, step for step: solved for and led, past solids, through sides, with phases
// that begin anew; saved on one device and loaded on the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/vulkan_gas.h"
#include "test/vulkan_world.h"

#ifndef GY_WITH_VULKAN

int main(void)
{
    return vulkan_rig_open() ? 1 : VULKAN_RIG_SKIPPED;
}

#else

#include <math.h>
#include <stdlib.h>

#include "gas/ops/displace.h"
#include "test/check.h"

static void check_displace(world *w)
{
    const int *n = w->def.n;
    gy_displace_args a = {.base = rig_base(&w->block),
                          .count = w->def.dim,
                          .sides = (uint32_t)rig_int(0, 63),
                          .scale = 2.5f,
                          .h = 0.13f,
                          .extent = w->extent};
    for (int q = 0; q < w->def.dim; q++) {
        int axis = (q + 1) % w->def.dim;
        a.axis[q] = axis;
        a.field[q] = w->field[q];
        a.back[q] = w->back[axis];
        a.velocity[q] = w->velocity[axis];
        rig_random_field(&w->block, w->back[axis], &w->layout, -1.5f, 1.5f);
        rig_random_field(&w->block, w->velocity[axis], &w->layout, -1.0f, 1.0f);
    }
    share(w);
    rig_run(&w->block, GY_OP_displace, &a, gy_box_make(n[0], n[1], n[2]));
    rig_fetch(&w->block);
    for (int q = 0; q < w->def.dim; q++)
        same_field(w, w->field[q], gy_box_make(n[0], n[1], n[2]), same, "displace");
}

static void displace(void **state)
{
    (void)state;
    halves = false;
    each_world(check_displace);
}

/// All phases' fields agree to 3e-5 of the greatest.
static void agree(gyre_gas *gas[2], int dim)
{
    gyre_texture t[2];
    for (int d = 0; d < 2; d++)
        must(gyre_model_texture(gyre_gas_model(gas[d]), &t[d]));
    assert_memory_equal(&t[0], &t[1], sizeof t[0]);
    double worst = 0.0, most = 0.0;
    for (int q = 0; q < t[0].phases * dim; q++) {
        int f = t[0].field[q / dim][q % dim];
        gyre_field_view v[2];
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
    }
    if (!(most > 0.01 && worst <= 3e-5 * most))
        fail_msg("%g of %g apart", worst, most);
}

static void compare(gyre_gas_def *def, bool half)
{
    gyre_gas *gas[2];
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape = gyre_sphere((const float[3]){0.6f, 0.5f, 0.3f}, 0.2f);
    def->solids = (gyre_pool){&solid, 1, 0};
    def->texture.phases = 3;
    def->texture.period = 0.5f;
    must(gyre_gas_create(the_cpu, def, &gas[0]));
    def->half_scalars = half; // of scalars alone
    must(gyre_gas_create(the_gpu, def, &gas[1]));
    for (int s = 0; s < 9; s++)
        for (int d = 0; d < 2; d++) {
            if (s == 0)
                must(gyre_gas_splat(gas[d], 0, (const float[3]){0.3f, 0.4f, 0.3f}, 0.3f, 1.0f));
            must(gyre_gas_step(gas[d], 0.06f));
        }
    agree(gas, def->grid.dim);
    // What the GPU has is the state that the CPU goes on from.
    size_t size = gyre_gas_save_size(gas[1]);
    void *bytes = malloc(size);
    must(gyre_gas_save(gas[1], bytes, size, NULL));
    if (!half)
        must(gyre_gas_load(gas[0], bytes, size));
    for (int s = 0; s < 3; s++)
        for (int d = 0; d < 2; d++)
            must(gyre_gas_step(gas[d], 0.06f));
    agree(gas, def->grid.dim);
    free(bytes);
    for (int d = 0; d < 2; d++)
        gyre_gas_destroy(gas[d]);
}

static void carried_on_both(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int q = 0; q < 4; q++) {
            gyre_gas_def def = sized(dim, 18, 15, dim == 3 ? 12 : 1);
            def.velocity = q == 3 ? GYRE_GAS_NOISE : GYRE_GAS_SOLVED;
            def.advection = q == 1 ? GYRE_GAS_MACCORMACK : GYRE_GAS_CONSERVATIVE;
            def.sides.x_high.rule = q == 0 ? GYRE_GAS_SIDE_SLIP : GYRE_GAS_SIDE_OPEN;
            def.sides.x_low.rule = def.sides.x_high.rule;
            if (q == 2) {
                def.sides.x_low.rule = GYRE_GAS_SIDE_INFLOW;
                def.sides.x_low.velocity[0] = 0.5f;
            }
            compare(&def, false);
            if (q == 2)
                compare(&def, true);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(displace),
        cmocka_unit_test(carried_on_both),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}

#endif
