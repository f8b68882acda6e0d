// validate/earth.c: water on a turning Earth, by both modes: inertial circles, flow in balance with
// the surface's slope, and how a step comes to such a balance.
#include "validate/validate.h"

#include <math.h>

static const double PI = 3.141592653589793, G = 9.81;

static const int modes[2] = {GYRE_WATER_WAVE, GYRE_WATER_SHALLOW};
static const char *const mode_names[2] = {"wave", "shallow"};

/// Water `depth` deep on a turning Earth, in modes 0 and 1.
static gyre_water_def sea(int mode, int nx, int ny, double h, double depth, double f)
{
    gyre_water_def def = gyre_water_default_def(2);
    def.mode = modes[mode];
    def.grid.n[0] = nx;
    def.grid.n[1] = ny;
    def.grid.h = (float)h;
    def.grid.origin[0] = (float)(-0.5 * nx * h);
    def.grid.origin[1] = (float)(-0.5 * ny * h);
    def.bed.flat = (float)-depth;
    def.wave_speed = (float)sqrt(G * depth);
    def.coriolis = (float)f;
    return def;
}

static const char *height_of(int mode)
{
    return mode ? "depth" : "height";
}

// ---- inertial oscillation

static double one(const void *argument, const double at[3])
{
    (void)argument;
    (void)at;
    return 1.0;
}

/// The period, from the times at which the discharge along x rises through 0.
static void circle(validate_run *run, int mode)
{
    const double f = 1e-4, dt = 600.0, period = 2.0 * PI / f;
    double first = 0.0, last = 0.0, before = 1.0;
    int crossings = 0, steps = validate_quick(run) ? 400 : 1100;
    gyre_water_def def = sea(mode, 16, 16, 20e3, 100.0, f);
    gyre_water_side *sides = &def.sides.x_low;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_PERIODIC;
    }
    validate_create(run, "water", &def);
    validate_write(run, "discharge_x", one, NULL);
    double size = 1.0;
    for (int s = 1; s <= steps; s++) {
        validate_step_by(run, dt);
        const float *x = validate_read(run, "discharge_x", NULL);
        const float *y = validate_read(run, "discharge_y", NULL);
        if (!x || !y) {
            return;
        }
        double now = (double)x[100];
        if (before < 0.0 && now >= 0.0) {
            last = (s - 1 + before / (before - now)) * dt;
            first = crossings++ ? first : last;
        }
        before = now;
        size = hypot(now, (double)y[100]);
    }
    char what[96];
    snprintf(what, sizeof what, "period, mode %s", mode_names[mode]);
    validate_expect(run, what, "s", (last - first) / (crossings - 1), period, VALIDATE_RELATIVE,
                    0.005, NULL);
    snprintf(what, sizeof what, "speed kept after %d steps, mode %s", steps, mode_names[mode]);
    validate_expect(run, what, "1", size, 1.0, VALIDATE_RELATIVE, 1e-4, "exact: it does no work");
}

void validate_inertial(validate_run *run)
{
    circle(run, 0);
    circle(run, 1);
}

// ---- an eddy in balance

typedef struct eddy {
    double f, depth, rise, width;
    bool linear;
} eddy;

/// The surface over its level: a Gaussian.
static double eddy_surface(const eddy *e, double x, double y)
{
    return e->rise * exp(-0.5 * (x * x + y * y) / (e->width * e->width));
}

static double eddy_height(const void *argument, const double at[3])
{
    const eddy *e = argument;
    return eddy_surface(e, at[0], at[1]) + (e->linear ? 0.0 : e->depth);
}

/// The speed round its middle: linear, f v = g d eta/dr; else with the circle's v^2 / r, too.
static double eddy_round(const eddy *e, double r)
{
    double slope = -r / (e->width * e->width) * eddy_surface(e, r, 0.0);
    double balance = G * slope / e->f;
    if (e->linear || r < 1e-6 * e->width) {
        return balance;
    }
    return 0.5 * e->f * r * (sqrt(1.0 + 4.0 * balance / (e->f * r)) - 1.0);
}

static double eddy_discharge(const void *argument, const double at[3], int axis)
{
    const eddy *e = argument;
    double r = hypot(at[0], at[1]), v = eddy_round(e, r), d = e->depth;
    d += e->linear ? 0.0 : eddy_surface(e, at[0], at[1]);
    return r > 0.0 ? d * v * (axis ? at[0] : -at[1]) / r : 0.0;
}

static double eddy_x(const void *argument, const double at[3])
{
    return eddy_discharge(argument, at, 0);
}

static double eddy_y(const void *argument, const double at[3])
{
    return eddy_discharge(argument, at, 1);
}

enum { EDDY = 128 };

static void keep_eddy(validate_run *run, int mode)
{
    const eddy e = {1e-4, 1000.0, 0.5, 80e3, mode == 0};
    const double dt = 100.0;
    int days = validate_quick(run) ? 1 : 4;
    gyre_water_def def = sea(mode, EDDY, EDDY, 8e3, e.depth, e.f);
    validate_create(run, "water", &def);
    validate_write(run, height_of(mode), eddy_height, &e);
    validate_write(run, "discharge_x", eddy_x, &e);
    validate_write(run, "discharge_y", eddy_y, &e);
    for (int s = 0; s < days * 864; s++) {
        validate_step_by(run, dt);
    }
    const float *surface = validate_read(run, "surface", NULL);
    double worst = 0.0;
    for (int i = 0; i < EDDY * EDDY && surface; i++) {
        double x = (i % EDDY + 0.5 - 0.5 * EDDY) * 8e3, y = (i / EDDY + 0.5 - 0.5 * EDDY) * 8e3;
        worst = fmax(worst, fabs((double)surface[i] - eddy_surface(&e, x, y)));
    }
    char what[96];
    snprintf(what, sizeof what, "eddy: surface's worst move in %d days over its rise, mode %s",
             days, mode_names[mode]);
    // Of shallow water it is what damps jumps at faces that counts: see water/coriolis.c.
    validate_expect(run, what, "1", worst / e.rise, 0.0, VALIDATE_ABSOLUTE, 0.02, NULL);
}

// ---- a jet in balance

static double jet_height(const void *argument, const double at[3])
{
    const eddy *e = argument;
    return -e->f / G * e->rise * e->width * tanh(at[1] / e->width) + (e->linear ? 0.0 : e->depth);
}

static double jet_discharge(const void *argument, const double at[3])
{
    const eddy *e = argument;
    double d = e->linear ? e->depth : jet_height(e, at);
    return d * e->rise / pow(cosh(at[1] / e->width), 2.0);
}

static void keep_jet(validate_run *run, int mode)
{
    enum { ROWS = 64, COLUMNS = 16 };
    // `rise` is the speed in its middle, m/s.
    const eddy e = {1e-4, 100.0, 0.5, 60e3, mode == 0};
    int days = validate_quick(run) ? 2 : 10;
    gyre_water_def def = sea(mode, COLUMNS, ROWS, 10e3, e.depth, e.f);
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
    validate_create(run, "water", &def);
    validate_write(run, height_of(mode), jet_height, &e);
    validate_write(run, "discharge_x", jet_discharge, &e);
    for (int s = 0; s < days * 432; s++) {
        validate_step_by(run, 200.0);
    }
    int n[3] = {0};
    const float *q = validate_read(run, "discharge_x", n);
    double worst = 0.0;
    for (int j = 0; j < ROWS && q; j++) {
        const double at[3] = {0.0, (j + 0.5 - 0.5 * ROWS) * 10e3, 0.0};
        worst = fmax(worst, fabs((double)q[j * n[0]] - jet_discharge(&e, at)));
    }
    char what[96];
    snprintf(what, sizeof what, "jet: worst change in %d days over its middle, mode %s", days,
             mode_names[mode]);
    validate_expect(run, what, "1", worst / (e.rise * e.depth), 0.0, VALIDATE_ABSOLUTE, 0.02, NULL);
}

void validate_geostrophic(validate_run *run)
{
    keep_jet(run, 0);
    keep_jet(run, 1);
    keep_eddy(run, 0);
    keep_eddy(run, 1);
}

// ---- Rossby's adjustment

typedef struct step_case {
    double rise, depth;
    bool linear;
} step_case;

static double step_height(const void *argument, const double at[3])
{
    const step_case *c = argument;
    return (at[0] < 0.0 ? -c->rise : c->rise) + (c->linear ? 0.0 : c->depth);
}

static void adjust(validate_run *run, int mode)
{
    enum { N = 400 };
    const step_case c = {0.01, 10.0, mode == 0};
    const double f = 1e-4, h = 5e3, dt = 100.0, width = sqrt(G * c.depth) / f;
    // Long enough for the waves to be away, and a mean over whole inertial periods.
    int wait = validate_quick(run) ? 5000 : 12000, mean = 4 * 628, rows = mode ? 1 : 4;
    double *sum = validate_memory(run, 2 * N, sizeof *sum), *x = validate_memory(run, N, sizeof *x);
    double *exact = validate_memory(run, N, sizeof *exact);
    gyre_water_def def = sea(mode, N, rows, h, c.depth, f);
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_OPEN;
    if (rows > 1) {
        def.sides.y_low.rule = def.sides.y_high.rule = GYRE_WATER_PERIODIC;
    }
    validate_create(run, "water", &def);
    validate_write(run, height_of(mode), step_height, &c);
    for (int s = 0; s < wait + mean; s++) {
        validate_step_by(run, dt);
        const float *u = s < wait ? NULL : validate_read(run, "surface", NULL);
        const float *v = s < wait ? NULL : validate_read(run, "discharge_y", NULL);
        for (int i = 0; i < N && u && v && sum; i++) {
            sum[i] += (double)u[i] / mean;
            sum[N + i] += (double)v[i] / mean / c.depth;
        }
    }
    double worst = 0.0, fastest = 0.0;
    for (int i = 0; i < N && sum && x && exact; i++) {
        double at = (i + 0.5 - 0.5 * N) * h, away = fabs(at);
        x[i] = at / 1000.0;
        exact[i] = (at < 0.0 ? -c.rise : c.rise) * (1.0 - exp(-away / width));
        fastest = fmax(fastest, sum[N + i]);
        worst = away < 4.0 * width ? fmax(worst, fabs(sum[i] - exact[i])) : worst;
    }
    char what[96];
    snprintf(what, sizeof what, "surface's worst error within 4 radii over the step, mode %s",
             mode_names[mode]);
    validate_expect(run, what, "1", worst / c.rise, 0.0, VALIDATE_ABSOLUTE, 0.03, NULL);
    snprintf(what, sizeof what, "speed of the jet, mode %s", mode_names[mode]);
    // A row's middle is half a cell from the front, where the exact speed has its peak.
    validate_expect(run, what, "m/s", fastest, c.rise * sqrt(G / c.depth) * exp(-0.5 * h / width),
                    VALIDATE_RELATIVE, 0.03, NULL);
    validate_plot(run, mode ? "Surface, mode shallow" : "Surface, mode wave", "x / km", "m");
    validate_curve(run, "gyre", VALIDATE_LINE, N, x, sum);
    validate_curve(run, "exact", VALIDATE_DASHES, N, x, exact);
}

void validate_rossby(validate_run *run)
{
    adjust(run, 0);
    adjust(run, 1);
}
