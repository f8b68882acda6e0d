// The whole solver in a hundred lines: J. Stam, Real-Time Fluid Dynamics for Games (2003).
#include <stdio.h>

enum { N = 64, SIZE = (N + 2) * (N + 2) };
#define IX(i, j) ((i) + (N + 2) * (j))

static void add_source(float *x, const float *s, float dt)
{
    for (int i = 0; i < SIZE; i++)
        x[i] += dt * s[i];
}

static void set_bnd(int b, float *x)
{
    for (int i = 1; i <= N; i++) {
        x[IX(0, i)] = b == 1 ? -x[IX(1, i)] : x[IX(1, i)];
        x[IX(N + 1, i)] = b == 1 ? -x[IX(N, i)] : x[IX(N, i)];
        x[IX(i, 0)] = b == 2 ? -x[IX(i, 1)] : x[IX(i, 1)];
        x[IX(i, N + 1)] = b == 2 ? -x[IX(i, N)] : x[IX(i, N)];
    }
    for (int i = 0; i <= N + 1; i += N + 1)
        for (int j = 0; j <= N + 1; j += N + 1)
            x[IX(i, j)] = 0.5f * (x[IX(i ? N : 1, j)] + x[IX(i, j ? N : 1)]);
}

static void lin_solve(int b, float *x, const float *x0, float a, float c)
{
    for (int sweep = 0; sweep < 20; sweep++) {
        for (int j = 1, i = 1; j <= N; j += i == N, i = i % N + 1) {
            float around = x[IX(i - 1, j)] + x[IX(i + 1, j)] + x[IX(i, j - 1)] + x[IX(i, j + 1)];
            x[IX(i, j)] = (x0[IX(i, j)] + a * around) / c;
        }
        set_bnd(b, x);
    }
}

static void diffuse(int b, float *x, const float *x0, float diff, float dt)
{
    lin_solve(b, x, x0, dt * diff * N * N, 1 + 4 * (dt * diff * N * N));
}

static void advect(int b, float *d, const float *d0, const float *u, const float *v, float dt)
{
    for (int j = 1, i = 1; j <= N; j += i == N, i = i % N + 1) {
        float x = (float)i - dt * N * u[IX(i, j)], y = (float)j - dt * N * v[IX(i, j)];
        x = x < 0.5f ? 0.5f : x > N + 0.5f ? N + 0.5f : x;
        y = y < 0.5f ? 0.5f : y > N + 0.5f ? N + 0.5f : y;
        int i0 = (int)x, i1 = i0 + 1, j0 = (int)y, j1 = j0 + 1;
        float s1 = x - (float)i0, s0 = 1 - s1, t1 = y - (float)j0, t0 = 1 - t1;
        d[IX(i, j)] = s0 * (t0 * d0[IX(i0, j0)] + t1 * d0[IX(i0, j1)]) +
                      s1 * (t0 * d0[IX(i1, j0)] + t1 * d0[IX(i1, j1)]);
    }
    set_bnd(b, d);
}

static void project(float *u, float *v, float *p, float *div)
{
    for (int j = 1, i = 1; j <= N; j += i == N, i = i % N + 1) {
        float out = u[IX(i + 1, j)] - u[IX(i - 1, j)] + v[IX(i, j + 1)] - v[IX(i, j - 1)];
        div[IX(i, j)] = -0.5f * out / N;
        p[IX(i, j)] = 0;
    }
    set_bnd(0, div), set_bnd(0, p);
    lin_solve(0, p, div, 1, 4);
    for (int j = 1, i = 1; j <= N; j += i == N, i = i % N + 1) {
        u[IX(i, j)] -= 0.5f * N * (p[IX(i + 1, j)] - p[IX(i - 1, j)]);
        v[IX(i, j)] -= 0.5f * N * (p[IX(i, j + 1)] - p[IX(i, j - 1)]);
    }
    set_bnd(1, u), set_bnd(2, v);
}

static void dens_step(float *x, float *x0, float *u, float *v, float diff, float dt)
{
    add_source(x, x0, dt);
    diffuse(0, x0, x, diff, dt);
    advect(0, x, x0, u, v, dt);
}

static void vel_step(float *u, float *v, float *u0, float *v0, float visc, float dt)
{
    add_source(u, u0, dt), add_source(v, v0, dt);
    diffuse(1, u0, u, visc, dt), diffuse(2, v0, v, visc, dt);
    project(u0, v0, u, v);
    advect(1, u, u0, u0, v0, dt), advect(2, v, v0, u0, v0, dt);
    project(u, v, u0, v0);
}

int main(void)
{
    static float u[SIZE], v[SIZE], u_prev[SIZE], v_prev[SIZE], dens[SIZE], dens_prev[SIZE];
    for (int step = 0; step < 50; step++) {
        dens_prev[IX(32, 5)] = 500, v_prev[IX(32, 5)] = 100;
        vel_step(u, v, u_prev, v_prev, 0, 0.1f);
        dens_step(dens, dens_prev, u, v, 0, 0.1f);
        for (int i = 0; i < SIZE; i++)
            u_prev[i] = v_prev[i] = dens_prev[i] = 0;
    }
    printf("density in the middle after 5 seconds: %g\n", (double)dens[IX(32, 32)]);
    return 0;
}
