// Rung 10: liquid textures. Not a density but two coordinates are carried along, which say for each
// cell where in an image its fluid was at the start; the image is then looked up there. It stays
// sharp where a carried colour would be a blur: left the coordinates' picture, right the colours'.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <stdio.h>
#include <string.h>

enum { N = 128, S = N + 2, ZOOM = 3, STEPS = 60, WIDTH = 2 * N * ZOOM, HEIGHT = N * ZOOM };

static float f[10][S * S];
static uint8_t image[N * N * 3], shown[N * N * 3], rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, N);
    float *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]}, *tex[] = {f[4], f[5]},
          *spare[] = {f[6], f[7]};
    const float *const carrier[] = {f[0], f[1]}, *const look[] = {f[4], f[5]};
    long sharp = 0, blurred = 0;
    for (int p = 0; p < N * N; p++) {
        int i = p % N, j = p / N;
        image[3 * p] = (i / 8 + j / 8) % 2 ? 230 : 40;
        image[3 * p + 1] = (uint8_t)(i * 255 / N);
        image[3 * p + 2] = (uint8_t)(j * 255 / N);
        f[8][i + 1 + S * (j + 1)] = image[3 * p];
    }
    gyre_classic_set_bnd(&box, GYRE_CLASSIC_DENSITY, f[8]);
    gyre_classic_tex_reset(&box, tex);
    for (int step = 0; step < STEPS; step++) {
        memset(f[2], 0, 2 * sizeof f[0]);
        for (int k = -6; k <= 6 && step < 30; k++) {
            f[2][N / 4 + S * (N / 2 + 14 + k)] = 14;
            f[2][3 * N / 4 + S * (N / 2 - 14 + k)] = -14;
        }
        memcpy(f[9], f[8], sizeof f[8]);
        if (gyre_classic_vel_step(&box, velocity, forces, 0, 0.05f) != GYRE_OK ||
            gyre_classic_tex_step(&box, tex, spare, carrier, 0.05f) != GYRE_OK ||
            gyre_classic_advect(&box, GYRE_CLASSIC_DENSITY, f[8], f[9], carrier, 0.05f) != GYRE_OK)
            return 1;
    }
    if (gyre_classic_tex_draw(&box, look, 0, image, N, N, 3, shown) != GYRE_OK)
        return 1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < N * ZOOM; x++) {
            int p = x / ZOOM + N * (N - 1 - y / ZOOM);
            float red = f[8][x / ZOOM + 1 + S * (N - y / ZOOM)];
            memcpy(rgb + 3 * (y * WIDTH + x), shown + 3 * p, 3);
            memset(rgb + 3 * (y * WIDTH + N * ZOOM + x), (int)red, 3);
            sharp += shown[3 * p] < 50 || shown[3 * p] > 220;
            blurred += red < 50 || red > 220;
        }
    printf("pixels that are still black or white: %ld of %d, carried as a colour %ld\n", sharp,
           N * ZOOM * HEIGHT, blurred);
    if (!(sharp > 2 * blurred))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "10_texture.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
