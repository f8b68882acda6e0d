// test/test_feeds.c: an emitter that feeds any number of scalars by name: three that close their
// ledgers, and all that can be done to such amounts by paths, files, states and timelines.
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

#define EMITTER(members)                                                                           \
    "{\"name\": \"jet\", \"shape\": {\"sphere\": {\"centre\": [0.5, 0.3, 0], \"radius\": 0.1}}, "  \
    "\"temperature\": 80" members "}"
#define SCENE(members, rest)                                                                       \
    "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [32, 48, 1], \"h\": 0.03125}, "         \
    "\"sides\": {\"y_high\": {\"rule\": \"open\"}}, \"channels\": [{\"name\": \"ink\"}, "          \
    "{\"name\": \"fuel\", \"dissipation\": 0.5}, {\"name\": \"ash\"}], \"emitters\": "             \
    "[" EMITTER(members) "]}}, \"time\": {\"fps\": 30}" rest "}"
#define THREE ", \"feeds\": {\"density\": 2, \"ink\": 1, \"fuel\": 0.25}"

static gyre_result make(const char *json, gyre_scene **scene)
{
    gyre_result result = gyre_scene_parse(json, strlen(json), "test.json", scene);
    return result ? result : gyre_scene_create(*scene, the_device);
}

static gyre_gas *gas_of(gyre_scene *scene)
{
    return (gyre_gas *)(void *)gyre_scene_model(scene, 0);
}

static gyre_gas_budget budget(gyre_scene *scene, const char *field)
{
    return gyre_gas_get_budget(gas_of(scene), gyre_gas_field(gas_of(scene), field));
}

static double number_at(gyre_scene *scene, const char *path)
{
    gyre_value value = {0};
    must(gyre_scene_get(scene, path, &value));
    assert_int_equal(value.kind, GYRE_FLOAT);
    return value.number[0];
}

static void told(const char *part)
{
    if (!strstr(gyre_message(), part)) {
        fail_msg("\"%s\" is not in \"%s\"", part, gyre_message());
    }
}

// Each gets its own share of the same shape, and nothing of any is unaccounted for.
static void three_scalars_close_their_ledgers(void **state)
{
    static const char *const names[] = {"density", "ink", "fuel"};
    static const double shares[] = {2, 1, 0.25};
    gyre_scene *scene = NULL;
    (void)state;
    must(make(SCENE(THREE, ""), &scene));
    for (int i = 0; i < 240; i++) {
        must(gyre_scene_step(scene));
    }
    double whole = budget(scene, "ink").emitted;
    for (int i = 0; i < 3; i++) {
        gyre_gas_budget b = budget(scene, names[i]);
        double sum = b.emitted + b.added + b.edited - b.faded - b.left + b.rounding;
        double own =
            gyre_model_total(gyre_scene_model(scene, 0), gyre_gas_field(gas_of(scene), names[i]));
        if (getenv("GYRE_TEST_PRINT")) {
            print_message("%s: emitted %.9g, left %.9g, faded %.9g, there %.9g, off by %.1e\n",
                          names[i], b.emitted, b.left, b.faded, own, fabs(sum - own) / b.emitted);
        }
        assert_true(b.emitted > 0 && b.left > 0);
        assert_true(fabs(sum - own) <= 1e-6 * b.emitted);
        assert_true(fabs(b.rounding) <= 1e-6 * b.emitted);
        assert_true(fabs(b.emitted - shares[i] * whole) <= 1e-5 * b.emitted);
    }
    assert_true(budget(scene, "fuel").faded > 0);
    assert_true(budget(scene, "ash").total == 0);
    assert_true(budget(scene, "temperature").emitted > 0);
    gyre_scene_destroy(scene);
}

// As many as a gas may have, one emitter feeding all of them.
static void one_emitter_feeds_all(void **state)
{
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas_channel channels[16] = {0};
    gyre_gas_emitter e = gyre_gas_default_emitter();
    gyre_gas *gas;
    (void)state;
    e.density = e.temperature = 3;
    e.shape.kind = GYRE_SHAPE_SPHERE;
    e.shape.as.sphere.centre[0] = e.shape.as.sphere.centre[1] = 0.4f;
    e.shape.as.sphere.radius = 0.1f;
    for (int c = 0; c < 16; c++) {
        snprintf(channels[c].name, sizeof channels[c].name, "ink%d", c);
        e.feeds[c] = (gyre_amount){.amount = 3};
        strcpy(e.feeds[c].name, channels[c].name);
    }
    def.channels = (gyre_pool){channels, 16, 16};
    def.emitters = (gyre_pool){&e, 1, 1};
    must(gyre_gas_create(the_device, &def, &gas));
    for (int i = 0; i < 10; i++) {
        must(gyre_gas_step(gas, 0.05f));
    }
    double total = gyre_gas_get_budget(gas, gyre_gas_field(gas, "density")).total;
    assert_true(total > 0);
    for (int c = 0; c < 16; c++) {
        int field = gyre_gas_field(gas, channels[c].name);
        assert_true(gyre_gas_get_budget(gas, field).total == total);
    }
    gyre_gas_destroy(gas);
}

// By name or by the members that are older: the same bits.
static void names_and_members_are_one(void **state)
{
    static const char *const scenes[] = {
        SCENE(", \"density\": 2, \"channel\": \"ink\", \"channel_amount\": 0.5", ""),
        SCENE(", \"feeds\": {\"density\": 2, \"ink\": 0.5}", ""),
        SCENE(", \"density\": 1.5, \"feeds\": {\"ink\": 0.5, \"density\": 0.5}", ""),
        SCENE(", \"mode\": \"set\", \"density\": 2, \"channel\": \"ink\", "
              "\"channel_amount\": 0.5",
              ""),
        SCENE(", \"mode\": \"set\", \"density\": 7, \"feeds\": {\"ink\": 0.5, \"density\": 2}", ""),
    };
    uint64_t hashes[5];
    (void)state;
    for (int i = 0; i < 5; i++) {
        gyre_scene *scene = NULL;
        must(make(scenes[i], &scene));
        for (int s = 0; s < 20; s++) {
            must(gyre_scene_step(scene));
        }
        hashes[i] = 0;
        gyre_gas *gas = gas_of(scene);
        for (int f = 0; f < 7; f++) {
            float value;
            for (int p = 0; p < 60; p++) {
                float at[3] = {0.45f + 0.002f * (float)p, 0.3f + 0.005f * (float)p, 0};
                uint32_t bits;
                must(gyre_gas_probe(gas, f, at, 1, &value));
                memcpy(&bits, &value, sizeof bits);
                hashes[i] = hashes[i] * 0x9e3779b97f4a7c15u + bits;
            }
        }
        gyre_scene_destroy(scene);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    assert_true(hashes[3] == hashes[4] && hashes[3] != hashes[0]);
}

// One that is not there yet comes by being set, before the models are made and after.
static void amounts_are_set_by_path(void **state)
{
    gyre_scene *scene = NULL;
    gyre_value value;
    const char *json = SCENE("", "");
    (void)state;
    must(gyre_scene_parse(json, strlen(json), "test.json", &scene));
    assert_int_equal(gyre_scene_get(scene, "gas.emitters.jet.feeds.ink", &value),
                     GYRE_ERROR_ARGUMENT);
    told("unknown name \"ink\"");
    must(gyre_scene_assign(scene, "gas.emitters.jet.feeds.ink=0.5"));
    assert_true(number_at(scene, "gas.emitters.jet.feeds.ink") == 0.5);
    assert_int_equal(gyre_scene_assign(scene, "gas.emitters.jet.feeds.ink=1e9"),
                     GYRE_ERROR_ARGUMENT);
    told("expected a number from -1000000 to 1000000");
    assert_int_equal(gyre_scene_assign(scene, "gas.emitters.jet.feeds.fuel=many"),
                     GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_scene_assign(scene, "gas.emitters.jet.feeds=1"), GYRE_ERROR_ARGUMENT);
    told("found a group");
    assert_int_equal(gyre_scene_assign(scene, "gas.emitters.jet.feeds.ink.x=1"),
                     GYRE_ERROR_ARGUMENT);
    told("which has no members");
    must(gyre_scene_create(scene, the_device));

    gyre_model *model = gyre_scene_model(scene, 0);
    gyre_id id = gyre_model_find(model, "emitters", "jet");
    gyre_gas_emitter e;
    must(gyre_scene_set(scene, "gas.emitters.jet.feeds.fuel", "0.25"));
    must(gyre_model_set_in(model, id, "feeds.ash", &(gyre_value){GYRE_FLOAT, 1, {3}, ""}));
    must(gyre_model_get_in(model, id, "feeds.ash", &value));
    assert_true(value.number[0] == 3);
    // What is refused leaves nothing behind.
    for (int i = 0; i < 3; i++) {
        gyre_value wrong = {GYRE_FLOAT, 1, {i == 1 ? 1e9 : 0}, ""};
        const char *path = i == 0   ? "emitters.jet.feeds.ikn"
                           : i == 1 ? "emitters.jet.feeds.temperature"
                                    : "emitters.0.feeds.nothing_like_it";
        uint64_t before = gyre_model_hash(model);
        assert_int_equal(gyre_model_set(model, path, &wrong), GYRE_ERROR_ARGUMENT);
        told(i == 0   ? "emitters.0.feeds.ikn: there is no scalar \"ikn\", did you mean \"ink\"?"
             : i == 1 ? "expected a number from"
                      : "there is no scalar \"nothing_like_it\"");
        assert_true(gyre_model_hash(model) == before);
    }
    must(gyre_gas_read_emitter(gas_of(scene), id, &e));
    assert_string_equal(e.feeds[0].name, "ink");
    assert_string_equal(e.feeds[1].name, "fuel");
    assert_string_equal(e.feeds[2].name, "ash");
    assert_string_equal(e.feeds[3].name, "");
    // From a program: the array of the struct.
    e.feeds[1] = e.feeds[2];
    e.feeds[2].name[0] = 0;
    must(gyre_gas_update_emitter(gas_of(scene), id, &e));
    must(gyre_scene_step(scene));
    assert_true(budget(scene, "ink").emitted > 0 && budget(scene, "ash").emitted > 0);
    assert_true(budget(scene, "fuel").emitted == 0);
    e.feeds[2] = e.feeds[1];
    assert_int_equal(gyre_gas_update_emitter(gas_of(scene), id, &e), GYRE_ERROR_ARGUMENT);
    told("found \"ash\" twice");
    e.feeds[3] = (gyre_amount){"fuel", 1};
    e.feeds[2].name[0] = 0;
    assert_int_equal(gyre_gas_update_emitter(gas_of(scene), id, &e), GYRE_ERROR_ARGUMENT);
    told("behind an empty name");
    gyre_scene_destroy(scene);
}

static void files_say_what_is_wrong(void **state)
{
    static const struct {
        const char *json, *said;
    } cases[] = {
        {SCENE(", \"feeds\": {\"ink\": \"much\"}", ""), "emitters.0.feeds.ink: found the text"},
        {SCENE(", \"feeds\": [1, 2]", ""), "expected an object of names with a number each"},
        {SCENE(", \"feeds\": {\"inc\": 1}", ""),
         "there is no scalar \"inc\", did you mean \"ink\"?"},
        {SCENE(", \"feeds\": {\"a.b\": 1}", ""), "has a dot"},
        {SCENE(", \"feeds\": {\"ink\": 2e6}", ""), "expected a number from"},
        {SCENE("", ", \"timeline\": [{\"time\": 1, \"path\": \"gas.emitters.jet.feeds.ink\", "
                   "\"value\": true}]"),
         "timeline.0.value: found true"},
        {SCENE("", ", \"timeline\": [{\"time\": 1, \"path\": \"gas.emitters\", \"value\": "
                   "{\"feeds\": {\"inc\": 1}}}]"),
         "there is no scalar \"inc\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gyre_scene *scene = NULL;
        assert_int_not_equal(make(cases[i].json, &scene), GYRE_OK);
        told(cases[i].said);
        told("test.json:1:");
    }
}

// A timeline makes an emitter feed what it did not, linearly; the scene as written says the same.
static void timelines_and_files_carry_amounts(void **state)
{
    const char *json = SCENE(THREE, ", \"timeline\": [{\"time\": 0.1, \"path\": "
                                    "\"gas.emitters.jet.feeds.ash\", \"value\": 0, "
                                    "\"interpolation\": \"linear\"}, {\"time\": 0.3, \"path\": "
                                    "\"gas.emitters.jet.feeds.ash\", \"value\": 4}, {\"time\": "
                                    "0.2, \"path\": \"gas.emitters\", \"value\": " EMITTER(
                                        ", \"feeds\": {\"fuel\": 3}") "}]");
    char path[] = "/tmp/gyre_feeds_XXXXXX";
    gyre_scene *scene = NULL, *again = NULL;
    (void)state;
    // Both emitters are called jet: the second needs a name of its own.
    char *text = strdup(json), *second = strstr(strstr(text, "timeline"), "\"jet\"");
    memcpy(second, "\"jut\"", 5);
    close(mkstemp(path));
    must(make(text, &scene));
    must(gyre_scene_write(scene, path));
    must(gyre_scene_load(path, &again));
    must(gyre_scene_create(again, the_device));
    unlink(path);
    for (int i = 0; i < 15; i++) {
        must(gyre_scene_step(scene));
        must(gyre_scene_step(again));
    }
    assert_true(number_at(scene, "gas.emitters.jet.feeds.ash") == 4);
    assert_true(number_at(scene, "gas.emitters.jut.feeds.fuel") == 3);
    assert_true(budget(scene, "ash").emitted > 0);
    assert_true(gyre_scene_hash(scene) == gyre_scene_hash(again));
    // What is put in while it runs is part of the scene as it is written then.
    must(gyre_scene_input(scene, "gas.emitters.jut.feeds.ink", "0.75"));
    assert_int_not_equal(gyre_scene_input(scene, "gas.emitters.jut.feeds.ikn", "0.75"), GYRE_OK);
    must(gyre_scene_write(scene, path));
    gyre_scene_destroy(again);
    must(gyre_scene_load(path, &again));
    unlink(path);
    must(gyre_scene_create(again, the_device));
    for (int i = 0; i < 15; i++) {
        must(gyre_scene_step(again));
    }
    assert_true(number_at(again, "gas.emitters.jut.feeds.ink") == 0.75);
    gyre_scene_destroy(again);
    gyre_scene_destroy(scene);
    free(text);
}

// A state brings the amounts back that it was saved with, and goes on to the same bits.
static void states_carry_amounts(void **state)
{
    gyre_scene *one = NULL, *two = NULL;
    (void)state;
    must(make(SCENE(THREE, ""), &one));
    must(make(SCENE(", \"feeds\": {\"ash\": 9}", ""), &two));
    gyre_model *from = gyre_scene_model(one, 0), *to = gyre_scene_model(two, 0);
    size_t size = gyre_model_save_size(from), saved = 0;
    char *bytes = malloc(size);
    for (int i = 0; i < 5; i++) {
        must(gyre_scene_step(one));
    }
    must(gyre_model_save(from, bytes, size, &saved));
    // Amounts that come later find room in buffers sized once.
    must(gyre_scene_set(one, "gas.emitters.jet.feeds.ash", "1"));
    must(gyre_scene_set(one, "gas.emitters.jet.feeds.temperature", "1"));
    char *more = malloc(size);
    size_t grown = 0;
    must(gyre_model_save(from, more, size, &grown));
    assert_true(grown > saved);
    must(gyre_model_load(to, bytes, saved));
    assert_true(number_at(two, "gas.emitters.jet.feeds.fuel") == 0.25);
    gyre_value value;
    assert_int_not_equal(gyre_model_get(to, "emitters.jet.feeds.ash", &value), GYRE_OK);
    must(gyre_model_load(from, bytes, saved));
    must(gyre_model_step(from, 0.02f));
    must(gyre_model_step(to, 0.02f));
    assert_true(gyre_model_hash(from) == gyre_model_hash(to));
    for (size_t cut = 0; cut < saved; cut += 7) {
        assert_int_not_equal(gyre_model_load(to, bytes, cut), GYRE_OK);
    }
    free(more);
    free(bytes);
    gyre_scene_destroy(two);
    gyre_scene_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_scalars_close_their_ledgers),
        cmocka_unit_test(one_emitter_feeds_all),
        cmocka_unit_test(names_and_members_are_one),
        cmocka_unit_test(amounts_are_set_by_path),
        cmocka_unit_test(files_say_what_is_wrong),
        cmocka_unit_test(timelines_and_files_carry_amounts),
        cmocka_unit_test(states_carry_amounts),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
