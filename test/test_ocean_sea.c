// Spectra against their formulas, written here a second time: height, periods, directions, of wind
// and of given height, deep and shallow; what a seed draws; what patches hold; bad input; time.
// labels: golden small
#define DEVICE_THREADS 3
#include "device_rig.h"
#include "gyre/gyre.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586, g = 9.81;

static void near_to(double x, double expected, double error, const char *what)
{
    if (!(fabs(x - expected) <= error)) {
        fail_msg("%s: %.9g, expected %.9g within %.2g", what, x, expected, error);
    }
}

static gyre_ocean_def small_def(void)
{
    gyre_ocean_def def = gyre_ocean_default_def();
    def.grid.n[0] = 40;
    def.grid.n[1] = 32;
    def.grid.h = 2.0f;
    def.patch.cells = 128;
    def.patch.cascades = 1;
    def.patch.length = 600;
    def.patch.finest = 2.5f;
    return def;
}

static gyre_ocean *make_on(gyre_device *device, const gyre_ocean_def *def)
{
    gyre_ocean *ocean = NULL;
    must(gyre_ocean_create(device, def, &ocean));
    return ocean;
}

// ---- a spectrum's moments, by the trapezium rule over frequency in Hz

typedef struct moments {
    double m0, m2;
} moments;

/// JONSWAP as it is published, in Hz: alpha g^2 (2 pi)^-4 f^-5 ...; TMA's factor in
/// Kitaigorodskii's own form as Thompson and Vincent (1983) approximate it, good to 4 %.
static moments integrate(double alpha, double peak, double gamma, double depth)
{
    moments m = {0.0, 0.0};
    double step = peak / 2000.0;
    for (double f = 0.3 * peak; f < 12.0 * peak; f += step) {
        double sigma = f > peak ? 0.09 : 0.07, y = (f - peak) / (sigma * peak);
        double s = alpha * g * g * pow(turn, -4.0) * pow(f, -5.0) *
                   exp(-1.25 * pow(peak / f, 4.0)) * pow(gamma, exp(-0.5 * y * y));
        if (depth > 0.0) {
            double w = turn * f * sqrt(depth / g);
            s *= w <= 1.0 ? 0.5 * w * w : w < 2.0 ? 1.0 - 0.5 * (2.0 - w) * (2.0 - w) : 1.0;
        }
        m.m0 += s * step;
        m.m2 += s * f * f * step;
    }
    return m;
}

static void jonswap_by_wind(void **state)
{
    (void)state;
    static const float winds[] = {7.0f, 12.0f, 20.0f}, fetches[] = {3e4f, 1e5f, 3e5f};
    for (int i = 0; i < 3; i++) {
        gyre_ocean_def def = small_def();
        gyre_ocean_sea sea = gyre_ocean_default_sea();
        double u = (double)winds[i], fetch = (double)fetches[i];
        double peak = 3.5 * g / u * pow(g * fetch / (u * u), -1.0 / 3.0); // nu = 3.5 x^-0.33
        double alpha = 0.076 * pow(g * fetch / (u * u), -0.22);
        moments m = integrate(alpha, peak, 3.3, 0.0);
        sea.wind_speed = winds[i];
        sea.fetch = fetches[i];
        def.seas = (gyre_pool){&sea, 1, 1};
        def.patch.length = (float)(g / (turn * peak * peak) * 14.0);
        def.patch.cells = 512;
        gyre_ocean *ocean = make_on(the_device, &def);
        gyre_ocean_stats s = gyre_ocean_get_stats(ocean);
        near_to(s.asked_height, 4.0 * sqrt(m.m0), 0.01 * s.asked_height, "asked");
        near_to(s.significant_height, 4.0 * sqrt(m.m0), 0.02 * s.asked_height, "Hm0");
        near_to(s.peak_period, 1.0 / peak, 0.03 / peak, "Tp");
        // What is shorter than a patch's finest is not there: m2 lacks it.
        near_to(s.mean_period, sqrt(m.m0 / m.m2), 0.05 * s.mean_period, "Tm02");
        gyre_ocean_destroy(ocean);
    }
}

static void tma_in_shallow_water(void **state)
{
    (void)state;
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    double heights[3], alpha = 0.076 * pow(g * 1e5 / 225.0, -0.22);
    double peak = 3.5 * g / 15.0 * pow(g * 1e5 / 225.0, -1.0 / 3.0);
    sea.wind_speed = 15.0f;
    static const float depths[] = {0.0f, 20.0f, 5.0f};
    for (int i = 0; i < 3; i++) {
        gyre_ocean_def def = small_def();
        def.depth = depths[i];
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *ocean = make_on(the_device, &def);
        heights[i] = gyre_ocean_get_stats(ocean).asked_height;
        moments m = integrate(alpha, peak, 3.3, (double)depths[i]);
        near_to(heights[i], 4.0 * sqrt(m.m0), 0.04 * heights[i], "TMA");
        gyre_ocean_destroy(ocean);
    }
    assert_true(heights[2] < 0.65 * heights[1] && heights[1] < 0.99 * heights[0]);
}

/// Of cos^2s(theta / 2) the first circular moment is s / (s + 1), so its spread sqrt(2 / (s + 1)).
static void directions_spread_as_asked(void **state)
{
    (void)state;
    static const float exponents[] = {1.0f, 4.0f, 15.0f, 60.0f};
    double before = 1e9;
    for (int i = 0; i < 4; i++) {
        gyre_ocean_def def = small_def();
        gyre_ocean_sea sea = gyre_ocean_default_sea();
        sea.given = GYRE_OCEAN_HEIGHT;
        sea.spread = GYRE_OCEAN_COSINE;
        sea.exponent = exponents[i];
        sea.direction = 110.0f;
        sea.peak_period = 7.0f;
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *ocean = make_on(the_device, &def);
        gyre_ocean_stats s = gyre_ocean_get_stats(ocean);
        near_to(s.significant_height, 2.0, 0.05, "Hm0");
        near_to(s.asked_height, 2.0, 1e-4, "asked");
        near_to(s.mean_direction, 110.0, 0.5, "mean direction");
        double spread = sqrt(2.0 / ((double)sea.exponent + 1.0)) * 360.0 / turn;
        near_to(s.spread, spread, 0.02 * spread, "spread");
        // Swell draws crests out.
        sea.swell = 1.0f;
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *swell = make_on(the_device, &def);
        assert_true(gyre_ocean_get_stats(swell).spread < s.spread && s.spread < before);
        before = s.spread;
        gyre_ocean_destroy(swell);
        gyre_ocean_destroy(ocean);
    }
    // Both laws by frequency, at their peaks: s = 11.5 (w_p U / g)^-2.5 and 9.77 lie apart.
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    double found[2];
    for (int law = 0; law < 2; law++) {
        sea.spread = law ? GYRE_OCEAN_HASSELMANN : GYRE_OCEAN_MITSUYASU;
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *ocean = make_on(the_device, &def);
        found[law] = gyre_ocean_get_stats(ocean).spread;
        gyre_ocean_destroy(ocean);
    }
    assert_true(found[0] > 20.0 && found[0] < 60.0 && found[1] > 20.0 && found[1] < 60.0);
    assert_true(fabs(found[0] - found[1]) > 1.0);
}

enum { N = 128 };

/// What is there: variance of heights, of their rate, and where the waves go, from the sea itself.
static void the_sea_has_the_height_that_is_told(void **state)
{
    (void)state;
    for (int draw = 0; draw < 2; draw++) {
        gyre_ocean_def def = small_def();
        gyre_ocean_sea sea = gyre_ocean_default_sea();
        static float height[N * N];
        static double points[2 * N * N];
        gyre_ocean_sample *s = malloc(N * N * sizeof *s);
        double squares = 0.0, rates = 0.0, along[2] = {0.0, 0.0};
        sea.given = GYRE_OCEAN_HEIGHT;
        sea.significant_height = 3.0f;
        sea.peak_period = 8.0f;
        sea.direction = -60.0f;
        def.draw = draw;
        def.choppiness = 0.0f;
        def.seed = 5;
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *ocean = make_on(the_device, &def);
        for (int i = 0; i < N * N; i++) {
            points[2 * i] = i % N * (600.0 / N);
            points[2 * i + 1] = i / N * (600.0 / N);
        }
        gyre_ocean_stats told = gyre_ocean_get_stats(ocean);
        for (int t = 0; t < 8; t++) {
            must(gyre_ocean_tile(ocean, 0, 40.0 * t, height, NULL, NULL));
            must(gyre_ocean_query(ocean, 40.0 * t, 0.0f, points, N * N, s));
            for (int i = 0; i < N * N; i++) {
                near_to((double)s[i].height, (double)height[i], 2e-5, "at a node");
                double z = (double)height[i], w = (double)s[i].velocity[2];
                squares += z * z / (8.0 * N * N);
                rates += w * w / (8.0 * N * N);
                along[0] += z * (double)s[i].velocity[0];
                along[1] += z * (double)s[i].velocity[1];
            }
        }
        near_to(4.0 * sqrt(squares), told.significant_height, 0.02 * 3.0, "Hm0");
        near_to(told.significant_height, 3.0, draw ? 0.2 : 0.06, "of what is asked for");
        near_to(turn * sqrt(squares / rates), told.mean_period, 0.02 * told.mean_period, "Tm02");
        near_to(atan2(along[1], along[0]) * 360.0 / turn, told.mean_direction, 3.0, "direction");
        near_to(told.mean_direction, -60.0, draw ? 6.0 : 0.5, "of what is asked for");
        gyre_ocean_destroy(ocean);
        free(s);
    }
}

/// At a depth each wave has left what Airy says of it.
static void motion_fades_with_depth(void **state)
{
    (void)state;
    for (int shallow = 0; shallow < 2; shallow++) {
        gyre_ocean_def def = small_def();
        gyre_ocean_sea sea = gyre_ocean_default_sea();
        static double points[2 * N * N];
        gyre_ocean_sample *s[2];
        def.depth = shallow ? 12.0f : 0.0f;
        def.choppiness = 0.0f;
        sea.given = GYRE_OCEAN_HEIGHT;
        def.seas = (gyre_pool){&sea, 1, 1};
        gyre_ocean *ocean = make_on(the_device, &def);
        for (int i = 0; i < N * N; i++) {
            points[2 * i] = i % N * (600.0 / N);
            points[2 * i + 1] = i / N * (600.0 / N);
        }
        for (int q = 0; q < 2; q++) {
            s[q] = malloc(N * N * sizeof **s);
            must(gyre_ocean_query(ocean, 3.0, q ? 4.0f : 0.0f, points, N * N, s[q]));
        }
        for (int m = 6; m < 16; m++) {
            double c[2][3] = {{0}}, k = turn / 600.0 * hypot(m, 2), d = 12.0;
            for (int i = 0; i < N * N; i++) {
                double q = cos(turn * ((m * (i % N) + 2 * (i / N)) % N) / N) / (N * N);
                for (int side = 0; side < 2; side++) {
                    for (int a = 0; a < 3; a++) {
                        c[side][a] += q * (double)s[side][i].velocity[a];
                    }
                }
            }
            double level = exp(-k * 4.0), up = level;
            if (shallow) {
                level = cosh(k * (d - 4.0)) / cosh(k * d);
                up = sinh(k * (d - 4.0)) / sinh(k * d);
            }
            near_to(c[1][0], level * c[0][0], 2e-6, "u");
            near_to(c[1][1], level * c[0][1], 2e-6, "v");
            near_to(c[1][2], up * c[0][2], 2e-6, "rise");
        }
        free(s[0]);
        free(s[1]);
        gyre_ocean_destroy(ocean);
    }
}

// ---- seeds, machines, times

static uint64_t hash_of(const gyre_ocean *ocean)
{
    static float part[3][64 * 64];
    uint64_t hash = 1469598103934665603u;
    must(gyre_ocean_tile(ocean, 0, 12345.678, part[0], part[1], part[2]));
    for (size_t i = 0; i < sizeof part; i++) {
        hash = (hash ^ ((const unsigned char *)part)[i]) * 1099511628211u;
    }
    double points[2 * 200];
    gyre_ocean_sample s[200];
    memset(s, 0, sizeof s);
    for (int i = 0; i < 400; i++) {
        points[i] = 13.7 * i - 1000.0;
    }
    for (int below = 0; below < 2; below++) {
        must(gyre_ocean_query(ocean, 98765.4321, (float)below, points, 200, s));
        for (size_t i = 0; i < sizeof s; i++) {
            hash = (hash ^ ((const unsigned char *)s)[i]) * 1099511628211u;
        }
    }
    return hash;
}

static gyre_ocean_def golden_def(gyre_ocean_sea seas[2], gyre_ocean_wave *wave,
                                 gyre_ocean_emitter *emitter)
{
    gyre_ocean_def def = small_def();
    seas[0] = seas[1] = gyre_ocean_default_sea();
    seas[1].given = GYRE_OCEAN_HEIGHT;
    seas[1].spread = GYRE_OCEAN_COSINE;
    seas[1].swell = 0.5f;
    *wave = gyre_ocean_default_wave();
    wave->steepness = 0.7f;
    *emitter = gyre_ocean_default_emitter();
    emitter->interval = 1.0f;
    emitter->velocity[1] = 1e-4f;
    emitter->amplitude = 5.0f;
    def.patch.cells = 64;
    def.patch.cascades = 2;
    def.patch.length = 400;
    def.patch.ratio = 0.4f;
    def.depth = 30.0f;
    def.seas = (gyre_pool){seas, 2, 2};
    def.waves = (gyre_pool){wave, 1, 1};
    def.emitters = (gyre_pool){emitter, 1, 1};
    return def;
}

/// One number for every machine, instruction set and number of threads; it changes where the sea
/// does.
static void a_seed_is_a_sea(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512"};
    gyre_ocean_sea seas[2];
    gyre_ocean_wave wave;
    gyre_ocean_emitter emitter;
    gyre_ocean_def def = golden_def(seas, &wave, &emitter);
    const uint64_t golden = 0xdf34400c9d7eae98u;
    for (int q = 0; q < 6; q++) {
        gyre_device_def on = gyre_default_device_def();
        gyre_device *device = NULL;
        on.isa = sets[q / 2];
        on.threads = q % 2 ? 3 : 1;
        if (gyre_device_create(&on, &device) != GYRE_OK) {
            continue; // not of this machine
        }
        gyre_ocean *ocean = make_on(device, &def);
        uint64_t hash = hash_of(ocean);
        if (hash != golden) {
            fail_msg("%s, %d threads: 0x%016llx", on.isa, on.threads, (unsigned long long)hash);
        }
        gyre_ocean_destroy(ocean);
        gyre_device_destroy(device);
    }
    def.seed++;
    gyre_ocean *other = make_on(the_device, &def);
    assert_true(hash_of(other) != golden);
    // Set back, it is what it was: nothing is kept of what was asked before.
    must(gyre_ocean_set(other, "seed", gyre_number(def.seed - 1)));
    assert_true(hash_of(other) == golden);
    gyre_ocean_destroy(other);
}

/// The same waves in a square of more cells: what it draws depends on neither.
static void more_cells_leave_the_waves(void **state)
{
    (void)state;
    static float coarse[64 * 64], fine[128 * 128];
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    def.seas = (gyre_pool){&sea, 1, 1};
    for (int q = 0; q < 2; q++) {
        def.patch.cells = q ? 128 : 64;
        def.patch.finest = q ? 8.0f : 4.0f;
        gyre_ocean *ocean = make_on(the_device, &def);
        must(gyre_ocean_tile(ocean, 0, 77.0, q ? fine : coarse, NULL, NULL));
        gyre_ocean_destroy(ocean);
    }
    for (int i = 0; i < 64 * 64; i++) {
        near_to((double)fine[2 * (i % 64) + 256 * (i / 64)], (double)coarse[i], 1e-5, "height");
    }
}

/// Between nodes splines meet the waves: against a patch of half the cells' size and the same
/// waves.
static void splines_meet_the_waves(void **state)
{
    (void)state;
    static float fine[N * N];
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    double squares = 0.0, most = 0.0, all = 0.0;
    def.seas = (gyre_pool){&sea, 1, 1};
    def.choppiness = 0.0f;
    def.patch.finest = 6.0f;
    gyre_ocean *ocean = make_on(the_device, &def);
    must(gyre_ocean_tile(ocean, 0, 9.0, fine, NULL, NULL));
    gyre_ocean_destroy(ocean);
    def.patch.cells = 64;
    def.patch.finest = 3.0f;
    ocean = make_on(the_device, &def);
    for (int i = 0; i < N * N; i++) {
        const double point[2] = {i % N * (600.0 / N), i / N * (600.0 / N)};
        gyre_ocean_sample s;
        must(gyre_ocean_query(ocean, 9.0, 0.0f, point, 1, &s));
        double error = (double)s.height - (double)fine[i];
        squares += error * error / (N * N);
        most = fmax(most, fabs(error));
        all += (double)fine[i] * (double)fine[i] / (N * N);
    }
    // Waves of the peak are 6.5 cells long here; the default patch gives them 31.
    print_message("between nodes: rms %.2g, most %.2g of the significant height\n",
                  sqrt(squares / all) / 4.0, most / sqrt(all) / 4.0);
    assert_true(sqrt(squares / all) / 4.0 < 0.004 && most / sqrt(all) / 4.0 < 0.02);
    gyre_ocean_destroy(ocean);
}

/// What was asked ahead of time is what the fields have when it comes.
static void ahead_of_time_is_in_time(void **state)
{
    (void)state;
    gyre_ocean_sea seas[2];
    gyre_ocean_wave wave;
    gyre_ocean_emitter emitter;
    gyre_ocean_def def = golden_def(seas, &wave, &emitter);
    gyre_ocean *ocean = make_on(the_device, &def);
    double points[2 * 40 * 32];
    gyre_ocean_sample *s = malloc(40 * 32 * sizeof *s);
    for (int i = 0; i < 40 * 32; i++) {
        points[2 * i] = (i % 40 + 0.5) * 2.0;
        points[2 * i + 1] = (i / 40 + 0.5) * 2.0;
    }
    must(gyre_ocean_query(ocean, 2.5, 0.0f, points, 40 * 32, s));
    for (int step = 0; step < 20; step++) {
        must(gyre_ocean_step(ocean, 0.125f));
    }
    gyre_field_view view;
    must(gyre_ocean_map(ocean, gyre_ocean_field(ocean, "surface"), GYRE_READ, &view));
    for (int i = 0; i < 40 * 32; i++) {
        assert_true(view.data[i % 40 + i / 40 * view.stride[1]] == s[i].height);
    }
    must(gyre_ocean_unmap(ocean, gyre_ocean_field(ocean, "surface")));
    // The water that rests at a cell is seen where its displacement takes it.
    static const char *const names[] = {"height", "displacement_x", "displacement_y", "rise",
                                        "folding"};
    float *part = malloc(5 * 40 * 32 * sizeof *part);
    int folds = 0;
    for (int f = 0; f < 5; f++) {
        int field = gyre_ocean_field(ocean, names[f]);
        must(gyre_ocean_map(ocean, field, GYRE_READ, &view));
        for (int i = 0; i < 40 * 32; i++) {
            part[f * 40 * 32 + i] = view.data[i % 40 + i / 40 * view.stride[1]];
        }
        must(gyre_ocean_unmap(ocean, field));
    }
    for (int i = 0; i < 40 * 32; i++) {
        points[2 * i] += (double)part[40 * 32 + i];
        points[2 * i + 1] += (double)part[2 * 40 * 32 + i];
    }
    must(gyre_ocean_query(ocean, 2.5, 0.0f, points, 40 * 32, s));
    for (int i = 0; i < 40 * 32; i++) {
        if (part[4 * 40 * 32 + i] < 0.3f) {
            folds++;
            continue;
        }
        near_to((double)s[i].folding, (double)part[4 * 40 * 32 + i], 2e-3, "folding");
    }
    assert_true(folds < 40 * 32 / 4);
    free(part);
    free(s);
    gyre_ocean_destroy(ocean);
}

// ---- words

static void refused(gyre_ocean_def *def, const char *words)
{
    gyre_ocean *ocean = NULL;
    assert_int_equal(gyre_ocean_create(the_device, def, &ocean), GYRE_ERROR_ARGUMENT);
    says(words);
    assert_null(ocean);
    assert_true(gyre_ocean_size(def) == 0);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    gyre_ocean_emitter emitter = gyre_ocean_default_emitter();
    def.seas = (gyre_pool){&sea, 1, 1};
    def.waves = (gyre_pool){&wave, 1, 1};
    def.emitters = (gyre_pool){&emitter, 1, 1};
    sea.given = GYRE_OCEAN_HEIGHT;
    sea.significant_height = 0.0f;
    refused(&def, "a spectrum of no energy");
    sea.significant_height = 1.0f;
    sea.peak_period = 60.0f;
    refused(&def, "none of its energy would be there to see");
    sea.peak_period = 1.0f;
    refused(&def, "none of its energy would be there to see");
    sea.peak_period = 8.0f;
    sea.wind_speed = NAN;
    refused(&def, "wind_speed");
    sea.wind_speed = 10.0f;
    wave.length = -1.0f;
    refused(&def, "length");
    wave.length = 0.0f;
    refused(&def, "expected one of them to be 0 and the other not");
    wave.length = wave.period = 5.0f;
    refused(&def, "expected one of them to be 0 and the other not");
    wave.period = 0.0f;
    wave.amplitude = 1.0f;
    wave.steepness = 1.0f;
    refused(&def, "its crests would cross themselves");
    wave.steepness = 0.5f;
    emitter.interval = 1e-3f;
    refused(&def, "rings at a time");
    emitter.interval = 0.0f;
    def.patch.length = 0.0f;
    refused(&def, "length");
    def.patch.length = 600.0f;
    def.patch.cells = 100;
    refused(&def, "expected a power of two");
    def.patch.cells = 64;
    def.patch.cascades = 2;
    def.patch.ratio = 0.1f;
    refused(&def, "patch.ratio");
    def.patch.cascades = 1;
    def.patch.cells = 128;
    def.grid.dim = 3;
    def.grid.n[2] = 4;
    refused(&def, "dim 2");
    def.grid.dim = 2;
    def.grid.n[2] = 1;
    gyre_ocean *ocean = make_on(the_device, &def);
    double point[2] = {0.0, 0.0};
    gyre_ocean_sample s;
    float tile[1];
    assert_int_equal(gyre_ocean_query(ocean, (double)NAN, 0.0f, point, 1, &s), GYRE_ERROR_ARGUMENT);
    says("time is nan");
    assert_int_equal(gyre_ocean_query(ocean, 1e300, 0.0f, point, 1, &s), GYRE_ERROR_ARGUMENT);
    says("expected -1e9 to 1e9");
    assert_int_equal(gyre_ocean_query(ocean, 0.0, -1.0f, point, 1, &s), GYRE_ERROR_ARGUMENT);
    says("below is -1 m");
    assert_int_equal(gyre_ocean_query(ocean, 0.0, 0.0f, point, -1, &s), GYRE_ERROR_ARGUMENT);
    says("count is -1");
    point[1] = (double)INFINITY;
    assert_int_equal(gyre_ocean_query(ocean, 0.0, 0.0f, point, 1, &s), GYRE_ERROR_ARGUMENT);
    says("point 0");
    assert_int_equal(gyre_ocean_tile(ocean, 1, 0.0, tile, NULL, NULL), GYRE_ERROR_ARGUMENT);
    says("cascade is 1");
    assert_int_equal(gyre_ocean_tile(ocean, 0, (double)NAN, tile, NULL, NULL), GYRE_ERROR_ARGUMENT);
    must(gyre_ocean_query(ocean, 0.0, 0.0f, NULL, 0, NULL));
    assert_int_equal(gyre_ocean_set(ocean, "depth", gyre_number(-1.0)), GYRE_ERROR_ARGUMENT);
    // However long a step is, what is asked stays a number.
    must(gyre_ocean_step(ocean, 1e30f));
    gyre_field_view view;
    must(gyre_ocean_map(ocean, gyre_ocean_field(ocean, "surface"), GYRE_READ, &view));
    assert_true(view.data[5] - view.data[5] == 0.0f);
    must(gyre_ocean_unmap(ocean, gyre_ocean_field(ocean, "surface")));
    gyre_ocean_destroy(ocean);
}

/// Foam comes where the surface folds, and fades; without a rate nothing of it is there.
static void foam_comes_and_goes(void **state)
{
    (void)state;
    gyre_ocean_def def = small_def();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    sea.given = GYRE_OCEAN_HEIGHT;
    sea.significant_height = 5.0f;
    sea.peak_period = 6.0f;
    def.patch.length = 200;
    def.foam.rate = 10.0f;
    def.seas = (gyre_pool){&sea, 1, 1};
    gyre_ocean *ocean = make_on(the_device, &def);
    int foam = gyre_ocean_field(ocean, "foam");
    gyre_model *model = gyre_ocean_model(ocean);
    assert_true(gyre_model_total(model, foam) == 0.0);
    for (int step = 0; step < 50; step++) {
        must(gyre_ocean_step(ocean, 0.1f));
    }
    double white = gyre_model_total(model, foam) / (80.0 * 64.0);
    assert_true(white > 0.01 && white < 0.9);
    must(gyre_ocean_set(ocean, "foam.rate", gyre_number(0.0)));
    for (int step = 0; step < 400; step++) {
        must(gyre_ocean_step(ocean, 0.01f));
    }
    double left = gyre_model_total(model, foam) / (80.0 * 64.0);
    near_to(left / white, exp(-1.0), 0.01, "foam after its life");
    gyre_ocean_destroy(ocean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jonswap_by_wind),
        cmocka_unit_test(tma_in_shallow_water),
        cmocka_unit_test(directions_spread_as_asked),
        cmocka_unit_test(the_sea_has_the_height_that_is_told),
        cmocka_unit_test(motion_fades_with_depth),
        cmocka_unit_test(a_seed_is_a_sea),
        cmocka_unit_test(more_cells_leave_the_waves),
        cmocka_unit_test(splines_meet_the_waves),
        cmocka_unit_test(ahead_of_time_is_in_time),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(foam_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
