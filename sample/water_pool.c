// Give a terrain and a level, get water: one call. Then ask it what a game asks.
#include <gyre/gyre.h>

#include <math.h>
#include <stdio.h>

enum { N = 96 };

int main(void)
{
    static float bed[N * N];
    for (int i = 0; i < N * N; i++)
        bed[i] = 0.4f * sinf(0.13f * (float)(i % N)) + 0.3f * cosf(0.11f * (float)(i / N));
    gyre_device *device;
    gyre_water *water;
    if (gyre_device_create(NULL, &device) != GYRE_OK ||
        gyre_water_pool(device, bed, N, N, 0.5f, 0.1f, &water) != GYRE_OK)
        return fprintf(stderr, "water_pool: %s\n", gyre_message()), 1;
    const float place[2] = {20.0f, 16.0f};
    gyre_model_splat(gyre_water_model(water), 0, (float[3]){25, 14, 0}, 4, 0.5f);
    for (int frame = 0; frame < 60; frame++) {
        gyre_water_sample at;
        if (gyre_water_step(water, 1.0f / 30) != GYRE_OK ||
            gyre_water_query(water, place, 1, &at) != GYRE_OK)
            return fprintf(stderr, "water_pool: %s\n", gyre_message()), 1;
        if (frame % 10 == 9)
            printf("%.2f s: height %+.3f m, depth %.3f m, flow %+.2f %+.2f m/s\n",
                   (double)(frame + 1) / 30, (double)at.height, (double)at.depth,
                   (double)at.velocity[0], (double)at.velocity[1]);
    }
    gyre_water_line lines[16];
    int count = gyre_water_ledger(water, lines, 16);
    for (int l = 0; l < count; l++)
        if (lines[l].volume != 0.0)
            printf("%-10s %12.4f m^3\n", lines[l].name, lines[l].volume);
    gyre_water_stats stats = gyre_water_get_stats(water);
    printf("there is   %12.4f m^3\n", stats.volume);
    gyre_water_destroy(water);
    gyre_device_destroy(device);
    return fabs(stats.ledger_error) < 1e-6 * stats.volume ? 0 : 1;
}
