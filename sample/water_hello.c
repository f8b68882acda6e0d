// The talk's "Hello world" of water, with the library: five calls, and a drop makes rings.
#include <gyre/gyre.h>

#include <stdio.h>

int main(void)
{
    gyre_device *device;
    gyre_water *water;
    gyre_water_def def = gyre_water_default_def(2); // 64 x 64 cells, 1 m wide, walls round it
    def.mode = GYRE_WATER_WAVE;
    if (gyre_device_create(NULL, &device) != GYRE_OK ||
        gyre_water_create(device, &def, &water) != GYRE_OK ||
        gyre_model_splat(gyre_water_model(water), 0, (float[3]){0.5f, 0.5f, 0}, 0.1f, 0.05f) !=
            GYRE_OK)
        return fprintf(stderr, "water_hello: %s\n", gyre_message()), 1;
    for (int frame = 0; frame < 8; frame++) {
        if (gyre_water_step(water, 1.0f / 30) != GYRE_OK)
            return fprintf(stderr, "water_hello: %s\n", gyre_message()), 1;
        // A cut through the middle, as the talk's bars.
        gyre_field_view view;
        gyre_water_map(water, gyre_water_field(water, "height"), GYRE_READ, &view);
        for (int i = 0; i < 64; i += 2) {
            int bar = (int)(view.data[i + 32 * view.stride[1]] * 200.0f + 3.5f);
            putchar(" .:-=+*#%@"[bar < 0 ? 0 : bar > 9 ? 9 : bar]);
        }
        gyre_water_unmap(water, gyre_water_field(water, "height"));
        putchar('\n');
    }
    gyre_water_destroy(water);
    gyre_device_destroy(device);
    return 0;
}
