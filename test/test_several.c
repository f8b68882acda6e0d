// test/test_several.c: several models in one scene: fields by the model's name, statistics, files
// and pictures of all of them.
// labels: small
// needs: scene
#define _DEFAULT_SOURCE 1
#include "device_rig.h"
#include "gyre/gyre.h"
#include "gyre/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define AIR                                                                                        \
    "\"air\": {\"type\": \"gas\", \"grid\": {\"dim\": 2, \"n\": [24, 16, 1], \"h\": 0.04}, "       \
    "\"emitters\": [{\"shape\": {\"sphere\": {\"centre\": [0.5, 0.2, 0], \"radius\": 0.1}}, "      \
    "\"density\": 3, \"temperature\": 20}]}"
#define POOL                                                                                       \
    "\"pool\": {\"type\": \"water\", \"grid\": {\"n\": [32, 16, 1], \"h\": 0.05}, "                \
    "\"level\": 0.4, \"bodies\": [{\"name\": \"crate\", \"form\": \"box\", \"size\": [0.2, 0.2, "  \
    "0.2], \"position\": [0.8, 0.4, 0.4], \"density\": 500}]}"
#define REST "}, \"time\": {\"fps\": 30}, \"output\": {\"width\": 96, \"height\": 48}}"

static gyre_scene *make(gyre_device *device, const char *json)
{
    gyre_scene *scene;
    if (gyre_scene_parse(json, strlen(json), "test.json", &scene) ||
        gyre_scene_create(scene, device)) {
        fail_msg("%s", gyre_message());
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    }
    return scene;
}

static const char both[] = "{\"models\": {" AIR ", " POOL REST;

static void fields_are_found_in_every_model(void **state)
{
    gyre_scene *scene = make(*state, both);
    int model = -1, field = -1, count;
    assert_int_equal(gyre_scene_field(scene, "air.density", &model, &field), GYRE_OK);
    assert_int_equal(model, 0);
    assert_int_equal(gyre_scene_field(scene, "depth", &model, &field), GYRE_OK);
    assert_int_equal(model, 1);
    assert_string_equal(gyre_model_fields(gyre_scene_model(scene, 1), &count)[field].name, "depth");
    // Both have a velocity: the first of the file's order, unless a model is named.
    assert_int_equal(gyre_scene_field(scene, "velocity_x", &model, NULL), GYRE_OK);
    assert_int_equal(model, 0);
    assert_int_equal(gyre_scene_field(scene, "pool.velocity_x", &model, NULL), GYRE_OK);
    assert_int_equal(model, 1);
    assert_int_equal(gyre_scene_field(scene, "air.depth", &model, NULL), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_scene_field(scene, "dpth", &model, NULL), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "did you mean \"depth\""));
    assert_true(gyre_scene_seconds(scene) == gyre_model_time(gyre_scene_model(scene, 1)));

    assert_int_equal(gyre_scene_field(scene, "pol.depth", &model, NULL), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "no model \"pol\", did you mean \"pool\"?"));

    static const char *const names[] = {"pool.depth", "surface"}, *const others[] = {"air.density",
                                                                                     "pol.depth"};
    gyre_fields *fields;
    assert_int_equal(gyre_fields_open(scene, 1, others, 1, &fields), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "of another model than \"pool\""));
    assert_int_equal(gyre_fields_open(scene, 1, others + 1, 1, &fields), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "no model \"pol\""));
    assert_int_equal(gyre_fields_open(scene, 1, names, 2, &fields), GYRE_OK);
    const gyre_named_view *views = gyre_fields_views(fields, &count);
    assert_int_equal(count, 2);
    assert_string_equal(views[0].name, "depth");
    assert_int_equal(views[0].view.n[0], 32);
    gyre_fields_close(fields);
    assert_string_equal(gyre_scene_main_field(scene, 1), "depth");
    // What the scene shows is a field of the second model.
    assert_int_equal(gyre_scene_set(scene, "view.field", "pool.surface"), GYRE_OK);
    assert_string_equal(gyre_scene_main_field(scene, 0), "density");
    assert_string_equal(gyre_scene_main_field(scene, 1), "surface");
    gyre_scene_destroy(scene);
}

// What is in one column of the table's last line.
static double cell(const char *text, const char *column)
{
    const char *last = text + strlen(text) - 1;
    int index = 0;
    size_t length = strlen(column);
    while (strncmp(text, column, length) != 0 || (text[length] != ',' && text[length] != '\n')) {
        text += strcspn(text, ",\n");
        if (*text != ',') {
            fail_msg("no column %s", column);
        }
        text++;
        index++;
    }
    while (last[-1] != '\n') {
        last--;
    }
    for (; index > 0; index--) {
        last = strchr(last, ',') + 1;
    }
    return strtod(last, NULL);
}

static void statistics_are_named_by_the_model(void **state)
{
    static char path[] = "/tmp/test_several_XXXXXX", text[1 << 14];
    gyre_scene *scene = make(*state, both);
    gyre_stats_file *file;
    assert_true(mkstemp(path) >= 0);
    assert_int_equal(gyre_stats_open(path, scene, &file), GYRE_OK);
    assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    assert_int_equal(gyre_stats_write(file, 1), GYRE_OK);
    assert_int_equal(gyre_stats_close(file), GYRE_OK);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    unlink(path);
    gyre_model *air = gyre_scene_model(scene, 0), *pool = gyre_scene_model(scene, 1);
    assert_true(cell(text, "air.step") == 4 && cell(text, "pool.step") == 4);
    assert_true(cell(text, "air.total_density") ==
                gyre_model_total(air, gyre_model_field(air, "density")));
    assert_true(cell(text, "pool.total_depth") ==
                gyre_model_total(pool, gyre_model_field(pool, "depth")));
    const void *report;
    assert_non_null(gyre_model_report(pool, gyre_model_find(pool, "bodies", "crate"), &report));
    assert_true(cell(text, "pool.bodies.crate.position_z") > 0.1);
    assert_null(strstr(text, ",step,"));
    gyre_scene_destroy(scene);
}

static gyre_image draw(gyre_scene *scene, int width, int height)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(width, height, &image), GYRE_OK);
    if (gyre_scene_render(scene, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

// Whether a part of a picture is another one.
static bool is_panel(const gyre_image *image, int x, int y, const gyre_image *panel)
{
    bool same = true;
    for (int j = 0; j < panel->height; j++) {
        same = same && memcmp(image->rgb + 3 * ((y + j) * image->width + x),
                              panel->rgb + 3 * j * panel->width, 3 * (size_t)panel->width) == 0;
    }
    return same;
}

static void a_picture_has_all_models(void **state)
{
    gyre_scene *scene = make(*state, both);
    gyre_scene *air = make(*state, "{\"models\": {" AIR REST);
    gyre_scene *pool = make(*state, "{\"models\": {" POOL REST);
    gyre_image wide = draw(scene, 96, 48), tall = draw(scene, 40, 61);
    gyre_image left = draw(air, 48, 48), right = draw(pool, 48, 48), below = draw(pool, 40, 31);
    assert_false(is_panel(&left, 0, 0, &right));
    assert_true(is_panel(&wide, 0, 0, &left));
    assert_true(is_panel(&wide, 48, 0, &right));
    assert_true(is_panel(&tall, 0, 30, &below));
    // A field that is named is the whole picture, of whichever model it is.
    assert_int_equal(gyre_scene_set(scene, "view.field", "pool.speed"), GYRE_OK);
    assert_int_equal(gyre_scene_set(pool, "view.field", "speed"), GYRE_OK);
    gyre_image shown = draw(scene, 96, 48), alone = draw(pool, 96, 48);
    assert_true(is_panel(&shown, 0, 0, &alone));
    gyre_image *const all[] = {&wide, &tall, &left, &right, &below, &shown, &alone};
    for (int i = 0; i < 7; i++) {
        gyre_image_free(all[i]);
    }
    gyre_scene_destroy(scene);
    gyre_scene_destroy(air);
    gyre_scene_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found_in_every_model),
        cmocka_unit_test(statistics_are_named_by_the_model),
        cmocka_unit_test(a_picture_has_all_models),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
