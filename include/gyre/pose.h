/// @file gyre/pose.h
/// Where a body is, how it is turned, and how it moves.
///
/// A turn is given as Euler angles or as a quaternion. `rotation` = (x, y, z), in degrees, turns
/// first about the world's x axis by x, then about the world's y axis by y, then about the world's
/// z axis by z (right-handed: a turn about z takes x to y). A point p of the own frame then lies at
/// `position` + R p in the world, with R = Rz Ry Rx, that is, with c and s for the cosine and the
/// sine of an angle:
///
///     | cz cy   cz sy sx - sz cx   cz sy cx + sz sx |
///     | sz cy   sz sy sx + cz cx   sz sy cx - cz sx |
///     |  -sy         cy sx              cy cx       |
///
/// `orientation` = (x, y, z, w) is the same turn as a unit quaternion: about the axis n by the
/// angle t it is (n sin(t / 2), cos(t / 2)); it and its opposite are one turn. In 2D things turn
/// about z alone: the x and y of `rotation` do not count, those of `orientation` must be 0.
///
/// All functions here may be called by any thread and give the same bits on every machine.
#ifndef GYRE_POSE_H
#define GYRE_POSE_H

#include "gyre/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place, a turn, and their rates. All zeros: at the origin, not turned, at rest.
///
/// `orientation` counts where it is not 0, else `rotation`. Whoever sets one of them in a model by
/// its path has it count: setting `rotation` makes `orientation` 0, setting `orientation` brings
/// `rotation` in line. What a model moves it writes back likewise: `rotation` always, `orientation`
/// where it is in use. In scenes its members stand beside those of the element it belongs to
/// ("bodies.duck.orientation").
typedef struct gyre_pose {
    float position[3];    ///< m, of the own frame's origin
    float rotation[3];    ///< degrees, about the world's x, then y, then z
    float orientation[4]; ///< unit quaternion x, y, z, w (a length within 1e-3 of 1 is brought to
                          ///< 1, any other is refused); all 0: `rotation` counts
    float velocity[3];    ///< m/s
    float spin[3];        ///< degrees/s, about the world's axes
} gyre_pose;

/// How a gas meets a solid's surface.
typedef enum gyre_surface {
    GYRE_SURFACE_AS_GAS, ///< as the gas's `solid_slip` says
    GYRE_SURFACE_SLIP,   ///< the gas slides along it
    GYRE_SURFACE_NO_SLIP ///< the gas sticks to it, and is dragged along
} gyre_surface;

/// The quaternion of a turn about the world's x, then y, then z, by degrees. Its w is not below 0.
GYRE_API void gyre_quaternion_from_degrees(const float degrees[3], float quaternion[4]);

/// The degrees about the world's x, then y, then z of a quaternion of any length but 0 (0: no
/// turn): y from -90 to 90, x and z from -180 to 180; where y is 90 or -90 (within 6e-5), turns
/// about x and z are one, and z is 0.
GYRE_API void gyre_quaternion_to_degrees(const float quaternion[4], float degrees[3]);

/// The turn that is the `part` (0 to 1) of the way between two, along the shortest arc at one
/// angular speed (slerp), of unit length. 0 gives `from` and 1 `to`, as they are; where one of them
/// is all 0 there is no way between them, and `from` is given.
GYRE_API void gyre_quaternion_between(const float from[4], const float to[4], double part,
                                      float quaternion[4]);

/// The unit quaternion of a pose, whichever of `rotation` and `orientation` counts.
GYRE_API void gyre_pose_quaternion(const gyre_pose *pose, float quaternion[4]);

/// Where a point of the own frame is in the world.
GYRE_API void gyre_pose_to_world(const gyre_pose *pose, const float own[3], float world[3]);

/// Where a point of the world is in the own frame.
GYRE_API void gyre_pose_to_own(const gyre_pose *pose, const float world[3], float own[3]);

#ifdef __cplusplus
}
#endif
#endif
