/// @file gyre/property_table.h
/// Macros that write a property table (gyre/property.h), a line each:
///
///     typedef struct fan_def {
///         bool on;
///         float speed, axis[3];
///     } fan_def;
///
///     static const gyre_property fan_properties[] = {
///         GYRE_PROPERTY_BOOL(fan_def, on, "whether it turns", .initial = {1}),
///         GYRE_PROPERTY_FLOAT(fan_def, speed, "1/s", 0, 100, "turns per second", .needs = "on"),
///         GYRE_PROPERTY_VECTOR(fan_def, axis, "1", -1, 1, "it turns about", .initial = {0, 0, 1}),
///         GYRE_PROPERTY_END,
///     };
///
/// `type` is the struct and `member` one of its members, which gives the line its name, offset and
/// size; a member of another type than the macro is for is an error when the table is compiled.
/// `low` and `high` are the range of each component, both ends included; both 0: any finite number.
/// `...` is the sentence that describes it and after it, as designated initialisers, whatever else
/// of a gyre_property there is to say: .initial (0 where it is left out), .flags, .needs, .caveat,
/// .formerly.
///
/// Tables are C17: a C++ program has its tables in a C file.
#ifndef GYRE_PROPERTY_TABLE_H
#define GYRE_PROPERTY_TABLE_H

#include "gyre/property.h"

#include <stddef.h>

#ifndef __cplusplus

/// A bool.
#define GYRE_PROPERTY_BOOL(type, member, ...)                                                      \
    GYRE_PROPERTY_LINE_(type, member, GYRE_BOOL, 1, "1", 0, 1,                                     \
                        _Generic(&GYRE_MEMBER_(type, member), bool * : 1, default : 0), "a bool",  \
                        __VA_ARGS__)

/// An int32_t.
#define GYRE_PROPERTY_INT(type, member, unit_, low, high, ...)                                     \
    GYRE_PROPERTY_LINE_(type, member, GYRE_INT, 1, unit_, low, high,                               \
                        GYRE_IS_INT32_(GYRE_MEMBER_(type, member)), "an int32_t", __VA_ARGS__)

/// A float.
#define GYRE_PROPERTY_FLOAT(type, member, unit_, low, high, ...)                                   \
    GYRE_PROPERTY_LINE_(type, member, GYRE_FLOAT, 1, unit_, low, high,                             \
                        _Generic(&GYRE_MEMBER_(type, member), float * : 1, default : 0),           \
                        "a float", __VA_ARGS__)

/// An array of 2 to 4 floats or int32_t.
#define GYRE_PROPERTY_VECTOR(type, member, unit_, low, high, ...)                                  \
    GYRE_PROPERTY_LINE_(type, member, GYRE_KIND_(GYRE_MEMBER_(type, member)),                      \
                        GYRE_COUNT_(GYRE_MEMBER_(type, member)), unit_, low, high,                 \
                        GYRE_COUNT_(GYRE_MEMBER_(type, member)) > 1 &&                             \
                            sizeof(GYRE_MEMBER_(type, member)) ==                                  \
                                4 * GYRE_COUNT_(GYRE_MEMBER_(type, member)),                       \
                        "an array of 2 to 4 floats or int32_t", __VA_ARGS__)

/// A number or array of numbers in the struct `within`, a member of `type`, that stands beside the
/// members of `type` itself: GYRE_PROPERTY_WITHIN(boat, pose, position, ...) is the line
/// "position", which lies in boat.pose.
#define GYRE_PROPERTY_WITHIN(type, within, member, unit_, low, high, ...)                          \
    {                                                                                              \
        .name = #member, .kind = GYRE_KIND_(GYRE_MEMBER_(type, within.member)),                    \
        .count = GYRE_COUNT_(GYRE_MEMBER_(type, within.member)), .unit = unit_, .min = low,        \
        .max = high, .offset = offsetof(type, within.member),                                      \
        .size = sizeof(GYRE_MEMBER_(type, within.member)) +                                        \
                GYRE_SURE_(GYRE_KIND_(GYRE_MEMBER_(type, within.member)) != GYRE_END,              \
                           #type "." #within "." #member " is to be a number or an array of 2 to " \
                                 "4 floats or int32_t"),                                           \
        .doc = __VA_ARGS__                                                                         \
    }

/// A double.
#define GYRE_PROPERTY_DOUBLE(type, member, unit_, low, high, ...)                                  \
    GYRE_PROPERTY_LINE_(type, member, GYRE_DOUBLE, 1, unit_, low, high,                            \
                        _Generic(&GYRE_MEMBER_(type, member), double * : 1, default : 0),          \
                        "a double", __VA_ARGS__)

/// An int32_t that is an index into `names_`: an array of strings that ends with NULL and is
/// defined before the table in the same file.
#define GYRE_PROPERTY_ENUM(type, member, names_, ...)                                              \
    GYRE_PROPERTY_LINE_(                                                                           \
        type, member, GYRE_ENUM, 1, "1", 0, (double)(sizeof(names_) / sizeof((names_)[0])) - 2,    \
        GYRE_IS_INT32_(GYRE_MEMBER_(type, member)) && sizeof(names_) >= 2 * sizeof((names_)[0]),   \
        "an int32_t, and its names an array in this file", __VA_ARGS__, .names = names_)

/// An array of char, zero-terminated.
#define GYRE_PROPERTY_STRING(type, member, ...)                                                    \
    GYRE_PROPERTY_LINE_(type, member, GYRE_STRING, 1, "1", 0, 0,                                   \
                        _Generic(&GYRE_MEMBER_(type, member),                                      \
                                 char(*)[sizeof(GYRE_MEMBER_(type, member))] : 1, default : 0),    \
                        "an array of char", __VA_ARGS__)

/// A struct that has a table of its own.
#define GYRE_PROPERTY_STRUCT(type, member, table, ...)                                             \
    GYRE_PROPERTY_LINE_(type, member, GYRE_STRUCT, 1, "1", 0, 0,                                   \
                        GYRE_KIND_(GYRE_MEMBER_(type, member)) == GYRE_END, "a struct",            \
                        __VA_ARGS__, .properties = table)

/// A struct of which the first member is an int32_t, the tag, and another a C union. The lines of
/// `table` are GYRE_PROPERTY_ALTERNATIVEs in the order of the tags.
#define GYRE_PROPERTY_UNION(type, member, table, ...)                                              \
    GYRE_PROPERTY_LINE_(type, member, GYRE_UNION, 1, "1", 0, 0,                                    \
                        sizeof(GYRE_MEMBER_(type, member)) > 4, "a tag and a union", __VA_ARGS__,  \
                        .properties = table)

/// One alternative of such a struct, `type`: the struct `alternative` in its union `as`.
#define GYRE_PROPERTY_ALTERNATIVE(type, as, alternative, table, ...)                               \
    {                                                                                              \
        .name = #alternative, .kind = GYRE_STRUCT, .count = 1, .unit = "1",                        \
        .offset = offsetof(type, as.alternative),                                                  \
        .size = sizeof(GYRE_MEMBER_(type, as.alternative)) +                                       \
                GYRE_SURE_(offsetof(type, as.alternative) >= 4, "a tag comes before the union"),   \
        .properties = table, .doc = __VA_ARGS__                                                    \
    }

/// A gyre_pool of elements of the type `element`, at most `most` of them; 0: no bound.
#define GYRE_PROPERTY_POOL(type, member, element, most, table, ...)                                \
    {                                                                                              \
        .name = #member, .kind = GYRE_POOL, .count = 1, .unit = "1", .max = most,                  \
        .offset = offsetof(type, member),                                                          \
        .size = sizeof(element) +                                                                  \
                GYRE_SURE_(_Generic(&GYRE_MEMBER_(type, member), gyre_pool * : 1, default : 0),    \
                           #type "." #member " is to be a gyre_pool"),                             \
        .properties = table, .doc = __VA_ARGS__                                                    \
    }

/// An array of gyre_amount. The first line of `table` is that of each number: GYRE_PROPERTY_FLOAT(
/// gyre_amount, amount, ...).
#define GYRE_PROPERTY_AMOUNTS(type, member, table, ...)                                            \
    GYRE_PROPERTY_LINE_(type, member, GYRE_AMOUNTS, 1, "1", 0, 0,                                  \
                        _Generic(&GYRE_MEMBER_(type, member)[0], gyre_amount * : 1, default : 0),  \
                        "an array of gyre_amount", __VA_ARGS__, .properties = table)

/// A gyre_volume of values in `unit_`.
#define GYRE_PROPERTY_VOLUME(type, member, unit_, ...)                                             \
    GYRE_PROPERTY_LINE_(type, member, GYRE_VOLUME, 1, unit_, 0, 0,                                 \
                        _Generic(&GYRE_MEMBER_(type, member), gyre_volume * : 1, default : 0),     \
                        "a gyre_volume", __VA_ARGS__)

/// A statistic: a bool, int32_t, int64_t, float, double or an array of 2 to 4 floats or int32_t,
/// as the member says.
#define GYRE_PROPERTY_STAT(type, member, unit_, ...)                                               \
    GYRE_PROPERTY_LINE_(type, member, GYRE_KIND_(GYRE_MEMBER_(type, member)),                      \
                        GYRE_COUNT_(GYRE_MEMBER_(type, member)), unit_, 0, 0,                      \
                        GYRE_KIND_(GYRE_MEMBER_(type, member)) != GYRE_END,                        \
                        "a number or an array of 2 to 4 floats or int32_t", __VA_ARGS__)

/// A statistic that is an int32_t, an index into `names_`, which may be defined elsewhere.
#define GYRE_PROPERTY_STAT_ENUM(type, member, names_, ...)                                         \
    GYRE_PROPERTY_LINE_(type, member, GYRE_ENUM, 1, "1", 0, 0,                                     \
                        GYRE_IS_INT32_(GYRE_MEMBER_(type, member)), "an int32_t", __VA_ARGS__,     \
                        .names = names_)

/// Closes a table.
#define GYRE_PROPERTY_END                                                                          \
    {                                                                                              \
        .kind = GYRE_END                                                                           \
    }

/// Part of the macros above: a member of a struct that need not be there.
#define GYRE_MEMBER_(type, member) (((type *)0)->member)

/// Part of the macros above: 0, or an error when it is compiled.
#define GYRE_SURE_(condition, message)                                                             \
    (0 * sizeof(struct {                                                                           \
         _Static_assert(condition, message);                                                       \
         char sure;                                                                                \
     }))

/// Part of the macros above: whether `x` is an int32_t.
#define GYRE_IS_INT32_(x)                                                                          \
    (_Generic(&(x), int * : sizeof(int), long * : sizeof(long), default : 0) == 4)

/// Part of the macros above: 2 to 4 of an array of so many floats or int32_t, else 1.
#define GYRE_COUNT_(x)                                                                             \
    _Generic(&(x), float(*)[2] : 2, float(*)[3] : 3, float(*)[4] : 4, int(*)[2] : 2,               \
             int(*)[3] : 3, int(*)[4] : 4, long(*)[2] : 2, long(*)[3] : 3, long(*)[4] : 4,         \
             default : 1)

/// Part of the macros above: the kind of a whole number or array of them; GYRE_END of all else.
#define GYRE_WHOLE_(x)                                                                             \
    _Generic(&(x), int * : GYRE_INT, int(*)[2] : GYRE_INT, int(*)[3] : GYRE_INT, \
             int(*)[4] : GYRE_INT, long(*)[2] : GYRE_INT, long(*)[3] : GYRE_INT, \
             long(*)[4] : GYRE_INT, long * : sizeof(long) == 4 ? GYRE_INT : GYRE_INT64, \
             long long * : GYRE_INT64, default : GYRE_END)

/// Part of the macros above: the kind of a number or array of numbers; GYRE_END of all else.
#define GYRE_KIND_(x)                                                                              \
    _Generic(&(x), bool * : GYRE_BOOL, float * : GYRE_FLOAT, double * : GYRE_DOUBLE, \
             float(*)[2] : GYRE_FLOAT, float(*)[3] : GYRE_FLOAT, float(*)[4] : GYRE_FLOAT, \
             default : GYRE_WHOLE_(x))

/// Part of the macros above: a line whose member is `right`, or else is told to be `what`.
#define GYRE_PROPERTY_LINE_(type, member, kind_, count_, unit_, low, high, right, what, ...)       \
    {                                                                                              \
        .name = #member, .kind = kind_, .count = count_, .unit = unit_, .min = low, .max = high,   \
        .offset = offsetof(type, member),                                                          \
        .size = sizeof(GYRE_MEMBER_(type, member)) +                                               \
                GYRE_SURE_(right, #type "." #member " is to be " what),                            \
        .doc = __VA_ARGS__                                                                         \
    }

#endif
#endif
