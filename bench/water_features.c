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

/// A pit of a twentieth of the lake, which is dug all the while.
static void digging(gyre_water_def *def)
{
    static gyre_water_uplift pit;
    float wide = (float)def->grid.n[0] * def->grid.h;
    pit = gyre_water_default_uplift();
    pit.work = GYRE_WATER_DIG;
    pit.height = -1e4f;
    pit.speed = 0.01f;
    pit.shape = (gyre_shape){.kind = GYRE_SHAPE_SPHERE,
                             .as.sphere = {{0.5f * wide, 0.5f * wide, 0.0f}, 0.126f * wide}};
    def->uplifts = (gyre_pool){&pit, 1, 1};
}

int bench_water_features(const char *isa, bool quick, FILE *out)
{
    int n = quick ? 256 : 1024, bad = 0;
    for (int mode = 0; mode < 2; mode++) {
        bad += compare(isa, n, mode, "the Earth's rotation", turning, out);
        bad += compare(isa, n, mode, "a pit that is dug, 5 %", digging, out);
    }
    return bad;
}
