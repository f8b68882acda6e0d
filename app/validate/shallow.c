// validate/shallow.c: shallow water against exact solutions on flat ground: dam breaks, small
// waves.
#include "validate/validate.h"

#include <math.h>

static const double PI = 3.141592653589793, G = 9.81;

// ---- dam breaks

/// Water `left` deep on the left of x = 0, `right` deep on the right.
typedef struct dam {
    double left, right;
    double middle, speed, shock; // of the plateau, where there is one
} dam;

static double dam_depth(const void *argument, const double at[3])
{
    const dam *d = argument;
    return at[0] < 0.0 ? d->left : d->right;
}

/// Stoker (1957): the plateau joins a rarefaction, u = 2 (c_left - c), to a shock; by bisection.
static void find_plateau(dam *d)
{
    double low = d->right, high = d->left, cl = sqrt(G * d->left);
    for (int k = 0; k < 100; k++) {
        double m = 0.5 * (low + high), u = 2.0 * (cl - sqrt(G * m));
        double jump = (m - d->right) * sqrt(0.5 * G * (m + d->right) / (m * d->right));
        low = jump < u ? m : low;
        high = jump < u ? high : m;
    }
    d->middle = low;
    d->speed = 2.0 * (cl - sqrt(G * low));
    d->shock = low * d->speed / (low - d->right);
}

/// Depth and velocity at x / t = s. With dry ground on the right this is Ritter's solution.
static void dam_exact(const dam *d, double s, double *depth, double *speed)
{
    double cl = sqrt(G * d->left), cm = sqrt(G * d->middle);
    if (s < -cl) {
        *depth = d->left;
        *speed = 0.0;
    } else if (s < d->speed - cm) {
        *depth = (2.0 * cl - s) * (2.0 * cl - s) / (9.0 * G);
        *speed = 2.0 / 3.0 * (cl + s);
    } else {
        bool before = s < d->shock;
        *depth = before ? d->middle : d->right;
        *speed = before ? d->speed : 0.0;
    }
}

enum { DAM_MOST = 2000 };

typedef struct dam_run {
    int n;
    double time, error; // mean of |depth - exact|
    double x[DAM_MOST], depth[DAM_MOST], exact[DAM_MOST], speed[DAM_MOST], exact_speed[DAM_MOST];
} dam_run;

static void break_dam(validate_run *run, const dam *d, int n, dam_run *out)
{
    validate_open_grid(run, "flat_water", n, 1, 100.0 / n, NULL);
    validate_write(run, "depth", dam_depth, d);
    validate_step(run, validate_steps_in_all(run));
    const float *depth = validate_read(run, "depth", NULL);
    const float *speed = validate_read(run, "velocity_x", NULL);
    if (!depth || !speed) {
        return;
    }
    out->n = n;
    out->time = validate_dt(run) * validate_steps_in_all(run);
    out->error = 0.0;
    for (int i = 0; i < n; i++) {
        out->x[i] = (i + 0.5) * 100.0 / n - 50.0;
        out->depth[i] = (double)depth[i];
        out->speed[i] = (double)speed[i];
        dam_exact(d, out->x[i] / out->time, &out->exact[i], &out->exact_speed[i]);
        out->error += fabs(out->depth[i] - out->exact[i]) / n;
    }
}

/// The last place where the depth passes `level`.
static double place_of(const dam_run *r, double level)
{
    for (int i = r->n - 2; i >= 0; i--) {
        if (r->depth[i] > level && r->depth[i + 1] <= level) {
            double t = (r->depth[i] - level) / (r->depth[i] - r->depth[i + 1]);
            return r->x[i] + t * (r->x[i + 1] - r->x[i]);
        }
    }
    return NAN;
}

static void plot_dam(validate_run *run, const dam_run *r, int sizes, const double *n,
                     const double *error)
{
    validate_plot(run, "Depth after 6 s", "x / m", "depth / m");
    validate_curve(run, "gyre", VALIDATE_LINE, r->n, r->x, r->depth);
    validate_curve(run, "exact", VALIDATE_DASHES, r->n, r->x, r->exact);
    validate_plot(run, "Velocity after 6 s", "x / m", "velocity / (m/s)");
    validate_curve(run, "gyre", VALIDATE_LINE, r->n, r->x, r->speed);
    validate_curve(run, "exact", VALIDATE_DASHES, r->n, r->x, r->exact_speed);
    validate_plot(run, "Error of the depth", "cells", "mean size / m");
    validate_plot_logarithmic(run, true, true);
    validate_curve(run, "gyre", VALIDATE_LINE, sizes, n, error);
}

/// Breaks the dam on grids of three sizes; the finest is left in `r`.
enum { SIZES = 3 };
static dam_run *dam_series(validate_run *run, const dam *d, double n[SIZES], double error[SIZES])
{
    dam_run *r = validate_memory(run, 1, sizeof *r);
    for (int s = 0; s < SIZES && r; s++) {
        int cells = (validate_quick(run) ? 800 : DAM_MOST) >> (SIZES - 1 - s);
        break_dam(run, d, cells, r);
        n[s] = cells;
        error[s] = r->error;
    }
    if (validate_failed(run)) {
        return NULL;
    }
    validate_expect(run, "order of the error of the depth (L1)", "1",
                    validate_order(error[SIZES - 2], error[SIZES - 1], 2.0), 1.0, VALIDATE_AT_LEAST,
                    0.1, "first order at shocks and corners, whatever the scheme");
    return r;
}

void validate_ritter(validate_run *run)
{
    double n[SIZES], error[SIZES], c = sqrt(G);
    // The rarefaction goes on to depth 0.
    const dam d = {1.0, 0.0, 0.0, 2.0 * c, 2.0 * c};
    const dam_run *r = dam_series(run, &d, n, error);
    if (!r) {
        return;
    }
    double sum = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int i = 0; i < r->n; i++) {
        // sqrt(depth) falls on a straight line to 0 at the front.
        if (r->depth[i] > 0.005 && r->depth[i] < 0.4) {
            double y = sqrt(r->depth[i]);
            sum += 1.0;
            sx += r->x[i];
            sy += y;
            sxx += r->x[i] * r->x[i];
            sxy += r->x[i] * y;
        }
    }
    double slope = (sum * sxy - sx * sy) / (sum * sxx - sx * sx);
    double front = (sx - sy / slope) / sum / r->time;
    validate_expect(run, "speed of the front, from the depths behind", "m/s", front, 2.0 * c,
                    VALIDATE_RELATIVE, 0.01, NULL);
    validate_expect(run, "speed of the place 5 mm deep", "m/s", place_of(r, 0.005) / r->time,
                    2.0 * c - 3.0 * sqrt(G * 0.005), VALIDATE_RELATIVE, 0.01, NULL);
    validate_expect(run, "depth at the dam", "m",
                    0.5 * (r->depth[r->n / 2 - 1] + r->depth[r->n / 2]), 4.0 / 9.0,
                    VALIDATE_RELATIVE, 0.01, NULL);
    validate_expect(run, "velocity at the dam", "m/s",
                    0.5 * (r->speed[r->n / 2 - 1] + r->speed[r->n / 2]), 2.0 / 3.0 * c,
                    VALIDATE_RELATIVE, 0.01, NULL);
    plot_dam(run, r, SIZES, n, error);
}

static void stoker(validate_run *run, double right)
{
    double n[SIZES], error[SIZES], depth = 0.0, speed = 0.0, count = 0.0;
    dam d = {.left = 1.0, .right = right};
    find_plateau(&d);
    const dam_run *r = dam_series(run, &d, n, error);
    if (!r) {
        return;
    }
    double from = d.speed - sqrt(G * d.middle), across = d.shock - from;
    for (int i = 0; i < r->n; i++) {
        double s = r->x[i] / r->time;
        if (s > from + 0.3 * across && s < from + 0.7 * across) {
            depth += r->depth[i];
            speed += r->speed[i];
            count += 1.0;
        }
    }
    validate_expect(run, "speed of the shock", "m/s",
                    place_of(r, 0.5 * (d.middle + d.right)) / r->time, d.shock, VALIDATE_RELATIVE,
                    0.01, NULL);
    validate_expect(run, "depth of the plateau", "m", depth / count, d.middle, VALIDATE_RELATIVE,
                    0.005, NULL);
    validate_expect(run, "velocity of the plateau", "m/s", speed / count, d.speed,
                    VALIDATE_RELATIVE, 0.005, NULL);
    plot_dam(run, r, SIZES, n, error);
}

void validate_stoker_deep(validate_run *run)
{
    stoker(run, 0.5);
}

void validate_stoker_shallow(validate_run *run)
{
    stoker(run, 0.1);
}

// ---- small waves

typedef struct small_wave {
    double depth, amplitude, length;
} small_wave;

static double half_wave(const void *argument, const double at[3])
{
    const small_wave *w = argument;
    return w->depth + w->amplitude * cos(PI * (at[0] + 50.0) / w->length);
}

void validate_standing_wave(validate_run *run)
{
    enum { N = 256, STEPS = 1000 };
    const small_wave w = {1.0, 1e-3, 10.0};
    const double dt = 0.014;
    double time[STEPS], strength[STEPS], exact[STEPS], first = NAN, last = NAN;
    int crossings = 0;
    validate_open_grid(run, "flat_water", N, 1, 10.0 / N, NULL);
    validate_write(run, "depth", half_wave, &w);
    for (int step = 0; step < STEPS; step++) {
        const float *depth = validate_read(run, "depth", NULL);
        time[step] = step * dt;
        strength[step] = 0.0;
        exact[step] = cos(2.0 * PI * step * dt / 6.38551);
        for (int i = 0; i < N && depth; i++) {
            strength[step] +=
                2.0 / N / w.amplitude * ((double)depth[i] - w.depth) * cos(PI * (i + 0.5) / N);
        }
        if (step > 0 && (strength[step] < 0.0) != (strength[step - 1] < 0.0)) {
            last = time[step - 1] + dt * strength[step - 1] / (strength[step - 1] - strength[step]);
            first = crossings++ == 0 ? last : first;
        }
        validate_step_by(run, dt);
    }
    validate_expect(run, "period", "s", 2.0 * (last - first) / (crossings - 1), 6.38551,
                    VALIDATE_RELATIVE, 0.002, NULL);
    validate_plot(run, "Height at the wall over its start", "time / s", "1");
    validate_curve(run, "gyre", VALIDATE_LINE, STEPS, time, strength);
    validate_curve(run, "exact", VALIDATE_DASHES, STEPS, time, exact);
}

static double small_hump(const void *argument, const double at[3])
{
    const small_wave *w = argument;
    double x = (at[0] + 30.0) / w->length; // 20 m from the left wall
    return w->depth + w->amplitude * exp(-x * x);
}

/// How far the hump's right half has come: where its likeness to the hump at the start is greatest.
static double find_hump(const small_wave *w, const double *height, int n, double h)
{
    enum { FIRST = 400 };
    double like[FIRST], place;
    int best = 0;
    // Shifts by 30 m to 80 m of 100 m, in cells.
    int first = (int)(30.0 / h), last = (int)(80.0 / h);
    for (int s = first; s < last; s++) {
        like[s - first] = 0.0;
        for (int i = 0; i < n; i++) {
            double x = ((i - s + 0.5) * h - 20.0) / w->length;
            like[s - first] += height[i] * exp(-x * x);
        }
        best = like[s - first] > like[best] ? s - first : best;
    }
    validate_peak(like, last - first, best, &place);
    return (first + place) * h;
}

void validate_wave_speed(validate_run *run)
{
    enum { N = 800, DEPTHS = 3 };
    static const double depths[DEPTHS] = {0.25, 1.0, 4.0};
    const double h = 100.0 / N;
    double x[N], height[DEPTHS][N];
    for (int k = 0; k < DEPTHS; k++) {
        // A wave of this height is faster by a thousandth, and still far above rounding.
        const small_wave w = {depths[k], 2e-3 * depths[k], 3.0};
        double c = sqrt(G * depths[k]), dt = 0.4 * h / c;
        int steps = (int)(50.0 / (c * dt) + 0.5);
        validate_open_grid(run, "flat_water", N, 1, h, NULL);
        validate_write(run, "depth", small_hump, &w);
        for (int step = 0; step < steps; step++) {
            validate_step_by(run, dt);
        }
        const float *depth = validate_read(run, "depth", NULL);
        for (int i = 0; i < N && depth; i++) {
            x[i] = (i + 0.5) * h - 50.0;
            height[k][i] = ((double)depth[i] - w.depth) / w.amplitude;
        }
        if (validate_failed(run)) {
            return;
        }
        char what[96];
        snprintf(what, sizeof what, "speed of a small wave, %g m deep", depths[k]);
        validate_expect(run, what, "m/s", find_hump(&w, height[k], N, h) / (steps * dt), c,
                        VALIDATE_RELATIVE, 0.003, NULL);
    }
    validate_plot(run, "Small waves after 50 m", "x / m", "height over the start's");
    for (int k = 0; k < DEPTHS; k++) {
        char name[32];
        snprintf(name, sizeof name, "%g m deep", depths[k]);
        validate_curve(run, name, VALIDATE_LINE, N, x, height[k]);
    }
}
