// labels: threads
// needs: scene
// test/test_drawer.c: pictures that are drawn while the scene goes on are those that would have
// been drawn before it did.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 72, HIGH = 48, FRAMES = 5, BYTES = 3 * WIDE * HIGH };

static gyre_device *stepping[2], *drawing;

static gyre_scene *open_scene(const char *name, const char *const *set, gyre_device *device)
{
    char path[1024];
    gyre_scene *scene;

    snprintf(path, sizeof path, GYRE_SOURCE_DIR "/scene/%s.json", name);
    assert_int_equal(gyre_scene_load(path, &scene), GYRE_OK);
    for (; set != NULL && *set != NULL; set++)
        assert_int_equal(gyre_scene_assign(scene, *set), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    return scene;
}

/// Copies pictures away as they are drawn.
typedef struct film {
    gyre_image image;
    int count;
    uint8_t frames[FRAMES][BYTES];
} film;

static gyre_result keep(void *context)
{
    film *f = context;

    memcpy(f->frames[f->count++], f->image.rgb, BYTES);
    return GYRE_OK;
}

static void same_pictures(const char *name, const char *const *set)
{
    gyre_scene *scene[2];
    gyre_drawer *drawer;
    film *f = calloc(2, sizeof *f);

    assert_non_null(f);
    assert_int_equal(gyre_drawer_create(drawing, &drawer), GYRE_OK);
    for (int i = 0; i < 2; i++) {
        scene[i] = open_scene(name, set, stepping[i]);
        assert_int_equal(gyre_image_create(WIDE, HIGH, &f[i].image), GYRE_OK);
    }
    for (int k = 0; k < FRAMES; k++) {
        for (int i = 0; i < 2; i++)
            assert_int_equal(gyre_scene_step_frame(scene[i]), GYRE_OK);
        assert_int_equal(gyre_scene_render(scene[0], &f[0].image), GYRE_OK);
        keep(&f[0]);
        assert_int_equal(gyre_drawer_begin(drawer, scene[1], &f[1].image, keep, &f[1]), GYRE_OK);
        // Before the next step that may end it: what the camera does is the next picture's.
        for (int i = 0; i < 2; i++)
            assert_int_equal(gyre_scene_set(scene[i], "camera.field_of_view", k & 1 ? "30" : "40"),
                             GYRE_OK);
    }
    assert_int_equal(gyre_drawer_wait(drawer), GYRE_OK);
    assert_int_equal(f[1].count, FRAMES);
    for (int k = 0; k < FRAMES; k++)
        assert_memory_equal(f[0].frames[k], f[1].frames[k], BYTES);
    assert_memory_not_equal(f[0].frames[0], f[0].frames[1], BYTES);
    assert_true(gyre_scene_hash(scene[0]) == gyre_scene_hash(scene[1]));
    gyre_drawer_destroy(drawer);
    for (int i = 0; i < 2; i++) {
        gyre_scene_destroy(scene[i]);
        gyre_image_free(&f[i].image);
    }
    free(f);
}

static void smoke_and_solids(void **state)
{
    static const char *const set[] = {"gas.grid.n=32,12,24", "gas.grid.h=0.1", NULL};

    (void)state;
    same_pictures("fog", set);
}

static void water_and_bodies(void **state)
{
    (void)state;
    same_pictures("floating_boxes", NULL);
}

static void points(void **state)
{
    static const char *const set[] = {"gas.grid.n=24,36,24", "gas.grid.h=0.05", NULL};

    (void)state;
    same_pictures("tracers", set);
}

static void several_models(void **state)
{
    static const char *const panels[] = {"view.layout=panels", NULL};

    (void)state;
    same_pictures("steam", NULL);
    same_pictures("steam", panels);
}

static gyre_result refuse(void *context)
{
    (void)context;
    return gyre_fail(GYRE_ERROR_FILE, "the disk is %s", "full");
}

static void errors_come_once(void **state)
{
    gyre_scene *scene = open_scene("floating_boxes", NULL, stepping[0]);
    gyre_drawer *drawer;
    gyre_picture *picture;
    gyre_image image, none = {0};

    (void)state;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    assert_int_equal(gyre_drawer_create(drawing, &drawer), GYRE_OK);
    assert_int_equal(gyre_drawer_wait(drawer), GYRE_OK); // for nothing
    assert_int_equal(gyre_drawer_begin(drawer, scene, &image, refuse, NULL), GYRE_OK);
    assert_int_equal(gyre_drawer_begin(drawer, scene, &image, NULL, NULL), GYRE_ERROR_FILE);
    assert_string_equal(gyre_message(), "the disk is full");
    assert_int_equal(gyre_drawer_begin(drawer, scene, &none, NULL, NULL), GYRE_OK);
    assert_int_equal(gyre_drawer_wait(drawer), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "without pixels"));
    assert_int_equal(gyre_drawer_wait(drawer), GYRE_OK);
    // What is refused before it is copied leaves nothing behind.
    assert_int_equal(gyre_picture_create(&picture), GYRE_OK);
    assert_int_equal(gyre_picture_draw(picture, drawing, &image), GYRE_ERROR_STATE);
    assert_int_equal(gyre_picture_hold(picture, scene), GYRE_OK);
    assert_int_equal(gyre_picture_draw(picture, drawing, &image), GYRE_OK);
    assert_int_equal(gyre_scene_set(scene, "view.field", "colour"), GYRE_OK);
    assert_int_equal(gyre_picture_hold(picture, scene), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_picture_draw(picture, drawing, &image), GYRE_ERROR_STATE);
    gyre_picture_destroy(picture);
    gyre_drawer_destroy(drawer);
    gyre_scene_destroy(scene);
    gyre_image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoke_and_solids), cmocka_unit_test(water_and_bodies),
        cmocka_unit_test(points),           cmocka_unit_test(several_models),
        cmocka_unit_test(errors_come_once),
    };
    gyre_device_def def = gyre_default_device_def();

    def.threads = 2;
    if (gyre_device_create(&def, &stepping[0]) || gyre_device_create(&def, &stepping[1]) ||
        gyre_device_create(&def, &drawing))
        return 1;
    int missed = cmocka_run_group_tests(tests, NULL, NULL);

    gyre_device_destroy(stepping[0]);
    gyre_device_destroy(stepping[1]);
    gyre_device_destroy(drawing);
    return missed;
}
