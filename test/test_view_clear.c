// labels: gl
// test/test_view_clear.c: transparent pictures, in which nothing is drawn behind the fluid: laid
// over black, white or paper they are the pictures that have these behind it. Needs OpenGL 3.3, as
// test_view_draw.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"

#include "test/view_stills.h"

#define GAS                                                                                        \
    "\"channels\":[{\"name\":\"blue\"},{\"name\":\"yellow\"}],\"emitters\":["                      \
    "{\"name\":\"s\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1.1,0.6,0.9],"            \
    "\"radius\":0.3}},\"density\":1,\"temperature\":200},"                                         \
    "{\"name\":\"a\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[0.7,0.6,0.7],"            \
    "\"radius\":0.3}},\"channel\":\"blue\",\"channel_amount\":1,\"temperature\":200},"             \
    "{\"name\":\"b\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1.4,0.7,0.9],"            \
    "\"radius\":0.3}},\"channel\":\"yellow\",\"channel_amount\":1,\"temperature\":200}],"          \
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[1.1,1.6,0.8],"              \
    "\"radius\":0.3}}}]}},\"time\":{\"fps\":30,\"frames\":40},\"view\":{"                          \
    "\"density_scale\":3,\"channels\":[{\"name\":\"blue\",\"colour\":[0.1,0.35,0.9]},"             \
    "{\"name\":\"yellow\",\"colour\":[0.95,0.8,0.1],\"scale\":0.7}]}}"

static const char flat[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[64,64,1],\"h\":0.035}," GAS;
static const char deep[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3,\"n\":[22,24,18],\"h\":0.1}," GAS;
static const char pool[] =
    "{\"models\":{\"water\":{\"grid\":{\"dim\":2,\"n\":[40,30,1],\"h\":0.25},"
    "\"bed\":{\"flat\":-1.2},\"rain\":0.01,\"drops\":{\"size\":1,\"ring\":0.5,\"radius\":0.8}}},"
    "\"time\":{\"fps\":30,\"frames\":40}}";
static const char image[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[48,36,1],\"h\":0.03},\"velocity\":\"noise\","
    "\"noise\":{\"speed\":0.3,\"size\":0.6,\"octaves\":1,\"seed\":5},\"texture\":{\"phases\":3,"
    "\"period\":1}}},\"time\":{\"fps\":30},\"view\":{\"texture\":\"oil.png\","
    "\"texture_size\":0.8}}";

static uint8_t clear[4 * WIDE * TALL];

static int setup(void **state)
{
    static const char *const texts[] = {flat, deep, pool, image};

    (void)state;
    if (!open_stills())
        return has_gl ? 1 : 0;
    for (int i = 0; i < 4; i++)
        make_still(texts[i], GYRE_SOURCE_DIR "/scene/still.json", 20, &stills[i]);
    return 0;
}

static void set_background(view_look *look, float to)
{
    for (int c = 0; c < 3; c++)
        look->settings.background_top[c] = look->settings.background_bottom[c] = to;
}

// Draws it transparent, over what stands there already, into `clear`, the top row first. No colour
// is more than its alpha.
static void show_clear(const view_frame *frame, const view_look *look)
{
    view_look own = *look;

    own.transparent = true;
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    show(frame, &own, other);
    for (int y = 0; y < TALL; y++)
        glReadPixels(0, TALL - 1 - y, WIDE, 1, GL_RGBA, GL_UNSIGNED_BYTE, clear + 4 * y * WIDE);
    for (int i = 0; i < WIDE * TALL; i++) {
        for (int c = 0; c < 3; c++)
            assert_true(clear[4 * i + c] <= clear[4 * i + 3]);
    }
}

// Lays it over a page and holds that against the picture in `seen`. `share`: of the pixels that
// nothing and that something must cover, whatever the fluid does.
static void lay_over(const char *what, const uint8_t page[3], double mean, int most_of)
{
    int nothing = 0, something = 0;

    for (int i = 0; i < WIDE * TALL; i++) {
        int alpha = clear[4 * i + 3];

        nothing += alpha == 0;
        something += alpha > 64;
        for (int c = 0; c < 3; c++)
            other[3 * i + c] = (uint8_t)(clear[4 * i + c] + ((255 - alpha) * page[c] + 127) / 255);
    }
    rig_distance d = rig_compare(seen, other, sizeof seen);

    print_message("%s: mean %.3f of %.3f, 99 of 100 within %d of %d; %d of %d empty, %d not\n",
                  what, d.mean, mean, d.most_of, most_of, nothing, WIDE * TALL, something);
    assert_true(d.mean <= mean);
    assert_true(d.most_of <= most_of);
    assert_true(nothing > WIDE * TALL / 10);
    assert_true(something > WIDE * TALL / 100);
}

static const uint8_t black[3] = {0, 0, 0}, white[3] = {255, 255, 255};

// Over a page of that colour, of the whole picture and of one that is enlarged.
static void over(const char *what, const still *of, view_look look, const uint8_t page[3])
{
    for (int i = 0; i < 2; i++) {
        char title[64];

        set_background(&look, page == white ? 1e3f : 0.0f);
        look.inner_width = i == 1 ? WIDE / 2 : 0;
        look.inner_height = i == 1 ? TALL / 2 : 0;
        show(of->frames[1], &look, seen);
        show_clear(of->frames[1], &look);
        snprintf(title, sizeof title, "%s%s", what, i == 1 ? ", enlarged" : "");
        // Outlines of solids are drawn sharp only where something is behind them.
        lay_over(title, page, i == 1 || page == white ? 0.2 : 0.02, i == 1 ? 2 : 1);
    }
}

static void test_maps(void **state)
{
    view_look look = stills[0].look;

    (void)state;
    look.zoom = 0.8f; // the domain's sides are seen
    over("map, dyes over black", &stills[0], look, black);
    look.mixed = false;
    over("map, smoke over black", &stills[0], look, black);
    over("map, smoke over white", &stills[0], look, white);
    look.settings.map = GYRE_MAP_VIRIDIS;
    over("map, viridis over white", &stills[0], look, white);
    look.mixed = true;
    look.settings.map = GYRE_MAP_AUTO;
    look.settings.mix = GYRE_MIX_LIGHT;
    over("map, light over black", &stills[0], look, black);
    look = stills[3].look;
    look.zoom = 0.8f;
    over("map of an image", &stills[3], look, white);
}

static void test_volumes(void **state)
{
    view_look look = stills[1].look;

    (void)state;
    over("volume, dyes", &stills[1], look, black);
    look.mixed = false;
    over("volume, smoke", &stills[1], look, black);
    look.mixed = true;
    look.settings.mix = GYRE_MIX_LIGHT;
    over("volume, light", &stills[1], look, black);
    look = stills[1].look;
    look.mode = VIEW_STACK;
    over("slices", &stills[1], look, black);
    look.mode = VIEW_MAP;
    over("slice", &stills[1], look, black);
}

// The ball, in the middle above the smoke, hides what is behind it, and its corners nothing.
static void test_solids_hide(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        view_look look = stills[s].look;
        int hidden = 0;

        look.mixed = false;
        look.settings.density_scale = s == 1 ? 0.0f : look.settings.density_scale;
        look.settings.range[1] = 1e6f; // next to no smoke
        show_clear(stills[s].frames[1], &look);
        for (int i = 0; i < WIDE * TALL; i++)
            hidden += clear[4 * i + 3] == 255;
        assert_in_range(hidden, WIDE * TALL / 100, WIDE * TALL / 10);
        assert_int_equal(clear[3], 0);
        look.solids = false;
        show_clear(stills[s].frames[1], &look);
        for (int i = 0; i < WIDE * TALL; i++)
            assert_true(clear[4 * i + 3] < 64);
    }
}

// Ink takes light from what is behind it: over its own paper it is as it was.
static void test_inks(void **state)
{
    (void)state;
    for (int what = 0; what < 5; what++) {
        static const char *const titles[] = {"map, ink", "map, ink of the map", "volume, ink",
                                             "volume, ink alone", "volume, cloudy ink"};
        const still *of = &stills[what < 2 ? 0 : 1];
        view_look look = of->look;
        uint8_t page[3];

        look.settings.mix = what == 1 ? GYRE_MIX_AUTO : GYRE_MIX_INK;
        look.settings.map = what == 1 ? GYRE_MAP_INK : look.settings.map;
        look.solids = what != 3;
        look.settings.cloudiness = what == 4 ? 1.5f : 0.0f;
        look.zoom = 1.6f; // of the plane no side is seen, beyond which there is no paper
        show(of->frames[1], &look, seen);
        memcpy(page, what < 2 ? pixel(seen, 2, 2) : pixel(seen, WIDE / 2, 3), 3);
        show_clear(of->frames[1], &look);
        assert_true(page[0] > 200);
        // In volumes paper is darker towards the corners, which a page is not.
        lay_over(titles[what], page, what < 2 ? 0.4 : 24.0, what < 2 ? 1 : 80);
        if (what >= 2) {
            int far = 0;

            for (int y = TALL / 4; y < 3 * TALL / 4; y++) {
                for (int x = 3 * WIDE / 8; x < 5 * WIDE / 8; x++) {
                    for (int c = 0; c < 3; c++)
                        far += abs(pixel(seen, x, y)[c] - pixel(other, x, y)[c]);
                }
            }
            print_message("%s: %.2f in the middle\n", titles[what], far / (3.0 * WIDE * TALL / 8));
            assert_true(far < 6 * 3 * WIDE * TALL / 8);
        }
    }
}

// Water has a sky behind it, and none in front of a page; in its mirror the sky stays.
static void test_water(void **state)
{
    view_look look = stills[2].look;
    int same = 0, solid = 0;

    (void)state;
    look.mode = VIEW_SURFACE;
    for (int bars = 0; bars < 2; bars++) {
        look.mode = bars == 1 ? VIEW_BARS : VIEW_SURFACE;
        same = solid = 0;
        show(stills[2].frames[1], &look, seen);
        show_clear(stills[2].frames[1], &look);
        for (int i = 0; i < WIDE * TALL; i++) {
            bool whole = clear[4 * i + 3] == 255;

            solid += whole;
            for (int c = 0; c < 3 && whole; c++)
                same += abs(clear[4 * i + c] - seen[3 * i + c]) <= 1;
        }
        assert_in_range(solid, WIDE * TALL / 5, 9 * WIDE * TALL / 10);
        assert_true(same > 3 * solid * 99 / 100);
        assert_int_equal(clear[3], 0);
        assert_int_equal(clear[4 * (WIDE - 1) + 3], 0);
    }
}

// Nothing to be seen is nothing at all; and the next picture is as it was.
static void test_nothing(void **state)
{
    view_look look = stills[1].look;

    (void)state;
    show(stills[1].frames[1], &look, seen);
    view_forget(draw);
    look.transparent = true;
    view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
    glReadPixels(0, 0, WIDE, TALL, GL_RGBA, GL_UNSIGNED_BYTE, clear);
    for (int i = 0; i < 4 * WIDE * TALL; i++)
        assert_int_equal(clear[i], 0);
    look.transparent = false;
    show(stills[1].frames[1], &look, other);
    assert_memory_equal(seen, other, sizeof seen);
}

#define GL_TEST(function) cmocka_unit_test_setup_teardown(function, need_gl, no_errors)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GL_TEST(test_maps), GL_TEST(test_volumes), GL_TEST(test_solids_hide),
        GL_TEST(test_inks), GL_TEST(test_water),   GL_TEST(test_nothing),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
