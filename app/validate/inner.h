// validate/inner.h: what the files behind validate.h share.
#ifndef VALIDATE_INNER_H
#define VALIDATE_INNER_H

#include "gyre/render.h"
#include "validate/validate.h"

typedef struct validate_measure {
    char what[96], unit[16], source[256];
    double value, reference, error, tolerance;
    validate_kind kind;
    bool pass;
} validate_measure;

typedef struct validate_curve_data {
    char name[64];
    validate_style style;
    int count;
    double *x, *y;
} validate_curve_data;

/// A value as one solver, or somebody else, has it.
typedef struct validate_peer {
    char name[40], unit[16], by[64];
    char note[240];          // its source, or why there is none
    int cells;               // along x
    double value, error, ms; // NAN: none
} validate_peer;

enum { VALIDATE_PEERS = 240 };

enum { VALIDATE_CURVES = 6, VALIDATE_PLOTS = 6, VALIDATE_MEASURES = 80, VALIDATE_GRIDS = 8 };

/// What a grid of a case took.
typedef struct validate_grid_cost {
    int cells; ///< along x
    long long in_all;
    double ms; ///< a step
} validate_grid_cost;

/// What the page shows of a run.
typedef struct validate_picture {
    char of[160];
    gyre_image image;
} validate_picture;

enum { VALIDATE_PICTURES = 8 };

typedef struct validate_plot_data {
    char title[96], x_label[48], y_label[48];
    bool log_x, log_y;
    int count;
    validate_curve_data curves[VALIDATE_CURVES];
} validate_plot_data;

/// What one case came to.
typedef struct validate_result {
    const validate_case *what;
    bool pass;
    double seconds, worked; ///< that passed; of processors
    char message[512];      ///< why it could not be measured; else ""
    int measure_count, plot_count, grid_count;
    validate_grid_cost grids[VALIDATE_GRIDS];
    int picture_count;
    validate_picture pictures[VALIDATE_PICTURES];
    int peer_count;
    validate_peer peers[VALIDATE_PEERS];
    validate_measure measures[VALIDATE_MEASURES];
    validate_plot_data plots[VALIDATE_PLOTS];
} validate_result;

// Closed by a NULL name: those that cases open; those of album/, which are cases.
extern const validate_scene_text validate_scenes[];
extern const validate_scene_text validate_album[];

void validate_result_free(validate_result *result);
validate_result *validate_result_of(validate_run *run);
/// Notes a row of a comparison.
void validate_peer_add(validate_run *run, const validate_peer *peer);
bool validate_compares(const validate_run *run);
/// Whether there will be a page.
bool validate_reports(const validate_run *run);
/// Keeps a picture for the page, of that size; NULL where there is no room for one. The caller
/// draws into it.
gyre_image *validate_picture_add(validate_run *run, const char *of, int width, int height);
/// Says in place of the last picture why `by` has none.
void validate_picture_drop(validate_run *run, const char *by, const char *why);
/// Writes a picture as an <img> element that holds its file, made in that folder for a moment; or
/// why there is none.
void validate_picture_write(FILE *out, const validate_picture *picture, const char *folder);
/// Notes what a grid took.
void validate_grid_done(validate_run *run, int cells, long long in_all, double ms);

/// Says on a terminal which case is under way: some take a minute.
void validate_print_begin(const validate_case *what);
/// How far its grid of so many cells is: 0 to 1.
void validate_print_progress(const validate_case *what, int cells, double share);
void validate_print_result(const validate_result *result, const validate_options *options,
                           bool first);
void validate_print_head(const validate_options *options);
void validate_print_end(const validate_result *results, int count, double seconds,
                        const validate_options *options);
const char *validate_kind_name(validate_kind kind);

/// Makes the folder if it is not there. False after saying why.
bool validate_page_ready(const char *folder);
bool validate_page_write(const char *folder, const validate_result *results, int count,
                         double seconds, const validate_options *options);
/// Draws a plot as an <svg> element.
void validate_plot_draw(FILE *out, const validate_plot_data *plot);
/// Writes text with what XML means otherwise escaped.
void validate_escape(FILE *out, const char *text);

#endif
