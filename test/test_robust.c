// test/test_robust.c: a gas under absurd steps, forces and amounts, in degenerate places, on the
// null device and in want of memory.
// labels: small
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "gas_rig.h"

// ---- steps, forces and amounts

static void any_dt_leaves_every_field_finite(void **state)
{
    (void)state;
    const float dts[6] = {0.0f, 1e-40f, 1e-30f, 1.0f, 1e10f, FLT_MAX};
    for (int c = 0; c < GAS_CASES - 2; c++) {
        for (int d = 0; d < 6; d++) {
            gyre_gas *gas = gas_case_make(&gas_cases[c], the_device);
            assert_non_null(gas);
            must(gyre_gas_step(gas, gas_cases[c].dt));
            for (int s = 0; s < 3; s++) {
                must(gyre_gas_step(gas, dts[d]));
            }
            finite_everywhere(gas);
            must(gyre_gas_step(gas, 0.01f));
            finite_everywhere(gas);
            gyre_gas_destroy(gas);
        }
    }
}

static void a_dt_that_is_no_time_is_refused(void **state)
{
    (void)state;
    const float dts[4] = {NAN, INFINITY, -INFINITY, -1e-3f};
    gyre_gas *gas = gas_case_make(&gas_cases[0], the_device);
    must(gyre_gas_step(gas, 0.05f));
    uint64_t hash = gyre_gas_hash(gas);
    for (int d = 0; d < 4; d++) {
        assert_int_equal(gyre_gas_step(gas, dts[d]), GYRE_ERROR_ARGUMENT);
        says("dt");
        assert_true(gyre_gas_hash(gas) == hash);
    }
    gyre_gas_destroy(gas);
}

// All knobs at the ends of their ranges, all fields filled by FLT_MAX.
static void extreme(int dim, float sign, int sides, float dt)
{
    gyre_gas_def def = small(dim);
    gyre_gas_side *side = &def.sides.x_low;
    for (int s = 0; s < 6; s++) {
        side[s] = (gyre_gas_side){.rule = sides, .velocity = {1e4f, -1e4f, 1e4f}};
    }
    for (int a = 0; a < 3; a++) {
        def.gravity[a] = sign * 1e4f;
    }
    def.thermal_expansion = 10.0f;
    def.density_weight = sign * 1e3f;
    def.speed_cap = 1e6f;
    def.viscosity = dt > 1.0f ? 1e6f : 1e-9f;
    def.density.diffusivity = dt > 1.0f ? 1e6f : 1e-9f;
    def.temperature.diffusivity = 1e-6f;
    for (int m = 0; m < 2; m++) {
        gyre_gas_emitter *e = gas_case_emitter(&def);
        e->mode = m;
        e->shape = gas_sphere(m ? 1e6f : 0.5f, m ? 0.0f : 0.3f, 0.2f, m ? 1e6f : 0.2f);
        e->density = e->temperature = sign * 1e6f;
        e->push = true;
        e->noise = 1.0f;
        e->velocity[0] = e->velocity[1] = e->velocity[2] = -sign * 1e4f;
    }
    gas_case_solid(&def)->shape = gas_sphere(0.8f, 0.3f, 0.3f, 0.15f);
    gyre_gas *gas = make(&def);
    static float rate[19 * 14 * 10];
    for (int i = 0; i < 19 * 14 * 10; i++) {
        rate[i] = i % 7 == 0 ? NAN : i % 7 == 1 ? INFINITY : i % 7 == 2 ? -INFINITY : FLT_MAX;
    }
    const float centre[3] = {0.4f, 0.4f, 0.3f}, far[3] = {FLT_MAX, -FLT_MAX, FLT_MAX};
    for (int f = 0; f < dim + 2; f++) {
        must(gyre_gas_set_source(gas, f, f % 2 ? rate : NULL));
        must(gyre_gas_splat(gas, f, centre, 0.3f, sign * FLT_MAX));
        must(gyre_gas_splat(gas, f, centre, FLT_MAX, FLT_MAX));
        must(gyre_gas_splat(gas, f, centre, 1e-40f, FLT_MAX));
        must(gyre_gas_splat(gas, f, far, FLT_MAX, -FLT_MAX));
    }
    int64_t capped = 0;
    for (int s = 0; s < 20; s++) {
        must(gyre_gas_step(gas, dt));
        capped += gyre_gas_get_stats(gas).capped;
    }
    finite_everywhere(gas);
    gyre_gas_stats stats = gyre_gas_get_stats(gas);
    assert_true(stats.max_speed <= 1e6f);
    assert_true(dt < 1e-6f || capped > 0);
    gyre_gas_destroy(gas);
}

static void huge_forces_and_amounts_leave_every_field_finite(void **state)
{
    (void)state;
    const float dts[3] = {1e-7f, 0.1f, 1e10f};
    for (int d = 0; d < 3; d++) {
        for (int sides = 0; sides < 4; sides++) {
            extreme(2, 1.0f, sides, dts[d]);
            extreme(3, sides % 2 ? 1.0f : -1.0f, sides, dts[d]);
        }
    }
}

static void speeds_are_cut_to_the_cap_and_counted(void **state)
{
    (void)state;
    gyre_gas_def def = small(2);
    def.speed_cap = 2.0f;
    gyre_gas_emitter *e = gas_case_emitter(&def);
    e->push = true;
    e->velocity[0] = 50.0f;
    gyre_gas *gas = make(&def);
    const float centre[3] = {0.5f, 0.3f, 0};
    must(gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), centre, 0.3f, 1e5f));
    must(gyre_gas_step(gas, 0.1f));
    gyre_gas_stats s = gyre_gas_get_stats(gas);
    assert_true(s.capped > 0);
    assert_true(s.max_speed <= 2.0f && s.max_speed > 0.5f);
    // A lower cap holds at once.
    must(gyre_gas_set(gas, "speed_cap", gyre_number(0.25)));
    assert_true(gyre_gas_get_stats(gas).max_speed <= 0.25f);
    gyre_gas_destroy(gas);
}

static void bad_sources_and_points_are_refused(void **state)
{
    (void)state;
    gyre_gas *gas = gas_case_make(&gas_cases[0], the_device);
    int count;
    gyre_gas_fields(gas, &count);
    uint64_t hash = gyre_gas_hash(gas);
    const float good[3] = {0.5f, 0.5f, 0.5f}, bad[3] = {0.5f, NAN, 0.5f};
    float value;
    assert_int_equal(gyre_gas_splat(gas, 3, bad, 0.1f, 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_splat(gas, 3, good, NAN, 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_splat(gas, 3, good, 0.0f, 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_splat(gas, 3, good, 0.1f, INFINITY), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_splat(gas, -1, good, 0.1f, 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_splat(gas, count, good, 0.1f, 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_splat(gas, count - 1, good, 0.1f, 1), GYRE_ERROR_ARGUMENT);
    says("derived");
    assert_int_equal(gyre_gas_set_source(gas, count - 1, &value), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_probe(gas, 3, bad, 1, &value), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_probe(gas, count - 1, good, 1, &value), GYRE_ERROR_STATE);
    assert_true(gyre_gas_hash(gas) == hash);
    gyre_gas_destroy(gas);
}

// ---- degenerate places

static void grids_of_one_cells_thickness_run(void **state)
{
    (void)state;
    const int n[9][4] = {{2, 1, 9, 1}, {2, 9, 1, 1}, {2, 1, 1, 1}, {3, 7, 6, 1},  {3, 1, 1, 8},
                         {3, 1, 6, 5}, {3, 1, 1, 1}, {2, 2, 1, 1}, {2, 130, 1, 1}};
    for (int c = 0; c < 9 * 4; c++) {
        const int *m = n[c / 4];
        gyre_gas_def def = gyre_gas_default_def(m[0]);
        gas_case_size(&def, m[1], m[2], m[3], 0.1f * (float)m[1]);
        gyre_gas_side *side = &def.sides.x_low;
        for (int s = 0; s < 6; s++) {
            side[s].rule = c % 4;
        }
        def.viscosity = def.density.diffusivity = 1e-3f;
        gyre_gas_emitter *e = gas_case_emitter(&def);
        e->shape = gas_sphere(0.05f, 0.05f, 0.05f, 0.1f);
        e->density = e->temperature = 10.0f;
        e->push = true;
        e->velocity[1] = 1.0f;
        gyre_gas *gas = make(&def);
        for (int s = 0; s < 5; s++) {
            must(gyre_gas_step(gas, 0.1f));
        }
        finite_everywhere(gas);
        gyre_gas_destroy(gas);
    }
}

static void a_flat_3d_grid_does_as_a_2d_one(void **state)
{
    (void)state;
    gyre_gas *gas[2];
    for (int i = 0; i < 2; i++) {
        gyre_gas_def def = gyre_gas_default_def(2 + i);
        gas_case_size(&def, 20, 24, 1, 1.0f);
        def.pressure.tolerance = 1e-6f;
        def.pressure.max_cycles = 30;
        gyre_gas_emitter *e = gas_case_emitter(&def);
        e->shape = gas_capsule(0.4f, 0.2f, -9.0f, 0.4f, 0.2f, 9.0f, 0.1f);
        e->density = 2.0f;
        e->temperature = 100.0f;
        gas[i] = make(&def);
        for (int s = 0; s < 10; s++) {
            must(gyre_gas_step(gas[i], 0.05f));
        }
    }
    for (int i = 0; i < 24; i++) {
        float x = 0.03f + 0.04f * (float)i, h = 0.5f / 20.0f;
        float flat = at(gas[0], "density", x, 0.3f, 0), deep = at(gas[1], "density", x, 0.3f, h);
        assert_true(fabsf(flat - deep) < 1e-3f);
    }
    assert_true(total(gas[0], "density") > 0.01);
    gyre_gas_destroy(gas[0]);
    gyre_gas_destroy(gas[1]);
}

static gyre_gas *with_solid(int dim, gyre_shape shape)
{
    gyre_gas_def def = small(dim);
    def.solids.capacity = 4;
    gas_case_solid(&def)->shape = shape;
    gyre_gas_emitter *e = gas_case_emitter(&def);
    e->shape = gas_sphere(0.5f, 0.3f, 0.25f, 5.0f);
    e->density = e->temperature = 50.0f;
    e->push = true;
    e->velocity[0] = 1.0f;
    return make(&def);
}

static void solids_that_fill_everything_leave_nothing(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas *gas = with_solid(dim, gas_sphere(0.5f, 0.3f, 0.25f, 50.0f));
        for (int s = 0; s < 5; s++) {
            must(gyre_gas_step(gas, 0.1f));
        }
        finite_everywhere(gas);
        assert_true(total(gas, "density") == 0.0);
        assert_true(at(gas, "density", 0.5f, 0.3f, 0.25f) == 0.0f);
        assert_true(gyre_gas_get_stats(gas).max_speed == 0.0f);
        const float middle[3] = {0.5f, 0.3f, 0.25f};
        must(gyre_gas_splat(gas, gyre_gas_field(gas, "density"), middle, 1.0f, 1.0f));
        assert_true(at(gas, "density", 0.5f, 0.3f, 0.25f) == 0.0f);
        gyre_gas_destroy(gas);
    }
}

static void holes_in_solids_run(void **state)
{
    (void)state;
    // Half-spaces round a hole of 1 or 2 cells a side.
    for (int run = 0; run < 4; run++) {
        int dim = 2 + run % 2, cells = 1 + run / 2;
        gyre_gas_def def = small(dim);
        float h = def.grid.h, low[3] = {4 * h, 5 * h, 3 * h}, size = (float)cells * h;
        gyre_gas_solid walls[6];
        int count = 0;
        for (int a = 0; a < dim; a++) {
            for (int side = 0; side < 2; side++) {
                gyre_gas_solid *w = &walls[count++];
                *w = gyre_gas_default_solid();
                w->shape = (gyre_shape){.kind = GYRE_SHAPE_HALF_SPACE};
                // A little inside the cell, for the rounding of both.
                w->shape.as.half_space.point[a] = low[a] + (side ? size - 0.01f * h : 0.01f * h);
                w->shape.as.half_space.normal[a] = side ? -1.0f : 1.0f;
            }
        }
        def.solids = (gyre_pool){walls, count, 0};
        gyre_gas_emitter *e = gas_case_emitter(&def);
        e->shape = gas_sphere(0.5f, 0.3f, 0.25f, 5.0f);
        e->density = 1.0f;
        e->temperature = 100.0f;
        gyre_gas *gas = make(&def);
        for (int s = 0; s < 5; s++) {
            must(gyre_gas_step(gas, 0.1f));
        }
        finite_everywhere(gas);
        // A cell whose faces are all shut counts as solid.
        double volume = pow((double)size, dim), expected = cells == 1 ? 0.0 : 0.5 * volume;
        if (fabs(total(gas, "density") - expected) > 1e-4 * volume) {
            fail_msg("%dD, %d cells: %g of smoke, expected %g", dim, cells, total(gas, "density"),
                     expected);
        }
        gyre_gas_destroy(gas);
    }
}

static void rooms_without_a_door_do_not_mix(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        gyre_gas_def def = small(dim);
        def.pressure.max_cycles = 30;
        gas_case_solid(&def)->shape = gas_box(0.5f, 0.3f, 0.25f, 0.12f, 9.0f, 9.0f, 0.0f);
        gyre_gas_emitter *e = gas_case_emitter(&def);
        e->shape = gas_sphere(0.2f, 0.2f, 0.25f, 0.15f);
        e->density = 1.0f;
        e->temperature = 300.0f;
        gyre_gas *gas = make(&def);
        for (int s = 0; s < 30; s++) {
            must(gyre_gas_step(gas, 0.05f));
        }
        finite_everywhere(gas);
        assert_true(at(gas, "density", 0.2f, 0.4f, 0.25f) > 0.05f);
        for (int i = 0; i < 20; i++) {
            float y = 0.03f * (float)i;
            assert_true(at(gas, "density", 0.62f, y, 0.25f) == 0.0f);
            assert_true(at(gas, "density", 0.9f, y, 0.25f) == 0.0f);
        }
        gyre_gas_stats s = gyre_gas_get_stats(gas);
        assert_true(s.div_rms_after < 0.01f * s.div_rms_before);
        gyre_gas_destroy(gas);
    }
}

// ---- devices and memory

static void the_null_device_runs_nothing_and_says_nothing_wrong(void **state)
{
    (void)state;
    gyre_device_def null_def = gyre_default_device_def();
    gyre_device *null_device = NULL, *kept = the_device;
    null_def.kind = GYRE_DEVICE_NULL;
    must(gyre_device_create(&null_def, &null_device));
    the_device = null_device;
    for (int c = 0; c < GAS_CASES - 2; c++) {
        gyre_gas *gas = gas_case_make(&gas_cases[c], the_device);
        assert_non_null(gas);
        uint64_t ops = gyre_device_op_count(the_device);
        for (int s = 0; s < 3; s++) {
            must(gyre_gas_step(gas, 0.05f));
        }
        assert_true(gyre_device_op_count(the_device) > ops + 30);
        finite_everywhere(gas);
        gyre_gas_stats s = gyre_gas_get_stats(gas);
        assert_int_equal(s.step, 3);
        size_t size = gyre_gas_save_size(gas);
        void *bytes = malloc(size);
        must(gyre_gas_save(gas, bytes, size, NULL));
        must(gyre_gas_load(gas, bytes, size));
        free(bytes);
        gyre_gas_destroy(gas);
    }
    gyre_device_destroy(null_device);
    the_device = kept;
}

typedef struct purse {
    int left;      // allocations that still succeed
    size_t in_use; // bytes
    size_t most;
} purse;

static void *spend(void *user, size_t size, size_t alignment)
{
    purse *p = user;
    if (p->left-- <= 0) {
        return NULL;
    }
    p->in_use += size;
    p->most = p->in_use > p->most ? p->in_use : p->most;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give(void *user, void *memory, size_t size)
{
    purse *p = user;
    p->in_use -= size;
    free(memory);
}

// Whether it failed, which must be for want of memory.
static bool poor(bool failed)
{
    assert_true(!failed || strstr(gyre_message(), "memory") || strstr(gyre_message(), "bytes"));
    return failed;
}

// One of everything that may want memory; the number of the call that failed, 0 for none.
static int live_a_life(purse *p)
{
    gyre_device_def device_def = gyre_default_device_def();
    device_def.threads = 1;
    device_def.host = (gyre_host){.allocate = spend, .release = give, .user = p};
    gyre_device *own = NULL;
    int failed = 0;
    if (poor(gyre_device_create(&device_def, &own) != GYRE_OK)) {
        return 1;
    }
    gyre_gas *gas = gas_case_make(&gas_cases[0], own);
    if (poor(!gas)) {
        gyre_device_destroy(own);
        return 2;
    }
    must(gyre_gas_step(gas, 0.05f));
    size_t size = gyre_gas_save_size(gas);
    char *bytes = malloc(size);
    must(gyre_gas_save(gas, bytes, size, NULL));
    uint64_t hash = gyre_gas_hash(gas);
    // With the same solids as before a change that failed, a step gives the same.
    gyre_gas_solid s = gyre_gas_default_solid();
    s.shape = gas_box(0.4f, 1.0f, 0.4f, 0.4f, 0.3f, 0.4f, 20.0f);
    gyre_id id = gyre_gas_add_solid(gas, &s);
    failed = poor(!id) ? 3 : 0;
    if (id &&
        poor(gyre_gas_set(gas, "solids.0.shape.sphere.radius", gyre_number(0.3)) != GYRE_OK)) {
        failed = 4;
    }
    if (id) {
        gyre_gas_remove(gas, id);
    }
    if (!failed && poor(gyre_gas_load(gas, bytes, size) != GYRE_OK)) {
        failed = 5;
    }
    if (failed && failed < 5) {
        assert_true(gyre_gas_hash(gas) == hash);
        must(gyre_gas_step(gas, 0.05f));
        finite_everywhere(gas);
        gyre_gas *twin = gas_case_make(&gas_cases[0], the_device);
        must(gyre_gas_load(twin, bytes, size));
        must(gyre_gas_step(twin, 0.05f));
        if (gyre_gas_hash(gas) != gyre_gas_hash(twin)) {
            fail_msg("after failure %d the gas goes on otherwise", failed);
        }
        gyre_gas_destroy(twin);
    }
    free(bytes);
    gyre_gas_destroy(gas);
    gyre_device_destroy(own);
    return failed;
}

static void want_of_memory_is_told_and_changes_nothing(void **state)
{
    (void)state;
    int seen[6] = {0}, calls = 0;
    for (; calls < 100; calls++) {
        purse p = {.left = calls};
        int failed = live_a_life(&p);
        assert_int_equal(p.in_use, 0);
        seen[failed]++;
        if (failed == 0) {
            break;
        }
    }
    // Each kind of failure was met, and in the end there was enough.
    print_message("enough with %d allocations; failures: %d %d %d %d %d\n", calls, seen[1], seen[2],
                  seen[3], seen[4], seen[5]);
    assert_true(calls < 100);
    assert_true(seen[1] && seen[2] && seen[3]);
}

static void the_size_is_what_is_taken(void **state)
{
    (void)state;
    for (int c = 0; c < GAS_CASES; c++) {
        purse p = {.left = 100};
        gyre_device_def device_def = gyre_default_device_def();
        gyre_device *own = NULL;
        gyre_gas *gas = NULL;
        device_def.threads = 1;
        device_def.host = (gyre_host){.allocate = spend, .release = give, .user = &p};
        must(gyre_device_create(&device_def, &own));
        gyre_gas_def def = gyre_gas_default_def(3);
        gas_cases[c].fill(&def);
        def.grid.dim = def.grid.n[2] > 1 ? 3 : 2;
        size_t before = p.in_use, told = gyre_gas_size(&def);
        must(gyre_gas_create(own, &def, &gas));
        // Beyond the gas's one block there are only the lists of samples in solids, and what the
        // solver chosen keeps: tables and a buffer for transforms, lists of parts of coarse cells
        // and of regions.
        size_t beyond = 4096 + 320 * (size_t)(def.grid.n[0] + def.grid.n[1] + def.grid.n[2]);
        assert_true(p.in_use - before >= told && p.in_use - before < told + told / 2 + beyond);
        size_t made = p.in_use;
        int left = p.left;
        must(gyre_gas_step(gas, 0.05f));
        must(gyre_gas_step(gas, 0.05f));
        assert_true(p.in_use == made && p.left == left); // no allocation in a step
        gyre_gas_destroy(gas);
        gyre_device_destroy(own);
        assert_int_equal(p.in_use, 0);
    }
}

/// A gas of the default def takes no more than before there were patches, held values, frames,
/// sheets and given velocities.
static void a_plain_gas_has_not_grown(void **state)
{
    static const struct {
        int n[3];
        size_t bytes;
    } before[] = {
        {{1, 1, 1}, 63552},     {{16, 16, 1}, 123904},    {{64, 64, 1}, 440704},
        {{100, 37, 1}, 436544}, {{256, 256, 1}, 4659968}, {{1024, 512, 1}, 34805696},
        {{8, 8, 8}, 407744},    {{33, 20, 7}, 1163520},   {{64, 64, 64}, 26568256},
    };
    (void)state;
    for (int q = 0; q < GY_COUNT(before); q++) {
        gyre_gas_def def = gyre_gas_default_def(before[q].n[2] > 1 ? 3 : 2);
        memcpy(def.grid.n, before[q].n, sizeof def.grid.n);
        assert_true(gyre_gas_size(&def) <= before[q].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_dt_leaves_every_field_finite),
        cmocka_unit_test(a_dt_that_is_no_time_is_refused),
        cmocka_unit_test(huge_forces_and_amounts_leave_every_field_finite),
        cmocka_unit_test(speeds_are_cut_to_the_cap_and_counted),
        cmocka_unit_test(bad_sources_and_points_are_refused),
        cmocka_unit_test(grids_of_one_cells_thickness_run),
        cmocka_unit_test(a_flat_3d_grid_does_as_a_2d_one),
        cmocka_unit_test(solids_that_fill_everything_leave_nothing),
        cmocka_unit_test(holes_in_solids_run),
        cmocka_unit_test(rooms_without_a_door_do_not_mix),
        cmocka_unit_test(the_null_device_runs_nothing_and_says_nothing_wrong),
        cmocka_unit_test(want_of_memory_is_told_and_changes_nothing),
        cmocka_unit_test(the_size_is_what_is_taken),
        cmocka_unit_test(a_plain_gas_has_not_grown),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
