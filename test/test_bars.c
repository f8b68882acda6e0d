// labels: small
// Bars of several waters: a sea and a window of it in one picture, as one water.
#include "gyre/device.h"
#include "gyre/render.h"
#include "gyre/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WIDE = 160, HIGH = 90 };

static gyre_device *device;

// Ground that rises out of the window's water is seen, and the sea round it.
static void test_window(void **state)
{
    static const char text[] =
        "{\"models\":{\"ocean\":{\"type\":\"ocean\",\"grid\":{\"dim\":2,\"n\":[48,48,1],\"h\":2,"
        "\"origin\":[-32,-32,0]},\"patch\":{\"length\":61,\"cells\":32,\"cascades\":1},\"seas\":"
        "[{\"name\":\"wind\",\"given\":\"height\",\"significant_height\":0.2,\"peak_period\":3}]},"
        "\"water\":{\"grid\":{\"dim\":2,\"n\":[32,32,1],\"h\":1},\"bed\":{\"flat\":-6,\"slope\":"
        "[%s,0]},\"sea\":{\"carries\":\"difference\",\"shore\":2},\"sides\":{\"x_low\":{\"rule\":"
        "\"open\"},\"x_high\":{\"rule\":\"open\"},\"y_low\":{\"rule\":\"open\"},\"y_high\":{"
        "\"rule\":\"open\"}}}},\"couplings\":[{\"name\":\"sea\",\"window\":\"water\",\"sea\":"
        "\"ocean\"}],\"view\":{\"mode\":\"bars\"}}";
    int sand[2], blue[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        char json[2048];
        gyre_scene *scene;
        gyre_image image;

        snprintf(json, sizeof json, text, k == 0 ? "0" : "0.9");
        if (gyre_scene_parse(json, strlen(json), "sea.json", &scene) != GYRE_OK ||
            gyre_scene_create(scene, device) != GYRE_OK || gyre_scene_step(scene) != GYRE_OK ||
            gyre_image_create(WIDE, HIGH, &image) != GYRE_OK ||
            gyre_scene_render(scene, &image) != GYRE_OK)
            fail_msg("%s", gyre_message());
        sand[k] = blue[k] = 0;
        for (int i = 0; i < WIDE * HIGH; i++) {
            const uint8_t *p = image.rgb + 3 * i;

            sand[k] += p[0] + 8 > p[2];
            blue[k] += p[2] > p[0] + 90;
        }
        gyre_image_free(&image);
        gyre_scene_destroy(scene);
    }
    print_message("without ground %d pixels of sand, %d of water; with it %d and %d\n", sand[0],
                  blue[0], sand[1], blue[1]);
    assert_true(blue[0] > WIDE * HIGH / 5 && blue[1] > WIDE * HIGH / 8);
    assert_true(sand[1] > sand[0] + 150);
}

static int setup(void **state)
{
    (void)state;
    return gyre_device_create(NULL, &device) != GYRE_OK;
}

static int teardown(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_window)};

    return cmocka_run_group_tests(tests, setup, teardown);
}
