// labels: gl
// test/test_view_fire.c: a flame's field that shines, and smoke in the light of what glows in it,
// in the viewer, against the offline renderer and by what must be seen. Needs OpenGL 3.3, as
// test_view_draw.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"

#include "test/view_stills.h"

// Something hot, smoke beside it, a field to shine, one more scalar, a ball.
#define SCENE(grid)                                                                                \
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3," grid "},"                                         \
    "\"channels\":[{\"name\":\"lit\"},{\"name\":\"dust\"}],\"emitters\":["                         \
    "{\"name\":\"a\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1,0.8,1.4],"              \
    "\"radius\":0.4}},\"temperature\":400},"                                                       \
    "{\"name\":\"b\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[2.3,1.2,1.4],"            \
    "\"radius\":0.7}},\"density\":0.8,\"channel\":\"dust\",\"channel_amount\":0.5},"               \
    "{\"name\":\"c\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1.2,2.9,1.5],"            \
    "\"radius\":0.35}},\"channel\":\"lit\",\"channel_amount\":1}],"                                \
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[1.7,2,1.6],"                \
    "\"radius\":0.3}}}]}},\"time\":{\"fps\":30,\"frames\":40},\"view\":{\"floor\":true,"           \
    "\"density_scale\":4,\"glow\":true,\"glow_scale\":4.5,\"glow_intensity\":2,"                   \
    "\"flame_intensity\":3,\"background_top\":[0,0,0],\"background_bottom\":[0,0,0],"              \
    "\"channels\":[{\"name\":\"density\",\"colour\":[0.8,0.8,0.8]},{\"name\":\"lit\","             \
    "\"shown\":false},{\"name\":\"dust\",\"colour\":[0.9,0.3,0.2],\"shown\":false}]},"             \
    "\"light\":{\"intensity\":0.1,\"ambient\":0.05}}"

static int setup(void **state)
{
    (void)state;
    if (!open_stills())
        return has_gl ? 1 : 0;
    make_still(SCENE("\"n\":[36,40,30],\"h\":0.1"), "still.json", 12, &stills[0]);
    make_still(SCENE("\"n\":[48,60,42],\"h\":0.07"), "still.json", 6, &stills[1]);
    return 0;
}

// The sum of a colour over the right half of what was drawn, where the smoke is.
static double right_of(const uint8_t *rgb, int colour)
{
    double sum = 0.0;

    for (int y = 0; y < TALL; y++) {
        for (int x = WIDE / 2; x < WIDE; x++)
            sum += pixel(rgb, x, y)[colour];
    }
    return sum;
}

// The bounds of other volumes. Of the first still light wanders on the cells that it has offline,
// of the second, where a quarter above what was measured is allowed, on 16 x 20 x 14 in place of
// 24 x 30 x 21 offline.
static void test_same_pictures(void **state)
{
    view_look look = stills[0].look;
    const view_frame *frame = stills[0].frames[1];

    (void)state;
    compare("glow alone", frame, &look, 0.2, 2, NULL);
    strcpy(look.settings.flame, "lit");
    compare("a flame", frame, &look, 0.2, 2, NULL);
    look.settings.density_scale = 0.0f;
    compare("a flame without smoke", frame, &look, 0.2, 2, NULL);
    look.settings.density_scale = 4.0f;
    look.settings.glow_scatter = 1.0f;
    compare("smoke in their light", frame, &look, 0.2, 2, NULL);
    look.settings.glow_scatter = 5.0f;
    compare("in much of it", frame, &look, 0.2, 2, NULL);
    look.dyes[2].look.shown = true;
    compare("with dust", frame, &look, 0.2, 2, NULL);
    look.solids = false;
    compare("with dust, no solids", frame, &look, 0.2, 2, NULL);
    look.settings.glow = false;
    compare("without glow", frame, &look, 0.2, 2, NULL);
    look = stills[1].look;
    strcpy(look.settings.flame, "lit");
    look.settings.glow_scatter = 1.0f;
    compare("on fewer cells", stills[1].frames[1], &look, 0.14, 2, NULL);
    look.settings.glow_scatter = 5.0f;
    compare("much of it", stills[1].frames[1], &look, 0.14, 2, NULL);
}

// Each setting is seen, and what one look leaves serves no other.
static void test_looks_change(void **state)
{
    const view_frame *frame = stills[0].frames[1];
    view_look first = stills[0].look;
    double dark, lit;

    (void)state;
    strcpy(first.settings.flame, "lit");
    first.settings.glow_scatter = 2.0f;
    for (int what = 0; what < 9; what++) {
        view_look look = first;
        gyre_view_settings *s = &look.settings;
        float *const changes[9] = {&s->glow_scatter,
                                   &s->flame_intensity,
                                   &s->flame_colour[0],
                                   &s->glow_scale,
                                   &s->glow_intensity,
                                   &s->albedo[1],
                                   &s->density_scale,
                                   NULL,
                                   NULL};

        if (what < 7)
            *changes[what] *= what == 2 ? 9.0f : 0.5f;
        else if (what == 7)
            s->flame[0] = '\0';
        else
            s->mix = GYRE_MIX_INK; // which has neither
        show(frame, &first, other);
        view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
        view_draw_read(0, 0, WIDE, TALL, seen);
        // The albedo is that of the scalars where some are named.
        assert_true(memcmp(seen, other, sizeof seen) != 0 || what == 5);
        show(frame, &look, other);
        assert_memory_equal(seen, other, sizeof seen);
    }
    show(frame, &first, seen);
    lit = right_of(seen, 0);
    first.settings.glow_scatter = 0.0f;
    show(frame, &first, seen);
    dark = right_of(seen, 0);
    print_message("red of smoke: %g lit, %g dark\n", lit, dark);
    assert_true(lit > 1.1 * dark);
}

// A look without density or heat is still drawn where something shines.
static void test_flame_alone(void **state)
{
    view_look look = stills[0].look;
    double sums[3];

    (void)state;
    look.settings.glow = look.settings.floor = look.solids = false;
    look.settings.density_scale = 0.0f;
    look.settings.flame_colour[0] = 0.0f;
    strcpy(look.settings.flame, "lit");
    for (int i = 0; i < 3; i++) {
        look.settings.flame_intensity = 0.05f * (float)i;
        show(stills[0].frames[1], &look, seen);
        sums[i] = 0.0;
        for (int p = 2; p < 3 * WIDE * TALL; p += 3)
            sums[i] += seen[p];
    }
    print_message("blue: %g, %g, %g\n", sums[0], sums[1], sums[2]);
    assert_true(sums[1] > 1.5 * sums[0] + 1000.0 && sums[2] > 1.1 * sums[1]);
}

// Between two frames a picture lies between theirs.
static void test_between(void **state)
{
    view_look look = stills[0].look;
    double sums[3] = {0.0};

    (void)state;
    strcpy(look.settings.flame, "lit");
    look.settings.glow_scatter = 3.0f;
    view_forget(draw);
    view_draw_push(draw, stills[0].frames[0]);
    view_draw_push(draw, stills[0].frames[1]);
    for (int i = 0; i < 3; i++) {
        look.blend = 0.5f * (float)i;
        view_draw_paint(draw, &look, 0, 0, WIDE, TALL);
        view_draw_read(0, 0, WIDE, TALL, seen);
        for (size_t k = 0; k < sizeof seen; k++)
            sums[i] += seen[k];
    }
    print_message("sums of bytes: %g %g %g\n", sums[0], sums[1], sums[2]);
    assert_true((sums[0] < sums[1]) == (sums[1] < sums[2]) && sums[0] != sums[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_pictures, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_looks_change, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_flame_alone, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_between, need_gl, no_errors),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
