// Rung 3: three ways to carry a disk along a turning flow, with steps of several cells. From left
// to right: fluxes through faces (upwind), which blow up when a step is longer than a cell; every
// cell pushed forward as a particle, which leaves holes; the back-trace, which asks each
// cell where its fluid was before, and never makes anything larger than it was. Red: below 0.
#include "gyre/classic.h"
#include "gyre/io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
enum { N = 64, S = N + 2, ZOOM = 4, STEPS = 16, WIDTH = 3 * N * ZOOM, HEIGHT = N * ZOOM };

static float u[S * S], v[S * S], d[S * S], d0[S * S];
static uint8_t rgb[HEIGHT * WIDTH * 3];

static void upwind(float dt)
{
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int p = i + S * j;
            float left = u[p] > 0 ? d0[p] - d0[p - 1] : d0[p + 1] - d0[p];
            float down = v[p] > 0 ? d0[p] - d0[p - S] : d0[p + S] - d0[p];
            float x = d0[p] - dt * N * (u[p] * left + v[p] * down);
            d[p] = fmaxf(-1e9f, fminf(1e9f, x));
        }
}

static void forward(float dt)
{
    memset(d, 0, sizeof d);
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int p = i + S * j;
            int x = (int)lrintf((float)i + dt * N * u[p]),
                y = (int)lrintf((float)j + dt * N * v[p]);
            if (x >= 1 && x <= N && y >= 1 && y <= N)
                d[x + S * y] += d0[p];
        }
}

int main(int argc, char **argv)
{
    gyre_classic_box box = gyre_classic_default_box(2, N);
    const float *const carrier[] = {u, v};
    int found[3] = {0};
    float most[3] = {0}, dt = 3.14159265f / STEPS;
    for (int way = 0; way < 3; way++) {
        for (int p = 0; p < S * S; p++) {
            float x = (float)(p % S) - 32.5f, y = (float)(p / S) - 32.5f;
            u[p] = -y / N;
            v[p] = x / N;
            d[p] = hypotf(x - 14, y) < 9 ? 0.5f : 0;
        }
        for (int step = 0; step < STEPS; step++) {
            memcpy(d0, d, sizeof d);
            if (way == 0)
                upwind(dt);
            else if (way == 1)
                forward(dt);
            else
                gyre_classic_advect(&box, GYRE_CLASSIC_DENSITY, d, d0, carrier, dt);
        }
        for (int p = S; p < S * S - S; p++) {
            most[way] = fmaxf(most[way], fabsf(d[p]));
            found[way] += d[p] == 0 && d[p - 1] > 0.2f && d[p + 1] > 0.2f;
        }
        printf("largest density %g, at first 0.5; %d holes\n", (double)most[way], found[way]);
        for (int y = 0; y < HEIGHT; y++)
            for (int c = 0; c < N * ZOOM; c++) {
                float x = d[c / ZOOM + 1 + S * (N - y / ZOOM)];
                uint8_t *p = rgb + 3 * (y * WIDTH + way * N * ZOOM + c);
                p[0] = (uint8_t)(255 * fminf(fabsf(x), 1));
                p[1] = p[2] = x < 0 ? 0 : p[0];
            }
    }
    if (most[0] < 10 || found[1] < 10 || found[2] > 0 || most[2] > 0.5f)
        return 1;
    return gyre_png_write(argc > 1 ? argv[1] : "03_moving.png", WIDTH, HEIGHT, 3, rgb) != GYRE_OK;
}
