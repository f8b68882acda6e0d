// body/rigid.h: what rigid bodies of every kind share: turning, inertia, and the free motion of a
// body that turns.
#ifndef GY_RIGID_H
#define GY_RIGID_H

#include "base/pose.h"

/// The inverse of a matrix, and whether its determinant is above 0.
bool gy_rigid_invert(const double m[3][3], double to[3][3]);

/// An inertia of the own frame in the world's axes, times `scale`.
void gy_rigid_inertia(const gy_pose *pose, const double inertia[3][3], double scale,
                      double to[3][3]);

void gy_rigid_times(const double m[3][3], const double v[3], double to[3]);

/// Turns a pose by an angle about an axis, both in one vector (rad), and makes it orthogonal again.
void gy_rigid_rotate(gy_pose *pose, const double by[3]);

/// The angle about an axis, both in one vector (rad), by which one turn becomes another.
void gy_rigid_between(const gy_pose *from, const gy_pose *to, double by[3]);

/// Axes (columns, right-handed) and moments of a symmetric matrix.
void gy_rigid_principal(const double inertia[3][3], double axes[3][3], double moments[3]);

/// Turns a body that no torque acts on for dt seconds, its angular momentum (in the world) being as
/// it is: `axes` and `moments` of gy_rigid_principal, in the own frame.
void gy_rigid_turn_free(gy_pose *pose, const double axes[3][3], const double moments[3],
                        const double momentum[3], double dt);

#endif
