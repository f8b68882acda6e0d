// test/test_pressure.c: the pressure that a gas tells, against flows in which it is known: air at
// rest on layers, eddies in a plane, a flow that is its own curl, a stream between plates; when it
// is of; that it is the state's own; and where it cannot be had.
// labels: small
#include "device_rig.h"
#include "gyre/gyre.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef double known(int what, const float at[3]); // a velocity's component; 3: the pressure

enum { PRESSURE = 3 };
static const double RHO = 1.3;

// Fills a field of the state.
static void fill(gyre_gas *gas, const char *name, known *value, int what)
{
    int f = gyre_gas_field(gas, name);
    gyre_field_view v;
    must(gyre_gas_map(gas, f, GYRE_WRITE, &v));
    for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
        int i = q % v.n[0], j = q / v.n[0] % v.n[1], k = q / v.n[0] / v.n[1];
        float at[3];
        gyre_grid_position(&v.grid, v.location, i, j, k, at);
        v.data[i * v.stride[0] + j * v.stride[1] + k * v.stride[2]] = (float)value(what, at);
    }
    must(gyre_gas_unmap(gas, f));
}

static void blow(gyre_gas *gas, int dim, known *flow)
{
    static const char *const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
    for (int c = 0; c < dim; c++) {
        fill(gas, names[c], flow, c);
    }
}

// What the pressure differs from what it should be: root mean square, and its own mean.
typedef struct found {
    double off, mean, size;
} found;

static found look(gyre_gas *gas, known *flow, double scale)
{
    int f = gyre_gas_field(gas, "pressure"), count = 0;
    found r = {0};
    double less = 0.0;
    gyre_field_view v;
    must(gyre_gas_map(gas, f, GYRE_READ, &v));
    for (int pass = 0; pass < 2; pass++) {
        for (int q = 0; q < v.n[0] * v.n[1] * v.n[2]; q++) {
            int i = q % v.n[0], j = q / v.n[0] % v.n[1], k = q / v.n[0] / v.n[1];
            float at[3];
            gyre_grid_position(&v.grid, v.location, i, j, k, at);
            double p = (double)v.data[i * v.stride[0] + j * v.stride[1] + k * v.stride[2]];
            double should = scale * flow(PRESSURE, at) - less;
            if (pass == 0) {
                r.mean += p;
                r.size += should;
                count++;
            } else {
                r.off += (p - should) * (p - should) / count;
            }
        }
        // Only differences are known.
        less = pass == 0 ? r.size / count : less;
    }
    r.mean /= count;
    r.off = sqrt(r.off);
    must(gyre_gas_unmap(gas, f));
    return r;
}

static gyre_gas_def box_of(int dim, int n, int rule)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas_side *sides = &def.sides.x_low;
    for (int s = 0; s < 6; s++) {
        sides[s].rule = rule;
    }
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.n[2] = dim == 3 ? n : 1;
    def.grid.h = 1.0f / (float)n;
    def.air_density = (float)RHO;
    def.pressure.tolerance = 1e-6f;
    return def;
}

static gyre_gas *made(const gyre_gas_def *def)
{
    gyre_gas *gas;
    must(gyre_gas_create(the_device, def, &gas));
    return gas;
}

static void steps(gyre_gas *gas, int count, float dt)
{
    for (int s = 0; s < count; s++) {
        must(gyre_gas_step(gas, dt));
    }
}

// ---- air at rest

enum { SMOKE = 4 };

// Layers of smoke, 1 - y + y^2, that weigh g of it: p = -rho g (y - y^2 / 2 + y^3 / 3).
static double layers(int what, const float at[3])
{
    double y = (double)at[1];
    return what == SMOKE      ? 1.0 - y + y * y
           : what == PRESSURE ? -RHO * 9.0 * (y - y * y / 2.0 + y * y * y / 3.0)
                              : 0.0;
}

static gyre_gas *rest(int dim, int n, float fades)
{
    gyre_gas_def def = box_of(dim, n, GYRE_GAS_SIDE_SLIP);
    def.gravity[0] = def.gravity[2] = 0.0f;
    def.gravity[1] = -9.0f;
    def.density_weight = 1.0f;
    def.density.dissipation = fades;
    gyre_gas *gas = made(&def);
    fill(gas, "density", layers, SMOKE);
    return gas;
}

// Faces take the mean of what weighs above and below: the sum over layers is good to h^2.
static void layers_weigh_on_those_below(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = rest(dim, 16, 0.0f);
        steps(gas, 4, 0.05f);
        found r = look(gas, layers, 1.0);
        print_message("layers, %dD: off by %.2g of 3.0 Pa, mean %.2g\n", dim, r.off, r.mean);
        assert_true(r.off < 0.01 && fabs(r.mean) < 1e-5);
        gyre_gas_destroy(gas);
    }
}

// What weighs fades by a tenth a step: the pressure is that of the step's middle, not of its end.
static void it_is_of_the_middle_of_the_step(void **state)
{
    (void)state;
    const float dt = 0.05f, fades = 2.0f;
    gyre_gas *gas = rest(2, 16, fades);
    steps(gas, 6, dt);
    double now = 6.0 * (double)dt, rate = (double)fades;
    found middle = look(gas, layers, exp(-rate * (now - 0.5 * (double)dt)));
    found end = look(gas, layers, exp(-rate * now));
    print_message("fading: off by %.2g of the middle's, by %.2g of the end's\n", middle.off,
                  end.off);
    assert_true(middle.off < 0.01 && end.off > 0.06);
    gyre_gas_destroy(gas);
}

// Two shut rooms have a constant each.
static void each_room_has_its_own_mean(void **state)
{
    (void)state;
    gyre_gas_def def = box_of(2, 24, GYRE_GAS_SIDE_SLIP);
    gyre_gas_solid wall = gyre_gas_default_solid();
    gyre_field_view v;
    wall.shape = gyre_box((const float[3]){0.4375f, 0.5f, 0}, (const float[3]){0.15f, 4, 1});
    def.solids = (gyre_pool){&wall, 1, 1};
    def.gravity[1] = -9.0f;
    def.density_weight = 1.0f;
    gyre_gas *gas = made(&def);
    fill(gas, "density", layers, SMOKE);
    steps(gas, 3, 0.05f);
    int f = gyre_gas_field(gas, "pressure");
    must(gyre_gas_map(gas, f, GYRE_READ, &v));
    double sum[2] = {0, 0}, inside = 0, size = 0;
    for (int j = 0; j < 24; j++) {
        for (int i = 0; i < 24; i++) {
            double p = (double)v.data[i + j * v.stride[1]];
            inside = i >= 9 && i < 12 ? fmax(inside, fabs(p)) : inside;
            sum[i >= 12] += i < 9 || i >= 12 ? p / (24 * (i < 9 ? 9 : 12)) : 0.0;
            size = fmax(size, fabs(p));
        }
    }
    must(gyre_gas_unmap(gas, f));
    assert_true(size > 3.0 && inside == 0.0);
    assert_true(fabs(sum[0]) < 1e-5 && fabs(sum[1]) < 1e-5);
    gyre_gas_destroy(gas);
}

// ---- steady flows without viscosity

// Taylor's eddies.
static double eddies(int what, const float at[3])
{
    double x = 2 * PI * (double)at[0], y = 2 * PI * (double)at[1];
    return what == 0          ? sin(x) * cos(y)
           : what == 1        ? -cos(x) * sin(y)
           : what == PRESSURE ? RHO / 4.0 * (cos(2 * x) + cos(2 * y))
                              : 0.0;
}

// Its curl along itself, by Arnold, Beltrami and Childress: Bernoulli's law holds everywhere.
static double spiral(int what, const float at[3])
{
    double x = 2 * PI * (double)at[0], y = 2 * PI * (double)at[1], z = 2 * PI * (double)at[2];
    double u[3] = {sin(z) + 0.4 * cos(y), 0.7 * sin(x) + cos(z), 0.4 * sin(y) + 0.7 * cos(x)};
    return what < 3 ? u[what] : -RHO / 2.0 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

static double error_of(int dim, int n, known *flow)
{
    gyre_gas_def def = box_of(dim, n, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas *gas = made(&def);
    blow(gas, dim, flow);
    steps(gas, n / 4, 0.5f / (float)n); // 1/8 s, at a Courant number of 1/2 (3D: 0.8)
    double off = look(gas, flow, 1.0).off;
    gyre_gas_destroy(gas);
    return off;
}

static void it_is_of_second_order(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        known *flow = dim == 3 ? spiral : eddies;
        double coarse = error_of(dim, 16, flow), fine = error_of(dim, 32, flow);
        double order = log2(coarse / fine);
        print_message("%dD: off by %.3g and %.3g Pa, order %.2f\n", dim, coarse, fine, order);
        assert_true(order > 1.8 && fine < 0.01);
    }
}

// ---- between plates

static double parabola(int what, const float at[3])
{
    double y = (double)at[1];
    return what == 0 ? 4.0 * y * (1.0 - y) : 0.0;
}

// Between plates 1 m apart the middle's speed U takes 8 rho nu U / m^2; outside the pressure is 0.
static void a_stream_between_plates_takes_poiseuilles(void **state)
{
    (void)state;
    gyre_gas_def def = box_of(2, 16, GYRE_GAS_SIDE_NO_SLIP);
    gyre_field_view v;
    const double nu = 0.05, slope = -8.0 * RHO * nu;
    def.grid.n[0] = 32;
    def.sides.x_low = (gyre_gas_side){
        .rule = GYRE_GAS_SIDE_INFLOW, .velocity = {1, 0, 0}, .profile = GYRE_GAS_PROFILE_PARABOLA};
    def.sides.x_high = (gyre_gas_side){.rule = GYRE_GAS_SIDE_OPEN};
    def.viscosity = (float)nu;
    gyre_gas *gas = made(&def);
    blow(gas, 2, parabola);
    steps(gas, 80, 1.0f / 16.0f);
    int f = gyre_gas_field(gas, "pressure");
    must(gyre_gas_map(gas, f, GYRE_READ, &v));
    const float *row = v.data + 8 * v.stride[1];
    double is = ((double)row[23] - (double)row[8]) / (15.0 / 16.0), last = (double)row[31];
    must(gyre_gas_unmap(gas, f));
    print_message("plates: %.5f Pa/m for %.5f, %.5f Pa half a cell before the end\n", is, slope,
                  last);
    assert_true(fabs(is / slope - 1.0) < 0.01);
    assert_true(fabs(last) < 0.05 * fabs(slope)); // where it comes out the stream changes
    gyre_gas_destroy(gas);
}

// ---- what it belongs to

static double sum_of(gyre_gas *gas, double *size)
{
    gyre_field_view v;
    int f = gyre_gas_field(gas, "pressure");
    double sum = 0.0;
    *size = 0.0;
    must(gyre_gas_map(gas, f, GYRE_READ, &v));
    for (int j = 0; j < v.n[1]; j++) {
        for (int i = 0; i < v.n[0]; i++) {
            double p = (double)v.data[i + j * v.stride[1]];
            sum += p * (1 + i + 31 * j);
            *size = fmax(*size, fabs(p));
        }
    }
    must(gyre_gas_unmap(gas, f));
    return sum;
}

// Who looks changes nothing; a state that was loaded has the bits that it was saved with, at once.
static void it_is_the_states_own(void **state)
{
    (void)state;
    gyre_gas_def def = box_of(2, 20, GYRE_GAS_SIDE_SLIP);
    def.gravity[1] = -9.0f;
    def.density_weight = 0.3f;
    gyre_gas *gas = made(&def), *other = made(&def), *third = made(&def);
    double size;
    for (int q = 0; q < 2; q++) {
        blow(q ? other : gas, 2, eddies);
        fill(q ? other : gas, "density", layers, SMOKE);
    }
    for (int s = 0; s < 6; s++) {
        steps(gas, 1, 0.02f);
        steps(other, 1, 0.02f);
        sum_of(gas, &size);
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
    }
    size_t bytes = gyre_gas_save_size(gas);
    void *memory = malloc(bytes);
    assert_non_null(memory);
    must(gyre_gas_save(other, memory, bytes, NULL));
    must(gyre_gas_load(third, memory, bytes));
    assert_true(sum_of(third, &size) == sum_of(gas, &size) && size > 0.1);
    free(memory);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
    gyre_gas_destroy(third);
}

// Nothing is known before a step, nor of velocities that were written over.
static void it_is_of_a_step(void **state)
{
    (void)state;
    gyre_gas_def def = box_of(2, 16, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas *gas = made(&def);
    double size;
    blow(gas, 2, eddies);
    sum_of(gas, &size);
    assert_true(size == 0.0);
    steps(gas, 1, 0.01f);
    sum_of(gas, &size);
    assert_true(size > 0.5);
    blow(gas, 2, parabola);
    sum_of(gas, &size);
    assert_true(size == 0.0);
    gyre_gas_destroy(gas);
}

static void refused(gyre_gas *gas, const char *words)
{
    gyre_field_view v;
    float copy[4096];
    int f = gyre_gas_field(gas, "pressure");
    gyre_copy to = {.field = f, .to = copy, .bytes = sizeof copy};
    assert_int_equal(gyre_gas_map(gas, f, GYRE_READ, &v), GYRE_ERROR_UNSUPPORTED);
    says(words);
    assert_int_equal(gyre_model_copy(gyre_gas_model(gas), &to), GYRE_ERROR_UNSUPPORTED);
    says(words);
    // It was not opened.
    must(gyre_gas_map(gas, gyre_gas_field(gas, "vorticity"), GYRE_READ, &v));
    must(gyre_gas_unmap(gas, gyre_gas_field(gas, "vorticity")));
}

static void where_it_cannot_be_had_it_is_refused(void **state)
{
    (void)state;
    gyre_gas_def def = box_of(2, 16, GYRE_GAS_SIDE_SLIP);
    gyre_gas_solid ball = gyre_gas_default_solid();
    double size;
    def.advection = GYRE_GAS_MACCORMACK;
    gyre_gas *gas = made(&def);
    refused(gas, "\"advection\": \"conservative\" alone");
    must(gyre_gas_set(gas, "advection", gyre_string("conservative")));
    sum_of(gas, &size);
    gyre_gas_destroy(gas);
    def.advection = GYRE_GAS_CONSERVATIVE;
    def.velocity = GYRE_GAS_NOISE;
    gas = made(&def);
    refused(gas, "has its velocity from elsewhere");
    gyre_gas_destroy(gas);
    def.velocity = GYRE_GAS_SOLVED;
    ball.shape = gyre_sphere((const float[3]){0.5f, 0.5f, 0}, 0.2f);
    ball.pose.velocity[0] = 0.1f;
    def.solids = (gyre_pool){&ball, 1, 1};
    gas = made(&def);
    steps(gas, 1, 0.01f);
    refused(gas, "in which solids move");
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_weigh_on_those_below),
        cmocka_unit_test(it_is_of_the_middle_of_the_step),
        cmocka_unit_test(each_room_has_its_own_mean),
        cmocka_unit_test(it_is_of_second_order),
        cmocka_unit_test(a_stream_between_plates_takes_poiseuilles),
        cmocka_unit_test(it_is_the_states_own),
        cmocka_unit_test(it_is_of_a_step),
        cmocka_unit_test(where_it_cannot_be_had_it_is_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
