// grid/property.c: property tables: what a property expects in words, defaults, checks.
#include "grid/property.h"
#include "base/pose.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gy_text_add(gy_text *t, const char *format, ...)
{
    if (t->used + 1 >= t->size) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(t->data + t->used, t->size - t->used, format, arguments);
    va_end(arguments);
    if (n > 0) {
        t->used = GY_MIN(t->used + (size_t)n, t->size - 1);
    }
}

static bool is_finite_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7ff0000000000000u) != 0x7ff0000000000000u;
}

static bool has_range(const gyre_property *property)
{
    return property->min != 0 || property->max != 0;
}

int gy_count_names(const char *const *names)
{
    int count = 0;
    while (names && names[count]) {
        count++;
    }
    return count;
}

int gy_count_properties(const gyre_property *table)
{
    int count = 0;
    while (table && table[count].kind != GYRE_END) {
        count++;
    }
    return count;
}

gyre_value gyre_number(double number)
{
    return (gyre_value){.kind = GYRE_FLOAT, .count = 1, .number = {number}};
}

gyre_value gyre_vector(int count, const float *numbers)
{
    gyre_value value = {.kind = GYRE_FLOAT, .count = GY_MAX(0, GY_MIN(count, 4))};
    if (value.count > 0 && GY_MISSING("vector", numbers)) {
        value.count = 0;
    }
    for (int i = 0; i < value.count; i++) {
        value.number[i] = (double)numbers[i];
    }
    return value;
}

gyre_value gyre_bool(bool flag)
{
    return (gyre_value){.kind = GYRE_BOOL, .count = 1, .number = {flag ? 1 : 0}};
}

gyre_value gyre_string(const char *string)
{
    gyre_value value = {.kind = GYRE_STRING, .count = 1};
    snprintf(value.string, sizeof value.string, "%s", string ? string : "");
    return value;
}

// ---- what a property expects, in words

static void describe_number(const gyre_property *property, const char *noun, gy_text *t)
{
    bool one = property->count <= 1;
    if (one) {
        gy_text_add(t, "a %s", noun);
    } else {
        gy_text_add(t, "%d %ss", property->count, noun);
    }
    if (has_range(property) && !(property->flags & GYRE_ORIENTATION)) {
        const char *each = one ? "" : ", each";
        bool low = property->min > -1e9, high = property->max < 1e9;
        if (property->kind == GYRE_INT) {
            low = property->min > (double)INT32_MIN;
            high = property->max < (double)INT32_MAX;
        }
        if (low && high) {
            gy_text_add(t, "%s from %.9g to %.9g", each, property->min, property->max);
        } else if (low) {
            gy_text_add(t, "%s at least %.9g", each, property->min);
        } else if (high) {
            gy_text_add(t, "%s at most %.9g", each, property->max);
        }
    }
    if (property->unit && property->unit[0] && strcmp(property->unit, "1") != 0) {
        gy_text_add(t, " (%s)", property->unit);
    }
    if (property->flags & GYRE_ORIENTATION) {
        gy_text_add(t, " x, y, z, w: a quaternion of unit length (within 0.001), or all 0");
    }
}

void gyre_property_describe(const gyre_property *property, char *buffer, size_t size)
{
    if (GY_MISSING("property_describe", property) || GY_MISSING("property_describe", buffer)) {
        return;
    }
    gy_text t = {buffer, size, 0};
    if (size) {
        buffer[0] = 0;
    }
    switch (property->kind) {
    case GYRE_BOOL:
        gy_text_add(&t, "true or false");
        break;
    case GYRE_INT:
    case GYRE_INT64:
        describe_number(property, "whole number", &t);
        break;
    case GYRE_FLOAT:
    case GYRE_DOUBLE:
        describe_number(property, "number", &t);
        break;
    case GYRE_ENUM:
        gy_text_add(&t, "one of");
        for (int i = 0; property->names && property->names[i]; i++) {
            gy_text_add(&t, "%s \"%s\"", i ? "," : "", property->names[i]);
        }
        break;
    case GYRE_STRING:
        gy_text_add(&t, "a text of at most %zu bytes", property->size ? property->size - 1 : 0);
        break;
    case GYRE_STRUCT:
        gy_text_add(&t, "an object");
        break;
    case GYRE_UNION:
        gy_text_add(&t, "an object with exactly one of");
        for (int i = 0; i < gy_count_properties(property->properties); i++) {
            gy_text_add(&t, "%s \"%s\"", i ? "," : "", property->properties[i].name);
        }
        break;
    case GYRE_POOL:
        gy_text_add(&t, "a list of objects");
        break;
    case GYRE_AMOUNTS:
        gy_text_add(&t, "an object of names with a number each");
        break;
    case GYRE_VOLUME:
        gy_text_add(&t, "the name of a .npy or .png file");
        break;
    case GYRE_END:
        break;
    }
}

// Builds "NAME: found FOUND, expected ..." and fails with it.
gyre_result gy_property_wrong(const char *name, const gyre_property *property, const char *found)
{
    char expected[GY_TEXT_SIZE];
    gyre_property_describe(property, expected, sizeof expected);
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: found %s, expected %s", name, found, expected);
}

// ---- defaults

static void fill_defaults(const gyre_property *table, char *def)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        char *at = def + p->offset;
        switch (p->kind) {
        case GYRE_BOOL:
            *(bool *)at = p->initial[0] != 0;
            break;
        case GYRE_INT:
            for (int i = 0; i < p->count; i++) {
                ((int32_t *)at)[i] = (int32_t)p->initial[i];
            }
            break;
        case GYRE_FLOAT:
            for (int i = 0; i < p->count; i++) {
                ((float *)at)[i] = (float)p->initial[i];
            }
            break;
        case GYRE_ENUM:
            *(int32_t *)at = (int32_t)p->initial[0];
            break;
        case GYRE_STRUCT:
            fill_defaults(p->properties, at);
            break;
        case GYRE_UNION: {
            int tag = (int)p->initial[0];
            *(int32_t *)at = tag;
            const gyre_property *chosen = &p->properties[tag];
            fill_defaults(chosen->properties, at + chosen->offset);
            break;
        }
        case GYRE_INT64:
            *(int64_t *)at = (int64_t)p->initial[0];
            break;
        case GYRE_DOUBLE:
            *(double *)at = p->initial[0];
            break;
        case GYRE_STRING:
        case GYRE_POOL:
        case GYRE_VOLUME:
        case GYRE_AMOUNTS:
        case GYRE_END:
            break;
        }
    }
}

void gyre_property_defaults(const gyre_property *table, void *def, size_t size)
{
    if (GY_MISSING("property_defaults", table) || GY_MISSING("property_defaults", def)) {
        return;
    }
    memset(def, 0, size);
    fill_defaults(table, def);
}

// ---- checks

// Whether a number fits a property; compared in the precision in which it is stored, so that a
// value read back from a float still fits the range it was checked against.
static bool number_fits(const gyre_property *property, double x)
{
    if (!is_finite_double(x)) {
        return false;
    }
    if (property->kind == GYRE_FLOAT) {
        return (x >= -(double)FLT_MAX && x <= (double)FLT_MAX) &&
               (!has_range(property) ||
                ((float)x >= (float)property->min && (float)x <= (float)property->max));
    }
    if (property->kind == GYRE_INT || property->kind == GYRE_INT64) {
        // Both limits are doubles; below them the cast is defined and cuts the fraction.
        double limit = property->kind == GYRE_INT ? 2147483647.0 : 9007199254740992.0;
        if (x > limit || x < -limit - 1 || x != (double)(int64_t)x) {
            return false;
        }
    }
    return !has_range(property) || (x >= property->min && x <= property->max);
}

gyre_result gy_property_check_numbers(const char *name, const gyre_property *property, int count,
                                      const double *numbers)
{
    for (int i = 0; i < count; i++) {
        if (!number_fits(property, numbers[i])) {
            char found[GY_TEXT_SIZE];
            gy_text t = {found, sizeof found, 0};
            gy_text_add(&t, "%.9g", numbers[i]);
            if (count > 1) {
                gy_text_add(&t, " (component %d)", i);
            }
            return gy_property_wrong(name, property, found);
        }
    }
    if ((property->flags & GYRE_ORIENTATION) && count == 4 && !gy_is_orientation(numbers)) {
        char found[GY_TEXT_SIZE];
        snprintf(found, sizeof found, "%.9g, %.9g, %.9g, %.9g", numbers[0], numbers[1], numbers[2],
                 numbers[3]);
        return gy_property_wrong(name, property, found);
    }
    return GYRE_OK;
}

static gyre_result check_volume(const char *name, const gyre_property *property,
                                const gyre_volume *volume)
{
    const int *n = volume->n;
    if (!volume->data && (property->flags & GYRE_OPTIONAL) && n[0] == 0 && n[1] == 0 && n[2] == 0) {
        return GYRE_OK;
    }
    if (!volume->data) {
        // Of a scene the reader says that the file is missing; here somebody filled a def in.
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "%s: found nothing (data is NULL), expected an array of n[0] * n[1] * n[2] floats%s",
            name, property->flags & GYRE_OPTIONAL ? " (or n of 0 x 0 x 0 for none)" : "");
    }
    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        if (volume->n[i] < 1 || volume->n[i] > 4096) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: found an array of %d x %d x %d, expected 1 to 4096 along each "
                             "axis",
                             name, volume->n[0], volume->n[1], volume->n[2]);
        }
        count *= (size_t)volume->n[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (!gy_is_finite(volume->data[i])) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: sample %zu of the array is not finite, expected finite numbers",
                             name, i);
        }
    }
    return GYRE_OK;
}

const gyre_property *gy_property_name_of(const gyre_property *table)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        if (p->kind == GYRE_STRING && (p->flags & GYRE_NAME)) {
            return p;
        }
    }
    return NULL;
}

// Names stand in paths: they must tell elements apart and must not look like an index or a path.
static gyre_result check_names(const char *path, const gyre_property *pool, const gyre_pool *list)
{
    const gyre_property *line = gy_property_name_of(pool->properties);
    for (int i = 0; line && i < list->count; i++) {
        const char *name = (const char *)list->items + (size_t)i * pool->size + line->offset;
        if (!name[0]) {
            continue;
        }
        if (strchr(name, '.') || strspn(name, "0123456789") == strlen(name)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s.%d.%s: found \"%s\", expected a name without dots that is not a "
                             "number",
                             path, i, line->name, name);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(name, (const char *)list->items + (size_t)j * pool->size + line->offset) ==
                0) {
                return gyre_fail(GYRE_ERROR_ARGUMENT,
                                 "%s.%d.%s: found \"%s\", which is the name of element %d, "
                                 "expected a name of its own",
                                 path, i, line->name, name, j);
            }
        }
    }
    return GYRE_OK;
}

static gyre_result check_table(const gyre_property *table, const char *def, const char *path);

static gyre_result check_pool(const char *path, const gyre_property *pool, const gyre_pool *list)
{
    if (list->count < 0 || list->capacity < -1 ||
        (list->capacity > 0 && list->count > list->capacity) || (list->count > 0 && !list->items)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: found %d elements of a capacity of %d%s, expected a list that fits",
                         path, list->count, list->capacity, list->items ? "" : " and no array");
    }
    if (pool->max > 0 && (list->count > pool->max || list->capacity > pool->max + 8)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: found %d elements of a capacity of %d, expected at most %.0f", path,
                         list->count, list->capacity, pool->max);
    }
    for (int i = 0; i < list->count; i++) {
        char inner[GY_PATH_SIZE] = "";
        gy_text_add(&(gy_text){inner, sizeof inner, 0}, "%s.%d", path, i);
        gyre_result result = check_table(pool->properties,
                                         (const char *)list->items + (size_t)i * pool->size, inner);
        if (result) {
            return result;
        }
    }
    return check_names(path, pool, list);
}

static gyre_result check_one(const gyre_property *p, const char *at, const char *name)
{
    double numbers[4] = {0};
    int count = GY_MIN(p->count, 4);
    char found[GY_TEXT_SIZE];
    switch (p->kind) {
    case GYRE_BOOL:
        // Read as a byte: a bool with another bit pattern must not be looked at as a bool.
        if (*(const unsigned char *)at > 1) {
            snprintf(found, sizeof found, "%d", *(const unsigned char *)at);
            return gy_property_wrong(name, p, found);
        }
        return GYRE_OK;
    case GYRE_INT:
        for (int i = 0; i < count; i++) {
            numbers[i] = ((const int32_t *)at)[i];
        }
        return gy_property_check_numbers(name, p, count, numbers);
    case GYRE_FLOAT:
        for (int i = 0; i < count; i++) {
            numbers[i] = (double)((const float *)at)[i];
        }
        return gy_property_check_numbers(name, p, count, numbers);
    case GYRE_INT64:
        numbers[0] = (double)*(const int64_t *)at;
        return gy_property_check_numbers(name, p, 1, numbers);
    case GYRE_DOUBLE:
        numbers[0] = *(const double *)at;
        return gy_property_check_numbers(name, p, 1, numbers);
    case GYRE_ENUM: {
        int32_t index = *(const int32_t *)at;
        if (index < 0 || index >= gy_count_names(p->names)) {
            snprintf(found, sizeof found, "index %d", index);
            return gy_property_wrong(name, p, found);
        }
        return GYRE_OK;
    }
    case GYRE_STRING:
        return memchr(at, 0, p->size) ? GYRE_OK
                                      : gy_property_wrong(name, p, "a text without an end");
    case GYRE_STRUCT:
        return check_table(p->properties, at, name);
    case GYRE_UNION: {
        int32_t tag = *(const int32_t *)at;
        if (tag < 0 || tag >= gy_count_properties(p->properties)) {
            snprintf(found, sizeof found, "alternative %d", tag);
            return gy_property_wrong(name, p, found);
        }
        const gyre_property *chosen = &p->properties[tag];
        char inner[GY_PATH_SIZE] = "";
        gy_text_add(&(gy_text){inner, sizeof inner, 0}, "%s.%s", name, chosen->name);
        return check_table(chosen->properties, at + chosen->offset, inner);
    }
    case GYRE_POOL:
        return check_pool(name, p, (const gyre_pool *)(const void *)at);
    case GYRE_AMOUNTS:
        return gy_amounts_check(name, p, at);
    case GYRE_VOLUME:
        return check_volume(name, p, (const gyre_volume *)(const void *)at);
    case GYRE_END:
        break;
    }
    return GYRE_OK;
}

static gyre_result check_table(const gyre_property *table, const char *def, const char *path)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        char name[GY_PATH_SIZE] = "";
        gy_text_add(&(gy_text){name, sizeof name, 0}, "%s%s%s", path, path[0] ? "." : "", p->name);
        gyre_result result = check_one(p, def + p->offset, name);
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

gyre_result gyre_property_check(const gyre_property *table, const void *def, const char *path)
{
    if (GY_MISSING("property_check", table) || GY_MISSING("property_check", def)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return check_table(table, def, path ? path : "");
}
