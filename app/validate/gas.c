// validate/gas.c: gas against exact solutions and the lid-driven cavity.
#include "validate/validate.h"

#include <math.h>

enum { MOST = 256 };

static const double TURN = 6.283185307179586;

// ---- the cavity

typedef struct sample {
    int place; // over 128
    double value;
} sample;

// Ghia, Ghia & Shin, table I: u on x = 1/2 at y, and table II: v on y = 1/2 at x, for Re 100.
static const sample ghia_u[] = {
    {128, 1.0},     {125, 0.84123}, {124, 0.78871}, {123, 0.73722}, {122, 0.68717}, {109, 0.23151},
    {94, 0.00332},  {79, -0.13641}, {64, -0.20581}, {58, -0.2109},  {36, -0.15662}, {22, -0.1015},
    {13, -0.06434}, {9, -0.04775},  {8, -0.04192},  {7, -0.03717},  {0, 0.0},
};
static const sample ghia_v[] = {
    {128, 0.0},      {124, -0.05906}, {123, -0.07391}, {122, -0.08864}, {121, -0.10313},
    {116, -0.16914}, {110, -0.22445}, {103, -0.24533}, {64, 0.05454},   {30, 0.17527},
    {29, 0.17507},   {20, 0.16077},   {12, 0.12317},   {10, 0.1089},    {9, 0.10091},
    {8, 0.09233},    {0, 0.0},
};
enum { GHIA = sizeof ghia_u / sizeof ghia_u[0] };

static void plot_profile(validate_run *run, const char *title, const char *along, const char *what,
                         int n, const double *at, const double *value, const sample *reference)
{
    double x[GHIA], y[GHIA];
    for (int i = 0; i < GHIA; i++) {
        x[i] = reference[i].place / 128.0;
        y[i] = reference[i].value;
    }
    validate_plot(run, title, along, what);
    validate_curve(run, "gyre", VALIDATE_LINE, n, at, value);
    validate_curve(run, "Ghia, Ghia & Shin", VALIDATE_POINTS, GHIA, x, y);
}

static double extremum(const double *value, int n, double sign)
{
    int best = 0;
    for (int i = 1; i < n; i++) {
        best = sign * value[i] > sign * value[best] ? i : best;
    }
    return validate_peak(value, n, best, NULL);
}

void validate_cavity(validate_run *run)
{
    int n = validate_quick(run) ? 64 : 128;
    // Half as many cells step twice as far and are twice as far off: the steady state that comes
    // of steps is off by the first order in dt.
    double tolerance = validate_quick(run) ? 0.02 : 0.01;
    int steps_per_frame = validate_quick(run) ? 10 : 20;
    char steps[64];
    snprintf(steps, sizeof steps, "time.steps_per_frame=%d", steps_per_frame);
    validate_open_grid(run, "cavity", n, n, 1.0 / n, (const char *const[]){steps, NULL});
    validate_step(run, validate_steps_in_all(run));
    const float *u = validate_read(run, "velocity_x", NULL);
    const float *v = validate_read(run, "velocity_y", NULL);
    double at[MOST], along_y[MOST], along_x[MOST];
    if (!u || !v) {
        return;
    }
    for (int i = 0; i < n; i++) {
        at[i] = (i + 0.5) / n;
        // x faces: n + 1 in a row; the middle one lies on x = 1/2, and so with y.
        along_y[i] = (double)u[i * (n + 1) + n / 2];
        along_x[i] = (double)v[n / 2 * n + i];
    }
    validate_expect(run, "least u on x = 1/2", "m/s", extremum(along_y, n, -1.0), -0.2140417,
                    VALIDATE_RELATIVE, tolerance, NULL);
    validate_expect(run, "greatest v on y = 1/2", "m/s", extremum(along_x, n, 1.0), 0.1795728,
                    VALIDATE_RELATIVE, tolerance, NULL);
    validate_expect(run, "least v on y = 1/2", "m/s", extremum(along_x, n, -1.0), -0.2538030,
                    VALIDATE_RELATIVE, tolerance, NULL);
    plot_profile(run, "Horizontal velocity on x = 1/2", "y / m", "u / (m/s)", n, at, along_y,
                 ghia_u);
    plot_profile(run, "Vertical velocity on y = 1/2", "x / m", "v / (m/s)", n, at, along_x, ghia_v);
}

// ---- vortices

static double vortex_u(const void *argument, const double at[3])
{
    (void)argument;
    return -cos(TURN * at[0]) * sin(TURN * at[1]);
}

static double vortex_v(const void *argument, const double at[3])
{
    (void)argument;
    return sin(TURN * at[0]) * cos(TURN * at[1]);
}

static void start_vortices(validate_run *run, int n, const char *const *changes)
{
    validate_open_grid(run, "vortices", n, n, 1.0 / n, changes);
    validate_write(run, "velocity_x", vortex_u, NULL);
    validate_write(run, "velocity_y", vortex_v, NULL);
}

/// Mean squares of u over its samples, and of its difference from `share` times the start.
static void compare_vortices(validate_run *run, double share, double *square, double *error)
{
    int n[3];
    const float *u = validate_read(run, "velocity_x", n);
    *square = *error = NAN;
    if (!u) {
        return;
    }
    double sum = 0.0, off = 0.0;
    int cells = n[0] - 1;
    for (int j = 0; j < n[1]; j++) {
        for (int i = 0; i < cells; i++) {
            const double at[3] = {(double)i / cells, (j + 0.5) / cells, 0.0};
            double x = (double)u[j * n[0] + i], d = x - share * vortex_u(NULL, at);
            sum += x * x;
            off += d * d;
        }
    }
    *square = sum / ((double)cells * n[1]);
    *error = sqrt(off / ((double)cells * n[1]));
}

/// Runs the vortices with steps of three lengths, each half the one before. The order of the error
/// in dt, and the energy that steps without length would leave: 2 E(dt / 2) - E(dt).
static void halve_steps(validate_run *run, double viscosity, int frames, double tolerance)
{
    enum { SERIES = 3, MOST_FRAMES = 20 };
    int cells = 128;
    double time[MOST_FRAMES + 1], energy[SERIES][MOST_FRAMES + 1], exact[MOST_FRAMES + 1];
    double dt[SERIES], error[SERIES];
    for (int s = 0; s < SERIES; s++) {
        int steps = cells / 8 << s;
        char first[48], second[48];
        snprintf(first, sizeof first, "time.steps_per_frame=%d", steps);
        snprintf(second, sizeof second, "gas.viscosity=%g", viscosity);
        start_vortices(run, cells, (const char *const[]){first, second, NULL});
        double start = 1.0;
        for (int f = 0; f <= frames; f++) {
            double square;
            time[f] = f * 0.1;
            double share = exp(-2.0 * viscosity * TURN * TURN * time[f]);
            compare_vortices(run, share, &square, &error[s]);
            start = f == 0 ? square : start;
            energy[s][f] = square / start;
            exact[f] = share * share;
            validate_step(run, f < frames ? steps : 0);
        }
        dt[s] = 0.1 / steps;
    }
    double limit = 2.0 * energy[2][frames] - energy[1][frames];
    validate_expect(run, "energy left, in the limit of short steps", "1", limit, exact[frames],
                    VALIDATE_RELATIVE, tolerance, NULL);
    validate_expect(run, "order in dt of the error of u (L2)", "1",
                    validate_order(error[1], error[2], 2.0), 1.0, VALIDATE_AT_LEAST, 0.1,
                    "advection, diffusion and pressure follow each other: first order in time");
    validate_plot(run, "Kinetic energy", "time / s", "energy over its start");
    validate_curve(run, "longest steps", VALIDATE_LINE, frames + 1, time, energy[0]);
    validate_curve(run, "a half", VALIDATE_LINE, frames + 1, time, energy[1]);
    validate_curve(run, "a quarter", VALIDATE_LINE, frames + 1, time, energy[2]);
    validate_curve(run, "exact", VALIDATE_DASHES, frames + 1, time, exact);
    validate_plot(run, "Error of u at the end", "dt / s", "root mean square / (m/s)");
    validate_plot_logarithmic(run, true, true);
    validate_curve(run, "gyre", VALIDATE_LINE, SERIES, dt, error);
}

void validate_taylor_green(validate_run *run)
{
    halve_steps(run, 0.005, 10, 0.005);
}

void validate_taylor_green_inviscid(validate_run *run)
{
    halve_steps(run, 0.0, 20, 0.01);
}

// ---- the plate

void validate_plate(validate_run *run)
{
    int n = validate_quick(run) ? 64 : 128;
    double at[MOST], found[MOST], exact[MOST], most = 0.0;
    validate_open_grid(run, "plate", 8, n, 1.0 / n, NULL);
    validate_step(run, validate_steps_in_all(run));
    const float *u = validate_read(run, "velocity_x", NULL);
    if (!u) {
        return;
    }
    for (int j = 0; j < n; j++) {
        at[j] = (j + 0.5) / n;
        found[j] = (double)u[j * 9 + 4];
        exact[j] = erfc(at[j] / (2.0 * sqrt(0.01 * 1.0)));
        most = fmax(most, fabs(found[j] - exact[j]));
    }
    validate_expect(run, "greatest error of u after 1 s", "m/s", most, 0.0, VALIDATE_ABSOLUTE,
                    0.005, NULL);
    validate_plot(run, "Velocity over the plate after 1 s", "y / m", "u / (m/s)");
    validate_curve(run, "gyre", VALIDATE_POINTS, n, at, found);
    validate_curve(run, "exact", VALIDATE_DASHES, n, at, exact);
}

// ---- a puff on its way

static double wind(const void *argument, const double at[3])
{
    (void)at;
    return *(const double *)argument;
}

static double puff(const void *argument, const double at[3])
{
    (void)argument;
    double x = at[0] - 0.5, y = at[1] - 0.5;
    return exp(-(x * x + y * y) / (2.0 * 0.08 * 0.08));
}

static double puff_error(validate_run *run, int cells, double *x, double *cut)
{
    const double u = 1.0, v = 1.0;
    char steps[64];
    // Courant number 0.64, so that nothing lands on a sample.
    snprintf(steps, sizeof steps, "time.steps_per_frame=%d", cells * 5 / 32);
    validate_open_grid(run, "vortices", cells, cells, 1.0 / cells,
                       (const char *const[]){steps, NULL});
    validate_write(run, "velocity_x", wind, &u);
    validate_write(run, "velocity_y", wind, &v);
    validate_write(run, "density", puff, NULL);
    validate_step(run, validate_steps_in_all(run));
    const float *d = validate_read(run, "density", NULL);
    double sum = 0.0, whole = 0.0;
    for (int j = 0; d && j < cells; j++) {
        for (int i = 0; i < cells; i++) {
            const double at[3] = {(i + 0.5) / cells, (j + 0.5) / cells, 0.0};
            double exact = puff(NULL, at);
            sum += fabs((double)d[j * cells + i] - exact);
            whole += exact;
        }
        x[j] = (j + 0.5) / cells;
        cut[j] = (double)d[cells / 2 * cells + j];
    }
    return d ? sum / whole : NAN;
}

void validate_translation(validate_run *run)
{
    enum { SIZES = 3 };
    const int largest = validate_quick(run) ? 128 : 256;
    double n[SIZES], error[SIZES], x[MOST], cut[MOST], exact[MOST];
    for (int s = 0; s < SIZES; s++) {
        int cells = largest >> (SIZES - 1 - s);
        error[s] = puff_error(run, cells, x, cut);
        n[s] = cells;
    }
    for (int i = 0; i < largest; i++) {
        const double at[3] = {(i + 0.5) / largest, (largest / 2 + 0.5) / largest, 0.0};
        exact[i] = puff(NULL, at);
    }
    validate_expect(run, "error over the whole (L1)", "1", error[SIZES - 1], 0.0, VALIDATE_ABSOLUTE,
                    validate_quick(run) ? 0.04 : 0.01, NULL);
    validate_expect(run, "order of the error (L1)", "1",
                    validate_order(error[SIZES - 2], error[SIZES - 1], 2.0), 2.0, VALIDATE_AT_LEAST,
                    0.2, "MacCormack's method is of second order");
    validate_plot(run, "Density on y = 1/2 after one turn", "x / m", "density / (kg/m^3)");
    validate_curve(run, "gyre", VALIDATE_LINE, largest, x, cut);
    validate_curve(run, "exact", VALIDATE_DASHES, largest, x, exact);
    validate_plot(run, "Error after one turn", "cells a side", "L1 over the whole");
    validate_plot_logarithmic(run, true, true);
    validate_curve(run, "gyre", VALIDATE_LINE, SIZES, n, error);
}
