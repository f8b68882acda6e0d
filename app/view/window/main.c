// view/window/main.c: gyre-view: the options.
#include "view/app.h"
#include "view/window/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_USAGE = 2 };

enum {
    OPTION_SET = 1000,
    OPTION_THREADS,
    OPTION_DEVICE,
    OPTION_SIZE,
    OPTION_FRAMES,
    OPTION_SCREENSHOT,
    OPTION_HIDDEN,
    OPTION_PAUSED,
    OPTION_FULL,
    OPTION_SPLIT,
    OPTION_MODE,
    OPTION_FIELD,
    OPTION_COPY,
    OPTION_SAVER,
    OPTION_WINDOW,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option longs[] = {{"set", required_argument, NULL, OPTION_SET},
                                      {"threads", required_argument, NULL, OPTION_THREADS},
                                      {"device", required_argument, NULL, OPTION_DEVICE},
                                      {"size", required_argument, NULL, OPTION_SIZE},
                                      {"frames", required_argument, NULL, OPTION_FRAMES},
                                      {"screenshot", required_argument, NULL, OPTION_SCREENSHOT},
                                      {"hidden-gui", no_argument, NULL, OPTION_HIDDEN},
                                      {"paused", no_argument, NULL, OPTION_PAUSED},
                                      {"full-screen", no_argument, NULL, OPTION_FULL},
                                      {"split", no_argument, NULL, OPTION_SPLIT},
                                      {"mode", required_argument, NULL, OPTION_MODE},
                                      {"field", required_argument, NULL, OPTION_FIELD},
                                      {"copy-fields", no_argument, NULL, OPTION_COPY},
                                      {"saver", no_argument, NULL, OPTION_SAVER},
                                      {"window-id", required_argument, NULL, OPTION_WINDOW},
                                      {"help", no_argument, NULL, OPTION_HELP},
                                      {"version", no_argument, NULL, OPTION_VERSION},
                                      {NULL, 0, NULL, 0}};

static const char help[] =
    "usage: gyre view [SCENE] [options]\n"
    "\n"
    "Opens a window on a scene that runs in real time; without a scene a gallery of those that\n"
    "come along. The left button pours, the right pushes; h shows the keys.\n"
    "\n" VIEW_OPTIONS_HELP "  --version\n";

static int complain(const char *format, const char *what)
{
    fputs("gyre-view: ", stderr);
    // Every format here takes one string.
    fprintf(stderr, "%s\"%s\"\n", format, what);
    return STATUS_USAGE;
}

static bool number(const char *text, int low, int high, int *value)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < low || n > high) {
        return false;
    }
    *value = (int)n;
    return true;
}

static bool size_of(const char *text, int *width, int *height)
{
    char first[16];
    size_t length = strcspn(text, "x");
    if (length == 0 || length >= sizeof first || text[length] != 'x') {
        return false;
    }
    memcpy(first, text, length);
    first[length] = 0;
    return number(first, 64, 16384, width) && number(text + length + 1, 64, 16384, height);
}

static bool known_mode(const char *name)
{
    for (int i = 0; i < VIEW_MODES; i++) {
        if (strcmp(name, show_mode_name(i)) == 0) {
            return true;
        }
    }
    return false;
}

// 0: go on; else the status to leave with, less one.
static int take_option(view_options *o, int which)
{
    switch (which) {
    case OPTION_SET:
        if (o->set_count == SETS_MOST) {
            return 1 + complain("too many --set, the last is ", optarg);
        }
        o->sets[o->set_count++] = optarg;
        return 0;
    case OPTION_THREADS:
        return number(optarg, 1, 256, &o->threads)
                   ? 0
                   : 1 + complain("--threads: expected 1 to 256, found ", optarg);
    case OPTION_SIZE:
        return size_of(optarg, &o->width, &o->height)
                   ? 0
                   : 1 + complain("--size: expected WIDTHxHEIGHT, 64 to 16384 each, found ",
                                  optarg);
    case OPTION_FRAMES:
        return number(optarg, 1, 1000000000, &o->frames)
                   ? 0
                   : 1 + complain("--frames: expected a number above 0, found ", optarg);
    case OPTION_MODE:
        o->mode = optarg;
        return known_mode(optarg) ? 0
                                  : 1 + complain("--mode: expected map, cells, streaks, volume, "
                                                 "stack, surface or bars, found ",
                                                 optarg);
    case OPTION_DEVICE:
        o->device = optarg;
        return 0;
    case OPTION_SCREENSHOT:
        o->screenshot = optarg;
        return 0;
    case OPTION_FIELD:
        o->field = optarg;
        return 0;
    case OPTION_HIDDEN:
        o->hidden_gui = true;
        return 0;
    case OPTION_PAUSED:
        o->paused = true;
        return 0;
    case OPTION_FULL:
        o->full_screen = true;
        return 0;
    case OPTION_SPLIT:
        o->split = true;
        return 0;
    case OPTION_COPY:
        o->copy_fields = true;
        return 0;
    case OPTION_SAVER:
        o->saver = true;
        return 0;
    case OPTION_WINDOW:
        return saver_window_id(optarg, &o->window_id)
                   ? 0
                   : 1 + complain("--window-id: expected a number such as 0x1c00007, found ",
                                  optarg);
    case OPTION_HELP:
        fputs(help, stdout);
        return 1;
    case OPTION_VERSION:
        printf("gyre-view %s\n", gyre_version());
        return 1;
    default:
        return 1 + complain("unknown option or one without its value: ", "");
    }
}

// Screensaver daemons write -window-id and -root with one dash, and give the window in the
// environment, too.
static int take_daemon(view_options *o, int argc, char **argv)
{
    static char window_id[] = "--window-id";
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-root") == 0 || strcmp(argv[i], "--root") == 0) {
            o->saver = true;
        } else {
            argv[kept++] = strcmp(argv[i], "-window-id") == 0 ? window_id : argv[i];
        }
    }
    argv[kept] = NULL;
    return kept;
}

static int start_saver(view_options *o)
{
    const char *given = getenv("XSCREENSAVER_WINDOW");
    if (!o->window_id && given && given[0] && !saver_window_id(given, &o->window_id)) {
        return complain("XSCREENSAVER_WINDOW: expected a number such as 0x1c00007, found ", given);
    }
    o->full_screen = o->window_id == 0 && o->width == 0;
    return 0;
}

int main(int argc, char **argv)
{
    view_options options = {0};
    opterr = 0;
    argc = take_daemon(&options, argc, argv);
    for (;;) {
        int before = optind, which = getopt_long(argc, argv, "h", longs, NULL);
        if (which == -1) {
            break;
        }
        if (which == '?') {
            const char *word = optind > before ? argv[optind - 1] : argv[before];
            return complain("unknown option, or one without its value: ", word);
        }
        int left = take_option(&options, which == 'h' ? OPTION_HELP : which);
        if (left) {
            return left - 1;
        }
    }
    if (argc - optind > 1) {
        return complain("one argument too many: ", argv[optind + 1]);
    }
    options.scene = optind < argc ? argv[optind] : NULL;
    options.saver = options.saver || options.window_id != 0;
    int status = options.saver ? start_saver(&options) : 0;
    return status ? status : app_run(&options);
}
