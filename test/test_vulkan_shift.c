// labels: vulkan
// A gas on a graphics card whose grid moves: to the bit there and back, in floats and in halves;
// beside the same gas on the processor, and saved on one and loaded on the other.
//
// How close: the two step alike but for rounding and for what divides (test_vulkan_gas.c); over 12
// steps with three moves 1e-3 of the greatest value is many times what is seen.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gas/gas.h"
#include "test/check.h"
#include "test/vulkan_rig.h"

static gyre_gas *made(gyre_device *device, int dim, bool half)
{
    gyre_gas *gas = NULL;
    gyre_gas_def def = gyre_gas_default_def(dim);
    def.grid.n[0] = 32;
    def.grid.n[1] = 24;
    def.grid.n[2] = dim == 3 ? 20 : 1;
    def.grid.h = 0.05f;
    def.half_scalars = half;
    gyre_gas_solid ball = gyre_gas_default_solid();
    ball.shape.kind = GYRE_SHAPE_SPHERE;
    ball.shape.as.sphere.centre[0] = 1.2f;
    ball.shape.as.sphere.centre[1] = 0.9f;
    ball.shape.as.sphere.centre[2] = dim == 3 ? 0.5f : 0.0f;
    ball.shape.as.sphere.radius = 0.15f;
    def.solids = (gyre_pool){&ball, 1, 1};
    must(gyre_gas_create(device, &def, &gas));
    const float middle[3] = {0.8f, 0.6f, 0.5f};
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "density"), middle, 0.25f, 1.0f));
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), middle, 0.25f, 40.0f));
    return gas;
}

static void shift(gyre_gas *gas, int x, int y, int z)
{
    const int32_t cells[3] = {x, y, z};
    must(gyre_model_shift(gyre_gas_model(gas), cells));
}

static void steps(gyre_gas *gas, int count)
{
    for (int i = 0; i < count; i++) {
        must(gyre_gas_step(gas, 1.0f / 60));
    }
}

/// The largest difference of a field over its largest value.
static double apart(gyre_gas *a, gyre_gas *b, int field)
{
    gyre_field_view v, w;
    double most = 0.0, size = 0.0;
    must(gyre_gas_map(a, field, GYRE_READ, &v));
    must(gyre_gas_map(b, field, GYRE_READ, &w));
    assert_memory_equal(&v.grid, &w.grid, sizeof v.grid);
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                most = fmax(most, fabs(x - (double)w.data[i + j * w.stride[1] + k * w.stride[2]]));
                size = fmax(size, fabs(x));
            }
        }
    }
    must(gyre_gas_unmap(a, field));
    must(gyre_gas_unmap(b, field));
    return size > 0.0 ? most / size : most;
}

static void there_and_back(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        for (int dim = 2; dim <= 3; dim++) {
            gyre_gas *gas = made(the_gpu, dim, half), *same = made(the_gpu, dim, half);
            shift(gas, 3, -2, dim == 3 ? 1 : 0);
            assert_true(gyre_model_grid(gyre_gas_model(gas))->origin[0] == 3 * 0.05f);
            shift(gas, -3, 2, dim == 3 ? -1 : 0);
            for (int f = 0; f < gas->states; f++) {
                assert_true(apart(gas, same, f) == 0.0);
            }
            gyre_gas_destroy(gas);
            gyre_gas_destroy(same);
        }
    }
}

static void as_on_the_processor(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *cpu = made(the_cpu, dim, false), *gpu = made(the_gpu, dim, false);
        gyre_gas *both[2] = {cpu, gpu};
        for (int g = 0; g < 2; g++) {
            for (int n = 0; n < 3; n++) {
                steps(both[g], 4);
                shift(both[g], 5, 3 - n, dim == 3 ? 1 - n : 0);
            }
            steps(both[g], 1);
        }
        double worst = 0.0;
        for (int f = 0; f < cpu->states; f++) {
            worst = fmax(worst, apart(cpu, gpu, f));
        }
        gyre_gas_budget a = gyre_gas_get_budget(cpu, cpu->velocities),
                        b = gyre_gas_get_budget(gpu, gpu->velocities);
        double due = b.emitted + b.added + b.edited - b.faded - b.left + b.rounding;
        print_message("%dD: %.2g apart; %.9g and %.9g left, %.2g off its ledger\n", dim, worst,
                      a.left, b.left, fabs(b.total - due));
        assert_true(worst < 1e-3);
        assert_true(a.left > 0.1 * a.total && fabs(a.left - b.left) < 1e-4 * a.left);
        assert_true(fabs(b.total - due) < 1e-6 * (b.total + b.left));
        size_t size = gyre_gas_save_size(gpu);
        void *saved = malloc(size);
        gyre_gas *other = made(the_cpu, dim, false);
        must(gyre_gas_save(gpu, saved, size, NULL));
        must(gyre_gas_load(other, saved, size));
        for (int f = 0; f < cpu->states; f++) {
            assert_true(apart(gpu, other, f) == 0.0);
        }
        free(saved);
        gyre_gas_destroy(other);
        gyre_gas_destroy(cpu);
        gyre_gas_destroy(gpu);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(as_on_the_processor),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
