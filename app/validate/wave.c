// validate/wave.c: linear waves on water (mode wave) against what the scheme promises: its own
// dispersion relation, d'Alembert's solution, what open sides send back.
#include "validate/validate.h"

#include <math.h>
#include <stddef.h>

static const double PI = 3.141592653589793;

// ---- dispersion

/// A standing mode of a box with walls: m[0] and m[1] half waves, on cells of 1 m.
typedef struct mode {
    int n[2], m[2];
} mode;

static double mode_at(const void *argument, const double at[3])
{
    const mode *s = argument;
    return cos(PI * s->m[0] * at[0] / s->n[0]) * cos(PI * s->m[1] * at[1] / s->n[1]);
}

/// omega dt of a mode, from the strength a of the mode after each step: every three in a row have
/// a'' + a = 2 cos(omega dt) a'. Least squares over all of them.
static double measure_mode(validate_run *run, const mode *s, double dt, int steps)
{
    double *strength = validate_memory(run, (size_t)steps + 1, sizeof *strength);
    validate_open_grid(run, "waves", s->n[0], s->n[1], 1.0, NULL);
    validate_write(run, "height", mode_at, s);
    for (int step = 0; step <= steps && strength; step++) {
        const float *u = validate_read(run, "height", NULL);
        for (int i = 0; u && i < s->n[0] * s->n[1]; i++) {
            const double at[3] = {i % s->n[0] + 0.5, i / s->n[0] + 0.5, 0.0};
            strength[step] += (double)u[i] * mode_at(s, at);
        }
        validate_step_by(run, dt);
    }
    double over = 0.0, under = 0.0;
    for (int i = 1; i < steps && strength; i++) {
        over += strength[i] * (strength[i - 1] + strength[i + 1]);
        under += 2.0 * strength[i] * strength[i];
    }
    return acos(over / under);
}

void validate_dispersion(validate_run *run)
{
    enum { MODES = 9, CURVE = 64 };
    static const int halves[MODES] = {8, 16, 32, 48, 64, 80, 96, 112, 124};
    const double nu[2] = {0.5, 0.9};
    double kh[MODES], speed[2][MODES], curve_kh[CURVE], curve[2][CURVE];
    for (int c = 0; c < 2; c++) {
        double most = 0.0;
        for (int i = 0; i < MODES; i++) {
            const mode s = {{128, 1}, {halves[i], 0}};
            double found = measure_mode(run, &s, nu[c], validate_quick(run) ? 150 : 600);
            kh[i] = PI * halves[i] / 128;
            speed[c][i] = found / (nu[c] * kh[i]);
            double exact = 2.0 * asin(nu[c] * sin(0.5 * kh[i]));
            most = fmax(most, fabs(found / exact - 1.0));
        }
        for (int i = 0; i < CURVE; i++) {
            curve_kh[i] = PI * (i + 1) / CURVE;
            curve[c][i] = 2.0 * asin(nu[c] * sin(0.5 * curve_kh[i])) / (nu[c] * curve_kh[i]);
        }
        validate_expect(
            run, c ? "greatest error of omega, 1D, nu 0.9" : "greatest error of omega, 1D, nu 0.5",
            "1", most, 0.0, VALIDATE_ABSOLUTE, 1e-4, NULL);
    }
    const mode oblique = {{64, 48}, {20, 9}};
    double found = measure_mode(run, &oblique, 0.7, validate_quick(run) ? 100 : 300);
    double x = sin(0.5 * PI * 20 / 64), y = sin(0.5 * PI * 9 / 48);
    validate_expect(run, "omega dt of an oblique mode, 2D, nu 0.7", "1", found,
                    2.0 * asin(0.7 * sqrt(x * x + y * y)), VALIDATE_RELATIVE, 1e-4,
                    "sin^2(omega dt / 2) = nu^2 (sin^2(k_x h / 2) + sin^2(k_y h / 2))");
    validate_plot(run, "Phase speed in 1D", "k h", "omega / (c k)");
    validate_curve(run, "nu 0.5", VALIDATE_POINTS, MODES, kh, speed[0]);
    validate_curve(run, "scheme", VALIDATE_DASHES, CURVE, curve_kh, curve[0]);
    validate_curve(run, "nu 0.9", VALIDATE_POINTS, MODES, kh, speed[1]);
    validate_curve(run, "scheme", VALIDATE_DASHES, CURVE, curve_kh, curve[1]);
}

// ---- waves that run

/// A shape that runs to the right at 1 m/s: where, and what its discharge is early by.
typedef struct runner {
    double centre, width, length, early;
    bool square; // a block beside the hump
} runner;

static double runner_height(const void *argument, const double at[3])
{
    const runner *r = argument;
    double x = at[0] - floor(at[0] / r->length) * r->length, d = (x - r->centre) / r->width;
    double block = r->square && x > 0.6 * r->length && x < 0.8 * r->length ? 0.5 : 0.0;
    return exp(-d * d) + block;
}

/// The discharge belongs to half a step earlier: q(x, -dt/2) = c u(x + c dt / 2, 0).
static double runner_discharge(const void *argument, const double at[3])
{
    const runner *r = argument;
    const double then[3] = {at[0] + r->early, at[1], at[2]};
    return runner_height(argument, then);
}

void validate_dalembert(validate_run *run)
{
    enum { N = 256 };
    const runner r = {0.25 * N, 10.0, N, 0.5, true};
    const int turns = validate_quick(run) ? 2 : 20;
    double x[N], found[N], exact[N], most = 0.0;
    validate_open_grid(run, "waves", N, 1, 1.0,
                       (const char *const[]){"water.sides.x_low.rule=periodic",
                                             "water.sides.x_high.rule=periodic", NULL});
    validate_write(run, "height", runner_height, &r);
    validate_write(run, "discharge_x", runner_discharge, &r);
    for (int step = 0; step < turns * N + N / 3; step++) {
        validate_step_by(run, 1.0);
    }
    const float *u = validate_read(run, "height", NULL);
    for (int i = 0; i < N && u; i++) {
        const double at[3] = {i + 0.5 - N / 3, 0.0, 0.0};
        x[i] = i + 0.5;
        found[i] = (double)u[i];
        exact[i] = (double)(float)runner_height(&r, at);
        most = fmax(most, fabs(found[i] - exact[i]));
    }
    char what[96];
    snprintf(what, sizeof what, "greatest error of the height after %d.3 turns", turns);
    validate_expect(run, what, "m", most, 0.0, VALIDATE_ABSOLUTE, 1e-6, NULL);
    if (u) {
        validate_plot(run, "A hump and a block, c dt = h", "x / m", "height / m");
        validate_curve(run, "gyre", VALIDATE_LINE, N, x, found);
        validate_curve(run, "d'Alembert", VALIDATE_DASHES, N, x, exact);
    }
}

// ---- a slope

static double plane(const void *argument, const double at[3])
{
    return *(const double *)argument * at[0];
}

void validate_slope(validate_run *run)
{
    enum { N = 128, STEPS = 16 };
    // One slope that floats hold exactly, one that they do not.
    const double slopes[2] = {1.0 / 64, 0.013};
    double x[N], found[2][N];
    for (int s = 0; s < 2; s++) {
        double most = 0.0;
        validate_open_grid(run, "waves", N, 1, 1.0, NULL);
        validate_write(run, "height", plane, &slopes[s]);
        const float *before = validate_read(run, "height", NULL);
        for (int step = 0; step < STEPS; step++) {
            validate_step_by(run, 0.5);
        }
        const float *after = validate_read(run, "height", NULL);
        for (int i = 0; i < N && before && after; i++) {
            x[i] = i + 0.5;
            found[s][i] = (double)after[i];
            // What the walls do reaches a cell further with every step.
            if (i >= STEPS && i < N - STEPS) {
                most = fmax(most, fabs((double)after[i] - (double)before[i]));
            }
        }
        char what[96];
        snprintf(what, sizeof what, "greatest move on a slope of %g", slopes[s]);
        // Heights are near 2 m, where floats lie 1.2e-7 m or 2.4e-7 m apart; each step may lose
        // one.
        validate_expect(run, what, "m", most, 0.0, VALIDATE_ABSOLUTE, s ? STEPS * 2.4e-7 : 0.0,
                        NULL);
    }
    if (!validate_failed(run)) {
        validate_plot(run, "A constant slope after 16 steps: walls are felt 16 cells wide", "x / m",
                      "height / m");
        validate_curve(run, "slope 1/64", VALIDATE_LINE, N, x, found[0]);
        validate_curve(run, "slope 0.013", VALIDATE_LINE, N, x, found[1]);
    }
}

// ---- open sides at right angles

/// What comes back from the high side: the discharge in a channel less that in one so long that
/// nothing has come back, where it is of the greatest size. The rules hold of the discharge here; a
/// reflected wave's height has the other sign.
static double reflection(validate_run *run, const char *absorber, int n, double *back)
{
    enum { STEPS = 500, LONG = 700 };
    const double nu = 0.5;
    const runner r = {n - 100.0, 12.0, 1e6, 0.5 * nu, false};
    char text[64];
    double largest = 0.0;
    const float *u[2] = {NULL, NULL};
    snprintf(text, sizeof text, "water.sides.x_high.absorber=%s", absorber);
    for (int k = 0; k < 2; k++) {
        validate_open_grid(run, "waves", k ? LONG : n, 1, 1.0,
                           (const char *const[]){"water.sides.x_high.rule=open", text, NULL});
        validate_write(run, "height", runner_height, &r);
        validate_write(run, "discharge_x", runner_discharge, &r);
        for (int step = 0; step < STEPS; step++) {
            validate_step_by(run, nu);
        }
        u[k] = validate_read(run, "discharge_x", NULL);
    }
    for (int i = 0; i < n && u[0] && u[1]; i++) {
        back[i] = (double)u[0][i] - (double)u[1][i];
        largest = fabs(back[i]) > fabs(largest) ? back[i] : largest;
    }
    return largest;
}

void validate_open_side(validate_run *run)
{
    enum { N = 300 };
    static const char *const absorbers[] = {"ghost_old", "ghost_new", "mur"};
    static const double known[] = {-0.20, -0.028, 0.0006}, tolerance[] = {0.01, 0.001, 0.0001};
    double x[N], back[3][N];
    validate_plot(run, "What comes back of a hump of 1 m", "x / m", "discharge / (m^2/s)");
    for (int a = 0; a < 3; a++) {
        char what[96];
        snprintf(what, sizeof what, "reflection of a hump, %s", absorbers[a]);
        double found = reflection(run, absorbers[a], N, back[a]);
        validate_expect(run, what, "1", found, known[a], VALIDATE_ABSOLUTE, tolerance[a], NULL);
        for (int i = 0; i < N; i++) {
            x[i] = i + 0.5;
        }
        if (!validate_failed(run)) {
            validate_curve(run, absorbers[a], VALIDATE_LINE, N, x, back[a]);
        }
    }
}

// ---- open sides, obliquely

enum { BOX = 160, FAR = 480, LAYER = 32, BOX_STEPS = 400 };

/// A hump near one corner of the box, which lies in the middle of the larger domain.
static double box_height(const void *argument, const double at[3])
{
    double edge = 0.5 * (*(const int *)argument - BOX), x = at[0] - edge - 50.0;
    double y = at[1] - edge - 70.0;
    return exp(-(x * x + y * y) / (2.0 * 4.0 * 4.0));
}

static const float *box_after(validate_run *run, int n, const char *absorber, int steps)
{
    static const char *const sides[] = {"x_low", "x_high", "y_low", "y_high"};
    char text[12][64];
    const char *changes[13];
    for (int s = 0; s < 4; s++) {
        snprintf(text[3 * s], 64, "water.sides.%s.rule=open", sides[s]);
        snprintf(text[3 * s + 1], 64, "water.sides.%s.absorber=%s", sides[s], absorber);
        snprintf(text[3 * s + 2], 64, "water.sides.%s.layer=%d", sides[s], LAYER);
    }
    for (int t = 0; t < 12; t++) {
        changes[t] = text[t];
    }
    changes[12] = NULL;
    validate_open_grid(run, "waves", n, n, 1.0, changes);
    validate_write(run, "height", box_height, &n);
    for (int step = 0; step < steps; step++) {
        validate_step_by(run, 0.7);
    }
    return validate_read(run, "height", NULL);
}

void validate_oblique(validate_run *run)
{
    enum { ABSORBERS = 4, ROW = BOX / 2 * BOX, FAR_ROW = FAR / 2 * FAR + (FAR - BOX) / 2 };
    static const char *const absorbers[ABSORBERS] = {"ghost_old", "ghost_new", "mur", "layer"};
    static const double most[ABSORBERS] = {0.05, 0.015, 0.008, 0.004};
    double x[BOX], row[BOX], start = 0.0;
    const float *first = box_after(run, BOX, "mur", 0);
    // Sides so far away that nothing has come back: 160 m there, 160 m back.
    const float *far = box_after(run, FAR, "mur", BOX_STEPS);
    for (int i = 0; i < BOX * BOX && first; i++) {
        start += (double)first[i] * (double)first[i];
    }
    validate_plot(run, "What has come back, across the middle", "x / m", "height / m");
    for (int a = 0; a < ABSORBERS; a++) {
        const float *u = box_after(run, BOX, absorbers[a], BOX_STEPS);
        double back = 0.0;
        for (int j = LAYER; j < BOX - LAYER && u && far; j++) {
            // Where the layer is, waves are meant to be wrong.
            for (int i = LAYER; i < BOX - LAYER; i++) {
                int there = (j + (FAR - BOX) / 2) * FAR + i + (FAR - BOX) / 2;
                double d = (double)u[j * BOX + i] - (double)far[there];
                back += d * d;
            }
        }
        for (int i = 0; i < BOX && u && far; i++) {
            x[i] = i + 0.5;
            row[i] = (double)u[ROW + i] - (double)far[FAR_ROW + i];
        }
        char what[96];
        snprintf(what, sizeof what, "share of a hump that comes back, %s", absorbers[a]);
        validate_expect(run, what, "1", sqrt(back / start), 0.0, VALIDATE_ABSOLUTE, most[a], NULL);
        if (!validate_failed(run)) {
            validate_curve(run, absorbers[a], VALIDATE_LINE, BOX, x, row);
        }
    }
}
