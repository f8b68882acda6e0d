// The sea as a function: trains against Airy's and Gerstner's own formulas, patches against a plain
// Fourier sum, questions against both, near and far, now and after weeks; its verbs and its words.
// labels: golden small web
// needs: threads
#define DEVICE_THREADS 3
#include "device_rig.h"
#include "gyre/gyre.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586;

static void near_to(double x, double expected, double error, const char *what)
{
    if (!(fabs(x - expected) <= error)) {
        fail_msg("%s: %.9g, expected %.9g within %.2g", what, x, expected, error);
    }
}

static gyre_ocean *make(const gyre_ocean_def *def)
{
    gyre_ocean *ocean = NULL;
    must(gyre_ocean_create(the_device, def, &ocean));
    return ocean;
}

static gyre_ocean_def small_def(void)
{
    gyre_ocean_def def = gyre_ocean_default_def();
    def.grid.n[0] = 48;
    def.grid.n[1] = 40;
    def.grid.h = 0.7f;
    def.patch.cells = 64;
    def.patch.cascades = 1;
    def.patch.length = 100;
    return def;
}

static gyre_ocean_sample ask(const gyre_ocean *ocean, double t, float below, double x, double y)
{
    const double point[2] = {x, y};
    gyre_ocean_sample s;
    must(gyre_ocean_query(ocean, t, below, point, 1, &s));
    return s;
}

// ---- trains

static void a_sine_is_airys(void **state)
{
    (void)state;
    static const float depths[] = {0.0f, 40.0f, 3.0f, 0.5f};
    for (int d = 0; d < 4; d++) {
        gyre_ocean_def def = small_def();
        gyre_ocean_wave wave = gyre_ocean_default_wave();
        wave.amplitude = 0.3f;
        wave.length = 25.0f;
        wave.direction = 30.0f;
        wave.phase = 45.0f;
        def.depth = depths[d];
        def.level = 2.0f;
        def.waves = (gyre_pool){&wave, 1, 1};
        gyre_ocean *ocean = make(&def);
        double k = turn / 25.0, h = (double)def.depth, g = (double)def.gravity;
        double w = sqrt(g * k * (h > 0.0 ? tanh(k * h) : 1.0));
        for (int i = 0; i < 40; i++) {
            double x = 13.0 * i - 211.0, y = 7.0 * i, t = 3.7 * i;
            double q = k * (x * cos(turn / 12) + y * sin(turn / 12)) - w * t + turn / 8;
            float below = i % 2 ? 0.4f : 0.0f;
            double z = (double)below, up = exp(-k * z), along = up;
            if (h > 0.0) {
                up = sinh(k * (h - z)) / sinh(k * h);
                along = cosh(k * (h - z)) / sinh(k * h);
            }
            gyre_ocean_sample s = ask(ocean, t, below, x, y);
            near_to((double)s.height, 2.0 + 0.3 * cos(q), 3e-6, "height");
            double u = 0.3 * w * along * cos(q), slope = -0.3 * k * sin(q);
            double length = sqrt(1.0 + slope * slope);
            near_to((double)s.velocity[0], u * cos(turn / 12), 3e-5 * along, "u");
            near_to((double)s.velocity[1], u * sin(turn / 12), 3e-5 * along, "v");
            near_to((double)s.velocity[2], 0.3 * w * up * sin(q), 3e-6, "rise");
            near_to((double)s.normal[0], -slope * cos(turn / 12) / length, 2e-6, "normal");
            near_to((double)s.normal[2], 1.0 / length, 2e-6, "normal");
        }
        gyre_ocean_destroy(ocean);
    }
}

/// Gerstner's exact waves: what rests at x goes round circles, and the surface is a trochoid.
static void a_train_is_gerstners(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    wave.amplitude = 2.0f;
    wave.period = 4.0f;
    wave.length = 0.0f;
    wave.steepness = 1.0f;
    def.waves = (gyre_pool){&wave, 1, 1};
    gyre_ocean *ocean = make(&def);
    double w = turn / 4.0, k = w * w / (double)def.gravity, a = 2.0; // k a = 0.5
    for (int i = 0; i < 60; i++) {
        double rest = 0.37 * i, t = 0.61 * i, q = k * rest - w * t;
        double x = rest - a * sin(q), z = a * cos(q);
        gyre_ocean_sample s = ask(ocean, t, 0.0f, x, 5.0 * i);
        near_to((double)s.height, z, 3e-5, "height");
        near_to((double)s.velocity[0], a * w * cos(q), 1e-4, "u");
        near_to((double)s.velocity[2], a * w * sin(q), 1e-4, "rise");
        near_to((double)s.folding, 1.0 - k * a * cos(q), 3e-5, "folding");
        double nx = k * a * sin(q), nz = 1.0 - k * a * cos(q), length = sqrt(nx * nx + nz * nz);
        near_to((double)s.normal[0], nx / length, 5e-5, "normal");
    }
    // The crest runs with the phase speed: a period later, a wave length on, all is as it was.
    gyre_ocean_sample s = ask(ocean, 0.0, 0.0f, 3.0, 0.0);
    gyre_ocean_sample later = ask(ocean, 0.5, 0.0f, 3.0 + 0.5 * w / k, 0.0);
    near_to((double)later.height, (double)s.height, 2e-5, "after half a second");
    gyre_ocean_destroy(ocean);
}

/// Weeks later and 100 km away trains are where doubles say they are.
static void late_and_far_is_as_exact(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    wave.amplitude = 1.0f;
    wave.length = 7.0f;
    wave.direction = 90.0f;
    def.waves = (gyre_pool){&wave, 1, 1};
    gyre_ocean *ocean = make(&def);
    long double k = 6.283185307179586476925L / 7.0L, w = sqrtl((long double)def.gravity * k);
    for (int i = 0; i < 20; i++) {
        double t = 1e6 + 0.25 * i, y = 1e5 + 0.5 * i;
        double expected = (double)cosl(k * (long double)y - w * (long double)t);
        // 2^-41 Hz for 10^6 seconds are 3e-6 of a radian.
        near_to((double)ask(ocean, t, 0.0f, -1e5, y).height, expected, 5e-6, "height");
    }
    gyre_ocean_destroy(ocean);
}

// ---- patches

enum { N = 64 };

typedef struct tile {
    float part[3][N * N];
} tile;

static void take(const gyre_ocean *ocean, double t, tile *to)
{
    must(gyre_ocean_tile(ocean, 0, t, to->part[0], to->part[1], to->part[2]));
}

/// The plain Fourier sum of one part.
static void coefficient(const float *part, int mx, int my, double out[2])
{
    out[0] = out[1] = 0.0;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            double q = turn * ((mx * i + my * j) % N) / N;
            out[0] += (double)part[i + j * N] * cos(q) / (N * N);
            out[1] -= (double)part[i + j * N] * sin(q) / (N * N);
        }
    }
}

static gyre_ocean_sea steep_sea(void)
{
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    sea.given = GYRE_OCEAN_HEIGHT;
    sea.significant_height = 2.0f;
    sea.peak_period = 5.0f;
    sea.direction = 35.0f;
    return sea;
}

/// Each wave of a patch turns at its own frequency, h(t + s) + h(t - s) = 2 cos(w s) h(t),
/// whichever way its two halves run; and d = i k / |k| coth(k depth) h.
static void patches_hold_waves_that_disperse(void **state)
{
    (void)state;
    for (int shallow = 0; shallow < 2; shallow++) {
        gyre_ocean_def def = small_def();
        gyre_ocean_sea sea = steep_sea();
        tile *at = malloc(3 * sizeof *at);
        def.depth = shallow ? 4.0f : 0.0f;
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *ocean = make(&def);
        double s = 0.5, seen = 0.0;
        for (int q = 0; q < 3; q++) {
            take(ocean, (shallow ? 1e6 : 1000.0) + s * (q - 1), &at[q]);
        }
        for (int my = -12; my <= 12; my += 3) {
            for (int mx = -12; mx <= 12; mx++) {
                double h[3][2], d[2][2], k = turn / 100.0 * hypot(mx, my);
                if (mx == 0 && my == 0) {
                    continue;
                }
                for (int q = 0; q < 3; q++) {
                    coefficient(at[q].part[0], mx, my, h[q]);
                }
                coefficient(at[1].part[1], mx, my, d[0]);
                coefficient(at[1].part[2], mx, my, d[1]);
                double t = shallow ? tanh(k * 4.0) : 1.0, w = sqrt((double)def.gravity * k * t);
                for (int c = 0; c < 2; c++) {
                    near_to(h[0][c] + h[2][c], 2.0 * cos(w * s) * h[1][c], 1e-6, "a wave");
                    double other = c ? h[1][0] : -h[1][1], along = turn / 100.0 / k / t;
                    near_to(d[0][c], along * mx * other, 1e-6, "d_x");
                    near_to(d[1][c], along * my * other, 1e-6, "d_y");
                }
                seen += h[1][0] * h[1][0] + h[1][1] * h[1][1];
            }
        }
        assert_true(seen > 1e-3);
        gyre_ocean_destroy(ocean);
        free(at);
    }
}

/// Splines go through the tile's values at its nodes; crests are found through the displacement.
static void questions_agree_with_patches(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = steep_sea();
    tile *at = malloc(sizeof *at);
    def.seas = (gyre_pool){&sea, 1, 1};
    gyre_ocean *ocean = make(&def);
    double t = 86400.25, cell = 100.0 / N;
    take(ocean, t, at);
    for (int chop = 0; chop < 2; chop++) {
        must(gyre_ocean_set(ocean, "choppiness", gyre_number(chop)));
        for (int i = 0; i < N * N; i += 7) {
            double x = i % N * cell + 300.0, y = i / N * cell - 700.0;
            x += chop * (double)at->part[1][i];
            y += chop * (double)at->part[2][i];
            gyre_ocean_sample s = ask(ocean, t, 0.0f, x, y);
            // Where the surface folds there is more than one.
            if (s.folding > 0.2f) {
                near_to((double)s.height, (double)at->part[0][i], 2e-4, "height");
            }
        }
    }
    gyre_ocean_destroy(ocean);
    free(at);
}

/// Normals are the slopes of heights, and velocities at the surface what differences in time say.
static void normals_and_velocities_are_slopes(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = steep_sea();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    gyre_ocean_emitter drop = gyre_ocean_default_emitter();
    wave.steepness = 0.5f;
    strcpy(drop.name, "drop");
    drop.amplitude = 4.0f;
    drop.radius = 3.0f;
    drop.interval = 0.7f;
    drop.velocity[0] = 3.0f;
    def.depth = 15.0f;
    def.seas = (gyre_pool){&sea, 1, 1};
    def.waves = (gyre_pool){&wave, 1, 1};
    def.emitters = (gyre_pool){&drop, 1, 1};
    gyre_ocean *ocean = make(&def);
    double t = 7.33, e = 0.02;
    int rings = 0;
    for (int i = 0; i < 200; i++) {
        double x = 0.31 * i - 20.0, y = 0.17 * i - 15.0;
        gyre_ocean_sample s = ask(ocean, t, 0.0f, x, y);
        for (int a = 0; a < 2; a++) {
            double low = (double)ask(ocean, t, 0.0f, x - e * !a, y - e * a).height;
            double high = (double)ask(ocean, t, 0.0f, x + e * !a, y + e * a).height;
            near_to((double)(-s.normal[a] / s.normal[2]), (high - low) / (2 * e), 6e-3, "slope");
        }
        must(gyre_ocean_set(ocean, "emitters.drop.enabled", gyre_bool(false)));
        rings += fabsf(ask(ocean, t, 0.0f, x, y).height - s.height) > 0.05f;
        must(gyre_ocean_set(ocean, "emitters.drop.enabled", gyre_bool(true)));
    }
    assert_true(rings > 20);
    gyre_ocean_destroy(ocean);
}

/// A ring runs at its speed, keeps its volume but for what grows and fades by rule, and rises as
/// its heights say; an emitter that moves has left rings where it was.
static void rings_run_and_keep_their_volume(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_emitter drop = gyre_ocean_default_emitter();
    drop.amplitude = 3.0f;
    drop.radius = 1.5f;
    drop.speed = 2.5f;
    drop.start = 1.0f;
    drop.life = 12.0f;
    def.emitters = (gyre_pool){&drop, 1, 1};
    gyre_ocean *ocean = make(&def);
    double pi = turn / 2, one = pi * 1.5 * 1.5 * (0.5 - 2.0 / (pi * pi));
    assert_true(ask(ocean, 0.9, 0.0f, 0.0, 0.0).height == 0.0f);
    assert_true(ask(ocean, 13.1, 0.0f, 2.5 * 12.1, 0.0).height == 0.0f);
    static const double ages[] = {0.3, 0.9, 2.0, 5.0, 9.0};
    for (int q = 0; q < 5; q++) {
        double t = 1.0 + ages[q], reach = 2.5 * ages[q], volume = 0.0, h = 0.2, most = 0.0;
        int n = (int)((reach + 2.0) / h);
        for (int j = -n; j <= n; j++) {
            for (int i = -n; i <= n; i++) {
                double x = h * i, y = h * j, r = hypot(x, y);
                double z = (double)ask(ocean, t, 0.0f, x, y).height;
                volume += z * h * h;
                most = fmax(most, z);
                assert_true(z >= 0.0 && (z == 0.0 || fabs(r - reach) < 1.5));
            }
        }
        double left = 1.0 - ages[q] / 12.0, grown = reach < 1.5 ? reach / 1.5 : 1.0;
        double expected = 3.0 * left * left * grown * one;
        near_to(volume, expected, 0.01 * expected, "volume");
        // Its crest stands where particles are, and it rises as it comes and goes.
        for (int i = 0; i < 12; i++) {
            double x = reach * cos(0.5 * i), y = reach * sin(0.5 * i), e = 1e-3;
            double z = (double)ask(ocean, t, 0.0f, x, y).height;
            assert_true(q < 2 || z > 0.5 * most);
            double rise = ((double)ask(ocean, t + e, 0.0f, 1.03 * x, y).height -
                           (double)ask(ocean, t - e, 0.0f, 1.03 * x, y).height) /
                          (2 * e);
            double told = (double)ask(ocean, t, 0.0f, 1.03 * x, y).velocity[2];
            near_to(told, rise, 2e-3 + 0.02 * fabs(rise), "rise");
        }
    }
    gyre_ocean_destroy(ocean);
    // A second ring after 2 s, given off 8 m further on.
    drop.interval = 2.0f;
    drop.velocity[0] = 4.0f;
    ocean = make(&def);
    double z = (double)ask(ocean, 5.0, 0.0f, 8.0, 5.0).height; // age 2 s, 5 m off
    double before = (double)ask(ocean, 2.9, 0.0f, 8.0, 5.0).height;
    assert_true(z > 0.05 && before == 0.0);
    gyre_ocean_destroy(ocean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_is_airys),
        cmocka_unit_test(a_train_is_gerstners),
        cmocka_unit_test(late_and_far_is_as_exact),
        cmocka_unit_test(patches_hold_waves_that_disperse),
        cmocka_unit_test(questions_agree_with_patches),
        cmocka_unit_test(normals_and_velocities_are_slopes),
        cmocka_unit_test(rings_run_and_keep_their_volume),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
