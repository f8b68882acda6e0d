// validate/through.c: a sea passes through a window of simulated water that is joined to it: what
// the window shows is the sea as it is without one, and what was made inside has left.
#include "validate/validate.h"

#include "gyre/sea.h"

#include <math.h>

enum { CELLS = 80, STEPS = 500, MARGIN = 20 };

static const double STEP = 0.05;

static gyre_ocean *make_sea(validate_run *run, bool spectrum)
{
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    gyre_ocean *ocean = NULL;
    def.choppiness = 0.0f;
    def.patch = (gyre_ocean_patch){307.0f, 128, 1, 0.2f, 3.0f};
    wave.amplitude = 0.2f;
    wave.length = 20.0f;
    wave.direction = 30.0f;
    sea.given = GYRE_OCEAN_HEIGHT;
    sea.significant_height = 0.5f;
    sea.peak_period = 4.5f;
    if (spectrum) {
        def.seas = (gyre_pool){&sea, 1, 1};
    } else {
        def.waves = (gyre_pool){&wave, 1, 1};
    }
    if (gyre_ocean_create(validate_device(run), &def, &ocean) != GYRE_OK) {
        validate_fail(run, NULL);
    }
    return ocean;
}

/// rms of the window's surface less the ocean's, inside of the rim, over the rms of that.
static double apart(validate_run *run, const gyre_ocean *ocean)
{
    const gyre_grid *g = gyre_model_grid(validate_model(run));
    int n[3];
    double time = validate_statistic(run, "time"), off = 0.0, all = 0.0;
    const float *surface = validate_read(run, "surface", n);
    for (int k = 0; surface && k < CELLS * CELLS; k++) {
        int i = k % CELLS, j = k / CELLS;
        double point[2] = {(double)g->origin[0] + (i + 0.5) * (double)g->h,
                           (double)g->origin[1] + (j + 0.5) * (double)g->h};
        gyre_ocean_sample s;
        bool inside = i >= MARGIN && j >= MARGIN && i < CELLS - MARGIN && j < CELLS - MARGIN;
        if (inside && gyre_ocean_query(ocean, time, 0.0f, point, 1, &s) == GYRE_OK) {
            double d = (double)surface[i + n[0] * j] - (double)s.height;
            off += d * d;
            all += (double)s.height * (double)s.height;
        }
    }
    return all > 0.0 ? sqrt(off / all) : 1e30;
}

/// `moves`: three cells in ten steps, as with a ship of 7.5 m/s. `hump`: m, made at the start.
static void pass(validate_run *run, bool spectrum, bool moves, float hump, const char *what)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water_side *sides = &def.sides.x_low;
    gyre_ocean *ocean = make_sea(run, spectrum);
    def.grid.n[0] = def.grid.n[1] = CELLS;
    def.grid.h = 1.25f;
    def.mode = GYRE_WATER_DISPERSIVE;
    def.bed.flat = -30.0f;
    def.sea.carries = GYRE_WATER_WHOLE;
    for (int q = 0; q < 4; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
    }
    gyre_model *water = ocean ? validate_create(run, "water", &def) : NULL;
    if (!water || gyre_sea_join(water, gyre_ocean_model(ocean)) != GYRE_OK) {
        validate_fail(run, NULL);
        gyre_ocean_destroy(ocean);
        return;
    }
    const float middle[3] = {50.0f, 50.0f, 0.0f};
    if (hump > 0.0f) {
        gyre_model_splat(water, gyre_model_field(water, "depth"), middle, 10.0f, hump);
    }
    for (int s = 0; s < STEPS; s++) {
        validate_step_by(run, STEP);
        if (moves && s % 10 == 9) {
            gyre_model_shift(water, (const int32_t[3]){3, 0, 0});
        }
    }
    validate_expect(run, what, "1", apart(run, ocean), 0.0, VALIDATE_ABSOLUTE, 0.02, NULL);
    gyre_sea_join(water, NULL);
    gyre_ocean_destroy(ocean);
}

void validate_through(validate_run *run)
{
    pass(run, false, false, 0.0f, "a train of waves: rms of surface less sea, over the sea's");
    pass(run, true, false, 0.0f, "a sea of 0.5 m and 4.5 s: the same");
    pass(run, true, true, 0.0f, "that sea through a window that moves at 7.5 m/s: the same");
    pass(run, false, false, 0.5f, "the train, 25 s after a hump of 0.5 m: the same");
}
