// test/fuzz/fuzz_replay.c: any bytes are a replay of a small scene or are refused with a sentence
// that names a place; one that is accepted runs, or stops with a sentence.
#define _POSIX_C_SOURCE 200809L
#include "gyre/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char text[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [8, 8, 1], \"h\": 0.1 },"
    " \"emitters\": [ { \"name\": \"jet\", \"shape\": { \"sphere\": { \"centre\": [0.4, 0.2, 0],"
    " \"radius\": 0.2 } }, \"density\": 1 } ] } },"
    " \"timeline\": [ { \"time\": 0.05, \"path\": \"gas.solids\", \"value\": { \"name\": \"rock\","
    " \"shape\": { \"sphere\": { \"centre\": [0.4, 0.6, 0], \"radius\": 0.1 } } } },"
    " { \"time\": 0.1, \"path\": \"gas.emitters.jet.density\", \"value\": 2,"
    " \"interpolation\": \"linear\" },"
    " { \"time\": 0.2, \"path\": \"gas.emitters.jet.density\", \"value\": 0 },"
    " { \"time\": 0.25, \"path\": \"gas.solids.rock\", \"value\": null } ] }";

static gyre_device *device;
static char path[] = "/tmp/fuzz_replay_XXXXXX";

static void start(void)
{
    gyre_device_def def = gyre_default_device_def();
    def.threads = 1;
    int file = mkstemp(path);
    if (file < 0 || close(file) || gyre_device_create(&def, &device)) {
        abort();
    }
}

static void write_bytes(const uint8_t *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, size, f) != size || fclose(f)) {
        abort();
    }
}

// A replay may set the grid too.
static bool is_small(const gyre_scene *scene)
{
    size_t size =
        gyre_model_def_size(gyre_scene_model_type(scene, 0), gyre_scene_model_def(scene, 0));
    return size > 0 && size < 4u << 20;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gyre_scene *scene = NULL;
    if (!device) {
        start();
    }
    write_bytes(bytes, size);
    if (gyre_scene_parse(text, sizeof text - 1, "fuzz.json", &scene)) {
        abort();
    }
    if (gyre_replay_load(scene, path, NULL, NULL)) {
        if (strncmp(gyre_message(), path, strlen(path)) != 0) {
            abort();
        }
    } else if (is_small(scene) && gyre_scene_create(scene, device) == GYRE_OK) {
        gyre_result result = GYRE_OK;
        for (int i = 0; i < 10 && result == GYRE_OK; i++) {
            result = gyre_scene_step(scene);
        }
        if (result && !gyre_message()[0]) {
            abort();
        }
    }
    gyre_scene_destroy(scene);
    return 0;
}
