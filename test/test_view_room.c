// labels: small
// test/test_view_room.c: the room that the viewer gives a scene's lists: patches of sides can be
// put in where there are none, forces and sheets beside those of the scene; it changes no bit.
#define _POSIX_C_SOURCE 200809L
#include "test/check.h"

#include "view/session/inner.h"

#include "gyre/gyre.h"
#include "gyre/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define GAS                                                                                        \
    "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [16, 24, 1], \"h\": 0.1}, \"sides\": "  \
    "{\"y_high\": {\"rule\": \"open\"}}, "                                                         \
    "\"emitters\": [{\"shape\": {\"sphere\": {\"centre\": [0.8, 0.4, 0], \"radius\": 0.2}}, "      \
    "\"temperature\": 40}]"
#define FAN                                                                                        \
    "{\"shape\": {\"sphere\": {\"centre\": [0.8, 1.2, 0], \"radius\": 0.4}}, \"action\": "         \
    "{\"fan\": {\"direction\": [1, 0, 0], \"speed\": 1}}}"
#define SAIL "{\"form\": {\"line\": {\"from\": [0.4, 1.2, 0], \"to\": [1.2, 1.2, 0]}}}"
#define INLET                                                                                      \
    "{\"side\": \"x_low\", \"rule\": \"inflow\", \"velocity\": [1, 0, 0], \"shape\": "             \
    "{\"sphere\": {\"centre\": [0, 1.2, 0], \"radius\": 0.3}}}"
#define REST "}}, \"time\": {\"fps\": 30, \"frames\": 10}}"

static gyre_device *device;

/// A scene as the viewer opens it.
static session_variant opened(const char *text)
{
    char path[] = "/tmp/test_view_room_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    session_variant v = {0};
    must(session_variant_load(&v, &(view_session_def){.scene = path}, device));
    unlink(path);
    return v;
}

static void closed(session_variant *v)
{
    session_log_clear(&v->log);
    gyre_scene_destroy(v->scene);
}

/// Frames later: how far the gas has come.
static uint64_t after(gyre_scene *scene, int frames)
{
    for (int f = 0; f < frames; f++) {
        must(gyre_scene_step_frame(scene));
    }
    return gyre_scene_hash(scene);
}

static void patches_come_by_hand(void **state)
{
    (void)state;
    session_variant v = opened(GAS REST), still = opened(GAS REST);
    must(session_variant_input(&v, "gas.patches", INLET));
    assert_true(after(v.scene, 3) != after(still.scene, 3));
    closed(&still);
    closed(&v);
}

static void beside_those_there_are(void **state)
{
    (void)state;
    session_variant v = opened(GAS ", \"forces\": [" FAN "], \"sheets\": [" SAIL "]" REST);
    must(session_variant_input(&v, "gas.forces", FAN));
    must(session_variant_input(&v, "gas.sheets", SAIL));
    after(v.scene, 1);
    closed(&v);
}

/// Where a scene has no force, the room for some would cost it something: it is told.
static void room_that_costs_is_asked_for(void **state)
{
    (void)state;
    session_variant v = opened(GAS REST);
    assert_true(session_variant_input(&v, "gas.forces", FAN) != GYRE_OK);
    closed(&v);
}

static void room_changes_no_bit(void **state)
{
    (void)state;
    session_variant v = opened(GAS REST);
    gyre_scene *plain = NULL;
    const char *text = GAS REST;
    must(gyre_scene_parse(text, strlen(text), "plain.json", &plain));
    must(gyre_scene_create(plain, device));
    assert_true(after(v.scene, 5) == after(plain, 5));
    gyre_scene_destroy(plain);
    closed(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patches_come_by_hand),
        cmocka_unit_test(beside_those_there_are),
        cmocka_unit_test(room_that_costs_is_asked_for),
        cmocka_unit_test(room_changes_no_bit),
    };
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    if (gyre_device_create(&def, &device) != GYRE_OK) {
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    return failed;
}
