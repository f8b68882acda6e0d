// test/hand_rig.h: the viewer on a display of the test's own, with a hand. The viewer is app_run()
// in a child process; mouse and keys are real events of X (xdotool), fingers and dropped files are
// events of SDL that the child is told to push; what is seen is read from the display.
#ifndef HAND_RIG_H
#define HAND_RIG_H

#include "view/app.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SCREEN_WIDTH = 960, SCREEN_HEIGHT = 720, WIDTH = 480, HEIGHT = 360 };

static char hand_folder[64];
static pid_t hand_server, hand_viewer;
static int hand_to = -1, hand_from = -1; // pipes to the child and back
static Display *hand_display;
static Window hand_window;
static int hand_x, hand_y, hand_width, hand_height; // the window on the screen

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

/// Waits until `expression` holds, looking again and again; then goes on, or fails.
#define UNTIL(expression)                                                                          \
    do {                                                                                           \
        int tries_ = 0;                                                                            \
        while (!(expression)) {                                                                    \
            if (++tries_ > 1500) {                                                                 \
                fail_msg("in vain waited for: %s", #expression);                                   \
            }                                                                                      \
            nap(40);                                                                               \
        }                                                                                          \
    } while (0)

// ---- in the child

// "finger down 1 0.5 0.5", "drop /a/b.png", "where viscosity", "quit": a line each.
static int hand_obey(void *argument)
{
    FILE *commands = fdopen(((int *)argument)[0], "r");
    int back = ((int *)argument)[1];
    char line[512], what[16], text[400];

    while (commands != NULL && fgets(line, sizeof line, commands) != NULL) {
        SDL_Event e = {0};
        int id;

        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "finger %15s %d %f %f", what, &id, &e.tfinger.x, &e.tfinger.y) == 4) {
            e.type = strcmp(what, "down") == 0 ? SDL_FINGERDOWN
                     : strcmp(what, "up") == 0 ? SDL_FINGERUP
                                               : SDL_FINGERMOTION;
            e.tfinger.fingerId = id;
            e.tfinger.touchId = 7;
            SDL_PushEvent(&e);
        } else if (sscanf(line, "drop %399s", text) == 1) {
            e.type = SDL_DROPFILE;
            e.drop.file = SDL_strdup(text);
            SDL_PushEvent(&e);
        } else if (strncmp(line, "where ", 6) == 0) {
            float at[4] = {0};
            bool found = false;

            gui_watch(line + 6);
            for (int tries = 0; tries < 150 && !found; tries++) {
                SDL_Delay(20);
                found = gui_watched(at);
            }
            gui_watch("");
            int size = snprintf(text, sizeof text, "%d %.0f %.0f %.0f %.0f\n", found, (double)at[0],
                                (double)at[1], (double)at[2], (double)at[3]);
            if (write(back, text, (size_t)size) != size)
                return 1;
        }
    }
    return 0;
}

static int hand_child(const view_options *options, int from, int back)
{
    static int ends[2];

    if (chdir(hand_folder) != 0 || freopen("viewer.log", "w", stderr) == NULL ||
        freopen("viewer.out", "w", stdout) == NULL)
        return 127;
    setvbuf(stderr, NULL, _IONBF, 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    // The display's connection is the parent's.
    close(ConnectionNumber(hand_display));
    ends[0] = from;
    ends[1] = back;
    SDL_SetMainReady();
    SDL_DetachThread(SDL_CreateThread(hand_obey, "hand", ends));
    return app_run(options);
}

// ---- the window

static int hand_ignore(Display *display, XErrorEvent *event)
{
    // A window that is asked about may just have gone.
    (void)display, (void)event;
    return 0;
}

// The viewer's window: the only one on this display that has a title of it.
static bool hand_find(void)
{
    Window root, parent, *children = NULL;
    unsigned count = 0;

    hand_window = 0;
    if (!XQueryTree(hand_display, DefaultRootWindow(hand_display), &root, &parent, &children,
                    &count))
        return false;
    for (unsigned i = 0; i < count; i++) {
        char *name = NULL;
        XWindowAttributes at;

        if (XFetchName(hand_display, children[i], &name) && name != NULL &&
            strstr(name, "gyre") != NULL && XGetWindowAttributes(hand_display, children[i], &at) &&
            at.map_state == IsViewable) {
            hand_window = children[i];
            hand_x = at.x;
            hand_y = at.y;
            hand_width = at.width;
            hand_height = at.height;
        }
        XFree(name);
    }
    XFree(children);
    return hand_window != 0;
}

/// Starts the viewer; its window need not come.
static void hand_launch(const view_options *options)
{
    int to[2], back[2];

    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(back), 0);
    fflush(NULL);
    hand_viewer = fork();
    if (hand_viewer == 0) {
        close(to[1]);
        close(back[0]);
        _exit(hand_child(options, to[0], back[1]));
    }
    close(to[0]);
    close(back[1]);
    hand_to = to[1];
    hand_from = back[0];
    assert_true(hand_viewer > 0);
}

static void hand_start(const view_options *options)
{
    hand_launch(options);
    UNTIL(hand_find());
    // There is no window manager to give it the keys.
    XSetInputFocus(hand_display, hand_window, RevertToPointerRoot, CurrentTime);
    XSync(hand_display, False);
}

/// Runs a program of this build instead, with a variable set for it where `variable` is not NULL.
/// Its window need not come.
static inline void hand_exec(const char *program, char *const *words, const char *variable,
                             const char *value)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", GYRE_BINARY_DIR, program);
    hand_to = hand_from = -1;
    fflush(NULL);
    hand_viewer = fork();
    if (hand_viewer == 0) {
        close(ConnectionNumber(hand_display));
        if (variable != NULL)
            setenv(variable, value, 1);
        if (chdir(hand_folder) == 0 && freopen("viewer.log", "w", stderr) != NULL)
            execv(path, words);
        _exit(127);
    }
    assert_true(hand_viewer > 0);
}

/// The status that the viewer ends with, at that key or (NULL) by itself. A first key may come
/// before the window has the focus.
static int hand_ended(const char *key)
{
    int status = 0;

    for (int tries = 0; tries < 250; tries++) {
        if (key != NULL && tries % 25 == 0)
            TOOL("key %s", key);
        if (waitpid(hand_viewer, &status, WNOHANG) == hand_viewer) {
            hand_viewer = 0;
            close(hand_to);
            close(hand_from);
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        nap(40);
    }
    fail_msg("the viewer did not end");
    return -1;
}

static void hand_quit(void)
{
    assert_int_equal(hand_ended("q"), 0);
}

static void hand_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void hand_tell(const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_int_equal(write(hand_to, line, (size_t)size), size);
}

/// The middle of the element with that label, in pixels of the window. False: it is not to be seen.
static bool hand_sees(const char *label, int *x, int *y, int *width)
{
    char answer[100] = "";
    float at[4];
    int found = 0;

    hand_tell("where %s\n", label);
    ssize_t got = read(hand_from, answer, sizeof answer - 1);

    if (got <= 0 || sscanf(answer, "%d %f %f %f %f", &found, &at[0], &at[1], &at[2], &at[3]) != 5 ||
        !found)
        return false;
    *x = (int)(at[0] + 0.5f * at[2]);
    *y = (int)(at[1] + 0.5f * at[3]);
    *width = (int)at[2];
    return true;
}

static void hand_where(const char *label, int *x, int *y, int *width)
{
    if (!hand_sees(label, x, y, width))
        fail_msg("there is no \"%s\" to be seen", label);
}

static void hand_point(int x, int y)
{
    TOOL("mousemove %d %d", hand_x + x, hand_y + y);
}

/// Presses the element with that label.
static inline void hand_press(const char *label)
{
    int x, y, width;

    hand_where(label, &x, &y, &width);
    hand_point(x - width / 2 + 10, y);
    nap(80);
    TOOL("mousedown 1");
    nap(80);
    TOOL("mouseup 1");
    nap(80);
}

static void hand_drag(int button, int x0, int y0, int x1, int y1)
{
    hand_point(x0, y0);
    nap(60);
    TOOL("mousedown %d", button);
    nap(60);
    for (int i = 1; i <= 8; i++) {
        hand_point(x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8);
        nap(30);
    }
    nap(60);
    TOOL("mouseup %d", button);
}

// ---- what is seen

typedef struct picture {
    int width, height;
    uint8_t rgb[SCREEN_HEIGHT][SCREEN_WIDTH][3];
} picture;

/// What a window shows, or the screen where it is.
static const picture *hand_grab_window(Window window, int x, int y, int width, int height)
{
    static picture shots[2];
    static int next;
    picture *shot = &shots[next ^= 1];
    XImage *image = XGetImage(hand_display, window, x, y, (unsigned)width, (unsigned)height,
                              AllPlanes, ZPixmap);

    assert_non_null(image);
    shot->width = width;
    shot->height = height;
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < width; i++) {
            unsigned long pixel = XGetPixel(image, i, j);

            for (int c = 0; c < 3; c++)
                shot->rgb[j][i][c] = (uint8_t)(pixel >> (16 - 8 * c));
        }
    }
    XDestroyImage(image);
    return shot;
}

static const picture *hand_grab(void)
{
    assert_true(hand_find());
    return hand_grab_window(DefaultRootWindow(hand_display), hand_x, hand_y, hand_width,
                            hand_height);
}

/// Mean brightness round a pixel, 0 to 255.
static double bright(const picture *p, int x, int y)
{
    double sum = 0;

    for (int j = -3; j <= 3; j++) {
        for (int i = -3; i <= 3; i++) {
            for (int c = 0; c < 3; c++)
                sum += p->rgb[y + j][x + i][c];
        }
    }
    return sum / (3 * 49);
}

/// How many pixels differ clearly.
static int differ(const picture *a, const picture *b)
{
    int count = 0;

    if (a->width != b->width || a->height != b->height)
        return SCREEN_WIDTH * SCREEN_HEIGHT;
    for (int j = 0; j < a->height; j++) {
        for (int i = 0; i < a->width; i++) {
            const uint8_t *c = a->rgb[j][i], *d = b->rgb[j][i];

            count += abs(c[0] - d[0]) + abs(c[1] - d[1]) + abs(c[2] - d[2]) > 40;
        }
    }
    return count;
}

// ---- files

static bool there(const char *name)
{
    char path[128];
    struct stat s;

    snprintf(path, sizeof path, "%s/%s", hand_folder, name);
    return stat(path, &s) == 0 && s.st_size > 0;
}

static void forget(const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", hand_folder, name);
    unlink(path);
}

/// A file as text, until the next call.
static const char *contents(const char *name)
{
    static char text[400000];
    char path[128];

    snprintf(path, sizeof path, "%s/%s", hand_folder, name);
    FILE *f = fopen(path, "r");
    size_t size = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;

    text[size] = '\0';
    if (f != NULL)
        fclose(f);
    return text;
}

static void write_file(const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", hand_folder, name);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/// The scene as it is now, by the key w: to be written as `name`.
static const char *saved(const char *key, const char *name)
{
    forget(name);
    // The first key may come before the window has the focus.
    for (int tries = 0; !there(name) && tries < 1500; tries++) {
        if (tries % 25 == 0)
            TOOL("key %s", key);
        nap(40);
    }
    if (!there(name))
        fail_msg("key %s does not write %s", key, name);
    nap(50);
    return contents(name);
}

/// A number in a saved scene; `none` where it is not there.
static inline double number_in(const char *text, const char *name, double none)
{
    char key[80];

    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(text, key);

    return at != NULL ? strtod(at + strlen(key), NULL) : none;
}

static int count_in(const char *text, const char *part)
{
    int count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

// ---- before and after

static int hand_open(void **state)
{
    int ends[2];
    char number[16] = "", name[24], size[24];

    (void)state;
    snprintf(hand_folder, sizeof hand_folder, "/tmp/test_view_XXXXXX");
    if (mkdtemp(hand_folder) == NULL || pipe(ends) != 0)
        return -1;
    snprintf(size, sizeof size, "%dx%dx24", SCREEN_WIDTH, SCREEN_HEIGHT);
    hand_server = fork();
    if (hand_server == 0) {
        char fd[16];

        close(ends[0]);
        snprintf(fd, sizeof fd, "%d", ends[1]);
        dup2(open("/dev/null", O_WRONLY), 2);
        execlp("Xvfb", "Xvfb", "-noreset", "-displayfd", fd, "-screen", "0", size, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    size_t got = 0;

    // The number may come in pieces.
    while (got < sizeof number - 1 && strchr(number, '\n') == NULL &&
           read(ends[0], number + got, 1) == 1)
        got++;
    close(ends[0]);
    number[strcspn(number, "\n")] = '\0';
    snprintf(name, sizeof name, ":%.14s", number);
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("SDL_VIDEODRIVER");
    setenv("DISPLAY", name, 1);
    hand_display = got > 0 ? XOpenDisplay(name) : NULL;
    if (hand_display == NULL) {
        fprintf(stderr, "there is no Xvfb (Debian: xvfb): this test cannot look at a window\n");
        return -1;
    }
    XSetErrorHandler(hand_ignore);
    return 0;
}

static int hand_close(void **state)
{
    (void)state;
    if (hand_viewer > 0) {
        kill(hand_viewer, SIGKILL);
        waitpid(hand_viewer, NULL, 0);
    }
    if (hand_display != NULL)
        XCloseDisplay(hand_display);
    if (hand_server > 0) {
        kill(hand_server, SIGTERM);
        waitpid(hand_server, NULL, 0);
    }
    return shell("rm -r %s", hand_folder);
}

/// After each test: one that failed may have left its viewer.
static int hand_tidy(void **state)
{
    (void)state;
    if (hand_viewer > 0) {
        kill(hand_viewer, SIGKILL);
        waitpid(hand_viewer, NULL, 0);
        hand_viewer = 0;
        close(hand_to);
        close(hand_from);
    }
    TOOL("mouseup 1 mouseup 2 mouseup 3 keyup alt keyup ctrl keyup shift");
    return shell("rm -f %s/*", hand_folder);
}

#endif
