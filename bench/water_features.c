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

// ---- waters that are nested

/// Waters of n x n cells, each in the middle of the one before on half its cells.
enum { LEVELS = 3 };

static gyre_result raise(gyre_device *device, int mode, int n, int levels, gyre_water **water)
{
    gyre_water_def def = bench_lake(mode, n);
    gyre_result result = GYRE_OK;
    for (int q = 0; q < 4; q++) {
        (&def.sides.x_low)[q].rule = GYRE_WATER_WALL;
    }
    for (int l = 0; l < levels && result == GYRE_OK; l++) {
        result = gyre_water_create(device, &def, &water[l]);
        result = result || l == 0 ? result : gyre_water_nest(water[l], water[l - 1]);
        for (int a = 0; a < 2; a++) {
            def.grid.origin[a] += (float)(n / 4) * def.grid.h;
        }
        def.grid.h *= 0.5f;
    }
    return result;
}

/// ms a step of all levels; one water alone is made with cells of the finest.
static double time_levels(gyre_water *const *water, int levels, float dt, double least)
{
    double start = bench_now();
    for (int n = 0; n < 4; n++) {
        for (int l = 0; l < levels; l++) {
            if (gyre_water_step(water[l], dt) != GYRE_OK) {
                return 0.0;
            }
        }
    }
    double ms = (bench_now() - start) * 250.0;
    return ms < least ? ms : least;
}

static int nesting(const char *isa, int n, int mode, FILE *out)
{
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    gyre_water *nested[LEVELS] = {NULL}, *apart[LEVELS] = {NULL}, *one = NULL;
    def.threads = 1;
    def.isa = isa;
    // As long as the coarsest, on cells of the finest.
    gyre_water_def fine = bench_lake(mode, 4 * n);
    fine.grid.h *= 0.25f;
    bool bad = gyre_device_create(&def, &device) != GYRE_OK ||
               raise(device, mode, n, LEVELS, nested) != GYRE_OK ||
               gyre_water_create(device, &fine, &one) != GYRE_OK;
    for (int l = 0; l < LEVELS && !bad; l++) {
        gyre_water_def alone = *(const gyre_water_def *)gyre_model_def(gyre_water_model(nested[l]));
        bad = gyre_water_create(device, &alone, &apart[l]) != GYRE_OK;
    }
    // The finest water's longest step but a little.
    float dt = mode == GYRE_WATER_WAVE ? 0.012f : 0.008f;
    double least[3] = {1e30, 1e30, 1e30};
    for (int r = 0; r < ROUNDS && !bad; r++) {
        least[0] = time_levels(apart, LEVELS, dt, least[0]);
        least[1] = time_levels(nested, LEVELS, dt, least[1]);
        least[2] = r < 3 ? time_levels(&one, 1, dt, least[2]) : least[2];
    }
    if (!bad) {
        fprintf(
            out,
            "nested, %d of %4d x %4d         %-8s %7.3f ms, %5.1f %% of it the joins; one of %4d "
            "x %4d %8.3f ms\n",
            LEVELS, n, n, mode == GYRE_WATER_WAVE ? "wave" : "shallow", least[1],
            100.0 * (least[1] - least[0]) / least[1], 4 * n, 4 * n, least[2]);
    } else {
        fprintf(stderr, "gyre bench water: nested: %s\n", gyre_message());
    }
    for (int l = 0; l < LEVELS; l++) {
        gyre_water_destroy(nested[l]);
        gyre_water_destroy(apart[l]);
    }
    gyre_water_destroy(one);
    gyre_device_destroy(device);
    return bad;
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
        bad += nesting(isa, n / 2, mode, out);
        bad += compare(isa, n, mode, "a pit that is dug, 5 %", digging, out);
    }
    bad += join_sea(isa, GYRE_WATER_SHALLOW, GYRE_WATER_DIFFERENCE, 1.0f, "difference", out);
    bad += join_sea(isa, GYRE_WATER_DISPERSIVE, GYRE_WATER_DIFFERENCE, 1.0f,
                    "difference, dispersive", out);
    bad += join_sea(isa, GYRE_WATER_DISPERSIVE, GYRE_WATER_WHOLE, 0.0f, "whole, dispersive", out);
    bad += breaking(isa, quick, out);
    return bad;
}
