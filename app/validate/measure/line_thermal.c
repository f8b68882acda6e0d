// measure/line_thermal.c: a body of warm air, a line in 2D, that is let go and rises. What it draws
// in goes as its own speed, and its buoyancy stays, so that over the time t since then, far from
// where it was,
//
//     front  ~ t^(2/3)     the uppermost place that is warm, over the place where it was
//     height ~ t^(2/3)     of its heat's middle
//     width  ~ height      root mean square of x and y over the heat
//
// (J. M. Richards, Int. J. Air Water Pollut. 7, 1963: lines; R. S. Scorer, J. Fluid Mech. 2, 1957).
// What is found are the exponents of means over all models of the scene, draws that begin a little
// unlike each other, "a", "b" and so on: while the mean height goes from `low` to `high` m.
#include "validate/flow.h"

#include <math.h>

enum { STEPS = 16384 };

typedef struct thermal {
    double front, height, width;
} thermal;

static thermal look(const validate_samples *t, double source)
{
    double sum[4] = {0.0}, most = 0.0;
    thermal found = {0.0, 0.0, 0.0};
    for (int j = 0; j < t->n[1]; j++) {
        double row = 0.0, y = t->origin[1] + j * t->h - source;
        for (int i = 0; i < t->n[0]; i++) {
            double warm = (double)t->data[j * t->n[0] + i], x = t->origin[0] + i * t->h;
            row += warm;
            sum[0] += warm;
            sum[1] += warm * x;
            sum[2] += warm * y;
            sum[3] += warm * (x * x + y * y);
        }
        most = fmax(most, row);
        found.front = row > 0.05 * most ? y : found.front;
    }
    double x = sum[1] / sum[0];
    found.height = sum[2] / sum[0];
    found.width = sqrt(sum[3] / sum[0] - x * x - found.height * found.height);
    return found;
}

/// The mean of all draws.
static thermal mean_of(validate_flow *flow, int draws, double source)
{
    thermal sum = {0.0, 0.0, 0.0};
    for (int d = 0; d < draws; d++) {
        const char name[] = {
            (char)('a' + d), '.', 't', 'e', 'm', 'p', 'e', 'r', 'a', 't', 'u', 'r', 'e', 0};
        validate_samples t = validate_flow_read(flow, name);
        if (t.data) {
            thermal one = look(&t, source);
            sum.front += one.front / draws;
            sum.height += one.height / draws;
            sum.width += one.width / draws;
        }
    }
    return sum;
}

void validate_measure_line_thermal(validate_flow *flow)
{
    double source = validate_with(flow, "source", 0.0), low = validate_with(flow, "low", 0.3);
    double high = validate_with(flow, "high", 1.0);
    double *at = validate_flow_memory(flow, STEPS), *front = validate_flow_memory(flow, STEPS);
    double *middle = validate_flow_memory(flow, STEPS), *width = validate_flow_memory(flow, STEPS);
    int count = 0, draws = (int)validate_with(flow, "draws", 1.0);
    bool arrived = false;
    while (at && front && middle && width && count < STEPS && validate_flow_step(flow)) {
        if (arrived) {
            continue;
        }
        thermal is = mean_of(flow, draws, source);
        arrived = is.height > high;
        if (is.height > low && !arrived) {
            at[count] = log(validate_flow_time(flow));
            front[count] = log(is.front);
            middle[count] = log(is.height);
            width[count++] = log(is.width);
        }
    }
    if (!validate_flow_failed(flow) && (count < 8 || !arrived)) {
        validate_flow_fail(flow, "the thermal does not rise far enough");
        return;
    }
    validate_note(flow, "front", "1", validate_line(at, front, count, NULL));
    validate_note(flow, "height", "1", validate_line(at, middle, count, NULL));
    validate_note(flow, "width", "1", validate_line(middle, width, count, NULL));
    const char *title = "Front, height and width over time, logarithms";
    validate_flow_curve(flow, title, "ln t", "ln m", "front", VALIDATE_LINE, count, at, front);
    validate_flow_curve(flow, title, "ln t", "ln m", "height", VALIDATE_LINE, count, at, middle);
    validate_flow_curve(flow, title, "ln t", "ln m", "width", VALIDATE_LINE, count, at, width);
}
