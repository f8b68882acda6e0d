// test/test_plates.c: tracers that are plates: how they fall, turn, lie and are kept; and that a
// state of theirs goes on to the same bits.
// labels: golden threads
// timeout: 300
#include "every_device.h"
#include "gas_rig.h"

#include "gas/tracers.h"
#include "gyre/gyre.h"
#include "model/drift.h"

#include <stdint.h>
#include <stdio.h>

typedef struct state {
    double x[3], v[3], q[4], spin[3];
} state;

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

/// Puts plates so, numbered from 0 on.
static void place(gyre_gas *gas, int count, const state *s)
{
    gyre_particle_view v = open_set(gas, GYRE_WRITE);
    float *const *f = (float *const *)v.data;
    for (int i = 0; i < count; i++) {
        for (int a = 0; a < 4; a++) {
            if (a < 3) {
                f[a][i] = (float)s[i].x[a];
                f[5 + a][i] = (float)s[i].v[a];
                f[12 + a][i] = (float)s[i].spin[a];
            }
            f[8 + a][i] = (float)s[i].q[a];
        }
        f[3][i] = 0.0f;
        ((int32_t *)v.data[4])[i] = i;
    }
    close_set(gas, count);
}

static state find(gyre_gas *gas, int id)
{
    gyre_particle_view v = open_set(gas, GYRE_READ);
    float *const *f = (float *const *)v.data;
    state s = {{0}, {0}, {0}, {0}};
    int at = -1;
    for (int i = 0; i < v.count; i++) {
        at = ((const int32_t *)v.data[4])[i] == id ? i : at;
    }
    assert_true(at >= 0);
    for (int a = 0; a < 4; a++) {
        if (a < 3) {
            s.x[a] = (double)f[a][at];
            s.v[a] = (double)f[5 + a][at];
            s.spin[a] = (double)f[12 + a][at];
        }
        s.q[a] = (double)f[8 + a][at];
    }
    close_set(gas, v.count);
    return s;
}

/// Where the y axis is turned to.
static void normal_of(const state *s, double n[3])
{
    const double *q = s->q;
    n[0] = 2.0 * (q[0] * q[1] - q[3] * q[2]);
    n[1] = 1.0 - 2.0 * (q[0] * q[0] + q[2] * q[2]);
    n[2] = 2.0 * (q[1] * q[2] + q[3] * q[0]);
}

static gyre_gas_def plates(int dim, int nx, int ny, int nz, float h, int rule)
{
    gyre_gas_def def = still_def(dim, nx, ny, nz, h, rule);
    def.tracers.capacity = 64;
    def.tracers.inertia = true;
    def.tracers.diameter = 0.05f;
    def.tracers.thickness = 4e-4f;
    def.tracers.density = 350.0f;
    def.thermal_expansion = 0.0f;
    return def;
}

static void run(gyre_gas *gas, int steps, double dt)
{
    for (int s = 0; s < steps; s++) {
        must(gyre_gas_step(gas, (float)dt));
    }
}

/// The drag of a disk at a speed: of the laws anew, by Reynolds number and area.
static double drag(bool broadside, double u, double d, double thick, double air, double nu)
{
    double re = u * d / nu, area = pi * d * d / 4.0;
    double c = broadside ? 64.0 / (pi * re) + 1.17
                         : 128.0 / (3.0 * pi * re) + 2.96 / sqrt(re) + 2.0 * thick / (pi * d / 2.0);
    return 0.5 * air * u * u * area * c;
}

/// Broadside on and edge on, of all sizes, in 2D and in 3D: the speed at which drag is weight less
/// buoyancy, by halving; in steps far shorter and far longer than it takes.
static void they_fall_as_disks_do(void **unused)
{
    (void)unused;
    static const double diameters[] = {2e-5, 1e-3, 0.05};
    for (int q = 0; q < 12; q++) {
        double d = (double)(float)diameters[q % 3], thick = (double)(float)(0.01 * d);
        bool broad = q / 3 % 2 == 0;
        int dim = q < 6 ? 2 : 3;
        gyre_gas_def def = plates(dim, 8, 8, dim == 3 ? 8 : 1, 0.5f, GYRE_GAS_SIDE_PERIODIC);
        def.gravity[1] = -9.81f;
        def.tracers.diameter = (float)d;
        def.tracers.thickness = (float)thick;
        double air = (double)def.air_density, nu = 1.5e-5, low = 0.0, high = 1e3;
        double weight = (350.0 - air) * 9.81 * pi * d * d / 4.0 * thick;
        for (int i = 0; i < 200; i++) {
            double u = 0.5 * (low + high);
            *(drag(broad, u, d, thick, air, nu) < weight ? &low : &high) = u;
        }
        // On its edge: turned by a right angle about z.
        state s = {.x = {2, 2, 2}, .q = {0, 0, broad ? 0 : sqrt(0.5), broad ? 1 : sqrt(0.5)}};
        for (int r = 0; r < 2; r++) {
            gyre_gas *gas = make(&def);
            if (!broad) {
                // Pressure turns what stands on its edge over at the least gust, and rounding is
                // one: it begins as fast as it ends, and is looked at soon.
                s.v[1] = -low;
            }
            place(gas, 1, &s);
            double dt = r ? 2.0 : fmax(low / 9.81 / 20.0, 1e-5);
            run(gas, broad ? (r ? 6 : 200) : 2, broad || q % 3 == 0 ? dt : 1e-3);
            state now = find(gas, 0);
            print_message("%dD, %g m %s: %.6g m/s, law %.6g\n", dim, d,
                          broad ? "broadside on" : "edge on", -now.v[1], low);
            assert_true(fabs(-now.v[1] / low - 1.0) < (broad ? 1e-4 : 1e-5));
            assert_true(fabs(now.v[0]) < 1e-3 * low);
            gyre_gas_destroy(gas);
        }
    }
}

static double shear(const double x[3], const void *data)
{
    return *(const double *)data * (x[1] - 0.5);
}

/// In thick air in a shear they turn as Jeffery says: once round in 2 pi (r + 1 / r) / gamma,
/// slowly along the stream and fast across it. In 2D; in 3D out of the plane,
/// on an orbit of constant C.
static void in_a_shear_they_turn_as_jeffery_says(void **unused)
{
    (void)unused;
    const double gamma = 2.0;
    for (int q = 0; q < 4; q++) {
        int dim = q < 2 ? 2 : 3;
        double ratio = q % 2 ? 0.5 : 0.1, want = 2.0 * pi * (ratio + 1.0 / ratio) / gamma;
        gyre_gas_def def = plates(dim, 16, 16, dim == 3 ? 16 : 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
        def.tracers.diameter = 1e-4f;
        def.tracers.thickness = (float)(1e-4 * ratio);
        def.tracers.viscosity = 1.0f;
        gyre_gas *gas = make(&def);
        set_field(gas, 0, shear, &gamma);
        gy_gas_list_fields(gas);
        gy_gas_halo(gas, 0, gas->velocities, false, true);
        double lean = q == 3 ? 0.7 : q == 2 ? 0.3 : 0.0; // about x, from y towards z
        state s = {.x = {0.5, 0.5, dim == 3 ? 0.5 : 0},
                   .q = {sin(0.5 * lean), 0, 0, cos(0.5 * lean)}};
        place(gas, 1, &s);
        const double dt = 0.01;
        double turned = 0.0, before = pi / 2, time = 0.0, orbit = 0.0, drift = 0.0;
        int steps = (int)(1.2 * want / dt);
        for (int i = 0; i < steps && time == 0.0; i++) {
            gy_gas_carry_tracers(gas, (float)dt, gas->slot);
            double n[3];
            state now = find(gas, 0);
            normal_of(&now, n);
            double angle = atan2(n[1], n[0]), by = remainder(angle - before, 2.0 * pi);
            if (turned - by >= 2.0 * pi) {
                time = dt * (i + (2.0 * pi - turned) / -by);
            }
            turned -= by;
            before = angle;
            // L. G. Leal and E. J. Hinch, J. Fluid Mech. 46, 1971: what stays of an orbit.
            double c = n[2] != 0.0 ? sqrt(n[0] * n[0] + n[1] * n[1] * ratio * ratio) / n[2] : 0.0;
            orbit = i == 0 ? c : orbit;
            drift = fmax(drift, fabs(c - orbit));
        }
        print_message("%dD, r %g: round in %.4f s, Jeffery %.4f; orbit %.4g, drifts by %.2g\n", dim,
                      ratio, time, want, orbit, drift);
        assert_true(fabs(time / want - 1.0) < 2e-3);
        assert_true(dim == 2 ? drift == 0.0 : drift < 0.01 * orbit);
        gyre_gas_destroy(gas);
    }
}

/// Half the step, a quarter of the way off: of Jeffery's angle, whose tangent is r tan(t gamma r /
/// (r^2 + 1)).
static void turns_are_of_second_order(void **unused)
{
    (void)unused;
    double off[3];
    for (int q = 0; q < 3; q++) {
        const double gamma = 2.0, ratio = 0.2, end = 4.0;
        gyre_gas_def def = plates(2, 16, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
        def.tracers.diameter = 1e-4f;
        def.tracers.thickness = 2e-5f;
        def.tracers.viscosity = 1.0f;
        gyre_gas *gas = make(&def);
        set_field(gas, 0, shear, &gamma);
        gy_gas_list_fields(gas);
        gy_gas_halo(gas, 0, gas->velocities, false, true);
        state s = {.x = {0.5, 0.5, 0}, .q = {0, 0, 0, 1}};
        place(gas, 1, &s);
        for (int i = 0; i < 20 << q; i++) {
            gy_gas_carry_tracers(gas, (float)(end / (20 << q)), gas->slot);
        }
        state now = find(gas, 0);
        double n[3], way = end * gamma * ratio / (ratio * ratio + 1.0);
        normal_of(&now, n);
        off[q] = fabs(remainder(atan2(n[0], n[1]) - atan2(ratio * sin(way), cos(way)), pi));
        gyre_gas_destroy(gas);
    }
    print_message("off by %.3g, %.3g, %.3g rad\n", off[0], off[1], off[2]);
    assert_true(off[0] < 0.1 && off[0] / off[1] > 3.0 && off[1] / off[2] > 3.0);
}

/// 10,000 steps of a storm: the quaternions stay of unit length, and so they do when the caller
/// writes others.
static void orientations_stay_of_unit_length(void **unused)
{
    (void)unused;
    gyre_gas_def def = plates(3, 8, 8, 8, 0.25f, GYRE_GAS_SIDE_PERIODIC);
    def.gravity[1] = -9.81f;
    def.tracers.turbulence = 0.5f;
    gyre_gas *gas = make(&def);
    state s[3] = {{.x = {1, 1, 1}, .q = {1, 1, 1, 1}, .spin = {90, -7, 30}},
                  {.x = {1, 0.5, 1}, .q = {0, 0, 0, 0}, .spin = {0, 3000, 0}},
                  {.x = {0.5, 1, 1}, .q = {3e30, 0, 0, 1e-30}, .v = {1e4, 0, 0}}};
    place(gas, 3, s);
    gy_gas_list_fields(gas);
    gy_gas_halo(gas, 0, gas->velocities, false, true);
    double worst = 0.0, round = 0.0;
    for (int i = 0; i < 10000; i++) {
        gy_gas_carry_tracers(gas, 0.02f, gas->slot);
        for (int id = 0; id < 3 && (i < 10 || i % 100 == 0 || i > 9990); id++) {
            state now = find(gas, id);
            double square = 0.0;
            for (int c = 0; c < 4; c++) {
                square += now.q[c] * now.q[c];
            }
            worst = fmax(worst, fabs(sqrt(square) - 1.0));
            round = fmax(round, fabs(now.spin[0]) + fabs(now.spin[1]) + fabs(now.spin[2]));
            assert_true(isfinite(now.x[0]) && isfinite(now.spin[0]));
        }
    }
    print_message("of unit length to %.2g, at most %.4g rad/s\n", worst, round);
    assert_true(worst < 3e-7);
    gyre_gas_destroy(gas);
}

typedef struct fall {
    double turns, aslant, drift; // of late; the most of the normal's lean; m
} fall;

/// Of one that falls for a while from a lean.
static fall fall_of(float thickness)
{
    gyre_gas_def def = plates(2, 16, 16, 1, 0.5f, GYRE_GAS_SIDE_PERIODIC);
    def.gravity[1] = -9.81f;
    def.tracers.thickness = thickness;
    gyre_gas *gas = make(&def);
    state s = {.x = {4, 4, 0}, .q = {0, 0, sin(0.2), cos(0.2)}};
    place(gas, 1, &s);
    fall f = {0.0, 0.0, 0.0};
    double turned = 0.0, before = 0.4, x = 0.0;
    for (int i = 0; i < 1500; i++) {
        run(gas, 1, 0.004);
        state now = find(gas, 0);
        double angle = 2.0 * atan2(now.q[2], now.q[3]), by = remainder(angle - before, 2.0 * pi);
        turned += i >= 500 ? by : 0.0;
        f.aslant = i >= 500 ? fmax(f.aslant, fabs(sin(angle))) : 0.0;
        before = angle;
        x += now.v[0] * 0.004;
        f.drift = fmax(f.drift, fabs(x));
    }
    gyre_gas_destroy(gas);
    f.turns = fabs(turned) / 2.0 / pi;
    return f;
}

/// W. W. Willmarth, N. E. Hawk and R. L. Harvey, Phys. Fluids 7, 1964, by the moment of inertia
/// over that of the air, I* = pi r t / (64 r_g d): disks of less than some 0.01 flutter and do
/// not turn over, those of more than some 0.04 tumble.
static void light_ones_flutter_and_heavy_ones_tumble(void **unused)
{
    (void)unused;
    static const float thick[] = {2e-5f, 3e-5f, 6e-4f, 1e-3f};
    for (int q = 0; q < 4; q++) {
        fall f = fall_of(thick[q]);
        print_message("I* %.3g: turns over %.1f times in 4 s, leans to %.2f, comes %.2f m beside\n",
                      pi * 350.0 * (double)thick[q] / (64.0 * 1.2 * 0.05), f.turns, f.aslant,
                      f.drift);
        assert_true(q < 2 ? f.turns < 1.0 && f.aslant > 0.2 : f.turns > 4.0);
        assert_true(f.drift > 0.05);
    }
}

/// What comes to the ground lies flat on it, its middle half a thickness over it, and stays to the
/// bit; also on a ball's side it lies along the surface until it slides.
static void they_come_to_lie_flat(void **unused)
{
    (void)unused;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = plates(dim, 16, 16, dim == 3 ? 16 : 1, 0.0625f, GYRE_GAS_SIDE_SLIP);
        def.gravity[1] = -9.81f;
        def.tracers.friction = 2.0f;
        def.tracers.thickness = 2e-3f;
        gyre_gas *gas = make(&def);
        state s[2] = {{.x = {0.5, 0.5, 0.5}, .q = {dim == 3 ? 0.3 : 0.0, 0, 0.6, 0.7}},
                      {.x = {0.3, 0.2, 0.4}, .q = {0, 0, sqrt(0.5), sqrt(0.5)}}};
        place(gas, 2, s);
        run(gas, 400, 0.01);
        for (int i = 0; i < 2; i++) {
            state before = find(gas, i), after;
            double n[3];
            run(gas, 50, 0.013);
            after = find(gas, i);
            normal_of(&after, n);
            print_message("%dD: lies at %.5f, its normal %.6f %.6f %.6f\n", dim, after.x[1], n[0],
                          n[1], n[2]);
            assert_memory_equal(&before, &after, sizeof after);
            assert_true(fabs(n[1]) > 1.0 - 1e-5);
            // What falls onto the ground within a step rests: g dt^2 / 2 above it at most.
            assert_true(after.x[1] > 9e-4 && after.x[1] < 1e-3 + 6e-4);
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
    solids[0].shape = gyre_sphere((float[3]){0.5f, 0.4f, 0.35f}, 0.15f);
    solids[1].shape = gyre_box((float[3]){0.25f, 0.5f, 0.35f}, (float[3]){0.052f, 0.6f, 0.6f});
    solids[1].pose.velocity[0] = 0.5f;
    solids[1].pose.spin[1] = 2.0f;
    emitter.shape = gyre_sphere((float[3]){0.5f, 0.2f, 0.35f}, 0.1f);
    emitter.temperature = 6000.0f;
    emitter.tracers = 10000.0f;
    emitter.tracers_velocity[1] = 2.0f;
    emitter.tracers_scatter = 3.0f;
    def.gravity[1] = -9.81f;
    def.solids = (gyre_pool){.items = solids, .count = 2};
    def.emitters = (gyre_pool){.items = &emitter, .count = 1};
    def.tracers = (gyre_gas_tracers){.capacity = 12000,
                                     .start = 6000,
                                     .life = 1.0f,
                                     .inertia = true,
                                     .diameter = 0.02f,
                                     .density = 300.0f,
                                     .viscosity = 1.5e-5f,
                                     .bounce = 0.4f,
                                     .friction = 0.3f,
                                     .turbulence = 1e-3f,
                                     .thickness = 2e-4f};
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

static const uint64_t golden[2] = {0xa7b5516c40167fcd, 0xa2cd56b967b4f2db};

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
    gyre_gas_destroy(gas);
    free(bytes);
}

static void what_is_not_asked_for_takes_no_memory(void **unused)
{
    (void)unused;
    gyre_gas_def def = still_def(3, 16, 16, 16, 1.0f / 16, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = NULL;
    def.tracers.capacity = 4096;
    def.tracers.inertia = true;
    size_t balls = gyre_gas_size(&def);
    def.tracers.diameter = 0.01f;
    def.tracers.thickness = 1e-3f;
    size_t leaves = gyre_gas_size(&def);
    // Seven floats more of each, twice.
    assert_true(leaves - balls >= 14 * 4 * 4096);
    assert_true(leaves - balls <= 14 * 4 * (4096 + 128));
    gas = make(&def);
    const gyre_particle_info *info = gyre_model_particles(gyre_gas_model(gas), 0);
    assert_int_equal(info->attribute_count, 6);
    assert_string_equal(info->attributes[4].name, "orientation");
    assert_string_equal(info->attributes[5].name, "spin");
    assert_true(info->arrays <= GYRE_PARTICLE_ARRAYS);
    gyre_gas_destroy(gas);
    gas = NULL;
    def.tracers.thickness = 0.02f;
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "tracers.thickness: 0.02"));
    one_line();
    def.tracers.thickness = 1e-8f;
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "tracers.thickness: 1e-08"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_fall_as_disks_do),
        cmocka_unit_test(in_a_shear_they_turn_as_jeffery_says),
        cmocka_unit_test(turns_are_of_second_order),
        cmocka_unit_test(orientations_stay_of_unit_length),
        cmocka_unit_test(light_ones_flutter_and_heavy_ones_tumble),
        cmocka_unit_test(they_come_to_lie_flat),
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
