// labels: vulkan
// A step of a gas that leaves its decisions to ops and gates against the same step deciding on the
// host, on a Vulkan device and on the CPU: all bits of fields and statistics are equal, and a step
// is one submission that waits for nothing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <inttypes.h>

#ifdef GY_WITH_VULKAN
#include "device/vulkan/vulkan.h"
#endif
#include "gas/gas.h"
#include "test/gas_case.h"
#include "test/vulkan_rig.h"

// ---- gases --------------------------------------------------------------------------------------

static void fill_still(gyre_gas_def *def)
{
    gas_case_size(def, 20, 13, 1, 1.0f);
}

/// Two rooms, into which gas is blown: each region's b has a mean of its own.
static void fill_rooms(gyre_gas_def *def)
{
    gas_case_size(def, 37, 22, 1, 1.0f);
    gas_case_solid(def)->shape = gas_box(0.45f, 0.3f, 0, 0.1f, 1.0f, 1, 0);
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(0.3f, 0.3f, 0, 0.07f);
    e->push = true;
    e->velocity[0] = 1.0f;
}

/// Three, one of them open above, by conjugate gradients.
static void fill_more_rooms(gyre_gas_def *def)
{
    fill_rooms(def);
    def->sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    gas_case_solid(def)->shape = gas_box(0.75f, 0.3f, 0, 0.1f, 1.0f, 1, 0);
    gas_case_solid(def)->shape = gas_box(0.3f, 0.45f, 0, 0.6f, 0.1f, 1, 0);
    def->pressure.solver = GYRE_SOLVER_MGPCG;
    def->pressure.tolerance = 1e-5f;
    def->pressure.max_cycles = 30;
}

/// A closed box with a room of one cell, which counts as solid.
static void fill_dead(gyre_gas_def *def)
{
    gas_case_size(def, 16, 16, 1, 16.0f);
    gas_case_solid(def)->shape = gas_box(8.5f, 7.0f, 0, 3.0f, 1.0f, 1, 0);
    gas_case_solid(def)->shape = gas_box(8.5f, 9.0f, 0, 3.0f, 1.0f, 1, 0);
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(4.0f, 4.0f, 0, 2.0f);
    e->temperature = 100.0f;
}

static void fill_long(gyre_gas_def *def)
{
    fill_shear(def);
    def->pressure.tolerance = 0.0f;
    def->pressure.max_cycles = GY_RECORDED + 3;
}

static void fill_full(gyre_gas_def *def)
{
    fill_plume(def);
    def->pressure.cycle = GYRE_CYCLE_FULL;
    def->pressure.tolerance = 1e-5f;
}

static void fill_krylov(gyre_gas_def *def)
{
    fill_plume(def);
    def->pressure.solver = GYRE_SOLVER_MGPCG;
}

/// Sheets thinner than a coarse cell, open above.
static void fill_sheets(gyre_gas_def *def)
{
    gas_case_size(def, 42, 35, 1, 1.0f);
    def->sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    gas_case_solid(def)->shape = gas_box(0.37f, 0.4f, 0, 0.04f, 0.7f, 1, 0);
    gas_case_solid(def)->shape = gas_box(0.6f, 0.5f, 0, 0.04f, 0.5f, 1, 20.0f);
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(0.2f, 0.15f, 0, 0.1f);
    e->temperature = 400.0f;
    e->density = 2.0f;
    def->density.diffusivity = 0.01f;
    def->viscosity = 1e-3f;
    def->pressure.solver = def->diffusion.solver = GYRE_SOLVER_AUTO;
}

/// The same all closed, and the answer a pair.
static void fill_pair(gyre_gas_def *def)
{
    fill_sheets(def);
    def->sides.y_high.rule = GYRE_GAS_SIDE_SLIP;
    def->pressure.solver = GYRE_SOLVER_MGPCG;
    def->pressure.refine = true;
    def->pressure.tolerance = 1e-7f;
    def->pressure.max_cycles = 20;
}

/// Refinement round multigrid, nothing held.
static void fill_refined(gyre_gas_def *def)
{
    fill_shear(def);
    def->pressure.refine = true;
    def->pressure.tolerance = 1e-8f;
    def->pressure.max_cycles = 20;
}

static void fill_plain(gyre_gas_def *def)
{
    fill_shear(def);
    def->pressure.solver = GYRE_SOLVER_CG;
    def->pressure.max_cycles = GY_RECORDED;
}

static const gas_case own_cases[] = {{"still", 2, 0.05f, fill_still, NULL},
                                     {"rooms", 3, 0.05f, fill_rooms, NULL},
                                     {"dead", 3, 0.5f, fill_dead, NULL},
                                     {"long", 2, 0.05f, fill_long, start_shear},
                                     {"full", 2, 0.05f, fill_full, NULL},
                                     {"krylov", 3, 0.05f, fill_krylov, NULL},
                                     {"sheets", 3, 0.1f, fill_sheets, NULL},
                                     {"pair", 3, 0.1f, fill_pair, NULL},
                                     {"refined", 3, 0.05f, fill_refined, start_shear},
                                     {"more rooms", 3, 0.05f, fill_more_rooms, NULL},
                                     {"plain", 2, 0.05f, fill_plain, start_shear}};

enum { CASES = GAS_CASES + GY_COUNT(own_cases), STEPS = 3 };

static const gas_case *case_of(int i)
{
    return i < GAS_CASES ? &gas_cases[i] : &own_cases[i - GAS_CASES];
}

static gyre_gas *make_gas(const gas_case *c, gyre_device *device, bool remote, float courant)
{
    gyre_gas_def def = gyre_gas_default_def(3);
    gyre_gas *gas = NULL;
    def.pressure.solver = def.diffusion.solver = GYRE_SOLVER_MULTIGRID;
    c->fill(&def);
    if (c >= gas_cases && c < gas_cases + GAS_CASES) {
        def.pressure.solver = def.diffusion.solver = GYRE_SOLVER_MULTIGRID;
    }
    def.grid.dim = def.grid.n[2] > 1 ? 3 : 2;
    def.courant = courant < 0.0f ? def.courant : courant;
    device->remote = remote;
    if (gyre_gas_create(device, &def, &gas) != GYRE_OK) {
        fail_msg("%s: %s", c->name, gyre_message());
    }
    if (c->start) {
        c->start(gas);
    }
    return gas;
}

static void step(gyre_gas *gas, float dt)
{
    if (gyre_gas_step(gas, dt) != GYRE_OK) {
        fail_msg("%s", gyre_message());
    }
}

// ---- both ways ----------------------------------------------------------------------------------

typedef struct trail {
    uint64_t hash[STEPS];
    gyre_gas_stats stats[STEPS];
    int steps;
} trail;

static void run_case(const gas_case *c, gyre_device *device, bool remote, trail *t)
{
    gyre_gas *gas = make_gas(c, device, remote, -1.0f);
    t->steps = GY_MIN(c->steps, STEPS);
    for (int s = 0; s < t->steps; s++) {
        step(gas, c->dt);
        t->stats[s] = gyre_gas_get_stats(gas);
        t->hash[s] = gyre_gas_hash(gas);
    }
    gyre_gas_destroy(gas);
}

#define SAME(member, format)                                                                       \
    if (x->member != y->member) {                                                                  \
        fail_msg("%s, step %d: " #member " is " format " by fetches, " format " by gates",         \
                 c->name, s + 1, x->member, y->member);                                            \
    }

static void same_stats(const gas_case *c, int s, const gyre_gas_stats *x, const gyre_gas_stats *y)
{
    SAME(step, "%" PRId64)
    SAME(time, "%.17g")
    SAME(dt, "%.17g")
    SAME(substeps, "%d")
    SAME(max_speed, "%.9g")
    SAME(courant, "%.9g")
    SAME(solver, "%d")
    SAME(cycles, "%d")
    SAME(residual, "%.9g")
    SAME(div_rms_before, "%.9g")
    SAME(div_rms_after, "%.9g")
    SAME(div_max_after, "%.9g")
    SAME(kinetic_energy, "%.17g")
    SAME(capped, "%" PRId64)
    SAME(governed, "%" PRId64)
    SAME(gained, "%" PRId64)
    SAME(gained_time, "%.17g")
}

/// Every so many cases.
static void compare(gyre_device *device, int every)
{
    bool usual = device->remote;
    for (int i = 0; i < CASES; i += every) {
        const gas_case *c = case_of(i);
        static trail host, gates;
        run_case(c, device, false, &host);
        run_case(c, device, true, &gates);
        for (int s = 0; s < host.steps; s++) {
            same_stats(c, s, &host.stats[s], &gates.stats[s]);
            if (host.hash[s] != gates.hash[s]) {
                fail_msg("%s, step %d: fields differ", c->name, s + 1);
            }
        }
        memset(&gas_lists, 0, sizeof gas_lists);
    }
    device->remote = usual;
}

static void gates_like_fetches_here(void **state)
{
    (void)state;
    compare(the_cpu, 1);
}

static void gates_like_fetches_there(void **state)
{
    (void)state;
    compare(the_gpu, rig_is_played() ? 8 : 1);
}

/// Without conditional dispatches, twins look at the gate themselves.
static bool set_conditional(bool conditional)
{
#ifdef GY_WITH_VULKAN
    gy_vulkan *v = the_gpu->state;
    bool before = v->conditional;
    v->conditional = conditional;
    return before;
#else
    return conditional;
#endif
}

static void gates_in_twins_like_fetches(void **state)
{
    (void)state;
    bool usual = set_conditional(false);
    compare(the_gpu, rig_is_played() ? 11 : 4);
    set_conditional(usual);
}

/// What the cases are for happens in them.
static void cases_say_something(void **state)
{
    (void)state;
    bool usual = the_cpu->remote, capped = false, early = false, still = false;
    for (int i = 0; i < CASES; i++) {
        trail t;
        run_case(case_of(i), the_cpu, true, &t);
        for (int s = 0; s < t.steps; s++) {
            capped = capped || t.stats[s].capped > 0;
            early = early || (t.stats[s].cycles > 0 && t.stats[s].cycles < 8);
            still = still || (t.stats[s].cycles == 0 && t.stats[s].residual == 0.0f);
        }
        if (strcmp(case_of(i)->name, "long") == 0) {
            // Of the first step velocities are projected before it, too.
            assert_int_equal(t.stats[1].cycles, GY_RECORDED + 3);
        }
        if (strcmp(case_of(i)->name, "sheets") == 0) {
            assert_int_equal(t.stats[0].solver, GYRE_SOLVER_MGPCG);
        }
        memset(&gas_lists, 0, sizeof gas_lists);
    }
    assert_true(capped && early && still);
    the_cpu->remote = usual;
}

/// Statistics that nobody has asked for change nothing, and those of the last step are right.
static void asking_changes_nothing(void **state)
{
    (void)state;
    const gas_case *c = &gas_cases[0];
    trail asked;
    run_case(c, the_gpu, true, &asked);
    memset(&gas_lists, 0, sizeof gas_lists);
    gyre_gas *gas = make_gas(c, the_gpu, true, -1.0f);
    for (int s = 0; s < asked.steps; s++) {
        step(gas, c->dt);
    }
    gyre_gas_stats stats = gyre_gas_get_stats(gas);
    same_stats(c, asked.steps - 1, &asked.stats[asked.steps - 1], &stats);
    assert_true(gyre_gas_hash(gas) == asked.hash[asked.steps - 1]);
    gyre_gas_destroy(gas);
    memset(&gas_lists, 0, sizeof gas_lists);
}

/// A field written after a step has its speed measured, and the step's numbers are kept.
static void writing_after_a_step(void **state)
{
    (void)state;
    gyre_gas_stats stats[2];
    for (int remote = 0; remote < 2; remote++) {
        gyre_gas *gas = make_gas(&gas_cases[1], the_gpu, remote, -1.0f);
        gyre_field_view v;
        step(gas, 0.05f);
        assert_int_equal(gyre_gas_map(gas, 0, GYRE_WRITE, &v), GYRE_OK);
        v.data[3] = 7.0f;
        assert_int_equal(gyre_gas_unmap(gas, 0), GYRE_OK);
        stats[remote] = gyre_gas_get_stats(gas);
        gyre_gas_destroy(gas);
    }
    the_gpu->remote = true;
    assert_true(stats[1].max_speed == 7.0f);
    same_stats(&gas_cases[1], 0, &stats[0], &stats[1]);
}

// ---- submissions --------------------------------------------------------------------------------

static void count_submissions(int i, float courant, uint64_t submissions, uint64_t waits)
{
    gyre_gas *gas = make_gas(case_of(i), the_gpu, true, courant);
    step(gas, 0.02f);
    for (int s = 0; s < 3; s++) {
        assert_int_equal(gyre_device_wait(the_gpu), GYRE_OK);
        uint64_t before = the_gpu->submissions, waited = the_gpu->waits;
        step(gas, 0.02f);
        if (the_gpu->submissions - before != submissions || the_gpu->waits - waited != waits) {
            fail_msg("%s: %d submissions, %d waits", case_of(i)->name,
                     (int)(the_gpu->submissions - before), (int)(the_gpu->waits - waited));
        }
        if (s == 1) {
            gyre_gas_get_stats(gas);
        }
    }
    gyre_gas_destroy(gas);
    memset(&gas_lists, 0, sizeof gas_lists);
}

static void one_submission_a_step(void **state)
{
    (void)state;
    // Solids, walls that drag, axes with a seam, nothing to be done, and full multigrid.
    static const char *const names[] = {"plume", "shear",  "cavity",     "channel", "still",
                                        "full",  "krylov", "sheets",     "pair",    "refined",
                                        "plain", "rooms",  "more rooms", "dead"};
    for (int i = 0; i < CASES; i++) {
        for (int q = 0; q < GY_COUNT(names); q++) {
            if (strcmp(names[q], case_of(i)->name) == 0) {
                count_submissions(i, 0.0f, 1, 0);
            }
        }
    }
}

/// The step before has been waited for, which takes no submission of its own.
static void one_submission_at_a_known_speed(void **state)
{
    (void)state;
    count_submissions(0, 100.0f, 1, 0);
    count_submissions(5, 100.0f, 1, 0);
}

/// Each copy is of its time, whatever has been written since; those that found no place are of now.
static void collect_what_was_asked_for(void **state)
{
    (void)state;
    enum { NUMBERS = GY_NOTES + 2, FAR = 64 };
    size_t bytes = NUMBERS * FAR * sizeof(float);
    float *x = gy_device_allocate(the_gpu, bytes);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < NUMBERS; i++) {
            x[i * FAR] = (float)(100 * round + i);
            gy_device_put(the_gpu, &x[i * FAR], sizeof *x);
            gy_device_prefetch(the_gpu, &x[i * FAR], sizeof *x);
            x[i * FAR] = -1.0f;
            gy_device_put(the_gpu, &x[i * FAR], sizeof *x);
        }
        uint64_t submissions = the_gpu->submissions;
        for (int i = NUMBERS - 1; i >= 0; i--) {
            x[i * FAR] = -2.0f;
            gy_device_collect(the_gpu, &x[i * FAR], sizeof *x);
            float expected = i < NUMBERS - GY_NOTES ? -1.0f : (float)(100 * round + i);
            if (x[i * FAR] != expected) {
                fail_msg("round %d, %d: %g, not %g", round, i, (double)x[i * FAR],
                         (double)expected);
            }
        }
        assert_int_equal(the_gpu->submissions - submissions, 1 + NUMBERS - GY_NOTES);
    }
    // Too much for a place.
    x[1] = 5.0f;
    gy_device_put(the_gpu, x, bytes);
    gy_device_prefetch(the_gpu, x, bytes);
    x[1] = 0.0f;
    gy_device_collect(the_gpu, x, bytes);
    assert_true(x[1] == 5.0f);
    // What was asked for of memory given back is not taken for another's.
    gy_device_prefetch(the_gpu, x, sizeof *x);
    gy_device_release(the_gpu, x, bytes);
    float *y = gy_device_allocate(the_gpu, bytes);
    gy_device_collect(the_gpu, y, sizeof *y);
    assert_true(*y == 0.0f);
    gy_device_release(the_gpu, y, bytes);
}

// ---- parts --------------------------------------------------------------------------------------

static void gates_shut(gyre_device *device)
{
    enum { FLOATS = 1024 };
    float *x = gy_device_allocate(device, 8192);
    uint32_t *word = (uint32_t *)(void *)(x + FLOATS);
    gy_layout l = rig_layout(2, 5, 3, 1);
    assert_true(l.floats + 2 * l.slack + 64 < FLOATS);
    gy_fill_args a = {.base = (uint64_t)(uintptr_t)x,
                      .field = (uint32_t)((l.origin + l.slack + 15) / 16),
                      .extent = rig_extent(&l)};
    float *first = gy_at(a.base, a.field);
    // Shut before, opened by a put, shut by one; and no gate at all.
    static const struct {
        bool gated;
        uint32_t word;
        float value;
        float expected;
    } steps[] = {{true, 1, 1.0f, 0.0f},
                 {true, 0, 2.0f, 2.0f},
                 {true, 0x80000000u, 3.0f, 2.0f},
                 {false, 1, 4.0f, 4.0f}};
    for (int s = 0; s < GY_COUNT(steps); s++) {
        a.value = steps[s].value;
        *word = steps[s].word;
        gy_device_put(device, word, sizeof *word);
        gy_device_gate(device, steps[s].gated ? word : NULL);
        gy_run(device, GY_OP_fill, &a, gy_box_make(1, 5, 1));
        gy_device_gate(device, NULL);
        gy_device_fetch(device, first, sizeof *first);
        if (*first != steps[s].expected) {
            fail_msg("%s, gate %d: %g", gyre_device_name(device), s, (double)*first);
        }
    }
    gy_device_release(device, x, 8192);
}

static void gates_shut_here_and_there(void **state)
{
    (void)state;
    gates_shut(the_cpu);
    if (the_gpu) {
        gates_shut(the_gpu);
        bool usual = set_conditional(false);
        gates_shut(the_gpu);
        set_conditional(usual);
    }
}

static void gate_of_other_memory(void **state)
{
    (void)state;
    static uint32_t word;
    gyre_device_def def = rig_gpu_def();
    def.host.log = NULL;
    gyre_device *device = NULL;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    float *x = gy_device_allocate(device, 8192);
    gy_fill_args a = {
        .base = (uint64_t)(uintptr_t)x, .field = 16, .extent = {{1, 1, 1}, 32, 32, 2, 0}};
    gy_device_gate(device, &word);
    gy_run(device, GY_OP_fill, &a, gy_box_make(1, 1, 1));
    assert_int_equal(gy_device_status(device), GYRE_ERROR_STATE);
    assert_non_null(strstr(gyre_message(), "gate"));
    gy_device_release(device, x, 8192);
    gyre_device_destroy(device);
}

/// Random sums, of which some decide one way and some the other.
static void draw_case(gy_report *r, gy_decide_args *a, double *partial)
{
    r->given = (double)rig_float(0.0f, 2.0f);
    r->reference = (double)rig_float(0.0f, 200.0f);
    r->left = (double)rig_float(0.0f, 2.0f);
    r->capped = (double)rig_int(0, 1000);
    r->cycles = rig_int(0, 9);
    r->steady = (uint32_t)rig_int(0, 1);
    a->tasks = rig_int(0, 3) ? rig_int(1, 40) : GY_MAX_TASKS;
    a->which = rig_int(0, 2);
    a->first = rig_int(0, 1);
    a->last = rig_int(0, 1);
    a->balances = rig_int(0, 1);
    a->scale = (double)rig_float(0.1f, 3.0f);
    a->add = rig_int(0, 1) ? (double)rig_float(0.0f, 3.0f) : 0.0;
    a->cells = (double)rig_int(1, 4000);
    a->free = rig_int(0, 2) ? (double)rig_int(1, 4000) : 0.0;
    a->goal = (double)rig_float(0.0f, 2.0f);
    float size = rig_int(0, 4) ? 1.0f : 0.0f, sign = rig_int(0, 1) ? 0.0f : -1e-3f;
    for (int t = 0; t < a->tasks; t++) {
        if (a->kind == GY_DECIDE_COUNT) {
            ((float *)(void *)partial)[t] = (float)rig_int(0, 100000);
            continue;
        }
        for (int q = 0; q < 4; q++) {
            partial[4 * t + q] =
                (double)(q == 0 ? sign : 1.0f) * (double)(size * rig_float(0.0f, 1.0f));
        }
    }
}

/// Whether the way that this case went is one of those looked for.
static int way_of(const gy_decide_args *a, const gy_report *r)
{
    return a->kind * 8 + (int)(a->kind == GY_DECIDE_RESIDUAL ? r->done
                               : a->kind < GY_DECIDE_RESIDUAL
                                   ? r->steady + 2 * r->balanced + 4 * r->busy
                                   : 0u);
}

static void decide_like_the_cpu(void **state)
{
    (void)state;
    bool seen[64] = {false};
    rig_block b = rig_take_block(65536);
    uint32_t partial = rig_take_bytes(&b, GY_MAX_TASKS * 4 * sizeof(double));
    uint32_t report = rig_take_bytes(&b, sizeof(gy_report));
    gy_decide_args a = {.base = rig_base(&b), .report = report, .partial = partial};
    for (int q = 0; q < 600; q++) {
        a.kind = q % (GY_DECIDE_COUNT + 1);
        draw_case(rig_at(&b, report), &a, rig_at(&b, partial));
        rig_share(&b);
        rig_run(&b, GY_OP_decide, &a, gy_box_make(1, 1, 1));
        rig_fetch(&b);
        rig_same_bytes(&b, report, sizeof(gy_report), "decide");
        seen[way_of(&a, rig_at(&b, report))] = true;
    }
    int ways = 0;
    for (int w = 0; w < GY_COUNT(seen); w++) {
        ways += seen[w];
    }
    assert_true(ways >= 14);
    rig_give_back(&b);
}

int main(void)
{
    const struct CMUnitTest here[] = {cmocka_unit_test(gates_like_fetches_here),
                                      cmocka_unit_test(cases_say_something),
                                      cmocka_unit_test(gates_shut_here_and_there)};
    const struct CMUnitTest there[] = {cmocka_unit_test(decide_like_the_cpu),
                                       cmocka_unit_test(gate_of_other_memory),
                                       cmocka_unit_test(gates_like_fetches_there),
                                       cmocka_unit_test(gates_in_twins_like_fetches),
                                       cmocka_unit_test(asking_changes_nothing),
                                       cmocka_unit_test(writing_after_a_step),
                                       cmocka_unit_test(one_submission_a_step),
                                       cmocka_unit_test(one_submission_at_a_known_speed),
                                       cmocka_unit_test(collect_what_was_asked_for)};
    bool gpu = vulkan_rig_open();
    gyre_device_def cpu = gyre_default_device_def();
    if (!gpu && gyre_device_create(&cpu, &the_cpu) != GYRE_OK) {
        return 1;
    }
    int failed = cmocka_run_group_tests(here, NULL, NULL);
    if (gpu) {
        failed += cmocka_run_group_tests(there, NULL, NULL);
        return failed + vulkan_rig_close();
    }
    gyre_device_destroy(the_cpu);
    return failed;
}
