// test/test_grain_walls.c: tracers with mass beside what moves, whose surfaces drag them along, and
// beside sheets, across which they read no wind.
// timeout: 120
#include "test/sheet_rig.h"

#include "gas/tracers.h"
#include "gyre/gyre.h"

#include <stdio.h>

static gyre_particle_view open_set(gyre_gas *gas, gyre_access access)
{
    gyre_particle_view v;
    must(gyre_model_map_particles(gyre_gas_model(gas), 0, access, &v));
    return v;
}

static void close_set(gyre_gas *gas, int count)
{
    must(gyre_model_unmap_particles(gyre_gas_model(gas), 0, count));
}

/// Puts one particle at rest; of a plate lying flat.
static void place(gyre_gas *gas, const double x[3])
{
    gyre_particle_view v = open_set(gas, GYRE_WRITE);
    const gyre_particle_info *info = gyre_model_particles(gyre_gas_model(gas), 0);
    for (int a = 0; a < info->arrays; a++) {
        ((float *)v.data[a])[0] = a < 3 ? (float)x[a] : a == 11 ? 1.0f : 0.0f;
    }
    ((int32_t *)v.data[4])[0] = 0;
    close_set(gas, 1);
}

static void look(gyre_gas *gas, double x[3], double v[3])
{
    gyre_particle_view set = open_set(gas, GYRE_READ);
    assert_int_equal(set.count, 1);
    for (int a = 0; a < 3; a++) {
        x[a] = (double)((const float *)set.data[a])[0];
        v[a] = (double)((const float *)set.data[5 + a])[0];
    }
    close_set(gas, set.count);
}

static gyre_gas_def grains(int dim, int nx, int ny, int nz, float h)
{
    gyre_gas_def def = still_def(dim, nx, ny, nz, h, GYRE_GAS_SIDE_SLIP);
    def.tracers.capacity = 4;
    def.tracers.inertia = true;
    def.tracers.diameter = 0.01f;
    def.tracers.bounce = 0.0f;
    def.air_density = 0.0f;
    def.gravity[1] = -9.81f;
    def.thermal_expansion = 0.0f;
    return def;
}

/// What is laid on a belt that runs at 1 m/s gains friction times g until it is as fast, and then
/// goes along. Balls and plates.
static void a_belt_takes_them_along_by_its_friction(void **unused)
{
    (void)unused;
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = grains(2, 64, 16, 1, 0.0625f);
        gyre_gas_solid belt = gyre_gas_default_solid();
        const double friction = 0.2, dt = 0.005;
        belt.shape = gyre_box((float[3]){0, 0.1f, 0}, (float[3]){20, 0.3625f, 1});
        belt.pose.velocity[0] = 1.0f;
        def.solids = (gyre_pool){.items = &belt, .count = 1};
        def.tracers.friction = (float)friction;
        def.tracers.thickness = q ? 0.004f : 0.0f;
        gyre_gas *gas = make(&def);
        double x[3] = {0.5, q ? 0.28325 : 0.28625, 0}, v[3], from;
        place(gas, x);
        for (int s = 1; s <= 60; s++) {
            must(gyre_gas_step(gas, (float)dt));
            look(gas, x, v);
            double want = friction * 9.81 * dt * s;
            assert_true(fabs(v[0] - want) < 0.02 * want + 2.0 * friction * 9.81 * dt);
        }
        for (int s = 0; s < 100; s++) {
            must(gyre_gas_step(gas, (float)dt));
        }
        look(gas, x, v);
        from = x[0];
        for (int s = 0; s < 100; s++) {
            must(gyre_gas_step(gas, (float)dt));
        }
        look(gas, x, v);
        print_message("%s: at last %.5f m/s, %.4f m in half a second\n", q ? "plate" : "ball", v[0],
                      x[0] - from);
        assert_true(fabs(v[0] - 1.0) < 1e-4 && fabs(x[0] - from - 0.5) < 1e-3);
        gyre_gas_destroy(gas);
    }
}

/// What sticks to a ball that turns goes round with it, once in 2 pi / spin, over the top and
/// below.
static void what_sticks_goes_round_with_what_turns(void **unused)
{
    (void)unused;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = grains(dim, 24, 24, dim == 3 ? 24 : 1, 1.0f / 24);
        gyre_gas_solid ball = gyre_gas_default_solid();
        const double spin = 2.0, dt = 0.01, z = dim == 3 ? 0.5 : 0.0;
        ball.shape = gyre_sphere((float[3]){0, 0, 0}, 0.25f);
        ball.pose.position[0] = ball.pose.position[1] = 0.5f;
        ball.pose.position[2] = (float)z;
        ball.pose.spin[2] = (float)(spin * 180.0 / pi); // degrees
        def.solids = (gyre_pool){.items = &ball, .count = 1};
        def.tracers.stick = true;
        gyre_gas *gas = make(&def);
        double x[3] = {0.5, 0.77, z}, v[3], turned = 0.0, before = 0.0, off = 0.0;
        place(gas, x);
        int steps = (int)(2.0 * pi / spin / dt + 0.5);
        for (int s = 0; s < 40 + steps; s++) {
            must(gyre_gas_step(gas, (float)dt));
            look(gas, x, v);
            double angle = atan2(x[1] - 0.5, x[0] - 0.5);
            if (s >= 40) {
                turned += remainder(angle - before, 2.0 * pi);
                off = fmax(off, fabs(hypot(x[0] - 0.5, x[1] - 0.5) - 0.255));
            }
            before = angle;
        }
        print_message("%dD: turned by %.4f, asked %.4f; %.2g m off its surface\n", dim, turned,
                      spin * dt * steps, off);
        assert_true(fabs(turned - spin * dt * steps) < 0.02);
        // Distances between corners of cells: h^2 / 4 R, and the sixteenth of a cell.
        assert_true(off < 1.0 / 24 / 16 + 0.0018 + 1e-3);
        gyre_gas_destroy(gas);
    }
}

static double wind(const double x[3], const void *data)
{
    return x[0] > *(const double *)data ? 3.0 : 0.0;
}

/// A sheet with still air on one side and wind along it and onto it on the other: those on the
/// still side stay where they are, to the bit; those in the wind are carried off. Without the
/// sheet the
/// same wind takes the nearest along.
static void no_wind_is_read_across_a_sheet(void **unused)
{
    (void)unused;
    for (int q = 0; q < 4; q++) {
        int dim = q < 2 ? 2 : 3;
        bool parted = q % 2 == 0;
        gyre_gas_def def = grains(dim, 20, 20, dim == 3 ? 20 : 1, 0.05f);
        const double at = 0.5;
        gyre_gas_sheet s =
            dim == 3 ? gyre_gas_default_sheet(GYRE_GAS_SHEET_PANEL) : line(at, -0.1, at, 1.1);
        if (dim == 3) {
            s.form.as.panel = (struct gyre_gas_sheet_panel){
                .corner = {(float)at, -1, -1}, .along = {0, 3, 0}, .across = {0, 0, 3}};
        }
        def.sheets = (gyre_pool){&s, parted, 1};
        def.air_density = 1.2f;
        def.gravity[1] = 0.0f;
        def.tracers.diameter = 1e-4f;
        def.tracers.capacity = 64;
        gyre_gas *gas = make(&def);
        for (int a = 1; a < dim; a++) {
            set_field(gas, a, wind, &at);
        }
        gy_gas_list_fields(gas);
        gy_gas_halo(gas, 0, gas->velocities, false, true);
        gyre_particle_view v = open_set(gas, GYRE_WRITE);
        for (int i = 0; i < 40; i++) {
            // Up to 2 mm before the sheet, 3/100 of a cell of it.
            float x =
                0.498f - 0.02f * (float)(i % 20) + (i < 20 ? 0.0f : 0.1f + 0.03f * (float)(i % 20));
            for (int c = 0; c < 8; c++) {
                ((float *)v.data[c])[i] = c == 0 ? x : c < dim ? 0.5f : 0.0f;
            }
            ((int32_t *)v.data[4])[i] = i;
        }
        close_set(gas, 40);
        for (int n = 0; n < 5; n++) {
            gy_gas_carry_tracers(gas, 0.01f, gas->slot);
        }
        v = open_set(gas, GYRE_READ);
        int moved[2] = {0, 0}, all[2] = {0, 0};
        for (int i = 0; i < v.count; i++) {
            int id = ((const int32_t *)v.data[4])[i], side = id >= 20;
            bool still = true;
            for (int c = 0; c < dim; c++) {
                still = still && ((const float *)v.data[5 + c])[i] == 0.0f;
                still = still && (c == 0 || ((const float *)v.data[c])[i] == 0.5f);
            }
            all[side]++;
            moved[side] += !still;
        }
        close_set(gas, v.count);
        print_message("%dD, %s: of %d in still air %d are moved, of %d in the wind %d\n", dim,
                      parted ? "a sheet" : "none", all[0], moved[0], all[1], moved[1]);
        assert_true(parted ? moved[0] == 0 : moved[0] > 0);
        assert_true(moved[1] == all[1] && all[1] > 0);
        gyre_gas_destroy(gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_takes_them_along_by_its_friction),
        cmocka_unit_test(what_sticks_goes_round_with_what_turns),
        cmocka_unit_test(no_wind_is_read_across_a_sheet),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
