// labels: small
// Wings of a door that turn between sheets, with gaps of a cell and a half. What they do
// to the gas is no energy from nothing, and what the solver leaves grows to nothing.
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static gyre_gas_sheet line(double x0, double y0, double x1, double y1)
{
    gyre_gas_sheet s = gyre_gas_default_sheet(GYRE_GAS_SHEET_LINE);
    s.form.as.line.from[0] = (float)x0;
    s.form.as.line.from[1] = (float)y0;
    s.form.as.line.to[0] = (float)x1;
    s.form.as.line.to[1] = (float)y1;
    return s;
}

/// Two rooms, and a door of two wings between half rings.
static gyre_gas *make_door(double wing)
{
    gyre_gas_def def = still_def(2, 96, 64, 1, 0.025f, GYRE_GAS_SIDE_SLIP);
    gyre_gas_solid walls[2] = {gyre_gas_default_solid(), gyre_gas_default_solid()};
    walls[0].shape = gyre_box((float[]){1.2f, 1.38f, 0}, (float[]){0.06f, 0.46f, 1});
    walls[1].shape = gyre_box((float[]){1.2f, 0.22f, 0}, (float[]){0.06f, 0.46f, 1});
    gyre_gas_sheet s[8] = {line(-wing, 0, wing, 0),
                           line(0, -wing, 0, wing),
                           line(1.475, 1.048, 1.302, 1.156),
                           line(1.302, 1.156, 1.098, 1.156),
                           line(1.098, 1.156, 0.925, 1.048),
                           line(0.925, 0.5524, 1.098, 0.4443),
                           line(1.098, 0.4443, 1.302, 0.4443),
                           line(1.302, 0.4443, 1.475, 0.5524)};
    for (int q = 0; q < 2; q++) {
        s[q].pose.position[0] = 1.2f;
        s[q].pose.position[1] = 0.8f;
        s[q].pose.spin[2] = 120.0f;
    }
    def.solids = (gyre_pool){walls, 2, 2};
    def.sheets = (gyre_pool){s, 8, 8};
    return make(&def);
}

static gyre_gas_solid slab(double x0, double y0, double x1, double y1, double thick)
{
    gyre_gas_solid s = gyre_gas_default_solid();
    double length = hypot(x1 - x0, y1 - y0);
    s.shape = gyre_box((float[]){0, 0, 0}, (float[]){(float)length, (float)thick, 1});
    s.pose.position[0] = (float)(0.5 * (x0 + x1));
    s.pose.position[1] = (float)(0.5 * (y0 + y1));
    s.pose.rotation[2] = (float)(atan2(y1 - y0, x1 - x0) * 57.29577951308232);
    return s;
}

/// The same door made of slabs.
static gyre_gas *make_thick_door(double wing, double thick)
{
    gyre_gas_def def = still_def(2, 96, 64, 1, 0.025f, GYRE_GAS_SIDE_SLIP);
    gyre_gas_solid s[] = {slab(1.2 - wing, 0.8, 1.2 + wing, 0.8, thick),
                          slab(1.2, 0.8 - wing, 1.2, 0.8 + wing, thick),
                          slab(1.475, 1.048, 1.302, 1.156, thick),
                          slab(1.302, 1.156, 1.098, 1.156, thick),
                          slab(1.098, 1.156, 0.925, 1.048, thick),
                          slab(0.925, 0.5524, 1.098, 0.4443, thick),
                          slab(1.098, 0.4443, 1.302, 0.4443, thick),
                          slab(1.302, 0.4443, 1.475, 0.5524, thick),
                          slab(1.2, 1.15, 1.2, 1.61, 0.06),
                          slab(1.2, -0.01, 1.2, 0.45, 0.06)};
    for (int q = 0; q < 2; q++)
        s[q].pose.spin[2] = 120.0f;
    def.solids = (gyre_pool){s, 10, 10};
    return make(&def);
}

static void turn(gyre_gas *gas, int step)
{
    const float dt = 1.0f / 60;
    bool thick = gas->def->solids.count > 2;
    for (int q = 0; q < 2; q++) {
        float angle = 120.0f * dt * (float)(step + 1) + (thick && q ? 90.0f : 0.0f);
        char path[64];
        snprintf(path, sizeof path, "%s.%d.rotation", thick ? "solids" : "sheets", q);
        must(gyre_gas_set(gas, path, gyre_vector(3, (float[]){0, 0, angle})));
    }
    must(gyre_gas_step(gas, dt));
}

static void a_door_makes_no_energy(void **state)
{
    (void)state;
    gyre_gas *gas = make_door(0.32);
    double most = 0.0, early = 0.0, left = 0.0;
    int steps = SANITIZED ? 20 : 900;
    for (int s = 0; s < steps; s++) {
        turn(gas, s);
        gyre_gas_stats st = gyre_gas_get_stats(gas);
        most = fmax(most, st.kinetic_energy);
        early = s < 180 ? most : early;
        left = s > 3 ? fmax(left, (double)st.div_rms_after) : 0.0;
    }
    gyre_gas_stats st = gyre_gas_get_stats(gas);
    if (getenv("GYRE_TEST_PRINT"))
        print_message(
            "energy to %.4g, in the first turn %.4g; divergence to %.2g of %.2g; governed "
            "%d, gained %d of %d\n",
            most, early, left, (double)st.div_rms_before, (int)st.governed, (int)st.gained, steps);
    // Held back in 4 steps of 5 when what the wings bring was not counted.
    assert_true(st.governed <= steps / 100 && st.gained == 0);
    assert_true(most < 2.0 * early);
    // Was 0.026 by what one cycle had left, and grew to 1 and more in scene/revolving_door.json.
    assert_true(left < 1e-3);
    gyre_gas_destroy(gas);
}

/// Of slabs of 1.2 cells, too. (One cycle a step in place of a solve leaves 0.012.)
static void a_thick_door_keeps_still(void **state)
{
    (void)state;
    gyre_gas *gas = make_thick_door(0.32, 0.03);
    double most = 0.0, early = 0.0, left = 0.0;
    int steps = SANITIZED ? 20 : 400;
    for (int s = 0; s < steps; s++) {
        turn(gas, s);
        gyre_gas_stats st = gyre_gas_get_stats(gas);
        most = fmax(most, st.kinetic_energy);
        early = s < 180 ? most : early;
        left = fmax(left, (double)st.div_rms_after);
    }
    gyre_gas_stats st = gyre_gas_get_stats(gas);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("of slabs: energy to %.4g, in the first turn %.4g; divergence to %.2g; "
                      "governed %d of %d\n",
                      most, early, left, (int)st.governed, steps);
    assert_true(st.governed <= steps / 100 && st.gained == 0);
    assert_true(most < 1.5 * early && left < 1e-3);
    gyre_gas_destroy(gas);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    gyre_gas *gas = make_door(0.32), *other = make_door(0.32);
    for (int s = 0; s < 12; s++)
        turn(gas, s);
    size_t size = gyre_gas_save_size(gas), written;
    void *bytes = malloc(size);
    must(gyre_gas_save(gas, bytes, size, &written));
    must(gyre_gas_load(other, bytes, written));
    for (int s = 12; s < 20; s++) {
        turn(gas, s);
        turn(other, s);
        assert_int_equal(gyre_gas_hash(gas), gyre_gas_hash(other));
    }
    assert_int_equal(gyre_gas_get_stats(gas).governed, gyre_gas_get_stats(other).governed);
    free(bytes);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_makes_no_energy),
        cmocka_unit_test(a_thick_door_keeps_still),
        cmocka_unit_test(a_state_goes_on),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
