// validate/crest.h: crests of waves that begin to break. For test_weggel, too.
#ifndef VALIDATE_CREST_H
#define VALIDATE_CREST_H

#include "gyre/water.h"

#include <math.h>
#include <stdbool.h>

/// A crest at the moment at which its front is found.
typedef struct crest {
    double x, height; // m: where it is; over the still water
} crest;

/// Whether a front began to break in a step of dt that has just been made, and goes towards +x. By
/// its age, for a line has its id since it was watched: one that breaks later may have a lower one.
static inline bool begins_to_break(const gyre_water_front *front, double dt)
{
    return (double)front->age < 0.999 * dt && front->normal[0] > 0.0f;
}

/// The highest cell of the metre behind a place, of cells h wide from 0 on.
static inline crest crest_behind(const float *depth, const float *bed, double h, double x)
{
    int at = (int)(x / h), back = (int)(1.0 / h), best = at;
    for (int i = at; i > at - back && i >= 0; i--) {
        best = depth[i] + bed[i] > depth[best] + bed[best] ? i : best;
    }
    return (crest){(best + 0.5) * h, (double)(depth[best] + bed[best])};
}

/// The middle one of crests, by place, which it sorts them by.
static inline crest middle_crest(crest *at, int count)
{
    for (int k = 1; k < count; k++) {
        for (int q = k; q > 0 && at[q].x < at[q - 1].x; q--) {
            crest own = at[q];
            at[q] = at[q - 1];
            at[q - 1] = own;
        }
    }
    return count > 0 ? at[count / 2] : (crest){0};
}

/// Weggel's index, H / d of waves `height` high that break on a slope.
static inline double weggel_index(double slope, double height, double period)
{
    double a = 43.75 * (1.0 - exp(-19.0 * slope)), b = 1.56 / (1.0 + exp(-19.5 * slope));
    return b - a * height / (9.81 * period * period);
}

#endif
