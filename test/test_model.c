// test/test_model.c: what all models share: lists of elements, windows.
// labels: small valgrind
#include "device_rig.h"
#include "gas_case.h"
#include "gyre/classic_model.h"
#include "model/model.h"
#include "window_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- lists

typedef struct bead {
    char name[8];
    float weight;
} bead;

enum { LISTS = 12 };

typedef struct toy_def {
    gyre_pool list[LISTS];
} toy_def;

static const gyre_property bead_table[] = {
    {.name = "name", .kind = GYRE_STRING, .count = 1, .size = 8, .flags = GYRE_NAME},
    {.name = "weight", .kind = GYRE_FLOAT, .count = 1, .offset = offsetof(bead, weight)},
    {0},
};

static gyre_result toy_changed(gyre_model *model, const char *pool)
{
    (void)model, (void)pool;
    return GYRE_OK;
}

static gyre_result toy_check(const void *def)
{
    (void)def;
    return GYRE_OK;
}

// A model may have as many lists as its table says.
static void there_is_room_for_every_list_of_the_table(void **state)
{
    (void)state;
    static char names[LISTS][8];
    gyre_property table[LISTS + 1] = {0};
    for (int p = 0; p < LISTS; p++) {
        names[p][0] = (char)('a' + p);
        table[p] = (gyre_property){.name = names[p],
                                   .kind = GYRE_POOL,
                                   .count = 1,
                                   .offset = sizeof(gyre_pool) * (size_t)p,
                                   .size = sizeof(bead),
                                   .properties = bead_table};
    }
    const gy_model_type type = {.name = "toy",
                                .properties = table,
                                .def_size = sizeof(toy_def),
                                .changed = toy_changed,
                                .check = toy_check};
    bead first = {"first", 1.0f};
    toy_def def = {0};
    for (int p = 0; p < LISTS; p++) {
        def.list[p] = (gyre_pool){&first, 1, 2};
    }
    // What lies behind the head must stay as it is.
    struct {
        gyre_model model;
        char guard[1024];
    } toy;
    memset(&toy, 0, sizeof toy);
    memset(toy.guard, 0x5a, sizeof toy.guard);
    size_t bytes = (gy_model_head_size(&type, &def) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    gy_model_head(&toy.model, &type, the_device, &def, memory);
    for (size_t i = 0; i < sizeof toy.guard; i++) {
        assert_int_equal(toy.guard[i], 0x5a);
    }
    assert_int_equal(toy.model.pool_count, LISTS);
    bead second = {"second", 2.0f};
    for (int p = 0; p < LISTS; p++) {
        gyre_id id = gyre_model_add(&toy.model, names[p], &second);
        assert_true(id != 0 && id == gyre_model_element(&toy.model, names[p], 1));
        assert_true(gyre_model_element(&toy.model, names[p], 0) != id);
        assert_int_equal(gy_model_number(&toy.model, names[p], 0), 1 + p);
        assert_int_equal(gy_model_number(&toy.model, names[p], 1), LISTS + 1 + p);
        assert_string_equal(gyre_model_pool(&toy.model, id), names[p]);
    }
    for (int p = 0; p < LISTS; p++) {
        const gyre_pool *list = &((const toy_def *)gyre_model_def(&toy.model))->list[p];
        assert_int_equal(list->count, 2);
        assert_true(((const bead *)list->items)[0].weight == 1.0f);
        assert_true(((const bead *)list->items)[1].weight == 2.0f);
    }
    free(memory);
}

// ---- windows

static gyre_model *moved(int which)
{
    gyre_gas_def gas = gyre_gas_default_def(2);
    gyre_water_def water = gyre_water_default_def(2);
    gyre_classic_def classic = gyre_classic_default_def(2);
    const void *defs[] = {&gas, &water, &water, &classic};
    static const char *const types[] = {"gas", "water", "water", "classic"};
    const float centre[3] = {0.5f, 0.4f, 0.0f};
    gyre_model *model = NULL;
    gas_case_size(&gas, 12, 9, 1, 1.0f);
    water.mode = which == 1 ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE;
    water.grid.n[0] = 70;
    water.grid.n[1] = 66;
    water.grid.h = 1.0f / 64;
    water.level = 1.0f;
    water.sleep_height = which == 1 ? 1e-3f : 0.0f;
    water.sleep_steps = 1;
    classic.grid.n[0] = classic.grid.n[1] = 10;
    window_ok(gyre_model_create(the_device, types[which], defs[which], &model));
    window_ok(gyre_model_splat(model, 0, centre, 0.3f, 0.05f));
    for (int s = 0; s < 4; s++) {
        window_ok(gyre_model_step(model, 0.01f));
    }
    return model;
}

static void windows_are_held_to_their_rules(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        gyre_model *model = moved(which);
        window_rules(model, true);
        gyre_model_destroy(model);
    }
}

// Nothing is left behind, and what was written is lost with the model.
static void destroy_closes_windows(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        gyre_model *model = moved(which);
        gyre_field_view view;
        int count;
        const gyre_field_info *fields = gyre_model_fields(model, &count);
        window_ok(gyre_model_map(model, count - 1, GYRE_READ, &view));
        assert_true(fields[count - 1].derived);
        window_ok(gyre_model_map(model, 0, GYRE_WRITE, &view));
        window_ok(gyre_model_map(model, 1, GYRE_READ, &view));
        gyre_model_destroy(model);
    }
}

// A look at sleeping water wakes nothing up.
static void to_read_is_not_to_wake(void **state)
{
    (void)state;
    gyre_water_def def = gyre_water_default_def(2);
    gyre_model *model = NULL;
    gyre_field_view view;
    const float centre[3] = {0.2f, 0.2f, 0.0f};
    const void *stats;
    def.mode = GYRE_WATER_SHALLOW;
    def.grid.n[0] = def.grid.n[1] = 192;
    def.grid.h = 1.0f / 64;
    def.level = 1.0f;
    def.sleep_height = 1e-3f;
    def.sleep_steps = 2;
    window_ok(gyre_model_create(the_device, "water", &def, &model));
    for (int s = 0; s < 6; s++) {
        window_ok(gyre_model_step(model, 0.01f));
    }
    window_ok(gyre_model_splat(model, 0, centre, 0.1f, 0.1f));
    window_ok(gyre_model_step(model, 0.001f));
    gyre_model_stats(model, &stats);
    int awake = ((const gyre_water_stats *)stats)->awake;
    uint64_t hash = gyre_model_hash(model);
    assert_true(awake < 9);
    window_ok(gyre_model_map(model, 0, GYRE_READ, &view));
    window_ok(gyre_model_unmap(model, 0));
    assert_true(gyre_model_hash(model) == hash);
    window_ok(gyre_model_step(model, 0.001f));
    gyre_model_stats(model, &stats);
    assert_int_equal(((const gyre_water_stats *)stats)->awake, awake);
    gyre_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_room_for_every_list_of_the_table),
        cmocka_unit_test(windows_are_held_to_their_rules),
        cmocka_unit_test(destroy_closes_windows),
        cmocka_unit_test(to_read_is_not_to_wake),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
