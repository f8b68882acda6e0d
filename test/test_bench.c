// The measures that the bench holds the gas against do what their texts say.
#include "bench/system.c"
// (first, for it asks for more of the system's headers)
#include "bench/flow.c"
#include "bench/paper.c"
#undef IX
#define set_bnd cube_set_bnd
#define diffuse cube_diffuse
#define advect cube_advect
#define project cube_project
#define divergence_rms cube_divergence_rms
#include "bench/cube.c"
#undef advect

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_flow(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int n = 24;
        bench_flow flow = bench_flow_make(dim, n);
        float most = 0, worst = 0, wall = 0, u[25], v[2][25], w[2][25];
        memset(w, 0, sizeof w);
        for (int k = 0; k < (dim == 3 ? n : 1); k++)
            for (int j = 0; j < n; j++) {
                bench_flow_row(&flow, 0, j, k, u);
                bench_flow_row(&flow, 1, j, k, v[0]);
                bench_flow_row(&flow, 1, j + 1, k, v[1]);
                for (int up = 0; up < 2 && dim == 3; up++)
                    bench_flow_row(&flow, 2, j, k + up, w[up]);
                wall = fmaxf(wall, fmaxf(fabsf(u[0]), fabsf(u[n])));
                for (int i = 0; i < n; i++) {
                    most = fmaxf(most, fmaxf(fabsf(u[i]), fabsf(v[0][i])));
                    worst = fmaxf(worst, fabsf((u[i + 1] - u[i]) + (v[1][i] - v[0][i]) +
                                               (w[1][i] - w[0][i])));
                    if (j == 0)
                        wall = fmaxf(wall, fabsf(v[0][i]));
                }
            }
        assert_true(most > 0.2f && most < 5);
        assert_true(worst < 2e-5f * most);
        assert_true(wall == 0);
        bench_flow_free(&flow);
    }
}

static void test_paper(void **state)
{
    (void)state;
    int N = 32;
    bench_flow flow = bench_flow_make(2, N);
    bench_paper p = bench_paper_make(&flow);
    size_t count = bytes_of(&p) / sizeof(float);
    for (size_t i = 0; i < count; i++)
        p.dens[i] = 0.75f;
    double before = 0, after = 0;
    for (int step = 0; step < 10; step++) {
        double divergence[2];
        bench_paper_step(&p, 0.02f, divergence);
        before += divergence[0];
        after += divergence[1];
        assert_true(isfinite(bench_paper_speed(&p)));
    }
    // Look-ups average, so an even density stays even; 20 sweeps take some divergence, not all.
    for (size_t i = 0; i < count; i++)
        assert_true(fabsf(p.dens[i] - 0.75f) < 1e-4f);
    assert_true(after < 0.8 * before && after > 1e-3 * before);

    // A still spot is carried by even wind: one cell per step to the right.
    memset(p.dens, 0, bytes_of(&p));
    p.dens[5 + (N + 2) * 9] = 1;
    for (size_t i = 0; i < count; i++) {
        p.u[i] = 1;
        p.v[i] = 0;
    }
    advect(N, 0, p.dens_prev, p.dens, p.u, p.v, 1.0f / (float)N);
    assert_true(p.dens_prev[6 + (N + 2) * 9] == 1 && p.dens_prev[5 + (N + 2) * 9] == 0);
    bench_paper_free(&p);
    bench_flow_free(&flow);
}

static void test_cube(void **state)
{
    (void)state;
    int n = 16;
    bench_flow flow = bench_flow_make(3, n);
    double left[2];
    for (int more = 0; more < 2; more++) {
        bench_cube c = bench_cube_make(&flow);
        size_t count = (size_t)c.n * (size_t)c.n * (size_t)c.n;
        for (size_t i = 0; i < count; i++)
            c.density[i] = 0.75f;
        double divergence[2] = {0, 0};
        for (int step = 0; step < 4; step++)
            bench_cube_step(&c, 0.03f, more ? 20 : 4, divergence);
        for (size_t i = 0; i < count; i++)
            assert_true(fabsf(c.density[i] - 0.75f) < 1e-4f);
        assert_true(isfinite(bench_cube_speed(&c)));
        left[more] = divergence[1] / divergence[0];
        bench_cube_free(&c);
    }
    assert_true(left[0] < 1 && left[1] < 0.8 * left[0] && left[1] > 1e-3);
    bench_flow_free(&flow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
