// labels: gl
// test/test_view_flow.c: textures that flow in the viewer, against the offline renderer: images,
// noise and solid textures, in maps, slices and volumes. Needs OpenGL 3.3, as test_view_draw.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"

#include "test/view_stills.h"

#define SOLID                                                                                      \
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[0.9,0.5,0.4],"              \
    "\"radius\":0.2}}}],\"velocity\":\"noise\",\"noise\":{\"speed\":0.3,\"size\":0.6,"             \
    "\"octaves\":1,\"seed\":5},\"texture\":{\"phases\":3,\"period\":1,"                            \
    "\"offset\":[0.21,0.13,0.34]}}},\"start\":{\"gas.density\":0.2},\"time\":{\"fps\":30},"

static const char flat[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[48,36,1],\"h\":0.03}," SOLID
    "\"view\":{\"texture\":\"oil.png\",\"texture_size\":0.8}}";
static const char deep[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3,\"n\":[28,20,18],\"h\":0.05}," SOLID
    "\"view\":{\"texture\":\"noise\",\"texture_size\":0.7,\"texture_contrast\":3,"
    "\"density_scale\":20}}";
static const char slabs[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3,\"n\":[28,20,18],\"h\":0.05}," SOLID
    "\"view\":{\"texture\":\"paint.png\",\"texture_slices\":8,\"texture_size\":0.9,"
    "\"density_scale\":20}}";

// In 2D, noise in 3D, a solid texture.
static int setup(void **state)
{
    static const char *const texts[] = {flat, deep, slabs};

    (void)state;
    if (!open_stills())
        return has_gl ? 1 : 0;
    for (int i = 0; i < 3; i++)
        make_still(texts[i], GYRE_SOURCE_DIR "/scene/still.json", 12, &stills[i]);
    return 0;
}

// A quarter above what was measured. What is drawn without its texture, or with another blend of
// its phases, is ten times as far.
static void test_same_maps(void **state)
{
    view_look look = stills[0].look;

    (void)state;
    compare("map, image", stills[0].frames[1], &look, 0.31, 5, NULL);
    look.settings.texture_contrast = 0.5f;
    compare("map, faint", stills[0].frames[1], &look, 0.19, 3, NULL);
    look.solids = false;
    compare("map, without solids", stills[0].frames[1], &look, 0.12, 2, NULL);
}

static void test_same_slices(void **state)
{
    static const char *const names[] = {"", "slice, image", "slice, solid texture"};

    (void)state;
    for (int s = 1; s < 3; s++) {
        view_look look = stills[s].look;
        int lines[2];

        look.mode = VIEW_MAP;
        look.settings.mode = GYRE_MODE_SLICE;
        look.settings.slice_position = 0.4f;
        for (int axis = 1; axis < 3; axis++) {
            face_slice(&look, &stills[s].frames[1]->grid, axis, lines);
            compare(names[s], stills[s].frames[1], &look, 0.8, 13, lines);
        }
    }
}

static void test_same_volumes(void **state)
{
    (void)state;
    for (int s = 1; s < 3; s++) {
        view_look look = stills[s].look;

        look.settings.floor = s == 1;
        compare(s == 1 ? "volume, noise" : "volume, solid texture", stills[s].frames[1], &look, 0.2,
                2, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_maps, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_same_slices, need_gl, no_errors),
        cmocka_unit_test_setup_teardown(test_same_volumes, need_gl, no_errors),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
