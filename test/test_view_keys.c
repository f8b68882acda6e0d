// labels: gl
// needs: x11
// test/test_view_keys.c: what keys and the pointer show in the viewer's window: the gallery's
// pictures, each view by its number, water under the hand, values under the pointer, windows of
// every size; and the paper's prototype. Needs OpenGL 3.3 and Xvfb; GYRE_TEST_NO_GL=1 leaves it
// out.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/app.h"

#include "hand_rig.h"

#include <dirent.h>
#include <math.h>

// A closed square with a solid in its middle.
static const char square[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [48, 48, 1], \"h\": 0.0208333 },\n"
    "  \"gravity\": [0, 0, 0],\n"
    "  \"solids\": [ { \"name\": \"block\", \"shape\": { \"box\": { \"centre\": [0.5, 0.5, 0],"
    " \"size\": [0.3, 0.3, 2] } } } ] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 },\n"
    "  \"view\": { \"map\": \"gray\", \"range\": [0, 1] } }\n";

// Smoke that rises in a box.
static const char cube[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 3, \"n\": [20, 20, 20], \"h\": 0.05 },\n"
    "  \"emitters\": [ { \"name\": \"fire\", \"shape\": { \"box\": { \"centre\": [0.5, 0.3, 0.5],"
    " \"size\": [0.4, 0.4, 0.4] } }, \"density\": 30, \"temperature\": 100 } ] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 } }\n";

// A pool with a large cork in its middle, seen from above.
static const char pool[] =
    "{ \"models\": { \"water\": { \"grid\": { \"dim\": 2, \"n\": [40, 40, 1], \"h\": 0.1 },\n"
    "  \"bed\": { \"flat\": -1 }, \"bodies\": [ { \"name\": \"cork\", \"size\": [1, 1, 0.8],"
    " \"density\": 300, \"position\": [2, 2, 0.1] } ] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 },\n"
    "  \"camera\": { \"position\": [2, -2, 5], \"target\": [2, 2, 0], \"up\": [0, 0, 1] } }\n";

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

// ---- the gallery

/// How far what is seen at a place is from a file's picture, fitted into 200 x 150: the mean over
/// blocks of 10 x 10 pixels, 0 to 255.
static double unlike_file(const picture *seen, int left, int top, const char *file)
{
    enum { ACROSS = 200, DOWN = 150, BLOCK = 10 };
    double sum = 0;
    int width, height, count = 0;
    uint8_t *rgba = picture_load(file, &width, &height);

    assert_non_null(rgba);
    double scale = fmax((double)width / ACROSS, (double)height / DOWN);
    int x0 = (int)(0.5 * (ACROSS - width / scale)), y0 = (int)(0.5 * (DOWN - height / scale));

    for (int y = y0; y + BLOCK < DOWN - y0; y += BLOCK) {
        for (int x = x0; x + BLOCK < ACROSS - x0; x += BLOCK) {
            double mean[3] = {0};

            for (int k = 0; k < BLOCK * BLOCK; k++) {
                int i = x + k % BLOCK, j = y + k / BLOCK;
                size_t u = (size_t)((i - x0 + 0.5) * scale), v = (size_t)((j - y0 + 0.5) * scale);

                for (int c = 0; c < 3; c++)
                    mean[c] += (double)seen->rgb[top + j][left + i][c] -
                               (double)rgba[4 * (v * (size_t)width + u) + (size_t)c];
            }
            for (int c = 0; c < 3; c++)
                sum += fabs(mean[c]) / (BLOCK * BLOCK);
            count += 3;
        }
    }
    free(rgba);
    return sum / count;
}

static double gallery_unlike(const char *title, const char *file)
{
    int x, y, width;

    hand_where(title, &x, &y, &width);
    // The button's rim is as broad on all sides; the title stands below.
    int rim = (width - 200) / 2;

    assert_true(rim >= 0 && rim < 20);
    return unlike_file(hand_grab(), x - 100, y - (150 + 2 * rim + 17) / 2 + rim, file);
}

static void the_gallery_shows_pictures(void **state)
{
    view_options options = {.threads = 1, .width = 700, .height = 640};
    int count = 0, x, y, width;
    DIR *folder = opendir(GYRE_SOURCE_DIR "/scene");

    (void)state;
    // Every scene that comes along has its own.
    assert_non_null(folder);
    for (struct dirent *d; (d = readdir(folder)) != NULL;) {
        char path[512];
        const char *ending = strstr(d->d_name, ".json");

        if (ending == NULL)
            continue;
        snprintf(path, sizeof path, GYRE_SOURCE_DIR "/doc/%.*s.png", (int)(ending - d->d_name),
                 d->d_name);
        if (access(path, R_OK) != 0)
            fail_msg("%s is not there: script/pictures makes it", path);
        count++;
    }
    closedir(folder);
    hand_start(&options);
    UNTIL(gallery_unlike("boat", GYRE_SOURCE_DIR "/doc/boat.png") < 6);
    assert_true(gallery_unlike("boat", GYRE_SOURCE_DIR "/doc/campfire.png") > 20);
    assert_true(gallery_unlike("campfire", GYRE_SOURCE_DIR "/doc/campfire.png") < 6);
    assert_true(gallery_unlike("breath", GYRE_SOURCE_DIR "/doc/breath.png") < 6);

    // The arrows lead to the last scene, which lies below what the window shows at first.
    assert_false(hand_sees("wind tunnel", &x, &y, &width));
    for (int i = 1; i < count; i++)
        TOOL("key Right");
    hand_where("wind tunnel", &x, &y, &width);
    UNTIL(gallery_unlike("wind tunnel", GYRE_SOURCE_DIR "/doc/wind_tunnel.png") < 6);
    TOOL("key Return");
    nap(500);
    UNTIL(count_in(saved("w", "my_wind_tunnel.json"), "models") == 1);
    hand_quit();
}

// ---- views by their numbers

/// Waits for a picture that has changed from `kept`, and for it to stay; keeps it.
static void changed(const char *key, int pixels)
{
    int tries = 0;

    TOOL("key %s", key);
    while (differ(hand_grab(), &kept) < pixels) {
        if (++tries > 1500)
            fail_msg("key %s changes %d pixels only", key, differ(hand_grab(), &kept));
        nap(40);
    }
    kept = *hand_grab();
}

/// Does not change what is seen.
static void refused(const char *key)
{
    TOOL("key %s", key);
    nap(400);
    if (differ(hand_grab(), &kept) > 300)
        fail_msg("key %s changes %d pixels", key, differ(hand_grab(), &kept));
}

/// The picture no longer changes by itself. Not for volumes and surfaces, whose inner image goes on
/// looking for its size.
static void settle(void)
{
    int still = 0;

    for (int tries = 0; still < 5; tries++) {
        kept = *hand_grab();
        nap(250);
        still = differ(hand_grab(), &kept) < 20 ? still + 1 : 0;
        if (tries > 400)
            fail_msg("the picture of a scene that rests does not");
    }
}

/// From a view that rests each key must change what is seen by itself.
static void start_in(const char *mode, const char *scene)
{
    view_options options = {.scene = "scene.json",
                            .threads = 1,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .hidden_gui = true,
                            .mode = mode};

    write_file("scene.json", scene);
    hand_start(&options);
    UNTIL(count_in(saved("w", "my_scene.json"), "models") == 1);
    kept = *hand_grab();
}

static void each_number_has_its_view(void **state)
{
    (void)state;
    start_in("map", cube);
    UNTIL(differ(hand_grab(), &kept) > 500); // smoke rises
    TOOL("key space");
    settle();
    changed("2", 300);
    changed("3", 300);
    changed("5", 2000);
    changed("1", 2000);
    changed("4", 2000);
    changed("5", 2000);
    settle();
    refused("6");
    refused("7");
    TOOL("keydown ctrl click --repeat 5 4 keyup ctrl");
    nap(300);
    settle();
    changed("0", 2000);
    hand_quit();

    start_in("map", pool);
    TOOL("key space");
    settle();
    changed("7", 2000);
    changed("2", 2000);
    changed("6", 2000);
    changed("1", 2000);
    settle();
    refused("4");
    refused("5");
    hand_quit();
}

// ---- water under the hand

/// How often the session's record has a text.
static int recorded(const char *text)
{
    return count_in(saved("W", "my_scene.replay.json"), text);
}

static void water_is_poured_and_bodies_follow(void **state)
{
    (void)state;
    start(pool, WIDTH, HEIGHT, true);
    UNTIL(bright(hand_grab(), 240, 150) > 120);
    nap(1000);
    double before = bright(hand_grab(), 240, 150);

    // The cork goes with the pointer: in the middle, where it was, there is water.
    hand_point(240, 180);
    TOOL("mousedown 1");
    UNTIL(recorded("water.bodies.cork.held") == 1);
    for (int i = 1; i <= 8; i++) {
        hand_point(240 + 11 * i, 180);
        nap(60);
    }
    UNTIL(fabs(bright(hand_grab(), 240, 150) - before) > 60);
    TOOL("mouseup 1");
    UNTIL(recorded("water.bodies.cork.held") == 2);
    assert_true(recorded("water.bodies.cork.position") > 0);
    assert_int_equal(recorded("brush_dye") + recorded("brush_push"), 0);
    // Beside it the left button pours, and the right one takes away.
    hand_point(140, 180);
    TOOL("mousedown 1");
    UNTIL(recorded("brush_dye") > 0);
    TOOL("mouseup 1");
    nap(200);
    assert_int_equal(recorded("brush_push"), 0);
    TOOL("mousedown 3");
    UNTIL(recorded("brush_push") > 0);
    TOOL("mouseup 3");
    nap(200);
    assert_int_equal(recorded("water.bodies.cork.held"), 2);
    hand_quit();
    assert_int_equal(shell("cd %s && %s/gyre run --quiet --replay my_scene.replay.json",
                           hand_folder, GYRE_BINARY_DIR),
                     0);
}

// ---- values

/// White lettering at the bottom right, where the value under the pointer stands.
static int lettering(void)
{
    const picture *p = hand_grab();
    int white = 0;

    for (int j = p->height - 26; j < p->height - 6; j++) {
        for (int i = p->width - 110; i < p->width - 8; i++)
            white += p->rgb[j][i][0] > 200 && p->rgb[j][i][1] > 200 && p->rgb[j][i][2] > 200;
    }
    return white;
}

static void the_value_under_the_pointer_is_told(void **state)
{
    (void)state;
    for (int water = 0; water < 2; water++) {
        start(water ? pool : square, WIDTH, HEIGHT, false);
        TOOL("key Tab space");
        hand_point(10, 100);
        UNTIL(lettering() < 20); // a message ends further left
        hand_point(240, water ? 110 : 180);
        UNTIL(lettering() > 100);
        hand_point(10, 100);
        UNTIL(lettering() < 20);
        hand_quit();
    }
}

// ---- sizes

static void small_windows_work(void **state)
{
    (void)state;
    start(square, 160, 120, false);
    // The picture comes first: no panel over it.
    UNTIL(hand_width == 160 && bright(hand_grab(), 80, 60) > 60 &&
          bright(hand_grab(), 32, 60) < 20);
    hand_point(45, 60);
    TOOL("mousedown 1");
    UNTIL(bright(hand_grab(), 45, 60) > 100);
    TOOL("mouseup 1 key space");
    for (int i = 0; i < 3; i++) {
        const char *keys[] = {"Tab", "h", "g"};

        nap(200);
        kept = *hand_grab();
        changed(keys[i], 1000);
        TOOL("key %s", keys[i]);
    }
    // Smaller than any scene's legend, larger, and narrow: the block stays in the middle.
    static const int sizes[][2] = {{64, 48}, {700, 500}, {90, 600}, {900, 60}};

    for (int i = 0; i < 4; i++) {
        int w = sizes[i][0], h = sizes[i][1], block = (w < h ? w : h) / 8;

        XMoveResizeWindow(hand_display, hand_window, 0, 0, (unsigned)w, (unsigned)h);
        XSync(hand_display, False);
        UNTIL(hand_find() && hand_width == w && hand_height == h);
        UNTIL(bright(hand_grab(), w / 2 - block / 2, h / 2 + block / 2) > 60);
    }
    hand_quit();
}

static void large_windows_work(void **state)
{
    static const int width = 3840, height = 2160;
    int seen_width, seen_height;
    char path[128];
    view_options options = {.scene = "scene.json",
                            .threads = 1,
                            .width = width,
                            .height = height,
                            .frames = 4,
                            .screenshot = "large.png"};

    (void)state;
    write_file("scene.json", square);
    hand_launch(&options);
    assert_int_equal(hand_ended(NULL), 0);
    snprintf(path, sizeof path, "%s/large.png", hand_folder);
    uint8_t *rgba = picture_load(path, &seen_width, &seen_height);

    assert_non_null(rgba);
    assert_int_equal(seen_width, width);
    assert_int_equal(seen_height, height);
    // Beside the panel of 360 pixels: a square of 2160, its block of 3/10 in the middle, dark round
    // it.
    const uint8_t *middle = rgba + (size_t)4 * ((size_t)(1080 * width) + 2100);
    const uint8_t *rim = rgba + (size_t)4 * ((size_t)(1080 * width) + 2100 + 400);
    const uint8_t *corner = rgba + (size_t)4 * ((size_t)(2100 * width) + 2100 + 1000);

    assert_true(middle[0] > 60 && rim[0] < 20 && corner[0] < 20);
    free(rgba);
}

// ---- the paper's own loop

/// Of a column.
static double brightest(const picture *p, int x)
{
    double most = 0;

    for (int y = 4; y < p->height - 4; y++)
        most = fmax(most, bright(p, x, y));
    return most;
}

static void the_prototype_pours_and_pushes(void **state)
{
    char name[] = "prototype", cells[] = "64";
    int lines = 0;
    FILE *f = fopen(GYRE_SOURCE_DIR "/sample/prototype.c", "r");

    (void)state;
    assert_non_null(f);
    for (int c; (c = fgetc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    assert_true(lines > 0 && lines <= 150);
    hand_exec("sample/prototype", (char *const[]){name, cells, NULL}, NULL, NULL);
    UNTIL(hand_find());
    XSetInputFocus(hand_display, hand_window, RevertToPointerRoot, CurrentTime);
    XSync(hand_display, False);
    int x = hand_width / 3, y = hand_height / 2;

    hand_point(x, y);
    UNTIL(bright(hand_grab(), x, y) < 5);
    TOOL("mousedown 1");
    UNTIL(bright(hand_grab(), x, y) > 100);
    TOOL("mouseup 1");
    // Dye is pushed to the right, where none was.
    assert_true(brightest(hand_grab(), 2 * x) < 60);
    for (int tries = 0; brightest(hand_grab(), 2 * x) < 100; tries++) {
        hand_point(x, y);
        TOOL("mousedown 1");
        nap(60);
        TOOL("mouseup 1");
        hand_drag(3, x, y, 2 * x, y);
        if (tries > 200)
            fail_msg("no dye comes to the right");
    }
    kept = *hand_grab();
    TOOL("key v");
    UNTIL(differ(hand_grab(), &kept) > 2000);
    TOOL("key v");
    TOOL("key c");
    UNTIL(bright(hand_grab(), x, y) < 5);
    assert_int_equal(hand_ended("q"), 0);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_gallery_shows_pictures, hand_tidy),
        cmocka_unit_test_teardown(each_number_has_its_view, hand_tidy),
        cmocka_unit_test_teardown(water_is_poured_and_bodies_follow, hand_tidy),
        cmocka_unit_test_teardown(the_value_under_the_pointer_is_told, hand_tidy),
        cmocka_unit_test_teardown(small_windows_work, hand_tidy),
        cmocka_unit_test_teardown(large_windows_work, hand_tidy),
        cmocka_unit_test_teardown(the_prototype_pours_and_pushes, hand_tidy),
    };

    if (getenv("GYRE_TEST_NO_GL") != NULL) {
        printf("left out: GYRE_TEST_NO_GL is set\n");
        return 0;
    }
    // One of them alone, by its name.
    cmocka_set_test_filter(count > 1 ? words[1] : NULL);
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
