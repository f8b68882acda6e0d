// validate/flow_inner.h: what the files share that run flows: what a flow is, what was found of it.
#ifndef VALIDATE_FLOW_INNER_H
#define VALIDATE_FLOW_INNER_H

#include "validate/flow.h"
#include "validate/inner.h"

enum { NOTES = 64, TITLES = VALIDATE_PLOTS, SIZES = VALIDATE_GRIDS };

typedef struct note {
    char name[40], unit[16];
    int cells;
    double value;
} note;

/// What all runs of a scene have come to.
typedef struct findings {
    int count;
    note notes[NOTES];
    char titles[TITLES][96]; // of plots that were begun
    int title_count;
} findings;

struct validate_flow {
    validate_run *run;
    gyre_scene *scene; // as written, for what is asked of it
    const validate_scene_text *text;
    const validate_solver *solver;
    void *state;
    findings *found;
    int cells;
    bool finest, failed, refused;
    bool again; // a later run on the same grid, of which the page shows nothing
    int drawn;  // pictures of the finest grid
    char why[240];
    double dt, end, seconds;
    int64_t steps, done, in_all; // in_all: by all runs on the grid
};

const gyre_known *validate_flow_known(const validate_flow *flow);
/// How far a value is from what is known of it; of an error it is that itself.
double validate_flow_miss(const gyre_known_value *value, double found);
/// Runs the flow on each of its grids; what it has found is in its findings.
void validate_flow_run(validate_flow *flow, const validate_measuring *measuring, const int *sizes,
                       int count);
/// The flow by every solver, then what others are said to have.
void validate_flow_compare(validate_flow *flow, const validate_measuring *measuring,
                           const int *sizes, int count);

#endif
