// test/test_scene_golden.c: the shipped scenes, on a quarter of their cells and for eight frames,
// give one hash each for 1, 2, 3 and 8 threads, every instruction set of this machine, and whatever
// compiler and optimisation level built the test.
//
// A change that is meant to alter results needs new hashes:
//     GYRE_GOLDEN=print build/test/test_scene_golden
// prints the lines of the table below. (test_golden guards aarch64, where scenes are not built.)
// labels: golden threads
// needs: scene
#include "gyre/device.h"
#include "gyre/scene.h"
#include "test/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct golden_scene {
    const char *name;
    uint64_t hash;
} golden_scene;

static const golden_scene scenes[] = {
    {"plume", 0xb3991b8fd0aec38c},
    {"ink_drop", 0x03356fb8a9295d61},
    {"colliding_jets", 0xe41923417b340fb3},
    {"smoke_round_solid", 0x455bc9aafadeacea},
    {"fog", 0x860bdaeb13b91059},
    {"periodic_shear", 0xf3bdc482a5583e57},
    {"chimney", 0xf4ad2c56b0198e2d},
    {"tracers", 0xfe6ff0afc9da811f},
    {"fan", 0x076ce71641d68499},
    {"sparks", 0xed2e19347ee81ef3},
    {"draught", 0xc4e79374e6a88a98},
};

enum { SCENES = sizeof scenes / sizeof scenes[0], FRAMES = 8, COARSER = 4 };

/// The hash of a scene after FRAMES frames on cells four times as wide; 0 with a message on
/// failure.
static uint64_t run(const char *name, int threads, const char *isa)
{
    char path[512], text[128];
    gyre_scene *scene = NULL;
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    gyre_value n, h;
    uint64_t hash = 0;
    def.threads = threads;
    def.isa = isa;
    snprintf(path, sizeof path, "%s/scene/%s.json", GYRE_SOURCE_DIR, name);
    gyre_result r = gyre_scene_load(path, &scene);
    r = r ? r : gyre_scene_get(scene, "gas.grid.n", &n);
    r = r ? r : gyre_scene_get(scene, "gas.grid.h", &h);
    if (r == GYRE_OK) {
        int cells[3];
        for (int a = 0; a < 3; a++) {
            cells[a] = (int)n.number[a] > COARSER ? (int)n.number[a] / COARSER : (int)n.number[a];
        }
        snprintf(text, sizeof text, "%d,%d,%d", cells[0], cells[1], cells[2]);
        r = gyre_scene_set(scene, "gas.grid.n", text);
        snprintf(text, sizeof text, "%.9g", h.number[0] * COARSER);
        r = r ? r : gyre_scene_set(scene, "gas.grid.h", text);
    }
    r = r ? r : gyre_device_create(&def, &device);
    r = r ? r : gyre_scene_create(scene, device);
    for (int frame = 0; r == GYRE_OK && frame < FRAMES; frame++) {
        r = gyre_scene_step_frame(scene);
    }
    if (r == GYRE_OK) {
        hash = gyre_scene_hash(scene);
    } else {
        print_error("%s: %s\n", name, gyre_message());
    }
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    return hash;
}

static void check(const char *what, int threads, const char *isa)
{
    bool wrong = false;
    for (int i = 0; i < SCENES; i++) {
        uint64_t hash = run(scenes[i].name, threads, isa);
        if (hash != scenes[i].hash) {
            print_error(
                "%s on %s: hash %016llx, expected %016llx; to renew the hashes see the head of "
                "test/test_scene_golden.c\n",
                scenes[i].name, what, (unsigned long long)hash, (unsigned long long)scenes[i].hash);
            wrong = true;
        }
    }
    assert_false(wrong);
}

static void any_number_of_threads_gives_the_golden_hash(void **state)
{
    (void)state;
    check("3 threads", 3, NULL);
    if (!in_short()) {
        check("1 thread", 1, NULL);
        check("2 threads", 2, NULL);
        check("8 threads", 8, NULL);
    }
}

static void every_instruction_set_gives_the_golden_hash(void **state)
{
    (void)state;
    for (int i = 0; every_isa() && gyre_isa_name(i); i++) {
        check(gyre_isa_name(i), 2, gyre_isa_name(i));
    }
}

int main(void)
{
    if (getenv("GYRE_GOLDEN")) {
        for (int i = 0; i < SCENES; i++) {
            printf("    {\"%s\", 0x%016llx},\n", scenes[i].name,
                   (unsigned long long)run(scenes[i].name, 1, NULL));
        }
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_golden_hash),
        cmocka_unit_test(every_instruction_set_gives_the_golden_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
