// The paper's algorithm as printed, as a measure: J. Stam, Real-Time Fluid Dynamics for Games,
// 2003. 2D, collocated, 20 sweeps of Gauss-Seidel in each of five solves (u, v, two projections,
// density), scalar C on one thread. Two things differ from the print: the projection subtracts the
// gradient (it is assigned there), and the inner loops run along memory.
#include "bench/parts.h"

#include <math.h>
#include <string.h>

#define IX(i, j) ((i) + (N + 2) * (j))
#define SWAP(x0, x)                                                                                \
    {                                                                                              \
        float *tmp = x0;                                                                           \
        x0 = x;                                                                                    \
        x = tmp;                                                                                   \
    }

static void add_source(int N, float *x, const float *s, float dt)
{
    int size = (N + 2) * (N + 2);
    for (int i = 0; i < size; i++)
        x[i] += dt * s[i];
}

static void set_bnd(int N, int b, float *x)
{
    for (int i = 1; i <= N; i++) {
        x[IX(0, i)] = b == 1 ? -x[IX(1, i)] : x[IX(1, i)];
        x[IX(N + 1, i)] = b == 1 ? -x[IX(N, i)] : x[IX(N, i)];
        x[IX(i, 0)] = b == 2 ? -x[IX(i, 1)] : x[IX(i, 1)];
        x[IX(i, N + 1)] = b == 2 ? -x[IX(i, N)] : x[IX(i, N)];
    }
    x[IX(0, 0)] = 0.5f * (x[IX(1, 0)] + x[IX(0, 1)]);
    x[IX(0, N + 1)] = 0.5f * (x[IX(1, N + 1)] + x[IX(0, N)]);
    x[IX(N + 1, 0)] = 0.5f * (x[IX(N, 0)] + x[IX(N + 1, 1)]);
    x[IX(N + 1, N + 1)] = 0.5f * (x[IX(N, N + 1)] + x[IX(N + 1, N)]);
}

static void diffuse(int N, int b, float *x, const float *x0, float diff, float dt)
{
    float a = dt * diff * (float)N * (float)N;
    for (int k = 0; k < 20; k++) {
        for (int j = 1; j <= N; j++)
            for (int i = 1; i <= N; i++)
                x[IX(i, j)] = (x0[IX(i, j)] + a * (x[IX(i - 1, j)] + x[IX(i + 1, j)] +
                                                   x[IX(i, j - 1)] + x[IX(i, j + 1)])) /
                              (1 + 4 * a);
        set_bnd(N, b, x);
    }
}

static void advect(int N, int b, float *d, const float *d0, const float *u, const float *v,
                   float dt)
{
    float dt0 = dt * (float)N, most = (float)N + 0.5f;
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            float x = (float)i - dt0 * u[IX(i, j)], y = (float)j - dt0 * v[IX(i, j)];
            if (x < 0.5f)
                x = 0.5f;
            if (x > most)
                x = most;
            int i0 = (int)x, i1 = i0 + 1;
            if (y < 0.5f)
                y = 0.5f;
            if (y > most)
                y = most;
            int j0 = (int)y, j1 = j0 + 1;
            float s1 = x - (float)i0, s0 = 1 - s1, t1 = y - (float)j0, t0 = 1 - t1;
            d[IX(i, j)] = s0 * (t0 * d0[IX(i0, j0)] + t1 * d0[IX(i0, j1)]) +
                          s1 * (t0 * d0[IX(i1, j0)] + t1 * d0[IX(i1, j1)]);
        }
    set_bnd(N, b, d);
}

static void project(int N, float *u, float *v, float *p, float *div)
{
    float h = 1.0f / (float)N;
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            div[IX(i, j)] =
                -0.5f * h * (u[IX(i + 1, j)] - u[IX(i - 1, j)] + v[IX(i, j + 1)] - v[IX(i, j - 1)]);
            p[IX(i, j)] = 0;
        }
    set_bnd(N, 0, div);
    set_bnd(N, 0, p);
    for (int k = 0; k < 20; k++) {
        for (int j = 1; j <= N; j++)
            for (int i = 1; i <= N; i++)
                p[IX(i, j)] = (div[IX(i, j)] + p[IX(i - 1, j)] + p[IX(i + 1, j)] + p[IX(i, j - 1)] +
                               p[IX(i, j + 1)]) /
                              4;
        set_bnd(N, 0, p);
    }
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            u[IX(i, j)] -= 0.5f * (p[IX(i + 1, j)] - p[IX(i - 1, j)]) / h;
            v[IX(i, j)] -= 0.5f * (p[IX(i, j + 1)] - p[IX(i, j - 1)]) / h;
        }
    set_bnd(N, 1, u);
    set_bnd(N, 2, v);
}

static double divergence_rms(int N, const float *u, const float *v)
{
    double sum = 0;
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            float left = 0.5f * (u[IX(i - 1, j)] + u[IX(i, j)]);
            float right = 0.5f * (u[IX(i, j)] + u[IX(i + 1, j)]);
            float below = 0.5f * (v[IX(i, j - 1)] + v[IX(i, j)]);
            float above = 0.5f * (v[IX(i, j)] + v[IX(i, j + 1)]);
            double d = (double)((right - left) + (above - below)) * N;
            sum += d * d;
        }
    return sqrt(sum / N / N);
}

static void dens_step(int N, float *x, float *x0, float *u, float *v, float diff, float dt)
{
    add_source(N, x, x0, dt);
    SWAP(x0, x);
    diffuse(N, 0, x, x0, diff, dt);
    SWAP(x0, x);
    advect(N, 0, x, x0, u, v, dt);
}

static void vel_step(int N, float *u, float *v, float *u0, float *v0, float visc, float dt,
                     double *divergence)
{
    add_source(N, u, u0, dt);
    add_source(N, v, v0, dt);
    SWAP(u0, u);
    diffuse(N, 1, u, u0, visc, dt);
    SWAP(v0, v);
    diffuse(N, 2, v, v0, visc, dt);
    project(N, u, v, u0, v0);
    SWAP(u0, u);
    SWAP(v0, v);
    advect(N, 1, u, u0, u0, v0, dt);
    advect(N, 2, v, v0, u0, v0, dt);
    if (divergence)
        divergence[0] = divergence_rms(N, u, v);
    project(N, u, v, u0, v0);
    if (divergence)
        divergence[1] = divergence_rms(N, u, v);
}

static size_t bytes_of(const bench_paper *p)
{
    return sizeof(float) * (size_t)(p->n + 2) * (size_t)(p->n + 2);
}

bench_paper bench_paper_make(const bench_flow *flow)
{
    int N = flow->n;
    bench_paper p = {.n = N};
    float **all[] = {&p.u, &p.v, &p.u_prev, &p.v_prev, &p.dens, &p.dens_prev};
    for (int f = 0; f < 6; f++)
        *all[f] = bench_allocate(bytes_of(&p));
    float row[4097], next[4097];
    for (int j = 0; j < N; j++) {
        bench_flow_row(flow, 0, j, 0, row);
        for (int i = 0; i < N; i++)
            p.u[IX(i + 1, j + 1)] = 0.5f * (row[i] + row[i + 1]);
        bench_flow_row(flow, 1, j, 0, row);
        bench_flow_row(flow, 1, j + 1, 0, next);
        for (int i = 0; i < N; i++)
            p.v[IX(i + 1, j + 1)] = 0.5f * (row[i] + next[i]);
        bench_scalar_row(flow, j, 0, p.dens + IX(1, j + 1));
    }
    set_bnd(N, 1, p.u);
    set_bnd(N, 2, p.v);
    set_bnd(N, 0, p.dens);
    return p;
}

void bench_paper_free(bench_paper *p)
{
    float *all[] = {p->u, p->v, p->u_prev, p->v_prev, p->dens, p->dens_prev};
    for (int f = 0; f < 6; f++)
        bench_release(all[f]);
}

void bench_paper_step(bench_paper *p, float dt, double *divergence)
{
    // visc = diff = 0, as the paper's own demonstrations are set; the sweeps are made all the same.
    vel_step(p->n, p->u, p->v, p->u_prev, p->v_prev, 0, dt, divergence);
    dens_step(p->n, p->dens, p->dens_prev, p->u, p->v, 0, dt);
    // No sources: what the paper's get_from_UI does when nobody touches anything.
    memset(p->u_prev, 0, bytes_of(p));
    memset(p->v_prev, 0, bytes_of(p));
    memset(p->dens_prev, 0, bytes_of(p));
}

float bench_paper_speed(const bench_paper *p)
{
    float most = 0;
    for (size_t i = 0; i < bytes_of(p) / sizeof(float); i++)
        most = fmaxf(most, fmaxf(fabsf(p->u[i]), fabsf(p->v[i])));
    return most;
}
