// Where periodic waves break on slopes and level ground, by a trigger that knows nothing of height
// over depth, beside
// J. R. Weggel, Maximum Breaker Height, J. Waterways Harbors Coastal Eng. 98 (1972).
// labels: long
#include "app/validate/crest.h"
#include "app/validate/permanent.h"
#include "water/breaking.h"
#include "water_case.h"

static float bed[1000];

/// Waves of 0.1 m run in over water a metre deep, which ends on a slope: H / d of the crest in the
/// middle of those whose fronts are first found in five periods, d being at rest, H from the
/// troughs at its place.
static double break_on(double slope, double period, bool pressure, double *height, int *waves)
{
    enum { MOST = 64 };
    double h = 0.05, flat = 10.0, trough = 9.0, last_time = -9.0, dt = 0.0125;
    int n = (int)((flat + 2.0 + 1.0 / slope) / h), steps = (int)(10.0 * period / dt);
    crest at[MOST];
    gyre_water_def def = gyre_water_default_def(1);
    for (int i = 0; i < n; i++) {
        double x = (i + 0.5) * h - flat;
        bed[i] = (float)(x < 0.0 ? -1.0 : -1.0 + slope * x);
    }
    def.grid.n[0] = n;
    def.grid.h = (float)h;
    def.bed.data = (gyre_volume){bed, {n, 1, 1}, NULL};
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.amplitude = 0.05f;
    def.sides.x_low.period = (float)period;
    def.breaking.fronts = 16;
    def.breaking.height = 0.02f;
    def.nonhydrostatic = pressure;
    gyre_water *water = make(&def);
    *waves = 0;
    for (int step = 0; step < steps; step++) {
        gyre_water_front f[16];
        run(water, 1, (float)dt);
        int count = gyre_water_fronts(water, f, 16);
        for (int k = 0; k < count && k < 16; k++) {
            double x = (double)f[k].position[0], depth = 1.0 - slope * (x - flat);
            bool first = begins_to_break(&f[k], dt) && step > steps / 2 &&
                         step * dt > last_time + 0.6 * period;
            // Up a beach there is another front of the same wave.
            if (first && depth > 0.05 && depth < 0.95 && *waves < MOST) {
                int size[2];
                float *now = get(water, "depth", size);
                at[(*waves)++] = crest_behind(now, bed, h, x);
                last_time = step * dt;
                free(now);
            }
        }
    }
    crest middle = middle_crest(at, *waves);
    double depth = 1.0 - slope * (middle.x - flat);
    for (int step = 0; step < (int)(2.0 * period / dt) && *waves > 0; step++) {
        const float point[2] = {(float)middle.x, (float)(0.5 * h)};
        gyre_water_sample s;
        run(water, 1, (float)dt);
        OK(gyre_water_query(water, point, 1, &s));
        trough = fmin(trough, (double)s.height);
    }
    *height = middle.height - trough;
    gyre_water_destroy(water);
    printf("slope %.2f, waves of %.0f s, %s: %d break, the middle one over %.3f m, H / d %.3f",
           slope, period, pressure ? "nonhydrostatic" : "hydrostatic", *waves, depth,
           *height / depth);
    return *height / depth;
}

/// The trigger knows of speeds alone, and has the thresholds of others; how wide it
/// looks and how it measures speeds was chosen with these slopes in view. Nearly every wave breaks.
static void test_weggel(void **state)
{
    (void)state;
    static const struct {
        double slope, period;
        bool pressure;
    } cases[8] = {{0.05, 3.0, false}, {0.1, 3.0, false}, {0.05, 3.0, true}, {0.05, 4.0, true},
                  {0.05, 5.0, true},  {0.1, 3.0, true},  {0.1, 4.0, true},  {0.1, 5.0, true}};
    for (int q = 0; q < 8; q++) {
        double slope = cases[q].slope, period = cases[q].period, height;
        int waves;
        double is = break_on(slope, period, cases[q].pressure, &height, &waves);
        double known = weggel_index(slope, height, period);
        printf(", Weggel %.3f%s\n", known,
               fabs(is / known - 1.0) < 0.15 ? "" : ": off by more than 15 %");
        assert_true(waves >= 4);
        if (cases[q].pressure) {
            assert_true(fabs(is / known - 1.0) < 0.15);
        } else {
            assert_true(is < 0.6 * known);
        }
    }
}

// ---- level ground: periodic waves of permanent form, Serre's, of which there are such of any
// height; real ones break

static wave permanent;

static double depth_at(double x, double y)
{
    (void)y;
    return wave_depth(&permanent, x);
}

static double discharge_at(double x, double y)
{
    (void)y;
    return wave_discharge(&permanent, x);
}

/// Whether waves of a height break within two periods, and how high they are by then; for how long
/// they have been sure to, s, and how long that may last.
static bool breaks(double height, double length, double *became, double sure[2])
{
    enum { STEPS = 400 };
    int n[2], cells = (int)(length / 0.1 + 0.5);
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, cells, 1, (float)(length / cells));
    gyre_water_front f[4];
    bool found = false;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
    def.nonhydrostatic = true;
    def.breaking.fronts = 16;
    assert_true(find_wave(height, length, &permanent));
    gyre_water *water = make(&def);
    put(water, "depth", depth_at);
    put(water, "discharge_x", discharge_at);
    *became = 0.0;
    for (int step = 0; step < STEPS && !found; step++) {
        double top = 0.0, bottom = 9.0, dt = 2.0 * length / permanent.speed / STEPS;
        run(water, 1, (float)dt);
        float *d = get(water, "depth", n);
        for (int i = 0; i < n[0]; i++) {
            top = fmax(top, (double)d[i]);
            bottom = fmin(bottom, (double)d[i]);
        }
        free(d);
        *became = fmax(*became, top - bottom);
        found = gyre_water_fronts(water, f, 4) > 0;
        const gy_breaking *b = water->breaking;
        for (int k = 0; k < b->state->front_count; k++) {
            if (b->fronts[k].steep == 0.5f) {
                sure[0] = (double)b->fronts[k].age;
                sure[1] = 5.0 * sqrt((double)b->fronts[k].depth / 9.81);
            }
        }
    }
    gyre_water_destroy(water);
    return found;
}

static void test_level(void **state)
{
    (void)state;
    static const double lengths[3] = {8.0, 12.0, 20.0};
    for (int q = 0; q < 3; q++) {
        double least = 0.3, most = 0.9, became, sure[2], found = 0.0;
        for (int round = 0; round < 7; round++) {
            double height = 0.5 * (least + most);
            bool is = breaks(height, lengths[q], &became, sure);
            found = is ? became : found;
            least = is ? least : height;
            most = is ? height : most;
        }
        printf("level ground, waves of %.2f s: break from H / d %.3f on, Weggel 0.780\n",
               lengths[q] / permanent.speed, found);
        assert_true(fabs(found / 0.78 - 1.0) < 0.15);
    }
}

/// Crests whose water stays between 0.85 and once as fast as they are break when Kennedy's time is
/// over, 5 sqrt(d / g), d before the front.
static void test_late(void **state)
{
    (void)state;
    static const double heights[2] = {0.74, 0.79}, lengths[2] = {12.0, 20.0};
    for (int q = 0; q < 2; q++) {
        double became, sure[2] = {0.0, 0.0};
        bool is = breaks(heights[q], lengths[q], &became, sure);
        printf("level ground, H / d %.2f, %.0f m long: sure to for %.3f s, 5 sqrt(d / g) %.3f\n",
               heights[q], lengths[q], sure[0], sure[1]);
        assert_true(is && fabs(sure[0] / sure[1] - 1.0) < 0.03);
    }
}

// ---- the crest between cells

static double crest_at;

/// A wave over 0.2 m whose front is steeper than its back, its crest at crest_at.
static double skew_depth(double x, double y)
{
    (void)y;
    double off = (x - crest_at) / 0.2, bent = off * (1.0 + 0.4 * tanh(off));
    return 0.2 + 0.15 / (cosh(bent) * cosh(bent));
}

static double skew_discharge(double x, double y)
{
    return 1.8 * (skew_depth(x, y) - 0.2);
}

/// How fast a crest's water is over the crest does not hang on where in its cell it is.
static void test_between(void **state)
{
    (void)state;
    const double h = 0.05;
    double least = 9.0, most = 0.0;
    for (int k = 0; k < 20; k++) {
        gyre_water_def def = gyre_water_default_def(1);
        int n[2], at = 0;
        def.grid.n[0] = 80;
        def.grid.h = (float)h;
        def.bed.flat = -0.2f;
        def.breaking.fronts = 4;
        def.nonhydrostatic = true;
        gyre_water *water = make(&def);
        crest_at = 2.0 + (0.1 + k / 20.0) * h;
        put(water, "depth", skew_depth);
        put(water, "discharge_x", skew_discharge);
        float *d = get(water, "depth", n);
        for (int i = 0; i < n[0]; i++) {
            at = d[i] > d[at] ? i : at;
        }
        free(d);
        // The steepest cell is a place of its own, three cells before the crest.
        gy_front_point point = {.i = (int)(crest_at / h) + 3, .crest = {at, 0}};
        double is = (double)gy_crest_ratio(water, &point, 0, 1.0f);
        least = fmin(least, is);
        most = fmax(most, is);
        gyre_water_destroy(water);
    }
    printf("a crest at twenty places of its cell: B %.3f to %.3f\n", least, most);
    assert_true(most / least < 1.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weggel),
        cmocka_unit_test(test_level),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
