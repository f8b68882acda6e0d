// Rung 2: how well must the system be solved? The same smoke with 1, 5 and 20 sweeps of
// Gauss-Seidel in each solve, from left to right. Few sweeps leave divergence behind: the fluid is
// squeezed, and the smoke neither curls nor gets far.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 64, S = N + 2, ZOOM = 4, STEPS = 60, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

static uint8_t rgb[HEIGHT * WIDTH * 3];

static double divergence(const float *u, const float *v)
{
    double sum = 0;
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int p = i + S * j;
            double d = (double)(u[p + 1] - u[p - 1] + v[p + S] - v[p - S]) * 0.5 * N;
            sum += d * d;
        }
    return sqrt(sum) / N;
}

int main(int argc, char **argv)
{
    static const int sweeps[3] = {1, 5, 20};
    double left[3];
    for (int k = 0; k < 3; k++) {
        static float f[6][S * S];
        float *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]};
        const float *const carrier[] = {f[0], f[1]};
        gyre_classic_box box = gyre_classic_default_box(2, N);
        memset(f, 0, sizeof f);
        box.sweeps = sweeps[k];
        for (int step = 0; step < STEPS; step++) {
            memset(f[2], 0, 2 * sizeof f[0]);
            memset(f[5], 0, sizeof f[0]);
            for (int i = N / 2 - 3; i <= N / 2 + 4; i++) {
                f[5][i + S * 4] = 20;
                f[3][i + S * 4] = 20;
            }
            if (gyre_classic_vel_step(&box, velocity, forces, 0, 0.05f) != GYRE_OK ||
                gyre_classic_dens_step(&box, f[4], f[5], carrier, 0, 0.05f) != GYRE_OK)
                return 1;
        }
        left[k] = divergence(f[0], f[1]);
        printf("%d sweeps leave a divergence of %.3f\n", sweeps[k], left[k]);
        for (int y = 0; y < HEIGHT; y++)
            for (int c = 0; c < N * ZOOM; c++) {
                float d = f[4][c / ZOOM + 1 + S * (N - y / ZOOM)];
                memset(rgb + 3 * (y * WIDTH + k * N * ZOOM + c), (int)(255 * fminf(d, 1)), 3);
            }
    }
    if (!(left[2] < left[1] && left[1] < left[0]))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "02_sweeps.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
