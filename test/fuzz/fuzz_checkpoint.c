// test/fuzz/fuzz_checkpoint.c: any bytes are a saved state or are refused, and a refused one leaves
// the model as it was. A checksum keeps random bytes out, so it is put right first.
#include "gyre/model.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 128, CHECKSUM = 120 }; // see src/model/save.c

// The library's own hash; the static library has it.
uint64_t gy_hash(const void *bytes, size_t size, uint64_t seed);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static gyre_model *make_model(void)
{
    static const char *const values[][2] = {{"grid.n", "6,5,1"}, {"grid.h", "0.1"}};
    gyre_device_def device_def = gyre_default_device_def();
    gyre_device *device = NULL;
    gyre_model *model = NULL;
    size_t size;
    const char *type = gyre_model_type_name(0);
    const gyre_property *table = gyre_model_type_properties(type, &size), *property;
    void *def = calloc(1, size), *address;
    gyre_value value;
    device_def.threads = 1;
    if (!def || gyre_device_create(&device_def, &device) || gyre_model_default_def(type, 2, def)) {
        abort();
    }
    for (int i = 0; i < 2; i++) {
        if (gyre_property_walk(table, def, values[i][0], &property, &address) ||
            gyre_property_parse(property, values[i][1], &value) ||
            gyre_property_write(property, address, &value)) {
            abort();
        }
    }
    if (gyre_model_create(device, type, def, &model)) {
        abort();
    }
    free(def);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static gyre_model *model;
    static uint8_t *good;
    static size_t good_size;
    if (!model) {
        model = make_model();
        good_size = gyre_model_save_size(model);
        good = malloc(good_size);
        if (!good || gyre_model_save(model, good, good_size)) {
            abort();
        }
    }
    // The input: how many bytes to cut, then pairs of a place and a new byte.
    size_t cut = size > 0 && bytes[0] < 8 ? bytes[0] : 0;
    uint8_t *state = malloc(good_size);
    memcpy(state, good, good_size);
    for (size_t i = 1; i + 2 < size; i += 3) {
        size_t at = (bytes[i] | (size_t)bytes[i + 1] << 8) % good_size;
        state[at] = bytes[i + 2];
    }
    size_t left = good_size - cut;
    memset(state + CHECKSUM, 0, 8);
    uint64_t sum = gy_hash(state + HEADER, left - HEADER, gy_hash(state, HEADER, 0));
    memcpy(state + CHECKSUM, &sum, sizeof sum);
    uint8_t *exact = malloc(left); // so that a read past the end is seen
    memcpy(exact, state, left);
    uint64_t before = gyre_model_hash(model);
    if (gyre_model_load(model, exact, left)) {
        if (gyre_model_hash(model) != before || !gyre_message()[0]) {
            abort();
        }
    } else if (gyre_model_step(model, 0.01f) || gyre_model_load(model, good, good_size)) {
        abort();
    }
    free(exact);
    free(state);
    return 0;
}
