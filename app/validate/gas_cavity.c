// validate/gas_cavity.c: the lid-driven cavity, steady, at a fixed Courant number of the lid.
#include "validate/gas_box.h"

#include <math.h>
#include <string.h>

enum { MOST = 256, GHIA = 17 };

typedef struct sample {
    int place; // over 128
    double value;
} sample;

// Ghia, Ghia & Shin, table I: u on x = 1/2 at y, and table II: v on y = 1/2 at x.
typedef struct ghia {
    sample u[GHIA], v[GHIA];
} ghia;

static const ghia ghia_100 = {
    {{128, 1.0},
     {125, 0.84123},
     {124, 0.78871},
     {123, 0.73722},
     {122, 0.68717},
     {109, 0.23151},
     {94, 0.00332},
     {79, -0.13641},
     {64, -0.20581},
     {58, -0.2109},
     {36, -0.15662},
     {22, -0.1015},
     {13, -0.06434},
     {9, -0.04775},
     {8, -0.04192},
     {7, -0.03717},
     {0, 0.0}},
    {{128, 0.0},
     {124, -0.05906},
     {123, -0.07391},
     {122, -0.08864},
     {121, -0.10313},
     {116, -0.16914},
     {110, -0.22445},
     {103, -0.24533},
     {64, 0.05454},
     {30, 0.17527},
     {29, 0.17507},
     {20, 0.16077},
     {12, 0.12317},
     {10, 0.1089},
     {9, 0.10091},
     {8, 0.09233},
     {0, 0.0}},
};

/// Extrema on the middle lines: u on x = 1/2; v on y = 1/2.
typedef struct cavity {
    double reynolds;
    double time;        ///< s until it is steady
    double tolerance;   ///< at 128^2
    double extremum[3]; ///< least u, greatest v, least v
    const char *source;
    const ghia *points; ///< may be NULL
} cavity;

static double extremum(const double *value, int n, double sign)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = sign * value[i] > sign * value[best] ? i : best;
    }
    return validate_peak(value, n, best, NULL);
}

/// The profiles on the middle lines of n x n cells after steps of half a cell.
static bool profiles(validate_run *run, const cavity *c, int n, double *u_along, double *v_along)
{
    gyre_gas_def def = gyre_gas_default_def(2);
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.h = (float)(1.0 / n);
    for (int s = 0; s < 4; s++) {
        (&def.sides.x_low)[s].rule = GYRE_GAS_SIDE_NO_SLIP;
    }
    def.sides.y_high.velocity[0] = 1.0f;
    def.viscosity = (float)(1.0 / c->reynolds);
    validate_create(run, "gas", &def);
    int steps = (int)lround(2.0 * c->time * n);
    for (int i = 0; i < steps && !validate_failed(run); i++) {
        validate_step_by(run, 0.5 / n);
    }
    const float *u = validate_read(run, "velocity_x", NULL);
    const float *v = validate_read(run, "velocity_y", NULL);
    for (int i = 0; i < n && u && v; i++) {
        // x faces: n + 1 in a row; the middle one lies on x = 1/2, and so with y.
        u_along[i] = (double)u[i * (n + 1) + n / 2];
        v_along[i] = (double)v[n / 2 * n + i];
    }
    return u && v;
}

static void plot_profile(validate_run *run, const char *title, const char *along, const char *what,
                         int n, const double *value, const sample *reference)
{
    double at[MOST], x[GHIA], y[GHIA];
    for (int i = 0; i < n; i++) {
        at[i] = (i + 0.5) / n;
    }
    validate_plot(run, title, along, what);
    validate_curve(run, "gyre", VALIDATE_LINE, n, at, value);
    for (int i = 0; reference && i < GHIA; i++) {
        x[i] = reference[i].place / 128.0;
        y[i] = reference[i].value;
    }
    if (reference) {
        validate_curve(run, "Ghia, Ghia & Shin", VALIDATE_POINTS, GHIA, x, y);
    }
}

/// With --quick half as many cells, which may be four times as far off, and whose order is not yet
/// the one that finer grids come to.
static void measure_cavity(validate_run *run, const cavity *c)
{
    static const char *const names[3] = {"least u on x = 1/2", "greatest v on y = 1/2",
                                         "least v on y = 1/2"};
    int sizes[2] = {validate_quick(run) ? 32 : 64, validate_quick(run) ? 64 : 128};
    double tolerance = c->tolerance * (validate_quick(run) ? 4.0 : 1.0);
    double off[2] = {0.0, 0.0}, found[3] = {0.0, 0.0, 0.0}, u[MOST], v[MOST];
    for (int s = 0; s < 2; s++) {
        if (!profiles(run, c, sizes[s], u, v)) {
            return;
        }
        found[0] = extremum(u, sizes[s], -1.0);
        found[1] = extremum(v, sizes[s], 1.0);
        found[2] = extremum(v, sizes[s], -1.0);
        for (int e = 0; e < 3; e++) {
            off[s] += pow(found[e] / c->extremum[e] - 1.0, 2.0) / 3.0;
        }
    }
    char what[96];
    for (int e = 0; e < 3; e++) {
        snprintf(what, sizeof what, "%s, %d^2", names[e], sizes[1]);
        validate_expect(run, what, "m/s", found[e], c->extremum[e], VALIDATE_RELATIVE, tolerance,
                        c->source);
    }
    snprintf(what, sizeof what, "order of their errors (rms), %d^2 to %d^2", sizes[0], sizes[1]);
    validate_expect(run, what, "1", validate_order(sqrt(off[0]), sqrt(off[1]), 2.0), 2.0,
                    VALIDATE_AT_LEAST,
                    validate_quick(run) ? 0.2 * pow(c->reynolds / 100.0, 1.0 / 3.0) : 0.2,
                    "second order in time and space");
    plot_profile(run, "Horizontal velocity on x = 1/2", "y / m", "u / (m/s)", sizes[1], u,
                 c->points ? c->points->u : NULL);
    plot_profile(run, "Vertical velocity on y = 1/2", "x / m", "v / (m/s)", sizes[1], v,
                 c->points ? c->points->v : NULL);
}

void validate_cavity(validate_run *run)
{
    measure_cavity(run, &(cavity){.reynolds = 100.0,
                                  .time = 30.0,
                                  .tolerance = 0.008,
                                  .extremum = {-0.2140417, 0.1795728, -0.2538030},
                                  .points = &ghia_100});
}

void validate_cavity_400(validate_run *run)
{
    measure_cavity(run, &(cavity){.reynolds = 400.0,
                                  .time = 60.0,
                                  .tolerance = 0.01,
                                  .extremum = {-0.32872, 0.30382, -0.45406}});
}

void validate_cavity_1000(validate_run *run)
{
    measure_cavity(run, &(cavity){.reynolds = 1000.0,
                                  .time = 100.0,
                                  .tolerance = 0.02,
                                  .extremum = {-0.3885698, 0.3769447, -0.5270771}});
}
