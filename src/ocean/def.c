// ocean/def.c: the tables of an ocean, its defaults, and whether a def can be run.
#include "base/base.h"
#include "base/maths.h"
#include "grid/table.h"
#include "ocean/ocean.h"

static const char *const givens[] = {"wind", "height", NULL};
static const char *const spreads[] = {"cosine", "mitsuyasu", "hasselmann", NULL};
static const char *const draws[] = {"phases", "gaussian", NULL};

#define ELEMENT(type)                                                                              \
    GYRE_PROPERTY_STRING(type, name, "for paths", .flags = GYRE_NAME),                             \
        GYRE_PROPERTY_BOOL(type, enabled, "whether it counts", .initial = {1})

#define WAVE(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_wave, __VA_ARGS__)
static const gyre_property wave_properties[] = {
    ELEMENT(gyre_ocean_wave),
    WAVE(FLOAT, amplitude, "m", 0, 1e4, "half the height from trough to crest", .initial = {0.5}),
    WAVE(FLOAT, length, "m", 0, 1e6, "between crests; 0: as the period has it", .initial = {20}),
    WAVE(FLOAT, period, "s", 0, 1e5, "between crests; 0: as the length has it"),
    WAVE(FLOAT, direction, "degrees", -1e4, 1e4, "from +x towards +y: where it goes"),
    WAVE(FLOAT, phase, "degrees", -1e6, 1e6, "at the origin at time 0; 0: a crest"),
    WAVE(FLOAT, steepness, "1", 0, 1, "0: a sine; 1: Gerstner's trochoid"),
    GYRE_PROPERTY_END,
};

#define SEA(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_sea, __VA_ARGS__)
static const gyre_property sea_properties[] = {
    ELEMENT(gyre_ocean_sea),
    SEA(ENUM, given, givens, "by what its spectrum is given"),
    SEA(FLOAT, wind_speed, "m/s", 0.1, 100, "10 m above the water", .initial = {10}),
    SEA(FLOAT, fetch, "m", 1, 1e7, "over which the wind has blown", .initial = {1e5},
        .needs = "given=wind"),
    SEA(FLOAT, significant_height, "m", 0, 100, "four standard deviations of the surface",
        .initial = {2}, .needs = "given=height"),
    SEA(FLOAT, peak_period, "s", 0.01, 1000, "of the waves with the most energy", .initial = {8},
        .needs = "given=height"),
    SEA(FLOAT, gamma, "1", 1, 20, "peak enhancement; 1: Pierson and Moskowitz", .initial = {3.3}),
    SEA(FLOAT, direction, "degrees", -1e4, 1e4, "from +x towards +y: where waves go"),
    SEA(ENUM, spread, spreads, "of directions", .initial = {GYRE_OCEAN_HASSELMANN}),
    SEA(FLOAT, exponent, "1", 0, 1000, "s of cos^2s(theta / 2)", .initial = {8},
        .needs = "spread=cosine"),
    SEA(FLOAT, swell, "1", 0, 1, "how far waves are drawn out in crests"),
    GYRE_PROPERTY_END,
};

#define EMITTER(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_emitter, __VA_ARGS__)
static const gyre_property emitter_properties[] = {
    ELEMENT(gyre_ocean_emitter),
    EMITTER(VECTOR, point, "m", -1e6, 1e6, "where it is at the start"),
    EMITTER(VECTOR, velocity, "m/s", -1e4, 1e4, "it moves with"),
    EMITTER(FLOAT, start, "s", -1e6, 1e6, "of the first ring"),
    EMITTER(FLOAT, interval, "s", 0, 1e6, "between rings; 0: there is one"),
    EMITTER(FLOAT, end, "s", -1e6, 1e6, "after which it gives off no more", .initial = {1e6},
            .needs = "interval"),
    EMITTER(FLOAT, amplitude, "m", -100, 100, "of a ring at its birth", .initial = {1}),
    EMITTER(FLOAT, radius, "m", 1e-3, 1e4, "of a particle", .initial = {2}),
    EMITTER(FLOAT, speed, "m/s", 0, 1e4, "of particles; 0: that of waves two radii long"),
    EMITTER(FLOAT, life, "s", 1e-3, 1e5, "after which a ring has faded", .initial = {20}),
    GYRE_PROPERTY_END,
};

#define PATCH(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_patch, __VA_ARGS__)
static const gyre_property patch_properties[] = {
    PATCH(FLOAT, length, "m", 1e-3, 1e6, "side of the largest square", .initial = {500},
          .flags = GYRE_FIXED),
    PATCH(INT, cells, "1", 32, 1024, "along a side, a power of two", .initial = {256},
          .flags = GYRE_FIXED),
    PATCH(INT, cascades, "1", 1, GY_OCEAN_CASCADES, "squares, each for shorter waves",
          .initial = {2}, .flags = GYRE_FIXED),
    PATCH(FLOAT, ratio, "1", 1e-3, 0.9, "side of a square over that of the one before",
          .initial = {0.1618}, .needs = "cascades", .flags = GYRE_FIXED),
    PATCH(FLOAT, finest, "1", 2.1, 16, "cells in the shortest wave of a square", .initial = {3},
          .flags = GYRE_FIXED),
    GYRE_PROPERTY_END,
};

#define FOAM(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_foam, __VA_ARGS__)
static const gyre_property foam_properties[] = {
    FOAM(FLOAT, rate, "1/s", 0, 1e4, "growth, by what the Jacobian is below the threshold"),
    FOAM(FLOAT, threshold, "1", -10, 10, "of the displacement's Jacobian", .initial = {0.6},
         .needs = "rate"),
    FOAM(FLOAT, life, "s", 1e-3, 1e6, "in which it fades to 1/e", .initial = {4}),
    GYRE_PROPERTY_END,
};

static const char *const keeps[] = {"volume", "energy", NULL};

#define PARTICLES(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_particles, __VA_ARGS__)
static const gyre_property particle_properties[] = {
    PARTICLES(INT, capacity, "1", 0, GY_OCEAN_FAMILIES,
              "families that bodies have shed at a time; 0: they shed none", .flags = GYRE_FIXED),
    PARTICLES(INT, bodies, "1", 1, GY_OCEAN_SHEDDERS, "that shed, at most", .initial = {16},
              .needs = "capacity", .flags = GYRE_FIXED),
    PARTICLES(FLOAT, radius, "m", 1e-3, 1e4, "of what bodies shed", .initial = {1},
              .needs = "capacity"),
    PARTICLES(FLOAT, speed, "m/s", 0, 1e4, "of that; 0: that of waves two radii long",
              .needs = "capacity"),
    PARTICLES(FLOAT, life, "s", 1e-3, 1e5, "after which it has faded", .initial = {20},
              .needs = "capacity"),
    PARTICLES(FLOAT, strength, "1", 0, 100, "of what bodies displace, what becomes waves",
              .initial = {1}, .needs = "capacity"),
    PARTICLES(FLOAT, least, "m", 0, 10, "particles of a lower amplitude are gone",
              .initial = {1e-5}, .needs = "capacity"),
    PARTICLES(FLOAT, sideways, "1", 0, 1,
              "of all particles, emitters' too: how far they move water along their way"),
    PARTICLES(ENUM, keeps, keeps, "how a front of what bodies shed falls as it widens",
              .needs = "capacity"),
    GYRE_PROPERTY_END,
};

#define OCEAN(kind, ...) GYRE_PROPERTY_##kind(gyre_ocean_def, __VA_ARGS__)
const gyre_property gyre_ocean_properties[] = {
    OCEAN(STRUCT, grid, gy_grid_properties, "where fields are shown, seen from above"),
    OCEAN(FLOAT, level, "m", -1e5, 1e5, "of the surface at rest"),
    OCEAN(FLOAT, depth, "m", 0, 1e5, "of the water; 0: deep water"),
    OCEAN(FLOAT, gravity, "m/s^2", 1e-3, 1e4, "acceleration of free fall", .initial = {9.81}),
    OCEAN(FLOAT, tension, "m^3/s^2", 0, 1, "surface tension over density"),
    OCEAN(FLOAT, choppiness, "1", 0, 2, "of spectra: sideways displacement over Gerstner's",
          .initial = {1}),
    OCEAN(ENUM, draw, draws, "what the seed draws of spectra"),
    OCEAN(INT, seed, "1", 0, 2147483647, "of the waves of spectra"),
    OCEAN(STRUCT, patch, patch_properties, "the squares that spectra fill"),
    OCEAN(STRUCT, foam, foam_properties, "white water"),
    OCEAN(POOL, waves, gyre_ocean_wave, GY_OCEAN_WAVES, wave_properties, "trains of waves"),
    OCEAN(POOL, seas, gyre_ocean_sea, GY_OCEAN_SEAS, sea_properties, "wind waves and swell"),
    OCEAN(POOL, emitters, gyre_ocean_emitter, GY_OCEAN_EMITTERS, emitter_properties,
          "what gives off rings of wave particles"),
    OCEAN(STRUCT, particles, particle_properties, "wave particles, and how bodies shed them"),
    GYRE_PROPERTY_END,
};

enum { COOKIE = 0x6f63 }; // "oc"

void gy_ocean_default(int dim, void *memory)
{
    gyre_ocean_def *def = memory;
    (void)dim;
    gyre_property_defaults(gyre_ocean_properties, def, sizeof *def);
    def->cookie = gy_cookie(COOKIE, sizeof *def);
    def->grid.dim = 2;
    def->grid.n[2] = 1;
}

void gyre_ocean_fill_def(gyre_ocean_def *def, size_t size, int dim)
{
    if (GY_MISSING("ocean_fill_def", def)) {
        return;
    }
    gyre_ocean_def own;
    gy_ocean_default(dim, &own);
    own.cookie = gy_cookie(COOKIE, size);
    gy_copy_sized(def, size, &own, sizeof own);
}

#define DEFAULT(type, function, table)                                                             \
    type function(void)                                                                            \
    {                                                                                              \
        type element;                                                                              \
        gyre_property_defaults(table, &element, sizeof element);                                   \
        return element;                                                                            \
    }
DEFAULT(gyre_ocean_wave, gyre_ocean_default_wave, wave_properties)
DEFAULT(gyre_ocean_sea, gyre_ocean_default_sea, sea_properties)
DEFAULT(gyre_ocean_emitter, gyre_ocean_default_emitter, emitter_properties)

static gyre_result check_wave(const gyre_ocean_def *def, int i)
{
    const gyre_ocean_wave *w = (const gyre_ocean_wave *)def->waves.items + i;
    if ((w->length > 0.0f) == (w->period > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "waves[%d]: length %g m and period %g s, expected one of them to be 0 and "
                         "the other not",
                         i, (double)w->length, (double)w->period);
    }
    double turn = 6.28318530717958647693;
    double k = w->length > 0.0f ? turn / (double)w->length
                                : gy_ocean_number(def, turn / (double)w->period);
    double steep = k * (double)w->amplitude * (double)w->steepness;
    if (w->enabled && steep > 1.0) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "waves[%d]: amplitude times wave number times steepness is %.3g, expected "
                         "at most 1: its crests would cross themselves",
                         i, steep);
    }
    return GYRE_OK;
}

static gyre_result check_sea(const gyre_ocean_def *def, int i)
{
    const gyre_ocean_sea *sea = (const gyre_ocean_sea *)def->seas.items + i;
    double turn = 6.28318530717958647693, side = (double)def->patch.length, g, u, w;
    if (!sea->enabled) {
        return GYRE_OK;
    }
    if (sea->given == GYRE_OCEAN_HEIGHT && !(sea->significant_height > 0.0f)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "seas[%d]: significant_height is 0, and a spectrum of no energy has no "
                         "waves; expected more, or enabled = false",
                         i);
    }
    g = (double)def->gravity;
    u = (double)sea->wind_speed;
    w = sea->given == GYRE_OCEAN_HEIGHT
            ? turn / (double)sea->peak_period
            : 22.0 * g / u *
                  (double)gy_powf((float)(u * u / (g * (double)sea->fetch)), 1.0f / 3.0f);
    double peak = turn / gy_ocean_number(def, w), finest = (double)def->patch.finest, last = side;
    for (int c = 1; c < def->patch.cascades; c++) {
        last *= (double)def->patch.ratio;
    }
    double shortest = last * finest / def->patch.cells;
    if (peak > side || peak < shortest) {
        return gyre_fail(
            GYRE_ERROR_ARGUMENT,
            "seas[%d]: waves of its peak are %.4g m long, and patches hold those from "
            "%.4g m to %.4g m: none of its energy would be there to see (patch.length, "
            "patch.cells, patch.cascades)",
            i, peak, shortest, side);
    }
    return GYRE_OK;
}

static gyre_result check_patch(const gyre_ocean_def *def)
{
    const gyre_ocean_patch *p = &def->patch;
    if (p->cells & (p->cells - 1)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT, "patch.cells: %d, expected a power of two", p->cells);
    }
    int modes = (int)((float)p->cells / p->finest);
    // The waves where a square takes over must be in the one before.
    if (p->cascades > 1 && (float)GY_OCEAN_OVERLAP > (float)modes * p->ratio) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "patch.ratio: %g, expected at least %.3g, so that the waves between two "
                         "squares are in one of them (or more patch.cells)",
                         (double)p->ratio, (double)GY_OCEAN_OVERLAP / (double)modes);
    }
    return GYRE_OK;
}

static gyre_result check_emitter(const gyre_ocean_def *def, int i)
{
    const gyre_ocean_emitter *e = (const gyre_ocean_emitter *)def->emitters.items + i;
    if (e->interval > 0.0f && e->life / e->interval > 1000.0f) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "emitters[%d]: life %g s over interval %g s is %g rings at a time, "
                         "expected at most 1000",
                         i, (double)e->life, (double)e->interval, (double)(e->life / e->interval));
    }
    return GYRE_OK;
}

gyre_result gy_ocean_check(const void *memory)
{
    const gyre_ocean_def *def = memory;
    gyre_result r = gy_cookie_check(def, COOKIE, sizeof *def, "gyre_ocean_def");
    if (r != GYRE_OK) {
        return r;
    }
    r = gyre_grid_check(&def->grid);
    if (r == GYRE_OK) {
        r = gyre_property_check(gyre_ocean_properties, def, "");
    }
    if (r == GYRE_OK && def->grid.dim != 2) {
        r = gyre_fail(GYRE_ERROR_ARGUMENT,
                      "grid.dim: an ocean is seen from above and has dim 2, not %d", def->grid.dim);
    }
    if (r == GYRE_OK) {
        r = check_patch(def);
    }
    for (int i = 0; i < def->waves.count && r == GYRE_OK; i++) {
        r = check_wave(def, i);
    }
    for (int i = 0; i < def->seas.count && r == GYRE_OK; i++) {
        r = check_sea(def, i);
    }
    for (int i = 0; i < def->emitters.count && r == GYRE_OK; i++) {
        r = check_emitter(def, i);
    }
    return r;
}
