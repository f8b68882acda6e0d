// test/check.h: what every test may say of a call: that it must succeed, and what its message says.
#ifndef GYRE_TEST_CHECK_H
#define GYRE_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gyre/base.h"

static inline void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

/// The last message holds these words.
static inline void says(const char *words)
{
    if (!strstr(gyre_message(), words)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), words);
    }
}

#endif
