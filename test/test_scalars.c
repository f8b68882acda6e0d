// labels: long
// Scalars carried by the default scheme: totals, ranges, large Courant numbers, walls of one cell,
// mirrored scenes, threads and instruction sets, saved states. Sums are made here, in double, cell
// by cell.
#include "test/gas_rig.h"
#include "test/sanitized.h"

static bool wishes(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

typedef struct seen {
    double total, low, high;
} seen;

/// Over cells that hold gas.
static seen look(gyre_gas *gas, int field)
{
    seen s = {0.0, 1e300, -1e300};
    gy_grid_level g = gy_grid_level_at(gas->base, gy_system_offset(&gas->pressure, 0));
    const int *n = gas->extent.n;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                double x = (double)*sample(gas, field, i, j, k);
                if (!gy_level_fluid(&g, i, j, k))
                    continue;
                assert_true(isfinite(x));
                s.total += x;
                s.low = x < s.low ? x : s.low;
                s.high = x > s.high ? x : s.high;
            }
    return s;
}

/// Two fans that blow round, and nothing else.
static void add_fans(gyre_gas_def *def, gyre_gas_emitter fans[2], float speed)
{
    for (int f = 0; f < 2; f++) {
        fans[f] = gyre_gas_default_emitter();
        fans[f].push = true;
        fans[f].shape.kind = GYRE_SHAPE_SPHERE;
        for (int a = 0; a < def->grid.dim; a++) {
            float size = def->grid.h * (float)def->grid.n[a];
            fans[f].shape.as.sphere.centre[a] = (f ? 0.7f : 0.25f) * size;
        }
        fans[f].shape.as.sphere.radius = 0.1f;
        fans[f].velocity[f] = f ? speed : -speed;
        fans[f].velocity[1 - f] = 0.5f * speed;
    }
    def->emitters = (gyre_pool){fans, 2, 2};
}

typedef struct kept_case {
    const char *name;
    int dim, n[3], rule;
    bool solid;
    int steps;
    double courant; // of the fans' speed
    double most_total, most_range;
} kept_case;

static double disk(const double x[3], const void *data)
{
    (void)data;
    double a = x[0] - 0.35, b = x[1] - 0.4;
    return a * a + b * b < 0.04 ? 1.0 : 0.0;
}

/// Carries density, a disk of 1 in 0, and temperature, 1 everywhere.
static void run_kept(const kept_case *c)
{
    gyre_gas_emitter fans[2];
    gyre_gas_solid ball = sphere(0.55, 0.6, 0.4, 0.15);
    gyre_gas_def def = still_def(c->dim, c->n[0], c->n[1], c->n[2], 1.0f / (float)c->n[0], c->rule);
    add_fans(&def, fans, 1.0f);
    if (c->solid)
        def.solids = (gyre_pool){&ball, 1, 1};
    gyre_gas *gas = make(&def);
    int density = gas->velocities, temperature = density + 1;
    set_field(gas, density, disk, NULL);
    set_constant(gas, temperature, 1.0);
    seen before[2] = {look(gas, density), look(gas, temperature)};
    double drift = 0.0, out = 0.0;
    // Its gates are those of all its steps.
    const int steps = in_full() ? c->steps : c->steps / 4;
    for (int s = 0; s < steps; s++) {
        // Different lengths, so that nothing cancels.
        float dt = (float)(c->courant * (0.6 + 0.4 * sin(0.37 * s))) * def.grid.h;
        assert_int_equal(gyre_gas_step(gas, dt), GYRE_OK);
        if (s % 100 && s != steps - 1)
            continue;
        for (int f = 0; f < 2; f++) {
            seen now = look(gas, density + f);
            drift = fmax(drift, fabs(now.total / before[f].total - 1.0));
            out = fmax(out, fmax(now.high - 1.0, f ? 1.0 - now.low : -now.low));
        }
    }
    if (wishes())
        print_message("%s: total %.1e range %.1e\n", c->name, drift, out);
    if (drift > c->most_total || out > c->most_range)
        fail_msg("%s: total off by %g, range by %g", c->name, drift, out);
    gyre_gas_destroy(gas);
}

static void totals_and_ranges_are_kept(void **state)
{
    (void)state;
    static const kept_case cases[] = {
        {"closed", 2, {40, 33, 1}, GYRE_GAS_SIDE_SLIP, false, 10000, 0.9, 1e-6, 1e-4},
        {"periodic", 2, {37, 32, 1}, GYRE_GAS_SIDE_PERIODIC, false, 10000, 0.9, 1e-6, 1e-4},
        {"sphere", 2, {40, 33, 1}, GYRE_GAS_SIDE_NO_SLIP, true, 10000, 0.9, 1e-6, 1e-4},
        {"closed, 3D", 3, {20, 17, 18}, GYRE_GAS_SIDE_SLIP, false, 2000, 0.9, 1e-6, 1e-4},
        {"sphere, 3D", 3, {20, 17, 18}, GYRE_GAS_SIDE_SLIP, true, 3000, 0.9, 1e-6, 1e-4},
        {"sphere, periodic, 3D",
         3,
         {17, 16, 13},
         GYRE_GAS_SIDE_PERIODIC,
         true,
         2000,
         0.9,
         1e-6,
         1e-4}};
    for (int c = 0; c < GY_COUNT(cases); c++)
        run_kept(&cases[c]);
}

static void any_courant_number_keeps_them(void **state)
{
    (void)state;
    // Beyond 1 a step of the pressure's solver, which stops early, leaves more; at 200 there are
    // not substeps enough, and only what is summed is kept.
    static const struct {
        double courant, range;
    } cases[] = {{0.1, 1e-4}, {0.5, 1e-4}, {1.0, 1e-4}, {4.0, 3e-4}, {20.0, 5e-4}, {200.0, 1e9}};
    for (int c = 0; c < GY_COUNT(cases); c++)
        for (int solid = 0; solid < 2; solid++) {
            kept_case k = {.name = "Courant number",
                           .dim = 2,
                           .n = {32, 27, 1},
                           .solid = solid,
                           .steps = 300,
                           .courant = cases[c].courant,
                           .most_total = 1e-6,
                           .most_range = cases[c].range};
            run_kept(&k);
        }
}

// ---- walls --------------------------------------------------------------------------------------

static double left_half(const double x[3], const void *data)
{
    return x[0] < *(const double *)data ? 1.0 : 0.0;
}

static double swirling(const double x[3], const void *data)
{
    const int *axis = data;
    return *axis == 0 ? sin(9.0 * x[1]) : *axis == 1 ? cos(7.0 * x[0]) : sin(8.0 * x[0]);
}

// A wall of one cell across the whole domain: what is on one side stays there, to the last bit.
static void a_wall_of_one_cell_leaks_nothing(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double h = 1.0 / 32.0, at = 16.0 * h;
        gyre_gas_solid sheet = wall(0, at, at + h);
        gyre_gas_def def = still_def(dim, 33, 16, dim == 3 ? 9 : 1, (float)h, GYRE_GAS_SIDE_SLIP);
        def.solids = (gyre_pool){&sheet, 1, 1};
        gyre_gas *gas = make(&def);
        int density = gas->velocities;
        set_field(gas, density, left_half, &at);
        for (int s = 0; s < 60; s++) {
            for (int a = 0; a < dim && s % 20 == 0; a++)
                set_field(gas, a, swirling, &a);
            assert_int_equal(gyre_gas_step(gas, s % 2 ? 0.05f : 0.012f), GYRE_OK);
            for (int k = 0; k < def.grid.n[2]; k++)
                for (int j = 0; j < def.grid.n[1]; j++)
                    for (int i = 18; i < 33; i++)
                        assert_true(*sample(gas, density, i, j, k) == 0.0f);
        }
        assert_true(fabs(look(gas, density).total - 16.0 * 16 * def.grid.n[2]) < 0.01 * dim);
        gyre_gas_destroy(gas);
    }
}

// ---- mirrored scenes ----------------------------------------------------------------------------

typedef struct mirror {
    int axis, component;
    bool on;
    double size;
} mirror;

static double uneven(const double x[3], const void *data)
{
    const mirror *m = data;
    double y[3] = {x[0], x[1], x[2]};
    y[m->axis] = m->on ? m->size - x[m->axis] : x[m->axis];
    // Not smooth, so that the limiters have something to do.
    double p = sin(11.0 * y[0] + 3.0 * y[1]) + cos(5.0 * y[1] * y[0] + 2.0 * y[2]) > 0.3;
    double v = floor(64.0 * (m->component == 0   ? sin(6.0 * y[1] + y[2])
                             : m->component == 1 ? cos(5.0 * y[0] - y[2])
                             : m->component == 2 ? sin(4.0 * y[0] + 3.0 * y[1])
                                                 : p)) /
               64.0;
    return m->on && m->component == m->axis ? -v : v;
}

// What transport alone makes of a mirrored scene is the mirrored field, bit by bit.
static void mirrored_scenes_stay_so(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int axis = 0; axis < dim; axis++) {
            gyre_gas_def def =
                still_def(dim, 24, 24, dim == 3 ? 24 : 1, 1.0f / 32, GYRE_GAS_SIDE_SLIP);
            gyre_gas *gas[2];
            for (int side = 0; side < 2; side++) {
                gas[side] = make(&def);
                mirror m = {axis, 0, side, 24.0 / 32.0};
                for (m.component = 0; m.component < dim; m.component++)
                    set_field(gas[side], m.component, uneven, &m);
                m.component = 3;
                set_field(gas[side], gas[side]->velocities, uneven, &m);
                for (int s = 0; s < 9; s++) {
                    gy_gas_note_share(gas[side]);
                    gy_gas_carry_scalars(gas[side], 0.04f, gas[side]->slot);
                }
            }
            const int *n = def.grid.n;
            int density = gas[0]->velocities, different = 0;
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        int at[3] = {i, j, k};
                        at[axis] = n[axis] - 1 - at[axis];
                        float x = *sample(gas[0], density, i, j, k);
                        different += x != *sample(gas[1], density, at[0], at[1], at[2]);
                    }
            assert_int_equal(different, 0);
            gyre_gas_destroy(gas[0]);
            gyre_gas_destroy(gas[1]);
        }
}

// ---- the same bits ------------------------------------------------------------------------------

typedef struct box_case {
    int dim, n[3], rule;
    bool solid;
    float dt;
} box_case;

static const box_case boxes[] = {{2, {150, 130, 1}, GYRE_GAS_SIDE_OPEN, true, 0.02f},
                                 {2, {300, 200, 1}, GYRE_GAS_SIDE_PERIODIC, false, 0.01f},
                                 {2, {7, 1, 1}, GYRE_GAS_SIDE_PERIODIC, false, 0.1f},
                                 {2, {1, 9, 1}, GYRE_GAS_SIDE_OPEN, false, 0.1f},
                                 {3, {33, 31, 29}, GYRE_GAS_SIDE_SLIP, true, 0.05f},
                                 {3, {130, 20, 18}, GYRE_GAS_SIDE_PERIODIC, true, 0.01f},
                                 {3, {40, 129, 130}, GYRE_GAS_SIDE_OPEN, false, 0.01f},
                                 {3, {3, 1, 2}, GYRE_GAS_SIDE_PERIODIC, false, 0.2f}};

static gyre_gas *box_make(gyre_device *device, const box_case *c)
{
    gyre_gas_solid ball = sphere(0.45, 0.4, 0.5, 0.18);
    gyre_gas_def def = still_def(c->dim, c->n[0], c->n[1], c->n[2],
                                 1.0f / (float)GY_MAX(c->n[0], c->n[1]), c->rule);
    if (c->solid)
        def.solids = (gyre_pool){&ball, 1, 1};
    gyre_gas *gas = NULL;
    assert_int_equal(gyre_gas_create(device, &def, &gas), GYRE_OK);
    for (int a = 0; a < c->dim; a++)
        set_field(gas, a, swirling, &a);
    set_field(gas, gas->velocities, noise, gas);
    set_field(gas, gas->velocities + 1, disk, NULL);
    return gas;
}

static uint64_t run_box(const gyre_device_def *on, const box_case *c)
{
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(on, &device), GYRE_OK);
    gyre_gas *gas = box_make(device, c);
    for (int s = 0; s < 4; s++)
        assert_int_equal(gyre_gas_step(gas, c->dt), GYRE_OK);
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return hash;
}

static void threads_and_instruction_sets_do_not_show(void **state)
{
    (void)state;
    for (int c = 0; c < GY_COUNT(boxes); c++) {
        gyre_device_def def = gyre_default_device_def();
        def.threads = 1;
        uint64_t hash = run_box(&def, &boxes[c]);
        for (int i = 0; gyre_isa_name(i); i++) {
            def.isa = gyre_isa_name(i);
            assert_true(run_box(&def, &boxes[c]) == hash);
        }
        def.isa = NULL;
        for (def.threads = 2; def.threads < 8; def.threads += 5)
            assert_true(run_box(&def, &boxes[c]) == hash);
    }
}

// A loaded gas goes on as the saved one does, ledgers and volumes that swell included.
static void loaded_gases_go_on_alike(void **state)
{
    (void)state;
    const box_case cases[] = {{2, {60, 50, 1}, GYRE_GAS_SIDE_OPEN, true, 0.02f},
                              {3, {20, 18, 16}, GYRE_GAS_SIDE_SLIP, true, 0.05f},
                              {2, {32, 32, 1}, GYRE_GAS_SIDE_PERIODIC, false, 0.03f}};
    for (int c = 0; c < GY_COUNT(cases); c++) {
        gyre_gas *gas = box_make(the_device, &cases[c]);
        box_case bare = cases[c];
        bare.solid = false;
        gyre_gas *other = box_make(the_device, &bare); // solids come with the state
        for (int s = 0; s < 7; s++)
            assert_int_equal(gyre_gas_step(gas, cases[c].dt), GYRE_OK);
        size_t size = gyre_gas_save_size(gas);
        void *memory = malloc(size);
        assert_int_equal(gyre_gas_save(gas, memory, size, NULL), GYRE_OK);
        assert_int_equal(gyre_gas_load(other, memory, size), GYRE_OK);
        assert_true(gyre_gas_hash(other) == gyre_gas_hash(gas));
        for (int s = 0; s < 7; s++) {
            assert_int_equal(gyre_gas_step(gas, cases[c].dt), GYRE_OK);
            assert_int_equal(gyre_gas_step(other, cases[c].dt), GYRE_OK);
        }
        assert_true(gyre_gas_hash(other) == gyre_gas_hash(gas));
        free(memory);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_and_ranges_are_kept),
        cmocka_unit_test(any_courant_number_keeps_them),
        cmocka_unit_test(a_wall_of_one_cell_leaks_nothing),
        cmocka_unit_test(mirrored_scenes_stay_so),
        cmocka_unit_test(threads_and_instruction_sets_do_not_show),
        cmocka_unit_test(loaded_gases_go_on_alike),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
