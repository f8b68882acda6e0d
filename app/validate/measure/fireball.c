// measure/fireball.c: fuel that burns at once and rises, in 3D: when it has burnt, its buoyancy
// stays (nothing cools it here) and what it draws in goes as its own speed, so that over the time
// t, far from where it was,
//
//     height ~ t^(1/2)     of its heat's middle, over a virtual place and time of its beginning
//
// (R. S. Scorer, J. Fluid Mech. 2, 1957; B. R. Morton, G. Taylor and J. S. Turner, Proc. R. Soc. A
// 234, 1956). With z the height over where it was, z dz/dt = const: z^2 grows evenly. What is found
// is the exponent of z + z0 over t + t0 between `low` and `high` m, z0 where the line through the
// widths (root mean squares about the middle, over the heat, as round_thermal's) over z is 0 and t0
// where that through (z + z0)^2 says. All models of the scene, "a", "b" and so on, are draws of
// which the mean is taken.
#include "validate/flow.h"

#include <math.h>

enum { STEPS = 16384 };

/// Adds a share of the height of the heat's middle, and of how wide it is about that.
static void add_middle(const validate_samples *t, double source, double share, double *height,
                       double *width)
{
    double heat = 0.0, at[3] = {0.0}, square = 0.0;
    size_t c = 0;
    for (int k = 0; k < t->n[2]; k++) {
        for (int j = 0; j < t->n[1]; j++) {
            for (int i = 0; i < t->n[0]; i++, c++) {
                const int cell[3] = {i, j, k};
                double warm = (double)t->data[c];
                heat += warm;
                for (int a = 0; a < 3; a++) {
                    double x = t->origin[a] + cell[a] * t->h - (a == 1 ? source : 0.0);
                    at[a] += warm * x;
                    square += warm * x * x;
                }
            }
        }
    }
    for (int a = 0; a < 3; a++) {
        at[a] /= heat;
        square -= heat * at[a] * at[a];
    }
    *height += share * at[1];
    *width += share * sqrt(square / heat);
}

void validate_measure_fireball(validate_flow *flow)
{
    double source = validate_with(flow, "source", 0.0), low = validate_with(flow, "low", 0.3);
    double high = validate_with(flow, "high", 1.0), *width = validate_flow_memory(flow, STEPS);
    double *at = validate_flow_memory(flow, STEPS), *height = validate_flow_memory(flow, STEPS);
    int count = 0, draws = (int)validate_with(flow, "draws", 1.0);
    bool arrived = false;
    while (at && height && width && !arrived && count < STEPS && validate_flow_step(flow)) {
        double z = 0.0, wide = 0.0;
        for (int d = 0; d < draws; d++) {
            char name[] = "a.temperature";
            name[0] = (char)('a' + d);
            validate_samples t = validate_flow_read(flow, name);
            if (t.data) {
                add_middle(&t, source, 1.0 / draws, &z, &wide);
            }
        }
        arrived = z > high;
        if (z > low && !arrived) {
            at[count] = validate_flow_time(flow);
            width[count] = wide;
            height[count++] = z;
        }
    }
    if (!validate_flow_failed(flow) && (count < 8 || !arrived)) {
        validate_flow_fail(flow, "the fireball does not rise far enough");
        return;
    }
    if (validate_flow_failed(flow)) {
        return;
    }
    // The virtual beginning: where the line through the widths is 0, and that through the squares.
    double slope = validate_line(height, width, count, NULL), past = 0.0, below = 0.0;
    for (int q = 0; q < count; q++) {
        below += (width[q] / slope - height[q]) / count;
    }
    validate_note(flow, "virtual", "m", below);
    for (int q = 0; q < count; q++) {
        height[q] = (height[q] + below) * (height[q] + below);
    }
    slope = validate_line(at, height, count, NULL);
    for (int q = 0; q < count; q++) {
        past += (height[q] / slope - at[q]) / count;
    }
    for (int q = 0; q < count; q++) {
        at[q] = log(at[q] + past);
        height[q] = 0.5 * log(height[q]);
    }
    validate_note(flow, "height", "1", validate_line(at, height, count, NULL));
    validate_flow_curve(flow, "Height over time, logarithms", "ln t", "ln m", "height",
                        VALIDATE_LINE, count, at, height);
}
