// measure/twins.c: a flow in 2D beside itself, mirrored (x to W - x) and turned (x, y to H - y, x):
// three models of one scene, "original", "mirrored" and "turned". What each has at the end,
// mirrored or turned back, is compared:
//
//     mirrored_speed, turned_speed       greatest difference over the greatest speed
//     mirrored_density, turned_density   greatest difference over the greatest density
#include "validate/flow.h"

#include <math.h>

/// A field of one against that of its twin, sample by sample.
static double compare(validate_flow *flow, const char *field, const char *twin, double sign,
                      bool turned, double *most)
{
    validate_samples a = validate_flow_read(flow, field), b = validate_flow_read(flow, twin);
    double off = 0.0;
    if (!a.data || !b.data) {
        return NAN;
    }
    if (b.n[0] != a.n[turned ? 1 : 0] || b.n[1] != a.n[turned ? 0 : 1]) {
        validate_flow_fail(flow, "the twins' grids do not match");
        return NAN;
    }
    for (int j = 0; j < a.n[1]; j++) {
        for (int i = 0; i < a.n[0]; i++) {
            int x = turned ? a.n[1] - 1 - j : a.n[0] - 1 - i, y = turned ? i : j;
            double one = (double)a.data[j * a.n[0] + i];
            double other = sign * (double)b.data[y * b.n[0] + x];
            off = fmax(off, fabs(one - other));
            *most = fmax(*most, fabs(one));
        }
    }
    return off;
}

static void note(validate_flow *flow, const char *name, double off, double most)
{
    if (!validate_flow_failed(flow) && !(most > 0.0)) {
        validate_flow_fail(flow, "there is nothing to compare");
    }
    validate_note(flow, name, "1", off / most);
}

void validate_measure_twins(validate_flow *flow)
{
    double speed = 0.0, density = 0.0;
    validate_flow_finish(flow);
    double x = compare(flow, "original.velocity_x", "mirrored.velocity_x", -1.0, false, &speed);
    double y = compare(flow, "original.velocity_y", "mirrored.velocity_y", 1.0, false, &speed);
    double d = compare(flow, "original.density", "mirrored.density", 1.0, false, &density);
    note(flow, "mirrored_speed", fmax(x, y), speed);
    note(flow, "mirrored_density", d, density);
    x = compare(flow, "original.velocity_x", "turned.velocity_y", 1.0, true, &speed);
    y = compare(flow, "original.velocity_y", "turned.velocity_x", -1.0, true, &speed);
    d = compare(flow, "original.density", "turned.density", 1.0, true, &density);
    note(flow, "turned_speed", fmax(x, y), speed);
    note(flow, "turned_density", d, density);
}
