// labels: vulkan
// Fields of a GPU read into a caller's memory, and vectors at points: what windows show, from
// halves and from tiles, too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/copy_rules.h"
#include "test/vulkan_gas.h"
#include "test/vulkan_rig.h"

static void stirred(gyre_model *model)
{
    const float centre[3] = {0.4f, 0.5f, 0.5f};
    window_ok(gyre_model_splat(model, 0, centre, 0.35f, 0.4f));
    window_ok(gyre_model_splat(model, 1, centre, 0.3f, -0.3f));
    window_ok(gyre_model_step(model, 0.01f));
    window_ok(gyre_model_step(model, 0.01f));
    copy_rules(model, false);
    // What is read is what the device has now, not what it had when it was last read.
    float before, after;
    gyre_copy one = {.low = {11, 12, 0}, .size = {1, 1, 1}, .to = &before, .bytes = 4};
    window_ok(gyre_model_copy(model, &one));
    window_ok(gyre_model_splat(model, 0, centre, 0.35f, 0.4f));
    window_ok(gyre_model_step(model, 0.01f));
    one.to = &after;
    window_ok(gyre_model_copy(model, &one));
    assert_true(before != after);
    float value, point[3];
    gyre_grid_position(gyre_model_grid(model), gyre_model_fields(model, &(int){0})[0].location, 11,
                       12, 0, point);
    window_ok(gyre_model_probe(model, 0, point, 1, &value));
    assert_true(fabsf(value - after) < 1e-3f);
}

static void gases(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        gyre_gas_def def = which == 1 ? sized(3, 20, 18, 17) : sized(2, 32, 27, 1);
        gyre_gas_emitter jet = ball(0.4f, 0.4f, 0.4f, 0.2f);
        gyre_gas *gas = NULL;
        def.half_scalars = which > 0;
        def.emitters = (gyre_pool){&jet, 1, 1};
        window_ok(gyre_gas_create(the_gpu, &def, &gas));
        stirred(gyre_gas_model(gas));
        gyre_gas_destroy(gas);
    }
}

static void waves(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water = NULL;
    def.mode = GYRE_WATER_WAVE;
    def.grid.n[0] = 70;
    def.grid.n[1] = 66;
    def.grid.h = 1.0f / 64;
    def.bed.flat = -1.0f;
    window_ok(gyre_water_create(the_gpu, &def, &water));
    stirred(gyre_water_model(water));
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gases),
        cmocka_unit_test(waves),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
