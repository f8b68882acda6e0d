// test/test_model.c: what all models share: lists of elements, windows.
// labels: small valgrind
#include "gas_case.h"
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    gy_model_head(&toy.model, &type, device, &def, memory);
    for (size_t i = 0; i < sizeof toy.guard; i++) {
        assert_int_equal(toy.guard[i], 0x5a);
    }
    assert_int_equal(toy.model.pool_count, LISTS);
    bead second = {"second", 2.0f};
    for (int p = 0; p < LISTS; p++) {
        gyre_id id = gyre_model_add(&toy.model, names[p], &second);
        assert_int_equal(id, LISTS + 1 + p);
        assert_int_equal(gyre_model_element(&toy.model, names[p], 0), 1 + p);
        assert_int_equal(gyre_model_element(&toy.model, names[p], 1), id);
    }
    for (int p = 0; p < LISTS; p++) {
        const gyre_pool *list = &((const toy_def *)gyre_model_def(&toy.model))->list[p];
        assert_int_equal(list->count, 2);
        assert_true(((const bead *)list->items)[0].weight == 1.0f);
        assert_true(((const bead *)list->items)[1].weight == 2.0f);
    }
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_room_for_every_list_of_the_table),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
