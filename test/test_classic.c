// classic against the texts: the solver in float, to the last bit, beside plain transcriptions of
// the slides' code (2D) and of the cube text's (3D, mended), over 100 steps and several sizes.
// labels: golden small valgrind
#include "gyre/classic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- the code at the end of the talk. Mended: float *x for float **x, and advect's lost argument.

#define IX(i, j) ((i) + (N + 2) * (j))
#define SWAP(x0, x)                                                                                \
    {                                                                                              \
        float *tmp = x0;                                                                           \
        x0 = x;                                                                                    \
        x = tmp;                                                                                   \
    }
#define FOR_EACH_CELL                                                                              \
    for (int i = 1; i <= N; i++) {                                                                 \
        for (int j = 1; j <= N; j++) {
#define END_FOR                                                                                    \
    }                                                                                              \
    }

static void t_add_source(int N, float *x, const float *s, float dt)
{
    int size = (N + 2) * (N + 2);
    for (int i = 0; i < size; i++)
        x[i] += dt * s[i];
}

static void t_set_bnd(int N, int b, float *x)
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

static int t_sweeps = 20;

static void t_lin_solve(int N, int b, float *x, const float *x0, float a, float c)
{
    for (int n = 0; n < t_sweeps; n++) {
        FOR_EACH_CELL
        x[IX(i, j)] = (x0[IX(i, j)] + a * (x[IX(i - 1, j)] + x[IX(i + 1, j)] + x[IX(i, j - 1)] +
                                           x[IX(i, j + 1)])) /
                      c;
        END_FOR
        t_set_bnd(N, b, x);
    }
}

static void t_diffuse(int N, int b, float *x, const float *x0, float diff, float dt)
{
    float a = dt * diff * (float)N * (float)N;
    t_lin_solve(N, b, x, x0, a, 1 + 4 * a);
}

static void t_advect(int N, int b, float *d, const float *d0, const float *u, const float *v,
                     float dt)
{
    float x, y, s0, t0, s1, t1, dt0 = dt * (float)N;
    int i0, j0, i1, j1;
    FOR_EACH_CELL
    x = (float)i - dt0 * u[IX(i, j)];
    y = (float)j - dt0 * v[IX(i, j)];
    if (x < 0.5f)
        x = 0.5f;
    if (x > (float)N + 0.5f)
        x = (float)N + 0.5f;
    i0 = (int)x;
    i1 = i0 + 1;
    if (y < 0.5f)
        y = 0.5f;
    if (y > (float)N + 0.5f)
        y = (float)N + 0.5f;
    j0 = (int)y;
    j1 = j0 + 1;
    s1 = x - (float)i0;
    s0 = 1 - s1;
    t1 = y - (float)j0;
    t0 = 1 - t1;
    d[IX(i, j)] = s0 * (t0 * d0[IX(i0, j0)] + t1 * d0[IX(i0, j1)]) +
                  s1 * (t0 * d0[IX(i1, j0)] + t1 * d0[IX(i1, j1)]);
    END_FOR
    t_set_bnd(N, b, d);
}

static void t_project(int N, float *u, float *v, float *p, float *div)
{
    FOR_EACH_CELL
    div[IX(i, j)] =
        -0.5f * (u[IX(i + 1, j)] - u[IX(i - 1, j)] + v[IX(i, j + 1)] - v[IX(i, j - 1)]) / (float)N;
    p[IX(i, j)] = 0;
    END_FOR
    t_set_bnd(N, 0, div);
    t_set_bnd(N, 0, p);
    t_lin_solve(N, 0, p, div, 1, 4);
    FOR_EACH_CELL
    u[IX(i, j)] -= 0.5f * (float)N * (p[IX(i + 1, j)] - p[IX(i - 1, j)]);
    v[IX(i, j)] -= 0.5f * (float)N * (p[IX(i, j + 1)] - p[IX(i, j - 1)]);
    END_FOR
    t_set_bnd(N, 1, u);
    t_set_bnd(N, 2, v);
}

static void t_dens_step(int N, float *x, float *x0, float *u, float *v, float diff, float dt)
{
    t_add_source(N, x, x0, dt);
    SWAP(x0, x);
    t_diffuse(N, 0, x, x0, diff, dt);
    SWAP(x0, x);
    t_advect(N, 0, x, x0, u, v, dt);
}

static void t_vel_step(int N, float *u, float *v, float *u0, float *v0, float visc, float dt)
{
    t_add_source(N, u, u0, dt);
    t_add_source(N, v, v0, dt);
    SWAP(u0, u);
    t_diffuse(N, 1, u, u0, visc, dt);
    SWAP(v0, v);
    t_diffuse(N, 2, v, v0, visc, dt);
    t_project(N, u, v, u0, v0);
    SWAP(u0, u);
    SWAP(v0, v);
    t_advect(N, 1, u, u0, u0, v0, dt);
    t_advect(N, 2, v, v0, u0, v0, dt);
    t_project(N, u, v, u0, v0);
}

// ---- the cube text. Mended: the corner beyond the array, 1/3, edges, the clamp to N + 0.5, one
// cell size (N - 2 cells to the unit); sources are added at the start, as in the paper.

#define IC(x, y, z) ((x) + (y)*N + (z)*N * N)

static void c_set_bnd(int b, float *x, int N)
{
    for (int j = 1; j < N - 1; j++)
        for (int i = 1; i < N - 1; i++) {
            x[IC(i, j, 0)] = b == 3 ? -x[IC(i, j, 1)] : x[IC(i, j, 1)];
            x[IC(i, j, N - 1)] = b == 3 ? -x[IC(i, j, N - 2)] : x[IC(i, j, N - 2)];
            x[IC(i, 0, j)] = b == 2 ? -x[IC(i, 1, j)] : x[IC(i, 1, j)];
            x[IC(i, N - 1, j)] = b == 2 ? -x[IC(i, N - 2, j)] : x[IC(i, N - 2, j)];
            x[IC(0, i, j)] = b == 1 ? -x[IC(1, i, j)] : x[IC(1, i, j)];
            x[IC(N - 1, i, j)] = b == 1 ? -x[IC(N - 2, i, j)] : x[IC(N - 2, i, j)];
        }
    for (int p = 0; p < N; p += N - 1)
        for (int q = 0; q < N; q += N - 1) {
            int a = p ? N - 2 : 1, c = q ? N - 2 : 1;
            for (int t = 1; t < N - 1; t++) {
                x[IC(p, q, t)] = 0.5f * (x[IC(a, q, t)] + x[IC(p, c, t)]);
                x[IC(p, t, q)] = 0.5f * (x[IC(a, t, q)] + x[IC(p, t, c)]);
                x[IC(t, p, q)] = 0.5f * (x[IC(t, a, q)] + x[IC(t, p, c)]);
            }
        }
    for (int p = 0; p < N; p += N - 1)
        for (int q = 0; q < N; q += N - 1)
            for (int r = 0; r < N; r += N - 1)
                x[IC(p, q, r)] = (x[IC(p ? N - 2 : 1, q, r)] + x[IC(p, q ? N - 2 : 1, r)] +
                                  x[IC(p, q, r ? N - 2 : 1)]) /
                                 3;
}

static void c_lin_solve(int b, float *x, const float *x0, float a, float c, int iter, int N)
{
    float cRecip = 1.0f / c;
    for (int k = 0; k < iter; k++) {
        for (int m = 1; m < N - 1; m++)
            for (int j = 1; j < N - 1; j++)
                for (int i = 1; i < N - 1; i++)
                    x[IC(i, j, m)] =
                        (x0[IC(i, j, m)] +
                         a * (x[IC(i + 1, j, m)] + x[IC(i - 1, j, m)] + x[IC(i, j + 1, m)] +
                              x[IC(i, j - 1, m)] + x[IC(i, j, m + 1)] + x[IC(i, j, m - 1)])) *
                        cRecip;
        c_set_bnd(b, x, N);
    }
}

static void c_diffuse(int b, float *x, const float *x0, float diff, float dt, int iter, int N)
{
    float a = dt * diff * (float)(N - 2) * (float)(N - 2);
    c_lin_solve(b, x, x0, a, 1 + 6 * a, iter, N);
}

static void c_project(float *vx, float *vy, float *vz, float *p, float *div, int iter, int N)
{
    float cells = (float)(N - 2);
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                div[IC(i, j, k)] =
                    -0.5f *
                    (vx[IC(i + 1, j, k)] - vx[IC(i - 1, j, k)] + vy[IC(i, j + 1, k)] -
                     vy[IC(i, j - 1, k)] + vz[IC(i, j, k + 1)] - vz[IC(i, j, k - 1)]) /
                    cells;
                p[IC(i, j, k)] = 0;
            }
    c_set_bnd(0, div, N);
    c_set_bnd(0, p, N);
    c_lin_solve(0, p, div, 1, 6, iter, N);
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                vx[IC(i, j, k)] -= 0.5f * (p[IC(i + 1, j, k)] - p[IC(i - 1, j, k)]) * cells;
                vy[IC(i, j, k)] -= 0.5f * (p[IC(i, j + 1, k)] - p[IC(i, j - 1, k)]) * cells;
                vz[IC(i, j, k)] -= 0.5f * (p[IC(i, j, k + 1)] - p[IC(i, j, k - 1)]) * cells;
            }
    c_set_bnd(1, vx, N);
    c_set_bnd(2, vy, N);
    c_set_bnd(3, vz, N);
}

static void c_advect(int b, float *d, const float *d0, const float *vx, const float *vy,
                     const float *vz, float dt, int N)
{
    float dtx = dt * (float)(N - 2), most = (float)(N - 2) + 0.5f;
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                float x = fminf(fmaxf((float)i - dtx * vx[IC(i, j, k)], 0.5f), most);
                float y = fminf(fmaxf((float)j - dtx * vy[IC(i, j, k)], 0.5f), most);
                float z = fminf(fmaxf((float)k - dtx * vz[IC(i, j, k)], 0.5f), most);
                float i0 = floorf(x), j0 = floorf(y), k0 = floorf(z);
                float s1 = x - i0, s0 = 1.0f - s1, t1 = y - j0, t0 = 1.0f - t1, u1 = z - k0;
                float u0 = 1.0f - u1;
                int i0i = (int)i0, i1i = i0i + 1, j0i = (int)j0, j1i = j0i + 1, k0i = (int)k0;
                int k1i = k0i + 1;
                d[IC(i, j, k)] =
                    s0 * (t0 * (u0 * d0[IC(i0i, j0i, k0i)] + u1 * d0[IC(i0i, j0i, k1i)]) +
                          (t1 * (u0 * d0[IC(i0i, j1i, k0i)] + u1 * d0[IC(i0i, j1i, k1i)]))) +
                    s1 * (t0 * (u0 * d0[IC(i1i, j0i, k0i)] + u1 * d0[IC(i1i, j0i, k1i)]) +
                          (t1 * (u0 * d0[IC(i1i, j1i, k0i)] + u1 * d0[IC(i1i, j1i, k1i)])));
            }
    c_set_bnd(b, d, N);
}

static void c_step(float *f[8], float visc, float diff, float dt, int iter, int N)
{
    float *Vx = f[0], *Vy = f[1], *Vz = f[2], *Vx0 = f[3], *Vy0 = f[4], *Vz0 = f[5];
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < N * N * N; i++)
            f[c < 3 ? c : 6][i] += dt * f[c < 3 ? c + 3 : 7][i];
    c_diffuse(1, Vx0, Vx, visc, dt, iter, N);
    c_diffuse(2, Vy0, Vy, visc, dt, iter, N);
    c_diffuse(3, Vz0, Vz, visc, dt, iter, N);
    c_project(Vx0, Vy0, Vz0, Vx, Vy, iter, N);
    c_advect(1, Vx, Vx0, Vx0, Vy0, Vz0, dt, N);
    c_advect(2, Vy, Vy0, Vx0, Vy0, Vz0, dt, N);
    c_advect(3, Vz, Vz0, Vx0, Vy0, Vz0, dt, N);
    c_project(Vx, Vy, Vz, Vx0, Vy0, iter, N);
    c_diffuse(0, f[7], f[6], diff, dt, iter, N);
    c_advect(0, f[6], f[7], Vx, Vy, Vz, dt, N);
}

// ---- side by side

static uint32_t seed;

static float random_float(float size)
{
    seed = seed * 1664525u + 1013904223u;
    return ((float)(seed >> 8) / 8388608.0f - 1.0f) * size;
}

enum { ARRAYS = 8 };

static void make(float *ours[ARRAYS], float *theirs[ARRAYS], size_t size)
{
    for (int a = 0; a < ARRAYS; a++) {
        ours[a] = calloc(size, sizeof(float));
        theirs[a] = calloc(size, sizeof(float));
        assert_non_null(ours[a]);
        assert_non_null(theirs[a]);
    }
}

static void drop(float *ours[ARRAYS], float *theirs[ARRAYS])
{
    for (int a = 0; a < ARRAYS; a++) {
        free(ours[a]);
        free(theirs[a]);
    }
}

/// The same sources on both sides, as though drawn with a mouse; now and then a wild one.
static void touch(float *ours[ARRAYS], float *theirs[ARRAYS], size_t size, int step)
{
    static const int sources[4] = {3, 4, 5, 7};
    for (int s = 0; s < 4; s++) {
        float strength = step % 17 == 5 ? 300.0f : 6.0f;
        for (size_t i = 0; i < size; i++)
            ours[sources[s]][i] = random_float(1) > 0.9f ? random_float(strength) : 0.0f;
        memcpy(theirs[sources[s]], ours[sources[s]], size * sizeof(float));
    }
}

static void same(float *ours[ARRAYS], float *theirs[ARRAYS], size_t size, int n, int step)
{
    for (int a = 0; a < ARRAYS; a++)
        if (memcmp(ours[a], theirs[a], size * sizeof(float)) != 0)
            fail_msg("n = %d, step %d: array %d differs\n", n, step, a);
}

static void test_paper(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 7, 16, 33, 64}, sweeps[] = {20, 1, 5, 20, 20, 20};
    float *ours[ARRAYS], *theirs[ARRAYS];
    for (int s = 0; s < 6; s++) {
        int n = sizes[s];
        gyre_classic_box box = gyre_classic_default_box(2, n);
        size_t size = gyre_classic_size(&box);
        box.sweeps = t_sweeps = sweeps[s];
        seed = 1;
        make(ours, theirs, size);
        for (int step = 0; step < 100; step++) {
            float visc = step % 3 ? 0.0f : 1e-4f * (float)s, diff = step % 2 ? 0.0f : 0.003f;
            float dt = step % 10 == 9 ? 2.0f : 0.1f;
            touch(ours, theirs, size, step);
            const float *const velocity[] = {ours[0], ours[1]};
            assert_int_equal(
                gyre_classic_vel_step(&box, ours, (float *const[]){ours[3], ours[4]}, visc, dt),
                GYRE_OK);
            assert_int_equal(gyre_classic_dens_step(&box, ours[6], ours[7], velocity, diff, dt),
                             GYRE_OK);
            t_vel_step(n, theirs[0], theirs[1], theirs[3], theirs[4], visc, dt);
            t_dens_step(n, theirs[6], theirs[7], theirs[0], theirs[1], diff, dt);
            same(ours, theirs, size, n, step);
        }
        // Not a comparison of zeros.
        assert_true(fabsf(ours[6][size / 2]) > 1e-6f);
        drop(ours, theirs);
    }
}

static void test_cube(void **state)
{
    (void)state;
    static const int sizes[] = {1, 3, 6, 11};
    float *ours[ARRAYS], *theirs[ARRAYS];
    for (int s = 0; s < 4; s++) {
        int n = sizes[s];
        gyre_classic_box box = gyre_classic_default_box(3, n);
        size_t size = gyre_classic_size(&box);
        box.sweeps = 4;
        seed = 2;
        make(ours, theirs, size);
        for (int step = 0; step < 100; step++) {
            float visc = step % 3 ? 0.0f : 1e-3f, diff = step % 2 ? 0.0f : 0.003f;
            touch(ours, theirs, size, step);
            const float *const velocity[] = {ours[0], ours[1], ours[2]};
            assert_int_equal(gyre_classic_vel_step(&box, ours, ours + 3, visc, 0.1f), GYRE_OK);
            assert_int_equal(gyre_classic_dens_step(&box, ours[6], ours[7], velocity, diff, 0.1f),
                             GYRE_OK);
            c_step(theirs, visc, diff, 0.1f, 4, n + 2);
            same(ours, theirs, size, n, step);
        }
        assert_true(fabsf(ours[6][size / 2]) > 1e-6f);
        drop(ours, theirs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
