// validate/ocean.c: a procedural sea: the height and the periods of its spectrum, the fading of its
// motion with depth, the group that a train makes with another.
#include "validate/validate.h"

#include <math.h>
#include <stdlib.h>

static const double TURN = 6.283185307179586, G = 9.81;

enum { NODES = 128, TIMES = 16 };

static gyre_ocean *make(validate_run *run, const gyre_ocean_def *def)
{
    // The run owns what it creates; the type's own calls take the same object.
    return (gyre_ocean *)(void *)validate_create(run, "ocean", def);
}

/// JONSWAP as Hasselmann et al. print it, by frequency in Hz.
static double jonswap(double f, double wind, double fetch)
{
    double x = G * fetch / (wind * wind), peak = 3.5 * G / wind * pow(x, -1.0 / 3.0);
    double sigma = f > peak ? 0.09 : 0.07, y = (f - peak) / (sigma * peak);
    return 0.076 * pow(x, -0.22) * G * G * pow(TURN, -4.0) * pow(f, -5.0) *
           exp(-1.25 * pow(peak / f, 4.0)) * pow(3.3, exp(-0.5 * y * y));
}

void validate_sea(validate_run *run)
{
    const double wind = 15.0, fetch = 1.5e5, side = 1500.0;
    const double peak = 3.5 * G / wind * pow(G * fetch / (wind * wind), -1.0 / 3.0);
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    sea.wind_speed = (float)wind;
    sea.fetch = (float)fetch;
    def.seas = (gyre_pool){&sea, 1, 1};
    def.choppiness = 0.0f;
    def.patch = (gyre_ocean_patch){(float)side, 512, 1, 0.2f, 2.5f};
    gyre_ocean *ocean = make(run, &def);
    double *points = validate_memory(run, (size_t)2 * NODES * NODES, sizeof *points);
    gyre_ocean_sample *at = validate_memory(run, (size_t)NODES * NODES, sizeof *at);
    if (validate_failed(run)) {
        return;
    }
    for (int i = 0; i < NODES * NODES; i++) {
        points[2 * i] = i % NODES * (side / NODES);
        points[2 * i + 1] = i / NODES * (side / NODES);
    }
    double squares = 0.0, rates = 0.0, m0 = 0.0, m2 = 0.0;
    // The waves that the patch holds: up to 2.5 cells.
    double most = sqrt(G * TURN / (2.5 * side / 512)) / TURN;
    for (double f = 0.3 * peak; f < most; f += peak * 1e-3) {
        m0 += jonswap(f, wind, fetch) * peak * 1e-3;
        m2 += jonswap(f, wind, fetch) * f * f * peak * 1e-3;
    }
    for (int t = 0; t < TIMES; t++) {
        if (gyre_ocean_query(ocean, 1e5 + 37.0 * t, 0.0f, points, NODES * NODES, at) != GYRE_OK) {
            validate_fail(run, NULL);
            return;
        }
        for (int i = 0; i < NODES * NODES; i++) {
            double z = (double)at[i].height, w = (double)at[i].velocity[2];
            squares += z * z / (TIMES * NODES * NODES);
            rates += w * w / (TIMES * NODES * NODES);
        }
    }
    validate_expect(run, "significant height", "m", 4.0 * sqrt(squares), 4.0 * sqrt(m0),
                    VALIDATE_RELATIVE, 0.02, NULL);
    validate_expect(run, "mean period Tm02", "s", TURN * sqrt(squares / rates), sqrt(m0 / m2),
                    VALIDATE_RELATIVE, 0.02, NULL);
    validate_expect(run, "peak period", "s", gyre_ocean_get_stats(ocean).peak_period, 1.0 / peak,
                    VALIDATE_RELATIVE, 0.03, NULL);
}

void validate_orbits(validate_run *run)
{
    enum { DEPTHS = 12 };
    const double k = TURN / 40.0, a = 0.5, w = sqrt(G * k);
    double depth[DEPTHS], found[DEPTHS], known[DEPTHS], worst = 0.0;
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    wave.amplitude = (float)a;
    wave.length = 40.0f;
    def.waves = (gyre_pool){&wave, 1, 1};
    gyre_ocean *ocean = make(run, &def);
    for (int i = 0; i < DEPTHS && ocean; i++) {
        double most = 0.0;
        depth[i] = 2.0 * (i + 1);
        known[i] = a * w * exp(-k * depth[i]);
        for (int t = 0; t < 64; t++) {
            const double point[2] = {0.0, 0.0};
            gyre_ocean_sample at;
            if (gyre_ocean_query(ocean, t * TURN / w / 64, (float)depth[i], point, 1, &at)) {
                validate_fail(run, NULL);
                return;
            }
            most = fmax(most, hypot((double)at.velocity[0], (double)at.velocity[2]));
        }
        found[i] = most;
        worst = fmax(worst, fabs(most / known[i] - 1.0));
    }
    validate_expect(run, "greatest error of the speed of orbits", "1", worst, 0.0,
                    VALIDATE_ABSOLUTE, 1e-4, NULL);
    validate_plot(run, "Speed of orbits under a wave of 40 m", "depth / m", "m/s");
    validate_curve(run, "gyre", VALIDATE_POINTS, DEPTHS, depth, found);
    validate_curve(run, "a w exp(-k z)", VALIDATE_LINE, DEPTHS, depth, known);
}
