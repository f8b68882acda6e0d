// test/test_copy.c: fields read into a caller's memory, vectors at points, and what is said of a
// field that there is none of.
// labels: small threads
#define DEVICE_THREADS 3
#include "copy_rules.h"
#include "device_rig.h"
#include "gas_case.h"
#include "gyre/classic_model.h"

/// Numbers of both signs into what is carried; the second and the fifth are cut into pieces.
static void stir(gyre_model *model)
{
    int count;
    const gyre_field_info *info = gyre_model_fields(model, &count);
    uint32_t z = 7;
    for (int f = 0; f < count; f++) {
        gyre_field_view v;
        bool ground = !strcmp(info[f].name, "bed") || !strcmp(info[f].name, "displaced");
        if (info[f].derived || ground) {
            continue;
        }
        float low = strcmp(info[f].name, "depth") == 0 ? 0.5f : -1.0f;
        window_ok(gyre_model_map(model, f, GYRE_WRITE, &v));
        for (int i = 0; i < v.n[0] * v.n[1] * v.n[2]; i++) {
            int j = i / v.n[0], k = j / v.n[1];
            z = z * 1664525u + 1013904223u;
            v.data[i % v.n[0] + j % v.n[1] * v.stride[1] + k * v.stride[2]] =
                low + 1.7f * (float)(z >> 8) / 16777216.0f;
        }
        window_ok(gyre_model_unmap(model, f));
    }
}

static const struct {
    const char *type;
    int dim, n[3], mode;
} cases[] = {
    {"gas", 2, {37, 21, 1}, 0},
    {"gas", 3, {66, 60, 40}, 0},
    {"gas", 3, {9, 5, 11}, 1},
    {"water", 2, {70, 66, 1}, GYRE_WATER_SHALLOW},
    {"water", 2, {390, 350, 1}, GYRE_WATER_WAVE},
    {"water", 2, {70, 130, 1}, GYRE_WATER_WAVE},
    {"classic", 2, {19, 23, 1}, 0},
    {"classic", 3, {12, 7, 9}, 0},
    {"ocean", 2, {32, 64, 1}, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

static gyre_model *make(int which)
{
    int dim = cases[which].dim;
    gyre_gas_def gas = gyre_gas_default_def(dim);
    gyre_water_def water = gyre_water_default_def(2);
    gyre_classic_def classic = gyre_classic_default_def(dim);
    gyre_ocean_def ocean = gyre_ocean_default_def();
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    ocean.waves = (gyre_pool){&wave, 1, 1};
    const char *type = cases[which].type;
    gyre_grid *grid = !strcmp(type, "gas") ? &gas.grid : &classic.grid;
    const void *def = !strcmp(type, "gas") ? (const void *)&gas : &classic;
    if (!strcmp(type, "water")) {
        grid = &water.grid;
        def = &water;
        water.mode = cases[which].mode;
        water.bed.flat = -1.0f;
        if (cases[which].n[0] < cases[which].n[1]) {
            water.sides.x_low.rule = water.sides.x_high.rule = GYRE_WATER_PERIODIC;
            water.sides.y_high.rule = GYRE_WATER_OPEN;
        }
    } else if (!strcmp(type, "ocean")) {
        grid = &ocean.grid;
        def = &ocean;
    } else if (cases[which].mode) {
        gas.sides.y_low.rule = gas.sides.y_high.rule = GYRE_GAS_SIDE_PERIODIC;
        gas.sides.x_high.rule = GYRE_GAS_SIDE_OPEN;
    }
    memcpy(grid->n, cases[which].n, sizeof grid->n);
    grid->h = 1.0f / 32;
    grid->origin[0] = 0.25f;
    gyre_model *model = NULL;
    window_ok(gyre_model_create(the_device, type, def, &model));
    stir(model);
    window_ok(gyre_model_step(model, 0.002f));
    return model;
}

static void copies_are_what_windows_show(void **state)
{
    (void)state;
    for (int which = 0; which < CASES; which++) {
        gyre_model *model = make(which);
        copy_rules(model, true);
        gyre_model_destroy(model);
    }
}

// A model that comes has to be tried here, too.
static void every_model_is_tried(void **state)
{
    (void)state;
    for (int i = 0; gyre_model_type_name(i); i++) {
        int tried = 0;
        for (int which = 0; which < CASES; which++) {
            tried += strcmp(cases[which].type, gyre_model_type_name(i)) == 0;
        }
        assert_true(tried > 0);
    }
}

// Numbers that a half or a byte cannot hold, halfway between two, and none at all.
static void formats_have_their_limits(void **state)
{
    (void)state;
    const float numbers[] = {
        0.0f,       -0.0f,        1e-45f,       -1e-38f,   0x1p-25f,      0x1.000002p-25f,
        0x1.8p-24f, 0x1.ffep-15f, 0x1.fffp-15f, -0x1p-14f, 0x1.0002p-14f, 0x1.002p0f,
        0x1.006p0f, 0x1.00201p0f, 0x1.ffep0f,   65504.0f,  65519.0f,      65520.0f,
        -1e30f,     3.4e38f,      INFINITY,     -INFINITY, NAN,           0.5f};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    gyre_model *model = make(0);
    gyre_field_view v;
    int field = gyre_model_field(model, "density");
    window_ok(gyre_model_map(model, field, GYRE_WRITE, &v));
    memcpy(v.data, numbers, sizeof numbers);
    for (int format = GYRE_COPY_HALF; format <= GYRE_COPY_BYTE; format++) {
        char got[2 * COUNT] = {0};
        gyre_copy what = {.field = field,
                          .size = {COUNT, 1, 1},
                          .format = format,
                          .range = {-0.5f, 0.5f},
                          .to = got,
                          .bytes = sizeof got};
        window_ok(gyre_model_copy(model, &what));
        for (int i = 0; i < COUNT; i++) {
            copy_compare(&what, "limits", got + i * (format == GYRE_COPY_HALF ? 2 : 1), numbers[i]);
        }
    }
    // Without a range from 0 to 1.
    uint8_t byte[2];
    v.data[1] = 0.2f;
    window_ok(gyre_model_copy(
        model,
        &(gyre_copy){
            .field = field, .size = {2, 1, 1}, .format = GYRE_COPY_BYTE, .to = byte, .bytes = 2}));
    assert_int_equal(byte[1], 51);
    assert_true(gyre_model_unmap(model, field) == GYRE_ERROR_ARGUMENT); // not all were finite
    gyre_model_destroy(model);
}

// ---- refusals

static void refused(gyre_model *model, gyre_copy what, const char *word)
{
    float memory[64];
    memset(memory, COPY_GUARD, sizeof memory);
    what.to = memory;
    if (gyre_model_copy(model, &what) != GYRE_ERROR_ARGUMENT || !strstr(gyre_message(), word)) {
        fail_msg("\"%s\" does not speak of %s", gyre_message(), word);
    }
    for (size_t b = 0; b < sizeof memory; b++) {
        assert_int_equal(((unsigned char *)memory)[b], COPY_GUARD);
    }
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    gyre_model *model = make(2); // 9 x 5 x 11
    int field = gyre_model_field(model, "density");
    const gyre_copy good = {.field = field, .size = {2, 2, 2}, .bytes = 32};
    const float range[][2] = {{1, 1}, {2, 1}, {0, INFINITY}, {NAN, 1}, {1, 0x1.000002p0f}};
    gyre_copy what = good;
    what.bytes = 31;
    refused(model, what, "31 bytes");
    what = good;
    what.low[1] = 4;
    refused(model, what, "along y");
    what.low[1] = -1;
    refused(model, what, "along y");
    what = good;
    what.low[2] = 11;
    what.size[2] = 0;
    refused(model, what, "along z");
    what.size[2] = -1;
    refused(model, what, "along z");
    what = good;
    what.low[0] = 2147483647;
    refused(model, what, "along x");
    what = good;
    what.format = 3;
    refused(model, what, "format 3");
    what.format = -1;
    refused(model, what, "format -1");
    what.format = GYRE_COPY_BYTE;
    for (int r = 0; r < 4; r++) {
        memcpy(what.range, range[r], sizeof range[r]);
        refused(model, what, "bytes stand for");
    }
    // Samples on one another; so far apart that sizes overflow.
    what = good;
    what.bytes = 256;
    what.stride[0] = 3;
    refused(model, what, "stride of 3");
    what = good;
    what.bytes = 256;
    what.stride[1] = 4;
    refused(model, what, "stride of 4");
    what.stride[1] = SIZE_MAX / 2 + 2;
    refused(model, what, "256 bytes");
    what.bytes = SIZE_MAX;
    what.stride[2] = SIZE_MAX;
    refused(model, what, "bytes");
    // A vector's sizes are those that all components have.
    what = (gyre_copy){.vector = "velocity", .low = {9, 0, 0}, .size = {1, 1, 1}, .bytes = 256};
    refused(model, what, "along x");
    what = (gyre_copy){.vector = "velocity", .size = {2, 1, 1}, .bytes = 256, .stride = {8}};
    refused(model, what, "stride of 8");
    what = (gyre_copy){.vector = "velocty", .bytes = 256};
    refused(model, what, "did you mean \"velocity\"");
    what = (gyre_copy){.vector = "density", .bytes = 256};
    refused(model, what, "no vector \"density\"");
    what = good;
    what.field = 99;
    refused(model, what, "index 99");
    // A struct of later headers asks for what these do not know.
    struct {
        gyre_copy known;
        int more[4];
    } later = {.known = good};
    float memory[8];
    later.known.to = memory;
    window_ok(gyre_model_copy_sized(model, &later.known, sizeof later));
    later.more[3] = 1;
    assert_int_equal(gyre_model_copy_sized(model, &later.known, sizeof later), GYRE_ERROR_ARGUMENT);
    // One of earlier headers has no strides.
    window_ok(gyre_model_copy_sized(model, &later.known, offsetof(gyre_copy, stride)));
    gyre_model_destroy(model);
}

static void bad_probes_are_refused(void **state)
{
    (void)state;
    gyre_model *model = make(3);
    float value[6] = {1, 1, 1, 1, 1, 1};
    const float points[6] = {0.5f, 0.5f, NAN, 0.5f, NAN, 0.5f};
    assert_int_equal(gyre_model_probe_vector(model, "velocty", points, 1, value),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "did you mean \"velocity\""));
    assert_int_equal(gyre_model_probe_vector(model, "velocity", points, 2, value),
                     GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "point 1"));
    for (int i = 0; i < 6; i++) {
        assert_true(value[i] == 1.0f);
    }
    // What is made from what is being written is not known yet.
    gyre_field_view v;
    window_ok(gyre_model_map(model, 0, GYRE_WRITE, &v));
    window_state(gyre_model_probe_vector(model, "velocity", points, 1, value), "depth");
    window_ok(gyre_model_probe_vector(model, "discharge", points, 1, value));
    window_ok(gyre_model_unmap(model, 0));
    window_ok(gyre_model_probe_vector(model, "velocity", points, 1, value));
    assert_true(value[2] == 0.0f);
    gyre_model_destroy(model);
}

// ---- what is said of a field that there is none of

static void names(const char *call)
{
    if (!strstr(gyre_message(), "no field \"temprature\", did you mean \"temperature\"") ||
        strncmp(gyre_message(), call, strlen(call)) != 0) {
        fail_msg("%s says \"%s\"", call, gyre_message());
    }
}

static void an_unknown_name_is_named_by_the_verb_that_gets_its_index(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas *gas = NULL, *other = NULL;
    gyre_field_view v;
    float points[3] = {0}, value[1];
    gas_case_size(&def, 12, 9, 1, 1.0f);
    window_ok(gyre_gas_create(the_device, &def, &gas));
    window_ok(gyre_gas_create(the_device, &def, &other));
    gyre_model *model = gyre_gas_model(gas);
    const char *name = "temprature";
    assert_int_equal(gyre_gas_splat(gas, gyre_gas_field(gas, name), points, 0.1f, 1.0f),
                     GYRE_ERROR_ARGUMENT);
    names("splat: ");
    assert_int_equal(gyre_gas_map(gas, gyre_gas_field(gas, name), GYRE_READ, &v),
                     GYRE_ERROR_ARGUMENT);
    names("map: ");
    assert_int_equal(gyre_gas_unmap(gas, gyre_gas_field(gas, name)), GYRE_ERROR_ARGUMENT);
    names("unmap: ");
    assert_int_equal(gyre_gas_probe(gas, gyre_gas_field(gas, name), points, 1, value),
                     GYRE_ERROR_ARGUMENT);
    names("probe: ");
    assert_int_equal(gyre_gas_set_source(gas, gyre_gas_field(gas, name), NULL),
                     GYRE_ERROR_ARGUMENT);
    names("set_source: ");
    gyre_gas_get_budget(gas, gyre_gas_field(gas, name));
    names("get_budget: ");
    gyre_model_total(model, gyre_gas_field(gas, name));
    names("total: ");
    assert_int_equal(gyre_model_copy(model, &(gyre_copy){.field = gyre_gas_field(gas, name),
                                                         .to = value,
                                                         .bytes = sizeof value}),
                     GYRE_ERROR_ARGUMENT);
    names("copy: ");
    // An index kept for later still tells its name; another model's, or another index, does not.
    int kept = gyre_gas_field(gas, name);
    gyre_gas_step(gas, -1.0f);
    gyre_model_total(model, kept);
    names("total: ");
    gyre_model_total(gyre_gas_model(other), kept);
    assert_null(strstr(gyre_message(), name));
    assert_non_null(strstr(gyre_message(), "index -1"));
    gyre_model_total(model, 77);
    assert_non_null(strstr(gyre_message(), "index 77"));
    gyre_gas_destroy(gas);
    gyre_gas_destroy(other);
}

// A def made in C has arrays, and no files.
static void a_missing_array_is_called_one(void **state)
{
    (void)state;
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_gas *gas = NULL;
    gyre_gas_solid solid = gyre_gas_default_solid();
    solid.shape.kind = GYRE_SHAPE_VOLUME;
    memset(&solid.shape.as.volume, 0, sizeof solid.shape.as.volume);
    def.solids = (gyre_pool){&solid, 1, 1};
    assert_int_equal(gyre_gas_create(the_device, &def, &gas), GYRE_ERROR_ARGUMENT);
    if (!strstr(gyre_message(),
                "solids.0.shape.volume.data: found nothing (data is NULL), expected an array of "
                "n[0] * n[1] * n[2] floats") ||
        strstr(gyre_message(), "file")) {
        fail_msg("\"%s\"", gyre_message());
    }
    // What may be left out is told how.
    gyre_water_def water = gyre_water_default_def(2);
    gyre_water *made = NULL;
    gyre_water_body body = gyre_water_default_body();
    body.points = (gyre_volume){NULL, {3, 4, 1}, NULL};
    water.bodies = (gyre_pool){&body, 1, 1};
    assert_int_equal(gyre_water_create(the_device, &water, &made), GYRE_ERROR_ARGUMENT);
    assert_non_null(strstr(gyre_message(), "bodies.0.points: found nothing (data is NULL)"));
    assert_non_null(strstr(gyre_message(), "0 x 0 x 0 for none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_what_windows_show),
        cmocka_unit_test(every_model_is_tried),
        cmocka_unit_test(formats_have_their_limits),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(bad_probes_are_refused),
        cmocka_unit_test(an_unknown_name_is_named_by_the_verb_that_gets_its_index),
        cmocka_unit_test(a_missing_array_is_called_one),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
