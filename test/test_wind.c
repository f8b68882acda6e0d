// labels: small
// Air over water: a gas whose floor is the water's surface, and the wind's stress on it.
#include "gyre/water.h"
#include "gyre/wind.h"
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <string.h>

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

/// A gas over water: both `nx` cells of h along x, in 3D 6 along y; the gas `up` cells high.
typedef struct pair {
    int dim, nx, up;
    double h;
    gyre_gas *gas;
    gyre_water *water;
} pair;

static gyre_gas_def air(const pair *p, int ends)
{
    int ny = p->dim == 3 ? 6 : p->up, nz = p->dim == 3 ? p->up : 1;
    gyre_gas_def def = still_def(p->dim, p->nx, ny, nz, (float)p->h, GYRE_GAS_SIDE_SLIP);
    def.floor = true;
    def.sides.x_low.rule = def.sides.x_high.rule = ends;
    return def;
}

static gyre_water_def sea(const pair *p, int ends, float level)
{
    gyre_water_def def = gyre_water_default_def(p->dim - 1);
    def.grid.n[0] = p->nx;
    def.grid.n[1] = p->dim == 3 ? 6 : 1;
    def.grid.h = (float)p->h;
    def.level = level;
    def.mode = GYRE_WATER_SHALLOW;
    def.sides.x_low.rule = def.sides.x_high.rule = ends;
    return def;
}

static void start(pair *p, const gyre_gas_def *air, const gyre_water_def *sea)
{
    p->gas = make(air);
    must(gyre_water_create(the_device, sea, &p->water));
}

static void stop(pair *p)
{
    gyre_gas_destroy(p->gas);
    gyre_water_destroy(p->water);
}

static void blow(pair *p, float drag, float dt, int steps)
{
    for (int s = 0; s < steps; s++) {
        must(gyre_wind_blow(gyre_gas_model(p->gas), gyre_water_model(p->water), drag, dt));
        must(gyre_water_step(p->water, dt));
        must(gyre_gas_step(p->gas, dt));
    }
}

/// Of the gas along x, by what is open of its faces.
static double gas_momentum(const pair *p)
{
    gy_grid_level g = gy_grid_level_at(p->gas->base, gy_system_offset(&p->gas->pressure, 0));
    const int *n = p->gas->extent.n;
    double sum = 0.0, cell = p->dim == 3 ? p->h * p->h * p->h : p->h * p->h;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                sum += (double)*gy_coefficient(&g, 0, i, j, k) / GY_UNIT *
                       (double)*sample(p->gas, 0, i, j, k);
    return sum * cell * (double)p->gas->def->air_density;
}

/// Of the water along x, in 2D of the gas per metre of width; with what it has still to get.
static double water_momentum(const pair *p)
{
    double sum =
        gyre_model_total(gyre_water_model(p->water), gyre_water_field(p->water, "discharge_x"));
    float x[4096], y[4096];
    pair copy = *p;
    sum *= 1000.0 / (p->dim == 3 ? 1.0 : p->h);
    // Looked at, not taken.
    size_t size = gyre_gas_save_size(p->gas), written;
    void *bytes = malloc(size);
    must(gyre_gas_save(p->gas, bytes, size, &written));
    must(gyre_gas_take_push(copy.gas, x, p->dim == 3 ? y : NULL));
    must(gyre_gas_load(p->gas, bytes, written));
    free(bytes);
    for (int q = 0; q < p->nx * (p->dim == 3 ? 6 : 1); q++)
        sum += (double)x[q];
    return sum;
}

// What the gas loses the water gets.
static void momentum_stays(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int cut = 0; cut < 3; cut++) {
            pair p = {.dim = dim, .nx = 16, .up = 12, .h = 0.1};
            gyre_gas_def above = air(&p, GYRE_GAS_SIDE_PERIODIC);
            gyre_water_def below = sea(&p, GYRE_WATER_PERIODIC, 0.4f + 0.03f * (float)cut);
            start(&p, &above, &below);
            set_constant(p.gas, 0, 3.0);
            blow(&p, 0.02f, 0.02f, 1);
            double gas = gas_momentum(&p), water = water_momentum(&p);
            blow(&p, 0.02f, 0.02f, 60);
            double lost = gas - gas_momentum(&p), won = water_momentum(&p) - water;
            if (loud())
                print_message("%dD, level %g: gas %.5g, lost %.6g, water won %.6g: off by %.1e\n",
                              dim, (double)below.level, gas, lost, won, fabs(won / lost - 1.0));
            assert_true(lost > 0.03 * gas && fabs(won / lost - 1.0) < 1e-4);
            stop(&p);
        }
}

// A steady wind sets a closed basin up: rho g h d(surface)/dx = tau.
static void wind_sets_water_up(void **state)
{
    (void)state;
    for (int dim = 2; dim <= (SANITIZED ? 2 : 3); dim++) {
        pair p = {.dim = dim, .nx = 40, .up = 8, .h = 0.2};
        gyre_gas_def above = air(&p, GYRE_GAS_SIDE_OPEN);
        gyre_water_def below = sea(&p, GYRE_WATER_WALL, 0.5f);
        above.sides.x_low = (gyre_gas_side){.rule = GYRE_GAS_SIDE_INFLOW, .velocity = {5, 0, 0}};
        below.friction = 1.0f;
        start(&p, &above, &below);
        set_constant(p.gas, 0, 5.0);
        blow(&p, 0.004f, 0.025f, 800);
        // Between the middles of two cells stands the stress of the face between them.
        int depth = gyre_water_field(p.water, "depth"), k = 2, from = 4, to = p.nx - 5;
        double tau = 0.0, deep[2];
        for (int i = from + 1; i <= to; i++) {
            double u = (double)*sample(p.gas, 0, i, dim == 3 ? 3 : k, dim == 3 ? k : 0);
            tau += 1.2 * 0.004 * u * u / (to - from);
        }
        for (int e = 0; e < 2; e++) {
            float x[3] = {(float)(((e ? to : from) + 0.5) * p.h), dim == 3 ? 0.7f : 0.1f, 0}, d;
            must(gyre_water_probe(p.water, depth, x, 1, &d));
            deep[e] = (double)d;
        }
        double slope = (deep[1] - deep[0]) / ((to - from) * p.h);
        double expected = tau / (1000.0 * 9.81 * 0.5 * (deep[0] + deep[1]));
        if (loud())
            print_message("%dD: stress %.4g Pa, slope %.4e, expected %.4e (%.2f %%)\n", dim, tau,
                          slope, expected, 100.0 * (slope / expected - 1.0));
        assert_true(expected > 7e-6 && fabs(slope / expected - 1.0) < 0.02);
        stop(&p);
    }
}

static double wave_of(const double x[3], const void *data)
{
    const double *amplitude = data;
    return *amplitude * cos(2 * pi * x[0] / 3.2);
}

static void set_water(pair *p, const char *name, double amplitude)
{
    gyre_field_view v;
    int field = gyre_water_field(p->water, name);
    must(gyre_water_map(p->water, field, GYRE_WRITE, &v));
    for (int j = 0; j < v.n[1]; j++)
        for (int i = 0; i < v.n[0]; i++) {
            float at[3];
            gyre_grid_position(&v.grid, v.location, i, j, 0, at);
            const double x[3] = {(double)at[0], 0, 0};
            v.data[i + j * v.stride[1]] = (float)wave_of(x, &amplitude);
        }
    must(gyre_water_unmap(p->water, field));
}

static double box_of_smoke(const double x[3], const void *data)
{
    int up = *(const int *)data - 1;
    return x[up] < 1.2 ? 1.0 : 0.0;
}

// A wave that travels along moves the air over it up and down as potential flow has it, and pushes
// out what it covers: the smoke stays.
static void a_wave_moves_the_air(void **state)
{
    (void)state;
    for (int c = 0; c < 4; c++) {
        int dim = 2 + c / 2, high = c % 2;
        pair p = {.dim = dim, .nx = 32, .up = 20, .h = 0.1};
        gyre_gas_def above = air(&p, GYRE_GAS_SIDE_PERIODIC);
        gyre_water_def below = sea(&p, GYRE_WATER_PERIODIC, 0.65f);
        double amplitude = high ? 0.12 : 0.03, kay = 2 * pi / 3.2;
        below.mode = GYRE_WATER_WAVE;
        below.wave_speed = 1.0f;
        start(&p, &above, &below);
        set_water(&p, "height", amplitude);
        set_water(&p, "discharge_x", amplitude);
        set_field(p.gas, dim, box_of_smoke, &dim);
        blow(&p, 0.0f, 0.02f, 1);
        double smoke = gyre_model_total(gyre_gas_model(p.gas), dim);
        double off = 0.0, size = 0.0;
        for (int s = 0; s < 160; s++) {
            blow(&p, 0.0f, 0.02f, 1);
            for (int i = 0; i < p.nx && s % 16 == 15; i++) {
                // Three to five cells above the mean level.
                for (int k = 9; k < 12; k++) {
                    float x[3] = {(float)((i + 0.5) * p.h), 0.3f, (float)(k * p.h)}, w;
                    x[dim - 1] = x[2];
                    double t = (double)gyre_model_time(gyre_gas_model(p.gas)), y = k * p.h - 0.65;
                    w = at(p.gas, dim == 3 ? "velocity_z" : "velocity_y", x[0], x[1],
                           dim == 3 ? x[2] : 0.0f);
                    // What the floor's rise was told of lies half a step and one step back.
                    double rise = amplitude * kay * sin(kay * ((double)x[0] - (t - 0.03)));
                    double given = rise * sinh(kay * (1.35 - y)) / sinh(kay * 1.35);
                    off += ((double)w - given) * ((double)w - given);
                    size += given * given;
                }
            }
        }
        double now = gyre_model_total(gyre_gas_model(p.gas), dim);
        gyre_gas_stats st = gyre_gas_get_stats(p.gas);
        if (loud())
            print_message("%dD, %g m: air off by %.3g of its speed, smoke by %.1e, "
                          "unbalanced %.1e\n",
                          dim, amplitude, sqrt(off / size), fabs(now / smoke - 1.0),
                          (double)st.unbalanced);
        assert_true(sqrt(off / size) < (high ? 0.2 : 0.1)); // of second order in the height
        assert_true(fabs(now / smoke - 1.0) < 1e-5);
        stop(&p);
    }
}

// Water and gas that are saved and loaded go on with the same bits.
static void a_state_goes_on(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        pair p = {.dim = dim, .nx = 32, .up = 14, .h = 0.1}, q = p;
        gyre_gas_def above = air(&p, GYRE_GAS_SIDE_PERIODIC);
        gyre_water_def below = sea(&p, GYRE_WATER_PERIODIC, 0.65f);
        start(&p, &above, &below);
        start(&q, &above, &below);
        set_water(&p, "discharge_x", 0.2);
        set_constant(p.gas, 0, 2.0);
        set_field(p.gas, dim, box_of_smoke, &dim);
        blow(&p, 0.01f, 0.02f, 25);
        size_t size[2] = {gyre_gas_save_size(p.gas), gyre_water_save_size(p.water)}, written;
        for (int m = 0; m < 2; m++) {
            gyre_model *from = m ? gyre_water_model(p.water) : gyre_gas_model(p.gas);
            gyre_model *to = m ? gyre_water_model(q.water) : gyre_gas_model(q.gas);
            void *bytes = malloc(size[m]);
            must(gyre_model_save(from, bytes, size[m], &written));
            must(gyre_model_load(to, bytes, written));
            assert_true(gyre_model_hash(from) == gyre_model_hash(to));
            free(bytes);
        }
        blow(&p, 0.01f, 0.02f, 5);
        blow(&q, 0.01f, 0.02f, 5);
        assert_true(gyre_gas_hash(p.gas) == gyre_gas_hash(q.gas));
        assert_true(gyre_water_hash(p.water) == gyre_water_hash(q.water));
        finite_everywhere(p.gas);
        stop(&p);
        stop(&q);
    }
}

static void told(gyre_result r, gyre_result expected, const char *part)
{
    assert_int_equal(r, expected);
    one_line();
    if (!strstr(gyre_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), part);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    pair p = {.dim = 2, .nx = 16, .up = 8, .h = 0.1};
    gyre_gas_def above = air(&p, GYRE_GAS_SIDE_SLIP);
    gyre_water_def below = sea(&p, GYRE_WATER_WALL, 0.25f);
    float height[16] = {0};
    gyre_gas_floor floor = {.height = height};
    above.floor = false;
    start(&p, &above, &below);
    gyre_model *gas = gyre_gas_model(p.gas), *water = gyre_water_model(p.water);
    told(gyre_wind_blow(gas, water, 0.01f, 0.1f), GYRE_ERROR_STATE, "its def's floor is false");
    told(gyre_wind_blow(water, water, 0.01f, 0.1f), GYRE_ERROR_UNSUPPORTED, "a water is no gas");
    told(gyre_wind_blow(gas, gas, 0.01f, 0.1f), GYRE_ERROR_UNSUPPORTED, "a gas is no water");
    told(gyre_wind_blow(gas, water, NAN, 0.1f), GYRE_ERROR_ARGUMENT, "drag: found");
    told(gyre_wind_blow(gas, water, 0.0f, -1.0f), GYRE_ERROR_ARGUMENT, "dt: found -1");
    stop(&p);
    above.floor = true;
    below.mode = GYRE_WATER_WAVE;
    below.grid.n[0] = 12;
    start(&p, &above, &below);
    gas = gyre_gas_model(p.gas);
    water = gyre_water_model(p.water);
    told(gyre_wind_blow(gas, water, 0.01f, 0.1f), GYRE_ERROR_UNSUPPORTED, "mode wave");
    told(gyre_wind_blow(gas, water, 0.0f, 0.1f), GYRE_ERROR_ARGUMENT, "along x the gas goes from");
    uint64_t hash = gyre_gas_hash(p.gas);
    height[3] = INFINITY;
    told(gyre_gas_set_floor(p.gas, &floor), GYRE_ERROR_ARGUMENT, "height.3: found inf");
    assert_true(hash == gyre_gas_hash(p.gas));
    height[3] = 0.21f;
    must(gyre_gas_set_floor(p.gas, &floor));
    told(gyre_model_shift(gas, (const int32_t[]){1, 0, 0}), GYRE_ERROR_UNSUPPORTED, "floor");
    must(gyre_gas_step(p.gas, 0.1f));
    must(gyre_gas_set_floor(p.gas, NULL));
    must(gyre_model_shift(gas, (const int32_t[]){1, 0, 0}));
    must(gyre_gas_step(p.gas, 0.1f));
    stop(&p);
    above = air(&p, GYRE_GAS_SIDE_SLIP);
    above.velocity = GYRE_GAS_NOISE;
    assert_true(gyre_gas_size(&above) == 0 && strstr(gyre_message(), "floor"));
    above.velocity = GYRE_GAS_SOLVED;
    above.pressure.solver = GYRE_SOLVER_FFT;
    assert_true(gyre_gas_size(&above) == 0);
    one_line();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_stays),           cmocka_unit_test(wind_sets_water_up),
        cmocka_unit_test(a_wave_moves_the_air),     cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
