// Rung 13: no floating point. Numbers are whole numbers of 1/256, in 16 bits: the talk's 8.8. The
// same jet at full strength, at 1/8 and at 1/64, each shown as bright as the first: the fainter,
// the fewer steps there are between nothing and all, until rounding eats the flow itself.
#define GYRE_CLASSIC_BITS 16
#define GYRE_CLASSIC_FRACTION 8
#include "gyre/classic.h"
#include "gyre/io.h"

#include <stdio.h>
#include <string.h>

enum { N = 64, S = N + 2, ZOOM = 4, STEPS = 60, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

static gyre_classic_real f[6][S * S];
static uint8_t rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, N);
    gyre_classic_real *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]};
    const gyre_classic_real *const carrier[] = {f[0], f[1]};
    const gyre_classic_real dt = GYRE_CLASSIC_REAL(0.05);
    int shades[3];
    for (int k = 0; k < 3; k++) {
        bool seen[256] = {false};
        memset(f, 0, sizeof f);
        for (int step = 0; step < STEPS; step++) {
            memset(f[2], 0, 2 * sizeof f[0]);
            memset(f[5], 0, sizeof f[0]);
            for (int i = N / 2 - 3; i <= N / 2 + 4; i++) {
                f[5][i + S * 6] = (gyre_classic_real)(GYRE_CLASSIC_REAL(16) >> 3 * k);
                f[3][i + S * 6] = GYRE_CLASSIC_REAL(12);
            }
            if (gyre_classic_vel_step(&box, velocity, forces, 0, dt) != GYRE_OK ||
                gyre_classic_dens_step(&box, f[4], f[5], carrier, 0, dt) != GYRE_OK)
                return 1;
        }
        shades[k] = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int c = 0; c < N * ZOOM; c++) {
                int d = f[4][c / ZOOM + 1 + S * (N - y / ZOOM)] * (1 << 3 * k);
                d = d < 0 ? 0 : d > 255 ? 255 : d;
                shades[k] += !seen[d];
                seen[d] = true;
                memset(rgb + 3 * (y * WIDTH + k * N * ZOOM + c), d, 3);
            }
        printf("strength 1/%d: %d shades\n", 1 << 3 * k, shades[k]);
    }
    if (!(shades[0] > 2 * shades[1] && shades[1] > 2 * shades[2]))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "13_fixed_point.png", WIDTH, HEIGHT, 3, rgb) !=
           GYRE_OK;
}
