// Grids: what is refused, and where samples lie.
// labels: golden small valgrind
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gyre/grid.h"

static const gyre_grid good_2d = {.dim = 2, .n = {5, 7, 1}, .h = 0.5f, .origin = {1, 2, 3}};
static const gyre_grid good_3d = {.dim = 3, .n = {5, 7, 9}, .h = 0.5f, .origin = {1, 2, 3}};

static void refused(gyre_grid grid, const char *word)
{
    assert_int_equal(gyre_grid_check(&grid), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), word));
}

static void bad_grids_are_refused(void **state)
{
    (void)state;
    assert_int_equal(gyre_grid_check(&good_2d), GYRE_OK);
    assert_int_equal(gyre_grid_check(&good_3d), GYRE_OK);
    assert_int_equal(gyre_grid_check(NULL), GYRE_ERROR_ARGUMENT);
    gyre_grid g = good_3d;
    g.n[0] = 4096, g.n[1] = 1, g.n[2] = 1;
    assert_int_equal(gyre_grid_check(&g), GYRE_OK);
    const int dims[] = {0, 1, 4, -3};
    for (size_t i = 0; i < sizeof dims / sizeof dims[0]; i++) {
        g = good_3d;
        g.dim = dims[i];
        refused(g, "dim");
    }
    const char *axes[] = {"along x", "along y", "along z"};
    const int counts[] = {0, -1, 4097, INT32_MIN};
    for (int a = 0; a < 3; a++) {
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            g = good_3d;
            g.n[a] = counts[i];
            refused(g, axes[a]);
        }
    }
    g = good_2d;
    g.n[2] = 2;
    refused(g, "2D");
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        g = good_2d;
        g.h = bad[i];
        refused(g, "h is");
        g = good_2d;
        g.origin[1] = bad[i];
        refused(g, "y is not finite");
    }
    g = good_2d;
    g.h = 0.0f;
    refused(g, "h is");
    g.h = -1.0f;
    refused(g, "h is");
}

static void samples_and_positions(void **state)
{
    (void)state;
    static const struct {
        gyre_location location;
        int more[3];
    } cases[] = {{GYRE_CENTRE, {0, 0, 0}},
                 {GYRE_FACE_X, {1, 0, 0}},
                 {GYRE_FACE_Y, {0, 1, 0}},
                 {GYRE_FACE_Z, {0, 0, 1}},
                 {GYRE_NODE, {1, 1, 1}}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (int dim = 2; dim <= 3; dim++) {
            const gyre_grid *g = dim == 2 ? &good_2d : &good_3d;
            const int index[3] = {1, 2, 0};
            int n[3];
            float p[3];
            gyre_grid_samples(g, cases[c].location, n);
            gyre_grid_position(g, cases[c].location, index[0], index[1], index[2], p);
            for (int a = 0; a < 3; a++) {
                int more = a < dim ? cases[c].more[a] : 0;
                assert_int_equal(n[a], g->n[a] + more);
                float offset = more ? 0.0f : 0.5f;
                assert_true(p[a] == g->origin[a] + ((float)index[a] + offset) * g->h);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(samples_and_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
