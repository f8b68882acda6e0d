// Fire in a gas: what burns, what it gives, radiation and expansion against known answers, budgets,
// states that go on to the same bits, and what is refused.
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

static gyre_gas_def burning(int dim, int x, int y, int z)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    def.grid.n[0] = x;
    def.grid.n[1] = y;
    def.grid.n[2] = z;
    def.grid.h = 1.0f / (float)x;
    memset(channels, 0, sizeof channels);
    strcpy(channels[0].name, "fuel");
    strcpy(channels[1].name, "spent");
    strcpy(channels[2].name, "air");
    def.channels = (gyre_pool){channels, 3, 3};
    strcpy(def.fire.fuel, "fuel");
    strcpy(def.fire.spent, "spent");
    def.fire.rate = 5.0f;
    def.fire.heat = 3000.0f;
    def.fire.air = 10.0f;
    def.fire.soot = 0.1f;
    def.fire.cooling = 500.0f;
    return def;
}

static gyre_gas *create(const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

/// Writes a value into all samples of a field.
static void fill(gyre_gas *gas, const char *name, float value)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, name);
    must(gyre_gas_map(gas, field, GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++)
        for (int j = 0; j < v.n[1]; j++)
            for (int i = 0; i < v.n[0]; i++)
                v.data[i + j * v.stride[1] + k * v.stride[2]] = value;
    must(gyre_gas_unmap(gas, field));
}

static double first(gyre_gas *gas, const char *name)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, name);
    must(gyre_gas_map(gas, field, GYRE_READ, &v));
    double value = (double)v.data[0];
    must(gyre_gas_unmap(gas, field));
    return value;
}

static void close_to(const char *what, double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within * fabs(expected)))
        fail_msg("%s: %.9g, expected %.9g", what, found, expected);
}

/// Gas that is the same everywhere burns as an ordinary differential equation says, by any dt.
static void burns_by_the_law(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 64; steps *= 8) {
        gyre_gas_def def = burning(2, 37, 18, 1);
        def.fire.cooling = 0.0f;
        gyre_gas *gas = create(&def);
        fill(gas, "fuel", 0.01f);
        fill(gas, "temperature", 600.0f);
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, 0.4f / (float)steps));
        double left = 0.01 * exp(-5.0 * 0.4), burnt = 0.01 - left;
        close_to("fuel", first(gas, "fuel"), left, 1e-5);
        close_to("temperature", first(gas, "temperature"), 600.0 + 3000.0 * burnt, 1e-5);
        close_to("smoke", first(gas, "density"), 0.1 * burnt, 1e-5);
        close_to("spent", first(gas, "spent"), 10.0 * burnt, 1e-5);
        gyre_gas_destroy(gas);
    }
}

static void radiates_as_the_fourth_power(void **state)
{
    (void)state;
    static const double hot[] = {20.0, 700.0, 2500.0, 1e5};
    for (int q = 0; q < 4; q++)
        for (int steps = 1; steps <= 64; steps *= 8) {
            gyre_gas_def def = burning(3, 17, 6, 5);
            def.thermal_expansion = 0.0f;
            gyre_gas *gas = create(&def);
            fill(gas, "temperature", (float)hot[q]);
            for (int s = 0; s < steps; s++)
                must(gyre_gas_step(gas, 2.0f / (float)steps));
            double grown = 3.0 * 500.0 * 2.0 / 1e12;
            double left = pow(pow(hot[q], -3.0) + grown, -1.0 / 3.0);
            close_to("temperature", first(gas, "temperature"), left, 1e-5);
            gyre_gas_destroy(gas);
        }
}

/// Without a spark, below ignition, without fuel nothing burns; where air lacks, as much as it can.
static void burns_what_it_may(void **state)
{
    (void)state;
    static const struct {
        float fuel, temperature, spent, left;
    } cases[] = {{0.5f, 0.0f, 0.0f, 0.5f},   {0.5f, 399.0f, 0.0f, 0.5f},
                 {0.5f, 401.0f, 0.0f, 0.4f}, {0.5f, 401.0f, 0.4f, 0.44f},
                 {0.5f, 401.0f, 1.5f, 0.5f}, {0.05f, 401.0f, 0.0f, 0.0f}};
    for (int c = 0; c < 6; c++) {
        gyre_gas_def def = burning(2, 20, 20, 1);
        def.fire.cooling = 0.0f;
        def.fire.rate = 1e6f;
        gyre_gas *gas = create(&def);
        fill(gas, "fuel", cases[c].fuel);
        fill(gas, "temperature", cases[c].temperature);
        fill(gas, "spent", cases[c].spent);
        for (int s = 0; s < 3; s++)
            must(gyre_gas_step(gas, 0.1f));
        if (fabs(first(gas, "fuel") - (double)cases[c].left) > 1e-5)
            fail_msg("case %d: %.9g of the fuel is left", c, first(gas, "fuel"));
        gyre_gas_destroy(gas);
    }
}

/// A fire that a spark lights, over which every budget closes.
static gyre_gas *light(int dim, float expansion, int advection)
{
    gyre_gas_def def = burning(dim, 32, dim == 2 ? 48 : 40, dim == 2 ? 1 : 24);
    def.advection = advection;
    def.sides.x_low.rule = def.sides.x_high.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    def.fire.expansion = expansion;
    gyre_gas_emitter e = gyre_gas_default_emitter();
    e.shape = gyre_sphere((const float[3]){0.5f, 0.15f, 0.37f}, 0.1f);
    strcpy(e.feeds[0].name, "fuel");
    e.feeds[0].amount = 0.5f;
    def.emitters = (gyre_pool){&e, 1, 1};
    gyre_gas_solid s = gyre_gas_default_solid();
    s.shape = gyre_sphere((const float[3]){0.45f, 0.6f, 0.37f}, 0.12f);
    def.solids = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = create(&def);
    for (int q = 0; q < 10; q++)
        must(gyre_gas_step(gas, 0.02f));
    float spark[3] = {0.5f, 0.15f, 0.37f};
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), spark, 0.1f,
                        expansion > 0.0f ? 280.0f : 800.0f));
    return gas;
}

static void check_budget(gyre_gas *gas, const char *name)
{
    gyre_gas_budget b = gyre_gas_get_budget(gas, gyre_gas_field(gas, name));
    double comes = b.emitted + b.added + b.edited + b.came + b.walls + b.burnt;
    double goes = b.faded + b.radiated + b.left;
    double off = b.total - (comes - goes + b.rounding);
    double passed =
        fabs(b.emitted) + fabs(b.added) + fabs(b.burnt) + fabs(b.left) + fabs(b.radiated);
    printf("    %-12s total %.6g, burnt %.6g, radiated %.6g, left %.6g: off by %.2g\n", name,
           b.total, b.burnt, b.radiated, b.left, off / passed);
    assert_true(passed > 0.0 && fabs(off) <= 1e-6 * passed);
    assert_true(fabs(b.rounding) <= 1e-6 * passed);
}

static void budgets_close(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int x = 0; x < 2; x++) {
            gyre_gas *gas = light(dim, (float)x, GYRE_GAS_CONSERVATIVE);
            for (int s = 0; s < 40; s++)
                must(gyre_gas_step(gas, 0.02f));
            static const char *const names[] = {"fuel", "temperature", "density", "spent"};
            for (int q = 0; q < 4; q++)
                check_budget(gas, names[q]);
            double fuel = gyre_gas_get_budget(gas, gyre_gas_field(gas, "fuel")).burnt;
            gyre_gas_budget heat = gyre_gas_get_budget(gas, gyre_gas_field(gas, "temperature"));
            assert_true(fuel < -1e-4 && heat.radiated > 0.01 * heat.burnt);
            close_to("heat released", heat.burnt, -3000.0 * fuel, 1e-5);
            close_to("smoke", gyre_gas_get_budget(gas, gyre_gas_field(gas, "density")).burnt,
                     -0.1 * fuel, 1e-5);
            // Gas that has expanded has as much less of oxygen.
            double swells = x ? (heat.burnt - heat.radiated) / 293.0 : 0.0;
            close_to("spent", gyre_gas_get_budget(gas, gyre_gas_field(gas, "spent")).burnt,
                     -10.0 * fuel + swells, 1e-4);
            gyre_gas_destroy(gas);
        }
}

/// Air that was 1 everywhere thins as the field of temperature says: density = 1 - t / 293, which
/// is the law of a gas at constant pressure. Returns how far it is off, as a share of how thin it
/// is.
static double thinned(float expansion, int steps, double *thinnest, double *most)
{
    gyre_gas_def def = burning(2, 48, 48, 1);
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.sides.y_low.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    def.fire.expansion = expansion;
    def.fire.air = 0.0f;
    def.fire.cooling = 300.0f;
    gyre_gas *gas = create(&def);
    fill(gas, "air", 1.0f);
    gyre_gas_splat(gas, gyre_gas_field(gas, "fuel"), (const float[3]){0.5f, 0.5f, 0}, 0.2f, 0.1f);
    must(gyre_gas_set(gas, "fire.ignition", gyre_number(0.0)));
    fill(gas, "temperature", 1e-3f);
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, 0.6f / (float)steps));
    gyre_field_view a, t;
    int air = gyre_gas_field(gas, "air"), heat = gyre_gas_field(gas, "temperature");
    must(gyre_gas_map(gas, air, GYRE_READ, &a));
    must(gyre_gas_map(gas, heat, GYRE_READ, &t));
    double off = 0.0, deficit = 0.0;
    *thinnest = 1.0, *most = 0.0;
    for (int j = 8; j < 40; j++)
        for (int i = 8; i < 40; i++) {
            double air_at = (double)a.data[i + j * a.stride[1]];
            double warm = (double)t.data[i + j * t.stride[1]] / 293.0;
            off += (air_at - (1.0 - warm)) * (air_at - (1.0 - warm));
            deficit += warm * warm;
            *thinnest = fmin(*thinnest, air_at);
            *most = fmax(*most, warm);
        }
    must(gyre_gas_unmap(gas, air));
    must(gyre_gas_unmap(gas, heat));
    // What swelling gives the flow is not taken for energy from nothing.
    printf("    %lld steps were held back\n", (long long)gyre_gas_get_stats(gas).governed);
    assert_true(expansion == 0.0f || gyre_gas_get_stats(gas).governed == 0);
    gyre_gas_destroy(gas);
    return sqrt(off / deficit);
}

static void expands_as_at_constant_pressure(void **state)
{
    (void)state;
    double thinnest, most, off = 0.0, before = 0.0;
    // What has swollen flows out over the next steps: of first order in dt.
    for (int steps = 30; steps <= 240; steps *= 2, before = off) {
        off = thinned(1.0f, steps, &thinnest, &most);
        printf("    %3d steps: air down to %.4f, t / 293 up to %.4f, off by %.3g\n", steps,
               thinnest, most, off);
        assert_true(thinnest < 0.55 && thinnest > 0.0 && (steps == 30 || off < 0.6 * before));
    }
    assert_true(off < 0.015);
    off = thinned(0.0f, 60, &thinnest, &most);
    printf("    none:  air down to %.4f, t / 293 up to %.4f\n", thinnest, most);
    assert_true(fabs(thinnest - 1.0) < 1e-4 && most > 0.5);
}

/// In a closed box what expands presses the rest together: nothing blows up, nothing is lost.
static void a_closed_box_holds_it(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = burning(dim, 32, 32, dim == 2 ? 1 : 24);
        def.fire.expansion = 1.0f;
        def.fire.cooling = 0.0f;
        def.fire.air = 1.0f;
        def.gravity[1] = def.gravity[2] = 0.0f;
        gyre_gas *gas = create(&def);
        float middle[3] = {0.5f, 0.5f, 0.37f};
        fill(gas, "air", 1.0f);
        must(gyre_gas_splat(gas, gyre_gas_field(gas, "fuel"), middle, 0.2f, 0.3f));
        must(gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), middle, 0.2f, 250.0f));
        float fastest = 0.0f;
        for (int s = 0; s < 200; s++) {
            must(gyre_gas_step(gas, 0.01f));
            fastest = fmaxf(fastest, gyre_gas_get_stats(gas).max_speed);
        }
        gyre_gas_stats stats = gyre_gas_get_stats(gas);
        gyre_gas_budget b = gyre_gas_get_budget(gas, gyre_gas_field(gas, "air"));
        printf("    %dD: to %.3g m/s, %.3g at the end; air off by %.2g\n", dim, (double)fastest,
               (double)stats.max_speed, b.total / b.edited - 1.0);
        assert_true(fastest > 0.1f && fastest < 10.0f && stats.max_speed < 0.5f * fastest);
        close_to("air", b.total, b.edited, 1e-5);
        // What heats air at constant volume by 293 K doubles its pressure.
        gyre_gas_budget heat = gyre_gas_get_budget(gas, gyre_gas_field(gas, "temperature"));
        double volume = dim == 2 ? 1.0 : 0.75;
        close_to("rise of the pressure", stats.pent_up, heat.burnt / 293.0 / volume, 1e-3);
        gyre_gas_destroy(gas);
    }
}

static void every_scheme_burns(void **state)
{
    (void)state;
    for (int scheme = GYRE_GAS_SEMI_LAGRANGIAN; scheme <= GYRE_GAS_CUBIC; scheme++) {
        gyre_gas *gas = light(2, 0.0f, scheme);
        for (int s = 0; s < 20; s++)
            must(gyre_gas_step(gas, 0.02f));
        gyre_field_view v;
        int field = gyre_gas_field(gas, "density");
        float most = 0.0f;
        must(gyre_gas_map(gas, field, GYRE_READ, &v));
        for (int j = 0; j < v.n[1]; j++)
            for (int i = 0; i < v.n[0]; i++)
                most = fmaxf(most, v.data[i + j * v.stride[1]]);
        must(gyre_gas_unmap(gas, field));
        assert_true(most > 1e-4f && isfinite(most));
        gyre_gas_destroy(gas);
    }
}

/// A loaded state goes on to the same bits, and its budgets with it.
static void goes_on_after_load(void **state)
{
    (void)state;
    for (int x = 0; x < 2; x++) {
        gyre_gas *gas = light(2, (float)x, GYRE_GAS_CONSERVATIVE);
        for (int s = 0; s < 10; s++)
            must(gyre_gas_step(gas, 0.02f));
        size_t size = gyre_gas_save_size(gas);
        void *memory = malloc(size);
        must(gyre_gas_save(gas, memory, size, NULL));
        for (int s = 0; s < 10; s++)
            must(gyre_gas_step(gas, 0.02f));
        uint64_t hash = gyre_gas_hash(gas);
        double burnt = gyre_gas_get_budget(gas, gyre_gas_field(gas, "fuel")).burnt;
        must(gyre_gas_load(gas, memory, size));
        gyre_gas *twin = light(2, (float)x, GYRE_GAS_CONSERVATIVE);
        must(gyre_gas_load(twin, memory, size));
        for (int s = 0; s < 10; s++) {
            must(gyre_gas_step(gas, 0.02f));
            must(gyre_gas_step(twin, 0.02f));
        }
        assert_int_equal(gyre_gas_hash(gas), hash);
        assert_int_equal(gyre_gas_hash(twin), hash);
        assert_true(gyre_gas_get_budget(twin, gyre_gas_field(twin, "fuel")).burnt == burnt);
        free(memory);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(twin);
    }
}

/// Whatever is written into the fields, and by the wildest settings, all stays finite.
static void stays_finite(void **state)
{
    (void)state;
    static const float wild[] = {-1e30f, -300.0f, 0.0f, 290.0f, 293.5f, 1e4f, 1e19f, 1e30f};
    for (int x = 0; x < 2; x++)
        for (int q = 0; q < GY_COUNT(wild); q++) {
            gyre_gas_def def = burning(2, 20, 20, 1);
            def.fire.expansion = (float)x;
            def.fire.rate = def.fire.heat = def.fire.air = def.fire.soot = def.fire.cooling = 1e6f;
            gyre_gas *gas = create(&def);
            fill(gas, "temperature", wild[q]);
            float middle[3] = {0.5f, 0.5f, 0.0f};
            must(gyre_gas_splat(gas, gyre_gas_field(gas, "fuel"), middle, 0.3f, fabsf(wild[q])));
            must(gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), middle, 0.3f, 2e3f));
            for (int s = 0; s < 5; s++)
                must(gyre_gas_step(gas, s == 3 ? 10.0f : 0.02f));
            for (int f = 0; f < 7; f++) {
                gyre_field_view v;
                must(gyre_gas_map(gas, f, GYRE_READ, &v));
                for (int i = 0; i < 20; i++)
                    assert_true(isfinite(v.data[i + 9 * v.stride[1]]));
                must(gyre_gas_unmap(gas, f));
            }
            gyre_gas_destroy(gas);
        }
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
    gyre_gas_def def = burning(2, 16, 16, 1), good = def;
    strcpy(def.fire.fuel, "feul");
    refused(&def, "fire.fuel: there is no channel \"feul\", did you mean \"fuel\"?");
    def = good;
    strcpy(def.fire.fuel, "zzzzzz");
    refused(&def, "fire.fuel: there is no channel \"zzzzzz\"; channels have others");
    def = good;
    strcpy(def.fire.fuel, "temperature");
    refused(&def, "fire.fuel: there is no channel \"temperature\"");
    def = good;
    strcpy(def.fire.spent, "oxygen");
    refused(&def, "fire.spent: there is no channel \"oxygen\"");
    def = good;
    strcpy(def.fire.spent, "fuel");
    refused(&def, "expected another channel");
    def = good;
    def.half_scalars = true;
    refused(&def, "fire takes floats");
    def = good;
    def.fire.expansion = 0.5f;
    def.advection = GYRE_GAS_MACCORMACK;
    refused(&def, "fire.expansion: 0.5, expected 0 unless");
    def.advection = GYRE_GAS_CONSERVATIVE;
    def.thermal_expansion = 0.0f;
    refused(&def, "has no effect");
    def = good;
    def.fire.rate = -1.0f;
    refused(&def, "fire.rate");
    gyre_gas *gas = create(&good);
    assert_int_equal(gyre_gas_set(gas, "fire.expansion", gyre_number(2.0)), GYRE_ERROR_ARGUMENT);
    must(gyre_gas_set(gas, "fire.expansion", gyre_number(1.0)));
    must(gyre_gas_step(gas, 0.01f));
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(burns_by_the_law),
        cmocka_unit_test(radiates_as_the_fourth_power),
        cmocka_unit_test(burns_what_it_may),
        cmocka_unit_test(budgets_close),
        cmocka_unit_test(expands_as_at_constant_pressure),
        cmocka_unit_test(a_closed_box_holds_it),
        cmocka_unit_test(every_scheme_burns),
        cmocka_unit_test(goes_on_after_load),
        cmocka_unit_test(stays_finite),
        cmocka_unit_test(mistakes_are_told),
    };
    must(gyre_device_create(NULL, &device));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    return failed;
}
