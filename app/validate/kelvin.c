// validate/kelvin.c: the wake of a hull on deep water, mode dispersive, against Kelvin (1887): it
// fills a wedge of asin(1/3) = 19.47 degrees either side, however fast the hull goes.
//
// Where two of Kelvin's waves become one, the height goes as Airy's function, whose place 0 is
// Kelvin's line: there it has 0.6627 of its greatest. So across each stretch of a wave length the
// greatest height is looked for, and from there outwards the place where it has fallen to that: the
// edge. A line through the edges gives angle and apex (a hull has no point for one).
#include "validate/validate.h"

#include "gyre/water.h"

#include <math.h>
#include <string.h>

static const double PI = 3.141592653589793, G = 9.81;

/// Ai(0) / max Ai.
static const double ON_THE_LINE = 0.355028 / 0.535657;

/// Cells of 1 m; a wave of the hull's speed is WAVE long.
enum { WAVE = 12, FROM = 4, START = 30, BEHIND = 40, MOST = 32 };

typedef struct wake {
    int n[2];
    int to;        // wave lengths behind the hull up to which the edge is looked for
    double stride; // m that the hull goes in a step
    const float *surface;
} wake;

/// Of parabolas in length and depth, L/6 wide and L/16 deep; how many points.
static int make_hull(double length, float points[78][3])
{
    int count = 0;
    for (int i = 0; i <= 12; i++) {
        double x = i / 6.0 - 1.0, wide = 1.0 - x * x;
        for (int side = -1; side <= 1; side += 2) {
            const double at[3][2] = {
                {1.0, 1.0 / 16.0}, {1.0, 0.0}, {0.5, -wide / 16.0}}; // of the breadth; height
            for (int p = 0; p < 3 && (side > 0 || wide > 0.0); p++) {
                points[count][0] = (float)(0.5 * length * x);
                points[count][1] = (float)(side * length / 12.0 * wide * at[p][0]);
                points[count++][2] = (float)(length * at[p][1]);
            }
        }
    }
    return count;
}

/// Sails a hull of a Froude number to the far end, at half the speed of long waves.
static void sail(validate_run *run, wake *k, double froude)
{
    double speed = sqrt(G * WAVE / (2.0 * PI)), length = speed * speed / (G * froude * froude);
    float points[78][3];
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_body body = gyre_water_default_body();
    gyre_water_side *sides = &def.sides.x_low;
    strcpy(body.name, "hull");
    body.form = GYRE_BODY_HULL;
    body.points = (gyre_volume){points[0], {3, make_hull(length, points), 1}, NULL};
    body.held = true;
    body.pose.position[0] = START;
    body.pose.position[1] = 0.5f * (float)k->n[1];
    body.pose.velocity[0] = (float)speed;
    def.mode = GYRE_WATER_DISPERSIVE;
    def.grid.n[0] = k->n[0];
    def.grid.n[1] = k->n[1];
    def.grid.h = 1.0f;
    def.bed.flat = (float)(-4.0 * speed * speed / G);
    def.bodies = (gyre_pool){&body, 1, 1};
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
    }
    validate_create(run, "water", &def);
    int steps = (int)((k->n[0] - START - BEHIND) / k->stride);
    for (int s = 0; s < steps; s++) {
        validate_step_by(run, k->stride / speed);
    }
    k->surface = validate_read(run, "surface", NULL);
}

/// Half of the height from trough to crest at y either side, over a wave length round x behind.
static double height_at(const wake *k, double x, double y)
{
    double height = 0.0, half = 0.5 * WAVE / sqrt(1.5); // the waves on Kelvin's line are shorter
    for (int side = -1; side <= 1; side += 2) {
        double low = 1e30, high = -1e30, row = 0.5 * (k->n[1] - 1) + side * y;
        for (double a = -half; a <= half; a += 0.25) {
            double column = k->n[0] - BEHIND - 0.5 - x + a;
            int i = (int)column, j = (int)row;
            double s = column - i, t = row - j;
            const float *z = k->surface + i + (ptrdiff_t)j * k->n[0], *up = z + k->n[0];
            double at = (1.0 - t) * ((1.0 - s) * (double)z[0] + s * (double)z[1]) +
                        t * ((1.0 - s) * (double)up[0] + s * (double)up[1]);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        height += 0.25 * (high - low);
    }
    return height;
}

/// Where the height has fallen to what it has on Kelvin's line.
static double edge_at(const wake *k, double x)
{
    const double step = 0.5;
    int count = (int)((0.5 * k->n[1] - 16.0) / step), best = 0;
    double greatest = 0.0;
    for (int q = (int)(0.15 * x / step); q < count; q++) {
        double height = height_at(k, x, q * step);
        best = height > greatest ? q : best;
        greatest = height > greatest ? height : greatest;
    }
    double before = greatest;
    for (int q = best; q < count; q++) {
        double height = height_at(k, x, q * step), asked = ON_THE_LINE * greatest;
        if (height < asked) {
            return step * (q - 1 + (before - asked) / (before - height));
        }
        before = height;
    }
    return NAN;
}

void validate_kelvin(validate_run *run)
{
    static const double froude[3] = {0.5, 0.4, 0.3};
    bool quick = validate_quick(run);
    wake k = {.n = {quick ? 360 : 480, quick ? 160 : 224},
              .to = quick ? 10 : 16,
              .stride = quick ? 1.0 : 0.5};
    double x[MOST], y[MOST], line[2][2] = {{0.0, WAVE * (double)k.to}, {0.0, 0.0}};
    line[1][1] = line[0][1] / sqrt(8.0);
    validate_plot(run, "Edge of the wake", "behind the hull's middle / m", "to the side / m");
    for (int f = 0; f < (quick ? 1 : 3); f++) {
        int count = 0;
        sail(run, &k, froude[f]);
        for (double waves = FROM; waves <= k.to && k.surface; waves += 0.5) {
            x[count] = waves * WAVE;
            y[count] = edge_at(&k, x[count]);
            count++;
        }
        char what[96];
        snprintf(what, sizeof what, "half the wake's angle, hull Froude number %.1f", froude[f]);
        double slope = count ? validate_line(x, y, count, NULL) : NAN;
        validate_expect(run, what, "degrees", atan(slope) * 180.0 / PI,
                        asin(1.0 / 3.0) * 180.0 / PI, VALIDATE_ABSOLUTE, 1.0, NULL);
        snprintf(what, sizeof what, "hull Froude number %.1f", froude[f]);
        validate_curve(run, what, VALIDATE_POINTS, count, x, y);
    }
    validate_curve(run, "Kelvin, from the hull's middle", VALIDATE_DASHES, 2, line[0], line[1]);
}
