// test/test_long.c: every shipped scene of gas, on a quarter of its cells (half as many along each
// axis in 2D, 0.63 times as many in 3D), for ten minutes of its own time. What is driven for ever
// comes to rest in the mean: greatest speed and energy of the last half are within a factor of two
// of those of the second quarter. The others never gain energy after the last thing was put in.
// Energy is limited in under 1 % of the steps.
//
// And the scenes of fire, dye, texture, tracers and clouds, on as few cells, for ten times their
// length: all stays finite, energy is made in no step and limited in under 1 % of them, budgets of
// scalars close to 1e-5 of what has passed.
//
//     build/test/test_long plume     runs one scene; the names of several may hold a *
// labels: slow
// timeout: 14400
// needs: scene
#include "app/validate/long_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *running;

static void progress(const long_scene *s, int step, double speed, double energy)
{
    printf("%s: %5.0f of 600 s, fastest %.4g m/s, energy %.6g%s\n", running,
           600.0 * step / s->steps, speed, energy, s->driven ? "" : ", left alone");
    fflush(stdout);
}

/// Says what is wrong, and goes on to whatever else may be.
static bool holds(bool right, const char *what, double found, const char *asked)
{
    if (!right) {
        print_error("%s: %s is %.6g, expected %s\n", running, what, found, asked);
    }
    return right;
}

static bool within_two(double later, double earlier)
{
    return later <= 2.0 * earlier && earlier <= 2.0 * later;
}

static bool judge(const long_scene *s)
{
    double speed = s->speed[1] / s->speed[0], energy = s->energy[1] / s->energy[0];
    bool right = true;
    printf("%s: last half over second quarter: speed %.4g, energy %.4g; limited in %.4g of the "
           "steps; %g steps counted as making energy",
           running, speed, energy, s->limited, s->gained);
    if (!s->driven) {
        printf("; since %.2f s: energy at most %.8g of what it was, rise over the last low %.3g",
               s->last_put, s->most, s->rise);
    }
    printf("\n");
    if (s->driven) {
        right = holds(within_two(s->speed[1], s->speed[0]), "greatest speed of the last half",
                      s->speed[1], "that of the second quarter within a factor of two") &&
                right;
        right = holds(within_two(s->energy[1], s->energy[0]), "greatest energy of the last half",
                      s->energy[1], "that of the second quarter within a factor of two") &&
                right;
    } else {
        right = holds(s->energy[1] <= s->energy[0], "greatest energy of the last half",
                      s->energy[1], "at most that of the second quarter") &&
                right;
        right = holds(s->gained == 0.0, "steps that made energy since the last thing was put in",
                      s->gained, "0") &&
                right;
    }
    if (!s->driven && s->forceless) {
        right = holds(s->most <= 1.0 + 1e-5, "greatest energy over that when left alone", s->most,
                      "at most 1") &&
                right;
        right = holds(s->rise <= 0.02, "rise over the last low", s->rise, "at most 0.02") && right;
    }
    return holds(s->limited <= 0.01, "share of steps in which energy was limited", s->limited,
                 "at most 0.01") &&
           right;
}

static void stays_steady(void **state)
{
    char path[512];
    long_scene s = {0};
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    gyre_value dim;
    running = *state;
    snprintf(path, sizeof path, "%s/scene/%s.json", GYRE_SOURCE_DIR, running);
    gyre_result r = gyre_scene_load(path, &s.scene);
    r = r ? r : gyre_scene_get(s.scene, "gas.grid.dim", &dim);
    r = r ? r : long_scene_coarsen(s.scene, dim.number[0] == 2.0 ? 0.5 : 0.63);
    r = r ? r : gyre_device_create(&def, &device);
    r = r ? r : long_scene_run(&s, device, 600.0, progress);
    if (r != GYRE_OK) {
        print_error("%s: %s\n", running, gyre_message());
    }
    bool right = r == GYRE_OK && judge(&s);
    gyre_scene_destroy(s.scene);
    gyre_device_destroy(device);
    assert_true(right);
}

/// What the budgets of a gas are off by, over what has passed: the worst of its scalars.
static double budgets_off(gyre_model *model)
{
    int count;
    double worst = 0.0;
    gyre_gas *gas = (gyre_gas *)(void *)model; // a gyre_gas is a gyre_model
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int f = 0; f < count; f++) {
        if (fields[f].derived || fields[f].location != GYRE_CENTRE ||
            strncmp(fields[f].name, "texture", 7) == 0) {
            continue;
        }
        gyre_gas_budget b = gyre_gas_get_budget(gas, f);
        double comes =
            b.emitted + b.added + b.edited + b.came + b.walls + b.burnt + b.turned + b.risen;
        double off = b.total - (comes + b.rounding - b.faded - b.radiated - b.rained - b.left);
        double size = fabs(b.emitted) + fabs(b.added) + fabs(b.edited) + fabs(b.came) +
                      fabs(b.walls) + fabs(b.burnt) + fabs(b.turned) + fabs(b.risen);
        worst = size > 0.0 ? fmax(worst, fabs(off) / size) : worst;
    }
    return worst;
}

static bool is_finite(gyre_model *model)
{
    int count;
    bool finite = true;
    const gyre_field_info *fields = gyre_model_fields(model, &count);
    for (int f = 0; f < count; f++) {
        finite = finite && (fields[f].derived || isfinite(gyre_model_total(model, f)));
    }
    return finite && isfinite(long_scene_statistic(model, "max_speed"));
}

static void runs_on(void **state)
{
    char path[512];
    gyre_scene *scene = NULL;
    gyre_device *device = NULL;
    gyre_device_def def = gyre_default_device_def();
    gyre_value dim, frames, each;
    running = *state;
    snprintf(path, sizeof path, "%s/scene/%s.json", GYRE_SOURCE_DIR, running);
    gyre_result r = gyre_scene_load(path, &scene);
    r = r ? r : gyre_scene_get(scene, "gas.grid.dim", &dim);
    r = r ? r : gyre_scene_get(scene, "time.frames", &frames);
    r = r ? r : gyre_scene_get(scene, "time.steps_per_frame", &each);
    r = r ? r : long_scene_coarsen(scene, dim.number[0] == 2.0 ? 0.5 : 0.63);
    r = r ? r : gyre_device_create(&def, &device);
    r = r ? r : gyre_scene_create(scene, device);
    gyre_model *model = r ? NULL : gyre_scene_model(scene, 0);
    int steps = r ? 0 : 10 * (int)(frames.number[0] * each.number[0]);
    double fastest = 0.0;
    for (int s = 0; s < steps && r == GYRE_OK; s++) {
        r = gyre_scene_step(scene);
        fastest = fmax(fastest, long_scene_statistic(model, "max_speed"));
    }
    if (r != GYRE_OK) {
        print_error("%s: %s\n", running, gyre_message());
    }
    bool right = r == GYRE_OK;
    if (right) {
        double governed = long_scene_statistic(model, "governed") / steps, off = budgets_off(model);
        double gained = long_scene_statistic(model, "gained");
        printf("%s: %d steps, fastest %.4g m/s, at the end %.4g; limited in %.4g of the steps; %g "
               "counted as making energy; budgets off by %.2g\n",
               running, steps, fastest, long_scene_statistic(model, "max_speed"), governed, gained,
               off);
        right = holds(is_finite(model), "what is finite", 0.0, "all") && right;
        // Carrying in a flow that expands makes more squares of velocities, as thin gas has them.
        const gyre_gas_def *gas = gyre_model_def(model);
        bool expands = gas->fire.fuel[0] && gas->fire.expansion > 0.0f;
        right = holds(!(governed > (expands ? 0.05 : 0.01)),
                      "share of steps in which energy was limited", governed,
                      expands ? "at most 0.05" : "at most 0.01") &&
                right;
        right = holds(!(gained > 0.0), "steps counted as making energy", gained, "0") && right;
        right = holds(off <= 1e-5, "what budgets are off by", off, "at most 1e-5") && right;
    }
    gyre_scene_destroy(scene);
    gyre_device_destroy(device);
    assert_true(right);
}

#define TEN_TIMES(name)                                                                            \
    {                                                                                              \
#name, runs_on, NULL, NULL, #name                                                          \
    }
#define SCENE(name)                                                                                \
    {                                                                                              \
#name, stays_steady, NULL, NULL, #name                                                     \
    }

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE(taylor_green),
        SCENE(shear_layer),
        SCENE(periodic_shear),
        SCENE(ink_drop),
        SCENE(colliding_jets),
        SCENE(smoke_round_solid),
        SCENE(chimney),
        SCENE(fog),
        SCENE(plume),
        TEN_TIMES(campfire),
        TEN_TIMES(torch),
        TEN_TIMES(fireball),
        TEN_TIMES(gas_explosion),
        TEN_TIMES(two_inks),
        TEN_TIMES(ink_in_water),
        TEN_TIMES(coloured_smoke),
        TEN_TIMES(oil_slick),
        TEN_TIMES(marbling),
        TEN_TIMES(veined_smoke),
        TEN_TIMES(sparks),
        TEN_TIMES(snow),
        TEN_TIMES(leaves),
        TEN_TIMES(settling_dust),
        TEN_TIMES(cigarette),
        TEN_TIMES(cloud),
        TEN_TIMES(smoke_ring),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
