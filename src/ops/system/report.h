// ops/system/report.h: what sums of squares and means say of a linear system, for its report.
#ifndef GY_REPORT_H
#define GY_REPORT_H

#include "ops/system/args.h"

/// What is to be solved has this sum of squares.
GY_INLINE void gy_report_set_reference(gy_report *r, double reference)
{
    r->reference = reference;
    r->busy = reference > 0.0;
    r->idle = r->done = !r->busy;
}

/// After a round of taking means off.
GY_INLINE void gy_report_set_balanced(gy_report *r, double before)
{
    // Where b was little but its means, rounding leaves means again.
    r->balanced = r->reference > 1e-4 * before;
    r->steady |= r->balanced;
}

/// A mean worth taking off.
GY_INLINE double gy_worth(double mean, double rms)
{
    return mean > 1e-7 * rms || mean < -1e-7 * rms ? mean : 0.0;
}

/// `amount` is to be taken off; changes: or other means are. sum: as balance leaves it.
GY_INLINE void gy_report_set_means(gy_report *r, double amount, bool changes, const double sum[3])
{
    double before = r->reference;
    r->amount = (float)amount;
    r->steady = !changes;
    if (r->steady) {
        gy_report_set_reference(r, sum[2] > 0.0 ? sum[1] : before);
        gy_report_set_balanced(r, before);
    }
}

#endif
