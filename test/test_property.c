// test/test_property.c: property tables: defaults, checks, paths, values, text, packing.
#include "grid/property.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct region {
    int32_t kind;
    union {
        struct {
            float centre[3], radius;
        } ball;
        struct {
            gyre_volume data;
            float threshold;
        } picture;
    } as;
} region;

typedef struct source {
    char name[16];
    bool enabled;
    float rate;
    region where;
} source;

typedef struct thing {
    int untouched;
    bool shiny;
    int32_t cells[3];
    float viscosity;
    float gravity[3];
    int32_t rule;
    char label[8];
    struct {
        float inner;
        int64_t big;
        double fine;
    } nest;
    region where;
    gyre_pool sources;
} thing;

#define AT(type, member) .offset = offsetof(type, member)
#define RANGE(low, high, ...) .min = low, .max = high, .initial = {__VA_ARGS__}
#define LINE(text, which, components) .name = text, .kind = which, .count = components, .doc = text

static const gyre_property ball_table[] = {
    {LINE("centre", GYRE_FLOAT, 3), .unit = "m", RANGE(-100, 100, 0.5, 0.5, 0.5), .offset = 0},
    {LINE("radius", GYRE_FLOAT, 1), .unit = "m", RANGE(0, 100, 0.1), .offset = 12},
    {0},
};

static const gyre_property picture_table[] = {
    {LINE("data", GYRE_VOLUME, 1), .offset = 0},
    {LINE("threshold", GYRE_FLOAT, 1), RANGE(0, 1, 0.5), .offset = sizeof(gyre_volume)},
    {0},
};

static const gyre_property region_table[] = {
    {LINE("ball", GYRE_STRUCT, 1), AT(region, as.ball), .size = 16, .properties = ball_table},
    {LINE("picture", GYRE_STRUCT, 1), AT(region, as.picture),
     .size = sizeof(((region *)0)->as.picture), .properties = picture_table, .formerly = "image"},
    {0},
};

static const gyre_property source_table[] = {
    {LINE("name", GYRE_STRING, 1), AT(source, name), .size = 16, .flags = GYRE_NAME},
    {LINE("enabled", GYRE_BOOL, 1), RANGE(0, 1, 1), AT(source, enabled)},
    {LINE("rate", GYRE_FLOAT, 1), .unit = "kg/s", RANGE(0, 50, 1), AT(source, rate)},
    {LINE("where", GYRE_UNION, 1), AT(source, where), .size = sizeof(region),
     .properties = region_table},
    {0},
};

static const gyre_property nest_table[] = {
    {LINE("inner", GYRE_FLOAT, 1), .unit = "s", RANGE(0.1, 0.3, 0.1), .offset = 0},
    {LINE("big", GYRE_INT64, 1), RANGE(0, 0, 3), .offset = 8},
    {LINE("fine", GYRE_DOUBLE, 1), RANGE(0, 0, 0.25), .offset = 16},
    {0},
};

static const char *const rules[] = {"slip", "no_slip", "open", NULL};

enum { SHINY, CELLS, VISCOSITY, GRAVITY, RULE, LABEL, NEST, WHERE, SOURCES };

static const gyre_property table[] = {
    [SHINY] = {LINE("shiny", GYRE_BOOL, 1), RANGE(0, 1, 1), AT(thing, shiny)},
    [CELLS] = {LINE("cells", GYRE_INT, 3), RANGE(1, 4096, 64, 32, 1), AT(thing, cells),
               .flags = GYRE_FIXED},
    [VISCOSITY] = {LINE("viscosity", GYRE_FLOAT, 1), .unit = "m^2/s", RANGE(0, 10, 0.5),
                   AT(thing, viscosity), .formerly = "nu thickness"},
    [GRAVITY] = {LINE("gravity", GYRE_FLOAT, 3), .unit = "m/s^2", RANGE(-1e3, 1e3, 0, -9.81, 0),
                 AT(thing, gravity)},
    [RULE] = {LINE("rule", GYRE_ENUM, 1), .initial = {2}, AT(thing, rule), .names = rules},
    [LABEL] = {LINE("label", GYRE_STRING, 1), AT(thing, label), .size = 8},
    [NEST] = {LINE("nest", GYRE_STRUCT, 1), AT(thing, nest), .size = sizeof(((thing *)0)->nest),
              .properties = nest_table},
    [WHERE] = {LINE("where", GYRE_UNION, 1), AT(thing, where), .size = sizeof(region),
               .properties = region_table},
    [SOURCES] = {LINE("sources", GYRE_POOL, 1), AT(thing, sources), .size = sizeof(source),
                 .properties = source_table},
    {0},
};

enum { CAPACITY = 4 };

typedef struct fixture {
    thing def;
    source sources[CAPACITY];
    float samples[8];
} fixture;

static fixture empty_fixture;

static void reset(fixture *f)
{
    memcpy(f, &empty_fixture, sizeof *f);
    gyre_property_defaults(table, &f->def, sizeof f->def);
    for (int i = 0; i < CAPACITY; i++) {
        gyre_property_defaults(source_table, &f->sources[i], sizeof(source));
    }
    strcpy(f->sources[0].name, "jet");
    strcpy(f->sources[1].name, "vent");
    for (int i = 0; i < 8; i++) {
        f->samples[i] = (float)i;
    }
    f->sources[1].where.kind = 1;
    f->sources[1].where.as.picture.data = (gyre_volume){f->samples, {2, 2, 2}, NULL};
    f->sources[1].where.as.picture.threshold = 0.5f;
    f->def.sources = (gyre_pool){f->sources, 2, CAPACITY};
}

static void defaults_fill_every_kind(void **state)
{
    (void)state;
    thing def;
    memset(&def, 0xff, sizeof def);
    gyre_property_defaults(table, &def, sizeof def);
    assert_int_equal(def.untouched, 0);
    assert_true(def.shiny);
    assert_int_equal(def.cells[1], 32);
    assert_true(def.gravity[1] == -9.81f);
    assert_int_equal(def.rule, 2);
    assert_string_equal(def.label, "");
    assert_int_equal(def.nest.big, 3);
    assert_true(def.nest.fine == 0.25);
    assert_int_equal(def.where.kind, 0);
    assert_true(def.where.as.ball.radius == 0.1f);
    assert_int_equal(def.sources.count, 0);
    assert_int_equal(gyre_property_check(table, &def, ""), GYRE_OK);
}

static void refused(const fixture *f, const char *message)
{
    assert_int_equal(gyre_property_check(table, &f->def, "gas"), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(), message);
}

static void check_says_what_is_wrong(void **state)
{
    (void)state;
    fixture f;
    reset(&f);
    assert_int_equal(gyre_property_check(table, &f.def, "gas"), GYRE_OK);
    f.def.viscosity = -1;
    refused(&f, "gas.viscosity: found -1, expected a number from 0 to 10 (m^2/s)");
    reset(&f);
    f.def.gravity[2] = (float)strtod("nan", NULL);
    refused(&f, "gas.gravity: found nan (component 2), expected 3 numbers, each from -1000 to 1000 "
                "(m/s^2)");
    reset(&f);
    f.def.rule = 3;
    refused(&f, "gas.rule: found index 3, expected one of \"slip\", \"no_slip\", \"open\"");
    reset(&f);
    f.def.where.kind = -1;
    refused(&f, "gas.where: found alternative -1, expected an object with exactly one of \"ball\", "
                "\"picture\"");
    reset(&f);
    f.sources[0].where.as.ball.radius = 1e9f;
    refused(&f, "gas.sources.0.where.ball.radius: found 1e+09, expected a number from 0 to 100 "
                "(m)");
    reset(&f);
    strcpy(f.sources[1].name, "jet");
    refused(&f, "gas.sources.1.name: found \"jet\", which is the name of element 0, expected a "
                "name of its own");
    strcpy(f.sources[1].name, "a.b");
    refused(&f, "gas.sources.1.name: found \"a.b\", expected a name without dots that is not a "
                "number");
    reset(&f);
    f.samples[3] = (float)strtod("inf", NULL);
    refused(&f, "gas.sources.1.where.picture.data: sample 3 of the array is not finite, expected "
                "finite numbers");
    reset(&f);
    f.def.sources.count = CAPACITY + 1;
    refused(&f, "gas.sources: found 5 elements of a capacity of 4, expected a list that fits");
    reset(&f);
    memset(f.def.label, 'x', sizeof f.def.label);
    refused(&f, "gas.label: found a text without an end, expected a text of at most 7 bytes");
}

static gyre_result walk(fixture *f, const char *path, const gyre_property **p, void **at)
{
    return gyre_property_walk(table, &f->def, path, p, at);
}

static void walk_reaches_every_leaf(void **state)
{
    (void)state;
    fixture f;
    reset(&f);
    const gyre_property *p;
    void *at;
    assert_int_equal(walk(&f, "viscosity", &p, &at), GYRE_OK);
    assert_ptr_equal(at, &f.def.viscosity);
    assert_int_equal(walk(&f, "nest.inner", &p, &at), GYRE_OK);
    assert_ptr_equal(at, &f.def.nest.inner);
    assert_int_equal(walk(&f, "where.ball.radius", &p, &at), GYRE_OK);
    assert_ptr_equal(at, &f.def.where.as.ball.radius);
    assert_int_equal(walk(&f, "sources.1.rate", &p, &at), GYRE_OK);
    assert_ptr_equal(at, &f.sources[1].rate);
    assert_int_equal(walk(&f, "sources.jet.where.ball.centre", &p, &at), GYRE_OK);
    assert_ptr_equal(at, f.sources[0].where.as.ball.centre);
    assert_string_equal(p->name, "centre");
}

static void walk_names_the_nearest(void **state)
{
    (void)state;
    fixture f;
    reset(&f);
    const gyre_property *p;
    void *at;
    static const struct {
        const char *path, *message;
    } cases[] = {
        {"nu", "nu: \"nu\" is called \"viscosity\" now"},
        {"thickness", "thickness: \"thickness\" is called \"viscosity\" now"},
        {"where.image.threshold", "where.image: \"image\" is called \"picture\" now"},
        {"viscsoity", "viscsoity: unknown property \"viscsoity\", did you mean \"viscosity\"?"},
        {"nest.iner", "nest.iner: unknown property \"iner\", did you mean \"inner\"?"},
        {"sources.jett.rate", "sources.jett: unknown element \"jett\", did you mean \"jet\"?"},
        {"sources.2.rate", "sources.2: unknown element \"2\", the list has 2 elements"},
        {"sources.99999999999999999999.rate", NULL},
        {"where.bal.radius", "where.bal: unknown alternative \"bal\", did you mean \"ball\"?"},
        {"where.picture.threshold",
         "where.picture: found \"picture\", but the where is now a \"ball\""},
        {"nest", "nest: found a group, expected the name of one of its members"},
        {"nest.zzzzzzzz", "nest.zzzzzzzz: unknown property \"zzzzzzzz\", expected one of "
                          "\"inner\", \"big\", \"fine\""},
        {"viscosity.more", "viscosity.more: found \"more\" after viscosity, which has no members"},
        {"sources", NULL},
        {"sources.jet", NULL},
        {"where", NULL},
        {"where.ball", NULL},
        {"", NULL},
        {".", NULL},
        {"nest..inner", NULL},
        {"nest.", NULL},
    };
    for (int i = 0; i < GY_COUNT(cases); i++) {
        assert_int_equal(walk(&f, cases[i].path, &p, &at), GYRE_ERROR_ARGUMENT);
        if (cases[i].message) {
            assert_string_equal(gyre_message(), cases[i].message);
        }
    }
    assert_string_equal(gyre_property_nearest(table, "gravty"), "gravity");
    assert_string_equal(gyre_property_nearest(table, "visc"), "viscosity");
    assert_null(gyre_property_nearest(table, "completely_else"));
    assert_string_equal(gyre_property_renamed(table, "nu"), "viscosity");
    assert_string_equal(gyre_property_renamed(table, "thickness"), "viscosity");
    assert_null(gyre_property_renamed(table, "nu thickness"));
    assert_null(gyre_property_renamed(table, "n"));
    assert_null(gyre_property_renamed(table, ""));
    assert_null(gyre_property_renamed(table, "viscosity"));
}

static void write_checks_kind_count_and_range(void **state)
{
    (void)state;
    fixture f;
    reset(&f);
    const gyre_property *p = gyre_property_find(table, "viscosity");
    gyre_value v = gyre_number(2);
    assert_int_equal(gyre_property_write(p, &f.def.viscosity, &v), GYRE_OK);
    assert_true(f.def.viscosity == 2);
    const double bad[] = {-1, 11, strtod("nan", NULL), strtod("inf", NULL), 1e300};
    for (int i = 0; i < GY_COUNT(bad); i++) {
        v = gyre_number(bad[i]);
        assert_int_equal(gyre_property_write(p, &f.def.viscosity, &v), GYRE_ERROR_ARGUMENT);
        assert_true(f.def.viscosity == 2);
    }
    v = gyre_string("thick");
    assert_int_equal(gyre_property_write(p, &f.def.viscosity, &v), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(),
                        "viscosity: found \"thick\", expected a number from 0 to 10 (m^2/s)");
    v = gyre_vector(2, (const float[]){1, 2});
    assert_int_equal(gyre_property_write(p, &f.def.viscosity, &v), GYRE_ERROR_ARGUMENT);

    p = &table[CELLS];
    v = gyre_vector(3, (const float[]){1, 2.5f, 3});
    assert_int_equal(gyre_property_write(p, f.def.cells, &v), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(), "cells: found 2.5 (component 1), expected 3 whole numbers, "
                                        "each from 1 to 4096");
    assert_int_equal(f.def.cells[0], 64);

    p = &table[RULE];
    v = gyre_string("no_slip");
    assert_int_equal(gyre_property_write(p, &f.def.rule, &v), GYRE_OK);
    assert_int_equal(f.def.rule, 1);
    v = gyre_string("oepn");
    assert_int_equal(gyre_property_write(p, &f.def.rule, &v), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(), "rule: found \"oepn\" (did you mean \"open\"?), expected "
                                        "one of \"slip\", \"no_slip\", \"open\"");
    v = (gyre_value){.kind = GYRE_ENUM, .count = 1, .number = {7}};
    assert_int_equal(gyre_property_write(p, &f.def.rule, &v), GYRE_ERROR_ARGUMENT);

    p = &table[LABEL];
    v = gyre_string("1234567");
    assert_int_equal(gyre_property_write(p, f.def.label, &v), GYRE_OK);
    v = gyre_string("12345678");
    assert_int_equal(gyre_property_write(p, f.def.label, &v), GYRE_ERROR_ARGUMENT);
    assert_string_equal(f.def.label, "1234567");
    v = gyre_number(1);
    assert_int_equal(gyre_property_write(&table[SHINY], &f.def.shiny, &v), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_property_write(&table[NEST], &f.def.nest, &v), GYRE_ERROR_ARGUMENT);
}

static void a_float_read_back_fits_its_own_range(void **state)
{
    (void)state;
    fixture f;
    reset(&f);
    // 0.3 as a float is more than 0.3 as a double.
    const gyre_property *p = &nest_table[0];
    gyre_value v = gyre_number(0.3);
    assert_int_equal(gyre_property_write(p, &f.def.nest.inner, &v), GYRE_OK);
    assert_int_equal(gyre_property_read(p, &f.def.nest.inner, &v), GYRE_OK);
    assert_int_equal(gyre_property_write(p, &f.def.nest.inner, &v), GYRE_OK);
    assert_int_equal(gyre_property_check(table, &f.def, ""), GYRE_OK);
}

static void read_gives_what_was_written(void **state)
{
    (void)state;
    fixture f;
    reset(&f);
    gyre_value v;
    assert_int_equal(gyre_property_read(&table[GRAVITY], f.def.gravity, &v), GYRE_OK);
    assert_int_equal(v.kind, GYRE_FLOAT);
    assert_int_equal(v.count, 3);
    assert_true(v.number[1] == (double)-9.81f);
    assert_int_equal(gyre_property_read(&table[RULE], &f.def.rule, &v), GYRE_OK);
    assert_string_equal(v.string, "open");
    assert_int_equal(gyre_property_read(&table[SHINY], &f.def.shiny, &v), GYRE_OK);
    assert_true(v.number[0] == 1);
    assert_int_equal(gyre_property_read(&nest_table[1], &f.def.nest.big, &v), GYRE_OK);
    assert_true(v.number[0] == 3);
    assert_int_equal(gyre_property_read(&table[SOURCES], &f.def.sources, &v), GYRE_ERROR_ARGUMENT);
}

static void text_becomes_a_value(void **state)
{
    (void)state;
    gyre_value v;
    assert_int_equal(gyre_property_parse(&table[VISCOSITY], "0.25", &v), GYRE_OK);
    assert_true(v.number[0] == 0.25);
    assert_int_equal(gyre_property_parse(&table[GRAVITY], "[0, -9.8, 1e2]", &v), GYRE_OK);
    assert_int_equal(v.count, 3);
    assert_true(v.number[2] == 100);
    assert_int_equal(gyre_property_parse(&table[GRAVITY], "0,-9.8,1", &v), GYRE_OK);
    assert_int_equal(gyre_property_parse(&table[SHINY], "false", &v), GYRE_OK);
    assert_true(v.kind == GYRE_BOOL && v.number[0] == 0);
    assert_int_equal(gyre_property_parse(&table[RULE], "slip", &v), GYRE_OK);
    assert_true(v.kind == GYRE_ENUM && v.number[0] == 0);
    assert_int_equal(gyre_property_parse(&table[LABEL], "a b", &v), GYRE_OK);
    assert_string_equal(v.string, "a b");
    static const char *const numbers[] = {"",   "nan", "inf", "0x10", "1e999", "1 2", "1,",   "[1",
                                          "1]", "-",   ".",   "1;",   "11",    "-1",  "[1,2]"};
    for (int i = 0; i < GY_COUNT(numbers); i++) {
        assert_int_equal(gyre_property_parse(&table[VISCOSITY], numbers[i], &v),
                         GYRE_ERROR_ARGUMENT);
    }
    static const char *const vectors[] = {"1,2", "1,2,3,4", "1,2,3,4,5", "[1,2,3]]", "[1,2,3"};
    for (int i = 0; i < GY_COUNT(vectors); i++) {
        assert_int_equal(gyre_property_parse(&table[GRAVITY], vectors[i], &v), GYRE_ERROR_ARGUMENT);
    }
    assert_int_equal(gyre_property_parse(&table[SHINY], "maybe", &v), GYRE_ERROR_ARGUMENT);
    assert_string_equal(gyre_message(), "shiny: found \"maybe\", expected true or false");
    assert_int_equal(gyre_property_parse(&table[RULE], "closed", &v), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_property_parse(&table[LABEL], "far too long", &v), GYRE_ERROR_ARGUMENT);
    assert_int_equal(gyre_property_parse(&table[SOURCES], "x", &v), GYRE_ERROR_ARGUMENT);
}

static void packed_and_unpacked_is_the_same(void **state)
{
    (void)state;
    fixture f, g;
    reset(&f);
    reset(&g);
    f.def.shiny = false;
    f.def.viscosity = 3;
    f.def.nest.big = -7;
    f.def.rule = 0;
    strcpy(f.def.label, "abc");
    f.def.sources.count = 3;
    strcpy(f.sources[2].name, "third");
    f.sources[2].where.kind = 1;
    f.sources[2].where.as.picture.data = f.sources[1].where.as.picture.data;
    f.sources[2].where.as.picture.threshold = 0.75f;
    f.sources[0].rate = 9;
    size_t size = gy_property_pack_size(table, &f.def);
    unsigned char *bytes = malloc(size), *again = malloc(size);
    gy_property_pack(table, &f.def, bytes);
    assert_int_equal(gy_property_unpack(table, &g.def, bytes, size), GYRE_OK);
    assert_int_equal(g.def.sources.count, 3);
    assert_ptr_equal(g.def.sources.items, g.sources);
    assert_true(g.sources[0].rate == 9);
    assert_ptr_equal(g.sources[2].where.as.picture.data.data, g.samples);
    assert_int_equal(gy_property_pack_size(table, &g.def), size);
    gy_property_pack(table, &g.def, again);
    assert_memory_equal(bytes, again, size);
    assert_int_equal(gyre_property_check(table, &g.def, ""), GYRE_OK);
    free(bytes);
    free(again);
}

static void unpack_refuses_another_def(void **state)
{
    (void)state;
    fixture f, g;
    reset(&f);
    size_t size = gy_property_pack_size(table, &f.def);
    unsigned char *bytes = calloc(1, size + 1);
    gy_property_pack(table, &f.def, bytes);
    reset(&g);
    g.def.cells[1] = 33;
    assert_int_equal(gy_property_unpack(table, &g.def, bytes, size), GYRE_ERROR_FORMAT);
    assert_string_equal(gyre_message(), "saved properties: cells is fixed at create and differs "
                                        "from what was saved");
    reset(&g);
    g.samples[0] = 5;
    assert_int_equal(gy_property_unpack(table, &g.def, bytes, size), GYRE_ERROR_FORMAT);
    reset(&g);
    g.def.sources.count = g.def.sources.capacity = 1;
    assert_int_equal(gy_property_unpack(table, &g.def, bytes, size), GYRE_ERROR_FORMAT);
    assert_int_equal(gy_property_unpack(source_table, &g.sources[0], bytes, size),
                     GYRE_ERROR_FORMAT);
    reset(&g);
    assert_int_equal(gy_property_unpack(table, &g.def, bytes, size + 1), GYRE_ERROR_FORMAT);
    free(bytes);
}

static void unpack_refuses_damage_and_changes_nothing(void **state)
{
    (void)state;
    fixture f, g, h;
    reset(&f);
    size_t size = gy_property_pack_size(table, &f.def);
    unsigned char *bytes = malloc(size);
    gy_property_pack(table, &f.def, bytes);
    for (size_t cut = 0; cut < size; cut++) {
        // A block of its own, so that a read past the end is seen by the sanitizer.
        unsigned char *piece = malloc(cut ? cut : 1);
        memcpy(piece, bytes, cut);
        reset(&g);
        memcpy(&h, &g, sizeof h);
        assert_int_equal(gy_property_unpack(table, &g.def, piece, cut), GYRE_ERROR_FORMAT);
        assert_memory_equal(&g, &h, sizeof g);
        free(piece);
    }
    static const unsigned char patterns[] = {0, 1, 0x7f, 0xff};
    for (size_t i = 0; i < size; i++) {
        for (int k = 0; k < GY_COUNT(patterns); k++) {
            unsigned char before = bytes[i];
            bytes[i] = patterns[k];
            reset(&g);
            memcpy(&h, &g, sizeof h);
            if (gy_property_unpack(table, &g.def, bytes, size)) {
                assert_memory_equal(&g, &h, sizeof g);
            } else {
                // Each value is sound; that names differ is a matter of the whole list.
                gyre_result result = gyre_property_check(table, &g.def, "");
                assert_true(result == GYRE_OK || strstr(gyre_message(), ".name: found"));
            }
            bytes[i] = before;
        }
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_every_kind),
        cmocka_unit_test(check_says_what_is_wrong),
        cmocka_unit_test(walk_reaches_every_leaf),
        cmocka_unit_test(walk_names_the_nearest),
        cmocka_unit_test(write_checks_kind_count_and_range),
        cmocka_unit_test(a_float_read_back_fits_its_own_range),
        cmocka_unit_test(read_gives_what_was_written),
        cmocka_unit_test(text_becomes_a_value),
        cmocka_unit_test(packed_and_unpacked_is_the_same),
        cmocka_unit_test(unpack_refuses_another_def),
        cmocka_unit_test(unpack_refuses_damage_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
