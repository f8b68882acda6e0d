// test/test_given.c: velocities of a gas that a scene gives by formulas of the place and the time.
// labels: small threads
// needs: scene
#define _DEFAULT_SOURCE 1
#include "gyre/gyre.h"
#include "gyre/scene.h"
#include "scene/formula.h"

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

static char folder[] = "/tmp/test_given_XXXXXX";

#define BOX                                                                                        \
    "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [20, 16, 1], \"h\": 0.05}, "            \
    "\"sides\": {\"x_low\": {\"rule\": \"periodic\"}, \"x_high\": {\"rule\": \"periodic\"}}%s}}, " \
    "\"time\": {\"fps\": 20}, \"start\": {\"density\": \"2 + sin(2*pi*x)\"}, \"given\": %s}"

static gyre_scene *made(gyre_device *device, const char *more, const char *given)
{
    char json[1024];
    gyre_scene *scene = NULL;
    snprintf(json, sizeof json, BOX, more, given);
    if (gyre_scene_parse(json, strlen(json), "test.json", &scene) ||
        gyre_scene_create(scene, device)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static gyre_scene *stepped(gyre_device *device, const char *given, int steps)
{
    gyre_scene *scene = made(device, "", given);
    for (int i = 0; i < steps; i++) {
        if (gyre_scene_step(scene)) {
            fail_msg("%s", gyre_message());
        }
    }
    return scene;
}

// How far a field is from a function of the place at most.
static double off(gyre_scene *scene, const char *field, double f(double x, double y))
{
    gyre_model *model = gyre_scene_model(scene, 0);
    gyre_field_view v;
    int index = gyre_model_field(model, field);
    double most = 0.0;
    assert_int_equal(gyre_model_map(model, index, GYRE_READ, &v), GYRE_OK);
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            float p[3];
            gyre_grid_position(&v.grid, v.location, i, j, 0, p);
            double found = (double)v.data[i + j * v.stride[1]];
            most = fmax(most, fabs(found - f((double)p[0], (double)p[1])));
        }
    }
    assert_int_equal(gyre_model_unmap(model, index), GYRE_OK);
    return most;
}

// After three steps of 1/20 s.
static double along(double x, double y)
{
    return sin(6.283185307179586 * y) * (1.0 + 0.1 * cos(6.283185307179586 * x)) * cos(0.45);
}

static double moved(double x, double y)
{
    (void)y;
    return 2.0 + sin(6.283185307179586 * (x - 0.5 * 0.15 * 0.15));
}

/// What is given stands in the fields, whichever way it is worked out.
static void fields_have_what_is_given(void **state)
{
    static const char *const given[] = {
        "{\"gas.velocity_x\": \"sin(2*pi*y) * (1 + 0.1*cos(2*pi*x)) * cos(3*t)\"}",
        "{\"velocity_x\": \"cos(3*t) * sin(2*pi*y) * (1 + 0.1*cos(2*pi*x))\"}",
        "{\"velocity_x\": \"0 + sin(2*pi*y) * (1 + 0.1*cos(2*pi*x)) * cos(3*t)\"}",
        "{\"velocity_x\": \"-(cos(3*t) * sin(2*pi*y)) * -1 * (1 + 0.1*cos(2*pi*x))\"}",
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        gyre_scene *scene = stepped(*state, given[i], 3);
        assert_true(off(scene, "velocity_x", along) < 1e-6);
        gyre_scene_destroy(scene);
    }
}

/// A wind that grows carries a wave as far as its integral says, by the middle of each step.
static void what_is_carried_goes_along(void **state)
{
    gyre_scene *scene = stepped(*state, "{\"velocity_x\": \"t\", \"velocity_y\": 0}", 3);
    double found = off(scene, "density", moved);
    if (!(found < 0.012)) { // 0.07 if it stood, 0.02 by the winds of the steps' starts
        fail_msg("the wave is off by %g", found);
    }
    gyre_scene_destroy(scene);
}

/// Formulas are read by one thread at a time, and there are more of those.
static void threads_have_the_same_bits(void **state)
{
    static const char given[] = "{\"velocity_x\": \"sin(2*pi*y + t)\", "
                                "\"velocity_y\": \"0.3 * sin(2*pi*x) * cos(t)\"}";
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device;
    def.threads = 4;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    gyre_scene *one = stepped(*state, given, 5), *four = stepped(device, given, 5);
    assert_true(gyre_scene_hash(one) == gyre_scene_hash(four));
    gyre_scene_destroy(one);
    gyre_scene_destroy(four);
    gyre_device_destroy(device);
}

/// A scene that was written gives the same; and a timeline may let the gas go on by itself.
static void scenes_are_written_with_it(void **state)
{
    static const char given[] = "{\"velocity_x\": \"sin(2*pi*y) * t\", \"velocity_y\": 0.25}";
    char path[128];
    gyre_scene *scene = stepped(*state, given, 0), *again = NULL;
    snprintf(path, sizeof path, "%s/written.json", folder);
    assert_int_equal(gyre_scene_write(scene, path), GYRE_OK);
    assert_int_equal(gyre_scene_load(path, &again), GYRE_OK);
    assert_int_equal(gyre_scene_create(again, *state), GYRE_OK);
    unlink(path);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_int_equal(gyre_scene_step(again), GYRE_OK);
    }
    assert_true(gyre_scene_hash(scene) == gyre_scene_hash(again));
    assert_int_equal(gyre_scene_set(scene, "gas.velocity", "solved"), GYRE_OK);
    assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    assert_int_equal(gyre_scene_step(again), GYRE_OK);
    assert_true(gyre_scene_hash(scene) != gyre_scene_hash(again));
    gyre_scene_destroy(scene);
    gyre_scene_destroy(again);
}

static void mistakes_are_told(void **state)
{
    static const struct {
        const char *more, *given, *said;
    } cases[] = {
        {"", "3", "given: found 3, expected an object of velocities"},
        {"", "{\"gas.density\": 1}", "expected a velocity of a gas"},
        {"", "{\"gas.velocity_z\": 1}", "expected a velocity of a gas"},
        {"", "{\"air.velocity_x\": 1}", "expected a velocity of a gas"},
        {"", "{\"velocity_x\": true}", "expected a number or a formula of x, y, z and t"},
        {"", "{\"velocity_x\": \"sin(t\"}", "given.velocity_x: the formula \"sin(t\" goes wrong"},
        {"", "{\"velocity_x\": \"q * t\"}", "expected numbers, x, y, z, t, pi"},
        {", \"velocity\": \"noise\"", "{\"velocity_x\": 1}", "comes from elsewhere"},
        {", \"floor\": true", "{\"velocity_x\": 1}", "has no effect where the velocity is given"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[1024];
        gyre_scene *scene = NULL;
        snprintf(json, sizeof json, BOX, cases[i].more, cases[i].given);
        assert_int_not_equal(gyre_scene_parse(json, strlen(json), "test.json", &scene), GYRE_OK);
        if (!strstr(gyre_message(), cases[i].said)) {
            fail_msg("%s: %s", cases[i].given, gyre_message());
        }
    }
}

static int begin(void **state)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    return mkdtemp(folder) && gyre_device_create(&def, (gyre_device **)state) == GYRE_OK ? 0 : -1;
}

static int end(void **state)
{
    gyre_device_destroy(*state);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_have_what_is_given),  cmocka_unit_test(what_is_carried_goes_along),
        cmocka_unit_test(threads_have_the_same_bits), cmocka_unit_test(scenes_are_written_with_it),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
