// test/test_fire_golden.c: fire gives the same bits for every compiler, instruction set,
// optimisation level and number of threads: in 2D and 3D, among solids, with oxygen, soot,
// radiation and expansion, some of it above what a gas expands by at most; with a front, too.
// labels: golden web
// needs: threads
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/gas_case.h"

static const uint64_t golden[4] = {0x0cf114948f62de5f, 0xcbda3f26c70389f2, 0xd633a35dc8855e87,
                                   0xfad31fa7820adba7};

static void spark(gyre_gas *gas)
{
    gyre_gas_splat(gas, gyre_gas_field(gas, "temperature"), (const float[3]){0.5f, 0.25f, 0.2f},
                   0.2f, 700.0f);
}

static void fill_fire(gyre_gas_def *def, int x, int y, int z)
{
    memset(&gas_lists, 0, sizeof gas_lists);
    gas_case_size(def, x, y, z, 1.0f);
    strcpy(gas_lists.channels[0].name, "fuel");
    strcpy(gas_lists.channels[1].name, "spent");
    def->channels = (gyre_pool){gas_lists.channels, 2, 2};
    strcpy(def->fire.fuel, "fuel");
    strcpy(def->fire.spent, "spent");
    def->fire.soot = 0.1f;
    def->fire.cooling = 3000.0f;
    def->fire.expansion = 0.8f;
    def->fire.air = 3.0f;
    def->sides.x_low.rule = def->sides.y_high.rule = GYRE_GAS_SIDE_OPEN;
    gyre_gas_emitter *e = gas_case_emitter(def);
    e->shape = gas_sphere(0.5f, 0.2f, 0.2f, 0.15f);
    e->noise = 0.5f;
    strcpy(e->feeds[0].name, "fuel");
    e->feeds[0].amount = 2.0f;
    gas_case_solid(def)->shape = gas_sphere(0.4f, 0.5f, 0.2f, 0.1f);
}

static void fill_plane(gyre_gas_def *def)
{
    fill_fire(def, 41, 37, 1);
}

static void fill_box(gyre_gas_def *def)
{
    fill_fire(def, 53, 31, 21);
}

/// With a front that heat comes behind; the spark, which its heat does not explain, lights fuel.
static void fill_front(gyre_gas_def *def)
{
    strcpy(gas_lists.channels[1].name, "burnt");
    strcpy(gas_lists.channels[2].name, "lit");
    def->channels.count = def->channels.capacity = 3;
    def->fire.spent[0] = 0;
    strcpy(def->fire.front.burnt, "burnt");
    strcpy(def->fire.front.lit, "lit");
    def->fire.front.speed = 1.5f;
    def->sides.z_low.rule = def->sides.z_high.rule = GYRE_GAS_SIDE_PERIODIC;
}

static void fill_front_plane(gyre_gas_def *def)
{
    fill_fire(def, 41, 37, 1);
    fill_front(def);
}

static void fill_front_box(gyre_gas_def *def)
{
    fill_fire(def, 53, 31, 21);
    fill_front(def);
}

static const gas_case cases[4] = {{"plane", 8, 0.03f, fill_plane, spark},
                                  {"box", 4, 0.03f, fill_box, spark},
                                  {"front_plane", 8, 0.03f, fill_front_plane, spark},
                                  {"front_box", 4, 0.03f, fill_front_box, spark}};

static void run_on(gyre_device *device, const char *on)
{
    assert_non_null(device);
    for (int c = 0; c < 4; c++) {
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
