#include "io/points.h"

#include <stdarg.h>
#include <string.h>

enum { NAME_LIMIT = 63 };

static bool fits(const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;
    return length > 0 && length <= NAME_LIMIT && strpbrk(name, "<>&\"'/\\ \n") == NULL;
}

gyre_result gy_points_of(const char *path, const gyre_frame *frame,
                         const gyre_named_particles **set)
{
    if (frame->particle_count != 1)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: has room for one set of particles; %d were given", path,
                         frame->particle_count);
    const gyre_named_particles *s = frame->particles;
    const gyre_named_attribute *a = s->attributes;
    bool fit = fits(s->name) && s->count >= 0 && a != NULL && s->attribute_count > 0;

    if (!fit || strcmp(a->name, "position") != 0 || a->components != 3 || a->whole)
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: particles need a name, and a position of three floats first", path);
    for (int i = 0; i < s->attribute_count; i++) {
        if (!fits(a[i].name) || a[i].components < 1 || a[i].components > 4 ||
            (a[i].data == NULL && s->count > 0))
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: an attribute without a fit name or data",
                             path);
    }
    *set = s;
    return GYRE_OK;
}

void gy_points_pack(const gyre_named_attribute *attribute, int64_t first, size_t count,
                    unsigned char *bytes)
{
    const unsigned char *from = (const unsigned char *)attribute->data + 4 * first;

    for (size_t i = 0; i < count; i++) {
        uint32_t number;

        memcpy(&number, from + 4 * i, 4);
        for (int b = 0; b < 4; b++)
            bytes[4 * i + (size_t)b] = (unsigned char)(number >> (8 * b));
    }
}

gyre_result gy_points_write(gy_io_file *file, const gyre_named_particles *set,
                            const gyre_named_attribute *attribute)
{
    unsigned char bytes[4 * GY_POINTS_CHUNK];
    int64_t all = set->count * attribute->components;
    gyre_result result = GYRE_OK;

    for (int64_t i = 0; i < all && result == GYRE_OK; i += GY_POINTS_CHUNK) {
        size_t count = (size_t)(all - i < GY_POINTS_CHUNK ? all - i : GY_POINTS_CHUNK);

        gy_points_pack(attribute, i, count, bytes);
        result = gy_io_write(file, bytes, 4 * count);
    }
    return result;
}

gyre_result gy_points_print(gy_io_file *file, const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);

    va_end(list);
    if (length < 0 || length >= (int)sizeof text)
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: a line that is too long", gy_io_temporary(file));
    return gy_io_write(file, text, (size_t)length);
}

void gy_points_head(const gyre_named_particles *set, const gyre_named_attribute *attribute,
                    char head[GY_POINTS_HEAD + 1])
{
    char second[16] = "";

    if (attribute->components > 1)
        snprintf(second, sizeof second, " %d", attribute->components);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10); // 0x76 bytes follow, 128 in all
    int length = snprintf(head + 10, GY_POINTS_HEAD - 9,
                          "{'descr': '<%s', 'fortran_order': False, 'shape': (%lld,%s), }",
                          attribute->whole ? "i4" : "f4", (long long)set->count, second);

    memset(head + 10 + length, ' ', (size_t)(GY_POINTS_HEAD - 11 - length));
    head[GY_POINTS_HEAD - 1] = '\n';
}

gyre_result gy_points_file(const char *path, const gyre_named_particles *set, double time,
                           gy_points_writer *write)
{
    gy_io_file *file = NULL;
    gyre_result result = gy_io_create(path, &file);

    if (result != GYRE_OK)
        return result;
    result = write(file, set, time);
    if (result == GYRE_OK)
        return gy_io_commit(file);
    gy_io_discard(file);
    return result;
}
