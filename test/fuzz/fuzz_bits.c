// test/fuzz/fuzz_bits.c: any model, sources, edits and steps give the same bits on two instruction
// sets and for two numbers of threads, and a saved state that is loaded gives the state it was
// saved from. The input is a string of choices: test/random_def.h and test/random_case.h say of
// what.
#include "../random_case.h"

enum { LENGTH = 1500 }; // of a new case: most choices are made by then

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);

/// A wholly new case now and then: from nothing it takes long until a model has anything in it.
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    uint32_t x = seed * 2654435761u + 12345u;
    if (seed % 16 != 0 || room < LENGTH) {
        return LLVMFuzzerMutate(bytes, size, room);
    }
    for (int i = 0; i < LENGTH; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        bytes[i] = (uint8_t)(x >> 11);
    }
    return LENGTH;
}

static gyre_device *device_of(int threads, const char *isa)
{
    gyre_device *made = NULL;
    gyre_device_def def = gyre_default_device_def();
    def.threads = threads;
    def.isa = isa;
    if (gyre_device_create(&def, &made)) {
        abort();
    }
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static twins t;
    static gyre_device *others[MOST_TWINS];
    static int count;
    if (!t.device[0]) {
        t.device[0] = device_of(1, gyre_isa_name(0));
        for (int i = 1; gyre_isa_name(i) && count < MOST_TWINS; i++) {
            others[count++] = device_of(2 + i, gyre_isa_name(i));
        }
        if (count == 0) {
            others[count++] = device_of(3, gyre_isa_name(0));
        }
    }
    if (size == 0) {
        return 0;
    }
    t.device[1] = others[bytes[0] % count];
    t.count = 2;
    // An input is to be done within a second or two, sanitizers and all.
    case_maker.most_cells = 1500;
    case_maker.most_rounds = 2;
    random_case(&t, bytes + 1, size - 1);
    if (t.differs) {
        fprintf(stderr, "%s beside %s: %s\n", gyre_device_isa(t.device[1]),
                gyre_device_isa(t.device[0]), t.where);
        abort();
    }
    return 0;
}
