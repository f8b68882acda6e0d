// validate/basin.c: shallow water over ground that is not flat: a lake round an island, Thacker's
// basin, a solitary wave on a beach.
#include "validate/validate.h"

#include <math.h>

static const double PI = 3.141592653589793, G = 9.81;

/// Fills the bed of a def from heights at the centres of its cells.
static void lay_bed(validate_run *run, gyre_water_def *def,
                    double height(const void *argument, double x, double y), const void *argument)
{
    const gyre_grid *g = &def->grid;
    float *bed = validate_memory(run, (size_t)g->n[0] * (size_t)g->n[1], sizeof *bed);
    for (int j = 0; j < g->n[1] && bed; j++) {
        for (int i = 0; i < g->n[0]; i++) {
            bed[j * g->n[0] + i] =
                (float)height(argument, (double)g->origin[0] + (i + 0.5) * (double)g->h,
                              (double)g->origin[1] + (j + 0.5) * (double)g->h);
        }
    }
    def->bed = (gyre_water_bed){.data = {bed, {g->n[0], g->n[1], 1}, NULL}, .high = 1.0f};
}

static gyre_water_def shallow_def(int nx, int ny, double h, double x, double y)
{
    gyre_water_def def = gyre_water_default_def(ny > 1 ? 2 : 1);
    def.grid.n[0] = nx;
    def.grid.n[1] = ny;
    def.grid.h = (float)h;
    def.grid.origin[0] = (float)x;
    def.grid.origin[1] = (float)y;
    def.mode = GYRE_WATER_SHALLOW;
    def.courant = 0.9f;
    return def;
}

// ---- a lake at rest

/// A cone without its tip.
static double island(const void *argument, double x, double y)
{
    (void)argument;
    const double base = 3.6, top = 1.1, height = 0.625;
    double r = sqrt(x * x + y * y), z = height * (base - r) / (base - top);
    return z < 0.0 ? 0.0 : z > height ? height : z;
}

void validate_lake(validate_run *run)
{
    enum { N = 128, PARTS = 20 };
    const int steps = validate_quick(run) ? 500 : 10000;
    const double h = 27.6 / N;
    double time[PARTS], speed[PARTS], most = 0.0;
    gyre_water_def def = shallow_def(N, N, h, -13.8, -13.8);
    lay_bed(run, &def, island, NULL);
    def.level = 0.32f;
    validate_create(run, "water", &def);
    for (int p = 0; p < PARTS; p++) {
        for (int s = 0; s < steps / PARTS; s++) {
            validate_step_by(run, 0.05);
        }
        const float *found = validate_read(run, "speed", NULL);
        time[p] = (p + 1) * (steps / PARTS) * 0.05;
        speed[p] = 0.0;
        for (int i = 0; i < N * N && found; i++) {
            speed[p] = fmax(speed[p], (double)found[i]);
        }
        most = fmax(most, speed[p]);
    }
    char what[96];
    snprintf(what, sizeof what, "greatest speed in %d steps", steps);
    validate_expect(run, what, "m/s", most, 0.0, VALIDATE_ABSOLUTE, 1e-5, NULL);
    // The shore cuts through cells: a level that stays says that none of it crept up the island.
    const float *surface = validate_read(run, "surface", NULL);
    double off = 0.0;
    for (int i = 0; i < N * N && surface; i++) {
        double z = island(NULL, (i % N + 0.5) * h - 13.8, (i / N + 0.5) * h - 13.8);
        off = z < 0.32 ? fmax(off, fabs((double)surface[i] - 0.32)) : off;
    }
    validate_expect(run, "greatest move of the surface", "m", off, 0.0, VALIDATE_ABSOLUTE, 1e-6,
                    NULL);
    validate_plot(run, "Greatest speed", "time / s", "m/s");
    validate_curve(run, "gyre", VALIDATE_LINE, PARTS, time, speed);
}

// ---- Thacker's basin

typedef struct basin {
    double depth, a, friction, speed, s;
} basin;

static double basin_bed(const void *argument, double x, double y)
{
    const basin *b = argument;
    (void)y;
    return b->depth * (x / b->a) * (x / b->a);
}

/// Height of the surface: Sampson, Easton & Singh (2006).
static double basin_surface(const basin *b, double x, double t)
{
    double tau = b->friction, s = b->s, decay = exp(-tau * t), g = G;
    return b->depth +
           b->a * b->a * b->speed * b->speed * decay / (8.0 * g * g * b->depth) *
               (-s * tau * sin(2.0 * s * t) + (0.25 * tau * tau - s * s) * cos(2.0 * s * t)) -
           b->speed * b->speed * decay / (4.0 * g) -
           exp(-0.5 * tau * t) / g *
               (b->speed * s * cos(s * t) + 0.5 * tau * b->speed * sin(s * t)) * x;
}

static double basin_depth(const void *argument, const double at[3])
{
    return fmax(0.0, basin_surface(argument, at[0], 0.0) - basin_bed(argument, at[0], 0.0));
}

void validate_thacker(validate_run *run)
{
    enum { N = 256, STEPS = 4096, EVERY = 1 };
    const double width = 10000.0, h = width / N, tau = 1e-3;
    basin b = {10.0, 3000.0, tau, 5.0, 0.0};
    b.s = 0.5 * sqrt(8.0 * G * b.depth / (b.a * b.a) - tau * tau);
    const double period = 2.0 * PI / b.s, dt = 2.0 * period / STEPS;
    double *time = validate_memory(run, STEPS + 1, sizeof *time);
    double *speed = validate_memory(run, STEPS + 1, sizeof *speed);
    double *exact = validate_memory(run, STEPS + 1, sizeof *exact);
    double crossing = NAN, x[N], found[N], surface[N], off = 0.0;
    int crossings = 0;
    gyre_water_def def = shallow_def(N, 1, h, -0.5 * width, 0.0);
    lay_bed(run, &def, basin_bed, &b);
    def.fill = false;
    // Made for the deepest water to come: what is put in is rounded to the bed's own quantum.
    def.level = 40.0f;
    def.friction = (float)tau;
    gyre_model *model = validate_create(run, "water", &def);
    validate_write(run, "depth", basin_depth, &b);
    for (int step = 0; step <= STEPS && !validate_failed(run); step++) {
        // All of it moves at one speed.
        double volume = gyre_model_total(model, gyre_model_field(model, "depth"));
        time[step] = step * dt;
        speed[step] = gyre_model_total(model, gyre_model_field(model, "discharge_x")) / volume;
        exact[step] = b.speed * exp(-0.5 * tau * time[step]) * sin(b.s * time[step]);
        if (step > 1 && crossings < 4 && (speed[step] < 0.0) != (speed[step - 1] < 0.0)) {
            crossing = time[step - 1] + dt * speed[step - 1] / (speed[step - 1] - speed[step]);
            crossings++;
        }
        validate_step_by(run, step < STEPS ? dt : 0.0);
    }
    validate_expect(run, "period", "s", 2.0 * crossing / crossings, 1353.49, VALIDATE_RELATIVE,
                    0.005, NULL);
    const float *depth = validate_read(run, "surface", NULL);
    for (int i = 0; i < N && depth; i++) {
        x[i] = (i + 0.5) * h - 0.5 * width;
        found[i] = (double)depth[i];
        surface[i] = fmax(basin_surface(&b, x[i], 2.0 * period), basin_bed(&b, x[i], 0.0));
        off = fmax(off, fabs(found[i] - surface[i]));
    }
    if (depth) {
        validate_expect(run, "greatest error of the surface after two periods", "m", off, 0.0,
                        VALIDATE_ABSOLUTE, 0.1, NULL);
        validate_plot(run, "Mean velocity", "time / s", "m/s");
        validate_curve(run, "gyre", VALIDATE_LINE, STEPS + 1, time, speed);
        validate_curve(run, "exact", VALIDATE_DASHES, STEPS + 1, time, exact);
        validate_plot(run, "Surface after two periods", "x / m", "m");
        validate_curve(run, "gyre", VALIDATE_LINE, N, x, found);
        validate_curve(run, "exact", VALIDATE_DASHES, N, x, surface);
    }
}

// ---- a beach

enum { BEACH = 800 };

/// A beach of 1 in 19.85 that begins at x = 0, water 0.2 m deep before it: Synolakis' tank.
static const double TANK = 0.2, COTANGENT = 19.85, WAVE = 0.019;

static double beach(const void *argument, double x, double y)
{
    (void)argument;
    (void)y;
    return x > 0.0 ? x / COTANGENT : 0.0;
}

/// How far before the toe the wave starts: where it is a twentieth of its height at the toe.
static double wave_place(void)
{
    double steep = sqrt(0.75 * WAVE) / TANK;
    return -acosh(sqrt(20.0)) / steep;
}

static double wave_height(double x)
{
    double c = cosh(sqrt(0.75 * WAVE) / TANK * (x - wave_place()));
    return WAVE * TANK / (c * c);
}

static double beach_depth(const void *argument, const double at[3])
{
    return fmax(0.0, TANK + wave_height(at[0]) - beach(argument, at[0], 0.0));
}

static double beach_discharge(const void *argument, const double at[3])
{
    double d = beach_depth(argument, at), u = wave_height(at[0]) * sqrt(G / TANK);
    return d * u;
}

enum { BEACH_FRAMES = 400 };

/// The greatest height of the shore over the depth of the tank; `shore` has it after each frame.
static double climb(validate_run *run, float manning, double dt, double shore[BEACH_FRAMES])
{
    const double low = -12.0, high = 5.0, h = (high - low) / BEACH;
    double most = 0.0;
    gyre_water_def def = shallow_def(BEACH, 1, h, low, 0.0);
    lay_bed(run, &def, beach, NULL);
    def.level = 0.3f;
    def.fill = false;
    def.manning = manning;
    def.dry_depth = 1e-5f;
    def.sides.x_low.rule = GYRE_WATER_OPEN;
    def.sides.x_low.follow_level = false;
    def.sides.x_low.level = (float)TANK;
    validate_create(run, "water", &def);
    validate_write(run, "depth", beach_depth, NULL);
    validate_write(run, "discharge_x", beach_discharge, NULL);
    for (int f = 0; f < BEACH_FRAMES; f++) {
        validate_step_by(run, dt);
        const float *depth = validate_read(run, "depth", NULL);
        shore[f] = 0.0;
        for (int i = 0; i < BEACH && depth; i++) {
            double x = low + (i + 0.5) * h;
            // Wet is what is a hundredth of the wave deep.
            if (x > 0.0 && (double)depth[i] > 0.01 * WAVE * TANK) {
                shore[f] = (beach(NULL, x, 0.0) + (double)depth[i] - TANK) / TANK;
            }
        }
        most = fmax(most, shore[f]);
    }
    return most;
}

void validate_run_up(validate_run *run)
{
    const double dt = 0.05, span[2] = {0.0, BEACH_FRAMES * dt}, lab[2] = {0.077, 0.077};
    const double theory = 2.831 * sqrt(COTANGENT) * pow(WAVE, 1.25), ideal[2] = {theory, theory};
    double time[BEACH_FRAMES], rough[BEACH_FRAMES], smooth[BEACH_FRAMES];
    for (int f = 0; f < BEACH_FRAMES; f++) {
        time[f] = (f + 1) * dt;
    }
    validate_expect(run, "run-up over the depth, Manning 0.01", "1", climb(run, 0.01f, dt, rough),
                    0.077, VALIDATE_RELATIVE, 0.1, NULL);
    validate_expect(run, "run-up over the depth, no friction", "1", climb(run, 0.0f, dt, smooth),
                    theory, VALIDATE_RELATIVE, 0.03,
                    "Synolakis' law without friction, 2.831 sqrt(19.85) (H/d)^(5/4)");
    validate_plot(run, "Height of the shore", "time / s", "over the depth of the tank");
    validate_curve(run, "Manning 0.01", VALIDATE_LINE, BEACH_FRAMES, time, rough);
    validate_curve(run, "laboratory", VALIDATE_DASHES, 2, span, lab);
    validate_curve(run, "no friction", VALIDATE_LINE, BEACH_FRAMES, time, smooth);
    validate_curve(run, "theory", VALIDATE_DASHES, 2, span, ideal);
}
