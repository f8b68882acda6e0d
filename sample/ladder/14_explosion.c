// Rung 14: water as columns, and a step too long. Each column is pulled towards its neighbours'
// mean height and pulls back: waves. News travels one cell per step, so a wave may not be faster
// than that: in 2D c dt <= h / sqrt(2). From left to right: half of it, exactly it, one per cent
// more.
#include "gyre/gyre.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, ZOOM = 3, STEPS = 300, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

static uint8_t rgb[HEIGHT * WIDTH * 3];

/// Heights as gray: the surface at rest is in the middle.
static void draw(gyre_water *water, int column)
{
    gyre_field_view view;
    if (gyre_water_map(water, gyre_water_field(water, "height"), GYRE_READ, &view) != GYRE_OK)
        exit(1);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < N * ZOOM; x++) {
            float h = view.data[x / ZOOM + view.stride[1] * (N - 1 - y / ZOOM)];
            int gray = (int)(127.5f + 127.5f * tanhf(h / 0.02f));
            uint8_t *pixel = rgb + 3 * (y * WIDTH + column * N * ZOOM + x);
            pixel[0] = pixel[1] = pixel[2] = (uint8_t)gray;
        }
    gyre_water_unmap(water, gyre_water_field(water, "height"));
}

static gyre_water *drop(gyre_device *device, const gyre_water_def *def, float x, float y)
{
    gyre_water *water = NULL;
    if (gyre_water_create(device, def, &water) != GYRE_OK ||
        gyre_model_splat(gyre_water_model(water), 0, (const float[3]){x, y, 0}, 0.1f, 0.1f) !=
            GYRE_OK)
        exit((fprintf(stderr, "%s\n", gyre_message()), 1));
    return water;
}

int main(int argc, char **argv)
{
    const float parts[3] = {0.5f, 1.0f, 1.01f};
    float highest[3] = {0};
    gyre_device *device;
    if (gyre_device_create(NULL, &device) != GYRE_OK)
        return 1;
    for (int way = 0; way < 3; way++) {
        gyre_water_def def = gyre_water_default_def(2);
        def.mode = GYRE_WATER_WAVE;
        def.excess = GYRE_WATER_EXPLODE; // the library would split the step
        float limit = def.grid.h / (def.wave_speed * sqrtf(2.0f));
        gyre_water *water = drop(device, &def, 0.4f, 0.6f);
        for (int step = 0; step < STEPS; step++)
            if (gyre_water_step(water, parts[way] * limit) != GYRE_OK)
                return 1;
        highest[way] = sqrtf((float)gyre_water_get_stats(water).potential_energy);
        printf("%.2f of the limit: root of the energy after %d steps %g\n", (double)parts[way],
               STEPS, (double)highest[way]);
        draw(water, way);
        gyre_water_destroy(water);
    }
    gyre_device_destroy(device);
    if (!(highest[1] < 10 * highest[0] && highest[2] > 100 * highest[0]))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "14_explosion.png", WIDTH, HEIGHT, 3, rgb) !=
           GYRE_OK;
}
