// io/overlap.c: whether two outputs may write one file. Two names with places for numbers overlap
// when some text fits both: states are pairs of places in the two, as in the product of two
// automata; the cost is the product of their lengths.
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

/// What a name may hold at one place: a byte, one digit, or any number of digits.
enum { DIGIT = 256, DIGITS = 257 };

typedef struct pattern {
    int count;
    int *at;
} pattern;

// The name with its folder made absolute, as far as it is the same for all frames.
static char *real_name(const char *path, ptrdiff_t number)
{
    if (number < 0)
        return gy_io_real(path);
    char *before = malloc((size_t)number + 2);

    if (before == NULL)
        return NULL;
    ptrdiff_t slash = number;

    while (slash > 0 && path[slash - 1] != '/')
        slash--;
    snprintf(before, (size_t)number + 2, "%.*s.", (int)slash, path);
    char *folder = gy_io_absolute(before);

    free(before);
    size_t size = folder != NULL ? strlen(folder) + strlen(path) + 2 : 0;
    char *made = folder != NULL ? malloc(size) : NULL;

    if (made != NULL)
        snprintf(made, size, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, path + slash);
    free(folder);
    return made;
}

static bool read_pattern(const char *path, pattern *p)
{
    ptrdiff_t begin = -1, end = -1;
    int places = -1;
    bool numbered = gy_io_number(path, &begin, &end, &places);
    char *name = real_name(path, numbered ? begin : -1);

    *p = (pattern){0};
    if (name == NULL)
        return false;
    size_t length = strlen(name);

    p->at = malloc((length + 12) * sizeof *p->at);
    for (size_t i = 0; p->at != NULL && i < length; i++) {
        if (!numbered || length - i != strlen(path) - (size_t)begin) {
            p->at[p->count++] = (unsigned char)name[i];
            continue;
        }
        for (int d = 0; d < (places > 0 ? places : 1); d++)
            p->at[p->count++] = DIGIT;
        p->at[p->count++] = DIGITS;
        i += (size_t)(end - begin) - 1;
    }
    free(name);
    return p->at != NULL;
}

static bool is_digit(int token)
{
    return token >= DIGIT || (token >= '0' && token <= '9');
}

static bool meet(const pattern *a, const pattern *b)
{
    size_t row = (size_t)b->count + 1;
    unsigned char *reached = calloc((size_t)a->count + 1, row);

    if (reached == NULL)
        return true;
    reached[0] = 1;
    for (int i = 0; i <= a->count; i++) {
        for (int j = 0; j <= b->count; j++) {
            unsigned char *here = reached + (size_t)i * row + j;
            int x = i < a->count ? a->at[i] : -1, y = j < b->count ? b->at[j] : -1;

            if (!*here)
                continue;
            // Digits that end here; digits that take what the other has; one and the same.
            if (x == DIGITS)
                here[row] = 1;
            if (y == DIGITS)
                here[1] = 1;
            if (x == DIGITS && is_digit(y))
                here[1] = 1;
            if (y == DIGITS && is_digit(x))
                here[row] = 1;
            if (x >= 0 && y >= 0 && x < DIGITS && y < DIGITS &&
                (x == y || (is_digit(x) && is_digit(y) && (x == DIGIT || y == DIGIT))))
                here[row + 1] = 1;
        }
    }
    bool both = reached[(size_t)a->count * row + (size_t)b->count];

    free(reached);
    return both;
}

gyre_result gyre_path_check(const char *path)
{
    if (GY_MISSING("path_check", path))
        return GYRE_ERROR_ARGUMENT;
    return gy_io_check_folder(path);
}

bool gyre_paths_overlap(const char *one, const char *other)
{
    if (GY_MISSING("paths_overlap", one) || GY_MISSING("paths_overlap", other))
        return false;
    pattern a = {0}, b = {0};
    // Without memory nothing is known: then better no run than a lost file.
    bool overlap = gy_io_same_file(one, other) || !read_pattern(one, &a) ||
                   !read_pattern(other, &b) || meet(&a, &b);

    free(a.at);
    free(b.at);
    return overlap;
}
