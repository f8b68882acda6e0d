// A stand-in for the part of cmocka that the tests use, for targets that have no cmocka: the tests
// are cross-compiled with it and run under emulation. The real one is used wherever there is one.
#ifndef GYRE_STAND_IN_CMOCKA_H
#define GYRE_STAND_IN_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *initial_state;
};

static jmp_buf stand_in_failed;
static int stand_in_skipping;

static inline void stand_in_fail(const char *file, int line, const char *what)
{
    printf("%s:%d: failure: %s\n", file, line, what);
    longjmp(stand_in_failed, 1);
}

static inline void stand_in_skip(void)
{
    stand_in_skipping = 1;
    longjmp(stand_in_failed, 2);
}

#define print_error(...) ((void)fprintf(stderr, __VA_ARGS__))
#define stand_in_require(good, what) ((good) ? (void)0 : stand_in_fail(__FILE__, __LINE__, what))
#define cmocka_unit_test(f)                                                                        \
    {                                                                                              \
#f, f, NULL, NULL, NULL                                                                    \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                        \
    {                                                                                              \
#f, f, setup, teardown, NULL                                                               \
    }
#define cmocka_unit_test_prestate(f, state)                                                        \
    {                                                                                              \
#f, f, NULL, NULL, state                                                                   \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    stand_in_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#define assert_true(c) stand_in_require((c) ? 1 : 0, #c)
#define assert_false(c) stand_in_require((c) ? 0 : 1, "not " #c)
#define assert_non_null(p) stand_in_require((p) != NULL, #p " is not NULL")
#define assert_null(p) stand_in_require((p) == NULL, #p " is NULL")
#define assert_ptr_equal(a, b)                                                                     \
    stand_in_require((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_int_equal(a, b) stand_in_require((intmax_t)(a) == (intmax_t)(b), #a " == " #b)
#define assert_int_not_equal(a, b) stand_in_require((intmax_t)(a) != (intmax_t)(b), #a " != " #b)
#define assert_in_range(x, low, high)                                                              \
    stand_in_require((uintmax_t)(x) >= (uintmax_t)(low) && (uintmax_t)(x) <= (uintmax_t)(high),    \
                     #x " in " #low " .. " #high)
#define assert_string_equal(a, b) stand_in_require(strcmp(a, b) == 0, #a " reads " #b)
#define assert_string_not_equal(a, b) stand_in_require(strcmp(a, b) != 0, #a " does not read " #b)
#define assert_memory_equal(a, b, size) stand_in_require(memcmp(a, b, size) == 0, #a " holds " #b)
#define assert_memory_not_equal(a, b, size)                                                        \
    stand_in_require(memcmp(a, b, size) != 0, #a " does not hold " #b)
#define fail() stand_in_fail(__FILE__, __LINE__, "fail()")
#define fail_msg(...) (printf(__VA_ARGS__), stand_in_fail(__FILE__, __LINE__, "fail_msg()"))
#define print_message(...) printf(__VA_ARGS__)
#define skip() stand_in_skip()

static inline int stand_in_run(const struct CMUnitTest *tests, size_t count, int (*setup)(void **),
                               int (*teardown)(void **))
{
    void *group = NULL;
    volatile int failures = 0;
    if (setup && setup(&group) != 0) {
        printf("[  FAILED  ] the group's setup\n");
        return 1;
    }
    for (volatile size_t i = 0; i < count; i++) {
        void *state = tests[i].initial_state ? tests[i].initial_state : group;
        void **volatile where = &state;
        volatile int good = 0;
        stand_in_skipping = 0;
        printf("[ RUN      ] %s\n", tests[i].name);
        if (setjmp(stand_in_failed) == 0) {
            if (tests[i].setup && tests[i].setup(where) != 0)
                stand_in_fail(__FILE__, __LINE__, "the test's setup");
            tests[i].run(where);
            good = 1;
        }
        if (tests[i].teardown && tests[i].teardown(where) != 0)
            good = 0;
        if (!good && !stand_in_skipping)
            failures++;
        printf("[%s] %s\n",
               good                ? "       OK "
               : stand_in_skipping ? "  SKIPPED "
                                   : "  FAILED  ",
               tests[i].name);
        fflush(stdout);
    }
    if (teardown && teardown(&group) != 0)
        failures++;
    printf("[==========] %d of %d failed\n", failures, (int)count);
    return failures;
}

#endif
