// Surroundings that change with height, and clouds in them: the frequency of a stable atmosphere,
// the lifting condensation level and the pseudo-adiabat, saturation of air at rest, falling rain,
// budgets of water and of heat, states that go on to the same bits, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/check.h"
#include "test/gas_rig.h"

static gyre_device *device;
static gyre_gas_channel channels[3];

#define T0 298.0
#define P0 1e5
#define LAPSE 0.0065
#define HUMID 0.6

static gyre_gas_def airy(int dim, int x, int y, int z, float h)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    def.grid.n[0] = x;
    def.grid.n[1] = y;
    def.grid.n[2] = z;
    def.grid.h = h;
    memset(channels, 0, sizeof channels);
    strcpy(channels[0].name, "vapour");
    strcpy(channels[1].name, "cloud");
    strcpy(channels[2].name, "rain");
    def.channels = (gyre_pool){channels, 3, 3};
    def.atmosphere.layered = true;
    strcpy(def.atmosphere.vapour, "vapour");
    strcpy(def.atmosphere.water, "cloud");
    strcpy(def.atmosphere.rain, "rain");
    def.atmosphere.temperature = (float)T0;
    def.atmosphere.pressure = (float)P0;
    def.atmosphere.lapse = (float)LAPSE;
    def.atmosphere.humidity = (float)HUMID;
    return def;
}

static gyre_gas *create(const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

/// Writes what a function says into all samples of a field.
static void fill(gyre_gas *gas, const char *name, double value(double x, double y), double scale)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, name);
    must(gyre_gas_map(gas, field, GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++)
        for (int j = 0; j < v.n[1]; j++)
            for (int i = 0; i < v.n[0]; i++)
                v.data[i + j * v.stride[1] + k * v.stride[2]] =
                    (float)(scale * (value ? value((i + 0.5) / v.n[0], (j + 0.5) / v.n[1]) : 1.0));
    must(gyre_gas_unmap(gas, field));
}

/// The sample of the middle column at a level.
static double level_of(gyre_gas *gas, const char *name, int axis, int level)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, name);
    must(gyre_gas_map(gas, field, GYRE_READ, &v));
    double value = (double)v.data[1 + level * v.stride[axis]];
    must(gyre_gas_unmap(gas, field));
    return value;
}

// ---- what is known, by textbooks' formulas in double

static double saturated(double t, double p)
{
    double e = 611.2 * exp(17.67 * (t - 273.15) / (t - 29.65));
    return 0.622 * e / (p - e);
}

static double pressure_at(double z)
{
    return P0 * pow(1.0 - LAPSE * z / T0, 9.81 / (287.04 * LAPSE));
}

static double exner_at(double z)
{
    return pow(pressure_at(z) / P0, 287.04 / 1004.0);
}

static double outside_at(double z)
{
    return (T0 - LAPSE * z) / exner_at(z);
}

/// Bolton's equivalent potential temperature (1980, equation 43) of saturated air.
static double equivalent(double t, double p, double level, double r)
{
    double theta = t * pow(1e5 / p, 0.2854 * (1.0 - 0.28 * r));
    return theta * exp((3.376 / level - 0.00254) * 1e3 * r * (1.0 + 0.81 * r));
}

// ---- a parcel that is lifted: an even wind upwards through open sides, until it is steady

static void upwards(void *user, const gyre_gas_row *row, float *values)
{
    for (int i = 0; i < row->count; i++)
        values[i] = row->axis == *(const int *)user ? 2.0f : 0.0f;
}

enum { LEVELS = 160 };

static gyre_gas *lift(int dim, int *axis)
{
    bool along_z = *axis == 2;
    gyre_gas_def def = airy(dim, 6, along_z ? 4 : LEVELS, along_z ? LEVELS : dim == 3 ? 4 : 1, 25);
    def.atmosphere.rain[0] = 0;
    def.velocity = GYRE_GAS_ROWS;
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    gyre_gas_side *sides = &def.sides.x_low;
    sides[2 * *axis].rule = sides[2 * *axis + 1].rule = GYRE_GAS_SIDE_OPEN;
    def.gravity[1] = along_z ? 0.0f : -9.81f;
    def.gravity[2] = along_z ? -9.81f : 0.0f;
    gyre_gas *gas = create(&def);
    must(gyre_gas_set_velocity_rows(gas, upwards, axis));
    for (int s = 0; s < 550; s++)
        must(gyre_gas_step(gas, 4.0f));
    return gas;
}

static void cloud_base_and_moist_adiabat(void **state)
{
    (void)state;
    int axis = 1;
    gyre_gas *gas = lift(2, &axis);
    // Bolton's equation 22 (of pressures, where `humidity` is of mixing ratios), and where the
    // surroundings have the pressure that a dry adiabat has there.
    double r0 = HUMID * saturated(T0, P0), rs = saturated(T0, P0);
    double relative = r0 / (0.622 + r0) * (0.622 + rs) / rs;
    double level = 1.0 / (1.0 / (T0 - 55.0) - log(relative) / 2840.0) + 55.0;
    double p = P0 * pow(level / T0, 1004.0 / 287.04);
    double base = T0 / LAPSE * (1.0 - pow(p / P0, 287.04 * LAPSE / 9.81)), found = 0.0;
    double warm = equivalent(T0, P0, level, r0), worst = 0.0, off = 0.0, excess = 0.0;
    for (int j = 0; j < LEVELS - 1; j++) {
        double z = 25.0 * (j + 0.5), t = level_of(gas, "temperature", 1, j);
        double cloud = level_of(gas, "cloud", 1, j), here = exner_at(z) * (outside_at(z) + t);
        double dry = T0 * exner_at(z);
        found = found == 0.0 && cloud > 1e-6 ? z : found;
        // Cells' means stand in steps that are less than what the surroundings gain over a cell.
        if (z < base - 25.0 && !(fabs(here - dry) < 0.1 && cloud == 0.0))
            fail_msg("%g m: %.6g K, expected %.6g, and no cloud", z, here, dry);
        if (z < base + 250.0)
            continue;
        double low = 200.0, high = 310.0, pressure = pressure_at(z);
        while (high - low > 1e-9) {
            double middle = 0.5 * (low + high);
            bool less = equivalent(middle, pressure, middle, saturated(middle, pressure)) < warm;
            *(less ? &low : &high) = middle;
        }
        // By how much it is warmer than it would be dry, over eight levels.
        off += here - low;
        excess += low - dry;
        if (j % 8 == 7) {
            worst = fmax(worst, fabs(off / excess));
            off = excess = 0.0;
        }
        if (j % 20 == 0)
            printf("    %4.0f m: %.3f K, known %.3f, dry %.3f\n", z, here, low, dry);
    }
    printf("    cloud from %.1f m, lifting condensation level %.1f m; warmth of condensing off by "
           "%.2g at most\n",
           found, base, worst);
    assert_true(fabs(found - base) <= 25.0);
    assert_true(worst <= 0.01);
    // Along z in 3D, and along y, it is the same air.
    for (int along = 1; along <= 2; along++) {
        gyre_gas *deep = lift(3, &along);
        for (int j = 0; j < LEVELS; j += 13) {
            double flat = level_of(gas, "cloud", 1, j), high = level_of(deep, "cloud", along, j);
            assert_true(fabs(flat - high) <= 1e-6 * 1e-2);
            flat = level_of(gas, "temperature", 1, j);
            high = level_of(deep, "temperature", along, j);
            assert_true(fabs(flat - high) <= 1e-5 * fabs(flat));
        }
        gyre_gas_destroy(deep);
    }
    gyre_gas_destroy(gas);
}

// ---- a stable atmosphere swings

static double mode(double x, double y)
{
    return cos(pi * x) * sin(pi * y);
}

static double project(gyre_gas *gas)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, "temperature");
    double sum = 0.0;
    must(gyre_gas_map(gas, field, GYRE_READ, &v));
    for (int j = 0; j < v.n[1]; j++)
        for (int i = 0; i < v.n[0]; i++)
            sum +=
                (double)v.data[i + j * v.stride[1]] * mode((i + 0.5) / v.n[0], (j + 0.5) / v.n[1]);
    must(gyre_gas_unmap(gas, field));
    return sum * 4.0 / v.n[0] / v.n[1];
}

static void swings_at_brunt_and_vaisalas_frequency(void **state)
{
    (void)state;
    static const double lapses[] = {0.0065, 0.003, -0.003};
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = airy(2, 40, 20, 1, 50);
        def.atmosphere.vapour[0] = def.atmosphere.water[0] = def.atmosphere.rain[0] = 0;
        def.atmosphere.lapse = (float)lapses[q];
        // Lift is over the potential temperature of the surroundings.
        double press = P0 * pow(1.0 - lapses[q] * 500.0 / T0, 9.81 / (287.04 * lapses[q]));
        def.thermal_expansion =
            (float)(pow(press / P0, 287.04 / 1004.0) / (T0 - lapses[q] * 500.0));
        gyre_gas *gas = create(&def);
        fill(gas, "temperature", mode, 0.02);
        double middle = T0 - lapses[q] * 500.0, n, frequency;
        n = sqrt(9.81 / middle * (9.81 / 1004.0 - lapses[q])), frequency = n / sqrt(5.0);
        double dt = 0.05 / frequency, before = 0.02, last = 0.0, first = 0.0, most = 0.0;
        int crossings = 0;
        for (int s = 1; crossings < 7 && s < 1000; s++) {
            must(gyre_gas_step(gas, (float)dt));
            double now = project(gas);
            if ((now < 0.0) != (before < 0.0)) {
                last = dt * (s - now / (now - before));
                first = crossings++ == 0 ? last : first;
                most = 0.0;
            }
            most = fmax(most, fabs(now));
            before = now;
        }
        double measured = pi * 6.0 / (last - first);
        printf("    lapse %5.1f K/km: %.5g rad/s, known %.5g (%+.2f %%)\n", 1e3 * lapses[q],
               measured, frequency, 100.0 * (measured / frequency - 1.0));
        assert_true(crossings == 7 && fabs(measured / frequency - 1.0) <= 0.02);
        for (int s = 0; s < 40; s++) {
            must(gyre_gas_step(gas, (float)dt));
            most = fmax(most, fabs(project(gas)));
        }
        printf("    it swings to %.4f of what it did at first\n", most / 0.02);
        assert_true(fabs(most / 0.02 - 1.0) < 0.02);
        gyre_gas_destroy(gas);
    }
}

static double lumpy(double x, double y)
{
    return 1.0 + mode(x, y);
}

/// Vapour lifts, droplets and drops weigh: from rest in a box twice as wide as high a fifth of the
/// force is left to its lowest wave.
static void water_weighs(void **state)
{
    (void)state;
    static const char *const names[] = {"vapour", "cloud", "rain"};
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = airy(2, 40, 20, 1, 50);
        def.thermal_expansion = 0.0f;
        def.atmosphere.evaporation = def.atmosphere.growth = def.atmosphere.collection = 0.0f;
        // Dry, or so that droplets stay.
        def.atmosphere.humidity = def.atmosphere.aloft = q == 0 ? 0.0f : 1.0f;
        gyre_gas *gas = create(&def);
        fill(gas, names[q], lumpy, 1e-4);
        must(gyre_gas_step(gas, 0.1f));
        gyre_field_view v;
        int field = gyre_gas_field(gas, "velocity_y");
        double found = 0.0, known = (q == 0 ? 0.608 : -1.0) * 9.81 * 1e-4 * 0.1 / 5.0;
        must(gyre_gas_map(gas, field, GYRE_READ, &v));
        for (int j = 0; j < 21; j++)
            for (int i = 0; i < 40; i++)
                found += (double)v.data[i + j * v.stride[1]] * mode((i + 0.5) / 40.0, j / 20.0);
        must(gyre_gas_unmap(gas, field));
        found *= 4.0 / 800.0;
        printf("    %-6s: %.4g m/s, known %.4g\n", names[q], found, known);
        assert_true(fabs(found / known - 1.0) < 0.02);
        gyre_gas_destroy(gas);
    }
}

/// Where the lapse is the neutral one nothing changes, and nothing moves.
static void neutral_air_rests(void **state)
{
    (void)state;
    gyre_gas_def def = airy(3, 12, 16, 10, 50);
    gyre_gas *gas = create(&def);
    for (int s = 0; s < 20; s++)
        must(gyre_gas_step(gas, 10.0f));
    assert_true(gyre_gas_get_stats(gas).max_speed == 0.0f);
    gyre_gas_destroy(gas);
}

// ---- air at rest

static void saturates_by_the_law(void **state)
{
    (void)state;
    static const double more[] = {0.004, 0.012, 0.02}, lies[] = {0.0, 0.001, 0.01};
    for (int q = 0; q < 9; q++) {
        gyre_gas_def def = airy(2, 37, 40, 1, 50);
        def.atmosphere.rain[0] = 0;
        gyre_gas *gas = create(&def);
        double v = more[q % 3], c = lies[q / 3];
        fill(gas, "vapour", NULL, v);
        fill(gas, "cloud", NULL, c);
        must(gyre_gas_step(gas, 1.0f));
        for (int j = 0; j < 40; j++) {
            double z = 50.0 * (j + 0.5), pi_z = exner_at(z), t = level_of(gas, "temperature", 1, j);
            double own =
                fmin(HUMID * saturated(T0, P0), 0.7 * saturated(T0 - LAPSE * z, pressure_at(z)));
            double vapour = level_of(gas, "vapour", 1, j), cloud = level_of(gas, "cloud", 1, j);
            double kelvin = pi_z * (outside_at(z) + t);
            double latent = 2.501e6 - 2370.0 * (T0 - LAPSE * z - 273.15);
            // Water stays, heat is what has condensed gives, and air is saturated or free of cloud.
            assert_true(fabs(vapour + cloud - v - c) < 2e-9);
            assert_true(fabs(1004.0 * pi_z * t + latent * (vapour - v)) < 1e-5 * latent * 1e-2);
            double lacks = saturated(kelvin, pressure_at(z)) - own - vapour;
            assert_true(cloud > 0.0 ? fabs(lacks) < 1e-7 : lacks > -1e-7);
        }
        gyre_gas_destroy(gas);
    }
}

static double layer(double x, double y)
{
    (void)x;
    return y > 0.95 ? 1.0 : 0.0;
}

static void rain_falls(void **state)
{
    (void)state;
    gyre_gas_def def = airy(2, 20, 20, 1, 50);
    def.atmosphere.evaporation = def.atmosphere.collection = 0.0f;
    gyre_gas *gas = create(&def);
    fill(gas, "rain", layer, 1e-3);
    must(gyre_gas_step(gas, 0.1f));
    double z = 50.0 * 19.5, weight = pressure_at(z) / (287.04 * (T0 - LAPSE * z));
    double speed = 36.34 * pow(1e-3 * weight * 1e-3, 0.1346) * sqrt(P0 / (287.04 * T0) / weight);
    double found = (1e-3 / level_of(gas, "rain", 1, 19) - 1.0) * 50.0 / 0.1;
    printf("    drops of 1 g/kg fall at %.3f m/s, known %.3f\n", found, speed);
    assert_true(fabs(found / speed - 1.0) < 1e-3 && speed > 5.0 && speed < 7.0);
    double all = 1e-3 * 50.0 * 1000.0;
    for (int s = 0; s < 150; s++)
        must(gyre_gas_step(gas, 10.0f));
    gyre_gas_budget b = gyre_gas_get_budget(gas, gyre_gas_field(gas, "rain"));
    printf("    of %.6g %.6g have come down\n", all, b.rained);
    assert_true(b.rained > 0.98 * all && fabs(b.rained + b.total - all) < 1e-6 * all);
    gyre_gas_destroy(gas);
}

// ---- budgets

static gyre_gas *rise(int dim, bool open, bool blocked)
{
    gyre_gas_def def =
        airy(dim, dim == 2 ? 48 : 24, dim == 2 ? 48 : 28, dim == 2 ? 1 : 20, dim == 2 ? 75 : 130);
    float wide = def.grid.h * (float)def.grid.n[0], deep = def.grid.h * (float)def.grid.n[2];
    def.atmosphere.humidity = def.atmosphere.aloft = 0.85f;
    def.atmosphere.least = 2e-4f;
    def.atmosphere.growth = 5e-3f;
    def.courant = 2;
    if (open)
        def.sides.x_low.rule = def.sides.x_high.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    gyre_gas_emitter e = gyre_gas_default_emitter();
    e.shape = gyre_sphere((const float[3]){0.5f * wide, 300.0f, 0.5f * deep}, 450.0f);
    e.temperature = 0.01f;
    strcpy(e.feeds[0].name, "vapour");
    e.feeds[0].amount = 1e-5f;
    def.emitters = (gyre_pool){&e, 1, 1};
    gyre_gas_solid s = gyre_gas_default_solid();
    s.shape = gyre_sphere((const float[3]){0.55f * wide, 900.0f, 0.5f * deep}, 300.0f);
    def.solids = (gyre_pool){&s, blocked, 1};
    return create(&def);
}

static void budgets_close(void **state)
{
    (void)state;
    static const char *const names[] = {"vapour", "cloud", "rain", "temperature"};
    for (int q = 0; q < 6; q++) {
        gyre_gas *gas = rise(2 + q % 2, q / 2 != 0, q / 2 == 2);
        for (int s = 0; s < 120; s++)
            must(gyre_gas_step(gas, 15.0f));
        double turned = 0.0, passed = 0.0, stays = 0.0, off = 0.0;
        for (int f = 0; f < 4; f++) {
            gyre_gas_budget b = gyre_gas_get_budget(gas, gyre_gas_field(gas, names[f]));
            double goes = b.faded + b.left + b.rained, comes = b.emitted + b.added + b.turned;
            double one = b.total - (comes + b.edited + b.came + b.risen + b.rounding - goes);
            double size = fabs(b.emitted) + fabs(b.turned) + fabs(b.risen) + fabs(b.left);
            printf("    %-12s %11.4g: turned %11.4g, risen %11.4g, rained %9.4g, left %9.4g, off "
                   "%.1g\n",
                   names[f], b.total, b.turned, b.risen, b.rained, b.left, one / size);
            assert_true(size > 0.0 && fabs(one) <= 1e-6 * size);
            assert_true(b.faded == 0.0 || fabs(b.faded) < 1e-9 * size);
            assert_true(fabs(b.added) < 1e-9 * size);
            if (f < 3) {
                turned += b.turned;
                passed += fabs(b.turned);
                stays += b.total + b.rained + b.left - b.emitted - b.risen;
                off += b.rounding;
                assert_true(f != 2 || b.rained > 0.0);
            } else {
                // Heat is what condensing gives, at the coldest and at the warmest.
                assert_true(b.turned > 0.0);
            }
        }
        gyre_gas_stats stats = gyre_gas_get_stats(gas);
        printf("    water turned into each other off by %.2g, in all %.2g; %.3g m/s, gained %d, "
               "governed %d\n",
               turned / passed, (stays - off) / passed, (double)stats.max_speed, (int)stats.gained,
               (int)stats.governed);
        assert_true(fabs(turned) <= 1e-6 * passed && fabs(stays - off) <= 1e-6 * passed);
        assert_true(stats.gained == 0);
        gyre_gas_destroy(gas);
    }
}

/// A loaded state goes on to the same bits, and its budgets with it.
static void goes_on_after_load(void **state)
{
    (void)state;
    gyre_gas *gas = rise(2, true, true), *twin = rise(2, true, true);
    for (int s = 0; s < 60; s++)
        must(gyre_gas_step(gas, 15.0f));
    size_t size = gyre_gas_save_size(gas);
    void *memory = malloc(size);
    must(gyre_gas_save(gas, memory, size, NULL));
    for (int s = 0; s < 20; s++)
        must(gyre_gas_step(gas, 15.0f));
    uint64_t hash = gyre_gas_hash(gas);
    double rained = gyre_gas_get_budget(gas, gyre_gas_field(gas, "rain")).rained;
    must(gyre_gas_load(gas, memory, size));
    must(gyre_gas_load(twin, memory, size));
    for (int s = 0; s < 20; s++) {
        must(gyre_gas_step(gas, 15.0f));
        must(gyre_gas_step(twin, 15.0f));
    }
    assert_true(rained > 0.0);
    assert_int_equal(gyre_gas_hash(gas), hash);
    assert_int_equal(gyre_gas_hash(twin), hash);
    assert_true(gyre_gas_get_budget(twin, gyre_gas_field(twin, "rain")).rained == rained);
    free(memory);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(twin);
}

/// Whatever is written into the fields, and by the wildest settings, all stays finite.
static void stays_finite(void **state)
{
    (void)state;
    static const double wild[] = {-1e30, -300.0, -1e-3, 0.0, 1e-3, 1.0, 1e4, 1e19, 1e30};
    static const char *const names[] = {"temperature", "vapour", "cloud", "rain"};
    for (int q = 0; q < 4 * GY_COUNT(wild); q++) {
        gyre_gas_def def = airy(2, 20, 20, 1, 50);
        def.atmosphere.growth = 10.0f;
        def.atmosphere.collection = 100.0f;
        def.atmosphere.evaporation = 10.0f;
        gyre_gas *gas = create(&def);
        fill(gas, names[q % 4], layer, wild[q / 4]);
        fill(gas, names[(q + 1) % 4], NULL, 0.01);
        for (int s = 0; s < 4; s++)
            must(gyre_gas_step(gas, s == 3 ? 1e4f : 10.0f));
        for (int f = 0; f < 7; f++) {
            gyre_field_view v;
            must(gyre_gas_map(gas, f, GYRE_READ, &v));
            for (int j = 0; j < 20; j++)
                for (int i = 0; i < 20; i++)
                    assert_true(isfinite(v.data[i + j * v.stride[1]]));
            must(gyre_gas_unmap(gas, f));
        }
        gyre_gas_destroy(gas);
    }
}

/// What is set while it runs acts from the next step on, and a grid that was moved knows where it
/// is.
static void surroundings_follow(void **state)
{
    (void)state;
    gyre_gas_def def = airy(2, 16, 20, 1, 50);
    gyre_gas *gas = create(&def), *high;
    must(gyre_gas_step(gas, 1.0f));
    must(gyre_model_shift(gyre_gas_model(gas), (const int32_t[3]){0, 10, 0}));
    def.grid.origin[1] = 500.0f;
    high = create(&def);
    for (int q = 0; q < 2; q++) {
        gyre_gas *one = q ? high : gas;
        must(gyre_gas_step(one, 1.0f));
        must(gyre_gas_set(one, "atmosphere.aloft", gyre_number(0.95)));
        fill(one, "vapour", NULL, 0.005);
        must(gyre_gas_step(one, 1.0f));
    }
    double found = level_of(gas, "cloud", 1, 12), known = level_of(high, "cloud", 1, 12);
    assert_true(known > 1e-4 && fabs(found - known) < 1e-8);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(high);
}

static void refused(const gyre_gas_def *def, const char *words)
{
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(device, def, &gas), GYRE_ERROR_ARGUMENT);
    if (!strstr(gyre_message(), words))
        fail_msg("\"%s\" has no \"%s\"", gyre_message(), words);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    gyre_gas_def good = airy(2, 16, 16, 1, 50), def = good;
    strcpy(def.atmosphere.vapour, "vapor");
    refused(&def,
            "atmosphere.vapour.vapor: there is no scalar \"vapor\", did you mean \"vapour\"?");
    def = good;
    strcpy(def.atmosphere.water, "density");
    refused(&def, "atmosphere.water: \"density\" is no channel");
    def = good;
    def.atmosphere.water[0] = 0;
    refused(&def, "atmosphere.water: empty, expected a channel for what condenses of \"vapour\"");
    def.atmosphere.vapour[0] = 0;
    refused(&def, "atmosphere.rain: \"rain\", and vapour is empty");
    def = good;
    strcpy(def.atmosphere.rain, "cloud");
    refused(&def, "expected channels that differ");
    def = good;
    memset(def.atmosphere.rain, 'x', sizeof def.atmosphere.rain);
    refused(&def, "atmosphere.rain");
    def = good;
    strcpy(def.fire.fuel, "cloud");
    refused(&def, "atmosphere.water: \"cloud\" is fire's");
    def = good;
    def.gravity[0] = 1.0f;
    refused(&def, "gravity: (1, -9.81, 0), expected along -y where");
    def = good;
    def.gravity[1] = 0.0f;
    refused(&def, "gravity: (0, 0, 0), expected along -y where");
    def = good;
    def.sides.y_low.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_PERIODIC;
    refused(&def, "sides.y_low: periodic, expected another rule");
    def = good;
    def.advection = GYRE_GAS_CUBIC;
    refused(&def, "unless advection is \"conservative\"");
    def = good;
    def.half_scalars = true;
    refused(&def, "an atmosphere takes floats");
    def = good;
    def.atmosphere.lapse = 0.9f;
    refused(&def, "atmosphere.lapse: 0.9 K/m leaves");
    gyre_gas *gas = create(&good);
    assert_int_equal(gyre_gas_set(gas, "atmosphere.lapse", gyre_number(0.9)), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_set(gas, "atmosphere.layered", gyre_number(0.0)), GYRE_ERROR_STATE);
    must(gyre_gas_set(gas, "atmosphere.lapse", gyre_number(0.009)));
    must(gyre_gas_step(gas, 1.0f));
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloud_base_and_moist_adiabat),
        cmocka_unit_test(swings_at_brunt_and_vaisalas_frequency),
        cmocka_unit_test(water_weighs),
        cmocka_unit_test(neutral_air_rests),
        cmocka_unit_test(saturates_by_the_law),
        cmocka_unit_test(rain_falls),
        cmocka_unit_test(budgets_close),
        cmocka_unit_test(goes_on_after_load),
        cmocka_unit_test(stays_finite),
        cmocka_unit_test(surroundings_follow),
        cmocka_unit_test(mistakes_are_told),
    };
    must(gyre_device_create(NULL, &device));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    return failed;
}
