// grid/property_path.c: names and paths: from "emitters.jet.rate" to its place in a def.
#include "grid/property.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const gyre_property *gyre_property_find(const gyre_property *table, const char *name)
{
    if (GY_MISSING("property_find", table) || GY_MISSING("property_find", name)) {
        return NULL;
    }
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

// Edit distance with swaps of neighbours counted as one (optimal string alignment).
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    int m = (int)strlen(a), n = (int)strlen(b);
    if (m > LONGEST || n > LONGEST) {
        return INT_MAX;
    }
    int rows[3][LONGEST + 1];
    int *before = rows[0], *last = rows[1], *now = rows[2];
    for (int j = 0; j <= n; j++) {
        last[j] = j;
    }
    for (int i = 1; i <= m; i++) {
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = GY_MIN(best, GY_MIN(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = GY_MIN(best, before[j - 2] + 1);
            }
            now[j] = best;
        }
        int *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[n];
}

const char *gyre_name_nearest(const char *name, int count,
                              const char *(*at)(const void *list, int i), const void *list)
{
    if (GY_MISSING("name_nearest", name) || GY_MISSING("name_nearest", at)) {
        return NULL;
    }
    const char *nearest = NULL;
    // Half of a short name and a third of a long one may be wrong.
    int best =
        GY_MAX(GY_MIN((int)GY_MIN(strlen(name), 64u) / 2, 2), (int)GY_MIN(strlen(name), 64u) / 3);
    for (int i = 0; i < count; i++) {
        const char *known = at(list, i);
        int distance = known && known[0] ? edit_distance(name, known) : INT_MAX;
        // The beginning of a name is as near as a slip of the finger.
        if (known && strlen(name) >= 3 && strncmp(known, name, strlen(name)) == 0) {
            distance = GY_MIN(distance, 1);
        }
        if (distance <= best && (!nearest || distance < best)) {
            best = distance;
            nearest = known;
        }
    }
    return nearest;
}

static const char *line_name(const void *list, int i)
{
    return ((const gyre_property *)list)[i].name;
}

const char *gyre_property_nearest(const gyre_property *table, const char *name)
{
    if (GY_MISSING("property_nearest", table) || GY_MISSING("property_nearest", name)) {
        return NULL;
    }
    return gyre_name_nearest(name, gy_count_properties(table), line_name, table);
}

const char *gyre_property_renamed(const gyre_property *table, const char *name)
{
    if (GY_MISSING("property_renamed", table) || GY_MISSING("property_renamed", name)) {
        return NULL;
    }
    size_t length = strlen(name);
    for (const gyre_property *p = table; p->kind != GYRE_END && length; p++) {
        for (const char *at = p->formerly; at && *at; at += strspn(at, " ")) {
            size_t word = strcspn(at, " ");
            if (word == length && memcmp(at, name, length) == 0) {
                return p->name;
            }
            at += word;
        }
    }
    return NULL;
}

// ---- paths

// Where a walk stands: what of the path is behind it, and the part it looks at.
typedef struct walker {
    const char *path;
    size_t done; // bytes of the path up to the end of the part
    char part[128];
} walker;

static bool next_part(walker *w)
{
    const char *at = w->path + w->done;
    if (w->done && *at == '.') {
        at++;
    }
    size_t length = strcspn(at, ".");
    if (length == 0 || length >= sizeof w->part) {
        return false;
    }
    memcpy(w->part, at, length);
    w->part[length] = 0;
    w->done = (size_t)(at - w->path) + length;
    return true;
}

static bool at_end(const walker *w)
{
    return w->path[w->done] == 0;
}

static gyre_result unknown(const walker *w, const char *what, const char *nearest,
                           const gyre_property *table)
{
    char names[GY_TEXT_SIZE];
    gy_text t = {names, sizeof names, 0};
    const char *now = table ? gyre_property_renamed(table, w->part) : NULL;
    if (now) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.*s: \"%s\" is called \"%s\" now", (int)w->done,
                         w->path, w->part, now);
    }
    if (nearest) {
        gy_text_add(&t, "did you mean \"%s\"?", nearest);
    } else {
        gy_text_add(&t, "expected one of");
        for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
            gy_text_add(&t, "%s \"%s\"", p == table ? "" : ",", p->name);
        }
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT, "%.*s: unknown %s \"%s\", %s", (int)w->done, w->path,
                     what, w->part, names);
}

// The list of a pool as the look-up of names sees it.
typedef struct named_list {
    const gyre_property *pool, *name;
    const gyre_pool *list;
} named_list;

static const char *element_name(const void *list, int i)
{
    const named_list *l = list;
    return (const char *)l->list->items + (size_t)i * l->pool->size + l->name->offset;
}

static gyre_result walk_pool(walker *w, const gyre_property *pool, gyre_pool *list, char **element)
{
    if (!next_part(w)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: found a list, expected the index or name of one "
                         "of its %d elements after it",
                         w->path, list->count);
    }
    long index = -1;
    named_list l = {pool, gy_property_name_of(pool->properties), list};
    if (strspn(w->part, "0123456789") == strlen(w->part)) {
        index = strlen(w->part) < 10 ? strtol(w->part, NULL, 10) : LONG_MAX;
    } else if (l.name) {
        for (int i = 0; i < list->count && index < 0; i++) {
            index = strcmp(element_name(&l, i), w->part) == 0 ? i : -1;
        }
    }
    if (index < 0 || index >= list->count) {
        const char *nearest =
            l.name ? gyre_name_nearest(w->part, list->count, element_name, &l) : NULL;
        if (nearest) {
            return unknown(w, "element", nearest, NULL);
        }
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.*s: unknown element \"%s\", the list has %d element%s", (int)w->done,
                         w->path, w->part, list->count, list->count == 1 ? "" : "s");
    }
    *element = (char *)list->items + (size_t)index * pool->size;
    return GYRE_OK;
}

static gyre_result walk_union(walker *w, const gyre_property *property, char **def,
                              const gyre_property **table)
{
    if (!next_part(w)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: found a group, expected the name of its alternative after it",
                         w->path);
    }
    const gyre_property *chosen = gyre_property_find(property->properties, w->part);
    if (!chosen) {
        return unknown(w, "alternative", gyre_property_nearest(property->properties, w->part),
                       property->properties);
    }
    int32_t tag = *(int32_t *)(void *)*def;
    if (tag != chosen - property->properties) {
        bool good = tag >= 0 && tag < gy_count_properties(property->properties);
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.*s: found \"%s\", but the %s is now a \"%s\"",
                         (int)w->done, w->path, w->part, property->name,
                         good ? property->properties[tag].name : "?");
    }
    *def += chosen->offset;
    *table = chosen->properties;
    return GYRE_OK;
}

static const char *amount_name(const void *list, int i)
{
    return ((const gyre_amount *)list)[i].name;
}

/// What a walk does at an amount whose name is not there.
typedef enum missing { REFUSE, LEAVE_OUT, PUT_IN } missing;

static gyre_result walk_amounts(walker *w, const gyre_property *property, missing how,
                                const gyre_property **line, void **address)
{
    char *at = *address;
    int count = gy_amount_count(property, at);
    if (!next_part(w)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: found a group, expected one of its %d names after it", w->path,
                         count);
    }
    if (!at_end(w)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: found \"%s\" after %s, which has no members",
                         w->path, w->path + w->done + 1, w->part);
    }
    gyre_amount *found = gyre_property_amount(property, at, w->part);
    if (!found && how == PUT_IN) {
        found = gyre_property_enter(property, at, w->part);
        if (!found) {
            return GYRE_ERROR_ARGUMENT;
        }
    }
    if (!found && how == REFUSE) {
        const char *nearest = gyre_name_nearest(w->part, count, amount_name, at);
        if (nearest) {
            return unknown(w, "name", nearest, NULL);
        }
        return gyre_fail(GYRE_ERROR_ARGUMENT, "%.*s: unknown name \"%s\" among %d", (int)w->done,
                         w->path, w->part, count);
    }
    *line = property->properties;
    *address = found ? &found->amount : NULL;
    return GYRE_OK;
}

static gyre_result walk(const gyre_property *table, void *def, const char *path, missing how,
                        const gyre_property **property, void **address)
{
    walker w = {.path = path};
    char *at = def;
    if (strlen(path) >= GY_PATH_SIZE) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%.40s...: found a path of %zu bytes, expected at "
                         "most %d",
                         path, strlen(path), GY_PATH_SIZE - 1);
    }
    for (;;) {
        if (!next_part(&w)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: found an incomplete path, expected the name of a property", path);
        }
        const gyre_property *p = gyre_property_find(table, w.part);
        if (!p) {
            return unknown(&w, "property", gyre_property_nearest(table, w.part), table);
        }
        at += p->offset;
        gyre_result result = GYRE_OK;
        if (p->kind == GYRE_STRUCT) {
            table = p->properties;
        } else if (p->kind == GYRE_UNION) {
            result = walk_union(&w, p, &at, &table);
        } else if (p->kind == GYRE_POOL) {
            result = walk_pool(&w, p, (gyre_pool *)(void *)at, &at);
            table = p->properties;
        } else if (p->kind == GYRE_AMOUNTS) {
            *address = at;
            return walk_amounts(&w, p, how, property, address);
        } else if (at_end(&w)) {
            *property = p;
            *address = at;
            return GYRE_OK;
        } else {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: found \"%s\" after %s, which has no members",
                             path, path + w.done + 1, w.part);
        }
        if (result) {
            return result;
        }
        if (at_end(&w)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: found a group, expected the name of one of its members", path);
        }
    }
}

gyre_result gyre_property_walk(const gyre_property *table, void *def, const char *path,
                               const gyre_property **property, void **address)
{
    if (GY_MISSING("property", table) || GY_MISSING("property", def) ||
        GY_MISSING("property", path) || GY_MISSING("property", property) ||
        GY_MISSING("property", address)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return walk(table, def, path, REFUSE, property, address);
}

gyre_result gyre_property_reach(const gyre_property *table, void *def, const char *path,
                                const gyre_property **property, void **address)
{
    if (GY_MISSING("property_reach", table) || GY_MISSING("property_reach", def) ||
        GY_MISSING("property_reach", path) || GY_MISSING("property_reach", property) ||
        GY_MISSING("property_reach", address)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return walk(table, def, path, PUT_IN, property, address);
}

gyre_result gyre_property_line(const gyre_property *table, const void *def, const char *path,
                               const gyre_property **property)
{
    if (GY_MISSING("property_line", table) || GY_MISSING("property_line", def) ||
        GY_MISSING("property_line", path) || GY_MISSING("property_line", property)) {
        return GYRE_ERROR_ARGUMENT;
    }
    void *address; // the walk takes a def that can be written to; nothing is
    return walk(table, (void *)(uintptr_t)def, path, LEAVE_OUT, property, &address);
}
