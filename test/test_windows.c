// labels: small golden
// Windows: patches of walls and inflows whose rule is open. What passes them, what does not pass
// the wall beside them, budgets, states, and what is refused.
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

static gyre_gas_patch box_on(int side, int rule, float x, float y, float z, float size)
{
    gyre_gas_patch p = gyre_gas_default_patch();
    p.side = side;
    p.rule = rule;
    p.shape = gyre_box((const float[3]){x, y, z}, (const float[3]){size, size, size});
    return p;
}

/// A room 1 wide with a window in its right wall and an inlet in its left one.
typedef struct room {
    gyre_gas_def def;
    gyre_gas_patch p[4];
    gyre_gas_solid ball;
} room;

static void furnish(room *r, int dim, float speed)
{
    float z = dim == 3 ? 0.5f : 0.0f;
    int n = dim == 3 ? 16 : 32;
    memset(r, 0, sizeof *r);
    r->def = still_def(dim, n, n, dim == 3 ? n : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
    r->def.pressure.tolerance = 1e-5f;
    r->def.pressure.max_cycles = 40;
    r->p[0] = box_on(1, GYRE_GAS_PATCH_OPEN, 1.0f, 0.75f, z, 0.25f);
    r->p[1] = box_on(0, GYRE_GAS_PATCH_INFLOW, 0.0f, 0.25f, z, 0.5f);
    r->p[1].velocity[0] = speed;
    snprintf(r->p[1].carries[0].name, sizeof r->p[1].carries[0].name, "density");
    r->p[1].carries[0].amount = 1.0f;
    r->def.patches = (gyre_pool){r->p, 2, 4};
}

static float *sample_at(gyre_gas *gas, int field, int i, int j, int k)
{
    static gyre_field_view v;
    gy_gas_window(&gas->model, field, &v);
    return v.data + i * v.stride[0] + j * v.stride[1] + k * v.stride[2];
}

/// What leaves by the right side, in cells' faces times m/s, and the greatest speed at faces that
/// no window has.
static double through_right(gyre_gas *gas, const gyre_gas_patch *p, double *beside)
{
    const gyre_grid *g = &gas->def->grid;
    gy_solid shape = gy_solid_make(&p->shape, g->dim);
    double sum = 0.0;
    *beside = 0.0;
    for (int k = 0; k < g->n[2]; k++)
        for (int j = 0; j < g->n[1]; j++) {
            double at[3] = {1.0, (j + 0.5) * (double)g->h,
                            g->dim == 3 ? (k + 0.5) * (double)g->h : 0.0};
            double u = (double)*sample_at(gas, 0, g->n[0], j, k);
            if (gy_solid_distance(&shape, at) <= 0.0)
                sum += u;
            else
                *beside = fmax(*beside, fabs(u));
        }
    return sum;
}

static void budget_closes(gyre_gas *gas, int field, const char *what)
{
    gyre_gas_budget b = gyre_gas_get_budget(gas, field);
    double passed = fabs(b.came) + fabs(b.left) + fabs(b.edited) + fabs(b.emitted);
    double off = b.total - (b.came - b.left + b.edited + b.emitted + b.added + b.walls - b.faded);
    if (getenv("GYRE_TEST_PRINT"))
        printf("    %s: came %.6g, left %.6g, off by %.2g of what passed\n", what, b.came, b.left,
               off / passed);
    if (!(fabs(off) <= 1e-5 * passed))
        fail_msg("%s: the budget is off by %g of %g", what, off, passed);
}

// What an inlet blows in leaves by the window, and by nothing else.
static void what_comes_in_leaves_by_the_window(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int stuck = 0; stuck < 2; stuck++) {
            room r;
            furnish(&r, dim, 0.5f);
            if (stuck) {
                r.def.sides.x_high.rule = r.def.sides.y_low.rule = GYRE_GAS_SIDE_NO_SLIP;
                r.def.viscosity = 2e-3f;
            }
            gyre_gas *gas = make(&r.def);
            int n = r.def.grid.n[0], steps = SANITIZED ? 20 : dim == 3 ? 40 : 150;
            double beside, faces = 0.5 * n * (dim == 3 ? 0.5 * n : 1);
            for (int s = 0; s < steps; s++)
                must(gyre_gas_step(gas, 0.04f));
            double out = through_right(gas, &r.p[0], &beside);
            if (fabs(out / (0.5 * faces) - 1.0) > 1e-3 || beside != 0.0)
                fail_msg("%dD: %g leaves of %g, %g m/s beside the window", dim, out, 0.5 * faces,
                         beside);
            gyre_gas_stats stats = gyre_gas_get_stats(gas);
            assert_true(stats.unbalanced == 0.0f);
            assert_true(stats.max_speed < 5.0f);
            budget_closes(gas, gas->velocities, "inlet and window");
            assert_true(SANITIZED || gyre_gas_get_budget(gas, gas->velocities).left > 0.0);
            finite_everywhere(gas);
            gyre_gas_destroy(gas);
        }
}

// What is sucked out of a room comes in by the window, with nothing in it.
static void air_comes_back_in(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish(&r, dim, -0.4f);
        gyre_gas *gas = make(&r.def);
        gyre_field_view v;
        must(gyre_gas_map(gas, dim, GYRE_WRITE, &v));
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++)
                    v.data[i + j * v.stride[1] + k * v.stride[2]] = 1.0f;
        must(gyre_gas_unmap(gas, dim));
        int steps = SANITIZED ? 15 : 60;
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, 0.04f));
        gyre_gas_budget b = gyre_gas_get_budget(gas, dim);
        // An even field leaves with what is taken out, as long as the new air has not come there.
        assert_true(b.came == 0.0 && b.left > 0.05 && b.total < 0.95);
        budget_closes(gas, dim, "a window that breathes in");
        double least = 1.0, most = 0.0;
        gy_gas_window(&gas->model, dim, &v);
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    double x = (double)v.data[i + j * v.stride[1] + k * v.stride[2]];
                    least = fmin(least, x);
                    most = fmax(most, x);
                }
        assert_true(least >= -1e-3 && most <= 1.02 && least < 0.2);
        assert_true(gyre_gas_get_stats(gas).max_speed < 5.0f);
        gyre_gas_destroy(gas);
    }
}

// A window that is all of a side does as an open side; one that is shut does as the wall.
static void a_window_is_what_it_says(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int shut = 0; shut < 2; shut++) {
            room r;
            furnish(&r, dim, 0.5f);
            gyre_gas_solid ball = sphere(0.5, 0.4, 0.5, 0.12);
            r.def.solids = (gyre_pool){&ball, 1, 1};
            r.def.viscosity = 1e-3f;
            r.def.sides.x_high.rule = GYRE_GAS_SIDE_NO_SLIP;
            r.p[0].whole = true;
            r.p[0].enabled = !shut;
            if (shut)
                r.def.sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
            gyre_gas *gas = make(&r.def);
            r.p[0] = r.p[1];
            r.def.patches = (gyre_pool){r.p, 1, 4};
            if (!shut)
                r.def.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
            gyre_gas *other = make(&r.def);
            int steps = SANITIZED ? 8 : 20;
            for (int s = 0; s < steps; s++) {
                // Some so long that paths would leave through what is shut.
                float dt = shut && s % 5 == 4 ? 0.25f : 0.03f;
                must(gyre_gas_step(gas, dt));
                must(gyre_gas_step(other, dt));
            }
            for (int f = 0; f <= dim; f++) {
                double most = 0.0, apart = 0.0;
                for (int k = 0; k < r.def.grid.n[2]; k++)
                    for (int j = 0; j < r.def.grid.n[1]; j++)
                        for (int i = 0; i < r.def.grid.n[0]; i++) {
                            double x = (double)*sample_at(other, f, i, j, k);
                            most = fmax(most, fabs(x));
                            apart = fmax(apart, fabs(x - (double)*sample_at(gas, f, i, j, k)));
                        }
                if (getenv("GYRE_TEST_PRINT"))
                    printf("    %dD, %s: field %d of %.3g apart by %.2g\n", dim,
                           shut ? "shut" : "open", f, most, apart);
                assert_true(apart < 0.004 * fmax(most, 0.5));
            }
            gyre_gas_destroy(gas);
            gyre_gas_destroy(other);
        }
}

// Two windows on two sides of a room with a heater: air comes in by the lower one and leaves by the
// upper one; left alone the room comes to rest.
static void a_draught(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        float z = dim == 3 ? 0.5f : 0.0f;
        furnish(&r, dim, 0.0f);
        r.p[0] = box_on(0, GYRE_GAS_PATCH_OPEN, 0.0f, 0.15f, z, 0.2f);
        r.p[1] = box_on(3, GYRE_GAS_PATCH_OPEN, 0.7f, 1.0f, z, 0.25f);
        r.def.gravity[1] = -9.81f;
        gyre_gas_emitter heat = gyre_gas_default_emitter();
        heat.shape = gyre_sphere((const float[3]){0.4f, 0.3f, z}, 0.12f);
        heat.temperature = 60.0f;
        r.def.emitters = (gyre_pool){&heat, 1, 1};
        gyre_gas *gas = make(&r.def);
        int steps = SANITIZED ? 20 : dim == 3 ? 60 : 150, n = r.def.grid.n[0];
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, 0.03f));
        double in = 0.0, out = 0.0;
        for (int k = 0; k < r.def.grid.n[2]; k++)
            for (int i = 0; i < n; i++) {
                in += (double)*sample_at(gas, 0, 0, i, k);
                out += (double)*sample_at(gas, 1, i, n, k);
            }
        assert_true(in > 0.0 && fabs(out - in) < 1e-3 * in);
        budget_closes(gas, dim + 1, "a draught");
        assert_true(gyre_gas_get_stats(gas).gained == 0);
        // Without the heater nothing makes energy.
        must(gyre_gas_set(gas, "emitters.0.enabled", gyre_bool(false)));
        must(gyre_gas_set(gas, "gravity", gyre_vector(3, (float[]){0, 0, 0})));
        must(gyre_gas_step(gas, 0.03f));
        double energy = gyre_gas_get_stats(gas).kinetic_energy;
        for (int s = 0; s < steps; s++)
            must(gyre_gas_step(gas, 0.03f));
        assert_true(gyre_gas_get_stats(gas).kinetic_energy < energy);
        assert_true(gyre_gas_get_stats(gas).gained == 0);
        gyre_gas_destroy(gas);
    }
}

// A window behind a solid that shuts it, and one that a key shuts and opens: nothing passes, and
// what an inlet blows in is told.
static void a_window_may_be_shut(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish(&r, dim, 0.5f);
        gyre_gas_solid lid = gyre_gas_default_solid();
        lid.shape = gyre_box((const float[3]){1.0f, 0.75f, dim == 3 ? 0.5f : 0.0f},
                             (const float[3]){0.2f, 0.4f, 0.4f});
        r.def.solids = (gyre_pool){&lid, 1, 1};
        r.def.tracers = (gyre_gas_tracers){.capacity = 200, .start = 200};
        gyre_gas *gas = make(&r.def);
        double beside;
        for (int s = 0; s < 4; s++)
            must(gyre_gas_step(gas, 0.03f));
        assert_true(through_right(gas, &r.p[0], &beside) == 0.0 && beside == 0.0);
        assert_true(gyre_gas_get_stats(gas).unbalanced > 0.05f);
        must(gyre_gas_set(gas, "solids.0.enabled", gyre_bool(false)));
        for (int s = 0; s < 3; s++)
            must(gyre_gas_step(gas, 0.03f));
        assert_true(through_right(gas, &r.p[0], &beside) > 1.0 && beside == 0.0);
        assert_true(gyre_gas_get_stats(gas).unbalanced == 0.0f);
        must(gyre_gas_set(gas, "patches.0.enabled", gyre_bool(false)));
        for (int s = 0; s < 3; s++)
            must(gyre_gas_step(gas, 0.03f));
        assert_true(through_right(gas, &r.p[0], &beside) == 0.0 && beside == 0.0);
        assert_true(gyre_gas_get_stats(gas).unbalanced > 0.05f);
        // However far a step goes, nothing goes through what is shut.
        int64_t tracers = gyre_gas_get_stats(gas).tracers;
        must(gyre_gas_step(gas, 2.0f));
        assert_true(tracers > 100 && gyre_gas_get_stats(gas).tracers == tracers);
        must(gyre_gas_set(gas, "patches.0.enabled", gyre_bool(true)));
        for (int s = 0; s < 3; s++)
            must(gyre_gas_step(gas, 0.03f));
        assert_true(through_right(gas, &r.p[0], &beside) > 1.0 && beside == 0.0);
        budget_closes(gas, dim, "shut and open");
        gyre_gas_destroy(gas);
    }
}

/// A room with windows beside inlets on the same side, an inflow side with one, and a ball.
static void furnish_all(room *r, int dim)
{
    float z = dim == 3 ? 0.5f : 0.0f;
    furnish(r, dim, 0.5f);
    r->def.viscosity = 1e-3f;
    r->def.density.diffusivity = 1e-3f;
    r->def.gravity[1] = -9.81f;
    r->def.sides.x_high.rule = r->def.sides.y_low.rule = GYRE_GAS_SIDE_NO_SLIP;
    r->p[2] = box_on(0, GYRE_GAS_PATCH_OPEN, 0.0f, 0.8f, z, 0.2f);
    r->p[3] = box_on(1, GYRE_GAS_PATCH_INFLOW, 1.0f, 0.3f, z, 0.3f);
    r->p[3].velocity[0] = -0.3f;
    r->ball = sphere(0.6, 0.5, 0.5, 0.15);
    r->def.solids = (gyre_pool){&r->ball, 1, 1};
    r->def.patches = (gyre_pool){r->p, 4, 4};
    r->def.tracers = (gyre_gas_tracers){.capacity = 64, .start = 64};
}

/// The same with the axes exchanged that x and another one are, and a ball that has a part of the
/// window beside the inlet.
static void turn(room *r, int axis)
{
    const gyre_gas_side rule = (&r->def.sides.x_low)[1];
    r->def.sides.x_high.rule = GYRE_GAS_SIDE_SLIP;
    (&r->def.sides.x_low)[2 * axis + 1] = rule;
    for (int q = 0; q < 4; q++) {
        gyre_gas_patch *p = &r->p[q];
        float *c = p->shape.as.box.centre, x = c[0], u = p->velocity[0];
        c[0] = c[axis];
        p->velocity[0] = 0.0f;
        c[axis] = x;
        p->velocity[axis] = u;
        p->side += 2 * axis;
    }
    float at[3] = {0.3f, 0.4f, 0.5f};
    const float *window = r->p[2].shape.as.box.centre;
    for (int a = 0; a < r->def.grid.dim; a++)
        at[a] = window[a] + (a == (axis == 0) ? 0.07f : 0.0f);
    r->ball = sphere((double)at[0], (double)at[1], (double)at[2], 0.07);
}

static void live(gyre_gas *gas, int from, int to)
{
    for (int s = from; s < to; s++) {
        must(gyre_gas_set(gas, "patches.2.enabled", gyre_bool(s % 3 != 1)));
        must(gyre_gas_set(gas, "patches.1.carries.density", gyre_number(1.0 + 0.1 * s)));
        must(gyre_gas_step(gas, s % 4 == 3 ? 0.06f : 0.02f));
    }
}

// Inlets and windows on the same sides: budgets, the same bits anywhere, and states that go on.
static void any_machine_gives_the_same_bits(void **state)
{
    (void)state;
    const int threads[] = {1, 2, 8};
    for (int dim = 2; dim <= (SANITIZED ? 2 : 3); dim++) {
        uint64_t first = 0;
        for (int q = 0; q < 3 || gyre_isa_name(q - 3); q++) {
            gyre_device_def device = gyre_default_device_def();
            device.threads = q < 3 ? threads[q] : 1;
            device.isa = q < 3 ? NULL : gyre_isa_name(q - 3);
            gyre_device *own = NULL;
            if (gyre_device_create(&device, &own) != GYRE_OK)
                continue;
            room r;
            furnish_all(&r, dim);
            gyre_gas *gas = NULL;
            must(gyre_gas_create(own, &r.def, &gas));
            live(gas, 0, 7);
            if (q == 0) {
                budget_closes(gas, dim, "inlets and windows on a side");
                assert_true(gyre_gas_get_stats(gas).residual < 1e-4f);
            }
            uint64_t hash = gyre_gas_hash(gas);
            first = q == 0 ? hash : first;
            if (hash != first)
                fail_msg("%dD, device %d: the hash is 0x%016llx, not 0x%016llx", dim, q,
                         (unsigned long long)hash, (unsigned long long)first);
            gyre_gas_destroy(gas);
            gyre_device_destroy(own);
        }
    }
}

// The flow is free of divergence in every cell, at the rims of windows and inlets, too, also when
// one is shut.
static void no_cell_wins_volume(void **state)
{
    (void)state;
    for (int c = 0; c < 7; c++) {
        room r;
        int dim = c < 3 ? 2 : 3;
        furnish_all(&r, dim);
        if (c != 0 && c != 3)
            turn(&r, c < 3 ? c - 1 : c - 4);
        r.def.viscosity = 0.0f;
        gyre_gas *gas = make(&r.def);
        for (int s = 0; s < 6; s++) {
            if (s == 3)
                must(gyre_gas_set(gas, "patches.2.enabled", gyre_bool(false)));
            must(gyre_gas_step(gas, 0.02f));
            double off = (double)gyre_gas_get_stats(gas).div_max_after;
            if (getenv("GYRE_TEST_PRINT"))
                printf("    %dD, case %d, step %d: divergence %.3g\n", dim, c, s, off);
            assert_true(off < 5e-3);
        }
        gyre_gas_destroy(gas);
    }
}

static void a_state_goes_on(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish_all(&r, dim);
        gyre_gas *gas = make(&r.def), *other = make(&r.def);
        live(gas, 0, 5); // the second window is shut
        size_t size = gyre_gas_save_size(gas), written;
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, &written));
        must(gyre_gas_load(other, bytes, written));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        must(gyre_gas_step(gas, 0.03f));
        must(gyre_gas_step(other, 0.03f));
        live(gas, 5, 8);
        live(other, 5, 8);
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        finite_everywhere(gas);
        free(bytes);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
    }
}

static void refused(const gyre_gas_def *def, const char *part)
{
    gyre_gas *gas = NULL;
    assert_int_not_equal(gyre_gas_create(the_device, def, &gas), GYRE_OK);
    if (!strstr(gyre_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", gyre_message(), part);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    room r;
    furnish(&r, 2, 0.5f);
    r.p[0].holds[0] = (gyre_amount){.name = "temperature", .amount = 3};
    refused(&r.def, "patches.0.holds: gas passes the patch");
    furnish(&r, 2, 0.5f);
    r.p[0].gives[0] = (gyre_amount){.name = "temperature", .amount = 3};
    refused(&r.def, "patches.0.gives: gas passes the patch");
    furnish(&r, 2, 0.5f);
    r.p[0].carries[0] = (gyre_amount){.name = "density", .amount = 3};
    refused(&r.def, "patches.0.carries.density: what comes in by an open patch");
    furnish(&r, 2, 0.5f);
    r.def.pressure.solver = GYRE_SOLVER_FFT;
    refused(&r.def, "pressure.solver: \"fft\" takes boxes only");
    furnish(&r, 2, 0.5f);
    r.def.pressure.solver = GYRE_SOLVER_MULTIGRID;
    refused(&r.def, "pressure.solver: \"multigrid\" by itself diverges where a patch is open");
    // A side gets its first window when the gas is made; nothing is lost by asking later.
    furnish(&r, 2, 0.5f);
    gyre_gas *gas = make(&r.def);
    live(gas, 0, 0);
    must(gyre_gas_step(gas, 0.02f));
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas_patch late = box_on(2, GYRE_GAS_PATCH_OPEN, 0.5f, 0.0f, 0.0f, 0.2f);
    assert_true(gyre_gas_add_patch(gas, &late) == 0);
    assert_non_null(strstr(gyre_message(), "y_low had no open patch when the gas was made"));
    assert_int_equal(gyre_gas_set(gas, "patches.1.rule", gyre_string("open")), GYRE_ERROR_ARGUMENT);
    must(gyre_gas_set(gas, "patches.0.rule", gyre_string("as_side")));
    must(gyre_gas_set(gas, "patches.0.rule", gyre_string("open")));
    assert_true(gyre_gas_hash(gas) == hash);
    // On its own side one more may come.
    late.side = 1;
    late.shape = gyre_box((const float[3]){1.0f, 0.2f, 0.0f}, (const float[3]){0.2f, 0.2f, 0.2f});
    assert_true(gyre_gas_add_patch(gas, &late) != 0);
    must(gyre_gas_step(gas, 0.02f));
    double beside;
    assert_true(through_right(gas, &late, &beside) > 0.1);
    gyre_gas_destroy(gas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_in_leaves_by_the_window),
        cmocka_unit_test(air_comes_back_in),
        cmocka_unit_test(a_window_is_what_it_says),
        cmocka_unit_test(a_draught),
        cmocka_unit_test(a_window_may_be_shut),
        cmocka_unit_test(any_machine_gives_the_same_bits),
        cmocka_unit_test(no_cell_wins_volume),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(bad_input_is_told),
    };
#if defined(GYRE_STAND_IN_CMOCKA_H) || !defined(NDEBUG)
    // Under an emulator, and unoptimised: the bits alone.
    const struct CMUnitTest bits[] = {cmocka_unit_test(any_machine_gives_the_same_bits)};
    if (!getenv("GYRE_TEST_ALL")) {
        return cmocka_run_group_tests(bits, open_device, close_device);
    }
#endif
    return cmocka_run_group_tests(tests, open_device, close_device);
}
