// Rung 4: what projection takes out. Any flow is the sum of two: one that only turns, in which as
// much leaves every cell as enters, and one that only runs downhill on some landscape. From left to
// right: a flow; its turning half, which projection keeps; its downhill half, which it takes out.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 48, S = N + 2, ZOOM = 6, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

static float u[S * S], v[S * S], u1[S * S], v1[S * S], p[S * S], div_[S * S];
static uint8_t rgb[HEIGHT * WIDTH * 3];

static void arrow(int panel, int i, int j, float x, float y)
{
    // A line that grows brighter towards its tip.
    for (int t = 0; t <= 60; t++) {
        int px = (int)(((float)i - 0.5f + x * (float)t / 60) * ZOOM);
        int py = (int)(((float)j - 0.5f + y * (float)t / 60) * ZOOM);
        if (px >= 0 && px < N * ZOOM && py >= 0 && py < HEIGHT)
            memset(rgb + 3 * ((HEIGHT - 1 - py) * WIDTH + panel * N * ZOOM + px), 75 + 3 * t, 3);
    }
}

static double divergence(const float *x, const float *y)
{
    double sum = 0;
    for (int j = 2; j < N; j++)
        for (int i = 2; i < N; i++) {
            int c = i + S * j;
            double d = (double)(x[c + 1] - x[c - 1] + y[c + S] - y[c - S]) * 0.5 * N;
            sum += d * d;
        }
    return sqrt(sum) / N;
}

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, N);
    box.sweeps = 2000;
    for (int c = 0; c < S * S; c++) {
        float x = ((float)(c % S) - 0.5f) / N, y = ((float)(c / S) - 0.5f) / N;
        float r = expf(-30 * ((x - 0.35f) * (x - 0.35f) + (y - 0.4f) * (y - 0.4f)));
        float q = expf(-30 * ((x - 0.65f) * (x - 0.65f) + (y - 0.6f) * (y - 0.6f)));
        // A whirl at the lower left, a spring at the upper right.
        u[c] = u1[c] = 4 * (-r * (y - 0.4f) + q * (x - 0.65f));
        v[c] = v1[c] = 4 * (r * (x - 0.35f) + q * (y - 0.6f));
    }
    gyre_classic_set_bnd(&box, GYRE_CLASSIC_X, u1);
    gyre_classic_set_bnd(&box, GYRE_CLASSIC_Y, v1);
    if (gyre_classic_project(&box, (float *const[]){u1, v1}, p, div_) != GYRE_OK)
        return 1;
    for (int j = 2; j <= N; j += 3)
        for (int i = 2; i <= N; i += 3) {
            int c = i + S * j;
            arrow(0, i, j, 16 * u[c], 16 * v[c]);
            arrow(1, i, j, 16 * u1[c], 16 * v1[c]);
            arrow(2, i, j, 16 * (u[c] - u1[c]), 16 * (v[c] - v1[c]));
        }
    printf("divergence %.4f, of the half that stays %.4f\n", divergence(u, v), divergence(u1, v1));
    if (divergence(u1, v1) > 0.1 * divergence(u, v))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "04_halves.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
