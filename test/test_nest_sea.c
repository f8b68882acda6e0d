// Waters that are nested and windows of a sea at once, and waters in the finest of which waves
// break: what a game has round an island.
// labels: small
#include "water_case.h"

static gyre_ocean *a_sea(float length)
{
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    gyre_ocean *ocean = NULL;
    def.patch.cells = 32;
    def.patch.cascades = 1;
    wave.amplitude = 0.15f;
    wave.length = length;
    wave.direction = 30.0f;
    def.waves = (gyre_pool){&wave, 1, 1};
    OK(gyre_ocean_create(device, &def, &ocean));
    return ocean;
}

/// A window of 40 x 40 cells of a metre over 4 m of water, and one of half of that in its middle.
static gyre_water_def window(bool fine, int carries)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 40, 40, fine ? 0.5f : 1.0f);
    def.bed.flat = -4.0f;
    def.quantum = 4e-7f;
    def.sea.carries = carries;
    def.sea.shore = 2.0f;
    def.grid.origin[0] = def.grid.origin[1] = fine ? 10.0f : 0.0f;
    gyre_water_side *sides = &def.sides.x_low;
    for (int q = 0; q < 4 && !fine; q++) {
        sides[q].rule = GYRE_WATER_OPEN;
    }
    return def;
}

typedef struct pair {
    gyre_water *coarse, *fine;
    gyre_ocean *ocean; // or NULL
} pair;

static pair make_pair(bool sea)
{
    int carries = sea ? GYRE_WATER_DIFFERENCE : GYRE_WATER_ALONE;
    gyre_water_def big = window(false, carries), small = window(true, carries);
    pair p = {make(&big), make(&small), sea ? a_sea(23.0f) : NULL};
    OK(gyre_water_nest(p.fine, p.coarse));
    for (int k = 0; k < 2 && sea; k++) {
        OK(gyre_sea_join(gyre_water_model(k ? p.fine : p.coarse), gyre_ocean_model(p.ocean)));
    }
    return p;
}

static void go(const pair *p, int steps, float dt)
{
    for (int k = 0; k < steps; k++) {
        if (p->ocean) {
            OK(gyre_ocean_step(p->ocean, dt));
        }
        OK(gyre_water_step(p->coarse, dt));
        OK(gyre_water_step(p->fine, dt));
    }
}

static void end(pair *p)
{
    gyre_water_destroy(p->fine);
    gyre_water_destroy(p->coarse);
    gyre_ocean_destroy(p->ocean);
}

static double bump(double x, double y)
{
    double r = ((x - 19.0) * (x - 19.0) + (y - 21.0) * (y - 21.0)) / 4.0;
    return 4.0 + 0.3 * exp(-r);
}

/// The greatest difference of two fields.
static double apart(gyre_water *a, gyre_water *b, const char *field)
{
    int n[2];
    double worst = 0.0;
    float *x = get(a, field, n), *y = get(b, field, n);
    for (int k = 0; k < n[0] * n[1]; k++) {
        worst = fmax(worst, fabs((double)x[k] - (double)y[k]));
    }
    free(x);
    free(y);
    return worst;
}

/// The greatest distance of a water's surface from the sea's at its time.
static double off_sea(gyre_water *water, const gyre_ocean *ocean)
{
    int n[2];
    double worst = 0.0;
    float *surface = get(water, "surface", n);
    const gyre_grid *g = gyre_model_grid(gyre_water_model(water));
    for (int k = 0; k < n[0] * n[1]; k++) {
        double at[2] = {(double)g->origin[0] + (k % n[0] + 0.5) * (double)g->h,
                        (double)g->origin[1] + (k / n[0] + 0.5) * (double)g->h};
        gyre_ocean_sample s;
        OK(gyre_ocean_query(ocean, gyre_model_time(gyre_water_model(water)), 0.0f, at, 1, &s));
        worst = fmax(worst, fabs((double)surface[k] - (double)s.height));
    }
    free(surface);
    return worst;
}

/// Where nothing differs from the sea, both show the sea, and have nothing, to the bit.
static void the_sea_is_all(void **state)
{
    (void)state;
    pair p = make_pair(true);
    int n[2];
    go(&p, 30, 0.05f);
    for (int k = 0; k < 2; k++) {
        float *depth = get(k ? p.fine : p.coarse, "depth", n);
        for (int i = 0; i < n[0] * n[1]; i++) {
            assert_true(depth[i] == 4.0f);
        }
        free(depth);
        assert_true(off_sea(k ? p.fine : p.coarse, p.ocean) < 2e-6);
    }
    end(&p);
}

/// What differs goes through the join as without a sea, to the bit; what is seen is both together;
/// no drop is lost.
static void a_difference_runs_out(void **state)
{
    (void)state;
    pair with = make_pair(true), without = make_pair(false);
    put(with.fine, "depth", bump);
    put(without.fine, "depth", bump);
    gyre_water_together before, after;
    OK(gyre_water_count_together(with.coarse, &before));
    go(&with, 24, 0.05f);
    go(&without, 24, 0.05f);
    OK(gyre_water_count_together(with.coarse, &after));
    assert_true(fabs(after.volume - before.volume) < 1e-6 * before.volume);
    assert_true(fabs(after.error) < 1e-6 * before.volume);
    assert_true(apart(with.fine, without.fine, "depth") == 0.0);
    assert_true(apart(with.coarse, without.coarse, "depth") == 0.0);
    double seen = off_sea(with.coarse, with.ocean);
    print_message("a hump in windows: %.4f m off the sea in the coarse one\n", seen);
    assert_true(seen > 0.01 && seen < 0.2);
    // The finest answers, with the sea.
    const float at[2] = {20.25f, 20.25f};
    const double there[2] = {20.25, 20.25};
    gyre_water_sample s[2];
    gyre_ocean_sample sea;
    OK(gyre_water_query(with.coarse, at, 1, &s[0]));
    OK(gyre_water_query(without.coarse, at, 1, &s[1]));
    double time = gyre_model_time(gyre_water_model(with.coarse));
    OK(gyre_ocean_query(with.ocean, time, 0.0f, there, 1, &sea));
    assert_true(fabs((double)s[0].height - (double)s[1].height - (double)sea.height) < 1e-3);
    assert_true(fabs((double)sea.height) > 0.01);
    end(&with);
    end(&without);
}

static void refused(gyre_water *fine, gyre_water *coarse, const char *what)
{
    assert_int_not_equal(gyre_water_nest(fine, coarse), GYRE_OK);
    if (!strstr(gyre_message(), what)) {
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), what);
    }
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    gyre_water_def big = window(false, GYRE_WATER_DIFFERENCE), small = window(true, 0);
    gyre_water *coarse = make(&big), *alone = make(&small);
    refused(alone, coarse, "sea.carries is alone in the fine water and difference in the coarse");
    small.sea.carries = GYRE_WATER_DIFFERENCE;
    small.sea.shore = 3.0f;
    gyre_water *shore = make(&small);
    refused(shore, coarse, "sea.shore is 3");
    small.sea.shore = 2.0f;
    gyre_water *fine = make(&small);
    gyre_ocean *one = a_sea(23.0f), *other = a_sea(17.0f);
    OK(gyre_water_nest(fine, coarse));
    OK(gyre_sea_join(gyre_water_model(coarse), gyre_ocean_model(one)));
    OK(gyre_sea_join(gyre_water_model(fine), gyre_ocean_model(other)));
    assert_int_equal(gyre_water_step(coarse, 0.05f), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "joined to another sea"));
    OK(gyre_sea_join(gyre_water_model(fine), gyre_ocean_model(one)));
    OK(gyre_water_step(coarse, 0.05f));
    gyre_water_destroy(fine);
    gyre_water_destroy(shore);
    gyre_water_destroy(alone);
    gyre_water_destroy(coarse);
    gyre_ocean_destroy(one);
    gyre_ocean_destroy(other);
    // Waves break in the finest alone, and not in a window of a sea.
    big = window(false, 0);
    small = window(true, 0);
    big.breaking.fronts = 4;
    coarse = make(&big);
    alone = make(&small);
    refused(alone, coarse, "they belong into the finest water");
    gyre_water_destroy(alone);
    gyre_water_destroy(coarse);
    small.sea.carries = GYRE_WATER_DIFFERENCE;
    small.breaking.fronts = 4;
    assert_int_not_equal(gyre_water_create(device, &small, &alone), GYRE_OK);
    assert_non_null(strstr(gyre_message(), "nothing breaks"));
    // Modes whose waves know of no ghosts.
    small = window(true, 0);
    big = window(false, 0);
    small.mode = big.mode = GYRE_WATER_DISPERSIVE;
    coarse = make(&big);
    alone = make(&small);
    refused(alone, coarse, "transforms over a whole grid");
    gyre_water_destroy(alone);
    gyre_water_destroy(coarse);
}

// ---- waves break in the finest

static double held_up(double x, double y)
{
    (void)y;
    return x < 14.0 ? 2.5 : 0.5; // a dam in the fine water
}

static double momentum(gyre_water *water)
{
    int n[2];
    double sum = 0.0, h = (double)gyre_model_grid(gyre_water_model(water))->h;
    float *q = get(water, "discharge_x", n);
    for (int k = 0; k < n[0] * n[1]; k++) {
        sum += (double)q[k] * h * h;
    }
    free(q);
    return sum;
}

/// A bore in the fine water throws sheets; those that fly out over the join come down in the coarse
/// one, with the volume that they have: water and air together are kept.
static void what_breaks_flies_over_the_join(void **state)
{
    (void)state;
    gyre_water_def big = window(false, 0), small = window(true, 0);
    big.bed.flat = small.bed.flat = -0.5f;
    small.breaking.fronts = 16;
    small.breaking.patches = 4000;
    small.spray.capacity = 4000;
    small.breaking.height = 0.1f;
    small.breaking.thickness = 0.3f;
    small.breaking.speed = 2.0f;
    pair p = {make(&big), make(&small), NULL};
    OK(gyre_water_nest(p.fine, p.coarse));
    put(p.fine, "depth", held_up);
    gyre_water_together before, after;
    OK(gyre_water_count_together(p.coarse, &before));
    double worst = 0.0, most = 0.0, rounded = 0.0;
    for (int k = 0; k < 160; k++) {
        go(&p, 1, 0.02f);
        gyre_water_stats s = gyre_water_get_stats(p.fine);
        OK(gyre_water_count_together(p.coarse, &after));
        // Sides of the coarse water are open: what left by them is known.
        double left = 0.0;
        const char *sides[] = {"sides.x_low", "sides.x_high", "sides.y_low", "sides.y_high"};
        for (int q = 0; q < 4; q++) {
            left -= line(p.coarse, sides[q]);
        }
        worst = fmax(worst, fabs(after.volume + s.air + left - before.volume));
        rounded = fmax(rounded, fabs(after.error));
        most = fmax(most, s.air);
    }
    gyre_water_stats s = gyre_water_get_stats(p.fine);
    print_message(
        "breaking in the finest: %.3f m^3 in the air at most, %.3f m^3 over the join, %.1e "
        "m^3 off of %.0f; momentum of the coarse water %.2f m^4/s\n",
        most, s.air_lost, worst, before.volume, momentum(p.coarse));
    assert_true(most > 0.05 && s.air_lost > 0.01);
    assert_true(worst < 3e-6 * before.volume && rounded < 3e-6 * before.volume);
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sea_is_all),
        cmocka_unit_test(a_difference_runs_out),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(what_breaks_flies_over_the_join),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
