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

/// A window of a sea, of one thread: what a step is without and with it.
static int join_sea(const char *isa, int mode, int carries, float choppiness, const char *what,
                    FILE *out)
{
    enum { CELLS = 128 };
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    gyre_water *water[2] = {NULL, NULL};
    gyre_ocean *ocean = NULL;
    gyre_ocean_def deep = gyre_ocean_default_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    double least[2] = {1e30, 1e30};
    def.threads = 1;
    def.isa = isa;
    deep.seas = (gyre_pool){&sea, 1, 1};
    deep.choppiness = choppiness;
    int bad = gyre_device_create(&def, &device) != GYRE_OK ||
              gyre_ocean_create(device, &deep, &ocean) != GYRE_OK;
    for (int on = 0; on < 2 && !bad; on++) {
        gyre_water_def window = gyre_water_default_def(2);
        gyre_water_side *sides = &window.sides.x_low;
        window.mode = mode;
        window.grid.n[0] = window.grid.n[1] = CELLS;
        window.bed.flat = -100.0f;
        window.sea.carries = on ? carries : GYRE_WATER_ALONE;
        for (int q = 0; q < 4; q++) {
            sides[q].rule = GYRE_WATER_OPEN;
        }
        bad = gyre_water_create(device, &window, &water[on]) != GYRE_OK ||
              (on && gyre_sea_join(gyre_water_model(water[on]), gyre_ocean_model(ocean)));
    }
    for (int r = 0; r < ROUNDS && !bad; r++) {
        least[0] = step_ms(water[0], least[0]);
        least[1] = step_ms(water[1], least[1]);
    }
    if (!bad) {
        fprintf(out, "a window of a sea, %-21s %7.3f ms without, %7.3f with: + %6.1f ns/cell\n",
                what, least[0], least[1], (least[1] - least[0]) * 1e6 / CELLS / CELLS);
    } else {
        fprintf(stderr, "gyre bench water: %s: %s\n", what, gyre_message());
    }
    gyre_water_destroy(water[0]);
    gyre_water_destroy(water[1]);
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
    return bad;
}

int bench_water_features(const char *isa, bool quick, FILE *out)
{
    int n = quick ? 256 : 1024, bad = 0;
    for (int mode = 0; mode < 2; mode++) {
        bad += compare(isa, n, mode, "the Earth's rotation", turning, out);
    }
    bad += join_sea(isa, GYRE_WATER_SHALLOW, GYRE_WATER_DIFFERENCE, 1.0f, "difference", out);
    bad += join_sea(isa, GYRE_WATER_DISPERSIVE, GYRE_WATER_DIFFERENCE, 1.0f,
                    "difference, dispersive", out);
    bad += join_sea(isa, GYRE_WATER_DISPERSIVE, GYRE_WATER_WHOLE, 0.0f, "whole, dispersive", out);
    return bad;
}
