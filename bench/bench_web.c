// gyre bench web: the WebAssembly module beside this program on the plainest instruction set, one
// thread each, in Node.js and in a headless Chromium: bench/web/bench.mjs has them step the same
// scenes by turns and holds their states against each other. This file finds Node.js and hands over
// to it; with --serve it is what steps the scenes natively: a line of JSON in, a line out.
#define _POSIX_C_SOURCE 200809L
#include "bench/parts.h"

#include "gyre/scene.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char conductor[] = "bench/web/bench.mjs";

typedef struct served {
    gyre_device *device;
    gyre_scene *scene;
} served;

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "gyre bench web: %s%s\n", what, why);
    return 1;
}

// ---- the native side ---------------------------------------------------------------------------

/// Makes the scene of a file; what it had before is gone.
static gyre_result serve_open(served *s, const char *path)
{
    gyre_scene_destroy(s->scene);
    s->scene = NULL;
    gyre_result result = gyre_scene_load(path, &s->scene);
    return result ? result : gyre_scene_create(s->scene, s->device);
}

/// A step; then the first model's field is read, where one is named: that is when a sea works it
/// out.
static gyre_result serve_step(served *s, const char *field)
{
    gyre_result result = gyre_scene_step(s->scene);
    if (result || !field)
        return result;
    gyre_field_view view;
    gyre_model *model = gyre_scene_model(s->scene, 0);
    int number = gyre_model_field(model, field);
    if (number < 0)
        return GYRE_ERROR_ARGUMENT;
    result = gyre_model_map(model, number, GYRE_READ, &view);
    return result ? result : gyre_model_unmap(model, number);
}

static json_t *answer(served *s, json_t *job)
{
    const char *what = json_string_value(json_object_get(job, "what"));
    const char *name = json_string_value(json_object_get(job, "name"));
    const char *field = json_string_value(json_object_get(job, "field"));
    json_int_t steps = json_integer_value(json_object_get(job, "steps"));
    gyre_result result = GYRE_OK;
    json_t *value = NULL;
    double start = bench_processor_now();
    if (what && name && !strcmp(what, "open")) {
        result = serve_open(s, name);
    } else if (!s->scene || !what) {
        return json_pack("{s:s}", "error", "there is no scene, or the job has no name");
    } else if (!strcmp(what, "step")) {
        for (json_int_t i = 0; i < steps && !result; i++)
            result = serve_step(s, field);
    } else if (!strcmp(what, "hash")) {
        value = json_sprintf("%016" PRIx64, gyre_scene_hash(s->scene));
    } else if (!strcmp(what, "close")) {
        gyre_scene_destroy(s->scene);
        s->scene = NULL;
    } else {
        return json_pack("{s:s}", "error", "an unknown job");
    }
    double took = bench_processor_now() - start;
    if (result)
        return json_pack("{s:s}", "error", gyre_message());
    return json_pack("{s:f, s:o}", "ms", 1e3 * took, "value", value ? value : json_null());
}

static int serve(void)
{
    served s = {0};
    char *line = NULL;
    size_t room = 0;
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    def.isa = "baseline";
    if (gyre_device_create(&def, &s.device) != GYRE_OK)
        return fail("a device: ", gyre_message());
    while (getline(&line, &room, stdin) > 0) {
        json_error_t wrong;
        json_t *job = json_loads(line, 0, &wrong);
        json_t *made = job ? answer(&s, job) : json_pack("{s:s}", "error", wrong.text);
        char *text = json_dumps(made, JSON_COMPACT);
        puts(text ? text : "{\"error\":\"no memory\"}");
        fflush(stdout);
        free(text);
        json_decref(made);
        json_decref(job);
    }
    free(line);
    gyre_scene_destroy(s.scene);
    gyre_device_destroy(s.device);
    return 0;
}

// ---- handing over ------------------------------------------------------------------------------

/// This program's own path.
static bool own_path(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length > 0)
        path[length] = '\0';
    return length > 0;
}

static const char usage[] = "usage: " BENCH_WEB_USAGE;

int bench_web(int argc, char **argv)
{
    const char *module = "build-wasm/web", *own[8];
    char tool[4096], file[4096];
    int count = 0;
    if (argc == 2 && !strcmp(argv[1], "--serve"))
        return serve();
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (!strcmp(argv[i], "--quick") || !strcmp(argv[i], "--gate")) {
            if (count < 6)
                own[count++] = argv[i];
        } else if (!strcmp(argv[i], "--case") && more && count < 5) {
            own[count++] = argv[i];
            own[count++] = argv[++i];
        } else if (!strcmp(argv[i], "--module") && more) {
            module = argv[++i];
        } else {
            fprintf(stderr, "gyre bench web: %s\n%s", argv[i], usage);
            return 2;
        }
    }
    if (access(conductor, R_OK))
        return fail("it is run in the folder of gyre's sources; there is no ", conductor);
    snprintf(file, sizeof file, "%s/gyre.wasm", module);
    if (access(file, R_OK)) {
        fail("script/web --build makes the module; there is no ", file);
        return 1;
    }
    if (!own_path(tool, sizeof tool))
        return fail("/proc does not say where this program lies", "");
    char *arguments[16] = {"node", "--no-experimental-fetch", (char *)(uintptr_t)conductor, tool,
                           (char *)(uintptr_t)module};
    for (int i = 0; i < count; i++)
        arguments[5 + i] = (char *)(uintptr_t)own[i];
    fflush(stdout);
    execvp("node", arguments);
    arguments[0] = "nodejs";
    execvp("nodejs", arguments);
    return fail("it runs the module in Node.js; there is no ", "node (Debian: nodejs)");
}
