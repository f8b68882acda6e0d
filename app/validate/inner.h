// validate/inner.h: what the files behind validate.h share.
#ifndef VALIDATE_INNER_H
#define VALIDATE_INNER_H

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

enum { VALIDATE_CURVES = 6, VALIDATE_PLOTS = 6, VALIDATE_MEASURES = 80 };

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
    double seconds;
    char message[512]; ///< why it could not be measured; else ""
    int measure_count, plot_count;
    validate_measure measures[VALIDATE_MEASURES];
    validate_plot_data plots[VALIDATE_PLOTS];
} validate_result;

/// A scene file that was built in.
typedef struct validate_scene_text {
    const char *name;
    const unsigned char *text;
    size_t size;
} validate_scene_text;

extern const validate_scene_text validate_scenes[]; // closed by a NULL name

void validate_result_free(validate_result *result);

/// Says on a terminal which case is under way: some take a minute.
void validate_print_begin(const validate_case *what);
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
