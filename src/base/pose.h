// base/pose.h: poses made ready: a matrix and a place, in double precision.
#ifndef GY_POSE_H
#define GY_POSE_H

#include "base/base.h"
#include "gyre/pose.h"

typedef struct gy_pose {
    double turn[3][3]; // own frame to world
    double at[3];
} gy_pose;

/// Of an angle in degrees, below 1e9 of them; the same bits on every machine.
void gy_sine(double degrees, double *sine, double *cosine);

/// Whether a quaternion says anything: it is not all 0.
GY_INLINE bool gy_is_oriented(const float q[4])
{
    return q[0] != 0.0f || q[1] != 0.0f || q[2] != 0.0f || q[3] != 0.0f;
}

/// Whether a quaternion may be given: all 0, or of a length within 1e-3 of 1. False for what is not
/// finite.
bool gy_is_orientation(const double q[4]);

/// The matrix of a quaternion of any length but 0 (0 and what is not finite: no turn); exact where
/// the turn is by right angles.
void gy_quaternion_matrix(const float q[4], double turn[3][3]);

void gy_pose_of(const gyre_pose *pose, gy_pose *made);

/// Writes a pose's turn as degrees about the world's x, then y, then z.
void gy_pose_degrees(const gy_pose *pose, float degrees[3]);

/// Writes a pose's turn as a unit quaternion: of the two that are it, the one nearer to `near`.
void gy_pose_orientation(const gy_pose *pose, const float near[4], float q[4]);

GY_INLINE void gy_pose_apply(const gy_pose *pose, const double p[3], double world[3])
{
    for (int a = 0; a < 3; a++) {
        world[a] = pose->turn[a][0] * p[0] + pose->turn[a][1] * p[1] + pose->turn[a][2] * p[2] +
                   pose->at[a];
    }
}

#endif
