// labels: gl
// needs: x11
// test/test_view_life.c: the viewer's window from its start to its end: scenes that take long to
// load or fail to, the gallery, full screen, recordings, machines that are too slow, two settings
// side by side, the screensaver in another's window. Needs OpenGL 3.3 and Xvfb; GYRE_TEST_NO_GL=1
// leaves it out.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/app.h"

#include "hand_rig.h"

#include <math.h>

// A closed square with a solid in its middle.
static const char square[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [48, 48, 1], \"h\": 0.0208333 },\n"
    "  \"gravity\": [0, 0, 0],\n"
    "  \"solids\": [ { \"name\": \"block\", \"shape\": { \"box\": { \"centre\": [0.5, 0.5, 0],"
    " \"size\": [0.3, 0.3, 2] } } } ] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 },\n"
    "  \"view\": { \"map\": \"gray\", \"range\": [0, 1] } }\n";

// Fire that drives a closed square.
static const char warm[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [32, 32, 1], \"h\": 0.03 }, "
    "\"thermal_expansion\": 0.1, "
    "\"emitters\": [ { \"name\": \"fire\", \"shape\": { \"box\": { \"centre\": [0.5, 0.2, 0],"
    " \"size\": [0.3, 0.1, 2] } }, \"density\": 3, \"temperature\": 10 } ] } },\n"
    "  \"time\": { \"fps\": 30 }, \"view\": { \"map\": \"gray\", \"range\": [0, 1] } }\n";

static view_options bare(void)
{
    return (view_options){
        .scene = "scene.json", .threads = 1, .width = WIDTH, .height = HEIGHT, .hidden_gui = true};
}

static bool block_is_seen(void)
{
    return bright(hand_grab(), 240, 180) > 60 && bright(hand_grab(), 100, 180) < 20;
}

static void start(view_options options)
{
    write_file("scene.json", square);
    hand_start(&options);
    UNTIL(block_is_seen());
}

// ---- the start

/// A scene that takes long to make: many solids among many cells.
static void write_slow(int cells, int solids)
{
    char path[128];

    snprintf(path, sizeof path, "%s/slow.json", hand_folder);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fprintf(f,
            "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 3, \"n\": [%d, %d, %d], \"h\": %g }, "
            "\"solids\": [",
            cells, cells, cells, 1.0 / cells);
    for (int i = 0; i < solids; i++)
        fprintf(f, "%s{ \"shape\": { \"sphere\": { \"centre\": [%g, %g, %g], \"radius\": 0.1 } } }",
                i > 0 ? ", " : "", i * 37 % 101 / 101.0, i * 53 % 103 / 103.0,
                i * 71 % 107 / 107.0);
    fprintf(f, "] } } }\n");
    assert_int_equal(fclose(f), 0);
}

/// White lettering in the middle: "loading slow.json".
static bool loading_is_told(void)
{
    const picture *p = hand_grab();
    int white = 0;

    for (int i = 150; i < 330; i++) {
        for (int j = 170; j < 200; j++)
            white += p->rgb[j][i][0] > 200;
    }
    return white > 100 && white < 2000;
}

/// The window is there while the scene is still being made, and says so.
static void the_window_does_not_wait_for_the_scene(void **state)
{
    view_options options = bare();

    (void)state;
    options.scene = "slow.json";
    options.hidden_gui = false;
    write_slow(80, 300);
    hand_start(&options);
    UNTIL(loading_is_told());
    UNTIL(count_in(saved("w", "my_slow.json"), "models") == 1);
    hand_quit();
    // This one would take far longer than anybody waits for the end here.
    write_slow(160, 4000);
    hand_start(&options);
    UNTIL(loading_is_told());
    hand_quit();
}

static void a_scene_that_fails_is_told(void **state)
{
    view_options options = bare();

    (void)state;
    write_file("scene.json", "{ \"models\": { \"gas\": { \"viscosity\": \"much\" } } }");
    hand_launch(&options);
    assert_int_equal(hand_ended(NULL), 1);
    assert_non_null(strstr(contents("viewer.log"), "viscosity"));

    // Dropped on another it is a message, and the other stays.
    write_file("bad.json", "{ \"models\": 3 }");
    start(bare());
    hand_tell("drop %s/bad.json\n", hand_folder);
    nap(500);
    UNTIL(block_is_seen());
    write_file("good.json", square);
    hand_tell("drop %s/good.json\n", hand_folder);
    UNTIL(count_in(saved("w", "my_good.json"), "models") == 1);
    hand_quit();
}

// ---- the gallery

static void the_gallery_opens_scenes(void **state)
{
    view_options options = {.threads = 1, .width = 700, .height = 900};

    (void)state;
    hand_start(&options);
    hand_press("classic jet");
    UNTIL(count_in(saved("w", "my_classic_jet.json"), "classic") > 0);
    // Back, and the next one by the keys: "cloud".
    TOOL("key g");
    nap(300);
    TOOL("key Right");
    nap(100);
    TOOL("key Return");
    nap(500);
    UNTIL(count_in(saved("w", "my_cloud.json"), "models") == 1);
    hand_quit();
}

// ---- the window

static void tell_window(const char *type, long first)
{
    XEvent e = {.xclient = {.type = ClientMessage,
                            .window = hand_window,
                            .message_type = XInternAtom(hand_display, type, False),
                            .format = 32,
                            .data.l = {first}}};

    XSendEvent(hand_display, hand_window, False, NoEventMask, &e);
    XSync(hand_display, False);
}

static void close_window(void)
{
    assert_true(hand_find());
    tell_window("WM_PROTOCOLS", (long)XInternAtom(hand_display, "WM_DELETE_WINDOW", False));
}

static long steps_now(void)
{
    return (long)number_in(saved("W", "my_scene.replay.json"), "steps", -1);
}

/// What a window manager does: makes a window that asks for it as large as the screen, and puts it
/// back. The answer to _NET_WM_STATE of the Extended Window Manager Hints.
static void manage(void)
{
    Atom state = XInternAtom(hand_display, "_NET_WM_STATE", False);
    Atom full = XInternAtom(hand_display, "_NET_WM_STATE_FULLSCREEN", False);
    XEvent e;

    while (XCheckTypedEvent(hand_display, ClientMessage, &e)) {
        if (e.xclient.message_type != state || (Atom)e.xclient.data.l[1] != full)
            continue;
        bool on = e.xclient.data.l[0] == 1;

        XChangeProperty(hand_display, e.xclient.window, state, 4 /* XA_ATOM */, 32, PropModeReplace,
                        (unsigned char *)&full, on);
        if (on)
            XMoveResizeWindow(hand_display, e.xclient.window, 0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
        else
            XMoveResizeWindow(hand_display, e.xclient.window, 240, 180, WIDTH, HEIGHT);
        XSync(hand_display, False);
    }
}

static bool has_size(int width, int height)
{
    manage();
    return hand_find() && hand_width == width && hand_height == height;
}

static void the_window_comes_and_goes(void **state)
{
    (void)state;
    XSelectInput(hand_display, DefaultRootWindow(hand_display), SubstructureNotifyMask);
    start(bare());
    TOOL("key F11");
    UNTIL(has_size(SCREEN_WIDTH, SCREEN_HEIGHT));
    UNTIL(bright(hand_grab(), 480, 360) > 60 && bright(hand_grab(), 480, 60) < 20);
    TOOL("key F11");
    UNTIL(has_size(WIDTH, HEIGHT));
    UNTIL(block_is_seen());
    // Out of sight the scene goes on.
    long before = steps_now();

    XUnmapWindow(hand_display, hand_window);
    XSync(hand_display, False);
    nap(1000);
    XMapWindow(hand_display, hand_window);
    XSync(hand_display, False);
    UNTIL(hand_find() && block_is_seen());
    XSetInputFocus(hand_display, hand_window, RevertToPointerRoot, CurrentTime);
    XSync(hand_display, False);
    assert_true(steps_now() > before + 10);
    close_window();
    assert_int_equal(hand_ended(NULL), 0);
    XSelectInput(hand_display, DefaultRootWindow(hand_display), 0);
}

// ---- recordings

/// Every frame of a video that ffmpeg can read, and how many there are.
static int frames_of(const char *name)
{
    char command[300], line[32] = "";

    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -select_streams v -show_entries "
             "stream=nb_read_frames -of csv=p=0 %s/%s 2>&1",
             hand_folder, name);
    FILE *pipe = popen(command, "r");

    assert_non_null(pipe);
    if (fgets(line, sizeof line, pipe) == NULL)
        line[0] = '\0';
    pclose(pipe);
    return atoi(line);
}

static void a_recording_is_whole_when_the_window_is_closed(void **state)
{
    static const char *const kinds[] = {"mp4", "gif"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        view_options options = bare();
        char name[32];

        options.width = 900;
        options.height = 400;
        options.hidden_gui = false;
        write_file("scene.json", square);
        hand_start(&options);
        UNTIL(count_in(saved("w", "my_scene.json"), "models") == 1);
        hand_press(kinds[i]);
        snprintf(name, sizeof name, "gyre-0001.%s", kinds[i]);
        TOOL("key R");
        nap(1500);
        close_window();
        assert_int_equal(hand_ended(NULL), 0);
        assert_true(there(name));
        assert_true(frames_of(name) >= 10);
        assert_int_equal(
            shell("ffmpeg -v error -i %s/%s -f null - 2>&1 | grep -q .", hand_folder, name), 1);
    }
}

// ---- clear and reset

static void clear_keeps_what_was_set_and_reset_does_not(void **state)
{
    (void)state;
    start(bare());
    TOOL("key p");
    hand_point(380, 300);
    TOOL("click 1");
    UNTIL(bright(hand_grab(), 380, 300) > 40);
    TOOL("key p");
    hand_point(120, 80);
    TOOL("mousedown 1");
    UNTIL(bright(hand_grab(), 120, 80) > 100);
    TOOL("mouseup 1");
    nap(1000);
    long before = steps_now();

    TOOL("key c");
    UNTIL(bright(hand_grab(), 120, 80) < 20);
    assert_true(bright(hand_grab(), 380, 300) > 40);
    assert_int_equal(count_in(saved("w", "my_scene.json"), "paint_1"), 1);
    assert_true(steps_now() < before);
    TOOL("key r");
    UNTIL(bright(hand_grab(), 380, 300) < 20);
    assert_int_equal(count_in(saved("w", "my_scene.json"), "paint_1"), 0);
    // The hand still pours.
    TOOL("mousedown 1");
    UNTIL(bright(hand_grab(), 120, 80) > 100);
    TOOL("mouseup 1");
    hand_quit();
}

// ---- slow machines

/// Amber pixels of the overlay's first line: "0.1 x real time: this machine is too slow ..."
static int warning(void)
{
    const picture *p = hand_grab();
    int count = 0;

    for (int j = 8; j < 28; j++) {
        for (int i = 10; i < 400; i++) {
            const uint8_t *c = p->rgb[j][i];

            count += c[0] > 220 && abs(c[1] - 204) < 20 && abs(c[2] - 102) < 30;
        }
    }
    return count;
}

// Seconds.
static double clock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void a_slow_machine_takes_fewer_steps(void **state)
{
    static const char heavy[] =
        "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [512, 512, 1], \"h\": 0.002 }, "
        "\"emitters\": [ { \"name\": \"fire\", \"shape\": { \"box\": { \"centre\": [0.5, 0.2, 0],"
        " \"size\": [0.3, 0.1, 2] } }, \"density\": 30, \"temperature\": 100 } ] } },\n"
        "  \"time\": { \"fps\": 30, \"steps_per_frame\": 100 } }\n";
    view_options options = bare();
    static picture kept;

    (void)state;
    options.hidden_gui = false;
    write_file("scene.json", heavy);
    hand_start(&options);
    UNTIL(count_in(saved("w", "my_scene.json"), "models") == 1);
    TOOL("key Tab");
    UNTIL(warning() > 200);
    // The display answers, although 3000 steps a second are wanted.
    kept = *hand_grab();
    TOOL("key h");
    UNTIL(differ(hand_grab(), &kept) > 5000);
    hand_quit();

    // Held for three seconds, 90 steps' worth, it does not run after them: four are made good.
    start(bare());
    double began = clock_now();
    long before = steps_now();

    kill(hand_viewer, SIGSTOP);
    nap(3000);
    kill(hand_viewer, SIGCONT);
    long after = steps_now();

    // 30 a second, for as long as it was let run: asking takes long on a busy machine.
    assert_true((double)(after - before) < 30.0 * (clock_now() - began - 3.0) + 45.0);
    hand_quit();
}

// ---- two settings

/// The panel in view, its sliders of the gas uppermost.
static void start_warm(void)
{
    view_options options = bare();

    options.hidden_gui = false;
    options.width = 940;
    options.height = 700;
    write_file("scene.json", warm);
    hand_start(&options);
    UNTIL(count_in(saved("w", "my_scene.json"), "models") == 1);
    hand_press("brush");
    hand_press("look");
}

static void each_side_is_replayed_to_its_own_hash(void **state)
{
    char hash[2][40];
    int x, y, width;

    (void)state;
    start_warm();
    TOOL("key b");
    nap(500);
    hand_press("B");
    hand_where("thermal_expansion", &x, &y, &width);
    hand_drag(1, x - width / 2 + width / 8, y, x - width / 2 + width / 4, y);
    // The hand works in both.
    hand_drag(1, 430, 300, 500, 350);
    hand_drag(3, 760, 300, 830, 320);
    nap(500);
    for (int i = 0; i < 2; i++) {
        char name[16];

        hand_press(i == 0 ? "B" : "A");
        const char *text = saved("W", "my_scene.replay.json");
        const char *at = strstr(text, "\"hash\"");

        assert_non_null(at);
        snprintf(hash[i], sizeof hash[i], "%.30s", at);
        assert_int_equal(count_in(text, "thermal_expansion") > 0, i == 0);
        assert_true(count_in(text, "brush_dye") > 0 && count_in(text, "brush_push") > 0);
        snprintf(name, sizeof name, "%d.json", i);
        write_file(name, text);
    }
    hand_quit();
    assert_string_not_equal(hash[0], hash[1]);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            shell("cd %s && %s/gyre run --quiet --replay %d.json", hand_folder, GYRE_BINARY_DIR, i),
            0);
}

// ---- a scene that is saved

/// What gyre run says of the saved scene after so many steps: "... in 0.1 s, hash 0123..."
static uint64_t run_saved(long steps)
{
    char line[256] = "", command[300];

    snprintf(command, sizeof command, "cd %s && %s/gyre run my_scene.json --frames %ld 2>&1",
             hand_folder, GYRE_BINARY_DIR, steps);
    FILE *pipe = popen(command, "r");
    uint64_t hash = 0;

    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe) != NULL) {
        const char *at = strstr(line, "hash ");

        hash = at != NULL ? strtoull(at + 5, NULL, 16) : hash;
    }
    assert_int_equal(pclose(pipe), 0);
    return hash;
}

/// Changed by a slider and the brush, saved, and begun anew: what the window shows from there on
/// is what the file comes to.
static void a_saved_scene_runs_to_the_same_result(void **state)
{
    int x, y, width;

    (void)state;
    start_warm();
    hand_where("thermal_expansion", &x, &y, &width);
    hand_drag(1, x - width / 2 + width / 8, y, x - width / 2 + width / 4, y);
    TOOL("key p");
    hand_drag(1, 600, 300, 680, 300);
    TOOL("key p");
    const char *text = saved("w", "my_scene.json");

    assert_true(number_in(text, "thermal_expansion", 0.1) > 0.2);
    assert_true(count_in(text, "\"paint_") > 1);
    TOOL("key c");
    nap(700);
    text = saved("W", "my_scene.replay.json");
    long steps = (long)number_in(text, "steps", -1);
    uint64_t hash = strtoull(strchr(strstr(text, "\"hash\"") + 6, '"') + 1, NULL, 16);

    hand_quit();
    assert_true(steps > 3 && hash != 0);
    assert_int_equal(run_saved(steps), hash);
    // It is the scene that decides.
    assert_int_not_equal(run_saved(steps - 1), hash);
}

// ---- the screensaver

/// Pixels that differ at all clearly.
static int moved(const picture *a, const picture *b)
{
    int count = 0;

    for (int j = 0; j < a->height; j++) {
        for (int i = 0; i < a->width; i++) {
            const uint8_t *c = a->rgb[j][i], *d = b->rgb[j][i];

            count += abs(c[0] - d[0]) + abs(c[1] - d[1]) + abs(c[2] - d[2]) > 6;
        }
    }
    return count;
}

/// The shows of these tests are of a scene that is soon made and soon drawn and burns for ever:
/// which of the gallery's comes first is left to chance, and a large one may take longer than
/// anybody waits for it here.
static void the_saver_draws_in_the_window_it_is_given(void **state)
{
    static picture kept;
    char id[24], root[] = "-root", window_id[] = "-window-id", view[] = "gyre-view",
                 gyre[] = "gyre", saver[] = "saver", scene[] = "warm.json";
    char *const lines[][5] = {
        {view, window_id, id, scene}, {view, root, scene}, {gyre, saver, scene}};

    (void)state;
    for (int way = 0; way < 3; way++) {
        Window lent = XCreateSimpleWindow(hand_display, DefaultRootWindow(hand_display), 30, 40,
                                          300, 200, 0, 0, 0x00ff00);

        XMapRaised(hand_display, lent);
        XSync(hand_display, False);
        snprintf(id, sizeof id, "0x%lx", lent);
        write_file(scene, warm);
        hand_exec(lines[way][0], lines[way], way > 0 ? "XSCREENSAVER_WINDOW" : NULL, id);
        // From green to black, to a picture that moves.
        UNTIL(hand_grab_window(lent, 0, 0, 300, 200)->rgb[100][150][1] < 200);
        kept = *hand_grab_window(lent, 0, 0, 300, 200);
        UNTIL(moved(hand_grab_window(lent, 0, 0, 300, 200), &kept) > 500);
        kept = *hand_grab_window(lent, 0, 0, 300, 200);
        UNTIL(moved(hand_grab_window(lent, 0, 0, 300, 200), &kept) > 500);
        XDestroyWindow(hand_display, lent);
        XSync(hand_display, False);
        assert_int_equal(hand_ended(NULL), 0);
    }
}

static bool all_of_the_screen(void)
{
    return hand_find() && hand_width == SCREEN_WIDTH && hand_height == SCREEN_HEIGHT;
}

/// With no window lent: all of the screen, until a key.
static void the_saver_fills_the_screen(void **state)
{
    static picture kept;
    char gyre[] = "gyre", saver[] = "saver", scene[] = "warm.json";

    (void)state;
    write_file(scene, warm);
    hand_exec("gyre", (char *const[]){gyre, saver, scene, NULL}, NULL, NULL);
    UNTIL(all_of_the_screen());
    kept = *hand_grab();
    UNTIL(moved(hand_grab(), &kept) > 2000);
    kept = *hand_grab();
    UNTIL(moved(hand_grab(), &kept) > 2000);
    XSetInputFocus(hand_display, hand_window, RevertToPointerRoot, CurrentTime);
    XSync(hand_display, False);
    assert_int_equal(hand_ended("x"), 0);
}

/// Left to itself it chooses from the gallery; what cannot be shown is the end.
static void the_saver_chooses_or_is_told(void **state)
{
    char gyre[] = "gyre", saver[] = "saver", scene[] = "none.json";

    (void)state;
    hand_exec("gyre", (char *const[]){gyre, saver, NULL}, NULL, NULL);
    UNTIL(all_of_the_screen());
    hand_tidy(NULL);
    UNTIL(!hand_find());
    hand_exec("gyre", (char *const[]){gyre, saver, scene, NULL}, NULL, NULL);
    assert_int_equal(hand_ended(NULL), 1);
    assert_non_null(strstr(contents("viewer.log"), "none.json"));
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_window_does_not_wait_for_the_scene, hand_tidy),
        cmocka_unit_test_teardown(a_scene_that_fails_is_told, hand_tidy),
        cmocka_unit_test_teardown(the_gallery_opens_scenes, hand_tidy),
        cmocka_unit_test_teardown(the_window_comes_and_goes, hand_tidy),
        cmocka_unit_test_teardown(a_recording_is_whole_when_the_window_is_closed, hand_tidy),
        cmocka_unit_test_teardown(clear_keeps_what_was_set_and_reset_does_not, hand_tidy),
        cmocka_unit_test_teardown(a_slow_machine_takes_fewer_steps, hand_tidy),
        cmocka_unit_test_teardown(each_side_is_replayed_to_its_own_hash, hand_tidy),
        cmocka_unit_test_teardown(a_saved_scene_runs_to_the_same_result, hand_tidy),
        cmocka_unit_test_teardown(the_saver_draws_in_the_window_it_is_given, hand_tidy),
        cmocka_unit_test_teardown(the_saver_fills_the_screen, hand_tidy),
        cmocka_unit_test_teardown(the_saver_chooses_or_is_told, hand_tidy),
    };

    if (getenv("GYRE_TEST_NO_GL") != NULL) {
        printf("left out: GYRE_TEST_NO_GL is set\n");
        return 0;
    }
    // One of them alone, by its name.
    cmocka_set_test_filter(count > 1 ? words[1] : NULL);
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
