// Questions about the surface beside a step: whoever asks finds the water as it was after some
// finished step, all of one piece.
// labels: threads
#include "water_case.h"

#include <pthread.h>
#include <stdatomic.h>

enum { POINTS = 64, STEPS = 150 };

static gyre_water *water;
static atomic_int finished;

/// Water that rises everywhere by the same rain: heights of one answer must agree among each other.
static void *ask(void *found)
{
    float points[2 * POINTS];
    gyre_water_sample at[POINTS];
    int *different = found;
    for (int i = 0; i < POINTS; i++) {
        points[2 * i] = 1.0f + 1.9f * (float)i;
        points[2 * i + 1] = 2.0f + 1.3f * (float)(i * 7 % POINTS);
    }
    float last = -1.0f;
    while (!atomic_load(&finished)) {
        if (gyre_water_query(water, points, POINTS, at) != GYRE_OK) {
            different[1]++;
            break;
        }
        for (int i = 1; i < POINTS; i++) {
            different[1] += at[i].height != at[0].height;
        }
        different[1] += at[0].height < last;
        different[0] += at[0].height > last;
        last = at[0].height;
    }
    return NULL;
}

static void test_beside(void **state)
{
    (void)state;
    pthread_t threads[3];
    int found[3][2] = {{0}};
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 130, 130, 1.0f);
    def.queries = true;
    def.exact = true;
    def.rain = 0.01f;
    water = make(&def);
    for (int t = 0; t < 3; t++) {
        assert_int_equal(pthread_create(&threads[t], NULL, ask, found[t]), 0);
    }
    run(water, STEPS, 0.05f);
    atomic_store(&finished, 1);
    int seen = 0;
    for (int t = 0; t < 3; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(found[t][1], 0);
        seen += found[t][0];
    }
    print_message("%d new heights seen in %d steps\n", seen, STEPS);
    assert_true(seen > 3);
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_beside)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
