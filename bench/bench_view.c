// gyre bench view: pictures of the viewer with the water flowing, steps and all, as they come on a
// processor that draws them, too (llvmpipe), in no window: how many a second, and how much
// processor time one takes. The viewer is a program of its own; it is started once a case and tells
// what its --frames came to, that of the later half, too, by when what draws is compiled.
#define _POSIX_C_SOURCE 200809L
#include "bench/parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SETTINGS = 2, ARGUMENTS = 16 };

typedef struct view {
    const char *name, *scene;
    const char *set[SETTINGS];
} view;

static const view views[] = {
    // Asked for: 15 a second.
    {"pool_256", "pool", {"water.grid.n=256,256,1", "water.grid.h=0.03125"}},
    {"pool", "pool", {0}},
    {"duck_pond", "duck_pond", {0}},
    {"leaves_on_river", "leaves_on_river", {0}},
    {"beach", "beach", {0}},
};

static int wrong(const char *what, const char *text)
{
    fprintf(stderr, "gyre bench view: %s%s\nusage: " BENCH_VIEW_USAGE, what, text);
    return 2;
}

// The viewer beside this program, or the one that the system finds.
static const char *viewer(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - sizeof "-view");

    if (length <= 0)
        return "gyre-view";
    path[length] = 0;
    strcat(path, "-view");
    return access(path, X_OK) == 0 ? path : "gyre-view";
}

// Its exit status.
static int run(const view *v, const char *folder, const char *frames)
{
    char scene[1024], path[1024];
    const char *arguments[ARGUMENTS] = {
        viewer(path, sizeof path), scene, "--size", "960x540", "--hidden-gui", "--frames", frames};
    int count = 7, status = 1;

    snprintf(scene, sizeof scene, "%s/%s.json", folder, v->scene);
    for (int i = 0; i < SETTINGS && v->set[i]; i++) {
        arguments[count++] = "--set";
        arguments[count++] = v->set[i];
    }
    printf("%s: ", v->name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("SDL_VIDEODRIVER", "offscreen", 1);
        setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 1;
    if (WEXITSTATUS(status) == 127)
        fprintf(stderr, "gyre bench view: there is no gyre-view beside the tool\n");
    return WEXITSTATUS(status);
}

int bench_view(int argc, char **argv)
{
    const char *only = NULL, *folder = "scene", *frames = "120";
    int failed = 0, drawn = 0;

    for (int i = 1; i < argc; i += 2) {
        const char **value = !strcmp(argv[i], "--case")     ? &only
                             : !strcmp(argv[i], "--scenes") ? &folder
                             : !strcmp(argv[i], "--frames") ? &frames
                                                            : NULL;
        if (!value || i + 1 >= argc)
            return wrong("unknown option or missing value: ", argv[i]);
        *value = argv[i + 1];
    }
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        if (only && strcmp(only, views[i].name))
            continue;
        drawn++;
        failed += run(&views[i], folder, frames) != 0;
    }
    return drawn ? failed > 0 : wrong("there is no picture named ", only);
}
