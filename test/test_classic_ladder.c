// The ladder's foot: both small solvers are the solver, to the last bit, and as short as they say;
// no other rung is longer than 80 lines.
// labels: golden small
#include "gyre/classic.h"
#include "test/ladder_steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static float ours[6][LADDER_SIZE], hundred[6][LADDER_SIZE], smallest[6][LADDER_SIZE];

static void test_same_bits(void **state)
{
    (void)state;
    gyre_classic_box box = gyre_classic_default_box(2, LADDER_N);
    float *a[6], *b[6], *c[6];
    uint32_t seed = 3;
    for (int f = 0; f < 6; f++) {
        a[f] = ours[f];
        b[f] = hundred[f];
        c[f] = smallest[f];
    }
    const float *const carrier[] = {a[0], a[1]};
    for (int step = 0; step < 100; step++) {
        float visc = step % 3 ? 0.0f : 1e-4f, diff = step % 2 ? 0.0f : 1e-3f;
        static const int sources[3] = {2, 3, 5};
        for (int s = 0; s < 3; s++) {
            for (int i = 0; i < LADDER_SIZE; i++) {
                seed = seed * 1664525u + 1013904223u;
                ours[sources[s]][i] = seed >> 28 ? 0.0f : (float)(seed >> 8 & 0xffff) / 4e3f - 8;
            }
            memcpy(hundred[sources[s]], ours[sources[s]], sizeof ours[0]);
            memcpy(smallest[sources[s]], ours[sources[s]], sizeof ours[0]);
        }
        assert_int_equal(gyre_classic_vel_step(&box, a, a + 2, visc, 0.1f), GYRE_OK);
        assert_int_equal(gyre_classic_dens_step(&box, a[4], a[5], carrier, diff, 0.1f), GYRE_OK);
        hundred_step(b, visc, diff, 0.1f);
        smallest_step(c, visc, diff, 0.1f);
        // The scratch arrays may differ; what a program looks at may not.
        static const int seen[3] = {0, 1, 4};
        for (int f = 0; f < 3; f++) {
            assert_memory_equal(ours[seen[f]], hundred[seen[f]], sizeof ours[0]);
            assert_memory_equal(ours[seen[f]], smallest[seen[f]], sizeof ours[0]);
        }
    }
    float size = ours[0][33 * 66 + 33];
    assert_true(size > 1e-6f || size < -1e-6f);
}

static int lines_of(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/sample/ladder/%s.c", GYRE_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is not there\n", path);
    int lines = 0, c;
    while ((c = fgetc(file)) != EOF)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const rungs[] = {"01_explicit",   "02_sweeps",  "03_moving", "04_halves",
                                        "05_pressure",   "06_walls",   "07_round",  "08_tunnel",
                                        "09_leak",       "10_texture", "11_curls",  "12_cube",
                                        "13_fixed_point"};
    int foot = lines_of("00_hundred"), smaller = lines_of("00_smallest");
    print_message("00_hundred: %d lines, 00_smallest: %d\n", foot, smaller);
    assert_true(foot <= 100);
    assert_true(smaller < foot);
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++)
        assert_true(lines_of(rungs[i]) < 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
