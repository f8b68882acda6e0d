// grid/table.h: a line of a property table, written in a line.
#ifndef GY_TABLE_H
#define GY_TABLE_H

#include "gyre/pose.h"
#include "gyre/property.h"

/// One member of a struct `type`. What follows the documentation are designated initialisers: at
/// least the default (.initial = {...}).
#define GY_PROPERTY(type, member, kind_, count_, unit_, low, high, doc_, ...)                      \
    {                                                                                              \
        .name = #member, .kind = kind_, .count = count_, .unit = unit_, .min = low, .max = high,   \
        .doc = doc_, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member),        \
        __VA_ARGS__                                                                                \
    }

/// A member that is a struct with a table of its own.
#define GY_STRUCT(type, member, table, doc_)                                                       \
    GY_PROPERTY(type, member, GYRE_STRUCT, 1, "1", 0, 0, doc_, .properties = table)

/// A member that is a gyre_pool of `element`s; `most` is the largest capacity.
#define GY_POOL(type, member, element, most, table, doc_, flags_)                                  \
    {                                                                                              \
        .name = #member, .kind = GYRE_POOL, .count = 1, .unit = "1", .min = 0, .max = most,        \
        .doc = doc_, .offset = offsetof(type, member), .size = sizeof(element),                    \
        .properties = table, .flags = flags_                                                       \
    }

/// The members of the gyre_pose `pose` of a struct `type`, side by side with its own. `whose` says
/// of what; `still`: the caveat of where it is, or NULL; `flags_` and `why`: of how it moves.
#define GY_POSE_PART(type, part, count_, unit_, most, doc_, ...)                                   \
    {                                                                                              \
        .name = #part, .kind = GYRE_FLOAT, .count = count_, .unit = unit_, .min = -(most),         \
        .max = most, .doc = doc_, .offset = offsetof(type, pose.part),                             \
        .size = sizeof(((type *)0)->pose.part), __VA_ARGS__                                        \
    }
#define GY_POSE(type, whose, still, flags_, why)                                                   \
    GY_POSE_PART(type, position, 3, "m", 1e6, "of " whose, .caveat = still),                       \
        GY_POSE_PART(type, rotation, 3, "degrees", 1e6, "about the world's x, then y, then z",     \
                     .needs = "!orientation", .caveat = still),                                    \
        GY_POSE_PART(type, orientation, 4, "1", 1.001,                                             \
                     "the same as a unit quaternion x, y, z, w; all 0: rotation counts",           \
                     .flags = GYRE_ORIENTATION, .caveat = still),                                  \
        GY_POSE_PART(type, velocity, 3, "m/s", 1e4, "of " whose, .flags = flags_, .caveat = why),  \
        GY_POSE_PART(type, spin, 3, "degrees/s", 1e6, "about the world's axes", .flags = flags_,   \
                     .caveat = why)

/// A member of a statistics struct.
#define GY_STAT(type, member, kind, unit, doc)                                                     \
    GY_PROPERTY(type, member, kind, 1, unit, 0, 0, doc, .initial = {0})
#define GY_STAT_ENUM(type, member, names_, doc)                                                    \
    GY_PROPERTY(type, member, GYRE_ENUM, 1, "1", 0, 0, doc, .names = names_)

/// The table of a gyre_grid; fixed when the model is made.
extern const gyre_property gy_grid_properties[];

#define GY_TABLE_END                                                                               \
    {                                                                                              \
        .kind = GYRE_END                                                                           \
    }

#endif
