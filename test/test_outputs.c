// test/test_outputs.c: what is written when nobody says what, and what files say of it.
#define _DEFAULT_SOURCE 1
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

static char folder[] = "/tmp/test_outputs_XXXXXX";
static char text[1 << 16];

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static gyre_scene *make(gyre_device *device, const char *json)
{
    gyre_scene *scene;
    if (gyre_scene_parse(json, strlen(json), "test.json", &scene) ||
        gyre_scene_create(scene, device)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

#define SCENE(model, view)                                                                         \
    "{\"models\": {" model "}, \"time\": {\"fps\": 30}, \"view\": {" view "}}"
#define GRID "\"grid\": {\"dim\": 2, \"n\": [16, 12, 1], \"h\": 0.1}"

// The names that are written where nobody named any, with blanks between.
static void written(gyre_device *device, const char *json, const char *names)
{
    char found[512] = "";
    gyre_scene *scene = make(device, json);
    gyre_fields *fields;
    int count;
    assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    assert_int_equal(gyre_fields_open(scene, 0, NULL, 0, &fields), GYRE_OK);
    const gyre_named_view *views = gyre_fields_views(fields, &count);
    for (int i = 0; i < count; i++) {
        strcat(strcat(found, i ? " " : ""), views[i].name);
    }
    assert_string_equal(found, names);
    // A file with room for one gets the first.
    assert_string_equal(gyre_scene_main_field(scene, 0), views[0].name);
    // And a .vti says the velocity as one vector, in place of its components.
    assert_int_equal(gyre_vti_write(in_folder("a.vti"), views, count, 0.0), GYRE_OK);
    read_all(in_folder("a.vti"));
    assert_non_null(strstr(text, "Name=\"velocity\" NumberOfComponents=\"3\""));
    assert_null(strstr(text, "Name=\"velocity_x\""));
    gyre_fields_close(fields);
    gyre_scene_destroy(scene);
}

static void one_rule_says_what_is_written(void **state)
{
    gyre_device *device = *state;
    written(device, SCENE("\"gas\": {" GRID "}", ""), "density velocity_x velocity_y temperature");
    written(device, SCENE("\"gas\": {" GRID "}", "\"field\": \"vorticity\""),
            "vorticity velocity_x velocity_y density temperature");
    written(device, SCENE("\"classic\": {" GRID "}", ""), "density velocity_x velocity_y");
    written(device, SCENE("\"water\": {" GRID "}", ""),
            "depth velocity_x velocity_y discharge_x discharge_y bed displaced");
    written(device, SCENE("\"water\": {\"mode\": \"wave\", " GRID "}", ""),
            "height velocity_x velocity_y discharge_x discharge_y bed displaced");
}

static void there_is_no_main_field_without_a_model(void **state)
{
    static const char json[] = SCENE("\"gas\": {" GRID "}", "");
    gyre_scene *scene;
    assert_int_equal(gyre_scene_parse(json, strlen(json), "test.json", &scene), GYRE_OK);
    assert_null(gyre_scene_main_field(scene, 0));
    assert_int_equal(gyre_scene_create(scene, *state), GYRE_OK);
    assert_string_equal(gyre_scene_main_field(scene, 0), "density");
    assert_null(gyre_scene_main_field(scene, 1));
    assert_null(gyre_scene_main_field(scene, -1));
    gyre_scene_destroy(scene);
}

// The components of a vector on cell centres stay where they are, each in its place.
static void vectors_at_centres_are_interleaved(void **state)
{
    (void)state;
    float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {11, 12, 13, 14, 15, 16};
    gyre_field_view view = {.data = x,
                            .n = {3, 2, 1},
                            .stride = {1, 3, 6},
                            .location = GYRE_CENTRE,
                            .grid = {.dim = 2, .n = {3, 2, 1}, .h = 1}};
    gyre_named_view fields[2] = {{"velocity_x", view}, {"velocity_y", view}};
    fields[1].view.data = y;
    assert_int_equal(gyre_vti_write(in_folder("b.vti"), fields, 2, 0.0), GYRE_OK);
    const char *at = strstr(read_all(in_folder("b.vti")), "encoding=\"raw\">\n_");
    assert_non_null(at);
    at = strchr(at, '_') + 1 + 8;
    for (int i = 0; i < 6; i++) {
        float three[3];
        memcpy(three, at + 12 * i, sizeof three);
        assert_true(three[0] == x[i] && three[1] == y[i] && three[2] == 0.0f);
    }
}

// ---- statistics

// The text of a column in a line of a table, "" where it is empty.
static void cell(const char *path, int line, const char *column, char *value, size_t size)
{
    read_all(path);
    int index = 0, at = 0;
    const char *name = text;
    size_t length = strlen(column);
    while (!(strncmp(name, column, length) == 0 && (name[length] == ',' || name[length] == '\n'))) {
        name += strcspn(name, ",\n");
        if (*name != ',') {
            fail_msg("no column %s in %.200s", column, text);
        }
        name++;
        index++;
    }
    const char *row = text;
    for (; at < line; at++) {
        row = strchr(row, '\n') + 1;
    }
    for (at = 0; at < index; at++) {
        row = strchr(row, ',') + 1;
    }
    snprintf(value, size, "%.*s", (int)strcspn(row, ",\n"), row);
}

static float number(const char *path, int line, const char *column)
{
    char value[64];
    cell(path, line, column, value, sizeof value);
    assert_true(value[0] != 0);
    return strtof(value, NULL);
}

#define POND                                                                                       \
    "{\"models\": {\"water\": {\"grid\": {\"dim\": 2, \"n\": [32, 32, 1], \"h\": 0.25}, "          \
    "\"bed\": {\"low\": -2}, \"bodies\": ["                                                        \
    "{\"name\": \"box\", \"density\": 500, \"position\": [4, 4, 0.2]}, "                           \
    "{\"size\": [0.5, 0.5, 0.5], \"position\": [2, 2, 0]}]}}, \"time\": {\"fps\": 30}, "           \
    "\"timeline\": [{\"time\": 0.3, \"path\": \"water.bodies\", \"value\": {\"name\": \"ball\", "  \
    "\"form\": \"sphere\", \"density\": 300, \"position\": [6, 6, 0]}}, "                          \
    "{\"time\": 0.5, \"path\": \"water.bodies.box\", \"value\": null}]}"

static void a_table_follows_bodies(void **state)
{
    gyre_scene *scene = make(*state, POND), *plain = make(*state, POND);
    const char *path = in_folder("s.csv");
    char table[128], value[64];
    gyre_stats_file *stats;
    gyre_body_report report;
    gyre_value position;
    snprintf(table, sizeof table, "%s", path);
    assert_int_equal(gyre_stats_open(table, scene, &stats), GYRE_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        assert_int_equal(gyre_scene_step(plain), GYRE_OK);
        if (i == 4) {
            gyre_water *water = (gyre_water *)gyre_scene_model(scene, 0);
            gyre_id id = gyre_model_element(gyre_scene_model(scene, 0), "bodies", 0);
            assert_int_equal(gyre_water_report(water, id, &report), GYRE_OK);
            assert_int_equal(gyre_scene_get(scene, "water.bodies.box.position", &position),
                             GYRE_OK);
        }
        assert_int_equal(gyre_stats_write(stats, 1.0), GYRE_OK);
    }
    // Looking has changed nothing.
    assert_true(gyre_scene_hash(scene) == gyre_scene_hash(plain));
    assert_int_equal(gyre_stats_close(stats), GYRE_OK);
    assert_true(number(table, 5, "bodies.box.position_z") == (float)position.number[2]);
    assert_true(number(table, 5, "bodies.box.force_z") == report.force[2]);
    assert_true(number(table, 5, "bodies.box.torque_y") == report.torque[1]);
    assert_true(number(table, 5, "bodies.box.draft") == report.draft);
    assert_true(number(table, 5, "bodies.box.submerged") == report.submerged);
    assert_true(report.draft > 0.1f && report.force[2] > 1000.0f);
    // The one without a name goes by its place, through all that comes and goes before it.
    assert_true(number(table, 20, "bodies.1.position_x") < 3.0f);
    assert_true(number(table, 20, "bodies.1.draft") > 0.0f);
    // Empty while it is not there.
    cell(table, 5, "bodies.ball.draft", value, sizeof value);
    assert_string_equal(value, "");
    assert_true(number(table, 20, "bodies.ball.draft") > 0.0f);
    cell(table, 20, "bodies.box.draft", value, sizeof value);
    assert_string_equal(value, "");
    gyre_scene_destroy(plain);
    gyre_scene_destroy(scene);
}

static void only_what_is_there_is_reported(void **state)
{
    gyre_scene *scene = make(*state, POND);
    const gyre_model *model = gyre_scene_model(scene, 0);
    const void *report = NULL;
    assert_non_null(gyre_model_report_table(model, "bodies"));
    assert_null(gyre_model_report_table(model, "gates"));
    assert_null(gyre_model_report_table(model, "boddies"));
    assert_null(gyre_model_report(model, 12345, &report));
    assert_null(gyre_model_report_table(NULL, "bodies"));
    gyre_scene_destroy(scene);
    scene = make(*state, SCENE("\"gas\": {" GRID "}", ""));
    assert_null(gyre_model_report_table(gyre_scene_model(scene, 0), "solids"));
    gyre_scene_destroy(scene);
}

static int begin(void **state)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    return mkdtemp(folder) && gyre_device_create(&def, (gyre_device **)state) == GYRE_OK ? 0 : -1;
}

static int end(void **state)
{
    static const char *const files[] = {"a.vti", "b.vti", "s.csv"};
    gyre_device_destroy(*state);
    for (int i = 0; i < 3; i++) {
        unlink(in_folder(files[i]));
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rule_says_what_is_written),
        cmocka_unit_test(there_is_no_main_field_without_a_model),
        cmocka_unit_test(vectors_at_centres_are_interleaved),
        cmocka_unit_test(a_table_follows_bodies),
        cmocka_unit_test(only_what_is_there_is_reported),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
