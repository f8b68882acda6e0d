// Pictures look like those that the renderer drew which took one ray after the other:
// test/picture/, made by script/likeness.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/scene.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gyre_device *device;

// The picture that is kept under a name.
static gyre_image kept(const char *name)
{
    char path[1024];
    png_image png = {.version = PNG_IMAGE_VERSION};
    gyre_image image;

    snprintf(path, sizeof path, GYRE_SOURCE_DIR "/test/picture/%s.png", name);
    assert_true(png_image_begin_read_from_file(&png, path));
    png.format = PNG_FORMAT_RGB;
    assert_int_equal(gyre_image_create((int)png.width, (int)png.height, &image), GYRE_OK);
    assert_true(png_image_finish_read(&png, NULL, image.rgb, 0, NULL));
    return image;
}

// A case is a line: its name, its scene, how many frames, and what is set.
static gyre_image draw(char *line, const char *name)
{
    char path[1024];
    const char *file = strtok(line, " "), *frames = strtok(NULL, " ");
    gyre_scene *scene;
    gyre_image image;

    assert_non_null(frames);
    snprintf(path, sizeof path, GYRE_SOURCE_DIR "/scene/%s.json", file);
    assert_int_equal(gyre_scene_load(path, &scene), GYRE_OK);
    for (char *set = strtok(NULL, " \n"); set != NULL; set = strtok(NULL, " \n"))
        assert_int_equal(gyre_scene_assign(scene, set), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    const gyre_scene_output *size = &gyre_scene_get_settings(scene)->output;

    for (int f = 0; f < atoi(frames); f++)
        assert_int_equal(gyre_scene_step_frame(scene), GYRE_OK);
    assert_int_equal(gyre_image_create(size->width, size->height, &image), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &image), GYRE_OK);
    gyre_scene_destroy(scene);
    print_message("%-15s", name);
    return image;
}

// The mean and the share of pixels that anyone would see are held.
static void test_likeness(void **state)
{
    char line[512];
    int cases = 0;
    FILE *file = fopen(GYRE_SOURCE_DIR "/test/picture/cases", "r");

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *rest = strchr(line, ' ');

        assert_non_null(rest);
        *rest++ = '\0';
        gyre_image now = draw(rest, line), before = kept(line);
        size_t pixels = (size_t)before.width * (size_t)before.height;
        double sum = 0.0, far = 0.0;

        assert_int_equal(now.width, before.width);
        assert_int_equal(now.height, before.height);
        for (size_t i = 0; i < 3 * pixels; i++) {
            int d = abs(now.rgb[i] - before.rgb[i]);

            sum += d;
            far += d > 16;
        }
        print_message(" mean %.4f of 255, %.5f of the bytes off by more than 16\n",
                      sum / (3.0 * (double)pixels), far / (3.0 * (double)pixels));
        assert_true(sum <= 0.5 * 3.0 * (double)pixels);
        assert_true(far <= 1e-3 * 3.0 * (double)pixels);
        gyre_image_free(&now);
        gyre_image_free(&before);
        cases++;
    }
    fclose(file);
    assert_int_equal(cases, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_likeness)};
    int failed;

    if (gyre_device_create(NULL, &device) != GYRE_OK)
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    return failed;
}
