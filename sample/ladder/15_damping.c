// Rung 15: waves that go on for ever, and three ways to calm them. From left to right: nothing;
// velocities times 0.99 in each step, as everybody begins, which calms twice as fast when steps are
// half as long; a rate per second, which does not care; slopes clamped by volume that moves to the
// lower neighbour, which takes the peaks alone. The volume stays the same in all four.
#include "gyre/gyre.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, ZOOM = 3, WAYS = 4, WIDTH = WAYS * N * ZOOM, HEIGHT = N * ZOOM };

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
    float energy[WAYS][2];
    gyre_device *device;
    if (gyre_device_create(NULL, &device) != GYRE_OK)
        return 1;
    for (int way = 0; way < WAYS; way++)
        for (int fine = 0; fine < 2; fine++) {
            gyre_water_def def = gyre_water_default_def(2);
            def.mode = GYRE_WATER_WAVE;
            def.velocity_scale = way == 1 ? 0.99f : 1;
            def.damping = way == 2 ? 1 : 0;
            def.max_slope = way == 3 ? 0.05f : 0;
            gyre_water *water = drop(device, &def, 0.4f, 0.6f);
            for (int step = 0; step < (fine ? 200 : 100); step++)
                if (gyre_water_step(water, fine ? 0.005f : 0.01f) != GYRE_OK)
                    return 1;
            gyre_water_stats stats = gyre_water_get_stats(water);
            energy[way][fine] = (float)(stats.kinetic_energy + stats.potential_energy);
            if (fabs(stats.ledger_error) > 1e-6 * stats.volume)
                return 1;
            if (!fine)
                draw(water, way);
            gyre_water_destroy(water);
        }
    printf("energy after a second, in steps of 10 and of 5 ms: none %.4f %.4f, scaled %.4f %.4f, "
           "rate %.4f %.4f, slopes %.4f %.4f\n",
           (double)energy[0][0], (double)energy[0][1], (double)energy[1][0], (double)energy[1][1],
           (double)energy[2][0], (double)energy[2][1], (double)energy[3][0], (double)energy[3][1]);
    gyre_device_destroy(device);
    bool shown = energy[1][1] < 0.6f * energy[1][0] && energy[2][0] < 0.6f * energy[0][0] &&
                 fabsf(energy[2][1] / energy[2][0] - 1) < 0.15f && energy[3][0] < energy[0][0];
    if (!shown)
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "15_damping.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
