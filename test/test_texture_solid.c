// test/test_texture_solid.c: solid textures from numbered pictures, a tall one and arrays: the same
// volume comes of each; what is wrong is told by name; scenes that are written elsewhere find
// theirs; detail finer than a grid's cells is seen.
// needs: scene
#include "test/check.h"

#include "gyre/io.h"
#include "gyre/render.h"
#include "gyre/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 12, SLICES = 5, P = 64 };

#define FOLDER GYRE_BINARY_DIR "/test_texture_solid"

static gyre_device *device;
static uint8_t slices[SLICES][3 * N * N];

// Gray, so that an array holds the same.
static void paint(void)
{
    for (int k = 0; k < SLICES; k++)
        for (int i = 0; i < N * N; i++)
            memset(&slices[k][3 * i], k * 20 + (i % N) * 9 + (i / N) * 5, 3);
    slices[0][0] = slices[0][1] = slices[0][2] = 0;
    memset(&slices[SLICES - 1][3 * (N * N - 1)], 255, 3);
}

static void write_slice(const char *name, int width, int height, const uint8_t *rgb)
{
    char path[300];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    must(gyre_png_write(path, width, height, 3, rgb));
}

static int open_all(void **state)
{
    (void)state;
    char name[80];
    float array[SLICES * N * N];
    uint8_t striped[3 * N * N];
    paint();
    must(gyre_device_create(NULL, &device));
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/stack", 0777);
    mkdir(FOLDER "/gap", 0777);
    mkdir(FOLDER "/stripes", 0777);
    mkdir(FOLDER "/two", 0777);
    mkdir(FOLDER "/none", 0777);
    mkdir(FOLDER "/uneven", 0777);
    mkdir(FOLDER "/other", 0777);
    for (int k = 0; k < SLICES; k++) {
        snprintf(name, sizeof name, "stack/slice%d.png", k + 8); // 8, 9, 10: not the order of names
        write_slice(name, N, N, slices[k]);
        snprintf(name, sizeof name, "gap/a%03d.png", k == 3 ? 17 : k);
        write_slice(name, N, N, slices[k]);
        snprintf(name, sizeof name, "uneven/a%03d.png", k);
        write_slice(name, k == 2 ? N / 2 : N, N, slices[k]);
    }
    for (int i = 0; i < 3 * N * N; i++)
        striped[i] = i / 3 % 2 ? 200 : 50;
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "stripes/a%d.png", k);
        write_slice(name, N, N, striped);
    }
    write_slice("two/a0.png", N, N, slices[0]);
    write_slice("two/b0.png", N, N, slices[0]);
    write_slice("tall.png", N, N * SLICES, slices[0]);
    for (int k = 0; k < SLICES; k++)
        for (int i = 0; i < N * N; i++)
            array[k * N * N + (N - 1 - i / N) * N + i % N] = 3.0f * (float)slices[k][3 * i] - 40.0f;
    gyre_field_view view = {.data = array,
                            .n = {N, N, SLICES},
                            .stride = {1, N, N * N},
                            .location = GYRE_CENTRE,
                            .grid = {.dim = 3, .n = {N, N, SLICES}, .h = 1.0f}};
    must(gyre_npy_write(FOLDER "/volume.npy", &view));
    view.n[2] = view.grid.n[2] = 1;
    view.grid.dim = 2;
    must(gyre_npy_write(FOLDER "/plane.npy", &view));
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return system("rm -r '" FOLDER "'") != 0;
}

static gyre_result create(const char *texture, int parts, int dim, int cells, gyre_scene **scene)
{
    char text[700];
    snprintf(
        text, sizeof text,
        "{ \"models\": { \"gas\": { \"grid\": { \"dim\": %d, \"n\": [%d, %d, %d], \"h\": %g }, "
        "\"texture\": { \"phases\": 2 } } }, \"start\": { \"gas.density\": 0.2 }, \"view\": { "
        "\"texture\": \"%s\", \"texture_slices\": %d, \"density_scale\": 15 } }",
        dim, cells, cells, dim == 3 ? cells : 1, 1.0 / cells, texture, parts);
    *scene = NULL;
    gyre_result r = gyre_scene_parse(text, strlen(text), FOLDER "/scene.json", scene);
    return r ? r : gyre_scene_create(*scene, device);
}

static void draw(const char *texture, int parts, int cells, gyre_image *image)
{
    gyre_scene *scene;
    must(create(texture, parts, 3, cells, &scene));
    must(gyre_image_create(P, P, image));
    must(gyre_scene_render(scene, image));
    gyre_scene_destroy(scene);
}

static double apart(const gyre_image *a, const gyre_image *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * P * P; i++)
        sum += abs(a->rgb[i] - b->rgb[i]);
    return sum / (3 * P * P);
}

static void each_file_gives_the_same_volume(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int slices;
    } files[] = {{"stack/slice%d.png", 0}, {"tall.png", SLICES}, {"volume.npy", 0}};
    gyre_image first, image, noise;
    draw("stack", 0, 16, &first);
    draw("noise", 0, 16, &noise);
    assert_true(apart(&first, &noise) > 1.0);
    for (int i = 0; i < 3; i++) {
        draw(files[i].name, files[i].slices, 16, &image);
        assert_memory_equal(image.rgb, first.rgb, 3 * P * P);
        gyre_image_free(&image);
    }
    // A slice of the domain's lower end is the first slice, bottom row below.
    gyre_scene *scene;
    must(create("stack", 0, 3, 16, &scene));
    must(gyre_scene_set(scene, "view.mode", "slice"));
    char at[32];
    snprintf(at, sizeof at, "%g", 0.5 / N);
    must(gyre_scene_set(scene, "view.slice_position", at));
    must(gyre_image_create(P, P, &image));
    must(gyre_scene_render(scene, &image));
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            int px = (2 * x + 1) * P / (2 * N), py = (2 * y + 1) * P / (2 * N);
            int here = image.rgb[3 * (px + P * py)], there = slices[0][3 * (x + N * y)];
            if (abs(here - there) > 12)
                fail_msg("entry %d, %d: %d, expected about %d", x, y, here, there);
        }
    gyre_scene_destroy(scene);
    gyre_image_free(&image);
    gyre_image_free(&noise);
    gyre_image_free(&first);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *texture;
        int slices, dim;
        const char *says;
    } wrong[] = {
        {"gap", 0, 3, "gap/a003.png"},
        {"uneven", 0, 3, "uneven/a002.png: found 6 x 12 pixels, expected 12 x 12"},
        {"two", 0, 3, "expected files of one name"},
        {"none", 0, 3, "no file of that name"},
        {"slice%04d.png", 0, 3, "no file of that name"},
        {"tall.png", 7, 3, "60 pixels high, expected a multiple of view.texture_slices, 7"},
        {"plane.npy", 0, 3, "an array of 12 x 12, expected one of 3 dimensions"},
        {"nowhere.npy", 0, 3, "nowhere.npy"},
        {"stack", 0, 2, "the gas is in 2D"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gyre_scene *scene;
        assert_true(create(wrong[i].texture, wrong[i].slices, wrong[i].dim, 12, &scene) != GYRE_OK);
        if (strstr(gyre_message(), wrong[i].says) == NULL ||
            strstr(gyre_message(), "view.texture") == NULL)
            fail_msg("%s, expected \"%s\"", gyre_message(), wrong[i].says);
        gyre_scene_destroy(scene);
    }
    gyre_texels *texels;
    gyre_image none = {0};
    assert_int_equal(gyre_texels_create_solid(&none, 1, &texels), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_texels_create_solid(&none, 0, &texels), GYRE_ERROR_ARGUMENT);
}

static void a_written_scene_finds_its_texture(void **state)
{
    (void)state;
    gyre_scene *scene, *again;
    gyre_value name;
    must(create("stack", 0, 3, 12, &scene));
    must(gyre_scene_write(scene, FOLDER "/beside.json"));
    must(gyre_scene_write(scene, FOLDER "/other/away.json"));
    must(gyre_scene_load(FOLDER "/beside.json", &again));
    must(gyre_scene_get(again, "view.texture", &name));
    assert_string_equal(name.string, "stack");
    gyre_scene_destroy(again);
    must(gyre_scene_load(FOLDER "/other/away.json", &again));
    must(gyre_scene_create(again, device));
    must(gyre_scene_get(again, "view.texture", &name));
    assert_true(name.string[0] == '/');
    gyre_scene_destroy(again);
    // A word is no file; from a place with a long name it cannot be told.
    must(gyre_scene_set(scene, "view.texture", "noise"));
    must(gyre_scene_write(scene, FOLDER "/other/noise.json"));
    must(gyre_scene_load(FOLDER "/other/noise.json", &again));
    must(gyre_scene_get(again, "view.texture", &name));
    assert_string_equal(name.string, "noise");
    gyre_scene_destroy(again);
    char far[260];
    memset(far, 'x', sizeof far);
    far[240] = '\0';
    must(gyre_scene_set(scene, "view.texture", far));
    assert_int_equal(gyre_scene_write(scene, FOLDER "/other/far.json"), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "too long"));
    gyre_scene_destroy(scene);
}

/// How much the middle of a row differs from pixel to pixel, seen along z.
static double stripes(const char *texture)
{
    gyre_scene *scene;
    gyre_image image;
    double sum = 0.0;
    must(create(texture, 0, 3, N, &scene));
    must(gyre_scene_set(scene, "view.texture_size", "0.5"));
    must(gyre_scene_set(scene, "view.texture_contrast", texture[0] ? "1" : "0"));
    must(gyre_scene_set(scene, "view.density_scale", "4"));
    must(gyre_scene_set(scene, "camera.position", "0.5,0.5,12"));
    must(gyre_scene_set(scene, "camera.target", "0.5,0.5,0.5"));
    must(gyre_scene_set(scene, "camera.field_of_view", "5"));
    must(gyre_image_create(4 * P, P, &image));
    must(gyre_scene_render(scene, &image));
    for (int x = P + P / 2; x < 3 * P - P / 2; x++)
        sum += abs(image.rgb[3 * (x + 1 + 4 * P * P / 2)] - image.rgb[3 * (x + 4 * P * P / 2)]);
    gyre_image_free(&image);
    gyre_scene_destroy(scene);
    return sum / P;
}

// Stripes of one entry, half a cell wide: all cells have their centres in the same place of them.
static void detail_is_finer_than_cells(void **state)
{
    (void)state;
    double plain = stripes(""), fine = stripes("stripes");
    print_message("from pixel to pixel: %.2f, without a texture %.2f\n", fine, plain);
    assert_true(fine > 3.0 * plain + 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_gives_the_same_volume),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_written_scene_finds_its_texture),
        cmocka_unit_test(detail_is_finer_than_cells),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
