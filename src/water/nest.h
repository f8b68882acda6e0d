// water/nest.h: a water that is nested in one with cells twice as large.
#ifndef GY_NEST_H
#define GY_NEST_H

#include "water/water.h"

enum {
    GY_NEST_MARGIN = 4, // cells of the coarse water that lie between its sides and the fine one
    GY_NEST_LEAST = 8   // cells of the fine water along an axis
};

/// A pair of waters. Passes are metres of a coarse cell's depth that have come into the fine water
/// since both stood at one time.
typedef struct gy_nest {
    gyre_water *fine, *coarse;
    struct gy_nest *next; // another one in the same coarse water
    size_t bytes;
    gy_water_join join;  // faces of the coarse water round the fine one; `rule` numbers them
    int low[2], high[2]; // cells of the coarse water that it covers
    int first[4], count; // the first face of a side, in order along it; of all
    int first_ghost[4];  // of a side, in the lists of ghosts
    int ghosts;          // floats of each of these
    float *old, *now, *at_present; // ghosts of the fine water at both ends of `span`; those in use
    double *coarse_pass, *fine_pass;
    double *owed;  // passes that a cell could not pay yet, for it was dry
    double span;   // s that the coarse water has been stepped
    double at;     // s that the fine water has been
    double leak;   // m of a coarse cell's depth that rounding has brought
    double ground; // the same that moves over ground that both know differently have
} gy_nest;

/// A cell of the coarse water as the fine one sees it.
typedef struct gy_nest_sample {
    float depth, q[2], bed;
    bool out;
} gy_nest_sample;

/// At the place of cell (i, j) of the fine water, which may lie beyond its sides.
gy_nest_sample gy_nest_sample_at(const gy_nest *n, int i, int j);
/// The mean of the fine water replaces the coarse cells below it, in those of a box.
void gy_nest_restrict(gy_nest *n, const int low[2], const int high[2]);
/// Where the fine water stands in the coarse one; fails where it does not lie in it.
gyre_result gy_nest_find_place(gy_nest *n);
/// What of a coarse water lies under the fine one, m of depth summed over its cells.
double gy_nest_covered(const gy_nest *n);
/// Fails where settings of both do not go together.
gyre_result gy_nest_check(const char *call, const gyre_water *fine, const gyre_water *coarse);

#endif
