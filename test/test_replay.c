// labels: slow
// What is put in while a scene runs: recorded, replayed to the same bits, written as a scene; and
// timelines that add elements and take them away.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/maths.h"
#include "gyre/scene.h"

static const char gas_2d[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [24, 32, 1], \"h\": 0.05 },\n"
    "  \"emitters\": [ { \"name\": \"jet\", \"shape\": { \"sphere\": { \"centre\": [0.6, 0.3, 0],"
    " \"radius\": 0.2 } }, \"density\": 1, \"temperature\": 30, \"noise\": 0.5 } ] } },\n"
    "  \"time\": { \"fps\": 24, \"frames\": 40, \"steps_per_frame\": 3, \"seed\": 7 },\n"
    "  \"timeline\": [\n"
    "  { \"time\": 0.2, \"path\": \"gas.emitters.jet.density\", \"value\": 0.25,"
    " \"interpolation\": \"linear\" },\n"
    "  { \"time\": 0.9, \"path\": \"gas.emitters.jet.density\", \"value\": 2 },\n"
    "  { \"time\": 0.3, \"path\": \"gas.solids\", \"value\": { \"name\": \"rock\","
    " \"shape\": { \"sphere\": { \"centre\": [0.6, 1, 0], \"radius\": 0.15 } } } },\n"
    "  { \"time\": 0.5, \"path\": \"gas.solids.rock.enabled\", \"value\": false },\n"
    "  { \"time\": 0.6, \"path\": \"gas.solids.rock\", \"value\": null } ] }\n";

static const char gas_3d[] =
    "{ \"models\": { \"smoke\": { \"type\": \"gas\", \"grid\": { \"dim\": 3, \"n\": [12, 16, 12],"
    " \"h\": 0.1 }, \"viscosity\": 0.001,\n"
    "  \"emitters\": [ { \"name\": \"jet\", \"shape\": { \"sphere\": { \"centre\": [0.6, 0.3, 0.6],"
    " \"radius\": 0.25 } }, \"density\": 1, \"temperature\": 30 } ] } } }\n";

static const char classic[] =
    "{ \"models\": { \"classic\": { \"grid\": { \"dim\": 2, \"n\": [24, 32, 1], \"h\": 0.05 },\n"
    "  \"confinement\": 1, \"emitters\": [ { \"name\": \"jet\", \"shape\": { \"sphere\": {"
    " \"centre\": [0.6, 0.3, 0], \"radius\": 0.2 } }, \"density\": 6, \"force\": [0, 4, 0] } ] } "
    "},\n"
    "  \"timeline\": [\n"
    "  { \"time\": 0.2, \"path\": \"classic.emitters.jet.density\", \"value\": 0.25,"
    " \"interpolation\": \"linear\" },\n"
    "  { \"time\": 2, \"path\": \"classic.emitters.jet.density\", \"value\": 9 } ] }\n";

static gyre_device *device_of(void)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    return device;
}

static gyre_scene *scene_of(const char *text, const char *name)
{
    gyre_scene *scene = NULL;
    if (gyre_scene_parse(text, strlen(text), name, &scene)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static void make(gyre_scene *scene, gyre_device *device)
{
    if (gyre_scene_create(scene, device)) {
        fail_msg("%s", gyre_message());
    }
}

static void step(gyre_scene *scene)
{
    if (gyre_scene_step(scene)) {
        fail_msg("%s", gyre_message());
    }
}

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/// Puts in something that depends on `at` alone; some of it is refused, which changes nothing.
static void put_in(gyre_scene *scene, const char *model, uint32_t at, int *added)
{
    char path[128], value[256];
    double u = (double)gy_random_unit(5, 3 * at), v = (double)gy_random_unit(5, 3 * at + 1);
    switch (gy_random(5, 3 * at + 2) % 8) {
    case 0:
        snprintf(path, sizeof path, "%s.emitters.jet.density", model);
        snprintf(value, sizeof value, "%.9g", 3 * u);
        break;
    case 1:
        snprintf(path, sizeof path, "%s.solids", model);
        snprintf(value, sizeof value,
                 "{\"name\": \"p%d\", \"shape\": {\"sphere\": {\"centre\": [%.9g, %.9g, 0.5], "
                 "\"radius\": %.9g}}}",
                 (*added)++, 1.2 * u, 1.6 * v, 0.05 + 0.1 * u);
        break;
    case 2:
        snprintf(path, sizeof path, "%s.solids.p%d", model, *added / 2);
        snprintf(value, sizeof value, "null");
        break;
    case 3:
        snprintf(path, sizeof path, "%s.emitters.jet.shape.sphere.centre", model);
        snprintf(value, sizeof value, "[%.9g, %.9g, 0.5]", 1.2 * u, 0.5 * v);
        break;
    case 4:
        snprintf(path, sizeof path, "%s.advection", model);
        snprintf(value, sizeof value, "%s",
                 u < 0.25   ? "\"maccormack\""
                 : u < 0.5  ? "\"bfecc\""
                 : u < 0.75 ? "\"cubic\""
                            : "\"semi_lagrangian\"");
        break;
    case 5:
        snprintf(path, sizeof path, "view.map");
        snprintf(value, sizeof value, "%s", u < 0.5 ? "\"magma\"" : "\"viridis\"");
        break;
    case 6:
        snprintf(path, sizeof path, "%s.emitters", model);
        snprintf(value, sizeof value,
                 "{\"name\": \"e%d\", \"push\": true, \"velocity\": [%.9g, 1, 0], \"shape\": "
                 "{\"capsule\": {\"from\": [0.2, %.9g, 0.5], \"to\": [0.8, 0.4, 0.5], \"radius\": "
                 "0.1}}}",
                 (*added)++, 2 * u - 1, v);
        break;
    default:
        snprintf(path, sizeof path, "%s.viscosity", model);
        snprintf(value, sizeof value, "%.9g", 0.01 * u);
        break;
    }
    gyre_scene_input(scene, path, value);
}

enum { STEPS = 80, EVERY = 10 };

/// Records a session, replays it, and compares the states all along.
static void check_session(const char *text, const char *model, const char *name)
{
    gyre_device *device = device_of();
    char pool[64];
    uint64_t hashes[STEPS / EVERY], hash = 0;
    int added = 0;
    int64_t steps = 0;
    write_text(in_folder(name), text);
    gyre_scene *scene;
    assert_int_equal(gyre_scene_load(in_folder(name), &scene), GYRE_OK);
    for (int p = 0; p < 2; p++) {
        snprintf(pool, sizeof pool, "%s.%s", model, p ? "solids" : "emitters");
        assert_int_equal(gyre_scene_reserve(scene, pool, 40), GYRE_OK);
    }
    make(scene, device);
    for (uint32_t s = 0; s < STEPS; s++) {
        put_in(scene, model, s, &added);
        step(scene);
        if (s % EVERY == EVERY - 1) {
            hashes[s / EVERY] = gyre_scene_hash(scene);
        }
    }
    assert_true(added > 5);
    const char *replay = in_folder("session.replay.json");
    if (gyre_replay_write(scene, replay)) {
        fail_msg("%s", gyre_message());
    }
    gyre_scene_destroy(scene);

    char named[256];
    assert_int_equal(gyre_replay_scene(replay, named, sizeof named), GYRE_OK);
    assert_string_equal(named, in_folder(name));
    assert_int_equal(gyre_scene_load(named, &scene), GYRE_OK);
    if (gyre_replay_load(scene, replay, &steps, &hash)) {
        fail_msg("%s", gyre_message());
    }
    assert_int_equal(steps, STEPS);
    make(scene, device);
    for (uint32_t s = 0; s < STEPS; s++) {
        step(scene);
        if (s % EVERY == EVERY - 1) {
            assert_int_equal(gyre_scene_hash(scene), hashes[s / EVERY]);
        }
    }
    assert_int_equal(gyre_scene_hash(scene), hash);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static void a_replay_comes_to_the_same_bits(void **state)
{
    (void)state;
    check_session(gas_2d, "gas", "flat.json");
    check_session(gas_3d, "smoke", "deep.json");
    check_session(classic, "classic", "paper.json");
}

/// Settings made before the first step, written, and run again.
static void a_written_scene_runs_to_the_same_bits(void **state)
{
    static const char *const texts[] = {gas_2d, gas_3d, classic};
    static const char *const models[] = {"gas", "smoke", "classic"};
    gyre_device *device = device_of();
    (void)state;
    for (int t = 0; t < 3; t++) {
        gyre_scene *scene = scene_of(texts[t], "s.json"), *again = NULL;
        char pool[64];
        int added = 0;
        for (int p = 0; p < 2; p++) {
            snprintf(pool, sizeof pool, "%s.%s", models[t], p ? "solids" : "emitters");
            assert_int_equal(gyre_scene_reserve(scene, pool, 40), GYRE_OK);
        }
        make(scene, device);
        for (uint32_t i = 0; i < 30; i++) {
            put_in(scene, models[t], 100 + i, &added);
        }
        if (gyre_scene_write(scene, in_folder("written.json")) ||
            gyre_scene_load(in_folder("written.json"), &again)) {
            fail_msg("%s", gyre_message());
        }
        make(again, device);
        assert_int_equal(gyre_scene_get_settings(again)->view.map,
                         gyre_scene_get_settings(scene)->view.map);
        for (int s = 0; s < 40; s++) {
            step(scene);
            step(again);
        }
        assert_int_equal(gyre_scene_hash(scene), gyre_scene_hash(again));
        // Written once more, it is the same file.
        char first[16384], second[16384];
        assert_int_equal(gyre_scene_write(again, in_folder("again.json")), GYRE_OK);
        FILE *a = fopen(in_folder("written.json"), "r"), *b = fopen(in_folder("again.json"), "r");
        assert_non_null(a);
        assert_non_null(b);
        size_t na = fread(first, 1, sizeof first, a), nb = fread(second, 1, sizeof second, b);
        fclose(a);
        fclose(b);
        assert_true(na > 100 && na < sizeof first && na == nb);
        assert_memory_equal(first, second, na);
        gyre_scene_destroy(scene);
        gyre_scene_destroy(again);
    }
    gyre_device_destroy(device);
}

static void refused(gyre_scene *scene, const char *path, const char *json, const char *part)
{
    uint64_t before = gyre_scene_hash(scene);
    assert_int_not_equal(gyre_scene_input(scene, path, json), GYRE_OK);
    if (!strstr(gyre_message(), part)) {
        fail_msg("%s = %s: found \"%s\", expected \"%s\" in it", path, json, gyre_message(), part);
    }
    assert_int_equal(gyre_scene_hash(scene), before);
}

static void what_is_wrong_is_refused(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(gas_2d, "s.json");
    (void)state;
    assert_int_equal(gyre_scene_input(scene, "gas.viscosity", "1"), GYRE_ERROR_STATE);
    make(scene, device);
    refused(scene, "gas.viscosty", "1",
            "gas.viscosty: unknown property \"viscosty\", did you mean");
    refused(scene, "gas.viscosity", "-1", "gas.viscosity: found -1");
    refused(scene, "gas.viscosity", "\"thick\"", "found the text \"thick\"");
    refused(scene, "gas.viscosity", "{", "not JSON");
    refused(scene, "gas.grid.h", "1", "fixed");
    refused(scene, "time.fps", "1", "fixed");
    refused(scene, "gas.solids", "{\"shape\": {\"spere\": {}}}", "did you mean \"sphere\"");
    refused(scene, "gas.solids", "null", "element of a list");
    refused(scene, "gas.solids.gone", "null", "no such element");
    refused(scene, "gas.emitters.jet.name", "\"x\"", "fixed");
    refused(scene, "gas.solids",
            "{\"shape\": {\"capsule\": {\"from\": [1, 1, 0], \"to\": [1, 1, 0], \"radius\": 0}}}",
            "gas.solids");
    refused(scene, "gas.emitters.jet", "{}", "path of a list");
    refused(scene, "gas.nothing", "{}", "path of a list");
    refused(scene, "gass.solids", "3", "did you mean \"gas\"");
    // None of it was recorded.
    assert_int_equal(gyre_replay_write(scene, in_folder("none.json")), GYRE_OK);
    FILE *f = fopen(in_folder("none.json"), "r");
    char text[4096] = "";
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_non_null(strstr(text, "\"timeline\": []"));
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static void a_damaged_replay_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "not JSON"},
        {"[]", "expected a replay"},
        {"{\"scene\": \"a\", \"steps\": 1, \"hash\": \"0123\"}", "16 hexadecimal digits"},
        {"{\"scene\": \"a\", \"steps\": -1, \"hash\": \"0123456789abcdef\"}", "number of steps"},
        {"{\"steps\": 1, \"hash\": \"0123456789abcdef\"}", "name of a scene"},
        {"{\"scene\": \"a\", \"steps\": 1, \"hash\": \"0123456789abcdef\", \"extra\": 1}",
         "unknown member \"extra\""},
        {"{\"scene\": \"a\", \"steps\": 1, \"hash\": \"0123456789abcdef\", \"timeline\": [{"
         "\"time\": 0, \"path\": \"gas.viscosty\", \"value\": 1}]}",
         "bad.json:1:89: timeline.0.path: gas.viscosty"},
        {"{\"scene\": \"a\", \"steps\": 1, \"hash\": \"0123456789abcdef\", \"timeline\": [{"
         "\"time\": 2, \"path\": \"gas.solids.rock\", \"value\": null}]}",
         "element that is there then"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gyre_scene *scene = scene_of(gas_2d, "s.json");
        write_text(in_folder("bad.json"), bad[i].text);
        assert_int_not_equal(gyre_replay_load(scene, in_folder("bad.json"), NULL, NULL), GYRE_OK);
        if (!strstr(gyre_message(), bad[i].message)) {
            fail_msg("found \"%s\", expected \"%s\" in it", gyre_message(), bad[i].message);
        }
        gyre_scene_destroy(scene);
    }
}

static void a_timeline_adds_and_takes_away(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(gas_2d, "s.json");
    gyre_value value;
    bool seen = false, shut = false;
    (void)state;
    make(scene, device);
    for (int s = 0; s < 60; s++) {
        step(scene);
        double time = (double)s / 72;
        gyre_result there = gyre_scene_get(scene, "gas.solids.rock.enabled", &value);
        bool expected = time > 0.301 && time < 0.599;
        if (expected || time < 0.299 || time > 0.601) {
            assert_int_equal(there == GYRE_OK, expected);
        }
        seen = seen || there == GYRE_OK;
        shut = shut || (there == GYRE_OK && value.number[0] == 0);
    }
    assert_true(seen && shut);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

/// A run that stops while the rock is there and goes on in another process ends like one that never
/// stopped.
static void a_resumed_run_keeps_what_was_added(void **state)
{
    gyre_device *device = device_of();
    (void)state;
    for (int stop = 10; stop < 60; stop += 7) {
        gyre_scene *whole = scene_of(gas_2d, "s.json"), *part = scene_of(gas_2d, "s.json");
        make(whole, device);
        make(part, device);
        for (int s = 0; s < 60; s++) {
            step(whole);
            if (s + 1 == stop) {
                assert_int_equal(gyre_scene_save_file(whole, in_folder("state")), GYRE_OK);
            }
        }
        if (gyre_scene_load_file(part, in_folder("state"))) {
            fail_msg("%s", gyre_message());
        }
        for (int s = stop; s < 60; s++) {
            step(part);
        }
        assert_int_equal(gyre_scene_hash(part), gyre_scene_hash(whole));
        gyre_scene_destroy(whole);
        gyre_scene_destroy(part);
    }
    gyre_device_destroy(device);
}

static void put(gyre_scene *scene, const char *path, const char *json)
{
    if (gyre_scene_input(scene, path, json)) {
        fail_msg("%s = %s: %s", path, json, gyre_message());
    }
}

static double number_at(const gyre_scene *scene, const char *path)
{
    gyre_value value;
    if (gyre_scene_get(scene, path, &value)) {
        fail_msg("%s", gyre_message());
    }
    return value.number[0];
}

/// The scene as it was written, made.
static gyre_scene *written_again(const gyre_scene *scene, gyre_device *device, const char *name)
{
    gyre_scene *again = NULL;
    if (gyre_scene_write(scene, in_folder(name)) || gyre_scene_load(in_folder(name), &again)) {
        fail_msg("%s", gyre_message());
    }
    make(again, device);
    return again;
}

/// Writes the replay of `scene`, destroys it, runs the replay on `again` and compares.
static void check_replay(gyre_scene *scene, gyre_scene *again, gyre_device *device)
{
    int64_t steps = 0;
    uint64_t hash = 0;
    if (gyre_replay_write(scene, in_folder("r.json"))) {
        fail_msg("%s", gyre_message());
    }
    gyre_scene_destroy(scene);
    if (gyre_replay_load(again, in_folder("r.json"), &steps, &hash)) {
        fail_msg("%s", gyre_message());
    }
    make(again, device);
    for (int64_t s = 0; s < steps; s++) {
        step(again);
    }
    assert_true(steps > 0);
    assert_int_equal(gyre_scene_hash(again), hash);
    gyre_scene_destroy(again);
}

/// The rock comes and goes by the timeline between two steps: what is put in before the step that
/// brings or removes it meets the state before.
static void input_comes_before_the_timeline_of_its_step(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(gas_2d, "s.json");
    (void)state;
    make(scene, device);
    for (int s = 0; s < 60; s++) {
        // 0.3 s and 0.6 s lie between steps 21 and 22, 43 and 44.
        if (s == 22) {
            refused(scene, "gas.solids.rock.enabled", "false", "rock");
        }
        if (s == 44) {
            put(scene, "gas.solids.rock.shape.sphere.radius", "0.3");
        }
        step(scene);
    }
    check_replay(scene, scene_of(gas_2d, "s.json"), device);
    gyre_device_destroy(device);
}

/// What the timeline means to change or remove may have been removed by hand: then nothing is left
/// to do, now and in the scene that is written.
static void a_timeline_goes_on_without_what_was_removed(void **state)
{
    gyre_device *device = device_of();
    (void)state;
    for (int early = 0; early < 2; early++) {
        gyre_scene *scene = scene_of(gas_2d, "s.json"), *again = NULL;
        make(scene, device);
        if (early) {
            put(scene, "gas.emitters.jet", "null");
        }
        for (int s = 0; s < 80; s++) {
            if (s == 30) {
                put(scene, "gas.solids.rock", "null");
                if (!early) {
                    put(scene, "gas.emitters.jet", "null");
                }
            }
            step(scene);
        }
        again = written_again(scene, device, "w.json");
        for (int s = 0; s < 80; s++) {
            gyre_value value;
            step(again);
            assert_int_not_equal(gyre_scene_get(again, "gas.solids.rock.enabled", &value), GYRE_OK);
        }
        gyre_scene_destroy(again);
        check_replay(scene, scene_of(gas_2d, "s.json"), device);
    }
    gyre_device_destroy(device);
}

/// Settings reach the elements they mean, by index too, whoever brought them.
static void a_written_scene_has_the_elements_that_were_meant(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(gas_2d, "s.json"), *again = NULL;
    (void)state;
    make(scene, device);
    for (int s = 0; s < 30; s++) {
        step(scene);
    }
    put(scene, "gas.solids",
        "{\"shape\": {\"sphere\": {\"centre\": [0.2, 1, 0], \"radius\": 0.1}}}");
    put(scene, "gas.solids.1.shape.sphere.radius", "0.125");
    put(scene, "gas.solids.rock.shape.sphere.radius", "0.25");
    put(scene, "gas.emitters.jet.shape.sphere.centre", "[0.5, -0.0, 0.5]");
    again = written_again(scene, device, "w.json");
    assert_true(number_at(again, "gas.solids.0.shape.sphere.radius") == 0.125);
    assert_true(number_at(scene, "gas.solids.1.shape.sphere.radius") == 0.125);
    gyre_value a, b;
    assert_int_equal(gyre_scene_get(scene, "gas.emitters.jet.shape.sphere.centre", &a), GYRE_OK);
    assert_int_equal(gyre_scene_get(again, "gas.emitters.jet.shape.sphere.centre", &b), GYRE_OK);
    assert_memory_equal(a.number, b.number, 3 * sizeof a.number[0]);
    for (int s = 0; s < 30; s++) {
        step(again);
    }
    assert_true(number_at(again, "gas.solids.rock.shape.sphere.radius") == 0.25);
    gyre_scene_destroy(again);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

/// Pictures are named relative to the scene's folder; a scene written elsewhere still finds them.
static void a_written_scene_finds_its_pictures(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene, *again = NULL;
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "mkdir -p %s/other", folder);
    assert_int_equal(system(command), 0);
    write_text(in_folder("pictured.json"), gas_2d);
    uint8_t pixels[8 * 8 * 3];
    for (int i = 0; i < (int)sizeof pixels; i++) {
        pixels[i] = (uint8_t)(i / 96 * 255);
    }
    assert_int_equal(gyre_png_write(in_folder("block.png"), 8, 8, 3, pixels), GYRE_OK);
    assert_int_equal(gyre_scene_load(in_folder("pictured.json"), &scene), GYRE_OK);
    make(scene, device);
    put(scene, "gas.solids",
        "{\"shape\": {\"volume\": {\"data\": \"block.png\", \"low\": [0.3, 0.8, 0], "
        "\"size\": [0.5, 0.5, 1]}}}");
    refused(scene, "gas.solids", "{\"shape\": {\"volume\": {\"data\": \"missing.png\"}}}",
            "missing.png");
    again = written_again(scene, device, "other/pictured.json");
    step(scene);
    step(again);
    assert_int_equal(gyre_scene_hash(scene), gyre_scene_hash(again));
    gyre_scene_destroy(again);
    assert_int_equal(gyre_scene_load(in_folder("pictured.json"), &again), GYRE_OK);
    check_replay(scene, again, device);
    gyre_device_destroy(device);
}

/// Elements that come and go need room for those that are there at one time.
static void many_come_and_go(void **state)
{
    static const char text[] = "{ \"models\": { \"classic\": { \"grid\": { \"dim\": 2, \"n\": [8, "
                               "8, 1], \"h\": 0.1 } } } }";
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(text, "s.json");
    (void)state;
    make(scene, device);
    for (int i = 0; i < 4200; i++) {
        put(scene, "classic.solids",
            "{\"name\": \"p\", \"shape\": {\"sphere\": {\"centre\": [0.4, 0.4, 0], \"radius\": "
            "0.2}}}");
        if (i % 600 == 599) {
            step(scene);
        }
        put(scene, "classic.solids.p", "null");
    }
    step(scene);
    check_replay(scene, scene_of(text, "s.json"), device);
    gyre_device_destroy(device);
}

/// Water keeps state for each place of its lists, taken or not; a list that was given more room
/// than its scene alone makes is as large again when the session is replayed.
static void a_replay_gives_lists_the_same_room(void **state)
{
    static const char pond[] =
        "{ \"models\": { \"water\": { \"grid\": { \"dim\": 2, \"n\": [20, 20, 1], \"h\": 0.1 },"
        " \"bed\": { \"flat\": -1 } } } }";
    gyre_device *device = device_of();
    const char *replay = in_folder("pond.replay.json"), *file = in_folder("pond.json");
    char bad[400];
    int64_t steps = 0;
    uint64_t hash = 0;
    gyre_scene *scene;
    (void)state;
    write_text(file, pond);
    assert_int_equal(gyre_scene_load(file, &scene), GYRE_OK);
    assert_int_equal(gyre_scene_reserve(scene, "water.sources", 50), GYRE_OK);
    assert_int_equal(gyre_scene_reserve(scene, "water.bodies", 3), GYRE_OK);
    make(scene, device);
    for (int s = 0; s < 8; s++) {
        if (s == 3) {
            assert_int_equal(
                gyre_scene_input(scene, "water.sources",
                                 "{\"name\": \"tap\", \"discharge\": 0.1, \"shape\": "
                                 "{\"sphere\": {\"centre\": [1, 1, 0], \"radius\": 0.2}}}"),
                GYRE_OK);
        }
        step(scene);
    }
    assert_int_equal(gyre_replay_write(scene, replay), GYRE_OK);
    gyre_scene_destroy(scene);
    assert_int_equal(gyre_scene_load(file, &scene), GYRE_OK);
    assert_int_equal(gyre_replay_load(scene, replay, &steps, &hash), GYRE_OK);
    make(scene, device);
    for (int64_t s = 0; s < steps; s++) {
        step(scene);
    }
    assert_true(steps == 8 && gyre_scene_hash(scene) == hash);
    gyre_scene_destroy(scene);

    static const char *const rooms[] = {"3",
                                        "{\"water.boats\": 9}",
                                        "{\"water.sources\": \"9\"}",
                                        "{\"water.sources\": 9000000000}",
                                        "{\"water.sources\": 100000000}",
                                        "{\"water\": 9}"};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        snprintf(bad, sizeof bad,
                 "{\"scene\": \"pond.json\", \"steps\": 1, \"hash\": \"0000000000000000\","
                 " \"room\": %s, \"timeline\": []}",
                 rooms[i]);
        write_text(replay, bad);
        assert_int_equal(gyre_scene_load(file, &scene), GYRE_OK);
        assert_true(gyre_replay_load(scene, replay, &steps, &hash) != GYRE_OK);
        assert_non_null(strstr(gyre_message(), "room"));
        gyre_scene_destroy(scene);
    }
    gyre_device_destroy(device);
}

/// The timeline's own elements find room however many were put in by hand.
static void the_timeline_keeps_its_room(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(gas_2d, "s.json");
    static const char ball[] =
        "{\"shape\": {\"sphere\": {\"centre\": [0.2, 1, 0], \"radius\": 0.1}}}";
    (void)state;
    make(scene, device);
    int count = 0;
    while (count < 1000 && gyre_scene_input(scene, "gas.solids", ball) == GYRE_OK) {
        count++;
    }
    assert_true(count >= 8 && count < 1000);
    refused(scene, "gas.solids", ball, "full");
    for (int s = 0; s < 60; s++) {
        step(scene);
    }
    check_replay(scene, scene_of(gas_2d, "s.json"), device);
    gyre_device_destroy(device);
}

/// What was set before the models were made belongs to the session; a saved state that was loaded
/// has a past that was not recorded.
static void a_replay_knows_how_it_began(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene = scene_of(gas_2d, "s.json");
    (void)state;
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity=0.01"), GYRE_OK);
    assert_int_equal(gyre_scene_assign(scene, "gas.grid.n=16,16,1"), GYRE_OK);
    make(scene, device);
    for (int s = 0; s < 10; s++) {
        step(scene);
    }
    assert_int_equal(gyre_scene_save_file(scene, in_folder("past")), GYRE_OK);
    check_replay(scene, scene_of(gas_2d, "s.json"), device);
    scene = scene_of(gas_2d, "s.json");
    assert_int_equal(gyre_scene_assign(scene, "gas.viscosity=0.01"), GYRE_OK);
    assert_int_equal(gyre_scene_assign(scene, "gas.grid.n=16,16,1"), GYRE_OK);
    make(scene, device);
    if (gyre_scene_load_file(scene, in_folder("past"))) {
        fail_msg("%s", gyre_message());
    }
    assert_int_equal(gyre_replay_write(scene, in_folder("r.json")), GYRE_ERROR_STATE);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static int run_tool(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "%s/gyre %s >%s/out 2>&1", GYRE_BINARY_DIR, arguments,
             folder);
    return system(command) / 256;
}

/// The tool replays by the replay's own scene, and says so when the hash is another.
static void the_tool_replays(void **state)
{
    gyre_device *device = device_of();
    gyre_scene *scene;
    char arguments[512], text[8192] = "";
    (void)state;
    write_text(in_folder("tool.json"), gas_2d);
    assert_int_equal(gyre_scene_load(in_folder("tool.json"), &scene), GYRE_OK);
    make(scene, device);
    for (int s = 0; s < 20; s++) {
        if (s == 4) {
            assert_int_equal(gyre_scene_input(scene, "gas.viscosity", "0.02"), GYRE_OK);
        }
        step(scene);
    }
    const char *replay = in_folder("tool.replay.json");
    assert_int_equal(gyre_replay_write(scene, replay), GYRE_OK);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    snprintf(arguments, sizeof arguments, "run --quiet --replay %s", replay);
    assert_int_equal(run_tool(arguments), 0);
    snprintf(arguments, sizeof arguments, "run %s --quiet --replay %s --set gas.seed=3",
             in_folder("tool.json"), replay);
    assert_int_equal(run_tool(arguments), 1);
    FILE *f = fopen(in_folder("out"), "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_non_null(strstr(text, "recorded was"));
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test_replay_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_comes_to_the_same_bits),
        cmocka_unit_test(a_written_scene_runs_to_the_same_bits),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_damaged_replay_is_refused),
        cmocka_unit_test(a_timeline_adds_and_takes_away),
        cmocka_unit_test(a_resumed_run_keeps_what_was_added),
        cmocka_unit_test(input_comes_before_the_timeline_of_its_step),
        cmocka_unit_test(a_timeline_goes_on_without_what_was_removed),
        cmocka_unit_test(a_written_scene_has_the_elements_that_were_meant),
        cmocka_unit_test(a_written_scene_finds_its_pictures),
        cmocka_unit_test(many_come_and_go),
        cmocka_unit_test(the_timeline_keeps_its_room),
        cmocka_unit_test(a_replay_gives_lists_the_same_room),
        cmocka_unit_test(a_replay_knows_how_it_began),
        cmocka_unit_test(the_tool_replays),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
