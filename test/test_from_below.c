// test/test_from_below.c: water seen from below: through Snell's window the sky and what stands in
// it, beyond 48.59 degrees the bed, mirrored wholly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gyre/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 96, WIDE = 600, HIGH = 60 };

static gyre_device *device;
static gyre_image image;
static const gyre_grid grid = {2, {N, N, 1}, 0.25f, {0.0f, 0.0f, 0.0f}};
static float water[N * N], bed[N * N];
static gyre_field_view surface_view, bed_view;

static gyre_field_view view_of(float *data)
{
    return (gyre_field_view){data, {N, N, 1}, {1, N, (ptrdiff_t)N * N}, GYRE_CENTRE, grid};
}

// Straight up from 1 m under calm water, 2 m deep and clear, over a bed of one colour, under a sky
// that is white everywhere.
static gyre_render_input make_input(float ground)
{
    gyre_render_input input;

    for (int c = 0; c < N * N; c++) {
        water[c] = 0.0f;
        bed[c] = -2.0f;
    }
    surface_view = view_of(water);
    bed_view = view_of(bed);
    input = (gyre_render_input){.grid = &grid,
                                .surface = &surface_view,
                                .bed = &bed_view,
                                .camera = gyre_default_camera(),
                                .light = gyre_default_light(),
                                .settings = gyre_default_view_settings()};
    input.camera =
        (gyre_camera){{12.0f, 12.0f, -1.0f}, {12.0f, 12.0f, 0.0f}, {0.0f, 2.0f, 0.0f}, 20.0f};
    input.light.intensity = 0.0f;
    input.light.ambient = 1.0f;
    input.settings.water_clarity = 1e5f;
    input.settings.clouds = 0.0f;
    for (int c = 0; c < 3; c++) {
        input.settings.bed_colour[c] = ground;
        input.settings.sky_top[c] = input.settings.sky_horizon[c] = 1.0f;
    }
    return input;
}

static int bright(int x, int y)
{
    return image.rgb[3 * (y * WIDE + x) + 1];
}

// The angle between a column's rays and the middle.
static double angle(double x)
{
    return 57.29577951308232 *
           atan(fabs(x + 0.5 - 0.5 * WIDE) / HIGH * 2.0 * tan(10.0 * 0.017453292519943295));
}

static void test_window(void **state)
{
    gyre_render_input input = make_input(0.0f);
    double edge[2] = {0.0, 0.0};
    int lit = 0;

    (void)state;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
    int middle = bright(WIDE / 2, HIGH / 2);

    // On both sides the outermost column that is lit at all.
    for (int x = 0; x < WIDE; x++) {
        if (bright(x, HIGH / 2) < 20)
            continue;
        edge[1] = angle(x);
        edge[0] = lit++ == 0 ? edge[1] : edge[0];
    }
    print_message("the window ends at %.2f and %.2f degrees, known 48.59; light in its middle %d\n",
                  edge[0], edge[1], middle);
    assert_true(middle > 180);
    for (int k = 0; k < 2; k++)
        assert_true(fabs(edge[k] - 48.5904) < 0.4);
    // Black beyond, and never inside.
    for (int x = 0; x < WIDE; x++) {
        double a = angle(x);

        assert_true(a < 49.0 || bright(x, HIGH / 2) < 8);
        assert_true(a > 45.0 || bright(x, HIGH / 2) > 0.9 * middle);
    }
}

// Beyond the window there is the bed and nothing is lost: as bright as the bed itself.
static void test_whole_mirror(void **state)
{
    gyre_render_input input = make_input(0.4f);

    (void)state;
    for (int c = 0; c < 3; c++)
        input.settings.sky_top[c] = input.settings.sky_horizon[c] = 0.0f;
    input.settings.bed_tiles = 1e5f; // no grain
    input.camera.target[0] = 13.0f;  // 58 degrees from upright, 65 at the edge
    input.camera.target[2] = -0.375f;
    input.camera.up[1] = 0.0f;
    input.camera.up[2] = 1.0f;
    input.camera.field_of_view = 8.0f;
    assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
    int mirrored = bright(WIDE / 2, HIGH / 2);

    input.camera.target[2] = -1.625f; // the same downwards
    assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
    int direct = bright(WIDE / 2, HIGH / 2);

    print_message("the bed: mirrored %d, itself %d\n", mirrored, direct);
    assert_true(direct > 60);
    assert_true(abs(mirrored - direct) <= 2);
}

// A ball of two triangles high over the water stands where Snell's law puts it.
static void test_seen_above(void **state)
{
    gyre_render_input input = make_input(0.0f);
    // 60 degrees from upright in air over the place where rays 40.51 degrees steep come out.
    static float points[12];
    static const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    gyre_mesh sheet = {
        .points = points, .point_count = 4, .triangles = triangles, .triangle_count = 2};
    double out = asin(0.75 * sin(1.0471975511965976)),
           x = 12.0 + tan(out) + 3.0 * tan(1.0471975511965976);

    (void)state;
    for (int k = 0; k < 4; k++) {
        points[3 * k] = (float)x + (k == 0 || k == 3 ? -0.6f : 0.6f);
        points[3 * k + 1] = 12.0f + (k < 2 ? -2.0f : 2.0f);
        points[3 * k + 2] = 3.0f;
    }
    input.meshes = &sheet;
    input.mesh_count = 1;
    memset(input.settings.solid_colour, 0, sizeof input.settings.solid_colour);
    assert_int_equal(gyre_render(device, &input, &image), GYRE_OK);
    double first = 0.0, last = 0.0;

    // Seen from below x runs to the left.
    for (int column = WIDE / 2; column >= 0; column--) {
        if (angle(column) > 45.0 || bright(column, HIGH / 2) > 60)
            continue;
        last = angle(column);
        first = first > 0.0 ? first : last;
    }
    double low = 57.29577951308232 * asin(0.75 * sin(atan((x - 0.6 - 12.0 - tan(out)) / 3.0)));

    print_message("a dark sheet: from %.2f to %.2f degrees, its middle known at %.2f\n", first,
                  last, out * 57.29577951308232);
    assert_true(first > 0.0);
    assert_true(first < out * 57.29577951308232 && last > out * 57.29577951308232);
    assert_true(fabs(first - low) < 1.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_whole_mirror),
        cmocka_unit_test(test_seen_above),
    };
    gyre_device_def def = gyre_default_device_def();

    def.threads = 2;
    if (gyre_device_create(&def, &device) != GYRE_OK ||
        gyre_image_create(WIDE, HIGH, &image) != GYRE_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    gyre_image_free(&image);
    gyre_device_destroy(device);
    return failed;
}
