// measure/decay.c: how fast the Taylor-Green vortex in 3D loses its energy: -dE/dt, E the mean of
// |u|^2 / 2 by the velocities on faces, over 0.2 s at a time; its peak and when that is. The page
// shows it beside the curve at Re 1600, L = V = 1.
//
// Costs a pass over the velocities a step.
#include "validate/flow.h"

#include <math.h>

/// The published run's -dE/dt, every 0.5 s from 0: by spectra of 512^3 modes.
static const double published[] = {0.00047, 0.00048, 0.00052, 0.00059, 0.00071, 0.00088, 0.00113,
                                   0.00148, 0.00207, 0.00306, 0.00413, 0.00487, 0.00553, 0.00663,
                                   0.00736, 0.00873, 0.01037, 0.01192, 0.01285, 0.01173, 0.01127,
                                   0.01089, 0.01010, 0.00921, 0.00836};

/// A component's part of the mean energy. Faces on walls and such that periodic sides have twice
/// count by half.
static double energy_of(const validate_samples *s, int axis, const int n[3])
{
    double sum = 0.0;
    for (int k = 0; k < s->n[2] && s->data; k++) {
        for (int j = 0; j < s->n[1]; j++) {
            for (int i = 0; i < s->n[0]; i++) {
                int at = axis == 0 ? i : axis == 1 ? j : k;
                bool rim = s->n[axis] > n[axis] && (at == 0 || at == n[axis]);
                double u = (double)s->data[(k * s->n[1] + j) * s->n[0] + i];
                sum += (rim ? 0.25 : 0.5) * u * u;
            }
        }
    }
    return sum / ((double)n[0] * n[1] * n[2]);
}

static double energy_now(validate_flow *flow, const int n[3])
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    double sum = 0.0;
    for (int a = 0; a < validate_flow_dim(flow); a++) {
        validate_samples s = validate_flow_read(flow, names[a]);
        sum += energy_of(&s, a, n);
    }
    return sum;
}

static void show(validate_flow *flow, int count, const double *at, const double *loss)
{
    static const char title[] = "Loss of energy";
    enum { POINTS = sizeof published / sizeof *published };
    double time[POINTS];
    int points = 0;
    while (points < POINTS && 0.5 * points <= validate_flow_end(flow)) {
        time[points] = 0.5 * points;
        points++;
    }
    validate_flow_curve(flow, title, "t", "-dE/dt", "measured", VALIDATE_LINE, count, at, loss);
    validate_flow_curve(flow, title, "t", "-dE/dt", "512^3 modes", VALIDATE_POINTS, points, time,
                        published);
}

void validate_measure_decay(validate_flow *flow)
{
    enum { MOST = 8192 };
    double *time = validate_flow_memory(flow, MOST), *energy = validate_flow_memory(flow, MOST);
    double *at = validate_flow_memory(flow, MOST), *loss = validate_flow_memory(flow, MOST);
    double h, origin[3], place;
    int n[3], count = 1, points = 0, best = 0, wide = 1;
    validate_flow_grid(flow, n, &h, origin);
    if (!time || !energy || !at || !loss) {
        return;
    }
    // The start becomes free of divergence with the first step.
    for (energy[0] = energy_now(flow, n); count < MOST && validate_flow_step(flow); count++) {
        time[count] = validate_flow_time(flow);
        energy[count] = energy_now(flow, n);
    }
    wide = count > 1 ? (int)ceil(0.1 / time[1] - 1e-6) : 1;
    for (int i = wide; i + wide < count; i += wide) {
        at[points] = time[i];
        loss[points] = (energy[i - wide] - energy[i + wide]) / (time[i + wide] - time[i - wide]);
        best = loss[points] > loss[best] ? points : best;
        points++;
    }
    if (points < 3) {
        validate_flow_fail(flow, "the run is too short for a loss of energy");
        return;
    }
    validate_note(flow, "peak", "V^3/L", validate_peak(loss, points, best, &place));
    validate_note(flow, "peak_time", "L/V", at[0] + place * (at[1] - at[0]));
    validate_note(flow, "energy", "1", energy[count - 1] / energy[0]);
    show(flow, points, at, loss);
}
