// test/test_room.c: a state's hash, and the state itself, do not know of the room that lists have
// for what may come: a page and the viewer keep some for a hand, a run without one none, and both
// come to the same hash. What is saved goes into a model that has other room.
// labels: small web
// needs: scene
#include "device_rig.h"
#include "gyre/gyre.h"
#include "gyre/scene.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAVED = 3 };

#define BALL(x, y, z, r)                                                                           \
    "\"shape\": {\"sphere\": {\"centre\": [" #x ", " #y ", " #z "], \"radius\": " #r "}}"
#define RAFT                                                                                       \
    "\"bodies\": [{\"name\": \"raft\", \"size\": [1.2, 0.8, 0.3], \"density\": 500, "              \
    "\"position\": [4, 2.5, 0.6], \"velocity\": [0.5, 0, -2]}, {\"name\": \"buoy\", \"form\": "    \
    "\"sphere\", \"size\": [0.4, 1, 1], \"density\": 300, \"position\": [2, 1.5, 0.1]}]"
#define POOL "\"grid\": {\"dim\": 2, \"n\": [72, 40, 1], \"h\": 0.125}, \"bed\": {\"flat\": -1}, "
#define SET                                                                                        \
    "\"bodies\": [{\"name\": \"crate\", \"motion\": \"free\", \"density\": 400, \"position\": "    \
    "[3, 2.2, 0.4], \"rotation\": [15, 0, 30], \"form\": {\"box\": {\"size\": [1, 1, 0.5]}}}, "    \
    "{\"name\": \"ram\", \"motion\": \"driven\", \"position\": [1.5, 2.5, 0], \"velocity\": "      \
    "[1.5, 0, 0], \"form\": {\"sphere\": {\"radius\": 0.4}}}]"

/// A scene of each model type, of each mode of water, and of bodies that several models meet, with
/// something in every list that may grow. What comes and goes while it runs takes places of lists.
static const struct {
    const char *name, *json;
} cases[] = {
    {"gas",
     "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [40, 32, 1], \"h\": 0.05}, \"sides\": "
     "{\"y_high\": {\"rule\": \"open\"}}, \"channels\": [{\"name\": \"dye\"}], "
     "\"tracers\": {\"capacity\": 400, \"start\": 100}, "
     "\"emitters\": [{\"name\": \"a\", " BALL(
         0.5, 0.3, 0,
         0.15) ", \"density\": 2, "
               "\"temperature\": 40}], "
               "\"solids\": [{\"name\": \"s\", " BALL(
                   1, 0.8, 0, 0.2) ", \"velocity\": [0.2, 0, 0]}], "
                                   "\"forces\": [{\"name\": \"f\", \"everywhere\": true, "
                                   "\"action\": {\"turbulence\": "
                                   "{\"strength\": 1, \"size\": 0.5}}}], "
                                   "\"patches\": [{\"name\": \"p\", \"side\": \"x_low\", \"rule\": "
                                   "\"inflow\", \"velocity\": "
                                   "[0.5, 0, 0], " BALL(
                                       0, 0.8, 0,
                                       0.3) "}]}}, "
                                            "\"timeline\": [{\"time\": 0.1, \"path\": "
                                            "\"gas.emitters\", \"value\": {\"name\": \"b\", " BALL(
                                                1.5, 0.4, 0,
                                                0.1) ", \"density\": 1}}, {\"time\": 0.15, "
                                                     "\"path\": \"gas.emitters.a\", "
                                                     "\"value\": null}]}"},
    {"classic",
     "{\"models\": {\"classic\": {\"grid\": {\"dim\": 2, \"n\": [32, 32, 1], \"h\": 0.03125}, "
     "\"emitters\": [{\"name\": \"a\", " BALL(
         0.5, 0.2, 0, 0.1) ", \"density\": 5, \"force\": "
                           "[0, 4, 0]}], \"solids\": [{\"name\": \"s\", " BALL(0.5, 0.7, 0,
                                                                               0.1) "}]}}}"},
    {"shallow",
     "{\"models\": {\"water\": {" POOL "\"sides\": {\"x_high\": {\"rule\": \"open\"}}, "
     "\"dust\": {\"capacity\": 300, \"start\": 50}, "
     "\"edges\": [{\"name\": \"pier\", " BALL(
         6, 2, 0,
         0.5) "}], "
              "\"gates\": [{\"name\": \"g\", \"from\": [7, 0], \"to\": [7, 5], \"lid\": -0.2}], "
              "\"sources\": [{\"name\": \"tap\", " BALL(
                  1, 1, 0,
                  0.5) ", \"discharge\": 0.05, \"dust\": 200}], "
                       "\"uplifts\": [{\"name\": \"up\", " BALL(
                           3, 4, 0,
                           0.6) ", \"speed\": 0.1}], " RAFT "}}, "
                                "\"timeline\": [{\"time\": 0.1, \"path\": \"water.sources\", "
                                "\"value\": {\"name\": \"spring\", " BALL(
                                    5, 4, 0,
                                    0.4) ", \"discharge\": 0.1}}, {\"time\": 0.1, \"path\": "
                                         "\"water.bodies\", \"value\": "
                                         "{\"name\": \"late\", \"density\": 300, \"size\": [0.5, "
                                         "0.5, 0.5], \"position\": [6, 4, 0]}}, "
                                         "{\"time\": 0.2, \"path\": \"water.sources.tap\", "
                                         "\"value\": null}, {\"time\": 0.2, "
                                         "\"path\": \"water.bodies.raft\", \"value\": null}]}"},
    {"exact", "{\"models\": {\"water\": {" POOL "\"exact\": true, \"rain\": 1e-4, "
              "\"sources\": [{\"name\": \"tap\", " BALL(
                  1, 1, 0, 0.5) ", \"discharge\": 0.05}], " RAFT "}}}"},
    {"wave", "{\"models\": {\"water\": {\"mode\": \"wave\", " POOL RAFT "}}}"},
    {"dispersive",
     "{\"models\": {\"water\": {\"mode\": \"dispersive\", " POOL
     "\"drops\": {\"size\": 0.05, \"ring\": 0.1, \"radius\": 0.3}, \"rain\": 1e-4, " RAFT "}}}"},
    {"breaking",
     "{\"models\": {\"water\": {\"grid\": {\"dim\": 2, \"n\": [96, 32, 1], \"h\": 0.125}, \"bed\": "
     "{\"flat\": -0.8, \"slope\": [0.07, 0.01]}, \"blocks\": [{\"name\": \"hill\", \"level\": "
     "0.5, " BALL(1, 2, 0,
                  2.5) "}], \"breaking\": {\"fronts\": 16, \"patches\": 500, \"thickness\": 0.1, "
                       "\"splash\": 0.5}, \"spray\": {\"capacity\": 500}, \"foam\": {\"capacity\": "
                       "500}, " RAFT "}}}"},
    {"ocean",
     "{\"models\": {\"sea\": {\"type\": \"ocean\", \"grid\": {\"dim\": 2, \"n\": [32, 24, 1], "
     "\"h\": 0.25}, \"patch\": {\"length\": 20, \"cells\": 32, \"cascades\": 1}, "
     "\"foam\": {\"rate\": 1, \"life\": 2}, \"waves\": [{\"name\": \"w\", \"amplitude\": 0.1, "
     "\"length\": 3}], \"seas\": [{\"name\": \"s\", \"wind_speed\": 6, \"fetch\": 5000}], "
     "\"particles\": {\"capacity\": 3000, \"radius\": 0.3, \"life\": 4}}}, " SET "}"},
    {"bodies in water and air",
     "{\"up\": \"z\", \"models\": {\"water\": {" POOL "\"sources\": [{\"name\": \"tap\", " BALL(
         1, 1, 0, 0.5) ", \"discharge\": 0.05}]}, \"air\": {\"type\": \"gas\", \"grid\": {\"n\": "
                       "[18, 10, 12], \"h\": 0.5, \"origin\": [0, 0, -1]}, \"emitters\": "
                       "[{\"name\": \"smoke\", " BALL(3, 2.5, 2, 1) ", \"density\": 1}]}}, " SET
                                                                    "}"},
};

/// A scene with room for `room` more in every list that takes some, but one; how many lists took
/// it.
static gyre_scene *made(const char *name, const char *json, int room, const char *but, int *lists)
{
    gyre_scene *scene = NULL;
    gyre_result result = gyre_scene_parse(json, strlen(json), name, &scene);
    if (result != GYRE_OK) {
        fail_msg("%s: %s", name, gyre_message());
    }
    *lists = 0;
    for (int i = 0; i < gyre_scene_model_count(scene) && room > 0; i++) {
        size_t size;
        const gyre_property *p = gyre_model_type_properties(gyre_scene_model_type(scene, i), &size);
        for (; p->kind != GYRE_END; p++) {
            char path[96];
            snprintf(path, sizeof path, "%s.%s", gyre_scene_model_name(scene, i), p->name);
            bool list = p->kind == GYRE_POOL && (!but || strcmp(p->name, but) != 0);
            // Of a list that only begins a run (channels, lakes) there may not be more.
            *lists += list && gyre_scene_reserve(scene, path, room) == GYRE_OK;
        }
    }
    if (room > 0) {
        must(gyre_scene_reserve(scene, "bodies", room));
    }
    if (gyre_scene_create(scene, the_device) != GYRE_OK) {
        fail_msg("%s: %s", name, gyre_message());
    }
    return scene;
}

/// What lists of the model's own hold, in the cases that are there for it.
static bool holds_something(const char *name, gyre_scene *scene)
{
    gyre_model *model = gyre_scene_model(scene, 0);
    if (strcmp(name, "breaking") == 0) {
        gyre_water_stats s = gyre_water_get_stats(gyre_water_of(model));
        return s.fronts > 0 && s.spray > 0 && s.foam > 0;
    }
    if (strcmp(name, "ocean") == 0) {
        const void *stats = NULL;
        gyre_model_stats(model, &stats);
        return ((const gyre_ocean_stats *)stats)->families > 0;
    }
    return true;
}

static void hashes_do_not_know_of_room(void **state)
{
    (void)state;
    const int rooms[] = {0, 1, 13, 200};
    enum { STEPS = 24 };
    int most = in_short() ? 2 : 4;
    for (int c = 0; c < (int)(sizeof cases / sizeof *cases); c++) {
        uint64_t at[STEPS + 1], first = 0;
        for (int r = 0; r < most; r++) {
            int lists;
            bool held = false;
            gyre_scene *scene = made(cases[c].name, cases[c].json, rooms[r], NULL, &lists);
            assert_true(rooms[r] == 0 || lists >= 2);
            for (int s = 0; s <= STEPS; s++) {
                uint64_t hash = gyre_scene_hash(scene);
                at[s] = r == 0 ? hash : at[s];
                first = s == 0 ? hash : first;
                if (hash != at[s]) {
                    fail_msg("%s, room for %d more: hash %016llx after %d steps, without %016llx",
                             cases[c].name, rooms[r], (unsigned long long)hash, s,
                             (unsigned long long)at[s]);
                }
                must(gyre_scene_step(scene));
                held = held || holds_something(cases[c].name, scene);
            }
            assert_true(first != at[STEPS] && held);
            gyre_scene_destroy(scene);
        }
    }
}

static char *saved(gyre_scene *scene, int i, size_t *size)
{
    gyre_model *model = gyre_scene_model(scene, i);
    size_t most = gyre_model_save_size(model);
    char *bytes = malloc(most);
    assert_non_null(bytes);
    must(gyre_model_save(model, bytes, most, size));
    assert_true(*size <= most);
    return bytes;
}

/// The i-th model of a scene goes on in that of another, which has other room.
static void hand_on(const char *name, gyre_scene *from, gyre_scene *to, int i)
{
    size_t size, again;
    char *bytes = saved(from, i, &size);
    gyre_model *a = gyre_scene_model(from, i), *b = gyre_scene_model(to, i);
    if (gyre_model_load(b, bytes, size) != GYRE_OK) {
        fail_msg("%s: %s", name, gyre_message());
    }
    char *same = saved(to, i, &again);
    if (gyre_model_hash(a) != gyre_model_hash(b) || size != again || memcmp(bytes, same, size)) {
        fail_msg("%s: another state after it was loaded", name);
    }
    for (int s = 0; s < 4; s++) {
        must(gyre_model_step(a, 0.02f));
        must(gyre_model_step(b, 0.02f));
        if (gyre_model_hash(a) != gyre_model_hash(b)) {
            fail_msg("%s: another hash %d steps after it was loaded", name, s + 1);
        }
    }
    free(bytes);
    free(same);
}

static void states_go_into_other_room(void **state)
{
    (void)state;
    for (int c = 0; c < (int)(sizeof cases / sizeof *cases); c++) {
        for (int to_more = 0; to_more < 2; to_more++) {
            int lists;
            const char *json = cases[c].json;
            // Room for patches in a gas is of whole sides, and what lies there is saved.
            const char *but = "patches";
            gyre_scene *from = made(cases[c].name, json, to_more ? 0 : 40, but, &lists);
            gyre_scene *to = made(cases[c].name, json, to_more ? 40 : 0, but, &lists);
            for (int s = 0; s < 14; s++) {
                must(gyre_scene_step(from));
                if (s < SAVED) { // so that what the loaded state is to replace is another
                    must(gyre_scene_step(to));
                }
            }
            for (int i = 0; i < gyre_scene_model_count(from); i++) {
                // By itself: what another gives it between steps is the scene's.
                if (gyre_scene_bodies(from)) {
                    must(gyre_model_use_bodies(gyre_scene_model(from, i), NULL));
                    must(gyre_model_use_bodies(gyre_scene_model(to, i), NULL));
                }
                hand_on(cases[c].name, from, to, i);
            }
            gyre_scene_destroy(from);
            gyre_scene_destroy(to);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_do_not_know_of_room),
        cmocka_unit_test(states_go_into_other_room),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
