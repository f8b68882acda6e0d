// test/test_pose_scene.c: poses in scene files: what is told, refused, set and interpolated.
// labels: small
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

#define SCENE(solid, body, timeline)                                                               \
    "{ \"models\": { \"gas\": { \"grid\": {\"dim\": 3, \"n\": [8, 8, 8], \"h\": 0.125},\n"         \
    " \"solids\": [{\"name\": \"rock\", \"shape\": {\"box\": {\"centre\": [0, 0, 0]" solid         \
    "}]},\n \"water\": { \"grid\": {\"dim\": 2, \"n\": [16, 16, 1], \"h\": 0.25},\n"               \
    " \"bed\": {\"flat\": -1}, \"bodies\": [{\"name\": \"duck\", \"held\": true, "                 \
    "\"position\": [2, 2, 0]" body "}]}},\n"                                                       \
    " \"time\": {\"fps\": 10, \"frames\": 20},\n \"timeline\": [" timeline "] }"
#define IN_BOX "}}, \"position\": [0.5, 0.5, 0.5]"

static gyre_result parse(const char *text, gyre_scene **scene)
{
    return gyre_scene_parse(text, strlen(text), "s.json", scene);
}

static gyre_scene *open_scene(const char *text)
{
    gyre_scene *scene = NULL;
    if (parse(text, &scene)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

typedef struct lines {
    int count;
    char text[8][600];
} lines;

static void take_line(void *context, const char *sentence)
{
    lines *l = context;
    assert_true(l->count < 8);
    snprintf(l->text[l->count++], sizeof l->text[0], "%s", sentence);
}

static void what_does_not_count_is_told_once(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *said;
    } cases[] = {
        {SCENE(IN_BOX, ", \"rotation\": [0, 0, 40], \"spin\": [0, 0, 1]", ""), ""},
        {SCENE(IN_BOX ", \"velocity\": [1, 0, 0], \"spin\": [0, 90, 0]", "", ""), ""},
        {SCENE(IN_BOX, "",
               "{\"time\": 1, \"path\": \"gas.solids.rock.spin\", \"value\": [1, 0, 0]}"),
         ""},
        {SCENE(IN_BOX, "",
               "{\"time\": 1, \"path\": \"gas.solids.rock.position\", \"value\": [0.4, 0.5, 0.5]}, "
               "{\"time\": 1, \"path\": \"gas.solids.rock.rotation\", \"value\": [1, 0, 0]}"),
         "gas.solids.rock.position changes with time: the gas meets the solid at its new place, "
         "pushed by the velocity and spin of its pose alone"},
        {SCENE(IN_BOX ", \"orientation\": [0, 0, 1, 0], \"rotation\": [0, 0, 90]", "", ""),
         "gas.solids.rock.rotation has no effect beside orientation"},
        {SCENE(IN_BOX, ", \"orientation\": [1, 0, 0, 0], \"rotation\": [10, 0, 0]", ""),
         "water.bodies.duck.rotation has no effect beside orientation"},
        {SCENE(", \"rotation\": [1, 2, 3], \"orientation\": [0, 1, 0, 0]" IN_BOX, "", ""),
         "gas.solids.rock.shape.box.rotation has no effect beside orientation"},
        // Both say the same.
        {SCENE(IN_BOX ", \"orientation\": [0, 0, 0.7071068, 0.7071068], \"rotation\": [0, 0, 90]",
               "", ""),
         ""},
        // Where the shape is in its own frame says nothing of where it is.
        {SCENE("}}, \"position\": [3, 0.5, 0.5]", "", ""),
         "gas.solids.rock has no effect: it lies outside of the domain"},
        {"{ \"models\": { \"gas\": { \"grid\": {\"dim\": 2, \"n\": [8, 8, 1], \"h\": 0.125},\n"
         " \"solids\": [{\"name\": \"rock\", \"rotation\": [0, 10, 0]}]}}}",
         "gas.solids.rock.rotation has no effect about x and y: the grid has two dimensions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lines l = {0};
        gyre_scene *scene = open_scene(cases[i].scene);
        gyre_scene_warn(scene, take_line, &l);
        gyre_scene_destroy(scene);
        if (l.count != (cases[i].said[0] != 0) || !strstr(l.text[0], cases[i].said)) {
            fail_msg("case %zu: %d lines, \"%s\"", i, l.count, l.text[0]);
        }
    }
}

static void what_is_no_turn_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *message;
    } cases[] = {
        {SCENE(IN_BOX ", \"orientation\": [0, 0, 0.5, 0]", "", ""),
         "gas.solids.0.orientation: found 0, 0, 0.5, 0, expected 4 numbers"},
        {SCENE(IN_BOX, ", \"orientation\": [0, 0, 1, 1]", ""),
         "water.bodies.0.orientation: found 0, 0, 1, 1, expected 4 numbers"},
        {SCENE(", \"orientation\": [0, 2, 0, 0]" IN_BOX, "", ""),
         "gas.solids.0.shape.box.orientation: found 2 (component 1), expected 4 numbers"},
        {SCENE(IN_BOX, ", \"orientation\": [0, 1, 0]", ""),
         "water.bodies.0.orientation: found a list of 3, expected 4 numbers"},
        {SCENE(IN_BOX, "",
               "{\"time\": 1, \"path\": \"water.bodies.duck.orientation\", "
               "\"value\": [0, 0.9, 0, 0]}"),
         "timeline.0.value: found 0, 0.9"},
        {"{ \"models\": { \"gas\": { \"grid\": {\"dim\": 2, \"n\": [8, 8, 1], \"h\": 0.125},\n"
         " \"solids\": [{\"name\": \"rock\", \"orientation\": [0, 1, 0, 0]}]}}}",
         "gas.solids.0.orientation: in 2D things turn about z alone: x and y must be 0"},
        {"{ \"models\": { \"gas\": { \"grid\": {\"dim\": 2, \"n\": [8, 8, 1], \"h\": 0.125},\n"
         " \"solids\": [{\"name\": \"rock\"}]}}, \"timeline\": [ {\"time\": 1, \"path\": "
         "\"gas.solids.rock.orientation\", \"value\": [1, 0, 0, 0]} ]}",
         "in 2D things turn about z alone"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gyre_scene *scene = NULL;
        assert_int_not_equal(parse(cases[i].scene, &scene), GYRE_OK);
        if (!strstr(gyre_message(), cases[i].message)) {
            fail_msg("case %zu: %s", i, gyre_message());
        }
    }
}

static double turned(const gyre_scene *scene, const char *path, int component)
{
    gyre_value value;
    if (gyre_scene_get(scene, path, &value)) {
        fail_msg("%s", gyre_message());
    }
    return value.number[component];
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-3)) {
        fail_msg("found %.9g, expected %.9g", found, expected);
    }
}

static void what_is_set_later_counts(void **state)
{
    (void)state;
    gyre_scene *scene =
        open_scene(SCENE(IN_BOX, ", \"orientation\": [0, 0, 0.7071068, 0.7071068]", ""));
    lines l = {0};
    assert_int_equal(gyre_scene_assign(scene, "water.bodies.duck.rotation=0,0,30"), GYRE_OK);
    assert_true(turned(scene, "water.bodies.duck.orientation", 3) == 0);
    assert_int_equal(gyre_scene_assign(scene, "gas.solids.rock.orientation=0,1.0004,0,0"), GYRE_OK);
    near(turned(scene, "gas.solids.rock.orientation", 1), 1);
    near(fabs(turned(scene, "gas.solids.rock.rotation", 0)), 180);
    gyre_scene_warn(scene, take_line, &l);
    assert_int_equal(l.count, 0);
    assert_int_equal(gyre_scene_assign(scene, "gas.solids.rock.orientation=0,1.1,0,0"),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "gas.solids.rock.orientation: found 1.1"));
    // What is put in while it runs stays in the scene as it is written.
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(NULL, &device), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_int_equal(
        gyre_scene_input(scene, "water.bodies.duck.orientation", "[0, 0, 0.7071068, 0.7071068]"),
        GYRE_OK);
    near(turned(scene, "water.bodies.duck.rotation", 2), 90);
    assert_int_equal(gyre_scene_input(scene, "water.bodies.duck.rotation", "[0, 0, 20]"), GYRE_OK);
    assert_true(turned(scene, "water.bodies.duck.orientation", 3) == 0);
    near(turned(scene, "water.bodies.duck.rotation", 2), 20);
    char path[64];
    snprintf(path, sizeof path, "/tmp/gyre_pose_%ld.json", (long)getpid());
    assert_int_equal(gyre_scene_write(scene, path), GYRE_OK);
    gyre_scene_destroy(scene);
    assert_int_equal(gyre_scene_load(path, &scene), GYRE_OK);
    remove(path);
    near(turned(scene, "water.bodies.duck.rotation", 2), 20);
    assert_true(turned(scene, "water.bodies.duck.orientation", 3) == 0);
    near(turned(scene, "gas.solids.rock.orientation", 1), 1);
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

static void the_timeline_turns_along_the_shortest_arc(void **state)
{
    (void)state;
    // From -30 to 150 less a little about z; the second is given by its opposite.
    gyre_scene *scene =
        open_scene(SCENE(IN_BOX, "",
                         "{\"time\": 0, \"path\": \"water.bodies.duck.orientation\", \"value\": "
                         "[0, 0, -0.25881905, 0.96592583], \"interpolation\": \"linear\"},"
                         "{\"time\": 1, \"path\": \"water.bodies.duck.orientation\", \"value\": "
                         "[0, 0, -0.8660254, -0.5], \"interpolation\": \"linear\"},"
                         "{\"time\": 2, \"path\": \"water.bodies.duck.orientation\", \"value\": "
                         "[0, 0, 0.8660254, 0.5]}"));
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(NULL, &device), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    for (int s = 0; s < 18; s++) {
        // Set at the beginning of the step; a body that is held and does not spin keeps it.
        if (gyre_scene_step(scene)) {
            fail_msg("%s", gyre_message());
        }
        double x = turned(scene, "water.bodies.duck.orientation", 0), length = 0;
        near(x, 0);
        near(turned(scene, "water.bodies.duck.rotation", 2), s < 10 ? -30 + 15 * s : 120);
        for (int a = 0; a < 4; a++) {
            double q = turned(scene, "water.bodies.duck.orientation", a);
            length += q * q;
        }
        assert_true(fabs(length - 1) < 1e-6);
    }
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_count_is_told_once),
        cmocka_unit_test(what_is_no_turn_is_refused),
        cmocka_unit_test(what_is_set_later_counts),
        cmocka_unit_test(the_timeline_turns_along_the_shortest_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
