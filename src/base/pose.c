// Poses: R = Rz Ry Rx of degrees about the world's x, then y, then z, and the same as quaternions.
//
// A matrix of a quaternion is made of the products of its parts over their squares' sum: the
// products of floats are exact in double precision, so that turns by right angles are exact, too.
#include "base/pose.h"
#include "base/maths.h"
#include <string.h>

void gy_sine(double degrees, double *sine, double *cosine)
{
    static const double s[] = {-1.0 / 6,     1.0 / 120,       -1.0 / 5040,
                               1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0},
                        c[] = {-1.0 / 2,    1.0 / 24,       -1.0 / 720,
                               1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
    degrees = degrees > -1e15 && degrees < 1e15 ? degrees : 0.0; // neither is NaN
    int64_t quarter = (int64_t)(degrees / 90.0 + (degrees < 0.0 ? -0.5 : 0.5));
    double x = (degrees - 90.0 * (double)quarter) * 0.01745329251994329577, x2 = x * x;
    double a = 0.0, b = 0.0;
    for (int k = 5; k >= 0; k--) {
        a = (a + s[k]) * x2;
        b = (b + c[k]) * x2;
    }
    a = x + x * a;
    b = 1.0 + b;
    bool swap = (quarter & 1) != 0;
    *sine = (quarter & 2 ? -1.0 : 1.0) * (swap ? b : a);
    *cosine = ((quarter + 1) & 2 ? -1.0 : 1.0) * (swap ? a : b);
}

static double square_of(const double q[4])
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/// False where a quaternion is no turn: 0, or not finite.
static bool to_double(const float q[4], double to[4])
{
    for (int a = 0; a < 4; a++) {
        to[a] = (double)q[a];
    }
    double square = square_of(to);
    return square > 0.0 && square < 1e300;
}

bool gy_is_orientation(const double q[4])
{
    double square = square_of(q);
    return square == 0.0 || (square >= 0.999 * 0.999 && square <= 1.001 * 1.001);
}

void gy_quaternion_matrix(const float quaternion[4], double turn[3][3])
{
    double q[4];
    if (!to_double(quaternion, q)) {
        q[0] = q[1] = q[2] = 0.0;
        q[3] = 1.0;
    }
    double square = square_of(q);
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turn[a][a] = ((q[3] * q[3] + q[a] * q[a]) - (q[b] * q[b] + q[c] * q[c])) / square;
        turn[a][b] = 2.0 * (q[a] * q[b] - q[3] * q[c]) / square;
        turn[b][a] = 2.0 * (q[a] * q[b] + q[3] * q[c]) / square;
    }
}

void gy_pose_of(const gyre_pose *pose, gy_pose *made)
{
    double s[3], c[3];
    for (int a = 0; a < 3; a++) {
        made->at[a] = (double)pose->position[a];
    }
    if (gy_is_oriented(pose->orientation)) {
        gy_quaternion_matrix(pose->orientation, made->turn);
        return;
    }
    for (int a = 0; a < 3; a++) {
        gy_sine((double)pose->rotation[a], &s[a], &c[a]);
    }
    const double turn[3][3] = {
        {c[2] * c[1], c[2] * s[1] * s[0] - s[2] * c[0], c[2] * s[1] * c[0] + s[2] * s[0]},
        {s[2] * c[1], s[2] * s[1] * s[0] + c[2] * c[0], s[2] * s[1] * c[0] - c[2] * s[0]},
        {-s[1], c[1] * s[0], c[1] * c[0]},
    };
    memcpy(made->turn, turn, sizeof turn);
}

void gy_pose_degrees(const gy_pose *pose, float degrees[3])
{
    const double whole = 57.29577951308232;
    const double(*t)[3] = (const double(*)[3])pose->turn;
    double level = __builtin_sqrt(t[0][0] * t[0][0] + t[1][0] * t[1][0]);
    degrees[1] = (float)(whole * (double)gy_atan2f((float)-t[2][0], (float)level));
    if (level > 1e-6) {
        degrees[0] = (float)(whole * (double)gy_atan2f((float)t[2][1], (float)t[2][2]));
        degrees[2] = (float)(whole * (double)gy_atan2f((float)t[1][0], (float)t[0][0]));
    } else { // nose up or down: turns about x and about z are the same
        degrees[0] = (float)(whole * (double)gy_atan2f((float)-t[1][2], (float)t[1][1]));
        degrees[2] = 0.0f;
    }
}

/// To floats, of unit length, without zeros that have a sign.
static void to_unit(const double q[4], float to[4])
{
    double length = __builtin_sqrt(square_of(q));
    for (int a = 0; a < 4; a++) {
        to[a] = (float)(q[a] / length) + 0.0f;
    }
}

void gy_pose_orientation(const gy_pose *pose, const float near[4], float to[4])
{
    const double(*t)[3] = (const double(*)[3])pose->turn;
    double trace = t[0][0] + t[1][1] + t[2][2], q[4], sign = 0.0;
    // By the largest part of the four, so that nothing is divided by next to nothing.
    int a = t[1][1] > t[0][0] ? 1 : 0;
    a = t[2][2] > t[a][a] ? 2 : a;
    int b = (a + 1) % 3, c = (a + 2) % 3;
    if (trace > t[a][a]) {
        q[3] = 1.0 + trace;
        for (int k = 0; k < 3; k++) {
            q[k] = t[(k + 2) % 3][(k + 1) % 3] - t[(k + 1) % 3][(k + 2) % 3];
        }
    } else {
        q[a] = 1.0 + t[a][a] - t[b][b] - t[c][c];
        q[b] = t[a][b] + t[b][a];
        q[c] = t[a][c] + t[c][a];
        q[3] = t[c][b] - t[b][c];
    }
    for (int k = 0; k < 4; k++) {
        sign += q[k] * (double)near[k];
    }
    for (int k = 0; k < 4 && sign < 0.0; k++) {
        q[k] = -q[k];
    }
    to_unit(q, to);
}

// ---- public functions ---------------------------------------------------------------------------

void gyre_quaternion_from_degrees(const float degrees[3], float quaternion[4])
{
    if (GY_MISSING("quaternion_from_degrees", degrees) ||
        GY_MISSING("quaternion_from_degrees", quaternion)) {
        return;
    }
    double s[3], c[3];
    for (int a = 0; a < 3; a++) {
        gy_sine(0.5 * (double)degrees[a], &s[a], &c[a]);
    }
    double q[4] = {s[0] * c[1] * c[2] - c[0] * s[1] * s[2], c[0] * s[1] * c[2] + s[0] * c[1] * s[2],
                   c[0] * c[1] * s[2] - s[0] * s[1] * c[2],
                   c[0] * c[1] * c[2] + s[0] * s[1] * s[2]};
    double sign = q[3] < 0.0 ? -1.0 : 1.0;
    for (int a = 0; a < 4; a++) {
        q[a] *= sign;
    }
    to_unit(q, quaternion);
}

void gyre_quaternion_to_degrees(const float quaternion[4], float degrees[3])
{
    if (GY_MISSING("quaternion_to_degrees", quaternion) ||
        GY_MISSING("quaternion_to_degrees", degrees)) {
        return;
    }
    gy_pose pose;
    gy_quaternion_matrix(quaternion, pose.turn);
    gy_pose_degrees(&pose, degrees);
    for (int a = 0; a < 3; a++) {
        degrees[a] += 0.0f; // no zeros with a sign
    }
}

void gyre_quaternion_between(const float from[4], const float to[4], double part,
                             float quaternion[4])
{
    if (GY_MISSING("quaternion_between", from) || GY_MISSING("quaternion_between", to) ||
        GY_MISSING("quaternion_between", quaternion)) {
        return;
    }
    double a[4], b[4], q[4], apart = 0.0, near = 0.0, dot = 0.0;
    bool way = to_double(from, a) && to_double(to, b);
    if (!way || !(part > 0.0) || part >= 1.0) {
        memmove(quaternion, way && part >= 1.0 ? to : from, 4 * sizeof *quaternion);
        return;
    }
    double scale = __builtin_sqrt(square_of(a)), other = __builtin_sqrt(square_of(b));
    for (int k = 0; k < 4; k++) {
        a[k] /= scale;
        b[k] /= other;
        dot += a[k] * b[k];
    }
    for (int k = 0; k < 4; k++) {
        b[k] = dot < 0.0 ? -b[k] : b[k];
        apart += (a[k] - b[k]) * (a[k] - b[k]);
        near += (a[k] + b[k]) * (a[k] + b[k]);
    }
    // The angle between the two, at most 90 degrees: twice that of half their difference.
    double angle = 2.0 * 57.29577951308232 *
                   (double)gy_atan2f((float)__builtin_sqrt(apart), (float)__builtin_sqrt(near));
    double first = 1.0 - part, second = part, unused;
    if (angle > 0.01) { // below, a straight line is as good
        gy_sine(first * angle, &first, &unused);
        gy_sine(second * angle, &second, &unused);
    }
    for (int k = 0; k < 4; k++) {
        q[k] = first * a[k] + second * b[k];
    }
    to_unit(q, quaternion);
}

void gyre_pose_quaternion(const gyre_pose *pose, float quaternion[4])
{
    if (GY_MISSING("pose_quaternion", pose) || GY_MISSING("pose_quaternion", quaternion)) {
        return;
    }
    double q[4];
    if (to_double(pose->orientation, q)) {
        to_unit(q, quaternion);
    } else {
        gyre_quaternion_from_degrees(pose->rotation, quaternion);
    }
}

void gyre_pose_to_world(const gyre_pose *pose, const float own[3], float world[3])
{
    if (GY_MISSING("pose_to_world", pose) || GY_MISSING("pose_to_world", own) ||
        GY_MISSING("pose_to_world", world)) {
        return;
    }
    const double p[3] = {(double)own[0], (double)own[1], (double)own[2]};
    double to[3];
    gy_pose made;
    gy_pose_of(pose, &made);
    gy_pose_apply(&made, p, to);
    for (int a = 0; a < 3; a++) {
        world[a] = (float)to[a];
    }
}

void gyre_pose_to_own(const gyre_pose *pose, const float world[3], float own[3])
{
    if (GY_MISSING("pose_to_own", pose) || GY_MISSING("pose_to_own", world) ||
        GY_MISSING("pose_to_own", own)) {
        return;
    }
    double from[3];
    gy_pose made;
    gy_pose_of(pose, &made);
    for (int a = 0; a < 3; a++) {
        from[a] = (double)world[a] - made.at[a];
    }
    for (int a = 0; a < 3; a++) {
        own[a] = (float)(made.turn[0][a] * from[0] + made.turn[1][a] * from[1] +
                         made.turn[2][a] * from[2]);
    }
}
