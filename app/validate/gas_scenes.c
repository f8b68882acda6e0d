// validate/gas_scenes.c: the shipped scenes of gas, run on.
#include "validate/long_scene.h"
#include "validate/validate.h"

/// A scene for some of its lengths, or (0) for ten minutes. Whether all that is asked for was told.
static bool run_on(validate_run *run, const char *name, double share, double lengths)
{
    static const char *const quantities[] = {"speed", "energy"};
    long_scene s = {.scene = validate_parse(run, name)};
    char what[96];
    if (!s.scene) {
        return true;
    }
    const gyre_scene_time *time = &gyre_scene_get_settings(s.scene)->time;
    double seconds = lengths > 0.0 ? lengths * time->frames / (double)time->fps : 600.0;
    if (long_scene_coarsen(s.scene, share) ||
        long_scene_run(&s, validate_device(run), seconds, NULL)) {
        validate_fail(run, NULL);
        return true;
    }
    for (int q = s.driven ? 0 : 1; q < 2; q++) {
        const double *found = q == 0 ? s.speed : s.energy;
        snprintf(what, sizeof what, "doublings of the greatest %s, %s", quantities[q], name);
        validate_expect(run, what, "1", log2(found[1] / found[0]), 0.0,
                        s.driven ? VALIDATE_ABSOLUTE : VALIDATE_AT_MOST, s.driven ? 1.0 : 0.0,
                        s.driven ? NULL : "nothing is put in any more");
    }
    if (!s.driven && s.forceless) {
        snprintf(what, sizeof what, "greatest energy over that when left alone, %s", name);
        validate_expect(run, what, "1", s.most, 1.0, VALIDATE_AT_MOST, 1e-5, "exact");
        snprintf(what, sizeof what, "greatest rise over the last low, %s", name);
        validate_expect(run, what, "1", s.rise, 0.0, VALIDATE_AT_MOST, 0.02, "as in energy");
    }
    if (isnan(s.limited) || isnan(s.gained)) {
        return false;
    }
    snprintf(what, sizeof what, "share of steps in which energy was limited, %s", name);
    validate_expect(run, what, "1", s.limited, 0.0, VALIDATE_AT_MOST, 0.01, "a net, not a crutch");
    if (!s.driven) {
        snprintf(what, sizeof what, "steps counted as making energy, %s", name);
        validate_expect(run, what, "1", s.gained, 0.0, VALIDATE_AT_MOST, 0.0,
                        "nothing is put in any more");
    }
    return true;
}

void validate_scenes_long(validate_run *run)
{
    static const char *const deep[] = {"plume", "fog", "chimney"};
    static const char *const flat[] = {"ink_drop", "colliding_jets", "smoke_round_solid",
                                       "periodic_shear"};
    bool quick = validate_quick(run), told = true;
    for (int i = 0; i < 3 && !validate_failed(run); i++) {
        told = run_on(run, deep[i], quick ? 0.125 : 0.25, quick ? 10.0 : 0.0) && told;
    }
    for (int i = 0; i < 4 && !validate_failed(run); i++) {
        told = run_on(run, flat[i], quick ? 0.25 : 0.5, quick ? 5.0 : 0.0) && told;
    }
    if (!told) {
        validate_fail(run, "there is no statistic \"governed\" or none \"gained\"");
    }
}
