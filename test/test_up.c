// test/test_up.c: which axis points up: defaults follow, and the same world lies the other way.
// labels: small
// needs: scene
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

#include <cmocka.h>

static gyre_scene *load(gyre_device *device, const char *json)
{
    gyre_scene *scene;
    if (gyre_scene_parse(json, strlen(json), "test.json", &scene) ||
        gyre_scene_create(scene, device)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static gyre_scene *run(gyre_device *device, const char *json)
{
    gyre_scene *scene = load(device, json);
    for (int i = 0; i < 15; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    return scene;
}

#define OUTPUT "\"output\": {\"width\": 96, \"height\": 72}, \"view\": {\"floor\": false}"
#define GAS(n, centre)                                                                             \
    "{\"models\": {\"gas\": {\"grid\": {\"n\": " n ", \"h\": 0.05}, \"emitters\": [{\"shape\": "   \
    "{\"sphere\": {\"centre\": " centre ", \"radius\": 0.15}}, \"density\": 5, \"temperature\": "  \
    "300}]}}, \"time\": {\"fps\": 30}, " OUTPUT

static gyre_image draw(gyre_scene *scene)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(96, 72, &image), GYRE_OK);
    if (gyre_scene_render(scene, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

static double difference(const gyre_image *a, const gyre_image *b)
{
    double sum = 0;
    for (int i = 0; i < 3 * 96 * 72; i++) {
        sum += abs(a->rgb[i] - b->rgb[i]);
    }
    return sum / (3 * 96 * 72);
}

// Smoke that rises along y, and the same turned about x, along z.
static void gravity_and_camera_follow(void **state)
{
    gyre_scene *y = run(*state, GAS("[16, 24, 20]", "[0.4, 0.3, 0.4]") "}");
    gyre_scene *z = run(*state, GAS("[16, 20, 24]", "[0.4, 0.6, 0.3]") ", \"up\": \"z\"}");
    gyre_value g;
    assert_int_equal(gyre_scene_get(z, "gas.gravity", &g), GYRE_OK);
    assert_true(g.number[0] == 0 && g.number[1] == 0 && fabs(g.number[2] + 9.81) < 1e-6);
    const gyre_scene_settings *s = gyre_scene_get_settings(z);
    assert_true(s->camera.up[0] == 0 && s->camera.up[1] == 0 && s->camera.up[2] == 1);
    assert_true(gyre_scene_get_settings(y)->camera.up[1] == 1);

    gyre_model *one = gyre_scene_model(y, 0), *other = gyre_scene_model(z, 0);
    int field = gyre_model_field(one, "density");
    gyre_field_view a, b;
    double most = 0, sum = 0, off = 0;
    assert_int_equal(gyre_model_map(one, field, GYRE_READ, &a), GYRE_OK);
    assert_int_equal(gyre_model_map(other, field, GYRE_READ, &b), GYRE_OK);
    for (int k = 0; k < 20; k++) {
        for (int j = 0; j < 24; j++) {
            for (int i = 0; i < 16; i++) {
                double p = (double)a.data[i + j * a.stride[1] + k * a.stride[2]];
                double q = (double)b.data[i + (19 - k) * b.stride[1] + j * b.stride[2]];
                most = fmax(most, p);
                sum += p;
                off += fabs(p - q);
            }
        }
    }
    gyre_model_unmap(one, field);
    gyre_model_unmap(other, field);
    // Axes are swept one after the other, which is all that differs.
    print_message("off by %g of %g\n", off, sum);
    assert_true(most > 1 && off < 0.02 * sum);

    gyre_image upright = draw(y), lying = draw(z);
    print_message("pictures differ by %g\n", difference(&upright, &lying));
    assert_true(difference(&upright, &lying) < 1);
    gyre_image_free(&upright);
    gyre_image_free(&lying);
    gyre_scene_destroy(y);
    gyre_scene_destroy(z);
}

#define POOL                                                                                       \
    "\"pool\": {\"type\": \"water\", \"grid\": {\"n\": [24, 16, 1], \"h\": 0.05}, \"level\": 0.3}"

// Water has z up already: saying so changes nothing.
static void water_stays_as_it_was(void **state)
{
    gyre_scene *own = run(*state, "{\"models\": {" POOL "}, " OUTPUT "}");
    gyre_scene *z = run(*state, "{\"models\": {" POOL "}, \"up\": \"z\", " OUTPUT "}");
    assert_true(gyre_scene_hash(own) == gyre_scene_hash(z));
    gyre_image a = draw(own), b = draw(z);
    assert_true(difference(&a, &b) == 0);
    gyre_image_free(&a);
    gyre_image_free(&b);
    gyre_scene_destroy(own);
    gyre_scene_destroy(z);
}

static void what_a_scene_says_itself_stays(void **state)
{
    gyre_scene *scene = load(*state, "{\"models\": {\"gas\": {\"gravity\": [1, 2, 3]}, " POOL "}, "
                                     "\"camera\": {\"up\": [1, 0, 0]}, \"up\": \"z\"}");
    gyre_value g;
    assert_int_equal(gyre_scene_get(scene, "gas.gravity", &g), GYRE_OK);
    assert_true(g.number[0] == 1 && g.number[1] == 2 && g.number[2] == 3);
    assert_true(gyre_scene_get_settings(scene)->camera.up[0] == 1);
    assert_int_equal(gyre_scene_set(scene, "up", "y"), GYRE_ERROR_STATE);
    gyre_scene_destroy(scene);

    static const char wrong[] = "{\"models\": {" POOL "}, \"up\": \"y\"}";
    assert_int_equal(gyre_scene_parse(wrong, strlen(wrong), "test.json", &scene), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, *state), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "expected \"z\""));
    gyre_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_and_camera_follow),
        cmocka_unit_test(water_stays_as_it_was),
        cmocka_unit_test(what_a_scene_says_itself_stays),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
