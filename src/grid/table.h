// grid/table.h: tables that several models nest, and what tables are written with.
#ifndef GY_TABLE_H
#define GY_TABLE_H

#include "gyre/pose.h"
#include "gyre/property_table.h"

/// The members of the gyre_pose `pose` of a struct `type`, side by side with its own. `whose` says
/// of what; `still`: the caveat of where it is, or NULL; `flags_` and `why`: of how it moves.
#define GY_POSE_PART(type, part, unit, most, ...)                                                  \
    GYRE_PROPERTY_WITHIN(type, pose, part, unit, -(most), most, __VA_ARGS__)
#define GY_POSE(type, whose, still, flags_, why)                                                   \
    GY_POSE_PART(type, position, "m", 1e6, "of " whose, .caveat = still),                          \
        GY_POSE_PART(type, rotation, "degrees", 1e6, "about the world's x, then y, then z",        \
                     .needs = "!orientation", .caveat = still),                                    \
        GY_POSE_PART(type, orientation, "1", 1.001,                                                \
                     "the same as a unit quaternion x, y, z, w; all 0: rotation counts",           \
                     .flags = GYRE_ORIENTATION, .caveat = still),                                  \
        GY_POSE_PART(type, velocity, "m/s", 1e4, "of " whose, .flags = flags_, .caveat = why),     \
        GY_POSE_PART(type, spin, "degrees/s", 1e6, "about the world's axes", .flags = flags_,      \
                     .caveat = why)

/// The table of a gyre_grid; fixed when the model is made.
extern const gyre_property gy_grid_properties[];

#endif
