// bench/water_features.c: what a feature of water costs: the same water with it off and on, by
// turns.
#include "bench/parts.h"

#include <stdlib.h>

enum { ROUNDS = 9 };

static double step_ms(gyre_water *water, double least)
{
    double start = bench_now();
    for (int n = 0; n < 4; n++) {
        if (gyre_water_step(water, 0.02f) != GYRE_OK) {
            return 0.0;
        }
    }
    double ms = (bench_now() - start) * 250.0;
    return ms < least ? ms : least;
}

static int compare(const char *isa, int n, int mode, const char *what,
                   void turn_on(gyre_water_def *def), FILE *out)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    gyre_water *water[2] = {NULL, NULL};
    double least[2] = {1e30, 1e30};
    def.threads = 1;
    def.isa = isa;
    int bad = gyre_device_create(&def, &device) != GYRE_OK;
    for (int on = 0; on < 2 && !bad; on++) {
        gyre_water_def pool = bench_lake(mode, n);
        if (on) {
            turn_on(&pool);
        }
        bad = gyre_water_create(device, &pool, &water[on]) != GYRE_OK ||
              gyre_model_splat(gyre_water_model(water[on]), 0, (const float[3]){30, 40, 0}, 10.0f,
                               0.3f) != GYRE_OK;
    }
    for (int r = 0; r < ROUNDS && !bad; r++) {
        least[0] = step_ms(water[0], least[0]);
        least[1] = step_ms(water[1], least[1]);
    }
    if (!bad) {
        double cells = (double)n * n;
        fprintf(out, "%-28s %-8s %7.3f ns/cell without, %7.3f with: + %5.3f\n", what,
                mode == GYRE_WATER_WAVE ? "wave" : "shallow", least[0] * 1e6 / cells,
                least[1] * 1e6 / cells, (least[1] - least[0]) * 1e6 / cells);
    } else {
        fprintf(stderr, "gyre bench water: %s: %s\n", what, gyre_message());
    }
    gyre_water_destroy(water[0]);
    gyre_water_destroy(water[1]);
    gyre_device_destroy(device);
    return bad;
}

static void turning(gyre_water_def *def)
{
    def->coriolis = 0.01f;
}

/// 200 x 100 cells, as in the talk, with all that flies and floats: waves run up a beach and break.
/// Returns whether a step takes more than a millisecond.
static int breaking(const char *isa, bool quick, FILE *out)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    gyre_water *water = NULL;
    gyre_water_def beach = gyre_water_default_def(2);
    double least[2] = {1e30, 1e30};
    gyre_water_stats s = {0};
    def.threads = 1;
    def.isa = isa;
    int bad = gyre_device_create(&def, &device) != GYRE_OK;
    beach.grid.n[0] = 200;
    beach.grid.n[1] = 100;
    beach.grid.h = 0.25f;
    beach.bed.flat = -2.0f;
    beach.bed.slope[0] = 0.05f;
    beach.sides.x_low.rule = GYRE_WATER_INFLOW;
    beach.sides.x_low.amplitude = 0.4f;
    beach.sides.x_low.period = 4.0f;
    for (int on = 0; on < 2 && !bad; on++) {
        beach.breaking.fronts = on ? 64 : 0;
        beach.breaking.patches = on ? 20000 : 0;
        beach.spray.capacity = on ? 20000 : 0;
        beach.foam.capacity = on ? 20000 : 0;
        beach.foam.depth = on ? 0.2f : 0.0f;
        bad = gyre_water_create(device, &beach, &water) != GYRE_OK;
        for (int k = 0; k < 720 && !bad; k++) {
            bad = gyre_water_step(water, 1.0f / 60) != GYRE_OK;
        }
        // Of ten steps: not every step throws a row.
        for (int k = 0; k < (quick ? 12 : 60) && !bad; k++) {
            double start = bench_processor_now();
            for (int q = 0; q < 10 && !bad; q++) {
                bad = gyre_water_step(water, 1.0f / 60) != GYRE_OK;
            }
            double ms = (bench_processor_now() - start) * 100.0;
            least[on] = ms < least[on] ? ms : least[on];
        }
        s = gyre_water_get_stats(water);
        gyre_water_destroy(water);
        water = NULL;
    }
    if (bad) {
        fprintf(stderr, "gyre bench water: breaking: %s\n", gyre_message());
    } else {
        fprintf(out,
                "breaking, 200 x 100 cells, 1 thread: %.3f ms of its time a step without, %.3f "
                "with (at most 1)"
                "%s\n    fronts %lld, patches %lld, spray %lld, foam %lld, %.3f m^3 in the air\n",
                least[0], least[1], least[1] <= 1.0 ? "" : "  MISSED", (long long)s.fronts,
                (long long)s.patches, (long long)s.spray, (long long)s.foam, s.air);
    }
    gyre_device_destroy(device);
    return bad || least[1] > 1.0;
}

int bench_water_features(const char *isa, bool quick, FILE *out)
{
    int n = quick ? 256 : 1024, bad = 0;
    for (int mode = 0; mode < 2; mode++) {
        bad += compare(isa, n, mode, "the Earth's rotation", turning, out);
    }
    bad += breaking(isa, quick, out);
    return bad;
}
