// labels: small golden
// Coordinates that flow with a gas: shifts and turns that are known, cells of vortices whose paths
// are traced by themselves, phases that begin anew, sides, grids that move, states, bad input.
#include "test/gas_rig.h"

#include <stdio.h>

static bool loud(void)
{
    return getenv("GYRE_TEST_PRINT") != NULL;
}

// ---- flows that are known

enum { SHIFT, TURN, WHIRLS };

typedef struct flow {
    int kind;
    double u[3];
} flow;

static void flow_at(const flow *f, const double x[3], double u[3])
{
    memcpy(u, f->u, sizeof f->u);
    if (f->kind == TURN) {
        u[0] = -(x[1] - 0.5);
        u[1] = x[0] - 0.5;
        u[2] = 0.0;
    } else if (f->kind == WHIRLS) {
        u[0] = sin(2 * pi * x[0]) * cos(2 * pi * x[1]);
        u[1] = -cos(2 * pi * x[0]) * sin(2 * pi * x[1]);
        u[2] = 0.0;
    }
}

static void flow_row(void *user, const gyre_gas_row *row, float *values)
{
    for (int i = 0; i < row->count; i++) {
        const double x[3] = {(double)(row->place[0] + row->step * (float)i), (double)row->place[1],
                             (double)row->place[2]};
        double u[3];
        flow_at(user, x, u);
        values[i] = (float)u[row->axis];
    }
}

/// Where what is at x now was a time ago: Runge and Kutta's, in small steps.
static void trace_back(const flow *f, double time, double x[3])
{
    int steps = 1 + (int)(time / 0.002);
    double dt = -time / steps;
    for (int s = 0; s < steps; s++) {
        double k[4][3], at[3];
        for (int q = 0; q < 4; q++) {
            for (int a = 0; a < 3; a++)
                at[a] = x[a] + (q == 0 ? 0.0 : (q == 3 ? dt : 0.5 * dt) * k[q - 1][a]);
            flow_at(f, at, k[q]);
        }
        for (int a = 0; a < 3; a++)
            x[a] += dt / 6 * (k[0][a] + 2 * k[1][a] + 2 * k[2][a] + k[3][a]);
    }
}

static gyre_gas *led(int dim, int n, int rule, int advection, flow *f)
{
    gyre_gas_def def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, rule);
    def.velocity = GYRE_GAS_ROWS;
    def.advection = advection;
    def.texture.phases = 1;
    gyre_gas *gas = make(&def);
    must(gyre_gas_set_velocity_rows(gas, flow_row, f));
    return gas;
}

/// The largest distance between X and what is known, in cells whose middles are within `radius` of
/// the domain's.
static double worst(gyre_gas *gas, const flow *f, double time, double radius)
{
    const gyre_grid *g = &gas->grid;
    int first = gyre_gas_field(gas, "texture_0_x");
    double most = 0.0;
    assert_true(first >= 0);
    for (int k = 0; k < g->n[2]; k++)
        for (int j = 0; j < g->n[1]; j++)
            for (int i = 0; i < g->n[0]; i++) {
                float p[3];
                gyre_grid_position(g, GYRE_CENTRE, i, j, k, p);
                const double x[3] = {(double)p[0], (double)p[1], (double)p[2]};
                double from[3] = {x[0], x[1], x[2]}, off = 0.0;
                if (hypot(x[0] - 0.5, x[1] - 0.5) > radius)
                    continue;
                trace_back(f, time, from);
                for (int a = 0; a < g->dim; a++)
                    off += pow(x[a] + (double)*sample(gas, first + a, i, j, k) - from[a], 2);
                most = fmax(most, sqrt(off));
            }
    return most;
}

static double error_of(int dim, int n, int rule, int advection, flow *f, double radius, double time,
                       int steps)
{
    gyre_gas *gas = led(dim, n, rule, advection, f);
    for (int s = 0; s < steps; s++)
        must(gyre_gas_step(gas, (float)(time / steps)));
    double e = worst(gas, f, gas->model.time, radius);
    gyre_gas_destroy(gas);
    return e;
}

// A shift is exact but for rounding, further than the domain is wide, too, round periodic sides and
// from beyond open ones.
static void a_shift_is_exact(void **state)
{
    static const int schemes[] = {GYRE_GAS_CONSERVATIVE, GYRE_GAS_MACCORMACK,
                                  GYRE_GAS_SEMI_LAGRANGIAN};
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int s = 0; s < GY_COUNT(schemes); s++)
            for (int open = 0; open < 2; open++) {
                flow f = {SHIFT, {0.7, -0.45, dim == 3 ? 0.3 : 0.0}};
                int rule = open ? GYRE_GAS_SIDE_OPEN : GYRE_GAS_SIDE_PERIODIC;
                double e = error_of(dim, dim == 3 ? 12 : 32, rule, schemes[s], &f, 2.0, 3.0, 60);
                if (loud())
                    printf("shift by 2.1, %dD, scheme %d, %s: %.2g\n", dim, schemes[s],
                           open ? "open" : "periodic", e);
                assert_true(e < 2e-5);
            }
}

// A turn has linear displacements, which interpolation keeps: what is left is the path's midpoint
// rule, of second order in time, on a coarse grid as on a fine one. (Not so near sides, beyond
// which displacements go on evenly.)
static void a_turn_is_exact_but_for_the_order_of_its_paths(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int fine = 0; fine < 2; fine++) {
            flow f = {TURN, {0}};
            int n = (dim == 3 ? 24 : 40) << fine;
            if (dim == 3 && fine)
                continue;
            double e[2];
            for (int q = 0; q < 2; q++)
                e[q] = error_of(dim, n, GYRE_GAS_SIDE_OPEN, GYRE_GAS_CONSERVATIVE, &f, 0.15, 1.0,
                                10 << q);
            if (loud())
                printf("turn by 1 rad, %dD, %d cells: %.3g in 10 steps, %.3g in 20: order %.2f\n",
                       dim, n, e[0], e[1], log2(e[0] / e[1]));
            // The midpoint rule turns by dt - dt^3/6 a step and draws out by dt^4/8.
            assert_true(e[0] < 1.1 * 0.15 * 1.0 * 0.1 * 0.1 / 6);
            assert_true(log2(e[0] / e[1]) > 1.9);
        }
}

static void whirls_draw_out_as_their_paths_do(void **state)
{
    (void)state;
    flow f = {WHIRLS, {0}};
    double e[2];
    for (int q = 0; q < 2; q++)
        e[q] = error_of(2, 48 << q, GYRE_GAS_SIDE_PERIODIC, GYRE_GAS_CONSERVATIVE, &f, 1.0, 0.5,
                        24 << q);
    if (loud())
        printf("whirls after 0.5 s: %.3g on 48, %.3g on 96: order %.2f\n", e[0], e[1],
               log2(e[0] / e[1]));
    assert_true(e[1] < 0.01 && log2(e[0] / e[1]) > 1.7);
}

// A gas that is solved for carries them by the wind it carries itself by.
static void a_solved_wind_shifts_them(void **state)
{
    static const int schemes[] = {GYRE_GAS_CONSERVATIVE, GYRE_GAS_MACCORMACK, GYRE_GAS_BFECC,
                                  GYRE_GAS_CUBIC, GYRE_GAS_SEMI_LAGRANGIAN};
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int s = 0; s < GY_COUNT(schemes); s++) {
            gyre_gas_def def =
                still_def(dim, 16, 12, dim == 3 ? 9 : 1, 0.1f, GYRE_GAS_SIDE_PERIODIC);
            def.advection = schemes[s];
            def.texture.phases = 1;
            gyre_gas *gas = make(&def);
            for (int a = 0; a < dim; a++)
                set_constant(gas, a, a == 0 ? 0.5 : a == 1 ? -0.25 : 0.125);
            for (int q = 0; q < 20; q++)
                must(gyre_gas_step(gas, 0.1f));
            for (int a = 0; a < dim; a++) {
                char name[16];
                snprintf(name, sizeof name, "texture_0_%c", "xyz"[a]);
                double d = (double)at(gas, name, 0.31f, 0.47f, 0.22f);
                assert_true(fabs(d + 2.0 * (a == 0 ? 0.5 : a == 1 ? -0.25 : 0.125)) < 1e-4);
            }
            gyre_gas_destroy(gas);
        }
}

// ---- phases

static gyre_gas *stirred(int dim, int phases, float period)
{
    gyre_gas_def def = small(dim);
    def.texture.phases = phases;
    def.texture.period = period;
    gyre_gas *gas = make(&def);
    gyre_gas_splat(gas, 0, (const float[3]){0.5f, 0.4f, 0.3f}, 0.3f, 1.0f);
    gyre_gas_splat(gas, 1, (const float[3]){0.4f, 0.3f, 0.3f}, 0.2f, -0.7f);
    return gas;
}

/// The largest displacement of a phase.
static double furthest(gyre_gas *gas, const gyre_texture *t, int phase)
{
    double most = 0.0;
    for (int a = 0; a < gas->extent.dim; a++)
        for (int k = 0; k < gas->extent.n[2]; k++)
            for (int j = 0; j < gas->extent.n[1]; j++)
                for (int i = 0; i < gas->extent.n[0]; i++)
                    most = fmax(most, fabs((double)*sample(gas, t->field[phase][a], i, j, k)));
    return most;
}

static void phases_begin_anew_when_nobody_sees_it(void **state)
{
    (void)state;
    for (int phases = 2; phases <= 3; phases++) {
        gyre_gas *gas = stirred(2, phases, 1.0f);
        gyre_texture before, now;
        int anew = 0;
        must(gyre_model_texture(gyre_gas_model(gas), &before));
        for (int s = 0; s < 120; s++) {
            must(gyre_gas_step(gas, 0.025f));
            must(gyre_model_texture(gyre_gas_model(gas), &now));
            assert_int_equal(now.phases, phases);
            double sum = 0.0, squares = 0.0;
            for (int p = 0; p < phases; p++) {
                sum += (double)now.weight[p];
                squares += (double)(now.weight[p] * now.weight[p]);
                if (now.age[p] < before.age[p]) {
                    // Before and after it, it weighs next to nothing; it is where the gas is.
                    assert_true(now.weight[p] < 0.01f && before.weight[p] < 0.01f);
                    assert_true(furthest(gas, &now, p) == 0.0);
                    anew++;
                } else {
                    assert_true(furthest(gas, &now, p) > 0.0);
                }
            }
            assert_true(fabs(sum - 0.5 * phases) < 1e-5);
            assert_true(phases == 2 || fabs(squares - 9.0 / 8.0) < 1e-5);
            before = now;
        }
        assert_int_equal(anew, 3 * phases); // in 3 s
        gyre_gas_destroy(gas);
    }
}

static void offsets_differ_from_beginning_to_beginning(void **state)
{
    (void)state;
    gyre_gas_def def = small(3);
    gyre_texture t;
    def.texture.phases = 2;
    def.texture.period = 1.0f;
    def.texture.offset[0] = 0.25f;
    def.texture.offset[2] = -0.5f;
    gyre_gas *gas = make(&def);
    for (int s = 0; s < 6; s++) {
        must(gyre_model_texture(gyre_gas_model(gas), &t));
        // Times 0, 0.5 ...: phase 0 begins at 0, 1, 2 as beginnings 0, 2, 4; phase 1 at 0.5 ...
        int place[2] = {s / 2 * 2, (s + 1) / 2 * 2 + 1};
        for (int p = 0; p < 2; p++) {
            assert_true(t.offset[p][0] == 0.25f * (float)place[p]);
            assert_true(t.offset[p][1] == 0.0f && t.offset[p][2] == -0.5f * (float)place[p]);
        }
        must(gyre_gas_step(gas, 0.5f));
    }
    gyre_gas_destroy(gas);
}

// ---- the rest of the gas

static void the_gas_itself_does_not_notice(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas[2] = {stirred(dim, 0, 1.0f), stirred(dim, 3, 0.1f)};
        for (int s = 0; s < 8; s++)
            for (int q = 0; q < 2; q++)
                must(gyre_gas_step(gas[q], 0.05f));
        for (int f = 0; f < gas[0]->states; f++) {
            int n[3];
            gyre_grid_samples(&gas[0]->grid, gas[0]->fields[f].location, n);
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    assert_memory_equal(sample(gas[0], f, 0, j, k), sample(gas[1], f, 0, j, k),
                                        (size_t)n[0] * sizeof(float));
        }
        assert_int_equal(gyre_gas_field(gas[0], "texture_0_x"), -1);
        gyre_gas_destroy(gas[0]);
        gyre_gas_destroy(gas[1]);
    }
}

static void a_state_goes_on(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = stirred(dim, 2, 0.4f), *twin = stirred(dim, 2, 0.4f),
                 *other = stirred(dim, 3, 0.4f);
        for (int s = 0; s < 5; s++)
            must(gyre_gas_step(gas, 0.05f));
        size_t size = gyre_gas_save_size(gas);
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, NULL));
        must(gyre_gas_load(twin, bytes, size));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(twin));
        for (int s = 0; s < 7; s++) {
            must(gyre_gas_step(gas, 0.05f));
            must(gyre_gas_step(twin, 0.05f));
            assert_true(gyre_gas_hash(gas) == gyre_gas_hash(twin));
        }
        assert_true(gyre_gas_load(other, bytes, size) != GYRE_OK);
        one_line();
        free(bytes);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(twin);
        gyre_gas_destroy(other);
    }
}

// Where the gas was stays where it was in the world; what comes in at the side goes on.
static void a_grid_that_moves_takes_them_along(void **state)
{
    (void)state;
    gyre_gas_def def = still_def(2, 24, 16, 1, 1.0f / 16, GYRE_GAS_SIDE_OPEN);
    def.texture.phases = 1;
    gyre_gas *gas = make(&def);
    int x = gyre_gas_field(gas, "texture_0_x");
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 24; i++)
            *sample(gas, x, i, j, 0) = (float)(i + 100 * j);
    must(gyre_model_shift(gyre_gas_model(gas), (const int[3]){5, -3, 0}));
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 24; i++) {
            int from = i + 5 < 24 ? i + 5 : 23, up = j - 3 > 0 ? j - 3 : 0;
            assert_true(*sample(gas, x, i, j, 0) == (float)(from + 100 * up));
        }
    gyre_gas_destroy(gas);
}

// A gas with all that coordinates meet: what comes in and goes out, a ball that moves, a sheet.
static gyre_gas *busy(gyre_device *device, int dim)
{
    gyre_gas *gas = NULL;
    gyre_gas_def def = still_def(dim, 70, 19, dim == 3 ? 9 : 1, 0.02f, GYRE_GAS_SIDE_PERIODIC);
    gyre_gas_solid ball = sphere(0.6, 0.2, 0.1, 0.07);
    gyre_gas_sheet sheet = gyre_gas_default_sheet(dim == 3 ? GYRE_GAS_SHEET_PANEL : 0);
    def.sides.x_low.rule = GYRE_GAS_SIDE_INFLOW;
    def.sides.x_low.velocity[0] = 0.6f;
    def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    def.texture.phases = 3;
    def.texture.period = 0.3f;
    ball.pose.velocity[1] = 0.2f;
    if (dim == 3) {
        const float corner[3] = {0.9f, 0.05f, 0.05f}, along[3] = {0, 0.2f, 0},
                    across[3] = {0, 0, 0.1f};
        memcpy(sheet.form.as.panel.corner, corner, sizeof corner);
        memcpy(sheet.form.as.panel.along, along, sizeof along);
        memcpy(sheet.form.as.panel.across, across, sizeof across);
    } else {
        const float from[3] = {0.9f, 0.05f, 0}, to[3] = {0.92f, 0.3f, 0};
        memcpy(sheet.form.as.line.from, from, sizeof from);
        memcpy(sheet.form.as.line.to, to, sizeof to);
    }
    def.solids = (gyre_pool){&ball, 1, 1};
    def.sheets = (gyre_pool){&sheet, 1, 1};
    must(gyre_gas_create(device, &def, &gas));
    return gas;
}

static void solids_and_sheets_leave_them_finite(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = busy(the_device, dim);
        for (int s = 0; s < 8; s++)
            must(gyre_gas_step(gas, s == 5 ? 1e4f : 0.03f));
        finite_everywhere(gas);
        gyre_gas_destroy(gas);
    }
}

// One hash for any number of threads, instruction set, compiler and processor. A change that is
// meant to alter results prints new ones with GYRE_TEST_PRINT=1.
static void the_same_bits_everywhere(void **state)
{
    static const uint64_t golden[2] = {0x806e7a7aef7b29e9, 0xccd3ef09239b398e};
    (void)state;
    for (int i = 0; gyre_isa_name(i); i++)
        for (int threads = 1; threads <= (i == 0 ? 3 : 1); threads += 2) {
            gyre_device *device = gas_case_device(threads, gyre_isa_name(i));
            assert_non_null(device);
            for (int dim = 2; dim <= 3; dim++) {
                gyre_gas *gas = busy(device, dim);
                for (int s = 0; s < 7; s++)
                    must(gyre_gas_step(gas, 0.03f));
                uint64_t hash = gyre_gas_hash(gas);
                if (loud())
                    printf("%s, %d threads, %dD: 0x%016llx\n", gyre_isa_name(i), threads, dim,
                           (unsigned long long)hash);
                assert_true(hash == golden[dim - 2]);
                gyre_gas_destroy(gas);
            }
            gyre_device_destroy(device);
        }
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    gyre_gas_def def = small(2);
    gyre_gas *gas = NULL;
    def.texture.phases = 4;
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "texture.phases"));
    def.texture.phases = 2;
    def.texture.period = 0.0f;
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "texture.period"));
    def.texture.period = 1.0f;
    gas = make(&def);
    int x = gyre_gas_field(gas, "texture_1_y");
    float rate[18 * 13] = {0};
    assert_int_equal(gyre_gas_set_source(gas, x, rate), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "texture_1_y"));
    assert_int_equal(gyre_gas_set(gas, "texture.phases", gyre_number(3)), GYRE_ERROR_STATE);
    must(gyre_gas_splat(gas, x, (const float[3]){0.5f, 0.4f, 0.0f}, 0.2f, 0.1f));
    assert_true(fabsf(at(gas, "texture_1_y", 0.5f, 0.4f, 0.0f) - 0.1f) < 0.02f);
    gyre_gas_destroy(gas);
    gyre_gas_channel c[1] = {{.name = ""}};
    snprintf(c[0].name, sizeof c[0].name, "texture_0_x");
    def.channels = (gyre_pool){c, 1, 1};
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    // A model without says so.
    gyre_texture t = {.phases = 7};
    def.channels = (gyre_pool){0};
    def.texture.phases = 0;
    gas = make(&def);
    must(gyre_model_texture(gyre_gas_model(gas), &t));
    assert_true(t.phases == 0 && t.field[2][2] == -1);
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_is_exact),
        cmocka_unit_test(a_turn_is_exact_but_for_the_order_of_its_paths),
        cmocka_unit_test(whirls_draw_out_as_their_paths_do),
        cmocka_unit_test(a_solved_wind_shifts_them),
        cmocka_unit_test(phases_begin_anew_when_nobody_sees_it),
        cmocka_unit_test(offsets_differ_from_beginning_to_beginning),
        cmocka_unit_test(the_gas_itself_does_not_notice),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(a_grid_that_moves_takes_them_along),
        cmocka_unit_test(solids_and_sheets_leave_them_finite),
        cmocka_unit_test(the_same_bits_everywhere),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
