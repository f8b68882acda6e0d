// test/test_golden.c: results are the same bits for any number of threads, any order of tasks,
// every instruction set, compiler, optimisation level and processor: one hash per case is written
// down here. The cases are in test/gas_case.h; what they do is right by other tests (test_gas,
// test_symmetry, test_scale and those of the ops).
//
// A change that is meant to alter results needs new hashes:
//     GYRE_GOLDEN=print build/test/test_golden
// prints the lines of the table below.
// labels: golden threads web
#include "gas_case.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const uint64_t golden[GAS_CASES] = {
    0xd1c60e18ee8b3ba0, // plume
    0x938f94133e54c66a, // shear
    0x3191f008ed111a37, // cavity
    0xe2266e2f35c0a09d, // shapes
    0xa4d20756c3884b16, // substeps
    0x78128eac276376cd, // fast
    0x4988abfbac1a54bc, // channel
    0xe91636d8dcb7fa70, // sources
    0x687af3628b0e724f, // wide_plume
    0xbff53ebce86adef3, // wide_shear
};

// 0 when the case could not be run.
static uint64_t run(const gas_case *c, gyre_device *device)
{
    uint64_t hash = 0;
    gyre_gas *gas = device ? gas_case_make(c, device) : NULL;
    if (!gas) {
        return 0;
    }
    for (int s = 0; s < c->steps; s++) {
        if (gyre_gas_step(gas, c->dt) != GYRE_OK) {
            gyre_gas_destroy(gas);
            return 0;
        }
    }
    hash = gyre_gas_hash(gas);
    gyre_gas_destroy(gas);
    return hash;
}

static void require(uint64_t hash, int c, const char *on)
{
    if (hash != golden[c]) {
        fail_msg("%s on %s: hash %016llx, expected %016llx; to renew the hashes see the head of "
                 "test/test_golden.c (%s)\n",
                 gas_cases[c].name, on, (unsigned long long)hash, (unsigned long long)golden[c],
                 gyre_message());
    }
}

static void every_instruction_set_gives_the_golden_hash(void **state)
{
    (void)state;
    for (int i = 0; every_isa() && gyre_isa_name(i); i++) {
        gyre_device *device = gas_case_device(1, gyre_isa_name(i));
        assert_non_null(device);
        for (int c = 0; c < GAS_CASES; c += every_case(i)) {
            require(run(&gas_cases[c], device), c, gyre_isa_name(i));
        }
        gyre_device_destroy(device);
    }
}

static void any_number_of_threads_gives_the_golden_hash(void **state)
{
    (void)state;
    const int threads[3] = {3, 2, 8};
    for (int t = 0; t < every_count(3); t++) {
        char on[32];
        snprintf(on, sizeof on, "%d threads", threads[t]);
        gyre_device *device = gas_case_device(threads[t], NULL);
        assert_non_null(device);
        // Small grids are one task each: once is enough for them.
        for (int c = threads[t] == 3 ? 0 : GAS_CASES - 2; c < GAS_CASES; c++) {
            require(run(&gas_cases[c], device), c, on);
        }
        gyre_device_destroy(device);
    }
}

static int most_tasks;

static void backwards(void *user, int count, gyre_task *task, void *argument)
{
    (void)user;
    most_tasks = count > most_tasks ? count : most_tasks;
    while (count-- > 0) {
        task(argument, count);
    }
}

static void tasks_in_reverse_order_give_the_golden_hash(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    gyre_device *device = NULL;
    def.host.parallel_for = backwards;
    assert_int_equal(gyre_device_create(&def, &device), GYRE_OK);
    for (int c = GAS_CASES - (in_short() ? 1 : 2); c < GAS_CASES; c++) {
        most_tasks = 0;
        require(run(&gas_cases[c], device), c, "tasks in reverse order");
        assert_true(most_tasks > 1);
    }
    gyre_device_destroy(device);
}

static int print_hashes(void)
{
    gyre_device *device = gas_case_device(1, NULL);
    for (int c = 0; c < GAS_CASES; c++) {
        printf("    0x%016llx, // %s\n", (unsigned long long)run(&gas_cases[c], device),
               gas_cases[c].name);
    }
    gyre_device_destroy(device);
    return 0;
}

int main(void)
{
    const char *golden_wish = getenv("GYRE_GOLDEN");
    if (golden_wish && strcmp(golden_wish, "print") == 0) {
        return print_hashes();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_golden_hash),
        cmocka_unit_test(any_number_of_threads_gives_the_golden_hash),
        cmocka_unit_test(tasks_in_reverse_order_give_the_golden_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
