// labels: gl
// needs: x11
// test/test_view_hand.c: the hand in the fluid, through the window: the panel, fingers, dropped
// pictures, painted solids, the camera. Needs OpenGL 3.3 and Xvfb; GYRE_TEST_NO_GL=1 leaves it out.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/app.h"

#include "hand_rig.h"

#include <math.h>

// A closed square; what is poured in stays.
static const char square[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [48, 48, 1], \"h\": 0.0208333 },\n"
    "  \"gravity\": [0, 0, 0], \"thermal_expansion\": 1 } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 },\n"
    "  \"view\": { \"map\": \"gray\", \"range\": [0, 1] } }\n";

// The same in three dimensions, with smoke that rises.
static const char cube[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 3, \"n\": [20, 20, 20], \"h\": 0.05 },\n"
    "  \"emitters\": [ { \"name\": \"fire\", \"shape\": { \"box\": { \"centre\": [0.3, 0.3, 0.5],"
    " \"size\": [0.3, 0.2, 0.5] } }, \"density\": 30, \"temperature\": 100 } ] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 } }\n";

static picture kept;

static void start(const char *scene, int width, int height, bool bare)
{
    view_options options = {
        .scene = "scene.json", .threads = 1, .width = width, .height = height, .hidden_gui = bare};

    write_file("scene.json", scene);
    hand_start(&options);
    // The scene is there when it can be written.
    UNTIL(count_in(saved("w", "my_scene.json"), "models") == 1);
}

// ---- several models

// A session's frames hold one model of the scene: what the scene shows, or what is chosen.
static void a_frame_holds_the_model_that_is_chosen(void **state)
{
    static const char two[] =
        "{ \"models\": { \"air\": { \"type\": \"gas\", \"grid\": { \"dim\": 2, \"n\": [8, 8, 1],"
        " \"h\": 0.1 } }, \"pool\": { \"type\": \"water\", \"grid\": { \"n\": [12, 6, 1],"
        " \"h\": 0.1 } } }, \"view\": { \"field\": \"pool.depth\" } }";
    (void)state;
    write_file("two.json", two);
    char path[512];
    snprintf(path, sizeof path, "%s/two.json", hand_folder);
    view_session *session = view_session_open(&(view_session_def){.scene = path, .threads = 1});
    assert_non_null(session);
    const view_frame *frame = NULL;
    UNTIL((frame = view_session_take(session)) != NULL);
    assert_int_equal(frame->model, 1);
    assert_int_equal(frame->model_count, 2);
    assert_string_equal(frame->models[1], "pool");
    assert_int_equal(frame->grid.n[0], 12);
    assert_true(view_frame_find(frame, "pool.depth") >= 0);
    view_session_show(session, 0);
    UNTIL((frame = view_session_take(session)) != NULL);
    assert_int_equal(frame->model, 0);
    assert_int_equal(frame->grid.n[0], 8);
    assert_true(view_frame_find(frame, "density") >= 0);
    assert_int_equal(view_frame_find(frame, "pool.depth"), -1);
    assert_null(frame->next);
    // All of them at one moment, the chosen one first; then one alone again.
    view_session_show_all(session, true);
    UNTIL((frame = view_session_take(session)) != NULL && frame->next);
    assert_int_equal(frame->model, 0);
    assert_int_equal(frame->next->model, 1);
    assert_null(frame->next->next);
    assert_int_equal(frame->next->grid.n[0], 12);
    assert_true(frame->next->fields[view_frame_find(frame->next, "depth")].present);
    view_session_step(session);
    UNTIL((frame = view_session_take(session)) != NULL && frame->step == 1);
    assert_int_equal(frame->next->step, 1);
    view_session_show(session, 1);
    UNTIL((frame = view_session_take(session)) != NULL && frame->model == 1);
    assert_int_equal(frame->next->model, 0);
    assert_int_equal(frame->next->grid.n[0], 8);
    view_session_show_all(session, false);
    UNTIL((frame = view_session_take(session)) != NULL && !frame->next);
    view_session_close(session);
}

// ---- the panel

/// Pixels of the colour that marks a label whose value is not its default.
static int marked(int x, int y, int width)
{
    const picture *p = hand_grab();
    int count = 0;

    for (int j = y - 8; j < y + 8; j++) {
        for (int i = x; i < x + width && i < p->width; i++) {
            const uint8_t *c = p->rgb[j][i];

            count += c[0] > 240 && abs(c[1] - 209) < 12 && abs(c[2] - 115) < 20;
        }
    }
    return count;
}

/// Sliders, a default by the right button, an emitter that comes and goes.
static void the_panel_changes_the_scene(void **state)
{
    int x, y, width;

    (void)state;
    start(square, 900, 700, false);
    hand_press("brush");
    hand_press("look");
    hand_where("thermal_expansion", &x, &y, &width);
    int left = x - width / 2;

    assert_true(marked(left, y, 340 - left) > 20);
    hand_drag(1, left + width / 8, y, left + width / 3, y);
    // From 0 to 10; the label's half belongs to the element, too.
    const char *text = saved("w", "my_scene.json");
    double value = number_in(text, "thermal_expansion", -1.0);

    assert_true(value > 3.0 && value < 9.5);
    hand_drag(1, left + width / 3, y, left + width / 8, y);
    double lower = number_in(saved("w", "my_scene.json"), "thermal_expansion", -1.0);

    assert_true(lower >= 0.0 && lower < value - 1.0);
    hand_point(left + width / 8, y);
    TOOL("click 3");
    UNTIL(marked(left, y, 340 - left) == 0);
    value = number_in(saved("w", "my_scene.json"), "thermal_expansion", 1.0 / 293);
    assert_true(fabs(value - 1.0 / 293) < 1e-6);

    hand_point(200, 600);
    TOOL("click --repeat 8 --delay 40 5");
    nap(200);
    hand_press("gas.emitters");
    TOOL("click --repeat 8 --delay 40 5");
    nap(200);
    hand_press("add");
    nap(400);
    assert_int_equal(count_in(saved("w", "my_scene.json"), "new_1"), 1);
    hand_press("element");
    hand_point(200, 600);
    TOOL("click --repeat 20 --delay 40 5");
    nap(300);
    hand_press("remove");
    nap(400);
    assert_int_equal(count_in(saved("w", "my_scene.json"), "new_1"), 0);
    hand_quit();
}

// ---- fingers

/// The smoke's sum, and its mean place.
static double smoke(const picture *p, double *x)
{
    double sum = 0, moment = 0;

    for (int j = 20; j < HEIGHT - 20; j++) {
        for (int i = (WIDTH - HEIGHT) / 2 + 4; i < (WIDTH + HEIGHT) / 2 - 4; i++) {
            double value = p->rgb[j][i][0] > 24 ? p->rgb[j][i][0] : 0;

            sum += value;
            moment += value * i;
        }
    }
    *x = sum > 0 ? moment / sum : 0;
    return sum;
}

static void fingers(const char *what, float x0, float x1)
{
    hand_tell("finger %s 1 %g 0.5\n", what, (double)x0);
    hand_tell("finger %s 2 %g 0.5\n", what, (double)x1);
}

static void fingers_pour_push_and_zoom(void **state)
{
    double x0, x1, sum;

    (void)state;
    start(square, WIDTH, HEIGHT, true);
    assert_true(smoke(hand_grab(), &x0) == 0);
    hand_tell("finger down 1 0.35 0.5\n");
    UNTIL(bright(hand_grab(), 168, 180) > 120);
    hand_tell("finger up 1 0.35 0.5\n");
    nap(150);
    sum = smoke(hand_grab(), &x0);
    assert_true(sum > 10000 && x0 > 148 && x0 < 188);

    // Two side by side: what lies between them moves with them.
    fingers("down", 0.3f, 0.4f);
    for (int i = 1; i <= 12; i++) {
        fingers("move", 0.3f + 0.012f * (float)i, 0.4f + 0.012f * (float)i);
        nap(30);
    }
    fingers("up", 0.444f, 0.544f);
    UNTIL(smoke(hand_grab(), &x1) > 0 && x1 > x0 + 12);
    assert_int_equal(count_in(saved("W", "my_scene.replay.json"), "\"brush_dye\""), 1);

    // Apart by 2.5: the margins beside the square leave the picture. Together again: they are back.
    TOOL("key space");
    UNTIL(bright(hand_grab(), 20, 340) > 40);
    fingers("down", 0.45f, 0.55f);
    fingers("move", 0.35f, 0.6f);
    fingers("up", 0.35f, 0.6f);
    UNTIL(bright(hand_grab(), 20, 340) < 20);
    fingers("down", 0.35f, 0.6f);
    fingers("move", 0.475f, 0.525f);
    fingers("up", 0.475f, 0.525f);
    UNTIL(bright(hand_grab(), 20, 340) > 40);
    hand_quit();
}

// ---- pictures that are dropped

/// A white bar across the middle of a black square.
static void draw_bar(void)
{
    static uint8_t rgb[64][64][3];
    char path[128];

    for (int j = 24; j < 40; j++)
        memset(rgb[j], 255, sizeof rgb[j]);
    snprintf(path, sizeof path, "%s/bar.png", hand_folder);
    assert_int_equal(gyre_png_write(path, 64, 64, 3, &rgb[0][0][0]), GYRE_OK);
}

static void a_dropped_picture_is_dye_or_obstacle(void **state)
{
    (void)state;
    start(square, WIDTH, HEIGHT, false);
    TOOL("key Tab");
    draw_bar();
    UNTIL(bright(hand_grab(), 200, 180) < 20);
    hand_tell("drop %s/bar.png\n", hand_folder);
    hand_press("dye or smoke");
    UNTIL(bright(hand_grab(), 120, 180) > 120);
    // Dark above and below the bar.
    assert_true(bright(hand_grab(), 120, 80) < 20 && bright(hand_grab(), 200, 280) < 20);
    UNTIL(count_in(saved("w", "my_scene.json"), "picture_1") == 0);
    assert_int_equal(count_in(saved("w", "my_scene.json"), "bar.png"), 0);

    TOOL("key r");
    UNTIL(bright(hand_grab(), 120, 180) < 20);
    hand_tell("drop %s/bar.png\n", hand_folder);
    hand_press("nothing");
    hand_tell("drop %s/bar.png\n", hand_folder);
    hand_press("an obstacle");
    UNTIL(bright(hand_grab(), 120, 180) > 40);
    const char *text = saved("w", "my_scene.json");

    assert_true(strstr(text, "bar.png") > strstr(text, "\"solids\""));
    assert_int_equal(count_in(text, "bar.png"), 1);
    hand_quit();
    assert_int_equal(shell("cd %s && %s/gyre run --quiet --frames 2 my_scene.json", hand_folder,
                           GYRE_BINARY_DIR),
                     0);
}

// ---- painting

static int pieces(void)
{
    return count_in(saved("w", "my_scene.json"), "\"paint_");
}

static void painted_solids_keep_dye_out(void **state)
{
    (void)state;
    start(square, WIDTH, HEIGHT, true);
    UNTIL(bright(hand_grab(), 240, 180) < 20);
    TOOL("key p");
    hand_drag(1, 240, 120, 240, 240);
    UNTIL(bright(hand_grab(), 240, 180) > 40);
    TOOL("key p");
    double wall = bright(hand_grab(), 240, 180);
    int count = pieces();

    assert_true(count >= 5);
    // Poured on the wall: beside it there is dye, in it there is none.
    hand_point(240, 180);
    TOOL("mousedown 1");
    UNTIL(bright(hand_grab(), 216, 180) > 100 || bright(hand_grab(), 264, 180) > 100);
    nap(300);
    TOOL("mouseup 1");
    assert_true(fabs(bright(hand_grab(), 240, 180) - wall) < 8.0);
    assert_int_equal(count_in(saved("W", "my_scene.replay.json"), "\"brush_dye\""), 1);

    TOOL("key BackSpace");
    nap(300);
    assert_int_equal(pieces(), count - 1);
    // The right button takes away what it touches: all from the middle on.
    TOOL("key p");
    hand_drag(3, 240, 180, 240, 240);
    nap(300);
    int left = pieces();

    assert_true(left > 0 && left < count - 2);
    TOOL("key r");
    nap(300);
    assert_int_equal(pieces(), 0);
    hand_quit();
}

// ---- fields

/// Colours and a range are the field's they were made for; others have their own.
static void colours_stay_with_their_field(void **state)
{
    (void)state;
    start(square, WIDTH, HEIGHT, true);
    UNTIL(strstr(saved("w", "my_scene.json"), "\"gray\"") != NULL);
    TOOL("key f");
    nap(200);
    const char *text = saved("w", "my_scene.json");

    assert_null(strstr(text, "\"gray\""));
    assert_null(strstr(text, "\"range\""));
    TOOL("key F");
    nap(200);
    text = saved("w", "my_scene.json");
    assert_non_null(strstr(text, "\"gray\""));
    assert_non_null(strstr(text, "\"range\""));
    hand_quit();
}

// ---- three dimensions

static uint64_t hash_now(void)
{
    const char *text = saved("W", "my_scene.replay.json");
    const char *at = strstr(text, "\"hash\"");

    assert_non_null(at);
    at = strchr(at + 6, '"');
    return strtoull(at + 1, NULL, 16);
}

static void unlike(const char *what)
{
    int tries = 0;

    while (differ(hand_grab(), &kept) < 300) {
        if (++tries > 100)
            fail_msg("%s changes %d pixels only", what, differ(hand_grab(), &kept));
        nap(40);
    }
    nap(300);
    kept = *hand_grab();
}

/// Waits for a picture that is the same a while later.
static void stills(void)
{
    int tries = 0;

    do {
        if (++tries > 60)
            fail_msg("the picture changes by %d pixels still", differ(hand_grab(), &kept));
        kept = *hand_grab();
        nap(500);
    } while (differ(hand_grab(), &kept) >= 100);
}

static void the_camera_leaves_the_fluid_alone(void **state)
{
    (void)state;
    start(cube, WIDTH, HEIGHT, true);
    kept = *hand_grab();
    unlike("smoke"); // rises
    nap(600);
    TOOL("key space");
    stills(); // the ray-march may still look for its size
    uint64_t hash = hash_now();

    hand_drag(2, 240, 180, 330, 200);
    unlike("the middle button");
    TOOL("keydown alt");
    hand_drag(1, 240, 180, 180, 120);
    TOOL("keyup alt");
    unlike("Alt with the left button");
    TOOL("keydown ctrl");
    TOOL("click --repeat 4 4");
    TOOL("keyup ctrl");
    unlike("Ctrl with the wheel");
    TOOL("keydown shift");
    hand_drag(2, 240, 180, 300, 180);
    TOOL("keyup shift");
    unlike("Shift with the middle button");
    assert_true(hash_now() == hash);
    TOOL("key n");
    nap(300);
    assert_true(hash_now() != hash);
    TOOL("key Home");
    unlike("Home");

    // The wheel alone: the brush's radius, 1.12 for each click.
    TOOL("click --repeat 5 4");
    hand_point(240, 180);
    TOOL("click 1");
    nap(200);
    TOOL("key n");
    nap(200);
    double radius = number_in(strstr(saved("W", "my_scene.replay.json"), "capsule"), "radius", 0);

    assert_true(fabs(radius - 0.075 * pow(1.12, 5)) < 1e-4);
    hand_quit();
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_frame_holds_the_model_that_is_chosen, hand_tidy),
        cmocka_unit_test_teardown(the_panel_changes_the_scene, hand_tidy),
        cmocka_unit_test_teardown(fingers_pour_push_and_zoom, hand_tidy),
        cmocka_unit_test_teardown(a_dropped_picture_is_dye_or_obstacle, hand_tidy),
        cmocka_unit_test_teardown(painted_solids_keep_dye_out, hand_tidy),
        cmocka_unit_test_teardown(colours_stay_with_their_field, hand_tidy),
        cmocka_unit_test_teardown(the_camera_leaves_the_fluid_alone, hand_tidy),
    };

    if (getenv("GYRE_TEST_NO_GL") != NULL) {
        printf("left out: GYRE_TEST_NO_GL is set\n");
        return 0;
    }
    // One of them alone, by its name.
    cmocka_set_test_filter(count > 1 ? words[1] : NULL);
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
