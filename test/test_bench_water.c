// What the water's bench says of its measurements: a gain of threads counts where copies of the
// same run were as fast in each round, and nothing is said of it where they were not.
#include "bench/system.c"
// (first, for it asks for more of the system's headers)
#include "bench/bench_water.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// (what the file above has of other files)
const double bench_reading_most = 2.0;
double bench_reading(gyre_model *model, const bench_read *what, int threads, double *nanoseconds)
{
    (void)model, (void)what, (void)threads;
    return *nanoseconds = 0.0;
}
int bench_device(bool water, int argc, char **argv)
{
    (void)water, (void)argc, (void)argv;
    return 1;
}

const char *bench_threads(const char *text, int *threads, int most, int *count)
{
    (void)text, (void)threads, (void)most, (void)count;
    return NULL;
}

int bench_dust(const char *isa, bool quick, FILE *out)
{
    (void)isa, (void)quick, (void)out;
    return 0;
}

int bench_water_features(const char *isa, bool quick, FILE *out)
{
    (void)isa, (void)quick, (void)out;
    return 0;
}

double bench_copy_rate(gyre_device *device, int threads)
{
    (void)device, (void)threads;
    return 1;
}

/// How many gates gain() finds missed where two threads take `share` of one's time, and copies on
/// two threads become `faster` times as fast half-way.
static int missed_with(double share, double faster)
{
    const options o = {.gate = true, .threads = {1, 2}, .thread_counts = 2};
    static pool_run runs[BENCH_THREADS];
    for (int r = 0; r < ROUNDS; r++) {
        runs[0].copy[r] = 10e9;
        runs[1].copy[r] = r < ROUNDS / 2 ? 18e9 : 18e9 * faster;
        // One slow round: the median does not see it.
        runs[0].step[r] = r == 3 ? 9.0 : 1.0;
        runs[1].step[r] = r == 5 ? 9.0 : share;
    }
    missed = 0;
    gain(&o, runs);
    return missed;
}

static void a_gain_counts_where_copies_were_steady(void **state)
{
    (void)state;
    assert_int_equal(missed_with(0.51, 1.0), 0);
    assert_int_equal(missed_with(0.51, 1.15), 0);
    assert_int_equal(missed_with(0.9, 1.0), 1);
    assert_int_equal(missed_with(0.9, 1.15), 1);
}

static void nothing_is_said_of_it_where_they_were_not(void **state)
{
    (void)state;
    assert_int_equal(missed_with(0.9, 1.25), 0);
    assert_int_equal(missed_with(0.9, 2.0), 0);
    assert_int_equal(missed_with(0.9, 0.5), 0);
    // Nor where one of them was not measured.
    const options o = {.gate = true, .threads = {2}, .thread_counts = 1};
    static pool_run runs[BENCH_THREADS];
    missed = 0;
    gain(&o, runs);
    assert_int_equal(missed, 0);
}

/// What no clock is needed for reaches its gates, and a gate that is not reached counts.
static void gates_count(void **state)
{
    (void)state;
    const options o = {.gate = true, .threads = {1}, .thread_counts = 1};
    missed = 0;
    gate(&o, "below", 1.0, 1.0);
    assert_int_equal(missed, 0);
    gate(&o, "above", 1.001, 1.0);
    gate(&o, "not a number", (double)NAN, 1.0);
    assert_int_equal(missed, 2);
    missed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gain_counts_where_copies_were_steady),
        cmocka_unit_test(nothing_is_said_of_it_where_they_were_not),
        cmocka_unit_test(gates_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
