// grid/property_amount.c: amounts by name: a small array of names with a number each inside a def,
// of which the used ones stand before the first empty name.
#include "grid/property.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int room_of(const gyre_property *property)
{
    return (int)(property->size / sizeof(gyre_amount));
}

int gy_amount_count(const gyre_property *property, const void *address)
{
    const gyre_amount *list = address;
    int count = 0;
    while (count < room_of(property) && list[count].name[0]) {
        count++;
    }
    return count;
}

gyre_amount *gyre_property_amount(const gyre_property *property, void *address, const char *name)
{
    if (GY_MISSING("property_amount", property) || GY_MISSING("property_amount", address) ||
        GY_MISSING("property_amount", name)) {
        return NULL;
    }
    gyre_amount *list = address;
    int count = gy_amount_count(property, address);
    for (int i = 0; i < count; i++) {
        if (strncmp(list[i].name, name, sizeof list[i].name) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

static const char *trouble_with(const char *name)
{
    return !name[0]                                         ? "is empty"
           : strlen(name) >= sizeof((gyre_amount *)0)->name ? "has more than 31 bytes"
           : strchr(name, '.')                              ? "has a dot"
           : strspn(name, "0123456789") == strlen(name)     ? "is a number"
                                                            : NULL;
}

gyre_amount *gyre_property_enter(const gyre_property *property, void *address, const char *name)
{
    if (GY_MISSING("property_enter", property) || GY_MISSING("property_enter", address) ||
        GY_MISSING("property_enter", name)) {
        return NULL;
    }
    gyre_amount *list = address, *found = gyre_property_amount(property, address, name);
    int count = gy_amount_count(property, address);
    if (found) {
        return found;
    }
    if (trouble_with(name)) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the name \"%.40s\" %s", property->name, name,
                  trouble_with(name));
        return NULL;
    }
    if (count == room_of(property)) {
        gyre_fail(GYRE_ERROR_ARGUMENT, "%s: no room for \"%.40s\": there are %d already",
                  property->name, name, count);
        return NULL;
    }
    memset(&list[count], 0, sizeof list[count]);
    strcpy(list[count].name, name);
    return &list[count];
}

void gy_amount_leave(void *amount)
{
    memset((char *)amount - offsetof(gyre_amount, amount), 0, sizeof(gyre_amount));
}

gyre_result gy_amounts_check(const char *path, const gyre_property *property, const void *address)
{
    const gyre_amount *list = address;
    const gyre_property *line = property->properties;
    int count = gy_amount_count(property, address);
    for (int i = 0; i < room_of(property); i++) {
        if (!memchr(list[i].name, 0, sizeof list[i].name)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: name %d has no end", path, i);
        }
        if (i >= count && list[i].name[0]) {
            return gyre_fail(GYRE_ERROR_ARGUMENT,
                             "%s: found \"%.31s\" behind an empty name, expected it before", path,
                             list[i].name);
        }
    }
    for (int i = 0; i < count; i++) {
        char name[GY_PATH_SIZE];
        double number = (double)list[i].amount;
        if (trouble_with(list[i].name)) {
            return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: the name \"%.31s\" %s", path, list[i].name,
                             trouble_with(list[i].name));
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(list[i].name, list[j].name) == 0) {
                return gyre_fail(GYRE_ERROR_ARGUMENT, "%s: found \"%.31s\" twice", path,
                                 list[i].name);
            }
        }
        gy_text_add(&(gy_text){name, sizeof name, 0}, "%s.%s", path, list[i].name);
        gyre_result result = gy_property_check_numbers(name, line, 1, &number);
        if (result) {
            return result;
        }
    }
    return GYRE_OK;
}

static const gyre_amount *find(const gyre_property *property, const void *address, const char *name)
{
    return gyre_property_amount(property, (void *)(uintptr_t)address, name);
}

bool gy_amounts_differ(const gyre_property *property, const void *a, const void *b)
{
    const gyre_amount *list = a;
    int count = gy_amount_count(property, a);
    if (count != gy_amount_count(property, b)) {
        return true;
    }
    for (int i = 0; i < count; i++) {
        const gyre_amount *other = find(property, b, list[i].name);
        if (!other || memcmp(&other->amount, &list[i].amount, sizeof(float)) != 0) {
            return true;
        }
    }
    return false;
}
