// test/sanitized.h: whether the compiler's sanitizers watch, which takes some ten times as long.
#ifndef GYRE_TEST_SANITIZED_H
#define GYRE_TEST_SANITIZED_H

enum {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SANITIZED = 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    SANITIZED = 1
#else
    SANITIZED = 0
#endif
#else
    SANITIZED = 0
#endif
};

#endif
