// A premixed front in a gas: how fast it moves by itself, in a flow and while what it leaves
// expands, against the exact; budgets, walls, lighting, states that go on to the same bits, and
// what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/check.h"
#include "test/gas_rig.h"

static gyre_device *device;
static gyre_gas_channel channels[4];

static gyre_gas_def premixed(int dim, int x, int y, int z, float h)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    def.grid.n[0] = x;
    def.grid.n[1] = y;
    def.grid.n[2] = z;
    def.grid.h = h;
    memset(channels, 0, sizeof channels);
    strcpy(channels[0].name, "fuel");
    strcpy(channels[1].name, "burnt");
    strcpy(channels[2].name, "lit");
    def.channels = (gyre_pool){channels, 3, 3};
    strcpy(def.fire.fuel, "fuel");
    strcpy(def.fire.front.burnt, "burnt");
    def.fire.front.speed = 0.4f;
    def.fire.heat = 1172.0f; // five times the volume, where it expands
    for (int a = 0; a < 3; a++)
        def.gravity[a] = 0.0f;
    return def;
}

static gyre_gas *create(const gyre_gas_def *def)
{
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, def, &gas));
    return gas;
}

/// Writes a function of the place into a field.
static void write(gyre_gas *gas, const char *name, double (*value)(const double x[3], double with),
                  double with)
{
    gyre_field_view v;
    int field = gyre_gas_field(gas, name);
    must(gyre_gas_map(gas, field, GYRE_WRITE, &v));
    for (int k = 0; k < v.n[2]; k++)
        for (int j = 0; j < v.n[1]; j++)
            for (int i = 0; i < v.n[0]; i++) {
                const double h = (double)v.grid.h;
                const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
                v.data[i + j * v.stride[1] + k * v.stride[2]] = (float)value(x, with);
            }
    must(gyre_gas_unmap(gas, field));
}

static double amount(gyre_gas *gas, const char *name)
{
    return gyre_gas_get_budget(gas, gyre_gas_field(gas, name)).total;
}

static void close_to(const char *what, double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within * fabs(expected)))
        fail_msg("%s: %.9g, expected %.9g", what, found, expected);
}

static double all(const double x[3], double with)
{
    (void)x;
    return with;
}

static double left_of(const double x[3], double with)
{
    return x[0] < with ? 1.0 : 0.0;
}

static double right_of(const double x[3], double with)
{
    return x[0] < with ? 0.0 : 1.0;
}

/// A plane front through a channel 1 m long, n cells; with the flow along and across. Returns its
/// speed by the fuel that burns.
static double plane(int dim, int n, float dt, float flow)
{
    gyre_gas_def def = premixed(dim, n, 12, dim == 3 ? 8 : 1, 1.0f / (float)n);
    if (flow != 0.0f) {
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    }
    gyre_gas *gas = create(&def);
    write(gas, "fuel", right_of, 0.3);
    write(gas, "burnt", left_of, 0.3);
    write(gas, "velocity_x", all, (double)flow);
    double area = 12.0 / n * (dim == 3 ? 8.0 / n : 1.0), fuel[2] = {0, 0};
    int steps = (int)lround(0.6 / (double)dt), from = steps / 2;
    for (int s = 0; s < steps; s++) {
        if (s == from)
            fuel[0] = amount(gas, "fuel");
        must(gyre_gas_step(gas, dt));
    }
    fuel[1] = amount(gas, "fuel");
    gyre_gas_destroy(gas);
    double fronts = flow != 0.0f ? 2.0 : 1.0; // round a periodic axis the other end burns, too
    return (fuel[0] - fuel[1]) / (fronts * area * (steps - from) * (double)dt);
}

static void a_plane_moves_at_its_speed(void **state)
{
    (void)state;
    static const float flows[] = {0.0f, 0.3f, -1.7f};
    for (int dim = 2; dim <= 3; dim++)
        for (int n = 40; n <= (dim == 2 ? 160 : 40); n *= 2)
            for (int q = 0; q < 3; q++) {
                double found = plane(dim, n, 0.01f, flows[q]);
                printf("    %dD, %3d cells, flow %4.1f: %.5f m/s\n", dim, n, (double)flows[q],
                       found);
                close_to("speed", found, 0.4, 0.01);
            }
}

static double round_ball(const double x[3], double with)
{
    double r = sqrt((x[0] - 1) * (x[0] - 1) + (x[1] - 1) * (x[1] - 1) +
                    (with < 0 ? (x[2] - 1) * (x[2] - 1) : 0.0));
    double c = (fabs(with) - r) / 0.1 + 0.5;
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static double round_hole(const double x[3], double with)
{
    return 1.0 - round_ball(x, with);
}

/// The radius of what has burnt, by its volume; and of it how far it reaches along an axis and
/// along a diagonal.
static double radius_of(gyre_gas *gas, int dim, double *along, double *across)
{
    gyre_field_view f, b;
    int fuel = gyre_gas_field(gas, "fuel"), burnt = gyre_gas_field(gas, "burnt");
    double sum = 0.0;
    must(gyre_gas_map(gas, fuel, GYRE_READ, &f));
    must(gyre_gas_map(gas, burnt, GYRE_READ, &b));
    *along = *across = 0.0;
    for (int k = 0; k < f.n[2]; k++)
        for (int j = 0; j < f.n[1]; j++)
            for (int i = 0; i < f.n[0]; i++) {
                double one = (double)f.data[i + j * f.stride[1] + k * f.stride[2]];
                double other = (double)b.data[i + j * b.stride[1] + k * b.stride[2]];
                double c = other / (one + other), h = (double)f.grid.h;
                sum += c;
                if (k == f.n[2] / 2 && j == f.n[1] / 2 && i >= f.n[0] / 2)
                    *along += c * h;
                if (k == f.n[2] / 2 && j == i && i >= f.n[0] / 2)
                    *across += c * h * sqrt(2.0);
            }
    must(gyre_gas_unmap(gas, fuel));
    must(gyre_gas_unmap(gas, burnt));
    double volume = sum * pow((double)f.grid.h, dim);
    return dim == 2 ? sqrt(volume / pi) : cbrt(volume * 0.75 / pi);
}

/// A ball that burns in fuel at rest, all sides open: how fast its radius grows.
static double ball(int dim, int n, float expansion, float dt, int steps, double *shape)
{
    gyre_gas_def def = premixed(dim, n, n, dim == 3 ? n : 1, 2.0f / (float)n);
    def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.sides.y_low.rule = def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    if (dim == 3)
        def.sides.z_low.rule = def.sides.z_high.rule = GYRE_GAS_SIDE_OPEN;
    def.fire.expansion = expansion;
    gyre_gas *gas = create(&def);
    double with = dim == 2 ? 0.15 : -0.15, ratio = 1.0 + 4.0 * (double)expansion;
    write(gas, "fuel", round_hole, with);
    // What has burnt lies there as thin as it becomes, and as hot.
    gyre_field_view f, b, t;
    int fuel = gyre_gas_field(gas, "fuel"), burnt = gyre_gas_field(gas, "burnt"),
        heat = gyre_gas_field(gas, "temperature");
    must(gyre_gas_map(gas, fuel, GYRE_WRITE, &f));
    must(gyre_gas_map(gas, burnt, GYRE_WRITE, &b));
    must(gyre_gas_map(gas, heat, GYRE_WRITE, &t));
    for (int k = 0; k < f.n[2]; k++)
        for (int j = 0; j < f.n[1]; j++)
            for (int i = 0; i < f.n[0]; i++) {
                ptrdiff_t o = i + j * f.stride[1] + k * f.stride[2];
                double c = 1.0 - (double)f.data[o], rho = 1.0 / (1.0 + (ratio - 1.0) * c);
                f.data[o] = (float)((1.0 - c) * rho);
                b.data[o] = (float)(c * rho);
                t.data[o] = (float)(1172.0 * c * rho);
            }
    must(gyre_gas_unmap(gas, fuel));
    must(gyre_gas_unmap(gas, burnt));
    must(gyre_gas_unmap(gas, heat));
    double r[2] = {0, 0}, along, across;
    int from = steps / 3;
    for (int s = 0; s < steps; s++) {
        if (s == from)
            r[0] = radius_of(gas, dim, &along, &across);
        must(gyre_gas_step(gas, dt));
    }
    r[1] = radius_of(gas, dim, &along, &across);
    *shape = across / along;
    gyre_gas_destroy(gas);
    return (r[1] - r[0]) / ((steps - from) * (double)dt);
}

/// First order in h: the finer, the nearer.
static void a_ball_grows_at_its_speed(void **state)
{
    (void)state;
    static const struct {
        int dim, n;
        float expansion, dt;
        int steps;
        double within;
    } cases[] = {{2, 48, 0.0f, 0.01f, 120, 0.03},  {2, 96, 0.0f, 0.01f, 120, 0.015},
                 {2, 192, 0.0f, 0.01f, 120, 0.01}, {2, 48, 1.0f, 0.005f, 50, 0.1},
                 {2, 96, 1.0f, 0.005f, 50, 0.045}, {2, 192, 1.0f, 0.005f, 50, 0.02},
                 {3, 48, 1.0f, 0.005f, 50, 0.16}};
    for (int q = 0; q < GY_COUNT(cases); q++) {
        double ratio = 1.0 + 4.0 * (double)cases[q].expansion, shape;
        double found =
            ball(cases[q].dim, cases[q].n, cases[q].expansion, cases[q].dt, cases[q].steps, &shape);
        printf("    %dD, %3d cells, swells %g times: %.4f of %.4f m/s, diagonal / axis %.3f\n",
               cases[q].dim, cases[q].n, ratio, found, 0.4 * ratio, shape);
        close_to("speed", found, 0.4 * ratio, cases[q].within);
        close_to("shape", shape, 1.0, cases[q].n < 90 ? 0.04 : 0.02);
    }
}

/// What burns at the closed end of a channel pushes the rest before it: the front goes through the
/// channel as much faster as the gas swells, and burns no more fuel for that than it always does.
static void a_plane_pushes_what_is_before_it(void **state)
{
    (void)state;
    for (int n = 60; n <= 240; n *= 2) {
        gyre_gas_def def = premixed(2, n, 8, 1, 1.0f / (float)n);
        def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
        def.fire.expansion = 1.0f;
        gyre_gas *gas = create(&def);
        write(gas, "fuel", right_of, 0.1);
        write(gas, "burnt", left_of, 0.1);
        int steps = 100, from = 50;
        double burnt[2] = {0, 0}, still[2] = {0, 0}, dt = 0.003;
        for (int s = 0; s <= steps; s++) {
            if (s == from || s == steps) {
                burnt[s == steps] = -gyre_gas_get_budget(gas, gyre_gas_field(gas, "fuel")).burnt;
                gyre_field_view f;
                int field = gyre_gas_field(gas, "fuel");
                must(gyre_gas_map(gas, field, GYRE_READ, &f));
                for (int i = 0; i < n; i++)
                    still[s == steps] += (double)f.data[i + 4 * f.stride[1]] / n;
                must(gyre_gas_unmap(gas, field));
            }
            must(gyre_gas_step(gas, (float)dt));
        }
        double time = (steps - from) * dt, area = 8.0 / n;
        double burns = (burnt[1] - burnt[0]) / (time * area), goes = (still[0] - still[1]) / time;
        printf("    %3d cells: burns %.4f of 0.4, goes %.4f of 2 m/s\n", n, burns, goes);
        close_to("what burns", burns, 0.4, 0.01);
        close_to("speed", goes, 2.0, 0.02);
        gyre_gas_destroy(gas);
    }
}

/// A front goes through a channel, with so much air for a unit of fuel and n steps; returns by how
/// much what is left of the oxygen is not what is left of the fuel, in the mean.
static double oxygen(float air, bool swells, bool lit, int steps)
{
    const int n = 80;
    gyre_gas_def def = premixed(2, n, 8, 1, 1.0f / (float)n);
    strcpy(channels[3].name, "spent");
    def.channels.count = def.channels.capacity = 4;
    strcpy(def.fire.spent, "spent");
    strcpy(def.fire.front.lit, lit ? "lit" : "");
    def.fire.air = air;
    def.fire.rate = 40.0f;
    def.fire.expansion = swells ? 1.0f : 0.0f;
    def.sides.x_high.rule = swells ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_SLIP;
    gyre_gas *gas = create(&def);
    write(gas, "fuel", right_of, 0.3);
    write(gas, "burnt", left_of, 0.3);
    write(gas, "spent", air < 1.0f ? all : left_of, air < 1.0f ? 0.0 : 0.3);
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, 0.18f / (float)steps));
    gyre_gas_budget fuel = gyre_gas_get_budget(gas, gyre_gas_field(gas, "fuel"));
    gyre_gas_budget spent = gyre_gas_get_budget(gas, gyre_gas_field(gas, "spent"));
    gyre_field_view f, s;
    must(gyre_gas_map(gas, gyre_gas_field(gas, "fuel"), GYRE_READ, &f));
    must(gyre_gas_map(gas, gyre_gas_field(gas, "spent"), GYRE_READ, &s));
    double off = 0.0;
    for (int i = 0; i < n; i++) {
        ptrdiff_t at = i + 4 * f.stride[1];
        off += fabs(1.0 - (double)s.data[at] - (double)f.data[at]) / n;
    }
    must(gyre_gas_unmap(gas, gyre_gas_field(gas, "fuel")));
    must(gyre_gas_unmap(gas, gyre_gas_field(gas, "spent")));
    printf("    air %g, %sswells, %d steps: %.6g burnt, %.6g spent by it, oxygen off by %.2g\n",
           (double)air, swells ? "" : "nothing ", steps, -fuel.burnt, spent.burnt, off);
    assert_true(fuel.burnt < -0.005);
    // Five times the volume holds as much less of it.
    if (!swells || !lit)
        close_to("spent", spent.burnt, -((double)air + (swells ? 4.0 : 0.0)) * fuel.burnt,
                 swells ? 1e-3 : 1e-5);
    double open = spent.total - (spent.emitted + spent.added + spent.edited + spent.burnt -
                                 spent.left + spent.rounding);
    assert_true(fabs(open) < 1e-6 * (fabs(spent.burnt) + fabs(spent.edited)));
    gyre_gas_destroy(gas);
    return off;
}

/// What a front burns takes the oxygen that came with it: `air` of it for a unit, in all, and of a
/// mixture that has just enough as much is left as of the fuel, in every cell; where it swells,
/// which the flow does in the next step, to first order in time.
static void oxygen_goes_with_the_fuel(void **state)
{
    (void)state;
    oxygen(0.7f, false, false, 60);
    assert_true(oxygen(1.0f, false, false, 60) < 1e-6 && oxygen(1.0f, false, true, 60) < 1e-6);
    for (int lit = 0; lit < 2; lit++) {
        double last = oxygen(1.0f, true, lit, 60);
        for (int steps = 120; steps <= 480; steps *= 2) {
            double off = oxygen(1.0f, true, lit, steps);
            assert_true(off < 0.65 * last);
            last = off;
        }
        assert_true(last < 0.007);
    }
}

static gyre_gas *mixture(int dim, float expansion, bool lit)
{
    gyre_gas_def def = premixed(dim, 33, 37, dim == 3 ? 18 : 1, 1.0f / 33.0f);
    def.sides.y_high.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.fire.expansion = expansion;
    def.fire.cooling = 200.0f;
    def.fire.soot = 0.1f;
    def.fire.rate = 20.0f;
    if (lit)
        strcpy(def.fire.front.lit, "lit");
    gyre_gas_solid s = gyre_gas_default_solid();
    s.shape = gyre_sphere((const float[3]){0.7f, 0.6f, 0.3f}, 0.14f);
    def.solids = (gyre_pool){&s, 1, 1};
    gyre_gas *gas = create(&def);
    write(gas, "fuel", all, 1.0);
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "burnt"), (const float[3]){0.4f, 0.4f, 0.3f}, 0.1f,
                        4.0f));
    return gas;
}

/// What is there is what was, came and went: of every channel, by every way of burning.
static void budgets_close(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int q = 0; q < 4; q++) {
            gyre_gas *gas = mixture(dim, (float)(q & 1), q & 2);
            for (int s = 0; s < 40; s++)
                must(gyre_gas_step(gas, 0.01f));
            static const char *const names[] = {"fuel", "burnt", "temperature", "density", "lit"};
            gyre_gas_budget b[5];
            for (int f = 0; f < (q & 2 ? 5 : 4); f++) {
                b[f] = gyre_gas_get_budget(gas, gyre_gas_field(gas, names[f]));
                double comes = b[f].emitted + b[f].added + b[f].edited + b[f].burnt;
                double off = b[f].total - (comes - b[f].radiated - b[f].left + b[f].rounding);
                double passed = fabs(b[f].edited) + fabs(b[f].burnt) + fabs(b[f].left);
                assert_true(passed > 0.0 && fabs(off) <= 1e-6 * passed);
                assert_true(fabs(b[f].rounding) <= 1e-6 * passed);
            }
            assert_true(b[0].burnt < -0.01 * (dim == 3 ? 0.3 : 1.0));
            close_to("what has burnt", b[1].burnt, -b[0].burnt, 1e-5);
            double gave = -b[0].burnt - (q & 2 ? b[4].burnt : 0.0);
            assert_true(!(q & 2) || b[4].burnt > 0.05 * gave);
            close_to("heat", b[2].burnt, 1172.0 * gave, 1e-5);
            close_to("smoke", b[3].burnt, 0.1 * gave, 1e-5);
            gyre_gas_destroy(gas);
        }
}

/// What is lit gives its heat by exp(-rate t), whatever the steps.
static void heat_comes_behind_it(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 64; steps *= 8) {
        gyre_gas_def def = premixed(2, 20, 17, 1, 0.05f);
        strcpy(def.fire.front.lit, "lit");
        def.fire.rate = 5.0f;
        gyre_gas *gas = create(&def);
        write(gas, "lit", all, 0.01);
        write(gas, "burnt", all, 0.01);
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, 0.4f / (float)steps));
        double size = 20 * 17 * 0.05 * 0.05, left = 0.01 * exp(-2.0);
        close_to("lit", amount(gas, "lit") / size, left, 1e-5);
        close_to("heat", amount(gas, "temperature") / size, 1172.0 * (0.01 - left), 1e-5);
        gyre_gas_destroy(gas);
    }
}

/// Heat from elsewhere lights fuel, that of what has burnt does not: it is the front's to do so.
static void a_spark_lights_it(void **state)
{
    (void)state;
    static const struct {
        double heat, burnt;
        bool burns;
    } cases[] = {{390.0, 0.0, false}, {410.0, 0.0, true}, {586.0, 0.5, false}, {1000.0, 0.5, true}};
    for (int q = 0; q < 4; q++) {
        gyre_gas_def def = premixed(2, 20, 17, 1, 0.05f);
        gyre_gas *gas = create(&def);
        write(gas, "fuel", all, 0.5);
        write(gas, "burnt", all, cases[q].burnt);
        write(gas, "temperature", all, cases[q].heat);
        double before = amount(gas, "fuel");
        must(gyre_gas_step(gas, 0.02f));
        assert_true((amount(gas, "fuel") < 0.9 * before) == cases[q].burns);
        gyre_gas_destroy(gas);
    }
}

/// A wall, a sheet without thickness and a shut side hold it; round a periodic side it goes.
static void walls_hold_it(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int q = 0; q < 4; q++) {
            gyre_gas_def def = premixed(dim, 40, 16, dim == 3 ? 12 : 1, 0.025f);
            gyre_gas_solid wall = gyre_gas_default_solid();
            gyre_gas_sheet sheet =
                gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : GYRE_GAS_SHEET_LINE);
            wall.shape = gyre_box((const float[3]){0.62f, 0, 0}, (const float[3]){0.05f, 3, 3});
            if (dim == 3)
                sheet.form.as.panel = (struct gyre_gas_sheet_panel){
                    .corner = {0.62f, -1, -1}, .along = {0, 3, 0}, .across = {0, 0, 3}};
            else
                sheet.form.as.line =
                    (struct gyre_gas_sheet_line){.from = {0.62f, -1, 0}, .to = {0.62f, 2, 0}};
            def.solids = (gyre_pool){&wall, q == 1, q == 1};
            def.sheets = (gyre_pool){&sheet, q == 2, q == 2};
            if (q == 3)
                def.sides.x_low.rule = def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
            gyre_gas *gas = create(&def);
            write(gas, "fuel", right_of, 0.2);
            write(gas, "burnt", left_of, 0.2);
            for (int s = 0; s < (q == 3 ? 60 : 250); s++)
                must(gyre_gas_step(gas, 0.01f));
            gyre_field_view f;
            int field = gyre_gas_field(gas, "fuel");
            must(gyre_gas_map(gas, field, GYRE_READ, &f));
            double near = (double)f.data[12 + 8 * f.stride[1] + (f.n[2] / 2) * f.stride[2]];
            double beyond = (double)f.data[38 + 8 * f.stride[1] + (f.n[2] / 2) * f.stride[2]];
            must(gyre_gas_unmap(gas, field));
            printf("    %dD, %d: %.3g near, %.3g beyond\n", dim, q, near, beyond);
            assert_true(near < 5e-3);
            assert_true(q == 0 || q == 3 ? beyond < 1e-3 : beyond > 0.999);
            gyre_gas_destroy(gas);
        }
}

static void goes_on_after_load(void **state)
{
    (void)state;
    gyre_gas *gas = mixture(2, 1.0f, true), *twin = mixture(2, 1.0f, true);
    for (int s = 0; s < 10; s++)
        must(gyre_gas_step(gas, 0.02f));
    size_t size = gyre_gas_save_size(gas);
    void *memory = malloc(size);
    must(gyre_gas_save(gas, memory, size, NULL));
    must(gyre_gas_load(twin, memory, size));
    for (int s = 0; s < 10; s++) {
        must(gyre_gas_step(gas, 0.02f));
        must(gyre_gas_step(twin, 0.02f));
    }
    assert_int_equal(gyre_gas_hash(twin), gyre_gas_hash(gas));
    free(memory);
    gyre_gas_destroy(gas);
    gyre_gas_destroy(twin);
}

static void stays_finite(void **state)
{
    (void)state;
    static const float wild[] = {-1e30f, -1.0f, 0.3f, 1e4f, 1e19f, 1e30f};
    for (int q = 0; q < GY_COUNT(wild); q++) {
        gyre_gas_def def = premixed(2, 20, 20, 1, 0.05f);
        strcpy(def.fire.front.lit, "lit");
        def.fire.front.speed = 1e4f;
        def.fire.expansion = 1.0f;
        def.fire.rate = def.fire.heat = def.fire.cooling = 1e6f;
        gyre_gas *gas = create(&def);
        float middle[3] = {0.5f, 0.5f, 0.0f};
        static const char *const names[] = {"fuel", "burnt", "lit"};
        for (int f = 0; f < 3; f++) {
            write(gas, names[f], all, (double)wild[(q + f) % GY_COUNT(wild)]);
            must(gyre_gas_splat(gas, gyre_gas_field(gas, names[f]), middle, 0.3f, 1.0f));
        }
        for (int s = 0; s < 5; s++)
            must(gyre_gas_step(gas, s == 3 ? 10.0f : 0.02f));
        for (int f = 0; f < 7; f++) {
            gyre_field_view v;
            must(gyre_gas_map(gas, f, GYRE_READ, &v));
            for (int i = 0; i < 20; i++)
                assert_true(isfinite(v.data[i + 9 * v.stride[1]]));
            must(gyre_gas_unmap(gas, f));
        }
        gyre_gas_destroy(gas);
    }
}

static void refused(const gyre_gas_def *def, const char *words)
{
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(device, def, &gas), GYRE_ERROR_ARGUMENT);
    if (!strstr(gyre_message(), words))
        fail_msg("\"%s\" has no \"%s\"", gyre_message(), words);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    gyre_gas_def good = premixed(2, 16, 16, 1, 0.1f), def = good;
    strcpy(def.fire.front.burnt, "bunrt");
    refused(&def, "fire.front.burnt: there is no channel \"bunrt\", did you mean \"burnt\"?");
    def = good;
    strcpy(def.fire.front.burnt, "fuel");
    refused(&def, "fire.front.burnt: \"fuel\" is the fuel, expected another channel");
    def = good;
    strcpy(def.fire.front.lit, "burnt");
    refused(&def, "fire.front.lit: \"burnt\" is what has burnt, expected another channel");
    def = good;
    strcpy(def.fire.front.lit, "fuel");
    refused(&def, "fire.front.lit: \"fuel\" is the fuel, expected another channel");
    def = good;
    strcpy(def.fire.front.lit, "density");
    refused(&def, "fire.front.lit: there is no channel \"density\"");
    def = good;
    strcpy(def.fire.front.lit, "lit");
    strcpy(def.fire.spent, "lit");
    refused(&def, "fire.spent: \"lit\" is what is lit, expected another channel");
    def = good;
    strcpy(def.fire.spent, "burnt");
    refused(&def, "fire.spent: \"burnt\" is what has burnt, expected another channel");
    strcpy(def.fire.spent, "lit");
    refused(&def, "fire.air: 10, expected at most 1 beside fire.front.burnt");
    def = good;
    def.fire.front.burnt[0] = 0;
    refused(&def, "fire.front.speed has no effect, as fire.front.burnt is empty");
    def = good;
    def.fire.front.speed = -1.0f;
    refused(&def, "fire.front.speed");
    gyre_gas *gas = create(&good);
    must(gyre_gas_set(gas, "fire.front.speed", gyre_number(2.0)));
    must(gyre_gas_step(gas, 0.01f));
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_moves_at_its_speed),
        cmocka_unit_test(oxygen_goes_with_the_fuel),
        cmocka_unit_test(a_ball_grows_at_its_speed),
        cmocka_unit_test(a_plane_pushes_what_is_before_it),
        cmocka_unit_test(budgets_close),
        cmocka_unit_test(heat_comes_behind_it),
        cmocka_unit_test(a_spark_lights_it),
        cmocka_unit_test(walls_hold_it),
        cmocka_unit_test(goes_on_after_load),
        cmocka_unit_test(stays_finite),
        cmocka_unit_test(mistakes_are_told),
    };
    must(gyre_device_create(NULL, &device));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gyre_device_destroy(device);
    return failed;
}
