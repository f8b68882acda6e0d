// validate/flow.c: runs flows of album/ on their grids, and holds what is found against what is
// known.
#define _POSIX_C_SOURCE 200809L
#include "validate/flow.h"
#include "validate/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    int drawn; // pictures of the finest grid
    char why[240];
    double dt, end, seconds;
    int64_t steps, done;
};

static const gyre_known *known_of(const validate_flow *f)
{
    return &gyre_scene_get_settings(f->scene)->known;
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
    const gyre_amount *with = known_of(flow)->with;
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
    const char *by = validate_compares(f->run) ? f->solver->name : "";
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
    const gyre_known_picture *items = known_of(f)->pictures.items;
    int count = known_of(f)->pictures.count;
    if (!f->finest || !f->solver->draw || !validate_reports(f->run) || validate_flow_failed(f)) {
        return;
    }
    if (validate_compares(f->run) || count == 0) {
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
    if (validate_flow_failed(flow) || !flow->finest) {
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

/// Steps of courant * h / speed at most, all as long; or the scene's own.
static void choose_steps(validate_flow *f)
{
    const gyre_scene_settings *s = gyre_scene_get_settings(f->scene);
    const gyre_known *known = &s->known;
    const gyre_grid *grid = grid_of(f);
    double width = (double)grid->h * grid->n[0];
    f->end = s->time.frames / (double)s->time.fps;
    f->steps = (int64_t)s->time.frames * s->time.steps_per_frame;
    if (known->courant > 0.0f) {
        double dt = (double)known->courant * width / f->cells / (double)known->speed;
        f->steps = (int64_t)ceil(f->end / dt - 1e-6);
    }
    f->dt = f->end / (double)f->steps;
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
    choose_steps(f);
    f->done = 0;
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
    if (!f->failed && f->done > 0) {
        int n[3];
        double h, origin[3];
        validate_flow_grid(f, n, &h, origin);
        validate_grid_done(f->run, f->cells, (long long)n[0] * n[1] * n[2],
                           1000.0 * f->seconds / (double)f->done);
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

/// How far a value is from what is known of it; of an error it is that itself.
static double miss_of(const gyre_known_value *v, double found)
{
    double off = fabs(found - v->value);
    return v->kind == GYRE_KNOWN_ORDER      ? fabs(found)
           : v->kind == GYRE_KNOWN_RELATIVE ? off / fabs(v->value)
           : v->kind == GYRE_KNOWN_ABSOLUTE ? off
                                            : NAN;
}

static void expect(validate_flow *f, const gyre_known_value *v, const int *sizes, int count)
{
    char what[96], why[200];
    int cells = v->cells > 0 ? v->cells : sizes[count - 1];
    const note *n = find_note(f->found, v->name, cells);
    const char *source = v->source[0] ? v->source : known_of(f)->source;
    if (v->kind == GYRE_KNOWN_ORDER) {
        const note *before = count > 1 ? find_note(f->found, v->name, sizes[count - 2]) : NULL;
        n = find_note(f->found, v->name, sizes[count - 1]);
        if (!before || !n) {
            snprintf(why, sizeof why, "there are no two grids of %s for its order", v->name);
            validate_fail(f->run, why);
            return;
        }
        snprintf(what, sizeof what, "order of %s, %d to %d cells", v->name, before->cells,
                 n->cells);
        validate_expect(f->run, what, "1",
                        validate_order(before->value, n->value, (double)n->cells / before->cells),
                        v->value, VALIDATE_AT_LEAST, v->tolerance, source);
        return;
    }
    if (!n) {
        snprintf(why, sizeof why, "%s does not measure \"%.39s\"", known_of(f)->measure, v->name);
        validate_fail(f->run, why);
        return;
    }
    snprintf(what, sizeof what, "%s, %d cells", v->name, cells);
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

/// Runs the flow on each of its grids; what it has found is in its findings.
static void run_all(validate_flow *f, const validate_measuring *measuring, const int *sizes,
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
    const gyre_known_value *v = known_of(f)->values.items;
    double cells[SIZES], errors[SIZES], slope[SIZES], most = 0.0;
    int curves = 0;
    if (count < 2 || !validate_reports(f->run) ||
        validate_result_of(f->run)->plot_count == VALIDATE_PLOTS) {
        return;
    }
    for (int i = 0; i < known_of(f)->values.count && curves < VALIDATE_CURVES - 1; i++) {
        int points = 0;
        bool again = false;
        for (int q = 0; q < i; q++) {
            again = again || (strcmp(v[q].name, v[i].name) == 0 && !isnan(miss_of(&v[q], 1.0)));
        }
        for (int s = 0; s < count && !again; s++) {
            const note *n = find_note(f->found, v[i].name, sizes[s]);
            double miss = n ? miss_of(&v[i], n->value) : NAN;
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

static void expect_all(validate_flow *f, const int *sizes, int count)
{
    const gyre_known *known = known_of(f);
    const gyre_known_value *values = known->values.items;
    bool quick = validate_quick(f->run);
    if (f->failed) {
        validate_fail(f->run, f->why);
    }
    for (int i = 0; i < known->values.count; i++) {
        bool there = values[i].cells == 0 || is_size(values[i].cells, sizes, count);
        if (there && (!quick || values[i].quick)) {
            expect(f, &values[i], sizes, count);
        }
    }
    plot_convergence(f, sizes, count);
}

// ---- beside others

/// How far a value on such a grid is from what is known of it; NAN: nothing is.
static double error_of(const gyre_known *known, const char *name, int cells, double value)
{
    const gyre_known_value *v = known->values.items;
    double miss = NAN;
    for (int i = 0; i < known->values.count && isnan(miss); i++) {
        if (strcmp(v[i].name, name) == 0 && (v[i].cells == 0 || v[i].cells == cells)) {
            miss = miss_of(&v[i], value);
        }
    }
    return miss;
}

static bool is_asked(const gyre_known *known, const char *name)
{
    const gyre_known_value *v = known->values.items;
    const gyre_known_other *o = known->others.items;
    bool asked = false;
    for (int i = 0; i < known->values.count; i++) {
        asked = asked || strcmp(v[i].name, name) == 0;
    }
    for (int i = 0; i < known->others.count; i++) {
        asked = asked || strcmp(o[i].name, name) == 0;
    }
    return asked;
}

static void add_found(validate_flow *f)
{
    const validate_result *r = validate_result_of(f->run);
    for (int i = 0; i < f->found->count; i++) {
        const note *n = &f->found->notes[i];
        validate_peer p = {.cells = n->cells,
                           .value = n->value,
                           .error = error_of(known_of(f), n->name, n->cells, n->value),
                           .ms = NAN};
        memcpy(p.name, n->name, sizeof p.name);
        memcpy(p.unit, n->unit, sizeof p.unit);
        snprintf(p.by, sizeof p.by, "%s", f->solver->name);
        for (int g = 0; g < r->grid_count; g++) {
            p.ms = r->grids[g].cells == n->cells ? r->grids[g].ms : p.ms;
        }
        if (is_asked(known_of(f), n->name)) {
            validate_peer_add(f->run, &p);
        }
    }
}

static void add_without(validate_flow *f, const char *by, const char *why)
{
    validate_peer p = {.value = NAN, .error = NAN, .ms = NAN};
    snprintf(p.by, sizeof p.by, "%s", by);
    snprintf(p.note, sizeof p.note, "%s", why);
    validate_peer_add(f->run, &p);
}

/// Rows of one value on one grid stand together, in the order in which solvers were asked; what
/// has no value comes last.
static void group_peers(validate_run *run)
{
    validate_result *r = validate_result_of(run);
    validate_peer *rows = validate_memory(run, (size_t)r->peer_count + 1, sizeof *rows);
    int count = 0;
    if (!rows) {
        return;
    }
    for (int i = 0; i < r->peer_count; i++) {
        const validate_peer *first = &r->peers[i];
        bool done = false;
        for (int q = 0; q < count; q++) {
            done =
                done || (strcmp(rows[q].name, first->name) == 0 && rows[q].cells == first->cells);
        }
        for (int q = i; q < r->peer_count && !done && first->name[0]; q++) {
            const validate_peer *p = &r->peers[q];
            if (strcmp(p->name, first->name) == 0 && p->cells == first->cells) {
                rows[count++] = *p;
            }
        }
    }
    for (int i = 0; i < r->peer_count; i++) {
        if (!r->peers[i].name[0]) {
            rows[count++] = r->peers[i];
        }
    }
    memcpy(r->peers, rows, (size_t)count * sizeof *rows);
}

/// Plots the error of the first value that has one over what a step takes: below and to the left
/// of another is better.
static void plot_prices(validate_flow *f)
{
    const validate_result *r = validate_result_of(f->run);
    const char *what = NULL;
    double ms[SIZES], error[SIZES];
    char title[96];
    for (int i = 0; i < r->peer_count && !what; i++) {
        what = r->peers[i].error > 0.0 && r->peers[i].ms > 0.0 ? r->peers[i].name : NULL;
    }
    if (!what || !validate_reports(f->run)) {
        return;
    }
    snprintf(title, sizeof title, "Error of %s over milliseconds a step", what);
    validate_plot(f->run, title, "ms a step", "error");
    validate_plot_logarithmic(f->run, true, true);
    for (const validate_solver *s = validate_solvers + 1; s->name; s++) {
        int points = 0;
        for (int i = 0; i < r->peer_count; i++) {
            const validate_peer *p = &r->peers[i];
            bool own = strcmp(p->by, s->name) == 0 && strcmp(p->name, what) == 0;
            if (own && p->error > 0.0 && p->ms > 0.0 && points < SIZES) {
                ms[points] = p->ms;
                error[points++] = p->error;
            }
        }
        if (points > 0) {
            const char *comma = strchr(s->name, ',');
            validate_curve(f->run, comma ? comma + 2 : s->name,
                           points > 1 ? VALIDATE_LINE : VALIDATE_POINTS, points, ms, error);
        }
    }
}

/// The flow by every solver, then what others are said to have.
static void compare(validate_flow *f, const validate_measuring *measuring, const int *sizes,
                    int count)
{
    const gyre_known *known = known_of(f);
    const gyre_known_other *o = known->others.items;
    for (const validate_solver *s = validate_solvers + 1; s->name; s++) {
        f->solver = s;
        validate_result_of(f->run)->grid_count = 0;
        run_all(f, measuring, sizes, count);
        if (f->failed && !f->refused) {
            validate_fail(f->run, f->why);
        } else if (f->failed) {
            add_without(f, s->name, f->why);
        } else {
            add_found(f);
        }
    }
    plot_prices(f);
    for (int i = 0; i < known->others.count; i++) {
        validate_peer p = {.cells = o[i].cells,
                           .value = o[i].value,
                           .error = error_of(known, o[i].name, o[i].cells, o[i].value),
                           .ms = NAN};
        memcpy(p.name, o[i].name, sizeof p.name);
        memcpy(p.by, o[i].by, sizeof p.by);
        snprintf(p.note, sizeof p.note, "%s", o[i].source);
        validate_peer_add(f->run, &p);
    }
    for (const char *const *m = validate_missing; *m; m++) {
        add_without(f, *m, "");
    }
    group_peers(f->run);
}

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
    const validate_measuring *measuring = measuring_of(known_of(&flow)->measure);
    int count = sizes_of(known_of(&flow), validate_tier_of(run), sizes);
    if (!measuring) {
        refuse_measure(run, known_of(&flow)->measure);
    } else if (count == 0) {
        validate_fail(run, "known.grids: there is none for such a run");
    } else if (validate_compares(run)) {
        compare(&flow, measuring, sizes, count);
    } else {
        run_all(&flow, measuring, sizes, count);
        expect_all(&flow, sizes, count);
    }
}
