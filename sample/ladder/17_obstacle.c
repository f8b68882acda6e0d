// Rung 17: a thing in the water. It takes up room in the columns it stands in, and that room is
// pushed into the water round it: a ball is lowered into a pool, and the level rises by its volume
// over the pool's area. Taken out again, it leaves the water as it was: its line in the ledger is
// exactly 0. Pictures: going in, under water, taken out.
#include "gyre/gyre.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, ZOOM = 3, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

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

static double mean(gyre_water *water)
{
    gyre_model *model = gyre_water_model(water);
    return gyre_model_total(model, gyre_model_field(model, "height")); // over 1 m^2
}

int main(int argc, char **argv)
{
    double level[3], displaced[3];
    gyre_device *device;
    gyre_water *water;
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_body ball = gyre_water_default_body();
    strcpy(ball.name, "ball");
    ball.form = GYRE_BODY_SPHERE;
    ball.size[0] = 0.2f;
    ball.held = true;
    memcpy(ball.pose.position, (float[3]){0.5f, 0.4f, 0.25f}, sizeof ball.pose.position);
    def.mode = GYRE_WATER_WAVE;
    def.damping = 1;
    def.bodies = (gyre_pool){&ball, 1, 1};
    if (gyre_device_create(NULL, &device) != GYRE_OK ||
        gyre_water_create(device, &def, &water) != GYRE_OK)
        return 1;
    for (int part = 0; part < 3; part++) {
        float way = part < 2 ? -0.5f : 1.5f; // m/s
        gyre_water_set(water, "bodies.ball.velocity", gyre_vector(3, (float[3]){0, 0, way}));
        for (int step = 0; step < 50; step++)
            if (gyre_water_step(water, 0.01f) != GYRE_OK)
                return 1;
        gyre_water_line lines[16];
        int count = gyre_water_ledger(water, lines, 16);
        displaced[part] = lines[count - 1].volume;
        level[part] = mean(water);
        printf("displaced %.6f m^3, mean level %.6f m\n", displaced[part], level[part]);
        draw(water, part);
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
    double volume = 4.0 / 3.0 * 3.14159265 * 0.008;
    if (!(fabs(displaced[1] / volume - 1) < 0.01 && fabs(level[1] / volume - 1) < 0.02 &&
          displaced[2] == 0.0 && fabs(level[2]) < 1e-6))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "17_obstacle.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
