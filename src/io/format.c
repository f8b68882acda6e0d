// io/format.c: the table of formats.
#include "io/format.h"

#include <string.h>

#define ADDRESS(name) &gy_format_##name,
static const gy_format *const formats[] = {GY_FORMATS(ADDRESS)};

enum { FORMATS = sizeof formats / sizeof formats[0] };

const gyre_format *gyre_format_at(int i)
{
    return i >= 0 && i < FORMATS ? &formats[i]->about : NULL;
}

// ".mp4, .webm and .gif": all endings, in the order of the table.
static void list_endings(char *text, size_t size)
{
    const char *all[4 * FORMATS];
    int count = 0;

    for (int i = 0; i < FORMATS; i++) {
        for (int k = 0; k < 4 && formats[i]->about.endings[k] != NULL; k++)
            all[count++] = formats[i]->about.endings[k];
    }
    size_t used = 0;

    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i < count - 1 ? ", " : " and ";
        int put = snprintf(text + used, size - used, "%s%s", before, all[i]);

        used += put > 0 ? (size_t)put : 0;
    }
}

const gy_format *gy_format_find(const char *path)
{
    char known[256] = "";

    for (int i = 0; i < FORMATS; i++) {
        for (int k = 0; k < 4 && formats[i]->about.endings[k] != NULL; k++) {
            if (gy_io_ends(path, formats[i]->about.endings[k]))
                return formats[i];
        }
    }
    list_endings(known, sizeof known);
    (void)gyre_fail(GYRE_ERROR_ARGUMENT, "%s: unknown ending; known are %s", path, known);
    return NULL;
}

const gyre_format *gyre_format_of(const char *path)
{
    if (GY_MISSING("format_of", path))
        return NULL;
    const gy_format *format = gy_format_find(path);

    return format != NULL ? &format->about : NULL;
}
