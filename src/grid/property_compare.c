// grid/property_compare.c: elements held against each other by their table, so that bytes between
// members, and alternatives of a union that are not chosen, count for nothing.
#include "grid/property.h"

#include <string.h>

static bool same_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_volumes(const gyre_volume *a, const gyre_volume *b)
{
    return a->data == b->data && memcmp(a->n, b->n, sizeof a->n) == 0 && same_texts(a->key, b->key);
}

static const gyre_property *chosen(const gyre_property *p, const void *at)
{
    int32_t tag;
    memcpy(&tag, at, sizeof tag);
    return tag >= 0 && tag < gy_count_properties(p->properties) ? &p->properties[tag] : NULL;
}

static const gyre_property *difference_in_union(const gyre_property *p, const char *a,
                                                const char *b, unsigned flags)
{
    const gyre_property *of_a = chosen(p, a), *of_b = chosen(p, b);
    if (of_a != of_b || !of_a) {
        return flags ? NULL : of_a == of_b ? NULL : p;
    }
    return gy_property_difference(of_a->properties, a + of_a->offset, b + of_a->offset, flags);
}

/// Of one line that counts whole.
static bool differs(const gyre_property *p, const char *a, const char *b)
{
    switch (p->kind) {
    case GYRE_BOOL:
        return *(const bool *)a != *(const bool *)b;
    case GYRE_INT:
    case GYRE_FLOAT:
        return memcmp(a, b, (size_t)p->count * 4) != 0;
    case GYRE_ENUM:
        return memcmp(a, b, 4) != 0;
    case GYRE_INT64:
    case GYRE_DOUBLE:
        return memcmp(a, b, 8) != 0;
    case GYRE_STRING:
        return strncmp(a, b, p->size) != 0;
    case GYRE_VOLUME:
        return !same_volumes((const gyre_volume *)(const void *)a,
                             (const gyre_volume *)(const void *)b);
    case GYRE_AMOUNTS:
        return gy_amounts_differ(p, a, b);
    case GYRE_STRUCT:
        return gy_property_difference(p->properties, a, b, 0) != NULL;
    case GYRE_UNION:
        return difference_in_union(p, a, b, 0) != NULL;
    case GYRE_POOL: // elements have none
    case GYRE_END:
        break;
    }
    return false;
}

const gyre_property *gy_property_difference(const gyre_property *table, const void *a,
                                            const void *b, unsigned flags)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *of_a = (const char *)a + p->offset, *of_b = (const char *)b + p->offset;
        const gyre_property *inner = NULL;
        if (!flags || (p->flags & flags)) {
            inner = differs(p, of_a, of_b) ? p : NULL;
        } else if (p->kind == GYRE_STRUCT) {
            inner = gy_property_difference(p->properties, of_a, of_b, flags);
        } else if (p->kind == GYRE_UNION) {
            inner = difference_in_union(p, of_a, of_b, flags);
        }
        if (inner) {
            return inner;
        }
    }
    return NULL;
}

bool gy_property_has_array(const gyre_property *table, const void *element)
{
    bool has = false;
    for (const gyre_property *p = table; p && p->kind != GYRE_END && !has; p++) {
        const char *at = (const char *)element + p->offset;
        if (p->kind == GYRE_VOLUME) {
            has = ((const gyre_volume *)(const void *)at)->data != NULL;
        } else if (p->kind == GYRE_STRUCT) {
            has = gy_property_has_array(p->properties, at);
        } else if (p->kind == GYRE_UNION && chosen(p, at)) {
            has = gy_property_has_array(chosen(p, at)->properties, at + chosen(p, at)->offset);
        }
    }
    return has;
}
