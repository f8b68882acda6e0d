// test/test_view_levels.c: squares that a surface is drawn of: they cover it once, and where two
// levels meet their corners are the same places.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/draw/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 300, HIGH = 217, MOST = 4096 };

static float tiles[4 * MOST];

static int choose(const float eye[2], float high_away, float finest, view_levels_of *of)
{
    *of = (view_levels_of){.n = {WIDE, HIGH},
                           .eye = {eye[0], eye[1]},
                           .high_away = high_away,
                           .finest = finest,
                           .low = -1.0f,
                           .high = 1.0f};
    int count = view_levels_choose(of, tiles, MOST);

    assert_in_range(count, 1, MOST);
    return count;
}

// How far a corner has moved onto that of the next level: as surface.vert.glsl says it.
static float moved(const view_levels_of *of, const float *tile, float x, float y)
{
    float turn[2], dx = x - of->eye[0], dy = y - of->eye[1];

    view_levels_turn(of->finest, turn);
    float far = sqrtf(dx * dx + dy * dy + of->high_away * of->high_away) / tile[2];

    return fminf(fmaxf((far - turn[0]) * turn[1], 0.0f), 1.0f) * tile[3];
}

static const float eyes[5][3] = {{150.0f, 100.0f, 0.0f},
                                 {-40.0f, 20.0f, 30.0f},
                                 {299.0f, 3.0f, 2.0f},
                                 {90.5f, 216.5f, 0.5f},
                                 {700.0f, -500.0f, 300.0f}};

// Each cell between corners lies in one square.
static void test_cover(void **state)
{
    uint8_t *count = malloc((size_t)WIDE * HIGH);
    int levels = 0;

    (void)state;
    assert_non_null(count);
    for (int e = 0; e < 5; e++) {
        view_levels_of of;
        int tile_count = choose(eyes[e], eyes[e][2], 40.0f, &of);
        float least = 1e9f, most = 0.0f;

        memset(count, 0, (size_t)WIDE * HIGH);
        for (int t = 0; t < tile_count; t++) {
            int size = VIEW_TILE * (int)tiles[4 * t + 2];

            least = fminf(least, tiles[4 * t + 2]);
            most = fmaxf(most, tiles[4 * t + 2]);
            for (int j = (int)tiles[4 * t + 1]; j < HIGH && j < (int)tiles[4 * t + 1] + size; j++)
                for (int i = (int)tiles[4 * t]; i < WIDE && i < (int)tiles[4 * t] + size; i++)
                    count[i + j * WIDE]++;
        }
        for (int c = 0; c < WIDE * HIGH; c++)
            assert_int_equal(count[c], 1);
        levels = most / least > (float)levels ? (int)(most / least) : levels;
    }
    assert_true(levels >= 8); // else nothing was tried
    free(count);
}

// Whether a corner of a square is one that only its own level has.
static bool is_odd(const float *tile, int x, int y)
{
    int step = (int)tile[2];

    return (x / step & 1) != 0 || (y / step & 1) != 0;
}

// Squares side by side differ by one level at most; there the finer one's odd corners have moved
// wholly and no corner of the coarser one has.
static void test_seams(void **state)
{
    int seams = 0;

    (void)state;
    for (int e = 0; e < 5; e++) {
        for (float finest = view_levels_finest(1.0f, 1e3f); finest < 200.0f; finest *= 1.7f) {
            view_levels_of of;
            int count = choose(eyes[e], eyes[e][2], finest, &of);

            for (int t = 0; t < count; t++) {
                for (int o = 0; o < count; o++) {
                    const float *fine = tiles + 4 * t, *coarse = tiles + 4 * o;
                    int step = (int)fine[2], size = VIEW_TILE * (int)coarse[2];

                    if (coarse[2] <= fine[2])
                        continue;
                    for (int k = 0; k < (VIEW_TILE + 1) * (VIEW_TILE + 1); k++) {
                        int x = (int)fine[0] + k % (VIEW_TILE + 1) * step;
                        int y = (int)fine[1] + k / (VIEW_TILE + 1) * step;
                        bool in = x >= (int)coarse[0] && x <= (int)coarse[0] + size &&
                                  y >= (int)coarse[1] && y <= (int)coarse[1] + size;

                        if (!in || x > WIDE || y > HIGH)
                            continue;
                        seams++;
                        assert_true(coarse[2] == 2.0f * fine[2]);
                        assert_true(!is_odd(fine, x, y) ||
                                    moved(&of, fine, (float)x, (float)y) == 1.0f);
                        assert_true(moved(&of, coarse, (float)x, (float)y) == 0.0f);
                    }
                }
            }
        }
    }
    assert_true(seams > 1000);
}

// What is beside the picture is left out, and nothing that is in it.
static void test_unseen(void **state)
{
    // Straight down from (150, 100): x and y by the height, 60; z is not looked at.
    const float project[16] = {0.02f, 0.0f, 0.0f, 0.0f, 0.0f,  0.02f, 0.0f, 0.0f,
                               0.0f,  0.0f, 0.0f, 0.0f, -3.0f, -2.0f, 0.0f, 1.0f};
    view_levels_of of;
    int all = choose(eyes[0], 60.0f, 40.0f, &of), seen = 0;

    (void)state;
    of.project = project;
    int count = view_levels_choose(&of, tiles, MOST);

    assert_true(count < all / 2);
    for (int t = 0; t < count; t++)
        seen += VIEW_TILE * VIEW_TILE * (int)tiles[4 * t + 2] * (int)tiles[4 * t + 2];
    assert_true(seen >= 100 * 100);
    of.project = NULL;
    assert_int_equal(view_levels_choose(&of, tiles, 3), all); // three are written
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cover), cmocka_unit_test(test_seams),
                                       cmocka_unit_test(test_unseen)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
