// measure/plate.c: a plate of length `length` along a stream of speed U between sides that slip, in
// 2D. Once nothing changes any more, its drag is what the stream loses of momentum between two
// places,
//
//     D = integral over y at x = before of (p + rho u^2) - the same at x = behind
//
// as nothing passes the sides and viscous stresses along x are nothing there. At the end:
//
//     drag    D over rho U^2 length / 2
//     change  of that since four fifths of the time, over it: whether it is steady
#include "validate/flow.h"

#include <math.h>

/// The flux of momentum along x through a line of faces, over the density, between two cells.
static double flux_at(const validate_samples *u, const validate_samples *p, double x, double rho)
{
    int i = (int)lround((x - u->origin[0]) / u->h);
    double sum = 0.0;
    for (int j = 0; j < p->n[1]; j++) {
        double speed = (double)u->data[j * u->n[0] + i];
        const float *pressure = p->data + j * p->n[0] + i;
        sum += u->h * (0.5 * ((double)pressure[-1] + (double)pressure[0]) / rho + speed * speed);
    }
    return sum;
}

static double drag_now(validate_flow *flow)
{
    double rho = validate_flow_property(flow, "air_density"),
           speed = validate_with(flow, "speed", 1.0);
    validate_samples u = validate_flow_read(flow, "velocity_x");
    validate_samples p = validate_flow_read(flow, "pressure");
    if (!u.data || !p.data) {
        return 0.0;
    }
    double lost = flux_at(&u, &p, validate_with(flow, "before", -1.0), rho) -
                  flux_at(&u, &p, validate_with(flow, "behind", 2.0), rho);
    return lost / (0.5 * speed * speed * validate_with(flow, "length", 1.0));
}

void validate_measure_plate(validate_flow *flow)
{
    double late = 0.8 * validate_flow_end(flow), before = 0.0;
    bool taken = false;
    while (validate_flow_step(flow)) {
        if (!taken && validate_flow_time(flow) >= late) {
            before = drag_now(flow);
            taken = true;
        }
    }
    double drag = drag_now(flow);
    validate_note(flow, "drag", "1", drag);
    validate_note(flow, "change", "1", drag != 0.0 ? fabs(before / drag - 1.0) : 1.0);
}
