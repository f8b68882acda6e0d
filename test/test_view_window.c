// labels: gl
// test/test_view_window.c: the viewer as a user has it: a window on an X server of this test's own,
// driven by real mouse and key events from xdotool, and looked at by grabbing the screen.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { WIDTH = 480, HEIGHT = 360, SCREEN_WIDTH = 640, SCREEN_HEIGHT = 480 };

static char folder[64], display[16];
static pid_t server, viewer;
static int window_x, window_y;

// A closed square with a block in its right half; smoke that is poured in stays.
static const char scene[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [48, 48, 1], \"h\": 0.0208333 },\n"
    "  \"gravity\": [0, 0, 0],\n"
    "  \"solids\": [ { \"name\": \"block\", \"shape\": { \"box\": { \"centre\": [0.75, 0.5, 0],"
    " \"size\": [0.24, 0.24, 2] } } } ] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 }, \"view\": { \"map\": \"gray\","
    " \"range\": [0, 1] } }\n";

static void nap(int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&t, NULL);
}

static int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int shell(const char *format, ...)
{
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define TOOL(...) shell("xdotool " __VA_ARGS__)

// ---- what is seen

typedef struct picture {
    uint8_t rgb[SCREEN_HEIGHT][SCREEN_WIDTH][3];
} picture;

static picture *grab(void)
{
    static picture shots[2];
    static int next;
    char command[256];
    picture *shot = &shots[next ^= 1];
    snprintf(command, sizeof command,
             "ffmpeg -loglevel error -f x11grab -draw_mouse 0 -video_size %dx%d -i %s -frames:v 1 "
             "-f rawvideo -pix_fmt rgb24 - 2>/dev/null",
             SCREEN_WIDTH, SCREEN_HEIGHT, display);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t got = fread(shot, 1, sizeof *shot, pipe);
    pclose(pipe);
    if (got != sizeof *shot) {
        fail_msg("the screen could not be grabbed: %zu bytes of %zu", got, sizeof *shot);
    }
    return shot;
}

/// Mean brightness round a pixel of the window, 0 to 255.
static double bright(const picture *p, int x, int y)
{
    double sum = 0;
    for (int j = -3; j <= 3; j++) {
        for (int i = -3; i <= 3; i++) {
            const uint8_t *c = p->rgb[window_y + y + j][window_x + x + i];
            sum += c[0] + c[1] + c[2];
        }
    }
    return sum / (3 * 49);
}

/// What is bright and gray in the square that the scene fills: its sum, and the mean of x.
static double smoke(const picture *p, double *x)
{
    double sum = 0, moment = 0;
    for (int j = 40; j < HEIGHT - 40; j++) {
        for (int i = (WIDTH - HEIGHT) / 2 + 4; i < (WIDTH + HEIGHT) / 2 - 4; i++) {
            const uint8_t *c = p->rgb[window_y + j][window_x + i];
            bool gray = abs(c[0] - c[1]) < 12 && abs(c[1] - c[2]) < 12;
            double value = gray && c[0] > 24 ? c[0] : 0;
            sum += value;
            moment += value * i;
        }
    }
    if (x) {
        *x = sum > 0 ? moment / sum : 0;
    }
    return sum;
}

/// How many pixels of the window differ clearly.
static int differ(const picture *a, const picture *b)
{
    int count = 0;
    for (int j = 0; j < HEIGHT; j++) {
        for (int i = 0; i < WIDTH; i++) {
            const uint8_t *c = a->rgb[window_y + j][window_x + i];
            const uint8_t *d = b->rgb[window_y + j][window_x + i];
            count += abs(c[0] - d[0]) + abs(c[1] - d[1]) + abs(c[2] - d[2]) > 40;
        }
    }
    return count;
}

/// Waits until `expression` holds, looking again and again; then goes on, or fails.
#define UNTIL(expression)                                                                          \
    do {                                                                                           \
        int tries_ = 0;                                                                            \
        while (!(expression)) {                                                                    \
            if (++tries_ > 1000) {                                                                 \
                fail_msg("in vain waited for: %s", #expression);                                   \
            }                                                                                      \
            nap(60);                                                                               \
        }                                                                                          \
    } while (0)

// ---- the viewer

static bool there(const char *name)
{
    char path[128];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &s) == 0 && s.st_size > 0;
}

static bool window_is_there(void)
{
    char command[256], line[64] = "";
    snprintf(command, sizeof command,
             "xdotool search --onlyvisible --name gyre getwindowgeometry --shell 2>/dev/null");
    FILE *pipe = popen(command, "r");
    bool found = false;
    while (pipe && fgets(line, sizeof line, pipe)) {
        found = sscanf(line, "X=%d", &window_x) == 1 || found;
        sscanf(line, "Y=%d", &window_y);
    }
    if (pipe) {
        pclose(pipe);
    }
    return found;
}

/// What the viewer had to say; for a failure to come.
static void show_log(void)
{
    char path[128], line[256];
    snprintf(path, sizeof path, "%s/viewer.log", folder);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        fprintf(stderr, "viewer: %s", line);
    }
    if (file) {
        fclose(file);
    }
}

static void start(const char *const *more)
{
    char path[256], *argv[16] = {path, "scene.json", "--size", "480x360", "--threads", "1"};
    int count = 6;
    snprintf(path, sizeof path, "%s/gyre-view", GYRE_BINARY_DIR);
    for (; more && *more; more++) {
        argv[count++] = (char *)(uintptr_t)*more;
    }
    argv[count] = NULL;
    viewer = fork();
    if (viewer == 0) {
        if (chdir(folder) == 0 && freopen("viewer.log", "w", stderr)) {
            execv(path, argv);
        }
        _exit(127);
    }
    assert_true(viewer > 0);
    for (int tries = 0; tries < 300 && !window_is_there(); tries++) {
        nap(60);
    }
    if (!window_is_there()) {
        show_log();
    }
    UNTIL(window_is_there());
    // The edge of the block, which the panel leaves free: the scene is drawn.
    UNTIL(bright(grab(), 367, 180) > 60);
}

static int ended(void)
{
    int status = 0;
    for (int tries = 0; tries < 200; tries++) {
        if (waitpid(viewer, &status, WNOHANG) == viewer) {
            viewer = 0;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        nap(50);
    }
    kill(viewer, SIGKILL);
    waitpid(viewer, &status, 0);
    viewer = 0;
    fail_msg("the viewer did not end");
    return -1;
}

static void quit(void)
{
    TOOL("key q");
    assert_int_equal(ended(), 0);
}

static void point(int x, int y)
{
    TOOL("mousemove %d %d", window_x + x, window_y + y);
}

// ---- tests

enum { LEFT = 150, MIDDLE = 180 }; // where smoke is poured

static const char *const bare[] = {"--hidden-gui", NULL};

/// Smoke appears under the pointer and nowhere else, moves where it is pushed, and does not get
/// into the block; what was done is replayed to the same hash.
static void the_hand_is_in_the_fluid(void **state)
{
    double before, after, x0, x1;
    (void)state;
    start(bare);
    before = smoke(grab(), NULL);
    assert_true(bright(grab(), LEFT, MIDDLE) < 20);
    point(LEFT, MIDDLE);
    TOOL("mousedown 1");
    UNTIL(bright(grab(), LEFT, MIDDLE) > 120);
    TOOL("mouseup 1");
    assert_true(bright(grab(), LEFT, 320) < 20 && bright(grab(), 400, MIDDLE) < 20);
    after = smoke(grab(), &x0);
    assert_true(after > before + 10000 && x0 > LEFT - 20 && x0 < LEFT + 20);

    TOOL("mousedown 3");
    for (int i = 0; i < 12; i++) {
        point(LEFT + 5 * i, MIDDLE);
        nap(30);
    }
    TOOL("mouseup 3");
    UNTIL(smoke(grab(), &x1) > 0 && x1 > x0 + 12);

    // In the block nothing can be poured, and its colour stays.
    TOOL("key space");
    nap(300);
    const picture *whole = grab();
    double block = bright(whole, 330, MIDDLE);
    before = smoke(whole, NULL);
    TOOL("key space");
    point(330, MIDDLE);
    TOOL("keydown shift keyup shift mousedown 1");
    nap(500);
    TOOL("mouseup 1");
    assert_true(bright(grab(), 330, MIDDLE) > block - 6 && bright(grab(), 330, MIDDLE) < block + 6);

    TOOL("key space");
    TOOL("key W");
    UNTIL(there("my_scene.replay.json"));
    nap(300);
    quit();
    assert_int_equal(shell("cd %s && %s/gyre run --quiet --replay my_scene.replay.json", folder,
                           GYRE_BINARY_DIR),
                     0);
    assert_int_equal(shell("cd %s && grep -q brush my_scene.replay.json", folder), 0);
}

static picture kept;

/// A key changes the picture clearly, and again back when `twice`.
/// Nothing but little has changed for longer than a note stands.
static bool is_still(void)
{
    kept = *grab();
    bool still = true;
    for (int i = 0; i < 11 && still; i++) {
        nap(400);
        still = differ(grab(), &kept) < 200;
    }
    return still;
}

static void check_key(const char *key, int pixels, bool twice)
{
    kept = *grab();
    TOOL("key %s", key);
    UNTIL(differ(grab(), &kept) > pixels);
    if (twice) {
        TOOL("key %s", key);
        int tries = 0, left;
        while ((left = differ(grab(), &kept)) > pixels && ++tries < 150) {
            nap(60);
        }
        if (left > pixels) {
            fail_msg("key %s, given twice, leaves %d pixels changed", key, left);
        }
    }
}

static void every_key_does_its_thing(void **state)
{
    (void)state;
    start(NULL);
    point(LEFT, 100);
    TOOL("key Tab"); // the panel covers the left of so small a window
    nap(400);
    // Something that moves, and something to be seen.
    TOOL("mousedown 1");
    UNTIL(bright(grab(), LEFT, 100) > 120);
    TOOL("mouseup 1");
    TOOL("mousedown 3");
    for (int i = 0; i < 10; i++) {
        point(LEFT + 6 * i, 100 + 8 * i);
        nap(30);
    }
    TOOL("mouseup 3");
    TOOL("key space");
    UNTIL(is_still()); // it pauses, and notes have gone
    check_key("v", 150, true);
    check_key("h", 5000, true);
    check_key("2", 100, false);
    check_key("3", 500, false);
    check_key("1", 500, false);
    check_key("m", 2000, false);
    check_key("Tab", 5000, true);
    check_key("f", 500, false);
    TOOL("key F");
    nap(300);
    kept = *grab();
    for (int i = 0; i < 5; i++) {
        TOOL("key n");
        nap(60);
    }
    UNTIL(differ(grab(), &kept) > 60); // single steps
    TOOL("key s");
    UNTIL(there("gyre-0001.png"));
    TOOL("key w");
    UNTIL(there("my_scene.json"));
    check_key("m", 2000, false);
    TOOL("key F"); // to density again, by whatever way
    nap(300);
    kept = *grab();
    TOOL("key c"); // clear: what was poured is gone
    UNTIL(differ(grab(), &kept) > 500);
    check_key("b", 2000, false);
    check_key("b", 2000, false);
    check_key("g", 5000, false);
    TOOL("key g");
    TOOL("key r");
    nap(300);
    quit();
    assert_int_equal(
        shell("cd %s && %s/gyre run my_scene.json --frames 3 --quiet", folder, GYRE_BINARY_DIR), 0);
}

/// Recording when the end comes: the file is whole.
static void a_recording_survives(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        shell("rm -f %s/gyre-0001.mp4", folder);
        start(bare);
        TOOL("key R");
        nap(1500);
        if (way == 0) {
            kill(viewer, SIGTERM);
            assert_int_equal(ended(), 0);
        } else {
            // The display disappears.
            kill(server, SIGTERM);
            waitpid(server, NULL, 0);
            server = 0;
            assert_int_equal(ended(), 1);
            assert_int_equal(shell("cd %s && grep -q display viewer.log", folder), 0);
        }
        UNTIL(there("gyre-0001.mp4"));
        assert_int_equal(shell("ffprobe -v error -count_frames -select_streams v -show_entries "
                               "stream=nb_read_frames -of csv=p=0 %s/gyre-0001.mp4 | grep -q "
                               "'[1-9]'",
                               folder),
                         0);
    }
}

static void no_display_is_told(void **state)
{
    (void)state;
    assert_int_equal(
        shell("cd %s && DISPLAY= %s/gyre view scene.json 2>err.txt", folder, GYRE_BINARY_DIR), 1);
    assert_int_equal(
        shell("cd %s && grep -q 'no display' err.txt && test $(wc -l <err.txt) = 1", folder), 0);
}

// ---- before and after

static int start_server(void **state)
{
    int ends[2];
    char number[16] = "", path[96];
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test_view_XXXXXX");
    if (!mkdtemp(folder) || pipe(ends) != 0) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/scene.json", folder);
    FILE *f = fopen(path, "w");
    if (!f || fputs(scene, f) < 0 || fclose(f) != 0) {
        return -1;
    }
    server = fork();
    if (server == 0) {
        char fd[16];
        close(ends[0]);
        snprintf(fd, sizeof fd, "%d", ends[1]);
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        execlp("Xvfb", "Xvfb", "-noreset", "-displayfd", fd, "-screen", "0", "640x480x24",
               (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    size_t got = 0;
    // The number may come in pieces.
    while (got < sizeof number - 1 && !strchr(number, '\n') &&
           read(ends[0], number + got, 1) == 1) {
        got++;
    }
    close(ends[0]);
    if (server < 0 || got == 0) {
        fprintf(stderr, "there is no Xvfb (Debian: xvfb): this test cannot look at a window\n");
        return -1;
    }
    number[strcspn(number, "\n")] = 0;
    snprintf(display, sizeof display, ":%.14s", number);
    unsetenv("WAYLAND_DISPLAY");
    return setenv("DISPLAY", display, 1);
}

static int stop_server(void **state)
{
    (void)state;
    if (viewer > 0) {
        kill(viewer, SIGKILL);
        waitpid(viewer, NULL, 0);
    }
    if (server > 0) {
        kill(server, SIGTERM);
        waitpid(server, NULL, 0);
    }
    return shell("rm -r %s", folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hand_is_in_the_fluid),
        cmocka_unit_test(every_key_does_its_thing),
        cmocka_unit_test(no_display_is_told),
        // The last: it ends the display.
        cmocka_unit_test(a_recording_survives),
    };
    return cmocka_run_group_tests(tests, start_server, stop_server);
}
