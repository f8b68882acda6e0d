// test/test_save.c: a gas goes on after load as if it had never stopped, and nothing damaged is
// taken.
// labels: small valgrind
#define _POSIX_C_SOURCE 200809L // mkdtemp, truncate
#include "gas_case.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static gyre_device *device;

static int open_device(void **state)
{
    (void)state;
    device = gas_case_device(1, NULL);
    return device ? 0 : 1;
}

static int close_device(void **state)
{
    (void)state;
    gyre_device_destroy(device);
    return 0;
}

static void must(gyre_result result)
{
    if (result != GYRE_OK) {
        fail_msg("%s: %s", gyre_result_name(result), gyre_message());
    }
}

typedef struct saved {
    char *bytes;
    size_t size;
} saved;

static saved save(const gyre_gas *gas)
{
    saved s = {NULL, gyre_gas_save_size(gas)};
    // Of the exact size, so that a checker of memory sees a byte too many.
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    must(gyre_gas_save(gas, s.bytes, s.size));
    return s;
}

static gyre_gas *gas_of(int which)
{
    gyre_gas *gas = gas_case_make(&gas_cases[which], device);
    if (!gas) {
        fail_msg("%s: %s", gas_cases[which].name, gyre_message());
    }
    return gas;
}

static void steps(gyre_gas *gas, int which, int count)
{
    for (int s = 0; s < count; s++) {
        must(gyre_gas_step(gas, gas_cases[which].dt));
    }
}

static void a_loaded_state_goes_on_alike(void **state)
{
    (void)state;
    for (int c = 0; c < GAS_CASES - 2; c++) {
        gyre_gas *gas = gas_of(c);
        steps(gas, c, 3);
        saved s = save(gas);
        uint64_t then = gyre_gas_hash(gas);
        steps(gas, c, 3);
        uint64_t later = gyre_gas_hash(gas);
        assert_true(then != later);
        // Back in the same gas, and in one that has been elsewhere.
        gyre_gas *other = gas_of(c);
        steps(other, c, 1);
        for (int twice = 0; twice < 4; twice++) {
            gyre_gas *g = twice % 2 ? other : gas;
            must(gyre_gas_load(g, s.bytes, s.size));
            assert_true(gyre_gas_hash(g) == then);
            gyre_gas_stats stats = gyre_gas_get_stats(g);
            assert_int_equal(stats.step, 3);
            saved again = save(g);
            assert_true(again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
            free(again.bytes);
            steps(g, c, 3);
            if (gyre_gas_hash(g) != later) {
                fail_msg("%s goes on otherwise after load %d", gas_cases[c].name, twice);
            }
        }
        gyre_gas_destroy(other);
        gyre_gas_destroy(gas);
        free(s.bytes);
    }
}

// The speed that substeps are made from, the halos that hold the walls' velocities and the cap must
// follow from what is saved.
static void what_was_changed_before_the_save_comes_back(void **state)
{
    (void)state;
    for (int what = 0; what < 4; what++) {
        int c = what == 0 ? 4 : 2;
        gyre_gas *gas = gas_of(c), *other = gas_of(c);
        steps(gas, c, 2);
        const float centre[3] = {0.5f, 0.4f, 0}, wall[3] = {-2, 0, 0};
        if (what == 0) {
            must(gyre_gas_add_source(gas, 0, centre, 0.3f, 3.0f));
        } else if (what == 1) {
            must(gyre_gas_set(gas, "sides.y_high.velocity", gyre_vector(3, wall)));
        } else if (what == 2) {
            must(gyre_gas_set(gas, "speed_cap", gyre_number(0.05)));
        } else {
            must(gyre_gas_set(gas, "cfl", gyre_number(0.5)));
            must(gyre_gas_set(gas, "advection", gyre_string("semi_lagrangian")));
        }
        saved s = save(gas);
        must(gyre_gas_load(other, s.bytes, s.size));
        assert_true(gyre_gas_hash(gas) == gyre_gas_hash(other));
        steps(gas, c, 2);
        steps(other, c, 2);
        if (gyre_gas_hash(gas) != gyre_gas_hash(other)) {
            fail_msg("change %d: the loaded gas goes on otherwise", what);
        }
        assert_int_equal(gyre_gas_get_stats(gas).substeps, gyre_gas_get_stats(other).substeps);
        gyre_gas_destroy(gas);
        gyre_gas_destroy(other);
        free(s.bytes);
    }
}

static void lists_properties_and_ids_come_back(void **state)
{
    (void)state;
    gyre_gas *gas = gas_of(0);
    gyre_emitter e = gyre_default_emitter();
    gyre_solid solid = gyre_default_solid();
    gyre_value v;
    strcpy(e.name, "late");
    e.shape = gas_capsule(0.2f, 0.2f, 0.2f, 0.4f, 0.3f, 0.3f, 0.1f);
    e.temperature = 55.0f;
    solid.shape = gas_box(0.2f, 0.9f, 0.4f, 0.2f, 0.2f, 0.3f, 15.0f);
    gyre_id late = gyre_gas_add_emitter(gas, &e), wall = gyre_gas_add_solid(gas, &solid);
    assert_true(late && wall);
    must(gyre_gas_set(gas, "viscosity", gyre_number(0.125)));
    must(gyre_gas_set(gas, "emitters.0.enabled", gyre_bool(false)));
    steps(gas, 0, 2);
    saved s = save(gas);
    steps(gas, 0, 2);
    uint64_t later = gyre_gas_hash(gas);
    // All changed behind its back.
    must(gyre_gas_remove(gas, late));
    must(gyre_gas_remove(gas, wall));
    must(gyre_gas_set(gas, "viscosity", gyre_number(0)));
    must(gyre_gas_set(gas, "emitters.0.enabled", gyre_bool(true)));
    must(gyre_gas_set(gas, "solids.0.enabled", gyre_bool(false)));
    gyre_id newer = gyre_gas_add_emitter(gas, &e);
    steps(gas, 0, 1);
    must(gyre_gas_load(gas, s.bytes, s.size));
    must(gyre_gas_get(gas, "emitters.late.temperature", &v));
    assert_true(v.number[0] == 55.0);
    must(gyre_gas_get(gas, "viscosity", &v));
    assert_true(v.number[0] == 0.125);
    must(gyre_gas_get(gas, "emitters.0.enabled", &v));
    assert_true(v.number[0] == 0.0);
    steps(gas, 0, 2);
    assert_true(gyre_gas_hash(gas) == later);
    // Ids of then hold; one given after the save is gone with the emitter.
    assert_true(newer == wall + 1);
    assert_int_equal(gyre_gas_remove(gas, newer), GYRE_ERROR_ARGUMENT);
    must(gyre_gas_remove(gas, late));
    must(gyre_gas_remove(gas, wall));
    e.name[0] = 0;
    gyre_id next = gyre_gas_add_emitter(gas, &e);
    assert_true(next && next != late && next != wall);
    gyre_gas_destroy(gas);
    free(s.bytes);
}

// Arrays are the caller's: a state knows them by size and content.
static void arrays_are_found_again_by_content(void **state)
{
    (void)state;
    gyre_gas *gas = gas_of(3);
    steps(gas, 3, 1);
    saved s = save(gas);
    must(gyre_gas_set(gas, "emitters.4.shape.volume.threshold", gyre_number(0.6)));
    must(gyre_gas_load(gas, s.bytes, s.size));
    gyre_value v;
    must(gyre_gas_get(gas, "emitters.4.shape.volume.threshold", &v));
    assert_true(v.number[0] == (double)0.4f);
    uint64_t hash = gyre_gas_hash(gas);
    gas_volume[7] += 0.25f;
    assert_int_equal(gyre_gas_load(gas, s.bytes, s.size), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), "5 x 4 x 3"));
    assert_true(gyre_gas_hash(gas) == hash);
    gas_volume[7] -= 0.25f;
    must(gyre_gas_load(gas, s.bytes, s.size));
    gyre_gas_destroy(gas);
    free(s.bytes);
}

static void other_capacities_do(void **state)
{
    (void)state;
    gyre_gas *gas[3];
    for (int i = 0; i < 3; i++) {
        gyre_gas_def def = gyre_gas_default_def(2);
        gas_case_size(&def, 9, 7, 1, 1.0f);
        def.emitters.capacity = 2 + 3 * (i % 2);
        def.solids.capacity = i == 2 ? 1 : 4;
        must(gyre_gas_create(device, &def, &gas[i]));
    }
    gyre_solid solid = gyre_default_solid();
    solid.shape.as.sphere.radius = 0.05f;
    assert_true(gyre_gas_add_solid(gas[0], &solid) && gyre_gas_add_solid(gas[0], &solid));
    saved s = save(gas[0]);
    must(gyre_gas_load(gas[1], s.bytes, s.size));
    assert_int_equal(gyre_gas_load(gas[2], s.bytes, s.size), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), "room for 1"));
    for (int i = 0; i < 3; i++) {
        gyre_gas_destroy(gas[i]);
    }
    free(s.bytes);
}

// A refusal with one line, and a gas that goes on as before.
static void refuses(gyre_gas *gas, const char *bytes, size_t size, const char *what)
{
    uint64_t hash = gyre_gas_hash(gas);
    gyre_result r = gyre_gas_load(gas, bytes, size);
    if (r != GYRE_ERROR_FORMAT || !gyre_message()[0] || strchr(gyre_message(), '\n')) {
        fail_msg("%s: %s, \"%s\"", what, gyre_result_name(r), gyre_message());
    }
    assert_true(gyre_gas_hash(gas) == hash);
}

static void damage_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gas_case_size(&def, 9, 7, 1, 1.0f);
    strcpy(gas_case_emitter(&def)->name, "jet");
    gas_case_solid(&def)->shape = gas_sphere(0.5f, 0.6f, 0, 0.12f);
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, &def, &gas));
    must(gyre_gas_step(gas, 0.1f));
    saved s = save(gas);
    must(gyre_gas_step(gas, 0.1f));
    gyre_value before, after;
    must(gyre_gas_get(gas, "viscosity", &before));
    // Each bit of each byte of the header and of what follows it, and one of each byte beyond.
    for (size_t i = 0; i < s.size; i++) {
        for (int bit = 0; bit < (i < 256 ? 8 : 1); bit++) {
            char what[64];
            int b = i < 256 ? bit : (int)(i * 5 % 8);
            snprintf(what, sizeof what, "bit %d of byte %zu", b, i);
            s.bytes[i] = (char)(s.bytes[i] ^ (1 << b));
            refuses(gas, s.bytes, s.size, what);
            s.bytes[i] = (char)(s.bytes[i] ^ (1 << b));
        }
    }
    // Cut anywhere, from a copy of just that size.
    for (size_t cut = 0; cut < s.size; cut += cut < 160 || cut + 40 > s.size ? 1 : 13) {
        char *part = malloc(cut ? cut : 1);
        memcpy(part, s.bytes, cut);
        refuses(gas, part, cut, "cut");
        free(part);
    }
    char *more = calloc(1, s.size + 1);
    memcpy(more, s.bytes, s.size);
    refuses(gas, more, s.size + 1, "a byte too many");
    free(more);
    assert_int_equal(gyre_gas_load(gas, NULL, 0), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_load(gas, s.bytes, 0), GYRE_ERROR_FORMAT);
    must(gyre_gas_get(gas, "viscosity", &after));
    assert_true(before.number[0] == after.number[0]);
    must(gyre_gas_load(gas, s.bytes, s.size));
    assert_int_equal(gyre_gas_save(gas, s.bytes, s.size - 1), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_gas_save(gas, NULL, s.size), GYRE_ERROR_ARGUMENT);
    gyre_gas_destroy(gas);
    free(s.bytes);
}

static void another_gas_is_refused(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2), others[5];
    gas_case_size(&def, 9, 7, 1, 1.0f);
    gyre_gas_channel dye = {"dye", 0, 0}, ash = {"ash", 0, 0};
    def.channels = (gyre_pool){&dye, 1, 0};
    gyre_gas *gas = NULL;
    must(gyre_gas_create(device, &def, &gas));
    saved s = save(gas);
    gyre_gas_destroy(gas);
    const char *const says[5] = {"9 x 7 x 1", "0.11", "fields", "fields", "rule"};
    for (int i = 0; i < 5; i++) {
        others[i] = def;
    }
    others[0].grid.n[1] = 8;
    others[1].grid.h *= 1.5f;
    others[2].channels.count = 0;
    others[3].channels.items = &ash;
    others[4].sides.x_high.rule = GYRE_SIDE_OPEN;
    for (int i = 0; i < 5; i++) {
        must(gyre_gas_create(device, &others[i], &gas));
        refuses(gas, s.bytes, s.size, says[i]);
        if (!strstr(gyre_message(), says[i])) {
            fail_msg("\"%s\" does not say \"%s\"", gyre_message(), says[i]);
        }
        gyre_gas_destroy(gas);
    }
    free(s.bytes);
}

// ---- files

static int entries(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    while (readdir(d)) {
        count++;
    }
    closedir(d);
    return count - 2;
}

static void files_hold_the_same_and_are_whole_or_not_there(void **state)
{
    (void)state;
    char folder[] = "/tmp/gyre_test_save_XXXXXX", path[128], missing[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/state", folder);
    snprintf(missing, sizeof missing, "%s/none/state", folder);
    gyre_gas *gas = gas_of(1);
    gyre_model *model = gyre_gas_model(gas);
    steps(gas, 1, 2);
    uint64_t hash = gyre_gas_hash(gas);
    must(gyre_model_save_file(model, path));
    assert_int_equal(entries(folder), 1);
    steps(gas, 1, 1);
    must(gyre_model_load_file(model, path));
    assert_true(gyre_gas_hash(gas) == hash);
    // Over an older one.
    steps(gas, 1, 1);
    uint64_t second = gyre_gas_hash(gas);
    must(gyre_model_save_file(model, path));
    assert_int_equal(entries(folder), 1);
    // A folder stands where the file should go: nothing is left behind.
    char taken[160];
    snprintf(taken, sizeof taken, "%s/taken", folder);
    assert_int_equal(access(folder, W_OK), 0);
    char command[256];
    snprintf(command, sizeof command, "mkdir -p %s/inside", taken);
    assert_int_equal(system(command), 0);
    assert_int_equal(gyre_model_save_file(model, taken), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "taken"));
    assert_int_equal(entries(folder), 2);
    assert_int_equal(gyre_model_save_file(model, missing), GYRE_ERROR_FILE);
    assert_non_null(strstr(gyre_message(), "none"));
    assert_int_equal(gyre_model_load_file(model, missing), GYRE_ERROR_FILE);
    must(gyre_model_load_file(model, path));
    assert_true(gyre_gas_hash(gas) == second);
    // A cut file, and an empty one.
    size_t size = gyre_gas_save_size(gas);
    assert_int_equal(truncate(path, (off_t)(size - 1)), 0);
    assert_int_equal(gyre_model_load_file(model, path), GYRE_ERROR_FORMAT);
    assert_non_null(strstr(gyre_message(), path));
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(gyre_model_load_file(model, path), GYRE_ERROR_FORMAT);
    assert_true(gyre_gas_hash(gas) == second);
    gyre_gas_destroy(gas);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_state_goes_on_alike),
        cmocka_unit_test(what_was_changed_before_the_save_comes_back),
        cmocka_unit_test(lists_properties_and_ids_come_back),
        cmocka_unit_test(arrays_are_found_again_by_content),
        cmocka_unit_test(other_capacities_do),
        cmocka_unit_test(damage_is_refused_and_changes_nothing),
        cmocka_unit_test(another_gas_is_refused),
        cmocka_unit_test(files_hold_the_same_and_are_whole_or_not_there),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
