// validate/validate.h: known answers that the models are held against. A case is a scene in
// validate/scene/, one measuring function and one line in validate/cases.h; doc/validate.md has a
// worked example.
#ifndef VALIDATE_H
#define VALIDATE_H

#include "gyre/gyre.h"
#include "gyre/scene.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct validate_run validate_run;

/// How a value is held against its reference. The error must not exceed the tolerance.
typedef enum validate_kind {
    VALIDATE_RELATIVE, ///< |value - reference| / |reference|
    VALIDATE_ABSOLUTE, ///< |value - reference|
    VALIDATE_AT_LEAST, ///< what is missing: reference - value where that is above 0
    VALIDATE_AT_MOST   ///< what is too much: value - reference where that is above 0
} validate_kind;

/// A scene file.
typedef struct validate_scene_text {
    const char *name;
    const unsigned char *text;
    size_t size;
    const char *file; ///< its path; NULL: it was built in
} validate_scene_text;

typedef struct validate_case {
    const char *name, *doc, *source;
    bool quick; ///< whether --quick runs it
    bool dear;  ///< whether --overnight alone runs it
    void (*measure)(validate_run *run);
    const validate_scene_text *scene; ///< of album/; NULL: what `measure` opens
} validate_case;

/// All cases: those of validate/cases.h, then the scenes of album/.
const validate_case *validate_case_list(int *count);
/// A case of a scene file of the user's, for as long as the program; NULL with gyre_message().
const validate_case *validate_case_load(const char *path);

/// How long a run may take: seconds a case, minutes, hours.
typedef enum validate_tier { VALIDATE_QUICK, VALIDATE_FULL, VALIDATE_OVERNIGHT } validate_tier;

// ---- for measuring functions
//
// The first failure of a call below is kept: the case has failed, the calls that follow do nothing
// (pointers are NULL), and what is expected is no longer noted. So a measuring function asks only
// where it would use a pointer.

/// Whether sizes that take seconds are to be left out.
bool validate_quick(const validate_run *run);
validate_tier validate_tier_of(const validate_run *run);
const validate_case *validate_case_of(const validate_run *run);
gyre_device *validate_device(const validate_run *run);
bool validate_failed(const validate_run *run);
/// Says why the case cannot be measured, from gyre_message() with a NULL `why`.
void validate_fail(validate_run *run, const char *why);

/// Opens validate/scene/NAME.json with some properties changed ("gas.grid.h=0.1"; the list ends
/// with NULL) and creates its models; the scene opened before is closed.
gyre_model *validate_open(validate_run *run, const char *name, const char *const *changes);
/// The same from values: the grid of n[0] x n[1] cells of edge h, of the scene's first model.
gyre_model *validate_open_grid(validate_run *run, const char *name, int nx, int ny, double h,
                               const char *const *changes);
/// Makes a model of a type from a def in the library's own terms, for what a scene file cannot say;
/// it then steps by validate_step_by() alone.
gyre_model *validate_create(validate_run *run, const char *type, const void *def);
/// Reads a scene, of validate/scene/ or a shipped one of gas, for a case to change and create
/// itself; NULL after a failure. The run owns it.
gyre_scene *validate_parse(validate_run *run, const char *name);
/// The same of a scene that was built in.
gyre_scene *validate_parse_text(validate_run *run, const validate_scene_text *text);
/// The model that was opened last; NULL after a failure.
gyre_model *validate_model(validate_run *run);
/// Seconds of the scene's step and the steps of its whole run.
double validate_dt(const validate_run *run);
int validate_steps_in_all(const validate_run *run);
/// Takes steps of the scene's length, timeline included.
void validate_step(validate_run *run, int steps);
/// Takes one step of a given length; past the timeline.
void validate_step_by(validate_run *run, double dt);

/// A number of the model's statistics by name; NaN after a failure, which a name that is not there
/// is.
double validate_statistic(validate_run *run, const char *name);
/// A copy of a field, x fastest, `n` samples along each axis (may be NULL). Lives until the case
/// ends.
const float *validate_read(validate_run *run, const char *field, int n[3]);
/// Fills a field from a function of the place in metres.
void validate_write(validate_run *run, const char *field,
                    double value(const void *argument, const double at[3]), const void *argument);
/// Zeroed memory until the case ends.
void *validate_memory(validate_run *run, size_t count, size_t size);

/// Notes a value. `source` is where the reference comes from; NULL: as the case says.
void validate_expect(validate_run *run, const char *what, const char *unit, double value,
                     double reference, validate_kind kind, double tolerance, const char *source);

typedef enum validate_style { VALIDATE_LINE, VALIDATE_POINTS, VALIDATE_DASHES } validate_style;

/// Begins a plot; curves go into the last one. Labels may hold units. Points that a logarithmic
/// axis cannot show are left out.
void validate_plot(validate_run *run, const char *title, const char *x_label, const char *y_label);
void validate_plot_logarithmic(validate_run *run, bool x, bool y);
void validate_curve(validate_run *run, const char *name, validate_style style, int count,
                    const double *x, const double *y);

// ---- small mathematics that several cases need

/// The extremum of samples round `at` by the parabola through three of them: value; place in
/// samples goes to `place` (may be NULL).
double validate_peak(const double *y, int count, int at, double *place);
/// The slope of the line through some points that is nearest to them; how far they lie off it (root
/// mean square) goes to `off` (may be NULL).
double validate_line(const double *x, const double *y, int count, double *off);
/// The order with which errors fall between two sizes.
double validate_order(double coarse, double fine, double ratio);

// ---- for the command

typedef struct validate_options {
    validate_tier tier;
    bool json;
    bool peers;             ///< flows by every solver, side by side, in place of what is expected
    double tolerance;       ///< times every tolerance; 1
    gyre_device_def device; ///< what to compute on
    const char *report;     ///< folder of the page; NULL: none
} validate_options;

/// Runs some cases and prints what they found. 0: all passed; 1: not.
int validate_all(const validate_case *const *cases, int count, const validate_options *options);
void validate_print_list(bool json);
/// Names the measures that scenes of album/ may ask for.
void validate_print_measures(void);

#endif
