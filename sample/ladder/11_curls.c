// Rung 11: vorticity confinement. Every look-up mixes neighbours, so that small whirls die sooner
// than they should. A small force round each of them, towards its middle and turned by a right
// angle, gives them back what the mixing took: left without, right with it.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 96, S = N + 2, ZOOM = 4, STEPS = 120, WIDTH = 2 * N * ZOOM, HEIGHT = N * ZOOM };

static float f[6][S * S];
static uint8_t rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    float *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]};
    const float *const carrier[] = {f[0], f[1]};
    double whirl[2] = {0};
    for (int with = 0; with < 2; with++) {
        gyre_classic_box box = gyre_classic_default_box(2, N);
        memset(f, 0, sizeof f);
        box.confinement = with ? 2.0f : 0.0f;
        for (int step = 0; step < STEPS; step++) {
            memset(f[2], 0, 2 * sizeof f[0]);
            memset(f[5], 0, sizeof f[0]);
            for (int i = N / 2 - 5; i <= N / 2 + 6 && step < 50; i++) {
                f[5][i + S * 4] = 24;
                f[3][i + S * 4] = 25;
            }
            if (gyre_classic_vel_step(&box, velocity, forces, 0, 0.03f) != GYRE_OK ||
                gyre_classic_dens_step(&box, f[4], f[5], carrier, 0, 0.03f) != GYRE_OK)
                return 1;
        }
        for (int j = 1; j <= N; j++)
            for (int i = 1; i <= N; i++) {
                int p = i + S * j;
                double w =
                    (double)(f[1][p + 1] - f[1][p - 1] - f[0][p + S] + f[0][p - S]) * 0.5 * N;
                whirl[with] += w * w / N / N;
            }
        printf("%s confinement: mean square of vorticity %.3f\n", with ? "with" : "without",
               whirl[with]);
        for (int y = 0; y < HEIGHT; y++)
            for (int c = 0; c < N * ZOOM; c++) {
                float d = f[4][c / ZOOM + 1 + S * (N - y / ZOOM)];
                memset(rgb + 3 * (y * WIDTH + with * N * ZOOM + c), (int)(255 * fminf(d, 1)), 3);
            }
    }
    if (!(whirl[1] > 1.2 * whirl[0]))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "11_curls.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
