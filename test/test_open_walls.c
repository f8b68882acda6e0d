// Thin walls and sheets at open sides, and wind through them: what a wall shuts passes nothing, and
// what a gas holds is what came in less what went out.
// labels: small
#include "test/gas_rig.h"
#include <stdio.h>
#include <string.h>

/// Where a wall of a fifth of a cell stands: on the open side, a little inside of it, a little
/// beyond it; on the lower half of it; along the flow, ending at it.
enum { ON, INSIDE, BEYOND, HALF, ALONG, PLACES };

typedef struct choice {
    int dim, place, scheme;
    bool sheet, wind, both; // both: x_low is open, too
} choice;

enum { STEPS = 24 };

static double whirled(const double x[3], const void *data)
{
    int axis = *(const int *)data;
    return axis == 0   ? sin(pi * x[0]) * cos(2.0 * pi * x[1])
           : axis == 1 ? -0.5 * cos(pi * x[0]) * sin(2.0 * pi * x[1])
                       : 0.0;
}

static double patchy(const double x[3], const void *data)
{
    (void)data;
    return x[0] > 0.4 ? 1.0 + x[1] : 0.0;
}

/// The middle and the size of a wall, in metres.
static void wall_of(const choice *c, double h, float middle[3], float size[3])
{
    double off = c->place == INSIDE ? -0.3 * h : c->place == BEYOND ? 0.3 * h : 0.0;
    middle[0] = c->place == ALONG ? 0.9f : (float)(1.0 + off);
    middle[1] = c->place == ALONG ? 0.4f : c->place == HALF ? 0.0f : 0.5f;
    middle[2] = 0.5f;
    size[0] = c->place == ALONG ? 0.6f : (float)(0.2 * h);
    size[1] = c->place == ALONG ? (float)(0.2 * h) : c->place == HALF ? 1.0f : 4.0f;
    size[2] = 4.0f;
}

static void put_wall(gyre_gas *gas, const choice *c, double h)
{
    float middle[3], size[3];
    wall_of(c, h, middle, size);
    if (!c->sheet) {
        gyre_gas_solid s = gyre_gas_default_solid();
        s.shape = gyre_box(middle, size);
        assert_true(gyre_gas_add_solid(gas, &s) != 0);
        return;
    }
    gyre_gas_sheet s =
        gyre_gas_default_sheet(c->dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
    int along = c->place == ALONG ? 0 : 1;
    for (int a = 0; a < c->dim; a++) {
        float low = middle[a] - (a == along || a == 2 ? 0.5f * size[a] : 0.0f);
        float by = a == along ? size[a] : 0.0f;
        if (c->dim == 3) {
            s.form.as.panel.corner[a] = low;
            s.form.as.panel.along[a] = by;
            s.form.as.panel.across[a] = a == 2 ? size[2] : 0.0f;
        } else {
            s.form.as.line.from[a] = low;
            s.form.as.line.to[a] = low + by;
        }
    }
    if (!gyre_gas_add_sheet(gas, &s))
        fail_msg("%s", gyre_message());
}

/// The fastest that passes faces of the side x_high which the wall covers, and faces along it.
static double passed(gyre_gas *gas, const choice *c)
{
    const int *n = gas->extent.n;
    double most = 0.0;
    for (int k = 0; k < n[2]; k++)
        for (int q = 0; q < n[c->place == ALONG ? 0 : 1]; q++) {
            double y = (q + 0.5) / n[1], x = (q + 0.5) / n[0];
            bool covers = c->place == ALONG ? x > 0.61 : c->place < HALF || y < 0.5;
            int row = (int)(0.4 * n[1] + 0.5);
            if (covers)
                most = fmax(most, fabs((double)*(c->place == ALONG ? sample(gas, 1, q, row, k)
                                                                   : sample(gas, 0, n[0], q, k))));
        }
    return most;
}

static void check(const choice *c)
{
    // The wall along the flow lies on faces: 0.4 is a whole number of cells.
    int n = c->dim == 3 ? 10 : 20;
    double h = 1.0 / n;
    gyre_gas_def def = still_def(c->dim, n, n, c->dim == 3 ? n : 1, (float)h, GYRE_GAS_SIDE_SLIP);
    gyre_gas_force force = gyre_gas_default_force(GYRE_GAS_WIND);
    def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.sides.x_low.rule = c->both ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_SLIP;
    def.advection = c->scheme;
    def.sheets.capacity = c->sheet;
    force.everywhere = true;
    force.action.as.wind.velocity[0] = 0.8f;
    force.action.as.wind.rate = 5.0f;
    if (c->wind)
        def.forces = (gyre_pool){&force, 1, 1};
    gyre_gas *gas = make(&def);
    put_wall(gas, c, h);
    for (int a = 0; a < c->dim; a++)
        set_field(gas, a, whirled, &a);
    int density = gyre_gas_field(gas, "density");
    set_field(gas, density, patchy, NULL);
    double before = gyre_model_total(gyre_gas_model(gas), density);
    for (int s = 0; s < STEPS; s++)
        must(gyre_gas_step(gas, (float)(1.5 * h)));
    finite_everywhere(gas);
    gyre_gas_budget b = gyre_gas_get_budget(gas, density);
    double is = gyre_model_total(gyre_gas_model(gas), density), most = passed(gas, c);
    double off = (is + b.left - b.edited) / before;
    gyre_gas_stats st = gyre_gas_get_stats(gas);
    char what[256];
    snprintf(what, sizeof what,
             "%dD, %s at %d, scheme %d, wind %d, both %d: smoke %g of %g, off by %.1e, left %.3g; "
             "passed %.1e, fastest %.2g, unbalanced %g",
             c->dim, c->sheet ? "sheet" : "wall", c->place, c->scheme, c->wind, c->both, is, before,
             off, b.left, most, (double)st.max_speed, (double)st.unbalanced);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%s\n", what);
    bool conserves = c->scheme == GYRE_GAS_CONSERVATIVE, shut = c->place < HALF && !c->both;
    if (most != 0.0 || !(st.max_speed < 8.0f))
        fail_msg("%s", what);
    if (conserves && (!(fabs(off) < 1e-5) || (shut && b.left != 0.0)))
        fail_msg("%s", what);
    if (conserves && c->both && c->place >= HALF && !(b.left > 0.01 * before))
        fail_msg("%s", what);
    gyre_gas_destroy(gas);
}

static void walls_shut_open_sides(void **state)
{
    (void)state;
    int at = 0;
    for (int dim = 2; dim <= 3; dim++)
        for (int place = 0; place < PLACES; place++)
            for (int sheet = 0; sheet < 2; sheet++)
                for (int q = 0; q < 4; q++, at++) {
                    choice c = {dim, place, GYRE_GAS_CONSERVATIVE, sheet != 0, q % 2 != 0, q > 1};
                    check(&c);
                    // Each of the others meets every place.
                    c.scheme = (at + place) % 5;
                    if (c.scheme != GYRE_GAS_CONSERVATIVE)
                        check(&c);
                }
}

// A wind blows through two open sides, evenly, with u = U (1 - exp(-rate t)). The conservative
// scheme has air at rest beyond them, which the wind sets in motion as it comes in: over a length L
// that takes u^2 / L at most, so that it stays above what solves rate (U - u) = u^2 / L.
static void wind_goes_through(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int scheme = 0; scheme < 5; scheme++)
            for (int axis = 0; axis < dim; axis++) {
                int n = dim == 3 ? 8 : 16;
                gyre_gas_def def = still_def(dim, n, n + 1, dim == 3 ? n - 1 : 1, 0.1f, 0);
                gyre_gas_force force = gyre_gas_default_force(GYRE_GAS_WIND);
                gyre_gas_side *sides = &def.sides.x_low;
                sides[2 * axis].rule = sides[2 * axis + 1].rule = GYRE_GAS_SIDE_OPEN;
                def.advection = scheme;
                force.everywhere = true;
                force.action.as.wind.velocity[axis] = -0.6f;
                force.action.as.wind.rate = 2.0f;
                def.forces = (gyre_pool){&force, 1, 1};
                gyre_gas *gas = make(&def);
                for (int s = 0; s < 40; s++)
                    must(gyre_gas_step(gas, 0.05f));
                double least = 1e9, most = -1e9, right = -0.6 * (1.0 - exp(-4.0));
                for (int k = 0; k < gas->extent.n[2]; k++)
                    for (int j = 0; j < gas->extent.n[1]; j++)
                        for (int i = 0; i < n; i++) {
                            least = fmin(least, (double)*sample(gas, axis, i, j, k));
                            most = fmax(most, (double)*sample(gas, axis, i, j, k));
                        }
                if (getenv("GYRE_TEST_PRINT"))
                    print_message("%dD along %d, scheme %d: %.4f to %.4f, right %.4f\n", dim, axis,
                                  scheme, least, most, right);
                double a = 2.0 * 0.1 * gas->extent.n[axis];
                double slow = 0.5 * (sqrt(a * a + 4.0 * a * 0.6) - a);
                assert_true(most - least < 1e-4 && least > right - 1e-3);
                if (scheme == GYRE_GAS_CONSERVATIVE)
                    assert_true(most < -slow);
                else
                    assert_true(most < right + 1e-3);
                gyre_gas_destroy(gas);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_shut_open_sides),
        cmocka_unit_test(wind_goes_through),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
