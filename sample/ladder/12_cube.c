// Rung 12: three dimensions: one more index, one more component, one more loop. Two jets in a cube
// go past each other. Left the middle layer; right the whole as a volume: along each line of sight
// smoke shines and hides what is behind it.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 40, S = N + 2, SIZE = S * S * S, ZOOM = 8, STEPS = 40 };
enum { WIDTH = 2 * N * ZOOM, HEIGHT = N * ZOOM };

static float f[8][SIZE];
static uint8_t rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(3, N);
    const float *const carrier[] = {f[0], f[1], f[2]};
    float most = 0;
    box.sweeps = 10;
    for (int step = 0; step < STEPS; step++) {
        memset(f[3], 0, 3 * sizeof f[0]);
        memset(f[7], 0, sizeof f[0]);
        for (int j = -2; j <= 2; j++)
            for (int k = -2; k <= 2; k++) {
                size_t left = gyre_classic_index(&box, 5, N / 2 + 3 + j, N / 2 + 1 + k);
                size_t right = gyre_classic_index(&box, N - 4, N / 2 - 3 + j, N / 2 - 1 + k);
                f[7][left] = f[7][right] = 10;
                f[3][left] = 12;
                f[3][right] = -12;
            }
        if (gyre_classic_vel_step(&box, (float *const[]){f[0], f[1], f[2]},
                                  (float *const[]){f[3], f[4], f[5]}, 0, 0.04f) != GYRE_OK ||
            gyre_classic_dens_step(&box, f[6], f[7], carrier, 0, 0.04f) != GYRE_OK)
            return 1;
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < N * ZOOM; x++) {
            int i = x / ZOOM + 1, j = N - y / ZOOM;
            float through = 1, light = 0;
            for (int k = N; k >= 1; k--) {
                float d = f[6][gyre_classic_index(&box, i, j, k)], stop = expf(-0.5f * fmaxf(d, 0));
                // What is nearer is brighter, for depth.
                light += through * (1 - stop) * (0.3f + 0.7f * (float)k / N);
                through *= stop;
            }
            float slice = f[6][gyre_classic_index(&box, i, j, N / 2)];
            most = fmaxf(most, light);
            memset(rgb + 3 * (y * WIDTH + x), (int)(255 * fminf(fmaxf(slice, 0), 1)), 3);
            memset(rgb + 3 * (y * WIDTH + N * ZOOM + x), (int)(255 * fminf(light, 1)), 3);
        }
    float there = f[0][gyre_classic_index(&box, N / 2, N / 2 + 4, N / 2 + 1)];
    float back = f[0][gyre_classic_index(&box, N / 2, N / 2 - 3, N / 2 - 1)];
    printf("in the middle the jets run at %.3f and %.3f\n", (double)there, (double)back);
    if (!(there > 0.05f && back < -0.05f && most > 0.3f))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "12_cube.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
