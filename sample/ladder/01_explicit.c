// Rung 1: diffusion, the obvious way and the way that works. Each cell trades with its neighbours;
// a = rate * dt / cell^2 says how much. The obvious way (upper row) hands out more than there is as
// soon as a > 1/4. The implicit way (lower row) asks which densities, traded backwards, would give
// those we have: no a is too large. From left to right a = 0.2, 0.27, 2. Red: below 0.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48, S = N + 2, ZOOM = 4, STEPS = 100, WIDTH = 3 * N * ZOOM, HEIGHT = 2 * N * ZOOM };

static uint8_t rgb[HEIGHT * WIDTH * 3];
static float x[S * S], x0[S * S];

static void draw(int column, int row)
{
    for (int y = 0; y < N * ZOOM; y++)
        for (int c = 0; c < N * ZOOM; c++) {
            float d = x[c / ZOOM + 1 + S * (y / ZOOM + 1)];
            uint8_t shade = (uint8_t)(255 * fminf(fabsf(d), 1));
            uint8_t *p = rgb + 3 * ((row * N * ZOOM + y) * WIDTH + column * N * ZOOM + c);
            p[0] = shade;
            p[1] = p[2] = d < 0 ? 0 : shade;
        }
}

int main(int argc, char **argv)
{
    static const float as[3] = {0.2f, 0.27f, 2};
    gyre_classic_box box = gyre_classic_default_box(2, N);
    float most[2][3] = {{0}};
    for (int way = 0; way < 2; way++)
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < S * S; i++)
                x[i] = abs(i % S - S / 2) < 8 && abs(i / S - S / 2) < 8;
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < S * S; i++)
                    x0[i] = x[i];
                if (way == 1) {
                    gyre_classic_lin_solve(&box, GYRE_CLASSIC_DENSITY, x, x0, as[k], 1 + 4 * as[k]);
                    continue;
                }
                for (int j = 1; j <= N; j++)
                    for (int i = 1; i <= N; i++) {
                        int p = i + S * j;
                        float around = x0[p - 1] + x0[p + 1] + x0[p - S] + x0[p + S];
                        x[p] = fmaxf(-1e9f, fminf(1e9f, x0[p] + as[k] * (around - 4 * x0[p])));
                    }
                gyre_classic_set_bnd(&box, GYRE_CLASSIC_DENSITY, x);
            }
            for (int i = 0; i < S * S; i++)
                most[way][k] = fmaxf(most[way][k], fabsf(x[i]));
            printf("%s, a = %.2f: largest density %g\n", way ? "implicit" : "explicit",
                   (double)as[k], (double)most[way][k]);
            draw(k, way);
        }
    // What this rung says: above 1/4 one blows up, the other never does.
    if (most[0][0] > 1 || most[0][1] < 10 || most[0][2] < 10 || most[1][2] > 1)
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "01_explicit.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
