// validate/flow.c: runs flows of album/ on their grids, and holds what is found against what is
// known.
#define _POSIX_C_SOURCE 200809L
#include "validate/flow_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const gyre_known *validate_flow_known(const validate_flow *f)
{
    return &gyre_scene_get_settings(f->scene)->known;
}

/// Whether it is run by another than the scene says.
static bool is_other(const validate_flow *f)
{
    return validate_compares(f->run) || f->solver != validate_solvers;
}

// ---- for measures

bool validate_flow_failed(const validate_flow *flow)
{
    return flow->failed || validate_failed(flow->run);
}

void validate_flow_fail(validate_flow *flow, const char *why)
{
    if (!flow->failed) {
        snprintf(flow->why, sizeof flow->why, "%s", why ? why : gyre_message());
    }
    flow->failed = true;
}

void validate_flow_refuse(validate_flow *flow, const char *why)
{
    validate_flow_fail(flow, why);
    flow->refused = true;
}

double validate_with(const validate_flow *flow, const char *name, double otherwise)
{
    const gyre_amount *with = validate_flow_known(flow)->with;
    for (int i = 0; i < GYRE_KNOWN_NUMBERS && with[i].name[0]; i++) {
        if (strcmp(with[i].name, name) == 0) {
            return (double)with[i].amount;
        }
    }
    return otherwise;
}

static const gyre_grid *grid_of(const validate_flow *f)
{
    const char *type = gyre_scene_model_type(f->scene, 0);
    size_t size;
    const gyre_property *grid = gyre_property_find(gyre_model_type_properties(type, &size), "grid");
    return (const void *)((const char *)gyre_scene_model_def(f->scene, 0) + grid->offset);
}

int validate_flow_dim(const validate_flow *flow)
{
    return grid_of(flow)->dim;
}

void validate_flow_grid(const validate_flow *flow, int n[3], double *h, double origin[3])
{
    const gyre_grid *grid = grid_of(flow);
    double times = (double)flow->cells / grid->n[0];
    *h = (double)grid->h / times;
    for (int a = 0; a < 3; a++) {
        n[a] = a < grid->dim ? (int)lround(grid->n[a] * times) : 1;
        origin[a] = (double)grid->origin[a];
    }
}

double validate_flow_property(validate_flow *flow, const char *path)
{
    char whole[160];
    gyre_value value;
    snprintf(whole, sizeof whole, "%s.%s", gyre_scene_model_name(flow->scene, 0), path);
    if (gyre_scene_get(flow->scene, whole, &value)) {
        validate_flow_fail(flow, NULL);
        return NAN;
    }
    return value.number[0];
}

bool validate_flow_quick(const validate_flow *flow)
{
    return validate_quick(flow->run);
}

double validate_flow_time(const validate_flow *flow)
{
    return (double)flow->done * flow->dt;
}

double validate_flow_end(const validate_flow *flow)
{
    return flow->end;
}

// ---- pictures

enum { PICTURE_SIDE = 400 };

/// The size of a picture, in the proportions of the domain, in 3D of the scene's own pictures.
static void size_picture(const validate_flow *f, int size[2])
{
    const gyre_scene_output *o = &gyre_scene_get_settings(f->scene)->output;
    const gyre_grid *grid = grid_of(f);
    bool flat = grid->dim == 2;
    double w = flat ? grid->n[0] : o->width, h = flat ? grid->n[1] : o->height;
    double scale = PICTURE_SIDE / (w > h ? w : h);
    size[0] = (int)fmax(16.0, w * scale);
    size[1] = (int)fmax(16.0, h * scale);
}

static void draw(validate_flow *f, const char *of)
{
    char caption[160];
    int size[2];
    const char *by = is_other(f) ? f->solver->name : "";
    snprintf(caption, sizeof caption, "%s%s%.119s%sat %.4g s", by, by[0] ? ": " : "", of,
             of[0] ? ", " : "", validate_flow_time(f));
    size_picture(f, size);
    gyre_image *image = validate_picture_add(f->run, caption, size[0], size[1]);
    const char *why = image ? f->solver->draw(f, image) : NULL;
    if (why && validate_compares(f->run)) {
        validate_picture_drop(f->run, f->solver->name, why);
    } else if (why) {
        validate_flow_fail(f, why);
    }
}

/// Draws what the page shows of now; at the end of a comparison that alone.
static void draw_due(validate_flow *f, bool end)
{
    const gyre_known_picture *items = validate_flow_known(f)->pictures.items;
    int count = validate_flow_known(f)->pictures.count;
    if (!f->finest || f->again || !f->solver->draw || !validate_reports(f->run) ||
        validate_flow_failed(f)) {
        return;
    }
    if (is_other(f) || count == 0) {
        if (end) {
            draw(f, "");
        }
        return;
    }
    while (f->drawn < count &&
           (end || validate_flow_time(f) > (double)items[f->drawn].at - 0.5 * f->dt)) {
        draw(f, items[f->drawn++].of);
    }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool validate_flow_step(validate_flow *flow)
{
    if (validate_flow_failed(flow) || flow->done == flow->steps) {
        return false;
    }
    double start = seconds_now();
    if (!flow->solver->step(flow)) {
        validate_flow_fail(flow, NULL);
        return false;
    }
    flow->seconds += seconds_now() - start;
    flow->done++;
    flow->in_all++;
    draw_due(flow, false);
    validate_print_progress(validate_case_of(flow->run), flow->cells,
                            (double)flow->done / (double)flow->steps);
    return true;
}

void validate_flow_finish(validate_flow *flow)
{
    while (validate_flow_step(flow)) {
    }
}

validate_samples validate_flow_read(validate_flow *flow, const char *field)
{
    validate_samples samples = {.data = NULL};
    if (!validate_flow_failed(flow) && !flow->solver->read(flow, field, &samples)) {
        validate_flow_fail(flow, NULL);
        samples.data = NULL;
    }
    return samples;
}

int validate_middle(const validate_samples *samples, int axis, double *value, double *at)
{
    int across = 1 - axis, m = samples->n[axis];
    int step = across ? samples->n[0] : 1, to = axis ? samples->n[0] : 1;
    for (int i = 0; i < samples->n[across]; i++) {
        const float *row = samples->data + i * step;
        value[i] = 0.5 * ((double)row[(m - 1) / 2 * to] + (double)row[m / 2 * to]);
        at[i] = samples->origin[across] + i * samples->h;
    }
    return samples->n[across];
}

void validate_flow_push(validate_flow *flow, const char *body, double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    if (!validate_flow_failed(flow) && !flow->solver->push(flow, body, force)) {
        validate_flow_fail(flow, NULL);
    }
}

gyre_pose validate_flow_pose(validate_flow *flow, const char *body)
{
    gyre_pose pose = {.position = {0.0f}};
    if (!validate_flow_failed(flow) && !flow->solver->pose(flow, body, &pose)) {
        validate_flow_fail(flow, NULL);
    }
    return pose;
}

double *validate_flow_memory(validate_flow *flow, size_t count)
{
    return flow->failed ? NULL : validate_memory(flow->run, count, sizeof(double));
}

void validate_note(validate_flow *flow, const char *name, const char *unit, double value)
{
    findings *found = flow->found;
    if (validate_flow_failed(flow)) {
        return;
    }
    if (found->count == NOTES) {
        validate_flow_fail(flow, "more values than there is room for");
        return;
    }
    note *n = &found->notes[found->count++];
    snprintf(n->name, sizeof n->name, "%s", name);
    snprintf(n->unit, sizeof n->unit, "%s", unit);
    n->cells = flow->cells;
    n->value = value;
}

void validate_flow_curve(validate_flow *flow, const char *title, const char *x_label,
                         const char *y_label, const char *name, validate_style style, int count,
                         const double *x, const double *y)
{
    findings *found = flow->found;
    bool beside = flow->solver != validate_solvers && !validate_compares(flow->run);
    if (validate_flow_failed(flow) || !flow->finest || beside) {
        return;
    }
    // Curves go into the last plot.
    if (found->title_count == 0 || strcmp(found->titles[found->title_count - 1], title) != 0) {
        if (found->title_count == TITLES) {
            validate_flow_fail(flow, "more plots than there is room for");
            return;
        }
        snprintf(found->titles[found->title_count++], sizeof found->titles[0], "%s", title);
        validate_plot(flow->run, title, x_label, y_label);
    }
    validate_curve(flow->run, name, style, count, x, y);
}

// ---- for solvers

const char *validate_flow_text(const validate_flow *flow, size_t *size, const char **name)
{
    *size = flow->text->size;
    *name = flow->text->file ? flow->text->file : flow->text->name;
    return (const char *)flow->text->text;
}

const validate_solver *validate_flow_solver(const validate_flow *flow)
{
    return flow->solver;
}

gyre_device *validate_flow_device(const validate_flow *flow)
{
    return validate_device(flow->run);
}

void validate_flow_keep(validate_flow *flow, void *state)
{
    flow->state = state;
}

void *validate_flow_state(const validate_flow *flow)
{
    return flow->state;
}

// ---- a run

/// Steps of courant * h / speed at most, all as long; or the scene's own. `factor` times as long.
static void choose_steps(validate_flow *f, double factor)
{
    const gyre_scene_settings *s = gyre_scene_get_settings(f->scene);
    const gyre_known *known = &s->known;
    const gyre_grid *grid = grid_of(f);
    double width = (double)grid->h * grid->n[0];
    f->end = s->time.frames / (double)s->time.fps;
    f->steps = (int64_t)ceil((double)s->time.frames * s->time.steps_per_frame / factor - 1e-6);
    if (known->courant > 0.0f) {
        double dt = factor * (double)known->courant * width / f->cells / (double)known->speed;
        f->steps = (int64_t)ceil(f->end / dt - 1e-6);
    }
    f->dt = f->end / (double)f->steps;
}

bool validate_flow_again(validate_flow *flow, double courant_factor)
{
    if (validate_flow_failed(flow)) {
        return false;
    }
    draw_due(flow, true);
    flow->again = true;
    flow->solver->close(flow);
    choose_steps(flow, courant_factor);
    flow->done = 0;
    if (!flow->solver->open(flow, flow->cells, flow->dt)) {
        validate_flow_fail(flow, NULL);
        return false;
    }
    return true;
}

static const validate_measuring *measuring_of(const char *name)
{
    const validate_measuring *m = validate_measurings;
    while (m->name && strcmp(m->name, name) != 0) {
        m++;
    }
    return m->name ? m : NULL;
}

static const char *measure_name(const void *list, int i)
{
    return ((const validate_measuring *)list)[i].name;
}

static void refuse_measure(validate_run *run, const char *name)
{
    char why[200];
    int count = 0;
    while (validate_measurings[count].name) {
        count++;
    }
    const char *nearest = gyre_name_nearest(name, count, measure_name, validate_measurings);
    if (!name[0]) {
        validate_fail(run, "the scene does not say what is known of it: it has no \"known\"");
        return;
    }
    snprintf(why, sizeof why, "known.measure: unknown measure \"%.39s\"%s%s%s", name,
             nearest ? ", did you mean \"" : "; see: gyre validate --measures",
             nearest ? nearest : "", nearest ? "\"?" : "");
    validate_fail(run, why);
}

/// Measures the flow on one grid.
static void run_on(validate_flow *f, const validate_measuring *measuring)
{
    choose_steps(f, 1.0);
    f->done = f->in_all = 0;
    f->again = false;
    f->drawn = 0;
    f->seconds = 0.0;
    f->state = NULL;
    if (f->solver->open(f, f->cells, f->dt)) {
        draw_due(f, false);
        measuring->take(f);
        draw_due(f, true);
    } else {
        validate_flow_fail(f, NULL);
    }
    f->solver->close(f);
    if (!f->failed && f->in_all > 0) {
        int n[3];
        double h, origin[3];
        validate_flow_grid(f, n, &h, origin);
        validate_grid_done(f->run, f->cells, (long long)n[0] * n[1] * n[2],
                           1000.0 * f->seconds / (double)f->in_all);
    }
}

/// The grids of such a run; where there is none, of the next that takes less.
static int sizes_of(const gyre_known *known, validate_tier tier, int sizes[SIZES])
{
    const gyre_known_grid *grids = known->grids.items;
    int count = 0;
    for (int t = (int)tier; t >= 0 && count == 0; t--) {
        for (int i = 0; i < known->grids.count && count < SIZES; i++) {
            if (grids[i].run == t) {
                sizes[count++] = grids[i].cells;
            }
        }
    }
    return count;
}

static const note *find_note(const findings *found, const char *name, int cells)
{
    for (int i = 0; i < found->count; i++) {
        const note *n = &found->notes[i];
        if (n->cells == cells && strcmp(n->name, name) == 0) {
            return n;
        }
    }
    return NULL;
}

double validate_flow_miss(const gyre_known_value *v, double found)
{
    double off = fabs(found - v->value);
    return v->kind == GYRE_KNOWN_ORDER      ? fabs(found)
           : v->kind == GYRE_KNOWN_RELATIVE ? off / fabs(v->value)
           : v->kind == GYRE_KNOWN_ABSOLUTE ? off
                                            : NAN;
}

static void expect(validate_flow *f, const gyre_known_value *v, const int *sizes, int count)
{
    char what[160], why[200];
    const char *comma = v->by[0] ? ", " : "";
    int cells = v->cells > 0 ? v->cells : sizes[count - 1];
    const note *n = find_note(f->found, v->name, cells);
    const char *source = v->source[0] ? v->source : validate_flow_known(f)->source;
    if (v->kind == GYRE_KNOWN_ORDER) {
        const note *before = count > 1 ? find_note(f->found, v->name, sizes[count - 2]) : NULL;
        n = find_note(f->found, v->name, sizes[count - 1]);
        if (!before || !n) {
            snprintf(why, sizeof why, "there are no two grids of %s for its order", v->name);
            validate_fail(f->run, why);
            return;
        }
        snprintf(what, sizeof what, "order of %s, %d to %d cells%s%s", v->name, before->cells,
                 n->cells, comma, v->by);
        validate_expect(f->run, what, "1",
                        validate_order(before->value, n->value, (double)n->cells / before->cells),
                        v->value, VALIDATE_AT_LEAST, v->tolerance, source);
        return;
    }
    if (!n) {
        snprintf(why, sizeof why, "%s does not measure \"%.39s\"", validate_flow_known(f)->measure,
                 v->name);
        validate_fail(f->run, why);
        return;
    }
    snprintf(what, sizeof what, "%s, %d cells%s%s", v->name, cells, comma, v->by);
    validate_expect(f->run, what, n->unit, n->value, v->value, (validate_kind)v->kind, v->tolerance,
                    source);
}

static bool is_size(int cells, const int *sizes, int count)
{
    for (int i = 0; i < count; i++) {
        if (sizes[i] == cells) {
            return true;
        }
    }
    return false;
}

void validate_flow_run(validate_flow *f, const validate_measuring *measuring, const int *sizes,
                       int count)
{
    f->found->count = f->found->title_count = 0;
    f->failed = f->refused = false;
    for (int i = 0; i < count && !f->failed; i++) {
        f->cells = sizes[i];
        f->finest = i == count - 1;
        run_on(f, measuring);
    }
}

/// Plots how errors fall from grid to grid, beside the second order.
static void plot_convergence(validate_flow *f, const int *sizes, int count)
{
    const gyre_known_value *v = validate_flow_known(f)->values.items;
    double cells[SIZES], errors[SIZES], slope[SIZES], most = 0.0;
    int curves = 0;
    if (count < 2 || !validate_reports(f->run) ||
        validate_result_of(f->run)->plot_count == VALIDATE_PLOTS) {
        return;
    }
    for (int i = 0; i < validate_flow_known(f)->values.count && curves < VALIDATE_CURVES - 1; i++) {
        int points = 0;
        bool again = false;
        for (int q = 0; q < i; q++) {
            again = again ||
                    (strcmp(v[q].name, v[i].name) == 0 && !isnan(validate_flow_miss(&v[q], 1.0)));
        }
        for (int s = 0; s < count && !again; s++) {
            const note *n = find_note(f->found, v[i].name, sizes[s]);
            double miss = n ? validate_flow_miss(&v[i], n->value) : NAN;
            if (miss > 0.0) {
                cells[points] = sizes[s];
                errors[points++] = miss;
            }
        }
        if (points > 1) {
            if (curves++ == 0) {
                validate_plot(f->run, "Errors over grids", "cells along x", "error");
                validate_plot_logarithmic(f->run, true, true);
            }
            validate_curve(f->run, v[i].name, VALIDATE_LINE, points, cells, errors);
            most = errors[0] > most ? errors[0] : most;
        }
    }
    for (int s = 0; s < count; s++) {
        cells[s] = sizes[s];
        slope[s] = most * pow((double)sizes[0] / sizes[s], 2.0);
    }
    if (curves > 0) {
        validate_curve(f->run, "second order", VALIDATE_DASHES, count, cells, slope);
    }
}

/// Whether a value is asked of a solver in such a run.
static bool is_asked_of(const validate_flow *f, const gyre_known_value *v, const int *sizes,
                        int count)
{
    bool its = v->by[0] ? strcmp(v->by, f->solver->name) == 0 : f->solver == validate_solvers;
    bool there = v->cells == 0 || is_size(v->cells, sizes, count);
    return its && there && (!validate_quick(f->run) || v->quick);
}

static void expect_all(validate_flow *f, const int *sizes, int count)
{
    const gyre_known *known = validate_flow_known(f);
    const gyre_known_value *values = known->values.items;
    if (f->failed) {
        validate_fail(f->run, f->why);
    }
    for (int i = 0; i < known->values.count; i++) {
        if (is_asked_of(f, &values[i], sizes, count)) {
            expect(f, &values[i], sizes, count);
        }
    }
    if (f->solver == validate_solvers) {
        plot_convergence(f, sizes, count);
    }
}

/// Runs it by those whom values name, too.
static void run_others(validate_flow *f, const validate_measuring *measuring, const int *sizes,
                       int count)
{
    const gyre_known_value *values = validate_flow_known(f)->values.items;
    int grids = validate_result_of(f->run)->grid_count;
    for (const validate_solver *s = validate_solvers + 1; s->name; s++) {
        bool asked = false;
        f->solver = s;
        for (int i = 0; i < validate_flow_known(f)->values.count; i++) {
            asked = asked || is_asked_of(f, &values[i], sizes, count);
        }
        if (asked && !validate_failed(f->run)) {
            validate_flow_run(f, measuring, sizes, count);
            expect_all(f, sizes, count);
            validate_result_of(f->run)->grid_count = grids;
        }
    }
}

static const char *solver_name(const void *list, int i)
{
    return ((const validate_solver *)list)[i].name;
}

/// Refuses a value of one who is not there.
static bool has_all(validate_run *run, const gyre_known *known)
{
    const gyre_known_value *values = known->values.items;
    for (int i = 0; i < known->values.count; i++) {
        const validate_solver *s = validate_solvers;
        while (s->name && values[i].by[0] && strcmp(s->name, values[i].by) != 0) {
            s++;
        }
        if (!s->name) {
            char why[240];
            const char *nearest = gyre_name_nearest(values[i].by, (int)(s - validate_solvers),
                                                    solver_name, validate_solvers);
            snprintf(why, sizeof why, "known.values: unknown solver \"%.63s\"%s%s%s", values[i].by,
                     nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                     nearest ? "\"?" : "");
            validate_fail(run, why);
            return false;
        }
    }
    return true;
}

// ---- for the command

void validate_scene_case(validate_run *run)
{
    validate_flow flow = {.run = run, .solver = validate_solvers};
    int sizes[SIZES];
    flow.text = validate_case_of(run)->scene;
    flow.found = validate_memory(run, 1, sizeof *flow.found);
    flow.scene = validate_parse_text(run, flow.text);
    if (!flow.found || !flow.scene) {
        return;
    }
    const validate_measuring *measuring = measuring_of(validate_flow_known(&flow)->measure);
    int count = sizes_of(validate_flow_known(&flow), validate_tier_of(run), sizes);
    if (!measuring) {
        refuse_measure(run, validate_flow_known(&flow)->measure);
    } else if (count == 0) {
        validate_fail(run, "known.grids: all take a longer run: without --quick, or --overnight");
    } else if (!has_all(run, validate_flow_known(&flow))) {
        return;
    } else if (validate_compares(run)) {
        validate_flow_compare(&flow, measuring, sizes, count);
    } else {
        validate_flow_run(&flow, measuring, sizes, count);
        expect_all(&flow, sizes, count);
        run_others(&flow, measuring, sizes, count);
    }
}
