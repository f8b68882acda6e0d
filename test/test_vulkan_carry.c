// labels: vulkan
// How a device with memory of its own carries the fields of a gas: several at once, in groups whose
// size must not change a bit; how many ops that takes, and how much memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gas/gas.h"
#include "test/check.h"
#include "test/gas_case.h"
#include "test/vulkan_rig.h"

/// As many fields as there may be, no two alike, one side open and one axis periodic.
static void fill_many(gyre_gas_def *def)
{
    static gyre_gas_channel channels[GY_GAS_CHANNELS];
    gas_case_size(def, 21, 12, 9, 1.0f);
    for (int c = 0; c < GY_GAS_CHANNELS; c++)
        snprintf(channels[c].name, sizeof channels[c].name, "dye_%d", c);
    def->channels = (gyre_pool){.items = channels, .count = GY_GAS_CHANNELS};
    def->sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def->sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    def->sides.z_low.rule = def->sides.z_high.rule = GYRE_GAS_SIDE_PERIODIC;
    gas_case_solid(def)->shape = gas_sphere(0.6f, 0.3f, 0.2f, 0.1f);
}

static void start_many(gyre_gas *gas)
{
    for (int f = 0; f < gas->states; f++) {
        float x = 0.1f + 0.04f * (float)f, size = f < gas->velocities ? 2.0f : 1.0f + (float)f;
        const float centre[3] = {x, 0.3f, 0.2f + 0.01f * (float)f};
        must(gyre_gas_splat(gas, f, centre, 0.25f, size));
    }
}

static const gas_case many = {"many", 3, 0.02f, fill_many, start_many};

static gyre_gas *make(const gas_case *c, gyre_device *device)
{
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas *gas = NULL;
    memset(&gas_lists, 0, sizeof gas_lists);
    c->fill(&def);
    def.grid.dim = def.grid.n[2] > 1 ? 3 : 2;
    def.pressure.solver = def.diffusion.solver = GYRE_SOLVER_MULTIGRID;
    must(gyre_gas_create(device, &def, &gas));
    if (c->start)
        c->start(gas);
    return gas;
}

static void same_in_groups(const gas_case *c)
{
    static const int groups[] = {GY_GAS_TOGETHER, 1, 3};
    uint64_t hash[2];
    for (int g = 0; g < GY_COUNT(groups); g++) {
        gyre_gas *gas = make(c, the_gpu);
        assert_int_equal(gas->together, GY_MIN(gas->states, GY_GAS_TOGETHER));
        gas->together = GY_MIN(gas->together, groups[g]);
        for (int s = 0; s < GY_COUNT(hash); s++) {
            must(gyre_gas_step(gas, c->dt));
            uint64_t now = gyre_gas_hash(gas);
            if (g > 0 && now != hash[s])
                fail_msg("%s, step %d: other bits in groups of %d", c->name, s + 1, groups[g]);
            hash[s] = now;
        }
        gyre_gas_destroy(gas);
    }
}

static void groups_change_no_bit(void **state)
{
    (void)state;
    same_in_groups(&many);
    for (int c = 0; c < GAS_CASES; c += rig_is_played() ? 3 : 1)
        same_in_groups(&gas_cases[c]);
}

/// Of three groups, each field is what the CPU makes of it, which carries one at a time.
static void many_fields_as_on_the_cpu(void **state)
{
    (void)state;
    gyre_gas *gas[2] = {make(&many, the_cpu), make(&many, the_gpu)};
    for (int s = 0; s < many.steps; s++) {
        must(gyre_gas_step(gas[0], many.dt));
        must(gyre_gas_step(gas[1], many.dt));
    }
    for (int f = 0; f < gas[0]->states; f++) {
        gyre_field_view v[2];
        double most = 0.0, apart = 0.0;
        for (int d = 0; d < 2; d++)
            must(gyre_gas_map(gas[d], f, GYRE_READ, &v[d]));
        for (int q = 0; q < v[0].n[0] * v[0].n[1] * v[0].n[2]; q++) {
            int i = q % v[0].n[0], j = q / v[0].n[0] % v[0].n[1], k = q / v[0].n[0] / v[0].n[1];
            double a = (double)v[0].data[i + j * v[0].stride[1] + k * v[0].stride[2]];
            double b = (double)v[1].data[i + j * v[1].stride[1] + k * v[1].stride[2]];
            most = fmax(most, fabs(a));
            apart = fmax(apart, fabs(a - b));
        }
        for (int d = 0; d < 2; d++)
            must(gyre_gas_unmap(gas[d], f));
        assert_true(most > 0.1);
        if (!(apart <= 1e-4 * most))
            fail_msg("%s: %g of %g apart", gas[0]->fields[f].name, apart, most);
    }
    gyre_gas_destroy(gas[0]);
    gyre_gas_destroy(gas[1]);
}

static uint64_t runs_of(gyre_device *device, const char *op)
{
    uint64_t count;
    must(gyre_device_op_time(device, op, NULL, &count));
    return count;
}

/// Of all velocities one op, and of their halos, each time, one for each axis but x: of paths, of
/// what is kicked, predicted, what is carried, pushed and projected; the rest are of scalars.
static void a_step_takes_few_ops(void **state)
{
    static const char *const ops[] = {"trace", "advect", "correct", "halo"};
    static const uint64_t most[2][4] = {{1, 1, 1, 8}, {1, 1, 1, 15}};
    (void)state;
    gyre_device_def timed = rig_gpu_def();
    gyre_device *device = NULL;
    timed.time_ops = true;
    must(gyre_device_create(&timed, &device));
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = gyre_gas_default_def(dim);
        gyre_gas *gas = NULL;
        uint64_t before[4];
        for (int a = 0; a < dim; a++)
            def.grid.n[a] = 16;
        must(gyre_gas_create(device, &def, &gas));
        must(gyre_gas_step(gas, 0.01f));
        must(gyre_device_wait(device));
        for (int i = 0; i < 4; i++)
            before[i] = runs_of(device, ops[i]);
        must(gyre_gas_step(gas, 0.01f));
        must(gyre_device_wait(device));
        for (int i = 0; i < 4; i++) {
            uint64_t count = runs_of(device, ops[i]) - before[i];
            if (count != most[dim - 2][i])
                fail_msg("%s in %dD: %d times", ops[i], dim, (int)count);
        }
        gyre_gas_destroy(gas);
    }
    assert_int_equal(device->complaints, 0);
    gyre_device_destroy(device);
}

/// What is taken more than on the CPU: a slot for each field of a group but the first, and another,
/// part of which solvers may have taken already.
static void groups_take_slots(void **state)
{
    (void)state;
    gyre_gas *gas[2] = {make(&many, the_cpu), make(&many, the_gpu)};
    size_t slots = (GY_GAS_TOGETHER - 1) * gas[0]->slot_bytes;
    assert_int_equal(gas[0]->bytes, gyre_gas_size(gas[0]->def));
    assert_in_range(gas[1]->bytes - gas[0]->bytes, slots, 2 * slots);
    gyre_gas_destroy(gas[0]);
    gyre_gas_destroy(gas[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_change_no_bit),
        cmocka_unit_test(many_fields_as_on_the_cpu),
        cmocka_unit_test(a_step_takes_few_ops),
        cmocka_unit_test(groups_take_slots),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
