// test/test_view_bodies.c: bodies of a scene on water as the viewer draws them: where the offline
// renderer has them, and as the water's own are drawn.
// labels: gl
// needs: scene
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check.h"
#include "view/session/inner.h"
#include "view_rig.h"

enum { WIDE = 240, HIGH = 135 };

static rig screen;
static gyre_device *device;
static view_frame frame;

#define POOL(more)                                                                                 \
    "{\"up\":\"z\",\"models\":{\"water\":{\"grid\":{\"n\":[48,48,1],\"h\":0.1},\"bed\":{\"flat\""  \
    ":-1}" more                                                                                    \
    "},\"air\":{\"type\":\"gas\",\"grid\":{\"n\":[16,16,16],\"h\":0.3,\"origin\":[0,0,"            \
    "-1]}}},\"view\":{\"field\":\"water.surface\",\"mode\":\"surface\"},\"output\":{\"width\":"    \
    "240,"                                                                                         \
    "\"height\":135}"
#define BOX "\"name\":\"box\",\"position\":[2.4,2.4,0.1],\"rotation\":[10,20,30],"
#define SET                                                                                        \
    POOL("")                                                                                       \
    ",\"bodies\":[{" BOX "\"form\":{\"box\":{\"size\":[1.6,1.2,1]}}},{\"name\":\"ball\","          \
    "\"position\":[1,3.6,0.2],\"form\":{\"sphere\":{\"radius\":0.4}}}]}"
#define OWN                                                                                        \
    POOL(",\"bodies\":[{" BOX                                                                      \
         "\"held\":true,\"size\":[1.6,1.2,1]},{\"name\":\"ball\",\"held\":true,"                   \
         "\"position\":[1,3.6,0.2],\"form\":\"sphere\",\"size\":[0.4,1,1]}]")                      \
    "}"

static gyre_scene *made(const char *json)
{
    gyre_scene *scene = NULL;
    must(gyre_scene_parse(json, strlen(json), "test.json", &scene));
    must(gyre_scene_create(scene, device));
    return scene;
}

static view_look fill(gyre_scene *scene, int model)
{
    view_look look = view_look_make(gyre_scene_get_settings(scene),
                                    gyre_model_grid(gyre_scene_model(scene, model)));
    look.mode = VIEW_SURFACE;
    must(session_frame_fill(&frame, scene, model, NULL, 0, false));
    view_frame_heights(&frame, look.heights);
    look.blend = 1.0f;
    return look;
}

static void paint(gyre_scene *scene, uint8_t *rgb)
{
    view_look look = fill(scene, 0);
    view_draw *draw = view_draw_create();
    assert_non_null(draw);
    assert_true(view_draw_push(draw, &frame));
    view_draw_paint(draw, &look, 0, 0, WIDE, HIGH);
    view_draw_read(0, 0, WIDE, HIGH, rgb);
    view_draw_destroy(draw);
}

static int changed(const uint8_t *a, const uint8_t *b)
{
    int count = 0;
    for (int i = 0; i < WIDE * HIGH; i++) {
        int most = 0;
        for (int c = 0; c < 3; c++) {
            int d = abs(a[3 * i + c] - b[3 * i + c]);
            most = d > most ? d : most;
        }
        count += most > 24;
    }
    return count;
}

static void save(const char *name, const uint8_t *rgb)
{
    if (getenv("GYRE_TEST_PRINT")) {
        char path[64];
        snprintf(path, sizeof path, "bodies_%s.png", name);
        gyre_png_write(path, WIDE, HIGH, 3, rgb);
    }
}

/// As many pixels change as offline when the bodies go, and the pictures are near each other.
static void they_are_where_the_renderer_has_them(void **state)
{
    (void)state;
    static uint8_t with[3 * WIDE * HIGH], without[3 * WIDE * HIGH], own[3 * WIDE * HIGH];
    static uint8_t offline_with[3 * WIDE * HIGH], offline_without[3 * WIDE * HIGH];
    gyre_image shown = {WIDE, HIGH, offline_with}, bare = {WIDE, HIGH, offline_without};
    gyre_scene *scene = made(SET), *other = made(OWN);
    must(gyre_scene_render(scene, &shown));
    paint(scene, with);
    assert_int_equal(frame.mesh_count, 2);
    paint(other, own);
    assert_int_equal(frame.mesh_count, 2);
    must(gyre_scene_input(scene, "bodies.box", "null"));
    must(gyre_scene_input(scene, "bodies.ball", "null"));
    must(gyre_scene_render(scene, &bare));
    paint(scene, without);
    assert_int_equal(frame.mesh_count, 0);
    save("seen", with);
    save("own", own);
    save("offline", offline_with);
    int found = changed(with, without), expected = changed(offline_with, offline_without);
    rig_distance apart = rig_compare(with, offline_with, sizeof with),
                 base = rig_compare(without, offline_without, sizeof without);
    print_message(
        "%d pixels of bodies, %d offline; apart %.2f of 255, without them %.2f; %d others "
        "than the water's own\n",
        found, expected, apart.mean, base.mean, changed(with, own));
    assert_true(expected > 1500 && abs(found - expected) < expected / 10);
    assert_true(apart.mean < base.mean + 1.5);
    assert_true(changed(with, own) < expected / 20);
    gyre_scene_destroy(scene);
    gyre_scene_destroy(other);
}

/// They move with the scene; one that comes while it runs is there, one that is not enabled has no
/// triangles; a gas shows them as solids, not as meshes.
static void they_are_as_they_are_now(void **state)
{
    (void)state;
    gyre_scene *scene = made(POOL("") "}");
    fill(scene, 0);
    assert_int_equal(frame.mesh_count, 0);
    must(gyre_scene_input(scene, "bodies",
                          "{\"name\":\"raft\",\"position\":[2,2,1],\"velocity\":[3,0,0],"
                          "\"form\":{\"box\":{\"size\":[1,1,1]}}}"));
    fill(scene, 0);
    assert_int_equal(frame.mesh_count, 1);
    assert_int_equal(frame.meshes[0].triangle_count, 12);
    float before = frame.meshes[0].points[0];
    must(gyre_scene_step(scene));
    fill(scene, 0);
    assert_true(fabsf(frame.meshes[0].points[0] - before - 3 * gyre_scene_dt(scene)) < 1e-5f);
    must(gyre_scene_input(scene, "bodies.raft.enabled", "false"));
    fill(scene, 0);
    assert_int_equal(frame.meshes[0].triangle_count, 0);
    must(gyre_scene_input(scene, "bodies.raft.enabled", "true"));
    fill(scene, 1);
    assert_int_equal(frame.mesh_count, 0);
    gyre_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_where_the_renderer_has_them),
        cmocka_unit_test(they_are_as_they_are_now),
    };
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    if (gyre_device_create(&def, &device))
        return 1;
    if (!rig_open(&screen))
        return 77;
    rig_size(&screen, WIDE, HIGH);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (rig_errors > 0)
        print_message("%d errors of OpenGL\n", rig_errors);
    session_frame_free(&frame);
    rig_close(&screen);
    gyre_device_destroy(device);
    return failed ? failed : rig_errors > 0;
}
