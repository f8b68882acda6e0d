// test/test_null_ocean.c: NULL where an ocean needs something is refused with a message
// (gyre/base.h has the rule).
// labels: small
#include "null_check.h"
#include "test/check.h"

#include "gyre/gyre.h"

static gyre_device *device;
static gyre_ocean *ocean;

static int make_all(void **state)
{
    (void)state;
    gyre_device_def def = gyre_default_device_def();
    gyre_ocean_def sea = gyre_ocean_default_def();
    def.threads = 1;
    sea.patch.cells = 64;
    sea.patch.cascades = 1;
    must(gyre_device_create(&def, &device));
    must(gyre_ocean_create(device, &sea, &ocean));
    return 0;
}

static int drop_all(void **state)
{
    (void)state;
    gyre_ocean_destroy(ocean);
    gyre_device_destroy(device);
    return 0;
}

static void nothing_bad(void)
{
    int bad = null_bad;
    null_bad = 0;
    assert_int_equal(bad, 0);
}

static void oceans(void **state)
{
    (void)state;
    gyre_ocean *made = NULL;
    gyre_ocean_def def = gyre_ocean_default_def();
    gyre_value value;
    size_t written;
    char bytes[64];
    REFUSED(gyre_ocean_create(NULL, &def, &made))
    REFUSED(gyre_ocean_create(device, NULL, &made))
    REFUSED(gyre_ocean_create(device, &def, NULL))
    NOTHING(gyre_ocean_size(NULL))
    NOTHING(gyre_ocean_model(NULL))
    NO_OP(gyre_ocean_destroy(NULL))
    SPOKEN(gyre_ocean_fill_def(NULL, 8, 2))
    SPOKEN(gyre_ocean_read_stats(ocean, NULL, 8))
    SPOKEN(gyre_ocean_get_stats(NULL))
    REFUSED(gyre_ocean_step(NULL, 0.1f))
    REFUSED(gyre_ocean_set(NULL, "depth", gyre_number(1)))
    REFUSED(gyre_ocean_set(ocean, NULL, gyre_number(1)))
    REFUSED(gyre_ocean_get(NULL, "depth", &value))
    REFUSED(gyre_ocean_get(ocean, NULL, &value))
    REFUSED(gyre_ocean_get(ocean, "depth", NULL))
    NOTHING(gyre_ocean_hash(NULL))
    NOTHING(gyre_ocean_save_size(NULL))
    REFUSED(gyre_ocean_save(NULL, bytes, 64, &written))
    REFUSED(gyre_ocean_save(ocean, NULL, 64, &written))
    REFUSED(gyre_ocean_load(NULL, bytes, 64))
    REFUSED(gyre_ocean_load(ocean, NULL, 64))
    nothing_bad();
}

static void elements(void **state)
{
    (void)state;
    gyre_ocean_wave wave = gyre_ocean_default_wave();
    gyre_ocean_sea sea = gyre_ocean_default_sea();
    gyre_ocean_emitter emitter = gyre_ocean_default_emitter();
    NOTHING(gyre_ocean_add_wave(NULL, &wave))
    NOTHING(gyre_ocean_add_wave(ocean, NULL))
    NOTHING(gyre_ocean_add_sea(NULL, &sea))
    NOTHING(gyre_ocean_add_sea(ocean, NULL))
    NOTHING(gyre_ocean_add_emitter(NULL, &emitter))
    NOTHING(gyre_ocean_add_emitter(ocean, NULL))
    REFUSED(gyre_ocean_update_wave(NULL, 1, &wave))
    REFUSED(gyre_ocean_update_wave(ocean, 1, NULL))
    REFUSED(gyre_ocean_update_sea(NULL, 1, &sea))
    REFUSED(gyre_ocean_update_sea(ocean, 1, NULL))
    REFUSED(gyre_ocean_update_emitter(NULL, 1, &emitter))
    REFUSED(gyre_ocean_update_emitter(ocean, 1, NULL))
    REFUSED(gyre_ocean_read_wave(NULL, 1, &wave))
    REFUSED(gyre_ocean_read_wave(ocean, 1, NULL))
    REFUSED(gyre_ocean_read_sea(NULL, 1, &sea))
    REFUSED(gyre_ocean_read_sea(ocean, 1, NULL))
    REFUSED(gyre_ocean_read_emitter(NULL, 1, &emitter))
    REFUSED(gyre_ocean_read_emitter(ocean, 1, NULL))
    REFUSED(gyre_ocean_remove(NULL, 1))
    nothing_bad();
}

static void fields_and_questions(void **state)
{
    (void)state;
    const float point[3] = {0.5f, 0.5f, 0.0f};
    const double places[2] = {0.0, 0.0};
    float value, tile[64 * 64];
    int count;
    gyre_field_view view;
    gyre_ocean_sample sample;
    REFUSED(gyre_ocean_splat(NULL, 0, point, 1.0f, 1.0f))
    REFUSED(gyre_ocean_splat(ocean, 0, NULL, 1.0f, 1.0f))
    REFUSED(gyre_ocean_probe(NULL, 0, point, 1, &value))
    REFUSED(gyre_ocean_probe(ocean, 0, NULL, 1, &value))
    REFUSED(gyre_ocean_probe(ocean, 0, point, 1, NULL))
    NOTHING(gyre_ocean_fields(NULL, &count))
    NOTHING(gyre_ocean_fields(ocean, NULL))
    NO_INDEX(gyre_ocean_field(NULL, "foam"))
    NO_INDEX(gyre_ocean_field(ocean, NULL))
    REFUSED(gyre_ocean_map(NULL, 0, GYRE_READ, &view))
    REFUSED(gyre_ocean_map(ocean, 0, GYRE_READ, NULL))
    REFUSED(gyre_ocean_unmap(NULL, 0))
    REFUSED(gyre_ocean_query(NULL, 0.0, 0.0f, places, 1, &sample))
    REFUSED(gyre_ocean_query(ocean, 0.0, 0.0f, NULL, 1, &sample))
    REFUSED(gyre_ocean_query(ocean, 0.0, 0.0f, places, 1, NULL))
    REFUSED(gyre_ocean_tile(NULL, 0, 0.0, tile, tile, tile))
    nothing_bad();
}

static void every_function_is_tried(void **state)
{
    (void)state;
    null_covers("test/test_null_ocean.c", "include/gyre/ocean.h");
    nothing_bad();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oceans),
        cmocka_unit_test(elements),
        cmocka_unit_test(fields_and_questions),
        cmocka_unit_test(every_function_is_tried),
    };
    return cmocka_run_group_tests(tests, make_all, drop_all);
}
