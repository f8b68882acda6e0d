// labels: gl vulkan
// test/test_view_import.c: frames that stay on their Vulkan device and are imported into OpenGL,
// against frames that are copied through the processor: the same pixels in every look (at most two
// steps of 255 apart on a card), the same ranges and values, and no field read by the processor.
// Needs OpenGL 3.3 and Vulkan; skipped where one of their drivers does not share memory.
// GYRE_TEST_NO_GL=1 leaves it out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/draw.h"
#include "view/draw/parts.h"
#include "view/session/inner.h"

#include "test/view_rig.h"

#include <dlfcn.h>

enum { WIDE = 200, TALL = 150, STEPS = 6, SKIPPED = 77 };

static rig display;
static gyre_device *device;
static view_draw *draws[2]; // of what is copied, of what is shared
static uint8_t pixels[2][3 * WIDE * TALL];
static int complaints; // of the validation layer

// Odd sizes, a range that follows, a wall that moves.
static const char disk[] =
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":2,\"n\":[45,31,1],\"h\":0.03},"
    "\"sides\":{\"x_high\":{\"rule\":\"open\"},\"y_high\":{\"rule\":\"open\"}},"
    "\"emitters\":[{\"name\":\"source\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":"
    "[0.5,0.3,0],\"radius\":0.15}},\"density\":1,\"temperature\":60,\"push\":true,"
    "\"velocity\":[1.5,2.5,0]}],"
    "\"solids\":[{\"name\":\"disk\",\"shape\":{\"sphere\":{\"centre\":[0.8,0.6,0],"
    "\"radius\":0.12}}}]}},\"time\":{\"fps\":30,\"frames\":40},\"timeline\":["
    "{\"time\":0.1,\"path\":\"gas.solids.disk.shape.sphere.centre\",\"value\":[0.8,0.6,0],"
    "\"interpolation\":\"linear\"},"
    "{\"time\":0.3,\"path\":\"gas.solids.disk.shape.sphere.centre\",\"value\":[0.7,0.6,0]}]}";

// Bricks of eight cells that end one cell before the domain does, with it, and in the middle.
#define PLUME                                                                                      \
    "{\"models\":{\"gas\":{\"grid\":{\"dim\":3,\"n\":[31,24,20],\"h\":0.1,\"origin\":[-1.2,0,-1]}" \
    ","                                                                                            \
    "\"sides\":{\"y_high\":{\"rule\":\"open\"}},"                                                  \
    "\"emitters\":[{\"name\":\"source\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":"       \
    "[-0.3,0.4,0.3],\"radius\":0.25}},\"density\":1,\"temperature\":900,\"push\":true,"            \
    "\"velocity\":[0,4,0]},"                                                                       \
    "{\"name\":\"edge\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1.85,0.4,0.3],"        \
    "\"radius\":0.2}},"                                                                            \
    "\"density\":0.5}],"                                                                           \
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[0.25,1.3,-0.1],"            \
    "\"radius\":0.32}}}]}},\"time\":{\"fps\":30,\"frames\":40},"                                   \
    "\"camera\":{\"position\":[2.6,1.9,4.6],\"target\":[0,1.1,0],\"field_of_view\":38},"           \
    "\"view\":{\"density_scale\":14,\"floor\":true,\"glow\":true,\"glow_scale\":2}"

static const char plume[] = PLUME "}";
static const char moving[] =
    PLUME ",\"timeline\":["
          "{\"time\":0.1,\"path\":\"gas.solids.ball.shape.sphere.centre\",\"value\":[0.2,1.3,0],"
          "\"interpolation\":\"linear\"},"
          "{\"time\":0.3,\"path\":\"gas.solids.ball.shape.sphere.centre\",\"value\":[0.6,1,0]}]}";

static void hear(void *user, gyre_log_level level, const char *message)
{
    (void)user;
    if (level == GYRE_LOG_WARNING) {
        complaints++;
        fprintf(stderr, "%s\n", message);
    }
}

static gyre_scene *load(const char *text)
{
    gyre_scene *scene = NULL;

    if (gyre_scene_parse(text, strlen(text), "still.json", &scene) != GYRE_OK ||
        gyre_scene_create(scene, device) != GYRE_OK)
        fail_msg("%s", gyre_message());
    return scene;
}

static char names[SESSION_NAMES][32] = {"vorticity", "divergence"};

static void fill(view_frame *frame, gyre_scene *scene, bool shared)
{
    if (session_frame_fill(frame, scene, 0, names, 2, shared) != GYRE_OK)
        fail_msg("%s", gyre_message());
    assert_true(frame->shared == shared);
}

// Pushes the same moment to both, and sees that the processor read no field for the second.
static void push(view_frame frames[2], gyre_scene *scene)
{
    for (int way = 0; way < 2; way++) {
        uint64_t read = gyre_device_bytes_read(device);

        fill(&frames[way], scene, way == 1);
        if (!view_draw_push(draws[way], &frames[way]))
            fail_msg("%s", gyre_message());
        assert_true((gyre_device_bytes_read(device) == read) == (way == 1));
    }
}

static void paint(int way, const view_look *look)
{
    glClear(GL_COLOR_BUFFER_BIT);
    view_draw_paint(draws[way], look, 0, 0, WIDE, TALL);
    view_draw_read(0, 0, WIDE, TALL, pixels[way]);
}

static void same_picture(const view_look *look, const char *what)
{
    static const char *const modes[] = {"map", "cells", "streaks", "volume", "stack"};
    size_t lit = 0;

    for (int way = 0; way < 2; way++)
        paint(way, look);
    for (size_t i = 3; i < sizeof pixels[0]; i++)
        lit += pixels[0][i] != pixels[0][i - 3];
    if (lit < 500)
        fail_msg("%s, %s of %s: nothing is seen", what, modes[look->mode], look->field);
    rig_distance d = rig_compare(pixels[0], pixels[1], sizeof pixels[0]);

    // Cards divide, and may contract, in ways of their own.
    if (d.most > (draws[0]->software ? 0 : 2))
        fail_msg("%s, %s of %s, blend %g: %g steps apart in the mean, %d at most", what,
                 modes[look->mode], look->field, (double)look->blend, d.mean, d.most);
}

static void same_values(const view_frame frames[2])
{
    for (int i = 0; i < frames[0].field_count; i++) {
        const float *a = draws[0]->own[i], *b = draws[1]->own[i];
        const int *n = frames[0].grid.n, cell[3] = {n[0] / 3, n[1] / 2, n[2] - 1};
        float x = 1.0f, y = 2.0f;

        assert_true(draws[0]->own_known[i] == draws[1]->own_known[i]);
        if (!frames[0].fields[i].present)
            continue;
        if (memcmp(a, b, sizeof draws[0]->own[i]) != 0)
            fail_msg("%s: %.9g to %.9g copied, %.9g to %.9g shared", frames[0].fields[i].name,
                     (double)a[0], (double)a[1], (double)b[0], (double)b[1]);
        assert_true(view_draw_value(draws[0], i, cell, &x));
        assert_true(view_draw_value(draws[1], i, cell, &y));
        assert_true(x == y);
        assert_true(frames[0].fields[i].data[cell[0] + n[0] * (cell[1] + n[1] * cell[2])] == x);
    }
    float most = draws[0]->fastest, apart = fabsf(most - draws[1]->fastest);

    assert_true(most > 0.0f && apart <= (draws[0]->software ? 0.0f : 1e-6f * most));
    assert_true(draws[0]->solids_move == draws[1]->solids_move);
}

// What rays skip, with smoke of several strengths; both kinds of bricks must be there.
static void same_bricks(view_look look)
{
    static const float scales[] = {1e-5f, 1e-4f, 14.0f};

    look.mode = VIEW_VOLUME;
    for (int i = 0; i < 3; i++) {
        int of[8] = {0};
        const int *n = draws[0]->brick_n;

        look.settings.density_scale = scales[i];
        look.settings.glow_scale = i == 1 ? 0.6f : 2.0f;
        for (int way = 0; way < 2; way++)
            paint(way, &look);
        const uint8_t *a = draws[0]->moments[draws[0]->later].bricks;
        const uint8_t *b = draws[1]->moments[draws[1]->later].bricks;

        for (int c = 0; c < n[0] * n[1] * n[2]; c++) {
            if (a[c] != b[c])
                fail_msg("brick %d of %d x %d x %d: %d copied, %d shared", c, n[0], n[1], n[2],
                         a[c], b[c]);
            of[a[c] & 7]++;
        }
        assert_true(of[0] > 0 && of[2] + of[3] + of[6] + of[7] > 0);
        assert_true(i < 2 || of[1] + of[3] + of[5] + of[7] > 0);
    }
}

static void compare(const char *text, const char *what, bool moves, const view_mode *modes,
                    int count)
{
    view_frame *frames = calloc(2, sizeof *frames);
    gyre_scene *scene = load(text);
    view_look look;

    assert_non_null(frames);
    for (int way = 0; way < 2; way++)
        view_forget(draws[way]);
    for (int step = 0; step < STEPS; step++) {
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
        push(frames, scene);
        same_values(frames);
        look = view_look_make(gyre_scene_get_settings(scene), &frames[0].grid);
        if (frames[0].grid.dim == 3)
            same_bricks(look);
        look.mode = VIEW_MAP;
        if (step > 1)
            same_picture(&look, what);
    }
    assert_true(draws[1]->solids_move == moves);
    static const char *const fields[] = {"density", "velocity_x", "vorticity", "solid"};
    static const float blends[] = {1.0f, 0.4f};

    look.settings.slice_position = 0.43f;
    for (int m = 0; m < count; m++) {
        for (int i = 0; i < 16; i++) {
            look.mode = (int)modes[m];
            look.blend = blends[i & 1];
            look.arrows = (i & 2) != 0;
            snprintf(look.field, sizeof look.field, "%s", fields[i >> 2]);
            if (look.mode == VIEW_VOLUME && i >= 4)
                break;
            if (view_frame_find(&frames[0], look.field) >= 0)
                same_picture(&look, what);
        }
    }
    // Without walls, along another axis, a fixed range, light from the side.
    look.solids = false;
    look.mode = VIEW_MAP;
    look.settings.slice_axis = 0;
    look.settings.range[0] = -0.1f;
    look.settings.range[1] = 0.7f;
    look.light.direction[0] = -0.8f;
    snprintf(look.field, sizeof look.field, "density");
    same_picture(&look, what);
    for (int way = 0; way < 2; way++)
        session_frame_free(&frames[way]);
    free(frames);
    gyre_scene_destroy(scene);
    assert_int_equal(rig_errors, 0);
    assert_int_equal(complaints, 0);
}

static void a_plane_is_the_same(void **state)
{
    static const view_mode modes[] = {VIEW_MAP, VIEW_CELLS, VIEW_LIC};

    (void)state;
    compare(disk, "disk", true, modes, 3);
}

static void a_volume_is_the_same(void **state)
{
    static const view_mode modes[] = {VIEW_VOLUME, VIEW_STACK, VIEW_MAP, VIEW_LIC};

    (void)state;
    compare(moving, "plume", true, modes, 4);
    compare(plume, "plume", false, modes, 1);
}

#define INKS(SIZE)                                                                                 \
    "{\"models\":{\"gas\":{\"grid\":{" SIZE ",\"h\":0.1},"                                         \
    "\"channels\":[{\"name\":\"blue\"},{\"name\":\"yellow\"}],\"emitters\":["                      \
    "{\"name\":\"a\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[0.7,0.6,0.7],"            \
    "\"radius\":0.4}},\"channel\":\"blue\",\"channel_amount\":1,\"temperature\":200},"             \
    "{\"name\":\"b\",\"mode\":\"set\",\"shape\":{\"sphere\":{\"centre\":[1.4,0.7,0.9],"            \
    "\"radius\":0.4}},\"channel\":\"yellow\",\"channel_amount\":1,\"temperature\":200}],"          \
    "\"solids\":[{\"name\":\"ball\",\"shape\":{\"sphere\":{\"centre\":[1.1,1.6,0.8],"              \
    "\"radius\":0.3}}}]}},\"time\":{\"fps\":30,\"frames\":40},\"view\":{\"floor\":true,"           \
    "\"density_scale\":3,\"channels\":[{\"name\":\"blue\",\"colour\":[0.1,0.35,0.9]},"             \
    "{\"name\":\"yellow\",\"colour\":[0.95,0.8,0.1],\"scale\":0.7}]}}"

// Scalars together, and textures that flow: made of fields on the card, none of which is read.
static void mixtures_are_the_same(void **state)
{
    static const char *const texts[] = {INKS("\"dim\":2,\"n\":[23,21,1]"),
                                        INKS("\"dim\":3,\"n\":[22,24,18]")};
    static const int mixes[] = {GYRE_MIX_AUTO, GYRE_MIX_LIGHT, GYRE_MIX_INK, GYRE_MIX_INK};

    (void)state;
    for (int space = 0; space < 2; space++) {
        view_frame *frames = calloc(2, sizeof *frames);
        gyre_scene *scene = load(texts[space]);
        char scalars[SESSION_NAMES][32] = {"density", "blue", "yellow"};

        assert_non_null(frames);
        for (int way = 0; way < 2; way++)
            view_forget(draws[way]);
        for (int step = 0; step < 9; step++) {
            assert_int_equal(gyre_scene_step(scene), GYRE_OK);
            for (int way = 0; way < 2 && step > 6; way++) {
                uint64_t read = gyre_device_bytes_read(device);

                if (session_frame_fill(&frames[way], scene, 0, scalars, 3, way == 1) != GYRE_OK ||
                    !view_draw_push(draws[way], &frames[way]))
                    fail_msg("%s", gyre_message());
                assert_true((gyre_device_bytes_read(device) == read) == (way == 1));
            }
        }
        view_look look = view_look_make(gyre_scene_get_settings(scene), &frames[0].grid);

        view_look_dyes(&look, &frames[0]);
        look.blend = 0.6f;
        for (int i = 0; i < 4; i++) {
            static const view_mode modes[] = {VIEW_MAP, VIEW_CELLS, VIEW_LIC, VIEW_VOLUME};

            look.settings.mix = mixes[i];
            look.settings.cloudiness = i == 3 ? 1.5f : 0.0f;
            for (int m = 0; m < (space ? 4 : 3); m++) {
                look.mode = (int)modes[m];
                same_picture(&look, "inks");
                assert_true(view_draw_mixes(draws[1], &look));
                assert_memory_equal(draws[0]->own[VIEW_SUM], draws[1]->own[VIEW_SUM],
                                    sizeof draws[0]->own[VIEW_SUM]);
            }
        }
        // A scalar that shines where no smoke is.
        look.settings.mix = GYRE_MIX_AUTO;
        look.settings.density_scale = 0.0f;
        strcpy(look.settings.flame, "blue");
        for (int lit = 0; lit < 2; lit++) {
            look.settings.flame_intensity = (float)lit;
            same_picture(&look, lit ? "a flame" : "no flame");
        }
        for (int way = 0; way < 2; way++)
            session_frame_free(&frames[way]);
        free(frames);
        gyre_scene_destroy(scene);
    }
    assert_int_equal(rig_errors, 0);
    assert_int_equal(complaints, 0);
}

#define VEINS(SIZE)                                                                                \
    "{\"models\":{\"gas\":{\"grid\":{" SIZE ",\"h\":0.1},\"velocity\":\"noise\","                  \
    "\"noise\":{\"speed\":0.5,\"size\":0.6},\"texture\":{\"phases\":3,\"period\":0.5}}},"          \
    "\"start\":{\"gas.density\":0.3},\"time\":{\"fps\":30},\"view\":{\"texture\":\"noise\","       \
    "\"texture_contrast\":3}}"

static void textures_are_the_same(void **state)
{
    static const char *const texts[] = {VEINS("\"dim\":2,\"n\":[23,21,1]"),
                                        VEINS("\"dim\":3,\"n\":[22,24,18]")};

    (void)state;
    for (int space = 0; space < 2; space++) {
        view_frame *frames = calloc(2, sizeof *frames);
        gyre_scene *scene = load(texts[space]);

        assert_non_null(frames);
        for (int way = 0; way < 2; way++)
            view_forget(draws[way]);
        // In one of the steps a phase begins anew.
        for (int step = 0; step < 8; step++) {
            assert_int_equal(gyre_scene_step(scene), GYRE_OK);
            push(frames, scene);
            view_look look = view_look_make(gyre_scene_get_settings(scene), &frames[0].grid);

            look.blend = 0.6f;
            look.mode = space && step % 2 == 0 ? VIEW_VOLUME : VIEW_MAP;
            for (int way = 0; way < 2; way++)
                assert_true(view_flow_shown(draws[way], &look));
            if (step > 0)
                same_picture(&look, "texture");
        }
        for (int way = 0; way < 2; way++)
            session_frame_free(&frames[way]);
        free(frames);
        gyre_scene_destroy(scene);
    }
    assert_int_equal(rig_errors, 0);
    assert_int_equal(complaints, 0);
}

// A memory that cannot be imported: a message, nothing shown, and copies are taken afterwards.
static void a_refusal_leaves_no_trace(void **state)
{
    view_frame *frames = calloc(2, sizeof *frames);
    gyre_scene *scene = load(disk);
    int most = draws[1]->most[0];
    float value;

    (void)state;
    assert_non_null(frames);
    assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    fill(&frames[0], scene, false);
    fill(&frames[1], scene, true);
    view_forget(draws[1]);
    draws[1]->most[0] = 45;
    assert_false(view_draw_push(draws[1], &frames[1]));
    assert_non_null(strstr(gyre_message(), "45 cells"));
    assert_false(view_draw_value(draws[1], 0, (int[3]){0, 0, 0}, &value));
    view_look look = view_look_make(gyre_scene_get_settings(scene), &frames[0].grid);
    view_draw_paint(draws[1], &look, 0, 0, WIDE, TALL);
    draws[1]->most[0] = most;
    view_forget(draws[0]);
    assert_true(view_draw_push(draws[0], &frames[0]));
    // From one way to the other, and back.
    for (int i = 0; i < 3; i++) {
        assert_true(view_draw_push(draws[1], &frames[i & 1]));
        same_picture(&look, i & 1 ? "shared" : "copied");
    }
    for (int way = 0; way < 2; way++)
        session_frame_free(&frames[way]);
    free(frames);
    gyre_scene_destroy(scene);
    assert_int_equal(rig_errors, 0);
}

static void why_not_is_told(void **state)
{
    view_screen screen = view_draw_screen();
    gyre_device *cpu;
    char why[256];

    (void)state;
    assert_true(session_can_share(device, &screen, why, sizeof why));
    assert_string_equal(why, "");
    screen.identity.device[3] ^= 1;
    assert_false(session_can_share(device, &screen, why, sizeof why));
    assert_string_equal(why, "OpenGL draws on another device");
    screen.identity.device[3] ^= 1;
    screen.identity.driver[0] ^= 1;
    assert_false(session_can_share(device, &screen, why, sizeof why));
    assert_string_equal(why, "OpenGL has another driver");
    assert_int_equal(gyre_device_create(NULL, &cpu), GYRE_OK);
    assert_false(session_can_share(cpu, &screen, why, sizeof why));
    assert_string_equal(why, "the scene runs on the processor");
    gyre_device_destroy(cpu);
}

static const view_frame *next_frame(view_session *session)
{
    view_session_stats stats;
    const view_frame *frame = NULL;

    for (int tries = 0; frame == NULL && tries < 1000; tries++) {
        SDL_Delay(20);
        frame = view_session_take(session);
        view_session_get_stats(session, &stats);
        if (stats.error[0] != '\0')
            fail_msg("%s", stats.error);
    }
    assert_non_null(frame);
    return frame;
}

// A display that finds that it cannot import says so, and gets copies from then on.
static void a_session_goes_over_to_copies(void **state)
{
    static const char *const sets[] = {"gas.grid.n=24,16,1", "gas.grid.h=0.08", NULL};
    view_screen screen = view_draw_screen();
    view_session_def def = {.scene = GYRE_SOURCE_DIR "/scene/colliding_jets.json",
                            .threads = 1,
                            .device = "vulkan",
                            .screen = &screen,
                            .sets = sets};
    view_session *session = view_session_open(&def);
    view_session_stats stats;

    (void)state;
    if (session == NULL)
        fail_msg("%s", gyre_message());
    const view_frame *frame = next_frame(session);

    view_session_get_stats(session, &stats);
    assert_true(frame->shared && stats.remote && stats.shares && stats.read == 0);
    assert_true(view_draw_push(draws[1], frame));
    view_session_step(session);
    frame = next_frame(session);
    assert_true(frame->shared && view_draw_push(draws[1], frame));
    view_session_copy(session, "a reason");
    do {
        frame = next_frame(session);
        assert_true(view_draw_push(draws[1], frame));
    } while (frame->shared);
    view_session_get_stats(session, &stats);
    assert_true(!stats.shares && stats.read > 0);
    assert_string_equal(stats.why_copied, "a reason");
    view_session_close(session);
    assert_int_equal(rig_errors, 0);
}

static int fresh(void **state)
{
    (void)state;
    rig_errors = 0;
    return 0;
}

// Whether there is all that is needed; says what is missing.
static bool open_all(void)
{
    gyre_device_def def = gyre_default_device_def();
    char why[256];

    // Mesa's driver for processors forgets 128 bytes when it is unloaded, and the leak sanitizer
    // would say so.
    dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE);
    def.kind = GYRE_DEVICE_VULKAN;
    def.threads = 1;
    def.vulkan.validate = getenv("GYRE_TEST_NO_VALIDATION") == NULL;
    def.host.log = hear;
    if (gyre_device_create(&def, &device) != GYRE_OK) {
        printf("SKIPPED: %s\n", gyre_message());
        return false;
    }
    if (!rig_open(&display)) {
        printf("SKIPPED: there is no OpenGL 3.3\n");
        return false;
    }
    rig_size(&display, WIDE, TALL);
    for (int i = 0; i < 2; i++)
        draws[i] = view_draw_create();
    view_screen screen = view_draw_screen();

    if (draws[0] == NULL || draws[1] == NULL ||
        !session_can_share(device, &screen, why, sizeof why)) {
        printf("SKIPPED: %s\n", draws[1] == NULL ? gyre_message() : why);
        return false;
    }
    return true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(a_plane_is_the_same, fresh),
                                       cmocka_unit_test_setup(a_volume_is_the_same, fresh),
                                       cmocka_unit_test_setup(mixtures_are_the_same, fresh),
                                       cmocka_unit_test_setup(textures_are_the_same, fresh),
                                       cmocka_unit_test_setup(a_refusal_leaves_no_trace, fresh),
                                       cmocka_unit_test_setup(a_session_goes_over_to_copies, fresh),
                                       cmocka_unit_test_setup(why_not_is_told, fresh)};
    int failed = SKIPPED;

    if (getenv("GYRE_TEST_NO_GL") != NULL) {
        printf("left out: GYRE_TEST_NO_GL is set\n");
        return 0;
    }
    if (open_all())
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < 2; i++)
        view_draw_destroy(draws[i]);
    gyre_device_destroy(device);
    rig_close(&display);
    return failed;
}
