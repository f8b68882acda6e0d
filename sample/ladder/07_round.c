// Rung 7: no walls at all: what leaves on one side comes in on the other. The boundary layer holds
// copies of the opposite cells, and the back-trace goes round as well. A checked square is carried
// once round the box, by exactly one cell a step, and is as it was: left at the start, middle half
// way, right at the end.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <stdio.h>
#include <string.h>

enum { N = 64, S = N + 2, ZOOM = 4, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

static float u[S * S], v[S * S], d[S * S], d0[S * S], first[S * S];
static uint8_t rgb[HEIGHT * WIDTH * 3];

static void draw(int panel)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int c = 0; c < N * ZOOM; c++) {
            float x = d[c / ZOOM + 1 + S * (N - y / ZOOM)];
            memset(rgb + 3 * (y * WIDTH + panel * N * ZOOM + c), (int)(40 + 215 * x), 3);
        }
}

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, N);
    const float *const carrier[] = {u, v};
    for (int side = 0; side < 4; side++)
        box.sides[side].rule = GYRE_CLASSIC_PERIODIC;
    for (int p = 0; p < S * S; p++) {
        int i = p % S, j = p / S;
        bool in = i >= 20 && i < 44 && j >= 20 && j < 44;
        d[p] = in && (i / 6 + j / 6) % 2 ? 1 : in ? 0.4f : 0;
        u[p] = v[p] = 1;
    }
    gyre_classic_set_bnd(&box, GYRE_CLASSIC_DENSITY, d);
    memcpy(first, d, sizeof d);
    draw(0);
    for (int step = 1; step <= N; step++) {
        memcpy(d0, d, sizeof d);
        if (gyre_classic_advect(&box, GYRE_CLASSIC_DENSITY, d, d0, carrier, 1.0f / N) != GYRE_OK)
            return 1;
        if (step == N / 2)
            draw(1);
    }
    draw(2);
    printf("once round: %s\n",
           memcmp(d, first, sizeof d) ? "changed" : "the same, to the last bit");
    if (memcmp(d, first, sizeof d) != 0)
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "07_round.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
