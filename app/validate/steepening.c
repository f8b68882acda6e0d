// validate/steepening.c: where mode shallow's waves break. Waves that run in on a flat bed are
// simple waves: a depth d travels at 3 sqrt(g d) - 2 sqrt(g d_0) for ever, and the first of these
// lines meet at x = min over t of speed^2 / (d speed / dt). There the surface stands upright, and
// there a front has to be found, by a trigger that knows nothing of it. Cost: 1000 cells.
#include "validate/validate.h"

#include "gyre/water.h"

#include <math.h>

static const double PI = 3.141592653589793;

/// Where lines of a sine of amplitude a and period 3 s meet, water a metre deep, m.
static double meeting_point(double g, double a, double period)
{
    double least = 1e30, w = 2.0 * PI / period;
    for (int k = 0; k < 100000; k++) {
        double phase = 2.0 * PI * k / 100000.0, d = 1.0 + a * sin(phase);
        double speed = 3.0 * sqrt(g * d) - 2.0 * sqrt(g);
        double rise = 1.5 * sqrt(g / d) * a * w * cos(phase);
        least = rise > 0.0 ? fmin(least, speed * speed / rise) : least;
    }
    return least;
}

/// Where fronts are first found, m, the mean of those of the last five of ten periods.
static double first_seen(validate_run *run, double amplitude, double period)
{
    enum { CELLS = 600 };
    gyre_water_def def = gyre_water_default_def(1);
    gyre_water_front front[16];
    double sum = 0.0, dt = 0.02;
    int last = 0, found = 0;
    def.grid.n[0] = CELLS;
    def.grid.h = 0.025f;
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.amplitude = (float)amplitude;
    def.sides.x_low.period = (float)period;
    def.sides.x_high.rule = GYRE_WATER_OPEN;
    def.breaking.fronts = 16;
    if (!validate_create(run, "water", &def)) {
        return NAN;
    }
    const gyre_water *water = (const gyre_water *)validate_model(run);
    for (int step = 0; step < 10.0 * period / dt; step++) {
        validate_step_by(run, dt);
        int count = gyre_water_fronts(water, front, 16);
        for (int f = 0; f < count && f < 16; f++) {
            if (front[f].id > last) {
                last = front[f].id;
                sum += step > 5.0 * period / dt ? (double)front[f].position[0] : 0.0;
                found += step > 5.0 * period / dt;
            }
        }
    }
    return found > 0 ? sum / found : NAN;
}

void validate_steepening(validate_run *run)
{
    static const double amplitude[2] = {0.08, 0.12};
    static const char *const what[2] = {"first front of waves of 0.08 m on a metre of water",
                                        "first front of waves of 0.12 m on a metre of water"};
    for (int q = 0; q < 2; q++) {
        validate_expect(run, what[q], "m", first_seen(run, amplitude[q], 3.0),
                        meeting_point(9.81, amplitude[q], 3.0), VALIDATE_RELATIVE, 0.15, NULL);
    }
}
