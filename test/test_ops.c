// labels: small
// The ops of a gas (those of diffusion: test_diffusion) against what analysis says of it: order of
// convergence, conservation, exact cases. Ops run on the fields of a gas, most of them outside its
// step.
#include "test/gas_rig.h"

// ---- transport, as in gas/step.c, but of one field in a flow that stays ------------------------

static void trace(gyre_gas *gas, float dt)
{
    gy_trace_args a = {.base = gas->base,
                       .bounds = gas->bounds,
                       .near = gas->made_count > 0 ? gas->near : 0,
                       .level = gy_system_offset(&gas->pressure, 0),
                       .extent = gas->extent,
                       .periodic = gas->periodic,
                       .scale = dt / gas->def->grid.h};
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, gas->extent.dim - 1);
        a.velocity[d] = gas->slot[axis];
        a.back[d] = gas->back[axis];
        a.forward[d] = gas->forward[axis];
    }
    gy_run(the_device, GY_OP_trace, &a, gy_gas_box(gas, GYRE_CENTRE));
}

/// A cell field's new samples; `scheme` as in the def.
static void carry(gyre_gas *gas, int field, int scheme)
{
    gy_field *f = (gy_field *)(void *)gy_at(gas->base, gas->listed) + field;
    gy_advect_args a = {.base = gas->base,
                        .fields = gas->listed,
                        .first = field,
                        .count = 1,
                        .bounds = gas->bounds,
                        .extent = gas->extent,
                        .periodic = gas->periodic};
    for (int d = 0; d < 3; d++) {
        a.back[d] = gas->back[GY_MIN(d, gas->extent.dim - 1)];
        a.forward[d] = gas->forward[GY_MIN(d, gas->extent.dim - 1)];
    }
    f->old = gas->slot[field];
    f->now = gas->slot[field] = gas->spare[0];
    f->predicted = scheme == GYRE_GAS_SEMI_LAGRANGIAN ? f->now : gas->predicted[0];
    gas->spare[0] = f->old;
    a.ahead = scheme == GYRE_GAS_BFECC;
    gy_run(the_device, scheme == GYRE_GAS_CUBIC ? GY_OP_cubic : GY_OP_advect, &a,
           gy_gas_box(gas, GYRE_CENTRE));
    if (scheme == GYRE_GAS_MACCORMACK) {
        gy_gas_halo(gas, field, 1, true, false);
        gy_run(the_device, GY_OP_correct, &a, gy_gas_box(gas, GYRE_CENTRE));
    } else if (scheme == GYRE_GAS_BFECC) {
        gy_gas_halo(gas, field, 1, false, false);
        gy_run(the_device, GY_OP_compensate, &a, gy_gas_box(gas, GYRE_CENTRE));
        gy_gas_halo(gas, field, 1, true, false);
        gy_run(the_device, GY_OP_deliver, &a, gy_gas_box(gas, GYRE_CENTRE));
    }
    gy_gas_extend(gas, field);
    gy_gas_halo(gas, field, 1, false, false);
}

/// Those that read round a point's way back and limit what they make of it.
static const int limited[] = {GYRE_GAS_MACCORMACK, GYRE_GAS_BFECC, GYRE_GAS_CUBIC};

typedef struct swirl {
    int axis;
    double h, strength;
} swirl;

/// Face velocities of the stream function sin^2(pi x) sin^2(pi y) / pi, free of divergence on the
/// grid, too (LeVeque 1996, on the unit square).
static double swirl_velocity(const double x[3], const void *data)
{
    const swirl *s = data;
    double q[2];
    for (int side = 0; side < 2; side++) {
        double at[2] = {x[0], x[1]};
        at[1 - s->axis] += (side ? 0.5 : -0.5) * s->h;
        double a = sin(pi * at[0]), b = sin(pi * at[1]);
        q[side] = a * a * b * b / pi;
    }
    return s->strength * (s->axis == 0 ? 1.0 : -1.0) * (q[1] - q[0]) / s->h;
}

static double bump(const double x[3], const void *data)
{
    (void)data;
    double a = sin(pi * x[0]), b = sin(pi * (x[1] - 0.2));
    return exp(-6.0 * (1.0 - a * a * b * b));
}

/// Mean error after a flow there and back, at a Courant number of about 0.7.
static double swirl_error(int n, int scheme)
{
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas *gas = make(&def);
    double error = 0.0, period = 1.0;
    int density = gyre_gas_field(gas, "density"), steps = (int)(1.5 * n);
    set_field(gas, density, bump, NULL);
    for (int q = 0; q < steps; q++) {
        double t = (q + 0.5) / steps;
        for (int a = 0; a < 2; a++) {
            swirl s = {a, 1.0 / n, cos(pi * t)};
            set_field(gas, a, swirl_velocity, &s);
        }
        trace(gas, (float)(period / steps));
        carry(gas, density, scheme);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x[3] = {(i + 0.5) / n, (j + 0.5) / n, 0.0};
            error += fabs((double)*sample(gas, density, i, j, 0) - bump(x, NULL)) / n / n;
        }
    gyre_gas_destroy(gas);
    return error;
}

// At a fixed Courant number, semi-Lagrangian transport with linear interpolation is of first order
// in h, MacCormack of second (Selle et al. 2008) but where the limiter cuts extrema.
static void test_deforming_flow(void **state)
{
    (void)state;
    double s[3], m[3], b[3], c[3];
    for (int q = 0; q < 3; q++) {
        s[q] = swirl_error(32 << q, GYRE_GAS_SEMI_LAGRANGIAN);
        m[q] = swirl_error(32 << q, GYRE_GAS_MACCORMACK);
        b[q] = swirl_error(32 << q, GYRE_GAS_BFECC);
        c[q] = swirl_error(32 << q, GYRE_GAS_CUBIC);
    }
    if (getenv("GYRE_TEST_PRINT"))
        print_message("swirl: semi %g %g %g  maccormack %g %g %g  bfecc %g %g %g  cubic %g %g %g\n",
                      s[0], s[1], s[2], m[0], m[1], m[2], b[0], b[1], b[2], c[0], c[1], c[2]);
    // Measured: 1.64 and 1.76 on the way to 2; 6.3 and 7.4, more than 4 since errors on the way
    // there are undone in part on the way back.
    assert_true(s[0] / s[1] > 1.5 && s[1] / s[2] > 1.7 && s[1] / s[2] < 2.5);
    assert_true(m[0] / m[1] > 2.8 && m[1] / m[2] > 3.3);
    assert_true(m[2] < 0.1 * s[2]);
    // 6.4 and 7.6; 6.6 and 7.6.
    assert_true(b[0] / b[1] > 2.8 && b[1] / b[2] > 3.3 && b[2] < 1.5 * m[2]);
    assert_true(c[0] / c[1] > 2.8 && c[1] / c[2] > 3.3 && c[2] < 1.5 * m[2]);
}

static double wave(const double x[3], const void *data)
{
    (void)data;
    return 1.0 + sin(2.0 * pi * x[0]) * cos(2.0 * pi * x[1]);
}

/// Mean error after a smooth profile has gone once round the box, not along an axis.
static double round_error(int n, int scheme)
{
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas *gas = make(&def);
    int density = gyre_gas_field(gas, "density"), steps = 3 * n;
    double error = 0.0;
    set_constant(gas, 0, 1.0);
    set_constant(gas, 1, 2.0);
    set_field(gas, density, wave, NULL);
    for (int q = 0; q < steps; q++) {
        trace(gas, 1.0f / (float)steps);
        carry(gas, density, scheme);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x[3] = {(i + 0.5) / n, (j + 0.5) / n, 0.0};
            error += fabs((double)*sample(gas, density, i, j, 0) - wave(x, NULL)) / n / n;
        }
    gyre_gas_destroy(gas);
    return error;
}

static void test_translation(void **state)
{
    (void)state;
    double s[3], m[3], b[3], c[3];
    for (int q = 0; q < 3; q++) {
        s[q] = round_error(32 << q, GYRE_GAS_SEMI_LAGRANGIAN);
        m[q] = round_error(32 << q, GYRE_GAS_MACCORMACK);
        b[q] = round_error(32 << q, GYRE_GAS_BFECC);
        c[q] = round_error(32 << q, GYRE_GAS_CUBIC);
    }
    if (getenv("GYRE_TEST_PRINT"))
        print_message("round: semi %g %g %g  maccormack %g %g %g  bfecc %g %g %g  cubic %g %g %g\n",
                      s[0], s[1], s[2], m[0], m[1], m[2], b[0], b[1], b[2], c[0], c[1], c[2]);
    // Measured: 1.67 and 1.82; 3.94 and 4.00.
    assert_true(s[1] / s[2] > 1.7 && s[1] / s[2] < 2.2);
    // Order 2 gives 4; the limiter at the four extrema takes some of it.
    assert_true(m[0] / m[1] > 3.3 && m[1] / m[2] > 3.3);
    // 5.0 and 4.4; 4.6 and 4.2, an eighth of MacCormack's.
    assert_true(b[0] / b[1] > 3.8 && b[1] / b[2] > 3.8 && b[2] < 0.15 * m[2]);
    assert_true(c[0] / c[1] > 3.8 && c[1] / c[2] > 3.8 && c[2] < 0.15 * m[2]);
}

static double rotation(const double x[3], const void *data)
{
    return *(const int *)data == 0 ? -(x[1] - 0.5) : x[0] - 0.5;
}

/// Largest error of the displacements in a rigid rotation by dt, in cells: back, forward.
static void rotation_error(float dt, double error[2])
{
    enum { N = 64 };
    gyre_gas_def def = still_def(2, N, N, 1, 1.0f / N, GYRE_GAS_SIDE_OPEN);
    gyre_gas *gas = make(&def);
    for (int a = 0; a < 2; a++)
        set_field(gas, a, rotation, &a);
    trace(gas, dt);
    error[0] = error[1] = 0.0;
    for (int j = N / 4; j < 3 * N / 4; j++)
        for (int i = N / 4; i < 3 * N / 4; i++) {
            double x = (i + 0.5) - N / 2, y = (j + 0.5) - N / 2;
            for (int way = 0; way < 2; way++) {
                double angle = way ? (double)dt : -(double)dt;
                ptrdiff_t o = i + (ptrdiff_t)j * gas->extent.sy;
                const uint32_t *d = way ? gas->forward : gas->back;
                double ex = x * cos(angle) - y * sin(angle) - x - (double)gy_at(gas->base, d[0])[o];
                double ey = x * sin(angle) + y * cos(angle) - y - (double)gy_at(gas->base, d[1])[o];
                error[way] = fmax(error[way], hypot(ex, ey));
            }
        }
    gyre_gas_destroy(gas);
}

// The midpoint rule errs by dt^3 in one step (so by dt^2 over a time): 8 per halving. A rigid
// rotation is linear, so interpolation adds nothing. d+ = d- + 2 dt u is as good.
static void test_trace_order(void **state)
{
    (void)state;
    double coarse[2], fine[2];
    rotation_error(0.2f, coarse);
    rotation_error(0.1f, fine);
    for (int way = 0; way < 2; way++) {
        assert_true(coarse[way] / fine[way] > 7.5 && coarse[way] / fine[way] < 8.5);
        // theta^3 / 6 of the radius, 22.6 cells, is the midpoint rule's own; d+ has twice that.
        assert_true(fine[way] < 22.7 * 1e-3 * (way ? 0.4 : 0.2));
    }
}

static double random_velocity(const double x[3], const void *data)
{
    const swirl *s = data;
    double far = sin(5.0 * x[0] + s->axis) + cos(4.0 * x[1] + 2.0 * s->axis);
    return s->strength * (far + sin(9.0 * x[0] * x[1] + x[2]));
}

// No new extrema, whatever the flow; a constant stays one to the bit (the limiter sees to that;
// without it the weights' sum rounds).
static void test_limits(void **state)
{
    static const int sizes[][4] = {{2, 70, 40, 1}, {3, 37, 20, 18}};
    (void)state;
    for (int q = 0; q < 12; q++) {
        const int *n = sizes[q % 2] + 1;
        double speed = q < 4 ? 0.3 : q < 8 ? 2.0 : 30.0;
        int rule = q / 2 % 2 ? GYRE_GAS_SIDE_PERIODIC : GYRE_GAS_SIDE_SLIP;
        gyre_gas_def def = still_def(sizes[q % 2][0], n[0], n[1], n[2], 1.0f, rule);
        gyre_gas *gas = make(&def);
        int density = gyre_gas_field(gas, "density"), warm = gyre_gas_field(gas, "temperature");
        for (int a = 0; a < def.grid.dim; a++) {
            swirl s = {a, 1.0, speed};
            set_field(gas, a, random_velocity, &s);
        }
        set_field(gas, density, noise, gas);
        set_constant(gas, warm, 0.7);
        float low = 1.0f, high = 0.0f;
        for (int pass = 0; pass < 6; pass++) {
            if (pass > 0) {
                trace(gas, 1.0f);
                carry(gas, density, pass == 1 ? GYRE_GAS_SEMI_LAGRANGIAN : limited[pass % 3]);
                carry(gas, warm, limited[pass % 3]);
            }
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        float x = *sample(gas, density, i, j, k);
                        if (pass == 0) {
                            low = fminf(low, x);
                            high = fmaxf(high, x);
                        }
                        // Interpolation itself may round out of the range.
                        assert_true(x >= low - 1e-6f && x <= high + 1e-6f);
                        assert_true(*sample(gas, warm, i, j, k) == 0.7f);
                    }
        }
        gyre_gas_destroy(gas);
    }
}

static double sheared(const double x[3], const void *data)
{
    const swirl *s = data;
    double u = 0.4 + 0.3 * sin(0.2 * x[0] + 0.1 * x[1] + s->axis);
    return x[0] > 30.0 ? u + s->strength * sin(3.0 * x[0]) : u;
}

// A block of 64 cells takes hats, hats of 16, or gathers according to how displacements vary within
// it; a cell must not notice which.
static void test_paths_agree(void **state)
{
    (void)state;
    for (int draw = 0; draw < 6; draw++) {
        int dim = 2 + draw / 3;
        gyre_gas_def def = still_def(dim, 64, 24, dim == 3 ? 9 : 1, 1.0f, GYRE_GAS_SIDE_SLIP);
        gyre_gas *gas[3];
        for (int q = 0; q < 3; q++) {
            gas[q] = make(&def);
            for (int a = 0; a < dim; a++) {
                // Smooth; gathers where x > 30; and, by a jet in the first cell, gathers in the
                // first 16.
                swirl s = {a, 1.0, q > 0 ? 5.0 : 0.0};
                set_field(gas[q], a, sheared, &s);
                if (q == 2)
                    for (int k = 0; k < def.grid.n[2]; k++)
                        for (int j = 0; j < 24; j++)
                            *sample(gas[q], a, 0, j, k) = 9.0f;
            }
            int density = gyre_gas_field(gas[q], "density");
            set_field(gas[q], density, noise, gas[q]);
            trace(gas[q], 1.0f);
            carry(gas[q], density, limited[draw % 3]);
        }
        int density = gyre_gas_field(gas[0], "density");
        for (int k = 0; k < def.grid.n[2]; k++)
            for (int j = 4; j < 20; j++)
                for (int i = 5; i < 25; i++) {
                    float x = *sample(gas[0], density, i, j, k);
                    assert_true(fabsf(*sample(gas[1], density, i, j, k) - x) < 2e-6f);
                    assert_true(fabsf(*sample(gas[2], density, i, j, k) - x) < 2e-6f);
                }
        for (int q = 0; q < 3; q++)
            gyre_gas_destroy(gas[q]);
    }
}

// Whole cells round a periodic box, as far as a path may go: exact to the bit. A strong shear in
// one row makes the same with gathers.
static void test_wrap(void **state)
{
    static const int sizes[][2] = {{20, 12}, {128, 6}, {33, 17}, {200, 3},
                                   {64, 64}, {7, 1},   {1, 9}};
    (void)state;
    for (int q = 0; q < 3 * GY_COUNT(sizes); q++) {
        const int *n = sizes[q / 3];
        gyre_gas_def def = still_def(2, n[0], n[1], 1, 1.0f, GYRE_GAS_SIDE_PERIODIC);
        gyre_gas *gas = make(&def);
        int density = gyre_gas_field(gas, "density");
        float *old = malloc((size_t)(n[0] * n[1]) * sizeof(float));
        for (int shift = 0; shift < 9; shift++) {
            int d[2];
            for (int a = 0; a < 2; a++) {
                d[a] = (shift - 4) * n[a] / 4 + (shift % 3 - 1) * (a + 1);
                d[a] = GY_MAX(-n[a], GY_MIN(d[a], n[a]));
                set_constant(gas, a, (double)d[a]);
            }
            set_field(gas, density, noise, gas);
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    old[j * n[0] + i] = *sample(gas, density, i, j, 0);
            trace(gas, 1.0f);
            carry(gas, density, limited[q % 3]);
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    int x = ((i - d[0]) % n[0] + n[0]) % n[0],
                        y = ((j - d[1]) % n[1] + n[1]) % n[1];
                    assert_true(*sample(gas, density, i, j, 0) == old[y * n[0] + x]);
                }
        }
        free(old);
        gyre_gas_destroy(gas);
    }
}

/// noise by (10, 5, 3) cells further on.
static double turned_noise(const double x[3], const void *data)
{
    static const int turn[3] = {10, 5, 3};
    const gyre_gas *gas = data;
    double from[3];
    for (int a = 0; a < 3; a++) {
        int n = gas->def->grid.n[a], at = (int)floor(x[a] + 0.25);
        from[a] = x[a] + (at + n - turn[a] % n) % n - at;
    }
    return noise(from, data);
}

// Parts of a cell round a periodic box: the same wherever the seam lies.
static void test_seam(void **state)
{
    static const double wind[3] = {-2.3, 3.6, 1.7};
    (void)state;
    for (int q = 0; q < 6; q++) {
        int dim = 2 + q / 3;
        gyre_gas_def def = still_def(dim, 21, 10, dim == 3 ? 6 : 1, 1.0f, GYRE_GAS_SIDE_PERIODIC);
        gyre_gas *gas[2] = {make(&def), make(&def)};
        const int *n = def.grid.n;
        int density = gyre_gas_field(gas[0], "density");
        set_field(gas[0], density, noise, gas[0]);
        set_field(gas[1], density, turned_noise, gas[1]);
        for (int g = 0; g < 2; g++) {
            for (int a = 0; a < dim; a++)
                set_constant(gas[g], a, wind[a]);
            for (int step = 0; step < 3; step++) {
                trace(gas[g], 1.0f);
                carry(gas[g], density, limited[q % 3]);
            }
        }
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    float x = *sample(gas[0], density, i, j, k);
                    float y =
                        *sample(gas[1], density, (i + 10) % n[0], (j + 5) % n[1], (k + 3) % n[2]);
                    assert_true(fabsf(x - y) < 4e-6f);
                }
        gyre_gas_destroy(gas[0]);
        gyre_gas_destroy(gas[1]);
    }
}

static double half_full(const double x[3], const void *data)
{
    return x[*(const int *)data] < 16.0 ? 1.0 : 0.0;
}

// A wall of one cell, and gas blown at it from all over at five cells a step, straight and askew:
// behind it not a trace.
static void test_wall_is_tight(void **state)
{
    static const double winds[][3] = {{5, 0, 0}, {5, 3, 1}, {0.7, 0, 0}, {5, -5, 5}, {-5, 2, 0}};
    (void)state;
    for (int q = 0; q < 2 * 3 * GY_COUNT(winds); q++) {
        int dim = 2 + q % 2, axis = q / 2 % 3, w = q / 6;
        if (axis >= dim)
            continue;
        gyre_gas_def def = still_def(dim, 40, 32, dim == 3 ? 33 : 1, 1.0f,
                                     w % 2 ? GYRE_GAS_SIDE_SLIP : GYRE_GAS_SIDE_OPEN);
        gyre_gas_solid solid = wall(axis, 16.0, 17.0);
        def.solids = (gyre_pool){.items = &solid, .count = 1};
        gyre_gas *gas = make(&def);
        int density = gyre_gas_field(gas, "density");
        set_field(gas, density, half_full, &axis);
        for (int a = 0; a < dim; a++)
            set_constant(gas, a, winds[w][(a + 3 - axis) % 3]);
        for (int step = 0; step < 8; step++) {
            trace(gas, 1.0f);
            carry(gas, density, step % 4 ? limited[step % 4 - 1] : GYRE_GAS_SEMI_LAGRANGIAN);
        }
        for (int k = 0; k < def.grid.n[2]; k++)
            for (int j = 0; j < def.grid.n[1]; j++)
                for (int i = 0; i < def.grid.n[0]; i++) {
                    const int at[3] = {i, j, k};
                    if (at[axis] >= 17)
                        assert_true(*sample(gas, density, i, j, k) == 0.0f);
                }
        gyre_gas_destroy(gas);
    }
}

// Gas that enters through an open upper side comes with the velocity of that side, not with what
// memory holds beyond it; where energy is kept it comes at rest.
static void test_open_inflow(void **state)
{
    (void)state;
    for (int q = 0; q < 8; q++) {
        int dim = 2 + q / 2 % 2, axis = q % 2 ? dim - 1 : 1;
        gyre_gas_def def = still_def(dim, 20, 20, dim == 3 ? 20 : 1, 1.0f, GYRE_GAS_SIDE_OPEN);
        bool keeps = q >= 4;
        def.advection = keeps ? GYRE_GAS_CONSERVATIVE : GYRE_GAS_MACCORMACK;
        gyre_gas *gas = make(&def);
        for (int a = 0; a < dim; a++)
            set_constant(gas, a, a == axis ? -0.4 : 0.0);
        // Rubbish in the other fields would be read as velocity.
        for (int f = dim; f < gas->states; f++)
            set_constant(gas, f, 1e6);
        assert_int_equal(gyre_gas_step(gas, 1.0f), GYRE_OK);
        for (int k = 0; k < def.grid.n[2]; k++)
            for (int j = 0; j <= (axis == 1 ? 20 : 19); j++)
                for (int i = 0; i < 20; i++) {
                    float u = *sample(gas, axis, i, j, k);
                    assert_true(keeps ? u > -0.4001f && u < 1e-4f : fabsf(u + 0.4f) < 1e-5f);
                }
        gyre_gas_destroy(gas);
    }
}

// ---- forces and sources ------------------------------------------------------------------------

static void test_decay(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 40, 8, 1, 1.0f, GYRE_GAS_SIDE_SLIP);
    gyre_gas *gas = make(&def);
    int density = gyre_gas_field(gas, "density");
    gy_decay_args a = {.base = gas->base, .extent = gas->extent, .factor = 0.9f};
    set_field(gas, density, noise, gas);
    float old = *sample(gas, density, 17, 3, 0);
    *sample(gas, density, 18, 3, 0) = 1.05e-30f;
    a.field = gas->slot[density];
    gy_run(the_device, GY_OP_decay, &a, gy_gas_box(gas, GYRE_CENTRE));
    assert_true(*sample(gas, density, 17, 3, 0) == old * 0.9f);
    assert_true(*sample(gas, density, 18, 3, 0) == 0.0f);
    gyre_gas_destroy(gas);
    // exp(-dissipation t), whatever the step.
    def.density.dissipation = 2.0f;
    for (int steps = 1; steps < 5; steps++) {
        gas = make(&def);
        set_constant(gas, density, 3.0);
        for (int q = 0; q < steps; q++)
            assert_int_equal(gyre_gas_step(gas, 0.8f / (float)steps), GYRE_OK);
        assert_true(fabs((double)*sample(gas, density, 5, 5, 0) - 3.0 * exp(-1.6)) < 1e-6);
        gyre_gas_destroy(gas);
    }
}

static void test_buoyancy(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        gyre_gas_def def = still_def(3, 17, 16, 15, 0.1f, GYRE_GAS_SIDE_OPEN);
        gyre_gas *gas = make(&def);
        int density = gyre_gas_field(gas, "density");
        set_field(gas, density, noise, gas);
        set_field(gas, density + 1, noise, gas);
        gy_buoyancy_args a = {.base = gas->base,
                              .velocity = gas->slot[axis],
                              .density = gas->slot[density],
                              .temperature = gas->slot[density + 1],
                              .count = gas->count,
                              .extent = gas->extent,
                              .axis = axis,
                              .heat = 0.25f,
                              .weight = -0.5f,
                              .cap = 100.0f,
                              .edge = gy_gas_edge(gas, gy_faces(axis), 0)};
        gy_run(the_device, GY_OP_buoyancy, &a, gy_gas_box(gas, gy_faces(axis)));
        for (int p = 0; p < 2; p++) {
            // An inner face, and the upper side's, where half is air from outside.
            int at[3] = {7, 7, 7}, below[3];
            at[axis] = p ? def.grid.n[axis] : 7;
            memcpy(below, at, sizeof at);
            below[axis]--;
            float up = p ? 0.0f : *sample(gas, density, at[0], at[1], at[2]);
            float down = *sample(gas, density, below[0], below[1], below[2]);
            assert_true(fabsf(*sample(gas, axis, at[0], at[1], at[2]) + 0.125f * (up + down)) <
                        1e-6f);
        }
        gyre_gas_destroy(gas);
    }
}

// What an emitter covers is its area: the part of a cell is taken from the distance at its centre,
// exact for a plane, of second order for a sphere.
static void test_emitters(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        gyre_gas_def def = still_def(2, 64, 48, 1, 0.1f, GYRE_GAS_SIDE_SLIP);
        gyre_gas_emitter e = gyre_gas_default_emitter();
        e.mode = mode;
        e.shape.kind = GYRE_SHAPE_SPHERE;
        e.shape.as.sphere.centre[0] = 3.13f;
        e.shape.as.sphere.centre[1] = 2.41f;
        e.shape.as.sphere.radius = 1.0f;
        e.density = 2.0f;
        def.emitters = (gyre_pool){.items = &e, .count = 1};
        gyre_gas *gas = make(&def);
        int density = gyre_gas_field(gas, "density");
        assert_int_equal(gyre_gas_step(gas, 0.5f), GYRE_OK);
        double amount = mode ? 2.0 : 1.0, total = gyre_model_total(gyre_gas_model(gas), density);
        assert_true(fabs(total - amount * pi) < 0.005 * amount * pi);
        assert_true(fabsf(*sample(gas, density, 31, 24, 0) - (float)amount) < 1e-6f);
        assert_int_equal(gyre_gas_step(gas, 0.5f), GYRE_OK);
        assert_true(fabsf(*sample(gas, density, 31, 24, 0) - 2.0f) < 1e-6f);
        assert_true(*sample(gas, density, 10, 24, 0) == 0.0f);
        gyre_gas_destroy(gas);
    }
}

// The integral of (1 - r^2/R^2)^2: pi R^2 / 3 in the plane, 32 pi R^3 / 105 in space.
static void test_splat(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = still_def(dim, 40, 36, dim == 3 ? 38 : 1, 0.05f, GYRE_GAS_SIDE_SLIP);
        gyre_gas *gas = make(&def);
        int density = gyre_gas_field(gas, "density");
        const float centre[3] = {1.03f, 0.87f, 0.95f};
        assert_int_equal(gyre_gas_splat(gas, density, centre, 0.5f, 3.0f), GYRE_OK);
        double all = dim == 2 ? pi * 0.25 / 3.0 : 32.0 * pi * 0.125 / 105.0;
        double total = gyre_model_total(gyre_gas_model(gas), density);
        assert_true(fabs(total - 3.0 * all) < 0.002 * 3.0 * all);
        gyre_gas_destroy(gas);
    }
}

static void test_extend(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 32, 32, 1, 1.0f, GYRE_GAS_SIDE_SLIP);
    gyre_gas_solid solid = wall(0, 16.0, 19.0);
    def.solids = (gyre_pool){.items = &solid, .count = 1};
    gyre_gas *gas = make(&def);
    int density = gyre_gas_field(gas, "density");
    set_field(gas, density, noise, gas);
    *sample(gas, density, 17, 10, 0) = 0.0f;
    gy_gas_extend(gas, density);
    assert_true(*sample(gas, density, 16, 10, 0) == *sample(gas, density, 15, 10, 0));
    assert_true(*sample(gas, density, 18, 10, 0) == *sample(gas, density, 19, 10, 0));
    assert_true(*sample(gas, density, 17, 10, 0) == 0.0f);
    gyre_gas_destroy(gas);
}

/// What lies beyond a wall says how fast that is as soon as it is set: 2 u - what moves here.
static void test_moving_wall(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 20, 12, 1, 1.0f, GYRE_GAS_SIDE_NO_SLIP);
    gyre_gas *gas = make(&def);
    const float wall[3] = {-2.0f, 0.0f, 0.0f};
    set_constant(gas, 0, 0.5);
    assert_true(*sample(gas, 0, 7, 12, 0) == -0.5f);
    assert_int_equal(gyre_gas_set(gas, "sides.y_high.velocity", gyre_vector(3, wall)), GYRE_OK);
    assert_true(*sample(gas, 0, 7, 12, 0) == -4.5f);
    assert_true(*sample(gas, 0, 7, -1, 0) == -0.5f);
    gyre_gas_destroy(gas);
}

// ---- divergence and gradient -------------------------------------------------------------------

static void velocity_args(const gyre_gas *gas, uint32_t velocity[3])
{
    for (int a = 0; a < 3; a++)
        velocity[a] = gas->slot[GY_MIN(a, gas->extent.dim - 1)];
}

/// sum p div u = - sum over faces of openness u grad p. A face of an open side has half a cell
/// before the point where p is 0: twice the gradient over half the volume.
static void check_adjoint(const gyre_gas_def *def)
{
    gyre_gas *gas = make(def);
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    const int *n = gas->extent.n;
    double left = 0.0, right = 0.0, size = 0.0;
    for (int a = 0; a < def->grid.dim; a++)
        set_field(gas, a, noise, gas);
    gy_divergence_args d = {.base = gas->base,
                            .level = gy_system_offset(&gas->pressure, 0),
                            .partial = gas->pressure.partial,
                            .extent = gas->extent,
                            .write = 1};
    velocity_args(gas, d.velocity);
    gy_run(the_device, GY_OP_divergence, &d, gy_gas_box(gas, GYRE_CENTRE));
    // Random p in the cells, 0 beyond them.
    gy_relax_args clear = {.base = gas->base, .level = d.level};
    gy_run(the_device, GY_OP_clear, &clear,
           gy_box_make(1, n[1] + 2, def->grid.dim == 3 ? n[2] + 2 : 1));
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                memset(g.x[c] + gy_level_row(g.l, j, k), 0,
                       (size_t)g.groups * GY_GROUP * sizeof(float));
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                ptrdiff_t o = gy_level_row(g.l, j, k) + (i >> 1);
                float p = gy_random_unit(8, (uint32_t)((k * n[1] + j) * n[0] + i)) - 0.5f;
                g.x[(i + j + k) & 1][o] = p;
                left -= (double)p * (double)g.b[(i + j + k) & 1][o];
            }
    for (int axis = 0; axis < def->grid.dim; axis++) {
        gy_relax_args w = {.base = gas->base, .level = d.level, .axis = axis};
        gy_box box = gy_level_box(g.l);
        box.high[0] = 1;
        if (axis > 0)
            box.high[axis] = 1;
        if (gas->periodic >> axis & 1u)
            gy_run(the_device, GY_OP_wrap, &w, box);
    }
    gyre_gas *before = make(def);
    for (int a = 0; a < def->grid.dim; a++)
        set_field(before, a, noise, before);
    gy_gradient_args q = {.base = gas->base,
                          .level = d.level,
                          .partial = d.partial,
                          .extent = gas->extent,
                          .cap = 1e6f};
    velocity_args(gas, q.velocity);
    gy_box box = gy_gas_box(gas, GYRE_CENTRE);
    for (int a = 0; a < def->grid.dim; a++) {
        q.edge[a] = gy_gas_edge(gas, gy_faces(a), 0);
        box.high[a] = GY_MAX(box.high[a], a > 0 ? gy_gas_edge(gas, gy_faces(a), a).samples : 0);
    }
    gy_run(the_device, GY_OP_gradient, &q, box);
    for (int axis = 0; axis < def->grid.dim; axis++) {
        int end[3] = {n[0], n[1], n[2]};
        end[axis] = gy_gas_edge(gas, gy_faces(axis), axis).samples;
        for (int k = 0; k < end[2]; k++)
            for (int j = 0; j < end[1]; j++)
                for (int i = 0; i < end[0]; i++) {
                    const int at[3] = {i, j, k};
                    double a = (double)*gy_coefficient(&g, axis, i, j, k) / 16384.0;
                    double u = (double)*sample(before, axis, i, j, k);
                    double v = (double)*sample(gas, axis, i, j, k);
                    bool side =
                        !(gas->periodic >> axis & 1u) && (at[axis] == 0 || at[axis] == n[axis]);
                    if (a == 0.0)
                        assert_true(v == 0.0);
                    right -= (side ? 0.25 : 1.0) * a * u * (u - v);
                    size += fabs(u * (u - v));
                }
    }
    assert_true(fabs(left - right) < 1e-6 * size);
    gyre_gas_destroy(before);
    gyre_gas_destroy(gas);
}

static void test_adjoint(void **state)
{
    static const int sizes[][4] = {{2, 45, 31, 1},  {2, 32, 64, 1}, {2, 1, 20, 1},  {2, 16, 3, 1},
                                   {3, 21, 18, 15}, {3, 32, 9, 12}, {3, 48, 1, 20}, {2, 7, 5, 1}};
    (void)state;
    for (int q = 0; q < 3 * GY_COUNT(sizes); q++) {
        const int *n = sizes[q / 3] + 1;
        int rules[3] = {GYRE_GAS_SIDE_SLIP, GYRE_GAS_SIDE_OPEN, GYRE_GAS_SIDE_PERIODIC};
        gyre_gas_def def = still_def(sizes[q / 3][0], n[0], n[1], n[2], 1.0f, rules[q % 3]);
        // Cut cells of every openness; across the upper x side, too.
        gyre_gas_solid solids[2] = {sphere(0.4 * n[0], 0.5 * n[1], 0.5 * n[2], 0.23 * n[0]),
                                    sphere(n[0], 0.9 * n[1], 0.3 * n[2], 0.2 * n[0])};
        def.solids = (gyre_pool){.items = solids, .count = q % 2 ? 2 : 1};
        check_adjoint(&def);
    }
}

/// Where a field's samples lie is told alike to callers, in the list of fields and to ops.
static void test_locations(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = still_def(dim, 9, 8, dim == 3 ? 7 : 1, 0.5f, GYRE_GAS_SIDE_OPEN);
        gyre_gas *gas = make(&def);
        const gy_field *list = (const gy_field *)(const void *)gy_at(gas->base, gas->listed);
        int count;
        const gyre_field_info *info = gyre_gas_fields(gas, &count);
        for (int f = 0; f < gas->states; f++) {
            int n[3];
            gyre_grid_samples(&def.grid, info[f].location, n);
            assert_int_equal(list[f].location, info[f].location);
            for (int a = 0; a < dim; a++) {
                assert_int_equal(gy_gas_edge(gas, info[f].location, a).samples, n[a]);
                assert_int_equal(list[f].edge[a].samples, n[a]);
            }
            // A ball round one sample touches no other.
            float first[3];
            gyre_grid_position(&def.grid, info[f].location, 3, 3, dim == 3 ? 3 : 0, first);
            gyre_shape ball = gyre_sphere(first, 0.1f);
            gy_solid solid = gy_solid_make(&ball, dim);
            gy_emit_args a = {.base = gas->base,
                              .shape = (uint64_t)(uintptr_t)&solid,
                              .field = gas->slot[f],
                              .location = (int32_t)info[f].location,
                              .extent = gas->extent,
                              .h = def.grid.h,
                              .amount = 1.0f,
                              .limit = 10.0f,
                              .level = gy_system_offset(&gas->pressure, 0)};
            gy_run(the_device, GY_OP_emit, &a, gy_gas_box(gas, info[f].location));
            assert_true(*sample(gas, f, 3, 3, dim == 3 ? 3 : 0) > 0.0f);
            assert_true(*sample(gas, f, 2, 3, dim == 3 ? 3 : 0) == 0.0f);
            assert_true(*sample(gas, f, 3, 2, dim == 3 ? 3 : 0) == 0.0f);
        }
        gyre_gas_destroy(gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deforming_flow), cmocka_unit_test(test_translation),
        cmocka_unit_test(test_trace_order),    cmocka_unit_test(test_limits),
        cmocka_unit_test(test_paths_agree),    cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_seam),           cmocka_unit_test(test_wall_is_tight),
        cmocka_unit_test(test_open_inflow),    cmocka_unit_test(test_decay),
        cmocka_unit_test(test_buoyancy),       cmocka_unit_test(test_emitters),
        cmocka_unit_test(test_splat),          cmocka_unit_test(test_extend),
        cmocka_unit_test(test_moving_wall),    cmocka_unit_test(test_adjoint),
        cmocka_unit_test(test_locations),
    };
    return cmocka_run_group_tests_name("ops", tests, open_device, close_device);
}
