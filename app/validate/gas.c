// validate/gas.c: gas against exact solutions: a plate that drags it along, a puff on its way.
#include "validate/validate.h"

#include <math.h>

enum { MOST = 256 };

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
        found[j] = (double)u[j * 9 + 4]; // 8 cells have 9 faces; the one in the middle
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

// ---- a mode that diffuses

static const double TURN = 6.283185307179586;

static double mode(const void *argument, const double at[3])
{
    (void)argument;
    return cos(TURN * at[0]);
}

/// What is left of cos(2 pi x) after some steps, over its start; by the grid's own wave number it
/// falls as exp(-rate t).
static double diffuse(validate_run *run, int cells, bool velocity, double diffusivity, double dt,
                      int steps)
{
    const char *field = velocity ? "velocity_y" : "density";
    gyre_gas_def def = gyre_gas_default_def(2);
    def.grid.n[0] = def.grid.n[1] = cells;
    def.grid.h = 1.0f / (float)cells;
    for (int s = 0; s < 4; s++) {
        (&def.sides.x_low)[s].rule = GYRE_GAS_SIDE_PERIODIC;
    }
    *(velocity ? &def.viscosity : &def.density.diffusivity) = (float)diffusivity;
    def.diffusion.tolerance = 1e-7f;
    def.diffusion.max_cycles = 100;
    validate_create(run, "gas", &def);
    validate_write(run, field, mode, NULL);
    for (int i = 0; i < steps; i++) {
        validate_step_by(run, dt);
    }
    int n[3];
    const float *q = validate_read(run, field, n);
    double sum = 0.0, all = 0.0;
    for (int i = 0; q && i < cells; i++) {
        const double at[3] = {(i + 0.5) / cells, 0.0, 0.0};
        sum += (double)q[n[0] * 5 + i] * mode(NULL, at);
        all += mode(NULL, at) * mode(NULL, at);
    }
    return q ? sum / all : NAN;
}

/// The square of the mode's wave number on a grid.
static double wave_number_squared(int cells)
{
    double k = 2.0 * cells * sin(0.5 * TURN / cells);
    return k * k;
}

/// The order in dt over two decay times.
static double diffusion_order(validate_run *run, int cells, bool velocity, int steps)
{
    double error[2], diffusivity = 2.0 / wave_number_squared(cells);
    for (int k = 0; k < 2; k++) {
        int count = steps << k;
        double left = diffuse(run, cells, velocity, diffusivity, 1.0 / count, count);
        error[k] = fabs(left - exp(-2.0));
    }
    return validate_order(error[0], error[1], 2.0);
}

void validate_diffusion(validate_run *run)
{
    static const char *const names[2] = {"density", "velocity"};
    char what[96];
    for (int v = 0; v < 2 && !validate_failed(run); v++) {
        double worst = 0.0, least = 1.0;
        // Steps about as long as an explicit method could take them, and half as long.
        snprintf(what, sizeof what, "order in dt of a mode that diffuses, %s", names[v]);
        validate_expect(run, what, "1", diffusion_order(run, 8, v, 16), 2.0, VALIDATE_AT_LEAST, 0.2,
                        NULL);
        // One step of ever more decay times: an L-stable step leaves ever less of it. Crank and
        // Nicolson's would turn it round: -1.
        for (double z = 1e2; z < 2e6; z *= 10.0) {
            double left = diffuse(run, 32, v, z / wave_number_squared(32), 1.0, 1);
            worst = fmax(worst, fabs(left) * sqrt(z / 1e2));
            least = fmin(least, left);
        }
        snprintf(what, sizeof what, "left after one step of 100 decay times and more, %s",
                 names[v]);
        validate_expect(
            run, what, "1", worst, 0.0, VALIDATE_ABSOLUTE, 0.05,
            "L-stable: less the longer the step (times the root of its length over 100)");
        snprintf(what, sizeof what, "least of what is left, %s", names[v]);
        validate_expect(run, what, "1", least, 0.0, VALIDATE_AT_LEAST, 0.05,
                        "without ringing: a mode is not turned round");
    }
    validate_expect(run, "order in dt at eight times these steps, velocity", "1",
                    diffusion_order(run, 32, true, 32), 2.0, VALIDATE_AT_LEAST, 0.2, NULL);
}
