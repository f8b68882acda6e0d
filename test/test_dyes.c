// test/test_dyes.c: scalars mixed as ink and as light, against what Beer and Lambert's law and sums
// say that pixels must be.
// labels: small threads
// needs: scene
#define DEVICE_THREADS 2
#include "device_rig.h"
#include "gyre/gyre.h"
#include "gyre/render.h"
#include "gyre/scene.h"
#include "render/render.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDE = 48, HIGH = 36, N = 24, CELLS = N * N * N, DYES = 6 };

static const gyre_grid flat = {2, {N, N, 1}, 0.125f, {0, 0, 0}};
static const gyre_grid box = {3, {N, N, N}, 0.125f, {0, 0, 0}};
static float cells[DYES][CELLS], solid[CELLS];
static gyre_field_view views[DYES];
static gyre_render_channel dyes[DYES];

static gyre_field_view view_of(const gyre_grid *grid, float *data)
{
    const int *n = grid->n;
    return (gyre_field_view){
        data, {n[0], n[1], n[2]}, {1, n[0], (ptrdiff_t)n[0] * n[1]}, GYRE_CENTRE, *grid};
}

// `count` scalars that hold the same everywhere; of a box the eye looks along z from far away.
static gyre_render_input even(const gyre_grid *grid, int count, const float *amounts,
                              const float colours[][3], const float *scales)
{
    gyre_render_input input = {.grid = grid,
                               .channels = dyes,
                               .channel_count = count,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < CELLS; c++) {
            cells[i][c] = amounts[i];
        }
        views[i] = view_of(grid, cells[i]);
        dyes[i] = (gyre_render_channel){&views[i], {0}, scales[i]};
        memcpy(dyes[i].colour, colours[i], sizeof dyes[i].colour);
    }
    memcpy(input.camera.target, (float[]){1.5f, 1.5f, 1.5f}, sizeof input.camera.target);
    memcpy(input.camera.position, (float[]){1.5f, 1.5f, 101.5f}, sizeof input.camera.position);
    input.camera.field_of_view = 1;
    input.settings.range[1] = 1;
    input.settings.density_scale = 0.5f;
    return input;
}

static gyre_image draw(const gyre_render_input *input)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    if (gyre_render(the_device, input, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

static const uint8_t *pixel(const gyre_image *image, int x, int y)
{
    return image->rgb + 3 * (y * image->width + x);
}

static void same(const gyre_render_input *a, const gyre_render_input *b)
{
    gyre_image p = draw(a), q = draw(b);
    assert_memory_equal(p.rgb, q.rgb, 3 * WIDE * HIGH);
    gyre_image_free(&p);
    gyre_image_free(&q);
}

static double to_byte(double x)
{
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055);
}

// The film curve of volumes, by its own formula (Narkowicz).
static double film(double x)
{
    x *= 0.8;
    return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
}

// A byte is a number cut after noise of 0 to 1 was added.
static void check_pixel(const gyre_image *image, int x, int y, const double colour[3], double more,
                        const char *what)
{
    for (int c = 0; c < 3; c++) {
        double wanted = to_byte(colour[c]), seen = pixel(image, x, y)[c];
        if (fabs(seen - wanted) > 1 + more) {
            fail_msg("%s: colour %d at %d, %d: %g, expected %.2f", what, c, x, y, seen, wanted);
        }
    }
}

static const float blue_and_yellow[2][3] = {{0.1f, 0.35f, 0.9f}, {0.95f, 0.8f, 0.1f}};

static void two_inks_multiply_in_a_map(void **state)
{
    static const float amounts[4][2] = {{0.3f, 0}, {0, 0.8f}, {0.3f, 0.8f}, {1.5f, 2}};
    static const float scales[2] = {2, 0.5f};
    (void)state;
    for (int q = 0; q < 4; q++) {
        gyre_render_input input = even(&flat, 2, amounts[q], blue_and_yellow, scales);
        double expected[3];
        input.settings.mix = GYRE_MIX_INK;
        input.settings.range[1] = 1.25f; // an amount that counts as a depth of 1
        gyre_image image = draw(&input);
        for (int c = 0; c < 3; c++) {
            expected[c] = (double)input.settings.paper[c];
            for (int i = 0; i < 2; i++) {
                expected[c] *= pow((double)blue_and_yellow[i][c],
                                   (double)amounts[q][i] * (double)scales[i] / 1.25);
            }
        }
        for (int y = 0; y < HIGH; y += 5) {
            for (int x = 8; x < 40; x += 3) {
                check_pixel(&image, x, y, expected, 0.05, "map");
            }
        }
        if (q == 2) { // green
            const uint8_t *p = pixel(&image, 20, 20);
            print_message("blue and yellow: %d %d %d\n", p[0], p[1], p[2]);
            assert_true(p[1] > p[0] + 20 && p[1] > p[2] + 20);
        }
        gyre_image_free(&image);
    }
}

static void two_inks_multiply_in_a_slab(void **state)
{
    static const float amounts[3][2] = {{0.3f, 0}, {0, 0.6f}, {0.3f, 0.6f}}, scales[2] = {2, 0.5f};
    (void)state;
    for (int q = 0; q < 3; q++) {
        gyre_render_input input = even(&box, 2, amounts[q], blue_and_yellow, scales);
        double expected[3];
        input.settings.mix = GYRE_MIX_INK;
        gyre_image image = draw(&input);
        for (int c = 0; c < 3; c++) {
            double left = (double)input.settings.paper[c];
            for (int i = 0; i < 2; i++) { // 3 m of 0.5 m^2/kg
                left *= pow((double)blue_and_yellow[i][c],
                            0.5 * 3 * (double)amounts[q][i] * (double)scales[i]);
            }
            expected[c] = film(left);
        }
        // Towards the corners the background is darker.
        for (int x = 23; x <= 24; x++) {
            check_pixel(&image, x, 18, expected, 0.5, "slab");
        }
        gyre_image_free(&image);
    }
}

// One behind the other, in one picture.
static void inks_of_two_volumes_multiply(void **state)
{
    static const gyre_grid behind = {3, {N, N, N}, 0.125f, {0, 0, -5}};
    static const float amounts[2] = {0.6f, 0.3f}, one[2] = {1, 1};
    gyre_render_input inputs[2] = {even(&box, 2, amounts, blue_and_yellow, one)};
    gyre_image image;
    double expected[3];
    (void)state;
    inputs[0].settings.mix = GYRE_MIX_INK;
    inputs[0].channel_count = 1;
    inputs[1] = inputs[0];
    inputs[1].grid = &behind;
    inputs[1].channels = &dyes[1];
    views[1].grid = behind;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    if (gyre_render_composed(the_device, inputs, 2, &image)) {
        fail_msg("%s", gyre_message());
    }
    for (int c = 0; c < 3; c++) {
        double left = (double)inputs[0].settings.paper[c];
        for (int i = 0; i < 2; i++) {
            left *= pow((double)blue_and_yellow[i][c], 0.5 * 3 * (double)amounts[i]);
        }
        expected[c] = film(left);
    }
    check_pixel(&image, 24, 18, expected, 0.6, "two volumes");
    gyre_image_free(&image);
}

static void lamps_add_up(void **state)
{
    static const float amounts[3] = {0.1f, 0.2f, 0.3f}, scales[3] = {1, 2, 0.5f};
    static const float rgb[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0.25f, 1}};
    (void)state;
    for (int deep = 0; deep < 2; deep++) {
        gyre_render_input input = even(deep ? &box : &flat, 3, amounts, rgb, scales);
        double expected[3];
        input.settings.mix = GYRE_MIX_LIGHT;
        gyre_image image = draw(&input);
        float t = 0.5f * (0.5f + 0.5f); // half way down
        for (int c = 0; c < 3; c++) {
            double top = (double)input.settings.background_top[c];
            double bottom = (double)input.settings.background_bottom[c];
            double behind = top + (bottom - top) * (double)t, sum = 0;
            for (int i = 0; i < 3; i++) {
                sum += (double)(amounts[i] * scales[i] * rgb[i][c]) * (deep ? 1.5 : 1.0);
            }
            expected[c] = deep ? film(behind + sum) : film(behind) + sum;
        }
        check_pixel(&image, 24, 18, expected, 0.6, deep ? "lamps in a box" : "lamps in a map");
        gyre_image_free(&image);
    }
}

static void sphere(float *to, float x, float y, float z, float radius, float amount)
{
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                float a = (float)i - x, b = (float)j - y, c = (float)k - z;
                float r = sqrtf(a * a + b * b + c * c);
                to[i + N * (j + N * k)] = r < radius ? amount * (1 - r / radius) : 0;
            }
        }
    }
}

// Six clouds, of which three look alike.
static gyre_render_input clouds(const gyre_grid *grid)
{
    static const float none[DYES] = {0}, scales[DYES] = {1, 2, 1, 1, 1, 0.7f};
    static const float colours[DYES][3] = {{0.1f, 0.35f, 0.9f}, {0.95f, 0.8f, 0.1f},
                                           {0.1f, 0.35f, 0.9f}, {0.9f, 0.2f, 0.3f},
                                           {0.1f, 0.35f, 0.9f}, {0.3f, 0.9f, 0.4f}};
    gyre_render_input input = even(grid, DYES, none, colours, scales);
    for (int i = 0; i < DYES; i++) {
        float a = (float)i, z = grid->dim == 2 ? 0 : 11 + 0.5f * a;
        sphere(cells[i], 8 + 1.7f * a, 15 - 1.3f * a, z, 9 + 0.3f * a, 3 + 0.37f * a);
    }
    input.camera.field_of_view = 2.2f;
    return input;
}

static void their_order_does_not_count(void **state)
{
    static const int orders[3][DYES] = {{5, 4, 3, 2, 1, 0}, {2, 0, 4, 1, 5, 3}, {4, 2, 0, 3, 1, 5}};
    (void)state;
    for (int which = 0; which < 5; which++) {
        gyre_render_input input = clouds(which < 2 ? &flat : &box), other;
        gyre_render_channel shuffled[DYES];
        input.settings.mix = which % 2 == 0 ? GYRE_MIX_INK : GYRE_MIX_LIGHT;
        input.settings.cloudiness = which == 4 ? 0.7f : 0;
        gyre_image first = draw(&input);
        int least = 255, most = 0;
        for (int i = 0; i < WIDE * HIGH; i++) {
            least = first.rgb[3 * i] < least ? first.rgb[3 * i] : least;
            most = first.rgb[3 * i] > most ? first.rgb[3 * i] : most;
        }
        assert_true(most > least + 60); // there is something to see
        gyre_image_free(&first);
        other = input;
        other.channels = shuffled;
        for (int o = 0; o < 3; o++) {
            for (int i = 0; i < DYES; i++) {
                shuffled[i] = dyes[orders[o][i]];
            }
            same(&input, &other);
            // Bytes hide the last bits of sums: they are added up in the same order.
            gyre_render_channel in[2][DYES];
            gy_sort_channels(dyes, DYES, in[0]);
            gy_sort_channels(shuffled, DYES, in[1]);
            for (int i = 0; i < DYES; i++) {
                assert_ptr_equal(in[0][i].view, in[1][i].view);
            }
        }
    }
}

static void clear_ink_and_dark_lamps_are_not_seen(void **state)
{
    static const float one[1] = {1}, white[1][3] = {{1, 1, 1}}, black[1][3] = {{0, 0, 0}};
    (void)state;
    for (int deep = 0; deep < 2; deep++) {
        const gyre_grid *grid = deep ? &box : &flat;
        gyre_render_input ink = even(grid, 1, one, white, one), none = ink;
        ink.settings.mix = GYRE_MIX_INK;
        none.channels = NULL;
        none.channel_count = 0;
        // Without a scalar the picture is its background; over a map that is not tone-mapped.
        if (deep) {
            memcpy(none.settings.background_top, ink.settings.paper, sizeof ink.settings.paper);
            memcpy(none.settings.background_bottom, ink.settings.paper, sizeof ink.settings.paper);
            same(&ink, &none);
        } else {
            gyre_image image = draw(&ink);
            double paper[3] = {0.93, 0.91, 0.86};
            check_pixel(&image, 20, 20, paper, 0.05, "clear ink");
            gyre_image_free(&image);
        }
        gyre_render_input lamp = even(grid, 1, one, black, one), dark = lamp;
        lamp.settings.mix = GYRE_MIX_LIGHT;
        dark.channels = NULL;
        dark.channel_count = 0;
        same(&lamp, &dark);
    }
}

// What is known already: gray ink is smoke that sends nothing on, white cloudy ink one that sends
// on all, to the bit.
static void gray_ink_is_black_smoke(void **state)
{
    static const float none[1] = {0}, one[1] = {1}, gray[1][3] = {{0.25f, 0.25f, 0.25f}};
    static const float white[1][3] = {{1, 1, 1}};
    gyre_field_view density = view_of(&box, solid);
    (void)state;
    gyre_render_input ink = even(&box, 1, none, gray, one);
    sphere(cells[0], 11, 12, 13, 9, 2);
    ink.settings.mix = GYRE_MIX_INK;
    ink.settings.floor = true;
    ink.camera.position[1] = 31.5f;
    gyre_render_input smoke = ink;
    smoke.settings.mix = GYRE_MIX_AUTO;
    smoke.channels = NULL;
    smoke.channel_count = 0;
    smoke.density = &density;
    memset(smoke.settings.albedo, 0, sizeof smoke.settings.albedo);
    memcpy(smoke.settings.background_top, ink.settings.paper, sizeof ink.settings.paper);
    memcpy(smoke.settings.background_bottom, ink.settings.paper, sizeof ink.settings.paper);
    float taken = -logf(0.25f);
    for (int i = 0; i < CELLS; i++) {
        solid[i] = cells[0][i] * taken;
    }
    same(&ink, &smoke);
    ink = even(&box, 1, none, white, one);
    sphere(cells[0], 11, 12, 13, 9, 2);
    ink.settings.mix = GYRE_MIX_INK;
    ink.settings.cloudiness = 4;
    gyre_render_input cloud = ink;
    gyre_render_channel channel = {&views[0], {1, 1, 1}, 4};
    cloud.channels = &channel;
    cloud.settings.mix = GYRE_MIX_AUTO;
    memcpy(cloud.settings.background_top, ink.settings.paper, sizeof ink.settings.paper);
    memcpy(cloud.settings.background_bottom, ink.settings.paper, sizeof ink.settings.paper);
    same(&ink, &cloud);
}

// Light that comes through ink from above has its colour on the floor.
static void ink_casts_coloured_shadows(void **state)
{
    static const float amounts[2] = {0.15f, 0.3f}, scales[2] = {2, 0.5f};
    gyre_image images[2];
    (void)state;
    for (int q = 0; q < 2; q++) {
        gyre_render_input input = even(&box, 2, amounts, blue_and_yellow, scales);
        input.settings.mix = GYRE_MIX_INK;
        input.settings.floor = true;
        memcpy(input.settings.floor_colour, (float[]){0.8f, 0.8f, 0.8f}, 3 * sizeof(float));
        input.light = (gyre_light){{0, 1, 0}, {1, 1, 1}, 1, 0, {1, 1, 1}};
        // From above, askew: through ink that is in cells of the lower half alone.
        memcpy(input.camera.position, (float[]){1.5f, 60, 1.6f}, 3 * sizeof(float));
        memcpy(input.camera.target, (float[]){1.5f, 0, 1.5f}, 3 * sizeof(float));
        memcpy(input.camera.up, (float[]){0, 0, -1}, 3 * sizeof(float));
        for (int i = 0; i < 2; i++) {
            for (int c = 0; c < CELLS && q == 1; c++) {
                cells[i][c] = 0;
            }
        }
        images[q] = draw(&input);
    }
    // To the floor and back: twice 3 m.
    const uint8_t *seen = pixel(&images[0], 24, 18);
    for (int c = 0; c < 3; c++) {
        double left = 0.8;
        for (int i = 0; i < 2; i++) {
            left *= pow((double)blue_and_yellow[i][c],
                        2 * 0.5 * 3 * (double)amounts[i] * (double)scales[i]);
        }
        print_message("%d, expected %.1f; without ink %d\n", seen[c], to_byte(film(left)),
                      pixel(&images[1], 24, 18)[c]);
        assert_true(fabs(seen[c] - to_byte(film(left))) < 4);
        assert_true(fabs(pixel(&images[1], 24, 18)[c] - to_byte(film(0.8))) < 2);
    }
    gyre_image_free(&images[0]);
    gyre_image_free(&images[1]);
}

static void the_bits_are_the_same(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        gyre_render_input input = clouds(which == 0 ? &flat : &box);
        gyre_image first = {0};
        input.settings.mix = which == 2 ? GYRE_MIX_LIGHT : GYRE_MIX_INK;
        input.settings.cloudiness = 0.5f;
        input.settings.mode = which == 3 ? GYRE_MODE_CELLS : GYRE_MODE_AUTO;
        for (int threads = 1; threads <= 3; threads += 2) {
            for (int i = 0; gyre_isa_name(i); i++) {
                gyre_device_def def = gyre_default_device_def();
                gyre_device *device;
                gyre_image image;
                def.threads = threads;
                def.isa = gyre_isa_name(i);
                assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
                assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
                assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
                gyre_device_destroy(device);
                if (!first.rgb) {
                    first = image;
                    continue;
                }
                assert_memory_equal(first.rgb, image.rgb, 3 * WIDE * HIGH);
                gyre_image_free(&image);
            }
        }
        gyre_image_free(&first);
    }
}

// ---- scenes

#define GAS                                                                                        \
    "{\"models\": {\"gas\": {\"grid\": {\"dim\": 2, \"n\": [24, 24, 1], \"h\": 0.1}, "             \
    "\"channels\": [{\"name\": \"blue\"}, {\"name\": \"yellow\"}]}}, \"time\": {\"fps\": 30}, "    \
    "\"start\": {\"gas.blue\": 0.5, \"gas.yellow\": 0.5, \"gas.temperature\": 2}, \"view\": "      \
    "{\"range\": [0, 1], "
#define BLUE "{\"name\": \"blue\", \"colour\": [0.1, 0.35, 0.9]}"
#define YELLOW "{\"name\": \"yellow\", \"colour\": [0.95, 0.8, 0.1]}"

static gyre_scene *make(const char *json)
{
    gyre_scene *scene;
    if (gyre_scene_parse(json, strlen(json), "test.json", &scene) ||
        gyre_scene_create(scene, the_device)) {
        fail_msg("%s", gyre_message());
    }
    return scene;
}

static gyre_image seen(gyre_scene *scene)
{
    gyre_image image;
    assert_int_equal(gyre_image_create(WIDE, HIGH, &image), GYRE_OK);
    if (gyre_scene_render(scene, &image)) {
        fail_msg("%s", gyre_message());
    }
    return image;
}

static void scenes_mix_inks(void **state)
{
    (void)state;
    gyre_scene *scenes[4] = {
        make(GAS "\"mix\": \"ink\", \"channels\": [" BLUE ", " YELLOW "]}}"),
        make(GAS "\"mix\": \"ink\", \"channels\": [" YELLOW ", " BLUE "]}}"),
        make(GAS "\"mix\": \"ink\", \"channels\": [" BLUE ", {\"name\": \"yellow\", \"shown\": "
                 "false}, {\"name\": \"temperature\", \"colour\": [0.95, 0.8, 0.1], \"scale\": "
                 "0.25}]}}"), // any field
        make(GAS "\"channels\": [" BLUE ", " YELLOW "]}}"),
    };
    gyre_image images[4];
    for (int i = 0; i < 4; i++) {
        images[i] = seen(scenes[i]);
    }
    double expected[3];
    for (int c = 0; c < 3; c++) {
        static const double paper[3] = {0.93, 0.91, 0.86};
        expected[c] =
            paper[c] * sqrt((double)blue_and_yellow[0][c] * (double)blue_and_yellow[1][c]);
    }
    check_pixel(&images[0], 24, 18, expected, 0.05, "scene");
    assert_memory_equal(images[0].rgb, images[1].rgb, 3 * WIDE * HIGH);
    assert_memory_equal(images[0].rgb, images[2].rgb, 3 * WIDE * HIGH);
    assert_true(memcmp(images[0].rgb, images[3].rgb, 3 * WIDE * HIGH) != 0);
    // A field that is named is shown by itself.
    assert_int_equal(gyre_scene_set(scenes[0], "view.field", "vorticity"), GYRE_OK);
    assert_int_equal(gyre_scene_set(scenes[3], "view.field", "vorticity"), GYRE_OK);
    gyre_image a = seen(scenes[0]), b = seen(scenes[3]);
    assert_memory_equal(a.rgb, b.rgb, 3 * WIDE * HIGH);
    gyre_image_free(&a);
    gyre_image_free(&b);
    for (int i = 0; i < 4; i++) {
        gyre_image_free(&images[i]);
        gyre_scene_destroy(scenes[i]);
    }
}

static void mistakes_are_told(void **state)
{
    static const char *const wrong[][3] = {
        {GAS "\"channels\": [{\"name\": \"yelow\"}]}}", "view.channels.0.name",
         "did you mean \"yellow\"?"},
        {GAS "\"channels\": [" BLUE ", {\"name\": \"velocity_x\"}]}}", "view.channels.1.name",
         "lies on faces"},
        {GAS "\"channels\": [{\"name\": \"blue\", \"colour\": [0.1, 1.5, 0]}]}}", "colour", "1.5"},
        {GAS "\"channels\": [{\"name\": \"blue\", \"color\": [0.1, 1, 0]}]}}", "color",
         "\"colour\""},
        {GAS "\"mix\": \"inc\"}}", "mix", "\"ink\""},
        {GAS "\"mix\": \"ink\", \"paper\": [1, -1, 1]}}", "paper", "-1"},
        {GAS "\"channels\": [" BLUE ", " BLUE "]}}", "blue", "name"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        gyre_scene *scene = NULL;
        gyre_result result =
            gyre_scene_parse(wrong[i][0], strlen(wrong[i][0]), "test.json", &scene);
        result = result ? result : gyre_scene_create(scene, the_device);
        if (result == GYRE_OK) {
            fail_msg("%s is taken", wrong[i][0]);
        }
        if (!strstr(gyre_message(), wrong[i][1]) || !strstr(gyre_message(), wrong[i][2])) {
            fail_msg("%s, expected %s and %s", gyre_message(), wrong[i][1], wrong[i][2]);
        }
        gyre_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_inks_multiply_in_a_map),
        cmocka_unit_test(two_inks_multiply_in_a_slab),
        cmocka_unit_test(inks_of_two_volumes_multiply),
        cmocka_unit_test(lamps_add_up),
        cmocka_unit_test(their_order_does_not_count),
        cmocka_unit_test(clear_ink_and_dark_lamps_are_not_seen),
        cmocka_unit_test(gray_ink_is_black_smoke),
        cmocka_unit_test(ink_casts_coloured_shadows),
        cmocka_unit_test(the_bits_are_the_same),
        cmocka_unit_test(scenes_mix_inks),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
