// test/sanitized.h: what a test is run under that takes some ten times as long, so that it can do
// with fewer cases, steps or cells there. GYRE_TEST_ALL=1 asks for all of them all the same.
#ifndef GYRE_TEST_SANITIZED_H
#define GYRE_TEST_SANITIZED_H

#include "gyre/device.h"

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_THREAD__)
#define GYRE_TEST_THREADS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GYRE_TEST_THREADS_WATCHED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define GYRE_TEST_ADDRESSES_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GYRE_TEST_ADDRESSES_WATCHED 1
#endif
#endif

enum {
#ifdef GYRE_TEST_THREADS_WATCHED
    THREADS_WATCHED = 1, // by their sanitizer: who touches what at the same time is asked, not bits
#else
    THREADS_WATCHED = 0,
#endif
#ifdef GYRE_TEST_ADDRESSES_WATCHED
    ADDRESSES_WATCHED = 1,
#else
    ADDRESSES_WATCHED = 0,
#endif
    SANITIZED = THREADS_WATCHED || ADDRESSES_WATCHED,
#ifdef GYRE_TEST_EMULATED
    EMULATED = 1, // 64-bit ARM on another processor: fifty times as long; bits are asked for
#else
    EMULATED = 0,
#endif
#ifdef NDEBUG
    UNOPTIMISED = 0,
#else
    UNOPTIMISED = 1, // a Debug build: bits are asked for
#endif
};

/// Whether long runs are asked for in full: script/test --all.
static inline bool in_full(void)
{
    return getenv("GYRE_TEST_ALL") != NULL;
}

/// Whether less will do.
static inline bool in_short(void)
{
    return (SANITIZED || EMULATED || UNOPTIMISED) && !in_full();
}

/// Whether one thread on each instruction set says something here: it does not where threads are
/// what is watched.
static inline bool every_isa(void)
{
    return !(in_short() && THREADS_WATCHED);
}

/// Of a list of cases the instruction set `isa` runs one in so many: in short all by the best set,
/// some by each of the others.
static inline int every_case(int isa)
{
    return in_short() && gyre_isa_name(isa + 1) ? 4 : 1;
}

/// How many numbers of threads, of up to `most`. They and the order of tasks are the same code for
/// every compiler and level.
static inline int every_count(int most)
{
    return !in_short() ? most : SANITIZED ? 1 : 0;
}

/// Whether the instruction set `isa` is to run with the t-th of `counts` numbers of threads, of
/// which the first is 1: in short each set with one of them, or where threads are watched the best
/// set with all but the first.
static inline bool takes_turn(int isa, int t, int counts)
{
    if (!in_short()) {
        return true;
    }
    return THREADS_WATCHED ? t > 0 && !gyre_isa_name(isa + 1) : t == isa % counts;
}

/// Where threads are watched, of a group's tests that one alone which shares work out among several
/// runs. Put it before cmocka_run_group_tests.
#ifdef GYRE_TEST_THREADS_WATCHED
#define WATCH_THREADS_IN(test)                                                                     \
    do {                                                                                           \
        (void)(test); /* so that it is the name of one */                                          \
        if (in_short()) {                                                                          \
            cmocka_set_test_filter(#test);                                                         \
        }                                                                                          \
    } while (0)
#else
#define WATCH_THREADS_IN(test) ((void)0)
#endif

#endif
