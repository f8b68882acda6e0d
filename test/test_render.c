// test/test_render.c: pictures of fields whose looks are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/render.h"
#include "render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 32, SIDE = 64 };

static gyre_device *device;
static gyre_image image, other;
static gyre_grid grid = {3, {N, N, N}, 1.0f / N, {0.0f, 0.0f, 0.0f}};
static float smoke[N * N * N], body[N * N * N], heat[N * N * N];

static gyre_field_view view_of(const gyre_grid *on, float *data)
{
    return (gyre_field_view){data,
                             {on->n[0], on->n[1], on->n[2]},
                             {1, on->n[0], (ptrdiff_t)on->n[0] * on->n[1]},
                             GYRE_CENTRE,
                             *on};
}

static gyre_render_input make_input(void)
{
    gyre_render_input input = {.grid = &grid,
                               .camera = gyre_default_camera(),
                               .light = gyre_default_light(),
                               .settings = gyre_default_view_settings()};
    static const float before[3] = {0.5f, 0.5f, 4.0f}, centre[3] = {0.5f, 0.5f, 0.5f};

    memcpy(input.camera.position, before, sizeof before);
    memcpy(input.camera.target, centre, sizeof centre);
    return input;
}

// A ball of smoke, a solid ball above it, heat below.
static void fill_scene(void)
{
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                float x = ((float)i + 0.5f) / N - 0.5f, y = ((float)j + 0.5f) / N - 0.5f;
                float z = ((float)k + 0.5f) / N - 0.5f;
                float r = sqrtf(x * x + y * y + z * z);
                float b = sqrtf(x * x + (y - 0.3f) * (y - 0.3f) + z * z);
                int at = i + N * (j + N * k);

                smoke[at] = fmaxf(0.0f, 1.0f - r / 0.3f);
                body[at] = fminf(fmaxf(0.5f + (0.12f - b) * N, 0.0f), 1.0f);
                heat[at] = y < 0.0f ? 2000.0f * smoke[at] : 0.0f;
            }
        }
    }
}

static const uint8_t *pixel(const gyre_image *of, int x, int y)
{
    return of->rgb + 3 * (y * of->width + x);
}

static void render(const gyre_render_input *input)
{
    assert_int_equal(gyre_render(device, input, &image), GYRE_OK);
}

static bool same_pictures(void)
{
    return memcmp(image.rgb, other.rgb, 3 * SIDE * SIDE) == 0;
}

static void keep_picture(void)
{
    memcpy(other.rgb, image.rgb, 3 * SIDE * SIDE);
}

static void test_tables(void **state)
{
    gyre_camera camera = gyre_default_camera();
    gyre_light light = gyre_default_light();
    gyre_view_settings settings = gyre_default_view_settings();

    (void)state;
    assert_int_equal(gyre_property_check(gyre_camera_properties, &camera, "camera"), GYRE_OK);
    assert_int_equal(gyre_property_check(gyre_light_properties, &light, "light"), GYRE_OK);
    assert_int_equal(gyre_property_check(gyre_view_properties, &settings, "view"), GYRE_OK);
    assert_true(camera.up[1] == 1.0f && camera.field_of_view == 30.0f);
    assert_true(settings.shadow && settings.density_scale > 0.0f);
}

static void test_empty_is_background(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke);

    (void)state;
    memset(smoke, 0, sizeof smoke);
    render(&input);
    keep_picture();
    input.density = &density;
    render(&input);
    assert_true(same_pictures());
    // Darker at the top, as the defaults say, and the same to the left and to the right.
    for (int c = 0; c < 3; c++)
        assert_true(pixel(&image, 32, 2)[c] + 20 < pixel(&image, 32, 61)[c]);
    for (int y = 0; y < SIDE; y++)
        assert_in_range(pixel(&image, 3, y)[1] - pixel(&image, SIDE - 4, y)[1] + 2, 0, 4);
}

static void test_mirror(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke), solid = view_of(&grid, body);
    static const float above[3] = {0.0f, 1.0f, 0.4f};
    int many = 0;
    double sum = 0.0;

    (void)state;
    fill_scene();
    input.density = &density;
    input.solid = &solid;
    memcpy(input.light.direction, above, sizeof above);
    render(&input);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE / 2; x++) {
            int d = abs(pixel(&image, x, y)[1] - pixel(&image, SIDE - 1 - x, y)[1]);

            many += d > 8;
            sum += d;
        }
    }
    // What is left is the pixels' own noise and the outline's four samples.
    assert_true(many < SIDE / 2);
    assert_true(sum / (SIDE * SIDE / 2) < 0.8);
}

static void test_threads(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke), solid = view_of(&grid, body);
    gyre_field_view temperature = view_of(&grid, heat);

    (void)state;
    fill_scene();
    input.density = &density;
    input.solid = &solid;
    input.temperature = &temperature;
    input.settings.glow = true;
    input.settings.floor = true;
    render(&input);
    keep_picture();
    for (int threads = 1; threads <= 5; threads += 2) {
        gyre_device_def def = gyre_default_device_def();
        gyre_device *own = NULL;

        def.threads = threads;
        assert_int_equal(gyre_device_create(&def, &own), GYRE_OK);
        memset(image.rgb, 0, 3 * SIDE * SIDE);
        assert_int_equal(gyre_render(own, &input, &image), GYRE_OK);
        gyre_device_destroy(own);
        assert_true(same_pictures());
    }
}

// A flame as thin as a cell, seen from the front: what pixels side by side see of it differs by
// where their samples lie, and little by that.
static void test_thin_flames_are_even(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view temperature = view_of(&grid, heat);
    double sum = 0.0, squares = 0.0;
    int count = 0;

    (void)state;
    for (int k = 0; k < N; k++) {
        for (int q = 0; q < N * N; q++)
            heat[k * N * N + q] = k == N / 2 ? 1400.0f : k == N / 2 + 1 ? 900.0f : 0.0f;
    }
    input.temperature = &temperature;
    input.settings.glow = true;
    input.settings.glow_intensity = 0.3f;
    render(&input);
    for (int y = SIDE / 2 - 8; y < SIDE / 2 + 8; y++) {
        for (int x = SIDE / 2 - 8; x < SIDE / 2 + 8; x++) {
            double red = pixel(&image, x, y)[0];

            sum += red;
            squares += red * red;
            count++;
        }
    }
    double mean = sum / count, deviation = sqrt(fmax(squares / count - mean * mean, 0.0));

    print_message("red %g, deviation %g\n", mean, deviation);
    assert_true(mean > 40.0 && mean < 220.0);
    assert_true(deviation < 0.025 * mean);
}

// Memory that holds what pictures of other kinds and grids have left changes none.
static void test_memory(void **state)
{
    static const int half[3] = {N / 2, N / 2, N / 2};
    gyre_grid small = grid;
    gyre_render_memory *memory = NULL;
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke), solid = view_of(&grid, body), less;

    (void)state;
    fill_scene();
    memcpy(small.n, half, sizeof half);
    less = view_of(&small, smoke);
    assert_int_equal(gyre_render_memory_create(&memory), GYRE_OK);
    input.density = &density;
    input.solid = &solid;
    for (int round = 0; round < 3; round++) {
        gyre_render_input other_kind = make_input();

        input.settings.mode = round == 1 ? GYRE_MODE_SLICE : GYRE_MODE_AUTO;
        input.memory = NULL;
        render(&input);
        keep_picture();
        other_kind.grid = &small;
        other_kind.density = &less;
        other_kind.memory = memory;
        render(&other_kind);
        input.memory = memory;
        render(&input);
        assert_true(same_pictures());
        render(&input);
        assert_true(same_pictures());
    }
    gyre_render_memory_destroy(memory);
}

// Smoke is green, so no green must come through a red wall.
static void test_solid_hides(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke), solid = view_of(&grid, body);
    static const float green[3] = {0.0f, 1.0f, 0.0f}, red[3] = {1.0f, 0.0f, 0.0f};
    static const float front[3] = {0.0f, 0.3f, 1.0f};

    (void)state;
    memset(smoke, 0, sizeof smoke);
    memset(body, 0, sizeof body);
    for (int at = 0; at < N * N * N; at++) {
        int k = at / (N * N);

        smoke[at] = k < 16 ? 5.0f : 0.0f;
        body[at] = k >= 20 && k < 24 ? 1.0f : 0.0f;
    }
    memcpy(input.settings.albedo, green, sizeof green);
    memcpy(input.settings.solid_colour, red, sizeof red);
    memcpy(input.light.direction, front, sizeof front);
    input.density = &density;
    render(&input);
    assert_true(pixel(&image, 32, 32)[1] > pixel(&image, 32, 32)[0] + 60);
    input.solid = &solid;
    render(&input);
    for (int y = 24; y < 40; y++) {
        for (int x = 24; x < 40; x++)
            assert_true(pixel(&image, x, y)[0] > pixel(&image, x, y)[1] + 60);
    }
    // The other way round the smoke hides the wall.
    input.camera.position[2] = -3.0f;
    render(&input);
    assert_true(pixel(&image, 32, 32)[1] > pixel(&image, 32, 32)[0] + 30);
}

// Black smoke of one density: what comes through is exp(-depth) of the background.
static void test_absorption(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke);

    (void)state;
    for (int c = 0; c < 3; c++) {
        input.settings.albedo[c] = 0.0f;
        input.settings.background_top[c] = input.settings.background_bottom[c] = 0.8f;
    }
    input.density = &density;
    for (float depth = 0.0f; depth < 3.0f; depth += 0.7f) {
        for (int at = 0; at < N * N * N; at++)
            smoke[at] = depth;
        input.settings.density_scale = 1.0f; // the domain is 1 m deep
        render(&input);
        float wanted = 255.0f * gy_to_srgb(gy_tone_map(vec_all(0.8f * expf(-depth)))[0]);

        for (int y = 30; y < 34; y++)
            assert_float_equal((float)pixel(&image, 32, y)[0], wanted, 3.0f);
    }
}

// White smoke under a white sky of brightness 1 is nowhere brighter than the sky.
static void test_energy(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke);
    float most = 255.0f * gy_to_srgb(gy_tone_map(vec_all(1.0f))[0]) + 1.5f;
    int brightest = 0;

    (void)state;
    fill_scene();
    input.density = &density;
    for (int c = 0; c < 3; c++) {
        input.settings.albedo[c] = 1.0f;
        input.light.ambient_colour[c] = 1.0f;
        input.settings.background_top[c] = input.settings.background_bottom[c] = 0.0f;
    }
    input.light.intensity = 0.0f;
    input.light.ambient = 1.0f;
    for (float scale = 1.0f; scale < 1e6f; scale *= 30.0f) {
        input.settings.density_scale = scale;
        render(&input);
        for (int i = 0; i < 3 * SIDE * SIDE; i++)
            brightest = image.rgb[i] > brightest ? image.rgb[i] : brightest;
        assert_true((float)brightest <= most);
    }
    assert_true(brightest > 120);
}

static void test_shadow(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke);
    static const float left[3] = {-1.0f, 0.0f, 0.0f};
    int lit = 0, dark = 0;

    (void)state;
    fill_scene();
    input.density = &density;
    input.settings.anisotropy = 0.0f;
    memcpy(input.light.direction, left, sizeof left);
    render(&input);
    for (int y = 28; y < 36; y++) {
        for (int x = 0; x < 4; x++) {
            lit += pixel(&image, 25 + x, y)[1];
            dark += pixel(&image, 38 - x, y)[1];
        }
    }
    assert_true(lit > dark + 32 * 15);
    input.settings.shadow = false;
    render(&input);
    assert_true(abs(pixel(&image, 26, 32)[1] - pixel(&image, 37, 32)[1]) < 12);
}

// Cells that are no numbers count as empty.
static void test_not_finite(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke);

    (void)state;
    fill_scene();
    input.density = &density;
    smoke[16 + N * (16 + N * 16)] = 0.0f;
    smoke[10 + N * (16 + N * 16)] = 0.0f;
    render(&input);
    keep_picture();
    smoke[16 + N * (16 + N * 16)] = NAN;
    smoke[10 + N * (16 + N * 16)] = -INFINITY;
    render(&input);
    assert_true(same_pictures());
    smoke[16 + N * (16 + N * 16)] = INFINITY; // as dense as can be, and no more
    render(&input);
    assert_false(same_pictures());
}

// Each corner cell of the domain is seen in an automatically framed picture.
static void test_framing(void **state)
{
    gyre_render_input input = make_input();
    gyre_field_view density = view_of(&grid, smoke);

    (void)state;
    input.camera = gyre_default_camera();
    input.density = &density;
    memset(smoke, 0, sizeof smoke);
    render(&input);
    keep_picture();
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1 ? N - 1 : 0, j = corner & 2 ? N - 1 : 0, k = corner & 4 ? N - 1 : 0;
        int changed = 0;

        smoke[i + N * (j + N * k)] = 1000.0f;
        render(&input);
        smoke[i + N * (j + N * k)] = 0.0f;
        for (int p = 0; p < SIDE * SIDE; p++) {
            bool differs = memcmp(image.rgb + 3 * p, other.rgb + 3 * p, 3) != 0;

            changed += differs;
        }
        assert_true(changed > 0);
    }
}

static void test_odd_grids(void **state)
{
    static const int sizes[][3] = {{1, 1, 1}, {64, 1, 1}, {1, 40, 3}, {9, 1, 17}, {8, 8, 8}};

    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        gyre_grid odd = {3, {sizes[s][0], sizes[s][1], sizes[s][2]}, 0.1f, {-3.0f, 2.0f, 7.0f}};
        gyre_field_view density = view_of(&odd, smoke), solid = view_of(&odd, body);
        gyre_render_input input = make_input();

        for (int at = 0; at < N * N * N; at++) {
            smoke[at] = 1.0f;
            body[at] = at % 5 == 0 ? 1.0f : 0.0f;
        }
        input.camera = gyre_default_camera();
        input.grid = &odd;
        input.density = &density;
        input.settings.floor = true;
        render(&input);
        input.solid = &solid;
        input.light.direction[0] = 0.0f;
        input.light.direction[1] = -1.0f;
        render(&input);
        for (int axis = 0; axis < 3; axis++) {
            input.settings.mode = GYRE_MODE_SLICE;
            input.settings.slice_axis = axis;
            render(&input);
        }
        // From inside the smoke.
        for (int axis = 0; axis < 3; axis++)
            input.camera.position[axis] = odd.origin[axis] + 0.05f;
        input.settings.mode = GYRE_MODE_AUTO;
        render(&input);
    }
}

static void test_maps(void **state)
{
    gyre_grid flat = {2, {N, N, 1}, 0.5f, {0.0f, 0.0f, 0.0f}};
    gyre_field_view field = view_of(&flat, smoke), solid = view_of(&flat, body);
    gyre_render_input input = make_input();

    (void)state;
    for (int at = 0; at < N * N; at++) {
        smoke[at] = at / N >= N / 2 ? 3.0f : 1.0f; // the upper half is high
        body[at] = at % N < 4 ? 1.0f : 0.0f;       // a wall to the left
    }
    input.grid = &flat;
    input.field = &field;
    input.settings.range[0] = 1.0f;
    input.settings.range[1] = 3.0f;
    for (int map = GYRE_MAP_INK; map <= GYRE_MAP_BLACK_BODY; map++) {
        float low[3], high[3];

        input.settings.map = map;
        render(&input);
        gyre_map_colour((gyre_colour_map)map, 0.0f, low);
        gyre_map_colour((gyre_colour_map)map, 1.0f, high);
        for (int c = 0; c < 3; c++) {
            assert_float_equal((float)pixel(&image, 40, 50)[c], 255.0f * low[c], 2.0f);
            assert_float_equal((float)pixel(&image, 40, 10)[c], 255.0f * high[c], 2.0f);
        }
    }
    input.solid = &solid;
    render(&input);
    assert_true(abs(pixel(&image, 2, 50)[0] - pixel(&image, 2, 10)[0]) <= 1);
    assert_true(abs(pixel(&image, 40, 50)[0] - pixel(&image, 40, 10)[0]) > 50);
    // A field all of one value, and signed colours about 0.
    input.settings.range[0] = input.settings.range[1] = 0.0f;
    input.settings.map = GYRE_MAP_AUTO;
    input.view = GYRE_VIEW_SIGNED;
    for (int at = 0; at < N * N; at++)
        smoke[at] = 0.0f;
    smoke[N - 1] = -4.0f;
    input.solid = NULL;
    input.settings.legend = true;
    render(&input);
    for (int c = 0; c < 3; c++)
        assert_in_range(pixel(&image, 20, 20)[c], 217, 225);
    assert_true(pixel(&image, 63, 63)[2] > pixel(&image, 63, 63)[0] + 60);
}

static void test_slice_is_map(void **state)
{
    gyre_grid flat = {2, {N, N, 1}, 1.0f / N, {0.0f, 0.0f, 0.0f}};
    gyre_field_view deep = view_of(&grid, smoke), plane = view_of(&flat, smoke + 12 * N * N);
    gyre_render_input input = make_input();

    (void)state;
    fill_scene();
    input.density = &deep;
    input.settings.mode = GYRE_MODE_SLICE;
    input.settings.slice_position = 12.5f / N;
    render(&input);
    keep_picture();
    input.grid = &flat;
    input.density = &plane;
    input.settings.mode = GYRE_MODE_AUTO;
    render(&input);
    assert_true(same_pictures());
}

static void test_colours(void **state)
{
    static const struct {
        gyre_colour_map map;
        float t, rgb[3];
    } known[] = {{GYRE_MAP_VIRIDIS, 0.0f, {0.267f, 0.005f, 0.329f}},
                 {GYRE_MAP_VIRIDIS, 0.5f, {0.128f, 0.567f, 0.551f}},
                 {GYRE_MAP_VIRIDIS, 1.0f, {0.993f, 0.906f, 0.144f}},
                 {GYRE_MAP_MAGMA, 0.5f, {0.716f, 0.215f, 0.475f}},
                 {GYRE_MAP_INFERNO, 0.5f, {0.736f, 0.216f, 0.330f}},
                 {GYRE_MAP_INFERNO, 1.0f, {0.988f, 0.998f, 0.645f}},
                 {GYRE_MAP_COOLWARM, 0.0f, {0.230f, 0.299f, 0.754f}},
                 {GYRE_MAP_COOLWARM, 1.0f, {0.706f, 0.016f, 0.150f}},
                 {GYRE_MAP_GRAY, 0.25f, {0.25f, 0.25f, 0.25f}}};

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        float rgb[3];

        gyre_map_colour(known[i].map, known[i].t, rgb);
        for (int c = 0; c < 3; c++)
            assert_float_equal(rgb[c], known[i].rgb[c], 0.02f);
    }
    // Hotter is brighter, and redder when cooler.
    for (float kelvin = 600.0f; kelvin < 4000.0f; kelvin += 100.0f) {
        vec cool = gy_black_body(kelvin), hot = gy_black_body(kelvin + 100.0f);

        assert_true(hot[0] > cool[0] && hot[0] >= hot[1] && hot[1] >= hot[2]);
        assert_true(hot[1] * cool[0] >= cool[1] * hot[0] * 0.999f);
    }
}

static void test_refuses(void **state)
{
    gyre_grid small = {3, {4, 4, 4}, 1.0f / N, {0.0f, 0.0f, 0.0f}};
    gyre_field_view density = view_of(&small, smoke);
    gyre_render_input input = make_input();

    (void)state;
    input.density = &density;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    density = view_of(&grid, smoke);
    density.location = GYRE_FACE_X;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    density.location = GYRE_CENTRE;
    input.camera.position[1] = NAN;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    input = make_input();
    input.camera.up[1] = 0.0f;
    input.camera.up[2] = 2.0f;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "up"));
    input = make_input();
    input.settings.anisotropy = 1.0f;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "anisotropy"));
    gyre_image none;
    assert_int_equal(gyre_image_create(0, 4, &none), GYRE_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_empty_is_background),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_solid_hides),
        cmocka_unit_test(test_absorption),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_framing),
        cmocka_unit_test(test_odd_grids),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_slice_is_map),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_thin_flames_are_even),
    };
    gyre_device_def def = gyre_default_device_def();

    def.threads = 2;
    if (gyre_device_create(&def, &device) != GYRE_OK ||
        gyre_image_create(SIDE, SIDE, &image) != GYRE_OK ||
        gyre_image_create(SIDE, SIDE, &other) != GYRE_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    gyre_image_free(&image);
    gyre_image_free(&other);
    gyre_device_destroy(device);
    return failed;
}
