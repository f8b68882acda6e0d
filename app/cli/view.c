// cli/view.c: gyre view hands over to gyre-view, a program of its own beside this one, so that the
// tool depends on no window system.
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The program beside this one; false where the system does not tell where this one lies.
static bool beside(const char *name, char *path, size_t size)
{
    char own[1024];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) {
        return false;
    }
    own[length] = 0;
    char *slash = strrchr(own, '/');
    if (!slash) {
        return false;
    }
    *slash = 0;
    int used = snprintf(path, size, "%s/%s", own, name);
    return used > 0 && (size_t)used < size;
}

static int hand_over(char **argv)
{
    static char name[] = "gyre-view";
    char path[1100];
    argv[0] = name;
    if (beside(name, path, sizeof path)) {
        execv(path, argv);
    } else {
        errno = ENOENT;
    }
    if (errno == ENOENT) {
        execvp(name, argv);
    }
    return errno == ENOENT
               ? complain(EXIT_RUN,
                          "view: there is no gyre-view beside the tool: it is built where "
                          "pkg-config finds sdl2, epoxy and imgui (Debian: libsdl2-dev, "
                          "libepoxy-dev, libimgui-dev)")
               : complain(EXIT_RUN, "view: gyre-view could not be started: %s", strerror(errno));
}

int view_command(const cli_command *command, int argc, char **argv)
{
    (void)command;
    (void)argc;
    return hand_over(argv);
}

int saver_command(const cli_command *command, int argc, char **argv)
{
    static char option[] = "--saver";
    char **more = calloc((size_t)argc + 2, sizeof *more);
    (void)command;
    if (!more) {
        return complain(EXIT_RUN, "saver: no memory");
    }
    more[1] = option;
    for (int i = 1; i < argc; i++) {
        more[i + 1] = argv[i];
    }
    int status = hand_over(more);
    free(more);
    return status;
}
