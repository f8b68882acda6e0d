// test/test_roles.c: what fields and properties are, whatever they are called: every model's tables
// say so, and fit each other.
// labels: small
#include "device_rig.h"
#include "gyre/gyre.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int count_role(const gyre_field_info *info, int count, gyre_field_role role)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        found += info[i].role == role;
    }
    return found;
}

// What feeds a field feeds one that is there and is followed.
static void check_table(const gyre_model *model, const gyre_property *table)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        if (p->role == GYRE_DOES_FEED) {
            int field = gyre_model_field(model, p->feeds);
            assert_true(field >= 0 && field < count && info[field].total);
            assert_true(p->kind == GYRE_FLOAT && p->count == 1);
        } else if (p->role == GYRE_DOES_FEED_NAMED) {
            const gyre_property *named = gyre_property_find(table, p->feeds);
            assert_true(named && named->kind == GYRE_STRING);
        } else if (p->role == GYRE_DOES_FEED_MANY) {
            assert_true(p->kind == GYRE_AMOUNTS && p->properties->kind == GYRE_FLOAT);
        } else if (p->role == GYRE_DOES_PUSH) {
            assert_true(p->kind == GYRE_FLOAT && p->count == 3);
        } else if (p->role == GYRE_DOES_CHOOSE_MODE) {
            assert_true(p->kind == GYRE_ENUM && p->names[0] && p->names[1]);
        } else if (p->role == GYRE_DOES_HOLD || p->role == GYRE_DOES_ENABLE_PUSH) {
            assert_true(p->kind == GYRE_BOOL);
        }
        if (p->kind == GYRE_POOL) {
            check_table(model, p->properties);
        }
    }
}

static int count_does(const gyre_property *table, gyre_property_role role)
{
    int found = 0;
    for (const gyre_property *p = table; p->kind != GYRE_END; p++) {
        found += p->role == (int)role;
        found += p->kind == GYRE_POOL ? count_does(p->properties, role) : 0;
    }
    return found;
}

static void tables_say_what_is_what(void **state)
{
    static const struct {
        const char *type;
        int smoke, heat, solid, amount, surface, bed;         // fields
        int feed, named, discharge, push, hold, block, raise; // properties
    } wanted[] = {{"gas", 1, 1, 1, 0, 0, 0, 2, 1, 0, 1, 0, 1, 0},
                  {"classic", 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0},
                  {"water", 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1}};
    for (int i = 0; i < 3; i++) {
        size_t size;
        const char *type = wanted[i].type;
        const gyre_property *table = gyre_model_type_properties(type, &size);
        void *def = malloc(size);
        gyre_model *model;
        int count;
        assert_int_equal(gyre_model_default_def(type, 2, def, size), GYRE_OK);
        assert_int_equal(gyre_model_create(*state, type, def, &model), GYRE_OK);
        const gyre_field_info *info = gyre_model_fields(model, &count);
        assert_int_equal(count_role(info, count, GYRE_ROLE_SMOKE), wanted[i].smoke);
        assert_int_equal(count_role(info, count, GYRE_ROLE_HEAT), wanted[i].heat);
        assert_int_equal(count_role(info, count, GYRE_ROLE_SOLID), wanted[i].solid);
        assert_int_equal(count_role(info, count, GYRE_ROLE_AMOUNT), wanted[i].amount);
        assert_int_equal(count_role(info, count, GYRE_ROLE_SURFACE), wanted[i].surface);
        assert_int_equal(count_role(info, count, GYRE_ROLE_BED), wanted[i].bed);
        for (int a = 0; a < 3; a++) {
            gyre_field_role role = (gyre_field_role)(GYRE_ROLE_VELOCITY_X + a);
            assert_int_equal(count_role(info, count, role), a < 2);
        }
        assert_int_equal(count_does(table, GYRE_DOES_FEED), wanted[i].feed);
        assert_int_equal(count_does(table, GYRE_DOES_FEED_NAMED), wanted[i].named);
        assert_int_equal(count_does(table, GYRE_DOES_DISCHARGE), wanted[i].discharge);
        assert_int_equal(count_does(table, GYRE_DOES_PUSH), wanted[i].push);
        assert_int_equal(count_does(table, GYRE_DOES_HOLD), wanted[i].hold);
        assert_int_equal(count_does(table, GYRE_DOES_BLOCK), wanted[i].block);
        assert_int_equal(count_does(table, GYRE_DOES_RAISE), wanted[i].raise);
        check_table(model, table);
        gyre_model_destroy(model);
        free(def);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables_say_what_is_what)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
