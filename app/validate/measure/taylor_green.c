// measure/taylor_green.c: Taylor-Green vortices in 2D, u = -cos x sin y, v = sin x cos y, waves of
// 1 m, in a wind or at rest: speeds and energy against the exact flow at the end; with viscosity
// nu how fast energy E has decayed, -ln(E / E_0) / (4 nu k^2 t), which is 1.
#include "validate/flow.h"

#include <math.h>

static const double TURN = 6.283185307179586;

static double vortex(int a, double x, double y)
{
    return a == 0 ? -cos(TURN * x) * sin(TURN * y) : sin(TURN * x) * cos(TURN * y);
}

/// A component at the centre of a cell: its own sample, or from the four faces in its line, of
/// fourth order, so that what is measured is the step's error. Every side is periodic.
static double at_centre(const validate_samples *s, int a, const int n[3], int i, int j)
{
    const double middle = 0.5 * s->h;
    if (fabs(s->origin[a] - middle) < 1e-3 * s->h) {
        return (double)s->data[j * s->n[0] + i];
    }
    double f[4];
    for (int q = 0; q < 4; q++) {
        int x = a == 0 ? (i + q - 1 + n[0]) % n[0] : i, y = a == 1 ? (j + q - 1 + n[1]) % n[1] : j;
        f[q] = (double)s->data[y * s->n[0] + x];
    }
    return (9.0 * (f[1] + f[2]) - f[0] - f[3]) / 16.0;
}

void validate_measure_taylor_green(validate_flow *flow)
{
    const double wind[2] = {validate_with(flow, "wind_x", 0.0), validate_with(flow, "wind_y", 0.0)};
    const double viscosity = validate_flow_property(flow, "viscosity");
    int n[3];
    double h, origin[3], sum[2] = {0.0, 0.0}, most = 0.0, energy = 0.0;
    validate_flow_grid(flow, n, &h, origin);
    validate_flow_finish(flow);
    double time = validate_flow_time(flow), share = exp(-2.0 * viscosity * TURN * TURN * time);
    validate_samples u[2] = {validate_flow_read(flow, "velocity_x"),
                             validate_flow_read(flow, "velocity_y")};
    for (int i = 0; i < n[0] * n[1] && u[0].data && u[1].data; i++) {
        double found[2], exact[2];
        double x = (i % n[0] + 0.5) * h - wind[0] * time;
        double y = (i / n[0] + 0.5) * h - wind[1] * time;
        for (int a = 0; a < 2; a++) {
            found[a] = at_centre(&u[a], a, n, i % n[0], i / n[0]);
            exact[a] = wind[a] + share * vortex(a, x, y);
            energy += pow(found[a] - wind[a], 2.0) / (0.5 * n[0] * n[1]);
        }
        double off = fabs(hypot(found[0], found[1]) - hypot(exact[0], exact[1]));
        sum[0] += off / (n[0] * (double)n[1]);
        sum[1] += off * off / (n[0] * (double)n[1]);
        most = fmax(most, off);
    }
    validate_note(flow, "speed_error", "m/s", sqrt(sum[1]));
    validate_note(flow, "speed_error_l1", "m/s", sum[0]);
    validate_note(flow, "speed_error_max", "m/s", most);
    validate_note(flow, "energy", "1", energy);
    if (viscosity > 0.0) {
        validate_note(flow, "decay", "1", log(energy) / log(share) / 2.0);
    }
}
