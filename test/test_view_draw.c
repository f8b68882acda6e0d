// labels: gl
// test/test_view_draw.c: what the viewer draws, against the offline renderer and by what must be
// seen. Needs OpenGL 3.3, which Mesa's llvmpipe gives without a screen; where there is none the
// tests fail, or with GYRE_TEST_NO_GL=1 say that they were left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"

#include "test/view_stills.h"

static const char plume[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3,\"n\":[20,28,16],\"h\":0.1,\"origin\":[-1,0,-0.8]},"
    "\"sides\":{\"y_high\":{\"rule\":\"open\"}},"
    "\"emitters\":[{\"name\":\"source\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":"
    "[-0.1,0.4,0.1],\"radius\":0.35}},\"density\":1,\"temperature\":400,\"noise\":0.3}],"
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[0.25,1.5,-0.1],"
    "\"radius\":0.42}}}]}},\"time\":{\"fps\":30,\"frames\":40},"
    "\"camera\":{\"position\":[2.6,1.9,4.6],\"target\":[0,1.1,0],\"field_of_view\":38},"
    "\"view\":{\"density_scale\":14,\"floor\":true}}";

static const char disk[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[96,64,1],\"h\":0.03},"
    "\"sides\":{\"x_high\":{\"rule\":\"open\"},\"y_high\":{\"rule\":\"open\"}},"
    "\"emitters\":[{\"name\":\"source\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":"
    "[0.9,0.4,0],\"radius\":0.25}},\"density\":1,\"temperature\":60,\"push\":true,"
    "\"velocity\":[0.5,1.5,0]}],"
    "\"solids\":[{\"name\":\"disk\",\"shape\":{\"sphere\":{\"centre\":[1.4,1.1,0],"
    "\"radius\":0.2}}}]}},\"time\":{\"fps\":30,\"frames\":40}}";

// The disk, the plume.
static int setup(void **state)
{
    (void)state;
    if (!open_stills())
        return has_gl ? 1 : 0;
    make_still(disk, "still.json", 40, &stills[0]);
    make_still(plume, "still.json", 40, &stills[1]);
    return 0;
}

// Tolerances are in steps of 255, about a quarter above what was measured. In maps the distance is
// that of linear samples from the offline renderer's cubic ones on these coarse grids. A light from
// another side, a shadow left out, an axis turned round or another gamma come to several times as
// much.
static void test_same_map(void **state)
{
    view_look look = stills[0].look;

    (void)state;
    compare("smoke", stills[0].frames[1], &look, 0.7, 14, NULL);
    snprintf(look.field, sizeof look.field, "temperature");
    compare("temperature", stills[0].frames[1], &look, 0.6, 16, NULL);
    snprintf(look.field, sizeof look.field, "vorticity");
    compare("vorticity", stills[0].frames[1], &look, 0.5, 6, NULL);
    look.settings.map = GYRE_MAP_VIRIDIS;
    compare("viridis", stills[0].frames[1], &look, 0.45, 6, NULL);
}

static void test_same_slice(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        view_look look = stills[1].look;

        int lines[2];

        face_slice(&look, &stills[1].frames[1]->grid, axis, lines);
        compare("slice, smoke", stills[1].frames[1], &look, 2.5, 28, lines);
        snprintf(look.field, sizeof look.field, "velocity_y");
        look.settings.range[0] = -1.0f;
        look.settings.range[1] = 1.5f;
        compare("slice, velocity", stills[1].frames[1], &look, 2.0, 34, lines);
    }
}

static void test_same_volume(void **state)
{
    view_look look = stills[1].look;

    (void)state;
    compare("volume", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.light.direction[0] = 0.4f;
    look.light.direction[2] = 1.2f;
    compare("volume, light along z", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.light.direction[1] = -2.0f;
    look.settings.floor = false;
    compare("volume, light from below", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.settings.shadow = false;
    compare("volume, no shadow", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.settings.glow = true;
    look.settings.glow_scale = 5.0f;
    compare("volume, glow", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.solids = false;
    compare("volume, no solids", stills[1].frames[1], &look, 0.2, 2, NULL);
}

// The picture that is enlarged from a quarter of the pixels is still the same one, softer.
static void test_inner(void **state)
{
    view_look look = stills[1].look;

    (void)state;
    look.inner_width = WIDE / 2;
    look.inner_height = TALL / 2;
    compare("enlarged", stills[1].frames[1], &look, 1.4, 18, NULL);
    look.mode = VIEW_STACK;
    show(stills[1].frames[1], &look, seen);
    look.inner_width = look.inner_height = 0;
    show(stills[1].frames[1], &look, other);
    assert_true(rig_compare(seen, other, sizeof seen).mean < 3.0);
}

static view_frame *blank(int dim, int x, int y, int z)
{
    static const char *const names[6] = {"density",    "temperature", "solid",
                                         "velocity_x", "velocity_y",  "velocity_z"};
    static const gyre_view views[6] = {GYRE_VIEW_DENSITY, GYRE_VIEW_TEMPERATURE, GYRE_VIEW_FRACTION,
                                       GYRE_VIEW_SIGNED,  GYRE_VIEW_SIGNED,      GYRE_VIEW_SIGNED};
    view_frame *frame = calloc(1, sizeof *frame);

    assert_non_null(frame);
    frame->grid = (gyre_grid){dim, {x, y, z}, 0.1f, {0.0f, 0.0f, 0.0f}};
    frame->field_count = 6;
    for (int i = 0; i < 6; i++) {
        snprintf(frame->fields[i].name, sizeof frame->fields[i].name, "%s", names[i]);
        frame->fields[i].view = views[i];
        frame->fields[i].present = true;
        frame->fields[i].data = calloc((size_t)x * (size_t)y * (size_t)z, sizeof(float));
        assert_non_null(frame->fields[i].data);
    }
    frame->temperature = 1;
    frame->solid = 2;
    for (int i = 0; i < 3; i++)
        frame->velocity[i] = 3 + i;
    return frame;
}

static view_look look_of(const view_frame *frame)
{
    gyre_scene_settings settings = {.camera = gyre_default_camera(),
                                    .light = gyre_default_light(),
                                    .view = gyre_default_view_settings()};

    return view_look_make(&settings, &frame->grid);
}

// A cell's colour is its own, out to its edge, and lines run between cells.
static void test_cells(void **state)
{
    view_frame *frame = blank(2, 8, 6, 1);
    view_look look = look_of(frame);

    (void)state;
    look.mode = VIEW_CELLS;
    look.settings.map = GYRE_MAP_GRAY;
    look.settings.range[1] = 1.0f;
    frame->fields[0].data[3 + 8 * 2] = 1.0f; // pixels 60..79 from the left, 60..79 from the top
    show(frame, &look, seen);
    assert_true(pixel(seen, 63, 63)[0] > 250 && pixel(seen, 77, 76)[0] > 250);
    assert_true(pixel(seen, 56, 70)[0] < 10 && pixel(seen, 84, 70)[0] < 10);
    assert_true(pixel(seen, 70, 56)[0] < 10 && pixel(seen, 70, 84)[0] < 10);
    assert_true(pixel(seen, 20, 70)[0] > pixel(seen, 30, 70)[0] + 20); // a line
    look.mode = VIEW_MAP;
    show(frame, &look, seen);
    assert_in_range(pixel(seen, 60, 70)[0], 100, 200); // half way between two cells
    rig_frame_free(frame);
}

static int brightness(const uint8_t *rgb)
{
    int sum = 0;

    for (int i = 0; i < 3 * WIDE * TALL; i++)
        sum += rgb[i];
    return sum;
}

// The range follows what is there, but not at once.
static void test_range(void **state)
{
    view_frame *frame = blank(2, 8, 6, 1);
    view_look look = look_of(frame);
    float first[2], second[2], late[2];

    (void)state;
    frame->fields[0].data[10] = 1.0f;
    view_forget(draw);
    view_draw_push(draw, frame);
    view_draw_range(draw, &look, first);
    assert_true(first[0] == 0.0f && first[1] == 1.0f);
    frame->fields[0].data[10] = 5.0f;
    frame->step++;
    view_draw_push(draw, frame);
    view_draw_range(draw, &look, second);
    assert_true(second[1] > 1.5f && second[1] < 4.0f);
    for (int i = 0; i < 60; i++) {
        frame->step++;
        view_draw_push(draw, frame);
    }
    view_draw_range(draw, &look, late);
    assert_float_equal(late[1], 5.0f, 1e-3f);
    frame->fields[0].data[10] = 0.5f; // falls back slowly
    frame->step++;
    view_draw_push(draw, frame);
    view_draw_range(draw, &look, late);
    assert_true(late[1] > 4.5f);
    frame->step = 0; // from the start: at once
    view_draw_push(draw, frame);
    view_draw_range(draw, &look, late);
    assert_true(late[1] == 0.5f);
    snprintf(look.field, sizeof look.field, "velocity_x"); // signed: the same on both sides
    frame->fields[3].data[4] = -2.0f;
    frame->fields[3].data[5] = 1.0f;
    view_draw_push(draw, frame);
    frame->step = 0;
    view_forget(draw);
    view_draw_push(draw, frame);
    view_draw_range(draw, &look, late);
    assert_true(late[0] == -2.0f && late[1] == 2.0f);
    frame->fields[2].data[4] = 1.0f; // what a solid holds does not count
    view_forget(draw);
    view_draw_push(draw, frame);
    view_draw_range(draw, &look, late);
    assert_true(late[0] == -1.0f && late[1] == 1.0f);
    look.settings.range[0] = 3.0f;
    look.settings.range[1] = 4.0f;
    view_draw_range(draw, &look, late);
    assert_true(late[0] == 3.0f && late[1] == 4.0f);
    rig_frame_free(frame);
}

// Half way between two frames every mode shows what lies between.
static void test_blend(void **state)
{
    (void)state;
    for (int mode = 0; mode < 4; mode++) {
        bool deep = mode >= 2;
        view_frame *frame = blank(deep ? 3 : 2, 8, 8, deep ? 8 : 1);
        view_look look = look_of(frame);
        int at[3];

        look.mode = mode == 0   ? VIEW_MAP
                    : mode == 1 ? VIEW_CELLS
                    : mode == 2 ? VIEW_VOLUME
                                : VIEW_STACK;
        look.settings.map = GYRE_MAP_GRAY;
        look.settings.range[1] = 1.0f;
        look.settings.density_scale = 3.0f;
        view_forget(draw);
        view_draw_push(draw, frame);
        for (int i = 0; i < (deep ? 512 : 64); i++)
            frame->fields[0].data[i] = 1.0f;
        frame->step++;
        view_draw_push(draw, frame);
        for (int i = 0; i < 3; i++) {
            look.blend = 0.5f * (float)i;
            view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
            view_draw_read(0, 0, WIDE, TALL, seen);
            at[i] = brightness(seen);
        }
        assert_true(at[0] < at[1] - 50000 && at[1] < at[2] - 50000);
        // The later frame alone is what it is without an earlier one.
        memcpy(other, seen, sizeof seen);
        show(frame, &look, seen);
        assert_true(rig_compare(seen, other, sizeof seen).mean < 0.05);
        rig_frame_free(frame);
    }
}

// Arrows: none where the fluid stands still, and the picture changes where it flows.
static void test_arrows(void **state)
{
    view_frame *frame = blank(2, 32, 24, 1);
    view_look look = look_of(frame);
    int left = 0, right = 0;

    (void)state;
    look.settings.map = GYRE_MAP_GRAY;
    look.settings.range[1] = 1.0f;
    show(frame, &look, other);
    look.arrows = true;
    show(frame, &look, seen); // no flow at all
    assert_memory_equal(seen, other, sizeof seen);
    for (int j = 0; j < 24; j++) {
        for (int i = 17; i < 32; i++)
            frame->fields[3].data[i + 32 * j] = 2.0f;
    }
    show(frame, &look, seen);
    for (int y = 0; y < TALL; y++) {
        for (int x = 0; x < WIDE; x++) {
            if (pixel(seen, x, y)[1] > 128)
                *(x < WIDE / 2 ? &left : &right) += 1;
        }
    }
    assert_int_equal(left, 0);
    assert_true(right > 100 && right < WIDE * TALL / 8);
    rig_frame_free(frame);
}

// Lines of flow: grey values vary little along the flow and much across it.
static void test_lines_of_flow(void **state)
{
    (void)state;
    for (int axis = 0; axis < 2; axis++) {
        view_frame *frame = blank(2, 32, 24, 1);
        view_look look = look_of(frame);
        double across = 0.0, up = 0.0;

        look.mode = VIEW_LIC;
        look.settings.map = GYRE_MAP_GRAY;
        look.settings.range[1] = 1.0f;
        for (int i = 0; i < 32 * 24; i++) {
            frame->fields[0].data[i] = 0.5f;
            frame->fields[3 + axis].data[i] = 1.0f;
        }
        show(frame, &look, seen);
        for (int y = 10; y < TALL - 10; y++) {
            for (int x = 10; x < WIDE - 10; x++) {
                across += fabs((double)pixel(seen, x, y)[1] - (double)pixel(seen, x + 1, y)[1]);
                up += fabs((double)pixel(seen, x, y)[1] - (double)pixel(seen, x, y + 1)[1]);
            }
        }
        assert_true(axis == 0 ? up > 2.0 * across : across > 2.0 * up);
        show(frame, &look, other); // nothing flickers
        assert_memory_equal(seen, other, sizeof seen);
        rig_frame_free(frame);
    }
}

// What lies under a pixel is what is drawn there.
static void test_pick(void **state)
{
    view_frame *frame = blank(2, 20, 10, 1);
    view_look look = look_of(frame);

    (void)state;
    look.settings.map = GYRE_MAP_GRAY;
    look.settings.range[1] = 1.0f;
    look.mode = VIEW_CELLS;
    look.zoom = 1.7f;
    look.centre[0] = 0.8f;
    look.centre[1] = 0.6f;
    frame->fields[0].data[7 + 20 * 5] = 1.0f;
    show(frame, &look, seen);
    for (int y = 0; y < TALL; y += 3) {
        for (int x = 0; x < WIDE; x += 3) {
            float point[3];

            assert_true(view_draw_place(&look, &frame->grid, WIDE, TALL, (float)x + 0.5f,
                                        (float)(TALL - 1 - y) + 0.5f, NULL, point));
            bool inside =
                point[0] > 0.702f && point[0] < 0.798f && point[1] > 0.502f && point[1] < 0.598f;
            bool outside =
                point[0] < 0.698f || point[0] > 0.802f || point[1] < 0.498f || point[1] > 0.602f;

            if (inside)
                assert_true(pixel(seen, x, y)[0] > 128);
            if (outside)
                assert_true(pixel(seen, x, y)[0] < 128);
        }
    }
    rig_frame_free(frame);
}

// Draws every mode with everything on.
static void draw_all(const view_frame *frame, int width, int height)
{
    view_look look = look_of(frame);

    look.arrows = true;
    look.settings.floor = look.settings.glow = true;
    view_draw_push(draw, frame);
    for (int mode = 0; mode < VIEW_MODES; mode++) {
        for (int inner = 0; inner < 2; inner++) {
            look.mode = mode;
            look.blend = inner == 0 ? 1.0f : 0.4f;
            look.inner_width = 7 * inner;
            look.inner_height = 5 * inner;
            view_draw_paint(draw, &look, 0, 0, width, height);
        }
    }
}

static void test_odd_sizes(void **state)
{
    static const int grids[][4] = {{2, 1, 1, 1}, {3, 3, 5, 2},  {3, 1, 1, 1},    {2, 4096, 1, 1},
                                   {2, 5, 3, 1}, {3, 1, 40, 1}, {3, 2500, 2, 3}, {2, 1, 300, 1}};
    static const int sizes[][2] = {{1, 1}, {1, 40}, {33, 2}, {64, 48}};

    (void)state;
    view_forget(draw);
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        view_frame *frame = blank(grids[g][0], grids[g][1], grids[g][2], grids[g][3]);
        size_t count = (size_t)grids[g][1] * (size_t)grids[g][2] * (size_t)grids[g][3];

        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (int i = 0; i < 6; i++) {
                for (size_t c = 0; c < count; c++)
                    frame->fields[i].data[c] = (float)((c + (size_t)i + s) % 3) * 0.5f;
            }
            frame->step++;
            draw_all(frame, sizes[s][0], sizes[s][1]);
        }
        rig_frame_free(frame);
    }
    assert_int_equal(rig_errors, 0);
}

// 4K; and the rectangle's surroundings stay as they are.
static void test_large_and_inside(void **state)
{
    enum { W = 3840, H = 2160 };
    view_look look = stills[0].look;
    uint8_t *rgb = malloc(3 * (size_t)W * H);

    (void)state;
    assert_non_null(rgb);
    rig_size(&display, W, H);
    glClearColor(0.0f, 1.0f, 0.0f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    view_forget(draw);
    view_draw_push(draw, stills[0].frames[1]);
    look.arrows = true;
    view_draw_paint(draw, &look, 10, 20, W - 30, H - 60);
    view_draw_read(0, 0, W, H, rgb);
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            const uint8_t *p = rgb + 3 * ((size_t)y * W + (size_t)x);
            bool inside = x >= 10 && x < W - 20 && y >= 40 && y < H - 20;

            if ((p[0] == 0 && p[1] == 255 && p[2] == 0) == inside)
                fail_msg("pixel %d, %d", x, y);
        }
    }
    free(rgb);
    rig_size(&display, WIDE, TALL);
}

// Fields that are missing, not finite or huge leave pictures whole.
static void test_bad_fields(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        view_frame *frame = blank(dim, 12, 9, dim == 3 ? 7 : 1);
        size_t count = (size_t)(12 * 9 * (dim == 3 ? 7 : 1));
        const float bad[4] = {NAN, INFINITY, -INFINITY, 1e29f};

        for (int i = 0; i < 6; i++) {
            for (size_t c = 0; c < count; c++)
                frame->fields[i].data[c] = c % 5 < 4 ? bad[c % 5] : 0.5f;
        }
        view_forget(draw);
        draw_all(frame, WIDE, TALL);
        for (int i = 0; i < 6; i++) {
            frame->fields[i].present = false;
            frame->step++;
            draw_all(frame, WIDE, TALL);
        }
        frame->density = frame->temperature = frame->solid = -1;
        memset(frame->velocity, -1, sizeof frame->velocity);
        frame->field_count = 0;
        draw_all(frame, WIDE, TALL);
        rig_frame_free(frame);
    }
    assert_int_equal(rig_errors, 0);
}

// Nothing pushed yet: the background, and no range.
static void test_nothing(void **state)
{
    view_look look = stills[0].look;
    float range[2];

    (void)state;
    view_forget(draw);
    draw->density = draw->solid = -1;
    view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
    view_draw_read(0, 0, WIDE, TALL, seen);
    view_draw_range(draw, &look, range);
    assert_true(range[1] > range[0]);
    assert_true(pixel(seen, 5, TALL - 1)[2] > pixel(seen, 5, 0)[2]); // brighter below
}

// Slices across another axis, of another size, when the next frame has come.
static void test_slice_turns(void **state)
{
    static uint8_t turned[3][sizeof seen];
    view_look look = stills[1].look;

    (void)state;
    look.mode = VIEW_MAP;
    look.settings.map = GYRE_MAP_SMOKE;
    look.settings.range[1] = 1.0f;
    view_forget(draw);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 2; i++)
            view_draw_push(draw, stills[1].frames[1]);
        look.settings.slice_axis = axis;
        view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
        view_draw_read(0, 0, WIDE, TALL, turned[axis]);
    }
    assert_int_equal(rig_errors, 0);
    for (int axis = 0; axis < 3; axis++) {
        look.settings.slice_axis = axis;
        show(stills[1].frames[1], &look, seen);
        assert_memory_equal(seen, turned[axis], sizeof seen);
    }
}

// A program's own state is as it was.
static void test_state(void **state)
{
    GLint viewport[4], framebuffer = 0;
    view_look look = stills[1].look;

    (void)state;
    glEnable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    glScissor(1, 2, 3, 4);
    glViewport(5, 6, 7, 8);
    look.inner_width = look.inner_height = 20;
    show(stills[1].frames[1], &look, seen);
    glGetIntegerv(GL_VIEWPORT, viewport);
    assert_true(viewport[0] == 5 && viewport[3] == 8);
    glGetIntegerv(GL_SCISSOR_BOX, viewport);
    assert_true(viewport[0] == 1 && viewport[3] == 4);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
    assert_int_equal(framebuffer, display.framebuffer);
    assert_true(glIsEnabled(GL_BLEND) && glIsEnabled(GL_SCISSOR_TEST));
    assert_false(glIsEnabled(GL_DEPTH_TEST));
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
}

#define GL_TEST(function) cmocka_unit_test_setup_teardown(function, need_gl, no_errors)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GL_TEST(test_same_map),    GL_TEST(test_same_slice), GL_TEST(test_same_volume),
        GL_TEST(test_inner),       GL_TEST(test_cells),      GL_TEST(test_range),
        GL_TEST(test_blend),       GL_TEST(test_arrows),     GL_TEST(test_lines_of_flow),
        GL_TEST(test_pick),        GL_TEST(test_odd_sizes),  GL_TEST(test_large_and_inside),
        GL_TEST(test_bad_fields),  GL_TEST(test_nothing),    GL_TEST(test_state),
        GL_TEST(test_slice_turns),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
