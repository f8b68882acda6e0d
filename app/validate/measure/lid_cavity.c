// measure/lid_cavity.c: a square box of 1 m whose lid slides at 1 m/s, steady at Re 1 / viscosity.
//
//     u_min          least u on x = 1/2, by a parabola
//     v_max, v_min   greatest and least v on y = 1/2
//     error          of the three, over what they should be: (mean of squares)^(1/2)
//
// and unless the run is a quick one, what steps do; on the grid of `again` cells along x:
//
//     dt_change      of the three from dt to dt/2, as `error`
//
// and on that of `spin_up` cells, two seconds after the lid began to slide, from runs with dt, 2 dt
// and 4 dt, dt being `least` (2) times as long, by the root of the mean square of the velocity's
// change in the middle, a tenth of the width away from all sides:
//
//     dt_order       log2 of the change from 4 dt to 2 dt over that from 2 dt to dt
//
// Points: U. Ghia, K. N. Ghia and C. T. Shin, J. Comput. Phys. 48 (1982), tables I and II. Those at
// Re 400 could not be held against a second copy, and v at x = 116/128 lies far off the points
// beside it; nothing is measured by them.
#include "validate/flow.h"

#include <math.h>

enum { POINTS = 17, EXTREMA = 3 };

static const int u_places[POINTS] = {128, 125, 124, 123, 122, 109, 94, 79, 64,
                                     58,  36,  22,  13,  9,   8,   7,  0}; // y * 128
static const int v_places[POINTS] = {128, 124, 123, 122, 121, 116, 110, 103, 64,
                                     30,  29,  20,  12,  10,  9,   8,   0}; // x * 128

typedef struct ghia {
    double reynolds, u[POINTS], v[POINTS];
    const char *name;
} ghia;

static const ghia tables[] = {
    {100.0,
     {1.0, 0.84123, 0.78871, 0.73722, 0.68717, 0.23151, 0.00332, -0.13641, -0.20581, -0.2109,
      -0.15662, -0.1015, -0.06434, -0.04775, -0.04192, -0.03717, 0.0},
     {0.0, -0.05906, -0.07391, -0.08864, -0.10313, -0.16914, -0.22445, -0.24533, 0.05454, 0.17527,
      0.17507, 0.16077, 0.12317, 0.1089, 0.10091, 0.09233, 0.0},
     "Ghia, Ghia & Shin"},
    {400.0,
     {1.0, 0.75837, 0.68439, 0.61756, 0.55892, 0.29093, 0.16256, 0.02135, -0.11477, -0.17119,
      -0.32726, -0.24299, -0.14612, -0.10338, -0.09266, -0.08186, 0.0},
     {0.0, -0.12146, -0.15663, -0.19254, -0.22847, -0.23827, -0.44993, -0.38598, 0.05186, 0.30174,
      0.30203, 0.28124, 0.22965, 0.2092, 0.19713, 0.1836, 0.0},
     "Ghia, Ghia & Shin, unchecked"},
    {1000.0,
     {1.0, 0.65928, 0.57492, 0.51117, 0.46604, 0.33304, 0.18719, 0.05702, -0.0608, -0.10648,
      -0.27805, -0.38289, -0.2973, -0.2222, -0.20196, -0.18109, 0.0},
     {0.0, -0.21388, -0.27669, -0.33714, -0.39188, -0.5155, -0.42665, -0.31966, 0.02526, 0.32235,
      0.33075, 0.37095, 0.32627, 0.30353, 0.29012, 0.27485, 0.0},
     "Ghia, Ghia & Shin"},
};

static double extremum(const double *value, int n, double sign)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = sign * value[i] > sign * value[best] ? i : best;
    }
    return validate_peak(value, n, best, NULL);
}

static void plot(validate_flow *flow, int axis, int count, const double *at, const double *value)
{
    const char *title = axis ? "Vertical velocity on y = 1/2" : "Horizontal velocity on x = 1/2";
    const char *x = axis ? "x / m" : "y / m", *y = axis ? "v / (m/s)" : "u / (m/s)";
    double reynolds = 1.0 / validate_flow_property(flow, "viscosity"), places[POINTS];
    validate_flow_curve(flow, title, x, y, "found", VALIDATE_LINE, count, at, value);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        if (fabs(tables[t].reynolds / reynolds - 1.0) < 1e-3) {
            for (int p = 0; p < POINTS; p++) {
                places[p] = (axis ? v_places : u_places)[p] / 128.0;
            }
            validate_flow_curve(flow, title, x, y, tables[t].name, VALIDATE_POINTS, POINTS, places,
                                axis ? tables[t].v : tables[t].u);
        }
    }
}

/// Runs to the end and finds the extrema; false after a failure.
static bool settle(validate_flow *flow, bool plots, double found[EXTREMA])
{
    validate_flow_finish(flow);
    validate_samples u = validate_flow_read(flow, "velocity_x");
    validate_samples v = validate_flow_read(flow, "velocity_y");
    if (!u.data || !v.data) {
        return false;
    }
    int n = u.n[1] > v.n[0] ? u.n[1] : v.n[0];
    double *value = validate_flow_memory(flow, (size_t)n),
           *at = validate_flow_memory(flow, (size_t)n);
    if (!value || !at) {
        return false;
    }
    n = validate_middle(&u, 0, value, at);
    found[0] = extremum(value, n, -1.0);
    if (plots) {
        plot(flow, 0, n, at, value);
    }
    n = validate_middle(&v, 1, value, at);
    found[1] = extremum(value, n, 1.0);
    found[2] = extremum(value, n, -1.0);
    if (plots) {
        plot(flow, 1, n, at, value);
    }
    return true;
}

static double differ(const double a[EXTREMA], const double b[EXTREMA])
{
    double sum = 0.0;
    for (int e = 0; e < EXTREMA; e++) {
        sum += pow(a[e] / b[e] - 1.0, 2.0) / EXTREMA;
    }
    return sqrt(sum);
}

/// Runs for two seconds and finds all velocities; NULL after a failure.
static double *spin_up(validate_flow *flow, int cells)
{
    while (validate_flow_time(flow) < 2.0 - 1e-6 && validate_flow_step(flow)) {
    }
    validate_samples s[2] = {validate_flow_read(flow, "velocity_x"),
                             validate_flow_read(flow, "velocity_y")};
    double *all = validate_flow_memory(flow, 2 * (size_t)cells * (size_t)cells);
    for (int q = 0; q < 2 && all && s[0].data && s[1].data; q++) {
        for (int i = 0; i < cells * cells; i++) {
            all[q * cells * cells + i] = (double)s[q].data[i / cells * s[q].n[0] + i % cells];
        }
    }
    return validate_flow_failed(flow) ? NULL : all;
}

/// Root of the mean square of what differs in the middle.
static double middle_change(const double *a, const double *b, int cells)
{
    int edge = cells / 10, count = 0;
    double sum = 0.0;
    for (int i = 0; i < 2 * cells * cells; i++) {
        int x = i % cells, y = i / cells % cells;
        if (x >= edge && x < cells - edge && y >= edge && y < cells - edge) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
            count++;
        }
    }
    return sqrt(sum / count);
}

static void note_order(validate_flow *flow, int cells)
{
    double *all[3] = {NULL, NULL, NULL}, least = validate_with(flow, "least", 2.0);
    for (int q = 0; q < 3; q++) {
        all[q] = validate_flow_again(flow, least * (double)(1 << q)) ? spin_up(flow, cells) : NULL;
        if (!all[q]) {
            return;
        }
    }
    double coarse = middle_change(all[2], all[1], cells),
           fine = middle_change(all[1], all[0], cells);
    validate_note(flow, "dt_order", "1", log2(coarse / fine));
}

void validate_measure_lid_cavity(validate_flow *flow)
{
    static const char *const names[EXTREMA] = {"u_min", "v_max", "v_min"};
    double found[EXTREMA], half[EXTREMA], known[EXTREMA], h, origin[3];
    int n[3];
    validate_flow_grid(flow, n, &h, origin);
    if (!settle(flow, true, found)) {
        return;
    }
    for (int e = 0; e < EXTREMA; e++) {
        known[e] = validate_with(flow, names[e], NAN);
        validate_note(flow, names[e], "m/s", found[e]);
    }
    validate_note(flow, "error", "1", differ(found, known));
    if (validate_flow_quick(flow)) {
        return;
    }
    if (n[0] == (int)validate_with(flow, "again", 0.0) && validate_flow_again(flow, 0.5) &&
        settle(flow, false, half)) {
        validate_note(flow, "dt_change", "1", differ(found, half));
    }
    if (n[0] == (int)validate_with(flow, "spin_up", 0.0)) {
        note_order(flow, n[0]);
    }
}
