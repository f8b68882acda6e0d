// Rung 6: what a wall does to the flow along it. On the left the fluid slides: only the component
// through the wall is turned round. On the right it "bounces": both are, so that it stands still at
// the wall, which brakes what passes. (An inflow of velocity 0 is just that.)
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 64, S = N + 2, ZOOM = 5, STEPS = 50, WIDTH = 2 * N * ZOOM, HEIGHT = N * ZOOM };

static float f[6][S * S];
static uint8_t rgb[HEIGHT * WIDTH * 3];

int main(int argc, char **argv)
{
    float *velocity[] = {f[0], f[1]}, *forces[] = {f[2], f[3]}, along[2] = {0};
    const float *const carrier[] = {f[0], f[1]};
    for (int way = 0; way < 2; way++) {
        gyre_classic_box box = gyre_classic_default_box(2, N), air = box;
        for (int side = 0; side < 4; side++)
            air.sides[side].rule = way ? GYRE_CLASSIC_INFLOW : GYRE_CLASSIC_WALL;
        memset(f, 0, sizeof f);
        for (int step = 0; step < STEPS; step++) {
            memset(f[2], 0, 2 * sizeof f[0]);
            memset(f[5], 0, sizeof f[0]);
            for (int i = N / 2 - 3; i <= N / 2 + 4; i++) {
                f[5][i + S * 20] = 20;
                f[3][i + S * 20] = -20;
            }
            if (gyre_classic_vel_step(&air, velocity, forces, 0.001f, 0.05f) != GYRE_OK ||
                gyre_classic_dens_step(&box, f[4], f[5], carrier, 0, 0.05f) != GYRE_OK)
                return 1;
        }
        for (int i = 1; i <= N; i++)
            along[way] += fabsf(f[0][i + S]) / N;
        printf("%s: mean speed along the floor %.4f\n", way ? "bouncing" : "sliding",
               (double)along[way]);
        for (int y = 0; y < HEIGHT; y++)
            for (int c = 0; c < N * ZOOM; c++) {
                float d = f[4][c / ZOOM + 1 + S * (N - y / ZOOM)];
                memset(rgb + 3 * (y * WIDTH + way * N * ZOOM + c), (int)(255 * fminf(d, 1)), 3);
            }
    }
    if (!(along[1] < 0.7f * along[0]))
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "06_walls.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
