// labels: small
// test/test_view_look.c: where a pixel lies, with numbers alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"
#include "view/draw/parts.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 200 };

static gyre_scene_settings settings_of(const gyre_camera *camera)
{
    gyre_scene_settings settings = {.camera = camera != NULL ? *camera : gyre_default_camera(),
                                    .light = gyre_default_light(),
                                    .view = gyre_default_view_settings()};

    return settings;
}

static const gyre_grid flat = {2, {40, 20, 1}, 0.05f, {-1.0f, 2.0f, 0.0f}};
static const gyre_grid deep = {3, {24, 48, 16}, 0.04f, {-0.5f, 0.0f, 0.3f}};

static void test_find(void **state)
{
    view_frame frame = {.field_count = 2, .fields = {{.name = "density"}, {.name = "velocity_x"}}};

    (void)state;
    assert_int_equal(view_frame_find(&frame, "density"), 0);
    assert_int_equal(view_frame_find(&frame, "velocity_x"), 1);
    assert_int_equal(view_frame_find(&frame, "velocity"), -1);
    assert_int_equal(view_frame_find(&frame, ""), -1);
}

static void test_make(void **state)
{
    gyre_scene_settings settings = settings_of(NULL);

    (void)state;
    strcpy(settings.view.field, "vorticity_z");
    view_look look = view_look_make(&settings, &flat);

    assert_int_equal(look.mode, VIEW_MAP);
    assert_string_equal(look.field, "vorticity_z");
    assert_true(look.solids);
    assert_true(look.blend == 1.0f && look.zoom == 1.0f);
    assert_float_equal(look.centre[0], 0.0f, 1e-6f);
    assert_float_equal(look.centre[1], 2.5f, 1e-6f);
    assert_int_equal(view_look_make(&settings, &deep).mode, VIEW_VOLUME);
    settings.view.mode = GYRE_MODE_SLICE;
    assert_int_equal(view_look_make(&settings, &deep).mode, VIEW_MAP);
}

// A domain of 2 m x 1 m in a picture of 320 x 200: 160 pixels a metre, 20 pixels of margin above
// and below.
static void test_pick_flat(void **state)
{
    gyre_scene_settings settings = settings_of(NULL);
    view_look look = view_look_make(&settings, &flat);
    float point[3];

    (void)state;
    assert_true(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 0.0f, 20.0f, NULL, point));
    assert_float_equal(point[0], -1.0f, 1e-5f);
    assert_float_equal(point[1], 2.0f, 1e-5f);
    assert_true(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 320.0f, 180.0f, NULL, point));
    assert_float_equal(point[0], 1.0f, 1e-5f);
    assert_float_equal(point[1], 3.0f, 1e-5f);
    look.zoom = 4.0f;
    look.centre[0] = 0.5f;
    assert_true(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 160.0f + 64.0f, 100.0f, NULL, point));
    assert_float_equal(point[0], 0.5f + 0.1f, 1e-5f);
    assert_float_equal(point[1], 2.5f, 1e-5f);
    assert_false(view_draw_pick(&look, &flat, 0, HEIGHT, 0.0f, 0.0f, NULL, point));
    // What lies outside is a place, and none in the domain.
    look = view_look_make(&settings, &flat);
    assert_false(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 160.0f, 18.0f, NULL, point));
    assert_false(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 160.0f, 182.0f, NULL, point));
    assert_true(view_draw_place(&look, &flat, WIDTH, HEIGHT, 160.0f, 182.0f, NULL, point));
    assert_float_equal(point[1], 3.0f + 2.0f / 160.0f, 1e-5f);
    look.zoom = 0.5f;
    assert_false(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 60.0f, 100.0f, NULL, point));
    assert_false(view_draw_pick(&look, &flat, WIDTH, HEIGHT, 260.0f, 100.0f, NULL, point));
}

// The pixel that a point is seen at, by the textbook's projection.
static void project(const gyre_camera *camera, const float at[3], float pixel[2])
{
    double f[3], r[3], u[3], d[3], length = 0.0;

    for (int i = 0; i < 3; i++) {
        f[i] = (double)camera->target[i] - (double)camera->position[i];
        d[i] = (double)at[i] - (double)camera->position[i];
        length += f[i] * f[i];
    }
    for (int i = 0; i < 3; i++)
        f[i] /= sqrt(length);
    length = 0.0;
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;

        r[i] = f[a] * (double)camera->up[b] - f[b] * (double)camera->up[a];
        length += r[i] * r[i];
    }
    for (int i = 0; i < 3; i++)
        r[i] /= sqrt(length);
    for (int i = 0; i < 3; i++)
        u[i] = r[(i + 1) % 3] * f[(i + 2) % 3] - r[(i + 2) % 3] * f[(i + 1) % 3];
    double depth = d[0] * f[0] + d[1] * f[1] + d[2] * f[2];
    double tall = 2.0 * tan((double)camera->field_of_view * 3.14159265358979 / 360.0) * depth;

    pixel[0] = (float)(0.5 * WIDTH + HEIGHT * (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]) / tall);
    pixel[1] = (float)(0.5 * HEIGHT + HEIGHT * (d[0] * u[0] + d[1] * u[1] + d[2] * u[2]) / tall);
}

static const gyre_camera aslant = {
    {2.0f, 1.5f, 2.5f}, {0.0f, 0.9f, 0.6f}, {0.1f, 1.0f, 0.2f}, 35.0f};

static void test_pick_volume(void **state)
{
    gyre_scene_settings settings = settings_of(&aslant);
    view_look look = view_look_make(&settings, &deep);

    (void)state;
    for (int i = 0; i < 27; i++) {
        float at[3], pixel[2], point[3];

        for (int axis = 0; axis < 3; axis++) {
            int third = axis == 0 ? i % 3 : axis == 1 ? i / 3 % 3 : i / 9;

            at[axis] = deep.origin[axis] + deep.h * (float)deep.n[axis] * 0.5f * (float)third;
        }
        project(&aslant, at, pixel);
        // The plane through the very point: it must come back.
        assert_true(view_draw_pick(&look, &deep, WIDTH, HEIGHT, pixel[0], pixel[1], at, point));
        for (int axis = 0; axis < 3; axis++)
            assert_float_equal(point[axis], at[axis], 2e-5f);
    }
    float behind[3] = {4.0f, 2.1f, 4.4f}, beside[3], pixel[2], point[3];

    // A cell's breadth beside each side of the domain, in a plane through its middle.
    for (int side = 0; side < 6; side++) {
        int axis = side / 2;

        for (int a = 0; a < 3; a++)
            beside[a] = deep.origin[a] + 0.5f * deep.h * (float)deep.n[a];
        beside[axis] += (side % 2 ? 1.0f : -1.0f) * deep.h * (0.5f * (float)deep.n[axis] + 1.0f);
        project(&aslant, beside, pixel);
        assert_true(
            view_draw_place(&look, &deep, WIDTH, HEIGHT, pixel[0], pixel[1], beside, point));
        assert_false(
            view_draw_pick(&look, &deep, WIDTH, HEIGHT, pixel[0], pixel[1], beside, point));
    }

    assert_false(view_draw_pick(&look, &deep, WIDTH, HEIGHT, 160.0f, 100.0f, behind, point));
}

static void test_pick_slice(void **state)
{
    gyre_scene_settings settings = settings_of(&aslant);
    view_look look = view_look_make(&settings, &deep);
    const float anywhere[3] = {0.0f, 0.0f, 0.0f};

    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int mode = VIEW_MAP; mode <= VIEW_LIC; mode++) {
            float at[3], pixel[2], point[3];

            look.mode = mode;
            look.settings.slice_axis = axis;
            look.settings.slice_position = 0.3f;
            for (int i = 0; i < 3; i++)
                at[i] = deep.origin[i] + deep.h * (float)deep.n[i] * (i == axis ? 0.3f : 0.7f);
            project(&aslant, at, pixel);
            assert_true(
                view_draw_pick(&look, &deep, WIDTH, HEIGHT, pixel[0], pixel[1], anywhere, point));
            for (int i = 0; i < 3; i++)
                assert_float_equal(point[i], at[i], 2e-5f);
        }
    }
}

// The whole domain is in the picture, whatever its shape, and touches its edge nearly.
static void test_framing(void **state)
{
    static const int sizes[3][2] = {{320, 200}, {100, 300}, {64, 64}};

    (void)state;
    for (int i = 0; i < 3; i++) {
        gyre_scene_settings settings = settings_of(NULL);
        view_look look = view_look_make(&settings, &deep);
        int width = sizes[i][0], height = sizes[i][1];
        gyre_camera camera = view_look_camera(&look, &deep, width, height);
        float most = 0.0f;

        for (int corner = 0; corner < 8; corner++) {
            float at[3], pixel[2];

            for (int axis = 0; axis < 3; axis++)
                at[axis] =
                    deep.origin[axis] + (corner >> axis & 1 ? deep.h * (float)deep.n[axis] : 0.0f);
            project(&camera, at, pixel);
            float x = (pixel[0] - 0.5f * WIDTH) / HEIGHT * 2.0f * (float)height / (float)width;
            float y = (pixel[1] - 0.5f * HEIGHT) / HEIGHT * 2.0f;

            most = fmaxf(most, fmaxf(fabsf(x), fabsf(y)));
        }
        assert_true(most < 1.0f && most > 0.9f);
    }
}

static void test_bad_cameras(void **state)
{
    gyre_scene_settings settings = settings_of(&aslant);
    view_look look = view_look_make(&settings, &deep);
    float length = 0.0f;

    (void)state;
    memset(look.camera.up, 0, sizeof look.camera.up);
    view_eye eye = view_eye_make(&look, &deep, WIDTH, HEIGHT);

    for (int i = 0; i < 3; i++)
        length += eye.up[i] * eye.up[i];
    assert_true(length > 0.1f && length < 10.0f);
    for (int i = 0; i < 3; i++) // up along the line of sight
        look.camera.up[i] = look.camera.target[i] - look.camera.position[i];
    eye = view_eye_make(&look, &deep, WIDTH, HEIGHT);
    length = 0.0f;
    for (int i = 0; i < 3; i++)
        length += eye.right[i] * eye.right[i];
    assert_true(length > 0.1f && length < 10.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),        cmocka_unit_test(test_make),
        cmocka_unit_test(test_pick_flat),   cmocka_unit_test(test_pick_volume),
        cmocka_unit_test(test_pick_slice),  cmocka_unit_test(test_framing),
        cmocka_unit_test(test_bad_cameras),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
