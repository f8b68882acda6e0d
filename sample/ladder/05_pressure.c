// Rung 5: the landscape that the fluid runs down on: the pressure, as a relief lit from the upper
// left, and its gradient as arrows. Two jets meet in the middle of a box: where fluid would pile up
// there is a hill, which turns it aside; where it would be missing, a hollow.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 64, S = N + 2, ZOOM = 8, SIDE = N * ZOOM };

static float u[S * S], v[S * S], p[S * S], rest[S * S];
static uint8_t rgb[SIDE * SIDE * 3];

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, N);
    float most = 0;
    box.sweeps = 3000;
    for (int j = 27; j <= 38; j++)
        for (int i = 8; i <= 57; i++)
            u[i + S * j] = i < 33 ? 1 : -1;
    gyre_classic_set_bnd(&box, GYRE_CLASSIC_X, u);
    if (gyre_classic_project(&box, (float *const[]){u, v}, p, rest) != GYRE_OK)
        return 1;
    for (int c = 0; c < S * S; c++)
        most = fmaxf(most, fabsf(p[c]));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            // Between cells heights are mixed, so that the relief is smooth.
            float a = ((float)x + 0.5f) / ZOOM + 0.5f, b = ((float)(SIDE - y) - 0.5f) / ZOOM + 0.5f;
            int c = (int)a + S * (int)b;
            float s = a - floorf(a), t = b - floorf(b);
            float slope_x = (1 - t) * (p[c + 1] - p[c]) + t * (p[c + S + 1] - p[c + S]);
            float slope_y = (1 - s) * (p[c + S] - p[c]) + s * (p[c + S + 1] - p[c + 1]);
            float light = 0.55f - 4 * (slope_y - slope_x) / most;
            light = fmaxf(0, fminf(1, light));
            uint8_t *out = rgb + 3 * (y * SIDE + x);
            float height = (1 - s) * p[c] + s * p[c + 1];
            out[0] = (uint8_t)(light * (height > 0 ? 255 : 190));
            out[1] = (uint8_t)(light * 200);
            out[2] = (uint8_t)(light * (height < 0 ? 255 : 160));
        }
    for (int j = 3; j <= N; j += 4)
        for (int i = 3; i <= N; i += 4) {
            int c = i + S * j;
            float gx = p[c + 1] - p[c - 1], gy = p[c + S] - p[c - S];
            for (int t = 0; t <= 40; t++) {
                float step = (float)t / 40 * 12 / most;
                int x = (int)(((float)i - 0.5f - step * gx) * ZOOM);
                int y = SIDE - 1 - (int)(((float)j - 0.5f - step * gy) * ZOOM);
                if (x >= 0 && x < SIDE && y >= 0 && y < SIDE)
                    memset(rgb + 3 * (y * SIDE + x), 0, 3);
            }
        }
    printf("pressure in the middle %.4f, behind a nozzle %.4f\n", (double)p[32 + S * 32],
           (double)p[7 + S * 32]);
    if (!(p[32 + S * 32] > 0 && p[7 + S * 32] < 0))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "05_pressure.png", SIDE, SIDE, 3, rgb) != GYRE_OK;
}
