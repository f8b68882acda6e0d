// labels: small threads
// test/test_view_hold.c: the hand in a scene of water: bodies taken and let go, water poured in and
// taken away, ground that is dug, all of it as settings of the scene that a replay has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SDL_MAIN_HANDLED
#include "view/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
    "{\"models\": {\"water\": {\"grid\": {\"dim\": 2, \"n\": [40, 40, 1], \"h\": 0.1}, "
    "\"bed\": {\"flat\": -1}, \"bodies\": ["
    "{\"name\": \"brick\", \"size\": [0.5, 0.5, 0.5], \"density\": 500, \"position\": [1, 1, 0]}, "
    "{\"name\": \"cork\", \"size\": [0.8, 0.8, 0.8], \"density\": 300, \"position\": [2.6, 2.4, "
    "0.1]}]}}, \"time\": {\"fps\": 30, \"frames\": 10}}";

static view_app app;
static char path[64];

static void take(void)
{
    for (int k = 0; k < 500; k++) {
        const view_frame *frame = view_session_take(app.show.session);

        if (frame != NULL) {
            app.show.frame[VIEW_A] = frame;
            return;
        }
        SDL_Delay(10);
    }
    fail_msg("no frame came");
}

static void step(void)
{
    int64_t before = app.show.frame[VIEW_A]->step;

    view_session_step(app.show.session);
    do {
        take();
    } while (app.show.frame[VIEW_A]->step <= before);
    view_session_get_stats(app.show.session, &app.show.stats);
    assert_string_equal(app.show.stats.error, "");
    brush_update(&app);
    char refusal[512];

    view_session_refusal(app.show.session, refusal, sizeof refusal);
    assert_string_equal(refusal, "");
}

static gyre_value value_of(const char *name)
{
    gyre_value value = {0};
    const gyre_scene *scene = view_session_lock(app.show.session);

    assert_non_null(scene);
    assert_int_equal(gyre_scene_get(scene, name, &value), GYRE_OK);
    view_session_unlock(app.show.session);
    return value;
}

// Where on the window a place is seen.
static void pixel_of(const float at[3], float *x, float *y)
{
    view_eye eye = view_eye_make(&app.show.look, &app.show.frame[VIEW_A]->grid, app.window.width,
                                 app.window.height);
    float ahead = 0.0f, right = 0.0f, up = 0.0f, square = 0.0f;

    for (int i = 0; i < 3; i++) {
        ahead += (at[i] - eye.at[i]) * eye.forward[i];
        right += (at[i] - eye.at[i]) * eye.right[i];
        up += (at[i] - eye.at[i]) * eye.up[i];
        square += eye.up[i] * eye.up[i];
    }
    *x = 0.5f * (float)app.window.width + right / (square * ahead) * (float)app.window.height;
    *y = 0.5f * (float)app.window.height - up / (square * ahead) * (float)app.window.height;
}

static int setup(void **state)
{
    gyre_scene_settings settings;

    (void)state;
    memset(&app, 0, sizeof app);
    snprintf(path, sizeof path, "/tmp/gyre_hold_%d.json", (int)getpid());
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        return 1;
    app.show.session = view_session_open(&(view_session_def){.scene = path, .threads = 1});
    if (app.show.session == NULL)
        return 1;
    view_session_want(app.show.session, (const char *const[]){"displaced"}, 1);
    app.show.variants = 1;
    app.window.width = 640;
    app.window.height = 360;
    app.clock.frame_seconds = 0.02;
    // The frame of the start comes first; the step is not to come into the test.
    view_session_step(app.show.session);
    do {
        take();
    } while (app.show.frame[VIEW_A]->step < 1);
    brush_prepare(&app, view_session_lock(app.show.session), 0);
    view_session_unlock(app.show.session);
    view_session_get_settings(app.show.session, &settings);
    app.show.look = view_look_make(&settings, &app.show.frame[VIEW_A]->grid);
    app.show.look.mode = VIEW_SURFACE;
    view_frame_heights(app.show.frame[VIEW_A], app.show.look.heights);
    app.show.look.camera =
        view_look_camera(&app.show.look, &app.show.frame[VIEW_A]->grid, 640, 360);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    view_session_close(app.show.session);
    free(app.hand.brush.painted);
    remove(path);
    return 0;
}

static void test_frame(void **state)
{
    (void)state;
    assert_true(view_frame_has_surface(app.show.frame[VIEW_A]));
    assert_int_equal(app.show.frame[VIEW_A]->mesh_count, 2);
    assert_true(app.show.frame[VIEW_A]->meshes[1].triangle_count >= 12);
    assert_int_equal(app.show.frame[VIEW_A]->solid, -1);
    assert_string_equal(app.hand.brush.emitters, "water.sources");
    assert_string_equal(app.hand.brush.bodies, "water.bodies");
}

static void test_grab(void **state)
{
    float x, y, there[3];
    gyre_value before = value_of("water.bodies.cork.position");

    (void)state;
    for (int i = 0; i < 3; i++)
        there[i] = (float)before.number[i];
    pixel_of(there, &x, &y);
    // The sky and the water beside it are no body.
    assert_false(grab_begin(&app, 3.0f, 3.0f));
    assert_false(grab_begin(&app, x + 150.0f, y));
    assert_true(grab_begin(&app, x, y));
    assert_string_equal(app.hand.grab.path, "water.bodies.cork");
    step();
    assert_true(value_of("water.bodies.cork.held").number[0] == 1.0);
    // Half a metre to the left at the level of the hand, in several moves.
    float from[3], to[3];

    memcpy(from, app.hand.grab.from, sizeof from);
    for (int k = 1; k <= 5; k++) {
        memcpy(to, from, sizeof to);
        to[0] -= 0.1f * (float)k;
        pixel_of(to, &x, &y);
        grab_move(&app, x, y);
        step();
    }
    grab_move(&app, x, y);
    grab_move(&app, x, y);
    step();
    gyre_value after = value_of("water.bodies.cork.position");

    assert_true(fabs(after.number[0] - before.number[0] + 0.5) < 0.06);
    assert_true(fabs(after.number[1] - before.number[1]) < 0.02);
    grab_end(&app);
    step();
    assert_true(value_of("water.bodies.cork.held").number[0] == 0.0);
    // The other one was left alone, and all is in the record.
    assert_true(value_of("water.bodies.brick.held").number[0] == 0.0);
    char replay[80], line[4096];
    bool told = false;

    snprintf(replay, sizeof replay, "%s.replay", path);
    assert_int_equal(view_session_save_replay(app.show.session, VIEW_A, replay), GYRE_OK);
    FILE *file = fopen(replay, "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        told = told || strstr(line, "water.bodies.cork.position") != NULL;
    fclose(file);
    remove(replay);
    assert_true(told);
}

// Of water: bodies raise the surface by what they displace.
static double volume(void)
{
    const view_frame *f = app.show.frame[VIEW_A];
    const float *surface = f->fields[view_frame_shown_as(f, GYRE_VIEW_SURFACE)].data;
    const float *displaced = f->fields[view_frame_find(f, "displaced")].data;
    double sum = 0.0;

    for (int i = 0; i < 1600; i++)
        sum += ((double)surface[i] - (double)displaced[i]) * 0.01;
    return sum;
}

static void test_pour(void **state)
{
    float x, y, point[3];
    double before, poured;

    (void)state;
    pixel_of((const float[3]){3.0f, 0.8f, 0.0f}, &x, &y);
    assert_true(show_pick(&app, x, y, point));
    assert_float_equal(point[0], 3.0f, 0.1f);
    assert_float_equal(point[1], 0.8f, 0.1f);
    step();
    before = volume();
    brush_pour(&app, point, true);
    step();
    brush_lift(&app);
    for (int k = 0; k < 3; k++)
        step();
    poured = volume() - before;
    // A hand's rate for the two steps that a click lasts at most.
    assert_true(poured > 1e-3 && poured < 4e-3);
    before = volume();
    step();
    assert_true(fabs(volume() - before) < 1e-4);
    brush_push(&app, point, true);
    step();
    brush_lift(&app);
    for (int k = 0; k < 3; k++)
        step();
    assert_true(volume() < before - 1e-5);
}

static uint64_t hash_now(void)
{
    const gyre_scene *scene = view_session_lock(app.show.session);
    uint64_t hash = gyre_model_hash(gyre_scene_model(scene, 0));

    view_session_unlock(app.show.session);
    return hash;
}

static double bed_at(float x, float y)
{
    const gyre_scene *scene = view_session_lock(app.show.session);
    const gyre_model *model = gyre_scene_model(scene, 0);
    float bed = 0.0f;

    assert_int_equal(gyre_model_probe(model, gyre_model_field(model, "bed"),
                                      (const float[3]){x, y, 0.0f}, 1, &bed),
                     GYRE_OK);
    view_session_unlock(app.show.session);
    return (double)bed;
}

// A stroke of the left button digs where it goes, of the right one heaps up; the water is the same,
// and a replay of the session digs to the same bits.
static void test_dig(void **state)
{
    float from[3] = {0.55f, 3.15f, 0.0f}, to[3] = {1.55f, 3.15f, 0.0f};
    char replay[80];

    (void)state;
    assert_true(brush_can_dig(&app));
    assert_string_equal(app.hand.brush.ground, "water.uplifts");
    app.hand.brush.radius = 0.25f;
    app.hand.brush.dig = 2.0f;
    brush_dig(&app, from, true, false);
    step();
    brush_dig(&app, to, false, false);
    step();
    brush_lift(&app);
    for (int k = 0; k < 3; k++)
        step();
    double end = bed_at(1.55f, 3.15f), middle = bed_at(1.05f, 3.15f);

    assert_true(end < -1.05 && middle < -1.05);
    assert_true(fabs(bed_at(1.05f, 2.55f) + 1.0) < 1e-6); // beside the stroke
    step();
    assert_true(bed_at(1.55f, 3.15f) == end); // let go, it digs no more
    app.hand.brush.dig = 3.0f;
    brush_dig(&app, to, true, true);
    step();
    brush_lift(&app);
    for (int k = 0; k < 3; k++)
        step();
    assert_true(bed_at(1.55f, 3.15f) > end + 0.05);

    snprintf(replay, sizeof replay, "%s.replay.json", path);
    assert_int_equal(view_session_save_replay(app.show.session, VIEW_A, replay), GYRE_OK);
    gyre_scene *scene = NULL;
    gyre_device *device = NULL;
    int64_t steps = 0;
    uint64_t hash = 0;

    assert_int_equal(gyre_scene_load(path, &scene), GYRE_OK);
    assert_int_equal(gyre_replay_load(scene, replay, &steps, &hash), GYRE_OK);
    assert_int_equal(gyre_device_create(NULL, &device), GYRE_OK);
    assert_int_equal(gyre_scene_create(scene, device), GYRE_OK);
    assert_int_equal(steps, app.show.frame[VIEW_A]->step);
    for (int64_t k = 0; k < steps; k++)
        assert_int_equal(gyre_scene_step(scene), GYRE_OK);
    assert_true(gyre_scene_hash(scene) == hash);
    assert_true(gyre_model_hash(gyre_scene_model(scene, 0)) == hash_now());
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    remove(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frame, setup, teardown),
        cmocka_unit_test_setup_teardown(test_grab, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pour, setup, teardown),
        cmocka_unit_test_setup_teardown(test_dig, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
