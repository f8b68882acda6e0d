// Keeps the last frames of a gas in a ring of slots, goes back by one of them, and goes on again:
// the same bits both times. The slots are sized once: they have room for all that may still be
// added.
#include <gyre/gyre.h>

#include <stdio.h>
#include <stdlib.h>

static void must(gyre_result result)
{
    if (result == GYRE_OK)
        return;
    fprintf(stderr, "gas_rollback: %s\n", gyre_message());
    exit(1);
}

enum { SLOTS = 8, BACK = 6, FRAMES = 24 };

// What has been saved of a frame.
typedef struct slot {
    void *bytes;
    size_t written;
} slot;

// The other player's puffs come late; a guess is that there are none.
static void puff(gyre_gas *gas, int frame, bool known)
{
    gyre_gas_emitter e = gyre_gas_default_emitter();
    if (frame % 5 != 0 || !known)
        return;
    snprintf(e.name, sizeof e.name, "puff_%d", frame);
    e.shape.kind = GYRE_SHAPE_SPHERE;
    e.shape.as.sphere.centre[0] = 0.2f + 0.025f * (float)frame;
    e.shape.as.sphere.centre[1] = 0.2f;
    e.shape.as.sphere.radius = 0.05f;
    e.temperature = 200;
    if (!gyre_gas_add_emitter(gas, &e))
        must(GYRE_ERROR_STATE);
}

// Frames `from` to `to`, each kept in its slot before it is stepped.
static uint64_t play(gyre_gas *gas, slot *ring, size_t size, int from, int to, int known)
{
    for (int frame = from; frame < to; frame++) {
        slot *s = &ring[frame % SLOTS];
        must(gyre_gas_save(gas, s->bytes, size, &s->written));
        puff(gas, frame, frame < known);
        must(gyre_gas_step(gas, 1.0f / 60));
    }
    return gyre_gas_hash(gas);
}

int main(void)
{
    gyre_device_def device_def = gyre_default_device_def();
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_device *device;
    gyre_gas *gas;
    slot ring[SLOTS];
    def.emitters.capacity = 16;
    must(gyre_device_create(&device_def, &device));
    must(gyre_gas_create(device, &def, &gas));
    size_t size = gyre_gas_save_size(gas);
    for (int i = 0; i < SLOTS; i++) {
        ring[i] = (slot){malloc(size), 0};
        if (!ring[i].bytes)
            return 1;
    }

    // What we thought the other player would do, and then what he did, twice.
    uint64_t guessed = play(gas, ring, size, 0, FRAMES, FRAMES - BACK);
    uint64_t played[2];
    size_t written = 0;
    for (int twice = 0; twice < 2; twice++) {
        slot *s = &ring[(FRAMES - BACK) % SLOTS];
        must(gyre_gas_load(gas, s->bytes, size));
        played[twice] = play(gas, ring, size, FRAMES - BACK, FRAMES, FRAMES);
        written = ring[(FRAMES - 1) % SLOTS].written;
    }

    printf("%zu of %zu bytes saved; guessed %016llx, real %016llx, again %016llx\n", written, size,
           (unsigned long long)guessed, (unsigned long long)played[0],
           (unsigned long long)played[1]);
    for (int i = 0; i < SLOTS; i++)
        free(ring[i].bytes);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return played[0] == played[1] && guessed != played[0] ? 0 : 1;
}
