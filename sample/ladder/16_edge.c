// Rung 16: the edge. What stands beyond the last column decides: a copy of it is a wall, and waves
// come back; the other end of the pool is a world without end; the talk's ghost column, which
// follows its neighbour at the speed of waves, lets them out, but a fifth comes back when it takes
// the neighbour's old value; Mur's rule looks at old and new, and keeps a thousandth.
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
            int gray = (int)(127.5f + 127.5f * tanhf(h / 0.01f));
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
    static const char *const names[WAYS] = {"wall", "round", "ghost", "Mur"};
    float left[WAYS];
    gyre_device *device;
    if (gyre_device_create(NULL, &device) != GYRE_OK)
        return 1;
    for (int way = 0; way < WAYS; way++) {
        gyre_water_def def = gyre_water_default_def(2);
        gyre_water_side *sides = &def.sides.x_low;
        def.mode = GYRE_WATER_WAVE;
        for (int s = 0; s < 4; s++) {
            sides[s].rule = way == 0   ? GYRE_WATER_WALL
                            : way == 1 ? GYRE_WATER_PERIODIC
                                       : GYRE_WATER_OPEN;
            sides[s].absorber = way == 2 ? GYRE_WATER_GHOST_OLD : GYRE_WATER_MUR;
        }
        gyre_water *water = drop(device, &def, 0.3f, 0.6f);
        for (int step = 0; step < 110; step++)
            if (gyre_water_step(water, 0.01f) != GYRE_OK)
                return 1;
        gyre_water_stats stats = gyre_water_get_stats(water);
        left[way] = (float)(stats.kinetic_energy + stats.potential_energy);
        printf("%s: %.5f J left\n", names[way], (double)left[way]);
        draw(water, way);
        gyre_water_destroy(water);
    }
    gyre_device_destroy(device);
    if (!(left[2] < 0.2f * left[0] && left[3] < 0.2f * left[2] && left[1] > 0.9f * left[0]))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "16_edge.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
