// validate/long_scene.h: a shipped scene of gas run on, on fewer cells, with what its energy and
// its greatest speed come to. By public headers alone: gyre validate and test/test_long.c share it.
#ifndef VALIDATE_LONG_SCENE_H
#define VALIDATE_LONG_SCENE_H

#include "gyre/gas.h"
#include "gyre/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct long_scene {
    gyre_scene *scene;
    bool driven;     ///< something is emitted for ever
    bool forceless;  ///< gravity does not act
    int steps;       ///< of the whole run
    double last_put; ///< s, when the last thing was put in
    // What came of it. Of the second quarter and of the last half:
    double speed[2], energy[2]; ///< greatest
    double start;               ///< energy when the last thing was in
    double most, rise;          ///< since: over that, and over its last low
    double limited;             ///< share of steps in which energy was limited; NaN: not told
    double gained; ///< steps counted as making energy since the last thing; NaN: not told
} long_scene;

/// Sets a grid of `share` times as many cells along each axis, over the same place.
static inline gyre_result long_scene_coarsen(gyre_scene *scene, double share)
{
    gyre_value n, h;
    char text[128];
    gyre_result r = gyre_scene_get(scene, "gas.grid.n", &n);
    r = r ? r : gyre_scene_get(scene, "gas.grid.h", &h);
    if (r) {
        return r;
    }
    double first = fmax(2.0, floor(n.number[0] * share + 0.5)), real = first / n.number[0];
    int cells[3];
    for (int a = 0; a < 3; a++) {
        double c = floor(n.number[a] * real + 0.5);
        cells[a] = n.number[a] > 1.0 ? (c > 2.0 ? (int)c : 2) : 1;
    }
    snprintf(text, sizeof text, "%d,%d,%d", cells[0], cells[1], cells[2]);
    r = gyre_scene_set(scene, "gas.grid.n", text);
    snprintf(text, sizeof text, "%.9g", h.number[0] / real);
    return r ? r : gyre_scene_set(scene, "gas.grid.h", text);
}

static inline double long_scene_statistic(const gyre_model *model, const char *name)
{
    const void *stats = NULL;
    const gyre_property *line = gyre_property_find(gyre_model_stats(model, &stats), name);
    gyre_value value;
    if (!line || gyre_property_read(line, (const char *)stats + line->offset, &value)) {
        return NAN;
    }
    return value.number[0];
}

/// Whether an emitter is on.
static inline bool long_scene_emits(const gyre_model *model)
{
    const gyre_gas_def *def = gyre_model_def(model);
    const gyre_gas_emitter *e = def->emitters.items;
    bool any = false;
    for (int i = 0; i < def->emitters.count; i++) {
        any = any || e[i].enabled;
    }
    return any;
}

/// Runs for `seconds` of the scene's own time. `progress` (may be NULL) hears of every fiftieth
/// part. The scene is loaded and coarsened, not yet created; its first model is the gas.
static inline gyre_result long_scene_run(long_scene *s, gyre_device *device, double seconds,
                                         void progress(const long_scene *s, int step, double speed,
                                                       double energy))
{
    gyre_result r = gyre_scene_create(s->scene, device);
    gyre_model *model = r ? NULL : gyre_scene_model(s->scene, 0);
    double low = 0.0, gained = 0.0;
    const gyre_gas_def *def = model ? gyre_model_def(model) : NULL;
    s->forceless =
        def && def->gravity[0] == 0.0f && def->gravity[1] == 0.0f && def->gravity[2] == 0.0f;
    s->driven = true;
    s->steps = r ? 0 : (int)(seconds / (double)gyre_scene_dt(s->scene) + 0.5);
    for (int i = 1; i <= s->steps; i++) {
        r = gyre_scene_step(s->scene);
        if (r) {
            return r;
        }
        double speed = long_scene_statistic(model, "max_speed");
        double energy = long_scene_statistic(model, "kinetic_energy");
        bool emits = long_scene_emits(model);
        if (emits || i == 1) { // where fields begin with what there is nothing is put in later
            s->last_put = gyre_model_time(model);
            s->start = low = energy;
            s->most = s->rise = 0.0;
            gained = long_scene_statistic(model, "gained");
        } else {
            s->most = fmax(s->most, energy / s->start);
            s->rise = fmax(s->rise, energy / low - 1.0);
            low = fmin(low, energy);
        }
        s->driven = emits;
        int part = 4 * (i - 1) / s->steps;
        if (part > 0) {
            s->speed[part > 1] = fmax(s->speed[part > 1], speed);
            s->energy[part > 1] = fmax(s->energy[part > 1], energy);
        }
        if (progress && i * 50 / s->steps != (i - 1) * 50 / s->steps) {
            progress(s, i, speed, energy);
        }
    }
    s->gained = model ? long_scene_statistic(model, "gained") - gained : NAN;
    s->limited = model ? long_scene_statistic(model, "governed") / s->steps : NAN;
    return r;
}

#endif
