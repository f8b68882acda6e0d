// validate/weggel.c: where periodic waves of shallow water with the pressure of flow that bends
// break, by a trigger that knows speeds alone, beside Weggel's index H / d = b - a H / (g T^2).
// On level ground (0.78) they are Serre's waves of permanent form, of which there are such of any
// height; the lowest that breaks within two periods counts. On slopes it is the crest in the middle
// of those whose fronts are found first in five periods, from the trough at its place. Cost: 400
// to 640 cells, 2900 to 4800 steps a slope.
#include "validate/validate.h"

#include "validate/crest.h"
#include "validate/permanent.h"

#include "gyre/water.h"

#include <math.h>
#include <stddef.h>

// ---- level ground

static double depth_of(const void *argument, const double at[3])
{
    return wave_depth(argument, at[0]);
}

static double discharge_of(const void *argument, const double at[3])
{
    return wave_discharge(argument, at[0]);
}

/// Whether a wave breaks within two periods, and how high it is by then.
static bool breaks(validate_run *run, const wave *w, double *became)
{
    enum { STEPS = 400 };
    int cells = (int)(w->length / 0.1 + 0.5);
    gyre_water_def def = gyre_water_default_def(1);
    gyre_water_front front;
    bool found = false;
    def.grid.n[0] = cells;
    def.grid.h = (float)(w->length / cells);
    def.bed.flat = -1.0f;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
    def.nonhydrostatic = true;
    def.breaking.fronts = 16;
    validate_create(run, "water", &def);
    validate_write(run, "depth", depth_of, w);
    validate_write(run, "discharge_x", discharge_of, w);
    *became = 0.0;
    for (int step = 0; step < STEPS && !found && !validate_failed(run); step++) {
        double top = 0.0, bottom = 9.0;
        validate_step_by(run, 2.0 * w->length / w->speed / STEPS);
        const float *d = validate_read(run, "depth", NULL);
        for (int i = 0; d && i < cells; i++) {
            top = fmax(top, (double)d[i]);
            bottom = fmin(bottom, (double)d[i]);
        }
        *became = fmax(*became, top - bottom);
        found = d && gyre_water_fronts((const gyre_water *)validate_model(run), &front, 1) > 0;
    }
    return found;
}

static void level(validate_run *run, double length, const char *what)
{
    double least = 0.3, most = 0.9, became = 0.0, found = NAN;
    for (int round = 0; round < 7; round++) {
        wave w;
        double height = 0.5 * (least + most);
        if (!find_wave(height, length, &w)) {
            validate_fail(run, "there is no such wave");
            return;
        }
        bool is = breaks(run, &w, &became);
        found = is ? became : found;
        least = is ? least : height;
        most = is ? height : most;
    }
    validate_expect(run, what, "", found, 0.78, VALIDATE_RELATIVE, 0.15, NULL);
}

// ---- slopes

/// Waves of 0.1 m on a metre of water run up a slope: H and d of the crest in the middle.
static void run_up(validate_run *run, double slope, double period, double *height, double *depth)
{
    enum { MOST = 64 };
    double h = 0.05, flat = 10.0, dt = 0.0125, last_time = -9.0, trough = 9.0;
    int n = (int)((flat + 2.0 + 1.0 / slope) / h), steps = (int)(10.0 * period / dt);
    int waves = 0;
    crest at[MOST] = {{0}};
    float *bed = validate_memory(run, (size_t)n, sizeof *bed);
    gyre_water_def def = gyre_water_default_def(1);
    for (int i = 0; bed && i < n; i++) {
        double x = (i + 0.5) * h - flat;
        bed[i] = (float)(x < 0.0 ? -1.0 : -1.0 + slope * x);
    }
    def.grid.n[0] = n;
    def.grid.h = (float)h;
    def.bed.data = (gyre_volume){bed, {n, 1, 1}, NULL};
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.amplitude = 0.05f;
    def.sides.x_low.period = (float)period;
    def.breaking.fronts = 16;
    def.breaking.height = 0.02f;
    def.nonhydrostatic = true;
    validate_create(run, "water", &def);
    for (int step = 0; step < steps && !validate_failed(run); step++) {
        gyre_water_front f[16];
        validate_step_by(run, dt);
        int count = gyre_water_fronts((const gyre_water *)validate_model(run), f, 16);
        for (int k = 0; k < count && k < 16; k++) {
            double x = (double)f[k].position[0], d = 1.0 - slope * (x - flat);
            const float *now = NULL;
            bool first = begins_to_break(&f[k], dt) && step > steps / 2 &&
                         step * dt > last_time + 0.6 * period;
            // Up a beach there is another front of the same wave.
            if (first && d > 0.05 && d < 0.95 && waves < MOST) {
                now = validate_read(run, "depth", NULL);
            }
            if (now) {
                at[waves++] = crest_behind(now, bed, h, x);
                last_time = step * dt;
            }
        }
    }
    crest middle = middle_crest(at, waves);
    int cell = (int)(middle.x / h);
    for (int step = 0; step < (int)(2.0 * period / dt) && !validate_failed(run); step++) {
        validate_step_by(run, dt);
        const float *d = validate_read(run, "depth", NULL);
        trough = d ? fmin(trough, (double)(d[cell] + bed[cell])) : trough;
    }
    *height = waves > 0 ? middle.height - trough : NAN;
    *depth = 1.0 - slope * (middle.x - flat);
}

static void sloping(validate_run *run, double slope, double period, const char *what)
{
    double height = NAN, depth = NAN;
    run_up(run, slope, period, &height, &depth);
    double index = weggel_index(slope, height, period);
    validate_expect(run, what, "", height / depth, index, VALIDATE_RELATIVE, 0.15, NULL);
}

void validate_weggel(validate_run *run)
{
    bool all = !validate_quick(run);
    level(run, 12.0, "H / d on level ground, 12 depths long");
    if (all) {
        level(run, 8.0, "H / d on level ground, 8 depths long");
        level(run, 20.0, "H / d on level ground, 20 depths long");
        sloping(run, 0.05, 3.0, "H / d on a slope of 0.05, waves of 3 s");
        sloping(run, 0.05, 5.0, "H / d on a slope of 0.05, waves of 5 s");
        sloping(run, 0.1, 3.0, "H / d on a slope of 0.1, waves of 3 s");
        sloping(run, 0.1, 5.0, "H / d on a slope of 0.1, waves of 5 s");
    }
    sloping(run, 0.05, 4.0, "H / d on a slope of 0.05, waves of 4 s");
    sloping(run, 0.1, 4.0, "H / d on a slope of 0.1, waves of 4 s");
}
