// test/fuzz/fuzz_checkpoint.c: any bytes are a saved state or are refused, and a refused one leaves
// the gas as it was, which goes on finite. A checksum keeps random bytes out, so it is put right
// first. A state that asks for what no state holds (a caller's function) is loaded, and its steps
// are refused by name and leave it as it is.
//
// The input: 0, then a whole state, or 1 to 255 and pairs of a place (two bytes) and a new byte for
// a good state that lacks that many bytes less one at its end.
#include "../gas_case.h"

#include <stdlib.h>

// See src/model/save.c: of the file, of a chunk.
enum { HEADER = 32, SIZE = 16, CHECKSUM = 24, CHUNK = 72, CHUNK_SIZE = 56, CHUNK_CHECKSUM = 64 };

// The library's own hash; the static library has it.
uint64_t gy_hash(const void *bytes, size_t size, uint64_t seed);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);

static gyre_gas *gas;
static uint8_t *good;
static size_t good_size;

// Every kind of shape, an array, a channel, lists with room left.
static void fill(gyre_gas_def *def)
{
    fill_shapes(def);
    def->grid.n[0] = 5;
    def->grid.n[1] = 4;
    def->grid.n[2] = 3;
    def->grid.h = 0.25f;
    def->courant = 1.0f;
    def->max_substeps = 2;
    def->pressure.max_cycles = 2;
    def->emitters.capacity = 7;
    def->solids.capacity = 5;
}

static void start(void)
{
    static const gas_case c = {"fuzz", 1, 0.01f, fill, NULL};
    gyre_device *device = gas_case_device(1, NULL);
    gas = device ? gas_case_make(&c, device) : NULL;
    if (!gas || gyre_gas_step(gas, 0.05f)) {
        abort();
    }
    good_size = gyre_gas_save_size(gas);
    good = malloc(good_size);
    if (!good || gyre_gas_save(gas, good, good_size, &good_size)) {
        abort();
    }
}

static void put_checksum(uint8_t *state, size_t size)
{
    if (size < HEADER) {
        return;
    }
    uint64_t whole = size, sum;
    memcpy(state + SIZE, &whole, sizeof whole); // the header's own size
    memset(state + CHECKSUM, 0, 8);
    sum = gy_hash(state, HEADER, 0);
    memcpy(state + CHECKSUM, &sum, sizeof sum);
    for (size_t at = HEADER; size - at >= CHUNK;) {
        uint64_t bytes;
        memcpy(&bytes, state + at + CHUNK_SIZE, sizeof bytes);
        if (bytes > size - at - CHUNK || (bytes + 7) / 8 * 8 > size - at - CHUNK) {
            return;
        }
        bytes = (bytes + 7) / 8 * 8;
        memset(state + at + CHUNK_CHECKSUM, 0, 8);
        sum = gy_hash(state + at + CHUNK, (size_t)bytes, gy_hash(state + at, CHUNK, 0));
        memcpy(state + at + CHUNK_CHECKSUM, &sum, sizeof sum);
        at += CHUNK + (size_t)bytes;
    }
}

/// A good state now and then, so that whole ones are in the corpus from the start.
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    if (gas && seed % 256 == 0 && good_size < room) {
        bytes[0] = 0;
        memcpy(bytes + 1, good, good_size);
        return LLVMFuzzerMutate(bytes, good_size + 1, room);
    }
    return LLVMFuzzerMutate(bytes, size, room);
}

static bool finite(void)
{
    int count;
    bool good_so_far = true;
    gyre_gas_fields(gas, &count);
    for (int f = 0; f < count; f++) {
        double total = gyre_model_total(gyre_gas_model(gas), f);
        good_so_far = good_so_far && total - total == 0.0;
    }
    return good_so_far;
}

/// A step is made, or refused for want of a caller's function: then nothing has changed.
static bool goes_on(void)
{
    uint64_t before = gyre_gas_hash(gas);
    gyre_result r = gyre_gas_step(gas, 0.01f);
    if (r == GYRE_OK) {
        return true;
    }
    const char *why = gyre_message();
    bool named =
        strstr(why, "gyre_gas_set_force_rows") || strstr(why, "gyre_gas_set_velocity_rows");
    return r == GYRE_ERROR_STATE && named && gyre_gas_hash(gas) == before;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!gas) {
        start();
    }
    if (size == 0) {
        return 0;
    }
    size_t left = bytes[0] == 0 ? size - 1 : good_size - (size_t)(bytes[0] - 1);
    uint8_t *state = malloc(left ? left : 1); // of the exact size, so that a read past it is seen
    memcpy(state, bytes[0] == 0 ? bytes + 1 : good, left);
    for (size_t i = 1; bytes[0] != 0 && i + 2 < size; i += 3) {
        state[(bytes[i] | (size_t)bytes[i + 1] << 8) % left] = bytes[i + 2];
    }
    put_checksum(state, left);
    uint64_t before = gyre_gas_hash(gas);
    if (gyre_gas_load(gas, state, left)) {
        if (gyre_gas_hash(gas) != before || !gyre_message()[0]) {
            abort();
        }
    } else {
        // Twice, for what the first step makes of it.
        if (!goes_on() || !goes_on() || !finite()) {
            abort();
        }
        if (gyre_gas_load(gas, good, good_size)) {
            abort();
        }
    }
    free(state);
    return 0;
}
