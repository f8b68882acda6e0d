// measure/onset.c: a layer of height H, warm below, periodic along x, at two Rayleigh numbers, one
// after the other: `low` until the time `change`, then `high`. With a the root mean square of the
// vertical velocity, which is small,
//
//     decay, growth   d ln a / dt of the two, in kappa / H^2, from `settle` s after each began
//     critical        the Rayleigh number at which it would be 0, by the line through both
//
// Between rigid plates it is 1707.76, of waves 2.016 H long (S. Chandrasekhar, Hydrodynamic and
// hydromagnetic stability, 1961).
#include "validate/flow.h"

#include <math.h>

static double size_of(const validate_samples *v)
{
    double sum = 0.0;
    int count = v->n[0] * v->n[1];
    for (int i = 0; i < count; i++) {
        sum += (double)v->data[i] * (double)v->data[i] / count;
    }
    return sqrt(sum);
}

/// Steps until then and returns ln a.
static double follow(validate_flow *flow, double until, int room, int *count, double *at, double *y)
{
    while (validate_flow_time(flow) < until * (1.0 - 1e-6) && validate_flow_step(flow)) {
        validate_samples v = validate_flow_read(flow, "velocity_y");
        if (v.data && *count < room) {
            at[*count] = validate_flow_time(flow);
            y[(*count)++] = log(size_of(&v));
        }
    }
    return *count > 0 ? y[*count - 1] : 0.0;
}

void validate_measure_onset(validate_flow *flow)
{
    enum { MOST = 16384 };
    double kappa = validate_flow_property(flow, "temperature.diffusivity");
    double low = validate_with(flow, "low", 0.0), high = validate_with(flow, "high", 0.0);
    double change = validate_with(flow, "change", 0.0), settle = validate_with(flow, "settle", 0.0);
    const double parts[2][2] = {{settle, change}, {change + settle, validate_flow_end(flow)}};
    double *at = validate_flow_memory(flow, MOST), *y = validate_flow_memory(flow, MOST), rate[2];
    double h, origin[3];
    int n[3], count = 0;
    validate_flow_grid(flow, n, &h, origin);
    for (int p = 0; p < 2 && at && y; p++) {
        double first = follow(flow, parts[p][0], MOST, &count, at, y);
        double begun = validate_flow_time(flow);
        double last = follow(flow, parts[p][1], MOST, &count, at, y);
        rate[p] = (last - first) / (validate_flow_time(flow) - begun) * h * n[1] * h * n[1] / kappa;
    }
    if (validate_flow_failed(flow) || !at || !y) {
        return;
    }
    validate_note(flow, "decay", "kappa/H^2", rate[0]);
    validate_note(flow, "growth", "kappa/H^2", rate[1]);
    validate_note(flow, "critical", "1", low - (high - low) * rate[0] / (rate[1] - rate[0]));
    validate_flow_curve(flow, "Vertical velocity (rms), natural logarithm", "t / s", "ln a",
                        "found", VALIDATE_LINE, count, at, y);
}
