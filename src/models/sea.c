// models/sea.c: an ocean as the sea that a window of water is joined to.
//
// Cost: a question in many points at once, which threads of the ocean's device share: of
// `difference` some rounds of Newton's each for the place at rest, of `whole` none.
#include "gyre/sea.h"
#include "gyre/water.h"
#include "model/model.h"
#include "ocean/ocean.h"
#include <string.h>

static void put(void *user, int k, const gy_ocean_answer *answer)
{
    gyre_water_swell *to = (gyre_water_swell *)user + k;
    *to = (gyre_water_swell){.height = answer->height};
    memcpy(to->velocity, answer->velocity, sizeof to->velocity);
}

static void put_flow(void *user, int k, const gy_ocean_answer *answer)
{
    gyre_water_swell *to = (gyre_water_swell *)user + k;
    *to = (gyre_water_swell){.height = answer->height,
                             .discharge = {answer->velocity[0], answer->velocity[1]}};
}

static gyre_result ask(void *ocean, double time, bool whole, const double *points, int count,
                       gyre_water_swell *answers)
{
    return gy_ocean_look(ocean, time, whole, points, count, whole ? put_flow : put, answers);
}

static uint64_t changes(void *ocean)
{
    return ((const gyre_ocean *)ocean)->changes;
}

static gyre_result check_models(gyre_model *water, const gyre_model *ocean)
{
    if (strcmp(gyre_model_type(water), "water") != 0) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "sea_join: a %s is no water",
                         gyre_model_type(water));
    }
    if (ocean && strcmp(gyre_model_type(ocean), "ocean") != 0) {
        return gyre_fail(GYRE_ERROR_UNSUPPORTED, "sea_join: a %s is no ocean",
                         gyre_model_type(ocean));
    }
    double apart = ocean ? ocean->time - water->time : 0.0;
    if (!(apart > -1e-6 && apart < 1e-6)) {
        return gyre_fail(GYRE_ERROR_ARGUMENT,
                         "sea_join: the ocean is at %g s and the water at %g s; expected the same",
                         ocean->time, water->time);
    }
    return GYRE_OK;
}

/// A window that the sea's own waves cross must be as deep where they enter.
static gyre_result check_depth(const gyre_model *water, gyre_model *ocean)
{
    const gyre_water_def *def = water->def;
    const gyre_ocean_def *sea = ocean->def;
    const gyre_water_side *sides = &def->sides.x_low;
    gyre_ocean_stats stats = gyre_ocean_get_stats((gyre_ocean *)ocean);
    double number = 6.28318530717958647693 / (stats.peak_period > 0.0 ? stats.peak_period : 1e9);
    const gyre_ocean_wave *wave = sea->waves.items;
    number = gy_ocean_number(sea, number);
    for (int k = 0; k < sea->waves.count && stats.peak_period == 0.0; k++) {
        float length = wave[k].enabled ? wave[k].length : 0.0f;
        number = length > 0.0f && (k == 0 || 6.2831853 / (double)length < number)
                     ? 6.28318530717958647693 / (double)length
                     : number;
    }
    for (int q = 0; q < 4; q++) {
        const gyre_grid *g = water->grid;
        float point[3] = {0, 0, 0}, bed;
        for (int a = 0; a < 2; a++) {
            float wide = g->h * (float)g->n[a];
            point[a] = g->origin[a] + (a != q / 2 ? 0.5f * wide : q % 2 ? wide : 0.0f);
        }
        if (sides[q].rule != GYRE_WATER_OPEN) {
            continue;
        }
        gyre_result r = gyre_model_probe(water, gyre_model_field(water, "bed"), point, 1, &bed);
        double depth = (double)(def->level - bed), own = (double)sea->depth;
        bool feels = number * depth < 1.5707963; // a quarter of a wave: 8 % slower
        bool apart = own > 0.0 ? number * own < 1.5707963 || feels : feels;
        apart = apart && !(own > 0.0 && depth > 0.8 * own && depth < 1.25 * own);
        if (r != GYRE_OK || apart) {
            return r != GYRE_OK ? r
                                : gyre_fail(GYRE_ERROR_UNSUPPORTED,
                                            "sea_join: waves of %.3g m come in over %.3g m of "
                                            "water, those of the ocean run over %.3g m%s: expected "
                                            "the same depth, or at least a quarter of the wave",
                                            6.28318530717958647693 / number, depth, own,
                                            own > 0.0 ? "" : " (0: deep)");
        }
    }
    return GYRE_OK;
}

gyre_result gyre_sea_join(gyre_model *water, gyre_model *ocean)
{
    if (GY_MISSING("sea_join", water)) {
        return GYRE_ERROR_ARGUMENT;
    }
    gyre_result r = check_models(water, ocean);
    const gyre_water_def *def = water->def;
    if (r == GYRE_OK && ocean && def->sea.carries == GYRE_WATER_WHOLE) {
        r = check_depth(water, ocean);
    }
    if (r != GYRE_OK || !ocean) {
        return r != GYRE_OK ? r : gyre_water_join((gyre_water *)water, NULL);
    }
    const gyre_ocean_def *sea = ocean->def;
    gyre_water_outside outside = {ask, changes, ocean, sea->level, sea->gravity};
    return gyre_water_join((gyre_water *)water, &outside);
}
