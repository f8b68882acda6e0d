// measure/heated_cavity.c: a square box of air between a hot wall and a cold one, steady. With
// kappa the diffusivity of heat and L the box's width,
//
//     u_max, v_max   greatest u on x = 1/2, v on y = 1/2, in kappa / L, by a parabola
//     nusselt        heat that passes, over what air at rest would pass: mean over all the box of
//                    u T / kappa - dT/dx, T in units of the difference of the walls
//
// (G. de Vahl Davis, Int. J. Numer. Meth. Fluids 3, 1983).
#include "validate/flow.h"

#include <math.h>

/// The greatest value on a middle line, by a parabola; the line and its places besides.
static double most_on_middle(const validate_samples *s, int axis, double *value, double *at)
{
    int n = validate_middle(s, axis, value, at), best = 0;
    for (int i = 1; i < n; i++) {
        best = value[i] > value[best] ? i : best;
    }
    return validate_peak(value, n, best, NULL);
}

/// Mean of u T / kappa - dT/dx over the box, through the faces across x; walls at the two ends.
static double heat(const validate_samples *u, const validate_samples *t, double kappa,
                   const double wall[2])
{
    int nx = t->n[0], ny = t->n[1];
    double sum = 0.0, weights = 0.0;
    for (int j = 0; j < ny; j++) {
        const float *row = t->data + j * nx;
        for (int i = 0; i <= nx; i++) {
            double left = i > 0 ? (double)row[i - 1] : wall[0];
            double right = i < nx ? (double)row[i] : wall[1];
            bool inner = i > 0 && i < nx;
            // Beside a wall by the parabola through it and two samples.
            double slope = inner ? (right - left) / t->h
                           : i == 0
                               ? (-8.0 * left + 9.0 * right - (double)row[1]) / (3.0 * t->h)
                               : (8.0 * right - 9.0 * left + (double)row[nx - 2]) / (3.0 * t->h);
            double speed = (double)u->data[j * u->n[0] + i], weight = inner ? 1.0 : 0.5;
            sum += weight * (speed * 0.5 * (left + right) / kappa - slope);
            weights += weight;
        }
    }
    return sum / weights;
}

void validate_measure_heated_cavity(validate_flow *flow)
{
    double kappa = validate_flow_property(flow, "temperature.diffusivity");
    const double wall[2] = {validate_with(flow, "hot", 0.5), validate_with(flow, "cold", -0.5)};
    validate_flow_finish(flow);
    validate_samples u = validate_flow_read(flow, "velocity_x");
    validate_samples v = validate_flow_read(flow, "velocity_y");
    validate_samples t = validate_flow_read(flow, "temperature");
    if (!u.data || !v.data || !t.data || validate_flow_failed(flow)) {
        return;
    }
    int n = u.n[0] > v.n[1] ? u.n[0] : v.n[1];
    double *value = validate_flow_memory(flow, (size_t)n),
           *at = validate_flow_memory(flow, (size_t)n);
    double width = (u.n[0] - 1) * u.h;
    double most = most_on_middle(&u, 0, value, at);
    validate_note(flow, "u_max", "kappa/L", most * width / kappa);
    validate_flow_curve(flow, "Horizontal velocity on x = 1/2", "y / m", "u / (m/s)", "found",
                        VALIDATE_LINE, u.n[1], at, value);
    most = most_on_middle(&v, 1, value, at);
    validate_note(flow, "v_max", "kappa/L", most * width / kappa);
    validate_flow_curve(flow, "Vertical velocity on y = 1/2", "x / m", "v / (m/s)", "found",
                        VALIDATE_LINE, v.n[0], at, value);
    double difference = wall[0] - wall[1];
    validate_note(flow, "nusselt", "1", heat(&u, &t, kappa, wall) / difference * width);
}
