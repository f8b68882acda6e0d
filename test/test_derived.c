// test/test_derived.c: derived fields of gas and water against flows whose strain, helicity,
// vorticity and Froude number are known.
// labels: small
#include "device_rig.h"
#include "gyre/gyre.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef double flow(int component, const float at[3]);
typedef double known(const float at[3]);

static double wave_of(float x)
{
    return 2 * PI * (double)x;
}

// Eddies in a plane: u = sin x cos y, v = -cos x sin y.
static double eddies(int c, const float at[3])
{
    double x = wave_of(at[0]), y = wave_of(at[1]);
    return c == 0 ? sin(x) * cos(y) : -cos(x) * sin(y);
}

static double eddy_strain(const float at[3])
{
    return 2 * 2 * PI * fabs(cos(wave_of(at[0])) * cos(wave_of(at[1])));
}

static double eddy_vorticity(const float at[3])
{
    return 2 * 2 * PI * sin(wave_of(at[0])) * sin(wave_of(at[1]));
}

// A flow that is its own curl, times k: Arnold, Beltrami and Childress, A, B, C = 1, 0.7, 0.4.
enum { LINES = 3 };
static const double abc[LINES] = {1, 0.7, 0.4};

static double spiral(int c, const float at[3])
{
    double x = wave_of(at[0]), y = wave_of(at[1]), z = wave_of(at[2]);
    return c == 0   ? abc[0] * sin(z) + abc[2] * cos(y)
           : c == 1 ? abc[1] * sin(x) + abc[0] * cos(z)
                    : abc[2] * sin(y) + abc[1] * cos(x);
}

static double speed_squared(const float at[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        sum += spiral(c, at) * spiral(c, at);
    }
    return sum;
}

static double spiral_helicity(const float at[3])
{
    return 2 * PI * speed_squared(at);
}

static double spiral_vorticity(const float at[3])
{
    return 2 * PI * sqrt(speed_squared(at));
}

static double spiral_strain(const float at[3])
{
    double x = wave_of(at[0]), y = wave_of(at[1]), z = wave_of(at[2]);
    double xy = abc[1] * cos(x) - abc[2] * sin(y), xz = abc[0] * cos(z) - abc[1] * sin(x),
           yz = abc[2] * cos(y) - abc[0] * sin(z);
    return 2 * PI * sqrt(xy * xy + xz * xz + yz * yz);
}

static gyre_gas *make(int dim, int n, flow *u)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas_side *sides = &def.sides.x_low;
    gyre_gas *gas;
    for (int s = 0; s < 6; s++) {
        sides[s].rule = GYRE_GAS_SIDE_PERIODIC;
    }
    def.grid.n[0] = def.grid.n[1] = n;
    def.grid.n[2] = dim == 3 ? n : 1;
    def.grid.h = 1.0f / (float)n;
    must(gyre_gas_create(the_device, &def, &gas));
    for (int c = 0; c < dim; c++) {
        gyre_field_view v;
        must(gyre_gas_map(gas, c, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++) {
            for (int j = 0; j < v.n[1]; j++) {
                for (int i = 0; i < v.n[0]; i++) {
                    float at[3];
                    gyre_grid_position(&v.grid, v.location, i, j, k, at);
                    v.data[i * v.stride[0] + j * v.stride[1] + k * v.stride[2]] = (float)u(c, at);
                }
            }
        }
        must(gyre_gas_unmap(gas, c));
    }
    return gas;
}

// The greatest difference from what is known.
static double error_of(int dim, int n, flow *u, const char *field, known *value)
{
    gyre_gas *gas = make(dim, n, u);
    gyre_field_view v;
    int f = gyre_gas_field(gas, field);
    double most = 0;
    must(gyre_gas_map(gas, f, GYRE_READ, &v));
    for (int k = 0; k < v.n[2]; k++) {
        for (int j = 0; j < v.n[1]; j++) {
            for (int i = 0; i < v.n[0]; i++) {
                float at[3];
                gyre_grid_position(&v.grid, v.location, i, j, k, at);
                double x = (double)v.data[i * v.stride[0] + j * v.stride[1] + k * v.stride[2]];
                most = fmax(most, fabs(x - value(at)));
            }
        }
    }
    must(gyre_gas_unmap(gas, f));
    gyre_gas_destroy(gas);
    return most;
}

// Twice the cells, a quarter of the error.
static void gas_fields_are_of_second_order(void **state)
{
    static const struct {
        const char *field;
        int dim;
        flow *u;
        known *value;
    } cases[] = {
        {"strain", 2, eddies, eddy_strain},       {"vorticity", 2, eddies, eddy_vorticity},
        {"strain", 3, spiral, spiral_strain},     {"vorticity", 3, spiral, spiral_vorticity},
        {"helicity", 3, spiral, spiral_helicity},
    };
    (void)state;
    for (size_t q = 0; q < sizeof cases / sizeof *cases; q++) {
        double coarse = error_of(cases[q].dim, 20, cases[q].u, cases[q].field, cases[q].value);
        double fine = error_of(cases[q].dim, 40, cases[q].u, cases[q].field, cases[q].value);
        if (getenv("GYRE_TEST_PRINT")) {
            print_message("%s %dD: off by %.4g at 20 cells, %.4g at 40, ratio %.2f\n",
                          cases[q].field, cases[q].dim, coarse, fine, coarse / fine);
        }
        // Of values up to 12 1/s and 22 m/s^2.
        assert_true(coarse < 0.7 && fine > 0);
        assert_true(coarse / fine > 3.6 && coarse / fine < 4.4);
    }
}

// A field of three dimensions alone is not there in a plane, and no channel may have its name.
static void names_are_taken(void **state)
{
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas_channel channel = {.name = "helicity"};
    gyre_gas *gas;
    (void)state;
    must(gyre_gas_create(the_device, &def, &gas));
    assert_int_equal(gyre_gas_field(gas, "helicity"), -1);
    assert_true(gyre_gas_field(gas, "strain") >= 0);
    gyre_gas_destroy(gas);
    def.channels = (gyre_pool){&channel, 1, 1};
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    says("taken by another field");
}

// A stream that is thinner on the right: faster and slower than its waves; none on dry ground.
static void froude_is_speed_over_waves(void **state)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water;
    gyre_field_view v;
    (void)state;
    def.grid.n[0] = 24;
    def.grid.n[1] = 8;
    must(gyre_water_create(the_device, &def, &water));
    for (int f = 0; f < 2; f++) {
        const char *name = f ? "discharge_x" : "depth";
        must(gyre_water_map(water, gyre_water_field(water, name), GYRE_WRITE, &v));
        for (int j = 0; j < 8; j++) {
            for (int i = 0; i < 24; i++) {
                float depth = i < 8 ? 0.4f : i < 16 ? 0.05f : 0.0f;
                v.data[i + j * v.stride[1]] = f ? (i < 16 ? 0.2f : 0.0f) : depth;
            }
        }
        must(gyre_water_unmap(water, gyre_water_field(water, name)));
    }
    int froude = gyre_water_field(water, "froude");
    must(gyre_water_map(water, froude, GYRE_READ, &v));
    double g = (double)def.gravity;
    assert_true(fabs((double)v.data[3] - 0.5 / sqrt(0.4 * g)) < 1e-6);
    assert_true(fabs((double)v.data[10] - 4 / sqrt(0.05 * g)) < 1e-5);
    assert_true(v.data[20] == 0);
    must(gyre_water_unmap(water, froude));
    gyre_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gas_fields_are_of_second_order),
        cmocka_unit_test(names_are_taken),
        cmocka_unit_test(froude_is_speed_over_waves),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
