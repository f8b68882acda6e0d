// What a feature of a gas costs: gyre bench gas --feature NAME. The same gas with it off and on, by
// turns, so that the ratio holds on a machine that other people use too.
//
// A feature is an entry of the table: a name, and cases that each fill a def which is run with and
// without it.
#include "bench/parts.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 15, QUICK = 5, WARM_UP = 3, MOST_CASES = 8 };

/// Elements that a case's def points to.
typedef struct lists {
    gyre_gas_force forces[1];
    gyre_gas_sheet sheets[1];
} lists;

typedef struct feature {
    const char *name;
    int cases;
    // Returns what the case is called; NULL: there is none in this dimension.
    const char *(*fill)(gyre_gas_def *def, lists *l, int which);
    int n[2];   // cells along an axis, in 2D and in 3D
    int solver; // gyre_solver_kind of both gases
} feature;

static const char *fill_forces(gyre_gas_def *def, lists *l, int which)
{
    static const char *const names[] = {"wind everywhere", "fan in a hundredth",
                                        "vortex everywhere", "attractor everywhere",
                                        "turbulence everywhere"};
    gyre_gas_force *f = &l->forces[0];
    *f = gyre_gas_default_force(which);
    f->everywhere = which != GYRE_GAS_FAN;
    f->shape = gyre_box((const float[3]){0.5f, 0.5f, 0.5f}, (const float[3]){0.1f, 0.32f, 0.32f});
    f->action.as.wind.velocity[0] = which == GYRE_GAS_WIND ? 0.5f : f->action.as.wind.velocity[0];
    if (which == GYRE_GAS_FAN)
        f->action.as.fan.speed = 0.5f;
    def->forces = (gyre_pool){f, 1, 1};
    return names[which];
}

/// Right across the domain. Without it both gases have the same solver: one of boxes would be
/// faster, and a solid's would not.
static const char *fill_sheets(gyre_gas_def *def, lists *l, int which)
{
    static const char *const names[] = {"across x", "across y", "across z", "inclined"};
    bool deep = def->grid.dim == 3;
    gyre_gas_sheet *s = &l->sheets[0];
    *s = gyre_gas_default_sheet(deep ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    // Two ways along it, from its middle.
    static const float ways[4][2][3] = {{{0, 1, 0}, {0, 0, 1}},
                                        {{0, 0, 1}, {1, 0, 0}},
                                        {{1, 0, 0}, {0, 1, 0}},
                                        {{0.5f, -0.8f, 0}, {0.25f, 0.15f, 0.9f}}};
    for (int a = 0; a < 3; a++) {
        const float *one = ways[which][0], *other = ways[which][1];
        float flat = which == 1 ? other[a] : one[a];
        if (deep) {
            s->form.as.panel.corner[a] = 0.501f - 2.0f * (one[a] + other[a]);
            s->form.as.panel.along[a] = 4.0f * one[a];
            s->form.as.panel.across[a] = 4.0f * other[a];
        } else {
            s->form.as.line.from[a] = 0.501f - 2.0f * flat;
            s->form.as.line.to[a] = 0.501f + 2.0f * flat;
        }
    }
    def->sheets = (gyre_pool){s, 1, 1};
    return which == 2 && !deep ? NULL : names[which];
}

static const feature features[] = {
    {"forces", 5, fill_forces, {512, 64}, GYRE_SOLVER_AUTO},
    {"sheets", 4, fill_sheets, {1024, 128}, GYRE_SOLVER_MGPCG},
};
enum { FEATURES = sizeof features / sizeof *features };

/// Warm smoke in a closed box.
static gyre_gas_def plain(int dim, int n)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    for (int a = 0; a < dim; a++)
        def.grid.n[a] = n;
    def.grid.h = 1.0f / (float)n;
    return def;
}

static gyre_gas *make(gyre_device *device, const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    if (gyre_gas_create(device, def, &gas) != GYRE_OK)
        return NULL;
    gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), (const float[3]){0.5f, 0.3f, 0.5f},
                   0.2f, 20.0f);
    gyre_gas_splat(gas, gyre_gas_field(gas, "density"), (const float[3]){0.5f, 0.3f, 0.5f}, 0.2f,
                   1.0f);
    return gas;
}

/// Steps both by turns; medians in nanoseconds a cell.
static bool run(gyre_gas *gas[2], int threads, int rounds, double cells, double median[2])
{
    double seconds[2][ROUNDS];
    for (int r = -WARM_UP; r < rounds; r++)
        for (int side = 0; side < 2; side++) {
            int q = r & 1 ? 1 - side : side;
            double begin = bench_now_on(threads);
            if (gyre_gas_step(gas[q], 0.4f * gyre_model_grid(gyre_gas_model(gas[q]))->h))
                return false;
            if (r >= 0)
                seconds[q][r] = 1e9 * (bench_now_on(threads) - begin) / cells;
        }
    for (int q = 0; q < 2; q++)
        median[q] = bench_median(seconds[q], rounds);
    return true;
}

static bool run_case(gyre_device *device, const feature *f, int which, int dim, int n, bool quick,
                     FILE *out)
{
    lists l;
    gyre_gas_def def[2] = {plain(dim, n), plain(dim, n)};
    const char *name = f->fill(&def[1], &l, which);
    if (!name)
        return true;
    def[0].pressure.solver = def[1].pressure.solver = f->solver;
    gyre_gas *gas[2] = {make(device, &def[0]), make(device, &def[1])};
    double cells = (double)n * n * (dim == 3 ? n : 1), median[2];
    bool done = gas[0] && gas[1] &&
                run(gas, gyre_device_threads(device), quick ? QUICK : ROUNDS, cells, median);
    if (done)
        fprintf(out, "%-24s %dD %4d  off %7.1f ns/cell  on %7.1f  ratio %5.3f  bytes %+zd\n", name,
                dim, n, median[0], median[1], median[1] / median[0],
                (ptrdiff_t)(gyre_gas_size(&def[1]) - gyre_gas_size(&def[0])));
    else
        fprintf(stderr, "gyre bench: %s: %s\n", name, gyre_message());
    for (int q = 0; q < 2; q++)
        gyre_gas_destroy(gas[q]);
    return done;
}

static const char *name_of(const void *data, int i)
{
    (void)data;
    return features[i].name;
}

int bench_features(gyre_device *device, const char *name, bool quick, FILE *out)
{
    const feature *f = NULL;
    for (int i = 0; i < FEATURES; i++)
        f = strcmp(features[i].name, name) == 0 ? &features[i] : f;
    if (!f) {
        const char *near = gyre_name_nearest(name, FEATURES, name_of, NULL);
        fprintf(stderr, "gyre bench: --feature: there is no feature \"%s\"; there are:", name);
        for (int i = 0; i < FEATURES; i++)
            fprintf(stderr, " %s", features[i].name);
        fprintf(stderr, "%s%s%s\n", near ? "; did you mean \"" : "", near ? near : "",
                near ? "\"?" : "");
        return 2;
    }
    bool done = true;
    for (int which = 0; which < f->cases && done; which++)
        done = run_case(device, f, which, 2, quick ? 128 : f->n[0], quick, out) &&
               run_case(device, f, which, 3, quick ? 32 : f->n[1], quick, out);
    return done ? 0 : 1;
}
