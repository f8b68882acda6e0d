// measure/convection.c: a layer of height H, warm below, periodic along x. Heat passes upwards,
// over what air at rest would pass; means over the time from `from` on:
//
//     nusselt          over the whole layer: 1 + mean of v T / kappa, T over the plates' difference
//     nusselt_plates   conducted at the two plates, by the parabola through plate and two samples
//     nusselt_middle   carried and conducted through the middle
//     imbalance        |nusselt_middle / nusselt_plates - 1|
//
// with hot, cold (K, of the plates).
#include "validate/flow.h"

#include <math.h>

/// Heat passing in units of what is conducted at rest: the layer, the plates, the middle.
static void passing(const validate_samples *v, const validate_samples *t, double kappa,
                    const double wall[2], double heat[3])
{
    int nx = t->n[0], ny = t->n[1];
    double rest = (wall[0] - wall[1]) / (ny * t->h), column = 1.0 / nx;
    heat[0] = 1.0;
    heat[1] = heat[2] = 0.0;
    for (int i = 0; i < nx; i++) {
        const float *q = t->data + i;
        for (int j = 1; j < ny; j++) {
            double below = (double)q[(j - 1) * nx], above = (double)q[j * nx];
            double carried = (double)v->data[j * v->n[0] + i] * 0.5 * (below + above);
            heat[0] += column * carried / (ny * kappa * rest);
            if (2 * j == ny) {
                heat[2] += column * (carried / kappa - (above - below) / t->h) / rest;
            }
        }
        double low = (-8.0 * wall[0] + 9.0 * (double)q[0] - (double)q[nx]) / (3.0 * t->h);
        double high = (8.0 * wall[1] - 9.0 * (double)q[(ny - 1) * nx] + (double)q[(ny - 2) * nx]) /
                      (3.0 * t->h);
        heat[1] -= column * 0.5 * (low + high) / rest;
    }
}

void validate_measure_convection(validate_flow *flow)
{
    enum { MOST = 2000 };
    static const char *const names[3] = {"layer", "plates", "middle"};
    const double wall[2] = {validate_with(flow, "hot", 0.5), validate_with(flow, "cold", -0.5)};
    double kappa = validate_flow_property(flow, "temperature.diffusivity");
    double from = validate_with(flow, "from", 0.0), end = validate_flow_end(flow), next = 0.0;
    double *at = validate_flow_memory(flow, 4 * MOST), heat[3], sum[3] = {0.0, 0.0, 0.0};
    int steps = 0, points = 0;
    while (at && validate_flow_step(flow)) {
        double now = validate_flow_time(flow);
        bool shown = now >= next && points<MOST, counts = now> from;
        validate_samples v = {.data = NULL}, t = {.data = NULL};
        if (shown || counts) {
            v = validate_flow_read(flow, "velocity_y");
            t = validate_flow_read(flow, "temperature");
        }
        if (!v.data || !t.data) {
            continue;
        }
        passing(&v, &t, kappa, wall, heat);
        for (int a = 0; a < 3; a++) {
            sum[a] += counts ? heat[a] : 0.0;
            if (shown) {
                at[(a + 1) * MOST + points] = heat[a];
            }
        }
        steps += counts;
        if (shown) {
            at[points++] = now;
            next += end / MOST * 1.01;
        }
    }
    if (validate_flow_failed(flow) || steps == 0) {
        return;
    }
    validate_note(flow, "nusselt", "1", sum[0] / steps);
    validate_note(flow, "nusselt_plates", "1", sum[1] / steps);
    validate_note(flow, "nusselt_middle", "1", sum[2] / steps);
    validate_note(flow, "imbalance", "1", fabs(sum[2] / sum[1] - 1.0));
    for (int a = 0; a < 3; a++) {
        validate_flow_curve(flow, "Heat that passes", "t / s", "Nusselt number", names[a],
                            VALIDATE_LINE, points, at, at + (a + 1) * MOST);
    }
}
