// labels: small golden
// Walls, patches of walls and solids that hold scalars at a value or give the gas of them.
#include "test/gas_rig.h"

#include <stdio.h>

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

static void name(gyre_amount *to, const char *field, double amount)
{
    snprintf(to->name, sizeof to->name, "%s", field);
    to->amount = (float)amount;
}

// Still air between two plates across an axis, periodic otherwise.
static gyre_gas_def plates(int dim, int axis, int n, double nu)
{
    gyre_gas_def def =
        still_def(dim, 4, 4, dim == 3 ? 4 : 1, 1.0f / (float)n, GYRE_GAS_SIDE_PERIODIC);
    def.grid.n[axis] = n;
    gyre_gas_side *sides = &def.sides.x_low + 2 * axis;
    sides[0].rule = sides[1].rule = GYRE_GAS_SIDE_NO_SLIP;
    def.temperature.diffusivity = (float)nu;
    def.diffusion.tolerance = 1e-6f;
    return def;
}

// What lies off a line from low to high along an axis.
static double off_line(gyre_gas *gas, int field, int axis, double low, double high)
{
    double off = 0.0;
    int n = gas->extent.n[axis];
    for (int i = 0; i < n; i++) {
        int at[3] = {1, 1, gas->extent.dim == 3};
        at[axis] = i;
        double s = (double)*sample(gas, field, at[0], at[1], at[2]);
        off = fmax(off, fabs(s - low - (high - low) * (i + 0.5) / n));
    }
    return off;
}

static double line(const double x[3], const void *data)
{
    return 40.0 - 30.0 * x[*(const int *)data];
}

// Heat that is conducted from plate to plate: the line is a fixed point of the step, at any dt,
// whether the second plate holds a value or takes what the first one gives, and is reached.
static void conduction_is_a_line(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int axis = 0; axis < dim; axis++)
            for (int c = 0; c < 6; c++) {
                const double ks[] = {0.05, 1.0, 100.0}; // nu dt / h^2
                int n = 11 + axis, takes = c >= 3, stays = c % 3 == 0;
                gyre_gas_def def = plates(dim, axis, n, 0.01);
                gyre_gas_side *sides = &def.sides.x_low + 2 * axis;
                name(sides[0].holds, "temperature", 40.0);
                if (takes)
                    name(sides[1].gives, "temperature", -0.01 * 30.0);
                else
                    name(sides[1].holds, "temperature", 10.0);
                gyre_gas *gas = make(&def);
                int field = gyre_gas_field(gas, "temperature");
                double dt = ks[c % 3] / (0.01 * n * n), time = stays   ? 200 * dt
                                                               : takes ? 1000
                                                                       : 400;
                if (stays)
                    set_field(gas, field, line, &axis);
                for (int s = 0; s * dt < time; s++)
                    must(gyre_gas_step(gas, (float)dt));
                gyre_gas_budget b = gyre_gas_get_budget(gas, field);
                double off = off_line(gas, field, axis, 40.0, 10.0);
                double closes = fabs(b.walls + b.edited + b.rounding - b.total) / b.total;
                if (loud())
                    print_message("%dD across %d, k %g, %s: off by %.1e, budget off by %.1e\n", dim,
                                  axis, ks[c % 3], takes ? "takes" : "holds", off, closes);
                assert_true(off < (stays ? 1e-4 : takes ? 3e-3 : 6e-4));
                assert_true(closes < 1e-5 && fabs(b.added) < 1e-5 * b.total);
                assert_true(stays || b.walls > 0.9 * b.total);
                gyre_gas_destroy(gas);
            }
}

// A half-space that a wall begins to warm: erfc(x / 2 sqrt(nu t)), of second order as dt goes with
// h^2; what has come in is 2 sqrt(nu t / pi).
static void a_wall_warms_a_half_space(void **state)
{
    (void)state;
    double off[3], came[3];
    for (int q = 0; q < 3; q++) {
        int n = 16 << q, steps = 16 << (2 * q);
        double nu = 0.01, time = 0.8;
        gyre_gas_def def = plates(2, 0, n, nu);
        name(def.sides.x_low.holds, "temperature", 1.0);
        gyre_gas *gas = make(&def);
        int field = gyre_gas_field(gas, "temperature");
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, (float)(time / steps)));
        off[q] = 0.0;
        for (int i = 0; i < n; i++) {
            double x = (i + 0.5) / n, s = (double)*sample(gas, field, i, 1, 0);
            off[q] = fmax(off[q], fabs(s - erfc(x / (2.0 * sqrt(nu * time)))));
        }
        double expected = 2.0 * sqrt(nu * time / pi) * 4.0 / n;
        came[q] = fabs(gyre_gas_get_budget(gas, field).walls / expected - 1.0);
        gyre_gas_destroy(gas);
    }
    if (loud())
        print_message("half-space: off by %.2e %.2e %.2e, heat by %.1e %.1e %.1e\n", off[0], off[1],
                      off[2], came[0], came[1], came[2]);
    for (int q = 0; q < 2; q++)
        assert_true(off[q + 1] < off[q] / 3.5 && came[q + 1] < came[q] / 3.5);
    assert_true(off[2] < 1.2e-3 && came[2] < 2.5e-3);
}

// A round pipe in a square duct: T = ln(r_c / r) / ln(r_c / R) near it, r_c = 1.0787 times half the
// square's side being its conformal radius (off by (R / a)^8), and 2 pi nu / ln(r_c / R) of heat.
static void a_pipe_has_its_logarithm(void **state)
{
    (void)state;
    double heat[3], profile[3];
    for (int q = 0; q < 3; q++) {
        int n = 24 << q;
        double radius = 0.13, r_c = 1.0787 * 0.5, expected = 2 * pi / log(r_c / radius);
        gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_NO_SLIP);
        gyre_gas_solid pipe = sphere(0.5, 0.5, 0.0, radius);
        gyre_gas_side *sides = &def.sides.x_low;
        name(pipe.holds, "temperature", 1.0);
        def.solids = (gyre_pool){&pipe, 1, 1};
        def.temperature.diffusivity = 1.0f;
        def.diffusion.tolerance = 1e-6f;
        for (int s = 0; s < 4; s++)
            name(sides[s].holds, "temperature", 0.0);
        gyre_gas *gas = make(&def);
        int field = gyre_gas_field(gas, "temperature");
        for (int s = 0; s < 60; s++)
            must(gyre_gas_step(gas, 0.02f));
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += 2.0 * (double)(*sample(gas, field, i, 0, 0) + *sample(gas, field, i, n - 1, 0) +
                                  *sample(gas, field, 0, i, 0) + *sample(gas, field, n - 1, i, 0));
        heat[q] = sum / expected - 1.0;
        double r = 0.25;
        profile[q] = (double)at(gas, "temperature", 0.5f + (float)r, 0.5f, 0.0f) -
                     log(r_c / r) / log(r_c / radius);
        gyre_gas_destroy(gas);
    }
    if (loud())
        print_message("pipe: heat off by %.2e %.2e %.2e, profile by %.1e %.1e %.1e\n", heat[0],
                      heat[1], heat[2], profile[0], profile[1], profile[2]);
    for (int q = 0; q < 3; q++)
        assert_true(fabs(heat[q]) < 2.0 / (24 << q) && fabs(profile[q]) < 1.0 / (24 << q));
}

// What a solid gives is its surface times the flux, wherever it lies among the cells, and without
// any diffusivity.
static void a_solid_gives_by_its_surface(void **state)
{
    (void)state;
    double most = 0.0;
    for (int dim = 2; dim <= 3; dim++)
        for (int c = 0; c < 8; c++) {
            int n = 32;
            double radius = 0.17 + 0.011 * c, at[2] = {0.5 + 0.007 * c, 0.47 - 0.005 * c};
            double area = dim == 2 ? 2 * pi * radius : 4 * pi * radius * radius;
            gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, 0);
            gyre_gas_solid body = sphere(at[0], at[1], 0.5, radius);
            if (c == 7) { // sides of a box along the grid
                body.shape.kind = GYRE_SHAPE_BOX;
                for (int a = 0; a < 3; a++) {
                    body.shape.as.box.centre[a] = 0.5f;
                    body.shape.as.box.size[a] = 0.5f;
                    body.shape.as.box.rotation[a] = 0.0f;
                }
                area = dim == 2 ? 2.0 : 1.5;
            }
            name(body.gives, "density", 0.3);
            def.solids = (gyre_pool){&body, 1, 1};
            gyre_gas *gas = make(&def);
            for (int s = 0; s < 3; s++)
                must(gyre_gas_step(gas, 0.1f));
            gyre_gas_budget b = gyre_gas_get_budget(gas, dim);
            double off = b.walls / (area * 0.3 * 0.3) - 1.0;
            most = c < 7 ? fmax(most, fabs(off)) : most;
            if (loud())
                print_message("%dD surface %d: off by %.2e\n", dim, c, off);
            assert_true(fabs(off) < (c == 7 ? 1e-5 : 0.03));
            assert_true(fabs(b.total - b.walls) < 1e-5 * b.total);
            gyre_gas_destroy(gas);
        }
}

// G. de Vahl Davis, Natural convection of air in a square cavity: a bench mark numerical solution
// (Int. J. Numer. Methods Fluids 3, 1983): Nu 2.243 at Ra 1e4, 4.519 at 1e5; Pr 0.71.
static void a_cavity_has_its_nusselt_number(void **state)
{
    (void)state;
    const double ra[] = {1e4, 1e5}, published[] = {2.243, 4.519};
    for (int c = 0; c < 2; c++) {
        int n = c ? 44 : 28;
        double alpha = 1.0 / sqrt(ra[c] * 0.71), nu[2] = {0, 0};
        gyre_gas_def def = still_def(2, n, n, 1, 1.0f / (float)n, GYRE_GAS_SIDE_NO_SLIP);
        def.gravity[1] = -1.0f;
        def.thermal_expansion = 1.0f;
        def.viscosity = (float)(0.71 * alpha);
        def.temperature.diffusivity = (float)alpha;
        name(def.sides.x_low.holds, "temperature", 0.5);
        name(def.sides.x_high.holds, "temperature", -0.5);
        gyre_gas *gas = make(&def);
        int field = gyre_gas_field(gas, "temperature");
        double dt = (c ? 1.0 : 2.0) / n;
        for (int s = 0; s * dt < (c ? 45 : 40); s++)
            must(gyre_gas_step(gas, (float)dt));
        for (int j = 0; j < n; j++) {
            nu[0] += 2.0 * (0.5 - (double)*sample(gas, field, 0, j, 0));
            nu[1] += 2.0 * (0.5 + (double)*sample(gas, field, n - 1, j, 0));
        }
        gyre_gas_budget b = gyre_gas_get_budget(gas, field);
        if (loud())
            print_message(
                "cavity at Ra %g, %d cells: Nu %.4f %.4f, published %.3f (%.2f %%); total "
                "%.1e walls %.1e\n",
                ra[c], n, nu[0], nu[1], published[c], 100 * (nu[0] / published[c] - 1), b.total,
                b.walls);
        assert_true(fabs(nu[0] / published[c] - 1.0) < 0.02);
        assert_true(fabs(nu[0] - nu[1]) < 5e-3 * nu[0]);
        assert_true(fabs(b.total - b.walls - b.rounding) < 1e-5);
        gyre_gas_destroy(gas);
    }
}

// A room with everything that a wall may do.
static gyre_gas_def busy(int dim, gyre_gas_patch p[2], gyre_gas_solid s[2])
{
    gyre_gas_def def = still_def(dim, 29, 21, dim == 3 ? 13 : 1, 0.05f, GYRE_GAS_SIDE_NO_SLIP);
    def.gravity[1] = -9.81f;
    def.viscosity = 1e-3f;
    def.density.diffusivity = 2e-3f;
    def.temperature.diffusivity = 4e-3f;
    name(&def.sides.y_low.holds[0], "temperature", 8.0);
    name(&def.sides.y_low.gives[0], "density", 0.02);
    for (int q = 0; q < 2; q++) {
        p[q] = gyre_gas_default_patch();
        p[q].side = 2 * q + 1;
        p[q].shape.kind = GYRE_SHAPE_BOX;
        for (int a = 0; a < 3; a++) {
            p[q].shape.as.box.centre[a] = a == q ? (a ? 1.05f : 1.45f) : 0.5f;
            p[q].shape.as.box.size[a] = 0.4f;
        }
        s[q] = sphere(0.5 + 0.5 * q, 0.4, 0.3, 0.16);
    }
    name(&p[0].holds[0], "temperature", -6.0);
    name(&p[1].holds[0], "density", 0.5);
    name(&p[1].gives[0], "temperature", -0.1);
    name(&s[0].holds[0], "temperature", 15.0);
    name(&s[1].gives[0], "density", 0.05);
    def.patches = (gyre_pool){p, 2, 3};
    def.solids = (gyre_pool){s, 2, 3};
    return def;
}

static void warm(gyre_gas *gas, int from, int to)
{
    for (int q = from; q < to; q++) {
        must(gyre_gas_set(gas, "sides.y_low.holds.temperature", gyre_number(8.0 + 0.5 * q)));
        if (q == 5)
            must(gyre_gas_set(gas, "solids.1.holds.temperature", gyre_number(-3.0)));
        must(gyre_gas_step(gas, q % 4 == 3 ? 0.4f : 0.03f));
    }
}

static void any_machine_gives_the_same_bits(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 3, 8};
    for (int dim = 2; dim <= 3; dim++) {
        // That of gcc and clang, each on x86 and on ARM.
        const uint64_t expected = dim == 2 ? 0xc36bb041421144aau : 0xc5d7663290f50327u;
        for (int q = 0; q < 4 || gyre_isa_name(q - 4); q++) {
            gyre_device_def device = gyre_default_device_def();
            device.threads = q < 4 ? threads[q] : 1;
            device.isa = q < 4 ? NULL : gyre_isa_name(q - 4);
            gyre_device *own = NULL;
            if (gyre_device_create(&device, &own) != GYRE_OK)
                continue;
            gyre_gas_patch p[2];
            gyre_gas_solid s[2];
            gyre_gas_def def = busy(dim, p, s);
            gyre_gas *gas = NULL;
            must(gyre_gas_create(own, &def, &gas));
            warm(gas, 0, 10);
            uint64_t hash = gyre_gas_hash(gas);
            if (hash != expected)
                fail_msg("%dD, device %d: the hash is 0x%016llx", dim, q, (unsigned long long)hash);
            gyre_gas_destroy(gas);
            gyre_device_destroy(own);
        }
    }
}

static void a_state_goes_on(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_patch p[2];
        gyre_gas_solid s[2];
        gyre_gas_def def = busy(dim, p, s);
        gyre_gas *gas = make(&def), *other = make(&def);
        warm(gas, 0, 7);
        size_t size = gyre_gas_save_size(gas), written;
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, &written));
        must(gyre_gas_load(other, bytes, written));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        warm(gas, 7, 12);
        warm(other, 7, 12);
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        for (int f = dim; f < dim + 2; f++) {
            gyre_gas_budget b = gyre_gas_get_budget(gas, f);
            assert_true(b.walls == gyre_gas_get_budget(other, f).walls && b.walls > 0.0);
            double off = fabs(b.total - b.walls - b.rounding) / b.walls;
            if (loud())
                print_message("%dD: walls gave %g, off by %.1e\n", dim, b.walls, off);
            assert_true(off < 1e-5);
        }
        finite_everywhere(gas);
        free(bytes);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
    }
}

// What is held is never left by what a wall of one value warms, at any length of a step.
static void no_step_leaves_the_range(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int c = 0; c < 4; c++) {
            const float dts[] = {1e-3f, 0.1f, 30.0f, 1e6f};
            gyre_gas_def def = still_def(dim, 19, 14, dim == 3 ? 9 : 1, 0.05f, 0);
            gyre_gas_solid ball = sphere(0.4, 0.3, 0.2, 0.16);
            name(ball.holds, "temperature", 10.0);
            name(def.sides.x_high.holds, "temperature", 10.0);
            def.solids = (gyre_pool){&ball, 1, 1};
            def.temperature.diffusivity = 0.05f;
            gyre_gas *gas = make(&def);
            for (int s = 0; s < 12; s++) {
                must(gyre_gas_step(gas, dts[c]));
                gyre_field_view v;
                gy_gas_window(&gas->model, dim + 1, &v);
                for (int k = 0; k < v.n[2]; k++)
                    for (int j = 0; j < v.n[1]; j++)
                        for (int i = 0; i < v.n[0]; i++) {
                            float x = v.data[i + j * v.stride[1] + k * v.stride[2]];
                            if (!(x > -1e-2f && x < 10.01f))
                                fail_msg("%dD, dt %g, step %d: %g", dim, (double)dts[c], s,
                                         (double)x);
                        }
            }
            gyre_gas_destroy(gas);
        }
}

// A patch is where it is, keeps what the side does where it names nothing, and shuts by giving 0.
static void a_patch_is_where_it_is(void **state)
{
    (void)state;
    gyre_gas_patch p[2];
    gyre_gas_def def = still_def(2, 20, 20, 1, 0.05f, GYRE_GAS_SIDE_SLIP);
    for (int q = 0; q < 2; q++) {
        p[q] = gyre_gas_default_patch();
        p[q].side = 2;
        p[q].shape.kind = GYRE_SHAPE_BOX;
        for (int a = 0; a < 3; a++) {
            p[q].shape.as.box.centre[a] = a == 0 ? 0.25f + 0.5f * (float)q : 0.0f;
            p[q].shape.as.box.size[a] = 0.2f;
        }
    }
    name(&def.sides.y_low.gives[0], "density", 1.0);
    name(&def.sides.y_low.gives[1], "temperature", 2.0);
    name(&p[0].gives[0], "density", 0.0);
    name(&p[1].gives[0], "density", 3.0);
    def.patches = (gyre_pool){p, 2, 2};
    gyre_gas *gas = make(&def);
    must(gyre_gas_step(gas, 0.1f));
    for (int i = 0; i < 20; i++) {
        double x = (i + 0.5) * 0.05, q = fabs(x - 0.25) < 0.1 ? 0.0 : fabs(x - 0.75) < 0.1 ? 3 : 1;
        assert_true(fabs((double)*sample(gas, 2, i, 0, 0) - q * 0.1 / 0.05) < 1e-5);
        assert_true(fabs((double)*sample(gas, 3, i, 0, 0) - 2 * 0.1 / 0.05) < 1e-5);
        assert_true(*sample(gas, 2, i, 1, 0) == 0.0f);
    }
    must(gyre_gas_set(gas, "patches.1.enabled", gyre_bool(false)));
    must(gyre_gas_step(gas, 0.1f));
    assert_true(fabs((double)*sample(gas, 2, 15, 0, 0) - 8.0) < 1e-5);
    gyre_gas_destroy(gas);
}

static void refused(const gyre_gas_def *def, const char *part)
{
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(the_device, def, &gas), GYRE_ERROR_ARGUMENT);
    one_line();
    if (!strstr(gyre_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), part);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    gyre_gas_patch p[2];
    gyre_gas_solid s[2];
    gyre_gas_def def = busy(2, p, s), bad = def;
    name(&bad.sides.y_low.holds[1], "temprature", 1.0);
    refused(&bad, "sides.y_low.holds.temprature: there is no scalar \"temprature\", did you mean");
    bad = def;
    bad.sides.y_low.holds[0].amount = NAN;
    refused(&bad, "sides.y_low.holds.temperature");
    bad = def;
    name(&bad.sides.y_low.gives[1], "temperature", 1.0);
    refused(&bad, "sides.y_low.gives.temperature: the wall holds it at a value");
    bad = def;
    bad.patches.count = 0;
    bad.sides.x_low.rule = bad.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
    name(&bad.sides.x_low.gives[0], "temperature", 1.0);
    refused(&bad, "sides.x_low.gives: x_low is periodic, only a wall");
    bad.sides.x_low.rule = bad.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    refused(&bad, "x_low is open, only a wall");
    p[0].rule = GYRE_GAS_PATCH_INFLOW;
    refused(&def, "patches.0.holds: gas passes the patch");
    p[0].rule = GYRE_GAS_PATCH_AS_SIDE;
    name(&s[1].gives[0], "smoke", 1.0);
    refused(&def, "solids.1.gives.smoke");
    name(&s[1].gives[0], "density", 1.0);
    bad = def;
    bad.diffusion.solver = GYRE_SOLVER_FFT;
    refused(&bad, "diffusion.solver");
    // What cannot be changed to leaves all as it was.
    gyre_gas *gas = make(&def);
    warm(gas, 0, 2);
    uint64_t hash = gyre_gas_hash(gas);
    assert_int_equal(gyre_gas_set(gas, "sides.y_low.gives.temperature", gyre_number(1.0)),
                     GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_set(gas, "solids.0.holds.temperature", gyre_number(NAN)),
                     GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_set(gas, "solids.0.holds.smoke", gyre_number(1.0)),
                     GYRE_ERROR_ARGUMENT);
    assert_true(gyre_gas_hash(gas) == hash);
    must(gyre_gas_step(gas, 0.03f));
    gyre_gas_destroy(gas);
}

// Without such walls there is no memory for them and nothing in a saved state; one that comes later
// does what it does, and what it gives is told among what was added.
static void walls_come_later(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 20, 20, 1, 0.05f, GYRE_GAS_SIDE_SLIP);
    def.temperature.diffusivity = 1e-3f;
    gyre_gas *gas = make(&def);
    must(gyre_gas_step(gas, 0.1f));
    assert_true(gas->walls == NULL && gas->through == 0);
    assert_true(gas->model.extra_size == (size_t)gas->scalars * sizeof(gy_ledger));
    must(gyre_gas_set(gas, "sides.y_low.holds.temperature", gyre_number(3.0)));
    gyre_gas_solid ball = sphere(0.5, 0.5, 0.0, 0.2);
    name(ball.gives, "temperature", 0.4);
    assert_true(gyre_gas_add_solid(gas, &ball) != 0);
    for (int s = 0; s < 10; s++)
        must(gyre_gas_step(gas, 0.1f));
    gyre_gas_budget b = gyre_gas_get_budget(gas, 3);
    assert_true(b.walls == 0.0 && fabs(b.total - b.added - b.rounding) < 1e-5 * b.total);
    assert_true(b.total > 0.4 * 2 * pi * 0.2 && *sample(gas, 3, 3, 0, 0) > 0.5f);
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conduction_is_a_line),
        cmocka_unit_test(a_wall_warms_a_half_space),
        cmocka_unit_test(a_pipe_has_its_logarithm),
        cmocka_unit_test(a_solid_gives_by_its_surface),
        cmocka_unit_test(a_cavity_has_its_nusselt_number),
        cmocka_unit_test(any_machine_gives_the_same_bits),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(no_step_leaves_the_range),
        cmocka_unit_test(a_patch_is_where_it_is),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(walls_come_later),
    };
#if defined(GYRE_STAND_IN_CMOCKA_H) || !defined(NDEBUG)
    // Under an emulator, or without optimisation: the bits alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(any_machine_gives_the_same_bits)};
    if (!getenv("GYRE_TEST_ALL")) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
#endif
    return cmocka_run_group_tests(tests, open_device, close_device);
}
