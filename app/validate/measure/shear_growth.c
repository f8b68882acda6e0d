// measure/shear_growth.c: how fast a wave grows on a layer of shear, u = U tanh(y / delta). With m
// waves along x, periodic, its size is
//
//     a = (mean over y of |mean over x of 2 v exp(-2 pi i m x / width)|^2)^(1/2) / U
//
// and what is found is the slope of ln a over time while a lies between two bounds: far above what
// else the start has in it, far below where waves feel themselves (A. Michalke, J. Fluid Mech. 19,
// 1964). The run goes on to its end, for what becomes of the wave.
#include "validate/flow.h"

#include <math.h>

static const double TURN = 6.283185307179586;

/// The size of a wave over the speed.
static double size_of(const validate_samples *v, int columns, double waves)
{
    double sum = 0.0;
    for (int j = 0; j < v->n[1]; j++) {
        double part[2] = {0.0, 0.0};
        for (int i = 0; i < columns; i++) {
            double value = (double)v->data[j * v->n[0] + i], at = TURN * waves * i / columns;
            part[0] += 2.0 * value * cos(at) / columns;
            part[1] += 2.0 * value * sin(at) / columns;
        }
        sum += (part[0] * part[0] + part[1] * part[1]) / v->n[1];
    }
    return sqrt(sum);
}

void validate_measure_shear_growth(validate_flow *flow)
{
    enum { MOST = 4096 };
    double delta = validate_with(flow, "delta", 1.0), speed = validate_with(flow, "speed", 1.0);
    double waves = validate_with(flow, "waves", 1.0), from = validate_with(flow, "from", 1e-3);
    double to = validate_with(flow, "to", 1e-2), h, origin[3], last = 0.0, off = 0.0;
    double *time = validate_flow_memory(flow, MOST), *size = validate_flow_memory(flow, MOST);
    int n[3], count = 0, first = 0, inside = 0;
    validate_flow_grid(flow, n, &h, origin);
    while (time && size && count < MOST && validate_flow_step(flow)) {
        validate_samples v = validate_flow_read(flow, "velocity_y");
        double found = v.data ? size_of(&v, n[0], waves) / speed : 0.0;
        if (!v.data || !(found > 0.0)) {
            break;
        }
        // From the first step that is beyond the lower bound to the last before the upper one.
        bool fits = last < to && found >= from && found < to;
        first = fits && inside == 0 ? count : first;
        inside += fits;
        last = fmax(last, found);
        time[count] = validate_flow_time(flow);
        size[count++] = log(found);
    }
    validate_flow_finish(flow);
    if (!validate_flow_failed(flow) && (inside < 10 || last < to)) {
        validate_flow_fail(flow, "the wave does not pass the bounds of its size");
    }
    if (validate_flow_failed(flow)) {
        return;
    }
    double growth = validate_line(time + first, size + first, inside, &off);
    validate_note(flow, "growth", "1", growth * delta / speed);
    validate_note(flow, "off_line", "1", off);
    validate_note(flow, "largest", "1", last);
    double line[2] = {size[first], size[first] + growth * (time[first + inside - 1] - time[first])};
    const double ends[2] = {time[first], time[first + inside - 1]};
    const char *title = "Size of the wave over the speed, natural logarithm";
    validate_flow_curve(flow, title, "t / s", "ln a", "found", VALIDATE_LINE, count, time, size);
    validate_flow_curve(flow, title, "t / s", "ln a", "fitted", VALIDATE_DASHES, 2, ends, line);
}
