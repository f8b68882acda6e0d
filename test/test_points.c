// test/test_points.c: particles in pictures: where they are, what hides and shades them, their
// colours and sizes, the same bytes for any number of threads.
// labels: small threads
// needs: scene
#define _DEFAULT_SOURCE 1

#include "gyre/io.h"
#include "gyre/render.h"
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

enum { SIZE = 64, PIXELS = 128 };

static gyre_device *device;
static gyre_image image, empty;
static float wall[SIZE * SIZE * SIZE];

static int open_all(void **state)
{
    gyre_device_def def = gyre_default_device_def();
    (void)state;
    def.threads = 1;
    return gyre_device_create(&def, &device) || gyre_image_create(PIXELS, PIXELS, &image) ||
           gyre_image_create(PIXELS, PIXELS, &empty);
}

static int close_all(void **state)
{
    (void)state;
    gyre_image_free(&image);
    gyre_image_free(&empty);
    gyre_device_destroy(device);
    return 0;
}

static const gyre_grid cube = {3, {SIZE, SIZE, SIZE}, 1.0f / SIZE, {0, 0, 0}};
static const gyre_field_view solid = {wall,
                                      {SIZE, SIZE, SIZE},
                                      {1, SIZE, SIZE *SIZE},
                                      GYRE_CENTRE,
                                      {3, {SIZE, SIZE, SIZE}, 1.0f / SIZE, {0, 0, 0}}};

/// A plate across z at the middle of the cube, seen from the front, lit from above.
static gyre_render_input facing(void)
{
    gyre_render_input input = {.grid = &cube,
                               .solid = &solid,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
    const gyre_camera camera = {{0.5f, 0.5f, 3.0f}, {0.5f, 0.5f, 0.5f}, {0, 1, 0}, 30.0f};
    memset(wall, 0, sizeof wall);
    for (int k = SIZE / 2; k < SIZE / 2 + 4; k++) {
        for (int j = 20; j < 44; j++) {
            for (int i = 20; i < 44; i++) {
                wall[i + SIZE * (j + SIZE * k)] = 1.0f;
            }
        }
    }
    input.camera = camera;
    input.light.direction[0] = input.light.direction[2] = 0.0f;
    input.light.direction[1] = 1.0f;
    input.light.ambient = 0.05f;
    input.settings.point_size = 0.05f;
    return input;
}

static void draw(gyre_render_input *input, const gyre_render_points *points)
{
    input->points = NULL;
    assert_int_equal(gyre_render(device, input, &empty), GYRE_OK);
    input->points = points;
    if (gyre_render(device, input, &image) != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
}

/// How many pixels the points have changed, and the mean place and brightness of those.
static int changed(double *x, double *y, double *bright)
{
    int count = 0;
    *x = *y = *bright = 0.0;
    for (int i = 0; i < PIXELS * PIXELS; i++) {
        if (memcmp(image.rgb + 3 * i, empty.rgb + 3 * i, 3) != 0) {
            *x += i % PIXELS + 0.5;
            *y += i / PIXELS + 0.5;
            *bright += image.rgb[3 * i] + image.rgb[3 * i + 1] + image.rgb[3 * i + 2];
            count++;
        }
    }
    *x /= count > 0 ? count : 1;
    *y /= count > 0 ? count : 1;
    *bright /= count > 0 ? 3.0 * count : 1.0;
    return count;
}

// A soft drop is wider than a ball, hides less and has no rim.
static void spray_is_blurred(void **state)
{
    static const float at[3] = {0.5f, 0.2f, 0.8f}, sizes[2] = {5.0f, -5.0f};
    gyre_render_input input = facing();
    double x, y, bright[2];
    int count[2], steepest[2] = {0, 0};
    (void)state;
    input.settings.point_glow = 1.0f;
    for (int k = 0; k < 2; k++) {
        gyre_render_points points = {.positions = at, .sizes = &sizes[k], .count = 1};
        draw(&input, &points);
        count[k] = changed(&x, &y, &bright[k]);
        assert_true(fabs(x - 0.5 * PIXELS) < 0.6);
        const uint8_t *row = image.rgb + 3 * PIXELS * (int)y;
        const uint8_t *was = empty.rgb + 3 * PIXELS * (int)y;
        for (int i = 1; i < PIXELS; i++) {
            int step = abs((row[3 * i] - was[3 * i]) - (row[3 * i - 3] - was[3 * i - 3]));
            steepest[k] = step > steepest[k] ? step : steepest[k];
        }
    }
    print_message("a ball: %d pixels, steepest %d; a soft drop: %d, %d\n", count[0], steepest[0],
                  count[1], steepest[1]);
    assert_true(count[1] > 12 * count[0] && count[1] < 25 * count[0]);
    assert_true(steepest[0] > 50);
    assert_true(steepest[1] < steepest[0] / 3);
}

static double linear(int value)
{
    double x = value / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

/// What is seen where a point's middle is, before a background as bright as `behind`, of a light
/// along z; `clear`: without the point.
static double middle_of(float size, float behind, float along_z, double *clear)
{
    static const float at[3] = {0.5f, 0.2f, 0.8f};
    gyre_render_points points = {.positions = at, .sizes = &size, .count = 1};
    gyre_render_input input = facing();
    double x, y, bright;
    for (int a = 0; a < 3; a++) {
        input.settings.background_top[a] = input.settings.background_bottom[a] = behind;
    }
    input.light.ambient = 0.0f;
    input.light.direction[1] = 0.0f;
    input.light.direction[2] = along_z;
    draw(&input, &points);
    assert_true(changed(&x, &y, &bright) > 0);
    *clear = linear(empty.rgb[3 * (PIXELS * (int)y + (int)x)]);
    return linear(image.rgb[3 * (PIXELS * (int)y + (int)x)]);
}

// A soft drop hides an eighth of what is behind its middle, at most, a ball all of it; light from
// behind makes a drop a third as bright as light from the eye's side (a half in the picture, by its
// curve of tones), a ball dark.
static void spray_lets_through(void **state)
{
    static const float sizes[2] = {5.0f, -5.0f};
    double hides[2], through[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        double dark, light, front = middle_of(sizes[k], 0.02f, 1.0f, &dark);
        double back = middle_of(sizes[k], 0.02f, -1.0f, &dark);
        double over = middle_of(sizes[k], 0.6f, 1.0f, &light);
        hides[k] = 1.0 - (over - front) / (light - dark);
        double own = (1.0 - hides[k]) * dark;
        through[k] = (back - own) / (front - own);
    }
    print_message("a ball hides %.3f and is %.3f as bright from behind; a soft drop %.3f, %.3f\n",
                  hides[0], through[0], hides[1], through[1]);
    assert_true(fabs(hides[0] - 1.0) < 0.01 && fabs(hides[1] - 0.125) < 0.02);
    assert_true(through[0] < 0.01 && through[1] > 0.45 && through[1] < 0.6);
}

static void solids_hide_and_shade_them(void **state)
{
    (void)state;
    gyre_render_input input = facing();
    // In front of the plate, behind it, beside it; above and below one that casts a shadow.
    static const float at[4][3] = {
        {0.5f, 0.5f, 0.8f}, {0.5f, 0.5f, 0.3f}, {0.15f, 0.5f, 0.3f}, {0.5f, 0.2f, 0.53f}};
    double x, y, bright, beside;
    gyre_render_points one = {.positions = at[0], .count = 1};
    draw(&input, &one);
    int front = changed(&x, &y, &bright);
    // 0.05 m, 2.2 m away, at 30 degrees over 128 pixels: 5.4 pixels wide.
    assert_true(front > 20 && front < 45);
    assert_true(x > 63.0 && x < 65.0 && y > 63.0 && y < 65.0);
    one.positions = at[1];
    draw(&input, &one);
    assert_int_equal(changed(&x, &y, &bright), 0);
    one.positions = at[2];
    draw(&input, &one);
    assert_true(changed(&x, &y, &beside) > 10 && x < 50.0);
    one.positions = at[3];
    draw(&input, &one);
    assert_true(changed(&x, &y, &bright) > 10 && y > 70.0);
    assert_true(bright < 0.6 * beside);
    input.settings.shadow = false;
    draw(&input, &one);
    changed(&x, &y, &bright);
    assert_true(bright > 0.9 * beside);
    input.settings.points = false;
    draw(&input, &one);
    assert_int_equal(changed(&x, &y, &bright), 0);
}

/// A leaf is as long and as wide as it is turned to be seen, and its two sides are lit alike but
/// for what comes through.
static void leaves_are_turned_and_lit_on_both_sides(void **state)
{
    (void)state;
    gyre_render_input input = facing();
    static const float at[3] = {0.5f, 0.5f, 0.8f}, r = 0.70710678f;
    // Its face to the eye, along x; along y; nearly its edge, along x; the face away from the eye.
    static const float turned[4][4] = {
        {r, 0, 0, r}, {0.5f, 0.5f, 0.5f, 0.5f}, {0.05f, 0, 0, 0.99875f}, {-r, 0, 0, r}};
    double x, y, bright[4];
    int count[4], wide[4], high[4];
    input.settings.point_size = 0.2f;
    input.light.direction[0] = input.light.direction[1] = 0.0f;
    input.light.direction[2] = 1.0f;
    for (int q = 0; q < 4; q++) {
        gyre_render_points one = {.positions = at, .count = 1, .orientations = turned[q]};
        int low[2] = {1 << 20, 1 << 20}, most[2] = {0, 0};
        draw(&input, &one);
        count[q] = changed(&x, &y, &bright[q]);
        for (int i = 0; i < PIXELS * PIXELS; i++) {
            bool other = memcmp(image.rgb + 3 * i, empty.rgb + 3 * i, 3) != 0;
            const int p[2] = {i % PIXELS, i / PIXELS};
            for (int a = 0; a < 2 && other; a++) {
                low[a] = p[a] < low[a] ? p[a] : low[a];
                most[a] = p[a] > most[a] ? p[a] : most[a];
            }
        }
        wide[q] = most[0] - low[0] + 1;
        high[q] = most[1] - low[1] + 1;
        print_message("%d pixels, %d x %d, of brightness %.1f\n", count[q], wide[q], high[q],
                      bright[q]);
        assert_true(x > 63.0 && x < 65.0 && y > 62.0 && y < 66.0);
    }
    // 0.2 m, 2.2 m away: 21.7 pixels by 13.
    assert_true(wide[0] >= 21 && wide[0] <= 24 && high[0] >= 13 && high[0] <= 15);
    assert_true(high[1] >= 21 && high[1] <= 24 && wide[1] >= 13 && wide[1] <= 15);
    assert_true(wide[2] >= 21 && wide[2] <= 24 && high[2] <= 3);
    assert_true(fabs(bright[3] / bright[0] - 1.0) < 0.01);
    // Of zeros: a ball.
    static const float none[4];
    gyre_render_points ball = {.positions = at, .count = 1, .orientations = none};
    draw(&input, &ball);
    int round = changed(&x, &y, &bright[0]);
    assert_true(round > 340 && round < 440);
    // Lit from behind: two fifths come through.
    gyre_render_points one = {.positions = at, .count = 1, .orientations = turned[0]};
    input.light.ambient = 0.0f;
    draw(&input, &one);
    changed(&x, &y, &bright[0]);
    input.light.direction[2] = -1.0f;
    input.settings.shadow = false;
    draw(&input, &one);
    changed(&x, &y, &bright[1]);
    print_message("from before %.1f, from behind %.1f\n", bright[0], bright[1]);
    assert_true(bright[1] > 0.3 * bright[0] && bright[1] < 0.9 * bright[0]);
}

/// A cloud over the place of a point, beside the way to the eye, keeps the sun and the sky from it.
static void smoke_shades_them(void **state)
{
    (void)state;
    static float cloud[SIZE * SIZE * SIZE];
    static const float at[3] = {0.5f, 0.3f, 0.5f};
    gyre_field_view density = solid;
    gyre_render_input input = facing();
    gyre_render_points one = {.positions = at, .count = 1};
    double x, y, bright[2][2];
    input.solid = NULL;
    density.data = cloud;
    input.density = &density;
    input.settings.density_scale = 200.0f;
    for (int light = 0; light < 2; light++) { // the sun alone; the sky alone
        input.light.intensity = light ? 0.0f : 1.0f;
        input.light.ambient = light ? 1.0f : 0.0f;
        for (int dense = 0; dense < 2; dense++) {
            for (int i = 0; i < SIZE * SIZE * SIZE; i++) {
                int height = i / SIZE % SIZE;
                cloud[i] = dense && height > 26 && height < 40 ? 1.0f : 0.0f;
            }
            draw(&input, &one);
            assert_true(changed(&x, &y, &bright[light][dense]) > 10);
        }
        print_message("%s: %.1f of 255 in the clear, %.1f under a cloud\n", light ? "sky" : "sun",
                      bright[light][0], bright[light][1]);
    }
    assert_true(bright[0][1] < 0.5 * bright[0][0]);
    assert_true(bright[1][1] < 0.7 * bright[1][0]);
}

/// A box over the water keeps the sun from what floats under it.
static void bodies_shade_what_floats(void **state)
{
    (void)state;
    const gyre_grid pool = {2, {SIZE, SIZE, 1}, 1.0f / SIZE, {0, 0, 0}};
    static float level[SIZE * SIZE], deep[SIZE * SIZE];
    const gyre_field_view surface = {level, {SIZE, SIZE, 1}, {1, SIZE, 0}, GYRE_CENTRE, pool};
    gyre_field_view bed = surface;
    static const float corners[4][3] = {
        {0.3f, 0.3f, 0.3f}, {0.7f, 0.3f, 0.3f}, {0.7f, 0.7f, 0.3f}, {0.3f, 0.7f, 0.3f}};
    static const int32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const float at[2][3] = {{0.5f, 0.5f, 0.0f}, {0.5f, 0.1f, 0.0f}};
    const gyre_mesh roof = {corners[0], 4, triangles[0], 2};
    const gyre_camera camera = {{0.5f, -1.5f, 0.4f}, {0.5f, 0.5f, 0.0f}, {0, 0, 1}, 40.0f};
    gyre_render_input input = facing();
    double x, y, bright[2];
    for (int i = 0; i < SIZE * SIZE; i++) {
        deep[i] = -0.5f;
    }
    bed.data = deep;
    input.grid = &pool;
    input.solid = NULL;
    input.surface = &surface;
    input.bed = &bed;
    input.meshes = &roof;
    input.mesh_count = 1;
    input.camera = camera;
    input.light.direction[1] = 0.0f;
    input.light.direction[2] = 1.0f;
    for (int i = 0; i < 2; i++) {
        gyre_render_points one = {.positions = at[i], .count = 1};
        draw(&input, &one);
        assert_true(changed(&x, &y, &bright[i]) > 10);
    }
    print_message("%.1f of 255 under a roof, %.1f beside it\n", bright[0], bright[1]);
    assert_true(bright[0] < 0.7 * bright[1]);
}

static void a_map_shows_them_in_their_places(void **state)
{
    (void)state;
    const gyre_grid grid = {2, {32, 32, 1}, 0.25f, {1.0f, 2.0f, 0.0f}};
    static float values[32 * 32];
    const gyre_field_view field = {values, {32, 32, 1}, {1, 32, 0}, GYRE_CENTRE, grid};
    gyre_render_input input = {.grid = &grid,
                               .field = &field,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
    static const float at[3] = {1.0f + 2.0f, 2.0f + 6.0f, 0.0f}; // of 8 m x 8 m
    const float end = 1.0f, half = 0.5f;
    double x, y, bright;
    gyre_render_points one = {.positions = at, .count = 1, .colours = &end};
    input.settings.point_size = 0.5f; // 8 pixels
    input.settings.point_map = GYRE_MAP_GRAY;
    draw(&input, &one);
    int whole = changed(&x, &y, &bright);
    assert_true(x > 31.5 && x < 32.5 && y > 31.5 && y < 32.5);
    assert_true(whole > 44 && whole < 80);
    assert_true(image.rgb[3 * (32 * PIXELS + 32)] > 250);
    one.sizes = &half;
    draw(&input, &one);
    assert_true(changed(&x, &y, &bright) < whole / 2);
}

static void the_nearer_is_in_front_on_any_threads(void **state)
{
    (void)state;
    gyre_render_input input = facing();
    enum { COUNT = 20000 };
    static float at[3 * COUNT], tint[COUNT];
    uint32_t random = 1;
    for (int i = 0; i < 3 * COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        at[i] = (float)(random >> 8) * 0x1p-24f;
    }
    for (int i = 0; i < COUNT; i++) {
        tint[i] = at[3 * i];
    }
    gyre_render_points all = {.positions = at, .colours = tint, .count = COUNT};
    input.settings.point_size = 0.01f;
    input.points = &all;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
    gyre_device *other = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = 3;
    assert_int_equal(gyre_device_create(&def, &other), GYRE_OK);
    assert_int_equal(gyre_render(other, &input, &empty), GYRE_OK);
    assert_memory_equal(image.rgb, empty.rgb, 3 * PIXELS * PIXELS);
    gyre_device_destroy(other);
    // White in front of black, whichever comes first.
    for (int q = 0; q < 2; q++) {
        const float pair[6] = {0.5f, 0.5f, q ? 0.9f : 0.7f, 0.5f, 0.5f, q ? 0.7f : 0.9f};
        const float shade[2] = {q ? 1.0f : 0.0f, q ? 0.0f : 1.0f};
        gyre_render_points two = {.positions = pair, .colours = shade, .count = 2};
        input.settings.point_map = GYRE_MAP_GRAY;
        input.settings.point_size = 0.1f;
        draw(&input, &two);
        assert_true(image.rgb[3 * (60 * PIXELS + 64)] > 60);
    }
    all.positions = NULL;
    input.points = &all;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
}

/// Dust of a scene over its water, coloured by an attribute; one that is not there is named.
/// In the dark a point has its own light alone, in its own colour, as much as it is told.
static void they_glow_in_the_dark(void **state)
{
    (void)state;
    gyre_render_input input = facing();
    const float at[3] = {0.5f, 0.5f, 0.9f};
    gyre_render_points points = {.positions = at, .count = 1};
    double x, y, bright, last = 0.0;
    input.light.intensity = input.light.ambient = 0.0f;
    input.settings.point_colour[0] = 0.8f;
    input.settings.point_colour[1] = input.settings.point_colour[2] = 0.0f;
    for (int q = 0; q < 3; q++) {
        input.settings.point_glow = q == 0 ? 0.0f : q == 1 ? 0.3f : 1.5f;
        draw(&input, &points);
        const uint8_t *middle = image.rgb + 3 * (PIXELS / 2 * PIXELS + PIXELS / 2);
        int count = changed(&x, &y, &bright);
        print_message("glow %g: %d pixels, the middle is %d %d %d\n",
                      (double)input.settings.point_glow, count, middle[0], middle[1], middle[2]);
        assert_true(q == 0 ? middle[0] == 0 : count > 4 && (double)middle[0] > last + 40.0);
        assert_true(middle[1] == middle[2] && (q == 0 || middle[0] > middle[1] + 40));
        last = middle[0];
    }
}

static void a_scene_draws_its_own(void **state)
{
    (void)state;
    gyre_scene *scene = NULL;
    char path[] = "/tmp/gyre_points_XXXXXX";
    int file = mkstemp(path);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    assert_non_null(stream);
    fputs("{\"models\": {\"water\": {\"grid\": {\"dim\": 2, \"n\": [32, 32, 1]}, "
          "\"bed\": {\"flat\": -1}, \"dust\": {\"capacity\": 500, \"start\": 500}}}}",
          stream);
    fclose(stream);
    assert_int_equal(gyre_scene_load(path, &scene), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    double x, y, bright;
    assert_int_equal(gyre_scene_render(scene, &image), GYRE_OK);
    assert_int_equal(gyre_scene_set(scene, "view.points", "false"), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &empty), GYRE_OK);
    int plain = changed(&x, &y, &bright);
    assert_true(plain > 300);
    assert_int_equal(gyre_scene_set(scene, "view.points", "true"), GYRE_OK);
    assert_int_equal(gyre_scene_set(scene, "view.point_by", "id"), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &empty), GYRE_OK);
    assert_true(changed(&x, &y, &bright) > plain / 2);
    // The range from the greater to the lesser turns the colours round.
    assert_int_equal(gyre_scene_set(scene, "view.point_range", "0,499"), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &image), GYRE_OK);
    assert_int_equal(gyre_scene_set(scene, "view.point_range", "499,0"), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &empty), GYRE_OK);
    assert_true(changed(&x, &y, &bright) > plain / 2);
    assert_int_equal(gyre_scene_set(scene, "view.point_by", "warmth"), GYRE_OK);
    assert_int_equal(gyre_scene_render(scene, &empty), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "no attribute \"warmth\""));
    gyre_scene_destroy(scene);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_hide_and_shade_them),
        cmocka_unit_test(spray_is_blurred),
        cmocka_unit_test(spray_lets_through),
        cmocka_unit_test(leaves_are_turned_and_lit_on_both_sides),
        cmocka_unit_test(smoke_shades_them),
        cmocka_unit_test(bodies_shade_what_floats),
        cmocka_unit_test(a_map_shows_them_in_their_places),
        cmocka_unit_test(the_nearer_is_in_front_on_any_threads),
        cmocka_unit_test(they_glow_in_the_dark),
        cmocka_unit_test(a_scene_draws_its_own),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
