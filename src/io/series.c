// io/series.c: numbered files: see io/series.h.
#include "io/series.h"

#include "io/system.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// A search through a folder.
typedef struct search {
    gy_io_series *series;
    const char *before, *ending; // of names; before NULL: the first that comes says it
    char own[256], other[256];   // a name of the series; one of another
} search;

// Seven digits are enough; a longer number is part of no series.
static int read_number(const char *digits, size_t length)
{
    return length > 0 && length < 8 ? atoi(digits) : -1;
}

static void look(void *user, const char *name)
{
    search *s = user;
    size_t length = strlen(name), tail = strlen(s->ending), begin;

    if (length <= tail || length >= sizeof s->own || strcmp(name + length - tail, s->ending) != 0)
        return;
    for (begin = length - tail; begin > 0 && isdigit((unsigned char)name[begin - 1]); begin--)
        continue;
    if (s->before != NULL) {
        size_t before = strlen(s->before);

        // The digits that belong to the name do not count.
        if (strncmp(name, s->before, before) != 0 || begin > before)
            return;
        begin = before;
    }
    size_t digits = length - tail - begin;
    int number = read_number(name + begin, digits);

    if (number < 0)
        return;
    if (s->own[0] != '\0' &&
        (strncmp(s->own, name, begin) != 0 || isdigit((unsigned char)s->own[begin]) == 0)) {
        memcpy(s->other, name, length + 1);
        return;
    }
    gy_io_series *to = s->series;

    if (s->own[0] == '\0') {
        memcpy(s->own, name, length + 1);
        *to = (gy_io_series){.digits = (int)digits, .first = number, .last = number};
        memcpy(to->before, name, begin);
        to->before[begin] = '\0';
    }
    to->digits = (int)digits < to->digits ? (int)digits : to->digits;
    to->first = number < to->first ? number : to->first;
    to->last = number > to->last ? number : to->last;
}

// The place of %d or %04d in a path: its length, 0 where there is none.
static size_t find_pattern(const char *path, size_t *at, int *digits)
{
    for (const char *p = strchr(path, '%'); p != NULL; p = strchr(p + 1, '%')) {
        size_t length = 1 + strspn(p + 1, "0123456789");

        if (p[length] == 'd' && strchr(p, '/') == NULL && length < 4) {
            *at = (size_t)(p - path);
            *digits = atoi(p + 1);
            return length + 1;
        }
    }
    return 0;
}

// What was found lies in a folder.
static gyre_result finish(gy_io_series *series, const char *folder, const search *s,
                          const char *path)
{
    char before[256];

    if (s->own[0] == '\0')
        return gyre_fail(GYRE_ERROR_FILE, "%.300s: found no file of that name with a number", path);
    if (s->other[0] != '\0')
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.300s: found %.100s and %.100s, expected files of one name with numbers",
                         path, s->own, s->other);
    memcpy(before, series->before, sizeof before);
    int length = snprintf(series->before, sizeof series->before, "%s/%s", folder, before);

    snprintf(series->after, sizeof series->after, "%s", s->ending);
    if (length < 0 || (size_t)length >= sizeof series->before)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.300s: too long a path", path);
    return GYRE_OK;
}

gyre_result gy_io_series_find(const char *path, const char *ending, gy_io_series *series)
{
    search s = {.series = series, .ending = ending};
    size_t at, length;
    int digits;

    *series = (gy_io_series){.last = -1};
    if (gy_io_is_folder(path)) {
        gyre_result result = gy_io_list(path, look, &s);

        return result != GYRE_OK ? result : finish(series, path, &s, path);
    }
    length = find_pattern(path, &at, &digits);
    if (length == 0 || strlen(path) >= sizeof series->before)
        return GYRE_OK;
    char folder[4096], before[4096];
    const char *slash = strrchr(path, '/');
    int root = slash != NULL ? (int)(slash - path) : 0, name = slash != NULL ? root + 1 : 0;

    snprintf(folder, sizeof folder, "%.*s", root, path);
    snprintf(before, sizeof before, "%.*s", (int)at - name, path + name);
    s.before = before;
    s.ending = path + at + length;
    gyre_result result = gy_io_list(slash == NULL ? "." : root > 0 ? folder : "/", look, &s);

    result = result != GYRE_OK ? result : finish(series, slash == NULL ? "." : folder, &s, path);
    series->digits = digits;
    return result;
}

void gy_io_series_name(const gy_io_series *series, int number, char *path, size_t size)
{
    snprintf(path, size, "%s%0*d%s", series->before, series->digits, number, series->after);
}
