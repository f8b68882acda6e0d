// measure/leapfrog.c: two equal vortex rings about the z axis, the rear one marked by density, the
// front one by temperature: where the middle of either dye is, and when the rear one overtakes.
//
// The page shows it beside two thin rings, each carried by itself (P. G. Saffman 1970) and by the
// other's field (H. Lamb, Hydrodynamics, 161), their cores' volumes kept:
//
//     dz/dt = G / (4 pi r) (ln(8 r / a) - 0.558) + u_z',   dr/dt = u_r',   a^2 r constant
//
// with circulation G = 1. Costs a pass over two scalars a step.
#include "validate/flow.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/// The middle of a dye: z, and distance from the axis.
typedef struct middle {
    double z, r;
} middle;

static middle middle_of(validate_flow *flow, const char *field)
{
    validate_samples s = validate_flow_read(flow, field);
    double sum = 0.0;
    middle m = {0.0, 0.0};
    for (int k = 0; k < s.n[2] && s.data; k++) {
        for (int j = 0; j < s.n[1]; j++) {
            const float *row = s.data + ((ptrdiff_t)k * s.n[1] + j) * s.n[0];
            double y = s.origin[1] + s.h * j;
            for (int i = 0; i < s.n[0]; i++) {
                double q = (double)row[i], x = s.origin[0] + s.h * i;
                sum += q;
                m.z += q * (s.origin[2] + s.h * k);
                m.r += q == 0.0 ? 0.0 : q * sqrt(x * x + y * y);
            }
        }
    }
    return (middle){m.z / sum, m.r / sum};
}

// ---- two thin rings

/// Complete elliptic integrals of parameter m, by the arithmetic-geometric mean.
static void elliptic(double m, double *first, double *second)
{
    double a = 1.0, b = sqrt(1.0 - m), sum = 0.5 * m, power = 1.0;
    for (int i = 0; i < 12; i++, power *= 2.0) {
        double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        sum += power * c * c;
    }
    *first = 0.5 * PI / a;
    *second = *first * (1.0 - sum);
}

/// How fast ring q goes, of (z, r) of both.
static void rate(const double s[4], int q, double core, double rate_of[2])
{
    double z = s[2 * q] - s[2 - 2 * q], r = s[2 * q + 1], other = s[3 - 2 * q];
    double far = (other + r) * (other + r) + z * z, near = (other - r) * (other - r) + z * z;
    double first, second, a = core / sqrt(r);
    elliptic(4.0 * other * r / far, &first, &second);
    rate_of[0] = (log(8.0 * r / a) - 0.558) / (4.0 * PI * r) +
                 (first + (other * other - r * r - z * z) / near * second) / (2.0 * PI * sqrt(far));
    rate_of[1] =
        z / (2.0 * PI * r * sqrt(far)) * (-first + (other * other + r * r + z * z) / near * second);
}

/// A step of the classical Runge-Kutta method.
static void step(double s[4], double core, double dt)
{
    static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[4] = {0.0}, sum[4] = {0.0};
    for (int stage = 0; stage < 4; stage++) {
        double at[4];
        for (int i = 0; i < 4; i++) {
            at[i] = s[i] + part[stage] * dt * k[i];
        }
        rate(at, 0, core, k);
        rate(at, 1, core, k + 2);
        for (int i = 0; i < 4; i++) {
            sum[i] += weight[stage] * k[i];
        }
    }
    for (int i = 0; i < 4; i++) {
        s[i] += dt / 6.0 * sum[i];
    }
}

static void show(validate_flow *flow, int count, const double *time, const double *ahead)
{
    static const char title[] = "How far the front ring is ahead";
    enum { POINTS = 41, STEPS = 50 };
    double radius = validate_with(flow, "radius", 1.0), dt = validate_flow_end(flow) / (POINTS - 1);
    double core = validate_with(flow, "core", 0.1) * sqrt(radius);
    double at[POINTS], thin[POINTS], s[4] = {0.0, radius, 0.0, radius};
    s[2] = validate_with(flow, "distance", 1.0);
    for (int i = 0; i < POINTS; i++) {
        at[i] = i * dt;
        thin[i] = s[2] - s[0];
        for (int q = 0; q < STEPS; q++) {
            step(s, core, dt / STEPS);
        }
    }
    validate_flow_curve(flow, title, "t / s", "m", "measured", VALIDATE_LINE, count, time, ahead);
    validate_flow_curve(flow, title, "t / s", "m", "thin rings", VALIDATE_DASHES, POINTS, at, thin);
}

void validate_measure_leapfrog(validate_flow *flow)
{
    enum { MOST = 4096 };
    double *time = validate_flow_memory(flow, MOST), *ahead = validate_flow_memory(flow, MOST);
    double passed = -1.0;
    int count = 0;
    while (time && ahead && count < MOST && validate_flow_step(flow)) {
        middle rear = middle_of(flow, "density"), front = middle_of(flow, "temperature");
        time[count] = validate_flow_time(flow);
        ahead[count] = front.z - rear.z;
        if (passed < 0.0 && count > 0 && ahead[count] <= 0.0) {
            double share = ahead[count - 1] / (ahead[count - 1] - ahead[count]);
            passed = time[count - 1] + share * (time[count] - time[count - 1]);
            validate_note(flow, "pass_time", "s", passed);
            validate_note(flow, "radius_rear", "m", rear.r);
            validate_note(flow, "radius_front", "m", front.r);
        }
        count++;
    }
    if (passed < 0.0) {
        validate_flow_fail(flow, "the rear ring does not overtake the front one");
        return;
    }
    show(flow, count, time, ahead);
}
