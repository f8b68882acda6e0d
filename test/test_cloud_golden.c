// test/test_cloud_golden.c: clouds give the same bits for every compiler, instruction set,
// optimisation level and number of threads: in 2D and 3D, among solids, some of it saturated, some
// that evaporates, with rain that falls through dry air, along y and along z.
// labels: golden web
// needs: threads
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/gas_case.h"

static const uint64_t golden[2] = {0xd514f6d6832c080f, 0x413a7a161999bb2c};

static void pour(gyre_gas *gas)
{
    float middle[3] = {800.0f, 700.0f, 400.0f}, low[3] = {500.0f, 400.0f, 300.0f};
    gyre_gas_splat(gas, gyre_gas_field(gas, "cloud"), middle, 400.0f, 3e-3f);
    gyre_gas_splat(gas, gyre_gas_field(gas, "rain"), low, 300.0f, 2e-3f);
}

static void fill_cloud(gyre_gas_def *def, int x, int y, int z, int up)
{
    memset(&gas_lists, 0, sizeof gas_lists);
    gas_case_size(def, x, y, z, 1600.0f);
    strcpy(gas_lists.channels[0].name, "vapour");
    strcpy(gas_lists.channels[1].name, "cloud");
    strcpy(gas_lists.channels[2].name, "rain");
    def->channels = (gyre_pool){gas_lists.channels, 3, 3};
    def->atmosphere.layered = true;
    def->atmosphere.least = 1e-4f;
    strcpy(def->atmosphere.vapour, "vapour");
    strcpy(def->atmosphere.water, "cloud");
    strcpy(def->atmosphere.rain, "rain");
    def->gravity[1] = up == 1 ? -9.81f : 0.0f;
    def->gravity[2] = up == 2 ? -9.81f : 0.0f;
    def->sides.x_low.rule = def->sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(800.0f, 300.0f, 300.0f, 250.0f);
    e->noise = 0.5f;
    e->temperature = 0.05f;
    strcpy(e->feeds[0].name, "vapour");
    e->feeds[0].amount = 2e-4f;
    gas_case_solid(def)->shape = gas_sphere(700.0f, 600.0f, 300.0f, 150.0f);
}

static void fill_plane(gyre_gas_def *def)
{
    fill_cloud(def, 41, 37, 1, 1);
}

static void fill_box(gyre_gas_def *def)
{
    fill_cloud(def, 53, 31, 21, 2);
}

static const gas_case cases[2] = {{"plane", 12, 6.0f, fill_plane, pour},
                                  {"box", 6, 6.0f, fill_box, pour}};

static void run_on(gyre_device *device, const char *on)
{
    assert_non_null(device);
    for (int c = 0; c < 2; c++) {
        gyre_gas *gas = gas_case_make(&cases[c], device);
        assert_non_null(gas);
        for (int s = 0; s < cases[c].steps; s++) {
            assert_int_equal(gyre_gas_step(gas, cases[c].dt), GYRE_OK);
        }
        if (gyre_gas_hash(gas) != golden[c]) {
            fail_msg("%s on %s: found 0x%016llx", cases[c].name, on,
                     (unsigned long long)gyre_gas_hash(gas));
        }
        gyre_gas_destroy(gas);
    }
    gyre_device_destroy(device);
}

static void every_instruction_set_gives_the_golden_hash(void **state)
{
    (void)state;
    for (int i = 0; gyre_isa_name(i); i++) {
        run_on(gas_case_device(1, gyre_isa_name(i)), gyre_isa_name(i));
    }
}

static void any_number_of_threads_gives_the_golden_hash(void **state)
{
    (void)state;
    run_on(gas_case_device(3, NULL), "3 threads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_gives_the_golden_hash),
        cmocka_unit_test(any_number_of_threads_gives_the_golden_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
