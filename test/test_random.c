// Random models, sources, edits and steps give the same bits on every instruction set and for any
// number of threads: whatever a cap, a limiter or a rare branch decides, it decides for each cell
// by itself. fuzz_bits looks for such cases by coverage; here are some that are always the
// same. GYRE_TEST_RANDOM=COUNT tries so many, GYRE_TEST_SEED=S that one alone.
// labels: small threads
// timeout: 900
#include "random_case.h"
#include "test/sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { LENGTH = 1500 };

// Fewer where a sanitizer takes ten times as long: it looks for faults of memory and of threads,
// which depend on the case less than bits do.
static int cases_here(void)
{
    return getenv("GYRE_TEST_ALL") ? 300 : THREADS_WATCHED ? 40 : SANITIZED ? 60 : 200;
}

static gyre_device *device_of(int threads, const char *isa)
{
    gyre_device *made = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    def.isa = isa;
    assert_int_equal(gyre_device_create(&def, &made), GYRE_OK);
    return made;
}

static void random_bytes(uint32_t seed, uint8_t bytes[LENGTH])
{
    uint32_t x = seed * 2654435761u + 12345u;
    for (int i = 0; i < LENGTH; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        bytes[i] = (uint8_t)(x >> 11);
    }
}

static void test_random(void **state)
{
    (void)state;
    const char *wish = getenv("GYRE_TEST_RANDOM"), *one = getenv("GYRE_TEST_SEED");
    int count = wish ? atoi(wish) : cases_here(), refused = 0, steps = 0,
        first = one ? atoi(one) : 0;
    static twins t;
    case_maker.most_cells = 60000; // of several tasks
    case_maker.most_rounds = 6;
    t.device[t.count++] = device_of(1, gyre_isa_name(0));
    for (int i = 1; gyre_isa_name(i) && t.count < MOST_TWINS; i++) {
        t.device[t.count++] = device_of(1 + i, gyre_isa_name(i));
    }
    if (t.count == 1) {
        t.device[t.count++] = device_of(3, gyre_isa_name(0));
    }
    for (int s = first; s < (one ? first + 1 : count); s++) {
        uint8_t bytes[LENGTH];
        random_bytes((uint32_t)s, bytes);
        random_case(&t, bytes, sizeof bytes);
        refused += t.refused;
        steps += t.steps;
        if (t.refused && one) {
            print_message("refused: %s\n", gyre_message());
        }
        if (t.differs) {
            fail_msg("seed %d, %s with %d threads beside %s: %s", s,
                     gyre_device_isa(t.device[t.differs]), gyre_device_threads(t.device[t.differs]),
                     gyre_device_isa(t.device[0]), t.where);
        }
    }
    print_message("%d cases, %d of them refused, %d steps, on %d devices\n", count, refused, steps,
                  t.count);
    assert_true(one || 3 * refused < count);
    for (int q = 0; q < t.count; q++) {
        gyre_device_destroy(t.device[q]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
