// A sea, asked for what it will be: where a boat's deck will stand, half a minute and a day ahead.
#include <gyre/gyre.h>

#include <stdio.h>

int main(void)
{
    gyre_device *device;
    gyre_ocean *ocean;
    gyre_ocean_sea wind = gyre_ocean_default_sea(); // 10 m/s over 100 km
    gyre_ocean_def def = gyre_ocean_default_def();
    def.seas = (gyre_pool){&wind, 1, 1};
    if (gyre_device_create(NULL, &device) != GYRE_OK ||
        gyre_ocean_create(device, &def, &ocean) != GYRE_OK)
        return fprintf(stderr, "ocean_step: %s\n", gyre_message()), 1;
    gyre_ocean_stats sea = gyre_ocean_get_stats(ocean);
    printf("significant height %.2f m, peak period %.1f s\n", sea.significant_height,
           sea.peak_period);
    const double ahead[] = {0, 30, 86400}, deck[2 * 3] = {1000, 200, 1004, 200, 1000, 204};
    for (int i = 0; i < 3; i++) {
        gyre_ocean_sample at[3];
        if (gyre_ocean_query(ocean, ahead[i], 0.0f, deck, 3, at) != GYRE_OK)
            return fprintf(stderr, "ocean_step: %s\n", gyre_message()), 1;
        printf("in %5.0f s  %6.3f %6.3f %6.3f m, water rises at %6.3f m/s\n", ahead[i],
               (double)at[0].height, (double)at[1].height, (double)at[2].height,
               (double)at[0].velocity[2]);
    }
    // As any model it steps, and has fields, pictures, checkpoints.
    for (int frame = 0; frame < 30; frame++)
        gyre_ocean_step(ocean, 1.0f / 30);
    gyre_field_view view;
    gyre_ocean_map(ocean, gyre_ocean_field(ocean, "surface"), GYRE_READ, &view);
    for (int i = 0; i < 64; i++)
        putchar(" .:-=+*#%@"[(int)(view.data[i] / 0.5f + 5.0f) % 10]);
    putchar('\n');
    gyre_ocean_unmap(ocean, gyre_ocean_field(ocean, "surface"));
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
    return 0;
}
