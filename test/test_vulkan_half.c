// labels: vulkan
// A gas whose scalars are halves: the same flow as with floats but for what 11 bits lose, the same
// bits after save and load, numbers kept within a half's range, refused by the processor.
//
// How close: a half rounds by 2^-11 = 4.9e-4 of a number at most. Each step rounds twice where
// MacCormack corrects (the prediction, the result), and once more for fading, emitting and
// spreading. The error of a step is as often up as down, and a flow carries it along; 50 steps may
// add up to 50 x 3 x 4.9e-4 = 0.07 of the greatest value where all of them fall the same way.
// `bound` is that: by rounding a jump may be seen in one and not in the other. Velocities see
// scalars through buoyancy alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/half.h"
#include "gas/gas.h"
#include "test/check.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

enum { STEPS = 50 };

static const double bound = 0.07;

static gyre_gas_def halved(int dim, int nx, int ny, int nz)
{
    gyre_gas_def def = sized(dim, nx, ny, nz);
    def.half_scalars = true;
    return def;
}

static gyre_gas *made(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

static float at(const gyre_field_view *v, int i, int j, int k)
{
    return v->data[i + j * v->stride[1] + k * v->stride[2]];
}

/// The largest difference of a field over its largest value in floats.
static double apart(gyre_gas *floats, gyre_gas *halves, int field)
{
    gyre_field_view a, b;
    must(gyre_gas_map(floats, field, GYRE_READ, &a));
    must(gyre_gas_map(halves, field, GYRE_READ, &b));
    double most = 0.0, size = 0.0;
    for (int k = 0; k < a.n[2]; k++) {
        for (int j = 0; j < a.n[1]; j++) {
            for (int i = 0; i < a.n[0]; i++) {
                float x = at(&a, i, j, k), y = at(&b, i, j, k);
                assert_true(isfinite(y));
                most = fmax(most, fabs((double)x - (double)y));
                size = fmax(size, fabs((double)x));
                if (field >= floats->velocities && field < floats->states)
                    assert_true(gy_from_half(gy_to_half(y)) == y);
            }
        }
    }
    must(gyre_gas_unmap(floats, field));
    must(gyre_gas_unmap(halves, field));
    assert_true(size > 0.0);
    return most / size;
}

/// The same gas in floats on the CPU and in halves on the GPU, 50 steps.
static void compare(const char *name, gyre_gas_def *def)
{
    gyre_gas *halves = made(the_gpu, def);
    def->half_scalars = false;
    gyre_gas *floats = made(the_cpu, def);
    for (int i = 0; i < rig_steps(STEPS); i++) {
        must(gyre_gas_step(floats, 0.02f));
        must(gyre_gas_step(halves, 0.02f));
    }
    for (int f = 0; f < floats->states; f++) {
        double a = apart(floats, halves, f);
        printf("    %s: %s %.2g of its greatest value apart\n", name, floats->fields[f].name, a);
        assert_true(a <= bound);
        // They must be two formats, and not the same.
        assert_true(f < floats->velocities || a > 1e-7);
        double sum = gyre_model_total(&floats->model, f),
               other = gyre_model_total(&halves->model, f);
        assert_true(f < floats->velocities || fabs(sum - other) <= bound * fabs(sum));
    }
    gyre_gas_destroy(floats);
    gyre_gas_destroy(halves);
}

/// Buoyancy, fading, spreading, a channel, an open side, a solid.
static void plume_in_2d(void **state)
{
    (void)state;
    gyre_gas_def def = halved(2, 37, 45, 1);
    gyre_gas_emitter e = ball(0.45f, 0.15f, 0.0f, 0.1f);
    gyre_gas_channel dye = {.name = "dye", .diffusivity = 2e-4f};
    gyre_gas_solid stone = gyre_gas_default_solid();
    stone.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE, .as.sphere = {{0.5f, 0.6f, 0.0f}, 0.1f}};
    strcpy(e.channel, "dye");
    e.channel_amount = 2.0f;
    def.density.dissipation = 0.4f;
    def.temperature.diffusivity = 1e-4f;
    def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.channels = (gyre_pool){.items = &dye, .count = 1};
    def.solids = (gyre_pool){.items = &stone, .count = 1};
    compare("a plume", &def);
}

static void periodic_in_3d(void **state)
{
    (void)state;
    gyre_gas_def def = halved(3, 21, 14, 11);
    gyre_gas_emitter e = ball(0.3f, 0.2f, 0.2f, 0.12f);
    e.mode = GYRE_GAS_EMIT_SET;
    e.push = true;
    e.velocity[0] = 0.7f;
    e.velocity[2] = 0.2f;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    compare("a tunnel", &def);
}

/// What a state is made of comes back, and goes on as it would have.
static void saved_and_loaded(void **state)
{
    (void)state;
    gyre_gas_def def = halved(2, 33, 20, 1);
    gyre_gas_emitter e = ball(0.4f, 0.2f, 0.0f, 0.1f);
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    gyre_gas *one = made(the_gpu, &def), *two = made(the_gpu, &def);
    for (int i = 0; i < 7; i++)
        must(gyre_gas_step(one, 0.03f));
    size_t size = gyre_gas_save_size(one);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    must(gyre_gas_save(one, bytes, size, NULL));
    must(gyre_gas_load(two, bytes, size));
    assert_true(gyre_gas_hash(one) == gyre_gas_hash(two));
    for (int i = 0; i < 5; i++) {
        must(gyre_gas_step(one, 0.03f));
        must(gyre_gas_step(two, 0.03f));
    }
    assert_true(gyre_gas_hash(one) == gyre_gas_hash(two));
    // Of floats it is another model's.
    def.half_scalars = false;
    gyre_gas *floats = made(the_cpu, &def);
    assert_int_equal(gyre_gas_load(floats, bytes, size), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), "half_scalars"));
    gyre_gas_destroy(floats);
    gyre_gas_destroy(two);
    gyre_gas_destroy(one);
    free(bytes);
}

static float probed(gyre_gas *gas, int field)
{
    const float point[3] = {0.5f * gas->def->grid.h, 0.5f * gas->def->grid.h,
                            0.5f * gas->def->grid.h};
    float x = 0.0f;
    must(gyre_gas_probe(gas, field, point, 1, &x));
    return x;
}

/// What a host writes is rounded, and cut to what a half can be.
static void written_and_read(void **state)
{
    (void)state;
    static const float pairs[][2] = {{0.1f, 0.0999755859375f}, {1e6f, GY_HALF_MOST},
                                     {-1e20f, -GY_HALF_MOST},  {6e-5f, 0.0f},
                                     {-2.5f, -2.5f},           {1.00048828125f, 1.0f}};
    gyre_gas_def def = halved(3, 9, 8, 7);
    gyre_gas *gas = made(the_gpu, &def);
    int density = gyre_gas_field(gas, "density"), speed = gyre_gas_field(gas, "velocity_y");
    for (int p = 0; p < GY_COUNT(pairs); p++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, density, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++)
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = pairs[p][0];
            }
        }
        must(gyre_gas_unmap(gas, density));
        must(gyre_gas_map(gas, density, GYRE_READ, &v));
        assert_true(at(&v, 0, 0, 0) == pairs[p][1]);
        assert_true(at(&v, 8, 7, 6) == pairs[p][1]);
        must(gyre_gas_unmap(gas, density));
        assert_true(probed(gas, density) == pairs[p][1]);
    }
    // A velocity is a float still.
    gyre_field_view v;
    must(gyre_gas_map(gas, speed, GYRE_WRITE, &v));
    v.data[v.stride[1]] = 0.1f;
    must(gyre_gas_unmap(gas, speed));
    must(gyre_gas_map(gas, speed, GYRE_READ, &v));
    assert_true(v.data[v.stride[1]] == 0.1f);
    must(gyre_gas_unmap(gas, speed));
    gyre_gas_destroy(gas);
}

/// However much comes in, no number becomes infinite.
static void nothing_overflows(void **state)
{
    (void)state;
    gyre_gas_def def = halved(2, 16, 12, 1);
    gyre_gas_emitter e = ball(0.3f, 0.3f, 0.0f, 0.2f);
    e.density = 1e6f;
    e.temperature = -1e6f;
    def.emitters = (gyre_pool){.items = &e, .count = 1};
    def.temperature.diffusivity = 1e-3f;
    gyre_gas *gas = made(the_gpu, &def);
    int density = gyre_gas_field(gas, "density");
    const float centre[3] = {0.7f, 0.5f, 0.0f};
    must(gyre_gas_splat(gas, density, centre, 0.2f, 1e19f));
    float most = 0.0f;
    for (int i = 0; i < 6; i++) {
        must(gyre_gas_step(gas, 0.1f));
        for (int f = 0; f < gas->states; f++) {
            gyre_field_view v;
            must(gyre_gas_map(gas, f, GYRE_READ, &v));
            for (int c = 0; c < v.n[0] * v.n[1]; c++) {
                float x = at(&v, c % v.n[0], c / v.n[0], 0);
                assert_true(isfinite(x));
                assert_true(f < gas->velocities || fabsf(x) <= GY_HALF_MOST);
                most = f == density ? fmaxf(most, x) : most;
            }
            must(gyre_gas_unmap(gas, f));
        }
    }
    assert_true(most == GY_HALF_MOST);
    gyre_gas_destroy(gas);
}

static void others_refuse(void **state)
{
    (void)state;
    gyre_gas_def def = halved(2, 16, 12, 1);
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(the_cpu, &def, &gas), GYRE_ERROR_UNSUPPORTED);
    assert_null(gas);
    assert_non_null(strstr(gyre_message(), "half_scalars"));
    assert_non_null(strstr(gyre_message(), gyre_device_name(the_cpu)));
    assert_null(strchr(gyre_message(), '\n'));
    // It is chosen once.
    gas = made(the_gpu, &def);
    gyre_value off = {.kind = GYRE_BOOL, .count = 1};
    assert_int_equal(gyre_gas_set(gas, "half_scalars", off), GYRE_ERROR_STATE);
    gyre_gas_destroy(gas);
}

/// With as many scalars as there may be, in groups of any size, and in every part of a step.
static void groups_change_no_bit(void **state)
{
    (void)state;
    static const int groups[] = {GY_GAS_TOGETHER, 1, 3};
    static gyre_gas_channel channels[GY_GAS_CHANNELS];
    gyre_gas_def def = halved(3, 21, 12, 9);
    for (int c = 0; c < GY_GAS_CHANNELS; c++)
        snprintf(channels[c].name, sizeof channels[c].name, "dye_%d", c);
    def.channels = (gyre_pool){.items = channels, .count = GY_GAS_CHANNELS};
    uint64_t first = 0;
    for (int g = 0; g < GY_COUNT(groups); g++) {
        gyre_gas *gas = made(the_gpu, &def);
        assert_int_equal(gas->together, GY_GAS_TOGETHER);
        gas->together = groups[g];
        for (int f = 0; f < gas->states; f++) {
            const float centre[3] = {0.1f + 0.04f * (float)f, 0.3f, 0.2f};
            must(gyre_gas_splat(gas, f, centre, 0.25f, 1.0f + 0.3f * (float)f));
        }
        must(gyre_gas_step(gas, 0.02f));
        must(gyre_gas_step(gas, 0.02f));
        uint64_t hash = gyre_gas_hash(gas);
        assert_true(g == 0 || hash == first);
        first = hash;
        gyre_gas_destroy(gas);
    }
}

/// A scalar takes three arrays: what it is carried from, its prediction, which solvers may have the
/// memory of in turn, and what it becomes.
static void less_memory(void **state)
{
    (void)state;
    gyre_gas_def def = halved(3, 64, 64, 64);
    double cells = 64.0 * 64.0 * 64.0, bytes[2];
    for (int half = 0; half < 2; half++) {
        def.half_scalars = half;
        gyre_gas *gas = made(the_gpu, &def);
        bytes[half] = (double)gas->bytes / cells;
        assert_true(!half == !gas->windows);
        gyre_gas_destroy(gas);
    }
    printf("    on the device: %.1f bytes a cell in floats, %.1f in halves\n", bytes[0], bytes[1]);
    // Two scalars and what they become, two bytes less of each.
    assert_true(bytes[0] - bytes[1] >= 8.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plume_in_2d),          cmocka_unit_test(periodic_in_3d),
        cmocka_unit_test(saved_and_loaded),     cmocka_unit_test(written_and_read),
        cmocka_unit_test(nothing_overflows),    cmocka_unit_test(others_refuse),
        cmocka_unit_test(groups_change_no_bit), cmocka_unit_test(less_memory),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
