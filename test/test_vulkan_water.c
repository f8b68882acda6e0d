// labels: vulkan
// Whole waters of linear waves on a Vulkan device against the CPU, with all that may happen to
// them; a plain step is one submission that waits for nothing; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef GY_WITH_VULKAN
#include "device/vulkan/vulkan.h"
#endif
#include "test/vulkan_water.h"

static void waters_like_the_cpus(void **state)
{
    (void)state;
    for (int i = 0; i < GY_COUNT(stories); i++) {
        told_twice(&stories[i]);
    }
}

/// A plain step is handed over in one and waits for nothing; so is one in several substeps, and one
/// that clamps slopes. What the host works at costs one wait, whatever else it works at.
static void submissions_and_waits_of_a_step(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int submissions, waits; // what is waited for at the end ends the step's one submission
    } expected[] = {{"drop", 1, 0},  {"round", 1, 0}, {"canal", 1, 0},  {"late", 1, 0},
                    {"split", 1, 0}, {"steep", 1, 0}, {"bodies", 1, 1}, {"weir", 1, 1},
                    {"open", 1, 1},  {"layer", 1, 1}, {"sleepy", 1, 1}, {"asked", 1, 1},
                    {"rain", 2, 1},  {"pour", 2, 1},  {"hill", 2, 1},   {"few", 2, 1}};
    for (int i = 0; i < GY_COUNT(expected); i++) {
        const story *s = story_of(expected[i].name);
        gyre_water *water = make_water(s, the_gpu);
        drop(water, 0);
        OK(gyre_water_step(water, s->dt));
        for (int n = 0; n < 4; n++) {
            OK(gyre_device_wait(the_gpu));
            uint64_t before = the_gpu->submissions, waited = the_gpu->waits;
            OK(gyre_water_step(water, s->dt));
            int submissions = (int)(the_gpu->submissions - before);
            int waits = (int)(the_gpu->waits - waited);
            if (submissions != expected[i].submissions || waits != expected[i].waits) {
                fail_msg("%s, step %d: %d submissions, %d waits", s->name, n, submissions, waits);
            }
        }
        // Statistics fetch once, however often they are asked for.
        gyre_water_get_stats(water);
        uint64_t waited = the_gpu->waits;
        gyre_water_get_stats(water);
        gyre_water_hash(water);
        assert_true(the_gpu->waits == waited);
        gyre_water_destroy(water);
    }
}

static void refused(gyre_water_def *def, const char *words)
{
    gyre_water *water = NULL;
    assert_int_equal(gyre_water_create(the_gpu, def, &water), GYRE_ERROR_UNSUPPORTED);
    assert_null(water);
    if (!strstr(gyre_message(), words)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), words);
    }
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    def.grid.n[0] = def.grid.n[1] = 64;
    def.bed.flat = -1.0f;
    def.mode = GYRE_WATER_SHALLOW;
    def.max_slope = 0.1f;
    refused(&def, "mode shallow: max_slope is not made on this device");
    def.max_slope = 0.0f;
    def.mode = GYRE_WATER_DISPERSIVE;
    refused(&def, "mode dispersive: the device vulkan has no op");
    def.mode = GYRE_WATER_WAVE;
    gyre_water *water = NULL;
    OK(gyre_water_create(the_gpu, &def, &water));
    // Nor may it become one later; what it was it is again.
    gyre_value value;
    assert_int_not_equal(gyre_water_set(water, "mode", gyre_string("shallow")), GYRE_OK);
    OK(gyre_water_get(water, "mode", &value));
    assert_string_equal(value.string, "wave");
    gyre_vulkan_field field;
    static const char *const kept[] = {"discharge_x", "discharge_y", "speed", "velocity_x",
                                       "awake"};
    for (int f = 0; f < GY_COUNT(kept); f++) {
        int at = gyre_model_field(gyre_water_model(water), kept[f]);
        assert_int_equal(gyre_vulkan_share(gyre_water_model(water), at, &field),
                         GYRE_ERROR_UNSUPPORTED);
        assert_non_null(strstr(gyre_message(), kept[f]));
    }
    gyre_water_destroy(water);
    OK(gyre_water_create(the_cpu, &def, &water));
    assert_int_equal(gyre_vulkan_share(gyre_water_model(water), 0, &field), GYRE_ERROR_UNSUPPORTED);
    gyre_water_destroy(water);
}

typedef struct question {
    const gyre_water *water;
    float height[8];
} question;

static void ask(void *argument, int i)
{
    question *q = argument;
    gyre_water_sample sample;
    q->height[i] = gyre_water_query(q->water, (const float[2]){3.0f, 2.5f}, 1, &sample) == GYRE_OK
                       ? sample.height
                       : -1.0f;
}

/// Several threads ask between steps: one of them fetches, the others wait for it.
static void questions_of_several_threads(void **state)
{
    (void)state;
    const story *s = story_of("drop");
    gyre_water *pair[2] = {make_water(s, the_cpu), make_water(s, the_gpu)};
    question q[2] = {{.water = pair[0]}, {.water = pair[1]}};
    for (int n = 0; n < 20; n++) {
        for (int d = 0; d < 2; d++) {
            drop(pair[d], n);
            OK(gyre_water_step(pair[d], s->dt));
            uint64_t waited = the_gpu->waits;
            gyre_device_parallel_for(the_cpu, 8, ask, &q[d]);
            assert_int_equal(the_gpu->waits - waited, d);
        }
        for (int i = 0; i < 8; i++) {
            assert_true(q[1].height[i] == q[0].height[0]);
        }
    }
    gyre_water_destroy(pair[0]);
    gyre_water_destroy(pair[1]);
}

#ifdef GY_WITH_VULKAN
static VKAPI_ATTR VkResult VKAPI_CALL is_lost(VkQueue queue, uint32_t count,
                                              const VkSubmitInfo *submits, VkFence fence)
{
    (void)queue, (void)count, (void)submits, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}
#endif

/// Steps and looks fail from then on, and nothing else happens.
static void a_lost_device_says_so(void **state)
{
    (void)state;
#ifdef GY_WITH_VULKAN
    const story *s = story_of("all");
    gyre_device_def def = rig_gpu_def();
    gyre_device *device = NULL;
    gyre_field_view v;
    def.host.log = NULL;
    OK(gyre_device_create(&def, &device));
    gyre_water *water = make_water(s, device);
    OK(gyre_water_step(water, s->dt));
    ((gy_vulkan *)device->state)->call.vkQueueSubmit = is_lost;
    for (int n = 0; n < 3; n++) {
        assert_int_equal(gyre_water_step(water, s->dt), GYRE_ERROR_DEVICE);
        assert_non_null(strstr(gyre_message(), "was lost"));
        assert_int_equal(gyre_water_map(water, gyre_water_field(water, "height"), GYRE_READ, &v),
                         GYRE_ERROR_DEVICE);
        gyre_water_get_stats(water);
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waters_like_the_cpus),
        cmocka_unit_test(saved_on_one_loaded_on_the_other),
        cmocka_unit_test(submissions_and_waits_of_a_step),

        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(questions_of_several_threads),
        cmocka_unit_test(a_lost_device_says_so),
    };
    if (!vulkan_rig_open())
        return VULKAN_RIG_SKIPPED;
    the_mode = GYRE_WATER_WAVE;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + vulkan_rig_close();
}
