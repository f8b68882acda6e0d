// labels: gl vulkan
// needs: x11
// test/test_view_vulkan.c: a scene that runs on a Vulkan device, seen through the viewer's window:
// the same picture as of the processor's, fields drawn from the device's memory or copied, and dye
// that is poured by the mouse. Needs OpenGL 3.3, Xvfb and a Vulkan device; GYRE_TEST_NO_GL=1 leaves
// it out.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/app.h"

#include "hand_rig.h"

#include <dlfcn.h>

enum { SKIPPED = 77, STEPS = 4 };

// A jet in a closed square. A long step: each is to be seen.
static const char jet[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [48, 48, 1], \"h\": 0.0208333 },\n"
    "  \"gravity\": [0, 0, 0],\n"
    "  \"emitters\": [ { \"name\": \"jet\", \"mode\": \"set\", \"push\": true,\n"
    "    \"shape\": { \"box\": { \"centre\": [0.12, 0.5, 0], \"size\": [0.12, 0.3, 1] } },\n"
    "    \"density\": 1, \"velocity\": [1.5, 0.3, 0] } ] } },\n"
    "  \"time\": { \"fps\": 12, \"frames\": 60 },\n"
    "  \"view\": { \"map\": \"gray\", \"range\": [0, 1] } }\n";

// A closed square; what is poured in stays.
static const char square[] =
    "{ \"models\": { \"gas\": { \"grid\": { \"dim\": 2, \"n\": [32, 32, 1], \"h\": 0.03125 },\n"
    "  \"gravity\": [0, 0, 0] } },\n"
    "  \"time\": { \"fps\": 30, \"frames\": 60 },\n"
    "  \"view\": { \"map\": \"gray\", \"range\": [0, 1] } }\n";

// At its end the viewer tells how fields came to the screen.
static void start(const char *scene, const char *device, bool paused, bool copied)
{
    view_options options = {.scene = "scene.json",
                            .device = device,
                            .threads = 1,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .frames = 1000000,
                            .paused = paused,
                            .copy_fields = copied,
                            .hidden_gui = true};

    write_file("scene.json", scene);
    hand_start(&options);
    // The scene is there when it can be written.
    UNTIL(count_in(saved("w", "my_scene.json"), "models") == 1);
}

// What the window shows after so many steps.
static picture *steps_on(const char *device, bool copied, picture *last)
{
    start(jet, device, true, copied);
    UNTIL(bright(hand_grab(), WIDTH / 2, HEIGHT / 2) < 20);
    for (int i = 0; i < STEPS; i++) {
        *last = *hand_grab();
        TOOL("key n");
        UNTIL(differ(last, hand_grab()) > 200);
    }
    *last = *hand_grab();
    hand_quit();
    return last;
}

static void the_picture_is_the_processors(void **state)
{
    static picture cpu, vulkan;

    (void)state;
    steps_on("cpu", false, &cpu);
    steps_on("vulkan", false, &vulkan);
    // The jet is there, and not everywhere.
    assert_true(bright(&vulkan, WIDTH / 2 - 120, HEIGHT / 2) > 120);
    assert_true(bright(&vulkan, WIDTH / 2 + 150, HEIGHT / 2) < 20);
    int apart = differ(&cpu, &vulkan);

    if (apart > 50)
        fail_msg("%d pixels differ from those of the processor's", apart);
}

// KB that the processor read of the device for a frame, as the viewer says at its end.
static double said(const char *way)
{
    const char *line = strstr(contents("viewer.out"), "fields: ");
    double kilobytes = -1.0;

    if (line == NULL || strncmp(line + 8, way, strlen(way)) != 0)
        fail_msg("expected fields: %s; the viewer said: %s", way, contents("viewer.out"));
    line = strstr(line, " frames, ");
    assert_true(line != NULL && sscanf(line + 9, "%lf KB a frame", &kilobytes) == 1);
    return kilobytes;
}

// Whether it is for the machine's drivers that fields were copied; anything else is a failure.
static bool drivers_cannot(void)
{
    static const char *const reasons[] = {"no GL_EXT_memory_object_fd", "draws on ",
                                          "another driver", "VK_KHR_external_memory_fd"};

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strstr(contents("viewer.out"), reasons[i]) != NULL) {
            printf("SKIPPED: %s\n", contents("viewer.out"));
            return true;
        }
    }
    return false;
}

// Drawn from where the device has them, without a field that the processor reads, and copied: the
// same pixels, all of them.
static void both_ways_show_the_same(void **state)
{
    static picture shared, copied;

    (void)state;
    steps_on("vulkan", true, &copied);
    assert_true(said("copied (--copy-fields)") > 8.0);
    steps_on("vulkan", false, &shared);
    if (drivers_cannot())
        skip();
    assert_true(said("interop") == 0.0);
    for (int j = 0; j < HEIGHT; j++)
        assert_memory_equal(shared.rgb[j], copied.rgb[j], sizeof shared.rgb[j][0] * WIDTH);
    assert_true(bright(&shared, WIDTH / 2 - 120, HEIGHT / 2) > 120);
}

static void dye_is_poured_and_time_stops(void **state)
{
    static picture then;

    (void)state;
    start(square, "vulkan", false, false);
    assert_true(bright(hand_grab(), 168, 180) < 20);
    hand_point(168, 180);
    nap(60);
    TOOL("mousedown 1");
    UNTIL(bright(hand_grab(), 168, 180) > 120);
    TOOL("mouseup 1");
    assert_int_equal(count_in(saved("W", "my_scene.replay.json"), "\"brush_dye\""), 1);
    // Pushed to the right; where few frames are drawn a drag is felt in few of them, and again.
    for (int tries = 0; bright(hand_grab(), 230, 180) <= 40; tries++) {
        assert_true(tries < 200);
        hand_drag(1, 160, 180, 176, 180);
        hand_drag(3, 150, 180, 250, 180);
        for (int i = 0; i < 25 && bright(hand_grab(), 230, 180) <= 40; i++) {
            nap(40);
        }
    }
    TOOL("key space");
    // A busy machine takes its time to hear the key.
    for (int tries = 0, apart = 1; apart != 0; tries++) {
        assert_true(tries < 100);
        then = *hand_grab();
        nap(300);
        apart = differ(&then, hand_grab());
    }
    hand_quit();
}

static void another_name_is_refused(void **state)
{
    view_options options = {.scene = "scene.json", .device = "vulkan:no such card", .threads = 1};

    (void)state;
    write_file("scene.json", square);
    hand_launch(&options);
    assert_int_equal(hand_ended(NULL), 1);
    if (strstr(contents("viewer.log"), "no device \"no such card\"; there ") == NULL)
        fail_msg("the viewer said: %s", contents("viewer.log"));
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_picture_is_the_processors, hand_tidy),
        cmocka_unit_test_teardown(both_ways_show_the_same, hand_tidy),
        cmocka_unit_test_teardown(dye_is_poured_and_time_stops, hand_tidy),
        cmocka_unit_test_teardown(another_name_is_refused, hand_tidy),
    };
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device;

    if (getenv("GYRE_TEST_NO_GL") != NULL) {
        printf("left out: GYRE_TEST_NO_GL is set\n");
        return 0;
    }
    // Mesa's driver for processors forgets 128 bytes when it is unloaded, and the leak sanitizer
    // would say so.
    dlopen("libvulkan_lvp.so", RTLD_NOW | RTLD_NODELETE);
    def.kind = GYRE_DEVICE_VULKAN;
    if (gyre_device_create(&def, &device) != GYRE_OK) {
        printf("SKIPPED: %s\n", gyre_message());
        return SKIPPED;
    }
    gyre_device_destroy(device);
    // One of them alone, by its name.
    cmocka_set_test_filter(count > 1 ? words[1] : NULL);
    return cmocka_run_group_tests(tests, hand_open, hand_close);
}
