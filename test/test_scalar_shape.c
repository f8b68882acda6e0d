// labels: small
// Shapes that scalars keep in known winds: Zalesak's disk (1979), once round, and LeVeque's
// reversed vortex (1996), by the conservative transport and by MacCormack. Errors are sums of
// absolute differences over the total (L1). GYRE_TEST_PRINT=1 prints the table of doc/gas.md.
#include "base/os.h"
#include "test/gas_rig.h"

typedef struct shape_case {
    const char *name;
    int n;
    bool vortex;
} shape_case;

static const shape_case zalesak = {"Zalesak's disk", 100, false},
                        vortex = {"reversed vortex", 128, true};

static double inside(const shape_case *c, double x, double y)
{
    bool slot = !c->vortex && fabs(x - 0.5) < 0.025 && y < 0.85;
    return hypot(x - 0.5, y - 0.75) < 0.15 && !slot ? 1.0 : 0.0;
}

/// Means over cells.
static double shape(const double x[3], const void *data)
{
    const shape_case *c = data;
    double sum = 0.0, h = 1.0 / c->n;
    for (int q = 0; q < 64; q++)
        sum +=
            inside(c, x[0] + ((q % 8 + 0.5) / 8 - 0.5) * h, x[1] + ((q / 8 + 0.5) / 8 - 0.5) * h);
    return sum / 64.0;
}

typedef struct stream {
    const shape_case *c;
    int axis;
    double strength;
} stream;

/// Differences of a stream function along faces: free of divergence on the grid, too.
static double wind(const double x[3], const void *data)
{
    const stream *s = data;
    double q[2], h = 1.0 / s->c->n;
    for (int side = 0; side < 2; side++) {
        double at[2] = {x[0], x[1]};
        at[1 - s->axis] += (side ? 0.5 : -0.5) * h;
        double a = sin(pi * at[0]), b = sin(pi * at[1]);
        q[side] =
            s->c->vortex ? -a * a * b * b / pi : -0.5 * (pow(at[0] - 0.5, 2) + pow(at[1] - 0.5, 2));
    }
    return s->strength * (s->axis == 0 ? 1.0 : -1.0) * (q[1] - q[0]) / h;
}

/// Displacements over dt, and of one field or two along them, as in gas/step.c.
static void trace(gyre_gas *gas, float dt)
{
    gy_trace_args t = {.base = gas->base,
                       .bounds = gas->bounds,
                       .level = gy_system_offset(&gas->pressure, 0),
                       .extent = gas->extent,
                       .scale = dt / gas->def->grid.h};
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, gas->extent.dim - 1);
        t.velocity[d] = gas->slot[axis];
        t.back[d] = gas->back[axis];
        t.forward[d] = gas->forward[axis];
    }
    gy_gas_list_fields(gas);
    gy_run(the_device, GY_OP_trace, &t, gy_gas_box(gas, GYRE_CENTRE));
    gy_gas_halo(gas, gas->states, 2 * gas->extent.dim, false, false);
}

static void carry_along(gyre_gas *gas, int field)
{
    gy_field *f = (gy_field *)(void *)gy_at(gas->base, gas->listed) + field;
    gy_advect_args a = {.base = gas->base,
                        .fields = gas->listed,
                        .first = field,
                        .count = 1,
                        .bounds = gas->bounds,
                        .extent = gas->extent};
    for (int d = 0; d < 3; d++) {
        int axis = GY_MIN(d, gas->extent.dim - 1);
        a.back[d] = gas->back[axis];
        a.forward[d] = gas->forward[axis];
    }
    f->old = gas->slot[field];
    f->now = gas->slot[field] = gas->spare[0];
    f->predicted = gas->predicted[0];
    gas->spare[0] = f->old;
    gy_run(the_device, GY_OP_advect, &a, gy_gas_box(gas, GYRE_CENTRE));
    gy_gas_halo(gas, field, 1, true, false);
    gy_run(the_device, GY_OP_correct, &a, gy_gas_box(gas, GYRE_CENTRE));
    gy_gas_halo(gas, field, 1, false, false);
}

typedef struct result {
    double error, total, low, high;
} result;

static result run(const shape_case *c, int scheme, double courant)
{
    int n = c->n;
    gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_OPEN);
    def.advection = scheme;
    gyre_gas *gas = make(&def);
    int density = gas->velocities, steps = (int)ceil((c->vortex ? 8.0 : pi) * n / courant);
    steps += steps & 1;
    double dt = (c->vortex ? 8.0 : 2.0 * pi) / steps, before = 0.0;
    result r = {0.0, 0.0, 0.0, 0.0};
    set_field(gas, density, shape, c);
    for (int s = 0; s < steps; s++) {
        for (int a = 0; a < 2 && (s == 0 || c->vortex); a++) {
            stream f = {c, a, c->vortex ? cos(pi * (s + 0.5) / steps) : 1.0};
            set_field(gas, a, wind, &f);
        }
        if (scheme == GYRE_GAS_CONSERVATIVE) {
            gy_gas_note_share(gas);
            gy_gas_carry_scalars(gas, (float)dt, gas->slot);
        } else {
            trace(gas, (float)dt);
            carry_along(gas, density);
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x[3] = {(i + 0.5) / n, (j + 0.5) / n, 0.0};
            double was = shape(x, c), is = (double)*sample(gas, density, i, j, 0);
            r.error += fabs(is - was);
            before += was;
            r.total += is;
            r.low = fmin(r.low, is);
            r.high = fmax(r.high, is - 1.0);
        }
    r.error /= before;
    r.total = r.total / before - 1.0;
    gyre_gas_destroy(gas);
    if (getenv("GYRE_TEST_PRINT"))
        print_message("%-16s Courant %-4g %-13s L1 %.3f total %+.1e range %.1e %+.1e\n", c->name,
                      courant, scheme == GYRE_GAS_CONSERVATIVE ? "conservative" : "MacCormack",
                      r.error, r.total, r.low, r.high);
    return r;
}

/// Prints what carrying a scalar costs by both, in turns: the least of many.
static void print_costs(int dim, int n, double courant)
{
    gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_OPEN);
    gyre_gas *gas = make(&def);
    double least[2] = {1e9, 1e9}, cells = pow(n, dim);
    for (int a = 0; a < 2; a++) {
        stream f = {&vortex, a, courant};
        set_field(gas, a, wind, &f);
    }
    for (int f = 0; f < 2; f++)
        set_field(gas, gas->velocities + f, shape, f ? &zalesak : &vortex);
    for (int q = 0; q < 60; q++) {
        double times[3] = {gy_os_now()};
        gy_gas_note_share(gas);
        gy_gas_carry_scalars(gas, 1.0f / (float)n, gas->slot);
        times[1] = gy_os_now();
        trace(gas, 1.0f / (float)n);
        double start = gy_os_now();
        carry_along(gas, gas->velocities);
        carry_along(gas, gas->velocities + 1);
        times[2] = gy_os_now();
        least[0] = fmin(least[0], times[1] - times[0]);
        least[1] = fmin(least[1], times[2] - start);
    }
    print_message("%dD, %d cells along an axis, Courant %g: %.2f ns a scalar and cell, MacCormack "
                  "%.2f without its paths\n",
                  dim, n, courant, 0.5e9 * least[0] / cells, 0.5e9 * least[1] / cells);
    gyre_gas_destroy(gas);
}

static void compare(const shape_case *c, double courant, double most)
{
    result new = run(c, GYRE_GAS_CONSERVATIVE, courant), old = run(c, GYRE_GAS_MACCORMACK, courant);
    assert_true(new.error < most &&new.error < old.error);
    assert_true(fabs(new.total) < 1e-6);
    assert_true(new.low > -1e-4 && new.high < 1e-4);
}

static void shapes_are_kept(void **state)
{
    (void)state;
    compare(&zalesak, 0.5, 0.2);
    compare(&vortex, 0.5, 0.45);
    if (getenv("GYRE_TEST_PRINT")) {
        print_costs(2, 512, 0.5);
        print_costs(2, 1024, 0.5);
        print_costs(3, 64, 0.5);
        print_costs(3, 128, 0.5);
        print_costs(2, 512, 4.0);
        print_costs(2, 512, 20.0);
        static const double courant[] = {0.9, 2.0, 4.0};
        for (int q = 0; q < GY_COUNT(courant); q++) {
            run(&zalesak, GYRE_GAS_CONSERVATIVE, courant[q]);
            run(&zalesak, GYRE_GAS_MACCORMACK, courant[q]);
            run(&vortex, GYRE_GAS_CONSERVATIVE, courant[q]);
            run(&vortex, GYRE_GAS_MACCORMACK, courant[q]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_are_kept)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
