// validate/rim.c: what comes back of the energy of waves that meet open sides at all angles, by
// both modes: the water beside the same in a domain so large that nothing comes back.
#include "validate/validate.h"

#include <math.h>

static const double G = 9.81;

enum { SMALL = 96, LARGE = 288, STEPS = 160 };

static double hump(const void *argument, const double at[3])
{
    const double *width = argument, r2 = at[0] * at[0] + at[1] * at[1];
    return width[1] + 1e-3 * exp(-0.5 * r2 / (width[0] * width[0]));
}

/// Leaves height, discharge along x and along y of the inner SMALL x SMALL cells.
static void spread(validate_run *run, int mode, int n, int absorber, double width, double *to)
{
    static const char *const names[2][3] = {{"height", "discharge_x", "discharge_y"},
                                            {"depth", "discharge_x", "discharge_y"}};
    const double argument[2] = {width, mode ? 1.0 : 0.0};
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_side *sides = &def.sides.x_low;
    def.mode = mode ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE;
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.h = 1.0f;
    def.grid.origin[0] = def.grid.origin[1] = -0.5f * (float)n;
    def.bed.flat = -1.0f;
    def.wave_speed = (float)sqrt(G);
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
        sides[q].absorber = absorber;
        sides[q].layer = 24.0f;
    }
    validate_create(run, "water", &def);
    validate_write(run, names[mode][0], hump, argument);
    for (int s = 0; s < STEPS; s++) {
        validate_step_by(run, 0.2);
    }
    int off = (n - SMALL) / 2, m[3] = {0};
    for (int f = 0; f < 3; f++) {
        const float *u = validate_read(run, names[mode][f], m);
        for (int i = 0; i < SMALL * SMALL && u; i++) {
            double x = (double)u[i % SMALL + off + m[0] * (i / SMALL + off)];
            to[i + f * SMALL * SMALL] = f == 0 ? x - argument[1] : x;
        }
    }
}

/// `layer`: its cells lie outside of what counts, in a domain larger by it.
static void come_back(validate_run *run, int mode, bool layer, double width)
{
    enum { CELLS = SMALL * SMALL };
    double *near = validate_memory(run, (size_t)3 * CELLS, sizeof *near);
    double *far = validate_memory(run, (size_t)3 * CELLS, sizeof *far);
    if (!near || !far) {
        return;
    }
    spread(run, mode, layer ? SMALL + 48 : SMALL, layer ? GYRE_WATER_LAYER : GYRE_WATER_MUR, width,
           near);
    spread(run, mode, LARGE, GYRE_WATER_MUR, width, far);
    double back = 0.0, all = 3.141592653589793 * width * width * 1e-6 * G;
    for (int i = 0; i < 3 * CELLS; i++) {
        double d = near[i] - far[i];
        back += d * d * (i < CELLS ? G : 1.0);
    }
    char what[96];
    snprintf(what, sizeof what, "mode %s, %s, hump %.0f h wide: energy that comes back",
             mode ? "shallow" : "wave", layer ? "layer of 24 h" : "no layer", width);
    validate_expect(run, what, "1", back / all, 0.0, VALIDATE_ABSOLUTE, 0.01, NULL);
}

void validate_rim(validate_run *run)
{
    for (int mode = 0; mode < 2; mode++) {
        for (int layer = 0; layer < 2; layer++) {
            come_back(run, mode, layer, 3.0);
            come_back(run, mode, layer, 10.0);
        }
    }
}
