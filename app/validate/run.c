// validate/run.c: runs cases; what measuring functions call.
#define _POSIX_C_SOURCE 200809L
#include "validate/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// A piece of memory that lives as long as the case.
typedef struct piece {
    struct piece *next;
    double align[];
} piece;

struct validate_run {
    const validate_options *options;
    validate_result *result;
    gyre_device *device;
    gyre_scene *scene;
    gyre_model *made;  // without a scene
    gyre_model *model; // the scene's first, or `made`
    piece *pieces;
    bool failed;
};

bool validate_quick(const validate_run *run)
{
    return run->options->tier == VALIDATE_QUICK;
}

validate_tier validate_tier_of(const validate_run *run)
{
    return run->options->tier;
}

const validate_case *validate_case_of(const validate_run *run)
{
    return run->result->what;
}

validate_result *validate_result_of(validate_run *run)
{
    return run->result;
}

bool validate_compares(const validate_run *run)
{
    return run->options->peers;
}

void validate_peer_add(validate_run *run, const validate_peer *peer)
{
    validate_result *r = run->result;
    if (r->peer_count == VALIDATE_PEERS) {
        validate_fail(run, "more rows to compare than there is room for");
        return;
    }
    r->peers[r->peer_count++] = *peer;
}

bool validate_reports(const validate_run *run)
{
    return run->options->report != NULL;
}

gyre_image *validate_picture_add(validate_run *run, const char *of, int width, int height)
{
    validate_result *r = run->result;
    if (run->failed || r->picture_count == VALIDATE_PICTURES) {
        return NULL;
    }
    validate_picture *p = &r->pictures[r->picture_count];
    if (gyre_image_create(width, height, &p->image)) {
        validate_fail(run, NULL);
        return NULL;
    }
    snprintf(p->of, sizeof p->of, "%s", of);
    r->picture_count++;
    return &p->image;
}

void validate_picture_drop(validate_run *run, const char *by, const char *why)
{
    validate_result *r = run->result;
    validate_picture *p = &r->pictures[r->picture_count - 1];
    gyre_image_free(&p->image);
    memset(&p->image, 0, sizeof p->image);
    snprintf(p->of, sizeof p->of, "%.40s: %.110s", by, why);
}

void validate_grid_done(validate_run *run, int cells, long long in_all, double ms)
{
    validate_result *r = run->result;
    if (r->grid_count < VALIDATE_GRIDS) {
        r->grids[r->grid_count++] = (validate_grid_cost){cells, in_all, ms};
    }
}

gyre_device *validate_device(const validate_run *run)
{
    return run->device;
}

bool validate_failed(const validate_run *run)
{
    return run->failed;
}

void validate_fail(validate_run *run, const char *why)
{
    if (!run->failed) {
        snprintf(run->result->message, sizeof run->result->message, "%s",
                 why ? why : gyre_message());
    }
    run->failed = true;
}

void *validate_memory(validate_run *run, size_t count, size_t size)
{
    if (run->failed) {
        return NULL;
    }
    piece *p =
        count < (SIZE_MAX / 2 - sizeof *p) / size ? calloc(1, sizeof *p + count * size) : NULL;
    if (!p) {
        validate_fail(run, "there is not enough memory");
        return NULL;
    }
    p->next = run->pieces;
    run->pieces = p;
    return p->align;
}

static void free_pieces(validate_run *run)
{
    while (run->pieces) {
        piece *next = run->pieces->next;
        free(run->pieces);
        run->pieces = next;
    }
}

// ---- scenes

static void close_models(validate_run *run)
{
    gyre_model_destroy(run->made);
    gyre_scene_destroy(run->scene);
    run->scene = NULL;
    run->made = run->model = NULL;
}

static bool parse_text(validate_run *run, const char *folder, const validate_scene_text *s)
{
    char file[96];
    snprintf(file, sizeof file, "%s/%s.json", folder, s->name);
    if (gyre_scene_parse((const char *)s->text, s->size, s->file ? s->file : file, &run->scene)) {
        validate_fail(run, NULL);
    }
    return !run->failed;
}

static bool parse(validate_run *run, const char *name)
{
    close_models(run);
    for (const validate_scene_text *s = validate_scenes; s->name && !run->failed; s++) {
        if (strcmp(s->name, name) == 0) {
            return parse_text(run, "validate/scene", s);
        }
    }
    char why[160];
    snprintf(why, sizeof why, "there is no scene validate/scene/%s.json", name);
    validate_fail(run, why);
    return false;
}

gyre_scene *validate_parse(validate_run *run, const char *name)
{
    return !run->failed && parse(run, name) ? run->scene : NULL;
}

gyre_scene *validate_parse_text(validate_run *run, const validate_scene_text *text)
{
    close_models(run);
    return !run->failed && parse_text(run, "album", text) ? run->scene : NULL;
}

static gyre_model *create(validate_run *run, const char *const *changes)
{
    for (; changes && *changes && !run->failed; changes++) {
        if (gyre_scene_assign(run->scene, *changes)) {
            validate_fail(run, NULL);
        }
    }
    if (run->failed || gyre_scene_create(run->scene, run->device)) {
        validate_fail(run, NULL);
        return NULL;
    }
    return run->model = gyre_scene_model(run->scene, 0);
}

gyre_model *validate_create(validate_run *run, const char *type, const void *def)
{
    close_models(run);
    if (!run->failed && gyre_model_create(run->device, type, def, &run->made)) {
        validate_fail(run, NULL);
    }
    return run->model = run->made;
}

gyre_model *validate_open(validate_run *run, const char *name, const char *const *changes)
{
    return !run->failed && parse(run, name) ? create(run, changes) : NULL;
}

gyre_model *validate_open_grid(validate_run *run, const char *name, int nx, int ny, double h,
                               const char *const *changes)
{
    if (run->failed || !parse(run, name)) {
        return NULL;
    }
    char text[128];
    const char *model = gyre_scene_model_name(run->scene, 0);
    snprintf(text, sizeof text, "%.60s.grid.n=%d,%d,1", model, nx, ny);
    gyre_result r = gyre_scene_assign(run->scene, text);
    snprintf(text, sizeof text, "%.60s.grid.h=%.9g", model, h);
    if (r || gyre_scene_assign(run->scene, text)) {
        validate_fail(run, NULL);
        return NULL;
    }
    return create(run, changes);
}

gyre_model *validate_model(validate_run *run)
{
    return run->failed ? NULL : run->model;
}

double validate_dt(const validate_run *run)
{
    return run->scene ? (double)gyre_scene_dt(run->scene) : 0.0;
}

int validate_steps_in_all(const validate_run *run)
{
    if (!run->scene) {
        return 0;
    }
    const gyre_scene_time *t = &gyre_scene_get_settings(run->scene)->time;
    return t->frames * t->steps_per_frame;
}

void validate_step(validate_run *run, int steps)
{
    for (int i = 0; i < steps && !run->failed; i++) {
        if (!run->scene || gyre_scene_step(run->scene)) {
            validate_fail(run, run->scene ? NULL : "there is no scene whose steps could be taken");
        }
    }
}

void validate_step_by(validate_run *run, double dt)
{
    if (!run->failed && gyre_model_step(run->model, (float)dt)) {
        validate_fail(run, NULL);
    }
}

double validate_statistic(validate_run *run, const char *name)
{
    const void *stats = NULL;
    const gyre_property *table = run->failed ? NULL : gyre_model_stats(run->model, &stats);
    const gyre_property *line = table ? gyre_property_find(table, name) : NULL;
    gyre_value value;
    if (!line || gyre_property_read(line, (const char *)stats + line->offset, &value)) {
        char why[96];
        snprintf(why, sizeof why, "there is no statistic \"%.40s\"", name);
        validate_fail(run, line || run->failed ? NULL : why);
        return NAN;
    }
    return value.number[0];
}

static gyre_model *map(validate_run *run, const char *field, gyre_access access, int *index,
                       gyre_field_view *view)
{
    gyre_model *model = run->failed ? NULL : run->model;
    *index = model ? gyre_model_field(model, field) : -1;
    if (*index < 0 || gyre_model_map(model, *index, access, view)) {
        validate_fail(run, NULL);
        return NULL;
    }
    return model;
}

const float *validate_read(validate_run *run, const char *field, int n[3])
{
    gyre_field_view view;
    int index;
    gyre_model *model = map(run, field, GYRE_READ, &index, &view);
    if (!model) {
        return NULL;
    }
    size_t row = (size_t)view.n[0], rows = (size_t)view.n[1] * (size_t)view.n[2];
    float *data = validate_memory(run, row * rows, sizeof *data);
    for (int k = 0; k < view.n[2] && data; k++) {
        for (int j = 0; j < view.n[1]; j++) {
            memcpy(data + ((size_t)k * (size_t)view.n[1] + (size_t)j) * row,
                   view.data + j * view.stride[1] + k * view.stride[2], row * sizeof *data);
        }
    }
    if (n) {
        memcpy(n, view.n, sizeof view.n);
    }
    if (gyre_model_unmap(model, index)) {
        validate_fail(run, NULL);
    }
    return run->failed ? NULL : data;
}

void validate_write(validate_run *run, const char *field,
                    double value(const void *argument, const double at[3]), const void *argument)
{
    gyre_field_view view;
    int index;
    gyre_model *model = map(run, field, GYRE_WRITE, &index, &view);
    for (int k = 0; model && k < view.n[2]; k++) {
        for (int j = 0; j < view.n[1]; j++) {
            for (int i = 0; i < view.n[0]; i++) {
                // In double: a cell of 1/3 m has no exact float, and thousands are summed up.
                const int c[3] = {i, j, k};
                const gyre_location faces[3] = {GYRE_FACE_X, GYRE_FACE_Y, GYRE_FACE_Z};
                double at[3];
                for (int d = 0; d < 3; d++) {
                    bool node = view.location == faces[d] || view.location == GYRE_NODE;
                    at[d] = (double)view.grid.origin[d] +
                            (c[d] + (node ? 0.0 : 0.5)) * (double)view.grid.h;
                }
                view.data[i + j * view.stride[1] + k * view.stride[2]] = (float)value(argument, at);
            }
        }
    }
    if (model && gyre_model_unmap(model, index)) {
        validate_fail(run, NULL);
    }
}

// ---- findings

void validate_expect(validate_run *run, const char *what, const char *unit, double value,
                     double reference, validate_kind kind, double tolerance, const char *source)
{
    validate_result *r = run->result;
    if (run->failed) {
        return;
    }
    if (r->measure_count == VALIDATE_MEASURES) {
        validate_fail(run, "more values than there is room for");
        return;
    }
    validate_measure *m = &r->measures[r->measure_count++];
    double off = value - reference;
    m->error = kind == VALIDATE_RELATIVE   ? fabs(off) / fabs(reference)
               : kind == VALIDATE_ABSOLUTE ? fabs(off)
               : kind == VALIDATE_AT_LEAST ? fmax(0.0, -off)
                                           : fmax(0.0, off);
    if (!isfinite(value) || !isfinite(m->error)) {
        m->error = INFINITY;
    }
    m->value = value;
    m->reference = reference;
    m->kind = kind;
    m->tolerance = tolerance * run->options->tolerance;
    m->pass = m->error <= m->tolerance;
    snprintf(m->what, sizeof m->what, "%s", what);
    snprintf(m->unit, sizeof m->unit, "%s", unit);
    snprintf(m->source, sizeof m->source, "%s", source ? source : r->what->source);
}

void validate_plot(validate_run *run, const char *title, const char *x_label, const char *y_label)
{
    validate_result *r = run->result;
    if (run->failed) {
        return;
    }
    if (r->plot_count == VALIDATE_PLOTS) {
        validate_fail(run, "more plots than there is room for");
        return;
    }
    validate_plot_data *p = &r->plots[r->plot_count++];
    snprintf(p->title, sizeof p->title, "%s", title);
    snprintf(p->x_label, sizeof p->x_label, "%s", x_label);
    snprintf(p->y_label, sizeof p->y_label, "%s", y_label);
}

void validate_plot_logarithmic(validate_run *run, bool x, bool y)
{
    if (!run->failed && run->result->plot_count > 0) {
        validate_plot_data *p = &run->result->plots[run->result->plot_count - 1];
        p->log_x = x;
        p->log_y = y;
    }
}

void validate_curve(validate_run *run, const char *name, validate_style style, int count,
                    const double *x, const double *y)
{
    validate_result *r = run->result;
    if (run->failed || !run->options->report) {
        return;
    }
    validate_plot_data *p = r->plot_count > 0 ? &r->plots[r->plot_count - 1] : NULL;
    if (!p || p->count == VALIDATE_CURVES || !x || !y) {
        validate_fail(run, "a curve without a plot, without points or past the room for curves");
        return;
    }
    size_t bytes = (size_t)count * sizeof(double);
    validate_curve_data *c = &p->curves[p->count++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->style = style;
    c->count = count;
    c->x = malloc(bytes);
    c->y = malloc(bytes);
    if (!c->x || !c->y) {
        c->count = 0;
        validate_fail(run, "there is not enough memory");
        return;
    }
    memcpy(c->x, x, bytes);
    memcpy(c->y, y, bytes);
}

void validate_result_free(validate_result *result)
{
    for (int p = 0; p < result->picture_count; p++) {
        gyre_image_free(&result->pictures[p].image);
    }
    for (int p = 0; p < result->plot_count; p++) {
        for (int c = 0; c < result->plots[p].count; c++) {
            free(result->plots[p].curves[c].x);
            free(result->plots[p].curves[c].y);
        }
    }
}

// ---- small mathematics

double validate_peak(const double *y, int count, int at, double *place)
{
    double shift = 0.0, value = y[at];
    if (at > 0 && at + 1 < count) {
        double a = y[at - 1], b = y[at], c = y[at + 1], bend = a - 2.0 * b + c;
        if (bend != 0.0) {
            shift = 0.5 * (a - c) / bend;
            value = b - 0.25 * (a - c) * shift;
        }
    }
    if (place) {
        *place = at + shift;
    }
    return value;
}

double validate_line(const double *x, const double *y, int count, double *off)
{
    double mean[2] = {0.0, 0.0}, square = 0.0, product = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++) {
        mean[0] += x[i] / count;
        mean[1] += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        square += (x[i] - mean[0]) * (x[i] - mean[0]);
        product += (x[i] - mean[0]) * (y[i] - mean[1]);
    }
    for (int i = 0; i < count; i++) {
        double rest = y[i] - mean[1] - product / square * (x[i] - mean[0]);
        sum += rest * rest;
    }
    if (off) {
        *off = sqrt(sum / count);
    }
    return product / square;
}

double validate_order(double coarse, double fine, double ratio)
{
    return fine > 0.0 ? log(coarse / fine) / log(ratio) : INFINITY;
}

// ---- all of them

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// What a quiet machine takes on one thread; of all threads together.
static double worked_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void run_case(const validate_case *what, gyre_device *device,
                     const validate_options *options, validate_result *result)
{
    validate_run run = {.options = options, .result = result, .device = device};
    double start = seconds_now(), worked = worked_now();
    result->what = what;
    what->measure(&run);
    if (!run.failed && result->measure_count + result->peer_count == 0) {
        validate_fail(&run, "nothing was measured");
    }
    close_models(&run);
    free_pieces(&run);
    result->pass = !run.failed;
    for (int m = 0; m < result->measure_count; m++) {
        result->pass = result->pass && result->measures[m].pass;
    }
    result->seconds = seconds_now() - start;
    result->worked = worked_now() - worked;
}

int validate_all(const validate_case *const *cases, int count, const validate_options *options)
{
    gyre_device *device = NULL;
    validate_result *results = calloc((size_t)count + 1, sizeof *results);
    double start = seconds_now();
    bool pass = true;
    if (!results || gyre_device_create(&options->device, &device)) {
        fprintf(stderr, "gyre: validate: %s\n", results ? gyre_message() : "not enough memory");
        free(results);
        return 1;
    }
    validate_print_head(options);
    for (int i = 0; i < count; i++) {
        validate_print_begin(cases[i]);
        run_case(cases[i], device, options, &results[i]);
        validate_print_result(&results[i], options, i == 0);
        pass = pass && results[i].pass;
    }
    double seconds = seconds_now() - start;
    validate_print_end(results, count, seconds, options);
    if (options->report) {
        pass = validate_page_write(options->report, results, count, seconds, options) && pass;
    }
    for (int i = 0; i < count; i++) {
        validate_result_free(&results[i]);
    }
    free(results);
    gyre_device_destroy(device);
    return pass ? 0 : 1;
}
