// test/null_check.h: calls with NULL where something is needed, each in a process of its own, so
// that one that crashes is named.
#ifndef GYRE_TEST_NULL_CHECK_H
#define GYRE_TEST_NULL_CHECK_H

#include "gyre/base.h"

#include <ctype.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int null_bad;

// True in the child. The parent waits for it and says what became of the call.
static inline bool null_child(const char *call)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        // cmocka's own handlers would go on with the parent's tests.
        const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
        for (int i = 0; i < 5; i++) {
            signal(faults[i], SIG_DFL);
        }
        gyre_fail(GYRE_OK, "untouched");
        return true;
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        null_bad++;
        print_error("%s: %s\n", call,
                    WIFSIGNALED(status)        ? "crashes"
                    : WEXITSTATUS(status) == 1 ? "is not refused"
                    : WEXITSTATUS(status) == 2 ? "says nothing"
                    : WEXITSTATUS(status) == 3 ? "complains"
                                               : "ends the program");
    }
    return false;
}

static inline void null_end(bool refused, bool quiet)
{
    bool spoke = strcmp(gyre_message(), "untouched") != 0;
    _exit(!refused ? 1 : quiet == spoke ? (quiet ? 3 : 2) : 0);
}

// Refused by its result; by nothing (NULL, 0, false); by -1; by a message alone. Or a no-op.
#define REFUSED(call)                                                                              \
    if (null_child(#call)) {                                                                       \
        null_end((call) == GYRE_ERROR_ARGUMENT, false);                                            \
    }
#define NOTHING(call)                                                                              \
    if (null_child(#call)) {                                                                       \
        null_end(!(call), false);                                                                  \
    }
#define NO_INDEX(call)                                                                             \
    if (null_child(#call)) {                                                                       \
        null_end((call) == -1, false);                                                             \
    }
#define SPOKEN(call)                                                                               \
    if (null_child(#call)) {                                                                       \
        (call);                                                                                    \
        null_end(true, false);                                                                     \
    }
#define NO_OP(call)                                                                                \
    if (null_child(#call)) {                                                                       \
        (call);                                                                                    \
        null_end(true, true);                                                                      \
    }

static inline char *null_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("%s: run this in the source's folder", path);
    }
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

// Every function of a header that takes a pointer is called somewhere in `source`.
static inline void null_covers(const char *source, const char *header)
{
    char *calls = null_text(source), *text = null_text(header);
    for (char *at = strstr(text, "\nGYRE_API "); at; at = strstr(at + 1, "\nGYRE_API ")) {
        char *open = strchr(at, '('), *close = strchr(at, ';'), name[80] = "";
        if (!open || open > close) {
            continue;
        }
        char *first = open;
        while (isalnum((unsigned char)first[-1]) || first[-1] == '_') {
            first--;
        }
        snprintf(name, sizeof name, "%.*s(", (int)(open - first), first);
        bool pointer = false;
        for (char *c = open; c < close; c++) {
            pointer = pointer || *c == '*' || *c == '[';
        }
        if (pointer && !strstr(calls, name)) {
            null_bad++;
            print_error("%s: %s...) is not tried in %s\n", header, name, source);
        }
    }
    free(calls);
    free(text);
}

#endif
