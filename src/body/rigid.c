// body/rigid.c: rotation of rigid bodies.
//
// A body without torque keeps its angular momentum L in the world, and turns by w = I^-1 L with the
// I of the moment. In principal axes the energy is H = sum pi_k^2 / (2 I_k), pi = R^T L. Each of
// the three terms alone turns the body about one of its axes at a constant rate, which is done
// exactly; a step is 1/2 H_1, 1/2 H_2, H_3, 1/2 H_2, 1/2 H_1: of second order, reversible, L exact,
// and the energy wavers by O(dt^2) for ever without drifting (symplectic). Steps are cut so that
// none turns by more than a quarter of a radian.
#include "body/rigid.h"

#include "base/maths.h"

#include <string.h>

bool gy_rigid_invert(const double m[3][3], double to[3][3])
{
    double det = 0.0;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            to[b][a] = m[a1][b1] * m[a2][b2] - m[a1][b2] * m[a2][b1];
        }
    }
    for (int b = 0; b < 3; b++) {
        det += m[0][b] * to[b][0];
    }
    for (int k = 0; k < 9; k++) {
        to[k / 3][k % 3] /= det;
    }
    return det > 0.0;
}

void gy_rigid_inertia(const gy_pose *pose, const double inertia[3][3], double scale,
                      double to[3][3])
{
    double half[3][3];
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            half[a][b] = 0.0;
            for (int k = 0; k < 3; k++) {
                half[a][b] += pose->turn[a][k] * inertia[k][b];
            }
        }
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            to[a][b] = 0.0;
            for (int k = 0; k < 3; k++) {
                to[a][b] += scale * half[a][k] * pose->turn[b][k];
            }
        }
    }
}

void gy_rigid_times(const double m[3][3], const double v[3], double to[3])
{
    for (int a = 0; a < 3; a++) {
        to[a] = m[a][0] * v[0] + m[a][1] * v[1] + m[a][2] * v[2];
    }
}

/// Takes the images of the own axes, made orthogonal and of unit length.
static void orthogonalise(gy_pose *pose, double axis[3][3])
{
    for (int k = 0; k < 2; k++) {
        double dot = 0.0, length = 0.0;
        for (int a = 0; a < 3; a++) {
            dot += k == 1 ? axis[0][a] * axis[1][a] : 0.0;
        }
        for (int a = 0; a < 3; a++) {
            axis[k][a] -= dot * axis[0][a] * (k == 1 ? 1.0 : 0.0);
            length += axis[k][a] * axis[k][a];
        }
        for (int a = 0; a < 3; a++) {
            axis[k][a] /= __builtin_sqrt(length);
        }
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, d = (a + 2) % 3;
        axis[2][a] = axis[0][b] * axis[1][d] - axis[0][d] * axis[1][b];
        for (int k = 0; k < 2; k++) {
            pose->turn[a][k] = axis[k][a];
        }
    }
    for (int a = 0; a < 3; a++) {
        pose->turn[a][2] = axis[2][a];
    }
}

static void straighten(gy_pose *pose)
{
    double axis[3][3];
    for (int k = 0; k < 9; k++) {
        axis[k / 3][k % 3] = pose->turn[k % 3][k / 3];
    }
    orthogonalise(pose, axis);
}

void gy_rigid_rotate(gy_pose *pose, const double by[3])
{
    double angle = __builtin_sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]), s, c;
    if (!(angle > 0.0)) {
        return;
    }
    gy_sine(angle * 57.29577951308232, &s, &c);
    const double n[3] = {by[0] / angle, by[1] / angle, by[2] / angle};
    double axis[3][3]; // images of the body's own axes
    for (int k = 0; k < 3; k++) {
        double v[3] = {pose->turn[0][k], pose->turn[1][k], pose->turn[2][k]};
        double along = (1.0 - c) * (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]);
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, d = (a + 2) % 3;
            axis[k][a] = c * v[a] + s * (n[b] * v[d] - n[d] * v[b]) + along * n[a];
        }
    }
    orthogonalise(pose, axis);
}

void gy_rigid_between(const gy_pose *from, const gy_pose *to, double by[3])
{
    static const float near[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    gy_pose turn;
    float q[4];
    memset(&turn, 0, sizeof turn);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            for (int k = 0; k < 3; k++) {
                turn.turn[a][b] += to->turn[a][k] * from->turn[b][k];
            }
        }
    }
    gy_pose_orientation(&turn, near, q);
    double x = (double)q[0], y = (double)q[1], z = (double)q[2];
    double length = __builtin_sqrt(x * x + y * y + z * z);
    double scale = 2.0;
    if (length > 1e-4) { // below, the angle and its sine are one
        scale = 2.0 * (double)gy_atan2f((float)length, q[3]) / length;
    }
    by[0] = scale * x;
    by[1] = scale * y;
    by[2] = scale * z;
}

/// One rotation of Jacobi's method that makes m[p][q] zero.
static void annihilate(double m[3][3], double axes[3][3], int p, int q)
{
    if (m[p][q] == 0.0) {
        return;
    }
    double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    double root = __builtin_sqrt(theta * theta + 1.0);
    double t = theta >= 0.0 ? 1.0 / (theta + root) : -1.0 / (root - theta);
    double c = 1.0 / __builtin_sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        a = axes[k][p];
        b = axes[k][q];
        axes[k][p] = c * a - s * b;
        axes[k][q] = s * a + c * b;
    }
}

void gy_rigid_principal(const double inertia[3][3], double axes[3][3], double moments[3])
{
    double m[3][3];
    memcpy(m, inertia, sizeof m);
    for (int k = 0; k < 9; k++) {
        axes[k / 3][k % 3] = k / 3 == k % 3 ? 1.0 : 0.0;
    }
    // Quadratic convergence: far more sweeps than are needed. Rotations keep the axes right-handed.
    for (int sweep = 0; sweep < 16; sweep++) {
        annihilate(m, axes, 0, 1);
        annihilate(m, axes, 0, 2);
        annihilate(m, axes, 1, 2);
    }
    for (int k = 0; k < 3; k++) {
        moments[k] = m[k][k];
    }
}

/// Turns `turn` (principal axes to the world) about its own axis k by the term of pi_k alone; pi
/// turns the other way.
static void turn_about(double turn[3][3], double pi[3], int k, double moment, double dt)
{
    double s, c;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    gy_sine(57.29577951308232 * dt * pi[k] / moment, &s, &c);
    double a = pi[i], b = pi[j];
    pi[i] = c * a + s * b;
    pi[j] = c * b - s * a;
    for (int r = 0; r < 3; r++) {
        a = turn[r][i];
        b = turn[r][j];
        turn[r][i] = c * a + s * b;
        turn[r][j] = c * b - s * a;
    }
}

void gy_rigid_turn_free(gy_pose *pose, const double axes[3][3], const double moments[3],
                        const double momentum[3], double dt)
{
    enum { MOST_STEPS = 64 };
    static const int order[5] = {0, 1, 2, 1, 0};
    gy_pose own = *pose;
    double pi[3], fastest = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int a = 0; a < 3; a++) {
            own.turn[a][k] = pose->turn[a][0] * axes[0][k] + pose->turn[a][1] * axes[1][k] +
                             pose->turn[a][2] * axes[2][k];
        }
        pi[k] = own.turn[0][k] * momentum[0] + own.turn[1][k] * momentum[1] +
                own.turn[2][k] * momentum[2];
        fastest = GY_MAX(fastest, __builtin_fabs(pi[k]) / moments[k]);
    }
    double steps = dt * fastest / 0.25;
    int count = steps < MOST_STEPS ? 1 + (int)steps : MOST_STEPS;
    for (int s = 0; s < count; s++) {
        for (int n = 0; n < 5; n++) {
            double part = (n == 2 ? 1.0 : 0.5) * dt / count;
            turn_about(own.turn, pi, order[n], moments[order[n]], part);
        }
    }
    for (int k = 0; k < 3; k++) {
        for (int a = 0; a < 3; a++) {
            pose->turn[a][k] = own.turn[a][0] * axes[k][0] + own.turn[a][1] * axes[k][1] +
                               own.turn[a][2] * axes[k][2];
        }
    }
    straighten(pose);
}
