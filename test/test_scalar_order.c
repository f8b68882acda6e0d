// How near scalars that are carried and spread come to exact answers beside walls, on grids two
// times finer, at a fixed Courant number: along a wall on a side, in a channel that lies askew,
// whose walls go across cells, and round a cylinder. Mean errors, of what of each cell is gas.
// GYRE_TEST_PRINT=1 prints the table of doc/gas.md.
//
// Where walls go across cells order is 1: what passes a face is cut by its openness, but the volume
// of a cell counts as whole (gas/ops/remap.c), so that a cell of which a part is gas fills and
// empties too slowly by that part. Smoke along such a wall lags.
// labels: small
#include "test/gas_rig.h"

#include <stdio.h>

enum { SIZES = 3 };
static const double spread = 0.004; // m^2/s, where scalars spread

typedef struct world {
    double (*stream)(double x, double y); // whose differences pass faces
    double (*open)(double x, double y);   // above 0: gas
    double (*exact)(double x, double y, double t, double spread);
    gyre_gas *gas;
} world;

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

/// So much of what passes a face is what its openness lets through: even gas stays even.
static void flow(void *user, const gyre_gas_row *row, float *values)
{
    const world *w = user;
    const gyre_gas *gas = w->gas;
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    double h = (double)gas->grid.h;
    for (int i = 0; i < row->count; i++) {
        double x = (double)row->place[0] + (double)row->step * i, y = (double)row->place[1];
        int at[2] = {(int)floor(x / h + 0.25), (int)floor(y / h + 0.25)};
        double a = at[0] * h, b = at[1] * h;
        double part = (double)*gy_coefficient(&g, row->axis, at[0], at[1], 0) / GY_UNIT;
        double through = row->axis == 0 ? w->stream(a, b + h) - w->stream(a, b)
                                        : w->stream(a, b) - w->stream(a + h, b);
        values[i] = part > 0.002 ? (float)(through / (h * part)) : 0.0f;
    }
}

/// What of a cell is gas.
static double part_of(const world *w, double x, double y, double h)
{
    int count = 0;
    for (int q = 0; q < 64; q++)
        count += w->open(x + (q % 8 - 3.5) / 8 * h, y + (double)(q / 8) / 8 * h - 3.5 / 8 * h) > 0;
    return count / 64.0;
}

/// Mean error after a time: over all cells, and over those that no wall goes across nor touches.
static void error_of(world *w, gyre_gas_def *def, double time, double courant, double off[2])
{
    double h = (double)def->grid.h, all[2] = {0, 0};
    int steps = (int)ceil(time / (courant * h) - 1e-6);
    def->velocity = GYRE_GAS_ROWS;
    def->diffusion.tolerance = 1e-6f;
    def->diffusion.max_cycles = 50;
    gyre_gas *gas = w->gas = make(def);
    must(gyre_gas_set_velocity_rows(gas, flow, w));
    gyre_field_view f;
    must(gyre_gas_map(gas, 2, GYRE_WRITE, &f));
    for (int c = 0; c < f.n[0] * f.n[1]; c++)
        f.data[c % f.n[0] + c / f.n[0] * f.stride[1]] = (float)w->exact(
            (c % f.n[0] + 0.5) * h, (c / f.n[0] + 0.5) * h, 0.0, (double)def->density.diffusivity);
    must(gyre_gas_unmap(gas, 2));
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, (float)(time / steps)));
    off[0] = off[1] = 0.0;
    for (int j = 0; j < def->grid.n[1]; j++)
        for (int i = 0; i < def->grid.n[0]; i++) {
            double x = (i + 0.5) * h, y = (j + 0.5) * h, part = part_of(w, x, y, h);
            double q = w->exact(x, y, time, (double)def->density.diffusivity);
            double error = part * fabs((double)*sample(gas, 2, i, j, 0) - q);
            bool inner = part_of(w, x, y, 5.0 * h) >= 1.0;
            off[0] += error;
            all[0] += part;
            off[1] += inner ? error : 0.0;
            all[1] += inner;
        }
    off[0] /= all[0];
    off[1] /= all[1];
    gyre_gas_destroy(gas);
}

static void told(const char *what, double errors[SIZES][2], double order[2])
{
    for (int p = 0; p < 2; p++) {
        order[p] = log2(errors[SIZES - 2][p] / errors[SIZES - 1][p]);
        if (loud())
            print_message("| %s%s | %.2e | %.2e | %.2e | %.2f | %.2f |\n", what,
                          p ? ", away from walls" : "", errors[0][p], errors[1][p], errors[2][p],
                          log2(errors[0][p] / errors[1][p]), order[p]);
    }
}

// ---- along a side -------------------------------------------------------------------------------

static double everywhere(double x, double y)
{
    (void)x;
    return y > 0.0 && y < 1.0 ? 1.0 : -1.0;
}

static double sheared(double x, double y)
{
    (void)x;
    return 2.0 * y * y - 4.0 / 3.0 * y * y * y;
}

static double sheared_exact(double x, double y, double t, double k)
{
    (void)k;
    return 1.0 + 0.5 * sin(2.0 * pi * (x - 4.0 * y * (1.0 - y) * t)) * cos(pi * y);
}

static double even(double x, double y)
{
    (void)x;
    return y;
}

static double even_exact(double x, double y, double t, double k)
{
    return 1.0 + 0.5 * sin(2.0 * pi * (x - t)) * cos(pi * y) * exp(-5.0 * pi * pi * k * t);
}

static void along_a_side(void **state)
{
    (void)state;
    for (int q = 0; q < 2; q++) {
        double error[SIZES][2], order[2];
        for (int size = 0; size < SIZES; size++) {
            int n = 16 << size;
            world w = {q ? even : sheared, everywhere, q ? even_exact : sheared_exact, NULL};
            gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
            def.sides.y_low.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_SLIP;
            def.density.diffusivity = q ? (float)spread : 0.0f;
            error_of(&w, &def, 1.0, 1.0, error[size]);
        }
        told(q ? "along a wall, spreading" : "sheared along walls", error, order);
        assert_true(order[0] > 1.8);
    }
}

// ---- in a channel askew -------------------------------------------------------------------------

static const double wide = 0.6;

static double across(double x, double y, double *copy)
{
    double d = (2.0 * y - x) / sqrt(5.0), apart = 2.0 / sqrt(5.0);
    *copy = floor(d / apart);
    return d - apart * (*copy + 0.5);
}

static double askew(double x, double y)
{
    double copy, d = across(x, y, &copy);
    return wide * copy + fmax(-0.5 * wide, fmin(0.5 * wide, d));
}

static double askew_open(double x, double y)
{
    double copy;
    return 0.5 * wide - fabs(across(x, y, &copy));
}

static double askew_exact(double x, double y, double t, double k)
{
    double copy, d = across(x, y, &copy), s = (2.0 * x + y) / sqrt(5.0), m = 2.0 * pi * sqrt(5.0),
                 l = pi / wide;
    return 1.0 + 0.5 * sin(m * (s - t)) * cos(l * (d + 0.5 * wide)) * exp(-(m * m + l * l) * k * t);
}

static void in_a_channel_askew(void **state)
{
    (void)state;
    for (int q = 0; q < 2; q++) {
        double error[SIZES][2], order[2];
        for (int size = 0; size < SIZES; size++) {
            int n = (loud() ? 32 : 16) << size;
            gyre_gas_def def = still_def(2, 2 * n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
            gyre_gas_solid bars[3];
            world w = {askew, askew_open, askew_exact, NULL};
            for (int s = 0; s < 3; s++) {
                bars[s] = gyre_gas_default_solid();
                bars[s].shape =
                    gas_box(1.0f, (float)s - 0.5f, 0.0f, 6.0f, (float)(2.0 / sqrt(5.0) - wide),
                            2.0f, (float)(atan(0.5) * 180.0 / pi));
            }
            def.solids = (gyre_pool){bars, 3, 3};
            def.density.diffusivity = q ? (float)(0.5 * spread) : 0.0f;
            error_of(&w, &def, 0.5, 1.0, error[size]);
        }
        told(q ? "channel of slope 1/2, spreading" : "channel of slope 1/2", error, order);
        assert_true(order[0] > (q ? 0.4 : 0.7));
    }
}

// ---- round a cylinder ---------------------------------------------------------------------------

static const double radius = 0.2;

/// The cylinder's middle is at (1, 0.503), the flow far from it 1 m/s.
static double round_one(double x, double y)
{
    double a = x - 1.0, b = y - 0.503, r = a * a + b * b;
    return r > radius * radius ? b * (1.0 - radius * radius / r) : 0.0;
}

static double round_open(double x, double y)
{
    return hypot(x - 1.0, y - 0.503) - radius;
}

static void round_velocity(const double x[2], double u[2])
{
    double a = x[0] - 1.0, b = x[1] - 0.503, r = a * a + b * b, s = radius * radius / (r * r);
    u[0] = 1.0 - s * (a * a - b * b);
    u[1] = -2.0 * s * a * b;
}

static double round_exact(double x, double y, double t, double k)
{
    (void)k;
    double at[2] = {x, y}, dt = t / 200;
    for (int s = 0; s < 200 && t > 0.0; s++) {
        double u[4][2], p[2];
        round_velocity(at, u[0]);
        for (int q = 1; q < 4; q++) {
            for (int c = 0; c < 2; c++)
                p[c] = at[c] - (q < 3 ? 0.5 : 1.0) * dt * u[q - 1][c];
            round_velocity(p, u[q]);
        }
        for (int c = 0; c < 2; c++)
            at[c] -= dt / 6 * (u[0][c] + 2 * u[1][c] + 2 * u[2][c] + u[3][c]);
    }
    double far = hypot(at[0] - 0.55, at[1] - 0.503);
    return far < 0.4 ? pow(cos(0.5 * pi * far / 0.4), 4.0) : 0.0;
}

static void round_a_cylinder(void **state)
{
    (void)state;
    double error[SIZES][2], order[2];
    for (int size = 0; size < SIZES; size++) {
        int n = 32 << size;
        gyre_gas_def def = still_def(2, 2 * n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_OPEN);
        gyre_gas_solid rod = sphere(1.0, 0.503, 0.0, radius);
        world w = {round_one, round_open, round_exact, NULL};
        def.solids = (gyre_pool){&rod, 1, 1};
        error_of(&w, &def, 0.6, 0.5, error[size]);
    }
    told("round a cylinder", error, order);
    assert_true(order[0] > 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_a_side),
        cmocka_unit_test(in_a_channel_askew),
        cmocka_unit_test(round_a_cylinder),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
