// test/test_grains.c: tracers with mass: drag, weight, buoyancy, gusts, bounces, rest; and that
// none is gone without being counted.
// labels: golden threads
// timeout: 300
#include "every_device.h"
#include "gas_rig.h"

#include "gas/tracers.h"
#include "gyre/gyre.h"
#include "model/drift.h"

#include <stdint.h>
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

/// Puts particles at these points with one velocity.
static void place(gyre_gas *gas, int count, const float (*points)[3], const float velocity[3])
{
    gyre_particle_view v = open_set(gas, GYRE_WRITE);
    for (int i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            ((float *)v.data[a])[i] = points[i][a];
            ((float *)v.data[5 + a])[i] = velocity[a];
        }
        ((float *)v.data[3])[i] = 0.0f;
        ((int32_t *)v.data[4])[i] = i;
    }
    close_set(gas, count);
}

typedef struct state {
    double x[3], v[3];
} state;

static state find(gyre_gas *gas, int id)
{
    gyre_particle_view v = open_set(gas, GYRE_READ);
    state s = {{0}, {0}};
    int at = -1;
    for (int i = 0; i < v.count; i++) {
        at = ((const int32_t *)v.data[4])[i] == id ? i : at;
    }
    assert_true(at >= 0);
    for (int a = 0; a < 3; a++) {
        s.x[a] = (double)((const float *)v.data[a])[at];
        s.v[a] = (double)((const float *)v.data[5 + a])[at];
    }
    close_set(gas, v.count);
    return s;
}

static gyre_gas_def grains(int dim, int nx, int ny, int nz, float h, int rule)
{
    gyre_gas_def def = still_def(dim, nx, ny, nz, h, rule);
    def.tracers.capacity = 64;
    def.tracers.inertia = true;
    return def;
}

static void run(gyre_gas *gas, int steps, double dt)
{
    for (int s = 0; s < steps; s++) {
        must(gyre_gas_step(gas, (float)dt));
    }
}

/// The drag coefficient of a ball: written down from the law anew, with the C library's pow.
static double coefficient(double re)
{
    return re < 1000.0 ? 24.0 / re * (1.0 + 0.15 * pow(re, 0.687)) : 0.44;
}

/// The speed at which weight less buoyancy is the drag: by halving.
static double terminal(double d, double density, double air, double nu, double g)
{
    double low = 0.0, high = 1e4, weight = fabs(density - air) * g * pi * d * d * d / 6.0;
    for (int i = 0; i < 200; i++) {
        double v = 0.5 * (low + high), re = v * d / nu;
        double pull = 0.5 * air * v * v * coefficient(re) * pi * d * d / 4.0;
        *(pull < weight ? &low : &high) = v;
    }
    return 0.5 * (low + high);
}

/// From 10 um of dust to a stone, in steps far shorter and far longer than their relaxation.
static void they_fall_as_schiller_and_naumann_say(void **unused)
{
    (void)unused;
    static const double diameters[] = {1e-5, 1e-4, 5e-4, 2e-3, 1e-2, 0.05};
    for (int q = 0; q < (int)GY_COUNT(diameters); q++) {
        for (int r = 0; r < 2; r++) {
            gyre_gas_def def = grains(2, 16, 16, 1, 0.5f, GYRE_GAS_SIDE_PERIODIC);
            double d = (double)(float)diameters[q];
            def.gravity[1] = -9.81f;
            def.thermal_expansion = 0.0f;
            def.tracers.diameter = (float)d;
            gyre_gas *gas = make(&def);
            place(gas, 1, (const float[1][3]){{4, 4, 0}}, (const float[3]){0, 0, 0});
            double want = terminal(d, 1000.0, (double)def.air_density, 1.5e-5, 9.81);
            double dt = r ? 3.0 : fmax(want / 9.81 / 20.0, 1e-4);
            run(gas, r ? 12 : 300, dt);
            double got = -find(gas, 0).v[1];
            print_message("%g m, steps of %g s: falls at %.6g m/s, law %.6g (Re %.3g)\n", d, dt,
                          got, want, want * d / 1.5e-5);
            assert_true(fabs(got / want - 1.0) < 1e-4);
            gyre_gas_destroy(gas);
        }
    }
}

/// In Stokes's regime a speed dies away as exp(-t / tau), whatever the step.
static void a_speed_dies_away_as_stokes_says(void **unused)
{
    (void)unused;
    for (int q = 0; q < 3; q++) {
        gyre_gas_def def = grains(3, 8, 8, 8, 0.125f, GYRE_GAS_SIDE_PERIODIC);
        const double d = (double)2e-5f, start = 1e-3;
        def.tracers.diameter = 2e-5f;
        def.tracers.density = 2500.0f;
        gyre_gas *gas = make(&def);
        double air = (double)def.air_density;
        double tau = (2500.0 + 0.5 * air) * d * d / (18.0 * (double)def.tracers.viscosity * air);
        double dt = tau * (q == 0 ? 0.05 : q == 1 ? 0.5 : 2.0);
        int steps = q == 0 ? 40 : q == 1 ? 4 : 1;
        const float v[3] = {(float)start, 0, 0};
        place(gas, 1, (const float[1][3]){{0.5f, 0.5f, 0.5f}}, v);
        run(gas, steps, dt);
        state s = find(gas, 0);
        double re = start * d / 1.5e-5, more = 1.0 + 0.15 * pow(re, 0.687);
        print_message("%d steps: %.7g of the speed, e^-2 is %.7g (Re %.2g)\n", steps,
                      s.v[0] / start, exp(-2.0), re);
        // Schiller and Naumann's law is a little more than Stokes's; it is between both.
        assert_true(s.v[0] / start <= exp(-2.0) * (1.0 + 1e-5));
        assert_true(s.v[0] / start >= exp(-2.0 * more) * (1.0 - 1e-5));
        gyre_gas_destroy(gas);
    }
}

static void without_air_they_fly_parabolas(void **unused)
{
    (void)unused;
    gyre_gas_def def = grains(2, 32, 32, 1, 0.25f, GYRE_GAS_SIDE_SLIP);
    def.gravity[1] = -9.81f;
    def.air_density = 0.0f;
    gyre_gas *gas = make(&def);
    place(gas, 1, (const float[1][3]){{0.5f, 1.0f, 0}}, (const float[3]){3, 8, 0});
    run(gas, 50, 0.02);
    state s = find(gas, 0);
    print_message("after 1 s at %.6g, %.6g m\n", s.x[0], s.x[1]);
    assert_true(fabs(s.x[0] - 3.5) < 2e-5 && fabs(s.x[1] - (1.0 + 8.0 - 4.905)) < 2e-5);
    assert_true(fabs(s.v[1] - (8.0 - 9.81)) < 2e-5);
    gyre_gas_destroy(gas);
}

/// Bubbles of air in water; the gas is water here.
static void bubbles_rise(void **unused)
{
    (void)unused;
    gyre_gas_def def = grains(2, 16, 16, 1, 0.5f, GYRE_GAS_SIDE_PERIODIC);
    def.gravity[1] = -9.81f;
    def.air_density = 998.0f;
    def.tracers.diameter = 5e-4f;
    def.tracers.density = 1.2f;
    def.tracers.viscosity = 1e-6f;
    gyre_gas *gas = make(&def);
    place(gas, 1, (const float[1][3]){{4, 4, 0}}, (const float[3]){0, 0, 0});
    // At first they gain 2 g (1 - 3 r / 2 r_g ...): the water they take along is all they weigh.
    must(gyre_gas_step(gas, 1e-5f));
    double first = find(gas, 0).v[1] / 1e-5;
    double want = 9.81 * (998.0 - 1.2) / (1.2 + 499.0);
    run(gas, 200, 0.005);
    double rise = find(gas, 0).v[1], law = terminal(5e-4, 1.2, 998.0, 1e-6, 9.81);
    print_message("at first %.5g m/s^2 (%.5g), at last %.6g m/s (%.6g)\n", first, want, rise, law);
    assert_true(fabs(first / want - 1.0) < 5e-3);
    assert_true(fabs(rise / law - 1.0) < 1e-4);
    gyre_gas_destroy(gas);
}

static double vortex_x(const double x[3], const void *data)
{
    (void)data;
    return sin(pi * x[0]) * cos(pi * x[1]);
}
static double vortex_y(const double x[3], const void *data)
{
    (void)data;
    return -cos(pi * x[0]) * sin(pi * x[1]);
}

/// Where a particle is after two seconds in a steady vortex.
static void after(int steps, bool inertia, double x[2])
{
    gyre_gas_def def = grains(2, 64, 64, 1, 1.0f / 64, GYRE_GAS_SIDE_SLIP);
    def.tracers.inertia = inertia;
    def.tracers.diameter = 1e-6f;
    gyre_gas *gas = make(&def);
    set_field(gas, 0, vortex_x, NULL);
    set_field(gas, 1, vortex_y, NULL);
    gyre_particle_view v = open_set(gas, GYRE_WRITE);
    ((float *)v.data[0])[0] = 0.3f;
    ((float *)v.data[1])[0] = 0.45f;
    ((float *)v.data[2])[0] = ((float *)v.data[3])[0] = 0.0f;
    ((int32_t *)v.data[4])[0] = 0;
    if (inertia) {
        ((float *)v.data[5])[0] = (float)vortex_x((const double[3]){0.3, 0.45, 0}, NULL);
        ((float *)v.data[6])[0] = (float)vortex_y((const double[3]){0.3, 0.45, 0}, NULL);
        ((float *)v.data[7])[0] = 0.0f;
    }
    close_set(gas, 1);
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    for (int s = 0; s < steps; s++) {
        gy_gas_carry_tracers(gas, 2.0f / (float)steps, gas->slot);
    }
    v = open_set(gas, GYRE_READ);
    x[0] = (double)((const float *)v.data[0])[0];
    x[1] = (double)((const float *)v.data[1])[0];
    close_set(gas, 1);
    gyre_gas_destroy(gas);
}

/// Dust of a micron stops within 3 us: it goes as a tracer does, to second order.
static void fine_dust_goes_as_tracers_do(void **unused)
{
    (void)unused;
    double path[2], x[2], error[3];
    after(2048, false, path);
    for (int q = 0; q < 3; q++) {
        after(32 << q, true, x);
        error[q] = hypot(x[0] - path[0], x[1] - path[1]);
    }
    after(2048, true, x);
    double left = hypot(x[0] - path[0], x[1] - path[1]);
    print_message("off the tracer's path: %g %g %g, in the shortest steps %g m\n", error[0],
                  error[1], error[2], left);
    assert_true(left < 2e-4);
    assert_true(error[0] < 0.02 && error[0] / error[1] > 3.0 && error[1] / error[2] > 3.0);
}

/// The tops of a ball's way after each bounce are e^2 of those before.
static void it_bounces_to_e_squared(void **unused)
{
    (void)unused;
    for (int q = 0; q < 3; q++) { // the ground; a box; steps that fit neither
        gyre_gas_def def = grains(2, 32, 64, 1, 0.0625f, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid box = gyre_gas_default_solid();
        const double e = 0.7, d = 0.02, ground = q == 1 ? 0.53 : 0.0, dt = q == 2 ? 0.011 : 0.002;
        box.shape = gyre_box((float[3]){1, 0.265f, 0}, (float[3]){3, 0.53f, 1});
        def.solids = (gyre_pool){.items = &box, .count = q == 1};
        def.gravity[1] = -9.81f;
        def.air_density = 0.0f;
        def.tracers.bounce = (float)e;
        def.tracers.diameter = (float)d;
        gyre_gas *gas = make(&def);
        double top = 2.0, want = top;
        place(gas, 1, (const float[1][3]){{1.03f, (float)(ground + top + d / 2), 0}},
              (const float[3]){0, 0, 0});
        double last = -1.0, high = 0.0;
        int tops = 0;
        for (int s = 0; s < 4000 && tops < 4; s++) {
            must(gyre_gas_step(gas, (float)dt));
            state at = find(gas, 0);
            high = fmax(high, at.x[1] + at.v[1] * fabs(at.v[1]) / 2.0 / 9.81 * (at.v[1] > 0.0));
            if (last > 0.0 && at.v[1] <= 0.0) {
                double got = high - ground - d / 2;
                want *= e * e;
                print_message("case %d: bounce %d to %.5f m, e^2 of before is %.5f\n", q, tops, got,
                              want);
                assert_true(fabs(got / want - 1.0) < (q == 2 ? 0.02 : 5e-3));
                high = 0.0;
                tops++;
            }
            high = at.v[1] <= 0.0 ? 0.0 : high;
            last = at.v[1];
        }
        assert_int_equal(tops, 4);
        gyre_gas_destroy(gas);
    }
}

/// What lies stays where it lies, to the bit; what sticks even under a lid.
static void rest_stays_and_what_sticks_stays(void **unused)
{
    (void)unused;
    for (int stick = 0; stick < 2; stick++) {
        gyre_gas_def def = grains(3, 16, 16, 16, 0.0625f, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid ball = gyre_gas_default_solid();
        ball.shape = gyre_sphere((float[3]){0.5f, 0.5f, 0.5f}, 0.2f);
        def.solids = (gyre_pool){.items = &ball, .count = 1};
        def.gravity[1] = -9.81f;
        def.tracers.diameter = 0.01f;
        def.tracers.stick = stick;
        def.tracers.friction = 0.8f;
        gyre_gas *gas = make(&def);
        // One falls to the ground, one on the top of the ball, one against the lid.
        place(gas, 3,
              (const float[3][3]){{0.1f, 0.3f, 0.1f}, {0.52f, 0.9f, 0.5f}, {0.8f, 0.98f, 0.8f}},
              (const float[3]){0, 0, 0});
        if (stick) {
            gyre_particle_view v = open_set(gas, GYRE_WRITE);
            ((float *)v.data[6])[2] = 3.0f;
            close_set(gas, 3);
        }
        run(gas, 300, 0.01);
        state before[3], now;
        for (int i = 0; i < 3; i++) {
            before[i] = find(gas, i);
        }
        run(gas, 100, 0.017);
        for (int i = 0; i < 3; i++) {
            now = find(gas, i);
            print_message("%s: %d lies at %.5f %.5f %.5f\n", stick ? "sticks" : "rests", i,
                          now.x[0], now.x[1], now.x[2]);
            assert_memory_equal(&now, &before[i], sizeof now);
            assert_true(now.v[0] == 0.0 && now.v[1] == 0.0 && now.v[2] == 0.0);
        }
        assert_true(fabs(before[0].x[1] - 0.005) < 1e-6);
        // Between corners a cell apart a ball's distance is read too large by up to h^2 / 4 R.
        double r = sqrt(pow(before[1].x[0] - 0.5, 2) + pow(before[1].x[1] - 0.5, 2) +
                        pow(before[1].x[2] - 0.5, 2));
        assert_true(r < 0.205 + 1e-4 && r > 0.205 - 0.0625 * 0.0625 / (4.0 * 0.2));
        assert_true(stick ? before[2].x[1] > 0.99 : before[2].x[1] < 0.01);
        gyre_gas_destroy(gas);
    }
}

/// A wall that comes at 1 m/s takes what stands along at its own speed, or hits it away at 1 + e
/// times that.
static void a_moving_wall_pushes_them(void **unused)
{
    (void)unused;
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = grains(2, 64, 16, 1, 0.0625f, GYRE_GAS_SIDE_SLIP);
        gyre_gas_solid wall = gyre_gas_default_solid();
        wall.shape = gyre_box((float[3]){0, 0.5f, 0}, (float[3]){0.25f, 2, 1});
        wall.pose.position[0] = 1.0f;
        wall.pose.velocity[0] = 1.0f;
        def.solids = (gyre_pool){.items = &wall, .count = 1};
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
        def.air_density = 0.0f;
        def.tracers.diameter = 0.02f;
        def.tracers.bounce = q ? 0.5f : 0.0f;
        gyre_gas *gas = make(&def);
        gyre_id id = gyre_model_element(gyre_gas_model(gas), "solids", 0);
        place(gas, 1, (const float[1][3]){{1.3f, 0.55f, 0}}, (const float[3]){0, 0, 0});
        for (int s = 1; s <= 60; s++) {
            wall.pose.position[0] = 1.0f + 0.01f * (float)s;
            must(gyre_gas_update_solid(gas, id, &wall));
            must(gyre_gas_step(gas, 0.01f));
        }
        state p = find(gas, 0);
        double front = 1.6 + 0.125 + 0.01;
        print_message("bounce %g: %.4f m/s, %.4f m before the wall\n", (double)def.tracers.bounce,
                      p.v[0], p.x[0] - front);
        assert_true(fabs(p.v[0] - (q ? 1.5 : 1.0)) < 0.02);
        assert_true(p.x[0] - front > -1e-3 && fabs(p.x[1] - 0.55) < 1e-4);
        assert_true(q || p.x[0] - front < 0.012);
        gyre_gas_destroy(gas);
    }
}

/// A hail of every speed on a ball, a thin plate and the ground in a storm, up to 14 cells in a
/// step: none gets into any of them but at edges, which corners of cells see rounded, none is lost.
static void nothing_gets_through(void **unused)
{
    (void)unused;
    gyre_gas_def def = still_def(3, 32, 24, 24, 1.0f / 32, GYRE_GAS_SIDE_SLIP);
    gyre_gas_solid solids[2] = {gyre_gas_default_solid(), gyre_gas_default_solid()};
    gyre_gas_emitter rain = gyre_gas_default_emitter();
    solids[0].shape = gyre_sphere((float[3]){0.6f, 0.3f, 0.35f}, 0.15f);
    solids[1].shape = gyre_box((float[3]){0.25f, 0.35f, 0.35f}, (float[3]){0.3f, 0.07f, 0.9f});
    rain.shape = gyre_box((float[3]){0.5f, 0.65f, 0.35f}, (float[3]){0.9f, 0.1f, 0.6f});
    rain.tracers = 4000.0f;
    rain.tracers_velocity[1] = -12.0f;
    rain.tracers_scatter = 10.0f;
    rain.temperature = 500.0f;
    def.gravity[1] = -9.81f;
    def.solids = (gyre_pool){.items = solids, .count = 2};
    def.emitters = (gyre_pool){.items = &rain, .count = 1};
    def.tracers.capacity = 5000;
    def.tracers.inertia = true;
    def.tracers.diameter = 2e-3f;
    def.tracers.turbulence = 1e-3f;
    gyre_gas *gas = make(&def);
    double deepest = 1.0, outside = 0.0;
    for (int s = 0; s < 50; s++) {
        must(gyre_gas_step(gas, 0.02f));
        gyre_particle_view v = open_set(gas, GYRE_READ);
        for (int i = 0; i < v.count; i++) {
            double x[3];
            for (int a = 0; a < 3; a++) {
                x[a] = (double)((const float *)v.data[a])[i];
                outside = fmax(outside, fmax(-x[a], x[a] - def.grid.n[a] / 32.0));
            }
            for (int q = 0; q < 2; q++) {
                deepest = fmin(deepest, gy_solid_distance(&gas->made[q], x));
            }
        }
        close_set(gas, v.count);
    }
    gyre_particle_stats p;
    must(gyre_model_particle_stats(gyre_gas_model(gas), 0, &p));
    print_message("%lld there, %lld lost, %lld refused; deepest in a solid %.4f cells\n",
                  (long long)p.count, (long long)p.lost, (long long)p.refused, -32.0 * deepest);
    assert_true(p.count > 3900 && p.lost == 0 && p.seeded == p.count);
    assert_true(outside <= 0.0 && deepest > -0.5 / 32);
    gyre_gas_destroy(gas);
}

/// Those that die make room for others; all are counted.
static void lives_end_and_are_used_again(void **unused)
{
    (void)unused;
    gyre_gas_def def = grains(2, 24, 24, 1, 1.0f / 24, GYRE_GAS_SIDE_SLIP);
    gyre_gas_emitter spray = gyre_gas_default_emitter();
    spray.shape = gyre_sphere((float[3]){0.5f, 0.5f, 0}, 0.1f);
    spray.tracers = 1024.0f;
    spray.tracers_scatter = 2.0f;
    def.gravity[1] = -9.81f;
    def.emitters = (gyre_pool){.items = &spray, .count = 1};
    def.tracers.capacity = 400;
    def.tracers.life = 0.3f;
    gyre_gas *gas = make(&def);
    for (int s = 0; s < 100; s++) {
        gyre_particle_stats p;
        must(gyre_gas_step(gas, 1.0f / 64));
        must(gyre_model_particle_stats(gyre_gas_model(gas), 0, &p));
        assert_int_equal(p.seeded, p.count + p.lost);
        assert_int_equal(p.seeded + p.refused, 16 * (s + 1));
        assert_true(s < 20 || (p.count >= 288 && p.count <= 320));
    }
    gyre_gas_destroy(gas);
}

/// Gusts: the mean square of the way along each axis is 2 D t, of fine dust and of what takes a
/// tenth of a second to follow; the mean stays.
static void gusts_spread_them_as_a_random_walk(void **unused)
{
    (void)unused;
    enum { COUNT = 20000 };
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = still_def(3, 16, 16, 16, 0.5f, GYRE_GAS_SIDE_PERIODIC);
        const double D = 0.01;
        def.tracers.capacity = COUNT;
        def.tracers.inertia = true;
        def.tracers.turbulence = (float)D;
        def.tracers.diameter = 1e-6f;
        if (q) {
            // Stokes's drag and no more: a gas as thick as honey.
            def.tracers.viscosity = 100.0f;
            def.tracers.diameter = 0.45f;
        }
        double air = (double)def.air_density, d = (double)def.tracers.diameter;
        double tau = (1000.0 + air / 2) * d * d / (18.0 * air * (double)def.tracers.viscosity);
        gyre_gas *gas = make(&def);
        float(*points)[3] = malloc(sizeof(float[3]) * COUNT);
        for (int i = 0; i < COUNT; i++) {
            points[i][0] = points[i][1] = points[i][2] = 4.0f;
        }
        place(gas, COUNT, (const float(*)[3])points, (const float[3]){0, 0, 0});
        run(gas, 80, 0.05);
        double t = 4.0, z = exp(-t / tau);
        // Langevin's equation from rest (Uhlenbeck and Ornstein 1930).
        double want = 2.0 * D * (t - tau * (3.0 - 4.0 * z + z * z) / 2.0);
        gyre_particle_view v = open_set(gas, GYRE_READ);
        for (int a = 0; a < 3; a++) {
            double mean = 0.0, square = 0.0;
            for (int i = 0; i < COUNT; i++) {
                double x = (double)((const float *)v.data[a])[i] - 4.0;
                mean += x / COUNT;
                square += x * x / COUNT;
            }
            print_message("relaxation %.2g s, axis %d: mean %.4f, mean square %.5f (law %.5f)\n",
                          tau, a, mean, square, want);
            assert_true(fabs(mean) < 4.0 * sqrt(want / COUNT));
            // Of so many the mean square is known to a hundredth.
            assert_true(fabs(square / want - 1.0) < 0.04);
        }
        close_set(gas, COUNT);
        free(points);
        gyre_gas_destroy(gas);
    }
}

static double total_of(gyre_gas *gas, int field)
{
    return gyre_model_total(gyre_gas_model(gas), field);
}

/// In a periodic box what they lose the gas has: by every scheme, in both dimensions, in substeps.
static void the_gas_gains_what_they_lose(void **unused)
{
    (void)unused;
    enum { COUNT = 60 };
    for (int q = 0; q < 4; q++) {
        int dim = q & 1 ? 2 : 3;
        gyre_gas_def def = grains(dim, 16, 16, dim == 3 ? 16 : 1, 0.0625f, GYRE_GAS_SIDE_PERIODIC);
        def.advection = q < 2 ? GYRE_GAS_CONSERVATIVE : GYRE_GAS_MACCORMACK;
        def.tracers.diameter = 1e-4f;
        def.tracers.load = dim == 3 ? 100.0f : 1600.0f;
        gyre_gas *gas = make(&def);
        float points[COUNT][3];
        for (uint32_t i = 0; i < COUNT; i++) {
            for (uint32_t a = 0; a < 3; a++) {
                points[i][a] = 0.3f + 0.4f * gy_random_unit(7, 3 * i + a);
            }
        }
        place(gas, COUNT, (const float(*)[3])points, (const float[3]){4, -2, 1});
        double d = (double)1e-4f, air = (double)def.air_density;
        double mass = (double)def.tracers.load * (1000.0 + air / 2) * pi * d * d * d / 6.0;
        for (int s = 0; s < 12; s++) {
            must(gyre_gas_step(gas, 0.02f));
        }
        gyre_particle_view v = open_set(gas, GYRE_READ);
        double lost[3] = {0}, gained[3], all = 0.0;
        for (int a = 0; a < dim; a++) {
            double start = a == 0 ? 4 : a == 1 ? -2 : 1;
            for (int i = 0; i < v.count; i++) {
                lost[a] += mass * (start - (double)((const float *)v.data[5 + a])[i]);
            }
            all += fabs(lost[a]);
        }
        close_set(gas, v.count);
        for (int a = 0; a < dim; a++) {
            // The total of a component is over its faces, times the volume of a cell.
            gained[a] = air * total_of(gas, a);
            print_message("case %d, axis %d: they lose %.6g N s, the gas gains %.6g\n", q, a,
                          lost[a], gained[a]);
            assert_true(fabs(lost[a]) > 0.05 * all);
            assert_true(fabs(gained[a] - lost[a]) < 1e-4 * all);
        }
        gyre_gas_destroy(gas);
    }
}

/// The gas has it where they were: its middle is the particle's place, round periodic sides.
static void the_gas_gains_it_where_they_are(void **unused)
{
    (void)unused;
    static const float points[2][3] = {{0.537f, 0.461f, 0}, {0.011f, 0.987f, 0}};
    for (int q = 0; q < 2; q++) {
        gyre_gas_def def = grains(2, 16, 16, 1, 0.0625f, GYRE_GAS_SIDE_PERIODIC);
        def.tracers.diameter = 1e-4f;
        def.tracers.load = 1000.0f;
        gyre_gas *gas = make(&def);
        place(gas, 1, (const float(*)[3])points[q], (const float[3]){1, 0.5f, 0});
        gy_gas_list_fields(gas);
        gy_gas_halo(gas, 0, gas->velocities, false, true);
        gy_gas_carry_tracers(gas, 0.01f, gas->slot);
        gy_gas_unload_grains(gas);
        for (int a = 0; a < 2; a++) {
            double sum = 0.0, middle[2] = {0, 0};
            gyre_field_view v;
            must(gyre_gas_map(gas, a, GYRE_READ, &v));
            for (int j = 0; j < 16; j++) {
                for (int i = 0; i < 16; i++) {
                    double u = (double)v.data[i + j * v.stride[1]];
                    double x[2] = {(i + (a == 0 ? 0.0 : 0.5)) / 16 - (double)points[q][0],
                                   (j + (a == 1 ? 0.0 : 0.5)) / 16 - (double)points[q][1]};
                    sum += u;
                    middle[0] += u * (x[0] - floor(x[0] + 0.5));
                    middle[1] += u * (x[1] - floor(x[1] + 0.5));
                }
            }
            must(gyre_gas_unmap(gas, a));
            print_message("component %d: %.4g m/s in all, %.2g, %.2g m beside it\n", a, sum,
                          middle[0] / sum, middle[1] / sum);
            assert_true(sum > 0.0);
            assert_true(fabs(middle[0] / sum) < 1e-6 && fabs(middle[1] / sum) < 1e-6);
        }
        gyre_gas_destroy(gas);
    }
}

// ---- states, and the same bits everywhere

static gyre_gas *stirred(gyre_device *device)
{
    gyre_gas_def def = still_def(3, 40, 36, 28, 1.0f / 40, GYRE_GAS_SIDE_OPEN);
    gyre_gas_solid solids[2] = {gyre_gas_default_solid(), gyre_gas_default_solid()};
    gyre_gas_emitter emitter = gyre_gas_default_emitter();
    gyre_gas *gas = NULL;
    def.sides.y_low.rule = GYRE_GAS_SIDE_SLIP;
    solids[0].shape = gyre_sphere((float[3]){0.5f, 0.5f, 0.35f}, 0.15f);
    solids[1].shape = gyre_box((float[3]){0.25f, 0.5f, 0.35f}, (float[3]){0.052f, 0.6f, 0.6f});
    solids[1].pose.velocity[0] = 0.5f;
    emitter.shape = gyre_sphere((float[3]){0.5f, 0.2f, 0.35f}, 0.1f);
    emitter.temperature = 6000.0f;
    emitter.tracers = 30000.0f;
    emitter.tracers_velocity[1] = 2.0f;
    emitter.tracers_scatter = 4.0f;
    def.gravity[1] = -9.81f;
    def.solids = (gyre_pool){.items = solids, .count = 2};
    def.emitters = (gyre_pool){.items = &emitter, .count = 1};
    def.tracers = (gyre_gas_tracers){.capacity = 30000,
                                     .start = 10000,
                                     .life = 0.6f,
                                     .inertia = true,
                                     .diameter = 4e-4f,
                                     .density = 700.0f,
                                     .viscosity = 1.5e-5f,
                                     .bounce = 0.4f,
                                     .friction = 0.3f,
                                     .turbulence = 1e-3f};
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

static const uint64_t golden[2] = {0x99f3bebedfac146f, 0x43d643f9e01ae5b8};

static void require(gyre_device *device, const char *on)
{
    gyre_gas *gas = stirred(device);
    for (int n = 1; n <= (in_short() ? 5 : 20); n++) {
        must(gyre_gas_step(gas, 0.02f));
        if ((n == 5 || n == 20) && gyre_gas_hash(gas) != golden[n == 20]) {
            fail_msg("%s: after %d steps the hash is %016llx, expected %016llx", on, n,
                     (unsigned long long)gyre_gas_hash(gas), (unsigned long long)golden[n == 20]);
        }
    }
    gyre_particle_stats p;
    must(gyre_model_particle_stats(gyre_gas_model(gas), 0, &p));
    assert_true(in_short() || (p.lost > 500 && p.count > 10000));
    gyre_gas_destroy(gas);
}

static void every_device_gives_the_golden_hash(void **unused)
{
    (void)unused;
    on_every_device(require);
}

static void a_saved_state_goes_on_to_the_same_bits(void **unused)
{
    (void)unused;
    gyre_gas *gas = stirred(the_device), *again = stirred(the_device);
    size_t size = gyre_gas_save_size(gas), written;
    char *bytes = malloc(size);
    run(gas, 7, 0.02);
    must(gyre_gas_save(gas, bytes, size, &written));
    must(gyre_gas_load(again, bytes, written));
    run(gas, 5, 0.02);
    run(again, 5, 0.02);
    assert_true(gyre_gas_hash(gas) == gyre_gas_hash(again));
    gyre_gas_destroy(again);
    // One without mass has other attributes.
    gyre_gas_def def = still_def(3, 40, 36, 28, 1.0f / 40, GYRE_GAS_SIDE_OPEN);
    def.solids.capacity = 2;
    def.emitters.capacity = 1;
    def.tracers.capacity = 30000;
    again = make(&def);
    assert_int_equal(gyre_gas_load(again, bytes, written), GYRE_ERROR_FORMAT);
    one_line();
    gyre_gas_destroy(again);
    free(bytes);
    gyre_gas_destroy(gas);
}

static void what_is_not_asked_for_takes_no_memory(void **unused)
{
    (void)unused;
    gyre_gas_def def = still_def(3, 16, 16, 16, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
    def.tracers.capacity = 4096;
    size_t light = gyre_gas_size(&def);
    def.tracers.inertia = true;
    size_t heavy = gyre_gas_size(&def);
    // Three floats more of each, twice; and 16 bytes a corner.
    assert_true(heavy - light >= 6 * 4 * 4096 + 16 * 17 * 17 * 17);
    assert_true(heavy - light <= 6 * 4 * (4096 + 128) + 16 * (17 * 17 * 17 + 64) + 4096);
    gyre_gas *gas = NULL;
    def.frame.spin[1] = 1.0f;
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "frame.spin"));
    one_line();
    def.frame.spin[1] = 0.0f;
    gas = make(&def);
    const gyre_particle_info *info = gyre_model_particles(gyre_gas_model(gas), 0);
    assert_int_equal(info->attribute_count, 4);
    assert_string_equal(info->attributes[3].name, "velocity");
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_fall_as_schiller_and_naumann_say),
        cmocka_unit_test(a_speed_dies_away_as_stokes_says),
        cmocka_unit_test(without_air_they_fly_parabolas),
        cmocka_unit_test(bubbles_rise),
        cmocka_unit_test(fine_dust_goes_as_tracers_do),
        cmocka_unit_test(it_bounces_to_e_squared),
        cmocka_unit_test(rest_stays_and_what_sticks_stays),
        cmocka_unit_test(a_moving_wall_pushes_them),
        cmocka_unit_test(nothing_gets_through),
        cmocka_unit_test(lives_end_and_are_used_again),
        cmocka_unit_test(gusts_spread_them_as_a_random_walk),
        cmocka_unit_test(the_gas_gains_what_they_lose),
        cmocka_unit_test(the_gas_gains_it_where_they_are),
        cmocka_unit_test(every_device_gives_the_golden_hash),
        cmocka_unit_test(a_saved_state_goes_on_to_the_same_bits),
        cmocka_unit_test(what_is_not_asked_for_takes_no_memory),
    };
    // What is asked for there: the bits and the threads alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(every_device_gives_the_golden_hash)};
    if (in_short()) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
    return cmocka_run_group_tests(tests, open_device, close_device);
}
