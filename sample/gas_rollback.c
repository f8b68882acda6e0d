// Saves a gas, goes on, goes back, and goes on again: the same bits both times.
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

static uint64_t play(gyre_gas *gas, int frames)
{
    for (int frame = 0; frame < frames; frame++)
        must(gyre_gas_step(gas, 1.0f / 60));
    return gyre_gas_hash(gas);
}

int main(void)
{
    gyre_device_def device_def = gyre_default_device_def();
    gyre_gas_def def = gyre_gas_default_def(2);
    gyre_device *device;
    gyre_gas *gas;
    must(gyre_device_create(&device_def, &device));
    must(gyre_gas_create(device, &def, &gas));

    int temperature = gyre_gas_field(gas, "temperature");
    const float left[3] = {0.3f, 0.2f, 0}, right[3] = {0.7f, 0.2f, 0};
    must(gyre_gas_add_source(gas, temperature, left, 0.15f, 200));
    play(gas, 20);

    size_t size = gyre_gas_save_size(gas);
    void *saved = malloc(size);
    if (!saved)
        return 1;
    must(gyre_gas_save(gas, saved, size));

    // What we thought the other player would do, and then what he did.
    must(gyre_gas_add_source(gas, temperature, right, 0.15f, 200));
    uint64_t guessed = play(gas, 20);
    must(gyre_gas_load(gas, saved, size));
    uint64_t real = play(gas, 20);
    must(gyre_gas_load(gas, saved, size));
    uint64_t again = play(gas, 20);

    printf("%zu bytes saved; guessed %016llx, real %016llx, again %016llx\n", size,
           (unsigned long long)guessed, (unsigned long long)real, (unsigned long long)again);
    free(saved);
    gyre_gas_destroy(gas);
    gyre_device_destroy(device);
    return real == again && guessed != real ? 0 : 1;
}
