// Rung 8: a wind tunnel. Air comes in on the left with a fixed velocity, leaves on the right where
// the pressure is held at 0, and goes round a disk in between: cells of a Boolean grid, each of
// which takes the mean of its fluid neighbours. Smoke comes in along stripes.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NX = 128, NY = 64, SX = NX + 2, SIZE = SX * (NY + 2), ZOOM = 4, STEPS = 200 };
enum { WIDTH = NX * ZOOM, HEIGHT = NY * ZOOM };

static float f[6][SIZE];
static uint8_t solid[SIZE], rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, NY);
    float *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]};
    const float *const carrier[] = {f[0], f[1]};
    box.n[0] = NX;
    box.sweeps = 30;
    box.solid = solid;
    box.sides[0] = (gyre_classic_side){GYRE_CLASSIC_INFLOW, {1, 0, 0}, 0};
    box.sides[1].rule = GYRE_CLASSIC_OPEN;
    for (int p = 0; p < SIZE; p++) {
        // A little off the middle, so that the wake need not wait for chance.
        float x = (float)(p % SX) - 40, y = (float)(p / SX) - 31;
        solid[p] = x * x + y * y < 64;
        f[0][p] = solid[p] ? 0 : 1;
    }
    for (int step = 0; step < STEPS; step++) {
        memset(f[2], 0, 2 * sizeof f[0]);
        memset(f[5], 0, sizeof f[0]);
        for (int j = 1; j <= NY; j++)
            for (int i = 1; i <= 3 && j % 8 < 4; i++)
                f[4][i + SX * j] = 1;
        if (gyre_classic_vel_step(&box, velocity, forces, 0, 0.02f) != GYRE_OK ||
            gyre_classic_dens_step(&box, f[4], f[5], carrier, 0, 0.02f) != GYRE_OK)
            return 1;
    }
    float before = f[0][20 + SX * 31], beside = f[0][40 + SX * 45], behind = f[0][52 + SX * 31];
    printf("velocity before the disk %.3f, beside it %.3f, behind it %.3f\n", (double)before,
           (double)beside, (double)behind);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int p = x / ZOOM + 1 + SX * (NY - y / ZOOM);
            uint8_t *out = rgb + 3 * (y * WIDTH + x);
            memset(out, (int)(255 * fmaxf(0, fminf(f[4][p], 1))), 3);
            if (solid[p])
                out[0] = 200, out[1] = 120, out[2] = 60;
        }
    if (!(beside > 1.03f && behind < 0.5f))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "08_tunnel.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
