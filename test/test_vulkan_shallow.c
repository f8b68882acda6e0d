// labels: vulkan
// Whole waters of mode shallow on a Vulkan device against the CPU, with all that may happen to
// them: dry ground, sides with rules, bodies, gates, rain, friction, tiles that sleep.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/vulkan_water.h"

/// Ground that rises from a basin out of the water on one side and through it as hills.
static void put_ground(gyre_water *water)
{
    gyre_field_view v;
    OK(gyre_water_map(water, gyre_water_field(water, "bed"), GYRE_WRITE, &v));
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            float x = (float)i / (float)v.n[0], y = (float)j / 97.0f;
            v.data[i + j * v.stride[1]] = -1.0f + 1.4f * x * x + 0.7f * sinf(9 * x) * sinf(7 * y);
        }
    }
    OK(gyre_water_unmap(water, gyre_water_field(water, "bed")));
}

/// A dam that has broken over wet and dry ground.
static void dam(gyre_water *water, int step)
{
    gyre_field_view v;
    if (step > 0) {
        return;
    }
    put_ground(water);
    OK(gyre_water_map(water, 0, GYRE_WRITE, &v));
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            v.data[i + j * v.stride[1]] = i < v.n[0] / 3 ? 1.0f : 0.0f;
        }
    }
    OK(gyre_water_unmap(water, 0));
}

static void fill_rough(gyre_water_def *def)
{
    def->manning = 0.03f;
    def->friction = 0.02f;
    def->damping = 0.05f;
    def->speed_cap = 3.0f;
}

static void fill_tank(gyre_water_def *def)
{
    def->acceleration[0] = 0.7f;
    def->acceleration[1] = -0.4f;
}

static void fill_dry(gyre_water_def *def)
{
    fill_rain(def);
    def->rain = 0.02f;
}

static void fill_exact_alone(gyre_water_def *def)
{
    def->exact = true;
}

/// Inflows of the other kinds.
static void fill_river(gyre_water_def *def)
{
    def->sides.x_low.rule = GYRE_WATER_INFLOW;
    def->sides.x_low.inflow = GYRE_WATER_DISCHARGE;
    def->sides.x_low.discharge = 0.6f;
    def->sides.x_high.rule = GYRE_WATER_INFLOW;
    def->sides.x_high.inflow = GYRE_WATER_STAGE;
    def->sides.x_high.level = 0.1f;
}

static const story shallow_stories[] = {
    {"dam", {130, 97}, 0.02f, fill_nothing, dam},
    {"dam, round", {128, 128}, 0.02f, fill_round, dam},
    {"dam, rough", {200, 66}, 0.02f, fill_rough, dam},
    {"dam, shaken", {130, 97}, 0.02f, fill_tank, dam},
    {"dam, rain", {130, 97}, 0.02f, fill_dry, dam},
    {"dam, open", {130, 97}, 0.02f, fill_open, dam},
    {"dam, exact", {130, 97}, 0.02f, fill_exact_alone, dam},
    {"river", {130, 97}, 0.02f, fill_river, dam},
    {"channel", {200, 1}, 0.03f, fill_river, dam},
    {"dam, long steps", {130, 97}, 0.2f, fill_nothing, dam},
};

/// What linear waves know alone.
static bool is_of_waves(const story *s)
{
    return s->fill == fill_steep || s->fill == fill_exact_rain || s->fill == fill_exploding ||
           s->fill == fill_turning;
}

static void shallow_waters_like_the_cpus(void **state)
{
    (void)state;
    for (int i = 0; i < GY_COUNT(shallow_stories); i++) {
        told_twice(&shallow_stories[i]);
    }
}

static void stories_of_waves_in_shallow_water(void **state)
{
    (void)state;
    for (int i = 0; i < GY_COUNT(stories); i++) {
        if (!is_of_waves(&stories[i])) {
            told_twice(&stories[i]);
        }
    }
}

/// A step in one substep over ground without rules waits once: for how fast its waves are.
static void waits_of_a_step(void **state)
{
    (void)state;
    gyre_water *water = make_water(&shallow_stories[0], the_gpu);
    dam(water, 0);
    OK(gyre_water_step(water, 0.002f));
    for (int n = 0; n < 3; n++) {
        OK(gyre_device_wait(the_gpu));
        uint64_t waited = the_gpu->waits;
        OK(gyre_water_step(water, 0.002f));
        assert_int_equal(the_gpu->waits - waited, 1);
    }
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shallow_waters_like_the_cpus),
        cmocka_unit_test(stories_of_waves_in_shallow_water),
        cmocka_unit_test(saved_on_one_loaded_on_the_other),
        cmocka_unit_test(waits_of_a_step),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    the_mode = GYRE_WATER_SHALLOW;
    if (!strstr(gyre_device_name(the_gpu), "llvmpipe")) {
        // Divisions and roots may be off there; a front that is a cell further is a front.
        alike = (rig_bound){0, 2e-3};
        alike_numbers = 1e-3;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
