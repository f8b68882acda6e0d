// test/test_formats.c: the table of formats: each is found by its endings, takes what it says, and
// says what a frame lacks; tables of numbers; copies of a last frame.
// labels: small
// needs: scene
#define _DEFAULT_SOURCE 1

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/io.h"
#include "io/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/gyre_formats_XXXXXX";
static char path[512];

static const char *in_folder(const char *file)
{
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

// One of each kind of thing that a format may take; what a format takes is missing once each.
static void each_format_says_what_it_takes(void **state)
{
    static uint8_t rgb[3 * 4 * 4];
    float data[4] = {1, 2, 3, 4};
    gyre_field_view view = {
        data, {2, 2, 1}, {1, 2, 0}, GYRE_CENTRE, {2, {2, 2, 1}, 1.0f, {0.0f, 0.0f, 0.0f}}};
    gyre_named_view field = {"density", view};
    gyre_named_particles particles = {.name = "dust"};
    gyre_mesh mesh = {0};
    const char *const cell = "1";
    gyre_row row = {&cell, &cell, 1};
    int formats = 0;
    (void)state;
    for (const gyre_format *f; (f = gyre_format_at(formats)) != NULL; formats++) {
        assert_true(f->name[0] && f->doc[0] && f->endings[0] && f->takes);
        for (int i = 0; i < 4 && f->endings[i]; i++) {
            char name[32];
            snprintf(name, sizeof name, "a%s", f->endings[i]);
            uint32_t takes = 0;
            assert_ptr_equal(gyre_format_of(name), f);
            assert_int_equal(gyre_sink_check(name, &takes), GYRE_OK);
            assert_int_equal(takes, f->takes);
        }
        gyre_frame whole = {.rgb = rgb,
                            .fields = &field,
                            .field_count = 1,
                            .particles = &particles,
                            .particle_count = 1,
                            .meshes = &mesh,
                            .mesh_count = 1,
                            .row = &row};
        assert_int_equal(gy_frame_check("a", f, &whole), GYRE_OK);
        for (uint32_t bit = 1; bit <= GYRE_TAKES_TABLE; bit *= 2) {
            gyre_frame lacks = whole;
            lacks.rgb = bit == GYRE_TAKES_PICTURE ? NULL : lacks.rgb;
            lacks.fields = bit == GYRE_TAKES_FIELDS ? NULL : lacks.fields;
            lacks.particles = bit == GYRE_TAKES_PARTICLES ? NULL : lacks.particles;
            lacks.meshes = bit == GYRE_TAKES_MESHES ? NULL : lacks.meshes;
            lacks.row = bit == GYRE_TAKES_TABLE ? NULL : lacks.row;
            assert_int_equal(gy_frame_check("a", f, &lacks),
                             f->takes & bit ? GYRE_ERROR_ARGUMENT : GYRE_OK);
        }
    }
    assert_true(formats >= 5);
    assert_null(gyre_format_at(-1));
    assert_null(gyre_format_of("a.txt"));
    assert_non_null(strstr(gyre_message(), ".npy"));
}

static void a_table_is_a_line_a_frame(void **state)
{
    static const char *const names[] = {"time", "mass"}, *const cells[] = {"0.5", "1e-3"};
    gyre_row row = {names, NULL, 2};
    gyre_frame frame = {.row = &row};
    gyre_sink *sink = NULL;
    char text[64] = "";
    (void)state;
    assert_int_equal(gyre_sink_open(in_folder("t.csv"), 0, 0, 0, &sink), GYRE_OK);
    assert_true(gyre_sink_format(sink)->stream && !gyre_sink_keeps_last(sink));
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK); // names alone
    row.cells = cells;
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
    row.count = 1; // of another number of columns
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_sink_write(sink, &frame), GYRE_ERROR_STATE);
    assert_int_not_equal(access(in_folder("t.csv"), F_OK), 0);
    assert_int_equal(gyre_sink_close(sink), GYRE_OK);
    FILE *stream = fopen(in_folder("t.csv"), "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    assert_string_equal(text, "time,mass\n0.5,1e-3\n");
    remove(in_folder("t.csv"));
    // Nothing was written: no file.
    assert_int_equal(gyre_sink_open(in_folder("e.csv"), 0, 0, 0, &sink), GYRE_OK);
    assert_int_equal(gyre_sink_close(sink), GYRE_OK);
    assert_int_not_equal(access(in_folder("e.csv"), F_OK), 0);
}

// Surfaces of a frame are one mesh, closed as they were; a frame without any is an empty one.
static void meshes_are_one(void **state)
{
    static const float points[2][12] = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                                        {5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1}};
    static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const char *const names[2] = {"m%03d.obj", "m%03d.stl"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        gyre_mesh meshes[3] = {{points[0], 4, triangles, 4}, {0}, {points[1], 4, triangles, 4}};
        gyre_mesh back;
        gyre_mesh_report report;
        gyre_mesh_measures m;
        gyre_frame frame = {.number = 7, .meshes = meshes, .mesh_count = 3};
        gyre_sink *sink = NULL;
        char name[32];
        assert_int_equal(gyre_sink_open(in_folder(names[k]), 0, 0, 0, &sink), GYRE_OK);
        assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
        frame = (gyre_frame){.number = 8, .meshes = meshes};
        assert_int_equal(gyre_sink_write(sink, &frame), GYRE_OK);
        assert_int_equal(gyre_sink_close(sink), GYRE_OK);
        snprintf(name, sizeof name, names[k], 7);
        assert_int_equal(gyre_mesh_read(in_folder(name), &back), GYRE_OK);
        assert_int_equal(gyre_mesh_inspect(NULL, &back, &report), GYRE_OK);
        assert_int_equal(gyre_mesh_measure(&back, &m), GYRE_OK);
        assert_int_equal(back.triangle_count, 8);
        assert_true(report.closed && report.parts == 2 && m.volume > 0.33 && m.volume < 0.34);
        gyre_mesh_free(&back);
        remove(in_folder(name));
        snprintf(name, sizeof name, names[k], 8);
        assert_int_equal(access(in_folder(name), F_OK), 0);
        remove(in_folder(name));
    }
}

// A copy holds what was there, whatever becomes of the frame.
static void a_last_frame_is_a_copy(void **state)
{
    float at[6] = {1, 2, 3, 4, 5, 6}, points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    int32_t age[2] = {7, 8}, triangle[3] = {0, 1, 2};
    char name[] = "position";
    gyre_named_attribute attributes[2] = {{name, 3, false, at}, {"age", 1, true, age}};
    gyre_named_particles set = {"dust", 2, attributes, 2};
    gyre_mesh mesh = {points, 3, triangle, 1};
    gyre_frame frame = {
        .time = 2, .particles = &set, .particle_count = 1, .meshes = &mesh, .mesh_count = 1};
    gyre_frame kept;
    gy_shape shape = {0};
    (void)state;
    assert_int_equal(
        gy_frame_keep("a", &shape, GYRE_TAKES_PARTICLES | GYRE_TAKES_MESHES, &frame, &kept),
        GYRE_OK);
    memset(at, 0, sizeof at);
    memset(age, 0, sizeof age);
    memset(points, 0, sizeof points);
    memset(triangle, 0, sizeof triangle);
    memset(name, 'x', sizeof name - 1);
    const gyre_named_attribute *a = kept.particles[0].attributes;
    assert_string_equal(kept.particles[0].name, "dust");
    assert_string_equal(a[0].name, "position");
    assert_true(((const float *)a[0].data)[5] == 6);
    assert_int_equal(((const int32_t *)a[1].data)[1], 8);
    assert_true(kept.meshes[0].points[3] == 1 && kept.meshes[0].triangles[2] == 2);
    assert_true(kept.time == 2);
    gy_frame_drop(&kept);
    assert_null(kept.particles);
}

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int end(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_format_says_what_it_takes),
        cmocka_unit_test(a_table_is_a_line_a_frame),
        cmocka_unit_test(meshes_are_one),
        cmocka_unit_test(a_last_frame_is_a_copy),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
