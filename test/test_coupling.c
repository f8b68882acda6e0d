// test/test_coupling.c: couplings between models: an emitter that stays on a water's surface, air
// over a lake, a window of an ocean.
// labels: small
// needs: scene
#define _DEFAULT_SOURCE 1
#include "device_rig.h"
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
#include <unistd.h>

#include <cmocka.h>

#define MODELS                                                                                     \
    "\"models\": {\"pool\": {\"type\": \"water\", \"grid\": {\"n\": [20, 20, 1], \"h\": 0.05}, "   \
    "\"level\": 0.2, \"rain\": 0.3}, \"air\": {\"type\": \"gas\", \"grid\": {\"n\": [20, 20, "     \
    "20], \"h\": 0.05}, \"emitters\": [{\"name\": \"steam\", \"shape\": {\"capsule\": {\"from\": " \
    "[0.3, 0.5, 0.1], \"to\": [0.7, 0.5, 0.3], \"radius\": 0.05}}, \"density\": 2}]}}, "           \
    "\"time\": {\"fps\": 30}"
#define TIED                                                                                       \
    ", \"couplings\": [{\"name\": \"steam\", \"element\": \"air.emitters.steam\", \"surface\": "   \
    "\"pool\", \"offset\": 0.05}]"

static gyre_result make(gyre_device *device, const char *json, gyre_scene **scene)
{
    gyre_result result = gyre_scene_parse(json, strlen(json), "test.json", scene);
    return result ? result : gyre_scene_create(*scene, device);
}

static double middle(gyre_scene *scene)
{
    gyre_value from, to;
    gyre_model *air = gyre_scene_model(scene, 1);
    assert_int_equal(gyre_model_get(air, "emitters.steam.shape.capsule.from", &from), GYRE_OK);
    assert_int_equal(gyre_model_get(air, "emitters.steam.shape.capsule.to", &to), GYRE_OK);
    assert_true(fabs(to.number[2] - from.number[2] - 0.2) < 1e-5); // as it was, but moved
    return 0.5 * (from.number[2] + to.number[2]);
}

static double surface(gyre_scene *scene)
{
    gyre_model *pool = gyre_scene_model(scene, 0);
    float value;
    assert_int_equal(gyre_model_probe(pool, gyre_model_field(pool, "surface"),
                                      (float[]){0.5f, 0.5f, 0}, 1, &value),
                     GYRE_OK);
    return (double)value;
}

// Rain lifts the water by centimetres a step; the steam comes from where it was before the step.
static void steam_stays_on_the_water(void **state)
{
    gyre_scene *scene = NULL;
    double first = 0, before = 0;
    assert_int_equal(make(*state, "{" MODELS TIED ", \"up\": \"z\"}", &scene), GYRE_OK);
    for (int i = 0; i < 20; i++) {
        before = surface(scene);
        first = i == 0 ? before : first;
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_true(fabs(middle(scene) - before - 0.05) < 1e-5);
    }
    print_message("the surface rose from %g to %g m\n", first, before);
    assert_true(before > first + 0.02);
    // Switched off, it stays where it is.
    assert_int_equal(gyre_scene_input(scene, "couplings.steam.enabled", "false"), GYRE_OK);
    double last = middle(scene);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    assert_true(middle(scene) == last);
    // An emitter that has gone is waited for.
    assert_int_equal(gyre_scene_input(scene, "couplings.steam.enabled", "true"), GYRE_OK);
    assert_int_equal(gyre_scene_input(scene, "air.emitters.steam", "null"), GYRE_OK);
    assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    gyre_scene_destroy(scene);
}

// Written as a file and read again it is the same scene.
static void couplings_are_written(void **state)
{
    static char path[] = "/tmp/test_coupling_XXXXXX";
    gyre_scene *scene = NULL, *again = NULL;
    assert_true(mkstemp(path) >= 0);
    assert_int_equal(make(*state, "{" MODELS TIED ", \"up\": \"z\"}", &scene), GYRE_OK);
    assert_int_equal(gyre_scene_write(scene, path), GYRE_OK);
    assert_int_equal(gyre_scene_load(path, &again), GYRE_OK);
    assert_int_equal(gyre_scene_create(again, *state), GYRE_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_int_equal(gyre_scene_step(again), GYRE_OK);
    }
    assert_true(gyre_scene_hash(scene) == gyre_scene_hash(again));
    assert_true(fabs(middle(again) - 0.1) > 0.05);
    gyre_scene_destroy(scene);
    gyre_scene_destroy(again);
    unlink(path);
}

static void what_cannot_be_tied_is_refused(void **state)
{
    static const struct {
        const char *json, *said;
    } cases[] = {
        {"{" MODELS TIED "}", "needs \"up\": \"z\""},
        {"{" MODELS ", \"up\": \"z\", \"couplings\": [{\"element\": \"air.emitters.steam\", "
         "\"surface\": \"air\"}]}",
         "expected the name of a model that has a surface"},
        {"{" MODELS ", \"up\": \"z\", \"couplings\": [{\"element\": \"air.steam\", \"surface\": "
         "\"pool\"}]}",
         "expected the path of an emitter"},
        {"{" MODELS ", \"up\": \"z\", \"couplings\": [{\"elment\": \"air.emitters.steam\"}]}",
         "did you mean \"element\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gyre_scene *scene = NULL;
        assert_int_equal(make(*state, cases[i].json, &scene), GYRE_ERROR_ARGUMENT);
        if (!strstr(gyre_message(), cases[i].said)) {
            fail_msg("%s", gyre_message());
        }
        gyre_scene_destroy(scene);
    }
}

#define SEA                                                                                        \
    "\"models\": {\"ocean\": {\"type\": \"ocean\", \"grid\": {\"n\": [48, 48, 1], \"h\": 1, "      \
    "\"origin\": [-8, -8, 0]}, \"choppiness\": 0.5, \"seas\": [{\"wind_speed\": 9}], \"level\": "  \
    "%s}, "                                                                                        \
    "\"bay\": {\"type\": \"water\", \"grid\": {\"n\": [32, 32, 1], \"h\": 1}, \"bed\": "           \
    "{\"flat\": "                                                                                  \
    "-20}, \"sea\": {\"carries\": \"%s\"}, \"bodies\": [{\"name\": \"raft\", \"size\": [4, 4, "    \
    "1], "                                                                                         \
    "\"position\": [16, 16, 0]}]}}, \"couplings\": [{\"name\": \"sea\", %s}]"

/// A window and its ocean: the water's surface is the sea's, what goes on from a checkpoint is the
/// same, and in a picture one goes over into the other.
static void a_window_has_the_sea(void **state)
{
    static char path[] = "/tmp/test_window_XXXXXX";
    char text[1024];
    gyre_scene *scene = NULL, *again = NULL;
    const char *const tie = "\"window\": \"bay\", \"sea\": \"ocean\"";
    assert_true(mkstemp(path) >= 0);
    snprintf(text, sizeof text, "{" SEA "}", "0", "difference", tie);
    assert_int_equal(make(*state, text, &scene), GYRE_OK);
    assert_int_equal(make(*state, text, &again), GYRE_OK);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    assert_int_equal(gyre_scene_save_file(scene, path), GYRE_OK);
    assert_int_equal(gyre_scene_load_file(again, path), GYRE_OK);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_int_equal(gyre_scene_step(again), GYRE_OK);
    }
    assert_true(gyre_scene_hash(scene) == gyre_scene_hash(again));
    float at[3] = {5.5f, 5.5f, 0.0f}, height;
    const double point[2] = {5.5, 5.5};
    gyre_model *bay = gyre_scene_model(again, 1);
    gyre_ocean_sample sea;
    assert_int_equal(gyre_model_probe(bay, gyre_model_field(bay, "surface"), at, 1, &height),
                     GYRE_OK);
    // The type's own calls take the same object.
    gyre_ocean *ocean = (gyre_ocean *)(void *)gyre_scene_model(again, 0);
    double now = gyre_model_time(gyre_scene_model(again, 0));
    assert_int_equal(gyre_ocean_query(ocean, now, 0.0f, point, 1, &sea), GYRE_OK);
    assert_true(fabsf(sea.height) > 0.005f && fabsf(height - sea.height) < 0.05f);
    gyre_scene_destroy(scene);
    gyre_scene_destroy(again);
    unlink(path);
}

static void windows_that_are_wrong_are_refused(void **state)
{
    static const struct {
        const char *level, *carries, *tie, *said;
    } cases[] = {
        {"0", "difference", "\"window\": \"by\", \"sea\": \"ocean\"", "the name of a water"},
        {"0", "difference", "\"window\": \"bay\", \"sea\": \"bay\"", "the name of an ocean"},
        {"0", "difference", "\"window\": \"bay\", \"sea\": \"ocean\", \"body\": \"raft\"",
         "nothing beside window"},
        {"0", "alone", "\"window\": \"bay\", \"sea\": \"ocean\"", "made to be alone"},
        {"2", "difference", "\"window\": \"bay\", \"sea\": \"ocean\"", "level is 2 m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        gyre_scene *scene = NULL;
        snprintf(text, sizeof text, "{" SEA "}", cases[i].level, cases[i].carries, cases[i].tie);
        assert_true(make(*state, text, &scene) != GYRE_OK);
        if (!strstr(gyre_message(), cases[i].said)) {
            fail_msg("%s", gyre_message());
        }
        gyre_scene_destroy(scene);
    }
}

#define LAKE                                                                                       \
    "\"models\": {\"lake\": {\"type\": \"water\", \"grid\": {\"n\": [12, 8, 1], \"h\": 0.1}, "     \
    "\"level\": 0.33, \"sides\": {\"x_low\": {\"rule\": \"periodic\"}, \"x_high\": {\"rule\": "    \
    "\"periodic\"}}}, \"sky\": {\"type\": \"gas\", \"grid\": {\"n\": [12, 8, 10], \"h\": 0.1}, "   \
    "\"floor\": %s, \"sides\": {\"x_low\": {\"rule\": \"inflow\", \"velocity\": [4, 0, 0]}, "      \
    "\"x_high\": {\"rule\": \"open\"}}}}, \"up\": \"%s\", \"time\": {\"fps\": 30}, "               \
    "\"timeline\": [{\"time\": 0.3, \"path\": \"couplings.wind.drag\", \"value\": 0.5}], "         \
    "\"couplings\": [{\"name\": \"wind\", \"air\": \"%s\", \"surface\": \"%s\", \"drag\": %s}]"

static char *lake(char *text, size_t size, const char *floor, const char *up, const char *air,
                  const char *surface, const char *drag)
{
    snprintf(text, size, "{" LAKE "}", floor, up, air, surface, drag);
    return text;
}

// The wind over a lake drives it, more so when the timeline says; a run that goes on from a
// checkpoint has the same bits.
static void wind_drives_a_lake(void **state)
{
    static char path[] = "/tmp/test_wind_XXXXXX";
    gyre_scene *scene = NULL, *again = NULL;
    char text[2048];
    assert_true(mkstemp(path) >= 0);
    lake(text, sizeof text, "true", "z", "sky", "lake", "0.02");
    assert_int_equal(make(*state, text, &scene), GYRE_OK);
    double flow[2];
    for (int i = 0; i < 16; i++) {
        gyre_model *water = gyre_scene_model(scene, 0);
        if (i == 8 || i == 15) {
            flow[i == 15] = gyre_model_total(water, gyre_model_field(water, "discharge_x"));
        }
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    print_message("a lake goes by %g, then by %g m^4/s\n", flow[0], flow[1]);
    assert_true(flow[0] > 1e-6 && flow[1] > 3.0 * flow[0]);
    assert_int_equal(gyre_scene_save_file(scene, path), GYRE_OK);
    assert_int_equal(make(*state, text, &again), GYRE_OK);
    assert_int_equal(gyre_scene_load_file(again, path), GYRE_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_int_equal(gyre_scene_step(again), GYRE_OK);
    }
    assert_true(gyre_scene_hash(scene) == gyre_scene_hash(again));
    // Switched off, the surface stands still under the air.
    assert_int_equal(gyre_scene_input(scene, "couplings.wind.enabled", "false"), GYRE_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    assert_int_equal(gyre_scene_input(scene, "couplings.wind.enabled", "true"), GYRE_OK);
    assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    gyre_scene_destroy(scene);
    gyre_scene_destroy(again);
    unlink(path);
}

static void wind_that_cannot_blow_is_refused(void **state)
{
    static const char *const cases[][6] = {
        {"false", "z", "sky", "lake", "0.1", "\"sky\" has no floor: set sky.floor to true"},
        {"true", "own", "sky", "lake", "0.1", "needs \"up\": \"z\""},
        {"true", "z", "skye", "lake", "0.1", "expected the name of a gas of the scene"},
        {"true", "z", "lake", "lake", "0.1", "expected the name of a gas of the scene"},
        {"true", "z", "sky", "sky", "0.1", "expected the name of a model that has a surface"},
        {"true", "z", "sky", "lake", "11", "drag"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gyre_scene *scene = NULL;
        char text[2048];
        lake(text, sizeof text, cases[i][0], cases[i][1], cases[i][2], cases[i][3], cases[i][4]);
        assert_true(make(*state, text, &scene) != GYRE_OK);
        if (!strstr(gyre_message(), cases[i][5])) {
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, gyre_message(), cases[i][5]);
        }
        gyre_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steam_stays_on_the_water),
        cmocka_unit_test(couplings_are_written),
        cmocka_unit_test(wind_drives_a_lake),
        cmocka_unit_test(wind_that_cannot_blow_is_refused),
        cmocka_unit_test(a_window_has_the_sea),
        cmocka_unit_test(windows_that_are_wrong_are_refused),
        cmocka_unit_test(what_cannot_be_tied_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
