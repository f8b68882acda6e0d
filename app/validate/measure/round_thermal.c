// measure/round_thermal.c: a ball of warm air that is let go and rises, in 3D. What it draws in
// goes as its own speed, and its buoyancy stays (B. R. Morton, G. Taylor and J. S. Turner, Proc. R.
// Soc. A 234, 1956; R. S. Scorer, J. Fluid Mech. 2, 1957), so that over the height z of its heat's
// middle above a virtual origin
//
//     width ~ z, speed ~ 1 / z, so z ~ t^(1/2)
//
// The origin is where the line through the widths, root mean squares of all three coordinates about
// the middle over the heat, is 0. While the middle rises from `low` to `high` m above `source`:
//
//     alpha    slope of that line, times (5/3)^(1/2): of the radius of an even ball as wide
//     bend     its slope over the upper half of the way over that over the lower, less 1
//     speed    exponent over the height above the origin
//     time     that of the height over the time, 1 / (1 - speed)
#include "validate/flow.h"

#include <math.h>

enum { STEPS = 16384 };

static void look(const validate_samples *t, double *height, double *width)
{
    double sum = 0.0, at[3] = {0.0}, square = 0.0;
    for (int q = 0; q < t->n[0] * t->n[1] * t->n[2]; q++) {
        const int cell[3] = {q % t->n[0], q / t->n[0] % t->n[1], q / t->n[0] / t->n[1]};
        double warm = (double)t->data[q];
        sum += warm;
        for (int a = 0; a < 3; a++) {
            double x = t->origin[a] + cell[a] * t->h;
            at[a] += warm * x;
            square += warm * x * x;
        }
    }
    for (int a = 0; a < 3; a++) {
        at[a] /= sum;
        square -= sum * at[a] * at[a];
    }
    *height = at[1];
    *width = sqrt(square / sum);
}

/// Exponent of the speed between looks over the height above `origin`.
static double fit_speed(validate_flow *flow, const double *at, const double *height, int count,
                        double origin)
{
    double *x = validate_flow_memory(flow, (size_t)count);
    double *y = validate_flow_memory(flow, (size_t)count);
    int apart = count / 16 > 1 ? count / 16 : 1, found = 0;
    for (int i = 0; i + apart < count && x && y; i++) {
        double rise = height[i + apart] - height[i];
        if (rise > 0.0) {
            x[found] = log(0.5 * (height[i + apart] + height[i]) - origin);
            y[found++] = log(rise / (at[i + apart] - at[i]));
        }
    }
    validate_flow_curve(flow, "Speed over height, logarithms", "ln z", "ln w", "found",
                        VALIDATE_LINE, found, x, y);
    return found > 1 ? validate_line(x, y, found, NULL) : 0.0;
}

void validate_measure_round_thermal(validate_flow *flow)
{
    double source = validate_with(flow, "source", 0.0), low = validate_with(flow, "low", 0.3);
    double high = validate_with(flow, "high", 1.0);
    double *at = validate_flow_memory(flow, STEPS), *width = validate_flow_memory(flow, STEPS);
    double *height = validate_flow_memory(flow, STEPS);
    int count = 0, half = 0;
    bool arrived = false;
    while (at && width && height && count < STEPS && validate_flow_step(flow)) {
        validate_samples t = {.data = NULL};
        if (!arrived) {
            t = validate_flow_read(flow, "temperature");
        }
        if (t.data) {
            double z, r;
            look(&t, &z, &r);
            arrived = z - source > high;
            if (z - source > low && !arrived) {
                at[count] = validate_flow_time(flow);
                height[count] = z - source;
                width[count++] = r;
                half += z - source < 0.5 * (low + high);
            }
        }
    }
    if (!validate_flow_failed(flow) && (count < 16 || half < 8 || count - half < 8 || !arrived)) {
        validate_flow_fail(flow, "the thermal does not rise far enough");
    }
    if (validate_flow_failed(flow)) {
        return;
    }
    double slope = validate_line(height, width, count, NULL), origin = 0.0;
    for (int i = 0; i < count; i++) {
        origin += (height[i] - width[i] / slope) / count;
    }
    double lower = validate_line(height, width, half, NULL);
    double upper = validate_line(height + half, width + half, count - half, NULL);
    double speed = fit_speed(flow, at, height, count, origin);
    validate_note(flow, "alpha", "1", slope * sqrt(5.0 / 3.0));
    validate_note(flow, "bend", "1", upper / lower - 1.0);
    validate_note(flow, "speed", "1", speed);
    validate_note(flow, "time", "1", 1.0 / (1.0 - speed));
    validate_flow_curve(flow, "Width over height", "z / m", "width / m", "found", VALIDATE_LINE,
                        count, height, width);
}
