// labels: gl
// test/test_view_dyes.c: scalars mixed as smoke, light and ink in the viewer, against the offline
// renderer and by what must be seen. Needs OpenGL 3.3, as test_view_draw.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"
#include "view/session/session.h"

#include "test/view_stills.h"

#define INKS                                                                                       \
    "\"channels\":[{\"name\":\"blue\"},{\"name\":\"yellow\"}],\"emitters\":["                      \
    "{\"name\":\"a\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[0.7,0.6,0.7],"            \
    "\"radius\":0.4}},\"channel\":\"blue\",\"channel_amount\":1,\"temperature\":200},"             \
    "{\"name\":\"b\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1.4,0.7,0.9],"            \
    "\"radius\":0.4}},\"channel\":\"yellow\",\"channel_amount\":1,\"temperature\":200}],"          \
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[1.1,1.6,0.8],"              \
    "\"radius\":0.3}}}]}},\"time\":{\"fps\":30,\"frames\":40},\"view\":{\"floor\":true,"           \
    "\"density_scale\":3,\"channels\":[{\"name\":\"blue\",\"colour\":[0.1,0.35,0.9]},"             \
    "{\"name\":\"yellow\",\"colour\":[0.95,0.8,0.1],\"scale\":0.7}]}}"

static const char flat[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[64,64,1],\"h\":0.035}," INKS;
static const char deep[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3,\"n\":[22,24,18],\"h\":0.1}," INKS;

// In 2D, in 3D.
static int setup(void **state)
{
    (void)state;
    if (!open_stills())
        return has_gl ? 1 : 0;
    make_still(flat, "still.json", 25, &stills[0]);
    make_still(deep, "still.json", 25, &stills[1]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(stills[i].look.dye_count, 3);
    return 0;
}

// A quarter above what was measured, as in test_view_draw.c: in maps the distance is that of linear
// samples from cubic ones.
static void test_same_maps(void **state)
{
    view_look look = stills[0].look;

    (void)state;
    look.settings.mix = GYRE_MIX_INK;
    compare("map, ink", stills[0].frames[1], &look, 0.42, 7, NULL);
    look.settings.range[1] = 0.8f;
    compare("map, ink, range", stills[0].frames[1], &look, 0.58, 10, NULL);
    look.settings.mix = GYRE_MIX_LIGHT;
    compare("map, light", stills[0].frames[1], &look, 0.73, 13, NULL);
    look.settings.mix = GYRE_MIX_AUTO;
    compare("map, smoke", stills[0].frames[1], &look, 0.67, 12, NULL);
    look.settings.map = GYRE_MAP_INK;
    compare("map, auto ink", stills[0].frames[1], &look, 0.64, 12, NULL);
    look.settings.map = GYRE_MAP_VIRIDIS; // one field
    compare("map of one", stills[0].frames[1], &look, 0.2, 2, NULL);
}

static void test_same_volumes(void **state)
{
    view_look look = stills[1].look;

    (void)state;
    compare("volume, smoke", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.settings.mix = GYRE_MIX_LIGHT;
    compare("volume, light", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.settings.mix = GYRE_MIX_INK;
    compare("volume, ink", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.solids = false; // all colours in one pass
    compare("volume, ink alone", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.settings.floor = false;
    compare("volume, ink without a floor", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.solids = look.settings.floor = true;
    look.settings.cloudiness = 1.5f;
    compare("volume, cloudy ink", stills[1].frames[1], &look, 0.2, 2, NULL);
    look.dyes[1].look.shown = false;
    look.settings.floor = false;
    compare("volume, one ink", stills[1].frames[1], &look, 0.2, 2, NULL);
}

// What is mixed is made anew when its look changes, and what one pass leaves serves no other.
static void test_looks_change(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        view_look look = stills[s].look, changed = look;

        for (int what = 0; what < 5; what++) {
            changed = look;
            changed.settings.mix = GYRE_MIX_INK;
            if (what == 1)
                changed.settings.mix = GYRE_MIX_LIGHT;
            else if (what == 2)
                changed.dyes[2].look.shown = false;
            else if (what == 3)
                changed.dyes[1].look.colour[2] = 0.01f;
            else if (what == 4)
                changed.mixed = false;
            look.settings.mix = GYRE_MIX_INK;
            view_forget(draw);
            view_draw_push(draw, stills[s].frames[1]);
            view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
            view_draw_read(0, 0, WIDE, TALL, other);
            view_draw_paint(draw, &changed, 0, 0, WIDE, TALL);
            view_draw_read(0, 0, WIDE, TALL, seen);
            assert_int_equal(memcmp(seen, other, sizeof seen) == 0, what == 0);
            show(stills[s].frames[1], &changed, other);
            assert_memory_equal(seen, other, sizeof seen);
            view_draw_paint(draw, &look, 0, 0, WIDE, TALL); // and back
            view_draw_read(0, 0, WIDE, TALL, seen);
            show(stills[s].frames[1], &look, other);
            assert_memory_equal(seen, other, sizeof seen);
            assert_int_equal(view_draw_mixes(draw, &changed), what != 4);
        }
    }
}

// Between two frames it is between their pictures, and enlarged it is the same, softer.
static void test_between(void **state)
{
    (void)state;
    for (int mix = 0; mix < 3; mix++) {
        view_look look = stills[1].look;
        double sums[3] = {0.0};

        look.settings.mix = mix;
        look.settings.floor = false;
        view_forget(draw);
        view_draw_push(draw, stills[1].frames[0]);
        view_draw_push(draw, stills[1].frames[1]);
        for (int i = 0; i < 3; i++) {
            look.blend = 0.5f * (float)i;
            view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
            view_draw_read(0, 0, WIDE, TALL, seen);
            for (size_t k = 0; k < sizeof seen; k++)
                sums[i] += seen[k];
        }
        print_message("sums of bytes: %g %g %g\n", sums[0], sums[1], sums[2]);
        assert_true((sums[0] < sums[1]) == (sums[1] < sums[2]));
        look.inner_width = WIDE / 2;
        look.inner_height = TALL / 2;
        compare("enlarged", stills[1].frames[1], &look, 0.7, 10, NULL);
    }
}

// What was empty of all scalars that were shown is not when another is.
static void test_corners(void **state)
{
    view_frame *frame = stills[1].frames[1];
    view_look one = stills[1].look, both = one;
    const int *n = frame->grid.n;

    (void)state;
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        bool low = i % n[0] < 4 && i / n[0] % n[1]<4, high = i % n[0]> 18 && i / n[0] % n[1] > 20;

        frame->fields[view_frame_find(frame, "blue")].data[i] = low ? 1.0f : 0.0f;
        frame->fields[view_frame_find(frame, "yellow")].data[i] = high ? 1.0f : 0.0f;
    }
    both.settings.mix = one.settings.mix = GYRE_MIX_INK;
    one.dyes[2].look.shown = false;
    show(frame, &one, other);
    view_draw_paint(draw, &both, 0, 0, WIDE, TALL);
    view_draw_read(0, 0, WIDE, TALL, seen);
    assert_true(memcmp(seen, other, sizeof seen) != 0);
    show(frame, &both, other);
    assert_memory_equal(seen, other, sizeof seen);
}

static const char *read_text(const char *path)
{
    static char text[16384];
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);

    fclose(file);
    text[size] = '\0';
    return text;
}

// A session's frames say what is mixed and hold it; what a look sets of it is in the file, and the
// scene keeps its own.
static void test_session(void **state)
{
    static const char path[] = GYRE_BINARY_DIR "/dyes.json",
                      to[] = GYRE_BINARY_DIR "/dyes_set.json";
    view_session_def def = {.scene = path, .threads = 1};
    const char *const wanted[] = {"density", "blue", "yellow"};
    const view_frame *frame = NULL;
    gyre_scene_settings look;
    FILE *file = fopen(path, "w");

    (void)state;
    assert_non_null(file);
    fputs(flat, file);
    fclose(file);
    view_session *session = view_session_open(&def);

    assert_non_null(session);
    view_session_want(session, wanted, 3);
    for (int i = 0; i < 500 && frame == NULL; i++) {
        SDL_Delay(20);
        frame = view_session_take(session);
    }
    assert_non_null(frame);
    assert_int_equal(frame->dye_count, 3);
    assert_true(frame->dyes[0].plain && strcmp(frame->dyes[0].look.name, "density") == 0);
    assert_true(!frame->dyes[2].plain && strcmp(frame->dyes[2].look.name, "yellow") == 0);
    assert_true(frame->dyes[2].look.scale == 0.7f && frame->dyes[1].look.colour[2] == 0.9f);
    assert_true(frame->fields[view_frame_find(frame, "yellow")].present);
    gyre_view_channel set[2] = {frame->dyes[1].look, frame->dyes[2].look};

    set[1].colour[0] = 0.123f;
    set[1].shown = false;
    view_session_get_settings(session, &look);
    look.view.channels = (gyre_pool){.items = set, .count = 2};
    look.view.mix = GYRE_MIX_INK;
    assert_int_equal(view_session_save_scene(session, VIEW_A, to, &look), GYRE_OK);
    const char *text = read_text(to);

    assert_true(strstr(text, "0.123") != NULL && strstr(text, "\"ink\"") != NULL &&
                strstr(text, "\"shown\"") != NULL);
    assert_int_equal(view_session_save_scene(session, VIEW_A, to, NULL), GYRE_OK);
    text = read_text(to);
    assert_true(strstr(text, "0.123") == NULL && strstr(text, "\"ink\"") == NULL &&
                strstr(text, "\"shown\"") == NULL && strstr(text, "0.95") != NULL);
    view_session_close(session);
    remove(path);
    remove(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_maps, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_same_volumes, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_looks_change, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_between, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_corners, need_gl, no_errors),
        cmocka_unit_test(test_session),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
