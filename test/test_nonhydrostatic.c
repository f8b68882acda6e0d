// The pressure of shallow water that is not hydrostatic: solitary waves, speeds of short waves,
// level water, wet and dry ground, and that water is neither lost nor made.
// labels: small
#include "water_case.h"

static const double PI = 3.14159265358979323846, G = 9.81;
static double high, where, width, number;

static double hump_depth(double x, double y)
{
    (void)y;
    double s = 1.0 / cosh(width * (x - where));
    return 1.0 + high * s * s;
}

static double hump_discharge(double x, double y)
{
    return sqrt(G * (1.0 + high)) * (hump_depth(x, y) - 1.0);
}

static gyre_water_def canal(int n, double h)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, n, 1, (float)h);
    def.nonhydrostatic = true;
    def.breaking.ratio = 2.0f;
    return def;
}

/// The highest place of a row of depths, by a parabola.
static double crest(gyre_water *water, double h, double *height)
{
    int n[2], at = 1;
    float *d = get(water, "depth", n);
    for (int i = 1; i < n[0] - 1; i++) {
        at = d[i] > d[at] ? i : at;
    }
    double a = (double)d[at - 1], b = (double)d[at], c = (double)d[at + 1];
    double off = 0.5 * (a - c) / (a - 2.0 * b + c);
    *height = b - 0.25 * (a - c) * off - 1.0;
    free(d);
    return (at + 0.5 + off) * h;
}

/// A solitary wave, three tenths as high as the water is deep, goes 20 depths and is what it was;
/// without the pressure it has broken by then.
static void test_solitary(void **state)
{
    (void)state;
    for (int on = 1; on >= 0; on--) {
        double h = 0.1, height, first, last;
        gyre_water_def def = canal(400, h);
        def.nonhydrostatic = on;
        gyre_water *water = make(&def);
        high = 0.3;
        where = 10.0;
        width = sqrt(3.0 * high / (4.0 * (1.0 + high)));
        put(water, "depth", hump_depth);
        put(water, "discharge_x", hump_discharge);
        first = crest(water, h, &height);
        double c = sqrt(G * 1.3), time = 20.0 / c, least = 9.0, most = 0.0;
        for (int n = 0; n < 280; n++) {
            run(water, 1, (float)(time / 280));
            last = crest(water, h, &height);
            least = fmin(least, height);
            most = fmax(most, height);
        }
        gyre_water_stats s = gyre_water_get_stats(water);
        printf("%s: %.4f to %.4f high over 20 depths, %.4f at the end; speed %.4f of %.4f\n",
               on ? "solitary wave" : "hydrostatic", least, most, height, (last - first) / time, c);
        if (on) {
            assert_true(least > 0.29 && most < 0.315);
            assert_true(fabs((last - first) / time / c - 1.0) < 0.015);
        } else {
            assert_true(height < 0.27);
        }
        assert_true(fabs(s.ledger_error) < 1e-4);
        gyre_water_destroy(water);
    }
}

static double ripple(double x, double y)
{
    (void)y;
    return 1.0 + 1e-3 * cos(number * x);
}

/// Standing waves 24 cells long have Airy's speed.
static void test_airy(void **state)
{
    (void)state;
    static const double depths[6] = {0.25, 0.5, 1.0, 1.5, 2.0, 3.0};
    for (int q = 0; q < 6; q++) {
        number = depths[q];
        double h = 2.0 * PI / number / 24.0, period = 2.0 * PI / sqrt(G * number * tanh(number));
        gyre_water_def def = canal(12, h);
        gyre_water *water = make(&def);
        put(water, "depth", ripple);
        double dt = period / 200.0, last = 1.0, first = 0.0, end = 0.0;
        int crossed = 0;
        for (int step = 1; step <= 900; step++) {
            int n[2];
            double sum = 0.0;
            run(water, 1, (float)dt);
            float *d = get(water, "depth", n);
            for (int i = 0; i < n[0]; i++) {
                sum += ((double)d[i] - 1.0) * cos(number * (i + 0.5) * h);
            }
            free(d);
            if (last > 0.0 && sum <= 0.0) {
                end = dt * (step - sum / (sum - last));
                first = crossed++ == 0 ? end : first;
            }
            last = sum;
        }
        double speed = period * (crossed - 1) / (end - first);
        printf("k d %.2f: %.4f of Airy's speed (hydrostatic %.4f)\n", number, speed,
               sqrt(number / tanh(number)));
        assert_true(crossed > 2 && fabs(speed - 1.0) < 0.025);
        gyre_water_destroy(water);
    }
}

static float ground[96 * 80];

static gyre_water_def coast(void)
{
    gyre_water_def def = pool(GYRE_WATER_SHALLOW, 96, 80, 0.25f);
    for (int k = 0; k < 96 * 80; k++) {
        double x = (k % 96 + 0.5) * 0.25, y = (k / 96 + 0.5) * 0.25;
        double r2 = (x - 14.0) * (x - 14.0) + (y - 9.0) * (y - 9.0);
        ground[k] = (float)(-2.0 + 0.12 * fmax(x - 8.0, 0.0) + 1.7 * exp(-r2 / 9.0) +
                            0.1 * sin(3.0 * x) * sin(2.0 * y));
    }
    def.bed.data = (gyre_volume){ground, {96, 80, 1}, NULL};
    def.bed.high = 1.0f;
    def.bed.flat = 0.0f;
    def.nonhydrostatic = true;
    return def;
}

/// Level water over hills and a beach stays level, to the bit.
static void test_rest(void **state)
{
    (void)state;
    gyre_water_def def = coast();
    gyre_water *water = make(&def);
    run(water, 200, 1.0f / 60);
    gyre_water_stats s = gyre_water_get_stats(water);
    assert_true(s.max_speed == 0.0 && s.kinetic_energy == 0.0);
    gyre_water_destroy(water);
}

/// Waves run up a coast for a minute: finite, no drop is lost, and the same for any number of
/// threads and instruction set, also where a state was loaded.
static void test_coast(void **state)
{
    (void)state;
    uint64_t hash[3];
    gyre_device *own = device;
    void *saved = NULL;
    size_t size = 0;
    for (int k = 0; k < 3; k++) {
        device = device_of(k == 0 ? 1 : 3, k == 1 ? gyre_isa_name(0) : NULL);
        gyre_water_def def = coast();
        def.sides.x_low.rule = GYRE_WATER_INFLOW;
        def.sides.x_low.amplitude = 0.15f;
        def.sides.x_low.period = 3.0f;
        def.breaking.fronts = 16;
        def.breaking.patches = 2000;
        gyre_water *water = make(&def);
        if (k == 2) {
            run(water, 5, 0.01f);
            OK(gyre_water_load(water, saved, size));
        } else {
            run(water, 300, 1.0f / 30);
        }
        if (k == 0) {
            size = gyre_water_save_size(water);
            saved = malloc(size);
            OK(gyre_water_save(water, saved, size, &size));
        }
        run(water, k == 0 ? 0 : 60, 1.0f / 30);
        if (k == 0) {
            run(water, 60, 1.0f / 30);
        }
        hash[k] = gyre_water_hash(water);
        if (k == 0) {
            run(water, 1440, 1.0f / 30);
            gyre_water_stats s = gyre_water_get_stats(water);
            printf("coast: fastest %.2f m/s, ledger %.2g m^3 of %.0f, %d substeps\n",
                   (double)s.max_speed, s.ledger_error, s.volume, (int)s.substeps);
            assert_true(isfinite(s.max_speed) && s.max_speed < 20.0);
            assert_true(fabs(s.ledger_error) < 1e-5 * s.volume);
        }
        gyre_water_destroy(water);
        gyre_device_destroy(device);
    }
    free(saved);
    device = own;
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static double drop(double x, double y)
{
    double r2 = (x - 8.0) * (x - 8.0) + (y - 8.0) * (y - 8.0);
    return 1.0 + 0.3 * exp(-r2 / 0.5);
}

static double shifted(double x, double y)
{
    x = x < 8.0 ? x + 8.0 : x - 8.0;
    y = y < 8.0 ? y + 8.0 : y - 8.0;
    return drop(x, y);
}

/// A hump runs out evenly along both axes, and across the seams of a periodic domain, to the bit,
/// as in its middle.
static void test_even(void **state)
{
    (void)state;
    gyre_water *water[2];
    double worst = 0.0;
    int n[2];
    for (int k = 0; k < 2; k++) {
        gyre_water_def def = pool(GYRE_WATER_SHALLOW, 128, 128, 0.125f);
        periodic(&def);
        def.nonhydrostatic = true;
        water[k] = make(&def);
        put(water[k], "depth", k ? shifted : drop);
        run(water[k], 90, 1.0f / 60);
    }
    float *d = get(water[0], "depth", n), *e = get(water[1], "depth", n);
    for (int j = 0; j < 128; j++) {
        for (int i = 0; i < 128; i++) {
            double own = (double)d[i + 128 * j];
            worst = fmax(worst, fabs(own - (double)d[j + 128 * i]));
            assert_true(d[i + 128 * j] == e[(i + 64) % 128 + 128 * ((j + 64) % 128)]);
        }
    }
    printf("even: %.2g m between the axes\n", worst);
    assert_true(worst < 2e-5);
    free(d);
    free(e);
    gyre_water_destroy(water[0]);
    gyre_water_destroy(water[1]);
}

static void test_refused(void **state)
{
    (void)state;
    gyre_water *water = NULL;
    gyre_water_def def = pool(GYRE_WATER_DISPERSIVE, 32, 32, 0.1f);
    def.nonhydrostatic = true;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "nonhydrostatic"));
    def = pool(GYRE_WATER_SHALLOW, 32, 32, 0.1f);
    def.nonhydrostatic = true;
    def.sleep_height = 1e-3f;
    assert_int_equal(gyre_water_create(device, &def, &water), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "sleep_height"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solitary), cmocka_unit_test(test_airy),
        cmocka_unit_test(test_rest),     cmocka_unit_test(test_coast),
        cmocka_unit_test(test_even),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
