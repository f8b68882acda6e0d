// labels: small threads
// Forces of a gas (gyre_gas_force) against numbers that are known: momentum that a fan gives, rates
// of wind, circulation of a vortex, the attractor's law, turbulence's divergence and strength.
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static gyre_gas *with(gyre_gas_def *def, gyre_gas_force *forces, int count)
{
    def->forces = (gyre_pool){forces, count, count};
    return make(def);
}

static gyre_gas_force everywhere(int kind)
{
    gyre_gas_force f = gyre_gas_default_force(kind);
    f.everywhere = true;
    return f;
}

static gyre_gas_def periodic(int dim, int n)
{
    return still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
}

/// Momentum over the air's density: the sum over faces, each by the volume of a cell.
static double momentum(gyre_gas *gas, int axis)
{
    double h = (double)gas->def->grid.h, sum = 0.0;
    gy_gas_fetch(&gas->model, axis);
    for (int k = 0; k < gas->extent.n[2]; k++)
        for (int j = 0; j < gas->extent.n[1]; j++)
            for (int i = 0; i < gas->extent.n[0]; i++)
                sum += (double)*sample(gas, axis, i, j, k);
    return sum * h * h * (gas->extent.dim == 3 ? h : 1.0);
}

static void near(const char *what, double x, double expected, double slack)
{
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s: %.9g, expected %.9g: off by %.1e, at most %.1e\n", what, x, expected,
                      fabs(x - expected), slack);
    if (!(fabs(x - expected) <= slack))
        fail_msg("%s: %.9g, expected %.9g within %.1e", what, x, expected, slack);
}

// ---- fan

static void fan_gives_its_thrust(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = periodic(dim, dim == 3 ? 20 : 33);
        gyre_gas_force f = gyre_gas_default_force(GYRE_GAS_FAN);
        f.shape = gas_box(0.43f, 0.52f, 0.47f, 0.13f, 0.41f, 0.3f, 25.0f);
        f.action.as.fan.thrust = 0.02f;
        const float direction[3] = {3.0f, 4.0f, 0.0f};
        memcpy(f.action.as.fan.direction, direction, sizeof direction);
        gyre_gas *gas = with(&def, &f, 1);
        double time = 0.0;
        for (int s = 0; s < 20; s++) {
            float dt = s % 2 ? 0.004f : 0.01f;
            must(gyre_gas_step(gas, dt));
            time += (double)dt;
        }
        // What is carried on a grid keeps its momentum to second order alone; a first step from
        // rest carries next to nothing.
        near("momentum along x, 20 steps", momentum(gas, 0) / (0.6 * 0.02 * time), 1.0, 3e-3);
        gyre_gas_destroy(gas);
        gas = with(&def, &f, 1);
        must(gyre_gas_step(gas, 1e-3f));
        near("momentum along x", momentum(gas, 0) / (0.6 * 0.02 * 1e-3), 1.0, 1e-5);
        near("momentum along y", momentum(gas, 1) / (0.8 * 0.02 * 1e-3), 1.0, 1e-5);
        gyre_gas_destroy(gas);
    }
}

// Everywhere in a periodic box nothing is carried but what is the same all over: the budget closes
// at any Courant number, and the limiter of energy holds nothing back.
static void thrust_is_credited(void **state)
{
    (void)state;
    for (int s = GYRE_GAS_SEMI_LAGRANGIAN; s <= GYRE_GAS_CUBIC; s++) {
        gyre_gas_def def = periodic(2, 32);
        gyre_gas_force f = everywhere(GYRE_GAS_FAN);
        def.advection = s;
        f.action.as.fan.thrust = 2.0f;
        gyre_gas *gas = with(&def, &f, 1);
        for (int i = 0; i < 50; i++)
            must(gyre_gas_step(gas, 0.05f));
        near("momentum at a Courant number of 8", momentum(gas, 0), 5.0, 5e-5);
        gyre_gas_stats stats = gyre_gas_get_stats(gas);
        assert_true(stats.courant > 7.0f);
        assert_int_equal(stats.governed, 0);
        assert_int_equal(stats.gained, 0);
        gyre_gas_destroy(gas);
    }
}

// A fan in a closed room at high Courant numbers: no step is said to have made energy by itself.
static void no_gain_is_told(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 48, 32, 1, 1.0f / 48, GYRE_GAS_SIDE_SLIP);
    gyre_gas_force f = gyre_gas_default_force(GYRE_GAS_FAN);
    f.shape = gas_box(0.3f, 0.33f, 0, 0.1f, 0.2f, 1, 0.0f);
    f.action.as.fan.speed = 2.0f;
    gyre_gas *gas = with(&def, &f, 1);
    for (int i = 0; i < 60; i++)
        must(gyre_gas_step(gas, 0.05f));
    gyre_gas_stats stats = gyre_gas_get_stats(gas);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("a fan: Courant %.3g, energy %.4g, governed %d, gained %d\n",
                      (double)stats.courant, stats.kinetic_energy, (int)stats.governed,
                      (int)stats.gained);
    assert_true(stats.courant > 3.0f && stats.kinetic_energy > 0.05);
    assert_int_equal(stats.gained, 0);
    gyre_gas_destroy(gas);
}

// a = speed^2 / (2 length): along a duct of still air with the fan from end to end of it, air that
// starts from rest has gained the energy after its length.
static void fan_by_speed(void **state)
{
    (void)state;
    gyre_gas_def def = periodic(2, 32);
    gyre_gas_force f = gyre_gas_default_force(GYRE_GAS_FAN);
    // A turned capsule across nothing: from end to end 0.5 + 2 * 0.25.
    f.shape = gas_capsule(0.25f, 0.5f, 0, 0.75f, 0.5f, 0, 0.25f);
    f.action.as.fan.speed = -0.2f;
    gyre_gas *gas = with(&def, &f, 1);
    must(gyre_gas_step(gas, 1e-3f));
    f.action.as.fan.speed = 0.0f;
    double pushed = momentum(gas, 0), volume = 0.5 * 0.5 + pi / 16.0;
    near("momentum of a fan by speed", pushed / (-0.5 * 0.04 / 1.0 * volume * 1e-3), 1.0, 5e-3);
    gyre_gas_destroy(gas);
}

// ---- wind

static void wind_relaxes(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int step = 0; step < 3; step++) {
            static const float lengths[3] = {0.02f, 0.1f, 1.0f};
            gyre_gas_def def = periodic(dim, 12);
            gyre_gas_force f = everywhere(GYRE_GAS_WIND);
            const float velocity[3] = {0.3f, -0.2f, 0.1f};
            memcpy(f.action.as.wind.velocity, velocity, sizeof velocity);
            f.action.as.wind.rate = 2.0f;
            f.amount = 0.75f;
            gyre_gas *gas = with(&def, &f, 1);
            set_constant(gas, 1, 0.5);
            int count = (int)(1.0f / lengths[step] + 0.5f);
            for (int s = 0; s < count; s++)
                must(gyre_gas_step(gas, lengths[step]));
            double left = exp(-1.5);
            near("wind, x", (double)*sample(gas, 0, 3, 4, 0), 0.3 * (1.0 - left), 2e-6);
            near("wind, y", (double)*sample(gas, 1, 5, 6, 0), -0.2 + 0.7 * left, 2e-6);
            gyre_gas_destroy(gas);
        }
}

/// Vortices of Taylor and Green in a closed box, component by component.
static double cells_of(const double x[3], const void *axis)
{
    bool along = *(const int *)axis == 0;
    double a = pi * x[0], b = pi * x[1];
    return along ? 0.5 * sin(a) * cos(b) : -0.5 * cos(a) * sin(b);
}

/// A wind and a vortex beside the middle of them, at Courant numbers of a half.
static gyre_gas *blown(int n)
{
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
    gyre_gas_force f[2] = {everywhere(GYRE_GAS_WIND), everywhere(GYRE_GAS_VORTEX)};
    f[0].action.as.wind.velocity[0] = 0.4f;
    f[0].action.as.wind.rate = 3.0f;
    f[1].action.as.vortex.centre[0] = 0.4f;
    f[1].action.as.vortex.core = 0.3f;
    f[1].action.as.vortex.rate = 4.0f;
    gyre_gas *gas = with(&def, f, 2);
    for (int a = 0; a < 2; a++)
        set_field(gas, a, cells_of, &a);
    for (int s = 0; s < n / 2; s++)
        must(gyre_gas_step(gas, 0.5f / (float)(n / 2)));
    return gas;
}

/// Root mean square of what a gas and one of twice the cells differ by.
static double differ(gyre_gas *coarse, gyre_gas *fine)
{
    int n = coarse->extent.n[0];
    double square = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            for (int a = 0; a < 2; a++) {
                double x = (double)*sample(fine, a, 2 * i, 2 * j, 0),
                       y = (double)*sample(fine, a, 2 * i + (a == 1), 2 * j + (a == 0), 0);
                square += pow((double)*sample(coarse, a, i, j, 0) - 0.5 * (x + y), 2.0);
            }
    return sqrt(square) / n;
}

static void second_order(void **state)
{
    (void)state;
    gyre_gas *gas[4];
    double error[3];
    for (int q = 0; q < 4; q++)
        gas[q] = blown(32 << q);
    for (int q = 0; q < 3; q++)
        error[q] = differ(gas[q], gas[q + 1]);
    for (int q = 0; q < 4; q++)
        gyre_gas_destroy(gas[q]);
    double order[2] = {log2(error[0] / error[1]), log2(error[1] / error[2])};
    if (getenv("GYRE_TEST_PRINT"))
        print_message("wind and vortex: differences %.3g %.3g %.3g, orders %.2f %.2f\n", error[0],
                      error[1], error[2], order[0], order[1]);
    assert_true(order[0] > 1.7 && order[1] > 1.7);
}

// ---- vortex, attractor: a short step from rest shows them, before the pressure's part

/// What one run of the op gives a gas at rest.
static gyre_gas *driven(gyre_gas_def *def, gyre_gas_force *f, float dt)
{
    gyre_gas *gas = with(def, f, 1);
    gy_gas_weigh_forces(gas);
    gy_gas_drive(gas, dt, 0.0, false);
    return gas;
}

static void vortex_has_its_circulation(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        int n = dim == 3 ? 24 : 64;
        gyre_gas_def def =
            still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_OPEN);
        gyre_gas_force f = everywhere(GYRE_GAS_VORTEX);
        const float axis[3] = {0.0f, 0.0f, 5.0f};
        memcpy(f.action.as.vortex.axis, axis, sizeof axis);
        f.action.as.vortex.circulation = -0.7f;
        f.action.as.vortex.core = 0.15f;
        f.action.as.vortex.rate = 3.0f;
        gyre_gas *gas = driven(&def, &f, 0.1f);
        // Round a square of faces about the centre, by the midpoint rule on each face.
        int low = n / 4, high = 3 * n / 4, k = dim == 3 ? n / 2 : 0;
        double h = 1.0 / n, sum = 0.0, expected = 0.0;
        for (int q = low; q < high; q++) {
            double x = (q + 0.5) * h - 0.5, y = low * h - 0.5;
            double u = (double)*sample(gas, 0, q, low, k), v = (double)*sample(gas, 1, low, q, k);
            double ux = q * h - 0.5, uy = (low + 0.5) * h - 0.5;
            double share = (1.0 - exp(-0.3)) * -0.7 / (2.0 * pi);
            near("a vortex, u", u, -share * uy / (ux * ux + uy * uy + 0.0225), 1e-6);
            near("a vortex, v", v, share * uy / (ux * ux + uy * uy + 0.0225), 1e-6);
            // The mean of two rows lies on the square.
            for (int side = 0; side < 2; side++) {
                int at = side ? high : low;
                double along =
                    (double)*sample(gas, 0, q, at, k) + (double)*sample(gas, 0, q, at - 1, k) -
                    (double)*sample(gas, 1, at, q, k) - (double)*sample(gas, 1, at - 1, q, k);
                sum += (side ? -0.5 : 0.5) * h * along;
            }
            // Of the same square, in the continuum: four sides alike.
            expected += 4.0 * -y / (x * x + y * y + 0.0225) * h * share;
        }
        near("circulation round a square", sum / expected, 1.0, dim == 3 ? 2e-2 : 3e-3);
        gyre_gas_destroy(gas);
    }
}

static void attractor_keeps_its_law(void **state)
{
    (void)state;
    for (int falloff = 0; falloff <= 2; falloff++)
        for (int line = 0; line < 2; line++) {
            gyre_gas_def def = still_def(3, 18, 20, 22, 0.05f, GYRE_GAS_SIDE_OPEN);
            gyre_gas_force f = everywhere(GYRE_GAS_ATTRACTOR);
            const float centre[3] = {0.41f, 0.53f, 0.6f}, axis[3] = {0.0f, 2.0f, 0.0f};
            memcpy(f.action.as.attractor.centre, centre, sizeof centre);
            if (line)
                memcpy(f.action.as.attractor.axis, axis, sizeof axis);
            f.action.as.attractor.strength = 3.0f;
            f.action.as.attractor.core = 0.2f;
            f.action.as.attractor.falloff = falloff;
            gyre_gas *gas = driven(&def, &f, 0.01f);
            for (int a = 0; a < 3; a++) {
                double r[3], square = 0.04;
                const int at[3] = {5, 13, 4};
                for (int q = 0; q < 3; q++) {
                    r[q] = 0.05 * (at[q] + (q == a ? 0.0 : 0.5)) - (double)centre[q];
                    r[q] = line && q == 1 ? 0.0 : r[q];
                    square += r[q] * r[q];
                }
                double s = sqrt(square);
                near("an attractor", (double)*sample(gas, a, 5, 13, 4),
                     -0.03 * r[a] / s * pow(0.2 / s, falloff), 2e-8);
            }
            gyre_gas_destroy(gas);
        }
}

// ---- turbulence

/// Greatest divergence times h, and the mean square of the vector.
static void look(gyre_gas *gas, double *divergence, double *square)
{
    const int *n = gas->extent.n;
    int dim = gas->extent.dim;
    *divergence = *square = 0.0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                double d = 0.0;
                for (int a = 0; a < dim; a++) {
                    double u = (double)*sample(gas, a, i, j, k);
                    bool last = (a == 0 ? i : a == 1 ? j : k) == n[a] - 1;
                    // Of a periodic axis the last face is the first one.
                    int up[3] = {i + (a == 0), j + (a == 1), k + (a == 2)};
                    up[a] = last ? 0 : up[a];
                    d += (double)*sample(gas, a, up[0], up[1], up[2]) - u;
                    *square += u * u;
                }
                *divergence = fmax(*divergence, fabs(d));
            }
    *square /= (double)n[0] * n[1] * n[2];
}

static void turbulence_is_solenoidal(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double strength[3];
        for (int q = 0; q < 3; q++) {
            int n = (dim == 3 ? 16 : 32) << q;
            gyre_gas_def def = periodic(dim, n);
            def.seed = 5;
            gyre_gas_force f = everywhere(GYRE_GAS_TURBULENCE);
            f.action.as.turbulence.size = 0.5f;
            f.action.as.turbulence.octaves = 1.0f;
            f.action.as.turbulence.strength = 2.0f;
            f.action.as.turbulence.seed = 3;
            gyre_gas *gas = with(&def, &f, 1);
            double divergence, square, sum = 0.0;
            // Waves beat within a box; over phases of all of them the mean is what is asked for.
            enum { TIMES = 24 };
            for (int t = 0; t < TIMES; t++) {
                for (int a = 0; a < dim; a++)
                    set_constant(gas, a, 0.0);
                gy_gas_weigh_forces(gas);
                gy_gas_drive(gas, 1.0f, 7.3 * t, false);
                look(gas, &divergence, &square);
                sum += square / TIMES;
                if (!(divergence < 2e-5))
                    fail_msg("turbulence %dD: divergence %g", dim, divergence);
            }
            strength[q] = sqrt(sum);
            near("turbulence: root mean square", strength[q], 2.0, 0.2);
            gyre_gas_destroy(gas);
        }
        near("turbulence at twice the cells", strength[1] / strength[0], 1.0, 0.03);
        near("turbulence at four times the cells", strength[2] / strength[1], 1.0, 0.01);
    }
}

static uint64_t hash_of(int threads, const char *isa, int seed, bool solid)
{
    gyre_device_def own = gyre_default_device_def();
    gyre_device *device;
    gyre_gas *gas;
    own.threads = threads;
    own.isa = isa;
    must(gyre_device_create(&own, &device));
    gyre_gas_def def = still_def(3, 34, 27, 22, 1.0f / 34, GYRE_GAS_SIDE_OPEN);
    gyre_gas_solid ball = sphere(0.6, 0.5, 0.3, 0.15);
    gyre_gas_force f[5];
    for (int kind = 0; kind < 5; kind++) {
        f[kind] = gyre_gas_default_force(kind);
        f[kind].shape = gas_sphere(0.4f, 0.4f, 0.35f, 0.3f);
        f[kind].soft = 0.1f;
    }
    f[0].action.as.wind.velocity[2] = 0.5f;
    f[1].action.as.fan.thrust = 0.03f;
    f[4].everywhere = true;
    f[4].action.as.turbulence.seed = seed;
    for (int kind = 0; kind < 5 && !solid; kind++)
        f[kind].everywhere = kind != GYRE_GAS_FAN;
    def.solids = (gyre_pool){&ball, solid, 1};
    def.forces = (gyre_pool){f, 5, 5};
    must(gyre_gas_create(device, &def, &gas));
    for (int s = 0; s < 5; s++)
        must(gyre_gas_step(gas, 0.03f));
    finite_everywhere(gas);
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return hash;
}

static uint64_t turbulent_hash(int threads, const char *isa, int seed)
{
    return hash_of(threads, isa, seed, true) + 3 * hash_of(threads, isa, seed, false);
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t first = turbulent_hash(1, NULL, 1);
    assert_true(first == turbulent_hash(2, NULL, 1));
    assert_true(first == turbulent_hash(3, NULL, 1));
    assert_true(first == turbulent_hash(8, NULL, 1));
    assert_true(first == turbulent_hash(1, "baseline", 1));
    assert_true(first != turbulent_hash(1, NULL, 2));
    // The same on every machine: these bits stay.
    if (getenv("GYRE_TEST_PRINT"))
        print_message("hash %016llx\n", (unsigned long long)first);
    assert_int_equal(first, UINT64_C(0x1bf6f9d9b0570530));
}

// ---- generally

static void mirrored_stays_mirrored(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 40, 30, 1, 1.0f / 40, GYRE_GAS_SIDE_OPEN);
    gyre_gas_force f[3] = {gyre_gas_default_force(GYRE_GAS_FAN),
                           gyre_gas_default_force(GYRE_GAS_ATTRACTOR),
                           gyre_gas_default_force(GYRE_GAS_WIND)};
    f[0].shape = gas_box(0.5f, 0.2f, 0, 0.2f, 0.1f, 1, 0.0f);
    f[0].action.as.fan.direction[0] = 0.0f;
    f[0].action.as.fan.direction[1] = 1.0f;
    f[0].action.as.fan.speed = 1.0f;
    f[1].shape = gas_sphere(0.5f, 0.5f, 0, 0.2f);
    f[2].shape = gas_box(0.5f, 0.6f, 0, 0.5f, 0.2f, 1, 0.0f);
    f[2].action.as.wind.velocity[1] = -0.5f;
    f[2].soft = 0.1f;
    def.pressure.tolerance = 1e-6f;
    gyre_gas *gas = with(&def, f, 3);
    for (int s = 0; s < 15; s++)
        must(gyre_gas_step(gas, 0.02f));
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 40; i++)
            near("mirrored", (double)*sample(gas, 1, i, j, 0),
                 (double)*sample(gas, 1, 39 - i, j, 0), 1e-4);
    assert_true(gyre_gas_get_stats(gas).max_speed > 0.2f);
    gyre_gas_destroy(gas);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    gyre_gas_def def = periodic(2, 24);
    gyre_gas_force f[2] = {everywhere(GYRE_GAS_TURBULENCE), everywhere(GYRE_GAS_WIND)};
    strcpy(f[1].name, "draught");
    gyre_gas *gas[2] = {with(&def, f, 2), NULL};
    const float blow[3] = {0.5f, 0.0f, 0.0f};
    must(gyre_gas_set(gas[0], "forces.draught.action.wind.velocity", gyre_vector(3, blow)));
    for (int s = 0; s < 5; s++)
        must(gyre_gas_step(gas[0], 0.02f));
    size_t bytes = gyre_gas_save_size(gas[0]);
    void *saved = malloc(bytes);
    must(gyre_gas_save(gas[0], saved, bytes, NULL));
    gas[1] = with(&def, f, 2);
    must(gyre_gas_load(gas[1], saved, bytes));
    for (int s = 0; s < 5; s++)
        for (int q = 0; q < 2; q++)
            must(gyre_gas_step(gas[q], 0.02f));
    assert_true(gyre_gas_hash(gas[0]) == gyre_gas_hash(gas[1]));
    assert_true(momentum(gas[0], 0) > 0.05);
    free(saved);
    gyre_gas_destroy(gas[0]);
    gyre_gas_destroy(gas[1]);
}

static void they_come_and_go(void **state)
{
    (void)state;
    gyre_gas_def def = periodic(3, 12);
    gyre_gas_force f = everywhere(GYRE_GAS_WIND), read;
    f.action.as.wind.velocity[2] = 1.0f;
    size_t without = gyre_gas_size(&def);
    gyre_gas *gas = make(&def);
    assert_null(gas->forces);
    assert_int_equal(gyre_gas_add_force(gas, &f), 0); // no room was asked for
    one_line();
    gyre_gas_destroy(gas);
    def.forces.capacity = 2;
    assert_true(gyre_gas_size(&def) > without);
    gas = make(&def);
    gyre_id id = gyre_gas_add_force(gas, &f);
    assert_true(id != 0);
    must(gyre_gas_step(gas, 0.1f));
    near("a force that came", momentum(gas, 2), 1.0 - exp(-0.1), 1e-6);
    f = everywhere(GYRE_GAS_TURBULENCE);
    must(gyre_gas_update_force(gas, id, &f));
    must(gyre_gas_read_force(gas, id, &read));
    assert_int_equal(read.action.kind, GYRE_GAS_TURBULENCE);
    must(gyre_gas_step(gas, 0.1f));
    must(gyre_gas_set(gas, "forces.0.enabled", gyre_bool(false)));
    must(gyre_gas_step(gas, 0.1f));
    must(gyre_gas_remove(gas, id));
    assert_null(gas->forces);
    must(gyre_gas_step(gas, 0.1f));
    gyre_gas_destroy(gas);
}

static void refused(gyre_gas_def *def, gyre_gas_force f, const char *why)
{
    gyre_gas *gas = NULL;
    def->forces = (gyre_pool){&f, 1, 1};
    assert_int_equal(gyre_gas_create(the_device, def, &gas), GYRE_ERROR_ARGUMENT);
    one_line();
    if (!strstr(gyre_message(), why))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), why);
}

static void bad_input(void **state)
{
    (void)state;
    gyre_gas_def def = periodic(3, 8);
    gyre_gas_force f = everywhere(GYRE_GAS_WIND);
    f.action.as.wind.velocity[1] = NAN;
    refused(&def, f, "forces.0.action.wind.velocity");
    f = everywhere(GYRE_GAS_FAN);
    memset(f.action.as.fan.direction, 0, sizeof f.action.as.fan.direction);
    refused(&def, f, "direction");
    f = everywhere(GYRE_GAS_FAN);
    f.action.as.fan.speed = 1.0f;
    refused(&def, f, "speed");
    f = everywhere(GYRE_GAS_VORTEX);
    memset(f.action.as.vortex.axis, 0, sizeof f.action.as.vortex.axis);
    refused(&def, f, "axis");
    f = everywhere(GYRE_GAS_TURBULENCE);
    f.action.as.turbulence.size = 0.0f;
    refused(&def, f, "size");
    f = everywhere(GYRE_GAS_ATTRACTOR);
    f.action.as.attractor.falloff = 3;
    refused(&def, f, "falloff");
    f = everywhere(GYRE_GAS_ATTRACTOR);
    f.action.kind = 99;
    refused(&def, f, "forces.0.action");
    f = gyre_gas_default_force(GYRE_GAS_WIND);
    f.shape.as.sphere.radius = -1.0f;
    refused(&def, f, "radius");
}

// Any force leaves all finite, shut sides shut.
static void strong_ones_stay_finite(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(3, 17, 12, 9, 0.06f, GYRE_GAS_SIDE_NO_SLIP);
    gyre_gas_force f[5];
    for (int kind = 0; kind < 5; kind++)
        f[kind] = everywhere(kind);
    f[0].action.as.wind.velocity[0] = 1e4f;
    f[0].action.as.wind.rate = 1e6f;
    f[1].action.as.fan.thrust = -1e6f;
    f[2].action.as.vortex.circulation = 1e6f;
    f[3].action.as.attractor.strength = -1e6f;
    f[4].action.as.turbulence.strength = 1e6f;
    gyre_gas *gas = with(&def, f, 5);
    for (int s = 0; s < 4; s++)
        must(gyre_gas_step(gas, s == 2 ? 1e3f : 0.1f));
    finite_everywhere(gas);
    for (int j = 0; j < 12; j++)
        assert_true(*sample(gas, 0, 0, j, 4) == 0.0f && *sample(gas, 0, 17, j, 4) == 0.0f);
    assert_true(gyre_gas_get_stats(gas).capped > 0);
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fan_gives_its_thrust),
        cmocka_unit_test(thrust_is_credited),
        cmocka_unit_test(no_gain_is_told),
        cmocka_unit_test(fan_by_speed),
        cmocka_unit_test(wind_relaxes),
        cmocka_unit_test(second_order),
        cmocka_unit_test(vortex_has_its_circulation),
        cmocka_unit_test(attractor_keeps_its_law),
        cmocka_unit_test(turbulence_is_solenoidal),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(mirrored_stays_mirrored),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(they_come_and_go),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(strong_ones_stay_finite),
    };
    WATCH_THREADS_IN(same_bits_everywhere);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
