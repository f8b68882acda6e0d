// validate/airy.c: mode dispersive of water against the waves of Airy (1845) on a flat bed:
// omega^2 = g k tanh(k d). A standing wave swings between walls; its period is found from where its
// strength changes sign.
#include "validate/validate.h"

#include "gyre/water.h"

#include <math.h>

static const double PI = 3.141592653589793;

/// Four waves between walls, on cells of 1 m.
typedef struct swell {
    double k, depth, amplitude; // 1/m, m, m
} swell;

static double swell_depth(const void *argument, const double at[3])
{
    const swell *s = argument;
    return s->depth + s->amplitude * cos(s->k * at[0]);
}

/// How many times Airy's period a standing wave takes.
static double measure_period(validate_run *run, int cells, double kh, double share)
{
    enum { ACROSS = 8, CHANGES = 7 };
    int n = 4 * cells, changes = 0;
    double k = 2.0 * PI / cells;
    swell s = {k, kh / k, 0.002 * kh / k};
    gyre_water_def def = gyre_water_default_def(2);
    def.mode = GYRE_WATER_DISPERSIVE;
    def.grid.n[0] = n;
    def.grid.n[1] = ACROSS;
    def.grid.h = 1.0f;
    def.bed.flat = 0.0f;
    def.level = (float)s.depth;
    double omega = sqrt((double)def.gravity * k * tanh(kh)), period = 2.0 * PI / omega;
    double dt = (double)(float)(share * period), before = 1.0, first = 0.0, last = 0.0;
    if (!validate_create(run, "water", &def)) {
        return NAN;
    }
    validate_write(run, "depth", swell_depth, &s);
    for (int step = 1; step < 10.0 / share && changes < CHANGES; step++) {
        validate_step_by(run, dt);
        const float *depth = validate_read(run, "depth", NULL);
        double x = 0.0;
        for (int i = 0; depth && i < n; i++) {
            x += ((double)depth[i] - s.depth) * cos(k * (i + 0.5));
        }
        if ((x < 0.0) != (before < 0.0)) {
            last = dt * (step - x / (x - before));
            first = changes++ ? first : last;
        }
        before = x;
    }
    return changes == CHANGES ? (last - first) / ((CHANGES - 1) / 2) / period : NAN;
}

void validate_airy(validate_run *run)
{
    enum { WATERS = 7, SIZES = 3 };
    static const double kh[WATERS] = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};
    static const char *const what[SIZES] = {
        "worst error of the speed of waves 8 cells long, k h from 0.1 to 10",
        "worst error of the speed of waves 16 cells long, k h from 0.1 to 10",
        "worst error of the speed of waves 32 cells long, k h from 0.1 to 10"};
    double speed[SIZES][WATERS], airy[WATERS];
    for (int c = 0; c < SIZES; c++) {
        double worst = 0.0;
        for (int q = 0; q < WATERS; q++) {
            double ratio = 1.0 / measure_period(run, 8 << c, kh[q], 0.05);
            airy[q] = sqrt(tanh(kh[q]) / kh[q]);
            speed[c][q] = ratio * airy[q];
            // Not fmax, which would leave out what could not be measured.
            worst = fabs(ratio - 1.0) <= worst ? worst : fabs(ratio - 1.0);
        }
        validate_expect(run, what[c], "1", worst, 0.0, VALIDATE_ABSOLUTE, 0.01, NULL);
    }
    validate_expect(run, "period of a standing wave, k h 1, over Airy's", "1",
                    measure_period(run, 16, 1.0, 0.02), 1.0, VALIDATE_RELATIVE, 0.01, NULL);
    validate_plot(run, "Phase speed over that of long waves", "k h", "omega / (k sqrt(g d))");
    validate_curve(run, "8 cells a wave", VALIDATE_POINTS, WATERS, kh, speed[0]);
    validate_curve(run, "32 cells a wave", VALIDATE_POINTS, WATERS, kh, speed[2]);
    validate_curve(run, "Airy", VALIDATE_DASHES, WATERS, kh, airy);
}
