// A state is saved and loaded by several threads as by one: the same bytes, the same bits after,
// whatever its fields lie in, and what is not finite is found by whichever thread has it.
// labels: small threads
#include "base/base.h"
#include "water_case.h"

#include <gyre/gas.h>

#include <math.h>

enum { DEVICES = 3 };

static const int threads[DEVICES] = {1, 2, 7};

/// Fields of over a megabyte: below it one thread does it all.
static gyre_model *gas_of(gyre_device *on, int dim)
{
    gyre_gas_def def = gyre_gas_default_def(dim);
    gyre_gas *gas = NULL;
    for (int a = 0; a < dim; a++) {
        def.grid.n[a] = dim == 2 ? 300 : 45;
    }
    def.grid.h = 1.0f / 45;
    OK(gyre_gas_create(on, &def, &gas));
    gyre_model *model = gyre_gas_model(gas);
    const float middle[3] = {0.5f, 0.4f, 0.5f};
    OK(gyre_model_splat(model, gyre_model_field(model, "density"), middle, 0.3f, 1.0f));
    return model;
}

static gyre_model *water_of(gyre_device *on, int which)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water = NULL;
    def.grid.n[0] = 300;
    def.grid.n[1] = 333;
    def.grid.h = 0.125f;
    def.mode = which == 0 ? GYRE_WATER_SHALLOW : GYRE_WATER_WAVE;
    if (which == 2) {
        def.sides.x_low.rule = def.sides.x_high.rule = GYRE_WATER_PERIODIC;
        def.sides.y_low.rule = def.sides.y_high.rule = GYRE_WATER_PERIODIC;
    }
    def.bed.flat = -2.0f;
    OK(gyre_water_create(on, &def, &water));
    const float middle[3] = {15.0f, 12.0f, 0.0f};
    OK(gyre_model_splat(gyre_water_model(water), 0, middle, 5.0f, 0.5f));
    return gyre_water_model(water);
}

/// Water of which part of the tiles have no memory.
static gyre_model *puddle_of(gyre_device *on)
{
    gyre_water_def def = gyre_water_default_def(2);
    gyre_water *water = NULL;
    def.grid.n[0] = def.grid.n[1] = 400;
    def.grid.h = 0.125f;
    def.mode = GYRE_WATER_SHALLOW;
    def.bed.flat = 1.0f;
    def.level = 0.0f;
    OK(gyre_water_create(on, &def, &water));
    const float middle[3] = {6.0f, 4.0f, 0.0f};
    OK(gyre_model_splat(gyre_water_model(water), 0, middle, 2.0f, 0.5f));
    return gyre_water_model(water);
}

enum { MODELS = 6 };

static gyre_model *model_of(gyre_device *on, int which)
{
    return which < 2 ? gas_of(on, which + 2) : which < 5 ? water_of(on, which - 2) : puddle_of(on);
}

typedef struct state {
    char *memory, *bytes; // `bytes` lie at an odd address
    size_t size;
} state;

static state save(const gyre_model *model, bool sure)
{
    state s = {.size = gyre_model_save_size(model)};
    s.memory = malloc(s.size + 1);
    assert_non_null(s.memory);
    s.bytes = s.memory + 1;
    OK((sure ? gyre_model_save : gyre_model_snapshot)(model, s.bytes, s.size, &s.size));
    return s;
}

static void step(gyre_model *model, int count)
{
    for (int s = 0; s < count; s++) {
        OK(gyre_model_step(model, 0.01f));
    }
}

static void any_number_of_threads_saves_and_loads_the_same(void **unused)
{
    (void)unused;
    for (int which = 0; which < MODELS; which++) {
        state first[2] = {{0}, {0}};
        uint64_t later = 0;
        for (int d = 0; d < DEVICES; d++) {
            gyre_device *on = device_of(threads[d], NULL);
            gyre_model *model = model_of(on, which), *other = model_of(on, which);
            step(model, 2);
            uint64_t then = gyre_model_hash(model);
            for (int sure = 0; sure < 2; sure++) {
                state s = save(model, sure);
                if (d == 0) {
                    first[sure] = s;
                } else {
                    assert_int_equal(s.size, first[sure].size);
                    assert_memory_equal(s.bytes, first[sure].bytes, s.size);
                    free(s.memory);
                }
                step(other, 1 + sure);
                OK(gyre_model_load(other, first[sure].bytes, first[sure].size));
                assert_true(gyre_model_hash(other) == then);
            }
            step(model, 2);
            step(other, 2);
            later = d == 0 ? gyre_model_hash(model) : later;
            assert_true(gyre_model_hash(model) == later && gyre_model_hash(other) == later);
            gyre_model_destroy(model);
            gyre_model_destroy(other);
            gyre_device_destroy(on);
        }
        free(first[0].memory);
        free(first[1].memory);
    }
}

/// Where a chunk's samples begin.
static char *samples_of(const state *s, const char *chunk, size_t *count)
{
    for (size_t at = 0; at + 80 < s->size; at++) {
        if (memcmp(s->bytes + at, chunk, strlen(chunk) + 1) == 0) {
            uint64_t size;
            memcpy(&size, s->bytes + at + 48 + 8, sizeof size);
            *count = (size_t)(size - 16) / sizeof(float);
            return s->bytes + at + 48 + 24 + 16;
        }
    }
    fail_msg("no %s", chunk);
    return NULL;
}

static void what_is_not_finite_is_found_wherever_it_is(void **unused)
{
    (void)unused;
    static const char *const fields[] = {"field.density", "field.density", "field.discharge_y"};
    for (int which = 0; which < 3; which++) {
        gyre_device *on = device_of(3, NULL);
        gyre_model *model = model_of(on, which);
        step(model, 1);
        uint64_t then = gyre_model_hash(model);
        state s = save(model, false);
        size_t count = 0;
        char *samples = samples_of(&s, fields[which], &count);
        const size_t places[] = {0, count / 3, count / 2 + 7, count - 1};
        for (int p = 0; p < 4; p++) {
            float was, bad = p % 2 ? NAN : -INFINITY;
            memcpy(&was, samples + places[p] * sizeof was, sizeof was);
            memcpy(samples + places[p] * sizeof was, &bad, sizeof bad);
            assert_int_equal(gyre_model_load(model, s.bytes, s.size), GYRE_ERROR_FORMAT);
            assert_non_null(strstr(gyre_message(), fields[which]));
            assert_true(gyre_model_hash(model) == then);
            memcpy(samples + places[p] * sizeof was, &was, sizeof was);
        }
        OK(gyre_model_load(model, s.bytes, s.size));
        free(s.memory);
        gyre_model_destroy(model);
        gyre_device_destroy(on);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_saves_and_loads_the_same),
        cmocka_unit_test(what_is_not_finite_is_found_wherever_it_is),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
