// Where waves break on slopes, by fronts alone, which know nothing of height over depth, beside
// J. R. Weggel, Maximum Breaker Height, J. Waterways Harbors Coastal Eng. 98 (1972).
// labels: small
#include "water_case.h"

enum { N = 800 };
static float bed[N];

/// The highest place of the metre behind a front.
static double crest_behind(gyre_water *water, double x)
{
    float points[100][2];
    gyre_water_sample samples[100];
    int best = 0;
    for (int k = 0; k < 100; k++) {
        points[k][0] = (float)(x - 0.01 * k);
        points[k][1] = 0.025f;
    }
    OK(gyre_water_query(water, points[0], 100, samples));
    for (int k = 1; k < 100; k++) {
        best = samples[k].height > samples[best].height ? k : best;
    }
    return x - 0.01 * best;
}

/// Waves of 3 s run in over water a metre deep, which ends on a slope: H / d at the mean
/// place of crests whose fronts are first found steep, d being at rest.
static double break_on(double slope, bool pressure, double ratio, double *height)
{
    double period = 3.0, h = 0.05, at = 0.0, high = -9.0, low = 9.0;
    int n = (int)((7.0 + 1.0 / slope) / h);
    gyre_water_def def = gyre_water_default_def(1);
    for (int i = 0; i < n; i++) {
        double x = (i + 0.5) * h - 5.0;
        bed[i] = (float)(x < 0.0 ? -1.0 : -1.0 + slope * x);
    }
    def.grid.n[0] = n;
    def.grid.h = (float)h;
    def.bed.data = (gyre_volume){bed, {n, 1, 1}, NULL};
    def.sides.x_low.rule = GYRE_WATER_INFLOW;
    def.sides.x_low.amplitude = 0.05f;
    def.sides.x_low.period = (float)period;
    def.breaking.fronts = 16;
    def.breaking.ratio = (float)ratio;
    def.breaking.height = 0.02f;
    def.nonhydrostatic = pressure;
    gyre_water *water = make(&def);
    double sum = 0.0;
    int last = 0, waves = 0;
    for (int step = 0; step < 2400; step++) {
        gyre_water_front f[16];
        run(water, 1, 0.0125f);
        int count = gyre_water_fronts(water, f, 16);
        for (int k = 0; k < count && k < 16; k++) {
            bool first = f[k].id > last && step > 1200 && f[k].depth > 0.05f;
            last = f[k].id > last ? f[k].id : last;
            double x = (double)f[k].position[0], depth = 1.0 - slope * (x - 5.0);
            if (first && f[k].normal[0] > 0.0f && depth > 0.08 && depth < 0.95) {
                sum += crest_behind(water, x);
                waves++;
            }
        }
    }
    at = waves > 0 ? sum / waves : 0.0;
    for (int step = 0; step < 720 && waves > 0; step++) {
        const float point[2] = {(float)at, (float)(0.5 * h)};
        gyre_water_sample s;
        run(water, 1, 0.0125f);
        OK(gyre_water_query(water, point, 1, &s));
        high = fmax(high, (double)s.height);
        low = fmin(low, (double)s.height);
    }
    *height = high - low;
    gyre_water_destroy(water);
    double depth = 1.0 - slope * (at - 5.0);
    printf("slope %.2f, %s, ratio %.2f: %d waves break at %.2f m, depth %.3f, H / d %.3f", slope,
           pressure ? "nonhydrostatic" : "hydrostatic", ratio, waves, at, depth, *height / depth);
    return *height / depth;
}

static void test_weggel(void **state)
{
    (void)state;
    static const double slopes[2] = {0.05, 0.1};
    for (int pressure = 0; pressure < 2; pressure++) {
        for (int q = 0; q < 2; q++) {
            double slope = slopes[q], height;
            double is = break_on(slope, pressure, pressure ? 1.3 : 0.6, &height);
            double a = 43.75 * (1.0 - exp(-19.0 * slope)), b = 1.56 / (1.0 + exp(-19.5 * slope));
            double known = b - a * height / (9.81 * 9.0);
            printf(", Weggel %.3f\n", known);
            if (pressure) {
                assert_true(fabs(is / known - 1.0) < 0.15);
            } else {
                assert_true(is < 0.6 * known);
            }
        }
    }
}

static double high;

static double hump_depth(double x, double y)
{
    double s = 1.0 / cosh(sqrt(3.0 * high / (4.0 * (1.0 + high))) * (x - 12.0));
    (void)y;
    return 1.0 + high * s * s;
}

static double hump_discharge(double x, double y)
{
    return sqrt(9.81 * (1.0 + high)) * (hump_depth(x, y) - 1.0);
}

/// On level ground Serre's waves of permanent form become no steeper than the trigger asks for
/// until they are far higher than real ones can be, 0.78: this is told, and not right.
static void test_level(void **state)
{
    (void)state;
    double low = 0.3, most = 3.0;
    for (int round = 0; round < 8; round++) {
        gyre_water_front f[16];
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 500, 1, 0.05f);
        high = 0.5 * (low + most);
        def.nonhydrostatic = true;
        def.breaking.fronts = 16;
        def.breaking.ratio = 1.3f;
        gyre_water *water = make(&def);
        put(water, "depth", hump_depth);
        put(water, "discharge_x", hump_discharge);
        run(water, 10, 0.005f);
        bool steep = gyre_water_fronts(water, f, 16) > 0;
        low = steep ? low : high;
        most = steep ? high : most;
        gyre_water_destroy(water);
    }
    printf("level ground: solitary waves are steep from H / d %.2f on, Weggel 0.78\n", most);
    assert_true(low > 0.78);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weggel),
        cmocka_unit_test(test_level),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
