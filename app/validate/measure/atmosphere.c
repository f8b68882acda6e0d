// measure/atmosphere.c: what air does whose surroundings change with height, by textbooks'
// formulas: swinging about its level, and condensing as it rises. With the scene's atmosphere, at
// z m over its ground,
//
//     T = T0 - G z,   p = p0 (1 - G z / T0)^(g / (R G)),   theta = T (p0 / p)^(R / cp)
//
// swing: the field of temperature on cos(pi x / L) sin(pi y / H); the frequency is of the time
// between the first time and the last one that it is 0. parcel: a steady wind upwards, in which the
// air of the ground stands at every level.
#include "validate/flow.h"

#include <math.h>

#define GAS 287.04
#define HEAT 1004.0
#define PI 3.14159265358979323846

enum { STEPS = 8192 };

static double mode_of(const validate_samples *t)
{
    double sum = 0.0;
    for (int j = 0; j < t->n[1]; j++) {
        for (int i = 0; i < t->n[0]; i++) {
            sum += (double)t->data[j * t->n[0] + i] * cos(PI * (i + 0.5) / t->n[0]) *
                   sin(PI * (j + 0.5) / t->n[1]);
        }
    }
    return sum * 4.0 / t->n[0] / t->n[1];
}

void validate_measure_swing(validate_flow *flow)
{
    double *at = validate_flow_memory(flow, STEPS), *swing = validate_flow_memory(flow, STEPS);
    double first = 0.0, last = 0.0, most = 0.0, whole = 0.0, start = 0.0;
    int crossed = 0, count = 0;
    while (at && swing && count < STEPS && validate_flow_step(flow)) {
        validate_samples t = validate_flow_read(flow, "temperature");
        if (!t.data) {
            return;
        }
        at[count] = validate_flow_time(flow);
        swing[count] = mode_of(&t);
        start = count == 0 ? fabs(swing[0]) : start;
        if (count > 0 && (swing[count] < 0.0) != (swing[count - 1] < 0.0)) {
            last = at[count] -
                   (at[count] - at[count - 1]) * swing[count] / (swing[count] - swing[count - 1]);
            first = crossed++ == 0 ? last : first;
            whole = most;
            most = 0.0;
        }
        most = fmax(most, fabs(swing[count++]));
    }
    if (!validate_flow_failed(flow) && crossed < 2) {
        validate_flow_fail(flow, "it does not swing to and fro");
        return;
    }
    validate_note(flow, "frequency", "rad/s", PI * (crossed - 1) / (last - first));
    validate_note(flow, "height", "1", whole / start);
    validate_flow_curve(flow, "Swing", "s", "K", "temperature", VALIDATE_LINE, count, at, swing);
}

void validate_measure_parcel(validate_flow *flow)
{
    double ground = validate_flow_property(flow, "atmosphere.temperature"), warm = 0.0, base = 0.0,
           lapse = validate_flow_property(flow, "atmosphere.lapse"), *at, *more;
    double low = validate_with(flow, "low", 0.0), high = validate_with(flow, "high", 1e9);
    int levels = 0, count = 0;
    while (validate_flow_step(flow)) {
    }
    validate_samples t = validate_flow_read(flow, "temperature"),
                     cloud = validate_flow_read(flow, "cloud");
    at = validate_flow_memory(flow, STEPS), more = validate_flow_memory(flow, STEPS);
    if (!t.data || !cloud.data || !at || !more) {
        return;
    }
    for (int j = 0; j < t.n[1] && j < STEPS; j++) {
        double z = t.origin[1] + j * t.h, down = 1.0 - lapse * z / ground;
        double exner = pow(down, 9.81 / (HEAT * lapse)), theta = ground * down / exner;
        size_t here = (size_t)j * (size_t)t.n[0];
        at[count] = z;
        more[count++] = exner * (theta + (double)t.data[here]) - ground * exner;
        base = base == 0.0 && (double)cloud.data[here] > 1e-6 ? z : base;
        if (z > low && z < high) {
            warm += more[count - 1];
            levels++;
        }
    }
    if (!validate_flow_failed(flow) && (levels == 0 || base == 0.0)) {
        validate_flow_fail(flow, "nothing condenses");
        return;
    }
    validate_note(flow, "base", "m", base);
    validate_note(flow, "warmth", "K", warm / levels);
    validate_flow_curve(flow, "Warmth of condensing", "m", "K", "over the dry adiabat",
                        VALIDATE_LINE, count, at, more);
}
