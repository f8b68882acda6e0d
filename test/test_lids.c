// labels: small golden
// Lids: patches of open sides that are walls. An open side with a lid is a wall with a window of
// the other faces, to the bit; budgets, keys, states, and what is refused.
#include "test/gas_rig.h"
#include "test/sanitized.h"

#include <stdio.h>

/// A room 1 wide. Its right side is open above (x, y in 2D; all of z) and shut below; so is the top
/// to the left of its middle.
typedef struct room {
    gyre_gas_def def;
    gyre_gas_patch p[4];
    gyre_gas_solid ball;
} room;

enum { AS_WINDOWS, AS_LIDS };

/// A patch of a side: what is below (to the left of) 0.5, or what is not.
static gyre_gas_patch half_of(int side, int rule, bool low, int dim)
{
    gyre_gas_patch p = gyre_gas_default_patch();
    int axis = side / 2, along = axis == 0 ? 1 : 0;
    float at[3] = {0.5f, 0.5f, dim == 3 ? 0.5f : 0.0f}, size[3] = {2.0f, 2.0f, 2.0f};
    at[axis] = (side & 1) ? 1.0f : 0.0f;
    at[along] = low ? 0.2f : 0.8f;
    size[axis] = 0.2f;
    size[along] = 0.6f;
    p.side = side;
    p.rule = rule;
    p.shape = gyre_box(at, size);
    return p;
}

static void furnish(room *r, int dim, int as, bool sticks)
{
    int n = dim == 3 ? 12 : 28;
    memset(r, 0, sizeof *r);
    r->def = still_def(dim, n, n, dim == 3 ? n - 2 : 1, 1.0f / (float)n, GYRE_GAS_SIDE_SLIP);
    r->def.pressure.tolerance = 1e-5f;
    r->def.pressure.max_cycles = 40;
    r->def.viscosity = 2e-3f;
    r->def.density.diffusivity = r->def.temperature.diffusivity = 1e-3f;
    r->def.gravity[1] = -9.81f;
    int wall = sticks ? GYRE_GAS_SIDE_NO_SLIP : GYRE_GAS_SIDE_SLIP;
    int lid = sticks ? GYRE_GAS_PATCH_NO_SLIP : GYRE_GAS_PATCH_SLIP;
    bool lids = as == AS_LIDS;
    r->def.sides.x_high.rule = r->def.sides.y_high.rule = lids ? GYRE_GAS_SIDE_OPEN : wall;
    for (int q = 0; q < 2; q++) {
        gyre_gas_patch *p = &r->p[q];
        *p = half_of(1 + 2 * q, lids ? lid : GYRE_GAS_PATCH_OPEN, lids, dim);
        // What is shut holds or gives: of a wall it is the wall, and of the open part nothing's.
        gyre_gas_side *side = &r->def.sides.x_low + p->side;
        gyre_amount *does = q ? (lids ? p->gives : side->gives) : lids ? p->holds : side->holds;
        snprintf(does->name, sizeof does->name, "temperature");
        does->amount = q ? 0.5f : 10.0f;
    }
    r->p[2] = half_of(0, GYRE_GAS_PATCH_INFLOW, true, dim);
    r->p[2].velocity[0] = 0.5f;
    snprintf(r->p[2].carries[0].name, sizeof r->p[2].carries[0].name, "density");
    r->p[2].carries[0].amount = 1.0f;
    // One that blows out of a part of what is shut.
    r->p[3] = half_of(1, GYRE_GAS_PATCH_INFLOW, true, dim);
    r->p[3].shape.as.box.centre[1] = 0.3f;
    r->p[3].shape.as.box.size[1] = 0.2f;
    r->p[3].velocity[0] = -0.3f;
    r->ball = sphere(0.55, 0.45, 0.4, 0.13);
    r->def.solids = (gyre_pool){&r->ball, 1, 1};
    r->def.patches = (gyre_pool){r->p, 4, 4};
    r->def.tracers = (gyre_gas_tracers){.capacity = 64, .start = 64};
}

static float at_face(gyre_gas *gas, int field, int i, int j, int k)
{
    gyre_field_view v;
    gy_gas_window(&gas->model, field, &v);
    return v.data[i * v.stride[0] + j * v.stride[1] + k * v.stride[2]];
}

/// Runs over all fields: how many samples of two gases differ in a bit.
static int64_t differing(gyre_gas *one, gyre_gas *other)
{
    int64_t differ = 0;
    for (int f = 0; f < one->velocities + one->scalars; f++) {
        gyre_field_view v, w;
        gy_gas_window(&one->model, f, &v);
        gy_gas_window(&other->model, f, &w);
        for (int k = 0; k < v.n[2]; k++)
            for (int j = 0; j < v.n[1]; j++)
                for (int i = 0; i < v.n[0]; i++) {
                    ptrdiff_t o = i * v.stride[0] + j * v.stride[1] + k * v.stride[2];
                    differ += memcmp(v.data + o, w.data + o, sizeof(float)) != 0;
                }
    }
    return differ;
}

static void budget_closes(gyre_gas *gas, int field, const char *what)
{
    gyre_gas_budget b = gyre_gas_get_budget(gas, field);
    double passed = fabs(b.came) + fabs(b.left) + fabs(b.edited) + fabs(b.walls);
    double off = b.total - (b.came - b.left + b.edited + b.emitted + b.added + b.walls - b.faded);
    if (getenv("GYRE_TEST_PRINT"))
        printf("    %s: came %.6g, left %.6g, walls %.6g, off by %.2g of what passed\n", what,
               b.came, b.left, b.walls, off / passed);
    assert_true(passed > 0.0);
    if (!(fabs(off) <= 1e-5 * passed))
        fail_msg("%s: the budget is off by %g of %g", what, off, passed);
}

// A wall with a window and an open side with a lid: the same bits, whatever they hold, give, blow.
static void a_lid_is_what_a_window_leaves(void **state)
{
    (void)state;
    for (int c = 0; c < 4; c++) {
        int dim = c < 2 ? 2 : 3;
        room r[2];
        gyre_gas *gas[2];
        for (int as = 0; as < 2; as++) {
            furnish(&r[as], dim, as, c & 1);
            gas[as] = make(&r[as].def);
        }
        int steps = SANITIZED ? 6 : dim == 3 ? 12 : 30;
        for (int s = 0; s < steps; s++)
            for (int as = 0; as < 2; as++)
                must(gyre_gas_step(gas[as], s % 5 == 4 ? 0.15f : 0.03f));
        int64_t differ = differing(gas[0], gas[1]);
        if (differ > 0)
            fail_msg("%dD, sticks %d: %lld samples differ", dim, c & 1, (long long)differ);
        int n = r[0].def.grid.n[0];
        double shut = 0.0, out = 0.0;
        for (int j = 0; j < n; j++) {
            double u = (double)at_face(gas[AS_LIDS], 0, n, j, 0), y = (j + 0.5) / n;
            if (y > 0.5)
                out += u;
            else if (y < 0.2 || y > 0.4)
                shut = fmax(shut, fabs(u));
            else
                assert_true(fabs(u + 0.3) < 1e-6);
        }
        assert_true(shut == 0.0 && out > 0.01 * n);
        for (int f = dim; f <= dim + 1; f++)
            budget_closes(gas[AS_LIDS], f, c & 1 ? "sticks" : "slips");
        assert_true(gyre_gas_get_budget(gas[AS_LIDS], dim + 1).walls > 0.0);
        for (int as = 0; as < 2; as++)
            gyre_gas_destroy(gas[as]);
    }
}

// A lid that sticks slows what goes along it, one that slips does not.
static void a_lid_sticks_or_slips(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double kept[2];
        for (int sticks = 0; sticks < 2; sticks++) {
            room r;
            furnish(&r, dim, AS_LIDS, sticks);
            r.def.sides.x_high.rule = GYRE_GAS_SIDE_SLIP;
            r.def.sides.x_low.rule = r.def.sides.x_high.rule = GYRE_GAS_SIDE_PERIODIC;
            r.p[0] = r.p[1];
            r.p[0].whole = true;
            memset(r.p[0].gives, 0, sizeof r.p[0].gives);
            r.def.patches.count = 1;
            r.def.solids = (gyre_pool){0};
            r.def.gravity[1] = 0.0f;
            r.def.viscosity = 1e-2f;
            gyre_gas *gas = make(&r.def);
            gyre_field_view v;
            must(gyre_gas_map(gas, 0, GYRE_WRITE, &v));
            for (int k = 0; k < v.n[2]; k++)
                for (int j = 0; j < v.n[1]; j++)
                    for (int i = 0; i < v.n[0]; i++)
                        v.data[i * v.stride[0] + j * v.stride[1] + k * v.stride[2]] = 1.0f;
            must(gyre_gas_unmap(gas, 0));
            for (int s = 0; s < 10; s++)
                must(gyre_gas_step(gas, 0.05f));
            int n = r.def.grid.n[1];
            double h = 1.0 / n, t = 0.5;
            kept[sticks] = (double)at_face(gas, 0, 3, n - 1, 0);
            // Stokes' first problem: u = erf(y / sqrt(4 nu t)), a cell's middle away.
            double law = sticks ? erf(0.5 * h / sqrt(4.0 * 1e-2 * t)) : 1.0;
            if (getenv("GYRE_TEST_PRINT"))
                printf("    %dD, sticks %d: %.4f, by law %.4f\n", dim, sticks, kept[sticks], law);
            assert_true(fabs(kept[sticks] - law) < (dim == 3 ? 0.06 : 0.01));
            gyre_gas_destroy(gas);
        }
    }
}

static void live(gyre_gas *gas, int from, int to)
{
    for (int s = from; s < to; s++) {
        must(gyre_gas_set(gas, "patches.0.enabled", gyre_bool(s % 3 != 1)));
        must(gyre_gas_set(gas, "patches.1.gives.temperature", gyre_number(0.1 * s)));
        must(gyre_gas_set(gas, "patches.0.shape.box.centre",
                          gyre_vector(3, (float[]){1.0f, 0.02f * (float)s, 0.0f})));
        must(gyre_gas_step(gas, s % 4 == 3 ? 0.06f : 0.02f));
    }
}

// Lids that are opened, shut and moved: the same bits anywhere, states that go on, budgets.
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
            furnish(&r, dim, AS_LIDS, true);
            gyre_gas *gas = NULL;
            must(gyre_gas_create(own, &r.def, &gas));
            live(gas, 0, 7);
            if (q == 0) {
                budget_closes(gas, dim, "lids that move");
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

static void a_state_goes_on(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish(&r, dim, AS_LIDS, false);
        gyre_gas *gas = make(&r.def), *other = make(&r.def);
        live(gas, 0, 5); // the lid is off
        size_t size = gyre_gas_save_size(gas), written;
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, &written));
        must(gyre_gas_load(other, bytes, written));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        live(gas, 5, 8);
        live(other, 5, 8);
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        finite_everywhere(gas);
        free(bytes);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
    }
}

// A lid that is off, and one that is all of a side: an open side, and a closed box; free of
// divergence, too.
static void a_lid_is_off_or_on(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        room r;
        furnish(&r, 2, AS_LIDS, !on);
        r.def.sides.y_high.rule = GYRE_GAS_SIDE_SLIP;
        r.def.viscosity = 0.0f;
        r.p[0].whole = true;
        r.p[0].enabled = on;
        memset(r.p[0].holds, 0, sizeof r.p[0].holds);
        r.p[1] = r.p[2];
        r.def.patches.count = 2;
        gyre_gas *gas = make(&r.def);
        if (on)
            r.def.sides.x_high.rule = GYRE_GAS_SIDE_SLIP;
        r.p[0] = r.p[1];
        r.def.patches = (gyre_pool){r.p, 1, 4};
        gyre_gas *other = make(&r.def);
        for (int s = 0; s < 20; s++) {
            must(gyre_gas_step(gas, 0.03f));
            must(gyre_gas_step(other, 0.03f));
            assert_true(gyre_gas_get_stats(gas).div_max_after < 5e-3f);
        }
        double apart = 0.0;
        for (int f = 0; f < 2; f++)
            for (int j = 0; j < 28; j++)
                for (int i = 0; i < 28; i++)
                    apart = fmax(apart, fabs((double)at_face(gas, f, i, j, 0) -
                                             (double)at_face(other, f, i, j, 0)));
        if (getenv("GYRE_TEST_PRINT"))
            printf("    lid %s: apart by %.2g m/s\n", on ? "on" : "off", apart);
        assert_true(apart < 0.002);
        assert_true((gyre_gas_get_stats(gas).unbalanced > 0.05f) == on);
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
    furnish(&r, 2, AS_LIDS, false);
    r.def.sides.x_high.rule = GYRE_GAS_SIDE_SLIP;
    refused(&r.def, "patches.0.rule: x_high is a wall, only of open sides and inflows");
    furnish(&r, 2, AS_LIDS, false);
    r.def.sides.x_high.rule = GYRE_GAS_SIDE_INFLOW;
    refused(&r.def, "patches.0.rule: x_high is an inflow, what is shut of one is \"no_slip\"");
    furnish(&r, 2, AS_LIDS, false);
    r.def.sides.y_high.rule = r.def.sides.y_low.rule = GYRE_GAS_SIDE_PERIODIC;
    refused(&r.def, "patches.1.side: y_high is periodic");
    furnish(&r, 2, AS_LIDS, false);
    r.p[1].side = 1;
    r.p[1].whole = true;
    r.p[1].rule = GYRE_GAS_PATCH_NO_SLIP;
    refused(&r.def, "patches.1.rule: what patches shut of x_high is all \"slip\" or all");
    furnish(&r, 2, AS_LIDS, false);
    r.p[0].carries[0] = (gyre_amount){.name = "density", .amount = 1};
    refused(&r.def, "patches.0.carries.density: nothing passes the patch");
    furnish(&r, 2, AS_LIDS, false);
    r.p[0].rule = GYRE_GAS_PATCH_AS_SIDE;
    refused(&r.def, "patches.0.holds: x_high is open");
    furnish(&r, 2, AS_LIDS, false);
    r.def.pressure.solver = GYRE_SOLVER_MULTIGRID;
    refused(&r.def, "pressure.solver: \"multigrid\" by itself diverges where a patch is open");
    furnish(&r, 2, AS_LIDS, false);
    r.def.advection = GYRE_GAS_MACCORMACK;
    refused(&r.def, "advection: inflows, patches of sides");
    // An open side gets its first patch when the gas is made; nothing is lost by asking later.
    furnish(&r, 2, AS_LIDS, false);
    r.def.sides.y_low.rule = GYRE_GAS_SIDE_OPEN;
    r.def.patches.count = 3;
    gyre_gas *gas = make(&r.def);
    must(gyre_gas_step(gas, 0.02f));
    uint64_t hash = gyre_gas_hash(gas);
    gyre_gas_patch late = half_of(2, GYRE_GAS_PATCH_SLIP, true, 2);
    assert_true(gyre_gas_add_patch(gas, &late) == 0);
    assert_non_null(strstr(gyre_message(), "y_low had no patch when the gas was made"));
    assert_true(gyre_gas_hash(gas) == hash);
    // On a side that has one another may come, and be taken away.
    late = half_of(1, GYRE_GAS_PATCH_SLIP, false, 2);
    gyre_id id = gyre_gas_add_patch(gas, &late);
    assert_true(id != 0);
    must(gyre_gas_step(gas, 0.02f));
    must(gyre_gas_remove(gas, id));
    must(gyre_gas_step(gas, 0.02f));
    gyre_gas_destroy(gas);
}

// A part of an inflow that is shut: nothing passes there, and the rest blows.
static void an_inflow_may_be_shut_in_part(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        room r;
        furnish(&r, dim, AS_LIDS, true);
        r.def.sides.x_low = (gyre_gas_side){.rule = GYRE_GAS_SIDE_INFLOW, .velocity = {0.4f, 0, 0}};
        r.p[2] = half_of(0, GYRE_GAS_PATCH_NO_SLIP, false, dim);
        snprintf(r.p[2].holds[0].name, sizeof r.p[2].holds[0].name, "temperature");
        r.p[2].holds[0].amount = 5.0f;
        gyre_gas *gas = make(&r.def);
        for (int s = 0; s < 6; s++)
            must(gyre_gas_step(gas, 0.03f));
        int n = r.def.grid.n[1];
        for (int j = 0; j < n; j++) {
            float u = at_face(gas, 0, 0, j, 1 % r.def.grid.n[2]);
            assert_true(2 * j >= n ? u == 0.0f : u == 0.4f);
        }
        budget_closes(gas, dim + 1, "an inflow shut in part");
        gyre_gas_destroy(gas);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lid_is_what_a_window_leaves),
        cmocka_unit_test(a_lid_sticks_or_slips),
        cmocka_unit_test(any_machine_gives_the_same_bits),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(a_lid_is_off_or_on),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(an_inflow_may_be_shut_in_part),
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
