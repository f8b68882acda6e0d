// The cube text's algorithm, as a measure: M. Ash, Fluid Simulation for Dummies, 2006. 3D,
// collocated, plain Gauss-Seidel in each of six solves, scalar C on one thread. Mended: the corner
// that reads out of bounds, the back-trace that is cut to N + 0.5, 0.33 for 1/3, edges that are
// never set, and one cell size, 1 / (N - 2), throughout.
#include "bench/parts.h"

#include <math.h>

#define IX(x, y, z) ((x) + (y)*N + (z)*N * N)

/// Edges and corners take the mean of their two or three neighbours nearer to the inside.
static void set_edges(float *x, int N)
{
    const int ends[2] = {0, N - 1}, near[2] = {1, N - 2};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            int p = ends[a], q = ends[b], pn = near[a], qn = near[b];
            for (int i = 1; i < N - 1; i++) {
                x[IX(i, p, q)] = 0.5f * (x[IX(i, pn, q)] + x[IX(i, p, qn)]);
                x[IX(p, i, q)] = 0.5f * (x[IX(pn, i, q)] + x[IX(p, i, qn)]);
                x[IX(p, q, i)] = 0.5f * (x[IX(pn, q, i)] + x[IX(p, qn, i)]);
            }
            for (int c = 0; c < 2; c++) {
                int r = ends[c], rn = near[c];
                x[IX(p, q, r)] = (x[IX(pn, q, r)] + x[IX(p, qn, r)] + x[IX(p, q, rn)]) / 3;
            }
        }
}

static void set_bnd(int b, float *x, int N)
{
    for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N - 1; i++) {
            x[IX(i, j, 0)] = b == 3 ? -x[IX(i, j, 1)] : x[IX(i, j, 1)];
            x[IX(i, j, N - 1)] = b == 3 ? -x[IX(i, j, N - 2)] : x[IX(i, j, N - 2)];
        }
    for (int k = 1; k < N - 1; k++)
        for (int i = 1; i < N - 1; i++) {
            x[IX(i, 0, k)] = b == 2 ? -x[IX(i, 1, k)] : x[IX(i, 1, k)];
            x[IX(i, N - 1, k)] = b == 2 ? -x[IX(i, N - 2, k)] : x[IX(i, N - 2, k)];
        }
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++) {
            x[IX(0, j, k)] = b == 1 ? -x[IX(1, j, k)] : x[IX(1, j, k)];
            x[IX(N - 1, j, k)] = b == 1 ? -x[IX(N - 2, j, k)] : x[IX(N - 2, j, k)];
        }
    set_edges(x, N);
}

static void lin_solve(int b, float *x, const float *x0, float a, float c, int iter, int N)
{
    float cRecip = 1.0f / c;
    for (int k = 0; k < iter; k++) {
        for (int m = 1; m < N - 1; m++)
            for (int j = 1; j < N - 1; j++)
                for (int i = 1; i < N - 1; i++)
                    x[IX(i, j, m)] =
                        (x0[IX(i, j, m)] +
                         a * (x[IX(i + 1, j, m)] + x[IX(i - 1, j, m)] + x[IX(i, j + 1, m)] +
                              x[IX(i, j - 1, m)] + x[IX(i, j, m + 1)] + x[IX(i, j, m - 1)])) *
                        cRecip;
        set_bnd(b, x, N);
    }
}

static void diffuse(int b, float *x, const float *x0, float diff, float dt, int iter, int N)
{
    float a = dt * diff * (float)(N - 2) * (float)(N - 2);
    lin_solve(b, x, x0, a, 1 + 6 * a, iter, N);
}

static void project(float *velocX, float *velocY, float *velocZ, float *p, float *div, int iter,
                    int N)
{
    float cells = (float)(N - 2);
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                div[IX(i, j, k)] =
                    -0.5f *
                    (velocX[IX(i + 1, j, k)] - velocX[IX(i - 1, j, k)] + velocY[IX(i, j + 1, k)] -
                     velocY[IX(i, j - 1, k)] + velocZ[IX(i, j, k + 1)] - velocZ[IX(i, j, k - 1)]) /
                    cells;
                p[IX(i, j, k)] = 0;
            }
    set_bnd(0, div, N);
    set_bnd(0, p, N);
    lin_solve(0, p, div, 1, 6, iter, N);
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                velocX[IX(i, j, k)] -= 0.5f * (p[IX(i + 1, j, k)] - p[IX(i - 1, j, k)]) * cells;
                velocY[IX(i, j, k)] -= 0.5f * (p[IX(i, j + 1, k)] - p[IX(i, j - 1, k)]) * cells;
                velocZ[IX(i, j, k)] -= 0.5f * (p[IX(i, j, k + 1)] - p[IX(i, j, k - 1)]) * cells;
            }
    set_bnd(1, velocX, N);
    set_bnd(2, velocY, N);
    set_bnd(3, velocZ, N);
}

static void advect(int b, float *d, const float *d0, const float *velocX, const float *velocY,
                   const float *velocZ, float dt, int N)
{
    float scale = dt * (float)(N - 2), most = (float)(N - 2) + 0.5f;
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                float x = (float)i - scale * velocX[IX(i, j, k)];
                float y = (float)j - scale * velocY[IX(i, j, k)];
                float z = (float)k - scale * velocZ[IX(i, j, k)];
                if (x < 0.5f)
                    x = 0.5f;
                if (x > most)
                    x = most;
                if (y < 0.5f)
                    y = 0.5f;
                if (y > most)
                    y = most;
                if (z < 0.5f)
                    z = 0.5f;
                if (z > most)
                    z = most;
                float i0 = floorf(x), j0 = floorf(y), k0 = floorf(z);
                float s1 = x - i0, s0 = 1.0f - s1, t1 = y - j0, t0 = 1.0f - t1;
                float u1 = z - k0, u0 = 1.0f - u1;
                int i0i = (int)i0, i1i = i0i + 1, j0i = (int)j0, j1i = j0i + 1;
                int k0i = (int)k0, k1i = k0i + 1;
                d[IX(i, j, k)] =
                    s0 * (t0 * (u0 * d0[IX(i0i, j0i, k0i)] + u1 * d0[IX(i0i, j0i, k1i)]) +
                          (t1 * (u0 * d0[IX(i0i, j1i, k0i)] + u1 * d0[IX(i0i, j1i, k1i)]))) +
                    s1 * (t0 * (u0 * d0[IX(i1i, j0i, k0i)] + u1 * d0[IX(i1i, j0i, k1i)]) +
                          (t1 * (u0 * d0[IX(i1i, j1i, k0i)] + u1 * d0[IX(i1i, j1i, k1i)])));
            }
    set_bnd(b, d, N);
}

static float face(const float *x, int here, int step)
{
    return 0.5f * (x[here] + x[here + step]);
}

static double divergence_rms(const bench_cube *c)
{
    int N = c->n;
    double sum = 0, cells = N - 2;
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                int at = IX(i, j, k);
                float d = (face(c->vx, at, 1) - face(c->vx, at, -1)) +
                          (face(c->vy, at, N) - face(c->vy, at, -N)) +
                          (face(c->vz, at, N * N) - face(c->vz, at, -N * N));
                sum += (double)d * (double)d * cells * cells;
            }
    return sqrt(sum / (cells * cells * cells));
}

void bench_cube_step(bench_cube *c, float dt, int iter, double *divergence)
{
    int N = c->n;
    const float visc = 0, diff = 0;
    diffuse(1, c->vx0, c->vx, visc, dt, iter, N);
    diffuse(2, c->vy0, c->vy, visc, dt, iter, N);
    diffuse(3, c->vz0, c->vz, visc, dt, iter, N);
    project(c->vx0, c->vy0, c->vz0, c->vx, c->vy, iter, N);
    advect(1, c->vx, c->vx0, c->vx0, c->vy0, c->vz0, dt, N);
    advect(2, c->vy, c->vy0, c->vx0, c->vy0, c->vz0, dt, N);
    advect(3, c->vz, c->vz0, c->vx0, c->vy0, c->vz0, dt, N);
    if (divergence)
        divergence[0] = divergence_rms(c);
    project(c->vx, c->vy, c->vz, c->vx0, c->vy0, iter, N);
    if (divergence)
        divergence[1] = divergence_rms(c);
    diffuse(0, c->s, c->density, diff, dt, iter, N);
    advect(0, c->density, c->s, c->vx, c->vy, c->vz, dt, N);
}

bench_cube bench_cube_make(const bench_flow *flow)
{
    int n = flow->n, N = n + 2;
    bench_cube c = {.n = N};
    float **all[] = {&c.s, &c.density, &c.vx, &c.vy, &c.vz, &c.vx0, &c.vy0, &c.vz0};
    for (int f = 0; f < 8; f++)
        *all[f] = bench_allocate(sizeof(float) * (size_t)N * (size_t)N * (size_t)N);
    float row[4097], next[4097];
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) {
            int at = IX(1, j + 1, k + 1);
            bench_flow_row(flow, 0, j, k, row);
            for (int i = 0; i < n; i++)
                c.vx[at + i] = 0.5f * (row[i] + row[i + 1]);
            bench_flow_row(flow, 1, j, k, row);
            bench_flow_row(flow, 1, j + 1, k, next);
            for (int i = 0; i < n; i++)
                c.vy[at + i] = 0.5f * (row[i] + next[i]);
            bench_flow_row(flow, 2, j, k, row);
            bench_flow_row(flow, 2, j, k + 1, next);
            for (int i = 0; i < n; i++)
                c.vz[at + i] = 0.5f * (row[i] + next[i]);
            bench_scalar_row(flow, j, k, c.density + at);
        }
    set_bnd(1, c.vx, N);
    set_bnd(2, c.vy, N);
    set_bnd(3, c.vz, N);
    set_bnd(0, c.density, N);
    return c;
}

void bench_cube_free(bench_cube *c)
{
    float *all[] = {c->s, c->density, c->vx, c->vy, c->vz, c->vx0, c->vy0, c->vz0};
    for (int f = 0; f < 8; f++)
        bench_release(all[f]);
}

float bench_cube_speed(const bench_cube *c)
{
    float most = 0;
    for (int i = 0; i < c->n * c->n * c->n; i++)
        most = fmaxf(most, fmaxf(fabsf(c->vx[i]), fmaxf(fabsf(c->vy[i]), fabsf(c->vz[i]))));
    return most;
}
