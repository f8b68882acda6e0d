// Rung 9: how thick must a wall be? A wall's cell takes the mean of its fluid neighbours. One cell
// thick (left) it has fluid on both sides, and the mean of both carries smoke through. Two cells
// thick (right) each layer has one side, and nothing passes.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 48, S = N + 2, ZOOM = 6, STEPS = 250, WIDTH = 2 * N * ZOOM, HEIGHT = N * ZOOM };

static float f[6][S * S];
static uint8_t solid[S * S], rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    float *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]}, beyond[2] = {0};
    const float *const carrier[] = {f[0], f[1]};
    for (int thick = 1; thick <= 2; thick++) {
        gyre_classic_box box = gyre_classic_default_box(2, N);
        memset(f, 0, sizeof f);
        for (int p = 0; p < S * S; p++)
            solid[p] = p % S >= 26 && p % S < 26 + thick;
        box.solid = solid;
        for (int step = 0; step < STEPS; step++) {
            memset(f[2], 0, 2 * sizeof f[0]);
            memset(f[5], 0, sizeof f[0]);
            for (int j = N / 2 - 3; j <= N / 2 + 4; j++) {
                f[5][4 + S * j] = 8;
                f[2][4 + S * j] = 6;
            }
            if (gyre_classic_vel_step(&box, velocity, forces, 0.001f, 0.02f) != GYRE_OK ||
                gyre_classic_dens_step(&box, f[4], f[5], carrier, 0.005f, 0.02f) != GYRE_OK)
                return 1;
        }
        for (int p = 0; p < S * S; p++)
            beyond[thick - 1] += p % S >= 26 + thick ? f[4][p] : 0;
        printf("%d thick: %g of smoke is beyond the wall\n", thick, (double)beyond[thick - 1]);
        for (int y = 0; y < HEIGHT; y++)
            for (int c = 0; c < N * ZOOM; c++) {
                int p = c / ZOOM + 1 + S * (N - y / ZOOM);
                uint8_t *out = rgb + 3 * (y * WIDTH + (thick - 1) * N * ZOOM + c);
                memset(out, (int)(255 * fminf(3 * f[4][p], 1)), 3);
                if (solid[p])
                    out[0] = 200, out[1] = 120, out[2] = 60;
            }
    }
    if (beyond[0] < 0.5f || beyond[1] != 0)
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "09_leak.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
