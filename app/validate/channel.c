// validate/channel.c: steady flow of shallow water in channels: a hydraulic jump, a broad sill.
#include "validate/validate.h"

#include <math.h>

static const double G = 9.81;

/// A channel along x of `n` cells, its flow set by what comes in and what stands at its end.
static gyre_water_def channel(validate_run *run, int n, double h, double bed(double x))
{
    gyre_water_def def = gyre_water_default_def(1);
    float *heights = validate_memory(run, (size_t)n, sizeof *heights);
    for (int i = 0; i < n && heights; i++) {
        heights[i] = (float)bed((i + 0.5) * h);
    }
    def.grid.n[0] = n;
    def.grid.n[1] = 1;
    def.grid.h = (float)h;
    def.mode = GYRE_WATER_SHALLOW;
    def.bed.data = (gyre_volume){heights, {n, 1, 1}, NULL};
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.inflow = GYRE_WATER_DISCHARGE;
    def.sides.x_high.inflow = GYRE_WATER_STAGE;
    return def;
}

// ---- a hydraulic jump

static double flat(double x)
{
    (void)x;
    return 0.0;
}

typedef struct stream {
    double depth, discharge, tail;
} stream;

/// Fast water before 60 m, slow behind. What the ends do does not come so far within the run.
static double jump_depth(const void *argument, const double at[3])
{
    const stream *s = argument;
    return at[0] < 60.0 ? s->depth : s->tail;
}

static double jump_discharge(const void *argument, const double at[3])
{
    (void)at;
    return ((const stream *)argument)->discharge;
}

/// The conjugate of a depth (Belanger).
static double conjugate(double depth, double froude)
{
    return 0.5 * depth * (sqrt(1.0 + 8.0 * froude * froude) - 1.0);
}

static void jump(validate_run *run, double froude)
{
    enum { N = 400 };
    const double h = 0.25, depth = 0.3, speed = froude * sqrt(G * depth);
    // The tail water is set 4 % too deep: the jump then runs upstream at a speed of its own, and
    // its depths are those of a jump in the frame that goes along.
    double tail = 1.04 * conjugate(depth, froude);
    const stream s = {depth, speed * depth, tail};
    gyre_water_def def = channel(run, N, h, flat);
    def.level = (float)tail;
    def.sides.x_low.rule = GYRE_WATER_OPEN;
    def.sides.x_high.level = (float)tail;
    validate_create(run, "water", &def);
    validate_write(run, "depth", jump_depth, &s);
    validate_write(run, "discharge_x", jump_discharge, &s);
    double place[2] = {0.0, 0.0}, after = 0.0, before = 0.0;
    for (int part = 0; part < 2; part++) {
        for (int n = 0; n < 200; n++) {
            validate_step_by(run, 0.01);
        }
        const float *d = validate_read(run, "depth", NULL);
        for (int i = 4; i < N && d; i++) {
            double middle = 0.5 * (depth + tail);
            if ((double)d[i] > middle) {
                place[part] =
                    (i - 0.5 + (middle - (double)d[i - 1]) / ((double)d[i] - (double)d[i - 1])) * h;
                before = (double)d[i - 4];
                after = (double)d[i + 4];
                break;
            }
        }
    }
    // Upstream at w: the fast water's Froude number against the jump is higher by w / sqrt(g d).
    double w = (place[0] - place[1]) / 2.0, relative = (speed + w) / sqrt(G * before);
    char what[96];
    snprintf(what, sizeof what, "ratio of depths, Froude number %.2f against the jump", relative);
    validate_expect(run, what, "1", after / before, conjugate(1.0, relative), VALIDATE_RELATIVE,
                    0.02, NULL);
}

void validate_hydraulic_jump(validate_run *run)
{
    jump(run, 1.5);
    jump(run, 2.5);
    jump(run, 4.0);
}

// ---- a broad sill

enum { SILL_CELLS = 320 };
static const double SILL_H = 0.125, SILL = 0.5;

/// Rounded up and down over 4 m, level for 4 m.
static double sill(double x)
{
    double d = fabs(x - 20.0);
    return d < 2.0   ? SILL
           : d < 6.0 ? SILL * (0.5 + 0.5 * cos(3.141592653589793 * (d - 2.0) / 4.0))
                     : 0.0;
}

/// The head over the sill, m, of so much water, without friction.
static double head_of(double discharge)
{
    return pow(discharge / 1.705, 2.0 / 3.0);
}

static void flow_over(validate_run *run, double discharge)
{
    gyre_water_def def = channel(run, SILL_CELLS, SILL_H, sill);
    int steps = validate_quick(run) ? 3000 : 6000;
    double start = SILL + head_of(discharge);
    def.level = (float)start;
    def.sides.x_low.discharge = (float)discharge;
    def.sides.x_high.level = 0.3f; // falls free
    validate_create(run, "water", &def);
    for (int n = 0; n < steps; n++) {
        validate_step_by(run, 0.02);
    }
    const float *d = validate_read(run, "depth", NULL),
                *q = validate_read(run, "discharge_x", NULL);
    if (!d || !q) {
        return;
    }
    // The energy's head, before the sill.
    int at = (int)(10.0 / SILL_H);
    double depth = (double)d[at], v = (double)q[at] / depth, head = depth + 0.5 * v * v / G - SILL;
    char what[96];
    snprintf(what, sizeof what, "discharge over b H^1.5 with a head of %.3f m", head);
    validate_expect(run, what, "m^0.5/s", (double)q[at] / pow(head, 1.5), 1.705, VALIDATE_RELATIVE,
                    0.05, NULL);
    snprintf(what, sizeof what, "what runs over the sill, of %.2f m^2/s that come in", discharge);
    validate_expect(run, what, "m^2/s", (double)q[SILL_CELLS / 2], discharge, VALIDATE_RELATIVE,
                    0.01, "conservation");
    double crest = 1e9;
    for (int i = (int)(18.0 / SILL_H); i < (int)(22.0 / SILL_H); i++) {
        double c = sqrt(G * (double)d[i]), u = (double)q[i] / (double)d[i];
        crest = fmin(crest, fabs(u / c - 1.0));
    }
    validate_expect(run, "least distance of the Froude number over the crest from 1", "1", crest,
                    0.0, VALIDATE_ABSOLUTE, 0.1, "critical depth");
}

void validate_broad_sill(validate_run *run)
{
    flow_over(run, 0.5);
    flow_over(run, 1.5);
}
