// The measures that the bench holds the gas against do what their texts say.
#include "bench/system.c"
// (first, for it asks for more of the system's headers)
#include "bench/classic.c"
#include "bench/flow.c"

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

/// What the bench takes apart to look into is the step itself.
static void test_classic_divergence(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 2 ? 32 : 16;
        bench_flow flow = bench_flow_make(dim, n);
        bench_classic whole = bench_classic_make(&flow), parts = bench_classic_make(&flow);
        double before = 0, after = 0;
        for (int step = 0; step < 5; step++) {
            double divergence[2];
            bench_classic_step(&whole, 0.02f, 20);
            bench_classic_divergence(&parts, 0.02f, 20, divergence);
            before += divergence[0];
            after += divergence[1];
        }
        for (int a = 0; a < dim; a++)
            assert_memory_equal(whole.velocity[a], parts.velocity[a], bytes_of(&whole));
        // 20 sweeps take some divergence, not all.
        assert_true(after < 0.8 * before && after > 1e-3 * before);
        assert_true(bench_classic_speed(&whole) > 0.01f && bench_classic_speed(&whole) < 5);
        bench_classic_free(&whole);
        bench_classic_free(&parts);
        bench_flow_free(&flow);
    }
}

/// Where copies were more than a fifth faster in one round than in another, nothing was measured.
static void test_steady(void **state)
{
    (void)state;
    const double quiet[3] = {50, 59, 55}, busy[3] = {50, 61, 55}, falling[2] = {61, 50};
    assert_true(bench_steady(quiet, 3) && bench_steady(quiet, 1));
    assert_false(bench_steady(busy, 3));
    assert_false(bench_steady(falling, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_classic_divergence),
        cmocka_unit_test(test_steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
