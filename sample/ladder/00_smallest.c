// The paper's challenge: a smaller one. Fields are numbered: 0 density, 1 and 2 velocity; f holds
// them, g their sources. One loop does each of the three things there are to do, for all of them.
#include <stdio.h>

enum { N = 64, S = N + 2, ALL = S * S };
static float f[3][ALL], g[3][ALL];

static void edges(int b, float *x)
{
    for (int i = 1; i <= 4 * N; i++) {
        int side = i % 4, in = (side < 2 ? 1 : S) * (side % 2 ? -1 : 1);
        int p = (i + 3) / 4 * (side < 2 ? S : 1) + side % 2 * (N + 1) * (side < 2 ? 1 : S);
        x[p] = b == 1 + side / 2 ? -x[p + in] : x[p + in];
    }
    for (int c = 0; c < 4; c++) {
        int p = (N + 1) * (c % 2 + c / 2 * S);
        x[p] = 0.5f * (x[p + (c % 2 ? -1 : 1)] + x[p + (c / 2 ? -S : S)]);
    }
}

static void solve(int b, float *x, const float *x0, float a, float c)
{
    for (int i = 0; i < 20 * N * N; i++) {
        int p = i / N % N * S + i % N + S + 1;
        x[p] = (x0[p] + a * (x[p - 1] + x[p + 1] + x[p - S] + x[p + S])) / c;
        if ((i + 1) % (N * N) == 0)
            edges(b, x);
    }
}

static void move(int b, float *x, const float *x0, float (*v)[ALL], float dt)
{
    for (int i = 0; i < N * N; i++) {
        int at = i / N * S + i % N + S + 1, p = 0;
        float where[2] = {(float)(i % N + 1), (float)(i / N + 1)};
        for (int d = 0; d < 2; d++) {
            float q = where[d] - dt * N * v[d][at];
            q = q < 0.5f ? 0.5f : q > N + 0.5f ? N + 0.5f : q;
            p += (int)q * (d ? S : 1);
            where[d] = q - (float)(int)q;
        }
        float s = where[0], t = where[1];
        x[at] = (1 - s) * ((1 - t) * x0[p] + t * x0[p + S]) +
                s * ((1 - t) * x0[p + 1] + t * x0[p + 1 + S]);
    }
    edges(b, x);
}

static void project(float (*v)[ALL], float *pressure, float *flow)
{
    for (int i = 0, p = S + 1; i < N * N; p += ++i % N ? 1 : 3) {
        flow[p] = -0.5f * (v[0][p + 1] - v[0][p - 1] + v[1][p + S] - v[1][p - S]) / N;
        pressure[p] = 0;
    }
    edges(0, flow), edges(0, pressure), solve(0, pressure, flow, 1, 4);
    for (int i = 0, p = S + 1; i < N * N; p += ++i % N ? 1 : 3) {
        v[0][p] -= 0.5f * N * (pressure[p + 1] - pressure[p - 1]);
        v[1][p] -= 0.5f * N * (pressure[p + S] - pressure[p - S]);
    }
    edges(1, v[0]), edges(2, v[1]);
}

static void step(const float rate[3], float dt)
{
    for (int b = 0; b < 3; b++) {
        for (int p = 0; p < ALL; p++)
            f[b][p] += dt * g[b][p];
        float a = dt * rate[b] * N * N;
        solve(b, g[b], f[b], a, 1 + 4 * a);
    }
    project(g + 1, f[1], f[2]);
    move(1, f[1], g[1], g + 1, dt), move(2, f[2], g[2], g + 1, dt);
    project(f + 1, g[1], g[2]);
    move(0, f[0], g[0], f + 1, dt);
}

int main(void)
{
    for (int k = 0; k < 50; k++) {
        g[0][5 * S + 32] = 500, g[2][5 * S + 32] = 100;
        step((float[3]){0}, 0.1f);
        for (int p = 0; p < 3 * ALL; p++)
            g[p / ALL][p % ALL] = 0;
    }
    printf("density in the middle after 5 seconds: %g\n", (double)f[0][32 * S + 32]);
    return 0;
}
