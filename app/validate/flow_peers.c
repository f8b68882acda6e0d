// validate/flow_peers.c: a flow of album/ by every solver there is, beside what others are said to
// have come to.
#include "validate/flow_inner.h"

#include <math.h>
#include <string.h>

/// How far a value on such a grid is from what is known of it; NAN: nothing is.
static double error_of(const gyre_known *known, const char *name, int cells, double value)
{
    const gyre_known_value *v = known->values.items;
    double miss = NAN;
    for (int i = 0; i < known->values.count && isnan(miss); i++) {
        if (strcmp(v[i].name, name) == 0 && (v[i].cells == 0 || v[i].cells == cells)) {
            miss = validate_flow_miss(&v[i], value);
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
                           .error = error_of(validate_flow_known(f), n->name, n->cells, n->value),
                           .ms = NAN};
        memcpy(p.name, n->name, sizeof p.name);
        memcpy(p.unit, n->unit, sizeof p.unit);
        snprintf(p.by, sizeof p.by, "%s", f->solver->name);
        for (int g = 0; g < r->grid_count; g++) {
            p.ms = r->grids[g].cells == n->cells ? r->grids[g].ms : p.ms;
        }
        if (is_asked(validate_flow_known(f), n->name)) {
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

void validate_flow_compare(validate_flow *f, const validate_measuring *measuring, const int *sizes,
                           int count)
{
    const gyre_known *known = validate_flow_known(f);
    const gyre_known_other *o = known->others.items;
    for (const validate_solver *s = validate_solvers + 1; s->name; s++) {
        f->solver = s;
        validate_result_of(f->run)->grid_count = 0;
        validate_flow_run(f, measuring, sizes, count);
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
