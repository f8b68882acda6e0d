// validate/flow.h: flows as data. A scene file of album/ says what is known of it (its section
// "known"), a measuring function finds those values in a run, whoever computes it: gyre's gas by
// any of its schemes, the paper's own solver, or another program behind an adapter.
//
// A new flow is a file in album/. A new measure is a function and a line in validate/measures.h. A
// new program is a file with a validate_solver and a line in validate/solvers.c.
#ifndef VALIDATE_FLOW_H
#define VALIDATE_FLOW_H

#include "gyre/render.h"
#include "validate/validate.h"

/// A run of a scene on one grid by one solver.
typedef struct validate_flow validate_flow;

/// Samples of a component or scalar, x fastest; the one at (i, j, k) lies at origin + h (i, j, k).
typedef struct validate_samples {
    int n[3];
    double origin[3], h;
    const float *data; ///< until the flow is stepped or asked again for it; NULL: there is none
} validate_samples;

/// Who can compute a flow. Calls return false after validate_flow_fail().
typedef struct validate_solver {
    const char *name, *doc;
    /// Opens validate_flow_text() on so many cells along x, with steps of `dt` s. What it cannot
    /// compute it says by validate_flow_refuse().
    bool (*open)(validate_flow *flow, int cells, double dt);
    bool (*step)(validate_flow *flow);
    bool (*read)(validate_flow *flow, const char *field, validate_samples *samples);
    /// Of the body or solid of that name, N.
    bool (*push)(validate_flow *flow, const char *body, double force[3]);
    /// Of the body of that name: where it is and how it goes.
    bool (*pose)(validate_flow *flow, const char *body, gyre_pose *pose);
    /// Draws what the scene shows of it; returns why there is no picture, or NULL. May be NULL.
    const char *(*draw)(validate_flow *flow, gyre_image *image);
    void (*close)(validate_flow *flow);
    const char *option; ///< for the solver's own use: a scheme by name
} validate_solver;

extern const validate_solver validate_solvers[]; ///< closed by a NULL name
/// Programs for which there is no adapter here: "NAME: why"; closed by NULL.
extern const char *const validate_missing[];

// ---- for measuring functions: after a failure they do nothing

bool validate_flow_failed(const validate_flow *flow);
void validate_flow_fail(validate_flow *flow, const char *why);
/// A number that the scene's known.with has; without one, `otherwise`.
double validate_with(const validate_flow *flow, const char *name, double otherwise);
int validate_flow_dim(const validate_flow *flow);
/// The domain: cells, edge, lower corner; 1 cell along z in 2D.
void validate_flow_grid(const validate_flow *flow, int n[3], double *h, double origin[3]);
/// A property of the scene by path, of its first model: "viscosity".
double validate_flow_property(validate_flow *flow, const char *path);
double validate_flow_time(const validate_flow *flow); ///< s, so far
double validate_flow_end(const validate_flow *flow);  ///< s, of the whole run
/// Takes a step; false at the end of the run and after a failure.
bool validate_flow_step(validate_flow *flow);
/// Takes all that are left.
void validate_flow_finish(validate_flow *flow);
/// Begins anew on the same grid, with steps so many times as long (0.5: half of them); false after
/// a failure. The page shows pictures of the first run alone.
bool validate_flow_again(validate_flow *flow, double courant_factor);
/// Whether it is to take seconds: what needs more runs is left out.
bool validate_flow_quick(const validate_flow *flow);
/// Of the first model that has such a field, or of one by name: "turned.density".
validate_samples validate_flow_read(validate_flow *flow, const char *field);
/// Fills the line half way along an axis of a flow in 2D, the mean of the two rows beside it or the
/// row on it, and its places; returns how many there are.
int validate_middle(const validate_samples *samples, int axis, double *value, double *at);
/// The force on a body or solid of the scene, N (in 2D N per metre): of its first model, or of
/// another one by its name and a dot before that of the solid.
void validate_flow_push(validate_flow *flow, const char *body, double force[3]);
/// Where a body of the scene is now, and how it goes.
gyre_pose validate_flow_pose(validate_flow *flow, const char *body);
/// Zeroed memory until the run ends; NULL after a failure.
double *validate_flow_memory(validate_flow *flow, size_t count);
/// Notes a value of this run.
void validate_note(validate_flow *flow, const char *name, const char *unit, double value);
/// A curve for the page, of the finest grid as the scene says: into the plot of that title, which
/// is begun with its first one.
void validate_flow_curve(validate_flow *flow, const char *title, const char *x_label,
                         const char *y_label, const char *name, validate_style style, int count,
                         const double *x, const double *y);

/// A measuring function by name.
typedef struct validate_measuring {
    const char *name, *doc;
    void (*take)(validate_flow *flow);
} validate_measuring;

extern const validate_measuring validate_measurings[]; ///< closed by a NULL name

// ---- for solvers

/// The scene file, and its path, or what messages call it.
const char *validate_flow_text(const validate_flow *flow, size_t *size, const char **name);
const validate_solver *validate_flow_solver(const validate_flow *flow);
gyre_device *validate_flow_device(const validate_flow *flow);
/// What the solver keeps of the run.
void validate_flow_keep(validate_flow *flow, void *state);
void *validate_flow_state(const validate_flow *flow);
/// Says that the solver cannot compute this flow, and why.
void validate_flow_refuse(validate_flow *flow, const char *why);

// ---- for the command

/// Measures a scene of album/: the function of a case that has one.
void validate_scene_case(validate_run *run);
#endif
