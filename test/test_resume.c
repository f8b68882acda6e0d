// test/test_resume.c: a run goes on from a saved state with a scene that was changed since.
#define _DEFAULT_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/gyre.h"
#include "gyre/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAVED = 12, END = 24 }; // frames of 1/24 s: the saved one is half a second

#define T "0.5"
#define BALL(name, x, y, radius)                                                                   \
    "{\"name\":\"" name "\",\"shape\":{\"sphere\":{\"centre\":[" x "," y ",0],\"radius\":" radius  \
    "}}}"
#define PUFF(name, density)                                                                        \
    "{\"name\":\"" name "\",\"shape\":{\"sphere\":{\"centre\":[0.3,0.3,0],\"radius\":0.1}},"       \
    "\"density\":" density ",\"temperature\":20}"
#define GAS(more, emitters, solids, timeline)                                                      \
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[24,24,1],\"h\":0.04}," more                  \
    "\"channels\":[{\"name\":\"ink\"}],\"emitters\":[" emitters "],\"solids\":[" solids "]}},"     \
    "\"time\":{\"fps\":24,\"frames\":24},\"timeline\":[" timeline "]}"
#define KEY(time, path, value) "{\"time\":" time ",\"path\":\"" path "\",\"value\":" value "}"
#define MOVE(time, path, value)                                                                    \
    "{\"time\":" time ",\"path\":\"" path "\",\"value\":" value ",\"interpolation\":\"linear\"}"

static char folder[] = "/tmp/gyre_resume_XXXXXX";
static char path[64];
static gyre_device *device;
static int told;
static char last[800];

static void hear(void *context, const char *sentence)
{
    (void)context;
    told++;
    snprintf(last, sizeof last, "%s", sentence);
}

static gyre_scene *parse(const char *text)
{
    gyre_scene *scene;
    if (gyre_scene_parse(text, strlen(text), "test.json", &scene)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static uint64_t run_to(gyre_scene *scene, int frames)
{
    while (gyre_scene_frame(scene) < frames) {
        assert_int_equal(gyre_scene_step_frame(scene), GYRE_OK);
    }
    return gyre_scene_hash(scene);
}

// Saves the state of a scene's half run.
static void save(const char *text)
{
    gyre_scene *scene = parse(text);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    run_to(scene, SAVED);
    assert_int_equal(gyre_scene_save_file(scene, path), GYRE_OK);
    gyre_scene_destroy(scene);
}

static uint64_t whole(const char *text)
{
    gyre_scene *scene = parse(text);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    uint64_t hash = run_to(scene, END);
    gyre_scene_destroy(scene);
    return hash;
}

static uint64_t resumed(const char *text)
{
    gyre_scene *scene = parse(text);
    told = 0;
    last[0] = 0;
    if (gyre_scene_resume(scene, device, path, hear, NULL)) {
        fail_msg("%s", gyre_message());
    }
    assert_int_equal(gyre_scene_frame(scene), SAVED);
    uint64_t hash = run_to(scene, END);
    gyre_scene_destroy(scene);
    return hash;
}

static void refused(const char *text, const char *why)
{
    gyre_scene *scene = parse(text);
    told = 0;
    assert_int_not_equal(gyre_scene_resume(scene, device, path, hear, NULL), GYRE_OK);
    if (!strstr(gyre_message(), why)) {
        fail_msg("found \"%s\", expected \"%s\"", gyre_message(), why);
    }
    assert_int_equal(told, 0);
    gyre_scene_destroy(scene);
}

#define A PUFF("a", "1")
#define B PUFF("b", "0.3")
#define DISK BALL("disk", "0.6", "0.6", "0.1")

static const char plain[] = GAS("", A "," B, DISK, "");

static void what_did_not_change_is_not_touched(void **state)
{
    static const char *const scenes[] = {
        GAS("", A, DISK, ""),
        GAS("\"viscosity\":0.001,", A "," B, DISK,
            KEY("0.25", "gas.emitters.a.enabled", "false") "," MOVE(
                "0.1", "gas.emitters.b.density",
                "1") "," MOVE("0.9", "gas.emitters.b.density",
                              "2") "," KEY("0.3", "gas.solids",
                                           BALL("late", "0.2", "0.7",
                                                "0.1")) "," KEY("0.4", "gas.solids.disk",
                                                                "null") "," KEY("0.45",
                                                                                "gas.solids.late."
                                                                                "shape.sphere."
                                                                                "radius",
                                                                                "0.15")),
        "{\"models\":{\"water\":{\"grid\":{\"dim\":2,\"n\":[32,32,1],\"h\":0.1},\"bodies\":[{"
        "\"name\":\"duck\",\"form\":\"box\",\"size\":[0.5,0.5,0.5],\"position\":[1.5,1.6,0.5],"
        "\"velocity\":[0.3,0,0]}]}},\"time\":{\"fps\":24,\"frames\":24}}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        save(scenes[i]);
        assert_int_equal(resumed(scenes[i]), whole(scenes[i]));
        if (told) {
            fail_msg("%s", last);
        }
    }
}

/// A scene that was edited does from then on what the old one does with the edit in its timeline.
static void edits_count_from_then_on(void **state)
{
    static const struct {
        const char *before, *after, *same;
        int sentences;
        const char *said;
    } cases[] = {
        {plain, GAS("\"viscosity\":0.01,", A "," B, DISK, ""),
         GAS("", A "," B, DISK, KEY(T, "gas.viscosity", "0.01")), 1,
         "gas.viscosity is 0.01 now, the run that was saved had 0.0"},
        {plain, GAS("", PUFF("a", "4") "," B, DISK, ""),
         GAS("", A "," B, DISK, KEY(T, "gas.emitters.a.density", "4")), 1,
         "gas.emitters.a.density is 4.0 now, the run that was saved had 1.0"},
        {plain, GAS("", A "," B, BALL("disk", "0.6", "0.6", "0.2"), ""),
         GAS("", A "," B, DISK, KEY(T, "gas.solids.disk.shape.sphere.radius", "0.2")), 1,
         "gas.solids.disk.shape.sphere.radius is 0.2 now"},
        // The timeline has switched it off; without the timeline it is on.
        {GAS("", A "," B, DISK, KEY("0.25", "gas.emitters.a.enabled", "false")), plain,
         GAS("", A "," B, DISK,
             KEY("0.25", "gas.emitters.a.enabled", "false") "," KEY(T, "gas.emitters.a.enabled",
                                                                    "true")),
         1, "gas.emitters.a.enabled is true now, the run that was saved had false"},
        // What the timeline has overridden stays so.
        {GAS("\"viscosity\":0.5,", A, DISK, KEY("0.25", "gas.viscosity", "0.001")),
         GAS("\"viscosity\":0.7,", A, DISK, KEY("0.25", "gas.viscosity", "0.001")),
         GAS("\"viscosity\":0.5,", A, DISK, KEY("0.25", "gas.viscosity", "0.001")), 0, ""},
        {plain, GAS("", A "," B, DISK "," BALL("more", "0.3", "0.8", "0.1"), ""),
         GAS("", A "," B, DISK, KEY(T, "gas.solids", BALL("more", "0.3", "0.8", "0.1"))), 1,
         "gas.solids.more is new"},
        {plain, GAS("", A "," B, "", ""), GAS("", A "," B, DISK, KEY(T, "gas.solids.disk", "null")),
         1, "gas.solids.disk is gone"},
        {plain, GAS("", B, DISK, ""), GAS("", A "," B, DISK, KEY(T, "gas.emitters.a", "null")), 1,
         "gas.emitters.a is gone"},
        {plain, GAS("", B "," A, DISK, ""),
         GAS("", A "," B, DISK, KEY(T, "gas.emitters.a", "null") "," KEY(T, "gas.emitters", A)), 0,
         ""},
        // Another shape is another element.
        {plain,
         GAS("", A "," B,
             "{\"name\":\"disk\",\"shape\":{\"box\":{\"centre\":[0.6,0.6,0],\"size\":[0.2,0.2,1]}}"
             "}",
             ""),
         GAS("", A "," B, DISK,
             KEY(T, "gas.solids.disk", "null") "," KEY(
                 T, "gas.solids",
                 "{\"name\":\"disk\",\"shape\":{\"box\":{\"centre\":[0.6,0.6,0],\"size\":[0.2,0.2,"
                 "1]}}}")),
         1, "gas.solids.disk is another"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save(cases[i].before);
        uint64_t found = resumed(cases[i].after);
        if (told != cases[i].sentences || !strstr(last, cases[i].said)) {
            fail_msg("case %zu: %d sentences, the last \"%s\", expected \"%s\"", i, told, last,
                     cases[i].said);
        }
        if (found != whole(cases[i].same)) {
            fail_msg("case %zu: another state than with the edit in the timeline", i);
        }
    }
}

// More elements than the scene has room for now.
static void many_elements_may_be_gone(void **state)
{
    char many[8192], list[4096] = "";
    (void)state;
    for (int i = 0; i < 30; i++) {
        char one[120];
        snprintf(one, sizeof one, "%s" PUFF("p%d", "1"), i ? "," : "", i);
        strcat(list, one);
    }
    snprintf(many, sizeof many, GAS("", "%s", DISK, ""), list);
    save(many);
    resumed(GAS("", PUFF("p7", "1"), DISK, ""));
    assert_int_equal(told, 29);
}

static void what_is_fixed_is_refused(void **state)
{
    char text[2048];
    (void)state;
    save(plain);
    snprintf(text, sizeof text, "%s", plain);
    memcpy(strstr(text, "24,24"), "24,32", 5);
    refused(text, "gas.grid.n is [24, 32, 1], the run that was saved had [24, 24, 1]");
    snprintf(text, sizeof text, "%s", plain);
    memcpy(strstr(text, "\"ink\""), "\"dye\"", 5);
    refused(text, "gas.channels is [{\"name\": \"dye\"");
    refused(GAS("\"sides\":{\"y_high\":{\"rule\":\"open\"}},", A "," B, DISK, ""),
            "gas.sides.y_high.rule is \"open\", the run that was saved had \"slip\": it is fixed");
    snprintf(text, sizeof text, "%s", plain);
    memcpy(strstr(text, "\"fps\":24"), "\"fps\":25", 8);
    refused(text, "another frame rate");
}

#define DUCK(turn)                                                                                 \
    "{\"models\":{\"water\":{\"grid\":{\"dim\":2,\"n\":[32,32,1],\"h\":0.1},\"bodies\":[{"         \
    "\"name\":\"duck\",\"size\":[0.8,0.5,0.4],\"position\":[1.5,1.6,0.2],\"spin\":[0,0,50]," turn  \
    "}]}},\"time\":{\"fps\":24,\"frames\":24}}"

// Of a body's orientation and its degrees, those that do not count are no edit.
static void turns_that_count_are_taken(void **state)
{
    static const char plain_duck[] = DUCK("\"orientation\":[0,0,0.6,0.8]");
    (void)state;
    save(plain_duck);
    uint64_t wanted = whole(plain_duck);
    assert_int_equal(resumed(plain_duck), wanted);
    assert_int_equal(resumed(DUCK("\"orientation\":[0,0,0.6,0.8],\"rotation\":[9,0,5]")), wanted);
    assert_int_equal(told, 0);
    assert_int_not_equal(resumed(DUCK("\"orientation\":[0.6,0,0,0.8]")), wanted);
    assert_int_equal(told, 1);
    assert_non_null(strstr(last, "water.bodies.duck.orientation is"));
    assert_int_not_equal(resumed(DUCK("\"rotation\":[40,0,0]")), wanted);
    assert_int_equal(told, 2);
}

#define FED(feeds) GAS("", PUFF("a", "1,\"feeds\":{" feeds "}"), "", "")

// What an emitter feeds by name is edited amount by amount; without one of them it is another.
static void amounts_by_name_are_taken(void **state)
{
    (void)state;
    save(FED("\"ink\":1"));
    uint64_t wanted = whole(FED("\"ink\":1"));
    assert_int_equal(resumed(FED("\"ink\":1")), wanted);
    assert_int_equal(told, 0);
    assert_int_not_equal(resumed(FED("\"ink\":1,\"density\":2")), wanted);
    assert_int_equal(told, 1);
    assert_non_null(strstr(last, "gas.emitters.a.feeds.density is 2.0 now"));
    assert_int_not_equal(resumed(FED("\"ink\":3")), wanted);
    assert_int_equal(told, 1);
    assert_non_null(strstr(last, "gas.emitters.a.feeds.ink is 3.0 now"));
    assert_int_not_equal(resumed(FED("")), wanted);
    assert_int_equal(told, 1);
    assert_non_null(strstr(last, "gas.emitters.a is another"));
}

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/state", folder);
    return gyre_device_create(NULL, &device) == GYRE_OK ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    remove(path);
    return remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_did_not_change_is_not_touched),
        cmocka_unit_test(edits_count_from_then_on),
        cmocka_unit_test(many_elements_may_be_gone),
        cmocka_unit_test(what_is_fixed_is_refused),
        cmocka_unit_test(turns_that_count_are_taken),
        cmocka_unit_test(amounts_by_name_are_taken),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
