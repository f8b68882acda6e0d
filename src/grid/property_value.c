// grid/property_value.c: one value: written with checks, read, made from text.
#include "base/pose.h"
#include "grid/property.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *enum_name(const void *list, int i)
{
    return ((const char *const *)list)[i];
}

static void describe_value(const gyre_value *value, gy_text *t)
{
    if (value->kind == GYRE_STRING || (value->kind == GYRE_ENUM && value->string[0])) {
        gy_text_add(t, "\"%.100s\"", value->string);
    } else if (value->kind == GYRE_BOOL) {
        gy_text_add(t, "%s", value->number[0] != 0 ? "true" : "false");
    } else {
        for (int i = 0; i < GY_MIN(value->count, 4); i++) {
            gy_text_add(t, "%s%.9g", i ? ", " : "", value->number[i]);
        }
        if (value->count < 1) {
            gy_text_add(t, "no number");
        }
    }
}

static gyre_result wrong_value(const gyre_property *property, const gyre_value *value)
{
    char found[GY_TEXT_SIZE];
    gy_text t = {found, sizeof found, 0};
    describe_value(value, &t);
    return gy_property_wrong(property->name, property, found);
}

static gyre_result write_enum(const gyre_property *property, int32_t *at, const gyre_value *value)
{
    if (value->kind == GYRE_ENUM && !value->string[0]) {
        double index = value->number[0];
        if (!(index >= 0 && index < gy_count_names(property->names) && index == (int)index)) {
            return wrong_value(property, value);
        }
        *at = (int32_t)index;
        return GYRE_OK;
    }
    if (value->kind != GYRE_ENUM && value->kind != GYRE_STRING) {
        return wrong_value(property, value);
    }
    int count = gy_count_names(property->names);
    for (int i = 0; i < count; i++) {
        if (strcmp(property->names[i], value->string) == 0) {
            *at = i;
            return GYRE_OK;
        }
    }
    const char *nearest = gyre_name_nearest(value->string, count, enum_name, property->names);
    char found[GY_TEXT_SIZE];
    gy_text t = {found, sizeof found, 0};
    describe_value(value, &t);
    if (nearest) {
        gy_text_add(&t, " (did you mean \"%s\"?)", nearest);
    }
    return gy_property_wrong(property->name, property, found);
}

/// By which a quaternion is divided: 1 where it is 0, or of unit length as far as floats go, so
/// that what was read can be written again.
static double length_of(const double q[4])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return square > 0.0 && (square < 1.0 - 1e-6 || square > 1.0 + 1e-6) ? __builtin_sqrt(square)
                                                                        : 1.0;
}

static gyre_result write_numbers(const gyre_property *property, void *address,
                                 const gyre_value *value)
{
    bool numeric = value->kind == GYRE_INT || value->kind == GYRE_FLOAT;
    if (!numeric || value->count != property->count) {
        return wrong_value(property, value);
    }
    gyre_result result =
        gy_property_check_numbers(property->name, property, value->count, value->number);
    if (result) {
        return result;
    }
    double length = 1.0;
    if (property->flags & GYRE_ORIENTATION) {
        length = length_of(value->number);
    }
    for (int i = 0; i < value->count; i++) {
        double x = value->number[i] / length;
        if (property->kind == GYRE_INT) {
            ((int32_t *)address)[i] = (int32_t)x;
        } else if (property->kind == GYRE_FLOAT) {
            ((float *)address)[i] = (float)x;
        } else if (property->kind == GYRE_INT64) {
            ((int64_t *)address)[i] = (int64_t)x;
        } else {
            ((double *)address)[i] = x;
        }
    }
    return GYRE_OK;
}

gyre_result gyre_property_write(const gyre_property *property, void *address,
                                const gyre_value *value)
{
    if (GY_MISSING("property", property) || GY_MISSING("property", address) ||
        GY_MISSING("property", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    switch (property->kind) {
    case GYRE_BOOL:
        if (value->kind != GYRE_BOOL) {
            return wrong_value(property, value);
        }
        *(bool *)address = value->number[0] != 0;
        return GYRE_OK;
    case GYRE_INT:
    case GYRE_FLOAT:
    case GYRE_INT64:
    case GYRE_DOUBLE:
        return write_numbers(property, address, value);
    case GYRE_ENUM:
        return write_enum(property, address, value);
    case GYRE_STRING: {
        size_t length = strlen(value->string);
        if (value->kind != GYRE_STRING || length >= property->size) {
            return wrong_value(property, value);
        }
        // The rest is cleared so that equal texts are equal bytes.
        memset(address, 0, property->size);
        memcpy(address, value->string, length);
        return GYRE_OK;
    }
    case GYRE_STRUCT:
    case GYRE_UNION:
    case GYRE_POOL:
    case GYRE_AMOUNTS:
    case GYRE_VOLUME:
    case GYRE_END:
        break;
    }
    return gyre_fail(GYRE_ERROR_ARGUMENT,
                     "%s: found a single value, expected a property that "
                     "holds one",
                     property->name ? property->name : "?");
}

gyre_result gyre_property_read(const gyre_property *property, const void *address,
                               gyre_value *value)
{
    if (GY_MISSING("property", property) || GY_MISSING("property", address) ||
        GY_MISSING("property", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_value v = {.kind = property->kind, .count = GY_MAX(1, GY_MIN(property->count, 4))};
    switch (property->kind) {
    case GYRE_BOOL:
        v.number[0] = *(const bool *)address ? 1 : 0;
        break;
    case GYRE_INT:
        for (int i = 0; i < v.count; i++) {
            v.number[i] = ((const int32_t *)address)[i];
        }
        break;
    case GYRE_FLOAT:
        for (int i = 0; i < v.count; i++) {
            v.number[i] = (double)((const float *)address)[i];
        }
        break;
    case GYRE_INT64:
        v.kind = GYRE_INT;
        v.number[0] = (double)*(const int64_t *)address;
        break;
    case GYRE_DOUBLE:
        v.kind = GYRE_FLOAT;
        v.number[0] = *(const double *)address;
        break;
    case GYRE_ENUM: {
        int32_t index = *(const int32_t *)address;
        v.number[0] = index;
        if (index >= 0 && index < gy_count_names(property->names)) {
            snprintf(v.string, sizeof v.string, "%s", property->names[index]);
        }
        break;
    }
    case GYRE_STRING:
        snprintf(v.string, sizeof v.string, "%.*s", (int)GY_MIN(property->size, sizeof v.string),
                 (const char *)address);
        break;
    case GYRE_STRUCT:
    case GYRE_UNION:
    case GYRE_POOL:
    case GYRE_AMOUNTS:
    case GYRE_VOLUME:
    case GYRE_END:
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "%s: found a group, expected a property that holds a single value",
                         property->name ? property->name : "?");
    }
    *value = v;
    return GYRE_OK;
}

// ---- orientations and the degrees that say the same

/// The other one of the two, or NULL. Tables end with a line of their own, so that there is a next.
static const gyre_property *other_of(const gyre_property *property)
{
    if (property->flags & GYRE_ORIENTATION) {
        return property - 1;
    }
    bool degrees = property->kind == GYRE_FLOAT && property->count == 3;
    return degrees && (property[1].flags & GYRE_ORIENTATION) ? property + 1 : NULL;
}

static void *other_at(const gyre_property *property, const gyre_property *other, void *address)
{
    return (char *)address - property->offset + other->offset;
}

/// After one of the two was set.
static void bring_in_line(const gyre_property *property, const void *address, void *other)
{
    if (!(property->flags & GYRE_ORIENTATION)) {
        memset(other, 0, 4 * sizeof(float));
    } else if (gy_is_oriented(address)) {
        gyre_quaternion_to_degrees(address, other);
    }
}

gyre_result gy_property_set(const gyre_property *property, void *address, const gyre_value *value,
                            gy_undo *undo)
{
    const gyre_property *other = other_of(property);
    *undo = (gy_undo){{property, other}, {address, NULL}, {{0}}};
    gyre_result result = gyre_property_read(property, address, &undo->value[0]);
    if (result == GYRE_OK && other) {
        undo->address[1] = other_at(property, other, address);
        result = gyre_property_read(other, undo->address[1], &undo->value[1]);
    }
    result = result ? result : gyre_property_write(property, address, value);
    if (result == GYRE_OK && other) {
        bring_in_line(property, address, undo->address[1]);
    }
    return result;
}

void gy_property_undo(const gy_undo *undo)
{
    for (int i = 0; i < 2 && undo->property[i]; i++) {
        const gyre_value *value = &undo->value[i];
        if (!(undo->property[i]->flags & GYRE_ORIENTATION)) {
            gyre_property_write(undo->property[i], undo->address[i], value);
            continue;
        }
        for (int k = 0; k < 4; k++) { // as it was given, though its length may not be quite 1
            ((float *)undo->address[i])[k] = (float)value->number[k];
        }
    }
}

gyre_result gyre_property_set(const gyre_property *property, void *address, const gyre_value *value)
{
    gy_undo undo;
    if (GY_MISSING("property", property) || GY_MISSING("property", address) ||
        GY_MISSING("property", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    return gy_property_set(property, address, value, &undo);
}

void gy_property_follow(const gyre_property *table, const void *before, void *after)
{
    for (const gyre_property *p = table; p && p->kind != GYRE_END; p++) {
        const char *was = (const char *)before + p->offset;
        char *now = (char *)after + p->offset;
        if (p->kind == GYRE_STRUCT) {
            gy_property_follow(p->properties, was, now);
        } else if (p->kind == GYRE_UNION && memcmp(was, now, sizeof(int32_t)) == 0) {
            const gyre_property *chosen = &p->properties[*(const int32_t *)(const void *)now];
            gy_property_follow(chosen->properties, was + chosen->offset, now + chosen->offset);
        } else if (other_of(p) == p + 1) {
            const gyre_property *o = p + 1;
            bool turned = memcmp(was, now, 3 * sizeof(float)) != 0;
            bool oriented = memcmp((const char *)before + o->offset, (char *)after + o->offset,
                                   4 * sizeof(float)) != 0;
            const gyre_property *set = oriented ? o : p;
            if (turned || oriented) {
                bring_in_line(set, (char *)after + set->offset,
                              (char *)after + (oriented ? p : o)->offset);
            }
        }
    }
}

// ---- text

// The length of a decimal number at the start of text, 0 when there is none: no hexadecimal, no
// "inf", no "nan", whatever strtod would take.
static size_t number_length(const char *text)
{
    const char *at = text;
    at += *at == '-' || *at == '+';
    size_t whole = strspn(at, "0123456789"), part = 0;
    at += whole;
    if (*at == '.') {
        part = strspn(at + 1, "0123456789");
        at += 1 + part;
    }
    if (whole + part == 0) {
        return 0;
    }
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1;
        exponent += *exponent == '-' || *exponent == '+';
        size_t digits = strspn(exponent, "0123456789");
        at = digits ? exponent + digits : at;
    }
    return (size_t)(at - text);
}

// strtod speaks the language of the program around us; a scene does not.
static double to_number(const char *text, size_t length)
{
    char copy[GY_TEXT_SIZE];
    length = GY_MIN(length, sizeof copy - 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    char *point = strchr(copy, '.');
    if (point) {
        *point = localeconv()->decimal_point[0];
    }
    return strtod(copy, NULL);
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

static gyre_result parse_numbers(const gyre_property *property, const char *text, gyre_value *value)
{
    char found[GY_TEXT_SIZE];
    snprintf(found, sizeof found, "\"%.100s\"", text);
    const char *at = skip_spaces(text);
    bool bracket = *at == '[';
    at = skip_spaces(at + bracket);
    gyre_value v = {.kind = GYRE_FLOAT};
    for (;;) {
        size_t length = number_length(at);
        if (length == 0 || length >= GY_TEXT_SIZE || v.count == 4) {
            return gy_property_wrong(property->name, property, found);
        }
        v.number[v.count++] = to_number(at, length);
        at = skip_spaces(at + length);
        if (*at != ',') {
            break;
        }
        at = skip_spaces(at + 1);
    }
    if (bracket && *at != ']') {
        return gy_property_wrong(property->name, property, found);
    }
    at = skip_spaces(at + bracket);
    if (*at || v.count != property->count) {
        return gy_property_wrong(property->name, property, found);
    }
    gyre_result result = gy_property_check_numbers(property->name, property, v.count, v.number);
    if (result == GYRE_OK) {
        *value = v;
    }
    return result;
}

gyre_result gyre_property_parse(const gyre_property *property, const char *text, gyre_value *value)
{
    char found[GY_TEXT_SIZE];
    if (GY_MISSING("property", property) || GY_MISSING("property", text) ||
        GY_MISSING("property", value)) {
        return GYRE_ERROR_ARGUMENT;
    }
    snprintf(found, sizeof found, "\"%.100s\"", text);
    switch (property->kind) {
    case GYRE_BOOL:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
            return gy_property_wrong(property->name, property, found);
        }
        *value = gyre_bool(text[0] == 't');
        return GYRE_OK;
    case GYRE_INT:
    case GYRE_FLOAT:
    case GYRE_INT64:
    case GYRE_DOUBLE:
        return parse_numbers(property, text, value);
    case GYRE_ENUM: {
        gyre_value v = gyre_string(text);
        int32_t index = 0;
        gyre_result result = write_enum(property, &index, &v);
        if (result == GYRE_OK) {
            v.kind = GYRE_ENUM;
            v.number[0] = index;
            *value = v;
        }
        return result;
    }
    case GYRE_STRING:
        if (strlen(text) >= property->size || strlen(text) >= sizeof value->string) {
            return gy_property_wrong(property->name, property, found);
        }
        *value = gyre_string(text);
        return GYRE_OK;
    case GYRE_STRUCT:
    case GYRE_UNION:
    case GYRE_POOL:
    case GYRE_AMOUNTS:
    case GYRE_VOLUME:
    case GYRE_END:
        break;
    }
    return gy_property_wrong(property->name ? property->name : "?", property, found);
}
