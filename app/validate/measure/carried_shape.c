// measure/carried_shape.c: a shape that is carried by a wind and comes back to where it was: with
// a the density at the start and b that at the end,
//
//     l1        sum |b - a| / sum a
//     l2        (sum (b - a)^2 / sum a^2)^(1/2)
//     area      cells where b >= 1/2 over those where a is
//     total     sum b / sum a - 1
//     outside   how far b is below the least a or above the greatest
//
// (S. T. Zalesak, J. Comput. Phys. 31, 1979; R. J. LeVeque, SIAM J. Numer. Anal. 33, 1996).
#include "validate/flow.h"

#include <math.h>

void validate_measure_carried_shape(validate_flow *flow)
{
    double sum[6] = {0.0}, least = INFINITY, most = -INFINITY, out = 0.0;
    validate_samples a = validate_flow_read(flow, "density");
    int count = a.n[0] * a.n[1] * a.n[2];
    double *start = validate_flow_memory(flow, (size_t)(a.data ? count : 1));
    for (int i = 0; i < count && a.data && start; i++) {
        start[i] = (double)a.data[i];
        least = fmin(least, start[i]);
        most = fmax(most, start[i]);
    }
    validate_flow_finish(flow);
    validate_samples b = validate_flow_read(flow, "density");
    for (int i = 0; i < count && b.data && start; i++) {
        double is = (double)b.data[i], was = start[i];
        sum[0] += fabs(is - was);
        sum[1] += (is - was) * (is - was);
        sum[2] += was;
        sum[3] += was * was;
        sum[4] += is - was;
        // Cells half full count as what is inside.
        sum[5] += (is >= 0.5) - (was >= 0.5);
        out = fmax(out, fmax(least - is, is - most));
    }
    double inside = 0.0;
    for (int i = 0; i < count && start; i++) {
        inside += start[i] >= 0.5;
    }
    if (!validate_flow_failed(flow) && !(sum[2] > 0.0 && inside > 0.0)) {
        validate_flow_fail(flow, "nothing is carried");
    }
    validate_note(flow, "l1", "1", sum[0] / sum[2]);
    validate_note(flow, "l2", "1", sqrt(sum[1] / sum[3]));
    validate_note(flow, "area", "1", 1.0 + sum[5] / inside);
    validate_note(flow, "total", "1", sum[4] / sum[2]);
    validate_note(flow, "outside", "1", out);
}
