// Waters of a scene that are nested: by a coupling, drawn as one, what is refused.
// labels: small
// needs: scene
#include "gyre/gyre.h"
#include "gyre/scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static gyre_device *device;

static int set_up(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    def.threads = 2;
    return gyre_device_create(&def, &device) != GYRE_OK;
}

static int tear_down(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return 0;
}

#define SEA                                                                                        \
    "\"sea\": {\"type\": \"water\", \"grid\": {\"n\": [48, 40, 1], \"h\": 0.2}, \"bed\": "         \
    "{\"flat\": -0.5}, \"every\": 2, \"blocks\": [{\"name\": \"drop\", \"level\": %s, \"shape\": " \
    "{\"sphere\": {\"centre\": [2.2, 4, 0], \"radius\": 0.9}}}]}"
#define HARBOUR                                                                                    \
    "\"harbour\": {\"type\": \"water\", \"grid\": {\"n\": [40, 32, 1], \"h\": 0.1, \"origin\": "   \
    "[3, 2.4, 0]}, \"bed\": {\"flat\": -0.5}}"
#define AROUND                                                                                     \
    ", \"camera\": {\"position\": [4.8, -5, 6], \"target\": [4.8, 4, 0], \"up\": [0, 0, 1]}, "     \
    "\"time\": {\"fps\": 50}"
#define NESTED ", \"couplings\": [{\"nest\": \"harbour\", \"in\": \"sea\"}]"

static gyre_result make(const char *json, gyre_scene **scene)
{
    *scene = NULL;
    gyre_result result = gyre_scene_parse(json, strlen(json), "test.json", scene);
    return result ? result : gyre_scene_create(*scene, device);
}

static gyre_scene *made(const char *models, const char *rest)
{
    char json[4096];
    gyre_scene *scene;
    snprintf(json, sizeof json, "{\"models\": {%s}%s%s}", models, AROUND, rest);
    if (make(json, &scene) != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static char sea[1024], both[2048];

static void say(const char *level)
{
    snprintf(sea, sizeof sea, SEA, level);
    snprintf(both, sizeof both, SEA ", " HARBOUR, level);
}

static void waves_run_into_the_harbour(void **state)
{
    (void)state;
    say("0.2");
    for (int tied = 0; tied < 2; tied++) {
        gyre_scene *scene = made(both, tied ? NESTED : "");
        for (int n = 0; n < 60; n++) {
            assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        }
        gyre_water *harbour = gyre_water_of(gyre_scene_model(scene, 1));
        assert_non_null(harbour);
        assert_true((gyre_water_get_stats(harbour).kinetic_energy > 1.0) == tied);
        gyre_scene_destroy(scene);
    }
}

static void a_state_goes_on(void **state)
{
    (void)state;
    say("0.2");
    uint64_t end[2];
    size_t size[2];
    char *kept[2];
    gyre_scene *scene = made(both, NESTED), *other = made(both, NESTED);
    for (int n = 0; n < 23; n++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    for (int m = 0; m < 2; m++) {
        gyre_model *from = gyre_scene_model(scene, m);
        size[m] = gyre_model_save_size(from);
        kept[m] = malloc(size[m]);
        assert_int_equal(gyre_model_save(from, kept[m], size[m], &size[m]), GYRE_OK);
        assert_int_equal(gyre_model_load(gyre_scene_model(other, m), kept[m], size[m]), GYRE_OK);
        free(kept[m]);
    }
    gyre_scene *all[] = {scene, other};
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 15; n++) {
            assert_int_equal(gyre_scene_step(all[k]), GYRE_OK);
        }
        end[k] = gyre_scene_hash(all[k]);
        gyre_scene_destroy(all[k]);
    }
    assert_true(end[0] == end[1]);
}

/// Water at rest looks as if the sea were alone: the join is not seen, nor is anything twice.
static void the_join_is_not_seen(void **state)
{
    (void)state;
    say("0");
    gyre_image image[2];
    for (int k = 0; k < 2; k++) {
        gyre_scene *scene = k ? made(both, NESTED) : made(sea, "");
        assert_int_equal(gyre_image_create(160, 120, &image[k]), GYRE_OK);
        assert_int_equal(gyre_scene_render(scene, &image[k]), GYRE_OK);
        gyre_scene_destroy(scene);
    }
    int most = 0;
    for (int i = 0; i < 3 * 160 * 120; i++) {
        int off = abs((int)image[0].rgb[i] - (int)image[1].rgb[i]);
        most = off > most ? off : most;
    }
    print_message("pixels differ by %d at most\n", most);
    assert_true(most <= 3);
    gyre_image_free(&image[0]);
    gyre_image_free(&image[1]);
}

/// A crate of the scene floats in the finest water, which the coarse one hears of.
static void bodies_float_in_the_finest(void **state)
{
    (void)state;
    say("0");
    gyre_scene *scene = made(
        both, NESTED ", \"up\": \"z\", \"bodies\": [{\"name\": \"crate\", \"motion\": \"free\", "
                     "\"density\": 500, \"position\": [5, 4, 0.3], \"form\": {\"box\": {\"size\": "
                     "[0.6, 0.6, 0.4]}}}]");
    for (int n = 0; n < 150; n++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    gyre_bodies *bodies = gyre_scene_bodies(scene);
    gyre_body crate;
    assert_int_equal(gyre_bodies_read(bodies, gyre_bodies_find(bodies, "crate"), &crate), GYRE_OK);
    assert_true(fabs((double)crate.pose.position[2]) < 0.1); // half of it is under water
    gyre_water *water = gyre_water_of(gyre_scene_model(scene, 0));
    assert_true(gyre_water_get_stats(water).kinetic_energy > 0.0);
    gyre_image image;
    assert_int_equal(gyre_image_create(80, 60, &image), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &image), GYRE_OK);
    gyre_image_free(&image);
    gyre_scene_destroy(scene);
}

static double every_of(const gyre_scene *scene, int model)
{
    gyre_value value;
    assert_int_equal(gyre_model_get(gyre_scene_model(scene, model), "every", &value), GYRE_OK);
    return value.number[0];
}

/// The camera turns away from the harbour, then from both, and back.
static void what_is_not_seen_waits(void **state)
{
    (void)state;
    static const char *const turns[] = {"[4.8, 4, 0]", "[-3.2, 4, 0]", "[4.8, -40, 0]",
                                        "[4.8, 4, 0]"};
    static const double waits[4][2] = {{2, 1}, {2, 5}, {5, 5}, {2, 1}};
    say("0.2");
    gyre_scene *scene = made(both, NESTED ", \"view\": {\"unseen\": 5}");
    assert_int_equal(gyre_scene_set(scene, "view.unseen", "3"), GYRE_ERROR_STATE);
    for (int k = 0; k < 4; k++) {
        gyre_water_together all;
        assert_int_equal(gyre_scene_input(scene, "camera.target", turns[k]), GYRE_OK);
        for (int n = 0; n < 13; n++) {
            assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        }
        for (int m = 0; m < 2; m++) {
            assert_true(every_of(scene, m) == waits[k][m]);
        }
        gyre_water *water = gyre_water_of(gyre_scene_model(scene, 0));
        assert_int_equal(gyre_water_count_together(water, &all), GYRE_OK);
        assert_true(fabs(all.error) < 2e-7 * all.volume);
    }
    gyre_scene_destroy(scene);
}

static void refused(const char *models, const char *rest, const char *what)
{
    char json[4096];
    gyre_scene *scene;
    snprintf(json, sizeof json, "{\"models\": {%s}%s%s}", models, AROUND, rest);
    assert_int_equal(make(json, &scene), GYRE_ERROR_ARGUMENT);
    if (!strstr(gyre_message(), what)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), what);
    }
    gyre_scene_destroy(scene);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    char turned[2048];
    say("0");
    snprintf(turned, sizeof turned, HARBOUR ", %s", sea);
    refused(both, ", \"couplings\": [{\"nest\": \"harbor\", \"in\": \"sea\"}]",
            "couplings.0.nest: found \"harbor\", expected the name of a water");
    refused(both, ", \"couplings\": [{\"nest\": \"harbour\", \"in\": \"see\"}]",
            "couplings.0.in: found \"see\"");
    refused(turned, NESTED, "expected a water that the scene names after");
    refused(both, ", \"couplings\": [{\"nest\": \"harbour\", \"in\": \"sea\", \"body\": \"x\"}]",
            "nothing beside");
    refused(both, ", \"couplings\": [{\"nest\": \"sea\", \"in\": \"sea\"}]", "nested in itself");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_float_in_the_finest),
        cmocka_unit_test(waves_run_into_the_harbour),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(the_join_is_not_seen),
        cmocka_unit_test(what_is_not_seen_waits),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
